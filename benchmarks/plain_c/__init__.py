"""Plain C as a yardstick: a frame of circles, beside ours."""
