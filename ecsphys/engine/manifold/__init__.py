"""Contacts of two placed shapes: separation, manifold, round shapes, wide fans."""
