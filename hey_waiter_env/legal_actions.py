"""What the player to act may do: the mask of legal actions.

`HW-n` names a ruling of `docs/hey_waiter.md`.
"""

from __future__ import annotations

import numpy as np

from hey_waiter_env.actions import (
    BUSBOY_CHOICES,
    DISCARD_INDEX,
    DISCARD_MASKS,
    NO_USE,
    NUM_DISCARDS,
    NUM_DISCARDS_OF,
    NUM_TARGETS,
    NUM_USES,
    ONTO,
    SERVE_FROM,
    TURN,
    busboy_start,
    cover_start,
    discard_start,
    first_dish,
    move_start,
    partner_at,
    serve_start,
    take_start,
)
from hey_waiter_env.cards import BLUE, GREEN, MAX_STACKS, NUM_COLOURS, RED, WHITE
from hey_waiter_env.state import DRAFT, FACE, NONE
from waiter_envs.core.features import DIGITS, put_word
from waiter_envs.core.jit import njit
from waiter_envs.core.words import count_ones, store_half_word

EACH_STACK = sum(1 << 8 * stack for stack in range(MAX_STACKS))
"""A 1 in the byte of each stack."""


@njit
def legal_action_mask(table, mask):
    """Write 1 for every legal action of the player to act, 0 for all others; return their number.

    Args:
        table: a table where somebody is to act.
        mask: `(actions,)` int8, written whole.
    """
    mask[:] = 0
    player = np.int64(table.current_player)
    hand = table.hand[player]
    if table.phase == DRAFT:
        return mask_draft(table, hand, mask)
    legal = mask_discards(table, hand, mask)
    if hand[GREEN] > 0:
        legal += mask_serve(table, playable(hand, GREEN), mask)
    if hand[RED] > 0:
        legal += mask_covers(table, playable(hand, RED), mask)
    if hand[WHITE] > 0:
        legal += mask_busboys(table, player, playable(hand, WHITE), mask)
    if hand[BLUE] > 0:
        if table.num_stacks[player] > 0:
            legal += mask_moves(table, player, playable(hand, BLUE), mask)
        elif table.max_partners > 0:
            legal += mask_takes(table, player, playable(hand, BLUE), mask)
    return legal


@njit
def playable(hand, verb):
    """Return the set of colours that a hand can play to the right of `verb`: bit c for colour c."""
    colours = 0
    for colour in range(NUM_COLOURS):
        colours |= (hand[colour] > (colour == verb)) << colour
    return colours


@njit
def mask_draft(table, hand, mask):
    """Offer every remaining stack on every colour in hand (HW-1), or one's own (HW-2)."""
    legal = 0
    stacks = table.player_at.shape[0] if table.equal_dishes else 1
    for stack in range(stacks):
        if table.equal_dishes and table.taken[stack]:
            continue
        for card in range(NUM_COLOURS):
            if hand[card] > 0:
                mask[stack * NUM_COLOURS + card] = 1
                legal += 1
    return legal


@njit
def mask_serve(table, colours, mask):
    """Offer a GREEN that serves something (HW-5, HW-9)."""
    tops = 0
    for player in range(table.hand.shape[0]):
        end = 0
        for stack in range(MAX_STACKS):
            height = table.height[player, stack]
            end += height
            served = (height > 0) & (table.cover[player, stack] == NONE)
            tops |= np.int64(served) << (table.dishes[player, end - 1] & 3)
    offered = DIGITS[tops & colours]
    store_half_word(mask, serve_start(table), offered)
    return count_ones(offered)


@njit
def mask_covers(table, colours, mask):
    """Offer to put a cover on any uncovered stack, or to lift it from any (HW-6)."""
    legal = 0
    players = table.hand.shape[0]
    ready = 0  # colours that can be put
    for colour in range(NUM_COLOURS):
        ready |= (table.table_covers[colour] > 0) << colour
    ready &= colours
    for owner in range(players):
        movable = 0  # a byte for each stack, in which bit c is set if a cover of colour c moves
        for stack in range(MAX_STACKS):
            cover = table.cover[owner, stack]
            colours_here = ready if cover == NONE else colours & 1 << cover
            movable |= (colours_here if table.height[owner, stack] > 0 else 0) << 8 * stack
        place = cover_start(table) + table.distance[table.to_act, owner] * MAX_STACKS
        for colour in range(NUM_COLOURS):
            offered = movable >> colour & EACH_STACK
            store_half_word(mask, place, offered)
            mask[place + 4] = offered >> 32
            legal += count_ones(offered)
            place += players * MAX_STACKS
    return legal


@njit
def mask_busboys(table, player, colours, mask):
    """Offer to lift a cover, to use the busboy of its colour, or both (HW-7, HW-9)."""
    legal = 0
    servable = 0  # uses that serve an uncovered stack: bit u for use u
    for stack in range(MAX_STACKS):
        uncovered = (table.height[player, stack] > 0) & (table.cover[player, stack] == NONE)
        servable |= np.int64(uncovered) << (SERVE_FROM + stack)
    for colour in range(NUM_COLOURS):
        if colours >> colour & 1 == 0:
            continue
        faces = table.busboy[player, colour] == FACE
        uses = 1 << TURN if faces else servable
        start = busboy_start(table) + colour * BUSBOY_CHOICES
        put_word(mask, start, DIGITS[uses >> 1])  # to do nothing is no use without a lift
        legal += count_ones(uses)
        for stack in range(MAX_STACKS):
            if table.cover[player, stack] == colour:
                freed = uses if faces else uses | 1 << (SERVE_FROM + stack)
                put_word(mask, start - 1 + (stack + 1) * NUM_USES, DIGITS[freed | 1 << NO_USE])
                legal += count_ones(freed) + 1
    return legal


@njit
def mask_moves(table, player, colours, mask):
    """Offer to move each dish whose colour is in hand beside a BLUE (HW-8, HW-9)."""
    legal = 0
    hand = table.hand[player]
    stacks = table.num_stacks[player]
    spare = 0  # bit c of four bits for each colour: a card c is left once that colour is played
    for colour in range(NUM_COLOURS):
        for card in range(NUM_COLOURS):
            spare |= np.int64(has_spare(hand, colour, card)) << NUM_COLOURS * colour + card
    uncovered = 0
    for stack in range(stacks):
        uncovered |= (table.cover[player, stack] == NONE) << stack
    place = move_start(table)
    dish = 0
    for stack in range(stacks):
        onto = uncovered & ~(1 << stack)
        cards = ~(1 << table.card[player, stack])  # a whole stack stays on no card of its own
        for _ in range(table.height[player, stack]):
            colour = np.int64(table.dishes[player, dish])
            dish += 1
            if colours >> colour & 1:
                new = spare >> NUM_COLOURS * colour & 15 & cards
                put_word(mask, place, DIGITS[new | onto << ONTO & 0xFF])
                mask[place + 8] = onto >> 4
                legal += count_ones(new | onto << ONTO)
            place += NUM_TARGETS
            cards = -1 if stacks < MAX_STACKS else 0
    return legal


@njit
def has_spare(hand, colour, card):
    """Return whether a hand still holds `card` once BLUE and `colour` are played."""
    return hand[card] > (card == BLUE) + (card == colour)


@njit
def mask_takes(table, player, colours, mask):
    """Offer a player without dishes those of its partners (HW-11, HW-14)."""
    legal = 0
    hand = table.hand[player]
    for place in range(table.max_partners):
        partner = partner_at(table, table.to_act, place)
        if partner == NONE or table.side[partner] != table.side[player]:
            continue
        dishes = first_dish(table, partner, table.num_stacks[partner])
        for dish in range(dishes):
            colour = table.dishes[partner, dish]
            if colours >> colour & 1 == 0:
                continue
            base = take_start(table) + (place * table.dishes.shape[1] + dish) * NUM_COLOURS
            for card in range(NUM_COLOURS):
                if has_spare(hand, colour, card):
                    mask[base + card] = 1
                    legal += 1
    return legal


@njit
def mask_discards(table, hand, mask):
    """Offer every choice of one card or more in hand (HW-12)."""
    choices = DISCARD_INDEX[hand[WHITE], hand[GREEN], hand[RED], hand[BLUE]]
    block = mask[discard_start(table) :]
    for choice in range(NUM_DISCARDS):
        block[choice] = DISCARD_MASKS[choices, choice]
    return np.int64(NUM_DISCARDS_OF[choices])
