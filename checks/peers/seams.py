"""What slides over flush tiles notices no seams."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from checks.peers.case import Case, Random, between, between_logs, chance, pick, shuffled
from checks.peers.film import Film
from checks.peers.scene import Box, Capsule, Chain, Disc, Figure, Kind, Polygon, Scene, Shape, Take, Thing, even, turned

HOP = 0.01

_LOSS = {"ball": 0.01, "capsule": 0.05, "box": 0.05}

_TILES = 40


def make(random: Random, quick: bool) -> Case:
    """Something without friction on a track of tiles."""
    name = pick(random, "ball", "box", "capsule")
    what = pick(random, "AABB", "OBB", "triangles", "compound", "chain beside tiles")
    kind: Kind = "static" if chance(random) else "solid"
    speed = between_logs(random, 1.0, 50.0)
    size = 0.5 if chance(random) else between(random, 0.2, 0.8)
    wide = 1.0 if chance(random) else between(random, 0.3, 2.0)
    # The track and gravity are turned together.
    slope = 0.0 if what == "AABB" or chance(random) else between(random, -0.6, 0.6)
    shape: Shape = Disc(size) if name == "ball" else Capsule(size, 0.5 * size) if name == "capsule" else Box(size, size)
    low = 0.5 * size if name == "capsule" else size
    bullet = chance(random, 0.2)
    body = Thing(
        between(random, 2.0, 3.0) * wide,
        low,
        (shape,),
        velocity=(speed, 0.0),
        friction=0.0,
        upright=name != "ball",
        bullet=bullet,
    )
    things = tuple(_turn(thing, slope) for thing in (body, *_track(what, wide, kind)))
    steps = even(min((_TILES - 6) * wide / speed, 2.0 if quick else 4.0))
    gravity = turned(0.0, -10.0, slope)
    scene = Scene(things, gravity=gravity, order=shuffled(random, len(things)), may_sleep=chance(random, 0.3))
    text = (
        f"{'Bullet, ' if bullet else ''}{name} of {size:.2f}, {speed:.1f} u/s, on {kind} {what} {wide:.2f} wide,"
        f" slope {slope:.2f}"
    )
    return Case(text, (Take(scene, steps),), lambda films: judge(films, speed, slope, _LOSS[name]))


def _turn(thing: Thing, slope: float) -> Thing:
    x, y = turned(thing.x, thing.y, slope)
    return dataclasses.replace(
        thing, x=x, y=y, angle=thing.angle + slope, velocity=turned(*thing.velocity, slope), friction=0.0
    )


def _track(what: str, wide: float, kind: Kind) -> list[Thing]:
    half = 0.5 * wide
    lefts = [k * wide for k in range(_TILES)]
    match what:
        case "AABB" | "OBB":
            return [Thing(x + half, -0.5, (Box(half, 0.5, turns=what == "OBB"),), kind) for x in lefts]
        case "triangles":
            # Each tile is cut along a diagonal, by turns.
            things = []
            for k, x in enumerate(lefts):
                corners = [(0.0, -1.0), (wide, -1.0), (wide, 0.0), (0.0, 0.0)]
                corners = corners[k % 2 :] + corners[: k % 2]
                for three in ((0, 1, 2), (0, 2, 3)):
                    things.append(Thing(x, 0.0, (Polygon(tuple(corners[i] for i in three)),), kind))  # noqa: PERF401
            return things
        case "compound":
            parts = tuple(Box(half, 0.5, x + half - 0.5 * _TILES * wide, 0.0) for x in lefts)
            return [Thing(0.5 * _TILES * wide, -0.5, parts, kind)]
        case _:
            tiles = [Thing(x + half, -0.5, (Box(half, 0.5),), kind) for x in lefts[: _TILES // 2]]
            # From right to left: its outside is above.
            points = tuple((x + wide, 0.0) for x in reversed(lefts[_TILES // 2 - 1 :]))
            return [*tiles, Thing(0.0, 0.0, (Chain(points),), kind)]


def judge(films: Sequence[Film], speed: float, slope: float, loss: float) -> list[Figure]:
    """How much speed along the track it lost, and how high it hopped."""
    (film,) = films
    c, s = math.cos(slope), math.sin(slope)
    along = film.velocities[:, 0] @ np.array((c, s))
    height = film.places[:, 0] @ np.array((-s, c))
    hop = float(np.abs(height - height[0]).max()) if np.isfinite(height).all() else math.inf
    return [
        Figure("speed lost over seams", float(1.0 - along[-1] / speed), loss),
        Figure("hop at seams", hop, HOP),
    ]
