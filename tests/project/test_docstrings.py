"""``help()`` is the reference: every public name and member is documented, and its examples run as printed."""

from __future__ import annotations

import doctest
import enum
import inspect
import math
import re
import sys
from collections.abc import Iterator
from typing import Any

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import Component, geometry, replay

MODULES = (ecsphys, ecsphys.effects, ecsphys.systems, ecsphys.types, geometry, replay)
GLOBALS: dict[str, Any] = {
    **{name: getattr(module, name) for module in MODULES if module is not geometry for name in module.__all__},
    "ecsphys": ecsphys,
    "geometry": geometry,
    "enum": enum,
    "esper": esper,
    "math": math,
    "np": np,
}
PUBLIC = [(module, name) for module in MODULES for name in module.__all__]
CLASSES = [getattr(module, name) for module, name in PUBLIC if inspect.isclass(getattr(module, name))]
COMPONENTS = [cls for cls in CLASSES if issubclass(cls, Component) and cls is not Component]


def examples() -> Iterator[doctest.DocTest]:
    """The examples in the docstrings of all public names and of their members."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    for module, name in PUBLIC:
        public = getattr(module, name)
        if not inspect.ismodule(public):
            for base in (public, *getattr(public, "__mro__", (public,))[1:]):
                if getattr(base, "__module__", "").startswith("ecsphys"):
                    yield from finder.find(base, getattr(base, "__name__", name), module=False)


EXAMPLES = {test.name: test for test in examples() if test.examples}

# Without a docstring of its own: a number, a union, a module of its own, and what typing gives.
WITHOUT = {"BreakReason", "COLLIDER_CLASSES", "Collider", "Phase", "Reason", "effects", "geometry", "systems", "types"}


def parameters(cls: type) -> list[str]:
    """The names in the first section "Parameters" of a class's docstring."""
    doc = inspect.cleandoc(cls.__doc__ or "")
    section = re.search(r"^Parameters\n-+\n(.*?)(?=\n\n\w|\Z)", doc, re.MULTILINE | re.DOTALL)
    lines = section[1].splitlines() if section else []
    return [name for line in lines if line and line[0] != " " for name in line.split(", ")]


def members(cls: type) -> Iterator[tuple[str, Any]]:
    """What a class of the package defines by itself or takes from another one of the package, by public name."""
    for base in cls.__mro__:
        if base.__module__.startswith("ecsphys"):
            yield from ((name, member) for name, member in vars(base).items() if not name.startswith("_"))


def test_every_public_name_has_a_docstring() -> None:
    names = [(m, n) for m, n in PUBLIC if n not in WITHOUT]
    docs = {name: inspect.getdoc(getattr(module, name)) for module, name in names}
    # A dataclass or a NamedTuple without a docstring gets its signature.
    assert [name for name, doc in docs.items() if not doc or doc.startswith(f"{name}(")] == []


def test_a_components_docstring_describes_each_field() -> None:
    missing = {}
    for cls in COMPONENTS:
        bases = [base for base in cls.__mro__ if base.__module__.startswith("ecsphys") and base is not Component]
        texts = "".join((base.__doc__ or "") + (sys.modules[base.__module__].__doc__ or "") for base in bases)
        described = {*parameters(cls), *re.findall(r"``(\w+)``", texts)}
        missing[cls] = set(cls.__match_args__) - described
    assert {cls: names for cls, names in missing.items() if names} == {}


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: str(cls.__name__))
def test_every_member_of_a_public_class_is_documented(cls: type) -> None:
    described = "".join(base.__doc__ or "" for base in cls.__mro__)
    missing = [
        name
        for name, member in members(cls)
        if not (inspect.getdoc(getattr(cls, name)) if callable(member) else getattr(member, "__doc__", None))
        and not re.search(rf"\b{name}\b", described)
    ]
    assert missing == []


@pytest.mark.parametrize("cls", [Component, *COMPONENTS], ids=lambda cls: str(cls.__name__))
def test_a_component_shows_its_fields_and_nothing_internal(cls: type[Component]) -> None:
    fields = set(cls.__match_args__) if cls is not Component else set()
    others = {name for name in dir(cls) if not name.startswith("_")} - fields
    assert {"column", "many", "rows_of"} <= others
    assert [name for name in others if not inspect.getdoc(getattr(cls, name))] == []


def test_help_on_a_component_is_its_manual() -> None:
    shown = "".join(inspect.getdoc(ecsphys.Transform) or "")
    assert "Position in world units" in shown
    assert str(inspect.signature(ecsphys.Transform)).startswith("(x: ")
    assert ecsphys.CircleCollider.radius.__doc__ == "float64, greater than 0."


@pytest.mark.parametrize("test", EXAMPLES.values(), ids=EXAMPLES)
def test_the_examples_run_as_printed(test: doctest.DocTest) -> None:
    runner = doctest.DocTestRunner()
    test.globs = dict(GLOBALS)
    if "install(" not in (test.docstring or ""):
        test.globs["physics"] = ecsphys.install()
    runner.run(test)
    assert runner.failures == 0
