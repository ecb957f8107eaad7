"""The physics of one esper world as a game sees it: settings, hits, questions, moves."""

from __future__ import annotations

from typing import Any

import esper
from numpy import int32
from numpy.typing import NDArray

from ecsphys.components.store.read_only import read_only
from ecsphys.systems.character_controller.movers import Movers
from ecsphys.systems.collision.hits import EndedHitArrays, Hit, HitArrays
from ecsphys.systems.collision.step_hits import StepHits
from ecsphys.systems.diagnosis.finding import Finding
from ecsphys.systems.dynamics.bodies import Bodies
from ecsphys.systems.own_steps import run_stages
from ecsphys.systems.physics_state import PhysicsState
from ecsphys.systems.priorities import BROADPHASE_PRIORITY
from ecsphys.systems.profile import Profile
from ecsphys.systems.settings import Settings, Vector, whole_number
from ecsphys.systems.spatial_query.queries import Queries
from ecsphys.systems.world.collider_arrays import ColliderArrays
from ecsphys.systems.world.esper_world import database_token


class Physics(Settings):
    """Settings, hits, queries and moves of one esper world; ``ecsphys.install`` makes one and adds the stages.

    Parameters
    ----------
    gravity
        (x, y) acceleration, in units/s², of entities that have a ``Gravity`` component.
    cell_size
        Side of the broadphase's cells, in units; None chooses from the colliders' sizes and adapts.
    substeps
        Number of equal parts the stepped motion is divided into; detection runs once a step.
    integrator
        "explicit", "semi_implicit" or "verlet".
    threads
        How many threads share the work of large worlds and of large batches of rays; None for as many as the process
        has cores, 1 for the calling one alone. No result depends on it.

    All five may be changed between steps. Bad values raise ValueError, what is no number TypeError.

    Attributes
    ----------
    state
        What stages share, see :class:`~ecsphys.systems.physics_state.PhysicsState`.
    colliders
        Every collider of the world as arrays, and their boxes; a :class:`~ecsphys.ColliderArrays`.
    bodies
        Pushes and settings of the rigid bodies; a :class:`~ecsphys.Bodies`.
    profile
        What a step costs; a :class:`~ecsphys.Profile`.
    query_point, query_aabb, query_shape, nearest, raycast, raycast_all, shapecast
        Questions, and each as a ``…_batch``; see :class:`~ecsphys.systems.spatial_query.queries.Queries`.
    move_and_slide, move_character, move_characters
        Moves among solids; see :class:`~ecsphys.systems.character_controller.movers.Movers`.
    """

    def __init__(
        self,
        gravity: Vector = (0.0, 0.0),
        cell_size: float | None = None,
        substeps: int = 1,
        integrator: str = "semi_implicit",
        threads: int | None = None,
    ) -> None:
        super().__init__(gravity, cell_size, substeps, integrator, threads)
        self.state = PhysicsState(self)
        self.colliders = ColliderArrays(self.state)
        self.profile = Profile(self.state)
        self.bodies = Bodies(self.state)
        # The methods of the parts themselves: a call goes through nothing else.
        queries = Queries(self.state)
        self.query_point = queries.query_point
        self.query_point_batch = queries.query_point_batch
        self.query_aabb = queries.query_aabb
        self.query_aabb_batch = queries.query_aabb_batch
        self.query_shape = queries.query_shape
        self.query_shape_batch = queries.query_shape_batch
        self.nearest = queries.nearest
        self.nearest_batch = queries.nearest_batch
        self.raycast = queries.raycast
        self.raycast_batch = queries.raycast_batch
        self.raycast_all = queries.raycast_all
        self.raycast_all_batch = queries.raycast_all_batch
        self.shapecast = queries.shapecast
        self.shapecast_batch = queries.shapecast_batch
        movers = Movers(self.state, queries.filed)
        self.move_and_slide = movers.move_and_slide
        self.move_character = movers.move_character
        self.move_characters = movers.move_characters

    @property
    def candidate_pairs(self) -> NDArray[int32]:
        """The pairs (m, 2) of :attr:`colliders` to be tested in this step; a replaced broadphase assigns them."""
        return read_only(self.state.pairs.public)

    @candidate_pairs.setter
    def candidate_pairs(self, pairs: Any) -> None:
        self.state.update()
        self.state.pairs.give(pairs)

    @property
    def hits(self) -> HitArrays:
        """All pairs that overlapped in the last step; none as soon as ``esper.clear_database`` was called."""
        found = self.state.hits.found
        return HitArrays() if self._is_cleared(found) else found.arrays

    @property
    def started(self) -> HitArrays:
        """The hits that began in the last step."""
        found = self.state.hits.found
        return HitArrays() if self._is_cleared(found) else found.started

    @property
    def ended(self) -> EndedHitArrays:
        """The hits that ended in the last step, with their reasons and last values."""
        found = self.state.hits.found
        return EndedHitArrays.none() if self._is_cleared(found) else found.ended

    def hits_of(self, entity: int) -> list[Hit]:
        """The hits of the last step that ``entity`` takes part in; none of entities that are gone or disabled by now.

        TypeError for what is no whole number.
        """
        return self.state.hits.found.of(whole_number("entity", entity))

    def is_hitting(self, a: int, b: int) -> bool:
        """Whether two entities hit each other in the last step, in either order; not if one is gone or disabled by now.

        TypeError for what is no whole number.
        """
        return self.state.hits.found.has_pair(whole_number("a", a), whole_number("b", b))

    def step(self, dt: float) -> None:
        """Make one step of ``dt`` seconds without ``esper.process``, for a game without processors.

        Entities marked dead are removed, then the stages run: those of this physics that were added to the world, or,
        where there are none, a set of its own. No other processor runs. Errors as of a step.
        """
        run_stages(self, dt)

    def detect(self) -> None:
        """Find the hits of the world as it is now and send their events; nothing moves, and no time passes.

        For a game that moves everything itself. As :meth:`step`, but from the broadphase on.
        """
        run_stages(self, 0.0, BROADPHASE_PRIORITY)

    def check(self) -> list[Finding]:
        """What cannot be meant in the world as it is: components that do nothing, systems that are missing, and more.

        For a game that does not do what it should, and for its tests; it looks at every entity, so not in every frame.
        RuntimeError in another esper world than the physics'.
        """
        # Imported when it is first asked for: no game in play needs it.
        from ecsphys.systems.diagnosis.world_check import check_world

        return check_world(self.state)

    def why_no_hit(self, a: int, b: int) -> str:
        """Why two entities did not hit each other in the last step, in a sentence; also that they did.

        TypeError for what is no whole number, RuntimeError in another esper world than the physics'.
        """
        from ecsphys.systems.diagnosis.why_no_hit import explain

        return explain(self.state, whole_number("a", a), whole_number("b", b))

    def _is_cleared(self, found: StepHits) -> bool:
        """Whether hits are those of a database that was cleared since."""
        return found.token is not database_token() and self.state.world == esper.current_world
