"""What is published is whole, works where nothing else is installed, and imports little."""

from __future__ import annotations

import ast
import email
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from email.message import Message
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import waiter_envs

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = "numpy, numba, gymnasium, pettingzoo"
"""What the library cannot do without."""
PINS_GYMNASIUM = "rllib"
"""The extra that is resolved, tested and installed apart from the others; see `constraints.txt`."""
NEEDS_EXTRA = {
    "import waiter_envs.interfaces.sb3": "sb3",
    "import waiter_envs.interfaces.rllib": "rllib",
    "import greasy_spoon_env; greasy_spoon_env.env('rgb_array')": "render",
    "import waiter_envs.web.play": "play",
    "examples/best_response.py": "train",
    "examples/cleanrl_ppo_recurrent.py": "train",
    "examples/cleanrl_ppo_selfplay.py": "train",
    "examples/clone_heuristic.py": "train",
    "examples/plot_learning.py": "train",
    "examples/sb3_maskable_ppo.py": "sb3",
    "examples/rllib_ppo_selfplay.py": "rllib",
}
"""Code that does not run without an extra."""


def run(*command: Any, cwd: Path, check: bool = True, **environment: str) -> Any:
    """Run a command that finds nothing of the checkout by itself, and return what it printed."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**kept, **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 or not check, done.stdout + done.stderr
    return done


class Published(NamedTuple):
    """What is built of a copy of the checkout, and that copy."""

    source: Path
    wheel: Path
    sdist: Path

    def metadata(self) -> Message:
        """Return the wheel's METADATA."""
        with zipfile.ZipFile(self.wheel) as wheel:
            (name,) = (n for n in wheel.namelist() if n.endswith(".dist-info/METADATA"))
            return email.message_from_string(wheel.read(name).decode())

    def extras(self) -> dict[str, list[Requirement]]:
        """Return what each extra asks for."""
        metadata = self.metadata()
        needed = [Requirement(text) for text in metadata.get_all("Requires-Dist", [])]
        return {
            extra: [r for r in needed if r.marker and r.marker.evaluate({"extra": extra})]
            for extra in metadata.get_all("Provides-Extra", [])
        }


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Published:
    """Build the sdist, and the wheel out of it, in a copy of what is under version control."""
    folder = tmp_path_factory.mktemp("published")
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / "source" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / "source" / name)
    run(sys.executable, "-m", "build", "--outdir", folder / "dist", folder / "source", cwd=folder)
    (wheel,) = (folder / "dist").glob("*.whl")
    (sdist,) = (folder / "dist").glob("*.tar.gz")
    return Published(folder / "source", wheel, sdist)


class Fresh(NamedTuple):
    """A virtual environment that holds the wheel and no extra, and an empty folder to work in."""

    python: Path
    folder: Path

    def __call__(self, *arguments: Any, check: bool = True) -> Any:
        """Run its Python."""
        cache = str(self.folder / "compiled")
        return run(self.python, *arguments, cwd=self.folder, check=check, NUMBA_CACHE_DIR=cache)


@pytest.fixture(scope="module")
def fresh(published: Published, tmp_path_factory: pytest.TempPathFactory) -> Fresh:
    """Install the wheel in a new virtual environment."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder / "venv", symlinks=os.name != "nt")
    python = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = (sys.executable, "-m", "pip", "--python", python)
    run(*pip, "install", "-q", "-c", ROOT / "constraints.txt", published.wheel, cwd=folder)
    return Fresh(python, folder)


# -- Contents ----------------------------------------------------------------------------------


def test_wheel_and_sdist_are_whole(published: Published) -> None:
    """All files of every package, and no others; the licence; the sdist can be built again."""
    source = published.source
    packages = [p.parent for p in source.glob("*/__init__.py") if p.parent.name != "tests"]
    assert {p.name for p in packages} == {"waiter_envs", *(f"{n}_env" for n in waiter_envs.GAMES)}
    files = {
        path.relative_to(source).as_posix()
        for package in packages
        for path in package.rglob("*")
        if path.is_file()
    }
    assert {f"{package.name}/py.typed" for package in packages} < files
    assert any(re.fullmatch(r"\w+/data/\w+\.csv", name) for name in files)

    with zipfile.ZipFile(published.wheel) as wheel:
        names = wheel.namelist()
        about = {name for name in names if name.split("/")[0].endswith(".dist-info")}
        assert set(names) - about == files
        (licence,) = (name for name in about if name.endswith("/LICENSE"))
        assert wheel.read(licence) == (ROOT / "LICENSE").read_bytes()
    with tarfile.open(published.sdist) as sdist:
        names = [m.name.partition("/")[2] for m in sdist.getmembers() if m.isfile()]
    assert files | {"pyproject.toml", "README.md", "LICENSE"} <= set(names)
    assert not any(name.startswith(("tests/", "runs/")) for name in names)

    metadata = published.metadata()
    assert metadata["Name"] == "waiter-envs"
    assert metadata["Version"] == waiter_envs.__version__
    assert metadata["License-Expression"] == "MIT"
    assert metadata.get_payload() == (ROOT / "README.md").read_text()


# -- Extras ------------------------------------------------------------------------------------


def resolve(published: Published, extras: list[str], constraints: str, folder: Path) -> Any:
    """Return the versions by name that an installation of the wheel with extras would choose."""
    (folder / "constraints.txt").write_text(constraints)
    run(
        *(sys.executable, "-m", "pip", "install", "-q", "--dry-run", "--ignore-installed"),
        *("--report", folder / "report.json", "-c", folder / "constraints.txt"),
        f"{published.wheel}[{','.join(extras)}]",
        cwd=folder,
    )
    report = json.loads((folder / "report.json").read_text())
    found = [entry["metadata"] for entry in report["install"]]
    return {canonicalize_name(each["name"]): each["version"] for each in found}


@pytest.mark.long
def test_every_extra_resolves(published: Published, tmp_path: Path) -> None:
    """In two goes: all together, which fit each other, and Ray, which pins another Gymnasium."""
    extras = published.extras()
    constraints = (ROOT / "constraints.txt").read_text()
    apart = re.sub(r"^gymnasium==.*\n", "", constraints, flags=re.MULTILINE)
    assert apart != constraints
    together = [extra for extra in extras if extra != PINS_GYMNASIUM]
    for group, pins in ((together, constraints), ([PINS_GYMNASIUM], apart)):
        chosen = resolve(published, group, pins, tmp_path)
        for extra in group:
            assert extras[extra], f"the extra {extra} asks for nothing"
            for needed in extras[extra]:
                version = chosen[canonicalize_name(needed.name)]
                assert needed.specifier.contains(version, prereleases=True), (extra, version)


def imported_by(code: str) -> set[str]:
    """Return the names of the top-level packages that some code imports."""
    nodes = list(ast.walk(ast.parse(code)))
    names = [alias.name for n in nodes if isinstance(n, ast.Import) for alias in n.names]
    names += [n.module for n in nodes if isinstance(n, ast.ImportFrom) and n.module]
    return {name.partition(".")[0] for name in names}


def test_an_extra_names_all_that_its_code_imports(published: Published) -> None:
    """So that installing the extra is enough for the example that asks for it."""
    extras = published.extras()
    allowed = {"waiter_envs", *LIBRARIES.split(", "), *sys.stdlib_module_names}
    for code, extra in NEEDS_EXTRA.items():
        if code.startswith("examples/"):
            imported = imported_by((ROOT / code).read_text())
            named = {needed.name.replace("-", "_") for needed in extras[extra]}
            assert imported - allowed - named == set(), f"{code} and the extra {extra}"


# -- Without any extra -------------------------------------------------------------------------


def test_quick_start_runs_where_nothing_else_is_installed(fresh: Fresh) -> None:
    """The example and the README's first block, far from the checkout."""
    shutil.copy(ROOT / "examples" / "quickstart.py", fresh.folder)
    assert re.search(r"1,000,000 decisions .* won", fresh("quickstart.py").stdout)
    block = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.DOTALL)
    assert block is not None
    said = fresh("-c", block[1] + "\nimport waiter_envs; print(waiter_envs.__file__)").stdout
    assert Path(said.splitlines()[-1]).is_relative_to(fresh.folder)
    listed = fresh("-m", "waiter_envs", "games").stdout.splitlines()
    assert [line.split()[0] for line in listed] == list(waiter_envs.GAMES)


@pytest.mark.parametrize("code", [*NEEDS_EXTRA])
def test_a_missing_extra_is_named(fresh: Fresh, code: str) -> None:
    """In the last line of the error, so that it can be copied from there."""
    done = fresh(*([ROOT / code] if code.startswith("examples/") else ["-c", code]), check=False)
    assert done.returncode != 0
    wanted = f'pip install "waiter-envs[{NEEDS_EXTRA[code]}]"'
    assert wanted in done.stderr.strip().splitlines()[-1]


def test_a_text_agent_plays_where_nothing_else_is_installed(fresh: Fresh) -> None:
    """The example, far from the checkout."""
    assert fresh(ROOT / "examples" / "text_agent.py").stdout.strip()


def test_every_example_is_tried_without_extras() -> None:
    """All of them are in the table of those that need one, but for those that need none."""
    examples = {f"examples/{path.name}" for path in (ROOT / "examples").glob("*.py")}
    assert examples - {"examples/quickstart.py", "examples/text_agent.py"} == {
        code for code in NEEDS_EXTRA if code.startswith("examples/")
    }


# -- Without files -----------------------------------------------------------------------------


FIRST_STEPS = """
import hashlib, sys
import waiter_envs
seen = hashlib.sha256()
for name in waiter_envs.GAMES:
    game = waiter_envs.load(name)
    assert all(module.__file__.startswith(sys.argv[1]) for module in game.modules)
    env = waiter_envs.make(name, render_mode="ansi")
    env.reset(seed=1)
    for agent in env.agent_iter(20):
        observation, _, termination, truncation, _ = env.last()
        seen.update(observation["observation"])
        over = termination or truncation
        env.step(None if over else int(observation["action_mask"].argmax()))
        seen.update(env.render().encode())
print(waiter_envs.__version__, seen.hexdigest())
"""

PLAYED = """
import sys
import waiter_envs
from starlette.testclient import TestClient
from waiter_envs.web import assets
from waiter_envs.web.server import Room, make_app
from waiter_envs.web.sitting import Sitting
assert waiter_envs.__file__.startswith(sys.argv[1])
room = Room(Sitting(waiter_envs.load(sys.argv[2]), None, ["me", "random"], 1))
client = TestClient(make_app(room, ["testserver"]))
for path in ("", "state", "rules", "frames/1"):
    answer = client.get(room.path(0) + path)
    assert answer.status_code == 200, (path, answer.text)
print(len(answer.json()["svg"]), *sorted(assets.static()))
"""

COMPILED_STEPS = """
import waiter_envs
from waiter_envs.core import kernels
game = waiter_envs.load("greasy_spoon")
tables = waiter_envs.Tables(game, game.config(), 2, seed=1)
tables.step(tables.action_mask.argmax(axis=1))
print(sum(game.kernel(kernels.advance, tables.state.dtype).stats.cache_hits.values()))
"""


@pytest.fixture(scope="module")
def bytecode(published: Published, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of the library without its sources and without what pip knows of it."""
    folder = tmp_path_factory.mktemp("bytecode")
    with zipfile.ZipFile(published.wheel) as wheel:
        wheel.extractall(folder, [n for n in wheel.namelist() if ".dist-info/" not in n])
    run(sys.executable, "-m", "compileall", "-b", "-q", folder, cwd=folder)
    for source in folder.rglob("*.py"):
        source.unlink()
    return folder


def test_games_run_from_an_archive_and_from_bytecode(
    published: Published, bytecode: Path, tmp_path: Path
) -> None:
    """All as from the checkout; what they read comes through their loaders."""
    places = (ROOT, published.wheel, bytecode)
    of_checkout, of_wheel, of_bytecode = (
        run(
            *(sys.executable, "-c", FIRST_STEPS, place),
            cwd=tmp_path,
            PYTHONPATH=str(place),
            NUMBA_DISABLE_JIT="1",
        ).stdout.split()
        for place in places
    )
    assert of_checkout[1] == of_wheel[1] == of_bytecode[1]
    assert of_wheel[0] == waiter_envs.__version__


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_the_page_is_served_from_an_archive(
    published: Published, tmp_path: Path, name: str
) -> None:
    """All files that it asks for, rules and drawings, as from the checkout."""
    of_checkout, of_wheel = (
        run(
            *(sys.executable, "-c", PLAYED, place, name),
            cwd=tmp_path,
            PYTHONPATH=str(place),
            NUMBA_DISABLE_JIT="1",
        ).stdout
        for place in (ROOT, published.wheel)
    )
    assert of_checkout == of_wheel
    assert int(of_wheel.split()[0]) > 5000


def test_what_an_archive_of_bytecode_compiles_is_kept(bytecode: Path, tmp_path: Path) -> None:
    """Nothing of the library is a file of its own, but the compile cache is hit."""
    archive = shutil.make_archive(str(tmp_path / "library"), "zip", bytecode)
    settings = {
        "PYTHONPATH": archive,
        "NUMBA_CACHE_DIR": str(tmp_path / "compiled"),
        "NUMBA_DISABLE_JIT": "0",
        "PYTHONWARNINGS": "error::RuntimeWarning",
    }
    for hits in ("0", "1"):
        done = run(sys.executable, "-c", COMPILED_STEPS, cwd=tmp_path, **settings)
        assert done.stdout.strip() == hits


# -- Imports -----------------------------------------------------------------------------------


def import_seconds(fresh: Fresh, statements: list[str]) -> list[float]:
    """Return the seconds of CPU that each takes in a process of its own, the best of three."""
    code = "import time; begin = time.process_time(); {}; print(time.process_time() - begin)"
    rounds = [[float(fresh("-c", code.format(s)).stdout) for s in statements] for _ in range(3)]
    return [min(times) for times in zip(*rounds, strict=True)]


def test_imports_take_little_longer_than_those_of_the_libraries(fresh: Fresh) -> None:
    """Measured in turn: nothing to speak of for the registry, half as much again for a game."""
    games = [f"import {name}_env" for name in waiter_envs.GAMES]
    libraries, registry, *each = import_seconds(
        fresh, [f"import {LIBRARIES}", "import waiter_envs", *games]
    )
    assert registry < 0.2 * libraries
    assert max(each) < 1.5 * libraries, dict(zip(games, each, strict=True))


COMMAND = "from waiter_envs.cli import main; main(['games'])"


@pytest.mark.parametrize(
    "code", ["import waiter_envs", *(f"import {n}_env" for n in waiter_envs.GAMES), COMMAND]
)
def test_no_extra_is_imported_before_it_is_needed(code: str, tmp_path: Path) -> None:
    """Here, where extras are installed: nothing but the libraries and what these import."""

    def loaded(code: str) -> set[str]:
        listing = "import sys; print(*{name.partition('.')[0] for name in sys.modules})"
        printed = run(sys.executable, "-c", f"{code}\n{listing}", cwd=tmp_path).stdout
        return set(printed.splitlines()[-1].split())

    ours = {"waiter_envs", *(f"{name}_env" for name in waiter_envs.GAMES)}
    more = loaded(code) - loaded(f"import {LIBRARIES}") - ours - sys.stdlib_module_names
    assert more == set()
