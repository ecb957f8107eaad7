"""One change in each step of a world in which all else is at rest: what it costs above a step without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import esper

import ecsphys
from benchmarks.steps.figures import StepFigure
from benchmarks.steps.level import Kind, Level
from benchmarks.steps.own_world import next_world, own_worlds, step
from benchmarks.steps.pymunk_level import PymunkLevel
from benchmarks.steps.turns import Effort, Step, take_turns
from ecsphys import AABBCollider, CollisionFilter, Component, DistanceJoint, Parent, RigidBody, Transform

_MOST = 50.0
# Beyond that, for each of 1,000 rows: an array that is compared, and each component class that is joined.
_MOST_OF_A_COLUMN, _MOST_OF_A_JOIN = 0.5, 1.0
# What the dearest size may cost: so many times as much as the cheapest, or so many µs more.
_TIMES, _MORE = 1.5, 5.0


@dataclass(frozen=True)
class Change:
    """A change by its name and its way; ``make`` makes what changes once. ``most`` is in µs for 1,000 things more.

    ``creates`` tells whether a part of the cost is esper's and that of making components.
    """

    name: str
    way: str
    make: Callable[[Level], Step]
    most_for_a_thousand: float = 0.0
    creates: bool = False

    @property
    def title(self) -> str:
        """Name and way."""
        return f"{self.name}, {self.way}" if self.way else self.name


def measure_changes(effort: Effort) -> list[StepFigure]:
    """Every change among tiles and among sleeping boxes, by the number of things, and in one of many worlds."""
    found: list[StepFigure] = []
    for kind in ("tiles", "boxes"):
        by_title: dict[str, list[float]] = {}
        for count in effort.sizes:
            figures = list(_in_level(kind, count, f"{count:,} {kind}", effort))
            for title, figure in figures:
                by_title.setdefault(title, []).append(figure.ours)
            found += [figure for _, figure in figures]
        if kind == "tiles":
            found += _among_worlds(effort, by_title)
        found += [_spread(f"{title}, {kind}: the dearest", costs) for title, costs in by_title.items()]
    return found


def _spread(what: str, costs: list[float]) -> StepFigure:
    """The dearest world, with the bound that the cheapest sets."""
    least = max(min(costs), 0.0)
    return StepFigure(f"{what} of {len(costs)} sizes", max(costs), most=max(_TIMES * least, least + _MORE))


def _among_worlds(effort: Effort, by_title: dict[str, list[float]]) -> list[StepFigure]:
    """The changes in one of many worlds of the smallest size."""
    count = effort.sizes[0]
    with own_worlds():
        for _ in range(effort.worlds - 1):
            next_world()
            Level("tiles", count)
        figures = list(_in_level("tiles", count, f"one of {effort.worlds:,} worlds", effort))
    for title, figure in figures:
        by_title[title].append(figure.ours)
    return [figure for _, figure in figures]


def _in_level(kind: Kind, count: int, where: str, effort: Effort) -> Iterator[tuple[str, StepFigure]]:
    """The title of each change, if it costs the same at every size, and its figure."""
    alone = _parts_of_esper(kind, effort)
    with own_worlds():
        level = Level(kind, count)
        (idle,) = take_turns([step], effort, effort.rest + effort.warm_up)
        yield "idle step", StepFigure(f"idle step, {where}", idle)
        theirs = _of_pymunk(kind, count, effort)
        for change in CHANGES:
            act = change.make(level)

            def changed(act: Step = act) -> None:
                act()
                step()

            (cost,) = take_turns([changed], effort, effort.calls)
            # What is changed may hold an array alive.
            del act, changed
            level.clear()
            for _ in range(effort.rest):
                step()
            what = f"{change.title}, {where}"
            most = _MOST + 0.001 * count * change.most_for_a_thousand
            figure = StepFigure(what, cost - idle, theirs.get(change.name) if change.way != "column" else None, most)
            if change.name in alone:
                figure = replace(figure, what=f"{what} (esper and components {alone[change.name]:.0f})")
            yield change.title, figure


def _parts_of_esper(kind: Kind, effort: Effort) -> dict[str, float]:
    """The µs of each change that creates something, without physics."""
    found = {}
    with own_worlds():
        level = Level(kind, 20, physics=False)
        for change in CHANGES:
            if change.creates:
                act = change.make(level)

                def alone(act: Step = act) -> None:
                    act()
                    esper.clear_dead_entities()

                (found[change.name],) = take_turns([alone], effort, effort.calls)
                level.clear()
    return found


def _of_pymunk(kind: Kind, count: int, effort: Effort) -> dict[str, float]:
    """The same changes in pymunk, above its idle step."""
    level = PymunkLevel(kind, count)
    found = {}
    for name, act in level.changes().items():

        def changed(act: Step = act) -> None:
            act()
            level.step()

        idle, cost = take_turns([level.step, changed], effort, effort.calls)
        found[name] = cost - idle
    return found


def _small_numbers() -> Callable[[], float]:
    """Makes 0, 0.001, 0.002 and 0 again."""
    state = [0]

    def following() -> float:
        state[0] = (state[0] + 1) % 3
        return 0.001 * state[0]

    return following


def _field(
    name: str, cls: type[Component], field: str, entity: Callable[[Level], int], new: Callable[[Level, float], float]
) -> list[Change]:
    """A field of an entity's component, changed in three ways; ``new`` makes its value of a small number."""

    def by_attribute(level: Level) -> Step:
        component, small = esper.component_for_entity(entity(level), cls), _small_numbers()
        return lambda: setattr(component, field, new(level, small()))

    def by_write(level: Level) -> Step:
        row, small = cls.rows_of([entity(level)]), _small_numbers()
        return lambda: cls.write(row, **{field: new(level, small())})

    def by_column(level: Level) -> Step:
        row, small = int(cls.rows_of([entity(level)])[0]), _small_numbers()

        def act() -> None:
            cls.column(field)[row] = new(level, small())

        return act

    return [
        Change(name, "attribute", by_attribute),
        Change(name, "write", by_write),
        Change(name, "column", by_column, _MOST_OF_A_COLUMN),
    ]


def _replaced(create: Callable[[Level], int]) -> Callable[[Level], Step]:
    """Deletes what it created in the step before, and creates."""

    def make(level: Level) -> Step:
        def act() -> None:
            if level.visitor is not None:
                esper.delete_entity(level.visitor)
            level.visitor = create(level)

        return act

    return make


def _joined(level: Level) -> Step:
    act = _replaced(Level.shot)(level)

    def joined() -> None:
        act()
        ecsphys.join(Transform, AABBCollider)

    return joined


def _disabled(level: Level) -> Step:
    return level.toggle_disabled


def _held(level: Level) -> Step:
    held = Transform.column("y")
    return lambda: held.size


CHANGES = [
    Change("spawn and removal of a shot", "", _replaced(Level.shot), creates=True),
    Change("spawn and removal of a tile", "", _replaced(Level.tile), creates=True),
    Change("spawn and removal of a body", "", _replaced(Level.body), creates=True),
    Change("spawn and removal of a joint", "", _replaced(Level.joint), creates=True),
    Change("spawn, join, removal", "", _joined, 2.0 * _MOST_OF_A_JOIN),
    Change("a thing disabled or enabled", "", _disabled, creates=True),
    *_field("a thing moved", Transform, "y", lambda level: level.thing, lambda level, small: level.thing_y + small),
    *_field("a material", RigidBody, "friction", lambda level: level.body_at_rest, lambda _, small: 0.5 + small),
    *_field(
        "a filter", CollisionFilter, "mask", lambda level: level.thing, lambda _, small: 0xFFFF + round(1e3 * small)
    ),
    *_field("a joint's field", DistanceJoint, "length", lambda level: level.joined, lambda _, small: 3.0 + small),
    *_field("a kinematic body moved", Transform, "x", Level.kinematic, lambda _, small: small - 80.0),
    *_field("a child moved", Parent, "x", Level.child, lambda _, small: 1.0 + small),
    Change("a column held", "", _held, _MOST_OF_A_COLUMN),
]
