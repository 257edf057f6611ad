"""`Rollout`: the decisions at many tables, and the episodes of single agents cut out of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.env.utils.infinite_lookback_buffer import InfiniteLookbackBuffer

from waiter_envs.core.tables import Tables
from waiter_envs.interfaces.rllib.envs import agent_name


class Rollout:
    """The decisions at some tables in the order of play: arrays of `(rows, tables, ...)`.

    A transition of a player runs from one of its decisions to its next one, or to the end of the
    game, whoever moves last; its reward is the sum of what the player receives meanwhile. So the
    last decision of each player in a game that goes on is still open. The first rows, one for each
    player, hold the open decisions of the rollout before.
    """

    def __init__(self, tables: Tables, num_steps: int, before: Rollout | None = None) -> None:
        """Make room for `num_steps` decisions at every table, and take over what is open."""
        self.num_players = tables.num_players
        rows = (self.num_players + num_steps, tables.num_tables)
        self.observation = np.zeros((*rows, tables.num_features), np.int8)
        self.action_mask = np.zeros((*rows, tables.num_actions), np.int8)
        self.action = np.zeros(rows, np.int64)
        self.player = np.full(rows, -1, np.int8)
        self.module = np.zeros(rows, np.int64)
        self.reward = np.zeros((*rows, self.num_players), np.float32)
        self.terminated = np.zeros(rows, np.bool_)
        self.truncated = np.zeros(rows, np.bool_)
        self.outputs: dict[str, npt.NDArray[Any]] = {}
        self.outputs_of: dict[int, set[str]] = {}
        self._final_views: dict[tuple[int, int], npt.NDArray[np.int8]] = {}
        self._row = self.num_players
        if before is not None:
            self._take_over(before)

    # -- what happens at the tables ----------------------------------------------------------

    def decide(self, tables: Tables, module: npt.NDArray[np.int64]) -> None:
        """Write down what is to be decided, and the number of the module that does, by table."""
        row = self._row
        self.observation[row] = tables.observation
        self.action_mask[row] = tables.action_mask
        self.player[row] = tables.current_player
        self.module[row] = module

    def seen(self, which: npt.NDArray[np.int64]) -> dict[str, npt.NDArray[np.int8]]:
        """Return what is to be decided at the tables numbered `which`."""
        row = self._row
        return {
            "observation": self.observation[row, which],
            "action_mask": self.action_mask[row, which],
        }

    def add_outputs(
        self, module: int, which: npt.NDArray[np.int64], outputs: dict[str, npt.NDArray[Any]]
    ) -> None:
        """Write down what a module said of the decisions at the tables numbered `which`."""
        self.outputs_of.setdefault(module, set()).update(outputs)
        for name, values in outputs.items():
            self._column(name, values)[self._row, which] = values

    def _column(self, name: str, like: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the array of an output, which is made when it is first seen."""
        if name not in self.outputs:
            self.outputs[name] = np.zeros((*self.action.shape, *like.shape[1:]), like.dtype)
        return self.outputs[name]

    def step(self, tables: Tables, actions: npt.NDArray[Any]) -> None:
        """Play one action at every table."""
        row = self._row
        tables.step(actions)
        self.action[row] = actions
        self.reward[row] = tables.rewards
        self.terminated[row] = tables.terminated
        self.truncated[row] = tables.truncated
        cut = np.flatnonzero(tables.truncated)
        if len(cut):
            views = tables.final_observation(cut)
            self._final_views |= {(row, int(table)): views[i] for i, table in enumerate(cut)}
        self._row += 1

    # -- what comes of it --------------------------------------------------------------------

    def episodes(
        self, name: str, modules: list[str], wanted: Collection[int]
    ) -> list[SingleAgentEpisode]:
        """Return an episode, or a piece of one, for each player of each game.

        Args:
            name: what the names of all episodes begin with.
            modules: names of the modules by their numbers.
            wanted: numbers of the modules whose episodes are returned.
        """
        return [
            self._episode(f"{name}-{number}", rows, table, end, modules)
            for number, (rows, table, end) in enumerate(self._pieces())
            if int(self.module[rows[0], table]) in wanted and (end >= 0 or len(rows) > 1)
        ]

    def _pieces(self) -> Iterator[tuple[npt.NDArray[np.int64], int, int]]:
        """Yield the rows of each player's decisions in each game, the table, and the last row.

        The last row is that of the step that ended the game, -1 if it goes on.
        """
        ended = self.terminated | self.truncated
        game: npt.NDArray[np.int64] = (
            np.cumsum(ended, axis=0) - ended
        )  # how many games ended before, at this table
        end_row = np.full((ended.shape[1], int(ended.sum(axis=0).max(initial=0)) + 1), -1)
        row, table = np.nonzero(ended)
        end_row[table, game[row, table]] = row
        row, table = np.nonzero(self.player >= 0)
        order = np.lexsort((row, self.player[row, table], game[row, table], table))
        row, table = row[order], table[order]
        whose = np.stack([table, game[row, table], self.player[row, table]])
        starts = np.flatnonzero((whose[:, 1:] != whose[:, :-1]).any(axis=0)) + 1
        for piece in np.split(np.arange(len(row)), starts):
            if len(piece):
                first = piece[0]
                yield row[piece], int(table[first]), int(end_row[table[first], whose[1, first]])

    def _episode(
        self, name: str, rows: npt.NDArray[np.int64], table: int, end: int, modules: list[str]
    ) -> SingleAgentEpisode:
        """Return the episode of the decisions at `rows`; the last is open if `end` is -1."""
        player, module = int(self.player[rows[0], table]), int(self.module[rows[0], table])
        observation, action_mask = self.observation[rows, table], self.action_mask[rows, table]
        until = rows[1:]
        if end >= 0:
            until = np.append(until, end + 1)
            views = self._final_views.get((end, table))
            last = observation[-1] if views is None else views[player]
            observation = np.concatenate([observation, last[None]])
            action_mask = np.concatenate([action_mask, np.zeros_like(action_mask[:1])])
        rows = rows[: len(until)]
        reward = np.add.reduceat(self.reward[: until[-1], table, player], rows)
        return SingleAgentEpisode(
            name,
            observations=InfiniteLookbackBuffer(
                {"observation": observation, "action_mask": action_mask}
            ),
            actions=InfiniteLookbackBuffer(self.action[rows, table]),
            rewards=InfiniteLookbackBuffer(reward),
            extra_model_outputs={
                key: InfiniteLookbackBuffer(self.outputs[key][rows, table])
                for key in sorted(self.outputs_of.get(module, ()))
            },
            terminated=end >= 0 and bool(self.terminated[end, table]),
            truncated=end >= 0 and bool(self.truncated[end, table]),
            len_lookback_buffer=0,
            agent_id=agent_name(player),
            module_id=modules[module],
            multi_agent_episode_id=name,
        )

    def _take_over(self, before: Rollout) -> None:
        """Put each player's open decision into the player's row at the top."""
        self.outputs_of = before.outputs_of
        for rows, table, end in before._pieces():
            if end >= 0:
                continue
            row, player = rows[-1], before.player[rows[-1], table]
            for name in ("observation", "action_mask", "action", "player", "module"):
                getattr(self, name)[player, table] = getattr(before, name)[row, table]
            self.reward[player, table, player] = before.reward[row:, table, player].sum()
            for name in before.outputs_of.get(int(before.module[row, table]), ()):
                values = before.outputs[name]
                self._column(name, values[0])[player, table] = values[row, table]
