"""`Record`: one game written down, as a line of JSON; see `docs/records.md`."""

from __future__ import annotations

import dataclasses
import functools
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from waiter_envs.arena.playback import Moves, Playback, Played, Start, begin
from waiter_envs.core.checks import check_array, shown
from waiter_envs.core.game import Game, check_game
from waiter_envs.core.games import load

FORMAT = 1
"""Raised whenever older readers would not understand a line."""

DIGITS = 3
"""Decimals of probabilities and values; a probability that rounds to 0 is left out."""
TERMINATED, TRUNCATED, UNFINISHED = ENDS = ("terminated", "truncated", "unfinished")
_NEAR = 1e-4
"""How far rewards may differ: sums of float32, rounded."""
_MOST = 2**31 - 1


class RecordError(ValueError):
    """A record that does not fit: no record, of another version, or not what the core plays."""


class Thought(NamedTuple):
    """What an agent thought of a decision."""

    probabilities: Mapping[int, float] | None = None
    """Of legal actions; those that are left out have none to speak of."""
    value: float | None = None
    """What it expects to be paid until the end."""
    seconds: float | None = None
    """How long it took; of agents that are asked in batches, their share of it."""


class Step(NamedTuple):
    """A decision of a game that is played again."""

    number: int
    """From 0."""
    table: np.void
    """The table before the action, hidden cards and all."""
    player: int
    action: int
    text: str
    thought: Thought | None
    rewards: npt.NDArray[np.float32]
    """`(players,)`: what was paid from this decision to the next one, whoever takes that."""
    after: np.void
    """The table after the action, and after forced moves that follow."""


@dataclass(frozen=True)
class Record:
    """A game: how it began, what was done, what came of it, who played. It tells all cards.

    Decisions are those that players are asked for; a single legal action is played by the core.
    """

    game: str
    """Name of the game."""
    version: int
    """Of its rules."""
    preset: str | None
    """Name of the variant, if it has one."""
    variant: Mapping[str, Any]
    """All fields of the variant in plain JSON types (`Game.config_to_dict`)."""
    start: Start
    actions: tuple[int, ...]
    texts: tuple[str, ...] | None
    """The actions in words; `None`: left out."""
    players: tuple[str | None, ...]
    """Who sat at each player's place."""
    rewards: tuple[float, ...]
    """What each player was paid."""
    end: str
    """One of `ENDS`."""
    thoughts: tuple[Thought | None, ...] | None = None
    """What was thought at each decision; `None`: nothing at any."""

    @property
    def winners(self) -> tuple[int, ...]:
        """The players that were paid more than 0, as matches count wins; of a finished game."""
        if self.end == UNFINISHED:
            return ()
        return tuple(player for player, reward in enumerate(self.rewards) if reward > 0)

    @property
    def config(self) -> Any:
        """The variant."""
        return _variant(self.game, json.dumps(self.variant))

    @property
    def moves(self) -> Moves:
        """What it is played again from."""
        thought_of = {
            decision: tuple(thought.probabilities)
            for decision, thought in enumerate(self.thoughts or ())
            if thought is not None and thought.probabilities
        }
        return Moves(self.start, np.array(self.actions, np.int32), thought_of or None)

    @classmethod
    def of(
        cls,
        game: Game,
        config: Any,
        actions: Sequence[int],
        *,
        seed: int | None = None,
        stream: tuple[int, int] | None = None,
        position: Mapping[str, Any] | None = None,
        players: Sequence[str | None] | None = None,
    ) -> Record:
        """Return the record of a game, after playing it.

        Args:
            game: the game.
            config: its variant.
            actions: what was done at each decision.
            seed: the game is the first one of table 0 of `Tables(seed)`; or:
            stream: it was dealt by this random stream, `table["rng"]` at the deal.
            position: it began at this position, with the stream.
            players: who sat at each player's place.

        Raises:
            TypeError, ValueError: for anything else (`RecordError`: for an illegal action).
        """
        config = check_game(game).config(config)
        start = Start(seed, stream, position)
        numbers = check_actions(actions)
        names = check_players(players, config.num_players)
        (record,) = make(Playback(game, config, 1), [Moves(start, numbers)], [names])
        return record

    def replay(self) -> Iterator[Step]:
        """Play the game again, decision after decision.

        Raises:
            RecordError: if an action is not legal.
        """
        game = load(self.game)
        try:
            tables = begin(game, self.config, self.start)
        except ValueError as error:
            raise RecordError(f"{self.game}, start: {error}") from None
        after = tables.state[0].copy()
        for number, action in enumerate(self.actions):
            table, player = after, int(tables.current_player[0])
            try:
                text = game.action_to_text(table, action)
                tables.step(np.array([action], np.int32))
            except ValueError as error:
                raise RecordError(f"{self.game}, decision {number}: {error}") from None
            after = tables.state[0].copy()
            thought = self.thoughts[number] if self.thoughts else None
            paid = tables.rewards[0].copy()
            yield Step(number, table, player, action, text, thought, paid, after)

    def to_json(self) -> str:
        """Return the record as a line of JSON, without the end of the line."""
        written = {
            "format": FORMAT,
            "game": self.game,
            "version": self.version,
            "preset": self.preset,
            "variant": self.variant,
            "start": _write_start(self.start),
            "players": self.players,
            "actions": self._write_actions(),
            "rewards": [int(r) if r == int(r) else round(r, 6) for r in self.rewards],
            "winners": self.winners,
            "end": self.end,
        }
        if self.thoughts is not None:
            written["thoughts"] = [thought and _write_thought(thought) for thought in self.thoughts]
        return json.dumps(written, ensure_ascii=False, separators=(",", ":"), allow_nan=False)

    def _write_actions(self) -> Sequence[Any]:
        if self.texts is None:
            return self.actions
        return list(zip(self.actions, self.texts, strict=True))

    @classmethod
    def from_json(cls, line: str | bytes) -> Record:
        """Return the record that a line of JSON holds. It is not played: see `check`.

        Raises:
            TypeError: if it is no text.
            RecordError: if it is no record, or one of an unknown game, variant or version.
        """
        if not isinstance(line, (str, bytes)):
            raise TypeError(f"line={shown(line)}: must be a line of JSON")
        try:
            content = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise RecordError(f"no JSON: {error}") from None
        try:
            return _read(content)
        except RecordError:
            raise
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            raise RecordError(str(error)) from None


# -- Reading a line ----------------------------------------------------------------------------

_KEYS = {
    "format": (int,), "game": (str,), "version": (int,), "preset": (str, type(None)),
    "variant": (dict,), "start": (dict,), "players": (list,), "actions": (list,),
    "rewards": (list,), "winners": (list,), "end": (str,),
}  # fmt: skip
"""What a record has, and the type of each; `thoughts` may be missing."""


def _read(content: Any) -> Record:
    """Return the record that parsed JSON holds."""
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise RecordError(f"no record of format {FORMAT}")
    for key, kinds in _KEYS.items():
        if key not in content or type(content[key]) not in kinds:
            raise RecordError(f"{key}={shown(content.get(key))}: a record has another {key}")
    unknown = [shown(key) for key in content if key not in _KEYS and key != "thoughts"]
    if unknown:
        raise RecordError(f"unknown entry {', '.join(unknown)}")
    game = load(content["game"])
    if content["version"] != game.version:
        raise RecordError(
            f"a game of {game.name}_v{shown(content['version'])}, but this is "
            f"{game.name}_v{game.version}"
        )
    config = _variant(game.name, json.dumps(content["variant"]))
    preset = content["preset"]
    if preset is not None and (preset not in game.presets or game.presets[preset] != config):
        raise RecordError(f"preset={shown(preset)}: is not the variant {shown(content['variant'])}")
    actions, texts = _read_actions(content["actions"])
    record = Record(
        game=game.name,
        version=game.version,
        preset=preset,
        variant=content["variant"],
        start=_read_start(content["start"]),
        actions=actions,
        texts=texts,
        players=check_players(content["players"], config.num_players),
        rewards=_read_rewards(content["rewards"], config.num_players),
        end=content["end"],
        thoughts=_read_thoughts(content.get("thoughts"), len(actions)),
    )
    if record.end not in ENDS:
        raise RecordError(f"end={shown(record.end)}: must be one of {', '.join(ENDS)}")
    if list(record.winners) != content["winners"]:
        raise RecordError(
            f"winners={shown(content['winners'])}: by its rewards they are {list(record.winners)}"
        )
    return record


@functools.lru_cache(64)
def _variant(game: str, fields: str) -> Any:
    return load(game).config_from_dict(json.loads(fields))


def _read_actions(values: list[Any]) -> tuple[tuple[int, ...], tuple[str, ...] | None]:
    """Return numbers and texts, which all actions have, or none."""
    pairs = [value for value in values if isinstance(value, list)]
    if not pairs:
        return tuple(check_actions(values).tolist()), None
    if len(pairs) != len(values) or any(len(p) != 2 or type(p[1]) is not str for p in pairs):
        raise RecordError("actions: must be numbers, or each a number and a text")
    numbers = check_actions([pair[0] for pair in pairs])
    return tuple(numbers.tolist()), tuple(pair[1] for pair in pairs)


def check_actions(actions: Any) -> npt.NDArray[np.int32]:
    """Return actions as an array."""
    numbers = check_array("actions", actions)
    if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
        raise TypeError(f"actions={shown(actions)}: must be integers")
    if numbers.size and not 0 <= numbers.min() <= numbers.max() <= _MOST:
        raise ValueError(f"actions={shown(actions)}: must be integers from 0 to {_MOST}")
    return numbers.astype(np.int32)


def check_players(players: Any, count: int) -> tuple[str | None, ...]:
    """Return the names of the players; `None`: nobody has one."""
    if players is None:
        return (None,) * count
    named = isinstance(players, (list, tuple)) and all(
        name is None or isinstance(name, str) for name in players
    )
    if not named:
        raise TypeError(f"players={shown(players)}: must be a list of names, or None")
    if len(players) != count:
        raise ValueError(f"players={shown(players)}: must be {count} names")
    return tuple(players)


def _read_rewards(values: list[Any], count: int) -> tuple[float, ...]:
    if len(values) != count or not all(map(_is_finite, values)):
        raise RecordError(f"rewards={shown(values)}: must be {count} numbers")
    return tuple(map(float, values))


def _is_finite(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < float("inf")


def _write_start(start: Start) -> dict[str, Any]:
    written: dict[str, Any] = {}
    if start.stream is None:
        written["seed"] = start.seed
        later = {"table": start.table, "drawn": start.drawn}
        written |= {name: number for name, number in later.items() if number}
    else:
        written["stream"] = "".join(f"{word:016x}" for word in start.stream)
    if start.position is not None:
        written["position"] = start.position
    return written


def _read_start(values: dict[str, Any]) -> Start:
    """Return the start of a game; words of streams are written in hexadecimal."""
    known = ("seed", "table", "drawn", "stream", "position")
    unknown = [shown(key) for key in values if key not in known]
    if unknown:
        raise RecordError(f"start: unknown entry {', '.join(unknown)}")
    stream = values.get("stream")
    if stream is not None:
        if not (isinstance(stream, str) and re.fullmatch("[0-9a-f]{32}", stream)):
            raise RecordError(f"stream={shown(stream)}: must be 32 hexadecimal digits")
        stream = int(stream[:16], 16), int(stream[16:], 16)
    later = {name: values[name] for name in ("table", "drawn") if name in values}
    return Start(values.get("seed"), stream, values.get("position"), **later)


def _write_thought(thought: Thought) -> dict[str, Any]:
    written: dict[str, Any] = {}
    if thought.probabilities is not None:
        rounded = {a: round(float(p), DIGITS) for a, p in thought.probabilities.items()}
        written["p"] = {str(action): p for action, p in rounded.items() if p}
    if thought.value is not None:
        written["v"] = round(float(thought.value), DIGITS)
    if thought.seconds is not None:
        written["s"] = float(f"{thought.seconds:.2g}")
    return written


def _read_thoughts(values: Any, count: int) -> tuple[Thought | None, ...] | None:
    if values is None:
        return None
    if not isinstance(values, list) or len(values) != count:
        raise RecordError(f"thoughts: must be a list, one for each of {count} decisions")
    return tuple(_read_thought(number, value) for number, value in enumerate(values))


def _read_thought(decision: int, value: Any) -> Thought | None:
    """Return a thought: `p` by action, `v`, `s`."""
    if value is None:
        return None
    wrong = f"decision {decision}: thought {shown(value)}: must have p, v, s, numbers all of them"
    if not isinstance(value, dict) or not value.keys() <= {"p", "v", "s"}:
        raise RecordError(wrong)
    chances = value.get("p")
    numbers = [value[key] for key in ("v", "s") if key in value]
    if chances is not None:
        if not isinstance(chances, dict) or not all(re.fullmatch("[0-9]{1,9}", a) for a in chances):
            raise RecordError(wrong)
        numbers += chances.values()
        chances = {int(action): p for action, p in chances.items()}
    if not all(map(_is_finite, numbers)):
        raise RecordError(wrong)
    return Thought(chances, value.get("v"), value.get("s"))


# -- Played by the core ------------------------------------------------------------------------


def make(
    playback: Playback,
    games: Sequence[Moves],
    players: Sequence[tuple[str | None, ...]],
    thoughts: Sequence[tuple[Thought | None, ...] | None] | None = None,
    texts: bool = True,
) -> list[Record]:
    """Return the records of games, after playing them.

    Args:
        playback: tables of their variant.
        games: the games.
        players: of each game, who sat at each player's place.
        thoughts: of each game, what was thought at each decision.
        texts: write the actions in words, too.

    Raises:
        RecordError: if one cannot be played.
    """
    game, config, played = playback.game, playback.config, playback.play(games)
    words = playback.texts(played) if texts else []
    variant, preset = game.config_to_dict(config), preset_of(game, config)
    records = []
    for number, (moves, names) in enumerate(zip(games, players, strict=True)):
        _refuse(game.name, played, number)
        rows = slice(*played.first[number : number + 2].tolist())
        records.append(
            Record(
                game=game.name,
                version=game.version,
                preset=preset,
                variant=variant,
                start=moves.start,
                actions=tuple(moves.actions.tolist()),
                texts=tuple(words[rows]) if texts else None,
                players=names,
                rewards=(),
                end=_end(played, number),
                thoughts=thoughts[number] if thoughts else None,
            )
        )
    paid = played.rewards().tolist()
    return [dataclasses.replace(r, rewards=tuple(p)) for r, p in zip(records, paid, strict=True)]


def preset_of(game: Game, config: Any) -> str | None:
    """Return the name of the first preset that a variant equals."""
    return next((name for name, preset in game.presets.items() if preset == config), None)


def check(records: Iterable[Record], playback: Playback, played: Played) -> Iterator[None]:
    """Compare records, one after the other, with what the core has played.

    Raises:
        RecordError: for the first thing that differs.
    """
    words = playback.texts(played)
    paid = played.rewards()
    for number, record in enumerate(records):
        _refuse(record.game, played, number)
        rows = slice(*played.first[number : number + 2].tolist())
        for decision, text in enumerate(words[rows] if record.texts is not None else ()):
            if record.texts and record.texts[decision] != text:
                raise RecordError(
                    f"{record.game}, decision {decision}: action {record.actions[decision]} is "
                    f"{text!r}, but the record says {shown(record.texts[decision])}"
                )
        if record.end != _end(played, number):
            raise RecordError(
                f"{record.game}, after decision {len(record.actions) - 1}: the game is "
                f"{_end(played, number)}, but the record says {record.end}"
            )
        if np.abs(paid[number] - record.rewards).max() > _NEAR:
            raise RecordError(
                f"{record.game}: the rewards are {paid[number].tolist()}, but the record says "
                f"{list(record.rewards)}"
            )
        yield


def _refuse(game: str, played: Played, number: int) -> None:
    """Raise the error of a game that cannot be played as it is written."""
    misfit = played.misfits.get(number)
    if misfit is not None:
        where = "start" if misfit.decision < 0 else f"decision {misfit.decision}"
        raise RecordError(f"{game}, {where}: {misfit.reason}")


def _end(played: Played, number: int) -> str:
    """Return how a game ended, one of `ENDS`."""
    if played.terminated[number]:
        return TERMINATED
    return TRUNCATED if played.truncated[number] else UNFINISHED
