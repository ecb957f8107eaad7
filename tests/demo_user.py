"""A user of the demo's window, off screen: real keys and mouse events go to the real window code, steps at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from picture import off_screen

from ecsphys.demo.player import Player
from ecsphys.demo.scenes.scene import LiveScene
from ecsphys.demo.stage_view import StageView

if TYPE_CHECKING:
    from pyglet.window import Window

    from ecsphys.demo.hud.hud import PlainHud
    from ecsphys.demo.window import Session


class User:
    """Plays scenes in a window; places are pixels."""

    def __init__(self, window: Window, session: Session, player: Player) -> None:
        self._window = window
        self._session = session
        self.player = player

    @property
    def live(self) -> LiveScene:
        return self.player.live

    @property
    def view(self) -> StageView:
        assert self.player.view is not None
        return self.player.view

    @property
    def hud(self) -> PlainHud:
        """What lies over the scene in the picture that was drawn last."""
        picture = self.player.picture
        assert picture is not None
        assert picture.hud is not None
        return picture.hud

    def help_lines(self) -> list[str]:
        """All text of the list of keys, while it is shown."""
        page = self.hud.help
        assert page is not None
        return [label.text for label in page.texts.labels]

    def open(self, scene: str) -> None:
        """Begin a scene."""
        self._session._open(scene)

    def send(self, name: str, *arguments: float) -> None:
        """Send an event of pyglet to the window."""
        # Without an event loop they wait in a queue.
        self._window.dispatch_event(name, *arguments)
        self._window.dispatch_events()

    @staticmethod
    def key(name: str) -> int:
        """A key by its name in pyglet."""
        from pyglet.window import key

        return int(getattr(key, name))

    def press(self, *names: str, shift: bool = False) -> None:
        """Press keys by their names in pyglet, without letting them go."""
        from pyglet.window import key

        for name in names:
            self.send("on_key_press", getattr(key, name), key.MOD_SHIFT if shift else 0)

    def release(self, *names: str) -> None:
        """Let keys go."""
        from pyglet.window import key

        for name in names:
            self.send("on_key_release", getattr(key, name), 0)

    def type(self, *names: str, shift: bool = False) -> None:
        """Press keys and let them go."""
        for name in names:
            self.press(name, shift=shift)
            self.release(name)

    def move(self, x: float, y: float) -> None:
        """Move the mouse to a pixel."""
        self.send("on_mouse_motion", round(x), round(y), 0, 0)

    def down(self, x: float, y: float, button: str = "LEFT") -> None:
        """Press a button of the mouse at a pixel."""
        from pyglet.window import mouse

        self.move(x, y)
        self.send("on_mouse_press", round(x), round(y), getattr(mouse, button), 0)

    def drag(self, x: float, y: float, button: str = "LEFT") -> None:
        """Move the mouse to a pixel with a button down."""
        from pyglet.window import mouse

        self.send("on_mouse_drag", round(x), round(y), 0, 0, getattr(mouse, button), 0)

    def up(self, x: float, y: float, button: str = "LEFT") -> None:
        """Let a button of the mouse go at a pixel."""
        from pyglet.window import mouse

        self.send("on_mouse_release", round(x), round(y), getattr(mouse, button), 0)

    def click(self, x: float, y: float, button: str = "LEFT") -> None:
        """Press a button and let it go."""
        self.down(x, y, button)
        self.up(x, y, button)

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """The pixel of a place of the world."""
        return self.view.viewport.camera.to_pixel(x, y)

    def play(self, seconds: float) -> None:
        """Let the scene go on, without drawing it."""
        for _ in range(round(60.0 * seconds)):
            self.player.step()
            if self.player.view is not None:
                self.player.view.viewport.update()

    def draw(self) -> None:
        """Draw a picture."""
        self._window.switch_to()
        self.player.draw()


@contextmanager
def demo_user(width: int = 640, height: int = 400) -> Iterator[User]:
    """A user in front of an off-screen window, without a scene; skips the test where none can be opened."""
    with off_screen(width, height) as window:
        from ecsphys.demo.window import Session

        player = Player(window, seed=0, wait=True)
        session = Session(player, window, None, None)
        try:
            yield User(window, session, player)
        finally:
            window.pop_handlers()
            if player.has_scene:
                player.live.close()
