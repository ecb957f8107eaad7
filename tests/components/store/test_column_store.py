"""Rows, growth and reuse of the blocks behind components, and of the vertex pool."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ecsphys.components.collision.polygon_collider import VertexPool, pool_rows
from ecsphys.components.store.column import column
from ecsphys.components.store.component import Component
from ecsphys.components.store.standing_blocks import while_blocks_stand


class Mixed(Component):
    """One field of every dtype, out of dtype order."""

    flags: int = column(default=7, dtype="uint32")
    weight: float = column(default=1.5, above=0.0)
    score: int = -3
    height: float = column(default=0.0, low=-1.0, high=1.0)


def test_each_dtype_has_one_contiguous_block_with_fields_in_declaration_order() -> None:
    keep = Mixed(0xFFFFFFFF, 2.5, -(2**63), -1.0)
    store = Mixed._columns
    assert store.names_in("float64") == ("weight", "height")
    assert store.names_in("int64") == ("score",)
    assert store.names_in("uint32") == ("flags",)
    for block, dtype, fields in ((store.float64, "f8", 2), (store.int64, "i8", 1), (store.uint32, "u4", 1)):
        assert block.dtype == dtype
        assert block.shape == (fields, store.capacity)
        assert block.flags.c_contiguous
    row = keep._row
    assert store.float64[:, row].tolist() == [2.5, -1.0]
    assert store.int64[0, row] == -(2**63)
    assert store.uint32[0, row] == 0xFFFFFFFF


def test_bounds_are_arrays_in_which_valid_means_between() -> None:
    store = Mixed._columns
    assert store.low.tolist() == [math.nextafter(0.0, 1.0), -1.0]
    assert store.high.tolist() == [np.finfo(np.float64).max, 1.0]


def test_rows_are_handed_out_in_order_and_the_last_freed_first() -> None:
    class Made(Component):
        x: float = 0.0

    made = [Made() for _ in range(4)]
    assert [each._row for each in made] == [0, 1, 2, 3]
    del made[1], made[2]
    assert Made._columns.live_rows == 2
    made += [Made() for _ in range(3)]
    assert [each._row for each in made] == [0, 2, 3, 1, 4]
    assert Made._columns.high_water == 5


def test_small_blocks_double_and_keep_their_values() -> None:
    class Made(Component):
        x: float
        n: int

    first = Made._columns.capacity
    made = [Made(i / 2, -i) for i in range(first + 1)]
    assert Made._columns.capacity == 2 * first
    assert Made.column("x").tolist() == [i / 2 for i in range(first + 1)]
    assert Made.column("n").tolist() == [-each for each in range(first + 1)]
    assert made[-1] == Made(first / 2, -first)


def test_large_blocks_grow_by_a_quarter() -> None:
    class Made(Component, tracked=True):
        x: float = 0.0

    store = Made._columns
    made, capacities = [], set()
    for _ in range(20_000):
        made.append(Made())
        capacities.add(store.capacity)
    large = sorted(capacity for capacity in capacities if capacity >= 4096)
    assert large[:3] == [4096, 5120, 6400]
    assert len(store.dirty) == store.capacity


def test_what_gathers_blocks_answers_with_the_same_object_until_a_block_is_replaced() -> None:
    class Grown(Component):
        size: float = 0.0

    gathered = []

    @while_blocks_stand
    def blocks() -> tuple[object]:
        gathered.append(Grown._columns.float64)
        return (gathered[-1],)

    keep = [Grown()]
    first = blocks()
    assert blocks() is first
    while Grown._columns.float64 is first[0]:
        assert blocks() is first
        keep.append(Grown())
    assert blocks() == (Grown._columns.float64,)
    assert blocks() is blocks()
    assert len(gathered) == 2
    pool, before = VertexPool(), blocks()
    for _ in range(len(pool.data) // 8 + 1):
        pool.allocate(8)
    assert blocks() is not before


def test_a_block_that_cannot_grow_stays_as_it_is() -> None:
    class Made(Component):
        x: float = 0.0

    made = Made(3.0)
    before = Made._columns.capacity, Made._columns.live_rows
    with pytest.raises(MemoryError):
        Made._columns.allocate_many(1 << 50)
    assert (Made._columns.capacity, Made._columns.live_rows) == before
    assert (made.x, Made(4.0).x) == (3.0, 4.0)


def test_ten_thousand_live_instances_keep_their_values_through_growth() -> None:
    class Grown(Component):
        x: float = 0.0
        n: int = 0

    early = Grown(-1.0, -1)
    capacity = Grown._columns.capacity
    instances = [Grown(i * 0.5, i) for i in range(10_000)]
    assert Grown._columns.capacity >= 10_001 > capacity
    assert all(instance.x == i * 0.5 and instance.n == i for i, instance in enumerate(instances))
    early.x = 8.0
    assert early == Grown(8.0, -1)
    assert Grown.column("x")[early._row] == 8.0


def test_a_hundred_thousand_short_lives_do_not_grow_the_block() -> None:
    class Brief(Component):
        x: float

    kept = [Brief(float(i)) for i in range(10)]
    capacity = Brief._columns.capacity
    for i in range(100_000):
        Brief(float(i))
    assert Brief._columns.high_water == 11
    assert Brief._columns.capacity == capacity
    assert [brief.x for brief in kept] == [float(i) for i in range(10)]


def test_a_bad_value_in_a_column_is_described_with_the_words_of_the_assignment() -> None:
    instances = [Mixed(), Mixed()]
    rows = np.array([instance._row for instance in instances])
    for name, value in (("weight", -1.0), ("height", 1.5), ("height", math.nan), ("weight", 0.0)):
        with pytest.raises(ValueError, match=r"^Mixed\.") as caught:
            setattr(instances[1], name, value)
        assert Mixed._columns.find_bad(rows) is None
        kept = Mixed.column(name)[rows[1]]
        Mixed.column(name)[rows[1]] = value
        assert Mixed._columns.find_bad(rows) == (1, str(caught.value))
        Mixed.column(name)[rows[1]] = kept


def test_a_run_of_vertices_serves_the_next_polygon_of_its_size() -> None:
    pool = VertexPool()
    triangle, square = pool.allocate(3), pool.allocate(4)
    assert (triangle, square, pool.high_water) == (0, 3, 7)
    pool.release(triangle, 3)
    assert pool.allocate(4) == 7
    assert pool.allocate(3) == triangle


def test_the_pool_grows_and_keeps_its_vertices() -> None:
    pool = VertexPool()
    shape = ((0.0, 0.0), (2.0, 0.0), (0.0, 1.0))
    starts = [pool.allocate(3) for _ in range(200)]
    for start in starts[:100]:
        pool.put(start, pool_rows(shape))
    while len(pool.data) < 2000:
        pool.allocate(16)
    assert pool.data.flags.c_contiguous
    assert all(pool.read(start, 3) == shape for start in starts[:100])


def test_the_pool_stores_outward_unit_normals() -> None:
    pool = VertexPool()
    for scale in (1e-300, 1e-9, 1.0, 1e300):
        start = pool.allocate(3)
        pool.put(start, pool_rows(((0.0, 0.0), (4.0 * scale, 0.0), (4.0 * scale, 3.0 * scale))))
        assert (
            pytest.approx(np.array([[0.0, -1.0], [1.0, 0.0], [-0.6, 0.8]]), abs=1e-15)
            == pool.data[start : start + 3, 2:]
        )
