"""The mouse in the game: it begins a game, and the hero throws bolts at it."""

from __future__ import annotations

from ecsphys.demo.game.rules import State
from ecsphys.demo.game.session import Session
from ecsphys.demo.scenes.scene import Pointer


class BoltPointer(Pointer):
    """The left button, held down, throws bolts at the mouse as fast as there is energy."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def press(self, x: float, y: float) -> bool:
        controls = self._session.controls
        controls.target = (x, y)
        controls.hold("bolt at" if self._session.state is State.PLAY else "start")
        return True

    def move(self, x: float, y: float) -> None:
        self._session.controls.target = (x, y)

    def release(self) -> None:
        for action in ("bolt at", "start"):
            self._session.controls.release(action)
