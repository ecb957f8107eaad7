"""The engines that are installed, ecsphys first."""

from __future__ import annotations

from checks.peers.ecsphys_player import EcsphysPlayer
from checks.peers.film import Engine


def engines() -> dict[str, Engine]:
    """By their names."""
    found: dict[str, Engine] = {EcsphysPlayer.name: EcsphysPlayer}
    try:
        from checks.peers.box2d_player import Box2DPlayer
    except ImportError:
        pass
    else:
        found[Box2DPlayer.name] = Box2DPlayer
    try:
        from checks.peers.pymunk_player import PymunkPlayer
    except ImportError:
        pass
    else:
        found[PymunkPlayer.name] = PymunkPlayer
    return found
