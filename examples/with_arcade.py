"""A tank with arcade: sprites are components that follow their rigid bodies. Push all crates off the beach.

Up and down: drive. Left and right: turn. Space: shoot. Esc: quit.

    pip install arcade
"""

import math

import arcade
import esper

import ecsphys
from ecsphys import Bullet, CircleCollider, Drag, OBBCollider, RigidBody, Solid, Transform, Velocity, WorldBounds

WIDTH, HEIGHT, CRATES = 960, 540, 12
IMAGES = ":resources:images/"
TREES = [(150, 430), (230, 130), (480, 330), (700, 110), (840, 420)]


class Tank(arcade.Window):
    def __init__(self) -> None:
        super().__init__(WIDTH, HEIGHT, "Tank")
        self.beach, self.sprites, self.held, self.gone = arcade.SpriteList(), arcade.SpriteList(), set[int](), 0
        for n in range(15 * 9):
            image = f"{IMAGES}topdown_tanks/tileSand{1 + n % 2}.png"
            self.beach.append(arcade.Sprite(image, 1.0, 32 + 64 * (n % 15), 32 + 64 * (n // 15)))
        self.label = arcade.Text("", 20, HEIGHT - 34, arcade.color.BLACK, 16)
        self.physics = ecsphys.install()
        self.physics.bodies.length_unit = 50  # a unit is a pixel
        esper.add_processor(ecsphys.WorldBoundsSystem(self.physics), ecsphys.BOUNDS_PRIORITY)
        esper.set_handler("bounds_reached", self.on_edge)
        for x, y in TREES:
            self.add("topdown_tanks/treeGreen_large.png", 1.0, Transform(x, y), CircleCollider(26), Solid())
        for n in range(CRATES):
            place = Transform(330 + 80 * (n % 4), 130 + 70 * (n // 4), 0.3 * n)
            body = OBBCollider(22, 22), RigidBody(mass=1), Drag(3, 3), WorldBounds(0, 0, WIDTH, HEIGHT, "despawn", -25)
            self.add("tiles/boxCrate_double.png", 0.35, place, Velocity(), *body)
        self.place, bounds = Transform(90, 270), WorldBounds(0, 0, WIDTH, HEIGHT, "clamp", margin=20)
        hull = OBBCollider(20, 18), RigidBody(mass=4), bounds
        self.tank = self.add("topdown_tanks/tank_blue.png", 1.0, self.place, Velocity(), *hull)

    def add(self, image: str, scale: float, *components: object) -> int:
        sprite = arcade.Sprite(IMAGES + image, scale)
        self.sprites.append(sprite)
        return esper.create_entity(sprite, *components)

    def on_edge(self, entity: int, side: str) -> None:
        """The tank has stopped at an edge, or a crate or a shell is gone."""
        if entity != self.tank:
            esper.component_for_entity(entity, arcade.Sprite).remove_from_sprite_lists()
            self.gone += esper.has_component(entity, OBBCollider)

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        self.held.add(symbol)
        if symbol == arcade.key.ESCAPE:
            self.close()
        if symbol == arcade.key.SPACE:
            across, up = math.cos(self.place.angle), math.sin(self.place.angle)
            place, motion = (
                Transform(self.place.x + 32 * across, self.place.y + 32 * up),
                Velocity(700 * across, 700 * up),
            )
            body = CircleCollider(6), RigidBody(mass=0.5), Bullet(), WorldBounds(0, 0, WIDTH, HEIGHT, "despawn", -10)
            self.add("pinball/pool_cue_ball.png", 0.2, place, motion, *body)

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        self.held.discard(symbol)

    def on_update(self, delta_time: float) -> None:
        key, held = arcade.key, self.held
        speed, turn = 160 * ((key.UP in held) - (key.DOWN in held)), 2.5 * ((key.LEFT in held) - (key.RIGHT in held))
        way = speed * math.cos(self.place.angle), speed * math.sin(self.place.angle)
        self.physics.bodies.set_velocity(self.tank, way, turn)
        esper.process(1 / 60)

    def on_draw(self) -> None:
        for _, (place, sprite) in esper.get_components(Transform, arcade.Sprite):
            sprite.position, sprite.angle = (place.x, place.y), -place.degrees
        # The picture of the tank looks down, arcade turns clockwise.
        esper.component_for_entity(self.tank, arcade.Sprite).angle -= 90
        self.label.text = f"Crates left: {CRATES - self.gone}"
        self.clear()
        self.beach.draw()
        self.sprites.draw()
        self.label.draw()


if __name__ == "__main__":
    game = Tank()
    arcade.run()
