// Compiles a kernel written in a test with NVRTC and runs it on the machine.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../isa/print_arch.h"
#include "compile/compiler.h"
#include "cubin/cubin.h"
#include "machine/execute/grid.h"
#include "machine/record/trace.h"

namespace gemmscope::machine {

// Skips the rest of a test body on a computer without NVRTC.
#define NEED_NVRTC()                        \
  if (!gemmscope::compile::nvrtc_version()) \
  GTEST_SKIP() << gemmscope::compile::nvrtc_version().error().message

struct CompiledSource {
  cubin::Cubin cubin;
  std::string text;  // the disassembly, a line an instruction

  bool has(const std::string& part) const { return text.find(part) != std::string::npos; }
};

// The kernel must be called "kernel". Null after a failed expectation.
std::shared_ptr<CompiledSource> compile_source(const std::string& source, isa::Arch arch,
                                               const std::vector<std::string>& options = {});

// Describes a launch: buffers and scalars in the order of the kernel's parameters.
class Launch {
 public:
  std::array<uint32_t, 3> grid{1, 1, 1}, block{32, 1, 1};
  uint32_t dynamic_shared_bytes = 0;
  BlockLimits limits;
  int threads = 1;  // CPU threads that share the blocks

  template <typename T>
  Launch& buffer(const std::string& name, const std::vector<T>& values) {
    return scalar(allocate(name, values));
  }
  // A buffer that no parameter leads to, but a tensor map.
  template <typename T>
  Launch& hidden_buffer(const std::string& name, const std::vector<T>& values) {
    allocate(name, values);
    return *this;
  }
  // Like buffer(), but its values count as unwritten until the kernel stores them.
  template <typename T>
  Launch& uninitialised(const std::string& name, const std::vector<T>& values) {
    buffer(name, values);
    memory_.declare_uninitialised(name);
    return *this;
  }
  template <typename T>
  Launch& scalar(T value) {
    arguments_.push_back(argument(value));
    return *this;
  }
  template <typename T>
  std::vector<T> values(const std::string& name) {
    const std::span<const std::byte> bytes = memory_.bytes(name);
    std::vector<T> result(bytes.size() / sizeof(T));
    std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }

  // Runs all blocks. Returns the fault as text, or nothing; `fault` keeps its kind.
  std::string run(const CompiledSource& source);
  tl::expected<Trace, FaultedRun> trace(const CompiledSource& source, size_t records = 1'000'000);
  Trace trace_in_turns(const CompiledSource& source, size_t records);
  Result<Program> translated(const CompiledSource& source);

  std::optional<Fault> fault;
  InstructionCounts counts;
  std::vector<Finding> findings;
  std::vector<std::string> finding_texts;  // as sentences

 private:
  template <typename T>
  uint64_t allocate(const std::string& name, const std::vector<T>& values) {
    const auto* first = reinterpret_cast<const std::byte*>(values.data());
    const uint64_t address = memory_.allocate(name, values.size() * sizeof(T));
    std::copy(first, first + values.size() * sizeof(T), memory_.bytes(name).begin());
    return address;
  }

  GlobalMemory memory_;
  std::vector<std::vector<std::byte>> arguments_;
};

}  // namespace gemmscope::machine
