"""``python -m ecsphys.build``: make the machine code of a clone, after its sources have changed.

It needs numba, llvmlite and ziglang, which ``pip install -e '.[dev]'`` brings.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ecsphys.engine.compiler.build import build
from ecsphys.engine.compiler.targets import target_here


def main() -> None:
    """Build the library into the package."""
    argparse.ArgumentParser("python -m ecsphys.build", description="Build the machine code of ecsphys.").parse_args()
    build(target_here(), Path(__file__).parent)


if __name__ == "__main__":
    main()
