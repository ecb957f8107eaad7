"""``Lifetime``: entities that are deleted when their time is over."""

from __future__ import annotations

import numpy as np

from ecsphys.components.motion.transform import Lifetime
from ecsphys.components.store.component_table import NO_ROWS, ComponentRows, dead_entities, rows_of
from ecsphys.components.store.spawn import despawn_many
from ecsphys.systems.limits.telling import tell
from ecsphys.systems.physics import Physics
from ecsphys.systems.stage import Stage
from ecsphys.systems.world.row_checks import WrittenValues, refuse_shared_instance

LIFETIME_ENDED = "lifetime_ended"

# A lifetime that is shorter than this part of dt is over: rounding.
_ROUNDING = 1e-6


class LifetimeSystem(Stage):
    """Counts down every ``Lifetime``, and deletes entities whose ``Lifetime`` is over.

    Add it at ``Priority.LIFETIME``: an entity still hits in its last step. Entities are marked as by
    ``esper.delete_entity``. Then the event "lifetime_ended" is sent with each, ascending, while its components still
    exist. A bad value in the column, or one instance on two entities, raises ValueError before anything changes.
    """

    phase = "lifetimes"

    def __init__(self, physics: Physics) -> None:
        super().__init__(physics)
        self._checked: ComponentRows = NO_ROWS
        self._values = WrittenValues(Lifetime)

    def run(self, dt: float) -> None:
        timed = rows_of(Lifetime)
        if timed is not self._checked:
            refuse_shared_instance(Lifetime, timed.entity, timed.row)
            self._values.forget()
            self._checked = timed
        if not len(timed):
            return
        self._values.refuse_bad(timed.entity, timed.row)
        seconds = Lifetime._columns.row_of_block("seconds")
        left = seconds[timed.row] - dt
        seconds[timed.row] = np.maximum(left, 0.0)
        over = timed.entity[left <= _ROUNDING * dt]
        if over.size:
            dead = dead_entities()
            ended = [entity for entity in over.tolist() if entity not in dead]
            despawn_many(ended)
            tell(LIFETIME_ENDED, [(entity,) for entity in ended])
