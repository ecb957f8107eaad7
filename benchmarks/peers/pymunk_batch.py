"""pymunk by its batch module: positions and pairs go in and out as arrays."""

from __future__ import annotations

from typing import ClassVar

import esper
import numpy as np
import pymunk
from numpy import float64, int64, uint64
from numpy.typing import NDArray
from pymunk.batch import ArbiterFields, BodyFields, Buffer, get_space_arbiters, get_space_bodies, set_space_bodies

from benchmarks.peers.plain_components import Motion, PeerPlayer, Position
from benchmarks.peers.pymunk_space import body_of, new_space, shapes_of
from ecsphys import CircleCollider
from ecsphys.demo.scenes.workloads import Body, Pairs, Workload

_ENTITY_BITS = 32


class PymunkBatch(PeerPlayer):
    """Gathers the components, sets all bodies, steps, gets all bodies and arbiters, and writes the components.

    Pairs are keys, sorted, so that those of two frames are compared by numpy. Angles go in and out only where a shape
    is no circle.
    """

    name: ClassVar[str] = "pymunk batch"

    def __init__(self, workload: Workload) -> None:
        self._space = new_space()
        self._carriers: dict[int, pymunk.Body] = {}
        self._turning = any(body.collider is not CircleCollider for body in workload.bodies)
        self._fields = BodyFields.POSITION | BodyFields.ANGLE if self._turning else BodyFields.POSITION
        self._width = 3 if self._turning else 2
        self._known: dict[int, tuple[int, Position, bool]] = {}
        self._positions: list[Position] = []
        self._rows: slice | NDArray[int64] = slice(None)
        self._sorted_ids: NDArray[uint64] = np.zeros(0, uint64)
        self._sorted_entities: NDArray[int64] = np.zeros(0, int64)
        self._given: NDArray[float64] = np.zeros((0, self._width))
        self._into, self._bodies, self._arbiters = Buffer(), Buffer(), Buffer()
        self._keys: NDArray[int64] = np.zeros(0, int64)
        self._new: NDArray[int64] = self._keys
        self._over: NDArray[int64] = self._keys
        super().__init__(workload)

    def add(self, entity: int, body: Body) -> None:
        carrier = body_of(body)
        self._carriers[entity] = carrier
        self._space.add(carrier, *shapes_of(body, carrier))
        self._known[carrier.id] = entity, esper.component_for_entity(entity, Position), body.velocity is not None

    def remove(self, entity: int) -> None:
        carrier = self._carriers.pop(entity)
        del self._known[carrier.id]
        self._space.remove(carrier, *carrier.shapes)

    def turn_back(self, entity: int, motion: Motion) -> None:
        self._carriers[entity].velocity = motion.x, motion.y

    def structure_changed(self) -> None:
        """Ask in which order the space keeps its bodies now."""
        self._bodies.clear()
        get_space_bodies(self._space, BodyFields.BODY_ID | self._fields, self._bodies)
        ids = np.frombuffer(self._bodies.int_buf(), uint64).copy()
        known = [self._known[number] for number in ids.tolist()]
        self._positions = [position for _, position, moves in known if moves]
        moving = np.array([moves for _, _, moves in known], bool)
        self._rows = slice(None) if moving.all() else np.flatnonzero(moving)
        order = np.argsort(ids)
        self._sorted_ids = ids[order]
        self._sorted_entities = np.array([entity for entity, _, _ in known], int64)[order]
        # Static bodies are set like the others, but always to where they are already.
        self._given = np.frombuffer(self._bodies.float_buf(), float64).reshape(-1, self._width).copy()
        self._into.set_float_buf(self._given.ravel())

    def step(self, dt: float) -> None:
        positions, rows, given = self._positions, self._rows, self._given
        given[rows, 0] = [position.x for position in positions]
        given[rows, 1] = [position.y for position in positions]
        if self._turning:
            given[rows, 2] = [position.angle for position in positions]
        set_space_bodies(self._space, self._fields, self._into)
        self._space.step(dt)
        self._bodies.clear()
        get_space_bodies(self._space, self._fields, self._bodies)
        columns = np.frombuffer(self._bodies.float_buf(), float64).reshape(-1, self._width)[rows].T.tolist()
        if self._turning:
            for position, x, y, angle in zip(positions, *columns, strict=True):
                position.x = x
                position.y = y
                position.angle = angle
        else:
            for position, x, y in zip(positions, *columns, strict=True):
                position.x = x
                position.y = y
        self._arbiters.clear()
        fields = ArbiterFields.BODY_A_ID | ArbiterFields.BODY_B_ID | ArbiterFields.NORMAL
        get_space_arbiters(self._space, fields, self._arbiters)
        ids = np.frombuffer(self._arbiters.int_buf(), uint64).reshape(-1, 2)
        pairs = self._sorted_entities[np.searchsorted(self._sorted_ids, ids)]
        keys = (np.minimum(pairs[:, 0], pairs[:, 1]) << _ENTITY_BITS) + np.maximum(pairs[:, 0], pairs[:, 1])
        # Two shapes of one body make one pair.
        keys = np.unique(keys) if self._turning else np.sort(keys)
        self._new, self._over, self._keys = _missing(keys, self._keys), _missing(self._keys, keys), keys
        if self._handlers:
            for pair in self._over.tolist():
                self.on_hit((pair >> _ENTITY_BITS, pair & 0xFFFFFFFF))
            for pair in self._new.tolist():
                self.on_hit((pair >> _ENTITY_BITS, pair & 0xFFFFFFFF))

    def _started_pairs(self) -> Pairs:
        return self._new >> _ENTITY_BITS, self._new & 0xFFFFFFFF

    @property
    def starts(self) -> int:
        return self._new.size

    @property
    def ends(self) -> int:
        return self._over.size

    def between(self) -> None:
        self.hits = self._keys.size
        super().between()


def _missing(keys: NDArray[int64], among: NDArray[int64]) -> NDArray[int64]:
    """Those of the sorted keys that are not among others, which are sorted too."""
    if not among.size:
        return keys
    places = np.minimum(np.searchsorted(among, keys), among.size - 1)
    missing: NDArray[int64] = keys[among[places] != keys]
    return missing
