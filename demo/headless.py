"""A run without a window: a number of frames as fast as they go, then a summary. Or a film."""

from __future__ import annotations

from pathlib import Path

from ecsphys.demo.measurements import summary
from ecsphys.demo.player import Player
from ecsphys.demo.scenes import MENU

FILM_SIZE = (640, 360)
FILM_RATE = 15
"""Pictures in a second."""
_MOST_BYTES = 3_000_000

FRAMES = 600
AUTOPLAY_FRAMES = 5 * 60 * 60
_DRAWN_FRAMES = 20  # at most, evenly spread: enough to time, and no picture but the last is ever seen


def run(player: Player, scene: str, frames: int, screenshot: str | None) -> str:
    """Play ``frames`` steps, and draw some of them where there is a picture; the summary. Ctrl-C ends the run early."""
    if scene == MENU and player.window is not None:
        player.open_menu()
        if screenshot is not None:
            player.save_screenshot(screenshot)
        return f"{'scene':<16}{MENU}"
    player.open(scene)
    live = player.live
    every = max(frames // _DRAWN_FRAMES, 1)
    try:
        while live.frame < frames and not live.is_over:
            player.step()
            if live.frame % every == 0:
                player.draw()
    except KeyboardInterrupt:
        pass
    if screenshot is not None and player.window is not None:
        player.save_screenshot(screenshot)
    drawing = player.drawing if player.window is not None else None
    text = summary(scene, live.frame, player.simulate, drawing, live.counts())
    return text if (outcome := live.outcome()) is None else f"{text}\n{outcome}"


def film(scene: str, path: Path, seed: int = 0) -> str:
    """Save a scene's film in the best quality that makes a file of less than 3 MB; a summary.

    NoOpenGLError if nothing can be drawn here, ImportError without Pillow, OSError if the file cannot be written.
    """
    from ecsphys.demo.image_files import needs_pillow, write_film

    needs_pillow()
    from ecsphys.demo.film import Studio
    from ecsphys.demo.film_scripts import FILMS, OTHER_FILM

    studio = Studio(FILM_SIZE, seed)
    pictures = studio.film(scene, FILMS.get(scene, OTHER_FILM), FILM_RATE)
    studio.close()
    write_film(path, pictures, FILM_RATE, _MOST_BYTES)
    rows = ("scene", scene), ("pictures", f"{len(pictures)}"), ("file", f"{path.stat().st_size / 1e6:.2f} MB")
    return "\n".join(f"{name:<16}{value}" for name, value in rows)
