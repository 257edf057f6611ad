"""Builds the documentation site: `python docs/build.py`, offline, into `docs/_build/html`.

The pages are the repository's own Markdown files, copied beside each other as they lie there, so
that every link of theirs holds. Made here, for the site alone: the start page, a recorded game of
each game where its page has a still, the API reference from docstrings, and a page for each source
file that a page links to. A warning is an error; so is a link that leads nowhere.
"""

from __future__ import annotations

import ast
import html.parser
import os
import re
import shutil
import subprocess
import sys
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "docs" / "_build"
SOURCE, SITE = BUILD / "source", BUILD / "html"

GAMES = {
    "hey_waiter": {"preset": "2_players"},
    "greasy_spoon": {},
    "garcon": {"players": 3},
    "dessert": {"players": 3},
}
"""The variant that is played on the page of each game."""

SHOWN = (".md", ".png", ".svg")
"""What is shown as it is; of all other files a page has their text."""

GUIDES = ("training", "searching", "language_models", "playing", "replaying", "records")
RESULTS = ("ladder", "waiterbench", "learning", "speed")
GROUPS = {
    "Agents": ("agents.policies", "agents.search_options", "agents.text_agent"),
    "Interfaces": (
        "interfaces.gymnasium_env",
        "interfaces.gymnasium_vector",
        "interfaces.text",
        "interfaces.sb3",
    ),
    "Matches, records, replays": (
        *("arena.match", "arena.playthrough", "arena.throughput", "records", "web.replay"),
    ),
    "Ladders and the benchmark": ("arena.ladder", "arena.benchmark", "arena.benchmark_protocol"),
    "RLlib": tuple(f"interfaces.rllib.{name}" for name in ("module", "runner", "envs", "league")),
    "Core": ("core.blocks", "core.views", "core.replies", "core.prompts", "core.rules_page"),
}
GROUPS["Variants"] = tuple(f"{name}_env.config" for name in GAMES)
"""Modules whose public functions and classes are listed beside the public names."""


def main() -> None:
    """Build the site anew and check it."""
    shutil.rmtree(BUILD, ignore_errors=True)
    SOURCE.mkdir(parents=True)
    for page in pages():
        write(page, adapted(ROOT / page))
    write(Path("index.md"), start_page())
    write(Path("api.md"), reference())
    shutil.copytree(ROOT / "docs" / "images", SOURCE / "docs" / "images", dirs_exist_ok=True)
    for picture in ROOT.glob("docs/*.png"):
        shutil.copy(picture, SOURCE / "docs")
    for name, fields in GAMES.items():
        write_replay(name, fields)
    sphinx = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-c", str(ROOT / "docs")]
    subprocess.run([*sphinx, "-b", "html", str(SOURCE), str(SITE)], check=True)
    dead = sorted(dead_links())
    if dead:
        sys.exit("links that lead nowhere:\n" + "\n".join(dead))
    print(f"{SITE / 'index.html'}: {sum(1 for _ in SITE.rglob('*.html'))} pages")


def pages() -> list[Path]:
    """Return the Markdown pages of the repository."""
    found = [
        *ROOT.glob("docs/*.md"),
        *(ROOT / f"{name}.md" for name in ("CHANGELOG", "CONTRIBUTING")),
    ]
    return [path.relative_to(ROOT) for path in (*found, ROOT / "README.md")]


def write(page: Path, text: str) -> None:
    """Write a page of the site's source."""
    (SOURCE / page).parent.mkdir(parents=True, exist_ok=True)
    (SOURCE / page).write_text(text, encoding="utf-8")


def adapted(path: Path) -> str:
    """Return a page with what the site has instead: a replay for a still, pages of sources."""
    text = path.read_text(encoding="utf-8")
    text = text.replace("```mermaid", "```text").replace("```py\n", "```python\n")
    if path.stem in GAMES:
        title, _, rest = text.partition("\n")
        text = f"{title}\n\n{frame(path.stem, '../')}\n{rest}"

    def target(link: re.Match[str]) -> str:
        there = (path.parent / link[1]).resolve()
        if there.suffix in SHOWN or not there.exists():
            return link[0]
        return f"]({link[1]}{'/index.md' if there.is_dir() else '.md'}"

    for link in re.finditer(r"\]\(([^)#:]+)", text):
        there = (path.parent / link[1]).resolve()
        if there.exists() and there.suffix not in SHOWN:
            write_sources(there)
    return re.sub(r"\]\(([^)#:]+)", target, text)


def write_sources(path: Path) -> None:
    """Write the page of a source file, or of all in a folder and a list of them."""
    name = path.relative_to(ROOT)
    if path.is_dir():
        inside = sorted((*path.glob("*.py"), *path.glob("*/__init__.py")))
        files = [file.parent if file.parent != path else file for file in inside]
        for file in files:
            write_sources(file)
        ends = [(f, f"{f.name}/index.md" if f.is_dir() else f"{f.name}.md") for f in files]
        listed = "".join(f"* [{file.name}]({end})\n" for file, end in ends)
        write(name / "index.md", f"---\norphan: true\n---\n# {name}\n\n{listed}")
        return
    kinds = {".py": "python", ".toml": "toml", ".yaml": "yaml", ".yml": "yaml"}
    kind = kinds.get(path.suffix, "text")
    code = path.read_text(encoding="utf-8")
    write(
        name.parent / f"{name.name}.md",
        f"---\norphan: true\n---\n# {name}\n\n````{kind}\n{code}\n````\n",
    )


# -- Made for the site -------------------------------------------------------------------------


def frame(name: str, up: str) -> str:
    """Return what embeds the replay of a game."""
    return (
        f'<iframe class="replay" src="{up}replays/{name}.html" loading="lazy" '
        f'title="A recorded game, to be played back"></iframe>\n\n'
        f'<p class="replay"><a href="{up}replays/{name}.html">In a window of its own</a></p>\n'
    )


def start_page() -> str:
    """Return the start page: what the README begins with, a game of each, the contents."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    beginning = readme.split("\n![")[0]
    title = {name: page_title(name) for name in GAMES}
    links = "".join(f"* [{title[name]}](docs/{name}.md)\n" for name in GAMES)
    trees = {
        "Games": [f"docs/{name}" for name in GAMES],
        "Guides": ["README", *(f"docs/{name}" for name in GUIDES), "docs/adding_a_game"],
        "Results": [f"docs/{name}" for name in RESULTS],
        "Reference": ["api", "CHANGELOG", "CONTRIBUTING"],
    }
    entries = {"README": "Overview and quick start <README>"}
    toc = "".join(
        f"```{{toctree}}\n:hidden:\n:caption: {caption}\n\n"
        + "".join(f"{entries.get(entry, entry)}\n" for entry in names)
        + "```\n\n"
        for caption, names in trees.items()
    )
    begin = "Begin with the [overview and quick start](README.md), or with a game:"
    games = "".join(f"## {title[name]}\n\n{frame(name, '')}\n" for name in GAMES)
    return f"{beginning}\n\n{begin}\n\n{links}\n{games}\n{toc}"


def page_title(name: str) -> str:
    """Return the heading of a game's page."""
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8").splitlines()[0].lstrip("# ")


def reference() -> str:
    """Return the API reference: the public names, then modules."""
    stub = ast.parse((ROOT / "waiter_envs" / "__init__.pyi").read_text(encoding="utf-8"))
    named = [
        (node.module, name.name)
        for node in stub.body
        if isinstance(node, ast.ImportFrom) and node.module != "waiter_envs"
        for name in node.names
    ]
    lines = [
        "# API reference",
        "",
        "## Public names",
        "",
        "All of these are in `waiter_envs`.",
        "",
    ]
    for module, name in named:
        kind = "class" if name[0].isupper() and not name.isupper() else "function"
        kind = "data" if name.isupper() else kind
        members = ["   :members:"] if kind == "class" else []
        lines += [
            "```{eval-rst}",
            f".. auto{kind}:: {module if name.isupper() else 'waiter_envs'}.{name}",
            *members,
            "```",
            "",
        ]
    for title, modules in GROUPS.items():
        lines += [f"## {title}", ""]
        for module in modules:
            full = module if "_env." in module else f"waiter_envs.{module}"
            known = ", ".join(name for home, name in named if home == full)
            lines += [
                f"### `{full}`",
                "",
                "```{eval-rst}",
                f".. automodule:: {full}",
                "   :members:",
            ]
            lines += [f"   :exclude-members: {known}"] if known else []
            lines += ["```", ""]
    return "\n".join(lines)


def write_replay(name: str, fields: dict[str, object]) -> None:
    """Record a game between rule-based agents and write it as one page."""
    sys.path.insert(0, str(ROOT))
    import waiter_envs
    from waiter_envs import records
    from waiter_envs.arena.match import play_match
    from waiter_envs.web.replay import Replay

    game = waiter_envs.load(name)
    kept = BUILD / f"{name}.jsonl"
    play_match(game, game.config(**fields), ["heuristic"], games=1, seed=1, record=kept)
    folder = BUILD / "extra" / "replays"
    folder.mkdir(parents=True, exist_ok=True)
    Replay(next(iter(records.read(kept)))).save(folder / f"{name}.html")


# -- Links -------------------------------------------------------------------------------------


class _Links(html.parser.HTMLParser):
    """Collects what a page links to and what can be linked to in it."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.pictures: set[str] = set()
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the links and the ids of a tag."""
        for key, value in attrs:
            if key == "id" and value:
                self.ids.add(value)
            if tag == "img" and key == "src" and value:
                self.pictures.add(value)
            if key in ("href", "src") and value:
                self.targets.append(value)


def dead_links() -> Iterator[str]:
    """Yield the inner links of the built site that lead to no file, or to no place in one."""
    read: dict[Path, _Links] = {}
    for page in SITE.rglob("*.html"):
        read[page] = links = _Links()
        if "replays" not in page.parts and "_static" not in page.parts:
            links.feed(page.read_text(encoding="utf-8"))
    for page, links in read.items():
        for link in links.targets:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                continue
            path = urllib.parse.unquote(url.path)
            there = Path(os.path.normpath(page.parent / path)) if path else page
            there = there / "index.html" if there.is_dir() else there
            anchor = urllib.parse.unquote(url.fragment)
            known = read[there].ids if there in read else set()
            pictured = link in links.pictures and there.suffix == ".md"
            if (
                pictured
                or not there.exists()
                or (anchor and there in read and known and anchor not in known)
            ):
                yield f"{page.relative_to(SITE)}: {link}"


if __name__ == "__main__":
    main()
