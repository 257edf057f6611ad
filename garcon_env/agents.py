"""Rule-based opponents of Garçon (to come)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

HEURISTICS: Mapping[str, Callable[[Any, Any], int]] = {}
"""Rule-based agents by name."""
