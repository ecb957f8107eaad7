"""The joints of a world, coloured by load: from blue over yellow to red, just before they break."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy import bool_, float64, int64
from numpy.typing import NDArray

import ecsphys
from ecsphys import MouseJoint, Transform
from ecsphys.components.dynamics.joints import ANCHORED_JOINTS, FORCE_X, FORCE_Y, TORQUE, loads_of_class
from ecsphys.demo.scenes.cached_join import CachedJoin
from ecsphys.demo.scenes.sketch import Sketch

_SCALE = (0.0, 0.35, 0.7, 1.0)
_COLORS = np.array(((0.46, 0.56, 0.74), (0.62, 0.76, 0.84), (1.0, 0.83, 0.36), (1.0, 0.27, 0.24)))
_RADIUS = 3.2
"""Of a joint without load, in pixels of a picture 720 pixels high; under full load it is twice as large."""
_USUAL_HEIGHT = 720.0
_CLASSES = tuple(cls for cls in ANCHORED_JOINTS if cls is not MouseJoint)


class JointMarks(NamedTuple):
    """Some joints. ``places`` (n, 4, 2): from the first entity over both anchors to the second entity.

    ``force`` (n,) is the load of each. ``part`` (n,) is its load divided by its strength, 0 if it never breaks.
    ``may_break`` (n,) tells if it can break at all.
    """

    places: NDArray[float64]
    force: NDArray[float64]
    part: NDArray[float64]
    may_break: NDArray[bool_]


def load_colors(part: NDArray[float64]) -> NDArray[float64]:
    """Colours (n, 3) of joints by the part (n,) of their strength that they need."""
    return np.column_stack([np.interp(part, _SCALE, channel) for channel in _COLORS.T])


class JointLoads:
    """The joints of the current world. The mouse's own joint is left out."""

    def __init__(self) -> None:
        self._placed = CachedJoin(Transform)
        self._joints = [(cls, CachedJoin(cls)) for cls in _CLASSES]

    def marks(self) -> JointMarks:
        """All joints whose entities are there, as the last step has left them."""
        found = [self._marks_of(cls, rows) for cls, join in self._joints if len(rows := join()[1])]
        if not found:
            return JointMarks(np.zeros((0, 4, 2)), np.zeros(0), np.zeros(0), np.zeros(0, bool))
        return JointMarks(*(np.concatenate(column) for column in zip(*found, strict=True)))

    def paint(self, sketch: Sketch) -> None:
        """Draw the anchors of all joints that can break, larger and redder under load."""
        marks = self.marks()
        if not marks.may_break.any():
            return
        places, part = marks.places[marks.may_break], np.minimum(marks.part[marks.may_break], 1.0)
        _, low, _, high = sketch.view
        pixel = sketch.pixel * max((high - low) / sketch.pixel / _USUAL_HEIGHT, 0.6)
        colors = load_colors(part)
        apart = (places[:, 1] != places[:, 2]).any(axis=1)
        sketch.strokes(places[apart, 1], places[apart, 2], 1.6, colors[apart], 0.8)
        strained = part > _SCALE[1]
        glow = part[strained]
        sketch.circles(places[strained, 1], 3.4 * _RADIUS * pixel * glow, colors[strained], 0.22 * glow)
        sketch.circles(places[:, 1], _RADIUS * pixel * (1.0 + part), colors)

    def _marks_of(self, cls: Any, rows: NDArray[int64]) -> JointMarks:
        start, anchor_a, is_a = self._end(cls, rows, "a")
        end, anchor_b, is_b = self._end(cls, rows, "b")
        there = is_a & is_b
        loads = loads_of_class(cls)[rows]
        force = np.hypot(loads[:, FORCE_X], loads[:, FORCE_Y])
        strength, twist = (_limits(cls, name, rows) for name in ("break_force", "break_torque"))
        part = np.maximum(force / strength, np.abs(loads[:, TORQUE]) / twist)
        may_break = np.isfinite(strength) | np.isfinite(twist)
        places = np.stack((start, anchor_a, anchor_b, end), axis=1)
        return JointMarks(places[there], force[there], part[there], may_break[there])

    def _end(
        self, cls: type[ecsphys.Component], rows: NDArray[int64], side: str
    ) -> tuple[NDArray[float64], NDArray[float64], NDArray[bool_]]:
        """For one end of joints: the places (n, 2) of entity and anchor, and whether the entity exists."""
        entity, x, y = (cls.column(f"{name}_{side}", writable=False)[rows] for name in ("entity", "x", "y"))
        of_world = entity == -1
        known, transforms = self._placed()
        if not len(known):
            anchors = np.column_stack((x, y))
            return anchors, anchors, of_world
        at = np.minimum(np.searchsorted(known, entity), len(known) - 1)
        own = transforms[at]
        px, py, angle = (
            np.where(of_world, 0.0, Transform.column(name, writable=False)[own]) for name in ("x", "y", "angle")
        )
        c, s = np.cos(angle), np.sin(angle)
        anchors = np.column_stack((px + c * x - s * y, py + s * x + c * y))
        places = np.where(of_world[:, None], anchors, np.column_stack((px, py)))
        return places, anchors, of_world | (known[at] == entity)


def _limits(cls: type[ecsphys.Component], name: str, rows: NDArray[int64]) -> NDArray[float64]:
    """A limit (n,) of strength of some joints, infinite without one."""
    limits: NDArray[float64] = cls.column(name, writable=False)[rows]
    return np.where(limits > 0.0, limits, np.inf)
