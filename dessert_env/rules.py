"""The rules of Dessert, in the order in which the rulebook tells them.

Every function works on one table record (`state.table_dtype`), in place. `DE-n` names a ruling of
`docs/dessert.md`. Players without a choice are passed over (DE-15), so a step goes on until
somebody may have one. What a player may do stands in `legal_actions`.
"""

from __future__ import annotations

import numpy as np

from dessert_env.actions import (
    BEGIN_FRESHENING,
    DISCARD,
    LAY_DOWN,
    NAME_GUEST,
    PAY_BRIBE,
    PLAY_ACE,
    SAY_ALLOW,
    SAY_CLAIM,
    SAY_DECLINE,
    SAY_DONE,
    TAKE_WAITING,
    decode,
)
from dessert_env.cards import (
    ACES,
    FAVORITES_OF,
    FEWEST,
    HALF,
    HAND_SIZE,
    MOST_SERVED,
    NUM_DESSERTS,
    NUM_GUESTS,
    POINT_DIGITS,
    SATISFIED,
    TASTE,
    TASTE_SET,
    TRIO_OF,
    USEFUL,
)
from dessert_env.state import (
    BRIBE,
    CALL,
    CHOSEN,
    CLAIM,
    COMING,
    DIRTY,
    DISCARDED,
    DRAW,
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
    TURNED_UP,
    WAITING,
)
from waiter_envs.core.jit import njit
from waiter_envs.core.rng import below
from waiter_envs.core.words import count_ones, find, lowest_one, nth_one

# -- Sets of cards -----------------------------------------------------------------------------


@njit
def desserts_at(table, place):
    """Return the desserts at a place, packed (see `cards`)."""
    first = find(table.dessert, 0, HALF, place)
    return first, find(table.dessert, HALF, NUM_DESSERTS, place)


@njit
def common(desserts, others):
    """Return the desserts that are in two packed sets."""
    return desserts[0] & others[0], desserts[1] & others[1]


@njit
def size_of(desserts):
    """Return how many desserts a packed set has."""
    return count_ones(desserts[0]) + count_ones(desserts[1])


@njit
def first_of(desserts):
    """Return the first dessert of a packed set, which has any."""
    return lowest_one(desserts[0]) if desserts[0] != 0 else HALF + lowest_one(desserts[1])


@njit
def without_first(desserts):
    """Return a packed set, which has any, without its first dessert."""
    first, second = desserts
    return (first & first - 1, second) if first != 0 else (first, second & second - 1)


@njit
def guests_at(table, place):
    """Return the guests at a place as a set: bit i for guest i."""
    return find(table.guest, 0, NUM_GUESTS, place)


# -- Setup -------------------------------------------------------------------------------------


@njit
def init_state(table):
    """Deal the hands on a blank table that has a random stream, and begin the first turn."""
    players = table.warned.shape[0]
    table.active = table.first_player_option
    if table.first_player_option == NONE:
        table.active = below(table.rng, players)
    for player in range(players):
        for _ in range(HAND_SIZE):
            draw(table, player)
    begin_turn(table)


# -- Tastes and flavors ------------------------------------------------------------------------


@njit
def fewest_desserts(hand, guest):
    """Return how many desserts of a packed hand satisfy a guest; 4 if none do (DE-2)."""
    tastes = 0
    useful = common(hand, USEFUL[guest])
    while size_of(useful) > 0:
        tastes |= TASTE_SET[guest, first_of(useful)]
        useful = without_first(useful)
    return np.int64(FEWEST[tastes])


@njit
def can_serve(table, player, guest):
    """Return whether a player holds a serving for a guest (DE-2)."""
    return fewest_desserts(desserts_at(table, player), guest) <= MOST_SERVED


# -- Turn actions ------------------------------------------------------------------------------


@njit
def step(table, action):
    """Play one legal action of the player to act and move on to the next decision."""
    kind, what = decode(table, action)
    player = np.int64(table.current_player)
    if kind == SAY_CLAIM:
        claim(table, player)
    elif kind == SAY_DECLINE:
        decline(table)
    elif kind == LAY_DOWN:
        lay_down(table, player, what)
    elif kind == NAME_GUEST:
        steal(table, what)
    elif kind == PAY_BRIBE:
        bribe(table, player, what)
    elif kind == PLAY_ACE:
        stop(table, what)
    elif kind == SAY_ALLOW:
        begin_serving(table, np.int64(table.active), THEFT, np.int64(table.target))
    elif kind == TAKE_WAITING:
        begin_serving(table, player, FROM_WAITING, topmost(table))
    elif kind == BEGIN_FRESHENING:
        table.phase = FRESHEN
    elif kind == DISCARD:
        table.dessert[what] = DISCARDED
    elif kind == SAY_DONE:
        if table.phase == FRESHEN:
            freshen(table, player)
        end_turn(table)


@njit
def begin_turn(table):
    """Draw a dessert, then turn up a guest, or in closing time go on to the steal phase (DE-1).

    Closing time begins with the turn after the one in which the last guest came (DE-12).
    """
    active = np.int64(table.active)
    table.current_player = active
    draw(table, active)
    if num_coming(table) == 0:
        table.closing_turn += 1
        table.phase = STEAL
        return
    table.new_guest = turn_up(table)
    table.phase = CLAIM
    if not can_serve(table, active, np.int64(table.new_guest)):
        decline(table)


@njit
def num_coming(table):
    """Return how many guests are still to come."""
    return count_ones(guests_at(table, COMING))


@njit
def turn_up(table):
    """Turn up a guest."""
    coming = guests_at(table, COMING)
    guest = nth_one(coming, below(table.rng, count_ones(coming)))
    table.guest[guest] = TURNED_UP
    return guest


@njit
def end_turn(table):
    """Let the points decide when closing time is up, or go on with the next turn (DE-13)."""
    closing = table.closing_turns != NONE and table.closing_turn >= table.closing_turns
    if closing and num_coming(table) == 0:
        count_points(table)
    elif table.turn + 1 >= table.max_turns:
        table.truncated = True
        table.phase = OVER
    else:
        table.turn += 1
        table.active = (table.active + 1) % table.warned.shape[0]
        begin_turn(table)


# -- Claiming a guest --------------------------------------------------------------------------


@njit
def claim(table, player):
    """Serve the new guest, or have called falsely (DE-3, DE-6)."""
    guest = np.int64(table.new_guest)
    if can_serve(table, player, guest):
        forget_calls(table)
        begin_serving(table, player, NEW_GUEST, guest)
        return
    if table.warned[player] != 0:
        drop_dish(table, player)
    table.warned[player] = 1
    ask_next(table)


@njit
def decline(table):
    """Decline the new guest as the active player, or as one of the others (DE-3)."""
    if table.phase == CLAIM:
        table.phase = CALL
        set_call_order(table)
        ask(table)
    else:
        ask_next(table)


@njit
def set_call_order(table):
    """Set the order in which the others are asked: around the table, or at random (DE-3)."""
    players = table.warned.shape[0]
    for i in range(players - 1):
        table.call_order[i] = (table.active + 1 + i) % players
    if not table.clockwise:
        for last in range(players - 2, 0, -1):
            other = below(table.rng, last + 1)
            caller = table.call_order[last]
            table.call_order[last] = table.call_order[other]
            table.call_order[other] = caller


@njit
def ask_next(table):
    """Go on after somebody has been asked; nobody is asked twice (DE-3, DE-6)."""
    table.num_asked += 1
    ask(table)


@njit
def ask(table):
    """Ask the next who can serve, or with false calls simply the next; else the guest waits."""
    others = table.call_order.shape[0]
    while table.num_asked < others:
        caller = np.int64(table.call_order[table.num_asked])
        if table.false_calls or can_serve(table, caller, np.int64(table.new_guest)):
            table.current_player = caller
            return
        table.num_asked += 1
    leave_hungry(table)


@njit
def forget_calls(table):
    """Leave no trace of who was asked."""
    table.num_asked = 0
    for i in range(table.call_order.shape[0]):
        table.call_order[i] = NONE


@njit
def leave_hungry(table):
    """Send the guest to the Waiting Room; everybody draws, the active player first (DE-4)."""
    guest = np.int64(table.new_guest)
    table.guest[guest] = WAITING
    table.waiting_room[table.num_waiting] = guest
    table.num_waiting += 1
    table.new_guest = NONE
    forget_calls(table)
    players = table.warned.shape[0]
    for i in range(players):
        draw(table, (table.active + i) % players)
    begin_steal_phase(table)


@njit
def topmost(table):
    """Return the one guest of the Waiting Room that may be served (DE-9)."""
    return np.int64(table.waiting_room[table.num_waiting - 1])


@njit
def begin_steal_phase(table):
    """Return to the active player (DE-3, DE-7)."""
    table.phase = STEAL
    table.current_player = table.active


# -- Serving, tips for favorites ---------------------------------------------------------------


@njit
def begin_serving(table, server, serving, guest):
    """Let a player lay down desserts for a guest."""
    table.phase = SERVE
    table.serving = serving
    table.target = guest
    table.current_player = server


@njit
def tastes_laid_down(table):
    """Return what the desserts laid down taste like together to their guest (DE-2)."""
    tastes = 0
    laid_down = desserts_at(table, CHOSEN)
    while size_of(laid_down) > 0:
        tastes |= TASTE[table.target, first_of(laid_down)]
        laid_down = without_first(laid_down)
    return tastes


@njit
def lay_down(table, player, card):
    """Lay down a dessert; the last needed one completes the serving (DE-2, DE-8)."""
    table.dessert[card] = CHOSEN
    if tastes_laid_down(table) == SATISFIED:
        if table.serving == THEFT:
            table.phase = BRIBE
        else:
            finish_serving(table, player)


@njit
def finish_serving(table, server):
    """Move cards and guest; a trio wins at once, else a favorite earns a tip (DE-5, DE-13)."""
    serving, guest = table.serving, np.int64(table.target)
    earns_tip = size_of(common(desserts_at(table, CHOSEN), FAVORITES_OF[guest])) > 0
    move_desserts(table, CHOSEN, DIRTY)
    if serving == NEW_GUEST:
        table.new_guest = NONE
    elif serving == FROM_WAITING:
        table.num_waiting -= 1
        table.waiting_room[table.num_waiting] = NONE
    table.guest[guest] = server
    table.serving = NONE
    table.target = NONE
    if has_trio(table, server, guest):
        table.winner = server
        table.phase = OVER
        table.terminated = True
        return
    if earns_tip:
        draw(table, server)
    if serving == NEW_GUEST:
        begin_steal_phase(table)
    else:
        end_turn(table)


# -- Stealing, ace steal stopping --------------------------------------------------------------


@njit
def steal(table, guest):
    """Name the guest to be stolen; its owner may stop that (DE-8)."""
    owner = np.int64(table.guest[guest])
    begin_serving(table, np.int64(table.active), THEFT, guest)
    if can_stop(table, owner, guest):
        table.phase = STOP
        table.current_player = owner


@njit
def can_stop(table, owner, guest):
    """Return whether a player holds an Ace whose icon a guest craves (DE-8)."""
    return size_of(common(desserts_at(table, owner), ACES[guest])) > 0


@njit
def stop(table, card):
    """Discard an Ace: the thief keeps its cards, and its turn is over (DE-8)."""
    table.dessert[card] = DIRTY
    table.serving = NONE
    table.target = NONE
    end_turn(table)


@njit
def bribe(table, thief, card):
    """Hand a dessert to the owner; then guest and dishes move (DE-8)."""
    table.dessert[card] = table.guest[table.target]
    finish_serving(table, thief)


# -- Freshening up, false calls, drawing -------------------------------------------------------


@njit
def freshen(table, player):
    """Draw as many desserts as were discarded (DE-10)."""
    number = num_at(table, DISCARDED)
    move_desserts(table, DISCARDED, DIRTY)
    for _ in range(number):
        draw(table, player)


@njit
def drop_dish(table, player):
    """Discard a dessert drawn at random from a hand, if there is one (DE-6)."""
    size = num_at(table, player)
    if size > 0:
        table.dessert[pick_at(table, player, size)] = DIRTY


@njit
def draw(table, player):
    """Draw a dessert; dirty dishes are shuffled into an empty pile, if there are any (DE-11)."""
    left = num_at(table, PILE)
    if left == 0:
        move_desserts(table, DIRTY, PILE)
        left = num_at(table, PILE)
    if left > 0:
        table.dessert[pick_at(table, PILE, left)] = player


@njit
def num_at(table, place):
    """Return how many desserts are at a place."""
    return size_of(desserts_at(table, place))


@njit
def move_desserts(table, place, other):
    """Move all desserts from one place to another."""
    for card in range(NUM_DESSERTS):
        if table.dessert[card] == place:
            table.dessert[card] = other


@njit
def pick_at(table, place, number):
    """Return one of the desserts at a place, whose number is known, at random."""
    pick = below(table.rng, number)
    first, second = desserts_at(table, place)
    in_first = count_ones(first)
    if pick < in_first:
        return nth_one(first, pick)
    return HALF + nth_one(second, pick - in_first)


# -- Winning -----------------------------------------------------------------------------------


@njit
def has_trio(table, player, guest):
    """Return whether a player has the whole trio of a guest (DE-13)."""
    trio = TRIO_OF[guest]
    return guests_at(table, player) & trio == trio


@njit
def points_of(table, player):
    """Return the points of a player's guests."""
    guests, points = guests_at(table, player), 0
    for digit in range(POINT_DIGITS.shape[0]):
        points += count_ones(guests & POINT_DIGITS[digit]) << digit
    return points


@njit
def count_points(table):
    """Let the player with the most points win; a tie at the top is a draw (DE-13)."""
    most = -1
    for player in range(table.warned.shape[0]):
        points = points_of(table, player)
        if points > most:
            most = points
            table.winner = player
        elif points == most:
            table.winner = DRAW
    table.phase = OVER
    table.terminated = True


@njit
def rewards(table, totals):
    """Add every player's reward for the last step: +1 to the winner, paid by the others."""
    winner = np.int64(table.winner)
    if winner >= 0:
        players = totals.shape[0]
        for player in range(players):
            totals[player] -= 1.0 / (players - 1)
        totals[winner] += 1.0 + 1.0 / (players - 1)
