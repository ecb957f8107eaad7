"""Draws the debug layers: the physics of a scene over its picture."""

from __future__ import annotations

import numpy as np
from numpy import int64
from numpy.typing import NDArray

import ecsphys
from ecsphys import Physics
from ecsphys.components.motion.transform import Transform
from ecsphys.debug_draw import Painter
from ecsphys.debug_draw.drawer import paint_boxes, paint_cells
from ecsphys.demo import palette
from ecsphys.demo.debug_layers import DebugLayers
from ecsphys.demo.effects.joint_loads import JointLoads, load_colors
from ecsphys.demo.effects.usual_body import UsualBody
from ecsphys.engine.dynamics.bodies import AWAKE
from ecsphys.systems.diagnosis.debug_lines import DEBUG_COLORS, NAMES, shown_colliders

_OUTLINES = np.array([DEBUG_COLORS[name] for name in NAMES]) / 255.0
_ISLANDS = np.array(
    ((0.45, 0.62, 1.0), (0.72, 0.52, 1.0), (0.35, 0.80, 0.86), (0.95, 0.55, 0.75), (0.50, 0.85, 0.55), (0.9, 0.75, 0.4))
)
"""Colours of the islands that sleep, in turn."""
_DOT, _SMALLEST_DOT = 2.4, 1.1
"""Radius of a contact point in pixels."""
_DOT_PART = 0.09
"""And in sizes of a body at most, so that small bodies are not buried."""
_USUAL_NORMAL, _LONGEST_NORMAL = 0.3, 1.2
"""Length of a normal in sizes of a body: with the usual impulse, and at most."""
_UNLIMITED_FORCES = 30.0
"""A joint that never breaks is drawn red when it bears the weight of so many bodies."""


class LayerPainter:
    """Draws the layers of one world after another, over everything else."""

    def __init__(self) -> None:
        self._joints = JointLoads()
        self._physics: Physics | None = None
        self._usual_impulse = 0.0

    def paint(self, painter: Painter, physics: Physics, layers: DebugLayers) -> None:
        """Draw the layers that are switched on."""
        if layers == DebugLayers():
            return
        if physics is not self._physics:
            self._physics, self._body, self._usual_impulse = physics, UsualBody(physics), 0.0
        self._body.measure()
        if layers.grid:
            paint_cells(painter, physics, palette.DEBUG_CELL)
        if layers.sleep:
            _paint_sleep(painter, physics)
        if layers.shapes:
            _paint_outlines(painter, physics)
        if layers.boxes:
            paint_boxes(painter, physics, palette.DEBUG_BOX, 0.35)
        if layers.joints:
            self._paint_joints(painter, physics)
        if layers.normals:
            self._paint_normals(painter, physics.hits)
        if layers.contacts:
            self._paint_contacts(painter, physics.hits)

    def _paint_contacts(self, painter: Painter, hits: ecsphys.types.HitArrays) -> None:
        """A pale dot at each contact point, a red one where the hit is new."""
        points = hits.points
        row, number = np.nonzero(~np.isnan(points[:, :, 0]))
        radius = max(min(_DOT * painter.pixel, _DOT_PART * self._body.size), _SMALLEST_DOT * painter.pixel)
        colors = np.where(hits.is_new[row][:, None], palette.CONTACT, palette.TEXT)
        painter.circles(points[row, number], radius, colors, 0.9)

    def _paint_normals(self, painter: Painter, hits: ecsphys.types.HitArrays) -> None:
        """A thin line for each hit from the middle of its points along its normal, as long as its impulse."""
        impulse = hits.impulse
        pushing = np.flatnonzero(impulse > 0.0)
        if not pushing.size:
            return
        # Smooth, so that lines do not jump when one hard impact is among them.
        now = float(impulse[pushing].mean())
        self._usual_impulse += (0.1 if self._usual_impulse else 1.0) * (now - self._usual_impulse)
        unit = _USUAL_NORMAL * self._body.size / self._usual_impulse
        length = np.minimum(unit * impulse[pushing], _LONGEST_NORMAL * self._body.size)
        starts = np.nanmean(hits.points[pushing], axis=1)
        tips = starts + length[:, None] * hits.normal[pushing]
        painter.strokes(starts, tips, 1.3, palette.TEXT, 0.8)

    def _paint_joints(self, painter: Painter, physics: Physics) -> None:
        """From one entity over both anchors to the other, coloured by load."""
        marks = self._joints.marks()
        weight = self._body.mass * float(np.hypot(*physics.gravity))
        free = marks.force / (marks.force + _UNLIMITED_FORCES * weight) if weight else np.zeros(len(marks.force))
        colors = load_colors(np.where(marks.may_break, np.minimum(marks.part, 1.0), free))
        for number in range(3):
            painter.strokes(marks.places[:, number], marks.places[:, number + 1], 1.5, colors, 0.85)
        painter.circles(marks.places[:, 1], 2.6 * painter.pixel, colors)


def _paint_outlines(painter: Painter, physics: Physics) -> None:
    """The outline of every collider, in a colour for each kind of entity."""
    physics._state.update()
    shown = shown_colliders(physics._state, Transform._columns.float64)
    placed = shown.placed
    colors = _OUTLINES[shown.look]
    painter.shapes(placed.positions, placed.shapes, placed.forms, placed.angles, colors, fill=0.0)


def _paint_sleep(painter: Painter, physics: Physics) -> None:
    """Every body that sleeps is filled, in one colour for each island."""
    island = islands(physics)
    asleep = np.flatnonzero(island >= 0)
    if not asleep.size:
        return
    colors = np.full((asleep.size, 4), 0.85)
    colors[:, :3] = _ISLANDS[island[asleep] % len(_ISLANDS)]
    colliders = physics._state.tables.colliders
    rows, placed = colliders.order[asleep], colliders.placed
    painter.shapes(
        placed.positions[rows], placed.shapes[rows], placed.forms[rows], placed.angles[rows], colors, fill=0.75
    )


def islands(physics: Physics) -> NDArray[int64]:
    """The island (n,) that each of ``physics.debug.colliders`` sleeps in, numbered from 0 on; −1 for those awake."""
    state = physics._state
    state.update()
    state.place()
    colliders, bodies = state.tables.colliders, state.body_table
    body = bodies.rows_as_listed(colliders.slots.owner[colliders.order])
    named = np.where(body > 0, bodies.states.island[np.maximum(body, 0)], AWAKE)
    found = np.full(len(named), -1)
    asleep = named != AWAKE
    found[asleep] = np.unique(named[asleep], return_inverse=True)[1]
    return found
