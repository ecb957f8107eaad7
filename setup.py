"""How setuptools builds the engine: :mod:`ecsphys.engine.compiler` does it. All else is in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

# The rest of ecsphys needs more than a build has.
sys.path.insert(0, str(Path(__file__).parent / "ecsphys" / "engine" / "compiler"))

from build import build
from targets import wanted_target


class BuildLibrary(build_ext):
    """Build the library where setuptools wants the extension."""

    def get_ext_filename(self, fullname: str) -> str:
        """The file of the platform, which is for every Python from 3.11 on."""
        return str(Path(*fullname.split(".")[:-1], wanted_target().file))

    def build_extension(self, extension: Extension) -> None:
        """Compile the engine."""
        build(wanted_target(), Path(self.get_ext_fullpath(extension.name)).parent)


class PlatformWheel(bdist_wheel):
    """A wheel for one platform, and every Python from 3.11 on."""

    def finalize_options(self) -> None:
        """Name the platform as the library is linked for it."""
        super().finalize_options()
        self.py_limited_api = "cp311"
        self.plat_name = wanted_target().wheel
        self.plat_name_supplied = True


setup(
    ext_modules=[Extension("ecsphys._engine", [], py_limited_api=True)],
    cmdclass={"build_ext": BuildLibrary, "bdist_wheel": PlatformWheel},
)
