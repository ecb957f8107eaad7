"""Arrays handed out to the game: as long as anybody could write through one, steps look at what it may have changed."""

from __future__ import annotations

import gc
import math

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import CircleCollider, Component, Transform, Velocity
from ecsphys.components.store.column_leases import ColumnLeases, LeaseWatch


def test_a_lease_ends_with_the_last_view_of_its_array() -> None:
    leases = ColumnLeases()
    array = leases.grant(np.arange(6.0))
    part = array[2:][::2].reshape(2, 1)
    assert leases.any_alive()
    del array
    gc.collect()
    assert leases.any_alive()
    part[0, 0] = 9.0
    del part
    assert not leases.any_alive()


def test_the_array_is_the_block_itself() -> None:
    block = np.zeros(4)
    ColumnLeases().grant(block[1:])[0] = 7.0
    assert block.tolist() == [0.0, 7.0, 0.0, 0.0]


def test_leases_that_are_over_are_forgotten_though_nobody_asks() -> None:
    leases = ColumnLeases()
    for _ in range(10_000):
        leases.grant(np.zeros(1))
    assert leases.count == 10_000
    assert len(leases._arrays) < 64


def test_each_watch_hears_of_every_lease_once_and_of_one_that_lives_on_every_time() -> None:
    leases = ColumnLeases()
    first, second = LeaseWatch(leases), LeaseWatch(leases)
    assert not first.may_have_changed()
    leases.grant(np.zeros(1))
    assert first.may_have_changed()
    first.look()
    assert not first.may_have_changed()
    assert second.may_have_changed()
    kept = leases.grant(np.zeros(1))
    for _ in range(3):
        first.look()
        assert first.may_have_changed()
    del kept
    assert first.may_have_changed(), "it may have been written to since the last look"
    first.look()
    assert not first.may_have_changed()


def test_a_column_to_read_cannot_be_written_and_is_no_lease() -> None:
    transform = Transform(3.0)
    count = Transform._columns.leases.count
    column = Transform.column("x", writable=False)
    assert column[transform._row] == 3.0
    transform.x = 4.0
    assert column[transform._row] == 4.0
    with pytest.raises(ValueError, match="read-only"):
        column[transform._row] = 5.0
    assert Transform._columns.leases.count == count


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
    assert len(physics.proxies) == 1
    with pytest.raises(ValueError, match=rf"entity {entity}: Velocity\.x must be"):
        esper.process(0.1)


def test_a_bad_value_is_refused_step_after_step_until_it_is_mended() -> None:
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


def test_assignments_mark_the_rows_of_marked_classes_only() -> None:
    class Plain(Component):
        value: float = 0.0

    transform, plain = Transform(), Plain()
    Transform._columns.take_marks(np.array([transform._row]))
    assert transform._row not in Transform._columns.marked_rows()
    transform.angle = 1.0
    assert transform._row in Transform._columns.marked_rows()
    assert Transform._columns.take_marks(np.array([transform._row])).tolist() == [1]
    assert transform._row not in Transform._columns.marked_rows()
    plain.value = 2.0
    assert not Plain._columns.has_marks
    assert len(Plain._columns.marks) == 0


def test_what_moves_without_a_collider_is_not_looked_at_for_ever() -> None:
    ecsphys.install()
    esper.create_entity(Transform(), CircleCollider(1.0))
    bare = Transform()
    esper.create_entity(bare)
    for step in range(3):
        bare.x = float(step)
        esper.process(0.1)
    assert bare._row not in Transform._columns.marked_rows()
    own = esper.current_world
    esper.switch_world("another")
    elsewhere = Transform()
    esper.create_entity(elsewhere)
    elsewhere.x = 5.0
    esper.switch_world(own)
    bare.x = 9.0
    esper.process(0.1)
    assert bare._row not in Transform._columns.marked_rows()
    assert elsewhere._row in Transform._columns.marked_rows()
