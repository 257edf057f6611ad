"""Nothing hidden leaks: what a viewer cannot see may be exchanged, and it sees the same.

Every position is shown to all viewers after the orders whose faces they do not see, open or in
the pile, have changed places with others of the same back; with fresh orders their faces are drawn
anew, too, and so is the random stream. Games that differ in hidden faces only look alike to
everybody until one of these faces is turned up.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from garcon_env import GAME, Config, raw_env, tables
from garcon_env.state import COMPLETED, DISCARDED, MARKET, NAMING, OPEN, PILE, TURN
from tests import views
from waiter_envs.agents.agent import Decisions
from waiter_envs.agents.rule_agent import RuleAgent
from waiter_envs.core.tables import Tables
from waiter_envs.interfaces.aec import TableEnv

from .playing import ALIKE
from .states import (
    BACKS,
    DISHES,
    MENU,
    SYMBOLS,
    VARIANTS,
    Array,
    likely_actions,
    positions,
    shown,
)

NAMES = 5 + 12 + 1
"""The first action that names a dish."""


# -- Exchanged ---------------------------------------------------------------------------------


def unseen_orders(config: Config, table: np.void, viewers: Any) -> list[tuple[int, int]]:
    """Return the places of all open orders whose faces none of the viewers sees.

    The others are told the face of an order that a player took in its last turn.
    """
    written = GAME.position_to_dict(table)["players"]
    return [
        (player, place)
        for player, one in enumerate(written)
        for place, order in enumerate(one["open"])
        if not (player in viewers and shown(config, order))
        and not (order["age"] == 0 and any(viewer != player for viewer in viewers))
    ]


def exchange(config: Config, table: np.void, viewer: int, rng: np.random.Generator) -> None:
    """Change, in place, everything of a table that `viewer` cannot see."""
    places = unseen_orders(config, table, [viewer])
    pile = np.flatnonzero(table["place"] == PILE).tolist()
    for back in range(len(BACKS)):
        here = [spot for spot in places if table["back"][table["order"][spot]] == back]
        covered = [order for order in pile if table["back"][order] == back]
        orders = rng.permutation([int(table["order"][spot]) for spot in here] + covered).astype(int)
        for spot, order in zip(here, orders, strict=False):
            table["order"][spot] = order
        table["place"][orders] = [OPEN] * len(here) + [PILE] * len(covered)
        if config.fresh:
            told = np.isin(table["face"][orders], table["last_face"])
            new = [any_face(BACKS[back], rng) for _ in orders]
            table["face"][orders] = np.where(told, table["face"][orders], new)
    newest = table["num_open"][viewer] - 1
    if newest >= 0 and table["age"][viewer, newest] == 0:  # which the viewer took, and forgot
        table["last_face"][viewer] = table["face"][table["order"][viewer, newest]]
    table["rng"] = rng.integers(0, 2**63, 2, np.uint64) | np.uint64(1)


def any_face(back: tuple[int, ...], rng: np.random.Generator) -> int:
    """Return a random face with a back."""
    face = 0
    for symbol, number in zip(SYMBOLS, back, strict=True):
        dishes = [i for i, dish in enumerate(DISHES) if MENU[dish] == symbol]
        face |= sum(1 << int(dish) for dish in rng.choice(dishes, number, False))
    return face


def both(variant: str) -> tuple[Tables, Array, Array, npt.NDArray[np.int8]]:
    """Return tables to look through, positions, the same exchanged, and a viewer for each."""
    config = VARIANTS[variant]
    rng = np.random.default_rng(7)
    viewers_of_each = min(4, config.players)
    before = np.repeat(positions(config, seed=3), viewers_of_each)
    viewers = np.arange(len(before), dtype=np.int8) % viewers_of_each
    viewers = ((viewers + before["current_player"]) % config.players).astype(np.int8)
    after = before.copy()
    for i, viewer in enumerate(viewers.tolist()):
        exchange(config, after[i], viewer, rng)
    return tables(len(before), 0, config=config), before, after, viewers


def assert_exchanged(config: Config, before: Array, after: Array, viewers: Any) -> None:
    """Check that the positions differ in what is hidden, in it only, and that both are possible."""
    for name in before.dtype.names:
        if name not in ("rng", "order", "place", "face", "last_face"):
            assert np.array_equal(before[name], after[name]), name
    others = np.arange(config.players) != viewers[:, None]
    assert np.array_equal(before["last_face"][others], after["last_face"][others])
    for one, other, viewer in list(zip(before, after, viewers.tolist(), strict=True))[::3]:
        here, there = GAME.position_to_dict(one), GAME.position_to_dict(other)
        assert GAME.position_to_dict(GAME.position_from_dict(config, there)) == there
        assert {key for key in here if here[key] != there[key]} <= {"players", "order_pile"}
        for player, (left, right) in enumerate(zip(here["players"], there["players"], strict=True)):
            own = {"open": 0, "last": 0} if player == viewer else {"open": 0}
            assert {**left, **own} == {**right, **own}
            for a, b in zip(left["open"], right["open"], strict=True):
                assert {**a, "face": 0} == {**b, "face": 0}
                assert a == b or not (player == viewer and shown(config, a))
    hidden = np.array(
        [bool(unseen_orders(config, t, [v])) for t, v in zip(before, viewers.tolist(), strict=True)]
    )
    differ = (before["order"] != after["order"]).any(axis=(1, 2))
    differ |= (before["face"] != after["face"]).any(axis=1)
    assert differ[hidden & (before["order_pile"] > 5)].mean() > 0.8
    assert hidden.sum() > 100


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_leak(variant: str) -> None:
    """Observation, own mask, view, what is told of actions and rendering stay the same."""
    config = VARIANTS[variant]
    dealt, before, after, viewers = both(variant)
    assert_exchanged(config, before, after, viewers)

    dealt.state = before
    seen, full = dealt.observe(viewers), dealt.full_observation(viewers)
    masks, acting = dealt.action_mask.copy(), viewers == before["current_player"]
    current, rewards = dealt.current_player.copy(), dealt.rewards.copy()
    rendered = [GAME.render(table, int(v)) for table, v in zip(before, viewers, strict=True)]
    dealt.state = after
    assert (dealt.full_observation(viewers) != full).any(axis=1).mean() > 0.6
    assert np.array_equal(dealt.observe(viewers), seen)
    assert np.array_equal(dealt.observation[acting], seen[acting])
    assert acting.sum() > 40
    assert np.array_equal(dealt.action_mask, masks)
    assert np.array_equal(dealt.current_player, current)
    assert np.array_equal(dealt.rewards, rewards)
    again = [GAME.render(table, int(v)) for table, v in zip(after, viewers, strict=True)]
    assert again == rendered
    views.check_seen_alike(GAME, config, before, after, viewers)


def test_own_orders_are_exchanged_while_they_are_named() -> None:
    """The test above hides from players even the order that they are naming."""
    for variant, expected in (("rulebook", True), ("perfect", False)):
        _, before, after, viewers = both(variant)
        named = before["phase"] == NAMING
        named &= viewers == before["current_player"]
        row = np.flatnonzero(named)
        spots = row, viewers[row], before["named"][row]
        faces = [t["face"][row, t["order"][spots]] for t in (before, after)]
        assert (faces[0] != faces[1]).any() == expected


def test_counts_do_not_tell_a_fresh_deck() -> None:
    """No feature, of all viewers together, depends on any face that nobody sees (GA-11)."""
    config = VARIANTS["memory"]
    rng = np.random.default_rng(5)
    before = positions(config, seed=12)
    after = before.copy()
    for one in after:
        unseen = np.isin(one["place"], (PILE, OPEN))
        unseen[one["order"][one["notebook"] == 1]] = False
        for order in np.flatnonzero(unseen):
            one["face"][order] = any_face(BACKS[one["back"][order]], rng)
    assert (before["face"] != after["face"]).mean() > 0.4
    dealt = tables(len(before), 0, config=config)
    seen = []
    for state in (before, after):
        dealt.state = state
        seen.append([dealt.observe(viewer) for viewer in range(4)])
    assert np.array_equal(*seen)


@pytest.mark.parametrize("variant", ["rulebook", "memory", "3_players", "10_players"])
def test_rule_based_agents_do_not_peek(variant: str) -> None:
    """A rule-based agent that remembers nothing yet chooses the same whatever is hidden."""
    _, before, after, viewers = both(variant)
    asked = (viewers == before["current_player"]) & ~(before["terminated"] | before["truncated"])
    dealt = tables(int(asked.sum()), 0, config=VARIANTS[variant])
    choices = []
    for state in (before[asked], after[asked]):
        dealt.state = state
        agents = [RuleAgent(GAME, name, seed=1) for name in GAME.heuristics]
        choices.append([agent.act(Decisions.at(dealt)).tolist() for agent in agents])
        for chosen in choices[-1]:
            assert dealt.action_mask[np.arange(dealt.num_tables), chosen].all()
    assert choices[0] == choices[1]


# -- Naming ------------------------------------------------------------------------------------


def may_name(back: list[str], said: list[str]) -> list[int]:
    """Return which dishes may be named, from the back alone (GA-4)."""
    spoken = [MENU[dish] for dish in said]
    asked = next(symbol for symbol in SYMBOLS if spoken.count(symbol) < back.count(symbol))
    return [int(MENU[dish] == asked and dish not in said) for dish in DISHES]


@pytest.mark.parametrize("variant", VARIANTS)
def test_naming_mask_uses_the_back_only(variant: str) -> None:
    """The dishes offered follow from the back and what was said; any face gives the same mask."""
    config = VARIANTS[variant]
    rng = np.random.default_rng(2)
    seen = positions(config, seed=3, per_kind=12)
    seen = seen[seen["phase"] == NAMING]
    dealt = tables(len(seen), 0, config=config)
    masks = set()
    for _ in range(6):
        dealt.state = seen
        for mask, table in zip(dealt.action_mask, seen, strict=True):
            position = GAME.position_to_dict(table)
            naming = position["naming"]
            order = position["players"][position["to_act"]]["open"][naming["order"]]
            expected = np.zeros(dealt.num_actions, int)
            expected[NAMES : NAMES + len(DISHES)] = may_name(order["back"], naming["said"])
            assert mask.tolist() == expected.tolist()
        masks.add(dealt.action_mask.tobytes())
        for table in seen:
            order = table["order"][table["current_player"], table["named"]]
            table["face"][order] = any_face(BACKS[table["back"][order]], rng)
    assert len(masks) == 1
    assert (seen["said"] != 0).any()


@pytest.mark.parametrize("variant", ["rulebook", "any", "memory", "10_players"])
def test_an_order_is_turned_over_after_its_last_dish(variant: str) -> None:
    """However wrong the dishes are, as many are named as the order has, and nothing is paid."""
    config = VARIANTS[variant]
    rng = np.random.default_rng(4)
    dealt = tables(48, 6, config=config)
    wrong = 0
    for _ in range(200):
        before = dealt.state.copy()
        dealt.step(likely_actions(dealt, rng))
        for i in np.flatnonzero(before["phase"] == NAMING):
            player, place = before["current_player"][i], before["named"][i]
            order = before["order"][i, player, place]
            size = sum(BACKS[before["back"][i, order]])
            after = dealt.state[i]
            if bin(before["said"][i]).count("1") + 1 == size:
                continue
            assert after["phase"] == NAMING
            assert (after["current_player"], after["named"]) == (player, place)
            assert bin(after["said"]).count("1") == bin(before["said"][i]).count("1") + 1
            assert np.array_equal(after["place"], before["place"][i])
            assert not dealt.rewards[i].any()
            wrong += int((after["said"] & ~after["face"][order]) != 0)
    assert wrong > 20


# -- Whole games -------------------------------------------------------------------------------


def pairs_exchanged(
    config: Config, state: Array, rng: np.random.Generator, pile: bool = True
) -> Array:
    """Return tables in which pairs of faces that nobody sees have been exchanged.

    With fresh orders, open ones get new faces besides.

    Args:
        config: the variant.
        state: tables.
        rng: a random stream.
        pile: whether open orders change faces with orders in the pile, too.
    """
    state = state.copy()
    for table in state:
        unseen = unseen_orders(config, table, range(config.players))
        orders = [int(table["order"][spot]) for spot in unseen]
        covered = np.flatnonzero(table["place"] == PILE).tolist() if pile else []
        rng.shuffle(orders)
        for number, order in enumerate(orders):
            alike = [o for o in (*orders, *covered) if table["back"][o] == table["back"][order]]
            if config.fresh:
                table["face"][order] = any_face(BACKS[table["back"][order]], rng)
            elif number < 3:
                other = int(rng.choice(alike))
                table["face"][[order, other]] = table["face"][[other, order]]
    return state


def turned_up(state: Array, changed: npt.NDArray[np.bool_], config: Config) -> Any:
    """Return at which tables somebody sees one of some orders."""
    seen = changed & ~np.isin(state["place"], (PILE, OPEN))
    for player in range(config.players):
        for place in range(config.max_open_orders):
            noted = (state["order"][:, player, place] >= 0) & (state["notebook"][:, player, place])
            row = np.flatnonzero(noted)
            seen[row, state["order"][row, player, place]] |= changed[
                row, state["order"][row, player, place]
            ]
    return seen.any(axis=1)


@pytest.mark.parametrize("variant", ["rulebook", "any", "memory", "clock", "3_players"])
def test_games_look_alike(variant: str) -> None:
    """Two games that differ in faces look alike to all, step by step, until one is turned up."""
    config = VARIANTS[variant]
    rng = np.random.default_rng(8)
    seen = positions(config, seed=13, per_kind=12)
    seen = seen[~(seen["terminated"] | seen["truncated"])]
    other = pairs_exchanged(config, seen, rng)
    changed = seen["face"] != other["face"]
    assert changed.any(axis=1).mean() > 0.5
    one, two = (tables(len(seen), 0, config=config, autoreset_mode="NextStep") for _ in range(2))
    one.state, two.state = seen, other
    alike = changed.any(axis=1)
    named = steps = 0
    for _ in range(25):
        row = np.flatnonzero(alike)
        assert np.array_equal(one.action_mask[row], two.action_mask[row])
        assert np.array_equal(one.current_player[row], two.current_player[row])
        for viewer in range(config.players):
            assert np.array_equal(one.observe(viewer)[row], two.observe(viewer)[row])
        for i in row[::9]:
            viewer = int(rng.integers(config.players))
            assert GAME.render(one.state[i], viewer) == GAME.render(two.state[i], viewer)
            assert GAME.view(one.state[i], viewer) == GAME.view(two.state[i], viewer)
        before = one.state.copy()
        actions = likely_actions(one, rng)
        actions[~alike] = 0  # not looked at any more
        legal = one.action_mask[np.arange(len(seen)), actions] == 1
        legal &= two.action_mask[np.arange(len(seen)), actions] == 1
        assert legal[row].all()
        one.step(np.where(legal, actions, one.action_mask.argmax(axis=1)))
        two.step(np.where(legal, actions, two.action_mask.argmax(axis=1)))
        up = turned_up(one.state, changed, config) | turned_up(two.state, changed, config)
        ended = one.terminated | one.truncated | two.terminated | two.truncated
        alike &= ~(up | ended)
        assert np.array_equal(one.rewards[alike], two.rewards[alike])
        spots = np.arange(len(seen)), before["current_player"], before["named"]
        naming = (before["phase"] == NAMING) & (one.state["phase"] == NAMING)
        secret = naming & changed[spots[0], before["order"][spots]]
        named += int((alike & secret).sum())
        steps += int(alike.sum())
    assert named > 10
    assert steps > 150


def test_agents_environment_looks_alike() -> None:
    """The same of what the PettingZoo environment gives to every agent, infos and all."""
    config = VARIANTS["rulebook"]
    rng = np.random.default_rng(9)
    seen = positions(config, seed=14, per_kind=12)
    seen = seen[(seen["phase"] == TURN) & (seen["num_open"].sum(axis=1) > 4)]
    other = pairs_exchanged(config, seen, rng, pile=False)
    envs = [raw_env(render_mode="ansi"), raw_env(render_mode="ansi")]
    named = 0
    for i in np.flatnonzero((seen["face"] != other["face"]).any(axis=1)).tolist():
        for env, state in zip(envs, (seen, other), strict=True):
            env.reset(seed=i, options={"position": GAME.position_to_dict(state[i])})
        start = turned_over(envs[0].table)
        while turned_over(envs[0].table) == turned_over(envs[1].table) == start:
            look_alike(envs[0], envs[1])
            named += int(envs[0].table["phase"] == NAMING)
            mask = envs[0].observe(envs[0].agent_selection)["action_mask"]
            legal = np.flatnonzero(mask)
            action = int(rng.choice(legal[legal >= 5] if (legal >= 5).any() else legal))
            for env in envs:
                env.step(action)
    assert named > 30


def turned_over(table: np.void) -> tuple[int, int]:
    """Return how many orders have been turned over, or are open to their owner."""
    return int(np.isin(table["place"], (DISCARDED, COMPLETED)).sum()), int(table["notebook"].sum())


def look_alike(one: TableEnv, two: TableEnv) -> None:
    """Check that two environments show and pay the same to everybody."""
    assert one.agent_selection == two.agent_selection
    assert one.rewards == two.rewards
    assert one.render() == two.render()
    for agent in one.possible_agents:
        for here, there in (
            (one.observe(agent), two.observe(agent)),
            (one.infos[agent], two.infos[agent]),
        ):
            assert here.keys() == there.keys()
            assert all(np.array_equal(here[key], there[key]) for key in here)


# -- What is shown, and when -------------------------------------------------------------------


def owned_faces(dealt: Tables, player: int) -> npt.NDArray[np.int8]:
    """Return the faces of own open orders that a player is shown, `(tables, 12, 15)`."""
    field = next(f for f in GAME.observation_fields(dealt.config) if f.name == "faces")
    seen = dealt.observe(player)[:, field.start : field.start + field.size]
    return seen.reshape(-1, dealt.config.max_open_orders, len(DISHES))


@pytest.mark.parametrize(("variant", "turns"), [("rulebook", 0), ("any", 2), ("perfect", 99)])
def test_a_face_is_shown_for_so_many_turns(variant: str, turns: int) -> None:
    """An order just taken is shown `recall` turns long to its owner, and never to another."""
    dealt = tables(64, 21, config=VARIANTS[variant])
    rng = np.random.default_rng(3)
    shown_at: dict[int, set[bool]] = {}
    for _ in range(150):
        for player in range(4):
            faces = owned_faces(dealt, player).any(axis=2)
            state = dealt.state
            bare = (state["order"][:, player] >= 0) & (state["notebook"][:, player] == 0)
            for age in np.unique(state["age"][:, player][bare]).tolist():
                here = bare & (state["age"][:, player] == age)
                shown_at.setdefault(age, set()).update(faces[here].tolist())
            assert faces[state["notebook"][:, player] == 1].all()
            assert not faces[state["order"][:, player] < 0].any()
        dealt.step(likely_actions(dealt, rng))
    assert max(shown_at) > 5
    assert all(value == {age < turns} for age, value in shown_at.items())


def test_taken_orders_are_told_to_the_others_until_the_next_turn() -> None:
    """The face of an order that was taken is told to all others, not to its taker (GA-11)."""
    dealt = tables(32, 2)
    rng = np.random.default_rng(3)
    fields = {f.name: f for f in GAME.observation_fields(dealt.config)}
    assert "did_face_0" not in fields
    told = 0
    for _ in range(100):
        before = dealt.state.copy()
        actions = likely_actions(dealt, rng)
        dealt.step(actions)
        taken = (actions < 5) & (dealt.state["turns_done"] == before["turns_done"] + 1)
        for i in np.flatnonzero(taken):
            taker = int(before["current_player"][i])
            order = int(before["market"][i, actions[i]])
            face = [int(before["face"][i, order]) >> d & 1 for d in range(len(DISHES))]
            assert dealt.state["place"][i, order] == OPEN
            for distance in range(1, 4):
                start = fields[f"did_face_{distance}"].start
                features = dealt.observe((taker - distance) % 4)[i, start : start + len(DISHES)]
                assert features.tolist() == face
                told += 1
    assert told > 500


def test_discards_are_public() -> None:
    """The counter-check: discarded orders and those on the table do change what is seen."""
    config = VARIANTS["memory"]
    rng = np.random.default_rng(6)
    seen = positions(config, seed=3)
    dealt = tables(len(seen), 0, config=config)
    dealt.state = seen
    before = dealt.observe(0)
    for place in (DISCARDED, MARKET):
        other = seen.copy()
        has = (seen["place"] == place).any(axis=1)
        for i in np.flatnonzero(has):
            order = rng.choice(np.flatnonzero(other["place"][i] == place))
            new = any_face(BACKS[other["back"][i, order]], rng)
            if place == DISCARDED:
                for dish in range(len(DISHES)):
                    old = int(other["face"][i, order]) >> dish & 1
                    other["discarded_dish"][i, dish] += (new >> dish & 1) - old
            other["face"][i, order] = new
        dealt.state = other
        changed = (other["face"] != seen["face"]).any(axis=1)
        assert np.array_equal((dealt.observe(0) != before).any(axis=1), changed)
        assert changed.sum() > 10


# -- Equal orders ------------------------------------------------------------------------------

FIELDS_OF_ORDERS = ("place", "owner", "with_repeat", "face")
"""Fields that tell of each order, by its number."""


def renumbered(config: Config, table: np.void, rng: np.random.Generator) -> None:
    """Let equal orders change their numbers, in place; with fresh faces, all of the same back."""
    kinds = table["back"] if config.fresh else table["face"]
    number = np.arange(len(kinds))
    for kind in np.unique(kinds):
        which = np.flatnonzero(kinds == kind)
        number[which] = rng.permutation(which)
    for name in FIELDS_OF_ORDERS:
        table[name][number] = table[name].copy()
    for name in ("order", "market"):
        table[name] = np.where(table[name] >= 0, number[table[name]], table[name])


@pytest.mark.parametrize("variant", [*VARIANTS, "alike"])
def test_numbers_of_orders_show_nowhere(variant: str) -> None:
    """Which of two equal orders lies where, nothing tells: every list is sorted by what it says."""
    config = ALIKE if variant == "alike" else VARIANTS[variant]
    rng = np.random.default_rng(4)
    before = positions(config, seed=3)
    after = before.copy()
    for table in after:
        renumbered(config, table, rng)
    assert (before["place"] != after["place"]).any(axis=1).mean() >= 0.5
    dealt = tables(len(before), 0, config=config)
    looks = []
    for state in (before, after):
        dealt.state = state
        seen = [dealt.full_observation(viewer) for viewer in range(config.players)]
        looks.append([*seen, dealt.action_mask.copy(), dealt.rewards.copy()])
    assert all(map(np.array_equal, *looks))
    for one, other in list(zip(before, after, strict=True))[::3]:
        position = GAME.position_to_dict(one)
        assert GAME.position_to_dict(other) == position
        again = GAME.position_from_dict(config, position)
        for viewer in (0, config.players - 1):
            text = GAME.render(one, viewer)
            assert GAME.render(other, viewer) == text
            assert GAME.render(again, viewer) == text
        for viewer in (*range(config.players), None):
            view = GAME.view(one, viewer)
            assert GAME.view(other, viewer) == view
            assert GAME.view(again, viewer) == view
