// Returns memory that was freed to the operating system.
#pragma once

#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace gemmscope {

// A thread calls it when its work is done. Traces and matrices take hundreds of megabytes for a moment, and
// the C library keeps what each thread freed, for that thread alone: without this the program grows by the
// largest job of every thread that ever worked.
inline void give_back_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace gemmscope
