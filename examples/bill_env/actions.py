"""The numbering of actions: index <-> description <-> text.

An action's description is one number: the coins that the dish costs, or 0 to ask for the bill.
"""

from __future__ import annotations

import re
from typing import Any

from bill_env.config import Config
from waiter_envs.core.blocks import Block
from waiter_envs.core.checks import shown
from waiter_envs.core.jit import njit

ASK = 0
DEAREST = 3
"""Coins that the dearest dish costs."""


def action_blocks(config: Config) -> list[Block]:
    """Return the blocks of the action space, in order."""
    del config
    return Block.in_order(
        [("ask", 1, "ask for the bill"), ("order", DEAREST, "order a dish of 1, 2 or 3 coins")]
    )


@njit
def num_actions(table):
    """Return the size of the action space."""
    return 1 + DEAREST


@njit
def decode(table, action):
    """Return the description of a legal action."""
    return (action,)


@njit
def encode(table, description):
    """Return the index of a described action."""
    return description[0]


def describe(description: tuple[int, ...], table: Any = None) -> str:
    """Return the text of a described action."""
    price = int(description[0])
    return "ask" if price == ASK else f"order {price}"


def parse(text: str, table: Any = None) -> tuple[int, ...]:
    """Return the description of the action that `text` names: the inverse of `describe`.

    Raises:
        ValueError: if the text names none.
    """
    if text == "ask":
        return (ASK,)
    if not re.fullmatch(f"order [1-{DEAREST}]", text):
        raise ValueError(f"{shown(text)} is no action of The Bill; there are 'ask', 'order 2'")
    return (int(text[-1]),)
