"""Plays scenes into a picture: steps, draws, measures, takes screenshots. Used by the window and by headless runs.

Between scenes it shows the menu.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ecsphys.demo.display import NoOpenGLError
from ecsphys.demo.highlights import Highlights
from ecsphys.demo.labels import say_missing
from ecsphys.demo.measurements import Timer
from ecsphys.demo.recorded_scene import SceneEvents, record
from ecsphys.demo.scenes import HEADLESS_SCENE, SCENES, LiveScene, open_scene
from ecsphys.demo.scenes.scene import STEP, MouseButton, Picture

if TYPE_CHECKING:
    from pyglet.window import Window

    from ecsphys.demo.menu import Menu
    from ecsphys.demo.overlay import Overlay
    from ecsphys.demo.scenes.camera import Camera
    from ecsphys.replay import Recorder

_NUMBERS_EVERY = 15  # frames between two updates of the numbers on screen


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
        self.debug = False
        self.selected = 0
        """Which of the scene's parameters the keys change."""
        self.has_lost_screenshot = False
        """Whether a screenshot could not be saved."""
        self.has_lost_recording = False
        """Whether a recording could not be written."""
        self.menu: Menu | None = None
        """The menu, while it is shown."""
        self._highlights = Highlights()
        self._overlay: Overlay | None = None
        self._camera: Camera | None = None
        self._picture: Picture | None = None
        self._note = ""
        self._text_works = True
        self._frames_drawn = 0
        self._events: SceneEvents | None = None
        if window is not None:
            from ecsphys.demo.renderer import Extras, Renderer

            self._extras = Extras.everything()
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
    def has_scene(self) -> bool:
        """Whether a scene has been opened."""
        return self._events is not None

    def open(self, name: str) -> None:
        """Begin a scene from its start, running, in place of the one being played.

        ClosedError where the window is closed while the physics is compiled.
        """
        self._compile(name)
        self.menu = None
        self.paused = False
        self._end_recording()
        if self._events is not None:
            self._events.live.close()
        self._events = SceneEvents(open_scene(name, self.seed, self._autoplay))
        self._begin_recording()
        self._picture = self.live.open_picture() if self.window is not None else None
        self.simulate.samples.clear()
        self.drawing.samples.clear()
        self.selected = 0
        self._highlights = Highlights(by_impact=self.live.layout.look is not None)
        self._highlights.observe(self.live.physics, 0.0)
        self.forget_size()

    def open_menu(self) -> None:
        """Show the menu in place of the scene, which stands still; the last one played is chosen."""
        if self.window is None:
            raise RuntimeError("the menu needs a picture, but there is none")
        from ecsphys.demo.menu import Menu

        chosen = 0 if self._events is None else list(SCENES).index(self.live.scene.name)
        try:
            self.menu = Menu(self._size(), chosen)
        except ImportError as error:  # no text: the menu would be empty cards
            self._lose_text(error)
            self.open(HEADLESS_SCENE)

    def close_menu(self) -> None:
        """Go on with the scene the menu was opened over."""
        self.menu = None
        self.forget_size()

    def forget_size(self) -> None:
        """Lay out the picture anew before it is drawn next: the scene or the size has changed."""
        self._camera = None
        if self.menu is not None:
            self.menu.resize(self._size())
        if self._events is not None and self.window is not None:
            self._events.send("resize", *self._size())

    def select(self, turn: int) -> None:
        """Choose the next parameter, or with −1 the one before."""
        if self.live.layout.parameters:
            self.selected = (self.selected + turn) % len(self.live.layout.parameters)
            self.show_numbers()

    def change(self, turn: int) -> None:
        """Change the chosen parameter up, or with −1 down."""
        if self.live.layout.parameters:
            self.events.send("change", self.selected, turn)
            self.show_numbers()

    def point_at(self, x: float, y: float) -> None:
        """Tell the scene that the mouse is at a pixel of the picture."""
        self.events.send("move_mouse", x, y)
        if self._camera is not None:
            self.events.send("point_at", *self._camera.to_world(x, y))

    def press_mouse(self, x: float, y: float, button: MouseButton) -> None:
        """A button goes down at a pixel: the scene's own, or the left one to hold the rigid body that is there."""
        is_own = self.events.send("press_mouse", x, y, button)
        if not is_own and button == "left" and self._camera is not None:
            self.events.send("grip", *self._camera.to_world(x, y))

    def release_mouse(self, button: MouseButton) -> None:
        """A button goes up: what the mouse holds flies."""
        self.events.send("release_mouse", button)

    def scroll(self, x: float, y: float, turns: float) -> None:
        """The wheel turns with the mouse at a pixel of the picture."""
        self.events.send("scroll", x, y, turns)

    def let_go(self) -> None:
        """Release all that keys and mouse hold, as when the window loses the focus."""
        for button in ("left", "middle", "right"):
            self.release_mouse(button)

    def step(self) -> None:
        """Advance the scene by one step."""
        with self.simulate.measure():
            if self._recorder is None:
                self.events.step(STEP)
            else:
                try:
                    self._recorder.step(STEP)
                except OSError as error:
                    self._lose_recording(error)
        if self._picture is None:
            self._highlights.observe(self.live.physics, STEP)

    def draw(self) -> None:
        """Draw the scene; the caller flips."""
        if self.window is None:
            return
        if self.menu is not None:
            self.menu.draw()
            return
        with self.drawing.measure():
            if self._picture is not None:
                self._draw_picture(self._picture)
            else:
                self._draw_scene()
            if self._wait:
                self._renderer.finish()
        self._frames_drawn += 1

    def _draw_scene(self) -> None:
        assert self.window is not None
        if self._camera is None:
            self._lay_out()
            self._frames_drawn = 0
        assert self._camera is not None
        size = self._size()
        density = self.window.get_framebuffer_size()[0] / size[0]
        extras = self._extras if self.debug else None
        self._renderer.draw(self.live, self._highlights, self._camera, size, extras, density)
        if self._overlay is not None:
            if self._frames_drawn % _NUMBERS_EVERY == 0:
                self.show_numbers()
            self._overlay.draw()

    def _draw_picture(self, picture: Picture) -> None:
        assert self.window is not None
        size = self._size()
        if self._frames_drawn % _NUMBERS_EVERY == 0:
            self.show_numbers()
        picture.draw(size, self.window.get_framebuffer_size()[0] / size[0], self.debug, self._note)

    def show_numbers(self) -> None:
        """Bring the numbers on screen up to date."""
        if self._picture is not None:
            state = "paused, P goes on   " if self.paused else ""
            self._note = (
                f"{state}{self.live.counts().entities} entities   simulate {self.simulate.recent():.2f} ms   "
                f"draw {self.drawing.recent():.2f} ms"
            )
            return
        if self._overlay is not None:
            self._overlay.show_numbers(self.simulate.recent(), self.drawing.recent(), self.live.counts(), self.paused)
            self._overlay.show_parameters(self.selected)

    def save_screenshot(self, path: str) -> None:
        """Draw once more and write the picture as PNG; where that fails say so, and remember it."""
        if self.window is None:
            raise RuntimeError("there is no picture to save")
        import pyglet

        self._frames_drawn = 0
        self.draw()
        try:
            pyglet.image.get_buffer_manager().get_color_buffer().save(path)
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

    def _size(self) -> tuple[int, int]:
        assert self.window is not None
        width, height = self.window.get_size()
        return max(width, 1), max(height, 1)

    def _lay_out(self) -> None:
        from ecsphys.demo.overlay import Overlay, camera_for

        self._camera = camera_for(self.live.layout.arena, self._size())
        if self._text_works:
            try:
                self._overlay = Overlay(self.live, self._camera, self._size())
            except ImportError as error:
                self._lose_text(error)

    def _compile(self, scene: str) -> None:
        """Load what the scene needs, so that nothing is compiled in play; on the very first run, show how far it is.

        Without a window, kernels are loaded or compiled when they are first called, and that is said on stderr.
        """
        if self.window is not None and not self._wait:
            from ecsphys.demo.loading import LoadingBar

            LoadingBar(self.window).run(scene)

    def _lose_text(self, error: ImportError) -> None:
        self._text_works = False
        self._overlay = None
        say_missing(error)
