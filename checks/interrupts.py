"""Steps that are cut short, by an interrupt or a failed allocation, and the hits of the steps after them.

A world of every kind of collider, at rest and on the move, with bullets, parents, compounds, filters and listeners, is
changed and stepped; some steps end in the middle. After each step, cut short or not, the arrays of started and ended
hits must lead from the hits there were to those there are. After each whole one the hits must be those of brute force
in a copy of the world, and the events must have told of the same.
"""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from checks.attacked_world import AttackedWorld
from checks.signal_places import ROOTS, Cut, may_be_cut, place_of, raising_at_signal_place

HELP = "steps cut short by interrupts and failed allocations: the hits after them against brute force"


@contextlib.contextmanager
def raising_at_line(number: int, counts: Callable[[], bool] = lambda: True) -> Iterator[list[str]]:
    """Raise :class:`Cut` at the so-manieth line of the package that runs; yields where it was, if it was reached.

    Lines are counted while ``counts`` says so.
    Lines that only hold or release blocks or reset a flag are spared: Python looks for interrupts at calls and jumps,
    and there is none before they are done.
    """
    place: list[str] = []
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        if not may_be_cut(frame, ROOTS):
            return None
        if event == "line" and not place:
            line = f"{frame.f_code.co_filename}:{frame.f_lineno}"
            if line in _flag_lines() or not counts():
                return trace
            count += 1
            if count == number:
                place.append(line)
                raise Cut(line)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield place
    finally:
        sys.settrace(before)


def _flag_lines() -> frozenset[str]:
    """Lines that no interrupt can part from those before: they hold or release blocks, or reset a flag at the end."""
    global _FLAG_LINES
    if _FLAG_LINES is None:
        found = set()
        for root in ROOTS:
            for path in Path(root).rglob("*.py"):
                lines = path.read_text().splitlines()
                for number, line in enumerate(lines[1:], start=2):
                    text, follows = line.strip(), lines[number - 2].strip()
                    resets = follows == "finally:" and text.endswith(("= False", '= ""'))
                    if resets or text.startswith(("hold_blocks(", "release_blocks(", "HOLDERS.extend(", "make_all(")):
                        found.add(f"{path}:{number}")
        _FLAG_LINES = frozenset(found)
    return _FLAG_LINES


_FLAG_LINES: frozenset[str] | None = None


@contextlib.contextmanager
def interrupting_after(seconds: float) -> Iterator[list[str]]:
    """A true signal after some time, whose handler raises :class:`Cut` as that of Ctrl-C raises KeyboardInterrupt.

    Yields where it came, if it did.
    """
    place: list[str] = []

    def handle(_: int, frame: FrameType | None) -> None:
        place.append(place_of(frame))
        raise Cut

    before = signal.signal(signal.SIGALRM, handle)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield place
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


_ALLOCATORS = ("zeros", "empty", "empty_like", "full", "arange", "concatenate", "ones")


@contextlib.contextmanager
def failing_allocation(number: int) -> Iterator[list[str]]:
    """Let the so-manieth array that numpy is asked for be one for which there is no memory."""
    place: list[str] = []
    count = 0
    originals = {name: getattr(np, name) for name in _ALLOCATORS}

    def failing(name: str) -> Callable[..., Any]:
        def allocate(*values: Any, **named: Any) -> Any:
            nonlocal count
            count += 1
            if count == number:
                place.append(name)
                raise MemoryError(f"numpy.{name}, by {sys._getframe(1).f_code.co_qualname}")
            return originals[name](*values, **named)

        return allocate

    for name in _ALLOCATORS:
        setattr(np, name, failing(name))
    try:
        yield place
    finally:
        for name, original in originals.items():
            setattr(np, name, original)


def attack(world: AttackedWorld, cut: contextlib.AbstractContextManager[list[str]]) -> bool:
    """One step within ``cut``, which cuts it short, and the checks after it; whether it was cut short at all."""
    world.change()
    cause: BaseException | None = None
    place: list[str] = []
    try:
        with cut as place:
            world.step()
    except (Cut, MemoryError) as error:
        cause = error
    try:
        world.check_books()
        world.change()
        world.step()
        world.check_books()
        world.check_whole()
    except BaseException as fault:
        fault.add_note(f"after a step that was cut short: {type(cause).__name__} at {place}")
        raise fault from cause
    return cause is not None


def _tell_others(unraisable: Any) -> None:
    """Print what Python has to ignore, but for a cut within a finaliser."""
    if unraisable.exc_type is not Cut:
        sys.__unraisablehook__(unraisable)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--minutes", type=float, default=10.0, help="how long it runs (10)")
    parser.add_argument("--seed", type=int, default=1)


def run(arguments: argparse.Namespace) -> int:
    """Interrupt steps until the time is over; 0 without a fault."""
    sys.unraisablehook = _tell_others
    rng = np.random.default_rng(arguments.seed)
    end = time.monotonic() + 60.0 * arguments.minutes
    counts = {"lines": 0, "places": 0, "allocations": 0, "signals": 0}
    rounds = 0
    while time.monotonic() < end:
        seed = int(rng.integers(2**32))
        world = AttackedWorld(f"interrupts {rounds}", seed)
        rounds += 1
        try:
            for number in range(1, 400):
                line = int(rng.integers(1, 3000))
                counts["lines"] += attack(world, raising_at_line(line))
                place = int(rng.integers(1, 3000))
                counts["places"] += attack(world, raising_at_signal_place(place))
                counts["allocations"] += attack(world, failing_allocation(number % 60 + 1))
                pause = float(rng.uniform(2e-5, 2e-3))
                counts["signals"] += attack(world, interrupting_after(pause))
        except Exception:
            traceback.print_exc()
            print(f"fault in the world of seed {seed}", file=sys.stderr)
            return 1
        finally:
            world.close()
    print(f"{rounds} worlds, steps cut short: {counts}; no fault")
    return 0
