"""Whole games between compiled agents: the loop, as a template like those of `kernels`."""

from __future__ import annotations

from typing import Any

import numpy as np

from waiter_envs.core.kernels import first_legal

step: Any = None
legal_action_mask: Any = None
rewards: Any = None
choose_opponent: Any = None
forget: Any = None


def play_on(
    state,
    playing,
    kinds,
    streams,
    start,
    stop,
    action_mask,
    totals,
    decisions,
    memories,
    blank_memories,
):
    """Play on until the game is over, at every table where `playing` is set.

    `kinds[i, player]` tells who acts at table i, and `streams[i, player]` is its random stream: see
    `learner.play_to_learner`, as for `memories` and `blank_memories`. Nobody is asked from Python.
    What is paid is added to `totals[i]`, and the decisions, less the forced ones, are counted.
    """
    for i in range(start, stop):
        if not playing[i]:
            continue
        table, mask, paid = state[i], action_mask[i], totals[i]
        while not (table.terminated or table.truncated):
            legal = legal_action_mask(table, mask)
            if legal == 1:
                action = first_legal(mask)
            else:
                player = np.int64(table.current_player)
                kind, stream = np.int64(kinds[i, player]), streams[i, player]
                action = choose_opponent(kind, table, mask, legal, stream, memories, i, player)
                decisions[i] += 1
            step(table, action)
            rewards(table, paid)
        forget(memories, blank_memories, i)
