"""A second opinion on the rules of Greasy Spoon: plain, slow Python.

This file was written from the rulebook and the rulings GS-1 to GS-12 alone. It shares no code
with the game package, so that the two can be played in lock-step and compared. Positions and
actions go in and out in the same words as the package uses. Nothing here is random: whoever
plays an action also shows the position that came of it, and the reference takes from there what
chance has decided, if the rules allow for that, and works out the rest.

A card is a suit and a rank, "K5": K(etchup), M(ustard) or R(elish), 1 to 6. An item is its cards
in order, "M3 R4", and a dish is an item or two of them, "R1 R2 R3 + M5".
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

SUITS = "KMR"
RANKS = (1, 2, 3, 4, 5, 6)
COPIES = 3

HAND_SIZE = 11
MOST_SET_ASIDE = 3  # cards in one pass (GS-6)

CARDS = [f"{suit}{rank}" for rank in RANKS for suit in SUITS]  # in order: by rank, then K, M, R
PLACES = {card: place for place, card in enumerate(CARDS)}
DECK = Counter({card: COPIES for card in CARDS})  # each player has one

# The menu. A category has so many cards; its types go from cheap to expensive.
DRINK, SIDE, MAIN = "Drink", "Side", "Main"
SIZES = {DRINK: 1, SIDE: 2, MAIN: 3}
MENU = {
    DRINK: ["Soda"],
    SIDE: ["Rings", "Fries", "Fancy Rings", "Fancy Fries"],
    MAIN: ["Hot Dog", "Cheeseburger", "Fancy Dog", "Fancy Burger"],
}
COMBO_1, COMBO_2 = "Combo 1", "Combo 2"
SECOND_HALF = {COMBO_1: DRINK, COMBO_2: SIDE}  # the first half is a Main
KINDS = (DRINK, SIDE, MAIN, COMBO_1, COMBO_2)

# Phases
SERVE, COMPLETE, STASH, OVER = "serve", "complete", "stash", "over"


# --------------------------------------------------------------------------------------
# Cards
# --------------------------------------------------------------------------------------


def _rank(card: str) -> int:
    return int(card[1])


def _in_order(cards: Iterable[str]) -> list[str]:
    """Sort cards, given as a list or a multiset, by rank and then K, M, R."""
    return sorted(Counter(cards).elements(), key=PLACES.__getitem__)


def _multiset(cards: Iterable[str]) -> Counter[str]:
    """Read a multiset of cards."""
    pile = Counter(cards)
    for card in pile:
        if card not in CARDS:
            raise ValueError(f"not a card: {card!r}")
    return pile


def _cards_of(dish: str) -> Counter[str]:
    """Return the cards of an item, or of both halves of a combination."""
    return Counter(dish.replace(" + ", " ").split())


def _canonical(dish: str) -> str:
    """Bring the cards of each half of a dish in order."""
    dish = " + ".join(" ".join(_in_order(half.split())) for half in dish.split(" + "))
    kind_of(dish)  # raises ValueError if it is none
    return dish


def _require(condition: bool, complaint: str) -> None:
    """Raise AssertionError unless the condition holds."""
    if not condition:
        raise AssertionError(complaint)


def _hand_in(after: Mapping[str, Any], player: int) -> Counter[str]:
    """Return the hand that a player is said to hold after an action."""
    hand: Counter[str] = Counter(after["players"][player]["hand"])
    _require(set(hand) <= set(CARDS), f"there are no such cards: {sorted(hand)}")
    return hand


# --------------------------------------------------------------------------------------
# The menu
# --------------------------------------------------------------------------------------


@cache
def item_type(item: str) -> str | None:
    """Return the most expensive type that these cards make (GS-1), or None."""
    cards = item.split()
    if not set(cards) <= set(CARDS):
        return None
    ranks = sorted(_rank(card) for card in cards)
    is_fancy = len({card[0] for card in cards}) == 1
    is_set = len(set(ranks)) == 1
    is_sequence = all(high == low + 1 for low, high in itertools.pairwise(ranks))

    if len(cards) == 1:
        return "Soda"
    if len(cards) == 2:
        if is_set:
            return "Fancy Fries" if is_fancy else "Fries"
        if is_sequence:
            return "Fancy Rings" if is_fancy else "Rings"
    if len(cards) == 3:
        if is_set:
            return "Fancy Burger" if is_fancy else "Cheeseburger"
        if is_sequence:
            return "Fancy Dog" if is_fancy else "Hot Dog"
    return None


@cache
def category_of(item: str) -> str:
    """Return the category of an item: Drink, Side or Main."""
    for name, types in MENU.items():
        if item_type(item) in types:
            return name
    raise ValueError(f"not on the menu: {item!r}")


@cache
def kind_of(dish: str) -> str:
    """Return the category of an item, or Combo 1 or Combo 2."""
    first, *rest = dish.split(" + ")
    if not rest:
        return category_of(first)
    for name, second_half in SECOND_HALF.items():
        if category_of(first) == MAIN and [category_of(half) for half in rest] == [second_half]:
            return name
    raise ValueError(f"not on the menu: {dish!r}")


@cache
def _price(item: str) -> int:
    """Return the place of an item's type in the menu of its category, the cheapest being 0."""
    types: list[str | None] = [*MENU[category_of(item)]]
    return types.index(item_type(item))


@cache
def _high_card(item: str) -> int:
    """Return the rank of an item: that of its highest card (GS-2)."""
    return max(_rank(card) for card in item.split())


def _item_beats(item: str, other: str) -> bool:
    """GS-2: the same category, and a dearer type, or the same type and a higher rank."""
    if category_of(item) != category_of(other):
        return False
    if item_type(item) == item_type(other):
        return _high_card(item) > _high_card(other)
    return _price(item) > _price(other)


def _items_match(item: str, other: str) -> bool:
    """GS-3: of equal type and rank; suits do not count."""
    return item_type(item) == item_type(other) and _high_card(item) == _high_card(other)


def beats(dish: str, other: str) -> bool:
    """Tell whether a dish may be served upon another one (GS-2, GS-3)."""
    if kind_of(dish) != kind_of(other):
        return False
    if kind_of(dish) in MENU:
        return _item_beats(dish, other)
    main, second = dish.split(" + ")
    other_main, other_second = other.split(" + ")
    if _items_match(main, other_main):
        return _item_beats(second, other_second)
    return _item_beats(main, other_main)


@cache
def _item_of(cards: tuple[str, ...]) -> str | None:
    """Return the item that some cards in order make, or None."""
    text = " ".join(cards)
    return None if item_type(text) is None else text


def items(cards: Iterable[str], category: str) -> set[str]:
    """Return all items of a category that can be made of some cards."""
    choices = set(itertools.combinations(_in_order(cards), SIZES[category]))
    return {text for text in map(_item_of, choices) if text is not None}


def dishes(hand: Iterable[str], kinds: Iterable[str] = KINDS) -> set[str]:
    """Return all dishes, items and combinations, of some kinds that a hand makes."""
    cards = Counter(hand)
    found = {item for kind in kinds if kind in MENU for item in items(cards, kind)}
    second_halves = [SECOND_HALF[kind] for kind in kinds if kind in SECOND_HALF]
    for main in items(cards, MAIN) if second_halves else ():
        cards_left = cards - _cards_of(main)
        for second_half in second_halves:
            found |= {f"{main} + {second}" for second in items(cards_left, second_half)}
    return found


def legal_dishes(hand: Iterable[str], dish: str | None) -> set[str]:
    """Return all dishes of a hand that beat a dish; all that there are if there is none."""
    if dish is None:
        return dishes(hand)
    return {choice for choice in dishes(hand, [kind_of(dish)]) if beats(choice, dish)}


def all_items() -> dict[str, dict[str, list[str]]]:
    """Return every item there is: category, then type, then the items as texts."""
    by_category: dict[str, dict[str, list[str]]] = {}
    for name, types in MENU.items():
        on_offer = sorted(items(DECK, name))
        by_category[name] = {
            type_: [item for item in on_offer if item_type(item) == type_] for type_ in types
        }
    return by_category


def all_dishes() -> dict[str, list[str]]:
    """Return every dish that one deck has the cards for, by kind."""
    by_kind: dict[str, list[str]] = {name: [] for name in [*MENU, *SECOND_HALF]}
    for dish in sorted(dishes(DECK)):
        by_kind[kind_of(dish)].append(dish)
    return by_kind


# --------------------------------------------------------------------------------------
# The game
# --------------------------------------------------------------------------------------


@dataclass
class Player:
    """The cards of one player."""

    hand: Counter[str]
    draw: Counter[str]
    backburner: Counter[str]
    served: Counter[str]  # in this game

    def is_out(self) -> bool:
        """GS-9: no card is left, wherever it might be."""
        return not (self.hand or self.draw or self.backburner)

    def shuffle_backburner_in(self) -> None:
        """Make the backburner part of the draw pile (GS-7, GS-8)."""
        self.draw += self.backburner
        self.backburner = Counter()


class Reference:
    """One match of Greasy Spoon, played action by action in words.

    An action with no alternative has to be played like any other.
    """

    def __init__(self, config: Mapping[str, Any], position: Mapping[str, Any]) -> None:
        """Take up the match at a position, given as a position dict."""
        self._games_to_win = int(config["best_of"]) // 2 + 1
        self._may_recall = bool(config["recall"])
        self._reward: str = config["reward"]
        # config["starter"] tells of the first deal, and here that is in the position already.

        self._players = [
            Player(
                hand=_multiset(player["hand"]),
                draw=_multiset(player["draw"]),
                backburner=_multiset(player["backburner"]),
                served=_multiset(player["served"]),
            )
            for player in position["players"]
        ]
        dish = position["dish"]
        self._dish: str | None = None if dish is None else _canonical(dish)
        pending = position["pending"]
        self._pending_main: str | None = None if pending is None else _canonical(pending["main"])
        self._pending_with: str | None = None if pending is None else pending["with"]
        self._phase: str = position["phase"]
        self._stashed = int(position["stashed"])
        self._last_stashed: str | None = position["last_stashed"]
        self._to_act = int(position["to_act"])
        self._leader = int(position["leader"])
        # How many were set aside in the last pass, whoever passed; or, if the position has it
        # so, in the last pass of each player.
        set_aside = position["set_aside"]
        self._set_aside: int | list[int] = (
            set_aside if isinstance(set_aside, int) else [int(number) for number in set_aside]
        )
        self._recalled = [bool(flag) for flag in position["recalled"]]
        self._score = [int(games) for games in position["score"]]
        self._starter = int(position["starter"])  # of this game
        self._games_played = int(position["games_played"])
        self._winner: int | None = position["winner"]

        self._last_rewards = [0.0, 0.0]
        self._options: set[str] | None = None  # the legal actions, once somebody has asked

    # ---------------------------------------------------------------- what others may ask

    @property
    def winner(self) -> int | None:
        """The player who has won the match, if any."""
        return self._winner

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self._phase == OVER

    def rewards(self) -> list[float]:
        """Return the reward of each player for the last action."""
        return list(self._last_rewards)

    def position(self) -> dict[str, Any]:
        """Return the position in its canonical form."""
        return {
            "players": [
                {
                    "hand": _in_order(player.hand),
                    "draw": _in_order(player.draw),
                    "backburner": _in_order(player.backburner),
                    "served": _in_order(player.served),
                }
                for player in self._players
            ],
            "dish": self._dish,
            "pending": (
                None
                if self._pending_main is None
                else {"main": self._pending_main, "with": self._pending_with}
            ),
            "phase": self._phase,
            "stashed": self._stashed,
            "last_stashed": self._last_stashed,
            "to_act": self._to_act,
            "leader": self._leader,
            "set_aside": (
                self._set_aside if isinstance(self._set_aside, int) else list(self._set_aside)
            ),
            "recalled": list(self._recalled),
            "score": list(self._score),
            "starter": self._starter,
            "games_played": self._games_played,
            "winner": self._winner,
        }

    def legal_actions(self) -> set[str]:
        """Return the texts of all legal actions of the player to act."""
        if self._options is None:
            self._options = self._find_options()
        return set(self._options)

    def play(self, text: str, after: Mapping[str, Any]) -> None:
        """Play a legal action; `after` is the position it led to.

        Of that position only the cards that chance has dealt matter: the new cards in the hand
        of a player who has refilled, and both hands where a new game has begun. It may well be
        the position after some more actions that had no alternative.

        Raises ValueError if the action is not legal, and then nothing has changed. Raises
        AssertionError if chance cannot have dealt those cards; then this object is of no more
        use.
        """
        if text not in self.legal_actions():
            raise ValueError(f"not a legal action here: {text!r}")
        self._options = None
        self._last_rewards = [0.0, 0.0]
        verb, _, what = text.partition(" ")
        if verb == "serve" and " + " in what:
            self._play_first_half(what)
        elif verb == "serve":
            self._play_dish(what, after)
        elif verb == "pass":
            self._play_pass(after)
        elif verb == "stash":
            self._play_stash(what, after)
        elif verb == "done":
            self._finish_pass(after)
        else:
            self._play_recall()

    # ---------------------------------------------------------------- what is legal

    def _me(self) -> Player:
        return self._players[self._to_act]

    def _find_options(self) -> set[str]:
        if self._phase == SERVE:
            return self._serve_options()
        if self._phase == COMPLETE:
            return self._complete_options()
        if self._phase == STASH:
            return {"done"} | {f"stash {card}" for card in self._cards_to_stash()}
        return set()

    def _serve_options(self) -> set[str]:
        """Serve, pass or recall."""
        options = set()
        for dish in legal_dishes(self._me().hand, self._dish):
            main, plus, second = dish.partition(" + ")
            if plus:
                # A combination begins with its Main. As only whole combinations are looked at
                # here, there is always a way to go on from there.
                options.add(f"serve {main} + {category_of(second).lower()}")
            else:
                options.add(f"serve {dish}")
        if self._dish is not None:  # GS-4
            options.add("pass")
        if self._may_recall and self._me().backburner:  # GS-8
            options.add("recall")
        return options

    def _complete_options(self) -> set[str]:
        """Choose a second half that makes the whole legal, and nothing else (GS-11)."""
        assert self._pending_main is not None, "no Main to complete"
        assert self._pending_with is not None, "nothing to complete it with"
        options = set()
        for second in items(self._me().hand, self._pending_with.capitalize()):
            whole = f"{self._pending_main} + {second}"
            if self._dish is None or beats(whole, self._dish):
                options.add(f"serve {second}")
        return options

    def _cards_to_stash(self) -> set[str]:
        """GS-6: of the hand, up to three in all, in ascending order; equal ones may follow."""
        if self._stashed == MOST_SET_ASIDE:
            return set()
        lowest = 0 if self._last_stashed is None else CARDS.index(self._last_stashed)
        return {card for card in CARDS[lowest:] if self._me().hand[card] > 0}

    # ---------------------------------------------------------------- serving

    def _play_first_half(self, what: str) -> None:
        """GS-11: the Main leaves the hand, and that is all."""
        self._pending_main, self._pending_with = what.split(" + ")
        self._me().hand -= _cards_of(self._pending_main)
        self._phase = COMPLETE

    def _play_dish(self, what: str, after: Mapping[str, Any]) -> None:
        """Serve an item, or the second half of a combination and thereby the whole."""
        me = self._me()
        me.hand -= _cards_of(what)
        self._dish = what if self._pending_main is None else f"{self._pending_main} + {what}"
        self._pending_main = self._pending_with = None
        me.served += _cards_of(self._dish)

        self._refill(after)  # GS-5
        if me.is_out():  # GS-9
            self._end_game(after)
        else:
            self._begin_turn(1 - self._to_act)

    def _begin_turn(self, player: int) -> None:
        self._to_act = player
        self._phase = SERVE
        self._recalled[player] = False  # GS-12: not in this turn, which now is the latest

    def _play_recall(self) -> None:
        """GS-8: the turn goes on."""
        self._me().shuffle_backburner_in()
        self._recalled[self._to_act] = True

    # ---------------------------------------------------------------- passing

    def _play_pass(self, after: Mapping[str, Any]) -> None:
        """GS-4: the round is over and its table cleared; GS-6: now some cards are set aside."""
        self._leader = 1 - self._to_act
        self._dish = None
        if self._me().draw:
            self._phase = STASH
        else:
            self._finish_pass(after)

    def _play_stash(self, card: str, after: Mapping[str, Any]) -> None:
        """GS-6: nothing is drawn until it ends; it ends by itself if no card may follow."""
        self._me().hand -= Counter([card])
        self._me().backburner += Counter([card])
        self._stashed += 1
        self._last_stashed = card
        if not self._cards_to_stash():
            self._finish_pass(after)

    def _finish_pass(self, after: Mapping[str, Any]) -> None:
        """GS-6: refill. GS-9: nobody goes out by that. GS-4: the winner of the round leads."""
        if isinstance(self._set_aside, int):
            self._set_aside = self._stashed
        else:
            self._set_aside[self._to_act] = self._stashed
        self._stashed = 0
        self._last_stashed = None
        self._refill(after)
        self._begin_turn(self._leader)

    # ---------------------------------------------------------------- drawing cards

    def _refill(self, after: Mapping[str, Any]) -> None:
        """Refill the hand of the player to act (GS-5), shuffling as often as need be (GS-7)."""
        me = self._me()
        missing = HAND_SIZE - me.hand.total()
        to_come = self._cards_to_draw(min(missing, me.draw.total() + me.backburner.total()), after)
        while to_come:
            is_enough = to_come.total() <= me.draw.total()
            from_pile = Counter(to_come if is_enough else me.draw)
            _require(
                from_pile <= me.draw and from_pile <= to_come,
                f"cannot draw {_in_order(to_come)} from {_in_order(me.draw)}",
            )
            me.draw -= from_pile
            me.hand += from_pile
            to_come -= from_pile
            if not me.draw:  # GS-7: at once, whether or not there is more to draw
                me.shuffle_backburner_in()

    def _cards_to_draw(self, number: int, after: Mapping[str, Any]) -> Counter[str]:
        """Find out which cards, and so many of them, the player to act will draw."""
        me = self._me()
        if number == 0:
            return Counter()
        if number == me.draw.total() + me.backburner.total():
            return me.draw + me.backburner  # nothing is left to chance
        if after["games_played"] != self._games_played and after["phase"] != OVER:
            # The opponent has one card left and no choice but to go out with it, and the next
            # game has been dealt. Nobody will ever see what was drawn here: anything will do.
            return Counter((_in_order(me.draw) + _in_order(me.backburner))[:number])
        wanted = _hand_in(after, self._to_act)
        _require(me.hand <= wanted, f"kept {_in_order(me.hand)}, but has {_in_order(wanted)}")
        drawn = wanted - me.hand
        _require(
            drawn.total() == number,
            f"drew {_in_order(drawn)}, where {number} cards are due",
        )
        return drawn

    # ---------------------------------------------------------------- the end of a game

    def _end_game(self, after: Mapping[str, Any]) -> None:
        """GS-10: the player to act has won this game, and with it perhaps the match.

        If that is the end, the last dish stays on the table, and its player is still to act.
        """
        self._score[self._to_act] += 1
        self._games_played += 1
        match_is_won = self._score[self._to_act] == self._games_to_win
        if match_is_won or self._reward == "game":
            self._last_rewards = [-1.0, -1.0]
            self._last_rewards[self._to_act] = 1.0
        if match_is_won:
            self._winner = self._to_act
            self._phase = OVER
        else:
            self._begin_game(after)

    def _begin_game(self, after: Mapping[str, Any]) -> None:
        """GS-10: all is as at the start, but the other player starts."""
        for number, player in enumerate(self._players):
            hand = _hand_in(after, number)
            _require(
                hand.total() == HAND_SIZE and hand <= DECK,
                f"cannot be dealt {_in_order(hand)}",
            )
            player.hand = hand
            player.draw = DECK - hand
            player.backburner = Counter()
            player.served = Counter()
        self._starter = 1 - self._starter
        self._leader = self._starter
        self._dish = None
        self._set_aside = 0 if isinstance(self._set_aside, int) else [0, 0]
        self._recalled = [False, False]
        self._begin_turn(self._starter)
