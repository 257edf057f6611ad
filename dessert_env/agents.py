"""Rule-based opponent of Dessert, compiled like the rules. It reads only what its player may see.

A guest is worth its points and, much more, what it does for trios: a pair is a threat, a trio wins.
The heuristic serves and steals whoever is worth most to it, or costs its owner most; it serves
from what it can spare, fewest desserts first; it keeps Aces that protect its own guests, and
freshens up a hand that serves nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dessert_env.actions import (
    ACTION_FRESHEN,
    ACTION_NO,
    ACTION_WAITING_ROOM,
    ACTION_YES,
    START_DESSERT,
    START_STEAL,
)
from dessert_env.cards import (
    FAVORITE,
    HALF,
    NUM_DESSERTS,
    NUM_GUESTS,
    POINTS,
    SATISFIED,
    STOPS,
    TASTE,
    TRIO,
)
from dessert_env.rules import (
    can_serve,
    desserts_at,
    first_of,
    size_of,
    tastes_laid_down,
    topmost,
    without_first,
)
from dessert_env.state import BRIBE, CALL, CLAIM, FRESHEN, NONE, SERVE, STOP
from waiter_envs.core.game import Heuristic
from waiter_envs.core.jit import njit
from waiter_envs.core.words import find

# What a guest adds for its player, by how many of its trio the player has already.
WORTH_OF_TRIO = np.array([0.0, 3.0, 100.0])
PROTECTION = np.array([0.0, 1.0, 4.0])
"""What an Ace is worth that protects a guest, by how many of its trio its player has."""
LEAST_THEFT = 1.0
"""A theft must be worth so much, since it costs a bribe."""
DENIAL = 1.0
"""What it is worth to take a guest from somebody, in parts of what it is worth there."""
BRIBE_SAVED = 1.0
"""What a guest of the Waiting Room is worth more than a stolen one."""
TIP, ONE_MORE = 1.5, 1.0
"""What a favorite is worth when it is served, and what each further dessert costs."""
OF_LITTLE_USE = 0.5
"""A dessert that costs less than that is better replaced."""


@njit
def num_of_trio(table, player, guest):
    """Return how many guests of a guest's trio a player has, the guest itself left out."""
    number = 0
    for other in range(NUM_GUESTS):
        mine = table.guest[other] == player and TRIO[other] == TRIO[guest]
        number += mine and other != guest
    return number


@njit
def worth(table, player, guest):
    """Return what a guest is worth before a player."""
    return POINTS[guest] + WORTH_OF_TRIO[num_of_trio(table, player, guest)]


@njit
def worth_of_theft(table, player, guest):
    """Return what it is worth to take a guest from its owner."""
    owner = np.int64(table.guest[guest])
    return worth(table, player, guest) + DENIAL * worth(table, owner, guest)


@njit
def cost(table, player, card):
    """Return what a dessert is worth in hand: use for guests to come, and protection."""
    use = 0.0
    for guest in range(NUM_GUESTS):
        if TASTE[guest, card] != 0 and table.guest[guest] != player:
            use += 0.05 + 0.1 * (TASTE[guest, card] == SATISFIED) + 0.1 * FAVORITE[guest, card]
        if STOPS[guest, card] and table.guest[guest] == player:
            use += PROTECTION[num_of_trio(table, player, guest)]
    return use


@njit
def cheapest(table, player, offers):
    """Return the offered dessert that can best be spared."""
    best, choice = 1e9, -1
    for card in range(NUM_DESSERTS):
        if offers[card]:
            price = cost(table, player, card)
            if price < best:
                best, choice = price, card
    return choice


@njit
def choose(table, mask):
    """Return the action that the heuristic takes."""
    player = np.int64(table.current_player)
    desserts = mask[START_DESSERT:START_STEAL]
    phase = table.phase
    if phase == CLAIM or phase == CALL:
        return ACTION_YES if can_serve(table, player, np.int64(table.new_guest)) else ACTION_NO
    if phase == SERVE:
        return START_DESSERT + choose_dessert(table, player, desserts)
    if phase == STOP or phase == BRIBE:
        return START_DESSERT + cheapest(table, player, desserts)
    if phase == FRESHEN:
        offered = find(desserts, 0, HALF, 1), find(desserts, HALF, NUM_DESSERTS, 1)
        card = first_of_little_use(table, player, offered)
        if card == NONE and mask[ACTION_NO]:
            return ACTION_NO
        return START_DESSERT + (cheapest(table, player, desserts) if card == NONE else card)
    return choose_in_steal_phase(table, player, mask)


@njit
def choose_dessert(table, player, offers):
    """Serve what can best be spared, few desserts rather than many, and a favorite if possible."""
    guest = np.int64(table.target)
    tastes = tastes_laid_down(table)
    best, choice = 1e9, 0
    for card in range(NUM_DESSERTS):
        if offers[card]:
            price = cost(table, player, card) - TIP * FAVORITE[guest, card]
            if tastes | TASTE[guest, card] != SATISFIED:
                price += ONE_MORE
            if price < best:
                best, choice = price, card
    return choice


@njit
def choose_in_steal_phase(table, player, mask):
    """Take the guest that is worth most, or freshen up what is of no use."""
    best, choice = LEAST_THEFT, ACTION_NO
    for guest in range(NUM_GUESTS):
        if mask[START_STEAL + guest]:
            value = worth_of_theft(table, player, guest)
            if value > best:
                best, choice = value, START_STEAL + guest
    if mask[ACTION_WAITING_ROOM] and worth(table, player, topmost(table)) + BRIBE_SAVED > best:
        return ACTION_WAITING_ROOM
    hand = desserts_at(table, player)
    if choice == ACTION_NO and first_of_little_use(table, player, hand) != NONE:
        return ACTION_FRESHEN
    return choice


@njit
def first_of_little_use(table, player, desserts):
    """Return the first dessert of a packed set that is of little use, or `NONE`."""
    while size_of(desserts) > 0:
        card = first_of(desserts)
        if cost(table, player, card) < OF_LITTLE_USE:
            return card
        desserts = without_first(desserts)
    return NONE


HEURISTICS: Mapping[str, Heuristic] = {"heuristic": Heuristic(choose)}
"""Rule-based agents by name."""

SEARCH: Mapping[str, Any] = {"simulations": 512, "candidates": 16, "ranked": 4, "anchor": 0.5}
"""How a search does best, as measured by `benchmarks/search.py`; by default it takes its time: some
20 ms of one core for a decision."""
