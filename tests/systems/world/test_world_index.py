"""The world's index after any history of changes, against plain loops over esper's own answers."""

from __future__ import annotations

import copy
import random
from collections import Counter
from itertools import combinations
from typing import Any

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys.components import (
    COLLIDER_CLASSES,
    BallisticTrajectory,
    CircleCollider,
    CollisionFilter,
    Component,
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
from ecsphys.systems.world.world_index import FORCE_CLASSES, INDEXED_CLASSES, TRAJECTORY_CLASSES, WorldIndex

MAKERS: dict[type[Any], Any] = {
    Transform: Transform,
    Velocity: Velocity,
    Gravity: Gravity,
    LinearTrajectory: lambda: LinearTrajectory(0, 0, 1, 1),
    BallisticTrajectory: lambda: BallisticTrajectory(0, 0, 1, 1),
    CircleCollider: lambda: CircleCollider(1),
    PolygonCollider: lambda: PolygonCollider([(0, 0), (1, 0), (0, 1)]),
    CollisionFilter: CollisionFilter,
    Parent: lambda: Parent(1),
    Solid: Solid,
}
CLASSES = list(MAKERS)
BODIES: list[set[type[Any]]] = [set(), {Transform, CircleCollider}, {Transform, Velocity, PolygonCollider}]
MOVED: tuple[type[Any], ...] = (Transform, Velocity)
KNOWN: set[type[Any]] = {*CLASSES, *INDEXED_CLASSES}
WORLDS = ("one", "another")

Known = dict[type[Any], dict[int, Any]]


def attached() -> Known:
    """All components of the world as esper's queries answer, by class and entity."""
    return {cls: dict(esper.get_component(cls)) for cls in KNOWN}


def row_of(known: Known, cls: type[Any], entity: int) -> int:
    return known[cls][entity]._row if entity in known[cls] else -1


def expected_error(known: Known) -> type[Exception] | None:
    columns = [cls for cls in known if issubclass(cls, Component)]
    if any(type(instance) is not cls for cls in columns for instance in known[cls].values()):
        return TypeError
    if any(len(set(map(id, known[cls].values()))) < len(known[cls]) for cls in columns):
        return ValueError
    if any(known[a].keys() & known[b].keys() for a, b in combinations(TRAJECTORY_CLASSES, 2)):
        return ValueError
    return None


def assert_is_right(index: WorldIndex, known: Known) -> None:
    placed = sorted(known[Transform])
    paths = [(kind, e) for kind, cls in enumerate(TRAJECTORY_CLASSES) for e in sorted(known[cls]) if e in placed]
    place = {entity: i for i, (_, entity) in enumerate(paths)}
    assert index.trajectories.tolist() == [
        [kind, *(row_of(known, cls, entity) for cls in (TRAJECTORY_CLASSES[kind], *MOVED))] for kind, entity in paths
    ]
    forces = FORCE_CLASSES if any(known[cls] for cls in FORCE_CLASSES) else ()
    assert index.movers.T.tolist() == [
        [row_of(known, cls, entity) for cls in (*MOVED, *forces)]
        for entity in sorted(known[Velocity])
        if entity in placed and entity not in place
    ]
    proxies = index.proxies
    expected = [
        (
            entity,
            kind,
            row_of(known, Transform, entity),
            row_of(known, cls, entity),
            row_of(known, Velocity, entity),
            row_of(known, CollisionFilter, entity),
            place.get(entity, -1),
        )
        for entity in placed
        for kind, cls in enumerate(COLLIDER_CLASSES)
        if entity in known[cls]
    ]
    columns = (
        proxies.entity,
        proxies.collider,
        proxies.transform_row,
        proxies.collider_row,
        proxies.velocity_row,
        proxies.filter_row,
        proxies.trajectory,
    )
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == expected
    order = sorted({entity for entity, *_ in expected})
    assert proxies.body.tolist() == [order.index(entity) for entity, *_ in expected]
    assert index.solids.tolist() == sorted(known[Solid])
    for (entities, rows), cls in ((index.transforms, Transform), (index.children, Parent)):
        assert list(zip(entities.tolist(), rows.tolist(), strict=True)) == sorted(
            (entity, instance._row) for entity, instance in known[cls].items()
        )
    in_use = {cls: (entities.tolist(), rows.tolist()) for cls, entities, rows in index.in_use}
    assert in_use == {
        cls: (sorted(found), [found[entity]._row for entity in sorted(found)])
        for cls, found in known.items()
        if found and issubclass(cls, Component) and cls._columns.float_fields
    }


def assert_successors_are_right(old: WorldIndex, before: Known, new: WorldIndex, now: Known) -> None:
    successors = old.proxies.successors_in(new.proxies).tolist()
    places = list(zip(new.proxies.entity.tolist(), new.proxies.collider.tolist(), strict=True))
    for entity, kind, successor in zip(
        old.proxies.entity.tolist(), old.proxies.collider.tolist(), successors, strict=True
    ):
        cls = COLLIDER_CLASSES[kind]
        stays = all(now[c].get(entity) is before[c][entity] for c in (Transform, cls))
        assert successor == (places.index((entity, kind)) if stays else -1)
    was = [before[TRAJECTORY_CLASSES[k]] for k in old.trajectories[:, 0].tolist()]
    had = [next(c for c in cs.values() if c._row == row) for cs, row in zip(was, old.trajectories[:, 1], strict=True)]
    for source, (kind, row, _, _) in zip(old.trajectory_successors(new).tolist(), new.trajectories, strict=True):
        instance = next(c for c in now[TRAJECTORY_CLASSES[kind]].values() if c._row == row)
        assert source == next((i for i, other in enumerate(had) if other is instance), -1)


def repair(known: Known) -> None:
    """Take away what is attached under another class, what is on two entities, and second trajectories."""
    for cls, found in known.items():
        for entity, instance in found.items():
            several = sum(other is instance for other in found.values()) > 1
            if issubclass(cls, Component) and (type(instance) is not cls or several):
                esper.remove_component(entity, cls)
    for first, second in combinations(TRAJECTORY_CLASSES, 2):
        for entity in known[first].keys() & known[second].keys():
            esper.try_remove_component(entity, second)


def current_index(last: WorldIndex | None) -> WorldIndex:
    return last if last is not None and last.is_current() else WorldIndex()


class Game:
    """Does anything a game can do to its entities, at random, in two worlds; the physics looks now and then."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.spare: list[Any] = []
        self.indices: dict[str, tuple[WorldIndex, Known]] = {}
        self.refused: Counter[type[Exception]] = Counter()
        self.actions = (
            *(3 * [self.create, self.attach, self.take_away, self.delete]),
            *(self.attach_a_spare, self.exchange, self.share, self.put_back, self.finish_deletions, self.delete_half),
            *(self.attach_under_an_alias, self.switch_world, self.forget, self.ask_for_one_class),
        )

    def act(self) -> None:
        if self.random.random() < 0.01:
            esper.clear_database()
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

    def create(self) -> None:
        for _ in range(self.random.randint(1, 4)):
            classes = self.random.choice(BODIES) | set(self.random.sample(CLASSES, self.random.randint(0, 2)))
            esper.create_entity(*(MAKERS[cls]() for cls in CLASSES if cls in classes))

    def keep_or_forget(self, component: Any) -> None:
        if component is not None and self.random.random() < 0.5:
            self.spare.append(component)

    def attach(self) -> None:
        entity, cls = self.some_entity(), self.some_class()
        self.keep_or_forget(esper.try_component(entity, cls))
        esper.add_component(entity, MAKERS[cls]())

    def attach_a_spare(self) -> None:
        if self.spare:
            esper.add_component(self.some_entity(), self.random.choice(self.spare))

    def take_away(self) -> None:
        if chosen := self.some_component():
            remove = self.random.choice([esper.remove_component, esper.try_remove_component])
            self.keep_or_forget(remove(*chosen))

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

    def put_back(self) -> None:
        if chosen := self.some_component():
            esper.add_component(chosen[0], esper.remove_component(*chosen))

    def delete(self) -> None:
        esper.delete_entity(self.some_entity(), immediate=self.random.random() < 0.5)

    def finish_deletions(self) -> None:
        esper.clear_dead_entities()

    def delete_half(self) -> None:
        for entity in self.alive()[::2]:
            esper.delete_entity(entity, immediate=True)

    def attach_under_an_alias(self) -> None:
        cls: Any = self.random.choice([Transform, Velocity, CircleCollider])
        esper.add_component(self.some_entity(), Gravity(), type_alias=cls)

    def switch_world(self) -> None:
        esper.switch_world(self.random.choice(WORLDS))

    def forget(self) -> None:
        self.spare.clear()

    def ask_for_one_class(self) -> None:
        cls = self.some_class()
        found = dict(esper.get_component(cls))
        if issubclass(cls, Component) and any(type(instance) is not cls for instance in found.values()):
            with pytest.raises(TypeError, match="type_alias"):
                rows_of(cls)
            return
        rows = rows_of(cls)
        assert rows.entity.tolist() == sorted(found)
        if issubclass(cls, Component):
            assert all(instance is found[e] for e, instance in zip(sorted(found), rows.instances, strict=True))

    def look(self) -> None:
        old, before = self.indices.get(esper.current_world, (None, {}))
        now = attached()
        while error := expected_error(now):
            with pytest.raises(error):
                current_index(old)
            self.refused[error] += 1
            repair(now)
            now = attached()
        index = current_index(old)
        assert_is_right(index, now)
        if old is not None:
            assert_successors_are_right(old, before, index, now)
        self.indices[esper.current_world] = index, now


@pytest.mark.parametrize("seed", range(6))
def test_the_index_is_right_after_any_history(seed: int) -> None:
    game = Game(seed)
    game.switch_world()
    for _ in range(200):
        for _ in range(game.random.randint(0, 6)):
            game.act()
        game.look()
    assert game.refused[TypeError] > 10
    assert game.refused[ValueError] > 10


def test_what_physics_does_not_know_leaves_the_index_as_it_is() -> None:
    class Name:
        pass

    entity, other = (esper.create_entity(Transform(), CircleCollider(1)) for _ in range(2))
    index = WorldIndex()
    esper.create_entity(Name())
    esper.add_component(entity, Name())
    esper.add_component(entity, esper.remove_component(entity, Transform))
    assert index.is_current()
    assert WorldIndex().proxies.entity.tolist() == [entity, other]
    esper.add_component(entity, copy.copy(esper.component_for_entity(entity, Transform)))
    assert not index.is_current()


def test_a_cleared_database_needs_a_new_index_even_without_components() -> None:
    index = WorldIndex()
    esper.clear_database()
    assert not index.is_current()


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
    honest = esper.try_component

    def meddling(of: int, cls: type[Any]) -> Any:
        found = honest(of, cls)
        monkeypatch.setattr(esper, "try_component", honest)
        esper.delete_entity(entity, immediate=True)
        return found

    monkeypatch.setattr(esper, "try_component", meddling)
    rows_of(Transform)
    assert rows_of(Transform).entity.tolist() == [other]


def test_rows_of_a_class_do_not_change_under_whoever_holds_them() -> None:
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


def test_an_esper_that_passes_its_sets_by_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_with_an_esper_that_tells_nothing_hits_go_on_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(component_table, "_ESPER_TELLS_TABLES", False)
    physics = ecsphys.install()
    entities = [esper.create_entity(Transform(0.5 * i), CircleCollider(1.0)) for i in range(4)]
    esper.process(0.1)
    assert len(physics.started) == 6
    assert not any(isinstance(table, component_table.ComponentTable) for table in esper._components.values())
    esper.process(0.1)
    assert not len(physics.started)
    esper.create_entity(Transform(90.0))
    esper.process(0.1)
    assert not len(physics.started)
    assert not len(physics.ended)
    esper.add_component(entities[0], CircleCollider(1.0))
    esper.delete_entity(entities[3], immediate=True)
    esper.process(0.1)
    assert sorted(physics.ended.reason.tolist()) == ["despawned"] * 3 + ["removed"] * 2
    assert len(physics.started) == 2
