"""The lasers of one world in flight: their chains of joints, and the entities that are their segments.

A laser of S segments of length L covers the last S·L of its way: from the head back over the joints to a tail between
two of them, in S + 1 pieces: the first and the last together make one segment. Each piece has an entity with
a capsule, made with the laser and deleted with it, so that flight itself changes no structure. Pieces that the laser
has not flown yet are in no layer and meet nothing.
"""

from __future__ import annotations

from typing import Any

import esper
import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import CapsuleCollider
from ecsphys.components.collision.collision_filter import CollisionFilter
from ecsphys.components.effects.light import HomingLaser, LaserSegment, Steering
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.component_table import component_rows, join, rows_at
from ecsphys.components.store.many import dead_entities
from ecsphys.engine.effects.strips import fly, heads
from ecsphys.engine.math.elementwise import angles_of, cos_sin_of, lengths_of

Rows = NDArray[int64]

# The group of all segments whose laser has no negative group. Games are unlikely to use this number.
_LASER_GROUP = -(2**62)


class LaserFlights:
    """State of the lasers with a transform, n of them, in the order of entities; row i of each array is laser i's.

    ``entity``, ``laser``, ``transform``, ``filter`` (n,) int64: the entities and the rows of their components; −1
    without a filter. ``segments`` (n,) int64. ``joints`` (n, c, 2), ``joint_counts``, ``forward`` (n, 2), ``beyond``:
    see :func:`ecsphys.engine.effects.strips.fly`; joints that have not been laid lie in the muzzle. ``angle`` (n,):
    the transform has, as last written.
    """

    def __init__(self) -> None:
        none: Rows = np.zeros(0, int64)
        self.entity = self.laser = self.transform = self.filter = none
        self.segments = self.joint_counts = none
        self.joints: NDArray[float64] = np.zeros((0, 1, 2))
        self.forward: NDArray[float64] = np.zeros((0, 2))
        self.beyond: NDArray[float64] = np.zeros(0)
        self.angle: NDArray[float64] = np.zeros(0)
        self._pieces: dict[int, list[int]] = {}
        self._piece_laser = self._piece_number = none
        self._piece_rows: list[Rows] = [none, none, none]
        self._transforms: tuple[Rows, Rows] = (none, none)

    def take_state(self) -> Any:
        """The flights as plain values and arrays, without rows."""
        arrays = (self.entity, self.segments, self.joint_counts, self.joints, self.forward, self.beyond, self.angle)
        return tuple(array.copy() for array in arrays), {owner: list(own) for owner, own in self._pieces.items()}

    def put_state(self, state: Any) -> None:
        """Take what :meth:`take_state` once returned; :meth:`update` finds the rest. ValueError for anything else."""
        arrays, pieces = state
        _refuse_other_state(arrays, pieces)
        self.entity, self.segments, self.joint_counts, self.joints, self.forward, self.beyond, self.angle = (
            array.copy() for array in arrays
        )
        self.laser = rows_at(self.entity, *component_rows(HomingLaser))
        self._pieces = {owner: list(own) for owner, own in pieces.items()}

    def needs_update(self) -> bool:
        """Whether a laser was marked dead or given another number of segments, which changes no structure."""
        dead = dead_entities()
        marked = bool(dead) and not dead.isdisjoint(self._pieces)
        return marked or not np.array_equal(HomingLaser.column("segments", writable=False)[self.laser], self.segments)

    def update(self) -> None:
        """Update all rows from the world: new lasers start, and deleted lasers take their segments along."""
        entity, laser, transform = join(HomingLaser, Transform)
        dead = dead_entities()
        if dead:
            alive = ~np.isin(entity, np.fromiter(dead, int64, len(dead)))
            entity, laser, transform = entity[alive], laser[alive], transform[alive]
        segments = HomingLaser.column("segments")[laser]
        known = rows_at(entity, self.entity, np.arange(self.entity.size))
        if self.entity.size:
            known[self.laser[known] != laser] = -1
        self._move_state(known, transform, int(segments.max(initial=0)) + 1)
        self.entity, self.laser, self.transform, self.segments = entity, laser, transform, segments
        self._update_pieces(known)
        self.filter = rows_at(entity, *component_rows(CollisionFilter))
        self._transforms = component_rows(Transform)

    def _move_state(self, known: Rows, transform: Rows, capacity: int) -> None:
        x, y, angle = Transform._columns.values(transform, "x", "y", "angle")
        position = np.column_stack((x, y))
        joints = np.repeat(position[:, None], capacity, axis=1)
        counts = np.ones(known.size, int64)
        forward = np.column_stack(cos_sin_of(angle))
        beyond = np.zeros(known.size)
        old, source = known >= 0, known[known >= 0]
        kept = min(capacity, self.joints.shape[1])
        joints[old, :kept] = self.joints[source, :kept]
        joints[old, kept:] = self.joints[source, kept - 1 : kept]
        counts[old] = np.minimum(self.joint_counts[source], kept)
        forward[old], beyond[old], angle[old] = self.forward[source], self.beyond[source], self.angle[source]
        self.joints, self.joint_counts, self.forward, self.beyond, self.angle = joints, counts, forward, beyond, angle

    def _update_pieces(self, known: Rows) -> None:
        """Make the entities of the pieces that are missing, delete those left over, and find the rows of all."""
        classes = (LaserSegment, Transform, CapsuleCollider, CollisionFilter)
        whole = set(join(*classes)[0].tolist()) - dead_entities()
        old, self._pieces = self._pieces, {}
        for entity, count, was in zip(self.entity.tolist(), (self.segments + 1).tolist(), known.tolist(), strict=True):
            pieces = [piece for piece in old.pop(entity, ()) if piece in whole] if was >= 0 else []
            if len(pieces) != count:
                _delete(pieces)
                pieces = [_make_piece(entity, number) for number in range(count)]
            self._pieces[entity] = pieces
        for left_over in old.values():
            _delete(left_over)
        owners = [np.full(len(pieces), i) for i, pieces in enumerate(self._pieces.values())]
        self._piece_laser = np.concatenate(owners) if owners else np.zeros(0, int64)
        counts = self.segments + 1
        self._piece_number = np.arange(self._piece_laser.size) - np.repeat(np.cumsum(counts) - counts, counts)
        entities = np.array([piece for pieces in self._pieces.values() for piece in pieces], int64)
        found, _, *rows = join(*classes)
        self._piece_rows = [rows_at(entities, found, of_class) for of_class in rows]

    def step(self, dt: float) -> None:
        """Fly for ``dt`` seconds, and put the heads' transforms and the pieces' capsules where they are then."""
        if not self.entity.size:
            return
        self._follow_targets()
        names = "speed", "target_x", "target_y", "segment_length", "turn_limit", "steering"
        speed, target_x, target_y, length, turn_limit, steering = HomingLaser._columns.values(self.laser, *names)
        (angle,) = Transform._columns.values(self.transform, "angle")
        steered = angle != self.angle
        self.forward[steered] = np.column_stack(cos_sin_of(angle[steered]))
        fly(
            self.joints,
            self.joint_counts,
            self.forward,
            self.beyond,
            speed * dt,
            np.column_stack((target_x, target_y)),
            length,
            turn_limit,
            steering == Steering.SIGN,
        )
        head = heads(self.joints, self.forward, self.beyond)
        self.angle = angles_of(self.forward)
        Transform.column("x")[self.transform] = head[:, 0]
        Transform.column("y")[self.transform] = head[:, 1]
        Transform.column("angle")[self.transform] = self.angle
        self._place_pieces()

    def _follow_targets(self) -> None:
        targets = HomingLaser.column("target")[self.laser]
        if (targets < 0).all():
            return
        place = rows_at(targets, *self._transforms)
        following = place >= 0
        rows, place = self.laser[following], place[following]
        HomingLaser.column("target_x")[rows] = Transform.column("x")[place]
        HomingLaser.column("target_y")[rows] = Transform.column("y")[place]

    def _chains(self) -> NDArray[float64]:
        """Points (n, c + 1, 2) from the heads back; laser i has the first ``segments[i]`` + 2."""
        points = np.concatenate((heads(self.joints, self.forward, self.beyond)[:, None], self.joints), axis=1)
        lasers, last = np.arange(self.entity.size), self.segments
        share = np.minimum(1.0, self.beyond / HomingLaser.column("segment_length", writable=False)[self.laser])[:, None]
        points[lasers, last + 1] += share * (points[lasers, last] - points[lasers, last + 1])
        return points

    def _place_pieces(self) -> None:
        points = self._chains()
        owner, number = self._piece_laser, self._piece_number
        ahead, behind = points[owner, number], points[owner, number + 1]
        along = ahead - behind
        middle = 0.5 * (ahead + behind)
        transforms, capsules, filters = self._piece_rows
        Transform.column("x")[transforms] = middle[:, 0]
        Transform.column("y")[transforms] = middle[:, 1]
        Transform.column("angle")[transforms] = angles_of(along)
        CapsuleCollider.column("length")[capsules] = lengths_of(along[:, 0], along[:, 1])
        CapsuleCollider.column("radius")[capsules] = 0.5 * HomingLaser.column("width")[self.laser][owner]
        flown = number < self.joint_counts[owner]
        own = self.filter >= 0
        layers, mask, group = np.ones(own.size, int64), np.full(own.size, 0xFFFFFFFF), np.zeros(own.size, int64)
        names = "layers", "mask", "group"
        layers[own], mask[own], group[own] = CollisionFilter._columns.values(self.filter[own], *names)
        CollisionFilter.column("layers")[filters] = np.where(flown, layers[owner], 0)
        CollisionFilter.column("mask")[filters] = np.where(flown, mask[owner], 0)
        CollisionFilter.column("group")[filters] = np.where(group < 0, group, _LASER_GROUP)[owner]

    def lines(self) -> tuple[NDArray[float64], Rows]:
        """The lines to draw, from tail to head, one after the other: points (m, 2), and how many each has (n,).

        The joint next to the head, and that next to a flying tail, are left out: they come arbitrarily close to the
        ends, where a turn would pinch the ribbon for a moment.
        """
        points = self._chains()
        count = np.minimum(self.joint_counts, self.segments + 1) + 1
        number = np.arange(points.shape[1])
        flying = (self.joint_counts > self.segments) & (count >= 4)
        drawn = number < count[:, None]
        drawn &= ~((number == 1) & (count >= 3)[:, None])
        drawn &= ~((number == count[:, None] - 2) & flying[:, None])
        backwards = points[:, ::-1]
        return backwards[drawn[:, ::-1]], drawn.sum(axis=1)


def _make_piece(owner: int, number: int) -> int:
    unborn = CollisionFilter(layers=0, mask=0)
    return esper.create_entity(LaserSegment(owner, number), Transform(), CapsuleCollider(0.0, 1.0), unborn)


def _delete(pieces: list[int]) -> None:
    # Marked only: the hits end as "despawned" in this step, and handlers still find the owner.
    for piece in pieces:
        esper.delete_entity(piece)


def _refuse_other_state(arrays: Any, pieces: Any) -> None:
    like = LaserFlights().take_state()[0]
    if len(arrays) != len(like) or any(
        array.dtype != other.dtype or array.ndim != other.ndim or len(array) != len(arrays[0])
        for array, other in zip(arrays, like, strict=True)
    ):
        raise ValueError("the arrays of the lasers must all have one length")
    entities, _, counts, joints, forward, _, _ = arrays
    if forward.shape[1] != 2 or joints.shape[2] != 2 or (counts < 1).any() or (counts > joints.shape[1]).any():
        raise ValueError("each laser must have as many joints as it has laid")
    if (np.diff(entities) <= 0).any():
        raise ValueError("the lasers must be sorted by entity")
    numbers = [*pieces, *(piece for own in pieces.values() for piece in own)]
    if set(map(type, numbers)) - {int} or not set(entities.tolist()) >= set(pieces):
        raise ValueError("each laser must list the entities of its segments")
