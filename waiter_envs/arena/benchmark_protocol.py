"""`WaiterBench-v1`: what is played. Whoever changes anything here raises the number in the name."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

NAME = "WaiterBench-v1"

SEARCH = "search:simulations=64"

POOL: Mapping[str, tuple[str, ...]] = {
    "hey_waiter": ("random", "heuristic", SEARCH),
    "greasy_spoon": ("random", "largest_dish", "heuristic", SEARCH),
    "garcon": ("random", "forgetful", "heuristic", SEARCH),
    "dessert": ("random", "heuristic", SEARCH),
}
"""The references of each game."""

RIVAL = "heuristic"
"""Against copies of whom memory, generalisation and partners are measured, in every game."""

Fields = dict[str, Any]
"""Fields of a variant, or a preset."""


@dataclass(frozen=True)
class Task:
    """A variant that is played."""

    name: str
    game: str
    fields: Fields


@dataclass(frozen=True)
class Twins:
    """Two variants that differ in memory alone."""

    name: str
    game: str
    without: Fields
    """Players see what happens once, and have to remember."""
    told: Fields
    """Observations tell what one would have to remember."""


@dataclass(frozen=True)
class Generalisation:
    """A variant to train on, and variants that are held out."""

    name: str
    game: str
    training: Fields
    held_out: Mapping[str, Fields]


@dataclass(frozen=True)
class Protocol:
    """All tasks of a benchmark, its seed and its deals."""

    name: str
    seed: int
    pool: Mapping[str, tuple[str, ...]]
    strength: tuple[Task, ...]
    memory: tuple[Twins, ...]
    partners: tuple[Task, ...]
    generalisation: tuple[Generalisation, ...]
    robustness: tuple[Task, ...]
    deals: Mapping[str, int] = field(default_factory=dict)
    """Deals of each variant, by part."""

    def to_dict(self) -> dict[str, Any]:
        """Return the protocol in plain JSON types."""
        plain: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(self)))
        return plain

    @property
    def digest(self) -> str:
        """A digest of all of it: equal digests, equal protocols."""
        text = json.dumps(self.to_dict(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


_DEFAULTS = (
    Task("Hey Waiter!, 2 players", "hey_waiter", {"preset": "2_players"}),
    Task("Hey Waiter!, partnership", "hey_waiter", {"preset": "4_partnership"}),
    Task("Greasy Spoon", "greasy_spoon", {"preset": "best_of_1"}),
    Task("Garçon", "garcon", {"preset": "rulebook"}),
    Task("Dessert", "dessert", {"preset": "standard"}),
)

WAITER_BENCH = Protocol(
    name=NAME,
    seed=1,
    pool=POOL,
    strength=_DEFAULTS,
    memory=(
        Twins("Garçon", "garcon", {"preset": "rulebook"}, {"preset": "perfect"}),
        Twins(
            "Garçon, fresh orders, clock",
            "garcon",
            {"preset": "memory"},
            {"preset": "memory", "recall": None},
        ),
        Twins(
            "Greasy Spoon",
            "greasy_spoon",
            {"preset": "best_of_1_no_recall"},
            {"preset": "best_of_1"},
        ),
    ),
    partners=(
        Task("Hey Waiter!, partnership", "hey_waiter", {"preset": "4_partnership"}),
        Task("Hey Waiter!, secret sides", "hey_waiter", {"preset": "secret_2v2"}),
    ),
    generalisation=(
        Generalisation(
            "Hey Waiter!",
            "hey_waiter",
            {"preset": "2_players"},
            {
                "10 dishes": {"preset": "2_players", "dishes": 10},
                "3 players": {"preset": "3_players"},
            },
        ),
        Generalisation(
            "Greasy Spoon",
            "greasy_spoon",
            {"preset": "best_of_1"},
            {"best of 3": {"preset": "best_of_3"}},
        ),
        Generalisation(
            "Garçon",
            "garcon",
            {"preset": "rulebook"},
            {
                "fresh orders": {"orders": "fresh"},
                "6 points": {"target": 6},
                "3 players": {"players": 3},
            },
        ),
        Generalisation(
            "Dessert",
            "dessert",
            {"preset": "standard"},
            {"clockwise": {"preset": "clockwise"}, "3 players": {"players": 3}},
        ),
    ),
    robustness=_DEFAULTS,
    deals={
        "strength": 40,
        "memory": 200,
        "partners": 200,
        "generalisation": 200,
        "robustness": 40,
    },
)
