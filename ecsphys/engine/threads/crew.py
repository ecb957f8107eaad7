"""A crew: threads that run the same kernel on the same data, and share its phases.

Each member runs the same sequence of phases. Of each it takes parts that no other has taken, first those of its own
*segment* of the range, whose data its core has from the phase before, then what is left of others'; and it goes on when
all parts are done. So it waits for those who are at work, never for those who have not come: what a member would have
done that is late, or whose core does something else, others do meanwhile. One alone does it all.

Nothing is set back between phases: what is counted are all items of all phases, one after the other. ``opened`` is how
many there were before a phase.
"""

from __future__ import annotations

from typing import NamedTuple

from numpy import int64

from ecsphys.engine.kernels.array_types import Int64Rows
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.cache_lines import aligned_zeros
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.threads.shared_words import WORD_COLUMNS, exchange_word, give_way, load_word, rest, store_word

# After so many looks, some 50 µs, who waits lets others run: one that is at work may have lost its core.
_PATIENCE = 1000


@packed
class Crew(NamedTuple):
    """What members tell each other, in a row of WORD_COLUMNS for each: ``taken``, up to where the items of its segment
    are, and ``done``, how many it has done. Both begin with zeros."""

    taken: Int64Rows
    done: Int64Rows


def new_crew(members: int) -> Crew:
    """A crew of so many, which has done nothing yet."""
    taken, done = (aligned_zeros(members, WORD_COLUMNS).view(int64) for _ in range(2))
    return Crew(taken, done)


@scalar
def take_part(crew: Crew, member: int, opened: int, count: int, at_once: int) -> tuple[int, int]:
    """Take up to so many of the ``count`` items of a phase ``at_once``: the first, and that after the last; (0, 0) if
    none is left."""
    members = int(crew.taken.shape[0])
    for turn in range(members):
        segment = member + turn
        if segment >= members:
            segment -= members
        first = opened + count * segment // members
        end = opened + count * (segment + 1) // members
        taken = load_word(crew.taken, segment)
        while max(taken, first) < end:
            begin = max(taken, first)
            after = min(begin + at_once, end)
            if exchange_word(crew.taken, segment, taken, after):
                return begin - opened, after - opened
            taken = load_word(crew.taken, segment)
    return 0, 0


@scalar
def finish_part(crew: Crew, member: int, count: int) -> None:
    """Tell that so many items more are done."""
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
