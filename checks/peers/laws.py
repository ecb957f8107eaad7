"""What must hold in any engine, measured on films."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from checks.peers.film import Film, Floats
from checks.peers.geometry import deepest_overlap
from checks.peers.scene import Box, Disc, Shape

SLOW = 0.2
"""In units/s. What is slower is as good as at rest."""


def velocity_change(film: Film, row: int, scale: float) -> float:
    """By how much the velocity of a thing was ever another than at first, in parts of a speed."""
    velocities = film.velocities[:, row]
    return _greatest(np.hypot(*(velocities - velocities[0]).T)) / scale


def momentum_error(film: Film, start: int = 0) -> float:
    """Of a closed system the change of momentum since a picture, in parts of the sum of all momenta."""
    rows = film.rows()
    masses = np.array([film.take.scene.things[k].mass() for k in rows])
    momenta = masses[:, None] * film.velocities[start:, rows]
    total = np.hypot(*momenta.transpose(2, 0, 1)).sum(-1)
    change = momenta.sum(1) - momenta[0].sum(0)
    return _greatest(np.hypot(*change.T) / np.maximum(total, total[0]))


def energies(film: Film) -> Floats:
    """The energy of motion of all discs and boxes at each picture; what is not there has none."""
    rows = film.rows()
    things = [film.take.scene.things[k] for k in rows]
    masses = np.array([thing.mass() for thing in things])
    spread = np.array([_turning(thing.shapes[0]) for thing in things])
    states = film.states[:, rows]
    speeds = states[:, :, 3] ** 2 + states[:, :, 4] ** 2 + spread * states[:, :, 5] ** 2
    if np.isnan(speeds[-1]).any():
        return np.full(len(speeds), np.nan)
    found: Floats = 0.5 * (masses * np.nan_to_num(speeds)).sum(1)
    return found


def seconds_until_asleep(film: Film) -> float:
    """From the last moment at which any is fast to that from which on all sleep; to the end, where some never do."""
    rows = film.rows()
    speeds = np.hypot(*film.velocities[:, rows].transpose(2, 0, 1))
    fast = ~(speeds <= SLOW).all(1)
    last = float(film.times[np.flatnonzero(fast)[-1]]) if fast.any() else 0.0
    awake = np.flatnonzero(~film.asleep[:, rows].all(1))
    if len(awake) == len(film.times) or awake[-1] == len(film.times) - 1:
        # One that is fast at the end has its five seconds yet to come, but nothing has a minute.
        return float(film.times[-1]) - last if last < film.times[-1] else math.inf
    return max(float(film.times[awake[-1] + 1]) - last, 0.0)


def overlap_at_end(film: Film) -> float:
    """How deep any two discs and boxes are in each other in the last picture."""
    placed = [
        dataclasses.replace(thing, x=float(x), y=float(y), angle=float(angle))
        for thing, (x, y, angle) in zip(film.take.scene.things, film.states[-1, :, :3], strict=True)
    ]
    still = [thing for thing in placed if thing.kind != "dynamic"]
    moving = [thing for thing in placed if thing.kind == "dynamic"]
    return max([deepest_overlap(moving), *(deepest_overlap([a, b]) for a in moving for b in still)])


def farthest(film: Film, row: int, x: float, y: float, start: int = 0) -> float:
    """How far a thing was ever along a direction; infinite where it was nowhere."""
    return _greatest(film.places[start:, row] @ np.array((x, y)))


def drift(film: Film, row: int, start: int) -> float:
    """How far a thing has ever been from where it was at a picture."""
    places = film.places[start:, row]
    return _greatest(np.hypot(*(places - places[0]).T))


def gap_at(film: Film, a: int | None, b: int, x: float, y: float) -> float:
    """How far the points of two things, that were at a point of the world at first, have ever been apart."""
    ends = [_carried(film, row, x, y) for row in (a, b)]
    return _greatest(np.hypot(*(ends[0] - ends[1]).T))


def _carried(film: Film, row: int | None, x: float, y: float) -> Floats:
    if row is None:
        return np.full((len(film.times), 2), (x, y))
    places, angles = film.places[:, row], film.states[:, row, 2]
    by = angles - angles[0]
    arm_x, arm_y = x - places[0, 0], y - places[0, 1]
    c, s = np.cos(by), np.sin(by)
    carried: Floats = places + np.column_stack((c * arm_x - s * arm_y, s * arm_x + c * arm_y))
    return carried


def _turning(shape: Shape) -> float:
    """The square of the radius of gyration of a disc or a box."""
    match shape:
        case Disc():
            return 0.5 * shape.radius**2
        case Box():
            return (shape.half_width**2 + shape.half_height**2) / 3.0
        case _:
            raise TypeError(f"the inertia of {shape} is not asked for")


def _greatest(values: Floats) -> float:
    return float(values.max()) if np.isfinite(values).all() else math.inf
