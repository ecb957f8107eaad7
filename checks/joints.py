"""Joints and bodies that come, go and change at random, in two worlds by turns: every joint that goes without the game
taking it is told of, once; and none stays that holds nothing.
"""

from __future__ import annotations

import argparse
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
    for seed in range(options.seed, options.seed + options.worlds):
        found = play(seed, options.steps)
        if found is not None:
            print(f"--seed {seed} --worlds 1: {found}")
            return 1
    print(
        f"{options.worlds} pairs of worlds, {options.steps} steps each: no fault, {time.perf_counter() - start:.0f} s"
    )
    return 0


def play(seed: int, steps: int) -> str | None:
    """Play two worlds by turns; returns the fault, if there is any."""
    before = esper.current_world
    worlds = [JointedWorld(2 * seed + k) for k in range(2)]
    try:
        for _ in range(steps):
            for world in worlds:
                world.step()
    except FaultError as fault:
        return str(fault)
    finally:
        for world in worlds:
            world.close()
        esper.switch_world(before)
    return None
