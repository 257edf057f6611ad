"""The rule-based agents: strength, what they remember, and what they must not know."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from garcon_env import GAME, Config, agents, tables
from garcon_env.agents import HEURISTICS, blank_memory
from garcon_env.cards import NOTEBOOK, REPEAT
from garcon_env.state import OPEN, PILE
from waiter_envs.agents.agent import Agent, Decisions
from waiter_envs.agents.make import agent_names
from waiter_envs.agents.rule_agent import RuleAgent
from waiter_envs.arena.match import MatchResult, play_match
from waiter_envs.core.tables import Tables

from .playing import VARIANTS, play, seated, study, waiter

PLAIN = VARIANTS["rulebook"]
LONG = VARIANTS["long"]
ONE, TWO = "coffee", "coffee + soup"
THREE = "coffee + salad + fruit tart"
FIVE = "coffee + lemonade + soup + omelette + pancakes"
FIVE_OTHER = "tea + orange juice + salad + steak + fruit tart"
FIVES = [
    FIVE_OTHER,
    "coffee + hot chocolate + sandwich + steak + ice cream",
    "tea + hot chocolate + salad + sandwich + cheesecake",
    "tea + hot chocolate + omelette + steak + fruit tart",
    "lemonade + orange juice + soup + omelette + croissant",
]
"""The other orders of five dishes."""


def choice(dealt: Tables, agent: Agent) -> str:
    """Return what an agent does at the only table."""
    return GAME.action_to_text(dealt.state[0], int(agent.act(Decisions.at(dealt))[0]))


def heuristic(seed: int = 0, **options: Any) -> RuleAgent:
    """Return an agent that has not been asked yet."""
    return RuleAgent(GAME, "heuristic", seed, **options)


# -- Strength ----------------------------------------------------------------------------------


def match(config: Config, *agents: Any, games: int) -> MatchResult:
    """Play a match; the last agent has the seats that are left over."""
    return play_match(GAME, config, agents, games, seed=5)


@pytest.mark.parametrize("preset", ["rulebook", "long", "clock", "memory"])
def test_beats_random_players(preset: str) -> None:
    """One against three random players wins 95% and more, in every seat nearly as often."""
    record = match(VARIANTS[preset], "heuristic", "random", games=400).agents[0]
    assert record.record.win_rate >= 0.95
    assert all(side.win_rate > 0.9 for side in record.by_side)


def test_games_among_its_like_end_in_time() -> None:
    """Nobody waits for ever: some 25 decisions, naming included, and no game is cut."""
    result = match(PLAIN, "heuristic", games=200)
    assert result.truncated == 0
    assert result.mean_decisions < 40
    assert match(LONG, "heuristic", games=200).truncated == 0


def test_the_more_it_fades_the_worse() -> None:
    """Against three that forget nothing, wins go down from an equal share to nearly none."""
    rates = []
    for fade in (0.0, 0.04, 0.12, 1.0):
        agent = RuleAgent(GAME, "forgetful", fade=fade)
        rates.append(match(LONG, agent, "heuristic", games=2000).agents[0].record.win_rate)
    assert all(more > 1.3 * less for more, less in itertools.pairwise(rates)), rates
    assert 0.17 < rates[0] < 0.25  # an equal share of the games that are no draws
    assert rates[-1] < 0.02


def test_forgetful_is_in_between() -> None:
    """It loses to the one that remembers, and wins against random players."""
    against_heuristics = match(LONG, "forgetful", "heuristic", games=1000).agents[0].record
    assert against_heuristics.interval[1] < 0.1
    against_random = match(LONG, "forgetful", "random", games=400).agents[0].record
    assert against_random.interval[0] > 0.6


def test_fading_is_the_only_difference() -> None:
    """Without fading the two are the same, with the same seeds."""
    one = match(PLAIN, RuleAgent(GAME, "forgetful", 3, fade=0), "random", games=40)
    two = match(PLAIN, RuleAgent(GAME, "heuristic", 3), "random", games=40)
    assert one.agents[0].record == two.agents[0].record
    assert one.mean_decisions == two.mean_decisions
    three = match(PLAIN, RuleAgent(GAME, "forgetful", 3), "random", games=40)
    four = match(PLAIN, RuleAgent(GAME, "heuristic", 3, fade=0.2), "random", games=40)
    assert three.agents[0].record == four.agents[0].record
    assert three.mean_decisions == four.mean_decisions


# -- Studies -----------------------------------------------------------------------------------

MARKET = ["tea", TWO, THREE, FIVE, "lemonade"]


def ready(config: Config, agent: Agent, *players: dict[str, Any]) -> Tables:
    """Return a table where player 0, an agent, has taken five dishes and is to act again."""
    position = study(config, *players, market_orders=MARKET, market_events=["repeat", "leave"])
    dealt = seated(config, position)
    assert choice(dealt, agent) == "take 3"
    play(dealt, ["take 3", "take 0", "take 1", "take 4"])
    return dealt


def test_names_what_it_has_taken() -> None:
    """It takes the dearest order, and completes it without a mistake when that is enough."""
    config = dataclasses.replace(PLAIN, target=5)
    agent = heuristic()
    dealt = ready(config, agent)
    assert choice(dealt, agent) == "complete 0"
    play(dealt, "complete 0")
    said = []
    for _ in range(5):
        said.append(choice(dealt, agent))
        after = play(dealt, said[-1])
    assert sorted(said) == sorted(f"name {dish}" for dish in FIVE.split(" + "))
    assert after["players"][0]["points"] == 5


def test_doubles_what_it_knows_and_notes_what_it_does_not() -> None:
    """A Repeat for the dearest order that it remembers, a Notebook for one that it does not."""
    agent = heuristic()
    others = [waiter(), waiter(completed=FIVES)]  # so that nothing as dear lies on the table
    dealt = ready(dataclasses.replace(PLAIN, target=50), agent, *others)
    state = dealt.state.copy()
    state["market_event"] = [REPEAT, NOTEBOOK]
    dealt.state = state
    assert choice(dealt, agent) == "repeat 0"
    assert choice(dealt, heuristic()) == "notebook 0"


def test_turns_away_who_would_win() -> None:
    """The dearest order of whoever has the most, counting what its open orders may bring."""
    third = waiter(ONE, FIVE_OTHER, completed=["tea + salad + fruit tart"])
    position = study(PLAIN, waiter(), waiter("tea"), third, market_events=["leave", "leave"])
    assert choice(seated(PLAIN, position), heuristic()) == "leave P2.1"


def test_the_last_chance() -> None:
    """In the last round it completes whatever it knows."""
    config = dataclasses.replace(PLAIN, recall=None)
    players = waiter(ONE, TWO), waiter(completed=[FIVE, THREE])
    position = study(config, *players, final_round=True, turns_done=43, first_player=1)
    assert choice(seated(config, position), heuristic()) == "complete 1"
    position["final_round"] = False
    position["players"][1]["completed"].pop()
    position["players"][1]["points"] = 5
    position["order_pile"].append(THREE.split(" + "))
    assert choice(seated(config, position), heuristic()) != "complete 1"


# -- Memory ------------------------------------------------------------------------------------


def test_memory_goes_with_the_game() -> None:
    """`reset` of its table makes an agent forget; of another it does not."""
    config = dataclasses.replace(PLAIN, target=5)
    agent = heuristic()
    dealt = ready(config, agent)
    agent.reset(np.array([1, 7]))
    assert choice(dealt, agent) == "complete 0"
    agent.reset(np.array([0]))
    assert choice(dealt, agent) != "complete 0"
    agent = heuristic()
    dealt = ready(config, agent)
    agent.reset()
    assert choice(dealt, agent) != "complete 0"


def test_another_agent_knows_nothing() -> None:
    """Each agent has a memory of its own."""
    config = dataclasses.replace(PLAIN, target=5)
    assert choice(ready(config, heuristic()), heuristic()) != "complete 0"


def test_it_fades_once_in_a_turn() -> None:
    """To be asked again in the same turn costs nothing; with fade=1 the next turn does."""
    config = dataclasses.replace(PLAIN, target=5)
    assert choice(ready(config, heuristic(fade=1)), heuristic(fade=1)) != "complete 0"
    agent = heuristic(fade=0.5)
    dealt = tables(400, 2, config=dataclasses.replace(LONG, first_player=0))
    while dealt.state["turns_done"].max() < 12:
        dealt.step(agent.act(Decisions.at(dealt)))
    which = np.flatnonzero((dealt.state["turns_done"] == 12) & (dealt.current_player == 0))
    memories = set()
    for _ in range(20):
        agent.act(Decisions.at(dealt, which))
        memory = agent.snapshot()[which, 0]
        memories.add(memory["face"].tobytes())
    assert len(memories) == 1
    for taken, left in ((0, 0.5**3), (1, 0.5**2), (2, 0.5)):
        of_round = memory["face"][memory["round"] == taken]
        assert len(of_round) > 150
        assert (of_round != 0).mean() == pytest.approx(left, abs=0.1)


def journey(
    dealt: Tables, agent: Agent, steps: int
) -> tuple[list[npt.NDArray[np.int32]], list[npt.NDArray[np.void]]]:
    """Let an agent play all seats; return its actions and the tables after each."""
    actions, states = [], []
    for _ in range(steps):
        actions.append(agent.act(Decisions.at(dealt)).copy())
        dealt.step(actions[-1])
        agent.reset(np.flatnonzero(dealt.terminated | dealt.truncated))
        states.append(dealt.state.copy())
    return actions, states


@pytest.mark.parametrize("name", HEURISTICS)
def test_snapshots_give_the_same_play_again(name: str) -> None:
    """Tables and memory restored: the same decisions; tables alone: others."""
    dealt = tables(40, 1, config=LONG)
    agent = RuleAgent(GAME, name, 4)
    journey(dealt, agent, 30)
    state, memory = dealt.state.copy(), agent.snapshot()
    kept = memory.copy()
    first = journey(dealt, agent, 120)
    assert np.array_equal(memory, kept), "a snapshot is a copy"
    dealt.state = state
    agent.restore(memory)
    again = journey(dealt, agent, 120)
    assert all(map(np.array_equal, first[0], again[0]))
    assert all(map(np.array_equal, first[1], again[1]))
    assert np.array_equal(memory, kept), "and it is restored as one"
    dealt.state = state
    agent.restore(None)
    other = journey(dealt, agent, 120)
    assert not all(map(np.array_equal, first[0], other[0]))


@pytest.mark.parametrize("name", HEURISTICS)
def test_tables_and_seats_are_apart(name: str) -> None:
    """What is asked at one table, in one seat, does not depend on what else is asked."""
    dealt = tables(12, 8, config=LONG)
    together = RuleAgent(GAME, name, 6)
    alone_at = {(table, seat): RuleAgent(GAME, name, 6) for table in (0, 7) for seat in range(4)}
    for _ in range(150):
        actions = together.act(Decisions.at(dealt))
        for table in (7, 0):
            agent = alone_at[table, int(dealt.current_player[table])]
            assert agent.act(Decisions.at(dealt, np.array([table]))) == actions[table]
        dealt.step(actions)
        ended = np.flatnonzero(dealt.terminated | dealt.truncated)
        for agent in (together, *alone_at.values()):
            agent.reset(ended)


def test_memory_grows_with_the_tables() -> None:
    """Tables with higher numbers, asked later, leave what was remembered as it is."""
    config = dataclasses.replace(PLAIN, target=5)
    agent = heuristic()
    dealt = ready(config, agent)
    many = tables(9, 0, config=config)
    agent.act(Decisions.at(many, np.arange(3, 9)))
    assert agent.snapshot().shape[0] == 9
    assert choice(dealt, agent) == "complete 0"


# -- What they do not know ---------------------------------------------------------------------

DEAR = Config(
    menu=[(dish, "drink") for dish in "abcdef"],
    orders=[(10 ** (number % 4), "abcdef"[number % 6]) for number in range(4)] * 12,
    target=3000,
)
"""One back, and points from 1 to 1000."""


def redealt(
    state: npt.NDArray[np.void], rng: np.random.Generator, memory: npt.NDArray[np.void] | None
) -> npt.NDArray[np.void]:
    """Return tables with other faces, and other points, where the player to act sees none.

    Faces are exchanged among the orders of one back in the pile and before the players, one's own
    under a Notebook and those of `recall` aside, and with a memory those that it holds.
    """
    other = state.copy()
    players = state["points"].shape[1]
    for number, table in enumerate(other):
        player = table["current_player"]
        hidden = np.isin(table["place"], (PILE, OPEN))
        recall = table["recall"]
        for place in range(table["num_open"][player]):
            age = table["age"][player, place]
            known = recall < 0 or age < recall or table["notebook"][player, place]
            if memory is not None:
                mine = memory[number, player]
                taken = mine["round"] == table["turns_done"] // players - 1 - age
                known |= (taken & (mine["face"] != 0)).any()
            if known:
                hidden[table["order"][player, place]] = False
        for back in np.unique(table["back"]):
            which = np.flatnonzero(hidden & (table["back"] == back))
            mixed = rng.permutation(which)
            for name in ("face", "order_points"):
                table[name][which] = table[name][mixed]
    return other


@pytest.mark.parametrize(
    "config",
    [PLAIN, VARIANTS["memory"], dataclasses.replace(LONG, recall=2), DEAR],
    ids=["rulebook", "memory", "recall_2", "dear"],
)
@pytest.mark.parametrize("name", HEURISTICS)
def test_agents_do_not_peek(name: str, config: Config) -> None:
    """Other faces where they see none, the same memory: the same decisions."""
    rng = np.random.default_rng(2)
    dealt = tables(30, 3, config=config)
    agent = RuleAgent(GAME, name, 1)
    agent.act(Decisions.at(dealt))  # so that there is a memory
    kinds: Counter[str] = Counter()
    for step in range(150):
        memory = agent.snapshot()
        actions = agent.act(Decisions.at(dealt))
        after = agent.snapshot()
        other = redealt(dealt.state, rng, memory if config == DEAR else None)
        assert (other["face"] != dealt.state["face"]).any(axis=1).mean() > 0.9
        agent.restore(memory)
        again = agent.act(Decisions.at(dealt)._replace(state=other))
        differ = np.flatnonzero(again != actions)
        assert not len(differ), (step, dealt.state[differ], other[differ], actions[differ])
        if config != DEAR:
            assert np.array_equal(agent.snapshot(), after)
        agent.restore(after)
        kinds.update(
            GAME.action_to_text(table, int(action)).partition(" ")[0]
            for table, action in zip(dealt.state, actions, strict=True)
        )
        dealt.step(actions)
        agent.reset(np.flatnonzero(dealt.terminated | dealt.truncated))
    expected = {"take", "complete", "name", "repeat"}
    assert expected <= set(kinds), kinds


# -- What attentive players remember -----------------------------------------------------------

recollect: Any = None  # the game's own functions, once `remember_all` is bound to them
recall: Any = None


def remember_all(state: Any, memory: Any) -> None:
    """Let all players remember their open orders."""
    for i in range(state.shape[0]):
        for player in range(memory.shape[1]):
            recollect(state[i], player, memory[i, player])


def ask_all(state: Any, memory: Any, faces: Any) -> None:
    """Ask the players to act for the faces of their open orders."""
    for i in range(state.shape[0]):
        player = np.int64(state[i].current_player)
        for place in range(state[i].num_open[player]):
            faces[i, place] = recall(state[i], memory[i, player], player, place)


@pytest.mark.parametrize("preset", ["rulebook", "memory"])
def test_attentive_players_know_all_their_orders(preset: str) -> None:
    """When their next turn comes, or in the middle of one."""
    dealt = Tables.of(GAME, 64, 1, preset=preset)
    for _ in range(30):
        dealt.step(dealt.sample_actions())
    dtype = dealt.state.dtype
    memory = np.repeat(blank_memory(dtype), 64 * dealt.num_players).reshape(64, dealt.num_players)
    GAME.kernel(remember_all, dtype, recollect=agents.recollect)(dealt.buffers.state, memory)
    row, asked = np.arange(64), np.zeros((64, dealt.num_players), np.bool_)
    over, known = np.zeros(64, np.bool_), 0
    for _ in range(40):
        state, player = dealt.state, dealt.current_player
        faces = np.zeros((64, state["order"].shape[2]), np.int64)
        GAME.kernel(ask_all, dtype, recall=agents.recall)(dealt.buffers.state, memory, faces)
        places = np.arange(faces.shape[1])
        there = places < state["num_open"][row, player][:, np.newaxis]
        there &= ~(over | asked[row, player])[:, np.newaxis]
        mine = state["face"][row[:, np.newaxis], state["order"][row, player]]
        assert np.array_equal(faces[there], mine[there])
        known += there.sum()
        asked[row, player] = True
        dealt.step(dealt.sample_actions())
        over |= dealt.terminated | dealt.truncated  # what comes then is another game
    assert asked.mean() > 0.9  # whoever has no choice is not asked
    assert known > 64


# -- Options -----------------------------------------------------------------------------------


def test_names() -> None:
    """Two agents, besides the random one."""
    assert agent_names(GAME) == ("random", "heuristic", "forgetful")
    with pytest.raises(ValueError, match="'elephant' for garcon; there are heuristic, forgetful"):
        RuleAgent(GAME, "elephant")


@pytest.mark.parametrize("name", HEURISTICS)
@pytest.mark.parametrize("fade", [-0.1, 1.01, 2, float("nan"), float("inf")])
def test_impossible_chances_are_refused(name: str, fade: float) -> None:
    """At once, with a text that says what is allowed."""
    with pytest.raises(ValueError, match=r"^fade=.*: must be a number from 0 to 1"):
        RuleAgent(GAME, name, fade=fade)


@pytest.mark.parametrize("fade", ["0.5", None, True, [0.5]])
def test_chances_of_the_wrong_type_are_refused(fade: Any) -> None:
    """At once, with a text that says what is allowed."""
    with pytest.raises(TypeError, match=r"^fade=.*: must be a number from 0 to 1"):
        RuleAgent(GAME, "forgetful", fade=fade)


def test_unknown_options_are_refused() -> None:
    """At once, with their names."""
    with pytest.raises(TypeError, match="forget_rate"):
        RuleAgent(GAME, "forgetful", forget_rate=0.5)
