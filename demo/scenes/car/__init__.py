"""A car in generated hills, with bridges, jumps, a seesaw and stacks on its way."""
