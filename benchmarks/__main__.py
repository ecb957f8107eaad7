"""``python -m benchmarks``."""

import sys
from importlib.util import find_spec

NEEDED = ("pymunk", "pyb2d3", "matplotlib", "rich")


def run() -> int:
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        print(f"python -m benchmarks needs {', '.join(missing)}: pip install -e '.[bench]'", file=sys.stderr)
        return 2
    from benchmarks.command import main

    return main()


if __name__ == "__main__":
    sys.exit(run())
