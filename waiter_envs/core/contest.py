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
    noted,
    memories,
    blank_memories,
):
    """Play on until the game is over, at every table where `playing` is set.

    Actions are written to the row `noted[i]`, if it has columns; then a table waits for the next
    call, with the mask written, once its row is full.

    `kinds[i, player]` tells who acts at table i, and `streams[i, player]` is its random stream: see
    `learner.play_to_learner`, as for `memories` and `blank_memories`. Nobody is asked from Python.
    What is paid is added to `totals[i]`, and the decisions, less the forced ones, are counted.
    """
    for i in range(start, stop):
        if not playing[i]:
            continue
        table, mask, paid = state[i], action_mask[i], totals[i]
        room, written = noted.shape[1], 0
        while not (table.terminated or table.truncated):
            legal = legal_action_mask(table, mask)
            if legal == 1:
                action = first_legal(mask)
            elif room > 0 and written == room:
                break
            else:
                player = np.int64(table.current_player)
                kind, stream = np.int64(kinds[i, player]), streams[i, player]
                action = choose_opponent(kind, table, mask, legal, stream, memories, i, player)
                decisions[i] += 1
                if room > 0:
                    noted[i, written] = action
                    written += 1
            step(table, action)
            rewards(table, paid)
        if table.terminated or table.truncated:
            forget(memories, blank_memories, i)
