"""Every kind of draw is fair: cards, not kinds of cards, are equally likely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from garcon_env import GAME, Config, tables
from garcon_env.cards import EVENT_NAMES
from tests.chance import assert_as_likely

from .playing import ALIKE, VARIANTS, study, waiter

DRAWS = 2000
SMALL = VARIANTS["small_deck"]


def assert_drawn(drawn: npt.NDArray[Any], weights: Sequence[float]) -> None:
    """Check that each number has been drawn as often as its weight says."""
    total = sum(weights)
    chances = {number: weight / total for number, weight in enumerate(weights) if weight}
    assert_as_likely(drawn.tolist(), chances)


def after(config: Config, position: dict[str, Any], text: str) -> npt.NDArray[np.void]:
    """Return many tables at a position after the same action, each with a stream of its own."""
    dealt = tables(DRAWS, 17, config=config, autoreset_mode="Disabled")
    state = np.repeat(GAME.position_from_dict(config, position).reshape(1), DRAWS)
    state["rng"] = dealt.state["rng"]
    dealt.state = state
    dealt.step(np.full(DRAWS, GAME.text_to_action(state[0], text), np.int32))
    return dealt.state.copy()


def test_deals() -> None:
    """Every order of the deck is as likely in any slot, and so is every event and first player."""
    for config in (SMALL, Config()):
        state = tables(DRAWS, 3, config=config).state
        for slot in (0, 4):
            assert_drawn(state["market"][:, slot], [1] * len(config.deck.faces))
        assert_drawn(state["market_event"][:, 0], config.event_counts)
        pairs = state["market_event"][:, 0] * 3 + state["market_event"][:, 1]
        counts = config.event_counts
        assert_drawn(pairs, [a * (b - (i == j)) for i, a in enumerate(counts)
                             for j, b in enumerate(counts)])  # fmt: skip
        assert_drawn(state["first_player"], [1] * config.players)


def assert_drawn_from(faces: list[list[str]], state: npt.NDArray[np.void]) -> None:
    """Check that the orders in slot 1 were drawn from orders with these faces."""
    known = sorted(set(ALIKE.deck.faces))
    menu = ALIKE.deck.dishes
    tally = Counter(sum(1 << menu.index(dish) for dish in face) for face in faces)
    drawn = state["face"][np.arange(len(state)), state["market"][:, 1]]
    assert_drawn(np.searchsorted(known, drawn), [tally[face] for face in known])


def test_orders_from_the_pile() -> None:
    """Equal orders are as likely as others, each."""
    position = study(ALIKE, waiter("lemonade"), market_orders=["tea", "tea", *["coffee"] * 3])
    assert len(position["order_pile"]) == 48
    assert_drawn_from(position["order_pile"], after(ALIKE, position, "take 1"))


def test_shuffled_orders() -> None:
    """The discards come back, each card as likely to be drawn; of what is open, none is."""
    opened = waiter("lemonade", "tea")
    position = study(ALIKE, opened, market_orders=[*["coffee"] * 2, *["tea"] * 3], order_pile=[])
    assert len(position["order_discards"]) == 47
    state = after(ALIKE, position, "take 1")
    assert_drawn_from(position["order_discards"], state)
    assert (state["order_pile"] == 46).all()


def test_events_from_the_pile() -> None:
    """An event of each kind is as likely as its number in the pile says."""
    config = Config(events={"repeat": 7, "notebook": 2, "leave": 2})
    position = study(config, waiter("coffee"), market_events=["notebook", "leave"])
    state = after(config, position, "notebook 0")
    assert_drawn(state["market_event"][:, 0], [position["event_pile"][n] for n in EVENT_NAMES])


def test_shuffled_events() -> None:
    """The discards come back, each card as likely to be drawn."""
    out = {"repeat": 5, "notebook": 3, "leave": 2}
    position = study(Config(), waiter("coffee", "tea*n"), market_events=["notebook", "leave"],
                     event_discards=out | {"leave": 3})  # fmt: skip
    assert not any(position["event_pile"].values())
    state = after(Config(), position, "notebook 0")
    assert_drawn(state["market_event"][:, 0], [5, 3, 3])
    assert not state["event_discards"].any()
