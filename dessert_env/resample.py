"""Dealing anew what a player of Dessert does not know (DE-16).

The desserts in the hands of the others and in the pile are known all together, and how many lie
where; every way to deal them there is as likely, as far as it agrees with what the others are
doing: who serves a guest, or steals one, holds what that takes.

A hand that holds a serving is found by dealing again until one does. Where that takes too long, the
ways to hold one are counted instead, by which tastes a hand has, and one is drawn. So the chances
are the same, and there is an end to it.
"""

from __future__ import annotations

import math

import numpy as np

from dessert_env.cards import (
    ACES,
    COMPLETES,
    FEWEST,
    HALF,
    MOST_SERVED,
    NUM_DESSERTS,
    NUM_GUESTS,
    SATISFIED,
    TASTE,
    TASTE_SET,
    USEFUL,
)
from dessert_env.rules import (
    common,
    desserts_at,
    first_of,
    forget_calls,
    has_trio,
    set_call_order,
    size_of,
    without_first,
)
from dessert_env.state import (
    BRIBE,
    CALL,
    CHOSEN,
    CLAIM,
    DISCARDED,
    FRESHEN,
    FROM_WAITING,
    NEW_GUEST,
    NONE,
    OVER,
    PILE,
    SERVE,
    STEAL,
    STOP,
    THEFT,
)
from waiter_envs.core.jit import njit, njit_allocating
from waiter_envs.core.resampling import unit
from waiter_envs.core.rng import below
from waiter_envs.core.words import count_ones, nth_one

TRIES = 24
"""Hands that are dealt until one holds a serving, before the ways to hold one are counted."""

COINS = 64
"""Throws of which each ends a search with half a chance or more, so all of them do."""

WAYS = np.array(
    [[float(math.comb(n, k)) for k in range(NUM_DESSERTS + 1)] for n in range(NUM_DESSERTS + 1)]
)
"""Ways to choose k of n desserts, `(77, 77)`."""

BYTE = 8


@njit
def resample(table, player):
    """Deal anew, in place, all that a player does not know, and what others may be asked.

    Args:
        table: any table, whose random stream is a new one.
        player: who knows what stays.

    Returns:
        Whether it was possible: what the player knows does not contradict itself.
    """
    if not is_consistent(table):
        return False
    sizes = hand_sizes(table)
    unseen = gather(table, player)
    first, second, possible = deal_what_follows(table, player, sizes, unseen)
    if not possible:
        return False
    for other in range(table.warned.shape[0]):
        if other != player and other != first and other != second:
            unseen = desserts_at(table, PILE)
            give(table, other, deal(table.rng, unseen, size_in(sizes, other)))
    return True


# -- What is known -----------------------------------------------------------------------------


@njit
def is_consistent(table):
    """Return whether every entry is such as the rules leave behind in this phase (DE-14)."""
    players = table.warned.shape[0]
    acting, active, phase = table.current_player, table.active, table.phase
    wrong = (acting < 0) | (acting >= players) | (active < 0) | (active >= players)
    wrong |= (phase < CLAIM) | (phase > OVER)
    for card in range(NUM_DESSERTS):
        wrong |= (table.dessert[card] < DISCARDED) | (table.dessert[card] >= players)
    if wrong:
        return False
    serving, guest = table.serving, np.int64(table.target)
    busy = phase == SERVE or phase == STOP or phase == BRIBE
    laid = size_of(desserts_at(table, CHOSEN))
    if laid > 0 and phase != SERVE and phase != BRIBE:
        return False
    if not busy:
        if serving != NONE or guest != NONE:
            return False
        if phase == CLAIM or phase == CALL:
            return 0 <= table.new_guest < NUM_GUESTS and (phase == CLAIM) == (acting == active)
        if phase == FRESHEN and size_of(desserts_at(table, active)) == 0:
            return size_of(desserts_at(table, DISCARDED)) > 0
        return phase == OVER or acting == active
    if guest < 0 or guest >= NUM_GUESTS or laid > MOST_SERVED:
        return False
    if phase == BRIBE and size_of(desserts_at(table, active)) == 0:
        return False
    if serving == THEFT:
        owner = table.guest[guest]
        asked = owner if phase == STOP else active
        return 0 <= owner < players and owner != active and acting == asked
    if phase != SERVE:
        return False
    return serving == NEW_GUEST or (serving == FROM_WAITING and acting == active)


@njit
def hand_sizes(table):
    """Return how many desserts every player holds, one byte for each."""
    sizes = 0
    for player in range(table.warned.shape[0]):
        sizes |= size_of(desserts_at(table, player)) << BYTE * player
    return sizes


@njit
def size_in(sizes, player):
    """Return how many desserts a player holds; see `hand_sizes`."""
    return sizes >> BYTE * player & (1 << BYTE) - 1


@njit
def gather(table, player):
    """Put all that a player does not see into the pile, and return it as a packed set."""
    for card in range(NUM_DESSERTS):
        place = table.dessert[card]  # no branches, which could not be foreseen
        table.dessert[card] = PILE if (place >= 0) & (place != player) else place
    return desserts_at(table, PILE)


# -- What others are doing ---------------------------------------------------------------------


@njit
def deal_what_follows(table, player, sizes, unseen):
    """Deal to those of whom something is known, and let others be asked what they may be asked.

    Returns:
        Two players who have been dealt their hands, or `NONE`, and whether it was possible.
    """
    phase, acting = table.phase, table.current_player == player
    if phase == OVER:
        forget_last_action(table)
        return NONE, NONE, True
    if phase == CALL and acting:
        if not may_be_asked(table, NONE, player):
            return NONE, NONE, False
        ask_now(table, player)
        return NONE, NONE, True
    if phase == CLAIM or phase == CALL:
        return (NONE, NONE, True) if acting else ask_somebody(table, player, sizes, unseen)
    if phase == STEAL or phase == FRESHEN:
        if not acting:
            freshen_or_not(table, sizes)
        return NONE, NONE, True
    if phase == BRIBE:
        return NONE, NONE, True
    if table.serving == THEFT and size_of(desserts_at(table, CHOSEN)) == 0:
        return steal_or_stop(table, player, sizes, unseen)
    server = np.int64(table.current_player)
    if server == player:
        return NONE, NONE, True
    hand, possible = deal_server(table, server, sizes, unseen)
    give(table, server, hand)
    return server, NONE, possible


@njit
def forget_last_action(table):
    """Let the active player have acted last, unless a trio tells who did (DE-13)."""
    winner = np.int64(table.winner)
    for guest in range(NUM_GUESTS):
        if winner >= 0 and has_trio(table, winner, guest):
            return
    table.current_player = table.active


@njit
def freshen_or_not(table, sizes):
    """Let the active player be in its steal phase, or about to freshen up (DE-10)."""
    if size_of(desserts_at(table, DISCARDED)) > 0:
        return
    table.phase = STEAL
    if size_in(sizes, np.int64(table.active)) > 0 and below(table.rng, 2) == 0:
        table.phase = FRESHEN


@njit
def steal_or_stop(table, player, sizes, unseen):
    """Let the owner be asked whether it stops a theft, or the thief serve already (DE-8).

    Who is asked holds a fitting Ace. A thief that waits knows that the owner is asked; to others
    than the two, both look alike.
    """
    thief, owner = np.int64(table.active), np.int64(table.guest[table.target])
    aces = ACES[table.target]
    if player == thief:
        if table.phase == SERVE:
            return NONE, NONE, True
        give(table, owner, deal_one_of(table.rng, unseen, aces, size_in(sizes, owner)))
        return owner, NONE, True
    for _ in range(COINS):
        hand, possible = deal_server(table, thief, sizes, unseen)
        if player == owner or not possible:
            give(table, thief, hand)
            return thief, NONE, possible
        theirs = deal(table.rng, difference(unseen, hand), size_in(sizes, owner))
        stops = below(table.rng, 2) == 0
        if not stops or size_of(common(theirs, aces)) > 0:
            break
    stops = stops and size_of(common(theirs, aces)) > 0
    table.phase = STOP if stops else SERVE
    table.current_player = owner if stops else thief
    give(table, thief, hand)
    give(table, owner, theirs)
    return thief, owner, True


# -- Calling -----------------------------------------------------------------------------------


@njit
def ask_somebody(table, player, sizes, unseen):
    """Let somebody else be asked for the new guest, and hold a serving if that is known (DE-15)."""
    candidates = 0
    for other in range(table.warned.shape[0]):
        candidates |= np.int64(may_be_asked(table, player, other)) << other
    if candidates == 0:
        return NONE, NONE, False
    asked, hand = deal_asked(table, candidates, sizes, unseen)
    give(table, asked, hand)
    if asked == table.active:
        forget_calls(table)
        table.phase = CLAIM
        table.current_player = asked
    else:
        ask_now(table, asked)
    return asked, NONE, True


@njit
def may_be_asked(table, player, other):
    """Return whether another one may be asked for the new guest, as far as a player knows (DE-3).

    In the first turn, who has called falsely has been asked before (DE-6).
    """
    players = table.warned.shape[0]
    ahead = (other - table.active) % players
    for warned in range(players):
        if table.turn == 0 and table.warned[warned]:
            passed = (warned - table.active) % players < ahead if table.clockwise else ahead > 0
            if warned == other or not passed:
                return False
    return other != player


@njit
def ask_now(table, asked):
    """Draw an order of the others in which the turn of one to be asked may have come."""
    table.phase = CALL
    table.current_player = asked
    set_call_order(table)
    place, last = 0, 0
    for i in range(table.call_order.shape[0]):
        caller = table.call_order[i]
        if caller == asked:
            place = i
        if caller == asked or (table.turn == 0 and table.warned[caller]):
            last = i
    table.call_order[place] = table.call_order[last]
    table.call_order[last] = asked
    table.num_asked = last


@njit
def must_serve(table, asked):
    """Return whether who is asked for the new guest holds a serving for it (DE-6, DE-15)."""
    return not table.false_calls or asked == table.active


@njit
def deal_asked(table, candidates, sizes, unseen):
    """Return one of a set of players and a hand, each such pair as likely if the hand will do."""
    guest = np.int64(table.new_guest)
    number = count_ones(candidates)
    for _ in range(TRIES):
        asked = nth_one(candidates, below(table.rng, number))
        hand = deal(table.rng, unseen, size_in(sizes, asked))
        if not must_serve(table, asked) or goes_on(0, 0, tastes_of(hand, guest, 0), MOST_SERVED):
            return asked, hand
    return deal_asked_by_count(table, candidates, sizes, unseen)


@njit_allocating
def deal_asked_by_count(table, candidates, sizes, unseen):
    """Do what `deal_asked` does by counting; where no hand will do, any is as likely."""
    guest = np.int64(table.new_guest)
    players = table.warned.shape[0]
    chances = np.zeros(players)
    for other in range(players):
        if candidates >> other & 1:
            chances[other] = 1.0
            if must_serve(table, other):
                size = size_in(sizes, other)
                ways = ways_to_serve(unseen, guest, 0, 0, 0, MOST_SERVED, size)
                chances[other] = ways / WAYS[size_of(unseen), size]
    if chances.sum() == 0:
        asked = nth_one(candidates, below(table.rng, count_ones(candidates)))
        return asked, deal(table.rng, unseen, size_in(sizes, asked))
    asked, left = NONE, unit(table.rng) * chances.sum()
    for other in range(players):
        if chances[other] > 0 and left >= 0:
            asked = other
            left -= chances[other]
    size = size_in(sizes, asked)
    if not must_serve(table, asked):
        return asked, deal(table.rng, unseen, size)
    return asked, deal_by_count(table.rng, unseen, guest, 0, 0, 0, MOST_SERVED, size)


# -- Hands -------------------------------------------------------------------------------------


@njit
def deal(rng, desserts, size):
    """Return so many desserts of a packed set, every choice as likely."""
    first, second = desserts
    hand_first, hand_second = 0, 0
    for _ in range(size):
        in_first = count_ones(first)
        pick = below(rng, in_first + count_ones(second))
        if pick < in_first:
            card = 1 << nth_one(first, pick)
            first ^= card
            hand_first |= card
        else:
            card = 1 << nth_one(second, pick - in_first)
            second ^= card
            hand_second |= card
    return hand_first, hand_second


@njit
def deal_one_of(rng, desserts, wanted, size):
    """Do what `deal` does, with at least one of those that are wanted if that is possible."""
    some = common(desserts, wanted)
    rest = difference(desserts, some)
    some_left, rest_left = size_of(some), size_of(rest)
    ways = unit(rng) * (WAYS[some_left + rest_left, size] - WAYS[rest_left, size])
    number = 0
    while ways >= 0 and number < min(some_left, size):
        number += 1
        ways -= WAYS[some_left, number] * WAYS[rest_left, size - number]
    return union(deal(rng, some, number), deal(rng, rest, size - number))


@njit
def union(desserts, others):
    """Return the desserts that are in one of two packed sets, or in both."""
    return desserts[0] | others[0], desserts[1] | others[1]


@njit
def difference(desserts, others):
    """Return the desserts of a packed set that are not in another one."""
    return desserts[0] & ~others[0], desserts[1] & ~others[1]


@njit
def give(table, player, desserts):
    """Move a packed set of desserts to a player."""
    while size_of(desserts) > 0:
        table.dessert[first_of(desserts)] = player
        desserts = without_first(desserts)


# -- Hands that hold a serving -----------------------------------------------------------------


@njit
def deal_server(table, server, sizes, unseen):
    """Return a hand with which a player goes on with its serving, and whether there is any."""
    guest = np.int64(table.target)
    laid = desserts_at(table, CHOSEN)
    size, num_laid = size_in(sizes, server), size_of(laid)
    more = MOST_SERVED - num_laid
    if table.serving == THEFT:  # a dessert stays for the bribe
        more = min(more, size - 1)
    first, second, start = 0, 0, 0
    while size_of(laid) > 0:
        card = first_of(laid)
        laid = without_first(laid)
        second = np.int64(TASTE[guest, card]) if start > 0 else 0
        first = np.int64(TASTE[guest, card]) if start == 0 else first
        start = card + 1
    for _ in range(TRIES):
        hand = deal(table.rng, unseen, size)
        if goes_on(first, second, tastes_of(hand, guest, start), more):
            return hand, True
    if ways_to_serve(unseen, guest, start, first, second, more, size) == 0:
        return (0, 0), False
    return deal_by_count(table.rng, unseen, guest, start, first, second, more, size), True


@njit
def tastes_of(hand, guest, start):
    """Return the set of the tastes to a guest of those desserts of a hand from `start` on."""
    useful = from_place(common(hand, USEFUL[guest]), start)
    tastes = 0
    while size_of(useful) > 0:
        tastes |= TASTE_SET[guest, first_of(useful)]
        useful = without_first(useful)
    return tastes


@njit
def from_place(desserts, start):
    """Return those of a packed set from a place of the card list on."""
    first, second = desserts
    if start < HALF:
        return first >> start << start, second
    return 0, second >> start - HALF << start - HALF


@njit
def goes_on(first, second, tastes, more):
    """Return whether some tastes complete a serving after those of up to two desserts (DE-2).

    Args:
        first: taste of the first dessert laid down, 0 for none.
        second: taste of the second one.
        tastes: the set of the tastes that may follow.
        more: how many desserts may follow at most.
    """
    if more < 1:
        return False
    if first == 0:
        return FEWEST[tastes] <= more
    if COMPLETES[first, second] & tastes != 0:
        return True
    if second != 0 or more < 2:
        return False
    for other in range(1, SATISFIED + 1):
        if tastes >> other & 1 and COMPLETES[first, other] & tastes != 0:
            return True
    return False


# -- Counting ----------------------------------------------------------------------------------


@njit_allocating
def by_taste(desserts, guest, start):
    """Return the desserts that may follow in a serving, by taste: tastes, and a set for each.

    Returns:
        `(kinds,)` and `(kinds, 2)` int64; only tastes that are there.
    """
    useful = from_place(common(desserts, USEFUL[guest]), start)
    sets = np.zeros((SATISFIED + 1, 2), np.int64)
    while size_of(useful) > 0:
        card = first_of(useful)
        useful = without_first(useful)
        taste = TASTE[guest, card]
        if card < HALF:
            sets[taste, 0] |= 1 << card
        else:
            sets[taste, 1] |= 1 << card - HALF
    kinds = np.flatnonzero((sets[:, 0] | sets[:, 1]) != 0)
    return kinds, sets[kinds]


@njit_allocating
def count_by_kinds(sets, size):
    """Return in how many ways so many desserts make just these tastes.

    Args:
        sets: `(kinds, 2)`, the desserts of each taste.
        size: of the hand.

    Returns:
        `(2**kinds, size + 1)`: by the set of the tastes that a hand has, bit i for row i of `sets`,
        and by how many of its desserts have one.
    """
    kinds = sets.shape[0]
    ways = np.zeros((1 << kinds, size + 1))
    ways[0, 0] = 1.0
    for kind in range(kinds):
        alike = count_ones(sets[kind, 0]) + count_ones(sets[kind, 1])
        for some in range(1 << kind):
            with_it = some | 1 << kind
            for number in range(1, min(alike, size) + 1):
                for before in range(size + 1 - number):
                    ways[with_it, before + number] += ways[some, before] * WAYS[alike, number]
    return ways


@njit_allocating
def tastes_in(kinds, some):
    """Return as a set of tastes what is a set of rows of `by_taste`."""
    tastes = 0
    for kind in range(kinds.shape[0]):
        tastes |= (some >> kind & 1) << kinds[kind]
    return tastes


@njit_allocating
def ways_to_serve(desserts, guest, start, first, second, more, size):
    """Return how many hands of a size, out of a packed set, go on with a serving; see `goes_on`."""
    kinds, sets = by_taste(desserts, guest, start)
    ways = count_by_kinds(sets, size)
    useless = size_of(desserts) - num_of(sets)
    total = 0.0
    for some in range(ways.shape[0]):
        if goes_on(first, second, tastes_in(kinds, some), more):
            for useful in range(size + 1):
                total += ways[some, useful] * WAYS[useless, size - useful]
    return total


@njit_allocating
def num_of(sets):
    """Return how many desserts there are in rows of packed sets."""
    number = 0
    for row in range(sets.shape[0]):
        number += count_ones(sets[row, 0]) + count_ones(sets[row, 1])
    return number


@njit_allocating
def deal_by_count(rng, desserts, guest, start, first, second, more, size):
    """Return one of the hands that `ways_to_serve` counts, of which there is one; all as likely."""
    kinds, sets = by_taste(desserts, guest, start)
    ways = count_by_kinds(sets, size)
    useless = size_of(desserts) - num_of(sets)
    left = unit(rng) * ways_to_serve(desserts, guest, start, first, second, more, size)
    chosen, number = 0, 0
    for some in range(ways.shape[0]):
        if left >= 0 and goes_on(first, second, tastes_in(kinds, some), more):
            for useful in range(size + 1):
                here = ways[some, useful] * WAYS[useless, size - useful]
                if left >= 0 and here > 0:
                    chosen, number = some, useful
                    left -= here
    rest = desserts
    hand = (0, 0)
    for kind in range(kinds.shape[0] - 1, -1, -1):
        alike = sets[kind, 0], sets[kind, 1]
        rest = difference(rest, alike)
        if chosen >> kind & 1:
            chosen ^= 1 << kind
            part = pick_number(rng, ways, chosen, number, size_of(alike))
            number -= part
            hand = union(hand, deal(rng, alike, part))
    return union(hand, deal(rng, rest, size - size_of(hand)))


@njit_allocating
def pick_number(rng, ways, others, number, alike):
    """Return how many of `number` desserts have a taste that `alike` desserts have.

    The others of them have just the tastes of the set `others`.
    """
    total = 0.0
    for part in range(1, min(number, alike) + 1):
        total += WAYS[alike, part] * ways[others, number - part]
    left = unit(rng) * total
    picked = 0
    for part in range(1, min(number, alike) + 1):
        here = WAYS[alike, part] * ways[others, number - part]
        if left >= 0 and here > 0:
            picked = part
            left -= here
    return picked
