"""Questions about placed shapes: distances, points, rays, casts and times of impact; the documents' own tests."""
