// The page to play on: shows what the server tells, and sends what is chosen.

import { Choosing } from "./choosing.js";
import { Refused, get, listen, post } from "./server.js";
import { Table } from "./table.js";
import { onTheme, theme } from "./theme.js";

const byId = (id) => document.getElementById(id);
const FEW = 4; // actions that are offered under the table
const PACE = "waiter-envs pace";
const SEEN = `waiter-envs seen ${location.pathname}`;

let state = null; // what the server said last
let shown = 0; // number of the frame on the table
let opened = false; // all cards are on the table
let waiting = null; // timer until the next frame
let latest = 0; // version that the server has told of
let busy = false; // a request is under way
let advice = null; // what the adviser would do
const pictures = new Map(); // frames by number and theme

const narrow = matchMedia("(max-width: 720px)"); // a table would be too small
const narrowForMany = matchMedia("(max-width: 1000px)");

const choosing = new Choosing();
const table = new Table(byId("table"), toggle, playOnly);

// -- Elements ----------------------------------------------------------------------------------

function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") {
      element.className = value;
    } else if (key.startsWith("on")) {
      element.addEventListener(key.slice(2), value);
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(key, value === true ? "" : value);
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function fill(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null));
}

function say(text) {
  byId("live").textContent = text;
}

let toastTimer = null;
function toast(text) {
  byId("toast").textContent = text;
  byId("toast").hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (byId("toast").hidden = true), 5000);
}

function nameOf(player) {
  const { name, who } = state.players[player];
  return who === "you" ? "You" : `${name} ${who}`;
}

function sentence(told) {
  return `${told.player === state.player ? "You" : `P${told.player}`} ${told.words}`;
}

// -- The server --------------------------------------------------------------------------------

async function request(path, content) {
  if (busy) {
    return null;
  }
  busy = true;
  document.body.classList.add("busy");
  try {
    return await post(path, content);
  } catch (error) {
    if (!(error instanceof Refused)) {
      throw error;
    }
    toast(error.message);
    if (error.status === 409) {
      await refresh();
    }
    return null;
  } finally {
    busy = false;
    document.body.classList.remove("busy");
    setTimeout(catchUp, 0);
  }
}

// Asks for news, unless an answer is on its way that brings them.
function catchUp() {
  if (!busy && latest > (state?.version ?? 0)) {
    refresh();
  }
}

async function refresh() {
  try {
    take(await get("state"));
  } catch (error) {
    toast(error.message);
  }
}

// Takes what the server says, and shows frame after frame what has not been seen yet.
function take(next) {
  if (state && next.version <= state.version) {
    return; // it is known, and on the table or about to be
  }
  document.body.dataset.state = "";
  const first = state === null;
  const anotherGame = !first && next.round !== state.round;
  state = next;
  advice = null;
  if (anotherGame) {
    opened = false;
  }
  if (first) {
    restoreSeen();
    showPlayers();
  }
  document.title = state.title;
  byId("title").textContent = state.title;
  const oldest = state.frames[0].number;
  const newest = state.frames.at(-1).number;
  if (shown < oldest - 1 || shown > newest) {
    shown = oldest - 1;
  }
  goOn(first);
}

function restoreSeen() {
  let seen = null;
  try {
    seen = JSON.parse(sessionStorage.getItem(SEEN));
  } catch {
    seen = null;
  }
  const newest = state.frames.at(-1).number;
  const fresh = state.frames[0].told === null; // nothing has been decided here yet
  if (Number.isInteger(seen) && seen <= newest) {
    shown = Math.min(seen, newest - 1);
  } else {
    shown = fresh ? state.frames[0].number - 1 : newest - 1;
  }
}

// -- Frames ------------------------------------------------------------------------------------

function layout() {
  return narrow.matches || (state.players.length > 4 && narrowForMany.matches) ? "phone" : "page";
}

function picture(number) {
  const look = `theme=${theme()}&layout=${layout()}`;
  const key = `${number} ${look}`;
  if (!pictures.has(key)) {
    const path = number === "open" ? "open" : `frames/${number}`;
    pictures.set(key, get(`${path}?${look}`));
    pictures.get(key).catch(() => pictures.delete(key));
    if (pictures.size > 30) {
      pictures.delete(pictures.keys().next().value);
    }
  }
  return pictures.get(key);
}

function pace() {
  return Number(byId("pace").value);
}

function goOn() {
  clearTimeout(waiting);
  waiting = null;
  const newest = state.frames.at(-1).number;
  const next = pace() === 0 ? newest : Math.min(shown + 1, newest);
  showFrame(next);
}

async function showFrame(number) {
  const mine = state;
  let drawn;
  try {
    drawn = await picture(number);
  } catch (error) {
    if (mine === state) {
      toast(error.message);
      if (error.status === 404) {
        refresh();
      }
    }
    return;
  }
  if (mine !== state || opened) {
    return;
  }
  const frame = state.frames.find((one) => one.number === number);
  const next = number === shown + 1;
  shown = number;
  try {
    sessionStorage.setItem(SEEN, String(number));
  } catch {
    // then the page begins with the last frame when it comes back
  }
  table.draw(drawn.svg, next ? (frame.told?.moved ?? null) : null);
  byId("text").textContent = drawn.text;
  const last = number === state.frames.at(-1).number;
  if (last) {
    settle(frame);
  } else {
    between(frame);
    picture(number + 1);
    waiting = setTimeout(goOn, frame.told?.player === state.player ? Math.min(pace(), 600) : pace());
  }
  showLog();
}

// Others are playing.
function between(frame) {
  document.body.dataset.state = "watching";
  choosing.begin(null);
  table.light([], []);
  showHeadline(frame, false);
  byId("note").replaceChildren(
    make("button", { type: "button", class: "main", onclick: goOn }, "Go on"),
    " or press Space",
  );
  byId("tray").replaceChildren(
    frame.told ? make("span", { class: "told" }, sentence(frame.told)) : "",
    make("button", { type: "button", class: "main", onclick: goOn }, "Go on"),
  );
  byId("choosing").hidden = true;
  byId("end").hidden = true;
  byId("advice").hidden = true;
  showButtons(false);
}

// All has been shown: it is somebody's turn, or the game is over.
function settle(frame) {
  const number = state.decision?.number ?? null;
  if (choosing.decision === null || choosing.decision.number !== number) {
    choosing.begin(state.decision);
    byId("filter").value = "";
    if (document.activeElement === byId("filter")) {
      byId("list").focus({ preventScroll: true });
    }
  }
  showHeadline(frame, state.decision !== null);
  byId("note").textContent = noteOf();
  showButtons(true);
  showEnd();
  showAdvice();
  showChoosing();
  document.body.dataset.state = state.over ? "over" : number === null ? "waiting" : `asked ${number}`;
  if (state.decision) {
    say(`Your turn. ${frame.headline}. ${state.decision.choices.length} possible actions.`);
  } else {
    say(frame.headline);
  }
}

function noteOf() {
  if (state.over) {
    return "";
  }
  return state.decision ? "" : "Waiting for the others.";
}

function showHeadline(frame, own) {
  const headline = byId("headline");
  headline.textContent = frame.headline;
  byId("side").classList.toggle("own", own);
  document.title = own ? `Your turn · ${state.title}` : state.title;
}

function showPlayers() {
  byId("players").replaceChildren(
    ...state.players.map(({ name, who }) =>
      make("li", { class: who === "you" ? "you" : "" }, make("b", {}, name), ` ${who}`),
    ),
  );
}

function showButtons(settled) {
  byId("undo").disabled = !(settled && state.may.undo);
  byId("hint").disabled = !(settled && state.may.hint);
  byId("deal").disabled = !state.may.deal;
}

function showLog() {
  const unseen = state.frames.filter((frame) => frame.number > shown && frame.told).length;
  const lines = state.log.slice(0, state.log.length - unseen);
  const log = byId("log");
  const keep = Math.max(0, lines.length - 200);
  const wanted = lines.slice(keep);
  const same = wanted.every((told, i) => log.children[i]?.dataset.text === sentence(told));
  if (!same || log.children.length > wanted.length) {
    log.replaceChildren();
  }
  for (const told of wanted.slice(log.children.length)) {
    const own = told.player === state.player;
    const who = own ? "You" : `P${told.player}`;
    const line = make("li", { class: own ? "you" : "", title: told.text });
    line.append(make("b", {}, who), ` ${told.words}`);
    line.dataset.text = sentence(told);
    log.append(line);
  }
  log.scrollTop = log.scrollHeight;
}

// -- Choosing ----------------------------------------------------------------------------------

function aim(choice) {
  table.aim(choice ? choosing.concerned(choice) : []);
}

function toggle(id) {
  if (busy || !choosing.decision) {
    return;
  }
  choosing.toggle(id);
  showChoosing();
}

function playOnly() {
  if (choosing.whole.length === 1) {
    act(choosing.whole[0]);
  }
}

function showChoosing() {
  const active = choosing.decision !== null && !state.over && !opened;
  byId("choosing").hidden = !active;
  table.light(active ? choosing.lit : [], active ? choosing.picked : []);
  showTray(active);
  if (!active) {
    return;
  }
  const all = choosing.choices.length;
  const left = choosing.left.length;
  byId("count").textContent = left === all ? `${all} possible` : `${left} of ${all}`;
  byId("filter").hidden = all <= 8 && !choosing.words;
  const list = byId("list");
  let number = 0;
  list.replaceChildren(
    ...choosing.groups.map((group) => {
      const title = group.title ? make("h3", { "aria-hidden": "true" }, group.title) : null;
      const options = group.choices.map((choice) => option(choice, (number += 1)));
      const more = group.more
        ? [
            make(
              "button",
              { type: "button", class: "more", onclick: () => unfold(group.block) },
              `${group.more} more`,
            ),
          ]
        : [];
      const attributes = { class: "group", role: "group", "aria-label": group.title || null };
      return make("div", attributes, title, ...options, ...more);
    }),
  );
  if (!left) {
    list.append(make("p", { class: "none" }, "Nothing you can do is like that."));
  }
  showMark(false);
}

function option(choice, number) {
  const element = make(
    "div",
    {
      class: "option",
      role: "option",
      id: `action-${choice.action}`,
      title: choice.text,
      "aria-selected": "false",
      onclick: () => act(choice),
      onpointerenter: () => aim(choice),
      onpointerleave: () => aim(choosing.marked),
    },
    make("kbd", { "aria-hidden": "true" }, number <= 9 ? String(number) : ""),
    make("span", {}, choice.words),
  );
  element.dataset.action = choice.action;
  return element;
}

function showMark(scroll = true) {
  const marked = choosing.marked;
  const list = byId("list");
  for (const element of list.querySelectorAll(".option")) {
    const here = Number(element.dataset.action) === marked?.action;
    element.setAttribute("aria-selected", String(here));
    if (here && scroll) {
      element.scrollIntoView({ block: "nearest" });
    }
  }
  if (marked) {
    list.setAttribute("aria-activedescendant", `action-${marked.action}`);
  } else {
    list.removeAttribute("aria-activedescendant");
  }
  aim(marked);
}

function unfold(block) {
  choosing.unfold(block);
  showChoosing();
  byId("list").focus();
}

// What has been chosen, and what can be done with it, under the table; all of it if it is little.
function showTray(active) {
  const tray = byId("tray");
  if (!active) {
    fill(tray);
    return;
  }
  const { picked, whole, left, lit, choices } = choosing;
  if (!picked.length && choices.length > FEW) {
    const words = lit.size ? "Choose what has an amber edge, or an action of the list." : "";
    fill(tray, make("span", { class: "quiet" }, words));
    return;
  }
  const offered = picked.length ? whole.slice(0, FEW) : left;
  const more = left.length - offered.length;
  const names = picked.map((id) => table.nameOf(id)).join(" + ");
  fill(
    tray,
    names ? make("span", { class: "quiet" }, `${names}:`) : null,
    ...offered.map((choice) => offer(choice)),
    more
      ? make("button", { type: "button", onclick: () => byId("list").focus() }, `${more} more`)
      : null,
    names ? make("button", { type: "button", onclick: clear }, "Clear") : null,
  );
}

function offer(choice) {
  const attributes = {
    type: "button",
    class: "main",
    title: choice.text,
    onclick: () => act(choice),
    onpointerenter: () => aim(choice),
    onpointerleave: () => aim(choosing.marked),
  };
  return make("button", attributes, choice.words);
}

function clear() {
  choosing.clear();
  byId("filter").value = "";
  showChoosing();
}

async function act(choice) {
  if (busy || !choosing.decision) {
    return;
  }
  const decision = choosing.decision.number;
  const next = await request("act", { decision, action: choice.action });
  if (next) {
    take(next);
  }
}

// -- Other wishes ------------------------------------------------------------------------------

async function undo() {
  if (byId("undo").disabled) {
    return;
  }
  const next = await request("undo", { decision: state.decision.number });
  if (next) {
    take(next);
  }
}

async function hint() {
  if (byId("hint").disabled) {
    return;
  }
  const asked = state.decision.number;
  const given = await request("hint", { decision: asked });
  if (given && state.decision?.number === asked) {
    advice = given;
    choosing.mark(given.choice.action);
    showAdvice();
    showChoosing();
    showMark();
    say(`${given.agent} would: ${given.choice.words}. ${given.reason}`);
    if (given.may_weigh) {
      weigh(given, asked);
    }
  }
}

// How the hint fares when the game is played out; it may take a while, and nothing waits for it.
async function weigh(given, decision) {
  given.weighed = "Playing it out …";
  showAdvice();
  try {
    const { action, words } = await post("weigh", { decision });
    given.weighed = action === given.choice.action ? words : "";
  } catch {
    given.weighed = "";
  }
  if (advice === given) {
    showAdvice();
  }
}

function showAdvice() {
  const box = byId("advice");
  box.hidden = advice === null;
  if (advice === null) {
    return;
  }
  const { agent, choice, chances, reason, weighed } = advice;
  const bars = (chances ?? []).filter(({ chance }) => chance >= 0.005).map(({ words, chance }) =>
    make(
      "li",
      {},
      make("meter", { min: 0, max: 1, value: chance, "aria-label": words }),
      make("span", { class: "figure" }, `${Math.round(100 * chance)}%`),
      make("span", {}, words),
    ),
  );
  const button = { type: "button", class: "advised", title: choice.text };
  fill(
    box,
    make("h3", {}, `${agent} would`),
    make("button", { ...button, onclick: () => act(choice) }, choice.words),
    bars.length ? make("ul", {}, ...bars) : null,
    make("p", { class: "note" }, [reason, weighed].filter(Boolean).join(" ")),
  );
}

async function deal(path) {
  const next = await request(path, { game: state.round });
  if (next) {
    take(next);
  }
}

function wantDeal() {
  if (byId("deal").disabled) {
    return;
  }
  if (state.over) {
    deal("new");
  } else {
    byId("deal-dialog").showModal();
  }
}

function showEnd() {
  const box = byId("end");
  box.hidden = !state.over;
  if (!state.over) {
    return;
  }
  const won = state.winners.includes(state.player);
  const others = state.winners.filter((player) => player !== state.player).map(nameOf);
  const who = won ? ["You", ...others] : others;
  const verb = who.length > 1 || won ? "have" : "has";
  const result = who.length ? `${who.join(" and ")} ${verb} won` : "Nobody has won";
  byId("headline").textContent = result;
  box.replaceChildren(
    make(
      "div",
      { class: "buttons" },
      make("button", { type: "button", class: "main", onclick: () => deal("new") }, "New game"),
      make("button", { type: "button", onclick: () => deal("again") }, "Same deal again"),
      make(
        "button",
        { type: "button", "aria-pressed": String(opened), onclick: turnOver },
        opened ? "As you saw it" : "Show all cards",
      ),
      make("a", { class: "button", href: "replay", target: "_blank" }, "Watch it again"),
      make("a", { class: "button", href: "record", download: true }, "Save the record"),
    ),
  );
}

async function turnOver() {
  opened = !opened;
  showEnd();
  if (!opened) {
    showFrame(shown);
    return;
  }
  const mine = state;
  for (const key of [...pictures.keys()].filter((key) => key.startsWith("open"))) {
    pictures.delete(key);
  }
  try {
    const drawn = await picture("open");
    if (mine === state && opened) {
      table.light([], []);
      table.draw(drawn.svg);
      byId("text").textContent = drawn.text;
    }
  } catch (error) {
    toast(error.message);
  }
}

async function showRules() {
  const box = byId("rules-text");
  if (!box.children.length) {
    const { html } = await get("rules");
    const parsed = new DOMParser().parseFromString(html, "text/html");
    box.replaceChildren(...parsed.body.childNodes);
    byId("rules-title").textContent = state.title;
  }
  byId("rules-dialog").showModal();
  byId("rules-dialog").scrollTop = 0;
}

// -- Keys --------------------------------------------------------------------------------------

const LETTERS = {
  u: undo,
  h: hint,
  n: wantDeal,
  r: showRules,
  "?": () => byId("help-dialog").showModal(),
  "/": () => {
    byId("filter").hidden = false;
    byId("filter").focus();
  },
};

function onKey(event) {
  const typing = event.target.matches("input, select, textarea");
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) {
    return;
  }
  if (event.key === "Escape") {
    clear();
    if (typing) {
      byId("list").focus();
    }
    return;
  }
  if (waiting !== null && event.key === " " && !event.target.matches("button, a, summary")) {
    event.preventDefault();
    goOn();
    return;
  }
  if (moveMark(event)) {
    return;
  }
  if (!typing && LETTERS[event.key]) {
    event.preventDefault();
    LETTERS[event.key]();
  }
}

// Arrows, digits and Enter: what they do to the list.
function moveMark(event) {
  if (!choosing.decision || byId("choosing").hidden) {
    return false;
  }
  const typing = event.target.matches("input, select, textarea");
  const scrolled = event.target.matches("#log, #text, select, summary");
  if (!scrolled && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    choosing.move(event.key === "ArrowDown" ? 1 : -1);
  } else if (!typing && /^[1-9]$/.test(event.key)) {
    choosing.markNumber(Number(event.key));
  } else if (event.key === "Enter" && !event.target.matches("button, a, summary, select")) {
    if (choosing.marked) {
      event.preventDefault();
      act(choosing.marked);
    }
    return true;
  } else {
    return false;
  }
  event.preventDefault();
  showMark();
  return true;
}

// -- Beginning ---------------------------------------------------------------------------------

function restorePace() {
  try {
    const value = localStorage.getItem(PACE);
    if ([...byId("pace").options].some((choice) => choice.value === value)) {
      byId("pace").value = value;
    }
  } catch {
    // then it is the usual one
  }
}

byId("filter").addEventListener("input", (event) => {
  choosing.filter(event.target.value);
  showChoosing();
});
byId("pace").addEventListener("change", () => {
  try {
    localStorage.setItem(PACE, byId("pace").value);
  } catch {
    // then it lasts as long as the page
  }
});
byId("table").addEventListener("click", () => waiting !== null && goOn());
byId("undo").addEventListener("click", undo);
byId("hint").addEventListener("click", hint);
byId("deal").addEventListener("click", wantDeal);
byId("rules").addEventListener("click", showRules);
byId("help").addEventListener("click", LETTERS["?"]);
byId("deal-dialog").addEventListener("close", (event) => {
  const { returnValue } = event.target;
  event.target.returnValue = "";
  if (returnValue) {
    deal(returnValue);
  }
});
document.addEventListener("keydown", onKey);
function drawAgain() {
  if (state && opened) {
    opened = false;
    turnOver();
  } else if (state && shown) {
    picture(shown).then(
      (drawn) => {
        table.draw(drawn.svg);
        aim(choosing.marked);
      },
      (error) => toast(error.message),
    );
  }
}
onTheme(drawAgain);
narrow.addEventListener("change", drawAgain);
narrowForMany.addEventListener("change", drawAgain);
restorePace();
await refresh();
listen(
  (version) => {
    latest = version;
    catchUp();
  },
  () => toast("The server does not answer. Has it been stopped?"),
);
