"""Moving shapes: casts in a straight line, times of impact on exact motions."""
