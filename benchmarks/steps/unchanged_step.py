"""What an unchanged step does in Python, and what memory a collider needs."""

from __future__ import annotations

import sys
from types import FrameType

import esper

import ecsphys
from benchmarks.memory import measure_bytes_per_collider
from benchmarks.steps.figures import StepFigure
from benchmarks.steps.own_world import own_worlds, step
from benchmarks.steps.turns import Effort
from ecsphys import CircleCollider, Transform, Velocity

_MOST_CALLS, _MOST_FILES, _MOST_BYTES = 25, 10, 350
_STEPS = 100


def measure_unchanged_step(effort: Effort) -> list[StepFigure]:
    """Python calls of a step of two circles, and the files that they are in."""
    with own_worlds():
        ecsphys.install()
        for x in (0.0, 1.0):
            esper.create_entity(Transform(x, 0.0), Velocity(), CircleCollider(1.0))
        for _ in range(_STEPS):
            step()
        files: list[str] = []

        def note(frame: FrameType, event: str, _: object) -> None:
            if event == "call" and frame.f_code is not step.__code__:
                files.append(frame.f_code.co_filename)

        before = sys.getprofile()
        sys.setprofile(note)
        try:
            step()
        finally:
            sys.setprofile(before)
    return [
        StepFigure("Python calls of a step of two circles", len(files), most=_MOST_CALLS, unit="calls"),
        StepFigure("files of these calls", len(set(files)), most=_MOST_FILES, unit="files"),
    ]


def measure_memory(effort: Effort) -> list[StepFigure]:
    """Bytes of the library's arrays for a collider of a swarm."""
    count = effort.sizes[-1]
    return [
        StepFigure(
            f"arrays for each of {count:,} colliders", measure_bytes_per_collider(count), most=_MOST_BYTES, unit="bytes"
        )
    ]
