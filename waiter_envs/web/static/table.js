// The drawing of the table: what can be chosen is lit, and takes clicks and keys.

import { travel, whereabouts } from "./travel.js";

const PLAYER = /^p\d+$/; // a whole mat: named by actions, but nothing to click at

export class Table {
  // onToggle(id), onPlay(): a thing was chosen or given back; the only action shall be done.
  constructor(element, onToggle, onPlay) {
    this.element = element;
    this.onToggle = onToggle;
    this.lit = new Set();
    this.picked = new Set();
    element.addEventListener("click", (event) => this.click(event));
    element.addEventListener("dblclick", (event) => {
      if (this.at(event)) {
        onPlay();
      }
    });
    element.addEventListener("keydown", (event) => this.key(event));
  }

  // moved: what stands elsewhere than before (see travel.js); null: nothing goes anywhere.
  draw(svg, moved = null) {
    const before = moved && whereabouts(this.element.firstElementChild);
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    const drawing = document.importNode(parsed, true);
    drawing.removeAttribute("width");
    drawing.removeAttribute("height");
    const focused = document.activeElement?.closest?.("[data-id]")?.dataset.id;
    this.element.replaceChildren(drawing);
    this.things = new Map();
    for (const thing of drawing.querySelectorAll("[data-id]")) {
      this.things.set(thing.dataset.id, thing);
    }
    this.mark();
    if (moved) {
      travel(drawing, before, moved);
    }
    if (focused) {
      this.things.get(focused)?.focus({ preventScroll: true });
    }
  }

  // Lights what can be chosen next, and marks what has been.
  light(lit, picked) {
    this.lit = new Set([...lit].filter((id) => !PLAYER.test(id)));
    this.picked = new Set(picked);
    this.mark();
  }

  // Shows what an action would concern.
  aim(ids) {
    const aimed = new Set(ids);
    for (const [id, thing] of this.things ?? []) {
      thing.classList.toggle("aimed", aimed.has(id) && !PLAYER.test(id));
    }
  }

  mark() {
    for (const [id, thing] of this.things ?? []) {
      const picked = this.picked.has(id);
      const usable = picked || this.lit.has(id);
      thing.classList.toggle("lit", this.lit.has(id) && !picked);
      thing.classList.toggle("picked", picked);
      if (usable) {
        thing.setAttribute("tabindex", "0");
        thing.setAttribute("role", "button");
        thing.setAttribute("aria-pressed", String(picked));
        thing.setAttribute("aria-label", this.name(thing));
      } else {
        for (const name of ["tabindex", "role", "aria-pressed", "aria-label"]) {
          thing.removeAttribute(name);
        }
      }
    }
  }

  // What a thing is called: its title, what is written on it, or its id.
  name(thing) {
    const title = thing.querySelector(":scope > title")?.textContent;
    return title || thing.dataset.id.replaceAll("-", " ");
  }

  nameOf(id) {
    const thing = this.things?.get(id);
    return thing ? this.name(thing) : id.replaceAll("-", " ");
  }

  at(event) {
    for (const element of document.elementsFromPoint(event.clientX, event.clientY)) {
      const id = element.closest?.("[data-id]")?.dataset.id;
      if (id && this.element.contains(element) && (this.lit.has(id) || this.picked.has(id))) {
        return id;
      }
    }
    return null;
  }

  click(event) {
    const id = this.at(event);
    if (id && event.detail < 2) {
      this.onToggle(id);
    }
  }

  key(event) {
    const id = event.target.closest?.("[data-id]")?.dataset.id;
    if (id && event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      this.onToggle(id);
    }
  }
}
