"""The command line: `python -m waiter_envs games | describe | play | match | ladder | ...`."""

from __future__ import annotations

import argparse
import ast
import dataclasses
import functools
import io
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from waiter_envs import GAMES, __version__, load, records
from waiter_envs.agents.make import agent_names
from waiter_envs.agents.search_options import describe_options
from waiter_envs.arena import replay, throughput
from waiter_envs.arena.benchmark import PARTS, read_result, run_benchmark, table
from waiter_envs.arena.benchmark_protocol import NAME
from waiter_envs.arena.ladder import play_ladder
from waiter_envs.arena.ladder_picture import ladder_picture
from waiter_envs.arena.ladder_text import ladder_text
from waiter_envs.arena.lineups import num_seatings
from waiter_envs.arena.match import play_match
from waiter_envs.arena.warm import warm
from waiter_envs.core.checks import check_int
from waiter_envs.core.game import Game


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return its exit status (2 for bad input, which is told in one line)."""
    _print_anything()
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        options.command(options)
    except BrokenPipeError:  # the reader of a pipe has seen enough
        sys.stderr.close()
    except (ValueError, TypeError, OSError, ImportError) as error:
        print(f"{parser.prog}: error: {error}", file=sys.stderr)
        return 2
    return 0


def _print_anything() -> None:
    """Let a console that lacks a letter, such as ç, show another in its place."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


_JSON_HELP = "write the result there; - for the last lines of stdout"


def _json_file(file: str) -> str:
    """Return a file's name, if its folder is there: before anything takes long."""
    if file != "-" and not (file and Path(file).resolve().parent.is_dir()):
        raise argparse.ArgumentTypeError(f"{file!r}: must be a file in a folder that exists, or -")
    return file


def _svg_file(file: str) -> str:
    """Return the name of a file that a drawing can be written to."""
    if not file.endswith(".svg"):
        raise argparse.ArgumentTypeError(f"{file!r}: must end in .svg")
    if not Path(file).resolve().parent.is_dir():
        raise argparse.ArgumentTypeError(f"{file!r}: must be a file in a folder that exists")
    return file


def _positive(text: str) -> float:
    number = float(text)
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text}: must be a positive number")
    return number


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m waiter_envs", description="Restaurant card games as environments."
    )
    parser.add_argument("--version", action="version", version=f"waiter-envs {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    games = commands.add_parser("games", help="list the games")
    games.set_defaults(command=_games)

    describe = commands.add_parser("describe", help="sizes, actions, observation, variants")
    _add_variant(describe)
    describe.set_defaults(command=_describe)

    _add_play(commands.add_parser("play", help="play in a browser, against agents or people"))

    match = commands.add_parser("match", help="let agents play against each other")
    _add_variant(match)
    match.add_argument("--agents", nargs="+", required=True, metavar="NAME", help="one a side")
    match.add_argument(
        "--games",
        type=int,
        default=1000,
        help="how many (default 1000), rounded up to a multiple of the sides",
    )
    match.add_argument("--seed", type=int, default=0)
    match.add_argument(
        "--record", metavar="FILE", help="append the games to it, .jsonl or .jsonl.gz"
    )
    match.add_argument(
        "--no-thoughts",
        action="store_true",
        help="record what was played only, not the probabilities and values of agents",
    )
    match.add_argument("--json", metavar="FILE", type=_json_file, help=_JSON_HELP)
    match.set_defaults(command=_match)

    _add_ladder(commands.add_parser("ladder", help="rate agents on duplicate deals"))

    _add_benchmark(commands.add_parser("benchmark", help=f"measure an agent by {NAME}"))

    again = commands.add_parser("replay", help="list recorded games, print one, or show it")
    again.add_argument("file", help="of records, .jsonl or .jsonl.gz")
    again.add_argument("--game", type=int, metavar="K", help="print the game of this number")
    again.add_argument(
        "--seat", type=int, metavar="P", help="as this player sees it; with --game or --html"
    )
    again.add_argument(
        "--html", metavar="FILE", help="write one game (--game; default: the first) as a page"
    )
    again.add_argument(
        "--analyse", nargs="+", metavar="NAME", help="agents that judge each decision; with --html"
    )
    again.set_defaults(command=_replay)

    bench = commands.add_parser("bench", help="measure throughput on this machine")
    bench.add_argument("game", help="name of the game")
    bench.add_argument("--presets", nargs="+", metavar="NAME", help="variants")
    _add_fields(bench)
    bench.add_argument("--agents", nargs="+", metavar="NAME", help="who plays; default: all")
    bench.add_argument("--batches", nargs="+", type=int, default=[4096], metavar="N")
    bench.add_argument("--threads", nargs="+", type=int, metavar="N", help="default: 1 and all")
    bench.add_argument("--seconds", type=_positive, default=1.0, help="for each line (default 1)")
    bench.add_argument("--json", metavar="FILE", type=_json_file, help=_JSON_HELP)
    bench.set_defaults(command=_bench)

    warm = commands.add_parser(
        "warm", help="compile a variant and keep the result, as while an image is built"
    )
    warm.add_argument("games", nargs="*", metavar="GAME", help="names of games; default: all")
    warm.add_argument("--preset", metavar="NAME", help="a ready variant of each of them")
    _add_fields(warm)
    warm.set_defaults(command=_warm)
    return parser


def _add_play(play: argparse.ArgumentParser) -> None:
    _add_variant(play)
    play.add_argument(
        "--seats",
        nargs="+",
        default=["me"],
        metavar="NAME",
        help="who plays, in the order of players: 'me', as often as there are people, names of "
        "agents, paths of saved policies, text:module:function; the last agent also takes the "
        "places left over",
    )
    play.add_argument("--seed", type=int, help="of the first deal; default: drawn")
    play.add_argument("--hints", metavar="NAME", help="the agent that gives hints")
    play.add_argument("--record", metavar="FILE", help="append the games to it, .jsonl")
    play.add_argument(
        "--host",
        default="127.0.0.1",
        help="address to listen at; default: this machine only; 0.0.0.0: for others, too",
    )
    play.add_argument("--port", type=int, default=0, help="default: one that is free")
    play.add_argument("--no-browser", action="store_true", help="print addresses, open no page")
    play.set_defaults(command=_play)


def _add_ladder(ladder: argparse.ArgumentParser) -> None:
    _add_variant(ladder)
    ladder.add_argument(
        "--agents",
        nargs="+",
        required=True,
        metavar="NAME",
        help="at least two: names, search with options, paths of saved policies",
    )
    ladder.add_argument(
        "--deals",
        type=int,
        default=200,
        help="how many (default 200); each is played in all seatings, so there are more games",
    )
    ladder.add_argument("--seed", type=int, default=0)
    ladder.add_argument(
        "--out",
        metavar="FILE",
        help="append the results to it, JSON lines; what it holds is not played again",
    )
    ladder.add_argument("--threads", type=int, metavar="N", help="default: one for each core")
    ladder.add_argument(
        "--independent", action="store_true", help="give each game a deal of its own"
    )
    ladder.add_argument("--picture", metavar="FILE", type=_svg_file, help="draw it, .svg")
    ladder.add_argument("--json", metavar="FILE", type=_json_file, help=_JSON_HELP)
    ladder.set_defaults(command=_ladder)


def _add_benchmark(bench: argparse.ArgumentParser) -> None:
    bench.add_argument(
        "--agent",
        required=True,
        metavar="NAME",
        help="a name, the path of a saved policy, or a folder with one folder for each variant",
    )
    bench.add_argument(
        "--partners", nargs="+", default=[], metavar="NAME", help="agents trained apart from it"
    )
    bench.add_argument(
        "--exploiters",
        nargs="+",
        default=[],
        metavar="PATH",
        help="policies trained against it (examples/best_response.py)",
    )
    bench.add_argument(
        "--parts", nargs="+", default=PARTS, choices=PARTS, metavar="PART", help=", ".join(PARTS)
    )
    bench.add_argument(
        "--beside", nargs="+", default=[], metavar="FILE", help="results (--json) to show beside it"
    )
    bench.add_argument("--threads", type=int, metavar="N", help="default: one for each core")
    bench.add_argument("--json", metavar="FILE", type=_json_file, help=_JSON_HELP)
    bench.set_defaults(command=_benchmark)


def _add_variant(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", help="name of the game")
    parser.add_argument("--preset", metavar="NAME", help="a ready variant")
    _add_fields(parser)


def _add_fields(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set",
        nargs="+",
        default=[],
        metavar="FIELD=VALUE",
        help="fields of the variant, e.g. dishes=8 seats=0,1,2",
    )


def _variant(options: argparse.Namespace) -> tuple[Game, Any]:
    game = load(options.game)
    return game, game.config(preset=options.preset, **parse_fields(options.set))


def parse_fields(texts: Sequence[str]) -> dict[str, Any]:
    """Return fields of a variant from texts like `FIELD=VALUE`.

    Raises:
        ValueError: if one does not look like that.
    """
    return dict(_field(text) for text in texts)


def _field(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"--set {text}: must look like FIELD=VALUE")
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value


def _games(options: argparse.Namespace) -> None:
    del options
    for name in GAMES:
        game = load(name)
        print(f"{name:<16} v{game.version}  {game.title}  ({len(game.presets)} presets)")


def _describe(options: argparse.Namespace) -> None:
    game, config = _variant(options)
    print(f"{game.title} ({game.name}_v{game.version})")
    print(f"\nvariant: {config}")
    print(
        f"players: {config.num_players}, actions: {game.num_actions(config)}, "
        f"features: {game.num_features(config)} (+ {game.num_hidden(config)} with perfect "
        f"information), bytes a table: {game.table_dtype(config).itemsize}"
    )
    print(f"agents: {', '.join(agent_names(game))}")
    if game.resample is not None or game.resample_remembering is not None:
        print("\nsearch, an agent with options (--agents search:ms=50,anchor=2)")
        options_of_search = describe_options(game)
        width = max(len(name) for name, _ in options_of_search)
        for name, meaning in options_of_search:
            print(f"  {name:<{width}}  {meaning}")
    print("\nactions")
    _print_rows(game.action_blocks(config))
    print("\nobservation")
    _print_rows(game.observation_fields(config))
    print("\nfields of a variant (--set)")
    for field in dataclasses.fields(game.config_class):
        if field.init:
            print(f"  {field.name} = {field.default!r}")
    print("\npresets (--preset)")
    for name, preset in game.presets.items():
        default = "  (default)" if name == game.default_preset else ""
        print(f"  {name:<16} {preset.num_players} players{default}")


def _print_rows(rows: Sequence[tuple[str, int, int, str]]) -> None:
    width = max(len(row[0]) for row in rows)
    for name, start, size, meaning in rows:
        print(f"  {start:>5} {size:>5}  {name:<{width}}  {meaning}")


def _play(options: argparse.Namespace) -> None:
    from waiter_envs.web.play import play

    game, config = _variant(options)
    play(
        game,
        config,
        options.seats,
        options.seed,
        host=options.host,
        port=options.port,
        browser=not options.no_browser,
        record=options.record,
        adviser=options.hints,
        say=functools.partial(print, flush=True),
    )


def _match(options: argparse.Namespace) -> None:
    game, config = _variant(options)
    with _progress_bar(options.games) as advance:
        result = play_match(
            game,
            config,
            options.agents,
            options.games,
            options.seed,
            progress=advance,
            record=options.record,
            thoughts=not options.no_thoughts,
        )
    print(f"{game.title}: {result.games} games, {result.mean_decisions:.1f} decisions a game,")
    print(f"{result.truncated} cut at the turn limit\n")
    print(f"{'agent':<16} {'wins':>8} {'95% interval':>17} {'draws':>7} {'reward':>8}  by side")
    for agent in result.agents:
        low, high = agent.record.interval
        sides = " ".join(f"{100 * side.win_rate:5.1f}" for side in agent.by_side)
        draws = 100 * agent.record.draws / agent.record.games
        print(
            f"{agent.name:<16} {100 * agent.record.win_rate:7.2f}% "
            f"{100 * low:7.2f} to {100 * high:5.2f} "
            f"{draws:6.2f}% {agent.mean_reward:8.3f}  {sides}"
        )
    _write_json(options.json, result.to_dict())


def _ladder(options: argparse.Namespace) -> None:
    game, config = _variant(options)
    sides = max(config.playing_together) + 1
    total = options.deals * num_seatings(len(options.agents), sides)
    with _progress_bar(total) as advance:
        ladder = play_ladder(
            game,
            config,
            options.agents,
            options.deals,
            options.seed,
            out=options.out,
            threads=options.threads,
            duplicate=not options.independent,
            progress=advance,
        )
    print(f"{game.title} ({game.name}_v{game.version})")
    for line in ladder_text(ladder):
        print(line)
    if options.picture:
        title = f"{game.title}: {ladder.deals} deals, {ladder.games} games"
        Path(options.picture).write_text(ladder_picture(ladder, title), encoding="utf-8")
    _write_json(options.json, ladder.to_dict())


def _benchmark(options: argparse.Namespace) -> None:
    others = [read_result(file) for file in options.beside]
    result = run_benchmark(
        options.agent,
        partners=options.partners,
        exploiters=options.exploiters,
        parts=options.parts,
        threads=options.threads,
        progress=lambda task: print(task, file=sys.stderr, flush=True),
    )
    games = ", ".join(f"{game}_v{version}" for game, version in result["games"].items())
    print(f"{result['benchmark']} (protocol {result['protocol_digest']}, {games})\n")
    for line in table([result, *others]):
        print(line)
    _write_json(options.json, result)


def _replay(options: argparse.Namespace) -> None:
    if options.html is not None:
        _show_game(options)
        return
    if options.analyse is not None:
        raise ValueError("--analyse: judges the game on a page, so give --html too")
    if options.game is None:
        if options.seat is not None:
            raise ValueError(
                "--seat: tells as whom to look at one game, so give --game or --html too"
            )
        _list_games(options.file)
        return
    game = _recorded_game(options.file, options.game)
    if options.seat is not None:
        check_int("--seat", options.seat, 0, len(game.players) - 1)
    for line in replay.game_text(game, options.seat):
        print(line)


def _show_game(options: argparse.Namespace) -> None:
    """Write a game as a page."""
    from waiter_envs.web.replay import Replay  # what draws is not imported for other commands

    game = _recorded_game(options.file, options.game or 0)
    page = Replay(game, options.seat, options.analyse or ())
    page.save(options.html)
    print(f"{options.html}: {len(page.html.encode()):,} bytes, {len(game.actions)} decisions")


def _list_games(file: str) -> None:
    print(replay.HEADER)
    for number, record in enumerate(records.read(file)):
        print(replay.line(number, record))


def _recorded_game(file: str, number: int) -> records.Record:
    """Return a game of a file."""
    check_int("--game", number, 0, 2**31 - 1)
    found = next(records.read(file, number, number + 1), None)
    if found is None:
        raise ValueError(f"--game {number}: {file} has fewer games; they are numbered from 0")
    return found


def _bench(options: argparse.Namespace) -> None:
    game = load(options.game)
    cores = os.cpu_count() or 1
    print(throughput.HEADER)
    results = throughput.measure_all(
        game,
        options.presets or [game.default_preset],
        options.agents or agent_names(game),
        options.batches,
        options.threads or sorted({1, cores}),
        options.seconds,
        progress=lambda result: print(throughput.line(result), flush=True),
        fields=parse_fields(options.set),
    )
    _write_json(options.json, [result.to_dict() for result in results])


def _warm(options: argparse.Namespace) -> None:
    fields = parse_fields(options.set)
    games = [load(name) for name in options.games or GAMES]
    variants = [(game, game.config(preset=options.preset, **fields)) for game in games]
    for game, config in variants:
        start = time.perf_counter()
        warm(game, config)
        print(f"{game.name}: {time.perf_counter() - start:.1f} s", flush=True)


def _write_json(file: str | None, data: Any) -> None:
    if file == "-":
        print(json.dumps(data, indent=1))
    elif file:
        with open(file, "w", encoding="utf-8") as stream:
            json.dump(data, stream, indent=1)


@contextmanager
def _progress_bar(total: int) -> Any:
    """Yield a function that counts games on a bar, if tqdm is there and somebody looks."""
    advance: Callable[[int], Any] = lambda ended: None  # noqa: E731
    if not sys.stderr.isatty():
        yield advance
        return
    try:
        from tqdm import tqdm
    except ImportError:
        yield _plain_bar(total)
        print(file=sys.stderr)
        return
    with tqdm(total=total, unit="game") as bar:
        yield bar.update


def _plain_bar(total: int) -> Callable[[int], None]:
    done = 0

    def advance(ended: int) -> None:
        nonlocal done
        done += ended
        print(f"\r{done}/{total} games", end="", file=sys.stderr, flush=True)

    return advance
