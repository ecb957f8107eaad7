"""``Component``: like a small dataclass, but each instance is a view of one row of the arrays of its class.

Its members are generated: constructor, finaliser, and a property for each field. The memoryviews of the columns are in
*cells* (:attr:`ColumnStore.cells`), which all functions of the class share as their closures: reading a cell costs
nothing, and a block that grows puts another view there. A property has copies of the functions below for its kind of
field: a copy has inline caches of its own, so it is as fast as code for one class.

The constructor is written and compiled when the first instance is created. For
``class Pulse(Component): radius: float = column(above=0.0); count: int = 1`` it is, shortened::

    def fill(self, radius=__missing, count=1, **__unknown):
        if __unknown: __check_known("Pulse", __unknown, ("radius", "count"))
        if not (__type(radius) in __plain and 5e-324 <= radius <= 1.797e308 and (count is __default1 or ...)):
            if radius is __missing: __raise_missing("Pulse", "radius")
            radius, count = __checked(radius, count)
        __row = self._row = __free.pop() if __free else __allocate_fresh()
        __view0[__row] = radius
        __view1[__row] = count

A value that is the very object of the default is valid: that test takes a tenth of the time of the others. No field can
be called like the other names: Python turns ``__name`` in a class body into ``_Class__name``.

No statement that writes into a view calls anything once it has loaded the view: that is what keeps threads apart, see
:mod:`~ecsphys.components.store.standing_blocks`.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from inspect import Parameter, Signature
from types import CellType, FunctionType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, dataclass_transform, get_args, get_origin, overload

from numpy import float64, int64, uint8, uint32
from numpy.typing import NDArray

from ecsphys.components.other_names import raise_missing, raise_unknown
from ecsphys.components.store.change_log import PUSHED, WRITTEN
from ecsphys.components.store.column import (
    ANNOTATIONS,
    MISSING,
    ColumnSpecifier,
    Field,
    column,
    make_field,
    true_or_false,
)
from ecsphys.components.store.column_store import ColumnStore, read_only
from ecsphys.components.store.many import Many, bind, write_rows

# A memoryview takes values of these types as they are; every other number is converted first.
_PLAIN_REAL = frozenset({float, int, float64})

# The globals of the properties.
_SCOPE: dict[str, Any] = {"__type": type, "__plain": _PLAIN_REAL, "WRITTEN": WRITTEN, "PUSHED": PUSHED}


def generate_members(cls: Any, store: ColumnStore) -> dict[str, Any]:
    """``_fill``, ``__init__`` (the same), ``__del__``, ``__match_args__``, and a property for each field, by name.

    A ``__del__`` that the class defines is called by the generated one, which then frees the row.
    """

    def fill(self: Any, *values: Any, **named: Any) -> None:
        made = _constructor(cls, store)
        if cls.__init__ is cls._fill:
            cls.__init__ = made
        cls._fill = made
        made(self, *values, **named)

    has_default = False
    for field in store.fields:
        if has_default and field.default is MISSING:
            raise TypeError(f"{store.owner}.{field.name} needs a default, because it follows a field with a default")
        has_default = field.default is not MISSING
    names = tuple(field.name for field in store.fields)
    members = {"_fill": fill, "__init__": fill, "__del__": _finaliser(cls, store), "__match_args__": names}
    for field, view in zip(store.fields, store.cells, strict=True):
        cells = {
            "view": view,
            "dirty": store.dirty_cell,
            "place": CellType(store.place),
            "low": CellType(field.low),
            "high": CellType(field.high),
            "checked": CellType(field.checked),
            "choices": CellType(field.choices),
        }
        functions = _getter(_reading(field)), _setter(_passes(field, "low", "high"), store.tracked, store.pushing)
        get, put = (_copy(function, cls, field.name, cells) for function in functions)
        kept = field.dtype if field.is_plain else getattr(field.annotation, "__name__", str(field.annotation))
        members[field.name] = property(get, put, None, f"{kept}, {field.requirement}.")
    return members


def signature_of(store: ColumnStore) -> Signature:
    """The arguments of the constructor, as a game sees them."""
    kind = Parameter.POSITIONAL_OR_KEYWORD
    parameters = [Parameter("self", kind)]
    for field in store.fields:
        default = Parameter.empty if field.default is MISSING else field.default
        parameters.append(Parameter(field.name, kind, default=default, annotation=field.annotation))
    return Signature(parameters, return_annotation=None)


def _copy(function: Callable[..., Any], cls: type, name: str, cells: dict[str, CellType]) -> FunctionType:
    """A function as a member of a class, with other cells for its free variables."""
    code = function.__code__.replace(co_name=name, co_qualname=f"{cls.__qualname__}.{name}")
    closure = tuple(map(cells.__getitem__, code.co_freevars))
    copied = FunctionType(code, function.__globals__, name, function.__defaults__, closure)
    copied.__module__ = cls.__module__
    return copied


def _finaliser(cls: type, store: ColumnStore) -> FunctionType:
    free, own_delete = store.free, vars(cls).get("__del__")

    def delete(self: Any) -> None:
        try:
            row = self._row
        except AttributeError:  # no row was taken: the arguments were bad
            return
        # Not if it is reached through super().__del__ of a subclass, which has rows of its own.
        if type(self) is cls:
            free.append(row)

    def delete_own(self: Any) -> None:
        try:
            row = self._row
        except AttributeError:
            return
        try:
            own_delete(self)  # type: ignore[misc]
        finally:
            if type(self) is cls:
                free.append(row)

    cells = {"cls": CellType(cls), "free": CellType(free), "own_delete": CellType(own_delete)}
    return _copy(delete_own if own_delete else delete, cls, "__del__", cells)


@cache
def _getter(reading: str) -> FunctionType:
    return _written(["def get(self):", f"  return {reading}"], "view, choices", "get", _SCOPE)


@cache
def _setter(passes: str, tracked: bool, pushing: bool) -> FunctionType:
    lines = [
        "def put(self, value):",
        f"  if not ({passes.format('value')}): value = checked(value)",
        # No call in between: neither an interrupt nor another thread parts the flag from the value.
        *(["  dirty[self._row] = WRITTEN[place] = 1"] if tracked else []),
        *(["  PUSHED[0] = 1"] if pushing else []),
        "  view[self._row] = value",
    ]
    return _written(lines, "view, dirty, place, low, high, checked", "put", _SCOPE)


def _written(lines: list[str], free: str, name: str, scope: dict[str, Any]) -> FunctionType:
    """A function of written code with some free variables."""
    source = [f"def bind({free}):", *(f"  {line}" for line in lines), f"  return {name}"]
    exec(compile("\n".join(source), f"<{name} of components>", "exec"), scope)
    written: FunctionType = scope["bind"](*[None] * (free.count(",") + 1))
    return written


def _constructor(cls: type, store: ColumnStore) -> FunctionType:
    fields = store.fields
    names = [field.name for field in fields]
    scope = {"__plain": _PLAIN_REAL, "__type": type, "__class": cls, "__missing": MISSING, "__checked": store.checked}
    scope |= {"__free": store.free, "__allocate_fresh": store.allocate_fresh}
    scope |= {"__raise_unknown": raise_unknown, "__raise_missing": raise_missing}
    scope |= {f"__default{i}": field.default for i, field in enumerate(fields)}
    scope |= {f"__stored{i}": field.checked(field.default) for i, field in enumerate(fields) if _converts(field)}
    needed = [
        f"    if {field.name} is __missing: __raise_missing({store.owner!r}, {field.name!r})"
        for field in fields
        if field.default is MISSING
    ]
    views = [f"__view{i}" for i in range(len(fields))]
    # A field without a default has MISSING: unknown arguments are reported first.
    parameters = "".join(f"{name}=__default{i}, " for i, name in enumerate(names))
    lines = [
        f"def fill(self, {parameters}**__unknown):",
        f"  if __unknown: __raise_unknown({store.owner!r}, __unknown, {tuple(names)})",
        # Reached through super().__init__ of a subclass, which has rows of its own.
        "  if __type(self) is not __class:",
        *needed,
        f"    return self._fill({', '.join(f'{name}={name}' for name in names)})",
    ]
    tests, writes = [], []
    for i, field in enumerate(fields):
        # repr of a float is exact.
        passes = _passes(field, repr(field.low), repr(field.high)).format(field.name)
        is_default = f"{field.name} is __default{i}"
        tests.append(passes if field.default is MISSING else f"({is_default} or {passes})")
        stored = f"__stored{i} if {is_default} else {field.name}" if _converts(field) else field.name
        writes.append(f"  __view{i}[__row] = {stored}")
    if fields:
        commas = "".join(f"{name}, " for name in names)
        lines += [f"  if not ({' and '.join(tests)}):", *needed, f"    {commas} = __checked({commas})"]
    lines += ["  __row = self._row = __free.pop() if __free else __allocate_fresh()", *writes]
    written = _written(lines, ", ".join(views) or "_", "fill", scope)
    made = _copy(written, cls, "__init__", dict(zip(views, store.cells, strict=True)))
    made.__annotations__ = {field.name: field.annotation for field in fields} | {"return": None}
    made.__signature__ = signature_of(store)  # type: ignore[attr-defined]
    return made


def _reading(field: Field) -> str:
    """The value of a field, from the number that its column keeps."""
    stored = "view[self._row]"
    if field.choices:
        return f"choices[{stored}]"
    if field.is_optional:
        return f"{stored} or None" if field.low > 0.0 else f"number if (number := {stored}) >= 0.0 else None"
    return f"{stored} != 0" if field.annotation is bool else stored


def _passes(field: Field, low: str, high: str) -> str:
    """The test that lets plain values within the bounds through, with {0} for the value."""
    if field.annotation is bool:
        return "__type({0}) is bool"
    if not field.is_plain:
        return "False"
    # Most numbers are Python's floats, for which the comparison alone is faster than the set.
    plain = "(__type({0}) is float or __type({0}) in __plain)" if field.is_float else "__type({0}) is int"
    return f"{plain} and {low} <= {{0}} <= {high}"


def _converts(field: Field) -> bool:
    """Whether the column keeps another value than the default of a field."""
    return field.default is not MISSING and not field.is_plain and field.annotation is not bool


_CLASS_VARIABLE = re.compile(r"(\w+\.)*ClassVar\b")

_PLAIN_TEXTS = {cls.__name__: cls for cls in (float, int, bool)}

# Generated members that a class may write itself, as PolygonCollider does.
_DEFINABLE = frozenset({"__init__", "__match_args__"})


def check_bases(name: str, bases: tuple[type, ...]) -> None:
    """Raise TypeError if the class of a name would derive from a final class."""
    for base in bases:
        if base.__dict__.get("__final__"):
            raise TypeError(
                f"{base.__name__} is final, so {name} cannot be a subclass: systems find components by their exact"
                f" class. Put the data of {name} into a component of its own"
            )


class FinalBase:
    """Base of components that are plain classes: together with ``@final`` it refuses subclasses, as columns do."""

    __slots__ = ()

    def __init_subclass__(cls, **options: Any) -> None:
        check_bases(cls.__name__, cls.__bases__)
        super().__init_subclass__(**options)


@dataclass_transform(field_specifiers=(column,))
class ComponentType(type):
    """Metaclass of :class:`Component`: turns annotations into columns when a class is defined."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any) -> ComponentType:
        if not any(isinstance(base, ComponentType) for base in bases):
            return super().__new__(mcs, name, bases, namespace, **options)
        check_bases(name, bases)
        if namespace.setdefault("__slots__", ()) not in ((), []):
            raise TypeError(f"{name}: remove __slots__, because a component keeps its fields in columns")
        tracked, pushing = bool(options.pop("tracked", False)), bool(options.pop("pushing", False))
        cls = super().__new__(mcs, name, bases, namespace, **options)
        store = ColumnStore(name, _collect_fields(cls), tracked, pushing)
        cls._columns = store
        for member, value in generate_members(cls, store).items():
            if member not in _DEFINABLE or member not in namespace:
                setattr(cls, member, value)
        return cls

    _columns: ColumnStore  # set on every component class by __new__ above

    @property
    def __signature__(cls) -> Signature | None:
        """The arguments of the constructor, unless a class has one of its own."""
        members = vars(cls)
        if "_columns" not in members or members["__init__"] is not members["_fill"]:
            return None
        signature = signature_of(cls._columns)
        return signature.replace(parameters=list(signature.parameters.values())[1:])


class _RowHolder:
    """Declares the one slot outside the dataclass_transform, which would take it for a field."""

    __slots__ = ("_row",)

    _row: int


class Component(_RowHolder, metaclass=ComponentType):
    """Base of all column components. Subclass it to define your own::

        class Health(Component):
            points: float = 100.0
            team: int = 0

    ``Health(50.0, team=2)`` then behaves like a dataclass (positional and keyword arguments, defaults, ``repr``,
    ``==``, ``match``, ``copy`` and ``pickle``), but arrays of the class hold its values: ``float`` fields are float64,
    ``int`` and ``bool`` int64. :func:`~ecsphys.column` adds bounds, the dtypes uint32 and uint8, or the choices of a
    ``str``. Any other annotation raises ``TypeError`` when the class is defined. Put such data in a plain class: esper
    takes any object as a component.

    Every assignment and every argument of the constructor is checked. NaN, an infinity or a number out of bounds raises
    ValueError, and any other type raises TypeError. The old value stays.

    An instance takes a row when it is created, and frees it when it is deleted. It has no attributes except its fields.
    A subclass of a component has its own rows. esper and the systems find components by their exact class, so a query
    for the base class does not find a subclass.

    Examples
    --------
    >>> class Health(Component):
    ...     points: float = 100.0
    ...     team: int = 0
    >>> knight = esper.create_entity(Health(50.0, team=2))
    >>> _, rows = ecsphys.join(Health)
    >>> Health.column("points")[rows] += 10.0
    >>> esper.component_for_entity(knight, Health)
    Health(points=60.0, team=2)
    """

    __slots__ = ()

    _columns: ClassVar[ColumnStore]
    __match_args__: ClassVar[tuple[str, ...]]

    def __init__(self) -> None:
        raise TypeError("Component is a base class: define the fields in a subclass")

    def _fill(self, *values: Any, **named: Any) -> None:
        """Check all fields, then take a row and write them; what ``__init__`` is unless a class defines one."""
        raise NotImplementedError

    @classmethod
    def column(cls, name: str, writable: bool = True) -> NDArray[Any]:
        """The live array of a field, shape (rows,), for all instances of the class in all worlds.

        Index it with the rows from :func:`~ecsphys.join`. It is valid until the next instance of the class is created.
        It also has the rows of deleted instances; writing there has no effect. The next step checks the values that you
        write.

        While a writable array, or a view of it, is alive, each step scans all rows for changes. Use ``writable=False``
        if you only read, for example to draw.

        Parameters
        ----------
        name
            A field of the class.
        writable
            False for a read-only array.

        Raises
        ------
        ValueError
            If the class has no such field.
        TypeError
            If ``name`` is not a str, or ``writable`` is not a bool.

        Examples
        --------
        >>> entities, rows = ecsphys.join(Transform)
        >>> Transform.column("x")[rows] += 1.0
        """
        if cls is Component:
            raise TypeError("Component is a base class: only its subclasses have columns")
        if true_or_false("writable", writable):
            return cls._columns.view(name)
        return read_only(cls._columns.column(name))

    @classmethod
    def write(cls, rows: Any, **values: Any) -> None:
        """Write fields of some rows: faster than as many assignments, and a step reads only these rows again.

        Values are checked as in an assignment. If any is bad, nothing is written.

        Parameters
        ----------
        rows
            A row, or rows (n,) of whole numbers, as :func:`~ecsphys.join` and :meth:`rows_of` give them.
        values
            For each field one value, or an array of n values.

        Raises
        ------
        TypeError
            If the class has no such field, rows are not whole numbers, or a value has the wrong type.
        ValueError
            If a value is out of bounds, a row belongs to no instance, or there is not one value for each row.

        Examples
        --------
        >>> ships = ecsphys.spawn_many(3, Transform.many(x=[0.0, 1.0, 2.0]))
        >>> Transform.write(Transform.rows_of(ships), x=[5.0, 6.0, 7.0], angle=0.0)
        """
        if cls is Component:
            raise TypeError("Component is a base class: only its subclasses have rows")
        write_rows(cls, rows, values)

    @classmethod
    def rows_of(cls, entities: Any) -> NDArray[int64]:
        """The rows (n,) of the components of some entities (n,) of the current world, in their order, int64.

        Use it if you keep arrays of entities yourself. The rows are valid until components are created, added or
        removed. Raises KeyError, naming the first entity without such a component, and TypeError unless ``entities``
        are whole numbers.

        Examples
        --------
        >>> ships = ecsphys.spawn_many(2, Transform.many())
        >>> Transform.column("x")[Transform.rows_of(ships)] = [3.0, 4.0]
        """
        # Imported here: the tables of entities know components.
        from ecsphys.components.store.component_table import rows_of_entities

        return rows_of_entities(cls, entities)

    @classmethod
    def many(cls, *values: Any, **named: Any) -> Many:
        """Values for many components of the class, for :func:`~ecsphys.spawn_many`.

        Arguments are the same as for the constructor; each is one number for all entities, or an array with a number
        for each. They are checked here: TypeError and ValueError are the same as from the constructor, with the index
        in the array.

        Examples
        --------
        >>> row = ecsphys.spawn_many(3, Transform.many(x=[0.0, 1.0, 2.0]), CircleCollider.many(0.4))
        """
        if cls is Component or cls.__init__ is not cls._fill:
            raise TypeError(f"{cls.__name__} has no many(): give spawn_many a list of instances")
        return Many(cls, bind(cls, values, named))

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__qualname__}({values})"

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__match_args__)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        # By name, so that a saved game can be loaded after fields have been added.
        return _restore, (type(self), {field.name: getattr(self, field.name) for field in self._columns.fields})


class Marker(FinalBase):
    """Base of components without fields: an entity has the component, or it does not."""

    __slots__ = ()

    @classmethod
    def many(cls) -> Many:
        """Describe one component for each entity that :func:`~ecsphys.spawn_many` creates.

        Examples
        --------
        >>> walls = ecsphys.spawn_many(3, Transform.many(x=[0, 4, 8]), OBBCollider.many(1, 1), Solid.many())
        """
        return Many(cls, {})


def _restore(cls: type[Component], values: dict[str, Any]) -> Component:
    """The copy or unpickled instance, in a row of its own."""
    component = cls.__new__(cls)
    component._fill(**values)
    return component


def _collect_fields(cls: type) -> list[Field]:
    """Inherited fields first, in the order of dataclasses: a field that is declared again keeps its place."""
    fields: dict[str, Field] = {}
    for base in reversed(cls.__mro__[1:]):
        if isinstance(store := base.__dict__.get("_columns"), ColumnStore):
            fields |= {field.name: replace(field, owner=cls.__name__) for field in store.fields}
    own = inspect.get_annotations(cls)
    for name in cls.__dict__.keys() & fields.keys() - own.keys():
        raise TypeError(
            f"{cls.__name__}.{name} is a field of its base class: annotate it to change its default or bounds"
        )
    for name, annotation in own.items():
        resolved = _resolve(annotation, cls)
        if resolved is ClassVar or get_origin(resolved) is ClassVar:
            continue
        is_choice = get_origin(resolved) is Literal and all(isinstance(choice, str) for choice in get_args(resolved))
        is_bare = resolved is str and not isinstance(cls.__dict__.get(name), ColumnSpecifier)
        if is_bare or not (is_choice or resolved in ANNOTATIONS):
            raise TypeError(
                f"{cls.__name__}.{name}: the fields of a Component must be float, int, bool, float | None, or str with"
                f" choices, got {annotation!r};"
                f" put other data into a plain class: esper takes any object as a component"
            )
        if name == "self" or hasattr(Component, name):
            raise TypeError(f"{cls.__name__}.{name}: Component itself uses this name, choose another one")
        fields[name] = make_field(cls.__name__, name, resolved, cls.__dict__.get(name, MISSING))
    return list(fields.values())


def _resolve(annotation: Any, cls: type) -> Any:
    """The type of an annotation, or the annotation itself if its text cannot be evaluated."""
    if not isinstance(annotation, str):
        return annotation
    if _CLASS_VARIABLE.match(annotation):
        return ClassVar
    names = vars(sys.modules[cls.__module__])
    if annotation in _PLAIN_TEXTS and annotation not in names:
        return _PLAIN_TEXTS[annotation]  # the usual case, without a compiler
    try:
        return eval(annotation, names, dict(vars(cls)))
    except Exception:
        return annotation


Uint8Field = Literal["sensor"]
Uint32Field = Literal["layers", "mask"]
Int64Field = Literal[
    "at_edge", "camera", "can_sleep", "collide_connected", "dominance", "entity", "entity_a", "entity_b", "group",
    "has_limits", "kind", "lock_rotation", "lock_x", "lock_y", "number", "owner", "row_count", "segments", "splash",
    "steering", "stop", "style", "target",
]  # fmt: skip
Float64Field = Literal[
    "amplitude", "angle", "angular_damping_ratio", "angular_frequency", "axis_x", "axis_y", "break_force",
    "break_torque", "damping_ratio", "dead_zone_x", "dead_zone_y", "density", "direction", "drag", "due", "elapsed",
    "far_width", "frequency", "friction", "gravity_scale", "half_height", "half_width", "height", "inertia",
    "length", "lifetime", "lifetime_spread", "linear_damping_ratio", "linear_frequency", "lower", "margin", "mass",
    "max_force", "max_length", "max_torque", "max_x", "max_y", "min_length", "min_x", "min_y", "motor_speed",
    "near_width", "offset_x", "offset_y", "period", "radius", "rate", "ratio", "rest", "restitution",
    "rolling_resistance", "row_height", "screen_x", "screen_y", "segment_length", "speed", "speed_x", "speed_y",
    "spread", "tangent_speed", "target_x", "target_y", "turn_limit", "upper", "view_height", "view_width", "vx",
    "vx_spread", "vy", "vy_spread", "wavelength", "width", "world_height", "world_width", "world_x", "world_y", "x",
    "x_a", "x_b", "y", "y_a", "y_b",
]  # fmt: skip

if TYPE_CHECKING:

    class FloatComponent(Component):
        """A component whose fields are all float."""

        @classmethod
        def column(cls, name: str, writable: bool = True) -> NDArray[float64]:
            raise NotImplementedError

    class MixedComponent(Component):
        """A component with fields of several types."""

        @overload
        @classmethod
        def column(cls, name: Uint8Field, writable: bool = True) -> NDArray[uint8]: ...
        @overload
        @classmethod
        def column(cls, name: Uint32Field, writable: bool = True) -> NDArray[uint32]: ...
        @overload
        @classmethod
        def column(cls, name: Int64Field, writable: bool = True) -> NDArray[int64]: ...
        @overload
        @classmethod
        def column(cls, name: Float64Field, writable: bool = True) -> NDArray[float64]: ...
        @overload
        @classmethod
        def column(cls, name: str, writable: bool = True) -> NDArray[Any]: ...
        @classmethod
        def column(cls, name: str, writable: bool = True) -> NDArray[Any]:
            raise NotImplementedError

else:
    FloatComponent = MixedComponent = Component
