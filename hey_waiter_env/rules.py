"""The rules of Hey Waiter!, in the order in which the rulebook tells them.

Every function works on one table record (`state.table_dtype`), in place. `HW-n` names a ruling
of `docs/hey_waiter.md`. What a player may do stands in `legal_actions`.
"""

from __future__ import annotations

import numpy as np

from hey_waiter_env.actions import (
    CALL_BUSBOY,
    DISCARD,
    DRAFT_PICK,
    MOVE_COVER,
    MOVE_DISHES,
    NO_USE,
    ONTO,
    SERVE_ALL,
    SERVE_FROM,
    TAKE,
    TURN,
    decode,
    first_dish,
)
from hey_waiter_env.cards import BLUE, GREEN, HAND_SIZE, NUM_COLOURS, RED, WHITE
from hey_waiter_env.state import DRAFT, FACE, NONE, OVER, PLAY, SERVE
from waiter_envs.core.jit import njit
from waiter_envs.core.rng import below

# -- Preparation -------------------------------------------------------------------------------


@njit
def init_state(table):
    """Deal a new game on a blank table (rulebook: Preparation)."""
    if table.secret:
        draw_sides(table)
        reveal_sides(table)
    for player in range(table.hand.shape[0]):
        draw_cards(table, player, HAND_SIZE)
    fill_draft(table)
    table.start_seat = table.start_option
    if table.start_option == NONE:
        table.start_seat = below(table.rng, table.player_at.shape[0])
    table.phase = DRAFT
    set_to_act(table, right_of(table, table.start_seat))


@njit
def draw_sides(table):
    """Draw who is on which side, among players with equally many seats (HW-14)."""
    for player in range(1, table.side.shape[0]):
        alike = 0
        for other in range(player + 1):
            alike += table.seats_of[other] == table.seats_of[player]
        place = below(table.rng, alike)
        for other in range(player + 1):
            if table.seats_of[other] == table.seats_of[player]:
                if place == 0:
                    mine, theirs = table.side[player], table.side[other]
                    table.side[player], table.side[other] = theirs, mine
                    break
                place -= 1


@njit
def fill_draft(table):
    """Draw a stack for each seat from the bag, which holds as many dishes of each colour."""
    each = np.int64(table.dishes_per_colour)
    first, second, third, left = each, each, each, NUM_COLOURS * each
    for stack in range(table.draft.shape[0]):
        for height in range(table.stack_dishes[stack]):
            pick = below(table.rng, left)
            colour = np.int64(pick >= first) + (pick >= first + second)
            colour += pick >= first + second + third
            first -= colour == 0
            second -= colour == 1
            third -= colour == 2
            left -= 1
            table.draft[stack, height] = colour


@njit
def right_of(table, seat):
    """Return the next seat to the right, which is counter-clockwise."""
    return seat - 1 if seat > 0 else table.player_at.shape[0] - 1


@njit
def left_of(table, seat):
    """Return the next seat to the left, which is clockwise."""
    return seat + 1 if seat + 1 < table.player_at.shape[0] else 0


@njit
def set_to_act(table, seat):
    """Hand the decision to the player at `seat`."""
    table.to_act = seat
    table.current_player = table.player_at[seat]


@njit
def draft_pick(table, stack, card):
    """Pick a stack and lay a card under it; the starting seat picks last (HW-1, HW-2)."""
    seat = table.to_act
    player = table.player_at[seat]
    if not table.equal_dishes:
        stack = np.int64(seat)
    total = first_dish(table, player, table.num_stacks[player])
    for height in range(table.stack_dishes[stack]):
        table.dishes[player, total + height] = table.draft[stack, height]
        table.draft[stack, height] = NONE
    place = open_stack(table, player, card)
    table.height[player, place] = table.stack_dishes[stack]
    table.taken[stack] = 1
    if seat == table.start_seat:
        table.phase = PLAY
        table.draft[:] = NONE
        table.taken[:] = 0
    else:
        set_to_act(table, right_of(table, seat))


# -- Gameplay ----------------------------------------------------------------------------------


@njit
def step(table, action):
    """Play one legal action of the player to act and move on to the next decision."""
    description = decode(table, action)
    kind = description[0]
    player = np.int64(table.current_player)
    for i in range(len(description)):
        table.last[player, i] = description[i]
    if kind == DRAFT_PICK:
        draft_pick(table, description[1], description[2])
        return
    if kind == DISCARD:
        discard_cards(table, player, description)
    else:
        play_two_cards(table, player, description)
    finish_turn(table)


@njit
def play_two_cards(table, player, description):
    """Option A: play two cards, act, draw two; then the cards are discarded (HW-4)."""
    kind, colour, b, c, d, e = description
    verb = WHITE
    if kind == SERVE_ALL:
        verb = GREEN
    elif kind == MOVE_COVER:
        verb = RED
    elif kind == MOVE_DISHES or kind == TAKE:
        verb = BLUE
    table.hand[player, verb] -= 1
    table.hand[player, colour] -= 1
    if kind == SERVE_ALL:
        everybody_serve(table, colour)
    elif kind == MOVE_COVER:
        move_cover(table, colour, b, c)
    elif kind == CALL_BUSBOY:
        call_busboy(table, player, colour, b, c)
    elif kind == MOVE_DISHES:
        move_dishes(table, player, b, c, d)
    elif kind == TAKE:
        take_dishes(table, player, b, c, d, e)
    find_winner(table)
    if table.winner == NONE:
        draw_cards(table, player, 2)
    table.discard[verb] += 1
    table.discard[colour] += 1


@njit
def discard_cards(table, player, description):
    """Option B: discard one card or more, then draw as many (HW-4, HW-12)."""
    count = 0
    for colour in range(NUM_COLOURS):
        table.hand[player, colour] -= description[1 + colour]
        table.discard[colour] += description[1 + colour]
        count += description[1 + colour]
    draw_cards(table, player, count)


@njit
def draw_cards(table, player, count):
    """Draw `count` cards; an empty pile is made anew from the discards at once (HW-4)."""
    left = 0
    for colour in range(NUM_COLOURS):
        left += table.draw[colour]
    for _ in range(count):
        if left == 0:
            left = reshuffle(table)
            if left == 0:
                return
        pick = below(table.rng, left)
        colour = 0
        while pick >= table.draw[colour]:
            pick -= table.draw[colour]
            colour += 1
        table.draw[colour] -= 1
        table.hand[player, colour] += 1
        left -= 1
        if left == 0:
            left = reshuffle(table)


@njit
def reshuffle(table):
    """Turn the discard pile into the draw pile and return its size (HW-4)."""
    size = 0
    for colour in range(NUM_COLOURS):
        size += table.discard[colour]
        table.draw[colour] = table.discard[colour]
        table.discard[colour] = 0
    return size


@njit
def finish_turn(table):
    """Count the turn, then end or cut the game, or pass it to the left (HW-3, HW-13)."""
    table.turn += 1
    if table.winner != NONE:
        table.phase = OVER
        table.terminated = True
    elif table.turn >= table.turn_limit:
        table.phase = OVER
        table.truncated = True
    else:
        set_to_act(table, left_of(table, table.to_act))


# -- GREEN: Everybody Serve! -------------------------------------------------------------------


@njit
def everybody_serve(table, colour):
    """Serve the top dish of every uncovered stack if it has the colour (HW-5)."""
    for player in range(table.hand.shape[0]):
        stack = 0
        end = 0
        while stack < table.num_stacks[player]:
            end += table.height[player, stack]
            served = table.cover[player, stack] == NONE and table.dishes[player, end - 1] == colour
            if served:
                end -= 1
            if not (served and serve_top(table, player, stack, end)):
                stack += 1


@njit
def serve_top(table, player, stack, top):
    """Serve the dish at index `top`, the stack's top; return whether it was the last one."""
    last = table.dishes.shape[1] - 1
    for dish in range(top, last):
        table.dishes[player, dish] = table.dishes[player, dish + 1]
    table.dishes[player, last] = NONE
    table.height[player, stack] -= 1
    if table.height[player, stack] > 0:
        return False
    close_stack(table, player, stack)
    return True


# -- RED: Move Cover ---------------------------------------------------------------------------


@njit
def move_cover(table, colour, owner, stack):
    """Put a cover from the table onto a stack, or lift it back to the table (HW-6)."""
    if table.cover[owner, stack] == NONE:
        table.cover[owner, stack] = colour
        table.table_covers[colour] -= 1
    else:
        lift_cover(table, owner, stack)


@njit
def lift_cover(table, owner, stack):
    """Return a stack's cover to the table."""
    table.table_covers[table.cover[owner, stack]] += 1
    table.cover[owner, stack] = NONE


# -- WHITE: Call Busboy ------------------------------------------------------------------------


@njit
def call_busboy(table, player, colour, lift, use):
    """Lift a cover from one's own stack, then turn the busboy or serve with it (HW-7)."""
    if lift != NONE:
        lift_cover(table, player, lift)
    if use == NO_USE:
        return
    if use == TURN:
        table.busboy[player, colour] = SERVE
        return
    table.busboy[player, colour] = FACE
    stack = use - SERVE_FROM
    top = first_dish(table, player, stack) + table.height[player, stack] - 1
    serve_top(table, player, stack, top)


# -- BLUE: Move Dishes -------------------------------------------------------------------------


@njit
def move_dishes(table, player, stack, height, target):
    """Move a dish and all above it to a new stack or onto another of one's own (HW-8)."""
    dishes = table.dishes[player]
    start = first_dish(table, player, stack)
    low, high = start + height, start + table.height[player, stack]
    whole = height == 0
    if target < ONTO and whole:  # the stack keeps its place, on another card
        table.hand[player, target] -= 1
        table.hand[player, table.card[player, stack]] += 1
        table.card[player, stack] = target
        return
    cover = table.cover[player, stack]
    table.cover[player, stack] = NONE
    if target < ONTO:
        onto = open_stack(table, player, target)
    else:
        onto = target - ONTO
    end = first_dish(table, player, onto + 1)
    if onto > stack:
        rotate(dishes, low, high, end)
    else:
        rotate(dishes, end, low, high)
    table.height[player, stack] -= high - low
    table.height[player, onto] += high - low
    table.cover[player, onto] = cover
    if whole:
        close_stack(table, player, stack)


@njit
def take_dishes(table, player, partner, stack, height, card):
    """Take a partner's dish and all above it onto a new stack, cover and all (HW-11)."""
    start = first_dish(table, partner, stack)
    low, high = start + height, start + table.height[partner, stack]
    place = open_stack(table, player, card)
    for dish in range(low, high):
        table.dishes[player, dish - low] = table.dishes[partner, dish]
    table.height[player, place] = high - low
    table.cover[player, place] = table.cover[partner, stack]
    table.cover[partner, stack] = NONE
    remove_dishes(table, partner, low, high)
    table.height[partner, stack] = height
    if height == 0:
        close_stack(table, partner, stack)


@njit
def rotate(dishes, low, middle, high):
    """Exchange the neighbouring runs `low .. middle` and `middle .. high`, in place."""
    reverse(dishes, low, middle)
    reverse(dishes, middle, high)
    reverse(dishes, low, high)


@njit
def reverse(dishes, low, high):
    """Reverse the run `low .. high`, in place."""
    high -= 1
    while low < high:
        dishes[low], dishes[high] = dishes[high], dishes[low]
        low += 1
        high -= 1


@njit
def remove_dishes(table, player, low, high):
    """Remove the run `low .. high` of a player's dishes; the later ones close up."""
    size = table.dishes.shape[1]
    for dish in range(low, size):
        later = dish + high - low
        table.dishes[player, dish] = table.dishes[player, later] if later < size else NONE


# -- Face-down cards ---------------------------------------------------------------------------


@njit
def open_stack(table, player, card):
    """Lay a hand card down for a new, empty stack, the newest; return its number (HW-8)."""
    stack = np.int64(table.num_stacks[player])
    table.hand[player, card] -= 1
    table.card[player, stack] = card
    table.num_stacks[player] += 1
    return stack


@njit
def close_stack(table, player, stack):
    """Return the card of an empty stack to its owner's hand; later stacks close up (HW-10)."""
    table.hand[player, table.card[player, stack]] += 1
    table.num_stacks[player] -= 1
    last = table.num_stacks[player]
    for place in range(stack, last):
        table.height[player, place] = table.height[player, place + 1]
        table.card[player, place] = table.card[player, place + 1]
        table.cover[player, place] = table.cover[player, place + 1]
    table.height[player, last] = 0
    table.card[player, last] = NONE
    table.cover[player, last] = NONE


# -- Game end ----------------------------------------------------------------------------------


@njit
def find_winner(table):
    """Let the first finished side win, counted clockwise from the active seat (HW-13)."""
    somebody_is_out = False
    for player in range(table.hand.shape[0]):
        somebody_is_out |= table.num_stacks[player] == 0
    if not somebody_is_out:
        return
    if table.secret:
        reveal_sides(table)
    seat = table.to_act
    for _ in range(table.player_at.shape[0]):
        side = table.side[table.player_at[seat]]
        if side_is_finished(table, side):
            table.winner = side
            return
        seat = left_of(table, seat)


@njit
def side_is_finished(table, side):
    """Return whether no player of a side has a dish left."""
    for player in range(table.hand.shape[0]):
        if table.side[player] == side and table.num_stacks[player] > 0:
            return False
    return True


@njit
def rewards(table, totals):
    """Add every player's reward for the last step: +1 to each winner, paid by the others."""
    if table.winner == NONE:
        return
    players = table.hand.shape[0]
    winners = 0
    for player in range(players):
        winners += table.side[player] == table.winner
    share = winners / (players - winners)
    for player in range(players):
        totals[player] += 1.0 if table.side[player] == table.winner else -share


# -- Secret partnerships -----------------------------------------------------------------------


@njit
def reveal_sides(table):
    """Make public the sides of players without dishes, and what follows from it (HW-14)."""
    if table.phase == PLAY:
        for player in range(table.hand.shape[0]):
            if table.num_stacks[player] == 0:
                table.known[table.side[player]] = 1
    again = True
    while again:
        again = False
        for side in range(table.known.shape[0]):
            if not table.known[side] and side_follows(table, side):
                table.known[side] = 1
                again = True


@njit
def side_follows(table, side):
    """Return whether elimination tells who is on a side that nobody has revealed (HW-14).

    Sides are drawn among players with equally many seats. So a side is known when, among the
    hidden players of every such group, it has all or none.
    """
    players = table.hand.shape[0]
    for player in range(players):
        if table.known[table.side[player]] or table.side[player] != side:
            continue
        for other in range(players):
            alike = table.seats_of[other] == table.seats_of[player]
            if alike and not table.known[table.side[other]] and table.side[other] != side:
                return False
    return True
