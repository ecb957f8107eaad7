"""The index of a world: which rows of which component blocks belong to which entity.

An index is built when the world has changed structurally and kept until it changes again, so that an unchanged frame
runs no Python per entity. It is never modified after it was built.

It keeps every component instance in it alive. As long as an older index lives, no row in it is given to a new instance;
so between an index and its successor *equal row* means *same instance*.
"""

from __future__ import annotations

from typing import Any, TypeVar

import esper
import numpy as np
from numpy import int32, int64
from numpy.typing import NDArray

from ecsphys.components.character.solid import Solid
from ecsphys.components.collision.bullet import Bullet
from ecsphys.components.collision.colliders import COLLIDER_CLASSES
from ecsphys.components.collision.collision_filter import CollisionFilter
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.collision.disabled import Disabled
from ecsphys.components.collision.hit_listener import HitListener
from ecsphys.components.motion.forces import Drag, Gravity, Orbit, Spring
from ecsphys.components.motion.parent import Parent
from ecsphys.components.motion.trajectories import (
    BallisticTrajectory,
    CircularTrajectory,
    HarmonicTrajectory,
    LinearTrajectory,
)
from ecsphys.components.motion.transform import Acceleration, Transform, Velocity
from ecsphys.components.store.component import Component
from ecsphys.components.store.component_table import ComponentRows, rows_of
from ecsphys.engine.tables.entity_tables import match_rows
from ecsphys.systems.world.collider_rows import ColliderRows, rows_of_colliders, without
from ecsphys.systems.world.esper_world import database_token
from ecsphys.systems.world.proxies import Entities, Proxies, Rows
from ecsphys.systems.world.row_checks import refuse_shared_instance

TRAJECTORY_CLASSES: tuple[type[Component], ...] = (
    LinearTrajectory,
    BallisticTrajectory,
    CircularTrajectory,
    HarmonicTrajectory,
)
FORCE_CLASSES: tuple[type[Component], ...] = (Acceleration, Gravity, Spring, Orbit, Drag)
INDEXED_CLASSES: tuple[type[Component], ...] = (
    Transform,
    Velocity,
    *FORCE_CLASSES,
    *TRAJECTORY_CLASSES,
    *COLLIDER_CLASSES,
    CollisionFilter,
    Parent,
    Bullet,
)
PLAIN_CLASSES: tuple[type[Any], ...] = (Solid, Disabled, CompoundCollider, HitListener)

RowType = TypeVar("RowType", int32, int64)

_NOBODY: Entities = np.zeros(0, int64)


def rows_at(entities: Entities, of_entities: Entities, of_rows: NDArray[RowType]) -> NDArray[RowType]:
    """For each of ``entities`` its row among ``of_rows``, −1 where ``of_entities`` (sorted) has no such entity."""
    if not of_entities.size:
        return np.full(entities.size, -1, of_rows.dtype)
    found = np.minimum(np.searchsorted(of_entities, entities), of_entities.size - 1)
    rows: NDArray[RowType] = of_rows[found]
    rows[of_entities[found] != entities] = -1
    return rows


class _Nobody:
    """A class that is never attached: esper's answer to it tells whether anything has changed, and costs nothing."""


class WorldIndex:
    """Rows of all components of the current esper world that take part in physics.

    Raises
    ------
    ValueError
        One instance is attached to two entities, or an entity has two trajectories.
    TypeError
        An instance is attached under another class than its own (esper's ``type_alias``).
    """

    __slots__ = (
        "_answer",
        "_tables",
        "bullets",
        "children",
        "in_use",
        "listeners",
        "movers",
        "proxies",
        "solids",
        "token",
        "trajectories",
        "transforms",
    )

    def __init__(self) -> None:
        self.token = database_token()
        self._answer = esper.get_component(_Nobody)
        tables = {cls: rows_of(cls) for cls in INDEXED_CLASSES}
        plain: dict[type[Any], ComponentRows] = {cls: rows_of(cls) for cls in PLAIN_CLASSES}
        self._tables: dict[type[Any], ComponentRows] = {**tables, **plain}
        colliders = rows_of_colliders([tables[cls] for cls in COLLIDER_CLASSES], plain[CompoundCollider])
        lines: dict[type[Component], ComponentRows | ColliderRows] = {
            **tables,
            **dict(zip(COLLIDER_CLASSES, colliders, strict=True)),
        }
        for cls, line in lines.items():
            if line.entity.size:
                refuse_shared_instance(cls, line.entity, line.row)
        _refuse_two_trajectories(tables)
        self.in_use: list[tuple[type[Component], Entities, Rows]] = [
            (cls, line.entity, line.row)
            for cls, line in lines.items()
            if line.entity.size and cls._columns.float_fields
        ]
        """Classes with float fields that some entity has, with these entities and their rows."""

        self.transforms: tuple[Entities, Rows] = tables[Transform].entity, tables[Transform].row
        """Entities with a Transform, sorted, and its rows."""
        self.children: tuple[Entities, Rows] = tables[Parent].entity, tables[Parent].row
        """Entities with a Parent, sorted, and its rows."""
        self.bullets: tuple[Entities, Rows] = tables[Bullet].entity, tables[Bullet].row
        """Entities with a Bullet, sorted, and its rows."""
        self.solids: Entities = plain[Solid].entity
        """Entities with a Solid, sorted."""
        self.listeners: ComponentRows = plain[HitListener]
        """Entities with a HitListener."""

        on_trajectory, self.trajectories = _trajectories(tables)
        """(n, 4): number of the class in ``TRAJECTORY_CLASSES``, rows of trajectory, transform, velocity (−1: none)."""
        by_entity = np.argsort(on_trajectory, kind="stable").astype(int32)
        on_trajectory = on_trajectory[by_entity]
        self.movers: Rows = _movers(tables, on_trajectory)
        """(7, n) rows: transform, velocity, acceleration, gravity, spring, orbit, drag; −1 without.

        (2, n), the first two, where no entity has any of the others.
        """
        enabled = without(tables[Transform], plain[Disabled].entity)
        self.proxies = Proxies(tables, enabled, colliders, on_trajectory, by_entity)

    def is_current(self) -> bool:
        """Whether esper's world is, in what the index knows, structurally what it was."""
        answer = esper.get_component(_Nobody)
        if answer is self._answer:
            return True
        if self.token is not database_token() or any(rows_of(cls) is not had for cls, had in self._tables.items()):
            return False
        self._answer = answer
        return True

    def trajectory_successors(self, new: WorldIndex) -> NDArray[int64]:
        """For each of the trajectories of ``new``, its place among this index's, −1 where the instance is another."""
        successor = np.full(len(new.trajectories), -1, int64)
        if not len(self.trajectories):
            return successor
        for kind, cls in enumerate(TRAJECTORY_CLASSES):
            mine = np.flatnonzero(self.trajectories[:, 0] == kind)
            theirs = np.flatnonzero(new.trajectories[:, 0] == kind)
            if mine.size and theirs.size:
                place = np.full(cls._columns.high_water, -1, int64)
                place[self.trajectories[mine, 1]] = mine
                successor[theirs] = place[new.trajectories[theirs, 1]]
        return successor


def _refuse_two_trajectories(tables: dict[type[Component], ComponentRows]) -> None:
    on_any = [tables[cls].entity for cls in TRAJECTORY_CLASSES if len(tables[cls])]
    if len(on_any) < 2:
        return
    ordered = np.sort(np.concatenate(on_any))
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    if twice.size:
        entity = int(twice[0])
        names = [cls.__name__ for cls in TRAJECTORY_CLASSES if entity in tables[cls].entity]
        raise ValueError(f"entity {entity} has two trajectories, {' and '.join(names)}: only one can own its position")


def _trajectories(tables: dict[type[Component], ComponentRows]) -> tuple[Entities, Rows]:
    """The entities on trajectories, class by class, and for each the line of ``WorldIndex.trajectories``."""
    entities, paths = [_NOBODY], [np.zeros((0, 4), int32)]
    for kind, cls in enumerate(TRAJECTORY_CLASSES):
        table = tables[cls]
        if not len(table):
            continue
        path = np.empty((len(table), 4), int32)
        path[:, 0] = kind
        path[:, 1] = table.row
        row = np.empty(len(table), int32)
        for column, other in ((2, Transform), (3, Velocity)):
            match_rows(table.entity, tables[other].entity, tables[other].row, row)
            path[:, column] = row
        placed = path[:, 2] >= 0
        entities.append(table.entity[placed])
        paths.append(path[placed])
    return np.concatenate(entities), np.concatenate(paths)


def _movers(tables: dict[type[Component], ComponentRows], on_trajectory: Entities) -> Rows:
    """The columns of ``WorldIndex.movers``; ``on_trajectory`` are the entities that move in another way, ascending."""
    velocities = tables[Velocity]
    forces = FORCE_CLASSES if any(len(tables[cls]) for cls in FORCE_CLASSES) else ()
    movers = np.empty((2 + len(forces), len(velocities)), int32)
    movers[1] = velocities.row
    match_rows(velocities.entity, tables[Transform].entity, tables[Transform].row, movers[0])
    for column, cls in enumerate(forces, start=2):
        match_rows(velocities.entity, tables[cls].entity, tables[cls].row, movers[column])
    moves = movers[0] >= 0
    if on_trajectory.size:
        path = np.empty(len(velocities), int32)
        match_rows(velocities.entity, on_trajectory, np.zeros(on_trajectory.size, int32), path)
        moves &= path < 0
    return movers if moves.all() else np.ascontiguousarray(movers[:, moves])
