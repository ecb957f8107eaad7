"""The names of component classes in files: they stay when a class moves to another module."""

from __future__ import annotations

import hashlib

import ecsphys
import ecsphys.effects
from ecsphys.components.other_names import name_in_files
from ecsphys.components.store.component import FinalBase


def test_all_components_have_the_names_of_the_first_files() -> None:
    public = {getattr(module, name) for module in (ecsphys, ecsphys.effects) for name in module.__all__}
    classes = [cls for cls in public if isinstance(cls, type) and cls is not ecsphys.Joint]
    components = [cls for cls in classes if issubclass(cls, ecsphys.Component | FinalBase)]
    names = sorted(map(name_in_files, components))
    assert "ecsphys.components.motion.forces.Gravity" in names
    assert hashlib.blake2b("\n".join(names).encode(), digest_size=8).hexdigest() == "b6b01fb057f36ef0"


def test_a_class_of_a_game_has_its_own_module() -> None:
    class Gravity(ecsphys.Component):
        scale: float = 1.0

    assert name_in_files(Gravity) == f"{__name__}.{Gravity.__qualname__}"
