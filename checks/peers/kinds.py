"""The kinds of scenes, and what each engine makes of one."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from checks.peers import breaks, flat, gas, joints, misses, rain, restitution, seams, shots, steps, walls
from checks.peers.case import Case, Random
from checks.peers.film import Engine, shoot
from checks.peers.scene import Figure

KINDS: dict[str, Callable[[Random, bool], Case]] = {
    "misses": misses.make,
    "breaks": breaks.make,
    "rain": rain.make,
    "steps": steps.make,
    "walls": walls.make,
    "shots": shots.make,
    "seams": seams.make,
    "gas": gas.make,
    "restitution": restitution.make,
    "joints": joints.make,
    "flat": flat.make,
}

BOX2D = "Box2D"


def case_of(kind: str, seed: int, quick: bool) -> Case:
    """The same for the same arguments, whatever else is played."""
    return KINDS[kind](np.random.default_rng((seed, zlib.crc32(kind.encode()))), quick)


@dataclass
class Outcome:
    """The figures of a case, by engines. The first engine is that which is checked."""

    kind: str
    seed: int
    text: str
    figures: Mapping[str, list[Figure]]

    def bound(self, number: int) -> float:
        """What the engine that is checked has to hold of a figure."""
        (figure, *_) = self._of(number).values()
        if figure.like_box2d and BOX2D in self.figures:
            return max(figure.bound, self.figures[BOX2D][number].value)
        return figure.bound

    def broken(self) -> list[int]:
        """The numbers of the figures of the engine that is checked that are beyond their bounds. NaN is."""
        own = next(iter(self.figures.values()))
        return [k for k, figure in enumerate(own) if not figure.value <= self.bound(k)]

    def breaks(self, engine: str) -> bool:
        """Whether an engine breaks any of its bounds. Those of peers in single precision are coarser."""
        if engine == next(iter(self.figures)):
            return bool(self.broken())
        return any(figure.breaks(coarse=engine == BOX2D) for figure in self.figures[engine])

    def lines(self) -> list[str]:
        """What is broken, with the figures of all."""
        lines = []
        for k in self.broken():
            own, *peers = self._of(k).items()
            said = ", ".join(f"{name} {figure.value:.3g}" for name, figure in peers)
            better = [name for name, figure in peers if figure.value < own[1].value]
            verdict = "" if better or not peers else "; no peer does better"
            lines.append(
                f"--kind {self.kind} --seed {self.seed} --scenes 1: {self.text}: {own[1].name}: {own[0]}"
                f" {own[1].value:.3g}, at most {self.bound(k):.3g}{f' ({said}{verdict})' if said else ''}"
            )
        return lines

    def _of(self, number: int) -> dict[str, Figure]:
        return {name: figures[number] for name, figures in self.figures.items()}


def play(kind: str, seed: int, engines: Mapping[str, Engine], quick: bool) -> Outcome:
    """The same case in each engine."""
    case = case_of(kind, seed, quick)
    figures = {}
    for name, engine in engines.items():
        try:
            figures[name] = case.judge([shoot(engine, take) for take in case.takes])
        except Exception as error:
            error.add_note(f"--kind {kind} --seed {seed} --scenes 1, in {name}")
            raise
    return Outcome(kind, seed, case.text, figures)
