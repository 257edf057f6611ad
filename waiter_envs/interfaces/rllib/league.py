"""`Seating`: who plays which seat, the policy that learns or snapshots of it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from waiter_envs.core.checks import check_int, check_number


class Seating:
    """RLlib's `policy_mapping_fn` of self-play, with a league of past snapshots or without.

    Of each game it is drawn whether it is played against the league. If so, the learner sits at
    one seat, drawn as well, and at every other seat a snapshot, each drawn by itself. Otherwise
    the learner plays all seats.
    """

    def __init__(
        self,
        num_players: int,
        learner: str = "policy",
        snapshots: Sequence[str] = (),
        share: float = 0.5,
    ) -> None:
        """Seat `num_players` players.

        Args:
            num_players: of the variant.
            learner: name of the module that learns.
            snapshots: names of the frozen modules.
            share: of the games that are played against snapshots, if there are any.

        Raises:
            TypeError, ValueError: for a number of the wrong type or out of range.
        """
        self.num_players = check_int("num_players", num_players, 1, 2**31 - 1)
        self.share = check_number("share", share, 0, 1)
        self.learner = learner
        self.snapshots = tuple(snapshots)

    def __call__(self, agent: str, episode: Any, **kwargs: Any) -> str:
        """Return the name of the module that plays for an agent, `player_0` and so on.

        The seats of an episode are drawn from its `id_`.
        """
        drawn = random.Random(episode.id_)
        if not self.snapshots or drawn.random() >= self.share:
            return self.learner
        seats = [drawn.choice(self.snapshots) for _ in range(self.num_players)]
        seats[drawn.randrange(self.num_players)] = self.learner
        return seats[int(agent.rpartition("_")[2])]
