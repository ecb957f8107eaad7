"""``python -m ecsphys.verify``: compute scenes of every part, and compare them with the results of other machines."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Sequence
from importlib import import_module

import esper
import numpy as np

from ecsphys.command import run_command
from ecsphys.engine.kernels.compilation import library
from ecsphys.engine.threads.shared_work import core_count
from ecsphys.verify.scenes import GOLDEN_DIGESTS, SCENES, digest_of


def main(arguments: Sequence[str] | None = None) -> int:
    """Run scenes. Exit codes: 0 if all are the same, 1 if one differs, 2 for a bad call, 130 if interrupted."""
    parser = argparse.ArgumentParser(
        "python -m ecsphys.verify", description="Checks that this machine computes the same bits as all others."
    )
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help=f"default: all of {', '.join(SCENES)}")
    parser.add_argument("--threads", type=int, default=core_count(), help="default: the number of cores")
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.scenes if name not in SCENES]:
        parser.error(f"no scene is named {', '.join(unknown)}")
    if options.threads < 1:
        parser.error(f"--threads must be 1 or more, got {options.threads}")
    return run_command(lambda: _verify(options.scenes or list(SCENES), options.threads), "ecsphys.verify: interrupted")


def _verify(names: Sequence[str], threads: int) -> int:
    print(_machine(threads), flush=True)
    wrong = []
    start = time.perf_counter()
    for name in names:
        begun = time.perf_counter()
        found = digest_of(name, threads)
        is_same = found == GOLDEN_DIGESTS[name]
        if not is_same:
            wrong.append(name)
        verdict = "the same" if is_same else f"DIFFERS: {found} instead of {GOLDEN_DIGESTS[name]}"
        print(f"  {name:22} {verdict} ({time.perf_counter() - begun:.2f} s)", flush=True)
    seconds = time.perf_counter() - start
    if not wrong:
        print(f"All {len(names)} scenes have the same bits as on every other machine ({seconds:.1f} s).")
        return 0
    print(
        f"{len(wrong)} of {len(names)} scenes DIFFER: {', '.join(wrong)}. Worlds on this machine may drift apart from"
        " worlds on others. This is a fault of ecsphys: please report it with all lines above."
    )
    return 1


def _machine(threads: int) -> str:
    """The first line: the versions, the code and the platform, for a report."""
    code = library.choose(os.environ.get("ECSPHYS_CPU"))
    version = import_module("ecsphys").__version__
    return (
        f"ecsphys {version}, {code}, {threads} threads; {platform.system()} {platform.machine()},"
        f" Python {platform.python_version()}, numpy {np.__version__}, esper {esper.__version__}"
    )


if __name__ == "__main__":
    sys.exit(main())
