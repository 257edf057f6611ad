"""What all tests share: how they are spread over processes, and Hypothesis' profile.

Compiling is the slow part. A process compiles a game's kernels once for each record dtype
(`Game.kernel` keeps them) and stores them on disk; so tests of one variant belong together,
whatever room they test.
"""

from __future__ import annotations

import importlib.util
import os

import pytest
from hypothesis import settings

from tests.samples import samples
from waiter_envs import GAMES

PARAMETERS = ("name", "game", "variant", "preset")
"""Parameters of tests that name the game and the variant whose kernels they need."""

# Ray pins another Gymnasium than the rest is tested with, so `.ci/run` tests the extra `rllib` in a
# virtual environment of its own.
collect_ignore = [] if importlib.util.find_spec("ray") else ["interfaces/test_rllib.py"]

settings.register_profile("waiter", deadline=None, print_blob=True, derandomize="CI" in os.environ)
settings.load_profile("waiter")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give tests of one variant the same process: `pytest -n 2 --dist loadgroup`.

    Tests of a variant are `long`, unless it is one of the presets that all shared tests play.
    """
    for item in items:
        callspec = getattr(item, "callspec", None)
        names = callspec.params if callspec else {}
        folder = item.path.parent.name
        game = folder if folder in GAMES else names.get("name", names.get("game"))
        variant = names.get("variant", names.get("preset"))
        if game in GAMES and variant is not None and variant not in samples(game).presets:
            item.add_marker(pytest.mark.long)
        parts = [
            folder if folder in GAMES else "any game",
            *(str(names[p]) for p in PARAMETERS if p in names),
        ]
        item.add_marker(pytest.mark.xdist_group(":".join(parts)))
