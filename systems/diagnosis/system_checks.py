"""Systems that are missing for components in use, and event handlers that are never called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import esper

from ecsphys.components.collision.hit_listener import HitListener
from ecsphys.components.dynamics.joints import JOINT_CLASSES
from ecsphys.components.dynamics.rigid_body import Bullet, RigidBody
from ecsphys.components.effects.light import Beam, Emitter, HomingLaser, RingBeam
from ecsphys.components.effects.scrolling import Camera
from ecsphys.components.motion.transform import Controller, Lifetime, Parent, Velocity, WorldBounds
from ecsphys.components.other_names import most_alike, other_names
from ecsphys.systems.diagnosis.census import WITH_SHAPES, Census, Finding, found
from ecsphys.systems.priorities import Priority
from ecsphys.systems.stepping.fixed_step import FixedStep
from ecsphys.systems.world.entity_table import TRAJECTORY_CLASSES
from ecsphys.systems.world.esper_world import PASSED, handlers_of_idle_worlds, misfit_handlers, processors

EVENT_NAMES: Final = tuple(PASSED)

# How alike a name must be to one that is sent to be taken for a slip.
_ALIKE: Final = 0.75

# The stages of install() by their names: this module is asked by Physics, and stages know Physics.
_STAGES: Final[tuple[tuple[str, int, tuple[type, ...]], ...]] = (
    ("AnalyticMotionSystem", Priority.ANALYTIC_MOTION, TRAJECTORY_CLASSES),
    ("EulerMotionSystem", Priority.EULER_MOTION, (Velocity,)),
    ("RigidBodySystem", Priority.RIGID_BODY, (RigidBody, *JOINT_CLASSES)),
    ("HierarchySystem", Priority.HIERARCHY, (Parent,)),
    ("SweepSystem", Priority.SWEEP, (Bullet,)),
    ("BroadphaseSystem", Priority.BROADPHASE, WITH_SHAPES),
    ("NarrowphaseSystem", Priority.NARROWPHASE, WITH_SHAPES),
    ("HitEventSystem", Priority.HIT_EVENT, (HitListener,)),
)

_ADDED: Final[tuple[tuple[str, str, tuple[type, ...]], ...]] = (
    ("ControlSystem", "INPUT", (Controller,)),
    ("ParticleSystem", "PARTICLE", (Emitter,)),
    ("LightSystem", "LIGHT", (Beam, RingBeam, HomingLaser)),
    ("LifetimeSystem", "LIFETIME", (Lifetime,)),
    ("WorldBoundsSystem", "BOUNDS", (WorldBounds,)),
    ("ScrollingSystem", "SCROLLING", (Camera,)),
)


# These systems look at each step. A frame may have none, or several.
_IN_STEPS: Final = {"LifetimeSystem": "LIFETIME", "WorldBoundsSystem": "BOUNDS"}


def check_systems(census: Census, running: Sequence[esper.Processor]) -> Iterator[Finding]:
    """Components in use whose system does not run."""
    names = {base.__name__ for system in running for base in type(system).__mro__}
    if names.isdisjoint(name for name, _, _ in _STAGES):
        yield Finding(
            "no stage of ecsphys runs in this world: call ecsphys.install(), or physics.step(dt) in each frame"
        )
    else:
        yield from _check_stages(census, running, names)
    for name, priority, classes in _ADDED:
        if name in names:
            continue
        for cls in classes:
            message = f"no {name} runs: call esper.add_processor({name}(physics), ecsphys.Priority.{priority})"
            yield from found(list(census.having(cls)), message, cls.__name__)


def check_fixed_step(fixed: FixedStep | None) -> Iterator[Finding]:
    """Systems that run once a frame, though they belong to the steps; and steps that are hardly ever due."""
    if fixed is None:
        return
    in_frame = [type(system).__name__ for system in processors() if not isinstance(system, FixedStep)]
    for name, priority in _IN_STEPS.items():
        if name in in_frame:
            add = f"physics.fixed_step.add({name}(physics), ecsphys.Priority.{priority})"
            yield Finding(
                f"the {name} runs once per frame, not in each fixed step: use {add} instead of esper.add_processor"
            )
    if fixed.hz < 1.0:
        yield Finding(f"the fixed step is {fixed.dt:g} seconds long: give hz in steps per second, for example 60")


def _check_stages(census: Census, running: Sequence[esper.Processor], names: set[str]) -> Iterator[Finding]:
    defaults = {name: priority for name, priority, _ in _STAGES}
    shift = next(one.priority - defaults[type(one).__name__] for one in running if type(one).__name__ in defaults)
    # What another author has put where a stage would be stands for it.
    foreign = [one.priority - shift for one in running if not type(one).__module__.startswith("ecsphys.")]
    priorities = [10**9, *defaults.values(), -(10**9)]
    for place, (name, _, classes) in enumerate(_STAGES):
        after, before = priorities[place], priorities[place + 2]
        if name in names or any(before < priority < after for priority in foreign):
            continue
        for cls in classes:
            yield from found(
                list(census.having(cls)), f"no {name} runs, although other stages do: add it again", cls.__name__
            )


def check_events() -> Iterator[Finding]:
    """Handlers of misspelt events, which are never sent, and handlers in another world."""
    for name in esper.event_registry:
        if name in EVENT_NAMES or not isinstance(name, str):
            continue
        alike = other_names()["events"].get(name) or most_alike(name, EVENT_NAMES, _ALIKE)
        if alike or name.startswith(("hit_", "pair_")):
            meant = f"did you mean {alike!r}?" if alike else f"its events are {', '.join(EVENT_NAMES)}"
            yield Finding(f"a handler is set for {name!r}, but ecsphys never sends that event; {meant}")
    for name in EVENT_NAMES:
        for _, message in misfit_handlers(name):
            yield Finding(message)
    if any(name in esper.event_registry for name in EVENT_NAMES):
        return
    for world, names in handlers_of_idle_worlds(EVENT_NAMES).items():
        yield Finding(
            f"handlers of {names[0]!r} are set in the world {world!r}, but not in the current world"
            f" {esper.current_world!r}: each world has its own handlers, so call esper.set_handler after"
            " esper.switch_world"
        )
