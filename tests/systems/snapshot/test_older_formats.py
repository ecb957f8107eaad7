"""A saved world of an older version of ecsphys loads, and is the world that was saved."""

from __future__ import annotations

import platform
import sys
import zlib
from pathlib import Path

import esper
import pytest
from whole_world import DT, WholeWorld

from ecsphys.systems.snapshot import encoding
from ecsphys.types import Snapshot

# Written by the last version with format 3: the whole world after 30 steps, a body of the stack and of the heap gone.
SAVED = zlib.decompress((Path(__file__).parent / "format_3.zlib").read_bytes())
DIGEST = 0x33D74FF78E16506C
# The digest after 20 more steps in that version.
LATER = 0xCF48AF3CD81BAA49


def test_a_world_saved_in_format_3_has_the_digest_that_it_was_saved_with() -> None:
    world = WholeWorld(60)
    world.save_plain()
    world.physics.restore(Snapshot.from_bytes(SAVED))
    assert world.physics.digest() == DIGEST


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or platform.machine() != "x86_64", reason="pinned for another platform"
)
def test_a_world_saved_in_format_3_goes_on_as_in_the_version_that_saved_it() -> None:
    world = WholeWorld(60)
    world.save_plain()
    world.physics.restore(Snapshot.from_bytes(SAVED))
    for _ in range(20):
        esper.process(DT)
    assert world.physics.digest() == LATER


def test_other_formats_are_refused_by_number() -> None:
    for number in (2, encoding.FORMAT + 1):
        other = SAVED[:8] + number.to_bytes(4, "little") + SAVED[12:]
        with pytest.raises(ValueError, match=f"format {number}; this version of ecsphys reads formats 3 to 4"):
            Snapshot.from_bytes(other)


def test_a_saved_world_of_format_3_that_lacks_a_part_is_malformed() -> None:
    tree = encoding.decode(SAVED, oldest=3)[0]
    del tree["physics"]["contacts"]["ended"]
    data = bytearray(encoding.encode(tree))
    data[8:12] = (3).to_bytes(4, "little")
    content = bytes(data[:-16])
    with pytest.raises(ValueError, match="the snapshot is malformed: KeyError"):
        Snapshot.from_bytes(content + encoding._sum_of(content))
