"""Ratings: strengths of agents by maximum likelihood on all games at once (Plackett-Luce).

Each agent has a strength; a team's is the sum of its members'. A game is a choice, or several: the
first place goes to one of the parties, with a probability in proportion to its strength; the next
one to one of those that are left, and so on. The order among the last is not looked at: a game
that one wins and all others lose alike is one choice. Parties that share a place are each chosen
from the same parties. A game in which all are paid alike is a draw: one choice, shared by them.

A weak prior keeps strengths finite: each agent has also drawn one game with an opponent of strength
1. R. L. Plackett, "The Analysis of Permutations" (1975); R. D. Luce, "Individual Choice Behavior"
(1959); T.-K. Huang, R. C. Weng and C.-J. Lin, "Generalized Bradley-Terry Models and Multi-Class
Probability Estimates" (2006), for the teams.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

POINTS = 400 / np.log(10)
"""Rating points for a factor of e: 400 points are odds of 10 to 1, as in Elo's scale."""
_PRIOR = 1.0
"""Games that each agent has drawn with an opponent of strength 1."""
_STEPS = 200
_STEP = 2.0
"""How far a strength moves in one step, at most, in logarithms."""
_CLOSE = 1e-9

Floats = npt.NDArray[np.float64]
Party = tuple[tuple[int, ...], float]
"""The agents of a party, one for each of its players, and what each was paid."""


@dataclass(frozen=True)
class Choices:
    """The choices that games consist of; equal ones stand once."""

    chosen: Floats
    """`(choices, agents)`: how often each agent is in the party that was chosen."""
    among: Floats
    """`(choices, agents)`: how often it is in all parties that might have been."""
    counts: Floats
    """`(deals, choices)`: how often each was made in each deal."""


def parties_of(
    seats: Sequence[int], rewards: Sequence[float], sides: Sequence[int], secret: bool
) -> list[Party]:
    """Return the parties of a game.

    Args:
        seats: the agent of each player.
        rewards: what each player was paid.
        sides: the side of each player.
        secret: sides were drawn in the game; then players that were paid alike are a party,
            unless all were: then everyone is one.
    """
    group: Sequence[Any] = sides
    if secret and len(set(rewards)) > 1:
        group = rewards
    members: dict[Any, list[int]] = {}
    for player, key in enumerate(group):
        members.setdefault(key, []).append(player)
    return [
        (tuple(seats[player] for player in players), float(rewards[players[0]]))
        for players in members.values()
    ]


def choices_of(deals: Iterable[Sequence[Sequence[Party]]], agents: int) -> Choices:
    """Return the choices in games, each a list of parties, deal by deal."""
    numbers: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    rows: list[dict[int, float]] = []
    for games in deals:
        row: dict[int, float] = {}
        for parties in games:
            for chosen, among, weight in _choices(parties):
                key = tuple(sorted(chosen)), tuple(sorted(among))
                number = numbers.setdefault(key, len(numbers))
                row[number] = row.get(number, 0.0) + weight
        rows.append(row)
    counts = np.zeros((len(rows), len(numbers)))
    for deal, row in enumerate(rows):
        counts[deal, list(row)] = list(row.values())
    shape = len(numbers), agents
    members = [
        np.reshape([np.bincount(key[side], minlength=agents) for key in numbers], shape)
        for side in range(2)
    ]
    return Choices(members[0].astype(np.float64), members[1].astype(np.float64), counts)


def _choices(parties: Sequence[Party]) -> Iterable[tuple[tuple[int, ...], tuple[int, ...], float]]:
    """Yield who was chosen, among whom, and how much that counts."""
    places = sorted({paid for _, paid in parties}, reverse=True)
    for place in places[:-1] if len(places) > 1 else places:
        left = [party for party in parties if party[1] <= place]
        among = tuple(agent for members, _ in left for agent in members)
        weight = 1.0 if len(places) > 1 else 1.0 / len(parties)
        for members, paid in left:
            if paid == place:
                yield members, among, weight


def fit(choices: Choices, counts: Floats) -> Floats:
    """Return the logarithms of the strengths that make choices likeliest.

    Newton's method; where teams are mixed, with the part of the curvature that is never negative.

    Args:
        choices: what might be chosen.
        counts: `(..., choices)`: how often each was; each row is fitted by itself.

    Returns:
        `(..., agents)`, as the prior has them: 0 is the strength of its opponent.

    Raises:
        ValueError: if the likelihood has no maximum that can be found.
    """
    rows = counts.reshape(-1, counts.shape[-1])
    chosen, among = choices.chosen, choices.among
    agents = chosen.shape[1]
    log = np.zeros((len(rows), agents))
    for _ in range(_STEPS):
        strength = np.exp(log)
        share_chosen, share = _shares(chosen, strength), _shares(among, strength)
        even = strength / (1 + strength)
        gradient = np.einsum("bu,bua->ba", rows, share_chosen - share) + _PRIOR * (0.5 - even)
        curvature = -np.einsum("bu,bua,buc->bac", rows, share, share)
        diagonal = np.einsum("bu,bua->ba", rows, share) + _PRIOR * even * (1 - even)
        curvature[:, np.arange(agents), np.arange(agents)] += diagonal
        step = np.linalg.solve(curvature, gradient[..., np.newaxis])[..., 0]
        far = np.abs(step).max(initial=0.0)
        log += np.clip(step, -_STEP, _STEP)
        if far < _CLOSE:
            return log.reshape(*counts.shape[:-1], agents)
    raise ValueError(f"ratings were not found in {_STEPS} steps: there may be too few games")


def _shares(parties: Floats, strength: Floats) -> Floats:
    """Return which share of a party's strength each agent is, `(rows, choices, agents)`."""
    parts = parties * strength[:, np.newaxis, :]
    return np.asarray(parts / parts.sum(axis=2, keepdims=True))


def resamples(deals: int, count: int, seed: int) -> Floats:
    """Return how often each deal is drawn in each bootstrap sample, `(count, deals)`."""
    generator = np.random.default_rng(seed)
    return generator.multinomial(deals, np.full(deals, 1 / deals), size=count).astype(np.float64)
