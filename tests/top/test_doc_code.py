"""The Python blocks of the documentation run as they stand.

Those of the README run each by itself, those of another page one after the other. Blocks that need
Ray are marked `py` instead of `python`; `test_rllib.py` runs them. So are the files of the minimal
game, which `test_minimal_game.py` runs.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
PAGES = [path for path in sorted(ROOT.glob("docs/*.md")) if "```python" in path.read_text()]


def blocks(text: str) -> list[str]:
    """Return the Python code of a page."""
    return re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_code_of_a_page_runs(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {}
    for block in blocks(path.read_text()):
        exec(compile(block, path.name, "exec"), namespace)


@pytest.mark.parametrize("number", range(len(blocks(README))))
def test_a_block_of_the_readme_runs_alone(number, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(blocks(README)[number], "README.md", "exec"), {})


def test_the_readme_shows_the_trainers_with_code():
    section = README.split("\n## Use it with")[1].split("\n## ")[0]
    shown = re.findall(r"^(?:\*\*(.+?)\.\*\*|```(py.*))", section, flags=re.MULTILINE)
    headings, fences = [name for name, _ in shown if name], [kind for _, kind in shown if kind]
    assert dict(zip(headings, fences, strict=True)) == {
        "CleanRL-style code": "python",
        "Gymnasium": "python",
        "Stable-Baselines3": "python",
        "RLlib": "py",
    }
