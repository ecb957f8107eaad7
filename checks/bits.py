"""The same bits: a world of everything, run again under other conditions, has the same digest after each step.

Each run is a process of its own, so that hash seeds, threads and processors can differ.
"""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HELP = "run a world of everything in many ways, and compare its digests step by step"

_TESTS = Path(__file__).parent.parent / "tests"

# How the frames of each run cut time into pieces, in steps of 1/60 s.
_PIECES = {"steps": (1.0,), "halves": (0.5,), "thirds": (1 / 3, 2 / 3), "144 Hz": (60 / 144,), "30 Hz": (2.0,)}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this check."""
    parser.add_argument("--steps", type=int, default=600, help="steps of each run (600)")
    parser.add_argument(
        "--processors", nargs="*", default=["x86-64-v2"], help="ECSPHYS_CPU of further runs (x86-64-v2)"
    )
    parser.add_argument("--child", nargs=2, metavar=("KIND", "THREADS"), help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    """Run all; 1 where any digest differs."""
    if options.child:
        _be_child(options.steps, options.child[0], int(options.child[1]))
        return 0
    expected = _digests(options.steps, "steps", 1, {"PYTHONHASHSEED": "0"})
    faults = 0
    print(f"{options.steps} steps of a world of everything: {expected[-1]}")
    for name, steps, kind, threads, environment in _variants(options):
        begin = time.perf_counter()
        found = _digests(steps, kind, threads, environment)
        same = next((k for k, (a, b) in enumerate(zip(expected, found, strict=False)) if a != b), len(found))
        is_same = same == len(found) == steps
        faults += not is_same
        verdict = "the same" if is_same else f"DIFFERS from step {same + 1} on"
        print(f"  {name:40} {verdict} in {len(found)} steps ({time.perf_counter() - begin:.1f} s)", flush=True)
    return int(faults > 0)


def _variants(options: argparse.Namespace) -> list[tuple[str, int, str, int, dict[str, str]]]:
    steps = options.steps
    found: list[tuple[str, int, str, int, dict[str, str]]] = [
        ("once more", steps, "steps", 1, {"PYTHONHASHSEED": "0"}),
        ("hash seed 1", steps, "steps", 1, {"PYTHONHASHSEED": "1"}),
        ("hash seed at random", steps, "steps", 1, {"PYTHONHASHSEED": "random"}),
    ]
    found += [(f"{count} threads", steps, "steps", count, {}) for count in (2, 3, max(4, os.cpu_count() or 1))]
    found += [(f"frames: {kind}", steps, kind, 1, {}) for kind in _PIECES if kind != "steps"]
    found += [("after a restore in each tenth step", steps, "restores", 1, {})]
    found += [("from bytes, in a fresh world", steps, "bytes", 1, {})]
    found += [("beside other components and worlds", steps, "spares", 1, {})]
    for name in options.processors:
        found += [(f"the code for {name}", steps, "steps", 1, {"ECSPHYS_CPU": name})]
    return found


def _digests(steps: int, kind: str, threads: int, environment: dict[str, str]) -> list[str]:
    command = [sys.executable, "-m", "checks", "bits", "--steps", str(steps), "--child", kind, str(threads)]
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False, cwd=_TESTS.parent
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    return done.stdout.split()


def _be_child(steps: int, kind: str, threads: int) -> None:
    sys.path.insert(0, str(_TESTS))
    same_bits: Any = importlib.import_module("same_bits")
    found = same_bits.digests_of(steps, kind, threads, _PIECES.get(kind, (1.0,)))
    print("\n".join(f"{digest:016x}" for digest in found))
