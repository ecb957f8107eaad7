"""Contacts, joints and velocities as segments."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import bool_, float64, int32, int64
from numpy.typing import NDArray

from ecsphys.components.collision.collision_filter import Disabled
from ecsphys.components.dynamics.joints import ANCHORED_JOINTS, WORLD, GearJoint, PrismaticJoint, RevoluteJoint
from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.components.store.component_table import entities_with, rows_of
from ecsphys.components.store.many import dead_entities
from ecsphys.engine.math.elementwise import cos_sin_of
from ecsphys.systems.hits.hit_arrays import HitArrays

Floats = NDArray[float64]
Entities = NDArray[int64]

VELOCITY_SECONDS = 0.1
"""A line of a velocity is the way of so many seconds."""


class EntityLines(NamedTuple):
    """Segments (n, 2, 2), and the entity (n,) of each."""

    entity: Entities
    segments: Floats


class ContactPoints(NamedTuple):
    """The points of hits (n, 2), with the normal (n, 2), the depth (n,) and ``entity_a`` (n,) of the hit of each."""

    entity: Entities
    places: Floats
    normal: Floats
    depth: Floats


def contact_points(hits: HitArrays) -> ContactPoints:
    """The contact points of hits, one row each; without hits of entities that are deleted or disabled by now."""
    points = hits.points
    there = _still_hit(hits.entity_a) & _still_hit(hits.entity_b)
    which, number = np.nonzero(~np.isnan(points[:, :, 0]) & there[:, None])
    return ContactPoints(hits.entity_a[which], points[which, number], hits.normal[which], hits.depth[which])


def contact_lines(points: ContactPoints, size: float) -> tuple[EntityLines, EntityLines]:
    """A bar along the surface through each contact point, and a line along its normal, both of a length ``size``."""
    across = 0.5 * size * np.column_stack((-points.normal[:, 1], points.normal[:, 0]))
    bars = np.stack((points.places - across, points.places + across), axis=1)
    normals = np.stack((points.places, points.places + size * points.normal), axis=1)
    return EntityLines(points.entity, bars), EntityLines(points.entity, normals)


def joint_lines(poses: Floats) -> EntityLines:
    """For each joint a line from its first entity over both anchors to its second entity.

    A gear is a line between the anchors of the two joints that it holds. Lines without length are left out.
    """
    placed = _PlacedEntities(poses)
    owners, lines, is_geared = [np.zeros(0, int64)], [np.zeros((0, 4, 2))], [np.zeros(0, bool_)]
    for cls in ANCHORED_JOINTS:
        found = rows_of(cls)
        if not len(found):
            continue
        starts, anchors_a, is_a = placed.ends_of(cls, found.row, "a")
        ends, anchors_b, is_b = placed.ends_of(cls, found.row, "b")
        there = is_a & is_b & ~_are_dead(found.entity)
        owners.append(found.entity[there])
        lines.append(np.stack((starts, anchors_a, anchors_b, ends), axis=1)[there])
        is_geared.append(np.full(int(there.sum()), cls in (RevoluteJoint, PrismaticJoint)))
    owner, points = np.concatenate(owners), np.concatenate(lines)
    segments = np.stack((points[:, :-1], points[:, 1:]), axis=2).reshape(-1, 2, 2)
    entity = np.repeat(owner, 3)
    gears = _gear_lines(owner, points[:, 2], np.concatenate(is_geared))
    entity, segments = np.concatenate((entity, gears.entity)), np.concatenate((segments, gears.segments))
    has_length = (segments[:, 0] != segments[:, 1]).any(axis=1)
    return EntityLines(entity[has_length], segments[has_length])


def velocity_lines(poses: Floats) -> EntityLines:
    """For each entity that moves a line to where its velocity would take it in :data:`VELOCITY_SECONDS`."""
    moving = rows_of(Velocity)
    places, is_placed = _PlacedEntities(poses).places_of(moving.entity)
    way = VELOCITY_SECONDS * Velocity._columns.float64[:2, moving.row].T
    chosen = is_placed & (way != 0.0).any(axis=1) & ~_are_dead(moving.entity)
    starts = places[chosen, :2]
    return EntityLines(moving.entity[chosen], np.stack((starts, starts + way[chosen]), axis=1))


class _PlacedEntities:
    """Where the entities of the current world are, by their numbers."""

    def __init__(self, poses: Floats) -> None:
        self._poses, self._found = poses, rows_of(Transform)

    def places_of(self, entity: Entities) -> tuple[Floats, NDArray[bool_]]:
        """The poses (n, 3) of some entities, and whether they have any."""
        known = self._found.entity
        if not known.size:
            return np.zeros((len(entity), 3)), np.zeros(len(entity), bool_)
        places = np.minimum(np.searchsorted(known, entity), known.size - 1)
        return self._poses[:, self._found.row[places]].T, (known[places] == entity) & ~_are_dead(entity)

    def ends_of(self, cls: type, row: NDArray[int32], side: str) -> tuple[Floats, Floats, NDArray[bool_]]:
        """For one end of joints of a class, by their rows: the position (n, 2) of the entity and the anchor (n, 2), and
        whether there is such an entity; both are the anchor at ends that the world holds."""
        columns = cls._columns  # type: ignore[attr-defined]
        entity = columns.row_of_block(f"entity_{side}")[row]
        x, y = columns.row_of_block(f"x_{side}")[row], columns.row_of_block(f"y_{side}")[row]
        poses, is_placed = self.places_of(entity)
        of_world = entity == WORLD
        poses = np.where(of_world[:, None], 0.0, poses)
        cosines, sines = cos_sin_of(poses[:, 2])
        anchors = poses[:, :2] + np.column_stack((cosines * x - sines * y, sines * x + cosines * y))
        return np.where(of_world[:, None], anchors, poses[:, :2]), anchors, is_placed | of_world


def _gear_lines(owner: Entities, anchors: Floats, is_geared: NDArray[bool_]) -> EntityLines:
    """Lines between the joints of gears. A gear can hold the joints ``owner`` (n,), which are at ``anchors`` (n, 2)."""
    gears = rows_of(GearJoint)
    owner, anchors = owner[is_geared], anchors[is_geared]
    if not (len(gears) and owner.size):
        return EntityLines(np.zeros(0, int64), np.zeros((0, 2, 2)))
    order = np.argsort(owner, kind="stable")
    owner, anchors = owner[order], anchors[order]
    segments, there = np.empty((len(gears), 2, 2)), ~_are_dead(gears.entity)
    for side, name in enumerate(("entity_a", "entity_b")):
        named = GearJoint._columns.row_of_block(name)[gears.row]
        places = np.minimum(np.searchsorted(owner, named), owner.size - 1)
        there &= owner[places] == named
        segments[:, side] = anchors[places]
    return EntityLines(gears.entity[there], segments[there])


def _still_hit(entity: Entities) -> NDArray[bool_]:
    """Whether hits with some entities are still told, as by ``HitArrays.of``."""
    disabled = entities_with(Disabled)
    told = np.isin(entity, rows_of(Transform).entity) & ~_are_dead(entity)
    return told & ~np.isin(entity, list(disabled)) if disabled else told


def _are_dead(entity: Entities) -> NDArray[bool_]:
    dead = dead_entities()
    return np.isin(entity, list(dead)) if dead else np.zeros(len(entity), bool_)
