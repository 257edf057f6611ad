"""Ladders: deals that are the same, luck that is one's own, results that survive a kill."""

from __future__ import annotations

import itertools
import json
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import bill_env
import waiter_envs
from waiter_envs.agents.agent import Decisions
from waiter_envs.agents.function_agent import FunctionAgent
from waiter_envs.agents.policies import FILE_NAME, save_policy
from waiter_envs.agents.rule_agent import RuleAgent
from waiter_envs.arena.deals import CHUNK, Dealer, Played
from waiter_envs.arena.entrants import enter
from waiter_envs.arena.ladder import _Ladder, play_ladder
from waiter_envs.arena.ladder_picture import ladder_picture
from waiter_envs.arena.ladder_text import ladder_text
from waiter_envs.arena.lineups import num_seatings, seatings
from waiter_envs.cli import main
from waiter_envs.core.tables import Tables

BILL = bill_env.GAME
DUEL, PARTY = bill_env.PRESETS["duel"], bill_env.PRESETS["party"]


def first_legal(observation, action_mask, player):
    return action_mask.argmax(axis=1)


def last_legal(observation, action_mask, player):
    return action_mask.shape[1] - 1 - action_mask[:, ::-1].argmax(axis=1)


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


# -- Who sits where ----------------------------------------------------------------------------


@pytest.mark.parametrize("agents", range(2, 8))
@pytest.mark.parametrize("sides", range(2, 11))
def test_seatings_are_fair(agents, sides):
    found = seatings(agents, sides, 40, 3)
    assert found.shape == (40, num_seatings(agents, sides), sides)
    for deal in found:
        for side in deal.T:
            counts = np.bincount(side, minlength=agents)
            assert (counts == counts[0]).all(), "every agent plays every side equally often"
        games = {tuple(row) for row in deal.tolist()}
        assert len(games) == len(deal), "no game is played twice"
        if sides > 2:
            rotated = {row[turn:] + row[:turn] for row in games for turn in range(sides)}
            assert rotated == games, "all rotations"


def test_two_sides_meet_as_all_pairs_both_ways():
    assert seatings(3, 2, 1, 0)[0].tolist() == [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]]


def test_rotations_of_three_by_hand():
    for deal in seatings(3, 3, 20, 5).tolist():
        a, b, c = deal[0]
        assert sorted(deal[0]) == [0, 1, 2]
        assert sorted(deal) == sorted([[a, b, c], [b, c, a], [c, a, b]])


def test_over_the_deals_all_pairs_meet():
    meetings = Counter(
        pair
        for deal in seatings(6, 3, 400, 1)
        for game in deal.tolist()
        for pair in itertools.combinations(sorted(game), 2)
    )
    assert len(meetings) == 15
    mean = np.mean(list(meetings.values()))
    assert np.abs(np.array(list(meetings.values())) / mean - 1).max() < 0.2


def test_a_deal_is_arranged_by_its_number_alone():
    few, many = seatings(5, 4, 7, 9), seatings(5, 4, 30, 9)
    assert (few == many[:7]).all()
    assert (few != seatings(5, 4, 7, 10)).any()


# -- What is played ----------------------------------------------------------------------------


def by_hand(game, config, agents, seats, deal, seed):
    """Return what players are paid in one game of a deal, played at a table by itself."""
    table = Tables(game, config, 1, 0, autoreset_mode="Disabled")
    table.state = Tables(game, config, deal + 1, seed).state[deal:]
    paid = np.zeros(len(seats))
    while not (table.terminated[0] or table.truncated[0]):
        agent = agents[seats[table.current_player[0]]]
        table.step(agent.act(Decisions.at(table)))
        paid += table.rewards[0]
    return paid


@pytest.mark.parametrize("config", [DUEL, PARTY])
def test_games_are_those_of_the_tables(config, tmp_path):
    out = tmp_path / "results.jsonl"
    agents = [first_legal, last_legal, RuleAgent(BILL, "heuristic")]
    ladder = play_ladder(BILL, config, agents, 40, 6, out=out)
    players = [FunctionAgent(first_legal), FunctionAgent(last_legal), agents[2]]
    _, *rows = lines(out)
    won, games = np.zeros(3), np.zeros(3)
    above, met = np.zeros((3, 3)), np.zeros((3, 3))
    for deal, row in enumerate(rows):
        assert row["deal"] == deal
        for seats, rewards in zip(row["seats"], row["rewards"], strict=True):
            expected = by_hand(BILL, config, players, seats, deal, 6)
            np.testing.assert_allclose(rewards, expected, atol=1e-4)
            for a, paid in zip(seats, expected, strict=True):
                won[a] += paid > 0
                games[a] += 1
            for one, other in itertools.permutations(range(len(seats)), 2):
                met[seats[one], seats[other]] += 1
                score = 1.0 if expected[one] > expected[other] else 0.0
                score = 0.5 if expected[one] == expected[other] else score
                above[seats[one], seats[other]] += score
    assert [agent.games for agent in ladder.agents] == games.tolist()
    assert [agent.won for agent in ladder.agents] == pytest.approx((won / games).tolist())
    for a, b in itertools.permutations(range(3), 2):
        assert ladder.beats[a][b] == pytest.approx(above[a, b] / met[a, b])
    assert ladder.games == len(rows) * num_seatings(3, config.num_players)
    assert ladder.agents[2].rating == 0, "the game's rule-based agent is the zero"


def test_luck_is_of_deal_seat_and_name(tmp_path):
    """Who else plays, and in which order they are named, changes no game between two agents."""
    games = []
    for number, names in enumerate((["random", "heuristic"], ["heuristic", "search", "random"])):
        out = tmp_path / f"{number}.jsonl"
        agents = [f"{name}:simulations=8" if name == "search" else name for name in names]
        play_ladder(BILL, DUEL, agents, 40, 2, out=out)
        _, *rows = lines(out)
        games.append(
            {
                (row["deal"], *(names[agent] for agent in seats)): rewards
                for row in rows
                for seats, rewards in zip(row["seats"], row["rewards"], strict=True)
            }
        )
    assert len(games[0]) == 80
    assert {key: games[1][key] for key in games[0]} == games[0]


def test_one_draws_the_same_in_the_same_seat_of_a_deal():
    """At the first decision of a deal, whoever else sits there; and not in the next deal."""
    entrant = enter(BILL, DUEL, ["random"])[0]
    mask = np.ones((50, 9), np.int8)

    def drawn(first, tables, player):
        players = np.full(len(tables), player, np.int8)
        state = np.zeros(len(tables), "V1")
        decisions = Decisions(mask[: len(tables)], mask[: len(tables)], players, tables, state)
        return entrant.seated(5, first).act(decisions).tolist()

    everywhere = drawn(0, np.arange(50), 0)
    assert drawn(0, np.arange(20, 30), 0) == everywhere[20:30]
    assert drawn(0, np.arange(50), 1) != everywhere
    assert drawn(32, np.arange(50), 0) != everywhere


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_every_game_has_ladders(name):
    game = waiter_envs.load(name)
    config = game.config()
    sides = max(config.playing_together) + 1
    deals = num_seatings(2, sides)
    ladder = play_ladder(game, config, ["random", first_legal], deals, 3)
    assert sum(agent.games for agent in ladder.agents) == ladder.games * sides
    assert sum(agent.won * agent.games for agent in ladder.agents) <= ladder.games + 1e-9
    assert ladder.even == 1 / sides
    again = play_ladder(game, config, ["random", first_legal], deals, 3)
    assert again == ladder


def test_sides_that_are_drawn_in_the_game(tmp_path):
    game = waiter_envs.load("hey_waiter")
    config = game.config(preset="secret_2v2", max_turns=60)
    out = tmp_path / "results.jsonl"
    ladder = play_ladder(game, config, ["random", "heuristic"], 8, 3, out=out)
    assert ladder.even == 0.5, "two of four players win"
    assert play_ladder(BILL, PARTY, ["random", "heuristic"], 8).even == 1 / PARTY.num_players
    unpaid = [not any(rewards) for row in lines(out)[1:] for rewards in row["rewards"]]
    assert 0 < ladder.truncated == sum(unpaid) < ladder.games
    assert [agent.drawn for agent in ladder.agents] == [sum(unpaid) / ladder.games] * 2
    better, worse = ladder.agents[1], ladder.agents[0]
    assert better.rating > worse.rating
    assert better.games == worse.games == ladder.games * 2


def test_duplicates_share_deals_and_others_do_not(tmp_path):
    """With agents that draw nothing, a game's result is that of its deal."""
    for duplicate in (True, False):
        out = tmp_path / f"{duplicate}.jsonl"
        play_ladder(BILL, DUEL, [first_legal, last_legal], 6, 1, out=out, duplicate=duplicate)
        players = [FunctionAgent(first_legal), FunctionAgent(last_legal)]
        for row in lines(out)[1:]:
            for number, (seats, rewards) in enumerate(zip(row["seats"], row["rewards"])):  # noqa: B905
                deal = row["deal"] if duplicate else 2 * row["deal"] + number
                assert rewards == by_hand(BILL, DUEL, players, seats, deal, 1).tolist()


def test_intervals_widen_where_the_games_of_a_deal_end_alike():
    """An agent that wins both games of a deal or none: as much is known from half of the games."""
    deals = 400
    ladder = _Ladder(BILL, DUEL, enter(BILL, DUEL, ["random", "heuristic"]), 1, True)
    wins = np.random.default_rng(3).random(deals) < 0.5
    seats = ladder.seats(deals)
    paid = np.where((seats == 0) == wins[:, np.newaxis, np.newaxis], 1, -1).astype(np.float32)
    truncated = np.zeros(paid.shape[:2], np.bool_)
    assert ladder.result(Played(paid, truncated)).narrowing == pytest.approx(2**0.5, rel=0.1)
    apart = np.random.default_rng(4).random(paid.shape[:2]) < 0.5
    paid = np.where((seats == 0) == apart[:, :, np.newaxis], 1, -1).astype(np.float32)
    assert ladder.result(Played(paid, truncated)).narrowing == pytest.approx(1, rel=0.1)


# -- Results that survive ----------------------------------------------------------------------

AGENTS = ["random", "heuristic", "search:simulations=8"]
DEALS = 2 * CHUNK + 9


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Results that were played at once in one thread, as bytes, and the ladder."""
    out = tmp_path_factory.mktemp("whole") / "results.jsonl"
    ladder = play_ladder(BILL, DUEL, AGENTS, DEALS, 4, out=out, threads=1)
    return out.read_bytes(), ladder


def test_threads_change_nothing(whole, tmp_path):
    out = tmp_path / "results.jsonl"
    ladder = play_ladder(BILL, DUEL, AGENTS, DEALS, 4, out=out, threads=3)
    assert (out.read_bytes(), ladder) == whole
    assert play_ladder(BILL, DUEL, AGENTS, DEALS, 4) == ladder


@pytest.mark.parametrize("share", [0.0, 0.001, 0.3, 0.5, 0.77, 0.9999, 1.0])
def test_what_was_cut_off_anywhere_is_finished(whole, tmp_path, share):
    content, ladder = whole
    out = tmp_path / "results.jsonl"
    out.write_bytes(content[: int(share * len(content))])
    heard = []
    assert play_ladder(BILL, DUEL, AGENTS, DEALS, 4, out=out, progress=heard.append) == ladder
    assert out.read_bytes() == content
    assert sum(heard) == ladder.games


def test_what_is_known_is_not_played_again(whole, tmp_path):
    content, ladder = whole
    out = tmp_path / "results.jsonl"
    out.write_bytes(content.replace(b'"rewards":[[1.0,-1.0]', b'"rewards":[[-1.0,1.0]'))
    assert play_ladder(BILL, DUEL, AGENTS, DEALS, 4, out=out) != ladder


def test_what_is_read_is_what_was_played(tmp_path):
    """Also where points are fractions, and sums of them may be alike."""
    game = waiter_envs.load("garcon")
    config = game.config(reward="points", max_turns=24)
    out = tmp_path / "results.jsonl"
    ladder = play_ladder(game, config, ["random", "heuristic"], 8, 4, out=out)
    assert play_ladder(game, config, ["random", "heuristic"], 8, 4, out=out) == ladder
    played = play_ladder(game, config, ["random", "heuristic"], 8, 4)
    assert played == ladder
    entrants = enter(game, config, ["random", "heuristic"])
    seats = seatings(2, 4, 8, 4)
    paid = Dealer(game, config, entrants, 4).play(0, seats).rewards
    assert np.array_equal(paid, np.array([row["rewards"] for row in lines(out)[1:]], np.float32))


def test_a_ladder_grows(whole, tmp_path):
    content, ladder = whole
    out = tmp_path / "results.jsonl"
    few = play_ladder(BILL, DUEL, AGENTS, 20, 4, out=out)
    assert play_ladder(BILL, DUEL, AGENTS, DEALS, 4, out=out) == ladder
    assert out.read_bytes() == content
    assert play_ladder(BILL, DUEL, AGENTS, 20, 4, out=out) == few, "the first ones of a longer file"


@pytest.mark.parametrize(
    ("config", "agents", "seed", "says"),
    [
        (DUEL, AGENTS, 5, "seed was 4, now 5"),
        (DUEL, AGENTS[::-1], 4, "agents was"),
        (DUEL, AGENTS[:2], 4, "agents was"),
        (bill_env.Config(coins=5), AGENTS, 4, "variant was"),
    ],
)
def test_results_of_another_ladder_are_refused_by_name(whole, tmp_path, config, agents, seed, says):
    out = tmp_path / "results.jsonl"
    out.write_bytes(whole[0])
    with pytest.raises(ValueError, match=says):
        play_ladder(BILL, config, agents, 20, seed, out=out)
    assert out.read_bytes() == whole[0], "nothing is lost"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (b'{"ladder":1', b'{"ladder":0', "ladder was 0, now 1"),
        (b'"game":"bill"', b'"game":"soup"', "game was"),
        (b'"version":0', b'"version":9', "version was 9, now 0"),
        (b'"duplicate":true', b'"duplicate":false', "duplicate was false"),
        (b'{"ladder"', b'["ladder"', "no results of a ladder"),
        (b'{"ladder"', b'{"leader"', "no results of a ladder"),
        (b'{"deal":3,', b'{"deal":4,', "line 5: damaged, it is not deal 3"),
        (b'{"deal":3,', b'"deal":3,', "line 5: damaged"),
        (b'"rewards":[[', b'"rewards":[[0,', "damaged"),
    ],
)
def test_damaged_and_foreign_files_are_refused(whole, tmp_path, old, new, says):
    out = tmp_path / "results.jsonl"
    content = whole[0].replace(old, new, 1)
    out.write_bytes(content)
    with pytest.raises(ValueError, match=says):
        play_ladder(BILL, DUEL, AGENTS, DEALS, 4, out=out)
    assert out.read_bytes() == content
    out.write_bytes(b"something else")
    with pytest.raises(ValueError, match="no results of a ladder"):
        play_ladder(BILL, DUEL, AGENTS, DEALS, 4, out=out)
    assert out.read_bytes() == b"something else"


# -- Bad input ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("agents", "deals", "says"),
    [
        (["random"], 20, "at least 2"),
        ([], 20, "at least 2"),
        (["random", "random"], 20, "two agents are called 'random'"),
        (["random", "largest_dish"], 20, "unknown agent 'largest_dish' for bill"),
        (["random", "heuristic"], 1, "give at least 2 deals"),
        (["random", "heuristic"], 0, "deals=0"),
        (["random", RuleAgent(waiter_envs.load("dessert"), "heuristic")], 9, "plays dessert"),
        (["random", lambda *seen: seen[2] * 0 + 99], 9, "must choose actions from 0"),
        (["random", lambda *seen: seen[1].argmin(axis=1)], 9, "is illegal for"),
    ],
)
def test_bad_input(agents, deals, says):
    with pytest.raises(ValueError, match=says):
        play_ladder(BILL, DUEL, agents, deals)


def weights(game, config):
    features, actions = game.num_features(config), game.num_actions(config)
    generator = np.random.default_rng(3)
    shapes = {"trunk.0.weight": (8, features), "trunk.0.bias": (8,), "actor.weight": (actions, 8)}
    arrays = {name: generator.normal(size=shape) for name, shape in shapes.items()}
    return {**arrays, "actor.bias": np.zeros(actions)}


def test_policies_by_their_paths(tmp_path):
    """Whole ones play; of another game, of other sizes or cut short they are refused."""
    file = tmp_path / "mine" / FILE_NAME
    file.parent.mkdir()
    save_policy(file, BILL, DUEL, weights(BILL, DUEL))
    out = tmp_path / "results.jsonl"
    agents = ["random", str(file.parent)]
    ladder = play_ladder(BILL, DUEL, agents, 20, out=out)
    assert ladder.agents[1].digest
    assert ladder == play_ladder(BILL, DUEL, agents, 20, out=out)
    with pytest.raises(ValueError, match=r"mine: the policy has learnt a variant with"):
        play_ladder(BILL, PARTY, agents, 20)
    game = waiter_envs.load("greasy_spoon")
    with pytest.raises(ValueError, match="plays bill_v0, not greasy_spoon_v0"):
        play_ladder(game, game.config(), agents, 20)
    results = out.read_bytes()
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])
    with pytest.raises(ValueError, match="is no policy"):
        play_ladder(BILL, DUEL, agents, 20, out=out)
    changed = weights(BILL, DUEL) | {"actor.bias": np.ones(BILL.num_actions(DUEL))}
    save_policy(file, BILL, DUEL, changed)
    with pytest.raises(ValueError, match="agents was"):
        play_ladder(BILL, DUEL, agents, 20, out=out)
    assert out.read_bytes() == results


# -- Shown -------------------------------------------------------------------------------------


def test_the_command_prints_writes_and_draws(tmp_path, capsys):
    files = [str(tmp_path / name) for name in ("out.jsonl", "ladder.json", "ladder.svg")]
    command = ["ladder", "greasy_spoon", "--agents", "random", "heuristic", "--deals", "20"]
    assert main([*command, "--out", files[0], "--json", files[1], "--picture", files[2]]) == 0
    text = capsys.readouterr().out
    found = json.loads(Path(files[1]).read_text())
    assert "20 deals, 40 games" in text
    assert text.index("heuristic ") < text.index("random ")
    assert found["head"]["game"] == "greasy_spoon"
    assert {agent["name"] for agent in found["agents"]} == {"random", "heuristic"}
    shares = found["beats"][0][1] + found["beats"][1][0]
    assert shares == pytest.approx(1)
    root = ET.parse(files[2]).getroot()
    shown = " ".join(root.itertext())
    assert "Greasy Spoon: 20 deals, 40 games" in shown
    assert "1 heuristic" in shown
    assert main([*command, "--out", files[0], "--seed", "8"]) == 2
    assert "seed was 0, now 8" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*command, "--picture", "ladder.png"])


def test_text_and_picture_name_all_agents():
    ladder = play_ladder(BILL, PARTY, ["random", "heuristic", first_legal], 20)
    text = "\n".join(ladder_text(ladder))
    picture = ladder_picture(ladder, "Bill & <co>")
    ET.fromstring(picture)
    for agent in ladder.agents:
        assert agent.name in text
        assert agent.name in picture
        assert agent.interval[0] <= agent.rating <= agent.interval[1]
