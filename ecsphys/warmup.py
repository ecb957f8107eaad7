"""``python -m ecsphys.warmup``: compile everything ahead, so a game never has to.

Use it in installers, images and loading screens. A second run finds everything compiled and ends at once.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from typing import Final

from ecsphys.command import run_command
from ecsphys.engine.kernels.compilation import COMPILES, Progress, all_kernels, kept_in, load_kernels

_BAR_LENGTH: Final = 24


def warm_up(progress: Progress | None = None) -> int:
    """Load every kernel of the package, and compile kernels that are not on disk yet. Later calls never wait.

    Parameters
    ----------
    progress
        Called as ``progress(done, total, name)`` after each kernel, for a loading screen. Without it, progress is
        printed on stderr.

    Returns
    -------
    int
        The number of kernels that were compiled.
    """
    return load_kernels(all_kernels(), progress)


def _show(done: int, total: int, name: str) -> None:
    # A line each: as readable in an installer's log as on a terminal.
    filled = _BAR_LENGTH * done // total
    print(f"[{'#' * filled}{'-' * (_BAR_LENGTH - filled)}] {done:>3}/{total}  {name}", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compile missing kernels and print their folders. Exit codes: 0, 1 if they are not kept, 130 if interrupted."""
    argparse.ArgumentParser("python -m ecsphys.warmup", description="Compile all of ecsphys ahead.").parse_args(
        arguments
    )
    return run_command(_warm_up_and_tell, "ecsphys: interrupted; compiled kernels are kept, and the next run continues")


def _warm_up_and_tell() -> int:
    if not COMPILES:
        print("ecsphys: nothing is compiled, because numba is missing or NUMBA_DISABLE_JIT is set", file=sys.stderr)
        return 1
    start = time.perf_counter()
    kernels = all_kernels()
    missing = sum(kept_in(kernel) is None for kernel in kernels)
    if missing:
        print(f"ecsphys: {missing} of {len(kernels)} kernels to compile", flush=True)
        warm_up(_show)
    folders = {kept_in(kernel) for kernel in kernels}
    if None in folders:
        print("ecsphys: the compiled code cannot be kept, because no folder is writable", file=sys.stderr)
        return 1
    done = f"compiled in {time.perf_counter() - start:.1f} s" if missing else "there already"
    print(f"ecsphys: all {len(kernels)} kernels are {done}; they are kept in {', '.join(sorted(map(str, folders)))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
