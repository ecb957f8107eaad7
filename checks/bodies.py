"""Worlds of rigid bodies at random, and what mechanics says of them, computed from what a game can read.

Of closed systems: momentum, and angular momentum about the common centre of mass. Where nothing drives: energy. Of
every step: finite numbers, friction within its cone, and sleepers that lie still beside sleepers. At the end: what
rests is not deep in anything, the ground carries its weight, joints hold, nothing has fallen through; and the same seed
once more gives the same digest.
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import dataclass, field
from typing import Any

import esper
import numpy as np

from checks.body_worlds import STEP, BodyWorld, Floats
from ecsphys import DistanceJoint, RevoluteJoint, Transform, WeldJoint

HELP = "momentum, energy, friction, rest and sleep of rigid bodies in random worlds"

_FAULTS_SHOWN = 20

# Relative to the sum of all momenta, and of all angular momenta: sums of a few hundred impulses a step are rounded.
MOMENTUM = 1e-12

# Masses up to 1 to this are even: contacts hold them stiffly.
EVEN = 10.0

# Parts of the heaviest mass that are no match for it.
PRESSING = 100.0

# In parts of the energy at first, what may be gained: by rounding and the stiffness of joints; by bounces with friction
# at two points at once; by joints that a stopped bullet has left a little; by overlaps that are pushed apart; and where
# these are under something heavy. Each is about twice what a thousand worlds have shown.
CLOSED_GAIN, BOUNCING_GAIN, PULLED_GAIN, GROUND_GAIN, UNEVEN_GAIN = 0.01, 0.03, 0.1, 0.05, 0.25

# No ground is lower.
DEEPEST = 3.0

# Where the slow have come to rest: units/s and 1/s, and for how many steps.
_RESTING = 0.02
_REST = 60

# A body that was stopped on its way leaves a joint open by what the other side goes on in the step. In so many steps
# the joint closes.
_CLOSING = 6


@dataclass
class Tally:
    """How much was checked, the largest errors in parts of their bounds, and the faults."""

    steps: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    worst: dict[str, tuple[float, int]] = field(default_factory=dict)
    """With each the seed."""
    faults: int = 0
    shown: list[str] = field(default_factory=list)
    _broken: set[tuple[int, str]] = field(default_factory=set)

    def within(self, what: str, seed: int, error: float, bound: float, step: int = -1) -> None:
        """One error is at most its bound; NaN is not. A world that breaks a law has one fault of it."""
        ratio = error / bound if error == error else math.inf
        self.counts[what] = self.counts.get(what, 0) + 1
        if ratio >= self.worst.get(what, (-1.0, 0))[0]:
            self.worst[what] = ratio, seed
        if not ratio <= 1.0 and (seed, what) not in self._broken:
            self._broken.add((seed, what))
            self.faults += 1
            if len(self.shown) < _FAULTS_SHOWN:
                self.shown.append(f"step {step}, {what}: {error:.3g}, at most {bound:.3g}")


class Referee:
    """Plays the world of a seed, and holds the laws against it."""

    def __init__(self, seed: int, tally: Tally) -> None:
        self._seed = seed
        self._tally = tally
        self._step = 0
        self._resting = 0
        self.world = world = BodyWorld(seed)
        self._index = {body: k for k, body in enumerate(world.bodies.tolist())}
        self._momentum = self._momenta()
        self._scale = self._scales()
        self._energy = self._energies()
        self._first_energy = self._energy
        self._poses = world.poses()
        self._asleep = world.asleep()
        # Of each joint, the least that it was open by in the last steps.
        self._open = [math.inf] * len(world.joints)

    def _within(self, what: str, error: float, bound: float) -> None:
        self._tally.within(what, self._seed, error, bound, self._step)

    def play(self, steps: int) -> None:
        """Some steps, and what must hold after each."""
        world, kind = self.world, self.world.kind
        for self._step in range(1, steps + 1):
            world.step()
            self._tally.steps += 1
            _, velocities, turning = world.motions()
            speed = np.abs(np.column_stack((velocities, turning)))
            self._within("numbers are finite", 0.0 if np.isfinite(speed).all() else math.inf, 1.0)
            self._resting = self._resting + 1 if speed.max() < _RESTING else 0
            if kind.ground == "none":
                self._check_momentum()
            if not kind.is_driven:
                self._check_energy()
            self._check_friction()
            self._check_sleep()
            if self._step > steps - _CLOSING:
                self._measure_joints()
        self._check_end()

    def _momenta(self) -> Floats:
        """Momentum (x, y), and angular momentum about the common centre of mass."""
        world = self.world
        places, velocities, turning = world.motions()
        masses, total = world.masses[:, None], world.masses.sum()
        x, y = (places - (masses * places).sum(0) / total).T
        own = velocities - (masses * velocities).sum(0) / total
        spins = world.inertias * turning
        swirl = (world.masses * (x * own[:, 1] - y * own[:, 0]) + spins).sum()
        return np.array([*(masses * velocities).sum(0), swirl])

    def _scales(self) -> Floats:
        """The sums of the amounts of what :meth:`_momenta` sums up."""
        world = self.world
        places, velocities, turning = world.motions()
        amounts = world.masses * np.hypot(*velocities.T)
        reach = np.hypot(*(places - places.mean(0)).T)
        spins = world.inertias * np.abs(turning)
        return np.array([amounts.sum(), amounts.sum(), (amounts * reach + spins).sum()])

    def _energies(self) -> float:
        world = self.world
        places, velocities, turning = world.motions()
        moving = 0.5 * world.masses * (velocities**2).sum(1)
        spinning = 0.5 * world.inertias * turning**2
        return float((moving + spinning + world.masses * world.gravity * (places[:, 1] + DEEPEST)).sum())

    def _check_momentum(self) -> None:
        world = self.world
        fallen = np.array([0.0, -world.gravity * self._step * STEP * world.masses.sum(), 0.0])
        error = np.abs(self._momenta() - self._momentum - fallen)
        scale = np.maximum(self._scale, self._scales()) + np.abs(fallen).max()
        self._within("momentum of closed systems", float(error[:2].max()), MOMENTUM * scale[0])
        if world.kind.turns and not world.kind.has_bullets:
            self._within("angular momentum of closed systems", float(error[2]), 0.02 * scale[2])

    def _check_energy(self) -> None:
        """What is gained since the least energy there was, in parts of what there was at first."""
        energy, kind = self._energies(), self.world.kind
        gained = energy - self._energy
        self._energy = min(energy, self._energy)
        if kind.ground != "none":
            if kind.spread <= EVEN:
                self._within("energy is not gained on ground", gained, GROUND_GAIN * self._first_energy)
            else:
                self._within("energy is not gained under the heavy", gained, UNEVEN_GAIN * self._first_energy)
        elif kind.has_bullets and kind.has_joints:
            self._within("energy is not gained as bullets pull at joints", gained, PULLED_GAIN * self._first_energy)
        elif self.world.restitution > 0.0 or kind.spread > EVEN:
            self._within("energy is not gained by bounces", gained, BOUNCING_GAIN * self._first_energy)
        else:
            self._within("energy of closed systems is not gained", gained, CLOSED_GAIN * self._first_energy)

    def _check_friction(self) -> None:
        hits = self.world.physics.hits
        if not len(hits):
            return
        friction = self.world.friction
        pairs = zip(hits.entity_a.tolist(), hits.entity_b.tolist(), strict=True)
        mixed = np.array([math.sqrt(friction[a] * friction[b]) for a, b in pairs])
        self._within("impulses push", float(-hits.impulse.min()), 1e-12)
        # The solver has friction in single precision.
        most = (1.0 + 2.0**-23) * mixed * hits.impulse
        beyond = np.abs(hits.tangent_impulse) - most
        self._within("friction is in its cone", float(beyond.max()), 1e-9 * max(float(hits.impulse.max()), 1e-9))

    def _check_sleep(self) -> None:
        world = self.world
        if not world.kind.may_sleep:
            return
        poses, asleep = world.poses(), world.asleep()
        both = asleep & self._asleep
        self._tally.counts["sleepers"] = self._tally.counts.get("sleepers", 0) + int(asleep.sum())
        moved = np.abs(poses - self._poses)[both]
        self._within("sleepers lie still", float(moved.max(initial=0.0)), 1e-300)
        hits = world.physics.hits
        # What only touches, and carries nothing, may sleep a step before it is woken.
        old = hits.select(np.flatnonzero(~hits.is_new & (hits.impulse > 0.0)))
        for a, b in zip(old.entity_a.tolist(), old.entity_b.tolist(), strict=True):
            if a in self._index and b in self._index:
                here, there = self._index[a], self._index[b]
                self._within("sleepers lie beside sleepers", float(asleep[here] != asleep[there]), 0.5)
        self._poses, self._asleep = poses, asleep

    def _check_end(self) -> None:
        world, kind = self.world, self.world.kind
        places, _, _ = world.motions()
        hits = world.physics.hits
        if kind.ground != "none":
            # The heaviest may press the lightest through a chain, which has no inside to lead it back.
            least = 0.0 if kind.ground == "floor" else world.masses.max() / PRESSING
            self._within("nothing falls through", float(-places[world.masses >= least, 1].min()), DEEPEST)
        if self._resting >= _REST:
            self._tally.counts["worlds at rest"] = self._tally.counts.get("worlds at rest", 0) + 1
            deepest = float(hits.depth.max(initial=0.0))
            if kind.spread <= EVEN:
                self._within("what rests is not deep", deepest, 0.05)
            else:
                self._within("the light under the heavy is not deep", deepest, 0.2)
            if not kind.is_driven:
                self._check_weight()
        if not kind.is_driven:
            for number, (owner, joint) in enumerate(world.joints):
                if esper.entity_exists(owner):
                    self._check_joint(joint, self._open[number])

    def _check_weight(self) -> None:
        """The impulses of the ground are those of gravity."""
        world, hits = self.world, self.world.physics.hits
        on_ground = (hits.entity_a == world.ground) | (hits.entity_b == world.ground)
        chosen = hits.select(np.flatnonzero(on_ground))
        way = np.where(chosen.entity_a == world.ground, 1.0, -1.0)
        x, y = chosen.normal.T
        up = (way * (chosen.impulse * y - chosen.tangent_impulse * x)).sum()
        sideways = (way * (chosen.impulse * x + chosen.tangent_impulse * y)).sum()
        weight = world.masses.sum() * world.gravity * STEP
        self._within("the ground carries the weight", float(abs(up - weight)), 0.02 * weight)
        self._within("the ground pushes nothing sideways", float(abs(sideways)), 0.1 * weight)

    def _measure_joints(self) -> None:
        for number, (owner, joint) in enumerate(self.world.joints):
            if esper.entity_exists(owner):
                self._open[number] = min(self._open[number], _gap(joint))

    def _check_joint(self, joint: Any, gap: float) -> None:
        if isinstance(joint, RevoluteJoint | WeldJoint):
            self._within("hinges and welds hold", gap, 0.05 if self.world.kind.spread <= EVEN else 0.5)
        elif isinstance(joint, DistanceJoint) and joint.length is not None:
            self._within("rods keep their length", gap, 0.05)
        elif isinstance(joint, DistanceJoint) and joint.max_length is not None:
            self._within("ropes keep their length", gap, 0.05)


def _gap(joint: Any) -> float:
    """By how much a joint that holds two points is open; 0 for others."""
    if not isinstance(joint, RevoluteJoint | WeldJoint | DistanceJoint):
        return 0.0
    ax, ay = _anchor(joint.entity_a, joint.x_a, joint.y_a)
    bx, by = _anchor(joint.entity_b, joint.x_b, joint.y_b)
    apart = math.hypot(bx - ax, by - ay)
    if not isinstance(joint, DistanceJoint):
        return float(apart)
    if joint.length is not None:
        return float(abs(apart - joint.length))
    return 0.0 if joint.max_length is None else float(apart - joint.max_length)


def _anchor(entity: int, x: float, y: float) -> tuple[float, float]:
    place = esper.component_for_entity(entity, Transform)
    c, s = math.cos(place.angle), math.sin(place.angle)
    return place.x + c * x - s * y, place.y + s * x + c * y


def play(seed: int, steps: int, tally: Tally) -> None:
    """Play the world of a seed under the eyes of a referee, and once more without."""
    before = esper.current_world
    shown = len(tally.shown)
    referee = Referee(seed, tally)
    again = BodyWorld(seed, " again")
    try:
        esper.switch_world(referee.world.name)
        referee.play(steps)
        first = referee.world.physics.digest()
        for _ in range(steps):
            again.step()
        tally.within("the same seed, the same digest", seed, float(first != again.physics.digest()), 0.5)
    finally:
        referee.world.close()
        again.close()
        esper.switch_world(before)
    kind = referee.world.kind
    tally.shown[shown:] = [f"--seed {seed} --worlds 1, {kind}: {fault}" for fault in tally.shown[shown:]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the check."""
    parser.add_argument("--worlds", metavar="N", type=int, default=200, help="how many worlds (%(default)s)")
    parser.add_argument("--steps", metavar="N", type=int, default=360, help="steps of each (%(default)s)")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="of the first world (%(default)s)")


def run(options: argparse.Namespace) -> int:
    """Play all worlds; 1 where a law was broken, with the seed that shows it again."""
    tally, begun = Tally(), time.perf_counter()
    for seed in range(options.seed, options.seed + options.worlds):
        shown = len(tally.shown)
        play(seed, options.steps, tally)
        for fault in tally.shown[shown:]:
            print(fault, flush=True)
    print("Largest errors, in parts of their bounds:")
    for what, (worst, seed) in sorted(tally.worst.items()):
        print(f"{worst:12.3g}  {what} (seed {seed}; {tally.counts[what]:,})")
    print(
        f"{options.worlds:,} worlds from seed {options.seed}, {tally.steps:,} steps,"
        f" {tally.counts.get('worlds at rest', 0)} at rest, {tally.counts.get('sleepers', 0):,} times a body slept:"
        f" {tally.faults:,} faults, {time.perf_counter() - begun:.0f} s"
    )
    return 1 if tally.faults else 0
