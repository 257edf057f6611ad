"""What the views of all games have in common: plain JSON types, made for one viewer.

A *view* is all that is to be shown of a table and nothing else: what a player may see, or for the
viewer `None` all cards open. Everything that can be acted on has an `id`, unique in the view, of
lower-case letters, digits and hyphens.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

View = dict[str, Any]
"""A view; every game's `view` says what its own has."""

Told = dict[str, Any]
"""An action as a viewer is told of it: `player`, `text`, `words`, `ids`.

Where the words tell what is the viewer's own to remember, `later` has those without it; where the
table after the action is known, `moved` has what stands elsewhere there."""

Moved = dict[str, str | None]
"""What stands elsewhere after an action: by its id in the view before, that in the view after,
`None` where it is gone."""

WON, DRAWN, CUT = "won", "draw", "cut"
"""How a game ended: somebody won, nobody did, or it reached its turn limit."""

UNKNOWN = "?"
"""What stands in a text for what the viewer does not see."""


def common(
    game: str,
    viewer: int | None,
    *,
    to_act: int | None,
    phase: str,
    ending: str | None,
    winners: Sequence[int],
    headline: str,
) -> View:
    """Return the keys that all views begin with.

    Args:
        game: its name in the registry.
        viewer: a player, or `None` for all cards open.
        to_act: who is to act, as far as the viewer knows; `None` when the game is over.
        phase: as far as the viewer knows.
        ending: `WON`, `DRAWN`, `CUT`, or `None` while the game goes on.
        winners: the players who have won.
        headline: one short sentence: who is to do what, while the game goes on.
    """
    names = [f"P{player}" for player in winners]
    results = {
        WON: f"{listed(names)} {'have' if len(names) > 1 else 'has'} won",
        DRAWN: "A draw",
        CUT: "The turn limit is reached: nobody wins",
    }
    return {
        "game": game,
        "viewer": viewer,
        "to_act": to_act,
        "phase": phase,
        "over": ending is not None,
        "ending": ending,
        "winners": list(winners),
        "headline": headline if ending is None else results[ending],
    }


def is_open(player: int, viewer: int | None) -> bool:
    """Return whether a viewer sees what a player holds."""
    return viewer is None or viewer == player


def seat(player: int, viewer: int | None, to_act: int | None) -> dict[str, Any]:
    """Return the keys that the entry of every player begins with."""
    return {
        "id": f"p{player}",
        "player": player,
        "name": f"P{player}",
        "is_viewer": player == viewer,
        "to_act": player == to_act,
    }


def pile(name: str, cards: Sequence[dict[str, Any]], seen: bool, hidden: int = 0) -> dict[str, Any]:
    """Return a hand or a pile: `id`, `count`, and `cards`, which are `None` if they lie face down.

    Args:
        name: the pile's id.
        cards: in an order that says nothing hidden.
        seen: whether the viewer sees them.
        hidden: cards that are counted besides.
    """
    return {"id": name, "count": len(cards) + hidden, "cards": list(cards) if seen else None}


def numbered_pile(name: str, cards: Sequence[str], seen: bool, hidden: int = 0) -> dict[str, Any]:
    """Return a pile of cards, each with an `id` (the pile's, and its number) and its `card`."""
    numbered = [{"id": f"{name}-{i}", "card": card} for i, card in enumerate(cards)]
    return pile(name, numbered, seen, hidden)


def ids_of(name: str, cards: Sequence[str], wanted: Sequence[str], seen: bool) -> list[str]:
    """Return the ids of wanted cards of a numbered pile, or the pile's where it is not seen.

    Of equal cards they are the first ones.
    """
    if wanted and not seen:
        return [name]
    left = list(cards)
    ids = []
    for card in wanted:
        place = left.index(card)
        left[place] = ""
        ids.append(f"{name}-{place}")
    return ids


def tell(player: int, text: str, words: str, ids: Sequence[str]) -> Told:
    """Return an action as a viewer is told of it.

    Args:
        player: who acts.
        text: of the action; `?` stands for what the viewer may not know.
        words: the same in plain language, beginning with the verb.
        ids: what it concerns, of the viewer's view before the action.
    """
    return {"player": player, "text": text, "words": words, "ids": list(dict.fromkeys(ids))}


def listed(names: Sequence[str], last: str = "and") -> str:
    """Return names as they are listed in a sentence: `a, b and c`."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


# -- As text -----------------------------------------------------------------------------------


def marked_name(player: dict[str, Any]) -> str:
    """Return a player's name as a line of text begins with it: marked if it is to act."""
    return f"{'>' if player['to_act'] else ' '} {player['name']}{you(player)}"


def you(player: dict[str, Any]) -> str:
    """Return the mark of the viewer."""
    return " (you)" if player["is_viewer"] else ""


def result(view: View) -> str:
    """Return how a game ended that one player alone can win."""
    won = [f"P{player} has won" for player in view["winners"]]
    return {DRAWN: "a draw", CUT: "cut at the turn limit"}.get(view["ending"], "".join(won))


def from_the_viewer(view: View) -> list[dict[str, Any]]:
    """Return the players clockwise, the viewer first."""
    first, players = view["viewer"] or 0, view["players"]
    return [*players[first:], *players[:first]]
