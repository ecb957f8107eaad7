"""Nothing passes through walls and floors."""

from __future__ import annotations

import math
from collections.abc import Sequence

from checks.peers import laws
from checks.peers.case import COLLIDERS, Case, Random, between, between_logs, chance, make_shapes, pick
from checks.peers.film import Film
from checks.peers.geometry import reach
from checks.peers.scene import STEP, Box, Chain, Figure, Kind, Polygon, Scene, Shape, Take, Thing, even

_THIN = 0.02
"""Half of how thick a wall is."""

_HIGH = 200.0


def make(random: Random, quick: bool) -> Case:
    """Something fast against a thin wall, or long steps on a floor."""
    return _long_steps(random) if chance(random, 0.25) else _thin_wall(random)


def _thin_wall(random: Random) -> Case:
    name = pick(random, *COLLIDERS)
    what = pick(random, "static OBB", "static AABB", "Solid", "Solid OBB", "polygon", "chain")
    speed, size = between_logs(random, 60.0, 600.0), between(random, 0.3, 1.0)
    course = 0.0 if chance(random, 0.3) else between(random, -0.6, 0.6)
    bullet = chance(random)
    spin = between(random, -60.0, 60.0) if chance(random) and name != "AABB" else 0.0
    restitution = float(random.choice([0.0, 0.5, 1.0]))
    kind: Kind = "solid" if what.startswith("Solid") else "static"
    shape: Shape
    match what:
        case "chain":
            shape = Chain(((0.0, -_HIGH), (0.0, _HIGH)))
        case "polygon":
            shape = Polygon(((-_THIN, -_HIGH), (_THIN, -_HIGH), (_THIN, _HIGH), (-_THIN, _HIGH)))
        case _:
            shape = Box(_THIN, _HIGH, turns="AABB" not in what and what != "Solid")
    wall = Thing(0.0, 0.0, (shape,), kind, friction=0.6, restitution=restitution if kind == "static" else 0.0)
    body = Thing(
        -1.2 - size - between(random, 0.0, speed * STEP),
        between(random, -1.0, 1.0),
        make_shapes(random, name, size),
        angle=0.0 if name == "AABB" else between(random, -math.pi, math.pi),
        velocity=(speed * math.cos(course), speed * math.sin(course)),
        spin=spin,
        restitution=restitution,
        bullet=bullet,
    )
    scene = Scene((body, wall) if chance(random) else (wall, body))
    text = f"{'Bullet, ' if bullet else ''}{name} of {size:.2f}, {speed:.0f} u/s, spin {spin:.0f}, at {what}"
    # By then it is still between the ends of the wall.
    steps = even(min(0.5, 0.7 * _HIGH / speed))
    number = scene.things.index(body)
    return Case(text, (Take(scene, steps),), lambda films: judge(films, number, (1.0, 0.0), _THIN))


def _long_steps(random: Random) -> Case:
    name = pick(random, *COLLIDERS)
    size = between(random, 0.3, 1.0)
    falls = chance(random)
    angle = 0.0
    shapes = make_shapes(random, name, size)
    body = Thing(0.0, 0.0, shapes, angle=angle, bullet=chance(random, 0.3))
    height = reach(body, 0.0, -1.0) + (between(random, 0.5, 10.0) if falls else 0.0)
    body = Thing(0.0, height, shapes, angle=angle, bullet=body.bullet)
    what = pick(random, "static", "solid")
    kind: Kind = "solid" if what == "solid" else "static"
    floor = Thing(0.0, -0.5, (Box(1000.0, 0.5, turns=chance(random)),), kind)
    steps = (1.0,) * 8 if chance(random) else tuple(0.25 if k % 4 == 3 else STEP for k in range(80))
    scene = Scene((body, floor), gravity=(0.0, -10.0), may_sleep=chance(random))
    doing = "falling" if falls else "at rest"
    text = f"{'Bullet, ' if body.bullet else ''}{name} of {size:.2f} {doing}, steps up to {max(steps)} s, {what} floor"
    return Case(text, (Take(scene, steps),), lambda films: judge(films, 0, (0.0, -1.0), 0.5))


def judge(films: Sequence[Film], body: int, way: tuple[float, float], thick: float) -> list[Figure]:
    """Whether a body was ever beyond the far side of what is at 0."""
    (film,) = films
    return [Figure("bodies that passed", float(laws.farthest(film, body, *way) > thick + 0.05), 0.0)]
