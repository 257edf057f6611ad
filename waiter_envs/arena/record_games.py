"""`RecordGames`: environments of one table that write down their games, as `RecordVideo` films."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import gymnasium
from pettingzoo import AECEnv
from pettingzoo.utils import BaseWrapper

from waiter_envs.agents.make import name_of
from waiter_envs.arena.playback import Moves, Playback, Start
from waiter_envs.arena.record_files import PathLike, Writer
from waiter_envs.arena.records import check_actions, check_players, make
from waiter_envs.core.checks import check_path, shown
from waiter_envs.core.game import Game
from waiter_envs.interfaces.aec import TableEnv
from waiter_envs.interfaces.gymnasium_env import SingleAgentEnv

Env = TypeVar("Env", bound="AECEnv[Any, Any, Any] | gymnasium.Env[Any, Any]")

LEARNER = "learner"
"""Who sits at the learner's place, if nobody says who."""


def RecordGames(  # noqa: N802
    env: Env, path: PathLike, players: Sequence[str | None] | None = None
) -> Env:
    """Return an environment that appends its games to a file, each when it ends.

    A game that is left by `reset` or `close` is written as unfinished, and so is one that an
    illegal action lost. `close` closes the file.

    Args:
        env: one table of a game, by PettingZoo's AEC interface or by Gymnasium's, wrapped or not.
        path: of the file; see `docs/records.md`.
        players: who sits at each player's place, for all games; `None`: nobody has a name, at a
            Gymnasium environment the learner and its opponents.

    Raises:
        TypeError, ValueError: for another environment, no path, or other players.
        OSError: if the file cannot be written.
    """
    if isinstance(env, AECEnv) and isinstance(env.unwrapped, TableEnv):
        return _RecordAEC(env, path, players)  # type: ignore[return-value]
    if isinstance(env, gymnasium.Env) and isinstance(env.unwrapped, SingleAgentEnv):
        return _RecordGymnasium(env, path, players)  # type: ignore[return-value]
    raise TypeError(
        f"env={shown(env)}: must be one table of a game, as `make` or `gymnasium.make` return"
    )


class _Log:
    """The file, and the tables at which games are played again before they are written."""

    def __init__(self, game: Game, config: Any, path: Any, players: Any) -> None:
        self.names = check_players(players, config.num_players)
        self.writer = Writer(check_path(path))
        self.playback = Playback(game, config, 1, num_threads=1)

    def write(self, start: Start, actions: list[int], names: tuple[str | None, ...]) -> None:
        """Write a game, if anything was decided in it."""
        if actions:
            moves = Moves(start, check_actions(actions))
            self.writer.write(make(self.playback, [moves], [names]))


class _RecordAEC(BaseWrapper[Any, Any, Any]):
    """An AEC environment that writes down its games."""

    def __init__(self, env: AECEnv[Any, Any, Any], path: Any, players: Any) -> None:
        super().__init__(env)
        self.table_env: TableEnv = env.unwrapped  # type: ignore[assignment]
        self.log = _Log(self.table_env.game, self.table_env.config, path, players)
        self.start = Start(seed=0)
        self.actions: list[int] = []

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game, after writing the last one if it is not over."""
        table = self.table_env
        stream: Any = tuple(table.table["rng"].tolist())
        super().reset(seed=seed, options=options)
        self.finish()
        position = None
        if (options or {}).get("position") is not None:
            position = table.game.position_to_dict(table.table)
            stream = tuple(table.table["rng"].tolist())
        elif seed is not None:
            stream = None
        self.start = Start(seed if stream is None else None, stream, position)

    def step(self, action: Any) -> None:
        """Play an action for `agent_selection`; at the end of a game, write it."""
        legal = self.table_env.is_legal(action)
        super().step(action)
        if legal:
            self.actions.append(int(action))
        if any(self.table_env.terminations.values()) or any(self.table_env.truncations.values()):
            self.finish()

    def finish(self) -> None:
        """Write the game that was played, whether it is over or not."""
        actions, self.actions = self.actions, []
        self.log.write(self.start, actions, self.log.names)

    def close(self) -> None:
        """Write an unfinished game, and close the file."""
        self.finish()
        self.log.writer.close()
        super().close()


class _RecordGymnasium(gymnasium.Wrapper[Any, Any, Any, Any]):
    """A Gymnasium environment that writes down its games."""

    def __init__(self, env: gymnasium.Env[Any, Any], path: Any, players: Any) -> None:
        super().__init__(env)
        self.table_env: SingleAgentEnv = env.unwrapped  # type: ignore[assignment]
        self.log = _Log(self.table_env.game, self.table_env.config, path, players)
        self.named = players is not None
        self.written = True

    def reset(self, **arguments: Any) -> tuple[Any, dict[str, Any]]:
        """Deal a new game, after writing the last one if it is not over."""
        last = None if self.written else self._game()
        answer = super().reset(**arguments)
        self.written = False
        if last is not None:
            self.log.write(*last)
        return answer

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Play an action for the learner; at the end of a game, write it."""
        answer = super().step(action)
        if answer[2] or answer[3]:
            self.finish()
        return answer

    def finish(self) -> None:
        """Write the game that was played, whether it is over or not, once."""
        if not self.written:
            self.written = True
            self.log.write(*self._game())

    def _game(self) -> tuple[Start, list[int], tuple[str | None, ...]]:
        """Return the present game, as `_Log.write` takes it."""
        env = self.table_env
        names: tuple[str | None, ...] = self.log.names
        if not self.named:
            others = [name_of(opponent) for opponent in env.opponents]
            names = (*others[: env.seat], LEARNER, *others[env.seat :])
        return Start(stream=env.stream), env.actions, names

    def close(self) -> None:
        """Write an unfinished game, and close the file."""
        self.finish()
        self.log.writer.close()
        super().close()
