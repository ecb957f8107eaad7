"""``Character``: how an entity walks when ``physics.move_character`` moves it."""

from __future__ import annotations

import math
from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.typed_components import FloatComponent


@final
class Character(FloatComponent):
    """What an entity can walk on, climb and follow; ``physics.move_character`` moves it.

    Parameters
    ----------
    slope_limit
        The steepest slope that is a floor, radians in (0, π/2]; steeper ones are walls.
    step_height
        How high a step it climbs while it walks, units, >= 0.
    snap_distance
        How far the floor may fall away, within a quarter of the character's size, for the character to follow it down
        slopes and stairs; units, >= 0.
    up_x, up_y
        Which way is up: a vector of any length but 0.
    push_force
        The largest force with which it pushes a dynamic body that stops it, mass · units/s², >= 0.
    mass
        What it weighs for the bodies that run into it, > 0: they stop at it and push it along. None: they do not feel
        it, unless it is ``Solid``, which makes it a wall to them.
    wall_reach
        How far beside it walls are found for ``CharacterMove.walls``, without a push; units, >= 0, 0 for none.
    grid
        Where a level or upright surface stops it, its coordinates are put on multiples of this, without the skin: 1 for
        whole pixels, in a world whose solids have them, too; units, >= 0, 0 leaves them as they are.

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
