"""``python -m ecsphys check module:function``: the findings of ``physics.debug.check()`` for a function's world."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from ecsphys.command import run_command
from ecsphys.systems.physics import Physics


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the findings. Exit codes: 0 for none, 1 for findings, 2 for a bad call, 130 if interrupted."""
    parser = argparse.ArgumentParser("python -m ecsphys")
    check = parser.add_subparsers(required=True, metavar="check").add_parser(
        "check", help="make a world and list the mistakes in it"
    )
    check.add_argument("function", metavar="module:function", help="makes the world and returns its Physics")
    target = parser.parse_args(arguments).function
    return run_command(lambda: _check(target), "ecsphys: interrupted")


def _check(target: str) -> int:
    sys.path.insert(0, os.getcwd())
    module, _, name = target.partition(":")
    function = getattr(import_module(module), name, None) if name else None
    physics = function() if callable(function) else None
    if not isinstance(physics, Physics):
        print(f"ecsphys: {target!r} must name a function that returns a Physics, got {physics!r}", file=sys.stderr)
        return 2
    findings = physics.debug.check()
    for finding in findings:
        print(finding)
    print(f"{len(findings) or 'no'} finding{'' if len(findings) == 1 else 's'}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
