"""Every kind of collider in every kind of motion, to drag and throw; the shape in the hand shows its overlaps."""

from __future__ import annotations

import math

import esper
import numpy as np

import ecsphys
from ecsphys import (
    AABBCollider,
    BallisticTrajectory,
    CapsuleCollider,
    CircleCollider,
    CircularTrajectory,
    Collider,
    Drag,
    FanCollider,
    Gravity,
    HarmonicTrajectory,
    LinearTrajectory,
    OBBCollider,
    Orbit,
    Spring,
    Transform,
    Velocity,
    geometry,
)
from ecsphys.demo import palette
from ecsphys.demo.scenes.board import Board
from ecsphys.demo.scenes.boundaries import (
    BEFORE_MOTION,
    Bounce,
    BounceSystem,
    Loop,
    LoopSystem,
    Restart,
    RestartSystem,
)
from ecsphys.demo.scenes.chapters.hand import AFTER_MOTION, Hand
from ecsphys.demo.scenes.parameter import Reading
from ecsphys.demo.scenes.physics_parameters import cell_size, gravity, method, substeps
from ecsphys.demo.scenes.scene import Box, Caption, Layout
from ecsphys.demo.scenes.sketch import Sketch
from ecsphys.demo.scenes.workloads.random_shapes import KINDS, random_collider, random_polygon

ARENA: Box = (-17.0, -8.0, 17.0, 8.0)
_TRAJECTORIES = (LinearTrajectory, BallisticTrajectory, CircularTrajectory, HarmonicTrajectory)
_LONGEST_NORMAL = 1.2


class ShapesHand(Hand):
    """Drags any shape; one that is thrown leaves its trajectory and bounces in the room."""

    def throw(self, entity: int, vx: float, vy: float) -> None:
        falls = esper.has_component(entity, BallisticTrajectory)
        for kind in (*_TRAJECTORIES, Loop):
            if esper.has_component(entity, kind):
                esper.remove_component(entity, kind)
        velocity = esper.try_component(entity, Velocity)
        if velocity is None:
            velocity = Velocity()
            esper.add_component(entity, velocity)
        velocity.x, velocity.y = vx, vy
        if falls:
            esper.add_component(entity, Gravity())
        if not esper.has_component(entity, Bounce) and not esper.has_component(entity, Restart):
            esper.add_component(entity, Bounce(_extent(entity), 9.0 if falls else 0.0))

    def overlaps(self) -> str:
        """How many shapes the one in the hand overlaps."""
        if self.held is None:
            return "nothing"
        return f"a shape over {len({hit.other(self.held) for hit in self.physics.hits.of(self.held)})}"

    def paint_overlaps(self, sketch: Sketch) -> None:
        """The bright edge, and the hits of the shape in the hand: points, and arrows as long as the depth."""
        board = Board()
        self.paint(board)
        if self.held is not None:
            for hit in self.physics.hits.of(self.held):
                nx, ny = hit.seen_from(self.held).normal
                length = min(hit.depth, _LONGEST_NORMAL)
                for x, y in hit.points:
                    board.arrow((x, y), (x - length * nx, y - length * ny), palette.CONTACT)
                    board.dot((x, y), palette.TEXT)
        board.draw(sketch)


def _extent(entity: int) -> float:
    """The radius of the circle about an entity's place that holds its colliders, at most a third of the room."""
    transform = esper.component_for_entity(entity, Transform)
    components: tuple[object, ...] = esper.components_for_entity(entity)
    boxes = [geometry.aabb(one, transform) for one in components if isinstance(one, Collider)]
    reach = max(max(transform.x - a, c - transform.x, transform.y - b, d - transform.y) for a, b, c, d in boxes)
    return min(reach, (ARENA[3] - ARENA[1]) / 3.0)


def build(rng: np.random.Generator) -> Layout:
    """About sixty entities; shapes pass through each other, since nothing answers their hits."""
    physics = ecsphys.install(gravity=(0.0, -9.0))
    esper.add_processor(BounceSystem(ARENA))
    esper.add_processor(LoopSystem())
    esper.add_processor(RestartSystem(), priority=BEFORE_MOTION)
    _drifters(rng)
    _fans(rng)
    _center_piece()
    _circling(rng)
    _fountain(rng)
    _springs()
    _crossing()
    _falling(rng)
    hand = ShapesHand(physics)
    esper.add_processor(hand, AFTER_MOTION)
    return Layout(
        physics,
        ARENA,
        [
            Caption(
                -16.7,
                -5.2,
                "Drag any shape over others, and throw it",
                "red: Hit.points, Hit.normal, Hit.depth",
            )
        ],
        parameters=[gravity(physics), method(physics), substeps(physics), cell_size(physics)],
        readings=[Reading("in the hand:", hand.overlaps)],
        paint_above=hand.paint_overlaps,
        pointer=hand,
        legend=True,
    )


def _place(rng: np.random.Generator, extent: float) -> Transform:
    min_x, min_y, max_x, max_y = ARENA
    x = rng.uniform(min_x + extent, max_x - extent)
    y = rng.uniform(min_y + extent, max_y - extent)
    return Transform(x, y, rng.uniform(0.0, math.tau))


def _push(rng: np.random.Generator, slowest: float, fastest: float) -> Velocity:
    direction = rng.uniform(0.0, math.tau)
    speed = rng.uniform(slowest, fastest)
    return Velocity(speed * math.cos(direction), speed * math.sin(direction), rng.uniform(-1.5, 1.5))


def _drifters(rng: np.random.Generator) -> None:
    """Stepped motion without forces: three of each kind."""
    for kind in range(KINDS):
        for _ in range(3):
            size = rng.uniform(0.55, 0.95)
            esper.create_entity(
                _place(rng, size), _push(rng, 1.2, 3.5), random_collider(rng, kind, size), Bounce(extent=size)
            )


def _fans(rng: np.random.Generator) -> None:
    """From a sliver over the half circle and wider to the full circle."""
    for spread, radius in ((0.12, 2.2), (0.25 * math.pi, 1.5), (math.pi, 1.1), (1.6 * math.pi, 1.1), (math.tau, 0.8)):
        esper.create_entity(
            _place(rng, radius), _push(rng, 1.0, 2.5), FanCollider(radius, spread), Bounce(extent=radius)
        )


def _center_piece() -> None:
    """A wheel of two bars that only turns: one entity with two colliders of different classes."""
    esper.create_entity(
        Transform(0.0, 0.0),
        Velocity(angular=0.5),
        OBBCollider(2.3, 0.22),
        CapsuleCollider(4.2, 0.2, angle=0.5 * math.pi),
    )


def _circling(rng: np.random.Generator) -> None:
    """Circular trajectories at one radius, and bodies that a force holds on their circles."""
    for number, kind in enumerate((2, 3, 4, 5, 1)):
        phase = number * math.tau / 5.0
        esper.create_entity(
            Transform(),
            Velocity(angular=0.4),
            CircularTrajectory(0.0, 0.0, 5.4, 0.35, phase),
            random_collider(rng, kind, 0.8),
        )
    speed = 1.3
    for number in range(3):
        phase = number * math.tau / 3.0
        x, y = 3.4 * math.cos(phase), 3.4 * math.sin(phase)
        esper.create_entity(
            Transform(x, y), Velocity(speed * y, -speed * x), Orbit(0.0, 0.0, speed), CircleCollider(0.35)
        )


def _fountain(rng: np.random.Generator) -> None:
    """Ballistic trajectories from the floor back to the floor."""
    ground = ARENA[1] + 0.45
    for side in (-1.0, 1.0):
        for number in range(4):
            up = rng.uniform(8.0, 11.5)
            flight = 2.0 * up / 9.0
            flyer = BallisticTrajectory(11.5 * side, ground, rng.uniform(-1.4, 1.4), up, 0.0, -9.0)
            flyer.elapsed = flight * number / 4.0
            polygon = random_polygon(rng, 3 + number, 0.45, 0.1 * (number % 2))
            esper.create_entity(
                Transform(), Velocity(angular=rng.uniform(-3.0, 3.0)), flyer, polygon, Loop(period=flight)
            )


def _springs() -> None:
    """Bodies on springs, and the same motion in closed form."""
    for side in (-1.0, 1.0):
        esper.create_entity(
            Transform(7.5 * side + 2.5, 4.2, 0.3 * side),
            Velocity(0.0, 2.0 * side, 0.6 * side),
            Spring(7.5 * side, 3.0, stiffness=5.0, mass=1.6),
            OBBCollider(0.75, 0.5),
        )
        esper.create_entity(
            Transform(angle=0.5 * math.pi),
            HarmonicTrajectory(15.4 * side, 0.0, 0.0, 5.2, angular_frequency=0.9, phase=side),
            CapsuleCollider(1.8, 0.35),
        )


def _crossing() -> None:
    """Boxes on straight lines, out of the picture on one side and in again on the other."""
    for number in range(4):
        box = LinearTrajectory(-18.5, 6.6, 2.2, 0.0)
        period = 37.0 / 2.2
        box.elapsed = period * number / 4.0
        esper.create_entity(Transform(), box, AABBCollider(0.7, 0.4), Loop(period=period))


def _falling(rng: np.random.Generator) -> None:
    """Gravity with a kick from the floor, and gravity against drag."""
    for number in range(4):
        x = -6.0 + 4.0 * number
        esper.create_entity(
            Transform(x, rng.uniform(-6.0, 1.0)),
            Velocity(rng.uniform(-2.0, 2.0), 0.0, -1.0),
            Gravity(),
            CircleCollider(0.5),
            Bounce(extent=0.5, kick=8.0 + number),
        )
    for number in range(3):
        x = -12.0 + 12.0 * number
        esper.create_entity(
            Transform(x, 9.0),
            Velocity(angular=1.2),
            Gravity(0.5),
            Drag(linear=1.6, angular=0.05),
            random_polygon(rng, 5, 0.6, 0.15),
            Restart(period=6.8, x=x, y=9.0, clock=2.2 * number),
        )
