"""A table of Garçon as a picture, made from a view alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from waiter_envs.drawing import font
from waiter_envs.drawing.cards import back, backs, empty, paper
from waiter_envs.drawing.glyphs import GLYPHS, glyph
from waiter_envs.drawing.layout import Box, Phone, around, row
from waiter_envs.drawing.painter import Painter
from waiter_envs.drawing.table import MAT_HEAD, mat, sheet
from waiter_envs.drawing.theme import BLUE, GREEN, ON_COLOUR, PAPER_INK, PAPER_QUIET, PURPLE, RED

View = Mapping[str, Any]

_COLOURS = (BLUE, GREEN, PURPLE, RED)
"""Of the dishes of each symbol, in the order of the symbols."""
_EVENTS = {"repeat": "Repeat", "notebook": "Notebook", "leave": "Client leaves"}

_OWN, _OTHER = 156.0, 124.0
"""Heights of the viewer's mat and of the others'."""
_ORDER_WIDTH, _ORDER_HEIGHT = 104.0, 122.0
_EVENT_WIDTH = 66.0
_LINE = 19.0
"""From one dish of an order to the next."""
_PHONE_ORDERS = 3
"""Orders side by side on a phone."""
_PHONE_OPEN, _PHONE_SLIP, _PHONE_CHOICE, _PHONE_CLOCK = 118.0, 116.0, 34.0, 86.0
"""Heights on a phone: of a row of open orders, the slip, a dish of the menu, the clock."""


def svg(
    view: View,
    *,
    last: View | None = None,
    theme: str = "light",
    font: bool = True,
    layout: str = "whole",
) -> str:
    """Return a table as an SVG drawing, always the same text for the same arguments.

    Args:
        view: what `view` returned.
        last: what `told` returned of the last action; it is told, and what it concerned is marked.
        theme: `"light"` or `"dark"`.
        font: whether the drawing carries its face; without, whoever shows it must have it.
        layout: `"whole"`, `"page"` (without the headline) or `"phone"` (and narrow).
    """
    painter = Painter(theme, last)
    players, first = view["players"], view["viewer"] or 0
    order = [*players[first:], *players[:first]]
    phone = _on_phone(view, order[0])
    seats = around(layout, len(order) - 1, _OWN, _OTHER, phone, side=0.2, on_top=3)
    content = [_own(painter, view, order[0], seats.own)]
    content += [
        _other(painter, view, player, box)
        for player, box in zip(order[1:], seats.others, strict=True)
    ]
    content.append(_middle(painter, view, seats.middle))
    return sheet(painter, view, seats, "Garçon", _info(view["turn"]), last, content, font)


def _info(turn: View) -> str:
    """Return how far the game has come, in words."""
    clock = turn["clock"]
    goal = (
        f"target {turn['target']}"
        if clock is None
        else f"clock {clock['moved']} of {clock['places']}"
    )
    return f"turn {turn['number']}, {goal}" + (", last round" if turn["final_round"] else "")


def _on_phone(view: View, own: View) -> Phone:
    """Return how high everything is on a phone."""
    rows = math.ceil(len(own["open"]) / _PHONE_ORDERS)
    low = _naming_height(view) if view["naming"] is not None else 0.0
    clock = _PHONE_CLOCK if view["turn"]["clock"] is not None and not low else 0.0
    return Phone(
        own=MAT_HEAD + (rows * _PHONE_OPEN or 50) + 34,
        other=_OTHER,
        middle=low + clock + _market_height(view) + _events_height(view),
    )


def _naming_height(view: View) -> float:
    """Return how high slip and menu are on a phone."""
    return _PHONE_SLIP + 10 + math.ceil(len(_said_now(view)) / 3) * _PHONE_CHOICE + 8


def _market_height(view: View) -> float:
    """Return how high the orders in the middle are on a phone."""
    return 20 + math.ceil(len(view["market"]) / _PHONE_ORDERS) * (_ORDER_HEIGHT + 6)


def _events_height(view: View) -> float:
    """Return how high events and piles are on a phone."""
    return 122.0 if len(view["events"]) <= 3 else 244.0


# -- Players -----------------------------------------------------------------------------------


def _mat(painter: Painter, view: View, player: View, box: Box) -> str:
    """Return a player's mat: name, points, who is first."""
    points = player["points"]
    notes = [f"{points} point{'' if points == 1 else 's'}"]
    if player["is_first"]:
        notes.append("first")
    title = player["name"] + (f": {_did(player['last'])}" if player["last"] else "")
    return mat(painter, view, player, box, " · ".join(notes), title=title)


def _did(last: View) -> str:
    """Return in words what a player did in its last turn."""
    dishes = f": {', '.join(last['dishes'])}" if last["dishes"] else ""
    slot = "" if last["slot"] is None else f" {last['slot']}"
    return f"{last['did']}{slot}{dishes}"


def _other(painter: Painter, view: View, player: View, box: Box) -> str:
    """Return what lies before another player than the viewer."""
    inner = box.inset(10, MAT_HEAD + 6)
    parts = [_mat(painter, view, player, box)]
    cards = Box(inner.x, inner.y, inner.width, 54)
    place = row(cards, len(player["open"]), 44, 5)
    for i, order in enumerate(player["open"]):
        spot = Box(place.x + i * place.step, cards.y, 44, cards.height)
        parts.append(_open(painter, view, order, spot, False))
    done = Box(inner.x, inner.y + 67, inner.width, 20)
    parts.append(_completed(painter, player["completed"], done))
    return "".join(parts)


def _own(painter: Painter, view: View, player: View, box: Box) -> str:
    """Return what lies before the viewer."""
    inner = box.inset(14, MAT_HEAD + 6)
    parts = [_mat(painter, view, player, box)]
    orders = player["open"]
    count = _PHONE_ORDERS if box.is_narrow else max(len(orders), 1)
    width = min(_ORDER_WIDTH, (inner.width + 6) / count - 6)
    for i, order in enumerate(orders):
        line, place = divmod(i, count)
        spot = Box(inner.x + place * (width + 6), inner.y + line * _PHONE_OPEN, width, 98)
        parts.append(_open(painter, view, order, spot, True))
    if not orders:
        words = "no open orders"
        y = inner.y + (30 if box.is_narrow else 50)
        parts.append(painter.text(inner.x, y, words, 14, fill=painter.theme.quiet))
    done = Box(box.x + 230, box.y + 6, box.width - 330, 20)
    if box.is_narrow:
        done = Box(inner.x, box.bottom - 27, inner.width, 20)
    parts.append(_completed(painter, player["completed"], done))
    return "".join(parts)


def _completed(painter: Painter, orders: Sequence[View], box: Box) -> str:
    """Return completed orders, of each its points, in small."""
    if not orders:
        return ""
    theme = painter.theme
    words = "completed"
    label = painter.text(box.x, box.y + 15, words, 13, fill=theme.quiet)
    room = box.without_left(font.width(words, 13) + 8)
    place = row(room, len(orders), 26, 3)
    chips = []
    for i, order in enumerate(orders):
        spot = Box(place.x + i * place.step, room.y, 26, room.height)
        points = order["points"] * (2 if order["repeat"] else 1)
        chips.append(
            painter.rect(spot, theme.paper, radius=4, edge=theme.paper_line)
            + painter.text(
                spot.middle,
                spot.y + 15,
                str(points),
                14,
                fill=PAPER_INK,
                bold=True,
                anchor="middle",
            )
            + (
                painter.path(
                    f"M{spot.x + 6:.1f} {spot.bottom - 3:.1f}h14", edge=PAPER_INK, edge_width=1.5
                )
                if order["repeat"]
                else ""
            )
        )
    return label + "".join(chips)


# -- Orders ------------------------------------------------------------------------------------


def _symbol(name: str) -> str:
    """Return the glyph of a symbol."""
    return name if name in GLYPHS else "circle"


def _colour(view: View, symbol: str) -> str:
    """Return the colour of the dishes of a symbol."""
    return _COLOURS[view["symbols"].index(symbol) % len(_COLOURS)]


def _symbol_of(view: View, dish: str) -> str:
    """Return the symbol of a dish."""
    return next(str(entry["symbol"]) for entry in view["menu"] if entry["dish"] == dish)


def _picture(view: View, dish: str) -> str:
    """Return the glyph of a dish; of one of somebody's own that of its symbol."""
    return dish if dish in GLYPHS else _symbol(_symbol_of(view, dish))


def _open(painter: Painter, view: View, order: View, box: Box, is_own: bool) -> str:
    """Return an open order: its back, or its face if the viewer sees it, and events on it."""
    theme = painter.theme
    face = order["order"]
    if face is None:
        shape = back(painter, box, _back(painter, view, order["back"], box))
    elif is_own:
        shape = _face(painter, view, face, box)
    else:
        shape = _small_face(painter, view, face, box)
    marks = [kind for kind in ("repeat", "notebook") if order[kind]]
    for i, kind in enumerate(marks):
        x, y = box.right - 8 - i * 20, box.y + 1
        shape += painter.circle(x, y, 9.5, theme.paper, theme.back) + glyph(
            painter, kind, x - 6.5, y - 6.5, 13, PAPER_INK, theme.paper
        )
    label = painter.text(
        box.middle, box.bottom + 14, str(order["place"]), 12, fill=theme.quiet, anchor="middle"
    )
    what = "face down" if face is None else ", ".join(face["dishes"])
    words = " ".join(["", *(f"under a {_EVENTS[kind]}" for kind in marks)])
    title = f"open order {order['place']}: {what}{words}, taken {order['age']} turns ago"
    return painter.thing(order["id"], box, shape, label, title=title)


def _back(painter: Painter, view: View, counts: Sequence[int], box: Box) -> str:
    """Return what the back of an order shows: how many dishes of each symbol."""
    lines = [
        (symbol, count) for symbol, count in zip(view["symbols"], counts, strict=True) if count
    ]
    step = min(26.0 if box.height > 80 else 16.0, (box.height - 6) / max(1, len(lines)))
    size = step - 3
    y = box.y + (box.height - step * len(lines)) / 2
    parts = []
    text_size = max(12.0, min(17.0, step - 2))
    for i, (symbol, count) in enumerate(lines):
        top = y + i * step + 1.5
        x = box.middle - (size + 14) / 2
        parts.append(glyph(painter, _symbol(symbol), x, top, size, ON_COLOUR, painter.theme.back))
        parts.append(
            painter.text(
                x + size + 5,
                top + size / 2 + text_size * 0.34,
                str(count),
                text_size,
                fill=ON_COLOUR,
                bold=True,
            )
        )
    return "".join(parts)


def _face(painter: Painter, view: View, order: View, box: Box) -> str:
    """Return the face of an order: its points, and its dishes as pictures and words."""
    theme, dishes = painter.theme, order["dishes"]
    step = min(_LINE, (box.height - 8) / max(1, len(dishes)))
    parts = [_points(painter, order["points"], box)]
    for i, dish in enumerate(dishes):
        y = box.y + 5 + i * step
        ink = _colour(view, _symbol_of(view, dish))
        parts.append(
            glyph(
                painter, _picture(view, dish), box.x + 6, y, min(16.0, step - 2), ink, theme.paper
            )
        )
        room = box.width - 30 - (20 if i * step + step > box.height - 28 else 0)
        parts.append(painter.text(box.x + 26, y + 12.5, dish, 12.5, fill=PAPER_INK, room=room))
    return paper(painter, box, *parts)


def _points(painter: Painter, points: int, box: Box) -> str:
    """Return the points of an order, at the lower right corner of its face."""
    return painter.text(
        box.right - 7, box.bottom - 8, str(points), 20, fill=PAPER_INK, bold=True, anchor="end"
    )


def _small_face(painter: Painter, view: View, order: View, box: Box) -> str:
    """Return the face of an order in small: pictures alone, and its points."""
    dishes = order["dishes"][:5]
    parts = [
        glyph(
            painter,
            _picture(view, dish),
            box.x + 4 + i % 2 * 18,
            box.y + 3 + i // 2 * 16,
            15,
            _colour(view, _symbol_of(view, dish)),
            painter.theme.paper,
        )
        for i, dish in enumerate(dishes)
    ]
    points = painter.text(
        box.right - 5,
        box.bottom - 5,
        str(order["points"]),
        14,
        fill=PAPER_INK,
        bold=True,
        anchor="end",
    )
    return paper(painter, box, *parts, points)


# -- The middle --------------------------------------------------------------------------------


def _middle(painter: Painter, view: View, box: Box) -> str:
    """Return what lies on the table: orders and events, piles, and the clock or the slip."""
    if box.is_narrow:
        return _middle_narrow(painter, view, box)
    low = 116.0
    spare = max(0.0, box.height - _ORDER_HEIGHT - 22 - low)
    upper = Box(box.x, box.y + spare / 3, box.width, _ORDER_HEIGHT + 22)
    lower = Box(box.x, upper.bottom + spare / 3, box.width, low)
    parts = [_market(painter, view, upper)]
    if view["naming"] is not None:
        piles = Box(lower.right - 116, lower.y, 116, low)
        slip = lower.left(190)
        menu = Box(slip.right + 14, lower.y, piles.x - slip.right - 30, low)
        if menu.width < 560 and box.height > 400:  # the menu gets a row of its own
            upper = box._replace(height=_ORDER_HEIGHT + 22)
            slip = slip._replace(x=box.middle - 200, y=upper.bottom + 12, width=220)
            piles = piles._replace(x=box.middle + 60, y=slip.y)
            menu = Box(box.middle - 315, slip.bottom + 16, 630, 108)
            parts = [_market(painter, view, upper)]
        parts.append(_piles(painter, view, piles, True))
        parts.append(_slip(painter, view, slip))
        parts.append(_menu(painter, view, menu))
    elif view["turn"]["clock"] is not None:
        piles, clock = lower.columns(1, 1, gap=30)
        parts.append(_piles(painter, view, piles, False))
        parts.append(_clock(painter, view["turn"]["clock"], clock))
    else:
        parts.append(_piles(painter, view, lower, False))
    return "".join(parts)


def _middle_narrow(painter: Painter, view: View, box: Box) -> str:
    """Return what lies on the table on a phone: what is being named first."""
    parts, y = [], box.y
    if view["naming"] is not None:
        high = _naming_height(view)
        parts.append(_slip(painter, view, Box(box.middle - 100, y, 200, _PHONE_SLIP)))
        menu = Box(box.x, y + _PHONE_SLIP + 10, box.width, high - _PHONE_SLIP - 18)
        parts.append(_menu(painter, view, menu))
        y += high
    gap, count = 6.0, _PHONE_ORDERS
    width = min(_ORDER_WIDTH, (box.width + gap) / count - gap)
    x = box.middle - (count * (width + gap) - gap) / 2
    parts.append(painter.text(x, y + 12, "orders", 13, fill=painter.theme.quiet))
    for i, slot in enumerate(view["market"]):
        line, place = divmod(i, count)
        spot = Box(
            x + place * (width + gap),
            y + 20 + line * (_ORDER_HEIGHT + gap),
            width,
            _ORDER_HEIGHT,
        )
        parts.append(_slot(painter, view, slot, spot))
    y += _market_height(view)
    parts.append(_events(painter, view, x, y))
    high = _events_height(view)
    piles = Box(box.right - 128, y + high - 122, 116, 116)
    parts.append(_piles(painter, view, piles, True))
    if view["naming"] is None and view["turn"]["clock"] is not None:
        clock = Box(box.x, y + high, box.width, _PHONE_CLOCK)
        parts.append(_clock(painter, view["turn"]["clock"], clock))
    return "".join(parts)


def _slot(painter: Painter, view: View, slot: View, box: Box) -> str:
    """Return a place for an order that lies face up."""
    order = slot["order"]
    shape = empty(painter, box) if order is None else _face(painter, view, order, box)
    title = f"slot {slot['slot']}: " + (
        "empty" if order is None else f"{', '.join(order['dishes'])}, {order['points']} points"
    )
    return painter.thing(slot["id"], box, shape, title=title)


def _events(painter: Painter, view: View, x: float, y: float) -> str:
    """Return the events that lie face up, with what they are called."""
    if not view["events"]:
        return ""
    parts = [painter.text(x, y + 12, "events", 13, fill=painter.theme.quiet)]
    for slot in view["events"]:
        spot = Box(x, y + 20, _EVENT_WIDTH, _ORDER_HEIGHT * 0.75)
        event = slot["event"]
        shape = empty(painter, spot) if event is None else _event(painter, event, spot)
        title = f"event {slot['slot']}: {_EVENTS[event] if event else 'empty'}"
        parts.append(painter.thing(slot["id"], spot, shape, title=title))
        x += _EVENT_WIDTH + 6
    return "".join(parts)


def _market(painter: Painter, view: View, box: Box) -> str:
    """Return the orders and events that lie face up."""
    theme = painter.theme
    orders, events = view["market"], view["events"]
    gap, between = 6.0, 30.0
    free = box.width - between - len(events) * (_EVENT_WIDTH + gap)
    width = min(_ORDER_WIDTH, free / len(orders) - gap)
    total = len(orders) * (width + gap) + between + len(events) * (_EVENT_WIDTH + gap) - gap
    x, y = box.middle - total / 2, box.y + 20
    parts = [
        painter.text(x, box.y + 12, "orders", 13, fill=theme.quiet),
    ]
    for slot in orders:
        parts.append(_slot(painter, view, slot, Box(x, y, width, _ORDER_HEIGHT)))
        x += width + gap
    return "".join(parts) + _events(painter, view, x + between - gap, box.y)


def _event(painter: Painter, event: str, box: Box) -> str:
    """Return an event, face up."""
    words = font.wrap(_EVENTS[event], box.width - 6, 2, 13, True)
    return paper(
        painter,
        box,
        glyph(painter, event, box.middle - 16, box.y + 11, 32, PAPER_INK, painter.theme.paper),
        painter.lines(
            box.middle, box.y + 62, words, 13, fill=PAPER_INK, bold=True, anchor="middle"
        ),
    )


def _piles(painter: Painter, view: View, box: Box, is_small: bool) -> str:
    """Return the piles of orders and events, and what has been discarded."""
    theme = painter.theme
    names = (("order", "orders"), ("event", "events"))
    width, step = (40.0, 58.0) if is_small else (48.0, 84.0)
    gap = 0.0 if is_small else 24.0
    total = 2 * step if is_small else 4 * step + gap
    x = box.middle - total / 2
    parts = []
    for i, (kind, many) in enumerate(names):
        pile, discards = view[f"{kind}_pile"], view[f"{kind}_discards"]
        left = x + i * (step if is_small else 2 * step + gap)
        spot = Box(left + (step - width) / 2, box.y + 8, width, 46 if is_small else 62)
        label = painter.text(
            left + step / 2, spot.bottom + 15, many, 13, fill=theme.quiet, anchor="middle"
        )
        parts.append(
            painter.thing(
                pile["id"],
                spot,
                backs(painter, spot, pile["count"]),
                label,
                title=f"{pile['count']} {many} in the pile{_listed(pile)}",
            )
        )
        if is_small:
            spot = Box(left + (step - width) / 2, spot.bottom + 24, width, 22)
            size, words = 14, ""
        else:
            spot = Box(left + step + (step - width) / 2, box.y + 8, width, 62)
            size, words = 18, "discarded"
        face = (
            paper(
                painter,
                spot,
                painter.text(
                    spot.middle,
                    spot.y + spot.height / 2 + size * 0.34,
                    str(discards["count"]),
                    size,
                    fill=PAPER_INK,
                    bold=True,
                    anchor="middle",
                ),
            )
            if discards["count"]
            else empty(painter, spot, "0")
        )
        label = painter.text(
            spot.middle, spot.bottom + 15, words, 13, fill=theme.quiet, anchor="middle"
        )
        title = f"{discards['count']} {many} discarded{_listed(discards)}"
        parts.append(painter.thing(discards["id"], spot, face, label, title=title))
    if is_small:
        parts.append(
            painter.text(
                box.middle, box.bottom - 1, "discarded", 13, fill=theme.quiet, anchor="middle"
            )
        )
    return "".join(parts)


def _listed(pile: View) -> str:
    """Return in words what is in a pile face up."""
    if pile.get("orders"):
        return ": " + "; ".join(", ".join(order["dishes"]) for order in pile["orders"])
    if pile.get("events"):
        return ": " + ", ".join(f"{count} {kind}" for kind, count in pile["events"].items())
    return ""


def _clock(painter: Painter, clock: View, box: Box) -> str:
    """Return the clock as a strip with its marker."""
    theme = painter.theme
    places, moved = clock["places"], min(clock["moved"], clock["places"])
    left, width = box.x + 10, box.width - 20
    y = box.y + 42
    step = width / max(places, 1)
    x = left + moved * step
    ticks = (
        "".join(f"M{left + i * step:.1f} {y - 5:.1f}v10" for i in range(places + 1))
        if places <= 60
        else ""
    )
    return "".join(
        (
            painter.path(f"M{left:.1f} {y:.1f}h{width:.1f}", edge=theme.line, edge_width=3),
            painter.path(ticks, edge=theme.line, edge_width=1.5) if ticks else "",
            painter.path(f"M{left:.1f} {y:.1f}H{x:.1f}", edge=theme.ink, edge_width=3),
            painter.circle(x, y, 8, theme.ink),
            painter.text(left, y + 32, f"clock: {moved} of {places}", 13, fill=theme.quiet),
            painter.text(
                left + width,
                y + 32,
                "then all name their orders",
                13,
                fill=theme.quiet,
                anchor="end",
            ),
        )
    )


def _slip(painter: Painter, view: View, box: Box) -> str:
    """Return the slip on which the dishes of an order are being named."""
    theme, naming = painter.theme, view["naming"]
    said = list(naming["said"])
    wanted = [
        symbol
        for symbol, count in zip(view["symbols"], naming["back"], strict=True)
        for _ in range(count)
    ]
    lines: list[tuple[str, str | None]] = []
    for symbol in wanted:
        dish = next((dish for dish in said if _symbol_of(view, dish) == symbol), None)
        if dish is not None:
            said.remove(dish)
        lines.append((symbol, dish))
    asked = next((i for i, (_, dish) in enumerate(lines) if dish is None), -1)
    name = view["players"][naming["player"]]["name"]
    step = min(18.0, (box.height - 24) / max(1, len(lines)))
    parts = [
        painter.text(
            box.x + 8,
            box.y + 16,
            f"{name}, order {naming['order']}",
            13,
            fill=PAPER_INK,
            bold=True,
            room=box.width - 16,
        )
    ]
    for i, (symbol, dish) in enumerate(lines):
        y = box.y + 23 + i * step
        ink = PAPER_QUIET if dish is None else _colour(view, symbol)
        if i == asked:
            glow = Box(box.x + 3, y - 1, box.width - 6, step)
            parts.append(painter.rect(glow, theme.accent_fill, radius=4))
            ink = PAPER_INK
        picture = _symbol(symbol) if dish is None else _picture(view, dish)
        parts.append(glyph(painter, picture, box.x + 8, y, min(15.0, step - 2), ink, theme.paper))
        words = dish or (f"which {symbol}?" if i == asked else "")
        parts.append(
            painter.text(box.x + 30, y + 12.5, words, 13, fill=PAPER_INK, room=box.width - 36)
            if words
            else painter.path(
                f"M{box.x + 30:.1f} {y + 13:.1f}h{box.width - 42:.1f}", edge=theme.paper_line
            )
        )
    title = f"{name} names its order {naming['order']}: {', '.join(naming['said']) or 'nothing'}"
    return painter.thing(naming["id"], box, paper(painter, box, *parts), title=title)


def _said_now(view: View) -> list[View]:
    """Return the menu, or of one that is long what may be said now."""
    dishes: list[View] = view["menu"]
    if len(dishes) <= 18:
        return dishes
    return [entry for entry in dishes if entry["symbol"] == view["naming"]["symbol"]]


def _menu(painter: Painter, view: View, box: Box) -> str:
    """Return the menu while an order is being named: what may be said now is the brightest."""
    naming, dishes = view["naming"], _said_now(view)
    if box.is_narrow:
        columns = 3
        lines = [dishes[i : i + columns] for i in range(0, len(dishes), columns)]
    elif len(view["menu"]) > 18:
        columns = max(1, math.ceil(len(dishes) / max(1, int(box.height / 27))))
        lines = [dishes[i : i + columns] for i in range(0, len(dishes), columns)]
    else:
        lines = [
            [entry for entry in dishes if entry["symbol"] == symbol] for symbol in view["symbols"]
        ]
        columns = max(map(len, lines))
    width = min(120.0, (box.width + 6) / columns - 6)
    step = min(36.0, box.height / len(lines))
    parts = []
    for i, line in enumerate(lines):
        for j, entry in enumerate(line):
            spot = Box(box.x + j * (width + 6), box.y + i * step + 2, width, step - 6)
            open_now = entry["symbol"] == naming["symbol"] and entry["dish"] not in naming["said"]
            parts.append(_choice(painter, view, entry, spot, open_now))
    return "".join(parts)


def _choice(painter: Painter, view: View, entry: View, box: Box, open_now: bool) -> str:
    """Return a dish of the menu."""
    theme, dish = painter.theme, entry["dish"]
    y = box.y + box.height / 2
    if open_now:
        ground = painter.rect(box, theme.paper, radius=6, edge=theme.accent, edge_width=2)
        ink, colour, under = PAPER_INK, _colour(view, entry["symbol"]), theme.paper
    else:
        ground = painter.rect(box, theme.mat, radius=6)
        ink, colour, under = theme.quiet, theme.quiet, theme.mat
    return painter.thing(
        entry["id"],
        box,
        ground,
        glyph(painter, _picture(view, dish), box.x + 6, y - 8, 16, colour, under),
        painter.text(box.x + 27, y + 4.5, dish, 13, fill=ink, room=box.width - 32),
        title=dish,
        radius=6,
    )
