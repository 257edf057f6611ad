"""Dealing anew what a player of Garçon does not know (GA-13).

Known are the orders that lie face up, and the faces of open orders that the player sees, has just
seen taken, or remembers. The other open orders have any face of the deck that is not known
elsewhere and has their back; with fresh orders, any face with their back.
"""

from __future__ import annotations

import itertools

import numpy as np

from garcon_env.actions import TAKE_ORDER
from garcon_env.agents import round_taken
from garcon_env.cards import ORDER_SLOTS
from garcon_env.rules import sees
from garcon_env.state import COMPLETED, NAMING, NONE, OPEN, OVER, PILE, TURN
from waiter_envs.core.jit import njit
from waiter_envs.core.rng import below
from waiter_envs.core.words import find, lowest_one

HIDDEN = -2
"""An open order that is to be dealt anew, with back 0; with back b it is HIDDEN - b."""

SYMBOLS, DISHES = 3, 5
"""The shipped menu, for which all faces are written down: symbols, and dishes of each."""


def _faces(counts: tuple[int, ...]) -> list[int]:
    """Return all faces of the shipped menu that have so many dishes of each symbol."""
    sets = [
        [number << DISHES * symbol for number in range(1 << DISHES) if number.bit_count() == count]
        for symbol, count in enumerate(counts)
    ]
    return [sum(parts) for parts in itertools.product(*sets)]


_BY_BACK = [_faces(counts) for counts in itertools.product(range(DISHES + 1), repeat=SYMBOLS)]
FACES = np.array(list(itertools.chain.from_iterable(_BY_BACK)), np.int16)
"""The faces of the shipped menu, back after back, `(32768,)`."""
FIRST_FACE = np.cumsum([0, *map(len, _BY_BACK)])
"""Where in `FACES` those of a back begin, `(217,)`, by its counts as the digits of a number."""


@njit
def resample(table, player):
    """Deal anew, in place, all that a player does not know from what it sees.

    Args:
        table: any table, whose random stream is a new one.
        player: who knows what stays.

    Returns:
        Whether it was possible: what the player knows does not contradict itself.
    """
    if not is_consistent(table, player):
        return False
    gather(table, player)
    return deal(table, player)


@njit
def resample_remembering(table, player, memory):
    """Do what `resample` does, but for the faces that the player remembers.

    Args:
        table: any table, whose random stream is a new one.
        player: who knows what stays.
        memory: of a rule-based agent of the player (`agents`); it stays as it is.

    Returns:
        Whether it was possible: what the player knows does not contradict itself.
    """
    if not is_consistent(table, player):
        return False
    gather(table, player)
    return recall_all(table, player, memory) and deal(table, player)


# -- What is known -----------------------------------------------------------------------------


@njit
def is_consistent(table, player):
    """Return whether all orders are somewhere once, and what was told of them is so."""
    orders, players = table.place.shape[0], table.points.shape[0]
    wrong = (table.phase < TURN) | (table.phase > OVER)
    wrong |= (table.current_player < 0) | (table.current_player >= players)
    in_pile, opened = 0, 0
    for order in range(orders):
        place = table.place[order]
        in_pile += place == PILE
        opened += place == OPEN
        wrong |= (place < PILE) | (place > COMPLETED)
    for slot in range(ORDER_SLOTS):
        wrong |= (table.market[slot] < NONE) | (table.market[slot] >= orders)
    if wrong or in_pile != table.order_pile:
        return False
    for other in range(players):
        number = table.num_open[other]
        if number < 0 or number > table.order.shape[1]:
            return False
        opened -= number
        for place in range(number):
            order = np.int64(table.order[other, place])
            if order < 0 or order >= orders or table.place[order] != OPEN:
                return False
            told = other != player and is_told(table, other, place)
            if told and table.face[order] != table.last_face[other]:
                return False
    if opened != 0:
        return False
    return table.phase != NAMING or 0 <= table.named < table.num_open[table.current_player]


@njit
def is_told(table, player, place):
    """Return whether all others have just seen a player take an open order (GA-11)."""
    return table.age[player, place] == 0 and table.last[player] == TAKE_ORDER


@njit
def is_hidden(table, player, owner, place):
    """Return whether a player does not know the face of an open order."""
    if owner == player:
        return not sees(table, player, place)
    return not is_told(table, owner, place)


@njit
def gather(table, player):
    """Put all open orders whose faces a player does not know into the pile, but keep the backs."""
    for owner in range(table.points.shape[0]):
        for place in range(table.num_open[owner]):
            if is_hidden(table, player, owner, place):
                order = np.int64(table.order[owner, place])
                table.place[order] = PILE
                table.order[owner, place] = HIDDEN - table.back[order]


@njit
def recall_all(table, player, memory):
    """Lay the own open orders that a player remembers back, and return whether that is possible."""
    for place in range(table.num_open[player]):
        if table.order[player, place] <= HIDDEN:
            face = remembered(table, player, place, memory)
            if face != 0:
                order = with_face(table, HIDDEN - table.order[player, place], face)
                if order == NONE:
                    return False
                lay(table, player, place, order)
                table.face[order] = face
    return True


@njit
def remembered(table, player, place, memory):
    """Return the face of an own open order that a player remembers, or 0."""
    taken = round_taken(table, player, place)
    for i in range(memory.round.shape[0]):
        if memory.round[i] == taken:
            return np.int64(memory.face[i])
    return np.int64(0)


@njit
def with_face(table, back, face):
    """Return an order in the pile that has a face, or may have it, and a back; or NONE."""
    if not has_back(table, face, back):
        return NONE
    for order in range(table.place.shape[0]):
        fits = table.fresh or table.face[order] == face
        if fits and table.place[order] == PILE and table.back[order] == back:
            return order
    return NONE


@njit
def has_back(table, face, back):
    """Return whether a face has as many dishes of each symbol as a back shows."""
    symbols = table.back_counts.shape[1]
    fits = face >> np.int64(table.symbol_start[symbols]) == 0
    for symbol in range(symbols):
        dishes = 0
        for dish in range(table.symbol_start[symbol], table.symbol_start[symbol + 1]):
            dishes += np.int64(face) >> dish & 1
        fits = fits and dishes == table.back_counts[back, symbol]
    return fits


# -- Dealing -----------------------------------------------------------------------------------


@njit
def deal(table, player):
    """Deal the open orders that are hidden, and what is in the pile, anew."""
    dealt = deal_open(table)
    if table.fresh:
        draw_faces(table, dealt | find(table.place, 0, table.place.shape[0], PILE))
        return_told(table)
    newest = np.int64(table.num_open[player]) - 1
    if newest >= 0 and is_told(table, player, newest):
        table.last_face[player] = table.face[table.order[player, newest]]
    return True


@njit
def deal_open(table):
    """Deal the open orders that are hidden: any order of the pile with the back that shows.

    Of fresh ones, which have no faces yet, the first with that back will do.

    Returns:
        The fresh orders that were dealt, as a set; they are those of the shipped deck, few enough
        for a word.
    """
    dealt = 0
    for owner in range(table.points.shape[0]):
        for place in range(table.num_open[owner]):
            if table.order[owner, place] <= HIDDEN:
                back = np.int64(HIDDEN - table.order[owner, place])
                if table.fresh:
                    order = first_with_back(table, back)
                    dealt |= 1 << order
                else:
                    order = draw_with_back(table, back)
                lay(table, owner, place, order)
    return dealt


@njit
def first_with_back(table, back):
    """Return the first order of the pile that has a back."""
    order = 0
    while table.place[order] != PILE or table.back[order] != back:
        order += 1
    return order


@njit
def draw_with_back(table, back):
    """Return an order of the pile that has a back, drawn at random."""
    orders = table.place.shape[0]
    number = 0
    for order in range(orders):
        number += (table.place[order] == PILE) & (table.back[order] == back)
    pick = below(table.rng, number)
    drawn, passed = 0, 0
    for order in range(orders - 1):  # no branches, which could not be foreseen
        passed += (table.place[order] == PILE) & (table.back[order] == back)
        drawn += passed <= pick
    return drawn


@njit
def lay(table, owner, place, order):
    """Lay an order of the pile face down before a player."""
    table.place[order] = OPEN
    table.order[owner, place] = order


@njit
def draw_faces(table, orders):
    """Draw for each of a set of orders a face with the dishes that its back tells of."""
    if has_shipped_menu(table):
        draw_shipped(table, orders)
        return
    while orders:
        order = lowest_one(orders)
        orders &= orders - 1
        table.face[order] = draw_face(table, order)


@njit
def has_shipped_menu(table):
    """Return whether a menu has as many symbols and dishes as the shipped one."""
    shipped = table.back_counts.shape[1] == SYMBOLS
    for symbol in range(table.symbol_start.shape[0]):
        shipped &= table.symbol_start[symbol] == DISHES * symbol
    return shipped


@njit
def draw_shipped(table, orders):
    """Draw faces of the shipped menu."""
    while orders:
        order = lowest_one(orders)
        orders &= orders - 1
        back = 0
        for symbol in range(table.back_counts.shape[1]):
            back *= DISHES + 1
            back += table.back_counts[table.back[order], symbol]
        first = FIRST_FACE[back]
        table.face[order] = FACES[first + below(table.rng, FIRST_FACE[back + 1] - first)]


@njit
def draw_face(table, order):
    """Return a face with the dishes that an order's back tells of, drawn at random."""
    face = 0
    for symbol in range(table.back_counts.shape[1]):
        start = np.int64(table.symbol_start[symbol])
        size = np.int64(table.symbol_start[symbol + 1]) - start
        chosen = 0
        for last in range(size - table.back_counts[table.back[order], symbol], size):
            dish = below(table.rng, last + 1)
            chosen |= 1 << (last if chosen >> dish & 1 else dish)
        face |= chosen << start
    return face


# -- Fresh orders that were told and are in the pile again -------------------------------------


@njit
def return_told(table):
    """Let the pile hold the orders that were taken, left and shuffled in within a round (GA-11).

    Which of the orders with their back they are, nothing tells; so they are the first ones.
    """
    for player in range(table.points.shape[0]):
        if not is_back_in_pile(table, player):
            continue
        face, passed = np.int64(table.last_face[player]), 0
        for order in range(table.place.shape[0]):
            back = np.int64(table.back[order])
            if table.place[order] == PILE and has_back(table, face, back):
                if passed == num_told(table, player, back):
                    table.face[order] = face
                    break
                passed += 1


@njit
def num_told(table, players, back):
    """Return how many orders with a back the first so many players have put into the pile."""
    number = 0
    for player in range(players):
        if is_back_in_pile(table, player):
            number += has_back(table, np.int64(table.last_face[player]), back)
    return number


@njit
def is_back_in_pile(table, player):
    """Return whether the order that a player took in its last turn lies nowhere else any more."""
    newest = np.int64(table.num_open[player]) - 1
    if table.last[player] != TAKE_ORDER or (newest >= 0 and is_told(table, player, newest)):
        return False
    up = 0
    for order in range(table.place.shape[0]):  # no branches, which could not be foreseen
        here = (table.place[order] != PILE) & (table.place[order] != OPEN)
        up += here & (table.face[order] == table.last_face[player])
    return up == 0
