"""Circles and boxes that the solver moves, found by the grid and ``find_contacts`` alone: no components, no systems."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy import float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.engine.broadphase.grid import Grid
from ecsphys.engine.dynamics.bodies import BODY_COLUMNS, DTHETA, DX, BodyRows
from ecsphys.engine.dynamics.contact_solver import ContactSolver
from ecsphys.engine.dynamics.contacts.contact_blocks import ContactRows, SolverSettings, SolverStep
from ecsphys.engine.dynamics.contacts.materials import (
    MATERIAL_COLUMNS,
    MIX_GEOMETRIC,
    MIX_GREATER,
    ContactChanges,
    Materials,
    MixingRules,
)
from ecsphys.engine.hits.contact_table import no_points
from ecsphys.engine.kernels import aligned_zeros
from ecsphys.engine.manifold.contact import (
    CONTACT_COLUMNS,
    FEATURES,
    POINT_COLUMNS,
    POINTS,
    SEPARATIONS,
    find_contacts,
)
from ecsphys.engine.manifold.contact import ContactRows as FoundRows
from ecsphys.engine.shapes.layout import (
    AXIS_X,
    AXIS_Y,
    BOX,
    CIRCLE,
    EXTENT,
    HALF_X,
    HALF_Y,
    POOL_COLUMNS,
    RADIUS,
    SHAPE_COLUMNS,
    ShapeArrays,
)

DYNAMIC, KINEMATIC, STATIC = 0, 1, 2


def empty_changes() -> ContactChanges:
    """No change of any contact."""
    return ContactChanges(np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0, uint8))


class RigidScene:
    """Bodies of one shape each. Row k + 1 of all arrays is body k; row 0 is the world."""

    def __init__(
        self,
        gravity: tuple[float, float] = (0.0, -9.81),
        dt: float = 1.0 / 60.0,
        substeps: int = 4,
        margin: float = 0.02,
        bounce_threshold: float = 1.0,
    ) -> None:
        self.gravity = gravity
        self.margin = margin
        self.settings = SolverSettings(dt, substeps, math.inf, 10.0, 3.0)
        self.rules = MixingRules(MIX_GEOMETRIC, MIX_GREATER)
        self.changes: Any = lambda count: empty_changes()
        self.bounce_threshold = bounce_threshold
        self._added: list[tuple[Any, ...]] = []
        self._grid = Grid()
        self.count = 0
        self._keys = np.zeros(0, int64)
        self.solver = ContactSolver()

    def add(
        self,
        form: int,
        sizes: tuple[float, float],
        at: tuple[float, float],
        *,
        angle: float = 0.0,
        velocity: tuple[float, float, float] = (0.0, 0.0, 0.0),
        kind: int = DYNAMIC,
        density: float = 1.0,
        friction: float = 0.6,
        restitution: float = 0.0,
        rolling_resistance: float = 0.0,
        tangent_speed: float = 0.0,
        dominance: int = 0,
        locks: int = 0,
        damping: tuple[float, float] = (0.0, 0.0),
        gravity_scale: float = 1.0,
    ) -> int:
        """Add a body; its row. ``sizes`` are the half sizes of a BOX, or the radius of a CIRCLE, twice."""
        if form == BOX:
            mass = 4.0 * sizes[0] * sizes[1] * density
            inertia = mass * (sizes[0] ** 2 + sizes[1] ** 2) / 3.0
        else:
            mass = math.pi * sizes[0] ** 2 * density
            inertia = 0.5 * mass * sizes[0] ** 2
        moved = kind == DYNAMIC
        row = (
            *velocity,
            1.0 / mass if moved else 0.0,
            0.0,
            0.0,
            0.0,
            1.0 / inertia if moved and not locks & 4 else 0.0,
        )
        acceleration = (self.gravity[0] * gravity_scale, self.gravity[1] * gravity_scale, 0.0) if moved else (0, 0, 0)
        surface = (friction, restitution, rolling_resistance, tangent_speed)
        self._added.append((form, sizes, at, angle, row, acceleration, surface, dominance, locks, damping))
        return len(self._added)

    def build(self) -> None:
        """Make the arrays; nothing can be added any more."""
        forms, sizes, places, angles, rows, accelerations, surfaces, dominance, locks, damping = zip(
            *self._added, strict=True
        )
        n = len(self._added)
        self.n = n + 1
        self.bodies = aligned_zeros(n + 1, BODY_COLUMNS)
        self.bodies[1:] = rows
        self.centers = np.zeros((n + 1, 2))
        self.centers[1:] = places
        self.angles = np.zeros(n + 1)
        self.angles[1:] = angles
        self.rows = BodyRows(
            self.bodies,
            self.centers,
            np.array([(0.0, 0.0, 0.0), *accelerations], float64),
            np.array([(0.0, 0.0), *damping], float64),
            np.array([0, *locks], uint8),
        )
        surface = np.zeros((n + 1, MATERIAL_COLUMNS))
        surface[1:] = surfaces
        self.materials = Materials(surface, np.array([0, *dominance], int32))
        self.forms = np.array(forms, uint8)
        self.shapes = np.zeros((n, SHAPE_COLUMNS))
        for k in range(n):
            if forms[k] == BOX:
                self.shapes[k, [HALF_X, HALF_Y, EXTENT]] = (*sizes[k], sum(sizes[k]))
            else:
                self.shapes[k, [RADIUS, EXTENT]] = sizes[k]
        self.half = np.array(sizes)
        self.body_of = np.arange(1, n + 1, dtype=int32)
        self._make_room(64)

    def _make_room(self, m: int) -> None:
        self._capacity = m
        self._found = FoundRows(np.empty((m, 2), int32), np.empty((m, CONTACT_COLUMNS)), np.empty((m, POINT_COLUMNS)))
        self.contacts = _contacts(m)

    def find(self) -> None:
        """Find the contacts where the bodies are, with the impulses of those that go on."""
        x, y = self.centers[1:].T
        c, s = np.cos(self.angles[1:]), np.sin(self.angles[1:])
        self.shapes[:, AXIS_X], self.shapes[:, AXIS_Y] = c, s
        is_box = self.forms == BOX
        wide = np.where(is_box, abs(c) * self.half[:, 0] + abs(s) * self.half[:, 1], self.half[:, 0]) + self.margin
        high = np.where(is_box, abs(s) * self.half[:, 0] + abs(c) * self.half[:, 1], self.half[:, 0]) + self.margin
        boxes = np.ascontiguousarray(np.stack([x - wide, y - high, x + wide, y + high], 1))
        pairs = self._grid.find_pairs(boxes, np.arange(self.n - 1, dtype=int64))
        moves = (self.bodies[1:, 3] != 0.0) | (self.bodies[1:, 7] != 0.0)
        pairs = pairs[moves[pairs[:, 0]] | moves[pairs[:, 1]]]
        pairs = np.ascontiguousarray(pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))])
        last_keys, last = self._keys, self.contacts.points
        last_features, last_impulses = last.features[: self.count].copy(), last.impulses[: self.count].copy()
        if len(pairs) > self._capacity:
            self._make_room(2 * len(pairs))
        placed = ShapeArrays(
            self.forms, np.ascontiguousarray(self.centers[1:]), self.shapes, np.zeros((0, POOL_COLUMNS))
        )
        m = self.count = find_contacts(pairs, placed, self.margin, self._found, 0)
        found, points = self._found, self.contacts.points
        self.contacts.pairs[:m] = found.pairs[:m]
        self.contacts.normals[:m] = found.rows[:m, :2]
        points.positions[:m] = found.rows[:m, POINTS : POINTS + 4]
        points.separations[:m] = found.points[:m, SEPARATIONS : SEPARATIONS + 2]
        points.features[:m] = found.points[:m, FEATURES : FEATURES + 2]
        points.impulses[:m] = 0.0
        self._keys = found.pairs[:m, 0].astype(int64) << 32 | found.pairs[:m, 1]
        if len(last_keys):
            at = np.minimum(np.searchsorted(last_keys, self._keys), len(last_keys) - 1)
            goes_on = last_keys[at] == self._keys
            for p in range(2):
                for q in range(2):
                    same = goes_on & (points.features[:m, p] == last_features[at, q]) & (points.features[:m, p] >= 0)
                    points.impulses[:m][same, p] = last_impulses[at[same], q]
                    points.impulses[:m][same, 2 + p] = last_impulses[at[same], 2 + q]

    def solve(self) -> None:
        """Solve the contacts that were found, without moving anything but velocities and movements."""
        self.bodies[:, DX : DTHETA + 1] = 0.0
        step = SolverStep(
            self.contacts,
            self.count,
            self.rows,
            self.n,
            self.settings,
            np.zeros(0, uint8),
            self.body_of,
            self.materials,
            self.rules,
            self.changes(self.count),
            self.bounce_threshold,
            0.2,
            1.0,
        )
        self.solver.solve(step)

    def step(self, steps: int = 1) -> None:
        """Advance by whole steps."""
        if not hasattr(self, "bodies"):
            self.build()
        for _ in range(steps):
            self.find()
            self.solve()
            self.centers += self.bodies[:, 4:6]
            self.angles += self.bodies[:, 6]

    @property
    def velocities(self) -> NDArray[float64]:
        return self.bodies[:, :3]

    def energy(self) -> float:
        """Kinetic energy and that of height, of what moves."""
        rows = self.bodies[(self.bodies[:, 3] > 0.0)]
        centers = self.centers[(self.bodies[:, 3] > 0.0)]
        accelerations = self.rows.accelerations[self.bodies[:, 3] > 0.0]
        mass = 1.0 / rows[:, 3]
        inertia = np.where(rows[:, 7] > 0.0, 1.0 / np.where(rows[:, 7] > 0.0, rows[:, 7], 1.0), 0.0)
        kinetic = 0.5 * mass * (rows[:, 0] ** 2 + rows[:, 1] ** 2) + 0.5 * inertia * rows[:, 2] ** 2
        return float((kinetic - mass * (accelerations[:, :2] * centers).sum(1)).sum())

    def box(self, half_x: float, half_y: float, x: float, y: float, **more: Any) -> int:
        return self.add(BOX, (half_x, half_y), (x, y), **more)

    def circle(self, radius: float, x: float, y: float, **more: Any) -> int:
        return self.add(CIRCLE, (radius, radius), (x, y), **more)

    def ground(self, friction: float = 0.6, **more: Any) -> int:
        """A floor whose top is at 0."""
        return self.add(BOX, (500.0, 1.0), (0.0, -1.0), kind=STATIC, friction=friction, **more)


def _contacts(m: int) -> ContactRows:
    return ContactRows(np.zeros((m, 2), int32), np.zeros((m, 2)), no_points(m))


def pyramid(base: int, **more: Any) -> RigidScene:
    """Unit boxes on a floor, one less in each row."""
    scene = RigidScene(**more)
    scene.ground()
    for row in range(base):
        for k in range(base - row):
            scene.box(0.5, 0.5, (k - 0.5 * (base - row - 1)) * 1.05, 0.5 + row)
    return scene
