"""``python -m checks``: each check is a module with HELP, ``add_arguments`` and ``run``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from checks import (
    aarch64,
    bits,
    bodies,
    chains,
    geometry,
    golden,
    grid,
    interrupts,
    joints,
    lattices,
    rooms,
    soak,
    strikes,
    turning,
)
from checks.demo import command as demo
from checks.hostile import command as hostile
from checks.peers import command as peers
from checks.web import command as web

CHECKS = {
    "aarch64": aarch64,
    "bits": bits,
    "bodies": bodies,
    "chains": chains,
    "demo": demo,
    "geometry": geometry,
    "golden": golden,
    "grid": grid,
    "hostile": hostile,
    "interrupts": interrupts,
    "joints": joints,
    "lattices": lattices,
    "peers": peers,
    "rooms": rooms,
    "soak": soak,
    "strikes": strikes,
    "turning": turning,
    "web": web,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one check; its exit code, 1 where it found a fault."""
    parser = argparse.ArgumentParser("python -m checks", description="Long runs at random against independent answers.")
    commands = parser.add_subparsers(dest="check", required=True)
    for name, module in CHECKS.items():
        module.add_arguments(commands.add_parser(name, help=module.HELP, description=module.HELP))
    options = parser.parse_args(arguments)
    return int(CHECKS[options.check].run(options))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
