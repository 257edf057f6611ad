"""A second opinion on the rules of Dessert: plain, slow Python.

This file was written from the rulebook and the rulings DE-1 to DE-15 alone. It shares no code
with the game package, so that the two can be played in lock-step and compared. Positions and
actions go in and out in the same words as the package uses. Nothing here is random: whoever
plays an action also shows the position that came of it, and the reference takes from there what
chance has decided, if the rules allow for that, and works out the rest.

A dessert and a guest are their names. Every card is there once. Wherever the order of some cards
means nothing they are listed in the order of the card list.
"""

from __future__ import annotations

import copy
import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

# --------------------------------------------------------------------------------------
# The cards
# --------------------------------------------------------------------------------------

_DESSERTS = """
Black forest cake: cake chocolate fruit
Boston cream pie: cake chocolate pie pudding
Bread pudding: pudding spices
Butter pecan ice cream: ice_cream nuts
Cake donut with sprinkles: cake pastry
Candied ginger: spices
Candied yams: marshmallow veggies
Caramel nut torte: cake nuts
Carrot cake: cake veggies
Cheesecake: pie
Ambrosia salad: fruit marshmallow
Cherry pie: fruit pie
Chocolate angel food cake: cake chocolate
Chocolate candy bar: chocolate
Chocolate chip cookies: chocolate cookie
Chocolate covered marshmallows: chocolate marshmallow
Chocolate cream pie: chocolate pie pudding
Chocolate dipped strawberries: chocolate fruit
Chocolate eclair: chocolate pastry pudding
Chocolate fondue: chocolate fruit marshmallow
Chocolate frosted donut: chocolate pastry
Apple pie a la mode: fruit ice_cream pie
Chocolate mousse: chocolate pudding
Chocolate sandwich cookies: chocolate cookie
Cinnamon roll: pastry spices
Coconut custard pie: nuts pie pudding
Coconut macaroons: cookie nuts
Coffee cake: cake nuts spices
Creme brulee: pudding
Crispy rice treats: cookie marshmallow
Profiteroles: ice_cream pastry
Devil's food cupcakes: cake chocolate
Apple turnover: fruit pastry
Fortune cookies: cookie
Fruitcake: cake fruit nuts
Fruit salad: fruit
Fudge: chocolate
Gingerbread dudes: cookie spices
Glazed donut: pastry
Hot fudge sundae: chocolate ice_cream
Ice cream cake: cake ice_cream
Ice cream cone: cookie ice_cream
Ice cream sandwich: chocolate cookie ice_cream
Baked Alaska: cake chocolate fruit ice_cream
Lemon cookie squares: cookie fruit
Mint chocolate milk shake: chocolate ice_cream
Napoleon: pastry
Zucchini muffin: cake veggies
Oatmeal raisin cookies: cookie fruit
Orange sherbet: fruit ice_cream
Peach cobbler: fruit pie
Peanut brittle: nuts
Peanut butter cookies: cookie nuts
Peanut butter cups: chocolate nuts
Baklava: nuts pastry
Pecan pie: nuts pie
Pineapple upside down cake: cake fruit
Pound cake: cake
Pumpkin ice cream: ice_cream veggies
Zucchini nut bread: cake nuts veggies
Pumpkin pie: pie veggies
Rhubarb crumble: pastry veggies
S'mores: chocolate cookie marshmallow
Shoo fly pie: pie
Spice cake: cake spices
Banana pudding: cookie fruit pudding
Strawberry ice cream: fruit ice_cream
Strawberry shortcake: cake fruit
Sugar cookies: cookie
Tapioca pudding: pudding
Toasted marshmallows: marshmallow
Vanilla ice cream: ice_cream
Walnut brownies: chocolate cookie nuts
Yellow cake: cake
Banana split: chocolate fruit ice_cream
Belgian waffle: fruit pastry
"""

# name|trio|points|cravings|dislikes|favourites
_GUESTS = """
Agent 17|crescent|3|fruit pastry|nuts|Apple turnover;Belgian waffle
Bob Fruitcake|spade|3|cake fruit nuts||Fruitcake
Boston Cream Pie Guy|square|4|cake chocolate pie pudding||Boston cream pie
Candice|crescent|4|marshmallow veggies|chocolate|Candied yams
Fuzzy|circle|2|chocolate nuts|marshmallow|Peanut butter cups
Inga|spade|3|chocolate cookie ice_cream||Ice cream sandwich
Mary Ann|star|4|nuts pie pudding||Coconut custard pie
Mojo|star|3|cake chocolate fruit ice_cream||Baked Alaska
Mr. Healthy|circle|4|pie veggies|chocolate|Pumpkin pie
Mrs. Jenkins|diamond|4|cake nuts veggies||Zucchini nut bread
Nana|spade|3|fruit ice_cream pie||Apple pie a la mode
Nature Girl|heart|5|fruit spices veggies||
Roland|circle|3|pastry spices|fruit|Cinnamon roll
The Astronaut|crescent|2|chocolate cookie|nuts|Chocolate chip cookies;Chocolate sandwich cookies
The Dude|club|3|chocolate fruit marshmallow||Chocolate fondue
The Emperor|heart|1|cake chocolate|fruit veggies|Devil's food cupcakes;Chocolate angel food cake
The Hermit|club|4|chocolate pastry pudding||Chocolate eclair
The Hippie|heart|3|chocolate fruit ice_cream||Banana split
The Little Boy|diamond|3|chocolate cookie marshmallow||S'mores
The Little Girl|diamond|2|cake ice_cream|veggies|Ice cream cake
The Lumberjack|club|2|cookie ice_cream|nuts|Ice cream cone
The Tourist|square|2|cake chocolate fruit||Black forest cake
Wally|square|3|chocolate cookie nuts||Walnut brownies
The Professor|star|2|cake fruit|chocolate|Strawberry shortcake;Pineapple upside down cake
"""


@dataclass(frozen=True)
class Guest:
    """What is printed on a guest card."""

    trio: str
    points: int
    cravings: frozenset[str]
    dislikes: frozenset[str]
    favourites: frozenset[str]


def _read_desserts() -> dict[str, frozenset[str]]:
    """Return the icons of every dessert, in the order of the card list."""
    cards = {}
    for line in _DESSERTS.strip().splitlines():
        name, _, icons = line.partition(": ")
        cards[name] = frozenset(icons.split())
    return cards


def _read_guests() -> dict[str, Guest]:
    """Return every guest, in the order of the card list."""
    cards = {}
    for line in _GUESTS.strip().splitlines():
        name, trio, points, cravings, dislikes, favourites = line.split("|")
        cards[name] = Guest(
            trio,
            int(points),
            frozenset(cravings.split()),
            frozenset(dislikes.split()),
            frozenset(favourites.split(";") if favourites else ()),
        )
    return cards


ICONS = _read_desserts()
DESSERTS = list(ICONS)
GUESTS = _read_guests()
ACES = {name for name, icons in ICONS.items() if len(icons) == 1}

MOST_SERVED = 3  # desserts in one serving (DE-2)
TRIO = 3

# The cards that one player may draw between two choices, after a freshening perhaps: a tip, that
# of one's own turn, that of a guest who stays hungry.
MOST_DRAWN = 3

# Phases
CLAIM, CALL, SERVE, STEAL = "claim", "call", "serve", "steal"
STOP, BRIBE, FRESHEN, OVER = "stop", "bribe", "freshen", "over"
PHASES = {CLAIM, CALL, SERVE, STEAL, STOP, BRIBE, FRESHEN, OVER}

# Whom a serving is for
NEW_GUEST, STOLEN_GUEST, WAITING_GUEST = "guest", "steal", "waiting room"

CLOCKWISE = "clockwise"


def _in_order(names: Iterable[str], card_list: Iterable[str]) -> list[str]:
    """Sort some cards, none of them there twice, as the card list has them."""
    cards = set(names)
    return [name for name in card_list if name in cards]


def _cards(names: Iterable[str], card_list: Iterable[str]) -> list[str]:
    """Read some cards in their order."""
    cards = list(names)
    known = set(card_list)
    for name in cards:
        if name not in known:
            raise ValueError(f"not a card: {name!r}")
    return cards


def _refuse_duplicates(places: Iterable[Iterable[str]]) -> None:
    """Raise ValueError if a card lies in two places."""
    for name, number in Counter(itertools.chain.from_iterable(places)).items():
        if number > 1:
            raise ValueError(f"a card in two places: {name!r}")


# --------------------------------------------------------------------------------------
# Serving (DE-2)
# --------------------------------------------------------------------------------------


def satisfies(desserts: Iterable[str], guest: str) -> bool:
    """Tell whether these desserts show all that a guest craves and nothing that it dislikes."""
    shown: set[str] = set()
    for dessert in desserts:
        shown |= ICONS[dessert]
    return GUESTS[guest].cravings <= shown and not GUESTS[guest].dislikes & shown


def is_serving(desserts: Sequence[str], guest: str) -> bool:
    """Tell whether these desserts satisfy a guest, and none could be left out."""
    return (
        1 <= len(desserts) <= MOST_SERVED
        and satisfies(desserts, guest)
        and not any(
            satisfies([other for other in desserts if other != dessert], guest)
            for dessert in desserts
        )
    )


@lru_cache(maxsize=10_000)
def _servings(desserts: tuple[str, ...], guest: str) -> tuple[tuple[str, ...], ...]:
    """Return all servings that can be made of some desserts in order."""
    return tuple(
        choice
        for number in range(1, MOST_SERVED + 1)
        for choice in itertools.combinations(desserts, number)
        if is_serving(choice, guest)
    )


def servings(desserts: Iterable[str], guest: str) -> set[tuple[str, ...]]:
    """Return all servings for a guest that some desserts make, each in the order of the list."""
    wanted = GUESTS[guest]
    # A dessert without anything craved could be left out; one with a dislike spoils it all.
    useful = [
        dessert
        for dessert in _in_order(desserts, DESSERTS)
        if ICONS[dessert] & wanted.cravings and not ICONS[dessert] & wanted.dislikes
    ]
    return set(_servings(tuple(useful), guest))


# --------------------------------------------------------------------------------------
# Chance
# --------------------------------------------------------------------------------------

T = TypeVar("T")


class ImpossibleError(AssertionError):
    """Chance cannot have decided as a position has it."""


def _require(condition: bool, complaint: str) -> None:
    """Raise ImpossibleError unless the condition holds."""
    if not condition:
        raise ImpossibleError(complaint)


class Chance:
    """What chance may have decided, as far as a position tells that came of it.

    Almost always one possibility is left. Where there are more, one story has to be told after
    the other: the script of a story has the number of the possibility to take, each time that
    chance decides. Beyond the end of the script it is the first one.
    """

    def __init__(self, after: Mapping[str, Any], script: Iterable[int] = ()) -> None:
        """Read off a position, and tell the story that goes by this script."""
        self._after = after
        self._script = list(script)
        self._widths: list[int] = []  # how many possibilities there were each time

    def is_only_story(self) -> bool:
        """Tell whether there was no other possibility so far."""
        return all(width == 1 for width in self._widths)

    def next_script(self) -> list[int] | None:
        """Return the script of the next story, if there is one."""
        script = self._script[: len(self._widths)]
        while script:
            if script[-1] + 1 < self._widths[len(script) - 1]:
                script[-1] += 1
                return script
            script.pop()
        return None

    def _choose(self, options: Sequence[T], complaint: str) -> T:
        _require(bool(options), complaint)
        place = len(self._widths)
        if place == len(self._script):
            self._script.append(0)
        self._widths.append(len(options))
        return options[self._script[place]]

    def drawn(self, number: int, pile: Sequence[str], player: int) -> tuple[str, ...]:
        """Return so many cards of a pile that a player may have drawn.

        Before the next real choice nobody parts with a card that was drawn, so that it is in
        the hand still.
        """
        hand_after = set(self._after["hands"][player])
        possible = [dessert for dessert in _in_order(pile, DESSERTS) if dessert in hand_after]
        complaint = f"cannot have drawn {number} of {sorted(pile)} to hold {sorted(hand_after)}"
        _require(len(possible) <= number + MOST_DRAWN, complaint)
        return self._choose(list(itertools.combinations(possible, number)), complaint)

    def revealed(self, guest_pile: Iterable[str]) -> str:
        """Return a guest that may have been turned up."""
        left_after = set(self._after["guest_pile"])
        possible = [guest for guest in _in_order(guest_pile, GUESTS) if guest not in left_after]
        return self._choose(possible, "no guest has left the pile")

    def call_order(self, clockwise: list[int], guest: str | None) -> list[int]:
        """Return an order in which the others may be asked, given the one around the table.

        If it cannot be seen, then nobody had a choice, and any order will do.
        """
        if self._after["phase"] != CALL or self._after["guest"] != guest:
            return list(clockwise)
        order = [int(player) for player in self._after["call_order"]]
        _require(sorted(order) == sorted(clockwise), f"cannot be the call order: {order}")
        return order

    def dropped(self, hand: Iterable[str], player: int) -> str:
        """Return a card of a hand that a player may have had to discard (DE-6)."""
        hand_after = set(self._after["hands"][player])
        in_order = _in_order(hand, DESSERTS)
        missing = [dessert for dessert in in_order if dessert not in hand_after]
        # If none is missing it was shuffled and drawn again.
        return self._choose(missing or in_order, "no card to drop")


# --------------------------------------------------------------------------------------
# The table
# --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Variant:
    """The options of the game."""

    players: int
    call_order: str
    false_calls: bool
    closing_rounds: int | None
    max_turns: int


@dataclass
class Table:
    """All that there is on the table and in the hands, and what may be done with it."""

    variant: Variant
    turn: int
    active: int
    to_act: int
    phase: str
    hands: list[list[str]]
    guests: list[list[str]]
    pile: list[str]
    dirty: list[str]
    guest_pile: list[str]
    waiting_room: list[str]  # bottom first
    guest: str | None  # stays there until it has been served or goes to the Waiting Room
    call_order: list[int]  # in phase CALL only
    asked: list[int]
    serving: str | None
    target: str | None  # stays where it is until it has been served
    thief: int | None
    chosen: list[str]
    discarded: list[str]  # they are dirty dishes already
    warnings: list[int]
    closing_turn: int
    winner: int | None
    draw: bool
    truncated: bool

    # ---------------------------------------------------------------- who is who

    def others_clockwise(self) -> list[int]:
        """Return all but the active player, from its left on."""
        number = self.variant.players
        return [(self.active + step) % number for step in range(1, number)]

    def owner(self, guest: str) -> int:
        """Return the player before whom a guest sits."""
        for player, guests in enumerate(self.guests):
            if guest in guests:
                return player
        raise ValueError(f"before nobody: {guest!r}")

    def points(self, player: int) -> int:
        """Return the points of a player's guests."""
        return sum(GUESTS[guest].points for guest in self.guests[player])

    def has_trio(self, player: int) -> bool:
        """DE-13: three guests with the same icon."""
        trios = Counter(GUESTS[guest].trio for guest in self.guests[player])
        return TRIO in trios.values()

    # ---------------------------------------------------------------- what is legal

    def legal_actions(self) -> set[str]:
        """Return the texts of all legal actions, be it a single one."""
        if self.phase == CLAIM:
            return self._claim_options()
        if self.phase == CALL:
            return self._call_options()
        if self.phase == SERVE:
            return self._serve_options()
        if self.phase == STEAL:
            return self._steal_options()
        if self.phase == STOP:
            return self._stop_options()
        if self.phase == BRIBE:
            return {f"bribe {dessert}" for dessert in self.hands[self.to_act]}
        if self.phase == FRESHEN:
            return self._freshen_options()
        return set()

    def _can_serve(self, player: int, guest: str) -> bool:
        return bool(servings(self.hands[player], guest))

    def _can_steal(self, player: int, guest: str) -> bool:
        """DE-8: there must be a card left for the bribe."""
        hand = self.hands[player]
        return any(len(serving) < len(hand) for serving in servings(hand, guest))

    def _claim_options(self) -> set[str]:
        """DE-3."""
        assert self.guest is not None, "no guest to claim"
        return {"claim", "decline"} if self._can_serve(self.to_act, self.guest) else {"decline"}

    def _call_options(self) -> set[str]:
        """DE-3, DE-6: those who cannot serve may call only if the variant has it so."""
        return {"claim", "decline"} if self.variant.false_calls else self._claim_options()

    def _serve_options(self) -> set[str]:
        """DE-2: the next dessert of any serving that begins with those laid down."""
        assert self.target is not None, "nobody to serve"
        all_desserts = self.hands[self.to_act] + self.chosen
        done = len(self.chosen)
        options = set()
        for serving in servings(all_desserts, self.target):
            if self.serving == STOLEN_GUEST and len(serving) == len(all_desserts):
                continue  # DE-8: nothing left for the bribe
            if list(serving[:done]) == self.chosen and len(serving) > done:
                options.add(f"serve {serving[done]}")
        return options

    def _steal_options(self) -> set[str]:
        """DE-7: in closing time as well."""
        me = self.to_act
        options = {"done"}
        for player in range(self.variant.players):
            if player != me:
                options |= {
                    f"steal {guest}" for guest in self.guests[player] if self._can_steal(me, guest)
                }
        if self.waiting_room and self._can_serve(me, self.waiting_room[-1]):  # DE-9
            options.add("waiting room")
        if self.hands[me]:  # DE-10
            options.add("freshen")
        return options

    def _stop_options(self) -> set[str]:
        """DE-8: with an Ace that the guest craves."""
        assert self.target is not None, "nobody to steal"
        cravings = GUESTS[self.target].cravings
        stoppers = [d for d in self.hands[self.to_act] if d in ACES and ICONS[d] <= cravings]
        return {"allow"} | {f"stop {dessert}" for dessert in stoppers}

    def _freshen_options(self) -> set[str]:
        """DE-10: at least one, in ascending order."""
        lowest = DESSERTS.index(self.discarded[-1]) + 1 if self.discarded else 0
        later = set(DESSERTS[lowest:])
        options = {f"discard {dessert}" for dessert in self.hands[self.to_act] if dessert in later}
        return options | {"done"} if self.discarded else options

    # ---------------------------------------------------------------- playing

    def play(self, text: str, chance: Chance) -> None:
        """Play a legal action, up to the next decision, if only a formal one."""
        verb, _, what = text.partition(" ")
        if text == WAITING_GUEST:
            self._start_serving(WAITING_GUEST, self.waiting_room[-1])
        elif verb == "claim":
            self._play_claim(chance)
        elif verb == "decline":
            self._play_decline(chance)
        elif verb == "serve":
            self._play_serve(what, chance)
        elif verb == "steal":
            self._play_steal(what)
        elif verb == "stop":
            self._play_stop(what, chance)
        elif verb == "allow":
            self._play_allow()
        elif verb == "bribe":
            self._play_bribe(what, chance)
        elif verb == "freshen":
            self.phase = FRESHEN
        elif verb == "discard":
            self._play_discard(what)
        elif self.phase == FRESHEN:
            self._finish_freshening(chance)
        else:
            self._end_turn(chance)

    # ---------------------------------------------------------------- turns

    def _begin_turn(self, chance: Chance) -> None:
        """DE-1, DE-12: the next player's, in closing time if there is no guest to come."""
        self.turn += 1
        self.active = (self.active + 1) % self.variant.players
        self.to_act = self.active
        self._draw(self.active, 1, chance)
        if self.guest_pile:
            self.guest = chance.revealed(self.guest_pile)
            self.guest_pile.remove(self.guest)
            self.phase = CLAIM
        else:
            self.closing_turn += 1
            self.phase = STEAL

    def _end_turn(self, chance: Chance) -> None:
        """DE-13: time is up, or there is a next turn. What the points say comes first."""
        rounds = self.variant.closing_rounds
        is_closed = (
            rounds is not None
            and not self.guest_pile
            and self.closing_turn >= rounds * self.variant.players
        )
        if is_closed:
            self._count_points()
        elif self.turn + 1 >= self.variant.max_turns:
            self.truncated = True
            self.phase = OVER
        else:
            self._begin_turn(chance)

    def _count_points(self) -> None:
        """DE-13: a tie at the top is a draw."""
        points = [self.points(player) for player in range(self.variant.players)]
        best = [player for player, number in enumerate(points) if number == max(points)]
        if len(best) == 1:
            self.winner = best[0]
        else:
            self.draw = True
        self.phase = OVER

    def _draw(self, player: int, number: int, chance: Chance) -> None:
        """Draw so many cards or as many as there are (DE-11)."""
        while number:
            if not self.pile:
                self.pile, self.dirty = self.dirty, []
            if not self.pile:
                return
            drawn = chance.drawn(min(number, len(self.pile)), self.pile, player)
            for dessert in drawn:
                self.pile.remove(dessert)
                self.hands[player].append(dessert)
            number -= len(drawn)

    # ---------------------------------------------------------------- a guest arrives

    def _play_claim(self, chance: Chance) -> None:
        """DE-3, DE-6: serve the guest, or be found out."""
        assert self.guest is not None, "no guest to claim"
        caller = self.to_act
        if self._can_serve(caller, self.guest):
            self._start_serving(NEW_GUEST, self.guest)
            return
        hand = self.hands[caller]
        if not self.warnings[caller]:
            self.warnings[caller] = 1
        elif hand:
            dropped = chance.dropped(hand, caller)
            hand.remove(dropped)
            self.dirty.append(dropped)
        self._ask_next(chance)

    def _play_decline(self, chance: Chance) -> None:
        """DE-3: then the others are asked."""
        if self.phase == CALL:
            self._ask_next(chance)
            return
        self.phase = CALL
        self.call_order = self.others_clockwise()
        if self.variant.call_order != CLOCKWISE:
            self.call_order = chance.call_order(self.call_order, self.guest)
        self.asked = []
        self.to_act = self.call_order[0]

    def _ask_next(self, chance: Chance) -> None:
        """DE-3, DE-6: nobody twice."""
        self.asked.append(self.to_act)
        if len(self.asked) < len(self.call_order):
            self.to_act = self.call_order[len(self.asked)]
        else:
            self._leave_hungry(chance)

    def _leave_hungry(self, chance: Chance) -> None:
        """DE-4: to the Waiting Room, and a card for everybody."""
        assert self.guest is not None, "no guest to leave"
        self.waiting_room.append(self.guest)
        self.guest = None
        for player in [self.active, *self.others_clockwise()]:
            self._draw(player, 1, chance)
        self._begin_steal_phase()

    def _begin_steal_phase(self) -> None:
        self.call_order, self.asked = [], []
        self.to_act = self.active
        self.phase = STEAL

    # ---------------------------------------------------------------- serving a guest

    def _start_serving(self, serving: str, guest: str) -> None:
        """DE-2: the player to act is about to lay down desserts."""
        self.call_order, self.asked = [], []
        self.serving = serving
        self.target = guest
        self.chosen = []
        self.phase = SERVE

    def _play_serve(self, dessert: str, chance: Chance) -> None:
        """DE-2: the last one completes the serving. DE-8: then there is a bribe to choose."""
        assert self.target is not None, "nobody to serve"
        self.hands[self.to_act].remove(dessert)
        self.chosen.append(dessert)
        if not satisfies(self.chosen, self.target):
            return
        if self.serving == STOLEN_GUEST:
            self.phase = BRIBE
        else:
            self._finish_serving(chance)

    def _finish_serving(self, chance: Chance) -> None:
        """DE-8: dishes, guest, trio, tip, and so it goes with every serving."""
        server, serving, target = self.to_act, self.serving, self.target
        assert target is not None, "nobody to serve"
        earns_tip = bool(GUESTS[target].favourites & set(self.chosen))
        self.dirty += self.chosen
        self.chosen = []
        self.serving = self.target = self.thief = None

        if serving == NEW_GUEST:
            self.guest = None
        elif serving == WAITING_GUEST:
            self.waiting_room.remove(target)
        else:
            self.guests[self.owner(target)].remove(target)
        self.guests[server].append(target)

        if self.has_trio(server):
            self.winner = server
            self.phase = OVER
            return
        if earns_tip:  # DE-5
            self._draw(server, 1, chance)
        if serving == NEW_GUEST:
            self._begin_steal_phase()
        else:
            self._end_turn(chance)

    # ---------------------------------------------------------------- stealing

    def _play_steal(self, guest: str) -> None:
        """DE-8: the owner may have something to say."""
        self.serving = STOLEN_GUEST
        self.target = guest
        self.thief = self.active
        self.to_act = self.owner(guest)
        self.phase = STOP

    def _play_stop(self, dessert: str, chance: Chance) -> None:
        """DE-8: the turn is over."""
        self.hands[self.to_act].remove(dessert)
        self.dirty.append(dessert)
        self.serving = self.target = self.thief = None
        self._end_turn(chance)

    def _play_allow(self) -> None:
        assert self.target is not None, "nobody to steal"
        self.to_act = self.active
        self._start_serving(STOLEN_GUEST, self.target)

    def _play_bribe(self, dessert: str, chance: Chance) -> None:
        """DE-8: it goes into the owner's hand."""
        assert self.target is not None, "nobody to steal"
        self.hands[self.to_act].remove(dessert)
        self.hands[self.owner(self.target)].append(dessert)
        self._finish_serving(chance)

    # ---------------------------------------------------------------- freshening up

    def _play_discard(self, dessert: str) -> None:
        """DE-10, DE-14: a dirty dish at once."""
        self.hands[self.to_act].remove(dessert)
        self.dirty.append(dessert)
        self.discarded.append(dessert)

    def _finish_freshening(self, chance: Chance) -> None:
        """DE-10: what was discarded may well come back, if there is shuffling to do."""
        number = len(self.discarded)
        self.discarded = []
        self._draw(self.to_act, number, chance)
        self._end_turn(chance)

    # ---------------------------------------------------------------- in words

    def looks_like(self, position: Mapping[str, Any]) -> bool:
        """Tell whether all cards are where a position has them, and the same thing is asked."""
        return (
            self.phase == position["phase"]
            and (self.phase == OVER or self.to_act == position["to_act"])
            and [set(hand) for hand in self.hands] == [set(hand) for hand in position["hands"]]
            and [set(some) for some in self.guests] == [set(some) for some in position["guests"]]
            and set(self.pile) == set(position["pile"])
            and set(self.dirty) == set(position["dirty"])
            and set(self.guest_pile) == set(position["guest_pile"])
            and self.waiting_room == list(position["waiting_room"])
        )

    def position(self) -> dict[str, Any]:
        """Return the position in its canonical form."""
        return {
            "turn": self.turn,
            "active": self.active,
            "to_act": self.to_act,
            "phase": self.phase,
            "hands": [_in_order(hand, DESSERTS) for hand in self.hands],
            "guests": [_in_order(guests, GUESTS) for guests in self.guests],
            "pile": _in_order(self.pile, DESSERTS),
            "dirty": _in_order(self.dirty, DESSERTS),
            "guest_pile": _in_order(self.guest_pile, GUESTS),
            "waiting_room": list(self.waiting_room),
            "guest": self.guest,
            "call_order": list(self.call_order),
            "asked": list(self.asked),
            "serving": self.serving,
            "target": self.target,
            "thief": self.thief,
            "chosen": list(self.chosen),
            "discarded": list(self.discarded),
            "warnings": list(self.warnings),
            "closing_turn": self.closing_turn,
            "winner": self.winner,
            "draw": self.draw,
            "truncated": self.truncated,
        }


def _read_variant(config: Mapping[str, Any]) -> Variant:
    """Read a config. Of the first player the position tells already."""
    rounds = config["closing_rounds"]
    return Variant(
        players=int(config["players"]),
        call_order=str(config["call_order"]),
        false_calls=bool(config["false_calls"]),
        closing_rounds=None if rounds is None else int(rounds),
        max_turns=int(config["max_turns"]),
    )


def _read_table(variant: Variant, position: Mapping[str, Any]) -> Table:
    """Read a position. Raises ValueError for cards unknown or in two places."""
    table = Table(
        variant=variant,
        turn=int(position["turn"]),
        active=int(position["active"]),
        to_act=int(position["to_act"]),
        phase=position["phase"],
        hands=[_cards(hand, DESSERTS) for hand in position["hands"]],
        guests=[_cards(guests, GUESTS) for guests in position["guests"]],
        pile=_cards(position["pile"], DESSERTS),
        dirty=_cards(position["dirty"], DESSERTS),
        guest_pile=_cards(position["guest_pile"], GUESTS),
        waiting_room=_cards(position["waiting_room"], GUESTS),
        guest=position["guest"],
        call_order=[int(player) for player in position["call_order"]],
        asked=[int(player) for player in position["asked"]],
        serving=position["serving"],
        target=position["target"],
        thief=position["thief"],
        chosen=_cards(position["chosen"], DESSERTS),
        discarded=_cards(position["discarded"], DESSERTS),
        warnings=[int(number) for number in position["warnings"]],
        closing_turn=int(position["closing_turn"]),
        winner=position["winner"],
        draw=bool(position["draw"]),
        truncated=bool(position["truncated"]),
    )
    if table.phase not in PHASES:
        raise ValueError(f"no such phase: {table.phase!r}")
    if not len(table.hands) == len(table.guests) == len(table.warnings) == variant.players:
        raise ValueError("the position is for another number of players")
    _cards([guest for guest in (table.guest, table.target) if guest is not None], GUESTS)
    turned_up = [] if table.guest is None else [table.guest]
    _refuse_duplicates([*table.hands, table.pile, table.dirty, table.chosen])
    _refuse_duplicates([*table.guests, table.guest_pile, table.waiting_room, turned_up])
    return table


# --------------------------------------------------------------------------------------
# The game
# --------------------------------------------------------------------------------------


class Reference:
    """One game of Dessert, played action by action in words.

    An action with no alternative has to be played like any other, be it the answer of a player
    who cannot serve or stop anything, or the end of a turn without anything to do.
    """

    def __init__(self, config: Mapping[str, Any], position: Mapping[str, Any]) -> None:
        """Take up the game at a position, given as a position dict."""
        self._table = _read_table(_read_variant(config), position)
        self._options: set[str] | None = None  # the legal actions, once somebody has asked

    @property
    def winner(self) -> int | None:
        """The player who has won, if any."""
        return self._table.winner

    @property
    def over(self) -> bool:
        """Whether the game is over, won, drawn or cut off."""
        return self._table.phase == OVER

    @property
    def draw(self) -> bool:
        """Whether the game has ended in a draw."""
        return self._table.draw

    @property
    def truncated(self) -> bool:
        """Whether the game was cut off by the limit of turns."""
        return self._table.truncated

    def rewards(self) -> list[float]:
        """Return the reward of each player for the last action: the sum is zero."""
        players = self._table.variant.players
        if self.winner is None:
            return [0.0] * players
        rewards = [-1.0 / (players - 1)] * players
        rewards[self.winner] = 1.0
        return rewards

    def position(self) -> dict[str, Any]:
        """Return the position in its canonical form."""
        return self._table.position()

    def legal_actions(self) -> set[str]:
        """Return the texts of all legal actions of the player to act."""
        if self._options is None:
            self._options = self._table.legal_actions()
        return set(self._options)

    def play(self, text: str, after: Mapping[str, Any]) -> None:
        """Play a legal action; `after` is the position it led to.

        Of that position only what chance has decided matters. It may well be the position after
        some more actions that had no alternative; they have to be played too, with the same
        position.

        Raises ValueError if the action is not legal, and AssertionError if chance cannot have
        led there. In either case nothing has changed.
        """
        if text not in self.legal_actions():
            raise ValueError(f"not a legal action here: {text!r}")
        complaint = ""
        script: list[int] | None = []
        while script is not None:
            chance = Chance(after, script)
            table = _copy(self._table)
            try:
                table.play(text, chance)
                if chance.is_only_story() or _arrives(_copy(table), chance, after):
                    self._table = table
                    self._options = None
                    return
                complaint = "the cards do not come to lie like that"
            except ImpossibleError as impossible:
                complaint = str(impossible)
            script = chance.next_script()
        raise AssertionError(f"{text}: {complaint}")


def _copy(table: Table) -> Table:
    """Return a table of its own: lists are copied, and the lists in them."""
    twin = copy.copy(table)
    for name, value in vars(table).items():
        if isinstance(value, list):
            lists = bool(value) and isinstance(value[0], list)
            setattr(twin, name, [list(some) for some in value] if lists else list(value))
    return twin


def _arrives(table: Table, chance: Chance, after: Mapping[str, Any]) -> bool:
    """Tell whether a story arrives at a position without anybody's having a choice.

    This matters where a player has drawn several cards on the way there: the first of them may
    have called for a choice, and the other not.
    """
    while not table.looks_like(after):
        options = table.legal_actions()
        if len(options) != 1:
            return False
        table.play(options.pop(), chance)
    return True
