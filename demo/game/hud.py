"""The text and signs over the game: score, lives, health, energy, the Keeper's health, and the screens between."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

import numpy as np
from pyglet.graphics import Batch

from ecsphys.demo.game import palette
from ecsphys.demo.game.paint import Paint
from ecsphys.demo.game.rules import ENERGY, HEALTH, State
from ecsphys.demo.game.session import Session
from ecsphys.demo.labels import FONTS
from ecsphys.demo.palette import Color, as_bytes

if TYPE_CHECKING:
    from pyglet.text import Label

_TAGLINE = "The lighthouse has turned against the sea.  Put it out."
_KEYS = "A D run    W jump    J sword    K bolt    I bolt up    L lance    H all keys    P pause    Esc menu"
_KEY_SECONDS = 7.0  # that the keys are shown at the beginning
_LEAST_POINTS = 8.25  # 11 pixels: smaller text cannot be read
_POPUP_SECONDS = 0.9

_HEART = np.array(
    [
        (16.0 * math.sin(t) ** 3, 13.0 * math.cos(t) - 5.0 * math.cos(2 * t) - 2.0 * math.cos(3 * t) - math.cos(4 * t))
        for t in np.linspace(0.0, math.tau, 40, endpoint=False)
    ]
)


class _Show(Protocol):
    def __call__(
        self,
        name: str,
        text: str,
        x: float,
        y: float,
        size: float,
        color: Color,
        anchor: str = "center",
        alpha: float = 1.0,
    ) -> None: ...


class Hud:
    """Signs are painted in pixels of a picture of 1280 × 720, text over them; made anew for another size."""

    def __init__(self, middle: tuple[float, float], scale: float) -> None:
        self._middle = middle
        self._scale = scale
        self._labels: dict[str, Label] = {}
        self._batch = Batch()

    @staticmethod
    def shown(session: Session) -> tuple[object, ...]:
        """What the signs show: while it is the same, so are they."""
        tally = session.tally
        if session.state is not State.PLAY:
            return (session.state,)
        boss = None if session.boss is None else session.boss.health
        beat = session.time if tally.health == 1 else 0.0
        return tally.health, tally.energy, tally.lives, boss, beat, _has_keys(session)

    def paint(self, brush: Paint, session: Session) -> None:
        """The signs; ``brush`` has begun in pixels, the middle at (640, 360)."""
        if _has_keys(session):
            brush.box(640.0, 46.0, (640.0, 20.0), 0.0, palette.INK, 0.6)
        tally = session.tally
        if session.state is State.PLAY:
            for number in range(HEALTH):
                full = number < tally.health
                beat = 1.0 + (0.12 * math.sin(9.0 * session.time) if full and tally.health == 1 else 0.0)
                heart = 0.78 * beat * _HEART + (46.0 + 33.0 * number, 676.0)
                brush.polygon(heart, palette.HEART if full else palette.HEART_EMPTY, 1.0 if full else 0.7)
            brush.box(116.0, 642.0, (86.0, 6.5), 0.0, palette.INK, 0.6)
            share = tally.energy / ENERGY
            brush.box(32.0 + 84.0 * share, 642.0, (84.0 * share, 4.5), 0.0, palette.LIGHT_DEEP)
            for number in range(tally.lives):
                brush.discs(np.array([[38.0 + 22.0 * number, 618.0]]), 7.0, palette.CLOAK)
                brush.discs(np.array([[38.0 + 22.0 * number, 620.0]]), 4.0, palette.ARMOUR)
            if session.boss is not None:
                brush.box(640.0, 54.0, (264.0, 9.0), 0.0, palette.INK, 0.65)
                share = max(session.boss.health, 0.0)
                brush.box(380.0 + 260.0 * share, 54.0, (260.0 * share, 6.0), 0.0, palette.HARM)
        else:
            brush.box(640.0, 360.0, (640.0, 360.0), 0.0, palette.INK, 0.16 if session.state is State.TITLE else 0.45)

    def draw(self, session: Session, pixel_of: tuple[float, float, float], note: str = "") -> None:
        """The text. ``pixel_of``: the view's middle in the world and the number of pixels to a unit, in 1280 × 720."""
        shown: set[str] = set()

        def show(
            name: str,
            text: str,
            x: float,
            y: float,
            size: float,
            color: Color,
            anchor: str = "center",
            alpha: float = 1.0,
        ) -> None:
            shown.add(name)
            self._put(name, text, x, y, size, color, anchor, alpha)

        tally = session.tally
        if session.state is State.PLAY:
            show("score", f"{tally.score:,}".replace(",", " "), 1252, 668, 26, palette.TEXT, "right")
            if tally.chain > 1:
                show("chain", f"chain ×{tally.chain}", 1252, 636, 15, palette.MOTE, "right")
            if session.boss is not None:
                show("boss", "THE KEEPER", 640, 72, 13, palette.TEXT)
            if _has_keys(session):
                show("keys", _KEYS, 640, 46, 13, palette.TEXT)
            self._show_points(session, pixel_of, show)
        else:
            self._show_screen(session, show)
        if note:
            show("note", note, 1268, 14, 10, palette.TEXT_SOFT, "right", 0.8)
        for name in self._labels.keys() - shown:
            self._labels.pop(name).delete()
        self._batch.draw()

    def _show_points(self, session: Session, pixel_of: tuple[float, float, float], show: _Show) -> None:
        middle_x, middle_y, scale = pixel_of
        for moment in session.moments:
            age = (session.time - moment.time) / _POPUP_SECONDS
            if moment.name == "defeat" and age < 1.0:
                x, y = 640.0 + scale * (moment.x - middle_x), 360.0 + scale * (moment.y - middle_y) + 50.0 * age
                name = f"points {moment.time:.3f} {moment.x:.3f}"
                show(name, f"{moment.amount:.0f}", x, y + 20.0, 15, palette.MOTE, alpha=1.0 - age * age)

    def _show_screen(self, session: Session, show: _Show) -> None:
        blink = 0.85 + 0.15 * math.sin(4.0 * session.state_time)
        if session.state is State.TITLE:
            show("title shade", "TIDELIGHT", 643, 498, 76, palette.INK)
            show("title", "TIDELIGHT", 640, 502, 76, palette.TEXT)
            show("subtitle shade", _TAGLINE, 641.5, 428.5, 18, palette.INK)
            show("subtitle", _TAGLINE, 640, 430, 18, palette.TEXT)
            show("start shade", "press Enter or click", 641.5, 384.5, 22, palette.INK)
            show("start", "press Enter or click", 640, 386, 22, palette.TEXT, alpha=blink)
            show("keys", _KEYS, 640, 46, 13, palette.TEXT)
            return
        won = session.state is State.WIN
        word = "THE LIGHT IS OUT" if won else "THE TIDE TAKES YOU"
        show("title shade", word, 643, 447, 54, palette.INK)
        show("title", word, 640, 450, 54, palette.MOTE if won else palette.HEART)
        points = f"{session.tally.score:,}".replace(",", " ")
        show("final score", f"score {points}", 640, 384, 26, palette.TEXT)
        show("start shade", "press Enter or click to play again", 641.5, 330.5, 18, palette.INK)
        show("start", "press Enter or click to play again", 640, 332, 18, palette.TEXT, alpha=blink)

    def _put(
        self, name: str, text: str, x: float, y: float, size: float, color: Color, anchor: str, alpha: float
    ) -> None:
        left = self._middle[0] + self._scale * (x - 640.0)
        low = self._middle[1] + self._scale * (y - 360.0)
        label = self._labels.get(name)
        if label is None:
            from pyglet.text import Label

            label = self._labels[name] = Label(
                text,
                font_name=FONTS,
                font_size=max(round(0.75 * size * self._scale * 1.33, 1), _LEAST_POINTS),
                weight="bold" if size > 20 else "normal",
                anchor_x=anchor,  # type: ignore[arg-type]  # a Literal; "right" and "center" are two of it
                anchor_y="center",
                batch=self._batch,
            )
        if label.text != text:
            label.text = text
        # To pyglet any assignment is a change, and lays the text out anew.
        place = (round(left), round(low), 0)
        if label.position != place:
            label.position = place
        if label.color != as_bytes(color, alpha):
            label.color = as_bytes(color, alpha)


def _has_keys(session: Session) -> bool:
    """Whether the line of keys is shown: at the title and at the beginning."""
    return session.state is State.TITLE or (session.state is State.PLAY and session.time < _KEY_SECONDS)
