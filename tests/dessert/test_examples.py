"""The worked examples of the design, and each ruling DE-1 to DE-15, in words.

It is the steal phase of player 0, unless a test says otherwise. With `guest_pile=""` no guest
comes any more, so that each turn is a dessert drawn and a steal phase.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from dessert_env import Config, tables
from dessert_env.cards import DESSERTS, FAVORITES, GUESTS, ICONS
from waiter_envs.core.tables import Tables

from .playing import VARIANTS, Cards, feature, legal_actions, play, seated, study

PLAIN = VARIANTS["standard"]
CLOCKWISE = VARIANTS["clockwise"]
FALSE_CALLS = Config(false_calls=True, call_order="clockwise")
UNTIL_TRIO = VARIANTS["until_trio"]
TWO = VARIANTS["2_players"]

USELESS = "Cherry pie, Fruit salad, Orange sherbet, Peach cobbler, Strawberry ice cream"
"""Desserts that do not help with Fuzzy."""


def at(
    config: Config, hands: Sequence[Cards] = (), guests: Sequence[Cards] = (), **changes: Any
) -> Tables:
    """Return a table at a study."""
    return seated(config, study(config, hands, guests, **changes))


def arrival(
    guest: str, *hands: Cards, config: Config = CLOCKWISE, guests: Sequence[Cards] = (), **more: Any
) -> Tables:
    """Return a table where a guest has just been turned up in the turn of player 0."""
    return at(config, hands, guests, phase="claim", guest=guest, **more)


def closing(
    config: Config, hands: Sequence[Cards], guests: Sequence[Cards] = (), **more: Any
) -> Tables:
    """Return a table in closing time, in the steal phase of player 0."""
    return at(config, hands, guests, guest_pile="", **{"closing_turn": 1, **more})


def legal(dealt: Tables) -> set[str]:
    """Return the legal actions."""
    return set(legal_actions(dealt))


def position(dealt: Tables) -> dict[str, Any]:
    """Return where the only table stands."""
    return dealt.game.position_to_dict(dealt.state[0])


def all_servings(guest: str, hand: Cards) -> set[tuple[str, ...]]:
    """Return every serving that can be laid down for a guest turned up, card by card."""
    start = at(PLAIN, [hand], phase="serve", guest=guest)
    found, left = set(), [(start.state.copy(), legal(start))]
    while left:
        state, texts = left.pop()
        for text in texts:
            start.state = state
            after = play(start, text)
            if guest in after["guests"][0]:
                found.add(tuple(after["dirty"]))
            else:
                assert (after["phase"], after["target"]) == ("serve", guest)
                left.append((start.state.copy(), legal(start)))
    return found


def rest(*held: str) -> list[str]:
    """Return all desserts but some, to be held by somebody so that none is left to draw."""
    return [name for name in DESSERTS if name not in ", ".join(held).split(", ")]


# -- The design's worked examples --------------------------------------------------------------


def test_the_little_girl() -> None:
    """Cake and ice cream, no veggies."""
    dealt = arrival("The Little Girl", "Strawberry shortcake, Butter pecan ice cream, Fudge")
    assert legal(dealt) == {"claim", "decline"}
    after = play(dealt, "claim")
    assert after["guests"][0] == ["The Little Girl"]
    assert after["dirty"] == ["Butter pecan ice cream", "Strawberry shortcake"]
    assert (after["hands"][0], after["phase"]) == (["Fudge"], "steal")
    dealt = arrival("The Little Girl", "Carrot cake, Butter pecan ice cream, Zucchini muffin")
    assert legal(dealt) == {"decline"}
    dealt = arrival("The Little Girl", "Ice cream cake, Fudge")
    after = play(dealt, "claim")
    assert (after["dirty"], after["guests"][0]) == (["Ice cream cake"], ["The Little Girl"])
    assert len(after["hands"][0]) == 2
    assert "Fudge" in after["hands"][0]


def test_the_boston_cream_pie_guy() -> None:
    """Cake, chocolate, pie and pudding, with three desserts or two."""
    hand = "Cheesecake, Chocolate cream pie, Chocolate mousse, Yellow cake, Candied ginger"
    guest = "Boston Cream Pie Guy"
    assert all_servings(guest, hand) == {
        ("Cheesecake", "Chocolate mousse", "Yellow cake"),
        ("Chocolate cream pie", "Yellow cake"),
    }
    assert legal(arrival(guest, "Chocolate mousse, Cheesecake, Candied ginger")) == {"decline"}


def test_fuzzy() -> None:
    """With Fudge and Peanut butter cups the cups alone are offered."""
    hand = "Fudge, Peanut butter cups"
    dealt = at(PLAIN, [hand], phase="serve", guest="Fuzzy")
    assert legal(dealt) == {"serve Peanut butter cups"}
    after = play(arrival("Fuzzy", hand), "claim")
    assert (after["dirty"], after["guests"][0]) == (["Peanut butter cups"], ["Fuzzy"])


def test_stealing_fuzzy() -> None:
    """The cups, then Fudge as the bribe, then the tip; not with the cups alone."""
    dealt = closing(PLAIN, ["Fudge, Peanut butter cups", "Yellow cake"], ["", "Fuzzy"])
    assert "steal Fuzzy" in legal(dealt)
    after = play(dealt, "steal Fuzzy")  # all else is forced
    assert [guests for guests in after["guests"] if guests] == [["Fuzzy"]]
    assert after["guests"][0] == ["Fuzzy"]
    assert {"Fudge", "Yellow cake"} < {*after["hands"][1]}
    assert len(after["hands"][1]) == 3  # it has drawn, in its turn
    assert after["dirty"] == ["Peanut butter cups"]
    assert len(after["hands"][0]) == 1
    assert not {*after["hands"][0]} & {"Fudge", "Peanut butter cups"}
    assert (after["active"], after["turn"]) == (1, 25)
    dealt = closing(PLAIN, ["Peanut butter cups", "Yellow cake"], ["", "Fuzzy"])
    assert not {text for text in legal(dealt) if text.startswith("steal")}


def test_owner_stops_the_theft() -> None:
    """With Fudge; holding Candied ginger it is not asked."""
    hand = "Baklava, Peanut butter cups"
    dealt = closing(PLAIN, [hand, "Candied ginger, Fudge"], ["", "Fuzzy"])
    half = play(dealt, "steal Fuzzy")
    assert (half["phase"], half["to_act"], half["chosen"]) == ("stop", 1, [])
    assert (half["thief"], half["target"]) == (0, "Fuzzy")
    assert legal(dealt) == {"stop Fudge", "allow"}
    after = play(dealt, "stop Fudge")
    assert after["dirty"] == ["Fudge"]
    assert after["hands"][0] == ["Peanut butter cups", "Baklava"]
    assert after["guests"][1] == ["Fuzzy"]
    assert (after["active"], after["to_act"], after["turn"]) == (1, 1, half["turn"] + 1)
    dealt = closing(PLAIN, [hand, "Candied ginger"], ["", "Fuzzy"])
    assert play(dealt, "steal Fuzzy")["guests"][0] == ["Fuzzy"]


def test_stolen_guest_completes_a_trio() -> None:
    """The game ends then and there, without a tip; the bribe has been paid."""
    guests = ["Mr. Healthy, Roland", "Fuzzy"]
    dealt = closing(PLAIN, ["Fudge, Peanut butter cups", "Yellow cake"], guests)
    after = play(dealt, "steal Fuzzy")
    assert (after["phase"], after["winner"], after["active"]) == ("over", 0, 0)
    assert after["hands"][:2] == [[], ["Fudge", "Yellow cake"]]
    assert after["guests"][:2] == [["Fuzzy", "Mr. Healthy", "Roland"], []]
    assert dealt.terminated[0]
    assert dealt.rewards[0].tolist() == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])


def test_declined_and_taken_from_the_waiting_room() -> None:
    """In the same turn, without a bribe, after everybody has drawn."""
    dealt = arrival("Fuzzy", "Peanut butter cups", pile=USELESS, guest_pile="")
    assert legal(dealt) == {"claim", "decline"}
    half = play(dealt, "decline")
    assert (half["phase"], half["to_act"], half["waiting_room"][-1]) == ("steal", 0, "Fuzzy")
    assert [len(hand) for hand in half["hands"]] == [2, 1, 1, 1]
    assert (half["guest"], half["call_order"], half["asked"]) == (None, [], [])
    assert "waiting room" in legal(dealt)
    after = play(dealt, "waiting room")
    assert after["guests"][0] == ["Fuzzy"]
    assert "Fuzzy" not in after["waiting_room"]
    assert after["turn"] == half["turn"] + 1
    assert [len(hand) for hand in after["hands"]] == [2, 2, 1, 1]  # a tip; the next turn's card
    assert half["hands"][1][0] in after["hands"][1]
    assert half["hands"][2:] == after["hands"][2:]


def test_last_guest_goes_to_the_waiting_room() -> None:
    """Everyone draws, and the next turn is closing time."""
    dealt = arrival("Nature Girl", "Fudge", guest_pile="")
    half = play(dealt, "decline")
    assert (half["waiting_room"][-1], half["phase"], half["closing_turn"]) == (
        "Nature Girl",
        "steal",
        0,
    )
    assert [len(hand) for hand in half["hands"]] == [2, 1, 1, 1]
    after = play(dealt, "done")
    assert (after["closing_turn"], after["active"], after["phase"]) == (1, 1, "steal")
    assert [len(hand) for hand in after["hands"]] == [2, 2, 1, 1]


# -- DE-1, DE-2: a turn, serving ---------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_deal(seed: int) -> None:
    """DE-1: five desserts each, one drawn, one guest turned up."""
    first = position(tables(1, seed, config=PLAIN))
    sizes = [5 + (player == first["active"]) for player in range(4)]
    assert (first["turn"], first["closing_turn"], len(first["guest_pile"])) == (0, 0, 23)
    if first["waiting_room"]:  # nobody could serve it
        sizes = [size + 1 for size in sizes]
        assert (first["phase"], first["guest"]) == ("steal", None)
    else:
        assert first["phase"] in ("claim", "call")
        assert first["guest"] is not None
    assert [len(hand) for hand in first["hands"]] == sizes
    assert len(first["pile"]) == 76 - sum(sizes)


def test_a_turn() -> None:
    """DE-1: draw, guest, serving, steal phase, next player."""
    dealt = at(CLOCKWISE, ["Yellow cake", "Peanut butter cups"], guest_pile="Fuzzy",
               pile="Fudge, Cheesecake")  # fmt: skip
    after = play(dealt, "done")
    assert (after["phase"], after["active"], after["to_act"]) == ("claim", 1, 1)
    assert (after["guest"], len(after["hands"][1]), len(after["pile"])) == ("Fuzzy", 2, 1)
    after = play(dealt, "claim")
    assert (after["phase"], after["to_act"], after["guests"][1]) == ("steal", 1, ["Fuzzy"])
    after = play(dealt, "done")
    assert (after["active"], after["closing_turn"]) == (2, 1)


@pytest.mark.parametrize(
    ("guest", "hand", "servings"),
    [
        ("The Tourist", "Boston cream pie, Fruit salad", {("Boston cream pie", "Fruit salad")}),
        ("The Emperor", "Black forest cake, Fudge, Carrot cake", set()),
        (
            "The Emperor",
            "Boston cream pie, Fudge, Pound cake",
            {("Boston cream pie",), ("Fudge", "Pound cake")},
        ),
        ("Mojo", "Fruit salad, Fudge, Vanilla ice cream, Yellow cake", set()),
        (
            "Mojo",
            "Fruit salad, Hot fudge sundae, Yellow cake",
            {("Fruit salad", "Hot fudge sundae", "Yellow cake")},
        ),
        (
            "Nature Girl",
            "Candied yams, Fruit salad, Spice cake, Carrot cake",
            {
                ("Candied yams", "Fruit salad", "Spice cake"),
                ("Carrot cake", "Fruit salad", "Spice cake"),
            },
        ),
        ("Candice", "Chocolate covered marshmallows, Candied yams", {("Candied yams",)}),
        (
            "Agent 17",
            "Fruit salad, Baklava, Napoleon, Glazed donut",
            {("Fruit salad", "Napoleon"), ("Fruit salad", "Glazed donut")},
        ),
        (
            "Roland",
            "Candied ginger, Rhubarb crumble, Apple turnover",
            {("Candied ginger", "Rhubarb crumble")},
        ),
    ],
)
def test_servings(guest: str, hand: str, servings: set[tuple[str, ...]]) -> None:
    """DE-2: every craving, no dislike, other icons do no harm, three at most, none to spare."""
    dealt = arrival(guest, hand)
    assert ("claim" in legal(dealt)) == bool(servings)
    if servings:
        found = all_servings(guest, hand)
        assert found == {tuple(sorted(serving)) for serving in servings}


def test_desserts_are_laid_down_in_order() -> None:
    """DE-2: one path for each serving; what is laid down has left the hand."""
    hand = "Chocolate candy bar, Fudge, Peanut brittle, Butter pecan ice cream"
    dealt = arrival("Fuzzy", hand)
    half = play(dealt, "claim")
    assert half["phase"] == "serve"
    assert legal(dealt) == {
        "serve Butter pecan ice cream",
        "serve Chocolate candy bar",
        "serve Fudge",
    }
    after = play(dealt, "serve Butter pecan ice cream")
    assert after["chosen"] == ["Butter pecan ice cream"]
    assert after["hands"][0] == ["Chocolate candy bar", "Fudge", "Peanut brittle"]
    assert "Butter pecan ice cream" not in after["dirty"]
    assert legal(dealt) == {"serve Chocolate candy bar", "serve Fudge"}
    after = play(dealt, "serve Fudge")
    assert after["dirty"] == ["Butter pecan ice cream", "Fudge"]
    dealt = arrival("Fuzzy", hand)
    after = play(dealt, ["claim", "serve Fudge"])  # only brittle comes later
    assert after["dirty"] == ["Fudge", "Peanut brittle"]


# -- DE-3, DE-4: calling, hungry guests --------------------------------------------------------

CUPS, BROWNIES = "Peanut butter cups, Yellow cake", "Walnut brownies, Yellow cake"
NUTS = "Fudge, Peanut brittle"


def test_others_are_asked_clockwise() -> None:
    """DE-3: from the active player's left; who cannot serve is passed over."""
    hands = [
        "Peanut butter cups, Fudge",
        "Yellow cake",
        "Walnut brownies",
        "Coconut macaroons, Hot fudge sundae",
    ]
    dealt = arrival("Fuzzy", *hands)
    after = play(dealt, "decline")
    assert (after["phase"], after["to_act"], after["call_order"]) == ("call", 2, [1, 2, 3])
    assert after["asked"] == [1]
    assert legal(dealt) == {"claim", "decline"}
    after = play(dealt, "decline")
    assert (after["to_act"], after["asked"]) == (3, [1, 2])
    after = play(dealt, "claim")
    assert (after["guests"][3], after["hands"][3]) == (["Fuzzy"], [])
    assert (after["phase"], after["to_act"], after["active"]) == ("steal", 0, 0)
    assert [len(hand) for hand in after["hands"]] == [2, 1, 1, 0]  # no draw, no tip
    dealt = at(CLOCKWISE, [*hands[1:], hands[0]], phase="claim", guest="Fuzzy", active=2)
    assert play(dealt, "decline")["call_order"] == [3, 0, 1]


def test_first_to_call_serves() -> None:
    """DE-3: nobody else is asked then."""
    dealt = arrival("Fuzzy", "Yellow cake", "Walnut brownies", "Peanut butter cups")
    after = play(dealt, ["decline", "claim"])
    assert (after["guests"][1], after["guests"][2]) == (["Fuzzy"], [])
    assert (after["phase"], after["to_act"]) == ("steal", 0)


def test_active_player_who_cannot_serve_is_passed_over() -> None:
    """DE-3, DE-15: the others are asked at once."""
    dealt = at(CLOCKWISE, ["Yellow cake", "Fudge", "Walnut brownies"], guest_pile="Fuzzy",
               pile="Fruit salad")  # fmt: skip
    after = play(dealt, "done")
    assert (after["active"], after["to_act"], after["phase"]) == (1, 2, "call")
    assert (after["call_order"], after["asked"]) == ([2, 3, 0], [])


def test_others_are_asked_at_random() -> None:
    """DE-3: every order comes up, and it is drawn for each guest; `test_chance.py` counts them."""
    hands = [
        "Peanut butter cups, Yellow cake",
        "Walnut brownies",
        "Fudge, Baklava",
        "Fruitcake, Chocolate mousse",
    ]
    one = study(PLAIN, hands, phase="claim", guest="Fuzzy")
    count = 200
    dealt = seated(PLAIN, *[one] * count)
    state = dealt.state.copy()
    state["rng"] = tables(count, 5, config=PLAIN).state["rng"]
    dealt.state = state
    dealt.step(np.ones(count, np.int32))
    orders = np.unique(dealt.state["call_order"], axis=0)
    assert len(orders) == 6
    assert all(set(order) == {1, 2, 3} for order in orders.tolist())
    assert np.array_equal(dealt.current_player, dealt.state["call_order"][:, 0])


def test_nobody_takes_the_guest() -> None:
    """DE-4: onto the Waiting Room; all draw, the active player first and then clockwise."""
    drawn = ["Cherry pie", "Fruit salad"]
    hands = ["Peanut butter cups", "Yellow cake", "Pound cake", "Pecan pie"]
    seen = set()
    for seed in range(12):
        one = study(CLOCKWISE, hands, phase="claim", guest="Fuzzy", active=2, pile=drawn,
                    to_act=2, waiting_room="Wally")  # fmt: skip
        dealt = seated(CLOCKWISE, one)
        state = dealt.state.copy()
        state["rng"] = tables(1, seed, config=CLOCKWISE).state["rng"]
        dealt.state = state
        assert legal(dealt) == {"decline"}
        after = play(dealt, ["decline", "decline"])  # player 0 might have called
        assert after["waiting_room"] == ["Wally", "Fuzzy"]
        gains = [set(hand) - {had} for hand, had in zip(after["hands"], hands, strict=True)]
        assert [len(gain) for gain in gains] == [1, 1, 1, 1]
        assert gains[2] | gains[3] == set(drawn)  # the pile; then the dirty dishes are shuffled
        assert not (gains[0] | gains[1]) & set(drawn)
        assert (after["phase"], after["to_act"]) == ("steal", 2)
        seen.add((*gains[2],))
    assert len(seen) == 2


# -- DE-5: tips --------------------------------------------------------------------------------

TREATS = [(guest, name) for guest, names in zip(GUESTS, FAVORITES, strict=True) for name in names]


@pytest.mark.parametrize(("guest", "favorite"), TREATS)
def test_every_favorite_satisfies_alone_and_earns_a_tip(guest: str, favorite: str) -> None:
    """DE-5: one more dessert for a claim."""
    after = play(arrival(guest, [favorite, "Profiteroles"], guest_pile=""), "claim")
    assert (after["dirty"], after["guests"][0]) == ([favorite], [guest])
    assert len(after["hands"][0]) == 2
    assert "Profiteroles" in after["hands"][0]


def test_favorites() -> None:
    """DE-5: Nature Girl has none, four guests have two."""
    number_of = {guest: len(names) for guest, names in zip(GUESTS, FAVORITES, strict=True)}
    assert [guest for guest in GUESTS if number_of[guest] == 0] == ["Nature Girl"]
    assert list(number_of.values()).count(2) == 4
    assert len(TREATS) == 19 + 2 * 4


def test_tips_of_callers_and_from_the_waiting_room() -> None:
    """DE-5: whenever it is served."""
    dealt = arrival("Fuzzy", "Yellow cake", "Peanut butter cups, Pecan pie")
    after = play(dealt, ["decline", "claim"])
    assert (after["guests"][1], len(after["hands"][1])) == (["Fuzzy"], 2)
    dealt = closing(PLAIN, ["Peanut butter cups"], waiting_room="Fuzzy")
    after = play(dealt, "waiting room")
    assert (after["guests"][0], len(after["hands"][0])) == (["Fuzzy"], 1)
    dealt = closing(PLAIN, ["Walnut brownies"], waiting_room="Fuzzy")  # no favorite of Fuzzy's
    after = play(dealt, "waiting room")
    assert (after["guests"][0], after["hands"][0]) == (["Fuzzy"], [])


def test_served_desserts_are_dirty_before_the_tip_is_drawn() -> None:
    """DE-5, DE-11: with nothing else to draw, it is the favorite that comes back."""
    hand = "Peanut butter cups, Yellow cake"
    dealt = arrival("Fuzzy", hand, rest(hand))
    after = play(dealt, "claim")
    assert after["guests"][0] == ["Fuzzy"]
    assert (after["hands"][0], after["pile"], after["dirty"]) == (
        ["Peanut butter cups", "Yellow cake"],
        [],
        [],
    )
    hand = "Fudge, Chocolate candy bar, Peanut brittle, Peanut butter cups"
    dealt = closing(TWO, [hand, rest(hand)], ["", "Fuzzy"])  # a thief's, too
    before = position(dealt)
    after = play(dealt, ["steal Fuzzy", "serve Peanut butter cups", "bribe Fudge"])
    assert after["guests"][0] == ["Fuzzy"]
    assert "Peanut butter cups" in after["hands"][0]
    assert "Fudge" in after["hands"][1]
    assert (after["pile"], after["dirty"]) == ([], [])
    assert after["turn"] == before["turn"] + 1  # and the next player found nothing to draw


# -- DE-6: false calls -------------------------------------------------------------------------


def test_without_false_calls_only_who_can_serve_is_asked() -> None:
    """DE-3: whatever else is held."""
    dealt = arrival("Fuzzy", "Yellow cake", "Fudge", "Pound cake", "Pecan pie")
    after = play(dealt, "decline")
    assert (after["phase"], after["waiting_room"][-1]) == ("steal", "Fuzzy")


def test_everybody_else_is_asked() -> None:
    """DE-6: whatever it holds, even nothing; not the active player."""
    dealt = arrival("Fuzzy", "Yellow cake", "Fudge", config=FALSE_CALLS)
    assert legal(dealt) == {"decline"}
    asked = []
    after = play(dealt, "decline")
    while after["phase"] == "call":
        asked.append(after["to_act"])
        assert after["asked"] == asked[:-1]
        assert legal(dealt) == {"claim", "decline"}
        after = play(dealt, "decline")
    assert asked == [1, 2, 3]
    assert (after["waiting_room"][-1], after["warnings"]) == ("Fuzzy", [0, 0, 0, 0])
    dealt = at(FALSE_CALLS, ["Yellow cake", "Fudge"], guest_pile="Fuzzy", pile="Fruit salad")
    after = play(dealt, "done")
    assert (after["active"], after["phase"], after["to_act"]) == (1, "call", 2)


def test_first_false_call_is_a_warning() -> None:
    """DE-6: the next is asked, and nobody twice."""
    dealt = arrival("Fuzzy", "Yellow cake", "Pound cake", config=FALSE_CALLS)
    after = play(dealt, ["decline", "claim"])
    assert after["warnings"] == [0, 1, 0, 0]
    assert (after["hands"][1], after["dirty"]) == (["Pound cake"], [])
    assert (after["to_act"], after["asked"], after["guest"]) == (2, [1], "Fuzzy")
    for viewer in range(4):
        assert feature(dealt, viewer, f"warned_{(1 - viewer) % 4}") == [1]
    after = play(dealt, ["claim", "decline"])
    assert (after["phase"], after["warnings"]) == ("steal", [0, 1, 1, 0])
    assert [len(hand) for hand in after["hands"]] == [2, 2, 1, 1]


def test_dropped_dish() -> None:
    """DE-6: from the second time on, any dessert of the hand; DE-4: and it draws all the same."""
    hand = ["Pound cake", "Cheesecake", "Candied ginger"]
    dropped = set()
    for seed in range(20):
        one = study(FALSE_CALLS, ["Yellow cake", hand], phase="call", guest="Fuzzy",
                    warnings=[0, 1, 0, 0])  # fmt: skip
        dealt = seated(FALSE_CALLS, one)
        state = dealt.state.copy()
        state["rng"] = tables(1, seed, config=FALSE_CALLS).state["rng"]
        dealt.state = state
        after = play(dealt, "claim")
        assert after["warnings"] == [0, 1, 0, 0]
        assert len(after["dirty"]) == 1
        assert {*after["hands"][1], *after["dirty"]} == set(hand)
        assert after["to_act"] == 2
        dropped.add(after["dirty"][0])
        after = play(dealt, ["decline", "decline"])
        assert len(after["hands"][1]) == 3
    assert dropped == set(hand)


def test_nothing_to_drop() -> None:
    """DE-6: a false call with an empty hand."""
    dealt = at(FALSE_CALLS, ["Yellow cake"], phase="call", guest="Fuzzy", warnings=[0, 1, 0, 0])
    after = play(dealt, "claim")
    assert (after["hands"][1], after["dirty"], after["to_act"]) == ([], [], 2)
    after = play(dealt, ["decline", "decline"])
    assert [len(hand) for hand in after["hands"]] == [2, 1, 1, 1]


def test_last_dish_is_dropped() -> None:
    """DE-6, DE-11: it is a dirty dish before anybody draws."""
    nuts = [name for name, icons in zip(DESSERTS, ICONS, strict=True) if "nuts" in icons]
    others = rest(*nuts)
    dealt = at(FALSE_CALLS, [nuts, "", "", others], phase="call", guest="Fuzzy", asked=[1, 2],
               warnings=[0, 0, 0, 1])  # fmt: skip
    after = play(dealt, "claim")
    assert len(after["hands"][0]) == len(nuts) + 1  # the active player gets what was dropped
    assert len(after["hands"][3]) == len(others) - 1
    assert (after["pile"], after["dirty"]) == ([], [])


def test_caller_who_can_serve_must() -> None:
    """DE-6: no warning, and the hand is not asked again."""
    dealt = arrival("Fuzzy", "Yellow cake", NUTS + ", Chocolate candy bar", config=FALSE_CALLS)
    after = play(dealt, ["decline", "claim"])
    assert (after["phase"], after["to_act"], after["serving"]) == ("serve", 1, "guest")
    assert (after["warnings"], after["call_order"], after["asked"]) == ([0] * 4, [], [])
    assert legal(dealt) == {"serve Chocolate candy bar", "serve Fudge"}


# -- DE-7 to DE-10: the steal phase ------------------------------------------------------------


def test_what_the_steal_phase_allows() -> None:
    """DE-7: whoever can be paid for, the topmost waiting guest, freshening, nothing."""
    hand = "Peanut butter cups, Ice cream cake, Cheesecake"
    guests = ["The Lumberjack", "Fuzzy, Mary Ann", "The Little Girl", "Nature Girl"]
    for config, changes in ((PLAIN, {}), (PLAIN, {"guest_pile": "", "closing_turn": 3})):
        dealt = at(config, [hand], guests, waiting_room="Wally, The Hermit", **changes)
        offered = {"steal Fuzzy", "steal The Little Girl", "freshen", "done"}
        assert legal(dealt) == offered
    top = at(PLAIN, [hand], guests, waiting_room="Wally, Mr. Healthy")
    assert "waiting room" not in legal(top)
    top = at(PLAIN, [hand + ", Carrot cake"], guests, waiting_room="Wally, Mr. Healthy")
    assert "waiting room" in legal(top)


def test_theft_needs_a_dessert_for_the_bribe() -> None:
    """DE-8: of three cards two may be served, of two cards one."""
    guests = ["", "The Little Girl"]
    pair = "Butter pecan ice cream, Strawberry shortcake"
    assert "steal The Little Girl" not in legal(at(PLAIN, [pair], guests))
    dealt = closing(PLAIN, [pair + ", Candied ginger"], guests)
    after = play(dealt, "steal The Little Girl")  # the ginger is all that is left
    assert after["hands"][0] == []
    assert "Candied ginger" in after["hands"][1]
    dealt = closing(PLAIN, [pair + ", Ice cream cake"], guests)
    play(dealt, "steal The Little Girl")
    assert legal(dealt) == {"serve Butter pecan ice cream", "serve Ice cream cake"}
    three = "Cheesecake, Chocolate mousse, Yellow cake"
    guests = ["", "Boston Cream Pie Guy"]
    assert "steal Boston Cream Pie Guy" not in legal(at(PLAIN, [three], guests))
    assert "steal Boston Cream Pie Guy" in legal(at(PLAIN, [three + ", Fudge"], guests))


def test_order_of_a_theft() -> None:
    """DE-8: name, leave to stop, serve, bribe; then dishes, guest, tip, next turn."""
    hand = "Fudge, Peanut brittle, Walnut brownies, Candied ginger, Peanut butter cups"
    dealt = closing(PLAIN, [hand, "Chocolate candy bar"], ["Wally", "Fuzzy", "Mojo"])
    now = play(dealt, "steal Fuzzy")
    assert (now["phase"], now["to_act"], len(now["hands"][0])) == ("stop", 1, 5)
    now = play(dealt, "allow")
    assert (now["phase"], now["to_act"], now["serving"]) == ("serve", 0, "steal")
    assert (now["target"], now["thief"], now["guests"][1]) == ("Fuzzy", 0, ["Fuzzy"])
    assert legal(dealt) == {"serve Fudge", "serve Peanut butter cups", "serve Walnut brownies"}
    now = play(dealt, "serve Peanut butter cups")
    assert (now["phase"], now["to_act"]) == ("bribe", 0)
    assert (now["chosen"], now["dirty"]) == (["Peanut butter cups"], [])
    assert now["guests"][1] == ["Fuzzy"]
    assert legal(dealt) == {f"bribe {name}" for name in hand.split(", ")[:4]}
    now = play(dealt, "bribe Walnut brownies")
    assert now["dirty"] == ["Peanut butter cups"]
    assert {"Walnut brownies", "Chocolate candy bar"} < {*now["hands"][1]}
    assert (now["guests"][:3], now["thief"]) == ([["Fuzzy", "Wally"], [], ["Mojo"]], None)
    assert len(now["hands"][0]) == 4  # three and the tip
    assert (now["active"], now["phase"]) == (1, "steal")


def test_the_owner_may_use_the_bribe_at_once() -> None:
    """DE-8: its turn may be the next one."""
    dealt = closing(PLAIN, ["Fudge, Peanut butter cups", "Peanut brittle, Orange sherbet"],
                    ["", "Fuzzy"])  # fmt: skip
    play(dealt, ["steal Fuzzy", "allow"])
    assert "steal Fuzzy" in legal(dealt)  # Fudge and brittle, and sherbet for the bribe


def test_which_aces_stop() -> None:
    """DE-8: one icon, craved; a dessert of two icons does not, nor another player's."""
    hands = [
        "Chocolate eclair, Cheesecake, Fudge",
        "Napoleon, Glazed donut, Creme brulee, Yellow cake",
        "Chocolate candy bar",
    ]
    dealt = closing(PLAIN, hands, ["", "The Hermit"])
    play(dealt, "steal The Hermit")
    assert legal(dealt) == {"allow", "stop Napoleon", "stop Glazed donut", "stop Creme brulee"}
    after = play(dealt, "stop Glazed donut")
    assert after["dirty"] == ["Glazed donut"]
    assert after["hands"][0] == ["Cheesecake", "Chocolate eclair", "Fudge"]
    assert (after["guests"][1], after["active"], after["thief"]) == (["The Hermit"], 1, None)


def test_a_stopped_guest_can_be_tried_again() -> None:
    """DE-8: one Ace buys one turn."""
    dealt = closing(
        TWO,
        ["Fudge, Peanut butter cups", "Chocolate candy bar, Pound cake"],
        ["", "Fuzzy"],
        pile="Cherry pie, Peach cobbler",
    )
    after = play(dealt, ["steal Fuzzy", "stop Chocolate candy bar", "done"])
    assert after["active"] == 0
    assert "steal Fuzzy" in legal(dealt)


def test_waiting_room() -> None:
    """DE-9: no bribe, nobody can stop it, the last dessert will do; the next one is on top."""
    hands = ["Walnut brownies", "Fudge, Peanut brittle"]
    dealt = closing(PLAIN, hands, waiting_room="Mojo, Fuzzy")
    before = position(dealt)["waiting_room"]
    after = play(dealt, "waiting room")
    assert (after["guests"][0], after["hands"][0]) == (["Fuzzy"], [])
    assert after["dirty"] == ["Walnut brownies"]
    assert after["waiting_room"] == before[:-1]
    assert after["waiting_room"][-1] == "Mojo"
    assert len(after["hands"][1]) == 3
    assert after["active"] == 1
    dealt = closing(PLAIN, ["Walnut brownies, Fudge, Peanut brittle"], waiting_room="Fuzzy")
    half = play(dealt, "waiting room")
    assert (half["phase"], half["serving"], half["target"]) == ("serve", "waiting room", "Fuzzy")
    assert half["waiting_room"][-1] == "Fuzzy"
    assert legal(dealt) == {"serve Fudge", "serve Walnut brownies"}


def test_freshening_up() -> None:
    """DE-10: in the order of the card list, one at least; then as many are drawn."""
    hand = "Candied ginger, Fudge, Yellow cake"
    dealt = closing(PLAIN, [hand], pile="Cherry pie, Fruit salad, Peach cobbler")
    before = position(dealt)
    now = play(dealt, "freshen")
    assert (now["phase"], now["to_act"], now["discarded"]) == ("freshen", 0, [])
    assert legal(dealt) == {"discard Candied ginger", "discard Fudge", "discard Yellow cake"}
    now = play(dealt, "discard Fudge")
    assert (now["discarded"], now["hands"][0]) == (["Fudge"], ["Candied ginger", "Yellow cake"])
    assert {*now["dirty"]} == {*before["dirty"], "Fudge"}
    assert legal(dealt) == {"discard Yellow cake", "done"}
    now = play(dealt, "discard Yellow cake")
    assert (now["active"], now["discarded"], now["turn"]) == (1, [], before["turn"] + 1)
    assert {"Fudge", "Yellow cake"} <= {*now["dirty"]}
    assert len(now["hands"][0]) == 3
    assert "Candied ginger" in now["hands"][0]
    assert now["pile"] == []


def test_what_is_discarded_may_come_back() -> None:
    """DE-10, DE-11: the discards are among the dirty dishes that are shuffled."""
    hand = "Candied ginger, Fudge, Yellow cake"
    dealt = closing(PLAIN, [hand, [], [], rest(hand)])
    after = play(
        dealt, ["freshen", "discard Candied ginger", "discard Fudge", "discard Yellow cake"]
    )
    assert after["hands"][0] == ["Candied ginger", "Fudge", "Yellow cake"]
    assert after["active"] == 3  # players 1 and 2 had nothing to do, nor to draw
    assert after["closing_turn"] == 4


def test_freshening_a_single_dessert() -> None:
    """DE-10, DE-15: nothing is asked but whether."""
    dealt = closing(PLAIN, ["Fudge"])
    assert legal(dealt) == {"freshen", "done"}
    after = play(dealt, "freshen")
    assert (after["active"], after["dirty"], len(after["hands"][0])) == (1, ["Fudge"], 1)


# -- DE-11, DE-12: drawing, closing time -------------------------------------------------------


def test_dirty_dishes_are_shuffled_only_when_a_card_must_be_drawn() -> None:
    """DE-11: the pile may be empty for a while."""
    dealt = closing(TWO, ["Fudge", "Yellow cake"], pile="Cherry pie")
    now = play(dealt, "done")
    assert (now["pile"], len(now["dirty"])) == ([], 73)
    assert now["hands"][1] == ["Cherry pie", "Yellow cake"]
    now = play(dealt, "done")
    assert (len(now["pile"]), now["dirty"], len(now["hands"][0])) == (72, [], 2)


def test_nothing_to_draw() -> None:
    """DE-11: with neither pile nor dirty dishes nothing is drawn, and the game goes on."""
    dealt = closing(TWO, ["Fudge", rest("Fudge")])
    after = play(dealt, "done")
    assert (after["active"], len(after["hands"][1]), after["turn"]) == (1, 75, 25)
    hungry = arrival("Nature Girl", "Fudge", rest("Fudge"), config=TWO)
    after = play(hungry, ["decline", "decline"])
    assert ([len(hand) for hand in after["hands"]], after["phase"]) == ([1, 75], "steal")


def test_closing_time_begins_after_the_last_guest() -> None:
    """DE-12: not with its turn, whether it is served or waits."""
    dealt = arrival("Fuzzy", "Peanut butter cups, Fudge", guest_pile="")
    now = play(dealt, "claim")
    assert (now["closing_turn"], now["phase"]) == (0, "steal")
    assert feature(dealt, 2, "closing") == [0]
    now = play(dealt, "done")
    assert (now["closing_turn"], now["phase"], now["guest"]) == (1, "steal", None)
    assert feature(dealt, 2, "closing") == [1]
    assert len(now["hands"][1]) == 1


# -- DE-13: winning ----------------------------------------------------------------------------


def test_trio_by_a_call_in_another_players_turn() -> None:
    """At once, and without a tip."""
    guests = ["Wally", "", "Mr. Healthy, Roland"]
    dealt = arrival("Fuzzy", "Yellow cake", "", "Peanut butter cups", guests=guests)
    after = play(dealt, ["decline", "claim"])
    assert (after["phase"], after["winner"], after["active"]) == ("over", 2, 0)
    assert (after["hands"][2], after["dirty"]) == ([], ["Peanut butter cups"])
    assert dealt.rewards[0].tolist() == pytest.approx([-1 / 3, -1 / 3, 1, -1 / 3])
    assert (dealt.terminated[0], dealt.truncated[0]) == (True, False)


def test_trio_by_a_claim_and_from_the_waiting_room() -> None:
    """At once, and without a tip; the others may have more points."""
    guests = ["Mr. Healthy, Roland", "Nature Girl, Mary Ann, Candice, Mrs. Jenkins"]
    dealt = arrival("Fuzzy", "Peanut butter cups", guests=guests)
    after = play(dealt, "claim")
    assert (after["winner"], after["hands"][0], after["phase"]) == (0, [], "over")
    dealt = closing(PLAIN, ["Peanut butter cups"], guests, waiting_room="Fuzzy")
    after = play(dealt, "waiting room")
    assert (after["winner"], after["hands"][0], after["phase"]) == (0, [], "over")


def test_two_of_a_trio_here_and_one_there_win_nothing() -> None:
    """Before one player, that is."""
    dealt = arrival("Fuzzy", "Peanut butter cups, Fudge", guests=["Roland, Wally", "Mr. Healthy"])
    after = play(dealt, "claim")
    assert (after["phase"], after["winner"]) == ("steal", None)


def passes(dealt: Tables) -> int:
    """Let everybody be done until the game is over; return the turns that took."""
    turns = 0
    while position(dealt)["phase"] != "over":
        play(dealt, "done")
        turns += 1
        assert turns < 100
    return turns


@pytest.mark.parametrize("rounds", [1, 3])
def test_points_decide_after_so_many_rounds(rounds: int) -> None:
    """Exactly so many turns for each player, from the turn after the last guest's."""
    config = dataclasses.replace(PLAIN, closing_rounds=rounds)
    dealt = at(config, ["Fudge"], ["", "", "Fuzzy", "Wally"], guest_pile="")
    assert passes(dealt) == 1 + 4 * rounds
    end = position(dealt)
    assert (end["winner"], end["closing_turn"], end["active"]) == (3, 4 * rounds, 0)
    assert dealt.rewards[0].tolist() == pytest.approx([-1 / 3, -1 / 3, -1 / 3, 1])
    assert dealt.terminated[0]


def test_no_closing_time() -> None:
    """With 0 rounds the turn in which the last guest came is the last, steal phase and all."""
    config = dataclasses.replace(PLAIN, closing_rounds=0)
    dealt = arrival("Fuzzy", "Walnut brownies, Peanut butter cups", "Fudge", config=config,
                    guests=["", "Wally"], guest_pile="")  # fmt: skip
    now = play(dealt, ["claim", "serve Walnut brownies"])
    assert (now["phase"], now["to_act"]) == ("steal", 0)
    now = play(dealt, "done")
    assert (now["phase"], now["winner"], now["closing_turn"]) == ("over", 1, 0)
    dealt = arrival("Fuzzy", "Yellow cake", "Fudge", config=config, guests=["", "Wally"])
    now = play(dealt, ["decline", "done"])
    assert now["phase"] != "over"  # there are guests to come


def test_no_end_of_closing_time() -> None:
    """With None only a trio ends it, or the turn limit."""
    dealt = at(UNTIL_TRIO, ["Fudge"], ["", "Wally"], guest_pile="")
    for _ in range(60):
        now = play(dealt, "done")
    assert (now["closing_turn"], now["phase"]) == (60, "steal")
    config = dataclasses.replace(UNTIL_TRIO, max_turns=50)
    dealt = at(config, ["Fudge"], ["", "Wally"], guest_pile="")
    assert passes(dealt) == 50 - 23
    now = position(dealt)
    assert (now["truncated"], now["winner"], now["draw"], now["turn"]) == (True, None, False, 49)


@pytest.mark.parametrize(
    "guests", [["Fuzzy", "", "", "The Tourist"], [], ["Wally", "Mojo", "Inga", "Nana"]]
)
def test_a_tie_is_a_draw(guests: list[str]) -> None:
    """All rewards are 0; the game has not been cut."""
    dealt = closing(PLAIN, ["Fudge"], guests, closing_turn=40)
    after = play(dealt, "done")
    assert (after["phase"], after["draw"], after["winner"]) == ("over", True, None)
    assert dealt.rewards[0].tolist() == [0, 0, 0, 0]
    assert (dealt.terminated[0], dealt.truncated[0]) == (True, False)


def test_a_tie_below_the_top_is_no_draw() -> None:
    """The most points win."""
    dealt = closing(PLAIN, ["Fudge"], ["Fuzzy", "Nature Girl", "The Tourist"], closing_turn=40)
    assert play(dealt, "done")["winner"] == 1


def test_the_last_theft_counts() -> None:
    """Points are counted after it; a trio in the last turn wins as ever."""
    hands = ["Fudge, Peanut butter cups"]
    guests = ["Wally", "Fuzzy, The Tourist, The Emperor"]
    dealt = closing(PLAIN, hands, guests, closing_turn=40)
    after = play(dealt, "steal Fuzzy")
    assert (after["winner"], after["phase"]) == (0, "over")  # 5 against 3
    dealt = closing(
        PLAIN,
        hands,
        ["Roland, Mr. Healthy", "Fuzzy, Nature Girl, Mary Ann, Mrs. Jenkins"],
        closing_turn=40,
    )
    after = play(dealt, "steal Fuzzy")
    assert (after["winner"], after["hands"][0]) == (0, [])


def test_a_stopped_theft_in_the_last_turn() -> None:
    """The turn is over, and with it the game."""
    dealt = closing(PLAIN, ["Fudge, Peanut butter cups", "Peanut brittle"], ["", "Fuzzy"],
                    closing_turn=40)  # fmt: skip
    after = play(dealt, ["steal Fuzzy", "stop Peanut brittle"])
    assert (after["phase"], after["winner"], len(after["hands"][0])) == ("over", 1, 2)


def test_turns_that_nobody_could_use_count() -> None:
    """DE-13, DE-15: three players have nothing, and nothing is left to draw."""
    dealt = closing(PLAIN, [[], [], [], DESSERTS], ["Wally"], active=3, to_act=3,
                    closing_turn=4)  # fmt: skip
    after = play(dealt, "done")
    assert (after["active"], after["turn"], after["closing_turn"]) == (3, 31, 8)
    assert passes(dealt) == 9  # in turns 8, 12, ... 40 of closing time
    assert position(dealt)["closing_turn"] == 40


def test_a_result_in_the_last_turn_counts() -> None:
    """`max_turns`: by points and by a trio; else the game is cut."""
    config = dataclasses.replace(PLAIN, max_turns=64)
    dealt = closing(config, ["Fudge"], ["Wally"], closing_turn=40)
    after = play(dealt, "done")
    assert (after["turn"], after["winner"], after["truncated"]) == (63, 0, False)
    assert (dealt.terminated[0], dealt.truncated[0]) == (True, False)
    config = dataclasses.replace(PLAIN, max_turns=31)
    dealt = closing(
        config,
        ["Peanut butter cups"],
        ["Roland, Mr. Healthy"],
        closing_turn=7,
        waiting_room="Fuzzy",
    )
    after = play(dealt, "waiting room")
    assert (after["turn"], after["winner"]) == (30, 0)
    config = dataclasses.replace(PLAIN, max_turns=63)
    dealt = closing(config, ["Fudge"], ["Wally"], closing_turn=39)
    after = play(dealt, "done")
    assert (after["phase"], after["truncated"], after["winner"]) == ("over", True, None)
    assert (dealt.terminated[0], dealt.truncated[0]) == (False, True)
    assert dealt.rewards[0].tolist() == [0, 0, 0, 0]
    dealt = closing(config, ["Fudge"], ["Wally"], closing_turn=38, active=3, to_act=3)
    assert play(dealt, "done")["phase"] == "steal"  # one more turn


def test_who_goes_first() -> None:
    """`first_player`: that one; else anybody, as it is drawn."""
    config = VARIANTS["3_players_cut"]
    assert set(tables(30, 1, config=config).state["active"].tolist()) == {2}
    dealt = tables(200, 1, config=dataclasses.replace(config, first_player=None))
    assert set(dealt.state["active"][dealt.state["turn"] == 0].tolist()) == {0, 1, 2}


# -- DE-14: what is seen -----------------------------------------------------------------------


def cells(dealt: Tables, viewer: int, name: str, names: Sequence[str]) -> set[str]:
    """Return the cards that a field of an observation shows."""
    return {names[i] for i in np.flatnonzero(feature(dealt, viewer, name))}


def number(bits: list[int]) -> int:
    """Return a binary number."""
    return sum(bit << i for i, bit in enumerate(bits))


def test_what_everybody_sees() -> None:
    """DE-14: guests, Waiting Room and its order, dishes, sizes, turns."""
    hands = [
        "Fudge, Peanut brittle",
        "Yellow cake",
        "",
        "Carrot cake, Cheesecake, Chocolate eclair",
    ]
    guests = ["Wally, Mojo", "Fuzzy"]
    dealt = at(PLAIN, hands, guests, dirty="Fruitcake, Spice cake", waiting_room="Nana, Inga")
    held = [2, 1, 0, 3]
    for viewer in range(4):
        assert cells(dealt, viewer, "dirty", DESSERTS) == {"Fruitcake", "Spice cake"}
        assert cells(dealt, viewer, "waiting_top", GUESTS) == {"Inga"}
        depths = np.reshape(feature(dealt, viewer, "waiting_depth"), (24, -1))
        assert {GUESTS[i]: number(d) for i, d in enumerate(depths.tolist()) if any(d)} == {
            "Inga": 1,
            "Nana": 2,
        }
        assert len(cells(dealt, viewer, "coming", GUESTS)) == 19
        assert number(feature(dealt, viewer, "pile_size")) == 76 - 2 - 6
        assert number(feature(dealt, viewer, "turns_left")) == 1000 - 4
        assert number(feature(dealt, viewer, "closing_left")) == 40
        assert feature(dealt, viewer, "active").index(1) == -viewer % 4
        assert (feature(dealt, viewer, "steal_phase"), feature(dealt, viewer, "guest_phase")) == (
            [1],
            [0],
        )
        assert feature(dealt, viewer, "acting") == [int(viewer == 0)]
        for player in range(4):
            ahead = (player - viewer) % 4
            assert number(feature(dealt, viewer, f"hand_size_{ahead}")) == held[player]
            points = [6, 2, 0, 0][player]
            assert number(feature(dealt, viewer, f"points_{ahead}")) == points
        assert cells(dealt, viewer, f"guests_{-viewer % 4}", GUESTS) == {"Wally", "Mojo"}
        own = {name for name in hands[viewer].split(", ") if name}
        assert cells(dealt, viewer, "hand", DESSERTS) == own


def test_a_bribe_is_seen_as_a_card_in_hand_only() -> None:
    """DE-14: by its receiver; the others see that the hands have changed in size."""
    hand = "Fudge, Candied ginger, Peanut butter cups"
    views = {}
    for bribe in ("Fudge", "Candied ginger"):
        dealt = closing(PLAIN, [hand, "Yellow cake"], ["", "Fuzzy"])
        play(dealt, "steal Fuzzy")
        assert legal(dealt) == {"bribe Fudge", "bribe Candied ginger"}
        play(dealt, f"bribe {bribe}")
        assert bribe in cells(dealt, 1, "hand", DESSERTS)
        assert number(feature(dealt, 3, "hand_size_2")) == 3
        views[bribe] = dealt.observe(2), dealt.observe(3)
    assert np.array_equal(views["Fudge"], views["Candied ginger"])


def test_discards_are_public_at_once() -> None:
    """DE-14: while somebody freshens up, as dirty dishes; before the first, nothing shows."""
    dealt = closing(PLAIN, ["Candied ginger, Fudge, Yellow cake"])
    before = dealt.observe(2)
    play(dealt, "freshen")
    assert np.array_equal(dealt.observe(2), before)
    play(dealt, "discard Fudge")
    for viewer in range(4):
        assert cells(dealt, viewer, "dirty", DESSERTS) == {"Fudge"}
        assert cells(dealt, viewer, "discarded", DESSERTS) == {"Fudge"}
        assert number(feature(dealt, viewer, f"hand_size_{-viewer % 4}")) == 2
    assert cells(dealt, 0, "hand", DESSERTS) == {"Candied ginger", "Yellow cake"}


def test_desserts_laid_down_are_public() -> None:
    """DE-14: one by one, with who serves whom."""
    dealt = closing(PLAIN, [NUTS + ", Chocolate candy bar, Yellow cake"], ["", "", "Fuzzy"])
    play(dealt, ["steal Fuzzy", "serve Chocolate candy bar"])
    for viewer in range(4):
        assert cells(dealt, viewer, "laid_down", DESSERTS) == {
            "Chocolate candy bar",
            "Peanut brittle",
        }
        assert cells(dealt, viewer, "target", GUESTS) == {"Fuzzy"}
        assert feature(dealt, viewer, "serving") == [0, 1, 0]
        assert feature(dealt, viewer, "server").index(1) == -viewer % 4
    dealt = arrival("Fuzzy", "Yellow cake", NUTS + ", Chocolate candy bar, Pecan pie")
    play(dealt, ["decline", "claim", "serve Fudge"])
    for viewer in range(4):
        assert cells(dealt, viewer, "new_guest", GUESTS) == {"Fuzzy"}
        assert feature(dealt, viewer, "server").index(1) == (1 - viewer) % 4
        assert feature(dealt, viewer, "guest_phase") == [1]


def test_who_is_asked_is_seen_by_nobody_else() -> None:
    """DE-14: claim or call, and by whom, look the same to a player who is not asked."""
    hands = ["Peanut butter cups", "Walnut brownies", "Fudge, Baklava", "Yellow cake"]
    dealt = arrival("Fuzzy", *hands)
    before = dealt.observe(3)
    for asked in (1, 2):
        now = play(dealt, "decline")
        assert (now["phase"], now["to_act"]) == ("call", asked)
        assert np.array_equal(dealt.observe(3), before)
        assert feature(dealt, asked, "decision") == [0, 1, 0, 0, 0, 0, 0]
    assert feature(dealt, 3, "decision") == [0] * 7


# -- DE-15: what is not asked ------------------------------------------------------------------


def test_a_steal_phase_without_anything_to_do() -> None:
    """DE-15: it is over at once."""
    after = play(arrival("Fuzzy", "Walnut brownies", guest_pile=""), "claim")
    assert (after["active"], after["closing_turn"], after["hands"][0]) == (1, 1, [])


def test_several_forced_decisions_in_a_row() -> None:
    """DE-15: nobody is asked for two turns."""
    dealt = at(CLOCKWISE, [[], [], "Peanut butter cups"], active=3, to_act=3,
               waiting_room="Mojo", guest_pile="Fuzzy",
               pile="Yellow cake, Pound cake")  # fmt: skip
    assert legal(dealt) == {"done"}
    after = play(dealt, "done")
    assert (after["active"], after["guest"], after["to_act"]) == (0, "Fuzzy", 2)
    assert (after["phase"], after["asked"], len(after["hands"][0])) == ("call", [1], 1)
