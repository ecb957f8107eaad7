"""Every field and every argument, with every hostile value: the documented errors, and a world that goes on."""

from __future__ import annotations

import argparse
import time
import warnings

from checks.hostile.hostile_values import HOSTILE
from checks.hostile.public_calls import without_owner
from checks.hostile.steady_world import SteadyWorld
from checks.hostile.table import Row, Table, rows, without_example

HELP = "NaN, infinities, huge and negative numbers and wrong types for every field and every argument"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the check."""
    parser.add_argument("--only", default="", help="only rows whose names have this, as 'Transform' or 'raycast('")
    parser.add_argument("--every", type=int, default=1, help="only every so-manieth cell (%(default)s)")


def run(options: argparse.Namespace) -> int:
    """Try all cells; 1 where one is a fault."""
    begun = time.perf_counter()
    chosen, missing = list_rows(options.only)
    table = try_cells(chosen, options.every)
    tally = table.tally
    for fault in tally.faults + missing:
        print(fault)
    accepted = tally.cells - tally.refused - len(tally.faults)
    print(
        f"{tally.cells:,} cells in {len(chosen):,} rows: {tally.refused:,} refused, {accepted:,} accepted"
        f" ({tally.refused_by_step:,} of them refused by the next step), {time.perf_counter() - begun:.0f} s:"
        f" {len(tally.faults) + len(missing)} faults"
    )
    return 1 if tally.faults or missing else 0


def list_rows(only: str = "") -> tuple[list[Row], list[str]]:
    """The rows whose names have ``only``, and what cannot be tried."""
    world = SteadyWorld()
    try:
        missing = [f"no example for {name}" for name in without_example(world.physics)]
        missing += [f"no owner to call the methods of {name} of" for name in without_owner(world.physics)]
        return [row for row in rows(world.physics) if only in row.name], missing
    finally:
        world.close()


def try_cells(chosen: list[Row], every: int) -> Table:
    """Try every so-manieth cell of these rows."""
    table = Table()
    names = list(HOSTILE)
    with warnings.catch_warnings():
        # What numpy warns of, an array would tell the game.
        warnings.simplefilter("error")
        for number, row in enumerate(chosen):
            values = [name for k, name in enumerate(names) if (number * len(names) + k) % every == 0]
            if values:
                table.try_row(row, values)
    return table
