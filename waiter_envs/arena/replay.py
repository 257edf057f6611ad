"""Records as text: a line for a list of them, or the whole game, decision after decision."""

from __future__ import annotations

from collections.abc import Iterator

from waiter_envs.arena.playthrough import changes
from waiter_envs.arena.records import UNFINISHED, Record, Step
from waiter_envs.core.game import Game
from waiter_envs.core.games import load

HEADER = f"{'game':>6} {'of':<14} {'variant':<18} {'decisions':>9}  {'winner':<8} players"
_SHOWN = 3
"""Actions of which probabilities are told, the likeliest ones."""


def line(number: int, record: Record) -> str:
    """Return what a list says of a game, under `HEADER`."""
    players = " ".join(f"P{p}={name or '?'}" for p, name in enumerate(record.players))
    return (
        f"{number:>6} {record.game:<14} {record.preset or 'its own':<18} "
        f"{len(record.actions):>9}  {_winners(record):<8} {players}"
    )


def game_text(record: Record, seat: int | None = None) -> Iterator[str]:
    """Yield the lines of a whole game.

    Args:
        record: the game.
        seat: the player as whom to look: its view of the table before each decision, and its own
            actions; `None`: all cards, as what changes in the position, and all actions.

    Raises:
        RecordError: if an action is not legal.
    """
    game = load(record.game)
    variant = record.preset or ", ".join(f"{k}={v}" for k, v in record.variant.items())
    yield f"# A game of {game.title} ({record.game}_v{record.version}), {variant}"
    names = ", ".join(f"P{p} {name or '?'}" for p, name in enumerate(record.players))
    yield f"players: {names}"
    known: dict[str, str] = {}
    step = None
    for step in record.replay():
        yield ""
        yield f"== decision {step.number}: P{step.player} =="
        if seat is None:
            yield from changes(game.position_to_dict(step.table), known)
        else:
            yield game.render(step.table, seat)
        if seat in (None, step.player):
            yield f"action: {step.text}  # {step.action}"
            yield from _thought(game, step)
        if step.rewards.any():
            yield f"rewards: {_numbers(step.rewards.tolist())}"
    yield ""
    yield f"== {record.end} =="
    if step is not None and seat is not None:
        yield game.render(step.after, seat)
    elif step is not None:
        yield from changes(game.position_to_dict(step.after), known)
    yield f"rewards in all: {_numbers(record.rewards)}; won: {_winners(record)}"


def _thought(game: Game, step: Step) -> Iterator[str]:
    """Yield what an agent thought of a decision."""
    if step.thought is None:
        return
    told = []
    chances = step.thought.probabilities or {}
    for action in sorted(chances, key=lambda action: -chances[action])[:_SHOWN]:
        told.append(f"{game.action_to_text(step.table, action)} {100 * chances[action]:.1f}%")
    if step.thought.value is not None:
        told.append(f"value {step.thought.value:g}")
    if step.thought.seconds is not None:
        told.append(f"{step.thought.seconds:g} s")
    yield f"thought: {', '.join(told)}"


def _winners(record: Record) -> str:
    if record.end == UNFINISHED:
        return UNFINISHED[:8]
    return " ".join(f"P{player}" for player in record.winners) or "nobody"


def _numbers(values: tuple[float, ...] | list[float]) -> str:
    return " ".join(f"{value:g}" for value in values)
