"""The index of a world: which rows of which component blocks belong to which entity.

An index is built when the world has changed structurally and kept until it changes again, so that an unchanged frame
runs no Python per entity. It is never modified after it was built.

It keeps esper's query lists, and through them every component instance in it, alive. As long as an older index lives,
no row in it is given to a new instance; so between an index and its successor *equal row* means *same instance*.
"""

from __future__ import annotations

from typing import Any

import esper
import numpy as np
from numpy import int64, uint8
from numpy.typing import NDArray

from ecsphys.components.colliders import COLLIDER_CLASSES
from ecsphys.components.collision_filter import CollisionFilter
from ecsphys.components.component import Component
from ecsphys.components.forces import Drag, Gravity, Orbit, Spring
from ecsphys.components.join import component_rows
from ecsphys.components.parent import Parent
from ecsphys.components.trajectories import (
    BallisticTrajectory,
    CircularTrajectory,
    HarmonicTrajectory,
    LinearTrajectory,
)
from ecsphys.components.transform import Acceleration, Transform, Velocity
from ecsphys.systems.esper_world import database_token
from ecsphys.systems.row_checks import refuse_shared_instance

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
)

Rows = NDArray[int64]


def rows_at(entities: Rows, of_entities: Rows, of_rows: Rows) -> Rows:
    """For each of ``entities`` its row among ``of_rows``, −1 where ``of_entities`` (sorted) has no such entity."""
    if not of_entities.size:
        return np.full(entities.size, -1, int64)
    found = np.minimum(np.searchsorted(of_entities, entities), of_entities.size - 1)
    return np.where(of_entities[found] == entities, of_rows[found], -1)


class Proxies:
    """Every collider of an entity with a :class:`Transform`, sorted by entity, then by collider class.

    Arrays of equal length n; candidate pairs are pairs of indices into them.

    ``entity``
        (n,) int64, the esper entity.
    ``collider``
        (n,) uint8, index of the collider's class in ``COLLIDER_CLASSES``.
    ``body``
        (n,) int64, number of the entity in the order of entities: equal for colliders of one entity.
    ``transform_row``, ``collider_row``
        (n,) int64, rows in the blocks of Transform and of the collider's class.
    ``velocity_row``, ``filter_row``
        (n,) int64, rows in the blocks of Velocity and CollisionFilter, −1 without one.
    ``trajectory``
        (n,) int64, position of the entity's trajectory among ``WorldIndex.trajectories``, −1 without one.
    """

    __slots__ = (
        "body",
        "collider",
        "collider_row",
        "entity",
        "filter_row",
        "is_filtered",
        "trajectory",
        "transform_row",
        "velocity_row",
    )

    def __init__(self, tables: dict[type[Component], tuple[Rows, Rows]], trajectory_entities: Rows) -> None:
        transforms = tables[Transform]
        entities, colliders, rows = [], [], []
        for collider, cls in enumerate(COLLIDER_CLASSES):
            of_entities, of_rows = tables[cls]
            entities.append(of_entities)
            rows.append(of_rows)
            colliders.append(np.full(of_entities.size, collider, uint8))
        entity = np.concatenate(entities)
        # Stable, and the classes stand in their order already: equal entities keep it.
        order = np.argsort(entity, kind="stable")
        transform_row = rows_at(entity[order], *transforms)
        order = order[transform_row >= 0]
        self.entity: Rows = entity[order]
        self.collider: NDArray[uint8] = np.concatenate(colliders)[order]
        self.collider_row: Rows = np.concatenate(rows)[order]
        self.transform_row: Rows = transform_row[transform_row >= 0]
        changes = np.ones(self.entity.size, int64)
        np.not_equal(self.entity[1:], self.entity[:-1], out=changes[1:], casting="unsafe")
        self.body: Rows = np.cumsum(changes) - 1
        self.velocity_row: Rows = rows_at(self.entity, *tables[Velocity])
        self.filter_row: Rows = rows_at(self.entity, *tables[CollisionFilter])
        self.is_filtered = bool((self.filter_row >= 0).any())
        by_entity = np.argsort(trajectory_entities, kind="stable")
        self.trajectory: Rows = rows_at(self.entity, trajectory_entities[by_entity], by_entity)

    def __len__(self) -> int:
        return int(self.entity.size)

    def select(self, which: Rows | slice) -> Proxies:
        """Some of the proxies, by their indices; their ``body`` numbers stay what they are here."""
        selected = object.__new__(Proxies)
        for name in self.__slots__:
            if name != "is_filtered":
                setattr(selected, name, getattr(self, name)[which])
        selected.is_filtered = bool((selected.filter_row >= 0).any())
        return selected

    def successors_in(self, new: Proxies) -> Rows:
        """For each proxy its index in ``new``, −1 where its transform or collider instance is not there any more."""
        slots = len(COLLIDER_CLASSES)
        successor = rows_at(
            self.entity * slots + self.collider, new.entity * slots + new.collider, np.arange(len(new), dtype=int64)
        )
        if not len(new):
            return successor
        same = (new.transform_row[successor] == self.transform_row) & (new.collider_row[successor] == self.collider_row)
        return np.where(same, successor, -1)


class WorldIndex:
    """Rows of all components of the current esper world that take part in physics.

    Raises
    ------
    ValueError
        One instance is attached to two entities, or an entity has two trajectories.
    TypeError
        An instance is attached under another class than its own (esper's ``type_alias``).
    """

    __slots__ = ("_kept_alive", "children", "in_use", "movers", "proxies", "token", "trajectories", "transforms")

    def __init__(self) -> None:
        self.token = database_token()
        self._kept_alive: list[list[tuple[int, Any]]] = [esper.get_component(cls) for cls in INDEXED_CLASSES]
        tables = {cls: component_rows(cls) for cls in INDEXED_CLASSES}
        for cls, (entities, rows) in tables.items():
            refuse_shared_instance(cls, entities, rows)
        _refuse_two_trajectories(tables)
        self.in_use: list[tuple[type[Component], Rows, Rows]] = [
            (cls, entities, rows) for cls, (entities, rows) in tables.items() if rows.size and cls._columns.float_fields
        ]
        """Classes with float fields that some entity has, with these entities and their rows."""

        transforms, velocities = tables[Transform], tables[Velocity]
        self.transforms: tuple[Rows, Rows] = transforms
        """Entities with a Transform, sorted, and its rows."""
        self.children: tuple[Rows, Rows] = tables[Parent]
        """Entities with a Parent, sorted, and its rows."""

        paths = []
        trajectory_entities = []
        for kind, cls in enumerate(TRAJECTORY_CLASSES):
            entities, rows = tables[cls]
            transform = rows_at(entities, *transforms)
            kinds = np.full(entities.size, kind, int64)
            columns = np.column_stack((kinds, rows, transform, rows_at(entities, *velocities)))
            paths.append(columns[transform >= 0])
            trajectory_entities.append(entities[transform >= 0])
        self.trajectories: NDArray[int64] = np.concatenate(paths)
        """(n, 4): number of the class in ``TRAJECTORY_CLASSES``, rows of trajectory, transform, velocity (−1: none)."""
        on_trajectory = np.concatenate(trajectory_entities)

        moving, velocity = velocities
        transform = rows_at(moving, *transforms)
        chosen = (transform >= 0) & ~np.isin(moving, on_trajectory)
        moving = moving[chosen]
        forces = [rows_at(moving, *tables[cls]) for cls in FORCE_CLASSES]
        self.movers: NDArray[int64] = np.ascontiguousarray(
            np.column_stack((transform[chosen], velocity[chosen], *forces))
        )
        """(n, 7) rows: transform, velocity, acceleration, gravity, spring, orbit, drag; −1 without."""
        self.proxies = Proxies(tables, on_trajectory)

    def is_current(self) -> bool:
        """Whether esper's world is structurally what it was: then its cached query is the very same list."""
        return esper.get_component(Transform) is self._kept_alive[0]

    def trajectory_successors(self, new: WorldIndex) -> Rows:
        """For each of the trajectories of ``new``, its place among this index's, −1 where the instance is another."""
        count = len(TRAJECTORY_CLASSES)
        mine = self.trajectories[:, 1] * count + self.trajectories[:, 0]
        theirs = new.trajectories[:, 1] * count + new.trajectories[:, 0]
        order = np.argsort(mine)
        return rows_at(theirs, mine[order], order)


def _refuse_two_trajectories(tables: dict[type[Component], tuple[Rows, Rows]]) -> None:
    entities = np.concatenate([tables[cls][0] for cls in TRAJECTORY_CLASSES])
    ordered = np.sort(entities)
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    if twice.size:
        entity = int(twice[0])
        names = [cls.__name__ for cls in TRAJECTORY_CLASSES if entity in tables[cls][0]]
        raise ValueError(f"entity {entity} has two trajectories, {' and '.join(names)}: only one can own its position")
