"""The tables of benchmarks/figures.md have the rows that the benchmarks print."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))  # the benchmarks are not installed

from benchmarks.ecsphys_player import EcsphysPlayer  # noqa: E402
from benchmarks.tables import plain_c_table, targets_table  # noqa: E402
from benchmarks.targets import (  # noqa: E402
    INSTANCE,
    MEMORY,
    PLAIN_C_TARGETS,
    START,
    Outcome,
    Target,
    frame_targets,
)

Row = list[str]


def cells(line: str) -> Row:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rows_below(heading: str) -> list[Row]:
    """The heading and the rows of the first table below a heading of the page, without the line between them."""
    page = (ROOT / "benchmarks" / "figures.md").read_text(encoding="utf-8")
    after = page.partition(f"## {heading}\n")[2]
    table = [cells(line) for line in after.partition("\n#")[0].splitlines() if line.startswith("|")]
    return [table[0], *table[2:]]


def test_the_targets_are_the_rows_that_are_printed() -> None:
    frames = [wanted.target for wanted in frame_targets(EcsphysPlayer, EcsphysPlayer)]
    targets: list[Target] = [*frames, *PLAIN_C_TARGETS.values(), START, MEMORY, INSTANCE]
    printed = [
        cells(line)
        for line in targets_table([Outcome(target, 1.0) for target in targets]).splitlines()
        if line.startswith("|") and not line.startswith("|-")
    ]
    documented = rows_below("Targets")
    # The page leaves out the last column, the times of frames: they depend on the minute, their ratios do not.
    assert documented[0] == printed[0][:-1]
    assert [row[:3] for row in documented[1:]] == [row[:3] for row in printed[1:]]


def test_the_table_of_plain_c_has_the_columns_and_sizes_that_are_printed() -> None:
    documented = rows_below("Plain C")
    assert documented[0] == cells(plain_c_table([]).strip().splitlines()[0])
    assert [row[0] for row in documented[1:]] == [f"{count:,}" for count in PLAIN_C_TARGETS]
