#include "drawing/instanced_bars.h"

#include <fmt/format.h>
#include <glad/gl.h>
#include <imgui.h>

#include <array>
#include <cstddef>
#include <fstream>
#include <sstream>

#include "base/error.h"

namespace gemmscope::drawing {
namespace {

static_assert(sizeof(ColoredRect) == 20 && offsetof(ColoredRect, color) == 16);

std::filesystem::path& shader_folder() {
  static std::filesystem::path folder;
  return folder;
}

Result<std::string> read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) return fail("The shader {} cannot be read.", path.string());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Result<uint32_t> compile(uint32_t kind, const char* name) {
  const Result<std::string> text = read_text(shader_folder() / name);
  if (!text) return tl::unexpected(text.error());
  const uint32_t shader = glCreateShader(kind);
  const char* source = text->c_str();
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  int compiled = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  if (compiled != 0) return shader;
  std::array<char, 512> log{};
  glGetShaderInfoLog(shader, static_cast<int>(log.size()), nullptr, log.data());
  glDeleteShader(shader);
  return fail("The shader {} does not compile: {}", name, log.data());
}

Result<uint32_t> link_program() {
  const Result<uint32_t> vertex = compile(GL_VERTEX_SHADER, "bars.vert");
  if (!vertex) return tl::unexpected(vertex.error());
  const Result<uint32_t> fragment = compile(GL_FRAGMENT_SHADER, "bars.frag");
  if (!fragment) {
    glDeleteShader(*vertex);
    return tl::unexpected(fragment.error());
  }
  const uint32_t program = glCreateProgram();
  glAttachShader(program, *vertex);
  glAttachShader(program, *fragment);
  glLinkProgram(program);
  glDeleteShader(*vertex);
  glDeleteShader(*fragment);
  int linked = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  if (linked != 0) return program;
  glDeleteProgram(program);
  return fail("The shaders bars.vert and bars.frag do not fit together.");
}

}  // namespace

void set_shader_folder(std::filesystem::path folder) { shader_folder() = std::move(folder); }

InstancedBars::~InstancedBars() {
  if (program_ != 0) glDeleteProgram(program_);
  if (array_ != 0) glDeleteVertexArrays(1, &array_);
  if (buffer_ != 0) glDeleteBuffers(1, &buffer_);
}

bool InstancedBars::prepare() {
  if (program_ != 0 || !trouble_.empty()) return program_ != 0;
  const Result<uint32_t> program = link_program();
  if (!program) {
    trouble_ = program.error().message;
    return false;
  }
  program_ = *program;
  origin_place_ = glGetUniformLocation(program_, "origin");
  screen_place_ = glGetUniformLocation(program_, "screen");
  int old_array = 0, old_buffer = 0;
  glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &old_array);
  glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &old_buffer);
  glGenVertexArrays(1, &array_);
  glGenBuffers(1, &buffer_);
  glBindVertexArray(array_);
  glBindBuffer(GL_ARRAY_BUFFER, buffer_);
  glEnableVertexAttribArray(0);
  glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, sizeof(ColoredRect), nullptr);
  glVertexAttribDivisor(0, 1);
  glEnableVertexAttribArray(1);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): OpenGL takes an offset as a pointer
  glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(ColoredRect),
                        reinterpret_cast<const void*>(offsetof(ColoredRect, color)));
  glVertexAttribDivisor(1, 1);
  glBindVertexArray(static_cast<uint32_t>(old_array));
  glBindBuffer(GL_ARRAY_BUFFER, static_cast<uint32_t>(old_buffer));
  return true;
}

void InstancedBars::upload(std::span<const ColoredRect> bars) {
  int old_buffer = 0;
  glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &old_buffer);
  glBindBuffer(GL_ARRAY_BUFFER, buffer_);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(bars.size_bytes()), bars.data(), GL_STREAM_DRAW);
  glBindBuffer(GL_ARRAY_BUFFER, static_cast<uint32_t>(old_buffer));
  count_ = static_cast<int>(bars.size());
}

void InstancedBars::draw(Canvas& canvas, Rect clip, std::span<const ColoredRect> bars, uint64_t version) {
  if (bars.empty() || clip.empty()) return;
  if (!prepare()) {
    const ScopedClip clipped(canvas, clip);
    return canvas.fill_rects(bars);
  }
  if (!uploaded_ || version != version_) upload(bars);
  uploaded_ = true;
  version_ = version;
  origin_ = canvas.screen_area().top_left();
  const ScopedClip clipped(canvas, clip);
  canvas.draw_list().AddCallback(&InstancedBars::draw_callback, this);
  canvas.draw_list().AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

void InstancedBars::draw_callback(const ImDrawList*, const ImDrawCmd* command) {
  const ImVec4 clip = command->ClipRect;
  static_cast<const InstancedBars*>(command->UserCallbackData)->draw_now({clip.x, clip.y, clip.z, clip.w});
}

std::vector<ColoredRect> InstancedBars::drawn_by(const ImDrawCmd& command) {
  if (command.UserCallback != &InstancedBars::draw_callback) return {};
  const auto& drawn = *static_cast<const InstancedBars*>(command.UserCallbackData);
  std::vector<ColoredRect> bars(static_cast<size_t>(drawn.count_));
  glBindBuffer(GL_ARRAY_BUFFER, drawn.buffer_);
  glGetBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(bars.size() * sizeof(ColoredRect)),
                     bars.data());
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  for (ColoredRect& bar : bars) bar.rect = bar.rect.moved(drawn.origin_.x, drawn.origin_.y);
  return bars;
}

void InstancedBars::draw_now(Rect clip) const {
  const ImVec2 screen = ImGui::GetDrawData()->DisplaySize;
  if (clip.empty()) return;
  glScissor(static_cast<int>(clip.left), static_cast<int>(screen.y - clip.bottom),
            static_cast<int>(clip.width()), static_cast<int>(clip.height()));
  glUseProgram(program_);
  glUniform2f(origin_place_, origin_.x, origin_.y);
  glUniform2f(screen_place_, screen.x, screen.y);
  glBindVertexArray(array_);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, count_);
}

}  // namespace gemmscope::drawing
