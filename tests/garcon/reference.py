"""A second opinion on the rules of Garçon: plain, slow Python.

This file was written from the rulebook and the rulings GA-1 to GA-12 alone. It shares no code
with the game package, so that the two can be played in lock-step and compared. Positions and
actions go in and out in the same words as the package uses. Nothing here is random: whoever
plays an action also shows the position that came of it, and the reference takes from there what
chance has decided, if the rules allow for that, and works out the rest.

A face is the dishes of an order, in menu order; its back is their symbols. Positions come in
with their multisets in any order; `Reference(config, position).position()` is the canonical form
of a position, and two positions are equal if these are.
"""

from __future__ import annotations

import copy
import csv
import itertools
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Face = tuple[str, ...]

DRINK, PLATE, DESSERT = "drink", "plate", "dessert"
MENU = {
    **dict.fromkeys(["coffee", "tea", "lemonade", "orange juice", "hot chocolate"], DRINK),
    **dict.fromkeys(["soup", "salad", "omelette", "sandwich", "steak"], PLATE),
    **dict.fromkeys(["croissant", "ice cream", "fruit tart", "pancakes", "cheesecake"], DESSERT),
}  # in order; the shipped one
BACKS = Counter(
    {
        (DRINK,): 8,
        (DRINK, PLATE): 14,
        (DRINK, PLATE, DESSERT): 16,
        (DRINK, DRINK, PLATE, DESSERT): 10,
        (DRINK, DRINK, PLATE, PLATE, DESSERT): 6,
    }
)  # of the shipped orders, and of fresh ones
EVENT_COUNTS = {"repeat": 5, "notebook": 5, "leave": 4}  # the shipped ones

ORDER_SLOTS = 5
EVENT_SLOTS = 2
POINT_REWARD = 0.1

# What a turn may be
TAKE, COMPLETE, PASS = "take", "complete", "pass"
REPEAT, NOTEBOOK, LEAVE = "repeat", "notebook", "leave"
EVENTS = (REPEAT, NOTEBOOK, LEAVE)
TURNS = (TAKE, COMPLETE, *EVENTS, PASS)

# Phases
TURN, NAMING, CHOOSE, OVER = "turn", "naming", "choose", "over"
PHASES = (TURN, NAMING, CHOOSE, OVER)

DRAW = "draw"  # nobody's victory


class ImpossibleDrawError(AssertionError):
    """Chance cannot have decided so."""


# --------------------------------------------------------------------------------------
# Menus and decks
# --------------------------------------------------------------------------------------


def _rows(source: Any, columns: tuple[str, str]) -> list[tuple[Any, Any]]:
    """Read two columns of a table: the path of a CSV, or rows as mappings or as pairs."""
    if isinstance(source, str | os.PathLike):
        with open(source, encoding="utf-8", newline="") as file:
            source = list(csv.DictReader(file))
    pairs = []
    for row in source:
        first, second = [row[name] for name in columns] if isinstance(row, Mapping) else row
        pairs.append((first, second))
    return pairs


def read_menu(source: Any) -> dict[str, str]:
    """Return the symbol of each dish, in menu order: symbol after symbol, as they first occur."""
    if source == "shipped":
        return dict(MENU)
    rows = source.items() if isinstance(source, Mapping) else _rows(source, ("dish", "symbol"))
    menu = {str(dish): str(symbol) for dish, symbol in rows}
    symbols = list(menu.values())
    return dict(sorted(menu.items(), key=lambda row: symbols.index(row[1])))


def _dishes(dishes: Any) -> list[str]:
    """Return the dishes of a row, which may be one text."""
    return dishes.split(";") if isinstance(dishes, str) else list(dishes)


# --------------------------------------------------------------------------------------
# Things on the table
# --------------------------------------------------------------------------------------


@dataclass
class Order:
    """An open order, with what lies on it."""

    face: Face
    repeat: bool = False
    notebook: bool = False
    age: int = 0  # its owner's turns since the one in which it was taken

    def events(self) -> Counter[str]:
        """Return the events that lie on it."""
        return Counter([REPEAT] * self.repeat + [NOTEBOOK] * self.notebook)


@dataclass
class Last:
    """What a player did in its last finished turn."""

    did: str
    slot: int | None = None  # of a take
    face: Face | None = None  # of a take


@dataclass
class Player:
    """What lies before one player."""

    open: list[Order]  # oldest first
    completed: list[tuple[Face, bool]]  # with a Repeat or without
    points: int
    last: Last | None


@dataclass(frozen=True)
class Fate:
    """What comes to lie in each slot, should it have to be filled."""

    orders: tuple[Face | None, ...]
    events: tuple[str | None, ...]


# --------------------------------------------------------------------------------------
# The game
# --------------------------------------------------------------------------------------


class Reference:
    """One game of Garçon, played action by action in words.

    An action with no alternative has to be played like any other. The only one that has no
    number in the package is `pass`: here it is what is legal when nothing else is (GA-10).
    """

    def __init__(self, config: Mapping[str, Any], position: Mapping[str, Any]) -> None:
        """Take up the game at a position, given as a position dict."""
        self._config = config
        number_of_players = int(config["players"])
        self._target = int(config["target"])
        places, max_turns = config["clock_places"], config["max_turns"]
        self._clock_places = 4 * number_of_players if places is None else int(places)
        self._max_turns = 50 * number_of_players if max_turns is None else int(max_turns)
        self._may_stop = config["complete"] == "any"
        self._recall: int | None = None if config["recall"] is None else int(config["recall"])
        self._pay_points = config["reward"] == "points"
        self._most_open = int(config["max_open_orders"])
        self._menu = read_menu(config["menu"])
        self._rank = {dish: number for number, dish in enumerate(self._menu)}
        self._backs: dict[Face, tuple[str, ...]] = {}  # worked out so far
        self._places: dict[Face, tuple[int, list[int]]] = {}  # likewise
        self._deck: Counter[Face] | None = None  # None: only its backs are known
        self._printed: dict[Face, int] = {}  # points, where they are not one a dish
        if config["orders"] not in ("shipped", "fresh"):
            self._read_deck(config["orders"])
        # config["first_player"] tells of the deal, and here that is in the position already.

        self._market_orders = [self._read_slot(face) for face in position["market_orders"]]
        self._market_events: list[str | None] = list(position["market_events"])
        self._order_pile = Counter(self._read_face(face) for face in position["order_pile"])
        self._order_discards = Counter(self._read_face(face) for face in position["order_discards"])
        self._event_pile = self._read_events(position["event_pile"])
        self._event_discards = self._read_events(position["event_discards"])
        self._players = [self._read_player(player) for player in position["players"]]
        naming = position["naming"]
        self._named_order: int | None = None if naming is None else int(naming["order"])
        self._said: list[str] = [] if naming is None else list(naming["said"])
        clock = position["clock"]
        self._clock: int | None = None if clock is None else int(clock)
        self._phase: str = position["phase"]
        self._to_act = int(position["to_act"])
        self._first_player = int(position["first_player"])
        self._turns_done = int(position["turns_done"])
        self._final_round = bool(position["final_round"])
        self._winner: int | str | None = position["winner"]
        self._truncated = bool(position["truncated"])

        self._last_rewards = [0.0] * number_of_players
        self._check()

    # ---------------------------------------------------------------- reading a position

    def _read_deck(self, source: Any) -> None:
        """Read a deck of one's own; what is printed on a card counts."""
        self._deck = Counter()
        for points, dishes in _rows(source, ("points", "dishes")):
            face = self._read_face(_dishes(dishes))
            self._deck[face] += 1
            self._printed[face] = int(points)

    def _read_face(self, dishes: Iterable[str]) -> Face:
        """Bring the dishes of an order in menu order."""
        named = list(dishes)
        if not set(named) <= set(self._menu) or len(set(named)) != len(named):
            raise ValueError(f"not dishes of the menu, each once: {named}")
        return tuple(sorted(named, key=self._menu_place))

    def _read_slot(self, face: Iterable[str] | None) -> Face | None:
        return None if face is None else self._read_face(face)

    @staticmethod
    def _read_events(counts: Mapping[str, int]) -> Counter[str]:
        if not set(counts) <= set(EVENTS):
            raise ValueError(f"not events: {sorted(counts)}")
        return +Counter({kind: int(number) for kind, number in counts.items()})

    def _read_player(self, entry: Mapping[str, Any]) -> Player:
        open_orders = []
        for order in entry["open"]:
            face = self._read_face(order["face"])
            if list(order["back"]) != list(self.back_of(face)):
                raise ValueError(f"{order['back']} is not the back of {list(face)}")
            flags = {name: bool(order[name]) for name in (REPEAT, NOTEBOOK)}
            open_orders.append(Order(face, **flags, age=int(order["age"])))
        last = None
        if entry["last"] is not None:
            last = Last(entry["last"]["did"])
            if last.did == TAKE:  # nothing else has a slot or a face
                last.slot = int(entry["last"]["slot"])
                last.face = self._read_face(entry["last"]["face"])
        return Player(
            open=open_orders,
            completed=[
                (self._read_face(order["face"]), bool(order["repeat"]))
                for order in entry["completed"]
            ],
            points=int(entry["points"]),
            last=last,
        )

    def _check(self) -> None:
        """Refuse a position that is not one of this variant; ValueError says why."""
        number_of_players = int(self._config["players"])
        lasts = [player.last for player in self._players if player.last is not None]
        orders = self.all_orders()
        events = self.all_events()
        if self._deck is not None:
            too_many: Counter[Any] = orders - self._deck
        else:
            backs: Counter[tuple[str, ...]] = Counter()
            for face, number in orders.items():
                backs[self.back_of(face)] += number
            too_many = backs - BACKS
        counts = self._config["events"]
        too_many += events - Counter(EVENT_COUNTS if counts == "shipped" else dict(counts))
        problems = {
            "players": len(self._players) != number_of_players,
            "slots": (len(self._market_orders), len(self._market_events))
            != (ORDER_SLOTS, EVENT_SLOTS),
            "clock": (self._clock is not None) != bool(self._config["clock"]),
            "phase": self._phase not in PHASES,
            "naming": (self._named_order is not None) != (self._phase == NAMING),
            "last": not {last.did for last in lasts} <= set(TURNS),
            f"more cards than there are: {dict(too_many)}": bool(too_many),
        }
        for name, is_wrong in problems.items():
            if is_wrong:
                raise ValueError(f"not a position of this variant: {name}")

    # ---------------------------------------------------------------- what others may ask

    @property
    def winner(self) -> int | str | None:
        """The player who has won, or "draw", or None while the game lasts."""
        return self._winner

    @property
    def over(self) -> bool:
        """Whether the game is over, played out or cut off."""
        return self._phase == OVER

    @property
    def truncated(self) -> bool:
        """Whether the game was cut off by the limit of turns."""
        return self._truncated

    @property
    def to_act(self) -> int:
        """The player to act; once the game is over, the one who acted last."""
        return self._to_act

    def rewards(self) -> list[float]:
        """Return the reward of each player for the last action."""
        return list(self._last_rewards)

    def back_of(self, face: Iterable[str]) -> tuple[str, ...]:
        """Return the symbols on the back of an order."""
        face = tuple(face)
        if face not in self._backs:
            self._backs[face] = tuple(self._menu[dish] for dish in face)
        return self._backs[face]

    def points_of(self, face: Iterable[str], repeat: bool = False) -> int:
        """Return what an order is worth: its printed points, or one a dish; doubled or not."""
        face = tuple(face)
        return self._printed.get(face, len(face)) * (2 if repeat else 1)

    def shown(self, player: int) -> list[list[str] | None]:
        """Return the face of each open order of a player, None where it must remember it.

        GA-6: the player sees what lies under a Notebook. GA-8: `recall` may show more.
        """
        return [
            list(order.face) if self._is_shown(order) else None
            for order in self._players[player].open
        ]

    def all_orders(self) -> Counter[Face]:
        """Return all orders, wherever they are."""
        faces = Counter(face for face in self._market_orders if face is not None)
        faces += self._order_pile + self._order_discards
        for player in self._players:
            faces += Counter(order.face for order in player.open)
            faces += Counter(face for face, _ in player.completed)
        return faces

    def all_events(self) -> Counter[str]:
        """Return all events, wherever they are."""
        events = Counter(kind for kind in self._market_events if kind is not None)
        events += self._event_pile + self._event_discards
        for player in self._players:
            for order in player.open:
                events += order.events()
            events += Counter([REPEAT] * sum(repeat for _, repeat in player.completed))
        return events

    def public(self) -> dict[str, Any]:
        """Return what everybody sees (GA-11); of last turns, without the faces of orders taken."""
        position = self.position()
        for pile in ("order_pile", "event_pile"):
            cards = position[pile]
            position[pile] = sum(cards.values()) if isinstance(cards, dict) else len(cards)
        for player in position["players"]:
            for order in player["open"]:
                del order["face"]
            if player["last"] is not None:
                del player["last"]["face"]
        return position

    def view(self, viewer: int) -> dict[str, Any]:
        """Return all that one player sees (GA-11), as `public` and two entries more."""
        taken = [
            None if player.last is None or player.last.face is None else list(player.last.face)
            for player in self._players
        ]
        taken[viewer] = None  # one's own is for oneself to remember
        return {**self.public(), "shown": self.shown(viewer), "taken": taken}

    def position(self) -> dict[str, Any]:
        """Return the position in its canonical form."""
        return {
            "market_orders": [None if face is None else list(face) for face in self._market_orders],
            "market_events": list(self._market_events),
            "order_pile": self._sorted_faces(self._order_pile),
            "order_discards": self._sorted_faces(self._order_discards),
            "event_pile": {kind: self._event_pile[kind] for kind in EVENTS},
            "event_discards": {kind: self._event_discards[kind] for kind in EVENTS},
            "players": [
                {
                    "open": [
                        {
                            "face": list(order.face),
                            "back": list(self.back_of(order.face)),
                            "repeat": order.repeat,
                            "notebook": order.notebook,
                            "age": order.age,
                        }
                        for order in player.open
                    ],
                    "completed": [
                        {"face": list(face), "repeat": repeat}
                        for face, repeat in sorted(player.completed, key=self._place_of_completed)
                    ],
                    "points": player.points,
                    "last": (
                        None
                        if player.last is None
                        else {
                            "did": player.last.did,
                            "slot": player.last.slot,
                            "face": None if player.last.face is None else list(player.last.face),
                        }
                    ),
                }
                for player in self._players
            ],
            "naming": (
                None
                if self._named_order is None
                else {"order": self._named_order, "said": list(self._read_face(self._said))}
            ),
            "clock": self._clock,
            "phase": self._phase,
            "to_act": self._to_act,
            "first_player": self._first_player,
            "turns_done": self._turns_done,
            "final_round": self._final_round,
            "winner": self._winner,
            "truncated": self._truncated,
        }

    def legal_actions(self) -> set[str]:
        """Return the texts of all legal actions of the player to act."""
        if self._phase == TURN:
            return self._turn_options() or {PASS}  # GA-10
        if self._phase == NAMING:
            return {f"name {dish}" for dish in self._dishes_asked_for()}
        if self._phase == CHOOSE:
            may_stop = self._may_stop and self._clock is None  # GA-9
            return self._complete_options() | ({"done"} if may_stop else set())
        return set()

    def play(self, text: str, after: Mapping[str, Any]) -> None:
        """Play a legal action; `after` is the position it led to.

        Of that position only the cards matter that chance has put into the slots. It may well be
        the position after some more actions that had no alternative.

        Raises ValueError if the action is not legal, and then nothing has changed. Raises
        AssertionError if chance cannot have put those cards there; then this object is of no
        more use.
        """
        if text not in self.legal_actions():
            raise ValueError(f"not a legal action here: {text!r}")
        if self._reach(text, after):  # it may be canonical already
            return
        goal = Reference(self._config, after).position()
        if self._reach(text, goal):
            return

        # Nothing that chance might do leads there. Let it do what the slots show, if it can, so
        # that the caller may look at what else is different.
        self._act(text, self._shown_fate(goal))
        position = self.position()
        if len(self.legal_actions()) != 1:
            for market in ("market_orders", "market_events"):
                if position[market] != goal[market]:
                    raise ImpossibleDrawError(
                        f"{text!r} cannot lead from {position[market]} to {goal[market]}"
                    )

    # ---------------------------------------------------------------- orders, in words

    def _is_shown(self, order: Order) -> bool:
        return order.notebook or self._recall is None or order.age < self._recall

    def _menu_place(self, dish: str) -> int:
        return self._rank[dish]

    def _place(self, face: Face) -> tuple[int, list[int]]:
        """Return the key by which faces are sorted: short ones first, then in menu order."""
        if face not in self._places:
            self._places[face] = len(face), [self._rank[dish] for dish in face]
        return self._places[face]

    def _place_of_completed(self, order: tuple[Face, bool]) -> tuple[int, list[int], bool]:
        face, repeat = order
        return *self._place(face), repeat

    def _sorted_faces(self, faces: Counter[Face]) -> list[list[str]]:
        return [list(face) for face in sorted(faces.elements(), key=self._place)]

    # ---------------------------------------------------------------- what is legal

    def _me(self) -> Player:
        return self._players[self._to_act]

    def _turn_options(self) -> set[str]:
        options = set()
        if len(self._me().open) < self._most_open:  # GA-12
            for slot, face in enumerate(self._market_orders):
                if face is not None:
                    options.add(f"take {slot}")
        if self._turns_done == 0:  # GA-2
            return options
        if self._clock is None:  # GA-9
            options |= self._complete_options()
        for kind in self._market_events:
            options |= self._event_options(kind)
        return options

    def _complete_options(self) -> set[str]:
        return {f"complete {number}" for number in range(len(self._me().open))}

    def _event_options(self, kind: str | None) -> set[str]:
        """GA-5: one of one's own that has none yet, or anything of anybody else's."""
        mine = list(enumerate(self._me().open))
        if kind == REPEAT:
            return {f"repeat {number}" for number, order in mine if not order.repeat}
        if kind == NOTEBOOK:
            return {f"notebook {number}" for number, order in mine if not order.notebook}
        if kind == LEAVE:
            return {
                f"leave P{owner}.{number}"
                for owner, player in enumerate(self._players)
                if owner != self._to_act
                for number in range(len(player.open))
            }
        return set()

    def _order_being_named(self) -> Order:
        assert self._named_order is not None, "no order is being named"
        return self._me().open[self._named_order]

    def _dishes_asked_for(self) -> set[str]:
        """GA-4: symbol by symbol, as on the back; no dish twice."""
        symbol = self.back_of(self._order_being_named().face)[len(self._said)]
        return {dish for dish in self._menu if self._menu[dish] == symbol} - set(self._said)

    # ---------------------------------------------------------------- what chance decides

    def _copy(self) -> Reference:
        """Return this game once more, to try something out."""
        other = copy.copy(self)
        other._market_orders = list(self._market_orders)
        other._market_events = list(self._market_events)
        other._order_pile = self._order_pile.copy()
        other._order_discards = self._order_discards.copy()
        other._event_pile = self._event_pile.copy()
        other._event_discards = self._event_discards.copy()
        other._said = list(self._said)
        other._players = [
            Player(
                open=[Order(o.face, o.repeat, o.notebook, o.age) for o in player.open],
                completed=list(player.completed),
                points=player.points,
                last=player.last,
            )
            for player in self._players
        ]
        return other

    @staticmethod
    def _shown_fate(goal: Mapping[str, Any]) -> Fate:
        """Return the fate by which every slot gets what lies there in the end."""
        orders = [None if face is None else tuple(face) for face in goal["market_orders"]]
        return Fate(tuple(orders), tuple(goal["market_events"]))

    def _reach(self, text: str, goal: Mapping[str, Any]) -> bool:
        """Play an action if chance can decide so that it leads to the goal; tell whether."""
        for outcome in self._outcomes(text, goal):
            if outcome._leads_to(goal):
                vars(self).update(vars(outcome))
                return True
        return False

    def _outcomes(self, text: str, goal: Mapping[str, Any]) -> Iterator[Reference]:
        """Yield what may come of an action, the likeliest first, if the goal is to be reached.

        The goal may lie some forced actions ahead, and what is put into a slot now may be gone by
        then. With events this can happen, so all of them are tried. An order can be taken without
        an alternative only if it is the last one there is, and then chance decides nothing.
        """
        shown = self._shown_fate(goal)
        events = [shown.events, *itertools.product(EVENTS, repeat=EVENT_SLOTS)]
        seen: list[list[str | None]] = []
        for fate in [Fate(shown.orders, kinds) for kinds in events]:
            outcome = self._copy()
            try:
                outcome._act(text, fate)
            except ImpossibleDrawError:
                continue
            if outcome._market_events not in seen:
                seen.append(outcome._market_events)
                yield outcome

    def _leads_to(self, goal: Mapping[str, Any]) -> bool:
        """Tell whether this is the goal, or becomes it by actions that have no alternative."""
        if self.position() == goal:
            return True
        options = self.legal_actions()
        if len(options) != 1 or self._turns_done > goal["turns_done"]:
            return False
        return any(outcome._leads_to(goal) for outcome in self._outcomes(options.pop(), goal))

    def _fill_slots(self, fate: Fate) -> None:
        """GA-1: the lowest first; the discards come back only when a card is due and none left."""
        for slot, order in enumerate(self._market_orders):
            if order is not None:
                continue
            if not self._order_pile:
                self._order_pile, self._order_discards = self._order_discards, Counter()
            if self._order_pile:
                face = self._drawn(fate.orders[slot], self._order_pile, f"order slot {slot}")
                self._order_pile -= Counter([face])
                self._market_orders[slot] = face
        for slot, event in enumerate(self._market_events):
            if event is not None:
                continue
            if not self._event_pile:
                self._event_pile, self._event_discards = self._event_discards, Counter()
            if self._event_pile:
                kind = self._drawn(fate.events[slot], self._event_pile, f"event slot {slot}")
                self._event_pile -= Counter([kind])
                self._market_events[slot] = kind

    @staticmethod
    def _drawn(wanted: Any, pile: Counter[Any], where: str) -> Any:
        """Return the card that is drawn from a pile: the one wanted, or the only one possible."""
        if wanted in pile:
            return wanted
        if len(pile) == 1:
            return next(iter(pile))
        raise ImpossibleDrawError(f"{where} cannot get {wanted} from {list(pile.elements())}")

    # ---------------------------------------------------------------- a turn

    def _act(self, text: str, fate: Fate) -> None:
        """Play an action that is known to be legal."""
        self._last_rewards = [0.0] * len(self._players)
        verb, _, what = text.partition(" ")
        if verb == "take":
            self._take(int(what), fate)
        elif verb == "complete":
            self._complete(int(what), fate)
        elif verb == "name":
            self._name(what, fate)
        elif verb == "done":
            self._end_turn(Last(COMPLETE), fate)
        elif verb == "leave":
            owner, _, number = what.removeprefix("P").partition(".")
            self._make_leave(int(owner), int(number), fate)
        elif verb == "pass":
            self._end_turn(Last(PASS), fate)
        else:
            self._put_event(verb, int(what), fate)

    def _take(self, slot: int, fate: Fate) -> None:
        """GA-3; GA-9: the clock moves, but not beyond the far left."""
        face = self._market_orders[slot]
        assert face is not None, "nothing lies there"
        self._market_orders[slot] = None
        self._me().open.append(Order(face))
        if self._clock is not None:
            self._clock = min(self._clock + 1, self._clock_places)
            if self._clock == self._clock_places:
                self._final_round = True
        self._end_turn(Last(TAKE, slot, face), fate)

    def _remove_event(self, kind: str) -> None:
        """Take an event from the table; of two equal ones the first."""
        self._market_events[self._market_events.index(kind)] = None

    def _put_event(self, kind: str, number: int, fate: Fate) -> None:
        """GA-5: a Repeat or a Notebook, on an open order of one's own."""
        self._remove_event(kind)
        order = self._me().open[number]
        if kind == REPEAT:
            order.repeat = True
        else:
            order.notebook = True
        self._end_turn(Last(kind), fate)

    def _make_leave(self, owner: int, number: int, fate: Fate) -> None:
        """GA-5: somebody else's order, what lies on it and the event are discarded."""
        self._remove_event(LEAVE)
        self._event_discards[LEAVE] += 1
        self._discard(self._players[owner].open.pop(number))
        self._end_turn(Last(LEAVE), fate)

    def _discard(self, order: Order) -> None:
        self._order_discards[order.face] += 1
        self._event_discards += order.events()

    def _end_turn(self, last: Last, fate: Fate) -> None:
        """Fill up and count the turn; then see whether the game goes on, and with whom."""
        me = self._me()
        me.last = last
        for order in me.open[:-1] if last.did == TAKE else me.open:  # GA-8: not the one just taken
            order.age += 1
        self._fill_slots(fate)
        self._phase = TURN
        self._turns_done += 1

        following = (self._to_act + 1) % len(self._players)
        round_is_over = following == self._first_player
        nobody_can_move = all(
            player.last is not None and player.last.did == PASS for player in self._players
        )
        if nobody_can_move or (round_is_over and self._final_round):  # GA-10; GA-7, GA-9
            if self._clock is None:
                self._end_game()
            else:
                self._let_name(self._round())
        elif round_is_over and self._turns_done >= self._max_turns:
            self._truncated = True  # cut short: no result, and nothing is paid
            self._phase = OVER
        else:
            self._to_act = following

    # ---------------------------------------------------------------- completing orders

    def _complete(self, number: int, fate: Fate) -> None:
        """Begin with an open order; GA-6: under a Notebook that is all."""
        if self._me().open[number].notebook:
            self._turn_over(number, True, fate)
        else:
            self._phase = NAMING
            self._named_order = number
            self._said = []

    def _name(self, dish: str, fate: Fate) -> None:
        """GA-4: the order is turned over once there are as many names as dishes."""
        assert self._named_order is not None, "no order is being named"
        face = self._order_being_named().face
        self._said.append(dish)
        if len(self._said) == len(face):
            is_right = set(self._said) == set(face)
            number, self._named_order, self._said = self._named_order, None, []
            self._turn_over(number, is_right, fate)

    def _turn_over(self, number: int, is_right: bool, fate: Fate) -> None:
        """GA-4: it counts or is discarded, and the player goes on to the next, if there is one."""
        order = self._me().open.pop(number)
        if is_right:
            self._me().completed.append((order.face, order.repeat))
            self._event_discards += Counter([NOTEBOOK] * order.notebook)  # GA-5
            self._score(self.points_of(order.face, order.repeat))
        else:
            self._discard(order)

        if self._me().open:
            self._phase = CHOOSE
        elif self._clock is None:
            self._end_turn(Last(COMPLETE), fate)
        else:
            round_ = self._round()
            self._let_name(round_[round_.index(self._to_act) + 1 :])

    def _score(self, points: int) -> None:
        self._me().points += points
        if self._clock is None and self._me().points >= self._target:  # GA-7, GA-9
            self._final_round = True
        if self._pay_points:
            self._pay(self._to_act, POINT_REWARD * points)

    def _pay(self, player: int, amount: float) -> None:
        """Pay a player, at the cost of all others together."""
        share = amount / (len(self._players) - 1)
        for number in range(len(self._players)):
            self._last_rewards[number] += amount if number == player else -share

    # ---------------------------------------------------------------- the end

    def _round(self) -> list[int]:
        """Return all players, the first one first."""
        count = len(self._players)
        return [(self._first_player + step) % count for step in range(count)]

    def _let_name(self, players: list[int]) -> None:
        """GA-9: the next of these that has an open order names all of them; or the game ends."""
        for player in players:
            if self._players[player].open:
                self._to_act = player
                self._phase = CHOOSE
                return
        self._end_game()

    def _end_game(self) -> None:
        """GA-7: most points win; the player who acted last stays the one to act."""
        self._phase = OVER
        points = [player.points for player in self._players]
        best = [number for number, own in enumerate(points) if own == max(points)]
        if len(best) > 1:
            self._winner = DRAW
        else:
            self._winner = best[0]
            self._pay(best[0], 1.0)
