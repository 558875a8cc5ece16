// The languages of what the program says.
#pragma once

#include <cstdint>
#include <string>

namespace gemmscope {

enum class Language : uint8_t { english, chinese };

// A text of a file that somebody wrote in both. Without Chinese, the English stands for both.
struct Text {
  std::string english, chinese;
  const std::string& in(Language language) const {
    return language == Language::chinese && !chinese.empty() ? chinese : english;
  }
  bool empty() const { return english.empty(); }
};

}  // namespace gemmscope
