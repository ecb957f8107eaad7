"""What a scene calls is loaded before it begins: nothing is compiled in play."""

from __future__ import annotations

from fresh_python import python

# In a process of its own, as kernels are loaded once. Scenes with kernels of their own, and one with all of a mouse.
PLAY = """
from ecsphys.demo.needed_kernels import kernels_for
from ecsphys.demo.scenes import open_scene
from ecsphys.engine.kernels.compilation import all_kernels, load_kernels, name_of
from ecsphys.systems import first_loads

# As where nothing is kept on the disk: what the physics would find there must be compiled before, too.
first_loads.kept_in = lambda kernel: False

def loaded():
    return {name_of(kernel) for kernel in all_kernels() if not getattr(kernel.load, "__self__", kernel)._can_compile}

for name in ("light", "queries", "bullets", "platformer", "car", "hills", "game", "yard"):
    load_kernels(kernels_for(name))
    before = loaded()
    live = open_scene(name, autoplay=True)
    for _ in range(10):
        live.step()
    live.grip.press(0.0, 1.0)
    if live.layout.pointer is not None:
        live.layout.pointer.press(-1.0, 5.0)
        live.layout.pointer.move(-5.0, 4.0)
    for parameter in live.layout.parameters:
        parameter.change(-1)
        live.step()
    print(name, sorted(loaded() - before))
    live.close()
"""


def test_no_scene_calls_a_kernel_that_is_not_loaded_before_it() -> None:
    done = python("-c", PLAY)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 8
    assert [line for line in lines if not line.endswith(" []")] == []
