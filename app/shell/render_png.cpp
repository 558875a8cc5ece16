#include <stb_image_write.h>

#include <fstream>

#include "shell/render_target.h"

namespace gemmscope::shell {

Result<std::string> png_of(const Image& image) {
  std::string bytes;
  const auto append = [](void* context, void* data, int size) {
    static_cast<std::string*>(context)->append(static_cast<const char*>(data), static_cast<size_t>(size));
  };
  if (stbi_write_png_to_func(append, &bytes, image.size.width, image.size.height, 3, image.pixels.data(),
                             image.size.width * 3) == 0)
    return fail("The picture cannot be compressed.");
  return bytes;
}

Result<void> write_png(const Image& image, const std::string& path) {
  const Result<std::string> bytes = png_of(image);
  if (!bytes) return tl::unexpected(bytes.error());
  return write_picture_file(*bytes, path);
}

Result<void> write_picture_file(const std::string& bytes, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  if (!file)
    return fail("The picture cannot be written to \"{}\": check that the folder exists and may be written.",
                path);
  file << bytes;
  file.close();
  if (!file) return fail("The picture \"{}\" could not be written completely; is the disk full?", path);
  return {};
}

}  // namespace gemmscope::shell
