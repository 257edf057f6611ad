"""Texts and numbers of actions: inverses of each other, and nothing else is taken."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dessert_env import GAME, Config, tables
from dessert_env.actions import describe, parse
from dessert_env.cards import DESSERTS, GUESTS
from dessert_env.position import read_position
from dessert_env.state import OVER, PHASES
from waiter_envs.core.errors import IllegalActionError

from .test_position import BASES, config_of

CONFIG = Config()
NUM_ACTIONS = 104

PLAIN = ("claim", "decline", "allow", "waiting room", "freshen", "done")
TEXTS = [
    *PLAIN,
    *(f"{verb} {name}" for verb in ("serve", "bribe", "stop", "discard") for name in DESSERTS),
    *(f"steal {name}" for name in GUESTS),
]
"""Every text of an action there is."""

KNOWN: dict[str, tuple[str, ...]] = {
    "claim": ("claim", "decline"),
    "call": ("claim", "decline"),
    "serve": ("serve",),
    "steal": ("steal", "waiting room", "freshen", "done"),
    "stop": ("stop", "allow"),
    "bribe": ("bribe",),
    "freshen": ("discard", "done"),
    "over": (),
}
"""Texts, or their verbs, that a phase knows."""


@functools.cache
def lot() -> npt.NDArray[np.void]:
    """Return tables of every phase."""
    seen = [
        read_position(CONFIG, base())
        for base in BASES.values()
        if config_of(base.__name__) == CONFIG
    ]
    return np.concatenate(seen)


decode: Any = None  # the game's own functions, once a template is compiled with them
encode: Any = None


def encode_all(state: Any, descriptions: Any, encoded: Any, decoded: Any) -> None:
    """Write what each description is encoded as at each table, and what that is decoded as."""
    for i in range(state.shape[0]):
        for j in range(descriptions.shape[0]):
            action = encode(state[i], (descriptions[j, 0], descriptions[j, 1]))
            encoded[i, j] = action
            if action >= 0:
                decoded[i, j, 0], decoded[i, j, 1] = decode(state[i], action)


def test_texts_and_descriptions() -> None:
    """Every text is parsed, and is the text of what it is parsed to; no two are alike."""
    descriptions = [parse(text) for text in TEXTS]
    assert [describe(description) for description in descriptions] == TEXTS
    assert len(set(descriptions)) == len(TEXTS) == 6 + 4 * 76 + 24


def test_every_description_is_encoded_or_refused() -> None:
    """At any table: -1, or an action of the phase that means just that, and all legal ones are."""
    descriptions = np.array([parse(text) for text in TEXTS])
    state = lot()
    assert set(state["phase"]) == set(range(OVER + 1))
    encoded = np.full((len(state), len(TEXTS)), -9)
    decoded = np.full((*encoded.shape, 2), -9)
    GAME.kernel(encode_all, state.dtype)(state, descriptions, encoded, decoded)
    known = encoded >= 0
    assert ((encoded >= -1) & (encoded < NUM_ACTIONS)).all()
    assert np.array_equal(decoded[known], np.broadcast_to(descriptions, decoded.shape)[known])
    for phase, words in enumerate(KNOWN.values()):
        allowed = [text in words or text.partition(" ")[0] in words for text in TEXTS]
        here = known[state["phase"] == phase]
        assert not here[:, ~np.array(allowed)].any()
        assert here.any() or not words
    live = state["phase"] != OVER
    dealt = tables(int(live.sum()), 0, config=CONFIG)
    dealt.state = state[live]
    for mask, actions in zip(dealt.action_mask, encoded[live], strict=True):
        assert set(np.flatnonzero(mask)) <= set(actions)


def test_every_text_is_legal_or_refused() -> None:
    """At a table of every phase: an action that has this text, or an error that says what is."""
    for phase, name in enumerate(PHASES):
        table = lot()[lot()["phase"] == phase][0]
        dealt = tables(1, 0, config=CONFIG, autoreset_mode="Disabled")
        dealt.state = table.reshape(1)
        legal = np.flatnonzero(dealt.action_mask[0]).tolist()
        texts = {GAME.action_to_text(table, action): action for action in legal}
        assert texts.keys() <= set(TEXTS)
        assert {text: GAME.text_to_action(table, text) for text in texts} == texts
        why = "the game is over" if phase == OVER else f"not legal now .* in phase '{name}'"
        for text in set(TEXTS[::5]) - texts.keys():
            with pytest.raises(IllegalActionError, match=f"^{text!r}: {why}"):
                GAME.text_to_action(table, text)


def test_spaces_around() -> None:
    """Blanks and line ends around a text are no part of it."""
    assert parse(" serve Fudge\r\n") == parse("serve Fudge")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "'' is no action of Dessert; actions look like 'claim', 'decline', 'serve Fudge'"),
        ("Claim", "'Claim' is no action of Dessert"),
        ("claim it", "'claim it' is no action"),
        ("claim\u2003", "is no action of Dessert"),
        ("\N{FULLWIDTH LATIN SMALL LETTER D}one", "is no action of Dessert"),
        ("waiting  room", "'waiting  room' is no action"),
        ("serve", "'serve': there is no dessert ''; the card list names all"),
        ("serve fudge", "'serve fudge': there is no dessert 'fudge'"),
        ("serve  Fudge", "there is no dessert ' Fudge'"),
        ("serve Fudge.", "there is no dessert 'Fudge.'"),
        ("stop 36", "there is no dessert '36'"),
        ("bribe Wally", "there is no dessert 'Wally'"),
        ("discard F\u00fcdge", "there is no dessert"),
        ("steal Fudge", "'steal Fudge': there is no guest 'Fudge'; there are Agent 17, Bob Fru"),
        ("steal", "there is no guest ''"),
    ],
)
def test_what_is_no_text(text: str, complaint: str) -> None:
    """Whatever has another form, or names no card, is refused with a text that says so."""
    with pytest.raises(ValueError, match=complaint):
        parse(text)


def test_long_texts_make_short_errors() -> None:
    """An error does not repeat a book."""
    for text in ("x" * 200_000, "serve " + "x" * 200_000, "steal " + "x" * 200_000):
        with pytest.raises(ValueError, match=r"there is no|is no action") as error:
            parse(text)
        assert len(str(error.value)) < 2000


NEARLY = st.one_of(
    st.sampled_from(TEXTS),
    st.text(),
    st.builds(
        "{}{}{}".format,
        st.sampled_from(["serve ", "steal ", "stop", "bribe ", "discard  ", " claim", "done"]),
        st.sampled_from(["", *DESSERTS, *GUESTS, "0", "\u0663"]),
        st.text(max_size=2),
    ),
)


@given(text=NEARLY)
@settings(max_examples=300)
def test_any_text(text: str) -> None:
    """A text is refused, or it is the text of what it is parsed to."""
    try:
        description = parse(text)
    except ValueError:
        assert text.strip(" ") not in TEXTS
    else:
        assert describe(description) == text.strip(" \t\r\n\v\f")
