"""A table of Greasy Spoon as a picture, made from a view alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from waiter_envs.drawing.cards import back, backs, empty, paper
from waiter_envs.drawing.glyphs import glyph
from waiter_envs.drawing.layout import Box, Phone, around, row
from waiter_envs.drawing.painter import Painter
from waiter_envs.drawing.table import MAT_HEAD, mat, sheet
from waiter_envs.drawing.theme import GREEN, MUSTARD, PAPER_INK, RED

View = Mapping[str, Any]

_SUITS = {"K": "ketchup", "M": "mustard", "R": "relish"}
_FILLS = {"K": RED, "M": MUSTARD, "R": GREEN}
_RANKS, _COPIES = 6, 3
_PILES = ("draw", "backburner", "served")

_OWN, _OTHER = 230.0, 138.0
"""Heights of the viewer's mat and of the other's."""
_PHONE_ROW, _PHONE_DISH = 94.0, 162.0
"""On a phone: heights of a row of piles, and of a dish in the middle."""
_CARD_WIDTH, _CARD_HEIGHT = 64.0, 88.0
_SMALL_WIDTH, _SMALL_HEIGHT = 31.0, 46.0
_PIP_WIDTH, _PIP_HEIGHT, _CELL, _LINE = 7.0, 12.0, 30.0, 17.0
"""Of a pile as a grid: one mark for each card, three places in each cell."""
_GRID_WIDTH = 18 + _CELL * _RANKS
_MOST_SMALL = 7
"""Cards of a pile that lie side by side; more of them are a grid."""


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
    viewer = view["viewer"] or 0
    own, other = view["players"][viewer], view["players"][1 - viewer]
    seats = around(layout, 1, _OWN, _OTHER, _on_phone(view, other))
    turn = view["turn"]
    score = " to ".join(str(player["score"]) for player in (own, other))
    info = f"best of {turn['best_of']}, score {score}"
    content = [
        _other(painter, view, other, seats.others[0]),
        _middle(painter, view, seats.middle),
        _own(painter, view, own, seats.own),
    ]
    return sheet(painter, view, seats, "Greasy Spoon", info, last, content, font)


def _on_phone(view: View, other: View) -> Phone:
    """Return how high everything is on a phone."""
    rows = 1 if other["hand"]["cards"] is None else 3
    dishes = 1 if view["pending"] is None else 2
    return Phone(
        own=MAT_HEAD + 2 * _PHONE_ROW + _CARD_HEIGHT + 14,
        other=MAT_HEAD + rows * _PHONE_ROW + 6,
        middle=dishes * _PHONE_DISH,
    )


# -- Players -----------------------------------------------------------------------------------


def _mat(painter: Painter, view: View, player: View, box: Box) -> str:
    """Return a player's mat: name, score, and what everybody knows of its last turns."""
    notes = []
    if view["turn"]["best_of"] > 1:
        notes.append(f"score {player['score']}")
    if player["is_leader"] and not view["over"]:
        notes.append("leads next" if view["phase"] == "stash" else "leads")
    if player["is_starter"]:
        notes.append("started this game")
    if player["set_aside"]:
        notes.append(f"set {player['set_aside']} aside in the last pass")
    if player["recalled"]:
        notes.append("recalled")
    return mat(painter, view, player, box, " · ".join(notes), title=player["name"])


def _other(painter: Painter, view: View, player: View, box: Box) -> str:
    """Return what lies before the viewer's opponent."""
    inner = box.inset(14, MAT_HEAD + 6)
    parts = [_mat(painter, view, player, box)]
    if box.is_narrow:
        return parts[0] + _other_narrow(painter, view, player, box.inset(8, MAT_HEAD + 4))
    x = inner.x
    for name in ("draw", "backburner"):
        pile = player[name]
        wide = _GRID_WIDTH if pile["cards"] is not None else 66.0
        parts.append(_pile(painter, pile, Box(x, inner.y, wide, 90), _noted(view, player, name)))
        x += wide + 24
    served = Box(inner.right - _GRID_WIDTH, inner.y, _GRID_WIDTH, 90)
    hand = Box(x, inner.y, served.x - 24 - x, 90)
    parts.append(_far_hand(painter, player["hand"], hand))
    parts.append(_pile(painter, player["served"], served, "served"))
    return "".join(parts)


def _other_narrow(painter: Painter, view: View, player: View, box: Box) -> str:
    """Return the piles of the viewer's opponent on a phone; with all cards open in three rows."""
    row = box._replace(height=90)
    hand, draw, kept, served = (player[name] for name in ("hand", *_PILES))
    names = [_noted(view, player, name) for name in _PILES]
    if hand["cards"] is None:
        boxes = row.columns(44, 44, 70, 162)
        piles = zip((hand, draw, kept, served), boxes, ("hand", *names), strict=True)
        return "".join(_pile(painter, pile, spot, name) for pile, spot, name in piles)
    left, right = row.columns(1, 1, gap=16)
    return (
        _pile(painter, draw, left, names[0])
        + _pile(painter, kept, right, names[1])
        + _pile(painter, served, row._replace(y=row.y + _PHONE_ROW), names[2])
        + _far_hand(painter, hand, row._replace(y=row.y + 2 * _PHONE_ROW))
    )


def _own(painter: Painter, view: View, player: View, box: Box) -> str:
    """Return what lies before the viewer."""
    inner = box.inset(14, MAT_HEAD + 4)
    parts = [_mat(painter, view, player, box)]
    if box.is_narrow:
        return parts[0] + _own_narrow(painter, view, player, box.inset(8, MAT_HEAD + 4))
    draw = player["draw"]
    wide = _GRID_WIDTH if draw["cards"] is not None else 66.0
    parts.append(
        _pile(painter, draw, Box(inner.x, inner.y, wide, 90), _noted(view, player, "draw"))
    )
    middle = Box(inner.x + wide + 40, inner.y, _MOST_SMALL * 34.0, 90)
    parts.append(_pile(painter, player["backburner"], middle, _noted(view, player, "backburner")))
    served = Box(inner.right - _GRID_WIDTH, inner.y, _GRID_WIDTH, 90)
    parts.append(_pile(painter, player["served"], served, "served"))
    hand = Box(inner.x, inner.bottom - _CARD_HEIGHT + 4, inner.width, _CARD_HEIGHT)
    parts.append(_near_hand(painter, player["hand"], hand))
    return "".join(parts)


def _own_narrow(painter: Painter, view: View, player: View, box: Box) -> str:
    """Return what lies before the viewer on a phone: piles in two rows, and below them the hand."""
    row = box._replace(height=90)
    draw, kept, served = (player[name] for name in _PILES)
    shares = (162, 162) if draw["cards"] is not None else (66, 258)
    left, right = row.columns(*shares, gap=16)
    hand = box._replace(y=box.bottom - _CARD_HEIGHT + 2, height=_CARD_HEIGHT)
    return (
        _pile(painter, draw, left, _noted(view, player, "draw"))
        + _pile(painter, kept, right, _noted(view, player, "backburner"))
        + _pile(painter, served, row._replace(y=row.y + _PHONE_ROW), "served")
        + _near_hand(painter, player["hand"], hand)
    )


def _noted(view: View, player: View, name: str) -> str:
    """Return what a pile is called, with what is just being put there."""
    stashing = view["stashing"]
    if name == "backburner" and stashing and stashing["player"] == player["player"]:
        last = f", last {stashing['last']}" if stashing["last"] else ""
        return f"backburner, {stashing['count']} just now{last}"
    return name


def _near_hand(painter: Painter, hand: View, box: Box) -> str:
    """Return the viewer's hand, face up."""
    cards = hand["cards"]
    title = f"hand: {hand['count']} cards"
    place = row(box, len(cards), _CARD_WIDTH, 10, centred=True)
    parts = [
        painter.thing(
            card["id"],
            spot,
            _card(painter, card["card"], spot),
            title=_words(card["card"]),
        )
        for i, card in enumerate(cards)
        for spot in [Box(place.x + i * place.step, box.y, _CARD_WIDTH, box.height)]
    ]
    used = Box(place.x, box.y, place.step * max(len(cards) - 1, 0) + _CARD_WIDTH, box.height)
    return painter.thing(hand["id"], used, title=title) + "".join(parts)


def _far_hand(painter: Painter, hand: View, box: Box) -> str:
    """Return the opponent's hand: as many backs as it has cards, or its cards."""
    count, cards = hand["count"], hand["cards"]
    label = _label(painter, box, f"hand {count}")
    title = f"hand: {count} cards"
    low = Box(box.x, box.y + 22, box.width, 66)
    if cards is not None:
        place = row(low, count, _SMALL_WIDTH, 3, centred=True)
        faces = [
            painter.thing(card["id"], spot, _small(painter, card["card"], spot))
            for i, card in enumerate(cards)
            for spot in [Box(place.x + i * place.step, low.y, _SMALL_WIDTH, _SMALL_HEIGHT)]
        ]
        return painter.thing(hand["id"], low, label, title=title) + "".join(faces)
    place = row(low, count, 44, -14, centred=True)
    cards_down = [
        back(painter, Box(place.x + i * place.step, low.y, 44, low.height)) for i in range(count)
    ]
    used = Box(place.x, low.y, place.step * max(count - 1, 0) + 44, low.height)
    if not count:
        cards_down = [empty(painter, used)]
    return painter.thing(hand["id"], used, *cards_down, label, title=title)


# -- Piles -------------------------------------------------------------------------------------


def _label(painter: Painter, box: Box, text: str) -> str:
    """Return the words above a pile."""
    return painter.text(
        box.middle,
        box.y + 12,
        text,
        13,
        fill=painter.theme.quiet,
        anchor="middle",
        room=max(box.width, 90.0),
    )


def _pile(painter: Painter, pile: View, box: Box, name: str) -> str:
    """Return a pile with its name and size: backs, a few cards side by side, or a grid."""
    cards = pile["cards"]
    title = f"{name}: {pile['count']} cards"
    low = Box(box.x, box.y + 22, box.width, box.height - 22)
    head, comma, rest = name.partition(",")
    words = name if cards is None else f"{head} {pile['count']}{comma}{rest}"
    label = _label(painter, box, words)
    if cards is None:
        wide = min(52.0, box.width)
        spot = Box(box.middle - wide / 2, low.y + 4, wide, 66)
        return painter.thing(
            pile["id"], spot, backs(painter, spot, pile["count"]), label, title=title
        )
    if name != "served" and len(cards) <= _MOST_SMALL and len(cards) * 34 <= box.width + 3:
        place = row(low, len(cards), _SMALL_WIDTH, 3, centred=True)
        faces = [
            painter.thing(
                card["id"], spot, _small(painter, card["card"], spot), title=_words(card["card"])
            )
            for i, card in enumerate(cards)
            for spot in [Box(place.x + i * place.step, low.y, _SMALL_WIDTH, _SMALL_HEIGHT)]
        ]
        used = (
            Box(low.middle - 40, low.y, 80, _SMALL_HEIGHT)
            if not cards
            else Box(place.x, low.y, place.step * (len(cards) - 1) + _SMALL_WIDTH, _SMALL_HEIGHT)
        )
        bare = empty(painter, used, "empty") if not cards else ""
        return painter.thing(pile["id"], used, bare, label, title=title) + "".join(faces)
    wide = min(_GRID_WIDTH, box.width)
    return _grid(painter, pile, Box(box.middle - wide / 2, low.y - 4, wide, 66), label, title)


def _grid(painter: Painter, pile: View, box: Box, label: str, title: str) -> str:
    """Return a pile as a grid: a line for each suit, a column for each rank, a mark a card."""
    theme = painter.theme
    x, y, cell = box.x + 18, box.y + 13, (box.width - 18) / _RANKS
    wide = min(_PIP_WIDTH, cell / _COPIES - 2)
    heads = [
        painter.text(
            x + rank * cell + 1.5 * wide + 1,
            box.y + 9,
            str(rank + 1),
            12,
            fill=theme.quiet,
            anchor="middle",
        )
        for rank in range(_RANKS)
    ]
    places, marks = [], []
    cards = [card["card"] for card in pile["cards"]]
    for line, suit in enumerate(_SUITS):
        floor = y + line * _LINE
        heads.append(painter.text(box.x, floor + 10, suit, 12, fill=theme.ink, bold=True))
        for rank in range(_RANKS):
            left = x + rank * cell
            held = [i for i, card in enumerate(cards) if card == f"{suit}{rank + 1}"]
            for copy in range(max(_COPIES, len(held))):
                spot = Box(left + copy * (wide + 1), floor, wide, _PIP_HEIGHT)
                if copy < len(held):
                    card = pile["cards"][held[copy]]
                    marks.append(
                        painter.thing(
                            card["id"],
                            spot,
                            painter.rect(spot, _FILLS[suit], radius=1.5),
                            radius=1.5,
                        )
                    )
                else:
                    places.append(f"M{spot.x + 1:.1f} {spot.bottom - 1:.1f}h{wide - 2:.1f}")
    free = painter.path("".join(places), edge=theme.line, edge_width=1.5) if places else ""
    return painter.thing(pile["id"], box, *heads, free, label, title=title) + "".join(marks)


# -- Cards -------------------------------------------------------------------------------------


def _words(card: str) -> str:
    return f"{_SUITS[card[0]]} {card[1:]}"


def _card(painter: Painter, card: str, box: Box) -> str:
    """Return a card: its rank, its letter, its bottle."""
    suit, colour = card[0], _FILLS[card[0]]
    return paper(
        painter,
        box,
        painter.text(box.x + 8, box.y + 30, card[1:], 30, fill=PAPER_INK, bold=True),
        painter.text(box.x + 9, box.bottom - 10, suit, 17, fill=colour, bold=True),
        glyph(
            painter, _SUITS[suit], box.right - 43, box.bottom - 52, 42, colour, painter.theme.paper
        ),
    )


def _small(painter: Painter, card: str, box: Box) -> str:
    """Return a small card."""
    suit, colour = card[0], _FILLS[card[0]]
    return paper(
        painter,
        box,
        painter.text(box.middle, box.y + 17, card, 14, fill=PAPER_INK, bold=True, anchor="middle"),
        glyph(painter, _SUITS[suit], box.middle - 9, box.y + 23, 18, colour, painter.theme.paper),
        radius=4,
    )


# -- The middle --------------------------------------------------------------------------------


def _middle(painter: Painter, view: View, box: Box) -> str:
    """Return the dish to beat, and beside it the half of a combination that is being completed."""
    if view["pending"] is None:
        return _dish(painter, view, box)
    if box.is_narrow:
        above, below = box.rows(1, 1, gap=0)
        has_dish = bool(view["dish"]["parts"])
        return _dish(painter, view, above) + _pending(painter, view["pending"], has_dish, below)
    left, right = box.columns(1, 1, gap=44)
    arrow = painter.path(
        f"M{right.x - 8:.1f} {box.y + 94:.1f}h-26m9-8l-9 8l9 8",
        edge=painter.theme.accent,
        edge_width=2.5,
        caps="round",
    )
    has_dish = bool(view["dish"]["parts"])
    return (
        _dish(painter, view, left)
        + (arrow if has_dish else "")
        + _pending(painter, view["pending"], has_dish, right)
    )


def _dish(painter: Painter, view: View, box: Box) -> str:
    """Return the dish to beat, built of its parts."""
    theme, dish = painter.theme, view["dish"]
    if not dish["parts"]:
        spot = Box(box.middle - 150, box.y + 36, 300, 110)
        words = "" if view["over"] else "any dish may be led"
        return painter.thing(
            dish["id"],
            spot,
            painter.rect(spot, radius=10, edge=theme.line, edge_width=1.5),
            painter.text(spot.middle, spot.y + 60, words, 15, fill=theme.quiet, anchor="middle"),
            title="no dish to beat",
            radius=10,
        )
    who = view["players"][dish["player"]]["name"]
    heading = f"{who} has served" if view["over"] else f"to beat, served by {who}"
    if dish["kind"].startswith("combo"):
        heading = f"{dish['kind'].capitalize()} {heading}"
    shapes, used = _parts(painter, dish["parts"], box, 0)
    return painter.thing(
        dish["id"],
        used,
        painter.text(box.middle, box.y + 18, heading, 14, fill=theme.quiet, anchor="middle"),
        shapes,
        title=f"{heading}: {dish['text']}",
    )


def _pending(painter: Painter, pending: View, must_beat: bool, box: Box) -> str:
    """Return the half of a combination, with places for what comes next."""
    places = 1 if pending["with"] == "drink" else 2
    shapes, used = _parts(painter, [pending["main"]], box, places)
    words = f"now a {pending['with']}" + (" that beats it" if must_beat else "")
    return painter.thing(
        pending["id"],
        used,
        painter.text(box.middle, box.y + 18, words, 14, fill=painter.theme.quiet, anchor="middle"),
        shapes,
        title=f"half a combination: {pending['main']['type']}, with a {pending['with']}",
    )


def _parts(painter: Painter, parts: list[View], box: Box, places: int) -> tuple[str, Box]:
    """Return parts of a dish side by side with their names below, and the room they take.

    Args:
        painter: what to paint with.
        parts: of the dish.
        box: in whose middle they stand.
        places: empty places for cards after them.
    """
    theme = painter.theme
    gap, between = 5.0, 26.0
    counts = [len(part["cards"]) for part in parts] + ([places] if places else [])
    wide, high, draw = _CARD_WIDTH, _CARD_HEIGHT, _card
    between_all = (len(counts) - 1) * (between - gap) - gap
    if sum(counts) * (wide + gap) + between_all > box.width:
        wide, high, draw = _SMALL_WIDTH, _SMALL_HEIGHT, _small
    needed = sum(counts) * (wide + gap) + between_all
    x, y = box.middle - needed / 2, box.y + 32 + (_CARD_HEIGHT - high) / 2
    left = x
    shapes: list[str] = []
    for part in parts:
        span = len(part["cards"]) * (wide + gap) - gap
        for i, card in enumerate(part["cards"]):
            shapes.append(draw(painter, card, Box(x + i * (wide + gap), y, wide, high)))
        name = part["type"]
        shapes.append(
            painter.text(x + span / 2, y + high + 19, name, 15, bold=True, anchor="middle")
        )
        if part["rank"]:
            shapes.append(
                painter.text(
                    x + span / 2,
                    y + high + 35,
                    f"{part['category']}, rank {part['rank']}",
                    13,
                    fill=theme.quiet,
                    anchor="middle",
                )
            )
        x += span + between
    for i in range(places):
        spot = Box(x + i * (wide + gap), y, wide, high)
        shapes.append(painter.rect(spot, radius=5, edge=theme.accent, edge_width=2, dashes="5 4"))
    return "".join(shapes), Box(left, y, needed, high)
