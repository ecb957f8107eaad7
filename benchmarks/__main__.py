"""``python -m benchmarks``."""

import sys
from importlib.util import find_spec

NEEDED = ("pymunk", "pyb2d3", "matplotlib", "rich")


def run() -> int:
    """Run the command; the exit code, 2 where a package of the extra is missing."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        print(f"python -m benchmarks needs {', '.join(missing)}: pip install -e '.[bench]'", file=sys.stderr)
        return 2
    from benchmarks.command import main

    try:
        return main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(run())
