"""Joints and bodies that come, go and change at random, in two worlds by turns: every joint that goes without the game
taking it is told of, once; none stays that holds nothing; and nothing is NaN or grows faster and faster, be joints as
they may: of two worlds, one has joints with long arms, in loops that cannot hold, and gears in these.
"""

from __future__ import annotations

import argparse
import math
import time

import esper

from checks.jointed_world import FaultError, JointedWorld

HELP = "joints and bodies that come, go and change at random: what is told of joints, and what is left of them"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the check."""
    parser.add_argument("--worlds", type=int, default=200, help="pairs of worlds (%(default)s)")
    parser.add_argument("--steps", type=int, default=120, help="steps of each (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the first pair (%(default)s)")


def run(options: argparse.Namespace) -> int:
    """Play all worlds; 1 where a fault was found, with the seed that shows it again."""
    start = time.perf_counter()
    top_speed = 0.0
    for seed in range(options.seed, options.seed + options.worlds):
        found, speed = play(seed, options.steps)
        if found is not None:
            print(f"--seed {seed} --worlds 1: {found}")
            return 1
        top_speed = max(top_speed, speed)
    print(
        f"{options.worlds} pairs of worlds, {options.steps} steps each: no fault, highest speed {top_speed:.3g}, "
        f"{time.perf_counter() - start:.0f} s"
    )
    return 0


def play(seed: int, steps: int) -> tuple[str | None, float]:
    """Play two worlds by turns; returns the fault, if there is any, and the highest speed of a body."""
    before = esper.current_world
    worlds = [JointedWorld(2 * seed + k) for k in range(2)]
    try:
        for _ in range(steps):
            for world in worlds:
                world.step()
    except FaultError as fault:
        return str(fault), math.inf
    finally:
        for world in worlds:
            world.close()
        esper.switch_world(before)
    return None, max(world.top_speed for world in worlds)
