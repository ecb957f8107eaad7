"""Worlds of rigid bodies at random: all shapes, compounds and joints, light and heavy, with and without ground."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import esper
import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

import ecsphys
from ecsphys import (
    AABBCollider,
    Bullet,
    CapsuleCollider,
    ChainCollider,
    CircleCollider,
    CompoundCollider,
    DistanceJoint,
    FanCollider,
    GearJoint,
    MotorJoint,
    MouseJoint,
    OBBCollider,
    PolygonCollider,
    PrismaticJoint,
    RevoluteJoint,
    RigidBody,
    Solid,
    Transform,
    Velocity,
    WeldJoint,
    WheelJoint,
)

STEP = 1 / 60

GRAVITY = 10.0

# Bodies reach at most this far, and stand on a lattice that is wider: none overlap at first.
_REACH = 0.75
_SPACING = 1.7

_COLUMNS = 5

# None on a floor is 0, so that what lies there comes to rest.
_FRICTIONS = (0.3, 0.6, 1.2)

Floats = NDArray[float64]


@dataclass(frozen=True)
class Kind:
    """What there is in a world, and so what must hold in it."""

    ground: str
    """"none", "floor", "hills" (a chain) or "pit" (a chain that closes)."""
    has_joints: bool
    is_driven: bool
    """Motors, springs and what follows a target put energy in and take it out."""
    has_bullets: bool
    turns: bool
    """Whether all bodies may turn: an ``AABBCollider`` never does, which takes angular momentum away."""
    may_sleep: bool
    spread: float
    """Densities are from 1 to this."""


def kind_of(seed: int) -> Kind:
    """The kinds of worlds by turns; the first four are closed systems."""
    random = np.random.default_rng((seed, 0))
    ground = ("none", "floor", "none", "hills", "pit")[seed % 5]
    is_closed = ground == "none"
    has_joints = bool(random.random() < 0.5)
    return Kind(
        ground,
        has_joints,
        has_joints and bool(random.random() < 0.4),
        bool(random.random() < 0.3),
        bool(random.random() < 0.6),
        not is_closed and bool(random.random() < 0.7),
        float(random.choice([1.0, 10.0, 1000.0])),
    )


class BodyWorld:
    """Some bodies, and their state as arrays, from what a game can read."""

    def __init__(self, seed: int, name: str = "") -> None:
        self.kind = kind_of(seed)
        self.name = f"bodies {seed}{name}"
        self._random = np.random.default_rng((seed, 1))
        esper.switch_world(self.name)
        pulls = self.kind.ground != "none" or self._random.random() < 0.3
        self.gravity = GRAVITY if pulls else 0.0
        self.physics = ecsphys.install(gravity=(0.0, -self.gravity), threads=1)
        if not self.kind.may_sleep:
            self.physics.settings.sleep_speed = 0.0
        self.ground = self._add_ground()
        self.restitution = float(self._random.choice([0.0, 0.0, 0.5, 0.95]))
        self._rolling = float(self._random.choice([0.0, 0.1, 0.1])) if self.ground else 0.0
        self.bodies = np.array([self._add_body(k) for k in range(int(self._random.integers(6, 5 * _COLUMNS)))], int64)
        self.joints: list[tuple[int, Any]] = []
        if self.kind.has_joints:
            self._add_joints()
        self.friction = self._frictions()
        self.weigh()
        if self.kind.ground == "none" and self.gravity == 0.0 and self._random.random() < 0.5:
            # What floats sleeps until it is hit, with all the momentum that it then gets.
            self.physics.settings.sleep_speed = 1e-12
            self.physics.bodies.sleep(self.bodies[::2])

    def close(self) -> None:
        """Leave nothing of it."""
        esper.switch_world("default")
        if self.name in esper.list_worlds():
            esper.delete_world(self.name)

    def step(self) -> None:
        """One step."""
        esper.switch_world(self.name)
        esper.process(STEP)

    def weigh(self) -> None:
        """Masses, inertias, and centres in the bodies' frames, by the engine's own account of them."""
        found = [self.physics.bodies.mass_of(body) for body in self.bodies.tolist()]
        self.masses = np.array([one.mass for one in found])
        # What cannot turn has no spin to speak of.
        self.inertias = np.array([one.inertia if one.inertia < math.inf else 0.0 for one in found])
        poses = self.poses()
        turned = np.array([one.center for one in found]) - poses[:, :2]
        c, s = np.cos(poses[:, 2]), np.sin(poses[:, 2])
        self._centers = np.stack((c * turned[:, 0] + s * turned[:, 1], c * turned[:, 1] - s * turned[:, 0]), -1)

    def poses(self) -> Floats:
        """(n, 3) x, y, angle of the bodies."""
        rows = Transform.rows_of(self.bodies)
        return np.stack([Transform.column(name, writable=False)[rows] for name in ("x", "y", "angle")], -1)

    def motions(self) -> tuple[Floats, Floats, Floats]:
        """Of the centres of mass the places (n, 2) and velocities (n, 2); the angular velocities (n,)."""
        poses, rows = self.poses(), Velocity.rows_of(self.bodies)
        vx, vy, turning = (Velocity.column(name, writable=False)[rows] for name in ("x", "y", "angular"))
        c, s = np.cos(poses[:, 2]), np.sin(poses[:, 2])
        x, y = self._centers.T
        arm = np.stack((c * x - s * y, s * x + c * y), -1)
        return poses[:, :2] + arm, np.stack((vx, vy), -1), turning

    def asleep(self) -> NDArray[np.bool_]:
        """(n,) which bodies sleep."""
        return np.array([self.physics.bodies.is_asleep(body) for body in self.bodies.tolist()])

    def _add_ground(self) -> int:
        random, wide = self._random, 1.5 * _COLUMNS * _SPACING
        friction = float(random.choice(_FRICTIONS))
        match self.kind.ground:
            case "none":
                return 0
            case "floor":
                box: Any = OBBCollider(20.0 * wide, 1.0)
                return esper.create_entity(Transform(0.0, -1.0), box, RigidBody("static", friction=friction))
            case "hills":
                # Walls at both ends, so that nothing rolls off.
                x = np.linspace(wide, -wide, 24)
                y = random.uniform(-0.6, 0.0, len(x))
                points = [(wide, 60.0), *zip(x.tolist(), y.tolist(), strict=True), (-wide, 60.0)]
                return esper.create_entity(Transform(), ChainCollider(points[::-1], side="left"), Solid())
            case _:
                corners = [
                    (-wide, -1.0),
                    (-wide / 2, -2.0),
                    (wide / 2, -2.0),
                    (wide, -1.0),
                    (wide, 60.0),
                    (-wide, 60.0),
                ]
                chain = ChainCollider(corners, closed=True, side="left")
                return esper.create_entity(Transform(), chain, Solid())

    def _add_body(self, number: int) -> int:
        random, kind = self._random, self.kind
        row, column = divmod(number, _COLUMNS)
        x = (column - 0.5 * (_COLUMNS - 1)) * _SPACING
        place = Transform(x, 1.0 + row * _SPACING, random.uniform(-3.0, 3.0))
        body = RigidBody(
            density=float(10.0 ** random.uniform(0.0, math.log10(kind.spread))),
            restitution=self.restitution,
            friction=float(random.choice(_FRICTIONS if kind.ground == "floor" else (0.0, *_FRICTIONS))),
            rolling_resistance=self._rolling,
        )
        fast = 3.0 if kind.ground == "none" else 1.0
        velocity = Velocity(*random.uniform(-fast, fast, 3))
        parts: list[Any] = [place, self._collider(), body, velocity]
        if kind.has_bullets and random.random() < 0.3:
            parts.append(Bullet())
        return esper.create_entity(*parts)

    def _collider(self) -> Any:
        """Any shape within the reach."""
        random = self._random

        def size() -> float:
            return float(random.uniform(0.15, 0.5))

        match int(random.integers(9 if self.kind.turns else 10)):
            case 0:
                return CircleCollider(size())
            case 1:
                return OBBCollider(size(), size())
            case 2:
                return CapsuleCollider(size(), 0.5 * size())
            case 3:
                return PolygonCollider([(-size(), -0.3), (size(), -0.3), (0.1, size())])
            case 4:
                return PolygonCollider([(-size(), -0.3), (size(), -0.3), (0.1, size())], radius=0.1)
            case 5:
                return FanCollider(_REACH, float(random.uniform(0.3, math.pi)))
            case 6:
                return FanCollider(0.6, float(random.uniform(3.3, 6.0)))
            case 7:
                return CompoundCollider(
                    [CircleCollider(0.3, -0.3), OBBCollider(0.4, 0.1, 0.2), CircleCollider(0.2, 0.4)]
                )
            case 8:
                return CompoundCollider([OBBCollider(0.5, 0.1), OBBCollider(0.1, 0.5, 0.3)])
            case _:
                return AABBCollider(size(), size())

    def _add_joints(self) -> None:
        """Between neighbours in a row, each body with one at most; to the world only where there is ground."""
        random, bodies = self._random, self.bodies.tolist()
        plain = ("revolute", "weld", "rod", "rope", "prismatic")
        driven = ("motor", "spring", "mouse", "wheel", "gear")
        for k in range(0, len(bodies) - 1, 2):
            if k % _COLUMNS == _COLUMNS - 1 or random.random() < 0.4:
                continue
            a, b = bodies[k : k + 2]
            what = str(random.choice(plain + driven if self.kind.is_driven else plain))
            self._join(what, a, b)

    def _join(self, what: str, a: int, b: int) -> None:
        one, other = (esper.component_for_entity(body, Transform) for body in (a, b))
        ends = one.x, one.y, other.x, other.y
        middle = 0.5 * (one.x + other.x), 0.5 * (one.y + other.y)
        length = math.hypot(other.x - one.x, other.y - one.y)
        joint: Any
        match what:
            case "revolute":
                joint = RevoluteJoint.at(a, b, *middle)
            case "weld":
                joint = WeldJoint.at(a, b, *middle)
            case "rod":
                joint = DistanceJoint.at(a, b, *ends)
            case "rope":
                joint = DistanceJoint.at(a, b, *ends, max_length=1.2 * length)
            case "prismatic":
                joint = PrismaticJoint.at(a, b, *middle, (1.0, 0.0), has_limits=True, lower=-0.2, upper=0.2)
            case "motor":
                joint = MotorJoint.at(a, b, *middle, max_force=50.0, max_torque=20.0)
            case "spring":
                joint = DistanceJoint.at(a, b, *ends, length=length, frequency=2.0, damping_ratio=0.1)
            case "mouse" if self.kind.ground != "none":
                joint = MouseJoint.at(a, one.x, one.y, max_force=50.0)
            case "wheel" | "mouse":
                joint = WheelJoint.at(a, b, *middle, (0.0, 1.0), motor_speed=3.0, max_torque=5.0)
            case _:
                first, second = RevoluteJoint.at(a, b, *middle), RevoluteJoint.at(b, a, *middle)
                owners = esper.create_entity(first), esper.create_entity(second)
                self.joints += [(owners[0], first), (owners[1], second)]
                joint = GearJoint(*owners, ratio=-1.0)
        self.joints.append((esper.create_entity(joint), joint))

    def _frictions(self) -> dict[int, float]:
        ground = esper.try_component(self.ground, RigidBody) if self.ground else None
        found = {0: 0.6, self.ground: RigidBody().friction if ground is None else ground.friction}
        found |= {body: esper.component_for_entity(body, RigidBody).friction for body in self.bodies.tolist()}
        return found
