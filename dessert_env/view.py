"""A table of Dessert as one player may see it, in plain JSON types (DE-14)."""

from __future__ import annotations

from typing import Any

import numpy as np

from dessert_env.actions import (
    BEGIN_FRESHENING,
    DISCARD,
    LAY_DOWN,
    NAME_GUEST,
    PAY_BRIBE,
    PLAY_ACE,
    SAY_ALLOW,
    SAY_CLAIM,
    SAY_DECLINE,
    SAY_DONE,
    TAKE_WAITING,
    describe,
)
from dessert_env.cards import (
    CRAVINGS,
    DESSERTS,
    DISLIKES,
    FAVORITES,
    GUESTS,
    ICONS,
    POINTS,
    TRIO,
    TRIO_NAMES,
)
from dessert_env.state import (
    BRIBE,
    CALL,
    CHOSEN,
    CLAIM,
    COMING,
    DIRTY,
    DISCARDED,
    DRAW,
    FRESHEN,
    FROM_WAITING,
    NEW_GUEST,
    NONE,
    OVER,
    PHASES,
    PILE,
    SERVE,
    SERVINGS,
    STEAL,
    STOP,
    THEFT,
)
from waiter_envs.core.views import (
    CUT,
    DRAWN,
    UNKNOWN,
    WON,
    Told,
    View,
    common,
    is_open,
    pile,
    seat,
    tell,
)

QUESTIONS = {
    CLAIM: "claim the guest, or decline?",
    CALL: "serve the guest, or decline?",
    SERVE: "which dessert to serve?",
    STEAL: "steal, serve from the Waiting Room, freshen up, or be done?",
    STOP: "stop the theft, or allow it?",
    BRIBE: "which dessert as a bribe?",
    FRESHEN: "which dessert to discard?",
}
"""What is asked in each phase."""

_OF_CARDS = (LAY_DOWN, PAY_BRIBE, PLAY_ACE, DISCARD)
"""Actions with a dessert of the hand."""


def view(table: np.void, viewer: int | None) -> View:
    """Return all that is to be shown of a table: what `viewer` may see, no more.

    A guest is `id` (`guest-5`, wherever it is), `guest` (its name), `trio`, `points`, `cravings`,
    `dislikes` and `favorites`. A pile of desserts is `id`, `count` and `cards`, or `None` face
    down; each card has `id` (`dessert-17`, wherever it is seen), `card` (its name) and `icons`.
    Both stand in the order of the card lists. Beside the keys of every view
    (`waiter_envs.core.views`), whose `phase` is `guest`, `steal` or `over` and whose `to_act` is
    `None` where the viewer cannot tell who is asked, it has

    * `asked` and `question`: what the viewer is asked (with all cards open: whoever is), as the
      name of the decision (`claim`, `call`, `serve`, `steal`, `stop`, `bribe`, `freshen`) and in
      words; `None` for everybody else;
    * `calls`: with all cards open, while the others are asked, their `order` and how many of them
      it is past (`asked`); else `None`;
    * `turn`: its `number`, the player who is `active`, turns `left` until the game is cut,
      `closing_turn` (0 before closing time) and `closing_turns` in all (`None`: until a trio);
    * `new_guest`: the guest turned up, or `None`;
    * `waiting_room`: guests, the topmost first, who alone may be served;
    * `guest_pile`: `id`, `count`, and `guests`, the names of those still to come;
    * `pile`, and `dirty`: piles of desserts; `is_new` says which of the dirty dishes have been
      discarded in the freshening up that goes on;
    * `serving`, or `None`: its `kind` (`guest`, `steal`, `waiting room`), the `player` who serves
      or steals, the `guest` by its id and its `name`, the `owner` it is stolen from (else `None`),
      and `cards`, the desserts laid down so far;
    * of each player `points`, `is_active`, `warned` (has called falsely), `guests`, and `hand`, a
      pile of desserts (`p0-hand`).

    Args:
        table: one record of `state.table_dtype`.
        viewer: a player; `None`: all cards open.
    """
    over, winner = bool(table["phase"] == OVER), int(table["winner"])
    to_act = _to_act(table, viewer)
    ending = CUT if table["truncated"] else DRAWN if winner == DRAW else WON
    asked = to_act is not None and is_open(to_act, viewer)
    return {
        **common(
            "dessert",
            viewer,
            to_act=to_act,
            phase="over" if over else "guest" if _is_guest_phase(table) else "steal",
            ending=ending if over else None,
            winners=[winner] if winner >= 0 else [],
            headline=_headline(table, asked),
        ),
        "asked": PHASES[table["phase"]] if asked else None,
        "question": QUESTIONS[int(table["phase"])] if asked else None,
        "calls": _calls(table) if viewer is None else None,
        "turn": _turn(table),
        "new_guest": _guest(int(table["new_guest"])),
        "waiting_room": [
            _guest(guest) for guest in table["waiting_room"][: table["num_waiting"]][::-1].tolist()
        ],
        "guest_pile": {
            "id": "guest-pile",
            "count": int((table["guest"] == COMING).sum()),
            "guests": [GUESTS[guest] for guest in np.flatnonzero(table["guest"] == COMING)],
        },
        "pile": pile("pile", _desserts(table, PILE), viewer is None),
        "dirty": _dirty(table),
        "serving": _serving(table),
        "players": [
            {**seat(player, viewer, to_act), **_place(table, player, is_open(player, viewer))}
            for player in range(len(table["warned"]))
        ],
    }


def _is_guest_phase(table: np.void) -> bool:
    """Return whether a guest is being served."""
    return table["phase"] in (CLAIM, CALL) or int(table["serving"]) == NEW_GUEST


def _to_act(table: np.void, viewer: int | None) -> int | None:
    """Return who is to act, as far as the viewer knows."""
    if table["phase"] == OVER:
        return None
    acting, active = int(table["current_player"]), int(table["active"])
    if is_open(acting, viewer):
        return acting
    if table["phase"] in (CLAIM, CALL):
        return acting if len(table["warned"]) == 2 else None
    if int(table["serving"]) == THEFT and not (table["dessert"] == CHOSEN).any():
        owner = int(table["guest"][table["target"]])  # may be asked whether it stops the theft
        return acting if viewer in (active, owner) else None
    return acting


def _headline(table: np.void, asked: bool) -> str:
    """Say in words who is to do what."""
    if asked:
        return f"P{table['current_player']}: {QUESTIONS[int(table['phase'])]}"
    serving = _serving(table)
    if serving is None:
        in_steal_phase = f"P{table['active']} may steal, serve a waiting guest or freshen up"
        return "A guest is being served" if _is_guest_phase(table) else in_steal_phase
    verb = "steals" if serving["kind"] == SERVINGS[THEFT] else "serves"
    source = {
        SERVINGS[NEW_GUEST]: "",
        SERVINGS[THEFT]: f" from P{serving['owner']}",
        SERVINGS[FROM_WAITING]: " from the Waiting Room",
    }[serving["kind"]]
    return f"P{serving['player']} {verb} {serving['name']}{source}"


def _turn(table: np.void) -> dict[str, Any]:
    """Return how far the game has come."""
    closing = int(table["closing_turns"])
    return {
        "number": int(table["turn"]),
        "active": int(table["active"]),
        "left": int(table["max_turns"] - table["turn"]),
        "closing_turn": int(table["closing_turn"]),
        "closing_turns": None if closing == NONE else closing,
    }


def _calls(table: np.void) -> dict[str, Any] | None:
    """Return in which order the others are asked."""
    if table["phase"] != CALL:
        return None
    return {"order": table["call_order"].tolist(), "asked": int(table["num_asked"])}


def _guest_id(guest: int) -> str:
    return f"guest-{guest}"


def _guest(guest: int) -> dict[str, Any] | None:
    """Return a guest."""
    if guest == NONE:
        return None
    return {
        "id": _guest_id(guest),
        "guest": GUESTS[guest],
        "trio": TRIO_NAMES[TRIO[guest]],
        "points": int(POINTS[guest]),
        "cravings": list(CRAVINGS[guest]),
        "dislikes": sorted(DISLIKES[guest]),
        "favorites": list(FAVORITES[guest]),
    }


def _desserts(table: np.void, *places: int) -> list[dict[str, Any]]:
    """Return the desserts at some places."""
    return [
        {"id": _dessert_id(card), "card": DESSERTS[card], "icons": sorted(ICONS[card])}
        for card, place in enumerate(table["dessert"].tolist())
        if place in places
    ]


def _dessert_id(card: int) -> str:
    return f"dessert-{card}"


def _dirty(table: np.void) -> dict[str, Any]:
    """Return the dirty dishes."""
    new = {card["id"] for card in _desserts(table, DISCARDED)}
    cards = _desserts(table, DIRTY, DISCARDED)
    return pile("dirty", [{**card, "is_new": card["id"] in new} for card in cards], True)


def _serving(table: np.void) -> dict[str, Any] | None:
    """Return whom somebody serves or steals."""
    serving, guest = int(table["serving"]), int(table["target"])
    if serving == NONE:
        return None
    return {
        "kind": SERVINGS[serving],
        "player": int(table["current_player" if serving == NEW_GUEST else "active"]),
        "guest": _guest_id(guest),
        "name": GUESTS[guest],
        "owner": int(table["guest"][guest]) if serving == THEFT else None,
        "cards": _desserts(table, CHOSEN),
    }


def _place(table: np.void, player: int, seen: bool) -> dict[str, Any]:
    """Return what is known of a player."""
    guests = table["guest"] == player
    return {
        "points": int(POINTS[guests].sum()),
        "is_active": player == int(table["active"]),
        "warned": bool(table["warned"][player]),
        "guests": [_guest(guest) for guest in np.flatnonzero(guests).tolist()],
        "hand": pile(_hand_id(player), _desserts(table, player), seen),
    }


def _hand_id(player: int) -> str:
    return f"p{player}-hand"


# -- Actions -----------------------------------------------------------------------------------


def told(description: tuple[int, ...], table: np.void, viewer: int | None) -> Told | None:
    """Return an action as `viewer` is told of it, or `None` if it must not notice it at all.

    Nobody else is told that somebody declines, is done, or begins to freshen up, nor of a false
    call that costs nothing; only the thief that a theft is allowed; and only thief and owner what
    the bribe is: to have been passed over looks the same (DE-14, DE-15).

    Args:
        description: of a legal action of the player to act.
        table: before the action.
        viewer: a player; `None` is told everything.
    """
    kind, what = (int(number) for number in description)
    player, active = int(table["current_player"]), int(table["active"])
    seen = is_open(player, viewer)
    if not seen and kind in (SAY_DECLINE, SAY_DONE, BEGIN_FRESHENING):
        return None
    if not seen and kind == SAY_ALLOW and viewer != active:
        return None
    if not seen and kind == SAY_CLAIM and _has_nothing_to_lose(table, player):
        return None
    owner = int(table["guest"][table["target"]]) if kind == PAY_BRIBE else NONE
    text = describe((kind, what))
    name = DESSERTS[what] if kind in _OF_CARDS else ""
    if kind == PAY_BRIBE and not seen and viewer != owner:
        text, name = f"bribe {UNKNOWN}", "a dessert"
    words = _words(kind, what, name, table)
    return tell(player, text, words, _ids(kind, what, table, player, seen))


def _has_nothing_to_lose(table: np.void, player: int) -> bool:
    """Return whether a false call of a player goes by without a trace (DE-6)."""
    return bool(table["warned"][player]) and not (table["dessert"] == player).any()


def _ids(kind: int, what: int, table: np.void, player: int, seen: bool) -> list[str]:
    """Return the ids of what an action concerns."""
    card = _dessert_id(what) if seen else _hand_id(player)
    target = _guest_id(int(table["target"]))
    if kind in (SAY_CLAIM, SAY_DECLINE):
        return [_guest_id(int(table["new_guest"]))]
    if kind in (LAY_DOWN, PLAY_ACE):
        return [card, target]
    if kind == PAY_BRIBE:
        return [card, _hand_id(int(table["guest"][table["target"]]))]
    if kind == DISCARD:
        return [card, "dirty"]
    if kind == NAME_GUEST:
        return [_guest_id(what)]
    if kind == SAY_ALLOW:
        return [target]
    if kind == TAKE_WAITING:
        return [_guest_id(int(table["waiting_room"][table["num_waiting"] - 1]))]
    if kind == BEGIN_FRESHENING:
        return ["dirty"]
    return [f"p{player}"]


def _words(kind: int, what: int, name: str, table: np.void) -> str:
    """Return an action in plain language; `name` is that of its dessert."""
    if kind == NAME_GUEST:
        return f"sets out to steal {GUESTS[what]} from P{table['guest'][what]}"
    if kind in (SAY_CLAIM, SAY_DECLINE):
        guest = GUESTS[table["new_guest"]]
        return f"claims {guest}" if kind == SAY_CLAIM else f"declines {guest}"
    if kind == TAKE_WAITING:
        guest = GUESTS[table["waiting_room"][table["num_waiting"] - 1]]
        return f"serves {guest} from the Waiting Room"
    if kind == SAY_DONE:
        freshening = table["phase"] == FRESHEN
        return "draws as many desserts as it has discarded" if freshening else "ends its turn"
    target = int(table["target"])
    return {
        LAY_DOWN: f"lays down {name} for {GUESTS[target]}",
        PAY_BRIBE: f"gives {name} to P{table['guest'][target]} as a bribe",
        PLAY_ACE: f"stops the theft of {GUESTS[target]} with {name}",
        SAY_ALLOW: f"lets {GUESTS[target]} be stolen",
        BEGIN_FRESHENING: "freshens up its hand",
        DISCARD: f"discards {name}",
    }[kind]
