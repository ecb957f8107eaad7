"""How numba compiles the engine, without passes and repetitions that the engine does not need."""
