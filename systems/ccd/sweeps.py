"""The sweep: finds the entities that bullets and fast bodies touch on their way, before the other hits are found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy import bool_, float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.polygon_collider import VERTEX_POOL
from ecsphys.components.dynamics.rigid_body import Bullet, OneWay
from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.components.store.component_table import rows_of
from ecsphys.engine.broadphase.grid import Grid
from ecsphys.engine.broadphase.pairs import TooManyPairsError
from ecsphys.engine.ccd import bullet_sweep as sweep
from ecsphys.engine.ccd import sweep_choice
from ecsphys.engine.dynamics.bodies import AWAKE, DYNAMIC, KINEMATIC, THICKNESS, StepBodies, new_rows
from ecsphys.engine.geometry.sweep_motion import MOTION_COLUMNS
from ecsphys.engine.hits.contact_filter import EntityRows
from ecsphys.engine.math.elementary import cos_sin_of, lengths_of
from ecsphys.engine.shapes.layout import KIND_AABB, SHAPE_COLUMNS, ShapeArrays
from ecsphys.engine.shapes.placement import TRANSFORM_ANGLE
from ecsphys.engine.tables.collider_slots import PRESENT
from ecsphys.engine.tables.entity_rows import BULLET, PARENT, VELOCITY
from ecsphys.systems.ccd.sweep_outcome import Outcome, settle_stopped, tell_touched
from ecsphys.systems.collision.candidate_pairs import bullets_error
from ecsphys.systems.collision.contact_search import NO_SWEPT
from ecsphys.systems.motion.motion import trajectory_blocks
from ecsphys.systems.stage import SWEEP, Stage
from ecsphys.systems.world.entity_table import NO_SLOTS

if TYPE_CHECKING:
    from ecsphys.engine.run.plan import StepPlan
    from ecsphys.systems.hits.step_hits import ContactBuffer
    from ecsphys.systems.physics import Physics


Floats = NDArray[float64]

# Both sides of a pair.
_BOTH = 3

# The most bullets in a row that the first takes along: each round finds the next bullet.
_MOST_ROUNDS = 16

# A swept body of the solver may enter a shape to this depth in a step. The first factor is for the solver's margin,
# half a hundredth of a length. The second is for the thickness of the body.
_CORE_OF_MARGIN, _CORE_OF_THICKNESS = 0.25, 0.25


class _Bullets(NamedTuple):
    """The ``slots`` (n,) of bullets' colliders, their behavior at an impact, and whether any of them may fly."""

    slots: NDArray[int32]
    response: NDArray[uint8]
    may_fly: bool


_NO_BULLETS: Final = _Bullets(NO_SLOTS, np.zeros(0, uint8), False)


class SweepSystem(Stage):
    """Sweeps every entity with a ``Bullet`` along its motion in this step, and stops it if its ``stop`` is set.

    It also sweeps dynamic bodies that moved far in this step, so they do not pass through static and solid entities.

    The motion is the straight line from the ``Transform`` at the beginning of the step to its present position, after
    all stages and processors before this stage; for a body, its center of mass moves so. On a trajectory, it is
    the exact curve.
    """

    phase = "sweeps"
    runs_together = True
    _plan_place = SWEEP

    def __init__(self, physics: Physics) -> None:
        super().__init__(physics)
        self.state.stepping.may_fly = self._may_fly
        self._grid = Grid()
        self._bullets = _NO_BULLETS
        # The revisions, and the values of ``stop`` in the rows of Bullet, for which they hold.
        self._bullets_as_of: tuple[int, ...] = ()
        self._bullet_rows = NO_SLOTS
        self._stops = b""
        self._chosen = _room_for(0, 0)
        self._revision = -1
        # Whether all colliders are checked; if not, the colliders of the kept grid that may have moved.
        self._looks_at_all = False
        self._moved_kept = NO_SLOTS

    def is_idle(self) -> bool:
        """Whether no bullet flies and no body is fast."""
        state = self.state
        if state.are_touched or (state.solver is not None and state.solver.fast_count):
            return False
        if state.has_none(BULLET):
            return True
        # If all slept when the step began, and still sleep, nothing written since makes one fly.
        sleeps = not self._bullets.may_fly and self._bullets_as_of == self._as_of()
        return sleeps or not self._may_fly()

    def _bars_plans(self) -> bool:
        """Whether any bullet may meet anything, or anything moves in the next step though the game writes nothing: a
        plan sweeps nothing, and ends where bodies were fast."""
        state = self.state
        moving, entities = state.moving, state.tables.entities
        if not entities.instances[BULLET].count:
            return False
        if state.progress.has_swept or moving.movers.shape[0] > VELOCITY + 1 or len(moving.trajectories):
            return True
        rows = entities.rows_of(VELOCITY)[: entities.used]
        moves = bool(Velocity._columns.float64[:, rows[rows >= 0]].any())
        return moves or not (state.solver is None or state.body_table.all_sleep)

    def _plan(self, plan: StepPlan, last: ContactBuffer, held: ContactBuffer, dt: float) -> bool:
        """True: there is nothing to write."""
        return True

    def _may_fly(self) -> bool:
        return self._bullets_now().may_fly

    def _as_of(self) -> tuple[int, ...]:
        """Values that change with the bullets and with the sleeping bodies."""
        table = self.state.body_table
        return self.state.tables.revision, table.revision, table.sleep_changes

    def run(self, dt: float) -> None:
        state = self.state
        state.progress.swept = NO_SWEPT
        solver = state.solver
        bullets = _NO_BULLETS if state.has_none(BULLET) else self._bullets_now()
        if not bullets.may_fly and (solver is None or not solver.fast_count):
            return
        state.place()
        colliders = state.tables.colliders
        solved = self._solved_bodies()
        self._make_room(len(solved.listed.kind))
        chosen = self._chosen
        which = self._to_look_at(bullets.slots)
        # A bullet that slept when the step began is a body, whose start the solver knows.
        if bullets.may_fly and state.starts.is_recorded:
            state.starts.follow()
        else:
            if not bullets.may_fly:
                bullets = _NO_BULLETS
            poses = state.starts.room()
            sweep_choice.reckon_starts(which, colliders.slots, solved, Transform._columns.float64, dt, poses)
        motions = sweep_choice.StepMotions(
            colliders.slots,
            colliders.placed,
            state.starts.poses,
            Transform._columns.float64,
            state.tables.entities.slots.lines,
            trajectory_blocks(),
            solved,
        )
        which = self._with_driven(which, motions, dt)
        sweep_choice.choose_swept(which, bullets.slots, bullets.response, motions, dt, chosen)
        count = int(chosen.counts[sweep_choice.SWEPT])
        pairs = self._find_pairs(count) if count else _NO_PAIRS
        if not len(pairs):
            return
        state.progress.has_swept = True
        self._follow(pairs, motions, dt)

    def _follow(self, pairs: NDArray[int32], motions: sweep_choice.StepMotions, dt: float) -> None:
        """Sweep some pairs, and further pairs that bullets meet as a result, and apply the results."""
        count = int(self._chosen.counts[sweep_choice.SWEPT])
        for further in range(_MOST_ROUNDS, -1, -1):
            passes = self._passes(pairs)
            outcome = self._sweep(pairs, passes, motions, dt)
            if not further or not self._widen(outcome):
                break
            rows, before = outcome.velocities
            try:
                found = self._find_pairs(count)
            except RuntimeError:
                Velocity._columns.float64[:, rows] = before
                raise
            if len(found) == len(pairs):
                break
            Velocity._columns.float64[:, rows] = before
            pairs = found
        if (outcome.bodies[:, sweep.CHANGED] != 0.0).any():
            settle_stopped(self.state, outcome, pairs, motions.solved, dt)
        tell_touched(self.state, outcome, pairs, passes == _BOTH, self._chosen.sizes, dt)

    def _bullets_now(self) -> _Bullets:
        """The bullets, and their behavior at an impact."""
        state = self.state
        table, tables = state.body_table, state.tables
        as_of = self._as_of()
        stop = Bullet._columns.row_of_block("stop")
        if as_of == self._bullets_as_of and stop[self._bullet_rows].tobytes() == self._stops:
            return self._bullets
        rows = tables.entities.rows_of(BULLET)
        self._bullet_rows = rows[tables.entities.having(BULLET)]
        self._stops = stop[self._bullet_rows].tobytes()
        slots, order = tables.colliders.slots, tables.colliders.order
        row = rows[slots.owner[order]]
        bullets, row = order[row >= 0], row[row >= 0]
        is_carried = tables.entities.rows_of(PARENT)[slots.owner[bullets]] >= 0
        stops = (stop[row] != 0) & ~is_carried
        at_impact = np.where(slots.trajectory[bullets] >= 0, sweep.RESTS, sweep.SLIDES)
        response = np.where(stops, at_impact, sweep.FLIES_ON).astype(uint8)
        bodies = table.row_of_owners(slots.owner[bullets])
        is_solved = stops & (bodies > 0) & (table.listed.kind[bodies] == DYNAMIC)
        response[is_solved] = sweep.BOUNCES
        may_fly = bool((~is_solved | (table.states.island[bodies] == AWAKE)).any())
        self._bullets, self._bullets_as_of = _Bullets(bullets, response, may_fly), as_of
        return self._bullets

    def _make_room(self, bodies: int) -> None:
        """Make room for all colliders, and for a number of bodies."""
        capacity, revision = self.state.tables.colliders.capacity, self.state.tables.revision
        if len(self._chosen.slots) < capacity or len(self._chosen.roles) < bodies:
            self._chosen = _room_for(capacity, bodies + bodies // 2)
        elif self._revision != revision:
            self._chosen.is_deflected[:] = 0
        self._revision = revision

    def _solved_bodies(self) -> StepBodies:
        """The bodies after the solver; in a step without the solver, they have not moved."""
        solver = self.state.solver
        moved = None if solver is None else solver.moved_bodies()
        if moved is not None:
            return moved
        table, tables = self.state.body_table, self.state.tables
        return StepBodies(
            table.listed,
            table.states,
            _NO_BODIES,
            table.own.may_sleep,
            np.zeros(len(table), uint8),
            np.full(tables.colliders.capacity, -1, int32),
            np.full(len(tables.entities.slots.entity), -1, int32),
        )

    def _to_look_at(self, bullets: NDArray[int32]) -> NDArray[int32]:
        """The slots of colliders that may have moved in this step, and of ``bullets``, each once."""
        state = self.state
        placing, sleeping = state.placing, state.sleeping
        self._moved_kept = NO_SLOTS
        self._looks_at_all = placing.are_all_moved or not sleeping.is_whole
        if self._looks_at_all:
            return state.tables.colliders.order
        listed = np.concatenate((placing.moved, bullets)) if bullets.size else placing.moved
        self._moved_kept = np.unique(listed[sleeping.places[listed] >= 0])
        awake = sleeping.awake
        # Deleted colliders may still be listed as awake, but their rows may belong to others.
        awake = awake[state.tables.colliders.slots.absence[awake] == PRESENT]
        return np.concatenate((awake, self._moved_kept)) if self._moved_kept.size else awake

    def _with_driven(self, which: NDArray[int32], motions: sweep_choice.StepMotions, dt: float) -> NDArray[int32]:
        """Add the bodies at rest in the kept grid that a fast kinematic body may have run into."""
        state, kept, solved = self.state, self.state.sleeping.kept.slots, motions.solved
        if not len(kept) or self._looks_at_all:
            return which
        drives = (solved.is_fast[: len(solved.listed.kind)] != 0) & (solved.listed.kind == KINEMATIC)
        if not drives.any():
            return which
        bodies = solved.body_of[which]
        drivers = which[(bodies > 0) & drives[bodies]]
        paths = np.empty((len(drivers), 4))
        sweep_choice.find_paths(drivers, motions, dt, paths)
        met = np.unique(state.sleeping.grid.find_overlaps(paths, kept)[:, 1])
        met = np.setdiff1d(met, self._moved_kept)
        bodies = solved.body_of[met]
        driven = met[(bodies > 0) & (solved.listed.kind[bodies] == DYNAMIC)]
        self._start_kept(driven)
        self._moved_kept = np.union1d(self._moved_kept, driven)
        return np.concatenate((which, driven)).astype(int32, copy=False)

    def _find_pairs(self, count: int) -> NDArray[int32]:
        """The pairs (m, 2) of slots that may meet, lower body first: in each one of the first ``count``, which are
        swept, and their swept boxes overlap."""
        state, chosen = self.state, self._chosen
        colliders = state.tables.colliders
        both = count + int(chosen.counts[sweep_choice.OTHERS])
        paths, swept = chosen.boxes[:count], chosen.slots[:count]
        try:
            found = []
            if len(state.sleeping.kept.slots):
                met = state.sleeping.grid.find_overlaps(paths, state.sleeping.kept.slots)
                if len(met):
                    self._start_kept(met[:, 1])
                    found.append(np.column_stack((swept[met[:, 0]], met[:, 1])))
            if both > 1:
                self._grid.file_boxes(chosen.boxes[:both])
                met = self._grid.find_overlaps(paths)
                met = met[met[:, 0] != met[:, 1]]
                if len(met):
                    found.append(np.column_stack((swept[met[:, 0]], chosen.slots[met[:, 1]])))
        except TooManyPairsError:
            boxes = np.concatenate((paths, colliders.placed.boxes[colliders.order]))
            raise bullets_error(colliders.slots.entity[swept], paths, boxes) from None
        if not found:
            return _NO_PAIRS
        return self._those_that_meet(found[0] if len(found) == 1 else np.concatenate(found))

    def _start_kept(self, met: NDArray[int32]) -> None:
        """Write the poses of some colliders of the kept grid at the beginning of the step. Others did not move."""
        if self._looks_at_all or self.state.starts.is_recorded:
            return
        if self._moved_kept.size:
            met = np.setdiff1d(met, self._moved_kept)
        rows = self.state.tables.colliders.slots.transform_row[met]
        self.state.starts.poses[:, rows] = Transform._columns.float64[:, rows]

    def _those_that_meet(self, pairs: NDArray[int32]) -> NDArray[int32]:
        """The pairs that are swept against each other, each once, in the public order."""
        state = self.state
        slots, rank = state.tables.colliders.slots, state.tables.colliders.slots.rank
        response = self._chosen.response
        # A fast body that is not a bullet meets only characters, and solid colliders that are not dynamic.
        own = response[pairs]
        kinds = state.body_table.listed.kind[np.maximum(state.body_table.bodies_of(pairs), 0)]
        is_solid = kinds != DYNAMIC
        is_solid &= state.body_table.bodies_of(pairs) >= 0
        is_bullet = (own != sweep.OBSTACLE) & (own != sweep.STOPS)
        meets = is_bullet.any(axis=1) | (is_solid & (own == sweep.OBSTACLE)).any(axis=1)
        meets &= slots.owner[pairs[:, 0]] != slots.owner[pairs[:, 1]]
        pairs = pairs[meets]
        if not len(pairs):
            return _NO_PAIRS
        in_order = rank[pairs[:, 0]] < rank[pairs[:, 1]]
        pairs = np.where(in_order[:, None], pairs, pairs[:, ::-1])
        key = rank[pairs[:, 0]].astype(int64) * len(rank) + rank[pairs[:, 1]]
        _, first = np.unique(key, return_index=True)
        return state.hits.choose_pairs(np.ascontiguousarray(pairs[first]))

    def _passes(self, pairs: NDArray[int32]) -> NDArray[uint8]:
        """For each pair a bit for each side that does not stop at the other. A sensor stops nothing. A body stops at
        colliders from which the solver makes it bounce, and passes others. A fast body does not stop at a bullet."""
        state, slots = self.state, self.state.tables.colliders.slots
        own = self._chosen.response[pairs]
        passes = np.zeros(len(pairs), uint8)
        is_solved = own >= sweep.BOUNCES
        if is_solved.any():
            bodies = state.body_table.bodies_of(pairs)
            others_body, others = bodies[:, ::-1], own[:, ::-1]
            is_passed = is_solved & ((others_body < 0) | ((own == sweep.STOPS) & (others != sweep.OBSTACLE)))
            kinds = state.body_table.listed.kind[np.maximum(others_body, 0)]
            is_passed |= (own == sweep.STOPS) & (kinds == DYNAMIC)
            passes |= is_passed[:, 0] | 2 * is_passed[:, 1].astype(uint8)
            solved = np.flatnonzero(is_solved.any(axis=1) & (bodies >= 0).all(axis=1))
            if state.solver is not None:
                passes[solved[state.hits.are_among(pairs[solved], state.solver.rules.vetoed)]] = _BOTH
            one_way = rows_of(OneWay)
            if len(one_way):
                passes[solved[self._pass_one_way(pairs[solved], EntityRows(one_way.entity, one_way.row))]] = _BOTH
        passes[(slots.sensor[pairs] != 0).any(axis=1)] = _BOTH
        return passes

    def _pass_one_way(self, pairs: NDArray[int32], rows: EntityRows) -> NDArray[bool_]:
        """Whether pairs have a surface that blocks from one side only, and do not move against this side."""
        slots, placed = self.state.tables.colliders.slots, self.state.tables.colliders.placed
        moved = placed.positions[pairs] - self.state.starts.poses[:2, slots.transform_row[pairs]].transpose(1, 2, 0)
        passing = np.zeros(len(pairs), bool_)
        for side in range(2):
            own = pairs[:, side]
            place = np.minimum(np.searchsorted(rows.entity, slots.entity[own]), len(rows.entity) - 1)
            is_one = rows.entity[place] == slots.entity[own]
            x, y = OneWay._columns.float64[:, rows.row[place]]
            angle = np.where(slots.kind[own] == KIND_AABB, 0.0, placed.angles[own])
            cos, sin = cos_sin_of(angle)
            way = moved[:, 1 - side] - moved[:, side]
            passing |= is_one & (way[:, 0] * (cos * x - sin * y) + way[:, 1] * (sin * x + cos * y) >= 0.0)
        return passing

    def _widen(self, outcome: Outcome) -> bool:
        """Widen the paths of colliders that were turned, or moved out of their paths. Returns whether there are any."""
        state, chosen = self.state, self._chosen
        placed = state.tables.colliders.placed
        count = int(chosen.counts[sweep_choice.SWEPT])
        swept, paths = chosen.slots[:count], chosen.boxes[:count]
        number = outcome.group[swept]
        is_changed = number >= 0
        is_changed[is_changed] = outcome.bodies[number[is_changed], sweep.CHANGED] != 0.0
        chosen.is_deflected[swept] = is_changed & (chosen.response[swept] < sweep.BOUNCES)
        deflected = np.flatnonzero(is_changed)
        if not deflected.size:
            return False
        slots = swept[deflected]
        free, middles = outcome.free_ends[number[deflected]], outcome.ends[number[deflected]]
        boxes = placed.boxes[slots]
        ends = boxes + np.tile(middles - free, 2)
        transform_row = state.tables.colliders.slots.transform_row
        turns = placed.angles[slots] != state.starts.poses[TRANSFORM_ANGLE, transform_row[slots]]
        if turns.any():
            turning = np.flatnonzero(turns)
            # The largest distance of points in the box, for any turn.
            corners = np.abs(boxes[turning] - np.tile(free[turning], 2))
            reach = lengths_of(*np.maximum(corners[:, :2], corners[:, 2:]).T)[:, None]
            middle = middles[turning]
            ends[turning] = np.concatenate((middle - reach, middle + reach), axis=1)
        before = paths[deflected]
        if ((ends[:, :2] >= before[:, :2]) & (ends[:, 2:] <= before[:, 2:])).all():
            return False
        paths[deflected, :2] = np.minimum(before[:, :2], ends[:, :2])
        paths[deflected, 2:] = np.maximum(before[:, 2:], ends[:, 2:])
        return True

    def _sweep(
        self,
        pairs: NDArray[int32],
        passes: NDArray[uint8],
        motions: sweep_choice.StepMotions,
        dt: float,
    ) -> Outcome:
        state, chosen, solved = self.state, self._chosen, motions.solved
        slots = state.tables.colliders.slots
        involved = np.unique(pairs)
        # By groups that move together (a body with its children, or an entity), then by the public order.
        entity = slots.entity[involved] * 2
        is_solved = chosen.response[involved] >= sweep.BOUNCES
        owners = solved.listed.owner[solved.body_of[involved[is_solved]]]
        entity[is_solved] = 2 * state.tables.entities.slots.entity[owners] + 1
        order = np.lexsort((slots.rank[involved], entity))
        involved, entity = involved[order], entity[order]
        number = np.full(slots.rank.size, -1, int32)
        number[involved] = np.arange(len(involved), dtype=int32)
        local = number[pairs]
        is_first = np.diff(entity, prepend=-1) != 0
        group = (np.cumsum(is_first) - 1).astype(int32)
        first_shape = np.append(np.flatnonzero(is_first), len(involved)).astype(int32)
        count = len(first_shape) - 1
        response = chosen.response[involved[first_shape[:-1]]]
        shapes = len(involved)
        ways, positions, ends = np.empty((shapes, MOTION_COLUMNS)), np.empty((shapes, 2)), np.empty((shapes, 2))
        rows, forms = np.empty((shapes, SHAPE_COLUMNS)), np.empty(shapes, uint8)
        sweep_choice.set_motions(involved, motions, dt, sweep_choice.MotionRoom(ways, positions, rows, forms, ends))
        velocity_row = slots.velocity_row[involved]
        written = velocity_row[velocity_row >= 0]
        velocities = written, Velocity._columns.float64[:, written]
        touched, impacts = np.empty(len(pairs), uint8), np.zeros((len(pairs), sweep.IMPACT_COLUMNS))
        bodies = np.empty((count, sweep.BODY_COLUMNS))
        heads, links = np.empty(count, int32), np.empty(2 * len(pairs), int32)
        queue, places = np.empty((2, len(pairs)), int32)
        margin = state.hits.search.prediction
        cores = np.full(len(involved), np.inf)
        is_solved = is_solved[order]
        thickness = solved.listed.masses[solved.body_of[involved[is_solved]], THICKNESS]
        cores[is_solved] = np.minimum(_CORE_OF_MARGIN * margin, _CORE_OF_THICKNESS * thickness)
        sweep.sweep_bullets(
            sweep.SweptPairs(local, group, first_shape, response, chosen.sizes[involved], cores, passes, margin),
            ShapeArrays(forms, positions, rows, VERTEX_POOL.data),
            ways,
            sweep.BulletVelocities(velocity_row, Velocity._columns.float64),
            dt,
            sweep.SweepRoom(heads, links, queue, places, np.empty_like(impacts)),
            sweep.SweepOutcome(touched, impacts, bodies),
        )
        first = first_shape[:-1]
        centers = positions[first] + bodies[:, sweep.MOVED_X : sweep.MOVED_Y + 1]
        number[involved] = group
        return Outcome(involved[first], ends[first], centers, bodies, touched, impacts, response, velocities, number)


_NO_PAIRS: Final[NDArray[int32]] = np.zeros((0, 2), int32)
_NO_BODIES: Final = new_rows(0)


def _room_for(colliders: int, bodies: int) -> sweep_choice.SweptColliders:
    return sweep_choice.SweptColliders(
        np.zeros(2, int64),
        np.zeros(colliders, int32),
        np.zeros((colliders, 4)),
        np.zeros(bodies, uint8),
        np.zeros(colliders, uint8),
        np.full(colliders, np.inf),
        np.zeros(colliders, uint8),
    )
