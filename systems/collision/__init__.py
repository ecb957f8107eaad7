"""Broadphase and narrowphase: find the colliders that overlap."""
