"""A scene as a picture shows it: its camera, its sliders, switches and panel, and the mouse over it."""

from __future__ import annotations

from collections.abc import Sequence

from ecsphys.demo.hud.measures import free_box
from ecsphys.demo.hud.panel_place import PanelPlace
from ecsphys.demo.hud.toolbar import Switch, Toolbar
from ecsphys.demo.mouse import Mouse
from ecsphys.demo.recorded_scene import SceneEvents
from ecsphys.demo.scenes.scene import Box
from ecsphys.demo.viewport import Viewport


class StageView:
    """One scene in a picture whose size may change; places are pixels.

    ``defaults`` are the values of the scene's parameters at its start, ``switches`` the player's switches.
    """

    def __init__(
        self, events: SceneEvents, defaults: Sequence[float], switches: Sequence[Switch], size: tuple[int, int]
    ) -> None:
        self.events = events
        self._defaults = defaults
        self._switches = switches
        self.is_bare = False
        """Whether all text and switches are hidden, so that the mouse cannot be over them."""
        self._lay_out(size)
        self.viewport = Viewport(events.live.layout, self.free)
        self.mouse = Mouse(self)

    def resize(self, size: tuple[int, int]) -> None:
        """The picture has another size now."""
        selected = self.toolbar.selected
        self._lay_out(size)
        self.toolbar.selected = selected
        self.viewport.resize(self.free)

    def _lay_out(self, size: tuple[int, int]) -> None:
        layout = self.events.live.layout
        self.toolbar = Toolbar(layout.parameters, self._defaults, self._switches, size)
        self.panel = PanelPlace.of(layout.panel, size, bool(layout.parameters))
        """The scene's panel, if it has one and the picture has room for it."""
        self.free: Box = free_box(size, bool(layout.parameters), 0.0 if self.panel is None else self.panel.width)
        """What text, switches and panel leave of the picture."""

    @property
    def scale(self) -> float:
        """Pixels to a unit of the world."""
        return self.viewport.camera.scale

    def to_world(self, x: float, y: float) -> tuple[float, float]:
        """The world's place at a pixel."""
        return self.viewport.camera.to_world(x, y)

    def is_over_text(self, x: float, y: float) -> bool:
        """Whether sliders, switches or the panel are at a pixel, so that the world is not."""
        if self.is_bare:
            return False
        return y < self.toolbar.height or (self.panel is not None and self.panel.holds(x, y))

    def pan(self, dx: float, dy: float) -> None:
        """Move the world by so many pixels."""
        self.viewport.pan(dx, dy)

    def zoom(self, turns: float, x: float, y: float) -> None:
        """Turn the wheel over a pixel."""
        self.viewport.zoom(turns, x, y)
