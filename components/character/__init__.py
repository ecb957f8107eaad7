"""What characters walk as and stand on."""
