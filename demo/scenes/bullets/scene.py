"""Bullets: the same fast bodies with and without a ``Bullet``, in slow motion, each impact with its normal and time."""

from __future__ import annotations

import math

import esper
import numpy as np

import ecsphys
from ecsphys.demo import palette
from ecsphys.demo.scenes.board import Board, Pair
from ecsphys.demo.scenes.bullets.aim import BulletAim
from ecsphys.demo.scenes.bullets.film import Film, Impact, Mover
from ecsphys.demo.scenes.bullets.shooting_range import (
    BAR_RADIUS,
    HALF_BAR,
    LANES,
    MUZZLE,
    ORBIT,
    ORBIT_RADIUS,
    PEG_RADIUS,
    PLATE,
    PLATES,
    RADIUS,
    ROOMS,
    SHOTS,
    THIN,
    Range,
)
from ecsphys.demo.scenes.bullets.ways import Straight
from ecsphys.demo.scenes.drawing.numerals import draw_number, legible
from ecsphys.demo.scenes.parameter import Parameter, Reading, option
from ecsphys.demo.scenes.scene import NO_GRID, STEP, Box, Caption, Layout
from ecsphys.demo.scenes.sketch import Sketch

ARENA: Box = (-17.0, -8.0, 17.0, 8.0)
_PIECES = 14  # of a curved step's streak
_MOST_MARKS = 20  # of the ends of steps in a lane
_DIAL = 0.17
_TALLY, _TIME = 0.42, 0.24
"""The heights of digits: of the counts, and of the times."""
_LEAST_TIME = 8.0
"""Pixels of a time's height; smaller ones are left out, as the dials above say the same."""


class BulletPicture:
    """Draws the film of a range as far as it has been played."""

    def __init__(self, range_: Range, film: Film) -> None:
        self.range = range_
        self.film = film

    def paint(self, sketch: Sketch) -> None:
        """Cells, streaks, walls, what flies, and the marks of the impacts."""
        board = Board()
        for y, edges in ((4.0, (-8.5, 0.0)), (-4.0, (-17.0 / 3.0, 17.0 / 3.0))):
            for x in edges:
                board.line((x, y - 4.0), (x, y + 4.0), palette.FRAME, 1.0)
        board.line((ARENA[0], 0.0), (ARENA[2], 0.0), palette.FRAME, 1.0)
        self._paint_guides(board)
        board.draw(sketch)
        sketch.circles(np.array([ORBIT]), ORBIT_RADIUS, palette.GUIDE, 0.35, line=1.2)
        self._paint_streaks(sketch)
        self._paint_walls(board, sketch)
        self._paint_movers(board, sketch.pixel)
        self._paint_impacts(board, sketch.pixel)
        self._paint_tallies(board, legible(_TALLY, sketch.pixel))
        board.draw(sketch)

    def _paint_guides(self, board: Board) -> None:
        """Where steps end in the lanes, the circle, and the chord of the step on it."""
        step = self.film.speed * STEP
        marks = round((PLATES[-1] + 1.0 - MUZZLE) / step) + 1
        if marks <= _MOST_MARKS:
            for y in LANES:
                for k in range(marks):
                    x = MUZZLE + k * step
                    board.line((x, y - 0.5), (x, y + 0.5), palette.GUIDE, 1.0, 0.35)
        turn = step / ORBIT_RADIUS
        board.move_to(*ORBIT)
        for k in range(0, 16, 2):
            a, b = (_on_chord(turn, part / 15.0) for part in (k, k + 1))
            board.line(a, b, palette.GUIDE, 1.2, 0.6)
        board.move_to(0.0, 0.0)

    def _paint_streaks(self, sketch: Sketch) -> None:
        """The ways flown so far, as wide as what flew, brighter towards its end."""
        places: list[Pair] = []
        rows: list[tuple[float, ...]] = []  # moment, owner, its steps, its colour
        for number, mover in enumerate(self.range.movers):
            if mover in self.range.bars:
                self._paint_sector(sketch, mover)
                continue
            for moment in self._moments(mover):
                places.append(mover.pose_at(moment)[:2])
                rows.append((moment, number, len(mover.rests), *mover.color))
        way, (moments, owners, steps, *colors) = np.array(places), np.array(rows).T
        along = np.diff(way, axis=0)
        length = np.hypot(along[:, 0], along[:, 1])
        flown = (length > 0.0) & (owners[1:] == owners[:-1])
        if not flown.any():
            return
        side = RADIUS * np.column_stack((-along[:, 1], along[:, 0]))[flown] / length[flown, None]
        a, b = way[:-1][flown], way[1:][flown]
        alpha = 0.08 + 0.72 * moments / np.maximum(steps, 1.0)
        tints = np.empty((len(a), 6, 4))
        tints[:, :, :3] = np.column_stack(colors)[1:][flown, None]
        tints[:, (0, 1, 3), 3] = alpha[:-1][flown, None]
        tints[:, (2, 4, 5), 3] = alpha[1:][flown, None]
        quads = np.stack((a - side, a + side, b + side, a - side, b + side, b - side), axis=1)
        across = np.tile((-1.0, 1.0, 1.0, -1.0, 1.0, -1.0), len(a))
        sketch.triangles(quads.reshape(-1, 2), tints.reshape(-1, 4), across)

    def _paint_sector(self, sketch: Sketch, mover: Mover) -> None:
        """What a bar has swept over."""
        moments = self._moments(mover)
        poses = [mover.pose_at(moment) for moment in moments]
        x, y, _ = poses[0]
        ends = (HALF_BAR + BAR_RADIUS) * np.array([(math.cos(angle), math.sin(angle)) for _, _, angle in poses])
        middle = np.zeros_like(ends[:-1])
        halves = [np.stack((middle, sign * ends[:-1], sign * ends[1:]), axis=1) for sign in (1.0, -1.0)]
        tints = np.empty((len(middle), 3, 4))
        tints[:, :, :3] = mover.color
        tints[:, :, 3] = (0.04 + 0.3 * np.array(moments[1:]) / len(mover.rests))[:, None]
        colors = tints.reshape(-1, 4)
        corners = np.concatenate(halves).reshape(-1, 2) + np.array((x, y))
        sketch.triangles(corners, np.concatenate((colors, colors)))

    def _moments(self, mover: Mover) -> list[float]:
        """From the beginning as far as the film is: the ends of steps, and where it curves moments between."""
        last = min(self.film.moment, float(len(mover.rests)))
        is_curved = not isinstance(mover.way, Straight) or mover.way.turn != 0.0
        piece = 1.0 / (_PIECES if is_curved else 1)
        rests = [step + rest for step, rest in enumerate(mover.rests) if rest < 1.0 and step + rest < last]
        return sorted({*(piece * k for k in range(math.ceil(last / piece))), *rests, last})

    def _paint_walls(self, board: Board, sketch: Sketch) -> None:
        """Walls and pegs, lit once they have been hit."""
        hit = {impact.other for mover in self.range.movers for impact in self._shown(mover)}
        walls = self.range.walls
        for color, some in (
            (palette.GUIDE, [wall for wall in walls if wall.entity not in hit]),
            (palette.LIT, [wall for wall in walls if wall.entity in hit]),
        ):
            ends = np.array([wall.ends() for wall in some]).reshape(-1, 4)
            sketch.strokes(ends[:, :2], ends[:, 2:], THIN / sketch.pixel, color, 0.9)
        for peg in self.range.pegs:
            board.circle((peg.place.x, peg.place.y), PEG_RADIUS, peg.entity in hit)

    def _paint_movers(self, board: Board, pixel: float) -> None:
        moment = self.film.moment
        for mover in self.range.movers:
            x, y, angle = mover.pose_at(moment)
            if mover in self.range.bars:
                across = HALF_BAR * math.cos(angle), HALF_BAR * math.sin(angle)
                ends = (x - across[0], y - across[1]), (x + across[0], y + across[1])
                board.line(*ends, mover.color, 2.0 * BAR_RADIUS / pixel)
                board.dot((x, y), palette.TEXT, 2.5)
            else:
                board.circle((x, y), RADIUS, color=mover.color)

    def _shown(self, mover: Mover) -> list[Impact]:
        return [impact for impact in mover.impacts if impact.moment <= self.film.moment]

    def _paint_impacts(self, board: Board, pixel: float) -> None:
        """At each the normal away from what was hit, and the time of the step as a dial, in digits too if legible."""
        for mover in self.range.movers:
            for impact in self._shown(mover):
                (x, y), (nx, ny) = impact.point, impact.normal
                board.arrow((x, y), (x - 0.5 * nx, y - 0.5 * ny), palette.CONTACT, 0.14)
                board.dot((x, y), palette.CONTACT, 2.6)
                if mover.bullet is None:
                    continue
                beyond = 0.6 if mover in self.range.bars else 0.42
                place = x + beyond * nx, y + beyond * ny
                if mover in self.range.meetings:
                    place = x, y + 0.5
                elif mover in self.range.lanes:
                    place = x, mover.way.transform.y - PLATE - 0.27
                    if _LEAST_TIME * pixel <= _TIME:
                        time = f"{impact.time:.2f}".lstrip("0")
                        draw_number(board, time, (x, place[1] - 0.38), _TIME, palette.LIT, 1.3)
                board.clock(place, _DIAL, impact.time, palette.LIT)

    def _paint_tallies(self, board: Board, height: float) -> None:
        """How many hits there have been, of how many; in the rooms higher digits end where lower ones do."""
        aside = 1.9 * (height - _TALLY)
        for room, (x, _) in zip(self.range.rooms, ROOMS, strict=True):
            found = sum(bool(self._shown(mover)) for mover in room)
            draw_number(board, f"{found}/{SHOTS}", (x + 3.15 - aside, 7.4), height, room[0].color, 2.2)
        for lane, y in zip(self.range.lanes, LANES, strict=True):
            draw_number(board, f"{len(self._shown(lane))}/{len(PLATES)}", (15.9, y), height, lane.color, 2.2)


def _on_chord(turn: float, part: float) -> Pair:
    """A point of the chord from angle 0 to ``turn`` of the circle, about its middle."""
    return ORBIT_RADIUS * (1.0 + part * (math.cos(turn) - 1.0)), ORBIT_RADIUS * part * math.sin(turn)


def build(rng: np.random.Generator) -> Layout:
    """Nothing here is random."""
    physics = ecsphys.install()
    range_ = Range()
    film = Film(physics, range_.movers, 200.0, 6.0)
    esper.add_processor(film)
    picture = BulletPicture(range_, film)

    def set_speed(value: float) -> None:
        film.speed = value
        film.fire()

    def set_shown(value: float) -> None:
        film.shown = value
        film.fire()

    def set_stop(name: str) -> None:
        range_.stop = name == "on"
        film.fire()

    captions = [
        Caption(-16.7, 7.8, "Drag the gun", "without Bullet", room=1.2),
        Caption(-8.2, 7.8, "None gets out", "Bullet()", room=1.2),
        Caption(0.3, 7.8, "Drag a plate; without Bullet all are passed"),
        Caption(0.3, 5.75, "Bullet(stop=False) reports them all"),
        Caption(0.3, 3.05, "Bullet() stops at the first"),
        Caption(-16.7, -0.2, "Bullets meet half-way", "at the same time of the step", room=1.2),
        Caption(-5.4, -0.2, "Drag the pegs", "right: Bullet sweeps the turn as well"),
        Caption(6.0, -0.2, "Drag to aim the throw", "Bullet follows the exact curve, not its chord"),
    ]
    return Layout(
        physics,
        ARENA,
        captions,
        grid=NO_GRID,
        paints_itself=True,
        parameters=[
            Parameter("speed", lambda: film.speed, set_speed, (10, 25, 50, 100, 200), "{:g} units/s"),
            option("stop", lambda: "on" if range_.stop else "off", set_stop, ("off", "on")),
            Parameter("shown at", lambda: film.shown, set_shown, (3, 6, 10), "{:g} units/s"),
        ],
        readings=[
            Reading("slowed down", lambda: f"{film.slowness:.0f} times"),
            Reading("a step", lambda: f"{film.speed * STEP:.2f} long"),
            Reading("walls", lambda: f"{THIN:g} thick, discs {2 * RADIUS:g}"),
        ],
        paint_above=picture.paint,
        pointer=BulletAim(range_, film),
    )
