"""Nothing hidden leaks: what a viewer cannot see may be dealt again, and it sees the same.

Every position is dealt again for both viewers: all that the opponent holds, wherever it lies,
whether it has served half a combination, the last card that it set aside, and the random stream.
In real play, half a combination changes nothing for the opponent (GS-11, GS-12).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from greasy_spoon_env import GAME, Config, raw_env, tables
from greasy_spoon_env.cards import COMBO_1, COMBO_2, COUNTS
from greasy_spoon_env.state import COMPLETING, NONE, SERVING
from tests import views
from waiter_envs.agents.agent import Decisions
from waiter_envs.agents.rule_agent import RuleAgent
from waiter_envs.core.tables import Tables

from .states import Array, kinds, positions

VARIANTS = {
    "best_of_1": Config(),
    "best_of_3": Config(best_of=3, reward="game"),
    "no_recall": Config(recall=False, starter=1),
}


# -- Dealt again -------------------------------------------------------------------------------


def deal_again(table: np.void, viewer: int, rng: np.random.Generator) -> None:
    """Deal anew, in place, everything of a table that `viewer` cannot see."""
    other = 1 - viewer
    if table["current_player"] == other:
        take_back(table, other)
    deck = table["hand"][other] + table["draw"][other] + table["backburner"][other]
    cards = rng.permutation(np.repeat(np.arange(18), deck))
    for name in ("hand", "draw", "backburner"):
        size = table[name][other].sum()
        table[name][other] = np.bincount(cards[:size], minlength=18)
        cards = cards[size:]
    if table["current_player"] == other:
        begin_again(table, other, rng)
        if table["last_stashed"] != NONE:
            table["last_stashed"] = rng.choice(np.flatnonzero(table["backburner"][other]))
    table["rng"] = rng.integers(0, 2**63, 2, np.uint64) | np.uint64(1)


def take_back(table: np.void, player: int) -> None:
    """Return half a combination to the hand, as the opponent sees it."""
    if table["phase"] == COMPLETING:
        table["hand"][player] += COUNTS[table["pending"]]
        table["phase"] = SERVING
        table["pending"] = table["pending_with"] = NONE


def begin_again(table: np.void, player: int, rng: np.random.Generator) -> None:
    """Where a turn begins, serve half of some combination instead, every other time."""
    mains = np.flatnonzero(
        (table["hand"][player] >= COUNTS).all(axis=1) & (COUNTS.sum(axis=1) == 3)
    )
    if table["phase"] == SERVING and mains.size and rng.random() < 0.5:
        table["pending"] = rng.choice(mains)
        table["pending_with"] = rng.choice((COMBO_1, COMBO_2))
        table["hand"][player] -= COUNTS[table["pending"]]
        table["phase"] = COMPLETING


def both_deals(match: str) -> tuple[Tables, Array, Array, npt.NDArray[np.int8]]:
    """Return tables to look through, positions, the same dealt again, and a viewer for each."""
    config = VARIANTS[match]
    rng = np.random.default_rng(7)
    before = np.repeat(positions(config, seed=3), 2)
    viewers = np.arange(len(before), dtype=np.int8) % 2
    after = before.copy()
    for i, viewer in enumerate(viewers.tolist()):
        deal_again(after[i], viewer, rng)
    return tables(len(before), 0, config=config), before, after, viewers


@pytest.mark.parametrize("match", VARIANTS)
def test_no_leak(match: str) -> None:
    """Observation, own mask, view, what is told of actions and rendering stay the same."""
    dealt, before, after, viewers = both_deals(match)
    assert_dealt_again(before, after, viewers)

    dealt.state = before
    seen, full = dealt.observe(viewers), dealt.full_observation(viewers)
    masks = dealt.action_mask.copy()
    rendered = [GAME.render(table, int(v)) for table, v in zip(before, viewers, strict=True)]
    dealt.state = after
    piles = before["draw"].any(axis=2)[np.arange(len(before)), 1 - viewers]
    assert (dealt.full_observation(viewers) != full).any(axis=1)[piles].mean() > 0.95
    assert np.array_equal(dealt.observe(viewers), seen)

    acting = viewers == before["current_player"]
    assert acting.any()
    assert np.array_equal(dealt.action_mask[acting], masks[acting])
    again = [GAME.render(table, int(v)) for table, v in zip(after, viewers, strict=True)]
    assert again == rendered
    views.check_seen_alike(GAME, VARIANTS[match], before, after, viewers, opening="complete")


@pytest.mark.parametrize("match", VARIANTS)
def test_rule_based_agents_do_not_peek(match: str) -> None:
    """A rule-based agent chooses the same whatever is hidden from its player."""
    _, before, after, viewers = both_deals(match)
    asked = (viewers == before["current_player"]) & ~before["terminated"]
    dealt = tables(int(asked.sum()), 0, config=VARIANTS[match])
    agents = [RuleAgent(GAME, name) for name in GAME.heuristics]
    choices = []
    for state in (before[asked], after[asked]):
        dealt.state = state
        choices.append([agent.act(Decisions.at(dealt)).tolist() for agent in agents])
        for chosen in choices[-1]:
            assert dealt.action_mask[np.arange(dealt.num_tables), chosen].all()
    assert choices[0] == choices[1]


def assert_dealt_again(before: Array, after: Array, viewers: npt.NDArray[np.int8]) -> None:
    """Check that the deals differ in what is hidden, in it only, and that both are possible."""
    row = np.arange(len(before))
    for name in ("hand", "draw", "backburner"):
        hidden = before[name][row, 1 - viewers], after[name][row, 1 - viewers]
        assert (hidden[0] != hidden[1]).any(axis=1).mean() > 0.4
        assert np.array_equal(before[name][row, viewers], after[name][row, viewers])
    toggled = (before["phase"] == COMPLETING) != (after["phase"] == COMPLETING)
    assert (toggled & (after["phase"] == COMPLETING)).any()
    assert (toggled & (after["phase"] == SERVING)).any()
    assert (before["last_stashed"] != after["last_stashed"]).any()
    assert np.array_equal(before["last_stashed"] == NONE, after["last_stashed"] == NONE)
    assert np.array_equal(held(before), held(after))


def held(state: Array) -> npt.NDArray[np.int64]:
    """Return how many of each card each player has not served, `(tables, 2, 18)`."""
    cards = sum(state[name].astype(int) for name in ("hand", "draw", "backburner"))
    half = np.where((state["pending"] != NONE)[:, None], COUNTS[state["pending"]], 0)
    cards[np.arange(len(state)), state["current_player"]] += half
    return cards


# -- Half a combination ------------------------------------------------------------------------


@pytest.mark.parametrize("match", VARIANTS)
def test_half_a_combination_changes_nothing_for_the_opponent(match: str) -> None:
    """Through many games, the opponent sees the same before and after a first half (GS-11)."""
    dealt = tables(64, 11, config=VARIANTS[match])
    halves = {"leading half": 0, "answering half": 0}
    for _ in range(150):
        before = dealt.state.copy()
        opponents = 1 - dealt.current_player
        seen = dealt.observe(opponents)
        actions = dealt.sample_actions()
        dealt.step(actions)
        half = dealt.state["phase"] == COMPLETING
        half &= before["phase"] == SERVING
        assert np.array_equal(dealt.current_player[half], 1 - opponents[half])
        assert np.array_equal(dealt.observe(opponents)[half], seen[half])
        assert not dealt.rewards[half].any()
        for i in np.flatnonzero(half):
            viewer = int(opponents[i])
            assert GAME.render(dealt.state[i], viewer) == GAME.render(before[i], viewer)
            assert GAME.view(dealt.state[i], viewer) == GAME.view(before[i], viewer)
            assert GAME.told(before[i], int(actions[i]), viewer) is None
        acting = dealt.full_observation(1 - opponents)  # but the player itself sees it
        assert acting[half, 3].all()
        for name, kind in kinds(dealt.state).items():
            if name in halves:
                halves[name] += int((kind & half).sum())
    assert min(halves.values()) > 50


def test_half_a_combination_in_the_aec_environment() -> None:
    """The same, of what the PettingZoo environment gives to the agent that waits."""
    env = raw_env(render_mode="ansi")
    rng = np.random.default_rng(0)
    env.reset(seed=4)
    halves = 0
    for _ in range(400):
        if env.terminations[env.agent_selection]:
            env.reset(seed=int(rng.integers(2**32)))
        acting = env.agent_selection
        waiting = next(agent for agent in env.possible_agents if agent != acting)
        before, was_half = env.observe(waiting), is_half(env.observe(acting))
        env.step(rng.choice(np.flatnonzero(env.observe(acting)["action_mask"])))
        if env.agent_selection == acting and not was_half and is_half(env.observe(acting)):
            halves += 1
            after = env.observe(waiting)
            assert all(np.array_equal(after[key], before[key]) for key in before)
    assert halves > 20


def is_half(observation: dict[str, npt.NDArray[np.int8]]) -> bool:
    """Return whether the viewer has half a combination to complete."""
    return bool(observation["observation"][3])
