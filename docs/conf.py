"""How Sphinx builds the site; `docs/build.py` starts it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

project = "waiter-envs"
author = "the authors of waiter-envs"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
html_theme = "furo"
html_title = "waiter-envs"
html_extra_path = ["_build/extra"]
html_static_path = ["site"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
myst_heading_anchors = 4
default_role = "code"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_member_order = "bysource"
autodoc_mock_imports = ["torch", "stable_baselines3", "sb3_contrib", "ray"]
autodoc_preserve_defaults = True
napoleon_use_ivar = True
python_use_unqualified_type_names = True
suppress_warnings = ["myst.header", "misc.highlighting_failure"]


def setup(app: Any) -> None:
    """Begin before napoleon, which takes what stands before a colon for a type."""
    app.connect("autodoc-process-docstring", keep_colons, priority=400)


def keep_colons(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Let an attribute's first line stay a sentence."""
    if what in ("attribute", "property") and lines:
        lines[0] = lines[0].replace(": ", " \u2013 ", 1)
