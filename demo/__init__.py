"""Scenes that show what ecsphys does: ``ecsphys-demo``, or ``python -m ecsphys.demo``. Needs the extra ``demo``."""
