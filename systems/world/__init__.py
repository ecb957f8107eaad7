"""The current esper world as arrays: who has what, and where every collider is."""
