"""The engine's functions without a compiler: the same source, as Python that agrees with machine code and runs fast."""
