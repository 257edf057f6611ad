"""Nothing hidden leaks: what a viewer cannot see may be dealt again, and it sees the same.

Every position is dealt again for every viewer: the hands of the others, the cards under their
stacks and their last actions' cards laid face down, the draw pile, the sides that nobody knows,
and the random stream.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from hey_waiter_env import GAME, tables
from hey_waiter_env.actions import DRAFT_PICK, MOVE_DISHES, ONTO, TAKE
from hey_waiter_env.state import NONE
from tests import views
from waiter_envs.agents.agent import Decisions
from waiter_envs.agents.rule_agent import RuleAgent
from waiter_envs.core.tables import Tables

from .playing import VARIANTS, positions

Array = npt.NDArray[np.void]


def deal_again(table: np.void, viewer: int, rng: np.random.Generator) -> None:
    """Deal anew, in place, everything of a table that `viewer` cannot see."""
    others = [player for player in range(len(table["hand"])) if player != viewer]
    hands = table["hand"][others].sum(axis=1)
    covered = table["card"][others] != NONE
    pool = table["draw"] + table["hand"][others].sum(axis=0)
    pool = pool + np.bincount(table["card"][others][covered], minlength=4)
    cards = rng.permutation(np.repeat(np.arange(4), pool))
    for player, size in zip(others, hands, strict=True):
        table["hand"][player] = np.bincount(cards[:size], minlength=4)
        cards = cards[size:]
        stacks = table["num_stacks"][player]
        table["card"][player, :stacks] = cards[:stacks]
        cards = cards[stacks:]
        hide_last_card(table["last"][player], rng)
    table["draw"] = np.bincount(cards, minlength=4)
    deal_sides_again(table, rng)
    table["rng"] = rng.integers(0, 2**63, 2, np.uint64) | np.uint64(1)


def hide_last_card(last: npt.NDArray[np.int16], rng: np.random.Generator) -> None:
    """Change the card that an action laid face down."""
    place = {DRAFT_PICK: 2, TAKE: 5}.get(last[0])
    if last[0] == MOVE_DISHES and last[4] < ONTO:
        place = 4
    if place is not None:
        last[place] = rng.integers(4)


def deal_sides_again(table: np.void, rng: np.random.Generator) -> None:
    """Exchange the unknown sides among players with equally many seats."""
    hidden = table["known"][table["side"]] == 0
    for seats in set(table["seats_of"].tolist()):
        players = np.flatnonzero(hidden & (table["seats_of"] == seats))
        table["side"][players] = table["side"][rng.permutation(players)]


def both_deals(variant: str) -> tuple[Tables, Array, Array, npt.NDArray[np.int8]]:
    """Return tables to look through, positions, the same dealt again, and a viewer for each."""
    config = VARIANTS[variant]
    rng = np.random.default_rng(7)
    before = np.repeat(positions(config, seed=3), config.num_players)
    viewers = np.arange(len(before), dtype=np.int8) % config.num_players
    after = before.copy()
    for i, viewer in enumerate(viewers.tolist()):
        deal_again(after[i], viewer, rng)
    return tables(len(before), 0, config=config), before, after, viewers


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_leak(variant: str) -> None:
    """Observation, own mask, view, what is told of actions and rendering stay the same."""
    dealt, before, after, viewers = both_deals(variant)
    assert_dealt_again(before, after, secret=not before["known"].all())

    dealt.state = before
    seen, full = dealt.observe(viewers), dealt.full_observation(viewers)
    masks = dealt.action_mask.copy()
    rendered = [GAME.render(table, int(v)) for table, v in zip(before, viewers, strict=True)]
    dealt.state = after
    assert (dealt.full_observation(viewers) != full).any(axis=1).mean() > 0.9
    assert np.array_equal(dealt.observe(viewers), seen)

    acting = viewers == before["current_player"]
    assert acting.any()
    assert np.array_equal(dealt.action_mask[acting], masks[acting])
    again = [GAME.render(table, int(v)) for table, v in zip(after, viewers, strict=True)]
    assert again == rendered
    views.check_seen_alike(GAME, VARIANTS[variant], before, after, viewers)


@pytest.mark.parametrize("variant", VARIANTS)
def test_rule_based_agents_do_not_peek(variant: str) -> None:
    """A rule-based agent chooses the same whatever is hidden from its player."""
    _, before, after, viewers = both_deals(variant)
    asked = (viewers == before["current_player"]) & ~(before["terminated"] | before["truncated"])
    dealt = tables(int(asked.sum()), 0, config=VARIANTS[variant])
    choices = []
    for state in (before[asked], after[asked]):
        dealt.state = state
        decisions = Decisions(
            dealt.observation,
            dealt.action_mask,
            dealt.current_player,
            np.arange(dealt.num_tables),
            dealt.state,
        )
        agents = [RuleAgent(GAME, name) for name in GAME.heuristics]
        choices.append([agent.act(decisions).tolist() for agent in agents])
        for chosen in choices[-1]:
            assert dealt.action_mask[np.arange(dealt.num_tables), chosen].all()
    assert choices[0] == choices[1]


def assert_dealt_again(before: Array, after: Array, secret: bool) -> None:
    """Check that the two deals differ in what is hidden, and that both are possible."""
    assert (before["hand"] != after["hand"]).any(axis=(1, 2)).mean() > 0.9
    assert (before["card"] != after["card"]).any()
    assert (before["draw"] != after["draw"]).any()
    assert (before["last"] != after["last"]).any()
    assert (before["side"] != after["side"]).any() == secret
    for name in ("hand", "card"):
        assert np.array_equal(
            before[name].reshape(len(before), -1) == NONE,
            after[name].reshape(len(after), -1) == NONE,
        )
    for table in after[:: len(after) // 20]:
        GAME.position_to_dict(table)
