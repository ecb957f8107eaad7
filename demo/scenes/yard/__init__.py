"""The wrecking yard: a slingshot, and much to bring down with it."""
