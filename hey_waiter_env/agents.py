"""The rule-based opponent of Hey Waiter!: it scores every kind of turn and plays the best.

A score is in dishes: what a turn gains for one's own side, less what it gives to the others,
who count the more the fewer dishes they have left, and less the worth of the cards it costs.
`choose` looks at the record, but only at what its player may see: its own hand and what lies
openly on the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hey_waiter_env.actions import (
    BUSBOY_CHOICES,
    DISCARD_INDEX,
    NO_USE,
    NUM_TARGETS,
    NUM_USES,
    ONTO,
    SERVE_FROM,
    TURN,
    busboy_start,
    cover_start,
    discard_start,
    move_start,
    partner_at,
    serve_start,
    take_start,
)
from hey_waiter_env.cards import BLUE, GREEN, HAND_SIZE, MAX_STACKS, NUM_COLOURS, RED, WHITE
from hey_waiter_env.state import DRAFT, NONE, SERVE
from waiter_envs.core.game import Heuristic
from waiter_envs.core.jit import njit_allocating as njit

WIN = 1000.0
NEVER = -10000.0

# -- Weights, in dishes, found by matches of the agent against itself --------------------------

# The lead in a colour: how many more free tops of it one's own side has than the others.
TOP = 0.3  # a lead of one
ALIGN = 0.705  # more for every further one: a single GREEN serves them all
BEND = 2.696  # a lead that is worth half of ALIGN
RACE = 4.433  # the smaller, the more a side counts that has few dishes left
RIVALS = 1.641  # the smaller, the less one of several other sides counts

# Stacks.
ROOM = -0.137  # what a stack costs, as it leaves one card less in hand
ROOM_EACH = 0.105  # and more for every stack that is there
BALANCE = 0.198  # every dish of the lower part of a stack that is split
MERGE = 0.026  # the turn spent on moving dishes onto another stack

# Covers and busboys.
TURNED = 0.284  # a busboy on its serve side
LIFT = 0.2  # freeing a stack
LIFT_SHARE = 0.778  # freeing all dishes of one's own side
BLOCK = -0.167  # covering a stack of others
BLOCK_SHARE = 0.445  # covering their last free stack
BLOCK_BUSBOY = 0.223  # their busboy of that colour is ready to serve

# Cards: the n-th card of a colour has an n-th of its worth.
CARD = 0.237  # playing a card of worth 1, or laying it down
VERB_WHITE = 0.38
VERB_GREEN = 0.274
VERB_RED = 0.47
VERB_BLUE = 0.252
VERB_SERVE = 0.278  # GREEN, for each dish that it would gain at best
OBJECT_SERVE = 0.362  # a colour, for each dish that GREEN would gain with it
OBJECT_BUSBOY = 0.15  # a colour whose busboy is ready to serve
OBJECT_COVER = 0.3  # the colour of a cover on one's own stack
VERB_COVER = 0.588  # WHITE, for each of these covers; RED for half of it
KEEP = 0.583  # what a card must be worth to be kept in a discard
DISCARD = -0.626  # a turn without a play
DISCARD_GAIN = 0.45  # drawing anew for a card of worth 0 rather than 1

# The draft.
PICK_HAND = 0.15  # a card in hand of the colour of the stack's top dish
PICK_ALIKE = -1.0  # a dish on one of its own colour: one GREEN serves only the upper

# -- Scratch arrays ----------------------------------------------------------------------------

# A row a side. A player whose side is not known to everybody is a side alone. The first columns:
# free tops of each colour.
LEFT, FREE, WEIGHT = range(NUM_COLOURS, NUM_COLOURS + 3)  # dishes, free tops, how much it counts
SIDE_COLUMNS = NUM_COLOURS + 3

# A row a stack: whose it is, its place in the action block `cover`, its dishes and cover.
OWNER, SIDE, PLACE, HEIGHT, TOP_DISH, BELOW, COVER = range(7)
STACK_COLUMNS = 7

# A row a colour: one free top more or less of one's own, GREEN with it, a card of it.
MORE, LESS, SERVED, WORTH = range(4)
COLOUR_COLUMNS = 4

DISCARD_AT = DISCARD_INDEX.ravel()


@njit
def choose(table, mask):
    """Return the legal action that scores best, for the player to act."""
    me = np.int64(table.player_at[table.to_act])
    hand = table.hand[me]
    colours = np.zeros((NUM_COLOURS, COLOUR_COLUMNS))
    if table.phase == DRAFT:
        rate_cards(table.busboy[me], colours)
        return pick(table, hand, colours, mask)
    players = table.hand.shape[0]
    sides = np.zeros((table.known.shape[0] + players, SIDE_COLUMNS))
    stacks = np.empty((players * MAX_STACKS, STACK_COLUMNS), np.int64)
    stacks = stacks[: survey(table, stacks, sides)]
    weigh_sides(table, side_of(table, me), sides)
    rate_colours(table, side_of(table, me), stacks, sides, colours)
    rate_cards(table.busboy[me], colours)
    rate_covers(me, stacks, colours)
    best, action = discard(hand, colours, discard_start(table))
    if not mask[action]:
        best = NEVER
    score, candidate = serve_or_block(table, me, stacks, sides, colours, mask)
    if score > best:
        best, action = score, candidate
    score, candidate = call_or_lift(table, me, stacks, sides, colours, mask)
    if score > best:
        best, action = score, candidate
    if hand[BLUE] > 0:
        score, candidate = move_or_take(table, me, colours, mask)
        if score > best:
            best, action = score, candidate
    return action


# -- What lies on the table --------------------------------------------------------------------


@njit
def side_of(table, player):
    """Return the number of a player's side, as far as everybody knows it."""
    side = np.int64(table.side[player])
    return side if table.known[side] else table.known.shape[0] + player


@njit
def survey(table, stacks, sides):
    """Write all stacks, one's own first, and the dishes of all sides; return how many stacks."""
    count = 0
    for distance in range(table.hand.shape[0]):
        player = np.int64(table.by_distance[table.to_act, distance])
        side = side_of(table, player)
        top = -1
        for stack in range(table.num_stacks[player]):
            height = np.int64(table.height[player, stack])
            top += height
            row = stacks[count]
            row[OWNER] = player
            row[SIDE] = side
            row[PLACE] = distance * MAX_STACKS + stack
            row[HEIGHT] = height
            row[TOP_DISH] = table.dishes[player, top]
            row[BELOW] = table.dishes[player, top - 1] if height > 1 else NONE
            row[COVER] = table.cover[player, stack]
            sides[side, LEFT] += height
            if row[COVER] == NONE:
                sides[side, FREE] += 1.0
                sides[side, row[TOP_DISH]] += 1.0
            count += 1
    return count


@njit
def weigh_sides(table, mine, sides):
    """Write how much a dish of each side counts: 1 for one's own, less than 0 for others."""
    rivals = (table.hand.shape[0] if table.secret else table.known.shape[0]) - 1
    share = RIVALS / (RIVALS + rivals - 1.0)
    for side in range(sides.shape[0]):
        sides[side, WEIGHT] = -share * (sides[mine, LEFT] + RACE) / (sides[side, LEFT] + RACE)
    sides[mine, WEIGHT] = 1.0


@njit
def level(lead):
    """Return what a lead in a colour is worth."""
    return TOP * lead + ALIGN * lead * abs(lead) / (abs(lead) + BEND)


@njit
def rate_colours(table, mine, stacks, sides, colours):
    """Write what a free top of each colour is worth, and GREEN with it."""
    for colour in range(NUM_COLOURS):
        lead = 0.0
        served = 0.0
        for side in range(sides.shape[0]):
            tops = sides[side, colour]
            lead += tops * sides[side, WEIGHT]
            if tops > 0.0 and tops == sides[side, LEFT]:
                if side == mine:
                    served += WIN
                elif side < table.known.shape[0]:
                    served -= WIN / 2.0
        now = level(lead)
        colours[colour, MORE] = level(lead + 1.0) - now
        colours[colour, LESS] = level(lead - 1.0) - now
        colours[colour, SERVED] = served + lead - now
    for number in range(stacks.shape[0]):
        stack = stacks[number]
        if stack[BELOW] != NONE and stack[COVER] == NONE:
            exposed = colours[stack[BELOW], MORE]
            colours[stack[TOP_DISH], SERVED] += exposed * sides[stack[SIDE], WEIGHT]


# -- Cards -------------------------------------------------------------------------------------


@njit
def rate_cards(busboys, colours):
    """Write what a card of each colour is worth in hand."""
    best = 0.0
    for colour in range(NUM_COLOURS):
        served = min(max(0.0, colours[colour, SERVED]), 10.0)
        best = max(best, served)
        colours[colour, WORTH] = OBJECT_SERVE * served
        if busboys[colour] == SERVE:
            colours[colour, WORTH] += OBJECT_BUSBOY
    colours[WHITE, WORTH] += VERB_WHITE
    colours[GREEN, WORTH] += VERB_GREEN + VERB_SERVE * best
    colours[RED, WORTH] += VERB_RED
    colours[BLUE, WORTH] += VERB_BLUE


@njit
def rate_covers(me, stacks, colours):
    """Add the worth of cards that lift covers from one's own stacks."""
    for number in range(stacks.shape[0]):
        cover = stacks[number, COVER]
        if stacks[number, OWNER] == me and cover != NONE:
            colours[cover, WORTH] += OBJECT_COVER
            colours[WHITE, WORTH] += VERB_COVER
            colours[RED, WORTH] += VERB_COVER / 2.0


@njit
def cost(hand, colours, verb, colour):
    """Return what the two cards are worth that a play takes from a hand; much if it cannot."""
    copies = hand[verb] - (verb == colour)
    if copies <= 0 or hand[colour] == 0:
        return -NEVER
    return CARD * (colours[verb, WORTH] / copies + colours[colour, WORTH] / hand[colour])


@njit
def least_card(hand, colours, colour):
    """Return the card to lay down beside a play of BLUE with a colour, and what it costs."""
    least, choice = -NEVER, 0
    for card in range(NUM_COLOURS):
        copies = hand[card] - (card == BLUE) - (card == colour)
        if copies > 0 and CARD * colours[card, WORTH] / copies < least:
            least, choice = CARD * colours[card, WORTH] / copies, card
    return least, choice


# -- Kinds of turn: each returns its best score and the action ---------------------------------


@njit
def pick(table, hand, colours, mask):
    """Return the pick of the draft: the stack to take, and the least card under it."""
    best, choice = NEVER, 0
    for stack in range(table.player_at.shape[0] if table.equal_dishes else 1):
        score = 0.0
        if table.equal_dishes:
            dishes = table.draft[stack]
            score = PICK_HAND * hand[dishes[-1]]
            for height in range(1, dishes.shape[0]):
                score += PICK_ALIKE * (dishes[height] == dishes[height - 1])
        for card in range(NUM_COLOURS):
            action = stack * NUM_COLOURS + card
            if mask[action] and score - colours[card, WORTH] / hand[card] > best:
                best, choice = score - colours[card, WORTH] / hand[card], action
    return choice


@njit
def discard(hand, colours, start):
    """Discard all cards that are not worth keeping, at least the least one."""
    score = DISCARD
    index = 0  # in the table of all choices: four counts as the digits of one number
    least, unit = -NEVER, 0
    for colour in range(NUM_COLOURS):
        digit = (HAND_SIZE + 1) ** (NUM_COLOURS - 1 - colour)
        for copies in range(1, hand[colour] + 1):
            worth = colours[colour, WORTH] / copies
            if worth < KEEP:
                index += digit
                score += DISCARD_GAIN * (KEEP - worth)
            if worth < least:
                least, unit = worth, digit
    return score, start + DISCARD_AT[index if index > 0 else unit]


@njit
def room(stacks):
    """Return what one stack more costs a player who has so many."""
    return ROOM + ROOM_EACH * stacks


@njit
def serve_or_block(table, me, stacks, sides, colours, mask):
    """Serve everybody, or put a cover on the stack of others where it hurts most."""
    hand = table.hand[me]
    mine = side_of(table, me)
    block, blocked = NEVER, 0
    for number in range(stacks.shape[0]):
        stack = stacks[number]
        if stack[SIDE] != mine and stack[COVER] == NONE:
            score = colours[stack[TOP_DISH], MORE] + BLOCK + BLOCK_SHARE / sides[stack[SIDE], FREE]
            score *= -sides[stack[SIDE], WEIGHT]
            if score > block:
                block, blocked = score, number
    best, choice = NEVER, 0
    for colour in range(NUM_COLOURS):
        action = serve_start(table) + colour
        score = colours[colour, SERVED] - cost(hand, colours, GREEN, colour)
        if score > best and mask[action]:
            best, choice = score, action
        action = cover_start(table) + colour * table.hand.shape[0] * MAX_STACKS
        action += stacks[blocked, PLACE]
        score = block - cost(hand, colours, RED, colour)
        if table.busboy[stacks[blocked, OWNER], colour] == SERVE:
            score -= BLOCK_BUSBOY
        if score > best and mask[action]:
            best, choice = score, action
    return best, choice


@njit
def call_or_lift(table, me, stacks, sides, colours, mask):
    """Call a busboy, or lift a cover from a stack of one's own side."""
    hand = table.hand[me]
    mine = side_of(table, me)
    best, choice = NEVER, 0
    serve, served = TURNED, NO_USE  # the best that a ready busboy can do without lifting
    for number in range(stacks.shape[0]):
        stack = stacks[number]
        if stack[OWNER] == me and stack[COVER] == NONE:
            score = serve_one(table, me, stack, sides, colours) + colours[stack[TOP_DISH], LESS]
            if score > serve:
                serve, served = score, SERVE_FROM + stack[PLACE]
    for colour in range(NUM_COLOURS):
        score, use = TURNED, TURN
        if table.busboy[me, colour] == SERVE:
            score, use = serve - TURNED, served
        score -= cost(hand, colours, WHITE, colour)
        action = busboy_start(table) + colour * BUSBOY_CHOICES + use - 1
        if score > best and use != NO_USE and mask[action]:
            best, choice = score, action
    for number in range(stacks.shape[0]):
        stack = stacks[number]
        colour = stack[COVER]
        if stack[SIDE] != mine or colour == NONE:
            continue
        freed = colours[stack[TOP_DISH], MORE]
        lift = freed + LIFT + LIFT_SHARE * stack[HEIGHT] / sides[mine, LEFT]
        score = lift - cost(hand, colours, RED, colour)
        action = cover_start(table) + stack[PLACE]
        action += colour * table.hand.shape[0] * MAX_STACKS
        if score > best and mask[action]:
            best, choice = score, action
        if stack[OWNER] != me:
            continue
        score, use = TURNED, TURN
        if table.busboy[me, colour] == SERVE:
            score, use = serve, served
            now = serve_one(table, me, stack, sides, colours) - freed
            if now > serve:
                score, use = now, SERVE_FROM + stack[PLACE]
            score -= TURNED
        score += lift - cost(hand, colours, WHITE, colour)
        action = busboy_start(table) + colour * BUSBOY_CHOICES + use - 1
        action += (stack[PLACE] + 1) * NUM_USES
        if score > best and mask[action]:
            best, choice = score, action
    return best, choice


@njit
def serve_one(table, me, stack, sides, colours):
    """Return what it is worth to serve the top dish of one of one's own stacks."""
    if stack[BELOW] != NONE:
        return 1.0 + colours[stack[BELOW], MORE]
    if sides[stack[SIDE], LEFT] == 1.0:
        return WIN
    return 1.0 + room(table.num_stacks[me] - 1)


@njit
def move_or_take(table, me, colours, mask):
    """Move dishes of one's own or, without any, take some of a partner's."""
    hand = table.hand[me]
    stacks = table.num_stacks[me]
    best, choice = NEVER, 0
    for colour in range(NUM_COLOURS):
        pair = cost(hand, colours, BLUE, colour)
        if pair >= -NEVER:
            continue
        laid, card = least_card(hand, colours, colour)
        new = room(stacks) + pair + laid
        for place in range(1 if stacks > 0 else table.max_partners):
            owner = me if stacks > 0 else partner_at(table, table.to_act, place)
            if owner == NONE:
                continue
            start, step = move_start(table), NUM_TARGETS
            if owner != me:
                step = NUM_COLOURS
                start = take_start(table) + place * table.dishes.shape[1] * step
            dish = -1
            for stack in range(table.num_stacks[owner]):
                for height in range(table.height[owner, stack]):
                    dish += 1
                    if table.dishes[owner, dish] != colour:
                        continue
                    action = start + dish * step
                    exposed = 0.0
                    if height > 0:
                        exposed = colours[table.dishes[owner, dish - 1], MORE]
                    lower = min(height, table.height[owner, stack] - height)
                    score = exposed + BALANCE * lower - new
                    if score > best and mask[action + card]:
                        best, choice = score, action + card
                    if owner != me:
                        continue
                    if height == 0:
                        exposed = room(stacks - 1)
                    top = -1
                    for onto in range(stacks):
                        top += table.height[me, onto]
                        score = exposed + colours[table.dishes[me, top], LESS] - MERGE - pair
                        if score > best and mask[action + ONTO + onto]:
                            best, choice = score, action + ONTO + onto
    return best, choice


HEURISTICS: Mapping[str, Heuristic] = {"heuristic": Heuristic(choose)}
"""Rule-based agents by name."""

SEARCH: Mapping[str, Any] = {
    "simulations": 2000,
    "candidates": 24,
    "ranked": 8,
    "anchor": 1.0,
    "depth": 10,
}
"""How a search does best, as measured by `benchmarks/search.py`; by default it takes its time: some
25 ms of one core for a decision. Whole games say little each, so playouts end in an estimate."""
