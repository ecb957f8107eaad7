"""Hits as arrays: all hits of the last step, hits that started or ended, selections, and hits by component."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import repeat, starmap
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

import esper
import numpy as np
from numpy import bool_, float64, int32, int64, str_, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.collision_filter import Disabled
from ecsphys.components.store.column import finite_number
from ecsphys.components.store.column_store import read_only
from ecsphys.components.store.component_table import NOT_READ, Reading, changes_since, classes_changed, entities_with
from ecsphys.systems.arguments import checked_rows, whole_number
from ecsphys.systems.hits.hit import HIT_COLUMNS, HIT_RECORD, Hit, HitArguments, Phase, Reason, refuse_no_class
from ecsphys.systems.world.esper_world import refuse_other_world

if TYPE_CHECKING:
    from ecsphys.systems.hits.step_hits import StepHits
    from ecsphys.systems.physics_state import PhysicsState


# In the order of the engine's codes (hit_tracking.DESPAWNED …), in which the first that applies wins.
REASONS: tuple[Reason, ...] = ("despawned", "removed", "disabled", "filtered", "separated")
_REASON_NAMES: NDArray[str_] = np.array(REASONS)


Columns = dict[str, NDArray[Any]]
"""The arrays of HIT_COLUMNS by name."""

Rows = slice | NDArray[Any]


class HitArrays:
    """Hits as arrays of equal length n, by (entity_a, entity_b, collider_a, collider_b), then by the parts.

    The arrays are read-only and valid until the next step; an array that is first read later raises RuntimeError. To
    keep rows longer, use :meth:`select`. ``for hit in physics.hits`` yields each as a :class:`Hit`. For many hits,
    arithmetic on the arrays is far faster.

    ``entity_a``, ``entity_b``
        (n,) int64, the esper entities, a < b.
    ``collider_a``, ``collider_b``
        (n,) uint8, indices into ``ecsphys.COLLIDER_CLASSES``.
    ``part_a``, ``part_b``
        (n,) int32, numbers in the entities' compounds or chains, −1 for a collider on its own.
    ``sensor_a``, ``sensor_b``
        (n,) bool, whether the colliders are sensors, which block nothing.
    ``normal``
        (n, 2) float64, unit, from a to b.
    ``depth``
        (n,) float64, greater than 0. It is 0 if a ``Bullet`` touched on its path, and 0 or less if bodies were pushed
        apart before they overlapped.
    ``points``
        (n, 2, 2) float64, in the world; NaN in an unused second row.
    ``point_count``
        (n,) uint8, 1 or 2.
    ``approach_speed``
        (n,) float64, positive if the two approach; for a strike, the speed before the bounce.
    ``time``
        (n,) float64, in [0, 1] of the step: when the two struck, or a fast body was stopped on its way; otherwise 1.
    ``impulse``, ``tangent_impulse``
        (n,) float64, impulses of rigid bodies in this step, along the normal and (normal_y, −normal_x); else 0.
    ``strike_impulse``
        (n,) float64, the impulse of a complete strike, in one row of the two entities; otherwise 0.
    ``is_new``
        (n,) bool, whether it began in this step.

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> row = ecsphys.spawn_many(5, Transform.many(x=0.9 * np.arange(5)), CircleCollider.many(0.5))
    >>> esper.process(1 / 60)
    >>> len(physics.hits), physics.hits.normal.shape
    (4, (4, 2))
    >>> deepest = physics.hits.depth.argmax()
    """

    __slots__ = (*HIT_COLUMNS, "_owners", "_rows", "_source")

    # The columns and rows from which arrays are gathered when they are first read; no columns when it is too late.
    _source: Columns | None
    _rows: Rows
    # They know the components of the entities. Copies, and hits without a step, lack them.
    _owners: Owners | None

    entity_a: NDArray[int64]
    entity_b: NDArray[int64]
    collider_a: NDArray[uint8]
    collider_b: NDArray[uint8]
    part_a: NDArray[int32]
    part_b: NDArray[int32]
    sensor_a: NDArray[bool_]
    sensor_b: NDArray[bool_]
    normal: NDArray[float64]
    depth: NDArray[float64]
    points: NDArray[float64]
    point_count: NDArray[uint8]
    approach_speed: NDArray[float64]
    time: NDArray[float64]
    impulse: NDArray[float64]
    tangent_impulse: NDArray[float64]
    strike_impulse: NDArray[float64]
    is_new: NDArray[bool_]

    def __init__(self, source: Columns, rows: Rows, owners: Owners | None) -> None:
        self._source, self._rows, self._owners = source, rows, owners

    def __len__(self) -> int:
        return int(self.depth.size)

    def __repr__(self) -> str:
        return f"<{len(self)} hits>"

    def __iter__(self) -> Iterator[Hit]:
        if not len(self):
            return iter(())
        return starmap(Hit, self._hit_arguments(slice(None)))

    @property
    def started(self) -> HitArrays:
        """The hits of this selection that began in this step."""
        return self.select(self.is_new)

    def of(self, entity: int) -> list[Hit]:
        """The hits of this selection with ``entity``, one by one.

        Hits with an entity that is deleted or disabled by now are left out. Raises TypeError unless ``entity`` is a
        whole number, and RuntimeError in another esper world.

        Examples
        --------
        >>> physics = ecsphys.install()
        >>> a = esper.create_entity(Transform(0, 0), CircleCollider(1))
        >>> b = esper.create_entity(Transform(1, 0), CircleCollider(1))
        >>> esper.process(1 / 60)
        >>> [hit.other(a) == b for hit in physics.hits.of(a)]
        [True]
        """
        number = whole_number("entity", entity)
        rows = np.flatnonzero((self.entity_a == number) | (self.entity_b == number))
        if not rows.size or not self._counts(number):
            return []
        return [hit for hit in starmap(Hit, self._hit_arguments(rows)) if self._counts(hit.other(number))]

    def has(self, a: int, b: int) -> bool:
        """Whether one of these hits is between two entities, in either order.

        False if one of them is deleted or disabled by now. Raises TypeError unless both are whole numbers, and
        RuntimeError in another esper world.
        """
        one, other = whole_number("a", a), whole_number("b", b)
        first, second = self.entity_a, self.entity_b
        found = ((first == one) & (second == other)) | ((first == other) & (second == one))
        return bool(found.any()) and self._counts(one) and self._counts(other)

    def _counts(self, entity: int) -> bool:
        """Whether hits with an entity are still told: those that ended are, and others unless the entity is deleted,
        marked dead or disabled."""
        if self._are_ended:
            return True
        if self._owners is not None:
            self._owners.refuse_other_world()
        return esper.entity_exists(entity) and not esper.has_component(entity, Disabled)

    def select(self, rows: Rows) -> HitArrays:
        """Some of the rows, read-only: a view for a slice, a copy for an array of row numbers, or of bools.

        Raises TypeError if ``rows`` is neither, and IndexError for rows beyond the end.
        """
        chosen = checked_rows(rows)
        columns = {name: read_only(getattr(self, name)[chosen]) for name in self._names}
        return _with_columns(self._kind_of_selection, columns, self._owners)

    def between(self, first: type[Any], second: type[Any]) -> HitArrays:
        """The hits of an entity that has a ``first`` with one that has a ``second``, turned so that it is ``entity_a``.

        The classes may be any component classes, plain ones too, and the same one twice. ``normal`` points from
        ``entity_a`` to ``entity_b``, and the other fields of a and b are turned as well. The rows keep their order. If
        both entities have both components, the hit appears once, unturned.

        The components of this moment are used. For ``physics.hits.ended``, components that an entity had in the last
        step are used too. Deleted entities are found if you have asked about the class before.

        Raises TypeError unless both are classes, and RuntimeError in another esper world.

        Examples
        --------
        >>> shots = physics.hits.started.between(Bullet, RigidBody)
        """
        refuse_no_class("first", first)
        refuse_no_class("second", second)
        if self._owners is None:
            return self._no_hits
        # The classes are known from now on: also the deleted entities that had one.
        if self._owners.are_none(first, second, self._are_ended) or not len(self):
            return self._no_hits
        have, is_ended = self._owners.have, self._are_ended
        is_straight = have(first, self.entity_a, is_ended) & have(second, self.entity_b, is_ended)
        is_turned = have(first, self.entity_b, is_ended) & have(second, self.entity_a, is_ended) & ~is_straight
        rows = np.flatnonzero(is_straight | is_turned)
        if not rows.size:
            return self._no_hits
        chosen = self.select(rows)
        chosen._turn(is_turned[rows])
        return chosen

    _are_ended: ClassVar[bool] = False
    _names: ClassVar[tuple[str, ...]] = tuple(HIT_COLUMNS)
    _kind_of_selection: ClassVar[type[HitArrays]]
    _no_hits: ClassVar[HitArrays]

    def _turn(self, turned: NDArray[bool_]) -> None:
        """Exchange a and b in some of the rows of a copy."""
        for name in ("entity", "collider", "part"):
            a, b = getattr(self, f"{name}_a"), getattr(self, f"{name}_b")
            setattr(self, f"{name}_a", read_only(np.where(turned, b, a)))
            setattr(self, f"{name}_b", read_only(np.where(turned, a, b)))
        # 0.0 minus it: no −0.0.
        self.normal = read_only(np.where(turned[:, None], 0.0 - self.normal, self.normal))

    def __reduce__(self) -> tuple[Any, ...]:
        """For copies: the arrays alone. A copy is not of the last step."""
        return _with_columns, (self._kind_of_selection, {name: getattr(self, name) for name in self._names})

    def __getattr__(self, name: str) -> NDArray[Any]:
        """An array that was not read yet: Python looks here for slots that are empty."""
        if name not in HIT_COLUMNS:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if self._source is None:
            raise RuntimeError(
                f"these hits are from an earlier step: read {name!r} before the next step, or keep hits.select(…)"
            )
        array: NDArray[Any] = read_only(self._source[name][self._rows])
        setattr(self, name, array)
        return array

    def _hit_arguments(self, rows: Rows) -> Iterator[HitArguments]:
        """The arguments for the hits of some rows, each for ``Hit(*arguments)``; copied, not read later."""
        phases: Iterable[Phase] = repeat("ended")
        reasons: Iterable[Reason | None] = repeat(None)
        if isinstance(self, EndedHitArrays):
            reasons = self.reason[rows].tolist()
        else:
            phases = ["started" if new else "ongoing" for new in self.is_new[rows].tolist()]
        columns: Any = self._source
        if columns is None or isinstance(rows, slice):
            columns = {name: getattr(self, name) for name in HIT_COLUMNS}
        elif not isinstance(self._rows, slice):
            # Straight from the contacts, not through arrays that are not made yet.
            rows = self._rows[rows]
        entity_a = columns["entity_a"][rows].tolist()
        records = np.empty(len(entity_a), HIT_RECORD)
        for name in HIT_RECORD.names or ():
            records[name] = columns[name][rows]
        contents: list[bytes] = records.view(f"V{HIT_RECORD.itemsize}").tolist()
        return zip(entity_a, columns["entity_b"][rows].tolist(), phases, reasons, contents, strict=False)


class Hits(HitArrays):
    """The hits of the last step; ``physics.hits`` is one. ``for hit in physics.hits`` yields each as a :class:`Hit`.

    It has the arrays and methods of :class:`HitArrays`, and the hits that ended.
    """

    __slots__ = ("_found",)

    def __init__(self, found: StepHits, source: Columns, rows: Rows, owners: Owners) -> None:
        super().__init__(source, rows, owners)
        self._found = found

    @property
    def started(self) -> HitArrays:
        """The hits that began in the last step."""
        return self._step().started

    @property
    def ended(self) -> EndedHitArrays:
        """The hits that ended in the last step, with their reasons and last values."""
        return self._step().ended

    def has(self, a: int, b: int) -> bool:
        """As :meth:`HitArrays.has`, at the cost of a search in sorted entities."""
        one, other = whole_number("a", a), whole_number("b", b)
        low, high = min(one, other), max(one, other)
        first, end = np.searchsorted(self.entity_a, (low, low + 1)).tolist()
        partners = self.entity_b[first:end]
        place = int(np.searchsorted(partners, high))
        found = place < len(partners) and int(partners[place]) == high
        return found and self._counts(low) and self._counts(high)

    def stronger_than(self, impulse: float) -> HitArrays:
        """The strikes that are complete in the last step and whose ``strike_impulse`` is more than ``impulse``.

        Each strike of two entities is one row, with the values of the hit that has it. Strikes of hits that ended in
        this step are included. So a game needs no :class:`HitListener` to react to strikes. The rows are a copy.

        Raises TypeError unless ``impulse`` is a number, and ValueError if it is negative or not finite.

        Examples
        --------
        >>> physics = ecsphys.install(gravity=(0.0, -9.8))
        >>> floor = esper.create_entity(Transform(0, -1), AABBCollider(9, 1), Solid())
        >>> ball = esper.create_entity(Transform(0, 0.5), Velocity(0, -8), RigidBody(mass=2), CircleCollider(0.5))
        >>> strikes = []
        >>> for _ in range(3):
        ...     esper.process(1 / 60)
        ...     strikes += physics.hits.stronger_than(10.0)
        >>> [(hit.entity_a, hit.entity_b, round(hit.strike_impulse)) for hit in strikes]
        [(1, 2, 16)]
        """
        least = finite_number("impulse", impulse)
        if least < 0.0:
            raise ValueError(f"impulse must be at least 0, got {impulse!r}")
        return self._step().strikes_beyond(least)

    def _step(self) -> StepHits:
        if self._source is None:
            raise RuntimeError("these hits are from an earlier step: read physics.hits again after each step")
        return self._found


Kind = TypeVar("Kind", bound=HitArrays)


def _with_columns(kind: type[Kind], columns: Columns, owners: Owners | None = None) -> Kind:
    """Hits with these arrays, which stay."""
    made = kind.__new__(kind)
    made._source, made._rows, made._owners = None, slice(None), owners
    for name, values in columns.items():
        setattr(made, name, values)
    return made


def together(first: HitArrays, second: HitArrays) -> HitArrays:
    """Two selections of a step's hits as one, in the order of hits."""
    columns = {name: np.concatenate((getattr(first, name), getattr(second, name))) for name in HIT_COLUMNS}
    keys = "part_b", "part_a", "collider_b", "collider_a", "entity_b", "entity_a"
    order = np.lexsort([columns[name] for name in keys])
    ordered = {name: read_only(column[order]) for name, column in columns.items()}
    return _with_columns(HitArrays, ordered, first._owners)


def end_hits(hits: HitArrays) -> None:
    """The rows of some hits are about to change: arrays that were not read yet can no longer be read."""
    hits._source = None


class EndedHitArrays(HitArrays):
    """:class:`HitArrays` of hits that ended, with their last values, and

    ``reason``
        (n,) str, why each ended: "despawned", "removed", "disabled", "filtered" or "separated".
    """

    __slots__ = ("reason",)

    _are_ended: ClassVar[bool] = True
    _names: ClassVar[tuple[str, ...]] = (*HIT_COLUMNS, "reason")

    reason: NDArray[str_]

    def __init__(self, source: Columns, rows: NDArray[int64], reasons: NDArray[uint8], owners: Owners | None) -> None:
        """``reasons`` are numbers of the engine."""
        super().__init__(source, rows, owners)
        self.is_new = read_only(np.zeros(len(reasons), bool_))
        self.reason = read_only(_REASON_NAMES[reasons])

    def select(self, rows: Rows) -> EndedHitArrays:
        chosen = super().select(rows)
        assert isinstance(chosen, EndedHitArrays)
        return chosen

    def between(self, first: type[Any], second: type[Any]) -> EndedHitArrays:
        chosen = super().between(first, second)
        assert isinstance(chosen, EndedHitArrays)
        return chosen


class Owners:
    """The owners of the classes that were asked for, now and as of the hits that ended.

    esper forgets the components of an entity when the entity is deleted. So from the first question about a class on,
    its owners are noted in each step in which they have changed.
    """

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        # The owners of each class in the step before the last, and in the last.
        self._known: dict[type[Any], tuple[frozenset[int], frozenset[int]]] = {}
        # The classes of these, and how far the changes of each were read, as of the last note.
        self._classes: list[type[Any]] = []
        self._readings: list[Reading] = []

    def refuse_other_world(self) -> None:
        """RuntimeError in another world than the physics'."""
        refuse_other_world(self._state.world)

    def note(self) -> None:
        """Note the owners of all classes asked for, at the end of a narrowphase."""
        if len(self._classes) != len(self._known):
            # Last: where this is cut short, it is done again.
            self._readings = [NOT_READ] * len(self._known)
            self._classes = list(self._known)
        self._known = {cls: (last, last) for cls, (_, last) in self._known.items()}
        for number in classes_changed(self._classes, self._readings):
            cls = self._classes[number]
            self._readings[number], changed = changes_since(cls, self._readings[number])
            # A class without owners, asked for the first time, has no changes either.
            if changed != set():
                self._known[cls] = self._known[cls][0], frozenset(entities_with(cls))

    def take_state(self) -> dict[type[Any], tuple[frozenset[int], frozenset[int]]]:
        """The noted owners of all classes."""
        return dict(self._known)

    def put_state(self, state: dict[type[Any], tuple[frozenset[int], frozenset[int]]]) -> None:
        """Take what :meth:`take_state` once returned."""
        # All are read again at the next note.
        self._classes = []
        self._known.update(state)

    def know(self, *classes: type[Any]) -> None:
        """Note the owners of some classes from now on. RuntimeError in another world than the physics'."""
        self.refuse_other_world()
        for cls in classes:
            if cls not in self._known:
                owners = frozenset(entities_with(cls))
                self._known[cls] = owners, owners

    def are_none(self, first: type[Any], second: type[Any], are_ended: bool) -> bool:
        """Whether one of two classes has no owner now; for hits that ended, none either before. Both are noted from now
        on. RuntimeError in another world than the physics'."""
        self.know(first, second)
        return any(not entities_with(cls) and not (are_ended and self._known[cls][0]) for cls in (first, second))

    def have(self, cls: type[Any], entities: NDArray[int64], are_ended: bool) -> NDArray[bool_]:
        """Which of some entities (n,) have a component of a class; of hits that ended, also which had it then.

        RuntimeError in another world than the physics'.
        """
        self.know(cls)
        owners, had = entities_with(cls), self._known[cls][0] if are_ended else frozenset[int]()
        numbers = entities.tolist()
        return np.fromiter((number in owners or number in had for number in numbers), bool_, len(numbers))


HitArrays._kind_of_selection, EndedHitArrays._kind_of_selection = HitArrays, EndedHitArrays
_NONE: Final[Columns] = {name: np.zeros((0, *shape), dtype) for name, (dtype, shape) in HIT_COLUMNS.items()}
NO_HITS: Final = HitArrays(_NONE, slice(0), None).select(slice(0))
HitArrays._no_hits = NO_HITS
EndedHitArrays._no_hits = EndedHitArrays(_NONE, np.zeros(0, int64), np.zeros(0, uint8), None).select(slice(0))
