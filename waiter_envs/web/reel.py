"""A *reel*: what a replay shows of a recorded game, in plain JSON types.

It is made of `view`, `told` and `svg` of the viewers it is for, and of nothing else: a reel for one
seat holds nothing that this seat may not know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from waiter_envs.agents.agent import Agent, Decisions
from waiter_envs.arena.records import Record, Step, Thought
from waiter_envs.core.checks import check_int, shown
from waiter_envs.core.game import Game
from waiter_envs.core.games import load
from waiter_envs.core.tables import AutoresetMode, Tables
from waiter_envs.drawing.layout import PAGE, PHONE
from waiter_envs.web.theme import PAGE as COLOURS

Reel = dict[str, Any]
"""See `reel_of`."""

Opinion = dict[str, Any]
"""What a judge says of a decision: `words` of what it would do, whether it `agrees`, and the
`chance` that it gives to what was done."""

DIGITS = 3
"""Decimals of chances and values."""

_MOST_CHOICES = 40
"""Legal actions of a decision that are told with their chances; the likeliest ones."""

_THINGS = re.compile('(?=<g class="thing)')
_ELEMENTS = re.compile("(?<=>)(?=<(?!/))")
"""Where things and elements of a drawing begin: most occur again and again, and are kept once."""


def reel_of(
    record: Record, seat: int | None = None, judges: Mapping[str, Agent] | None = None
) -> Reel:
    """Return what a replay shows.

    Args:
        record: the game; it is played again.
        seat: the player whose view it is for; `None`: everybody's, and all cards open.
        judges: agents by name that are asked at each decision what they would have done.

    Returns:
        `game` and its `title`, `variant` (what differs from the default one), `names` of the
        players, `rewards`, `winners`, `seat`; and for each place of the game, the first one before
        the first decision that is told of, the last one behind the last,

        * `places`: who is `to_act`, the `headline`, a `chapter` that places may share;
        * `shots`: by layout (`"page"`, `"phone"`) and viewer (`"all"`, `"0"`, ...), for each place
          the number of a drawing;
        * `changed`: by viewer, for each place the ids of what differs from the place before;
        * `told`: by viewer, for each place but the first the action that led there;
        * `thoughts`: by viewer, for each place but the last what the player to act thought, as far
          as the viewer may know: `chances` (`[words, chance, whether it was done]`, the likeliest
          first), how many are `left_out`, `value`, `seconds`;
        * `opinions`: by judge, for each place but the last what it would have done; `None` where
          the seat may not know;
        * `drawings`: each a list of numbers of `parts`, and each of these a list of numbers of
          `pieces`, which are SVG; written one behind the other they are the drawing.

    Raises:
        TypeError, ValueError: for a seat that there is not; `RecordError` if the record does not
            fit.
    """
    game = load(record.game)
    players = record.config.num_players
    if seat is not None:
        seat = check_int("seat", seat, 0, players - 1, "or None")
    viewers: list[int | None] = [seat] if seat is not None else [None, *range(players)]
    played = list(record.replay())
    if not played:
        raise ValueError("the record has no decision: there is nothing to show")
    noticed = [seat is None or _told(game, step, seat) is not None for step in played]
    steps = [step for step, is_noticed in zip(played, noticed, strict=True) if is_noticed]
    film = _Film(game, viewers)
    for step in steps:
        film.add(step.table, step)
    film.add(played[-1].after, None)
    return {
        "game": game.name,
        "title": game.title,
        "variant": _variant_words(game, record),
        "names": [name or "" for name in record.players],
        "rewards": list(record.rewards),
        "winners": list(record.winners),
        "seat": seat,
        **film.reel(),
        "thoughts": {
            _key(viewer): [_thought(game, step, viewer) for step in steps] for viewer in viewers
        },
        "opinions": {
            name: [
                opinion
                for opinion, is_noticed in zip(
                    _opinions(game, record, played, judge, seat), noticed, strict=True
                )
                if is_noticed
            ]
            for name, judge in (judges or {}).items()
        },
    }


def _key(viewer: int | None) -> str:
    return "all" if viewer is None else str(viewer)


def _told(game: Game, step: Step, viewer: int | None) -> dict[str, Any] | None:
    """Return a decision as a viewer is told of it; `None`: it must not notice it."""
    return game.told(step.table, step.action, viewer, step.after)


def _variant_words(game: Game, record: Record) -> str:
    """Return a variant's name, or in which fields it differs from the default one."""
    if record.preset is not None:
        return record.preset
    usual = game.config_to_dict(game.config())
    differing = {k: v for k, v in record.variant.items() if usual.get(k) != v}
    return ", ".join(f"{name}={shown(value)}" for name, value in differing.items())


# -- What is seen ------------------------------------------------------------------------------


class _Film:
    """The drawings of a game, place after place, for some viewers; equal parts are kept once."""

    def __init__(self, game: Game, viewers: Sequence[int | None]) -> None:
        self.game = game
        self.viewers = viewers
        self.places: list[dict[str, Any]] = []
        self.shots: dict[str, dict[str, list[int]]] = {
            layout: {_key(viewer): [] for viewer in viewers} for layout in (PAGE, PHONE)
        }
        self.changed: dict[str, list[list[str]]] = {_key(viewer): [] for viewer in viewers}
        self.told: dict[str, list[dict[str, Any] | None]] = {_key(v): [] for v in viewers}
        self.pieces: dict[str, int] = {}
        self.parts: dict[tuple[int, ...], int] = {}
        self.drawings: dict[tuple[int, ...], int] = {}
        self._rounds, self._opens = 0, False
        self._before: dict[int | None, dict[str, Any]] = {}
        self._done: dict[int | None, dict[str, Any] | None] = dict.fromkeys(viewers)

    def add(self, table: np.void, step: Step | None) -> None:
        """Show a table, as it is before a decision, or at the end."""
        for viewer in self.viewers:
            view = self.game.view(table, viewer)
            key, done = _key(viewer), self._done[viewer]
            parts = _things(view)
            before = self._before.get(viewer, parts)
            for layout, shots in self.shots.items():
                shots[key].append(self._keep(self._draw(view, done, layout)))
            self.changed[key].append(sorted(_differing(before, parts)))
            if viewer == self.viewers[0]:
                self.places.append(self._place(view))
            self._before[viewer] = parts
            if step is not None:
                told = _told(self.game, step, viewer)
                self._done[viewer] = told or self._done[viewer]
                self.told[key].append(told)

    def _draw(self, view: Mapping[str, Any], done: Mapping[str, Any] | None, layout: str) -> str:
        """Return a drawing in the colours of the page."""
        return self.game.draw_view(view, last=done, theme=COLOURS, font=False, layout=layout)

    def _place(self, view: Mapping[str, Any]) -> dict[str, Any]:
        """Return what everybody may know of a place."""
        turn = view["turn"]
        if "number" in turn:
            chapter = f"turn {turn['number']}"
        else:
            self._rounds += turn["opens_round"] and not self._opens
            self._opens = turn["opens_round"]
            chapter = f"round {self._rounds}"
        return {"to_act": view["to_act"], "headline": view["headline"], "chapter": chapter}

    def _keep(self, drawing: str) -> int:
        """Return the number of a drawing."""
        numbers = tuple(self._keep_part(part) for part in _cut(_THINGS, drawing))
        return self.drawings.setdefault(numbers, len(self.drawings))

    def _keep_part(self, part: str) -> int:
        """Return the number of a part of a drawing."""
        numbers = tuple(
            self.pieces.setdefault(piece, len(self.pieces)) for piece in _cut(_ELEMENTS, part)
        )
        return self.parts.setdefault(numbers, len(self.parts))

    def reel(self) -> Reel:
        """Return what has been filmed."""
        return {
            "places": self.places,
            "shots": self.shots,
            "changed": self.changed,
            "told": self.told,
            "pieces": list(self.pieces),
            "parts": [list(numbers) for numbers in self.parts],
            "drawings": [list(numbers) for numbers in self.drawings],
        }


def _cut(places: re.Pattern[str], text: str) -> list[str]:
    return [piece for piece in places.split(text) if piece]


def _things(view: Any) -> dict[str, Any]:
    """Return what a view says of each thing with an id, apart from the things within it."""
    found: dict[str, Any] = {}

    def bare(part: Any) -> Any:
        if isinstance(part, dict):
            own = {name: bare(value) for name, value in part.items()}
            if "id" not in part:
                return own
            own.pop("to_act", None)
            found[part["id"]] = own
            return None
        return [bare(item) for item in part] if isinstance(part, list) else part

    bare(view)
    return found


def _differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterable[str]:
    return [name for name, what in after.items() if before.get(name, {}) != what]


# -- What was thought --------------------------------------------------------------------------


def _thought(game: Game, step: Step, viewer: int | None) -> dict[str, Any] | None:
    """Return what the player to act thought, if the viewer may know."""
    if step.thought is None or viewer not in (None, step.player):
        return None
    thought: Thought = step.thought
    chances = sorted((thought.probabilities or {}).items(), key=lambda item: (-item[1], item[0]))
    shown_chances = [
        [_words(game, step, action, viewer), round(p, DIGITS), action == step.action]
        for action, p in chances[:_MOST_CHOICES]
    ]
    return {
        "chances": shown_chances,
        "left_out": len(chances) - len(shown_chances),
        "value": None if thought.value is None else round(thought.value, DIGITS),
        "seconds": thought.seconds,
    }


def _words(game: Game, step: Step, action: int, viewer: int | None) -> str:
    """Return a legal action in plain language, for a viewer who may know that it is one."""
    told = game.told(step.table, action, viewer)
    assert told is not None
    return str(told["words"])


def _opinions(
    game: Game, record: Record, steps: Sequence[Step], judge: Agent, seat: int | None
) -> list[Opinion | None]:
    """Return what a judge would have done at each decision.

    It is asked at every one, so that it remembers as if it had played on; what it would have done
    in place of others is left out for a single seat.
    """
    tables = Tables(game, record.config, 1, 0, autoreset_mode=AutoresetMode.DISABLED)
    judge.reset()
    opinions: list[Opinion | None] = []
    for step in steps:
        tables.state = np.asarray(step.table).reshape(1)
        actions, thoughts = judge.think(Decisions.at(tables))
        would = int(actions[0])
        chance = float(would == step.action)
        if thoughts is not None and thoughts.probabilities is not None:
            chance = round(float(thoughts.probabilities[0, step.action]), DIGITS)
        if seat not in (None, step.player):
            opinions.append(None)
            continue
        opinions.append(
            {
                "words": _words(game, step, would, seat),
                "agrees": would == step.action,
                "chance": chance,
            }
        )
    return opinions
