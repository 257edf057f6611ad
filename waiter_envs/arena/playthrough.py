"""Whole games as readable text, for tests and bug reports.

A playthrough tells its variant, its seed and, for every decision, what changed in the position,
what the player to act sees (as the set features of each field), what it may do, and what it did.
It can be played again from its own text: any change of a rule, a numbering or an observation shows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from waiter_envs.core.blocks import Block
from waiter_envs.core.checks import check_callable, check_seed, check_text
from waiter_envs.core.game import Game, check_game
from waiter_envs.core.tables import Tables

Chooser = Callable[[Tables], int]
"""Chooses the index of a legal action for the first table."""


def record(game: Game, config: Any, seed: int, choose: Chooser) -> str:
    """Return the playthrough of one game whose actions `choose` chooses.

    Raises:
        TypeError, ValueError: for an argument of the wrong type, or a bad seed.
    """
    config = check_game(game).config(config)
    seed = check_seed(seed)
    check_callable("choose", choose)
    return "\n".join(_lines(game, config, seed, choose)) + "\n"


def replay(game: Game, playthrough: str) -> str:
    """Play a playthrough's actions again, from its variant and seed, and return the new text.

    Raises:
        TypeError: if `game` is no game, or `playthrough` no text.
        ValueError: if the text is no playthrough, or an action is not legal any more.
    """
    check_game(game)
    check_text("playthrough", playthrough)
    config = game.config_class(**json.loads(_header(playthrough, "config")))
    texts = iter(re.findall(r"^action: (.+?)(?: +#.*)?$", playthrough, flags=re.MULTILINE))

    def choose(tables: Tables) -> int:
        text = next(texts, None)
        if text is None:
            raise ValueError("the playthrough has fewer actions than the game")
        return game.text_to_action(tables.state[0], text)

    return record(game, config, int(_header(playthrough, "seed")), choose)


def _header(playthrough: str, key: str) -> str:
    match = re.search(rf"^{key}: (.+)$", playthrough, flags=re.MULTILINE)
    if match is None:
        raise ValueError(f"no playthrough: it has no line '{key}: ...'")
    return match.group(1)


def _lines(game: Game, config: Any, seed: int, choose: Chooser) -> Iterator[str]:
    tables = Tables(game, config, 1, seed, autoreset_mode="Disabled", num_threads=1)
    fields, blocks = game.observation_fields(config), game.action_blocks(config)
    yield f"# A game of {game.title} ({game.name}_v{game.version})"
    yield f"config: {json.dumps(game.config_to_dict(config))}"
    yield f"seed: {seed}"
    yield f"sizes: {tables.num_features} features, {tables.num_actions} actions"
    known: dict[str, str] = {}
    decision = 0
    while not (tables.terminated[0] or tables.truncated[0]):
        yield ""
        yield f"== decision {decision}: P{tables.current_player[0]} =="
        yield from changes(game.position_to_dict(tables.state[0]), known)
        yield f"observation: {describe_observation(fields, tables.observation[0])}"
        yield f"legal: {describe_mask(blocks, tables.action_mask[0])}"
        action = choose(tables)
        yield f"action: {game.action_to_text(tables.state[0], action)}  # {action}"
        tables.step(np.array([action], np.int32))
        decision += 1
        if tables.rewards.any():
            yield f"rewards: {' '.join(f'{reward:g}' for reward in tables.rewards[0])}"
    yield ""
    yield f"== {'terminated' if tables.terminated[0] else 'truncated'} =="
    yield from changes(game.position_to_dict(tables.state[0]), known)


def changes(position: dict[str, Any], known: dict[str, str]) -> Iterator[str]:
    """Return the entries of a position that are not `known` yet, and remember them."""
    for path, value in _entries(position):
        if known.get(path) != value:
            known[path] = value
            yield f"  {path} = {value}"


def _entries(value: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Return path and JSON of what stands three levels deep, or less."""
    if depth == 3 or not isinstance(value, (dict, list)) or not value:
        yield path, json.dumps(value)
        return
    for key, part in value.items() if isinstance(value, dict) else enumerate(value):
        yield from _entries(part, f"{path}.{key}" if path else str(key), depth + 1)


def describe_observation(fields: Iterable[Block], observation: npt.NDArray[np.int8]) -> str:
    """Return which features are 1, by field: `hand: 0 7 8 · top_0: 3`."""
    parts = []
    for field in fields:
        features = np.flatnonzero(observation[field.start : field.start + field.size])
        if features.size:
            parts.append(f"{field.name}: {_ranges(features)}")
    return " · ".join(parts)


def describe_mask(blocks: Iterable[Block], mask: npt.NDArray[np.int8]) -> str:
    """Return which actions are legal, by block, counted from the block's start."""
    parts = []
    for block in blocks:
        actions = np.flatnonzero(mask[block.start : block.start + block.size])
        if actions.size:
            parts.append(f"{block.name}: {_ranges(actions)}")
    return f"{int(mask.sum())} of {' · '.join(parts)}"


def _ranges(numbers: npt.NDArray[np.int64]) -> str:
    """Return ascending numbers with runs shortened: `0-3 7`."""
    runs = np.split(numbers, np.flatnonzero(np.diff(numbers) > 1) + 1)
    return " ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)
