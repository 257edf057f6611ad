"""A tree search in compiled code: the reference for `searching`, behind the same interface.

Information-set Monte Carlo tree search with a single observer (P. I. Cowling, E. J. Powley,
D. Whitehouse, 2012): each simulation is dealt a world of its own, walks down one tree that all
worlds share, where it may only take what is legal in its world, and adds a node; then everybody
plays on by the policy of the playouts. A player chooses by upper confidence bounds on what it was
paid itself; how often an action could be chosen stands in for how often its node was visited.

Nodes are reached by actions alone: what chance did in between is that of the world. At most about
the square root of its visits are a node's children, since there are up to hundreds of actions: the
choice of the playouts' policy first, what it would choose without that, and so on. The root's are
the candidates of `searching`.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from waiter_envs.core.jit import njit
from waiter_envs.core.kernels import count_legal, draw, first_legal
from waiter_envs.core.playing import Policy, playing
from waiter_envs.core.searching import (
    CHOSEN,
    CONTRADICTION,
    MOVES,
    SIMULATIONS,
    WORLDS,
    affordable,
    expect_nothing,
    functions,
    take_luck,
)

PATH = 256
"""Decisions that a walk down the tree makes, at most."""

deal: Any = None
propose: Any = None
learn: Any = None
walk: Any = None
play_on: Any = None
expect: Any = None


class Tree(NamedTuple):
    """Nodes in the order in which they were added; the first is the root."""

    action: npt.NDArray[np.int32]
    """`(nodes,)`: by which a node is reached from its parent."""
    child: npt.NDArray[np.int32]
    """`(nodes,)`: the child added last, or 0."""
    sibling: npt.NDArray[np.int32]
    """`(nodes,)`: the sibling added before, or 0."""
    visits: npt.NDArray[np.int32]
    """`(nodes,)`: how often it was chosen."""
    available: npt.NDArray[np.int32]
    """`(nodes,)`: how often it could be."""
    total: npt.NDArray[np.float64]
    """`(nodes,)`: what the player who chose it was paid in all."""
    path: npt.NDArray[np.int32]
    """`(PATH,)`: the nodes of a walk."""
    chooser: npt.NDArray[np.int32]
    """`(PATH,)`: who chose each of them."""
    size: npt.NDArray[np.int64]
    """`(1,)`: how many nodes there are."""
    kept: npt.NDArray[Any]
    """`(1,)`: a memory as it was before its player was asked."""


def blank_tree(nodes: int, rollout: Policy) -> Tree:
    """Return a tree with room for so many nodes, for a policy of the playouts."""
    return Tree(
        action=np.zeros(nodes, np.int32),
        child=np.zeros(nodes, np.int32),
        sibling=np.zeros(nodes, np.int32),
        visits=np.zeros(nodes, np.int32),
        available=np.zeros(nodes, np.int32),
        total=np.zeros(nodes),
        path=np.zeros(PATH, np.int32),
        chooser=np.zeros(PATH, np.int32),
        size=np.zeros(1, np.int64),
        kept=rollout.blank_memory.copy(),
    )


def grow(state, action_mask, minds, streams, limits, start, stop, room, found, tree):
    """Grow a tree for the player to act at every table: what `searching.search` does otherwise."""
    for i in range(start, stop):
        player, stream = np.int64(state[i].current_player), streams[i]
        if not deal(state, i, player, minds, stream, room, 0):
            found.ended[i] = CONTRADICTION
            continue
        count = propose(room, action_mask[i], player, minds, i, stream, limits, found.actions[i])
        clear(tree)
        for column in range(count):
            add(tree, 0, np.int64(found.actions[i, column]))
        simulations, moves = 0, 0
        while count > 1 and simulations < affordable(limits, simulations, moves):
            if simulations > 0:
                deal(state, i, player, minds, stream, room, 0)
            take_luck(room, 0)
            depth, steps = walk(room, limits, tree)
            table, memories = room.simulation[0], room.rollout[0]
            moves += steps + play_on(
                table, room.mask, room.paid, limits.rollout, limits.depth, room.stream, memories, 0
            )
            if not (table.terminated or table.truncated):
                expect(table, room.paid)
            simulations += 1
            back_up(tree, depth, room.paid)
        choice = most_visited(tree, count, found, i)
        learn(room, np.int64(found.actions[i, choice]), minds, i)
        found.choice[i] = choice
        found.ended[i] = CHOSEN
        spent = found.spent[i]
        spent[WORLDS], spent[SIMULATIONS], spent[MOVES] = simulations, simulations, moves


@njit
def clear(tree):
    """Leave the root alone."""
    tree.size[0] = 1
    tree.child[0] = 0
    tree.visits[0] = 0


@njit
def add(tree, parent, action):
    """Add a child and return it; the tree has room for it."""
    node = tree.size[0]
    tree.size[0] = node + 1
    tree.action[node] = action
    tree.child[node] = tree.visits[node] = tree.available[node] = 0
    tree.total[node] = 0.0
    tree.sibling[node] = tree.child[parent]
    tree.child[parent] = node
    return node


@njit
def select(tree, parent, mask, exploration):
    """Return the legal child with the highest upper confidence bound, or 0; count all as available.

    `mask` is left without the children: what the node may yet get.
    """
    best, choice = -np.inf, 0
    node = np.int64(tree.child[parent])
    while node > 0:
        action = tree.action[node]
        if mask[action]:
            mask[action] = 0
            tree.available[node] += 1
            bound = np.inf
            if tree.visits[node] > 0:
                reach = math.sqrt(math.log(tree.available[node]) / tree.visits[node])
                bound = tree.total[node] / tree.visits[node] + exploration * reach
            if bound >= best:  # of those not tried yet, the one added first
                best, choice = bound, node
        node = np.int64(tree.sibling[node])
    return choice


@njit
def num_children(tree, parent):
    """Return how many children a node has."""
    number, node = 0, np.int64(tree.child[parent])
    while node > 0:
        number += 1
        node = np.int64(tree.sibling[node])
    return number


@njit
def back_up(tree, depth, paid):
    """Let every node of a walk know what the player was paid who chose it."""
    tree.visits[0] += 1
    for step in range(depth):
        node = tree.path[step]
        tree.visits[node] += 1
        tree.total[node] += paid[tree.chooser[step]]


@njit
def most_visited(tree, count, found, i):
    """Write how often each of the root's children was chosen, and return the column of the most."""
    choice = 0
    for column in range(count):
        visits = tree.visits[1 + column]
        found.tried[i, column] = visits
        if visits > 0:
            found.value[i, column] = tree.total[1 + column] / visits
        found.gain[i, column] = found.value[i, column] - found.value[i, 0]
        if visits > found.tried[i, choice]:
            choice = column
    return choice


# -- What a game and a policy bring ------------------------------------------------------------

_made: dict[Any, dict[str, Any]] = {}


def tree_functions(game: Any, prior: Policy, rollout: Policy) -> dict[str, Any]:
    """Return the functions that `grow` needs, the same whenever asked for."""
    key = game.name, prior.name, rollout.name
    if key not in _made:
        flat = functions(game, prior, rollout)
        remembers = rollout.blank_memory.dtype.names is not None
        suggest = _suggesting(rollout.choose, *((_keep, _put_back) if remembers else (_no, _no)))
        follow = _following(rollout.choose) if remembers else _follow_nothing
        walk = _walking(
            game.step, game.legal_action_mask, game.rewards, rollout.attend, suggest, follow
        )
        walk.__name__ = f"walk_{rollout.name}"
        _made[key] = {
            **{name: flat[name] for name in ("deal", "propose", "learn")},
            "walk": walk,
            "play_on": playing(game, rollout),
            "expect": game.expect or expect_nothing,
        }
    return _made[key]


def _walking(step, legal_action_mask, rewards, attend, suggest, follow):
    @njit
    def walk(room, limits, tree):
        """Walk down the tree and add a node, in the world dealt; return decisions and moves."""
        table, mask, paid = room.simulation[0], room.mask, room.paid
        memories, blanks = room.rollout
        attend(memories, blanks, 0, table, room.stream)
        node, depth, moves, added = 0, 0, 0, False
        while not (table.terminated or table.truncated or added or depth == PATH):
            legal = legal_action_mask(table, mask)
            if legal == 1:
                action = first_legal(mask)
            else:
                player, children = np.int64(table.current_player), num_children(tree, node)
                child = select(tree, node, mask, limits.exploration)
                left = count_legal(mask)
                wide = children * children > tree.visits[node] or children >= limits.candidates
                full = node == 0 or tree.size[0] >= tree.action.shape[0]
                if child == 0 or (left > 0 and not wide and not full):
                    if full:
                        break
                    action = suggest(room, tree, limits, children, left, player)
                    child, added = add(tree, node, action), True
                action = np.int64(tree.action[child])
                tree.path[depth], tree.chooser[depth] = child, player
                node, depth = child, depth + 1
                follow(room, limits, action, player)
            step(table, action)
            rewards(table, paid)
            moves += 1
        return depth, moves

    return walk


def _suggesting(choose, keep, put_back):
    @njit
    def suggest(room, tree, limits, children, legal, player):
        """Return an action that a node has no child for: what the policy chooses of these."""
        table, mask = room.simulation[0], room.mask
        if children < limits.ranked:
            keep(room, tree, player)
            action = choose(
                limits.rollout, table, mask, legal, room.stream, room.rollout[0], 0, player
            )
            put_back(room, tree, player)
            if action >= 0 and action < mask.shape[0] and mask[action]:
                return action
        return draw(mask, legal, room.stream)

    return suggest


def _following(choose):
    @njit
    def follow(room, limits, action, player):
        """Let a player remember its action, by leaving it no choice."""
        table, mask = room.simulation[0], room.mask
        mask[:] = 0
        mask[action] = 1
        choose(limits.rollout, table, mask, 1, room.stream, room.rollout[0], 0, player)

    return follow


@njit
def _follow_nothing(room, limits, action, player):
    pass


@njit
def _keep(room, tree, player):
    tree.kept[0] = room.rollout[0][0][0, player]


@njit
def _put_back(room, tree, player):
    room.rollout[0][0][0, player] = tree.kept[0]


@njit
def _no(room, tree, player):
    pass
