"""A table of Hey Waiter! as one player may see it, in plain JSON types (HW-15)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from hey_waiter_env.actions import (
    CALL_BUSBOY,
    DISCARD,
    DRAFT_PICK,
    MOVE_COVER,
    MOVE_DISHES,
    NO_USE,
    ONTO,
    SERVE_ALL,
    SERVE_FROM,
    TAKE,
    TURN,
    describe,
)
from hey_waiter_env.cards import BLUE, COLOUR_NAMES, COLOURS, GREEN, RED, WHITE
from hey_waiter_env.state import BUSBOY_SIDES, DRAFT, NONE, OVER, PHASES
from waiter_envs.core.views import (
    CUT,
    UNKNOWN,
    WON,
    Told,
    View,
    common,
    ids_of,
    is_open,
    listed,
    numbered_pile,
    seat,
    tell,
)

DISH_NAMES = ("soup", "salad", "pizza", "pie")
"""Names of the dishes by colour."""

_VERBS = {SERVE_ALL: GREEN, MOVE_COVER: RED, CALL_BUSBOY: WHITE, MOVE_DISHES: BLUE, TAKE: BLUE}
"""The left-hand card of each kind of action that plays two."""


def view(table: np.void, viewer: int | None) -> View:
    """Return all that is to be shown of a table: what `viewer` may see, no more.

    Colours are letters of `WGRB`. Beside the keys of every view (`waiter_envs.core.views`), whose
    `phase` is `draft`, `play` or `over`, it has

    * `turn`: `number` of turns completed, `left` until the game is cut, `seat` and `player` to
      act (at the end, who acted last), `starting_seat`;
    * `seats`: the player at each seat, clockwise;
    * `sides`: `None` where everybody plays alone; else `known`, lists of players who are known to
      be partners, `secret`, the players whose side is not public, and `secret_sizes`, how many of
      these are on each side. With all cards open, `known` has all sides by their number, and
      `secret` says which of the players are not public;
    * `covers`: those on the table, of each colour an `id` (`cover-red`), `colour` and `count`;
    * `draw` and `discard`: `id`, `count`, and `cards`, a count by colour (`None` face down);
    * `draft`: the stacks of the draft, empty afterwards: `id` (`draft-2`), `number`, `dishes`
      bottom to top (`None` once taken), and `seat` and `player` for whom it is meant, if stacks
      are unequal and not chosen (else `None`);
    * of each player `seats`; `side`, its place in `known`, or `None`; `hand` (`p0-hand`, with a
      `count`; `cards` `p0-hand-3` with their `card`, or `None` face down); `busboys`, of each
      colour an `id` (`p0-busboy-red`), `colour` and `side`, `face` or `serve`; `stacks`, oldest
      first, of which each has `id` (`p0-stack-1`), `stack`, `dishes` bottom to top (each `id`
      `p0-stack-1-dish-4`, and `dish`), `cover` (`id` `p0-stack-1-cover` and `colour`, or `None`)
      and the `card` under it (`id` `p0-stack-1-card`, and `colour`, `None` face down); `last`,
      its last action as `text` and `words`, or `None`.

    Args:
        table: one record of `state.table_dtype`.
        viewer: a player, to act or not; `None`: all cards open.
    """
    over = table["phase"] == OVER
    to_act = None if over else int(table["current_player"])
    winner = int(table["winner"])
    winners = [] if winner == NONE else np.flatnonzero(table["side"] == winner).tolist()
    sides = _sides(table, viewer)
    return {
        **common(
            "hey_waiter",
            viewer,
            to_act=to_act,
            phase=PHASES[table["phase"]],
            ending=None if not over else WON if winners else CUT,
            winners=winners,
            headline=_headline(table),
        ),
        "turn": {
            "number": int(table["turn"]),
            "left": int(table["turn_limit"] - table["turn"]),
            "seat": int(table["to_act"]),
            "player": int(table["player_at"][table["to_act"]]),
            "starting_seat": int(table["start_seat"]),
        },
        "seats": table["player_at"].tolist(),
        "sides": sides,
        "covers": [
            {"id": f"cover-{name}", "colour": colour, "count": count}
            for name, colour, count in zip(
                COLOUR_NAMES, COLOURS, table["table_covers"].tolist(), strict=True
            )
        ],
        "draw": _counted("draw", table["draw"], viewer is None),
        "discard": _counted("discard", table["discard"], True),
        "draft": _draft(table),
        "players": [
            {
                **seat(player, viewer, to_act),
                **_place(table, player, is_open(player, viewer)),
                "side": _place_of(player, sides),
            }
            for player in range(len(table["hand"]))
        ],
    }


def _headline(table: np.void) -> str:
    """Say in words who is to do what."""
    doing = "picks a stack" if table["phase"] == DRAFT else "plays two cards or discards"
    return f"P{table['current_player']} {doing}"


def _sides(table: np.void, viewer: int | None) -> dict[str, Any] | None:
    """Return who plays with whom, as far as the viewer knows; sides have no numbers there."""
    side, public = table["side"].tolist(), table["known"].tolist()
    if len(side) == len(public):
        return None
    members: dict[int, list[int]] = {}
    for player, number in enumerate(side):
        members.setdefault(number, []).append(player)
    hidden = [number for number in members if not public[number]]
    known = [players for number, players in members.items() if public[number]]
    return {
        "known": known if viewer is not None else [members[number] for number in sorted(members)],
        "secret": sorted(player for number in hidden for player in members[number]),
        "secret_sizes": sorted((len(members[number]) for number in hidden), reverse=True),
    }


def _place_of(player: int, sides: dict[str, Any] | None) -> int | None:
    """Return the place of a player's side among those that are known."""
    known = sides["known"] if sides else []
    return next((place for place, players in enumerate(known) if player in players), None)


def _counted(name: str, counts: np.ndarray, seen: bool) -> dict[str, Any]:
    """Return a pile by how many cards of each colour it has."""
    cards = dict(zip(COLOURS, counts.tolist(), strict=True))
    return {"id": name, "count": int(counts.sum()), "cards": cards if seen else None}


def _draft(table: np.void) -> list[dict[str, Any]]:
    """Return the stacks of the draft."""
    if table["phase"] != DRAFT:
        return []
    chosen = bool(table["equal_dishes"])
    return [
        {
            "id": f"draft-{number}",
            "number": number,
            "dishes": None if table["taken"][number] else _letters(dishes[dishes != NONE]),
            "seat": None if chosen else number,
            "player": None if chosen else int(table["player_at"][number]),
        }
        for number, dishes in enumerate(table["draft"])
    ]


def _place(table: np.void, player: int, seen: bool) -> dict[str, Any]:
    """Return what is before a player."""
    return {
        "seats": np.flatnonzero(table["player_at"] == player).tolist(),
        "hand": numbered_pile(f"p{player}-hand", _hand(table, player), seen),
        "busboys": [
            {"id": f"p{player}-busboy-{name}", "colour": colour, "side": BUSBOY_SIDES[side]}
            for name, colour, side in zip(
                COLOUR_NAMES, COLOURS, table["busboy"][player].tolist(), strict=True
            )
        ],
        "stacks": _stacks(table, player, seen),
        "last": _last(table, player, seen),
    }


def _stacks(table: np.void, player: int, seen: bool) -> list[dict[str, Any]]:
    """Return the stacks of a player, oldest first."""
    stacks, start = [], 0
    for stack in range(int(table["num_stacks"][player])):
        name, end = _stack_id(player, stack), start + int(table["height"][player, stack])
        cover = int(table["cover"][player, stack])
        card = COLOURS[table["card"][player, stack]]
        stacks.append(
            {
                "id": name,
                "stack": stack,
                "dishes": [
                    {"id": f"{name}-dish-{height}", "dish": dish}
                    for height, dish in enumerate(_letters(table["dishes"][player, start:end]))
                ],
                "cover": None
                if cover == NONE
                else {"id": f"{name}-cover", "colour": COLOURS[cover]},
                "card": {"id": f"{name}-card", "colour": card if seen else None},
            }
        )
        start = end
    return stacks


def _stack_id(player: int, stack: int) -> str:
    return f"p{player}-stack-{stack}"


def _hand(table: np.void, player: int) -> list[str]:
    """Return the cards in a hand, sorted by colour."""
    return _of_counts(table["hand"][player].tolist())


def _of_counts(counts: Iterable[int]) -> list[str]:
    return [colour for colour, count in zip(COLOURS, counts, strict=True) for _ in range(count)]


def _letters(colours: np.ndarray) -> list[str]:
    return [COLOURS[colour] for colour in colours.tolist()]


# -- Actions -----------------------------------------------------------------------------------


def told(description: tuple[int, ...], table: np.void, viewer: int | None) -> Told:
    """Return an action as `viewer` is told of it: without the colour of a card laid face down.

    Of equal cards in hand, `ids` has the first.

    Args:
        description: of a legal action of the player to act.
        table: before the action.
        viewer: a player; `None` is told everything.
    """
    numbers = tuple(int(number) for number in description)
    player = int(table["current_player"])
    seen = is_open(player, viewer)
    return tell(
        player,
        _text(numbers, seen),
        _words(numbers, player, seen, table, True),
        [
            *ids_of(f"p{player}-hand", _hand(table, player), _cards(numbers), seen),
            *_ids(numbers, table, player),
        ],
    )


def _last(table: np.void, player: int, seen: bool) -> dict[str, Any] | None:
    """Return the last action of a player."""
    last = tuple(table["last"][player].tolist())
    if not last[0]:
        return None
    return {"text": _text(last, seen), "words": _words(last, player, seen, table, False)}


def _lays_face_down(action: tuple[int, ...]) -> bool:
    """Return whether an action lays a card face down."""
    return action[0] in (DRAFT_PICK, TAKE) or (action[0] == MOVE_DISHES and action[4] < ONTO)


def _text(action: tuple[int, ...], seen: bool) -> str:
    """Return the text of an action, without the colour of a card that others lay down."""
    text = describe(action)
    return text if seen or not _lays_face_down(action) else text[:-1] + UNKNOWN


def _cards(action: tuple[int, ...]) -> list[str]:
    """Return the cards that an action takes from the hand."""
    kind, a, b, _, d, e = action
    if kind == DISCARD:
        return _of_counts(action[1:5])
    laid_down = {DRAFT_PICK: b, MOVE_DISHES: d, TAKE: e}
    cards = [] if kind == DRAFT_PICK else [_VERBS[kind], a]
    return [
        COLOURS[card] for card in [*cards, *([laid_down[kind]] if _lays_face_down(action) else [])]
    ]


def _ids(action: tuple[int, ...], table: np.void, player: int) -> list[str]:
    """Return the ids of what an action concerns, but for the cards in hand."""
    kind, a, b, c, d, _ = action
    if kind == DRAFT_PICK:
        return [f"draft-{a if table['equal_dishes'] else int(table['to_act'])}"]
    if kind == DISCARD:
        return ["discard"]
    if kind == SERVE_ALL:
        return [name for stack in _tops(table, a) for name in stack]
    if kind == MOVE_COVER:
        return [f"cover-{COLOUR_NAMES[a]}", *_covered(table, b, c)]
    if kind == CALL_BUSBOY:
        lifted = [] if b == NONE else [f"cover-{COLOUR_NAMES[a]}", *_covered(table, player, b)]
        busboy = [] if c == NO_USE else [f"p{player}-busboy-{COLOUR_NAMES[a]}"]
        return [*lifted, *busboy, *(_top(table, player, c - SERVE_FROM) if c > TURN else [])]
    owner, stack, height = (player, b, c) if kind == MOVE_DISHES else (b, c, d)
    name = _stack_id(owner, stack)
    onto = [] if _lays_face_down(action) else [_stack_id(player, d - ONTO)]
    return [name, f"{name}-dish-{height}", *onto]


def _tops(table: np.void, colour: int) -> list[list[str]]:
    """Return the ids of all uncovered stacks with a top dish of a colour, and of these dishes."""
    tops = []
    for player, stacks in enumerate(table["num_stacks"].tolist()):
        ends = np.cumsum(table["height"][player])
        for stack in range(stacks):
            served = table["dishes"][player, ends[stack] - 1] == colour
            if served and table["cover"][player, stack] == NONE:
                tops.append(_top(table, player, stack))
    return tops


def _top(table: np.void, player: int, stack: int) -> list[str]:
    """Return the ids of a stack and of its top dish."""
    name = _stack_id(player, stack)
    return [name, f"{name}-dish-{table['height'][player, stack] - 1}"]


def _covered(table: np.void, player: int, stack: int) -> list[str]:
    """Return the ids of a stack, and of its cover if it has one."""
    name = _stack_id(player, stack)
    return [name] if table["cover"][player, stack] == NONE else [name, f"{name}-cover"]


def _words(
    action: tuple[int, ...], player: int, seen: bool, table: np.void, is_before: bool
) -> str:
    """Return an action in plain language, in more detail if the table is the one before it."""
    before = table if is_before else None
    kind, a, b, c, d, e = action
    if kind == DISCARD:
        counts = [
            f"{count} {name}"
            for count, name in zip(action[1:5], COLOUR_NAMES, strict=True)
            if count
        ]
        return f"discards {listed(counts)} card{'s' if sum(action[1:5]) > 1 else ''}"
    if kind == DRAFT_PICK:
        which = f"stack {a}" if table["equal_dishes"] else "its stack"
        return f"picks {which}, on {_card(b, seen)}"
    if kind == SERVE_ALL:
        return f"lets everybody serve {DISH_NAMES[a]}" + _served(before, a)
    if kind == MOVE_COVER:
        whose = "its own" if b == player else f"P{b}'s"
        return f"{_cover_words(before, b, c, COLOUR_NAMES[a])} {whose} stack {c}"
    if kind == CALL_BUSBOY:
        return " and ".join(_busboy_words(COLOUR_NAMES[a], b, c))
    if kind == MOVE_DISHES:
        target = f"to a new stack, on {_card(d, seen)}" if d < ONTO else f"onto stack {d - ONTO}"
        return f"moves {_dishes(a, 'its', b, c)} {target}"
    dishes = _dishes(a, f"P{b}'s", c, d)
    return f"takes {dishes} to a new stack, on {_card(e, seen)}"


def _card(colour: int, seen: bool) -> str:
    """Return in words which card is laid face down."""
    return f"a {COLOUR_NAMES[colour]} card" if seen else "a card laid face down"


def _dishes(colour: int, whose: str, stack: int, height: int) -> str:
    """Return in words which dishes of a stack are moved."""
    if height == 0:
        return f"{whose} whole stack {stack}"
    dish = DISH_NAMES[colour]
    return f"the {dish} at height {height} of {whose} stack {stack}, with all above it,"


def _served(before: np.void | None, colour: int) -> str:
    """Return in words how many dishes everybody serves."""
    if before is None:
        return ""
    number = len(_tops(before, colour))
    return f": {number} dish{'es' if number > 1 else ''}"


def _cover_words(before: np.void | None, owner: int, stack: int, name: str) -> str:
    """Return in words what happens to a cover."""
    if before is None:
        return f"puts or lifts the {name} cover:"
    if before["cover"][owner, stack] == NONE:
        return f"puts the {name} cover onto"
    return f"lifts the {name} cover from"


def _busboy_words(name: str, lift: int, use: int) -> list[str]:
    """Return in words what a WHITE does, one thing after the other."""
    words = [] if lift == NONE else [f"lifts the {name} cover from its stack {lift}"]
    if use == TURN:
        words.append(f"turns its {name} busboy to the serve side")
    elif use != NO_USE:
        words.append(f"has its {name} busboy serve from stack {use - SERVE_FROM}")
    return words
