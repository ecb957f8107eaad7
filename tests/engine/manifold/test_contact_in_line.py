"""Shapes in one line: what is apart is no hit, whatever rounding makes of the edges' separations, which are all 0."""

from __future__ import annotations

import math
from itertools import pairwise

import esper
import numpy as np
import pytest

from ecsphys import CapsuleCollider, Character, FanCollider, Physics, Solid, Transform, geometry

# Angles at which both the multiples of π/8 and their neighbours round differently.
ANGLES = [k * math.pi / 8 + ulps * 2.0**-52 for k in range(-16, 17) for ulps in (-3, 0, 2)]


def pairs_in_line(count: int, seed: int) -> list[tuple[CapsuleCollider, CapsuleCollider, float, float]]:
    """Two capsules, the angle of their line, and the gap between their surfaces."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        length_a, radius_a, length_b, radius_b = rng.uniform(0.1, 2.0, 4).tolist()
        one, other = CapsuleCollider(length_a, radius_a), CapsuleCollider(length_b, radius_b)
        found.append((one, other, float(rng.uniform(-7.0, 7.0)), float(rng.uniform(0.01, 1.0))))
    return found


def beyond(a: CapsuleCollider, b: CapsuleCollider, angle: float, gap: float) -> Transform:
    """Where b stands in line with an a at the origin."""
    way = 0.5 * (a.length + b.length) + a.radius + b.radius + gap
    return Transform(way * math.cos(angle), way * math.sin(angle), angle)


def test_capsules_in_line_and_apart_are_no_hit() -> None:
    one, other, angle = CapsuleCollider(1.26, 1.01), CapsuleCollider(1.45, 1.8), 0.555812050136621
    assert geometry.contact(one, Transform(0, 0, angle), other, beyond(one, other, angle, 0.848)) is None
    for one, other, angle, gap in pairs_in_line(1500, 1):
        there = beyond(one, other, angle, gap)
        assert geometry.contact(one, Transform(0, 0, angle), other, there) is None
        distance, _, _ = geometry.closest_points(one, Transform(0, 0, angle), other, there)
        assert distance == pytest.approx(gap, rel=1e-12)


def test_capsules_far_apart_in_line_have_their_distance() -> None:
    for angle in ANGLES:
        one, other = CapsuleCollider(1.0, 0.25), CapsuleCollider(0.5, 0.125)
        for gap in (1e3, 1e9):
            there = beyond(one, other, angle, gap)
            assert geometry.closest_points(one, Transform(0, 0, angle), other, there)[0] == pytest.approx(gap)


def test_a_straight_rope_overlaps_by_what_its_links_do() -> None:
    link, spacing = CapsuleCollider(1.0, 0.3), 1.1
    for angle in ANGLES:
        along = math.cos(angle), math.sin(angle)
        rope = [Transform(k * spacing * along[0], k * spacing * along[1], angle) for k in range(4)]
        for here, there in pairwise(rope):
            hit = geometry.contact(link, here, link, there)
            assert hit is not None
            assert hit.depth == pytest.approx(0.5, rel=1e-12)
            assert hit.normal == pytest.approx(along, abs=1e-12)
        assert geometry.contact(link, rope[0], link, rope[2]) is None


def test_a_capsule_cast_along_its_own_line_goes_as_far_as_the_gap() -> None:
    esper.switch_world("in line")
    try:
        physics = Physics()
        for one, other, angle, gap in pairs_in_line(200, 2):
            wall = esper.create_entity(beyond(one, other, angle, gap), other)
            way = 2.0 * math.cos(angle), 2.0 * math.sin(angle)
            hit = physics.shapecast(one, Transform(0, 0, angle), way)
            assert hit is not None
            assert hit.fraction == pytest.approx(0.5 * gap, rel=1e-9)
            esper.delete_entity(wall, immediate=True)
    finally:
        esper.switch_world("default")
        esper.delete_world("in line")


def test_a_capsule_in_line_ahead_does_not_push_a_character_that_stands() -> None:
    esper.switch_world("in line")
    try:
        physics = Physics()
        for one, other, angle, gap in pairs_in_line(150, 3):
            here = Transform(0, 0, angle)
            hero = esper.create_entity(here, one, Character())
            wall = esper.create_entity(beyond(one, other, angle, 0.05 + 0.25 * gap), other, Solid())
            physics.move_and_slide(hero, (0.0, 0.0))
            assert (here.x, here.y) == (0.0, 0.0)
            esper.delete_entity(hero, immediate=True)
            esper.delete_entity(wall, immediate=True)
    finally:
        esper.switch_world("default")
        esper.delete_world("in line")


def test_capsules_side_by_side_at_the_very_limit_of_touching_are_no_hit_beyond_their_ends() -> None:
    # The search stops at the side's normal, along which they are apart by exactly as much as counts as touching.
    one, other = CapsuleCollider(1.0, 1.0), CapsuleCollider(0.1498014065680898, 1.6470121751369025)
    here, there = Transform(0.731106029512572, 2.7551340328949188), Transform(-1.2022121412881097, 0.10812185775802208)
    assert geometry.closest_points(one, here, other, there)[0] > 0.3
    assert geometry.contact(one, here, other, there) is None
    there.angle = 1.9634954084936207 + 1.178097245096173
    assert geometry.contact(one, here, other, there) is None


def test_a_fan_whose_edge_is_in_line_with_anothers_centre_leaves_along_it() -> None:
    # The small one's tip is 0.02 inside the large one's arc, at the arc's very end.
    large, small = FanCollider(1.0, 1.0, 0.5), FanCollider(0.05, math.pi / 2, 0.75 * math.pi)
    for k in range(2000):
        angle = k * math.pi / 1000
        there = Transform(1.03 * math.cos(angle), 1.03 * math.sin(angle), angle)
        hit = geometry.contact(large, Transform(0, 0, angle), small, there)
        assert hit is not None
        assert hit.depth == pytest.approx(0.02, abs=1e-12)
