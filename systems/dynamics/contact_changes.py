"""Changes to contacts before they are solved: by ``physics.pre_solve``, and by surfaces that block from one side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy import bool_, float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.dynamics.rigid_body import OneWay
from ecsphys.components.store.column_store import read_only
from ecsphys.components.store.component_table import NO_ROWS, ComponentRows, rows_of
from ecsphys.engine.contacts.one_way import EntityRows, OneWaySurfaces, veto_passing
from ecsphys.engine.dynamics.bodies import BodyRows
from ecsphys.engine.dynamics.contacts.contact_records import change_contacts, new_records
from ecsphys.engine.dynamics.materials import ContactChanges
from ecsphys.engine.kernels.bundles import address_of
from ecsphys.engine.kernels.capacity import Capacity
from ecsphys.engine.math.elementwise import lengths_of
from ecsphys.engine.run.plan_layout import CHANGES_ROOM, HAS_CHANGES, VETOED
from ecsphys.systems.dynamics.pre_solve_function import WHAT, WHAT_IN_C, CPreSolve, PreSolve

if TYPE_CHECKING:
    from ecsphys.engine.run.step_plan import StepPlan
    from ecsphys.systems.hits.step_hits import ContactBuffer
    from ecsphys.systems.physics_state import PhysicsState

NO_CHANGES: Final = ContactChanges(np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0, uint8))
_NO_PAIRS: Final[NDArray[int32]] = np.zeros((0, 2), int32)


class SolverContacts:
    """The contacts that are about to be solved, as ``physics.pre_solve`` receives them: arrays of n rows.

    They include contacts of sensors, and of entities that are not bodies, which are never solved. The arrays are views:
    use them only during the call. A function of C receives records with the same fields
    (:data:`~ecsphys.types.SOLVER_CONTACT`). These are read-only:

    ``entity_a``, ``entity_b``
        (n,) int64, the esper entities, a < b.
    ``collider_a``, ``collider_b``, ``part_a``, ``part_b``
        As in :class:`~ecsphys.types.HitArrays`.
    ``normal``
        (n, 2) float64, unit, from a to b.
    ``depth``
        (n,) float64, units; 0 or less if the two are only near each other.
    ``positions``
        (n, 2, 2) float64, the points in the world; NaN in an unused second row.
    ``separations``
        (n, 2) float64, units: the distance of the surfaces at each point, negative if they overlap.
    ``impulse``
        (n,) float64, mass · units/s, along the normal in the last step.

    You may write these:

    ``friction``, ``restitution``
        (n,) float64, >= 0 and in [0, 1]. They are NaN, which uses the materials.
    ``tangent_speed``
        (n,) float64, units/s, as in ``RigidBody``: clockwise around both bodies. It is NaN, which uses the materials.
    ``is_vetoed``
        (n,) bool, True to ignore the contact in this step. It is True already if the two pass a ``OneWay``.
    ``flag``
        (n,) int32, for your own use. The number stays with the pair from step to step, until the two are apart and the
        contact ends. It begins as 0.
    """

    __slots__ = (
        "collider_a",
        "collider_b",
        "depth",
        "entity_a",
        "entity_b",
        "flag",
        "friction",
        "impulse",
        "is_vetoed",
        "normal",
        "part_a",
        "part_b",
        "positions",
        "restitution",
        "separations",
        "tangent_speed",
    )

    def __init__(self, buffer: ContactBuffer, count: int, changes: ContactChanges) -> None:
        hits, points = buffer.table
        rows = slice(count)
        self.entity_a: NDArray[int64] = read_only(hits.entity_a[rows])
        self.entity_b: NDArray[int64] = read_only(hits.entity_b[rows])
        self.collider_a: NDArray[uint8] = read_only(hits.collider_a[rows])
        self.collider_b: NDArray[uint8] = read_only(hits.collider_b[rows])
        self.part_a: NDArray[int32] = read_only(hits.part_a[rows])
        self.part_b: NDArray[int32] = read_only(hits.part_b[rows])
        self.normal: NDArray[float64] = read_only(hits.normal[rows])
        self.depth: NDArray[float64] = read_only(hits.depth[rows])
        self.positions: NDArray[float64] = read_only(points.positions[rows].reshape(-1, 2, 2))
        self.separations: NDArray[float64] = read_only(points.separations[rows])
        self.impulse: NDArray[float64] = read_only(points.totals[rows, 0])
        self.friction: NDArray[float64] = changes.friction[rows]
        self.restitution: NDArray[float64] = changes.restitution[rows]
        self.tangent_speed: NDArray[float64] = changes.tangent_speed[rows]
        self.is_vetoed: NDArray[bool_] = changes.is_vetoed[rows].view(bool_)
        self.flag: NDArray[int32] = points.flags[rows]

    def __len__(self) -> int:
        return len(self.depth)

    def _refuse_bad_values(self) -> None:
        """Raise ValueError, naming the entities and the value, if a number is out of its bounds."""
        for name, low, high in (
            ("friction", 0.0, np.inf),
            ("restitution", 0.0, 1.0),
            ("tangent_speed", -np.inf, np.inf),
        ):
            values = getattr(self, name)
            bad = np.flatnonzero((values < low) | (values > high) | np.isinf(values))
            if bad.size:
                k = int(bad[0])
                bounds = "finite" if high == np.inf else "in [0, 1]"
                least = " and at least 0" if low == 0.0 and high == np.inf else ""
                raise ValueError(
                    f"contacts.{name}[{k}] (entities {int(self.entity_a[k])} and {int(self.entity_b[k])}) must be"
                    f" {bounds}{least}, or NaN to use the materials; got {float(values[k])!r}"
                )


class ContactRules:
    """Finds the changes to the contacts of each step of one world, and owns their arrays."""

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        self._capacity = Capacity()
        self._changes = NO_CHANGES
        # For a function of C: records, where they are, and the pairs that were vetoed.
        self._records = new_records(0)
        self._records_at = 0
        self._vetoed = _NO_PAIRS
        self._one_way = NO_ROWS
        # The answer of esper for which it holds.
        self._answer: object = None

    def changes(self, buffer: ContactBuffer, count: int, bodies: BodyRows, dt: float, slop: float) -> ContactChanges:
        """The changes to the first ``count`` contacts of a buffer; no rows if there are no changes.

        Raises the errors of ``pre_solve``, and ValueError for a bad number or a ``OneWay`` without a direction.
        """
        table, one_way, pre_solve = self._state.body_table, self._one_way_now(), self._function_now()
        table.vetoed = _NO_PAIRS
        if not count or (pre_solve is None and not len(one_way)):
            return NO_CHANGES
        capacity = self._capacity.choose(count, len(self._changes.friction))
        if capacity != len(self._changes.friction):
            numbers = np.empty((3, capacity))
            self._changes = ContactChanges(numbers[0], numbers[1], numbers[2], np.empty(capacity, uint8))
        changes = self._changes
        if isinstance(pre_solve, CPreSolve):
            self._reserve_records()
        for values in changes[:3]:
            values[:count] = np.nan
        changes.is_vetoed[:count] = 0
        hits, points = buffer.table
        if len(one_way):
            surfaces = self._surfaces(EntityRows(one_way.entity, one_way.row))
            veto_passing(hits.pairs, hits.normal, points, count, surfaces, bodies, dt, slop, changes.is_vetoed)
        if pre_solve is not None:
            self._call(pre_solve, buffer, count)
        vetoed = np.flatnonzero(changes.is_vetoed[:count])
        if vetoed.size:
            table.vetoed = hits.pairs[vetoed]
        return changes

    @property
    def are_of_plans(self) -> bool:
        """Whether a plan can make the changes of the next step, or there are none, as long as no component comes or
        goes."""
        return not callable(self._state.pre_solve) and not len(self._one_way_now())

    @property
    def calls_c(self) -> bool:
        """Whether a function of C changes the contacts of the next step."""
        return isinstance(self._function_now(), CPreSolve)

    def plan(self, plan: StepPlan, buffer: ContactBuffer) -> ContactChanges:
        """Write the call of a function of C to the plan of steps that begin with the contacts of a buffer.

        Returns the changes that it makes; no rows if there is no such function.
        """
        pre_solve = self._function_now()
        if not isinstance(pre_solve, CPreSolve):
            return NO_CHANGES
        self._reserve_records()
        plan.put(HAS_CHANGES, 1)
        plan.put(CHANGES_ROOM, len(self._vetoed))
        plan.record(change_contacts, self._calling(pre_solve, buffer, 0, False))
        return self._changes

    def take_from(self, words: memoryview, count: int) -> ContactChanges:
        """Take over the vetoes of the function of C in a step that a plan has made, with ``count`` contacts.

        Returns the changes of that step.
        """
        if not words[HAS_CHANGES]:
            return NO_CHANGES
        vetoed = words[VETOED]
        self._state.body_table.vetoed = self._vetoed[:vetoed].copy() if vetoed else _NO_PAIRS
        return self._changes if count else NO_CHANGES

    def refuse(self, buffer: ContactBuffer, count: int) -> None:
        """Raise the error of a step in which a plan has refused a number of the function of C."""
        SolverContacts(buffer, count, self._changes)._refuse_bad_values()

    def _function_now(self) -> PreSolve | CPreSolve | None:
        """The function that changes contacts.

        While all bodies sleep there is no function: calm steps call none, and earlier steps decide which are calm.
        """
        state = self._state
        return None if state.pre_solve is None or state.body_table.all_sleep else state.pre_solve

    def _one_way_now(self) -> ComponentRows:
        answer = self._state.tables.answer
        if answer is not self._answer:
            self._one_way, self._answer = rows_of(OneWay), answer
        return self._one_way

    def _surfaces(self, rows: EntityRows) -> OneWaySurfaces:
        normals = OneWay._columns.float64
        lengths = lengths_of(*normals[:, rows.row])
        bad = np.flatnonzero(~((lengths > 0.0) & (lengths < np.inf)))
        if bad.size:
            normal = tuple(normals[:, rows.row[bad[0]]].tolist())
            raise ValueError(
                f"entity {int(rows.entity[bad[0]])}: the normal of its OneWay must be a finite direction, got {normal}"
            )
        colliders = self._state.tables.colliders
        slots = colliders.slots
        body_of = self._state.body_table.body_of
        return OneWaySurfaces(rows, normals, slots.entity, slots.kind, colliders.placed.angles, body_of)

    def _reserve_records(self) -> None:
        """Have a record for each row of the changes."""
        capacity = len(self._changes.friction)
        if capacity != len(self._vetoed):
            records, vetoed = new_records(capacity), np.empty((capacity, 2), int32)
            self._records, self._records_at, self._vetoed = records, address_of(records.floats), vetoed

    def _calling(self, pre_solve: CPreSolve, buffer: ContactBuffer, count: int, has_vetoed: bool) -> tuple[Any, ...]:
        """The arguments of ``change_contacts``."""
        records, changes = self._records, self._changes
        return pre_solve.address, self._records_at, buffer.table, count, records, changes, has_vetoed, self._vetoed

    def _call(self, pre_solve: PreSolve | CPreSolve, buffer: ContactBuffer, count: int) -> None:
        tables, contacts = self._state.tables, SolverContacts(buffer, count, self._changes)
        if isinstance(pre_solve, CPreSolve):
            arguments = self._calling(pre_solve, buffer, count, True)
            self._state.call(WHAT_IN_C, lambda: change_contacts(*arguments))
        else:
            self._state.call(WHAT, lambda: pre_solve(contacts))
        if self._state.tables is not tables or not tables.is_current():
            raise RuntimeError(f"{WHAT} must not create or delete entities, or add or remove components")
        contacts._refuse_bad_values()
