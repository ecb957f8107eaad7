"""The table of golden digests: compared with this machine, or written anew after results were changed on purpose."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
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
    digests = {}
    for name in SCENES:
        digests[name] = digest_of(name)
        for threads in (2, 4):
            if (other := digest_of(name, threads)) != digests[name]:
                print(f"{name}: {threads} threads give {other}, 1 gives {digests[name]}")
                faults += 1
    if not faults:
        path = Path(str(import_module("ecsphys.verify.golden_digests").__file__))
        path.write_text(table_of(digests), encoding="utf-8")
        print(f"{path}: {len(digests)} scenes")
    return int(faults > 0)


def table_of(digests: Mapping[str, str]) -> str:
    """The source of the module with these digests."""
    lines = [f'    "{name}": "{digest}",\n' for name, digest in digests.items()]
    return "".join((_HEAD, *lines, "}\n"))
