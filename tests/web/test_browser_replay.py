"""The page of a recorded game in a real browser, with the network off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

import waiter_envs
from waiter_envs import records
from waiter_envs.arena.match import play_match
from waiter_envs.web.replay import Replay

from .browser import browser, complaints, go_offline, need_browser, resize, until

Page = tuple[Any, Path, records.Record]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A browser, the page of a game in which thoughts are told, and its record."""
    need_browser()
    folder = tmp_path_factory.mktemp("replay")
    game = waiter_envs.load("hey_waiter")
    file = folder / "game.jsonl"
    play_match(game, game.config(max_turns=40), ["random"], 1, 2, record=file)
    played = next(iter(records.read(file)))
    thoughts = tuple(
        records.Thought({action: 0.75, max(0, action - 1): 0.25}, number / 10, 0.002)
        if action_is_told(step, action)
        else None
        for number, (step, action) in enumerate(zip(played.replay(), played.actions, strict=True))
    )
    record = records.Record(**{**vars(played), "thoughts": thoughts})
    path = folder / "game.html"
    Replay(record, analyse=["heuristic"]).save(path)
    with browser() as driver:
        go_offline(driver)
        yield driver, path, record


def action_is_told(step: records.Step, action: int) -> bool:
    """Return whether the action before this one is legal too, so that both have words."""
    game = waiter_envs.load("hey_waiter")
    try:
        game.told(step.table, max(0, action - 1), None)
    except ValueError:
        return False
    return True


def opened(page: Page, place: int | None = None) -> Any:
    """Open the page anew, at a place."""
    driver, path, _ = page
    driver.get("about:blank")
    driver.get(path.as_uri() + ("" if place is None else f"#{place}"))
    until(driver, lambda d: d.execute_script("return 'ready' in document.documentElement.dataset"))
    return driver


def press(driver: Any, *keys: str) -> None:
    """Press keys, wherever the focus is."""
    for key in keys:
        ActionChains(driver).send_keys(key).perform()


def where(driver: Any) -> int:
    """Return the place that is shown."""
    words = driver.find_element("id", "place").text
    return int(words.split(" of ")[0])


def picture(driver: Any) -> str:
    """Return the drawing that is shown."""
    return driver.execute_script("return document.querySelector('#table').innerHTML")


def test_it_is_walked_through_by_keys(page: Page) -> None:
    """Arrows, home and end, chapters, and the address follow."""
    driver, end = opened(page), len(page[2].actions)
    assert where(driver) == 0
    seen = {picture(driver)}
    for place in range(1, end + 1):
        press(driver, Keys.ARROW_RIGHT)
        assert where(driver) == place
        assert driver.current_url.endswith(f"#{place}")
        seen.add(picture(driver))
    assert len(seen) > end * 0.9
    assert "Rewards: P0" in driver.find_element("id", "said").text
    press(driver, Keys.ARROW_RIGHT)
    assert where(driver) == end
    press(driver, Keys.HOME)
    assert where(driver) == 0
    press(driver, Keys.END)
    assert where(driver) == end
    press(driver, "[")
    assert 0 < where(driver) < end
    assert not complaints(driver)


def test_a_link_leads_to_a_decision(page: Page) -> None:
    """`#7` is the place behind the seventh decision; nonsense is the beginning."""
    driver = opened(page, 7)
    assert where(driver) == 7
    step = list(page[2].replay())[6]
    told = waiter_envs.load("hey_waiter").told(step.table, step.action, None)
    assert told["words"] in driver.find_element("id", "said").text
    driver.execute_script("location.hash = '#3'")
    until(driver, lambda d: where(d) == 3)
    assert where(opened(page, 10**6)) == len(page[2].actions)


def test_seats_see_what_is_theirs(page: Page) -> None:
    """The views differ; thoughts are shown to whoever had them."""
    driver = opened(page, 5)
    everything = picture(driver)
    acting = list(page[2].replay())[5].player
    buttons = driver.find_elements("css selector", "#seats button")
    assert [button.text for button in buttons] == ["All cards", "P0", "P1", "P2", "P3"]
    shown = []
    for player, button in enumerate(buttons[1:]):
        button.click()
        assert button.get_attribute("aria-checked") == "true"
        shown.append(picture(driver))
        asked = driver.find_element("id", "opinions").text
        assert ("heuristic" in asked) == (player == acting)
    assert len({everything, *shown}) == 5
    press(driver, "s")
    assert picture(driver) == everything


def test_thoughts_are_bars_and_a_curve(page: Page) -> None:
    """What was done stands out; a click on the curve leads there."""
    place = next(i for i, thought in enumerate(page[2].thoughts or ()) if thought)
    driver = opened(page, place)
    bars = driver.find_elements("css selector", "#thought .bars li")
    assert len(bars) == 2
    assert "75%" in bars[0].text
    assert bars[0].get_attribute("class") == "done"
    assert f"value {place / 10:g}" in driver.find_element("id", "thought").text
    curve = driver.find_element("css selector", "#curve svg")
    ActionChains(driver).move_to_element(curve).click().perform()
    assert abs(where(driver) - len(page[2].actions) / 2) <= 1


def test_it_jumps_to_disagreements(page: Page) -> None:
    """Random play is not what the rule-based agent would do."""
    driver = opened(page, 0)
    driver.find_element("id", "differ").click()
    first = where(driver)
    assert "would:" in driver.find_element("id", "opinions").text
    press(driver, "d")
    assert where(driver) > first


def test_it_plays_by_itself(page: Page) -> None:
    """Play and pause, by button and key, and stop at the end."""
    driver = opened(page, 0)
    button = driver.find_element("id", "play")
    button.click()
    assert button.text == "Pause"
    until(driver, lambda d: where(d) >= 1)
    button.click()
    assert button.text == "Play"
    Select(driver.find_element("id", "speed")).select_by_visible_text("very fast")
    driver.execute_script("document.activeElement.blur()")
    press(driver, " ")
    until(driver, lambda d: where(d) == len(page[2].actions))
    assert button.text == "Play"


def test_wheel_and_track_move_too(page: Page) -> None:
    """The wheel over the table, the track, a line of the log."""
    driver = opened(page, 4)
    driver.execute_script(
        "document.getElementById('table').dispatchEvent("
        "new WheelEvent('wheel', {deltaY: 50, cancelable: true, bubbles: true}))"
    )
    assert where(driver) == 5
    driver.execute_script(
        "const s = document.getElementById('scrub'); s.value = 9;"
        "s.dispatchEvent(new Event('input'))"
    )
    assert where(driver) == 9
    driver.execute_script("document.querySelectorAll('#log li:not(.chapter)')[2].click()")
    assert where(driver) == 2


@pytest.mark.parametrize("width", [360, 900, 1600])
def test_it_fits(page: Page, width: int) -> None:
    """No page is wider than the window, and the controls are on it; light and dark."""
    driver = opened(page, 6)
    try:
        resize(driver, width, 780)
        room = driver.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
        assert room[0] <= room[1] == width
        for name in ("first", "back", "play", "next", "last"):
            box = driver.find_element("id", name).rect
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
            assert box["y"] + box["height"] <= 780
        ground = "return getComputedStyle(document.body).backgroundColor"
        light = driver.execute_script(ground)
        press(driver, "t")
        assert driver.execute_script(ground) != light
    finally:
        resize(driver, 1280, 800)


def test_it_lives_in_a_frame(page: Page, tmp_path: Path) -> None:
    """As in a notebook, which gives it no address and no rights but scripts."""
    replay = Replay(page[2])
    outer = tmp_path / "notebook.html"
    outer.write_text(f"<!DOCTYPE html><body>{replay._repr_html_()}", encoding="utf-8")
    driver = page[0]
    driver.get(outer.as_uri())
    driver.switch_to.frame(driver.find_element("tag name", "iframe"))
    until(driver, lambda d: d.execute_script("return 'ready' in document.documentElement.dataset"))
    press(driver, "s")
    driver.find_element("id", "next").click()
    assert where(driver) == 1
    driver.switch_to.default_content()
