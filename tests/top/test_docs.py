"""What the documentation repeats of the code is what the code says."""

from __future__ import annotations

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


@pytest.mark.parametrize("path", sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("docs/*.md")))
def test_links_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text()):
        assert (path.parent / target).exists(), f"{path.name} links to {target}"
