"""Actions as text: both directions, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from garcon_env import GAME, Config
from waiter_envs.core import kernels
from waiter_envs.core.errors import IllegalActionError

from .playing import legal_actions, seated
from .test_position import choosing, naming, turn, won

TABLES = [seated(Config(), position()) for position in (turn, naming, choosing, won)]
TURN, NAMING, CHOOSING, WON = (dealt.state[0] for dealt in TABLES)

NOT_LEGAL = [
    (TURN, ["complete 3", "complete 11", "complete 12", "complete 9999", "take 5", "name tea",
            "done", "repeat 0", "repeat 3", "notebook 0", "leave P0.0", "leave P1.1", "leave P2.0",
            "leave P4.0", "leave P9999.9999", "leave P1.12"]),
    (NAMING, ["take 0", "complete 0", "done", "notebook 1", "leave P1.0", "name tea",
              "name cheesecake"]),
    (CHOOSING, ["take 0", "complete 3", "done", "repeat 1", "leave P1.0", "name coffee"]),
    (WON, ["take 0", "complete 0", "done", "name tea", "notebook 0", "leave P1.0"]),
]  # fmt: skip


@pytest.mark.parametrize(("table", "texts"), NOT_LEGAL, ids=["turn", "naming", "choose", "won"])
def test_what_is_not_legal_is_refused(table: np.void, texts: list[str]) -> None:
    """The error says who is to act in which phase, or that the game is over."""
    for text in texts:
        with pytest.raises(IllegalActionError, match=r"is to act in phase|the game is over"):
            GAME.text_to_action(table, text)


@pytest.mark.parametrize(
    "text",
    ["", "take", "take ", "take x", "take -1", "take +1", "take 03", "take 0003", "take 10000",
     "take ٣", "take \uff13", "take 3.0", "take 1e0", "take 1_0", "take  3", "take\t3",
     "take\u00a03",
     "Take 3", "take 3 4", "done 0", "pass", "recall", "leave 1", "leave P1", "leave P1.", "leave",
     "leave P01.0", "leave P1.00", "leave P٣.0", "leave P1,0", "leave p1.0", "repeat", "name",
     "repeat \u0660", "take 99999999999999999999", "x" * 200_000],
)  # fmt: skip
def test_what_is_no_action_is_refused(text: str) -> None:
    """Numbers are plain, without leading zeros; the error is short and shows the forms."""
    with pytest.raises(ValueError, match="is no action of Garçon; actions look like") as refused:
        GAME.text_to_action(TURN, text)
    assert not isinstance(refused.value, IllegalActionError)
    assert len(str(refused.value)) < 1000


def test_dishes_that_are_not_on_the_menu_are_refused() -> None:
    """The error names the menu."""
    for dish in ("beer", "Tea", "tea ;soup", "0", "x" * 200_000):
        with pytest.raises(ValueError, match="is not on the menu, which has coffee, tea, ") as no:
            GAME.text_to_action(NAMING, f"name {dish}")
        assert len(str(no.value)) < 1000


def test_every_legal_action_has_its_text() -> None:
    """And the text gives the action; blanks around it do not matter."""
    for dealt in TABLES[:3]:
        for text, action in legal_actions(dealt).items():
            assert GAME.action_to_text(dealt.state[0], action) == text
            assert GAME.text_to_action(dealt.state[0], text) == action
            assert GAME.text_to_action(dealt.state[0], f" {text}\n") == action


NUMBERS = st.one_of(st.integers(0, 13), st.sampled_from([99, 127, 128, 255, 9999]))
TEXTS = st.one_of(
    st.builds("{} {}".format, st.sampled_from(["take", "complete", "repeat", "notebook"]), NUMBERS),
    st.builds("leave P{}.{}".format, NUMBERS, NUMBERS),
    st.builds("name {}".format, st.sampled_from(Config().deck.dishes)),
    st.just("done"),
    st.text(max_size=12),
)


@given(st.sampled_from(range(4)), TEXTS)
def test_any_text(which: int, text: str) -> None:
    """A text is the one text of a legal action, or it is refused."""
    dealt = TABLES[which]
    legal = {} if dealt.terminated[0] else legal_actions(dealt)
    try:
        action: Any = GAME.text_to_action(dealt.state[0], text)
    except ValueError:
        action = None
    assert action == legal.get(text.strip())


def test_any_description_is_encoded() -> None:
    """Whatever can be read gives an index of the action space, or -1; no two give the same."""
    for table in (TURN, NAMING, CHOOSING, WON):
        array = np.asarray(table).reshape(1)
        kernel = GAME.kernel(kernels.encode_action, array.dtype)
        texts = [f"name {dish}" for dish in Config().deck.dishes] + ["done"]
        for number in (*range(14), 127, 128, 255, 9999):
            texts += [f"{verb} {number}" for verb in ("take", "complete", "repeat", "notebook")]
            texts += [f"leave P{number}.{place}" for place in (0, 11, 12, 128, 9999)]
        found = [int(kernel(array, GAME.parse(text, table))) for text in texts]
        assert min(found) == -1
        assert max(found) < GAME.num_actions(Config())
        some = [action for action in found if action >= 0]
        assert len(set(some)) == len(some) > 60


def test_menus_that_this_process_has_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that was saved elsewhere names dishes and symbols by their numbers."""
    monkeypatch.setattr("garcon_env.state.DECKS", {})
    assert GAME.text_to_action(NAMING, "name dish 0") in np.flatnonzero(TABLES[1].action_mask[0])
    order = GAME.position_to_dict(NAMING)["players"][0]["open"][1]
    assert order["face"] == ["dish 2", "dish 9"]
    assert order["back"] == ["symbol 0", "symbol 1"]
