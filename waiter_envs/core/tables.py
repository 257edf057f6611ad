"""`Tables`: many tables of one game at once."""

from __future__ import annotations

import functools
from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple, NoReturn

import numba
import numpy as np
import numpy.typing as npt

from waiter_envs.core import kernels, playing, resampling, rng
from waiter_envs.core.checks import (
    check_array,
    check_bool,
    check_int,
    check_numbers,
    check_seed,
    shown,
)
from waiter_envs.core.errors import GameOverError, IllegalActionError, ImpossiblePositionError
from waiter_envs.core.game import Game, check_game
from waiter_envs.core.revival import OwnsArrays
from waiter_envs.core.workers import Workers, num_cores

try:
    from gymnasium.vector import AutoresetMode
except ImportError:  # Gymnasium 1.0 has none yet

    class AutoresetMode(Enum):  # type: ignore[no-redef]
        """What happens to a table that ended, as Gymnasium says it from 1.1 on."""

        NEXT_STEP = "NextStep"
        SAME_STEP = "SameStep"
        DISABLED = "Disabled"


_MODES = {
    AutoresetMode.NEXT_STEP: kernels.NEXT_STEP,
    AutoresetMode.SAME_STEP: kernels.SAME_STEP,
    AutoresetMode.DISABLED: kernels.DISABLED,
}

_SAMPLING = 1
"""Purpose of the random streams behind `sample_actions`."""

_RESAMPLING = 2
"""Purpose of the random streams behind `resample`."""

_PLAYING = 1 << 16
"""Purpose of the random streams behind `playout`."""


class Buffers(NamedTuple):
    """The arrays of many tables, one row a table, that compiled code writes; see `Tables`.

    Those behind `state` are, in this order, the last arguments of `kernels.advance`. With
    `packed=True` the observations are uint8, with `observe=False` they have no columns.
    """

    state: npt.NDArray[np.void]
    observation: npt.NDArray[Any]
    action_mask: npt.NDArray[np.int8]
    current_player: npt.NDArray[np.int8]
    rewards: npt.NDArray[np.float32]
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    final_state: npt.NDArray[np.void]


class Tables(OwnsArrays):
    """Many tables of one game, stepped together by compiled code.

    All array attributes are read-only views of buffers that the next `step`, `reset` or
    `refresh` overwrites; copy what you keep, or construct with `copy=True`.

    A table that ended is dealt again as `autoreset_mode` says (Gymnasium's `AutoresetMode`):

    * `SAME_STEP` (default): within the step that ended it. `terminated`, `truncated` and
      `rewards` tell of the game that ended, `observation`, `action_mask` and `current_player` of
      the new one; `final_state` keeps the last position of the old one.
    * `NEXT_STEP`: within the next step, whose action for that table is ignored and whose rewards
      are 0. Until then the mask is all 1: any action will do.
    * `DISABLED`: only by `reset(mask=...)`; a step on a finished table is refused.

    Table *i* depends on the seed, on *i* and on its own actions, on nothing else: not on the
    number of tables, threads, or what other tables do.

    Use an object from one thread at a time: it shares its work between threads by itself.
    """

    def __init__(
        self,
        game: Game,
        config: Any,
        num_tables: int,
        seed: int | None = None,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        num_threads: int | None = None,
        copy: bool = False,
        observe: bool = True,
        packed: bool = False,
    ) -> None:
        """Deal `num_tables` tables.

        Args:
            game: the game's binding.
            config: its variant.
            num_tables: how many tables, at least 1.
            seed: a non-negative integer; `None` draws one from the operating system.
            autoreset_mode: what happens to a table that ended.
            num_threads: threads that share the work; `None`: one for each core.
            copy: hand out copies instead of views.
            observe: write what the player to act sees with every step. Without, a step costs a
                fraction, for playouts and search; `observation` then looks when it is asked for.
            packed: observations have eight features in a byte, as `numpy.packbits` packs them:
                `numpy.unpackbits(tables.observation, axis=1, count=tables.num_features)`.

        Raises:
            TypeError, ValueError: for an argument of the wrong type or out of range.
        """
        config = check_game(game).config(config)
        check_int("num_tables", num_tables, 1, 2**31 - 1)
        check_bool("copy", copy)
        check_bool("observe", observe)
        check_bool("packed", packed)
        if packed and not observe:
            raise ValueError("packed=True, observe=False: there is nothing to pack")
        if num_threads is None:
            num_threads = num_cores()
        check_int("num_threads", num_threads, 1, 4096, "or None")
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except (ValueError, TypeError, RecursionError):
            allowed = ", ".join(repr(mode.value) for mode in AutoresetMode)
            raise ValueError(
                f"autoreset_mode={shown(autoreset_mode)}: must be one of {allowed}"
            ) from None
        self.game = game
        self.config = config
        self.num_tables = int(num_tables)
        self.num_players: int = config.num_players
        self.num_actions = game.num_actions(config)
        self.num_features = game.num_features(config)
        self.num_hidden = game.num_hidden(config)
        self.num_threads = int(num_threads)
        self.copy = copy
        self.observes, self.packed = observe, packed
        self.mode = _MODES[self.autoreset_mode]
        self.blank = _share_dtype(game.blank_table(config))
        self.buffers = Buffers(
            state=np.repeat(self.blank, self.num_tables),
            observation=np.zeros(
                (self.num_tables, self._columns()), np.uint8 if packed else np.int8
            ),
            action_mask=np.zeros((self.num_tables, self.num_actions), np.int8),
            current_player=np.zeros(self.num_tables, np.int8),
            rewards=np.zeros((self.num_tables, self.num_players), np.float32),
            terminated=np.zeros(self.num_tables, np.bool_),
            truncated=np.zeros(self.num_tables, np.bool_),
            final_state=np.repeat(self.blank, self.num_tables),
        )
        self._orders = np.zeros(self.num_tables, np.int32)
        self._sampled = np.zeros(self.num_tables, np.int32)
        self._sample_rng = np.zeros((self.num_tables, 2), np.uint64)
        self._kernels: dict[Any, Any] = {}
        self._compiled: dict[Any, Any] = {}
        self._calls: dict[bool | str, list[Callable[[], Any]]] = {}
        self._out: npt.NDArray[Any] | None = None
        self._workers = Workers(self.num_tables, self.num_threads)
        self.reset(random_seed() if seed is None else seed)

    @classmethod
    def of(
        cls,
        game: Game,
        num_tables: int,
        seed: int | None = None,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        num_threads: int | None = None,
        copy: bool = False,
        observe: bool = True,
        packed: bool = False,
        config: Any = None,
        preset: str | None = None,
        **fields: Any,
    ) -> Tables:
        """Return tables of a variant given by `config`, by `preset`, or by fields of `Config`."""
        variant = check_game(game).config(config, preset=preset, **fields)
        return cls(
            game,
            variant,
            num_tables,
            seed,
            autoreset_mode=autoreset_mode,
            num_threads=num_threads,
            copy=copy,
            observe=observe,
            packed=packed,
        )

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the compiled kernels, which are found again."""
        return {**self.__dict__, "_kernels": {}, "_compiled": {}, "_calls": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Share the records' dtype with the other tables of this process."""
        super().__setstate__(state)
        self.blank = _share_dtype(self.blank)
        self.buffers = self.buffers._replace(
            state=_share_dtype(self.buffers.state),
            final_state=_share_dtype(self.buffers.final_state),
        )

    def __repr__(self) -> str:
        """Name the game, the variant and the number of tables."""
        return f"<Tables {self.game.name} num_tables={self.num_tables} {self.config}>"

    # -- what there is to see ----------------------------------------------------------------

    @property
    def observation(self) -> npt.NDArray[Any]:
        """What the player to act sees, `(num_tables, features)` int8 of 0 and 1.

        With `packed=True` `(num_tables, ceil(features / 8))` uint8. Where the last step wrote to an
        array of the caller (`out`), it is a view of that.
        """
        if not self.observes:
            return self.observe(self.buffers.current_player)
        return self.hand_out(self.buffers.observation if self._out is None else self._out)

    @property
    def action_mask(self) -> npt.NDArray[np.int8]:
        """1 where the player to act may act, `(num_tables, actions)` int8."""
        return self.hand_out(self.buffers.action_mask)

    @property
    def current_player(self) -> npt.NDArray[np.int8]:
        """The player to act, `(num_tables,)` int8."""
        return self.hand_out(self.buffers.current_player)

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """Rewards of the last step, `(num_tables, players)` float32."""
        return self.hand_out(self.buffers.rewards)

    @property
    def terminated(self) -> npt.NDArray[np.bool_]:
        """Whether the last step ended the game by its rules, `(num_tables,)` bool."""
        return self.hand_out(self.buffers.terminated)

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """Whether the last step reached the turn limit, `(num_tables,)` bool."""
        return self.hand_out(self.buffers.truncated)

    @property
    def final_state(self) -> npt.NDArray[np.void]:
        """Last position of the last finished game, `(num_tables,)` structured.

        Meaningful where the last step set `terminated` or `truncated`.
        """
        return self.hand_out(self.buffers.final_state)

    @property
    def state(self) -> npt.NDArray[np.void]:
        """The tables themselves, `(num_tables,)` structured.

        `tables.state.copy()` is a snapshot, and assigning one restores it. Editing the array in
        place is allowed (not with `copy=True`, where it is read-only); call `refresh()` afterwards.
        What you write is not checked, and compiled code trusts it: a record that no play leads to
        may end the process. `Game.position_from_dict` checks.
        """
        if not self.copy:
            return self.buffers.state
        state = self.buffers.state.copy()
        state.flags.writeable = False
        return state

    @state.setter
    def state(self, state: npt.NDArray[np.void]) -> None:
        """Restore a snapshot and look again.

        Raises:
            TypeError: if the records are another game's or variant's.
            ValueError: if the shape is wrong.
        """
        state = check_array("state", state)
        if state.dtype != self.buffers.state.dtype:
            raise TypeError(
                f"state has dtype {state.dtype}, but tables of {self.game.name} with {self.config} "
                f"have {self.buffers.state.dtype}"
            )
        if state.shape != self.buffers.state.shape:
            raise ValueError(f"state has shape {state.shape}, must be {self.buffers.state.shape}")
        if (state["variant"] != self.blank["variant"]).any():
            raise TypeError(f"state holds tables of another variant than {self.config}")
        self.buffers.state[:] = state
        self.refresh()

    # -- what there is to do -----------------------------------------------------------------

    def reset(self, seed: int | None = None, *, mask: npt.NDArray[np.bool_] | None = None) -> None:
        """Deal tables anew.

        Args:
            seed: starts every random stream again; `None` goes on with the present ones.
            mask: `(num_tables,)` bool, which tables; `None`: all of them. The others stay as
                they are; their `rewards`, `terminated` and `truncated` are cleared unless they
                are over.

        Raises:
            TypeError, ValueError: for an argument of the wrong type, shape or range.
        """
        if seed is not None:
            check_seed(seed, "or None")
            seed = int(seed)
        orders = np.full(self.num_tables, kernels.RESET, np.int32)
        if mask is not None:
            mask = check_array("mask", mask)
            if mask.dtype != np.bool_ or mask.shape != (self.num_tables,):
                raise ValueError(
                    f"mask has dtype {mask.dtype} and shape {mask.shape}, "
                    f"must be bool and ({self.num_tables},)"
                )
            if seed is not None:
                raise ValueError("a seed deals every table: give `seed` or `mask`, not both")
            orders[~mask] = kernels.REFRESH
        if seed is not None:
            self.buffers.state["rng"] = rng.streams(seed, self.num_tables)
            self._sample_rng[:] = rng.streams(seed, self.num_tables, _SAMPLING)
        self._orders[:] = orders
        self._advance()

    def step(self, actions: npt.ArrayLike, out: npt.NDArray[Any] | None = None) -> None:
        """Play one action at every table.

        Args:
            actions: `(num_tables,)` integers. At a table that waits to be dealt again
                (`NEXT_STEP`) any action of the action space will do.
            out: where to write the observations, instead of an array of these tables: writable, of
                the shape and dtype of `observation`, one row behind the other. A row of a rollout
                buffer, say, or the memory of a tensor.

        Raises:
            TypeError: if `actions` has no integer dtype, or `out` another dtype than `observation`.
            ValueError: if a shape is wrong, or an action is out of range.
            IllegalActionError: if an action is not legal (`GameOverError`: because the game is
                over, and autoreset is disabled). No table has moved, whatever is raised.
        """
        actions = check_array("actions", actions)
        if actions.dtype != np.int32:
            actions = self._as_int32(actions)
        if actions.shape != (self.num_tables,):
            raise ValueError(f"actions has shape {actions.shape}, must be ({self.num_tables},)")
        if out is not None:
            self._check_out(out)
        self._orders[:] = actions
        refused = self._advance(checked=True, out=out)
        if refused >= 0:
            self.refuse(refused, int(actions[refused]))

    def refresh(self) -> None:
        """Look again after `state` was edited: observation, mask, player and ends.

        Positions are taken as they are: one with a forced decision keeps it, and its mask has a
        single 1.
        """
        self._orders[:] = kernels.REFRESH
        self._advance()

    def clone(self, rows: npt.ArrayLike) -> None:
        """Let each table be a copy of one of them, random stream and all, and look again.

        `tables.clone(np.zeros(tables.num_tables, int))` makes all of them equal to table 0; after
        `resample` each has a chance of its own.

        Args:
            rows: `(num_tables,)` integers: of which table each becomes a copy.

        Raises:
            TypeError, ValueError: if they are not.
        """
        rows = check_numbers("rows", rows, self.num_tables)
        if rows.shape != (self.num_tables,):
            raise ValueError(f"rows has shape {rows.shape}, must be ({self.num_tables},)")
        self.buffers.state[:] = self.buffers.state[rows]
        self.refresh()

    def resample(
        self, players: npt.ArrayLike, seed: int, memories: npt.NDArray[np.void] | None = None
    ) -> None:
        """Deal anew, at every table, what a player does not know: cards, and chance to come.

        All that agrees with what the player knows is as likely, see the game's page; nothing of the
        random stream survives. Then tables look again (`refresh`): where another player is to act,
        its observation and mask change.

        Args:
            players: one player, or `(num_tables,)` of them, to act or not.
            seed: of the new random streams: table i depends on it, on i and on what is known.
            memories: `(num_tables,)` records of what these players remember beside what they see;
                only for games in which agents have a memory (`game.resample_remembering`).

        Raises:
            TypeError, ValueError: for an argument of the wrong type, shape or range, or if the game
                does not offer it.
            ImpossiblePositionError: if what a player knows contradicts itself, at a table that was
                edited by hand. No table has changed then.
        """
        viewers = self._viewers(players)
        streams = rng.streams(check_seed(seed), self.num_tables, _RESAMPLING)
        kernel, before = self._resampling(viewers, streams, memories)
        refused = np.zeros(self.num_tables, np.bool_)
        state = self.buffers.state.copy()
        self.run(kernel, before, (refused,))
        if refused.any():
            table = int(refused.argmax())
            self.buffers.state[:] = state
            raise ImpossiblePositionError(
                f"table {table}: what player_{viewers[table]} knows contradicts itself"
                f"{self.game.contradiction(self.config, state[table])}. No table has changed"
            )
        self.refresh()

    def playout(
        self, policy: Any = playing.RANDOM, depth: int | None = None, seed: int | None = None
    ) -> npt.NDArray[np.float32]:
        """Play every table on, all seats by one policy, and look again; return what was paid.

        Nothing is observed on the way, and games that end are not dealt again, whatever
        `autoreset_mode` says: they stay finished until `reset`, or until `state` is set.

        Args:
            policy: `random`, the name of a rule-based agent (`game.heuristics`), or a saved policy
                that plays in compiled code (`waiter_envs.agents.policies.load_policy`). Agents with
                a memory remember what they would had they been attentive from the beginning.
            depth: how many decisions at each table; forced moves are made and not counted. `None`:
                until the games are over.
            seed: of what the policy draws; `None` goes on with the streams of `sample_actions`.

        Returns:
            The rewards of all moves, summed, a new `(num_tables, players)` float32.

        Raises:
            TypeError, ValueError: for an unknown policy, or numbers out of range.
        """
        if depth is not None:
            depth = check_int("depth", depth, 0, 2**31 - 1, "or None")
        if seed is not None:
            seed = check_seed(seed, "or None")
        variant = int(self.blank["variant"][0])
        sizes = playing.Sizes(self.blank.dtype, self.num_features, self.num_actions, variant)
        player = playing.policy_of(self.game, sizes, policy)
        streams = self._sample_rng
        if seed is not None:
            streams = rng.streams(seed, self.num_tables, _PLAYING)
        play_on = playing.playing(self.game, player)
        kernel = self.game.kernel(
            playing.play_out, self.buffers.state.dtype, play_on=play_on, attend=player.attend
        )
        depth = playing.NO_DEPTH if depth is None else depth
        totals = np.zeros_like(self.buffers.rewards)
        before = self.buffers.state, streams, player.kind, depth
        calls: list[Callable[[], Any]] = [
            functools.partial(
                kernel,
                *before,
                *piece,
                totals,
                np.zeros(self.num_actions, np.int8),
                *player.memory_arguments(self.num_players),
            )
            for piece in self._workers.ranges
        ]
        self._workers.call(calls)
        self.refresh()
        return totals

    def sample_actions(self) -> npt.NDArray[np.int32]:
        """Return a uniformly random legal action for each table, `(num_tables,)` int32.

        The next call overwrites the array (not with `copy=True`); copy what you keep.
        The choices have random streams of their own, by table, started by `reset(seed)`. A table
        that waits to be dealt again gets 0, and its stream stays where it is.
        """
        if "sample" not in self._calls:
            before = self.buffers.action_mask, self._sample_rng
            self._calls["sample"] = self._bind(kernels.sample, before, (self._sampled,))
        if self.mode == kernels.SAME_STEP:
            self._workers.call(self._calls["sample"])
        else:
            waiting = np.flatnonzero(self.buffers.terminated | self.buffers.truncated)
            streams = self._sample_rng[waiting]
            self._workers.call(self._calls["sample"])
            self._sample_rng[waiting] = streams
            self._sampled[waiting] = 0
        return self._sampled.copy() if self.copy else self._sampled

    def observe(self, players: npt.ArrayLike) -> npt.NDArray[np.int8]:
        """Return what other players see, to act or not: a new `(num_tables, features)` int8.

        Args:
            players: one player, or `(num_tables,)` of them.
        """
        viewers = self._viewers(players)
        observation = np.empty((self.num_tables, self.num_features), np.int8)
        kernel = self._kernel(kernels.observe_players)
        self.run(kernel, (self.buffers.state, viewers), (observation,))
        return observation

    def full_observation(self, players: npt.ArrayLike | None = None) -> npt.NDArray[np.int8]:
        """Return the perfect-information view: what a player sees, then what is hidden from it.

        For oracle critics and search only: it holds every hand.

        Args:
            players: one player, or `(num_tables,)` of them; `None`: the players to act.

        Returns:
            A new `(num_tables, features + hidden features)` int8 array; `game.hidden_fields`
            names the second part.
        """
        viewers = self._viewers(self.buffers.current_player if players is None else players)
        width = self.num_features + self.num_hidden
        observation = np.empty((self.num_tables, width), np.int8)
        kernel = self._kernel(kernels.observe_full)
        self.run(kernel, (self.buffers.state, viewers), (self.num_features, observation))
        return observation

    def final_observation(self, which: npt.NDArray[Any]) -> npt.NDArray[np.int8]:
        """Return what every player sees of the last positions of games that ended.

        Args:
            which: at which tables, numbers or a mask.

        Returns:
            A new `(n, players, features)` int8 array.

        Raises:
            TypeError, ValueError: if `which` is neither.
        """
        which = check_numbers("which", which, self.num_tables)
        states = np.repeat(self.buffers.final_state[which], self.num_players)
        players = np.arange(len(states), dtype=np.int64) % self.num_players
        views = np.empty((len(states), self.num_features), np.int8)
        observe = self._kernel(kernels.observe_players)
        observe(states, players.astype(np.int8), 0, len(states), views)
        return views.reshape(-1, self.num_players, self.num_features)

    # -- for interfaces ----------------------------------------------------------------------
    #
    # Besides, `buffers` are the arrays themselves, `blank` is an array of one table before anything
    # is dealt, and `mode` is the autoreset mode as kernels take it (`kernels.NEXT_STEP` and so on).
    # Whoever writes to the arrays keeps them consistent.

    def hand_out(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return an array as users get it: a read-only view, or a copy (`copy=True`)."""
        if self.copy:
            return array.copy()
        view = array.view()
        view.flags.writeable = False
        return view

    def run(self, kernel: Any, before: tuple[Any, ...], after: tuple[Any, ...]) -> None:
        """Run a kernel on all tables, on as many threads as the work is worth.

        Args:
            kernel: is called with `before`, the first table of a range and the one behind its
                last, and `after`.
            before: arguments.
            after: arguments.
        """
        self._workers(kernel, before, after)

    def carry_out(self, orders: npt.NDArray[np.int32]) -> None:
        """Carry out orders, unchecked: actions, `kernels.RESET`, `REFRESH`, or `SKIP`."""
        self._orders[:] = orders
        self._advance()

    def prepared(self, orders: npt.NDArray[np.int32]) -> Callable[[], int]:
        """Return a call that carries out what `orders` holds by then, unchecked, in one thread.

        For one table, where checking the arguments would cost as much as a step.

        Args:
            orders: `(num_tables,)`: actions, `kernels.RESET` or `kernels.REFRESH`.
        """
        (call,) = self._advance_calls(False, orders, [(0, self.num_tables)])
        return call

    def refuse(self, table: int, action: int) -> NoReturn:
        """Raise the error that says why `step` does not take an action at a table."""
        mask = self.buffers.action_mask[table]
        over = self.buffers.terminated[table] or self.buffers.truncated[table]
        if self.mode == kernels.DISABLED and over:
            raise GameOverError(
                f"table {table} is finished, and autoreset is disabled: deal it anew with "
                "reset(mask=...). No table has moved"
            )
        if not (self.mode == kernels.NEXT_STEP or mask.any()):
            raise GameOverError(
                f"table {table} holds a finished game: deal it anew with reset. No table has moved"
            )
        if not 0 <= action < self.num_actions:
            raise ValueError(
                f"table {table}: action is out of range, must be 0 to "
                f"{self.num_actions - 1}. No table has moved"
            )
        player = self.buffers.current_player[table]
        raise IllegalActionError(
            f"table {table}: action {action} is illegal for player_{player}, "
            f"who has {int(mask.sum())} legal actions (see `action_mask`). No table has moved"
        )

    # -- inside ------------------------------------------------------------------------------

    def _resampling(self, viewers: Any, streams: Any, memories: Any) -> tuple[Any, tuple[Any, ...]]:
        """Return the kernel that resamples, and its first arguments."""
        game, state = self.game, self.buffers.state
        rule = game.resample if memories is None else game.resample_remembering
        if rule is None:
            what = "resampling" if memories is None else f"memories={shown(memories)}"
            raise ValueError(f"{what}: {game.name} does not offer it; must be left out")
        if memories is None:
            kernel = game.kernel(resampling.resample_tables, state.dtype, resample=rule)
            return kernel, (state, viewers, streams)
        memories = check_array("memories", memories)
        dtype = game.memory_dtype(state.dtype)
        if memories.dtype != dtype:
            raise TypeError(f"memories has dtype {memories.dtype}, must be {dtype}")
        if memories.shape != (self.num_tables,):
            raise ValueError(f"memories has shape {memories.shape}, must be ({self.num_tables},)")
        kernel = game.kernel(resampling.resample_remembering, state.dtype, resample=rule)
        return kernel, (state, viewers, streams, np.ascontiguousarray(memories))

    def _kernel(self, template: Any) -> Any:
        if template not in self._kernels:
            self._kernels[template] = self.game.kernel(template, self.buffers.state.dtype)
        return self._kernels[template]

    def _advance(self, checked: bool = False, out: npt.NDArray[Any] | None = None) -> int:
        """Carry out what `_orders` holds, and return the first table that refuses, or -1."""
        ranges = self._workers.ranges
        if checked and len(ranges) > 1:  # all actions must be legal before any is played
            buffers = self.buffers
            over = buffers.terminated, buffers.truncated
            refused = kernels.first_refused(self._orders, buffers.action_mask, *over, self.mode)
            if refused >= 0:
                return int(refused)
            checked = False
        if out is not None:
            calls = self._advance_calls(checked, self._orders, ranges, out)
        else:
            if checked not in self._calls:
                self._calls[checked] = self._advance_calls(checked, self._orders, ranges)
            calls = self._calls[checked]
        refused = int(self._workers.call(calls))
        if refused < 0:
            self._out = out
        return refused

    def _advance_calls(
        self,
        checked: bool,
        orders: npt.NDArray[np.int32],
        ranges: list[tuple[int, int]],
        out: npt.NDArray[Any] | None = None,
    ) -> list[Callable[[], int]]:
        """Return a call of `kernels.advance` for each range of tables."""
        state, observation, *others = self.buffers
        calls = []
        for one in ranges:
            row = np.zeros(self.num_features if self.packed else 0, np.int8)
            before = state, self.blank, orders, self.mode, checked
            after = row, observation if out is None else out, *others
            calls += self._bind(self._kernel(kernels.advance), before, after, [one])
        return calls

    def _bind(
        self,
        kernel: Any,
        before: tuple[Any, ...],
        after: tuple[Any, ...],
        ranges: list[tuple[int, int]] | None = None,
    ) -> list[Callable[[], Any]]:
        """Return a call of a kernel for each range of tables, for which nothing is looked up."""
        if kernel not in self._compiled:
            arguments = (*before, 0, self.num_tables, *after)
            self._compiled[kernel] = kernel.compile(tuple(map(numba.typeof, arguments)))
        compiled = self._compiled[kernel]
        ranges = self._workers.ranges if ranges is None else ranges
        return [functools.partial(compiled, *before, *one, *after) for one in ranges]

    def _columns(self) -> int:
        """Return the columns of the observations as they are written."""
        if not self.observes:
            return 0
        return -(-self.num_features // 8) if self.packed else self.num_features

    def _check_out(self, out: Any) -> None:
        """Refuse an array that observations cannot be written to."""
        own = self.buffers.observation
        if not self.observes:
            raise ValueError("out: these tables do not observe (observe=False)")
        if not isinstance(out, np.ndarray) or out.dtype != own.dtype:
            raise TypeError(f"out={shown(out)}: must be an array of {own.dtype}")
        if out.shape != own.shape or not out.flags.c_contiguous or not out.flags.writeable:
            raise ValueError(
                f"out has shape {out.shape}, must be {own.shape}, writable, one row behind the "
                "other"
            )

    def _as_int32(self, actions: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
        if actions.dtype.kind not in "iu":
            raise TypeError(f"actions has dtype {actions.dtype}, must be an integer dtype")
        outside = (actions < 0) | (actions >= self.num_actions)
        return np.where(outside, -1, actions).astype(np.int32)

    def _viewers(self, players: npt.ArrayLike) -> npt.NDArray[np.int8]:
        if type(players) is int and 0 <= players < self.num_players:
            return np.full(self.num_tables, players, np.int8)
        viewers = check_array("players", players)
        if viewers.dtype.kind not in "iu" or viewers.shape not in ((), (self.num_tables,)):
            raise ValueError(
                f"players has dtype {viewers.dtype} and shape {viewers.shape}, must be one integer "
                f"or ({self.num_tables},) of them"
            )
        if viewers.size and not (viewers.min() >= 0 and viewers.max() < self.num_players):
            raise ValueError(f"players must be 0 to {self.num_players - 1}")
        return np.ascontiguousarray(np.broadcast_to(viewers, self.num_tables), np.int8)


_dtypes: dict[np.dtype[np.void], np.dtype[np.void]] = {}


def _share_dtype(records: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    """Return a view whose dtype is the same object as in all equal arrays.

    To call a kernel takes several microseconds less when Numba need not compare dtypes.
    """
    return records.view(_dtypes.setdefault(records.dtype, records.dtype))


def random_seed() -> int:
    """Return a seed drawn from the operating system."""
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
