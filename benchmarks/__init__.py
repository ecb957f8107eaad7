"""Frames of ecsphys beside those of what a Python game would use instead: ``python -m benchmarks``.

Not installed: run from the root of a checkout, with the extra ``bench``.
"""
