"""What a scene is: a named recipe, and the live world that is built from it. No pyglet here: benchmarks use it too."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

import ecsphys
from ecsphys.demo.scenes.drawing.trails import Trails
from ecsphys.demo.scenes.panel import Panel
from ecsphys.demo.scenes.parameter import Parameter, Reading
from ecsphys.demo.scenes.sketch import Sketch
from ecsphys.demo.scenes.tools.grip import REACH, Grip
from ecsphys.demo.scenes.tools.toolbox import Toolbox

STEP = 1.0 / 60.0
"""Seconds of one step of every scene."""

Box = tuple[float, float, float, float]
"""min_x, min_y, max_x, max_y."""

NO_GRID = 1e6

MouseButton = Literal["left", "middle", "right"]

_world_numbers = itertools.count(1)


@dataclass(frozen=True)
class Caption:
    """A text at a place in the world: its upper left corner at (x, y), a second line in a softer colour.

    ``room`` is how many units below the corner are free for it: in pictures so small that both lines take more, only
    the first is shown. None is as much as it needs.
    """

    x: float
    y: float
    text: str
    detail: str = ""
    room: float | None = None


class Steering(Protocol):
    """What the keys for steering move: ecsphys.InputState is one."""

    x: float
    y: float


class Pointer:
    """The left button of the mouse in a scene, at places of the world. Override the methods that it needs."""

    reach: float = REACH
    """How near, in units, is at the mouse; told before a press, as it depends on the picture."""

    def begin(self, tools: Toolbox) -> None:
        """The scene is played now, with these tools in the player's hands."""

    def press(self, x: float, y: float) -> bool:
        """The button goes down; whether the scene does something with it."""
        return False

    def move(self, x: float, y: float) -> None:
        """The mouse is here now, with the button down or up."""

    def release(self) -> None:
        """The button goes up."""


@dataclass(frozen=True)
class Key:
    """A key of a scene's own: its name in pyglet, its effect in a few words, and its function.

    Without words it is not in the list of all keys by itself.
    """

    name: str
    text: str
    press: Callable[[], None]


class Loop(Protocol):
    """A scene that begins again by itself, but not while the player uses it."""

    @property
    def countdown(self) -> float | None:
        """Seconds until it begins again; None as long as they are not shown."""
        ...

    @property
    def fade(self) -> float:
        """How dark the picture is, from 0 to 1."""
        ...

    def begin(self, tools: Toolbox) -> None:
        """The scene is played now, with these tools in the player's hands."""
        ...

    def touch(self) -> None:
        """The player has done something."""
        ...


class Picture(Protocol):
    """A scene's own way to be drawn; ``note`` is what the demo has to say, in a line."""

    def draw(self, size: tuple[int, int], density: float = 1.0, debug: bool = False, note: str = "") -> None: ...

    def to_world(self, x: float, y: float) -> tuple[float, float]:
        """The world's place at a pixel of the picture that was drawn last."""
        ...


class Look(Protocol):
    """A scene's own colours, in place of those of the collider classes; light then comes from impacts alone."""

    @property
    def fill(self) -> float:
        """The alpha of the colliders' insides."""
        ...

    def colors(self, physics: ecsphys.Physics) -> NDArray[float64]:
        """Red, green, blue and alpha (n, 4) of ``physics.debug.colliders``."""
        ...


@dataclass
class Layout:
    """What building a scene returns: the physics of its world and how to show it."""

    physics: ecsphys.Physics
    arena: Box
    captions: list[Caption] = field(default_factory=list)
    trails: Trails | None = None
    show_contacts: bool = True
    grid: float = 1.0
    """Units between the lines of the ground, or ``NO_GRID``."""
    show_guides: bool = True
    """Whether springs, orbits and paths are drawn."""
    paints_itself: bool = False
    """Whether the scene draws its colliders and all that moves them; the demo then adds only debug layers."""
    legend: bool = False
    """Whether the colliders' colours are explained."""
    parameters: list[Parameter] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)
    paint_below: Callable[[Sketch], None] | None = None
    """Draws what lies behind the colliders."""
    paint_above: Callable[[Sketch], None] | None = None
    """Draws what lies before them."""
    look: Look | None = None
    steering: Steering | None = None
    """Moved by the keys W, A, S and D and by the arrows."""
    pointer: Pointer | None = None
    """Asked about the left button of the mouse before it holds a body."""
    keys: Sequence[Key] = ()
    """Keys of the scene's own."""
    help: Sequence[tuple[str, str]] = ()
    """More keys and their effects, for the list of all keys."""
    has_bodies: bool = False
    """Whether the tools for bodies work here: to hold, shoot, blast and drop them."""
    loop: Loop | None = None
    follow: Callable[[], Box] | None = None
    """The camera's view in the next picture, for scenes that are larger than the picture."""
    backdrop: Callable[[Sketch], None] | None = None
    """Paints all that lies behind the world, in place of the dark ground with its grid and frame."""
    pace: Callable[[], float] | None = None
    """How fast time goes in the next step: 1, or less for slow motion."""
    scores: Sequence[Reading] = ()
    """Readings in large figures."""
    panel: Panel | None = None
    """Buttons and bars at the right border."""
    notice: Callable[[], str] | None = None
    """A line at the foot of the picture about the latest event; empty for none."""
    is_stale: bool = False
    """Set by a scene that has put bodies in or taken them away between two steps: a step of no time follows."""


@dataclass(frozen=True)
class Scene:
    """A scene by its name. ``build`` fills the current esper world, which is empty, and describes it."""

    name: str
    title: str
    summary: str
    build: Callable[[np.random.Generator], Layout]
    group: str
    """The page of the menu that it is on."""
    rows: tuple[str, ...] = ()
    """Ids of the chapters that it shows, as in docs/chapters.md."""


@dataclass(frozen=True)
class Counts:
    """What is in a live scene now; starts and ends are those since it was built."""

    entities: int
    colliders: int
    pairs: int
    hits: int
    starts: int
    ends: int


class LiveScene:
    """A scene being played, in an esper world of its own.

    ``step`` advances it by :data:`STEP`. ``close`` deletes its world; until then other worlds may be current between
    the calls.
    """

    def __init__(self, scene: Scene, seed: int = 0) -> None:
        self.scene = scene
        self.world = f"ecsphys-demo-{next(_world_numbers)}"
        self.frame = 0
        self._starts = 0
        self._ends = 0
        esper.switch_world(self.world)
        self.layout = scene.build(np.random.default_rng(seed))
        self.tools = Toolbox(self.layout.physics)
        if self.layout.loop is not None:
            self.layout.loop.begin(self.tools)
        if self.layout.pointer is not None:
            self.layout.pointer.begin(self.tools)
        # A step of no time detects the hits there are at the beginning, so that the first picture is complete.
        self._process(0.0)

    @property
    def physics(self) -> ecsphys.Physics:
        return self.layout.physics

    @property
    def grip(self) -> Grip:
        return self.tools.grip

    def step(self, dt: float = STEP) -> None:
        """Advance the scene by one step, shorter than usual in slow motion."""
        self.enter()
        self.tools.advance(dt)
        self._process(dt)
        self.frame += 1

    def enter(self) -> None:
        """Make the scene's world the current one."""
        if esper.current_world != self.world:
            esper.switch_world(self.world)

    def refresh(self) -> None:
        """Detect the hits there are now, if the scene has changed since the last step, so that the picture is right."""
        if self.layout.is_stale:
            self._process(0.0)

    def _process(self, dt: float) -> None:
        self.enter()
        self.layout.is_stale = False
        esper.process(dt)
        self._starts += len(self.physics.hits.started)
        self._ends += len(self.physics.hits.ended)
        if self.layout.trails is not None:
            self.layout.trails.record()

    def open_picture(self) -> Picture | None:
        """What draws the scene in place of the demo's renderer, if anything; called where there is OpenGL."""
        return None

    def press(self, key: str) -> bool:
        """A key, by its name in pyglet, goes down; whether it is the scene's own."""
        return False

    def release(self, key: str) -> None:
        """A key goes up."""

    def own_keys(self) -> frozenset[str]:
        """The names of the keys that mean something to the scene itself."""
        return frozenset(key.name for key in self.layout.keys)

    @property
    def is_over(self) -> bool:
        """Whether it has come to an end by itself."""
        return False

    def outcome(self) -> str | None:
        """How a scene that can be won or lost stands, in a line."""
        return None

    def counts(self) -> Counts:
        """Entities, colliders, candidate pairs and hits as of the last step."""
        self.enter()
        physics = self.physics
        return Counts(
            entities=sum(1 for _ in esper.get_entities()),
            colliders=len(physics.debug.colliders),
            pairs=len(physics.debug.candidate_pairs),
            hits=len(physics.hits),
            starts=self._starts,
            ends=self._ends,
        )

    def close(self) -> None:
        """Delete the scene's world, and those that it has opened beside it: their names begin with its own."""
        if esper.current_world == self.world:
            esper.switch_world("default")
        for name in esper.list_worlds():
            if name == self.world or name.startswith(f"{self.world} "):
                esper.delete_world(name)
