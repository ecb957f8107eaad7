"""Snapshots and bytes, and effects that are state: particles, lasers, cameras."""

from __future__ import annotations

import esper

from ecsphys.components.collision.colliders import AABBCollider, CapsuleCollider, CircleCollider, OBBCollider
from ecsphys.components.dynamics.joints import RevoluteJoint
from ecsphys.components.dynamics.rigid_body import Bullet, RigidBody
from ecsphys.components.effects.light import Beam, Emitter, HomingLaser, RingBeam, Splash, Steering
from ecsphys.components.effects.scrolling import Camera, ParallaxLayer, PerspectiveFloor, RasterWave
from ecsphys.components.motion.trajectories import CircularTrajectory
from ecsphys.components.motion.transform import Gravity, Transform, Velocity
from ecsphys.systems.effects.light import LightSystem
from ecsphys.systems.effects.particles import ParticleSystem
from ecsphys.systems.effects.scrolling import ScrollingSystem
from ecsphys.systems.priorities import Priority
from ecsphys.systems.snapshot.snapshot import Snapshot
from ecsphys.verify.scene_run import SceneRun, fractions


def snapshots(run: SceneRun) -> None:
    """A world goes on from a snapshot, and from its bytes in another world, as it went on before."""
    physics = run.begin(gravity=(0.0, -9.8))
    create = esper.create_entity
    create(Transform(0, -1), AABBCollider(30, 1), RigidBody(kind="static"))
    starts = fractions(24)
    places = [Transform(6 * starts[k] - 3, 1 + k, starts[-k]) for k in range(24)]
    boxes = [create(place, OBBCollider(0.4, 0.3), RigidBody()) for place in places]
    create(RevoluteJoint.at(None, boxes[0], 0.0, 2.0))
    create(Transform(-9, 3), Velocity(70, 1), CapsuleCollider(0.3, 0.1), Bullet())
    run.step(30)
    state = physics.snapshot()
    saved = state.to_bytes()
    run.step(40)
    esper.delete_entity(boxes[5], immediate=True)
    run.step(5)
    physics.restore(state)
    run.note_state(physics)
    run.step(40)
    here = esper.current_world
    esper.switch_world(f"{here}, from bytes")
    run.begin(gravity=(0.0, -9.8)).restore(Snapshot.from_bytes(saved))
    run.step(40)
    esper.switch_world(here)
    esper.delete_world(f"{here}, from bytes")


def particles(run: SceneRun) -> None:
    """Emitters of both splashes, with drag and gravity, moving and turning, and bursts."""
    physics = run.begin(gravity=(0.0, -9.8))
    system = ParticleSystem(physics, seed=7)
    esper.add_processor(system, Priority.PARTICLE)
    for k in range(8):
        style = Emitter(
            rate=60.0 + 30 * k,
            vy=4.0,
            vx_spread=2.0,
            splash=Splash.NORMAL if k % 2 else Splash.UNIFORM,
            half_width=0.3 * k,
            half_height=0.1,
            lifetime=0.5,
            lifetime_spread=0.2,
            gravity_scale=0.2 * k,
            drag=(0.0, 1e-4, 0.3, 5.0)[k % 4],
        )
        esper.create_entity(Transform(3.0 * k, 0, 0.5 * k), Velocity(1.0, 0.5, 2.0), style)
        system.burst(k, 2.0, 150, style, angle=0.7 * k)
    for _ in range(80):
        run.step()
        run.note(system.position, system.velocity, system.age, system.lifetime)


def light(run: SceneRun) -> None:
    """Homing lasers of both kinds of steering, rings and beams, which hit; their meshes too."""
    physics = run.begin()
    system = LightSystem(physics)
    esper.add_processor(system, Priority.LIGHT)
    target = esper.create_entity(Transform(), CircularTrajectory(0, 0, 6, 0.8), CircleCollider(0.8))
    for k in range(6):
        steering = Steering.SIGN if k % 2 else Steering.SINE
        laser = HomingLaser(
            9.0 + k, 0.3, target=target, turn_limit=0.1 + 0.05 * k, segment_length=0.5, segments=12, steering=steering
        )
        esper.create_entity(Transform(-9.0 + 2 * k, 8, 0.9 * k), laser)
        esper.create_entity(Transform(2.0 * k, -4), RingBeam(0.5 * k, 0.3, growth=1.0, segment_length=0.4))
        esper.create_entity(Transform(0, k - 3, 0.2 * k), Beam(end_x=5.0, end_y=1.0, width=0.2, proportion=0.1 * k))
    for _ in range(60):
        run.step()
        for mesh in (system.laser_mesh(), system.ring_mesh(), system.beam_mesh()):
            run.note(mesh.positions)


def scrolling(run: SceneRun) -> None:
    """A camera that follows a body, layers, waves and a floor with depth."""
    physics = run.begin(gravity=(0.0, -9.8))
    system = ScrollingSystem(physics)
    esper.add_processor(system, Priority.SCROLLING)
    hero = esper.create_entity(Transform(0, 5), Velocity(7, 6), Gravity(), CircleCollider(0.5))
    camera = esper.create_entity(Camera(0, 0, 32, 18, target=hero))
    esper.create_entity(ParallaxLayer(64, 24), RasterWave(0.3, 2.0, 4.0, 40), PerspectiveFloor(40, 90, 30))
    for _ in range(90):
        run.step()
        view = esper.component_for_entity(camera, Camera)
        run.note(view.x, view.y, system.wave_shifts.values, system.floor_shifts.values)
        run.note(system.to_screen([(1.0, 2.0), (30.0, -4.0)], camera))
