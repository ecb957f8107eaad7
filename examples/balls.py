"""Click to throw balls at a tower: rigid bodies that bounce, roll, stack and topple. Hard impacts light up.

Mouse: throw a ball from the lower left corner towards the click. Space: build the tower again. Esc: quit.

    python examples/balls.py
"""

import esper
import pyglet
from pyglet import shapes

import ecsphys
from ecsphys import AABBCollider, CircleCollider, Hit, HitListener, OBBCollider, RigidBody, Solid, Transform, Velocity

WIDTH, HEIGHT = 960, 540
STONE, BOXES = (58, 66, 86), [(100, 181, 246), (77, 208, 225), (129, 199, 132)]
BALLS = [(255, 202, 88), (255, 138, 101), (240, 98, 146)]


class Balls(pyglet.window.Window):
    def __init__(self) -> None:
        super().__init__(WIDTH, HEIGHT, "Balls")
        pyglet.gl.glClearColor(0.09, 0.11, 0.16, 1.0)
        self.batch = pyglet.graphics.Batch()
        self.label = pyglet.text.Label("Click to throw", x=20, y=HEIGHT - 34, font_size=14, batch=self.batch)
        self.thrown = 0
        self.physics = ecsphys.install(gravity=(0, -900))
        self.physics.bodies.length_unit = 50  # a unit is a pixel, and things are some fifty of them large
        self.build()

    def build(self) -> None:
        esper.clear_database()
        for x, y, width, height in (0, 0, WIDTH, 40), (-20, 0, 20, 4000), (WIDTH, 0, 20, 4000), (500, 40, 200, 60):
            wall = shapes.Rectangle(x, y, width, height, STONE, batch=self.batch)
            esper.create_entity(Transform(x, y), AABBCollider.from_rect(0, 0, width, height), Solid(), wall)
        for n in range(27):
            box = shapes.Rectangle(0, 0, 58, 40, BOXES[(n + n // 3) % 3], batch=self.batch)
            box.anchor_position = 29, 20  # turns about its middle
            place = Transform(540 + 60 * (n % 3), 120 + 40 * (n // 3))
            esper.create_entity(place, OBBCollider.from_size(58, 40), RigidBody(mass=1), box)

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        way = pyglet.math.Vec2(x - 60, y - 90).normalize() * 1200
        disc = shapes.Circle(60, 90, 22, color=BALLS[self.thrown % 3], batch=self.batch)
        esper.create_entity(
            Transform(60, 90),
            Velocity(way.x, way.y),
            CircleCollider(22),
            RigidBody(mass=5, restitution=0.5),
            HitListener(on_impulse=self.light_up, min_impulse=500),
            disc,
        )
        self.thrown += 1
        self.label.text = f"Balls: {self.thrown}    Space: build the tower again"

    def light_up(self, hit: Hit) -> None:
        esper.component_for_entity(hit.entity_a, shapes.Circle).opacity = 255

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        super().on_key_press(symbol, modifiers)  # Esc
        if symbol == pyglet.window.key.SPACE:
            self.build()

    def update(self, dt: float) -> None:
        esper.process(1 / 60)

    def on_draw(self) -> None:
        for _, (place, box) in esper.get_components(Transform, shapes.Rectangle):
            box.position, box.rotation = (place.x, place.y), -place.degrees
        for _, (place, disc) in esper.get_components(Transform, shapes.Circle):
            disc.position, disc.opacity = (place.x, place.y), max(disc.opacity - 4, 150)
        self.clear()
        self.batch.draw()


if __name__ == "__main__":
    game = Balls()
    pyglet.clock.schedule_interval(game.update, 1 / 60)
    pyglet.app.run()
