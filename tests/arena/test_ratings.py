"""Ratings: the likelihood's maximum by brute force, by hand, and beside another library."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from openskill.models import PlackettLuce

from waiter_envs.arena.ratings import (
    POINTS,
    Party,
    choices_of,
    fit,
    parties_of,
    resamples,
)

Games = list[list[Party]]


def log_likelihood(games: Games, log: np.ndarray) -> float:
    """Return prior and likelihood as the module's text has them, game by game."""
    theta = np.exp(log)
    found = sum(0.5 * math.log(t / (1 + t)) + 0.5 * math.log(1 / (1 + t)) for t in theta)
    for parties in games:
        strength = [sum(theta[a] for a in members) for members, _ in parties]
        paid = [reward for _, reward in parties]
        if len(set(paid)) == 1:
            found += np.mean([math.log(s / sum(strength)) for s in strength])
            continue
        for s, reward in zip(strength, paid, strict=True):
            if reward > min(paid):
                left = [s for s, r in zip(strength, paid, strict=True) if r <= reward]
                found += math.log(s / sum(left))
    return float(found)


def fitted(games: Games, agents: int) -> np.ndarray:
    choices = choices_of([[game] for game in games], agents)
    return fit(choices, choices.counts.sum(axis=0))


def alone(rewards: dict[int, float]) -> list[Party]:
    return [((agent,), reward) for agent, reward in rewards.items()]


GAMES = {
    "two players": [alone({0: 1, 1: -1})] * 5 + [alone({0: -1, 1: 1})] * 2,
    "with draws": [alone({0: 1, 1: -1})] * 3 + [alone({0: 0, 1: 0})] * 4,
    "one winner of three": [
        *[alone({0: 1, 1: -0.5, 2: -0.5})] * 4,
        *[alone({0: -0.5, 1: 1, 2: -0.5})] * 2,
        alone({0: 0, 1: 0, 2: 0}),
    ],
    "all places": [alone({0: 3, 1: 2, 2: 1}), alone({0: 1, 1: 3, 2: 2}), alone({0: 3, 1: 1, 2: 2})],
    "a shared first place": [alone({0: 1, 1: 1, 2: -2}), alone({0: -1, 1: 2, 2: -1})],
    "copies": [[((0,), 1.0), ((0,), -0.5), ((1,), -0.5)], [((0,), -1.0), ((1,), 2.0), ((1,), -1)]],
    "mixed teams": [
        *[[((0, 1), 1.0), ((2, 2), -1.0)]] * 4,
        *[[((0, 2), 1.0), ((1, 1), -1.0)]] * 2,
        *[[((1, 2), 1.0), ((0, 0), -1.0)]] * 2,
        [((0, 0), 1.0), ((2, 1), -1.0)],
    ],
    "unequal teams": [[((0, 0, 0), 1.0), ((1, 1), -1.0)], [((1, 1, 1), 1.0), ((0, 0), -1.0)]] * 3,
}


@pytest.mark.parametrize("games", GAMES.values(), ids=GAMES)
def test_nothing_near_or_far_is_likelier(games):
    agents = 1 + max(agent for game in games for members, _ in game for agent in members)
    found = fitted(games, agents)
    best = log_likelihood(games, found)
    for step in (1e-3, 0.1, 1.0):
        for move in itertools.product((-step, 0.0, step), repeat=agents):
            if any(move):
                assert log_likelihood(games, found + np.array(move)) < best
    grid = itertools.product(np.linspace(-4, 4, 17), repeat=agents)
    assert max(log_likelihood(games, np.array(point)) for point in grid) <= best


def test_two_players_by_hand():
    """Many games: the prior weighs nothing, and the odds are those of the wins."""
    games = [alone({0: 1, 1: -1})] * 3000 + [alone({0: -1, 1: 1})] * 1000
    log = fitted(games, 2)
    assert (log[0] - log[1]) * POINTS == pytest.approx(400 * math.log10(3), abs=1)


def test_whoever_never_wins_has_a_rating_all_the_same():
    for lost in (1, 10, 100_000):
        log = fitted([alone({0: 1, 1: -1})] * lost, 2)
        assert np.isfinite(log).all()
        assert log[0] > log[1]


def test_rows_are_fitted_by_themselves():
    choices = choices_of([[game] for game in GAMES["all places"]], 3)
    weights = resamples(3, 40, 1)
    assert (weights.sum(axis=1) == 3).all()
    together = fit(choices, weights @ choices.counts)
    for row, found in zip(weights, together, strict=True):
        np.testing.assert_allclose(fit(choices, row @ choices.counts), found, atol=1e-7)


def test_the_intervals_hold_the_truth_as_often_as_they_say():
    """Games drawn from the model, of four players each."""
    truth = np.array([0.8, 0.2, -0.3, -0.7])
    generator = np.random.default_rng(1)
    inside = []
    for trial in range(60):
        winners = generator.choice(4, 300, p=np.exp(truth) / np.exp(truth).sum())
        deals = [[alone({a: 3.0 if a == winner else -1.0 for a in range(4)})] for winner in winners]
        choices = choices_of(deals, 4)
        samples = fit(choices, resamples(300, 200, trial) @ choices.counts)
        samples = samples[:, 0] - samples[:, 3]
        low, high = np.quantile(samples, [0.025, 0.975])
        inside.append(low <= truth[0] - truth[3] <= high)
    assert 0.85 <= np.mean(inside) <= 1.0


def test_openskill_finds_the_same_strengths():
    """Another method (Weng and Lin's), game after game, on many games of the same agents."""
    truth = np.array([1.0, 0.4, -0.2, -0.8])
    generator = np.random.default_rng(2)
    model = PlackettLuce(tau=0.0)
    theirs = [model.rating() for _ in truth]
    games = []
    for _ in range(1500):
        order = sorted(range(4), key=lambda a: truth[a] - math.log(generator.exponential()))[::-1]
        games.append(alone({agent: -place for place, agent in enumerate(order)}))
        rated = model.rate([[theirs[agent]] for agent in order])
        for agent, (rating,) in zip(order, rated, strict=True):
            theirs[agent] = rating
    ours = fitted(games, 4)
    assert np.argsort(ours).tolist() == np.argsort([r.mu for r in theirs]).tolist()
    np.testing.assert_allclose(ours - ours.mean(), truth - truth.mean(), atol=0.12)
    spread = math.sqrt(sum(r.sigma**2 + model.beta**2 for r in theirs))
    log = np.array([r.mu for r in theirs]) / spread  # its strengths are e to that
    np.testing.assert_allclose(ours - ours.mean(), log - log.mean(), atol=0.15)


def test_parties_are_sides_or_those_who_are_paid_alike():
    assert parties_of([0, 1, 0, 1], [1, -1, 1, -1], [0, 1, 0, 1], False) == [
        ((0, 0), 1.0),
        ((1, 1), -1.0),
    ]
    assert parties_of([0, 1, 2, 3], [1, -1, -1, 1], [0, 1, 2, 3], True) == [
        ((0, 3), 1.0),
        ((1, 2), -1.0),
    ]
    nobody = parties_of([0, 1, 2, 3], [0, 0, 0, 0], [0, 1, 2, 3], True)
    assert nobody == [((agent,), 0.0) for agent in range(4)]
    losers = parties_of([0, 1, 2], [1, -0.5, -0.5], [0, 1, 2], False)
    assert losers == [((0,), 1.0), ((1,), -0.5), ((2,), -0.5)]
