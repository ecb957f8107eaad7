"""The shader programs of the demo's own: the ground behind everything, and coloured triangles."""

from __future__ import annotations

from pyglet.graphics.shader import Shader, ShaderProgram

_GROUND_VERTEX = """#version 330 core
in vec2 corner;
uniform vec4 view;        // scale x, y and shift x, y from world to clip space
out vec2 world;
void main() {
    gl_Position = vec4(corner, 0.0, 1.0);
    world = (corner - view.zw) / view.xy;
}
"""

_GROUND_FRAGMENT = """#version 330 core
in vec2 world;
uniform float pixel;
uniform vec4 arena;       // min_x, min_y, max_x, max_y
uniform float spacing;    // between two fine lines, in world units
uniform vec3 background;
uniform vec3 floor_color;
uniform vec3 grid_color;
uniform vec3 frame_color;
out vec4 fragment;

float lines(vec2 p, float step_size, float width) {
    vec2 away = abs(p - step_size * round(p / step_size)) / pixel;
    vec2 cover = clamp(0.5 + 0.5 * width - away, 0.0, 1.0);
    return max(cover.x, cover.y);
}

void main() {
    vec2 center = 0.5 * (arena.xy + arena.zw);
    vec2 half_size = 0.5 * (arena.zw - arena.xy);
    vec2 q = abs(world - center) - half_size;
    float d = (length(max(q, 0.0)) + min(max(q.x, q.y), 0.0)) / pixel;
    float inside = clamp(0.5 - d, 0.0, 1.0);
    vec2 across = (world - center) / half_size;
    float vignette = 1.0 - 0.28 * dot(across, across) * 0.5;
    vec3 ground = floor_color * vignette;
    ground = mix(ground, grid_color, 0.045 * lines(world - center, spacing, 1.0));
    ground = mix(ground, grid_color, 0.05 * lines(world - center, 5.0 * spacing, 1.0));
    vec3 color = mix(background, ground, inside);
    color = mix(color, frame_color, clamp(1.25 - abs(d - 0.5), 0.0, 1.0));
    fragment = vec4(color, 1.0);
}
"""


def ground_program() -> ShaderProgram:
    """Program for the one quad behind everything: the arena with its grid and frame."""
    return ShaderProgram(Shader(_GROUND_VERTEX, "vertex"), Shader(_GROUND_FRAGMENT, "fragment"))


_TRIANGLE_VERTEX = """#version 330 core
in vec2 position;   // relative to the camera
in vec4 color;      // straight alpha
in float across;    // of light, from -1 to 1
uniform vec4 view;  // the rows of the matrix from world to clip space
out vec4 tint;
out float away;
void main() {
    tint = vec4(color.rgb * color.a, color.a);
    away = across;
    gl_Position = vec4(dot(position, view.xy), dot(position, view.zw), 0.0, 1.0);
}
"""

_PAINT_FRAGMENT = """#version 330 core
in vec4 tint;
out vec4 fragment;
void main() { fragment = tint; }
"""

_LIGHT_FRAGMENT = """#version 330 core
in vec4 tint;
in float away;
out vec4 fragment;
void main() {
    // A hot core and a wide halo, both 0 at the border: what only adds is light.
    float side = clamp(abs(away), 0.0, 1.0);
    float halo = (1.0 - side) * (1.0 - side);
    float core = smoothstep(0.32, 0.0, side);
    fragment = vec4(tint.rgb * (1.1 * halo + 0.35 * core) + vec3(0.7 * core * tint.a), 0.0);
}
"""


def paint_program() -> ShaderProgram:
    """Program for coloured triangles: the simplest, as they may fill the picture."""
    vertex = _TRIANGLE_VERTEX.replace("in float across;", "const float across = 0.0;")
    return ShaderProgram(Shader(vertex, "vertex"), Shader(_PAINT_FRAGMENT, "fragment"))


def light_program() -> ShaderProgram:
    """Program for triangles of light; see :class:`ecsphys.demo.triangle_layer.TriangleLayer`."""
    return ShaderProgram(Shader(_TRIANGLE_VERTEX, "vertex"), Shader(_LIGHT_FRAGMENT, "fragment"))
