"""A real browser, and a server in this process for it.

It takes Debian's `chromium` and `chromium-driver`. Without a browser these tests are skipped, but
where the environment variable `CI` is set they fail.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from selenium import webdriver
from selenium.common.exceptions import ElementClickInterceptedException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from waiter_envs.web.play import LOOPBACK, Server, listen
from waiter_envs.web.server import Room
from waiter_envs.web.sitting import Sitting

PATIENCE = 30.0
"""Seconds that something may take."""


def need_browser() -> None:
    """Skip a test where there is no browser; in continuous integration fail."""
    missing = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    if missing:
        reason = f"there is no {' and no '.join(missing)}: apt-get install chromium chromium-driver"
        (pytest.fail if "CI" in os.environ else pytest.skip)(reason)


def start_browser() -> webdriver.Chrome:
    """Return a browser without a window, which finds nothing but this machine."""
    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--force-prefers-reduced-motion",  # drawn without a graphics card, motion takes long
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(executable_path=shutil.which("chromedriver"))
    return webdriver.Chrome(options=options, service=service)


@contextmanager
def browser(width: int = 1280, height: int = 800) -> Iterator[webdriver.Chrome]:
    """Open a browser whose pages have some size; it is closed at the end."""
    need_browser()
    driver = start_browser()
    try:
        resize(driver, width, height)
        yield driver
    finally:
        driver.quit()


def resize(driver: webdriver.Chrome, width: int, height: int) -> None:
    """Give the page another size."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def allow_motion(driver: webdriver.Chrome) -> None:
    """Let things move on the page that is open."""
    wish = {"name": "prefers-reduced-motion", "value": "no-preference"}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [wish]})


def go_offline(driver: webdriver.Chrome) -> None:
    """Switch the network off."""
    driver.execute_cdp_cmd("Network.enable", {})
    nothing = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
    driver.execute_cdp_cmd("Network.emulateNetworkConditions", nothing)


def until(driver: webdriver.Chrome, condition: Callable[[webdriver.Chrome], Any]) -> Any:
    """Wait until `condition(driver)` holds; return what it returned."""
    return WebDriverWait(driver, PATIENCE, poll_frequency=0.05).until(condition)


def complaints(driver: webdriver.Chrome) -> list[str]:
    """Return what the browser has complained of since it was asked last."""
    return [entry["message"] for entry in driver.get_log("browser")]


@contextmanager
def served(sitting: Sitting) -> Iterator[list[str]]:
    """Serve a sitting; yield the addresses of its people."""
    room = Room(sitting)
    for bucket in (room.strangers, *room.buckets.values()):
        bucket.rate = bucket.burst = 10_000.0
    listening = listen(LOOPBACK, 0)
    server = Server(room, LOOPBACK, listening)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield [server.address(player) for player in sitting.people]
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


class Tab:
    """A page in a window of the browser."""

    def __init__(self, browser: webdriver.Chrome, address: str, *, pace: int = 0) -> None:
        """Open an address.

        Args:
            browser: where.
            address: of a seat.
            pace: milliseconds for which others' moves are shown.
        """
        self.browser = browser
        browser.switch_to.new_window("window")
        browser.set_window_size(1500, 950)
        self.handle = browser.current_window_handle
        browser.get(address)
        self.run("localStorage.setItem('waiter-envs pace', arguments[0])", str(pace))
        browser.refresh()
        self.until(lambda: self.state)

    def front(self) -> None:
        """Bring the tab to the front."""
        self.browser.switch_to.window(self.handle)

    def run(self, script: str, *arguments: Any) -> Any:
        """Run a script in the page."""
        return self.browser.execute_script(script, *arguments)

    @property
    def state(self) -> str:
        """What the page is doing: `asked 7`, `watching`, `waiting`, `over`."""
        busy = "document.body.classList.contains('busy')"
        return self.run(f"return {busy} ? '' : document.body.dataset.state") or ""

    def find(self, selector: str) -> list[WebElement]:
        """Return the elements that can be seen."""
        found = self.browser.find_elements(By.CSS_SELECTOR, selector)
        return [element for element in found if element.is_displayed()]

    def texts(self, selector: str) -> list[str]:
        """Return what stands in all such elements."""
        script = "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)"
        return list(self.run(script, selector))

    def one(self, selector: str) -> WebElement:
        """Return the element that can be seen, of which there is one."""
        (element,) = self.find(selector)
        return element

    def click(self, element: WebElement) -> bool:
        """Click at the middle of an element; return whether it was not hidden by another."""
        try:
            element.click()
        except ElementClickInterceptedException:
            return False
        return True

    def press(self, *keys: str) -> None:
        """Press keys, wherever the focus is."""
        ActionChains(self.browser).send_keys(*keys).perform()

    def until(self, done: Callable[[], Any], what: str = "") -> Any:
        """Return what `done` returns as soon as that is something."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if result := done():
                return result
            time.sleep(0.01)
        raise AssertionError(f"{what or 'it'} takes too long; the page is {self.state!r}")

    def settled(self, but: str = "") -> str:
        """Wait until the page asks something, waits, or the game is over; return which.

        Args:
            but: what is not waited for: the state before a click.
        """
        passing = ("", "watching", but)
        return str(self.until(lambda: (s := self.state) not in passing and s, "the page"))

    def complaints(self) -> list[str]:
        """Return what the browser's console has been told."""
        return [entry["message"] for entry in self.browser.get_log("browser")]
