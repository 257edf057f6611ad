"""Positions as JSON: round trips, forms of writing, and what is refused."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from garcon_env import GAME, Config, tables
from garcon_env.position import read_position
from garcon_env.state import OVER, PILE

from .states import (
    MARKET,
    ORDERS,
    VARIANTS,
    Position,
    did,
    face,
    likely_actions,
    opened,
    player,
    positions,
    seated,
    study,
)

OF_THE_LAST_ACTION = ("rng", "gainer", "gained")
"""The stream, and what the last action scored: what comes next does not depend on it."""

NUMBERS = ("order", "market", "place", "owner", "with_repeat", "face", "order_points", "back")
"""Fields that hold numbers of orders or are read by them; equal orders may change theirs."""

# -- Round trips -------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_round_trip(variant: str) -> None:
    """A position, sent through JSON, gives back the table, but for the numbers of equal orders."""
    config = VARIANTS[variant]
    phases = set()
    for table in positions(config, seed=1, per_kind=5):
        position = json.loads(json.dumps(GAME.position_to_dict(table)))
        phases.add(position["phase"])
        again = GAME.position_from_dict(config, position)
        assert GAME.position_to_dict(again) == position
        for name in table.dtype.names:
            if name in OF_THE_LAST_ACTION or name in NUMBERS:
                continue
            assert np.array_equal(again[name], table[name]), name
        if not config.fresh:
            assert np.array_equal(again["face"], table["face"])
            for name in ("market", "order"):
                assert np.array_equal(faces(again, name), faces(table, name))
    assert phases == {"turn", "naming", "choose", "over"}


def faces(table: np.void, name: str) -> Any:
    """Return the faces of the orders in a field, 0 for none."""
    return np.where(table[name] >= 0, table["face"][table[name]], 0)


def looks_like(again: Any, original: Any) -> None:
    """Check that two sets of tables hand out the same."""
    for name in ("observation", "action_mask", "current_player", "terminated", "truncated"):
        assert np.array_equal(getattr(again, name), getattr(original, name)), name


@pytest.mark.parametrize("variant", ["rulebook", "any", "clock", "printed", "3_players"])
def test_position_goes_on_like_the_original(variant: str) -> None:
    """With the same random stream, a position that was read goes on like the original."""
    config = VARIANTS[variant]
    seen = positions(config, seed=2)
    original, again = (
        tables(len(seen), 0, config=config, autoreset_mode="NextStep") for _ in range(2)
    )
    read = np.concatenate([read_position(config, GAME.position_to_dict(t)) for t in seen])
    read["rng"] = seen["rng"]
    again.state, original.state = read, seen
    assert (seen["phase"] == OVER).any()
    rng = np.random.default_rng(3)
    for _ in range(40):
        looks_like(again, original)
        action = likely_actions(original, rng)
        original.step(action)
        again.step(action)
        assert np.array_equal(again.rewards, original.rewards)
    for one, other in zip(original.state[:30], again.state[:30], strict=True):
        assert GAME.position_to_dict(one) == GAME.position_to_dict(other)


@pytest.mark.parametrize("variant", ["memory", "perfect"])
def test_fresh_position_goes_on_like_the_original(variant: str) -> None:
    """With fresh orders too, but for which order is drawn: nothing tells these apart."""
    config = VARIANTS[variant]
    seen = positions(config, seed=2)
    seen = seen[seen["phase"] != OVER]
    original, again = (
        tables(len(seen), 0, config=config, autoreset_mode="NextStep") for _ in range(2)
    )
    read = np.concatenate([read_position(config, GAME.position_to_dict(t)) for t in seen])
    read["rng"] = seen["rng"]
    again.state, original.state = read, seen
    looks_like(again, original)
    action = likely_actions(original, np.random.default_rng(3))
    original.step(action)
    again.step(action)
    assert np.array_equal(again.rewards, original.rewards)
    for one, other in zip(original.state, again.state, strict=True):
        here, there = GAME.position_to_dict(one), GAME.position_to_dict(other)
        lots = [
            Counter(";".join(f) for f in (*p.pop("market_orders"), *p.pop("order_pile")) if f)
            for p in (here, there)
        ]
        assert lots[0] == lots[1]
        assert here == there


def test_random_stream_comes_from_the_seed() -> None:
    """`position_from_dict` starts a stream of its own for each seed."""
    streams = [GAME.position_from_dict(Config(), turn(), seed)["rng"].tolist() for seed in (0, 1)]
    assert streams[0] != streams[1]
    assert GAME.position_from_dict(Config(), turn())["rng"].tolist() == streams[0]


# -- Positions to start from -------------------------------------------------------------------


def crowd() -> list[Position]:
    """Return what lies before four players."""
    return [
        player(
            opened("coffee;tea;sandwich;croissant", 3, repeat=True),
            opened("lemonade;steak", 1),
            opened("hot chocolate", 0, notebook=True),
            completed="*coffee tea;salad",
            last=did("take", 2, "hot chocolate"),
        ),
        player(opened("coffee;salad", 2), last=did("notebook")),
        player(last=did("leave")),
        player(completed="lemonade", last=did("complete")),
    ]


def turn(**changes: Any) -> Position:
    """Return a position in the middle of a game: player 0 has a turn."""
    return study(*changes.pop("players", crowd()), **changes)


def naming(**changes: Any) -> Position:
    """Return the same position, in which player 0 has named a dish of its first order."""
    return turn(**{"phase": "naming", "naming": {"order": 0, "said": ["tea"]}, **changes})


def choosing(**changes: Any) -> Position:
    """Return the same position, in which player 0 has completed an order in this turn."""
    return turn(**{"phase": "choose", **changes})


def clocked(**changes: Any) -> Position:
    """Return a position of the clock variant with an order in discards."""
    players = [
        player(opened("lemonade;steak", 1), last=did("take", 1, "lemonade;steak")),
        player(opened("coffee;salad", 2), last=did("notebook")),
        player(last=did("leave")),
        player(last=did("pass")),
    ]
    out = [face("coffee")]
    return study(*players, **{"clock": 7, "order_discards": out, **changes})


def won(**changes: Any) -> Position:
    """Return a game that player 3 has won."""
    players = [*crowd()[:3], player(completed="*coffee;omelette;fruit_tart tea;soup;pancakes")]
    market = [face("tea"), face("orange juice"), None, None, None]
    position = turn(
        players=players, phase="over", winner=3, final_round=True, to_act=3, market_orders=market
    )
    return {**position, **changes}


BASES: dict[str, Callable[..., Position]] = {
    "turn": turn, "naming": naming, "choose": choosing, "clock": clocked, "won": won,
}  # fmt: skip


def config_of(base: str) -> Config:
    """Return the variant of a base."""
    return Config(clock=True) if base == "clock" else Config()


@pytest.mark.parametrize("base", BASES)
def test_bases_are_possible(base: str) -> None:
    """The positions that the refusals start from are read, and written alike."""
    again = GAME.position_to_dict(read_position(config_of(base), BASES[base]())[0])
    assert again == BASES[base]()
    assert list(again) == list(BASES[base]())


# -- Forms of writing --------------------------------------------------------------------------


def test_dictionary_is_as_documented() -> None:
    """Forms are those of the documentation page, in plain JSON types."""
    position = GAME.position_to_dict(read_position(Config(), naming())[0])
    assert position["players"][0]["open"][1] == {
        "face": ["lemonade", "steak"], "back": ["drink", "plate"], "repeat": False,
        "notebook": False, "age": 1,
    }  # fmt: skip
    assert position["players"][0]["completed"] == [
        {"face": ["coffee"], "repeat": True}, {"face": ["tea", "salad"], "repeat": False},
    ]  # fmt: skip
    assert [one["points"] for one in position["players"]] == [4, 0, 0, 1]
    assert position["players"][0]["last"] == {"did": "take", "slot": 2, "face": ["hot chocolate"]}
    assert position["players"][1]["last"] == {"did": "notebook", "slot": None, "face": None}
    assert position["market_orders"] == [face(dishes) for dishes in MARKET]
    assert position["event_pile"] == {"repeat": 2, "notebook": 4, "leave": 3}
    assert len(position["order_pile"]) == len(ORDERS) - 12
    assert position["naming"] == {"order": 0, "said": ["tea"]}
    assert (position["clock"], position["phase"], position["winner"]) == (None, "naming", None)
    assert json.loads(json.dumps(position)) == position


def test_cards_in_any_order() -> None:
    """Piles are multisets, and the dishes of a face may stand in any order."""
    shuffled = naming(to_act=np.int64(0))
    shuffled["order_pile"] = tuple(tuple(order[::-1]) for order in shuffled["order_pile"][::-1])
    shuffled["market_orders"] = [order[::-1] for order in shuffled["market_orders"]]
    for one in shuffled["players"]:
        one["completed"] = one["completed"][::-1]
        for order in one["open"]:
            order["face"] = order["face"][::-1]
    read = [GAME.position_to_dict(read_position(Config(), p)[0]) for p in (shuffled, naming())]
    assert read[0] == read[1]


def test_a_forced_decision_is_taken_as_it_is() -> None:
    """A position may hold a forced decision; its mask has a single 1."""
    position = choosing()
    position["players"][0] = player(opened("lemonade;steak", 1))
    position = study(*position["players"], phase="choose")
    dealt = seated(Config(), position)
    actions = np.flatnonzero(dealt.action_mask[0])
    assert [GAME.action_to_text(dealt.state[0], int(a)) for a in actions] == ["complete 0"]
    dealt.step(actions)
    assert GAME.position_to_dict(dealt.state[0])["naming"] == {"order": 0, "said": []}


def test_fresh_faces_need_the_backs_only() -> None:
    """With fresh orders any face of a known back is read; a deck that lacks it refuses it."""
    position = turn()
    position["market_orders"][1] = ["orange juice", "salad"]
    position["order_pile"][-1] = ["coffee", "lemonade", "omelette", "steak", "cheesecake"]
    config = Config(orders="fresh")
    assert (
        GAME.position_to_dict(read_position(config, position)[0])["market_orders"]
        == (position["market_orders"])
    )
    with pytest.raises(ValueError, match=r"market_orders\[1\]: .*the deck has no such order"):
        read_position(Config(), position)
    position["market_orders"][1] = ["orange juice", "tea"]
    with pytest.raises(ValueError, match=r"market_orders\[1\]: .*the deck has no such order"):
        read_position(config, position)


@pytest.mark.parametrize(
    ("variant", "position"),
    [
        (Config(), turn(to_act=2, turns_done=22)),
        (Config(), turn(to_act=1, first_player=3, turns_done=22)),
        (Config(target=4), turn(final_round=True, to_act=1, turns_done=21)),
        (Config(recall=None, complete="any"), choosing()),
        (Config(clock=True, clock_places=7), clocked(to_act=1, turns_done=21, final_round=True)),
        (Config(clock=True), clocked(phase="choose", first_player=1, to_act=1)),
        (Config(), turn(truncated=True, phase="over", turns_done=200)),
        (Config(max_turns=18), turn(truncated=True, phase="over")),
        (Config(clock=True, clock_places=7), clocked(phase="choose", final_round=True)),
    ],
)
def test_more_that_is_possible(variant: Config, position: Position) -> None:
    """Look-alikes of what is refused are read."""
    assert GAME.position_to_dict(read_position(variant, position)[0]) == position


# -- What is refused ---------------------------------------------------------------------------


Edit = Callable[[Position], None]


def at(*path: Any, to: Any) -> Edit:
    """Return an edit that sets one entry."""

    def edit(position: Position) -> None:
        entry: Any = position
        for key in path[:-1]:
            entry = entry[key]
        entry[path[-1]] = to

    return edit


def without(*path: Any) -> Edit:
    """Return an edit that removes one entry."""

    def edit(position: Position) -> None:
        entry: Any = position
        for key in path[:-1]:
            entry = entry[key]
        del entry[path[-1]]

    return edit


def all_of(*edits: Edit) -> Edit:
    """Return an edit that is several edits."""

    def edit(position: Position) -> None:
        for one in edits:
            one(position)

    return edit


def first(*path: Any) -> tuple[Any, ...]:
    """Return the path of an entry of the first open order of player 0."""
    return ("players", 0, "open", 0, *path)


def said(*dishes: str, order: int = 0) -> Edit:
    """Return an edit that sets what is being named."""
    return at("naming", to={"order": order, "said": list(dishes)})


def to_discards(slot: int) -> Edit:
    """Return an edit that discards an order of the table."""

    def edit(position: Position) -> None:
        position["order_discards"].append(position["market_orders"][slot])
        position["market_orders"][slot] = None

    return edit


def no_pile(position: Position) -> None:
    """Put the pile, which is an impossible thing to do, into the discards."""
    position["order_discards"] += position["order_pile"]
    position["order_pile"] = []


NOT_SAID = (
    "symbol after symbol, fewer than 4 dishes, of the symbols on the back at most {'drink': 2"
)

IMPOSSIBLE: list[tuple[str, Edit, str]] = [
    # keys and types
    ("turn", without("clock"), "the position has no clock; must have the keys market_orders, mark"),
    ("turn", at("turn", to=3), "has unknown turn"),
    ("turn", without("players", 1, "last"), r"players\[1\] has no last; must have the keys open, "),
    ("turn", at("players", 1, "hand", to=[]), r"players\[1\] has unknown hand"),
    ("turn", at("players", 0, to="tea"), r"players\[0\]='tea': must be a mapping"),
    ("turn", at("players", to={}), "players={}: must be a list"),
    ("turn", at("players", to=[]), "players: a list of 0; must be of 4"),
    ("turn", at("market_orders", to=None), "market_orders=None: must be a list"),
    ("turn", at("market_orders", to=[None] * 4), "market_orders: a list of 4; must be of 5"),
    ("turn", at("market_orders", 2, to="tea"), r"market_orders\[2\]='tea': must be a list"),
    ("turn", at("market_orders", 0, 0, to="beer"), r"market_orders\[0\]='beer': must be one of co"),
    ("turn", at("market_orders", 0, 0, to=1), r"market_orders\[0\]=1: must be one of coffee, tea"),
    ("turn", at("market_orders", 1, to=["tea", "tea"]), r"\['tea', 'tea'\]: 'tea' stands twice"),
    ("turn", at("market_events", to=[None]), "market_events: a list of 1; must be of 2"),
    ("turn", at("market_events", 1, to="Leave"), r"market_events\[1\]='Leave': must be one of rep"),
    ("turn", at("market_events", 1, to=2), r"market_events\[1\]=2: must be one of .* or null"),
    ("turn", at("order_pile", to=3), "order_pile=3: must be a list"),
    ("turn", at("order_pile", 0, to="tea"), "order_pile='tea': must be a list"),
    ("turn", at("order_discards", to={}), "order_discards={}: must be a list"),
    ("turn", at("event_pile", to=[1, 2, 3]), r"event_pile=\[1, 2, 3\]: must be a mapping"),
    ("turn", without("event_pile", "leave"), "event_pile has no leave; must have the keys repeat,"),
    ("turn", at("event_discards", "exit", to=1), "event_discards has unknown exit"),
    ("turn", at("event_pile", "leave", to=-1), "event_pile.leave=-1: must be an integer from 0 to"),
    ("turn", at("event_discards", "repeat", to=1.0), "event_discards.repeat=1.0: must be an integ"),
    ("turn", at("phase", to="TURN"), "phase='TURN': must be one of turn, naming, choose, over"),
    ("turn", at("phase", to=0), "phase=0: must be one of"),
    ("turn", at("to_act", to=4), "to_act=4: must be an integer from 0 to 3"),
    ("turn", at("to_act", to=None), "to_act=None: must be an integer from 0 to 3"),
    ("turn", at("first_player", to=-1), "first_player=-1: must be an integer from 0 to 3"),
    ("turn", at("first_player", to=True), "first_player=True: must be an integer from 0 to 3"),
    ("turn", at("turns_done", to=-4), "turns_done=-4: must be an integer from 0"),
    ("turn", at("turns_done", to=2**31), "turns_done=2147483648: must be an integer from 0"),
    ("turn", at("final_round", to=0), "final_round=0: must be true or false"),
    ("turn", at("truncated", to=None), "truncated=None: must be true or false"),
    ("turn", at("winner", to=4), "winner=4: must be an integer from 0 to 3, or 'draw', or null"),
    ("turn", at("winner", to="P0"), "winner='P0': must be an integer from 0 to 3, or 'draw', or n"),
    # open and completed orders
    ("turn", at("players", 0, "open", to=None), r"players\[0\].open=None: must be a list"),
    ("turn", at(*first(), to=["tea"]), r"players\[0\].open\[0\]=\['tea'\]: must be a mapping"),
    ("turn", without(*first("age")), r"players\[0\].open\[0\] has no age; must have the keys face"),
    ("turn", at(*first("points"), to=3), r"players\[0\].open\[0\] has unknown points"),
    ("turn", at(*first("face"), to="tea"), r"open\[0\].face='tea': must be a list"),
    ("turn", at(*first("face", 0), to="rum"), r"open\[0\].face='rum': must be one of coffee"),
    ("turn", at(*first("face"), to=["tea"] * 2), r"open\[0\].face=.*: 'tea' stands twice"),
    ("turn", at(*first("face", 3), to="ice cream"), r"open\[0\].face: .*: the deck has no such or"),
    ("turn", at(*first("back"), to="drink"), r"open\[0\].back='drink': must be a list"),
    ("turn", at(*first("back", 1), to="plate"),
     r"open\[0\].back=.*: must be \['drink', 'drink', 'plate', 'dessert'\], the symbols of its fa"),
    ("turn", at(*first("back"), to=["drink", "plate", "drink", "dessert"]), r"open\[0\].back=.*mu"),
    ("turn", at(*first("repeat"), to=1), r"open\[0\].repeat=1: must be true or false"),
    ("turn", at(*first("notebook"), to=None), r"open\[0\].notebook=None: must be true or false"),
    ("turn", at(*first("age"), to=-1), r"open\[0\].age=-1: must be an integer from 0 to"),
    ("turn", at(*first("age"), to="3"), r"open\[0\].age='3': must be an integer"),
    ("turn", at(*first("age"), to=1),
     r"open\[1\].age=1: must be below 1, since orders are kept oldest first, and one is taken in "),
    ("turn", at("players", 0, "open", 2, "age", to=2), r"open\[2\].age=2: must be below 1"),
    ("turn", at("players", 0, "completed", to=2), r"players\[0\].completed=2: must be a list"),
    ("turn", without("players", 3, "completed", 0, "repeat"), r"completed\[0\] has no repeat; mus"),
    ("turn", at("players", 3, "completed", 0, "repeat", to="no"), r"\[0\].repeat='no': must be tr"),
    ("turn", at("players", 3, "completed", 0, "face", to=[]), r"\[0\].face: \[\]: the deck has no"),
    ("turn", at("players", 3, "points", to=2), r"players\[3\].points=2: its completed orders make"),
    ("turn", at("players", 3, "points", to=None), r"players\[3\].points=None: must be an integer"),
    ("turn", at("players", 0, "completed", 0, "repeat", to=False), r"points=4: .* orders make 3"),
    # what was done last
    ("turn", at("players", 0, "last", to="take"), r"players\[0\].last='take': must be a mapping"),
    ("turn", without("players", 1, "last", "slot"), r"players\[1\].last has no slot; must have th"),
    ("turn", at("players", 1, "last", "did", to="name"), r"last.did='name': must be one of take, "),
    ("turn", at("players", 1, "last", "did", to=None), r"last.did=None: must be one of take, com"),
    ("turn", at("players", 1, "last", "slot", to=0), r"players\[1\].last: slot and face must be n"),
    ("turn", at("players", 1, "last", "face", to=["tea"]), "slot and face must be null unless an "),
    ("turn", at("players", 0, "last", "slot", to=5), r"last.slot=5: must be an integer from 0 to "),
    ("turn", at("players", 0, "last", "slot", to=None), r"last.slot=None: must be an integer from"),
    ("turn", at("players", 0, "last", "face", to=None), r"last.face=None: must be a list"),
    ("turn", at("players", 0, "last", "face", to=["gin"]), r"last.face='gin': must be one of coff"),
    ("clock", at("players", 2, "last", "did", to="complete"),
     r"players\[2\].last: with a clock nobody completes orders in a turn"),
    # the deck and the events
    ("turn", at("order_pile", 0, to=["tea", "soup"]), r"order_pile: \['tea', 'soup'\]: the deck h"),
    ("turn", at("order_discards", to=[["coffee"]]), r"order_pile|players|order_discards: \['coffe"),
    ("turn", at("order_discards", to=[["tea", "salad"]]), r"\['tea', 'salad'\]: the deck has no s"),
    ("turn", lambda p: p["order_pile"].pop(), "1 orders of the deck of 54 are nowhere, for one"),
    ("turn", at("order_pile", to=[]), "42 orders of the deck of 54 are nowhere, for one"),
    ("turn", at("event_pile", "leave", to=4),
     "events: 5 repeat, 5 notebook, 5 leave in all; there must be 5 repeat, 5 notebook, 4 leave"),
    ("turn", at("market_events", 0, to="notebook"), "events: 4 repeat, 6 notebook, 4 leave in all"),
    ("turn", at(*first("repeat"), to=False), "events: 4 repeat, 5 notebook, 4 leave in all"),
    ("turn", at(*first("notebook"), to=True), "events: 5 repeat, 6 notebook, 4 leave in all"),
    ("turn", at("event_discards", "repeat", to=1), "events: 6 repeat"),
    # slots
    ("turn", to_discards(1), "market_orders: a slot is empty, though there are orders to fill it"),
    ("turn", all_of(to_discards(1), no_pile), "market_orders: a slot is empty, though there are o"),
    ("turn", all_of(at("market_events", 0, to=None), at("event_pile", "repeat", to=3)),
     "market_events: a slot is empty, though there are events to fill it"),
    ("turn", all_of(at("market_events", 1, to=None), at("event_discards", "leave", to=1)),
     "market_events: a slot is empty, though there are events"),
    # naming
    ("turn", at("phase", to="naming"), "phase='naming', naming=None: in the phase 'naming' an ord"),
    ("naming", at("phase", to="turn"), "phase='turn', naming={'order': 0, 'said': .*and in no oth"),
    ("choose", said(), "phase='choose', naming={'order': 0, 'said'"),
    ("naming", at("naming", to=0), "naming=0: must be a mapping"),
    ("naming", without("naming", "said"), "naming has no said; must have the keys order, said"),
    ("naming", at("naming", "dish", to=0), "naming has unknown dish"),
    ("naming", said("tea", order=3), "naming.order=3: must be an integer from 0 to 2"),
    ("naming", said("tea", order=-1), "naming.order=-1: must be an integer from 0 to 2"),
    ("naming", said(order=2), "naming.order=2: an order under a Notebook is not named"),
    ("naming", all_of(at("to_act", to=2), at("turns_done", to=22)),
     r"naming: players\[2\] has no open order"),
    ("naming", at("naming", "said", to="tea"), "naming.said='tea': must be a list"),
    ("naming", said("water"), "naming.said='water': must be one of coffee"),
    ("naming", said("tea", "tea"), r"naming.said=\['tea', 'tea'\]: 'tea' stands twice"),
    ("naming", said("soup"), NOT_SAID),
    ("naming", said("tea", "soup"), NOT_SAID),
    ("naming", said("tea", "coffee", "lemonade"), NOT_SAID),
    ("naming", said("tea", "coffee", "croissant"), NOT_SAID),
    ("naming", said("tea", "coffee", "soup", "salad"), NOT_SAID),
    ("naming", said("tea", "coffee", "soup", "croissant"), NOT_SAID),
    ("naming", said("lemonade", "steak", order=1), "fewer than 2 dishes, of the symbols on the ba"),
    # turns and the end
    ("turn", at("to_act", to=1), "to_act=1: must be 0 with turns_done=20"),
    ("turn", at("turns_done", to=21), "to_act=0: must be 1 with turns_done=21"),
    ("turn", at("first_player", to=2), "to_act=0: must be 2 with turns_done=20"),
    ("naming", at("turns_done", to=22), "to_act=0: must be 2 with turns_done=22"),
    ("choose", at("first_player", to=1), "to_act=0: must be 1 with turns_done=20"),
    ("choose", all_of(at("to_act", to=2), at("turns_done", to=22)),
     r"phase='choose': players\[2\] has no open order"),
    ("turn", at("turns_done", to=200), "turns_done=200, final_round=False: the game is over"),
    ("turn", at("final_round", to=True), "turns_done=20, final_round=True: the game is over"),
    ("turn", all_of(at("final_round", to=True), at("to_act", to=1), at("turns_done", to=21)),
     "final_round=True: must be False, by the points and target=8"),
    ("won", at("final_round", to=False), "final_round=False: must be True, by the points and targ"),
    ("clock", all_of(at("clock", to=16), at("to_act", to=1), at("turns_done", to=21)),
     "final_round=False: must be True, by the clock"),
    ("clock", all_of(at("final_round", to=True), at("to_act", to=1), at("turns_done", to=21)),
     "final_round=True: must be False, by the clock"),
    ("clock", at("clock", to=17), "clock=17: must be an integer from 0 to 16"),
    ("clock", at("clock", to=None), "clock=None: must be an integer from 0 to 16"),
    ("turn", at("clock", to=0), "clock=0: must be null in a variant without a clock"),
    ("turn", at("winner", to=0), "phase='turn', winner=0, truncated=False: a game is over either "),
    ("turn", at("truncated", to=True), "phase='turn', winner=None, truncated=True: a game is over"),
    ("won", at("winner", to=None), "phase='over', winner=None, truncated=False: a game is over ei"),
    ("won", at("truncated", to=True), "phase='over', winner=3, truncated=True: a game is over eit"),
    ("turn", at("turns_done", to=204), "turns_done=204: must be at most 200, the end of the game"),
    ("won", at("turns_done", to=201), "turns_done=201: must be at most 200, the end of the game"),
    ("turn", all_of(at("phase", to="over"), at("truncated", to=True)),
     "turns_done=20, final_round=False: a game is truncated after 200 turns, unless this is the"),
    ("won", all_of(at("winner", to=None), at("truncated", to=True), at("turns_done", to=200)),
     "turns_done=200, final_round=True: a game is truncated after 200 turns, unless"),
    ("turn", at(*first("age"), to=5),
     r"players\[0\].open\[0\].age=5: must be below 5, the turns that it has finished with turns"),
    ("turn", at("turns_done", to=0), r"age=3: must be below 0, the turns that it has finished wit"),
    ("turn", at("players", 1, "open", 0, "age", to=5), r"players\[1\].open\[0\].age=5: must be b"),
    ("clock", all_of(at("phase", to="choose"), at("to_act", to=1)),
     r"phase='choose': players\[0\] has open orders, but has named all of them by now"),
    ("clock", all_of(at("phase", to="over"), at("winner", to="draw")),
     r"phase='over': players\[0\] has open orders, but has named all"),
    ("won", at("winner", to=0), "winner: must be 3 by the points"),
    ("won", at("winner", to="draw"), "winner: must be 3 by the points"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "edit", "complaint"), IMPOSSIBLE)
def test_impossible_positions(base: str, edit: Edit, complaint: str) -> None:
    """An impossible position is refused with a text that says what is wrong."""
    position = copy.deepcopy(BASES[base]())
    edit(position)
    with pytest.raises(ValueError, match=complaint):
        read_position(config_of(base), position)


@pytest.mark.parametrize("position", [None, [], "turn", 3])
def test_no_mapping(position: Any) -> None:
    """What is no mapping is refused."""
    with pytest.raises(ValueError, match="must be a mapping"):
        read_position(Config(), position)


def test_what_a_variant_refuses() -> None:
    """Some positions are possible in other variants only."""
    with pytest.raises(ValueError, match="first_player=0: must be that of the variant, 2"):
        read_position(Config(first_player=2), turn())
    with pytest.raises(ValueError, match=r"players\[0\].open: 3 orders; at most 2 are allowed"):
        read_position(Config(max_open_orders=2), turn())
    with pytest.raises(ValueError, match="players: a list of 4; must be of 3"):
        read_position(Config(players=3), turn())
    with pytest.raises(ValueError, match="there must be 4 repeat, 5 notebook, 0 leave"):
        read_position(Config(events={"repeat": 4, "notebook": 5}), turn())
    with pytest.raises(ValueError, match="turns_done=20, final_round=False: the game is over"):
        read_position(Config(max_turns=18), turn())
    with pytest.raises(ValueError, match=r"players\[0\].points=4: its completed orders make"):
        read_position(VARIANTS["printed"], turn())


def test_draws() -> None:
    """A tie at the top is a draw and nothing else (GA-7)."""
    tied = won()
    tied["players"][0] = player(completed="*coffee;salad;pancakes lemonade;salad;ice_cream")
    market = tied["market_orders"]
    position = study(
        *tied["players"], phase="over", winner="draw", final_round=True, to_act=3,
        market_orders=market,
    )  # fmt: skip
    assert read_position(Config(), position)["winner"] == -2
    for winner in (0, 3):
        with pytest.raises(ValueError, match="winner: must be draw by the points"):
            read_position(Config(), {**position, "winner": winner})


def test_the_pile_is_what_is_nowhere_else() -> None:
    """Every order of a position that was read has its place."""
    table = read_position(Config(), turn())[0]
    assert table["order_pile"] == (table["place"] == PILE).sum() == 42
