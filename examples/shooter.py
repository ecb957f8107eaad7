"""A top-down shooter: layers by a table, swept bullets, hit listeners, particles, foes steered as arrays.

W A S D: walk. Mouse: aim; hold the left button to shoot. Esc: quit.
"""

import enum

import esper
import numpy as np
import pyglet
from pyglet.math import Vec2
from pyglet.window import key, mouse

import ecsphys
from ecsphys import AABBCollider, CircleCollider, HitListener, OBBCollider, Solid, Transform, Velocity
from ecsphys.debug_draw import DebugDraw, Painter, View, blending
from ecsphys.effects import Emitter, Splash
from ecsphys.systems import ParticleSystem
from ecsphys.types import Hit

# Left, bottom, width, height: the border of the arena, and four pillars.
WALLS = [(0, 0, 960, 12), (0, 528, 960, 12), (0, 0, 12, 540), (948, 0, 12, 540)]
WALLS += [(200, 110, 60, 60), (200, 370, 60, 60), (700, 110, 60, 60), (700, 370, 60, 60)]

WALK = 4  # pixels a step
SHOT_SPEED = 1500  # pixels/s: 25 a step. A wall is only 12 thick, but a Bullet never passes through it.
FOE_SPEED = 90
SPARKS = Emitter(vx_spread=130, vy_spread=130, lifetime=0.5, splash=Splash.NORMAL, drag=3)


class Layer(enum.IntFlag):
    WALL = enum.auto()
    PLAYER = enum.auto()
    FOE = enum.auto()
    SHOT = enum.auto()


# Name each pair of layers that can hit each other once. Shots and the player are not a pair: they never hit.
TABLE = ecsphys.CollisionTable(
    Layer, {Layer.WALL: Layer.PLAYER | Layer.FOE | Layer.SHOT, Layer.FOE: Layer.PLAYER | Layer.FOE | Layer.SHOT}
)


class Foe(ecsphys.Component):
    life: int = 3


class Shooter(pyglet.window.Window):
    def __init__(self) -> None:
        super().__init__(960, 540, "Shooter")
        pyglet.gl.glClearColor(0.06, 0.07, 0.10, 1.0)
        self.label = pyglet.text.Label("", x=30, y=500, font_size=14)
        self.keys = key.KeyStateHandler()
        self.mouse = mouse.MouseStateHandler()
        self.push_handlers(self.keys, self.mouse)
        self.random = np.random.default_rng(1)
        self.steps = 0
        self.life = 100
        self.kills = 0
        self.physics = ecsphys.install()
        self.physics.settings.length_unit = 50  # a typical body in pixels
        self.particles = ParticleSystem(self.physics)
        esper.add_processor(self.particles, ecsphys.Priority.PARTICLE)
        self.debug_draw = DebugDraw(self.physics, contacts=False, normals=False)
        self.painter = Painter()
        for x, y, width, height in WALLS:
            box = AABBCollider.from_rect(0, 0, width, height)
            esper.create_entity(Transform(x, y), box, Solid(), TABLE.filter(Layer.WALL))
        self.place = Transform(480, 270)
        listener = HitListener(on_started=self.on_touched_by_foe)
        self.player = esper.create_entity(self.place, CircleCollider(14), TABLE.filter(Layer.PLAYER), listener)

    def update(self, dt: float) -> None:
        if self.life == 0:
            return
        self.steps += 1
        self.walk()
        if self.steps % 40 == 1:
            self.add_foe()
        if self.mouse[mouse.LEFT] and self.steps % 6 == 0:
            self.shoot(self.mouse["x"], self.mouse["y"])
        self.steer_foes()
        esper.process(1 / 60)

    def walk(self) -> None:
        held = self.keys
        direction = Vec2(held[key.D] - held[key.A], held[key.W] - held[key.S]).normalize()
        # up=(0, 0): a game seen from above has walls, but no floor.
        self.physics.move_and_slide(self.player, direction * WALK, up=(0, 0))

    def add_foe(self) -> None:
        """Add a foe at the left or the right edge."""
        place = Transform(self.random.choice((40, 920)), self.random.uniform(60, 480))
        # Foes are rigid bodies, so they push each other and do not overlap.
        body = ecsphys.RigidBody(friction=0)
        esper.create_entity(place, Velocity(), Foe(), OBBCollider(13, 13), body, TABLE.filter(Layer.FOE))

    def shoot(self, x: float, y: float) -> None:
        start = Vec2(self.place.x, self.place.y)
        velocity = (Vec2(x, y) - start).normalize() * SHOT_SPEED
        esper.create_entity(
            Transform(start.x, start.y),
            Velocity(velocity.x, velocity.y),
            CircleCollider(4),
            ecsphys.Bullet(),  # tested along its whole path: it never tunnels
            TABLE.filter(Layer.SHOT),
            HitListener(on_started=self.on_strike),
        )

    def steer_foes(self) -> None:
        """Turn all foes towards the player: one computation on arrays, however many foes there are."""
        foes, places, _ = ecsphys.join(Transform, Foe)
        dx = self.place.x - Transform.column("x", writable=False)[places]
        dy = self.place.y - Transform.column("y", writable=False)[places]
        directions = np.column_stack((dx, dy)) / np.hypot(dx, dy)[:, None]
        self.physics.bodies.set_velocity(foes, FOE_SPEED * directions)

    def on_strike(self, hit: Hit) -> None:
        """A shot, entity_a, has hit a wall or a foe, entity_b."""
        x, y = hit.points[0]
        esper.delete_entity(hit.entity_a)
        self.particles.burst(x, y, 12, SPARKS)
        foe = esper.try_component(hit.entity_b, Foe)
        if foe is None:
            return  # a wall
        foe.life -= 1
        if foe.life == 0:
            self.kills += 1
            self.particles.burst(x, y, 200, SPARKS)
            esper.delete_entity(hit.entity_b)

    def on_touched_by_foe(self, hit: Hit) -> None:
        self.life = max(self.life - 10, 0)

    def on_draw(self) -> None:
        self.clear()
        self.debug_draw.draw()
        with blending():
            self.painter.begin(View.of_window(self))
            opacity = 1 - self.particles.age / self.particles.lifetime
            self.painter.circles(self.particles.position, 3.0, (1.0, 0.75, 0.3), opacity)
            self.painter.end()
        self.label.text = f"Life: {self.life or 'game over'}    Foes beaten: {self.kills}"
        self.label.draw()


if __name__ == "__main__":
    game = Shooter()
    pyglet.clock.schedule_interval(game.update, 1 / 60)
    pyglet.app.run()
