"""Load: thousands of mixed movers."""

from __future__ import annotations

import math

import esper
import numpy as np

import ecsphys
from ecsphys import CircularTrajectory, Transform, Velocity
from ecsphys.demo.scenes.boundaries import Bounce, BounceSystem
from ecsphys.demo.scenes.physics_parameters import cell_size, substeps
from ecsphys.demo.scenes.random_shapes import KINDS, random_collider
from ecsphys.demo.scenes.scene import Box, Layout

COUNT = 5000
ARENA: Box = (-102.0, -48.0, 102.0, 48.0)


def populate(rng: np.random.Generator, count: int, arena: Box) -> None:
    """Add movers of all kinds in equal parts, evenly spread: three of four drift, the fourth goes in circles."""
    min_x, min_y, max_x, max_y = arena
    for number in range(count):
        size = rng.uniform(0.35, 0.75)
        x, y = rng.uniform(min_x + 3.0, max_x - 3.0), rng.uniform(min_y + 3.0, max_y - 3.0)
        angle, direction = rng.uniform(0.0, math.tau, 2)
        spin = rng.uniform(-2.0, 2.0)
        collider = random_collider(rng, number % KINDS, size)
        if number // KINDS % 4 == 3:
            circle = CircularTrajectory(x, y, 2.0, rng.uniform(0.5, 2.0) * rng.choice((-1.0, 1.0)), direction)
            esper.create_entity(Transform(x, y, angle), Velocity(angular=spin), circle, collider)
        else:
            speed = rng.uniform(1.0, 5.0)
            velocity = Velocity(speed * math.cos(direction), speed * math.sin(direction), spin)
            esper.create_entity(Transform(x, y, angle), velocity, collider, Bounce(extent=size))


def build(rng: np.random.Generator) -> Layout:
    physics = ecsphys.install()
    esper.add_processor(BounceSystem(ARENA))
    populate(rng, COUNT, ARENA)
    return Layout(physics, ARENA, show_contacts=False, grid=5.0, parameters=[cell_size(physics), substeps(physics)])
