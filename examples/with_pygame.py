"""Breakout with pygame-ce: y points down, a unit is a pixel, and rectangles are given by their upper left corner.

Mouse: move the paddle. Click: serve. Esc: quit.

    pip install pygame-ce
"""

import math

import esper
import pygame

import ecsphys
from ecsphys import AABBCollider, Bullet, CircleCollider, Hit, HitListener, Transform, Velocity

WIDTH, HEIGHT, SPEED = 960, 540, 620.0
COLORS = [(239, 83, 80), (255, 167, 38), (255, 238, 88), (102, 187, 106), (66, 165, 245)]


class Brick:
    """A plain class, as esper's components are: what is drawn, and disappears when it is hit."""

    def __init__(self, color: tuple[int, int, int]) -> None:
        self.color = color


class Breakout:
    def __init__(self) -> None:
        ecsphys.install()
        for wall in (-20, -20, 20, HEIGHT), (WIDTH, -20, 20, HEIGHT), (-20, -20, WIDTH + 40, 20):
            esper.create_entity(*rectangle(*wall))
        for row in range(5):
            for column in range(12):
                esper.create_entity(*rectangle(30 + 75 * column, 50 + 30 * row, 73, 28), Brick(COLORS[row]))
        self.paddle = Transform(WIDTH / 2 - 60, HEIGHT - 40)
        esper.create_entity(self.paddle, AABBCollider.from_rect(0, 0, 120, 14))
        self.place, self.velocity = Transform(WIDTH / 2, HEIGHT - 50), Velocity()
        listener = HitListener(on_started=self.bounce)
        esper.create_entity(self.place, self.velocity, CircleCollider(8), Bullet(), listener)

    def serve(self) -> None:
        """Send the ball up, the more to a side the farther it is from the middle of the paddle."""
        angle = (self.place.x - self.paddle.x - 60) / 60
        self.velocity.x, self.velocity.y = SPEED * math.sin(angle), -SPEED * math.cos(angle)

    def bounce(self, hit: Hit) -> None:
        """The ball is entity_a, and the normal points away from it; the bullet has stopped at what it hit."""
        self.velocity.x -= hit.approach_speed * hit.normal[0]
        self.velocity.y -= hit.approach_speed * hit.normal[1]
        if esper.has_component(hit.entity_b, Brick):
            esper.delete_entity(hit.entity_b)
        elif esper.component_for_entity(hit.entity_b, Transform) is self.paddle:
            self.serve()

    def update(self, mouse_x: float, click: bool) -> None:
        self.paddle.x = min(max(mouse_x - 60, 0), WIDTH - 120)
        if self.place.y > HEIGHT + 20 or self.velocity == Velocity():  # lost, or not served yet
            self.place.x, self.place.y = self.paddle.x + 60, HEIGHT - 50
            self.velocity.x = self.velocity.y = 0.0
            if click:
                self.serve()
        esper.process(1 / 60)

    def draw(self, screen: pygame.Surface) -> None:
        screen.fill((24, 26, 38))
        for _, (place, brick) in esper.get_components(Transform, Brick):
            pygame.draw.rect(screen, brick.color, (place.x, place.y, 73, 28), border_radius=4)
        pygame.draw.rect(screen, (224, 224, 236), (self.paddle.x, self.paddle.y, 120, 14), border_radius=7)
        pygame.draw.aacircle(screen, (255, 255, 255), (self.place.x, self.place.y), 8)


def rectangle(left: float, top: float, width: float, height: float) -> tuple[Transform, AABBCollider]:
    return Transform(left, top), AABBCollider.from_rect(0, 0, width, height)


def main() -> None:
    pygame.init()
    screen, clock, game = pygame.display.set_mode((WIDTH, HEIGHT)), pygame.time.Clock(), Breakout()
    while True:
        click = False
        for event in pygame.event.get():
            if event.type == pygame.QUIT or (event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE):
                return
            click |= event.type == pygame.MOUSEBUTTONDOWN
        game.update(pygame.mouse.get_pos()[0], click)
        game.draw(screen)
        pygame.display.flip()
        clock.tick(60)


if __name__ == "__main__":
    main()
