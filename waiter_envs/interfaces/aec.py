"""`TableEnv`: one table of any game as a PettingZoo AEC environment."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Discrete, Space
from pettingzoo import AECEnv
from pettingzoo.utils import OrderEnforcingWrapper
from pettingzoo.utils.env_logger import EnvLogger

from waiter_envs.core.checks import check_int, check_seed, shown
from waiter_envs.core.game import Game, check_game
from waiter_envs.core.tables import AutoresetMode, Tables
from waiter_envs.interfaces.rendering import RENDERING, Picture, check_render_mode, renders
from waiter_envs.interfaces.spaces import Observation, bits, observation_space


class _BeginsWithReset:
    """An attribute that an environment has from its first `reset` on.

    (A `__getattr__` would say the same, but every attribute of its class is slower to read.)
    """

    def __set_name__(self, owner: type, name: str) -> None:
        """Remember the attribute's name."""
        self.name = name

    def __get__(self, environment: object, owner: type) -> NoReturn:
        """Say of what a game in progress has that there is none yet."""
        raise AttributeError(f"{self.name}: no game is in progress, call `reset` first")


_VIEWS = {
    "_advance",
    "_observation",
    "_mask",
    "_no_mask",
    "_rewards",
    "_order",
    "_legal",
    "_current_player",
    "_terminated",
    "_truncated",
}


def env(game: Game, render_mode: str | None = None, **config: Any) -> AECEnv:
    """Return one table as an AEC environment with the checks of PettingZoo's usual wrappers.

    Args:
        game: the game's binding.
        render_mode: `None`, `"ansi"`, `"rgb_array"` or `"human"`.
        **config: fields of the game's `Config` (or `config=`, or `preset=`).
    """
    return CheckedEnv(raw_env(game, render_mode, **config))


def raw_env(game: Game, render_mode: str | None = None, **config: Any) -> TableEnv:
    """Return one table as a bare AEC environment; see `env`."""
    return TableEnv(game, render_mode, **config)


class TableEnv(AECEnv):
    """One table of a game, played by agents `player_0`, `player_1`, ...

    An observation is `{"observation": (features,) int8, "action_mask": (actions,) int8}`, all 0
    and 1. The mask also stands in `infos[agent]["action_mask"]`; it is all 0 for an agent that is
    not to act. Arrays that were handed out never change.

    With the same seed it plays the same game as table 0 of `Tables`.
    """

    agents: list[str] = _BeginsWithReset()  # type: ignore[assignment]
    agent_selection: str = _BeginsWithReset()  # type: ignore[assignment]
    rewards: dict[str, float] = _BeginsWithReset()  # type: ignore[assignment]
    terminations: dict[str, bool] = _BeginsWithReset()  # type: ignore[assignment]
    truncations: dict[str, bool] = _BeginsWithReset()  # type: ignore[assignment]
    infos: dict[str, dict[str, Any]] = _BeginsWithReset()  # type: ignore[assignment]

    def __init__(
        self,
        game: Game,
        render_mode: str | None = None,
        *,
        config: Any = None,
        preset: str | None = None,
        **fields: Any,
    ) -> None:
        """Open a table; `reset` deals it.

        Args:
            game: the game's binding.
            render_mode: `None`, `"ansi"`, `"rgb_array"` or `"human"`.
            config: a variant of the game.
            preset: the name of a variant.
            **fields: fields of the game's `Config`.

        Raises:
            TypeError, ValueError: for an impossible variant or an unknown render mode.
        """
        super().__init__()
        self.game = check_game(game)
        self.config = game.config(config, preset=preset, **fields)
        self.render_mode = check_render_mode(render_mode)
        self._picture = Picture(game, self.render_mode)
        self._draws = self._picture.draws
        self.metadata = {
            "name": f"{game.name}_v{game.version}",
            **RENDERING,
            "is_parallelizable": False,
        }
        self._live = False
        self.possible_agents = [f"player_{player}" for player in range(self.config.num_players)]
        self._tables = Tables(
            game, self.config, 1, autoreset_mode=AutoresetMode.DISABLED, num_threads=1
        )
        self._open_views()
        tables = self._tables
        self.observation_spaces = {
            agent: observation_space(tables) for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(tables.num_actions) for agent in self.possible_agents}
        self.state_space = bits(tables.num_features + tables.num_hidden)

    def _open_views(self) -> None:
        """Look at the table's buffers, which every step writes anew."""
        tables = self._tables
        order = np.zeros(1, np.int32)
        self._advance = tables.prepared(order)
        self._observation = tables.observation[0]
        self._mask = tables.action_mask[0]
        self._no_mask = np.zeros_like(self._mask)
        # Single numbers, for which a memoryview is quicker than an array.
        self._order = order.data
        self._legal = self._mask.data
        self._rewards = tables.rewards[0].data
        self._current_player = tables.current_player.data
        self._terminated = tables.terminated.data
        self._truncated = tables.truncated.data

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the views, which would not stay views."""
        return {name: value for name, value in self.__dict__.items() if name not in _VIEWS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Look at the table again."""
        self.__dict__.update(state)
        self._open_views()

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the observation space of an agent, always the same object."""
        return self.observation_spaces[self.possible_agents[self._player(agent)]]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the action space of an agent, always the same object."""
        return self.action_spaces[self.possible_agents[self._player(agent)]]

    # -- what there is to do -----------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game.

        Args:
            seed: starts the random stream again; `None` goes on with the present one.
            options: `{"position": ...}` starts from a position in the game's words
                (`Game.position_from_dict`) instead; it may hold a forced decision, whose mask
                has a single 1. Other keys mean nothing here.

        Raises:
            TypeError, ValueError: for a bad seed or an impossible position; nothing has moved.
        """
        if options is not None and not isinstance(options, Mapping):
            raise TypeError(f"options={shown(options)}: must be a mapping, or None")
        if seed is not None:
            seed = check_seed(seed, "or None")
        table = None
        position = (options or {}).get("position")
        if position is not None:
            table = self.game.position_from_dict(self.config, position, seed or 0)
        self._tables.reset(seed)
        if table is not None:
            if seed is None:
                table["rng"] = self._tables.state["rng"][0]
            self._tables.state = table.reshape(1)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._waiting = {agent: {"action_mask": self._no_mask.copy()} for agent in self.agents}
        self.infos = dict(self._waiting)
        self._skip_agent_selection = None
        self._paid = False
        self._live = True
        self._picture.note(None)
        self._select_agent()

    def step(self, action: Any) -> None:
        """Play an action for `agent_selection`; `None` for an agent whose game is over.

        Raises:
            TypeError, ValueError: for what is no action; `IllegalActionError` for one that is not
                legal. The table has not moved.
        """
        if self.play_legal(action):
            return
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
        else:
            self._refuse(action)

    def _refuse(self, action: Any) -> NoReturn:
        """Say what is wrong with an action."""
        index = check_int("action", action, 0, len(self._legal) - 1)
        self._tables.refuse(0, index)

    def is_legal(self, action: Any) -> bool:
        """Return whether the table takes `action` now."""
        try:
            return (
                self._live
                and action >= 0
                and self._legal[action] == 1
                and action.__class__ is not bool
            )
        except (TypeError, IndexError, ValueError):  # ValueError: an array has no truth
            return False

    def play_legal(self, action: Any) -> bool:
        """Play `action` if the table takes it now; return whether it did.

        One long function, since each call from here would cost some hundredths of a step.
        """
        if not self.is_legal(action):
            return False
        if self._draws:
            self._picture.note(self.table, int(action))
        self._order[0] = action
        self._advance()
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = self._waiting[agent]
        if self._paid or any(self._rewards):
            self._pay(self._rewards.tolist())
        self._select_agent()
        return True

    def _forfeit(self, reward: float) -> None:
        """End the game for everybody, with a reward for `agent_selection` alone."""
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = self._waiting[agent]
        self._pay([reward if other == agent else 0.0 for other in self.agents])
        self._end(terminated=True, truncated=True)

    def _pay(self, rewards: list[float]) -> None:
        """Add the rewards of the last step, of all players."""
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self._accumulate_rewards()
        self._paid = any(rewards)

    def _select_agent(self) -> None:
        """Hand the decision to the player to act, or the end to everybody."""
        agent = self.agent_selection = self.possible_agents[self._current_player[0]]
        if self._terminated[0] or self._truncated[0]:
            self._end(bool(self._terminated[0]), bool(self._truncated[0]))
        else:
            self.infos[agent] = {"action_mask": self._mask.copy()}
        if self.render_mode == "human":
            self.render()

    def _end(self, terminated: bool, truncated: bool) -> None:
        self._live = False
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self._deads_step_first()

    # -- what there is to see ----------------------------------------------------------------

    def last(
        self, observe: bool = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return observation, reward since its last step, ends and info of `agent_selection`."""
        if not (self._live and observe):
            return super().last(observe)
        agent = self.agent_selection
        seen = {"observation": self._observation.copy(), "action_mask": self._mask.copy()}
        return seen, self._cumulative_rewards[agent], False, False, self.infos[agent]

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees, to act or not, its game over or not.

        Returns:
            New arrays: `"observation"`, `(features,)` int8, and `"action_mask"`, `(actions,)`
            int8, all 0 if the agent is not to act.
        """
        player = self._player(agent)
        if agent == self.agent_selection and not (
            self.terminations.get(agent, True) or self.truncations.get(agent, True)
        ):
            return {"observation": self._observation.copy(), "action_mask": self._mask.copy()}
        observation = self._tables.observe(player)[0]
        return {"observation": observation, "action_mask": self._no_mask.copy()}

    def state(self) -> npt.NDArray[np.int8]:
        """Return the perfect-information view: what `player_0` sees, then what is hidden from it.

        For oracle critics and search only: it holds every hand.
        """
        return self._tables.full_observation(0)[0]

    @property
    def table(self) -> np.void:
        """A copy of the table record, hidden cards and all, for `Game`'s texts and positions."""
        return self._tables.state[0].copy()

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return the table as the player to act sees it: as text, or as pixels.

        With `render_mode="human"` it is shown in a window, after `reset` and every step by itself.

        Returns:
            With `"ansi"` text, with `"rgb_array"` `(height, width, 3)` uint8, else `None`.
        """
        if not renders(self.render_mode):
            return None
        return self._picture.render(self.table, int(self._current_player[0]))  # type: ignore[no-any-return]

    def _repr_svg_(self) -> str | None:
        """Return the table as the player to act sees it, for a notebook; `None` before `reset`."""
        if not hasattr(self, "agents"):
            return None
        return self._picture.svg(self.table, int(self._current_player[0]))

    def close(self) -> None:
        """Close the window, if there is one."""
        self._picture.close()

    def _player(self, agent: str) -> int:
        if not isinstance(agent, str) or agent not in self.possible_agents:
            agents = ", ".join(self.possible_agents)
            raise ValueError(f"no agent {shown(agent)}; there are {agents}")
        return self.possible_agents.index(agent)


class CheckedEnv(OrderEnforcingWrapper):
    """What PettingZoo's usual wrappers check of a game with action masks, in one layer.

    These are `OrderEnforcingWrapper` over `AssertOutOfBoundsWrapper` over
    `TerminateIllegalWrapper(illegal_reward=-1)`: an illegal move ends the game, its player loses
    1. Three layers of them cost several times what a step of the game costs.
    """

    env: TableEnv

    agents = property(operator.attrgetter("env.agents"))
    agent_selection = property(operator.attrgetter("env.agent_selection"))
    rewards = property(operator.attrgetter("env.rewards"))
    terminations = property(operator.attrgetter("env.terminations"))
    truncations = property(operator.attrgetter("env.truncations"))
    infos = property(operator.attrgetter("env.infos"))

    def last(
        self, observe: bool = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return observation, reward since its last step, ends and info of `agent_selection`."""
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return self.env.last(observe)

    def step(self, action: Any) -> None:
        """Play an action for `agent_selection`; `None` for an agent whose game is over.

        Raises:
            AssertionError: before `reset`, or if `action` is not in the action space.
        """
        if self.env.play_legal(action):
            self._has_updated = True
        else:
            self._step_otherwise(action)

    def _step_otherwise(self, action: Any) -> None:
        """Take anything but a legal action of a live game."""
        if not self._has_reset or not self.agents:
            super().step(action)
            return
        self._has_updated = True
        if not self.env._live:
            self.env.step(action)
        elif action.__class__ is not bool and self.env.action_space(self.agent_selection).contains(
            action
        ):
            EnvLogger.warn_on_illegal_move()
            self.env._forfeit(-1.0)
        else:
            raise AssertionError("action is not in action space")

    def _repr_svg_(self) -> str | None:
        """Return the table as the player to act sees it, for a notebook; `None` before `reset`."""
        return self.env._repr_svg_()

    def __str__(self) -> str:
        """Return the name and version of the game."""
        return str(self.env)
