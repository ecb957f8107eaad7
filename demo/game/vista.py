"""The far background as components: a camera, layers that pass slower the farther they are, and the sea's sway."""

from __future__ import annotations

from dataclasses import dataclass

import esper

from ecsphys.demo.game.level import LENGTH, VIEW_BOTTOM, VIEW_HEIGHT, VIEW_WIDTH
from ecsphys.effects import Camera, ParallaxLayer, RasterWave

LAYER_WIDTHS = (VIEW_WIDTH + 2.0, VIEW_WIDTH + 9.0, VIEW_WIDTH + 30.0, VIEW_WIDTH + 62.0)
"""Of the sun and of three chains of hills, the nearer the wider; the level itself is 186 wide."""

REFLECTION_ROWS = 44
ROW_HEIGHT = 0.12


@dataclass(frozen=True)
class Vista:
    """The entities of the background."""

    camera: Camera
    layers: tuple[ParallaxLayer, ...]
    wave: int


def create_vista() -> Vista:
    """Create them; the game sets where the camera is, the ``ScrollingSystem`` does the rest."""
    camera = Camera(
        0.5 * VIEW_WIDTH,
        VIEW_BOTTOM + 0.5 * VIEW_HEIGHT,
        VIEW_WIDTH,
        VIEW_HEIGHT,
        LENGTH,
        VIEW_HEIGHT,
        world_y=VIEW_BOTTOM,
    )
    entity = esper.create_entity(camera)
    layers = tuple(ParallaxLayer(width, VIEW_HEIGHT, entity) for width in LAYER_WIDTHS)
    for layer in layers:
        esper.create_entity(layer)
    return Vista(camera, layers, esper.create_entity(RasterWave(0.22, 2.6, 1.5, REFLECTION_ROWS, ROW_HEIGHT)))
