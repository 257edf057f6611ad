"""Positions as JSON: round trips, forms of writing, and what is refused."""

from __future__ import annotations

import copy
import functools
import itertools
import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from dessert_env import GAME, Config, tables
from dessert_env.cards import DESSERTS, GUESTS
from dessert_env.position import read_position
from dessert_env.state import OVER, PHASES
from tests.playing import bits

from .playing import STYLES, VARIANTS, Position, legal_actions, play, seated, study, styled_actions

# -- Round trips -------------------------------------------------------------------------------


@functools.cache
def positions(variant: str, seed: int, per_phase: int = 12) -> npt.NDArray[np.void]:
    """Return tables of every phase from play in all styles."""
    rng = np.random.default_rng(seed)
    dealt = tables(32, seed, config=VARIANTS[variant])
    seen = [dealt.state.copy()]
    for step in range(500):
        dealt.step(styled_actions(dealt, rng, list(STYLES)[step // 10 % len(STYLES)]))
        seen += [dealt.state.copy(), dealt.final_state[dealt.terminated | dealt.truncated].copy()]
    lot = np.concatenate(seen)
    phases = [lot[lot["phase"] == phase] for phase in range(len(PHASES))]
    assert all(len(some) for some in phases)
    return np.concatenate([rng.choice(some, min(per_phase, len(some)), False) for some in phases])


@pytest.mark.parametrize("variant", VARIANTS)
def test_round_trip(variant: str) -> None:
    """A position, sent through JSON, gives back the table, all but its random stream."""
    config = VARIANTS[variant]
    for table in positions(variant, seed=1):
        position = json.loads(json.dumps(GAME.position_to_dict(table)))
        again = GAME.position_from_dict(config, position)
        assert GAME.position_to_dict(again) == position
        for name in table.dtype.names:
            assert name == "rng" or np.array_equal(again[name], table[name]), name


@pytest.mark.parametrize(
    "variant", ["standard", "false_calls", "2_players", "3_players_clockwise", "6_players_cut"]
)
def test_position_goes_on_like_the_original(variant: str) -> None:
    """With the same random stream, a position that was read goes on like the original."""
    config = VARIANTS[variant]
    seen = positions(variant, seed=2)
    original, again = (
        tables(len(seen), 0, config=config, autoreset_mode="NextStep") for _ in range(2)
    )
    read = np.concatenate([read_position(config, GAME.position_to_dict(t)) for t in seen])
    read["rng"] = seen["rng"]
    original.state, again.state = seen, read
    assert (seen["phase"] == OVER).any()
    rng = np.random.default_rng(3)
    for _ in range(60):
        for name in ("observation", "action_mask", "current_player", "terminated", "truncated"):
            assert np.array_equal(getattr(again, name), getattr(original, name)), name
        action = styled_actions(original, rng)
        action[original.terminated | original.truncated] = 0
        original.step(action)
        again.step(action)
        assert np.array_equal(again.rewards, original.rewards)
    assert bits(original.state) == bits(again.state)


def test_random_stream_comes_from_the_seed() -> None:
    """`position_from_dict` starts a stream of its own for each seed."""
    streams = [GAME.position_from_dict(Config(), steal(), seed)["rng"].tolist() for seed in (0, 1)]
    assert streams[0] != streams[1]
    assert GAME.position_from_dict(Config(), steal())["rng"].tolist() == streams[0]


# -- Positions to start from -------------------------------------------------------------------

HANDS = ["Fudge, Peanut butter cups", "Napoleon, Candied ginger", "Cheesecake"]
SEATED = ["Nana", "Fuzzy, The Tourist", "The Dude"]


def steal() -> Position:
    """Return the steal phase of player 0."""
    return study(Config(), HANDS, SEATED, waiting_room="Wally, Inga", dirty="Pound cake")


def claim() -> Position:
    """Return a position where player 0 may claim."""
    return study(Config(), ["Yellow cake, Fudge, Fruit salad, Vanilla ice cream"], SEATED,
                 guest="Mojo", phase="claim")  # fmt: skip


def call() -> Position:
    """Return a position where player 3 is asked next, after player 2 had said no."""
    order = {"phase": "call", "call_order": [2, 3, 1], "asked": [2]}
    return study(Config(), [*HANDS, "Baked Alaska"], SEATED, guest="Mojo", **order)


def serve() -> Position:
    """Return a position where player 2 serves the new guest and has laid down a dessert."""
    hand = "Chocolate mousse, Yellow cake, Fudge"
    return study(Config(), ["", "", hand], SEATED, guest="Boston Cream Pie Guy", phase="serve",
                 to_act=2, chosen="Cheesecake")  # fmt: skip


def theft() -> Position:
    """Return a position where player 1 steals from player 2 and has laid down a dessert."""
    return study(Config(), ["", "Peanut brittle, Napoleon"], ["", "Nana", "Fuzzy"], active=1,
                 phase="serve", serving="steal", target="Fuzzy", chosen="Fudge")  # fmt: skip


def fetch() -> Position:
    """Return a position where player 0 serves the topmost guest of the Waiting Room."""
    return study(Config(), ["Peanut brittle"], SEATED[:1], phase="serve", serving="waiting room",
                 waiting_room="Wally, Fuzzy", chosen="Fudge")  # fmt: skip


def stop() -> Position:
    """Return a position where player 1 may stop a theft by player 0."""
    return study(Config(), ["Peanut butter cups, Napoleon", "Fudge"], ["", "Fuzzy"], phase="stop",
                 target="Fuzzy")  # fmt: skip


def bribe() -> Position:
    """Return a position where player 0 chooses a bribe for player 1."""
    return study(Config(), ["Fudge, Napoleon"], ["", "Fuzzy"], phase="bribe", target="Fuzzy",
                 chosen="Peanut butter cups")  # fmt: skip


def freshen() -> Position:
    """Return a position where player 0 has discarded two desserts and may discard another."""
    return study(Config(), ["Fudge"], phase="freshen", discarded="Candied ginger, Cheesecake",
                 dirty="Pound cake")  # fmt: skip


def trio() -> Position:
    """Return a game that player 1 has won by a trio."""
    return study(Config(), HANDS, ["Nana", "Fuzzy, Mr. Healthy, Roland"], phase="over", winner=1,
                 to_act=1, dirty="Peanut brittle, Fruitcake, Chocolate candy bar")  # fmt: skip


def points() -> Position:
    """Return a game that player 0 has won by points, 5 to 2, at the end of closing time."""
    return study(Config(), HANDS, ["Nature Girl", "Fuzzy"], phase="over", winner=0, guest_pile="",
                 closing_turn=40)  # fmt: skip


CUT = Config(max_turns=4)


def cut() -> Position:
    """Return a game that was cut at the turn limit."""
    return study(CUT, HANDS, SEATED, phase="over", truncated=True)


def stopped() -> Position:
    """Return a game that a stopped theft in the last turn has ended: player 1 has won, 2 to 0."""
    return study(Config(), ["Napoleon, Peanut butter cups"], ["", "Fuzzy"], phase="over", winner=1,
                 guest_pile="", closing_turn=40, dirty="Fudge", to_act=1)  # fmt: skip


def in_closing_time() -> Position:
    """Return a game that player 1 has won by a trio in its turn, when no guests came any more."""
    return study(Config(), HANDS, trio()["guests"], phase="over", winner=1, to_act=1, active=1,
                 guest_pile="", closing_turn=7, dirty="Cinnamon roll")  # fmt: skip


def dealt() -> Position:
    """Return a deal: five desserts each, one drawn, one guest turned up."""
    hands = [DESSERTS[:6], DESSERTS[6:11], DESSERTS[11:16], DESSERTS[16:21]]
    position = study(Config(), hands, guest="Mojo", phase="claim", waiting_room="Nana")
    moved("Nana", position["waiting_room"], position["guest_pile"])
    return {**position, "turn": 0}


def false_call() -> Position:
    """Return a position with false calls: player 2 has a warning, and is asked next."""
    return study(Config(false_calls=True), HANDS, SEATED, guest="Mojo", phase="call",
                 asked=[1], warnings=[0, 0, 1, 0])  # fmt: skip


BASES: dict[str, Callable[[], Position]] = {
    base.__name__: base
    for base in (steal, claim, call, serve, theft, fetch, stop, bribe, freshen, trio, points, cut,
                 stopped, in_closing_time, dealt, false_call)
}  # fmt: skip


def config_of(base: str) -> Config:
    """Return the variant of a base."""
    return CUT if base == "cut" else Config(false_calls=base == "false_call")


@pytest.mark.parametrize("base", BASES)
def test_bases_are_possible(base: str) -> None:
    """The positions that the refusals start from are read, and written alike."""
    again = GAME.position_to_dict(read_position(config_of(base), BASES[base]())[0])
    assert again == BASES[base]()
    assert list(again) == list(BASES[base]())


# -- Forms of writing --------------------------------------------------------------------------


def test_dictionary_is_as_documented() -> None:
    """Forms are those of the documentation page, in plain JSON types."""
    position = GAME.position_to_dict(read_position(Config(), theft())[0])
    assert position | {"pile": [], "guest_pile": []} == {
        "turn": 1, "active": 1, "to_act": 1, "phase": "serve",
        "hands": [[], ["Napoleon", "Peanut brittle"], [], []],
        "guests": [[], ["Nana"], ["Fuzzy"], []],
        "pile": [], "dirty": [], "guest_pile": [], "waiting_room": [], "guest": None,
        "call_order": [], "asked": [], "serving": "steal", "target": "Fuzzy", "thief": 1,
        "chosen": ["Fudge"], "discarded": [], "warnings": [0, 0, 0, 0], "closing_turn": 0,
        "winner": None, "draw": False, "truncated": False,
    }  # fmt: skip
    assert position["pile"] == [
        name for name in DESSERTS if name not in ("Napoleon", "Peanut brittle", "Fudge")
    ]
    assert position["guest_pile"] == [name for name in GUESTS if name not in ("Fuzzy", "Nana")]
    called = GAME.position_to_dict(read_position(Config(), call())[0])
    assert (called["guest"], called["call_order"], called["asked"]) == ("Mojo", [2, 3, 1], [2])
    assert called["to_act"] == 3
    fresh = GAME.position_to_dict(read_position(Config(), freshen())[0])
    assert fresh["discarded"] == ["Candied ginger", "Cheesecake"]
    assert fresh["dirty"] == ["Candied ginger", "Cheesecake", "Pound cake"]
    assert json.loads(json.dumps(position)) == position


@pytest.mark.parametrize("base", BASES)
def test_cards_in_any_order(base: str) -> None:
    """Piles and hands are sets; numbers of NumPy are numbers."""
    shuffled = BASES[base]()
    for name in ("pile", "dirty", "guest_pile"):
        shuffled[name] = tuple(shuffled[name][::-1])
    for name in ("hands", "guests"):
        shuffled[name] = tuple(tuple(some[::-1]) for some in shuffled[name])
    shuffled["turn"] = np.int64(shuffled["turn"])
    shuffled["warnings"] = [np.int8(number) for number in shuffled["warnings"]]
    assert GAME.position_to_dict(read_position(config_of(base), shuffled)[0]) == BASES[base]()


@pytest.mark.parametrize(
    ("position", "option", "after"),
    [
        (study(Config()), "done", {"turn": 1}),
        (study(Config(), guest="Mojo", phase="claim", waiting_room="Nana"), "decline",
         {"waiting_room": ["Nana", "Mojo"]}),
        (study(Config(), guest="Mojo", phase="call", waiting_room="Nana"), "decline",
         {"waiting_room": ["Nana", "Mojo"]}),
        (study(Config(), ["Peanut butter cups, Fudge", "Napoleon"], ["", "Fuzzy"], phase="stop",
               target="Fuzzy"), "allow", {"guests": [["Fuzzy"], [], [], []]}),
        (study(Config(), ["Banana split"], guest="Mojo", phase="serve", chosen="Pound cake"),
         "serve Banana split", {"dirty": ["Pound cake", "Banana split"]}),
        (study(Config(), ["Fudge"], ["", "Fuzzy"], phase="bribe", target="Fuzzy",
               chosen="Peanut butter cups"), "bribe Fudge", {"guests": [["Fuzzy"], [], [], []]}),
        (study(Config(), ["Fudge"], phase="freshen"), "discard Fudge", {"phase": "steal"}),
        (study(Config(), ["Fudge"], phase="freshen", discarded="Yellow cake"), "done", {"turn": 1}),
    ],
)  # fmt: skip
def test_a_forced_decision_is_taken_as_it_is(
    position: Position, option: str, after: dict[str, Any]
) -> None:
    """A position may hold a forced decision; its mask has a single 1."""
    dealt = seated(Config(), position)
    assert list(legal_actions(dealt)) == [option]
    played = play(dealt, option)
    for name, value in after.items():
        assert played[name] == value


@pytest.mark.parametrize(
    ("config", "position"),
    [
        (Config(first_player=3), steal()),
        (Config(first_player=0), theft()),
        (Config(closing_rounds=None), {**steal(), "closing_turn": 0}),
        (Config(call_order="clockwise"), {**call(), "call_order": [1, 2, 3], "asked": [1, 2]}),
        (Config(), {**points(), "guests": [["Nature Girl"], ["Nana", "The Tourist"], [], []],
                    "waiting_room": [g for g in GUESTS
                                     if g not in ("Nature Girl", "Nana", "The Tourist")],
                    "winner": None, "draw": True}),
        (Config(), {**serve(), "to_act": 2, "active": 2}),
        (Config(closing_rounds=0, max_turns=4), cut()),
        (Config(), {**stop(), "hands": [["Napoleon", "Peanut butter cups"], [], [], []],
                    "dirty": ["Fudge"]}),
        (Config(), {**trio(), "active": 1}),
        (Config(closing_rounds=None, max_turns=64),
         {**points(), "winner": None, "truncated": True}),
        (Config(), stopped()),
        (Config(), {**freshen(), "discarded": ["Cheesecake"]}),
        (Config(), {**call(), "asked": [], "to_act": 2}),
        (Config(false_calls=True), {**false_call(), "warnings": [1, 1, 1, 1]}),
    ],
)  # fmt: skip
def test_more_that_is_possible(config: Config, position: Position) -> None:
    """Look-alikes of what is refused are read."""
    assert GAME.position_to_dict(read_position(config, position)[0]) == position


# -- What is refused ---------------------------------------------------------------------------


def moved(card: str, source: list[str], goal: list[str]) -> None:
    """Move a card from one list to another, into the order of the card list."""
    source.remove(card)
    goal.append(card)
    goal.sort(key=[*DESSERTS, *GUESTS].index)


def change(base: str, **changes: Any) -> Position:
    """Return a base with entries changed; `take` and `give` name desserts of the pile."""
    position = BASES[base]()
    for name in changes.pop("take", ()):
        position["pile"].remove(name)
    position["pile"] += changes.pop("give", ())
    return {**position, **changes}


def hand(*names: str) -> list[list[str]]:
    """Return hands of which only the first has cards."""
    return [list(names), [], [], []]


ENDS = "of the last three exactly one is set when the game is over, and none before"
BUSY = "both are set in the phases 'serve', 'stop' and 'bribe', and in no other"
LIES = "a guest lies there while it may be claimed and is served"
EMPTY = "empty in all phases but 'call'"
BEGIN = "they must begin a serving for "
ORDER = "must be 3 desserts at most, in the order of the card list"
LIST = "the card list names all"

IMPOSSIBLE: list[tuple[str, dict[str, Any], str]] = [
    # forms
    ("steal", {"phase": "night"}, "phase='night': must be one of claim, call, serve, steal, stop"),
    ("steal", {"phase": 3}, "phase=3: must be one of"),
    ("steal", {"turn": -1}, "turn=-1: must be an integer from 0 to 999"),
    ("steal", {"turn": 1000}, "turn=1000: must be an integer from 0 to 999"),
    ("steal", {"turn": 4.0}, "turn=4.0: must be an integer"),
    ("steal", {"active": 4}, "active=4: must be an integer from 0 to 3"),
    ("steal", {"to_act": None}, "to_act=None: must be an integer from 0 to 3"),
    ("steal", {"to_act": True}, "to_act=True: must be an integer from 0 to 3"),
    ("steal", {"hands": [[], []]}, "hands: a list of 2; must be of 4"),
    ("steal", {"hands": "Fudge"}, "hands='Fudge': must be a list"),
    ("steal", {"hands": ["Fudge", [], [], []]}, r"hands\[0\]='Fudge': must be a list"),
    ("steal", {"hands": hand("Wally")}, rf"hands\[0\]: 'Wally' is no dessert; {LIST} 76"),
    ("steal", {"hands": hand(3)}, rf"hands\[0\]: 3 is no dessert; {LIST} 76"),  # type: ignore[arg-type]
    ("steal", {"guests": [[], []]}, "guests: a list of 2; must be of 4"),
    ("steal", {"guests": hand("Fudge")}, rf"guests\[0\]: 'Fudge' is no guest; {LIST} 24"),
    ("steal", {"pile": None}, "pile=None: must be a list"),
    ("steal", {"pile": ["fudge"]}, "pile: 'fudge' is no dessert"),
    ("steal", {"dirty": ["Soup"]}, "dirty: 'Soup' is no dessert"),
    ("steal", {"guest_pile": ["The Boss"]}, "guest_pile: 'The Boss' is no guest"),
    ("steal", {"waiting_room": [None]}, "waiting_room: None is no guest"),
    ("claim", {"guest": "Moj"}, "guest: 'Moj' is no guest"),
    ("claim", {"guest": True}, "guest: True is no guest"),
    ("serve", {"chosen": ["Cake"]}, "chosen: 'Cake' is no dessert"),
    ("serve", {"target": "Fudge"}, "target: 'Fudge' is no guest"),
    ("serve", {"serving": "theft"}, "serving='theft': must be one of guest, steal, waiting room"),
    ("freshen", {"discarded": ["Cake"]}, "discarded: 'Cake' is no dessert"),
    ("call", {"call_order": [1, 2, 4]}, r"call_order\[2\]=4: must be an integer from 0 to 3"),
    ("call", {"asked": 2}, "asked=2: must be a list"),
    ("steal", {"warnings": [0, 0]}, "warnings: a list of 2; must be of 4"),
    ("false_call", {"warnings": [0, 2, 0, 0]}, r"warnings\[1\]=2: must be an integer from 0 to 1"),
    ("steal", {"closing_turn": None}, "closing_turn=None: must be an integer from 0"),
    ("steal", {"winner": 4}, "winner=4: must be an integer from 0 to 3, or null"),
    ("steal", {"draw": 0}, "draw=0: must be true or false"),
    ("steal", {"truncated": None}, "truncated=None: must be true or false"),
    # every card once
    ("steal", {"dirty": []}, "desserts nowhere: Pound cake; every one must be somewhere"),
    ("steal", {"dirty": ["Pound cake", "Fudge"]}, "dirty: 'Fudge' is there twice, or elsewhere to"),
    ("steal", {"hands": hand("Fudge", "Fudge")}, r"hands\[0\]: 'Fudge' is there twice, or elsewh"),
    ("steal", {"chosen": ["Fudge"]}, "chosen: 'Fudge' is there twice, or elsewhere too"),
    ("steal", {"waiting_room": ["Wally"]}, "guests nowhere: Inga; every one must be somewhere"),
    ("steal", {"waiting_room": ["Wally", "Inga", "Nana"]}, "waiting_room: 'Nana' is there twice"),
    ("steal", {"guest": "Nana"}, "guest: 'Nana' is there twice, or elsewhere too"),
    ("steal", {"guest_pile": []}, "guests nowhere: Agent 17, Bob Fruitcake, "),
    ("freshen", {"discarded": ["Fudge"]}, "discarded: 'Fudge' must be among the dirty dishes too"),
    ("freshen", {"discarded": ["Cheesecake", "Candied ginger"]}, "must be in the order of the car"),
    ("freshen", {"discarded": ["Cheesecake", "Cheesecake"]}, "must be in the order of the card li"),
    # phases and the end
    ("steal", {"winner": 0}, f"phase='steal', winner=0, draw=False, truncated=False: {ENDS}"),
    ("steal", {"truncated": True}, f"phase='steal', winner=None, draw=False, .*: {ENDS}"),
    ("trio", {"winner": None}, f"phase='over', winner=None, draw=False, truncated=False: {ENDS}"),
    ("trio", {"draw": True}, f"phase='over', winner=1, draw=True, truncated=False: {ENDS}"),
    ("trio", {"winner": 0}, "a trio before player 1: it wins at once, and there is one"),
    ("trio", {"winner": None, "draw": True}, "a trio before player 1: it wins at once"),
    ("trio", {"winner": None, "truncated": True}, "a trio before player 1: it wins"),
    ("trio", {"winner": None, "phase": "steal", "to_act": 0}, "a trio before player 1: it wins at"),
    ("trio", {"to_act": 0}, "to_act=0: must be 1, who made a trio"),
    ("trio", {"dirty": ["Fruitcake", "Peanut brittle"], "give": ["Chocolate candy bar"]},
     r"dirty=\['Fruitcake', 'Peanut brittle'\]: must have what the last guest of the trio got"),
    ("steal", {"phase": "over", "truncated": True}, "truncated in turn=5: must be 999"),
    ("points", {"winner": None, "truncated": True}, "truncated in turn=63: must be 999"),
    ("points", {"to_act": 1}, "to_act=1: must be 0, the active player, or one who has just"),
    ("stopped", {"dirty": ["Carrot cake"], "take": ["Carrot cake"], "give": ["Fudge"]},
     "to_act=1: must be 0, the active player, or one who has just stopped its theft with an Ace"),
    ("stopped", {"hands": hand("Peanut butter cups"), "give": ["Napoleon"]}, "to_act=1: must be 0"),
    ("stopped", {"to_act": 2}, "to_act=2: must be 0, the active player, or one who has just stop"),
    ("cut", {"truncated": False, "winner": 1}, "nobody has a trio, closing_turn=0: points decide "
     "after turn 40 of closing time"),
    ("points", {"closing_turn": 39, "turn": 62}, "closing_turn=39: points decide after turn 40 of"),
    ("points", {"winner": 1}, r"winner=1, points \[5, 2, 0, 0\]: most points win, a tie at the to"),
    ("points", {"winner": None, "draw": True}, r"winner=None, points \[5, 2, 0, 0\]: most points"),
    # the clock
    ("points", {"closing_turn": 41, "turn": 64}, "closing_turn=41: must be 40 at most in this var"),
    ("points", {"closing_turn": 1000}, "closing_turn=1000: must be an integer from 0 to 999"),
    ("points", {"closing_turn": 39}, "closing_turn=39 in turn=63: must be 40, since closing time"),
    ("points", {"turn": 30}, "closing_turn=40 in turn=30: must be 7, since closing time begins"),
    ("points", {"turn": 22, "closing_turn": 0}, "turn=22, 0 guests in guest_pile: must be 1, "),
    ("steal", {"closing_turn": 1}, "closing_turn=1 in turn=5: must be 0, since closing time begin"),
    ("steal", {"turn": 4}, "turn=4, 18 guests in guest_pile: must be 19, since each turn from 0 "),
    ("steal", {"turn": 40}, "turn=40, 18 guests in guest_pile: must be 0, since each turn from 0"),
    ("dealt", {"hands": [list(DESSERTS[:6]), list(DESSERTS[6:10]), list(DESSERTS[11:16]),
     list(DESSERTS[16:21])], "give": DESSERTS[10:11]}, r"turn=0, phase='claim', \[6, 4, 5, 5\] de"),
    ("dealt", {"dirty": ["Napoleon"], "take": ["Napoleon"]}, "turn=0, .*, 1 dirty: must be "),
    # who is to act
    ("steal", {"to_act": 1}, "to_act=1 in phase='steal': must be 0"),
    ("claim", {"to_act": 2}, "to_act=2 in phase='claim': must be 0"),
    ("call", {"to_act": 1}, "to_act=1 in phase='call': must be 3"),
    ("call", {"asked": []}, "to_act=3 in phase='call': must be 2"),
    ("theft", {"to_act": 2}, "to_act=2 in phase='serve': must be 1"),
    ("fetch", {"to_act": 1}, "to_act=1 in phase='serve': must be 0"),
    ("stop", {"to_act": 0}, "to_act=0 in phase='stop': must be 1"),
    ("bribe", {"to_act": 1}, "to_act=1 in phase='bribe': must be 0"),
    ("freshen", {"to_act": 1}, "to_act=1 in phase='freshen': must be 0"),
    # calls
    ("steal", {"call_order": [1, 2, 3]}, rf"phase='steal', call_order=\[1, 2, 3\].*: {EMPTY}"),
    ("claim", {"asked": [1]}, rf"phase='claim', call_order=\[\], asked=\[1\]: {EMPTY}"),
    ("trio", {"call_order": [1, 2, 3]}, rf"phase='over', call_order=\[1, 2, 3\].*: {EMPTY}"),
    ("call", {"call_order": [2, 3]}, r"call_order=\[2, 3\]: must have all players but the active"),
    ("call", {"call_order": [2, 3, 0]}, "must have all players but the active one, 0"),
    ("call", {"call_order": [2, 2, 3]}, "must have all players but the active one, 0"),
    ("call", {"asked": [3]}, r"asked=\[3\]: must be the first of call_order=\[2, 3, 1\], not all"),
    ("call", {"asked": [2, 3, 1]}, r"asked=\[2, 3, 1\]: must be the first of .*, not all of them"),
    ("call", {"warnings": [0, 1, 0, 0]}, r"warnings=\[0, 1, 0, 0\]: must be 0 without false calls"),
    # the guest turned up
    ("claim", {"phase": "steal"}, f"phase='steal', guest='Mojo': {LIES}"),
    ("steal", {"phase": "claim"}, f"phase='claim', guest=None: {LIES}"),
    ("steal", {"phase": "call", "call_order": [1, 2, 3], "to_act": 1}, f"guest=None: {LIES}"),
    # servings
    ("claim", {"phase": "serve"}, f"phase='serve', serving=None, target=None: {BUSY}"),
    ("steal", {"serving": "guest"}, f"phase='steal', serving='guest', target=None: {BUSY}"),
    ("steal", {"target": "Nana"}, f"phase='steal', serving=None, target='Nana': {BUSY}"),
    ("serve", {"target": None}, f"phase='serve', serving='guest', target=None: {BUSY}"),
    ("serve", {"target": "Fuzzy"}, "target='Fuzzy': must be the guest turned up"),
    ("fetch", {"target": "Wally"}, "target='Wally': must be the topmost of the Waiting Room"),
    ("fetch", {"target": "Nana"}, "target='Nana': must be the topmost of the Waiting Room"),
    ("fetch", {"serving": "guest"}, "target='Fuzzy': must be the guest turned up"),
    ("theft", {"target": "Nana"}, "target='Nana': must be a guest of another player"),
    ("theft", {"serving": "waiting room", "thief": None}, "must be the topmost of the Waiting"),
    ("theft", {"active": 2, "to_act": 2, "thief": 2}, "target='Fuzzy': must be a guest of another"),
    ("stop", {"serving": "guest", "thief": None}, "phase='stop', serving='guest': must be 'steal'"),
    ("bribe", {"serving": "waiting room", "thief": None}, "phase='bribe', .*: must be 'steal' the"),
    ("theft", {"thief": None}, "thief=None: must be 1, the active player during a theft"),
    ("theft", {"thief": 2}, "thief=2: must be 1, the active player during a theft"),
    ("steal", {"thief": 0}, "thief=0: must be null, the active player during a theft"),
    ("fetch", {"thief": 0}, "thief=0: must be null, the active player during a theft"),
    # desserts laid down
    ("steal", {"chosen": ["Napoleon"], "hands": [["Fudge", "Peanut butter cups"],
     ["Candied ginger"], ["Cheesecake"], []]},
     r"phase='steal', chosen=\['Napoleon'\]: desserts lie there in the phases 'serve' and 'bribe'"),
    ("stop", {"chosen": ["Napoleon"], "hands": [["Peanut butter cups"], ["Fudge"], [], []]},
     r"phase='stop', chosen=\['Napoleon'\]: desserts lie there in the phases"),
    ("serve", {"chosen": ["Napoleon"], "take": ["Napoleon"], "dirty": ["Cheesecake"]},
     rf"chosen=\['Napoleon'\]: with the hand of player 2 {BEGIN}Boston Cream Pie Guy"),
    ("serve", {"to_act": 3}, rf"chosen=\['Cheesecake'\]: with the hand of player 3 {BEGIN}Boston"),
    ("serve", {"chosen": ["Chocolate mousse", "Cheesecake"],
     "hands": [[], [], ["Yellow cake", "Fudge"], []]}, f": {ORDER}"),
    ("serve", {"chosen": ["Boston cream pie"], "take": ["Boston cream pie"],
     "dirty": ["Cheesecake"]}, rf"chosen=\['Boston cream pie'\]: with the hand .* {BEGIN}Boston"),
    ("serve", {"chosen": ["Cheesecake", "Chocolate mousse", "Yellow cake"],
     "hands": [[], [], ["Fudge"], []]}, f"{BEGIN}Boston Cream Pie Guy"),
    ("serve", {"chosen": ["Cheesecake", "Chocolate mousse", "Fudge", "Yellow cake"],
     "hands": [[], [], [], []]}, f": {ORDER}"),
    ("theft", {"hands": [[], ["Peanut brittle"], [], []], "dirty": ["Napoleon"]},
     rf"chosen=\['Fudge'\]: .* {BEGIN}Fuzzy, with a dessert left for the bribe in a theft"),
    ("fetch", {"hands": [[], [], [], []], "dirty": ["Peanut brittle"]}, f"{BEGIN}Fuzzy"),
    ("bribe", {"chosen": [], "dirty": ["Peanut butter cups"]}, r"chosen=\[\]: must satisfy Fuzzy"),
    ("bribe", {"chosen": ["Fudge"], "hands": hand("Napoleon", "Peanut butter cups")},
     r"chosen=\['Fudge'\]: must satisfy Fuzzy, none to spare"),
    ("bribe", {"chosen": ["Fudge", "Peanut butter cups"], "hands": hand("Napoleon")},
     r"chosen=\['Fudge', 'Peanut butter cups'\]: must satisfy Fuzzy, none to spare"),
    ("bribe", {"hands": hand(), "dirty": ["Fudge", "Napoleon"]},
     "phase='bribe': player 0 has no desserts"),
    # Aces and freshening up
    ("stop", {"hands": [["Carrot cake", "Napoleon"], ["Fudge"], [], []], "take": ["Carrot cake"],
     "dirty": ["Peanut butter cups"]}, "player 0 .*Fuzzy"),
    ("stop", {"hands": [["Peanut butter cups"], ["Fudge"], [], []], "dirty": ["Napoleon"]},
     "player 0 .*Fuzzy"),
    ("freshen", {"phase": "steal"}, "discarded=.*: must be empty in phase='steal'"),
    ("freshen", {"discarded": [], "hands": hand(), "dirty": ["Fudge", "Pound cake",
     "Candied ginger", "Cheesecake"]}, "phase='freshen': player 0 has no desserts"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "changes", "complaint"), IMPOSSIBLE)
def test_impossible_positions(base: str, changes: dict[str, Any], complaint: str) -> None:
    """An impossible position is refused with a text that says what is wrong."""
    with pytest.raises(ValueError, match=complaint):
        read_position(config_of(base), change(base, **changes))


@pytest.mark.parametrize("key", steal())
def test_missing_and_unknown_keys(key: str) -> None:
    """All keys must be there, and no other."""
    position = steal()
    del position[key]
    with pytest.raises(ValueError, match=f"the position has no {key}; must have the keys turn, "):
        read_position(Config(), position)
    with pytest.raises(ValueError, match=f"the position has unknown {key}_; must have the keys"):
        read_position(Config(), {**steal(), f"{key}_": 0})


NESTED: list[Any] = []
for _ in range(5000):
    NESTED = [NESTED]

JUNK = [
    None, True, -1, 2**31, 10**8, 2**70, -(2**70), 1.5, 1.0, float("nan"), "1", "\u0663", b"1", [1],
    [None], {"a": 1}, NESTED, np.float32(1), np.True_, np.array([1, 1]), np.array(1.0), Config(),
    GAME.blank_table(Config())[0], object(), "x" * 200_000,
]  # fmt: skip


@pytest.mark.parametrize("base", ["call", "theft", "freshen", "trio"])
def test_junk_for_every_entry(base: str) -> None:
    """Whatever an entry holds, it is refused by its name, in a short text, or means the same."""
    position, config = BASES[base](), config_of(base)
    written = GAME.position_to_dict(read_position(config, position)[0])
    refused = 0
    for key, junk in itertools.product(position, JUNK):
        for value in (junk, *inside(position[key], junk)):
            try:
                again = read_position(config, {**position, key: value})[0]
            except (TypeError, ValueError) as error:
                complaint = str(error)
                refused += 1
            else:
                assert GAME.position_to_dict(again) == written, (key, value)
                continue
            assert key in complaint, (key, complaint)
            assert len(complaint) < 2000
    assert refused > 20 * len(position)


def inside(entry: Any, junk: Any) -> list[Any]:
    """Return a list with junk instead of its first element, and within that one."""
    if not isinstance(entry, list) or not entry:
        return [[junk]] if isinstance(entry, list) else []
    return [[junk, *entry[1:]], *([each, *entry[1:]] for each in inside(entry[0], junk))]


@pytest.mark.parametrize("thief", [1.0, 1.5, "1", True, np.array([1, 1]), np.array([1]), [1]])
def test_a_thief_is_a_number(thief: Any) -> None:
    """Numbers that are no integers are refused as such, and so is what only equals one."""
    with pytest.raises(TypeError, match=r"thief=.*: must be an integer from 0 to 3, or null"):
        read_position(Config(), {**theft(), "thief": thief})
    with pytest.raises(ValueError, match="thief=4: must be an integer from 0 to 3, or null"):
        read_position(Config(), {**theft(), "thief": 4})
    assert read_position(Config(), {**theft(), "thief": np.int8(1)})[0]["active"] == 1


@pytest.mark.parametrize("position", [None, [], "steal", 3])
def test_no_mapping(position: Any) -> None:
    """What is no mapping is refused."""
    with pytest.raises(ValueError, match="must be a mapping"):
        read_position(Config(), position)


@pytest.mark.parametrize(
    ("config", "position", "complaint"),
    [
        (
            Config(first_player=2),
            steal(),
            "active=0 in turn=5: must be 3, since player 2 takes turn",
        ),
        (Config(players=3), steal(), "hands: a list of 4; must be of 3"),
        (Config(players=6), steal(), "hands: a list of 4; must be of 6"),
        (
            Config(call_order="clockwise"),
            call(),
            r"\[2, 3, 1\]: must be \[1, 2, 3\] in this variant",
        ),
        (Config(max_turns=5), steal(), "turn=5: must be an integer from 0 to 4"),
        (
            Config(max_turns=64),
            {**points(), "winner": None, "truncated": True},
            "truncated, closing_turn=40: points decide then, in any turn",
        ),
        (Config(), false_call(), r"warnings=\[0, 0, 1, 0\]: must be 0 without false calls"),
        (Config(closing_rounds=None), points(), "points decide never in this variant"),
        (Config(closing_rounds=0), points(), "closing_turn=40: must be 0 at most in this variant"),
        (
            Config(closing_rounds=None),
            {**in_closing_time(), "active": 0},
            "active=0: must be 1, who made a trio; in closing time nobody else serves",
        ),
        (
            Config(false_calls=True),
            {**dealt(), "warnings": [0, 1, 0, 0]},
            r"warnings=\[0, 1, 0, 0\] in turn=0: must be 0 of all but none, who alone",
        ),
        (
            Config(false_calls=True),
            {
                **dealt(),
                "warnings": [0, 1, 1, 0],
                "phase": "call",
                "call_order": [3, 1, 2],
                "asked": [3, 1],
                "to_act": 2,
            },
            "must be 0 of all but player 3, player 1, who alone have been asked",
        ),
        (
            Config(false_calls=True),
            {**study(Config(), waiting_room="Mojo"), "warnings": [1, 0, 0, 0]},
            "must be 0 of all but player 1, player 2, player 3, who alone",
        ),
        (Config(closing_rounds=11), points(), "points decide after turn 44 of closing time"),
    ],
)
def test_what_a_variant_refuses(config: Config, position: Position, complaint: str) -> None:
    """Some positions are possible in other variants only."""
    with pytest.raises(ValueError, match=complaint):
        read_position(config, position)


# -- Nothing is accepted that cannot be played ---------------------------------------------------

SMALL = {
    "false_calls": Config(players=3, false_calls=True, closing_rounds=1, max_turns=50),
    "until_trio": Config(players=3, closing_rounds=None, max_turns=40),
}


def shifted(rng: random.Random, position: Position) -> None:
    """Move a card to another place, change a number or a phase, or begin something else.

    Mostly with a turn that goes with the guests who have come.
    """
    players = range(len(position["hands"]))
    kind = rng.choice(["dessert", "dessert", "guest", "number", "phase", "serving", "many"])
    if kind in ("dessert", "many"):
        places = [*position["hands"], position["pile"], position["dirty"], position["chosen"]]
        for _ in range(1 if kind == "dessert" else 30):
            source, goal = rng.choice([p for p in places if p]), rng.choice(places)
            moved(rng.choice(source), source, goal)
    elif kind == "guest":
        places = [*position["guests"], position["guest_pile"], position["waiting_room"]]
        source, goal = rng.choice([p for p in places if p]), rng.choice(places)
        moved(rng.choice(source), source, goal)
    elif kind == "number":
        name = rng.choice(["active", "to_act", "thief", "turn", "closing_turn", "winner"])
        position[name] = rng.choice([*players, None, 30])
    elif kind == "phase":
        position["phase"] = rng.choice(PHASES)
    else:
        begun(rng, position)
    if rng.random() < 0.95:
        came = len(GUESTS) - len(position["guest_pile"])
        past = rng.randint(0, 3) if came == len(GUESTS) else 0
        position.update(turn=came - 1 + past, closing_turn=past)


def begun(rng: random.Random, position: Position) -> None:
    """Begin a phase, with all that belongs to it, whether it can be or not."""
    players = range(len(position["hands"]))
    phase = rng.choice(["claim", "call", "serve", "stop", "bribe", "freshen", "steal"])
    position["pile"] += position["chosen"]
    if position["guest"]:
        position["guest_pile"].append(position["guest"])
    active = rng.choice(players)
    position.update(
        phase=phase, active=active, to_act=active, guest=None, serving=None, target=None,
        thief=None, chosen=[], discarded=[], call_order=[], asked=[],
    )  # fmt: skip
    owned = [g for p in players if p != active for g in position["guests"][p]]
    if phase in ("claim", "call") and position["guest_pile"]:
        position["guest"] = position["guest_pile"].pop()
        position["closing_turn"] = 0
    if phase == "call":
        order = [p for p in players if p != active]
        rng.shuffle(order)
        position.update(call_order=order, to_act=order[0])
    if phase in ("serve", "stop", "bribe") and owned:
        target = rng.choice(owned)
        owner = next(p for p in players if target in position["guests"][p])
        to_act = owner if phase == "stop" else active
        position.update(serving="steal", target=target, thief=active, to_act=to_act)


@pytest.mark.parametrize("variant", SMALL)
def test_whatever_is_read_can_be_played(variant: str) -> None:
    """Positions changed at random are refused, or are played to the end: nobody is ever stuck."""
    config, rng = SMALL[variant], random.Random(variant)
    dealt = tables(16, 0, config=config)
    random_play, lot = np.random.default_rng(0), []
    for _ in range(150):
        dealt.step(styled_actions(dealt, random_play))
        lot += [GAME.position_to_dict(table) for table in dealt.state]
    read: list[np.void] = []
    refused = 0
    while len(read) < 2000:
        position = copy.deepcopy(rng.choice(lot))
        for _ in range(rng.randint(1, 4)):
            shifted(rng, position)
        try:
            read.append(GAME.position_from_dict(config, position, seed=len(read)))
        except ValueError:
            refused += 1
    assert refused > 500
    state = np.array(read)
    phases = Counter(PHASES[phase] for phase in state["phase"])
    assert all(phases[phase] > 10 for phase in PHASES[:-1]), phases
    state = state[state["phase"] != OVER]
    games = tables(len(state), 0, config=config)
    games.state = state
    finished = np.zeros(len(state), bool)
    for _ in range(3000):
        assert games.action_mask.any(axis=1).all(), GAME.position_to_dict(
            games.state[games.action_mask.any(axis=1).argmin()]
        )
        games.step(styled_actions(games, random_play, "serving"))
        finished |= games.terminated | games.truncated
        if finished.all():
            return
    pytest.fail(f"{(~finished).sum()} games have no end")


def test_nobody_is_asked_when_the_active_player_claims() -> None:
    """So in turn 0 nobody can have called falsely then (DE-3, DE-6)."""
    config = Config(false_calls=True)
    dealt_tables = tables(64, 0, config=config)
    claims = dealt_tables.action_mask[:, 0] == 1
    dealt_tables.step(np.where(claims, 0, dealt_tables.sample_actions()))
    positions = [GAME.position_to_dict(table) for table in dealt_tables.state[claims]]
    claimed = [p for p in positions if p["phase"] == "serve" and p["to_act"] == p["active"]]
    assert claimed
    for position in claimed:
        GAME.position_from_dict(config, position)
        position["warnings"][(position["active"] + 1) % 4] = 1
        with pytest.raises(ValueError, match=r"warnings=.* in turn=0: must be 0 of all but none"):
            GAME.position_from_dict(config, position)
