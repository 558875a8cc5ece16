#include <stb_image_write.h>

#include <fstream>

#include "shell/render_target.h"

namespace gemmscope::shell {

Result<void> write_png(const Image& image, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  if (!file)
    return fail("The picture cannot be written to \"{}\": check that the folder exists and may be written.",
                path);
  const auto append = [](void* context, void* data, int size) {
    static_cast<std::ofstream*>(context)->write(static_cast<const char*>(data), size);
  };
  const int written = stbi_write_png_to_func(append, &file, image.size.width, image.size.height, 3,
                                             image.pixels.data(), image.size.width * 3);
  file.close();
  if (written == 0 || !file)
    return fail("The picture \"{}\" could not be written completely; is the disk full?", path);
  return {};
}

}  // namespace gemmscope::shell
