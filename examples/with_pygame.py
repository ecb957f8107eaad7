"""Breakout with pygame-ce: y points down, a unit is a pixel, and rectangles are given by their upper left corner.

Mouse: move the paddle. Click: serve. D: show what ecsphys sees. Esc: quit.

    pip install pygame-ce
"""

import math

import esper
import pygame

import ecsphys
from ecsphys import AABBCollider, Bullet, CircleCollider, HitListener, Transform, Velocity
from ecsphys.types import Hit

WIDTH = 960
HEIGHT = 540
SPEED = 620.0
PADDLE_WIDTH = 120
COLORS = [(239, 83, 80), (255, 167, 38), (255, 238, 88), (102, 187, 106), (66, 165, 245)]


class Brick:
    """Any class can be a component. This one marks bricks, which break, and gives their color."""

    def __init__(self, color: tuple[int, int, int]) -> None:
        self.color = color


class Breakout:
    def __init__(self) -> None:
        self.physics = ecsphys.install()
        self.shows_debug = False

        # There is no wall at the bottom: the ball is lost there.
        esper.create_entity(*rectangle(-20, -20, 20, HEIGHT))
        esper.create_entity(*rectangle(WIDTH, -20, 20, HEIGHT))
        esper.create_entity(*rectangle(-20, -20, WIDTH + 40, 20))
        for row in range(5):
            for column in range(12):
                brick = Brick(COLORS[row])
                esper.create_entity(*rectangle(30 + 75 * column, 50 + 30 * row, 73, 28), brick)

        # Keep references to the components that change in every frame.
        self.paddle = Transform(WIDTH / 2 - PADDLE_WIDTH / 2, HEIGHT - 40)
        esper.create_entity(self.paddle, AABBCollider.from_rect(0, 0, PADDLE_WIDTH, 14))
        self.place = Transform(WIDTH / 2, HEIGHT - 50)
        self.velocity = Velocity()
        listener = HitListener(on_started=self.bounce)
        # A Bullet stops where it touches something. Without it, a fast ball would pass through bricks.
        esper.create_entity(self.place, self.velocity, CircleCollider(8), Bullet(), listener)

    def serve(self) -> None:
        """Send the ball up. The farther it is from the middle of the paddle, the more it flies to the side."""
        middle = self.paddle.x + PADDLE_WIDTH / 2
        angle = (self.place.x - middle) / 60
        self.velocity.x = SPEED * math.sin(angle)
        self.velocity.y = -SPEED * math.cos(angle)

    def bounce(self, hit: Hit) -> None:
        """Turn the ball round. The ball has the listener, so it is entity_a, and the normal points away from it."""
        # The brick has stopped the ball along the normal. The same speed in the other direction makes a bounce.
        self.velocity.x -= hit.approach_speed * hit.normal[0]
        self.velocity.y -= hit.approach_speed * hit.normal[1]
        if esper.has_component(hit.entity_b, Brick):
            esper.delete_entity(hit.entity_b)
        elif esper.component_for_entity(hit.entity_b, Transform) is self.paddle:
            self.serve()

    def update(self, mouse_x: float, click: bool) -> None:
        self.paddle.x = min(max(mouse_x - PADDLE_WIDTH / 2, 0), WIDTH - PADDLE_WIDTH)
        is_lost = self.place.y > HEIGHT + 20
        is_waiting = self.velocity == Velocity()
        if is_lost or is_waiting:
            # The ball rides on the paddle until the player serves.
            self.place.x = self.paddle.x + PADDLE_WIDTH / 2
            self.place.y = HEIGHT - 50
            self.velocity.x = 0.0
            self.velocity.y = 0.0
            if click:
                self.serve()
        esper.process(1 / 60)

    def draw(self, screen: pygame.Surface) -> None:
        screen.fill((24, 26, 38))
        for _, (place, brick) in esper.get_components(Transform, Brick):
            pygame.draw.rect(screen, brick.color, (place.x, place.y, 73, 28), border_radius=4)
        paddle = (self.paddle.x, self.paddle.y, PADDLE_WIDTH, 14)
        pygame.draw.rect(screen, (224, 224, 236), paddle, border_radius=7)
        pygame.draw.aacircle(screen, (255, 255, 255), (self.place.x, self.place.y), 8)
        if self.shows_debug:
            self.draw_debug(screen)

    def draw_debug(self, screen: pygame.Surface) -> None:
        """Draw the colliders and contacts that ecsphys sees. The world's units are pixels, so nothing is scaled."""
        lines = self.physics.debug.lines(velocities=True, colors={"collider": (255, 255, 255)})
        for (start, end), color in zip(lines.segments.tolist(), lines.colors.tolist(), strict=True):
            pygame.draw.line(screen, color, start, end, width=2)


def rectangle(left: float, top: float, width: float, height: float) -> tuple[Transform, AABBCollider]:
    return Transform(left, top), AABBCollider.from_rect(0, 0, width, height)


def main() -> None:
    pygame.init()
    screen = pygame.display.set_mode((WIDTH, HEIGHT))
    clock = pygame.time.Clock()
    game = Breakout()
    while True:
        click = False
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                return
            if event.type == pygame.MOUSEBUTTONDOWN:
                click = True
            if event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE:
                return
            if event.type == pygame.KEYDOWN and event.key == pygame.K_d:
                game.shows_debug = not game.shows_debug
        game.update(pygame.mouse.get_pos()[0], click)
        game.draw(screen)
        pygame.display.flip()
        clock.tick(60)


if __name__ == "__main__":
    main()
