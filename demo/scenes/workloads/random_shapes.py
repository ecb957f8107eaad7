"""Colliders of every kind, of about a given size."""

from __future__ import annotations

import math

import numpy as np

from ecsphys import AABBCollider, CapsuleCollider, CircleCollider, Component, FanCollider, OBBCollider, PolygonCollider

KINDS = 6


def random_collider(rng: np.random.Generator, kind: int, size: float) -> Component:
    """A collider of the kind (its index in ``ecsphys.COLLIDER_CLASSES``) within a circle of radius ``size``."""
    slimness = rng.uniform(0.35, 0.8)
    across = size * math.sin(slimness)
    along = size * math.cos(slimness)
    if kind == 0:
        return CircleCollider(0.8 * size)
    if kind == 1:
        return AABBCollider(along, across)
    if kind == 2:
        return OBBCollider(along, across)
    if kind == 3:
        radius = 0.5 * across
        return CapsuleCollider(2.0 * (size - radius), radius)
    if kind == 4:
        return FanCollider(size, rng.uniform(0.4, math.tau - 0.4))
    return random_polygon(rng, int(rng.integers(3, 9)), size, 0.25 * size * float(rng.integers(0, 2)))


def random_polygon(rng: np.random.Generator, count: int, size: float, radius: float = 0.0) -> PolygonCollider:
    """A convex polygon of ``count`` vertices on a circle, rounded by ``radius``, within ``size`` of its centre."""
    return PolygonCollider(random_corners(rng, count, size - radius), radius)


def random_corners(rng: np.random.Generator, count: int, reach: float) -> list[tuple[float, float]]:
    """Points on a circle of radius ``reach``, counter-clockwise, no two of them close."""
    turns = (np.arange(count) + rng.uniform(-0.28, 0.28, count)) * (math.tau / count)
    return [(reach * math.cos(turn), reach * math.sin(turn)) for turn in turns]
