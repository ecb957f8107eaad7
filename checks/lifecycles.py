"""Random lifecycles against a simple model: after every step the hits are those that brute force finds in a copy.

A world lives for some hundred steps, with a few operations between two of them. Several worlds take turns. A fault
names its world's seed: ``--seed`` with ``--worlds 1`` repeats it.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback

import numpy as np

from checks.lifecycle_world import LifecycleWorld
from ecsphys.warmup import warm_up

HELP = "random lifecycles of entities, components, joints and worlds against hits found by brute force"

_TURNING = 3
_STEPS_OF_A_WORLD = 150
_MOST_AT_ONCE = 12
_MOST_FAULTS = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the check."""
    parser.add_argument("--operations", metavar="N", type=int, default=100_000, help="how many (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the first world (%(default)s)")
    parser.add_argument("--worlds", type=int, default=_TURNING, help="how many take turns (%(default)s)")


def run(options: argparse.Namespace) -> int:
    """Play until the operations are made; 1 where there was a fault."""
    warm_up()
    begun = time.monotonic()
    random = np.random.default_rng((options.seed, 2))
    operations = steps = made = 0
    faults: list[str] = []
    counts: dict[str, int] = {}
    playing: list[LifecycleWorld] = []
    while operations < options.operations and len(faults) < _MOST_FAULTS:
        if len(playing) < options.worlds:
            playing.append(LifecycleWorld(f"lifecycles {made}", options.seed + made))
            made += 1
        world = playing[int(random.integers(len(playing)))]
        try:
            world.enter()
            for _ in range(int(world.random.integers(_MOST_AT_ONCE + 1))):
                world.change()
                operations += 1
            world.step()
            world.check_books()
            world.check_whole()
            steps += 1
            is_over = world.steps >= _STEPS_OF_A_WORLD
        except Exception as error:
            is_over = True
            notes = "".join(traceback.format_exception(error, limit=-4))
            last = ", ".join(world.made[-12:])
            faults.append(f"--seed {world.seed} --worlds 1, step {world.steps}, after {last}: {notes}")
            print(faults[-1], flush=True)
        if is_over:
            playing.remove(world)
            for name in world.made:
                counts[name] = counts.get(name, 0) + 1
            world.close()
            if made % 100 == 0:
                print(f"{operations:,} operations, {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    for world in playing:
        world.close()
    print(", ".join(f"{name} {count:,}" for name, count in sorted(counts.items())))
    print(
        f"{operations:,} operations, {steps:,} steps of {made:,} worlds from seed {options.seed},"
        f" {time.monotonic() - begun:.0f} s: {len(faults)} faults"
    )
    return 1 if faults else 0
