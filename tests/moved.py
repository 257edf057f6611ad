"""What the tests of all games check of things that stand elsewhere after an action."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.views import ids_in
from waiter_envs import make_agent
from waiter_envs.agents.agent import Decisions
from waiter_envs.core.game import Game
from waiter_envs.core.tables import Tables
from waiter_envs.core.views import Told


class Act(NamedTuple):
    """An action between two tables, as a viewer sees it."""

    before: dict[str, Any]
    after: dict[str, Any]
    told: Told

    def now(self, name: str) -> str | None:
        """Return what a thing is called after the action."""
        moved: dict[str, str | None] = self.told["moved"]
        return moved.get(name, name)


def acts(game: Game, games: int, agent: str = "random", **variant: Any) -> Iterator[Act]:
    """Yield all actions of some games, for each player and with all cards open."""
    for seed in range(games):
        tables = Tables.of(game, 1, seed, autoreset_mode="Disabled", **variant)
        player = make_agent(game, agent, seed)
        while not (tables.terminated[0] or tables.truncated[0]):
            before = tables.state[0].copy()
            action = player.act(Decisions.at(tables))
            tables.step(action)
            after = tables.state[0].copy()
            for viewer in (None, *range(int(before["num_players"]))):
                told = game.told(before, int(action[0]), viewer, after)
                if told is not None:
                    yield Act(game.view(before, viewer), game.view(after, viewer), told)


def check_ids(act: Act) -> None:
    """Ids before are of the view before, those after of the view after."""
    moved = act.told["moved"]
    earlier, later = set(ids_in(act.before)), set(ids_in(act.after))
    assert set(moved) <= earlier
    assert {name for name in moved.values() if name is not None} <= later
    assert all(name != now for name, now in moved.items())
