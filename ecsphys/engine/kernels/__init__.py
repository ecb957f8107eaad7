"""How the engine's functions are compiled, kept on disk, and how their memory is laid out."""
