"""``python -m checks demo``: all scenes under attack by turns, and a body of each in a hand that does not move."""

from __future__ import annotations

import argparse
import tempfile
import time
import traceback
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from checks.demo.still_hand import hold_still
from ecsphys.demo.display import NoOpenGLError, open_picture
from ecsphys.demo.scenes import SCENES, open_scene

if TYPE_CHECKING:
    from checks.demo.visit import Visit

HELP = "the demo's scenes under keys, clicks, drags, sizes and tools at random, inspected, recorded and replayed"

_SIZE = 2560, 1440
"""Of the off-screen surface: the largest picture."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the check."""
    parser.add_argument("--minutes", metavar="N", type=float, default=5.0, help="how long (%(default)s)")
    parser.add_argument("--seed", metavar="S", type=int, default=1, help="of the first scene (%(default)s)")
    parser.add_argument("--scene", metavar="NAME", action="append", choices=list(SCENES), help="only these scenes")
    parser.add_argument("--hold", action="store_true", help="only hold a body of each scene for 40 s, each scene once")


def run(options: argparse.Namespace) -> int:
    """Play until the time is over; 1 where a fault was found, 2 without OpenGL."""
    scenes = options.scene or list(SCENES)
    warnings.simplefilter("error")
    if options.hold:
        return _hold_all(scenes, options.seed)
    try:
        window = open_picture(headless=True, width=_SIZE[0], height=_SIZE[1])
    except NoOpenGLError as error:
        print(error)
        return 2
    # pyglet asks for a display as soon as its keys are imported, unless there is a picture off screen.
    from checks.demo.visit import Visit, attack

    start, faults = time.perf_counter(), 0
    visits: list[Visit] = []
    with tempfile.TemporaryDirectory() as folder:
        while time.perf_counter() - start < 60.0 * options.minutes:
            visit = Visit(scenes[len(visits) % len(scenes)], options.seed + len(visits) // len(scenes))
            visits.append(visit)
            try:
                attack(window, visit, Path(folder))
            except Exception as error:
                faults += 1
                text = "".join(traceback.format_exception(error, limit=-5))
                print(f"--seed {visit.seed} --scene {visit.scene}: {text}", flush=True)
    window.close()
    _tell(visits)
    acts, steps = sum(visit.acts for visit in visits), sum(visit.steps for visit in visits)
    print(
        f"{len(visits)} visits, {acts:,} acts, {steps:,} steps, {sum(visit.is_replayed for visit in visits)} replayed,"
        f" {time.perf_counter() - start:.0f} s: {faults} faults"
    )
    return 1 if faults else 0


def _tell(visits: list[Visit]) -> None:
    for name in dict.fromkeys(visit.scene for visit in visits):
        of_scene = [visit for visit in visits if visit.scene == name]
        slowest = max(visit.slowest for visit in of_scene)
        most = max(visit.most_entities for visit in of_scene)
        print(f"{name:<12} at most {most:>6} entities, {slowest:7.2f} ms for a step")


def _hold_all(scenes: list[str], seed: int) -> int:
    """Hold a body of each scene that has some."""
    faults = 0
    for name in scenes:
        live = open_scene(name)
        has_bodies = live.layout.has_bodies
        live.close()
        if not has_bodies:
            continue
        try:
            print(f"{name:<12} at most {hold_still(name, seed):.2f} units from the mouse", flush=True)
        except Exception as error:
            faults += 1
            print(
                f"--hold --seed {seed} --scene {name}: {''.join(traceback.format_exception(error, limit=-3))}",
                flush=True,
            )
    return 1 if faults else 0
