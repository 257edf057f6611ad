"""How a variant is asked for: by a ready `Config`, a preset's name, or fields."""

from __future__ import annotations

import dataclasses
from typing import Any

from waiter_envs.core.checks import shown


def pick_config(
    config_class: Any, presets: Any, config: Any, preset: str | None, fields: dict[str, Any]
) -> Any:
    """Return the configuration that a constructor's arguments ask for.

    Args:
        config_class: the game's `Config`.
        presets: name to `Config`.
        config: a ready `Config`, or `None`.
        preset: the name of a preset, or `None`.
        fields: fields of `Config`; with `preset` or `config` they change it.

    Raises:
        TypeError: for an unknown field, or both `config` and `preset`.
        ValueError: for an unknown preset or an impossible variant.
    """
    known = [f.name for f in dataclasses.fields(config_class) if f.init]
    unknown = sorted(set(fields) - set(known))
    if unknown:
        raise TypeError(
            f"unknown variant field {', '.join(unknown)}; "
            f"{config_class.__module__.split('.')[0]} has {', '.join(known)}"
        )
    if config is not None and preset is not None:
        raise TypeError("give `config` or `preset`, not both")
    if preset is not None:
        if not isinstance(preset, str):
            raise TypeError(f"preset={shown(preset)}: must be the name of a preset")
        if preset not in presets:
            raise ValueError(f"unknown preset {shown(preset)}; there are {', '.join(presets)}")
        config = presets[preset]
    if config is None:
        return config_class(**fields)
    if not isinstance(config, config_class):
        raise TypeError(f"config={shown(config)}: must be a {config_class.__module__}.Config")
    return dataclasses.replace(config, **fields) if fields else config
