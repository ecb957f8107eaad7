"""The documents' tests of circles, boxes, fans, polygons and segments, on plain numbers."""
