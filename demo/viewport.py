"""The visible part of a scene: its arena or its camera's view, with the player's own zoom and pan."""

from __future__ import annotations

from ecsphys.demo.scenes.camera import Camera
from ecsphys.demo.scenes.scene import Box, Layout

_ZOOM = 1.15
"""Of one notch of the wheel."""
_ZOOMS = 0.25, 40.0
"""How small and large the picture may become, in parts of what shows the whole."""


class Viewport:
    """The camera of one scene in a picture: ``free`` is its part without text, in pixels."""

    def __init__(self, layout: Layout, free: Box) -> None:
        self._layout = layout
        self._free = free
        self._zoom = 1.0
        self._shift = (0.0, 0.0)
        """Of the picture's middle, in units, from where the scene has it."""
        self.camera = self._base()
        self.update()

    def resize(self, free: Box) -> None:
        """The picture has another size now."""
        self._free = free
        self.update()

    @property
    def is_fitted(self) -> bool:
        """Whether the picture is as the scene has it."""
        return self._zoom == 1.0 and self._shift == (0.0, 0.0)

    def update(self) -> None:
        """Follow the scene and the player's hand; once for each picture."""
        base = self._base()
        self.camera = Camera(
            base.x + self._shift[0], base.y + self._shift[1], base.scale * self._zoom, base.pixel_x, base.pixel_y
        )

    def zoom(self, turns: float, pixel_x: float, pixel_y: float) -> None:
        """Turn the wheel; the point under the mouse stays there."""
        before = self.camera.to_world(pixel_x, pixel_y)
        self._zoom = min(max(self._zoom * _ZOOM**turns, _ZOOMS[0]), _ZOOMS[1])
        self.update()
        after = self.camera.to_world(pixel_x, pixel_y)
        self._move(before[0] - after[0], before[1] - after[1])

    def pan(self, dx: float, dy: float) -> None:
        """Move the world by so many pixels."""
        self._move(-dx / self.camera.scale, -dy / self.camera.scale)

    def fit(self) -> None:
        """Go back to the scene's own view."""
        self._zoom, self._shift = 1.0, (0.0, 0.0)
        self.update()

    def _move(self, dx: float, dy: float) -> None:
        self._shift = self._shift[0] + dx, self._shift[1] + dy
        self.update()

    def _base(self) -> Camera:
        box = self._layout.arena if self._layout.follow is None else self._layout.follow()
        return Camera.fit(box, *self._free)
