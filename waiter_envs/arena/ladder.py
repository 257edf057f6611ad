"""Ladders: agents against each other on duplicate deals, rated on all games at once."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from waiter_envs.agents.make import AgentLike
from waiter_envs.arena import ratings
from waiter_envs.arena.deals import Dealer, Played, in_order
from waiter_envs.arena.entrants import Entrant, enter
from waiter_envs.arena.ladder_file import LadderFile
from waiter_envs.arena.lineups import even_share, num_seatings, seatings
from waiter_envs.arena.record_files import PathLike
from waiter_envs.core.checks import check_bool, check_callable, check_int, check_path, check_seed
from waiter_envs.core.game import Game, check_game
from waiter_envs.core.workers import num_cores

PROTOCOL = 1
"""Raised whenever the same ladder would play other games, or count them otherwise."""

_SAMPLES = 1000
"""Bootstrap samples behind an interval."""
_AT_ONCE = 50
"""Samples that are fitted at once."""

Floats = npt.NDArray[np.float64]
Interval = tuple[float, float]


@dataclass(frozen=True)
class Rated:
    """What one agent reached on a ladder; intervals are of 95%, by bootstrap over deals."""

    name: str
    digest: str | None
    """Of the files that it is made of, if there are any."""
    rating: float
    """400 points are odds of 10 to 1; the game's rule-based agent has 0 if it plays, or else all
    agents have 0 on average."""
    interval: Interval
    games: int
    """Once for each side that it played in a game."""
    won: float
    """Share of these that its side was paid for."""
    won_interval: Interval
    drawn: float
    """Share of these that nobody was paid for."""


@dataclass(frozen=True)
class Ladder:
    """What came out of a ladder."""

    head: dict[str, Any]
    """What it was played with: two ladders with equal heads and as many deals are equal."""
    deals: int
    games: int
    truncated: int
    """Games that were cut at the turn limit."""
    even: float
    """Share of wins if all were equally strong and nothing was drawn."""
    agents: tuple[Rated, ...]
    """In the order in which they were given."""
    beats: tuple[tuple[float | None, ...], ...]
    """`beats[a][b]`: of the games in which `a` and `b` played different sides, the share in which
    `a` was paid more, games in which they were paid alike counted half; `None`: there are none.
    Where sides are drawn in the game, whoever turn out to be partners count half, too."""
    narrowing: float
    """Width of the intervals of ratings over what it is if each game is drawn from a deal of its
    own; the geometric mean over agents."""

    def to_dict(self) -> dict[str, Any]:
        """Return the result in plain JSON types."""
        plain: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(self)))
        return plain


def play_ladder(
    game: Game,
    config: Any,
    agents: Sequence[AgentLike],
    deals: int,
    seed: int = 0,
    *,
    out: PathLike | None = None,
    threads: int | None = None,
    duplicate: bool = True,
    progress: Callable[[int], None] | None = None,
) -> Ladder:
    """Let agents play each deal in all seatings, and rate them.

    What agents draw depends on the seed, the deal, the seat and their names, so the result is the
    same with any number of threads, and after any number of interruptions. (Searches with a budget
    in milliseconds, and agents of one's own that draw otherwise, are not reproducible.)

    Args:
        game: the game.
        config: its variant.
        agents: at least 2, of different names: whatever `make_agent` takes.
        deals: how many, at least as many as a deal has seatings.
        seed: of the deals, and of what agents draw.
        out: a file of results, JSON lines; if it is there, what it holds is not played again. It
            knows agents by names and digests of files: those given as objects, and the code of all,
            by their names alone.
        threads: deals that are played at once; `None`: one for each core. Agents of one's own are
            asked from one thread.
        duplicate: play the same deal in all seatings; else each game has a deal of its own.
        progress: called with the number of games that are known since the last call.

    Raises:
        TypeError, ValueError: for an unknown agent, one of another game or variant, two of one
            name, numbers out of range, or a file of other results.
        OSError: if the file cannot be written.
    """
    config = check_game(game).config(config)
    seed = check_seed(seed)
    check_bool("duplicate", duplicate)
    if threads is not None:
        check_int("threads", threads, 1, 4096, "or None")
    if progress is not None:
        check_callable("progress", progress)
    if out is not None:
        check_path(out, "out")
    entrants = enter(game, config, agents)
    if len(entrants) < 2:
        raise ValueError(f"{len(entrants)} agents: a ladder needs at least 2")
    ladder = _Ladder(game, config, entrants, seed, duplicate)
    check_int("deals", deals, 1, 2**31 - 1)
    if deals < ladder.seatings:
        raise ValueError(
            f"deals={deals}: {len(entrants)} agents play each deal in {ladder.seatings} seatings; "
            f"give at least {ladder.seatings} deals"
        )
    played = ladder.play(deals, out, threads or num_cores(), progress or (lambda games: None))
    return ladder.result(played)


class _Ladder:
    """A ladder in progress."""

    def __init__(
        self, game: Game, config: Any, entrants: list[Entrant], seed: int, duplicate: bool
    ) -> None:
        self.entrants, self.seed, self.sides = entrants, seed, np.array(config.playing_together)
        self.num_sides = int(self.sides.max()) + 1
        self.seatings = num_seatings(len(entrants), self.num_sides)
        self.even = even_share(config)
        self.secret = bool(getattr(config, "secret_teams", False))
        self.dealer = Dealer(game, config, entrants, seed, duplicate)
        self.head = {
            "ladder": PROTOCOL,
            "game": game.name,
            "version": game.version,
            "variant": game.config_to_dict(config),
            "seed": seed,
            "duplicate": duplicate,
            "agents": [entrant.to_dict() for entrant in entrants],
        }
        rule = next(iter(game.heuristics), None)
        names = [entrant.name for entrant in entrants]
        self.anchor = names.index(rule) if rule in names else None

    # -- playing -----------------------------------------------------------------------------

    def play(
        self, deals: int, out: PathLike | None, threads: int, progress: Callable[[int], None]
    ) -> Played:
        """Return what all deals came to, played or read."""
        seats = self.seats(deals)
        known: list[tuple[Any, Any]] = []
        with contextlib.ExitStack() as stack:
            file = None
            if out is not None:
                file = LadderFile(out, self.head, (self.seatings, len(self.sides)))
                stack.enter_context(contextlib.closing(file))
                known = file.deals
                progress(min(len(known), deals) * self.seatings)
            for first, played in in_order(self.dealer, seats, len(known), threads):
                if file is not None:
                    file.append(played, seats[first : first + len(played.rewards)])
                else:
                    known += zip(played.rewards, played.truncated, strict=True)
                progress(played.truncated.size)
        rewards, truncated = zip(*known[:deals], strict=True)
        return Played(np.stack(rewards), np.stack(truncated))

    def seats(self, deals: int) -> npt.NDArray[np.int64]:
        """Return who sits where, `(deals, seatings, players)`."""
        at_side = seatings(len(self.entrants), self.num_sides, deals, self.seed)
        return at_side[:, :, self.sides]

    # -- counting ----------------------------------------------------------------------------

    def result(self, played: Played) -> Ladder:
        """Return what all games came to."""
        deals = len(played.rewards)
        seats = self.seats(deals)
        choices = ratings.choices_of(self._parties(seats, played.rewards), len(self.entrants))
        rating = self._points(ratings.fit(choices, choices.counts.sum(axis=0)))
        weights = ratings.resamples(deals, _SAMPLES, self.seed)
        intervals = self._intervals(choices, weights @ choices.counts)
        tally = _Tally.of(seats, played.rewards, self.sides, len(self.entrants))
        won = tally.won.sum(axis=0) / tally.games.sum(axis=0)
        won_samples = (weights @ tally.won) / np.maximum(1, weights @ tally.games)
        won_intervals = _quantiles(won_samples)
        drawn = tally.drawn.sum(axis=0) / tally.games.sum(axis=0)
        agents = tuple(
            Rated(
                entrant.name,
                entrant.digest,
                float(rating[a]),
                intervals[a],
                int(tally.games[:, a].sum()),
                float(won[a]),
                won_intervals[a],
                float(drawn[a]),
            )
            for a, entrant in enumerate(self.entrants)
        )
        return Ladder(
            self.head,
            deals,
            deals * self.seatings,
            int(played.truncated.sum()),
            self.even,
            agents,
            tally.beats(),
            self._narrowing(seats, played.rewards, intervals),
        )

    def _parties(
        self, seats: npt.NDArray[np.int64], rewards: npt.NDArray[np.float32]
    ) -> Iterator[list[list[ratings.Party]]]:
        sides = self.sides.tolist()
        for deal_seats, deal_rewards in zip(seats.tolist(), rewards.tolist(), strict=True):
            yield [
                ratings.parties_of(*game, sides, self.secret)
                for game in zip(deal_seats, deal_rewards, strict=True)
            ]

    def _points(self, log: Floats) -> Floats:
        """Return rating points of logarithms of strengths, `(..., agents)`."""
        if self.anchor is None:
            zero = log.mean(axis=-1, keepdims=True)
        else:
            zero = log[..., [self.anchor]]
        return np.asarray((log - zero) * ratings.POINTS)

    def _intervals(self, choices: ratings.Choices, counts: Floats) -> list[Interval]:
        """Return intervals of ratings from bootstrap samples of the counts."""
        parts = [
            self._points(ratings.fit(choices, counts[start : start + _AT_ONCE]))
            for start in range(0, len(counts), _AT_ONCE)
        ]
        return _quantiles(np.concatenate(parts))

    def _narrowing(
        self,
        seats: npt.NDArray[np.int64],
        rewards: npt.NDArray[np.float32],
        intervals: list[Interval],
    ) -> float:
        """Return widths of intervals over those of as many games, each from a deal of its own.

        The latter by bootstrap over games, those of each seating by themselves: what a deal's games
        have in common is lost, and nothing else.
        """
        shape = -1, 1, len(self.sides)  # as if each game were a deal
        parties = self._parties(seats.reshape(shape), rewards.reshape(shape))
        choices = ratings.choices_of(parties, len(self.entrants))
        counts = choices.counts.reshape(len(seats), self.seatings, -1)
        drawn = np.zeros((_SAMPLES, counts.shape[2]))
        for seating in range(self.seatings):
            weights = ratings.resamples(len(seats), _SAMPLES, self.seed + 1 + seating)
            drawn += weights @ counts[:, seating]
        alone = self._intervals(choices, drawn)
        ratios = [
            (high - low) / (wide_high - wide_low)
            for (low, high), (wide_low, wide_high) in zip(intervals, alone, strict=True)
            if wide_high > wide_low and high > low
        ]
        return float(np.exp(np.mean(np.log(ratios)))) if ratios else 1.0


@dataclass(frozen=True)
class _Tally:
    """What each agent won and drew in each deal, and whom it was paid more than."""

    games: Floats
    """`(deals, agents)`, like the next two."""
    won: Floats
    drawn: Floats
    met: Floats
    """`(agents, agents)`, like the next one."""
    above: Floats

    @classmethod
    def of(
        cls,
        seats: npt.NDArray[np.int64],
        rewards: npt.NDArray[np.float32],
        sides: npt.NDArray[np.int64],
        agents: int,
    ) -> _Tally:
        """Count games, `(deals, seatings, players)`."""
        first = [int(np.argmax(sides == side)) for side in range(int(sides.max()) + 1)]
        at_side, paid = seats[:, :, first], rewards[:, :, first]
        counts = []
        for what in (np.ones(paid.shape, np.bool_), paid > 0, paid == 0):
            counts.append(
                np.stack([((at_side == a) & what).sum(axis=(1, 2)) for a in range(agents)], axis=1)
            )
        met, above = np.zeros((agents, agents)), np.zeros((agents, agents))
        for one, other in itertools.permutations(range(len(first)), 2):
            pair = at_side[:, :, one], at_side[:, :, other]
            np.add.at(met, pair, 1.0)
            more, alike = paid[:, :, one] > paid[:, :, other], paid[:, :, one] == paid[:, :, other]
            np.add.at(above, pair, more + 0.5 * alike)
        games, won, drawn = (count.astype(np.float64) for count in counts)
        return cls(games, won, drawn, met, above)

    def beats(self) -> tuple[tuple[float | None, ...], ...]:
        """Return the matrix of who beats whom."""
        agents = range(len(self.met))
        return tuple(
            tuple(
                float(self.above[a, b] / self.met[a, b]) if a != b and self.met[a, b] else None
                for b in agents
            )
            for a in agents
        )


def _quantiles(samples: Floats) -> list[Interval]:
    """Return the middle 95% of each column."""
    low, high = np.quantile(samples, [0.025, 0.975], axis=0)
    return list(zip(low.tolist(), high.tolist(), strict=True))
