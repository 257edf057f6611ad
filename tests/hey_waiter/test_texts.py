"""Texts of actions: every legal one in both directions, and whatever else looks like one.

What is legal is taken from the mask; `text_to_action` may name nothing else.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hey_waiter_env import GAME, tables
from hey_waiter_env.actions import describe, parse
from hey_waiter_env.state import DRAFT, OVER, PLAY
from waiter_envs.core.errors import IllegalActionError

from .playing import VARIANTS, seat_player, seated, study, styled_actions

NAMES = ("2_players", "4_partnership", "secret_2v2", "handicap")
"""Variants whose texts differ: no partners, known ones, secret ones, no choice of stack."""

numbers = st.integers(0, 13) | st.sampled_from([99, 255, 256, 32768, 65535, 99999])
colours = st.sampled_from("WGRB")
places = st.integers(0, 4)


def texts() -> st.SearchStrategy[str]:
    """Return texts of all forms, whether there is anything behind them or not."""
    busboy = st.tuples(
        st.one_of(st.just(""), places.map(" lift {}".format)),
        st.one_of(st.just(" turn"), places.map(" serve {}".format)),
    ).map("".join)
    return st.one_of(
        st.builds("pick {} on {}".format, numbers, colours),
        st.builds("G>{}".format, colours),
        st.builds("R>{} P{}.{}".format, colours, numbers, places),
        st.builds("W>{}{}".format, colours, busboy),
        st.builds("W>{} lift {}".format, colours, places),
        st.builds("B>{} {}.{} new {}".format, colours, places, numbers, colours),
        st.builds("B>{} {}.{} onto {}".format, colours, places, numbers, places),
        st.builds("B>{} take P{} {}.{} new {}".format, colours, numbers, places, numbers, colours),
        st.text("WGRB", min_size=1, max_size=7).map("discard {}".format),
    )


@functools.cache
def moments(variant: str) -> tuple[tuple[np.void, dict[str, int]], ...]:
    """Return tables of all phases, each with its legal actions: text to index."""
    config = VARIANTS[variant]
    rng = np.random.default_rng(1)
    dealt = tables(2, 5, config=config)
    found = []
    for step in range(120):
        if step % 12 == 0:
            for table, mask in zip(dealt.state.copy(), dealt.action_mask.copy(), strict=True):
                legal = {
                    GAME.action_to_text(table, action): action
                    for action in np.flatnonzero(mask).tolist()
                }
                assert len(legal) == mask.sum(), "every action has a text of its own"
                found.append((table, legal))
        dealt.step(styled_actions(dealt, rng))
    assert {int(table["phase"]) for table, _ in found} == {DRAFT, PLAY}
    return tuple(found)


@pytest.mark.parametrize("variant", NAMES)
def test_every_legal_action_in_both_directions(variant: str) -> None:
    for table, legal in moments(variant):
        for text, action in legal.items():
            assert GAME.text_to_action(table, text) == action
            assert describe(parse(text)) == text


@pytest.mark.parametrize("variant", NAMES)
@settings(max_examples=200)
@given(text=texts(), moment=st.integers(0, 19))
def test_a_text_names_the_legal_action_or_none(variant: str, text: str, moment: int) -> None:
    """Letters of a discard may stand in any order; all else must be as the library writes it."""
    in_order = describe(parse(text))
    assert in_order == text or (text.startswith("discard") and sorted(in_order) == sorted(text))
    table, legal = moments(variant)[moment]
    if in_order in legal:
        assert GAME.text_to_action(table, text) == legal[in_order]
    else:
        with pytest.raises(IllegalActionError, match="not legal now for player_"):
            GAME.text_to_action(table, text)


@given(
    st.text(st.sampled_from("WGRBP>.0123456789 pickonserveliftturdaw\n\u0663\uff12"), max_size=24)
    | texts()
)
def test_a_text_is_read_to_the_letter_or_not_at_all(text: str) -> None:
    try:
        description = parse(text)
    except ValueError as refused:
        assert "actions look like" in str(refused)  # noqa: PT017
        return
    assert len(description) == 6
    assert sorted(describe(description)) == sorted(text)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "pass", "pick \uff12 on G", "pick 02 on G", "pick -1 on G", "pick +1 on G",
        "pick 1_0 on G", "pick 100000 on G", "pick 1 on Y", "pick 1 on g", "pick 1  on G",
        "pick 1 on G ", " pick 1 on G", "pick 1 on G\n", "PICK 1 on G", "G>", "G>Y", "G>RR", "g>R",
        "R>B P\u0661.0", "R>B P01.0", "R>B P1.5", "R>B P1.00", "R>B 1.0", "R>B P1", "W>R",
        "W>R lift",
        "W>R lift 5", "W>R serve \u0663", "W>R turn lift 1", "W>R lift 1 lift 2",
        "W>R serve 0 turn",
        "B>G 0.3", "B>G 0.03 new W", "B>G 5.0 new W", "B>G 0.3 new Y", "B>G 0.3 onto 5",
        "B>G 0.3 new W onto 1", "B>G take P2 0.3", "B>G take P02 0.3 new W",
        "B>G take P2 0.3 onto 1",
        "discard", "discard ", "discard GGWGGWGG", "discard GgW", "discard G W", "discard 3",
        "G>R" * 100_000,
    ],
)  # fmt: skip
def test_what_is_no_text_of_an_action(text: str) -> None:
    table, _ = moments("2_players")[0]
    with pytest.raises(ValueError, match="is no action of Hey Waiter!; actions look like") as error:
        GAME.text_to_action(table, text)
    assert not isinstance(error.value, IllegalActionError)
    assert len(str(error.value)) < 600


def test_no_action_is_named_after_the_end() -> None:
    config = VARIANTS["2_players"]
    idle = seat_player("GGRRBB", "W W")
    dealt = seated(config, study(config, idle, idle, phase="over", turn=600, truncated=True))
    assert dealt.state[0]["phase"] == OVER
    for text in ("G>W", "discard G", "pick 0 on W", "B>W 0.0 new G"):
        with pytest.raises(IllegalActionError, match="the game is over"):
            GAME.text_to_action(dealt.state[0], text)
