"""A real browser for the tests of pages: Chromium without a window, driven by Selenium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

PROGRAMS = ("chromium", "chromedriver")


def need_browser() -> None:
    """Skip the test where there is no browser; fail in continuous integration, which has one."""
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    try:
        import selenium  # noqa: F401
    except ImportError:
        missing.append("selenium")
    if missing and os.environ.get("CI"):
        pytest.fail(f"continuous integration has no {', '.join(missing)}")
    if missing:
        pytest.skip(f"there is no {', '.join(missing)}")


@contextmanager
def browser(width: int = 1280, height: int = 800) -> Iterator[Any]:
    """Open a browser of some size, which is closed at the end."""
    need_browser()
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage"):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        resize(driver, width, height)
        yield driver
    finally:
        driver.quit()


def resize(driver: Any, width: int, height: int) -> None:
    """Give the page another size."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def go_offline(driver: Any) -> None:
    """Switch the network off."""
    driver.execute_cdp_cmd("Network.enable", {})
    nothing = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
    driver.execute_cdp_cmd("Network.emulateNetworkConditions", nothing)


def until(driver: Any, condition: Callable[[Any], Any], seconds: float = 20.0) -> Any:
    """Wait until `condition(driver)` holds; return what it returned."""
    from selenium.webdriver.support.wait import WebDriverWait

    return WebDriverWait(driver, seconds, poll_frequency=0.05).until(condition)


def complaints(driver: Any) -> list[str]:
    """Return what the browser has complained of since it was asked last."""
    return [entry["message"] for entry in driver.get_log("browser")]
