"""``Component.rows_of``: the rows of given entities, in their order."""

from __future__ import annotations

import esper
import numpy as np
import pytest

from ecsphys import Transform, Velocity, join


def test_rows_are_those_of_the_entities_in_their_order() -> None:
    entities = [esper.create_entity(Transform(x)) for x in range(10)]
    asked = np.array(entities)[::-2]
    rows = Transform.rows_of(asked)
    assert rows.dtype == np.int64
    assert Transform.column("x")[rows].tolist() == [9, 7, 5, 3, 1]
    assert Transform.rows_of(entities[:1]).shape == (1,)
    assert Transform.rows_of([]).shape == (0,)
    assert Velocity.rows_of([]).shape == (0,)


def test_what_has_no_such_component_is_named() -> None:
    entity = esper.create_entity(Transform())
    with pytest.raises(KeyError, match=f"entity {entity} has no Velocity"):
        Velocity.rows_of([entity])
    with pytest.raises(KeyError, match="entity 77 has no Transform"):
        Transform.rows_of([entity, 77])
    with pytest.raises(TypeError, match="takes entities, whole numbers of shape"):
        Transform.rows_of([0.5])
    with pytest.raises(TypeError, match="takes entities"):
        Transform.rows_of(entity)


def test_join_with_a_plain_class_says_what_to_do() -> None:
    class Sprite:
        pass

    with pytest.raises(TypeError, match=r"got .*Sprite.* use esper.get_components, then Transform.rows_of"):
        join(Transform, Sprite)  # type: ignore[arg-type]
