"""An esper that is too old is refused at import, with the version and the way out."""

from __future__ import annotations

from types import ModuleType

import pytest

from ecsphys import import_checks


def test_esper_2_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_checks, "esper", ModuleType("esper"))
    monkeypatch.setattr("importlib.metadata.version", lambda name: "2.5")
    with pytest.raises(ImportError, match=r"needs esper 3\.9 or newer, and found esper 2\.5 .*from-esper-2"):
        import_checks.refuse_old_esper()
