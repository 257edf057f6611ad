"""The errors that callers can tell apart, at every door that raises them."""

from __future__ import annotations

import numpy as np
import pytest

import waiter_envs
from tests.samples import samples
from waiter_envs import GameOverError, IllegalActionError, ImpossiblePositionError, Tables


def finished(name: str) -> Tables:
    """Return the table of a game that is over."""
    tables = Tables.of(
        waiter_envs.load(name), 1, 3, autoreset_mode="Disabled", **samples(name).short
    )
    while not (tables.terminated[0] or tables.truncated[0]):
        tables.step(tables.sample_actions())
    return tables


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_errors_of_actions(name: str) -> None:
    """What is no action, what is not legal now, and what comes too late."""
    game = waiter_envs.load(name)
    tables = Tables.of(game, 1, 3, autoreset_mode="Disabled", **samples(name).short)
    illegal = int(np.flatnonzero(tables.action_mask[0] == 0)[0])
    env = waiter_envs.TableEnv(game, **samples(name).short)
    env.reset(3)
    doors = (
        lambda action: tables.step([action]),
        lambda action: game.action_to_text(tables.state[0], action),
        env.step,
    )
    for door in doors:
        with pytest.raises(IllegalActionError, match="legal") as caught:
            door(illegal)
        assert type(caught.value) is IllegalActionError
        with pytest.raises(ValueError, match="must be ") as out_of_range:
            door(tables.num_actions)
        assert not isinstance(out_of_range.value, IllegalActionError)

    over = finished(name)
    with pytest.raises(GameOverError, match="table 0 is finished"):
        over.step([0])
    with pytest.raises(GameOverError, match="the game is over"):
        game.action_to_text(over.state[0], 0)


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_errors_of_positions(name: str) -> None:
    """A position that cannot be is told from a parameter that cannot be."""
    game = waiter_envs.load(name)
    config = game.config()
    position = game.position_to_dict(Tables(game, config, 1, 3).state[0])
    with pytest.raises(ImpossiblePositionError, match="to_act"):
        game.position_from_dict(config, {**position, "to_act": 99})
    with pytest.raises(ValueError, match="seed=-1") as caught:
        game.position_from_dict(config, position, -1)
    assert not isinstance(caught.value, ImpossiblePositionError)
