// A thing that stands elsewhere than in the drawing before goes there from where it was.

const MILLISECONDS = 200;
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
  for (const thing of drawing.querySelectorAll("[data-id]")) {
    const id = thing.dataset.id;
    const before = places.get(from.get(id));
    const isHand = /-hand-/.test(id); // numbered anew with every card
    if (before && !isHand && !/^p\d+$/.test(id)) {
      move(thing, before);
    }
  }
}

function move(thing, before) {
  const now = spotOf(thing).getBoundingClientRect();
  const scale = thing.getScreenCTM()?.a || 1;
  const x = (before.x + before.width / 2 - now.x - now.width / 2) / scale;
  const y = (before.y + before.height / 2 - now.y - now.height / 2) / scale;
  if (Math.hypot(x, y) * scale > 2) {
    const way = [{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }];
    thing.animate(way, { duration: MILLISECONDS, easing: "ease-out" });
  }
}

function spotOf(thing) {
  return thing.querySelector(":scope > .spot") ?? thing;
}
