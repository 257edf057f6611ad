"""Positions as JSON: round trips, forms of writing, and what is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from greasy_spoon_env import GAME, PRESETS, Config, tables
from greasy_spoon_env.position import read_position
from greasy_spoon_env.state import OVER

from .states import (
    CARDS,
    Position,
    hidden,
    junk,
    observed,
    positions,
    seated,
    side,
    side_at_the_end,
    study,
)

NOT_IN_A_POSITION = ("rng", "just_won")
"""The stream, and who won a game with the last action: what comes next does not depend on it."""

HAND = "K1 M1 R1 K2 M2 R2 K3 M3 R3 K4 M4"

# -- Round trips -------------------------------------------------------------------------------


@pytest.mark.parametrize("match", ["best_of_1", "best_of_5", "best_of_3_no_recall"])
def test_round_trip(match: str) -> None:
    """A position, sent through JSON, gives back the table."""
    config = PRESETS[match]
    phases = set()
    for table in positions(config, seed=1):
        position = json.loads(json.dumps(GAME.position_to_dict(table)))
        phases.add(position["phase"])
        again = GAME.position_from_dict(config, position)
        for name in table.dtype.names:
            if name not in NOT_IN_A_POSITION:
                assert np.array_equal(again[name], table[name]), name
        assert GAME.position_to_dict(again) == position
    assert phases == {"serve", "complete", "stash", "over"}


@pytest.mark.parametrize("reward", ["match", "game"])
def test_position_goes_on_like_the_original(reward: str) -> None:
    """With the same random stream, a position that was read goes on like the original."""
    config = Config(best_of=3, reward=reward)
    seen = positions(config, seed=2)
    original = tables(len(seen), 0, config=config, autoreset_mode="NextStep")
    again = tables(len(seen), 0, config=config, autoreset_mode="NextStep")
    read = np.concatenate([read_position(config, GAME.position_to_dict(t)) for t in seen])
    read["rng"] = seen["rng"]
    again.state, original.state = read, seen
    over = seen["phase"] == OVER
    assert over.any()
    assert np.array_equal(again.rewards, original.rewards)
    assert np.array_equal(again.rewards.any(axis=1), over)
    for _ in range(40):
        for name in ("observation", "action_mask", "current_player", "terminated"):
            assert np.array_equal(getattr(again, name), getattr(original, name)), name
        action = original.sample_actions()
        original.step(action)
        again.step(action)
        assert np.array_equal(again.state, original.state)
        assert np.array_equal(again.rewards, original.rewards)


def test_random_stream_comes_from_the_seed() -> None:
    """`position_from_dict` starts a stream of its own for each seed."""
    streams = [
        GAME.position_from_dict(Config(), serving(), seed)["rng"].tolist() for seed in (0, 1)
    ]
    assert streams[0] != streams[1]
    assert GAME.position_from_dict(Config(), serving())["rng"].tolist() == streams[0]


# -- Positions to start from -------------------------------------------------------------------


def serving(**changes: Any) -> Position:
    """Return a position in which player 0 faces a Combo 1."""
    return study(
        side(HAND, "K6 M6", "R6 R6"),
        side("K1 K1 M1 R1 K2 M2 R2 K3 M3 R3 K5", "", "K6 K6 M1 R1 R2 R3 M5"),
        **{
            "dish": "R1 R2 R3 + M5",
            "leader": 1,
            "set_aside": [2, 1],
            "recalled": [False, True],
            **changes,
        },
    )


def completing(**changes: Any) -> Position:
    """Return the same position, but with half of an answer served."""
    return {
        **serving(),
        "players": [
            side("M1 R1 M2 R2 M3 R3 K4 M6", "K6 M6", "R6 R6", out="K1 K2 K3"),
            serving()["players"][1],
        ],
        "phase": "complete",
        "pending": {"main": "K1 K2 K3", "with": "drink"},
        **changes,
    }


def stashing(**changes: Any) -> Position:
    """Return a position in which player 0 has set one card aside."""
    return study(
        side("K1 M1 R1 K2 M2 R2 M3 R3 K4 M4", "K3 M6", "R6 R6"),
        side(HAND, "R5", "K6"),
        **{"phase": "stash", "stashed": 1, "last_stashed": "K3", "leader": 1, **changes},
    )


def answering_own_round(**changes: Any) -> Position:
    """Return a position in which player 0 has led, and faces an answer."""
    position = serving(leader=0, **changes)
    position["players"][0] = side(HAND, "K6 M6", "R6 R6 K1 M2 R3 K4")
    return position


def dealt_anew(**changes: Any) -> Position:
    """Return a position in which nobody has done anything yet."""
    return study(side(HAND), side(HAND), **changes)


def facing_the_first_dish(**changes: Any) -> Position:
    """Return a position in which player 1 faces the first dish of the game."""
    return study(side(HAND, "", "R6"), side(HAND), dish="R6", to_act=1, **changes)


def leading_after_a_pass(**changes: Any) -> Position:
    """Return a position in which player 0 leads after a pass of player 1."""
    return study(side(HAND, "", "R6"), side(HAND, "K6 M6", "R5"), **changes)


def ending(**changes: Any) -> Position:
    """Return a position without piles, in which player 0 holds one card and leads."""
    return study(side_at_the_end("K1"), side_at_the_end("K2 M2"), **changes)


def won(**changes: Any) -> Position:
    """Return a match of three games that player 0 has won with its last dish."""
    return study(
        side_at_the_end(""),
        side(HAND, "R5", "K6"),
        **{
            "phase": "over", "dish": "K1 K1 K1 + M6", "winner": 0, "score": [2, 1], "starter": 1,
            "games_played": 3, **changes,
        },
    )  # fmt: skip


BASES: dict[str, Callable[..., Position]] = {
    "serve": serving, "complete": completing, "stash": stashing, "end": ending, "won": won,
    "fresh": dealt_anew, "first": facing_the_first_dish, "led": leading_after_a_pass,
    "answer": answering_own_round,
}  # fmt: skip
VARIANTS = {name: Config(best_of=3 if name == "won" else 1) for name in BASES}


@pytest.mark.parametrize("base", BASES)
def test_bases_are_possible(base: str) -> None:
    """The positions that the refusals start from are read, and written alike."""
    again = GAME.position_to_dict(read_position(VARIANTS[base], BASES[base]())[0])
    assert again == BASES[base]()
    assert list(again) == list(BASES[base]())


@pytest.mark.parametrize("base", BASES)
def test_bases_are_seen_as_they_are(base: str) -> None:
    """Each viewer observes what these positions say, and what they hide (GS-12)."""
    config, position = VARIANTS[base], BASES[base]()
    dealt = seated(config, position)
    fields = GAME.observation_fields(config), GAME.hidden_fields(config)
    for viewer in range(2):
        row = dealt.full_observation(viewer)[0].tolist()
        due = {**observed(config, position, viewer), **hidden(position, viewer)}
        assert row == [cell for block in (*fields[0], *fields[1]) for cell in due[block.name]]


# -- Forms of writing --------------------------------------------------------------------------


def test_dictionary_is_as_documented() -> None:
    """Forms are those of the documentation page, in plain JSON types."""
    position = GAME.position_to_dict(read_position(Config(), completing())[0])
    assert position["players"][0]["hand"] == ["M1", "R1", "M2", "R2", "M3", "R3", "K4", "M6"]
    assert position["players"][0]["backburner"] == ["K6", "M6"]
    assert list(position["players"][0]) == ["hand", "draw", "backburner", "served"]
    assert position["dish"] == "R1 R2 R3 + M5"
    assert position["pending"] == {"main": "K1 K2 K3", "with": "drink"}
    assert (position["phase"], position["to_act"], position["leader"]) == ("complete", 0, 1)
    assert (position["set_aside"], position["recalled"]) == ([2, 1], [False, True])
    assert json.loads(json.dumps(position)) == position
    assert {type(position[key]) for key in ("to_act", "stashed", "games_played")} == {int}


def test_cards_in_any_order() -> None:
    """Piles, dishes and mains are read with their cards in any order."""
    shuffled = completing(
        dish="R3 R1 R2 + M5", pending={"main": "K3 K2 K1", "with": "drink"}, to_act=np.int64(0)
    )
    for player in shuffled["players"]:
        for name, cards in player.items():
            player[name] = tuple(cards[::-1])
    assert read_position(Config(), shuffled) == read_position(Config(), completing())


def test_a_forced_decision_is_taken_as_it_is() -> None:
    """A position may hold a forced decision; its mask has a single 1."""
    dealt = seated(Config(), ending())
    assert dealt.action_mask[0].tolist() == [1] + [0] * 623
    dealt.step([0])
    assert dealt.terminated[0]
    assert dealt.rewards[0].tolist() == [1, -1]

    dealt = seated(Config(), completing())
    assert np.flatnonzero(dealt.action_mask[0]).tolist() == [16]
    assert GAME.action_to_text(dealt.state[0], 16) == "serve M6"


@pytest.mark.parametrize(
    "position",
    [
        ending(to_act=1, leader=1),
        ending(to_act=1, leader=1, dish="K2"),
        {**serving(), "dish": None, "phase": "stash"},
        serving(recalled=[False, False], set_aside=[0, 3]),
        answering_own_round(),
        stashing(set_aside=[1, 0]),
        dealt_anew(),
        dealt_anew(to_act=1, leader=1, starter=1),
        leading_after_a_pass(set_aside=[0, 2]),
        leading_after_a_pass(set_aside=[0, 2], recalled=[False, True]),
    ],
)
def test_more_that_is_possible(position: Position) -> None:
    """Look-alikes of what is refused are read."""
    if position["dish"] == "K2":  # served by player 0
        assert position["players"][0]["served"].count("K2") == 3
    assert GAME.position_to_dict(read_position(Config(), position)[0]) == position


def test_the_loser_of_a_match_may_have_recalled() -> None:
    """Its latest turn may have been a pass, unless it led the last round (GS-8)."""
    config = Config(best_of=3)
    last = {"recalled": [False, True], "set_aside": [0, 1]}
    loser = side(HAND, "R5", "M1 R2 R3 K6")
    for position in (won(**last), won(leader=1, players=[won()["players"][0], loser])):
        assert GAME.position_to_dict(read_position(config, position)[0]) == position
    position |= last
    with pytest.raises(ValueError, match=r"recalled\[1\]=True: .*was set aside since, not 1 card"):
        read_position(config, position)


# -- What is refused ---------------------------------------------------------------------------


def at(*path: Any, to: Any) -> Callable[[Position], None]:
    """Return an edit that sets one entry."""

    def edit(position: Position) -> None:
        entry: Any = position
        for key in path[:-1]:
            entry = entry[key]
        entry[path[-1]] = to

    return edit


def without(*path: Any) -> Callable[[Position], None]:
    """Return an edit that removes one entry."""

    def edit(position: Position) -> None:
        entry: Any = position
        for key in path[:-1]:
            entry = entry[key]
        del entry[path[-1]]

    return edit


def all_of(*edits: Callable[[Position], None]) -> Callable[[Position], None]:
    """Return an edit that is several edits."""

    def edit(position: Position) -> None:
        for one in edits:
            one(position)

    return edit


def piles(player: int, to: Position) -> Callable[[Position], None]:
    """Return an edit that sets all piles of a player."""
    return at("players", player, to=to)


IMPOSSIBLE: list[tuple[str, Callable[[Position], None], str]] = [
    # keys and types
    ("serve", without("dish"), "the position has no dish; must have the keys players, dish, pend"),
    ("serve", at("turn", to=3), "has unknown turn"),
    ("serve", without("players", 1, "served"), r"players\[1\] has no served"),
    ("serve", at("players", 0, "pending", to=None), r"players\[0\] has unknown pending"),
    ("serve", at("players", 0, to="K1"), r"players\[0\]='K1': must be a mapping"),
    ("serve", at("players", to={}), "players={}: must be a list"),
    ("serve", at("players", to=[]), "players: a list of 0; must be of 2"),
    ("serve", at("players", 0, "hand", to="K1 K2"), r"players\[0\].hand='K1 K2': must be a list"),
    ("serve", at("players", 0, "hand", to={"K1": 2}), r"hand={'K1': 2}: must be a list"),
    ("serve", at("players", 0, "hand", 0, to="K7"), r"players\[0\].hand='K7': must be one of K1,"),
    ("serve", at("players", 0, "draw", 0, to="k1"), r"players\[0\].draw='k1': must be one of K1,"),
    ("serve", at("players", 1, "served", 0, to=1), r"players\[1\].served=1: must be one of K1,"),
    ("serve", at("phase", to="SERVE"), "phase='SERVE': must be one of serve, complete, stash, ov"),
    ("serve", at("phase", to=0), "phase=0: must be one of"),
    ("serve", at("to_act", to=2), "to_act=2: must be an integer from 0 to 1"),
    ("serve", at("to_act", to=None), "to_act=None: must be an integer from 0 to 1"),
    ("serve", at("leader", to=-1), "leader=-1: must be an integer from 0 to 1"),
    ("serve", at("starter", to=True), "starter=True: must be an integer from 0 to 1"),
    ("serve", at("set_aside", to=[0]), "set_aside: a list of 1; must be of 2"),
    ("serve", at("set_aside", 0, to=4), r"set_aside\[0\]=4: must be an integer from 0 to 3"),
    ("serve", at("set_aside", 1, to=0.0), r"set_aside\[1\]=0.0: must be an integer from 0 to 3"),
    ("serve", at("recalled", to=True), "recalled=True: must be a list"),
    ("serve", at("recalled", to=[True]), "recalled: a list of 1; must be of 2"),
    ("serve", at("recalled", 0, to=0), r"recalled\[0\]=0: must be true or false"),
    # how the match stands
    ("serve", at("winner", to=2), "winner=2: must be an integer from 0 to 1, or null"),
    ("serve", at("winner", to=0), "phase='serve', winner=0: a match that is over has a winner"),
    ("won", at("winner", to=None), "phase='over', winner=None: a match that is over has a winner"),
    ("won", at("winner", to=1), r"score=\[2, 1\], winner=1: who wins 2 games wins the match"),
    ("won", all_of(at("score", to=[1, 1]), at("games_played", to=2)), "who wins 2 games wins"),
    ("won", all_of(at("score", to=[2, 2]), at("games_played", to=4)), "games_played=4: must be an"),
    ("won", at("games_played", to=2), r"score=\[2, 1\], games_played=2: every game has one winne"),
    ("won", at("score", to=[3, 0]), r"score\[0\]=3: must be an integer from 0 to 2"),
    ("won", at("to_act", to=1), "to_act=1, winner=0: the winner acted last"),
    ("serve", at("score", to=[1, 0]), r"score=\[1, 0\], games_played=0: every game has one win"),
    ("serve", all_of(at("score", to=[1, 0]), at("games_played", to=1)), "wins 1 games wins the"),
    ("serve", at("score", to=[-1, 1]), r"score\[0\]=-1: must be an integer from 0 to 1"),
    ("serve", at("score", to=0), "score=0: must be a list"),
    ("serve", at("games_played", to=-1), "games_played=-1: must be an integer from 0 to 1"),
    # decks
    ("serve", at("players", 0, "hand", to=HAND.split()[:-1]),
     r"players\[0\]: 2 M4 in hand, draw, backburner and served together; a deck has 3 of every"),
    ("serve", at("players", 0, "hand", 0, to="M1"), r"players\[0\]: 2 K1, 4 M1 in hand, draw,"),
    ("serve", at("players", 1, "served", to=[]), r"players\[1\]: 2 M1, 2 R1, 2 R2, 2 R3, 2 M5, 1"),
    ("serve", at("players", 0, "hand", to=["K1"] * 200), r"players\[0\].hand: 200 cards"),
    ("serve", at("players", 0, "hand", to=["K1"] * 256 + HAND.split()), r"hand: 267 cards"),
    ("complete", at("pending", "main", to="M1 M2 M3"), r"players\[0\]: 2 K1, 4 M1, 2 K2, 4 M2"),
    # what had to be drawn
    ("serve", piles(0, side(HAND + " R4", "K6 M6", "R6")), r"hand: 12 cards; at most 11 are allow"),
    ("serve", piles(0, side(HAND[:-3], "K6 M6")), r"players\[0\]: 10 cards in hand, 42 to draw, 2"),
    ("serve", piles(0, side_at_the_end(HAND[:-3], "K6")), "10 cards in hand, 1 to draw, 0 on the"),
    ("serve", piles(0, side_at_the_end(HAND[:-3], "", "K6")), "a hand is refilled to 11 at once"),
    ("serve", piles(0, side_at_the_end(HAND, "", "K6")),
     r"players\[0\]: 1 cards on the backburner and none to draw; they become the draw pile"),
    ("complete", piles(0, side("M1 R1 M2 R2 M3 R3 K4 M4 M6", out="K1 K2 K3")),
     r"players\[0\].hand: 9 cards; at most 8 are allowed here"),
    ("complete", piles(0, side("M1 R1 M2 R2 M3 R3 M6", out="K1 K2 K3")), "7 cards in hand, 44 to"),
    ("stash", piles(0, side(HAND, "K3 M6")), r"hand: 11 cards; at most 10 are allowed here"),
    ("stash", piles(0, side(HAND[:-6], "K3 M6")), r"players\[0\]: 9 cards in hand, 43 to draw"),
    ("stash", piles(1, side(HAND[:-3], "R5")), r"players\[1\]: 10 cards in hand, 43 to draw, 1 on"),
    ("end", piles(0, side_at_the_end("")), r"players\[0\]: has no card left and so has won"),
    ("end", piles(1, side_at_the_end("")), r"players\[1\]: has no card left and so has won"),
    ("won", piles(0, side_at_the_end("K2")), r"players\[0\]: has won, but holds cards in hand,"),
    ("won", piles(0, side_at_the_end("", "K2")), "has won, but holds cards in hand, draw or back"),
    ("won", piles(0, side_at_the_end("", "", "K2")), "has won, but holds cards"),
    ("won", piles(1, side_at_the_end("")), r"players\[1\]: has no card left"),
    # the dish
    ("serve", at("dish", to=7), "dish=7: must be a dish like 'R1 R2 R3 \\+ M5', or null"),
    ("serve", at("dish", to=["R1"]), r"dish=\['R1'\]: must be a dish"),
    ("serve", at("dish", to=""), "dish='': '' is no card; cards are K1, M1"),
    ("serve", at("dish", to="R1 R3"), "dish='R1 R3': 'R1 R3' is no item of the menu"),
    ("serve", at("dish", to="K6 K6 K1"), "'K6 K6 K1' is no item of the menu"),
    ("serve", at("dish", to="K1 K2 K3 K4"), "'K1 K2 K3 K4' is no item of the menu"),
    ("serve", at("dish", to="K1 K7"), "'K7' is no card; cards are K1, M1"),
    ("serve", at("dish", to="M1 M2 + M5"), "'M1 M2 \\+ M5' is no combination: a main, then a dri"),
    ("serve", at("dish", to="M5 + R1 R2 R3"), "is no combination: a main, then a drink or a side"),
    ("serve", at("dish", to="R1 R2 R3 + R1 R2 R3"), "is no combination"),
    ("serve", at("dish", to="R1 R2 R3 + "), "'' is no card"),
    ("serve", at("dish", to="R1 R2 R3 + M5 + M5"), r"dish='R1 R2 R3 \+ M5 \+ M5': '\+' is no ca"),
    ("serve", at("dish", to="R1 R2 R3 + R5"), r"'R1 R2 R3 \+ R5': players\[1\] served it, so its"),
    ("serve", at("dish", to="K6 K6 K6"), r"its cards must be in players\[1\].served"),
    ("serve", at("dish", to="K6 K6 K6 + K6"), r"its cards must be in players\[1\].served"),
    ("serve", at("to_act", to=1), r"players\[0\] served it, so its cards must be in players\[0\]"),
    ("serve", at("dish", to=None), "leader=1: must be 0 without a dish on the table"),
    ("complete", at("dish", to=None), "leader=1: must be 0 without a dish on the table"),
    ("stash", at("leader", to=0), "leader=0: must be 1 without a dish on the table"),
    ("stash", at("dish", to="K6"), "dish='K6': must be null after a pass"),
    ("won", at("dish", to=None), "dish=None: the dish that ended the match stays on the table"),
    ("won", all_of(at("dish", to="K6"), piles(0, side("", served=HAND))), r"players\[0\]"),
    # half a combination
    ("serve", at("phase", to="complete"), "phase='complete', pending=None: in the phase 'complete"),
    ("complete", at("phase", to="serve"), "phase='serve', pending={'main': 'K1 K2 K3', 'with': 'd"),
    ("complete", at("pending", to=None), "in the phase 'complete' there is half a combination"),
    ("complete", at("pending", to="K1 K2 K3"), "pending='K1 K2 K3': must be a mapping"),
    ("complete", without("pending", "with"), "pending has no with"),
    ("complete", at("pending", "dish", to="K1"), "pending has unknown dish"),
    ("complete", at("pending", "with", to="main"), "pending.with='main': must be one of drink, si"),
    ("complete", at("pending", "main", to=3), "pending.main=3: must be three cards like 'R1 R2 R3"),
    ("complete", at("pending", "main", to="K1 K3 K5"), "pending.main='K1 K3 K5': 'K1 K3 K5' is no"),
    ("complete", at("pending", "main", to="K1 K2"), "pending.main='K1 K2': must be a main, three"),
    ("complete", at("pending", "main", to="K1 K2 Q3"), "pending.main='K1 K2 Q3': 'Q3' is no card"),
    ("complete", at("pending", "with", to="side"),
     r"pending: K1 K2 K3 \+ side does not beat R1 R2 R3 \+ M5"),
    ("complete", at("dish", to="R1 R2 R3"), r"K1 K2 K3 \+ drink does not beat R1 R2 R3"),
    ("complete", at("dish", to="M5"), r"K1 K2 K3 \+ drink does not beat M5"),
    ("complete", at("dish", to="R1 R2 R3 + M5 K6"), r"K1 K2 K3 \+ drink does not beat R1 R2 R3 \+"),
    ("complete", all_of(at("pending", "main", to="M1 K2 K3"),
                        piles(0, side("K1 R1 M2 R2 M3 R3 K4 M6", out="M1 K2 K3"))),
     r"pending: M1 K2 K3 \+ drink does not beat R1 R2 R3 \+ M5"),
    ("complete", piles(0, side("M1 R1 M2 R2 M3 R3 K4 M5", "K6", out="K1 K2 K3")),
     "pending: no drink in hand completes K1 K2 K3; then it is not begun"),
    ("complete", all_of(at("dish", to=None), at("leader", to=0),
                        piles(0, side_at_the_end("", out="K1 K2 K3"))), "no drink in hand complet"),
    ("complete", all_of(at("dish", to=None), at("leader", to=0), at("pending", "with", to="side"),
                        piles(0, side_at_the_end("K1 K3 M5", out="K1 K2 K3"))),
     "no side in hand completes K1 K2 K3"),
    # setting aside
    ("serve", at("stashed", to=1), "stashed=1: must be an integer from 0 to 0, with phase='serve'"),
    ("complete", at("stashed", to=1), "from 0 to 0, with phase='complete'"),
    ("won", at("stashed", to=1), "from 0 to 0, with phase='over'"),
    ("serve", at("last_stashed", to="K1"), "stashed=0, last_stashed='K1': the last card set aside"),
    ("stash", at("stashed", to=3), "stashed=3: must be an integer from 0 to 2, with phase='stash'"),
    ("stash", at("stashed", to="1"), "stashed='1': must be an integer from 0 to 2"),
    ("stash", at("stashed", to=0), "stashed=0, last_stashed='K3': the last card set aside in this"),
    ("stash", at("last_stashed", to=None), "stashed=1, last_stashed=None: the last card set"),
    ("stash", at("last_stashed", to="K9"), "last_stashed='K9': must be one of K1, M1"),
    ("stash", at("last_stashed", to=3), "last_stashed=3: must be one of K1, M1"),
    ("stash", at("last_stashed", to="M3"),
     r"stashed=1, last_stashed='M3': players\[0\].backburner must hold these cards, in ascending"),
    ("stash", all_of(at("stashed", to=2), piles(0, side(HAND[:-6], "K3 M6", "R6 R6"))),
     "stashed=2, last_stashed='K3': .*must hold these cards, in ascending order"),
    ("stash", all_of(at("last_stashed", to="M6")), "last_stashed='M6': no card in hand may follow"),
    ("stash", piles(0, side_at_the_end(HAND[:-3])), "phase='stash': without a draw pile nothing"),
    ("stash", all_of(at("stashed", to=0), at("last_stashed", to=None),
                     piles(0, side_at_the_end(HAND))), "phase='stash': without a draw pile nothin"),
    # who leads
    ("fresh", at("to_act", to=1), "leader=0: must be 1 without a dish on the table"),
    ("fresh", all_of(at("to_act", to=1), at("leader", to=1)),
     "to_act=1, leader=1: both must be 0, the starter, until a dish has been served"),
    ("fresh", at("starter", to=1), "to_act=0, leader=0: both must be 1, the starter"),
    ("fresh", at("players", 1, to=side(HAND, "", "K6")),
     r"starter=0: serves first, but players\[0\].served is empty and players\[1\].served is not"),
    ("fresh", all_of(at("to_act", to=1), at("leader", to=1), piles(0, side(HAND, "", "K6"))),
     "leader=1: has served nothing yet, so it has won no round and the starter, 0, leads"),
    ("serve", at("leader", to=0),
     r"leader=0: nothing in players\[0\].served is beaten by R1 R2 R3 \+ M5, which answers a dish"),
    ("end", all_of(at("to_act", to=1), at("leader", to=1), at("dish", to="M1")),
     r"leader=1: nothing in players\[1\].served is beaten by M1"),
    ("answer", piles(0, side(HAND, "K6 M6", "K1 M2 R3")), "leader=0: nothing in"),
    ("answer", piles(0, side(HAND, "K6 M6", "M1 K5 K5 K5")), "leader=0: nothing in"),
    ("answer", piles(0, side(HAND, "K6 M6", "M1 M2 M3 M5")), "leader=0: nothing in"),
    # passes
    ("fresh", at("set_aside", 0, to=1), r"set_aside\[0\]=1, .*can have passed at most 0 dishes"),
    ("fresh", at("set_aside", 1, to=3), r"set_aside\[1\]=3, .*can have passed at most 0 dishes"),
    ("fresh", at("recalled", 1, to=True), r"recalled\[1\]=True: .*passed at most 0 dishes"),
    ("fresh", piles(0, side(HAND, "K6")), r"players\[0\].backburner: 1 cards, .*at most 0 dishes"),
    ("fresh", all_of(at("phase", to="stash"), at("leader", to=1)), "to_act=0, leader=1: both must"),
    ("first", at("set_aside", 1, to=1), r"set_aside\[1\]=1, .*passed at most 0 dishes"),
    ("first", piles(1, side(HAND, "K6")), r"players\[1\].backburner: 1 cards, .*at most 0 dishes"),
    ("led", piles(1, side(HAND, "K6 M6 R6 R6", "R5")), r"players\[1\].backburner: 4 cards,"),
    ("led", at("set_aside", 1, to=3), r"set_aside\[1\]=3: these cards leave players\[1\]"),
    ("stash", all_of(at("set_aside", 0, to=2)), r"set_aside\[0\]=2: these cards leave players\[0"),
    ("led", all_of(at("set_aside", 1, to=1), piles(1, side_at_the_end(HAND))),
     r"set_aside\[1\]=1: players\[1\] has just passed, and who sets cards aside has some to draw"),
    # recall
    ("serve", at("recalled", 0, to=True), r"recalled\[0\]=True: then players\[0\].backburner is"),
    ("complete", at("recalled", 0, to=True), r"recalled\[0\]=True: then players\[0\].backburn"),
    ("serve", piles(1, side("K1 K1 M1 R1 K2 M2 R2 K3 M3 R3 K5", "R5", "K6 K6 M1 R1 R2 R3 M5")),
     r"recalled\[1\]=True: then players\[1\].backburner holds at most what was set aside since"),
    ("stash", at("recalled", 0, to=True), r"recalled\[0\]=True: .*what was set aside since"),
    ("stash", at("recalled", 1, to=True), r"recalled\[1\]=True: .*what was set aside since"),
    ("led", all_of(at("recalled", 1, to=True), at("set_aside", 1, to=1)),
     r"recalled\[1\]=True: .*at most what was set aside since, not 2 cards"),
    ("won", at("recalled", 0, to=True),
     r"recalled\[0\]=True: then at least 8 cards are in players\[0\].hand, not 0"),
    ("end", all_of(at("recalled", 0, to=True)),
     r"recalled\[0\]=True: then at least 2 cards are to draw in this turn, not 0"),
    ("end", all_of(at("recalled", 1, to=True)),
     r"recalled\[1\]=True: then at least 8 cards are in players\[1\].hand, not 2"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "edit", "complaint"), IMPOSSIBLE)
def test_impossible_positions(base: str, edit: Callable[[Position], None], complaint: str) -> None:
    """An impossible position is refused with a text that says what is wrong."""
    position = copy.deepcopy(BASES[base]())
    edit(position)
    with pytest.raises(ValueError, match=complaint):
        read_position(VARIANTS[base], position)


def paths_of(entry: Any) -> Iterator[tuple[Any, ...]]:
    """Yield the path to every entry of a position, lists and what they hold."""
    keys = (
        entry if isinstance(entry, dict) else range(len(entry)) if isinstance(entry, list) else ()
    )
    for key in keys:
        yield (key,)
        yield from ((key, *rest) for rest in paths_of(entry[key]))


@pytest.mark.parametrize("base", ["complete", "stash", "won"])
def test_junk_in_any_entry(base: str) -> None:
    """Whatever an entry is replaced by is refused by the entry's name, in a short text."""
    paths = [path for path in paths_of(BASES[base]()) if path[-1] not in range(2, 60)]
    assert len(paths) > 35
    for path in paths:
        for value in junk(Config()):
            position = BASES[base]()
            at(*path, to=value)(position)
            with pytest.raises(ValueError, match=str(path[0])) as caught:
                read_position(VARIANTS[base], position)
            assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("base", BASES)
def test_any_other_value_is_possible_or_refused(base: str) -> None:
    """With any other number or card in some entry, a position is refused, or is that position."""
    config = VARIANTS[base]
    for path in paths_of(BASES[base]()):
        for value in (None, True, False, 0, 1, 2, 3, "K6", "R1 R2 R3 + M5", [], {}):
            position = BASES[base]()
            at(*path, to=value)(position)
            try:
                again = GAME.position_to_dict(read_position(config, position)[0])
            except ValueError:
                continue
            assert json.dumps(again) == json.dumps(in_order(position))


def in_order(position: Position) -> Position:
    """Return a position with its piles in order."""
    for player in position["players"]:
        for pile in player.values():
            pile.sort(key=CARDS.index)
    return position


@pytest.mark.parametrize("position", [None, [], "serve", 3])
def test_no_mapping(position: Any) -> None:
    """What is no mapping is refused."""
    with pytest.raises(ValueError, match="must be a mapping"):
        read_position(Config(), position)


def test_recalled_in_this_turn_or_an_earlier_one() -> None:
    """Who recalled this turn has no backburner; who passed then may have one again (GS-8)."""
    emptied = serving(recalled=[True, True])
    emptied["players"][0] = side(HAND, "", "R6 R6")
    assert read_position(Config(), emptied)["recalled"].tolist() == [[1, 1]]
    passing = stashing(recalled=[True, False])
    passing["players"][0] = side("K1 M1 R1 K2 M2 R2 M3 R3 K4 M4", "K3", "R6 R6")
    assert read_position(Config(), passing)["recalled"].any()
    with pytest.raises(ValueError, match=r"recalled: must be \[false, false\] in a variant with"):
        read_position(Config(recall=False), emptied)
    assert not read_position(Config(recall=False), ending())["recalled"].any()


def test_score_of_a_single_game() -> None:
    """A match has no more games than the variant."""
    with pytest.raises(ValueError, match=r"score\[0\]=2: must be an integer from 0 to 1"):
        read_position(Config(), won())
    with pytest.raises(ValueError, match="who wins 3 games wins the match"):
        read_position(Config(best_of=5), won())


@pytest.mark.parametrize("first", [0, 1])
def test_starters_alternate(first: int) -> None:
    """With a fixed starter of the first game, that of every game is known (GS-10)."""
    config = Config(best_of=3, starter=first)
    second = {"score": [0, 1], "games_played": 1}
    for position, due in (
        (serving(), first),
        (serving() | second, 1 - first),
        (won(), first),  # of the third and last game
        (won(score=[2, 0], games_played=2), 1 - first),
    ):
        assert read_position(config, {**position, "starter": due})["starter"] == due
        with pytest.raises(
            ValueError, match=f"starter={1 - due} with games_played=.*must be {due}"
        ):
            read_position(config, {**position, "starter": 1 - due})
