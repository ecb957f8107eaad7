"""Hits as arrays: all hits of the last step, hits that started or ended, selections, and hits by component."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import repeat, starmap
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

import esper
import numpy as np
from numpy import bool_, float64, int32, int64, str_, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.collision_filter import Disabled
from ecsphys.components.store.column import finite_number
from ecsphys.components.store.column_store import read_only
from ecsphys.components.store.component_table import NOT_READ, Reading, changes_since, classes_changed, entities_with
from ecsphys.systems.arguments import checked_rows, whole_number
from ecsphys.systems.hits.hit import HIT_RECORD, Hit, HitArguments, Phase, Reason, refuse_no_class
from ecsphys.systems.world.esper_world import refuse_other_world

if TYPE_CHECKING:
    from ecsphys.systems.hits.step_hits import StepHits
    from ecsphys.systems.physics_state import PhysicsState


# In the order of the engine's codes (hit_tracking.DESPAWNED …), in which the first that applies wins.
REASONS: tuple[Reason, ...] = ("despawned", "removed", "disabled", "filtered", "separated")
_REASON_NAMES: NDArray[str_] = np.array(REASONS)


# Type and shape of each column, in the order in which a row of hits is documented.
HIT_COLUMNS: Final[dict[str, tuple[type[np.generic], tuple[int, ...]]]] = {
    "entity_a": (int64, ()),
    "entity_b": (int64, ()),
    "collider_a": (uint8, ()),
    "collider_b": (uint8, ()),
    "part_a": (int32, ()),
    "part_b": (int32, ()),
    "sensor_a": (bool_, ()),
    "sensor_b": (bool_, ()),
    "normal": (float64, (2,)),
    "depth": (float64, ()),
    "points": (float64, (2, 2)),
    "point_count": (uint8, ()),
    "approach_speed": (float64, ()),
    "time": (float64, ()),
    "impulse": (float64, ()),
    "tangent_impulse": (float64, ()),
    "strike_impulse": (float64, ()),
    "is_new": (bool_, ()),
}


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

    # The hits and rows from which arrays are gathered when they are first read; the hits are None when it is too late.
    _source: HitArrays | None
    _rows: slice | NDArray[Any]
    # They know the components of the entities. Copies, and hits without a step, lack them.
    _owners: Owners

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

    def __init__(self, capacity: int = 0) -> None:
        self._source = None
        for name, (dtype, shape) in HIT_COLUMNS.items():
            setattr(self, name, np.zeros((capacity, *shape), dtype))
        # Without bodies all are the same 0.
        self.impulse = self.tangent_impulse = self.strike_impulse = np.broadcast_to(0.0, capacity)

    @classmethod
    def _gathered(cls, source: HitArrays, rows: slice | NDArray[Any], owners: Owners | None) -> Self:
        """Some rows of hits. Each array is gathered when it is first read, until :func:`end_hits`."""
        chosen = cls.__new__(cls)
        chosen._source, chosen._rows = source, rows
        if owners is not None:
            chosen._owners = owners
        return chosen

    def __len__(self) -> int:
        return int(self.depth.size)

    def __repr__(self) -> str:
        return f"<{len(self)} hits>"

    def __iter__(self) -> Iterator[Hit]:
        if not len(self):
            return iter(())
        return starmap(Hit, self._hit_arguments(slice(None)))

    def _hit_arguments(self, rows: slice | NDArray[Any]) -> Iterator[HitArguments]:
        """The arguments for the hits of some rows, each for ``Hit(*arguments)``; copied, not read later."""
        phases: list[Phase] = ["started" if new else "ongoing" for new in self.is_new[rows].tolist()]
        return self._arguments(rows, phases, repeat(None))

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
        """Whether hits with an entity are still told: it is neither deleted, marked dead nor disabled."""
        if hasattr(self, "_owners"):
            self._owners.refuse_other_world()
        return esper.entity_exists(entity) and not esper.has_component(entity, Disabled)

    def select(self, rows: slice | NDArray[Any]) -> HitArrays:
        """Some of the rows, read-only: a view for a slice, a copy for an array of row numbers, or of bools.

        Raises TypeError if ``rows`` is neither, and IndexError for rows beyond the end.
        """
        chosen = self._kind_of_selection._gathered(self, checked_rows(rows), getattr(self, "_owners", None))
        for name in HIT_COLUMNS:
            getattr(chosen, name)
        chosen._source = None
        return chosen

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
        if not hasattr(self, "_owners"):
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

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """For copies: the arrays, without the hits that they are gathered from."""
        names = (*HIT_COLUMNS, "reason") if self._are_ended else HIT_COLUMNS
        return None, {name: getattr(self, name) for name in names}

    def __getattr__(self, name: str) -> NDArray[Any]:
        """An array that was not read yet: Python looks here for slots that are empty."""
        if name not in HIT_COLUMNS:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if self._source is None:
            raise RuntimeError(
                f"these hits are from an earlier step: read {name!r} before the next step, or keep hits.select(…)"
            )
        array: NDArray[Any] = read_only(getattr(self._source, name)[self._rows])
        setattr(self, name, array)
        return array

    def _arguments(
        self, rows: slice | NDArray[Any], phases: Iterable[Phase], reasons: Iterable[Reason | None]
    ) -> Iterator[HitArguments]:
        source: HitArrays | None = getattr(self, "_source", None)
        if source is None or (isinstance(rows, slice) and isinstance(self._rows, slice)):
            source = self
        else:
            # Straight from the contacts, not through arrays that are not made yet.
            rows = rows if isinstance(self._rows, slice) else self._rows[rows]
        entity_a = source.entity_a[rows].tolist()
        records = np.empty(len(entity_a), HIT_RECORD)
        for name in HIT_RECORD.names or ():
            records[name] = getattr(source, name)[rows]
        contents: list[bytes] = records.view(f"V{HIT_RECORD.itemsize}").tolist()
        return zip(entity_a, source.entity_b[rows].tolist(), phases, reasons, contents, strict=False)


class Hits(HitArrays):
    """The hits of the last step; ``physics.hits`` is one. ``for hit in physics.hits`` yields each as a :class:`Hit`.

    It has the arrays and methods of :class:`HitArrays`, and the hits that ended.
    """

    __slots__ = ("_found",)

    _found: StepHits

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

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies are :class:`HitArrays`: a copy is not of the last step."""
        return _copied, ({name: getattr(self, name) for name in HIT_COLUMNS},)

    def _step(self) -> StepHits:
        if self._source is None:
            raise RuntimeError("these hits are from an earlier step: read physics.hits again after each step")
        return self._found


def _copied(columns: dict[str, Any]) -> HitArrays:
    copied = HitArrays.__new__(HitArrays)
    for name, values in columns.items():
        setattr(copied, name, values)
    return copied


def together(first: HitArrays, second: HitArrays) -> HitArrays:
    """Two selections of a step's hits as one, in the order of hits."""
    columns = {name: np.concatenate((getattr(first, name), getattr(second, name))) for name in HIT_COLUMNS}
    keys = "part_b", "part_a", "collider_b", "collider_a", "entity_b", "entity_a"
    order = np.lexsort([columns[name] for name in keys])
    found = _copied({name: read_only(column[order]) for name, column in columns.items()})
    found._owners = first._owners
    return found


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

    reason: NDArray[str_]

    @classmethod
    def _ended(cls, source: HitArrays, rows: NDArray[int64], reasons: NDArray[uint8], owners: Owners | None) -> Self:
        """Rows of hits that ended, and why, as numbers of the engine."""
        chosen = cls._gathered(source, rows if rows.size else slice(0), owners)
        chosen.is_new = read_only(np.zeros(len(reasons), bool_))
        chosen.reason = read_only(_REASON_NAMES[reasons])
        return chosen

    def select(self, rows: slice | NDArray[Any]) -> EndedHitArrays:
        chosen = super().select(rows)
        assert isinstance(chosen, EndedHitArrays)
        chosen.reason = read_only(self.reason[rows])
        return chosen

    def between(self, first: type[Any], second: type[Any]) -> EndedHitArrays:
        chosen = super().between(first, second)
        assert isinstance(chosen, EndedHitArrays)
        return chosen

    def _counts(self, entity: int) -> bool:
        """The hits of a deleted entity are told: this is how they ended."""
        return True

    def _hit_arguments(self, rows: slice | NDArray[Any]) -> Iterator[HitArguments]:
        return self._arguments(rows, repeat("ended"), self.reason[rows].tolist())


class _Known:
    """The owners of one class when the last step's hits were found, and the step before."""

    __slots__ = ("before", "last")

    def __init__(self, cls: type[Any]) -> None:
        self.before = self.last = frozenset(entities_with(cls))


class Owners:
    """The owners of the classes that were asked for, now and as of the hits that ended.

    esper forgets the components of an entity when the entity is deleted. So from the first question about a class on,
    its owners are noted in each step in which they have changed.
    """

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        self._known: dict[type[Any], _Known] = {}
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
        for known in self._known.values():
            known.before = known.last
        for number in classes_changed(self._classes, self._readings):
            cls = self._classes[number]
            self._readings[number], changed = changes_since(cls, self._readings[number])
            # A class without owners, asked for the first time, has no changes either.
            if changed != set():
                self._known[cls].last = frozenset(entities_with(cls))

    def take_state(self) -> dict[type[Any], tuple[frozenset[int], frozenset[int]]]:
        """The noted owners of all classes."""
        return {cls: (known.before, known.last) for cls, known in self._known.items()}

    def put_state(self, state: dict[type[Any], tuple[frozenset[int], frozenset[int]]]) -> None:
        """Take what :meth:`take_state` once returned."""
        # All are read again at the next note.
        self._classes = []
        for cls, (before, last) in state.items():
            known = self._known.setdefault(cls, _Known(cls))
            known.before, known.last = before, last

    def know(self, *classes: type[Any]) -> None:
        """Note the owners of some classes from now on. RuntimeError in another world than the physics'."""
        self.refuse_other_world()
        for cls in classes:
            if cls not in self._known:
                self._known[cls] = _Known(cls)

    def are_none(self, first: type[Any], second: type[Any], are_ended: bool) -> bool:
        """Whether one of two classes has no owner now; for hits that ended, none either before. Both are noted from now
        on. RuntimeError in another world than the physics'."""
        self.know(first, second)
        known = self._known
        return (not entities_with(first) and not (are_ended and known[first].before)) or (
            not entities_with(second) and not (are_ended and known[second].before)
        )

    def have(self, cls: type[Any], entities: NDArray[int64], are_ended: bool) -> NDArray[bool_]:
        """Which of some entities (n,) have a component of a class; of hits that ended, also which had it then.

        RuntimeError in another world than the physics'.
        """
        self.know(cls)
        known, owners = self._known[cls], entities_with(cls)
        had = known.before if are_ended else frozenset[int]()
        numbers = entities.tolist()
        return np.fromiter((number in owners or number in had for number in numbers), bool_, len(numbers))


HitArrays._kind_of_selection, EndedHitArrays._kind_of_selection = HitArrays, EndedHitArrays
NO_HITS = HitArrays._no_hits = HitArrays().select(slice(0))
EndedHitArrays._no_hits = EndedHitArrays._ended(NO_HITS, np.zeros(0, int64), np.zeros(0, uint8), None).select(slice(0))
