"""Worlds with everything in them, opened, played for a while and closed, under attack; and the memory that it takes.

Some handlers raise; some steps are cut short, by an interrupt at any line of the package or at any place where Python
looks for signals, or by a failed allocation; some frames are taken back and played again; some demand more memory than
there is. After each step the hits are balanced, nothing is NaN, the tables have what esper has, and digests after a
restore are equal.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import math
import resource
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import esper
import numpy as np

import ecsphys
from checks.attacked_world import FaultError, require
from checks.interrupts import failing_allocation, raising_at_line
from checks.signal_places import Cut, raising_at_signal_place
from checks.soaked_world import SoakedWorld
from ecsphys import CircleCollider, Transform

HELP = "worlds with everything in them, opened, played under attack, taken back and closed; and their memory"

_WORLDS = 3
_FRAMES_OF_A_WORLD = 2000
_LINES = 2500
_PLACES = 3500
_ALLOCATIONS = 60

# One frame in so many.
_CUT, _RAISING, _BACK, _BYTES, _LIMIT = 60, 15, 40, 400, 500

# Entities that are too many, and the memory that is left for them.
_TOO_MANY = 400_000
_MEMORY_LEFT = 4 << 20


@dataclass
class Counts:
    """What was done until now."""

    frames: int = 0
    worlds: int = 0
    cut: int = 0
    taken_back: int = 0
    out_of_memory: int = 0
    faults: list[str] = field(default_factory=list)


def resident() -> float:
    """The memory of this process, MB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


@contextlib.contextmanager
def memory_limit(left: int) -> Iterator[None]:
    """Let this process have no more memory than it has, and ``left`` bytes."""
    limits = resource.getrlimit(resource.RLIMIT_AS)
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + left, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)


class Player:
    """Plays a world of a seed, frame by frame."""

    def __init__(self, seed: int, counts: Counts) -> None:
        self._random = np.random.default_rng((seed, 1))
        self._counts = counts
        self.world = SoakedWorld(f"soak {seed}", seed)
        self.seed = seed
        self.frames = 0
        self._cut_at: list[str] = []

    def play(self) -> bool:
        """One frame, or some; whether the world goes on."""
        world, random, counts = self.world, self._random, self._counts
        esper.switch_world(world.name)
        chance = random.random(5) * (_CUT, _RAISING, _BACK, _BYTES, _LIMIT) < 1.0
        before = counts.frames
        world.raises = bool(chance[1])
        world.play()
        if chance[0]:
            self._cut_short()
        world.step()
        world.raises = False
        world.check_whole()
        counts.frames += 1
        if chance[2] or chance[3]:
            frames = int(random.integers(1, 6))
            world.roll_back(frames, as_bytes=bool(chance[3]))
            counts.frames += 2 * frames
            counts.taken_back += 1
        if chance[4]:
            self._demand_too_much()
        self.frames += counts.frames - before
        return not world.is_over and self.frames < _FRAMES_OF_A_WORLD

    def tell_cut(self, error: Exception) -> None:
        """Add to an error where the last step was cut short that was."""
        error.add_note(f"the last step that was cut short was so at {self._cut_at}\n")

    def _cut_short(self) -> None:
        random, world = self._random, self.world
        kinds = (raising_at_line, _LINES), (raising_at_signal_place, _PLACES), (failing_allocation, _ALLOCATIONS)
        cutting, most = kinds[int(random.integers(len(kinds)))]
        try:
            with cutting(int(random.integers(1, most))) as self._cut_at:
                world.step()
        except (Cut, MemoryError):
            self._counts.cut += 1
        world.check_books()

    def _demand_too_much(self) -> None:
        """What memory does not suffice for has not happened."""
        # Numbers of entities may be used up; there is no end to them.
        before, components = set(esper._entities), {cls: set(of) for cls, of in esper._components.items()}
        rows = np.arange(float(_TOO_MANY))
        wanted = Transform.many(x=rows), CircleCollider.many(radius=1.0)
        try:
            with memory_limit(_MEMORY_LEFT):
                ecsphys.spawn_many(_TOO_MANY, *wanted)
        except MemoryError:
            self._counts.out_of_memory += 1
        else:
            raise FaultError("there was memory for too many entities")
        is_same = before == set(esper._entities) and components == esper._components
        require(is_same, "some of what there was no memory for has been created")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the check."""
    parser.add_argument("--frames", metavar="N", type=float, default=math.inf, help="how many frames")
    parser.add_argument("--seconds", metavar="S", type=float, default=math.inf, help="stop after as many seconds")
    parser.add_argument("--seed", type=int, default=1, help="of the first world (%(default)s)")
    parser.add_argument("--worlds", type=float, default=math.inf, help="how many worlds")


def run(options: argparse.Namespace) -> int:
    """Play until frames, seconds or worlds are over; 1 where there was a fault."""
    counts, begun = Counts(), time.monotonic()
    if min(options.frames, options.seconds, options.worlds) == math.inf:
        options.seconds = 60.0
    first: float | None = None
    players: list[Player] = []
    turn = 0

    def goes_on() -> bool:
        return counts.frames < options.frames and time.monotonic() - begun < options.seconds and len(counts.faults) < 10

    try:
        while goes_on() and (players or counts.worlds < options.worlds):
            if len(players) < min(_WORLDS, options.worlds - counts.worlds + len(players)):
                players.append(Player(options.seed + counts.worlds, counts))
                counts.worlds += 1
            turn = (turn + 1) % len(players)
            player = players[turn]
            try:
                alive = player.play()
            except Exception as error:
                alive = False
                player.tell_cut(error)
                notes = "".join(traceback.format_exception(error, limit=-6))
                counts.faults.append(f"--seed {player.seed} --worlds 1, frame {player.frames}: {notes}")
                print(counts.faults[-1], flush=True)
            if not alive:
                players.remove(player)
                player.world.close()
                turn = 0
                # As soon as each kind of thing has been there once.
                if first is None and counts.worlds > _WORLDS + 2:
                    gc.collect()
                    first = resident()
                if counts.worlds % 50 == 0:
                    print(f"{counts.frames:,} frames, {resident():.0f} MB", file=sys.stderr, flush=True)
    finally:
        for player in players:
            player.world.close()
    gc.collect()
    print(
        f"{counts.frames:,} frames of {counts.worlds:,} worlds from seed {options.seed}:"
        f" {counts.cut:,} steps cut short,"
        f" {counts.taken_back:,} times taken back, {counts.out_of_memory:,} times out of memory,"
        f" {first or resident():.0f} MB at the start, {resident():.0f} MB at the end,"
        f" {time.monotonic() - begun:.0f} s: {len(counts.faults)} faults"
    )
    return 1 if counts.faults else 0
