"""Benchmarks that are cheap enough run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_growth_measures_prints_and_draws(tmp_path):
    numbers, picture = tmp_path / "growth.json", tmp_path / "growth.png"
    script = ROOT / "benchmarks" / "growth.py"
    tiny = ["--most-tables", "4", "--seconds", "0.01", "--turns", "1"]
    files = ["--json", numbers, "--picture", picture]
    done = subprocess.run(
        [sys.executable, script, "dessert", "--axes", "tables", "threads", *tiny, *files],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "| million steps a second, by tables | 1 | 4 |" in done.stdout
    rows = json.loads(numbers.read_text())
    assert [row["size"] for row in rows if row["axis"] == "tables"] == [1, 4]
    assert all(row["steps_per_second"] > 0 for row in rows)
    assert picture.stat().st_size > 0


def test_resampling_measures_and_prints():
    script = ROOT / "benchmarks" / "resampling.py"
    tiny = ["--num-tables", "4", "--turns", "1"]
    done = subprocess.run(
        [sys.executable, script, "garcon", "dessert", *tiny], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    rows = [line.split("|")[1:-1] for line in done.stdout.splitlines()]
    assert [len(row) for row in rows] == [5, 5, 5, 4]
    assert all(" ns, " in cell and " x" in cell for row in rows[2:] for cell in row[2:])
