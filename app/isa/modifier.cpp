#include "isa/modifier.h"

#include <array>
#include <iterator>
#include <string>

namespace gemmscope::isa {

namespace {

constexpr const char* kTexts[] = {
#define GEMMSCOPE_MODIFIER_TEXT(name, text) text,
    GEMMSCOPE_MODIFIERS(GEMMSCOPE_MODIFIER_TEXT)
#undef GEMMSCOPE_MODIFIER_TEXT
};

std::array<std::string, 160> make_hgmma_texts() {
  constexpr const char* kDepths[] = {"16", "8", "32", "64", "256"};
  std::array<std::string, 160> texts;
  for (int i = 0; i < 160; ++i) texts[i] = "64x" + std::to_string((i % 32 + 1) * 8) + "x" + kDepths[i / 32];
  return texts;
}

}  // namespace

const char* modifier_text(Modifier modifier) {
  const auto number = static_cast<std::size_t>(modifier);
  if (number < std::size(kTexts)) return kTexts[number];
  static const std::array<std::string, 160> hgmma_texts = make_hgmma_texts();
  const std::size_t shape = number - static_cast<std::size_t>(Modifier::hgmma_first);
  return shape < hgmma_texts.size() ? hgmma_texts[shape].c_str() : "";
}

}  // namespace gemmscope::isa
