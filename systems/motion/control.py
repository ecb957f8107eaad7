"""Control by the player: the input becomes the velocity of the entities that follow it (row A2)."""

from __future__ import annotations

import json
import math
import struct
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ecsphys.components.motion.transform import Controller, Velocity
from ecsphys.components.store.column import show
from ecsphys.engine.math.elementary import hypot
from ecsphys.systems.stage import Stage
from ecsphys.systems.world.row_checks import KeptRows

if TYPE_CHECKING:
    from ecsphys.systems.physics import Physics

_STICK: Final = struct.Struct("<dd")


class InputState:
    """Direction and buttons.

    Parameters
    ----------
    x, y
        From −1 to 1, right and up positive. Keys give −1, 0 or 1; a stick gives any value between.

    Attributes
    ----------
    pressed
        The names of the buttons that are down.
    just_pressed
        The names of the buttons that went down since the last step began. A :class:`ControlSystem` updates it in each
        step, so each press shows in exactly one step, even if the button was released before.

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
        """Press a button. A button that is already down (key repeat) does nothing.

        Raises TypeError unless ``button`` is a str.
        """
        if _name(button) not in self.pressed:
            self.pressed.add(button)
            self._fresh.add(button)

    def release(self, button: str) -> None:
        """Release a button. Raises TypeError unless ``button`` is a str."""
        self.pressed.discard(_name(button))

    def begin_step(self) -> None:
        """Move the presses since the last call to ``just_pressed``."""
        self.just_pressed, self._fresh = self._fresh, set()

    def to_bytes(self) -> bytes:
        """The input as it is now, for a recording or a peer; :meth:`read_bytes` reads it.

        Examples
        --------
        >>> keys, others = InputState(0.5), InputState()
        >>> keys.press("jump")
        >>> others.read_bytes(keys.to_bytes())
        >>> others.x, others.pressed
        (0.5, {'jump'})
        """
        buttons = b""
        if self.pressed or self.just_pressed or self._fresh:
            buttons = json.dumps([sorted(names) for names in (self.pressed, self.just_pressed, self._fresh)]).encode()
        return _STICK.pack(self.x, self.y) + buttons

    def read_bytes(self, data: bytes) -> None:
        """Read the input from bytes of :meth:`to_bytes`. Other bytes raise ValueError, and nothing changes."""
        try:
            x, y = _STICK.unpack_from(data)
            buttons = json.loads(data[_STICK.size :] or b"[[],[],[]]")
            pressed, just_pressed, fresh = ({str(name) for name in names} for names in buttons)
        except (ValueError, TypeError, struct.error):
            raise ValueError("data must be the bytes of an InputState") from None
        self.x, self.y = x, y
        self.pressed, self.just_pressed, self._fresh = pressed, just_pressed, fresh


def _name(button: Any) -> str:
    if not isinstance(button, str):
        raise TypeError(f"button must be a str, got {show(button)}")
    return button


class ControlSystem(Stage):
    """Writes x and y of the ``Velocity`` of every entity with a ``Controller``, at equal speed in all directions.

    Add it at ``Priority.INPUT``, before everything moves.

    Parameters
    ----------
    physics
        The physics of the world.
    input_state
        The player's input: write its ``x`` and ``y`` from keys, a stick or a script.

    Raises
    ------
    ValueError
        In a step, if the input is not finite. Nothing changes then.

    Examples
    --------
    >>> physics, keys = ecsphys.install(), InputState()
    >>> esper.add_processor(ControlSystem(physics, keys), ecsphys.Priority.INPUT)
    >>> player = esper.create_entity(Transform(), Velocity(), Controller(speed=6))
    >>> keys.x = 1.0
    >>> esper.process(0.5)
    >>> esper.component_for_entity(player, Transform).x
    3.0
    """

    def __init__(self, physics: Physics, input_state: InputState) -> None:
        super().__init__(physics)
        self.input_state = input_state
        self._controlled = KeptRows(Controller, Velocity)

    def run(self, dt: float) -> None:
        state = self.input_state
        if not (math.isfinite(state.x) and math.isfinite(state.y)):
            raise ValueError(f"InputState.x and InputState.y must be finite, got {state.x!r} and {state.y!r}")
        _, controllers, velocities = self._controlled()
        controllers, velocities = controllers[velocities >= 0], velocities[velocities >= 0]
        state.begin_step()
        if not velocities.size:
            return
        direction = np.array(eight_way_velocity(state.x, state.y, 1.0))
        speed = Controller._columns.row_of_block("speed")[controllers]
        Velocity._columns.float64[:2, velocities] = speed * direction[:, None]
        Velocity._columns.mark_written(velocities)


def eight_way_velocity(x: float, y: float, speed: float) -> tuple[float, float]:
    """Velocity for an input (x, y): speed·(x, y), shortened where the input is longer than 1.

    Keys give −1, 0 or 1 on each axis. A diagonal (±1, ±1) has the length √2, so each axis gets speed/√2 and the
    diagonal is as fast as the rest; a stick that is tilted half way gives half the speed.
    """
    scale = speed / max(1.0, hypot(x, y))
    return x * scale, y * scale
