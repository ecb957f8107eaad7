"""How setuptools builds the engine: :mod:`ecsphys.engine.compiler` does it. All else is in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent

# The rest of ecsphys needs more than a build has.
sys.path.insert(0, str(ROOT / "ecsphys" / "engine" / "compiler"))


class BuildLibrary(build_ext):
    """Build the library where setuptools wants the extension."""

    def get_ext_filename(self, fullname: str) -> str:
        """The file of this platform, which is for every Python from 3.11 on."""
        from targets import target_here

        return str(Path(*fullname.split(".")[:-1], target_here().file))

    def build_extension(self, extension: Extension) -> None:
        """Compile the engine."""
        from build import build
        from targets import target_here

        build(target_here(), Path(self.get_ext_fullpath(extension.name)).parent)


class PlatformWheel(bdist_wheel):
    """A wheel for this platform, and every Python from 3.11 on."""

    def finalize_options(self) -> None:
        """Name the platform as the library is linked for it."""
        from targets import target_here

        super().finalize_options()
        self.py_limited_api = "cp311"
        self.plat_name = target_here().wheel
        self.plat_name_supplied = True


setup(
    ext_modules=[Extension("ecsphys._engine", [], py_limited_api=True)],
    cmdclass={"build_ext": BuildLibrary, "bdist_wheel": PlatformWheel},
)
