"""What the games share: many tables at once, environments of one table, agents, a registry.

`import waiter_envs` is cheap: what stands behind a name is imported when it is first used. The
public names, and where each is at home, stand in `__init__.pyi`, for type checkers and for this.
"""

import ast
import importlib
import pkgutil
from typing import Any

_STUB = ast.parse(pkgutil.get_data(__name__, "__init__.pyi") or b"")
_HOMES = {
    name.name: str(node.module)
    for node in _STUB.body
    if isinstance(node, ast.ImportFrom)
    for name in node.names
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """Import what stands behind a public name."""
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("waiter-envs")
        except PackageNotFoundError:  # on the path, but not installed
            return "unknown"
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if _HOMES[name] == __name__:  # a module
        return importlib.import_module(f"{__name__}.{name}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List the public names, imported yet or not."""
    return sorted({*globals(), *__all__, "__version__"})
