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

// Of a picture that is much larger than its card, four samples are the mean of a pixel.
vec3 picture_at(vec2 place, vec2 pixel) {
    if (pixel.x * float(textureSize(pictures, 0).x) < 1.6) {
        return texture(pictures, vec3(place, style.x)).rgb;
    }
    vec3 sum = vec3(0.0);
    for (int k = 0; k < 4; k++) {
        vec2 part = vec2(k & 1, k >> 1) * 0.5 - 0.25;
        sum += texture(pictures, vec3(place + part * pixel, style.x)).rgb;
    }
    return 0.25 * sum;
}

void main() {
    float rounding = 7.0 * unit;
    vec2 q = abs(at) - half_size + rounding;
    float d = length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - rounding;
    float chosen = style.y;
    float halo = 0.42 * chosen * exp(-max(d, 0.0) / (6.0 * unit));
    if (d > 1.0) {
        fragment = vec4(accent * halo, 0.0);
        return;
    }
    vec2 pixel = 1.0 / vec2(2.0 * half_size.x, 2.0 * half_size.y - strip);
    vec2 place = (at + half_size - vec2(0.0, strip)) * pixel;
    vec3 color;
    if (place.y < 0.0) {
        color = mix(strip_color, accent, 0.13 * chosen);
    } else {
        color = picture_at(place, pixel) * mix(0.86, 1.0, chosen);
    }
    float width = mix(0.8, 2.2, chosen) * unit;
    float line = clamp(0.5 + width + d, 0.0, 1.0);
    color = mix(color, mix(frame_color, accent, chosen), line);
    float inside = clamp(0.5 - d, 0.0, 1.0);
    fragment = vec4(mix(accent * halo, color, inside), inside);
}
"""


def card_program() -> ShaderProgram:
    """Program for :class:`ecsphys.demo.menu.card_layer.CardLayer`."""
    return ShaderProgram(Shader(_VERTEX, "vertex"), Shader(_FRAGMENT, "fragment"))
