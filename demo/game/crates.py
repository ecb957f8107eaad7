"""Crates: bodies that the hero pushes, stands on and breaks."""

from __future__ import annotations

import esper

from ecsphys import HitListener, OBBCollider, RigidBody, Solid, Transform, Velocity
from ecsphys.demo.game.level import CRATE_HALF, CRATES
from ecsphys.demo.game.parts import TABLE, Crate, Layer
from ecsphys.demo.game.weapons import OnStrike

MASS = 4.0 * CRATE_HALF * CRATE_HALF
BREAKING_SPEED = 8.5
"""A crate that strikes the ground at this speed breaks: after a fall of two units."""


def add_crates(on_crash: OnStrike) -> None:
    """The crates of the level; ``on_crash`` is called when one, ``entity_a``, strikes something too hard."""
    for x, y in CRATES:
        add_crate(x, y, on_crash)


def add_crate(x: float, y: float, on_crash: OnStrike) -> int:
    """A crate at (x, y)."""
    return esper.create_entity(
        Transform(x, y),
        Velocity(),
        OBBCollider(CRATE_HALF, CRATE_HALF),
        RigidBody(mass=MASS, friction=0.6),
        Solid(),
        Crate(),
        HitListener(on_impulse=on_crash, min_impulse=MASS * BREAKING_SPEED),
        TABLE.filter(Layer.CRATE),
    )
