"""The parts of ``python -m benchmarks --steps``."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence

from benchmarks.steps.at_rest import measure_at_rest
from benchmarks.steps.changes import measure_changes
from benchmarks.steps.extras import measure_extras, measure_queries
from benchmarks.steps.figures import StepFigure
from benchmarks.steps.frames import measure_circles, measure_rigid
from benchmarks.steps.rooms import measure_rooms
from benchmarks.steps.small_worlds import measure_small_worlds
from benchmarks.steps.turns import Effort
from benchmarks.steps.unchanged_step import measure_memory, measure_unchanged_step

PARTS: dict[str, Callable[[Effort], list[StepFigure]]] = {
    "small": measure_small_worlds,
    "rest": measure_at_rest,
    "changes": measure_changes,
    "rooms": measure_rooms,
    "extras": measure_extras,
    "queries": measure_queries,
    "calls": measure_unchanged_step,
    "memory": measure_memory,
    "circles": measure_circles,
    "bodies": measure_rigid,
}


def measure_steps(
    effort: Effort, chosen: Sequence[str] = tuple(PARTS), tell: Callable[[str], None] = lambda _: None
) -> list[StepFigure]:
    """The figures of the chosen parts, in the order of :data:`PARTS`; ``tell`` is told which is being measured."""
    found: list[StepFigure] = []
    for name, measure in PARTS.items():
        if name in chosen:
            tell(name)
            gc.collect()
            found += measure(effort)
    return found
