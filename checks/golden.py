"""The table of golden digests: compared with this machine, or written anew after results were changed on purpose."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

from ecsphys.verify.scenes import SCENES, digest_of

HELP = "write the digests of all scenes of ecsphys.verify, after a change of results that is meant"

_HEAD = '''"""The digest of each scene, on every machine. ``python -m checks golden`` writes this file."""

from __future__ import annotations

from typing import Final

GOLDEN_DIGESTS: Final = {
'''


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """It has no options."""


def run(options: argparse.Namespace) -> int:
    """Write the table; 1 if 1 thread and several disagree."""
    faults = 0
    lines = []
    for name in SCENES:
        digest = digest_of(name)
        for threads in (2, 4):
            if (other := digest_of(name, threads)) != digest:
                print(f"{name}: {threads} threads give {other}, 1 gives {digest}")
                faults += 1
        lines.append(f'    "{name}": "{digest}",\n')
    if not faults:
        path = Path(str(import_module("ecsphys.verify.golden_digests").__file__))
        path.write_text(f"{_HEAD}{''.join(lines)}}}\n")
        print(f"{path}: {len(lines)} scenes")
    return int(faults > 0)
