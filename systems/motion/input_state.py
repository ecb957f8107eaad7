"""The input as a plain object: a window, gamepad, script or test writes it, and the systems read it."""

from __future__ import annotations

from typing import Any

from ecsphys.components.store.column import show


class InputState:
    """Direction and buttons.

    Parameters
    ----------
    x, y
        −1 … 1, right and up positive; keys give −1, 0 or 1, a stick anything between.

    Attributes
    ----------
    pressed
        The names of the buttons that are down.
    just_pressed
        Those that went down since the last step began. A :class:`ControlSystem` renews it in each step, so each press
        shows in exactly one step, even if the button was released before.

    Examples
    --------
    >>> keys = InputState()
    >>> keys.x = 1.0
    >>> keys.press("jump")
    >>> "jump" in keys.pressed
    True
    """

    __slots__ = ("_fresh", "just_pressed", "pressed", "x", "y")

    def __init__(self, x: float = 0.0, y: float = 0.0) -> None:
        self.x = x
        self.y = y
        self.pressed: set[str] = set()
        self.just_pressed: set[str] = set()
        self._fresh: set[str] = set()

    def press(self, button: str) -> None:
        """A button goes down; pressing what is down already (a key's repetition) does nothing.

        TypeError for what is no str.
        """
        if _name(button) not in self.pressed:
            self.pressed.add(button)
            self._fresh.add(button)

    def release(self, button: str) -> None:
        """A button goes up; TypeError for what is no str."""
        self.pressed.discard(_name(button))

    def begin_step(self) -> None:
        """Make what was pressed since the last call ``just_pressed``."""
        self.just_pressed, self._fresh = self._fresh, set()


def _name(button: Any) -> str:
    if not isinstance(button, str):
        raise TypeError(f"button must be a str, got {show(button)}")
    return button
