"""The theme of drawings on a page: its colours are variables of the page's style sheet."""

from __future__ import annotations

import dataclasses

from waiter_envs.drawing.theme import THEMES, Theme

_ROLES = [field.name for field in dataclasses.fields(Theme) if field.name != "name"]

PAGE = Theme(name="page", **{role: f"var(--{role.replace('_', '-')})" for role in _ROLES})
"""Draws in whatever colours the page has, so that one drawing serves light and dark."""


def style_sheet() -> str:
    """Return the style sheet that gives the variables their colours.

    Light or dark as the reader's system is, unless `data-theme` of the page says which.
    """
    light, dark = (_variables(THEMES[name]) for name in ("light", "dark"))
    return (
        f":root{{color-scheme:light;{light}}}\n"
        f"@media(prefers-color-scheme:dark){{:root{{color-scheme:dark;{dark}}}}}\n"
        f":root[data-theme=light]{{color-scheme:light;{light}}}\n"
        f":root[data-theme=dark]{{color-scheme:dark;{dark}}}\n"
    )


def _variables(theme: Theme) -> str:
    return "".join(f"--{role.replace('_', '-')}:{getattr(theme, role)};" for role in _ROLES)
