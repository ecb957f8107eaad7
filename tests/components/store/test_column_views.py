"""Arrays handed out to the game: while one lives, steps check what may have been written through it."""

from __future__ import annotations

import gc
import math

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import CircleCollider, Component, CompoundCollider, Transform, Velocity
from ecsphys.components.store.column_store import ColumnViews


def test_a_view_lives_as_long_as_any_view_of_it() -> None:
    views = ColumnViews()
    array = views.grant(np.arange(6.0))
    part = array[2:][::2].reshape(2, 1)
    assert views.any_alive()
    del array
    gc.collect()
    assert views.any_alive()
    part[0, 0] = 9.0
    del part
    assert not views.any_alive()


def test_the_array_is_the_block_itself() -> None:
    block = np.zeros(4)
    ColumnViews().grant(block[1:])[0] = 7.0
    assert block.tolist() == [0.0, 7.0, 0.0, 0.0]


def test_views_that_are_dead_are_forgotten_without_any_question() -> None:
    views = ColumnViews()
    for _ in range(10_000):
        views.grant(np.zeros(1))
    assert views.count == 10_000
    assert len(views._arrays) < 64


def test_living_views_are_all_kept_in_mind() -> None:
    views = ColumnViews()
    arrays = [views.grant(np.zeros(1)) for _ in range(100)]
    del arrays[:99]
    assert views.any_alive()
    arrays.clear()
    assert not views.any_alive()


def test_a_column_to_read_cannot_be_written_and_is_no_view() -> None:
    transform = Transform(3.0)
    count = Transform._columns.views.count
    column = Transform.column("x", writable=False)
    assert column[transform._row] == 3.0
    transform.x = 4.0
    assert column[transform._row] == 4.0
    with pytest.raises(ValueError, match="read-only"):
        column[transform._row] = 5.0
    assert Transform._columns.views.count == count


def test_a_bad_value_written_before_the_entity_joined_the_world_is_found_when_it_joins() -> None:
    ecsphys.install()
    loose = Velocity()
    Velocity.column("x")[loose._row] = math.nan
    esper.create_entity(Transform(), Velocity())
    esper.process(0.1)
    esper.process(0.1)
    entity = esper.create_entity(Transform(), loose)
    with pytest.raises(ValueError, match=rf"entity {entity}: Velocity\.x must be"):
        esper.process(0.1)


def test_a_bad_value_of_an_entity_that_was_looked_at_before_the_step_is_found() -> None:
    physics = ecsphys.install()
    loose = Velocity()
    Velocity.column("x")[loose._row] = math.nan
    esper.create_entity(Transform(), Velocity())
    esper.process(0.1)
    entity = esper.create_entity(Transform(), loose, CircleCollider(1.0))
    assert len(physics.debug.colliders) == 1
    with pytest.raises(ValueError, match=rf"entity {entity}: Velocity\.x must be"):
        esper.process(0.1)


def test_a_bad_value_is_refused_step_after_step_until_it_is_repaired() -> None:
    ecsphys.install()
    esper.create_entity(Transform(), velocity := Velocity())
    Velocity.column("y")[velocity._row] = math.inf
    for _ in range(3):
        with pytest.raises(ValueError, match=r"Velocity\.y must be"):
            esper.process(0.1)
    velocity.y = 1.0
    esper.process(0.1)


@pytest.mark.parametrize("speed", [1e308, -1e308])
def test_a_motion_beyond_the_range_of_numbers_is_refused_by_the_next_step(speed: float) -> None:
    ecsphys.install()
    entity = esper.create_entity(Transform(), Velocity(speed), CircleCollider(1.0))
    esper.process(1.0)
    esper.process(1.0)
    with pytest.raises(ValueError, match=rf"entity {entity}: Transform\.x must be"):
        esper.process(1.0)


def test_a_bad_value_written_into_a_loose_part_is_refused_when_its_compound_joins_the_world() -> None:
    ecsphys.install()
    esper.create_entity(Transform(), CircleCollider(1.0))
    esper.process(0.1)
    part = CircleCollider(1.0)
    CircleCollider.column("radius")[part._row] = math.nan
    esper.process(0.1)
    entity = esper.create_entity(Transform(), CompoundCollider([part]))
    with pytest.raises(ValueError, match=rf"entity {entity}: CircleCollider\.radius must be"):
        esper.process(0.1)


def test_assignments_set_the_dirty_flags_of_tracked_classes_only() -> None:
    class Plain(Component):
        value: float = 0.0

    transform, plain = Transform(), Plain()
    columns = Transform._columns
    columns.writes.collect()
    assert columns.dirty[transform._row] == 0
    transform.angle = 1.0
    assert columns.dirty[transform._row] == 1
    columns.writes.collect()
    assert columns.dirty[transform._row] == 0
    columns.mark_written(np.array([transform._row]))
    assert columns.dirty[transform._row] == 1
    plain.value = 2.0
    assert not Plain._columns.tracked
    assert len(Plain._columns.dirty) == 0


def test_flags_survive_the_growth_of_their_block() -> None:
    class Grown(Component, tracked=True):
        value: float = 0.0

    first = Grown()
    Grown._columns.writes.collect()
    first.value = 1.0
    others = [Grown() for _ in range(100)]
    others[-1].value = 1.0
    assert Grown._columns.capacity > 64
    cursor = Grown._columns.writes.collect()
    written = Grown._columns.writes.since(cursor - 1)
    assert sorted(written.rows.tolist()) == [first._row, others[-1]._row]


def test_what_moves_without_a_collider_is_looked_at_once() -> None:
    physics = ecsphys.install()
    placed = Transform()
    esper.create_entity(placed, CircleCollider(1.0))
    bare = Transform()
    esper.create_entity(bare)
    esper.process(0.1)
    changes = physics._state.placing.changes
    bare.x = 5.0
    esper.process(0.1)
    assert Transform._columns.dirty[bare._row] == 0
    assert physics._state.placing.changes == changes
    placed.x = 5.0
    esper.process(0.1)
    assert physics._state.placing.changes == changes + 1


def test_two_worlds_each_see_an_assignment() -> None:
    def world(name: str) -> tuple[ecsphys.Physics, Transform]:
        esper.switch_world(name)
        physics, place = ecsphys.install(), Transform(9.0)
        esper.create_entity(place, CircleCollider(1.0))
        esper.create_entity(Transform(), CircleCollider(1.0))
        esper.process(0.1)
        assert not physics.hits
        return physics, place

    name = esper.current_world
    first, place = world(name)
    second, other = world("another")
    place.x = other.x = 0.0
    for physics, where in ((second, "another"), (first, name)):
        esper.switch_world(where)
        esper.process(0.1)
        assert len(physics.hits.started) == 1
