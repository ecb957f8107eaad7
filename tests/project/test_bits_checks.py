"""The checks of the same bits: golden digests in the source of the scenes, and fused instructions of aarch64."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

import pytest

from ecsphys.verify import scenes

sys.path.append(str(Path(__file__).resolve().parents[2]))  # the checks are not installed

from checks.aarch64 import is_fused
from checks.golden import renewed


def test_the_check_writes_the_digest_of_a_scene_where_it_stands() -> None:
    source, known = inspect.getsource(scenes), scenes.GOLDEN_DIGESTS
    assert renewed(source, known) == source
    other = renewed(source, {"pile": "0" * 32})
    assert other.replace("0" * 32, known["pile"]) == source != other


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("fmadd d0, d1, d2, d3", 0x1F420C20),
        ("fmsub d0, d1, d2, d3", 0x1F428C20),
        ("fnmadd d0, d1, d2, d3", 0x1F620C20),
        ("fmadd s0, s1, s2, s3", 0x1F020C20),
        ("fmla v0.2d, v1.2d, v2.2d", 0x4E62CC20),
        ("fmls v0.2d, v1.2d, v2.2d", 0x4EE2CC20),
        ("fmla v0.4s, v1.4s, v2.4s", 0x4E22CC20),
        ("fmla v0.2d, v1.2d, v2.d[0]", 0x4FC21020),
        ("fmls v0.2d, v1.2d, v2.d[0]", 0x4FC25020),
        ("fmla d0, d1, v2.d[0]", 0x5FC21020),
    ],
)
def test_instructions_of_aarch64_that_fuse_a_product_and_a_sum_are_found(name: str, word: int) -> None:
    assert is_fused(word), name


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("fmul d0, d1, d2", 0x1E620820),
        ("fadd d0, d1, d2", 0x1E622820),
        ("fadd v0.2d, v1.2d, v2.2d", 0x4E62D420),
        ("fmul v0.2d, v1.2d, v2.2d", 0x6E62DC20),
        ("fmul v0.2d, v1.2d, v2.d[0]", 0x4FC29020),
        ("fsqrt d0, d1", 0x1E61C020),
        ("fcmp d1, d2", 0x1E622020),
        ("madd x0, x1, x2, x3", 0x9B020C20),
        ("ldr q0, [x1]", 0x3DC00020),
        ("ret", 0xD65F03C0),
    ],
)
def test_other_instructions_of_aarch64_are_not(name: str, word: int) -> None:
    assert not is_fused(word), name
