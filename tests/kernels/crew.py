"""Work of many phases, shared by the members of a crew."""

from __future__ import annotations

from ecsphys.engine.kernels import Int64Rows, Int64s, kernel
from ecsphys.engine.threads.crew import Crew, finish_part, take_part, wait_until_done

WRONG, DONE = range(2)


@kernel
def run_phases(
    crew: Crew, member: int, counts: Int64s, at_once: int, marks: Int64Rows, found: Int64Rows, way: int
) -> None:
    """Mark the items of all phases; counts what is marked already, and what is not of the phase before."""
    to_do = 0
    for phase in range(counts.shape[0]):
        to_do += counts[phase]
        while True:
            first, end = take_part(crew, member, phase + 1, int(counts[phase]), at_once)
            if first == end:
                break
            for item in range(first, end):
                if marks[phase, item] != 0:
                    found[member, WRONG] += 1
                marks[phase, item] += 1
                found[member, DONE] += 1
            if phase > 0:
                for item in range(counts[phase - 1]):
                    if marks[phase - 1, item] != 1:
                        found[member, WRONG] += 1
            finish_part(crew, member, end - first)
        wait_until_done(crew, to_do, way)
