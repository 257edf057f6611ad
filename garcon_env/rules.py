"""The rules of Garçon, in the order in which the rulebook tells them.

Every function works on one table record (`state.table_dtype`), in place. `GA-n` names a ruling
of `docs/garcon.md`. What a player may do stands in `legal_actions`.
"""

from __future__ import annotations

import numpy as np

from garcon_env.actions import (
    COMPLETE_ORDER,
    DONE,
    LEAVE_ORDER,
    NAME_DISH,
    NOTEBOOK_ORDER,
    PASSED,
    REPEAT_ORDER,
    TAKE_ORDER,
    decode,
)
from garcon_env.cards import EVENT_SLOTS, LEAVE, NOTEBOOK, NUM_EVENT_KINDS, ORDER_SLOTS, REPEAT
from garcon_env.state import (
    CHOOSING,
    COMPLETED,
    DISCARDED,
    DRAW,
    MARKET,
    NAMING,
    NONE,
    OPEN,
    OVER,
    PILE,
    TURN,
)
from waiter_envs.core.jit import njit
from waiter_envs.core.rng import below

POINT_REWARD = 0.1

# -- Setup -------------------------------------------------------------------------------------


@njit
def init_state(table):
    """Deal a new game on a blank table that has a random stream (rulebook: Setup)."""
    if table.fresh:
        draw_faces(table)
    table.first_player = table.first_option
    if table.first_option == NONE:
        table.first_player = below(table.rng, table.points.shape[0])
    table.current_player = table.first_player
    fill_slots(table)


@njit
def draw_faces(table):
    """Draw for every order a face with the dishes that its back tells of (`orders="fresh"`)."""
    for order in range(table.face.shape[0]):
        face = 0
        for symbol in range(table.back_counts.shape[1]):
            start, end = table.symbol_start[symbol], table.symbol_start[symbol + 1]
            wanted = np.int64(table.back_counts[table.back[order], symbol])
            left = np.int64(end - start)
            for dish in range(start, end):  # each with the chance that it belongs to a random set
                if wanted > 0 and below(table.rng, left) < wanted:
                    face |= np.int64(1) << dish
                    wanted -= 1
                left -= 1
        table.face[order] = face


@njit
def fill_slots(table):
    """Fill the empty slots on the table, lowest first, from the piles (GA-1)."""
    for slot in range(ORDER_SLOTS):
        if table.market[slot] == NONE:
            table.market[slot] = draw_order(table)
    for slot in range(EVENT_SLOTS):
        if table.market_event[slot] == NONE:
            table.market_event[slot] = draw_event(table)


@njit
def draw_order(table):
    """Draw an order, from the shuffled discards if the pile is empty, or NONE (GA-1)."""
    if table.order_pile == 0:
        if table.order_discards == 0:
            return NONE
        for order in range(table.place.shape[0]):
            if table.place[order] == DISCARDED:
                table.place[order] = PILE
        table.order_pile = table.order_discards
        table.order_discards = 0
        table.discarded[:] = 0
        table.discarded_dish[:] = 0
    pick = below(table.rng, table.order_pile)
    drawn, passed = 0, 0
    for order in range(table.place.shape[0] - 1):  # no branches, which could not be foreseen
        passed += table.place[order] == PILE
        drawn += passed <= pick
    table.place[drawn] = MARKET
    table.order_pile -= 1
    return drawn


@njit
def draw_event(table):
    """Draw an event, from the shuffled discards if the pile is empty, or NONE (GA-1)."""
    size = 0
    for kind in range(NUM_EVENT_KINDS):
        size += table.event_pile[kind]
    if size == 0:
        for kind in range(NUM_EVENT_KINDS):
            table.event_pile[kind] = table.event_discards[kind]
            table.event_discards[kind] = 0
            size += table.event_pile[kind]
        if size == 0:
            return NONE
    pick = below(table.rng, size)
    kind = 0
    while pick >= table.event_pile[kind]:
        pick -= table.event_pile[kind]
        kind += 1
    table.event_pile[kind] -= 1
    return kind


# -- Turn --------------------------------------------------------------------------------------


@njit
def step(table, action):
    """Play one legal action of the player to act and move on to the next decision."""
    kind, a, b = decode(table, action)
    player = np.int64(table.current_player)
    table.gainer = NONE
    table.gained = 0
    if kind == NAME_DISH:
        name_dish(table, player, a)
        return
    if kind == DONE:
        end_turn(table, player, COMPLETE_ORDER)
        return
    if kind == COMPLETE_ORDER:
        complete_order(table, player, a)
        return
    if kind == TAKE_ORDER:
        table.last_slot[player] = a
        table.last_face[player] = table.face[table.market[a]]
        take_order(table, player, a)
    elif kind == REPEAT_ORDER:
        table.repeat[player, a] = 1
        take_event(table, REPEAT)
    elif kind == NOTEBOOK_ORDER:
        table.notebook[player, a] = 1
        take_event(table, NOTEBOOK)
    elif kind == LEAVE_ORDER:
        take_event(table, LEAVE)
        table.event_discards[LEAVE] += 1
        discard_order(table, a, b)
    end_turn(table, player, kind)


@njit
def end_turn(table, player, did):
    """Fill the slots and hand the turn on, past all who can only pass (GA-1, GA-10)."""
    fill_slots(table)
    finish_turn(table, player, did)
    pass_turns(table)


@njit
def pass_turns(table):
    """Let everybody pass who has nothing else to do, until somebody has (GA-10)."""
    while table.phase == TURN and not may_act(table, np.int64(table.current_player)):
        finish_turn(table, np.int64(table.current_player), PASSED)


@njit
def finish_turn(table, player, did):
    """Note what a player did, and make its open orders a turn older (GA-8, GA-11)."""
    table.last[player] = did
    if did != TAKE_ORDER:
        table.last_slot[player] = NONE
        table.last_face[player] = 0
    for place in range(table.num_open[player]):
        table.age[player, place] += 1
    next_turn(table, player)


@njit
def next_turn(table, player):
    """Count a turn and hand the next one to the left, or end the game with the round."""
    players = table.points.shape[0]
    table.turns_done += 1
    table.phase = TURN
    round_is_over = table.turns_done % players == 0
    if all_passed(table) or (table.final_round and round_is_over):
        if table.has_clock:
            next_to_name(table, np.int64(table.first_player))
        else:
            find_winner(table)
    elif round_is_over and table.turns_done >= table.turn_limit:
        table.phase = OVER
        table.truncated = True
    else:
        table.current_player = left_of(table, player)


@njit
def all_passed(table):
    """Return whether the last turn of every player was a pass (GA-10)."""
    passed = True
    for player in range(table.last.shape[0]):
        passed &= table.last[player] == PASSED
    return passed


@njit
def left_of(table, player):
    """Return the next player clockwise."""
    return player + 1 if player + 1 < table.points.shape[0] else 0


# -- Taking an order ---------------------------------------------------------------------------


@njit
def take_order(table, player, slot):
    """Lay an order from the table face down before a player (GA-3); the clock moves (GA-9)."""
    order = np.int64(table.market[slot])
    place = np.int64(table.num_open[player])
    table.market[slot] = NONE
    table.place[order] = OPEN
    table.order[player, place] = order
    table.age[player, place] = -1  # the end of this turn makes it 0
    table.num_open[player] += 1
    if table.has_clock and table.clock < table.num_clock_places:
        table.clock += 1
        if table.clock == table.num_clock_places:
            table.final_round = True


# -- Completing an order -----------------------------------------------------------------------


@njit
def complete_order(table, player, place):
    """Begin to complete an open order; one under a Notebook needs no naming (GA-4, GA-6)."""
    if table.notebook[player, place]:
        finish_order(table, player, place, True)
    else:
        table.phase = NAMING
        table.named = place
        table.said = 0


@njit
def name_dish(table, player, dish):
    """Name a dish; with as many as the order has, it is turned over (GA-4)."""
    table.said |= np.int64(1) << dish
    place = np.int64(table.named)
    order = np.int64(table.order[player, place])
    if count_dishes(table.said) == count_dishes(table.face[order]):
        finish_order(table, player, place, table.said == table.face[order])


@njit
def count_dishes(face):
    """Return how many dishes a set of dishes has."""
    rest = np.int64(face)
    count = 0
    while rest:
        rest &= rest - 1
        count += 1
    return count


@njit
def finish_order(table, player, place, right):
    """Score an order named right, discard one named wrong; then go on (GA-4, GA-5)."""
    table.named = NONE
    table.said = 0
    if right:
        score_order(table, player, place)
    else:
        discard_order(table, player, place)
    if table.num_open[player] > 0:
        table.phase = CHOOSING
    elif table.has_clock:
        next_to_name(table, left_of(table, player))
    else:
        end_turn(table, player, COMPLETE_ORDER)


@njit
def score_order(table, player, place):
    """Lay a completed order face up beside its player, with its Repeat (GA-5)."""
    order = np.int64(table.order[player, place])
    doubled = np.int64(table.repeat[player, place])
    table.event_discards[NOTEBOOK] += table.notebook[player, place]
    table.gainer = player
    table.gained = table.order_points[order] * (1 + doubled)
    table.points[player] += table.gained
    table.place[order] = COMPLETED
    table.owner[order] = player
    table.with_repeat[order] = doubled
    table.completed[player, table.back[order]] += 1
    add_dishes(table.completed_dish, table.face[order])
    table.doubled[player, table.back[order]] += doubled
    remove_order(table, player, place)
    if not table.has_clock and table.points[player] >= table.target:
        table.final_round = True


@njit
def discard_order(table, player, place):
    """Discard an open order with what lies on it (GA-4, GA-5)."""
    table.event_discards[REPEAT] += table.repeat[player, place]
    table.event_discards[NOTEBOOK] += table.notebook[player, place]
    order = np.int64(table.order[player, place])
    table.place[order] = DISCARDED
    table.order_discards += 1
    table.discarded[table.back[order]] += 1
    add_dishes(table.discarded_dish, table.face[order])
    remove_order(table, player, place)


@njit
def add_dishes(counts, face):
    """Add one order to the numbers of orders with each dish."""
    for dish in range(counts.shape[0]):
        counts[dish] += np.int64(face) >> dish & 1


@njit
def remove_order(table, player, place):
    """Take an order out of a player's open ones; the later ones close up (GA-12)."""
    table.num_open[player] -= 1
    last = table.num_open[player]
    for later in range(place, last):
        table.order[player, later] = table.order[player, later + 1]
        table.repeat[player, later] = table.repeat[player, later + 1]
        table.notebook[player, later] = table.notebook[player, later + 1]
        table.age[player, later] = table.age[player, later + 1]
    table.order[player, last] = NONE
    table.repeat[player, last] = 0
    table.notebook[player, last] = 0
    table.age[player, last] = 0


# -- Seeing an order ---------------------------------------------------------------------------


@njit
def sees(table, player, place):
    """Return whether a player sees the face of its own open order (GA-6, GA-8)."""
    return (
        table.notebook[player, place] == 1
        or table.recall == NONE
        or table.age[player, place] < table.recall
    )


# -- Taking an event ---------------------------------------------------------------------------


@njit
def take_event(table, kind):
    """Take an event of a kind from the lower slot that has one (GA-5)."""
    for slot in range(EVENT_SLOTS):
        if table.market_event[slot] == kind:
            table.market_event[slot] = NONE
            return


@njit
def on_table(table, kind):
    """Return whether an event of a kind lies on the table."""
    found = False
    for slot in range(EVENT_SLOTS):
        found |= table.market_event[slot] == kind
    return found


# -- Winning -----------------------------------------------------------------------------------


@njit
def next_to_name(table, player):
    """Let the next player with open orders name them, or find the winner if none is left (GA-9)."""
    for _ in range(table.points.shape[0]):
        if table.num_open[player] > 0:
            table.current_player = player
            table.phase = CHOOSING
            return
        player = left_of(table, player)
    find_winner(table)


@njit
def find_winner(table):
    """End the game: most points win, a tie at the top is a draw (GA-7)."""
    best, holders = -1, 0
    for player in range(table.points.shape[0]):
        if table.points[player] > best:
            best, holders = table.points[player], 0
            table.winner = player
        holders += table.points[player] == best
    if holders > 1:
        table.winner = DRAW
    table.phase = OVER
    table.terminated = True


@njit
def rewards(table, totals):
    """Add every player's reward for the last step: paid to one, by all others equally."""
    others = table.points.shape[0] - 1
    if table.pay_points and table.gainer != NONE:
        pay(totals, np.int64(table.gainer), POINT_REWARD * table.gained, others)
    if table.winner >= 0:
        pay(totals, np.int64(table.winner), 1.0, others)


@njit
def pay(totals, winner, amount, others):
    """Pay an amount to one player, of which the others owe equal parts."""
    for player in range(totals.shape[0]):
        totals[player] += amount if player == winner else -amount / others


# -- Passing -----------------------------------------------------------------------------------


@njit
def may_act(table, player):
    """Return whether a player has anything to do but to pass (GA-10)."""
    mine = table.num_open[player]
    if mine > 0 and not table.has_clock:
        return True
    if mine < table.order.shape[1]:
        for slot in range(ORDER_SLOTS):
            if table.market[slot] != NONE:
                return True
    bare, unnoted = False, False
    for place in range(mine):
        bare |= table.repeat[player, place] == 0
        unnoted |= table.notebook[player, place] == 0
    others = 0
    for other in range(table.points.shape[0]):
        others += table.num_open[other] if other != player else 0
    return (
        (bare and on_table(table, REPEAT))
        or (unnoted and on_table(table, NOTEBOOK))
        or (others > 0 and on_table(table, LEAVE))
    )
