"""The Python blocks of the documentation run as they stand, one page after the other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    path
    for path in [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]
    if "```python" in path.read_text()
]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_code_of_a_page_runs(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", path.read_text(), flags=re.DOTALL):
        exec(compile(block, path.name, "exec"), namespace)
