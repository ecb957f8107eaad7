"""The state of a physics beside its components. Each part of it is declared once: in ``TABLES`` or in ``VALUES``.

A table has arrays of one length. A table that is not in use has no rows. Copying, renumbering of colliders, saving, and
checks of foreign bytes are loops over these declarations.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np
from numpy import bool_, float64, int32, int64, uint8
from numpy.typing import DTypeLike, NDArray

from ecsphys.components.store.column import show
from ecsphys.engine.character import character_move
from ecsphys.engine.dynamics import body_mass, strikes
from ecsphys.engine.dynamics.joints import joint_rows
from ecsphys.engine.hits import contact_table, hit_tracking, touches
from ecsphys.engine.shapes.layout import KIND_CHAIN
from ecsphys.engine.tables import collider_slots
from ecsphys.systems.hits.step_hits import ContactBuffer


class Field(NamedTuple):
    """An array of a table: its type, and the shape of a row.

    ``low`` and ``high`` bound its numbers, or each column of them; ``low`` None: any number. The name of a table as a
    bound stands for its last row. ``slots`` indexes the numbers that are slots of colliders.
    """

    dtype: DTypeLike
    columns: tuple[int, ...] = ()
    low: Any = None
    high: Any = None
    slots: Any = None


class Value(NamedTuple):
    """A number or a bool: its type, the attribute of ``PhysicsState`` that is it, if there is one, and its bounds."""

    kind: type
    attribute: str = ""
    low: float = 0
    high: Any = math.inf


_MOST: Final = 2**62
_ANY: Final = (-1e300, math.inf)
_FINITE: Final = (-1e300, 1e300)
_ENTITY: Final = (1, _MOST)
_FLAG: Final = (0, 1)
_PART: Final = (-1, 2**31 - 1)
_COLUMN: Final = (slice(None),)

_LIKE: Final = ContactBuffer(0, has_points=True).table
_BOUNDS: Final[dict[str, tuple[Any, Any]]] = {
    "pairs": (0, "slots"),
    **dict.fromkeys(("entity_a", "entity_b"), _ENTITY),
    **dict.fromkeys(("collider_a", "collider_b"), (0, KIND_CHAIN)),
    **dict.fromkeys(("part_a", "part_b"), _PART),
    "normal": (-2.0, 2.0),
    **dict.fromkeys(("depth", "separations", "impulses", "totals"), _FINITE),
    **dict.fromkeys(("point_count", "one_way"), (0, 2)),
    **dict.fromkeys(("is_new", "is_near", "sensor_a", "sensor_b"), _FLAG),
}


def _fields_like(arrays: Any) -> dict[str, Field]:
    named = zip(arrays._fields, arrays, strict=True)
    return {name: Field(one.dtype, one.shape[1:], *_BOUNDS.get(name, ())) for name, one in named}


_CONTACTS: Final = _fields_like(_LIKE.hits)

TABLES: Final[dict[str, dict[str, Field]]] = {
    # Colliders that moved since pairs were found; and absent colliders of contacts: slot, entity, kind, part, reason.
    "moved": {"slots": Field(int32, (), 0, "slots", slots=...)},
    "absent": {
        "colliders": Field(
            int64,
            (5,),
            (0, 1, 0, -1, 1),
            ("slots", "entities", KIND_CHAIN, _PART[1], collider_slots.DISABLED_ABSENCE),
            slots=(*_COLUMN, 0),
        )
    },
    # Pairs that the game has given.
    "given": {"pairs": Field(int32, (2,))},
    # The contacts of the last step, their points if anything solves them, and the rows whose end no handler is told.
    "contacts": {**_CONTACTS, "pairs": _CONTACTS["pairs"]._replace(slots=...)},
    "points": _fields_like(_LIKE.points),
    "suppressed": {"rows": Field(int64, (), 0, "contacts")},
    # The last values of the hits that ended in the last step. Nothing asks for their slots any more.
    "ended": {**_CONTACTS, "pairs": Field(int32, (2,))},
    "endings": {
        "reasons": Field(uint8, (), 0, hit_tracking.SEPARATED),
        "totals": Field(float64, (contact_table.TOTAL_COLUMNS,)),
    },
    # Strikes that are not complete, and loads of contacts that ended.
    "strikes": {
        "struck": Field(int64, (2,), *_ENTITY),
        "rows": Field(int64, (), 0, "contact_ends"),
        "numbers": Field(float64, (strikes.STRIKE_COLUMNS,), *_FINITE),
    },
    "loads": {"loaded": Field(int64, (2,), *_ENTITY), "loads": Field(float64, (2,), *_FINITE)},
    # A row for each body. A body that has just fallen asleep notes its accelerations in the next step: NaN until then.
    "bodies": {
        "forces": Field(float64, (3,), *_ANY),
        "slow_for": Field(float64, (), *_ANY),
        "island": Field(int32, (), -1, "bodies"),
        "accelerations": Field(float64, (3,)),
        "touching": Field(int32, (), 0, 2**31 - 1),
        "is_changed": Field(uint8),
    },
    "masses": {"masses": Field(float64, (body_mass.MASS_COLUMNS,), *_ANY)},
    "disabled": {"bodies": Field(int32, (), 0, "bodies")},
    "joints": {
        "starts": Field(float64, (joint_rows.START_COLUMNS,), *_ANY),
        "impulses": Field(float64, (joint_rows.IMPULSE_COLUMNS,)),
        "totals": Field(float64, (joint_rows.TOTAL_COLUMNS,), *_ANY),
        "loads": Field(float64, (3,), *_ANY),
    },
    # Touches of characters; their memories, by entity; one-way entities that they drop through.
    "touches": {
        "numbers": Field(
            int64,
            (touches.TOUCH_NUMBERS,),
            (0, touches.MARK, -_MOST, -_MOST),
            ("slots", "slots", _MOST, _MOST),
            slots=(*_COLUMN, [touches.OWN, touches.OTHER]),
        ),
        "values": Field(float64, (touches.TOUCH_VALUES,)),
    },
    "memories": {
        "numbers": Field(int64, (character_move.MEMORY_NUMBERS,), -1, _MOST),
        "values": Field(float64, (character_move.MEMORY_VALUES,), slots=(*_COLUMN, character_move.STOOD_ON)),
    },
    "remembered": {"entities": Field(int64, (), 1, "entities"), "rows": Field(int64, (), 0, "memories")},
    "dropped": {"pairs": Field(int64, (2,))},
    # Earlier poses of colliders that moved, which characters read; and for each slot since when its collider is there.
    "journal": {"slots": Field(int32, (), -1, "slots", slots=...), "poses": Field(float64, (3,), *_ANY)},
    "births": {"revisions": Field(int64, (), 0, _MOST)},
}

VALUES: Final[dict[str, Value]] = {
    "clock": Value(float, "clock"),
    "dt": Value(float, "dt"),
    "prediction": Value(float, "hits.search.prediction"),
    "keeps_points": Value(bool, "hits.search.keeps_points"),
    "pressed_for": Value(float, "hits.found.pressed_for"),
    "has_points": Value(bool, "hits.found.buffer.has_points"),
    "has_structure_changed": Value(bool, "hits.has_structure_changed"),
    "are_all_moved": Value(bool, "placing.are_all_moved"),
    "are_pairs_given": Value(bool),
    "has_solver": Value(bool),
    "has_changed": Value(bool),
    "is_measured": Value(bool, "body_table.is_measured"),
    "kept_touches": Value(int, "", 0, "touches"),
    "journal_first": Value(int, "", 0, _MOST),
}

# Tables that have as many rows as another, or none.
_AS_LONG_AS: Final = {"points": "contacts", "endings": "ended", "masses": "bodies", "births": "colliders"}


def check_state(tree: Any, next_entity: int) -> None:
    """Raise ValueError, naming the first type, length or number that no state has.

    Every number that is used as an index is checked here. Checks that need components, for example how many bodies
    there are, follow when the state is put.
    """
    check_entries("physics", tree, {"colliders": (int,), "values": (dict,), "tables": (dict,)})
    tables, values, colliders = tree["tables"], tree["values"], tree["colliders"]
    check_entries("values", values, {name: (value.kind,) for name, value in VALUES.items()})
    check_entries("tables", tables, dict.fromkeys(TABLES, (dict,)))
    sizes = {"entities": next_entity, "colliders": colliders}
    for name, table in TABLES.items():
        check_entries(name, tables[name], dict.fromkeys(table, (np.ndarray,)))
        sizes[name] = count = tables[name][next(iter(table))].shape[:1][0]
        for field, declared in table.items():
            check_array(f"{name}.{field}", tables[name][field], declared.dtype, count, *declared.columns)
    sizes |= {"slots": colliders + sizes["absent"], "contact_ends": sizes["contacts"] + 1}
    for name, other in _AS_LONG_AS.items():
        if sizes[name] not in (0, sizes[other]):
            raise ValueError(f"the snapshot's {name} has {sizes[name]} rows, expected {sizes[other]}")
    if (values["has_points"] and sizes["points"] != sizes["contacts"]) or sizes["endings"] != sizes["ended"]:
        raise ValueError("the snapshot has contacts without points, or ended hits without reasons")

    def bound(limit: Any) -> Any:
        return sizes[limit] - 1 if isinstance(limit, str) else limit

    for name, value in VALUES.items():
        high = sizes[value.high] if isinstance(value.high, str) else value.high
        if not value.low <= values[name] <= high or values[name] == math.inf:
            raise ValueError(f"the snapshot's {name} is {values[name]}")
    if not 0 <= colliders < 2**31 - sizes["absent"]:
        raise ValueError(f"the snapshot has {colliders} colliders")
    for name, table in TABLES.items():
        for field, declared in table.items():
            if declared.low is not None:
                high = declared.high
                high = [bound(one) for one in high] if isinstance(high, tuple) else bound(high)
                check_numbers(f"{name}.{field}", tables[name][field], declared.low, high)
    if (tables["absent"]["colliders"][:, 0] != np.arange(colliders, sizes["slots"])).any():
        raise ValueError("the snapshot's absent colliders must have the numbers after the present colliders")
    for name, field in (("moved", "slots"), ("remembered", "rows"), ("remembered", "entities")):
        if np.unique(tables[name][field]).size != sizes[name]:
            raise ValueError(f"the snapshot's {name}.{field} has a number twice")


def check_entries(what: str, tree: Any, kinds: dict[str, tuple[type, ...]]) -> None:
    """Raise ValueError unless it is a dict with just these names, of these types."""
    if type(tree) is not dict:
        raise ValueError(f"the snapshot's {what} is {show(tree)}")
    if tree.keys() != kinds.keys():
        unlike = sorted(map(str, tree.keys() ^ kinds.keys()))
        raise ValueError(f"the snapshot's {what} has missing or unknown entries: {', '.join(unlike)}")
    for name, allowed in kinds.items():
        if type(tree[name]) not in allowed:
            raise ValueError(f"the snapshot's {name} is {show(tree[name])}")


def check_array(name: str, value: Any, dtype: DTypeLike, *shape: int | None) -> None:
    """Raise ValueError unless it is an array of this type and shape; a None in the shape may be any length."""
    is_array = isinstance(value, np.ndarray) and value.dtype == dtype and value.ndim == len(shape)
    if not is_array or any(want not in (None, found) for want, found in zip(shape, value.shape, strict=True)):
        found = f"of {value.dtype}, {value.shape}" if isinstance(value, np.ndarray) else show(value)
        raise ValueError(f"the snapshot's {name} must be an array of {np.dtype(dtype)}, {shape}, got {found}")


def check_numbers(name: str, numbers: NDArray[Any], low: Any, high: Any) -> None:
    """Raise ValueError for a number below ``low`` or above ``high``, or NaN. Bounds may differ by column."""
    is_good: NDArray[bool_] = (numbers >= np.array(low)) & (numbers <= np.array(high))
    if not is_good.all():
        bad = numbers[~is_good].flat[0]
        raise ValueError(f"the snapshot's {name} must be from {low} to {high}, got {bad}")
