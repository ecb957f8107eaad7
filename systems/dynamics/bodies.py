"""``Bodies``: forces, impulses and velocities of rigid bodies, and their sleep."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import esper
import numpy as np
from numpy import float64, int32
from numpy.typing import NDArray

from ecsphys.components.dynamics.rigid_body import RigidBody
from ecsphys.components.motion.transform import Parent, Transform, Velocity
from ecsphys.components.store.change_log import ENTRIES, PUSHED, WRITTEN
from ecsphys.components.store.column import as_array, show
from ecsphys.components.store.many import dead_entities
from ecsphys.components.store.standing_blocks import blocks_stay
from ecsphys.engine.dynamics import bodies as body
from ecsphys.engine.math.elementary import cos_sin_of
from ecsphys.engine.tables.entity_rows import TRANSFORM, VELOCITY
from ecsphys.systems.arguments import KnownAttributes, whole_number
from ecsphys.systems.world.entity_table import TRAJECTORY_CLASSES
from ecsphys.systems.world.esper_world import NeverAttached, has_entity, refuse_other_world

if TYPE_CHECKING:
    from ecsphys.systems.dynamics.body_table import BodyTable
    from ecsphys.systems.physics_state import PhysicsState

_Rows = int | NDArray[int32]

# As many values as there are rows are asked for.
_ONE_ROW = np.zeros(1, int32)


class MassProperties(NamedTuple):
    """Mass, center of mass, and moment of inertia about the center of mass.

    Attributes
    ----------
    mass
        > 0.
    center
        (x, y): from :meth:`Bodies.mass_of` in the world, from ``geometry.mass_properties`` in the entity's frame.
    inertia
        mass · units²; ``inf`` for a body that cannot rotate.
    """

    mass: float
    center: tuple[float, float]
    inertia: float


class Bodies(KnownAttributes):
    """Forces, impulses and velocities of the rigid bodies of one world; ``physics.bodies`` is one."""

    _called = "physics.bodies"

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        # Rows that were found, by entity, and the list of bodies that has them. They hold in the world of the name, as
        # long as esper has the same answer, and as no log has other entries of games.
        self._rows = state.body_table.found_rows
        self._listed = state.body_table.listed
        self._answer: object = None
        self._world, self._entries = "", -1

    def apply_force(self, entity: Any, force: Any, point: Any = None) -> None:
        """Apply a force (x, y) during the next step, at a point (x, y) of the world, or at the center of mass.

        Give one entity, or an array (k,) of them; force and point are pairs, or arrays (k, 2). Forces add up, and end
        with the step. ValueError for an entity that is not a dynamic body, or for a number that is not finite,
        TypeError for a value that is not a number; nothing is applied then.

        Examples
        --------
        >>> physics = ecsphys.install()
        >>> crate = esper.create_entity(Transform(), OBBCollider(0.5, 0.5), RigidBody(mass=2))
        >>> physics.bodies.apply_force(crate, (10, 0))
        >>> esper.process(0.1)
        >>> round(esper.component_for_entity(crate, Velocity).x, 6)
        0.5
        """
        rows = self._find_rows("apply_force", entity)
        x, y = _vectors("force", force, rows)
        self._add_force(rows, x, y, self._moment(rows, x, y, point))

    def apply_torque(self, entity: Any, torque: Any) -> None:
        """Apply a torque during the next step, mass · units²/s², counter-clockwise; as :meth:`apply_force`."""
        rows = self._find_rows("apply_torque", entity)
        self._add_force(rows, 0.0, 0.0, _numbers("torque", torque, rows))

    def apply_impulse(self, entity: Any, impulse: Any, point: Any = None) -> None:
        """Change velocities at once by an impulse (x, y), mass · units/s; arguments as :meth:`apply_force`.

        Examples
        --------
        >>> physics = ecsphys.install()
        >>> crate = esper.create_entity(Transform(), OBBCollider(0.5, 0.5), RigidBody(mass=2))
        >>> physics.bodies.apply_impulse(crate, (8, 0))
        >>> esper.component_for_entity(crate, Velocity).x
        4.0
        """
        rows = self._find_rows("apply_impulse", entity)
        x, y = _vectors("impulse", impulse, rows)
        self._add_velocity(rows, x, y, self._moment(rows, x, y, point))

    def apply_angular_impulse(self, entity: Any, impulse: Any) -> None:
        """Change angular velocities at once by an angular impulse, mass · units²/s; as :meth:`apply_impulse`."""
        rows = self._find_rows("apply_angular_impulse", entity)
        self._add_velocity(rows, 0.0, 0.0, _numbers("impulse", impulse, rows))

    def set_velocity(self, entity: Any, velocity: Any, angular: Any = None) -> None:
        """Set the velocities (x, y) of centers of mass, units/s; arguments as for :meth:`apply_force`.

        If ``angular`` is given, it also sets the angular velocities, radians/s.
        """
        rows = self._find_rows("set_velocity", entity)
        x, y = _vectors("velocity", velocity, rows)
        spin = None if angular is None else _numbers("angular", angular, rows)
        own = self._listed.rows[VELOCITY, rows]
        if type(rows) is int:
            _set_velocity(own, x, y, spin)
        else:
            with blocks_stay():
                _set_velocity(own, x, y, spin)

    def wake(self, entity: Any) -> None:
        """Wake bodies, and all bodies that sleep with them; arguments as :meth:`apply_force`."""
        rows = self._rows_of("wake", entity)
        table = self._state.body_table
        table.wake(rows)

    def sleep(self, entity: Any) -> None:
        """Stop bodies and put them to sleep at once, until something acts on them; arguments as :meth:`apply_force`."""
        rows = self._rows_of("sleep", entity)
        table = self._state.body_table
        if self._state.solver is not None:
            self._state.solver.follow_settings()
        with blocks_stay():
            Velocity._columns.float64[:, table.listed.rows[VELOCITY, rows]] = 0.0
        states = table.states
        awake = rows[states.island[rows] == body.AWAKE]
        states.accelerations[awake] = np.nan
        states.touching[awake] = 0
        states.island[awake] = awake
        table.sleep_changes += 1

    def is_asleep(self, entity: int) -> bool:
        """Whether one body sleeps. Static and kinematic bodies never do. Raises ValueError for an entity without a
        body."""
        number = whole_number("entity", entity)
        row, table = self._find(number), self._state.body_table
        if row <= 0 or table.own.rigid_rows[row] < 0:
            raise ValueError(f"is_asleep: {_why_no_body(number)}")
        return bool(table.listed.kind[row] == body.DYNAMIC and table.states.island[row] != body.AWAKE)

    def mass_of(self, entity: int) -> MassProperties:
        """Mass, center and inertia of one dynamic body. Raises ValueError for other entities."""
        row = self._find_rows("mass_of", whole_number("entity", entity))
        masses = self._listed.masses[row]
        x, y = self._centers(row)
        inverse = masses[body.OWN_INVERSE_INERTIA]
        return MassProperties(
            1.0 / float(masses[body.OWN_INVERSE_MASS]), (x, y), 1.0 / float(inverse) if inverse > 0.0 else math.inf
        )

    def _bring_up_to_date(self) -> BodyTable:
        """The table of the present bodies."""
        state = self._state
        refuse_other_world(state.world)
        if state.is_current() and state.body_table.is_as_it_was():
            return state.body_table
        state.update()
        state.levels.update()
        table = state.body_table
        table.update()
        state.update()
        return table

    def _find(self, entity: int) -> int:
        """The row of one present body, 0 or less for none."""
        rows = self._bring_up_to_date().own.row_of
        slot = self._state.tables.entities.slot_of.get(entity, -1)
        return int(rows[slot]) if 0 <= slot < len(rows) else 0

    def _find_rows(self, what: str, entity: Any) -> _Rows:
        """The row of one dynamic body, or the rows of many, as :meth:`_rows_of` finds them. Calls for one use no
        arrays, which take ten times as long."""
        if type(entity) is not int:
            return self._rows_of(what, entity)
        if (
            (known := self._rows.get(entity)) is not None
            and esper.get_component(NeverAttached) is self._answer
            and ENTRIES.made - ENTRIES.stepped == self._entries
            and 1 not in WRITTEN
            and esper.current_world == self._world
        ):
            # Nothing has changed since but by steps: these may go on ahead of the table.
            PUSHED[0] = 1
            return known
        row, table = self._find(entity), self._state.body_table
        if row <= 0 or table.listed.kind[row] != body.DYNAMIC:
            raise ValueError(f"{what}: {_why_no_dynamic_body(entity)}")
        self._measure(table)
        if table.tells_all and 1 not in WRITTEN:
            self._rows[entity] = row
        PUSHED[0] = 1
        return row

    def _measure(self, table: BodyTable) -> None:
        """Measure the bodies of an up-to-date table, and forget rows that were found in another one."""
        table.masses.measure(self._state)
        answer, entries = self._state.tables.answer, ENTRIES.of_games
        if (
            self._rows is not table.found_rows
            or self._listed is not table.listed
            or answer is not self._answer
            or entries != self._entries
        ):
            # In this order: if an interrupt parts the two, no row is known.
            self._rows = table.found_rows
            self._rows.clear()
            self._world, self._listed, self._answer, self._entries = esper.current_world, table.listed, answer, entries

    def _rows_of(self, what: str, entity: Any) -> NDArray[int32]:
        """The rows of dynamic bodies, up to date and measured. Raises ValueError for other entities."""
        table = self._bring_up_to_date()
        entities = np.atleast_1d(as_array(entity))
        if not entities.size:
            return np.zeros(0, int32)
        if entities.ndim != 1 or entities.dtype.kind not in "iu":
            raise TypeError(f"{what}: entity must be a whole number, or an array of them, got {show(entity)}")
        slots = self._state.tables.entities.find_slots(entities)
        rows = np.where(slots >= 0, table.own.row_of[slots] if table.own.row_of.size else -1, -1).astype(int32)
        kinds = table.listed.kind[np.maximum(rows, 0)]
        bad = np.flatnonzero((rows <= 0) | (kinds != body.DYNAMIC))
        if bad.size:
            raise ValueError(f"{what}: {_why_no_dynamic_body(int(entities[bad[0]]))}")
        self._measure(table)
        PUSHED[0] = 1
        return rows

    def _centers(self, rows: _Rows) -> tuple[Any, Any]:
        """Where the centers of mass of bodies are in the world, along x and y."""
        listed = self._listed
        block, own, masses = Transform._columns.float64, listed.rows[TRANSFORM, rows], listed.masses
        if type(rows) is int:
            x, y = float(block[0, own]), float(block[1, own])
            local_x, local_y = float(masses[rows, body.LOCAL_X]), float(masses[rows, body.LOCAL_Y])
            if local_x == local_y == 0.0:
                return x, y
            (cos,), (sin,) = (one.tolist() for one in cos_sin_of(block[2, own : own + 1]))
        else:
            x, y, angle = block[:, own]
            local_x, local_y = masses[rows, body.LOCAL_X], masses[rows, body.LOCAL_Y]
            cos, sin = cos_sin_of(angle)
        return x + cos * local_x - sin * local_y, y + sin * local_x + cos * local_y

    def _moment(self, rows: _Rows, x: Any, y: Any, point: Any) -> Any:
        """The torque of a force (x, y) at a point about the center of mass; 0 without a point."""
        if point is None:
            return 0.0
        point_x, point_y = _vectors("point", point, rows)
        center_x, center_y = self._centers(rows)
        return (point_x - center_x) * y - (point_y - center_y) * x

    def _add_force(self, rows: _Rows, x: Any, y: Any, torque: Any) -> None:
        forces = self._listed.forces
        if type(rows) is not int:
            np.add.at(forces, rows, np.stack(np.broadcast_arrays(x, y, torque), axis=1))
            return
        # No call in between: no interrupt comes before all three.
        forces[rows, body.FORCE_X] += x
        forces[rows, body.FORCE_Y] += y
        forces[rows, body.TORQUE] += torque

    def _add_velocity(self, rows: _Rows, x: Any, y: Any, turn: Any) -> None:
        listed = self._listed
        own, inverse_mass = listed.rows[VELOCITY, rows], listed.masses[rows, body.OWN_INVERSE_MASS]
        x, y, spin = x * inverse_mass, y * inverse_mass, turn * listed.masses[rows, body.OWN_INVERSE_INERTIA]
        if type(rows) is not int:
            with blocks_stay():
                np.add.at(Velocity._columns.float64.T, own, np.stack((x, y, spin), axis=1))
            return
        velocity = Velocity._columns.float64
        # No call in between: no block is replaced, and no interrupt comes before all three.
        velocity[0, own] += x
        velocity[1, own] += y
        velocity[2, own] += spin


def _set_velocity(own: Any, x: Any, y: Any, spin: Any) -> None:
    """Write the velocities in one or more rows of the class."""
    block = Velocity._columns.float64
    block[0, own], block[1, own] = x, y
    if spin is not None:
        block[2, own] = spin


def _why_no_body(entity: int) -> str:
    """Why an entity is not a body; "" if it has all that a body needs."""
    if not has_entity(entity):
        return f"entity {entity} does not exist"
    if entity in dead_entities():
        return f"entity {entity} is deleted"
    if not esper.has_component(entity, RigidBody):
        return f"entity {entity} has no RigidBody"
    if not esper.has_component(entity, Transform):
        return f"entity {entity} has a RigidBody, but no Transform"
    return ""


def _why_no_dynamic_body(entity: int) -> str:
    """Why an entity is not a dynamic body."""
    if reason := _why_no_body(entity):
        return reason
    kind = esper.component_for_entity(entity, RigidBody).kind
    if kind != "dynamic":
        return f"entity {entity} has no dynamic RigidBody: its kind is {kind!r}"
    movers: tuple[type[Any], ...] = (Parent, *TRAJECTORY_CLASSES)
    placing = [cls.__name__ for cls in movers if esper.has_component(entity, cls)]
    return f"entity {entity} has a RigidBody, but its {' and '.join(placing)} places it, so it is not a dynamic body"


def _numbers(name: str, value: Any, rows: _Rows) -> Any:
    """A finite number for one row, or an array of them; errors as for :func:`_finite`."""
    if not isinstance(rows, int):
        return _finite(name, value, rows)
    if type(value) is float and value - value == 0.0:
        return value
    return float(_finite(name, value, _ONE_ROW)[0])


def _vectors(name: str, value: Any, rows: _Rows) -> tuple[Any, Any]:
    """A finite x and y for one row, or arrays of them; errors as for :func:`_finite`."""
    if not isinstance(rows, int):
        x, y = _finite(name, value, rows, (2,)).T
        return x, y
    if type(value) is tuple and len(value) == 2:
        x, y = value
        # Infinity and NaN, less themselves, are NaN.
        if type(x) is float and type(y) is float and x - x == y - y == 0.0:
            return x, y
    ((x, y),) = _finite(name, value, _ONE_ROW, (2,)).tolist()
    return x, y


def _finite(name: str, value: Any, rows: NDArray[Any], shape: tuple[int, ...] = ()) -> NDArray[float64]:
    """One finite number, or array of this shape, for each row; TypeError or ValueError naming a bad value."""
    wanted = "a pair (x, y), or an array of them" if shape else "a number, or an array of them"
    try:
        array = np.asarray(value)
    except ValueError:
        array = np.zeros(0, object)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must be {wanted}, got {show(value)}")
    if array.shape not in (shape, (len(rows), *shape)):
        got = f"an array of shape {array.shape}" if isinstance(value, np.ndarray) else show(value)
        raise ValueError(f"{name} must be {wanted}, one for each entity, got {got}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite, got {show(value)}")
    return np.broadcast_to(array, (len(rows), *shape)).astype(float64)
