"""Collision filters in words: which of them meet, and which meet nothing in a world."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ecsphys.components.collision.collision_filter import CollisionFilter
from ecsphys.systems.diagnosis.census import Census, Finding, found


class FilterValues(NamedTuple):
    """The values of a filter. The defaults are the values of an entity without a filter."""

    layers: int = 1
    mask: int = 0xFFFFFFFF
    group: int = 0


def values_of(own: CollisionFilter | None) -> FilterValues:
    """The values of an entity's filter, which may have none."""
    return FilterValues() if own is None else FilterValues(own.layers, own.mask, own.group)


def why_not_met(a: FilterValues, b: FilterValues, name_a: str, name_b: str) -> str:
    """Why two filters do not let their entities meet, "" where they do."""
    if a.group == b.group != 0:
        return (
            f"both have the group {a.group}, and entities with the same negative group never hit each other"
            if a.group < 0
            else ""
        )
    reasons = [
        f"the mask {one.mask:#x} of {name} includes no layer of {name_other}, which has {other.layers:#x}"
        for one, other, name, name_other in ((a, b, name_a, name_b), (b, a, name_b, name_a))
        if not one.mask & other.layers
    ]
    return " and ".join(reasons)


def check_filters(census: Census) -> Iterator[Finding]:
    """Filters that want to meet something and meet nothing that there is."""
    users: dict[FilterValues, list[int]] = {}
    filters = census.having(CollisionFilter)
    for entity in sorted(census.with_collider):
        users.setdefault(values_of(filters.get(entity)), []).append(entity)
    for own, entities in users.items():
        others = [other for other, of_them in users.items() if other != own or len(of_them) > 1]
        if entities[0] not in filters or not own.mask or not others:
            continue
        if any(not why_not_met(own, other, "", "") for other in others):
            continue
        one_sided = [users[other][0] for other in others if own.mask & other.layers and not other.mask & own.layers]
        message = f"layers {own.layers:#x} and mask {own.mask:#x} match no other collider in this world"
        if not own.layers:
            message = "layers is 0, so the entity is in no layer and hits nothing: use 1 for the first layer"
        elif one_sided:
            message += f": entity {one_sided[0]}, for example, is in the mask, but its own mask leaves out these layers"
        yield from found(entities, message, "CollisionFilter")
