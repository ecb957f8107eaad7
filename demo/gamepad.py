"""Gamepads as keys: each button, and each direction of the left stick and the pad, goes down and up by a name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_PUSHED = 0.4  # of a stick's way: from there it counts as held


class Gamepads:
    """Reports the buttons of every connected gamepad, as ``PAD_A``, ``PAD_START``, ``PAD_LEFT`` …, to two functions.

    Where pyglet can open no input devices, nothing is ever reported.
    """

    def __init__(self, press: Callable[[str], object], release: Callable[[str], object]) -> None:
        self._press = press
        self._release = release
        self._held: set[str] = set()
        self._manager: Any = None
        try:
            from pyglet.input import ControllerManager

            self._manager = ControllerManager()
            self._manager.push_handlers(on_connect=self._connect)
            controllers = self._manager.get_controllers()
        except Exception:  # without devices the keyboard has to do, whatever the reason
            return
        for controller in controllers:
            self._connect(controller)

    def _connect(self, controller: Any) -> None:
        try:
            controller.open()
        except Exception:  # in use elsewhere, or not to be read by this user
            return
        controller.push_handlers(
            on_button_press=self._on_button_press,
            on_button_release=self._on_button_release,
            on_stick_motion=self._on_stick_motion,
            on_dpad_motion=self._on_dpad_motion,
        )

    def _on_button_press(self, controller: Any, name: str) -> None:
        self._press(f"PAD_{name.upper()}")

    def _on_button_release(self, controller: Any, name: str) -> None:
        self._release(f"PAD_{name.upper()}")

    def _on_stick_motion(self, controller: Any, name: str, vector: Any) -> None:
        if name.startswith("left"):
            self._point(vector.x, vector.y)

    def _on_dpad_motion(self, controller: Any, vector: Any) -> None:
        self._point(vector.x, vector.y)

    def _point(self, x: float, y: float) -> None:
        ways = {"PAD_LEFT": -x, "PAD_RIGHT": x, "PAD_DOWN": -y, "PAD_UP": y}
        held = {name for name, share in ways.items() if share > _PUSHED}
        for name in self._held - held:
            self._release(name)
        for name in held - self._held:
            self._press(name)
        self._held = held
