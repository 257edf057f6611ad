"""`SingleAgentEnv`: one learner at a table of any game, as a Gymnasium environment."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete

from waiter_envs.agents.agent import Agent, Decisions
from waiter_envs.agents.make import AgentLike, make_agent
from waiter_envs.core import rng
from waiter_envs.core.checks import check_bool, check_int, check_options, check_seed, shown
from waiter_envs.core.game import Game, check_game
from waiter_envs.core.games import load
from waiter_envs.core.learner import MAX_DEALS
from waiter_envs.core.tables import AutoresetMode, Tables
from waiter_envs.interfaces.rendering import RENDERING, check_render_mode, renders
from waiter_envs.interfaces.spaces import observation_space


class SingleAgentEnv(gymnasium.Env[Any, Any]):
    """One table where a learner plays against agents.

    An observation is `{"observation": (features,) int8, "action_mask": (actions,) int8}`, what
    the learner sees when it is to act next, or when the game is over. Then the mask is all 1, so
    that a policy has something to choose where a vector environment asks for an action to ignore.
    The mask also stands in `info["action_mask"]`; with `flat_observation` it stands only there, and
    an observation is the array of features alone. The reward is the sum of what the learner was
    paid since its last decision (with its first one, since the game was dealt), after its last
    move too. An illegal action loses the game at once: reward -1, and `info["illegal_action"]` is
    set.

    With the same seed the table is dealt as table 0 of `Tables`.
    """

    metadata: dict[str, Any] = {**RENDERING}  # noqa: RUF012

    def __init__(
        self,
        game: Game | str,
        render_mode: str | None = None,
        *,
        seat: int | None = None,
        opponents: AgentLike | Sequence[AgentLike] = "random",
        flat_observation: bool = False,
        config: Any = None,
        preset: str | None = None,
        **fields: Any,
    ) -> None:
        """Open a table; `reset` deals it.

        Args:
            game: the game's name, or its binding.
            render_mode: `None` or `"ansi"`.
            seat: the number of the learner's player; `None`: drawn anew for each game.
            opponents: the agent of all others, or one for each of them in the order of the
                players: whatever `make_agent` takes. `reset` seeds the random ones.
            flat_observation: observations are arrays of features, without the mask.
            config: a variant of the game.
            preset: the name of a variant.
            **fields: fields of the game's `Config`.

        Raises:
            TypeError, ValueError: for an argument of the wrong type or out of range.
        """
        self.game = load(game) if isinstance(game, str) else check_game(game)
        self.config = self.game.config(config, preset=preset, **fields)
        self.render_mode = check_render_mode(render_mode)
        check_seat(seat, self.config.num_players)
        check_bool("flat_observation", flat_observation)
        self._fixed_seat = seat
        self.flat_observation = flat_observation
        self.opponents = list_opponents(opponents, self.config.num_players - 1)
        self._seat_opponents()
        self._tables = Tables(
            self.game, self.config, 1, autoreset_mode=AutoresetMode.DISABLED, num_threads=1
        )
        self._over = True
        self._accrued = 0.0  # to the learner, since its last decision
        self.seat = 0 if seat is None else seat
        self.stream = (0, 1)
        """The random stream that dealt the game."""
        self.actions: list[int] = []
        """What all players have done in it, forced moves left out."""
        self.observation_space = observation_space(self._tables, flat_observation)
        self.action_space = Discrete(self._tables.num_actions)

    def _seat_opponents(self) -> None:
        """Make the agents anew, random ones with seeds of this environment's random stream."""
        self._agents = [
            make_agent(self.game, opponent, int(self.np_random.integers(2**63)))
            for opponent in self.opponents
        ]

    # -- what there is to do -----------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deal a game, draw the learner's seat, and play on to its first decision.

        Args:
            seed: starts every random stream again; `None` goes on with the present ones.
            options: there are none.

        Raises:
            TypeError, ValueError: for a bad seed, or an option.
            RuntimeError: if game after game ends before the learner's first decision.
        """
        if seed is not None:
            seed = check_seed(seed, "or None")
        check_options(options, ())
        super().reset(seed=seed)
        if seed is not None:
            self._seat_opponents()
        for _ in range(MAX_DEALS):
            self._deal(seed)
            seed = None
            if self._fixed_seat is None:
                self.seat = int(self.np_random.integers(self.config.num_players))
            for agent in self._agents:
                agent.reset()
            self._accrued = 0.0
            self._play_opponents()
            if not self._over:
                return self._observe(), self._info()
        raise RuntimeError(f"{MAX_DEALS} games in a row ended before player_{self.seat} was to act")

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play an action for the learner, and the others' until it is to act again.

        Raises:
            ResetNeeded: if the game is over.
            TypeError, ValueError: if `action` is not in the action space; the table has not moved.
        """
        if self._over:
            raise ResetNeeded("the game is over: call `reset`")
        check_int("action", action, 0, self._tables.num_actions - 1)
        if not self._tables.action_mask[0, action]:
            self._over = True
            return self._observe(), -1.0, True, False, {**self._info(), "illegal_action": True}
        tables = self._tables
        tables.step(np.array([action], np.int32))
        self.actions.append(int(action))
        self._accrued += float(tables.rewards[0, self.seat])
        self._play_opponents()
        reward, self._accrued = self._accrued, 0.0
        terminated, truncated = bool(tables.terminated[0]), bool(tables.truncated[0])
        return self._observe(), reward, terminated, truncated, self._info()

    def _deal(self, seed: int | None) -> None:
        """Deal a game, by the stream of a seed or the present one."""
        words = self._tables.state["rng"][0] if seed is None else rng.first_streams([seed])[0]
        self.stream = (int(words[0]), int(words[1]))
        self.actions = []
        self._tables.reset(seed)

    def _play_opponents(self) -> None:
        """Let the others act until the learner is to; note what it is paid meanwhile."""
        tables = self._tables
        while True:
            self._over = bool(tables.terminated[0] or tables.truncated[0])
            current = int(tables.current_player[0])
            if self._over or current == self.seat:
                return
            agent = self._agents[current - (current > self.seat)]
            chosen = agent.act(Decisions.at(tables))
            tables.step(chosen)
            self.actions.append(int(chosen[0]))
            self._accrued += float(tables.rewards[0, self.seat])

    # -- what there is to see ----------------------------------------------------------------

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal now, `(actions,)` bool."""
        return self._mask().astype(np.bool_)

    def render(self) -> str | None:  # type: ignore[override]
        """Return the table as the learner sees it, as text (`render_mode="ansi"`)."""
        if not renders(self.render_mode):
            return None
        return self.game.render(self.table, self.seat)

    @property
    def table(self) -> np.void:
        """A copy of the table record, hidden cards and all, for `Game`'s texts and positions."""
        return self._tables.state[0].copy()

    def _observe(self) -> Any:
        observation = self._tables.observe(self.seat)[0]
        return (
            observation
            if self.flat_observation
            else {"observation": observation, "action_mask": self._mask()}
        )

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask()}

    def _mask(self) -> npt.NDArray[np.int8]:
        mask = self._tables.action_mask[0]
        return np.ones_like(mask) if self._over else mask.copy()


def check_seat(seat: int | None, num_players: int) -> None:
    """Refuse a seat that is no player's number and not `None`.

    Raises:
        TypeError, ValueError: if it is neither.
    """
    if seat is not None:
        check_int("seat", seat, 0, num_players - 1, "or None")


def list_opponents(opponents: AgentLike | Sequence[AgentLike], others: int) -> list[AgentLike]:
    """Return the agent of each opponent.

    Args:
        opponents: the agent of all, or one for each.
        others: how many opponents there are.

    Raises:
        ValueError: if there are not as many.
    """
    if isinstance(opponents, (str, os.PathLike, Agent)) or callable(opponents):
        return [opponents] * others
    is_list = isinstance(opponents, Sequence) and not isinstance(opponents, (bytes, bytearray))
    if not is_list or len(opponents) != others:
        raise ValueError(f"opponents={shown(opponents)}: must be one agent, or a list of {others}")
    return list(opponents)
