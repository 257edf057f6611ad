"""The rulebook's examples, the worked examples of the design, and each ruling, in words."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from greasy_spoon_env import GAME, Config, tables
from greasy_spoon_env.actions import parse_item
from greasy_spoon_env.cards import ITEMS, TYPES
from waiter_envs.core.tables import Tables

from .playing import (
    DECK,
    VARIANTS,
    facing,
    holding,
    legal_actions,
    play,
    seated,
    server,
    sizes_of,
    study,
)

ONE = VARIANTS["best_of_1"]
THREE = VARIANTS["best_of_3"]
FIVE = VARIANTS["best_of_5"]
NO_RECALL = VARIANTS["best_of_1_no_recall"]

HAND = "K1 K1 M2 R2 K3 M3 M4 K5 R5 R6 R6"
"""A hand of 11 that makes something of every category."""

SUITS, RANKS = "KMR", range(1, 7)

DRINKS = {f"{suit}{rank}" for suit in SUITS for rank in RANKS}
FANCY_FRIES = {f"{suit}{rank} {suit}{rank}" for suit in SUITS for rank in RANKS}
FANCY_BURGERS = {f"{suit}{rank} {suit}{rank} {suit}{rank}" for suit in SUITS for rank in RANKS}


def fancy_rings(*tops: int) -> set[str]:
    """Return the Fancy Rings whose higher card has one of these ranks."""
    return {f"{suit}{top - 1} {suit}{top}" for suit in SUITS for top in tops}


def fancy_dogs(*tops: int) -> set[str]:
    """Return the Fancy Dogs whose highest card has one of these ranks."""
    return {f"{suit}{top - 2} {suit}{top - 1} {suit}{top}" for suit in SUITS for top in tops}


def served(dealt: Tables) -> set[str]:
    """Return the dishes and halves that may be served at the only table."""
    return {
        text.removeprefix("serve ") for text in legal_actions(dealt) if text.startswith("serve ")
    }


def completions(dish: str | None, half: str) -> set[str]:
    """Return what completes a first half facing a dish, with a whole deck in hand."""
    dealt = facing(ONE, [dish])
    dealt.step([GAME.text_to_action(dealt.state[0], f"serve {half}")])
    return served(dealt)


def at(config: Config, mine: dict[str, Any], dish: str | None = None, **changes: Any) -> Tables:
    """Return a table where player 0 leads or faces a dish, and player 1 has one card."""
    return seated(config, study(config, mine, server(dish), dish=dish, **changes))


# -- The rulebook's tables and examples --------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "item"),
    [
        ("Soda", "K2"),
        ("Rings", "M3 R4"),
        ("Fries", "K6 R6"),
        ("Fancy Rings", "M5 M6"),
        ("Fancy Fries", "K1 K1"),
        ("Hot Dog", "M1 R2 R3"),
        ("Cheeseburger", "K5 K5 R5"),
        ("Fancy Dog", "R3 R4 R5"),
        ("Fancy Burger", "M2 M2 M2"),
    ],
)
def test_rows_of_the_menu(kind: str, item: str) -> None:
    """Every example of the menu is an item of its type, and can be served."""
    entry = ITEMS[parse_item(item)]
    assert TYPES[entry.category][entry.type] == kind
    dealt = seated(ONE, study(ONE, holding(f"{item} R1"), holding("M6 M6 M6 K6")))
    assert play(dealt, f"serve {item}")["players"][0]["hand"] == ["R1"]


@pytest.mark.parametrize(
    ("main", "second", "with_what"),
    [("M4 K5 R6", "M2", "drink"), ("K5 K5 R5", "M1 R1", "side")],
)
def test_rows_of_the_combinations(main: str, second: str, with_what: str) -> None:
    """The menu's Combo 1 and Combo 2, served by halves and then one dish."""
    other = holding("M6 M6 M6 R2 R2")  # may answer either
    dealt = seated(ONE, study(ONE, holding(f"{main} {second} K1 K1"), other))
    half = play(dealt, f"serve {main} + {with_what}")
    assert half["pending"] == {"main": main, "with": with_what}
    assert (half["phase"], half["to_act"], half["dish"]) == ("complete", 0, None)
    after = play(dealt, f"serve {second}")
    assert after["dish"] == f"{main} + {second}"
    assert (after["phase"], after["to_act"], after["pending"]) == ("serve", 1, None)
    assert after["players"][0]["hand"] == ["K1", "K1"]


def test_beating_a_combo_1() -> None:
    """The three ways to beat a Fancy Dog 1-2-3 with a Drink 5, and no other."""
    dish = "R1 R2 R3 + M5"
    mains = fancy_dogs(3, 4, 5, 6) | FANCY_BURGERS
    assert served(facing(ONE, [dish])) == {f"{main} + drink" for main in mains}
    for main in fancy_dogs(4, 5, 6) | {"K1 K1 K1", "R6 R6 R6"}:
        own = {main.split()[0]} if main in FANCY_BURGERS else set()
        assert completions(dish, f"{main} + drink") == DRINKS - own
    for main in fancy_dogs(3):
        assert completions(dish, f"{main} + drink") == {"K6", "M6", "R6"}


def test_beating_a_combo_2() -> None:
    """The three ways to beat a Fancy Dog 1-2-3 with Fancy Rings 4-5, and no other."""
    dish = "R1 R2 R3 + K4 K5"
    mains = fancy_dogs(3, 4, 5, 6) | FANCY_BURGERS
    assert served(facing(ONE, [dish])) == {f"{main} + side" for main in mains}
    for main in fancy_dogs(4, 5, 6):
        assert len(completions(dish, f"{main} + side")) == 81
    assert len(completions(dish, "M5 M5 M5 + side")) == 81 - 9  # no M5 is left
    for main in fancy_dogs(3):
        assert completions(dish, f"{main} + side") == fancy_rings(6) | FANCY_FRIES


EACH_KIND = {
    "drink": "K1",
    "side": "K1 M2",
    "main": "K1 M2 R3",
    "combo_1": "K1 M2 R3 + K1",
    "combo_2": "K1 M2 R3 + K1 M2",
}
"""The cheapest dish of each kind."""


@pytest.mark.parametrize("kind", EACH_KIND)
def test_every_kind_against_every_other(kind: str) -> None:
    """However cheap a dish, only its own kind answers it."""
    mask = facing(ONE, [EACH_KIND[kind]]).action_mask[0]
    offered = {
        block.name
        for block in GAME.action_blocks(ONE)
        if mask[block.start : block.start + block.size].any()
    }
    assert offered == {kind, "pass"}


@pytest.mark.parametrize(
    ("low", "equal", "high"),
    [
        (("K2 M3", "K2 M2", "K2 K3", "K3 K3"), ("M3 R4", "M3 R3", "R3 R4", "M4 M4"),
         ("K5 R6", "K5 R5", "M5 M6", "K5 K5")),
        (("K2 M3 R4", "K2 K2 M2", "K2 K3 K4", "K2 K2 K2"),
         ("M3 M4 R5", "K3 M3 R3", "M3 M4 M5", "R3 R3 R3"),
         ("R4 M5 R6", "M5 R5 R5", "R4 R5 R6", "M4 M4 M4")),
    ],
)  # fmt: skip
def test_explicitly(low: tuple[str, ...], equal: tuple[str, ...], high: tuple[str, ...]) -> None:
    """Each type of Side and of Main against each, at a lower, an equal and a higher rank."""
    for price, old in enumerate(equal):
        answers = served(facing(ONE, [old]))
        for others, beats_own_type in ((low, False), (equal, False), (high, True)):
            for other_price, new in enumerate(others):
                expected = other_price > price or (other_price == price and beats_own_type)
                assert (new in answers) == expected, f"{new} upon {old}"
        same_rank = " ".join(card.translate(str.maketrans("KMR", "MRK")) for card in old.split())
        rotated = " ".join(sorted(same_rank.split(), key=DECK.index))
        assert rotated not in answers


# -- The design's worked examples --------------------------------------------------------------


def test_three_cards_make_no_combination() -> None:
    """K1 K1 K1 and nothing else: no combination."""
    assert served(at(ONE, holding("K1 K1 K1"))) == {"K1", "K1 K1", "K1 K1 K1"}


def test_four_cards_make_a_combo_1() -> None:
    """K1 K1 K1 M6: a Combo 1, no Combo 2."""
    dealt = at(ONE, holding("K1 K1 K1 M6"))
    assert served(dealt) == {"K1", "M6", "K1 K1", "K1 K1 K1", "K1 K1 K1 + drink"}


def test_only_one_drink_completes() -> None:
    """The Main only matches, and only M6 completes: it is not asked, it happens."""
    dish = "R1 R2 R3 + M5"
    position = study(ONE, holding("K1 K2 K3 R5 M6"), holding("M2 M3 M4 K1"), dish=dish)
    dealt = seated(ONE, position)
    assert set(legal_actions(dealt)) == {"serve K1 K2 K3 + drink", "pass"}
    after = play(dealt, "serve K1 K2 K3 + drink")
    assert after["dish"] == "K1 K2 K3 + M6"
    assert after["players"][0]["hand"] == ["R5"]
    assert (after["to_act"], after["phase"]) == (1, "serve")


def test_combo_2_with_few_cards_left() -> None:
    """Hand 11, draw 2, backburner 3, a Combo 2 served: hand 11, all piles empty."""
    dealt = at(ONE, holding("K1 K1 K1 M6 M6 R2 R2 R4 R4 K5 M5", 2, 3))
    after = play(dealt, ["serve K1 K1 K1 + side", "serve M6 M6"])
    assert sizes_of(after, 0) == (11, 0, 0)


def test_main_with_few_cards_left() -> None:
    """Hand 11, draw 3, backburner 4, a Main served: hand 11, draw 4, backburner 0."""
    dealt = at(ONE, holding("K1 K1 K1 M6 M6 R2 R2 R4 R4 K5 M5", 3, 4))
    assert sizes_of(play(dealt, "serve K1 K1 K1"), 0) == (11, 4, 0)


def test_three_set_aside_with_three_to_draw() -> None:
    """Hand 11, draw 3, backburner 0, three set aside: hand 11, draw 3, backburner 0."""
    dealt = at(ONE, holding(HAND, "M6 M6 M6"), "K2")
    after = play(dealt, ["pass", "stash K1", "stash K1", "stash R6"])
    assert sizes_of(after, 0) == (11, 3, 0)
    assert after["players"][0]["draw"] == ["K1", "K1", "R6"]
    assert after["players"][0]["hand"][-4:] == ["M6", "M6", "M6", "R6"]


def test_out_in_the_middle_of_a_round() -> None:
    """Draw pile and backburner empty, last card served: out."""
    dealt = seated(ONE, study(ONE, holding("K4"), holding(HAND, 5, 5), dish="K3"))
    after = play(dealt, "serve K4")
    assert (after["phase"], after["winner"], after["dish"]) == ("over", 0, "K4")
    assert sizes_of(after, 1) == (11, 5, 5)
    assert dealt.terminated[0]
    assert dealt.rewards[0].tolist() == [1, -1]


def test_a_pass_does_not_end_the_game() -> None:
    """Hand K1, no piles, facing a Soda 3: pass, and K1 is still in hand."""
    dealt = seated(ONE, study(ONE, holding("K1"), holding("K2 K4"), dish="K3"))
    assert set(legal_actions(dealt)) == {"pass"}
    after = play(dealt, "pass")
    assert (after["phase"], after["winner"], after["to_act"]) == ("serve", None, 1)
    assert after["players"][0]["hand"] == ["K1"]


# -- The rulings, one by one -------------------------------------------------------------------


def test_gs1_the_dearest_type() -> None:
    """GS-1: two cards of one suit in sequence are Fancy Rings, three are a Fancy Dog."""
    assert "K1 K2" in served(at(ONE, holding("K1 K2"), "K6 R6"))
    assert "K1 K2 K3" in served(at(ONE, holding("K1 K2 K3"), "K6 K6 R6"))
    assert "M1 M1" in served(at(ONE, holding("M1 M1"), "R5 R6"))
    assert "M1 M1 M1" in served(at(ONE, holding("M1 M1 M1"), "R4 R5 R6"))


def test_gs1_halves_have_their_dearest_type_too() -> None:
    """GS-1: Fancy Rings are Fancy Rings also as half of a combination."""
    dish = "R1 R2 R3 + K5 R6"
    dealt = at(ONE, holding("K1 K2 K3 M1 M2"), dish)
    assert served(dealt) == {"K1 K2 K3 + side"}


def test_gs1_the_split_is_free() -> None:
    """GS-1: how five cards split into two halves is the player's choice."""
    dealt = at(ONE, holding("K1 K1 K1 K2 K3"))
    halves = {text for text in served(dealt) if "side" in text}
    assert halves == {"K1 K1 K1 + side", "K1 K2 K3 + side"}
    for half, second in (("K1 K1 K1 + side", "K2 K3"), ("K1 K2 K3 + side", "K1 K1")):
        dealt = at(ONE, holding("K1 K1 K1 K2 K3"))
        after = play(dealt, f"serve {half}")
        assert after["dish"] == f"{half.partition(' + ')[0]} + {second}"


def test_gs1_ranks_do_not_wrap() -> None:
    """GS-1: 6 and 1 are not in sequence."""
    dealt = at(ONE, holding("K1 K5 K6"))
    assert served(dealt) == {"K1", "K5", "K6", "K5 K6"}
    for text in ("serve K1 K6", "serve K1 K5 K6", "serve K1 K2 K6"):
        with pytest.raises(ValueError, match="no item of the menu"):
            GAME.text_to_action(dealt.state[0], text)


def test_gs2_equal_does_not_beat() -> None:
    """GS-2: suits never compare, and the highest card of a sequence counts."""
    mine = holding("K3 M3 R3 K4 M4 R4")
    assert served(at(ONE, mine, "R3")) == {"K4", "M4", "R4"}
    assert not served(at(ONE, holding("K3 M4"), "M3 R4"))
    assert served(at(ONE, holding("K3 M4 R5"), "M3 R4")) == {"M4 R5"}


def test_gs3_the_main_decides() -> None:
    """GS-3: a better Main beats whatever the rest; an equal one needs a better rest."""
    dish = "K2 M2 R2 + R6 R6"
    better = at(ONE, holding("K3 M3 R3 K1 M2"), dish)
    assert served(better) == {"K3 M3 R3 + side"}
    assert not served(at(ONE, holding("K2 K2 R2 M6 M6"), dish))
    assert not served(at(ONE, holding("K1 K1 R1 M6 M6"), dish))
    dish = "K2 M2 R2 + R5 R5"
    assert served(at(ONE, holding("K2 K2 R2 M6 M6"), dish)) == {"K2 K2 R2 + side"}


def test_gs3_nothing_crosses() -> None:
    """GS-3: neither another kind of combination nor a dear item answers."""
    mine = holding("K6 K6 K6 M6 M6")
    mains = {"K6 K6 K6", "K6 K6 M6", "K6 M6 M6"}
    assert served(at(ONE, mine, "K1 M2 R3")) == mains
    assert served(at(ONE, mine, "K1 M2 R3 + K1")) == {f"{main} + drink" for main in mains}
    assert served(at(ONE, mine, "K1 M2 R3 + K1 M2")) == {f"{main} + side" for main in mains}


def test_gs4_leading_and_passing() -> None:
    """GS-4: who leads must serve; who faces a dish may pass; the other has won and leads."""
    position = study(ONE, holding(HAND, 9), holding(HAND, 9))
    dealt = seated(ONE, position)
    assert "pass" not in legal_actions(dealt)
    after = play(dealt, "serve K1")
    assert (after["to_act"], after["leader"], after["dish"]) == (1, 0, "K1")
    assert "pass" in legal_actions(dealt)
    after = play(dealt, "serve M2")
    assert (after["to_act"], after["leader"], after["dish"]) == (0, 0, "M2")
    after = play(dealt, ["pass", "done"])
    assert (after["to_act"], after["leader"], after["dish"]) == (1, 1, None)
    assert "pass" not in legal_actions(dealt)
    after = play(dealt, ["serve R2", "pass", "done"])
    assert (after["to_act"], after["leader"], after["dish"]) == (1, 1, None)


def test_gs5_refill_at_once() -> None:
    """GS-5: the hand is refilled before the opponent's turn."""
    dealt = seated(ONE, study(ONE, holding(HAND, "M6 M6 M6 K2"), holding(HAND, 9)))
    after = play(dealt, "serve K1 K1")
    assert (after["to_act"], sizes_of(after, 0)) == (1, (11, 2, 0))


def test_gs6_nothing_is_drawn_before_it_ends() -> None:
    """GS-6: cards set aside are one event; then the hand is refilled, also from them."""
    dealt = seated(ONE, study(ONE, holding(HAND, 1, 2), holding(HAND, 9), dish="K2"))
    assert sizes_of(play(dealt, "pass"), 0) == (11, 1, 2)
    assert sizes_of(play(dealt, "stash K1"), 0) == (10, 1, 3)
    half = play(dealt, "stash K1")
    assert (sizes_of(half, 0), half["stashed"], half["last_stashed"]) == ((9, 1, 4), 2, "K1")
    assert (half["phase"], half["to_act"], half["leader"]) == ("stash", 0, 1)
    after = play(dealt, "stash R5")  # draws 1, then 2 of 5
    assert (sizes_of(after, 0), after["phase"], after["to_act"]) == ((11, 3, 0), "serve", 1)
    assert (after["stashed"], after["last_stashed"], after["set_aside"]) == (0, None, [3, 0])


def test_gs6_ascending_order() -> None:
    """GS-6: equal cards may follow, lower ones not."""
    dealt = at(ONE, holding("K1 K1 K1 M2 R2 K3 M3 M4 K5 R5 R6", 9), "K2")
    play(dealt, "pass")
    every = {"K1", "M2", "R2", "K3", "M3", "M4", "K5", "R5", "R6"}
    assert set(legal_actions(dealt)) == {"done"} | {f"stash {card}" for card in every}
    play(dealt, "stash M3")
    left = {"M4", "K5", "R5", "R6"}
    assert set(legal_actions(dealt)) == {"done"} | {f"stash {card}" for card in left}


@pytest.mark.parametrize(
    ("actions", "number"),
    [(["done"], 0), (["stash R6"], 1), (["stash M5", "stash R6"], 2), (["stash M5", "done"], 1)],
)
def test_gs6_how_it_ends(actions: list[str], number: int) -> None:
    """GS-6: by choice, or by itself when no card may follow."""
    mine = holding("K1 K1 M1 R2 R2 M3 M3 M4 M4 M5 R6", 9)
    position = study(ONE, mine, holding(HAND, 9), dish="K2", set_aside=[2, 1])
    after = play(seated(ONE, position), ["pass", *actions])
    assert (after["phase"], after["to_act"], after["set_aside"]) == ("serve", 1, [number, 1])
    assert sizes_of(after, 0) == (11, 9 - number, number)


def test_gs6_not_asked_without_a_draw_pile() -> None:
    """GS-6: with an empty draw pile nothing is set aside."""
    position = study(ONE, holding(HAND), holding(HAND, 9), dish="K2", set_aside=[2, 2])
    after = play(seated(ONE, position), "pass")
    assert (after["phase"], after["to_act"], after["set_aside"]) == ("serve", 1, [0, 2])
    assert sorted(after["players"][0]["hand"]) == sorted(HAND.split())


@pytest.mark.parametrize(
    ("piles", "left"),
    [((2, 4), (11, 3, 0)), ((3, 4), (11, 4, 0)), ((4, 4), (11, 1, 4)), ((3, 0), (11, 0, 0)),
     ((1, 1), (10, 0, 0)), ((1, 2), (11, 0, 0)), ((1, 0), (9, 0, 0))],
)  # fmt: skip
def test_gs7_the_backburner_becomes_the_draw_pile(
    piles: tuple[int, int], left: tuple[int, int, int]
) -> None:
    """GS-7: the moment the draw pile is empty, also when that was the last card needed."""
    mine = holding("K1 K1 K1 M6 M6 R2 R2 R4 R4 K5 M5", *piles)
    dealt = seated(ONE, study(ONE, mine, holding("R6 K2 K3")))
    assert sizes_of(play(dealt, "serve K1 K1 K1"), 0) == left


def test_gs7_the_draw_pile_comes_first() -> None:
    """GS-7: what is on the backburner is drawn only after the draw pile."""
    mine = holding("K1 K1 K1 M6 M6 R2 R2 R4 R4 K5 M5", "R6 R6", "K2 M2 K3 M3")
    for seed in range(20):
        dealt = seated(ONE, study(ONE, mine, holding("R6 K2 K3")))
        state = dealt.state.copy()  # the stream alone decides what comes
        state["rng"] += np.uint64(seed)
        dealt.state = state
        after = play(dealt, "serve K1 K1 K1")["players"][0]
        assert Counter(after["hand"])["R6"] == 2
        drawn = Counter(["K2", "M2", "K3", "M3"]) - Counter(after["draw"])
        assert sum(drawn.values()) == 1


def test_gs8_recall() -> None:
    """GS-8: at the start of a turn, leading or not, once; the turn goes on."""
    for dish in (None, "K2"):
        mine = holding(HAND, "M6 M6", "R1 R1 R2")
        dealt = seated(ONE, study(ONE, mine, holding(HAND, 9), dish=dish))
        assert "recall" in legal_actions(dealt)
        after = play(dealt, "recall")
        assert sorted(after["players"][0]["draw"]) == ["M6", "M6", "R1", "R1", "R2"]
        assert sizes_of(after, 0) == (11, 5, 0)
        assert after["players"][0]["hand"] == HAND.split()
        assert (after["to_act"], after["phase"], after["dish"]) == (0, "serve", dish)
        assert after["recalled"] == [True, False]
        assert "recall" not in legal_actions(dealt)


def test_gs8_when_not() -> None:
    """GS-8: not between the halves, not while setting aside, not without a backburner."""
    mine = holding("K1 K1 K1 M6 M6 R2 R2 R4 R4 K5 M5", 4, 4)
    other = holding(HAND, 9)
    dealt = seated(ONE, study(ONE, mine, other))
    play(dealt, "serve K1 K1 K1 + drink")
    assert "recall" not in legal_actions(dealt)
    dealt = seated(ONE, study(ONE, mine, other, dish="K2"))
    assert "recall" in legal_actions(dealt)
    play(dealt, "pass")
    assert "recall" not in legal_actions(dealt)
    play(dealt, "stash K1")
    assert "recall" not in legal_actions(dealt)
    dealt = seated(ONE, study(ONE, holding(HAND, 4), other))
    assert "recall" not in legal_actions(dealt)


def test_gs8_a_variant_without() -> None:
    """GS-8: recall is an option of the variant."""
    dealt = seated(NO_RECALL, study(NO_RECALL, holding(HAND, 4, 4), holding(HAND, 9)))
    assert "recall" not in legal_actions(dealt)


def test_gs9_only_after_a_whole_dish() -> None:
    """GS-9: with the last five cards a combination goes out, and its first half does not."""
    dealt = seated(ONE, study(ONE, holding("K1 K1 K1 K2 K2 M2"), holding(HAND, 9)))
    half = play(dealt, "serve K1 K1 K1 + side")
    assert (half["phase"], half["winner"]) == ("complete", None)
    assert play(dealt, "serve K2 K2")["winner"] is None
    dealt = seated(ONE, study(ONE, holding("K1 K1 K1 K2 K2"), holding(HAND, 9)))
    after = play(dealt, "serve K1 K1 K1 + side")  # only K2 K2 completes
    assert (after["phase"], after["winner"], after["dish"]) == ("over", 0, "K1 K1 K1 + K2 K2")
    assert after["players"][0]["served"] == DECK


def test_gs9_the_draw_pile_counts() -> None:
    """GS-9: nobody is out who refills; the last cards have to be served too."""
    mine = holding("K1 K1 K1 M6 M6 R2 R2 R4 R4 K5 M5", 1)
    dealt = seated(ONE, study(ONE, mine, holding(HAND, 9)))
    after = play(dealt, ["serve K1 K1 K1 + side", "serve M6 M6"])
    assert (sizes_of(after, 0), after["winner"]) == ((7, 0, 0), None)


@pytest.mark.parametrize("starter", [0, 1])
@pytest.mark.parametrize("winner", [0, 1])
def test_gs10_the_next_game(starter: int, winner: int) -> None:
    """GS-10: the starter alternates whoever won, and the next deal happens in the same step."""
    players = [holding(HAND, 5, 5), holding(HAND, 5, 5)]
    players[winner] = holding("K4")
    changes = {"dish": "K3", "to_act": winner, "leader": 1 - winner, "starter": starter}
    position = study(THREE, *players, set_aside=[2, 3], recalled=[False, False], **changes)
    dealt = seated(THREE, position)
    after = play(dealt, "serve K4")
    assert after["score"] == [int(winner == 0), int(winner == 1)]
    assert (after["games_played"], after["starter"], after["to_act"]) == (1,) + 2 * (1 - starter,)
    assert (after["phase"], after["leader"], after["dish"]) == ("serve", 1 - starter, None)
    assert (after["set_aside"], after["recalled"]) == ([0, 0], [False, False])
    for number, player in enumerate(after["players"]):
        assert sizes_of(after, number) == (11, 43, 0)
        assert sorted(player["hand"] + player["draw"]) == sorted(DECK)
        assert player["served"] == []
    assert not dealt.terminated[0]
    assert dealt.rewards[0].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("config", "score", "is_over"),
    [
        (THREE, [1, 0], True),
        (THREE, [1, 1], True),
        (THREE, [0, 1], False),
        (FIVE, [1, 2], False),
        (FIVE, [2, 0], True),
        (FIVE, [2, 2], True),
    ],
)
def test_gs10_the_match(config: Config, score: list[int], is_over: bool) -> None:
    """GS-10: the match ends as soon as one player has the majority."""
    changes = {"dish": "K3", "score": score, "games_played": sum(score)}
    dealt = seated(config, study(config, holding("K4"), holding(HAND, 5, 5), **changes))
    after = play(dealt, "serve K4")
    assert after["score"] == [score[0] + 1, score[1]]
    assert after["winner"] == (0 if is_over else None)
    assert (after["phase"] == "over") == dealt.terminated[0] == is_over
    assert dealt.rewards[0].tolist() == ([1, -1] if is_over else [0, 0])


def test_gs10_rewards_of_each_game() -> None:
    """GS-10: with reward="game" each game of the match is paid, once."""
    config = VARIANTS["paid_by_game"]
    position = study(config, holding(HAND, 5, 5), holding("K4"), to_act=1, dish="K3", score=[1, 0],
                     games_played=1)  # fmt: skip
    dealt = seated(config, position)
    play(dealt, "serve K4")
    assert dealt.rewards[0].tolist() == [-1, 1]
    play(dealt, next(iter(legal_actions(dealt))))
    assert dealt.rewards[0].tolist() == [0, 0]


@pytest.mark.parametrize("starter", [0, 1])
def test_gs10_the_first_starter(starter: int) -> None:
    """GS-10: the variant names the starter, or chance does."""
    dealt = tables(40, 3, config=Config(starter=starter))
    assert (dealt.state["starter"] == starter).all()
    assert (dealt.current_player == starter).all()
    by_chance = tables(40, 3, config=ONE).state["starter"]
    assert set(by_chance.tolist()) == {0, 1}


@pytest.mark.parametrize("half", ["K1 K1 K1 + drink", "K1 K1 K1 + side"])
@pytest.mark.parametrize("dish", [None, True])
def test_gs11_between_the_halves(half: str, dish: bool | None) -> None:
    """GS-11: no refill, no taking back, and the opponent sees not a bit of it."""
    mine = holding("K1 K1 K1 M6 M6 R2 R2 R4 R4 K5 M5", 4, 4)
    second = "K6" if "drink" in half else "K6 R6"
    old = f"K3 R4 M5 + {second}" if dish else None
    dealt = seated(ONE, study(ONE, mine, holding("K2 K2 K2"), dish=old))
    before = dealt.observe(1).copy()
    after = play(dealt, f"serve {half}")
    assert np.array_equal(dealt.observe(1), before)
    assert sizes_of(after, 0) == (8, 4, 4)
    assert after["to_act"] == 0
    assert {text.partition(" ")[0] for text in legal_actions(dealt)} == {"serve"}
    assert not {text for text in legal_actions(dealt) if "+" in text}


def seen(dealt: Tables, viewer: int, name: str) -> list[int]:
    """Return a field of what a player sees at the only table."""
    fields = {field.name: field for field in GAME.observation_fields(dealt.config)}
    field = fields[name]
    return dealt.observe(viewer)[0, field.start : field.start + field.size].tolist()


def thermometer(number: int, length: int) -> list[int]:
    """Return a number as so many 1s."""
    return [1] * number + [0] * (length - number)


def binary(number: int, length: int = 6) -> list[int]:
    """Return a number by its binary digits, lowest first."""
    return [number >> digit & 1 for digit in range(length)]


def test_gs12_what_is_public() -> None:
    """GS-12: sizes, what was served, set aside and recalled, and the dish by type and rank."""
    mine = holding(HAND, 5, 3)
    position = study(ONE, mine, holding("K2 K2 K2"), dish="M1 M2 M3 + K1 R2", set_aside=[2, 1])
    dealt = seated(ONE, position)
    after = play(dealt, "recall")
    for viewer in (0, 1):
        assert seen(dealt, viewer, "dish") == [0, 0, 0, 0, 1]
        assert seen(dealt, viewer, "dish_type") == [0, 0, 1, 0]  # Fancy Dog
        assert seen(dealt, viewer, "dish_rank") == [0, 0, 1, 0, 0, 0]
        assert seen(dealt, viewer, "second_type") == [1, 0, 0, 0]  # Rings
        assert seen(dealt, viewer, "second_rank") == [0, 1, 0, 0, 0, 0]
    assert seen(dealt, 0, "hand_size_1") == thermometer(3, 11)
    assert seen(dealt, 1, "hand_size_1") == thermometer(11, 11)
    assert seen(dealt, 1, "draw_size_1") == binary(8)
    assert seen(dealt, 1, "backburner_size_1") == binary(0)
    assert seen(dealt, 1, "set_aside_1") == thermometer(2, 3)
    assert seen(dealt, 1, "set_aside_0") == thermometer(1, 3)
    assert seen(dealt, 1, "recalled_1") == [1]
    assert seen(dealt, 1, "recalled_0") == [0]
    cards = Counter(after["players"][0]["served"])
    by_card = [thermometer(cards[card], 3) for card in DECK[::3]]
    assert seen(dealt, 1, "served_1") == [bit for row in by_card for bit in row]


def test_gs12_in_the_latest_turn() -> None:
    """GS-12: a recall is seen until that player's next turn, a number set aside for longer."""
    dealt = seated(ONE, study(ONE, holding(HAND, 5, 3), holding(HAND, 9), dish="K1"))
    assert play(dealt, ["recall", "serve K5"])["recalled"] == [True, False]
    after = play(dealt, ["pass", "stash K1", "done"])  # the next turn of player 0 begins
    assert (after["recalled"], after["set_aside"]) == ([False, False], [0, 1])
    assert (after["to_act"], after["leader"]) == (0, 0)
    assert play(dealt, "serve R6")["set_aside"] == [0, 1]
