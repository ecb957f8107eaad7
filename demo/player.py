"""Plays scenes into a picture: steps, draws, measures, takes screenshots. Used by the window and by headless runs.

Between scenes it shows the menu.
"""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Final

from ecsphys.demo.debug_layers import LAYERS, DebugLayers
from ecsphys.demo.display import NoOpenGLError
from ecsphys.demo.hud.shown import Shown
from ecsphys.demo.hud.toolbar import Switch
from ecsphys.demo.labels import say_missing
from ecsphys.demo.measurements import Timer
from ecsphys.demo.recorded_scene import SceneEvents, record
from ecsphys.demo.scene_picture import ScenePicture, size_of
from ecsphys.demo.scenes import HEADLESS_SCENE, SCENES, LiveScene, open_scene
from ecsphys.demo.scenes.scene import STEP

if TYPE_CHECKING:
    from pyglet.window import Window

    from ecsphys.demo.menu import Menu
    from ecsphys.demo.stage_view import StageView
    from ecsphys.replay import Recorder

PACES: Final = (1.0, 0.5, 0.25, 0.1)
"""How fast time may go."""


class Player:
    """One scene at a time, and the picture of it, if there is one.

    Parameters
    ----------
    window
        What to draw into; None simulates only.
    seed
        Of the scenes' random numbers.
    wait
        Count the time until a frame is really there: right without a clock that frames wait for anyway.
    autoplay
        Let a script play what can be played.
    record_to
        The file that the first scene is recorded to; None for none.
    """

    def __init__(
        self,
        window: Window | None,
        seed: int,
        wait: bool = False,
        autoplay: bool = False,
        record_to: str | None = None,
    ) -> None:
        self._wait = wait
        self._record_to = record_to
        self._recorder: Recorder | None = None
        self._autoplay = autoplay
        self.window = window
        self.seed = seed
        self.simulate = Timer()
        self.drawing = Timer()
        self.paused = False
        self.pace = 1.0
        """How fast time goes, one of PACES."""
        self.layers = DebugLayers()
        self.has_effects = True
        """Whether impacts throw sparks and dust and shake the picture."""
        self.has_help = False
        """Whether the list of all keys is shown."""
        self.is_bare = False
        """Whether all text and switches are hidden."""
        self.has_lost_screenshot = False
        """Whether a screenshot could not be saved."""
        self.has_lost_recording = False
        """Whether a recording could not be written."""
        self.menu: Menu | None = None
        """The menu, while it is shown."""
        self.picture: ScenePicture | None = None
        """The picture of the scene; None without a window."""
        self._events: SceneEvents | None = None
        if window is not None:
            from ecsphys.demo.renderer import Renderer

            try:
                self._renderer = Renderer()
            except Exception as error:
                raise NoOpenGLError(f"the driver refuses the shaders ({' '.join(str(error).split())})") from error

    @property
    def live(self) -> LiveScene:
        """The scene being played."""
        return self.events.live

    @property
    def events(self) -> SceneEvents:
        """What passes events on to the scene being played."""
        if self._events is None:
            raise RuntimeError("no scene has been opened")
        return self._events

    @property
    def view(self) -> StageView | None:
        """The scene as the picture shows it; None without a picture, and for a scene that draws itself."""
        return None if self.picture is None else self.picture.view

    @property
    def has_scene(self) -> bool:
        """Whether a scene has been opened."""
        return self._events is not None

    def open(self, name: str) -> None:
        """Begin a scene from its start, running, in place of the one being played.

        ClosedError where the window is closed while the physics is compiled.
        """
        self.menu = None
        self.paused = self.has_help = False
        self.pace = 1.0
        self.layers = DebugLayers()
        self._end_recording()
        if self._events is not None:
            self._events.live.close()
        self._events = SceneEvents(open_scene(name, self.seed, self._autoplay))
        self._begin_recording()
        self.simulate.samples.clear()
        self.drawing.samples.clear()
        if self.window is not None:
            self.picture = ScenePicture(
                self.window,
                self._renderer,
                self.events,
                self.layers,
                self._switches(),
                self.simulate,
                self.drawing,
            )
            self._put_effects()

    def restart(self, keeps_sliders: bool = True) -> None:
        """Begin the scene again, with its sliders as they are, or as they were at first."""
        before = [parameter.get() for parameter in self.live.layout.parameters]
        pace, layers = self.pace, vars(self.layers)
        self.open(self.live.scene.name)
        self.pace = pace
        vars(self.layers).update(layers)
        if keeps_sliders:
            for number, value in enumerate(before):
                self.events.send("put", number, value)

    def _switches(self) -> list[Switch]:
        """Those of the debug layers that say something of the scene, and of the effects."""
        has_bodies = self.live.layout.has_bodies
        layers = [
            Switch(name, key, partial(self.shows, name), partial(self.toggle, name))
            for name, key, need in LAYERS
            if has_bodies or need != "bodies"
        ]
        effects = Switch("effects", "L", lambda: self.has_effects, self.toggle_effects)
        return [*layers, effects] if has_bodies else layers

    def toggle_effects(self) -> None:
        """Let impacts throw sparks and dust and shake the picture, or not."""
        self.has_effects = not self.has_effects
        self._put_effects()

    def _put_effects(self) -> None:
        if self.picture is not None and self.picture.effects is not None:
            self.picture.effects.is_on = self.has_effects

    def shows(self, layer: str) -> bool:
        """Whether a debug layer is shown."""
        return bool(getattr(self.layers, layer))

    def toggle(self, layer: str) -> None:
        """Show a debug layer, or hide it."""
        setattr(self.layers, layer, not getattr(self.layers, layer))

    def open_menu(self) -> None:
        """Show the menu in place of the scene, which stands still; the last one played is chosen."""
        if self.window is None:
            raise RuntimeError("the menu needs a picture, but there is none")
        from ecsphys.demo.menu import Menu

        chosen = 0 if self._events is None else list(SCENES).index(self.live.scene.name)
        try:
            self.menu = Menu(size_of(self.window), chosen)
        except ImportError as error:  # no text: the menu would be empty cards
            say_missing(error)
            self.open(HEADLESS_SCENE)

    def close_menu(self) -> None:
        """Go on with the scene the menu was opened over."""
        self.menu = None
        self.forget_size()

    def forget_size(self) -> None:
        """Lay out the picture anew before it is drawn next: its size has changed."""
        if self.menu is not None and self.window is not None:
            self.menu.resize(size_of(self.window))
        if self.picture is not None:
            self.picture.resize()

    def pause(self) -> None:
        """Let the scene stand still, or go on."""
        self.paused = not self.paused

    def show_help(self) -> None:
        """Show the list of all keys, or hide it."""
        self.has_help = not self.has_help

    def strip(self) -> None:
        """Hide all text and switches, or show them again."""
        self.is_bare = not self.is_bare

    def slow_down(self, turn: int) -> None:
        """Let time go slower, or with −1 faster."""
        self.pace = PACES[min(max(PACES.index(self.pace) + turn, 0), len(PACES) - 1)]

    def select(self, turn: int) -> None:
        """Let the keys move the next slider, or with −1 the one before."""
        if self.view is not None:
            self.view.toolbar.select(turn)

    def change(self, turn: int) -> None:
        """Move the chosen slider up, or with −1 down."""
        if self.live.layout.parameters:
            self.events.send("change", 0 if self.view is None else self.view.toolbar.selected, turn)

    def put_back(self) -> None:
        """Move the chosen slider to where it was at first."""
        if self.view is not None and self.view.toolbar.sliders:
            toolbar = self.view.toolbar
            self.events.send("put", toolbar.selected, toolbar.sliders[toolbar.selected].default)

    def point(self, event: str, x: float, y: float, *values: float) -> None:
        """The mouse over a scene that draws itself: an event at a pixel."""
        if self.picture is not None and self.picture.own is not None:
            self.events.send(event, *self.picture.own.to_world(x, y), *values)

    def let_go(self) -> None:
        """Release all that the mouse holds, as when the window loses the focus."""
        if self.view is None:
            self.events.send("let_go")
        else:
            self.view.mouse.release("left")
            self.view.mouse.release("right")

    def step(self) -> None:
        """Advance the scene by one step."""
        layout = self.live.layout
        dt = STEP * self.pace * (1.0 if layout.pace is None else layout.pace())
        with self.simulate.measure():
            if self._recorder is None:
                self.events.step(dt)
            else:
                try:
                    self._recorder.step(dt)
                except OSError as error:
                    self._lose_recording(error)
        if self.picture is not None:
            self.picture.observe(dt)

    def draw(self) -> None:
        """Draw the scene; the caller flips."""
        if self.window is None:
            return
        if self.menu is not None:
            self.menu.draw()
            return
        if self.picture is None:
            return
        with self.drawing.measure():
            self.picture.draw(Shown(self.paused, self.pace, self.has_help, self.is_bare))
            if self._wait:
                self._renderer.finish()

    def save_screenshot(self, path: str) -> None:
        """Draw once more and write the picture as PNG; where that fails say so, and remember it."""
        if self.window is None:
            raise RuntimeError("there is no picture to save")
        import pyglet

        if self.picture is not None:
            self.picture.update_numbers()
        self.draw()
        try:
            with open(path, "wb") as file:
                pyglet.image.get_buffer_manager().get_color_buffer().save(path, file)
        except OSError as error:
            print(f"ecsphys-demo: the screenshot cannot be saved ({error})", file=sys.stderr)
            self.has_lost_screenshot = True

    def close(self) -> None:
        """Delete the scene's world and close the window."""
        self._end_recording()
        if self._events is not None:
            self._events.live.close()
            self._events = None
        if self.window is not None:
            self.window.close()

    def _begin_recording(self) -> None:
        """Record the first scene; those that follow are not recorded."""
        if self._record_to is not None:
            path, self._record_to = self._record_to, None
            try:
                self._recorder = record(path, self.events, self.seed, self._autoplay)
            except OSError as error:
                self._lose_recording(error)

    def _end_recording(self) -> None:
        if self._recorder is not None:
            try:
                self._recorder.close()
            except OSError as error:
                self._lose_recording(error)
            self._recorder = None

    def _lose_recording(self, error: OSError) -> None:
        print(f"ecsphys-demo: the recording cannot be written ({error})", file=sys.stderr)
        self._recorder, self.has_lost_recording = None, True
