"""Throw ragdolls down the stairs: rigid bodies, joined by hinges with limits.

Mouse: throw a ragdoll from the upper left corner towards the click. Space: clear the stairs. Esc: quit.
"""

import math
from typing import NamedTuple

import esper
import numpy as np
import pyglet
from pyglet import shapes

import ecsphys
from ecsphys import AABBCollider, CapsuleCollider, CollisionFilter, RevoluteJoint, RigidBody, Solid, Transform, Velocity
from ecsphys.debug_draw import Painter, View, blending

WIDTH = 960
HEIGHT = 540
STONE = (58, 66, 86)
COLORS = [(1.0, 0.79, 0.35), (0.51, 0.78, 0.52), (0.39, 0.71, 0.96), (0.94, 0.38, 0.57)]

HAND = (80, 460)  # ragdolls start here
THROW_SPEED = 330

# Left, bottom, width, height: the landing, the floor, the sides of the window, and six stairs.
BLOCKS = [(0, 0, 180, 340), (660, 0, 300, 25), (-20, 0, 20, 4000), (WIDTH, 0, 20, 4000)]
BLOCKS += [(180 + 80 * n, 0, 80, 295 - 45 * n) for n in range(6)]


class Limb(NamedTuple):
    """A part of the body: an upright capsule, and the hinge that joins it to another part, its parent.

    Heights are measured from the middle of the chest, in pixels. Angles are measured from the parent. The figure looks
    to the right, so a positive angle (counter-clockwise) swings a limb forward.
    """

    name: str
    parent: str | None
    y: float  # of the limb's middle
    length: float
    radius: float
    hinge_y: float
    lower: float  # limits of the hinge, in degrees
    upper: float
    shade: float  # 1 is full color; limbs behind the body are darker


# In drawing order: the limbs behind the body first.
LIMBS = [
    Limb("far upper arm", "chest", 6, 36, 6, 20, -60, 150, 0.5),
    Limb("far forearm", "far upper arm", -20, 34, 5, -8, 0, 140, 0.5),
    Limb("far thigh", "chest", -40, 42, 8, -24, -30, 100, 0.5),
    Limb("far shin", "far thigh", -74, 42, 7, -57, -130, 0, 0.5),
    Limb("head", "chest", 43, 30, 14, 29, -40, 40, 1.0),
    Limb("chest", None, 0, 62, 13, 0, 0, 0, 1.0),
    Limb("near thigh", "chest", -40, 42, 8, -24, -30, 100, 0.8),
    Limb("near shin", "near thigh", -74, 42, 7, -57, -130, 0, 0.8),
    Limb("near upper arm", "chest", 6, 36, 6, 20, -60, 150, 0.8),
    Limb("near forearm", "near upper arm", -20, 34, 5, -8, 0, 140, 0.8),
]


class Ragdolls(pyglet.window.Window):
    def __init__(self) -> None:
        super().__init__(WIDTH, HEIGHT, "Ragdolls")
        pyglet.gl.glClearColor(0.09, 0.11, 0.16, 1.0)
        self.batch = pyglet.graphics.Batch()
        self.label = pyglet.text.Label("Click to throw", x=20, y=HEIGHT - 34, font_size=14, batch=self.batch)
        self.painter = Painter()
        self.thrown = 0
        self.physics = ecsphys.install(gravity=(0, -900))
        self.physics.settings.length_unit = 50  # a typical body in pixels
        self.build()

    def build(self) -> None:
        esper.clear_database()
        self.looks: list[tuple[Transform, Limb, tuple[float, float, float]]] = []
        for x, y, width, height in BLOCKS:
            look = shapes.Rectangle(x, y, width, height, STONE, batch=self.batch)
            esper.create_entity(Transform(x, y), AABBCollider.from_rect(0, 0, width, height), Solid(), look)

    def throw(self, velocity: tuple[float, float]) -> dict[str, int]:
        """Create a ragdoll. Returns the entities of its limbs by name."""
        self.thrown += 1
        bodies: dict[str, int] = {}
        for limb in LIMBS:
            bodies[limb.name] = self.add_limb(limb, velocity)
        for limb in LIMBS:
            if limb.parent is not None:
                y = HAND[1] + limb.hinge_y
                hinge = RevoluteJoint.at(bodies[limb.parent], bodies[limb.name], HAND[0], y, has_limits=True)
                hinge.lower = math.radians(limb.lower)
                hinge.upper = math.radians(limb.upper)
                esper.create_entity(hinge)  # a joint is a component, here of an entity of its own
        return bodies

    def add_limb(self, limb: Limb, velocity: tuple[float, float]) -> int:
        place = Transform(HAND[0], HAND[1] + limb.y)
        red, green, blue = COLORS[self.thrown % len(COLORS)]
        self.looks.append((place, limb, (red * limb.shade, green * limb.shade, blue * limb.shade)))
        # Limbs of the same negative group do not collide, so the arms can swing in front of the chest. Each ragdoll has
        # another group, so two ragdolls do collide.
        return esper.create_entity(
            place,
            Velocity(*velocity),
            CapsuleCollider.upright(limb.length, limb.radius),
            RigidBody(friction=0.4),
            CollisionFilter(group=-self.thrown),
        )

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        direction = pyglet.math.Vec2(x - HAND[0], y - HAND[1]).normalize()
        self.throw((THROW_SPEED * direction.x, THROW_SPEED * direction.y))
        self.label.text = f"Ragdolls: {self.thrown}    Space: clear the stairs"

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        super().on_key_press(symbol, modifiers)  # Esc closes the window
        if symbol == pyglet.window.key.SPACE:
            self.build()

    def update(self, dt: float) -> None:
        esper.process(1 / 60)

    def on_draw(self) -> None:
        self.clear()
        self.batch.draw()
        if self.looks:
            self.draw_limbs()

    def draw_limbs(self) -> None:
        """Draw each capsule as a thick line with round ends, all in one call."""
        middles = np.array([(place.x, place.y) for place, _, _ in self.looks])
        angles = np.array([place.angle for place, _, _ in self.looks])
        half_lengths = np.array([limb.length / 2 - limb.radius for _, limb, _ in self.looks])
        halves = half_lengths[:, None] * np.column_stack((-np.sin(angles), np.cos(angles)))
        widths = np.array([2 * limb.radius for _, limb, _ in self.looks])
        colors = np.array([color for _, _, color in self.looks])
        with blending():
            self.painter.begin(View.of_window(self))
            self.painter.strokes(middles - halves, middles + halves, widths, colors)
            self.painter.end()


if __name__ == "__main__":
    game = Ragdolls()
    pyglet.clock.schedule_interval(game.update, 1 / 60)
    pyglet.app.run()
