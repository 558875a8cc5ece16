// Draws many bars in one call: an instance a bar, with the program in shaders/bars.vert and bars.frag. Where
// the shaders cannot be read or compiled, the bars are drawn as rectangles, and `trouble` says why.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "drawing/canvas.h"

struct ImDrawCmd;

namespace gemmscope::drawing {

// Where the shaders lie; set once, before the first bars are drawn.
void set_shader_folder(std::filesystem::path folder);

// Owns the bars of one picture on the GPU. Must outlive the frame that draws them, and needs the OpenGL
// context in which it is destroyed.
class InstancedBars {
 public:
  InstancedBars() = default;
  ~InstancedBars();
  InstancedBars(const InstancedBars&) = delete;
  InstancedBars& operator=(const InstancedBars&) = delete;

  // Adds the bars to the canvas, clipped to `clip`. They are uploaded if the version is a new one.
  void draw(Canvas& canvas, Rect clip, std::span<const ColoredRect> bars, uint64_t version);
  const std::string& trouble() const { return trouble_; }

  // The bars that the command draws, in pixels of the screen; empty where it draws none.
  static std::vector<ColoredRect> drawn_by(const ImDrawCmd& command);

 private:
  static void draw_callback(const ImDrawList* list, const ImDrawCmd* command);
  bool prepare();
  void upload(std::span<const ColoredRect> bars);
  void draw_now(Rect clip) const;

  uint32_t program_ = 0, array_ = 0, buffer_ = 0;
  int origin_place_ = -1, screen_place_ = -1;
  int count_ = 0;
  uint64_t version_ = 0;
  bool uploaded_ = false;
  Point origin_;
  std::string trouble_;
};

}  // namespace gemmscope::drawing
