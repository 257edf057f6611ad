"""What the tests of all games check of views and of what is told of actions."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from waiter_envs.core.game import Game
from waiter_envs.core.tables import Tables

State = npt.NDArray[np.void]

NOTHING = "(?!)"
"""A regular expression that matches no text."""

COMMON = (
    *("game", "viewer", "to_act", "phase", "over", "ending", "winners", "turn", "headline"),
    "players",
)
OF_PLAYERS = ("id", "player", "name", "is_viewer", "to_act")


def everybody(state: State) -> list[int | None]:
    """Return all viewers of some tables, `None` among them."""
    return [None, *range(int(state["num_players"][0]))]


def ids_in(part: Any) -> Iterator[str]:
    """Yield the ids of a view, or of a part of it."""
    if isinstance(part, dict):
        if "id" in part:
            yield part["id"]
        part = list(part.values())
    if isinstance(part, list):
        for each in part:
            yield from ids_in(each)


def at(game: Game, config: Any, state: State) -> Tables:
    """Return tables at some states, which stay as they are when a game ends."""
    dealt = Tables.of(game, len(state), 0, config=config, autoreset_mode="Disabled")
    dealt.state = state
    return dealt


def legal_actions(
    game: Game, config: Any, state: State, number: int
) -> Iterator[tuple[np.void, list[int]]]:
    """Yield each table that is not over with some of its legal actions."""
    rng = np.random.default_rng(0)
    masks = at(game, config, state).action_mask.copy()
    for table, mask in zip(state, masks, strict=True):
        if not (table["terminated"] or table["truncated"]):
            yield table, rng.permutation(np.flatnonzero(mask))[:number].tolist()


def check_views(game: Game, state: State) -> None:
    """Views are plain JSON types, have all keys of the contract, and ids that are unique."""
    for table in state:
        over = bool(table["terminated"] or table["truncated"])
        for viewer in everybody(state):
            view = game.view(table, viewer)
            assert json.loads(json.dumps(view)) == view
            assert set(COMMON) <= set(view)
            assert (view["game"], view["viewer"], view["over"]) == (game.name, viewer, over)
            assert (view["ending"] is not None) == over
            assert bool(view["winners"]) == (view["ending"] == "won")
            for player, entry in enumerate(view["players"]):
                expected = (f"p{player}", player, f"P{player}", player == viewer)
                assert tuple(entry[key] for key in OF_PLAYERS[:4]) == expected
                assert entry["to_act"] == (view["to_act"] == player)
            if viewer in (None, int(table["current_player"])):
                assert view["to_act"] == (None if over else int(table["current_player"]))
            assert view["headline"][0].isupper() or view["headline"][0] == "P"
            ids = list(ids_in(view))
            assert len(set(ids)) == len(ids)
            assert all(re.fullmatch("[a-z0-9-]+", name) for name in ids)
            lines = game.render(table, viewer).splitlines()
            assert sum("(you)" in line for line in lines) == (viewer is not None)


def check_told(game: Game, config: Any, state: State, number: int = 8) -> None:
    """Everybody is told of actions by ids of its own view; the actor and `None` of all of it."""
    for table, actions in legal_actions(game, config, state, number):
        actor = int(table["current_player"])
        views = {viewer: game.view(table, viewer) for viewer in everybody(state)}
        for action in actions:
            text = game.action_to_text(table, action)
            for viewer, view in views.items():
                told = game.told(table, action, viewer)
                if told is None:
                    assert viewer not in (None, actor)
                    continue
                assert json.loads(json.dumps(told)) == told
                assert set(told) - {"later"} == {"player", "text", "words", "ids"}
                assert told["player"] == actor
                assert 0 < len(told["ids"]) == len(set(told["ids"]) & set(ids_in(view)))
                assert told["words"][0].islower()
                if told["text"] != text:
                    assert "?" in told["text"]
                    assert viewer not in (None, actor)


def check_told_is_seen(
    game: Game, config: Any, state: State, spoken: str = NOTHING, number: int = 6
) -> int:
    """Nobody is told more of an action than it can see afterwards; return how much was hidden.

    Of actions after which the table looks the same to a viewer it is told the same, and nothing
    of an action after which it looks as before.

    Args:
        game: a game.
        config: the variant.
        state: tables.
        spoken: how actions begin that everybody hears or sees, though nothing of it may stay, as a
            regular expression.
        number: actions that are tried at each table.
    """
    hidden = 0
    for table, some in legal_actions(game, config, state, number):
        actions = [a for a in some if not re.match(spoken, game.action_to_text(table, a))]
        if not actions:
            continue
        dealt = at(game, config, np.repeat(np.array([table]), len(actions)))
        dealt.step(np.array(actions, np.int32))
        for viewer in range(dealt.num_players):
            if viewer == int(table["current_player"]):
                continue
            told_of: dict[str, Any] = {json.dumps(game.view(table, viewer)): None}
            for action, after in zip(actions, dealt.state, strict=True):
                told = game.told(table, action, viewer, after)
                seen = json.dumps(game.view(after, viewer))
                hidden += seen in told_of
                assert told_of.setdefault(seen, told) == told
    return hidden


def check_seen_alike(
    game: Game,
    config: Any,
    before: State,
    after: State,
    viewers: npt.NDArray[np.int8],
    opening: str | None = None,
) -> None:
    """Two deals that differ in what is hidden look and sound the same; with open cards they differ.

    Args:
        game: a game.
        config: the variant.
        before: tables.
        after: the same tables, with something else where it is hidden from the viewer.
        viewers: of each table.
        opening: a phase in which actions open what has been hidden.
    """
    rng = np.random.default_rng(2)
    masks = [at(game, config, state).action_mask.copy() for state in (before, after)]
    over = before["terminated"] | before["truncated"]
    heard = 0
    for i, viewer in enumerate(viewers.tolist()):
        deals = before[i], after[i]
        assert game.view(deals[0], viewer) == game.view(deals[1], viewer)
        positions = [game.position_to_dict(table) for table in deals]
        opened = [game.view(table, None) for table in deals]
        assert (opened[0] == opened[1]) == (positions[0] == positions[1])
        actors = [int(table["current_player"]) for table in deals]
        phases = [position["phase"] for position in positions]
        is_other = actors[0] == actors[1] != viewer
        if over[i] or not is_other or phases[0] != phases[1] or phases[0] == opening:
            continue
        for action in rng.permutation(np.flatnonzero(masks[0][i] & masks[1][i]))[:3].tolist():
            told = [game.told(table, action, viewer) for table in deals]
            assert told[0] == told[1]
            heard += told[0] is not None
    assert heard > 20


def check_shows_everything(game: Game, config: Any, state: State, attempts: int = 600) -> None:
    """With all cards open, tables look different wherever their positions are.

    Entries of positions are exchanged and changed, as long as the positions stay possible ones.
    """
    rng = np.random.default_rng(3)
    changed: set[str] = set()
    for table in state:
        position, view = game.position_to_dict(table), game.view(table, None)
        for _ in range(attempts // len(state)):
            other = altered(position, rng)
            try:
                there = game.position_from_dict(config, other)
            except (TypeError, ValueError):
                continue
            other = game.position_to_dict(there)
            if view["over"]:  # then nobody is to act
                other["to_act"] = position["to_act"]
            assert game.view(there, None) != view or other == position
            changed |= {key for key in position if other[key] != position[key]}
    assert changed & {"players", "hands", "purses"}


def altered(position: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Return a position in which two entries of a kind change places, or one takes the other's."""
    other = copy.deepcopy(position)
    places = list(leaves(other))
    kinds = {type(at[0][at[1]]) for at in places}
    kind = sorted(kinds, key=str)[rng.integers(len(kinds))]
    alike = [at for at in places if type(at[0][at[1]]) is kind]
    one, there = alike[rng.integers(len(alike))]
    two, elsewhere = alike[rng.integers(len(alike))]
    mine, theirs = one[there], two[elsewhere]
    if isinstance(mine, bool):
        theirs = not mine
    elif isinstance(mine, int) and rng.random() < 0.5:
        theirs = mine + int(rng.choice((-1, 1)))
    elif rng.random() < 0.7:
        two[elsewhere] = mine
    one[there] = theirs
    return other


def leaves(part: Any) -> Iterator[tuple[Any, Any]]:
    """Yield where all numbers, texts and lists of these stand: in what, and which entry."""
    for key in part if isinstance(part, dict) else range(len(part)):
        if isinstance(part[key], (dict, list)):
            yield from leaves(part[key])
        if not isinstance(part[key], dict):
            yield part, key
