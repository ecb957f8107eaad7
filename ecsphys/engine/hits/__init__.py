"""From contacts to hits: filters, order, and what started and ended."""
