"""Ladders in words: the table, and the matrix of who beats whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from waiter_envs.arena.ladder import Ladder


def ladder_text(ladder: Ladder) -> Iterator[str]:
    """Yield a ladder in lines, the strongest agent first."""
    order = ranking(ladder)
    names = [ladder.agents[a].name for a in order]
    width = max(16, *map(len, names))
    yield (
        f"{ladder.deals} deals, {ladder.games} games, {ladder.truncated} cut at the turn limit; "
        f"even is {ladder.even:.0%}"
    )
    yield ""
    yield f"{'agent':<{width}} {'rating':>6}  {'95%':<14} {'won':>6}  {'95%':<14} {'drawn':>6}"
    for a in order:
        agent = ladder.agents[a]
        low, high = agent.interval
        worst, best = agent.won_interval
        yield (
            f"{agent.name:<{width}} {agent.rating:6.0f}  {f'{low:.0f} to {high:.0f}':<14} "
            f"{agent.won:6.1%}  {f'{100 * worst:.1f} to {100 * best:.1f}':<14} {agent.drawn:6.1%}"
        )
    yield ""
    yield "who is paid more than whom, in % of their games (paid alike: half)"
    yield f"{'':<{width}} {' '.join(f'{number:>5}' for number in range(1, len(order) + 1))}"
    for number, a in enumerate(order, 1):
        cells = " ".join(f"{percent(ladder.beats[a][b]):>5}" for b in order)
        yield f"{f'{number} {ladder.agents[a].name}':<{width}} {cells}".rstrip()
    yield ""
    yield narrowing_text(ladder)


def ranking(ladder: Ladder) -> Sequence[int]:
    """Return the numbers of the agents, the strongest first."""
    return sorted(range(len(ladder.agents)), key=lambda a: -ladder.agents[a].rating)


def percent(share: float | None) -> str:
    """Return a share as a text without a sign; a dash where there is none."""
    return "-" if share is None else f"{100 * share:.1f}"


def narrowing_text(ladder: Ladder) -> str:
    """Say how wide intervals are beside those of deals of their own."""
    if not ladder.head["duplicate"]:
        return "each game had a deal of its own"
    return (
        f"intervals are {ladder.narrowing:.2f} times as wide as with as many games on deals of "
        "their own"
    )
