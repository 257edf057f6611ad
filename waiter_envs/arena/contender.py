"""A contender: what a benchmark measures, an agent by name or policies by their paths."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from waiter_envs.agents.make import TEXT, agent_names, make_agent
from waiter_envs.agents.policies import FILE_NAME, load_policy, read_header
from waiter_envs.agents.search import SearchAgent
from waiter_envs.arena.entrants import check_different
from waiter_envs.core.checks import shown
from waiter_envs.core.game import Game
from waiter_envs.core.games import GAMES, load


@dataclass(frozen=True)
class PolicyFile:
    """A trained policy, which plays the variant that it has learnt, and those of the same sizes."""

    path: str
    digest: str
    header: dict[str, Any]

    def plays(self, game: Game, config: Any) -> bool:
        """Return whether it can sit at tables of a variant."""
        sizes = game.num_features(config), game.num_actions(config)
        wanted = self.header["features"], self.header["actions"]
        return self.header["game"] == game.name and sizes == wanted

    def has_learnt(self, game: Game, config: Any) -> bool:
        """Return whether this is the variant that it has learnt."""
        try:
            learnt = game.config_from_dict(self.header["variant"])
        except (TypeError, ValueError):
            return False
        return self.plays(game, config) and bool(learnt == config)


class Contender:
    """An agent of all games, or policies for some variants."""

    def __init__(self, what: str) -> None:
        """Find an agent.

        Args:
            what: the name of an agent (`search` may have options; `text:module:function`), the path
                of a policy, of the folder that it lies in, or of a folder of such folders, one for
                each variant.

        Raises:
            ValueError: for anything else, or a file that is no policy, or a damaged one.
        """
        self.name = what
        self.files: list[PolicyFile] = []
        if any(_is_named(load(game), what) for game in GAMES):
            return
        if Path(what).exists():
            self.files = _policies(Path(what))
        else:
            names = sorted({name for game in GAMES for name in agent_names(load(game))})
            raise ValueError(
                f"unknown agent {shown(what)}; there are {', '.join(names)}, {SearchAgent.name}, "
                f"{TEXT}module:function, and paths of saved policies, or of folders of them"
            )

    def entry(self, game: Game, config: Any) -> str | None:
        """Return the name or path under which it plays a variant; `None`: it cannot."""
        if not self.files:
            return self.name if _is_named(game, self.name) else None
        for fits in (PolicyFile.has_learnt, PolicyFile.plays):
            for file in self.files:
                if fits(file, game, config):
                    return file.path
        return None

    def to_dict(self) -> dict[str, Any]:
        """Return what results keep of it, in plain JSON types."""
        files = [
            {"path": file.path, "digest": file.digest, "variant": file.header["variant"]}
            for file in self.files
        ]
        return {"name": self.name, "policies": files}


def _is_named(game: Game, what: str) -> bool:
    """Return whether a game has an agent of that name.

    Raises:
        ValueError: for a wrong option of a search, or a function that is not there.
    """
    if what.partition(":")[0] == SearchAgent.name or what.startswith(TEXT):
        make_agent(game, what)
        return True
    return what in agent_names(game)


def _policies(path: Path) -> list[PolicyFile]:
    """Return the policies that a path leads to; each is looked through.

    Raises:
        ValueError: if there is none, or one is damaged.
    """
    found = [path]
    if path.is_dir():
        found = [path / FILE_NAME] if (path / FILE_NAME).exists() else []
        found = found or sorted(path.glob(f"*/{FILE_NAME}"))
    if not found:
        raise ValueError(f"{path}: there is no {FILE_NAME} in it, nor in its folders")
    return [_read(file) for file in found]


def _read(file: Path) -> PolicyFile:
    header = read_header(file)
    load_policy(file, load(str(header.get("game"))))
    return PolicyFile(str(file), hashlib.sha256(file.read_bytes()).hexdigest()[:16], header)


def contenders(names: Sequence[str]) -> list[Contender]:
    """Return contenders of different names.

    Raises:
        ValueError: if one is unknown, or two have one name.
    """
    check_different(names)
    return [Contender(name) for name in names]
