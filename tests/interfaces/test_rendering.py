"""Pictures of environments: pixels, windows, films and notebooks, always as one seat sees them."""

from __future__ import annotations

import copy
import pickle
import re
import sys
import types
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import HumanRendering, RecordVideo, RenderCollection
from stable_baselines3.common.env_util import make_vec_env

import waiter_envs
from tests.samples import samples
from waiter_envs import SingleAgentEnv, SingleAgentVectorEnv
from waiter_envs.drawing import raster
from waiter_envs.interfaces import rendering
from waiter_envs.interfaces.sb3 import TablesVecEnv

SEED = 3
SIZE = (640, 960, 3)

every_game = pytest.mark.parametrize("name", waiter_envs.GAMES)


@pytest.fixture(autouse=True)
def _no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Open windows on no screen, and do not wait between frames."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(rendering, "FRAMES_PER_SECOND", 10**6)


def fields(name: str) -> dict[str, Any]:
    """Return the quickest variant of a game."""
    return samples(name).small


def first_legal(mask: Any) -> int:
    """Return the first legal action."""
    return int(np.flatnonzero(mask)[0])


def pixels(svg: str) -> Any:
    """Return a drawing as an environment draws it."""
    return raster.rgb_array(svg)


# -- AEC ---------------------------------------------------------------------------------------


@every_game
def test_aec_draws_what_the_agent_to_act_sees(name: str) -> None:
    """A frame is the game's drawing for the player to act, with what that is told of last."""
    env = waiter_envs.make(name, "rgb_array", **fields(name))
    env.reset(seed=SEED)
    game, before = env.unwrapped.game, None
    for _ in range(6):
        table, player = env.unwrapped.table, env.possible_agents.index(env.agent_selection)
        last = game.told(*before, player, table) if before else None
        frame = env.render()
        assert (frame.shape, frame.dtype) == (SIZE, np.uint8)
        assert np.array_equal(frame, pixels(game.svg(table, player, last=last)))
        action = first_legal(env.last()[0]["action_mask"])
        before = (table, action)
        env.step(action)
    env.reset(seed=SEED)
    assert env.unwrapped._picture._before is None


@every_game
def test_aec_shows_a_window(name: str) -> None:
    """With `human`, `reset` and every step show a frame, until `close`."""
    env = waiter_envs.make(name, "human", **fields(name))
    picture = env.unwrapped._picture
    env.reset(seed=SEED)
    window = picture._window
    assert window._window.size == (960, 640)
    shown: list[Any] = []
    window.show = shown.append
    env.step(first_legal(env.last()[0]["action_mask"]))
    assert env.render() is None
    assert [frame.shape for frame in shown] == [SIZE, SIZE]
    del window.show
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert twin.unwrapped._picture._window is None
        twin.close()
    env.close()
    assert window._window is None


# -- Gymnasium, one table ----------------------------------------------------------------------


@every_game
def test_one_table(name: str) -> None:
    """A frame is the drawing for the learner, with the last opponent's move."""
    env = SingleAgentEnv(name, "rgb_array", seat=0, **fields(name))
    env.reset(seed=SEED)
    for _ in range(3):
        frame = env.render()
        noted = env._picture._before
        last = None if noted is None else env.game.told(*noted, 0, env.table)
        assert np.array_equal(frame, pixels(env.game.svg(env.table, 0, last=last)))
        _, _, terminated, truncated, _ = env.step(first_legal(env.action_masks()))
        if terminated or truncated:
            break
        assert env._picture._before is not None
    env.close()


@every_game
def test_gymnasiums_wrappers(name: str) -> None:
    """Frames are collected, and shown in a window, by Gymnasium's own wrappers."""
    made = f"{name}_env:{waiter_envs.load(name).gymnasium_id}"
    env = gymnasium.make(made, render_mode="rgb_array_list", **fields(name))
    env.reset(seed=SEED)
    env.step(first_legal(env.unwrapped.action_masks()))
    assert [frame.shape for frame in env.render()] == [SIZE, SIZE]
    plain = gymnasium.make(made, render_mode="rgb_array", **fields(name))
    assert isinstance(RenderCollection(plain), RenderCollection)
    plain.metadata["render_fps"] = 10**6
    window = HumanRendering(plain)
    window.reset(seed=SEED)
    window.step(first_legal(plain.unwrapped.action_masks()))
    window.close()
    env = gymnasium.make(made, render_mode="human", **fields(name))
    env.reset(seed=SEED)
    assert env.unwrapped._picture._window._window.size == (960, 640)
    env.close()


def test_films(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`RecordVideo` films games; what writes the file stands in here for moviepy."""
    films: list[tuple[str, list[Any], int]] = []

    class Clip:
        def __init__(self, frames: list[Any], fps: int) -> None:
            self.frames, self.fps = list(frames), fps

        def write_videofile(self, path: str, logger: Any = None) -> None:
            films.append((path, self.frames, self.fps))

    module = types.ModuleType("moviepy.video.io.ImageSequenceClip")
    module.ImageSequenceClip = Clip  # type: ignore[attr-defined]
    for part in ("moviepy", "moviepy.video", "moviepy.video.io"):
        monkeypatch.setitem(sys.modules, part, types.ModuleType(part))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    env = gymnasium.make("greasy_spoon_env:GreasySpoon-v0", render_mode="rgb_array")
    with pytest.warns(UserWarning, match="Overwriting existing videos"):
        filmed = RecordVideo(env, str(tmp_path), episode_trigger=lambda episode: True)
    filmed.reset(seed=SEED)
    steps, over = 0, False
    while not over:
        _, _, terminated, truncated, _ = filmed.step(first_legal(env.unwrapped.action_masks()))
        steps, over = steps + 1, terminated or truncated
    filmed.close()
    [(path, frames, fps)] = films
    assert path.endswith(".mp4")
    assert len(frames) == steps + 1
    assert all(frame.shape == SIZE for frame in frames)
    assert fps == env.metadata["render_fps"]


# -- Gymnasium, many tables --------------------------------------------------------------------


@every_game
def test_many_tables(name: str) -> None:
    """There is a frame of each table, of no more than the first few."""
    envs = SingleAgentVectorEnv(name, 12, "rgb_array", **fields(name))
    envs.reset(seed=SEED)
    frames = envs.render()
    assert frames is not None
    assert len(frames) == rendering.MOST_FRAMES == 9
    pairs = list(zip(envs.table, envs.seat.tolist(), strict=True))
    for table in (0, 8):
        assert np.array_equal(frames[table], pixels(envs.game.svg(*pairs[table])))
    assert np.array_equal(envs._render_tables([11])[0], pixels(envs.game.svg(*pairs[11])))
    with pytest.raises(ValueError, match="tables=12: must be an integer from 0 to 11"):
        envs._render_tables([12])
    silent = SingleAgentVectorEnv(name, 2, **fields(name))
    silent.reset(seed=SEED)
    with pytest.warns(UserWarning, match="render_mode is None"):
        assert silent._render_tables([0, 1]) == [None, None]


def test_many_tables_in_a_window() -> None:
    """The window shows the first few tables side by side; `close` closes it."""
    envs = SingleAgentVectorEnv("greasy_spoon", 3, "human")
    envs.reset(seed=SEED)
    window: Any = envs._picture._window
    assert window._window.size == (2 * 960, 2 * 640)
    shown: list[Any] = []
    window.show = shown.append
    envs.step(envs.action_masks().argmax(axis=1))
    assert envs.render() is None
    assert [frame.shape for frame in shown] == [(1280, 1920, 3)] * 2
    assert envs._render_tables([0]) == [None]
    del window.show
    envs.close()
    assert window._window is None


# -- Stable-Baselines3 -------------------------------------------------------------------------


def test_stable_baselines_tiles_tables() -> None:
    """Its `render` tiles what the tables show."""
    envs = SingleAgentVectorEnv("greasy_spoon", 2, "rgb_array", autoreset_mode="SameStep")
    batch = TablesVecEnv(envs)
    batch.reset()
    tiled = batch.render()
    assert tiled is not None
    assert tiled.size == 2 * np.prod(SIZE)
    assert np.array_equal(batch.env_method("render", indices=[1])[0], envs.render()[1])
    human = TablesVecEnv(
        SingleAgentVectorEnv("greasy_spoon", 2, "human", autoreset_mode="SameStep")
    )
    human.reset()
    assert human.render() is None
    assert human.envs._picture._window is not None
    human.close()
    assert human.envs._picture._window is None


@pytest.mark.parametrize("installed", [True, False])
def test_make_vec_env_works_without_a_renderer(
    installed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It asks for `rgb_array` by itself; where there is none, it goes without."""
    monkeypatch.setattr(raster, "is_installed", lambda: installed)
    envs = make_vec_env("greasy_spoon_env:GreasySpoon-v0", n_envs=2)
    envs.reset()
    assert envs.get_attr("render_mode") == ["rgb_array" if installed else None] * 2
    if installed:
        tiled = envs.render()
        assert tiled is not None
        assert tiled.size == 2 * np.prod(SIZE)


@every_game
@pytest.mark.parametrize("mode", rendering.PIXEL_MODES)
def test_a_missing_extra_is_named(name: str, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra `render` a mode is refused, and the error says what to install."""
    monkeypatch.setattr(raster, "is_installed", lambda: False)
    for make in (
        lambda: waiter_envs.make(name, mode),
        lambda: SingleAgentEnv(name, mode),
        lambda: SingleAgentVectorEnv(name, 2, mode),
    ):
        with pytest.raises(ValueError, match=r'pip install "waiter-envs\[render\]"'):
            make()
        with pytest.raises(TypeError, match=f"render_mode='{mode}'"):
            make()
    assert waiter_envs.make(name, "ansi", **fields(name)).render_mode == "ansi"


# -- Notebooks ---------------------------------------------------------------------------------


@every_game
def test_notebooks(name: str) -> None:
    """A notebook shows a table as the player to act, or the learner, sees it."""
    env = waiter_envs.make(name, **fields(name))
    assert env._repr_svg_() is None
    env.reset(seed=SEED)
    game, player = env.unwrapped.game, env.possible_agents.index(env.agent_selection)
    assert env._repr_svg_() == game.svg(env.unwrapped.table, player)
    one = SingleAgentEnv(name, seat=1, **fields(name))
    assert one._repr_svg_() is None
    one.reset(seed=SEED)
    assert one._repr_svg_() == game.svg(one.table, 1)
    many = SingleAgentVectorEnv(name, 12, **fields(name))
    assert many._repr_html_() is None
    many.reset(seed=SEED)
    shown = str(many._repr_html_())
    assert shown.count("<svg") == rendering.MOST_FRAMES
    assert shown.count("@font-face") == 2
    assert not re.search("<script|http://(?!www.w3.org)|https://", shown)
