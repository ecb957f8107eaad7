"""A snapshot as bytes, and back in any world.

It is written as plain values and arrays, without rows, slots and instances. Entities keep their numbers, so that
everything that names an entity still does. Loading makes everything first, on no entity: after any error, the world has
not changed.

The bytes are versioned, checked, and little-endian on every machine, without pickle: a mark, the number of the format,
the length of a head, the head in JSON, the arrays one after the other, and a checksum of all that.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from struct import Struct
from typing import TYPE_CHECKING, Any, Final

import esper
import numpy as np
from numpy import bool_, float64, int32, int64
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import SHAPE_CLASSES
from ecsphys.components.collision.collision_filter import Disabled
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.collision.polygon_collider import ChainCollider, PolygonCollider
from ecsphys.components.dynamics.rigid_body import Solid
from ecsphys.components.motion.transform import PathTrajectory, Transform
from ecsphys.components.other_names import name_in_files as name_of
from ecsphys.components.store.column import MISSING, show
from ecsphys.components.store.component import Component
from ecsphys.components.store.component_table import NO_ROWS, ComponentRows
from ecsphys.components.store.standing_blocks import blocks_stay
from ecsphys.engine.shapes.segment import SEGMENT_VERTICES
from ecsphys.systems.dynamics.joints.joint_table import JointBreak
from ecsphys.systems.snapshot.kept_components import POOLED, POOLS, ClassValues, Structure
from ecsphys.systems.snapshot.kept_state import KeptState, check_array, check_entries, check_numbers
from ecsphys.systems.stage import Stage
from ecsphys.systems.world.esper_world import database_token

if TYPE_CHECKING:
    from ecsphys.systems.physics import Physics
    from ecsphys.systems.snapshot.snapshot import Snapshot

Tree = dict[str, Any]

MARK: Final = b"ecsphys\0"
FORMAT: Final = 6
# The versions that read other formats.
_READERS: Final = dict.fromkeys((1, 2, 3, 4, 5), "ecsphys 0.1.0 of November 2026 reads it")

_HEAD: Final = Struct("<8sIQ")
_CHECKSUM: Final = 16
_DTYPES: Final = frozenset({"<f8", "<i8", "<i4", "<u4", "|u1", "|b1", "<u8"})

_CONTENT: Final[dict[str, tuple[type, ...]]] = {
    "next_entity": (int,),
    **dict.fromkeys(("dead", "bare", "classes", "objects", "systems", "breaks"), (list,)),
    "physics": (dict,),
}
_OF_CLASS: Final[dict[str, tuple[type, ...]]] = {
    "name": (str,),
    "entities": (np.ndarray,),
    "fields": (dict,),
    "runs": (tuple, type(None)),
}
_MARKERS: Final[tuple[type[Any], ...]] = (Disabled, Solid)
_FIXED_STEP: Final = "fixed step"
_OF_FIXED_STEP: Final = (Fraction, int, int, int, float)
# Seconds that wait for a step: far more than any frame has.
_MOST_REMAINDER: Final = 10**9
_MALFORMED: Final = (KeyError, TypeError, IndexError, AttributeError, ArithmeticError)


def encode(value: Any) -> bytes:
    """A value of None, bools, numbers, str, lists, tuples, dicts, fractions and arrays of these as bytes.

    Raises TypeError, naming the value, for other types.
    """
    arrays: list[NDArray[Any]] = []
    tree = _to_json(value, arrays)
    shapes = [(array.dtype.str, list(array.shape)) for array in arrays]
    head = json.dumps({"value": tree, "arrays": shapes}, separators=(",", ":")).encode()
    content = b"".join([_HEAD.pack(MARK, FORMAT, len(head)), head, *(array.tobytes() for array in arrays)])
    return content + hashlib.blake2b(content, digest_size=_CHECKSUM).digest()


def decode(data: Any) -> Any:
    """The value from bytes of :func:`encode`.

    Raises TypeError unless ``data`` are bytes, and ValueError if they are not a snapshot, have another format, or are
    truncated or damaged.
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise TypeError(f"data must be the bytes of a snapshot, got {type(data).__name__}")
    data = bytes(data)
    if not data.startswith(MARK):
        raise ValueError("data must be the bytes of an ecsphys snapshot")
    if len(data) < _HEAD.size + _CHECKSUM:
        raise ValueError(f"the snapshot is truncated: it has only {len(data)} bytes")
    _, number, head_length = _HEAD.unpack_from(data)
    if number != FORMAT:
        reader = _READERS.get(number, "use the version that saved it")
        raise ValueError(f"the snapshot has the format {number}; this version reads format {FORMAT}: {reader}")
    content = data[:-_CHECKSUM]
    if hashlib.blake2b(content, digest_size=_CHECKSUM).digest() != data[-_CHECKSUM:]:
        raise ValueError("the snapshot is damaged or truncated: its checksum does not match")
    try:
        place = _HEAD.size + head_length
        head = json.loads(content[_HEAD.size : place])
        arrays: list[NDArray[Any]] = []
        for dtype, shape in head["arrays"]:
            if dtype not in _DTYPES or not all(type(length) is int and length >= 0 for length in shape):
                raise ValueError(f"an array has the type {dtype!r} and the shape {shape}")
            array = np.frombuffer(content, dtype, math.prod(shape), place).reshape(shape)
            place += array.nbytes
            arrays.append(array.astype(array.dtype.newbyteorder("=")))
        if place != len(content):
            raise ValueError("there are bytes after its end")
        return _from_json(head["value"], arrays)
    except (ValueError, KeyError, TypeError, IndexError, ArithmeticError, RecursionError) as error:
        raise ValueError(f"the snapshot is malformed: {error}") from None


def _to_json(value: Any, arrays: list[NDArray[Any]]) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.ndarray):
        arrays.append(np.ascontiguousarray(value.astype(value.dtype.newbyteorder("<"))))
        if arrays[-1].dtype.str not in _DTYPES:
            raise TypeError(f"a snapshot cannot be written with an array of {value.dtype}")
        return {"array": len(arrays) - 1}
    if isinstance(value, list):
        return [_to_json(one, arrays) for one in value]
    if isinstance(value, tuple):
        return {"tuple": [_to_json(one, arrays) for one in value]}
    if isinstance(value, dict):
        return {"dict": [[_to_json(key, arrays), _to_json(one, arrays)] for key, one in value.items()]}
    if isinstance(value, Fraction):
        return {"fraction": [value.numerator, value.denominator]}
    raise TypeError(f"a snapshot cannot be written with {value!r:.80}: only plain values and arrays can")


def _from_json(tree: Any, arrays: list[NDArray[Any]]) -> Any:
    if isinstance(tree, list):
        return [_from_json(one, arrays) for one in tree]
    if not isinstance(tree, dict):
        return tree
    ((kind, content),) = tree.items()
    if kind == "array":
        return arrays[content]
    if kind == "fraction":
        numerator, denominator = content
        if type(numerator) is not int or type(denominator) is not int:
            raise ValueError(f"a number is written as {content!r:.80}")
        return Fraction(numerator, denominator)
    if kind == "tuple":
        return tuple(_from_json(one, arrays) for one in content)
    if kind == "dict":
        return {_from_json(key, arrays): _from_json(one, arrays) for key, one in content}
    raise ValueError(f"a value has the unknown kind {kind!r}")


def to_tree(snapshot: Snapshot) -> Tree:
    """The plain values from which :func:`fill` makes a snapshot."""
    of_class = snapshot._structure.of_class
    # Parts are numbered by their places among the values of their class.
    place_of = [
        {} if values is None else {row: place for place, row in enumerate(values.rows[_saved(values)].tolist())}
        for values in map(snapshot._values.get, SHAPE_CLASSES)
    ]
    content_of: dict[type[Any], Callable[[Any], Any]] = {
        **dict.fromkeys(_MARKERS, lambda marker: None),
        ChainCollider: lambda chain: chain.__reduce__()[1],
        CompoundCollider: lambda compound: [(kind, place_of[kind][row]) for kind, row in compound._lines.tolist()],
    }
    objects: dict[type[Any], list[Any]] = {
        cls: list(map(content, of_class[cls].instances)) for cls, content in content_of.items() if cls in of_class
    }
    for instance, _, value in snapshot._plain:
        if not isinstance(instance, esper.Processor):
            objects.setdefault(type(instance), []).append(value)
    return {
        "next_entity": snapshot._next_entity,
        "dead": sorted(snapshot._dead),
        "bare": sorted(snapshot._structure.bare),
        "classes": [
            {"name": name_of(cls), "entities": of_class.get(cls, NO_ROWS).entity, **_values_tree(cls, values)}
            for cls, values in snapshot._values.items()
        ],
        "objects": [(name_of(cls), of_class[cls].entity, values) for cls, values in objects.items()],
        "physics": snapshot._kept.to_tree(),
        "systems": [
            (name, number, state if isinstance(system, Stage) else (*state[:-1], _poses_tree(snapshot, state[-1])))
            for (name, number), (system, state) in _numbered(snapshot._systems)
        ],
        "breaks": [
            (one.entity, name_of(type(one.joint)), one.joint.__reduce__()[1][1], *one[2:])
            for one in snapshot._kept.breaks
        ],
    }


def _saved(values: ClassValues) -> NDArray[bool_]:
    """Which of the values of a class are saved: the segments of chains are made together with the chains."""
    runs, is_polygon = values.runs, values.runs is not None and values.runs.cls is PolygonCollider
    return runs.counts != SEGMENT_VERTICES if runs is not None and is_polygon else np.ones(values.rows.size, bool_)


def _values_tree(cls: type[Component], values: ClassValues) -> Tree:
    store, saved, runs = cls._columns, _saved(values), values.runs
    names = map(store.names_in, ("float64", "int64", "uint32", "uint8"))
    blocks = zip(filter(None, names), values.blocks, strict=True)
    return {
        "fields": {
            name: column[saved]
            for fields, block in blocks
            for name, column in zip(fields, values.ordered(block), strict=True)
            if name not in POOLED
        },
        # The other columns of the pool follow from the points.
        "runs": None if runs is None else (runs.counts[saved], runs.contents[np.repeat(saved, runs.lengths), :2]),
    }


def _numbered(systems: list[tuple[Any, Any]]) -> Iterator[tuple[tuple[str, int], tuple[Any, Any]]]:
    """Systems with what belongs to them, by name, and by number among systems of the same class."""
    seen: dict[str, int] = {}
    for system, state in systems:
        name = name_of(type(system)) if isinstance(system, Stage) else _FIXED_STEP
        seen[name] = seen.get(name, -1) + 1
        yield (name, seen[name]), (system, state)


def _poses_tree(snapshot: Snapshot, poses: Any) -> Any:
    """The poses between which is drawn, in the order of the entities. New entities have none yet."""
    rows = snapshot._structure.of_class.get(Transform, NO_ROWS).row
    if poses is None or not poses[-1].size:
        return None
    _, before, after, moves = poses
    found = [array.take(rows, axis=-1, mode="clip") for array in (before, after, moves)]
    return *found[:2], found[2] & (rows < moves.size)


def fill(snapshot: Snapshot, tree: Tree, physics: Physics) -> None:
    """Give a snapshot that was read to a physics.

    Raises ValueError, naming class, field or value, for an impossible world. The current world has not changed then.
    """
    try:
        _fill(snapshot, tree, physics)
    except _MALFORMED as error:
        raise ValueError(f"the snapshot is malformed: {error!r}") from error
    except ValueError as error:
        text = str(error)
        raise ValueError(text if text.startswith("the snapshot") else f"the snapshot: {text}") from error


def _fill(snapshot: Snapshot, tree: Tree, physics: Physics) -> None:
    check_entries("content", tree, _CONTENT)
    next_entity = tree["next_entity"]
    if not 1 <= next_entity < 2**62:
        raise ValueError(f"the snapshot's next_entity is {next_entity}")
    for name in ("dead", "bare"):
        for entity in tree[name]:
            if type(entity) is not int or not 1 <= entity < next_entity:
                raise ValueError(f"the snapshot's {name} has the entity {show(entity)}")
    kept = KeptState.of_tree(tree["physics"], next_entity)
    loaded = _Loaded(next_entity)
    for entry in tree["classes"]:
        loaded.take_class(entry)
    for name, entities, values in tree["objects"]:
        loaded.take_objects(name, entities, values, physics)
    loaded.keep_instances()
    kept.breaks = [loaded.joint_break(saved) for saved in tree["breaks"]]
    placed = loaded.of_class.get(Transform, NO_ROWS)
    states = {(name, number): state for name, number, state in tree["systems"]}
    here = [(system, None) for system in (*physics._stages(), physics.fixed_step) if system is not None]
    snapshot._systems = [
        (system, states[key] if isinstance(system, Stage) else _checked_fixed_step(states[key], placed))
        for key, (system, _) in _numbered(here)
        if key in states
    ]
    snapshot._kept, snapshot._values = kept, loaded.values
    snapshot._structure = Structure(loaded.of_class, frozenset(tree["bare"]))
    snapshot._plain = [
        (instance, physics._hooks[type(instance)][1], value) for instance, value in loaded.values_of_plain
    ]
    snapshot._dead, snapshot._next_entity = frozenset(tree["dead"]), next_entity
    snapshot._token = database_token()
    snapshot._physics, snapshot._tree, snapshot._is_unproven = physics, None, True


def _checked_fixed_step(state: Any, placed: ComponentRows) -> Any:
    """The state of a fixed step, with poses by the rows that entities have now."""
    if type(state) is not tuple or tuple(map(type, state[:-1])) != _OF_FIXED_STEP:
        raise ValueError(f"the snapshot's fixed step is {show(state)}")
    # The remainder may be a rounding error below 0.
    if min(state[1:5]) < 0 or not state[4] < math.inf or not abs(state[0]) < _MOST_REMAINDER:
        raise ValueError(f"the snapshot's fixed step has an impossible number: {show(state)}")
    if state[-1] is None:
        return state
    before, after, moves = state[-1]
    check_array("poses before", before, float64, 3, len(placed))
    check_array("poses after", after, float64, 3, len(placed))
    check_array("moving poses", moves, bool_, len(placed))
    count = int(placed.row.max(initial=-1)) + 1
    by_row = np.zeros((3, count)), np.zeros((3, count)), np.zeros(count, bool_)
    for array, poses in zip(by_row, (before, after, moves), strict=True):
        array[..., placed.row] = poses
    return *state[:-1], (placed, *by_row)


class _Loaded:
    """New components with the values of a saved world, attached to nothing yet."""

    def __init__(self, next_entity: int) -> None:
        self._next_entity = next_entity
        self._known = {name_of(cls): cls for cls in _subclasses(Component)}
        self._made: dict[type[Component], list[Component]] = {}
        # The entities of each class, and an instance for each.
        self._attached: dict[type[Any], tuple[NDArray[int64], list[Any]]] = {}
        self.of_class: dict[type[Any], ComponentRows] = {}
        self.values: dict[type[Component], ClassValues] = {}
        self.values_of_plain: list[tuple[Any, Any]] = []

    def take_class(self, entry: Any) -> None:
        """Make the components of a column class. The parts of compounds come after the components of entities."""
        check_entries("class", entry, _OF_CLASS)
        cls = self._class_named(entry["name"])
        if cls in self._made:
            raise ValueError(f"the snapshot has the class {entry['name']} twice")
        entities = self._checked_entities(cls, entry["entities"])
        count = len(entities)
        made = self._made[cls] = _make(cls, entry["fields"], entry["runs"], count)
        if len(made) < count or (len(made) > count and cls not in SHAPE_CLASSES):
            raise ValueError(f"the snapshot has {len(made)} {cls.__name__} for {count} entities")
        if count:
            self._attached[cls] = entities, made[:count]

    def take_objects(self, name: str, entities: Any, values: Any, physics: Physics) -> None:
        """Make the components of another class: compounds, chains, markers, and plain classes of the game."""
        own = {name_of(cls): cls for cls in (CompoundCollider, ChainCollider, *_MARKERS)}
        hooks = {name_of(cls): cls for cls in physics._hooks}
        if name not in own and name not in hooks:
            raise ValueError(f"the snapshot has data of {name}: call add_to_snapshots({name}, …) first")
        cls = own.get(name) or hooks[name]
        entities = self._checked_entities(cls, entities)
        if cls in self._attached or type(values) is not list or len(values) != len(entities):
            raise ValueError(f"the snapshot does not have one value for each {cls.__name__}")
        instances: list[Any]
        if cls is CompoundCollider:
            if len({part for parts in values for part in parts}) != sum(map(len, values)):
                raise ValueError("the snapshot has a part that is in two compounds")
            instances = [CompoundCollider([self._part(*part) for part in parts]) for parts in values]
        elif cls is ChainCollider:
            instances = [ChainCollider.from_lines(*arguments) for arguments in values]
        elif name in hooks:
            instances = [object.__new__(cls) for _ in entities]
            self.values_of_plain += zip(instances, values, strict=True)
        else:
            instances = [cls() for _ in entities]
        self._attached[cls] = entities, instances

    def keep_instances(self) -> None:
        """Take the values, and use the components that the world has, if entity and class are the same: references to
        them stay valid. Nothing is written to them yet."""
        instead: dict[int, Any] = {}
        for cls, (entities, instances) in self._attached.items():
            there = dict(esper.get_component(cls))
            for entity, made in zip(entities.tolist(), instances, strict=True):
                known: Any = there.get(entity)
                if type(known) is type(made) and _form_of(known) == _form_of(made):
                    instead[id(made)] = known
                    if isinstance(made, CompoundCollider | ChainCollider):
                        instead.update(zip(map(id, made._parts), known._parts, strict=True))
                if isinstance(made, ChainCollider):
                    self._made.setdefault(PolygonCollider, []).extend(made._parts)
        self.values_of_plain = [(instead.get(id(made), made), value) for made, value in self.values_of_plain]
        for column_class, components in self._made.items():
            used = [instead.get(id(made), made) for made in components]
            taken = ClassValues.take(column_class, _rows_of(components))
            self.values[column_class] = taken.moved_to(column_class, _rows_of(used))
        for cls, (entities, instances) in self._attached.items():
            used = [instead.get(id(made), made) for made in instances]
            self.of_class[cls] = (
                ComponentRows(entities, _rows_of(used), np.fromiter(used, object, len(used)))
                if issubclass(cls, Component)
                else ComponentRows(entities, np.zeros(len(used), int32), used)
            )

    def joint_break(self, saved: Any) -> JointBreak:
        """A break whose event was not sent yet."""
        entity, name, fields, entity_a, entity_b, reason, (x, y), torque = saved
        if {type(entity), type(entity_a), type(entity_b)} != {int} or type(reason) is not str:
            raise ValueError(f"the snapshot has the break {show(saved)}")
        cls: Any = self._class_named(name)
        joint = cls.__new__(cls)
        joint._fill(**fields)
        return JointBreak(entity, joint, entity_a, entity_b, reason, (float(x), float(y)), float(torque))  # type: ignore[arg-type]

    def _class_named(self, name: Any) -> type[Component]:
        if name not in self._known:
            raise ValueError(f"the snapshot has components of the class {name}, which is not imported: import it first")
        return self._known[name]

    def _checked_entities(self, cls: type[Any], entities: Any) -> NDArray[int64]:
        what = f"entities with a {cls.__name__}"
        check_array(what, entities, int64, None)
        check_numbers(what, entities, 1, self._next_entity - 1)
        if (np.diff(entities) <= 0).any():
            raise ValueError(f"the snapshot's {what} must be in ascending order")
        numbers: NDArray[int64] = entities
        return numbers

    def _part(self, kind: int, place: int) -> Any:
        cls: Any = SHAPE_CLASSES[kind] if 0 <= kind < len(SHAPE_CLASSES) else None
        made, (entities, _) = self._made.get(cls, []), self._attached.get(cls, ((), ()))
        if not len(entities) <= place < len(made):
            raise ValueError(f"the snapshot has a compound with a part that does not exist: {place} of kind {kind}")
        return made[place]


def _rows_of(instances: list[Component]) -> NDArray[int32]:
    return np.fromiter((one._row for one in instances), int32, len(instances))


def _form_of(component: Any) -> Any:
    """A component can only take the values of another of its class that has the same form."""
    if isinstance(component, CompoundCollider):
        return component._lines[:, 0].tolist()
    return (component.lines, component.closed, component.side) if isinstance(component, ChainCollider) else None


def _subclasses(cls: type[Any]) -> Iterator[type[Any]]:
    for one in cls.__subclasses__():
        yield one
        yield from _subclasses(one)


def _make(cls: type[Component], given: Tree, runs: Any, count: int) -> list[Component]:
    """New instances with some values, or ``count`` without any. Raises ValueError naming the field of a value that no
    assignment accepts."""
    store = cls._columns
    fields = [field for field in store.fields if field.name not in POOLED]
    unknown = sorted(map(str, given.keys() - {field.name for field in fields}))
    if unknown:
        raise ValueError(f"the snapshot has {cls.__name__}.{unknown[0]}, but this class has no such field")
    if (runs is not None) != (cls in POOLS):
        raise ValueError(f"the snapshot's {cls.__name__} does not have the data in pools that this class has")
    count = max((column.size for column in given.values() if isinstance(column, np.ndarray)), default=count)
    columns: Tree = {}
    for field in fields:
        if field.name not in given and field.default is MISSING:
            raise ValueError(f"the snapshot has no {field.owner}.{field.name}, which has no default")
        column = given.get(field.name)
        if column is None:
            column = np.full(count, field.checked(field.default), field.dtype)
        check_array(f"{field.owner}.{field.name}", column, field.dtype, count)
        low = field.stored_low if field.is_float else field.low
        bad = np.flatnonzero(~((column >= low) & (column <= field.high)))
        if bad.size:
            raise ValueError(f"the snapshot: {field.describe_violation(column[bad[0]].item())}")
        columns[field.name] = column
    if runs is not None:
        made = _make_of_runs(cls, runs, columns.get("_is_closed", np.zeros(count, bool_)).tolist())
    else:
        made = [cls.__new__(cls) for _ in range(count)]
        for instance, row in zip(made, store.allocate_many(count).tolist(), strict=True):
            instance._row = row
    rows = _rows_of(made)
    with blocks_stay():
        for name, column in columns.items():
            store.row_of_block(name)[rows] = column
    return made


def _make_of_runs(cls: type[Component], runs: Any, is_closed: list[int]) -> list[Any]:
    """New instances with outlines or paths. Raises ValueError for points that no instance has."""
    if type(runs) is not tuple or len(runs) != 2:
        raise ValueError(f"the snapshot's {cls.__name__} must have counts and points of its runs")
    counts, points = runs
    check_array(f"{cls.__name__} counts", counts, int64, len(is_closed))
    check_numbers(f"{cls.__name__} counts", counts, 2, len(points))
    check_array(f"{cls.__name__} points", points, float64, int(counts.sum()), 2)
    found = [list(map(tuple, run.tolist())) for run in np.split(points, np.cumsum(counts)[:-1])]
    if cls is PolygonCollider:
        return [PolygonCollider(run) for run, _ in zip(found, is_closed, strict=False)]
    # The last point of a closed path is the first one again.
    return [
        PathTrajectory(run[: len(run) - closed], 0.0, bool(closed))
        for run, closed in zip(found, is_closed, strict=False)
    ]
