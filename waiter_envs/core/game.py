"""`Game`: all that the shared code needs to know of one game."""

from __future__ import annotations

import difflib
import functools
import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from waiter_envs.core import (
    contest,
    features,
    jit,
    kernels,
    learner,
    network,
    playing,
    resampling,
    rng,
    rows,
    searching,
    tree_searching,
    words,
)
from waiter_envs.core.blocks import Block, total_size
from waiter_envs.core.checks import check_bool, check_int, check_seed, shown
from waiter_envs.core.config import pick_config, read_config, write_config
from waiter_envs.core.errors import GameOverError, IllegalActionError, ImpossiblePositionError
from waiter_envs.core.fingerprint import dtype_hash, fingerprint
from waiter_envs.core.interpreted import plain
from waiter_envs.core.views import Moved, Told, View

SHARED_SOURCES = (
    contest,
    features,
    jit,
    kernels,
    learner,
    network,
    playing,
    resampling,
    rng,
    rows,
    searching,
    tree_searching,
    words,
    *jit.COMPILERS,
)
"""The modules that the compiled code of every game may come from, beside its own."""


@dataclass(frozen=True)
class Heuristic:
    """A rule-based agent of a game, compiled like its rules."""

    choose: Callable[..., int]
    """`choose(table, mask)` -> action; with a memory `choose(table, mask, memory)`."""
    blank_memory: Callable[..., npt.NDArray[np.void]] | None = None
    """`blank_memory(table_dtype, **options)`: an array of one record, what an agent remembers at
    one table in one seat before its first decision. It begins with a random stream, `rng`."""
    recollect: Callable[..., None] | None = None
    """`recollect(table, player, memory)` writes to an empty memory what an attentive player would
    remember who joins a table whose cards are all open to it: for playouts."""


@dataclass(frozen=True)
class Game:
    """The binding of one game's package to the shared driver, adapters and tools.

    Rule functions are Numba functions on one record of `table_dtype(config)`, which begins with
    `waiter_envs.core.records.COMMON_FIELDS`. Compiled code alone may call them: called from Python
    they crash the process. Use `Tables`, or a kernel.
    """

    name: str
    """Name in the registry and of the versioned module, e.g. `hey_waiter`."""
    title: str
    """Name as printed on the box."""
    version: int
    """Raised whenever a rule, a numbering or an observation changes."""
    config_class: Any
    """The variants: a frozen, validated dataclass with `num_players` and `playing_together`."""
    presets: Mapping[str, Any]
    """Ready configurations by name."""
    default_preset: str
    """The preset that equals `config_class()`."""
    modules: tuple[ModuleType, ...]
    """The modules whose source the compiled kernels are made of."""

    table_dtype: Callable[[Any], np.dtype[np.void]]
    """The record of one table."""
    blank_table: Callable[[Any], npt.NDArray[np.void]]
    """An array of one table that holds the variant, before anything is dealt."""
    action_blocks: Callable[[Any], list[Block]]
    """The blocks of the action space, in order."""
    observation_fields: Callable[[Any], list[Block]]
    """The fields of an observation, in order."""
    hidden_fields: Callable[[Any], list[Block]]
    """The fields of what is hidden from a player, in order."""

    init_state: Callable[[Any], None]
    """`init_state(table)` deals a new game on a blank table that has a random stream."""
    step: Callable[[Any, int], None]
    """`step(table, action)` plays one legal action and moves on to the next decision."""
    legal_action_mask: Callable[[Any, Any], int]
    """`legal_action_mask(table, mask)` writes the mask and returns the number of 1s."""
    observe: Callable[[Any, int, Any], None]
    """`observe(table, player, observation)` writes what a player may see."""
    observe_hidden: Callable[[Any, int, Any], None]
    """`observe_hidden(table, player, features)` writes what is hidden from a player."""
    rewards: Callable[[Any, Any], None]
    """`rewards(table, totals)` adds every player's reward for the last step."""
    num_actions_at: Callable[[Any], int]
    """`num_actions_at(table)` returns the size of the action space."""
    decode: Callable[[Any, int], tuple[int, ...]]
    """`decode(table, action)` describes a legal action in numbers, for any player alike."""
    encode: Callable[[Any, tuple[int, ...]], int]
    """`encode(table, description)` is the inverse of `decode`; -1 where there is none."""

    describe: Callable[[tuple[int, ...], np.void], str]
    """`describe(description, table)`: the text of a described action."""
    parse: Callable[[str, np.void], tuple[int, ...]]
    """The inverse of `describe`; `ValueError` for a text of no known form."""
    write_position: Callable[[np.void], dict[str, Any]]
    """A position in plain JSON types."""
    read_position: Callable[[Any, Mapping[str, Any]], npt.NDArray[np.void]]
    """The inverse of `write_position`: an array of one table, without a random stream."""
    write_view: Callable[[np.void, int | None], View]
    """All that is to be shown of a position to a player, or with all cards open to `None`."""
    tell_action: Callable[[tuple[int, ...], np.void, int | None], Told | None]
    """`tell_action(description, table, viewer)`: a described action as the viewer is told of it."""
    find_moved: Callable[[tuple[int, ...], np.void, np.void, int | None], Moved]
    """`find_moved(description, before, after, viewer)`: what stands elsewhere after an action."""
    write_text: Callable[[View], str]
    """A view as text for people."""
    draw_view: Callable[..., str]
    """`draw_view(view, last=..., theme=..., font=..., layout=...)`: a view as an SVG drawing."""
    heuristics: Mapping[str, Heuristic]
    """The rule-based agents by name."""

    resample: Callable[..., bool] | None = None
    """`resample(table, player)` deals anew what a player does not know, from the table's random
    stream, which is a new one, and returns whether it could: where what the player knows
    contradicts itself, it could not, and the table is spoilt. `None`: not offered."""
    resample_remembering: Callable[..., bool] | None = None
    """`resample_remembering(table, player, memory)` does so with what the player remembers, a
    record as agents of `heuristics` have it; `None`: the observation tells all there is."""

    expect: Callable[[Any, Any], None] | None = None
    """`expect(table, totals)` adds what every player can expect to be paid yet, with all cards
    open, in a game that is not over: for searches that cut playouts short. `None`: nothing."""

    search_options: Mapping[str, Any] = field(default_factory=dict)
    """What a search (`waiter_envs.agents.search`) does best with in this game, where it is not told
    otherwise: some of its options."""

    _bound: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of_modules(cls, name: str, title: str, version: int, **modules: ModuleType) -> Game:
        """Return the binding of a package by the modules that all games have.

        Args:
            name: in the registry.
            title: as printed on the box.
            version: of its rules, numberings and observations.
            **modules: `actions`, `agents`, `config`, `legal_actions`, `observation`, `position`,
                `rules`, `state`, `text`, `view`, `drawing`, and whatever else its compiled
                functions come from; with `resample`, players can be asked what they do not know,
                with `value`, what a position is worth.
        """
        actions, observation, rules = (modules[m] for m in ("actions", "observation", "rules"))
        config, position, state = (modules[m] for m in ("config", "position", "state"))
        view = modules["view"]
        plain = ("config", "drawing", "position", "position_checks", "text", "view")
        return cls(
            name=name,
            title=title,
            version=version,
            config_class=config.Config,
            presets=config.PRESETS,
            default_preset=config.DEFAULT_PRESET,
            modules=tuple(module for m, module in modules.items() if m not in plain),
            table_dtype=state.table_dtype,
            blank_table=state.blank_table,
            action_blocks=actions.action_blocks,
            observation_fields=observation.observation_fields,
            hidden_fields=observation.hidden_fields,
            init_state=rules.init_state,
            step=rules.step,
            legal_action_mask=modules["legal_actions"].legal_action_mask,
            observe=observation.observe,
            observe_hidden=observation.observe_hidden,
            rewards=rules.rewards,
            num_actions_at=actions.num_actions,
            decode=actions.decode,
            encode=actions.encode,
            describe=actions.describe,
            parse=actions.parse,
            write_position=position.write_position,
            read_position=position.read_position,
            write_view=view.view,
            tell_action=view.told,
            write_text=modules["text"].text,
            find_moved=modules["moved"].moved if "moved" in modules else _nothing_moved,
            draw_view=modules["drawing"].svg,
            heuristics=modules["agents"].HEURISTICS,
            search_options=getattr(modules["agents"], "SEARCH", {}),
            resample=getattr(modules.get("resample"), "resample", None),
            resample_remembering=getattr(modules.get("resample"), "resample_remembering", None),
            expect=getattr(modules.get("value"), "expect", None),
        )

    @property
    def gymnasium_id(self) -> str:
        """Name of the Gymnasium registration, e.g. `HeyWaiter-v0`."""
        return f"{self.name.title().replace('_', '')}-v{self.version}"

    def config(self, config: Any = None, *, preset: str | None = None, **fields: Any) -> Any:
        """Return a configuration from a ready one, a preset's name, or fields of `Config`."""
        return pick_config(self.config_class, self.presets, config, preset, fields)

    def config_to_dict(self, config: Any) -> dict[str, Any]:
        """Return a variant in plain JSON types: all its fields, and what they name a file for.

        Raises:
            TypeError: if `config` is no variant of this game.
        """
        return write_config(self.config(config))

    def config_from_dict(self, fields: Mapping[str, Any]) -> Any:
        """Return the variant that fields describe: the inverse of `config_to_dict`.

        No file is read: where a field may name one, its rows must stand there.

        Raises:
            TypeError, ValueError: for fields of no variant, or one that names a file.
        """
        return read_config(self.config_class, self.presets, fields)

    def num_actions(self, config: Any) -> int:
        """Return the size of the action space."""
        return total_size(self.action_blocks(self.config(config)))

    def num_features(self, config: Any) -> int:
        """Return the number of features of an observation."""
        return total_size(self.observation_fields(self.config(config)))

    def num_hidden(self, config: Any) -> int:
        """Return the number of features that the perfect-information view adds."""
        return total_size(self.hidden_fields(self.config(config)))

    def __reduce__(self) -> tuple[Callable[[str], Game], tuple[str]]:
        """Pickle and copy as a name: rules and kernels are found again by import."""
        return _game_of, (self.config_class.__module__.split(".")[0],)

    # -- compiled kernels --------------------------------------------------------------------

    @functools.cached_property
    def fingerprint(self) -> str:
        """Hash of every source file that the kernels are compiled from."""
        return fingerprint((*self.modules, *SHARED_SOURCES))

    def kernel(self, template: Callable[..., Any], dtype: Any, **functions: Any) -> Any:
        """Return a template of `waiter_envs.core.kernels` compiled with this game's rules."""
        key = (template, dtype, *sorted((k, id(f)) for k, f in functions.items()))
        if key not in self._bound:
            names: tuple[str, ...] = (
                "init_state",
                "step",
                "legal_action_mask",
                "observe",
                "observe_hidden",
            )
            names += ("rewards", "decode", "encode")
            rules = {name: getattr(self, name) for name in names}
            chosen = "_".join(getattr(f, "__name__", k) for k, f in functions.items())
            label = f"{self.name}_{self.fingerprint}_{dtype_hash(dtype)}_{chosen}"
            self._bound[key] = jit.bind(template, {**rules, **functions}, label)
        return self._bound[key]

    # -- resampling --------------------------------------------------------------------------

    def memory_dtype(self, table_dtype: np.dtype[np.void]) -> np.dtype[np.void]:
        """Return the record of what an agent remembers, in a game where agents have a memory.

        Args:
            table_dtype: of the tables to be played at.
        """
        blank = next(h.blank_memory for h in self.heuristics.values() if h.blank_memory)
        return blank(table_dtype).dtype

    def contradiction(self, config: Any, table: np.void) -> str:
        """Return in brackets what shows in a table to be impossible; nothing if nothing does."""
        try:
            self.read_position(config, self.write_position(table))
        except ValueError as error:
            return f" ({error})"
        except (LookupError, OverflowError):  # numbers that stand for nothing
            return " (numbers that no position has)"
        return ""

    # -- text --------------------------------------------------------------------------------

    def action_to_text(self, table: np.void, action: int) -> str:
        """Return the text of a legal action of the player to act at `table`.

        Raises:
            TypeError: if `table` is no table of this game, or `action` no integer.
            ValueError: if it is no action (`IllegalActionError`: none that is legal now).
        """
        record = self._record(table)
        return self._text(record, self._legal(record, action))

    def text_to_action(self, table: np.void, text: str) -> int:
        """Return the index of the legal action that `text` names at `table`.

        Raises:
            TypeError: if `table` is no table of this game, or `text` no text.
            ValueError: if the text has no form of an action (`IllegalActionError`: if it names
                what is not there, or not legal now; the error tells what comes close).
        """
        record = self._record(table)
        if not isinstance(text, str):
            raise TypeError(f"text={shown(text)}: must be the text of an action")
        description = self.parse(text, record[0])
        mask = self._legal_actions(record)
        action = int(self.kernel(kernels.encode_action, record.dtype)(record, description))
        legal = 0 <= action < len(mask) and mask[action]
        if not legal or self._text(record, action) != self.describe(description, record[0]):
            raise self._refusal(record, mask, repr(text), text)
        return action

    def position_to_dict(self, table: np.void) -> dict[str, Any]:
        """Return a position in plain JSON types; see the game's documentation page.

        Raises:
            TypeError: if `table` is no table of this game.
        """
        return self.write_position(self._record(table)[0])

    def position_from_dict(
        self, config: Any, position: Mapping[str, Any], seed: int = 0
    ) -> np.void:
        """Return the table that a position describes: the inverse of `position_to_dict`.

        Args:
            config: the variant; `None`: the default one.
            position: plain JSON types; see the game's documentation page.
            seed: of the table's random stream, which no position tells.

        Raises:
            TypeError: if `config` is no variant of this game, `position` no mapping or `seed` no
                integer.
            ValueError: if `seed` is out of range.
            ImpossiblePositionError: if the position is impossible; the text says what is wrong.
        """
        config = self.config(config)
        seed = check_seed(seed)
        if not isinstance(position, Mapping):
            raise TypeError(f"position={shown(position)}: must be a mapping")
        try:
            table = self.read_position(config, position)
        except ValueError as error:
            raise ImpossiblePositionError(str(error)) from error
        table["rng"] = rng.streams(seed, 1)
        return table[0]

    def view(self, table: np.void, viewer: int | None) -> View:
        """Return all that is to be shown of a position, in plain JSON types.

        Args:
            table: one record of a table of this game.
            viewer: a player's number: what that player may see; `None`: all cards open.

        Raises:
            TypeError: if `table` is no table of this game, or `viewer` no integer.
            ValueError: if there is no such player.
        """
        record = self._record(table)
        return self.write_view(record[0], self._viewer(record, viewer))

    def told(
        self, table: np.void, action: int, viewer: int | None, after: np.void | None = None
    ) -> Told | None:
        """Return a legal action of the player to act as a viewer is told of it.

        Args:
            table: one record of a table of this game, before the action.
            action: one that is legal there.
            viewer: a player's number; `None` and the player to act are told all of it.
            after: the table that the action has led to, so that a drawing of it can mark what the
                action concerned where it stands then.

        Returns:
            `player`, `text` (with `?` for what the viewer may not know), `words` (plain language,
            beginning with the verb) and `ids` (what it concerns, of the view before it); with
            `after` also `moved`: what is called otherwise in the view after it, by its id before,
            `None` where it is gone. `None` for what the viewer must not notice at all.

        Raises:
            TypeError: if `table` or `after` is no table of this game, or one is of another variant,
                or `action` or `viewer` no integer.
            ValueError: if there is no such player or action (`IllegalActionError`: none that is
                legal now).
        """
        record = self._record(table)
        action = self._legal(record, action)
        viewer = self._viewer(record, viewer)
        description = self._description(record, action)
        told = self.tell_action(description, record[0], viewer)
        if told is None or after is None:
            return told
        later = self._record(after, "after")[0]
        if later.dtype != record.dtype:
            raise TypeError(f"after={shown(after)}: must be a table of the same variant as `table`")
        return {**told, "moved": self.find_moved(description, record[0], later, viewer)}

    def render(self, table: np.void, viewer: int | None) -> str:
        """Return a position as text for people: what `viewer` sees of it; see `view`.

        Raises:
            TypeError: if `table` is no table of this game, or `viewer` no integer.
            ValueError: if there is no such player.
        """
        return self.write_text(self.view(table, viewer))

    def svg(
        self,
        table: np.void,
        viewer: int | None,
        *,
        last: Told | None = None,
        theme: str = "light",
        font: bool = True,
        layout: str = "whole",
    ) -> str:
        """Return a position as a picture: what `viewer` sees of it; see `view`.

        Args:
            table: one record of a table of this game.
            viewer: a player's number; `None`: all cards open.
            last: what `told` told this viewer of the last action, which is told, and marked.
            theme: `"light"` or `"dark"`.
            font: the drawing carries its face, as it must where it stands alone.
            layout: `"whole"`; `"page"`, without the headline; or `"phone"`, so too, and narrow:
                everything one below the other.

        Returns:
            SVG, always the same text for the same arguments.

        Raises:
            TypeError: if `table` is no table of this game, or another argument of the wrong type.
            ValueError: if there is no such player, theme or layout.
        """
        view = self.view(table, viewer)
        if last is not None:
            _check_told(last, len(view["players"]))
        check_bool("font", font)
        return self.draw_view(view, last=last, theme=theme, font=font, layout=layout)

    def _viewer(self, record: npt.NDArray[np.void], viewer: int | None) -> int | None:
        """Return the number of a player, or `None`.

        Raises:
            TypeError, ValueError: if `viewer` is neither.
        """
        if viewer is None:
            return None
        return check_int("viewer", viewer, 0, int(record["num_players"][0]) - 1, "or None")

    def _record(self, table: np.void, name: str = "table") -> npt.NDArray[np.void]:
        """Return an array of one table that is a copy of `table`, which errors call by a name.

        Raises:
            TypeError: if it is no table of this game.
        """
        names = self.table_dtype(self.config()).names
        if not isinstance(table, np.void) or table.dtype.names != names:
            raise TypeError(
                f"{name}={shown(table)}: must be one record of `tables.state` of {self.name}"
            )
        return np.asarray(table).reshape(1)

    def _legal_actions(self, record: npt.NDArray[np.void]) -> npt.NDArray[np.int8]:
        """Return the mask of the player to act, `(actions,)`; all 0 if the game is over."""
        mask = np.zeros(plain(self.num_actions_at)(record), np.int8)
        self.kernel(kernels.legal_actions, record.dtype)(record, mask)
        return mask

    def _legal(self, record: npt.NDArray[np.void], action: int) -> int:
        """Return a legal action.

        Raises:
            TypeError: if it is no integer.
            ValueError: if it is no action (`IllegalActionError`: none that is legal now).
        """
        mask = self._legal_actions(record)
        action = check_int("action", action, 0, len(mask) - 1)
        if not mask[action]:
            raise self._refusal(record, mask, f"action={action}")
        return action

    def _description(self, record: npt.NDArray[np.void], action: int) -> tuple[int, ...]:
        """Return the description of a legal action."""
        return self.kernel(kernels.decode_action, record.dtype)(record, action)  # type: ignore[no-any-return]

    def _text(self, record: npt.NDArray[np.void], action: int) -> str:
        """Return the text of a legal action."""
        return self.describe(self._description(record, action), record[0])

    def _refusal(
        self,
        record: npt.NDArray[np.void],
        mask: npt.NDArray[np.int8],
        action: str,
        text: str | None = None,
    ) -> IllegalActionError:
        """Return the error that says why an action is not legal, and what comes close to it."""
        if not mask.any():
            return GameOverError(f"{action}: the game is over, no action is legal")
        player, phase = record["current_player"][0], self.write_position(record[0])["phase"]
        legal = [self._text(record, action) for action in np.flatnonzero(mask).tolist()]
        close = legal[:3] if text is None else difflib.get_close_matches(text, legal, 3, 0.0)
        return IllegalActionError(
            f"{action}: not legal now for player_{player}, who is to act in phase {phase!r} and "
            f"has {len(legal)} legal actions, such as {', '.join(map(repr, close))}"
        )


def _nothing_moved(
    description: tuple[int, ...], before: np.void, after: np.void, viewer: int | None
) -> Moved:
    """Find nothing that has moved: for games whose things keep their ids."""
    del description, before, after, viewer
    return {}


def _check_told(last: Any, num_players: int) -> None:
    """Refuse what `Game.told` cannot have told.

    Raises:
        TypeError: if it is no mapping of `player`, `text`, `words`, `ids` and, where the table
            after the action was given, `moved`, of the right types.
        ValueError: if there is no such player.
    """
    must = "must be what `told` returned, or None"
    if not isinstance(last, Mapping) or not {"player", "text", "words", "ids"} <= set(last):
        raise TypeError(f"last={shown(last)}: {must}")
    texts = (last["text"], last["words"], *(last["ids"] if isinstance(last["ids"], list) else [0]))
    moved = last.get("moved", {})
    is_right = all(isinstance(text, str) for text in texts) and isinstance(moved, Mapping)
    if not is_right or not all(isinstance(now, str | None) for now in moved.values()):
        raise TypeError(f"last={shown(last)}: {must}")
    check_int("last: player", last["player"], 0, num_players - 1)


def check_game(game: Any) -> Game:
    """Return `game`, which must be a game's binding.

    Raises:
        TypeError: if it is none.
    """
    if not isinstance(game, Game):
        raise TypeError(f"game={shown(game)}: must be a Game, such as hey_waiter_env.GAME")
    return game


def _game_of(package: str) -> Game:
    """Return the game that a package binds."""
    return importlib.import_module(package).GAME  # type: ignore[no-any-return]
