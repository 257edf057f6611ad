"""`Sitting`: a game between people and agents, one after another; it knows nothing of the web.

Each person is shown *frames*, one for each thing that happened, with what the person is told of it.
What a person must not notice makes no frame, and every number here counts what happened to that
person alone: numbers of all decisions would tell who has been asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from waiter_envs.agents.agent import Agent, Decisions
from waiter_envs.agents.search import SearchAgent
from waiter_envs.arena.records import Record
from waiter_envs.core.checks import check_int, check_seed
from waiter_envs.core.game import Game, check_game
from waiter_envs.core.tables import Tables, random_seed
from waiter_envs.core.views import Told, View
from waiter_envs.web.seats import best_agent, fill, label, make_agents, make_fitting
from waiter_envs.web.weighing import Weighing

MOST_FRAMES = 400
"""Frames that are kept for a person who is not asked for long; then the oldest are dropped."""


class NotNow(ValueError):  # noqa: N818
    """What somebody asks for does not fit the game as it is now; nothing has changed."""


@dataclass(frozen=True)
class Frame:
    """What a person was shown when something had happened."""

    number: int
    """Of those shown to this person, from 1 on, in this and earlier games."""
    table: np.void
    """The table then, hidden cards and all: show it to nobody but through `Game.view`."""
    view: View
    """What the person sees of it."""
    told: Told | None
    """What had happened, or `None`: the deal, or what the person sees without being told."""


@dataclass
class Place:
    """What a person has been shown and asked."""

    player: int
    frames: list[Frame] = field(default_factory=list)
    """Since the person's last decision, that one included; or since the deal."""
    log: list[Told] = field(default_factory=list)
    """All that the person has been told in this game."""
    shown: int = 0
    """Number of the last frame."""
    asked: int = 0
    """Number of the last decision that the person was asked for."""
    version: int = 0
    """Raised whenever something changes that the person may see."""


@dataclass(frozen=True)
class Choice:
    """A legal action, in full: who is asked for it may know all of it."""

    action: int
    block: str
    """The block of the action space that it belongs to."""
    told: Told


@dataclass(frozen=True)
class Hint:
    """What an agent would do in a person's place."""

    agent: str
    choice: Choice
    chances: tuple[tuple[Choice, float], ...] | None
    """The likeliest actions with their probabilities, if the agent tells them."""
    value: float | None
    """What it expects to be paid, if it tells; a search: what it was paid on average."""
    searches: bool
    """Whether the probabilities are shares of its playouts."""
    by_rules: bool
    """Whether it is rule-based, so that its choice can be weighed."""


@dataclass(frozen=True)
class _Moment:
    """All that undo goes back to."""

    state: npt.NDArray[np.void]
    memories: list[Any]
    actions: int
    frames: list[Frame]
    log: list[Told]


class Sitting:
    """People and agents at one table; game after game."""

    def __init__(
        self,
        game: Game,
        config: Any = None,
        seats: Sequence[str] = ("me",),
        seed: int | None = None,
        *,
        adviser: str | None = None,
        keep: Callable[[Record], None] | None = None,
    ) -> None:
        """Deal the first game, and let agents play until a person is asked.

        Args:
            game: the game.
            config: its variant.
            seats: who plays, in the order of players: `"me"` for a person, else whatever
                `make_agent` takes by name. The last agent also takes the places left over.
            seed: of the first deal and of random agents; `None`: drawn from the operating system,
                as for every further game.
            adviser: the agent that gives hints; `None`: the game's first rule-based one.
            keep: is called with the record of each game that is over or given up.

        Raises:
            TypeError, ValueError: for an argument of the wrong type, an unknown agent, or a policy
                that has learnt a variant of other sizes.
        """
        self.game = check_game(game)
        self.config = game.config(config)
        seed = random_seed() if seed is None else check_seed(seed, "or None")
        self.seats = fill(game, seats, self.config.num_players)
        self.names = tuple(map(label, self.seats))
        """What each player is called."""
        adviser = best_agent(game) if adviser is None else adviser
        self.adviser = label(adviser)
        self._agents = make_agents(game, self.config, self.seats, seed)
        self._adviser = make_fitting(game, self.config, adviser, seed)
        self._rules = adviser if adviser in game.heuristics else None
        self._keep = keep
        self.blocks = game.action_blocks(self.config)
        """The blocks of the action space, in order."""
        self._places = {
            player: Place(player) for player, agent in enumerate(self._agents) if agent is None
        }
        self._choices: tuple[Choice, ...] | None = None
        self._actions: list[int] = []
        self._past: list[_Moment] = []
        self._acted = self._kept = False
        self.round = 0
        """Games begun."""
        self._tables: Tables | None = None
        self._deal(seed)

    # -- what there is to see ----------------------------------------------------------------

    @property
    def people(self) -> tuple[int, ...]:
        """The players who are people."""
        return tuple(self._places)

    @property
    def over(self) -> bool:
        """Whether the game is over; then all cards are open."""
        return bool(self.tables.terminated[0] or self.tables.truncated[0])

    @property
    def tables(self) -> Tables:
        """The only table."""
        assert self._tables is not None
        return self._tables

    def place(self, player: int) -> Place:
        """Return what a person has been shown and asked.

        Raises:
            TypeError, ValueError: if no person is this player.
        """
        if check_int("player", player, 0, len(self.seats) - 1) not in self._places:
            raise ValueError(f"player={player}: an agent; people are {self.people}")
        return self._places[player]

    def is_asked(self, player: int) -> bool:
        """Return whether a person is to decide now."""
        return not self.over and self._current == self.place(player).player

    def choices(self, player: int) -> tuple[Choice, ...]:
        """Return what a person may do now; nothing if it is not asked."""
        if not self.is_asked(player):
            return ()
        if self._choices is None:
            legal = np.flatnonzero(self.tables.action_mask[0]).tolist()
            self._choices = tuple(self._choice(action) for action in legal)
        return self._choices

    def frame(self, player: int, number: int) -> Frame:
        """Return a frame that is kept for a person.

        Raises:
            NotNow: if there is none of that number, or no more.
        """
        for frame in self.place(player).frames:
            if frame.number == number:
                return frame
        raise NotNow("this moment is not shown any more")

    def can_undo(self, player: int) -> bool:
        """Return whether a person may take its last decision back: alone among agents."""
        return bool(self._past) and not self.over and self.people == (self.place(player).player,)

    def can_deal(self, player: int) -> bool:
        """Return whether a person may begin a game now: alone among agents, or when one is over."""
        return self.over or self.people == (self.place(player).player,)

    def record(self) -> Record:
        """Return the record of the game as far as it has come. It tells all cards."""
        return Record.of(self.game, self.config, self._actions, players=self.names, **self._start)

    # -- what there is to do -----------------------------------------------------------------

    def act(self, player: int, decision: int, action: int) -> None:
        """Carry out a person's decision, and let agents play until a person is asked.

        Args:
            player: the person.
            decision: its number, `Place.asked`.
            action: one of `choices`.

        Raises:
            NotNow: if the person is not asked for this decision, or the action is not legal.
        """
        self._check_asked(player, decision)
        if not any(choice.action == action for choice in self.choices(player)):
            raise NotNow("this is not possible now")
        self._acted = True
        self._past.append(self._moment(player))
        place = self.place(player)
        place.frames.clear()
        place.log[:] = [_remembered(told) for told in place.log]
        self._play(action)
        self._go_on()

    def undo(self, player: int, decision: int) -> None:
        """Take a person's last decision back, and all that has happened since.

        Args:
            player: the person.
            decision: the number of the present decision.

        Raises:
            NotNow: if nothing can be taken back, or not now.
        """
        if not self.can_undo(player):
            raise NotNow("there is nothing to take back")
        self._check_asked(player, decision)
        moment = self._past.pop()
        self.tables.state = moment.state
        for agent, memory in zip(self._everybody(), moment.memories, strict=True):
            agent.restore(memory)
        del self._actions[moment.actions :]
        place = self.place(player)
        place.frames, place.log = list(moment.frames), list(moment.log)
        self._show(player, None, always=True)
        self._ask()

    def hint(self, player: int, decision: int) -> Hint:
        """Return what the adviser would do in a person's place; nothing changes.

        Raises:
            NotNow: if the person is not asked for this decision.
        """
        self._check_asked(player, decision)
        before = self._adviser.snapshot()
        actions, thoughts = self._adviser.think(self._decisions())
        self._adviser.restore(before)
        by_action = {choice.action: choice for choice in self.choices(player)}
        chances = value = None
        if thoughts is not None and thoughts.probabilities is not None:
            row = thoughts.probabilities[0]
            likely = sorted(by_action, key=lambda action: -row[action])[:5]
            chances = tuple((by_action[action], float(row[action])) for action in likely)
        if thoughts is not None and thoughts.values is not None:
            value = float(thoughts.values[0])
        return Hint(
            self.adviser,
            by_action[int(actions[0])],
            chances,
            value,
            isinstance(self._adviser, SearchAgent),
            self._rules is not None,
        )

    def weighing(self, player: int, decision: int) -> Weighing:
        """Return what plays a person's decision out, to be run without the sitting.

        Raises:
            NotNow: if the person is not asked for this decision, or the adviser is not rule-based.
        """
        self._check_asked(player, decision)
        if self._rules is None:
            raise NotNow("the adviser itself tells how it values what you can do")
        return Weighing(self.game, self._decisions(), self._rules)

    def new_game(self, player: int, game: int) -> None:
        """Begin another game.

        Args:
            player: the person who asks for it.
            game: the number of the present one, `round`.

        Raises:
            NotNow: if it is another's number, or others are still playing.
        """
        self._check_deal(player, game)
        self.close()
        self._deal(random_seed())

    def same_deal(self, player: int, game: int) -> None:
        """Begin the same game again, from the same deal; see `new_game`.

        Raises:
            NotNow: as `new_game`.
        """
        self._check_deal(player, game)
        self.close()
        if "seed" in self._start:
            self._deal(self._start["seed"])
        else:
            self.set_up(self._first)

    def set_up(self, table: np.void) -> None:
        """Begin a game at a position of this variant, such as `Game.position_from_dict` returns."""
        self.tables.state = np.asarray(table).reshape(1).copy()
        stream = tuple(int(word) for word in table["rng"])
        self._begin({"position": self.game.position_to_dict(table), "stream": stream})

    def close(self) -> None:
        """Keep the record of the game in progress, if a person has done anything."""
        if self._keep is not None and self._acted and not self._kept:
            self._keep(self.record())
        self._kept = True

    # -- inside ------------------------------------------------------------------------------

    @property
    def _current(self) -> int:
        return int(self.tables.current_player[0])

    def _deal(self, seed: int) -> None:
        """Deal a game."""
        if self._tables is None:
            self._tables = Tables(
                self.game, self.config, 1, seed, autoreset_mode="Disabled", num_threads=1
            )
        else:
            self._tables.reset(seed)
        self._begin({"seed": seed})

    def _begin(self, start: dict[str, Any]) -> None:
        """Begin a game at the table as it lies there."""
        self._start, self._first = start, self.tables.state[0].copy()
        self._actions, self._past, self._choices = [], [], None
        self._acted = self._kept = False
        self.round += 1
        for agent in self._everybody():
            agent.reset(np.zeros(1, np.int64))
        for place in self._places.values():
            place.frames.clear()
            place.log.clear()
            self._show(place.player, None, always=True)
        self._go_on()

    def _check_deal(self, player: int, game: int) -> None:
        """Refuse to begin a game while others are playing, or twice."""
        if not self.can_deal(player):
            raise NotNow("a new game begins when this one is over")
        if game != self.round:
            raise NotNow("a new game has begun already")

    def _everybody(self) -> list[Agent]:
        """Return all agents, the adviser last."""
        return [*(agent for agent in self._agents if agent is not None), self._adviser]

    def _check_asked(self, player: int, decision: int) -> None:
        """Refuse a decision that a person is not asked for."""
        if not self.is_asked(player):
            raise NotNow("it is not your turn")
        if decision != self.place(player).asked:
            raise NotNow("this has been decided already")

    def _choice(self, action: int) -> Choice:
        """Return a legal action of the player to act, all of it, as long as it is a choice."""
        told = self.game.told(self.tables.state[0], action, None)
        assert told is not None
        block = next(b.name for b in reversed(self.blocks) if b.start <= action)
        return Choice(action, block, told)

    def _decisions(self, only: int | None = None) -> Decisions:
        """Return the present decision, as agents are asked for it; with one legal action only."""
        decisions = Decisions.at(self.tables, np.zeros(1, np.int64))
        if only is None:
            return decisions
        action_mask = np.zeros_like(decisions.action_mask)
        action_mask[0, only] = 1
        return decisions._replace(action_mask=action_mask)

    def _moment(self, player: int) -> _Moment:
        place = self.place(player)
        return _Moment(
            state=self.tables.state.copy(),
            memories=[agent.snapshot() for agent in self._everybody()],
            actions=len(self._actions),
            frames=list(place.frames),
            log=list(place.log),
        )

    def _go_on(self) -> None:
        """Let agents play until a person is asked or the game is over."""
        while not self.over and (agent := self._agents[self._current]) is not None:
            self._play(int(agent.act(self._decisions())[0]))
        if self.over:
            self.close()
            for place in self._places.values():
                place.version += 1
        self._ask()

    def _ask(self) -> None:
        """Number the decision that a person is asked for."""
        self._choices = None
        if not self.over:
            place = self._places[self._current]
            place.asked += 1
            place.version += 1

    def _play(self, action: int) -> None:
        """Play an action, and show every person as much of it as it may know."""
        table, player = self.tables.state[0].copy(), self._current
        if player in self._places:  # so that the adviser remembers what its player did
            self._adviser.act(self._decisions(only=action))
        self.tables.step(np.array([action], np.int32))
        self._actions.append(action)
        after = self.tables.state[0].copy()
        for person in self._places:
            self._show(person, self.game.told(table, action, person, after))

    def _show(self, player: int, told: Told | None, *, always: bool = False) -> None:
        """Show a person the table, unless nothing has happened as far as it may know."""
        place = self.place(player)
        table = self.tables.state[0].copy()
        view = self.game.view(table, player)
        unnoticed = told is None and bool(place.frames) and place.frames[-1].view == view
        if unnoticed and not always:
            return
        place.shown += 1
        place.version += 1
        place.frames.append(Frame(place.shown, table, view, told))
        del place.frames[:-MOST_FRAMES]
        if told is not None:
            place.log.append(told)


def _remembered(told: Told) -> Told:
    """Return what is told of an action later, when some of it is one's own to remember."""
    return {**told, "words": told.get("later", told["words"])}
