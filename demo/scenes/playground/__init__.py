"""The playground: rigid bodies to spawn, drag, throw, draw and blast away, and a panel of switches."""
