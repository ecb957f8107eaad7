"""How numba compiles the engine: what it may leave out, and what it need not find out twice."""
