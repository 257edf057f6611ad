// Choosing an action: by the things it concerns, by words, by keys. No elements of the page here.

const SHORT = 6; // actions of a block that are listed before anything is chosen
const LONG = 40; // and then

export class Choosing {
  constructor() {
    this.begin(null);
  }

  // decision: what the server asks (`number`, `choices`, `blocks`, `own`, `alike`), or null.
  begin(decision) {
    this.decision = decision;
    this.choices = decision?.choices ?? [];
    this.picked = [];
    this.words = "";
    this.unfolded = new Set();
    this.marked = null;
    this.own = new Set(decision?.own ?? []);
    this.groupOf = new Map();
    for (const ids of decision?.alike ?? []) {
      ids.forEach((id) => this.groupOf.set(id, ids));
    }
    this.shared = new Map(); // of each block, the ids that all of its actions concern
    this.sizes = new Map(); // and how many there are
    for (const choice of this.choices) {
      this.sizes.set(choice.block, (this.sizes.get(choice.block) ?? 0) + 1);
      const before = this.shared.get(choice.block);
      const both = before ? choice.ids.filter((id) => before.has(id)) : choice.ids;
      this.shared.set(choice.block, new Set(both));
    }
    this.sift();
  }

  // Of equal cards an action names the first ones: so do we, whichever were clicked.
  named(picked) {
    const counts = new Map();
    const ids = [];
    for (const id of picked) {
      const group = this.groupOf.get(id);
      if (group) {
        const count = counts.get(group) ?? 0;
        ids.push(group[count]);
        counts.set(group, count + 1);
      } else {
        ids.push(id);
      }
    }
    return ids;
  }

  // The ids of what an action concerns: of equal cards those that have been chosen.
  concerned(choice) {
    const counts = new Map();
    const ids = [];
    for (const id of choice.ids) {
      const group = this.groupOf.get(id);
      if (group) {
        counts.set(group, (counts.get(group) ?? 0) + 1);
      } else {
        ids.push(id);
      }
    }
    for (const [group, count] of counts) {
      const chosen = group.filter((id) => this.picked.includes(id));
      const others = group.filter((id) => !this.picked.includes(id));
      ids.push(...[...chosen, ...others].slice(0, count));
    }
    return ids;
  }

  toggle(id) {
    const place = this.picked.indexOf(id);
    if (place >= 0) {
      this.picked.splice(place, 1);
    } else {
      this.picked.push(id);
    }
    this.sift();
  }

  clear() {
    this.picked = [];
    this.words = "";
    this.sift();
  }

  filter(words) {
    this.words = words;
    this.sift();
  }

  unfold(block) {
    this.unfolded.add(block);
    this.sift();
  }

  // Finds what is left, and what can still be chosen besides.
  sift() {
    const wanted = this.named(this.picked);
    const words = this.words.toLowerCase().split(/\s+/).filter(Boolean);
    const concerned = this.choices.filter((choice) => wanted.every((id) => choice.ids.includes(id)));
    this.left = concerned.filter((choice) => {
      const text = `${choice.words} ${choice.text} ${choice.block}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    this.lit = this.findLit(concerned, wanted);
    this.list();
    this.remark();
  }

  // What is left to choose: things that some of these actions concern, but not all.
  findLit(concerned, wanted) {
    const further = new Set(concerned.flatMap((choice) => choice.ids));
    wanted.forEach((id) => further.delete(id));
    for (const id of concerned[0]?.ids ?? []) {
      if (concerned.every((choice) => choice.ids.includes(id))) {
        further.delete(id);
      }
    }
    const lit = new Set();
    const chosen = new Set(this.picked);
    for (const id of further) {
      const group = this.groupOf.get(id) ?? [id];
      group.filter((other) => !chosen.has(other)).forEach((other) => lit.add(other));
    }
    return lit;
  }

  // An action is whole if nothing was left out that it concerns: no own card, and beyond these
  // only what all of its kind concern; or anything, if it is the only one of its kind that is left.
  findWhole() {
    if (!this.picked.length) {
      return [];
    }
    if (this.left.length === 1) {
      return this.left;
    }
    const wanted = new Set(this.named(this.picked));
    const kinds = new Map();
    this.left.forEach((choice) => kinds.set(choice.block, (kinds.get(choice.block) ?? 0) + 1));
    return this.left.filter((choice) => {
      const shared = this.shared.get(choice.block);
      const missing = choice.ids.filter((id) => !wanted.has(id));
      const only = kinds.get(choice.block) === 1;
      return missing.every((id) => !this.own.has(id) && (only || shared.has(id)));
    });
  }

  // Makes groups of the actions left: those that are whole, then the others by block.
  list() {
    this.whole = this.findWhole();
    const whole = new Set(this.whole);
    const sifted = this.picked.length > 0 || this.words.trim() !== "";
    this.groups = [];
    if (whole.size) {
      this.groups.push({ block: "", title: "With just these", choices: this.whole, more: 0 });
    }
    const few = this.left.length <= 16;
    for (const block of this.decision?.blocks ?? []) {
      const choices = this.left.filter((choice) => choice.block === block && !whole.has(choice));
      if (choices.length) {
        const most = few || this.unfolded.has(block) ? Infinity : sifted ? LONG : SHORT;
        const shown = choices.length <= most + 2 ? choices : choices.slice(0, most);
        const more = choices.length - shown.length;
        const title = this.sizes.get(block) > 1 ? titleOf(block) : "";
        this.groups.push({ block, title, choices: shown, more });
      }
    }
    this.shown = this.groups.flatMap((group) => group.choices);
  }

  // Keeps the mark where it was, or sets it where there is little doubt.
  remark() {
    if (this.shown.includes(this.marked)) {
      if (!this.whole.length || this.whole.includes(this.marked)) {
        return;
      }
    }
    const only = this.left.length === 1 ? this.left[0] : null;
    this.marked = this.whole[0] ?? only;
  }

  move(step) {
    const place = this.shown.indexOf(this.marked);
    const next = place < 0 ? (step > 0 ? 0 : this.shown.length - 1) : place + step;
    this.marked = this.shown[Math.max(0, Math.min(this.shown.length - 1, next))] ?? null;
  }

  markNumber(number) {
    this.marked = this.shown[number - 1] ?? this.marked;
  }

  mark(action) {
    const found = this.choices.find((choice) => choice.action === action);
    if (found && !this.shown.includes(found)) {
      this.picked = [];
      this.words = "";
      this.unfolded.add(found.block);
      this.sift();
    }
    this.marked = found ?? this.marked;
  }
}

export function titleOf(block) {
  const title = block.replaceAll("_", " ");
  return title[0].toUpperCase() + title.slice(1);
}
