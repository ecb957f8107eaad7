"""A crew: threads that run the same kernel on the same data, and share its phases.

Each member runs the same sequence of phases. Of each it takes parts that no other has taken, and it goes on when all
parts are done. So it waits for members at work, never for absent ones: if a member is late, or its core does something
else, others do its work meanwhile. One alone does it all.

The items of a phase are in as many *segments* as there are members. Each begins with its own, whose data its core has
from the phase before, and then helps others, from the other end: so it is the same few items that change cores.
"""

from __future__ import annotations

from typing import NamedTuple

from numpy import int64

from ecsphys.engine.kernels.array_types import Int64Rows
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.cache_lines import aligned_zeros
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.threads.shared_words import WORD_COLUMNS, exchange_word, give_way, load_word, rest, store_word

# After so many looks, some 200 µs, a waiting member lets others run: one that is at work may have lost its core.
_PATIENCE = 4000


# How a word of ``left`` is made: the number of a phase, and the first of the items left in it, and that after the last.
_BITS = 22
_MASK = (1 << _BITS) - 1

# A phase with more items is not for a crew. There may be half a million phases.
MOST_ITEMS = _MASK


@packed
class Crew(NamedTuple):
    """What members tell each other, in a row of WORD_COLUMNS for each: which items are ``left`` of its segment, and how
    many it has ``done``, of all phases. Both begin with zeros."""

    left: Int64Rows
    done: Int64Rows


def new_crew(members: int) -> Crew:
    """A crew of so many, which has done nothing yet."""
    left, done = (aligned_zeros(members, WORD_COLUMNS).view(int64) for _ in range(2))
    return Crew(left, done)


@scalar
def take_part(crew: Crew, member: int, phase: int, count: int, at_once: int) -> tuple[int, int]:
    """Take some of the ``count`` items of a phase, up to so many ``at_once``: the first, and that after the last;
    (0, 0) if none is left. Phases are numbered from 1 on.

    Of two segments side by side, one member begins at the start, the other at the end: they meet in the middle.
    """
    members = int(crew.left.shape[0])
    for turn in range(members):
        segment = member + turn
        if segment >= members:
            segment -= members
        size = at_once if turn == 0 else max(at_once >> 3, 1)
        takes_last = (segment & 1 == 1) == (turn == 0)
        start = count * segment // members
        stop = count * (segment + 1) // members
        while start < stop:
            word = load_word(crew.left, segment)
            first = start
            end = stop
            if word >> (2 * _BITS) >= phase:
                if word >> (2 * _BITS) > phase:
                    break
                first = (word >> _BITS) & _MASK
                end = word & _MASK
                if first == end:
                    break
            if takes_last:
                begin = max(end - size, first)
                if exchange_word(crew.left, segment, word, (phase << (2 * _BITS)) | (first << _BITS) | begin):
                    return begin, end
            else:
                after = min(first + size, end)
                if exchange_word(crew.left, segment, word, (phase << (2 * _BITS)) | (after << _BITS) | end):
                    return first, after
    return 0, 0


@scalar
def finish_part(crew: Crew, member: int, count: int) -> None:
    """Count so many items more as done."""
    store_word(crew.done, member, load_word(crew.done, member) + count)


@scalar
def wait_until_done(crew: Crew, count: int, way: int) -> None:
    """Wait until so many items are done, of all phases so far. ``way``: as of ``giving_way``."""
    looks = 0
    while True:
        done = 0
        for member in range(crew.done.shape[0]):
            done += load_word(crew.done, member)
        if done >= count:
            return
        looks += 1
        if looks < _PATIENCE:
            rest()
        else:
            give_way(way)
