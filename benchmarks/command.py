"""``python -m benchmarks``: its options and its course."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benchmarks.agreement import check_agreement
from benchmarks.bodies import measure_bodies
from benchmarks.bullets import measure_bullets
from benchmarks.calls import measure_calls
from benchmarks.contest import Contest, Entry
from benchmarks.drawing import measure_drawing
from benchmarks.ecsphys_player import EcsphysPlayer
from benchmarks.memory import instance_bytes, measure_bytes_per_collider
from benchmarks.path_plots import save_path_plots
from benchmarks.paths import BEFORE, Paths, play_paths
from benchmarks.peers.box2d import Box2D
from benchmarks.peers.double_loop import DoubleLoop
from benchmarks.peers.pymunk_batch import PymunkBatch
from benchmarks.peers.pymunk_plain import PymunkPlain
from benchmarks.plain_c.measure import measure_plain_c
from benchmarks.player import Player
from benchmarks.plots import save_plots
from benchmarks.quality import QUESTIONS, ask
from benchmarks.rays import measure_rays
from benchmarks.report import Report
from benchmarks.rigid.box2d_world import Box2DWorld
from benchmarks.rigid.ecsphys_world import EcsphysWorld
from benchmarks.rigid.pymunk_world import PymunkWorld
from benchmarks.snapshots import measure_snapshots
from benchmarks.startup import measure_startup
from benchmarks.steps.changes import SIZES as CHANGE_SIZES
from benchmarks.steps.changes import measure_changes
from benchmarks.steps.small_worlds import measure_small_worlds
from benchmarks.tables import (
    agreements_table,
    bodies_table,
    bullets_table,
    calls_table,
    changes_table,
    drawing_table,
    measurements_table,
    plain_c_table,
    quality_table,
    rays_table,
    small_worlds_table,
    snapshots_table,
    targets_table,
)
from benchmarks.targets import (
    INSTANCE,
    MEMORY,
    PLAIN_C_TARGETS,
    RAYS,
    START,
    Outcome,
    frame_targets,
    plain_c_outcomes,
)
from ecsphys.demo.display import NoOpenGLError
from ecsphys.demo.scenes.workloads import WORKLOADS

SIZES = (1_000, 10_000, 50_000, 100_000)
QUICK_SIZES = (1_000, 10_000)
PLOTS_FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"

# Beyond these a frame of theirs takes so long that nothing is learned from it.
_MOST_FOR_DOUBLE_LOOP = 1_000

# Box2D does not tell which shapes a contact had that ended because one was destroyed.
_WITHOUT_BOX2D = ("bullets", "churn")

# For each target.
_SECONDS, _QUICK_SECONDS = 6.0, 0.5

_MEMORY_COUNT = 100_000
_AGREEMENT_COUNT = 1_000


def players_of(scene: str, count: int) -> list[type[Player]]:
    """The players that can play a scene of that size."""
    players: list[type[Player]] = [EcsphysPlayer, PymunkBatch, PymunkPlain]
    if scene not in _WITHOUT_BOX2D:
        players.append(Box2D)
    if scene == "swarm_circles" and count <= _MOST_FOR_DOUBLE_LOOP:
        players.append(DoubleLoop)
    return players


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; the exit code, 1 where what is compared disagrees, or a bullet has got through a wall."""
    options = _parse(arguments)
    if options.rays:
        found = measure_rays()
        print(rays_table(found), end="\n\n")
        print(targets_table([Outcome(RAYS, 1.0 / found.ratio)]), end="\n\n")
        return 0 if found.disagreeing == 0 else 1
    if options.snapshots:
        print(snapshots_table(measure_snapshots()), end="\n\n")
        return 0
    if options.bullets:
        shot = measure_bullets()
        print(bullets_table(shot), end="\n\n")
        return 0 if shot[-1].escaped == 0 else 1
    if options.bodies:
        print(bodies_table(measure_bodies()), end="\n\n")
        return 0
    if options.quality:
        engines = (EcsphysWorld, Box2DWorld, PymunkWorld)
        answers = ask(QUESTIONS, engines, 0.1 if options.quick else 1.0)
        print(quality_table(answers, [engine.name for engine in engines]), end="\n\n")
        return 0 if all(answer.good[0] for answer in answers) else 1
    if options.paths is not None:
        played = play_paths()
        written = save_path_plots(Paths.read(BEFORE), played, options.paths)
        if options.json is not None:
            played.write(options.json)
            written.append(options.json)
        for path in written:
            print(f"written: {path}")
        return 0
    if options.calls:
        print(calls_table(measure_calls()), end="\n\n")
        return 0
    if options.steps:
        brief = {"rounds": 3, "calls": 5} if options.quick else {}
        print(small_worlds_table(measure_small_worlds(**brief)), end="\n\n")
        sizes = (100, 1_000) if options.quick else CHANGE_SIZES
        print(changes_table(measure_changes(sizes, **brief)), end="\n\n")
        return 0
    if options.drawing:
        try:
            print(drawing_table(measure_drawing()), end="\n\n")
        except NoOpenGLError as error:
            print(f"nothing can be drawn: {error}", file=sys.stderr)
            return 1
        return 0
    if options.c:
        beside_c = measure_plain_c(tuple(PLAIN_C_TARGETS), _SECONDS)
        if beside_c is not None:
            print(plain_c_table(beside_c), end="\n\n")
        print(targets_table(plain_c_outcomes(beside_c)), end="\n\n")
        return 0 if beside_c is None or all(one.agrees for one in beside_c) else 1
    report = Report()
    with _Course() as course:
        if not options.targets:
            _play_scenes(
                report, options.scene or list(WORKLOADS), options.sizes, 0.12 if options.quick else 2.0, course
            )
        if not options.scene:
            _reach_targets(report, _QUICK_SECONDS if options.quick else _SECONDS, course)
    if report.agreements:
        print(agreements_table(report.agreements), end="\n\n")
    if report.measurements:
        print(measurements_table(report.measurements), end="\n\n")
    if report.beside_c:
        print(plain_c_table(report.beside_c), end="\n\n")
    if report.outcomes:
        print(targets_table(report.outcomes), end="\n\n")
    if options.json is not None:
        report.write(options.json)
        print(f"written: {options.json}")
    if options.plots is not None and report.measurements:
        for path in save_plots(report.measurements, options.plots):
            print(f"written: {path}")
    agrees = [agreement.agrees for agreement in report.agreements] + [found.agrees for found in report.beside_c]
    return 0 if all(agrees) else 1


class _Course:
    """Shows how far the run is, on stderr."""

    def __init__(self) -> None:
        columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
        self._console = Console(stderr=True)
        self._progress = Progress(*columns, console=self._console, transient=True)
        self._bar = self._progress.add_task("", total=0)
        self._total = 0

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._progress.stop()

    def expect(self, parts: int) -> None:
        """Tell that so many more parts are to come."""
        self._total += parts
        self._progress.update(self._bar, total=self._total)

    def say(self, text: str) -> None:
        """Tell what is being done; in lines where there is no terminal for a bar."""
        if self._console.is_terminal:
            self._progress.update(self._bar, description=text)
        else:
            print(text, file=sys.stderr, flush=True)

    def done(self) -> None:
        """Tell that a part is done."""
        self._progress.advance(self._bar)


def _play_scenes(report: Report, scenes: Sequence[str], sizes: Sequence[int], seconds: float, course: _Course) -> None:
    course.expect(len(scenes) * (1 + len(sizes)))
    for scene in scenes:
        recipe = WORKLOADS[scene]
        course.say(f"{scene}: comparing with brute force")
        report.agreements.append(check_agreement(recipe, _AGREEMENT_COUNT))
        course.done()
        for count in sizes:
            entries = [Entry(recipe, count, player) for player in players_of(scene, count)]
            with Contest(entries, course.say) as contest:
                course.say(f"{scene}, {count:,}: playing")
                report.measurements += contest.measure(seconds)
                contest.attach_handlers()
                report.measurements += contest.measure(seconds)
            course.done()


def _reach_targets(report: Report, seconds: float, course: _Course) -> None:
    targets = frame_targets(PymunkBatch, PymunkPlain)
    course.expect(len(targets) + 3)
    for wanted in targets:
        with Contest(wanted.entries, course.say) as contest:
            course.say(wanted.target.what)
            times = tuple(found.milliseconds for found in contest.measure(seconds))
        report.outcomes.append(Outcome(wanted.target, wanted.form(times), times))
        course.done()
    beside_c = measure_plain_c(tuple(PLAIN_C_TARGETS), seconds, course.say)
    report.outcomes += plain_c_outcomes(beside_c)
    report.beside_c += beside_c or ()
    course.done()
    course.say("cold and warm start")
    report.outcomes.append(Outcome(START, measure_startup()))
    course.done()
    course.say("memory")
    report.outcomes += [
        Outcome(MEMORY, measure_bytes_per_collider(_MEMORY_COUNT)),
        Outcome(INSTANCE, instance_bytes()),
    ]
    course.done()


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks", description="Frames of ecsphys beside those of its peers.")
    parser.add_argument("--quick", action="store_true", help="small sizes and few frames: within two minutes")
    parser.add_argument("--targets", action="store_true", help="only what the table of targets needs")
    parser.add_argument("--rays", action="store_true", help="only rays, beside a loop over pymunk's queries")
    parser.add_argument("--quality", action="store_true", help="only how well rigid bodies are solved, beside the same")
    parser.add_argument("--bodies", action="store_true", help="only rigid bodies, beside those of pyb2d3 and pymunk")
    parser.add_argument("--calls", action="store_true", help="only single calls, beside those of pymunk and pyb2d3")
    parser.add_argument("--steps", action="store_true", help="only small worlds beside pymunk's, and single changes")
    parser.add_argument("--c", action="store_true", help="only circles, beside plain C, each alone in a process")
    parser.add_argument("--drawing", action="store_true", help="only the demo's scenes: Python's time for a frame")
    parser.add_argument("--snapshots", action="store_true", help="only snapshots: taken, restored, compared, as bytes")
    parser.add_argument("--bullets", action="store_true", help="only bullets: what a step costs, and what gets through")
    parser.add_argument(
        "--paths",
        metavar="FOLDER",
        type=Path,
        nargs="?",
        const=PLOTS_FOLDER,
        help="only pictures of near misses and seams, before and after (in docs/pictures); --json writes the paths",
    )
    parser.add_argument("--scene", action="append", choices=list(WORKLOADS), help="only this one; can be repeated")
    parser.add_argument("--sizes", metavar="N,N,…", type=_sizes, help="numbers of entities")
    parser.add_argument("--json", metavar="PATH", type=Path, help="write the results to a file")
    parser.add_argument(
        "--plots", metavar="FOLDER", type=Path, nargs="?", const=PLOTS_FOLDER, help="save pictures (in docs/pictures)"
    )
    options = parser.parse_args(arguments)
    others = options.targets or options.scene or options.sizes or options.plots
    alone = [
        name
        for name in ("rays", "bodies", "quality", "calls", "c", "drawing", "bullets", "snapshots", "paths")
        if getattr(options, name)
    ]
    if len(alone) > 1 or (alone and (others or (options.json and options.paths is None))):
        parser.error(f"--{alone[0]} stands alone")
    if options.targets and (options.scene or options.sizes):
        parser.error("--targets stands alone: its scenes and sizes are given")
    options.sizes = options.sizes or (QUICK_SIZES if options.quick else SIZES)
    if options.json is not None and not options.json.absolute().parent.is_dir():
        parser.error(f"there is no folder {str(options.json.parent)!r}")
    return options


def _sizes(text: str) -> tuple[int, ...]:
    try:
        sizes = tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no list of whole numbers, as 1000,10000") from None
    if min(sizes) < 1:
        raise argparse.ArgumentTypeError("a size is at least 1")
    return sizes
