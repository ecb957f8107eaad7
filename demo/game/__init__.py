"""Tidelight, a little game: what a game looks like that is made with ecsphys.

The game itself knows no window: ``open_game`` gives a world to step, and ``drawing`` draws it.
"""

from __future__ import annotations

from ecsphys.demo.game.world import Game
from ecsphys.demo.scenes import GAME, SCENES


def open_game(seed: int = 0, autoplay: bool = False) -> Game:
    """A game at its title, in a world of its own, which is now the current one."""
    return Game(SCENES[GAME], seed, autoplay)


__all__ = ["Game", "open_game"]
