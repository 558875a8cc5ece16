// The ending of a counted noun: "1 block", "2 blocks".
#pragma once

namespace gemmscope {

template <typename Count>
constexpr const char* plural(Count count) {
  return count == 1 ? "" : "s";
}

}  // namespace gemmscope
