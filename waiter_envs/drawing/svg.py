"""SVG as plain text: elements, numbers and escaping. It knows nothing of colours or games."""

from __future__ import annotations

import functools
import re
from html import escape

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@functools.lru_cache(4096)
def clean(text: str) -> str:
    """Return `text` as it may stand in an element or attribute, whatever is in it."""
    return escape(_NOT_XML.sub("\ufffd", text))


def number(value: float) -> str:
    """Return a number with at most one decimal place, as short as it can be written."""
    text = f"{value:.1f}"
    return text[:-2].replace("-0", "0") if text.endswith(".0") else text


def element(name: str, *content: str, **attributes: str | float | None) -> str:
    """Return an element.

    Args:
        name: of the element.
        *content: what is in it, already SVG.
        **attributes: by name, `_` for `-` and `class_` for `class`; `None` is left out. Texts are
            escaped here.
    """
    written = f"<{name}"
    for key, value in attributes.items():
        if value is not None:
            text = clean(value) if isinstance(value, str) else number(value)
            written += f' {_attribute(key)}="{text}"'
    inner = "".join(content)
    return f"{written}>{inner}</{name}>" if inner else f"{written}/>"


@functools.cache
def _attribute(key: str) -> str:
    """Return the name of an attribute."""
    return key.strip("_").replace("_", "-")


def group(*content: str, x: float = 0.0, y: float = 0.0, scale: float = 1.0) -> str:
    """Return parts moved to a place and made larger or smaller; nothing if there are none."""
    inner = "".join(content)
    moved = f"translate({number(x)} {number(y)})" if x or y else ""
    if scale != 1.0:
        moved = f"{moved} scale({round(scale, 4):g})".strip()
    return element("g", inner, transform=moved or None) if inner else ""
