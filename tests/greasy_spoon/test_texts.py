"""Actions as texts: one for each action, read back strictly, refused where it is not legal.

What is legal is told by the mask, which other tests hold against the second opinion.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from greasy_spoon_env import GAME, Config
from greasy_spoon_env.actions import describe, parse
from greasy_spoon_env.state import OVER
from waiter_envs.core.errors import IllegalActionError
from waiter_envs.core.tables import Tables

from .playing import action_texts, holding, legal_actions, seated, study
from .states import positions

encode: Any = None  # the game's own, once `encode_all` is compiled with it


def encode_all(state: Any, descriptions: Any, encoded: Any) -> None:
    """Write as what each description is encoded at the only table."""
    for i in range(descriptions.shape[0]):
        encoded[i] = encode(state[0], (descriptions[i, 0], descriptions[i, 1]))


def encoded_at(table: np.void, descriptions: npt.NDArray[np.int64]) -> list[int]:
    """Return as what each description is encoded at a table."""
    encoded = np.full(len(descriptions), 10**6)
    state = np.asarray(table).reshape(1)
    GAME.kernel(encode_all, state.dtype)(state, descriptions, encoded)
    return encoded.tolist()


def at_table(table: np.void) -> Tables:
    """Return one table at a position from play."""
    return seated(Config(), GAME.position_to_dict(table))


# -- Both directions ---------------------------------------------------------------------------


def test_every_text_is_read_back() -> None:
    """The text of every action names it, and nothing else does in its place."""
    described = [parse(text) for text in action_texts()]
    assert len(set(described)) == len(described) == 624
    assert [describe(description) for description in described] == action_texts()


def test_cards_in_any_order() -> None:
    """The cards of an item may be named in any order."""
    assert parse("serve R6 M4 K5 + side") == parse("serve M4 K5 R6 + side")
    assert describe(parse("serve R4 M3")) == "serve M3 R4"


PIECES = st.sampled_from(
    ["serve", "stash", "pass", "done", "recall", "drink", "side", "main", "+", "K1", "M1", "R1",
     "K2", "M3", "R6", "K0", "K7", "k1", "K01", "1", "\u0661", "\uff11", "K\u0661", "\uff2b1",
     "", " ", "\n", "\t", "\u00a0", "\u2003", "-", "None"]
)  # fmt: skip
JOINED = st.tuples(st.sampled_from([" ", "", "  "]), st.lists(PIECES, max_size=8))
TEXTS = st.one_of(
    st.text(max_size=30),
    st.builds(lambda pair: pair[0].join(pair[1]), JOINED),
    st.builds(
        lambda text, at, new: text[:at] + new + text[at + 1 :],
        st.sampled_from(action_texts()),
        st.integers(0, 30),
        st.one_of(PIECES, st.characters()),
    ),
)


@settings(max_examples=400, deadline=None)
@given(text=TEXTS)
def test_a_text_is_an_action_or_refused(text: str) -> None:
    """What is read has the characters of its action's text, which is then read alike."""
    try:
        description = parse(text)
    except ValueError:
        assert text not in action_texts()
        return
    assert sorted(text) == sorted(describe(description))
    assert describe(description) in action_texts()
    assert parse(describe(description)) == description


@pytest.mark.parametrize(
    "text",
    [
        "", "serve", "serve ", "stash", "serve K2 ", " serve K2", "serve  K2", "serve K2  K2",
        "serve\tK2", "serve\u00a0K2", "serve K\u0662", "serve K\uff12", "serve \uff2b2",
        "serve K02", "serve K0", "serve K7", "serve k2", "serve 2K", "Serve K2",
        "serve K2 K2 K2 K2", "serve K1 K3", "serve K2 + drink", "serve K2 K2 + drink",
        "serve M4 K5 R6 + main", "serve M4 K5 R6 +drink",
        "serve M4 K5 R6 + drink + drink", "stash K1 K1", "stash K1 ", "stash K\u0661", "pass ",
        " pass", "pass\n", "pass K1", "PASS", "done done", "recall 1", "K2", "603",
        "stash" * 50_000,
    ],
)  # fmt: skip
def test_other_forms_are_refused(text: str) -> None:
    """No blank, digit or letter but the right ones will do, and the refusal stays short."""
    complaint = "no action of Greasy Spoon|no item of|combination begins"
    with pytest.raises(ValueError, match=complaint) as caught:
        parse(text)
    assert len(str(caught.value)) < 600


# -- At tables ---------------------------------------------------------------------------------


def test_every_description_is_encoded() -> None:
    """Descriptions are encoded one to one, those of legal actions as legal ones, no others."""
    descriptions = np.array([parse(text) for text in action_texts()])
    phases = set()
    for table in positions(Config(), 41, per_kind=2, num_tables=8):
        dealt = at_table(table)
        phases.add(int(table["phase"]))
        encoded = encoded_at(table, descriptions)
        legal = {} if table["phase"] == OVER else legal_actions(dealt)
        assert sorted(encoded) == list(range(624))
        for text, action in zip(action_texts(), encoded, strict=True):
            assert dealt.action_mask[0, action] == (text in legal)
            assert legal.get(text, action) == action
    assert phases == {0, 1, 2, 3}


def test_texts_at_a_table() -> None:
    """Each legal action and its text lead to each other; all others are refused."""
    complaint = r"not legal now|the game is over"
    for table in positions(Config(), 41, per_kind=2, num_tables=8)[::2]:
        dealt = at_table(table)
        for action, text in enumerate(action_texts()):
            if dealt.action_mask[0, action]:
                assert GAME.text_to_action(table, text) == action
                assert GAME.action_to_text(table, action) == text
            elif action % 29 == 0 or action >= 603:
                with pytest.raises(IllegalActionError, match=complaint):
                    GAME.text_to_action(table, text)
                with pytest.raises(IllegalActionError, match=complaint):
                    GAME.action_to_text(table, action)


HAND = "K1 M1 R1 K2 M2 R2 K3 M3 R3 K4 M4"
LEADING = study(Config(), holding(HAND, 20), holding(HAND, 20))
ANSWERING = study(Config(), holding(HAND, 20), holding(HAND, 20), dish="R1")
PASSED = study(Config(), holding(HAND, 20), holding(HAND, 20), phase="stash")


@pytest.mark.parametrize(
    ("position", "text"),
    [
        (LEADING, "pass"), (LEADING, "recall"), (LEADING, "done"), (LEADING, "stash K1"),
        (LEADING, "serve K5"), (LEADING, "serve K4 M4 R4"), (LEADING, "serve K4 M4 K4 + drink"),
        (ANSWERING, "serve K1"), (ANSWERING, "serve K2 M2"), (ANSWERING, "recall"),
        (ANSWERING, "serve K1 K2 K3 + drink"), (ANSWERING, "stash K1"), (ANSWERING, "done"),
        (PASSED, "pass"), (PASSED, "recall"), (PASSED, "serve K1"), (PASSED, "stash K5"),
        (PASSED, "serve K1 K2 K3 + drink"),
    ],
)  # fmt: skip
def test_what_is_not_legal_here(position: dict[str, Any], text: str) -> None:
    """Of the wrong phase, with cards that are not there, too cheap: refused, with what would do."""
    table = seated(Config(), position).state[0]
    complaint = f"'{re.escape(text)}': not legal now for player_0, who .* such as '"
    with pytest.raises(IllegalActionError, match=complaint):
        GAME.text_to_action(table, text)
