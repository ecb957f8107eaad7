"""``Bodies``: forces, impulses and velocities of rigid bodies, and the settings of their solver."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import numpy as np
from numpy import float64, int32
from numpy.typing import NDArray

from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.components.store.column import as_float, finite_number, show
from ecsphys.components.store.standing_blocks import blocks_stay
from ecsphys.engine.dynamics.body_mass import DYNAMIC, LOCAL_X, LOCAL_Y, OWN_INVERSE_INERTIA, OWN_INVERSE_MASS
from ecsphys.engine.dynamics.body_state import FORCE_X, FORCE_Y, TORQUE
from ecsphys.engine.dynamics.materials import MIX_GEOMETRIC, MIX_GREATER, MIX_LESSER, MIX_MEAN, MIX_PRODUCT
from ecsphys.engine.dynamics.sleeping_bodies import AWAKE
from ecsphys.engine.math.elementwise import cos_sin_of
from ecsphys.engine.tables.entity_rows import TRANSFORM, VELOCITY
from ecsphys.systems.settings import whole_number
from ecsphys.systems.world.esper_world import refuse_other_world

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState

MixingRule = Literal["geometric mean", "greater", "mean", "lesser", "product"]

MIXING_RULES: Final[dict[MixingRule, int]] = {
    "geometric mean": MIX_GEOMETRIC,
    "greater": MIX_GREATER,
    "mean": MIX_MEAN,
    "lesser": MIX_LESSER,
    "product": MIX_PRODUCT,
}

_MOST_REPETITIONS = 1000


class MassProperties(NamedTuple):
    """Mass, centre of mass, and moment of inertia about that centre.

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


class Bodies:
    """Forces, impulses and settings of the rigid bodies of one world; ``physics.bodies`` is one.

    A bad value of a setting raises ValueError, and what is no number TypeError.

    Attributes
    ----------
    solver_substeps
        Equal parts of a step in which contacts are solved, 1 to 1000; 4 at first. More makes stacks stiffer.
    length_unit
        How many world units a middling body is long, > 0; 1 at first. A game that counts pixels says 50 or so. Speeds
        and distances below are in such lengths.
    contact_hertz, contact_damping_ratio
        How stiffly an overlap is pushed out: a spring of this frequency, at first ``inf``, which is as stiff as can be,
        an eighth of the rate of substeps; and its damping ratio, 10 at first.
    joint_hertz, joint_damping_ratio
        How stiffly joints are held together, as springs: at first ``inf``, which is as stiff as can be, a quarter of
        the rate of substeps, and twice that with four iterations; and their damping ratio, 2 at first.
    joint_iterations
        How often joints are solved where contacts are solved once, 1 to 1000; 1 at first. More carries heavier loads.
    push_out_speed
        The speed, in lengths/s, at which overlaps are pushed out at most; 3 at first.
    restitution_threshold
        The approach speed, in lengths/s, below which nothing bounces; 1 at first.
    sleep_speed
        The speed, in lengths/s, below which bodies that rest together fall asleep after half a second; 0.05 at first,
        0 lets none sleep.
    friction_mixing, restitution_mixing
        How the numbers of two bodies become one: "geometric mean", "greater", "mean", "lesser", "product".
    """

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        self.solver_substeps = 4
        self.length_unit = 1.0
        self.contact_hertz = math.inf
        self.contact_damping_ratio = 10.0
        self.joint_hertz = math.inf
        self.joint_damping_ratio = 2.0
        self.joint_iterations = 1
        self.push_out_speed = 3.0
        self.restitution_threshold = 1.0
        self.sleep_speed = 0.05
        self.friction_mixing = "geometric mean"
        self.restitution_mixing = "greater"

    @property
    def solver_substeps(self) -> int:
        return self._solver_substeps

    @solver_substeps.setter
    def solver_substeps(self, value: int) -> None:
        self._solver_substeps = _repetitions("solver_substeps", value)

    @property
    def length_unit(self) -> float:
        return self._length_unit

    @length_unit.setter
    def length_unit(self, value: float) -> None:
        self._length_unit = _positive("length_unit", value)

    @property
    def contact_hertz(self) -> float:
        return self._contact_hertz

    @contact_hertz.setter
    def contact_hertz(self, value: float) -> None:
        self._contact_hertz = _frequency("contact_hertz", value)

    @property
    def contact_damping_ratio(self) -> float:
        return self._contact_damping_ratio

    @contact_damping_ratio.setter
    def contact_damping_ratio(self, value: float) -> None:
        self._contact_damping_ratio = _positive("contact_damping_ratio", value)

    @property
    def joint_hertz(self) -> float:
        return self._joint_hertz

    @joint_hertz.setter
    def joint_hertz(self, value: float) -> None:
        self._joint_hertz = _frequency("joint_hertz", value)

    @property
    def joint_damping_ratio(self) -> float:
        return self._joint_damping_ratio

    @joint_damping_ratio.setter
    def joint_damping_ratio(self, value: float) -> None:
        self._joint_damping_ratio = _positive("joint_damping_ratio", value)

    @property
    def joint_iterations(self) -> int:
        return self._joint_iterations

    @joint_iterations.setter
    def joint_iterations(self, value: int) -> None:
        self._joint_iterations = _repetitions("joint_iterations", value)

    @property
    def push_out_speed(self) -> float:
        return self._push_out_speed

    @push_out_speed.setter
    def push_out_speed(self, value: float) -> None:
        self._push_out_speed = _positive("push_out_speed", value)

    @property
    def restitution_threshold(self) -> float:
        return self._restitution_threshold

    @restitution_threshold.setter
    def restitution_threshold(self, value: float) -> None:
        self._restitution_threshold = _not_negative("restitution_threshold", value)

    @property
    def sleep_speed(self) -> float:
        return self._sleep_speed

    @sleep_speed.setter
    def sleep_speed(self, value: float) -> None:
        self._sleep_speed = _not_negative("sleep_speed", value)

    @property
    def friction_mixing(self) -> MixingRule:
        return self._friction_mixing

    @friction_mixing.setter
    def friction_mixing(self, value: MixingRule) -> None:
        self._friction_mixing = _mixing_rule("friction_mixing", value)

    @property
    def restitution_mixing(self) -> MixingRule:
        return self._restitution_mixing

    @restitution_mixing.setter
    def restitution_mixing(self, value: MixingRule) -> None:
        self._restitution_mixing = _mixing_rule("restitution_mixing", value)

    def apply_force(self, entity: Any, force: Any, point: Any = None) -> None:
        """Apply a force (x, y) during the next step, at a point (x, y) of the world, or at the centre of mass.

        Give one entity, or an array (k,) of them; force and point are pairs, or arrays (k, 2). Forces add up, and end
        with the step. ValueError for an entity that is no dynamic body, or for a number that is not finite, TypeError
        for what is no number; nothing is applied then.

        Examples
        --------
        >>> physics = ecsphys.install()
        >>> crate = esper.create_entity(Transform(), OBBCollider(0.5, 0.5), RigidBody(mass=2))
        >>> physics.bodies.apply_force(crate, (10, 0))
        >>> esper.process(0.1)
        >>> round(esper.component_for_entity(crate, Velocity).x, 6)
        0.5
        """
        rows = self._rows_of("apply_force", entity)
        force = _vectors("force", force, rows)
        torque = np.zeros(len(rows)) if point is None else self._moment(rows, _vectors("point", point, rows), force)
        forces = self._state.body_table.listed.forces
        np.add.at(forces[:, FORCE_X], rows, force[:, 0])
        np.add.at(forces[:, FORCE_Y], rows, force[:, 1])
        np.add.at(forces[:, TORQUE], rows, torque)

    def apply_torque(self, entity: Any, torque: Any) -> None:
        """Apply a torque during the next step, mass · units²/s², counter-clockwise; as :meth:`apply_force`."""
        rows = self._rows_of("apply_torque", entity)
        np.add.at(self._state.body_table.listed.forces[:, TORQUE], rows, _numbers("torque", torque, rows))

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
        rows = self._rows_of("apply_impulse", entity)
        impulse = _vectors("impulse", impulse, rows)
        turn = np.zeros(len(rows)) if point is None else self._moment(rows, _vectors("point", point, rows), impulse)
        self._add_velocity(rows, impulse, turn)

    def apply_angular_impulse(self, entity: Any, impulse: Any) -> None:
        """Change angular velocities at once by an angular impulse, mass · units²/s; as :meth:`apply_impulse`."""
        rows = self._rows_of("apply_angular_impulse", entity)
        self._add_velocity(rows, np.zeros((len(rows), 2)), _numbers("impulse", impulse, rows))

    def set_velocity(self, entity: Any, velocity: Any, angular: Any = None) -> None:
        """Set velocities (x, y), units/s, and unless None angular ones, radians/s; as :meth:`apply_force`."""
        rows = self._rows_of("set_velocity", entity)
        velocity = _vectors("velocity", velocity, rows)
        spin = None if angular is None else _numbers("angular", angular, rows)
        own = self._state.body_table.listed.rows[VELOCITY, rows]
        with blocks_stay():
            block = Velocity._columns.float64
            block[0, own], block[1, own] = velocity.T
            if spin is not None:
                block[2, own] = spin

    def wake(self, entity: Any) -> None:
        """Wake bodies, and all bodies that sleep with them; arguments as :meth:`apply_force`."""
        table = self._state.body_table
        rows = self._rows_of("wake", entity)
        woken = np.union1d(table.members_of(rows), rows)
        table.states.island[woken] = AWAKE
        table.states.slow_for[woken] = 0.0
        table.sleep_changes += 1

    def sleep(self, entity: Any) -> None:
        """Stop bodies and put them to sleep at once, until something acts on them; arguments as :meth:`apply_force`."""
        table = self._state.body_table
        rows = self._rows_of("sleep", entity)
        with blocks_stay():
            Velocity._columns.float64[:, table.listed.rows[VELOCITY, rows]] = 0.0
        states = table.states
        awake = rows[states.island[rows] == AWAKE]
        states.accelerations[awake] = np.nan
        states.touching[awake] = 0
        states.island[awake] = awake
        table.sleep_changes += 1

    def is_asleep(self, entity: int) -> bool:
        """Whether one dynamic body sleeps; ValueError for what is none."""
        row = self._rows_of("is_asleep", whole_number("entity", entity))
        return bool(self._state.body_table.states.island[row[0]] != AWAKE)

    def mass_of(self, entity: int) -> MassProperties:
        """Mass, centre and inertia of one dynamic body; ValueError for what is none."""
        row = self._rows_of("mass_of", whole_number("entity", entity))
        masses = self._state.body_table.listed.masses[row[0]]
        x, y = self._centers(row)[0].tolist()
        inverse = masses[OWN_INVERSE_INERTIA]
        return MassProperties(
            1.0 / float(masses[OWN_INVERSE_MASS]), (x, y), 1.0 / float(inverse) if inverse > 0.0 else math.inf
        )

    def _rows_of(self, what: str, entity: Any) -> NDArray[int32]:
        """The rows of dynamic bodies, which are up to date and measured; ValueError for an entity that is none."""
        state = self._state
        refuse_other_world(state.world)
        state.update()
        state.levels.update()
        table = state.body_table
        table.update()
        state.update()
        try:
            entities = np.atleast_1d(np.asarray(entity))
        except ValueError:  # rows of different lengths
            entities = np.zeros(1, object)
        if not entities.size:
            return np.zeros(0, int32)
        if entities.ndim != 1 or entities.dtype.kind not in "iu":
            raise TypeError(f"{what}: entity must be a whole number, or an array of them, got {show(entity)}")
        slot_of = state.tables.entities.slot_of
        slots = np.array([slot_of.get(number, -1) for number in entities.tolist()], int32)
        rows = np.where(slots >= 0, table.row_of[slots] if table.row_of.size else -1, -1).astype(int32)
        kinds = table.listed.kind[np.maximum(rows, 0)]
        bad = np.flatnonzero((rows <= 0) | (kinds != DYNAMIC))
        if bad.size:
            raise ValueError(f"{what}: entity {int(entities[bad[0]])} is no dynamic body")
        table.measure(state)
        return rows

    def _centers(self, rows: NDArray[int32]) -> NDArray[float64]:
        """Where the centres of mass of bodies are in the world, (k, 2)."""
        listed = self._state.body_table.listed
        x, y, angle = Transform._columns.float64[:, listed.rows[TRANSFORM, rows]]
        local_x, local_y = listed.masses[rows, LOCAL_X], listed.masses[rows, LOCAL_Y]
        cos, sin = cos_sin_of(angle)
        return np.stack((x + cos * local_x - sin * local_y, y + sin * local_x + cos * local_y), axis=1)

    def _moment(self, rows: NDArray[int32], point: NDArray[float64], force: NDArray[float64]) -> NDArray[float64]:
        """The torque of a force at a point about the centre of mass."""
        arm = point - self._centers(rows)
        moment: NDArray[float64] = arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0]
        return moment

    def _add_velocity(self, rows: NDArray[int32], impulse: NDArray[float64], turn: NDArray[float64]) -> None:
        table = self._state.body_table
        listed = table.listed
        masses = listed.masses[rows]
        change = impulse * masses[:, OWN_INVERSE_MASS, None]
        spin = turn * masses[:, OWN_INVERSE_INERTIA]
        # The component's velocity is that of the position: v = v_centre − ω × r.
        own = listed.rows[TRANSFORM, rows]
        arm = self._centers(rows) - Transform._columns.float64[:2, own].T
        velocity_rows = listed.rows[VELOCITY, rows]
        with blocks_stay():
            block = Velocity._columns.float64
            np.add.at(block[0], velocity_rows, change[:, 0] + spin * arm[:, 1])
            np.add.at(block[1], velocity_rows, change[:, 1] - spin * arm[:, 0])
            np.add.at(block[2], velocity_rows, spin)


def _repetitions(name: str, value: Any) -> int:
    count = whole_number(name, value)
    if not 1 <= count <= _MOST_REPETITIONS:
        raise ValueError(f"{name} must be 1 to {_MOST_REPETITIONS}, got {value!r}")
    return count


def _positive(name: str, value: Any) -> float:
    number = finite_number(name, value)
    if number <= 0.0:
        raise ValueError(f"{name} must be greater than 0, got {value!r}")
    return number


def _frequency(name: str, value: Any) -> float:
    return math.inf if as_float(name, value) == math.inf else _positive(name, value)


def _not_negative(name: str, value: Any) -> float:
    number = finite_number(name, value)
    if number < 0.0:
        raise ValueError(f"{name} must be at least 0, got {value!r}")
    return number


def _mixing_rule(name: str, value: Any) -> MixingRule:
    if not isinstance(value, str) or value not in MIXING_RULES:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, MIXING_RULES))}, got {show(value)}")
    rule: MixingRule = value
    return rule


def _numbers(name: str, value: Any, rows: NDArray[Any]) -> NDArray[float64]:
    """One finite number for each row; TypeError or ValueError naming what is none."""
    return _finite(name, value, rows, ())


def _vectors(name: str, value: Any, rows: NDArray[Any]) -> NDArray[float64]:
    """One finite pair for each row; TypeError or ValueError naming what is none."""
    return _finite(name, value, rows, (2,))


def _finite(name: str, value: Any, rows: NDArray[Any], shape: tuple[int, ...]) -> NDArray[float64]:
    wanted = "a pair (x, y), or an array of them" if shape else "a number, or an array of them"
    try:
        array = np.asarray(value)
    except ValueError:
        array = np.zeros(0, object)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} must be {wanted}, got {show(value)}")
    if array.shape not in (shape, (len(rows), *shape)):
        raise ValueError(f"{name} must be {wanted}, one for each entity, got an array of shape {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite, got {show(value)}")
    return np.broadcast_to(array, (len(rows), *shape)).astype(float64)
