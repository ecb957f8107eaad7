"""Components of rigid bodies."""
