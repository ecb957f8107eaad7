"""The golden digests of the scenes: written anew after results were changed on purpose."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from ecsphys.verify.scenes import GOLDEN_DIGESTS, SCENES, digest_of

HELP = "write the digests of all scenes of ecsphys.verify, after a change of results that is meant"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """It has no options."""


def run(options: argparse.Namespace) -> int:
    """Write the digests; 1 if 1 thread and several disagree."""
    faults = 0
    digests = {}
    for name in SCENES:
        digests[name] = digest_of(name)
        for threads in (2, 4):
            if (other := digest_of(name, threads)) != digests[name]:
                print(f"{name}: {threads} threads give {other}, 1 gives {digests[name]}")
                faults += 1
    if not faults:
        path = Path(str(import_module("ecsphys.verify.scenes").__file__))
        path.write_text(renewed(path.read_text(encoding="utf-8"), digests), encoding="utf-8")
        print(f"{path}: {len(digests)} scenes")
    return int(faults > 0)


def renewed(source: str, digests: Mapping[str, str]) -> str:
    """The source of the scenes with these digests. A new scene may have any other text in their place."""
    for name, digest in digests.items():
        source = source.replace(f'@_scene("{GOLDEN_DIGESTS[name]}"', f'@_scene("{digest}"')
    return source
