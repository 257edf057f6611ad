"""Writes the playthroughs anew: `python -m tests.playthroughs.regenerate [PRESET ...]`.

One whole game for each main preset: mostly the rule-based agent's moves, so that games end in good
time, and now and then a random one, so that everything happens.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import waiter_envs
from tests.samples import samples
from waiter_envs.agents.agent import Decisions
from waiter_envs.agents.rule_agent import RuleAgent
from waiter_envs.arena import playthrough
from waiter_envs.core.game import Game
from waiter_envs.core.tables import Tables

FOLDER = Path(__file__).resolve().parent
RANDOM_SHARE = 0.2
SEED = 7
SEEDS = {("dessert", "standard"): 8, ("dessert", "until_trio"): 9, ("dessert", "no_closing"): 9}
"""Where the usual seed's game would be the one of another preset."""


def chooser(game: Game, seed: int) -> playthrough.Chooser:
    """Return a player that makes one move in five at random."""
    chance = np.random.default_rng(seed)
    agent = RuleAgent(game, next(iter(game.heuristics)))

    def choose(tables: Tables) -> int:
        legal = np.flatnonzero(tables.action_mask[0])
        if chance.random() < RANDOM_SHARE:
            return int(chance.choice(legal))
        action = int(agent.act(Decisions.at(tables))[0])
        assert action in legal, f"{agent.name} chose an illegal action"
        return action

    return choose


def main() -> None:
    """Write `<game>/<preset>.txt` for every game and main preset, or for those named."""
    for name in waiter_envs.GAMES:
        game = waiter_envs.load(name)
        (FOLDER / name).mkdir(exist_ok=True)
        for preset in samples(name).playthroughs:
            if sys.argv[1:] and preset not in sys.argv[1:]:
                continue
            seed = SEEDS.get((name, preset), SEED)
            text = playthrough.record(game, game.presets[preset], seed, chooser(game, seed))
            (FOLDER / name / f"{preset}.txt").write_text(text)
            print(f"{name}/{preset}.txt: {text.count('== decision')} decisions")


if __name__ == "__main__":
    main()
