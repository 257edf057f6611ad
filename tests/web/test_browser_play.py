"""A real browser plays on the page: whole games by clicks and by keys, as several people."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys

import waiter_envs
from waiter_envs.web.sitting import Sitting

from .browser import Tab, allow_motion, need_browser, served, start_browser
from .playing import sitting


@pytest.fixture(scope="module")
def chromium() -> Iterator[webdriver.Chrome]:
    """Return a browser for all tests."""
    need_browser()
    browser = start_browser()
    yield browser
    browser.quit()


@pytest.fixture
def browser(chromium: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    """Return the browser, with one empty tab and nobody's wishes."""
    yield chromium
    for handle in chromium.window_handles[1:]:
        chromium.switch_to.window(handle)
        chromium.close()
    chromium.switch_to.window(chromium.window_handles[0])


def choose_on_the_table(tab: Tab, rng: random.Random) -> bool:
    """Click at things that are lit until the tray offers something, and take it."""
    for _ in range(8):
        offered = tab.find("#tray button.main")
        if offered and tab.find(".thing.picked"):
            return tab.click(rng.choice(offered))
        lit = tab.find(".thing.lit")
        rng.shuffle(lit)
        before = len(tab.find(".thing.picked"))
        if not any(tab.click(thing) and len(tab.find(".thing.picked")) != before for thing in lit):
            return False
    return False


def choose_in_the_list(tab: Tab, rng: random.Random) -> None:
    """Click at something in the list."""
    option = rng.choice(tab.find("#list .option"))
    tab.run("arguments[0].scrollIntoView({block: 'center'})", option)
    assert tab.click(option)


def play(tab: Tab, rng: random.Random) -> bool:
    """Decide once; return whether that was done on the table."""
    on_the_table = rng.random() < 0.7 and choose_on_the_table(tab, rng)
    if not on_the_table:
        choose_in_the_list(tab, rng)
    return on_the_table


@pytest.mark.long
@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_a_whole_game_by_clicks(name: str, browser: webdriver.Chrome) -> None:
    """On the table and in the list; at the end all cards, the record, and another game."""
    rng = random.Random(5)
    table = sitting(name, "me", "random")
    with served(table) as (address,):
        tab = Tab(browser, address)
        on_the_table = decisions = 0
        state = tab.settled()
        while state != "over":
            assert state == f"asked {table.place(0).asked}"
            on_the_table += play(tab, rng)
            decisions += 1
            state = tab.settled(state)
        assert table.over
        assert decisions > 3
        assert on_the_table > decisions // 5
        assert tab.one("#headline").text.endswith("won")
        tab.one("#end button[aria-pressed]").click()
        tab.until(lambda: table.game.render(table.tables.state[0], None) in page_text(tab))
        assert tab.one("#end a[download]").get_attribute("href").endswith("/record")
        tab.one("#end button.main").click()
        assert tab.settled("over")
        assert table.round == 2
        assert tab.complaints() == []


def page_text(tab: Tab) -> str:
    """Return the table as text."""
    return str(tab.run("return document.getElementById('text').textContent"))


@pytest.mark.long
def test_two_people(browser: webdriver.Chrome) -> None:
    """Each in a window: who is asked plays, the other's page follows; each shows its own view."""
    rng = random.Random(4)
    table = sitting("dessert", "me", "me")
    with served(table) as addresses:
        tabs = [Tab(browser, address) for address in addresses]

        def asked() -> tuple[Tab, str] | None:
            states = [(tab.front(), (tab, tab.state))[1] for tab in tabs]
            return next(((tab, state) for tab, state in states if state[:5] == "asked"), None)

        decisions = [0, 0]
        while not table.over:
            tab, state = tabs[0].until(lambda: asked() or (table.over and (None, "over")))
            if tab is not None:
                tab.front()
                play(tab, rng)
                tab.settled(state)
                decisions[tabs.index(tab)] += 1
        assert min(decisions) > 2
        for player, tab in enumerate(tabs):
            tab.front()
            tab.until(lambda tab=tab: tab.state == "over")
            assert page_text(tab) == table.game.render(table.tables.state[0], player)
            assert tab.complaints() == []


def leading() -> Sitting:
    """Return a sitting at Greasy Spoon whose person leads with any dish."""
    game = waiter_envs.load("greasy_spoon")
    return Sitting(game, game.config(starter=0), ["me", "random"], 3)


def test_a_card_travels_from_the_hand_to_the_dish(browser: webdriver.Chrome) -> None:
    """What is served comes from where it was in the hand; what stays where it is does not move."""
    table = leading()
    with served(table) as (address,):
        tab = Tab(browser, address, pace=450)
        allow_motion(browser)
        state = tab.settled()
        tab.run("""
            window.went = [];
            const animate = Element.prototype.animate;
            Element.prototype.animate = function (way, ...more) {
              went.push([this.dataset.id, way[0].transform ?? ""]);
              return animate.call(this, way, ...more);
            };
        """)
        tab.press("/", "soda", Keys.ARROW_DOWN, Keys.ENTER)
        tab.settled(state)
        moved = table.place(0).frames[0].told["moved"]
        assert set(moved.values()) & {"dish", "pending"}
        ways = dict(tab.run("return went"))
        (there,) = set(moved.values()) & set(ways)
        _, y = map(float, re.findall(r"(-?[\d.e-]+)px", ways[there]))
        assert y > 50  # the hand lies below
        assert not {"p0", "p1", "p0-draw", "p1-draw"} & set(ways)


def test_by_keys_alone(browser: webdriver.Chrome) -> None:
    """Arrows, digits and Enter; filter, hint, undo, help, rules, another game."""
    table = leading()
    table.weighing(0, table.place(0).asked).run()  # compiles, which may take longer than patience
    with served(table) as (address,):
        tab = Tab(browser, address)
        state = tab.settled()
        tab.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
        marked, options = "#list .option[aria-selected=true]", tab.texts("#list .option")
        assert tab.texts(marked) == [options[1]]
        tab.press("1")
        assert tab.texts(marked) == [options[0]]

        tab.press("/", "soda")
        words = tab.texts("#list .option")
        assert words
        assert all("Soda" in one for one in words)
        tab.press(Keys.ARROW_DOWN, Keys.ENTER)
        state = tab.settled(state)
        assert table.place(0).log[0]["words"].startswith("serves a Soda")

        before = table.game.position_to_dict(table.tables.state[0])
        tab.press("h")
        (advised,) = tab.until(lambda: tab.texts("#advice .advised"))
        assert advised in tab.texts(marked)[0]
        tab.until(lambda: "Played out" in "".join(tab.texts("#advice .note")), "weighing")
        tab.press(Keys.ENTER)
        state = tab.settled(state)
        tab.press("u")
        state = tab.settled(state)
        assert table.game.position_to_dict(table.tables.state[0]) == before

        for key, dialog in (("?", "help"), ("r", "rules")):
            tab.press(key)
            assert tab.until(lambda dialog=dialog: tab.find(f"#{dialog}-dialog h2"))[0].text
            tab.press(Keys.ESCAPE)
            tab.until(lambda: not tab.find("dialog[open]"))
        tab.press("n")
        tab.until(lambda: tab.find("#deal-dialog"))
        tab.press(Keys.TAB, Keys.ENTER)
        tab.settled(state)
        assert table.round == 2


def test_things_by_keys(browser: webdriver.Chrome) -> None:
    """What is lit can be reached by Tab and chosen by Space; it says what it is."""
    table = leading()
    with served(table) as (address,):
        tab = Tab(browser, address)
        tab.settled()
        tab.run("document.querySelector('.thing.lit').focus()")
        things = []
        for _ in range(2):
            thing = tab.browser.switch_to.active_element
            assert thing.get_attribute("role") == "button"
            assert thing.get_attribute("aria-label")
            things.append(thing.get_attribute("data-id"))
            tab.press(" ")
            here = tab.browser.switch_to.active_element
            assert here.get_attribute("data-id") == things[-1]
            assert here.get_attribute("aria-pressed") == "true"
            tab.press(Keys.TAB)
        assert len(tab.find(".thing.picked")) == 2 == len(set(things))


def test_who_comes_back_finds_the_game(browser: webdriver.Chrome) -> None:
    table = sitting("garcon", "me", "random")
    with served(table) as (address,):
        tab = Tab(browser, address)
        state = tab.settled()
        for _ in range(2):
            choose_in_the_list(tab, random.Random(1))
            state = tab.settled(state)
        log = tab.texts("#log li")
        browser.refresh()
        assert tab.settled() == state
        assert tab.texts("#log li") == log
        other = Tab(browser, address)
        assert other.settled() == state


def test_two_tabs_of_one_seat(browser: webdriver.Chrome) -> None:
    """One of them decides, the other follows; a decision that is over is told of, and no harm."""
    table = sitting("dessert", "me", "random")
    with served(table) as (address,):
        first, second = (Tab(browser, address) for _ in range(2))
        state = second.settled()
        first.front()
        choose_in_the_list(first, random.Random(2))
        after = first.settled(state)
        second.front()
        assert second.settled(state) == after


def test_others_play_one_after_another(browser: webdriver.Chrome) -> None:
    """Each move with its words, until its time is over or somebody goes on, by Space or a click."""
    table = sitting("garcon", "me", "random")
    with served(table) as (address,):
        tab = Tab(browser, address)
        state = tab.settled()
        tab.run("""
            const pace = document.getElementById("pace");
            pace.options[0].value = "3600000";
            pace.selectedIndex = 0;
        """)
        ways: list[Callable[[Tab], object]] = [
            lambda tab: tab.press(" "),
            lambda tab: tab.one("#table").click(),
            lambda tab: tab.one("#note button").click(),
        ]
        for go_on in ways:
            choose_in_the_list(tab, random.Random(3))
            (told,) = tab.until(lambda: [t for t in tab.texts("#tray .told") if t[0] == "P"])
            _, other, last = [frame.told for frame in table.place(0).frames if frame.told]
            assert told == f"P{other['player']} {other['words']}"
            assert last["words"] not in tab.texts("#log li")[-1]
            assert not tab.find("#choosing")
            go_on(tab)
            state = tab.settled(state)
            assert last["words"] in tab.texts("#log li")[-1]
            assert state == f"asked {table.place(0).asked}"


def test_a_stopped_server_is_told_of(browser: webdriver.Chrome) -> None:
    table = sitting("dessert", "me", "random")
    with served(table) as (address,):
        tab = Tab(browser, address)
        tab.settled()
    tab.until(lambda: "stopped" in "".join(tab.texts("#toast:not([hidden])")))


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_sizes_and_themes(name: str, browser: webdriver.Chrome) -> None:
    """From a telephone to a projector nothing is beyond the edge; the switch changes colours."""
    table = sitting(name, "me", "random")
    with served(table) as (address,):
        tab = Tab(browser, address)
        tab.settled()
        for width, height in ((360, 740), (900, 800), (1600, 950)):
            browser.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride",
                {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500},
            )
            assert tab.run("return document.documentElement.scrollWidth") <= width
            box = tab.run("return document.querySelector('#table svg').getBoundingClientRect()")
            assert box["width"] >= min(width - 20, 600)
            assert tab.find("#headline")
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        ground = "return getComputedStyle(document.documentElement).backgroundColor"
        sheet = "return document.querySelector('#table svg rect').getAttribute('fill')"
        light = tab.run(ground), tab.run(sheet)
        tab.one("#theme").click()
        tab.until(lambda: tab.run(sheet) != light[1])
        assert tab.run(ground) != light[0]
        tab.one("#theme").click()
        tab.until(lambda: (tab.run(ground), tab.run(sheet)) == light)
        assert tab.complaints() == []
