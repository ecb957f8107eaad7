"""The physics of one esper world as a game sees it: settings, hits, queries, moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy import int32
from numpy.typing import NDArray

from ecsphys.components.store.read_only import read_only
from ecsphys.systems.character_controller.movers import Movers
from ecsphys.systems.diagnosis.finding import Finding
from ecsphys.systems.dynamics.bodies import Bodies
from ecsphys.systems.dynamics.contact_changes import Contacts
from ecsphys.systems.hits.hit import Hit
from ecsphys.systems.hits.hit_arrays import EndedHitArrays, HitArrays
from ecsphys.systems.known_attributes import KnownAttributes
from ecsphys.systems.other_names import NAMES_FOR_PHYSICS
from ecsphys.systems.own_steps import run_stages
from ecsphys.systems.physics_state import PhysicsState
from ecsphys.systems.priorities import BROADPHASE_PRIORITY
from ecsphys.systems.profile import Profile
from ecsphys.systems.settings import Integrator, Settings, Vector, whole_number
from ecsphys.systems.snapshot.snapshots import Snapshots
from ecsphys.systems.spatial_query.queries import Queries
from ecsphys.systems.world.collider_arrays import ColliderArrays

if TYPE_CHECKING:
    from ecsphys.systems.fixed_step.fixed_step import FixedStep


class Physics(Settings, Queries, Movers, Snapshots, KnownAttributes):
    """Settings, hits, queries and moves of one esper world; :func:`~ecsphys.install` makes one and adds the stages.

    All settings may be changed between steps.

    Queries see everything where it is now: between steps, while a game is paused, in a hit handler, in a processor,
    before the first step. They change nothing in later steps, and see neither disabled entities nor those marked dead.
    All take ``filter``, a :class:`CollisionFilter` whose mask decides alone what the query finds: entities in one of
    its layers, whatever their own masks are; None finds all. With ``mutual`` the masks of the entities count too: the
    query finds what an entity with the filter could hit. ``ignore``: an entity, or several, to leave out. A
    ``…_batch`` takes an array-like with a row for each query, and costs far less than as many calls. Queries and
    moves raise ValueError or TypeError naming a bad argument, and RuntimeError in another esper world than that of
    the physics.

    Parameters
    ----------
    gravity
        (x, y) acceleration, in units/s², of entities that have a ``Gravity`` component.
    cell_size
        Side of the broadphase's cells, in units, > 0; None chooses from the colliders' sizes and adapts.
    substeps
        Number of equal parts the stepped motion is divided into, >= 1; detection runs once a step.
    integrator
        "explicit", "semi_implicit" or "verlet".
    threads
        How many threads share the work of large worlds and of large batches of rays; None for as many as the process
        has cores, 1 for the calling one alone. No result depends on it.

    Attributes
    ----------
    fixed_step
        The :class:`FixedStep` that runs the stages; None if each frame is one step. Set by :func:`install`.
    colliders
        Every collider of the world as arrays, and their boxes; a :class:`ColliderArrays`.
    bodies
        Forces, impulses and settings of the rigid bodies; a :class:`Bodies`.
    contacts
        A function that changes the contacts of bodies before they are solved; a :class:`Contacts`.
    profile
        Timings and counters of the last step; a :class:`Profile`.
    state
        What the stages share, for those who replace one: a ``PhysicsState``, described in the architecture.

    Raises
    ------
    ValueError, TypeError
        A bad setting, or one that is no number; also when assigned.

    Examples
    --------
    >>> physics = ecsphys.install(gravity=(0.0, -9.8))
    >>> ball = esper.create_entity(Transform(0, 3), Velocity(), Gravity(), CircleCollider(0.5))
    >>> floor = esper.create_entity(Transform(0, -0.5), AABBCollider(9, 0.5))
    >>> for _ in range(45):
    ...     esper.process(1 / 60)
    >>> [(hit.entity_a, hit.entity_b) for hit in physics.hits]
    [(1, 2)]
    """

    _called = "physics"
    _set_by_constructor = frozenset(("bodies", "colliders", "contacts", "profile", "state"))
    _other_names = NAMES_FOR_PHYSICS

    def __init__(
        self,
        gravity: Vector = (0.0, 0.0),
        cell_size: float | None = None,
        substeps: int = 1,
        integrator: Integrator = "semi_implicit",
        threads: int | None = None,
    ) -> None:
        Settings.__init__(self, gravity, cell_size, substeps, integrator, threads)
        self.state = PhysicsState(self)
        self.colliders = ColliderArrays(self.state)
        self.profile = Profile(self.state)
        self.bodies = Bodies(self.state)
        self.contacts = Contacts()
        Queries.__init__(self, self.state)
        Movers.__init__(self, self.state, self._filed)
        Snapshots.__init__(self, self.state, self._memory)

    @property
    def candidate_pairs(self) -> NDArray[int32]:
        """(m, 2) int32: which pairs of ``colliders`` are tested in this step; a broadphase of your own assigns them."""
        self.state.follow_database()
        return read_only(self.state.pairs.public)

    @candidate_pairs.setter
    def candidate_pairs(self, pairs: Any) -> None:
        self.state.update()
        self.state.pairs.give(pairs)

    @property
    def hits(self) -> HitArrays:
        """The hits of the last step: all pairs of colliders that overlapped, as arrays, or one by one in a loop.

        None as soon as ``esper.clear_database`` was called, or the world deleted.
        """
        return self.state.last_hits().arrays

    @property
    def started(self) -> HitArrays:
        """The hits that began in the last step."""
        return self.state.last_hits().started

    @property
    def ended(self) -> EndedHitArrays:
        """The hits that ended in the last step, with their reasons and last values."""
        return self.state.last_hits().ended

    def hits_of(self, entity: int) -> list[Hit]:
        """The hits of the last step that ``entity`` takes part in; without entities that are gone or disabled by now.

        TypeError for what is no whole number.
        """
        return self.state.last_hits().of(whole_number("entity", entity))

    def is_hitting(self, a: int, b: int) -> bool:
        """Whether two entities, in either order, hit each other in the last step; False if one is gone or disabled.

        TypeError for what is no whole number.
        """
        return self.state.last_hits().has_pair(whole_number("a", a), whole_number("b", b))

    def step(self, dt: float) -> None:
        """Make one step of ``dt`` seconds without ``esper.process``, for a game without processors.

        Entities marked dead are removed, then the stages run: those of this physics that were added to the world, such
        as a :class:`LifetimeSystem`, and, without ``install``, a set of its own. No other processor runs. Errors as of
        a step.

        Examples
        --------
        >>> physics = ecsphys.Physics()
        >>> physics.step(1 / 60)
        """
        run_stages(self, dt)

    def detect(self) -> None:
        """Find the hits of the world as it is now and send their events; nothing moves, and no time passes.

        For a game that moves everything itself. As :meth:`step`, but from the broadphase on.
        """
        run_stages(self, 0.0, BROADPHASE_PRIORITY)

    def check(self) -> list[Finding]:
        """List what is almost certainly a mistake in the world as it is now.

        For example components that do nothing, bodies without ground, units that do not fit, and systems that are
        missing; the page "Troubleshooting" has all. Call it if a game does not do what it should, and at the end of
        tests. It looks at every entity, so do not call it in every frame.

        A ``Transform`` of a body that is written in each frame is found after 20 steps.

        Returns
        -------
        list of Finding
            One for each kind of mistake, with the first entity and the count; empty if nothing is wrong.

        Raises
        ------
        RuntimeError
            The current esper world is another than that of the physics.

        Examples
        --------
        >>> physics = ecsphys.install(gravity=(0.0, -9.8))
        >>> ball = esper.create_entity(Transform(), Gravity())
        >>> for finding in physics.check():
        ...     print(finding)
        entity 1, Gravity: does nothing without a Velocity
        """
        # Imported when it is first asked for: no game in play needs it.
        from ecsphys.systems.diagnosis.world_check import check_world

        return check_world(self.state, self.bodies)

    def why_no_hit(self, a: int, b: int) -> str:
        """Why two entities did not hit each other in the last step, in a sentence; or that they did.

        Where a rigid body is one of them and nothing was pushed, also why not.

        TypeError for what is no whole number, RuntimeError in another esper world than the physics'.
        """
        from ecsphys.systems.diagnosis.why_no_hit import explain

        return explain(self.state, whole_number("a", a), whole_number("b", b))


class SteppedPhysics(Physics):
    """The :class:`Physics` that ``install(fixed_step=…)`` returns: its ``fixed_step`` is never None."""

    fixed_step: FixedStep
