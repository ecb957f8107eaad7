"""A car in hills that are longer than the picture; it drives by itself until the first key."""

from __future__ import annotations

import esper
import numpy as np

import ecsphys
from ecsphys import Priority
from ecsphys.demo.scenes.car.chase_camera import ChaseCamera
from ecsphys.demo.scenes.car.course_by_lot import lay_course
from ecsphys.demo.scenes.car.driver import MOTOR, Driver
from ecsphys.demo.scenes.car.dust import Dust
from ecsphys.demo.scenes.car.livery import Livery
from ecsphys.demo.scenes.car.obstacles import GORGE_DEPTH, Obstacles
from ecsphys.demo.scenes.car.restoring import Restoring
from ecsphys.demo.scenes.car.righting import Righting
from ecsphys.demo.scenes.car.smashing import Smashing
from ecsphys.demo.scenes.car.vehicle import STANDING, Car
from ecsphys.demo.scenes.car.view import CarView, SolidLook
from ecsphys.demo.scenes.parameter import Parameter, Reading
from ecsphys.demo.scenes.physics_parameters import gravity
from ecsphys.demo.scenes.rigid.stage import solver_substeps
from ecsphys.demo.scenes.scene import Key, Layout
from ecsphys.systems import LifetimeSystem, ParticleSystem

_BEFORE, _AFTER = 450, 80
"""Priorities: before all of physics, and after it."""
_MOTORS = (5.0, 7.5, 10.0, 12.5, MOTOR, 20.0, 25.0)
_KILOMETERS_PER_HOUR = 3.6
"""A unit is a meter."""


def build(rng: np.random.Generator) -> Layout:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    physics.settings.joint_iterations = 4
    course = lay_course(rng)
    obstacles = Obstacles(course)
    car = Car(0.0, course.height(0.0) + STANDING)
    righting = Righting(physics, course, car)
    driver = Driver(course, car, righting)
    particles = ParticleSystem(physics)
    dust = Dust(physics, car, obstacles.grounds, particles)
    camera = ChaseCamera(car)
    view = CarView(course, obstacles, Livery(car), dust)
    esper.add_processor(driver, priority=_BEFORE)
    esper.add_processor(Restoring(physics, obstacles, car), priority=_BEFORE)
    esper.add_processor(particles, Priority.PARTICLE)
    esper.add_processor(LifetimeSystem(physics), priority=90)
    for processor in (Smashing(physics, obstacles.loose, car), dust, camera, view):
        esper.add_processor(processor, priority=_AFTER)

    def set_motor(speed: float) -> None:
        driver.speed = speed

    return Layout(
        physics,
        (course.left, course.bottom - GORGE_DEPTH - 1.0, course.right, course.top),
        show_contacts=False,
        has_bodies=True,
        look=SolidLook([*obstacles.grounds, *obstacles.floors, *car.entities]),
        backdrop=view.paint_behind,
        paint_above=view.paint_above,
        follow=camera.box,
        steering=driver.keys,
        keys=[Key("R", "put the car back on its wheels", driver.right)],
        help=[("D, W, → ↑", "drive"), ("A, ←", "drive backwards"), ("S, ↓", "brake")],
        scores=[
            Reading("distance", lambda: f"{driver.farthest:.0f} m"),
            Reading("speed", lambda: f"{abs(car.velocity.x) * _KILOMETERS_PER_HOUR:.0f} km/h"),
        ],
        readings=[Reading("smashed", lambda: f"{obstacles.loose.smashed} crates and barrels")],
        parameters=[
            Parameter("motor", lambda: driver.speed, set_motor, _MOTORS, "{:g} rad/s"),
            gravity(physics),
            solver_substeps(physics),
        ],
    )
