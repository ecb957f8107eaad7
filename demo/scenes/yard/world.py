"""The yard as a scene: all is put up and asleep, and a ball is in the slingshot."""

from __future__ import annotations

import esper
import numpy as np

import ecsphys
from ecsphys import RigidBody, Transform
from ecsphys.demo.scenes.parameter import Reading, option
from ecsphys.demo.scenes.physics_parameters import gravity
from ecsphys.demo.scenes.scene import Caption, Layout
from ecsphys.demo.scenes.yard.balls import Balls
from ecsphys.demo.scenes.yard.ground import ARENA, put_ground
from ecsphys.demo.scenes.yard.picture import YardLook, YardPicture
from ecsphys.demo.scenes.yard.slingshot import Slingshot
from ecsphys.demo.scenes.yard.slow_motion import SlowMotion
from ecsphys.demo.scenes.yard.tally import Tally
from ecsphys.demo.scenes.yard.targets import Targets, knock_out, put_targets
from ecsphys.demo.scenes.yard.watch import Watch
from ecsphys.types import Hit

_BEFORE, _AFTER = 450, 80
"""Priorities: before all of physics, and after it."""
_SWITCH = ("off", "on")


class Yard:
    """The parts of the yard, and what each shot tells them."""

    def __init__(self, physics: ecsphys.Physics, targets: Targets) -> None:
        self.balls = Balls()
        self.tally = Tally(knock_out)
        self.slow_motion = SlowMotion()
        self.watch = Watch()
        self.sling = Slingshot(physics, self.watch.come_back, self._on_release, self._on_impact)
        self.picture = YardPicture(self.sling, self.balls, self.tally, targets)
        self._has_struck = False
        parts: dict[int, tuple[esper.Processor, ...]] = {
            _BEFORE: (self.sling, self.balls, self.slow_motion),
            _AFTER: (self.tally, self.watch, self.picture),
        }
        for priority, processors in parts.items():
            for processor in processors:
                esper.add_processor(processor, priority)

    def _on_release(self, ball: int) -> None:
        self._has_struck = False
        self.balls.add(ball)
        self.tally.begin_shot()
        self.watch.go_with(ball)

    def _on_impact(self, hit: Hit) -> None:
        """A flying ball strikes hard; the ground does not count."""
        if self._has_struck or not esper.has_component(hit.entity_b, RigidBody):
            return
        if esper.component_for_entity(hit.entity_b, RigidBody).kind == "dynamic":
            self._has_struck = True
            self.slow_motion.start()
            self.watch.see_impact(esper.component_for_entity(hit.entity_a, Transform).x)

    def left(self) -> str:
        """How many pieces still stand."""
        standing = self.tally.pieces - self.tally.fallen
        return str(standing) if standing else "all down!"


class Lull(esper.Processor):
    """Puts all bodies that there are at the beginning to sleep after the first step, when their contacts are known.

    So ragdolls stand until something touches them.
    """

    def __init__(self, physics: ecsphys.Physics) -> None:
        self._physics = physics
        self._awake = _dynamic_bodies()

    def process(self, dt: float) -> None:
        if dt > 0.0 and self._awake:
            self._physics.bodies.sleep(sorted(self._awake & _dynamic_bodies()))
            self._awake = set()


def _dynamic_bodies() -> set[int]:
    return {entity for entity, body in esper.get_component(RigidBody) if body.kind == "dynamic"}


def build(rng: np.random.Generator) -> Layout:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    physics.settings.joint_iterations = 4
    ground = put_ground()
    targets = put_targets(ground)
    yard = Yard(physics, targets)
    esper.add_processor(Lull(physics), priority=_AFTER)

    def put_slow_motion(name: str) -> None:
        yard.slow_motion.is_allowed = name == "on"

    return Layout(
        physics,
        ARENA,
        [Caption(-7.2, 11.4, "Pull the ball back and let go", "Bring down all that stands")],
        show_contacts=False,
        parameters=[
            gravity(physics),
            option("slow motion", lambda: _SWITCH[yard.slow_motion.is_allowed], put_slow_motion, _SWITCH),
        ],
        scores=[
            Reading("points", lambda: f"{yard.tally.points:,}"),
            Reading("balls", lambda: str(yard.sling.shots)),
            Reading("left to fall", yard.left),
        ],
        look=YardLook(yard.balls, [ground, *targets.car.entities]),
        backdrop=yard.picture.backdrop,
        paint_below=yard.picture.below,
        paint_above=yard.picture.above,
        pointer=yard.sling,
        help=[("Slingshot", "left drag pulls, let go to shoot")],
        has_bodies=True,
        follow=yard.watch.box,
        pace=lambda: yard.slow_motion.pace,
    )
