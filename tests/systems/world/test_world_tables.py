"""The tables of a world after any history of changes, against plain loops over esper's own answers."""

from __future__ import annotations

import copy
import gc
import random
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import combinations
from typing import Any

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import (
    COLLIDER_CLASSES,
    AABBCollider,
    Acceleration,
    BallisticTrajectory,
    Bullet,
    Character,
    CircleCollider,
    CollisionFilter,
    Component,
    CompoundCollider,
    Disabled,
    Gravity,
    LinearTrajectory,
    Parent,
    PolygonCollider,
    Solid,
    Transform,
    Velocity,
)
from ecsphys.components.store import component_table
from ecsphys.components.store.component_table import ComponentTable, rows_of
from ecsphys.components.store.many import spawn_many
from ecsphys.engine.tables.collider_slots import (
    DISABLED_ABSENCE,
    FIRST_FREE,
    FREE,
    FREE_COUNT,
    PRESENT,
    REMOVED_ABSENCE,
    USED,
)
from ecsphys.engine.tables.entity_rows import BULLET, LINEAR_TRAJECTORY, PARENT, PATH_TRAJECTORY
from ecsphys.systems.dynamics.body_table import BodyTable
from ecsphys.systems.world import collider_table
from ecsphys.systems.world.collider_table import ColliderTable
from ecsphys.systems.world.entity_table import LINE_CLASSES, EntityTable
from ecsphys.systems.world.moving_entities import MovingEntities, ParentLevels
from ecsphys.systems.world.world_tables import WorldTables

TRAJECTORY_CLASSES = LINE_CLASSES[LINEAR_TRAJECTORY : PATH_TRAJECTORY + 1]
MOVED = LINE_CLASSES[:2]
FORCE_CLASSES = LINE_CLASSES[2:LINEAR_TRAJECTORY]
COLUMN_CLASSES = [cls for cls in LINE_CLASSES if issubclass(cls, Component)]


def triangle() -> PolygonCollider:
    return PolygonCollider([(0, 0), (1, 0), (0, 1)])


MAKERS: dict[type[Any], Callable[[], Any]] = {
    Transform: Transform,
    Velocity: Velocity,
    Acceleration: Acceleration,
    Gravity: Gravity,
    LinearTrajectory: lambda: LinearTrajectory(0, 0, 1, 1),
    BallisticTrajectory: lambda: BallisticTrajectory(0, 0, 1, 1),
    CircleCollider: lambda: CircleCollider(1),
    AABBCollider: lambda: AABBCollider(1, 1),
    PolygonCollider: triangle,
    CompoundCollider: lambda: CompoundCollider([CircleCollider(1), triangle(), CircleCollider(2)]),
    CollisionFilter: CollisionFilter,
    Parent: lambda: Parent(1),
    Bullet: Bullet,
    Solid: Solid,
    Disabled: Disabled,
}
CLASSES = list(MAKERS)
BODIES: list[set[type[Any]]] = [
    set(),
    {Transform, CircleCollider},
    {Transform, Velocity, PolygonCollider},
    {Transform, CompoundCollider},
]
WORLDS = ("one", "another")

Known = dict[type[Any], dict[int, Any]]
Key = tuple[int, int, int, int, int]  # entity, kind, part, ids of transform and collider


def attached() -> Known:
    """All components of the world as esper's queries answer, by class and entity."""
    return {cls: dict(esper.get_component(cls)) for cls in LINE_CLASSES}


def row_of(known: Known, cls: type[Any], entity: int) -> int:
    if entity not in known[cls]:
        return -1
    return known[cls][entity]._row if issubclass(cls, Component) else 0


def has_duplicates(things: list[Any]) -> bool:
    return len(set(map(id, things))) < len(things)


def compounds_of(known: Known) -> dict[int, CompoundCollider]:
    return {entity: found for entity, found in known[CompoundCollider].items() if type(found) is CompoundCollider}


def expected_errors(known: Known) -> tuple[type[Exception], ...]:
    errors: set[type[Exception]] = set()
    if any(type(found) is not cls for cls in (*COLUMN_CLASSES, CompoundCollider) for found in known[cls].values()):
        errors.add(TypeError)
    compounds = list(compounds_of(known).values())
    shapes = [found for cls in COLLIDER_CLASSES for found in known[cls].values()]
    shapes += [part for compound in compounds for part in compound.parts]
    if has_duplicates(shapes) or any(has_duplicates(list(known[cls].values())) for cls in COLUMN_CLASSES):
        errors.add(ValueError)
    if any(known[a].keys() & known[b].keys() for a, b in combinations(TRAJECTORY_CLASSES, 2)):
        errors.add(ValueError)
    return tuple(errors)


def repair(known: Known) -> None:
    """Take away what is attached under another class, what is in two places, and second trajectories."""
    for cls in (*COLUMN_CLASSES, CompoundCollider):
        for entity, instance in known[cls].items():
            several = sum(other is instance for other in known[cls].values()) > 1
            if type(instance) is not cls or several:
                esper.remove_component(entity, cls)
    shapes = Counter(id(found) for cls in COLLIDER_CLASSES for found in known[cls].values())
    for compound in compounds_of(known).values():
        shapes.update(map(id, compound.parts))
    for entity, compound in compounds_of(known).items():
        if any(shapes[id(part)] > 1 for part in compound.parts):
            esper.try_remove_component(entity, CompoundCollider)
    for first, second in combinations(TRAJECTORY_CLASSES, 2):
        for entity in known[first].keys() & known[second].keys():
            esper.try_remove_component(entity, second)


def attached_colliders(known: Known) -> list[tuple[int, int, int, Any]]:
    """Entity, kind, part and instance of all colliders of entities with a place, also of disabled ones, in order."""
    found = [
        (entity, kind, -1, instance)
        for kind, cls in enumerate(COLLIDER_CLASSES)
        for entity, instance in known[cls].items()
    ]
    for entity, compound in compounds_of(known).items():
        for number, part in enumerate(compound.parts):
            found.append((entity, COLLIDER_CLASSES.index(type(part)), number, part))
    return sorted((one for one in found if one[0] in known[Transform]), key=lambda one: one[:3])


def free_count(colliders: ColliderTable) -> int:
    return int(colliders._pool[FREE_COUNT])


def free_slots(colliders: ColliderTable) -> list[int]:
    """The free slots, in the order in which they are given away."""
    slots: list[int] = []
    while len(slots) < free_count(colliders):
        slots.append(int(colliders.slots.following[slots[-1]] if slots else colliders._pool[FIRST_FREE]))
    return slots


def snapshot(tables: WorldTables) -> tuple[Any, ...]:
    """All that a refused update must leave alone."""
    entities, colliders = tables.entities, tables.colliders
    rows = {
        slot: [int(entities.rows_of(line)[slot]) for line in range(len(LINE_CLASSES))] for slot in range(entities.used)
    }
    arrays = [array[: colliders.used].tobytes() for array in colliders.slots]
    heads = entities.slots.head.tolist()
    return (
        {slot: own for slot, own in rows.items() if max(own) >= 0},
        [head for head in heads if head >= 0],
        arrays,
        colliders.order.tolist(),
        colliders._pool.tolist(),
        tables.revision,
        list(tables.line_revisions),
        len(tables.unread),
        [line.count_slots() for line in entities.instances],
    )


class Model:
    """What the tables of one world must be, from esper's answers at each look."""

    def __init__(self) -> None:
        self.tables = WorldTables()
        self.moving = MovingEntities(self.tables, BodyTable(self.tables))
        self.levels = ParentLevels(self.tables)
        self.now: Known = {cls: {} for cls in LINE_CLASSES}
        self.slots: dict[Key, int] = {}
        """Slots of colliders that are present, and of those that are absent but not released."""
        self.present: set[Key] = set()
        self.entity_slots: dict[int, int] = {}
        self.kept: list[Any] = []
        """What is absent but not released; it lives on, so that no other instance has its id."""
        self.most_slots = 0
        self.refused: Counter[type[Exception]] = Counter()

    def look(self) -> None:
        """Compare everything; repair the world first where it must be refused."""
        tables = self.tables
        now = attached()
        while errors := expected_errors(now):
            before = snapshot(tables)
            with pytest.raises(errors) as caught:
                tables.update()
            assert not tables.is_current()
            assert snapshot(tables) == before
            self.refused[caught.type] += 1
            repair(now)
            now = attached()
        before_lines, before_now = list(tables.line_revisions), self.now
        tables.update()
        assert tables.is_current()
        for line, cls in enumerate(LINE_CLASSES):
            was, found = before_now[cls], now[cls]
            if was.keys() != found.keys() or any(found[e] is not was[e] for e in was):
                assert tables.line_revisions[line] > before_lines[line]
        self.now = now
        self.assert_entities_are_right()
        self.assert_colliders_are_right(before_now)
        self.assert_parts_are_right()
        self.assert_moving_entities_are_right()

    def assert_entities_are_right(self) -> None:
        entities, now = self.tables.entities, self.now
        numbers = {entity for found in now.values() for entity in found}
        assert numbers <= entities.slot_of.keys()
        for entity in numbers:
            slot = entities.slot_of[entity]
            assert entities.slots.entity[slot] == entity
            assert [int(entities.rows_of(line)[slot]) for line in range(len(LINE_CLASSES))] == [
                row_of(now, cls, entity) for cls in LINE_CLASSES
            ]
            assert self.entity_slots.get(entity, slot) == slot
        for line, cls in enumerate(LINE_CLASSES):
            having = entities.having(line)
            assert sorted(entities.slots.entity[having].tolist()) == sorted(now[cls])
            held = entities.instances[line]
            assert held.count == len(now[cls])
            found = {int(entities.slots.entity[slot]): held[slot] for slot in held.count_slots()}
            assert found.keys() == now[cls].keys()
            assert all(now[cls][entity] is one for entity, one in found.items())
        in_use = [slot for slot in range(entities.used) if entities.slots.entity[slot] >= 0]
        assert sorted(entities._free + in_use) == list(range(entities.used))
        self.entity_slots = {entity: entities.slot_of[entity] for entity in numbers}

    def assert_colliders_are_right(self, before: Known) -> None:
        tables, now = self.tables, self.now
        colliders, slots = tables.colliders, tables.colliders.slots
        expected = attached_colliders(now)
        keys: dict[Key, tuple[int, int, int, Any]] = {
            (one[0], one[1], one[2], id(now[Transform][one[0]]), id(one[3])): one for one in expected
        }
        present = {key: one for key, one in keys.items() if one[0] not in now[Disabled]}
        order = colliders.order.tolist()
        assert len(order) == len(present) == len(colliders)
        known, numbers = dict(self.slots), sorted({one[0] for one in present.values()})
        for rank, (slot, (key, one)) in enumerate(zip(order, present.items(), strict=True)):
            entity, kind, part, instance = one
            if key in known:
                assert known[key] == slot, "a collider has lost its slot"
            else:
                assert slot not in known.values(), "a slot is used again before it was released"
                assert slots.stale[slot]
            self.slots[key] = slot
            self.kept += [now[Transform][entity], instance]
            owner = tables.entities.slot_of[entity]
            path = any(entity in now[cls] for cls in TRAJECTORY_CLASSES)
            assert (slots.owner[slot], slots.entity[slot], slots.kind[slot]) == (owner, entity, kind)
            assert (slots.part[slot], slots.collider_row[slot]) == (part, instance._row)
            assert slots.transform_row[slot] == row_of(now, Transform, entity)
            assert slots.velocity_row[slot] == row_of(now, Velocity, entity)
            assert slots.filter_row[slot] == row_of(now, CollisionFilter, entity)
            assert slots.trajectory[slot] == (owner if path else -1)
            assert slots.rank[slot] == rank
            assert slots.body[slot] == numbers.index(entity)
            assert slots.absence[slot] == PRESENT
        for key, slot in self.slots.items():
            if key not in present:
                reason = DISABLED_ABSENCE if key in keys else REMOVED_ABSENCE
                assert slots.absence[slot] == reason
                assert np.isnan(colliders.placed.boxes[slot]).all()
        self.assert_changes_are_told(before, set(present))
        self.most_slots = max(self.most_slots, len(self.slots))
        assert colliders.used == int(colliders._pool[USED]) == self.most_slots
        assert free_count(colliders) == colliders.used - len(self.slots)
        assert colliders.absences or len(self.slots) == len(order)
        assert all(slots.absence[slot] == FREE for slot in set(range(colliders.used)) - set(self.slots.values()))
        for entity, owner in tables.entities.slot_of.items():
            own = [self.slots[key] for key, one in present.items() if one[0] == entity]
            assert tables.colliders_of(np.array([owner], np.int32)).tolist() == own
        everything = np.array([-1, *(tables.entities.slot_of[entity] for entity in numbers)], np.int32)
        assert tables.colliders_of(everything).tolist() == order

    def assert_changes_are_told(self, before: Known, present: set[Key]) -> None:
        unread = self.tables.unread
        gone = [slot for changes in unread for slot in changes.gone.tolist()]
        fresh = [slot for changes in unread for slot in changes.fresh.tolist()]
        unread.clear()
        assert sorted(gone) == sorted(self.slots[key] for key in self.present - present)
        came = {self.slots[key] for key in present - self.present}
        filters = self.now[CollisionFilter], before[CollisionFilter]
        refiltered = {self.slots[key] for key in present if filters[0].get(key[0]) is not filters[1].get(key[0])}
        told = {slot for slots in self.tables.refiltered for slot in slots.tolist()}
        self.tables.refiltered.clear()
        assert came <= set(fresh) <= {self.slots[key] for key in present}
        assert refiltered <= told | set(fresh)
        self.present = present

    def assert_parts_are_right(self) -> None:
        tables = self.tables
        for kind, cls in enumerate(COLLIDER_CLASSES):
            expected = sorted(
                (entity, part._row)
                for entity, compound in compounds_of(self.now).items()
                for part in compound.parts
                if type(part) is cls
            )
            slots, rows = tables.part_owners.rows_of(kind)
            assert sorted(zip(tables.entities.slots.entity[slots].tolist(), rows.tolist(), strict=True)) == expected
            for entity, row in expected:
                owners = tables.part_owners.owners_of(kind, [row])
                assert owners.tolist() == [tables.entities.slot_of[entity]]
            own = np.array([one._row for one in self.now[cls].values()], np.int64)
            assert not tables.part_owners.owners_of(kind, own.tolist()).size

    def assert_moving_entities_are_right(self) -> None:
        now, moving, slot_of = self.now, self.moving, self.tables.entities.slot_of
        placed = now[Transform]
        paths = [
            [kind, *(row_of(now, one, entity) for one in (cls, *MOVED)), slot_of[entity]]
            for kind, cls in enumerate(TRAJECTORY_CLASSES)
            for entity in now[cls]
            if entity in placed
        ]
        assert sorted(moving.trajectories.tolist()) == sorted(paths)
        assert moving.trajectories[:, 0].tolist() == sorted(path[0] for path in paths)
        forces = FORCE_CLASSES if any(now[cls] for cls in FORCE_CLASSES) else ()
        movers = [
            [row_of(now, cls, entity) for cls in (*MOVED, *forces)]
            for entity in now[Velocity]
            if entity in placed and not any(entity in now[cls] for cls in TRAJECTORY_CLASSES)
        ]
        assert len(moving.movers) == 2 + len(forces)
        assert sorted(moving.movers.T.tolist()) == sorted(movers)
        assert moving.movers is moving.movers
        for slots, cls in (
            (self.tables.entities.having(PARENT), Parent),
            (self.tables.entities.having(BULLET), Bullet),
        ):
            assert slots.tolist() == sorted(slot_of[entity] for entity in now[cls])
        self.assert_levels_are_right()

    def assert_levels_are_right(self) -> None:
        carriers = {entity: parent.entity for entity, parent in self.now[Parent].items()}
        depths = {}
        for child in carriers:
            depth, ancestor = 0, carriers[child]
            while ancestor in carriers and depth <= len(carriers):
                depth, ancestor = depth + 1, carriers[ancestor]
            depths[child] = depth
        if max(depths.values(), default=0) > len(carriers):
            with pytest.raises(ValueError, match=r"cycle|itself as Parent"):
                self.levels.update()
            return
        self.levels.update()
        rows = [
            (depths[child], row_of(self.now, Transform, child), row_of(self.now, Transform, carrier), one._row)
            for child, carrier in carriers.items()
            for one in (self.now[Parent][child],)
        ]
        found = [
            (depth, *place)
            for depth, level in enumerate(self.levels.levels)
            for place in zip(*(column.tolist() for column in level), strict=True)
        ]
        assert sorted(found) == sorted(row for row in rows if row[1] >= 0 and row[2] >= 0)

    def release(self) -> None:
        """Let the tables use the slots of absent colliders again."""
        self.tables.release_absent()
        assert self.tables.colliders.absences == []
        self.slots = {key: slot for key, slot in self.slots.items() if key in self.present}
        self.kept = [self.now[Transform], *self.now[CompoundCollider].values()]
        self.kept += [dict(self.now[cls]) for cls in (Transform, *COLLIDER_CLASSES)]
        assert free_count(self.tables.colliders) == self.tables.colliders.used - len(self.slots)

    def assert_nothing_is_left(self) -> None:
        """All slots are free."""
        entities, colliders = self.tables.entities, self.tables.colliders
        assert free_count(colliders) == colliders.used
        assert sorted(free_slots(colliders)) == list(range(colliders.used))
        assert (colliders.slots.absence == FREE).all()
        assert np.isnan(colliders.placed.boxes).all()
        assert not colliders.order.size
        assert entities.slot_of == {}
        assert sorted(entities._free) == list(range(entities.used))
        assert (entities.slots.entity == -1).all()
        assert (entities.slots.head == -1).all()
        assert not any(line.count for line in entities.instances)


class Game:
    """Does anything a game can do to its entities, at random, in two worlds; the physics looks now and then."""

    def __init__(self, seed: int, mistakes: bool = True) -> None:
        self.random = random.Random(seed)
        self.spare: list[Any] = []
        self.models: dict[str, Model] = {}
        self.actions = [
            *(3 * [self.create, self.attach, self.take_away, self.delete]),
            *(2 * [self.put_back, self.disable_or_enable, self.switch_world]),
            *(self.spawn, self.finish_deletions, self.delete_half, self.forget, self.ask_for_one_class),
            *(self.replace_compound, self.attach_a_marker_under_an_alias),
        ]
        if mistakes:
            self.actions += [self.attach_a_spare, self.exchange, self.share, self.share_a_part]
            self.actions += [self.attach_under_an_alias]

    @property
    def model(self) -> Model:
        if esper.current_world not in self.models:
            self.models[esper.current_world] = Model()
        return self.models[esper.current_world]

    def act(self) -> None:
        if self.random.random() < 0.01:
            esper.clear_database()
            # There are new tables for it.
            refused = self.model.refused
            self.models[esper.current_world] = Model()
            self.model.refused = refused
        if len(self.alive()) < 3:
            self.create()
        self.random.choice(self.actions)()

    def alive(self) -> list[int]:
        return [entity for entity in esper.get_entities() if esper.entity_exists(entity)]

    def some_class(self) -> type[Any]:
        return self.random.choice(CLASSES)

    def some_entity(self) -> int:
        return self.random.choice(self.alive())

    def some_component(self) -> tuple[int, type[Any]] | None:
        entity = self.some_entity()
        classes = [cls for cls in CLASSES if esper.has_component(entity, cls)]
        return (entity, self.random.choice(classes)) if classes else None

    def make(self, cls: type[Any]) -> Any:
        return Parent(self.random.randint(1, 40)) if cls is Parent else MAKERS[cls]()

    def create(self) -> None:
        for _ in range(self.random.randint(1, 4)):
            classes = self.random.choice(BODIES) | set(self.random.sample(CLASSES, self.random.randint(0, 2)))
            classes -= {BallisticTrajectory} if LinearTrajectory in classes else set()
            esper.create_entity(*(self.make(cls) for cls in CLASSES if cls in classes))

    def spawn(self) -> None:
        count = self.random.randint(1, 5)
        spawn_many(count, Transform.many(), CircleCollider.many(np.arange(1.0, count + 1)))

    def keep_or_forget(self, component: Any) -> None:
        if component is not None and self.random.random() < 0.5:
            self.spare.append(component)

    def attach(self) -> None:
        entity, cls = self.some_entity(), self.some_class()
        self.keep_or_forget(esper.try_component(entity, cls))
        esper.add_component(entity, self.make(cls))

    def attach_a_spare(self) -> None:
        if self.spare:
            esper.add_component(self.some_entity(), self.random.choice(self.spare))

    def take_away(self) -> None:
        if chosen := self.some_component():
            remove = self.random.choice([esper.remove_component, esper.try_remove_component])
            self.keep_or_forget(remove(*chosen))

    def disable_or_enable(self) -> None:
        entity = self.some_entity()
        if esper.try_remove_component(entity, Disabled) is None:
            esper.add_component(entity, Disabled())

    def exchange(self) -> None:
        cls = self.some_class()
        owners = [entity for entity in self.alive() if esper.has_component(entity, cls)]
        if len(owners) > 1:
            first, second = self.random.sample(owners, 2)
            found = esper.component_for_entity(first, cls), esper.component_for_entity(second, cls)
            esper.add_component(first, found[1])
            esper.add_component(second, found[0])

    def share(self) -> None:
        if chosen := self.some_component():
            esper.add_component(self.some_entity(), esper.component_for_entity(*chosen))

    def some_compound(self) -> tuple[int, CompoundCollider] | None:
        found = [pair for pair in esper.get_component(CompoundCollider) if type(pair[1]) is CompoundCollider]
        found = [pair for pair in found if esper.entity_exists(pair[0])]
        return self.random.choice(found) if found else None

    def replace_compound(self) -> None:
        """By one with some of the same parts, some of them under other numbers."""
        if chosen := self.some_compound():
            entity, compound = chosen
            parts = self.random.sample(compound.parts, self.random.randint(1, len(compound)))
            parts.insert(self.random.randint(0, len(parts)), CircleCollider(3))
            self.keep_or_forget(compound)
            esper.add_component(entity, CompoundCollider(parts))

    def share_a_part(self) -> None:
        if chosen := self.some_compound():
            part = self.random.choice(chosen[1].parts)
            if self.random.random() < 0.5:
                esper.add_component(self.some_entity(), part)
            else:
                esper.add_component(self.some_entity(), CompoundCollider([part]))

    def put_back(self) -> None:
        chosen = self.some_component()
        if chosen and type(esper.component_for_entity(*chosen)) is chosen[1]:
            esper.add_component(chosen[0], esper.remove_component(*chosen))

    def delete(self) -> None:
        esper.delete_entity(self.some_entity(), immediate=self.random.random() < 0.5)

    def finish_deletions(self) -> None:
        esper.clear_dead_entities()

    def delete_half(self) -> None:
        for entity in self.alive()[::2]:
            esper.delete_entity(entity, immediate=True)

    def attach_under_an_alias(self) -> None:
        cls: Any = self.random.choice([Transform, Velocity, CircleCollider, CompoundCollider])
        esper.add_component(self.some_entity(), Gravity(), type_alias=cls)

    def attach_a_marker_under_an_alias(self) -> None:
        cls: Any = self.random.choice([Disabled, Solid])
        esper.add_component(self.some_entity(), "a note", type_alias=cls)

    def switch_world(self) -> None:
        esper.switch_world(self.random.choice(WORLDS))

    def forget(self) -> None:
        self.spare.clear()

    def ask_for_one_class(self) -> None:
        cls: type[Any] = self.random.choice([Transform, Velocity, CircleCollider, CollisionFilter])
        found = dict(esper.get_component(cls))
        if any(type(instance) is not cls for instance in found.values()):
            with pytest.raises(TypeError, match="type_alias"):
                rows_of(cls)
            return
        rows = rows_of(cls)
        assert rows.entity.tolist() == sorted(found)
        assert all(instance is found[e] for e, instance in zip(sorted(found), rows.instances, strict=True))

    def play(self, looks: int) -> Counter[type[Exception]]:
        """Change the worlds and look, in turns; returns the errors that there were."""
        for _ in range(looks):
            for _ in range(self.random.randint(0, 6)):
                self.act()
            self.model.look()
            if self.random.random() < 0.4:
                self.model.release()
        return sum((model.refused for model in self.models.values()), Counter())

    def end(self) -> None:
        """Delete everything, in both worlds, let the physics look, and release what is absent."""
        for world, model in self.models.items():
            esper.switch_world(world)
            for entity in list(esper.get_entities()):
                esper.delete_entity(entity, immediate=True)
            model.look()
            model.release()


@pytest.mark.parametrize("seed", range(6))
def test_the_tables_are_right_after_any_history(seed: int) -> None:
    game = Game(seed)
    game.switch_world()
    refused = game.play(200)
    assert refused[TypeError] > 10
    assert refused[ValueError] > 10


@pytest.mark.parametrize("seed", range(2))
def test_no_slot_is_left_when_everything_is_deleted_and_released(seed: int) -> None:
    game = Game(seed, mistakes=False)
    game.switch_world()
    assert game.play(150).keys() <= {ValueError}, "second trajectories only"
    game.end()
    for model in game.models.values():
        model.assert_nothing_is_left()


def placed_circle(*others: Any) -> int:
    return esper.create_entity(Transform(), CircleCollider(1.0), *others)


def own_slots(tables: WorldTables, entity: int) -> list[int]:
    """The slots of an entity's colliders that are present."""
    found: list[int] = tables.colliders_of(np.array([tables.entities.slot_of.get(entity, -1)], np.int32)).tolist()
    return found


def updated() -> WorldTables:
    tables = WorldTables()
    tables.update()
    return tables


def test_a_disabled_collider_keeps_its_slot_until_it_is_released() -> None:
    entity = placed_circle()
    tables = updated()
    (slot,) = own_slots(tables, entity)
    esper.add_component(entity, Disabled())
    tables.update()
    assert tables.colliders.slots.absence[slot] == DISABLED_ABSENCE
    other = placed_circle()
    tables.update()
    assert own_slots(tables, other) != [slot]
    esper.remove_component(entity, Disabled)
    tables.update()
    assert own_slots(tables, entity) == [slot]
    esper.add_component(entity, Disabled())
    tables.update()
    tables.release_absent()
    third = placed_circle()
    tables.update()
    assert own_slots(tables, third) == [slot]
    esper.remove_component(entity, Disabled)
    tables.update()
    assert own_slots(tables, entity)[0] not in {slot, *own_slots(tables, other)}


def test_a_collider_that_went_and_came_back_before_the_release_was_never_away() -> None:
    entity = placed_circle()
    tables = updated()
    (slot,) = own_slots(tables, entity)
    circle = esper.remove_component(entity, CircleCollider)
    tables.update()
    assert tables.colliders.slots.absence[slot] == REMOVED_ABSENCE
    esper.add_component(entity, CircleCollider(2.0))
    tables.update()
    assert own_slots(tables, entity) != [slot]
    esper.add_component(entity, circle)
    tables.update()
    assert own_slots(tables, entity) == [slot]
    tables.release_absent()
    assert own_slots(tables, entity) == [slot]
    assert free_count(tables.colliders) == tables.colliders.used - 1


def test_a_copy_of_the_transform_or_of_the_collider_takes_another_slot() -> None:
    entity = placed_circle()
    tables = updated()
    seen = own_slots(tables, entity)
    for cls in (Transform, CircleCollider):
        esper.add_component(entity, copy.copy(esper.component_for_entity(entity, cls)))
        tables.update()
        assert not set(own_slots(tables, entity)) & set(seen)
        seen += own_slots(tables, entity)


def test_other_components_come_and_go_without_a_change_of_slot() -> None:
    entity = placed_circle()
    tables = updated()
    slots = own_slots(tables, entity)
    for cls in (Velocity, LinearTrajectory, CollisionFilter, Solid, Bullet, Parent, AABBCollider, CompoundCollider):
        esper.add_component(entity, MAKERS[cls]())
        tables.update()
        assert own_slots(tables, entity)[:1] == slots
        esper.remove_component(entity, cls)
        tables.update()
        assert own_slots(tables, entity) == slots


def test_a_part_keeps_its_slot_in_another_compound_under_its_number_only() -> None:
    kept, moved = CircleCollider(1.0), CircleCollider(2.0)
    entity = esper.create_entity(Transform(), CompoundCollider([kept, triangle(), moved]))
    tables = updated()
    before = own_slots(tables, entity)
    esper.add_component(entity, CompoundCollider([kept, moved]))
    tables.update()
    after = own_slots(tables, entity)
    assert after[0] == before[0]
    assert after[1] not in before


def test_slots_are_used_again_so_that_a_stream_of_entities_needs_no_more() -> None:
    tables = WorldTables()
    for _ in range(200):
        entities = [placed_circle(Velocity()) for _ in range(10)]
        tables.update()
        for entity in entities:
            esper.delete_entity(entity, immediate=True)
        tables.update()
        tables.release_absent()
        tables.unread.clear()
    assert tables.colliders.used == tables.entities.used == 10
    assert free_count(tables.colliders) == len(tables.entities._free) == 10


def test_a_large_world_keeps_its_slots_while_the_tables_grow() -> None:
    tables = WorldTables()
    slots: dict[int, int] = {}
    for _ in range(6):
        for entity in [placed_circle() for _ in range(200)]:
            slots[entity] = -1
        tables.update()
        order = tables.colliders.order
        for entity, slot in zip(tables.colliders.slots.entity[order].tolist(), order.tolist(), strict=True):
            assert slots[entity] in (-1, slot)
            slots[entity] = slot
    assert sorted(slots.values()) == list(range(1200))
    assert tables.colliders.slots.rank[tables.colliders.order].tolist() == list(range(1200))


def shared_transform() -> None:
    shared = Transform()
    esper.create_entity(shared)
    esper.create_entity(shared)


def shared_compound() -> None:
    shared = CompoundCollider([CircleCollider(1.0)])
    esper.create_entity(Transform(), shared)
    esper.create_entity(Transform(), shared)


def shared_part() -> None:
    part = CircleCollider(1.0)
    esper.create_entity(Transform(), CompoundCollider([part, triangle()]))
    esper.create_entity(Transform(), CompoundCollider([triangle(), part]))


def part_on_its_own() -> None:
    part = CircleCollider(1.0)
    esper.create_entity(Transform(), CompoundCollider([part]))
    esper.create_entity(Transform(), part)


def two_trajectories() -> None:
    esper.create_entity(Transform(), LinearTrajectory(0, 0, 1, 1), BallisticTrajectory(0, 0, 1, 1))


def gravity_as_transform() -> None:
    esper.add_component(esper.create_entity(), Gravity(), type_alias=Transform)


MISTAKES: dict[Callable[[], None], tuple[type[Exception], str]] = {
    shared_transform: (ValueError, "entities {0} and {1} share one Transform instance"),
    shared_compound: (ValueError, "entities {0} and {1} share one CompoundCollider instance"),
    shared_part: (ValueError, "entities {0} and {1} share one CircleCollider instance"),
    part_on_its_own: (ValueError, "entities {0} and {1} share one CircleCollider instance"),
    two_trajectories: (ValueError, "entity {0} has two trajectories, LinearTrajectory and BallisticTrajectory"),
    gravity_as_transform: (TypeError, "entity {0} has an instance of Gravity as its Transform"),
}


@pytest.mark.parametrize("one_by_one", [False, True], ids=["at once", "one by one"])
@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.__name__)
def test_a_mistake_is_refused_by_name_until_it_is_repaired(
    mistake: Callable[[], None], one_by_one: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    entity = placed_circle(Solid())
    tables = updated()
    error, message = MISTAKES[mistake]
    if one_by_one:
        # The tables know the first of two entities when the second one comes.
        create = esper.create_entity

        def create_between_updates(*components: Any) -> int:
            tables.update()
            return create(*components)

        monkeypatch.setattr(esper, "create_entity", create_between_updates)
    mistake()
    monkeypatch.undo()
    wrong = sorted(set(esper.get_entities()) - {entity})
    before = snapshot(tables)
    for _ in range(2):
        with pytest.raises(error, match=message.format(*wrong)):
            tables.update()
        assert snapshot(tables) == before
    esper.delete_entity(wrong[-1], immediate=True)
    tables.update()
    assert own_slots(tables, entity) == [0]
    tables.release_absent()
    assert tables.entities.slot_of.keys() == {entity, *wrong[:-1]}


def test_instances_may_change_places_between_two_updates() -> None:
    entities = [placed_circle() for _ in range(2)]
    tables = updated()
    first, second = (esper.component_for_entity(entity, CircleCollider) for entity in entities)
    esper.add_component(entities[0], second)
    esper.add_component(entities[1], first)
    tables.update()
    rows = tables.colliders.slots.collider_row[tables.colliders.order].tolist()
    assert rows == [second._row, first._row]


def test_parts_may_change_places_with_colliders_between_two_updates() -> None:
    part, own = CircleCollider(1.0), CircleCollider(2.0)
    holder = esper.create_entity(Transform(), CompoundCollider([part]))
    other = esper.create_entity(Transform(), own)
    tables = updated()
    esper.add_component(holder, CompoundCollider([own]))
    esper.add_component(other, part)
    tables.update()
    rows = tables.colliders.slots.collider_row[tables.colliders.order].tolist()
    assert rows == [own._row, part._row]
    assert tables.part_owners.owners_of(0, [part._row]).size == 0


def test_lists_of_moving_entities_stay_the_same_arrays_while_nothing_in_them_changes() -> None:
    entity = placed_circle(Velocity(), Parent(1), Bullet())
    other = placed_circle(LinearTrajectory(0, 0, 1, 1))
    tables = updated()
    moving, having = MovingEntities(tables, BodyTable(tables)), tables.entities.having

    def lists() -> list[int]:
        return [id(one) for one in (moving.movers, moving.trajectories, having(PARENT), having(BULLET))]

    held, known = having(PARENT), lists()
    esper.add_component(other, Solid())
    esper.remove_component(other, CircleCollider)
    tables.update()
    assert lists() == known
    esper.remove_component(entity, Bullet)
    tables.update()
    assert having(PARENT) is held
    assert not having(BULLET).size
    esper.add_component(entity, Gravity())
    tables.update()
    assert len(moving.movers) == 7


def test_a_refused_entity_that_is_deleted_leaves_no_slot() -> None:
    tables = updated()
    entity = esper.create_entity(Transform())
    esper.add_component(entity, Gravity(), type_alias=Velocity)
    with pytest.raises(TypeError, match="type_alias"):
        tables.update()
    esper.delete_entity(entity, immediate=True)
    tables.update()
    tables.release_absent()
    assert tables.entities.slot_of == {}
    assert len(tables.entities._free) == tables.entities.used


def delete(entity: int) -> None:
    esper.delete_entity(entity, immediate=True)


def take_the_circle(entity: int) -> None:
    esper.remove_component(entity, CircleCollider)


@pytest.mark.parametrize("change", [delete, take_the_circle])
def test_what_was_taken_away_lives_until_the_release(change: Callable[[int], None]) -> None:
    entity = placed_circle()
    tables = updated()
    columns = CircleCollider._columns
    gc.collect()  # rows of what other tests have left
    live = columns.live_rows
    change(entity)
    tables.update()
    assert columns.live_rows == live
    tables.release_absent()
    assert columns.live_rows == live - 1


CUTS = {
    "before any row": (EntityTable, "set_rows"),
    "before the colliders": (ColliderTable, "update"),
    "before they are hidden": (collider_table, "hide_shapes"),
    "before the order": (ColliderTable, "_reorder"),
    "before slots are freed": (EntityTable, "free_unused"),
}


def interrupt(*_: Any, **__: Any) -> None:
    raise KeyboardInterrupt


def update_cut_short(tables: WorldTables, cut: str) -> None:
    with pytest.MonkeyPatch.context() as patch, suppress(KeyboardInterrupt):
        patch.setattr(*CUTS[cut], interrupt)
        tables.update()


@pytest.mark.parametrize("change", [delete, take_the_circle])
@pytest.mark.parametrize("cut", CUTS)
def test_an_interrupted_update_is_made_good_by_the_next(change: Callable[[int], None], cut: str) -> None:
    entity, other = placed_circle(), placed_circle()
    tables = updated()
    change(entity)
    update_cut_short(tables, cut)
    tables.update()
    present = [other]
    assert tables.colliders.slots.entity[tables.colliders.order].tolist() == present
    tables.release_absent()
    assert free_count(tables.colliders) == tables.colliders.used - len(present)
    assert tables.entities.slot_of.keys() == set(esper.get_entities())
    assert len(tables.entities._free) == tables.entities.used - len(tables.entities.slot_of)


def test_an_interrupted_release_is_made_good_by_the_next_update_and_release() -> None:
    entity, other = placed_circle(), placed_circle()
    tables = updated()
    delete(entity)
    tables.update()
    with pytest.MonkeyPatch.context() as patch, suppress(KeyboardInterrupt):
        patch.setattr(EntityTable, "free_unused", interrupt)
        tables.release_absent()
    delete(other)
    tables.update()
    tables.release_absent()
    assert tables.entities.slot_of == {}
    assert free_count(tables.colliders) == tables.colliders.used
    assert len(tables.entities._free) == tables.entities.used


def test_a_new_solid_in_the_slot_of_one_that_had_moved_does_not_push_a_character() -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(0.0, -1.0), AABBCollider(10.0, 1.0), Solid())
    place, gone = Transform(0.0, 0.52), Transform(-100.0, 0.5)
    hero = esper.create_entity(place, AABBCollider(0.5, 0.5), Character())
    box = esper.create_entity(gone, AABBCollider(0.5, 0.5), Solid())
    esper.process(0.1)
    physics.move_character(hero, (0.0, -0.1))
    gone.x = -101.0
    esper.process(0.1)
    esper.delete_entity(box, immediate=True)
    esper.process(0.1)
    esper.create_entity(Transform(2.0, 0.6), AABBCollider(0.5, 0.5), Solid())
    esper.process(0.1)
    assert physics.move_character(hero, (0.0, -0.1)).pushed == (0.0, 0.0)
    assert place.x == 0.0


def test_what_physics_does_not_know_leaves_the_tables_as_they_are() -> None:
    class Name:
        pass

    entity, other = (placed_circle() for _ in range(2))
    tables = updated()
    revision, order = tables.revision, tables.colliders.order
    esper.create_entity(Name())
    esper.add_component(entity, Name())
    tables.update()
    assert tables.revision == revision
    esper.add_component(entity, esper.remove_component(entity, Transform))
    tables.update()
    assert tables.colliders.order is order
    assert tables.colliders.slots.entity[order].tolist() == [entity, other]
    esper.add_component(entity, copy.copy(esper.component_for_entity(entity, Transform)))
    assert not tables.is_current()


def test_a_cleared_database_is_seen_even_without_components() -> None:
    tables = updated()
    esper.clear_database()
    assert not tables.is_current()


def test_more_changes_than_are_noted_are_found() -> None:
    first = esper.create_entity(Velocity(1))
    rows_of(Velocity)
    second = esper.create_entity(Velocity(2))
    rows_of(Velocity)
    esper.remove_component(first, Velocity)
    esper.create_entity()
    for _ in range(70_000):
        esper.add_component(second, esper.component_for_entity(second, Velocity))
    assert rows_of(Velocity).entity.tolist() == [second]


def test_esper_answers_as_before_where_rows_were_asked_for() -> None:
    entities = [esper.create_entity(Transform(i)) for i in range(1000)]
    rows_of(Transform)
    assert type(esper._components[Transform]) is ComponentTable
    assert dict(esper.get_component(Transform)).keys() == set(entities)
    for entity in entities:
        esper.delete_entity(entity)
    esper.clear_dead_entities()
    assert not esper.get_component(Transform)
    assert len(rows_of(Transform)) == 0
    again = esper.create_entity(Transform(7))
    assert [(entity, found.x) for entity, found in esper.get_component(Transform)] == [(again, 7.0)]
    assert rows_of(Transform).entity.tolist() == [again]


def test_what_a_finaliser_changes_while_rows_are_read_is_found_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    entity = esper.create_entity(Transform(1))
    rows_of(Transform)
    other = esper.create_entity(Transform(2))
    honest = component_table.components_of

    def meddling(entities: Iterable[int], cls: type[Any]) -> list[Any]:
        found = honest(entities, cls)
        monkeypatch.setattr(component_table, "components_of", honest)
        esper.delete_entity(entity, immediate=True)
        return found

    monkeypatch.setattr(component_table, "components_of", meddling)
    rows_of(Transform)
    assert rows_of(Transform).entity.tolist() == [other]


def test_rows_of_a_class_that_are_held_do_not_change() -> None:
    entities = [esper.create_entity(Transform(i)) for i in range(10)]
    rows = rows_of(Transform)
    held = rows.entity.copy(), rows.row.copy()
    for entity in entities[::2]:
        esper.delete_entity(entity, immediate=True)
        esper.create_entity(Transform())
    later = rows_of(Transform)
    assert np.array_equal(held[0], rows.entity)
    assert np.array_equal(held[1], rows.row)
    # As long as the rows are held their instances live, so none of theirs is given to a new one.
    assert not set(rows.row[::2].tolist()) & set(later.row.tolist())
    assert [instance.x for instance in rows.instances] == list(range(10))


def test_an_esper_that_bypasses_its_sets_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(entity: int, instance: Any) -> None:
        esper._entities[entity][type(instance)] = instance

    world = esper.current_world
    with monkeypatch.context() as patch:
        patch.setattr(esper, "add_component", silent)
        assert not component_table.tells_tables()
    with monkeypatch.context() as patch:
        patch.delattr(esper, "try_remove_component")
        assert not component_table.tells_tables()
    assert component_table.tells_tables()
    assert esper.current_world == world


def test_with_an_esper_that_tells_nothing_hits_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(component_table, "_ESPER_TELLS_TABLES", False)
    physics = ecsphys.install()
    entities = [esper.create_entity(Transform(0.5 * i), CircleCollider(1.0)) for i in range(4)]
    esper.process(0.1)
    assert len(physics.hits.started) == 6
    assert not any(isinstance(table, component_table.ComponentTable) for table in esper._components.values())
    esper.process(0.1)
    assert not len(physics.hits.started)
    esper.create_entity(Transform(90.0))
    esper.process(0.1)
    assert not len(physics.hits.started)
    assert not len(physics.hits.ended)
    esper.add_component(entities[0], CircleCollider(1.0))
    esper.delete_entity(entities[3], immediate=True)
    esper.process(0.1)
    assert sorted(physics.hits.ended.reason.tolist()) == ["despawned"] * 3 + ["removed"] * 2
    assert len(physics.hits.started) == 2


def test_only_classes_that_a_world_has_take_room_for_each_entity() -> None:
    tables = WorldTables()
    for x in range(3):
        esper.create_entity(Transform(x, 0), CircleCollider(1))
    tables.update()
    slots = tables.entities.slots
    assert len(slots.lines.rows) == 2
    assert slots.path_velocity.size == 0
    path = LinearTrajectory(0, 0, 1, 1)
    entity = esper.create_entity(Transform(), path)
    tables.update()
    assert len(tables.entities.slots.lines.rows) == 3
    assert tables.entities.slots.path_velocity.shape == (2, slots.entity.size)
    line = LINE_CLASSES.index(LinearTrajectory)
    assert tables.entities.rows_of(line)[tables.entities.slot_of[entity]] == path._row
    assert (tables.entities.rows_of(LINE_CLASSES.index(Velocity)) == -1).all()
