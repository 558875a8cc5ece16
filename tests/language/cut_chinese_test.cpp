// In Chinese no text is shortened either, at the sizes of projectors and laptops.
#include <gtest/gtest.h>

#include "drawn_texts.h"
#include "language/phrase_table.h"

namespace gemmscope::language {
namespace {

TEST(ShortenedChinese, NoneOnAProjector) {
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  for (const shell::PixelSize size : {shell::PixelSize{1280, 720}, {1920, 1080}, {3840, 2160}})
    for (const auto& [kernel, jump] : {std::pair("bank_conflicts", ""),
                                       {"coalescing", ""},
                                       {"workbench", ""},
                                       {"07_register_tile", "start.cards"},
                                       {"11_prefetch", "pipeline.show"},
                                       {"11_prefetch", "pipeline.wide"},
                                       {"07_register_tile", "timing.show"},
                                       {"07_register_tile", "timing.wide"},
                                       {"07_register_tile", "occupancy.calculator"},
                                       {"07_register_tile", "board.show"},
                                       {"15_tensor_bf16", "picture.fragments"},
                                       {"07_register_tile", "view.help"}})
      for (const std::string& text :
           draw_in_chinese(start_with(*catalog.find(kernel)), {.size = size, .jump = jump}).shortened)
        if (is_chinese(text))
          ADD_FAILURE() << kernel << " at " << size.width << "x" << size.height << ", " << jump << ": \""
                        << text << "\" is shortened";
}

}  // namespace
}  // namespace gemmscope::language
