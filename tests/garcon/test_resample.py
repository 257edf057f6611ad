"""Resampling: what a player does not know is dealt anew, and nothing else changes (GA-13)."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from garcon_env import GAME, Config, tables
from garcon_env.agents import blank_memory
from garcon_env.state import NAMING, NONE, OPEN, PILE
from tests import resampling
from tests.chance import assert_as_likely
from waiter_envs import Decisions, ImpossiblePositionError, RuleAgent

from .states import (
    BACKS,
    MENU,
    ORDERS,
    VARIANTS,
    did,
    face,
    opened,
    player,
    positions,
    seated,
    shown,
    study,
)
from .test_invariants import assert_sound
from .test_leaks import both as both_exchanged
from .test_leaks import unseen_orders

HIDDEN = {"rng", "order", "place", "face", "last_face"}
PLAYED = {**VARIANTS, **{f"preset {name}": config for name, config in GAME.presets.items()}}


def both(variant: str, seed: int = 3) -> tuple[Any, Any, Any]:
    """Return positions of all kinds, the same resampled, and who looks at each."""
    config = PLAYED[variant]
    before, viewers = resampling.for_each_viewer(config, positions(config, seed, 3))
    return before, resampling.resampled(GAME, config, before, viewers, 21), viewers


@pytest.mark.parametrize("variant", PLAYED)
def test_the_player_sees_the_same_and_the_position_is_legal(variant: str) -> None:
    before, after, viewers = both(variant)
    resampling.assert_looks_the_same(GAME, PLAYED[variant], before, after, viewers)
    resampling.assert_legal(GAME, PLAYED[variant], after)
    assert_sound(PLAYED[variant], after)


@pytest.mark.parametrize("variant", PLAYED)
def test_all_that_is_hidden_changes_and_nothing_else(variant: str) -> None:
    config = PLAYED[variant]
    before, after, viewers = both(variant)
    for name in before.dtype.names:
        assert name in HIDDEN or np.array_equal(before[name], after[name]), name
    others = np.arange(config.players) != viewers[:, None]
    assert np.array_equal(before["last_face"][others], after["last_face"][others])
    assert (before["rng"] != after["rng"]).any(axis=1).all()
    changed, hidden = 0, 0
    for one, other, viewer in zip(before, after, viewers.tolist(), strict=True):
        unseen = unseen_orders(config, one, [viewer])
        for spot in zip(*np.nonzero(one["order"] >= 0), strict=True):
            faces = [table["face"][table["order"][spot]] for table in (one, other)]
            backs = [table["back"][table["order"][spot]] for table in (one, other)]
            assert backs[0] == backs[1]
            assert faces[0] == faces[1] or spot in unseen
        for spot in unseen:
            hidden += 1
            changed += one["face"][one["order"][spot]] != other["face"][other["order"][spot]]
        up = ~np.isin(one["place"], (OPEN, PILE))
        assert np.array_equal(one["place"][up], other["place"][up])
        assert np.array_equal(one["face"][up], other["face"][up])
    assert changed > 0.6 * hidden > 60
    if config.fresh:
        covered = before["place"] == PILE
        assert (before["face"] != after["face"])[covered & (after["place"] == PILE)].mean() > 0.8


@pytest.mark.parametrize("variant", VARIANTS)
def test_nothing_peeks(variant: str) -> None:
    """Positions that look the same give the same sample."""
    _, before, after, viewers = both_exchanged(variant)
    resampling.assert_no_peeking(GAME, VARIANTS[variant], before, after, viewers)


@pytest.mark.parametrize("variant", VARIANTS)
def test_play_goes_on(variant: str) -> None:
    config = VARIANTS[variant]
    _, after, _ = both(variant, 5)
    dealt = resampling.at(GAME, config, after)
    live = (~resampling.over(after)).sum()
    seen = resampling.play_on(dealt, 40, lambda state: assert_sound(config, state))
    assert seen > 10 * live


# -- With a memory -----------------------------------------------------------------------------


def remembering(variant: str, agent: str, steps: int = 60) -> tuple[Any, Any, Any]:
    """Return positions of play between rule-based agents, with what the player to act remembers.

    Returns:
        Live positions `(n,)`, its memory at each `(n,)`, and the agent's name for errors.
    """
    config = VARIANTS[variant]
    dealt = tables(48, 2, config=config)
    player_of_all = RuleAgent(GAME, agent, 1)
    states, memories = [], []
    for step in range(steps):
        decisions = Decisions.at(dealt)
        actions = player_of_all.act(decisions)
        if step % 6 == 5:
            here = decisions.table, decisions.player
            states.append(dealt.state.copy())
            memories.append(player_of_all.memories(decisions)[here].copy())
        dealt.step(actions)
        player_of_all.reset(np.flatnonzero(dealt.terminated | dealt.truncated))
    return np.concatenate(states), np.concatenate(memories), config


@pytest.mark.parametrize("agent", ["heuristic", "forgetful"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_remembered_stays(variant: str, agent: str) -> None:
    """Own faces that the agent has in mind stay, the others change; nothing is seen of it."""
    before, memories, config = remembering(variant, agent)
    viewers = before["current_player"].copy()
    after = resampling.resampled(GAME, config, before, viewers, 4, memories)
    resampling.assert_looks_the_same(GAME, config, before, after, viewers)
    resampling.assert_legal(GAME, config, after[::9])
    assert_sound(config, after)
    kept = forgotten = changed = 0
    for one, other, memory, viewer in zip(before, after, memories, viewers.tolist(), strict=True):
        written = GAME.position_to_dict(one)["players"][viewer]["open"]
        mind = dict(zip(memory["round"].tolist(), memory["face"].tolist(), strict=True))
        for place, order in enumerate(written):
            faces = [int(t["face"][t["order"][viewer, place]]) for t in (one, other)]
            taken = int(one["turns_done"]) // config.players - 1 - order["age"]
            if shown(config, order) or mind.get(taken, 0):
                kept += 1
                assert faces[0] == faces[1]
            else:
                forgotten += 1
                changed += faces[0] != faces[1]
    assert kept > 100
    if agent == "forgetful" and config.recall is not None:
        assert forgotten > 50
        assert changed > 0.5 * forgotten


def test_the_memory_stays_as_it_is() -> None:
    before, memories, config = remembering("rulebook", "forgetful", 12)
    kept = memories.copy()
    resampling.resampled(GAME, config, before, before["current_player"], 4, memories)
    assert np.array_equal(memories, kept)


# -- As often as counted -----------------------------------------------------------------------

LONG = Config(players=3, target=100_000, max_turns=5000)


def back_of(dishes: str) -> tuple[str, ...]:
    """Return the symbols of an order."""
    return tuple(MENU[dish] for dish in face(dishes))


def late(
    mine: Any, *theirs: Any, pile: list[str], config: Config = LONG, **changes: Any
) -> np.void:
    """Return a position in which all orders are discarded but for those before players and a few.

    Args:
        mine: what lies before player 0.
        *theirs: before the others.
        pile: orders to draw.
        config: the variant.
        **changes: entries of the position.
    """
    held = Counter(pile)
    for one in (mine, *theirs):
        held.update(";".join(order["face"]) for order in one["open"])
    market = [face(dishes) for dishes in MARKET_ORDERS]
    held.update(MARKET_ORDERS)
    rest = [face(dishes) for dishes in (Counter(ORDERS) - held).elements()]
    position = study(
        mine,
        *theirs,
        market_orders=market,
        order_pile=[face(dishes) for dishes in pile],
        order_discards=rest,
        turns_done=300,
        **changes,
    )
    return seated(config, position).state[0].copy()


MARKET_ORDERS = [order for order in ORDERS if len(order.split(";")) == 5][:5]


def faces_of(table: np.void, *spots: tuple[int, int]) -> tuple[int, ...]:
    """Return the faces of open orders, by player and place."""
    return tuple(int(table["face"][table["order"][spot]]) for spot in spots)


def number(dishes: str) -> int:
    """Return a face as the record has it."""
    return sum(1 << list(MENU).index(dish) for dish in face(dishes))


def deals(pool: list[str], count: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to lay so many orders of a pool in places, each order on its own."""
    yield from itertools.permutations(map(number, pool), count)


SINGLES = ["coffee", "tea", "tea", "lemonade", "orange juice", "orange juice"]
PAIRS = ["coffee;soup", "tea;salad", "lemonade;steak"]


def example(**changes: Any) -> np.void:
    """Return a position where player 0 has forgotten an order, and others have three, one told."""
    return late(
        player(opened("coffee", 3), last=did("repeat")),
        player(opened("tea", 4), opened("coffee;soup", 2), last=did("leave")),
        player(opened("tea", 5), opened("lemonade", 0)),
        pile=["orange juice", "orange juice", "tea;salad", "lemonade;steak"],
        market_events=["leave", "notebook"],
        **changes,
    )


SPOTS = (0, 0), (1, 0), (1, 1), (2, 0), (2, 1)


def outcome(table: np.void) -> tuple[int, ...]:
    """Return the faces of all open orders of the example."""
    return faces_of(table, *SPOTS)


def test_every_deal_of_the_faces_is_as_likely() -> None:
    """Orders of each back change places among those that do not show; one was just taken."""
    table = example()
    singles = [order for order in SINGLES if order != "lemonade"]
    outcomes = [
        (one[0], one[1], pair[0], one[2], number("lemonade"))
        for one in deals(singles, 3)
        for pair in deals(PAIRS, 1)
    ]
    resampling.assert_as_counted(GAME, LONG, table, 0, outcomes, outcome, draws=12_000)


def test_what_is_remembered_is_with_nobody_else() -> None:
    """A remembered order is out of the others' hands, one of two equal ones leaves the other."""
    table = example()
    (memory,) = blank_memory(table.dtype)
    memory["round"][0], memory["face"][0] = 300 // 3 - 1 - 3, number("tea")
    table["face"][table["order"][1, 0]], table["face"][table["order"][0, 0]] = (
        number("coffee"),
        number("tea"),
    )
    singles = ["coffee", "tea", "orange juice", "orange juice"]
    outcomes = [
        (number("tea"), one[0], pair[0], one[1], number("lemonade"))
        for one in deals(singles, 2)
        for pair in deals(PAIRS, 1)
    ]
    resampling.assert_as_counted(
        GAME, LONG, table, 0, outcomes, outcome, draws=12_000, memory=memory
    )


def test_fresh_faces_are_drawn_from_the_menu() -> None:
    """Every face with the back is as likely, in the pile too, whatever others are known."""
    config = Config(players=3, target=100_000, max_turns=5000, orders="fresh")
    table = late(
        player(opened("coffee", 3), last=did("leave")),
        player(opened("coffee;tea;sandwich;croissant", 4), last=did("leave")),
        player(opened("tea", 5), opened("lemonade", 0)),
        pile=["orange juice", "tea;salad"],
        config=config,
        market_events=["leave", "notebook"],
    )
    for spot in ((0, 0), (2, 0)):
        drinks = [number(dish) for dish, symbol in MENU.items() if symbol == "drink"]
        outcomes = [(drink,) for drink in drinks]
        resampling.assert_as_counted(
            GAME, config, table, 0, outcomes, lambda t, spot=spot: faces_of(t, spot), draws=2000
        )
    plates, desserts = ([d for d, s in MENU.items() if s == kind] for kind in ("plate", "dessert"))
    four = [
        (number(f"{one};{other};{plate};{dessert}"),)
        for one, other in itertools.combinations([d for d, s in MENU.items() if s == "drink"], 2)
        for plate in plates
        for dessert in desserts
    ]
    resampling.assert_as_counted(
        GAME, config, table, 0, four, lambda t: faces_of(t, (1, 0)), draws=8000
    )
    pair = BACKS.index((1, 1, 0))
    pairs = [number(f"{d};{p}") for d, s in MENU.items() if s == "drink" for p in plates]
    resampling.assert_as_counted(
        *(GAME, config, table, 0, pairs),
        lambda t: int(t["face"][(t["place"] == PILE) & (t["back"] == pair)][0]),
        draws=4000,
    )


def test_many_dishes_of_a_symbol() -> None:
    """A menu of one's own may have more dishes than the faces that are written down."""
    menu = [*MENU.items(), *((f"drink {i}", "drink") for i in range(6))]
    config = Config(players=3, max_turns=5000, orders="fresh", menu=menu)
    dealt = tables(1, 5, config=config)
    for _ in range(12):
        dealt.step(dealt.action_mask[:, :5].argmax(axis=1).astype(np.int32))
    table = dealt.state[0].copy()
    spot = next(
        (int(p), int(i))
        for p, i in zip(*np.nonzero(table["order"] >= 0), strict=True)
        if table["age"][p, i] > 0
    )
    counts = table["back_counts"][table["back"][table["order"][spot]]].tolist()
    start = table["symbol_start"].tolist()
    kinds = [
        [sum(1 << d for d in some) for some in itertools.combinations(range(a, b), n)]
        for (a, b), n in zip(itertools.pairwise(start), counts, strict=True)
    ]
    outcomes = [sum(parts) for parts in itertools.product(*kinds)]
    resampling.assert_as_counted(
        *(GAME, config, table, (spot[0] + 1) % 3, outcomes),
        lambda t: faces_of(t, spot)[0],
        draws=40 * len(outcomes),
    )


def test_told_orders_that_are_in_the_pile_again_are_there() -> None:
    """Fresh faces that others saw taken, left and shuffled in since, are in the pile, each once."""
    config = VARIANTS["memory"]
    dealt = tables(1, 5, config=config)
    for _ in range(9):
        dealt.step(dealt.action_mask[:, :5].argmax(axis=1).astype(np.int32))
    table = dealt.state[0].copy()
    takers = [(int(table["current_player"]) - back) % config.players for back in (1, 2)]
    told = []
    for taker, dish in zip(takers, ("tea", "coffee"), strict=True):
        last = int(table["num_open"][taker]) - 1
        table["place"][table["order"][taker, last]] = PILE
        table["order"][taker, last], table["num_open"][taker] = NONE, last
        table["last_face"][taker] = number(dish)
        told.append(number(dish))
    table["order_pile"] += 2
    up = ~np.isin(table["place"], (OPEN, PILE))
    assert not np.isin(told, table["face"][up]).any()
    state = np.repeat(np.array([table]), 200)
    after = resampling.resampled(GAME, config, state, (takers[0] + 1) % config.players, 3)
    covered = after["place"] == PILE
    for face_told in told:
        assert ((after["face"] == face_told) & covered).any(axis=1).all()
    singles = [row["face"][(row["back"] == 0) & (row["place"] == PILE)][2:] for row in after]
    drinks = [number(dish) for dish, symbol in MENU.items() if symbol == "drink"]
    assert_as_likely(np.concatenate(singles).tolist(), dict.fromkeys(drinks, 0.2))


# -- What contradicts itself -------------------------------------------------------------------

CONTRADICTIONS: dict[str, dict[str, Any]] = {
    "no such phase": {"phase": 7},
    "no such player": {"current_player": 4},
    "no such place": {"place": 9},
    "more in the pile than there are": {"order_pile": 54},
    "open orders that are nowhere": {"num_open": 3},
    "more than may be open": {"num_open": 100},
    "no such order": {"order": 54},
    "no such order on the table": {"market": 60},
    "nothing to be named": {"phase": NAMING, "named": 5},
}


@pytest.mark.parametrize("what", CONTRADICTIONS)
def test_what_contradicts_itself_is_refused(what: str) -> None:
    config = VARIANTS["rulebook"]
    dealt = tables(3, 1, config=config)
    for _ in range(9):
        dealt.step(dealt.action_mask.argmax(axis=1).astype(np.int32))
    state = dealt.state.copy()
    for name, value in CONTRADICTIONS[what].items():
        state[name][1] = value
    dealt.state[:] = state
    for viewer in range(4):
        with pytest.raises(ImpossiblePositionError, match=f"table 1: .*player_{viewer} knows"):
            dealt.resample(viewer, 5)
        assert np.array_equal(dealt.state, state)


@pytest.mark.parametrize("dishes", ["coffee", "tea;soup", "lemonade"])
def test_a_memory_that_contradicts_the_table_is_refused(dishes: str) -> None:
    """The face lies somewhere else already, or its back is another one."""
    table = example()
    if dishes == "coffee":
        table["face"][table["face"] == number("coffee")] = number("tea")
    (memory,) = blank_memory(table.dtype)
    memory["round"][0], memory["face"][0] = 300 // 3 - 1 - 3, number(dishes)
    dealt = resampling.at(GAME, LONG, np.array([table]))
    with pytest.raises(ImpossiblePositionError, match=r"table 0: .*player_0 knows"):
        dealt.resample(0, 1, np.array([memory]))


def test_memories_of_other_tables_are_refused() -> None:
    dealt = tables(2, 1)
    (memory,) = blank_memory(dealt.state.dtype)
    few = Config(max_open_orders=3)
    (other,) = blank_memory(tables(1, 1, config=few).state.dtype)
    for memories, error, text in (
        ([other, other], TypeError, "memories has dtype"),
        ([memory], ValueError, "memories has shape"),
        ([3, 4], TypeError, "memories has dtype"),
    ):
        with pytest.raises(error, match=text):
            dealt.resample(0, 1, np.array(memories))


def test_what_was_told_must_be_so() -> None:
    """Others have seen which order somebody took; another one under it contradicts that."""
    table = example()
    table["last_face"][2] = number("coffee")
    dealt = resampling.at(GAME, LONG, np.array([table]))
    with pytest.raises(ImpossiblePositionError, match="player_0 knows"):
        dealt.resample(0, 1)
    dealt.resample(2, 1)  # who took it does not see it any more
    assert dealt.state["last_face"][0, 2] == faces_of(dealt.state[0], (2, 1))[0]
