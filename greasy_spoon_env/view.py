"""A table of Greasy Spoon as one player may see it, in plain JSON types (GS-12)."""

from __future__ import annotations

from typing import Any

import numpy as np

from greasy_spoon_env.actions import (
    BEGIN_COMBO_1,
    BEGIN_COMBO_2,
    DONE,
    PASS,
    RECALL,
    SERVE,
    STASH,
    WITH,
    describe,
    dish_text,
    kind_of,
)
from greasy_spoon_env.cards import (
    CARDS,
    COMBO_1,
    COMBO_2,
    DRINK,
    ITEMS,
    MAIN,
    NUM_SUITS,
    SIDE,
    SUIT_NAMES,
    TYPES,
    card_texts,
)
from greasy_spoon_env.state import COMPLETING, NONE, OVER, PHASES, PILES, PLAYERS, SERVING, STASHING
from waiter_envs.core.views import (
    UNKNOWN,
    WON,
    Told,
    View,
    common,
    ids_of,
    is_open,
    numbered_pile,
    seat,
    tell,
)

KIND_NAMES = {DRINK: "drink", SIDE: "side", MAIN: "main", COMBO_1: "combo 1", COMBO_2: "combo 2"}
"""Names of the kinds of a dish, by their numbers."""

_COMBOS = {BEGIN_COMBO_1: COMBO_1, BEGIN_COMBO_2: COMBO_2}
"""The kind of combination that an action begins."""


def view(table: np.void, viewer: int | None) -> View:
    """Return all that is to be shown of a table: what `viewer` may see, no more.

    Cards are texts like `K5`, piles sorted by rank, then suit. Beside the keys of every view
    (`waiter_envs.core.views`), whose `phase` is `serve`, `complete`, `stash` or `over` (of half a
    combination nobody else sees a thing: `serve`), it has

    * `turn`: `best_of`, `games_to_win` and `games_played` of the match, `starter` of this game,
      and `leader` of the round (while cards are set aside, of the next one), and whether it
      `opens_round`: nothing has been served in it yet;
    * `dish`, the place of the dish to beat: its `id` (`dish`), `text`, `kind` (`drink`, `side`,
      `main`, `combo 1`, `combo 2`), `player` who served it (all three `None` where there is none),
      and `parts`, none, one or of a combination two: `category`, `type` (`Fancy Rings`), `rank`
      from 1, `cards`;
    * `pending`: half a combination that is being completed, or `None`: its `id` (`pending`),
      `player`, `main` as a part like those above, and `with`, what comes next (`drink` or `side`);
    * `stashing`: cards being set aside, or `None`: `player`, `count` so far, and `last`, the last
      of them (`None` if there is none or it is not seen);
    * of each player `score` (games won), `is_starter`, `is_leader`, `set_aside` (cards, in its last
      finished pass), `recalled` (in its latest turn), and the piles `hand`, `draw`, `backburner`
      and `served`, each with an `id` (`p0-hand`), a `count`, and `cards`, each with an `id`
      (`p0-hand-3`) and its `card`, or `None` face down. The own draw pile lies face down too.

    Args:
        table: one record of `state.table_dtype`.
        viewer: a player; `None`: all cards open.
    """
    over = bool(table["phase"] == OVER)
    acting = int(table["current_player"])
    to_act = None if over else acting
    winner = int(table["winner"])
    return {
        **common(
            "greasy_spoon",
            viewer,
            to_act=to_act,
            phase=PHASES[_phase(table, viewer)],
            ending=WON if over else None,
            winners=[] if winner == NONE else [winner],
            headline=_headline(table, viewer),
        ),
        "turn": {
            "best_of": 2 * int(table["games_to_win"]) - 1,
            "games_to_win": int(table["games_to_win"]),
            "games_played": int(table["games_played"]),
            "starter": int(table["starter"]),
            "leader": int(table["leader"]),
            "opens_round": bool(table["dish"][0] == NONE and table["phase"] != STASHING),
        },
        "dish": _dish(table),
        "pending": _pending(table) if _phase(table, viewer) == COMPLETING else None,
        "stashing": _stashing(table, viewer) if table["phase"] == STASHING else None,
        "players": [
            {**seat(player, viewer, to_act), **_place(table, player, viewer)}
            for player in range(PLAYERS)
        ],
    }


def _phase(table: np.void, viewer: int | None) -> int:
    """Return the phase as a viewer knows it: half a combination is nobody else's business."""
    phase = int(table["phase"])
    hidden = phase == COMPLETING and not is_open(int(table["current_player"]), viewer)
    return SERVING if hidden else phase


def _headline(table: np.void, viewer: int | None) -> str:
    """Say in words who is to do what."""
    who = f"P{table['current_player']}"
    phase = _phase(table, viewer)
    if phase == COMPLETING:
        return f"{who} completes its combination with a {WITH[int(table['pending_with'])]}"
    if phase == STASHING:
        return f"{who} has passed and sets cards aside"
    if table["dish"][0] == NONE:
        return f"{who} leads with any dish"
    return f"{who} serves a dearer dish of the same kind or passes"


def _part(item: int) -> dict[str, Any]:
    """Return a drink, a side or a main."""
    category, kind, rank, cards = ITEMS[item]
    return {
        "category": KIND_NAMES[category],
        "type": TYPES[category][kind],
        "rank": rank + 1,
        "cards": [CARDS[card] for card in cards],
    }


def _dish(table: np.void) -> dict[str, Any]:
    """Return the dish to beat."""
    first, second = table["dish"].tolist()
    if first == NONE:
        return {"id": "dish", "text": None, "kind": None, "player": None, "parts": []}
    acting = int(table["current_player"])
    return {
        "id": "dish",
        "text": dish_text((first, second)),
        "kind": KIND_NAMES[kind_of((first, second))],
        "player": acting if table["phase"] == OVER else 1 - acting,
        "parts": [_part(item) for item in (first, second) if item != NONE],
    }


def _pending(table: np.void) -> dict[str, Any]:
    """Return the combination half served."""
    return {
        "id": "pending",
        "player": int(table["current_player"]),
        "main": _part(int(table["pending"])),
        "with": WITH[int(table["pending_with"])],
    }


def _stashing(table: np.void, viewer: int | None) -> dict[str, Any]:
    """Return the cards that are being set aside."""
    player, last = int(table["current_player"]), int(table["last_stashed"])
    seen = last != NONE and is_open(player, viewer)
    return {
        "player": player,
        "count": int(table["stashed"]),
        "last": CARDS[last] if seen else None,
    }


def _place(table: np.void, player: int, viewer: int | None) -> dict[str, Any]:
    """Return what is known of a player, with its piles."""
    seen = is_open(player, viewer)
    half_served = table["phase"] == COMPLETING and player == table["current_player"]
    hidden = {"hand": MAIN + 1 if half_served and not seen else 0}  # it counts there (GS-11)
    open_piles = {"hand": seen, "draw": viewer is None, "backburner": seen, "served": True}
    return {
        "score": int(table["score"][player]),
        "is_starter": player == int(table["starter"]),
        "is_leader": player == int(table["leader"]),
        "set_aside": int(table["set_aside"][player]),
        "recalled": bool(table["recalled"][player]),
        **{
            name: numbered_pile(
                f"p{player}-{name}",
                card_texts(table[name][player]),
                open_piles[name],
                hidden.get(name, 0),
            )
            for name in PILES
        },
    }


# -- Actions -----------------------------------------------------------------------------------


def told(description: tuple[int, ...], table: np.void, viewer: int | None) -> Told | None:
    """Return an action as `viewer` is told of it: without a card that is set aside face down.

    Of the first half of a combination the opponent is told nothing (GS-11), with the second of
    both. Of equal cards in hand, `ids` has the first.

    Args:
        description: of a legal action of the player to act.
        table: before the action.
        viewer: a player; `None` is told everything.
    """
    kind, what = (int(number) for number in description)
    player = int(table["current_player"])
    seen = is_open(player, viewer)
    if kind in _COMBOS and not seen:
        return None
    text = describe((kind, what))
    if kind == STASH and not seen:
        text = f"stash {UNKNOWN}"
    hand = ids_of(f"p{player}-hand", card_texts(table["hand"][player]), _cards(kind, what), seen)
    return tell(
        player, text, _words(kind, what, table, seen), [*hand, *_ids(kind, table, player, seen)]
    )


def _cards(kind: int, what: int) -> list[str]:
    """Return the cards that an action takes from the hand."""
    if kind == STASH:
        return [CARDS[what]]
    if kind in (SERVE, BEGIN_COMBO_1, BEGIN_COMBO_2):
        return [CARDS[card] for card in ITEMS[what].cards]
    return []


def _ids(kind: int, table: np.void, player: int, seen: bool) -> list[str]:
    """Return the ids of what an action concerns, but for the cards in hand."""
    if kind in (STASH, DONE):
        return [f"p{player}-backburner"]
    if kind == RECALL:
        return [f"p{player}-backburner", f"p{player}-draw"]
    return ["pending", "dish"] if table["pending"] != NONE and seen else ["dish"]


def _words(kind: int, what: int, table: np.void, seen: bool) -> str:
    """Return an action in plain language."""
    if kind == SERVE:
        main = int(table["pending"])
        if main == NONE:
            return f"serves {_item_words(what)}"
        combo = KIND_NAMES[int(table["pending_with"])].title()
        return f"serves a {combo}: {_item_words(main)} with {_item_words(what)}"
    if kind in _COMBOS:
        begun = _COMBOS[kind]
        name = KIND_NAMES[begun].title()
        return f"begins a {name} with {_item_words(what)}; its {WITH[begun]} comes next"
    if kind == STASH:
        return f"sets {_card_words(what) if seen else 'a card'} aside"
    return {
        PASS: "passes",
        DONE: "sets no more cards aside",
        RECALL: "shuffles its backburner into its draw pile",
    }[kind]


def _item_words(item: int) -> str:
    """Return a drink, a side or a main in words."""
    name = TYPES[ITEMS[item].category][ITEMS[item].type]
    cards = ", ".join(_card_words(card) for card in ITEMS[item].cards)
    return f"{'' if name.endswith('s') else 'a '}{name} ({cards})"


def _card_words(card: int) -> str:
    """Return a card in words."""
    return f"{SUIT_NAMES[card % NUM_SUITS]} {card // NUM_SUITS + 1}"
