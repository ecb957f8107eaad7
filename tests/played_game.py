"""Playing the demo's game by hand, step by step."""

from __future__ import annotations

from ecsphys.demo.game import Game


def run(game: Game, frames: int) -> None:
    for _ in range(frames):
        game.step()


def tap(game: Game, action: str) -> None:
    game.controls.hold(action)
    game.step()
    game.controls.release(action)
