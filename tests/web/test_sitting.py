"""A game in progress: what people are asked and shown, undo, hints, new games, records."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import waiter_envs
from waiter_envs.agents.policies import save_policy
from waiter_envs.web.seats import fill, label
from waiter_envs.web.sitting import NotNow, Sitting

from .playing import asked, do, everybody, everything, play_on, sitting, some_choice, variant


@pytest.fixture
def rng() -> np.random.Generator:
    """Return a random stream."""
    return np.random.default_rng(6)


def written(table: Sitting, record: np.void | None = None) -> tuple[object, list[int]]:
    """Return a position and its random stream: records have gaps in which anything may stand."""
    record = table.tables.state[0] if record is None else record
    return table.game.position_to_dict(record), record["rng"].tolist()


# -- Whole games -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_a_whole_game(name: str, rng: np.random.Generator) -> None:
    """What may be done is what the mask says; the record kept at the end is what was played."""
    kept = []
    table = sitting(name, "me", keep=kept.append)
    place = table.place(0)
    while not table.over:
        (mask,) = table.tables.action_mask
        assert [choice.action for choice in table.choices(0)] == np.flatnonzero(mask).tolist()
        assert table.is_asked(0)
        assert int(table.tables.current_player[0]) == 0
        do(table, some_choice(table, rng))
    assert table.choices(0) == ()
    assert not table.is_asked(0)
    (record,) = kept
    *_, last = record.replay()
    assert written(table, last.after) == written(table)
    assert record.end in ("terminated", "truncated")
    assert list(record.winners) == place.frames[-1].view["winners"]
    table.close()
    assert len(kept) == 1


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_frames_show_all_that_happened_since_the_last_decision(
    name: str, rng: np.random.Generator
) -> None:
    """They begin with what the person did, end with the table, and are numbered on and on."""
    table = sitting(name, "me")
    place = table.place(0)
    game = table.game
    log: list[str] = []
    last = 0
    while not table.over:
        numbers = [frame.number for frame in place.frames]
        assert numbers == list(range(last + 1, last + 1 + len(numbers)))
        last = numbers[-1]
        assert place.frames[-1].view == game.view(table.tables.state[0], 0)
        log += [frame.told["words"] for frame in place.frames if frame.told]
        choice = some_choice(table, rng)
        do(table, choice)
        assert place.frames[0].told is not None
        assert place.frames[0].told["text"] == choice.told["text"]
    log += [frame.told["words"] for frame in place.frames if frame.told]
    if name != "garcon":  # where some of it is one's own to remember
        assert [told["words"] for told in place.log] == log


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_people_alone(name: str, rng: np.random.Generator) -> None:
    """Everybody is shown its own view; a version changes with what one sees, and not without."""
    table = sitting(name, *everybody(name))
    quiet = 0
    for _ in range(250):
        if table.over:
            break
        before = {player: seen(table, player) for player in table.people}
        actor = asked(table)
        do(table, some_choice(table, rng))
        for player in table.people:
            (version, *was), (now, *is_) = before[player], seen(table, player)
            assert (version != now) == (was != is_ or player == actor)
            quiet += version == now
    assert quiet or name not in ("greasy_spoon", "dessert")


def seen(table: Sitting, player: int) -> tuple[object, ...]:
    """Return a version, and all that it stands for."""
    place = table.place(player)
    frames = [(frame.number, frame.view, frame.told) for frame in place.frames]
    return place.version, frames, place.log, table.is_asked(player), place.asked, table.over


def test_half_a_combination_is_nobody_elses_business(rng: np.random.Generator) -> None:
    """The opponent's page does not stir (GS-11)."""
    table = sitting("greasy_spoon", "me", "me")
    halves = 0
    while not table.over and halves < 5:
        choices = table.choices(asked(table))
        combos = [choice for choice in choices if choice.block.startswith("combo")]
        other = table.place(1 - asked(table))
        before = other.version, len(other.frames), list(other.log)
        if combos:
            do(table, combos[0])
            assert (other.version, len(other.frames), list(other.log)) == before
            halves += 1
        else:
            do(table, some_choice(table, rng))
    assert halves == 5


# -- Undo --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_undo_goes_back_to_the_last_decision(name: str, rng: np.random.Generator) -> None:
    """The table, what is shown, what may be done; and what agents remember."""
    table = sitting(name, "me", "heuristic")
    place = table.place(0)
    with pytest.raises(NotNow, match="take back"):
        table.undo(0, place.asked)
    for _ in range(12):
        before = written(table), table.choices(0), list(place.log)
        views = [frame.view for frame in place.frames]
        choice = some_choice(table, rng)
        do(table, choice)
        if table.over:
            with pytest.raises(NotNow):
                table.undo(0, place.asked)
            break
        went_on = written(table), list(place.log)
        number = place.asked
        table.undo(0, place.asked)
        assert place.asked == number + 1
        assert (written(table), table.choices(0), list(place.log)) == before
        assert [frame.view for frame in place.frames][: len(views)] == views
        assert place.frames[-1].view == views[-1]
        do(table, choice)
        assert (written(table), list(place.log)) == went_on


def test_undo_goes_back_decision_after_decision(rng: np.random.Generator) -> None:
    table = sitting("garcon", "me", "random")
    states = []
    for _ in range(8):
        states.append(written(table))
        do(table, some_choice(table, rng))
    for state in reversed(states):
        table.undo(0, table.place(0).asked)
        assert written(table) == state
    assert not table.can_undo(0)
    assert len(table.record().actions) < 8


def test_nothing_is_taken_back_from_people() -> None:
    table = sitting("garcon", "me", "me", "random")
    do(table, table.choices(asked(table))[0])
    before = everything(table)
    for player in table.people:
        with pytest.raises(NotNow, match="take back"):
            table.undo(player, table.place(player).asked)
    assert everything(table) == before


# -- Two answers -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_a_decision_is_taken_once(name: str, rng: np.random.Generator) -> None:
    """An answer to another decision is refused, and so is one that is not possible."""
    table = sitting(name, *everybody(name))
    do(table, some_choice(table, rng))
    player = asked(table)
    number, legal = table.place(player).asked, [c.action for c in table.choices(player)]
    illegal = next(a for a in range(table.tables.num_actions) if a not in legal)
    before = everything(table)
    for decision, action in ((number - 1, legal[0]), (number + 1, legal[0]), (number, illegal)):
        with pytest.raises(NotNow):
            table.act(player, decision, action)
    for other in set(table.people) - {player}:
        with pytest.raises(NotNow, match="not your turn"):
            table.act(other, table.place(other).asked, legal[0])
        with pytest.raises(NotNow, match="not your turn"):
            table.hint(other, table.place(other).asked)
    assert everything(table) == before


# -- Hints -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_who_follows_all_hints_plays_like_the_adviser(name: str) -> None:
    """So the adviser remembers what an agent in that seat would."""
    table = sitting(name, "me", "heuristic")
    while not table.over:
        number = table.place(0).asked
        before = everything(table)
        first, second = (table.hint(0, number) for _ in range(2))
        assert first == second
        assert everything(table) == before
        assert first.choice in table.choices(0)
        assert first.agent == "heuristic"
        do(table, first.choice)
    agents = waiter_envs.make_agent(table.game, "heuristic")
    alone = waiter_envs.Tables(table.game, table.config, 1, 3, autoreset_mode="Disabled")
    while not (alone.terminated[0] or alone.truncated[0]):
        alone.step(agents.act(waiter_envs.Decisions.at(alone)))
    assert written(table) == written(table, alone.state[0])


def test_the_adviser_remembers_what_the_person_did() -> None:
    """A person takes another order than it would, and is told its dishes later (Garçon)."""
    table = sitting("garcon", "me", "random", seed=1)
    number = table.place(0).asked
    advised = table.hint(0, number).choice.action
    taken = next(c for c in table.choices(0) if c.block == "take" and c.action != advised)
    dishes = table.place(0).frames[-1].view["market"][taken.action]["order"]["dishes"]
    do(table, taken)
    named = []
    while len(named) < len(dishes):
        choices = {choice.block: choice for choice in table.choices(0)}
        if "name" in choices:
            choice = table.hint(0, table.place(0).asked).choice
            named.append(choice.told["words"].removeprefix("names "))
            do(table, choice)
        else:
            do(table, choices["complete"])
    assert named == dishes


def test_a_policy_plays_and_tells_its_probabilities(tmp_path: Path) -> None:
    """Those of the likeliest actions, the one that it would take first."""
    game, config = waiter_envs.load("greasy_spoon"), variant("greasy_spoon")
    rng = np.random.default_rng(3)
    sizes = {"trunk.0": (8, game.num_features(config)), "actor": (game.num_actions(config), 8)}
    weights = {f"{name}.weight": rng.normal(0, 0.3, size) for name, size in sizes.items()}
    weights |= {f"{name}.bias": np.zeros(rows) for name, (rows, _) in sizes.items()}
    folder = tmp_path / "mine"
    folder.mkdir()
    save_policy(folder / "policy.npz", game, config, weights)
    table = Sitting(game, config, ["me", str(folder)], 3, adviser=str(folder / "policy.npz"))
    assert table.names == ("person", "mine")
    for _ in range(5):
        given = table.hint(0, table.place(0).asked)
        assert given.agent == "mine"
        assert given.chances is not None
        choices, chances = zip(*given.chances, strict=True)
        assert choices[0] == given.choice
        assert list(chances) == sorted(chances, reverse=True)
        assert 0 < sum(chances) < 1.0001
        assert len(chances) == min(5, len(table.choices(0)))
        do(table, given.choice)


def test_a_policy_of_another_variant_is_refused(tmp_path: Path) -> None:
    game, config = waiter_envs.load("dessert"), variant("dessert")
    shapes = {"trunk.0": (4, game.num_features(config)), "actor": (game.num_actions(config), 4)}
    weights = {f"{name}.weight": np.zeros(shape) for name, shape in shapes.items()}
    weights |= {f"{name}.bias": np.zeros(rows) for name, (rows, _) in shapes.items()}
    save_policy(tmp_path / "policy.npz", game, config, weights)
    for options in ({"seats": ["me", str(tmp_path)]}, {"adviser": str(tmp_path)}):
        with pytest.raises(ValueError, match="has learnt"):
            Sitting(game, game.config(players=4), **options)


# -- Games one after another -------------------------------------------------------------------


def test_new_games(rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another deal, or the same; a game that is given up is kept, if anything was done."""
    monkeypatch.setattr("waiter_envs.web.sitting.random_seed", lambda: 12)
    kept = []
    table = sitting("dessert", "me", keep=kept.append)
    first = table.place(0).frames[0].view
    table.new_game(0, 1)
    assert (table.round, kept) == (2, [])
    second = table.place(0).frames[0].view
    assert first != second
    play_on(table, rng, 3)
    with pytest.raises(NotNow, match="already"):
        table.new_game(0, 1)
    table.same_deal(0, 2)
    assert table.place(0).frames[0].view == second
    assert table.place(0).log == [f.told for f in table.place(0).frames if f.told]
    assert [record.end for record in kept] == ["unfinished"]
    play_on(table, rng)
    table.same_deal(0, 3)
    table.close()
    assert [record.end for record in kept][1:] in (["terminated"], ["truncated"])


def test_a_game_of_several_people_is_not_broken_off(rng: np.random.Generator) -> None:
    table = sitting("dessert", "me", "me")
    for begin in (table.new_game, table.same_deal):
        with pytest.raises(NotNow, match="is over"):
            begin(0, 1)
    play_on(table, rng)
    table.new_game(1, 1)
    assert table.round == 2
    assert not table.over


def test_deals_cannot_be_foretold() -> None:
    """A seed that was told serves for one game: further ones are drawn."""
    tables = [sitting("dessert", "me", "me") for _ in range(2)]
    assert written(tables[0]) == written(tables[1])
    for table in tables:
        play_on(table, np.random.default_rng(1))
        table.new_game(0, 1)
    assert written(tables[0]) != written(tables[1])


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_positions(name: str, rng: np.random.Generator) -> None:
    """A game may begin anywhere; its record tells where, and it can begin there again."""
    table = sitting(name, "me")
    play_on(table, rng, 4)
    start = table.tables.state[0].copy()
    other = sitting(name, "me", seed=9)
    other.set_up(start)
    assert written(other) == written(table, start)
    play_on(other, rng, 3)
    *_, last = other.record().replay()
    assert written(other, last.after) == written(other)
    other.same_deal(0, other.round)
    assert written(other) == written(table, start)


# -- What one must remember --------------------------------------------------------------------


def test_faces_of_orders_are_told_once() -> None:
    """After the person's next decision they are its own to remember (GA-11)."""
    game = waiter_envs.load("garcon")
    table = Sitting(game, game.config(players=3, target=20), ["me", "heuristic"], 3)
    seen = 0
    for _ in range(4):
        log = table.place(0).log
        taken = [told for told in log if told["text"].startswith("take") and told["player"]]
        now = [f.told for f in table.place(0).frames if f.told]
        for told in taken:
            open_ = "takes the order in slot" not in told["words"]
            assert open_ == any(told is one for one in now)
            seen += open_
        do(table, table.choices(0)[0])
    assert seen > 2


# -- Seats -------------------------------------------------------------------------------------


def test_seats_are_filled() -> None:
    game = waiter_envs.load("garcon")
    assert fill(game, ["me"], 4) == ("me", "heuristic", "heuristic", "heuristic")
    assert fill(game, ["random", "me"], 4) == ("random", "me", "random", "random")
    assert fill(game, ["me", "random", "forgetful"], 4)[2:] == ("forgetful", "forgetful")
    assert fill(game, ["me"] * 3, 3) == ("me", "me", "me")


@pytest.mark.parametrize(
    ("seats", "says"),
    [
        (["me"] * 9, "9 seats"),
        (["random"], "'me'"),
        ([], "'me'"),
        ("me", "list of names"),
        ([1], "'me'"),
        (None, "list of names"),
    ],
)
def test_seats_that_cannot_be(seats: list[str], says: str) -> None:
    with pytest.raises((TypeError, ValueError), match=says):
        fill(waiter_envs.load("garcon"), seats, 3)


def test_unknown_agents_are_refused_before_anything_is_dealt() -> None:
    for options in ({"seats": ["me", "genius"]}, {"adviser": "genius"}):
        with pytest.raises(ValueError, match=r"genius.*heuristic"):
            Sitting(waiter_envs.load("garcon"), variant("garcon"), **options)


def test_labels_tell_no_folders(tmp_path: Path) -> None:
    assert label("me") == "person"
    assert label("heuristic") == "heuristic"
    assert label(str(tmp_path / "runs" / "mine" / "policy.npz")) == "mine"
    assert label(str(tmp_path / "best.npz")) == "best.npz"
    assert label("policy.npz") == "policy"


def test_nobody_but_people_has_a_place() -> None:
    table = sitting("dessert", "me", "random")
    for player in (1, 2, -1, "0", None):
        with pytest.raises((TypeError, ValueError), match="player"):
            table.place(player)
