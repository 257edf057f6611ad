"""A table of Hey Waiter! as a picture, made from a view alone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from waiter_envs.drawing import font
from waiter_envs.drawing.cards import back, backs, empty, paper
from waiter_envs.drawing.glyphs import glyph
from waiter_envs.drawing.layout import Box, Phone, around, row
from waiter_envs.drawing.painter import Painter
from waiter_envs.drawing.svg import group
from waiter_envs.drawing.table import MAT_HEAD, mat, sheet
from waiter_envs.drawing.theme import BLUE, GREEN, ON_COLOUR, PAPER_INK, RED, WHITE_EDGE

View = Mapping[str, Any]

_DISHES = {"W": "soup", "G": "salad", "R": "pizza", "B": "pie"}
_NAMES = {"W": "white", "G": "green", "R": "red", "B": "blue"}
_VERBS = {"W": "busboy", "G": "serve", "R": "cover", "B": "move"}
"""What a card of a colour says on the left-hand side."""
_FILLS = {"W": ON_COLOUR, "G": GREEN, "R": RED, "B": BLUE}
_EDGES = {"W": WHITE_EDGE}
_INKS = {"W": PAPER_INK}
_SIDE_MARKS = ("circle", "triangle", "square", "diamond", "star", "heart", "club", "spade")

_OWN, _OTHER = 184.0, 172.0
"""Heights of the viewer's mat and of the others'."""
_PHONE_OWN, _PHONE_HAND, _PHONE_DRAFT, _PILES = 296.0, 124.0, 150.0, 158.0
"""Heights on a phone: of the viewer's mat, the hand in it, the stacks of the draft, the piles."""
_LABEL, _CARD, _TOP = 14.0, 13.0, 28.0
"""Heights in a stack: its number, the card under it, the dish on top."""
_WIDEST, _CLOSEST = 14.0, 10.0
"""From one dish of a stack to the next; where the closest is too wide, stacks go on beside."""


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
    order = _clockwise(view)
    phone = Phone(_PHONE_OWN, _OTHER, _middle_height(view))
    seats = around(layout, len(order) - 1, _OWN, _OTHER, phone)
    turn = view["turn"]
    info = f"turn {turn['number']}, {turn['left']} left"
    content = [_own(painter, view, order[0], seats.own)]
    content += [
        _other(painter, view, player, box)
        for player, box in zip(order[1:], seats.others, strict=True)
    ]
    content.append(_middle(painter, view, seats.middle))
    return sheet(painter, view, seats, "Hey Waiter!", info, last, content, font)


def _clockwise(view: View) -> list[View]:
    """Return the players as they sit, clockwise by their first seat from the viewer's on."""
    players, seats = view["players"], view["seats"]
    first = seats.index(view["viewer"] or 0)
    return [players[number] for number in dict.fromkeys([*seats[first:], *seats[:first]])]


# -- Players -----------------------------------------------------------------------------------


def _mat(painter: Painter, view: View, player: View, box: Box) -> str:
    """Return a player's mat: name, side, seats."""
    notes = []
    if len(view["seats"]) > len(view["players"]):
        notes.append(
            f"seat{'s' if len(player['seats']) > 1 else ''} " + ", ".join(map(str, player["seats"]))
        )
    if view["turn"]["starting_seat"] in player["seats"]:
        notes.append("starts")
    mark = None
    if view["sides"] is not None:
        side = player["side"]
        mark = "question" if side is None else _SIDE_MARKS[side % len(_SIDE_MARKS)]
    title = player["name"] + (f": {player['last']['words']}" if player["last"] else "")
    return mat(painter, view, player, box, " · ".join(notes), mark, title)


def _other(painter: Painter, view: View, player: View, box: Box) -> str:
    """Return what lies before another player than the viewer."""
    inner = box.inset(10, MAT_HEAD + 2)
    parts = [_mat(painter, view, player, box)]
    parts.append(_held(painter, player["hand"], Box(inner.x, inner.y, 40, 46)))
    for i, busboy in enumerate(player["busboys"]):
        y = inner.y + 51 + i * 21.5
        parts.append(_busboy(painter, busboy, Box(inner.x, y, 20, 20)))
    stacks = Box(inner.x + 50, box.y + MAT_HEAD, inner.width - 50, box.height - MAT_HEAD - 6)
    parts.append(_stacks(painter, view, player, stacks, 38))
    return "".join(parts)


def _own(painter: Painter, view: View, player: View, box: Box) -> str:
    """Return what lies before the viewer, with its hand."""
    theme = painter.theme
    parts = [_mat(painter, view, player, box)]
    if box.is_narrow:
        return parts[0] + _own_narrow(painter, view, player, box)
    inner = Box(box.x + 14, box.y + MAT_HEAD, box.width - 28, box.height - MAT_HEAD - 10)
    wide = min(64.0, (inner.width - 480) / 7)
    hand = Box(inner.right - 7 * wide, inner.y + 8, 7 * wide, inner.height - 8)
    parts.append(_hand(painter, player["hand"], hand))
    x = hand.x - 130
    parts.append(painter.text(x, inner.y + 6, "busboys", 13, fill=theme.quiet))
    for i, busboy in enumerate(player["busboys"]):
        spot = Box(x, inner.y + 17 + i * 32, 28, 28)
        parts.append(_busboy(painter, busboy, spot))
        parts.append(painter.text(x + 54, spot.y + 19, busboy["side"], 13, fill=theme.quiet))
    stacks = Box(inner.x, inner.y - 2, x - 24 - inner.x, inner.height + 6)
    parts.append(_stacks(painter, view, player, stacks, 48))
    return "".join(parts)


def _own_narrow(painter: Painter, view: View, player: View, box: Box) -> str:
    """Return what lies before the viewer on a phone: stacks and busboys, then the hand."""
    inner = box.inset(8, MAT_HEAD)
    hand = inner._replace(y=inner.bottom - _PHONE_HAND, height=_PHONE_HAND)
    high = hand.y - inner.y - 8
    busboys = [
        _busboy(painter, busboy, Box(inner.right - 46, inner.y + 4 + i * 32, 26, 26))
        for i, busboy in enumerate(player["busboys"])
    ]
    stacks = Box(inner.x, inner.y, inner.width - 60, high)
    return (
        _stacks(painter, view, player, stacks, 48)
        + "".join(busboys)
        + _hand(painter, player["hand"], hand)
    )


def _hand(painter: Painter, hand: View, box: Box) -> str:
    """Return the viewer's hand, face up."""
    cards = hand["cards"] or []
    gap = 3.0 if box.is_narrow else 5.0
    wide = (box.width + gap) / 7 - gap
    place = row(box, len(cards), wide, gap)
    parts = [
        _waiter(painter, card, Box(place.x + i * place.step, box.y, wide, box.height))
        for i, card in enumerate(cards)
    ]
    if not cards:
        parts.append(empty(painter, box._replace(width=wide)))
    return painter.thing(hand["id"], box, title=f"hand: {hand['count']} cards") + "".join(parts)


def _waiter(painter: Painter, card: View, box: Box) -> str:
    """Return a waiter card: the dish of its colour, and below what it does on the left."""
    colour = card["card"]
    ink = PAPER_INK if colour == "W" else _FILLS[colour]
    band = Box(box.x, box.bottom - 26, box.width, 26)
    size = min(36.0, box.width - 16)
    content = (
        painter.rect(band, _FILLS[colour], radius=5, edge=_EDGES.get(colour)),
        painter.text(
            box.middle,
            box.bottom - 8,
            _VERBS[colour],
            font.largest(_VERBS[colour], box.width - 4, (14, 13, 12), True),
            fill=_ink(colour),
            bold=True,
            anchor="middle",
        ),
        painter.text(box.x + 7, box.y + 21, colour, 18, fill=ink, bold=True),
        glyph(
            painter,
            _DISHES[colour],
            box.middle - size / 2,
            box.y + 34,
            size,
            ink,
            painter.theme.paper,
        ),
        painter.text(box.middle, box.y + 88, _DISHES[colour], 13, fill=PAPER_INK, anchor="middle"),
    )
    title = f"{_NAMES[colour]} card: {_VERBS[colour]}, {_DISHES[colour]}"
    return painter.thing(card["id"], box, paper(painter, box, *content), title=title)


def _held(painter: Painter, hand: View, box: Box) -> str:
    """Return another player's hand: its backs, or with all cards open small cards."""
    cards = hand["cards"]
    title = f"hand: {hand['count']} cards"
    if cards is None:
        return painter.thing(
            hand["id"], box, backs(painter, box._replace(y=box.y + 3), hand["count"]), title=title
        )
    small = [
        painter.thing(card["id"], spot, _bar(painter, card["card"], spot), radius=3)
        for i, card in enumerate(cards)
        for spot in [Box(box.x + i % 2 * 20, box.y + i // 2 * 12.5, 19, 12)]
    ]
    return painter.thing(hand["id"], box, title=title) + "".join(small)


def _busboy(painter: Painter, busboy: View, box: Box) -> str:
    """Return a busboy: a round face, or a square with a tray; beside it its letter."""
    colour, serves = busboy["colour"], busboy["side"] == "serve"
    fill, edge = _FILLS[colour], _EDGES.get(colour)
    if serves:
        tile = painter.rect(box, fill, radius=3, edge=edge) + glyph(
            painter, "tray", box.x + 3, box.y + 3, box.width - 6, _ink(colour), fill
        )
    else:
        radius = box.width / 2
        tile = painter.circle(box.middle, box.y + radius, radius, fill, edge) + glyph(
            painter, "face", box.x, box.y, box.width, fill, _ink(colour)
        )
        if edge:
            tile += painter.circle(box.middle, box.y + radius, radius, "none", edge)
    size = 13 if box.width < 30 else 16
    letter = painter.text(
        box.right + 4, box.y + box.height / 2 + size * 0.34, colour, size, bold=True
    )
    spot = box._replace(width=box.width + size + 3)
    title = f"{_NAMES[colour]} busboy, {'serve side' if serves else 'face side'} up"
    return painter.thing(busboy["id"], spot, tile, letter, title=title)


# -- Stacks ------------------------------------------------------------------------------------


def _stacks(painter: Painter, view: View, player: View, box: Box, width: float) -> str:
    """Return a player's stacks, oldest first from the left, each from the bottom up."""
    stacks = player["stacks"]
    if not stacks:
        words = "" if view["phase"] == "draft" else "no dishes left"
        return painter.text(
            box.middle,
            box.y + box.height / 2,
            words,
            14,
            fill=painter.theme.quiet,
            anchor="middle",
        )
    heights = [len(stack["dishes"]) for stack in stacks]
    pitch, capacity = _pitch(max(heights), box.height - _LABEL - _CARD)
    columns = [max(1, math.ceil(height / capacity)) for height in heights]
    width = min(width, (box.width + 5) / sum(columns) - 5)
    parts, x = [], box.x
    for stack, count in zip(stacks, columns, strict=True):
        place = Box(x, box.y, count * (width + 5) - 5, box.height)
        parts.append(_stack(painter, stack, place, width, pitch, capacity))
        x = place.right + 5
    return "".join(parts)


def _pitch(most: int, room: float) -> tuple[float, int]:
    """Return the distance from dish to dish, and how many fit into a column.

    Args:
        most: dishes of the highest stack.
        room: for them and the cover or dish on top.
    """
    free = room - _TOP - 4
    pitch = min(_WIDEST, max(_CLOSEST, free / max(1, most - 1)))
    return pitch, max(1, int(free / pitch + 0.001) + 1)


def _stack(
    painter: Painter, stack: View, box: Box, width: float, pitch: float, capacity: int
) -> str:
    """Return a stack: its number, the card under it, its dishes bottom to top, its cover.

    What is too high goes on in the next column, to which a line leads.
    """
    dishes, cover, card = stack["dishes"], stack["cover"], stack["card"]
    base = box.bottom - _LABEL
    parts = [
        painter.text(
            box.x + width / 2,
            box.bottom - 3,
            str(stack["stack"]),
            12,
            fill=painter.theme.quiet,
            anchor="middle",
        ),
        _under(painter, card, Box(box.x, base - _CARD + 1, width, _CARD)),
    ]
    top = floor = base - _CARD
    for height, dish in enumerate(dishes):
        place, level = divmod(height, capacity)
        x = box.x + place * (width + 5)
        if height and not level:
            parts.append(_continued(painter, x, floor - capacity * pitch, floor))
        is_top = height == len(dishes) - 1 and cover is None
        size = _TOP if is_top else pitch - 1
        top = floor - level * pitch - size
        spot = Box(x + 1, top, width - 2, size)
        shape = _tile if is_top else _bar
        parts.append(painter.thing(dish["id"], spot, shape(painter, dish["dish"], spot), radius=3))
    if cover is not None:
        spot = Box(x, top - 25, width, 24)
        parts.append(_cover(painter, cover, spot))
        top = spot.y
    whole = len(dishes) > capacity
    bounds = box._replace(
        y=box.y if whole else top - 2, height=box.bottom - (box.y if whole else top - 2)
    )
    under = f", under the {_NAMES[cover['colour']]} cover" if cover else ""
    letters = " ".join(dish["dish"] for dish in dishes)
    title = f"stack {stack['stack']}, bottom to top: {letters}{under}"
    return painter.thing(stack["id"], bounds, title=title) + "".join(parts)


def _continued(painter: Painter, x: float, top: float, floor: float) -> str:
    """Return the line from the top of a full column to the foot of the next one, at `x`."""
    line = f"M{x - 8:.1f} {top + 9:.1f}V{top + 5:.1f}H{x - 2.5:.1f}V{floor - 1:.1f}H{x + 1:.1f}"
    return painter.path(line, edge=painter.theme.quiet, edge_width=1.5)


def _under(painter: Painter, card: View, box: Box) -> str:
    """Return the card under a stack, of which little shows."""
    colour = card["colour"]
    if colour is None:
        return painter.thing(card["id"], box, back(painter, box, radius=3), radius=3)
    theme = painter.theme
    stripe = Box(box.x, box.y, 12, box.height)
    face = (
        painter.rect(box, theme.paper, radius=3, edge=theme.paper_line)
        + painter.rect(stripe, _FILLS[colour], radius=3, edge=_EDGES.get(colour))
        + painter.text(
            box.middle + 5, box.y + 10.5, colour, 12, fill=PAPER_INK, bold=True, anchor="middle"
        )
    )
    title = f"on a {_NAMES[colour]} card"
    return painter.thing(card["id"], box, face, title=title, radius=3)


def _bar(painter: Painter, colour: str, box: Box) -> str:
    """Return a dish with others above it: a bar with its letter."""
    return painter.rect(box, _FILLS[colour], radius=3, edge=_EDGES.get(colour)) + painter.text(
        box.middle,
        box.y + box.height / 2 + 4.1,
        colour,
        12,
        fill=_ink(colour),
        bold=True,
        anchor="middle",
    )


def _tile(painter: Painter, colour: str, box: Box) -> str:
    """Return a dish on top: its picture and its letter."""
    fill, ink = _FILLS[colour], _ink(colour)
    size = min(20.0, box.width - 20)
    x = box.middle - (size + 13) / 2
    return (
        painter.rect(box, fill, radius=4, edge=_EDGES.get(colour))
        + glyph(painter, _DISHES[colour], x, box.y + (box.height - size) / 2, size, ink, fill)
        + painter.text(x + size + 3, box.y + 19, colour, 14, fill=ink, bold=True)
    )


def _cover(painter: Painter, cover: View, box: Box) -> str:
    """Return a cover: a dome in its colour with its letter."""
    colour = cover["colour"]
    return painter.thing(
        cover["id"],
        box,
        _dome(painter, colour, box),
        title=f"{_NAMES[colour]} cover",
    )


def _dome(painter: Painter, colour: str, box: Box, ghost: bool = False) -> str:
    """Return a dome that fills a box; of one that is not there the outline alone."""
    x, right, middle, floor = box.x, box.right, box.middle, box.bottom
    half = box.width / 2
    rise = box.height - 5
    outline = (
        f"M{x:.1f} {floor:.1f}v-3h1.5c0-{rise * 0.6:.1f} {half * 0.45:.1f}-{rise - 3:.1f} "
        f"{half - 1.5:.1f}-{rise - 3:.1f}s{half - 1.5:.1f} {rise * 0.4:.1f} {half - 1.5:.1f} "
        f"{rise - 3:.1f}H{right:.1f}v3z"
    )
    theme = painter.theme
    fill = "none" if ghost else _FILLS[colour]
    edge = theme.line if ghost else _EDGES.get(colour, theme.mat)
    return (
        painter.circle(middle, box.y + 3.5, 3, fill, edge)
        + painter.path(outline, fill, edge=edge)
        + painter.text(
            middle,
            floor - 6,
            colour,
            13,
            fill=theme.quiet if ghost else _ink(colour),
            bold=True,
            anchor="middle",
        )
    )


def _ink(colour: str) -> str:
    """Return the colour of texts on a colour."""
    return _INKS.get(colour, ON_COLOUR)


# -- The middle --------------------------------------------------------------------------------


def _middle_height(view: View) -> float:
    """Return how high the middle is on a phone."""
    turns = 34.0 if len(view["seats"]) > len(view["players"]) else 0.0
    return 22 + turns + _PILES + (_PHONE_DRAFT + 8 if view["draft"] else 0)


def _middle(painter: Painter, view: View, box: Box) -> str:
    """Return what lies in the middle: piles, covers, the stacks of the draft, who is with whom."""
    parts = [_sides(painter, view, box)]
    piles = box._replace(y=box.y + 22, height=box.height - 22)
    if box.is_narrow:
        low = Box(box.x, box.bottom - _PILES, box.width, _PILES)
        if view["draft"]:
            high = low._replace(y=low.y - _PHONE_DRAFT - 8, height=_PHONE_DRAFT)
            parts.append(_draft(painter, view["draft"], high))
        parts.append(_piles(painter, view, low, True))
    elif view["draft"]:
        wide = 62.0 + 24 + 4 * 34
        draft = Box(piles.x, piles.y, piles.width - wide - 30, piles.height)
        parts.append(_draft(painter, view["draft"], draft))
        piles = Box(piles.right - wide, piles.y, wide, piles.height)
        parts.append(_piles(painter, view, piles, True))
    else:
        parts.append(_piles(painter, view, piles, False))
    return "".join(parts)


def _piles(painter: Painter, view: View, box: Box, stacked: bool) -> str:
    """Return draw pile, discard pile and covers, beside each other or (`stacked`) in two rows."""
    wide = 62.0 + 24 + 4 * 34
    covers_wide = 4 * 46.0
    total = wide if stacked else wide + 34 + covers_wide
    height = 158 if stacked else 92
    scale = max(1.0, min(1.4, box.width / total, box.height / height - 0.3))
    piles = [_draw(painter, view["draw"], Box(0, 0, 62, 92))]
    piles.append(_discard(painter, view["discard"], Box(86, 0, 4 * 34, 92)))
    covers = Box(19, 102, covers_wide, 56) if stacked else Box(wide + 34, 0, covers_wide, 92)
    piles.append(_covers(painter, view["covers"], covers))
    x = box.middle - scale * total / 2
    return group(*piles, x=x, y=box.y + (box.height - scale * height) / 2, scale=scale)


def _draw(painter: Painter, draw: View, box: Box) -> str:
    """Return the draw pile."""
    theme = painter.theme
    pile = Box(box.x + 6, box.y + 6, 50, 66)
    words = f"draw {draw['count']}"
    cards = draw["cards"]
    if cards is not None:
        words = " ".join(f"{colour}{count}" for colour, count in cards.items())
    label = painter.text(
        box.middle,
        box.y + 90,
        words,
        12 if cards else 13,
        fill=theme.quiet,
        anchor="middle",
    )
    return painter.thing(
        draw["id"],
        pile,
        backs(painter, pile, draw["count"]),
        label,
        title=f"draw pile: {draw['count']} cards",
    )


def _discard(painter: Painter, discard: View, box: Box) -> str:
    """Return the discard pile: how many cards of each colour it has."""
    theme = painter.theme
    parts = []
    for i, (colour, count) in enumerate(discard["cards"].items()):
        card = Box(box.x + i * 34, box.y + 16, 31, 44)
        parts.append(
            paper(
                painter,
                card,
                painter.rect(
                    Box(card.x + 1, card.y + 1, card.width - 2, 17),
                    _FILLS[colour],
                    radius=4,
                    edge=_EDGES.get(colour),
                ),
                painter.text(
                    card.middle,
                    card.y + 14,
                    colour,
                    13,
                    fill=_ink(colour),
                    bold=True,
                    anchor="middle",
                ),
                painter.text(
                    card.middle,
                    card.y + 36,
                    str(count),
                    16,
                    fill=PAPER_INK,
                    bold=count > 0,
                    anchor="middle",
                ),
            )
        )
    label = painter.text(
        box.middle,
        box.y + 90,
        f"discard {discard['count']}",
        13,
        fill=theme.quiet,
        anchor="middle",
    )
    spot = Box(box.x, box.y + 16, box.width - 3, 46)
    title = f"discard pile: {discard['count']} cards"
    return painter.thing(discard["id"], spot, *parts, label, title=title)


def _covers(painter: Painter, covers: list[View], box: Box) -> str:
    """Return the covers on the table."""
    theme = painter.theme
    parts = []
    for i, cover in enumerate(covers):
        colour, count = cover["colour"], cover["count"]
        spot = Box(box.x + i * 46, box.y + (26 if box.height > 60 else 4), 42, 30)
        words = f"{count} of them" if count > 1 else ""
        parts.append(
            painter.thing(
                cover["id"],
                spot,
                _dome(painter, colour, spot, not count),
                painter.text(spot.middle, spot.bottom + 15, words, 12, anchor="middle"),
                title=f"{_NAMES[colour]} covers on the table: {count}",
            )
        )
    label = painter.text(
        box.middle - 2, box.bottom - 2, "covers", 13, fill=theme.quiet, anchor="middle"
    )
    return "".join(parts) + label


def _draft(painter: Painter, draft: list[View], box: Box) -> str:
    """Return the stacks that are being picked."""
    theme = painter.theme
    most = max(len(stack["dishes"] or ()) for stack in draft)
    pitch, capacity = _pitch(most, box.height - _LABEL)
    count = max(1, math.ceil(most / capacity))
    each = min(44.0 * count + 6, (box.width + 6) / len(draft))
    width = min(40.0, (each - 6 + 3) / count - 3)
    x = box.x + max(0, (box.width - each * len(draft)) / 2)
    parts = []
    for i, stack in enumerate(draft):
        left = x + i * each
        words = str(stack["number"]) if stack["player"] is None else f"P{stack['player']}"
        label = painter.text(
            left + (each - 6) / 2, box.bottom - 3, words, 13, fill=theme.quiet, anchor="middle"
        )
        floor = box.bottom - _LABEL - 2
        dishes = stack["dishes"]
        if dishes is None:
            spot = Box(left, floor - 40, each - 6, 40)
            parts.append(
                painter.thing(stack["id"], spot, empty(painter, spot), label, title="taken")
            )
            continue
        shapes, top = [], floor
        for height, dish in enumerate(dishes):
            place, level = divmod(height, capacity)
            is_top = height == len(dishes) - 1
            size = _TOP if is_top else pitch - 1
            top = floor - level * pitch - size
            spot = Box(left + place * (width + 3), top, width, size)
            shapes.append((_tile if is_top else _bar)(painter, dish, spot))
        highest = floor - min(len(dishes), capacity) * pitch - (_TOP - pitch)
        spot = Box(left - 1, highest - 1, each - 4, floor - highest + 2)
        title = f"stack {stack['number']}, bottom to top: {' '.join(dishes)}"
        parts.append(painter.thing(stack["id"], spot, *shapes, label, title=title))
    return "".join(parts)


def _sides(painter: Painter, view: View, box: Box) -> str:
    """Return in words who plays with whom, and the order of turns where somebody sits twice."""
    theme = painter.theme
    sides = view["sides"]
    words = ""
    if sides is not None:
        known = ["+".join(f"P{player}" for player in players) for players in sides["known"]]
        words = " against ".join(known)
        if sides["secret"] and view["viewer"] is not None:
            secret = " ".join(f"P{player}" for player in sides["secret"])
            sizes = " and ".join(map(str, sides["secret_sizes"]))
            words = "; ".join(filter(None, [words, f"secret sides of {sizes}: {secret}"]))
    size = font.largest(words, box.width, (14, 13, 12))
    line = painter.text(
        box.middle, box.y + 14, words, size, fill=theme.quiet, anchor="middle", room=box.width
    )
    if len(view["seats"]) == len(view["players"]):
        return line
    return line + _turn_order(painter, view, box)


def _turn_order(painter: Painter, view: View, box: Box) -> str:
    """Return the seats in the order of turns, with the one to act lit up."""
    theme = painter.theme
    step = min(44.0, box.width / len(view["seats"]))
    x, y = box.middle - step * len(view["seats"]) / 2, box.y + 34
    parts = []
    for seat, player in enumerate(view["seats"]):
        acts = seat == view["turn"]["seat"] and not view["over"]
        spot = Box(x + seat * step, y - 11, step - 5, 20)
        parts.append(
            painter.rect(spot, theme.accent_fill if acts else theme.mat, radius=10)
            + painter.text(
                spot.middle,
                y + 4,
                f"P{player}",
                13,
                bold=acts,
                fill=theme.on_accent if acts else theme.ink,
                anchor="middle",
            )
        )
    return "".join(parts)
