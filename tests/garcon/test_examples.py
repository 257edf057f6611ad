"""The worked examples of the design, and each ruling GA-1 to GA-12, in words.

Player 0 is the first player and is to act, unless a test says otherwise.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

import numpy as np
import pytest

from garcon_env import GAME, Config, tables
from garcon_env.cards import dishes_of
from waiter_envs.core.tables import Tables

from .playing import (
    SMALL_MENU,
    SMALL_ORDERS,
    VARIANTS,
    feature,
    legal_actions,
    named,
    play,
    seated,
    shown_faces,
    study,
    styled_actions,
    waiter,
)

PLAIN = VARIANTS["rulebook"]
CLOCK = VARIANTS["clock"]
ANY = dataclasses.replace(PLAIN, complete="any")
SMALL = VARIANTS["small_deck"]
SMALL_CLOCK = dataclasses.replace(SMALL, clock=True, events={}, target=1)

ONE, TWO = "coffee", "coffee + soup"
TWO_OTHER = "tea + salad"
THREE = "coffee + salad + fruit tart"
FIVE = "coffee + lemonade + soup + omelette + pancakes"
FIVE_OTHER = "tea + orange juice + salad + steak + fruit tart"


def dishes(text: str) -> list[str]:
    """Return the dishes of an order."""
    return text.split(" + ")


def at(config: Config, *players: dict[str, Any], **changes: Any) -> Tables:
    """Return a table at a study."""
    return seated(config, study(config, *players, **changes))


def verbs(dealt: Tables) -> set[str]:
    """Return the kinds of action that are legal."""
    return {text.partition(" ")[0] for text in legal_actions(dealt)}


def options(dealt: Tables, verb: str) -> set[str]:
    """Return the legal actions of a kind."""
    return {text for text in legal_actions(dealt) if text.partition(" ")[0] == verb}


def points(position: dict[str, Any]) -> list[int]:
    """Return the points of all players."""
    return [player["points"] for player in position["players"]]


# -- The design's worked examples --------------------------------------------------------------


def test_second_order_named_wrong() -> None:
    """The first order scores, the second is discarded with its Repeat."""
    dealt = at(PLAIN, waiter(TWO, f"{TWO_OTHER}*2"))
    half = play(dealt, ["complete 0", *named(TWO)])
    assert (half["phase"], half["naming"]) == ("naming", {"order": 0, "said": []})
    after = play(dealt, named("tea + sandwich"))
    assert points(after) == [2, 0, 0, 0]
    assert after["players"][0]["completed"] == [{"face": dishes(TWO), "repeat": False}]
    assert after["players"][0]["open"] == []
    assert after["order_discards"] == [dishes(TWO_OTHER)]
    assert after["event_discards"] == {"repeat": 1, "notebook": 0, "leave": 0}
    assert (after["phase"], after["to_act"]) == ("turn", 1)


def test_repeat_on_three_dishes() -> None:
    """Six points, and the card stays with the order until the end."""
    config = dataclasses.replace(PLAIN, target=6)
    dealt = at(config, waiter(f"{THREE}*2"))
    after = play(dealt, ["complete 0", *named(THREE)])
    assert points(after) == [6, 0, 0, 0]
    while after["phase"] != "over":
        assert after["players"][0]["completed"] == [{"face": dishes(THREE), "repeat": True}]
        assert after["event_discards"]["repeat"] == 0
        after = play(dealt, "take 0")
    assert after["players"][0]["completed"] == [{"face": dishes(THREE), "repeat": True}]
    assert (after["winner"], after["turns_done"]) == (0, 44)


def test_notebook_on_two_dishes() -> None:
    """Completed without a naming decision, and the Notebook is in the discards."""
    dealt = at(PLAIN, waiter(f"{TWO}*n"))
    after = play(dealt, "complete 0")
    assert points(after) == [2, 0, 0, 0]
    assert after["players"][0]["completed"] == [{"face": dishes(TWO), "repeat": False}]
    assert after["event_discards"] == {"repeat": 0, "notebook": 1, "leave": 0}
    assert (after["phase"], after["to_act"]) == ("turn", 1)


def test_target_reached_by_the_first_player() -> None:
    """GA-7: every other player has one more turn."""
    dealt = at(PLAIN, waiter(THREE, completed=[FIVE]))
    after = play(dealt, ["complete 0", *named(THREE)])
    assert (points(after), after["final_round"]) == ([8, 0, 0, 0], True)
    for player in (1, 2, 3):
        assert (after["to_act"], after["phase"]) == (player, "turn")
        assert feature(dealt, player, "final_round") == [1]
        after = play(dealt, "take 0")
    assert (after["phase"], after["winner"], after["truncated"]) == ("over", 0, False)
    assert dealt.terminated[0]
    assert dealt.rewards[0].tolist() == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])


def test_target_reached_by_the_last_player() -> None:
    """GA-7: the game is over."""
    for first in range(4):
        last = (first - 1) % 4
        players = [waiter()] * 4
        players[last] = waiter(THREE, completed=[FIVE])
        dealt = at(PLAIN, *players, first_player=first, to_act=last, turns_done=43)
        after = play(dealt, ["complete 0", *named(THREE)])
        assert (after["phase"], after["winner"], after["turns_done"]) == ("over", last, 44)


def test_target_reached_with_the_first_of_three_orders() -> None:
    """GA-7: the other two are still named."""
    config = dataclasses.replace(PLAIN, target=3)
    dealt = at(config, waiter(ONE, THREE, "tea"))
    after = play(dealt, ["complete 1", *named(THREE)])
    assert (after["final_round"], after["phase"], points(after)[0]) == (True, "choose", 3)
    assert set(legal_actions(dealt)) == {"complete 0", "complete 1"}
    after = play(dealt, ["complete 1", "name tea", "name coffee"])
    assert (points(after)[0], after["to_act"], after["phase"]) == (5, 1, "turn")


def test_two_players_on_nine() -> None:
    """GA-7: a draw, and all rewards are 0."""
    nine = [FIVE, "coffee + tea + sandwich + croissant"]
    first, other = waiter(completed=nine), waiter("lemonade + soup + croissant*2")
    other["completed"] = ["coffee + salad + pancakes"]
    dealt = at(PLAIN, first, waiter(), waiter(), other, final_round=True, to_act=3, turns_done=43)
    after = play(dealt, ["complete 0", *named("lemonade + soup + croissant")])
    assert points(after) == [9, 0, 0, 9]
    assert (after["phase"], after["winner"]) == ("over", "draw")
    assert dealt.terminated[0]
    assert dealt.rewards[0].tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("orders", ["shipped", "fresh"])
def test_deals_that_differ_in_what_nobody_sees(orders: str) -> None:
    """GA-11: which of two alike orders is open and which in the pile, nobody can tell."""
    config = dataclasses.replace(PLAIN, orders=orders)
    players = [waiter(TWO, f"{THREE}*2"), waiter(TWO_OTHER, f"{FIVE}*n")]
    players.append(waiter(FIVE_OTHER, last={"did": "leave", "slot": None, "face": None}))
    here = study(config, *players)
    there = study(config, *players)
    pile = there["order_pile"]
    for player, place in ((0, 0), (0, 1), (1, 0), (2, 0)):
        order = there["players"][player]["open"][place]
        other = next(i for i, face in enumerate(pile) if len(face) == len(order["face"]))
        assert pile[other] != order["face"]
        order["face"], pile[other] = pile[other], order["face"]
    one, two = seated(config, here), seated(config, there)
    assert GAME.position_to_dict(one.state[0]) != GAME.position_to_dict(two.state[0])
    assert np.array_equal(one.action_mask, two.action_mask)
    for viewer in range(4):
        assert np.array_equal(one.observe(viewer), two.observe(viewer))
        assert GAME.render(one.state[0], viewer) == GAME.render(two.state[0], viewer)
    one_shown = [shown_faces(one, viewer) for viewer in range(4)]
    assert one_shown == [[[], []], [[], dishes(FIVE)], [[]], []]


def test_recall_of_two_turns() -> None:
    """GA-8: taken in turn 3, the face is shown in turns 4 and 5, and no longer in turn 6."""
    config = dataclasses.replace(PLAIN, recall=2, first_player=0)
    dealt = tables(1, 7, config=config)
    seen = {}
    for turn in range(1, 7):
        seen[turn] = shown_faces(dealt, 0)
        if turn == 3:
            taken = GAME.position_to_dict(dealt.state[0])["market_orders"][4]
        play(dealt, ["take 4"] * 4)
    assert taken
    assert seen[4][2] == seen[5][2] == taken
    assert seen[6][2] == []
    assert [sum(map(bool, seen[turn])) for turn in range(1, 7)] == [0, 1, 2, 2, 2, 2]


def test_order_pile_runs_out_with_ten_players() -> None:
    """GA-1, GA-9: 52 orders are taken, the pile runs out, and the game still ends."""
    dealt = tables(1, 3, config=VARIANTS["10_players_clock"], autoreset_mode="Disabled")
    position = GAME.position_to_dict(dealt.state[0])
    for taken in range(52):
        assert position["clock"] == taken
        assert len(position["order_pile"]) == max(0, 49 - taken)
        slot = next(i for i, face in enumerate(position["market_orders"]) if face)
        position = play(dealt, f"take {slot}")
    assert position["order_pile"] == position["order_discards"] == []
    assert (position["clock"], position["final_round"]) == (52, True)
    assert (position["phase"], position["turns_done"]) == ("turn", 52)
    rng = np.random.default_rng(0)
    while position["phase"] != "over":
        dealt.step(styled_actions(dealt, rng))
        position = GAME.position_to_dict(dealt.state[0])
    assert (position["turns_done"], position["truncated"]) == (60, False)
    assert position["winner"] is not None
    assert not any(player["open"] for player in position["players"])


# -- The rulings -------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_setup(seed: int) -> None:
    """GA-1, GA-11: five orders and two events lie face up, the rest is in the piles."""
    position = GAME.position_to_dict(tables(1, seed, config=PLAIN).state[0])
    assert [len(position[name]) for name in ("market_orders", "order_pile")] == [5, 49]
    deck = Counter(tuple(dishes(" + ".join(face))) for face in position["order_pile"])
    deck += Counter(map(tuple, position["market_orders"]))
    printed = (dishes_of(face) for face in PLAIN.deck.faces)
    assert deck == Counter(tuple(PLAIN.deck.dishes[d] for d in face) for face in printed)
    events = Counter(position["event_pile"]) + Counter(position["market_events"])
    assert events == {"repeat": 5, "notebook": 5, "leave": 4}
    assert sum(position["event_pile"].values()) == 12
    assert all(player == EMPTY for player in position["players"])
    assert position["to_act"] == position["first_player"]


EMPTY = {"open": [], "completed": [], "points": 0, "last": None}


def test_empty_slots_are_filled_lowest_first() -> None:
    """GA-1: also gaps from earlier turns; with nothing to fill them, they stay."""
    wine, stew = waiter("wine"), waiter("wine", "rice + stew")
    rest = waiter("water + stew", "water + wine + rice")
    market = ["rice", None, None, None, None]
    dealt = at(SMALL, wine, stew, rest, market_orders=market)
    after = play(dealt, ["complete 0", "name water"])
    assert after["market_orders"] == [["rice"], ["wine"], None, None, None]
    assert after["order_pile"] == after["order_discards"] == []
    after = play(dealt, "take 0")
    assert after["market_orders"] == [None, ["wine"], None, None, None]


def test_discards_come_back_only_when_a_card_must_be_drawn() -> None:
    """GA-1: the pile may be empty for a while; orders and events each have their own."""
    market_events = ["notebook", "notebook"]
    dealt = at(
        PLAIN,
        waiter(TWO, THREE),
        market_events=market_events,
        event_discards={"repeat": 5, "leave": 4, "notebook": 3},
        order_pile=[],
    )
    after = play(dealt, "notebook 0")
    assert (len(after["order_pile"]), len(after["order_discards"])) == (0, 47)
    assert sum(after["event_pile"].values()) == 11  # twelve came back, and one was drawn
    assert sum(after["event_discards"].values()) == 0
    after = play(dealt, "take 2")
    assert (len(after["order_pile"]), len(after["order_discards"])) == (46, 0)
    assert None not in after["market_orders"] + after["market_events"]


def test_no_filling_between_two_namings() -> None:
    """GA-1: what was named wrong comes back at the end of the turn."""
    mine = waiter("wine", "rice + stew", "water + stew")
    market = ["rice", None, None, None, None]
    dealt = at(SMALL, mine, waiter("wine", "water + wine + rice"), market_orders=market)
    after = play(dealt, ["complete 0", "name water"])
    assert (after["phase"], after["market_orders"]) == ("choose", [["rice"], *[None] * 4])
    assert after["order_discards"] == [["wine"]]
    after = play(dealt, ["complete 1", "name wine", "name stew", "name rice"])
    assert after["market_orders"][0] == ["rice"]
    assert sorted(after["market_orders"][1:3]) == [["water", "stew"], ["wine"]]
    assert after["market_orders"][3:] == [None, None]
    assert points(after) == [1, 0, 0]


def test_first_turn_takes_an_order() -> None:
    """GA-2: nothing else is offered; everybody else may already use an event."""
    dealt = at(PLAIN, turns_done=0, market_events=["leave", "repeat"])
    assert set(legal_actions(dealt)) == {f"take {slot}" for slot in range(5)}
    play(dealt, "take 3")
    assert set(legal_actions(dealt)) == {*(f"take {slot}" for slot in range(5)), "leave P0.0"}


def test_taking_an_order() -> None:
    """GA-3, GA-11: it lies face down before the player; everybody saw its face."""
    dealt = at(PLAIN, waiter(TWO), market_orders=[ONE, "tea", TWO_OTHER, THREE, FIVE])
    after = play(dealt, "take 3")
    opened = after["players"][0]["open"]
    assert [(order["face"], order["age"]) for order in opened] == [(dishes(TWO), 1),
                                                                   (dishes(THREE), 0)]  # fmt: skip
    assert opened[1]["back"] == ["drink", "plate", "dessert"]
    assert after["players"][0]["last"] == {"did": "take", "slot": 3, "face": dishes(THREE)}
    assert shown_faces(dealt, 0) == [[], []]
    face = [int(dish in dishes(THREE)) for dish in PLAIN.deck.dishes]
    for viewer in (1, 2, 3):
        assert feature(dealt, viewer, f"did_face_{4 - viewer}") == face
        assert feature(dealt, viewer, f"did_slot_{4 - viewer}") == [0, 0, 0, 1, 0]
    assert feature(dealt, 0, "did_slot_0") == [0, 0, 0, 1, 0]
    assert "did_face_0" not in {field.name for field in GAME.observation_fields(PLAIN)}


def test_dishes_are_asked_in_the_order_of_the_symbols() -> None:
    """GA-4: of the symbol being asked, what has not been named."""
    dealt = at(PLAIN, waiter(ONE, FIVE))
    assert options(dealt, "complete") == {"complete 0", "complete 1"}
    play(dealt, "complete 1")
    drinks, plates, desserts = (
        {f"name {dish}" for dish in PLAIN.deck.dishes[5 * i : 5 * i + 5]} for i in range(3)
    )
    asked = [drinks, drinks, plates, plates, desserts]
    said: set[str] = set()
    for offered, dish in zip(asked, ["lemonade", "coffee", "omelette", "soup", "pancakes"],
                             strict=True):  # fmt: skip
        assert set(legal_actions(dealt)) == offered - said
        after = play(dealt, f"name {dish}")
        said.add(f"name {dish}")
    assert points(after) == [5, 0, 0, 0]  # in whatever order within a symbol


def test_an_order_is_turned_over_after_the_last_dish_only() -> None:
    """GA-4: a wrong first dish ends nothing, and the names are public."""
    dealt = at(PLAIN, waiter(ONE, THREE))
    after = play(dealt, ["complete 1", "name tea"])
    assert after["naming"] == {"order": 1, "said": ["tea"]}
    for viewer in range(4):
        assert feature(dealt, viewer, "named")[:3] == [0, 1, 0]
        assert np.flatnonzero(feature(dealt, viewer, "said")).tolist() == [1]
        assert feature(dealt, viewer, "naming") == [1]
    after = play(dealt, ["name salad", "name fruit tart"])
    assert after["order_discards"] == [dishes(THREE)]
    assert (points(after), after["phase"]) == ([0, 0, 0, 0], "naming")


def test_stopping_after_an_order() -> None:
    """GA-4: with "any" one may stop after each; with "all" one may not."""
    mine = waiter(ONE, "tea", TWO)
    dealt = at(PLAIN, mine)
    play(dealt, ["complete 0", "name coffee"])
    assert set(legal_actions(dealt)) == {"complete 0", "complete 1"}
    dealt = at(ANY, mine)
    assert "done" not in legal_actions(dealt)
    play(dealt, ["complete 0", "name tea"])
    assert set(legal_actions(dealt)) == {"complete 0", "complete 1", "done"}
    after = play(dealt, ["complete 0", "name tea"])
    assert set(legal_actions(dealt)) == {"complete 0", "done"}
    assert after["turns_done"] == 40
    after = play(dealt, "done")
    assert (after["turns_done"], after["to_act"], points(after)[0]) == (41, 1, 1)
    assert after["players"][0]["last"] == {"did": "complete", "slot": None, "face": None}
    assert [order["face"] for order in after["players"][0]["open"]] == [dishes(TWO)]


def test_stopping_after_the_target() -> None:
    """GA-4, GA-7: with "any" one may stop then too, and the round is played on."""
    config = dataclasses.replace(ANY, target=1)
    dealt = at(config, waiter(ONE, TWO))
    after = play(dealt, ["complete 0", "name coffee"])
    assert (after["final_round"], after["phase"]) == (True, "choose")
    after = play(dealt, ["done", "take 0", "take 0", "take 0"])
    assert (after["phase"], after["winner"]) == ("over", 0)
    assert len(after["players"][0]["open"]) == 1


def test_where_events_may_be_used() -> None:
    """GA-5: own orders without a Repeat, without a Notebook; any order of the others."""
    players = waiter(f"{TWO}*2", f"{ONE}*n", f"{THREE}*2n", "tea"), waiter(), waiter(f"{FIVE}*2n")
    dealt = at(PLAIN, *players)
    assert options(dealt, "repeat") == {"repeat 1", "repeat 3"}
    assert options(dealt, "notebook") == {"notebook 0", "notebook 3"}
    assert options(dealt, "leave") == set()
    dealt = at(PLAIN, *players, waiter("tea", "lemonade"), market_events=["leave", "leave"])
    assert verbs(dealt) == {"take", "complete", "leave"}
    assert options(dealt, "leave") == {"leave P2.0", "leave P3.0", "leave P3.1"}


def test_events_that_cannot_be_used_cannot_be_taken() -> None:
    """GA-5: nobody has an open order, or mine have all they may have."""
    assert verbs(at(PLAIN, market_events=["leave", "repeat"])) == {"take"}
    assert verbs(at(PLAIN, waiter(f"{TWO}*2n"))) == {"take", "complete"}
    assert verbs(at(PLAIN, waiter(TWO), market_events=["leave", "leave"])) == {"take", "complete"}


def test_of_two_equal_events_the_lower_slots_is_used() -> None:
    """GA-5: the other one stays where it is."""
    for kind in ("repeat", "notebook"):
        no_more = {"repeat": 5, "notebook": 5, "leave": 4}
        no_more[kind] -= 2
        dealt = at(PLAIN, waiter(TWO), market_events=[kind, kind], event_discards=no_more)
        assert len(options(dealt, kind)) == 1
        after = play(dealt, f"{kind} 0")
        assert after["market_events"][1] == kind
        assert after["players"][0]["open"][0][kind]
        assert after["players"][0]["last"]["did"] == kind


def test_repeat_and_notebook_on_one_order() -> None:
    """GA-5: twice the points, no naming; the Repeat stays, the Notebook goes."""
    dealt = at(PLAIN, waiter(TWO, f"{ONE}*n"))
    after = play(dealt, ["repeat 0", "take 0", "take 0", "take 0"])
    assert after["players"][0]["open"][0]["repeat"]
    dealt = at(PLAIN, waiter(f"{THREE}*2n"))
    after = play(dealt, "complete 0")
    assert points(after) == [6, 0, 0, 0]
    assert after["players"][0]["completed"] == [{"face": dishes(THREE), "repeat": True}]
    assert after["event_discards"] == {"repeat": 0, "notebook": 1, "leave": 0}


def test_client_leaves() -> None:
    """GA-5: the order, what lies on it and the event are discarded at once."""
    other = waiter(ONE, f"{THREE}*2n", TWO)
    dealt = at(PLAIN, waiter(), waiter(), other, market_events=["repeat", "leave"])
    after = play(dealt, "leave P2.1")
    assert after["order_discards"] == [dishes(THREE)]
    assert after["event_discards"] == {"repeat": 1, "notebook": 1, "leave": 1}
    assert [order["face"] for order in after["players"][2]["open"]] == [dishes(ONE), dishes(TWO)]
    assert [order["age"] for order in after["players"][2]["open"]] == [4, 0]
    assert (after["to_act"], after["players"][0]["last"]["did"]) == (1, "leave")


def test_a_notebook_is_read_by_its_owner_alone() -> None:
    """GA-6: the observation shows the dishes to that player; naming goes on without them."""
    dealt = at(PLAIN, waiter(ONE, f"{THREE}*n"), waiter(TWO))
    assert shown_faces(dealt, 0) == [[], dishes(THREE)]
    assert shown_faces(dealt, 1) == [[]]
    other = at(PLAIN, waiter(ONE, "coffee + salad + pancakes*n"), waiter(TWO), order_pile=[])
    same = at(PLAIN, waiter(ONE, f"{THREE}*n"), waiter(TWO), order_pile=[])
    assert shown_faces(other, 0)[1] == dishes("coffee + salad + pancakes")
    for viewer in (1, 2, 3):
        names = [field.name for field in GAME.observation_fields(PLAIN)]
        differ = {n for n in names if feature(other, viewer, n) != feature(same, viewer, n)}
        assert differ == {"discarded_dish"}  # where the other order lies


def test_a_notebook_between_two_namings() -> None:
    """GA-4, GA-6: it is chosen like any other, and no name is asked."""
    dealt = at(PLAIN, waiter(ONE, f"{THREE}*n", TWO))
    play(dealt, ["complete 0", "name coffee"])
    after = play(dealt, "complete 0")
    assert (points(after)[0], after["phase"]) == (4, "naming")  # the last one is named at once
    after = play(dealt, named(TWO))
    assert points(after)[0] == 6


def test_most_points_win_whoever_reached_the_target() -> None:
    """GA-7: another player may overtake in the last round."""
    first = waiter(completed=[FIVE, THREE])
    last = waiter(f"{FIVE_OTHER}*2")
    dealt = at(PLAIN, first, waiter(), waiter(), last, final_round=True, to_act=3, turns_done=43)
    after = play(dealt, ["complete 0", *named(FIVE_OTHER)])
    assert (points(after), after["winner"]) == ([8, 0, 0, 10], 3)


@pytest.mark.parametrize(("recall", "shown"), [(0, 0), (1, 1), (2, 2), (3, 3), (None, 3)])
def test_recall(recall: int | None, shown: int) -> None:
    """GA-8: own orders younger than `recall`, or always; never another player's."""
    config = dataclasses.replace(PLAIN, recall=recall)
    dealt = at(config, waiter(ONE, TWO, THREE), waiter("tea", TWO_OTHER, FIVE))  # ages 2, 1, 0
    mine = [[dish] if isinstance(dish, str) else dish for dish in (ONE, dishes(TWO), dishes(THREE))]
    theirs = [["tea"], dishes(TWO_OTHER), dishes(FIVE)]
    for viewer, faces in enumerate((mine, theirs)):
        assert shown_faces(dealt, viewer) == [[]] * (3 - shown) + faces[3 - shown :]
    market = ["orange juice", "orange juice", "hot chocolate", "hot chocolate", "tea + sandwich"]
    seen = [
        at(config, waiter(ONE, TWO, THREE), other, market_orders=market).observe(0)
        for other in (waiter("tea", TWO_OTHER, FIVE), waiter("lemonade", TWO_OTHER, FIVE))
    ]
    assert np.array_equal(*seen)


def test_nothing_is_completed_before_the_clock_has_run_down() -> None:
    """GA-9: an order that is taken moves the clock, and nothing else does."""
    dealt = at(CLOCK, waiter(ONE, TWO), waiter(f"{THREE}*n"))
    assert verbs(dealt) == {"take", "repeat", "notebook"}
    after = play(dealt, "notebook 0")
    assert (after["clock"], after["final_round"]) == (3, False)
    after = play(dealt, "take 0")
    assert after["clock"] == 4


def test_the_clock_runs_down() -> None:
    """GA-9: the round is played to its end, and the clock stays at the far left."""
    dealt = at(CLOCK, waiter(ONE), waiter(), waiter(TWO), clock=15, to_act=1, turns_done=41)
    after = play(dealt, "take 0")
    assert (after["clock"], after["final_round"], after["phase"]) == (16, True, "turn")
    after = play(dealt, "take 0")
    assert (after["clock"], after["to_act"]) == (16, 3)
    after = play(dealt, "take 0")
    assert (after["turns_done"], after["clock"]) == (44, 16)
    assert (after["to_act"], after["phase"]) == (0, "naming")  # its only order, at once


def test_all_name_all_their_orders_at_the_end() -> None:
    """GA-9: from the first player on, whatever `complete` says; these are no turns."""
    config = dataclasses.replace(CLOCK, complete="any")
    dealt = at(
        config,
        waiter(ONE),
        waiter(TWO, THREE),
        waiter(),
        waiter(FIVE, f"{FIVE_OTHER}*n"),
        first_player=3,
        to_act=2,
        turns_done=43,
        clock=16,
        final_round=True,
        market_events=["leave", "leave"],
    )
    after = play(dealt, "leave P0.0")
    assert (after["to_act"], after["phase"]) == (3, "choose")
    assert set(legal_actions(dealt)) == {"complete 0", "complete 1"}
    before = after
    after = play(dealt, ["complete 1", *named(FIVE)])  # the last order needs no choice
    assert (after["to_act"], after["phase"]) == (1, "choose")  # nobody else has any
    assert points(after) == [0, 0, 0, 10]
    after = play(dealt, ["complete 1", *named(THREE), *named(TWO)])
    assert points(after) == [0, 5, 0, 10]
    assert (after["phase"], after["winner"], after["turns_done"]) == ("over", 3, 44)
    lasts = [[player["last"] for player in position["players"]] for position in (before, after)]
    assert lasts[0] == lasts[1]
    assert dealt.rewards[0].tolist() == pytest.approx([-1 / 3, -1 / 3, -1 / 3, 1])


def test_the_clock_runs_down_and_nobody_has_an_order() -> None:
    """GA-9: the game ends at once, in a draw."""
    dealt = at(
        CLOCK,
        waiter("tea"),
        clock=16,
        final_round=True,
        to_act=3,
        turns_done=43,
        market_events=["leave", "leave"],
    )
    after = play(dealt, "leave P0.0")
    assert (after["phase"], after["winner"]) == ("over", "draw")
    assert dealt.rewards[0].tolist() == [0, 0, 0, 0]


def test_a_full_round_of_passes_starts_the_naming() -> None:
    """GA-8, GA-10: nothing is left to take, all pass, unasked, and grow older by it."""
    players = waiter("wine", "wine"), waiter("rice + stew", "water + stew"), waiter("rice")
    market = [None, None, "water + wine + rice", None, None]
    dealt = at(SMALL_CLOCK, *players, market_orders=market, market_events=[None, None],
               to_act=2, turns_done=5, clock=5)  # fmt: skip
    assert set(legal_actions(dealt)) == {"take 2"}
    after = play(dealt, "take 2")
    assert (after["turns_done"], after["clock"], after["final_round"]) == (9, 6, False)
    assert (after["phase"], after["to_act"]) == ("choose", 0)
    ages = [[order["age"] for order in player["open"]] for player in after["players"]]
    assert ages == [[2, 1], [2, 1], [2, 1]]
    assert {player["last"]["did"] for player in after["players"]} == {"pass"}
    assert feature(dealt, 1, "did_0") == feature(dealt, 1, "did_2") == [0, 0, 0, 0, 0, 1]


def test_a_full_round_of_passes_ends_the_game() -> None:
    """GA-10: everything is completed, and no target was reached."""
    config = dataclasses.replace(SMALL, events={}, target=1000)
    players = (
        waiter("wine", completed=["wine", "rice + stew"]),
        waiter(completed=["water + stew", "water + wine + rice"]),
        waiter(completed=["rice"]),
    )
    dealt = at(config, *players, market_orders=[None] * 5, market_events=[None] * 2)
    after = play(dealt, ["complete 0", "name wine"])
    assert points(after) == [7, 307, 2]
    assert (after["phase"], after["winner"], after["turns_done"]) == ("over", 1, 34)
    assert [player["last"]["did"] for player in after["players"]] == ["pass"] * 3


def test_one_who_can_act_breaks_the_round_of_passes() -> None:
    """GA-10: only who has nothing to do is passed over."""
    config = dataclasses.replace(SMALL, events={}, target=1000)
    players = (
        waiter("wine", completed=["wine", "rice + stew"]),
        waiter(completed=["water + stew"]),
        waiter("water + wine + rice", completed=["rice"]),
    )
    dealt = at(config, *players, market_orders=[None] * 5, market_events=[None] * 2)
    after = play(dealt, ["complete 0", "name wine"])
    assert after["players"][1]["last"]["did"] == "pass"
    assert (after["to_act"], after["phase"]) == (2, "naming")  # all it can do; the rest is asked
    assert after["turns_done"] == 32


def test_what_everybody_sees() -> None:
    """GA-11: backs, events and ages of open orders, points, what the others did."""
    players = waiter(TWO, f"{THREE}*2"), waiter(f"{ONE}*n", completed=[f"{FIVE}*2"])
    players[1]["last"] = {"did": "leave", "slot": None, "face": None}
    config = dataclasses.replace(PLAIN, target=20)
    dealt = at(config, *players)
    backs = len(config.deck.backs)
    for viewer in range(4):
        ahead = (1 - viewer) % 4
        opened = np.reshape(feature(dealt, viewer, f"open_{-viewer % 4}"), (-1, backs))
        assert opened.nonzero()[1].tolist() == [1, 2]  # of two dishes, of three
        assert feature(dealt, viewer, f"repeat_{-viewer % 4}")[:3] == [0, 1, 0]
        assert feature(dealt, viewer, f"notebook_{ahead}")[:2] == [1, 0]
        number = feature(dealt, viewer, f"points_{ahead}")
        assert sum(bit << i for i, bit in enumerate(number)) == 10
        assert feature(dealt, viewer, f"doubled_{ahead}") == feature(
            dealt, viewer, f"completed_{ahead}"
        )
        assert feature(dealt, viewer, f"did_{ahead}") == [0, 0, 0, 0, 1, 0]
        assert feature(dealt, viewer, "first_player").index(1) == -viewer % 4
        age = feature(dealt, viewer, f"age_{-viewer % 4}")
        assert np.flatnonzero(age).tolist() == [1, 6]  # of six digits each: 2 and 1


def test_open_orders_close_up() -> None:
    """GA-12: oldest first."""
    dealt = at(
        ANY, waiter(ONE, TWO, THREE), market_orders=[FIVE, "tea", "tea", TWO_OTHER, "lemonade"]
    )
    after = play(dealt, ["complete 1", *named(TWO), "done", "take 1", "take 1", "take 2"])
    mine = after["players"][0]["open"]
    assert [order["face"] for order in mine] == [dishes(ONE), dishes(THREE)]
    assert [order["age"] for order in mine] == [3, 1]
    after = play(dealt, "take 0")
    mine = after["players"][0]["open"]
    assert [order["face"] for order in mine] == [dishes(ONE), dishes(THREE), dishes(FIVE)]
    assert [order["age"] for order in mine] == [4, 2, 0]


def test_no_more_orders_than_the_cap() -> None:
    """GA-12: taking is not offered then."""
    config = VARIANTS["two_open"]
    assert "take" in verbs(at(config, waiter(ONE)))
    dealt = at(config, waiter(ONE, TWO))
    assert verbs(dealt) == {"complete", "repeat", "notebook"}


def test_points_are_paid_as_they_come() -> None:
    """A point gained pays its owner 0.1, and costs the others 0.1 together, equally."""
    config = dataclasses.replace(PLAIN, reward="points", target=6)
    players = waiter(f"{THREE}*2", "tea"), waiter(completed=[TWO])
    dealt = at(config, *players)
    play(dealt, ["complete 0", *named(THREE)])
    assert dealt.rewards[0].tolist() == pytest.approx([0.6, -0.2, -0.2, -0.2])
    play(dealt, "name coffee")
    assert dealt.rewards[0].tolist() == [0, 0, 0, 0]
    play(dealt, ["take 0", "take 0", "take 0"])
    assert dealt.rewards[0].tolist() == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])


def test_a_game_is_cut_at_the_end_of_a_round() -> None:
    """`max_turns`: at the first round's end that reaches it; a result there counts."""
    config = dataclasses.replace(PLAIN, max_turns=42)
    dealt = at(config, waiter(THREE), turns_done=40)
    after = play(dealt, ["take 0"] * 3)
    assert (after["phase"], after["turns_done"]) == ("turn", 43)
    after = play(dealt, "take 0")
    assert (after["phase"], after["truncated"], after["winner"]) == ("over", True, None)
    assert (dealt.truncated[0], dealt.terminated[0]) == (True, False)
    assert dealt.rewards[0].tolist() == [0, 0, 0, 0]
    dealt = at(config, waiter(THREE, completed=[FIVE]), turns_done=40)
    after = play(dealt, ["complete 0", *named(THREE), "take 0", "take 0", "take 0"])
    assert (after["truncated"], after["winner"]) == (False, 0)


def test_forced_names_are_not_asked() -> None:
    """A decision with a single answer is not asked, whether it helps or not."""
    assert ("water;wine;rice" in dict(SMALL_ORDERS).values(), len(SMALL_MENU)) == (True, 4)
    dealt = at(SMALL, waiter("water + wine + rice"), market_events=["leave", "leave"])
    after = play(dealt, ["complete 0", "name wine"])  # only water is left of the glasses
    assert after["naming"] == {"order": 0, "said": ["water", "wine"]}
    after = play(dealt, "name rice")
    assert points(after) == [300, 0, 0]
