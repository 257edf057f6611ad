"""Decks of one's own and fresh faces: how they are read, refused, dealt and played."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import zipfile
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import garcon_env
from garcon_env import GAME, Config, tables
from garcon_env.cards import Deck, read_deck, shipped_deck
from waiter_envs.core.tables import Tables

from .playing import (
    SMALL_MENU,
    SMALL_ORDERS,
    VARIANTS,
    legal_actions,
    named,
    nested,
    play,
    seated,
    study,
    styled_actions,
    waiter,
)
from .test_lockstep import assert_agreement, follow, reference_at

MENU_TEXT = "dish,symbol\nwater,glass\nrice,bowl\nwine,glass\nstew,bowl\n"
ORDERS_TEXT = (
    "points,dishes\n3,wine\n3,wine\n1,rice;stew\n7,water;stew\n2,rice\n300,water;wine;rice\n"
)
SMALL = Config(players=3, orders=SMALL_ORDERS, menu=SMALL_MENU)


def small_deck(orders: Any = SMALL_ORDERS, menu: Any = SMALL_MENU) -> Deck:
    """Return the deck of a variant."""
    return Config(orders=orders, menu=menu).deck


def written(folder: Path, orders: str = ORDERS_TEXT, menu: str = MENU_TEXT) -> dict[str, Path]:
    """Write both files and return where, as fields of a variant."""
    paths = {"orders": folder / "my_orders.csv", "menu": folder / "my_menu.csv"}
    for name, text in (("orders", orders), ("menu", menu)):
        paths[name].write_text(text, encoding="utf-8")
    return paths


# -- The shipped deck --------------------------------------------------------------------------


def test_shipped_deck() -> None:
    """54 orders, a point for each dish, 154 in all; all of one size have the same back."""
    deck = shipped_deck()
    sizes = [face.bit_count() for face in deck.faces]
    assert Counter(sizes) == {1: 8, 2: 14, 3: 16, 4: 10, 5: 6}
    assert deck.points == tuple(sizes)
    assert sum(deck.points) == 154
    assert deck.symbols == ("drink", "plate", "dessert")
    assert deck.symbol_of == (0,) * 5 + (1,) * 5 + (2,) * 5
    assert len(set(deck.dishes)) == 15
    assert deck.backs == ((1, 0, 0), (1, 1, 0), (1, 1, 1), (2, 1, 1), (2, 2, 1))


# -- Reading -----------------------------------------------------------------------------------


def test_a_deck_of_ones_own() -> None:
    """Dishes are sorted by symbol, in the order in which symbols and dishes occur."""
    deck = small_deck(menu=[("water", "glass"), ("rice", "bowl"), ("wine", "glass"),
                            ("stew", "bowl")])  # fmt: skip
    assert deck.symbols == ("glass", "bowl")
    assert deck.dishes == ("water", "wine", "rice", "stew")
    assert deck.symbol_of == (0, 0, 1, 1)
    assert deck.faces == (0b0010, 0b0010, 0b1100, 0b1001, 0b0100, 0b0111)
    assert deck.points == (3, 3, 1, 7, 2, 300)
    assert deck.backs == ((0, 1), (1, 0), (0, 2), (1, 1), (2, 1))


def test_files_and_rows_say_the_same(tmp_path: Path) -> None:
    """Paths as text or not, pairs, mappings, dishes as text or as lists: one variant."""
    paths = written(tmp_path)
    mappings = [{"points": str(points), "dishes": dishes} for points, dishes in SMALL_ORDERS]
    lists = [[points, dishes.split(";")] for points, dishes in SMALL_ORDERS]
    menu_rows = [{"dish": dish, "symbol": symbol} for dish, symbol in SMALL_MENU]
    variants = [
        Config(**paths),
        Config(**{name: str(path) for name, path in paths.items()}),
        Config(orders=mappings, menu=menu_rows),
        Config(orders=tuple(lists), menu=tuple(SMALL_MENU)),
    ]
    for config in variants:
        assert config == Config(orders=SMALL_ORDERS, menu=SMALL_MENU)
        assert config != Config()
        assert not config.fresh


def test_files_as_spreadsheets_write_them(tmp_path: Path) -> None:
    """A byte order mark, other columns, columns in another order, spaces, quotes, empty lines."""
    orders = "\ufeffname,dishes, points\na, wine ,3\nb,wine,3\n\nc,rice; stew,1\n"
    orders += 'd,"water;stew", 7\ne,rice,2\nf,water;wine;rice,300\n'
    menu = MENU_TEXT.replace("dish,symbol", "\ufeffdish,symbol").replace(",", ", ")
    assert Config(**written(tmp_path, orders, menu)).deck == small_deck()


def test_a_menu_of_ones_own_for_the_shipped_orders() -> None:
    """A longer menu makes naming harder; one that lacks a dish is refused."""
    shipped = shipped_deck()
    rows = [
        (dish, shipped.symbols[symbol])
        for dish, symbol in zip(shipped.dishes, shipped.symbol_of, strict=True)
    ]
    longer = Config(menu=[*rows, ("beer", "drink")])
    assert GAME.num_actions(longer) == GAME.num_actions(Config()) + 1
    assert longer.deck.points == shipped.points
    with pytest.raises(
        ValueError, match=r"^menu: lacks coffee, which orders='shipped' needs; must h"
    ):
        Config(menu=rows[1:])
    with pytest.raises(
        ValueError, match=r"^menu: lacks coffee, tea, .*, which orders='fresh' needs"
    ):
        Config(orders="fresh", menu=SMALL_MENU)


# -- Refusals ----------------------------------------------------------------------------------


def order_rows(**changed: Any) -> list[Any]:
    """Return the rows of the small deck, some of them changed: `row_3=...`."""
    rows: list[Any] = list(SMALL_ORDERS)
    for name, row in changed.items():
        rows[int(name.removeprefix("row_")) - 1] = row
    return rows


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (order_rows(row_3=(1, "rice;beer")), "orders, row 3: unknown dish 'beer'; the menu has "
         "water, wine, rice, stew"),
        (order_rows(row_5=(1, "")), "orders, row 5: unknown dish ''"),
        (order_rows(row_5=(1, [])), "orders, row 5: dishes .*; must be names, at least one"),
        (order_rows(row_1=(1, "wine;")), "orders, row 1: unknown dish ''"),
        (order_rows(row_4=(7, "stew;water;stew")), "orders, row 4: 'stew' stands twice"),
        (order_rows(row_2=(4, "wine")), "orders, row 2: 4 points, but row 1 has the same dishes "
         "for 3"),
        (order_rows(row_6=(5, "stew;rice")), "orders, row 6: 5 points, but row 3 has the same"),
        (order_rows(row_2=(0, "wine")), "orders, row 2: points=0: must be an integer from 1"),
        (order_rows(row_2=(-3, "wine")), "orders, row 2: points=-3: must be"),
        (order_rows(row_2=("0", "wine")), "orders, row 2: points=0: must be"),
        (order_rows(row_2=(10_001, "wine")), "orders, row 2: points=10001: must be .* to 10000"),
        (order_rows(row_2=(2**70, "wine")), "orders, row 2: points=1180591620717411303424: must"),
        (order_rows(row_2=(None, "wine")), "orders, row 2: .*; must have points and dishes"),
        (order_rows(row_2=("wine",)), "orders, row 2: .*; must have points and dishes"),
        (order_rows(row_2=(3, "wine", "x")), "orders, row 2: .*; must have points and dishes"),
        (order_rows(row_2={"points": 3}), "orders, row 2: .*; must have points and dishes"),
        (SMALL_ORDERS[:4], "orders: 4 of them; must be 5 to 1000"),
        ([], "orders: 0 of them; must be 5 to 1000"),
        (SMALL_ORDERS[:1] * 1001, "orders: 1001 of them; must be 5 to 1000"),
    ],
)  # fmt: skip
def test_impossible_orders_are_refused(rows: list[Any], message: str) -> None:
    """The text names the row and says what is allowed."""
    with pytest.raises(ValueError, match=f"^{message}"):
        small_deck(orders=rows)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([*SMALL_MENU, ("beer", "")], "menu, row 5: dish 'beer', symbol ''; both must have a name"),
        ([("", "glass"), *SMALL_MENU], "menu, row 1: dish '', symbol 'glass'; both must have"),
        ([*SMALL_MENU, ("a;b", "glass")], "menu, row 5: dish 'a;b', symbol 'glass'; both must"),
        ([*SMALL_MENU, ("wine", "glass")], "menu, row 5: 'wine' stands twice on the menu"),
        ([*SMALL_MENU, ("wine", "bowl")], "menu, row 5: 'wine' stands twice on the menu"),
        ([*SMALL_MENU, ("beer",)], "menu, row 5: .*; must have dish and symbol"),
        ([*SMALL_MENU, ("beer", None)], "menu, row 5: .*; must have dish and symbol"),
        ([], "menu: 0 dishes; must be 1 to 62"),
        ([(f"dish {i}", "bowl") for i in range(63)], "menu: 63 dishes; must be 1 to 62"),
    ],
)
def test_impossible_menus_are_refused(rows: list[Any], message: str) -> None:
    """The text names the row and says what is allowed."""
    with pytest.raises(ValueError, match=f"^{message}"):
        small_deck(menu=rows)


def test_impossible_files_are_refused(tmp_path: Path) -> None:
    """The text names the file and the row."""
    with pytest.raises(ValueError, match=r"^my_orders.csv, row 4: unknown dish 'soup'"):
        Config(**written(tmp_path, ORDERS_TEXT.replace("water;stew", "water;soup")))
    with pytest.raises(ValueError, match=r"^my_orders.csv, row 5: points='x': must be an integer"):
        Config(**written(tmp_path, ORDERS_TEXT.replace("2,rice", "x,rice")))
    with pytest.raises(ValueError, match=r"^my_orders.csv, row 5: .*; must have points and dishes"):
        Config(**written(tmp_path, ORDERS_TEXT.replace("2,rice", "2")))
    with pytest.raises(ValueError, match=r"^my_orders.csv: no column dishes; must have points,"):
        Config(**written(tmp_path, ORDERS_TEXT.replace("points,dishes", "points,dish")))
    with pytest.raises(ValueError, match=r"^my_menu.csv: no column dish, symbol; must have dish,"):
        Config(**written(tmp_path, menu=""))
    with pytest.raises(ValueError, match=r"^my_menu.csv, row 2: 'water' stands twice"):
        Config(**written(tmp_path, menu=MENU_TEXT.replace("rice,", "water,")))
    with pytest.raises(ValueError, match=r"orders='.*none.csv': there is no such file"):
        Config(orders=tmp_path / "none.csv")
    with pytest.raises(ValueError, match=r"menu='.*none.csv': there is no such file"):
        Config(orders=SMALL_ORDERS, menu=str(tmp_path / "none.csv"))


POINTS_OF_THE_WRONG_TYPE: list[Any] = [
    True, 3.0, float("nan"), 1.5, "many", "1.5", "1_0", "03", "+3", "3.0", "", "٣", b"3", [3], {},
    np.True_, np.float32(2.5), Decimal("2.7"), Fraction(5, 2), np.array([1, 2]),
]  # fmt: skip


@pytest.mark.parametrize("points", POINTS_OF_THE_WRONG_TYPE, ids=repr)
def test_points_of_the_wrong_type_are_refused(points: Any) -> None:
    """Nothing is cut or rounded; the text names the row."""
    with pytest.raises(TypeError, match=r"^orders, row 2: points=.*: must be an integer from 1 to"):
        small_deck(orders=order_rows(row_2=(points, "wine")))


@pytest.mark.parametrize(
    "junk", [True, 7, float("nan"), b"wine", ["wine"], None, nested(), np.str_, {}], ids=type
)
def test_names_of_the_wrong_type_are_refused(junk: Any) -> None:
    """Dishes and symbols are text, and are not made text of; the text names the row."""
    for dishes in (["rice", junk], (junk, "rice")):
        with pytest.raises(TypeError, match=r"^orders, row 5: dishes .*; must be text"):
            small_deck(orders=order_rows(row_5=(2, dishes)))
    if junk is None:
        return
    if not isinstance(junk, list):
        with pytest.raises(TypeError, match=r"^orders, row 5: dishes .*; must be names, at least"):
            small_deck(orders=order_rows(row_5=(2, junk)))
    with pytest.raises(TypeError, match=r"^menu, row 5: dish .*; must be text"):
        small_deck(menu=[*SMALL_MENU, (junk, "glass")])
    with pytest.raises(TypeError, match=r"^menu, row 5: symbol .*; must be text"):
        small_deck(menu=[*SMALL_MENU, ("beer", junk)])


@pytest.mark.parametrize("row", ["ab", b"ab", 3, None, True, 1.5, {"x", "y"}, np.array([1, 2])])
def test_rows_of_the_wrong_type_are_refused(row: Any) -> None:
    """A row is a pair or a mapping; a text of two letters is neither."""
    with pytest.raises(TypeError, match=r"^menu, row 5: .*; must have dish and symbol, as a pair"):
        small_deck(menu=[*SMALL_MENU, row])
    with pytest.raises(TypeError, match=r"^orders, row 2: .*; must have points and dishes, as a p"):
        small_deck(orders=order_rows(row_2=row))


def test_rows_nested_too_deep_are_refused() -> None:
    """With a text that is short."""
    for name in ("orders", "menu"):
        with pytest.raises(ValueError, match=f"^{name}, row 1: ") as refused:
            small_deck(**{name: [nested()]})
        assert len(str(refused.value)) < 1000


@pytest.mark.parametrize("source", [None, True, 1.5, 2**70, b"deck.csv", {"points": 1}, {"tea"},
                                    np.zeros(3), Config(), iter([])], ids=type)  # fmt: skip
@pytest.mark.parametrize("name", ["orders", "menu"])
def test_sources_of_the_wrong_type_are_refused(name: str, source: Any) -> None:
    """The text names the field and says what is allowed."""
    with pytest.raises(TypeError, match=f"^{name}=.*: must be a path, or rows of "):
        small_deck(**{name: source})


@pytest.mark.parametrize("path", ["", ".", "\0", "x" * 200_000, "none/none.csv", "\udcff"], ids=len)
@pytest.mark.parametrize("name", ["orders", "menu"])
def test_paths_that_cannot_be_read_are_refused(name: str, path: str) -> None:
    """The text names the field, and is short."""
    with pytest.raises(ValueError, match=f"^{name}='.*: (there is no such file|cannot be )") as no:
        small_deck(**{name: path})
    assert len(str(no.value)) < 1000


CROOKED_ORDERS = [
    ("points,dishes\n2,wine,rice\n", "row 1: .* has 3 cells, the header 2 .*semicolons"),
    ("points,dishes\n3,wine\n2,wine,\n", "row 2: .* has 3 cells, the header 2"),
    ("points,dishes,points\n3,wine,4\n", "row 0: the column points is there twice"),
    ('points,dishes\n3,wine\n3,"wine\n2,rice\n', "row 2: unexpected end of data; must be CSV"),
    ('points,dishes\n3,"wi"ne\n', "row 1: .*; must be CSV"),
    ("points,dishes\n3," + "x" * 200_000 + "\n", "row 1: field larger than field limit"),
    ("points,dishes\n3," + "x" * 100_000 + "\n", "row 1: unknown dish 'xxx"),
    ("points,dishes\n3,wine\n3\n", r"row 2: \['3'\]; must have points and dishes"),
    ("points,dishes\n3,wine\n1_0,wine\n", "row 2: points='1_0': must be an integer"),
    ("points,dishes\n3,wine\n,wine\n", "row 2: points='': must be an integer"),
    ("points,dishes\n03,wine\n", "row 1: points='03': must be an integer"),
    ("\n", "no column points, dishes; must have points, dishes"),
]


@pytest.mark.parametrize(("text", "message"), CROOKED_ORDERS)
def test_crooked_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    """The text names the file and the row, and is short; 0 is the header."""
    with pytest.raises(ValueError, match=f"^my_orders.csv(, |: ){message}") as refused:
        Config(**written(tmp_path, orders=text))
    assert len(str(refused.value)) < 1000


def test_menus_with_too_many_cells_are_refused(tmp_path: Path) -> None:
    """The text names the file and the row."""
    with pytest.raises(ValueError, match=r"^my_menu.csv, row 2: .* has 3 cells, the header 2"):
        Config(**written(tmp_path, menu=MENU_TEXT.replace("rice,bowl", "rice,bowl,hot")))
    with pytest.raises(ValueError, match=r"^my_menu.csv, row 0: the column dish is there twice"):
        Config(**written(tmp_path, menu=MENU_TEXT.replace("dish,symbol", "dish,symbol,dish")))


@pytest.mark.parametrize(
    ("encoding", "row"), [("latin-1", 1), ("utf-16", 0), ("utf-16-le", 2), ("cp037", 0)]
)
def test_files_that_are_not_utf_8_are_refused(tmp_path: Path, encoding: str, row: int) -> None:
    """The text names the file, and where its text breaks off."""
    paths = written(tmp_path)
    menu = MENU_TEXT.replace("water", "café crème")
    paths["menu"].write_bytes(menu.encode(encoding))
    with pytest.raises(ValueError, match=r"^my_menu.csv(, row \d+)?: (no text in UTF-8|no column)"):
        Config(**paths)
    if encoding == "latin-1":
        with pytest.raises(ValueError, match=rf"^my_menu.csv, row {row}: no text in UTF-8"):
            Config(**paths)
    paths["menu"].write_text(menu, encoding="utf-8")
    paths["orders"].write_text(ORDERS_TEXT.replace("water", "café crème"), encoding="utf-8")
    assert "café crème" in Config(**paths).deck.dishes


def test_the_deck_of_the_package_is_read_from_an_archive(tmp_path: Path) -> None:
    """The package works from a zip, which has no paths."""
    root = Path(garcon_env.__file__).parent.parent
    archive = tmp_path / "packages.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for path in (root / "garcon_env").rglob("*"):
            if path.suffix in (".py", ".csv"):
                packed.write(path, path.relative_to(root))
    code = (
        f"import sys; sys.path[:0] = [{str(archive)!r}, {str(root)!r}]\n"
        "import garcon_env.cards as cards, garcon_env.config as config\n"
        "print('packages.zip' in cards.__file__, len(config.Config().deck.faces),\n"
        "      len(config.Config(menu=[(d, 'x') for d in cards.shipped_deck().dishes]).deck.faces))"
    )
    environment = {**os.environ, "PYTHONPATH": "", "NUMBA_DISABLE_JIT": "1"}
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    assert told.stdout.split() == ["True", "54", "54"], told.stderr


# -- Sizes and play ----------------------------------------------------------------------------


def test_sizes_follow_the_deck() -> None:
    """The menu, the backs, the number and the points of the orders give the sizes."""
    blocks = {block.name: block.size for block in GAME.action_blocks(SMALL)}
    assert (blocks["name"], blocks["take"], blocks["leave"]) == (4, 5, 24)
    length = {field.name: field.size for field in GAME.observation_fields(SMALL)}
    assert length["market_points_0"] == 9  # up to 300
    assert length["points_0"] == 10  # up to 2 * 316
    assert length["order_pile"] == 3  # 6 orders
    assert (length["discarded"], length["discarded_dish"]) == (5 * 3, 4 * 3)
    assert length["open_1"] == 12 * 5
    assert length["faces"] == 12 * 4
    dealt = tables(2, 0, config=SMALL)
    assert dealt.observation.shape == (2, GAME.num_features(SMALL))
    assert dealt.action_mask.shape == (2, GAME.num_actions(SMALL))


def test_printed_points_count() -> None:
    """Whatever the number of dishes, and doubled by a Repeat: more than a byte can hold."""
    config = VARIANTS["small_deck"]
    players = waiter("rice + stew", "water + wine + rice*2"), waiter("wine*n")
    dealt = seated(config, study(config, *players, market_events=["leave", "leave"]))
    after = play(dealt, ["complete 1", "name wine", "name rice", "name stew"])
    assert [player["points"] for player in after["players"]] == [601, 0, 0]
    field = next(f for f in GAME.observation_fields(config) if f.name == "points_0")
    bits = dealt.observe(0)[0, field.start : field.start + field.size]
    assert int((bits.astype(int) << np.arange(len(bits))).sum()) == 601
    after = play(dealt, "complete 0")
    assert [player["points"] for player in after["players"]] == [601, 3, 0]


LARGE_MENU = [(f"dish {i}", f"symbol {i % 20}") for i in range(62)]


def large_orders() -> list[tuple[int, list[str]]]:
    """Return 200 orders of 1 to 6 dishes, with more backs than a signed byte can number."""
    rng = np.random.default_rng(0)
    orders = []
    for number in range(200):
        picked = rng.choice(62, 1 + number % 6, replace=False)
        orders.append((10_000 - number % 6, [LARGE_MENU[dish][0] for dish in picked]))
    return orders


def test_the_largest_menu() -> None:
    """62 dishes of 20 symbols: core and reference agree, and right names are right."""
    config = Config(players=3, orders=large_orders(), menu=LARGE_MENU, target=50_000, recall=1)
    assert len(config.deck.backs) > 127
    rng = np.random.default_rng(1)
    dealt = tables(1, 0, config=config, autoreset_mode="Disabled")
    right = 0
    highest = 0
    for _ in range(8):
        dealt.reset()
        position = GAME.position_to_dict(dealt.state[0])
        reference = reference_at(config, position)
        assert_agreement(dealt, reference, position, [0.0] * 3, reference.legal_actions())
        while not reference.over:
            text, action = next_action(dealt, rng)
            dealt.step([action])
            position = GAME.position_to_dict(dealt.state[0])
            assert_agreement(dealt, reference, position, *follow(reference, text, position))
            again = GAME.position_from_dict(config, position)
            assert np.array_equal(again["back_counts"][again["back"][0]],
                                  config.deck.back(int(again["face"][0])))  # fmt: skip
            highest = max(highest, int(dealt.state[0]["said"]))
        right += sum(len(player["completed"]) for player in position["players"])
    assert right > 20
    assert highest >= 1 << 40


def next_action(dealt: Tables, rng: np.random.Generator) -> tuple[str, int]:
    """Return an action as text and number."""
    action = int(styled_actions(dealt, rng)[0])
    text = next(text for text, number in legal_actions(dealt).items() if number == action)
    return text, action


# -- Fresh faces -------------------------------------------------------------------------------

FRESH = Config(orders="fresh")
DEALS = 2000


@pytest.fixture(scope="module")
def faces() -> np.ndarray:
    """Return the faces of many deals, `(deals, 54)`."""
    return tables(DEALS, 5, config=FRESH).state["face"].astype(np.int64)


def test_fresh_faces_have_the_shipped_backs_and_points(faces: np.ndarray) -> None:
    """Each order keeps its back, and the points that go with it."""
    deck = FRESH.deck
    assert deck == shipped_deck()
    for symbol in range(3):
        of_symbol = sum(1 << dish for dish in range(15) if deck.symbol_of[dish] == symbol)
        counts = sum(faces >> dish & of_symbol >> dish & 1 for dish in range(15))
        expected = [deck.back(face)[symbol] for face in deck.faces]
        assert (counts == expected).all()
    points = tables(1, 0, config=FRESH).state["order_points"][0]
    assert points.tolist() == list(deck.points)


def faces_of_back(back: tuple[int, ...]) -> list[int]:
    """Return every face that a back may have."""
    choices = [
        itertools.combinations(range(5 * symbol, 5 * symbol + 5), count)
        for symbol, count in enumerate(back)
    ]
    return [
        sum(1 << dish for group in groups for dish in group)
        for groups in itertools.product(*choices)
    ]


@pytest.mark.parametrize("back", shipped_deck().backs)
def test_all_fresh_faces_are_equally_likely(faces: np.ndarray, back: tuple[int, ...]) -> None:
    """Chi-squared over all faces of a back, and each order alone gets them all."""
    possible = faces_of_back(back)
    orders = [i for i, face in enumerate(shipped_deck().faces) if shipped_deck().back(face) == back]
    drawn = Counter(faces[:, orders].ravel().tolist())
    assert set(drawn) == set(possible)
    expected = DEALS * len(orders) / len(possible)
    squares = sum((drawn[face] - expected) ** 2 for face in possible) / expected
    freedom = len(possible) - 1
    assert abs(squares - freedom) < 4.5 * (2 * freedom) ** 0.5
    if len(possible) <= 125:
        for order in orders:
            assert len(set(faces[:, order].tolist())) == len(possible)


def test_fresh_faces_are_independent(faces: np.ndarray) -> None:
    """Equal orders occur as often as chance has it, and so do equal orders in equal deals."""
    two = [i for i, face in enumerate(shipped_deck().faces) if face.bit_count() == 2]
    pairs = list(itertools.combinations(two, 2))
    equal = np.mean([faces[:, a] == faces[:, b] for a, b in pairs])
    assert equal == pytest.approx(1 / 25, rel=0.05)
    again = np.mean(faces[1:, two] == faces[:-1, two])
    assert again == pytest.approx(1 / 25, rel=0.1)


def test_every_deal_has_fresh_faces() -> None:
    """A new game at the same table has new faces; with the shipped deck it has the same."""
    for config, same in ((FRESH, False), (Config(), True)):
        dealt = tables(1, 0, config=config)
        first = dealt.state["face"].copy()
        dealt.reset()
        assert np.array_equal(dealt.state["face"], first) == same


def test_a_fresh_order_is_completed_by_its_own_dishes() -> None:
    """What was on the table is what is to be named."""
    dealt = tables(1, 9, config=Config(orders="fresh", first_player=0))
    position = GAME.position_to_dict(dealt.state[0])
    order = max(position["market_orders"], key=len)
    assert len(order) > 1
    slot = position["market_orders"].index(order)
    play(dealt, [f"take {slot}", *["take 0"] * 3])
    after = play(dealt, ["complete 0", *named(" + ".join(order))])
    assert after["players"][0]["points"] == len(order)
    assert after["players"][0]["completed"] == [{"face": order, "repeat": False}]


def test_read_deck_is_what_a_variant_reads() -> None:
    """The function behind it."""
    assert read_deck(SMALL_ORDERS, SMALL_MENU) == SMALL.deck
    with pytest.raises(TypeError, match=r"^orders=5: must be a path, or rows of points, dishes"):
        read_deck(5, SMALL_MENU)
