"""A run without a window: a number of frames as fast as they go, then a summary."""

from __future__ import annotations

from ecsphys.demo.measurements import summary
from ecsphys.demo.player import Player
from ecsphys.demo.scenes import MENU

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
