"""What several scenes draw: numbers, outlines, trails."""
