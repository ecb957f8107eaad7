"""``spawn_many`` and ``despawn_many`` against loops of esper's own functions, and ``many`` against constructors."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import esper
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ecsphys
from ecsphys import (
    CircleCollider,
    CollisionFilter,
    Component,
    Disabled,
    Parent,
    PolygonCollider,
    Solid,
    Transform,
    Velocity,
    column,
    despawn_many,
    join,
    spawn_many,
)
from ecsphys.components.collision.polygon_collider import VERTEX_POOL
from ecsphys.components.store.many import add_many

TRIANGLE = ((0.0, 0.0), (2.0, 0.0), (0.0, 1.0))
SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


ANYTHING: Any = Transform()


class Name:
    def __init__(self, text: str) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Name) and other.text == self.text

    __hash__ = None  # type: ignore[assignment]


class Marker(Component):
    pass


class Level(Component):
    height: int = column(default=1, low=0, high=9)
    flags: int = column(default=7, dtype="uint32")
    weight: float = column(above=0.0, default=1.0)

    def double(self) -> int:
        return 2 * self.height


def state() -> tuple[Any, ...]:
    """All that esper keeps of a world's entities, in its order."""
    return (
        {entity: dict(content) for entity, content in esper._entities.items()},
        list(esper._entities),
        [list(content) for content in esper._entities.values()],
        {cls: set(owners) for cls, owners in esper._components.items()},
        list(esper._components),
        set(esper._dead_entities),
    )


@pytest.mark.parametrize("asked", [False, True])
def test_spawning_many_leaves_esper_as_a_loop_does(asked: bool) -> None:
    x = np.linspace(-1.0, 1.0, 7)
    states = []
    for world in ("loop", "many"):
        esper.switch_world(world)
        for i in range(3):
            esper.create_entity(Transform(i), Velocity())
        if asked:
            join(Transform)
        listed = esper.get_component(Transform)
        if world == "loop":
            for i in range(7):
                esper.create_entity(
                    Velocity(x[i], 2.0), Transform(1.0), CircleCollider(0.5), Marker(), Name(str(i)), Level(i)
                )
        else:
            entities = spawn_many(
                7,
                Velocity.many(x, 2),
                Transform.many(x=1.0),
                CircleCollider.many(radius=0.5),
                Marker.many(),
                [Name(str(i)) for i in range(7)],
                Level.many(range(7)),
            )
            assert entities.dtype == np.int64
            assert entities.tolist() == list(range(4, 11))
        assert esper.get_component(Transform) is not listed
        esper.create_entity(Marker())
        states.append(state())
    assert states[0] == states[1]


def test_what_was_spawned_is_in_the_rows_and_arrays_at_once() -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(100), CircleCollider(1))
    esper.process(1.0)
    entities = spawn_many(10, Transform.many(np.arange(10.0)), Velocity.many(x=1.0), CircleCollider.many(0.4))
    assert join(Velocity)[0].tolist() == entities.tolist()
    esper.process(1.0)
    assert len(physics.debug.colliders) == 11
    assert Transform.column("x")[join(Transform, Velocity)[1]].tolist() == [1.0 + i for i in range(10)]
    despawn_many(entities[:5])
    assert len(join(Velocity)[0]) == 10
    esper.process(1.0)
    assert len(physics.debug.colliders) == 6
    despawn_many(entities[5:], immediate=True)
    assert join(Velocity)[0].size == 0


def test_spawned_components_are_like_any_other() -> None:
    entities = spawn_many(100, Level.many(height=3, weight=np.arange(1.0, 101.0)))
    components = [esper.component_for_entity(entity, Level) for entity in entities.tolist()]
    assert components == [Level(3, weight=1.0 + i) for i in range(100)]
    assert len({component._row for component in components}) == 100
    components[5].height = 4
    assert components[5].double() == 8
    live = Level._columns.live_rows
    components.clear()
    despawn_many(entities, immediate=True)
    esper.clear_database()
    assert Level._columns.live_rows == live - 100


def test_rows_of_the_dead_are_used_before_new_ones() -> None:
    instances = [Marker() for _ in range(50)]
    high_water = Marker._columns.high_water
    del instances
    spawn_many(50, Marker.many())
    assert Marker._columns.high_water == high_water


def test_polygons_share_an_outline_or_have_their_own() -> None:
    same = spawn_many(3, PolygonCollider.many(SQUARE, radius=[0.1, 0.2, 0.3]))
    own = spawn_many(2, PolygonCollider.many(vertices=[TRIANGLE, SQUARE[::-1]], angle=1.0))
    arrays = spawn_many(1, PolygonCollider.many(np.array([TRIANGLE])))
    polygons = [esper.component_for_entity(entity, PolygonCollider) for entity in (*same, *own, *arrays)]
    assert polygons == [
        *(PolygonCollider(SQUARE, radius) for radius in (0.1, 0.2, 0.3)),
        PolygonCollider(TRIANGLE, angle=1.0),
        PolygonCollider(SQUARE[::-1], angle=1.0),
        PolygonCollider(TRIANGLE),
    ]
    polygons[0].vertices = TRIANGLE
    assert polygons[1].vertices == SQUARE
    runs = [i for polygon in polygons for i in range(polygon._start, polygon._start + polygon._count)]
    assert len(set(runs)) == len(runs)
    normals = VERTEX_POOL.data[polygons[1]._start : polygons[1]._start + 4, 2:].T
    assert normals.tolist() == [[0.0, 1.0, 0.0, -1.0], [-1.0, 0.0, 1.0, 0.0]]


@pytest.mark.usefixtures("no_garbage")
@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Transform.many(x=[0.0, math.nan]), ValueError, r"^Transform\.x must be finite, got nan at index 1$"),
        (lambda: Transform.many(y=math.inf), ValueError, r"^Transform\.y must be finite, got inf$"),
        (lambda: CircleCollider.many(np.array([1.0, 0.0, -1.0])), ValueError, "greater than 0, got 0.0 at index 1$"),
        (lambda: CircleCollider.many(["1", 2.0]), TypeError, r"radius must be a number, got '1' .* at index 0$"),
        (lambda: CircleCollider.many("12"), TypeError, r"radius must be a number, got '12'"),
        (lambda: CircleCollider.many([1.0, None]), TypeError, r"radius must be a number, got None .* at index 1$"),
        (lambda: CircleCollider.many(), TypeError, r"^CircleCollider\.many\(\) needs radius"),
        (lambda: CircleCollider.many(1.0, radius=2.0), TypeError, "got radius twice"),
        (lambda: CircleCollider.many(1.0, z=2.0), TypeError, "has no argument 'z' .it has: radius, offset_x, offset_y"),
        (lambda: Transform.many(1, 2, 3, 4), TypeError, "takes at most 3 values by position, got 4"),
        (lambda: Transform.many(np.zeros((2, 2))), ValueError, r"Transform\.x must be one number or a one-dim"),
        (lambda: Level.many(height=[1, 2.0]), TypeError, r"Level\.height must be an integer, got 2\.0 .* at index 1$"),
        (lambda: Level.many(height=np.array([1.0])), TypeError, r"Level\.height must be an integer"),
        (lambda: Level.many(height=np.array([3, 10])), ValueError, r"Level\.height must be at least 0 .* at index 1$"),
        (lambda: Level.many(flags=[2**32]), ValueError, r"Level\.flags must be between 0 and .* at index 0$"),
        (lambda: PolygonCollider.many(), TypeError, "needs vertices"),
        (lambda: PolygonCollider.many(SQUARE, _start=3), TypeError, "has no argument '_start'"),
        (lambda: PolygonCollider.many([SQUARE, SQUARE[:2]]), ValueError, r"vertices\[1\] must have 3 to 16"),
        (lambda: PolygonCollider.many(SQUARE[:2]), ValueError, r"^PolygonCollider\.vertices must have 3 to 16"),
        (lambda: PolygonCollider.many(3), TypeError, r"^PolygonCollider\.vertices must be points"),
        (lambda: Component.many(), TypeError, "Component has no many"),
        (lambda: spawn_many(2, Transform.many(x=[1.0, 2.0, 3.0])), ValueError, "x has 3 values for 2 entities"),
        (lambda: spawn_many(2, PolygonCollider.many([SQUARE])), ValueError, "has 1 outlines for 2 entities"),
        (lambda: spawn_many(2, Transform.many(), Transform.many()), TypeError, "only one component of a class"),
        (lambda: spawn_many(2, Transform.many(), [Name("a")]), ValueError, "1 instances for 2 entities"),
        (lambda: spawn_many(2, [Name("a"), Solid()]), TypeError, "of one class, got Name, Solid"),
        (lambda: spawn_many(2, ANYTHING), TypeError, r"as Class\.many\(\.\.\.\) or as a sequence of instances"),
        (lambda: spawn_many(-1, Transform.many()), ValueError, "at least 0, got -1"),
        (lambda: spawn_many(ANYTHING), TypeError, r"whole number, got Transform\("),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_before_anything_is_created(
    make: Callable[[], Any], error: type[Exception], message: str
) -> None:
    esper.create_entity(Transform())
    before, live = state(), Transform._columns.live_rows + CircleCollider._columns.live_rows
    with pytest.raises(error, match=message):
        make()
    assert state() == before
    assert Transform._columns.live_rows + CircleCollider._columns.live_rows <= live
    assert esper.create_entity() == 2


def test_a_component_with_a_constructor_of_its_own_is_given_as_instances() -> None:
    class Timer(Component):
        end: float = 0.0

        def __init__(self, seconds: float) -> None:
            self._fill(seconds * 2)

    with pytest.raises(TypeError, match=r"Timer has no many\(\): give spawn_many a list of instances"):
        Timer.many(1.0)
    entities = spawn_many(2, [Timer(1.0), Timer(2.0)])
    assert [esper.component_for_entity(entity, Timer).end for entity in entities.tolist()] == [2.0, 4.0]


NUMBERS = st.one_of(
    st.floats(),
    st.integers(-(2**70), 2**70),
    st.booleans(),
    st.sampled_from([None, "1", 1j, Fraction(1, 3), np.float32(0.1), np.int8(3), np.uint64(2**64 - 1), np.bool_(True)]),
)


@given(st.lists(NUMBERS, min_size=1, max_size=5), st.sampled_from(["height", "flags", "weight"]))
def test_many_takes_and_refuses_what_the_constructor_does(values: list[Any], name: str) -> None:
    try:
        expected: Any = [getattr(Level(**{name: value}), name) for value in values]
    except (TypeError, ValueError) as error:
        expected = type(error)
    try:
        given: Any = Level.many(**{name: values}).values[name].tolist()
    except (TypeError, ValueError) as error:
        given = type(error)
    assert given == expected


def test_components_without_fields_have_many_too() -> None:
    walls = spawn_many(3, Transform.many(), Solid.many())
    ghosts = spawn_many(2, Transform.many(), Disabled.many())
    assert [entity for entity, _ in esper.get_component(Solid)] == walls.tolist()
    assert [entity for entity, _ in esper.get_component(Disabled)] == ghosts.tolist()
    assert {type(one) for _, one in esper.get_component(Solid)} == {Solid}


def test_a_layer_is_given_to_many_as_one_value_or_several() -> None:
    class Layer(enum.IntFlag):
        PLAYER, ENEMY, WALL = 1, 2, 4

    filters = CollisionFilter.many(Layer.PLAYER | Layer.WALL, [Layer.ENEMY, Layer.WALL])
    entities = spawn_many(2, Transform.many(), filters)
    found = [esper.component_for_entity(int(entity), CollisionFilter) for entity in entities]
    assert [(one.layers, one.mask) for one in found] == [(5, 2), (5, 4)]


def test_an_array_is_read_when_it_is_given() -> None:
    x = np.arange(3.0)
    many = Transform.many(x)
    x[:] = math.nan
    spawn_many(3, many)
    assert Transform.column("x")[join(Transform)[1]].tolist() == [0.0, 1.0, 2.0]


def test_none_at_all_changes_nothing() -> None:
    before = state()
    assert spawn_many(0, Transform.many(), []).tolist() == []
    despawn_many([])
    despawn_many([], immediate=True)
    assert state() == before
    assert spawn_many(2).tolist() == [1, 2]
    assert esper.components_for_entity(2) == ()
    assert esper._entities[1] is not esper._entities[2]


@pytest.mark.parametrize("immediate", [False, True])
@pytest.mark.parametrize("asked", [False, True])
def test_despawning_many_leaves_esper_as_a_loop_does(immediate: bool, asked: bool) -> None:
    states = []
    for world in ("loop", "many"):
        esper.switch_world(world)
        entities = spawn_many(10, Transform.many(), [Name(str(i)) for i in range(10)])
        esper.create_entity(Parent(1), CollisionFilter())
        spawn_many(3, Velocity.many())
        if asked:
            join(Transform, Velocity)
        if world == "loop":
            for entity in (*entities.tolist()[::2], 12):
                esper.delete_entity(entity, immediate=immediate)
        else:
            despawn_many([*entities[::2], 12], immediate=immediate)
        states.append(state())
        esper.process()
        assert len(join(Transform)[0]) == 5
        assert join(Velocity)[0].tolist() == [13, 14]
        states[-1] = (*states[-1], *state())
    assert states[0] == states[1]


def test_a_missing_entity_is_named_and_nothing_is_deleted() -> None:
    entities = spawn_many(5, Transform.many())
    before = state()
    for immediate in (False, True):
        with pytest.raises(KeyError, match="entity 99 does not exist"):
            despawn_many([*entities, 99, 77], immediate=immediate)
        with pytest.raises(TypeError):
            despawn_many([1.5], immediate=immediate)  # type: ignore[list-item]
    assert state() == before


def test_an_entity_may_be_named_twice_and_be_marked_already() -> None:
    entities = spawn_many(5, Transform.many()).tolist()
    esper.delete_entity(entities[0])
    despawn_many([entities[0], entities[1], entities[1]])
    despawn_many([entities[1], entities[2], entities[2]], immediate=True)
    esper.process()
    assert join(Transform)[0].tolist() == entities[3:]


class Full(set[int]):
    def update(self, *others: Iterable[int]) -> None:
        super().update(*others)
        raise MemoryError


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 100])
@pytest.mark.parametrize("asked", [False, True])
def test_components_added_together_are_those_of_a_loop(count: int, asked: bool) -> None:
    entities = [esper.create_entity(Transform(k)) for k in range(count)]
    if asked:
        join(Transform, Velocity)
    add_many(entities, Velocity)
    assert [entity for entity, _ in esper.get_components(Transform, Velocity)] == entities
    assert join(Transform, Velocity)[0].tolist() == entities
    assert all(esper.component_for_entity(entity, Velocity) == Velocity() for entity in entities)
    assert len({esper.component_for_entity(entity, Velocity)._row for entity in entities}) == count


def test_of_what_there_is_no_memory_for_nothing_is_added() -> None:
    before, *entities = (esper.create_entity(Transform(k)) for k in range(10))
    esper.add_component(before, Velocity())
    esper._components[Velocity] = Full(esper._components[Velocity])
    with pytest.raises(MemoryError):
        add_many(entities, Velocity)
    assert [entity for entity, _ in esper.get_components(Transform, Velocity)] == [before]
    assert not any(esper.has_component(entity, Velocity) for entity in entities)


def test_what_there_is_no_memory_for_is_not_created_in_part() -> None:
    before = esper.create_entity(Transform(), Velocity())
    esper._components[Velocity] = Full(esper._components[Velocity])
    with pytest.raises(MemoryError):
        spawn_many(3, Transform.many(), Velocity.many(), CircleCollider.many(1.0))
    assert list(esper._entities) == [before]
    assert esper._components == {Transform: {before}, Velocity: {before}}
    assert [entity for entity, _ in esper.get_component(Transform)] == [before]
