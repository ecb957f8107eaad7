"""Kernels of the tests, which are built into a library of their own: see ``kernels_of_tests.py``."""
