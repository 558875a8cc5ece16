#include "isa/opcode_table.h"

#include <vector>

#include "isa/opcode_vocabulary.h"

namespace gemmscope::isa {

namespace {

constexpr int kOpcode9Count = 512;
constexpr int kArchCount = static_cast<int>(kAllArchs.size());

// The candidate rows of one opcode on one architecture, in table order. Most opcodes have one.
struct Candidates {
  const OpcodeRow* const* first = nullptr;
  int count = 0;
};

class Table {
 public:
  Table() {
    for (const auto& family :
         {integer_rows(), predicate_rows(), float_rows(), half_rows(), conversion_rows(), tensor_rows(),
          memory_rows(), atomic_rows(), control_rows(), async_rows(), texture_rows()})
      for (const OpcodeRow& row : family) rows_.push_back(&row);
    build_index();
  }

  std::span<const OpcodeRow* const> rows() const { return rows_; }
  const Candidates& candidates(int arch, uint64_t opcode9) const { return index_[arch][opcode9]; }

 private:
  void build_index() {
    std::array<std::array<std::vector<const OpcodeRow*>, kOpcode9Count>, kArchCount> lists;
    std::size_t total = 0;
    for (const OpcodeRow* row : rows_)
      for (int arch = 0; arch < kArchCount; ++arch)
        if (row->archs.has_index(arch)) lists[arch][row->opcode9].push_back(row), ++total;
    ordered_.reserve(total);  // the index points into ordered_
    for (int arch = 0; arch < kArchCount; ++arch)
      for (int code = 0; code < kOpcode9Count; ++code) {
        const auto& list = lists[arch][code];
        index_[arch][code] = {ordered_.data() + ordered_.size(), static_cast<int>(list.size())};
        ordered_.insert(ordered_.end(), list.begin(), list.end());
      }
  }

  std::vector<const OpcodeRow*> rows_;
  std::vector<const OpcodeRow*> ordered_;
  std::array<std::array<Candidates, kOpcode9Count>, kArchCount> index_{};
};

const Table& table() {
  static const Table instance;
  return instance;
}

}  // namespace

const OpcodeRow* find_row(const Instruction& word) {
  const Candidates& candidates = table().candidates(arch_index(word.arch), word.lo & (kOpcode9Count - 1));
  for (int i = 0; i < candidates.count; ++i)
    if (candidates.first[i]->condition.holds(word)) return candidates.first[i];
  return nullptr;
}

std::span<const OpcodeRow* const> all_rows() { return table().rows(); }

const char* pipe_name(Pipe pipe) {
  constexpr std::array kNames = {"ALU",     "FMA", "FMA heavy", "FP16", "FP64",    "XU",       "Tensor",
                                 "Uniform", "LSU", "Constant",  "Sync", "Control", "Dispatch", "Async"};
  return kNames[static_cast<std::size_t>(pipe)];
}

}  // namespace gemmscope::isa
