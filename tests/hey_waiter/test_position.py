"""Positions as JSON: round trips, forms of writing, and what is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from hey_waiter_env import GAME, Config, tables
from hey_waiter_env.position import read_position
from hey_waiter_env.state import OVER

from .playing import JUNK, VARIANTS, complaint, play, positions, seat_player, seated, study

Position = dict[str, Any]


# -- Round trips -------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_round_trip(variant: str) -> None:
    """A position, sent through JSON, gives back the table in every field but the stream."""
    config = VARIANTS[variant]
    phases = set()
    for table in positions(config, seed=1):
        position = json.loads(json.dumps(GAME.position_to_dict(table)))
        phases.add(position["phase"])
        again = GAME.position_from_dict(config, position)
        for name in table.dtype.names:
            if name != "rng":
                assert np.array_equal(again[name], table[name]), name
        assert GAME.position_to_dict(again) == position
    assert phases == {"draft", "play", "over"}


def test_position_goes_on_like_the_original() -> None:
    """With the same random stream, a position that was read goes on like the original."""
    config = VARIANTS["4_partnership"]
    original = tables(1, 0, config=config, autoreset_mode="Disabled")
    again = tables(1, 0, config=config, autoreset_mode="Disabled")
    for table in positions(config, seed=2):
        state = read_position(config, GAME.position_to_dict(table))
        state["rng"] = table["rng"]
        again.state = state
        original.state = table.reshape(1)
        assert np.array_equal(again.action_mask, original.action_mask)
        if table["phase"] != OVER:
            action = original.sample_actions()
            original.step(action)
            again.step(action)
            assert np.array_equal(again.state, original.state)


def test_random_stream_comes_from_the_seed() -> None:
    """`position_from_dict` starts a stream of its own for each seed."""
    config = VARIANTS["2_players"]
    position = two_players()
    streams = [GAME.position_from_dict(config, position, seed)["rng"].tolist() for seed in (0, 1)]
    assert streams[0] != streams[1]
    assert GAME.position_from_dict(config, position)["rng"].tolist() == streams[0]


# -- Forms of writing --------------------------------------------------------------------------


def two_players(**changes: Any) -> Position:
    """Return a position of two players, rich in covers, busboys and discards."""
    position = study(
        VARIANTS["2_players"],
        seat_player("BGRWW", "G WGRB", "R RRG +B", serve="G"),
        seat_player("WWGGRR", "B BB"),
        turn=17,
        start_seat=1,
        last=["W>R lift 1", "G>R"],
    )
    position["draw"] = {**position["draw"], "W": position["draw"]["W"] - 3}
    return {**position, "discard": "WWW", **changes}


def test_dictionary_is_as_documented() -> None:
    """Keys, order and forms are those of the documentation page."""
    config = VARIANTS["2_players"]
    position = GAME.position_to_dict(GAME.position_from_dict(config, two_players()))
    assert list(position) == [
        "phase", "seats", "teams", "start_seat", "to_act", "turn", "players", "covers", "draw",
        "discard", "draft", "last", "winner", "truncated",
    ]  # fmt: skip
    assert position["players"][0] == {
        "hand": "WWGRB",
        "stacks": [
            {"card": "G", "dishes": "WGRB", "cover": None},
            {"card": "R", "dishes": "RRG", "cover": "B"},
        ],
        "busboys": {"W": "face", "G": "serve", "R": "face", "B": "face"},
    }
    assert position["covers"] == "WGR"
    assert position["discard"] == {"W": 3, "G": 0, "R": 0, "B": 0}
    assert {type(n) for n in position["draw"].values()} == {int}
    assert position["last"] == ["W>R lift 1", "G>R"]


def test_secret_position_tells_all() -> None:
    """With secret teams the true sides and the public ones are told."""
    config = VARIANTS["secret_2v2"]
    position = GAME.position_to_dict(positions(config, seed=0)[0])
    assert list(position)[2:4] == ["teams", "revealed"]
    assert sorted(position["teams"]) == [0, 0, 1, 1]
    assert position["revealed"] == []


@pytest.mark.parametrize(
    "change",
    [
        {"covers": "RGW"},
        {"covers": {"W": 1, "G": 1, "R": 1, "B": 0}},
        {"covers": {"W": 1, "G": 1, "R": 1}},
        {"discard": {"W": 3, "G": 0, "R": 0, "B": 0}},
        {"discard": {"W": 3}},
        {"draw": "".join(c * n for c, n in two_players()["draw"].items())[::-1]},
        {"seats": (0, 1)},
        {"players": [{**two_players()["players"][0], "hand": {"B": 1, "G": 1, "R": 1, "W": 2}},
                     two_players()["players"][1]]},
        {"turn": np.int64(17)},
    ],
)  # fmt: skip
def test_ways_of_writing(change: Position) -> None:
    """Multisets are letters in any order, or counts."""
    config = VARIANTS["2_players"]
    assert read_position(config, two_players(**change)) == read_position(config, two_players())


def test_letters_of_a_discard_in_any_order() -> None:
    """The last action is written in the order of the colours."""
    config = VARIANTS["2_players"]
    table = read_position(config, two_players(last=["discard BWGW", None]))[0]
    assert GAME.position_to_dict(table)["last"] == ["discard WWGB", None]


def test_a_forced_decision_is_taken_as_it_is() -> None:
    """A position may hold a forced decision; its mask has a single 1."""
    config = VARIANTS["handicap"]
    position = study(
        config, seat_player("WWWWWWW"), seat_player("WGGRRB", "B WGRBWGRB"),
        phase="draft", draft=["WGRBWGRBWGRB", None], last=[None, "pick 0 on B"],
    )  # fmt: skip
    dealt = seated(config, position)
    assert dealt.action_mask.sum() == 1
    assert play(dealt, "pick 0 on W")["phase"] == "play"


# -- What is refused ---------------------------------------------------------------------------


def secret(**changes: Any) -> Position:
    """Return a position of 2 against 2 with secret teams, in which player 3 ran out once."""
    return study(
        VARIANTS["secret_2v2"],
        seat_player("WGRBWG", "W WGRB"),
        seat_player("WGRBWG", "G WGRB"),
        seat_player("WGRBWG", "R WGRB"),
        seat_player("WGRBWGR"),
        teams=[1, 0, 0, 1],
        **{"revealed": [0, 1], **changes},
    )


def draft(**changes: Any) -> Position:
    """Return the draft of two players after the first pick."""
    return study(
        VARIANTS["2_players"],
        seat_player("WGRBWGR"),
        seat_player("WGRBWG", "W WGRBWGRBWGRB"),
        phase="draft",
        **{
            "draft": ["WGRBWGRBWGRW", None],
            "last": [None, "pick 1 on W"],
            **changes,
        },
    )


def double_duty(**changes: Any) -> Position:
    """Return the draft of Double Duty after two picks, by players 2 and 1."""
    stack = "W WGRBWGRBWGRB"
    return study(
        VARIANTS["double_duty"],
        seat_player("WGRBWGR"),
        seat_player("WGRBWG", stack),
        seat_player("WGRBWG", stack),
        phase="draft",
        **{
            "start_seat": 0,
            "to_act": 1,
            "draft": [None, "WGRBWGRBWGRB", None, "WGRBWGRBWGRB"],
            **changes,
        },
    )


def won(**changes: Any) -> Position:
    """Return two players after player 0 served its last dish."""
    return study(
        VARIANTS["2_players"],
        seat_player("WGRBW"),
        seat_player("WGRBWG", "W WGRB"),
        **{"phase": "over", "turn": 9, "winner": 0, **changes},
    )


def first(**changes: Any) -> Position:
    """Return partners after the first turn, by player 1."""
    players = [seat_player("GGRRBB", "W W") for _ in range(4)]
    return study(VARIANTS["4_partnership"], *players, turn=1, to_act=2, **changes)


def dealt(**changes: Any) -> Position:
    """Return two players before the first turn, which is player 1's."""
    players = [seat_player("WGRBWG", "W WGRBWGRBWGRB") for _ in range(2)]
    return study(VARIANTS["2_players"], *players, turn=0, to_act=1, **changes)


def bare(**changes: Any) -> Position:
    """Return partners who play without covers."""
    players = [seat_player("GGRRBB", "W W") for _ in range(4)]
    return study(VARIANTS["no_covers"], *players, **changes)


def uneven(**changes: Any) -> Position:
    """Return two players of whom one was dealt more dishes."""
    players = [seat_player("GGRRBB", "W W") for _ in range(2)]
    return study(UNEVEN, *players, **changes)


UNEVEN = Config((0, 1), dishes=(3, 5))

BASES = {
    "play": two_players,
    "draft": draft,
    "double": double_duty,
    "secret": secret,
    "won": won,
    "first": first,
    "dealt": dealt,
    "bare": bare,
    "uneven": uneven,
}
BASE_VARIANTS = {
    "first": "4_partnership",
    "dealt": "2_players",
    "bare": "no_covers",
    "play": "2_players",
    "draft": "2_players",
    "double": "double_duty",
    "secret": "secret_2v2",
    "won": "2_players",
}


def base_config(base: str) -> Config:
    """Return the variant of a base."""
    return VARIANTS[BASE_VARIANTS[base]] if base in BASE_VARIANTS else UNEVEN


@pytest.mark.parametrize("base", BASES)
def test_bases_are_possible(base: str) -> None:
    """The positions that the refusals start from are read."""
    config = base_config(base)
    again = GAME.position_to_dict(read_position(config, BASES[base]())[0])
    assert again["players"][1]["stacks"] == BASES[base]()["players"][1]["stacks"]


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


def both(first: Any, second: Any) -> Callable[[Position], None]:
    """Return an edit that is two edits."""

    def edit(position: Position) -> None:
        first(position)
        second(position)

    return edit


SECOND_STACK = {"card": "W", "dishes": "WG", "cover": None}

IMPOSSIBLE = [
    # keys and types
    ("play", without("covers"), "has no covers"),
    ("play", at("cover", to=""), "has unknown cover"),
    ("play", at("revealed", to=[]), "has unknown revealed"),
    ("secret", without("revealed"), "has no revealed"),
    ("play", without("players", 0, "hand"), r"players\[0\] has no hand"),
    ("play", at("players", 0, "name", to="Ann"), r"players\[0\] has unknown name"),
    ("play", without("players", 0, "stacks", 1, "cover"), r"stacks\[1\] has no cover"),
    ("play", at("players", 0, to="Ann"), r"players\[0\]='Ann': must be a mapping"),
    ("play", at("players", to={}), "players={}: must be a list"),
    ("play", at("phase", to="PLAY"), "phase='PLAY': must be one of draft, play, over"),
    ("play", at("phase", to=1), "phase=1: must be one of draft, play, over"),
    ("play", at("turn", to="17"), "turn='17': must be an integer from 0 to 599"),
    ("play", at("turn", to=True), "turn=True: must be an integer"),
    ("play", at("truncated", to=0), "truncated=0: must be true or false"),
    ("play", at("discard", to=3), "discard=3: must be letters of WGRB, or counts"),
    ("play", at("discard", to="WWw"), "discard='WWw': must be letters of WGRB"),
    ("play", at("discard", to={"w": 3}), "discard={'w': 3}: must be letters of WGRB, or counts"),
    ("play", at("draw", "W", to=-1), "draw.W=-1: must be an integer from 0"),
    ("play", at("draw", "W", to=1.5), "draw.W=1.5: must be an integer"),
    # seats, sides, progress
    ("play", at("seats", to=[1, 0]), r"seats=\[1, 0\]: must be those of the variant, \[0, 1\]"),
    ("play", at("seats", to=[0, 1, 2]), "seats: a list of 3; must be of 2"),
    ("play", at("teams", to=[1, 0]), r"teams=\[1, 0\]: must be those of the variant"),
    ("play", at("teams", to=[0, 2]), r"teams\[1\]=2: must be an integer from 0 to 1"),
    ("secret", at("teams", to=[0, 0, 0, 1]), "no drawing"),
    ("play", at("start_seat", to=2), "start_seat=2: must be an integer from 0 to 1"),
    ("play", at("to_act", to=-1), "to_act=-1: must be an integer from 0 to 1"),
    ("play", at("turn", to=600), "turn=600: must be an integer from 0 to 599"),
    ("draft", at("turn", to=1), "turn=1: must be an integer from 0 to 0"),
    ("won", at("turn", to=0), "turn=0: must be an integer from 1 to 600"),
    ("play", at("winner", to=0), "phase='play', winner=0"),
    ("play", at("winner", to=2), "winner=2: must be an integer from 0 to 1, or null"),
    ("play", at("truncated", to=True), "phase='play', winner=None, truncated=True"),
    ("won", at("winner", to=None), "phase='over', winner=None, truncated=False"),
    ("won", at("truncated", to=True), "phase='over', winner=0, truncated=True"),
    ("won", at("winner", to=1), "must be 0"),
    ("won", at("phase", to="play"), "phase='play', winner=0"),
    ("won", both(at("phase", to="play"), at("winner", to=None)), "together they must be 7"),
    ("won", both(at("winner", to=None), at("truncated", to=True)), "must be at turn 600"),
    ("play", both(at("phase", to="over"), at("winner", to=1)), "must be 5 after the play"),
    # cards
    ("play", at("players", 0, "hand", to="BGRWR"), "W 21 G 22 R 23 B 22; there must be 22"),
    ("play", at("players", 0, "hand", to="BGRWWW"), "W 23"),
    ("play", at("players", 0, "hand", to="BGRWWWWW"), "8 cards; at most 7 are allowed"),
    ("play", at("players", 0, "stacks", 0, "card", to="B"), "G 21 R 22 B 23"),
    ("play", at("players", 0, "stacks", 0, "card", to="X"), r"stacks\[0\].card='X': must be one"),
    ("play", at("players", 0, "stacks", 0, "card", to=None), "card=None: must be one of W, G"),
    ("play", at("draw", "W", to=23), "draw: W 23"),
    ("play", both(at("draw", "B", to=0), at("discard", to="WWW" + "B" * 19)), "B 21; there must"),
    ("play", both(at("players", 1, "hand", to="WWGGR"), at("discard", to="WWWR")),
     r"players\[1\]: 5 cards in hand and 1 stacks; together they must be 7"),
    ("play", lambda p: p.update(discard={**p["draw"], "W": p["draw"]["W"] + 3}, draw=""),
     "draw: no card"),
    # stacks, dishes, covers, busboys
    ("play", at("players", 0, "stacks", to=[SECOND_STACK] * 6), "6 stacks; at most 5 are allowed"),
    ("play", at("players", 0, "stacks", 0, "dishes", to=""), "a stack without dishes"),
    ("play", at("players", 0, "stacks", 0, "dishes", to="WYRB"), "dishes='WYRB': must be letters"),
    ("play", at("players", 0, "stacks", 0, "dishes", to={"W": 2}), "must be letters"),
    ("play", at("players", 0, "stacks", 0, "dishes", to="WGRBWGRBWG"), "13 dishes; at most 12"),
    ("secret", at("players", 0, "stacks", 0, "dishes", to="W" * 13), "13 dishes; at most 12"),
    ("secret", at("players", 0, "stacks", 0, "dishes", to="W" * 11), "dishes: W 13 G"),
    ("play", at("players", 0, "stacks", 1, "cover", to="Y"), "cover='Y': must be one of"),
    ("play", at("players", 0, "stacks", 1, "cover", to=None), "covers on the table and on stacks"),
    ("play", at("players", 0, "stacks", 0, "cover", to="W"), "W 2 G 1 R 1 B 1; there must be 1"),
    ("play", at("covers", to="WWGR"), "covers: W 2"),
    ("play", at("players", 0, "busboys", "W", to="back"), "must be one of face, serve"),
    ("play", without("players", 0, "busboys", "W"), "busboys has no W"),
    ("play", at("players", 0, "busboys", to="WG"), "busboys='WG': must be a mapping"),
    # the draft
    ("play", at("draft", to=[None, None]), "draft: a list of 2; must be of 0"),
    ("draft", at("draft", to=[]), "draft: a list of 0; must be of 2"),
    ("draft", at("draft", 0, to="WGRB"), r"draft\[0\]: 4 dishes; must be 12, or null"),
    ("draft", at("draft", 0, to="W" * 12), "W 15 G 3 R 3 B 3; there are 12 of each"),
    ("draft", at("to_act", to=1), "seats \\[\\] have picked, but of the stacks \\[1\\] are taken"),
    ("draft", at("start_seat", to=1), "seats \\[\\] have picked, but of the stacks"),
    ("draft", at("draft", 1, to="WGRBWGRBWGRB"), "but of the stacks \\[\\] are taken"),
    ("draft", at("players", 1, "stacks", 0, "dishes", to="WG"), "must have stacks of \\[12\\]"),
    ("draft", at("players", 1, "busboys", "W", to="serve"), "all busboys show their face side"),
    ("draft", at("last", 0, to="pick 1 on W"), "player 0 has picked no stack"),
    ("draft", at("last", 1, to="pick 0 on W"), "stack 0 is not taken"),
    ("draft", at("last", 1, to="pick 1 on G"), "another card is under the newest stack"),
    ("draft", at("last", 1, to="G>R"), "must be a pick, or null, in the draft"),
    ("double", at("to_act", to=0), "but of the stacks \\[0, 2\\] are taken"),
    ("double", at("to_act", to=2), "seats \\[3\\] have picked, but of the stacks"),
    ("double", at("start_seat", to=1), "seats \\[0, 3, 2\\] have picked, but"),
    ("double", at("last", to=[None, "pick 2 on W", "pick 2 on W"]), "or by another player"),
    # last actions
    ("play", at("last", to=[None]), "last: a list of 1; must be of 2"),
    ("play", at("last", 0, to=7), r"last\[0\]=7: must be the text of an action, or null"),
    ("play", at("last", 0, to="serve all"), r"last\[0\]: 'serve all' is no action"),
    ("play", at("last", 0, to="R>B P2.1"), "player=2: must be an integer from 0 to 1"),
    ("play", at("last", 0, to="pick 2 on W"), "stack=2: must be an integer from 0 to 1"),
    ("play", at("last", 0, to="B>W 0.12 new W"), "height=12: must be an integer from 0 to 11"),
    ("play", at("last", 0, to="B>W take P1 0.0 new W"), "player 1 is no partner of player 0"),
    ("secret", at("last", 0, to="B>W take P0 0.0 new W"), "player 0 is no partner of player 0"),
    ("secret", at("last", 0, to="B>W take P1 0.0 new W"), "player 1 is no partner of player 0"),
    ("secret", at("last", 0, to="B>W take P3 0.12 new W"), "height=12"),
    ("play", at("last", 0, to="B>W 0.1 onto 0"), "a stack cannot be moved onto itself"),
    ("play", at("last", 0, to="pick 0 on W"), "by turn=17 player 0 has taken a turn since"),
    ("first", at("last", 0, to="G>W"), "by turn=1 player 0 has taken no turn yet"),
    ("first", at("last", to=["pick 1 on W", None, "pick 1 on R", None]),
     r"last\[2\]='pick 1 on R': another player has picked stack 1"),
    ("play", at("last", 0, to="W>G serve 0"), r"players\[0\].busboys.G must be 'face'"),
    ("play", at("last", 0, to="W>R turn"), r"players\[0\].busboys.R must be 'serve'"),
    ("play", at("last", 0, to="W>R lift 0 turn"), r"players\[0\].busboys.R must be 'serve'"),
    ("play", at("last", 0, to="discard WWGGRRB"), "of 7 cards one is under a stack"),
    ("bare", at("last", 0, to="R>B P1.0"), "the variant has no covers"),
    ("bare", at("last", 0, to="W>B lift 0"), "the variant has no covers"),
    ("uneven", at("last", 0, to="B>W 0.3 new R"), "height=3: must be an integer from 0 to 2"),
    # turns
    ("play", at("to_act", to=1), "after turn=17 turns clockwise from start_seat=1 it must be 0"),
    ("play", at("start_seat", to=0), "start_seat=0 it must be 1, the seat to act"),
    ("play", at("turn", to=16), "after turn=16 turns"),
    ("won", at("start_seat", to=1), "start_seat=1 it must be 1, the seat that acted last"),
    ("dealt", at("players", 0, "stacks", 0, "dishes", to="WGRBWGRBWG"),
     r"turn=0: seats \[0, 1\] have picked, so players\[0\] must have stacks of \[12\] dishes, not"),
    ("dealt", at("players", 1, "busboys", "R", to="serve"), "all busboys show their face side"),
    ("dealt", both(at("players", 1, "stacks", 0, "cover", to="R"), at("covers", to="WGB")),
     "before the first turn nothing is discarded"),
    ("dealt", both(at("draw", "R", to=19), at("discard", to="R")), "turn=0: before the first turn"),
    # what is public
    ("secret", at("revealed", to=[]), r"revealed=\[\]: must be \[0, 1\]"),
    ("secret", at("revealed", to=[1]), r"revealed=\[1\]: must be \[0, 1\]"),
    ("secret", at("revealed", to=[1, 0, 1]), "names a side twice"),
    ("secret", at("revealed", to=[2]), r"revealed\[0\]=2: must be an integer from 0 to 1"),
    # the end
    ("won", at("last", 0, to="discard W"), "player 0 ended the game, which must be by serving"),
    ("won", at("last", 0, to="W>R turn"), "must be 'serve'"),
    ("won", at("last", 0, to="W>R lift 0"), "player 0 ended the game, which must be by serving"),
    ("secret", lambda p: p["players"].__setitem__(0, seat_player("WGRBWGW")),
     "no player of side 1 has dishes, so the game is over and its winner must be 1"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "edit", "complaint"), IMPOSSIBLE)
def test_impossible_positions(base: str, edit: Callable[[Position], None], complaint: str) -> None:
    """An impossible position is refused with a text that says what is wrong."""
    position = copy.deepcopy(BASES[base]())
    edit(position)
    with pytest.raises(ValueError, match=complaint):
        read_position(base_config(base), position)


def entries(position: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every entry of a position, however deep."""
    keys = position if isinstance(position, dict) else range(len(position))
    paths = [(*path, key) for key in keys]
    for key in keys:
        if isinstance(position[key], (dict, list)):
            paths += entries(position[key], (*path, key))
    return paths


@pytest.mark.parametrize("base", BASES)
def test_junk_in_any_entry_is_refused(base: str) -> None:
    """Whatever stands at whatever place is refused with a short text that names the place.

    Or it is another way of writing what was there, or of another position.
    """
    config = base_config(base)
    for path in entries(BASES[base]()):
        names = [key for key in path if isinstance(key, str)]
        names += {"cover": ["covers"], "draw": ["cards"], "phase": ["turn"]}.get(path[-1], [])
        taken = []
        for junk in JUNK:
            position = copy.deepcopy(BASES[base]())
            at(*path, to=junk)(position)
            refusal = complaint(lambda position=position: read_position(config, position))
            if refusal is None:
                taken.append(position)
                continue
            assert any(name in refusal for name in names), (path, refusal)
            assert len(refusal) < 1000
        assert len(taken) <= 6, path
        for position in taken:
            again = GAME.position_to_dict(read_position(config, position)[0])
            assert GAME.position_to_dict(read_position(config, again)[0]) == again


@pytest.mark.parametrize("position", [None, [], "play", 3])
def test_no_mapping(position: Any) -> None:
    """What is no mapping is refused."""
    with pytest.raises(ValueError, match="must be a mapping"):
        read_position(VARIANTS["2_players"], position)


def test_winner_is_first_clockwise() -> None:
    """Of several sides without dishes, the first clockwise from the acting seat has won."""
    config = VARIANTS["3_players"]
    ended = study(
        config, seat_player("WGRBWGR"), seat_player("WGRB", "W WGRB"), seat_player("WGRBWGR"),
        phase="over", turn=5, to_act=1, winner=2,
    )  # fmt: skip
    assert read_position(config, ended)["winner"] == 2
    with pytest.raises(ValueError, match="winner must be 2"):
        read_position(config, {**ended, "winner": 0})


def test_starting_seat_of_the_variant() -> None:
    """A fixed starting seat holds for positions, too."""
    config = Config((0, 1), starting_seat=0)
    with pytest.raises(ValueError, match="start_seat=1: must be that of the variant, 0"):
        read_position(config, two_players())


def test_unequal_draft() -> None:
    """With unequal dishes the stacks of the seats that have picked are taken, and no others."""
    config = VARIANTS["handicap"]
    position = study(
        config, seat_player("WGRBWGR"), seat_player("WGRBWG", "B WGRBWGRB"),
        phase="draft", draft=["WGRBWGRBWGRB", None],
    )  # fmt: skip
    assert read_position(config, position)["taken"].tolist() == [[0, 1]]
    position["draft"] = [None, "WGRBWGRB"]
    with pytest.raises(ValueError, match=r"seats \[1\] have picked, but of the stacks \[0\]"):
        read_position(config, position)
    position["last"] = [None, "pick 1 on B"]
    with pytest.raises(ValueError, match="stack=1: must be an integer from 0 to 0"):
        read_position(config, position)


def test_players_who_take_hold_what_was_dealt_to_their_side() -> None:
    """A partner may hold another's dishes, but a side no more than was dealt to it."""
    config = Config((0, 1, 0, 2), (0, 1, 1), dishes=4)
    twice = seat_player("WGRBW", "W WGRB", "G WGRB")
    possible = study(config, twice, seat_player("WGRBWG", "W WGRB"), seat_player("WGRBWGR"))
    with pytest.raises(ValueError, match="at most 4 are allowed"):
        read_position(
            config,
            study(config, twice, seat_player("WGRBWG", "W WGRBW"), seat_player("WGRBWGR")),
        )
    assert read_position(config, possible)["num_stacks"].tolist() == [[2, 1, 0]]


def test_elimination_at_the_deal() -> None:
    """A side that elimination tells is public from the deal on, and must be told."""
    config = Config((0, 1, 2, 1), (0, 1, 0), secret_teams=True)
    position = GAME.position_to_dict(positions(config, seed=0, per_kind=1)[0])
    assert position["phase"] == "draft"
    assert position["revealed"] == [0, 1]
    with pytest.raises(ValueError, match=r"revealed=\[\]: must be \[0, 1\]"):
        read_position(config, {**position, "revealed": []})
