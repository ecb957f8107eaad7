"""Component classes: how they are defined, the small dataclass they look like, and the values they refuse."""

from __future__ import annotations

import copy
import enum
import inspect
import math
import pickle
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar, Literal, assert_type

import numpy as np
import pytest
from numpy.typing import NDArray
from python_calls import calls_while

from ecsphys import (
    Acceleration,
    BallisticTrajectory,
    CircleCollider,
    CircularTrajectory,
    CollisionFilter,
    Component,
    Drag,
    Gravity,
    HarmonicTrajectory,
    LinearTrajectory,
    Orbit,
    Spring,
    Transform,
    Velocity,
    column,
)
from ecsphys.components.store.component import ComponentType
from ecsphys.components.store.component_table import join


class Health(Component):
    points: float = column(default=100.0, low=0.0)
    team: int = 0
    flags: int = column(default=0, dtype="uint32")

    limit: ClassVar[float] = 500.0
    plain = "no field"

    def double(self) -> float:
        return 2 * self.points


class Armor(Health):
    thickness: float = 1.0


class Marker(Component):
    pass


class Layer(enum.IntFlag):
    GROUND = 1
    PLAYER = 2


def short(component: Component) -> str:
    """The repr without the name of the test a class is defined in."""
    return repr(component).rpartition("<locals>.")[2]


CONTRACT = {
    Transform: "x=0.0, y=0.0, angle=0.0",
    Velocity: "x=0.0, y=0.0, angular=0.0",
    Acceleration: "x=0.0, y=0.0, angular=0.0",
    Gravity: "scale=1.0",
    Spring: "anchor_x, anchor_y, stiffness, mass=1.0, damping=0.0",
    Orbit: "center_x, center_y, angular_speed",
    Drag: "linear=0.0, angular=0.0",
    LinearTrajectory: "x, y, vx, vy, elapsed=0.0",
    BallisticTrajectory: "x, y, vx, vy, ax=0.0, ay=0.0, elapsed=0.0",
    CircularTrajectory: "center_x, center_y, radius, angular_speed, phase=0.0, elapsed=0.0",
    HarmonicTrajectory: (
        "center_x, center_y, amplitude_x, amplitude_y, angular_frequency, phase=0.0, damping=0.0, elapsed=0.0"
    ),
    CollisionFilter: f"layers=1, mask={0xFFFFFFFF}, group=0",
}


@pytest.mark.parametrize(("cls", "parameters"), CONTRACT.items(), ids=lambda value: getattr(value, "__name__", ""))
def test_constructor_has_the_parameters_of_the_contract(cls: type[Component], parameters: str) -> None:
    found = [
        name if parameter.default is inspect.Parameter.empty else f"{name}={parameter.default!r}"
        for name, parameter in inspect.signature(cls).parameters.items()
    ]
    assert ", ".join(found) == parameters
    values = range(1, len(found) + 1)
    assert [getattr(cls(*values), name) for name in cls.__match_args__] == list(values)


# --- the small dataclass


def test_arguments_by_position_and_keyword_with_defaults() -> None:
    assert repr(Velocity(1, angular=2)) == "Velocity(x=1.0, y=0.0, angular=2.0)"
    assert repr(Health(team=3)) == "Health(points=100.0, team=3, flags=0)"
    assert repr(Marker()) == "Marker()"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Orbit(1, 2), "Orbit needs angular_speed"),  # type: ignore[call-arg]
        (lambda: Velocity(1, z=2), r"^Velocity has no argument 'z' \(it has: x, y, angular\)$"),  # type: ignore[call-arg]
        (lambda: Velocity(1, x=2), "multiple values for argument 'x'"),  # type: ignore[misc]
        (lambda: Velocity(1, 2, 3, 4), "takes from 1 to 4 positional arguments but 5 were given"),  # type: ignore[call-arg]
        (lambda: Marker(1), "takes 1 positional argument but 2 were given"),  # type: ignore[call-arg]
        (lambda: Component(), "base class"),
    ],
)
def test_wrong_arguments_raise_by_name(make: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        make()


def test_equality_is_by_class_and_value_and_there_is_no_hash() -> None:
    assert Velocity(1, 2) == Velocity(1.0, 2.0)
    assert Velocity(1, 2) != Velocity(1, 3)
    assert Velocity(1, 2, 3) != Acceleration(1, 2, 3)
    assert Velocity().__eq__(Acceleration()) is NotImplemented
    assert Armor() != Health()
    with pytest.raises(TypeError, match="unhashable"):
        hash(Velocity())


def test_a_misspelt_attribute_raises() -> None:
    velocity = Velocity()
    with pytest.raises(AttributeError, match="angluar"):
        velocity.angluar = 1.0  # type: ignore[attr-defined]
    assert not hasattr(velocity, "__dict__")
    assert not hasattr(Armor(), "__dict__")


def test_match_by_position() -> None:
    match Transform(1, 2, 3):
        case Transform(x, y, angle=angle):
            assert (x, y, angle) == (1.0, 2.0, 3.0)


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, *(lambda c, n=n: pickle.loads(pickle.dumps(c, n)) for n in range(2, 6))]
)
@pytest.mark.parametrize("original", [Health(1.5, -2, 3), Armor(0.1, 1, 1, 0.2), Marker(), Transform(0.1, 1e300, -0.0)])
def test_copies_are_equal_and_independent(original: Component, duplicate: Any) -> None:
    twin = duplicate(original)
    assert type(twin) is type(original)
    assert twin == original
    assert twin._row != original._row
    for name in original.__match_args__:
        before = getattr(original, name)
        setattr(twin, name, before + 1 if isinstance(before, int) else before / 2 + 1.0)
        assert getattr(original, name) == before


def test_an_instance_takes_at_most_64_bytes() -> None:
    collector_header = 16
    for instance in (Transform(), Health(), Marker(), Armor()):
        assert sys.getsizeof(instance) + collector_header <= 64


# --- bulk access


def test_a_column_is_live_both_ways() -> None:
    bodies = [Transform(i, 2 * i) for i in range(5)]
    x = Transform.column("x")
    rows = [body._row for body in bodies]
    assert x[rows].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    x[rows] += 10.0
    assert [body.x for body in bodies] == [10.0, 11.0, 12.0, 13.0, 14.0]
    bodies[2].x = -1.0
    assert x[bodies[2]._row] == -1.0
    assert len(x) == Transform._columns.high_water
    assert Health.column("team").dtype == np.int64
    assert Health.column("flags").dtype == np.uint32


def test_an_unknown_column_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"^Transform has no column 'z'; its columns are: x, y, angle$"):
        Transform.column("z")
    with pytest.raises(ValueError, match=r"^Marker has no column 'x'; its columns are: none$"):
        Marker.column("x")
    with pytest.raises(TypeError, match="base class"):
        Component.column("x")


# --- definitions


def test_class_variables_methods_and_plain_attributes_are_no_fields() -> None:
    assert Health.__match_args__ == ("points", "team", "flags")
    assert (Health.limit, Health.plain, Health(4).double()) == (500.0, "no field", 8.0)


def test_a_subclass_has_a_store_of_its_own_with_all_fields() -> None:
    health, armor = Health(1, 2, 3), Armor(4, 5, 6, 7)
    assert Armor._columns is not Health._columns
    assert repr(armor) == "Armor(points=4.0, team=5, flags=6, thickness=7.0)"
    assert armor.double() == 8.0
    armor.points = 9.0
    assert health.points == 1.0
    with pytest.raises(ValueError, match=r"^Armor\.points must be at least 0"):
        armor.points = -1


def test_a_field_declared_again_keeps_its_place() -> None:
    class Golem(Armor):
        points: float = 7.0

    assert short(Golem()) == "Golem(points=7.0, team=0, flags=0, thickness=1.0)"
    assert Golem(-1).points == -1.0


def test_fields_of_several_parents_are_joined() -> None:
    class Named(Component):
        number: int = 1

    class Both(Named, Armor):
        pass

    assert short(Both(1, 2, 3, 4, 5)) == "Both(points=1.0, team=2, flags=3, thickness=4.0, number=5)"


@pytest.mark.usefixtures("no_garbage")
def test_a_class_may_write_its_own_constructor() -> None:
    class Motion(Component):
        x: float = 0.0
        y: float = 0.0

    class Walker(Motion):
        stride: float = 1.0

        def __init__(self, speed: float, heading: float) -> None:
            super().__init__(speed * math.cos(heading), speed * math.sin(heading))
            self.stride = 0.5

    walker = Walker(2.0, 0.0)
    assert short(walker) == "Walker(x=2.0, y=0.0, stride=0.5)"
    assert Motion._columns.live_rows == 0
    assert Walker._columns.live_rows == 1
    assert copy.copy(walker) == walker


def test_a_class_may_write_its_own_finaliser() -> None:
    freed = []

    class Loud(Component):
        x: float = column(above=0.0)

        def __del__(self) -> None:
            freed.append(self.x)

    class Louder(Loud):
        def __del__(self) -> None:
            super().__del__()

    Loud(1.0)
    Louder(2.0)
    with pytest.raises(ValueError, match="Loud"):
        Loud(-1.0)
    assert freed == [1.0, 2.0]
    assert (Loud._columns.live_rows, Loud._columns.high_water) == (0, 1)
    assert (Louder._columns.live_rows, Louder._columns.high_water) == (0, 1)


def test_field_names_that_the_machinery_uses_itself_are_free() -> None:
    class Odd(Component):
        row: int = 1
        value: float = 2.0
        view0: float = 3.0
        type: int = 4
        _free: int = 5
        __store: int = 6

    odd = Odd(6, 7, 8, 9, 10, 11)
    assert short(odd) == "Odd(row=6, value=7.0, view0=8.0, type=9, _free=10, _Odd__store=11)"


def define(annotation: Any, *given: Any) -> None:
    body = {"__annotations__": {"f": annotation}} | ({"f": given[0]} if given else {})
    ComponentType("Made", (Component,), body)


@pytest.mark.parametrize(
    "annotation", [str, "str", "list[float]", complex, "int | None", "Undefined", np.float64, None, Literal[1, 2]]
)
def test_other_annotations_are_refused_with_advice(annotation: Any) -> None:
    with pytest.raises(TypeError, match=r"^Made\.f: the fields of a Component must be float, int, bool.*plain class"):
        define(annotation)


@pytest.mark.parametrize(
    ("annotation", "given", "error", "words"),
    [
        (float, math.nan, ValueError, "Made.f must be finite"),
        (float, "1", TypeError, "Made.f must be a number, got '1'"),
        (int, 1.5, TypeError, "Made.f must be an integer"),
        (float, column(default=-1.0, low=0.0), ValueError, "Made.f must be at least 0"),
        (float, column(low=0.0, above=0.0), TypeError, "give one bound for each side"),
        (float, column(low=2.0, high=1.0), ValueError, "no value can be at least 2 and at most 1"),
        (float, column(low=math.nan), ValueError, "must not be nan"),
        (float, column(dtype="uint32"), TypeError, "does not fit"),
        (int, column(dtype="float64"), TypeError, "does not fit"),
        (int, column(dtype="int8"), TypeError, "does not fit"),  # type: ignore[call-overload]
        (int, column(choices=("a", "b")), TypeError, "needs choices, and no other field"),
        (str, column(default="a"), TypeError, "needs choices, and no other field"),
        (str, column(default="c", choices=("a", "b")), ValueError, "Made.f must be one of 'a', 'b', got 'c'"),
        (Literal["a", "b"], "c", ValueError, "Made.f must be one of 'a', 'b', got 'c'"),
        (Literal["a", "b"], column(choices=("a",)), TypeError, "the Literal already lists the choices"),
        (bool, 1, TypeError, "Made.f must be True or False, got 1"),
        (float | None, column(default=None, low=-1.0), ValueError, "must be at least 0"),
        (float | None, None, ValueError, "must be at least 0"),
    ],
)
def test_contradictory_definitions_are_refused(annotation: Any, given: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        define(annotation, given)


def test_a_literal_has_its_choices_from_its_annotation() -> None:
    class Mood(Component):
        name: Literal["calm", "angry"] = "calm"

    mood = Mood()
    assert mood.name == "calm"
    mood.name = "angry"
    assert Mood.column("name", writable=False)[mood._row] == 1
    with pytest.raises(ValueError, match=r"Mood\.name must be one of 'calm', 'angry', got 'sad'"):
        mood.name = "sad"  # type: ignore[assignment]


def test_type_checkers_know_columns_and_rows() -> None:
    """Checked by mypy rather than by running it."""
    assert_type(Transform.column("x", writable=False), NDArray[np.float64])
    assert_type(join(Transform), tuple[NDArray[np.int64], NDArray[np.int64]])
    entities, transforms, velocities = join(Transform, Velocity)
    assert len(entities) == len(transforms) == len(velocities)


def test_names_and_orders_that_cannot_work_are_refused() -> None:
    with pytest.raises(TypeError, match="Component itself uses this name"):

        class Taken(Component):
            column: float = 1.0  # type: ignore[assignment]

    with pytest.raises(TypeError, match=r"Late\.y needs a default, because it follows"):

        class Late(Component):
            x: float = 1.0
            y: float  # type: ignore[misc]

    with pytest.raises(TypeError, match="__slots__"):

        class Slotted(Component):
            __slots__ = ("extra",)

    with pytest.raises(TypeError, match=r"Shadow\.points is a field of its base class"):

        class Shadow(Health):
            points = 3.0


# --- values


@pytest.mark.parametrize(
    "number",
    [3, True, np.bool_(True), np.float32(1.5), np.float64(2.5), np.int8(3), np.array(4), Fraction(1, 3), Decimal(2)],
)
def test_every_kind_of_real_number_is_a_number(number: Any) -> None:
    assert Transform(number).x == float(number)
    body = Transform()
    body.x = number
    assert type(body.x) is float
    assert body.x == float(number)


@pytest.mark.parametrize("value", ["1", None, [1.0], (1.0,), b"1", 1j, np.complex64(1), np.ones(1), np.str_("1"), {}])
def test_no_number_raises_a_type_error_that_names_everything(value: Any) -> None:
    words = r"^CircleCollider\.radius must be a number, got .+ \(\w+\)$"
    with pytest.raises(TypeError, match=words):
        CircleCollider(value)
    circle = CircleCollider(2.0)
    with pytest.raises(TypeError, match=words):
        circle.radius = value
    assert circle.radius == 2.0


@pytest.mark.usefixtures("no_garbage")
@pytest.mark.parametrize(
    ("value", "words"),
    [
        (-1.0, "CircleCollider.radius must be greater than 0, got -1.0"),
        (-1, "CircleCollider.radius must be greater than 0, got -1.0"),
        (0, "CircleCollider.radius must be greater than 0, got 0.0"),
        (-0.0, "CircleCollider.radius must be greater than 0, got -0.0"),
        (math.nan, "CircleCollider.radius must be finite, got nan"),
        (np.float32("inf"), "CircleCollider.radius must be finite, got inf"),
        (-math.inf, "CircleCollider.radius must be finite, got -inf"),
        (10**309, "CircleCollider.radius must be finite, got 1000"),
        pytest.param(10**5000, "CircleCollider.radius must be finite, got an integer of 16610 bits", id="huge"),
        (Decimal("NaN"), "CircleCollider.radius must be finite, got nan"),
    ],
)
def test_a_number_out_of_bounds_raises_a_value_error_that_names_everything(value: Any, words: str) -> None:
    before = CircleCollider._columns.high_water, CircleCollider._columns.live_rows
    with pytest.raises(ValueError, match=f"^{words}"):
        CircleCollider(value)
    assert (CircleCollider._columns.high_water, CircleCollider._columns.live_rows) == before
    circle = CircleCollider(2.0)
    with pytest.raises(ValueError, match=f"^{words}"):
        circle.radius = value
    assert circle.radius == 2.0


@pytest.mark.usefixtures("no_garbage")
def test_a_bad_later_field_keeps_the_first_from_being_written() -> None:
    live = Transform._columns.live_rows
    with pytest.raises(ValueError, match=r"^Transform\.angle must be finite, got nan$"):
        Transform(1, 2, math.nan)
    assert Transform._columns.live_rows == live


@pytest.mark.parametrize("number", [5, True, np.int8(5), np.uint64(5), np.bool_(True), Layer.PLAYER])
def test_every_kind_of_integer_is_an_integer(number: Any) -> None:
    health = Health(1.0, number, number)
    assert (health.team, health.flags) == (int(number), int(number))
    assert type(health.team) is int
    health.team = health.flags = 0
    health.team = health.flags = number
    assert (health.team, health.flags) == (int(number), int(number))


@pytest.mark.parametrize("value", [1.0, np.float64(1), "1", None, [1], Fraction(1), Decimal(1)])
def test_no_integer_raises_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError, match=r"^Health\.team must be an integer, got "):
        Health(1.0, value)
    with pytest.raises(TypeError, match=r"^CollisionFilter\.mask must be an integer, got "):
        CollisionFilter().mask = value


def test_integers_out_of_range_raise_a_value_error() -> None:
    assert CollisionFilter(group=2**63 - 1).group == 2**63 - 1
    assert CollisionFilter(group=-(2**63)).group == -(2**63)
    for group in (2**63, -(2**63) - 1, 10**5000):
        with pytest.raises(ValueError, match=r"^CollisionFilter\.group must be a signed 64-bit integer, got "):
            CollisionFilter(group=group)
    with pytest.raises(ValueError, match=r"^CollisionFilter\.mask must be between 0 and 0xFFFFFFFF .*4294967296$"):
        CollisionFilter(mask=2**32)


def test_a_negative_mask_is_told_how_to_be_written() -> None:
    with pytest.raises(ValueError, match=r"got -2; .*write 0xFFFFFFFF & ~1$"):
        CollisionFilter(mask=~1)
    assert CollisionFilter(mask=0xFFFFFFFF & ~1).mask == 0xFFFFFFFE
    assert CollisionFilter(mask=0xFFFFFFFF & ~int(Layer.PLAYER)).mask == 0xFFFFFFFD


def test_bounds_may_be_members_of_an_enumeration_and_numpy_scalars() -> None:
    class Gear(enum.IntEnum):
        LOW = 1
        HIGH = 2

    one: Any = np.int64(1)

    class Engine(Component):
        gear: int = column(default=Gear.LOW, low=Gear.LOW, high=Gear.HIGH)
        power: float = column(default=1.0, low=np.float64(0.5), high=9 * one)
        number: int = column(default=1, low=one, below=np.float64(4))

    assert Engine(Gear.HIGH).gear == 2
    assert repr(Engine()).endswith("Engine(gear=1, power=1.0, number=1)")
    values: dict[str, Any] = {"gear": 3, "power": 9.5, "number": 4}
    for name, value in values.items():
        with pytest.raises(ValueError, match=rf"^Engine\.{name} must be at least .* and .*, got {value}$"):
            Engine(**{name: value})


def test_bounds_of_integers() -> None:
    class Dice(Component):
        pips: int = column(default=1, above=0, high=6)

    assert Dice(6).pips == 6
    for pips in (0, 7):
        with pytest.raises(ValueError, match=rf"^Dice\.pips must be greater than 0 and at most 6, got {pips}$"):
            Dice(pips)


@pytest.mark.parametrize(
    ("cls", "name", "lowest"),
    [
        (Spring, "mass", 5e-324),
        (Spring, "stiffness", 0.0),
        (Spring, "damping", 0.0),
        (Drag, "linear", 0.0),
        (Drag, "angular", 0.0),
        (CircularTrajectory, "radius", 0.0),
        (HarmonicTrajectory, "angular_frequency", 0.0),
        (HarmonicTrajectory, "damping", 0.0),
        (Gravity, "scale", -sys.float_info.max),
        (Orbit, "angular_speed", -sys.float_info.max),
        (LinearTrajectory, "elapsed", -sys.float_info.max),
    ],
)
def test_the_lowest_valid_value_of_each_bounded_field(cls: type[Component], name: str, lowest: float) -> None:
    instance = cls(*(1.0 for _ in cls.__match_args__))
    setattr(instance, name, lowest)
    assert getattr(instance, name) == lowest
    with pytest.raises(ValueError, match=f"^{cls.__name__}.{name} must be "):
        setattr(instance, name, math.nextafter(lowest, -math.inf))
    assert getattr(instance, name) == lowest


# --- costs and the interpreter's end


def test_plain_values_are_read_and_written_by_one_call_and_created_by_a_few() -> None:
    body = Transform()
    own = calls_while(lambda: None)
    # Each call is noted twice, when it begins and when it returns.
    assert calls_while(lambda: body.x) - own == 2
    assert calls_while(lambda: setattr(body, "x", 1.5)) - own == 2 + 2  # setattr itself
    for create in (lambda: Transform(1.0, 2.0), lambda: CircleCollider(0.5)):
        create()  # a row is free from now on
        # The constructor takes it from a list, the finaliser puts it back.
        assert calls_while(create) - own == 2 * 4


def test_instances_alive_at_the_interpreters_end_are_silent() -> None:
    program = """if True:
        from ecsphys.components.collision.colliders import CircleCollider, PolygonCollider
        from ecsphys.components.motion.transform import Transform
        kept = [Transform(), CircleCollider(1.0), PolygonCollider([(0, 0), (1, 0), (0, 1)])]
        kept.append(kept)
        class Holder: pass
        holder = Holder(); holder.own = holder; holder.body = Transform()
        import builtins, sys
        builtins.kept = sys.kept = [Transform(), PolygonCollider([(0, 0), (1, 0), (0, 1)])]
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "Exception ignored" not in done.stderr
