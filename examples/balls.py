"""Click to throw balls at a tower. Rigid bodies bounce, roll, stack and topple. Balls light up if they hit hard.

Mouse: throw a ball from the lower left corner towards the click. Space: build the tower again. Esc: quit.

    python examples/balls.py
"""

import esper
import pyglet
from pyglet import shapes

import ecsphys
from ecsphys import AABBCollider, CircleCollider, HitListener, OBBCollider, RigidBody, Solid, Transform, Velocity
from ecsphys.types import Hit

WIDTH = 960
HEIGHT = 540

STONE = (58, 66, 86)
BOX_COLORS = [(100, 181, 246), (77, 208, 225), (129, 199, 132)]
BALL_COLORS = [(255, 202, 88), (255, 138, 101), (240, 98, 146)]

# Left, bottom, width, height: the floor, the two sides of the window, and the block below the tower.
WALLS = [(0, 0, WIDTH, 40), (-20, 0, 20, 4000), (WIDTH, 0, 20, 4000), (500, 40, 200, 60)]

BOX_WIDTH = 58
BOX_HEIGHT = 40
BALL_RADIUS = 22
HAND = (60, 90)  # balls start here
THROW_SPEED = 1200


class Balls(pyglet.window.Window):
    def __init__(self) -> None:
        super().__init__(WIDTH, HEIGHT, "Balls")
        pyglet.gl.glClearColor(0.09, 0.11, 0.16, 1.0)
        self.batch = pyglet.graphics.Batch()
        self.label = pyglet.text.Label("Click to throw", x=20, y=HEIGHT - 34, font_size=14, batch=self.batch)
        self.thrown = 0

        self.physics = ecsphys.install(gravity=(0, -900))
        # Units are pixels here. The solver needs to know how large a typical body is.
        self.physics.settings.length_unit = 50
        self.build()

    def build(self) -> None:
        # Deletes all entities, together with their shapes: each shape is a component.
        esper.clear_database()
        for x, y, width, height in WALLS:
            self.add_wall(x, y, width, height)
        for row in range(9):
            for column in range(3):
                color = BOX_COLORS[(column + row + 3 * row) % 3]
                self.add_box(540 + 60 * column, 120 + BOX_HEIGHT * row, color)

    def add_wall(self, x: float, y: float, width: float, height: float) -> None:
        look = shapes.Rectangle(x, y, width, height, STONE, batch=self.batch)
        # Solid without a RigidBody: bodies rest on it and bounce off it, and nothing moves it.
        esper.create_entity(Transform(x, y), AABBCollider.from_rect(0, 0, width, height), Solid(), look)

    def add_box(self, x: float, y: float, color: tuple[int, int, int]) -> None:
        look = shapes.Rectangle(0, 0, BOX_WIDTH, BOX_HEIGHT, color, batch=self.batch)
        look.anchor_position = BOX_WIDTH / 2, BOX_HEIGHT / 2  # pyglet turns it about its middle, as the body turns
        collider = OBBCollider.from_size(BOX_WIDTH, BOX_HEIGHT)
        esper.create_entity(Transform(x, y), collider, RigidBody(mass=1), look)

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        direction = pyglet.math.Vec2(x - HAND[0], y - HAND[1]).normalize()
        velocity = direction * THROW_SPEED
        color = BALL_COLORS[self.thrown % 3]
        esper.create_entity(
            Transform(*HAND),
            Velocity(velocity.x, velocity.y),
            CircleCollider(BALL_RADIUS),
            RigidBody(mass=5, restitution=0.5),
            # Called only for hard hits, not while the ball rolls or lies on something.
            HitListener(on_impulse=self.light_up, min_impulse=500),
            shapes.Circle(*HAND, BALL_RADIUS, color=color, batch=self.batch),
        )
        self.thrown += 1
        self.label.text = f"Balls: {self.thrown}    Space: build the tower again"

    def light_up(self, hit: Hit) -> None:
        # For a listener, entity_a is always the entity that has the HitListener: the ball.
        esper.component_for_entity(hit.entity_a, shapes.Circle).opacity = 255

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        super().on_key_press(symbol, modifiers)  # Esc closes the window
        if symbol == pyglet.window.key.SPACE:
            self.build()

    def update(self, dt: float) -> None:
        # A step of constant length keeps stacks calm, and makes every run the same.
        esper.process(1 / 60)

    def on_draw(self) -> None:
        for _, (place, box) in esper.get_components(Transform, shapes.Rectangle):
            box.position = (place.x, place.y)
            box.rotation = -place.degrees  # pyglet turns clockwise, ecsphys counter-clockwise
        for _, (place, disc) in esper.get_components(Transform, shapes.Circle):
            disc.position = (place.x, place.y)
            disc.opacity = max(disc.opacity - 4, 150)  # the glow fades
        self.clear()
        self.batch.draw()


if __name__ == "__main__":
    game = Balls()
    pyglet.clock.schedule_interval(game.update, 1 / 60)
    pyglet.app.run()
