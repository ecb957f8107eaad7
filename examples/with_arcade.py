"""A tank with arcade: sprites are components that follow their rigid bodies. Push all crates off the beach.

Up and down: drive. Left and right: turn. Space: shoot. D: show what ecsphys sees. Esc: quit.

    pip install arcade
"""

import math

import arcade
import esper

import ecsphys
from ecsphys import (
    Bullet,
    CircleCollider,
    Drag,
    OBBCollider,
    Priority,
    RigidBody,
    Solid,
    Transform,
    Velocity,
    WorldBounds,
)
from ecsphys.systems import WorldBoundsSystem

WIDTH = 960
HEIGHT = 540
CRATES = 12
IMAGES = ":resources:images/"
TREES = [(150, 430), (230, 130), (480, 330), (700, 110), (840, 420)]


class Tank(arcade.Window):
    def __init__(self) -> None:
        super().__init__(WIDTH, HEIGHT, "Tank")
        self.held: set[int] = set()
        self.gone = 0
        self.shows_debug = False
        self.label = arcade.Text("", 20, HEIGHT - 34, arcade.color.BLACK, 16)
        self.sprites = arcade.SpriteList()
        self.beach = arcade.SpriteList()
        for n in range(15 * 9):
            image = f"{IMAGES}topdown_tanks/tileSand{1 + n % 2}.png"
            self.beach.append(arcade.Sprite(image, 1.0, 32 + 64 * (n % 15), 32 + 64 * (n // 15)))

        self.physics = ecsphys.install()
        # A unit is a pixel. The solver needs to know how large a typical body is.
        self.physics.settings.length_unit = 50
        # WorldBounds needs a system that install() does not add.
        esper.add_processor(WorldBoundsSystem(self.physics), Priority.BOUNDS)
        esper.set_handler("bounds_reached", self.on_edge)

        for x, y in TREES:
            self.add("topdown_tanks/treeGreen_large.png", 1.0, Transform(x, y), CircleCollider(26), Solid())
        for n in range(CRATES):
            self.add_crate(330 + 80 * (n % 4), 130 + 70 * (n // 4), 0.3 * n)
        self.place = Transform(90, 270)
        hull = OBBCollider(20, 18)
        bounds = WorldBounds(0, 0, WIDTH, HEIGHT, "clamp", margin=20)
        image = "topdown_tanks/tank_blue.png"
        self.tank = self.add(image, 1.0, self.place, Velocity(), hull, RigidBody(mass=4), bounds)

    def add(self, image: str, scale: float, *components: object) -> int:
        """Create an entity that has a sprite among its components."""
        sprite = arcade.Sprite(IMAGES + image, scale)
        self.sprites.append(sprite)
        return esper.create_entity(sprite, *components)

    def add_crate(self, x: float, y: float, angle: float) -> None:
        # Seen from above, there is no floor that could slow crates by friction. Drag slows them instead.
        drag = Drag(3, 3)
        bounds = WorldBounds(0, 0, WIDTH, HEIGHT, "despawn", -25)
        body = (OBBCollider(22, 22), RigidBody(mass=1), drag, bounds)
        self.add("tiles/boxCrate_double.png", 0.35, Transform(x, y, angle), Velocity(), *body)

    def shoot(self) -> None:
        across = math.cos(self.place.angle)
        up = math.sin(self.place.angle)
        # The shell starts in front of the hull, or it would hit the tank.
        place = Transform(self.place.x + 32 * across, self.place.y + 32 * up)
        velocity = Velocity(700 * across, 700 * up)
        bounds = WorldBounds(0, 0, WIDTH, HEIGHT, "despawn", -10)
        body = (CircleCollider(6), RigidBody(mass=0.5), Bullet(), bounds)
        self.add("pinball/pool_cue_ball.png", 0.2, place, velocity, *body)

    def on_edge(self, entity: int, side: str) -> None:
        """Count crates that have left the beach. The tank stops at an edge, and shells just vanish."""
        if entity == self.tank:
            return
        esper.component_for_entity(entity, arcade.Sprite).remove_from_sprite_lists()
        if esper.has_component(entity, OBBCollider):
            self.gone += 1

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        self.held.add(symbol)
        if symbol == arcade.key.ESCAPE:
            self.close()
        if symbol == arcade.key.D:
            self.shows_debug = not self.shows_debug
        if symbol == arcade.key.SPACE:
            self.shoot()

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        self.held.discard(symbol)

    def on_update(self, delta_time: float) -> None:
        key = arcade.key
        speed = 160 * ((key.UP in self.held) - (key.DOWN in self.held))
        turn = 2.5 * ((key.LEFT in self.held) - (key.RIGHT in self.held))
        way = (speed * math.cos(self.place.angle), speed * math.sin(self.place.angle))
        # Set the velocity, not the Transform: trees can then stop the tank, and crates can push it.
        self.physics.bodies.set_velocity(self.tank, way, turn)
        esper.process(1 / 60)

    def on_draw(self) -> None:
        for _, (place, sprite) in esper.get_components(Transform, arcade.Sprite):
            sprite.position = (place.x, place.y)
            # arcade turns clockwise, ecsphys counter-clockwise.
            sprite.angle = -place.degrees
        # In the picture the tank looks down, but at angle 0 it drives to the right.
        esper.component_for_entity(self.tank, arcade.Sprite).angle -= 90
        self.label.text = f"Crates left: {CRATES - self.gone}"
        self.clear()
        self.beach.draw()
        self.sprites.draw()
        if self.shows_debug:
            self.draw_debug()
        self.label.draw()

    def draw_debug(self) -> None:
        """Draw the colliders, contacts and velocities that ecsphys sees, all lines of one color at a time."""
        # Static colliders are green by default. Red is easier to see on the trees.
        lines = self.physics.debug.lines(velocities=True, colors={"static": (200, 40, 40)})
        for color, segments in lines.by_color():
            arcade.draw_lines(segments.reshape(-1, 2).tolist(), color, 2)


if __name__ == "__main__":
    game = Tank()
    arcade.run()
