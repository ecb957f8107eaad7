"""Plays random scenes in all engines, and says where ecsphys breaks what any engine should hold."""

from __future__ import annotations

import argparse
import itertools
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from checks.peers.engines import engines
from checks.peers.film import Engine
from checks.peers.kinds import KINDS, Outcome, play

HELP = "the same random scenes in ecsphys, Box2D and pymunk: what must hold in any engine"

_FRESH = 1_000_000


@dataclass
class Tally:
    """How many scenes of each kind there were, and in how many each engine broke a bound."""

    scenes: Counter[str] = field(default_factory=Counter)
    broken: dict[str, Counter[str]] = field(default_factory=dict)
    seconds: Counter[str] = field(default_factory=Counter)
    faults: int = 0

    def count(self, outcome: Outcome) -> list[str]:
        """Count a scene; returns what is to be said of it."""
        self.scenes[outcome.kind] += 1
        for engine in outcome.figures:
            self.broken.setdefault(engine, Counter())[outcome.kind] += outcome.breaks(engine)
        lines = outcome.lines()
        self.faults += bool(lines)
        return lines

    def table(self) -> list[str]:
        """Of each kind how many scenes broke a bound, by engines."""
        lines = [f"{'scenes beyond a bound':22}{'of':>8}" + "".join(f"{name:>10}" for name in self.broken)]
        for kind, count in self.scenes.items():
            lines.append(f"{kind:22}{count:8}" + "".join(f"{found[kind]:10}" for found in self.broken.values()))
        return lines


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the check."""
    parser.add_argument("--scenes", metavar="N", type=int, default=120, help="how many scenes (%(default)s)")
    parser.add_argument("--seed", metavar="S", type=int, default=1, help="of the first scene of a kind (%(default)s)")
    parser.add_argument("--kind", choices=KINDS, help="only scenes of this kind; all by turns")
    parser.add_argument("--minutes", metavar="M", type=float, help="fresh seeds until the time is up, not --scenes")
    parser.add_argument("--quick", action="store_true", help="a tenth of the time for what takes longest: the gas")
    parser.add_argument("--alone", action="store_true", help="without the peers")


def run(options: argparse.Namespace) -> int:
    """Play all scenes; 1 where ecsphys broke a bound."""
    playing = engines()
    if options.alone:
        playing = dict(itertools.islice(playing.items(), 1))
    kinds = [options.kind] if options.kind else list(KINDS)
    begun = time.monotonic()
    seed = options.seed
    if options.minutes is not None:
        seed = time.time_ns() // 1_000_000 % (1000 * _FRESH)
        wanted = _until(begun + 60.0 * options.minutes, _scenes(kinds, seed))
    else:
        wanted = itertools.islice(_scenes(kinds, seed), options.scenes)
    tally = play_all(wanted, playing, options.quick)
    for line in tally.table():
        print(line)
    absent = {"Box2D", "pymunk"} - playing.keys()
    without = f", without {' and '.join(sorted(absent))}" if absent else ""
    print(
        f"{sum(tally.scenes.values()):,} scenes from seed {seed}{without}: {tally.faults:,} in which ecsphys"
        f" broke a bound, {time.monotonic() - begun:.0f} s"
    )
    return 1 if tally.faults else 0


def play_all(wanted: Iterator[tuple[str, int]], playing: Mapping[str, Engine], quick: bool) -> Tally:
    """Play scenes, and print those in which the first engine broke a bound."""
    tally = Tally()
    for kind, seed in wanted:
        for line in tally.count(play(kind, seed, playing, quick)):
            print(line, flush=True)
    return tally


def _scenes(kinds: list[str], seed: int) -> Iterator[tuple[str, int]]:
    """The kinds by turns."""
    for number in itertools.count():
        turn, kind = divmod(number, len(kinds))
        yield kinds[kind], seed + turn


def _until(end: float, scenes: Iterator[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    return itertools.takewhile(lambda _: time.monotonic() < end, scenes)
