"""What the tests of resampling share: whatever the game, a player sees the same and no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.chance import assert_as_likely
from waiter_envs.core.game import Game
from waiter_envs.core.tables import Tables

Array = npt.NDArray[np.void]
Viewers = npt.NDArray[np.int8]


def at(game: Game, config: Any, state: Array) -> Tables:
    """Return tables at these positions, which stay as they are when a game ends."""
    dealt = Tables.of(game, len(state), 0, config=config, autoreset_mode="Disabled")
    dealt.state = state
    return dealt


def resampled(
    game: Game, config: Any, state: Array, viewers: Any, seed: int, memories: Array | None = None
) -> Array:
    """Return positions whose hidden things, hidden from `viewers`, are dealt anew."""
    dealt = at(game, config, state)
    dealt.resample(viewers, seed, memories)
    return dealt.state.copy()


def for_each_viewer(config: Any, state: Array) -> tuple[Array, Viewers]:
    """Return every position once for each player, and who looks at it."""
    repeated = np.repeat(state, config.num_players)
    return repeated, (np.arange(len(repeated)) % config.num_players).astype(np.int8)


def over(state: Array) -> npt.NDArray[np.bool_]:
    """Return where the game is over."""
    return state["terminated"] | state["truncated"]


def assert_looks_the_same(
    game: Game, config: Any, before: Array, after: Array, viewers: Viewers
) -> None:
    """Check that viewers see the same, bit for bit, and that somebody may act."""
    dealt = at(game, config, before)
    live = ~over(before)
    asked = live & (viewers == before["current_player"])
    assert asked.any()
    seen, masks = dealt.observe(viewers), dealt.action_mask.copy()
    dealt.state = after
    assert np.array_equal(dealt.observe(viewers), seen)
    assert np.array_equal(dealt.action_mask[asked], masks[asked])
    assert np.array_equal(over(after), over(before))
    assert np.array_equal(after["current_player"][asked], before["current_player"][asked])
    assert dealt.action_mask[live].any(axis=1).all()
    for one, other, viewer in zip(before, after, viewers.tolist(), strict=True):
        assert game.render(other, viewer) == game.render(one, viewer)


def assert_legal(game: Game, config: Any, state: Array) -> None:
    """Check that what a position tells is taken, and comes back as it is."""
    for table in state:
        position = game.position_to_dict(table)
        again = game.position_from_dict(config, position)
        assert game.position_to_dict(again) == position


def assert_no_peeking(
    game: Game, config: Any, one: Array, other: Array, viewers: Viewers, *spare: str
) -> None:
    """Check that positions that look the same give the same deals, whatever is hidden.

    Args:
        game: the game.
        config: its variant.
        one: positions.
        other: the same, but for what the viewers do not see.
        viewers: who looks on.
        *spare: fields that need not be equal.
    """
    assert (one != other).any()
    deals = [resampled(game, config, state, viewers, 5) for state in (one, other)]
    for name in one.dtype.names or ():
        if name not in spare:
            assert np.array_equal(deals[0][name], deals[1][name]), name


def assert_as_counted(
    game: Game,
    config: Any,
    table: np.void,
    viewer: int,
    deals: Iterable[Hashable] | Counter[Hashable],
    outcome: Callable[[np.void], Hashable],
    draws: int = 6000,
    memory: np.void | None = None,
) -> None:
    """Check that all deals that agree with what a player knows come as often as they should.

    Args:
        game: the game.
        config: its variant.
        table: where.
        viewer: who.
        deals: the outcome of each deal, all as likely; or how likely each is, in some measure.
        outcome: what tells one deal from another.
        draws: how many to draw.
        memory: what the viewer remembers, if it does.
    """
    weights: Counter[Hashable] = Counter(deals)
    total = sum(weights.values())
    state = np.repeat(np.array([table]), draws)
    memories = None if memory is None else np.repeat(np.array([memory]), draws)
    drawn = resampled(game, config, state, viewer, 11, memories)
    assert len(weights) > 1
    assert_as_likely(map(outcome, drawn), {deal: n / total for deal, n in weights.items()})


def play_on(dealt: Tables, steps: int, check: Callable[[Array], None]) -> int:
    """Play at random where games go on, and check every position; return how many were seen."""
    seen = 0
    for _ in range(steps):
        check(dealt.state)
        live = ~(dealt.terminated | dealt.truncated)
        seen += int(live.sum())
        if not live.any():
            break
        state = dealt.state[live].copy()
        dealt = at(dealt.game, dealt.config, state)
        single = dealt.action_mask.sum(axis=1) == 1
        actions = np.where(single, dealt.action_mask.argmax(axis=1), dealt.sample_actions())
        dealt.step(actions.astype(np.int32))
    return seen
