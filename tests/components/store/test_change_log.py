"""Logs of changes: each reader sees each change once, whatever the others read."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from ecsphys.components.store.change_log import EntityLog, WriteLog, Writes, WritesSince
from ecsphys.components.store.component import Component

MOST_ENTITIES = 1 << 16
MOST_WRITES = 64


class EntityReader:
    """Reads an EntityLog from where it stopped last."""

    def __init__(self, log: EntityLog) -> None:
        self.log = log
        self.cursor = log.revision
        self.seen: list[int] = []

    def read(self) -> None:
        noted = self.log.since(self.cursor)
        assert noted is not None
        self.cursor = self.log.revision
        self.seen += noted


def test_each_reader_sees_each_entity_once_and_in_order() -> None:
    chance = random.Random(1)
    log, noted = EntityLog(), []
    readers = [EntityReader(log) for _ in range(3)]
    for entity in range(1000):
        if chance.random() < 0.5:
            log.note(entity)
            noted.append(entity)
        else:
            log.note_all([entity, -entity])
            noted += [entity, -entity]
        if chance.random() < 0.3:
            chance.choice(readers).read()
    for reader in readers:
        reader.read()
        assert reader.seen == noted
        reader.read()
        assert reader.seen == noted
    assert log.revision == len(noted)


def test_a_reader_that_comes_later_sees_only_what_came_since() -> None:
    log = EntityLog()
    log.note(1)
    late = EntityReader(log)
    assert log.since(late.cursor) == []
    log.note(2)
    late.read()
    assert late.seen == [2]
    assert log.since(0) == [1, 2]


def test_a_list_that_was_read_does_not_grow() -> None:
    log = EntityLog()
    log.note(1)
    noted = log.since(0)
    log.note(2)
    assert noted == [1]


def test_to_a_cursor_before_the_oldest_entity_anything_may_have_changed() -> None:
    log = EntityLog()
    log.note_all(range(2 * MOST_ENTITIES - 1))
    assert log.since(0) is not None
    log.note(-1)
    assert log.revision == 2 * MOST_ENTITIES
    assert log.since(0) is None
    assert log.since(MOST_ENTITIES - 1) is None
    kept = log.since(MOST_ENTITIES)
    assert kept is not None
    assert kept == [*range(MOST_ENTITIES, 2 * MOST_ENTITIES - 1), -1]
    assert log.since(log.revision) == []


def test_an_entity_log_stays_short_while_its_revision_grows() -> None:
    log = EntityLog()
    reader = EntityReader(log)
    for _ in range(10):
        log.note_all(range(50_000))
        reader.read()
    assert log.revision == len(reader.seen) == 500_000
    assert len(log.entities) < 2 * MOST_ENTITIES


def new_class(tracked: bool = True) -> Any:
    class Tracked(Component, tracked=tracked):
        value: float = 0.0
        other: float = 0.0

    return Tracked


class WriteReader:
    """Reads a WriteLog from where it stopped last."""

    def __init__(self, log: WriteLog) -> None:
        self.log = log
        self.cursor = log.collect()

    def read(self) -> Writes:
        revision = self.log.collect()
        written = self.log.since(self.cursor)
        self.cursor = revision
        return written


def assert_nothing(written: Writes) -> None:
    assert not written.everything
    assert not written.stepped
    assert not written.rows.size


def test_to_a_new_reader_anything_may_have_been_written() -> None:
    log = new_class()._columns.writes
    assert log.since(-1).everything
    assert log.since(-1).stepped
    assert_nothing(log.since(log.collect()))


def test_each_reader_sees_each_assignment_once() -> None:
    cls = new_class()
    instances = [cls() for _ in range(50)]
    log = cls._columns.writes
    readers = [WriteReader(log) for _ in range(3)]
    unread: list[set[int]] = [set() for _ in readers]
    chance = random.Random(2)
    for _ in range(500):
        for instance in chance.sample(instances, chance.choice([0, 0, 1, 3, 20])):
            instance.value = chance.random()
            for rows in unread:
                rows.add(instance._row)
        which = chance.randrange(len(readers))
        written = readers[which].read()
        if written.everything:
            # It has not read for long.
            unread[which] = set()
            continue
        assert not written.stepped
        assert set(written.rows.tolist()) == unread[which]
        unread[which] = set()
        assert_nothing(readers[which].read())


@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 64, 100])
def test_the_rows_of_an_entry_are_those_assigned_to(count: int) -> None:
    cls = new_class()
    instances = [cls() for _ in range(150)]
    reader = WriteReader(cls._columns.writes)
    chosen = instances[-count:]
    for instance in chosen:
        instance.value = 1.0
        instance.other = 2.0
    assert reader.read().rows.tolist() == [instance._row for instance in chosen]
    assert not any(cls._columns.dirty)
    assert_nothing(reader.read())


def test_collecting_without_a_write_makes_no_entry() -> None:
    log = new_class()._columns.writes
    assert log.collect() == log.collect() == 0


def test_a_refused_assignment_is_no_write_that_matters() -> None:
    cls = new_class()
    instance = cls(1.0)
    reader = WriteReader(cls._columns.writes)
    with pytest.raises(ValueError, match="value"):
        instance.value = float("nan")
    assert set(reader.read().rows.tolist()) <= {instance._row}
    assert instance.value == 1.0


def test_rows_marked_by_a_system_are_told_as_assignments_are() -> None:
    cls = new_class()
    rows = np.array([instance._row for instance in [cls() for _ in range(20)]])
    reader = WriteReader(cls._columns.writes)
    cls._columns.mark_written(rows[::3])
    assert reader.read().rows.tolist() == rows[::3].tolist()


def test_assignments_in_a_class_that_is_not_tracked_are_not_told() -> None:
    cls = new_class(tracked=False)
    instance = cls()
    reader = WriteReader(cls._columns.writes)
    instance.value = 1.0
    assert_nothing(reader.read())


def test_each_reader_sees_a_dead_view_once_and_a_living_one_every_time() -> None:
    cls = new_class()
    cls()
    first, second = WriteReader(cls._columns.writes), WriteReader(cls._columns.writes)
    cls.column("value")
    assert first.read().everything
    assert_nothing(first.read())
    assert second.read().everything
    assert_nothing(second.read())
    kept = cls.column("value")
    for _ in range(3):
        assert first.read().everything
    part = kept[:]
    del kept
    assert first.read().everything
    del part
    assert first.read().everything, "it may have been written to since the last look"
    assert_nothing(first.read())
    assert second.read().everything
    assert_nothing(second.read())


def test_a_view_to_read_is_no_write() -> None:
    cls = new_class()
    cls()
    reader = WriteReader(cls._columns.writes)
    column = cls.column("value", writable=False)
    assert_nothing(reader.read())
    assert not column.flags.writeable


def test_views_are_told_of_a_class_that_is_not_tracked() -> None:
    cls = new_class(tracked=False)
    cls()
    reader = WriteReader(cls._columns.writes)
    cls.column("value")[0] = 1.0
    assert reader.read().everything
    assert_nothing(reader.read())


def test_a_step_is_told_once_to_each_reader_beside_the_rows() -> None:
    cls = new_class()
    instance = cls()
    log = cls._columns.writes
    first, second = WriteReader(log), WriteReader(log)
    log.note_step()
    written = first.read()
    assert written.stepped
    assert not written.everything
    assert not written.rows.size
    instance.value = 1.0
    log.note_step()
    for reader in (first, second):
        written = reader.read()
        assert written.stepped
        assert not written.everything
        assert written.rows.tolist() == [instance._row]
        assert_nothing(reader.read())


def test_several_entries_are_told_together() -> None:
    cls = new_class()
    instances = [cls() for _ in range(3)]
    log = cls._columns.writes
    reader = WriteReader(log)
    for instance in (instances[0], instances[2], instances[0]):
        instance.value = 1.0
        log.collect()
    assert sorted(reader.read().rows.tolist()) == [0, 0, 2]
    instances[1].value = 1.0
    log.collect()
    cls.column("value")
    written = reader.read()
    assert written.everything


def test_to_a_cursor_before_the_oldest_entry_everything_may_have_been_written() -> None:
    cls = new_class()
    instance = cls()
    log = cls._columns.writes
    old = log.collect()
    for _ in range(2 * MOST_WRITES - 1):
        instance.value = 1.0
        log.collect()
    assert not log.since(old).everything
    log.note_step()
    assert log.collect() == 2 * MOST_WRITES
    assert log.since(old).everything
    assert log.since(old).stepped
    assert log.since(MOST_WRITES - 1).everything
    written = log.since(MOST_WRITES)
    assert not written.everything
    assert written.stepped
    assert written.rows.tolist() == [instance._row] * (MOST_WRITES - 1)


def test_a_write_log_stays_short_while_its_revision_grows() -> None:
    cls = new_class()
    instance = cls()
    log = cls._columns.writes
    reader = WriteReader(log)
    for step in range(1000):
        instance.value = float(step)
        log.note_step()
        written = reader.read()
        assert (written.everything, written.stepped) == (False, True)
        assert written.rows.tolist() == [instance._row]
    assert log.collect() == 2000
    assert len(log._entries) < 2 * MOST_WRITES


def test_a_reader_that_asks_again_and_again_keeps_what_the_log_forgets() -> None:
    cls = new_class()
    instance = cls(1.0)
    log = cls._columns.writes
    first = log.collect()
    reader = WritesSince(log)
    instance.value = 2.0
    log.collect()
    for _ in range(3 * MOST_WRITES):
        assert reader.read(first).rows.tolist() == [instance._row]
        log.note_step()
    assert log.since(first).everything
    written = reader.read(first)
    assert written.stepped
    assert not written.everything
    assert reader.read(first) is written
    assert_nothing(reader.read(log.revision))
