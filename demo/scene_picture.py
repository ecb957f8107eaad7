"""The picture of one scene in a window: its view, its effects, and all that lies over it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ecsphys.demo.debug_layers import DebugLayers
from ecsphys.demo.effects.effects import Effects
from ecsphys.demo.highlights import Highlights
from ecsphys.demo.hud.shown import Shown
from ecsphys.demo.hud.toolbar import Switch
from ecsphys.demo.labels import say_missing
from ecsphys.demo.measurements import Timer
from ecsphys.demo.recorded_scene import SceneEvents
from ecsphys.demo.scenes.scene import Picture
from ecsphys.demo.stage_view import StageView

if TYPE_CHECKING:
    from pyglet.window import Window

    from ecsphys.demo.hud.hud import PlainHud
    from ecsphys.demo.renderer import Renderer

_NUMBERS_EVERY = 15  # frames between two updates of the numbers on screen


class ScenePicture:
    """Draws a scene from its start to its end; another scene needs another picture.

    ``layers`` may change at any time. ``simulate`` and ``drawing`` are the times that it shows.
    """

    def __init__(
        self,
        window: Window,
        renderer: Renderer,
        events: SceneEvents,
        layers: DebugLayers,
        switches: Sequence[Switch],
        simulate: Timer,
        drawing: Timer,
    ) -> None:
        self._window = window
        self._renderer = renderer
        self._live = live = events.live
        self._layers = layers
        self._simulate, self._drawing = simulate, drawing
        self._highlights = Highlights(by_impact=live.layout.look is not None)
        self._highlights.observe(live.physics, 0.0)
        self._note = ""
        self._text_works = True
        self._frames_drawn = 0
        self.hud: PlainHud | None = None
        """What lies over the scene; None until it is drawn."""
        self.effects = Effects(live.physics) if live.layout.has_bodies else None
        self.own: Picture | None = live.open_picture()
        """What draws a scene that draws itself."""
        self.view: StageView | None = None
        """The scene as the demo's renderer shows it; None for a scene that draws itself."""
        if self.own is None:
            defaults = [parameter.get() for parameter in live.layout.parameters]
            self.view = StageView(events, defaults, switches, size_of(window))

    def observe(self, dt: float) -> None:
        """See what a step has changed."""
        if self.own is None:
            self._highlights.observe(self._live.physics, dt)
        if self.effects is not None:
            for blast in self._live.tools.blasts:
                self.effects.blast(blast.x, blast.y, blast.reach)
            self.effects.observe(dt)

    def resize(self) -> None:
        """The window has another size now."""
        self.hud = None
        if self.view is not None:
            self.view.resize(size_of(self._window))

    def update_numbers(self) -> None:
        """Let the numbers of the next picture be those of its time."""
        self._frames_drawn = 0

    def draw(self, shown: Shown) -> None:
        """Draw the scene and what lies over it; the caller flips."""
        if self.own is not None:
            self._draw_own(self.own, shown)
        elif self.view is not None:
            self._draw_scene(self.view, shown)
        self._frames_drawn += 1

    def _draw_scene(self, view: StageView, shown: Shown) -> None:
        view.is_bare = shown.is_bare
        view.viewport.update()
        live = self._live
        live.enter()
        if len(self._highlights.heat) != len(live.physics.debug.colliders):
            # Bodies have come or gone since the last step.
            self._highlights.observe(live.physics, 0.0)
        body = view.mouse.body() if live.layout.has_bodies else None
        self._renderer.draw(
            live,
            self._highlights,
            view.viewport.camera,
            size_of(self._window),
            self._layers,
            self._density,
            marked=body,
            effects=self.effects,
        )
        if self._text_works:
            try:
                self._draw_hud(view, shown)
            except ImportError as error:
                self._lose_text(error)

    def _draw_hud(self, view: StageView, shown: Shown) -> None:
        from ecsphys.demo.hud.hud import Hud

        hud = self.hud
        if not isinstance(hud, Hud):
            self.hud = hud = Hud(self._live, view.toolbar, size_of(self._window), view.panel)
            self._frames_drawn = 0
        if self._is_time_for_numbers:
            hud.heading.show_numbers(self._simulate.recent(), self._drawing.recent())
            if hud.panel is not None:
                hud.panel.update()
        hud.toolbar.update()
        hud.draw_over(shown, view.viewport, view.free)

    def _draw_own(self, picture: Picture, shown: Shown) -> None:
        size = size_of(self._window)
        if self._is_time_for_numbers:
            self._note = f"physics {self._simulate.recent():.1f} ms   drawing {self._drawing.recent():.1f} ms"
        picture.draw(size, self._density, self._layers.shapes, "" if shown.is_bare else self._note)
        if not self._text_works or not (shown.is_paused or shown.has_help or shown.pace < 1.0):
            return
        from ecsphys.demo.hud.hud import PlainHud

        try:
            if self.hud is None:
                self.hud = PlainHud(self._live, size)
            self.hud.draw(shown)
        except ImportError as error:
            self._lose_text(error)

    @property
    def _density(self) -> float:
        """Pixels of the screen to a pixel of the window."""
        width: int = self._window.get_framebuffer_size()[0]
        return width / size_of(self._window)[0]

    @property
    def _is_time_for_numbers(self) -> bool:
        return self._frames_drawn % _NUMBERS_EVERY == 0

    def _lose_text(self, error: ImportError) -> None:
        self._text_works = False
        self.hud = None
        say_missing(error)


def size_of(window: Window) -> tuple[int, int]:
    """The size of a window, at least a pixel."""
    width, height = window.get_size()
    return max(width, 1), max(height, 1)
