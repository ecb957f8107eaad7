"""Worlds of rigid bodies in plain numbers, and the engines that play the very same: ecsphys, Box2D, pymunk."""
