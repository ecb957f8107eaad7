"""The current esper world as arrays: what each entity has, and where every collider is."""
