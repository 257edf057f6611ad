"""A table of Dessert as a picture, made from a view alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from waiter_envs.drawing import font
from waiter_envs.drawing.cards import backs, empty, paper
from waiter_envs.drawing.glyphs import glyph
from waiter_envs.drawing.layout import GAP, Box, Phone, around, row
from waiter_envs.drawing.painter import Painter
from waiter_envs.drawing.table import MAT_HEAD, mat, sheet
from waiter_envs.drawing.theme import (
    BLUE,
    BROWN,
    GREEN,
    MUSTARD,
    PAPER_INK,
    PAPER_QUIET,
    PURPLE,
    RED,
)

View = Mapping[str, Any]

_TASTES = {
    "cake": PURPLE,
    "chocolate": BROWN,
    "cookie": MUSTARD,
    "fruit": RED,
    "ice_cream": BLUE,
    "marshmallow": PAPER_QUIET,
    "nuts": BROWN,
    "pastry": MUSTARD,
    "pie": BLUE,
    "pudding": PURPLE,
    "spices": RED,
    "veggies": GREEN,
}
"""The tastes, each with the colour of its glyph."""

_OWN, _OTHER = 212.0, 150.0
"""Heights of the viewer's mat and of the others'."""
_GUEST_WIDTH, _GUEST_HEIGHT = 128.0, 46.0
_LEAST_GUEST = 20.0
_DESSERT_WIDTH = 102.0
_PHONE_DESSERT, _PHONE_SERVING = 66.0, 140.0
"""Heights on a phone: of a row of the hand, of a serving."""


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
    phone = _on_phone(view, order)
    seats = around(layout, len(order) - 1, _OWN, _OTHER, phone, side=0.2, on_top=3)
    content = [_own(painter, view, order[0], seats.own)]
    content += [
        _other(painter, view, player, box)
        for player, box in zip(order[1:], seats.others, strict=True)
    ]
    content.append(_middle(painter, view, seats.middle))
    return sheet(painter, view, seats, "Dessert", _info(view), last, content, font)


def _info(view: View) -> str:
    """Return how far the game has come, in words."""
    turn = view["turn"]
    text = f"turn {turn['number']} of {view['players'][turn['active']]['name']}"
    if turn["closing_turn"]:
        most = turn["closing_turns"]
        text += f", closing time {turn['closing_turn']}" + (f" of {most}" if most else "")
    return text


def _on_phone(view: View, order: Sequence[View]) -> Phone:
    """Return how high everything is on a phone."""
    own, *others = order
    most = max(len(player["guests"]) for player in others)
    opened = 40 if any(player["hand"]["cards"] is not None for player in others) else 0
    desserts = max(1, math.ceil(len(own["hand"]["cards"] or ()) / 3))
    return Phone(
        own=MAT_HEAD + 16 + _guest_rows(len(own["guests"])) + desserts * _PHONE_DESSERT,
        other=MAT_HEAD + 12 + opened + max(_guest_rows(most), 0 if opened else 54),
        middle=_stage_height(view) + 84 + 90,
    )


def _guest_rows(guests: int) -> float:
    """Return how high guests are on a phone, two or three in a row."""
    return max(1, math.ceil(guests / (2 if guests <= 6 else 3))) * (_GUEST_HEIGHT + 4)


def _stage_height(view: View) -> float:
    """Return how high the guest turned up and a serving are on a phone."""
    guest = 182 if view["new_guest"] is not None else 88
    return guest + (_PHONE_SERVING if view["serving"] is not None else 0)


# -- Players -----------------------------------------------------------------------------------


def _mat(painter: Painter, view: View, player: View, box: Box) -> str:
    """Return a player's mat: name, points, whose turn it is."""
    points = player["points"]
    notes = [f"{points} point{'' if points == 1 else 's'}"]
    if player["is_active"]:
        notes.append("its turn")
    if player["warned"]:
        notes.append("warned")
    calls = view["calls"]
    if calls and player["player"] in calls["order"]:
        place = calls["order"].index(player["player"])
        notes.append("asked" if place < calls["asked"] else f"call {place + 1}")
    return mat(painter, view, player, box, " · ".join(notes), title=player["name"])


def _other(painter: Painter, view: View, player: View, box: Box) -> str:
    """Return what lies before another player than the viewer."""
    inner = box.inset(10, MAT_HEAD + 2)
    parts = [_mat(painter, view, player, box)]
    hand = player["hand"]
    if hand["cards"] is None:
        spot = Box(inner.x, inner.y + 4, 38, 48)
        title = f"hand: {hand['count']} desserts"
        parts.append(
            painter.thing(hand["id"], spot, backs(painter, spot, hand["count"]), title=title)
        )
        guests = inner.without_left(48)
    else:
        parts.append(_small_hand(painter, hand, Box(inner.x, inner.y, inner.width, 34)))
        guests = inner._replace(y=inner.y + 40, height=inner.height - 40)
    parts.append(_guests(painter, view, player["guests"], guests))
    return "".join(parts)


def _own(painter: Painter, view: View, player: View, box: Box) -> str:
    """Return what lies before the viewer."""
    inner = box.inset(8 if box.is_narrow else 14, MAT_HEAD + 2)
    parts = [_mat(painter, view, player, box)]
    high = _guest_rows(len(player["guests"])) - 2 if box.is_narrow else _GUEST_HEIGHT + 2
    guests = Box(inner.x, inner.y, inner.width, high)
    parts.append(_guests(painter, view, player["guests"], guests))
    if not player["guests"]:
        parts.append(
            painter.text(inner.x, inner.y + 26, "no guests yet", 14, fill=painter.theme.quiet)
        )
    hand = Box(inner.x, guests.bottom + 6, inner.width, inner.bottom - guests.bottom - 2)
    parts.append(_hand(painter, view, player["hand"], hand))
    return "".join(parts)


def _hand(painter: Painter, view: View, hand: View, box: Box) -> str:
    """Return the viewer's hand, face up, in as many rows as it needs."""
    cards = hand["cards"] or []
    title = f"hand: {hand['count']} desserts"
    if not cards:
        spot = box._replace(width=_DESSERT_WIDTH)
        return painter.thing(hand["id"], spot, empty(painter, spot, "no desserts"), title=title)
    rows = next(
        rows
        for rows in (1, 2, 3, 4, 5, len(cards))
        if math.ceil(len(cards) / rows) * (_DESSERT_WIDTH - 8) <= box.width or rows == 4
    )
    columns = math.ceil(len(cards) / rows)
    width = min(_DESSERT_WIDTH + 6, (box.width + 5) / columns - 5)
    height = (box.height + 4) / rows - 4
    parts = [
        _dessert(painter, card, spot)
        for i, card in enumerate(cards)
        for spot in [
            Box(
                box.x + i % columns * (width + 5),
                box.y + i // columns * (height + 4),
                width,
                height,
            )
        ]
    ]
    return painter.thing(hand["id"], box, title=title) + "".join(parts)


def _small_hand(painter: Painter, hand: View, box: Box) -> str:
    """Return another player's hand with all cards open: the tastes of each dessert."""
    cards = hand["cards"]
    place = row(box, len(cards), 36, 3)
    parts = []
    for i, card in enumerate(cards):
        spot = Box(place.x + i * place.step, box.y, 36, box.height)
        icons = [
            _taste(painter, icon, spot.x + 3 + j % 2 * 16, spot.y + 2 + j // 2 * 15.5, 14)
            for j, icon in enumerate(card["icons"])
        ]
        shape = paper(painter, spot, *icons, radius=4)
        parts.append(painter.thing(card["id"], spot, shape, title=_said(card), radius=4))
    title = f"hand: {hand['count']} desserts"
    return painter.thing(hand["id"], box, title=title) + "".join(parts)


# -- Desserts ----------------------------------------------------------------------------------


def _said(card: View) -> str:
    """Return a dessert in words."""
    return f"{card['card']}: {', '.join(icon.replace('_', ' ') for icon in card['icons'])}"


def _taste(painter: Painter, icon: str, x: float, y: float, size: float) -> str:
    """Return the mark of a taste, on paper."""
    return glyph(painter, icon, x, y, size, _TASTES[icon], painter.theme.paper)


def _dessert(painter: Painter, card: View, box: Box) -> str:
    """Return a dessert: the marks of its tastes, and its name."""
    icons = card["icons"]
    size = 24.0 if box.height >= 80 else 18.0 if box.height >= 44 else 14.0
    size = min(size, (box.width - 10) / len(icons) - 4)
    marks = [
        _taste(painter, icon, box.x + 6 + i * (size + 4), box.y + (6 if size > 14 else 3), size)
        for i, icon in enumerate(icons)
    ]
    below = box.y + (6 if size > 14 else 3) + size
    lines = max(1, min(3, int((box.bottom - below - 3) / 14.5)))
    words = font.wrap(card["card"], box.width - 11, lines, 13)
    y = min(below + 16, box.bottom - 5 - 15.6 * (len(words) - 1))
    name = painter.lines(box.x + 6, y, words, 13, fill=PAPER_INK)
    return painter.thing(card["id"], box, paper(painter, box, *marks, name), title=_said(card))


# -- Guests ------------------------------------------------------------------------------------


def _told_of(guest: View) -> str:
    """Return a guest in words."""
    words = f"{guest['guest']}, {guest['trio']}, {guest['points']} points, craves "
    words += ", ".join(icon.replace("_", " ") for icon in guest["cravings"])
    if guest["dislikes"]:
        words += "; no " + ", ".join(icon.replace("_", " ") for icon in guest["dislikes"])
    if guest["favorites"]:
        words += "; favorite " + ", ".join(guest["favorites"])
    return words


def _guests(painter: Painter, view: View, guests: Sequence[View], box: Box) -> str:
    """Return guests as place cards, in as many rows as fit."""
    if not guests:
        return ""
    height, rows = _GUEST_HEIGHT, max(1, int((box.height + 4) / (_GUEST_HEIGHT + 4)))
    while math.ceil(len(guests) / rows) * 88 > box.width + 4 and height > _LEAST_GUEST:
        rows += 1
        height = max(_LEAST_GUEST, (box.height + 4) / rows - 4)
    columns = max(math.ceil(len(guests) / rows), min(len(guests), int(box.width / 134)))
    width = min(_GUEST_WIDTH, (box.width + 4) / columns - 4)
    return "".join(
        _guest(
            painter,
            view,
            guest,
            Box(
                box.x + i % columns * (width + 4),
                box.y + i // columns * (height + 4),
                width,
                height,
            ),
        )
        for i, guest in enumerate(guests)
    )


def _guest(painter: Painter, view: View, guest: View, box: Box) -> str:
    """Return a place card: name, trio and points; below what the guest craves and dislikes."""
    theme, serving = painter.theme, view["serving"]
    is_wanted = serving is not None and serving["guest"] == guest["id"]
    low = box.height < 32
    size = 13.0
    top = box.y + ((box.height - size) / 2 if low else 6 if box.height >= 44 else 3)
    parts = [
        glyph(painter, guest["trio"], box.x + 6, top, size, PAPER_INK, theme.paper),
        painter.text(
            box.right - 6,
            top + 11.5,
            str(guest["points"]),
            14,
            fill=PAPER_INK,
            bold=True,
            anchor="end",
        ),
        painter.text(
            box.x + 23,
            top + 11,
            guest["guest"],
            12.5,
            fill=PAPER_INK,
            bold=True,
            room=box.width - 42,
        ),
    ]
    if not low:
        wishes = Box(box.x + 6, top + 17, box.width - 12, min(17, box.bottom - top - 19))
        parts.append(_wishes(painter, guest, wishes))
    shape = paper(painter, box, *parts, radius=4)
    if is_wanted:
        shape += painter.rect(box, radius=4, edge=PAPER_INK, edge_width=2.5)
    return painter.thing(guest["id"], box, shape, title=_told_of(guest), radius=4)


def _wishes(painter: Painter, guest: View, box: Box) -> str:
    """Return what a guest craves, and struck out what it dislikes."""
    count = len(guest["cravings"]) + len(guest["dislikes"])
    size = min(box.height, (box.width - 8) / max(count, 1) - 3)
    parts, x = [], box.x
    for icon in guest["cravings"]:
        parts.append(_taste(painter, icon, x, box.y, size))
        x += size + 3
    x = max(x + 4, box.right - len(guest["dislikes"]) * (size + 3))
    for icon in guest["dislikes"]:
        parts.append(glyph(painter, icon, x, box.y, size, PAPER_QUIET, painter.theme.paper))
        parts.append(
            painter.path(
                f"M{x - 1:.1f} {box.y + size:.1f}L{x + size + 1:.1f} {box.y:.1f}",
                edge=RED,
                edge_width=2,
                caps="round",
            )
        )
        x += size + 3
    return "".join(parts)


def _large_guest(painter: Painter, guest: View, box: Box) -> str:
    """Return the guest turned up: also in words, and its favorites."""
    theme = painter.theme
    parts = [
        glyph(painter, guest["trio"], box.x + 10, box.y + 10, 20, PAPER_INK, theme.paper),
        painter.text(
            box.right - 10,
            box.y + 27,
            str(guest["points"]),
            20,
            fill=PAPER_INK,
            bold=True,
            anchor="end",
        ),
        painter.text(
            box.x + 38,
            box.y + 26,
            guest["guest"],
            font.largest(guest["guest"], box.width - 66, (17, 15, 13), True),
            fill=PAPER_INK,
            bold=True,
            room=box.width - 66,
        ),
    ]
    x = box.x + 10
    size = min(28.0, (box.width - 20) / (len(guest["cravings"]) + len(guest["dislikes"]) + 0.4) - 6)
    wide = _wishes(painter, guest, Box(x, box.y + 40, box.width - 20, size))
    parts.append(wide)
    lines = []
    if guest["dislikes"]:
        lines.append("no " + ", ".join(icon.replace("_", " ") for icon in guest["dislikes"]))
    lines += [f"favorite: {name}" for name in guest["favorites"]]
    y = box.y + 40 + size + 18
    parts += [
        painter.text(x, y + i * 15, line, 12.5, fill=PAPER_QUIET, room=box.width - 20)
        for i, line in enumerate(lines)
    ]
    shape = paper(painter, box, *parts)
    return painter.thing(guest["id"], box, shape, title=_told_of(guest))


# -- The middle --------------------------------------------------------------------------------


def _middle(painter: Painter, view: View, box: Box) -> str:
    """Return the guest turned up and who serves whom, the Waiting Room, the piles."""
    if box.is_narrow:
        high = _stage_height(view)
        left = box._replace(height=high)
        right = Box(box.x, left.bottom, box.width, box.height - high)
    elif box.width > 850:
        left, right = box.columns(0.46, 0.54, gap=28)
    else:
        left, right = box.rows(1, 1, gap=GAP)
    upper, lower = right.rows(0.47, 0.53, gap=4)
    return (
        _stage(painter, view, left)
        + _waiting_room(painter, view, upper)
        + _piles(painter, view, lower)
    )


def _stage(painter: Painter, view: View, box: Box) -> str:
    """Return the guest turned up, and a serving as far as it has come."""
    theme = painter.theme
    guest, serving = view["new_guest"], view["serving"]
    parts = []
    place = Box(box.x, box.y + 26, 190, min(142, box.height - 32))
    if box.is_narrow:
        place = place._replace(height=142 if guest is not None else 48)
    parts.append(painter.text(box.x, box.y + 16, "new guest", 13, fill=theme.quiet))
    if guest is None:
        parts.append(empty(painter, place, "nobody"))
    else:
        parts.append(_large_guest(painter, guest, place))
    if serving is None:
        return "".join(parts)
    room = Box(place.right + 22, box.y + 26, box.right - place.right - 22, place.height)
    if box.is_narrow:
        room = Box(box.x, place.bottom + 18, box.width, _PHONE_SERVING - 12)
    parts.append(_serving(painter, view, serving, room))
    return "".join(parts)


def _serving(painter: Painter, view: View, serving: View, box: Box) -> str:
    """Return who serves or steals whom, with the desserts laid down; a theft has an arrow."""
    theme = painter.theme
    name = view["players"][serving["player"]]["name"]
    verb = "steals" if serving["kind"] == "steal" else "serves"
    pill, wide = painter.pill(box.x, box.y + 2, name, theme.ink, theme.ground, 13)
    words = f"{verb} {serving['name']}"
    parts = [pill]
    x = box.x + wide + 8
    if serving["owner"] is None:
        parts.append(painter.text(x, box.y + 7, words, 14, bold=True, room=box.right - x))
    else:
        owner = view["players"][serving["owner"]]["name"]
        pill, wide = painter.pill(
            box.right, box.y + 2, owner, theme.ink, theme.ground, 13, anchor="end"
        )
        end = box.right - wide - 6
        parts += [
            pill,
            painter.path(
                f"M{x:.1f} {box.y + 2:.1f}H{end - 2:.1f}m-8-6l8 6l-8 6",
                edge=theme.ink,
                edge_width=2.5,
                caps="round",
            ),
            painter.text(
                (x + end) / 2, box.y + 24, words, 14, bold=True, anchor="middle", room=end - x + 60
            ),
        ]
    cards = serving["cards"]
    low = Box(box.x, box.y + 34, box.width, box.height - 34)
    if not cards:
        note = "nothing laid down yet"
        return "".join(parts) + painter.text(
            low.x, low.y + 26, note, 13, fill=theme.quiet, room=low.width
        )
    width = min(_DESSERT_WIDTH, (low.width + 5) / max(2, len(cards)) - 5)
    for i, card in enumerate(cards):
        parts.append(
            _dessert(
                painter,
                card,
                Box(low.x + i * (width + 5), low.y, width, min(96, low.height)),
            )
        )
    return "".join(parts)


def _waiting_room(painter: Painter, view: View, box: Box) -> str:
    """Return the Waiting Room as a queue; its topmost guest, who alone may be served, is whole."""
    theme, guests = painter.theme, view["waiting_room"]
    parts = [
        painter.text(
            box.x,
            box.y + 16,
            "Waiting Room, the topmost guest first",
            13,
            fill=theme.quiet,
            room=box.width,
        )
    ]
    y = box.y + 26
    if not guests:
        spot = Box(box.x, y, _GUEST_WIDTH, _GUEST_HEIGHT)
        return "".join(parts) + empty(painter, spot, "nobody")
    top = Box(box.x, y, _GUEST_WIDTH, _GUEST_HEIGHT)
    rest = Box(top.right + 12, y, box.right - top.right - 12, _GUEST_HEIGHT)
    parts.append(_guest(painter, view, guests[0], top))
    parts.append(_guests(painter, view, guests[1:], rest))
    return "".join(parts)


def _piles(painter: Painter, view: View, box: Box) -> str:
    """Return desserts and guests to come, and the dirty dishes in their rack."""
    theme = painter.theme
    parts = []
    x, y = box.x, box.y + 6
    for pile, words, title in (
        (view["pile"], "desserts", f"desserts in the pile: {view['pile']['count']}"),
        (
            view["guest_pile"],
            "guests",
            "guests to come: " + (", ".join(view["guest_pile"]["guests"]) or "none"),
        ),
    ):
        spot = Box(x + 6, y + 4, 46, 58)
        label = painter.text(
            spot.middle, spot.bottom + 17, words, 13, fill=theme.quiet, anchor="middle"
        )
        cards = pile.get("cards")
        parts.append(
            painter.thing(pile["id"], spot, backs(painter, spot, pile["count"]), label, title=title)
        )
        if cards is not None:
            wide = 56 if box.is_narrow else 110
            parts.append(_rack(painter, cards, Box(x + 66, y + 8, wide, 50)))
            x += wide + 20
        x += 78
    dirty = view["dirty"]
    rack = Box(x + 10, y + 4, box.right - x - 10, 58)
    label = painter.text(
        rack.x, rack.bottom + 17, f"dirty dishes {dirty['count']}", 13, fill=theme.quiet
    )
    frame = painter.path(
        f"M{rack.x:.1f} {rack.bottom - 12:.1f}V{rack.bottom:.1f}H{rack.right:.1f}"
        f"V{rack.bottom - 12:.1f}",
        edge=theme.line,
        edge_width=2,
    )
    parts.append(
        painter.thing(dirty["id"], rack, frame, label, title=f"dirty dishes: {dirty['count']}")
    )
    parts.append(_rack(painter, dirty["cards"], rack.inset(4, 4)))
    return "".join(parts)


def _rack(painter: Painter, cards: Sequence[View], box: Box) -> str:
    """Return desserts on their edges, like plates in a rack; those just discarded stand out."""
    theme = painter.theme
    place = row(box, len(cards), 5, 2.5)
    parts = []
    for i, card in enumerate(cards):
        is_new = card.get("is_new", False)
        height = box.height - 6 if is_new else box.height - 16
        spot = Box(place.x + i * place.step, box.bottom - height, 5, height)
        shape = painter.rect(spot, theme.ink if is_new else theme.quiet, radius=2.5)
        parts.append(painter.thing(card["id"], spot, shape, title=_said(card), radius=2.5))
    return "".join(parts)
