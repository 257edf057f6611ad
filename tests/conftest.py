"""What all tests share: how they are spread over processes, and Hypothesis' profile.

Compiling is the slow part. A process compiles a game's kernels once for each record dtype and
stores them on disk. What it cannot store is what it has learnt of the rules on the way: a process
that has compiled one kernel of a variant needs half the time for the next. So tests of one variant
belong together, whatever room they test, and so do, where processes are few, all quick tests of one
game.
"""

from __future__ import annotations

import importlib.util
import os
from typing import Any

import pytest
from hypothesis import settings

from tests.samples import samples
from waiter_envs import GAMES

# Ray pins another Gymnasium than the rest is tested with, so `.ci/run` tests the extra `rllib` in a
# virtual environment of its own.
collect_ignore = [] if importlib.util.find_spec("ray") else ["interfaces/test_rllib.py"]

settings.register_profile("waiter", deadline=None, print_blob=True, derandomize="CI" in os.environ)
settings.load_profile("waiter")


SLOW = (
    "test_packaging",
    "test_browser_play",
    "test_browser_replay",
    "test_compile_cache",
    "test_examples",
    "test_records",
    "test_cli",
)
"""Groups of no game that take long, though they have few tests."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give tests of one variant the same process: `pytest -n 2 --dist loadgroup`.

    Tests of a variant are `long`, unless it is one of the presets that all shared tests play.
    """
    processes = getattr(config, "workerinput", {}).get("workercount", 1)
    groups: dict[pytest.Item, str] = {}
    for item in items:
        game, variant = _game_and_variant(item)
        if game and variant is not None and variant not in samples(game).presets:
            item.add_marker(pytest.mark.long)
        if game is None:
            group = item.path.stem
        elif processes <= len(GAMES) and item.get_closest_marker("long") is None:
            group = game
        else:
            group = f"{game}:{variant}"
        item.add_marker(pytest.mark.xdist_group(group))
        groups[item] = group
    # Processes take groups in this order: those that take long come first.
    items.sort(key=lambda item: (groups[item] not in GAMES, groups[item] not in SLOW))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Refuse to go on where groups are asked for and nothing is grouped: it would take ages."""
    asked = getattr(session.config.option, "loadgroup", False)
    if asked and session.items and not any("@" in item.nodeid for item in session.items):
        raise pytest.UsageError(
            "--dist loadgroup: this pytest-xdist groups no tests in this pytest"
        )


def _game_and_variant(item: pytest.Item) -> tuple[str | None, Any]:
    """Return which game, if one, and which variant of it, if it is told, a test plays."""
    callspec = getattr(item, "callspec", None)
    names = callspec.params if callspec else {}
    folder = item.path.parent.name
    game = folder if folder in GAMES else names.get("name", names.get("game"))
    return game if game in GAMES else None, names.get("variant", names.get("preset"))
