"""Matches: agents against each other, seats rotated, counted with confidence intervals."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from waiter_envs.agents.agent import Agent, Decisions
from waiter_envs.agents.make import AgentLike, make_agent, name_of
from waiter_envs.agents.opponents import Opponents
from waiter_envs.agents.policies import SavedPolicy
from waiter_envs.arena.record_files import PathLike, Writer
from waiter_envs.arena.recorder import Recorder
from waiter_envs.core import contest, rng
from waiter_envs.core.checks import (
    check_bool,
    check_callable,
    check_int,
    check_path,
    check_seed,
    shown,
)
from waiter_envs.core.game import Game, check_game
from waiter_envs.core.tables import Tables

_MAX_TABLES = 1024
_ROOM = 64
"""Decisions of a recorded game that compiled code makes in one call."""


@dataclass(frozen=True)
class Record:
    """How often an agent won, drew and lost."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """How often it played: once for each game and side that it played."""
        return self.wins + self.draws + self.losses

    @property
    def win_rate(self) -> float:
        """Share of wins."""
        return self.wins / max(1, self.games)

    @property
    def interval(self) -> tuple[float, float]:
        """95% confidence interval of the win rate (Wilson's score interval)."""
        return wilson(self.wins, self.games)


@dataclass(frozen=True)
class AgentResult:
    """What one agent reached in a match."""

    name: str
    record: Record
    by_side: tuple[Record, ...]
    """Its record at each side; with secret teams, at each player."""
    mean_reward: float
    """Mean over games of the rewards of one of its players."""


@dataclass(frozen=True)
class MatchResult:
    """What came out of a match."""

    game: str
    games: int
    agents: tuple[AgentResult, ...]
    truncated: int
    """Games that were cut at the turn limit; they count as draws."""
    mean_decisions: float
    """Decisions of all players in a game."""

    def to_dict(self) -> dict[str, Any]:
        """Return the result in plain JSON types."""
        result = dataclasses.asdict(self)
        for agent, entry in zip(self.agents, result["agents"], strict=True):
            entry["win_rate"] = agent.record.win_rate
            entry["interval"] = list(agent.record.interval)
        return result


def wilson(wins: int, games: int) -> tuple[float, float]:
    """Return the 95% score interval of a share (E. B. Wilson, 1927).

    Raises:
        TypeError, ValueError: if these are no counts, or there are more wins than games.
    """
    check_int("games", games, 0, 2**63)
    check_int("wins", wins, 0, games)
    if games == 0:
        return 0.0, 1.0
    z = 1.959963984540054
    share = wins / games
    middle = share + z * z / (2 * games)
    reach = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)


def play_match(
    game: Game,
    config: Any,
    agents: Sequence[AgentLike],
    games: int,
    seed: int = 0,
    *,
    num_tables: int | None = None,
    progress: Callable[[int], None] | None = None,
    record: PathLike | None = None,
    thoughts: bool = True,
) -> MatchResult:
    """Let agents play against each other.

    Every agent plays one side, and every side equally often; the last agent also plays the sides
    that are left over. With secret teams, where sides are drawn in the game, agents play single
    players instead. Of every table the same number of games counts, its first ones: short games
    do not count more often than long ones.

    Args:
        game: the game.
        config: its variant.
        agents: whatever `make_agent` takes, at least 1 and at most as many as there are sides.
        games: how many, rounded up to a multiple of the number of sides.
        seed: of the tables, and of random agents.
        num_tables: tables played at once; `None`: a good number.
        progress: called with the number of games that ended since the last call.
        record: a file to which the games are appended as they end (`docs/records.md`); the same
            games are played as without.
        thoughts: record what agents think of their decisions, too, if they tell (`Agent.think`).

    Raises:
        TypeError, ValueError: for an unknown agent, or numbers out of range.
        OSError: if the games cannot be recorded there.
    """
    config = check_game(game).config(config)
    check_int("games", games, 1, 2**31 - 1)
    seed = check_seed(seed)
    if num_tables is not None:
        check_int("num_tables", num_tables, 1, 2**31 - 1, "or None")
    if progress is not None:
        check_callable("progress", progress)
    if record is not None:
        check_path(record, "record")
    check_bool("thoughts", thoughts)
    if isinstance(agents, (str, bytes)) or not isinstance(agents, Sequence):
        raise TypeError(f"agents={shown(agents)}: must be a list of agents")
    sides = config.playing_together
    num_sides = max(sides) + 1
    if not 1 <= len(agents) <= num_sides:
        raise ValueError(
            f"{len(agents)} agents, but this variant has {num_sides} sides to play: "
            f"give 1 to {num_sides} agents"
        )
    players = [make_agent(game, agent, (seed + i) % 2**64) for i, agent in enumerate(agents)]
    names = [name_of(agent) for agent in agents]
    match = _Match(game, config, players, num_sides, games, seed, num_tables)
    with ExitStack() as stack:
        if record is not None:
            writer = stack.enter_context(Writer(record))
            seats = [tuple(names[agent] for agent in row) for row in match.agent_at.tolist()]
            match.recorder = Recorder(match.tables, seed, seats, writer, thoughts)
            stack.enter_context(match.recorder)
        match.play(progress or (lambda ended: None))
    return match.result(names)


class _Match:
    """A match in progress: who sits where, and what has been counted."""

    def __init__(
        self,
        game: Game,
        config: Any,
        agents: list[Agent],
        num_sides: int,
        games: int,
        seed: int,
        num_tables: int | None,
    ) -> None:
        self.game = game
        self.agents = agents
        self.num_sides = num_sides
        self.games = math.ceil(games / num_sides) * num_sides
        most = math.ceil((num_tables or _MAX_TABLES) / num_sides) * num_sides
        count = min(self.games, most)
        self.tables = Tables(game, config, count, seed)
        table = np.arange(count)
        each, more = divmod(self.games, count)
        self.left = each + (table < more)  # games of each table that still count
        side_of = np.array(config.playing_together)
        turn = (np.arange(num_sides) + table[:, np.newaxis]) % num_sides
        self.agent_at_side = np.minimum(turn, len(agents) - 1)  # (tables, sides)
        self.agent_at = self.agent_at_side[:, side_of]  # (tables, players)
        self.first_player = np.array([list(side_of).index(side) for side in range(num_sides)])
        self.outcomes = np.zeros((len(agents), num_sides, 3), np.int64)  # win, draw, loss
        self.reward = np.zeros(len(agents))
        self.total = np.zeros((count, config.num_players))  # rewards of the games in progress
        self.length = np.zeros(count, np.int64)
        self.decisions = 0
        self.truncated = 0
        self.recorder: Recorder | None = None

    def play(self, progress: Callable[[int], None]) -> None:
        """Play until every table has played the games that count."""
        if any(isinstance(agent, SavedPolicy) and agent.compiled for agent in self.agents):
            opponents = Opponents(self.agents, self.tables)
            if not opponents.agents:
                self._play_compiled(opponents, progress)
                return
        table = np.arange(self.tables.num_tables)
        while self.left.any():
            actions = self.tables.sample_actions().copy()  # where nothing counts any more
            to_act = self.agent_at[table, self.tables.current_player]
            for number, agent in enumerate(self.agents):
                asked = np.flatnonzero((to_act == number) & (self.left > 0))
                if asked.size:
                    actions[asked] = self.ask(agent, Decisions.at(self.tables, asked))
            if self.recorder is not None:
                self.recorder.note(np.where(self.left > 0, actions, -1))
            self.tables.step(actions)
            self.total += self.tables.rewards
            self.length += 1
            ended = np.flatnonzero(self.tables.terminated | self.tables.truncated)
            if ended.size:
                for agent in self.agents:
                    agent.reset(ended)
                if self.recorder is not None:
                    self.recorder.end(ended, self.tables.buffers.final_state["rng"][ended])
                progress(self.count(ended, self.tables.truncated))

    def ask(self, agent: Agent, decisions: Decisions) -> npt.NDArray[np.int32]:
        """Return an agent's actions, after recording what it thinks."""
        if self.recorder is None or not self.recorder.thoughts:
            return agent.act(decisions)
        start = time.perf_counter()
        actions, thoughts = agent.think(decisions)
        if thoughts is not None:
            self.recorder.think(decisions.table, thoughts, time.perf_counter() - start)
        return actions

    def _play_compiled(self, opponents: Opponents, progress: Callable[[int], None]) -> None:
        """Play game after game in compiled code, where all agents can be."""
        tables = self.tables
        streams = np.empty((*self.agent_at.shape, 2), np.uint64)
        for number, agent in enumerate(self.agents):
            for player in range(tables.num_players):
                here = self.agent_at[:, player] == number
                drawn = rng.streams(agent.seed, tables.num_tables, player)  # type: ignore[attr-defined]
                streams[here, player] = drawn[here]
        opponents.start_memories(streams)
        kinds = opponents.kinds[self.agent_at]
        state, action_mask = tables.buffers.state, tables.buffers.action_mask
        rewards = np.zeros_like(tables.buffers.rewards)
        recorder = self.recorder
        room = 0 if recorder is None else 1 if recorder.thoughts else _ROOM
        noted = np.empty((tables.num_tables, room), np.int32)
        while (counting := self.left > 0).any():
            rewards[:] = tables.buffers.rewards  # of forced moves behind the deal
            playing = counting
            while playing.any():
                self._think_compiled(playing)
                noted[:] = -1
                tables.run(
                    opponents.kernel(contest.play_on),
                    (state, playing, kinds, streams),
                    (action_mask, rewards, self.length, noted, *opponents.memory_arguments),
                )
                for actions in noted.T:
                    recorder.note(actions)  # type: ignore[union-attr]
                playing = playing & ~(state["terminated"] | state["truncated"])
            self.total += rewards
            ended = np.flatnonzero(counting)
            if recorder is not None:
                recorder.end(ended, state["rng"][ended])
            progress(self.count(ended, state["truncated"]))
            tables.reset(mask=self.left > 0)

    def _think_compiled(self, playing: npt.NDArray[np.bool_]) -> None:
        """Record what agents think of decisions that compiled code is about to make."""
        if self.recorder is None or not self.recorder.thoughts:
            return
        tables = self.tables
        player = tables.buffers.state["current_player"]
        seen = tables.observe(player)
        to_act = self.agent_at[np.arange(tables.num_tables), player]
        for number, agent in enumerate(self.agents):
            if isinstance(agent, SavedPolicy):
                asked = np.flatnonzero(playing & (to_act == number))
                if asked.size:
                    mask = tables.buffers.action_mask[asked]
                    state = tables.buffers.state[asked]
                    self.ask(agent, Decisions(seen[asked], mask, player[asked], asked, state))

    def count(self, ended: npt.NDArray[np.int64], truncated: npt.NDArray[np.bool_]) -> int:
        """Count the games that ended, where they still count, and return how many."""
        counted = ended[self.left[ended] > 0]
        at_side = self.agent_at_side[counted]
        reward = self.total[counted][:, self.first_player]
        outcome = np.where(reward > 0, 0, np.where(reward < 0, 2, 1))
        sides = np.broadcast_to(np.arange(self.num_sides), at_side.shape)
        np.add.at(self.outcomes, (at_side, sides, outcome), 1)
        for player, agent_at in enumerate(self.agent_at[counted].T):
            np.add.at(self.reward, agent_at, self.total[counted, player])
        self.decisions += int(self.length[counted].sum())
        self.truncated += int(truncated[counted].sum())
        self.left[counted] -= 1
        self.total[ended] = 0.0
        self.length[ended] = 0
        return len(counted)

    def result(self, names: list[str]) -> MatchResult:
        """Return what has been counted."""
        results = []
        seats = np.bincount(self.agent_at[: self.num_sides].ravel(), minlength=len(names))
        for number, name in enumerate(names):
            played = seats[number] * self.games / self.num_sides
            results.append(
                AgentResult(
                    name,
                    Record(*self.outcomes[number].sum(axis=0).tolist()),
                    tuple(Record(*row) for row in self.outcomes[number].tolist()),
                    float(self.reward[number] / played),
                )
            )
        return MatchResult(
            self.game.name,
            self.games,
            tuple(results),
            self.truncated,
            self.decisions / self.games,
        )
