"""What errors recommend for names of other engines exists."""

from __future__ import annotations

import inspect
import math
import re
import subprocess
import sys
from typing import Any

import esper
import pytest

import ecsphys
import ecsphys.effects
import ecsphys.types
from ecsphys.components.other_names import other_names

_PATH = re.compile(r"\b[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_CLASS = re.compile(r"\b[A-Z]\w*[a-z]\w*\b(?!\.)")
_CALL = re.compile(r"\b([A-Z]\w+)\(([\w, ]+)\)")

_MODULE = re.compile(r"\becsphys\.(?:debug_draw|replay)\b")
"""Modules that a game imports itself."""

_WORDS = {"True", "Layer"}
"""Words with a capital that are no classes of the package."""


def public(name: str) -> Any:
    """A class or function of the package's public modules; None if there is none."""
    modules = (ecsphys, ecsphys.effects, ecsphys.types)
    return next((vars(module)[name] for module in modules if name in module.__all__), None)


def members(owner: Any) -> set[str]:
    """The arguments and the attributes of a class or function."""
    return {*inspect.signature(owner).parameters, *dir(owner)}


def is_there(path: str, roots: dict[str, Any]) -> bool:
    first, *names = path.split(".")
    found = roots.get(first, public(first))
    for name in names:
        if inspect.isclass(found):
            return name in members(found)
        if not hasattr(found, name):
            return False
        found = getattr(found, name)
    return True


def missing_in(text: str, roots: dict[str, Any]) -> list[str]:
    """The dotted names, classes and arguments in a text that do not exist."""
    text = _MODULE.sub("", text)
    missing = [path for path in _PATH.findall(text) if not is_there(path, roots)]
    missing += [name for name in _CLASS.findall(text) if public(name) is None and name not in _WORDS]
    for name, arguments in _CALL.findall(text):
        missing += [one for one in arguments.split(", ") if one not in members(public(name))]
    return missing


@pytest.fixture
def roots() -> dict[str, Any]:
    physics = ecsphys.install(fixed_step=60)
    stage = ecsphys.systems.LifetimeSystem(physics)
    return {"physics": physics, "ecsphys": ecsphys, "esper": esper, "math": math, "self": stage}


TEXTS = [(f"{place}.{name}", text) for place, texts in other_names().items() for name, text in texts.items()]


def test_classes_attributes_and_arguments_that_errors_name_exist(roots: dict[str, Any]) -> None:
    assert not {place: missing for place, text in TEXTS if (missing := missing_in(text, roots))}
    wrong = "physics.nothing, or NoClass, or CircleCollider(width)"
    assert missing_in(wrong, roots) == ["physics.nothing", "NoClass", "width"]


def arguments_named(text: str) -> list[str]:
    """The arguments of the class itself that a text says to use: "x and y, two numbers" names x and y."""
    text = _PATH.sub("", text)
    first = re.match(r"([a-z_]+(?: and [a-z_]+)?)(?:[,;=]|$)", text)
    named = first[1].split(" and ") if first else []
    return named + re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", text)


def test_a_class_has_the_arguments_that_its_errors_name() -> None:
    assert arguments_named("has_limits, with lower and upper_one") == ["has_limits", "has_limits", "upper_one"]
    wrong = []
    for owner in other_names().keys() & set(ecsphys.__all__):
        texts = other_names()[owner]
        known = members(getattr(ecsphys, owner))
        for other, text in texts.items():
            assert other not in inspect.signature(getattr(ecsphys, owner)).parameters
            if not text.endswith(" of the collider"):
                wrong += [(owner, other, name) for name in arguments_named(text) if name not in known]
    assert not wrong


@pytest.mark.parametrize(
    ("cls", "other", "said"),
    [
        (ecsphys.WeldJoint, "stiffness", "use linear_frequency and angular_frequency"),
        (ecsphys.DistanceJoint, "lower", "use min_length"),
        (ecsphys.PrismaticJoint, "motor", "use motor_speed, with max_force"),
        (ecsphys.WheelJoint, "motor", "use motor_speed, with max_torque"),
        (ecsphys.GearJoint, "joint_a", "use entity_a"),
        (ecsphys.ChainCollider, "offset", "use points, which are measured from the Transform"),
        (ecsphys.CircleCollider, "rotation", "use the angle of the Transform"),
    ],
)
def test_the_error_names_what_this_class_has(cls: Any, other: str, said: str) -> None:
    with pytest.raises(TypeError, match=f"^{cls.__name__} has no argument '{other}'; {said}"):
        cls(**{other: 1})


@pytest.mark.parametrize("module", ["debug_draw", "replay"])
def test_a_module_that_was_not_imported_is_named_and_can_be_imported(module: str) -> None:
    said = f"ecsphys has no '{module}'; use the module, after import ecsphys.{module}"
    code = f"import ecsphys\ntry: ecsphys.{module}\nexcept AttributeError as error: print(error)\n"
    code += "from ecsphys import replay\nprint(replay.__name__)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.splitlines() == [said, "ecsphys.replay"]
