"""The check of random pairs: right where the answers are known, silent on the engine, and loud where it errs."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ecsphys import AABBCollider, CapsuleCollider, CircleCollider, FanCollider, OBBCollider, PolygonCollider, Transform

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))  # the checks are not installed

from checks.__main__ import main  # noqa: E402
from checks.convex_overlap import PI, Part, Reals, overlap, point_part  # noqa: E402
from checks.geometry import Tally, check, draw_case  # noqa: E402
from checks.pair_families import FAMILIES  # noqa: E402
from checks.shape_batches import GUISES  # noqa: E402

NAMES = {
    name: cls
    for cls in (AABBCollider, CapsuleCollider, CircleCollider, FanCollider, OBBCollider, PolygonCollider, Transform)
    for name in (cls.__name__,)
}


def long(*values: object) -> Reals:
    return np.array([values], np.longdouble)


def box(x: float, y: float, half_x: float, half_y: float, rounding: float = 0.0) -> Part:
    corners = long(*[(x + sx * half_x, y + sy * half_y) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    return Part(corners, long(-PI / 2, 0, PI / 2, PI), long(rounding)[0])


def disc(x: float, y: float, radius: float) -> Part:
    return Part(long((x, y)), np.zeros((1, 0), np.longdouble), long(radius)[0])


def sector(radius: float, spread: float) -> Part:
    half = np.longdouble(spread) / 2
    ends = [(radius * np.cos(angle), radius * np.sin(angle)) for angle in (-half, half)]
    normals = long(-half - PI / 2, half + PI / 2)
    return Part(long((0, 0), *ends), normals, long(0)[0], long(-half, half))


@pytest.mark.parametrize(
    ("a", "b", "depth"),
    [
        (disc(0, 0, 1), disc(3, 4, 2), -2.0),
        (disc(0, 0, 1), disc(0.5, 0, 2), 2.5),
        (disc(0, 0, 1), disc(0, 0, 2), 3.0),
        (box(0, 0, 2, 1), box(5, 0, 1, 1), -2.0),
        (box(0, 0, 2, 1), box(6, 5, 1, 1), -math.hypot(3, 3)),
        (box(0, 0, 2, 1), box(0.25, 0.5, 0.25, 0.5), 1.0),
        (box(0, 0, 2, 1), box(3, 0, 1, 1), 0.0),
        (box(0, 0, 2, 1), disc(5, 5, 1), 1.0 - 5.0),
        (box(0, 0, 2, 1, 0.5), disc(2.5, 1.5, 1), 1.5 - math.hypot(0.5, 0.5)),
        (box(0, 0, 2, 1), point_part(long(1.75, 0.5)), 0.25),
        (sector(2, 1), disc(3, 0, 0.5), -0.5),
        (sector(2, 1), disc(1.75, 0, 0.5), 0.75),
        (sector(2, 1), disc(-1, 0, 0.5), -0.5),
        (sector(2, math.pi), box(-1, 0, 0.5, 0.5), -0.5),
        (sector(2, 1), point_part(long(1.0, 0.0)), math.sin(0.5)),
    ],
)
def test_the_overlap_of_shapes_whose_overlap_is_known(a: Part, b: Part, depth: float) -> None:
    assert float(overlap(a, b)[0]) == pytest.approx(depth, abs=1e-15)
    assert float(overlap(b, a)[0]) == pytest.approx(depth, abs=1e-15)


def test_no_pair_of_shapes_in_no_family_of_poses_is_wrong() -> None:
    families, guises = list(FAMILIES), list(GUISES)
    tally = Tally()
    for i in range(len(guises)):
        for j in range(i % 2, len(guises), 2):
            number = i * len(guises) + j
            check(draw_case(7, number, families[number % len(families)], guises[i], guises[j], 12), tally)
    assert tally.shown == []
    assert tally.faults == 0
    assert sum(tally.hits.values()) > 50


def test_an_error_is_a_fault_that_is_shown_as_it_can_be_written() -> None:
    case = draw_case(1, 1, "flush", "capsule", "polygon", 20)
    wrong = replace(case, parts_b=[part.moved(np.full((20, 2), 1e-9, np.longdouble)) for part in case.parts_b])
    tally = Tally()
    check(wrong, tally)
    assert tally.faults > 0
    pair = eval(tally.shown[0].split(": ", 2)[2], {}, NAMES)
    assert [type(one) for one in pair] == [CapsuleCollider, Transform, PolygonCollider, Transform]


def test_the_same_seed_draws_the_same_pairs() -> None:
    one, other = (draw_case(3, 5, "in line", "obb", "wide fan", 9) for _ in range(2))
    assert (one.b.positions == other.b.positions).all()
    assert one.a.describe(8) == other.a.describe(8)
    assert draw_case(4, 5, "in line", "obb", "wide fan", 9).a.describe(8) != one.a.describe(8)


def test_the_command_counts_pairs_and_says_whether_any_is_wrong(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["geometry", "--pairs", "12", "--seed", "2", "--family", "concentric"]
    assert main(command) == 0
    said = capsys.readouterr().out
    assert "concentric                     12 pairs" in said
    assert "12 pairs from seed 2: 0 faults" in said
    monkeypatch.setattr("checks.geometry.EXACT", 1e-20)
    assert main(command) == 1
    assert "concentric: depth" in capsys.readouterr().out
