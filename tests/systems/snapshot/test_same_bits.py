"""The same bits, however a world is run; ``python -m checks bits`` has more steps, hash seeds and processors."""

from __future__ import annotations

import platform
import sys

import pytest
from same_bits import digests_of

STEPS = 24

# What these steps have on Linux with x86-64, whatever the processor, the process and its hash seed. A change of the
# engine that alters results on purpose alters it: then take what the test has found.
PINNED = 0xF993877208D88B8A


@pytest.fixture(scope="module")
def expected() -> list[int]:
    return digests_of(STEPS)


@pytest.mark.parametrize(
    ("kind", "threads", "pieces"),
    [
        ("steps", 1, (1.0,)),
        ("steps", 3, (1.0,)),
        ("halves", 1, (0.5,)),
        ("30 Hz", 2, (2.0,)),
        ("144 Hz", 1, (60 / 144,)),
        ("restores", 1, (1.0,)),
        ("bytes", 1, (1.0,)),
        ("spares", 1, (1.0,)),
    ],
)
def test_runs_have_the_same_bits(expected: list[int], kind: str, threads: int, pieces: tuple[float, ...]) -> None:
    assert digests_of(STEPS, kind, threads, pieces) == expected


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or platform.machine() != "x86_64", reason="pinned for another platform"
)
def test_the_digest_of_the_build_platform_is_pinned(expected: list[int]) -> None:
    assert f"{expected[-1]:016x}" == f"{PINNED:016x}"
