"""What the server answers to a person, as plain JSON types.

Everything here is made of what the person may see: `Game.view`, `Game.told` and the drawing of a
view. With all cards open only once the game is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from waiter_envs.core.views import Told, View
from waiter_envs.web.assets import draw
from waiter_envs.web.replay import Replay
from waiter_envs.web.sitting import Choice, Frame, Hint, NotNow, Sitting
from waiter_envs.web.weighing import Weighed
from waiter_envs.web.words import headline_to, to_you

Answer = dict[str, Any]


def state(sitting: Sitting, player: int) -> Answer:
    """Return how the game stands for a person, and what it may do."""
    place = sitting.place(player)
    return {
        "game": sitting.game.name,
        "title": sitting.game.title,
        "round": sitting.round,
        "version": place.version,
        "player": player,
        "players": [
            {"player": number, "name": f"P{number}", "who": _who(sitting, number, player)}
            for number in range(len(sitting.names))
        ],
        "frames": [_line(frame, player) for frame in place.frames],
        "log": [_told(told, player) for told in place.log],
        "decision": _decision(sitting, player),
        "over": sitting.over,
        "winners": place.frames[-1].view["winners"],
        "may": {
            "undo": sitting.can_undo(player),
            "deal": sitting.can_deal(player),
            "hint": sitting.is_asked(player),
        },
    }


def picture(sitting: Sitting, player: int, number: int, theme: str, layout: str) -> Answer:
    """Return a frame as a drawing and as text.

    Raises:
        NotNow: if there is no such frame any more.
    """
    frame = sitting.frame(player, number)
    svg = draw(sitting.game, frame.table, player, frame.told, theme, layout)
    return {"svg": svg, "text": sitting.game.write_text(frame.view)}


def open_picture(sitting: Sitting, theme: str, layout: str) -> Answer:
    """Return the end of a game with all cards open.

    Raises:
        NotNow: if the game is not over.
    """
    if not sitting.over:
        raise NotNow("cards are shown when the game is over")
    table = sitting.tables.state[0].copy()
    return {
        "svg": draw(sitting.game, table, None, None, theme, layout),
        "text": sitting.game.render(table, None),
    }


def record(sitting: Sitting) -> str:
    """Return the record of a game, as a line of JSON.

    Raises:
        NotNow: if the game is not over.
    """
    if not sitting.over:
        raise NotNow("a game is recorded when it is over")
    return f"{sitting.record().to_json()}\n"


def replay(sitting: Sitting) -> str:
    """Return the page of a game, with all cards open.

    Raises:
        NotNow: if the game is not over.
    """
    if not sitting.over:
        raise NotNow("a game is shown again when it is over")
    return Replay(sitting.record()).html


def hint(given: Hint) -> Answer:
    """Return what an agent would do."""
    chances = given.chances
    return {
        "agent": given.agent,
        "choice": _choice(given.choice),
        "chances": chances
        and [{**_choice(choice), "chance": round(p, 4)} for choice, p in chances],
        "value": None if given.value is None else round(given.value, 4),
        "reason": _reason(given),
        "may_weigh": given.by_rules,
    }


def _reason(given: Hint) -> str:
    """Return in words why an agent would do so, as far as it tells."""
    if given.by_rules:
        return "It follows rules, and tells no reasons."
    words = []
    if given.chances:
        (_, chance), *others = given.chances
        whose = "Of its playouts" if given.searches else "Of its choice"
        following = f", {others[0][1]:.0%} to the next" if others else ""
        words.append(f"{whose} {chance:.0%} went to this{following}.")
    if given.value is not None:
        verb = "It was paid" if given.searches else "It expects to be paid"
        words.append(f"{verb} {given.value:+.2f}{' on average' if given.searches else ''}.")
    return " ".join(words) or "It tells no reasons."


def weighed(sitting: Sitting, player: int, first: Weighed, other: Weighed | None) -> Answer:
    """Return in words how an action fared beside the best of the others.

    Raises:
        NotNow: if the person has decided since.
    """
    by_action = {choice.action: choice for choice in sitting.choices(player)}
    if not {first.action, other.action if other else first.action} <= set(by_action):
        raise NotNow("you have decided since")
    words = f"Played out {first.tried} times, in deals that agree with what you see, it was paid "
    words += f"{first.value:+.2f} on average"
    if other is not None:
        name = _choice(by_action[other.action])["words"]
        words += f", and \u201c{name}\u201d {other.value:+.2f}"
    return {"action": first.action, "words": f"{words}."}


def _who(sitting: Sitting, number: int, player: int) -> str:
    return "you" if number == player else sitting.names[number]


def _line(frame: Frame, player: int) -> Answer:
    """Return what a frame says."""
    view = frame.view
    return {
        "number": frame.number,
        "headline": headline_to(player, view["headline"]),
        "told": frame.told and _told(frame.told, player),
    }


def _told(told: Told, player: int) -> Answer:
    """Return an action as a person is told of it."""
    own = told["player"] == player
    words = to_you(told["words"]) if own else told["words"]
    moved = told.get("moved", {})
    kept = {name: told[name] for name in ("player", "text", "ids")}
    return {**kept, "words": words, "moved": moved}


def _decision(sitting: Sitting, player: int) -> Answer | None:
    """Return what a person is asked, or `None`."""
    if not sitting.is_asked(player):
        return None
    place = sitting.place(player)
    choices = sitting.choices(player)
    present = {choice.block for choice in choices}
    cards = own_cards(place.frames[-1].view, player)
    return {
        "number": place.asked,
        "choices": [_choice(choice) for choice in choices],
        "blocks": [b.name for b in sitting.blocks if b.name in present],
        "own": [card["id"] for card in cards],
        "alike": alike(cards),
    }


def _choice(choice: Choice) -> Answer:
    words = to_you(choice.told["words"])
    return {
        "action": choice.action,
        "block": choice.block,
        "words": words[:1].upper() + words[1:],
        "text": choice.told["text"],
        "ids": choice.told["ids"],
    }


def own_cards(view: View, player: int) -> list[dict[str, Any]]:
    """Return the cards that a player has before it and sees, each with its `id` and `card`."""
    piles = [pile for pile in view["players"][player].values() if isinstance(pile, dict)]
    return [card for pile in piles for card in pile.get("cards") or ()]


def alike(cards: Sequence[dict[str, Any]]) -> list[list[str]]:
    """Return the ids of equal cards of a pile, where there are several, in order.

    An action that concerns n of them names the first n.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for card in cards:
        pile = card["id"].rpartition("-")[0]
        groups.setdefault((pile, card["card"]), []).append(card["id"])
    return [ids for ids in groups.values() if len(ids) > 1]
