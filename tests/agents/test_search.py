"""Searches: they look at nothing hidden, repeat themselves, refuse what they cannot do, and win."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import waiter_envs
from tests.kernels import kernel_of
from tests.samples import samples
from waiter_envs import Decisions, GameOverError, ImpossiblePositionError, SearchAgent
from waiter_envs.agents.make import make_agent
from waiter_envs.agents.rule_agent import RuleAgent
from waiter_envs.agents.search_options import MEANINGS, SearchOptions, parse_options
from waiter_envs.arena.match import play_match
from waiter_envs.core import playing, searching, tree_searching
from waiter_envs.core.game import Game
from waiter_envs.core.interpreted import INTERPRETED
from waiter_envs.core.tables import Tables

from .test_compiled_policies import LONG_FOR_SOME, policy_of

SEARCHED = [name for name in waiter_envs.GAMES if waiter_envs.load(name).resample is not None]
every_game = pytest.mark.parametrize("name", SEARCHED)

QUICK: dict[str, Any] = {"simulations": 64, "candidates": 4}
NUM_TABLES = 4 if INTERPRETED else 12


def dealt(name: str, steps: int = 20, count: int = NUM_TABLES, **options: Any) -> Tables:
    """Return tables in the middle of their games."""
    game = waiter_envs.load(name)
    tables = Tables.of(game, count, 3, **{**samples(name).quick, **options})
    for _ in range(steps):
        tables.step(tables.sample_actions())
    return tables


def found(agent: SearchAgent, decisions: Decisions) -> dict[str, Any]:
    """Return what a search finds, by name."""
    return {name: array.copy() for name, array in agent.search(decisions)._asdict().items()}


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(np.array_equal(one[name], other[name]) for name in one)


# -- What it is told ---------------------------------------------------------------------------


@every_game
def test_it_plays_legal_actions_and_says_what_it_has_tried(name: str) -> None:
    tables = dealt(name)
    decisions = Decisions.at(tables)
    agent = SearchAgent(tables.game, 1, **QUICK)
    row = np.arange(NUM_TABLES)
    actions, thoughts = agent.think(decisions)
    assert actions.dtype == np.int32
    assert tables.action_mask[row, actions].all()
    assert thoughts is not None
    assert thoughts.probabilities is not None
    assert thoughts.values is not None
    assert (np.abs(thoughts.values) <= 1).all()
    assert np.allclose(thoughts.probabilities.sum(axis=1), 1)
    assert (thoughts.probabilities[tables.action_mask == 0] == 0).all()
    assert (thoughts.probabilities[row, actions] > 0).all()


@every_game
def test_a_search_keeps_to_its_budget(name: str) -> None:
    tables = dealt(name)
    for candidates in (2, 3, 7):
        options = {"simulations": 180, "candidates": candidates, "anchor": 0.0}
        result = found(SearchAgent(tables.game, 1, **options), Decisions.at(tables))
        legal = np.minimum(tables.action_mask.sum(axis=1), candidates)
        assert np.array_equal((result["tried"] > 0).sum(axis=1), legal)
        spent = result["spent"]
        assert (spent[:, searching.SIMULATIONS] == result["tried"].sum(axis=1)).all()
        assert (spent[:, searching.SIMULATIONS] <= 180).all()
        assert (spent[:, searching.SIMULATIONS] > 150).all()
        assert (result["tried"].max(axis=1) == spent[:, searching.WORLDS]).all()
        assert (result["tried"][:, 0] == spent[:, searching.WORLDS]).all(), "the prior's stays"
        for actions, tried in zip(result["actions"], result["tried"], strict=True):
            assert len(set(actions[tried > 0])) == (tried > 0).sum(), "no action is tried twice"


@every_game
def test_the_first_candidate_is_the_rule_based_choice(name: str) -> None:
    tables = dealt(name)
    decisions = Decisions.at(tables)
    first = found(SearchAgent(tables.game, 1, **QUICK), decisions)["actions"][:, 0]
    if tables.game.resample_remembering is None:
        assert np.array_equal(first, RuleAgent(tables.game, "heuristic", 1).act(decisions))
    agent = SearchAgent(tables.game, 1, **QUICK, ranked=1)
    assert np.array_equal(found(agent, decisions)["actions"][:, 0], first)
    sure = SearchAgent(tables.game, 1, **QUICK, anchor=1e5)
    assert np.array_equal(sure.act(decisions), first)


def test_gains_are_differences_in_the_same_worlds() -> None:
    """What two candidates are paid in each world, and the error of the mean difference."""
    room = searching.Room(*[np.zeros(1)] * len(searching.Room._fields))
    payoff = np.array([[0, 1, 0, 1], [1, 1, 0, 1], [1, 1, 1, 1], [0, 0, 0, 1]], np.float32)
    room = room._replace(payoff=payoff, order=np.arange(4))
    shape = 1, 4
    result = searching.Found(
        *(np.zeros(shape, np.int32) for _ in range(2)),
        *(np.zeros(shape) for _ in range(3)),
        *(np.zeros(1, np.int64) for _ in range(3)),
    )
    compare, choose = searching.compare, searching.choose
    if not INTERPRETED:
        compare, choose = compare.py_func, choose.py_func
    compare(room, 4, 4, result, 0)
    differences = payoff - payoff[0]
    assert np.allclose(result.gain[0], differences.mean(axis=1))
    assert np.allclose(result.error[0], differences.std(axis=1, ddof=1) / 2)
    assert np.allclose(result.value[0], payoff.mean(axis=1))
    assert room.order.tolist() == [0, 2, 1, 3], "the prior's first, the others from the best on"
    for anchor, choice in ((0.0, 2), (1.7, 2), (1.8, 0)):
        assert choose(room.order, 4, result.gain[0], result.error[0], anchor) == choice


@pytest.mark.parametrize(
    ("candidates", "rounds"), [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (16, 4)]
)
def test_candidates_are_halved_until_two_are_left(candidates: int, rounds: int) -> None:
    rounds_for = searching.rounds_for if INTERPRETED else searching.rounds_for.py_func
    assert rounds_for(candidates) == rounds


# -- Nothing hidden ----------------------------------------------------------------------------


@every_game
def test_a_search_does_not_peek(name: str) -> None:
    """Tables that differ only in what is hidden from the player get the same search."""
    look_at_twins(name, samples(name).quick)


every_preset = pytest.mark.parametrize(
    ("name", "preset"), [(name, preset) for name in SEARCHED for preset in samples(name).presets]
)


@pytest.mark.long
@every_preset
def test_a_search_does_not_peek_in_any_preset(name: str, preset: str) -> None:
    look_at_twins(name, {"preset": preset})


def look_at_twins(name: str, fields: dict[str, Any]) -> None:
    """Search at tables and at others that differ only in what is hidden from the player."""
    game = waiter_envs.load(name)
    tables, other = (Tables.of(game, 3 * NUM_TABLES, 5, **fields, observe=False) for _ in range(2))
    for _ in range(25):
        tables.step(tables.sample_actions())
    other.state = tables.state.copy()
    other.resample(tables.current_player, 17)
    assert np.array_equal(other.action_mask, tables.action_mask)
    hidden = (other.full_observation() != tables.full_observation()).any(axis=1)
    assert hidden.mean() > 0.5
    agents = [SearchAgent(game, 2, **QUICK, anchor=0.0) for _ in range(2)]
    results = [found(agents[0], Decisions.at(tables)), found(agents[1], Decisions.at(other))]
    assert same(*results)


# -- Repeatable --------------------------------------------------------------------------------


@every_game
def test_the_same_seed_finds_the_same_on_any_number_of_threads(name: str) -> None:
    tables = dealt(name)
    results = [
        found(SearchAgent(tables.game, seed, num_threads=threads, **QUICK), Decisions.at(tables))
        for seed, threads in ((4, 1), (4, 3), (5, 3))
    ]
    assert same(results[0], results[1])
    assert not same(results[0], results[2])


@every_game
def test_who_is_asked_beside_makes_no_difference(name: str) -> None:
    tables = dealt(name)
    whole = found(SearchAgent(tables.game, 4, **QUICK), Decisions.at(tables))
    agent = SearchAgent(tables.game, 4, **QUICK)
    for which in ([2, 0], [3]):
        part = found(agent, Decisions.at(tables, np.array(which)))
        assert all(np.array_equal(part[name], whole[name][which]) for name in whole)


@every_game
def test_it_goes_on_from_a_snapshot(name: str) -> None:
    tables = dealt(name)
    decisions = Decisions.at(tables)
    agent = SearchAgent(tables.game, 4, **QUICK)
    first = found(agent, decisions)
    memory = agent.snapshot()
    for twin in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        agent.restore(memory)
        second = found(agent, decisions)
        assert same(second, found(twin, decisions))
    assert not same(first, second), "its luck goes on"
    agent.restore(None)
    assert same(first, found(agent, decisions))
    agent.reset(np.array([0]))
    assert not same(first, found(agent, decisions)), "a game that is over starts no luck again"


@pytest.mark.skipif(INTERPRETED, reason="compares with the compiler off")
def test_interpreted_it_finds_the_same() -> None:
    import os
    import subprocess
    import sys

    code = "import tests.agents.test_search as t; print(t.summary())"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": "."}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == summary()


def summary() -> str:
    """Return what a small search finds."""
    tables = dealt("greasy_spoon", count=2)
    agent = SearchAgent(tables.game, 4, simulations=20, candidates=3, depth=6)
    result = found(agent, Decisions.at(tables))
    return str([result[name].tolist() for name in ("actions", "tried", "value", "choice", "spent")])


# -- Budgets -----------------------------------------------------------------------------------


@every_game
def test_a_budget_in_milliseconds_is_spent(name: str) -> None:
    """About; the clock is that of the thread, but this machine may do other things besides."""
    tables = dealt(name)
    agent = SearchAgent(tables.game, 1, ms=5, num_threads=1, candidates=4)
    decisions = Decisions.at(tables)
    agent.act(decisions)
    assert (agent.pace > 0).all()
    few = found(agent, decisions)["spent"][:, searching.MOVES].sum()
    agent = SearchAgent(tables.game, 1, ms=40, num_threads=1, candidates=4)
    agent.act(decisions)
    many = found(agent, decisions)["spent"][:, searching.MOVES].sum()
    assert 1.5 < many / few < 20


def test_too_little_time_does_not_undo_what_was_measured() -> None:
    tables = dealt("greasy_spoon")
    agent = SearchAgent(tables.game, 1, ms=0.001, num_threads=1)
    agent.act(Decisions.at(tables))
    measured = agent.pace.copy()
    for _ in range(3):
        agent.act(Decisions.at(tables))
    assert np.array_equal(agent.pace, measured)


def test_a_budget_alone_is_worlds_times_candidates() -> None:
    game = waiter_envs.load("greasy_spoon")
    assert SearchOptions.of(game, {"worlds": 20, "candidates": 5}).budget == 100
    assert SearchOptions.of(game, {"worlds": 8, "simulations": 30}).budget == 30
    tables = dealt("greasy_spoon")
    spent = found(SearchAgent(game, 1, worlds=20, candidates=5), Decisions.at(tables))["spent"]
    assert spent[:, searching.WORLDS].max() == 20


@pytest.mark.parametrize(
    ("simulations", "candidates"), [(1, 1), (15, 1), (16, 2), (47, 2), (48, 3), (64, 4), (512, 16)]
)
def test_few_simulations_try_few_candidates(simulations: int, candidates: int) -> None:
    assert affordable(simulations) == candidates


@kernel_of(searching)
def affordable(simulations: Any) -> Any:
    """Return how many candidates so many simulations are for."""
    return searching.affordable_candidates(simulations)


def test_one_simulation_is_too_little_to_leave_the_prior() -> None:
    tables = dealt("greasy_spoon")
    agent = SearchAgent(tables.game, 1, simulations=1, anchor=0.0)
    expected = RuleAgent(tables.game, "heuristic").act(Decisions.at(tables))
    actions, thoughts = agent.think(Decisions.at(tables))
    assert np.array_equal(actions, expected)
    assert thoughts is not None
    assert thoughts.probabilities is not None
    assert (thoughts.probabilities.max(axis=1) == 1).all()


# -- Options -----------------------------------------------------------------------------------


def test_options_in_a_name() -> None:
    game = waiter_envs.load("greasy_spoon")
    text = "search:worlds=32,candidates=12,rollout=random,depth=40,anchor=1.5,ms=50"
    agent = make_agent(game, text, 3)
    assert isinstance(agent, SearchAgent)
    options = agent.options
    assert (options.worlds, options.candidates, options.rollout) == (32, 12, "random")
    assert (options.depth, options.anchor, options.ms, agent.seed) == (40, 1.5, 50, 3)
    assert isinstance(make_agent(game, "search"), SearchAgent)
    assert make_agent(game, "search").options == SearchOptions.of(game, {})  # type: ignore[attr-defined]
    assert parse_options("") == {}
    assert set(MEANINGS) == set(SearchOptions.__dataclass_fields__)


BAD_OPTIONS = {
    "luck=3": "unknown option 'luck'",
    "worlds": "'worlds' of a search: must look like NAME=VALUE",
    "=3": "must look like NAME=VALUE",
    "worlds=3,worlds=4": "worlds of a search: named twice",
    "worlds=0": "worlds=0",
    "worlds=-1": "worlds=-1",
    "worlds=2.5": "worlds=2.5",
    "candidates=0": "candidates=0",
    "ranked=0": "ranked=0",
    "simulations=0": "simulations=0",
    "simulations=-5": "simulations=-5",
    "simulations=many": "simulations='many'",
    "ms=0": "ms=0",
    "ms=-2": "ms=-2",
    "ms=nan": "ms=nan",
    "ms=inf": "ms=inf",
    "ms=5,simulations=5": "give one of them",
    "depth=-1": "depth=-1",
    "depth=1.5": "depth=1.5",
    "anchor=-1": "anchor=-1",
    "anchor=much": "anchor='much'",
    "tree=-1": "tree=-1",
    "tree=big": "tree='big'",
    "rollout=genius": "rollout='genius'",
    "prior=genius": "prior='genius'",
    "prior=": "prior=''",
}


@pytest.mark.parametrize("text", BAD_OPTIONS)
def test_bad_options_are_refused_by_name(text: str) -> None:
    game = waiter_envs.load("greasy_spoon")
    with pytest.raises((TypeError, ValueError), match=BAD_OPTIONS[text]):
        make_agent(game, f"search:{text}")


def test_policies_that_do_not_fit_are_refused() -> None:
    game, other = waiter_envs.load("greasy_spoon"), waiter_envs.load("hey_waiter")
    foreign = policy_of(other, other.config())
    foreign.header["game"] = other.name
    with pytest.raises(ValueError, match="rollout: must be a policy of greasy_spoon"):
        SearchAgent(game, rollout=foreign)
    with pytest.raises(ValueError, match=r"prior: .* compiled code"):
        SearchAgent(game, prior=policy_of(game, game.config(), compiled=False))
    with pytest.raises(TypeError, match="prior=3: must be a name"):
        SearchAgent(game, prior=3)


def test_a_game_that_does_not_deal_anew_is_not_searched() -> None:
    import dataclasses

    game = waiter_envs.load("greasy_spoon")
    mute = dataclasses.replace(game, resample=None, resample_remembering=None)
    with pytest.raises(ValueError, match="needs resampling, which greasy_spoon"):
        SearchAgent(mute)


# -- Policies ----------------------------------------------------------------------------------


@pytest.mark.parametrize("greedy", [True, False])
def test_a_trained_policy_is_prior_and_plays_on(greedy: bool) -> None:
    tables = dealt("greasy_spoon")
    decisions = Decisions.at(tables)
    policy = policy_of(tables.game, tables.config, greedy=greedy)
    agent = SearchAgent(tables.game, 1, prior=policy, rollout=policy, **QUICK)
    result = found(agent, decisions)
    if greedy:
        assert np.array_equal(result["actions"][:, 0], policy.act(decisions))
    assert (result["tried"][:, 0] >= 8).all()


@LONG_FOR_SOME
def test_random_playouts_are_as_long_as_random_games(name: str) -> None:
    tables = dealt(name)
    agent = SearchAgent(tables.game, 1, rollout="random", prior="random", **QUICK)
    spent = found(agent, Decisions.at(tables))["spent"]
    assert (spent[:, searching.MOVES] >= spent[:, searching.SIMULATIONS]).all()
    short = SearchAgent(tables.game, 1, rollout="random", prior="random", depth=0, **QUICK)
    shorter = found(short, Decisions.at(tables))["spent"]
    assert shorter[:, searching.MOVES].sum() < spent[:, searching.MOVES].sum()


# -- Trees -------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_tree_grows_where_it_pays() -> None:
    """In the game whose agents have a memory, which a walk down the tree must not muddle."""
    tables = dealt("garcon")
    agent = SearchAgent(tables.game, 4, tree=0.5, simulations=180, candidates=5)
    result = found(agent, Decisions.at(tables))
    tried, value, row = result["tried"], result["value"], np.arange(NUM_TABLES)
    assert np.array_equal((tried > 0).sum(axis=1), np.minimum(tables.action_mask.sum(axis=1), 5))
    assert (tried.sum(axis=1) == 180).all()
    assert np.array_equal(tried[row, result["choice"]], tried.max(axis=1))
    assert tables.action_mask[row, result["actions"][row, result["choice"]]].all()
    assert (np.abs(value) <= 1).all()
    tried_most = value[row, result["choice"]]
    assert (tried_most >= (tried * value).sum(axis=1) / 180).all(), (
        "better than they are on average"
    )
    assert (result["spent"][:, searching.SIMULATIONS] == 180).all()
    other = tables.state.copy()
    again = SearchAgent(tables.game, 4, tree=0.5, simulations=180, candidates=5, num_threads=3)
    hidden = Tables(tables.game, tables.config, NUM_TABLES, 3, observe=False)
    hidden.state = other
    hidden.resample(tables.current_player, 17)
    assert same(result, found(again, Decisions.at(tables)._replace(state=hidden.state)))


@pytest.mark.parametrize(("exploration", "choice"), [(0.0, 3), (0.3, 3), (3.0, 1)])
def test_a_tree_is_walked_by_upper_confidence_bounds(exploration: float, choice: int) -> None:
    """Of four children, the second of which is not legal here, and the last never tried."""
    policy = searching_policy("greasy_spoon")
    tree = tree_searching.blank_tree(8, policy)
    tree.size[0], mask = 1, np.array([0, 1, 0, 1, 1, 1], np.int8)
    selected = np.zeros(1, np.int64)
    visits, available, total = np.array([1, 9, 6, 0]), np.array([7, 9, 9, 3]), [-0.1, 9.0, 4.5, 0]
    for action in (1, 2, 3, 4):
        add_child(tree, action)
    tree.visits[1:5], tree.available[1:5], tree.total[1:5] = visits, available, total
    select_child(tree, mask.copy(), exploration, selected)
    assert selected[0] == 4, "first those that were never tried"
    assert tree.available[1:5].tolist() == [8, 9, 10, 4]
    mask[4] = 0
    left = mask.copy()
    select_child(tree, left, exploration, selected)
    bounds = [-0.1 + exploration * np.sqrt(np.log(9)), 0.75 + exploration * np.sqrt(np.log(11) / 6)]
    assert (1 if bounds[0] > bounds[1] else 3) == choice
    assert selected[0] == choice
    assert left.tolist() == [0, 0, 0, 0, 0, 1], "what is left has no node yet"


def searching_policy(name: str) -> Any:
    """Return the policy of random playouts."""
    game = waiter_envs.load(name)
    sizes = playing.Sizes(game.table_dtype(game.config()), 1, 1, None)
    return playing.policy_of(game, sizes, "random")


@kernel_of(tree_searching)
def add_child(tree: Any, action: Any) -> None:
    """Add a child of the root."""
    tree_searching.add(tree, 0, action)


@kernel_of(tree_searching)
def select_child(tree: Any, mask: Any, exploration: Any, selected: Any) -> None:
    """Select a child of the root."""
    selected[0] = tree_searching.select(tree, 0, mask, exploration)


# -- What it remembers -------------------------------------------------------------------------


def test_a_search_remembers_what_was_really_taken() -> None:
    """Not what the prior would have taken: without an anchor it often does something else."""
    game = waiter_envs.load("garcon")
    tables = Tables.of(game, NUM_TABLES, 5, **samples("garcon").quick, recall=0)
    agent = SearchAgent(game, 4, **QUICK, anchor=0.0)
    overruled, remembered = 0, 0
    for _ in range(20):
        player = tables.current_player.copy()
        result = found(agent, Decisions.at(tables))
        tables.step(result["actions"][np.arange(NUM_TABLES), result["choice"]])
        ended = np.flatnonzero(tables.terminated | tables.truncated)
        agent.reset(ended)
        state, memory = tables.state, agent.snapshot()["mind"]
        for table in np.setdiff1d(np.arange(NUM_TABLES), ended):
            mine = player[table]
            orders = state["order"][table, mine, : state["num_open"][table, mine]]
            faces = state["face"][table, orders].tolist()
            assert set(faces) <= set(memory["face"][table, mine].tolist())
            overruled += result["choice"][table] > 0
            remembered += len(faces)
    assert overruled > 20
    assert remembered > 100


# -- Where it is asked -------------------------------------------------------------------------


@every_game
def test_a_finished_table_is_refused(name: str) -> None:
    tables = dealt(name, autoreset_mode="Disabled", steps=0)
    tables.playout("heuristic")
    with pytest.raises(GameOverError, match="table 0: the game is over"):
        SearchAgent(tables.game, 1, **QUICK).act(Decisions.at(tables))


@every_game
def test_no_decision_at_all(name: str) -> None:
    tables = dealt(name)
    none = np.zeros(0, np.int64)
    for options in (QUICK, {"ms": 5}):
        agent = SearchAgent(tables.game, 1, **options)
        assert agent.act(Decisions.at(tables, none)).shape == (0,)


def test_a_memory_of_another_variant_is_refused() -> None:
    """Where agents have one: its size is that of the most open orders."""
    small, large = dealt("garcon", count=2), dealt("garcon", count=2, max_open_orders=6)
    agent = SearchAgent(small.game, 1, **QUICK)
    agent.act(Decisions.at(small))
    with pytest.raises(ValueError, match="remembers tables of another variant"):
        agent.act(Decisions.at(large))
    agent.restore(None)
    agent.act(Decisions.at(small))


def test_a_contradiction_is_refused() -> None:
    tables = dealt("greasy_spoon", count=3)
    state: npt.NDArray[np.void] = tables.state.copy()
    state["hand"][1] = 3
    decisions = Decisions.at(tables)._replace(state=state)
    agent = SearchAgent(tables.game, 1, **QUICK)
    agent.act(Decisions.at(tables))
    before = agent.snapshot()
    with pytest.raises(ImpossiblePositionError, match=r"table 1: what player_\d knows contradicts"):
        agent.act(decisions)
    assert np.array_equal(agent.snapshot(), before)


@pytest.mark.long
@every_preset
def test_it_plays_any_preset(name: str, preset: str) -> None:
    game: Game = waiter_envs.load(name)
    config = game.config(preset=preset, **samples(name).ending)
    match = play_match(game, config, ["search:simulations=16", "random"], 4, 3)
    assert match.agents[0].record.games > 0


@every_game
def test_it_is_an_opponent(name: str) -> None:
    game: Game = waiter_envs.load(name)
    fields = samples(name).quick
    env = waiter_envs.SingleAgentVectorEnv(game, 2, opponents="search:simulations=16", **fields)
    observations, _ = env.reset(seed=1)
    for _ in range(5):
        actions = observations["action_mask"].argmax(axis=1)
        observations, *_ = env.step(actions)


# -- How well it plays -------------------------------------------------------------------------


@pytest.mark.skipif(INTERPRETED, reason="needs thousands of playouts")
@every_game
def test_it_beats_random_and_holds_its_own_against_the_prior(name: str) -> None:
    """With little time; how good it is with more is measured by `benchmarks/search.py`."""
    game = waiter_envs.load(name)
    config = game.config(**samples(name).quick)
    even = 1 / (1 + max(config.playing_together))
    games = 48
    search = "search:simulations=64"
    for other, rate, most in (("random", 0.6, 0.75), ("heuristic", 0.0, even)):
        record = play_match(game, config, [search, other], games, 2).agents[0].record
        assert record.win_rate > rate, other
        assert record.interval[1] > most, other
