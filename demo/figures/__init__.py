"""The manual's figures: small worlds, stepped and drawn. ``python -m ecsphys.demo.figures`` makes them all."""
