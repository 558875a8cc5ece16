// An allocator for vectors of zeros. The operating system gives a page when it is first written, so that a
// matrix of which one block writes a tile takes the memory of that tile.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

namespace gemmscope::machine {

// A vector with it must be given its size once: what it grows by later is zero only in new memory.
template <typename T>
struct ZeroedAllocator {
  static_assert(std::is_trivially_default_constructible_v<T> && alignof(T) <= alignof(std::max_align_t));
  using value_type = T;

  ZeroedAllocator() = default;
  template <typename U>
  ZeroedAllocator(const ZeroedAllocator<U>&) {}

  T* allocate(size_t count) {
    if (void* const memory = std::calloc(count, sizeof(T))) return static_cast<T*>(memory);
    throw std::bad_alloc();
  }
  void deallocate(T* memory, size_t) { std::free(memory); }

  template <typename U>
  void construct(U*) {}  // the memory is zero
  template <typename U, typename First, typename... More>
  void construct(U* place, First&& first, More&&... more) {
    ::new (static_cast<void*>(place)) U(std::forward<First>(first), std::forward<More>(more)...);
  }

  friend bool operator==(const ZeroedAllocator&, const ZeroedAllocator&) { return true; }
};

}  // namespace gemmscope::machine
