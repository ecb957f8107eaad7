"""The shader program of the menu's cards: picture, strip for the title, frame, and a glow about the chosen one."""

from __future__ import annotations

from pyglet.graphics.shader import Shader, ShaderProgram

_VERTEX = """#version 330 core
in vec2 place;      // in pixels, from the card's middle
in vec4 card;       // its middle, and half its width and height
in vec2 look;       // the layer of its picture, and how much it stands out, from 0 to 1
uniform vec2 window;
out vec2 at;
flat out vec2 half_size;
flat out vec2 style;
void main() {
    at = place;
    half_size = card.zw;
    style = look;
    gl_Position = vec4(2.0 * (card.xy + place) / window - 1.0, 0.0, 1.0);
}
"""

_FRAGMENT = """#version 330 core
in vec2 at;
flat in vec2 half_size;
flat in vec2 style;
uniform sampler2DArray pictures;
uniform float strip;      // height of the title, in pixels
uniform float unit;       // pixels
uniform vec3 strip_color;
uniform vec3 frame_color;
uniform vec3 accent;
out vec4 fragment;

vec3 picture_at(vec2 place, vec2 pixel) {
    vec3 sum = vec3(0.0);
    for (int k = 0; k < SAMPLES * SAMPLES; k++) {
        vec2 part = (vec2(k % SAMPLES, k / SAMPLES) + 0.5) / float(SAMPLES) - 0.5;
        sum += texture(pictures, vec3(place + part * pixel, style.x)).rgb;
    }
    return sum / float(SAMPLES * SAMPLES);
}

vec3 inside_color(vec2 pixel, float chosen) {
    vec2 place = (at + half_size - vec2(0.0, strip)) * pixel;
    if (place.y < 0.0) {
        return mix(strip_color, accent, 0.13 * chosen);
    }
    return picture_at(place, pixel) * mix(0.86, 1.0, chosen);
}

void main() {
    float rounding = 7.0 * unit;
    float chosen = style.y;
    vec2 pixel = 1.0 / vec2(2.0 * half_size.x, 2.0 * half_size.y - strip);
    vec2 q = abs(at) - half_size + rounding;
    if (max(q.x, q.y) < 0.0) {
        // Most pixels are far from the frame.
        fragment = vec4(inside_color(pixel, chosen), 1.0);
        return;
    }
    float d = length(max(q, 0.0)) - rounding;
    float halo = 0.42 * chosen * exp(-max(d, 0.0) / (6.0 * unit));
    if (d > 1.0) {
        fragment = vec4(accent * halo, 0.0);
        return;
    }
    float width = mix(0.8, 2.2, chosen) * unit;
    float line = clamp(0.5 + width + d, 0.0, 1.0);
    vec3 color = mix(inside_color(pixel, chosen), mix(frame_color, accent, chosen), line);
    float inside = clamp(0.5 - d, 0.0, 1.0);
    fragment = vec4(mix(accent * halo, color, inside), inside);
}
"""


def card_program(samples: int) -> ShaderProgram:
    """Program for :class:`ecsphys.demo.menu.card_layer.CardLayer`."""
    # A constant, as a loop with a variable end takes twice the time.
    fragment = _FRAGMENT.replace("SAMPLES", str(samples))
    return ShaderProgram(Shader(_VERTEX, "vertex"), Shader(fragment, "fragment"))
