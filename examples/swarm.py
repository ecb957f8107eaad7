"""Four thousand discs as arrays: one call creates them, and a few lines of numpy make them bounce and heat up.

Mouse: hold a button to draw the swarm together. Esc: quit.

    python examples/swarm.py
"""

import esper
import numpy as np
import pyglet
from pyglet.window import mouse

import ecsphys
from ecsphys import CircleCollider, Component, Drag, Priority, Transform, Velocity, WorldBounds
from ecsphys.debug_draw import Painter, View, blending
from ecsphys.systems import WorldBoundsSystem

WIDTH = 960
HEIGHT = 540
COUNT = 4000
RADIUS = 3.0
SPEED = 60.0  # at the start

COLD = np.array((0.20, 0.45, 0.85))
HOT = np.array((1.0, 0.80, 0.35))


class Heat(Component):
    """A disc gets heat in each bounce, and cools down with time."""

    value: float = 0.0


class Swarm(pyglet.window.Window):
    def __init__(self) -> None:
        super().__init__(WIDTH, HEIGHT, "Swarm")
        self.label = pyglet.text.Label("", x=20, y=HEIGHT - 34, font_size=14)
        self.painter = Painter()
        self.mouse = mouse.MouseStateHandler()
        self.push_handlers(self.mouse)

        self.physics = ecsphys.install()
        esper.add_processor(WorldBoundsSystem(self.physics), Priority.BOUNDS)
        self.create_discs()

    def create_discs(self) -> None:
        random = np.random.default_rng(1)
        angles = random.uniform(0, 2 * np.pi, COUNT)
        # many() takes an array, or one value for all entities.
        ecsphys.spawn_many(
            COUNT,
            Transform.many(x=random.uniform(0, WIDTH, COUNT), y=random.uniform(0, HEIGHT, COUNT)),
            Velocity.many(x=SPEED * np.cos(angles), y=SPEED * np.sin(angles)),
            CircleCollider.many(RADIUS),
            WorldBounds.many(0, 0, WIDTH, HEIGHT, "bounce", margin=RADIUS),
            Drag.many(0.5),
            Heat.many(),
        )

    def update(self, dt: float) -> None:
        esper.process(1 / 60)
        self.cool()
        self.bounce()
        if self.mouse[mouse.LEFT] or self.mouse[mouse.RIGHT]:
            self.pull(self.mouse["x"], self.mouse["y"])

    def cool(self) -> None:
        _, rows = ecsphys.join(Heat)
        Heat.column("value")[rows] *= 0.96

    def bounce(self) -> None:
        """Two equal discs that bounce swap their speeds along the normal."""
        started = self.physics.hits.started  # the hits that began in this step, as arrays
        closing_speed = started.approach_speed.clip(min=0)
        change = closing_speed[:, None] * started.normal  # the normal points from entity_a to entity_b
        heat = closing_speed.clip(max=300) / 300

        vx = Velocity.column("x")
        vy = Velocity.column("y")
        for entities, sign in ((started.entity_a, -1), (started.entity_b, 1)):
            rows = Velocity.rows_of(entities)
            # A disc may have several hits. "add.at" adds them all; "vx[rows] += ..." would keep only the last hit.
            np.add.at(vx, rows, sign * change[:, 0])
            np.add.at(vy, rows, sign * change[:, 1])
            np.maximum.at(Heat.column("value"), Heat.rows_of(entities), heat)

    def pull(self, x: float, y: float) -> None:
        """Accelerate all discs towards a point, the near ones more."""
        _, places, velocities = ecsphys.join(Transform, Velocity)
        dx = x - Transform.column("x", writable=False)[places]
        dy = y - Transform.column("y", writable=False)[places]
        strength = 900 / 60 / np.hypot(dx, dy).clip(min=40)
        Velocity.column("x")[velocities] += strength * dx
        Velocity.column("y")[velocities] += strength * dy

    def on_draw(self) -> None:
        _, places, heats = ecsphys.join(Transform, Heat)
        x = Transform.column("x", writable=False)[places]
        y = Transform.column("y", writable=False)[places]
        heat = Heat.column("value", writable=False)[heats][:, None]

        self.clear()
        with blending():
            self.painter.begin(View.of_window(self))
            self.painter.circles(np.column_stack((x, y)), RADIUS, COLD + heat * (HOT - COLD))
            # A dark box behind the text.
            self.painter.boxes(np.array([(12.0, 496.0, 250.0, 532.0)]), (0.0, 0.0, 0.0), fill=0.8)
            self.painter.end()
        self.label.text = f"{COUNT} discs, {len(self.physics.hits)} hits"
        self.label.draw()


if __name__ == "__main__":
    game = Swarm()
    pyglet.clock.schedule_interval(game.update, 1 / 60)
    pyglet.app.run()
