"""The games by name, their registrations, and what importing costs."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import subprocess
import sys
import textwrap
import warnings

import gymnasium
import pettingzoo
import pytest

import waiter_envs
from tests.samples import SAMPLES, samples
from waiter_envs.core.game import Game
from waiter_envs.interfaces.aec import TableEnv

every_game = pytest.mark.parametrize("name", waiter_envs.GAMES)


def run_python(code: str) -> str:
    """Run code in a fresh process, every warning an error, and return what it prints."""
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


@every_game
def test_load(name: str) -> None:
    """A name loads the binding of that game, whose versioned module has its version."""
    game = waiter_envs.load(name)
    assert isinstance(game, Game)
    assert game is importlib.import_module(f"{name}_env").GAME
    assert game.name == name
    assert importlib.util.find_spec(f"{name}_env.{name}_v{game.version}")
    assert game.config_class() == game.presets[game.default_preset]


@pytest.mark.parametrize("call", [waiter_envs.load, waiter_envs.make])
@pytest.mark.parametrize("name", ["chess", "", "HEY_WAITER"])
def test_unknown_game(call, name) -> None:  # type: ignore[no-untyped-def]
    """An unknown name is refused with the list of those that exist."""
    with pytest.raises(ValueError, match=f"unknown game {name!r}; there are .*hey_waiter"):
        call(name)


@pytest.mark.parametrize("call", [waiter_envs.load, waiter_envs.make])
@pytest.mark.parametrize("name", [None, 1, b"dessert", ["dessert"]])
def test_a_name_is_a_text(call, name) -> None:  # type: ignore[no-untyped-def]
    """What is no text names no game."""
    with pytest.raises(TypeError, match=r"name=.*: must be the name of a game"):
        call(name)


@every_game
def test_make(name: str) -> None:
    """`make` and the package's own `env`, also of the versioned module, give the same."""
    package = importlib.import_module(f"{name}_env")
    versioned = importlib.import_module(f"{name}_env.{name}_v{package.GAME.version}")
    preset = next(iter(package.GAME.presets))
    made = waiter_envs.make(name, "ansi", preset=preset)
    for env in (package.env, versioned.env):
        other = env(render_mode="ansi", preset=preset)
        assert type(other) is type(made)
        assert other.config == made.config == package.PRESETS[preset]
        assert other.render_mode == made.render_mode == "ansi"
        assert str(other) == str(made)
    assert package.raw_env is versioned.raw_env
    assert type(package.raw_env(preset=preset)) is TableEnv


def test_versioned_module_of_the_package() -> None:
    """PettingZoo's habit works: the package hands out its versioned module."""
    from hey_waiter_env import hey_waiter_v0

    assert isinstance(hey_waiter_v0.raw_env(preset="2_players"), TableEnv)


# -- Registration ------------------------------------------------------------------------------


@every_game
def test_gymnasium_imports_the_game_by_its_module(name: str) -> None:
    """`gymnasium.make("package:Id")` works with nothing of ours imported before."""
    game = waiter_envs.load(name)
    identifier = game.gymnasium_id
    printed = run_python(
        f"""
        import gymnasium
        env = gymnasium.make("{name}_env:{identifier}")
        print(env.spec.id, env.unwrapped.game.name)
        """
    )
    assert printed.split() == [identifier, name]


def test_register_all() -> None:
    """One call registers every game by its Gymnasium name."""
    printed = run_python(
        """
        import gymnasium, waiter_envs
        waiter_envs.register_all()
        print(*gymnasium.registry)
        """
    )
    assert set(waiter_envs.GAMES) == set(SAMPLES)
    for name in waiter_envs.GAMES:
        camel_case = "".join(word.capitalize() for word in name.split("_"))
        assert f"{camel_case}-v{waiter_envs.load(name).version}" in printed.split()


def test_registered_once() -> None:
    """Importing games and registering them, in any order, warns of nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in waiter_envs.GAMES:
            importlib.reload(importlib.import_module(f"{name}_env"))
        waiter_envs.register_all()
        waiter_envs.register_all()
    run_python("import waiter_envs; waiter_envs.register_all(); import hey_waiter_env")
    run_python("import hey_waiter_env, waiter_envs; waiter_envs.register_all()")


@every_game
def test_pettingzoo(name: str) -> None:
    """Where PettingZoo has a registry, it knows the game; elsewhere nothing breaks."""
    versioned = f"{name}_v{waiter_envs.load(name).version}"
    if hasattr(pettingzoo, "aec_registry"):
        env = pettingzoo.make("aec", versioned, **samples(name).field)
        assert str(env) == versioned
        assert env.config == waiter_envs.load(name).config(**samples(name).field)
    else:
        assert str(waiter_envs.make(name)) == versioned


@every_game
def test_gymnasium_registry(name: str) -> None:
    """What Gymnasium makes by id takes the options of `SingleAgentEnv`."""
    game = waiter_envs.load(name)
    env = gymnasium.make(game.gymnasium_id, seat=1, **samples(name).field)
    assert env.unwrapped.config == game.config(**samples(name).field)
    env.reset(seed=0)
    assert env.unwrapped.seat == 1


# -- Imports -----------------------------------------------------------------------------------


def test_import_is_cheap() -> None:
    """`import waiter_envs` imports none of the dependencies; its names come on demand."""
    run_python(
        """
        import sys
        import waiter_envs
        heavy = {"numpy", "numba", "gymnasium", "pettingzoo"}
        assert not heavy & set(sys.modules), heavy & set(sys.modules)
        waiter_envs.Tables
        assert "waiter_envs.interfaces.aec" not in sys.modules
        """
    )


def test_public_names() -> None:
    """Every public name is there, listed, and known to star imports; others are not."""
    for name in waiter_envs.__all__:
        assert getattr(waiter_envs, name) is not None
        assert name in dir(waiter_envs)
    assert waiter_envs.__version__ == importlib.metadata.version("waiter-envs")
    with pytest.raises(AttributeError, match="no attribute 'Chef'"):
        waiter_envs.Chef  # noqa: B018
