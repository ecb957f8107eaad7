"""A run without a window: a number of frames as fast as they go, then a summary."""

from __future__ import annotations

from ecsphys.demo.measurements import summary
from ecsphys.demo.player import Player

FRAMES = 600


def run(player: Player, scene: str, frames: int, screenshot: str | None) -> str:
    """Play ``frames`` steps, each drawn where there is a picture; the summary. Ctrl-C ends the run early."""
    player.open(scene)
    live = player.live
    try:
        while live.frame < frames:
            player.step()
            player.draw()
    except KeyboardInterrupt:
        pass
    if screenshot is not None and player.window is not None:
        player.save_screenshot(screenshot)
    drawing = player.drawing if player.window is not None else None
    return summary(scene, live.frame, player.simulate, drawing, live.counts())
