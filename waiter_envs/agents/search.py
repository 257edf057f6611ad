"""`SearchAgent`: deals anew what its player does not know, tries actions, plays on, and compares.

At a decision it does what a person might who has patience:

1. **Worlds.** The game's `resample` deals what the player does not know, over and over: each world
   agrees with all that it has seen (and, where agents have a memory, remembers).
2. **Candidates.** The prior's choice, usually that of the rule-based agent; what the prior would
   choose without it, and so on; then others at random.
3. **Simulations.** In a world a candidate is played, then everybody plays on by one quick policy
   (`rollout`), to the end or for `depth` decisions. What the player is paid, with what it can
   expect then if the game tells (`Game.expect`), is the candidate's payoff there. All candidates
   are tried in the same worlds and with the same luck, so that their differences say something
   long before their means do.
4. **Halving.** After a share of the budget only the better half stays, and the next share goes to
   fewer. The prior's choice always stays: it is what the others are compared with.
5. **Choice.** The best one, if its gain over the prior's choice exceeds `anchor` standard errors of
   their differences; else the prior's. The highest of many noisy means is mostly noise, so how
   much an agent gains by searching hangs on this more than on its budget.

What it cannot do: it looks at its own decision only, and behind that everybody, its player too,
plays by the rollout policy. And a candidate is judged as if its player knew from then on in which
world it is ("strategy fusion"), so to find something out, or to hide it, seems to be worth nothing.

The loop is compiled and shared between threads: `waiter_envs.core.searching.search`.
"""

from __future__ import annotations

import functools
import itertools
import time
from typing import Any

import numpy as np
import numpy.typing as npt

from waiter_envs.agents.agent import Decisions, RememberingAgent, Thoughts
from waiter_envs.agents.search_options import SearchOptions
from waiter_envs.core import rng, searching, tree_searching
from waiter_envs.core.checks import check_int, check_seed
from waiter_envs.core.errors import GameOverError, ImpossiblePositionError
from waiter_envs.core.game import Game, check_game
from waiter_envs.core.playing import NO_DEPTH, Sizes, policy_of
from waiter_envs.core.searching import MOVES, NO_LIMIT, SIMULATIONS, Found, Limits, Room
from waiter_envs.core.workers import num_cores, take_turns

_PIECES = 4
"""Into how many pieces for each thread a batch is cut: some decisions take longer than others."""

_NODES = 1 << 16
"""Nodes of a tree beside the candidates, at most."""


_MINDS = 1 << 8
"""Added to a player's number: the purpose of the random numbers of its memory."""


class SearchAgent(RememberingAgent):
    """Searches before it acts.

    What it chooses depends on the seed, the table, the player and how often it has been asked
    there, not on who is asked beside it, nor on the number of threads (with a budget in
    milliseconds: on how fast the machine is, too).
    """

    name = "search"

    def __init__(
        self, game: Game, seed: int = 0, *, num_threads: int | None = None, **options: Any
    ) -> None:
        """Make an agent for all variants of a game.

        Args:
            game: the game that it plays.
            seed: of its random streams.
            num_threads: threads that share the decisions of a batch; `None`: one for each core.
            **options: see `SearchOptions`; others than these are as they are best for the game.

        Raises:
            TypeError, ValueError: for an unknown or a wrong option, or a game that cannot deal
                anew what a player does not know.
        """
        self.game = check_game(game)
        self.seed = check_seed(seed)
        if game.resample is None and game.resample_remembering is None:
            raise ValueError(f"a search needs resampling, which {game.name} does not offer")
        self.options = SearchOptions.of(game, options)
        if num_threads is not None:
            check_int("num_threads", num_threads, 1, 4096, "or None")
        self.num_threads = num_cores() if num_threads is None else int(num_threads)
        self.pace = np.zeros(2)
        """Playouts, and moves in them, in a millisecond of one core, as far as measured."""
        self._table_dtype = game.table_dtype(game.config())  # of the tables it is asked at

    # -- asked -------------------------------------------------------------------------------

    def act(self, decisions: Decisions) -> npt.NDArray[np.int32]:
        """Return an action for each decision, `(n,)` int32.

        Raises:
            GameOverError: if a game is over.
            ImpossiblePositionError: if what a player knows contradicts itself, at a table that was
                edited by hand.
        """
        found = self.search(decisions)
        return found.actions[np.arange(len(found.choice)), found.choice]

    def think(self, decisions: Decisions) -> tuple[npt.NDArray[np.int32], Thoughts | None]:
        """Return an action for each decision, and what the search has found.

        Of each action the probability is its share of the simulations; the value is what the choice
        was paid on average.
        """
        found = self.search(decisions)
        row = np.arange(len(found.choice))
        actions = found.actions[row, found.choice]
        shares = np.zeros(decisions.action_mask.shape)
        np.add.at(shares, (row[:, np.newaxis], found.actions), found.tried)
        shares[row, actions] += ~shares.any(axis=1)  # nothing was tried
        shares /= shares.sum(axis=1, keepdims=True)
        return actions, Thoughts(shares, found.value[row, found.choice])

    def search(self, decisions: Decisions) -> Found:
        """Search at each decision, and return all that is found.

        Raises:
            GameOverError, ImpossiblePositionError: see `act`.
            ValueError: if it remembers tables of another variant.
        """
        over = decisions.state["terminated"] | decisions.state["truncated"]
        if over.any():
            table = decisions.table[over.argmax()]
            raise GameOverError(f"table {table}: the game is over, there is nothing to search for")
        self._table_dtype = decisions.state.dtype
        memory, here = self.memories(decisions), (decisions.table, decisions.player)
        if memory.dtype != self.blank_memories(0, 0).dtype:
            raise ValueError("the agent remembers tables of another variant: `restore(None)` first")
        mine = memory[here]
        search = _Search(self, decisions)
        if self.options.ms is not None and not self.pace.any() and len(mine):
            self._measure(search, mine)
        found = search.run(mine, self._limits(search))
        if self.options.ms is not None and search.pace.all():
            self.pace += (search.pace - self.pace) / 4  # it changes, but not much
        if found.ended.any():
            at = found.ended.argmax()
            raise ImpossiblePositionError(
                f"table {decisions.table[at]}: what player_{decisions.player[at]} knows "
                "contradicts itself"
            )
        memory[here] = mine
        return found

    def _measure(self, search: _Search, mine: npt.NDArray[np.void]) -> None:
        """Find out how fast the playouts are: once to compile them, once to measure."""
        most = 64 * self.options.candidates
        pilot = self._limits(search)._replace(moves=NO_LIMIT, simulations=most, expected=most)
        for _ in range(2):
            search.run(mine.copy(), pilot, most=self.num_threads)
        self.pace = search.pace

    def _limits(self, search: _Search) -> Limits:
        options, ms = self.options, self.options.ms
        return Limits(
            candidates=options.candidates,
            ranked=options.ranked,
            simulations=options.budget if ms is None else NO_LIMIT,
            expected=options.budget if ms is None else int(ms * self.pace[0]),
            moves=NO_LIMIT if ms is None else int(ms * self.pace[1]),
            depth=NO_DEPTH if options.depth is None else options.depth,
            anchor=options.anchor,
            prior=search.prior.kind,
            rollout=search.rollout.kind,
            exploration=options.tree or 0.0,
        )

    # -- remembered --------------------------------------------------------------------------

    def blank_memories(self, tables: int, players: int) -> npt.NDArray[np.void]:
        """Return random streams, and empty memories of a rule-based agent, if it has any."""
        heuristic = searching.remembering_heuristic(self.game)
        mind: npt.NDArray[Any] = np.zeros(1, np.int8)
        if heuristic is not None:
            mind = heuristic.blank_memory(self._table_dtype)
        memory = np.zeros((tables, players), [("rng", "u8", (2,)), ("mind", mind.dtype)])
        memory["mind"] = mind[0]
        for player in range(players):
            memory["rng"][:, player] = rng.streams(self.seed, tables, player)
            if heuristic is not None:  # a stream of zeros never moves
                memory["mind"]["rng"][:, player] = rng.streams(self.seed, tables, _MINDS + player)
        return memory


class _Search:
    """Searches at some decisions, on several threads."""

    def __init__(self, agent: SearchAgent, decisions: Decisions) -> None:
        self.game, self.options, self.threads = agent.game, agent.options, agent.num_threads
        self.state = decisions.state.copy()  # read-only arrays would be compiled for once more
        self.action_mask = decisions.action_mask.astype(np.int8)
        features, actions = decisions.observation.shape[1], self.action_mask.shape[1]
        variant = int(self.state["variant"][0]) if len(self.state) else None
        sizes = Sizes(self.state.dtype, features, actions, variant)
        self.prior = policy_of(self.game, sizes, self.options.prior, "prior")
        self.rollout = policy_of(self.game, sizes, self.options.rollout, "rollout")
        template: Any = searching.search
        functions = searching.functions
        if self.options.tree is not None:
            template, functions = tree_searching.grow, tree_searching.tree_functions
        brought = functions(self.game, self.prior, self.rollout)
        self.kernel = self.game.kernel(template, self.state.dtype, **brought)
        self.pace = np.zeros(2)
        """Playouts, and moves in them, in a millisecond of one core, in the last run."""

    def run(self, mine: npt.NDArray[np.void], limits: Limits, most: int | None = None) -> Found:
        """Search, at `most` so many decisions; bring what the player remembers up to date."""
        count = len(mine) if most is None else min(most, len(mine))
        found = _nothing_found(count, limits.candidates)
        minds, streams = mine["mind"].copy(), mine["rng"].copy()
        pieces = max(1, min(count, _PIECES * self.threads))
        bounds = np.linspace(0, count, pieces + 1).astype(int).tolist()
        before = self.state, self.action_mask, minds, streams, limits
        calls = [
            functools.partial(self._timed, *before, start, stop, *self._room(limits, found))
            for start, stop in itertools.pairwise(bounds)
        ]
        seconds = sum(take_turns(calls, self.threads))
        spent = found.spent.sum(axis=0)[[SIMULATIONS, MOVES]]
        self.pace = spent / max(1e-6, 1000 * seconds)
        mine["mind"], mine["rng"] = minds, streams
        return found

    def _timed(self, *arguments: Any) -> float:
        """Call the kernel; return how many seconds of its thread that took."""
        start = time.thread_time()
        self.kernel(*arguments)
        return time.thread_time() - start

    def _room(self, limits: Limits, found: Found) -> tuple[Any, ...]:
        """Return the arrays for one search at a time, and those for what is found."""
        tree = self.options.tree is not None
        worlds = 1 if tree else min(self.options.worlds, max(1, limits.simulations))
        players = int(self.state["num_players"][0]) if len(self.state) else 1
        room = Room(
            worlds=np.zeros(worlds, self.state.dtype),
            luck=np.zeros((worlds, 2), np.uint64),
            simulation=np.zeros(1, self.state.dtype),
            mask=np.zeros(self.action_mask.shape[1], np.int8),
            paid=np.zeros(players, np.float32),
            stream=np.zeros(2, np.uint64),
            payoff=np.zeros((limits.candidates, worlds), np.float32),
            order=np.zeros(limits.candidates, np.int64),
            prior=self.prior.memory_arguments(players),
            rollout=self.rollout.memory_arguments(players),
        )
        if not tree:
            return room, found
        nodes = 1 + limits.candidates + min(limits.simulations, _NODES)
        return room, found, tree_searching.blank_tree(nodes, self.rollout)


def _nothing_found(count: int, candidates: int) -> Found:
    """Return arrays for what searches at `count` decisions find."""
    shape = count, candidates
    return Found(
        actions=np.zeros(shape, np.int32),
        tried=np.zeros(shape, np.int32),
        value=np.zeros(shape),
        gain=np.zeros(shape),
        error=np.zeros(shape),
        choice=np.zeros(count, np.int64),
        ended=np.zeros(count, np.int8),
        spent=np.zeros((count, 3), np.int64),
    )
