"""Shares of games that an agent wins where everybody else is another one, with intervals."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from waiter_envs.agents.make import AgentLike
from waiter_envs.arena.deals import Dealer, in_order
from waiter_envs.arena.entrants import enter
from waiter_envs.arena.lineups import even_share
from waiter_envs.arena.ratings import resamples
from waiter_envs.core.checks import check_int
from waiter_envs.core.game import Game

_SAMPLES = 1000
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Share:
    """A share of games, with its 95% interval by bootstrap over deals."""

    value: float
    low: float
    high: float
    games: int

    @classmethod
    def of(cls, won: Floats, games: Floats, seed: int) -> Share:
        """Return a share from what each deal came to, `(deals,)`."""
        value, samples = _ratios(won, games, seed)
        low, high = np.quantile(samples, [0.025, 0.975])
        return cls(float(value), float(low), float(high), int(games.sum()))

    def less(self, even: float) -> Share:
        """Return by how much it is more than an even share."""
        return Share(self.value - even, self.low - even, self.high - even, self.games)


@dataclass(frozen=True)
class Tally:
    """What was won in each deal."""

    won: Floats
    games: Floats
    seed: int

    @property
    def share(self) -> Share:
        """The share of all games."""
        return Share.of(self.won, self.games, self.seed)

    def half(self, second: bool) -> Tally:
        """Return the first or the second half of the deals."""
        middle = len(self.won) // 2
        part = slice(middle, None) if second else slice(middle)
        return Tally(self.won[part], self.games[part], self.seed)

    def above(self, other: Tally) -> Share:
        """Return by how much more was won than in `other`, of the same deals, drawn together."""
        value, samples = _ratios(self.won, self.games, self.seed)
        less, other_samples = _ratios(other.won, other.games, self.seed)
        low, high = np.quantile(samples - other_samples, [0.025, 0.975])
        games = int(self.games.sum() + other.games.sum())
        return Share(float(value - less), float(low), float(high), games)


def _ratios(won: Floats, games: Floats, seed: int) -> tuple[Any, Floats]:
    """Return a share, and those of bootstrap samples."""
    weights = resamples(len(won), _SAMPLES, seed)
    samples = (weights @ won) / np.maximum(1.0, weights @ games)
    return won.sum() / max(1.0, games.sum()), samples


@dataclass(frozen=True)
class Hall:
    """Where all of these games are played: a variant, a seed, a number of deals."""

    game: Game
    config: Any
    deals: int
    seed: int
    threads: int

    def __post_init__(self) -> None:
        """Refuse too few deals.

        Raises:
            TypeError, ValueError: if `deals` is no integer from 1 on.
        """
        check_int("deals", self.deals, 1, 2**31 - 1)

    @property
    def sides(self) -> npt.NDArray[np.int64]:
        """The side of each player."""
        return np.array(self.config.playing_together)

    @property
    def even(self) -> float:
        """Share of wins between agents that are equally strong."""
        return even_share(self.config)

    def alone(self, agent: AgentLike, rival: AgentLike) -> Tally:
        """Let an agent play one side, each in turn, against copies of a rival on all others."""
        return self._count(agent, agent, rival, [self.sides == side for side in set(self.sides)])

    def seat(self, agent: AgentLike, rival: AgentLike) -> Tally:
        """Let an agent take one seat, each in turn, among copies of a rival in all others."""
        return self._count(agent, agent, rival, list(np.eye(len(self.sides), dtype=np.bool_)))

    def team(self, one: AgentLike, other: AgentLike, rival: AgentLike) -> Tally:
        """Let two agents play together, on each side, against teams of a rival.

        Where sides are drawn in the game, they take any two seats, and games count in which they
        turn out to be partners.
        """
        players = range(self.config.num_players)
        if getattr(self.config, "secret_teams", False):
            pairs = [np.isin(players, pair) for pair in itertools.combinations(players, 2)]
        else:
            pairs = [self.sides == side for side in set(self.sides)]
        return self._count(one, other, rival, pairs)

    def _count(
        self, one: AgentLike, other: AgentLike, rival: AgentLike, places: list[Any]
    ) -> Tally:
        """Count what two agents, or one, win at sets of places; each in either order."""
        agents = list(dict.fromkeys([one, other, rival]))
        entrants = enter(self.game, self.config, agents)
        number = {agent: place for place, agent in enumerate(agents)}
        rows = []
        for mine, order in itertools.product(places, (0, 1) if one != other else (0,)):
            row = np.full(self.config.num_players, number[rival])
            for nth, player in enumerate(np.flatnonzero(mine)):
                row[player] = number[(one, other)[(nth + order) % 2]]
            rows.append((row, mine))
        seats = np.broadcast_to(
            np.stack([row for row, _ in rows]), (self.deals, len(rows), len(self.sides))
        )
        mine = np.stack([here for _, here in rows])
        alone = mine.sum(axis=1) == 1  # whose side counts; of two, only whether they are partners
        dealer = Dealer(self.game, self.config, entrants, self.seed)
        won, games = np.zeros(self.deals), np.zeros(self.deals)
        for first, played in in_order(dealer, seats, 0, self.threads):
            paid = played.rewards  # (deals, seatings, players)
            high = np.where(mine, paid, -np.inf).max(axis=2)
            low = np.where(mine, paid, np.inf).min(axis=2)
            counts = np.ones(high.shape, np.bool_)
            if getattr(self.config, "secret_teams", False):
                counts = ((high == low) & (high != 0)) | alone
            here = slice(first, first + len(paid))
            won[here] = ((low > 0) & counts).sum(axis=1)
            games[here] = counts.sum(axis=1)
        return Tally(won, games, self.seed)
