"""``python -m ecsphys.build``: make the machine code of a clone, after its sources have changed.

It needs the tools that ``pip install -e '.[build]'`` brings. ``--wheels FOLDER`` makes the wheels of all platforms.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ecsphys.engine.compiler.build import build
from ecsphys.engine.compiler.targets import wanted_target
from ecsphys.wheels import build_wheels


def main() -> None:
    """Build the library into the package, or all wheels into a folder."""
    parser = argparse.ArgumentParser("python -m ecsphys.build", description="Build the machine code of ecsphys.")
    parser.add_argument("--wheels", metavar="FOLDER", type=Path, help="make the wheels of all platforms instead")
    folder = parser.parse_args().wheels
    if folder is None:
        build(wanted_target(), Path(__file__).parent)
    else:
        build_wheels(folder)


if __name__ == "__main__":
    main()
