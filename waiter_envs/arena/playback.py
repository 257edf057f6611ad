"""Games played again from how they began and what was done, many side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from waiter_envs.core import kernels, rng
from waiter_envs.core.checks import check_int, check_seed, shown
from waiter_envs.core.game import Game
from waiter_envs.core.tables import Tables

_WORDS = 2**64


@dataclass(frozen=True)
class Start:
    """How a game began: dealt by a random stream, or set up as a position with one.

    Either `seed` or `stream` is given. It holds all that is hidden, and all chance to come.
    """

    seed: int | None = None
    """The stream is the one of a table of `Tables(seed)`, as of environments after `reset`."""
    stream: tuple[int, int] | None = None
    """Both words of the stream, as `table["rng"]` holds them at the deal."""
    position: Mapping[str, Any] | None = None
    """The first position (`Game.position_to_dict`); `None`: the stream deals."""
    table: int = 0
    """Which table of the seed."""
    drawn: int = 0
    """How many numbers of 32 bits were drawn there before, by earlier games."""

    def __post_init__(self) -> None:
        """Check the fields.

        Raises:
            TypeError, ValueError: if they are no start; the text names what is wrong.
        """
        if (self.seed is None) == (self.stream is None):
            raise ValueError("a game starts from a seed or from a stream, give one of them")
        if self.seed is not None:
            object.__setattr__(self, "seed", check_seed(self.seed))
        else:
            object.__setattr__(self, "stream", _check_stream(self.stream))
        low, high = 0, 0 if self.seed is None else _WORDS - 1  # of a seed only
        object.__setattr__(self, "table", check_int("table", self.table, low, high))
        object.__setattr__(self, "drawn", check_int("drawn", self.drawn, low, high))
        if self.position is not None and not isinstance(self.position, Mapping):
            raise TypeError(f"position={shown(self.position)}: must be a mapping, or None")

    @property
    def words(self) -> npt.NDArray[np.uint64]:
        """The stream, `(2,)` uint64."""
        if self.seed is not None:
            return np.array(rng.stream_of(self.seed, self.table, self.drawn), np.uint64)
        return np.array(self.stream, np.uint64)

    def first_table(self, game: Game, config: Any) -> np.void | None:
        """Return the first position as a record with its stream; `None`: to be dealt.

        Raises:
            ImpossiblePositionError: if there is no such position.
        """
        if self.position is None:
            return None
        table = game.position_from_dict(config, self.position)
        table["rng"] = self.words
        return table


def _check_stream(stream: Any) -> tuple[int, int]:
    """Return the words of a random stream as ints."""
    if not isinstance(stream, (tuple, list, np.ndarray)) or len(stream) != 2:
        raise TypeError(f"stream={shown(stream)}: must be the 2 words of a random stream, or None")
    state, step = (check_int("stream", word, 0, _WORDS - 1) for word in stream)
    if step % 2 == 0:  # such a stream may stand still
        raise ValueError(f"stream={shown(stream)}: the second word must be odd")
    return state, step


class Moves(NamedTuple):
    """All that a game is played again from."""

    start: Start
    actions: npt.NDArray[np.int32]
    """`(decisions,)`: what was done at each decision; forced moves are none."""
    thought_of: Mapping[int, Sequence[int]] | None = None
    """By decision, other actions that must have been legal: those that its thought names."""


class Misfit(NamedTuple):
    """Why a game cannot be played as it is written."""

    decision: int
    """Its number, from 0; -1: the start."""
    reason: str


class Played(NamedTuple):
    """What came of games: rows of decisions, game after game, and rows of games."""

    first: npt.NDArray[np.int64]
    """`(games + 1,)`: the decisions of game g are rows `first[g] .. first[g + 1] - 1`."""
    action: npt.NDArray[np.int32]
    player: npt.NDArray[np.int8]
    """`(rows,)`: who decided."""
    paid: npt.NDArray[np.float32]
    """`(rows, players)`: what was paid from the decision to the next one, at the same table."""
    description: npt.NDArray[np.int64]
    """`(rows, numbers)`: `Game.decode` of each action."""
    observation: npt.NDArray[Any]
    """`(rows, features)` int8, or packed; `(rows, 0)` if nothing was observed."""
    action_mask: npt.NDArray[Any]
    """`(rows, actions)` int8, or packed; `(rows, 0)` if nothing was observed."""
    dealt: npt.NDArray[np.float32]
    """`(games, players)`: what was paid before the first decision."""
    terminated: npt.NDArray[np.bool_]
    """`(games,)`; neither this nor `truncated` where a game was not played to its end."""
    truncated: npt.NDArray[np.bool_]
    misfits: dict[int, Misfit]
    """By number of the game: what could not be played; their other rows mean nothing."""

    def rewards(self) -> npt.NDArray[np.float64]:
        """Return what each player was paid in each game, `(games, players)`."""
        return np.add(self.dealt, self.totals()[self.first[1:]] - self.totals()[self.first[:-1]])

    def reward_to_go(self) -> npt.NDArray[np.float32]:
        """Return what each decider is paid from its decision to the end of its game, `(rows,)`."""
        ends = np.repeat(self.first[1:], np.diff(self.first))
        row, totals = np.arange(len(self.player)), self.totals()
        return (totals[ends, self.player] - totals[row, self.player]).astype(np.float32)

    def totals(self) -> npt.NDArray[np.float64]:
        """Return what was paid before each row, all games together, `(rows + 1, players)`."""
        totals = np.zeros((len(self.paid) + 1, self.paid.shape[1]))
        np.cumsum(self.paid, axis=0, out=totals[1:])
        return totals


class Playback:
    """Tables of one variant at which games are played again."""

    def __init__(
        self,
        game: Game,
        config: Any,
        num_tables: int,
        *,
        observe: bool = False,
        packed: bool = False,
        num_threads: int | None = None,
    ) -> None:
        """Set up tables; see `Tables` for `observe` and `packed`."""
        self.game, self.config, self.packed = game, game.config(config), packed
        self.tables = Tables(
            game,
            config,
            num_tables,
            0,
            autoreset_mode="Disabled",
            num_threads=num_threads,
            observe=observe,
            packed=packed,
        )
        self._decode = game.kernel(kernels.decode_actions, self.tables.buffers.state.dtype)
        self._width = _description_width(self.tables)
        self._texts: dict[tuple[int, ...], str] = {}

    def play(self, games: Sequence[Moves]) -> Played:
        """Play games to the end of their actions; what does not fit is told of, not raised."""
        lengths = [len(moves.actions) for moves in games]
        first = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
        played = self._room(first)
        for moves, start in zip(games, first.tolist(), strict=False):
            played.action[start : start + len(moves.actions)] = moves.actions
        _Pass(self, games, played).run()
        return played

    def texts(self, played: Played) -> list[str]:
        """Return the text of each row's action."""
        blank = self.tables.blank[0]
        texts = []
        for description in map(tuple, played.description.tolist()):
            text = self._texts.get(description)
            if text is None:  # the same at all tables of a variant
                text = self._texts[description] = self.game.describe(description, blank)
            texts.append(text)
        return texts

    def describe(self, actions: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
        """Return the description of an action at each table, negative numbers left out."""
        descriptions = np.zeros((len(actions), self._width), np.int64)
        self.tables.run(self._decode, (self.tables.buffers.state, actions), (descriptions,))
        return descriptions

    def _room(self, first: npt.NDArray[np.int64]) -> Played:
        """Return arrays for what comes of games."""
        tables, rows, games = self.tables, int(first[-1]), len(first) - 1
        seen = tables.buffers.observation
        columns = tables.num_actions if tables.observes else 0
        if self.packed:
            columns = -(-columns // 8)
        return Played(
            first=first,
            action=np.zeros(rows, np.int32),
            player=np.zeros(rows, np.int8),
            paid=np.zeros((rows, tables.num_players), np.float32),
            description=np.zeros((rows, self._width), np.int64),
            observation=np.zeros((rows, seen.shape[1]), seen.dtype),
            action_mask=np.zeros((rows, columns), seen.dtype),
            dealt=np.zeros((games, tables.num_players), np.float32),
            terminated=np.zeros(games, np.bool_),
            truncated=np.zeros(games, np.bool_),
            misfits={},
        )


class _Pass:
    """Games being played at the tables of a `Playback`; a table that is done takes the next."""

    def __init__(self, playback: Playback, games: Sequence[Moves], played: Played) -> None:
        self.playback, self.tables = playback, playback.tables
        self.games, self.played = games, played
        self.waiting = iter(range(len(games)))
        count = self.tables.num_tables
        self.game = np.full(count, -1)  # which game each table plays
        self.row = np.zeros(count, np.int64)  # its next decision
        self.orders = np.full(count, kernels.SKIP, np.int32)
        self.are_thoughts = any(moves.thought_of for moves in games)

    def run(self) -> None:
        """Play all games."""
        played, buffers = self.played, self.tables.buffers
        free = np.arange(self.tables.num_tables)
        while True:
            began = self._seat(free)
            busy = np.flatnonzero(self.game >= 0)
            if not busy.size:
                return
            acting = self._act(np.setdiff1d(busy, began, assume_unique=True))
            self.tables.carry_out(self.orders)
            played.paid[self.row[acting]] = buffers.rewards[acting]
            self.row[acting] += 1
            played.dealt[self.game[began]] = buffers.rewards[began]
            free = self._finish(busy)

    def _seat(self, free: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Begin games at free tables; return at which."""
        began, state = [], self.tables.buffers.state
        self.game[free] = -1
        self.orders[free] = kernels.SKIP
        for table in free.tolist():
            for game in self.waiting:
                start = self.games[game].start
                try:
                    position = start.first_table(self.playback.game, self.playback.config)
                except ValueError as error:
                    self.played.misfits[game] = Misfit(-1, str(error))
                    continue
                if position is None:
                    state["rng"][table] = start.words
                else:
                    state[table] = position
                self.orders[table] = kernels.RESET if position is None else kernels.REFRESH
                self.game[table], self.row[table] = game, self.played.first[game]
                began.append(table)
                break
        return np.array(began, np.int64)

    def _act(self, tables: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Order the next actions, and keep what was seen; return the tables that play."""
        played, buffers = self.played, self.tables.buffers
        actions = played.action[self.row[tables]]
        inside = np.clip(actions, 0, self.tables.num_actions - 1)
        legal = (actions == inside) & (buffers.action_mask[tables, inside] == 1)
        for table, action in zip(tables[~legal].tolist(), actions[~legal].tolist(), strict=True):
            self._refuse(table, action)
        if self.are_thoughts:
            legal &= np.array([self._is_thinkable(table) for table in tables.tolist()], np.bool_)
        acting = tables[legal]
        self.orders[acting] = actions[legal]
        row = self.row[acting]
        played.player[row] = buffers.current_player[acting]
        played.description[row] = self.playback.describe(self.orders)[acting]
        if played.observation.shape[1]:
            mask = buffers.action_mask[acting]
            played.observation[row] = buffers.observation[acting]
            played.action_mask[row] = np.packbits(mask, axis=1) if self.playback.packed else mask
        return acting

    def _is_thinkable(self, table: int) -> bool:
        """Return whether all that a thought names is legal; if not, note it."""
        game = int(self.game[table])
        named = self.games[game].thought_of
        mask = self.tables.buffers.action_mask[table]
        decision = int(self.row[table] - self.played.first[game])
        for action in named.get(decision, ()) if named else ():
            if not 0 <= action < len(mask) or not mask[action]:
                self._refuse(table, action, "thought: ")
                return False
        return True

    def _refuse(self, table: int, action: int, where: str = "") -> None:
        """Note why a game does not go on."""
        game = int(self.game[table])
        decision = int(self.row[table] - self.played.first[game])
        try:
            self.playback.game.action_to_text(self.tables.buffers.state[table], action)
        except ValueError as error:
            self.played.misfits[game] = Misfit(decision, f"{where}{error}")
        self.row[table] = self.played.first[game + 1]
        self.orders[table] = kernels.SKIP

    def _finish(self, busy: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Note how the games ended that have no more actions; return their tables."""
        done = busy[self.row[busy] == self.played.first[self.game[busy] + 1]]
        self.played.terminated[self.game[done]] = self.tables.buffers.terminated[done]
        self.played.truncated[self.game[done]] = self.tables.buffers.truncated[done]
        return done


def _description_width(tables: Tables) -> int:
    """Return how many numbers describe an action."""
    state = tables.buffers.state[:1]
    action = int(tables.buffers.action_mask[0].argmax())
    return len(tables.game.kernel(kernels.decode_action, state.dtype)(state, action))


def begin(game: Game, config: Any, start: Start) -> Tables:
    """Return one table at which a game has just begun.

    Raises:
        ImpossiblePositionError: if it is no possible position.
    """
    tables = Tables(game, config, 1, 0, autoreset_mode="Disabled", num_threads=1)
    position = start.first_table(game, config)
    if position is None:
        tables.state["rng"][0] = start.words
        tables.reset()
    else:
        tables.state = position.reshape(1)
    return tables
