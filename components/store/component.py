"""``Component``: looks like a small dataclass, is a view on one row of its class's arrays."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, dataclass_transform, get_origin

from numpy import int64
from numpy.typing import NDArray

from ecsphys.components.store.column import ANNOTATIONS, MISSING, ColumnSpecifier, Field, column, make_field
from ecsphys.components.store.column_store import ColumnStore
from ecsphys.components.store.final import refuse_final_bases
from ecsphys.components.store.generated_members import generate_members
from ecsphys.components.store.many import Many, bind
from ecsphys.components.store.read_only import read_only

_CLASS_VARIABLE = re.compile(r"(\w+\.)*ClassVar\b")

# Generated members that a class may write itself, as PolygonCollider does.
_DEFINABLE = frozenset({"__init__", "__match_args__"})


@dataclass_transform(field_specifiers=(column,))
class ComponentType(type):
    """Metaclass of :class:`Component`: turns annotations into columns when a class is defined."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any) -> ComponentType:
        if not any(isinstance(base, ComponentType) for base in bases):
            return super().__new__(mcs, name, bases, namespace, **options)
        refuse_final_bases(name, bases)
        if namespace.setdefault("__slots__", ()) not in ((), []):
            raise TypeError(f"{name}: a component keeps its fields in columns and cannot have __slots__ of its own")
        tracked = bool(options.pop("tracked", False))
        cls = super().__new__(mcs, name, bases, namespace, **options)
        store = ColumnStore(name, _collect_fields(cls), tracked)
        cls._columns = store
        for member, value in generate_members(cls, store).items():
            if member not in _DEFINABLE or member not in namespace:
                setattr(cls, member, value)
        return cls

    _columns: ColumnStore  # set on every component class by __new__ above


class _RowHolder:
    """Declares the one slot outside the dataclass_transform, which would take it for a field."""

    __slots__ = ("_row",)

    _row: int


class Component(_RowHolder, metaclass=ComponentType):
    """Base of all column components; a game defines its own by subclassing::

        class Health(Component):
            points: float = 100.0
            team: int = 0

    ``Health(50.0, team=2)`` then behaves like a dataclass (positional and keyword arguments, defaults, ``repr``,
    ``==``, ``match``, ``copy`` and ``pickle``), but its values are kept in the arrays of the class: ``float`` fields in
    float64, ``int`` and ``bool`` in int64, and ``column(...)`` adds bounds, the dtype uint32, or the choices of a
    ``str``, which are kept by number. Any other annotation raises ``TypeError`` when the class is defined: such data
    belongs in a plain class, which esper takes just as well.

    Values are checked at construction and at every assignment: NaN, an infinity or a number out of bounds raises
    ``ValueError``, what is no number ``TypeError``, and the old value stays.

    An instance takes a row when it is created and gives it back when it dies; the row is then used again. It has no
    attributes besides its fields. A subclass of a component has rows of its own, for its own and the inherited
    fields; esper and the systems tell classes apart exactly, so it is not found as its parent.
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
        """The live, writable array of a field, shape (rows,), for all instances of the class in all worlds.

        Index it with rows from :func:`~ecsphys.components.store.join.join`. It is valid until the next instance of the
        class is created. Rows of dead instances are in it too; what is written there has no effect. Nothing checks
        what is written, until the next step of the systems that use the class. ``ValueError`` for an unknown name,
        ``TypeError`` for what is no name.

        As long as there is a writable array, or a view of it, each step has to look through all rows for what was
        written. To read only, to draw say, ask for ``writable=False``.
        """
        if cls is Component:
            raise TypeError("Component is a base class: only its subclasses have columns")
        if writable:
            return cls._columns.view(name)
        return read_only(cls._columns.column(name))

    @classmethod
    def rows_of(cls, entities: Any) -> NDArray[int64]:
        """The rows (n,) of the components of some entities (n,) of the current world, in their order, int64.

        For a game that keeps arrays of its own: ``Transform.column("x")[Transform.rows_of(ships)] = ship_x``. They hold
        until components are created, added or removed. KeyError naming the first entity without such a component;
        TypeError for what are no entities.
        """
        # Imported here: the tables of entities know components.
        from ecsphys.components.store.join import rows_of_entities

        return rows_of_entities(cls, entities)

    @classmethod
    def many(cls, *values: Any, **named: Any) -> Many:
        """Values for many components of the class, to be created by :func:`~ecsphys.components.store.spawn.spawn_many`.

        The arguments are those of the constructor; each may be one number, or an array with one for each entity. They
        are checked here: TypeError and ValueError as the constructor raises them, with the place in the array.
        """
        if cls is Component or cls.__init__ is not cls._fill:
            raise TypeError(f"{cls.__name__} cannot be made in bulk: give a list of instances")
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
        raise TypeError(f"{cls.__name__}.{name} is a field of a parent: annotate it to change its default or bounds")
    for name, annotation in own.items():
        resolved = _resolve(annotation, cls)
        if resolved is ClassVar or get_origin(resolved) is ClassVar:
            continue
        if resolved not in ANNOTATIONS or (resolved is str and not isinstance(cls.__dict__.get(name), ColumnSpecifier)):
            raise TypeError(
                f"{cls.__name__}.{name}: a column component holds only fields of float, int, bool, float | None, and"
                f" str with choices, not {annotation!r};"
                f" keep such data in a plain class, which esper takes as a component just as well"
            )
        if name == "self" or hasattr(Component, name):
            raise TypeError(f"{cls.__name__}.{name}: this name is taken by Component itself")
        fields[name] = make_field(cls.__name__, name, resolved, cls.__dict__.get(name, MISSING))
    return list(fields.values())


def _resolve(annotation: Any, cls: type) -> Any:
    """What an annotation stands for; itself where its text cannot be evaluated."""
    if not isinstance(annotation, str):
        return annotation
    if _CLASS_VARIABLE.match(annotation):
        return ClassVar
    try:
        return eval(annotation, vars(sys.modules[cls.__module__]), dict(vars(cls)))
    except Exception:
        return annotation
