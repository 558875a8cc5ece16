#include "shell/render_target.h"

namespace gemmscope::shell {
namespace {

// Only the UI thread draws to contexts, so this needs no lock.
RenderTarget*& claimed_target() {
  static RenderTarget* target = nullptr;
  return target;
}

}  // namespace

void RenderTarget::claim_context() {
  RenderTarget*& claimed = claimed_target();
  if (claimed == this) return;
  if (claimed != nullptr) claimed->unbind_context();
  bind_context();
  claimed = this;
}

void RenderTarget::release_claim() {
  if (claimed_target() == this) claimed_target() = nullptr;
}

Image image_from_gl(PixelSize size, const std::vector<unsigned char>& rgba) {
  const auto width = static_cast<std::size_t>(size.width), height = static_cast<std::size_t>(size.height);
  Image image{size, std::vector<unsigned char>(width * height * 3)};
  for (std::size_t row = 0; row < height; ++row) {
    const unsigned char* from = &rgba[(height - 1 - row) * width * 4];
    unsigned char* to = &image.pixels[row * width * 3];
    for (std::size_t column = 0; column < width; ++column, from += 4, to += 3) {
      to[0] = from[0], to[1] = from[1], to[2] = from[2];
    }
  }
  return image;
}

}  // namespace gemmscope::shell
