"""The mouse in the scene of bullets: it drags guns, plates and pegs, and aims; when it lets go, all fire again."""

from __future__ import annotations

from collections.abc import Callable

from ecsphys.demo.scenes.bullets.film import Film
from ecsphys.demo.scenes.bullets.shooting_range import BARS, MUZZLE, ROOMS, Range
from ecsphys.demo.scenes.scene import Pointer

_LANES_LEFT = 0.0
_BARS_LEFT, _CURVES_LEFT = -17.0 / 3.0, 17.0 / 3.0


class BulletAim(Pointer):
    """Drags guns, plates, pegs or the aim: the cell decides in which the button goes down."""

    def __init__(self, range_: Range, film: Film) -> None:
        self._range = range_
        self._film = film
        self._drag: Callable[[float, float], None] | None = None

    def press(self, x: float, y: float) -> bool:
        self._drag = self._dragging(x, y)
        self.move(x, y)
        return True

    def move(self, x: float, y: float) -> None:
        if self._drag is not None:
            self._drag(x, y)
            self._film.fire()

    def release(self) -> None:
        self._drag = None
        self._film.fire()

    def _dragging(self, x: float, y: float) -> Callable[[float, float], None]:
        """The change that a place of the mouse makes, if the drag began at (x, y)."""
        if y > 0.0:
            return self._drag_gun if x < _LANES_LEFT else self._drag_plate(x)
        if x < _BARS_LEFT:
            return _fire_only
        return self._drag_pegs if x < _CURVES_LEFT else self._range.aim_throw

    def _drag_gun(self, x: float, y: float) -> None:
        middle = min(ROOMS, key=lambda room: abs(room[0] - x))
        self._range.move_guns(x - middle[0], y - middle[1])

    def _drag_plate(self, x: float) -> Callable[[float, float], None]:
        plates = self._range.plates
        number = min(range(len(plates)), key=lambda number: abs(plates[number][0].x - max(x, MUZZLE)))
        return lambda x, y: self._range.move_plate(number, x)

    def _drag_pegs(self, x: float, y: float) -> None:
        middle = min(BARS, key=lambda bar: abs(bar[0] - x))
        self._range.move_pegs(x - middle[0], y - middle[1])


def _fire_only(x: float, y: float) -> None:
    """Two bullets that meet have nothing to drag."""
