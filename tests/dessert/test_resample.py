"""Resampling: what a player does not know is dealt anew, and nothing else changes (DE-16)."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from dessert_env import GAME, Config, cards, resample, rules, tables
from dessert_env.cards import DESSERTS, HALF, STOPS
from dessert_env.resample import deal_by_count
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
from tests import resampling
from tests.chance import assert_as_likely
from tests.kernels import kernel_of
from waiter_envs import ImpossiblePositionError
from waiter_envs.core import rng

from .playing import VARIANTS, seated, study
from .reference import GUESTS, servings
from .states import PLAYED, positions
from .test_invariants import assert_sound
from .test_leaks import both as both_exchanged
from .test_leaks import can_pay, tells_who_was_asked, with_secrets

HIDDEN = {"rng", "dessert", "phase", "current_player", "call_order", "num_asked"}


def both(variant: str, seed: int = 3) -> tuple[Any, Any, Any]:
    """Return positions of all kinds, the same resampled, and who looks at each."""
    config = VARIANTS[variant]
    before, viewers = resampling.for_each_viewer(config, positions(config, seed))
    return before, resampling.resampled(GAME, config, before, viewers, 21), viewers


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_player_sees_the_same_and_the_position_is_legal(variant: str) -> None:
    before, after, viewers = both(variant)
    resampling.assert_looks_the_same(GAME, VARIANTS[variant], before, after, viewers)
    resampling.assert_legal(GAME, VARIANTS[variant], after)
    assert_sound(VARIANTS[variant], after)


@pytest.mark.parametrize("variant", VARIANTS)
def test_all_that_is_hidden_changes_and_nothing_else(variant: str) -> None:
    config = VARIANTS[variant]
    before, after, viewers = both(variant)
    for name in before.dtype.names:
        assert name in HIDDEN or np.array_equal(before[name], after[name]), name
    for place in (-2, CHOSEN, DISCARDED):
        assert np.array_equal(before["dessert"] == place, after["dessert"] == place)
    mine = [state["dessert"] == viewers[:, np.newaxis] for state in (before, after)]
    assert np.array_equal(*mine)
    for player in range(PILE, config.players):
        sizes = [(state["dessert"] == player).sum(axis=1) for state in (before, after)]
        assert np.array_equal(*sizes)
    differ = (before["dessert"] != after["dessert"]).any(axis=1)
    assert differ[with_secrets(before, viewers)].mean() > 0.95
    assert (before["rng"] != after["rng"]).any(axis=1).all()


def test_what_is_asked_changes_as_far_as_nobody_can_tell() -> None:
    """Claims and calls, thefts and freshening up; the order of calls, and how far they are."""
    changes = set()
    for variant in ("standard", "false_calls", "6_players"):
        before, after, viewers = both(variant)
        changes |= set(zip(before["phase"].tolist(), after["phase"].tolist(), strict=True))
        calls = (before["phase"] == CALL) & (after["phase"] == CALL)
        assert (before["current_player"] != after["current_player"])[calls].any()
        asked = calls & (viewers == before["current_player"])
        assert (before["call_order"] != after["call_order"])[asked].any()
        assert (before["num_asked"] != after["num_asked"])[asked].any()
    for pair in ((CLAIM, CALL), (STEAL, FRESHEN), (SERVE, STOP)):
        assert {pair, pair[::-1]} <= changes
    for phase in (BRIBE, OVER):
        assert {(one, other) for one, other in changes if phase in (one, other)} == {(phase, phase)}


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_follows_with_certainty_holds(variant: str) -> None:
    """Who serves or steals can, who is asked can serve or stop, and who was warned was asked."""
    config = VARIANTS[variant]
    _, after, viewers = both(variant, 6)
    held = Counter[str]()
    for table, viewer in zip(after, viewers.tolist(), strict=True):
        phase, acting = int(table["phase"]), int(table["current_player"])
        hand = [DESSERTS[card] for card in np.flatnonzero(table["dessert"] == acting)]
        if (
            phase in (CLAIM, CALL)
            and acting != viewer
            and not (config.false_calls and phase == CALL)
        ):
            assert servings(hand, list(GUESTS)[table["new_guest"]])
            held["asked"] += 1
        if table["serving"] == THEFT and phase == STOP:
            assert can_pay(table)
            held["thief"] += 1
            if viewer != acting:
                assert (STOPS[table["target"]] & (table["dessert"] == acting)).any()
                held["owner"] += 1
        if table["turn"] == 0:
            assert tells_who_was_asked(table)
    assert held["asked"] > 5 or config.players == 2
    assert held["owner"] > 0
    assert held["thief"] > 0


@pytest.mark.parametrize("variant", PLAYED)
def test_nothing_peeks(variant: str) -> None:
    """Positions that look the same give the same sample."""
    _, before, after, viewers = both_exchanged(variant)
    resampling.assert_no_peeking(GAME, VARIANTS[variant], before, after, viewers)


@pytest.mark.parametrize("variant", PLAYED)
def test_play_goes_on(variant: str) -> None:
    config = VARIANTS[variant]
    _, after, _ = both(variant, 5)
    dealt = resampling.at(GAME, config, after)
    live = (~resampling.over(after)).sum()
    seen = resampling.play_on(dealt, 60, lambda state: assert_sound(config, state))
    assert seen > 10 * live


# -- As often as counted -----------------------------------------------------------------------

THREE = Config(players=3)
FEW = "Fudge, Peanut brittle, Walnut brownies, Yellow cake, Peanut butter cups, Pound cake"
"""Some serve Fuzzy (chocolate, nuts) alone, some with others; two are Aces that he craves."""


def splits(pool: list[str], *sizes: int) -> Iterator[tuple[frozenset[str], ...]]:
    """Yield every way to deal desserts to hands of these sizes."""
    if not sizes:
        yield ()
        return
    for hand in itertools.combinations(pool, sizes[0]):
        for others in splits([name for name in pool if name not in hand], *sizes[1:]):
            yield frozenset(hand), *others


def hands_of(table: np.void, *players: int) -> tuple[frozenset[str], ...]:
    """Return the hands of players."""
    return tuple(
        frozenset(DESSERTS[card] for card in np.flatnonzero(table["dessert"] == player))
        for player in players
    )


def asked_of(table: np.void) -> tuple[int, int]:
    """Return what is asked, and whom."""
    return int(table["phase"]), int(table["current_player"])


def at(config: Config, sizes: tuple[int, ...], few: str = FEW, **position: Any) -> tuple[Any, Any]:
    """Return a table, and the desserts that player 0 does not see.

    Args:
        config: the variant.
        sizes: of the hands of the players 1, 2, ..., dealt in order.
        few: all desserts that are not dirty, but for player 0's, which is Baklava.
        **position: as for `study`.
    """
    pool = [name.strip() for name in few.split(",")]
    rest, hands = list(pool), [["Baklava"]]
    for size in sizes:
        hands.append(rest[:size])
        rest = rest[size:]
    dealt = seated(config, study(config, hands, pile=rest, **position))
    return dealt.state[0].copy(), pool


def test_hands_are_dealt_uniformly() -> None:
    """In the own steal phase nothing is known but how many desserts each holds."""
    table, pool = at(THREE, (2, 1))
    deals = splits(pool, 2, 1)
    resampling.assert_as_counted(GAME, THREE, table, 0, deals, lambda t: hands_of(t, 1, 2))


def test_whoever_freshens_up_looks_as_if_it_did_not_yet() -> None:
    table, pool = at(THREE, (2, 1), active=1)
    outcomes = itertools.product(splits(pool, 2, 1), (STEAL, FRESHEN))
    resampling.assert_as_counted(
        *(GAME, THREE, table, 0, outcomes), lambda t: (hands_of(t, 1, 2), int(t["phase"]))
    )
    table, pool = at(THREE, (0, 2), active=1)  # there is nothing to discard
    outcomes = itertools.product(splits(pool, 0, 2), (STEAL,))
    resampling.assert_as_counted(
        *(GAME, THREE, table, 0, outcomes), lambda t: (hands_of(t, 1, 2), int(t["phase"]))
    )


@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize("variant", ["standard", "false_calls"])
def test_who_is_asked_is_as_likely_as_counted(variant: str, active: int) -> None:
    """Every deal with everyone who may be asked, if it can serve; then every order of calls."""
    config = Config(players=3, false_calls=variant == "false_calls")
    hands = "Peanut butter cups, Pound cake, Walnut brownies, Yellow cake, Fudge, Peanut brittle"
    table, pool = at(
        *(config, (2, 1), hands),
        **({"phase": "claim"} if active == 1 else {"phase": "call", "call_order": [1, 2]}),
        active=active,
        guest="Fuzzy",
    )
    weights: Counter[Any] = Counter()
    for dealt in splits(pool, 2, 1):
        for asked in (1, 2):
            if servings(dealt[asked - 1], "Fuzzy") or (config.false_calls and asked != active):
                orders = list(itertools.permutations({0, 1, 2} - {active}))
                for order in [(NONE, NONE)] if asked == active else orders:
                    place = 0 if asked == active else order.index(asked)
                    phase = CLAIM if asked == active else CALL
                    weights[dealt, phase, asked, order, place] += 2 if asked == active else 1
    resampling.assert_as_counted(
        *(GAME, config, table, 0, weights),
        lambda t: (
            hands_of(t, 1, 2),
            *asked_of(t),
            tuple(t["call_order"].tolist()),
            int(t["num_asked"]),
        ),
        draws=12_000,
    )


def test_the_order_of_calls_is_hidden_from_who_is_asked() -> None:
    config = Config(players=4)
    hands = "Fudge, Peanut brittle, Yellow cake"
    table, _ = at(config, (1, 1, 1), hands, phase="call", call_order=[0, 2, 3], active=1,
                  guest="Bob Fruitcake", asked=[])  # fmt: skip
    orders = itertools.permutations((0, 2, 3))
    resampling.assert_as_counted(
        *(GAME, config, table, 0, ((order, order.index(0)) for order in orders)),
        lambda t: (tuple(t["call_order"].tolist()), int(t["num_asked"])),
    )


@pytest.mark.parametrize("order", ["random", "clockwise"])
def test_who_was_warned_in_the_first_turn_has_been_asked(order: str) -> None:
    """So it is not asked again, and the active player has declined (DE-6)."""
    config = Config(players=5, false_calls=True, call_order=order, first_player=0)
    dealt = tables(1, 3, config=config)
    table = dealt.state[0].copy()
    table["phase"], table["warned"][2], table["turn"] = CALL, 1, 0
    table["call_order"], table["num_asked"], table["current_player"] = [1, 2, 3, 4], 2, 3
    orders = list(itertools.permutations((1, 2, 3, 4))) if order == "random" else [(1, 2, 3, 4)]
    weights = Counter(
        (asked, calls, calls.index(asked))
        for asked, calls in itertools.product((1, 3), orders)  # player 4 is the viewer
        if calls.index(asked) > calls.index(2)
    )
    state = np.array([table])
    if order == "clockwise":
        ((asked, calls, place),) = weights
        (table,) = resampling.resampled(GAME, config, state, 4, 1)
        assert (int(table["current_player"]), tuple(table["call_order"])) == (asked, calls)
        assert table["num_asked"] == place
        return
    resampling.assert_as_counted(
        *(GAME, config, table, 4, weights),
        lambda t: (
            int(t["current_player"]),
            tuple(t["call_order"].tolist()),
            int(t["num_asked"]),
        ),
    )


@pytest.mark.parametrize(
    ("guest", "laid", "size"), [("Fuzzy", [], 3), ("Fuzzy", ["Fudge"], 2), ("Mojo", [], 4)]
)
def test_who_serves_can(guest: str, laid: list[str], size: int) -> None:
    """All hands that hold a serving that goes on from what is laid down are as likely (DE-2)."""
    few = f"{FEW}, Ice cream cone, Hot fudge sundae, Cherry pie"
    few = ", ".join(name for name in few.split(", ") if name not in laid)
    pool = few.split(", ")
    good = [hand for (hand,) in splits(pool, size) if goes_on(hand, guest, laid)]
    order = sorted(pool, key=lambda name: name not in good[0])
    table, _ = at(
        *(THREE, (size, 2), ", ".join(order)),
        phase="serve",
        guest=guest,
        chosen=laid,
        active=2,
        to_act=1,
    )
    weights = Counter(
        (hand, other)
        for hand in good
        for (other,) in splits([name for name in pool if name not in hand], 2)
    )
    resampling.assert_as_counted(
        *(GAME, THREE, table, 0, weights), lambda t: hands_of(t, 1, 2), draws=30_000
    )


def goes_on(hand: Any, guest: str, laid: list[str], spare: int = 0) -> bool:
    """Return whether a hand completes a serving that begins with what is laid down."""
    return any(
        list(serving[: len(laid)]) == laid
        and set(serving[len(laid) :]) <= set(hand)
        and len(serving) + spare <= len(hand) + len(laid)
        for serving in servings([*hand, *laid], guest)
    )


def test_a_serving_that_few_hands_hold() -> None:
    """Where dealing again takes too long, the hands are counted; all are as likely still."""
    useless = [name for name in DESSERTS if not servings([name], "Fuzzy")]
    pool = ["Peanut butter cups", "Walnut brownies", *useless[:28]]
    good = [name for name in pool if servings([name], "Fuzzy")]
    assert len(good) == 2
    common = {"phase": "serve", "guest": "Fuzzy", "active": 2, "to_act": 1}
    table, _ = at(THREE, (1, 2), ", ".join(pool), **common)
    resampling.assert_as_counted(GAME, THREE, table, 0, good, lambda t: min(*hands_of(t, 1)))
    claim = {"phase": "claim", "guest": "Fuzzy", "active": 1}
    table, _ = at(THREE, (1, 1), ", ".join(pool), **claim)
    weights = Counter((player, name) for player in (1, 2) for name in good)
    resampling.assert_as_counted(
        *(GAME, THREE, table, 0, weights),
        lambda t: (int(t["current_player"]), min(*hands_of(t, int(t["current_player"])))),
    )


# -- Thefts ------------------------------------------------------------------------------------

THEFT_FROM_2 = {"guests": ["", "", "Fuzzy"], "target": "Fuzzy", "serving": "steal"}


def stops(hand: Any) -> bool:
    """Return whether a hand has an Ace that keeps Fuzzy from being stolen (DE-8)."""
    return bool({"Fudge", "Peanut brittle"} & set(hand))


def test_a_thief_that_waits_knows_of_an_ace() -> None:
    """The owner is asked, so it holds one of the Aces that fit (DE-8)."""
    few = "Fudge, Yellow cake, Pound cake, Peanut brittle, Cherry pie"
    pool = few.split(", ")
    guests = ["", "Fuzzy"]
    mine = ["Walnut brownies", "Baklava"]
    position = study(
        *(THREE, [mine, pool[:2], pool[2:3]], guests),
        phase="stop", target="Fuzzy", pile=pool[3:],
    )  # fmt: skip
    table = seated(THREE, position).state[0].copy()
    deals = [hands for hands in splits(pool, 2, 1) if stops(hands[0])]
    resampling.assert_as_counted(GAME, THREE, table, 0, deals, lambda t: hands_of(t, 1, 2))


@pytest.mark.parametrize("phase", ["stop", "serve"])
def test_others_cannot_tell_whether_the_owner_is_asked(phase: str) -> None:
    """Every deal in which the thief can pay, with what may be asked at it, is as likely."""
    few = "Walnut brownies, Fudge, Pound cake, Peanut brittle, Yellow cake, Baklava"
    pool = few.split(", ")
    position = study(
        *(THREE, [["Cheesecake"], [pool[0], pool[2]], pool[1:2]], ["", "", "Fuzzy"]),
        active=1, phase=phase, target="Fuzzy", serving="steal", pile=pool[3:],
    )  # fmt: skip
    table = seated(THREE, position).state[0].copy()
    weights: Counter[Any] = Counter()
    for thief, owner in splits(pool, 2, 1):
        if goes_on(thief, "Fuzzy", [], spare=1):
            weights[(thief, owner), (SERVE, 1)] += 1
            if stops(owner):
                weights[(thief, owner), (STOP, 2)] += 1
    resampling.assert_as_counted(
        *(GAME, THREE, table, 0, weights), lambda t: (hands_of(t, 1, 2), asked_of(t))
    )


@pytest.mark.parametrize("phase", ["stop", "serve"])
def test_the_owner_knows_that_the_thief_can_pay(phase: str) -> None:
    """Bribe included (DE-8)."""
    few = "Walnut brownies, Fudge, Pound cake, Peanut brittle, Yellow cake, Almond torte"
    pool = [name for name in few.split(", ") if name in DESSERTS]
    position = study(
        *(THREE, [["Baklava", "Peanut butter cups"], [pool[0], pool[2]], pool[1:2]], ["Fuzzy"]),
        active=1, phase=phase, target="Fuzzy", serving="steal", pile=pool[3:],
    )  # fmt: skip
    table = seated(THREE, position).state[0].copy()
    deals = [hands for hands in splits(pool, 2, 1) if goes_on(hands[0], "Fuzzy", [], spare=1)]
    resampling.assert_as_counted(
        *(GAME, THREE, table, 0, ((hands, asked_of(table)) for hands in deals)),
        lambda t: (hands_of(t, 1, 2), asked_of(t)),
    )


# -- Counting ----------------------------------------------------------------------------------


@kernel_of(resample, rules, cards)
def count_hands(streams, pool, guest, start, first, second, more, size, hands):
    """Deal one hand for each stream by counting."""
    for i in range(streams.shape[0]):
        desserts = pool[0], pool[1]
        hand = deal_by_count(streams[i], desserts, guest, start, first, second, more, size)
        hands[i, 0], hands[i, 1] = hand[0], hand[1]


@pytest.mark.parametrize(
    ("guest", "laid", "size", "more"),
    [("Mojo", [], 4, 3), ("Bob Fruitcake", [], 3, 2), ("Mojo", ["Chocolate fondue"], 3, 2)],
)
def test_hands_are_counted_right(guest: str, laid: list[str], size: int, more: int) -> None:
    """Of guests with the most tastes, with one dessert laid down or none."""
    names = list(GUESTS)
    useful = [d for d in DESSERTS if cards.TASTE[names.index(guest), DESSERTS.index(d)]]
    pool = [*useful[:: max(1, len(useful) // 10)][:10], "Cheesecake", "Napoleon"]
    pool = sorted({*pool} - {*laid}, key=DESSERTS.index)
    numbers = [DESSERTS.index(name) for name in pool]
    packed = cards.pack(np.isin(np.arange(len(DESSERTS)), numbers))
    start = DESSERTS.index(laid[-1]) + 1 if laid else 0
    first = int(cards.TASTE[names.index(guest), DESSERTS.index(laid[0])]) if laid else 0
    good = [
        hand
        for (hand,) in splits(pool, size)
        if any(
            list(serving[: len(laid)]) == laid
            and set(serving[len(laid) :]) <= hand
            and len(serving) <= more + len(laid)
            for serving in servings([*hand, *laid], guest)
        )
    ]
    assert 0 < len(good) < len(list(splits(pool, size)))
    hands = np.zeros((20_000, 2), np.int64)
    count_hands(
        *(rng.streams(3, len(hands)), np.array(packed, np.int64), names.index(guest)),
        *(start, first, 0, more, size, hands),
    )
    drawn = [
        frozenset(n for n in pool if (h[0] | h[1] << HALF) >> DESSERTS.index(n) & 1)
        for h in hands.tolist()
    ]
    assert_as_likely(drawn, {hand: 1 / len(good) for hand in good})


# -- What contradicts itself -------------------------------------------------------------------

CONTRADICTIONS: dict[str, dict[str, Any]] = {
    "no such place": {"dessert": -9},
    "no such player holds it": {"dessert": 4},
    "no such phase": {"phase": 8},
    "no such player": {"current_player": 4},
    "nobody's turn": {"active": -1},
    "no guest to serve": {"phase": SERVE, "serving": NEW_GUEST},
    "a guest of nobody stolen": {"phase": STOP, "serving": THEFT, "target": 3},
    "a bribe without a theft": {"phase": BRIBE, "serving": NEW_GUEST, "target": 3},
    "laid down in the steal phase": {"phase": STEAL, "dessert": CHOSEN},
    "no guest to claim": {"phase": CLAIM, "new_guest": NONE},
    "nothing to discard": {"phase": FRESHEN, "dessert": -2},
}


@pytest.mark.parametrize("what", CONTRADICTIONS)
def test_what_contradicts_itself_is_refused(what: str) -> None:
    config = VARIANTS["standard"]
    dealt = tables(3, 1, config=config)
    state = dealt.state.copy()
    for name, value in CONTRADICTIONS[what].items():
        state[name][1] = value
    dealt.state[:] = state
    for viewer in range(4):
        with pytest.raises(ImpossiblePositionError, match=f"table 1: .*player_{viewer} knows"):
            dealt.resample(viewer, 5)
        assert np.array_equal(dealt.state, state)


def test_a_serving_that_nobody_can_hold_is_refused() -> None:
    """Who serves holds what that takes; here all of it is dirty."""
    table, _ = at(
        *(THREE, (3, 1), "Peanut butter cups, Yellow cake, Pound cake, Cheesecake"),
        phase="serve", guest="Fuzzy", active=2, to_act=1,
    )  # fmt: skip
    table["dessert"][DESSERTS.index("Peanut butter cups")] = -2
    dealt = resampling.at(GAME, THREE, np.array([table]))
    with pytest.raises(ImpossiblePositionError, match="player_0 knows contradicts itself"):
        dealt.resample(0, 1)


def test_who_is_asked_in_vain_may_hold_anything() -> None:
    """A position may ask an owner without an Ace, or who cannot serve; it is taken as it is."""
    config = Config(players=3)
    hands = [["Walnut brownies", "Baklava"], ["Yellow cake"], ["Pound cake"]]
    stop = study(config, hands, ["", "Fuzzy"], phase="stop", target="Fuzzy", pile="Cheesecake")
    call = study(config, hands, phase="call", guest="Fuzzy", pile="Cheesecake")
    for position in (stop, call):
        seen = resampling.resampled(GAME, config, seated(config, position).state, 0, 4)
        assert asked_of(seen[0])[0] in (STOP, CALL)
        resampling.assert_legal(GAME, config, seen)
