"""Light (rows D1–D7): flies the lasers, updates the colliders of beams, and makes the meshes to draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import esper
import numpy as np
from numpy import float64, int32, int64
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import CapsuleCollider
from ecsphys.components.effects.light import Beam, HomingLaser, RingBeam
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.component import Component
from ecsphys.components.store.component_table import join
from ecsphys.engine.effects import strips
from ecsphys.engine.math.elementwise import angles_of, cos_sin_of, lengths_of
from ecsphys.systems.effects.laser_flights import LaserFlights
from ecsphys.systems.physics import Physics
from ecsphys.systems.stage import Stage
from ecsphys.systems.world.row_checks import KeptRows


@dataclass(frozen=True, slots=True, eq=False)
class LightMesh:
    """The vertices of all light of one kind, entity after entity, as triangle strips.

    Attributes
    ----------
    positions
        (n, 2) float64, in the world: left and right end of each rung in turn, along the strip.
    texture_coordinates
        (n, 2) float64, (u, v): u along the light, v across it, 0 on its right and 1 on its left.
    texture_q
        (n,) float64. For exact texture coordinates, interpolate u·q, v and q, and divide for each pixel: (u·q/q, v). It
        is 1 except for rings. You may ignore it if a slight bend of the picture in each quad is acceptable.
    triangles
        (m, 3) int32, vertex indices, counter-clockwise.
    entity
        (k,) int64, the entities, sorted.
    first_vertex
        (k + 1,) int64: the vertices of entity i are ``first_vertex[i]:first_vertex[i + 1]``.
    """

    positions: NDArray[float64]
    texture_coordinates: NDArray[float64]
    texture_q: NDArray[float64]
    triangles: NDArray[int32]
    entity: NDArray[int64]
    first_vertex: NDArray[int64]


def mesh_of(
    entity: NDArray[int64],
    rungs: NDArray[int64],
    positions: NDArray[float64],
    texture_coordinates: NDArray[float64],
    texture_q: NDArray[float64] | None = None,
) -> LightMesh:
    """The mesh of strips with the given numbers of rungs (k,), one for each entity."""
    first_vertex = np.zeros(entity.size + 1, int64)
    np.cumsum(2 * rungs, out=first_vertex[1:])
    q = np.ones(len(positions)) if texture_q is None else texture_q
    return LightMesh(positions, texture_coordinates, q, strips.strip_triangles(rungs), entity, first_vertex)


LIGHT_CLASSES: tuple[type[Component], ...] = (Beam, RingBeam, HomingLaser)


class LightSystem(Stage):
    """Flies every ``HomingLaser``, grows every ``RingBeam``, and places the colliders of beams and lasers.

    Add it at ``Priority.LIGHT``. Call :meth:`beam_mesh`, :meth:`ring_mesh` and :meth:`laser_mesh` to get the meshes to
    draw. A step runs no Python for each entity, unless entities or components were added or removed.

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> light = LightSystem(physics)
    >>> esper.add_processor(light, ecsphys.Priority.LIGHT)
    >>> gate = esper.create_entity(Transform(), Beam(end_x=6, end_y=0, width=0.2))
    >>> esper.process(1 / 60)
    >>> light.beam_mesh().positions.shape
    (4, 2)
    """

    phase = "light"
    _rests_at_times = True

    def __init__(self, physics: Physics) -> None:
        super().__init__(physics)
        self._light = [KeptRows(cls) for cls in LIGHT_CLASSES]
        self.forget_world()

    def forget_world(self) -> None:
        # Whether there was no light in the last run.
        self._is_dark = False
        self._flights = LaserFlights()
        # The answer of esper for which all below was found; None: the next step finds it again.
        self._answer: object = None
        self._capsules: dict[int, CapsuleCollider] = {}
        self._beams: tuple[NDArray[int64], ...] = ()

    def take_state(self) -> Any:
        return self._flights.take_state(), list(self._capsules)

    def put_state(self, state: Any) -> None:
        self.forget_world()
        flights, beams = state
        self._flights.put_state(flights)
        self._capsules = {entity: esper.component_for_entity(entity, CapsuleCollider) for entity in beams}

    def _rests(self, others_move: bool) -> bool:
        return self._is_dark

    def run(self, dt: float) -> None:
        """Move the light by ``dt`` seconds. A bad value in a column raises ValueError before any light moves."""
        # All are read first: a bad value stops the step before anything changes.
        (_, beams), (_, rings), (_, lasers) = (rows() for rows in self._light)
        if esper.get_component(Beam) is not self._answer or self._flights.needs_update():
            self._update_capsules()
            self._flights.update()
            self._beams = join(Beam, CapsuleCollider)
            self._answer = esper.get_component(Beam)
        self._is_dark = not (beams.size or rings.size or lasers.size)
        if self._is_dark:
            return
        columns = RingBeam._columns
        radius = columns.row_of_block("radius")
        radius[rings] = np.maximum(0.0, radius[rings] + columns.row_of_block("growth")[rings] * dt)
        self.physics._state.begin_moving()
        self._flights.step(dt)
        self._place_capsules()

    def beam_mesh(self) -> LightMesh:
        """All beams (D3, D4): two rungs each, u from 0 at the start to 1 at the end."""
        entity, beams, transforms = join(Beam, Transform)
        start, end, width = _beam_lines(beams)
        origin, forward = _frames(transforms)
        start, end = strips.place(start, forward, origin), strips.place(end, forward, origin)
        corners = strips.fixed_beams(start, end, width).reshape(-1, 2)
        u = np.tile((0.0, 1.0), entity.size)
        return mesh_of(entity, np.full(entity.size, 2), corners, strips.strip_coordinates(u))

    def ring_mesh(self) -> LightMesh:
        """All rings (D5): u from 0 to 1 once round, clockwise, v from 0 on the inner to 1 on the outer circle."""
        entity, rings, transforms = join(RingBeam, Transform)
        origin, _ = _frames(transforms)
        radius, width, length = RingBeam._columns.values(rings, "radius", "width", "segment_length")
        quads = strips.ring_quads(radius, length)
        vertices, coordinates, q = strips.ring_strips(origin, radius, width, quads)
        return mesh_of(entity, quads + 1, vertices, coordinates, q)

    def laser_mesh(self) -> LightMesh:
        """All lasers (D7) after the last step: u is 1 at the head, and 0 at the laser's full length behind it."""
        self.follow_database()
        flights = self._flights
        points, counts = flights.lines()
        width, length = HomingLaser._columns.values(flights.laser, "width", "segment_length")
        full = length * flights.segments
        vertices, along = strips.ribbon_strips(points, counts, width)
        to_head = np.repeat(along[np.cumsum(counts) - 1], counts) - along
        u = np.maximum(0.0, 1.0 - to_head / np.repeat(full, counts))
        return mesh_of(flights.entity, counts, vertices, strips.strip_coordinates(u))

    def _update_capsules(self) -> None:
        """Give every beam a capsule, and remove the capsules of deleted beams."""
        beams = {entity for entity, _ in esper.get_component(Beam)}
        for entity in beams:
            capsule = esper.try_component(entity, CapsuleCollider)
            if capsule is None:
                capsule = CapsuleCollider(0.0, 1.0)
                esper.add_component(entity, capsule)
                self._capsules[entity] = capsule
        for entity in self._capsules.keys() - beams:
            capsule = self._capsules.pop(entity)
            if esper.try_component(entity, CapsuleCollider) is capsule:
                esper.remove_component(entity, CapsuleCollider)

    def _place_capsules(self) -> None:
        _, beams, capsules = self._beams
        start, end, width = _beam_lines(beams)
        along = end - start
        middle = 0.5 * start + 0.5 * end
        CapsuleCollider.column("length")[capsules] = lengths_of(along[:, 0], along[:, 1])
        CapsuleCollider.column("radius")[capsules] = 0.5 * width
        CapsuleCollider.column("offset_x")[capsules] = middle[:, 0]
        CapsuleCollider.column("offset_y")[capsules] = middle[:, 1]
        CapsuleCollider.column("angle")[capsules] = angles_of(along)


def _beam_lines(rows: NDArray[int64]) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]:
    """Starts (n, 2) and ends (n, 2) in the frames of the beams' entities, and widths (n,)."""
    start_x, start_y, end_x, end_y = Beam._columns.values(rows, "start_x", "start_y", "end_x", "end_y")
    width, proportion = Beam._columns.values(rows, "width", "proportion")
    length = lengths_of(end_x - start_x, end_y - start_y)
    start, end = np.column_stack((start_x, start_y)), np.column_stack((end_x, end_y))
    return start, end, np.maximum(width, proportion * length)


def _frames(rows: NDArray[int64]) -> tuple[NDArray[float64], NDArray[float64]]:
    """Origins (n, 2) and unit forward vectors (n, 2) of transforms."""
    x, y, angle = Transform._columns.values(rows, "x", "y", "angle")
    return np.column_stack((x, y)), np.column_stack(cos_sin_of(angle))
