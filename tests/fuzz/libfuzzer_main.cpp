// libFuzzer's entry. GEMMSCOPE_FUZZ_TARGET is the name of one function of targets.h.
#include <cstdint>

#include "targets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  gemmscope::fuzz::GEMMSCOPE_FUZZ_TARGET(std::as_bytes(std::span(data, size)));
  return 0;
}
