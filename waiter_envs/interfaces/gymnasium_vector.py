"""`SingleAgentVectorEnv`: one learner at each of many tables, as a Gymnasium vector environment."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space

from waiter_envs.agents.agent import Decisions
from waiter_envs.agents.make import AgentLike
from waiter_envs.agents.opponents import Opponents
from waiter_envs.core import kernels, learner, rng
from waiter_envs.core.checks import (
    check_array,
    check_bool,
    check_int,
    check_options,
    check_seed,
    shown,
)
from waiter_envs.core.errors import IllegalActionError
from waiter_envs.core.game import Game, check_game
from waiter_envs.core.games import load
from waiter_envs.core.revival import OwnsArrays
from waiter_envs.core.tables import AutoresetMode, Tables, random_seed
from waiter_envs.drawing.raster import tiled
from waiter_envs.interfaces.gymnasium_env import check_seat, list_opponents
from waiter_envs.interfaces.rendering import (
    MOST_FRAMES,
    RENDERING,
    Picture,
    check_render_mode,
    renders,
)
from waiter_envs.interfaces.spaces import observation_space

_SEATS = 2
"""Purpose of the random streams that draw the learners' seats."""


class SingleAgentVectorEnv(OwnsArrays, VectorEnv[Any, Any, Any]):
    """Many tables, at each of which a learner plays against agents.

    Every table is what `SingleAgentEnv` is, with the same observations, rewards and infos, batched
    as Gymnasium does it. Random and rule-based opponents and saved policies move inside compiled
    code, where tables are also dealt again; other agents are asked in batches, ply by ply.

    `metadata["autoreset_mode"]` tells what happens to a table whose game is over:

    * `NEXT_STEP` (default, as in Gymnasium): the next step deals it again, whatever the action
      there is; its reward is 0. Until then the mask is all 1.
    * `SAME_STEP`: it is dealt again at once. The last observation and info of the game stand in
      `info["final_obs"]` and `info["final_info"]`.
    * `DISABLED`: it waits for `reset(options={"reset_mask": mask})`, `(num_envs,)` bool. The other
      modes take that too.

    An illegal action loses the game at once: reward -1, and `illegal_action` in the info of the
    end of the game. A game that ends before the learner is asked at all is dealt again unseen.

    Table i deals, and compiled opponents choose there, by the seed and by i alone, not by the
    number of tables or threads. With the same seed it is dealt as table i of `Tables`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        **RENDERING,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        render_mode: str | None = None,
        *,
        seat: int | None = None,
        opponents: AgentLike | Sequence[AgentLike] = "random",
        flat_observation: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        num_threads: int | None = None,
        copy: bool = True,
        config: Any = None,
        preset: str | None = None,
        **fields: Any,
    ) -> None:
        """Open the tables; `reset` deals them.

        Args:
            game: the game's name, or its binding.
            num_envs: how many tables.
            render_mode: `None`, `"ansi"`, `"rgb_array"` or `"human"`.
            seat: the number of the learners' player; `None`: drawn anew for each game.
            opponents: the agent of all others, or one for each of them in the order of the
                players: whatever `make_agent` takes. `reset` seeds the compiled ones.
            flat_observation: observations are arrays of features, without the mask.
            autoreset_mode: what happens to a table whose game is over.
            num_threads: threads that share the tables; `None`: one for each core.
            copy: hand out copies of the observations and masks; else read-only views, which the
                next step overwrites.
            config: a variant of the game.
            preset: the name of a variant.
            **fields: fields of the game's `Config`.

        Raises:
            TypeError, ValueError: for an argument of the wrong type or out of range.
        """
        self.game = load(game) if isinstance(game, str) else check_game(game)
        self.config = self.game.config(config, preset=preset, **fields)
        self.render_mode = check_render_mode(render_mode)
        self._picture = Picture(self.game, self.render_mode)
        check_seat(seat, self.config.num_players)
        check_bool("flat_observation", flat_observation)
        self.flat_observation = flat_observation
        self.copy = copy
        listed = list_opponents(opponents, self.config.num_players - 1)
        check_int("num_envs", num_envs, 1, 2**31 - 1)
        self._tables = Tables(
            self.game,
            self.config,
            num_envs,
            autoreset_mode=autoreset_mode,
            num_threads=num_threads,
            copy=copy,
        )
        self._opponents = Opponents(listed, self._tables)
        self.num_envs = int(num_envs)
        self.autoreset_mode = self._tables.autoreset_mode
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = observation_space(self._tables, flat_observation)
        self.single_action_space = Discrete(self._tables.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._learners = learner.blank_learners(self.num_envs, self.config.num_players, seat)
        self._final_observation = np.zeros(  # of games that end where the next is dealt at once
            (
                self.num_envs if self.autoreset_mode == AutoresetMode.SAME_STEP else 0,
                self._tables.num_features,
            ),
            np.int8,
        )
        self._ready = False  # dealt, and no step broke off
        self._seed(random_seed(), np.ones(self.num_envs, np.bool_))

    # -- what there is to do -----------------------------------------------------------------

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Deal tables, draw the learners' seats, and play on to their first decisions.

        Args:
            seed: starts every random stream of these tables again; `None` goes on. A list has a
                seed for each table, `(num_envs,)`: table i then plays as the only table of an
                environment with `seed[i]` does.
            options: `"reset_mask"`, `(num_envs,)` bool: which tables; all if it is not given.

        Returns:
            Observations and infos of all tables, also of those that stay as they are.

        Raises:
            TypeError, ValueError: for a bad seed or mask, or an unknown option.
            ResetNeeded: if not all tables have been dealt yet, but only some are to be.
            RuntimeError: if game after game ends before the learner's first decision.
        """
        which = self._reset_mask(options)
        seeds = self._checked_seed(seed)
        if not (self._ready or which.all()):
            raise ResetNeeded("no table has been dealt yet: call `reset` without a mask")
        if seeds is not None:
            self._seed(seeds, which)
        super().reset(seed=seeds if isinstance(seeds, int) else None)
        self._learners["waits_for"][which] = learner.LEARNER
        self._learners["deals"][which] = 0
        self._play(np.where(which, kernels.RESET, kernels.SKIP).astype(np.int32))
        self._show()
        return self._observe(), self._info()

    def _checked_seed(self, seed: Any) -> int | list[int | None] | None:
        """Return what `reset` takes as a seed, with Python's integers."""
        if seed is None:
            return None
        if not isinstance(seed, (list, tuple)):
            return check_seed(seed, f"a list of {self.num_envs} seeds, or None")
        if len(seed) != self.num_envs:
            raise ValueError(f"seed is a list of {len(seed)}; must be of num_envs={self.num_envs}")
        return [
            None if each is None else check_int(f"seed[{i}]", each, 0, 2**64 - 1, "or None")
            for i, each in enumerate(seed)
        ]

    def _reset_mask(self, options: dict[str, Any] | None) -> npt.NDArray[np.bool_]:
        check_options(options, ("reset_mask",))
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError(f"reset_mask={shown(mask)}: must be an array of dtype bool")
        if mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(
                f"reset_mask has shape {mask.shape} and {int(mask.sum())} tables, "
                f"must have shape ({self.num_envs},) and at least one table"
            )
        return mask

    def _seed(self, seed: int | list[int | None], which: npt.NDArray[np.bool_]) -> None:
        """Start the random streams of some tables anew."""
        if isinstance(seed, int):
            streams = functools.partial(rng.streams, seed, self.num_envs)
        else:
            which = which & [each is not None for each in seed]
            streams = functools.partial(rng.first_streams, [each or 0 for each in seed])
        self._tables.buffers.state["rng"][which] = streams()[which]
        self._learners["seat_rng"][which] = streams(_SEATS)[which]
        self._opponents.seed(streams, which, self._learners["opponent_rng"])

    def step(
        self, actions: Any
    ) -> tuple[
        Any,
        npt.NDArray[np.float32],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Play an action for each learner, and the others' until it is to act again.

        Args:
            actions: `(num_envs,)` integers of the action space.

        Returns:
            Observations, rewards `(num_envs,)` float32, terminations and truncations
            `(num_envs,)` bool, infos.

        Raises:
            ResetNeeded: if a game is over and waits for `reset`; no table has moved.
            TypeError, ValueError: if `actions` is not in the action space; no table has moved.
            RuntimeError: if game after game ends before the learner's first decision.
        """
        if not self._ready:
            raise ResetNeeded("no game is in progress: call `reset`")
        orders = self._orders(actions)
        if self.autoreset_mode == AutoresetMode.DISABLED:
            over = np.flatnonzero(self._learners["waits_for"] == learner.OVER)
            if over.size:
                raise ResetNeeded(
                    f"the game at table {over[0]} is over, and autoreset is disabled: call "
                    '`reset(options={"reset_mask": ...})`'
                )
        self._play(orders)
        self._show()
        return (
            self._observe(),
            self._learners["reward"].copy(),
            self._learners["terminated"].copy(),
            self._learners["truncated"].copy(),
            self._info(),
        )

    def _orders(self, actions: Any) -> npt.NDArray[np.int32]:
        actions = check_array("actions", actions)
        if actions.dtype.kind not in "iu":
            raise TypeError(f"actions has dtype {actions.dtype}, must be an integer dtype")
        if actions.shape != (self.num_envs,):
            raise ValueError(f"actions has shape {actions.shape}, must be ({self.num_envs},)")
        last = self._tables.num_actions - 1
        if not 0 <= actions.min() <= actions.max() <= last:
            raise ValueError(f"actions must be integers from 0 to {last}")
        return np.ascontiguousarray(actions, np.int32)

    def _play(self, orders: npt.NDArray[np.int32]) -> None:
        """Carry out `orders`, and the opponents' moves that follow."""
        self._ready = False
        self._run(orders)
        agents = self._opponents.agents
        waits_for = self._learners["waits_for"]
        while agents and (waiting := np.flatnonzero(waits_for >= 0)).size:
            orders = np.full(self.num_envs, kernels.SKIP, np.int32)
            for number, agent in enumerate(agents):
                which = waiting[waits_for[waiting] == number]
                if which.size:
                    orders[which] = self._ask(agent, which)
            self._run(orders)
        stuck = np.flatnonzero(waits_for == learner.STUCK)
        if stuck.size:
            raise RuntimeError(
                f"{learner.MAX_DEALS} games in a row ended before player_{self.seat[stuck[0]]} "
                f"was to act at table {stuck[0]}"
            )
        self._ready = True

    def _ask(self, agent: Any, which: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """Return the legal actions that an agent of Python chooses at some tables."""
        tables = self._tables
        state = tables.buffers.state[which]
        action_mask = tables.buffers.action_mask[which]
        player = state["current_player"]
        decisions = Decisions(tables.buffers.observation[which], action_mask, player, which, state)
        actions: npt.NDArray[np.int32] = agent.act(decisions)
        illegal = np.flatnonzero(action_mask[np.arange(len(which)), actions] == 0)
        if illegal.size:
            first = illegal[0]
            raise IllegalActionError(
                f"opponent {getattr(agent, 'name', type(agent).__name__)} chose action "
                f"{actions[first]} at table {which[first]}, which is illegal for "
                f"player_{player[first]}"
            )
        return actions

    def _run(self, orders: npt.NDArray[np.int32]) -> None:
        """Run the compiled loop once, and tell the agents of Python what it dealt."""
        tables, opponents = self._tables, self._opponents
        self._learners["dealt"] = False
        tables.run(
            opponents.kernel(),
            (tables.buffers.state, tables.blank, orders, tables.mode),
            (
                tables.buffers.observation,
                tables.buffers.action_mask,
                self._learners,
                self._final_observation,
                opponents.kinds,
                *opponents.memory_arguments,
            ),
        )
        if opponents.agents and self._learners["dealt"].any():
            dealt = np.flatnonzero(self._learners["dealt"])
            for agent in opponents.agents:
                agent.reset(dealt)

    # -- what there is to see ----------------------------------------------------------------

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal now, `(num_envs, actions)` bool, always a copy."""
        return self._tables.buffers.action_mask.astype(np.bool_)

    @property
    def seat(self) -> npt.NDArray[np.int8]:
        """A copy of the numbers of the learners' players, `(num_envs,)` int8."""
        return self._learners["seat"].copy()

    @property
    def table(self) -> npt.NDArray[np.void]:
        """A copy of the table records, `(num_envs,)` structured, hidden cards and all."""
        return self._tables.buffers.state.copy()

    def render(self) -> tuple[Any, ...] | None:  # type: ignore[override]
        """Return tables as their learners see them: as text, or as pixels.

        With `render_mode="human"` the first few are shown in a window, tiled, after `reset` and
        every step by itself.

        Returns:
            With `"ansi"` a text of every table; with `"rgb_array"` `(height, width, 3)` uint8 of
            each, at most of the first `MOST_FRAMES`; else `None`.
        """
        if not renders(self.render_mode):
            return None
        if self.render_mode == "human":
            self._picture.show(tiled([self._frame(table) for table in self._drawn()]))
            return None
        if self.render_mode == "rgb_array":
            return tuple(self._frame(table) for table in self._drawn())
        return tuple(self._text(table) for table in range(self.num_envs))

    def _render_tables(self, tables: Sequence[int]) -> list[Any]:
        """Return some tables as `render` returns them; in a window they are not shown apart.

        Args:
            tables: their numbers.
        """
        if self.render_mode == "human" or not renders(self.render_mode):
            return [None] * len(tables)
        one = self._text if self.render_mode == "ansi" else self._frame
        return [one(check_int("tables", table, 0, self.num_envs - 1)) for table in tables]

    def _drawn(self) -> range:
        """Return the numbers of the tables that are drawn."""
        return range(min(self.num_envs, MOST_FRAMES))

    def _text(self, table: int) -> str:
        record, seat = self._tables.buffers.state[table], int(self._learners["seat"][table])
        return self.game.render(record, seat)

    def _frame(self, table: int) -> Any:
        record, seat = self._tables.buffers.state[table], int(self._learners["seat"][table])
        return self._picture.frame(record, seat)

    def _show(self) -> None:
        """Show the first tables in the window, if there is to be one."""
        if self.render_mode == "human":
            self.render()

    def _repr_html_(self) -> str | None:
        """Return the first tables as their learners see them, for a notebook."""
        if not self._ready:
            return None
        pairs = zip(self._tables.buffers.state, self._learners["seat"].tolist(), strict=True)
        drawings = [
            self._picture.svg(table, seat, font=i == 0)
            for i, (table, seat) in enumerate(itertools.islice(pairs, len(self._drawn())))
        ]
        columns = math.ceil(math.sqrt(len(drawings)))
        style = f"display:grid;grid-template-columns:repeat({columns},1fr);gap:8px"
        return f'<div style="{style}">{"".join(drawings)}</div>'

    def close_extras(self, **kwargs: Any) -> None:
        """Close the window, if there is one."""
        del kwargs
        self._picture.close()

    def _observe(self) -> Any:
        observation = self._tables.hand_out(self._tables.buffers.observation)
        if self.flat_observation:
            return observation
        return {"observation": observation, "action_mask": self._mask()}

    def _mask(self) -> npt.NDArray[np.int8]:
        return self._tables.hand_out(self._tables.buffers.action_mask)

    def _info(self) -> dict[str, Any]:
        """Return the infos of all tables, as Gymnasium's own vector environments batch them."""
        everywhere = np.ones(self.num_envs, np.bool_)
        info: dict[str, Any] = {"action_mask": self._mask(), "_action_mask": everywhere}
        ending: dict[str, Any] = {}
        if self._learners["illegal"].any():
            illegal = self._learners["illegal"].copy()
            ending = {"illegal_action": illegal, "_illegal_action": illegal.copy()}
        if self.autoreset_mode != AutoresetMode.SAME_STEP:
            return {**info, **ending}
        ended = self._learners["terminated"] | self._learners["truncated"]
        if ended.any():
            any_action = np.zeros(self._tables.buffers.action_mask.shape, np.int8)
            any_action[ended] = 1
            info["final_obs"] = self._final_observations(np.flatnonzero(ended), any_action)
            info["final_info"] = {"action_mask": any_action, "_action_mask": ended.copy(), **ending}
            info["_final_obs"], info["_final_info"] = ended, ended.copy()
        return info

    def _final_observations(
        self, ended: npt.NDArray[np.int64], any_action: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.object_]:
        """Return the last observations of the games that ended, `(num_envs,)`, else `None`."""
        final = np.full(self.num_envs, None, np.object_)
        for table, observation in zip(ended, self._final_observation[ended], strict=True):
            final[table] = observation
            if not self.flat_observation:
                final[table] = {"observation": observation, "action_mask": any_action[table].copy()}
        return final
