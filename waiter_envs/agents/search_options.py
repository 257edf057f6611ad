"""What a search may spend, and how it chooses: the options of `SearchAgent`."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from waiter_envs.agents.policies import load_policy
from waiter_envs.core.checks import check_int, check_number, shown
from waiter_envs.core.game import Game
from waiter_envs.core.playing import check_policy

_MOST, _MOST_ROWS = 1_000_000, 1 << 16

MEANINGS = {
    "simulations": "budget: playouts for a decision",
    "ms": "budget: milliseconds of one core for a decision",
    "worlds": "worlds dealt for a decision, at most; alone: this often all candidates",
    "candidates": "actions tried, at most",
    "ranked": "of these, those that the prior is asked for; the others are random",
    "depth": "decisions of a playout, at most, whose end is then estimated; None: to the end",
    "anchor": "standard errors that a gain over the prior's choice must exceed",
    "tree": "exploration of a tree that grows instead (UCB); None: no tree",
    "prior": "whose choice stands unless another one is better: an agent, or a policy's path",
    "rollout": "who plays on in a simulation: likewise",
}
"""What the options of a search mean."""

_BUDGETS = ("worlds", "simulations", "ms")


Policy = Any
"""The path of a trained policy, or the policy."""


@dataclass(frozen=True)
class SearchOptions:
    """The options of a search; `MEANINGS` says what they are.

    A budget in simulations finds the same choices anywhere; one in milliseconds makes as many as
    the machine can. With neither, there are `worlds` times `candidates` simulations.
    """

    simulations: int | None = None
    ms: float | None = None
    worlds: int = 1024
    candidates: int = 16
    ranked: int = 8
    depth: int | None = None
    anchor: float = 1.0
    tree: float | None = None
    prior: str | Policy = "heuristic"
    rollout: str | Policy = "heuristic"

    def __post_init__(self) -> None:
        """Refuse what makes no sense.

        Raises:
            TypeError, ValueError: for a wrong option; the text names it.
        """
        for name in ("worlds", "candidates", "ranked"):
            check_int(name, getattr(self, name), 1, _MOST_ROWS)
        if self.simulations is not None:
            check_int("simulations", self.simulations, 1, _MOST**2, "or None")
        if self.ms is not None:
            check_number("ms", self.ms, 0.001, _MOST)
        if self.depth is not None:
            check_int("depth", self.depth, 0, _MOST, "or None")
        check_number("anchor", self.anchor, 0.0, _MOST)
        if self.tree is not None:
            check_number("tree", self.tree, 0.0, _MOST)
        if self.simulations is not None and self.ms is not None:
            raise ValueError("simulations and ms: give one of them, not both")

    @classmethod
    def of(cls, game: Game, options: Mapping[str, Any]) -> SearchOptions:
        """Return options, those that are not given as they are best for a game.

        Paths of policies are loaded.

        Raises:
            TypeError, ValueError: for an unknown or a wrong option; the text names it.
        """
        unknown = [shown(name) for name in options if name not in MEANINGS]
        if unknown:
            raise ValueError(
                f"unknown option {', '.join(unknown)} of a search; there are {', '.join(MEANINGS)}"
            )
        default = dict(game.search_options)
        if any(options.get(name) is not None for name in _BUDGETS):
            default = {name: v for name, v in default.items() if name not in _BUDGETS}
        chosen = cls(**{**default, **options})
        players = {
            name: _policy(game, getattr(chosen, name), name) for name in ("prior", "rollout")
        }
        return dataclasses.replace(chosen, **players)

    @property
    def budget(self) -> int:
        """Simulations for a decision, at most."""
        if self.simulations is not None:
            return self.simulations
        return self.worlds * self.candidates


def _policy(game: Game, policy: Any, name: str) -> Any:
    """Return a compiled policy, loaded if a path is given."""
    named = isinstance(policy, str) and (policy == "random" or policy in game.heuristics)
    if not named and isinstance(policy, (str, os.PathLike)) and os.path.exists(policy):
        policy = load_policy(policy, game)
    check_policy(game, policy, name)
    return policy


def parse_options(text: str) -> dict[str, Any]:
    """Return the options that a text such as `worlds=32,rollout=random` names.

    Raises:
        ValueError: if it does not look like that, or an option is named twice.
    """
    options: dict[str, Any] = {}
    for part in text.split(",") if text else ():
        name, equals, value = part.partition("=")
        if not equals or not name:
            raise ValueError(f"option {shown(part)} of a search: must look like NAME=VALUE")
        if name in options:
            raise ValueError(f"option {name} of a search: named twice")
        options[name] = value if name in ("prior", "rollout") else _number(value)
    return options


def _number(text: str) -> Any:
    """Return a number that a text stands for; any other text as it is, to be refused by name."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return None if text == "None" else text


def describe_options(game: Game) -> list[tuple[str, str]]:
    """Return each option, with what it is in a game if it is not given, and its meaning."""
    default = SearchOptions(**game.search_options)
    return [(f"{name}={getattr(default, name)}", meaning) for name, meaning in MEANINGS.items()]
