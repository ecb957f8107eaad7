"""``QuadLayer``: thousands of shapes in one draw call, as quads in one preallocated vertex list, and their shader.

Every shape is one quad whose fragments compute the exact signed distance d to its shape (negative inside), in world
units. Fill, outline and glow follow from d and the size of a pixel, so edges are smooth at any zoom without
multisampling, and arcs are arcs, not polygons. For the forms see ``ecsphys.engine.shapes.layout``.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress
from typing import Any

import numpy as np
from numpy import float32, float64
from numpy.typing import NDArray
from pyglet import gl
from pyglet.graphics import Batch
from pyglet.graphics.shader import Shader, ShaderProgram

from ecsphys.engine.shapes import layout

POOL_WIDTH = 1024
"""Vertices in one row of the texture that holds the polygons' vertices."""

_CONSTANTS = {name: getattr(layout, name) for name in ("CIRCLE", "BOX", "CAPSULE", "POLYGON", "FAN", "WIDE_FAN")}
_CONSTANTS["POOL_WIDTH"] = POOL_WIDTH
_FORMS = "\n".join(f"const int {name} = {value};" for name, value in _CONSTANTS.items())

_SHAPE_VERTEX = f"""#version 330 core
{_FORMS}
in vec2 corner;   // (±1, ±1)
in vec2 center;   // relative to the camera
in vec2 axis;     // the shape's unit axis
in vec4 shape;    // half_x, half_y (or their meaning in the form), radius, form
in vec4 color;    // straight alpha
in vec3 look;     // heat 0 … 1, alpha of the fill, outline in pixels

uniform vec4 view;       // the rows of the matrix from world to clip space
uniform float pixel;     // side of a pixel in world units
uniform sampler2D pool;

out vec2 local;
flat out vec2 half_size;
flat out float radius;
flat out int form;
flat out vec4 tint;
flat out vec3 style;
flat out float reach;     // of the glow, in pixels

vec2 pool_vertex(int i) {{ return texelFetch(pool, ivec2(i % POOL_WIDTH, i / POOL_WIDTH), 0).xy; }}

void main() {{
    form = int(shape.w);
    half_size = shape.xy;
    radius = shape.z;
    tint = color;
    style = look;
    vec2 low = vec2(-radius);
    vec2 high = vec2(radius);
    if (form == BOX) {{
        low = -half_size;
        high = half_size;
    }} else if (form == CAPSULE) {{
        low.x -= half_size.x;
        high.x += half_size.x;
    }} else if (form == POLYGON) {{
        vec2 first = vec2(1e30);
        vec2 last = vec2(-1e30);
        int start = int(half_size.x);
        for (int i = start; i < start + int(half_size.y); i++) {{
            first = min(first, pool_vertex(i));
            last = max(last, pool_vertex(i));
        }}
        low += first;
        high += last;
    }}
    reach = clamp(0.35 * min(high.x - low.x, high.y - low.y) / pixel, 2.0, 16.0);
    float margin = pixel * (2.0 + reach * look.x);
    local = mix(low - margin, high + margin, 0.5 + 0.5 * corner);
    vec2 world = center + local.x * axis + local.y * vec2(-axis.y, axis.x);
    gl_Position = vec4(dot(world, view.xy), dot(world, view.zw), 0.0, 1.0);
}}
"""

_SHAPE_FRAGMENT = f"""#version 330 core
{_FORMS}
in vec2 local;
flat in vec2 half_size;
flat in float radius;
flat in int form;
flat in vec4 tint;
flat in vec3 style;
flat in float reach;

uniform float pixel;
uniform sampler2D pool;

out vec4 fragment;

vec2 pool_vertex(int i) {{ return texelFetch(pool, ivec2(i % POOL_WIDTH, i / POOL_WIDTH), 0).xy; }}

float polygon_distance(vec2 p, int start, int count) {{
    // Inside a convex polygon the nearest edge's line decides, outside the nearest edge.
    float nearest = 1e30;
    float deepest = -1e30;
    vec2 a = pool_vertex(start + count - 1);
    for (int i = start; i < start + count; i++) {{
        vec2 b = pool_vertex(i);
        vec2 edge = b - a;
        vec2 from = p - a;
        vec2 gap = from - edge * clamp(dot(from, edge) / dot(edge, edge), 0.0, 1.0);
        nearest = min(nearest, dot(gap, gap));
        deepest = max(deepest, from.x * edge.y - from.y * edge.x);
        a = b;
    }}
    return deepest < 0.0 ? -sqrt(nearest) : sqrt(nearest);
}}

float fan_distance(vec2 p) {{
    // Symmetric about the axis: the upper edge stands for both. The fan is where arc and edges agree.
    p.y = abs(p.y);
    vec2 edge = half_size;  // cos and sin of half the spread
    float beyond_arc = length(p) - radius;
    float from_edge = length(p - edge * clamp(dot(p, edge), 0.0, radius));
    float side = edge.x * p.y - edge.y * p.x;
    return max(beyond_arc, side < 0.0 ? -from_edge : from_edge);
}}

float shape_distance(vec2 p) {{
    if (form == CIRCLE) return length(p) - radius;
    if (form == BOX) {{
        vec2 q = abs(p) - half_size;
        return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0);
    }}
    if (form == CAPSULE) {{
        p.x -= clamp(p.x, -half_size.x, half_size.x);
        return length(p) - radius;
    }}
    // A segment of a chain may be without thickness.
    float rounding = form == POLYGON && half_size.y < 2.5 ? max(radius, pixel) : radius;
    if (form == POLYGON) return polygon_distance(p, int(half_size.x), int(half_size.y)) - rounding;
    return fan_distance(p);
}}

void main() {{
    float d = shape_distance(local) / pixel;
    float heat = style.x;
    float width = style.z + heat;
    float inside = clamp(0.5 - d, 0.0, 1.0);
    float line = width > 0.0 ? clamp(0.5 + 0.5 * width - abs(d + 0.5 * width), 0.0, 1.0) : 0.0;
    // The fill is a little denser towards the edge, which gives flat shapes some body.
    float rim = exp(min(d, 0.0) / 14.0);
    float fill = inside * style.y * (0.75 + 0.6 * rim + 1.3 * heat);
    // A spoke along the axis shows how a circle turns.
    if (form == CIRCLE && style.y > 0.0 && style.z > 0.0) {{
        float spoke = clamp(1.25 - abs(local.y) / pixel, 0.0, 1.0) * step(0.0, local.x) * inside;
        fill = max(fill, 0.7 * spoke);
    }}
    vec3 base = tint.rgb;
    vec3 lit = mix(base, vec3(1.0, 0.97, 0.9), 0.65 * heat);
    float alpha = clamp(max(fill, line), 0.0, 1.0) * tint.a;
    vec3 painted = mix(base, lit, line) * alpha;
    // The glow is light: it adds to what is behind and covers nothing (premultiplied alpha).
    float glow = heat * 0.42 * exp(-3.0 * max(d, 0.0) / reach) * (1.0 - inside) * smoothstep(reach, 0.5 * reach, d);
    fragment = vec4(painted + glow * base * tint.a, alpha);
}}
"""


_ATTRIBUTES = {"center": 2, "axis": 2, "shape": 4, "color": 4, "look": 3}
_CORNERS = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
_TRIANGLES = (0, 1, 2, 0, 2, 3)
_NOWHERE = 1.0e9  # centre of an unused quad: far outside the picture, so that it is clipped away


class QuadLayer:
    """Collects rows of shapes during a frame and draws them in the order they came.

    A row has the data of one shape for the shader, each an array of n rows (or one row for all):

    ``center``
        (n, 2) relative to the camera, in world units.
    ``axis``
        (n, 2) unit axis.
    ``shape``
        (n, 4) two half sizes (their meaning depends on the form, see ``ecsphys.engine.shapes.layout``), radius, form.
    ``color``
        (n, 4) red, green, blue and alpha.
    ``look``
        (n, 3) heat from 0 to 1 (glow), alpha of the fill, outline in pixels.
    """

    def __init__(self, capacity: int = 1024) -> None:
        self._program = ShaderProgram(Shader(_SHAPE_VERTEX, "vertex"), Shader(_SHAPE_FRAGMENT, "fragment"))
        self._pool = _VertexTexture()
        self._views: dict[str, NDArray[float32]] = {}
        self._count = 0
        self._allocate(capacity)

    def _allocate(self, capacity: int) -> None:
        self._capacity = capacity
        corners = np.tile(np.array(_CORNERS, float32).ravel(), capacity)
        firsts = 4 * np.arange(capacity)[:, None]
        # A batch of its own: the list then starts at 0 in a buffer that nothing else shares.
        formats: dict[str, Any] = {"corner": ("f", corners), **dict.fromkeys(_ATTRIBUTES, "f")}
        self._vertices: Any = self._program.vertex_list_indexed(
            4 * capacity,
            gl.GL_TRIANGLES,
            (firsts + np.array(_TRIANGLES)).ravel().tolist(),
            batch=Batch(),
            **formats,
        )
        self._drawn = capacity  # nothing is clipped away yet

    def begin(
        self, view: tuple[float, float, float, float], pixel: float, pool: NDArray[float64] | None = None
    ) -> None:
        """Start a frame. ``view`` holds the rows of the 2×2 matrix from world to clip space, ``pixel`` is a pixel's
        side in world units, ``pool`` the polygons' vertices (their first two columns are x and y)."""
        self._program["view"] = view
        self._program["pixel"] = pixel
        if pool is not None:
            self._pool.update(pool)
        self.resume()

    def resume(self) -> None:
        """Go on adding to the frame after a ``draw``."""
        # Afresh every time: pyglet marks the whole buffer for upload when an attribute is read.
        self._count = 0
        for name, size in _ATTRIBUTES.items():
            flat = np.frombuffer(getattr(self._vertices, name), float32)
            self._views[name] = flat.reshape(self._capacity, 4, size)

    def add(
        self,
        center: NDArray[Any],
        axis: NDArray[Any],
        shape: NDArray[Any],
        color: NDArray[Any],
        look: NDArray[Any],
    ) -> None:
        """Append shapes; what does not fit is drawn after the buffer has been drawn and enlarged."""
        count = center.shape[0]
        if self._count + count > self._capacity:
            self.draw()
            if count > self._capacity:
                self._vertices.delete()
                self._allocate(2 * count)
            self.resume()
        rows = slice(self._count, self._count + count)
        for name, data in (("center", center), ("axis", axis), ("shape", shape), ("color", color), ("look", look)):
            self._views[name][rows] = data[:, None, :] if data.ndim == 2 else data
        self._count += count

    def draw(self) -> None:
        """Draw everything added so far. Call ``begin`` or ``resume`` before you add more."""
        if self._count == 0:
            return
        self._views["center"][self._count : self._drawn] = _NOWHERE
        self._drawn = self._count
        self._views.clear()
        self._program.use()
        self._pool.bind()
        self._vertices.draw(gl.GL_TRIANGLES)
        self._program.stop()


class _VertexTexture:
    """The polygon vertices as a texture of (x, y) pairs, POOL_WIDTH to a row, replaced when they change."""

    def __init__(self) -> None:
        self._known: NDArray[float32] = np.zeros((1, POOL_WIDTH, 2), float32)
        name = gl.GLuint()
        gl.glGenTextures(1, ctypes.byref(name))
        self._name: int = name.value
        self._context: Any = gl.current_context
        self.bind()
        gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MIN_FILTER, gl.GL_NEAREST)
        gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MAG_FILTER, gl.GL_NEAREST)
        self._upload()

    def __del__(self) -> None:
        # Without a context there is no texture any more; and Python may be ending.
        with suppress(AttributeError, ImportError):
            self._context.delete_texture(self._name)

    def bind(self) -> None:
        gl.glActiveTexture(gl.GL_TEXTURE0)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self._name)

    def update(self, pool: NDArray[float64]) -> None:
        count = pool.shape[0]
        texels = np.zeros((max(-(-count // POOL_WIDTH), 1), POOL_WIDTH, 2), float32)
        # Runs of deleted polygons keep their old values, which may be beyond float32.
        with np.errstate(over="ignore"):
            texels.reshape(-1, 2)[:count] = pool[:, :2]
        if texels.shape != self._known.shape or not np.array_equal(texels, self._known):
            self._known = texels
            self.bind()
            self._upload()

    def _upload(self) -> None:
        rows = self._known.shape[0]
        gl.glTexImage2D(
            gl.GL_TEXTURE_2D,
            0,
            gl.GL_RG32F,
            POOL_WIDTH,
            rows,
            0,
            gl.GL_RG,
            gl.GL_FLOAT,
            self._known.ctypes.data_as(ctypes.c_void_p),
        )
