"""What the documentation repeats of the code is what the code says."""

from __future__ import annotations

import pkgutil
import re
import runpy
from pathlib import Path

import pytest

import waiter_envs

ROOT = Path(__file__).resolve().parents[2]
UPDATE = runpy.run_path(str(ROOT / "docs" / "update_tables.py"))


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_tables_of_a_game_page_repeat_the_code(name):
    page = (ROOT / "docs" / f"{name}.md").read_text()
    assert set(re.findall(r"<!-- table: (\w+) -->", page)) == set(UPDATE["TABLES"])
    assert page == UPDATE["updated"](waiter_envs.load(name), page)


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_every_ruling_cited_in_the_code_stands_on_the_page(name):
    game = waiter_envs.load(name)
    package = ROOT / game.config_class.__module__.split(".")[0]
    cited = set()
    for path in package.glob("*.py"):
        cited |= set(re.findall(r"\b[A-Z]{2}-\d+\b", path.read_text()))
    page = (ROOT / "docs" / f"{name}.md").read_text()
    stated = set(re.findall(r"\*\*([A-Z]{2}-\d+)\*\*", page))
    assert cited, "the rules cite no ruling"
    assert cited == stated


TEXTS = [
    path
    for pattern in ("*.md", "docs/*", "examples/**/*.py", "benchmarks/*.py", "*_env*/**/*.py")
    for path in sorted(ROOT.glob(pattern))
    if path.suffix in (".md", ".py")
]


def resolves(name: str) -> bool:
    """Return whether a dotted name is a module, or something in one."""
    if name.startswith("waiter_envs.interfaces.rllib"):  # Ray may not be installed
        path = ROOT / name.replace(".", "/")
        return path.is_dir() or path.with_suffix(".py").is_file()
    try:
        pkgutil.resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_modules_are_where_texts_say(path):
    named = set(re.findall(r"\bwaiter_envs(?:\.[a-zA-Z_]\w*)+", path.read_text()))
    assert {name for name in named if not resolves(name)} == set()


def test_the_picture_of_the_house_shows_every_room():
    text = (ROOT / "CONTRIBUTING.md").read_text()
    picture = text.split("```mermaid")[1].split("```")[0]
    rooms = [path.parent.name for path in ROOT.glob("waiter_envs/*/__init__.py")]
    assert len(rooms) == 6
    assert all(f'{room}["{room}: ' in picture for room in rooms)
    assert all(f"{name}_env" in picture for name in waiter_envs.GAMES)


@pytest.mark.parametrize("path", sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("docs/*.md")))
def test_links_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text()):
        assert (path.parent / target).exists(), f"{path.name} links to {target}"


def test_the_walk_through_shows_every_file_of_the_minimal_game():
    page = (ROOT / "docs" / "adding_a_game.md").read_text()
    shown = re.findall(r"^<!-- file: (.+) -->$", page, flags=re.MULTILINE)
    files = (ROOT / "examples" / "bill_env").rglob("*.py")
    assert sorted(shown) == sorted(path.relative_to(ROOT).as_posix() for path in files)
    assert page == UPDATE["with_files"](page)


def test_pyproject_has_every_game_wherever_it_lists_games():
    """In as many lists as the walk-through names."""
    text = (ROOT / "pyproject.toml").read_text()
    lists = [set(re.findall(r'"(\w+)_env"', found)) for found in re.findall(r"= \[([^]]+)\]", text)]
    of_games = [found for found in lists if found]
    assert len(of_games) == 3 + 5, "setuptools, mypy, coverage; import-linter"
    assert all(found >= set(waiter_envs.GAMES) for found in of_games)
    contracts = [
        re.findall(r'name = "(.+)"', contract)[0]
        for contract in re.split(r"\n\[", text)
        if contract.startswith("[tool.importlinter.contracts") and '_env"' in contract
    ]
    page = (ROOT / "docs" / "adding_a_game.md").read_text()
    (entry,) = re.findall(r"^\* `pyproject.toml`: (.*?)\n\* ", page, flags=re.MULTILINE | re.DOTALL)
    named = re.findall(r'"(.+?)"', " ".join(entry.split()))
    assert len(named) == len(contracts) == 4
    assert all(contract.startswith(name) for name, contract in zip(named, contracts, strict=True))
