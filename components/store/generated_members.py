"""The members of a component class: constructor, finaliser, and a property for each field.

The memoryviews of the columns are in *cells* (:attr:`ColumnStore.cells`), which all functions of the class share as
their closures: reading a cell costs nothing, and a block that grows puts another view there. A property has copies of
the functions below for its kind of field: a copy has inline caches of its own, so it is as fast as code for one class.

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

from collections.abc import Callable
from functools import cache
from inspect import Parameter, Signature
from types import CellType, FunctionType
from typing import Any

from numpy import float64

from ecsphys.components.other_names import raise_missing, raise_unknown
from ecsphys.components.store.change_log import PUSHED, WRITTEN
from ecsphys.components.store.column import MISSING, Field
from ecsphys.components.store.column_store import ColumnStore

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
    if fields:
        tests = (_is_valid(i, field) for i, field in enumerate(fields))
        commas = "".join(f"{name}, " for name in names)
        lines += [f"  if not ({' and '.join(tests)}):", *needed, f"    {commas} = __checked({commas})"]
    lines.append("  __row = self._row = __free.pop() if __free else __allocate_fresh()")
    lines += [
        f"  {view}[__row] = {_stored(i, field)}" for i, (view, field) in enumerate(zip(views, fields, strict=True))
    ]
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


def _is_valid(i: int, field: Field) -> str:
    """The test that lets the default of field i through, and other plain values; repr of a float is exact."""
    passes = _passes(field, repr(field.low), repr(field.high)).format(field.name)
    return passes if field.default is MISSING else f"({field.name} is __default{i} or {passes})"


def _converts(field: Field) -> bool:
    """Whether the column keeps another value than the default of a field."""
    return field.default is not MISSING and not field.is_plain and field.annotation is not bool


def _stored(i: int, field: Field) -> str:
    """The expression for the number that the column keeps for a valid argument: the default, or the converted value."""
    return f"__stored{i} if {field.name} is __default{i} else {field.name}" if _converts(field) else field.name
