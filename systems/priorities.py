"""``Priority``: where the stages of a step run among a game's own processors."""

from __future__ import annotations

from enum import IntEnum


class Priority(IntEnum):
    """The esper priority of each stage; esper runs higher priorities first.

    Add a system of your own between two stages with a number between theirs. With esper's default, 0, it runs after
    the hits are known and the events were sent.

    Examples
    --------
    >>> esper.add_processor(ecsphys.systems.LifetimeSystem(physics), Priority.LIFETIME)
    """

    INPUT = 500
    """Player input is read."""

    # In the frame, after input is read, and before everything that draws the results of the steps.
    FIXED_STEP = 450
    """All steps of a frame run here, with ``install(fixed_step=…)``."""

    ANALYTIC_MOTION = 400
    """Trajectories move their entities."""

    EULER_MOTION = 390
    """Velocities and forces move entities without a dynamic body."""

    # After all that moves by itself; before the hierarchy, as children follow the bodies that carry them.
    RIGID_BODY = 380
    """Contacts and joints are solved, and dynamic bodies move."""

    # After all that moves by itself: children follow to where their parents were put back.
    BOUNDS = 360
    """``WorldBounds`` put entities back."""

    HIERARCHY = 350
    """Children follow their parents."""

    PARTICLE = 340
    """Particles are emitted and move."""

    # After all that moves: a beam leaves the gun where it is now. Before the broadphase: it hits in the same step.
    LIGHT = 320
    """Beams and lasers move."""

    # After all that moves, lights too; before the broadphase, which sees bullets where they were stopped.
    SWEEP = 310
    """Bullets and fast bodies are stopped before they pass through others."""

    BROADPHASE = 300
    """Candidate pairs are found."""

    NARROWPHASE = 200
    """Hits are found; below this number ``physics.hits`` has the hits of this step."""

    HIT_EVENT = 100
    """The events of hits are sent."""

    # After the events: in its last step an entity hits, and its handlers find it alive.
    LIFETIME = 90
    """Entities whose ``Lifetime`` is over are deleted."""

    # After the game's own processors at esper's default, so that a camera sees its target where the step has left it.
    SCROLLING = -100
    """Cameras follow their targets."""
