"""``join`` and ``component_rows`` against esper's own queries."""

from __future__ import annotations

import copy
from typing import Any

import esper
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecsphys import CircleCollider, Component, Gravity, Transform, Velocity, join
from ecsphys.components.store.component_table import component_rows

CLASSES = (Transform, Velocity, Gravity)


class Marker(Component):
    pass


class Motion(Component):
    x: float = 0.0
    y: float = 0.0


class Swift(Motion):
    pass


def expected(*classes: Any) -> list[tuple[int, ...]]:
    return sorted((entity, *(c._row for c in found)) for entity, found in esper.get_components(*classes))


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), max_size=30), st.sets(st.integers(1, 30)))
@settings(max_examples=60, deadline=None)
def test_join_is_espers_query_sorted_by_entity(wanted: list[tuple[bool, ...]], deleted: set[int]) -> None:
    esper.clear_database()
    for flags in wanted:
        esper.create_entity(*(cls() for cls, flag in zip(CLASSES, flags, strict=True) if flag))
    for entity in deleted & set(range(1, len(wanted) + 1)):
        esper.delete_entity(entity, immediate=True)
    for classes in ((Transform,), (Velocity, Transform), CLASSES, (Gravity, Gravity)):
        arrays = join(*classes)
        assert len(arrays) == 1 + len(classes)
        assert all(array.dtype == np.int64 and array.ndim == 1 for array in arrays)
        assert list(zip(*(array.tolist() for array in arrays), strict=True)) == expected(*classes)


def test_joined_rows_index_columns() -> None:
    movers = [(Transform(i), Velocity(10 * i)) for i in range(100)]
    esper.create_entity(Transform(-1))
    for pair in movers[::-1]:
        esper.create_entity(*pair)
    entities, transforms, velocities = join(Transform, Velocity)
    assert entities.tolist() == list(range(2, 102))
    Transform.column("x")[transforms] += Velocity.column("x")[velocities]
    assert [transform.x for transform, _ in movers] == [11.0 * i for i in range(100)]


def test_entities_are_sorted_whatever_the_order_of_attachment() -> None:
    entities = [esper.create_entity() for _ in range(5000)]
    rng = np.random.default_rng(1)
    for entity in rng.permutation(entities)[:2500].tolist():
        esper.add_component(entity, Velocity(entity))
    found, rows = component_rows(Velocity)
    assert (np.diff(found) > 0).all()
    assert len(found) == 2500
    assert np.array_equal(Velocity.column("x")[rows], found)


def test_join_sees_only_the_current_world() -> None:
    here = esper.create_entity(Transform(1))
    esper.switch_world("elsewhere")
    there = [esper.create_entity(Transform(2)) for _ in range(3)]
    assert join(Transform)[0].tolist() == there
    assert Transform.column("x")[join(Transform)[1]].tolist() == [2.0, 2.0, 2.0]
    esper.switch_world("nowhere")
    assert [array.shape for array in join(Transform, Velocity)] == [(0,), (0,), (0,)]
    assert here == 1


def test_a_marked_entity_counts_until_it_is_removed() -> None:
    entities = [esper.create_entity(Transform(), Velocity()) for _ in range(3)]
    esper.delete_entity(entities[1])
    assert join(Transform, Velocity)[0].tolist() == entities
    esper.clear_dead_entities()
    assert join(Transform, Velocity)[0].tolist() == [entities[0], entities[2]]


def test_markers_can_be_joined() -> None:
    esper.create_entity(Transform())
    marked = esper.create_entity(Transform(), Marker())
    assert join(Transform, Marker)[0].tolist() == [marked]


@pytest.mark.parametrize("cls", [int, "Transform", None, Component, Transform(), list[int]])
def test_only_column_components_can_be_joined(cls: Any) -> None:
    with pytest.raises(TypeError, match="join takes subclasses of Component"):
        join(Transform, cls)


def test_join_needs_a_class() -> None:
    with pytest.raises(TypeError, match="at least one"):
        join()


@pytest.mark.parametrize("stranger", [Swift(1), CircleCollider(1), object()])
def test_an_instance_under_an_alias_is_refused_by_name(stranger: Any) -> None:
    esper.create_entity(Velocity())
    entity = esper.create_entity()
    esper.add_component(entity, stranger, type_alias=Velocity)
    name = type(stranger).__name__
    with pytest.raises(TypeError, match=f"^entity {entity} has an instance of {name} as its Velocity .type_alias"):
        join(Velocity)


def test_a_subclass_under_its_own_class_is_no_instance_of_its_parent() -> None:
    esper.create_entity(Swift(1))
    assert join(Motion)[0].size == 0
    assert join(Swift)[0].size == 1


def test_a_copy_belongs_to_the_entity_it_is_attached_to() -> None:
    original = Transform(1)
    first = esper.create_entity(original)
    second = esper.create_entity(copy.copy(original))
    entities, rows = join(Transform)
    assert entities.tolist() == [first, second]
    assert rows[0] != rows[1]
