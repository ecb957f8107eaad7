"""The visible parts of a world: its shapes, boxes, the broadphase's cells, contact points, normals and joints."""

from __future__ import annotations

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.components.motion.transform import Transform
from ecsphys.debug_draw.painter import Amount, Color, Painter
from ecsphys.systems.collision.phases import BroadphaseSystem
from ecsphys.systems.debug_lines.world_lines import contact_points, joint_lines
from ecsphys.systems.hits.hit_arrays import HitArrays
from ecsphys.systems.physics import Physics

_MOST_CELLS = 20_000


def paint_shapes(
    painter: Painter, physics: Physics, colors: NDArray[float64], heat: Amount = 0.0, fill: Amount = 0.2
) -> None:
    """Every collider where it is now; ``colors`` (n, 4) of ``physics.debug.colliders``."""
    order = physics._state.tables.colliders.order
    physics._state.place()
    placed = physics._state.tables.colliders.placed
    painter.shapes(
        placed.positions[order],
        placed.shapes[order],
        placed.forms[order],
        placed.angles[order],
        colors,
        heat,
        fill,
    )


def paint_boxes(painter: Painter, physics: Physics, color: Color, alpha: float = 0.4) -> None:
    """The colliders' bounding boxes."""
    painter.boxes(physics.debug.colliders.boxes, color, alpha, line=1.0)


def paint_cells(painter: Painter, physics: Physics, color: Color, alpha: float = 0.3) -> None:
    """The cells of the broadphase's finest level in which it has filed a box: by the box's min corner.

    Nothing where the current world has no grid of ecsphys.
    """
    cells = occupied_cells(physics)
    painter.boxes(cells[:_MOST_CELLS], color, alpha, line=1.0, fill=0.12)


def occupied_cells(physics: Physics) -> NDArray[float64]:
    """The boxes (n, 4) of those cells: colliders that sleep have a grid of their own."""
    steps = physics.fixed_step
    broadphase = esper.get_processor(BroadphaseSystem) if steps is None else steps.get(BroadphaseSystem)
    size = broadphase.grid.cell_size if isinstance(broadphase, BroadphaseSystem) else 0.0
    boxes, sleeping = physics.debug.colliders.boxes, physics._state.sleeping
    sleeps = sleeping.places[physics._state.tables.colliders.order] >= 0
    return np.vstack((_cells(boxes[~sleeps], size), _cells(boxes[sleeps], sleeping.grid.cell_size)))


def _cells(boxes: NDArray[float64], size: float) -> NDArray[float64]:
    extents = boxes[:, 2:] - boxes[:, :2]
    filed = np.isfinite(boxes).all(axis=1) & (extents <= size).all(axis=1)
    if not size or not filed.any():
        return np.zeros((0, 4))
    low = size * np.unique(np.floor(boxes[filed, :2] / size), axis=0)
    return np.hstack((low, low + size))


def paint_contacts(painter: Painter, hits: HitArrays, color: Color, points: bool = True, normals: bool = True) -> None:
    """A dot at each contact point, and the normal from it as an arrow."""
    found = contact_points(hits)
    if normals:
        # At least 14 pixels long, so that shallow hits show as well.
        shortest = 14.0 * painter.pixel
        tips = found.places + found.normal * np.clip(found.depth, shortest, 2.0 * shortest)[:, None]
        across = np.column_stack((-found.normal[:, 1], found.normal[:, 0]))
        head = 4.5 * painter.pixel
        painter.strokes(found.places, tips, 1.8, color, 0.95)
        for side in (-0.7, 0.7):
            painter.strokes(tips, tips + head * (side * across - found.normal), 1.8, color, 0.95)
    if points:
        painter.circles(found.places, 2.6 * painter.pixel, color)


def paint_joints(painter: Painter, physics: Physics, color: Color) -> None:
    """For each joint a line from one entity over both anchors to the other."""
    physics._state.update()
    segments = joint_lines(Transform._columns.float64).segments
    painter.strokes(segments[:, 0], segments[:, 1], 1.8, color, 0.95)
