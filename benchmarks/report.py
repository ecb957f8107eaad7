"""All results of a run, as they are written to a JSON file."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.agreement import Agreement
from benchmarks.contest import Measurement
from benchmarks.plain_c.measure import PlainCOutcome
from benchmarks.targets import Outcome
from ecsphys.engine.threads.shared_work import core_count

_PACKAGES = ("ecsphys", "esper", "numpy", "pymunk", "pyb2d3")


@dataclass
class Report:
    """What was measured so far."""

    measurements: list[Measurement] = field(default_factory=list)
    agreements: list[Agreement] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    beside_c: list[PlainCOutcome] = field(default_factory=list)

    def write(self, path: Path) -> None:
        """Write everything, and on what machine it was measured, as JSON."""
        content = {
            "when": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": {
                "processor": platform.machine(),
                "cores": os.cpu_count(),
                "threads": core_count(),  # of ecsphys, unless it is told how many, as in all measurements here
                "system": platform.platform(),
            },
            "python": platform.python_version(),
            "packages": {name: _version(name) for name in _PACKAGES},
            "targets": [asdict(outcome) | {"met": outcome.met} for outcome in self.outcomes],
            "plain C": [asdict(found) for found in self.beside_c],
            "agreements": [asdict(agreement) for agreement in self.agreements],
            "measurements": [asdict(measurement) for measurement in self.measurements],
        }
        path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
