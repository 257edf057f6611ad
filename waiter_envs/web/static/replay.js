// Shows a reel (waiter_envs/web/reel.py): one drawing for each place of a game and each viewer.

const $ = (id) => document.getElementById(id);

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

const reel = await unpack($("reel").textContent);
const viewers = Object.keys(reel.shots.page).sort((a, b) => (a === "all" ? -1 : b === "all" ? 1 : a - b));
const end = reel.places.length - 1;
const DISAGREEMENT = 0.5; // at most so likely, to a judge, is what is worth a jump
const narrow = matchMedia(`(max-width: ${reel.names.length > 4 ? 1000 : 720}px)`); // a table would be too small

let place = 0;
let viewer = viewers[0];
let timer = null;

// -- Words ------------------------------------------------------------------------------------

const player = (number) => `P${number}`;
const named = (number) => player(number) + (reel.names[number] ? ` (${reel.names[number]})` : "");

function sentence(told) {
  return told ? `${player(told.player)} ${told.words}` : "something happens that this seat does not notice";
}

const points = (reward) => (reward > 0 ? "+" : reward < 0 ? "−" : "") + Number(Math.abs(reward).toFixed(2));

function result() {
  const paid = reel.rewards.map((reward, i) => `${player(i)} ${points(reward)}`).join(", ");
  return `${reel.places[end].headline}. Rewards: ${paid}.`;
}

// -- What is shown at a place ------------------------------------------------------------------

function drawing(number) {
  const part = (of) => reel.parts[of].map((piece) => reel.pieces[piece]).join("");
  return reel.drawings[number].map(part).join("");
}

function showTable(moved, forward) {
  const table = $("table");
  const hurry = timer !== null && Number($("speed").value) < 2 * MILLISECONDS;
  const before = forward && !hurry ? whereabouts(table.firstElementChild) : null;
  const number = reel.shots[narrow.matches ? "phone" : "page"][viewer][place];
  if (table.dataset.shot !== `${viewer}/${number}`) {
    table.dataset.shot = `${viewer}/${number}`;
    table.innerHTML = drawing(number);
  }
  if (before) travel(table.firstElementChild, before, reel.told[viewer][place - 1]?.moved);
  if (!moved || still.matches) return;
  const changed = new Set(reel.changed[viewer][place]);
  for (const thing of table.querySelectorAll("[data-id]")) {
    if (changed.has(thing.dataset.id)) thing.animate([{ opacity: 0.25 }, { opacity: 1 }], 200);
  }
}

function showWords() {
  const said = $("said");
  said.replaceChildren();
  const here = reel.places[place];
  if (place > 0) said.append(`${sentence(reel.told[viewer][place - 1])}.`);
  const changed = reel.changed[viewer][place].length;
  const next = place === end ? result() : `${here.headline}.`;
  said.append(element("small", { textContent: next }));
  said.dataset.changed = changed;
}

const percent = (chance) => `${(100 * chance).toFixed(chance >= 0.1 || chance === 0 ? 0 : 1)}%`;

function showThought() {
  const box = $("thought");
  box.replaceChildren();
  const thought = reel.thoughts[viewer][place];
  if (!thought) return;
  const facts = [];
  if (thought.value !== null) facts.push(`value ${thought.value}`);
  if (thought.seconds !== null) facts.push(`${(1000 * thought.seconds).toPrecision(2)} ms`);
  const who = named(reel.places[place].to_act ?? 0);
  box.append(element("h2", { textContent: [`What ${who} thinks`, ...facts].join(", ") }));
  const most = Math.max(...thought.chances.map((choice) => choice[1]), 1e-9);
  const likely = thought.chances.filter((choice, i) => i < 7 || choice[2]);
  const bars = likely.map(([words, chance, done]) => {
    const bar = element("li", { className: done ? "done" : "" });
    bar.style.setProperty("--share", `${(100 * chance) / most}%`);
    bar.append(element("span", { textContent: words }), element("span", { className: "p", textContent: percent(chance) }));
    return bar;
  });
  box.append(element("ul", { className: "bars" }, ...bars));
  const more = thought.chances.length - likely.length + thought.left_out;
  if (more > 0) box.append(element("p", { className: "more", textContent: `and ${more} less likely ones` }));
}

function showOpinions() {
  const box = $("opinions");
  box.replaceChildren();
  for (const [judge, opinions] of Object.entries(reel.opinions)) {
    const opinion = opinions[place];
    if (!opinion || !mayKnow(place)) continue;
    const line = element("p", { className: opinion.agrees ? "opinion" : "opinion differs" });
    line.append(element("b", { textContent: judge }), opinion.agrees ? " would do the same" : ` would: ${opinion.words}`);
    if (opinion.chance > 0 && opinion.chance < 1) line.append(` (what was done: ${percent(opinion.chance)})`);
    box.append(line);
  }
}

// Whether the present viewer may know what others think of a decision.
function mayKnow(at) {
  return viewer === "all" || String(reel.places[at].to_act) === viewer;
}

// -- The log ----------------------------------------------------------------------------------

let lines = [];

function fillLog() {
  const log = $("log");
  log.replaceChildren();
  lines = [];
  for (let at = 0; at <= end; at++) {
    const chapter = reel.places[at].chapter;
    const opens = chapter && (at === 0 || chapter !== reel.places[at - 1].chapter);
    const text = at === 0 ? "The beginning" : sentence(reel.told[viewer][at - 1]);
    const line = element("li", { tabIndex: -1 }, element("span", { className: "n", textContent: at }), element("span", { textContent: text }));
    line.addEventListener("click", () => go(at));
    lines.push(line);
    log.append(line);
    if (opens) log.append(element("li", { className: "chapter", textContent: chapter }));
  }
}

function markLog() {
  for (const line of lines) line.removeAttribute("aria-current");
  const line = lines[place];
  line.setAttribute("aria-current", "step");
  const log = $("log");
  if (log.scrollHeight > log.clientHeight) log.scrollTop = line.offsetTop - log.offsetTop - log.clientHeight / 2;
}

// -- The track: chapters, disagreements, values -------------------------------------------------

function disagreement(at) {
  if (at >= end || !mayKnow(at)) return 0;
  const opinions = Object.values(reel.opinions).map((judge) => judge[at]);
  return Math.max(0, ...opinions.filter(Boolean).map((opinion) => 1 - opinion.chance));
}

const chapters = reel.places.map((_, at) => at).filter((at) => at === 0 || reel.places[at].chapter !== reel.places[at - 1].chapter);

function fillMarks() {
  const marks = $("marks");
  marks.replaceChildren();
  const put = (at, className) => {
    const mark = element("i", { className });
    mark.style.left = `${(100 * at) / Math.max(1, end)}%`;
    marks.append(mark);
  };
  const every = Math.ceil(chapters.length / 60);
  chapters.filter((_, number) => number % every === 0).forEach((at) => put(at, "chapter"));
  for (let at = 0; at < end; at++) if (disagreement(at) > DISAGREEMENT) put(at, "differs");
  $("differ").hidden = Object.keys(reel.opinions).length === 0;
}

const STROKES = ["", "7 4", "2 3", "10 3 2 3", "1 5", "14 4", "5 2 5 8", "3 6", "12 2", "8 8"];

function fillCurve() {
  const box = $("curve");
  box.replaceChildren();
  const values = reel.thoughts[viewer].map((thought) => (thought ? thought.value : null));
  const known = values.filter((value) => value !== null);
  box.hidden = known.length < 2;
  if (box.hidden) return;
  const low = Math.min(0, ...known);
  const high = Math.max(0, ...known, low + 1e-6);
  const x = (at) => (1000 * at) / Math.max(1, end);
  const y = (value) => 58 - (54 * (value - low)) / (high - low);
  const paths = reel.names.map((_, number) => {
    const own = values.map((value, at) => [at, value]).filter(([at, value]) => value !== null && reel.places[at].to_act === number);
    if (own.length < 2) return "";
    const line = own.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    return `<polyline points="${line}" fill="none" stroke="var(--ink)" stroke-width="1.5" stroke-dasharray="${STROKES[number]}" vector-effect="non-scaling-stroke"><title>${player(number)}</title></polyline>`;
  });
  box.innerHTML = `<svg viewBox="0 0 1000 62" preserveAspectRatio="none" role="img" aria-label="Value over the game"><line x1="0" x2="1000" y1="${y(0)}" y2="${y(0)}" stroke="var(--line)" vector-effect="non-scaling-stroke"/>${paths.join("")}<line id="now" y1="0" y2="62" stroke="var(--accent)" stroke-width="2" vector-effect="non-scaling-stroke"/></svg><figcaption>value, as the player to act sees it (${low.toFixed(2)} to ${high.toFixed(2)})</figcaption>`;
  box.querySelector("svg").addEventListener("click", (event) => {
    const bounds = box.getBoundingClientRect();
    go(Math.round((end * (event.clientX - bounds.left)) / bounds.width));
  });
}

function markCurve() {
  const now = $("now");
  if (!now) return;
  const x = (1000 * place) / Math.max(1, end);
  now.setAttribute("x1", x);
  now.setAttribute("x2", x);
}

// -- Moving about ------------------------------------------------------------------------------

function show(moved, forward = false) {
  showTable(moved, forward);
  showWords();
  showThought();
  showOpinions();
  markLog();
  markCurve();
  $("scrub").value = place;
  $("scrub").setAttribute("aria-valuetext", `${place} of ${end}, ${reel.places[place].chapter}`);
  $("place").textContent = [`${place} of ${end}`, reel.places[place].chapter].filter(Boolean).join(" · ");
  $("first").disabled = $("back").disabled = place === 0;
  $("last").disabled = $("next").disabled = place === end;
}

function go(to, fromAddress = false) {
  const target = Math.max(0, Math.min(end, to));
  const moved = target !== place;
  const forward = target === place + 1;
  place = target;
  show(moved, forward);
  if (place === end) stop();
  if (fromAddress) return;
  try {
    history.replaceState(null, "", `#${place}`);
  } catch {
    // a page within a page may have no address
  }
}

function goFromAddress() {
  const [, number] = location.hash.match(/^#(\d+)$/) ?? [];
  if (number !== undefined) go(Number(number), true);
}

function look(as) {
  viewer = as;
  for (const button of $("seats").children) button.setAttribute("aria-checked", String(button.dataset.viewer === viewer));
  fillLog();
  fillMarks();
  fillCurve();
  show(false);
}

function start() {
  if (place === end) go(0);
  stop();
  $("play").textContent = "Pause";
  timer = setInterval(() => go(place + 1), Number($("speed").value));
}

function stop() {
  clearInterval(timer);
  timer = null;
  $("play").textContent = "Play";
}

const toggle = () => (timer === null ? start() : stop());

function nextChapter(way) {
  const ahead = way > 0 ? chapters.find((at) => at > place) : chapters.filter((at) => at < place).at(-1);
  go(ahead ?? (way > 0 ? end : 0));
}

function nextDisagreement() {
  for (let step = 1; step <= end; step++) {
    const at = (place + step) % (end + 1);
    if (disagreement(at) > DISAGREEMENT) return go(at);
  }
}

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

function toggleKeys() {
  const hidden = ($("keys").hidden = !$("keys").hidden);
  $("help").setAttribute("aria-expanded", String(!hidden));
}

const KEYS = {
  ArrowLeft: () => go(place - 1),
  ArrowRight: () => go(place + 1),
  Home: () => go(0),
  End: () => go(end),
  " ": toggle,
  "[": () => nextChapter(-1),
  "]": () => nextChapter(1),
  s: () => look(viewers[(viewers.indexOf(viewer) + 1) % viewers.length]),
  d: nextDisagreement,
  t: switchTheme,
  "?": toggleKeys,
};

// -- At the beginning ---------------------------------------------------------------------------

document.title = `${reel.title}: ${reel.names.map((name, i) => name || player(i)).join(", ")}`;
document.querySelector("h1").textContent = reel.title;
$("who").append(
  ...reel.names.flatMap((_, i) => [i ? ", " : "", reel.winners.includes(i) ? element("b", { textContent: `${named(i)} won` }) : named(i)]),
  reel.variant ? ` · ${reel.variant}` : "",
);
if (viewers.length > 1) {
  for (const each of viewers) {
    const button = element("button", { type: "button", textContent: each === "all" ? "All cards" : player(Number(each)) });
    button.setAttribute("role", "radio");
    button.dataset.viewer = each;
    button.addEventListener("click", () => look(each));
    $("seats").append(button);
  }
} else {
  $("seats").textContent = `as ${player(Number(viewers[0]))} sees it`;
  $("seats").removeAttribute("role");
}
$("scrub").max = end;
$("scrub").addEventListener("input", () => go(Number($("scrub").value)));
$("first").addEventListener("click", () => go(0));
$("back").addEventListener("click", () => go(place - 1));
$("play").addEventListener("click", toggle);
$("next").addEventListener("click", () => go(place + 1));
$("last").addEventListener("click", () => go(end));
$("speed").addEventListener("change", () => timer !== null && start());
$("differ").addEventListener("click", nextDisagreement);
$("theme").addEventListener("click", switchTheme);
$("help").addEventListener("click", toggleKeys);

let wheel = 0;
$("table").addEventListener(
  "wheel",
  (event) => {
    if (event.ctrlKey) return; // zooms
    event.preventDefault();
    wheel += event.deltaY;
    if (Math.abs(wheel) < 40) return;
    go(place + Math.sign(wheel));
    wheel = 0;
  },
  { passive: false },
);
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
  if (event.key === " " && event.target.tagName === "BUTTON") return; // presses it
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
addEventListener("hashchange", goFromAddress);
narrow.addEventListener("change", () => showTable(false));
new ResizeObserver(() => {
  document.body.style.setProperty("--controls", `${$("controls").offsetHeight + 12}px`);
}).observe($("controls"));

look(viewer);
goFromAddress();
document.documentElement.dataset.ready = "";
