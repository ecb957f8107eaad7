"""Boxes by size, corners and screen rectangle, capsules that stand, and angles in degrees."""

from __future__ import annotations

import math
from typing import Any

import pytest

from ecsphys import AABBCollider, CapsuleCollider, OBBCollider, Transform, geometry

BOXES: tuple[Any, ...] = (AABBCollider, OBBCollider)


@pytest.mark.parametrize("cls", BOXES)
def test_a_box_covers_what_it_was_given(cls: Any) -> None:
    at = Transform(100, 50)
    assert geometry.aabb(cls.from_size(48, 64), at) == (76, 18, 124, 82)
    assert geometry.aabb(cls.from_size(48, 64, 1, 2), at) == (77, 20, 125, 84)
    assert geometry.aabb(cls.from_rect(0, 0, 48, 64), at) == (100, 50, 148, 114)
    assert geometry.aabb(cls.from_rect(-8, 4, 16, 2), at) == (92, 54, 108, 56)
    assert geometry.aabb(cls.from_corners(1, 5, -3, 2), at) == (97, 52, 101, 55)


@pytest.mark.parametrize("cls", BOXES)
@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda cls: cls.from_size(0, 1), "width must be greater than 0, got 0"),
        (lambda cls: cls.from_rect(0, 0, 1, -2), "height must be greater than 0, got -2"),
        (lambda cls: cls.from_corners(0, 0, 0, 1), "ax and bx must differ, got 0.0 and 0.0"),
        (lambda cls: cls.from_rect(math.nan, 0, 1, 1), "x must be finite"),
    ],
)
def test_bad_sizes_are_refused(cls: Any, make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{cls.__name__} {message}"):
        make(cls)


def test_a_capsule_stands_as_high_as_it_was_given() -> None:
    assert geometry.aabb(CapsuleCollider.upright(2, 0.5), Transform(3, 1)) == pytest.approx((2.5, 0, 3.5, 2))
    assert CapsuleCollider.upright(1, 0.5).length == 0
    with pytest.raises(ValueError, match="height must be at least 2·radius"):
        CapsuleCollider.upright(0.9, 0.5)


def test_a_transform_has_its_angle_in_degrees() -> None:
    place = Transform(angle=math.pi)
    assert place.degrees == 180
    place.degrees = 90
    assert place.angle == math.pi / 2
    with pytest.raises(ValueError, match="degrees must be finite"):
        place.degrees = math.inf


@pytest.mark.parametrize("cls", BOXES)
def test_every_way_to_make_a_collider_takes_sensor(cls: Any) -> None:
    made = (
        cls.from_size(2, 2, sensor=True),
        cls.from_corners(0, 0, 1, 1, True),
        cls.from_rect(0, 0, 1, 1, sensor=True),
    )
    assert [box.sensor for box in made] == [True] * 3
    assert not cls.from_size(2, 2).sensor
    assert CapsuleCollider.upright(2, 0.5, sensor=True).sensor
    with pytest.raises(TypeError, match=f"{cls.__name__}.sensor"):
        cls.from_size(2, 2, sensor="yes")
