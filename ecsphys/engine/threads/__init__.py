"""How the work of kernels is shared by cores."""
