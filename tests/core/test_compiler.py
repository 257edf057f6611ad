"""What compiling costs: machine code for kernels only, and a line that tells of a long wait.

The tiny game of `test_compile_cache` is compiled in processes of their own.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core import test_compile_cache
from tests.core.test_compile_cache import finish, start

RULES = {"init_state", "step", "legal_action_mask", "observe", "rewards", "grow", "twice_the_seats"}

TELL_WHAT_IS_EMITTED = """
import sys
from numba.core.codegen import JITCodeLibrary

emit = JITCodeLibrary._finalize_specific

def tell(library):
    print(library.name, file=sys.stderr)
    emit(library)

JITCodeLibrary._finalize_specific = tell
"""

WITHOUT_THE_COMPILER = """
import sys

sys.modules["waiter_envs.core.compiler"] = None  # as if Numba lacked what it relies on
"""

PATIENCE = """
from waiter_envs.core import jit

jit._PATIENCE = {seconds}
"""

tiny_game = test_compile_cache.tiny_game


def prepend(folder: Path, text: str) -> None:
    """Let the folder's `main.py` begin with something else."""
    main = folder / "main.py"
    main.write_text(text + main.read_text())


def emitted(folder: Path, cache: Path, before: str = "") -> set[str]:
    """Return the names of the functions that machine code is emitted for."""
    prepend(folder, before + TELL_WHAT_IS_EMITTED + PATIENCE.format(seconds=600))
    reward, hits, errors = finish(start(folder, cache))
    assert (reward, hits) == (10, 0)
    return set(errors.split())


def test_machine_code_is_emitted_for_kernels_only(tiny_game: Path, tmp_path: Path) -> None:
    names = emitted(tiny_game, tmp_path / "cache")
    assert any(name.startswith("advance_tiny") for name in names)
    assert not RULES & names


def test_another_numba_compiles_in_its_own_way(tiny_game: Path, tmp_path: Path) -> None:
    assert emitted(tiny_game, tmp_path / "cache", WITHOUT_THE_COMPILER) >= RULES
    reward, hits, _ = finish(start(tiny_game, tmp_path / "cache"))
    assert (reward, hits) == (10, 1)


@pytest.mark.parametrize(("seconds", "lines"), [(0, 1), (600, 0)])
def test_a_long_compilation_is_announced_once(
    tiny_game: Path, tmp_path: Path, seconds: int, lines: int
) -> None:
    cache = tmp_path / "cache"
    prepend(tiny_game, PATIENCE.format(seconds=seconds))
    _, errors = start(tiny_game, cache, TINY_SEATS="1 2").communicate(timeout=300)
    assert len(errors.splitlines()) == lines
    if lines:
        assert errors.startswith("waiter_envs: compiling advance_tiny (kept in " + str(cache))
