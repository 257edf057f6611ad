// A thing that stands elsewhere than in the drawing before goes there from where it was.

export const MILLISECONDS = 200;
const still = matchMedia("(prefers-reduced-motion: reduce)");

// Returns where each thing of a drawing is on the screen, by its id.
export function whereabouts(drawing) {
  const places = new Map();
  for (const thing of drawing?.querySelectorAll("[data-id]") ?? []) {
    places.set(thing.dataset.id, spotOf(thing).getBoundingClientRect());
  }
  return places;
}

// places: of the drawing before; moved: ids then, with those now where they are others (or null).
export function travel(drawing, places, moved = {}) {
  if (still.matches || !drawing) {
    return;
  }
  const from = new Map([...places.keys()].filter((id) => !(id in moved)).map((id) => [id, id]));
  Object.entries(moved).forEach(([before, now]) => now !== null && from.set(now, before));
  const ways = []; // all are measured before any is moved, else each would be laid out anew
  for (const thing of drawing.querySelectorAll("[data-id]")) {
    const id = thing.dataset.id;
    const before = places.get(from.get(id));
    const isHand = /-hand-/.test(id); // numbered anew with every card
    if (before && !isHand && !/^p\d+$/.test(id)) {
      ways.push([thing, wayFrom(before, thing)]);
    }
  }
  for (const [thing, way] of ways) {
    if (way) thing.animate([{ transform: way }, { transform: "none" }], { duration: MILLISECONDS, easing: "ease-out" });
  }
}

// Returns the transform that puts a thing where it was before, or null if it is there.
function wayFrom(before, thing) {
  const now = spotOf(thing).getBoundingClientRect();
  const scale = thing.getScreenCTM()?.a || 1;
  const x = (before.x + before.width / 2 - now.x - now.width / 2) / scale;
  const y = (before.y + before.height / 2 - now.y - now.height / 2) / scale;
  return Math.hypot(x, y) * scale > 2 ? `translate(${x}px, ${y}px)` : null;
}

function spotOf(thing) {
  return thing.querySelector(":scope > .spot") ?? thing;
}
