#version 330 core
in vec4 bar_color;
out vec4 color;

void main() { color = bar_color; }
