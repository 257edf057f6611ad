"""Deals: the same one played in several seatings, chance to come included as far as play allows.

A deal is a random stream: table i of `Tables(game, config, n, seed)` plays deal i first. Each
seating starts it anew, so the cards are the same, and so is what is drawn later, for as long as as
many draws have been made before.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from waiter_envs.agents.agent import Agent, Decisions
from waiter_envs.arena.entrants import Entrant
from waiter_envs.core import kernels, rng
from waiter_envs.core.game import Game
from waiter_envs.core.tables import Tables

DIGITS = 4
"""Of what a game pays, as files of results keep it: sums of floats part no ties."""

CHUNK = 32
"""Deals that are played side by side; what agents draw depends on it."""


class Played(NamedTuple):
    """What came out of some deals, each in all its seatings."""

    rewards: npt.NDArray[np.float32]
    """`(deals, seatings, players)`: what each was paid in all."""
    truncated: npt.NDArray[np.bool_]
    """`(deals, seatings)`: whether the turn limit ended the game."""


class Dealer:
    """Plays deals of one seed."""

    def __init__(
        self,
        game: Game,
        config: Any,
        entrants: Sequence[Entrant],
        seed: int,
        duplicate: bool = True,
    ) -> None:
        """Play `entrants` against each other.

        Args:
            game: the game.
            config: its variant.
            entrants: the agents.
            seed: of the deals, and of what agents draw.
            duplicate: all seatings of a deal play the same cards; else each has its own.
        """
        self.game, self.config, self.entrants = game, config, tuple(entrants)
        self.seed, self.duplicate = seed, duplicate

    def play(self, first: int, seats: npt.NDArray[np.int64]) -> Played:
        """Play deals in all their seatings.

        What an agent draws depends on the seed, the deal, its seat and its name.

        Args:
            first: number of the first deal; they lie between two multiples of `CHUNK`.
            seats: `(deals, seatings, players)`: numbers of the entrants.

        Raises:
            ValueError: if an agent chooses what is not legal.
        """
        deals, seatings = seats.shape[:2]
        rewards = np.zeros(seats.shape, np.float32)
        truncated = np.zeros((deals, seatings), np.bool_)
        tables = Tables(self.game, self.config, deals, 0, autoreset_mode="Disabled", num_threads=1)
        for number in range(seatings):
            streams = self._streams(first, deals, seatings, number)
            agents = [
                entrant.seated(self.seed, first // CHUNK * CHUNK)
                if (seats[:, number] == entered).any()
                else None
                for entered, entrant in enumerate(self.entrants)
            ]
            paid = _play(tables, streams, agents, seats[:, number], first % CHUNK)
            rewards[:, number] = np.round(paid, DIGITS)
            truncated[:, number] = tables.truncated
        return Played(rewards, truncated)

    def _streams(
        self, first: int, deals: int, seatings: int, number: int
    ) -> npt.NDArray[np.uint64]:
        """Return the random streams that deal, `(deals, 2)`."""
        which = range(first, first + deals)
        if not self.duplicate:
            which = range(first * seatings + number, (first + deals) * seatings, seatings)
        return np.array([rng.stream_of(self.seed, deal) for deal in which], np.uint64)


def _play(
    tables: Tables,
    streams: npt.NDArray[np.uint64],
    agents: Sequence[Agent | None],
    seats: npt.NDArray[np.int64],
    offset: int,
) -> npt.NDArray[np.float64]:
    """Play one game at each table; return what its players were paid."""
    tables.buffers.state["rng"] = streams
    tables.reset()
    total = tables.rewards.astype(np.float64)  # of forced moves behind the deal
    live = np.flatnonzero(~(tables.terminated | tables.truncated))
    orders = np.full(tables.num_tables, kernels.SKIP, np.int32)
    while live.size:
        to_act = seats[live, tables.current_player[live]]
        orders[:] = kernels.SKIP
        for number, agent in enumerate(agents):
            asked = live[to_act == number]
            if agent is not None and asked.size:
                decisions = Decisions.at(tables, asked)
                orders[asked] = agent.act(decisions._replace(table=asked + offset))
        _check_legal(tables, live, orders)
        tables.carry_out(orders)
        total[live] += tables.rewards[live]
        live = live[~(tables.terminated | tables.truncated)[live]]
    return total


def _check_legal(
    tables: Tables, live: npt.NDArray[np.int64], orders: npt.NDArray[np.int32]
) -> None:
    """Refuse what is not legal before any table moves."""
    chosen = orders[live]
    inside = (chosen >= 0) & (chosen < tables.num_actions)
    legal = inside & (tables.action_mask[live, np.where(inside, chosen, 0)] > 0)
    if not legal.all():
        table = int(live[legal.argmin()])
        tables.refuse(table, int(orders[table]))


def in_order(
    dealer: Dealer, seats: npt.NDArray[np.int64], known: int, threads: int
) -> Iterator[tuple[int, Played]]:
    """Yield pieces of deals as they are played, in their order: the first deal, what came out.

    Pieces are played ahead, side by side, behind the first one, which compiles what all need.

    Args:
        dealer: who plays.
        seats: `(deals, seatings, players)`, of all deals.
        known: so many deals are not played.
        threads: at most so many pieces at once; agents of one's own are asked from one thread.
    """
    pieces = _pieces(known, len(seats))
    if not all(entrant.parallel for entrant in dealer.entrants):
        threads = 1
    alone = pieces if threads == 1 else pieces[:1]
    for first, stop in alone:
        yield first, dealer.play(first, seats[first:stop])
    left = iter(pieces[len(alone) :])
    with ThreadPoolExecutor(threads, thread_name_prefix="waiter_envs_deals") as pool:
        ahead: deque[tuple[int, Future[Played]]] = deque()
        try:
            while True:
                for first, stop in itertools.islice(left, 2 * threads - len(ahead)):
                    ahead.append((first, pool.submit(dealer.play, first, seats[first:stop])))
                if not ahead:
                    return
                first, future = ahead.popleft()
                yield first, future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _pieces(known: int, deals: int) -> list[tuple[int, int]]:
    """Return the deals that are left, in pieces that lie between two multiples of `CHUNK`."""
    if known >= deals:
        return []
    bounds = [known, *range((known // CHUNK + 1) * CHUNK, deals, CHUNK), deals]
    return list(itertools.pairwise(bounds))
