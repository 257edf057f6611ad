"""Every recorded game, played again, says the same to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

import waiter_envs
from tests.samples import samples
from waiter_envs.arena import playthrough

FOLDER = Path(__file__).resolve().parent
PLAYTHROUGHS = sorted(FOLDER.glob("*/*.txt"))


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_playthrough_says_the_same_again(path):
    recorded = path.read_text()
    assert playthrough.replay(waiter_envs.load(path.parent.name), recorded) == recorded


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_every_main_preset_has_a_playthrough(name):
    kept = {path.stem for path in (FOLDER / name).glob("*.txt")}
    assert kept == set(samples(name).playthroughs)


def test_a_changed_playthrough_is_noticed():
    path = PLAYTHROUGHS[0]
    recorded = path.read_text()
    changed = recorded.replace("observation: ", "observation: hand: 27 · ", 1)
    assert playthrough.replay(waiter_envs.load(path.parent.name), changed) != changed


def test_what_is_no_playthrough_is_refused():
    game = waiter_envs.load(PLAYTHROUGHS[0].parent.name)
    with pytest.raises(ValueError, match="config"):
        playthrough.replay(game, "hello")
    cut = PLAYTHROUGHS[0].read_text().split("== decision 3:")[0]
    with pytest.raises(ValueError, match="fewer actions"):
        playthrough.replay(game, cut)
