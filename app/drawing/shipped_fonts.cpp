#include "drawing/shipped_fonts.h"

// The assembler puts the files' bytes between these names.
#define EMBED(name, file)                                                                \
  __asm__(".section .rodata\n.balign 16\n" #name "_begin:\n.incbin \"" file "\"\n" #name \
          "_end:\n.byte 0\n.previous\n");                                                \
  extern "C" const unsigned char name##_begin[], name##_end[]

#ifdef GEMMSCOPE_INTER_FILE
EMBED(gemmscope_inter, GEMMSCOPE_INTER_FILE);
#endif
#ifdef GEMMSCOPE_JETBRAINS_MONO_FILE
EMBED(gemmscope_jetbrains_mono, GEMMSCOPE_JETBRAINS_MONO_FILE);
#endif
#ifdef GEMMSCOPE_CHINESE_FILE
EMBED(gemmscope_chinese, GEMMSCOPE_CHINESE_FILE);
#endif

namespace gemmscope::drawing {

ShippedFont shipped_font([[maybe_unused]] std::string_view family) {
#ifdef GEMMSCOPE_INTER_FILE
  if (family == "Inter") return {{gemmscope_inter_begin, gemmscope_inter_end}, 1.21f};
#endif
#ifdef GEMMSCOPE_JETBRAINS_MONO_FILE
  if (family == "JetBrains Mono")
    return {{gemmscope_jetbrains_mono_begin, gemmscope_jetbrains_mono_end}, 1.32f};
#endif
#ifdef GEMMSCOPE_CHINESE_FILE
  if (family == kChineseFamily) return {{gemmscope_chinese_begin, gemmscope_chinese_end}, 1.31f};
#endif
  return {};
}

}  // namespace gemmscope::drawing
