"""How a step runs: records that Python and kernels share, and plans of kernels that run in one call."""
