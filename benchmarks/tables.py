"""The results as tables in Markdown, which read well in a terminal too."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from benchmarks.agreement import Agreement
from benchmarks.contest import Measurement
from benchmarks.targets import DRAWING_AIM, Outcome

if TYPE_CHECKING:
    from benchmarks.bodies import BodyOutcome, BodyScene
    from benchmarks.bullets import BulletsOutcome
    from benchmarks.calls import CallOutcome
    from benchmarks.drawing import DrawingOutcome
    from benchmarks.plain_c.measure import PlainCOutcome
    from benchmarks.quality import Answer
    from benchmarks.rays import RaysOutcome
    from benchmarks.snapshots import SnapshotOutcome
    from benchmarks.steps.changes import ChangeOutcome
    from benchmarks.steps.small_worlds import SmallWorldOutcome


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Columns as wide as their widest cell; all but the first are aligned on the right."""
    cells = [list(heads), *(list(row) for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(heads))]

    def line(row: Sequence[str]) -> str:
        first, *others = row
        padded = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))]
        return f"| {' | '.join(padded)} |"

    rule = "|".join(["-" * (widths[0] + 2), *(f"{'-' * (width + 1)}:" for width in widths[1:])])
    return "\n".join([line(cells[0]), f"|{rule}|", *(line(row) for row in cells[1:])])


def measurements_table(measurements: Iterable[Measurement]) -> str:
    """Times with the counts beside them, so that one sees whether the work was the same."""
    return table(
        ("scene", "entities", "system", "ms", "frames", "pairs", "hits", "starts", "ends"),
        (
            (
                found.workload,
                f"{found.count:,}",
                found.player + (" + handlers" if found.handlers else ""),
                f"{found.milliseconds:.3f}",
                str(found.frames),
                "" if found.pairs is None else f"{found.pairs:,.0f}",
                f"{found.hits:,.0f}",
                f"{found.starts:,.1f}",
                f"{found.ends:,.1f}",
            )
            for found in measurements
        ),
    )


def targets_table(outcomes: Iterable[Outcome]) -> str:
    return table(
        ("what", "at least", "aim", "measured", "met", "frames, ms"),
        (
            (
                outcome.target.what,
                _with_unit(outcome.target.at_least, outcome.target.unit),
                _with_unit(outcome.target.aim, outcome.target.unit),
                outcome.lacking
                if outcome.measured is None
                else _with_unit(_rounded(outcome.measured), outcome.target.unit),
                outcome.met,
                " / ".join(f"{time:.3f}" for time in outcome.times),
            )
            for outcome in outcomes
        ),
    )


def agreements_table(agreements: Iterable[Agreement]) -> str:
    return table(
        ("scene", "entities", "frames", "hits", "starts", "ends", "same as brute force"),
        (
            (
                agreement.workload,
                f"{agreement.count:,}",
                str(agreement.frames),
                f"{agreement.hits:,}",
                f"{agreement.starts:,}",
                f"{agreement.ends:,}",
                "yes" if agreement.agrees else "NO",
            )
            for agreement in agreements
        ),
    )


def plain_c_table(outcomes: Iterable[PlainCOutcome]) -> str:
    """Ours and plain C, and whether both found the same."""
    return table(
        ("circles", "ecsphys, ms", "plain C, ms", "ratio", "frames", "compared", "same as plain C"),
        (
            (
                f"{found.circles:,}",
                f"{found.ours:.3f}",
                f"{found.plain_c:.3f}",
                f"{found.ratio:.2f}",
                f"{found.frames:,}",
                str(found.compared),
                "yes" if found.agrees else "NO",
            )
            for found in outcomes
        ),
    )


def rays_table(found: RaysOutcome) -> str:
    """The times of the rays, and how many of them were compared."""
    return table(
        (
            "rays through",
            "colliders",
            "rays",
            "met",
            "batch, ms",
            "after a change, ms",
            "loop, ms",
            "ratio",
            "compared",
            "other",
        ),
        (
            (
                found.workload,
                f"{found.colliders:,}",
                f"{found.rays:,}",
                f"{found.met:,}",
                f"{found.batch:.2f}",
                f"{found.batch_after_a_change:.2f}",
                f"{found.loop:.1f}",
                f"{found.ratio:.1f}",
                f"{found.compared:,}",
                str(found.disagreeing),
            ),
        ),
    )


def drawing_table(outcomes: Iterable[DrawingOutcome]) -> str:
    """Python's time for the demo's scenes, and what of it is to be reached."""
    return table(
        ("scene", "frames", "step, ms", "drawing, ms", "frame, ms", "aim, ms", "met"),
        (
            (
                found.scene,
                str(found.frames),
                f"{found.step:.2f}",
                f"{found.drawing:.2f}",
                f"{found.frame:.2f}",
                f"{DRAWING_AIM:g}",
                "yes" if found.frame <= DRAWING_AIM else "no",
            )
            for found in outcomes
        ),
    )


def bullets_table(outcomes: Iterable[BulletsOutcome]) -> str:
    """The times of a step with bullets, and how many got out."""
    return table(
        ("bodies", "number", "obstacles", "step, ms", "of it sweeps, ms", "got out"),
        (
            (
                found.how,
                f"{found.bullets:,}",
                f"{found.obstacles:,}",
                f"{found.step:.2f}",
                f"{found.sweeps:.2f}",
                str(found.escaped),
            )
            for found in outcomes
        ),
    )


def snapshots_table(outcomes: Iterable[SnapshotOutcome]) -> str:
    """The microseconds of each call of snapshots."""
    return table(
        (
            "entities",
            "number",
            "hits",
            "take, µs",
            "restore, µs",
            "digest, µs",
            "to bytes, µs",
            "from bytes, µs",
            "bytes",
        ),
        (
            (
                found.what,
                f"{found.entities:,}",
                f"{found.contacts:,}",
                *(
                    f"{time:,.0f}"
                    for time in (found.take, found.restore, found.digest, found.to_bytes, found.from_bytes)
                ),
                f"{found.size:,}",
            )
            for found in outcomes
        ),
    )


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")


def _with_unit(value: float, unit: str) -> str:
    return f"{value:g} {unit}".rstrip()


def bodies_table(outcomes: Iterable[BodyOutcome]) -> str:
    """Steps of scenes of rigid bodies, ms each, and ours by theirs, with what is to be reached at least and at best."""
    return table(
        ("scene", "hits", "ecsphys, ms", "pyb2d3, ms", "pymunk, ms", "/ pyb2d3", "aim", "/ pymunk", "aim"),
        (
            (
                found.scene.name,
                f"{found.hits:,}",
                f"{found.ours:.2f}",
                f"{found.box2d:.2f}",
                f"{found.pymunk:.2f}",
                f"{found.ours / found.box2d:.2f}",
                _bounds(found.scene, 0),
                f"{found.ours / found.pymunk:.2f}",
                _bounds(found.scene, 1),
            )
            for found in outcomes
        ),
    )


def _bounds(scene: BodyScene, peer: int) -> str:
    """What a ratio to a peer should be, at least and at best."""
    if scene.at_least is None or scene.aim is None:
        return ""
    return f"{scene.at_least[peer]:g}, {scene.aim[peer]:g}"


def quality_table(answers: Iterable[Answer], engines: Sequence[str]) -> str:
    """How well bodies are solved; in brackets what misses its goal."""
    return table(
        ("scene", "at most", *engines),
        (
            (
                answer.question.name,
                answer.question.show(answer.question.most),
                *(
                    answer.question.show(value) if is_good else f"({answer.question.show(value)})"
                    for value, is_good in zip(answer.values, answer.good, strict=True)
                ),
            )
            for answer in answers
        ),
    )


def small_worlds_table(outcomes: list[SmallWorldOutcome]) -> str:
    """A step of small worlds, µs; the last row has the geometric mean of the ratios."""
    rows = [(found.name, f"{found.ours:.1f}", f"{found.pymunk:.1f}", f"{found.ratio:.2f}") for found in outcomes]
    mean = math.exp(sum(math.log(found.ratio) for found in outcomes) / len(outcomes))
    return table(
        ("small world", "ecsphys, µs", "pymunk, µs", "ratio"), [*rows, ("geometric mean", "", "", f"{mean:.2f}")]
    )


def changes_table(outcomes: Iterable[ChangeOutcome]) -> str:
    """One change per step, µs above an idle step."""
    return table(
        ("change in each step", "solid tiles", "idle step, µs", "above it, µs"),
        ((found.change, f"{found.tiles:,}", f"{found.idle:.1f}", f"{found.above:.0f}") for found in outcomes),
    )


def calls_table(outcomes: Iterable[CallOutcome]) -> str:
    """Single calls, µs each; the ratio is ours to pymunk's."""
    return table(
        ("call", "circles", "ecsphys, µs", "pymunk, µs", "pyb2d3, µs", "ratio"),
        (
            (
                found.call,
                f"{found.circles:,}",
                f"{found.ours:.2f}",
                f"{found.pymunk:.2f}",
                "" if found.box2d is None else f"{found.box2d:.2f}",
                f"{found.ours / found.pymunk:.2f}",
            )
            for found in outcomes
        ),
    )
