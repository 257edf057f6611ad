"""Matches: fair rotation, exact counting, confidence intervals."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest

import waiter_envs
from waiter_envs.agents.agent import Agent, Decisions
from waiter_envs.agents.function_agent import FunctionAgent
from waiter_envs.agents.make import agent_names, make_agent
from waiter_envs.agents.random_agent import RandomAgent
from waiter_envs.agents.rule_agent import RuleAgent
from waiter_envs.arena.match import play_match, wilson
from waiter_envs.core.tables import Tables


def first_legal(observation, action_mask, player):
    return action_mask.argmax(axis=1)


def last_legal(observation, action_mask, player):
    return action_mask.shape[1] - 1 - action_mask[:, ::-1].argmax(axis=1)


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_results_add_up(name):
    game = waiter_envs.load(name)
    config = game.config_class()
    result = play_match(game, config, ["random", first_legal], games=21, seed=3, num_tables=8)
    sides = max(config.playing_together) + 1
    assert result.games == -(-21 // sides) * sides
    assert sum(agent.record.games for agent in result.agents) == result.games * sides
    for agent in result.agents:
        assert sum(side.games for side in agent.by_side) == agent.record.games
        games = [side.games for side in agent.by_side]
        assert len(set(games)) == 1, "every side is played equally often"
    wins = sum(agent.record.wins for agent in result.agents)
    assert wins <= result.games
    assert result.agents[1].name == "first_legal"


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_a_match_counts_what_the_tables_pay(name):
    """The same match of two agents, counted by hand: one table a game, sides in turn."""
    game = waiter_envs.load(name)
    config = game.config_class()
    agents = [FunctionAgent(first_legal), FunctionAgent(last_legal)]
    result = play_match(game, config, agents, games=8, seed=5)
    sides = list(config.playing_together)
    first = [sides.index(side) for side in range(max(sides) + 1)]
    wins, draws, total = [0, 0], [0, 0], [0.0, 0.0]
    steps = 0
    tables = Tables(game, config, result.games, 5)
    for number in range(result.games):
        table = Tables(game, config, 1, 0, autoreset_mode="Disabled")
        table.state = tables.state[number : number + 1]
        plays = [min((side + number) % len(first), 1) for side in range(len(first))]
        paid = np.zeros(table.num_players)
        while not (table.terminated[0] or table.truncated[0]):
            agent = agents[plays[sides[table.current_player[0]]]]
            table.step(agent.act(Decisions.at(table)))
            paid += table.rewards[0]
            steps += 1
        for side, player in enumerate(first):
            wins[plays[side]] += paid[player] > 0
            draws[plays[side]] += paid[player] == 0
        for player, side in enumerate(sides):
            total[plays[side]] += paid[player]
    for agent, won, drawn, reward in zip(result.agents, wins, draws, total, strict=True):
        assert (agent.record.wins, agent.record.draws) == (won, drawn)
        seats = sum(side.games for side in agent.by_side) * len(sides) / len(first)
        assert agent.mean_reward == pytest.approx(reward / seats)
    assert result.mean_decisions == steps / result.games


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_a_match_is_reproducible_and_tells_progress(name):
    game = waiter_envs.load(name)
    config = game.config_class()
    heard = []
    results = [
        play_match(game, config, ["random", "random"], 12, seed=4, progress=heard.append)
        for _ in range(2)
    ]
    assert results[0] == results[1]
    assert sum(heard) == 2 * results[0].games


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    # 81 of 263: R. G. Newcombe (1998), table I, method 3.
    [(0, 10, 0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1), (81, 263, 0.2553, 0.3662)],
)  # fmt: skip
def test_wilson_interval(wins, games, low, high):
    assert wilson(wins, games) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_bad_input(name):
    game = waiter_envs.load(name)
    config = game.config_class()
    with pytest.raises(ValueError, match="random"):
        play_match(game, config, ["nobody"], 4)
    with pytest.raises(ValueError, match="sides"):
        play_match(game, config, ["random"] * 11, 4)
    with pytest.raises(ValueError, match="sides"):
        play_match(game, config, [], 4)
    with pytest.raises(ValueError, match="games"):
        play_match(game, config, ["random"], 0)
    with pytest.raises(TypeError, match="Agent"):
        make_agent(game, 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_agents_choose_legal_actions_and_leave_the_tables_alone(name):
    game = waiter_envs.load(name)
    tables = Tables(game, game.config_class(), 64, 1)
    for _ in range(20):
        tables.step(tables.sample_actions())
    before = tables.state.copy()
    decisions = Decisions(
        tables.observation, tables.action_mask, tables.current_player, np.arange(64), tables.state
    )
    for agent_name in agent_names(game):
        actions = make_agent(game, agent_name, 2).act(decisions)
        assert actions.dtype == np.int32
        assert tables.action_mask[np.arange(64), actions].all(), agent_name
    assert (tables.state == before).all()


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (lambda mask: mask.argmax(axis=1) + 0.5, "dtype float64"),
        (lambda mask: 3, r"shape \(\)"),
        (lambda mask: mask.argmax(axis=1) + 2**32, "from 0 to"),
        (lambda mask: mask.argmax(axis=1) - 2**31, "from 0 to"),
    ],
)
def test_what_a_function_chooses_is_looked_at(answer, problem):
    game = waiter_envs.load(waiter_envs.GAMES[0])
    with pytest.raises(ValueError, match=problem):
        play_match(game, game.config_class(), [lambda seen, mask, player: answer(mask)], 4)


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_a_rule_based_agent_travels_as_a_name(name):
    """Pickled to another process, it finds its rules there, and plays on as it would have here."""
    game = waiter_envs.load(name)
    agent = RuleAgent(game, next(iter(game.heuristics)))
    tables = Tables.of(game, 8, 3)
    for _ in range(30):
        tables.step(agent.act(Decisions.at(tables)))
        agent.reset(np.flatnonzero(tables.terminated | tables.truncated))
    luggage = pickle.dumps((agent, tables))
    code = (
        "import pickle, sys; from waiter_envs import Decisions\n"
        "agent, tables = pickle.loads(sys.stdin.buffer.read())\n"
        "print(*agent.act(Decisions.at(tables)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], input=luggage, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [b"%d" % a for a in agent.act(Decisions.at(tables))]
    assert b"numba" not in pickle.dumps(agent), "no compiled code goes with it"


def test_random_agent_is_uniform_and_reproducible():
    mask = np.zeros((40_000, 7), np.int8)
    mask[:, [1, 3, 6]] = 1
    decisions = Decisions(mask, mask, mask[:, 0], np.arange(len(mask)), mask)  # type: ignore[arg-type]
    actions = RandomAgent(1).act(decisions)
    counts = np.bincount(actions, minlength=7)
    assert counts[[0, 2, 4, 5]].sum() == 0
    assert np.abs(counts[[1, 3, 6]] / len(mask) - 1 / 3).max() < 0.015
    assert (RandomAgent(1).act(decisions) == actions).all()
    assert (RandomAgent(2).act(decisions) != actions).any()


def test_agents_hear_which_tables_are_dealt_anew():
    game = waiter_envs.load(waiter_envs.GAMES[0])
    config = game.config_class()

    class Listener(Agent):
        """Notes which tables it hears of, and where turns begin to count anew."""

        def __init__(self):
            self.heard = []
            self.began = []
            self.last = {}

        def act(self, decisions):
            for table, state in zip(decisions.table.tolist(), decisions.state, strict=True):
                turn = int(state["turn"])
                if turn < self.last.get(table, 0):
                    self.began.append(table)
                self.last[table] = turn
            return decisions.action_mask.argmax(axis=1).astype(np.int32)

        def reset(self, tables=None):
            self.heard.append(sorted(tables.tolist()))

    listener = Listener()
    result = play_match(game, config, [listener], games=12, seed=1, num_tables=4)
    heard = [table for call in listener.heard for table in call]
    assert len(heard) >= result.games > len(set(heard)), "tables were dealt anew several times"
    assert any(len(call) < 4 for call in listener.heard), "not all tables end at once"
    for table in range(4):  # every game but the first at a table begins with a reset of just that
        assert 0 <= heard.count(table) - listener.began.count(table) <= 1
