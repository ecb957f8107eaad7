"""How large kept buffers are."""

from __future__ import annotations

from ecsphys.engine.kernels import Capacity


def test_a_buffer_grows_at_once_with_room_for_more() -> None:
    room = Capacity()
    assert room.choose(1000, 1000) == 1000
    assert room.choose(1001, 1000) > 1100


def test_a_buffer_shrinks_to_the_most_of_a_while_in_which_a_quarter_was_enough() -> None:
    room = Capacity(patience=5)
    chosen = [room.choose(needed, 1_000_000) for needed in (10, 20_000, 7, 0, 12)]
    assert chosen[:4] == [1_000_000] * 4
    assert 20_000 <= chosen[4] < 30_000


def test_one_large_filling_begins_the_while_anew() -> None:
    room = Capacity(patience=3)
    for needed in (10, 10, 250_000, 10, 10):
        assert room.choose(needed, 1_000_000) == 1_000_000
    assert room.choose(10, 1_000_000) < 1_000_000


def test_small_buffers_stay_as_they_are() -> None:
    room = Capacity(patience=1)
    assert room.choose(0, 1000) == 1000
