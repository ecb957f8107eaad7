"""An esper that is too old is refused at import, with the version and the way out."""

from __future__ import annotations

from types import ModuleType

import pytest

from ecsphys import esper_version


def test_esper_2_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(esper_version, "esper", ModuleType("esper"))
    monkeypatch.setattr("importlib.metadata.version", lambda name: "2.5")
    with pytest.raises(ImportError, match=r"needs esper 3\.9 or newer, and found esper 2\.5 .*from-esper-2"):
        esper_version.refuse_old_esper()
