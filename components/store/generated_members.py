"""The code of a component class: constructor, finaliser and properties, written and run once a class.

For ``class Pulse(Component): radius: float = column(above=0.0); count: int = 1`` it is, shortened::

    def _fill(self, radius=__missing, count=1, **__unknown):
        if __unknown: __refuse_unknown("Pulse", __unknown, ("radius", "count"))
        if not (type(radius) in __plain and 5e-324 <= radius <= 1.797e308 and (count is __default1 or ...)):
            if radius is __missing: __refuse_missing("Pulse", "radius")
            radius, count = __store.checked(radius, count)
        __row = self._row = __free.pop() if __free else __allocate_fresh()
        __view0[__row] = radius
        __view1[__row] = count

``__view0`` and ``__view1`` are memoryviews of the columns. They are cell variables, shared by all functions of the
class: reading one costs nothing, and ``replace`` puts others in their place when the blocks grow, with ``__dirty``. The
setters of a tracked class set that, and the class's byte of ``__written``. No field can be called like them: Python
turns ``__name`` in a class body into ``_Class__name``.

A value that is the very object of the default is valid: that test takes a tenth of the time of the others.

No statement that writes into a view calls anything once it has loaded the view, and ``replace`` calls nothing at all:
that is what keeps threads apart, see :mod:`~ecsphys.components.store.standing_blocks`.
"""

from __future__ import annotations

from inspect import Parameter, Signature
from types import FunctionType
from typing import Any

from numpy import float64

from ecsphys.components.argument_names import refuse_missing, refuse_unknown
from ecsphys.components.store.change_log import PUSHED, WRITTEN
from ecsphys.components.store.column import MISSING, Field
from ecsphys.components.store.column_store import ColumnStore
from ecsphys.components.store.standing_blocks import HOLDERS, REPLACEMENTS

# A memoryview takes values of these types as they are; every other number is converted first.
_PLAIN_REAL = frozenset({float, int, float64})


def generate_members(cls: type, store: ColumnStore) -> dict[str, Any]:
    """``_fill``, ``__init__`` (the same), ``__del__``, ``__match_args__``, and a property for each field, by name.

    A ``__del__`` that the class defines is called by the generated one, which then frees the row.
    """
    scope: dict[str, Any] = {}
    own_delete = vars(cls).get("__del__")
    source = _source(store, own_delete is not None)
    exec(compile(source, f"<members of {cls.__module__}.{cls.__qualname__}>", "exec"), scope)
    refusals = MISSING, refuse_unknown, refuse_missing
    bound = cls, store, store.fields, _PLAIN_REAL, own_delete, HOLDERS, WRITTEN, PUSHED, REPLACEMENTS, *refusals
    replace, fill, delete, accessors = scope["_bind"](*bound)
    store.replace_with(replace)
    names = tuple(field.name for field in store.fields)
    members: dict[str, Any] = {"_fill": fill, "__init__": fill, "__del__": delete, "__match_args__": names}
    for field, (getter, setter) in zip(store.fields, accessors, strict=True):
        kept = field.dtype if field.is_plain else getattr(field.annotation, "__name__", str(field.annotation))
        members[field.name] = property(getter, setter, None, f"{kept}, {field.requirement}.")
        _name(getter, cls, field.name)
        _name(setter, cls, field.name)
    fill.__annotations__ = {field.name: field.annotation for field in store.fields} | {"return": None}
    fill.__signature__ = _signature(store)
    _name(fill, cls, "__init__")
    _name(delete, cls, "__del__")
    return members


def _name(function: FunctionType, cls: type, name: str) -> None:
    function.__name__ = name
    function.__qualname__ = f"{cls.__qualname__}.{name}"
    function.__module__ = cls.__module__


def _signature(store: ColumnStore) -> Signature:
    """The signature as a game sees it, without the machinery for missing and unknown arguments."""
    kind = Parameter.POSITIONAL_OR_KEYWORD
    parameters = [Parameter("self", kind)]
    for field in store.fields:
        default = Parameter.empty if field.default is MISSING else field.default
        parameters.append(Parameter(field.name, kind, default=default, annotation=field.annotation))
    return Signature(parameters, return_annotation=None)


def _source(store: ColumnStore, has_own_delete: bool) -> str:
    fields = store.fields
    views = [f"__view{i}" for i in range(len(fields))]
    memories = ["__dirty", *views]
    lines = [
        "def _bind(__class, __store, __fields, __plain, __own_delete, __holders, __written, __pushed, __replacements,"
        " __missing, __refuse_unknown, __refuse_missing, __type=type):",
        f"  {_commas(memories)} = __store.dirty, *__store.memories()",
        "  __free, __allocate_fresh = __store._free, __store.allocate_fresh",
        *(f"  __default{i} = __fields[{i}].default" for i in range(len(fields))),
        *(f"  __stored{i} = __fields[{i}].checked(__default{i})" for i, field in enumerate(fields) if _converts(field)),
        "  def replace(__own_holds, __used, __rows, __capacity, __blocks, "
        f"{_commas('__new' + memory for memory in memories)}):",
        f"    nonlocal {', '.join(memories)}",
        "    if __holders != __own_holds: return False",
        "    if __store.capacity != __used: return True",
        *(f"    __new{memory}[__rows] = {memory}" for memory in memories),
        *(f"    {memory} = __new{memory}" for memory in memories),
        "    __store.dirty = __dirty",
        "    __store.float64, __store.int64, __store.uint32, __store.uint8 = __blocks",
        "    __store.capacity = __capacity",
        "    __replacements.made += 1",
        "    return True",
        f"  def fill(self, {_parameters(store)}**__unknown):",
        f"    if __unknown: __refuse_unknown({store.owner!r}, __unknown, {tuple(field.name for field in fields)})",
        # Reached through super().__init__ of a subclass, which has rows of its own.
        "    if __type(self) is not __class:",
        *_refusals(store),
        f"      return self._fill({_commas(f'{f.name}={f.name}' for f in fields)})",
    ]
    if fields:
        names = _commas(field.name for field in fields)
        lines += [
            f"    if not ({' and '.join(_is_valid(i, field) for i, field in enumerate(fields))}):",
            *_refusals(store),
            f"      {names} = __store.checked({names})",
        ]
    lines += [
        "    __row = self._row = __free.pop() if __free else __allocate_fresh()",
        *(
            f"    {view}[__row] = {_stored(i, field)}"
            for i, (view, field) in enumerate(zip(views, fields, strict=True))
        ),
        "  def delete(self):",
        "    try: __row = self._row",
        "    except AttributeError: return",  # no row was taken: the arguments were bad
    ]
    # As above: super().__del__() of a subclass must not free a row of its parent.
    release = "if __type(self) is __class: __free.append(__row)"
    if has_own_delete:
        lines += ["    try: __own_delete(self)", "    finally:", f"      {release}"]
    else:
        lines.append(f"    {release}")
    for i, (view, field) in enumerate(zip(views, fields, strict=True)):
        lines += [
            f"  def get{i}(self): return {_read(field, i, f'{view}[self._row]')}",
            f"  def set{i}(self, value):",
            f"    if not ({_passes(field, 'value')}): value = __fields[{i}].checked(value)",
            # No call in between: neither an interrupt nor another thread parts the flag from the value.
            *([f"    __dirty[self._row] = __written[{store.place}] = 1"] if store.tracked else []),
            *(["    __pushed[0] = 1"] if store.pushing else []),
            f"    {view}[self._row] = value",
        ]
    accessors = _commas(f"(get{i}, set{i})" for i in range(len(fields)))
    lines.append(f"  return replace, fill, delete, ({accessors})")
    return "\n".join(lines)


def _parameters(store: ColumnStore) -> str:
    for i, field in enumerate(store.fields):
        if field.default is MISSING and any(earlier.default is not MISSING for earlier in store.fields[:i]):
            raise TypeError(f"{store.owner}.{field.name} needs a default, because it follows a field with a default")
    # A field without a default has MISSING: unknown arguments are reported first.
    return _commas(f"{field.name}=__default{i}" for i, field in enumerate(store.fields))


def _refusals(store: ColumnStore) -> list[str]:
    """The lines that refuse missing arguments."""
    needed = [field.name for field in store.fields if field.default is MISSING]
    return [f"      if {name} is __missing: __refuse_missing({store.owner!r}, {name!r})" for name in needed]


def _read(field: Field, i: int, stored: str) -> str:
    """The value of field i, from what its column keeps."""
    if field.choices:
        return f"__fields[{i}].choices[{stored}]"
    if field.is_optional:
        return f"{stored} or None" if field.low > 0.0 else f"__number if (__number := {stored}) >= 0.0 else None"
    return f"{stored} != 0" if field.annotation is bool else stored


def _is_valid(i: int, field: Field) -> str:
    """The test that lets the default of field i through, and other plain values."""
    passes = _passes(field, field.name)
    return passes if field.default is MISSING else f"({field.name} is __default{i} or {passes})"


def _converts(field: Field) -> bool:
    """Whether the column keeps another value than the default of a field."""
    return field.default is not MISSING and not field.is_plain and field.annotation is not bool


def _stored(i: int, field: Field) -> str:
    """The expression for the number that the column keeps for a valid argument: the default, or the converted value."""
    return f"__stored{i} if {field.name} is __default{i} else {field.name}" if _converts(field) else field.name


def _passes(field: Field, name: str) -> str:
    """The test that lets plain values within the bounds through; repr of a float is exact."""
    if field.annotation is bool:
        return f"__type({name}) is bool"
    if not field.is_plain:
        return "False"
    # Most numbers are Python's floats, for which the comparison alone is faster than the set.
    of_float = f"(__type({name}) is float or __type({name}) in __plain)"
    plain = of_float if field.is_float else f"__type({name}) is int"
    return f"{plain} and {field.low!r} <= {name} <= {field.high!r}"


def _commas(parts: Any) -> str:
    return "".join(f"{part}, " for part in parts)
