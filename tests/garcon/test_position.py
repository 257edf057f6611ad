"""Positions as JSON: round trips, forms of writing, and what is refused."""

from __future__ import annotations

import copy
import dataclasses
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from garcon_env import GAME, Config, tables
from garcon_env.position import read_position
from garcon_env.state import OVER, PILE

from .playing import JUNK
from .playing import VARIANTS as CONFIGS
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
            opened("coffee;tea;sandwich;croissant", 5, repeat=True),
            opened("lemonade;steak", 3),
            opened("hot chocolate", 1, notebook=True),
            completed="*coffee tea;salad",
            last=did("notebook"),
        ),
        player(opened("coffee;salad", 0), last=did("take", 2, "coffee;salad")),
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
        player(opened("lemonade;steak", 0), last=did("take", 1, "lemonade;steak")),
        player(opened("coffee;salad", 1, notebook=True), last=did("notebook")),
        player(last=did("leave")),
        player(last=did("pass")),
    ]
    out = [face("coffee")]
    return study(*players, **{"clock": 3, "order_discards": out, **changes})


def won(**changes: Any) -> Position:
    """Return a game that player 3 has won."""
    done = "*coffee;omelette;fruit_tart tea;soup;pancakes"
    players = [*crowd()[:3], player(completed=done, last=did("complete"))]
    market = [face(dishes) for dishes in (*MARKET[:2], "orange juice;soup", *MARKET[3:])]
    position = turn(
        players=players, phase="over", winner=3, final_round=True, to_act=3, market_orders=market
    )
    return {**position, **changes}


def reached(**changes: Any) -> Position:
    """Return a position where player 0, who may stop after each order, has just scored."""
    return turn(players=[{**crowd()[0], "last": did("complete")}, *crowd()[1:]], **changes)


CLOCK_OF_3 = Config(clock=True, clock_places=3)


def begun() -> Position:
    """Return a position in which player 0 has had the first turn of the game."""
    nothing = {"open": [], "completed": [], "points": 0, "last": None}
    taken = player(opened("coffee;salad", 0), last=did("take", 2, "coffee;salad"))
    return study(taken, nothing, nothing, nothing, to_act=1, turns_done=1)


NO_TARGET = dataclasses.replace(CONFIGS["small_deck"], target=1000)
"""A small deck, whose orders may all be completed before the end."""


def passed() -> Position:
    """Return a game with a small deck that has ended since nobody could do anything."""
    completed = [
        [(["wine"], 3, True), (["rice", "stew"], 1, False)],
        [(["water", "stew"], 7, False), (["water", "wine", "rice"], 300, False)],
        [(["wine"], 3, False), (["rice"], 2, False)],
    ]
    players = [
        {
            "open": [],
            "completed": [{"face": face, "repeat": repeat} for face, _, repeat in orders],
            "points": sum(points * (1 + repeat) for _, points, repeat in orders),
            "last": did("pass"),
        }
        for orders in completed
    ]
    for one in players:
        one["completed"].sort(key=lambda order: len(order["face"]))
    return {
        **study(*players, phase="over", winner=1, to_act=1, turns_done=38, market_orders=[None] * 5,
                order_pile=[]),
        "event_pile": {"repeat": 3, "notebook": 5, "leave": 3},
    }  # fmt: skip


def over_soon(who: int) -> Position:
    """Return a position with that deck where only one player, who has just taken, can act."""
    players = passed()["players"]
    taker = players.pop()
    taken = {"face": ["wine"], "back": ["glass"], "repeat": False, "notebook": False, "age": 0}
    taker |= {"completed": taker["completed"][1:], "points": 2, "open": [taken]}
    taker["last"] = did("take", 0, "wine")
    players.insert(who, taker)
    return {
        **passed(), "phase": "turn", "winner": None, "players": players,
        "market_events": ["repeat", "notebook"],
        "event_pile": {"repeat": 3, "notebook": 4, "leave": 4},
    }  # fmt: skip


BASES: dict[str, Callable[..., Position]] = {
    "turn": turn, "naming": naming, "choose": choosing, "clock": clocked, "won": won,
    "begun": begun, "passed": passed,
}  # fmt: skip


def config_of(base: str) -> Config:
    """Return the variant of a base."""
    if base == "passed":
        return NO_TARGET
    return Config(clock=True) if base == "clock" else Config()


@pytest.mark.parametrize("base", BASES)
def test_bases_are_possible(base: str) -> None:
    """The positions that the refusals start from are read, and written alike."""
    again = GAME.position_to_dict(read_position(config_of(base), BASES[base]())[0])
    assert again == BASES[base]()
    assert list(again) == list(BASES[base]())


def stopped() -> Position:
    """Return a position whose player 3 has stopped completing, which `complete="any"` allows."""
    players = crowd()
    players[3] = player(opened("tea;sandwich", 1), completed="lemonade", last=did("complete"))
    return turn(players=players)


# -- Forms of writing --------------------------------------------------------------------------


def test_dictionary_is_as_documented() -> None:
    """Forms are those of the documentation page, in plain JSON types."""
    position = GAME.position_to_dict(read_position(Config(), naming())[0])
    assert position["players"][0]["open"][1] == {
        "face": ["lemonade", "steak"], "back": ["drink", "plate"], "repeat": False,
        "notebook": False, "age": 3,
    }  # fmt: skip
    assert position["players"][0]["completed"] == [
        {"face": ["coffee"], "repeat": True}, {"face": ["tea", "salad"], "repeat": False},
    ]  # fmt: skip
    assert [one["points"] for one in position["players"]] == [4, 0, 0, 1]
    assert position["players"][0]["last"] == {"did": "notebook", "slot": None, "face": None}
    assert position["players"][1]["last"] == {"did": "take", "slot": 2, "face": ["coffee", "salad"]}
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
    position["players"][0] = player(opened("lemonade;steak", 1), completed="coffee")
    position = study(*position["players"], phase="choose")
    dealt = seated(Config(), position)
    actions = np.flatnonzero(dealt.action_mask[0])
    assert [GAME.action_to_text(dealt.state[0], int(a)) for a in actions] == ["complete 0"]
    dealt.step(actions)
    assert GAME.position_to_dict(dealt.state[0])["naming"] == {"order": 0, "said": []}


def test_passes_are_made_while_reading() -> None:
    """Who can only pass has passed when a position is read, so that somebody has a choice."""
    position = {**over_soon(2), "to_act": 0, "turns_done": 36}
    again = GAME.position_to_dict(read_position(NO_TARGET, position)[0])
    assert (again["to_act"], again["turns_done"], again["phase"]) == (2, 38, "turn")
    assert [one["last"]["did"] for one in again["players"]] == ["pass", "pass", "take"]
    assert again["players"][2]["open"][0]["age"] == 0
    dealt = seated(NO_TARGET, position)
    actions = np.flatnonzero(dealt.action_mask[0])
    texts = [GAME.action_to_text(dealt.state[0], int(action)) for action in actions]
    assert texts == ["complete 0", "repeat 0", "notebook 0"]


def test_passes_made_while_reading_may_end_the_game() -> None:
    """As many as there are players do (GA-10)."""
    position = {**passed(), "phase": "turn", "winner": None, "to_act": 2}
    position["players"][2]["last"] = did("complete")
    again = GAME.position_to_dict(read_position(NO_TARGET, position)[0])
    assert (again["phase"], again["winner"], again["turns_done"]) == ("over", 1, 39)
    assert {one["last"]["did"] for one in again["players"]} == {"pass"}
    dealt = seated(NO_TARGET, position)
    assert dealt.terminated[0]
    assert not dealt.action_mask.any()
    assert dealt.rewards[0].tolist() == [-0.5, 1, -0.5]


def test_passes_made_while_reading_may_cut_the_game() -> None:
    """At the end of the round that reaches the limit."""
    config = dataclasses.replace(NO_TARGET, max_turns=36)
    position = {**over_soon(0), "turns_done": 34, "to_act": 1}
    again = GAME.position_to_dict(read_position(config, position)[0])
    assert (again["phase"], again["truncated"], again["turns_done"]) == ("over", True, 36)
    assert (again["to_act"], again["winner"]) == (2, None)
    assert [one["last"]["did"] for one in again["players"]] == ["take", "pass", "pass"]


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
        (Config(), turn(to_act=2, turns_done=42)),
        (Config(), turn(to_act=1, first_player=3, turns_done=42)),
        (Config(target=4, complete="any"), reached(final_round=True, to_act=1, turns_done=41)),
        (Config(recall=None, complete="any"), choosing()),
        (CLOCK_OF_3, clocked(to_act=1, turns_done=41, final_round=True)),
        (CLOCK_OF_3, clocked(phase="choose", first_player=1, to_act=1, final_round=True)),
        (Config(), turn(truncated=True, phase="over", turns_done=200, to_act=3)),
        (Config(max_turns=38), turn(truncated=True, phase="over", to_act=3)),
        (CLOCK_OF_3, clocked(phase="choose", final_round=True)),
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


def from_pile(slot: int) -> Edit:
    """Return an edit that lays the first order of the pile in a slot."""

    def edit(position: Position) -> None:
        position["market_orders"][slot] = position["order_pile"].pop(0)

    return edit


def complete(dishes: str) -> Edit:
    """Return an edit that gives player 0 an order of the pile, of one dish, as completed."""

    def edit(position: Position) -> None:
        position["order_pile"].remove(face(dishes))
        position["players"][0]["completed"].append({"face": face(dishes), "repeat": False})
        position["players"][0]["points"] += 1

    return edit


def uncompleted(who: int) -> Edit:
    """Return an edit that puts a player's completed orders, and their Repeats, into the piles."""

    def edit(position: Position) -> None:
        one = position["players"][who]
        position["order_pile"] += [order["face"] for order in one["completed"]]
        position["event_pile"]["repeat"] += sum(order["repeat"] for order in one["completed"])
        one["completed"], one["points"] = [], 0

    return edit


def not_opened(position: Position) -> None:
    """Let player 0 have done nothing, and put its open order into the pile."""
    one = position["players"][0]
    position["order_pile"].append(one["open"].pop()["face"])
    one["last"] = None


def to_market(points: int) -> Edit:
    """Return an edit that lays the first completed order of player 1 on the table."""

    def edit(position: Position) -> None:
        one = position["players"][1]
        position["market_orders"][0] = one["completed"].pop(0)["face"]
        one["points"] -= points

    return edit


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
     r"open\[1\].age=3: must be below 1, since orders are kept oldest first, and one is taken in "),
    ("turn", at("players", 0, "open", 2, "age", to=3), r"open\[2\].age=3: must be below 3"),
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
    ("turn", at("players", 2, "last", "slot", to=0), r"players\[2\].last: slot and face must be n"),
    ("turn", at("players", 2, "last", "face", to=["tea"]), "slot and face must be null unless an "),
    ("turn", at("players", 1, "last", "slot", to=5), r"last.slot=5: must be an integer from 0 to "),
    ("turn", at("players", 1, "last", "slot", to=None), r"last.slot=None: must be an integer from"),
    ("turn", at("players", 1, "last", "face", to=None), r"last.face=None: must be a list"),
    ("turn", at("players", 1, "last", "face", to=["gin"]), r"last.face='gin': must be one of coff"),
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
    ("turn", all_of(to_discards(1), no_pile, at("turns_done", to=160)),
     "market_orders: a slot is empty, though there are orders"),
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
    ("naming", all_of(at("to_act", to=2), at("turns_done", to=42)),
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
    ("turn", at("to_act", to=1), "to_act=1: must be 0 with turns_done=40"),
    ("turn", at("turns_done", to=41), "to_act=0: must be 1 with turns_done=41"),
    ("turn", at("first_player", to=2), "to_act=0: must be 2 with turns_done=40"),
    ("naming", at("turns_done", to=42), "to_act=0: must be 2 with turns_done=42"),
    ("choose", at("first_player", to=1), "to_act=0: must be 1 with turns_done=40"),
    ("choose", all_of(at("to_act", to=2), at("turns_done", to=42)),
     r"phase='choose': players\[2\] has no open order"),
    ("turn", at("turns_done", to=200), "turns_done=200, final_round=False: the game is over"),
    ("turn", at("final_round", to=True), "turns_done=40, final_round=True: the game is over"),
    ("turn", all_of(at("final_round", to=True), at("to_act", to=1), at("turns_done", to=41)),
     "final_round=True: must be False, by the points and target=8"),
    ("won", at("final_round", to=False), "final_round=False: must be True, by the points and targ"),
    ("clock", all_of(at("final_round", to=True), at("to_act", to=1), at("turns_done", to=41)),
     "final_round=True: must be False, by the clock"),
    ("clock", at("clock", to=17), "clock=17: must be an integer from 0 to 16"),
    ("clock", at("clock", to=None), "clock=None: must be an integer from 0 to 16"),
    ("turn", at("clock", to=0), "clock=0: must be null in a variant without a clock"),
    ("turn", at("winner", to=0), "phase='turn', winner=0, truncated=False: a game is over either "),
    ("turn", at("truncated", to=True), "phase='turn', winner=None, truncated=True: a game is over"),
    ("won", at("winner", to=None), "phase='over', winner=None, truncated=False: a game is over ei"),
    ("won", at("truncated", to=True), "phase='over', winner=3, truncated=True: a game is over eit"),
    ("turn", at("turns_done", to=204), "turns_done=204: must be at most 200, the end of the game"),
    ("won", all_of(at("turns_done", to=201), at("to_act", to=0)),
     "turns_done=201: must be at most 200, the end of the game"),
    ("turn", all_of(at("phase", to="over"), at("truncated", to=True), at("to_act", to=3)),
     "turns_done=40, final_round=False: a game is truncated after 200 turns, unless this is the"),
    ("won", all_of(at("winner", to=None), at("truncated", to=True), at("turns_done", to=200)),
     "turns_done=200, final_round=True: a game is truncated after 200 turns, unless"),
    ("turn", at(*first("age"), to=10),
     r"players\[0\].open\[0\].age=10: must be below 10, the turns that it has finished with turns"),
    ("turn", at("turns_done", to=0), r"age=5: must be below 0, the turns that it has finished wit"),
    ("turn", at("players", 1, "open", 0, "age", to=10), r"players\[1\].open\[0\].age=10: must be "),
    ("clock", all_of(at("phase", to="choose"), at("to_act", to=1)),
     r"phase='choose': players\[0\] has open orders, but has named all of them by now"),
    ("clock", all_of(at("phase", to="over"), at("winner", to="draw"), at("to_act", to=3)),
     r"phase='over': players\[0\] has open orders, but has named all"),
    ("won", at("winner", to=0), "winner: must be 3 by the points"),
    ("won", at("winner", to="draw"), "winner: must be 3 by the points"),
    # the beginning
    ("turn", at("players", 2, "last", to=None),
     r"players\[2\].last: must be what it did, with 10 turns finished at turns_done=40"),
    ("begun", at("players", 1, "last", to=did("leave")),
     r"players\[1\].last: must be null, with 0 turns finished at turns_done=1"),
    ("begun", at("players", 0, "last", to=did("leave")),
     r"players\[0\].last: the first turn of the game takes an order \(GA-2\)"),
    ("begun", all_of(complete("tea"), at("turns_done", to=0), at("to_act", to=0), not_opened),
     r"players\[0\]: .* take at least 2 turns, but it has finished 0 with turns_done=0"),
    ("begun", complete("tea"), r"players\[0\]: .* at least 3 turns, but it has finished 1"),
    ("begun", all_of(to_discards(0), from_pile(0)), "turns_done=1: must be at least 2, for all or"),
    ("begun", all_of(at("event_discards", "leave", to=1), at("event_pile", "leave", to=2)),
     "turns_done=1: must be at least 2, for all orders and events that are neither on the table"),
    ("choose", all_of(uncompleted(0), at("order_discards", to=[])),
     "phase='choose': .* has turned over an order in this turn, but there is none"),
    # last turns
    ("turn", at("players", 1, "last", "face", to=["tea", "salad"]),
     r"players\[1\].open\[0\].face: must be that of last.face, which it took in its last turn"),
    ("turn", at("players", 1, "last", "face", to=["tea", "soup"]),
     r"players\[1\].last.face: no order has this face"),
    ("turn", at("players", 1, "last", to=did("leave")),
     r"players\[1\].open\[0\].age=0: must be above 0, since its last turn took no order"),
    ("turn", all_of(at("players", 1, "open", 0, "age", to=1),
                    at("players", 2, "last", to=did("complete"))),
     r"players\[1\].last: after 'take' it has an open order of age 0, unless another player has"),
    ("turn", at("players", 2, "last", to=did("repeat")),
     r"players\[2\].last: after 'repeat' it has an open order with this event, unless another"),
    ("turn", at("players", 0, "last", to=did("pass")),
     r"players\[0\].last: after 'pass' it has no open order before its next turn"),
    ("turn", at("players", 0, "last", to=did("complete")),
     r"players\[0\].last: after 'complete' it has no open order before its next turn"),
    ("clock", all_of(*(at("players", who, "last", to=did("pass")) for who in range(4)),
                     at("players", 0, "open", 0, "age", to=1)),
     r"last: everybody has passed, so the turns are over \(GA-10\)"),
    ("turn", at("players", 0, "open", 2, "age", to=0),
     r"open\[2\].age=0: must be at least 1, a turn for each later order and each event on them"),
    ("turn", all_of(at(*first("age"), to=3), at("players", 0, "open", 1, "age", to=2)),
     r"open\[0\].age=3: must be at least 4, a turn for each later order and each event"),
    # the clock
    ("clock", at("clock", to=2), "clock=2: 3 orders are open, completed or discarded, so that ma"),
    ("clock", at("clock", to=4), "clock=4: 3 orders are open, completed or discarded, so that ma"),
    ("clock", at("clock", to=16), "clock=16: 3 orders are open, completed or discarded"),
    ("clock", all_of(complete("tea"), at("clock", to=4)),
     r"players\[0\].completed: with a clock orders are named at the end, from the first player"),
    # the end
    ("turn", all_of(at("phase", to="over"), at("winner", to=0), at("to_act", to=3)),
     "phase='over', turns_done=40, final_round=False: turns end with the last round, or when ever"),
    ("won", all_of(at("turns_done", to=42), at("to_act", to=1)),
     r"players\[3\].points=9: it reached the target in this round, so with turns_done=42 its las"),
    ("won", at("players", 3, "last", to=did("leave")),
     r"players\[3\].points=9: it reached the target in this round, so with turns_done=40 its las"),
    ("won", at("to_act", to=0), "to_act=0: must be 3 with turns_done=40"),
    ("clock", at("phase", to="choose"), "phase='choose', turns_done=40, final_round=False: turns "),
    ("passed", at("players", 1, "last", to=did("leave")), "turns end with the last round, or when"),
    ("passed", to_market(7), r"market_orders: nobody passes while there are orders to take"),
    ("passed", all_of(at("winner", to=None), at("truncated", to=True), at("turns_done", to=150),
                      at("to_act", to=2)),
     "turns_done=150, .*: a game is truncated after 150 turns, unless .* everybody has passed"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "edit", "complaint"), IMPOSSIBLE)
def test_impossible_positions(base: str, edit: Edit, complaint: str) -> None:
    """An impossible position is refused with a text that says what is wrong."""
    position = copy.deepcopy(BASES[base]())
    edit(position)
    with pytest.raises(ValueError, match=complaint):
        read_position(config_of(base), position)


def entries(position: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every entry of a position, however deep."""
    keys = position if isinstance(position, dict) else range(len(position))
    paths = [(*path, key) for key in keys]
    for key in keys:
        if isinstance(position[key], (dict, list)):
            paths += entries(position[key], (*path, key))
    return paths


@pytest.mark.parametrize("base", ["naming", "clock"])
def test_junk_in_any_entry_is_refused(base: str) -> None:
    """Whatever stands at whatever place is refused with a short text that names the place.

    Or it is another way of writing what was there, or of another position.
    """
    config, taken = config_of(base), 0
    paths = entries(BASES[base]())
    paths = [path for path in paths if path[0] != "order_pile" or path[1:2] < (2,)]
    complaints: list[tuple[Any, str]] = []
    for path in paths:
        for junk in JUNK:
            position = copy.deepcopy(BASES[base]())
            at(*path, to=junk)(position)
            try:
                again = GAME.position_to_dict(read_position(config, position)[0])
            except ValueError as refused:
                complaints.append((path[0], str(refused)))
                continue
            assert GAME.position_to_dict(read_position(config, again)[0]) == again
            taken += 1
    assert 0 < taken < len(paths)
    assert max(len(complaint) for _, complaint in complaints) < 2500
    for name, complaint in complaints:
        assert any(word in complaint for word in (name, "to_act", "events", "deck")), complaint


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
    with pytest.raises(ValueError, match="turns_done=40, final_round=False: the game is over"):
        read_position(Config(max_turns=38), turn())
    with pytest.raises(ValueError, match=r"players\[0\].points=4: its completed orders make"):
        read_position(VARIANTS["printed"], turn())
    with pytest.raises(ValueError, match="final_round=False: must be True, by the clock"):
        read_position(CLOCK_OF_3, clocked(to_act=1, turns_done=41))
    with pytest.raises(ValueError, match=r"players\[2\].last: there is no leave in this game"):
        read_position(
            Config(events={"repeat": 5, "notebook": 5}),
            turn(market_events=["repeat", "notebook"],
                 event_pile={"repeat": 2, "notebook": 3, "leave": 0}),
        )  # fmt: skip
    with pytest.raises(ValueError, match=r"players\[3\].last: after 'complete' it has no open"):
        read_position(Config(), stopped())
    read_position(Config(complete="any"), stopped())


def test_draws() -> None:
    """A tie at the top is a draw and nothing else (GA-7)."""
    tied = won()
    done = "*coffee;salad;pancakes lemonade;salad;ice_cream"
    tied["players"][0] = player(completed=done, last=did("complete"))
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
