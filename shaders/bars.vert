#version 330 core
// One instance is one bar: the corners come from the number of the vertex.
layout(location = 0) in vec4 rect;   // left, top, right, bottom in pixels of the canvas
layout(location = 1) in vec4 color;  // sRGB, straight alpha

uniform vec2 origin;  // of the canvas on the screen, pixels
uniform vec2 screen;  // its size, pixels

out vec4 bar_color;

void main() {
  // Whole pixels, at least one: a bar that is thinner is still seen.
  vec2 low = floor(rect.xy + 0.5);
  vec2 high = max(floor(rect.zw + 0.5), low + 1.0);
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
  vec2 at = (origin + mix(low, high, corner)) / screen;
  gl_Position = vec4(2.0 * at.x - 1.0, 1.0 - 2.0 * at.y, 0.0, 1.0);
  bar_color = color;
}
