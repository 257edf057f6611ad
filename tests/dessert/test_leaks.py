"""Nothing hidden leaks: what a viewer cannot see may be exchanged, and it sees the same.

Every position is shown to all viewers after the hands of the others and the pile have changed
their cards, and after what is asked, and of whom, has changed as far as the viewer cannot tell.
"""

from __future__ import annotations

import json

import numpy as np
import numpy.typing as npt
import pytest

from dessert_env import GAME, Config, tables
from dessert_env.state import (
    BRIBE,
    CALL,
    CHOSEN,
    CLAIM,
    DISCARDED,
    FRESHEN,
    NEW_GUEST,
    NONE,
    OVER,
    PILE,
    SERVE,
    STEAL,
    STOP,
    THEFT,
)
from tests import views
from waiter_envs.agents.agent import Decisions
from waiter_envs.agents.rule_agent import RuleAgent
from waiter_envs.core.tables import Tables

from .playing import VARIANTS, play, seated, study
from .reference import DESSERTS, GUESTS, servings
from .states import PLAYED, Array, positions

Viewers = npt.NDArray[np.int8]

ATTEMPTS = 25


# -- Exchanged ---------------------------------------------------------------------------------


def exchange(config: Config, table: np.void, viewer: int, rng: np.random.Generator) -> None:
    """Change, in place, everything of a table that `viewer` cannot see."""
    dessert = table["dessert"]
    unseen = (dessert >= PILE) & (dessert != viewer)
    dessert[unseen] = rng.permutation(dessert[unseen])
    if table["phase"] != OVER and table["current_player"] != viewer:
        ask_something_else(config, table, viewer, rng)
    elif table["phase"] == CALL:
        call_in_another_order(config, table, viewer, rng)
    table["rng"] = rng.integers(0, 2**63, 2, np.uint64) | np.uint64(1)


def ask_something_else(
    config: Config, table: np.void, viewer: int, rng: np.random.Generator
) -> None:
    """Let somebody else be asked, or for something else, that looks the same to `viewer`."""
    phase, active = table["phase"], table["active"]
    if phase in (CLAIM, CALL):
        if active != viewer and rng.random() < 0.4:
            table["phase"], table["current_player"] = CLAIM, active
            table["call_order"], table["num_asked"] = NONE, 0
            return
        others = [player for player in range(config.players) if player not in (active, viewer)]
        if others:
            table["phase"], table["current_player"] = CALL, rng.choice(others)
            call_in_another_order(config, table, int(table["current_player"]), rng)
    elif phase in (STEAL, FRESHEN) and not (table["dessert"] == DISCARDED).any():
        table["phase"] = rng.choice([STEAL, FRESHEN])
    elif table["serving"] == THEFT and not (table["dessert"] == CHOSEN).any():
        owner = table["guest"][table["target"]]
        if viewer not in (owner, active):
            table["phase"] = rng.choice([SERVE, STOP])
            table["current_player"] = active if table["phase"] == SERVE else owner


def call_in_another_order(
    config: Config, table: np.void, caller: int, rng: np.random.Generator
) -> None:
    """Draw anew in which order the others are asked, if it is random."""
    active = int(table["active"])
    order = [(active + 1 + i) % config.players for i in range(config.players - 1)]
    if config.call_order == "random":
        rng.shuffle(order)
    table["call_order"], table["num_asked"] = order, order.index(caller)


def redealt(
    dealt: Tables, before: Array, viewers: Viewers, seed: int = 7
) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Return positions that look the same to their viewers, and which could be found.

    Who is to act must have a choice, as at any live table; and who steals can pay for it, as
    everybody knows. In turn 0 who has called falsely tells who was asked.
    """
    rng = np.random.default_rng(seed)
    after, found = before.copy(), np.zeros(len(before), bool)
    for _ in range(ATTEMPTS):
        for i in np.flatnonzero(~found):
            after[i] = before[i]
            exchange(dealt.config, after[i], int(viewers[i]), rng)
        dealt.state = after
        fits = (after["phase"] == OVER) | (dealt.action_mask.sum(axis=1) >= 2)
        for i in np.flatnonzero(fits & (after["phase"] == STOP)):
            fits[i] = can_pay(after[i])
        for i in np.flatnonzero(fits & (after["turn"] == 0)):
            fits[i] = tells_who_was_asked(after[i])
        found |= fits
    return after, found


def tells_who_was_asked(table: np.void) -> bool:
    """Return whether all who have called falsely in the first turn have been asked (DE-6)."""
    warned = set(np.flatnonzero(table["warned"]).tolist())
    if table["phase"] == CLAIM:
        return not warned
    asked = table["call_order"][: table["num_asked"]].tolist()
    return table["phase"] != CALL or warned <= set(asked)


def can_pay(table: np.void) -> bool:
    """Return whether the thief holds a serving for the guest, and a dessert more (DE-8)."""
    hand = [DESSERTS[card] for card in np.flatnonzero(table["dessert"] == table["active"])]
    target = list(GUESTS)[table["target"]]
    return any(len(serving) < len(hand) for serving in servings(hand, target))


def both(variant: str, per_kind: int = 8) -> tuple[Tables, Array, Array, Viewers]:
    """Return tables to look through, positions, the same exchanged, and a viewer for each."""
    config = VARIANTS[variant]
    before = np.repeat(positions(config, seed=3, per_kind=per_kind), config.players)
    viewers = (np.arange(len(before)) % config.players).astype(np.int8)
    after, found = redealt(tables(len(before), 0, config=config), before, viewers)
    assert found.mean() > 0.9
    dealt = tables(int(found.sum()), 0, config=config)
    return dealt, before[found], after[found], viewers[found]


def assert_exchanged(config: Config, before: Array, after: Array, viewers: Viewers) -> None:
    """Check that the positions differ in what is hidden, in it only, and that both are possible."""
    may = {"rng", "dessert", "phase", "current_player", "call_order", "num_asked"}
    for name in before.dtype.names:
        assert name in may or np.array_equal(before[name], after[name]), name
    row = np.arange(len(before))
    asked = (viewers == before["current_player"]) & (before["phase"] != OVER)
    assert np.array_equal(before["phase"][asked], after["phase"][asked])
    assert np.array_equal(before["current_player"][asked], after["current_player"][asked])
    for place in (-2, CHOSEN, DISCARDED):
        assert np.array_equal(before["dessert"] == place, after["dessert"] == place)
    hands = [state["dessert"] == viewers[row, None] for state in (before, after)]
    assert np.array_equal(*hands)
    for player in range(-1, config.players):
        sizes = [(state["dessert"] == player).sum(axis=1) for state in (before, after)]
        assert np.array_equal(*sizes)
    for table in after[::5]:
        there = GAME.position_to_dict(table)
        assert GAME.position_to_dict(GAME.position_from_dict(config, there)) == there
    differ = (before["dessert"] != after["dessert"]).any(axis=1)
    assert differ[with_secrets(before, viewers)].mean() > 0.95


def with_secrets(state: Array, viewers: Viewers) -> npt.NDArray[np.bool_]:
    """Return where there is more than one way to deal what the viewers do not see."""
    places = [
        {place for place in table["dessert"].tolist() if place >= PILE and place != viewer}
        for table, viewer in zip(state, viewers.tolist(), strict=True)
    ]
    return np.array([len(some) > 1 for some in places])


@pytest.mark.parametrize("variant", PLAYED)
def test_no_leak(variant: str) -> None:
    """Observation, own mask, view, rendering and the heuristic's choice stay the same."""
    config = VARIANTS[variant]
    dealt, before, after, viewers = both(variant)
    assert_exchanged(config, before, after, viewers)
    asked = np.flatnonzero((viewers == before["current_player"]) & (before["phase"] != OVER))
    assert len(asked) > 80
    agent = RuleAgent(GAME, "heuristic")
    looks = []
    for state in (before, after):
        dealt.state = state
        looks.append(
            (
                dealt.observe(viewers),
                dealt.observation[asked],
                dealt.action_mask[asked],
                dealt.rewards.copy(),
                agent.act(Decisions.at(dealt, asked)),
                [GAME.render(t, int(v)) for t, v in zip(state, viewers, strict=True)],
                dealt.full_observation(viewers),
            )
        )
    for one, other in zip(*(look[:6] for look in looks), strict=True):
        assert np.array_equal(one, other)
    assert np.array_equal(looks[0][0][asked], looks[0][1])
    differ = (looks[0][6] != looks[1][6]).any(axis=1)
    assert differ[with_secrets(before, viewers)].mean() > 0.95
    views.check_seen_alike(GAME, config, before, after, viewers)


def test_much_of_what_is_asked_is_exchanged() -> None:
    """The test above hides who is asked, for what, and the order of the calls."""
    changes = set()
    for variant in ("standard", "false_calls", "6_players"):
        _, before, after, _ = both(variant)
        changes |= set(zip(before["phase"].tolist(), after["phase"].tolist(), strict=True))
        calls = (before["phase"] == CALL) & (after["phase"] == CALL)
        assert (before["current_player"] != after["current_player"])[calls].any()
        same = calls & (before["current_player"] == after["current_player"])
        assert (before["call_order"] != after["call_order"])[same].any()
        assert (before["num_asked"] != after["num_asked"])[same].any()
    for pair in ((CLAIM, CALL), (STEAL, FRESHEN), (SERVE, STOP)):
        assert {pair, pair[::-1]} <= changes


# -- Two games that look alike -----------------------------------------------------------------

CLOCKWISE = VARIANTS["clockwise"]


def look(dealt: Tables, viewer: int) -> tuple[bytes, str, str]:
    """Return all that a player sees of the only table."""
    table = dealt.state[0]
    view = json.dumps(GAME.view(table, viewer))
    return dealt.observe(viewer).tobytes(), GAME.render(table, viewer), view


def test_passed_over_and_saying_no() -> None:
    """Player 1 can serve and declines, or cannot and is not asked: nobody else can tell."""
    shared = {
        "phase": "claim",
        "guest": "Fuzzy",
        "pile": "Cherry pie, Fruit salad, Orange sherbet, Peach cobbler",
    }
    can = study(
        CLOCKWISE,
        ["Peanut butter cups, Spice cake", "Fudge, Peanut brittle", "Yellow cake", "Pound cake"],
        **shared,
    )
    cannot = study(
        CLOCKWISE,
        ["Peanut butter cups, Spice cake", "Fudge, Yellow cake", "Peanut brittle", "Pound cake"],
        **shared,
    )
    one, other = seated(CLOCKWISE, can), seated(CLOCKWISE, cannot)
    assert [look(one, v) for v in (0, 3)] == [look(other, v) for v in (0, 3)]
    assert play(one, "decline")["to_act"] == 1
    after = play(other, "decline")
    assert after["waiting_room"][-1] == "Fuzzy"
    before = play(one, "decline")
    assert (before["hands"] == after["hands"], before["pile"] == after["pile"]) == (False, True)
    assert [look(one, v) for v in (0, 3)] == [look(other, v) for v in (0, 3)]


@pytest.mark.parametrize("active", range(4))
def test_claim_and_calls_look_alike(active: int) -> None:
    """Whoever is asked, those who are not see the same; the one who is asked sees that."""
    config = VARIANTS["standard"]
    hands = [
        "Peanut butter cups",
        "Walnut brownies",
        "Fudge, Baklava",
        "Fruitcake, Chocolate eclair",
    ]
    common = {"guest": "Fuzzy", "active": active}
    games = [(active, seated(config, study(config, hands, phase="claim", **common)))]
    others = [player for player in range(4) if player != active]
    for turn in range(3):
        order = others[turn:] + others[:turn]
        for asked in range(3):
            position = study(
                config, hands, phase="call", call_order=order, asked=order[:asked], **common
            )
            games.append((order[asked], seated(config, position)))
    for viewer in range(4):
        not_asked = {look(dealt, viewer) for asked, dealt in games if asked != viewer}
        called = {
            look(dealt, viewer) for asked, dealt in games if asked == viewer and viewer != active
        }
        assert len(not_asked) == 1
        assert len(called) == (viewer != active)
        assert not called & not_asked


def test_a_theft_before_anything_is_laid_down() -> None:
    """That the owner is asked is seen by the owner; that it is not, by the thief."""
    config = VARIANTS["standard"]
    guests = ["", "Fuzzy"]
    hands = ["Walnut brownies, Peanut butter cups, Baklava", "Fudge, Yellow cake"]
    common = {"target": "Fuzzy", "serving": "steal"}
    stop = seated(config, study(config, hands, guests, phase="stop", **common))
    serve = seated(config, study(config, hands, guests, phase="serve", **common))
    for viewer in range(4):
        assert (look(stop, viewer) == look(serve, viewer)) == (viewer in (2, 3)), viewer
    unarmed = [hands[0], "Yellow cake, Pound cake"]
    passed_over = seated(config, study(config, unarmed, guests, phase="serve", **common))
    play(stop, "allow")
    for viewer in (0, 2, 3):
        assert look(stop, viewer) == look(passed_over, viewer)


def test_bribes_are_secret() -> None:
    """Whatever is paid, and held back, the others see the same."""
    for variant in ("standard", "6_players", "3_players_clockwise"):
        config = VARIANTS[variant]
        rng = np.random.default_rng(1)
        seen = positions(config, seed=3, per_kind=40)
        seen = seen[seen["phase"] == BRIBE]
        pair = [tables(len(seen), 0, config=config, autoreset_mode="NextStep") for _ in range(2)]
        mask = []
        for dealt in pair:
            dealt.state = seen
            mask.append(dealt.action_mask.copy())
        options = [rng.permutation(np.flatnonzero(row))[:2] for row in mask[0]]
        for dealt, actions in zip(pair, np.transpose(options), strict=True):
            dealt.step(actions.astype(np.int32))
        states = [dealt.state for dealt in pair]
        same = states[0]["phase"] == states[1]["phase"]
        for name in ("current_player", "turn", "num_waiting", "new_guest"):
            same &= states[0][name] == states[1][name]  # nobody could, or could not, use it
        owner = seen["guest"][np.arange(len(seen)), seen["target"]]
        alike = 0
        for viewer in range(config.players):
            strangers = np.flatnonzero(same & (viewer != seen["active"]) & (viewer != owner))
            observed = [dealt.observe(viewer)[strangers] for dealt in pair]
            assert np.array_equal(*observed)
            for i in strangers[::3]:
                assert GAME.view(states[0][i], viewer) == GAME.view(states[1][i], viewer)
                told = [GAME.told(seen[i], int(action), viewer) for action in options[i]]
                assert told[0] == told[1]
                rendered = [GAME.render(state[i], viewer) for state in states]
                assert rendered[0] == rendered[1]
            alike += len(strangers)
        assert alike > 15


def test_who_serves_is_public() -> None:
    """The counter-check: once somebody has called, all see who it is, and what is laid down."""
    dealt, before, _, viewers = both("standard")
    serving = (before["phase"] == SERVE) & (before["serving"] == NEW_GUEST)
    other = before.copy()
    for i in np.flatnonzero(serving):
        player = before["current_player"][i]
        other["current_player"][i] = next(p for p in range(4) if p not in (player, viewers[i]))
    dealt.state = before
    seen = dealt.observe(viewers)
    dealt.state = other
    changed = (dealt.observe(viewers) != seen).any(axis=1)
    assert np.array_equal(changed, serving)
    assert serving.sum() > 20
