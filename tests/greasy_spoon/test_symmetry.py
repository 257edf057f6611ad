"""The two players are equal: exchange them, and what they see and may do goes with them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from greasy_spoon_env import GAME, Config, tables
from waiter_envs.agents.agent import Decisions
from waiter_envs.agents.rule_agent import RuleAgent
from waiter_envs.arena.match import play_match, wilson

from .states import Array, Position, positions

VARIANTS = {
    "best_of_1": Config(),
    "best_of_3": Config(best_of=3, starter=1, reward="game"),
    "best_of_5_no_recall": Config(best_of=5, recall=False, starter=0),
}


def exchanged_config(config: Config) -> Config:
    """Return the variant after an exchange of the players."""
    starter = None if config.starter is None else 1 - config.starter
    return Config(config.best_of, config.recall, starter, config.reward)


def exchanged(position: Position) -> Position:
    """Return a position after an exchange of the players."""
    new = {**position}
    for name in ("players", "set_aside", "recalled", "score"):
        new[name] = position[name][::-1]
    for name in ("to_act", "leader", "starter"):
        new[name] = 1 - position[name]
    new["winner"] = None if position["winner"] is None else 1 - position["winner"]
    return new


def exchanged_tables(config: Config, seen: Array) -> Array:
    """Return tables after an exchange of the players, with the same random streams."""
    moved = [
        GAME.read_position(exchanged_config(config), exchanged(GAME.position_to_dict(table)))
        for table in seen
    ]
    state = np.concatenate(moved)
    state["rng"] = seen["rng"]
    return state


def look(config: Config, state: Array) -> tuple[Any, ...]:
    """Return what there is to see: players to act, masks, observations, views of both, choices."""
    dealt = tables(len(state), 0, config=config)
    dealt.state = state
    choices = [RuleAgent(GAME, name).act(Decisions.at(dealt)) for name in GAME.heuristics]
    views = [dealt.full_observation(player) for player in range(2)]
    return dealt.current_player, dealt.action_mask, dealt.observation, views, choices


@pytest.mark.parametrize("match", VARIANTS)
def test_exchange(match: str) -> None:
    """Both players see after an exchange what the other saw before it, and may do the same."""
    config = VARIANTS[match]
    seen = positions(config, seed=4)
    acting, masks, observations, views, choices = look(config, seen)
    new = look(exchanged_config(config), exchanged_tables(config, seen))
    assert np.array_equal(new[0], 1 - acting)
    assert np.array_equal(new[1], masks)
    assert np.array_equal(new[2], observations)
    assert np.array_equal(new[3][0], views[1])
    assert np.array_equal(new[3][1], views[0])
    assert not np.array_equal(views[0], views[1])
    assert np.array_equal(new[4], choices)


@pytest.mark.parametrize("match", VARIANTS)
def test_exchanged_games_go_on_alike(match: str) -> None:
    """The same actions at exchanged tables lead to exchanged positions, until the next deal."""
    config = VARIANTS[match]
    seen = positions(config, seed=6)
    seen = seen[~seen["terminated"]]
    before = tables(len(seen), 0, config=config, autoreset_mode="Disabled")
    after = tables(len(seen), 0, config=exchanged_config(config), autoreset_mode="Disabled")
    before.state, after.state = seen, exchanged_tables(config, seen)
    same_game = np.ones(len(seen), bool)
    compared = 0
    for _ in range(30):
        actions = before.sample_actions()
        before.step(np.where(same_game, actions, before.action_mask.argmax(axis=1)))
        after.step(np.where(same_game, actions, after.action_mask.argmax(axis=1)))
        assert np.array_equal(after.rewards[same_game], before.rewards[same_game][:, ::-1])
        assert np.array_equal(after.terminated[same_game], before.terminated[same_game])
        going_on = before.state["games_played"] == seen["games_played"]
        for i in np.flatnonzero(same_game & (going_on | before.terminated)):
            one, other = before.state[i], after.state[i]
            assert GAME.position_to_dict(other) == exchanged(GAME.position_to_dict(one))
            compared += 1
        same_game &= going_on
        over = before.terminated | after.terminated
        before.reset(mask=over)
        after.reset(mask=over)
    assert compared > 20 * len(seen) // 2
    assert not same_game.all()


# -- Matches -----------------------------------------------------------------------------------


def play_out(config: Config, seed: int, num_tables: int = 1024) -> tuple[Array, Any]:
    """Return the ends of random matches and their rewards, summed up."""
    dealt = tables(num_tables, seed, config=config, autoreset_mode="NextStep")
    rewards = np.zeros((num_tables, 2))
    ends = dealt.state.copy()
    playing = np.ones(num_tables, bool)
    while playing.any():
        dealt.step(dealt.sample_actions())
        rewards[playing] += dealt.rewards[playing]
        ended = playing & dealt.terminated
        ends[ended] = dealt.final_state[ended]
        playing &= ~ended
    return ends, rewards


def assert_even(wins: int, games: int) -> None:
    """Check that wins are about a half: within four standard deviations."""
    assert abs(wins - games / 2) < 2 * np.sqrt(games)


@pytest.mark.parametrize("best_of", [1, 3])
def test_seats_of_a_match_are_equal(best_of: int) -> None:
    """Who starts is drawn, starters alternate, and each seat wins as often as the other."""
    ends, rewards = play_out(Config(best_of=best_of), seed=21)
    games = ends["games_played"]
    first = (ends["starter"] + games - 1) % 2
    assert_even(int(first.sum()), len(ends))
    assert_even(int(ends["winner"].sum()), len(ends))
    assert_even(int((ends["winner"] == first).sum()), len(ends))
    assert set(games.tolist()) == set(range(best_of // 2 + 1, best_of + 1))
    row = np.arange(len(ends))
    assert (ends["score"][row, ends["winner"]] == best_of // 2 + 1).all()
    assert (rewards[row, ends["winner"]] == 1).all()
    assert (rewards.sum(axis=1) == 0).all()


def test_pay_of_every_game() -> None:
    """Paid by game, a match pays each player the games won less the games lost."""
    ends, rewards = play_out(Config(best_of=5, reward="game"), seed=22, num_tables=64)
    score = ends["score"].astype(int)
    assert np.array_equal(rewards, score - score[:, ::-1])


@pytest.mark.parametrize("starter", [0, 1])
def test_a_fixed_starter_is_no_seat(starter: int) -> None:
    """Whoever is made to start the first game starts it, and wins as often as the other."""
    ends, _ = play_out(Config(starter=starter), seed=23)
    assert (ends["starter"] == starter).all()
    assert_even(int(ends["winner"].sum()), len(ends))


def test_match_between_agents() -> None:
    """An agent wins as often from either seat, and is its own equal."""
    result = play_match(GAME, Config(), ["heuristic", "random"], 1000, seed=5)
    sides = result.agents[0].record, *result.agents[0].by_side
    assert [record.games for record in sides] == [1000, 500, 500]
    assert wilson(sides[0].wins, 1000)[0] > 0.6
    assert abs(sides[1].wins - sides[2].wins) < 4 * np.sqrt(2 * 500) / 2
    itself = play_match(GAME, Config(), ["heuristic"], 400, seed=6).agents[0].record
    assert (itself.wins, itself.draws, itself.losses) == (400, 0, 400)
