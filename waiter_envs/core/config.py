"""How a variant is asked for (a ready `Config`, a preset's name, fields), and written down."""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Iterable, Mapping
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


def write_config(config: Any) -> dict[str, Any]:
    """Return the fields of a variant in plain JSON types.

    A field that names a file (`FILE_FIELDS` of the game's `Config`) has the rows of that file.
    """
    fields = {f.name: getattr(config, f.name) for f in dataclasses.fields(config) if f.init}
    for name, words in getattr(config, "FILE_FIELDS", {}).items():
        if not (isinstance(fields[name], str) and fields[name] in words):
            fields[name] = config.rows(name)
    return {name: _plain(value) for name, value in fields.items()}


def read_config(config_class: Any, presets: Any, fields: Any) -> Any:
    """Return the variant that `write_config` wrote; no file is read, whoever wrote it.

    Raises:
        TypeError, ValueError: for fields of no variant, or one that names a file.
    """
    if not isinstance(fields, Mapping) or not all(isinstance(name, str) for name in fields):
        raise TypeError(f"fields={shown(fields)}: must be a mapping, from names of fields")
    for name, words in getattr(config_class, "FILE_FIELDS", {}).items():
        value = fields.get(name, words[0])
        if isinstance(value, str) and value not in words:
            raise ValueError(
                f"{name}={shown(value)}: must be {' or '.join(map(repr, words))}, or the rows "
                "themselves, not the name of a file"
            )
    return pick_config(config_class, presets, None, None, dict(fields))


def _plain(value: Any) -> Any:
    """Return a value in plain JSON types."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Iterable):
        return [_plain(item) for item in value]
    return operator.index(value)
