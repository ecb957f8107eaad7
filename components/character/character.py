"""``Character``: how an entity walks when ``physics.move_character`` moves it."""

from __future__ import annotations

import math
from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.typed_components import FloatComponent


@final
class Character(FloatComponent, pushing=True):
    """Lets an entity walk on floors, slopes and stairs. You move it with ``physics.move_character``.

    Parameters
    ----------
    slope_limit
        The steepest slope that is a floor, radians in (0, π/2]. Steeper slopes are walls.
    step_height
        The highest step that it climbs while it walks, units, >= 0.
    snap_distance
        How far it follows the floor down slopes and stairs, units, >= 0. The floor must fall away within a quarter of
        the character's size.
    up_x, up_y
        The direction up: a vector of any length except 0.
    push_force
        The largest force that it applies to a dynamic body in its way, mass · units/s², >= 0.
    mass
        Its mass for bodies that run into it, > 0: they stop at it and push it along. With None, bodies do not feel it,
        unless it is ``Solid``: then it is a wall to them.
    wall_reach
        How far to its sides ``CharacterMove.walls`` looks for walls, units, >= 0. 0 turns this off.
    grid
        Rounds its position when a level or upright surface stops it: to a multiple of this, without the skin. Use 1 for
        whole pixels, if the solids of the world are on whole pixels too. Units, >= 0; 0 does not round.

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> floor = esper.create_entity(Transform(0, -0.5), AABBCollider(20, 0.5), Solid())
    >>> hero = esper.create_entity(
    ...     Transform(0, 1), CapsuleCollider.upright(1.8, 0.4), Character(step_height=0.3))
    >>> physics.move_character(hero, (0.1, -1.0)).on_floor
    True
    """

    slope_limit: float = column(default=0.25 * math.pi, above=0.0, high=0.5 * math.pi)
    step_height: float = column(default=0.0, low=0.0)
    snap_distance: float = column(default=0.0, low=0.0)
    up_x: float = 0.0
    up_y: float = 1.0
    push_force: float = column(default=0.0, low=0.0)
    mass: float | None = column(default=None, above=0.0)
    wall_reach: float = column(default=0.0, low=0.0)
    grid: float = column(default=0.0, low=0.0)
