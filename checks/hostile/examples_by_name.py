"""A valid value for each argument of the public functions, by its name: what the others are while one is hostile."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable
from typing import Any, Final

import esper
import numpy as np

import ecsphys
from ecsphys import CircleCollider, InputState, RigidBody, Solid, Transform, Velocity
from ecsphys.effects import Emitter


class Layer(enum.IntFlag):
    """Layers of a game."""

    PLAYER = 1
    WALL = 2


class Stepping(esper.Processor):
    """A processor that does nothing."""

    def process(self, dt: float) -> None:
        """Do nothing."""


STEPPING: Final = Stepping()
"""A system of every fixed step that is tried."""


def _body() -> int:
    return esper.create_entity(Transform(5.0, 5.0), CircleCollider(1.0), Velocity(), RigidBody())


def _wheel() -> int:
    return esper.create_entity(Transform(9.0, 5.0), CircleCollider(1.0), Velocity(), RigidBody())


def _hinge() -> int:
    return esper.create_entity(ecsphys.RevoluteJoint.at(_body(), None, 5.0, 5.0))


_PAIRS = """
center center_a center_b a apex box_center p point origin min_a min_b box_min
"""
_OTHER_PAIRS = """
b q direction displacement force velocity max_a max_b box_max v1 half_size
"""
_NUMBERS = """
x y angle angular x_a y_a x_b y_b ax ay vx vy phase offset_x offset_y center_x center_y anchor_x anchor_y
start_x start_y end_x end_y min_x min_y prediction mean
"""
_POSITIVE = """
radius radius_a radius_b capsule_radius fan_radius half_width half_height length spread speed width height
view_width view_height stiffness amplitude amplitude_x amplitude_y angular_frequency angular_speed period
wavelength far_width near_width seconds max_x max_y max_distance distance near density dt hz sigma tile_size
bx by torque impulse frame_time
"""
_COUNTS = """
count row_count k max_steps
"""

# By "owner.argument" first, then by "argument".
EXAMPLES: Final[dict[str, Callable[[], Any]]] = {
    **dict.fromkeys(_PAIRS.split(), lambda: (0.0, 0.0)),
    **dict.fromkeys(_OTHER_PAIRS.split(), lambda: (1.0, 2.0)),
    **dict.fromkeys(_NUMBERS.split(), lambda: 0.0),
    **dict.fromkeys(_POSITIVE.split(), lambda: 1.0),
    **dict.fromkeys(_COUNTS.split(), lambda: 3),
    "near": lambda: 0.5,
    "low": lambda: 0.0,
    "high": lambda: 1.0,
    "v2": lambda: (-1.0, 1.0),
    "vertices": lambda: [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)],
    "polygon": lambda: [(0.0, 0.0, 1.0), (1.0, 0.0, 1.0), (0.0, 1.0, 2.0)],
    "points": lambda: [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)],
    "project_perspective.points": lambda: [(0.0, 0.0, 1.0)],
    "origins": lambda: [(0.0, 0.0)],
    "directions": lambda: [(1.0, 0.0)],
    "displacements": lambda: [(1.0, 0.0)],
    "transforms": lambda: [(0.0, 0.0, 0.0)],
    "boxes": lambda: [(0.0, 0.0, 1.0, 1.0)],
    "parts": lambda: [CircleCollider(1.0)],
    "tiles": lambda: [[0, 1], [1, 0]],
    "collider": lambda: CircleCollider(1.0),
    "collider_a": lambda: CircleCollider(1.0),
    "collider_b": lambda: CircleCollider(1.0),
    "transform": Transform,
    "transform_a": Transform,
    "transform_b": Transform,
    "entity": _body,
    "entity_a": _body,
    "entity_b": _wheel,
    "GearJoint.entity_a": _hinge,
    "GearJoint.entity_b": _hinge,
    "at.a": _body,
    "at.b": _wheel,
    "has.a": _body,
    "has.b": _wheel,
    "why_no_hit.a": _body,
    "why_no_hit.b": _wheel,
    "car": _body,
    "wheel": _wheel,
    "axis": lambda: (1.0, 0.0),
    "entities": lambda: [_body()],
    "move_characters.entities": lambda: [_character()],
    "move_characters.displacements": lambda: [(1.0, 0.0)],
    "move_character.entity": lambda: _character(),
    "Hit.other.entity": lambda: _physics().hits.entity_a[0],
    "Hit.seen_from.entity": lambda: _physics().hits.entity_a[0],
    "RowShifts.of.entity": lambda: 1,
    "owner": _body,
    "number": lambda: 0,
    "button": lambda: "jump",
    "layers": lambda: Layer.PLAYER,
    "some": lambda: Layer.PLAYER,
    "others": lambda: Layer.WALL,
    "kind": lambda: Layer,
    "meets": lambda: {Layer.PLAYER: Layer.WALL},
    "CollisionFilter.of.meets": lambda: Layer.WALL,
    "FixedStep.get.kind": lambda: Stepping,
    "system": Stepping,
    "circle_fan.direction": lambda: 0.0,
    "upright.height": lambda: 3.0,
    # Not where a is.
    "DistanceJoint.at.x_b": lambda: 3.0,
    "from_vectors.v2": lambda: (-2.0, 1.0),
    "apply_impulse.impulse": lambda: (1.0, 2.0),
    "FixedStep.remove.system": lambda: STEPPING,
    "InputState.read_bytes.data": lambda: InputState().to_bytes(),
    "rng": lambda: np.random.default_rng(1),
    "style": lambda: Emitter(),
    "component": lambda: Transform,
    "first": lambda: Transform,
    "second": lambda: CircleCollider,
    "rows": lambda: slice(0),
    "Transform.write.rows": lambda: Transform()._row,
    "step_worlds.physics": lambda: [_physics()],
    "name": lambda: "x",
    "token": object,
    "FixedStep.interpolated.name": lambda: "x",
    "input_state": InputState,
    "pose": lambda: (0.0, 0.0, 0.0),
    "bodies": lambda: np.zeros(1, np.int64),
    "physics": lambda: ecsphys.Physics(),
    "lines": lambda: [[(0.0, 0.0), (1.0, 0.0)]],
    "data": lambda: ecsphys.Physics().snapshot().to_bytes(),
    "add_to_snapshots.cls": lambda: Solid,
    "take": lambda: _nothing,
    "put": lambda: _nothing,
    "solid": lambda: {1},
    "chosen": lambda: {1},
    # Stages of the world itself, and its snapshots.
    "restore.snapshot": lambda: _physics().snapshot(),
    # What takes any number of arguments.
    "spawn_many.components": lambda: Transform.many(),
    "join.classes": lambda: Transform,
    "FixedStep.process.given": lambda: 1 / 64,
}


def _nothing(*_: Any) -> None:
    return None


def _physics() -> ecsphys.Physics:
    """That of the current world."""
    return next(stage.physics for stage in esper._processors if isinstance(stage, ecsphys.systems.Stage))


def _character() -> int:
    return esper.create_entity(Transform(5.0, 9.0), CircleCollider(1.0), ecsphys.Character())


def example_of(owner: str, argument: str) -> Callable[[], Any] | None:
    """What makes a valid value, None where none is known; ``owner`` is "function" or "Class.method"."""
    parts = owner.split(".")
    names = [".".join([*parts[-k:], argument]) for k in range(len(parts), 0, -1)]
    return next((EXAMPLES[name] for name in (*names, argument) if name in EXAMPLES), None)


# What the joints' constructors find out themselves.
_ENDS: Final = ("entity_a", "entity_b", "x_a", "y_a", "x_b", "y_b")

# What a component needs to mean anything, though it has a default.
_ALSO: Final = {"DistanceJoint": ("length",)}


class Arguments:
    """The arguments of a public function: their names, and valid values of those it needs."""

    def __init__(self, owner: str, function: Callable[..., Any]) -> None:
        parameters = [one for one in inspect.signature(function).parameters.values() if one.name != "self"]
        by_kind = {kind: [one.name for one in parameters if one.kind is kind] for kind in inspect._ParameterKind}
        self._owner = owner
        self._positional = by_kind[inspect.Parameter.POSITIONAL_ONLY]
        starred = by_kind[inspect.Parameter.VAR_POSITIONAL]
        needed = {one.name for one in parameters if one.default is inspect.Parameter.empty} | set(_ALSO.get(owner, ()))
        self._starred = [name for name in starred if example_of(owner, name) is not None]
        self._named = [*by_kind[inspect.Parameter.POSITIONAL_OR_KEYWORD], *by_kind[inspect.Parameter.KEYWORD_ONLY]]
        self.needed = [name for name in (*self._positional, *self._named) if name in needed]
        cls: Any = getattr(function, "__self__", None)
        if by_kind[inspect.Parameter.VAR_KEYWORD] and hasattr(cls, "__match_args__"):
            # Named constructors pass on what their class takes.
            self._named += [name for name in cls.__match_args__ if name not in (*self._named, *_ENDS)]
        self.names = [*self._positional, *self._named, *self._starred]

    def without_example(self) -> list[str]:
        """The needed arguments of which no valid value is known."""
        return [name for name in self.needed if example_of(self._owner, name) is None]

    def given(self, hostile: str, value: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """What to call the function with: valid values, and the hostile one."""
        values = {name: self.example(name) for name in (*self.needed, *self._starred) if name != hostile}
        values[hostile] = value
        return self._placed(values)

    def valid(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """What to call the function with: valid values of all that it needs."""
        return self._placed({name: self.example(name) for name in (*self.needed, *self._starred)})

    def _placed(self, values: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        if self._starred:
            first = [name for name in self._named if name in values]
            order = [*self._positional, *first, *self._starred]
            return tuple(values[name] for name in order), {}
        return tuple(values.pop(name) for name in self._positional), values

    def example(self, name: str) -> Any:
        make = example_of(self._owner, name)
        if make is None:
            raise LookupError(f"checks/hostile/examples_by_name.py has no example for {self._owner}({name})")
        return make()
