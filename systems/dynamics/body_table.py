"""The bodies of a world: their entities, colliders, materials and sleep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy import bool_, float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.dynamics.rigid_body import Character, RigidBody
from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.components.store.component_table import NO_ROWS, ComponentRows, components_of, rows_of
from ecsphys.components.store.many import add_many
from ecsphys.engine.dynamics import bodies as body
from ecsphys.engine.dynamics import body_following as following
from ecsphys.engine.dynamics.contacts.materials import Materials
from ecsphys.engine.dynamics.step_end import wake_rows
from ecsphys.engine.kernels import zeros_of
from ecsphys.engine.tables.entity_rows import DISABLED, DRAG, PARENT, RIGID_BODY, SOLID, TRANSFORM
from ecsphys.systems.dynamics.body_masses import BodyMasses, rigid_blocks, writes_besides_motion
from ecsphys.systems.motion.motion import carried_velocities, carry_children
from ecsphys.systems.world.entity_table import NO_SLOTS, EntityTable, SlotIndex, Slots, hand_down, named_parents, united
from ecsphys.systems.world.world_tables import WorldTables

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState
    from ecsphys.systems.world.world_tables import LineChange

# Rows of no body behind the others, and an eighth of them more, where bodies come one by one.
_SPARE_ROWS: Final = 64

# More than any body's: what contacts do not move is dominated by nothing.
_UNMOVED_DOMINANCE: Final = 128

_NO_PARENTS: Final[NDArray[int64]] = np.zeros(0, int64)
NO_CARRIED: Final[NDArray[float64]] = np.zeros((0, 3))
"""The velocities of bodies that parents carry, where there are none."""

# RigidBody's fields of a material, in the order of its columns.
_SURFACE_FIELDS: Final = ("friction", "restitution", "rolling_resistance", "tangent_speed")
_DEFAULTS: Final = {field.name: field.default for field in RigidBody._columns.fields}
_DEFAULT_SURFACE: Final = [_DEFAULTS[name] for name in _SURFACE_FIELDS]


class _Sources(NamedTuple):
    """The sources of the list: the revision of the tables, −1 if the list does not hold; how many writes to
    ``RigidBody``; what joints hold; the characters and their masses; and the parents. And the rows of the bodies that
    these carry."""

    revision: int
    written: int
    anchors: Slots
    characters: ComponentRows
    masses: NDArray[float64]
    parents: NDArray[int64]
    carried: Slots


_NO_SOURCES: Final = _Sources(-1, -1, NO_SLOTS, NO_ROWS, np.zeros(0), _NO_PARENTS, NO_SLOTS)


class BodyTable:
    """A row for every entity with a ``RigidBody``, every moving ``Solid`` entity and every ``Character`` with a mass,
    by ascending entity.

    Row 0 is the world: all solid entities that do not move and have no body of their own. The rows are numbered again
    if a new body belongs between others, or if entities with parents, characters or ends of joints change.

    Attributes
    ----------
    listed, own
        The kind of each body, its rows of components, its mass, and its forces; and its materials and other data.
    used
        The rows from here on are room for more bodies.
    body_of
        For each slot of a collider the row of its body, −1 for hits without response, for example of a sensor.
    states
        The sleep of bodies.
    masses
        Weighs the bodies.
    held
        The slots of the entities that stepped motion leaves alone.
    written_rows
        Rows with other bodies than the solver knows, until it takes them from here.
    found_rows
        Rows of bodies that ``Bodies`` has found in the list, by entity.
    is_solved
        Whether bodies have moved in a step whose hits are not found yet: their rows must stay as they are.
    revision, collider_changes, sleep_changes
        Grow with each new list; if a collider of a body, or of a solid entity, may have come, gone or changed its
        body; and if any body falls asleep or wakes.
    """

    def __init__(self, tables: WorldTables, measurement: int = 0) -> None:
        self.tables = tables
        self.masses = BodyMasses(self, measurement)
        self.held = SlotIndex()
        self.found_rows: dict[int, int] = {}
        self.is_solved = False
        self.revision = self.collider_changes = self.sleep_changes = 0
        self._any_sleeps: tuple[object, int, bool] = None, -1, False
        # The answer of esper and the number of writes for which the list was found to agree with the tables.
        self._agrees: tuple[object, int] = None, -1
        self._anchors: Slots = NO_SLOTS
        self._empty()

    def _empty(self) -> None:
        self.found_rows.clear()
        self.listed, self.states, self.own = _new_rows(1, np.zeros(0, uint8))
        self.body_of: Slots = NO_SLOTS
        self.held.put(NO_SLOTS, 0)
        self.used = 1
        self.written_rows: list[Slots] = []
        self._sources = _NO_SOURCES
        self.masses.begin(NO_SLOTS, NO_SLOTS, np.zeros(0))

    def __len__(self) -> int:
        return len(self.listed.kind)

    def hold(self, anchors: Slots) -> None:
        """List some moving entities that joints hold, and that are not bodies, as kinematic. Their colliders push
        nothing."""
        if not np.array_equal(anchors, self._anchors):
            self._anchors = anchors

    def is_current(self) -> bool:
        """Whether the list agrees with the last tables."""
        return self._sources.revision == self.tables.revision and self._sources.anchors is self._anchors

    def is_as_it_was(self) -> bool:
        """Whether the list was found to agree with the present tables, and nothing was written since."""
        answer, writes = self._agrees
        return (
            self.tables.answer is answer
            and self.is_current()
            and writes_besides_motion() == writes
            and self._are_fields_as_they_were()
        )

    @property
    def tells_all(self) -> bool:
        """Whether all fields that the list was made of tell when they are written."""
        return not (self._sources.masses.size or self._sources.parents.size)

    def _are_fields_as_they_were(self) -> bool:
        """Whether those fields of other components are that the list was made of: assignments to them are not told."""
        sources = self._sources
        if sources.masses.size and not np.array_equal(_masses_of(sources.characters), sources.masses):
            return False
        return not sources.parents.size or np.array_equal(self._parents_now(), sources.parents)

    def _parents_now(self) -> NDArray[int64]:
        entities = self.tables.entities
        return named_parents(entities, entities.having(PARENT)) if entities.instances[PARENT].count else _NO_PARENTS

    def update(self) -> None:
        """Update the list from the tables. A dynamic body without a ``Velocity`` gets one."""
        if self.is_as_it_was():
            return
        tables, writes = self.tables, writes_besides_motion()
        if tables.entities.instances[RIGID_BODY].count:
            result = following.LACKS_VELOCITY
            while result == following.LACKS_VELOCITY:
                result = self._follow()
                if result in (following.BELONGS_BETWEEN, following.HAS_NO_ROOM):
                    result = self._list(result == following.HAS_NO_ROOM)
                    self.collider_changes += 1
        else:
            if len(self) > 1 or len(self.held):
                self._empty()
                self.revision += 1
                self.collider_changes += 1
            self._sources = self._sources._replace(revision=tables.revision, anchors=self._anchors)
        # Last: after an interrupt, this is done once more.
        self._agrees = tables.answer, writes

    def _follow(self) -> int:
        """Update the rows of the entities that have changed since the list was made. Returns FOLLOWED, or why not:
        then nothing has changed."""
        tables, entities, sources = self.tables, self.tables.entities, self._sources
        written = RigidBody._columns.writes.collect()
        if (
            sources.revision < 0
            or self.is_solved
            or sources.anchors is not self._anchors
            or sources.characters is not rows_of(Character)
            or not self._are_fields_as_they_were()
            or (changed := self._changed_slots(written)) is None
        ):
            return following.BELONGS_BETWEEN
        result: int = following.FOLLOWED
        if changed.size:
            self._make_room_for_slots()
            # Parents pass changes on.
            if entities.instances[PARENT].count or self.own.roles[changed].any():
                return following.BELONGS_BETWEEN
            changed = changed[entities.slots.entity[changed].argsort()] if changed.size > 1 else changed
            result, lists, counts = self._write(changed, self.used, self.listed, self.states, self.own)
            if result == following.FOLLOWED:
                self._note(changed, lists, counts)
        if result == following.FOLLOWED:
            self._sources = sources._replace(revision=tables.revision, written=written)
        return result

    def _make_room_for_slots(self) -> None:
        """Have room for all slots of entities and of colliders that there are."""
        own, count = self.own, self.tables.entities.slots.entity.size
        if own.row_of.size < count:
            row_of, of_entity = padded(own.row_of, count), padded(own.of_entity, count)
            roles = np.zeros(count, uint8)
            roles[: own.roles.size] = own.roles
            self.own = own._replace(row_of=row_of, of_entity=of_entity, roles=roles)
        self.body_of = padded(self.body_of, self.tables.colliders.capacity)

    def _changed_slots(self, written: int) -> Slots | None:
        """The slots of the entities that came, went or changed, or whose ``RigidBody`` was written, since the list was
        made; None where it may be any."""
        touched, sources = self.tables.touched_since(self._sources.revision), self._sources
        if touched is None or sources.written == written:
            return touched
        writes = RigidBody._columns.writes.since(sources.written)
        if writes.everything:
            return None
        slots = self.tables.owners_in(RIGID_BODY, writes.rows)
        return united((touched, slots[slots >= 0]))

    def _write(
        self, changed: Slots, used: int, listed: body.BodyList, states: body.SleepStates, own: following.BodyTableRows
    ) -> tuple[int, NDArray[int32], list[int]]:
        """Call :func:`follow_bodies`; returns its result, lists and counts. After FOLLOWED the list does not hold until
        it has new sources. Dynamic bodies that lack a ``Velocity`` get one."""
        entities, sources = self.tables.entities, self._sources
        lists, counts = np.empty((following.LISTS, changed.size), int32), np.zeros(following.FOLLOWING_COUNTS, int64)
        counts[following.USED] = used
        self._sources = _NO_SOURCES
        bodies = following.ListedBodies(entities.slots, rigid_blocks(), listed, states, own)
        result = following.follow_bodies(changed, bodies, lists, counts)
        if result != following.FOLLOWED:
            self._sources = sources
        if result == following.LACKS_VELOCITY:
            lacking = lists[following.WRITTEN, : counts[following.WRITTEN]]
            add_many(entities.slots.entity[lacking].tolist(), Velocity)
            self.tables.update()
        return result, lists, counts.tolist()

    def _note(self, changed: Slots, lists: NDArray[int32], counts: list[int]) -> None:
        """Note what :func:`follow_bodies` has changed."""
        tables = self.tables
        self.used = counts[following.USED]
        self.sleep_changes += counts[following.IS_WOKEN] + counts[following.IS_OTHER_KIND]
        self.collider_changes += counts[following.IS_OF_BODIES] > 0
        for gone in tables.colliders.absences:
            self.body_of[gone] = -1
        self.masses.note_colliders(tables.colliders_of(changed))
        if counts[following.WRITTEN]:
            self.written_rows.append(lists[following.WRITTEN, : counts[following.WRITTEN]])
        lists_of_masses = following.UNMEASURED, following.GONE, following.RESTED
        self.masses.note_changed(*(lists[of, : counts[of]] for of in lists_of_masses))
        self.held.follow(changed, lists[following.IS_HELD].tolist(), tables.entities.slots.entity.size)

    def _list(self, has_room: bool = False) -> int:
        """List all bodies in new rows; ``has_room``: with rows for more. Returns FOLLOWED, or why nothing has
        changed."""
        if self._sources.revision < 0:
            # An interrupt may have left rows of two lists.
            self._empty()
        tables, entities, characters = self.tables, self.tables.entities, rows_of(Character)
        sources = _Sources(
            tables.revision,
            RigidBody._columns.writes.collect(),
            self._anchors,
            characters,
            _masses_of(characters),
            self._parents_now(),
            NO_SLOTS,
        )
        walking, numbers = entities.find_slots(characters.entity), entities.slots.entity
        walks = (walking >= 0) & (sources.masses > 0.0)
        walking, walking_masses = walking[walks], sources.masses[walks]
        roles = np.zeros(numbers.size, uint8)
        roles[self._anchors] = following.HELD_BY_JOINT
        roles[walking] = following.WALKS
        may_be_body = roles != 0
        for line in (RIGID_BODY, SOLID):
            may_be_body[entities.having(line)] = True
        slots = np.flatnonzero(may_be_body).astype(int32)
        slots = slots[numbers[slots].argsort(kind="stable")]
        result, count = following.HAS_NO_ROOM, 1
        while result == following.HAS_NO_ROOM:
            listed, states, own = _new_rows(count, roles)
            result, lists, counts = self._write(slots, 1, listed, states, own)
            needed = counts[following.NEEDED]
            count = needed + (_SPARE_ROWS + (needed - 1) // 8 if has_room else 0)
        if result != following.FOLLOWED:
            return result
        # Children without a RigidBody belong to the bodies of their parents.
        children = entities.having(PARENT)
        hand_down(entities, own.of_entity, children[entities.rows_of(RIGID_BODY)[children] < 0], 0)
        # A push since the last step stays if it is the same body.
        before, now = self._same_bodies(own)
        old, old_rows, new_rows = self.listed, _run_of(before), _run_of(now)
        listed.forces[new_rows] = old.forces[old_rows]
        listed.masses[new_rows] = old.masses[old_rows]
        is_written = (self.own.values[:, old_rows] != own.values[:, new_rows]).any(axis=0)
        is_as_it_was = (old.kind[old_rows] == listed.kind[new_rows]) & ~is_written
        is_as_it_was &= (old.rows[:, old_rows] == listed.rows[:, new_rows]).all(axis=0)
        _carry_sleep(self.states, before[is_as_it_was], now[is_as_it_was], states)
        # New and written bodies also wake the bodies that lie on them. While the game holds a view, the list is made
        # several times before that.
        is_changed = is_written | (self.states.is_changed[before] != 0)
        states.is_changed[now] = is_changed
        # A disabled body hits nothing but keeps its mass. A written body is measured again.
        disabled = NO_SLOTS
        if entities.instances[DISABLED].count:
            weighed = now[(listed.masses[now, body.OWN_INVERSE_MASS] > 0.0) & ~is_changed]
            disabled = np.intersect1d(own.of_entity[entities.having(DISABLED)], weighed)
        walking_rows = own.row_of[walking]
        walks = (walking_rows > 0) & (listed.kind[walking_rows] == body.CHARACTER)
        is_held = lists[following.IS_HELD] != 0
        carried = np.flatnonzero((listed.kind == body.KINEMATIC) & (listed.owner >= 0)).astype(int32)
        carried = carried[entities.rows_of(PARENT)[listed.owner[carried]] >= 0]
        self.found_rows.clear()
        self.listed, self.states, self.own, self.used = listed, states, own, counts[following.USED]
        self.written_rows = []
        self.held.put(slots[is_held], numbers.size)
        self.masses.begin(disabled, walking_rows[walks], walking_masses[walks])
        self.masses.leave_out_sensors()
        self.revision += 1
        self._sources = sources._replace(carried=carried)
        return result

    def _same_bodies(self, own: following.BodyTableRows) -> tuple[Slots, Slots]:
        """The rows, ascending, of the bodies that are in other rows as well; and these."""
        before = np.flatnonzero(self.own.numbers >= 0).astype(int32)
        now = own.row_of[self.listed.owner[before]]
        is_same = (now > 0) & (own.numbers[now] == self.own.numbers[before])
        is_same &= own.rigid_rows[now] == self.own.rigid_rows[before]
        return before[is_same], now[is_same]

    def compact(self) -> None:
        """Remove all rows without a body, so that equal worlds have equal rows."""
        if (self.own.numbers[1:] < 0).any() and self.is_current():
            self._list()

    def bodies_of(self, slots: NDArray[int32]) -> NDArray[int32]:
        """The rows of the bodies of some colliders; −1 without a body, and if the body is not known yet."""
        if len(self) < 2 or not slots.size or int(slots.max()) >= self.body_of.size:
            return np.full(slots.shape, -1, int32)
        found: NDArray[int32] = self.body_of[slots]
        return found

    def rows_as_listed(self, owners: Slots) -> Slots:
        """The rows of the bodies of entities, by their slots, in the last list; −1 for none, and for newer entities."""
        rows, of_entity = np.full(owners.shape, -1, int32), self.own.of_entity
        known = (owners < of_entity.size) & (self.tables.entities.placed_since[owners] <= self._sources.revision)
        rows[known] = of_entity[owners[known]]
        return rows

    def row_of_owners(self, owners: Slots) -> Slots:
        """The rows of entities that are bodies, by their slots; 0 for other entities."""
        if len(self) < 2 or not owners.size or int(owners.max()) >= self.own.row_of.size:
            return np.zeros(owners.shape, int32)
        return np.maximum(self.own.row_of[owners], 0)

    def velocities_of_carried(self, state: PhysicsState) -> NDArray[float64]:
        """The velocities (n, 3) of bodies that a parent carries, NaN for others; no rows without such bodies.

        Carried entities are placed by the present poses of their parents.
        """
        carried = self._sources.carried
        if not carried.size:
            return NO_CARRIED
        carry_children(state)
        velocities = np.full((len(self), 3), np.nan)
        velocities[carried] = carried_velocities(state, self.listed.rows[TRANSFORM, carried])
        return velocities

    @property
    def all_sleep(self) -> bool:
        """Whether no dynamic body is awake."""
        return not ((self.states.island == body.AWAKE) & (self.listed.kind == body.DYNAMIC)).any()

    @property
    def any_sleeps(self) -> bool:
        """Whether any body may sleep; computed only after changes."""
        island, changes, result = self._any_sleeps
        if island is not self.states.island or changes != self.sleep_changes:
            result = bool((self.states.island != body.AWAKE).any())
            self._any_sleeps = self.states.island, self.sleep_changes, result
        return result

    def wake(self, rows: Slots) -> None:
        """Wake some bodies, and all that sleep in their islands."""
        self.sleep_changes += wake_rows(rows, self.states)

    def wake_all(self) -> None:
        """Wake all bodies."""
        if self.any_sleeps:
            self.wake(np.flatnonzero(self.states.island != body.AWAKE).astype(int32))


def give_velocities(change: LineChange, entities: EntityTable) -> bool:
    """Give a ``Velocity`` to each dynamic body of a change that has none yet; returns whether any got one.

    :meth:`BodyTable.update` does the same, but the tables must be updated once more then. Values that may have been
    written through views are left to it: they are not checked yet.
    """
    if RigidBody._columns.views.count:
        return False
    numbers = entities.slots.entity[change.slots].tolist()
    places, velocities = components_of(numbers, Transform), components_of(numbers, Velocity)
    lacking = [
        entity
        for entity, one, at, velocity in zip(numbers, change.found, places, velocities, strict=True)
        if one is not None and at is not None and velocity is None and one.kind == "dynamic"
    ]
    add_many(lacking, Velocity)
    return bool(lacking)


def _masses_of(characters: ComponentRows) -> NDArray[float64]:
    """The ``mass`` of each character, 0 for none."""
    masses: NDArray[float64] = Character._columns.row_of_block("mass")[characters.row]
    return masses


def _new_rows(count: int, roles: NDArray[uint8]) -> tuple[body.BodyList, body.SleepStates, following.BodyTableRows]:
    """Rows without bodies, which are like the world's, and as many slots of entities as ``roles``."""
    columns = body.MASS_COLUMNS, body.FORCE_COLUMNS, body.ARM_COLUMNS
    listed = zeros_of(body.BodyList, count, (DRAG + 1, count), count, *[(count, one) for one in columns])
    listed.kind[:], listed.rows[:], listed.owner[:], listed.arms[:] = body.STATIC, -1, -1, np.nan
    states = zeros_of(body.SleepStates, count, count, (count, 3), count, count, count, count, (0, 2))
    states.island[:] = body.AWAKE
    own = following.BodyTableRows(
        np.full(roles.size, -1, int32),
        np.full(roles.size, -1, int32),
        roles,
        np.full(count, -1, int64),
        np.full(count, -1, int32),
        np.zeros((len(RigidBody._columns.fields), count)),
        Materials(np.tile(_DEFAULT_SURFACE, (count, 1)), np.full(count, _UNMOVED_DOMINANCE, int32)),
        np.zeros(count, uint8),
        np.zeros(count, uint8),
        np.full(count, _DEFAULTS["rolling_resistance"]),
    )
    return listed, states, own


def padded(rows: Slots, count: int) -> Slots:
    """The rows of at least so many slots; −1 for slots that had none."""
    missing = count - rows.size
    return rows if missing <= 0 else np.concatenate((rows, np.full(missing, -1, int32)))


def _run_of(rows: Slots) -> slice | Slots:
    """Ascending rows as a slice where they follow each other, which is many times faster to read and write."""
    count = len(rows)
    is_run = count > 0 and int(rows[-1]) - int(rows[0]) == count - 1
    return slice(int(rows[0]), int(rows[-1]) + 1) if is_run else rows


def _carry_sleep(old: body.SleepStates, before: Slots, now: Slots, states: body.SleepStates) -> None:
    """Write the states of bodies that have other rows ``now``; an island that has lost one is awake."""
    old_rows, new_rows = _run_of(before), _run_of(now)
    states.slow_for[new_rows] = old.slow_for[old_rows]
    states.accelerations[new_rows] = old.accelerations[old_rows]
    states.touching[new_rows] = old.touching[old_rows]
    place: Slots = np.full(len(old.island), body.AWAKE, int32)
    place[before] = now
    island = old.island
    lost = np.flatnonzero((island != body.AWAKE) & (place == body.AWAKE))
    is_broken = np.zeros(len(island), bool_)
    is_broken[island[lost]] = True
    asleep = island[before] != body.AWAKE
    before, now = before[asleep], now[asleep]
    whole = ~is_broken[island[before]]
    states.island[now[whole]] = place[island[before[whole]]]
    states.slow_for[now[~whole]] = 0.0
