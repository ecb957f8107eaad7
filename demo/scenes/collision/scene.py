"""Every documented collision test in a cell of its own, lit when it says True."""

from __future__ import annotations

import math

import esper
import numpy as np

import ecsphys
from ecsphys import CircleCollider, CircularTrajectory, Priority, Transform
from ecsphys.demo import palette
from ecsphys.demo.scenes.board import Board
from ecsphys.demo.scenes.collision.cells import CELLS, Settings
from ecsphys.demo.scenes.parameter import Parameter, Reading
from ecsphys.demo.scenes.scene import NO_GRID, Box, Caption, Layout, Pointer
from ecsphys.demo.scenes.sketch import Sketch

ARENA: Box = (-17.0, -8.0, 17.0, 8.0)
COLUMNS, ROWS = 5, 3
CELL_WIDTH = (ARENA[2] - ARENA[0]) / COLUMNS
CELL_HEIGHT = (ARENA[3] - ARENA[1]) / ROWS
REACH = 1.55
_DROP = 0.55  # of the middle, to make room for the caption


class CollisionBoard(esper.Processor, Pointer):
    """Moves the movers, or lets the mouse move that of its cell, and asks all tests."""

    def __init__(self) -> None:
        self.settings = Settings()
        self.mouse = (math.inf, math.inf)
        self.speed = 0.9
        self.movers: list[tuple[Transform, CircularTrajectory]] = []
        self.colliders: list[CircleCollider] = []
        self.says: list[tuple[bool, ...]] = [()] * len(CELLS)
        for number in range(len(CELLS)):
            x, y = middle_of(number)
            transform = Transform()
            path = CircularTrajectory(x, y, REACH, self.speed, 0.9 * number)
            collider = CircleCollider(self.settings.radius)
            esper.create_entity(transform, path, collider)
            self.movers.append((transform, path))
            self.colliders.append(collider)

    def process(self, dt: float) -> None:
        for number, (transform, path) in enumerate(self.movers):
            x, y = middle_of(number)
            # Ellipses, as the cells are wider than high; each is crossed at its own pace.
            swing = math.sin(0.37 * path.elapsed + number)
            transform.x = x + (transform.x - x) * (0.55 + 0.6 * abs(swing))
            transform.y = y + (transform.y - y) * (0.3 + 0.5 * abs(swing))
            if abs(self.mouse[0] - x) < 0.5 * CELL_WIDTH and abs(self.mouse[1] - y - _DROP) < 0.5 * CELL_HEIGHT:
                transform.x, transform.y = self.mouse

    def set_speed(self, speed: float) -> None:
        """Of all movers; each goes on from where it is."""
        for _, path in self.movers:
            path.phase += (path.angular_speed - speed) * path.elapsed
            path.angular_speed = speed
        self.speed = speed

    def press(self, x: float, y: float) -> bool:
        self.move(x, y)
        return True

    def move(self, x: float, y: float) -> None:
        self.mouse = (x, y)

    def paint(self, sketch: Sketch) -> None:
        """Draw all cells and light their lamps."""
        board = Board()
        for number, cell in enumerate(CELLS):
            x, y = middle_of(number)
            board.move_to(x, y)
            transform, _ = self.movers[number]
            says = self.says[number] = cell.say(board, transform.x - x, transform.y - y, self.settings)
            board.move_to(x + 0.5 * CELL_WIDTH - 0.4, y + _DROP - 0.5 * CELL_HEIGHT + 0.35)
            for place, lit in enumerate(reversed(says)):
                if lit:
                    board.dot((-0.42 * place, 0.0), palette.LIT, 6.0)
                board.ring((-0.42 * place, 0.0), 6.0, palette.LIT if lit else palette.TEXT_FAINT)
        board.move_to(0.0, 0.0)
        for column in range(1, COLUMNS):
            x = ARENA[0] + column * CELL_WIDTH
            board.line((x, ARENA[1]), (x, ARENA[3]), palette.FRAME, 1.0)
        for row in range(1, ROWS):
            y = ARENA[3] - row * CELL_HEIGHT
            board.line((ARENA[0], y), (ARENA[2], y), palette.FRAME, 1.0)
        board.draw(sketch)

    def count_true(self) -> str:
        """How many of the tests say True."""
        return f"{sum(map(sum, self.says))} of {sum(map(len, self.says))}"


def middle_of(number: int) -> tuple[float, float]:
    """The middle of a cell's stage."""
    row, column = divmod(number, COLUMNS)
    return ARENA[0] + (column + 0.5) * CELL_WIDTH, ARENA[3] - (row + 0.5) * CELL_HEIGHT - _DROP


def build(rng: np.random.Generator) -> Layout:
    """Nothing here is random."""
    physics = ecsphys.install()
    board = CollisionBoard()
    esper.add_processor(board, Priority.ANALYTIC_MOTION - 1)
    settings = board.settings
    captions = []
    for number, cell in enumerate(CELLS):
        x, y = middle_of(number)
        left, top = x - 0.5 * CELL_WIDTH + 0.3, y + _DROP + 0.5 * CELL_HEIGHT - 0.2
        captions.append(Caption(left, top, cell.text, cell.functions, room=1.3))

    def set_radius(value: float) -> None:
        settings.radius = value
        for collider in board.colliders:
            collider.radius = value

    def set_spread(value: float) -> None:
        settings.spread = math.radians(value)

    def set_angle(value: float) -> None:
        settings.angle = math.radians(value)

    parameters = [
        Parameter("radius", lambda: settings.radius, set_radius, np.linspace(0.2, 1.2, 11).tolist(), "{:.1f} units"),
        Parameter("spread", lambda: round(math.degrees(settings.spread)), set_spread, range(10, 361, 10), "{:.0f}°"),
        Parameter("angle", lambda: round(math.degrees(settings.angle)), set_angle, range(0, 181, 5), "{:.0f}°"),
        Parameter("speed", lambda: board.speed, board.set_speed, (0.0, 0.3, 0.6, 0.9, 1.5, 2.5), "{:g} rad/s"),
    ]
    return Layout(
        physics,
        ARENA,
        captions,
        paints_itself=True,
        grid=NO_GRID,
        parameters=parameters,
        readings=[Reading("tests that say True:", board.count_true)],
        paint_above=board.paint,
        pointer=board,
    )
