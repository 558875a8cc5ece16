#include <algorithm>

#include "cubin/cubin.h"
#include "isa/disassemble.h"
#include "targets.h"

namespace gemmscope::fuzz {
namespace {

constexpr uint32_t kMostInstructions = 4096;  // an input is small, but sections that share bytes may be large

void read_code(const cubin::Cubin& cubin, const cubin::KernelCode& kernel) {
  require(kernel.words.size() % 2 == 0, "code is whole instructions");
  require(std::ranges::is_sorted(kernel.lines, {}, &cubin::LineEntry::address), "lines are by address");
  const uint32_t count = std::min(kernel.instruction_count(), kMostInstructions);
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t address = i * isa::kInstructionBytes;
    const auto decoded = isa::decode(kernel.words[2 * i], kernel.words[2 * i + 1], address, cubin.arch);
    require(!isa::disassemble(decoded).empty(), "an instruction has a text");
    const cubin::LineEntry* line = cubin::line_at(kernel, address);
    require(line == nullptr || line->file < cubin.files.size(), "a line has a file");
    const std::vector<cubin::SourceLine> chain = cubin::inline_chain(kernel, address);
    require(chain.empty() == (line == nullptr), "a line begins its chain of calls");
    require(chain.size() <= cubin::kMostInlinedCalls + 1, "a chain of calls ends");
    for (const cubin::SourceLine& call : chain) require(call.file < cubin.files.size(), "a call has a file");
  }
}

}  // namespace

void cubin(Bytes bytes) {
  const auto read = cubin::read_cubin(bytes, "damaged.cubin");
  if (!read) return require(!read.error().message.empty(), "a refusal says why");
  for (const cubin::KernelCode& kernel : read->kernels) read_code(*read, kernel);
}

}  // namespace gemmscope::fuzz
