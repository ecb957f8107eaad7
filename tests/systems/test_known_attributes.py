"""What a game configures has the attributes that its class has, and no others."""

from __future__ import annotations

import pydoc
import re
import sys
from typing import Any

import esper
import pytest

import ecsphys
from ecsphys import FixedStep, Physics


@pytest.fixture
def physics() -> Any:
    return ecsphys.install(fixed_step=60)


def test_no_unknown_attribute_can_be_assigned(physics: Any) -> None:
    for part in (physics, physics.bodies, physics.settings, physics.debug, physics.fixed_step):
        with pytest.raises(AttributeError, match=r"has no attribute 'nothing_like_it'$"):
            part.nothing_like_it = 1
        assert not hasattr(part, "nothing_like_it")


def test_a_slip_that_is_read_is_named_by_python(physics: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for part, slip, meant in ((physics, "gravty", "gravity"), (physics.settings, "lenght_unit", "length_unit")):
        with pytest.raises(AttributeError) as caught:
            getattr(part, slip)
        sys.__excepthook__(caught.type, caught.value, None)
        assert f"Did you mean: '{meant}'?" in capsys.readouterr().err


def test_names_of_other_engines_are_no_attributes_and_not_listed(physics: Any) -> None:
    for part, name in ((physics, "add_body"), (physics.bodies, "add_force"), (physics.fixed_step, "pause")):
        assert not hasattr(part, name)
        assert name not in dir(part)
        with pytest.raises(AttributeError, match=f"has no attribute '{name}'; use "):
            getattr(part, name)


def test_help_lists_attributes_and_no_hints(physics: Any) -> None:
    class Level(Physics):
        pass

    for cls in (Physics, Level, FixedStep):
        text = pydoc.plain(pydoc.render_doc(cls))
        assert not re.findall(r"(?m)^ \|  (?:add_body|apply_force|hits_of|pause)$", text)
    parts: list[Any] = [Level(), physics, physics.bodies, physics.settings, physics.debug, physics.fixed_step]
    for part in parts:
        names = {name for name in dir(part) if name[0] != "_"}
        assert not names & set(type(part)._other_names)
        assert {name for name in dir(type(part)) if name[0] != "_"} <= names


def test_every_setting_can_be_assigned_and_named_for_what_it_is(physics: Any) -> None:
    for part in (physics, physics.settings, physics.debug, physics.fixed_step):
        settings = [name for name in dir(part) if isinstance(getattr(type(part), name, None), property)]
        writable = [name for name in settings if getattr(type(part), name).fset is not None]
        assert writable
        for name in writable:
            if name != "candidate_pairs":
                setattr(part, name, getattr(part, name))


def test_what_the_hints_name_is_there(physics: Any) -> None:
    parts = (physics, physics.bodies, physics.settings, physics.debug)
    hints = [hint for part in parts for hint in type(part)._other_names.values()]
    named = {hint.split("(")[0].split(",")[0].split(" =")[0] for hint in hints if hint.startswith("physics.")}
    assert len(named) > 20
    for name in named:
        found: Any = physics
        for step in name.split(".")[1:]:
            found = getattr(found, step)


def test_a_class_of_the_game_has_attributes_of_its_own() -> None:
    class Level(Physics):
        pass

    class Clock(FixedStep):
        pass

    level, clock = Level(), Clock()
    level.score = clock.frames = 3  # type: ignore[attr-defined]
    assert (level.score, clock.frames) == (3, 3)  # type: ignore[attr-defined]


def test_the_parts_of_physics_cannot_be_replaced(physics: Any) -> None:
    other = Physics(gravity=(0.0, 5.0))
    for part, names in ((physics, ("settings", "bodies", "debug")), (physics.debug, ("profile", "colliders"))):
        for name in names:
            kept = getattr(part, name)
            with pytest.raises(AttributeError, match=rf"\.{name} cannot be replaced"):
                setattr(part, name, getattr(other, name, None))
            assert getattr(part, name) is kept


def test_what_a_frame_counts_cannot_be_assigned(physics: Any) -> None:
    esper.process(0.05)
    for name in ("steps", "step_count", "dropped_time"):
        with pytest.raises(AttributeError):
            setattr(physics.fixed_step, name, 0)
    assert physics.fixed_step.steps == physics.fixed_step.step_count == 3
