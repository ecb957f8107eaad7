"""Light: pictures turned by basis vectors, beams, rings, lasers that chase the mouse, and a ribbon round a bend."""

from __future__ import annotations

import math

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

import ecsphys
from ecsphys import (
    CircleCollider,
    CollisionFilter,
    HarmonicTrajectory,
    Physics,
    Priority,
    Transform,
    Velocity,
)
from ecsphys.demo import palette
from ecsphys.demo.scenes.board import Board, Pair
from ecsphys.demo.scenes.boxes import clamped, is_inside, shortened
from ecsphys.demo.scenes.parameter import Parameter, Reading
from ecsphys.demo.scenes.scene import NO_GRID, Box, Caption, Layout, Pointer
from ecsphys.demo.scenes.sketch import Color, Sketch
from ecsphys.effects import Beam, HomingLaser, LightMesh, RingBeam, Steering
from ecsphys.engine.effects.strips import (
    interleaved,
    place,
    quarter_turned,
    ribbon_strips,
    strip_coordinates,
    strip_triangles,
    turn_about,
)
from ecsphys.systems import LightSystem

ARENA: Box = (-17.0, -8.0, 17.0, 8.0)
_PIVOT = np.array((-12.2, 3.6))
_FIXED, _PROPORTIONAL = (-6.8, 4.9), (-6.8, 0.9)
_RINGS = (9.6, 3.1)
_MUZZLES = ((-15.6, -3.4), (-15.6, -5.6))
_BENDS = ((9.2, -4.6), (13.6, -4.6))
_FLAG = np.array(((0.0, 0.0), (0.42, 0.0), (0.42, 0.7), (1.0, 0.7), (1.0, 1.0), (0.42, 1.0), (0.42, 1.3), (0.0, 1.3)))
_FLAG_TRIANGLES = (0, 1, 6, 0, 6, 7, 2, 3, 4, 2, 4, 5)
_VOLLEY_SECONDS = 3.6
_IDLE_SECONDS = 4.0
"""How long a mouse that rests is still chased."""
_TARGET_RATE, _TARGET_SPEED = 12.0, 16.0
_CIRCLE, _CIRCLE_RADIUS, _CIRCLE_TURN = (1.4, -4.6), 2.2, 1.1
_FLAG_CELL: Box = (ARENA[0], 0.0, -7.8, ARENA[3])
_BEAM_CELL: Box = (-7.8, 0.0, 4.2, ARENA[3])
_RING_CELL: Box = (4.2, 0.0, ARENA[2], ARENA[3])
_BEND_CELL: Box = (6.5, ARENA[1], ARENA[2], 0.0)
_LONGEST_AXIS, _LONGEST_BEAM = 2.6, 10.0
_BEND_CHOICES = (0.25, 0.4, 0.55, 0.9, 1.3)
_COLORS: dict[str, Color] = {
    "beam": (0.25, 0.70, 1.0),
    "ring": (1.0, 0.62, 0.25),
    "sine": (0.30, 1.0, 0.62),
    "sign": (1.0, 0.34, 0.55),
    "ribbon": (0.62, 0.48, 1.0),
}


class Lights(esper.Processor):
    """Moves the beams' ends, sends rings, and fires one volley of lasers after another."""

    def __init__(self, physics: Physics, system: LightSystem) -> None:
        self.physics = physics
        self.system = system
        self.clock = 0.0
        self.width = 0.8
        self.turn_limit = 0.14
        self.bend = 0.55
        self.forward = np.array((1.0, 0.0))
        self.fixed, self.proportional = Beam(4.0, 0.0, 0.6), Beam(4.0, 0.0, 0.05, proportion=0.16)
        for beam, (x, y) in ((self.fixed, _FIXED), (self.proportional, _PROPORTIONAL)):
            esper.create_entity(Transform(x, y), Velocity(), beam, CollisionFilter(group=-1))
        drop = HarmonicTrajectory(-0.6, 3.4, 0.0, 2.6, angular_frequency=1.3)
        self.crossing = esper.create_entity(Transform(), drop, CircleCollider(0.35))
        self.rings = [(RingBeam(0.9 * number, 0.55, 1.0, 0.27), Transform(*_RINGS)) for number in range(3)]
        for pair in self.rings:
            esper.create_entity(*pair)
        self.mouse: Pair | None = None
        """Where the target flies to, in place of its circle."""
        self.held: Box | None = None
        """The cell in which the button is down."""
        self._rested = 0.0
        self.place, self.velocity = Transform(_CIRCLE[0] + _CIRCLE_RADIUS, _CIRCLE[1]), Velocity()
        self.target = esper.create_entity(self.place, self.velocity, CircleCollider(0.35))
        self.lasers: list[int] = []
        self.colors: dict[int, Color] = {}
        self._fired = -math.inf

    def fire(self) -> None:
        """Replace the lasers by new ones at their muzzles: one steers by the sine, one by the sign."""
        for old in self.lasers:
            esper.delete_entity(old, immediate=True)
        self.lasers, self.colors = [], {}
        ways = ((Steering.SINE, "sine", 1.1), (Steering.SIGN, "sign", -1.1))
        for (x, y), (steering, name, angle) in zip(_MUZZLES, ways, strict=True):
            laser = HomingLaser(
                9.0,
                self.width,
                target=self.target,
                turn_limit=self.turn_limit,
                segment_length=0.3,
                segments=26,
                steering=steering,
            )
            entity = esper.create_entity(Transform(x, y, angle), laser)
            self.lasers.append(entity)
            self.colors[entity] = _COLORS[name]
        self._fired = self.clock

    def point_at(self, x: float, y: float) -> None:
        """The mouse has moved."""
        self.mouse, self._rested = clamped(ARENA, x, y, 0.4), 0.0

    def send_ring(self, x: float, y: float) -> None:
        """Let a ring begin at a place: the one that is the widest now."""
        ring, center = max(self.rings, key=lambda pair: pair[0].radius)
        center.x, center.y, ring.radius = x, y, 0.0

    def process(self, dt: float) -> None:
        self.clock += dt
        t = self.clock
        self._move_target(dt)
        self._turn_picture()
        self._aim_beams()
        self.fixed.width = self.width
        for ring, center in self.rings:
            ring.width = self.width
            if ring.radius > 2.7:
                center.x, center.y, ring.radius = *_RINGS, 0.0
        if t - self._fired > _VOLLEY_SECONDS:
            self.fire()

    def _move_target(self, dt: float) -> None:
        """Its velocity leads it to the mouse, or along its circle."""
        self._rested += dt
        if self._rested > _IDLE_SECONDS:
            self.mouse = None
        turn = _CIRCLE_TURN * self.clock
        circling = _CIRCLE[0] + _CIRCLE_RADIUS * math.cos(turn), _CIRCLE[1] + _CIRCLE_RADIUS * math.sin(turn)
        x, y = circling if self.mouse is None else self.mouse
        way = _TARGET_RATE * (x - self.place.x), _TARGET_RATE * (y - self.place.y)
        self.velocity.x, self.velocity.y = shortened(*way, _TARGET_SPEED)

    def _turn_picture(self) -> None:
        """D1: i′ turns and grows, or points to the mouse; nothing else is needed to place the picture."""
        t = self.clock
        if self.held is _FLAG_CELL and self.mouse is not None:
            x, y = self.mouse
            self.forward = np.array(shortened(x - float(_PIVOT[0]), y - float(_PIVOT[1]), _LONGEST_AXIS))
        else:
            scale = 1.5 + 0.5 * math.sin(0.7 * t)
            self.forward = scale * np.array((math.cos(0.9 * t), math.sin(0.9 * t)))

    def _aim_beams(self) -> None:
        t = self.clock
        length, turn = 5.6 + 2.4 * math.sin(1.1 * t), 0.12 * math.sin(t) - 0.06
        for beam, (x, y) in ((self.fixed, _FIXED), (self.proportional, _PROPORTIONAL)):
            if self.held is _BEAM_CELL and self.mouse is not None:
                beam.end_x, beam.end_y = shortened(self.mouse[0] - x, self.mouse[1] - y, _LONGEST_BEAM)
            else:
                beam.end_x, beam.end_y = length * math.cos(turn), length * math.sin(turn)

    def paint(self, sketch: Sketch) -> None:
        """Everything that shines, then what is hit."""
        self._paint_picture(sketch)
        beams, rings, lasers = self.system.beam_mesh(), self.system.ring_mesh(), self.system.laser_mesh()
        _paint_mesh(sketch, beams, [_COLORS["beam"]] * beams.entity.size)
        _paint_mesh(sketch, rings, [_COLORS["ring"]] * rings.entity.size)
        tints = [self.colors[entity] for entity in lasers.entity.tolist()]
        _paint_mesh(sketch, lasers, tints, fading=True)
        self._paint_bends(sketch)
        board = Board()
        for entity, color in ((self.crossing, palette.GUIDE), (self.target, palette.ACCENT)):
            transform = esper.component_for_entity(entity, Transform)
            board.circle((transform.x, transform.y), 0.35, bool(self.physics.hits.of(entity)), color)
        for muzzle in _MUZZLES:
            board.dot(muzzle, palette.TEXT_SOFT, 6.0)
        board.draw(sketch)

    def _paint_picture(self, sketch: Sketch) -> None:
        """D1, D2: a flag in its own frame, and the same turned about a point that is not its corner."""
        color = np.array([[*palette.COLLIDERS[0], 0.85]])
        sketch.triangles(place(_FLAG, self.forward, _PIVOT)[list(_FLAG_TRIANGLES)], color)
        about = _PIVOT + np.array((0.0, -3.2))
        away = turn_about(_FLAG + about - np.array((0.5, 0.65)), 0.6 * self.forward, about)
        sketch.triangles(away[list(_FLAG_TRIANGLES)], np.array([[*palette.COLLIDERS[2], 0.8]]))
        board = Board()
        for axis, tint in ((self.forward, palette.COLLIDERS[1]), (quarter_turned(self.forward), palette.COLLIDERS[4])):
            tip = _PIVOT + 1.25 * axis
            board.arrow((float(_PIVOT[0]), float(_PIVOT[1])), (float(tip[0]), float(tip[1])), tint)
        board.dot((float(about[0]), float(about[1])), palette.CONTACT, 4.0)
        board.draw(sketch)

    def _paint_bends(self, sketch: Sketch) -> None:
        """D7: the same hairpin with quads built on its normals, and as a ribbon that does not fold."""
        line = hairpin(self.bend)
        half = 0.9
        forward = np.gradient(line, axis=0)
        normal = quarter_turned(forward) / np.hypot(forward[:, 0], forward[:, 1])[:, None]
        naive = interleaved(line + half * normal, line - half * normal)
        clean = ribbon_along(line, 2.0 * half)
        coordinates = strip_coordinates(np.zeros(len(line)))
        triangles = strip_triangles(np.array([len(line)])).ravel()
        across = 2.0 * coordinates[triangles, 1] - 1.0
        color = np.array([[*_COLORS["ribbon"], 0.75]])
        for place_at, vertices in zip(_BENDS, (naive, clean), strict=True):
            sketch.triangles(vertices[triangles] + place_at, color, across)


def ribbon_along(line: NDArray[float64], width: float) -> NDArray[float64]:
    """The vertices (2n, 2) of a ribbon along a line (n, 2), which keeps clear of all the rest of the line.

    So both arms of a bend are as wide at their ends, a whole line apart, as before.
    """
    length = np.hypot(*np.diff(line, axis=0).T).sum()
    vertices, _ = ribbon_strips(line, np.array([len(line)]), np.array([width]), np.array([length]))
    return vertices


def hairpin(radius: float) -> NDArray[float64]:
    """Up, round half a circle and down again; points 0.12 apart, the bend in the middle."""
    rise = np.linspace(-2.4, 0.6, 26)
    turn = np.linspace(math.pi, 0.0, 22)[1:-1]
    up = np.column_stack((np.full(rise.size, -radius), rise))
    bend = np.column_stack((radius * np.cos(turn), 0.6 + radius * np.sin(turn)))
    down = np.column_stack((np.full(rise.size, radius), rise[::-1]))
    return np.concatenate((up, bend, down))


def _paint_mesh(sketch: Sketch, mesh: LightMesh, colors: list[Color], fading: bool = False) -> None:
    """Light of one kind, each entity's in its colour, ``fading`` towards u = 0."""
    if not mesh.entity.size:
        return
    counts = np.diff(mesh.first_vertex)
    tints = np.empty((len(mesh.positions), 4))
    tints[:, :3] = np.repeat(np.array(colors), counts, axis=0)
    tints[:, 3] = mesh.texture_coordinates[:, 0] ** 0.6 if fading else 0.95
    triangles = mesh.triangles.ravel()
    across = 2.0 * mesh.texture_coordinates[triangles, 1] - 1.0
    sketch.triangles(mesh.positions[triangles], tints[triangles], across)


class Aim(Pointer):
    """The lasers chase the mouse; the button fires, and takes over the flag, the beams, the rings or the bend."""

    def __init__(self, lights: Lights) -> None:
        self._lights = lights

    def press(self, x: float, y: float) -> bool:
        lights = self._lights
        cells = (_FLAG_CELL, _BEAM_CELL, _RING_CELL, _BEND_CELL)
        lights.held = next((cell for cell in cells if is_inside(cell, x, y)), None)
        if lights.held is None:
            lights.fire()
        elif lights.held is _RING_CELL:
            lights.send_ring(x, y)
        self.move(x, y)
        return True

    def move(self, x: float, y: float) -> None:
        self._lights.point_at(x, y)
        if self._lights.held is _BEND_CELL:
            self._lights.bend = min(max(0.35 * abs(x - _BENDS[0][0]), _BEND_CHOICES[0]), _BEND_CHOICES[-1])

    def release(self) -> None:
        self._lights.held = None


def build(rng: np.random.Generator) -> Layout:
    """Nothing here is random."""
    physics = ecsphys.install()
    system = LightSystem(physics)
    lights = Lights(physics, system)
    esper.add_processor(system, Priority.LIGHT)
    esper.add_processor(lights, Priority.LIGHT + 1)

    def set_width(value: float) -> None:
        lights.width = value
        lights.fire()

    def set_turn_limit(value: float) -> None:
        lights.turn_limit = value
        lights.fire()

    def set_bend(value: float) -> None:
        lights.bend = value

    captions = [
        Caption(-16.7, 7.8, "Hold to turn the flag", "basis vectors: x·i′ + y·j′", room=1.2),
        Caption(-7.6, 7.8, "Hold to aim both beams", "Beam(width): as wide everywhere", room=1.2),
        Caption(-7.6, 3.3, "This one is wider when longer", "Beam(proportion)", room=1.2),
        Caption(4.4, 7.8, "Click to send a ring of light", "RingBeam"),
        Caption(
            -16.7, -0.9, "Lasers chase the mouse; click fires", "HomingLaser: green Steering.SINE, red SIGN", room=1.2
        ),
        Caption(6.6, -0.9, "Drag to bend the light", "left: quads fold; right: our ribbon does not"),
    ]
    return Layout(
        physics,
        ARENA,
        captions,
        grid=NO_GRID,
        paints_itself=True,
        parameters=[
            Parameter("width", lambda: lights.width, set_width, (0.2, 0.4, 0.6, 0.8, 1.2), "{:g} units"),
            Parameter("turn limit", lambda: lights.turn_limit, set_turn_limit, (0.04, 0.08, 0.14, 0.3), "{:g} rad"),
            Parameter("bend radius", lambda: lights.bend, set_bend, _BEND_CHOICES, "{:.2f} units"),
        ],
        readings=[
            Reading("colliders of light", lambda: str(len(physics.debug.colliders) - 2)),
            Reading("quads of rings", lambda: str(len(system.ring_mesh().triangles) // 2)),
            Reading("quads of lasers", lambda: str(len(system.laser_mesh().triangles) // 2)),
        ],
        paint_above=lights.paint,
        pointer=Aim(lights),
    )
