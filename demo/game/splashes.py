"""Particles: what happens in the game splashes, each kind of moment in its own way."""

from __future__ import annotations

import esper

from ecsphys.demo.game.session import Session
from ecsphys.effects import Emitter, Splash
from ecsphys.systems import ParticleSystem

AQUA, GOLD, EMBER, WOODEN, DUST, DROPS, RED = range(7)
"""Kinds of particles, for their colours."""


def _style(kind: int, speed: float, lifetime: float, gravity: float, rise: float = 0.0, drag: float = 1.5) -> Emitter:
    return Emitter(
        vy=rise,
        vx_spread=speed,
        vy_spread=speed,
        splash=Splash.NORMAL,
        half_width=0.15,
        half_height=0.15,
        lifetime=lifetime,
        lifetime_spread=0.5 * lifetime,
        gravity_scale=gravity,
        drag=drag,
        style=kind,
    )


def trail(kind: int, rate: float) -> Emitter:
    """What a thing in flight leaves behind it."""
    return Emitter(
        rate,
        vx_spread=0.8,
        vy_spread=0.8,
        splash=Splash.NORMAL,
        half_width=0.1,
        half_height=0.1,
        lifetime=0.35,
        lifetime_spread=0.15,
        style=kind,
    )


class SplashSystem(esper.Processor):
    """Bursts particles for the moments of each step, after the hits."""

    def __init__(self, session: Session, particles: ParticleSystem) -> None:
        self._session = session
        self._particles = particles
        self._styles = {
            "strike": ((14, _style(AQUA, 4.0, 0.3, 0.0)),),
            "defeat": ((46, _style(EMBER, 5.0, 0.8, 0.5, 2.0)), (24, _style(AQUA, 3.0, 0.6, 0.0))),
            "fizzle": ((10, _style(AQUA, 3.0, 0.3, 0.3)),),
            "break": ((16, _style(EMBER, 3.5, 0.45, 0.3)),),
            "crate": ((34, _style(WOODEN, 4.5, 0.8, 1.0, 4.0)),),
            "mote": ((8, _style(GOLD, 2.0, 0.45, -0.1, 1.0)),),
            "hurt": ((26, _style(RED, 5.0, 0.5, 0.4)),),
            "down": ((60, _style(RED, 5.0, 1.0, 0.4, 3.0)),),
            "rise": ((60, _style(AQUA, 2.0, 1.0, -0.2, 3.0)),),
            "jump": ((10, _style(DUST, 1.6, 0.4, 0.1, 0.6)),),
            "land": ((16, _style(DUST, 2.4, 0.45, 0.1, 0.6)),),
            "dash": ((24, _style(AQUA, 2.2, 0.4, 0.0)),),
            "drown": ((90, _style(DROPS, 3.5, 1.0, 1.0, 9.0)),),
            "keeper": ((160, _style(EMBER, 7.0, 1.2, 0.0)),),
            "appear": ((30, _style(EMBER, 3.0, 0.5, 0.0)),),
            "fall": ((900, _style(EMBER, 8.0, 1.8, 0.25, 2.0)), (500, _style(GOLD, 5.0, 2.2, 0.1))),
        }

    def process(self, dt: float) -> None:
        session = self._session
        for moment in session.moments[session.splashed :]:
            for count, style in self._styles.get(moment.name, ()):
                self._particles.burst(moment.x, moment.y, count, style)
        session.splashed = len(session.moments)
