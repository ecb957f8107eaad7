"""The shader program that draws every shape and stroke.

Every body is one quad whose fragments compute the exact signed distance d to its shape (negative inside), in world
units. Fill, outline and glow follow from d and the size of a pixel, so edges are smooth at any zoom without
multisampling, and arcs are arcs, not polygons. For the forms see ``ecsphys.engine.shapes.layout``.
"""

from __future__ import annotations

from pyglet.graphics.shader import Shader, ShaderProgram

from ecsphys.engine.shapes.layout import BOX, CAPSULE, CIRCLE, FAN, POLYGON, WIDE_FAN

POOL_WIDTH = 1024
"""Vertices in one row of the texture that holds the polygons' vertices."""

_FORMS = "\n".join(
    f"const int {name} = {value};"
    for name, value in [
        ("CIRCLE", CIRCLE),
        ("BOX", BOX),
        ("CAPSULE", CAPSULE),
        ("POLYGON", POLYGON),
        ("FAN", FAN),
        ("WIDE_FAN", WIDE_FAN),
        ("POOL_WIDTH", POOL_WIDTH),
    ]
)

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


def shape_program() -> ShaderProgram:
    """Program for quads of shapes and strokes; ``QuadLayer`` describes its attributes."""
    return ShaderProgram(Shader(_SHAPE_VERTEX, "vertex"), Shader(_SHAPE_FRAGMENT, "fragment"))
