"""A second opinion on the rules of Hey Waiter!: plain, slow Python.

This file was written from the rulebook and the rulings HW-1 to HW-15 alone. It shares no code
with the game package, so that the two can be played in lock-step and compared. Positions and
actions go in and out in the same words as the package uses. Nothing here is random: whoever
plays an action also says what the acting player holds afterwards, and the reference works out
whether the rules allow for that.

A card, a dish, a cover and a busboy are each one letter: W(hite), G(reen), R(ed) or B(lue).
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

COLOURS = "WGRB"
WHITE, GREEN, RED, BLUE = "W", "G", "R", "B"

MAX_STACKS = 5  # in front of one player (HW-3, HW-8)
CARDS_PLAYED = 2

FACE, SERVE = "face", "serve"  # the two sides of a busboy card


# --------------------------------------------------------------------------------------
# Actions. One object is one whole turn (or one pick); its str() is its text.
# --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pick:
    """Take a stack of the draft and lay a hand card under it (HW-1, HW-2)."""

    stack: int
    card: str

    def __str__(self) -> str:
        """Return the text of the action."""
        return f"pick {self.stack} on {self.card}"


@dataclass(frozen=True)
class Discard:
    """Discard some cards and draw as many (HW-12)."""

    cards: str

    def __str__(self) -> str:
        """Return the text of the action."""
        return f"discard {self.cards}"


@dataclass(frozen=True)
class ServeAll:
    """GREEN: everybody serves one colour (HW-5)."""

    left: ClassVar[str] = GREEN
    colour: str

    def __str__(self) -> str:
        """Return the text of the action."""
        return f"{self.left}>{self.colour}"


@dataclass(frozen=True)
class MoveCover:
    """RED: put a cover on a stack, or lift it from there (HW-6)."""

    left: ClassVar[str] = RED
    colour: str
    owner: int
    stack: int

    def __str__(self) -> str:
        """Return the text of the action."""
        return f"{self.left}>{self.colour} P{self.owner}.{self.stack}"


@dataclass(frozen=True)
class CallBusboy:
    """WHITE: lift a cover, then turn the busboy or let it serve (HW-7)."""

    left: ClassVar[str] = WHITE
    colour: str
    lift: int | None = None  # own stack that loses its cover
    turn: bool = False  # face side to serve side
    serve: int | None = None  # own stack that has its top dish served

    def __str__(self) -> str:
        """Return the text of the action."""
        words = [f"{self.left}>{self.colour}"]
        if self.lift is not None:
            words.append(f"lift {self.lift}")
        if self.turn:
            words.append("turn")
        if self.serve is not None:
            words.append(f"serve {self.serve}")
        return " ".join(words)


@dataclass(frozen=True)
class MoveToNew:
    """BLUE: move own dishes onto a new card (HW-8)."""

    left: ClassVar[str] = BLUE
    colour: str
    stack: int
    height: int
    card: str

    def __str__(self) -> str:
        """Return the text of the action."""
        return f"{self.left}>{self.colour} {self.stack}.{self.height} new {self.card}"


@dataclass(frozen=True)
class MoveOnto:
    """BLUE: move own dishes onto another of one's own stacks (HW-8)."""

    left: ClassVar[str] = BLUE
    colour: str
    stack: int
    height: int
    target: int

    def __str__(self) -> str:
        """Return the text of the action."""
        return f"{self.left}>{self.colour} {self.stack}.{self.height} onto {self.target}"


@dataclass(frozen=True)
class Take:
    """BLUE: take dishes from a partner, having none (HW-11)."""

    left: ClassVar[str] = BLUE
    colour: str
    partner: int
    stack: int
    height: int
    card: str

    def __str__(self) -> str:
        """Return the text of the action."""
        place = f"P{self.partner} {self.stack}.{self.height}"
        return f"{self.left}>{self.colour} take {place} new {self.card}"


Play = ServeAll | MoveCover | CallBusboy | MoveToNew | MoveOnto | Take
Action = Pick | Discard | Play


# --------------------------------------------------------------------------------------
# Things on the table
# --------------------------------------------------------------------------------------


@dataclass
class Stack:
    """A face-down waiter card with dishes on it and perhaps a cover on top."""

    card: str
    dishes: list[str]  # bottom to top
    cover: str | None = None

    def shows(self, colour: str) -> bool:
        """Tell whether the top dish has this colour and may be served."""
        return self.cover is None and self.dishes[-1] == colour

    def lift_off(self, height: int) -> tuple[list[str], str | None]:
        """Take away all dishes from this height up, and the cover with them (HW-8)."""
        group, cover = self.dishes[height:], self.cover
        self.dishes, self.cover = self.dishes[:height], None
        return group, cover


@dataclass
class Player:
    """What belongs to one player, at however many seats (HW-3)."""

    hand: Counter[str]
    stacks: list[Stack]  # oldest first
    busboys: dict[str, str]  # colour: which side is up

    def can_play(self, left: str, right: str) -> bool:
        """Tell whether both cards are in hand."""
        return Counter(left + right) <= self.hand

    def out_of_dishes(self) -> bool:
        """Tell whether there is no dish in front of this player."""
        return not any(stack.dishes for stack in self.stacks)

    def clear_emptied_stacks(self) -> None:
        """Take the cards under emptied stacks back to the hand; close the gaps (HW-10)."""
        for stack in self.stacks:
            if not stack.dishes:
                self.hand[stack.card] += 1
        self.stacks = [stack for stack in self.stacks if stack.dishes]


# --------------------------------------------------------------------------------------
# Multisets and texts
# --------------------------------------------------------------------------------------


def _multiset(cards: str | Mapping[str, int]) -> Counter[str]:
    """Read a multiset from letters in any order, or from counts."""
    counts = Counter(cards) if isinstance(cards, str) else Counter(dict(cards))
    for colour, count in counts.items():
        if colour not in COLOURS or count < 0:
            raise ValueError(f"not a multiset of {COLOURS}: {cards!r}")
    return Counter({colour: int(counts[colour]) for colour in COLOURS})


def _letters(cards: Iterable[str] | Counter[str]) -> str:
    """Write a multiset as letters in the order of COLOURS."""
    counts = Counter(cards)
    return "".join(colour * counts[colour] for colour in COLOURS)


def _counts(cards: Counter[str]) -> dict[str, int]:
    """Write a multiset as counts, all four colours named."""
    return {colour: cards[colour] for colour in COLOURS}


def _canonical(text: str) -> str:
    """Sort the letters of a discard; leave any other text alone."""
    verb, _, cards = text.partition(" ")
    if verb == "discard" and cards and set(cards) <= set(COLOURS):
        return str(Discard(_letters(cards)))
    return text


def _require(condition: bool, complaint: str) -> None:
    """Raise AssertionError unless the condition holds."""
    if not condition:
        raise AssertionError(complaint)


# --------------------------------------------------------------------------------------
# The game
# --------------------------------------------------------------------------------------


class Reference:
    """One game of Hey Waiter!, played action by action in words."""

    def __init__(self, config: Mapping[str, Any], position: Mapping[str, Any]) -> None:
        """Take up the game at a position, given as a position dict."""
        self._seats: list[int] = [int(player) for player in config["seats"]]
        self._max_turns = int(config["max_turns"])
        self._secret = bool(config["secret_teams"])
        # HW-2: only with equal numbers of dishes are the stacks open to choice.
        self._stacks_are_chosen = len({int(number) for number in config["dishes"]}) == 1

        self._phase: str = position["phase"]
        self._teams: list[int] = [int(side) for side in position["teams"]]
        self._start_seat = int(position["start_seat"])
        self._to_act = int(position["to_act"])
        self._turn = int(position["turn"])
        self._players = [
            Player(
                hand=_multiset(player["hand"]),
                stacks=[
                    Stack(stack["card"], list(stack["dishes"]), stack["cover"])
                    for stack in player["stacks"]
                ],
                busboys={colour: player["busboys"][colour] for colour in COLOURS},
            )
            for player in position["players"]
        ]
        self._covers = _multiset(position["covers"])  # on the table
        self._draw_pile = _multiset(position["draw"])
        self._discard_pile = _multiset(position["discard"])
        self._draft: list[str | None] = list(position["draft"])
        self._last: list[str | None] = [
            None if text is None else _canonical(text) for text in position["last"]
        ]
        self._winner: int | None = position["winner"]
        self._truncated = bool(position["truncated"])

        if [int(player) for player in position["seats"]] != self._seats:
            raise ValueError("the seats of the position are not those of the config")
        if self._public_teams(self._teams) != self._public_teams(config["teams"]):
            raise ValueError("the teams of the position do not come from those of the config")

        self._revealed: set[int] = {int(side) for side in position.get("revealed") or ()}
        self._reveal()

    # ---------------------------------------------------------------- what others may ask

    @property
    def winner(self) -> int | None:
        """The side that has won, if any."""
        return self._winner

    @property
    def over(self) -> bool:
        """Whether the game is over, won or cut off."""
        return self._phase == "over"

    @property
    def truncated(self) -> bool:
        """Whether the game was cut off by the limit of turns."""
        return self._truncated

    def rewards(self) -> list[float]:
        """Return the reward of every player: +1 for each winner, the sum being zero."""
        if self._winner is None:
            return [0.0] * len(self._players)
        winners = self._teams.count(self._winner)
        losers = len(self._teams) - winners
        return [1.0 if side == self._winner else -winners / losers for side in self._teams]

    def position(self) -> dict[str, Any]:
        """Return the position in its canonical form."""
        position: dict[str, Any] = {
            "phase": self._phase,
            "seats": list(self._seats),
            "teams": list(self._teams),
        }
        if self._secret:
            position["revealed"] = sorted(self._revealed)
        position |= {
            "start_seat": self._start_seat,
            "to_act": self._to_act,
            "turn": self._turn,
            "players": [
                {
                    "hand": _letters(player.hand),
                    "stacks": [
                        {
                            "card": stack.card,
                            "dishes": "".join(stack.dishes),
                            "cover": stack.cover,
                        }
                        for stack in player.stacks
                    ],
                    "busboys": {colour: player.busboys[colour] for colour in COLOURS},
                }
                for player in self._players
            ],
            "covers": _letters(self._covers),
            "draw": _counts(self._draw_pile),
            "discard": _counts(self._discard_pile),
            "draft": list(self._draft),
            "last": list(self._last),
            "winner": self._winner,
            "truncated": self._truncated,
        }
        return position

    def legal_actions(self) -> set[str]:
        """Return the texts of all legal actions of the seat to act."""
        return {str(action) for action in self._options()}

    def play(self, text: str, hand_after: Mapping[str, int] | str) -> None:
        """Play a legal action, after which the acting player holds `hand_after`.

        Raises ValueError if the action is not legal, and then nothing has changed. Raises
        AssertionError if no draw of the right number of cards leads to that hand; then this
        object is of no more use.
        """
        options = {str(action): action for action in self._options()}
        text = _canonical(text)
        if text not in options:
            raise ValueError(f"not a legal action here: {text!r}")
        action = options[text]
        wanted = _multiset(hand_after)
        actor = self._seats[self._to_act]
        self._last[actor] = text
        if isinstance(action, Pick):
            self._play_pick(action, wanted)
        elif isinstance(action, Discard):
            self._play_discard(action, wanted)
        else:
            self._play_two_cards(action, wanted)

    # ---------------------------------------------------------------- whose cards, whose side

    def _acting_player(self) -> Player:
        return self._players[self._seats[self._to_act]]

    def _partners(self, player: int) -> list[int]:
        return [
            other
            for other, side in enumerate(self._teams)
            if other != player and side == self._teams[player]
        ]

    def _public_teams(self, teams: Iterable[int]) -> dict[int, list[int]] | list[int]:
        """Return what the config tells of the sides (HW-14).

        Usually that is everything. Secret sides are dealt anew among the players with equally
        many seats, so that only the sides within each such class are known, in no order.
        """
        if not self._secret:
            return [int(side) for side in teams]
        classes: dict[int, list[int]] = {}
        for player, side in enumerate(teams):
            classes.setdefault(self._seats.count(player), []).append(int(side))
        return {number_of_seats: sorted(sides) for number_of_seats, sides in classes.items()}

    # ---------------------------------------------------------------- what is legal

    def _options(self) -> Iterator[Action]:
        """Yield every legal action of the seat to act."""
        if self._phase == "draft":
            yield from self._pick_options()
        elif self._phase == "play":
            hand = self._acting_player().hand
            for left, right in itertools.product(COLOURS, repeat=2):
                if not self._acting_player().can_play(left, right):
                    continue
                if left == GREEN:
                    yield from self._serve_options(right)
                elif left == RED:
                    yield from self._cover_options(right)
                elif left == WHITE:
                    yield from self._busboy_options(right)
                else:
                    hand_left = hand - Counter(left + right)
                    yield from self._move_options(right, hand_left)
                    yield from self._take_options(right, hand_left)
            yield from self._discard_options()

    def _pick_options(self) -> Iterator[Pick]:
        """HW-1: any stack that is left; HW-2: with unequal stacks, the seat's own as number 0."""
        if self._stacks_are_chosen:
            stacks = [number for number, dishes in enumerate(self._draft) if dishes is not None]
        else:
            stacks = [0]
        for stack, card in itertools.product(stacks, COLOURS):
            if self._acting_player().hand[card] > 0:
                yield Pick(stack, card)

    def _discard_options(self) -> Iterator[Discard]:
        """HW-12: any cards of the hand, at least one."""
        hand = self._acting_player().hand
        for numbers in itertools.product(*(range(hand[colour] + 1) for colour in COLOURS)):
            if sum(numbers) > 0:
                yield Discard("".join(c * n for c, n in zip(COLOURS, numbers, strict=True)))

    def _serve_options(self, colour: str) -> Iterator[ServeAll]:
        """HW-5; HW-9: at least one dish must be served."""
        if any(stack.shows(colour) for player in self._players for stack in player.stacks):
            yield ServeAll(colour)

    def _cover_options(self, colour: str) -> Iterator[MoveCover]:
        """HW-6: from the table onto a bare stack, or from a stack to the table."""
        for owner, player in enumerate(self._players):
            for number, stack in enumerate(player.stacks):
                may_lift = stack.cover == colour
                may_put = stack.cover is None and self._covers[colour] > 0
                if may_lift or may_put:
                    yield MoveCover(colour, owner, number)

    def _busboy_options(self, colour: str) -> Iterator[CallBusboy]:
        """HW-7: lift or not, then the busboy or not; HW-9: not neither."""
        me = self._acting_player()
        covered = [n for n, stack in enumerate(me.stacks) if stack.cover == colour]
        bare = [n for n, stack in enumerate(me.stacks) if stack.cover is None]

        for lift in [None, *covered]:
            if lift is not None:
                yield CallBusboy(colour, lift)
            if me.busboys[colour] == FACE:
                yield CallBusboy(colour, lift, turn=True)
            else:
                # A cover just lifted no longer blocks.
                servable = bare if lift is None else [*bare, lift]
                for stack in servable:
                    yield CallBusboy(colour, lift, serve=stack)

    def _move_options(self, colour: str, hand_left: Counter[str]) -> Iterator[MoveToNew | MoveOnto]:
        """HW-8: own dishes onto a new card or another own stack."""
        stacks = self._acting_player().stacks
        for number, stack in enumerate(stacks):
            for height, dish in enumerate(stack.dishes):
                if dish != colour:
                    continue
                whole = height == 0
                for card in COLOURS:
                    if hand_left[card] == 0:
                        continue
                    if whole and card != stack.card:  # HW-9: the same card changes nothing
                        yield MoveToNew(colour, number, height, card)
                    if not whole and len(stacks) < MAX_STACKS:
                        yield MoveToNew(colour, number, height, card)
                for target, target_stack in enumerate(stacks):
                    if target != number and target_stack.cover is None:
                        yield MoveOnto(colour, number, height, target)

    def _take_options(self, colour: str, hand_left: Counter[str]) -> Iterator[Take]:
        """HW-11: a player without dishes takes from any partner, onto a new card."""
        if not self._acting_player().out_of_dishes():
            return
        for partner in self._partners(self._seats[self._to_act]):
            for number, stack in enumerate(self._players[partner].stacks):
                for height, dish in enumerate(stack.dishes):
                    if dish != colour:
                        continue
                    for card in COLOURS:
                        if hand_left[card] > 0:
                            yield Take(colour, partner, number, height, card)

    # ---------------------------------------------------------------- a pick

    def _play_pick(self, pick: Pick, wanted: Counter[str]) -> None:
        me = self._acting_player()
        number = pick.stack if self._stacks_are_chosen else self._to_act  # HW-2
        dishes = self._draft[number]
        assert dishes is not None, f"stack {number} of the draft is already taken"
        self._draft[number] = None
        me.hand[pick.card] -= 1
        me.stacks.append(Stack(pick.card, list(dishes)))
        _require(me.hand == wanted, "nothing is drawn in the draft")

        # HW-1: on to the right, that is against the order of play; the starting seat is last.
        if self._to_act == self._start_seat:
            self._phase = "play"  # HW-3: and the starting seat also takes the first turn
            self._draft = []
        else:
            self._to_act = (self._to_act - 1) % len(self._seats)

    # ---------------------------------------------------------------- option B

    def _play_discard(self, discard: Discard, wanted: Counter[str]) -> None:
        """HW-4: discard first, draw after."""
        me = self._acting_player()
        me.hand.subtract(discard.cards)
        self._discard_pile.update(discard.cards)
        self._draw(len(discard.cards), wanted)
        self._end_turn()

    # ---------------------------------------------------------------- option A

    def _play_two_cards(self, action: Play, wanted: Counter[str]) -> None:
        """HW-4: the cards leave the hand, act, are replaced, and only then are discarded."""
        me = self._acting_player()
        played = action.left + action.colour
        me.hand.subtract(played)

        if isinstance(action, ServeAll):
            self._serve_all(action)
        elif isinstance(action, MoveCover):
            self._move_cover(action)
        elif isinstance(action, CallBusboy):
            self._call_busboy(action)
        elif isinstance(action, MoveToNew):
            self._move_to_new(action)
        elif isinstance(action, MoveOnto):
            self._move_onto(action)
        else:
            self._take(action)
        for player in self._players:
            player.clear_emptied_stacks()  # HW-10

        self._reveal()
        self._winner = self._find_winner()
        if self._winner is None:
            self._draw(CARDS_PLAYED, wanted)
        else:
            _require(me.hand == wanted, "the cards of the ending play are not replaced")  # HW-13
        self._discard_pile.update(played)
        self._end_turn()

    def _serve_all(self, action: ServeAll) -> None:
        """HW-5: one dish from each stack that shows the colour."""
        for player in self._players:
            for stack in player.stacks:
                if stack.shows(action.colour):
                    stack.dishes.pop()

    def _move_cover(self, action: MoveCover) -> None:
        """HW-6: it lies there, so lift it; or it does not, so put it there."""
        stack = self._players[action.owner].stacks[action.stack]
        if stack.cover == action.colour:
            stack.cover = None
            self._covers[action.colour] += 1
        else:
            stack.cover = action.colour
            self._covers[action.colour] -= 1

    def _call_busboy(self, action: CallBusboy) -> None:
        """HW-7: first the cover, then the busboy."""
        me = self._acting_player()
        if action.lift is not None:
            me.stacks[action.lift].cover = None
            self._covers[action.colour] += 1
        if action.turn:
            me.busboys[action.colour] = SERVE
        if action.serve is not None:
            me.stacks[action.serve].dishes.pop()
            me.busboys[action.colour] = FACE

    def _move_to_new(self, action: MoveToNew) -> None:
        """HW-8: a split makes a youngest stack; a whole stack changes its card in place."""
        me = self._acting_player()
        source = me.stacks[action.stack]
        me.hand[action.card] -= 1
        if action.height == 0:
            me.hand[source.card] += 1
            source.card = action.card
        else:
            group, cover = source.lift_off(action.height)
            me.stacks.append(Stack(action.card, group, cover))

    def _move_onto(self, action: MoveOnto) -> None:
        """HW-8: the cover travels along."""
        me = self._acting_player()
        target = me.stacks[action.target]
        group, cover = me.stacks[action.stack].lift_off(action.height)
        target.dishes.extend(group)
        target.cover = cover

    def _take(self, action: Take) -> None:
        """HW-11: a partner's dishes, cover and all, become one's only stack."""
        me = self._acting_player()
        source = self._players[action.partner].stacks[action.stack]
        me.hand[action.card] -= 1
        group, cover = source.lift_off(action.height)
        me.stacks.append(Stack(action.card, group, cover))

    # ---------------------------------------------------------------- drawing cards

    def _draw(self, number: int, wanted: Counter[str]) -> None:
        """Draw cards so that the acting player holds what is wanted (HW-4)."""
        me = self._acting_player()
        available = self._draw_pile.total() + self._discard_pile.total()
        _require(me.hand <= wanted, f"kept {_letters(me.hand)}, but has {_letters(wanted)}")
        to_come = wanted - me.hand
        _require(
            to_come.total() == min(number, available),
            f"drew {_letters(to_come)}, where {number} cards are due",
        )
        while to_come.total() > 0:
            self._reshuffle_if_empty()
            if to_come.total() < self._draw_pile.total():
                from_pile = Counter(to_come)
            else:
                from_pile = Counter(self._draw_pile)  # the pile is drawn to the last card
            _require(
                from_pile <= self._draw_pile and from_pile <= to_come,
                f"cannot draw {_letters(to_come)} from {_letters(self._draw_pile)}",
            )
            self._draw_pile.subtract(from_pile)
            me.hand.update(from_pile)
            to_come.subtract(from_pile)
            self._reshuffle_if_empty()

    def _reshuffle_if_empty(self) -> None:
        """HW-4: an empty draw pile is at once made anew, if there are any discards."""
        if self._draw_pile.total() == 0:
            self._draw_pile, self._discard_pile = self._discard_pile, Counter()

    # ---------------------------------------------------------------- sides and the end

    def _reveal(self) -> None:
        """HW-14: make public the sides that are out in the open by now."""
        if not self._secret:
            return
        if self._phase != "draft":
            for number, player in enumerate(self._players):
                if player.out_of_dishes():
                    self._revealed.add(self._teams[number])

        # Elimination. Of the players with equally many seats whose sides are hidden, everyone
        # knows how many belong to each side. A side is known if that leaves no doubt: in every
        # such class all of them are on it, or none.
        while True:
            hidden: dict[int, list[int]] = {}
            for number, side in enumerate(self._teams):
                if side not in self._revealed:
                    hidden.setdefault(self._seats.count(number), []).append(side)
            known = {
                side
                for side in set(self._teams) - self._revealed
                if all(sides.count(side) in (0, len(sides)) for sides in hidden.values())
            }
            if not known:
                return
            self._revealed |= known

    def _find_winner(self) -> int | None:
        """HW-13: the side without dishes; of several, the first clockwise from the active seat.

        The active seat itself comes first.
        """
        for step in range(len(self._seats)):
            seat = (self._to_act + step) % len(self._seats)
            side = self._teams[self._seats[seat]]
            members = [self._players[p] for p, s in enumerate(self._teams) if s == side]
            if all(member.out_of_dishes() for member in members):
                return side
        return None

    def _end_turn(self) -> None:
        """Count the turn; then the game is over or the next seat is to act (HW-3, HW-13)."""
        self._turn += 1
        if self._winner is not None:
            self._phase = "over"
        elif self._turn >= self._max_turns:
            self._phase = "over"
            self._truncated = True
        else:
            self._to_act = (self._to_act + 1) % len(self._seats)
