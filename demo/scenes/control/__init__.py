"""Ways to steer: walking, following, aiming, firing."""
