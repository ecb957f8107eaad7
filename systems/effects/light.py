"""Light (rows D1–D7): flies the lasers, updates the colliders of beams, and makes the meshes to draw.

A laser of S segments of length L covers the last S·L of its way: from the head back over the joints to a tail between
two of them, in S + 1 pieces: the first and the last together make one segment. Each piece has an entity with
a capsule, made with the laser and deleted with it, so that flight itself changes no structure. Pieces that the laser
has not flown yet are in no layer and meet nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import esper
import numpy as np
from numpy import float64, int32, int64
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import CapsuleCollider
from ecsphys.components.collision.collision_filter import CollisionFilter
from ecsphys.components.effects.light import Beam, HomingLaser, LaserSegment, RingBeam, Steering
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.component import Component
from ecsphys.components.store.component_table import component_rows, join, rows_at
from ecsphys.components.store.many import dead_entities
from ecsphys.engine.effects import strips
from ecsphys.engine.effects.strips import fly, heads
from ecsphys.engine.math.elementary import angles_of, cos_sin_of, lengths_of
from ecsphys.systems.physics import Physics
from ecsphys.systems.stage import Stage
from ecsphys.systems.world.row_checks import KeptRows

if TYPE_CHECKING:
    from ecsphys.systems.physics import Physics

Rows = NDArray[int64]

# The group of all segments whose laser has no negative group. Games are unlikely to use this number.
_LASER_GROUP = -(2**62)


class Flights(NamedTuple):
    """Lasers in flight, in the order of their entities; row i of each array is laser i's.

    ``joints`` (n, c, 2), ``joint_counts``, ``forward`` (n, 2), ``beyond``: see
    :func:`ecsphys.engine.effects.strips.fly`; joints that have not been laid lie in the muzzle. ``angle`` (n,): the
    transform has, as last written.
    """

    entity: Rows
    segments: Rows
    joint_counts: Rows
    joints: NDArray[float64]
    forward: NDArray[float64]
    beyond: NDArray[float64]
    angle: NDArray[float64]


_NONE: Rows = np.zeros(0, int64)
_NO_FLIGHTS = Flights(_NONE, _NONE, _NONE, np.zeros((0, 1, 2)), np.zeros((0, 2)), np.zeros(0), np.zeros(0))


class LaserFlights:
    """The lasers with a transform, and the entities that are their segments.

    ``laser``, ``transform``, ``filter`` (n,) int64: the rows of their components; −1 without a filter.
    """

    def __init__(self) -> None:
        self.now = _NO_FLIGHTS
        self.laser = self.transform = self.filter = self._piece_laser = self._piece_number = _NONE
        self._pieces: dict[int, list[int]] = {}
        self._piece_rows: list[Rows] = [_NONE, _NONE, _NONE]
        self._transforms: tuple[Rows, Rows] = (_NONE, _NONE)

    def take_state(self) -> Any:
        """The flights as plain values and arrays, without rows."""
        return tuple([array.copy() for array in self.now]), {owner: list(own) for owner, own in self._pieces.items()}

    def put_state(self, state: Any) -> None:
        """Take what :meth:`take_state` once returned; :meth:`update` finds the rest. ValueError for anything else."""
        arrays, pieces = state
        _refuse_other_state(arrays, pieces)
        self.now = Flights(*(array.copy() for array in arrays))
        self.laser = rows_at(self.now.entity, *component_rows(HomingLaser))
        self._pieces = {owner: list(own) for owner, own in pieces.items()}

    def needs_update(self) -> bool:
        """Whether a laser was marked dead or given another number of segments, which changes no structure."""
        dead = dead_entities()
        marked = bool(dead) and not dead.isdisjoint(self._pieces)
        (segments,) = HomingLaser._columns.values(self.laser, "segments")
        return marked or not np.array_equal(segments, self.now.segments)

    def update(self) -> None:
        """Update all rows from the world: new lasers start, and deleted lasers take their segments along."""
        entity, laser, transform = join(HomingLaser, Transform)
        dead = dead_entities()
        if dead:
            alive = ~np.isin(entity, np.fromiter(dead, int64, len(dead)))
            entity, laser, transform = entity[alive], laser[alive], transform[alive]
        segments = HomingLaser.column("segments")[laser]
        before = self.now
        known = rows_at(entity, before.entity, np.arange(before.entity.size))
        if before.entity.size:
            known[self.laser[known] != laser] = -1
        x, y, angle = Transform._columns.values(transform, "x", "y", "angle")
        capacity, counts, beyond = int(segments.max(initial=0)) + 1, np.ones(known.size, int64), np.zeros(known.size)
        joints = np.repeat(np.column_stack((x, y))[:, None], capacity, axis=1)
        forward = np.column_stack(cos_sin_of(angle))
        old, source = known >= 0, known[known >= 0]
        kept = min(capacity, before.joints.shape[1])
        joints[old, :kept] = before.joints[source, :kept]
        joints[old, kept:] = before.joints[source, kept - 1 : kept]
        counts[old] = np.minimum(before.joint_counts[source], kept)
        forward[old], beyond[old], angle[old] = before.forward[source], before.beyond[source], before.angle[source]
        self.now = Flights(entity, segments, counts, joints, forward, beyond, angle)
        self.laser, self.transform = laser, transform
        self._update_pieces(known)
        self.filter = rows_at(entity, *component_rows(CollisionFilter))
        self._transforms = component_rows(Transform)

    def _update_pieces(self, known: Rows) -> None:
        """Make the entities of the pieces that are missing, delete those left over, and find the rows of all."""
        classes = (LaserSegment, Transform, CapsuleCollider, CollisionFilter)
        whole = set(join(*classes)[0].tolist()) - dead_entities()
        old, self._pieces = self._pieces, {}
        counts = self.now.segments + 1
        for entity, count, was in zip(self.now.entity.tolist(), counts.tolist(), known.tolist(), strict=True):
            pieces = [piece for piece in old.pop(entity, ()) if piece in whole] if was >= 0 else []
            if len(pieces) != count:
                _delete(pieces)
                pieces = [esper.create_entity(LaserSegment(entity, number), *_unborn()) for number in range(count)]
            self._pieces[entity] = pieces
        for left_over in old.values():
            _delete(left_over)
        owners = [np.full(len(pieces), i) for i, pieces in enumerate(self._pieces.values())]
        self._piece_laser = np.concatenate(owners) if owners else np.zeros(0, int64)
        self._piece_number = np.arange(self._piece_laser.size) - np.repeat(np.cumsum(counts) - counts, counts)
        entities = np.array([piece for pieces in self._pieces.values() for piece in pieces], int64)
        found, _, *rows = join(*classes)
        self._piece_rows = [rows_at(entities, found, of_class) for of_class in rows]

    def step(self, dt: float) -> None:
        """Fly for ``dt`` seconds, and put the heads' transforms and the pieces' capsules where they are then."""
        now = self.now
        if not now.entity.size:
            return
        self._follow_targets()
        names = "speed", "target_x", "target_y", "segment_length", "turn_limit", "steering"
        speed, target_x, target_y, length, turn_limit, steering = HomingLaser._columns.values(self.laser, *names)
        (angle,) = Transform._columns.values(self.transform, "angle")
        steered = angle != now.angle
        now.forward[steered] = np.column_stack(cos_sin_of(angle[steered]))
        chains, target = (now.joints, now.joint_counts, now.forward, now.beyond), np.column_stack((target_x, target_y))
        fly(*chains, speed * dt, target, length, turn_limit, steering == Steering.SIGN)
        now.angle[:] = angles_of(now.forward)
        head = heads(now.joints, now.forward, now.beyond)
        _write(Transform, self.transform, x=head[:, 0], y=head[:, 1], angle=now.angle)
        self._place_pieces()

    def _follow_targets(self) -> None:
        targets = HomingLaser.column("target")[self.laser]
        if (targets < 0).all():
            return
        place = rows_at(targets, *self._transforms)
        following = place >= 0
        rows, place = self.laser[following], place[following]
        x, y = Transform._columns.values(place, "x", "y")
        _write(HomingLaser, rows, target_x=x, target_y=y)

    def _chains(self) -> NDArray[float64]:
        """Points (n, c + 1, 2) from the heads back; laser i has the first ``segments[i]`` + 2."""
        now = self.now
        points = np.concatenate((heads(now.joints, now.forward, now.beyond)[:, None], now.joints), axis=1)
        lasers, last = np.arange(now.entity.size), now.segments
        (length,) = HomingLaser._columns.values(self.laser, "segment_length")
        share = np.minimum(1.0, now.beyond / length)[:, None]
        points[lasers, last + 1] += share * (points[lasers, last] - points[lasers, last + 1])
        return points

    def _place_pieces(self) -> None:
        points = self._chains()
        owner, number = self._piece_laser, self._piece_number
        ahead, behind = points[owner, number], points[owner, number + 1]
        along = ahead - behind
        middle = 0.5 * (ahead + behind)
        transforms, capsules, filters = self._piece_rows
        width = HomingLaser.column("width")[self.laser]
        _write(Transform, transforms, x=middle[:, 0], y=middle[:, 1], angle=angles_of(along))
        _write(CapsuleCollider, capsules, length=lengths_of(along[:, 0], along[:, 1]), radius=0.5 * width[owner])
        flown = number < self.now.joint_counts[owner]
        own = self.filter >= 0
        layers, mask, group = np.ones(own.size, int64), np.full(own.size, 0xFFFFFFFF), np.zeros(own.size, int64)
        names = "layers", "mask", "group"
        layers[own], mask[own], group[own] = CollisionFilter._columns.values(self.filter[own], *names)
        layers, mask = (np.where(flown, bits[owner], 0) for bits in (layers, mask))
        group = np.where(group < 0, group, _LASER_GROUP)[owner]
        _write(CollisionFilter, filters, layers=layers, mask=mask, group=group)

    def lines(self) -> tuple[NDArray[float64], Rows]:
        """The lines to draw, from tail to head, one after the other: points (m, 2), and how many each has (n,).

        The joint next to the head, and that next to a flying tail, are left out: they come arbitrarily close to the
        ends, where a turn would pinch the ribbon for a moment.
        """
        points = self._chains()
        count = np.minimum(self.now.joint_counts, self.now.segments + 1) + 1
        number = np.arange(points.shape[1])
        flying = (self.now.joint_counts > self.now.segments) & (count >= 4)
        drawn = number < count[:, None]
        drawn &= ~((number == 1) & (count >= 3)[:, None])
        drawn &= ~((number == count[:, None] - 2) & flying[:, None])
        backwards = points[:, ::-1]
        return backwards[drawn[:, ::-1]], drawn.sum(axis=1)


def _unborn() -> tuple[Any, ...]:
    return Transform(), CapsuleCollider(0.0, 1.0), CollisionFilter(layers=0, mask=0)


def _write(cls: type[Component], rows: Rows, **values: NDArray[Any]) -> None:
    for name, array in values.items():
        cls.column(name)[rows] = array


def _delete(pieces: list[int]) -> None:
    # Marked only: the hits end as "despawned" in this step, and handlers still find the owner.
    for piece in pieces:
        esper.delete_entity(piece)


def _refuse_other_state(arrays: Any, pieces: Any) -> None:
    if len(arrays) != len(_NO_FLIGHTS) or any(
        array.dtype != other.dtype or array.ndim != other.ndim or len(array) != len(arrays[0])
        for array, other in zip(arrays, _NO_FLIGHTS, strict=True)
    ):
        raise ValueError("the arrays of the lasers must all have one length")
    entities, _, counts, joints, forward, *_ = arrays
    if forward.shape[1] != 2 or joints.shape[2] != 2 or (counts < 1).any() or (counts > joints.shape[1]).any():
        raise ValueError("each laser must have as many joints as it has laid")
    if (np.diff(entities) <= 0).any():
        raise ValueError("the lasers must be sorted by entity")
    numbers = [*pieces, *(piece for own in pieces.values() for piece in own)]
    if set(map(type, numbers)) - {int} or not set(entities.tolist()) >= set(pieces):
        raise ValueError("each laser must list the entities of its segments")


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
        self._light = [KeptRows(cls) for cls in (Beam, RingBeam, HomingLaser)]
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
        full = length * flights.now.segments
        vertices, along = strips.ribbon_strips(points, counts, width)
        to_head = np.repeat(along[np.cumsum(counts) - 1], counts) - along
        u = np.maximum(0.0, 1.0 - to_head / np.repeat(full, counts))
        return mesh_of(flights.now.entity, counts, vertices, strips.strip_coordinates(u))

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
        length, angle = lengths_of(along[:, 0], along[:, 1]), angles_of(along)
        offsets = {"offset_x": middle[:, 0], "offset_y": middle[:, 1]}
        _write(CapsuleCollider, capsules, length=length, radius=0.5 * width, angle=angle, **offsets)


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
