"""Broadphase and narrowphase: which colliders touch."""
