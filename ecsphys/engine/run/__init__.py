"""Steps that machine code makes by itself: recorded calls of kernels, and the plan that makes them one by one."""
