#include "machine/translate/instruction_runs.h"

#include <algorithm>
#include <limits>

#include "isa/instruction.h"
#include "machine/translate/result_rows.h"

namespace gemmscope::machine {
namespace {

constexpr int kMost = std::numeric_limits<uint16_t>::max();

bool has_no_guard(const MicroOp& op) {
  const bool always = op.guard == isa::kPredicateTrue || op.guard == kUniformPredicate + isa::kPredicateTrue;
  return always && !op.guard_negate;
}

bool changes(const MicroOp& op, Row row) {
  return row >= op.destination && row < op.destination + result_rows(op);
}

// Whether the lanes of two loads lie equally far apart, if nothing changes their registers between them.
bool lies_alike(const MicroOp& a, const MicroOp& b) {
  return a.action == b.action && a.source[0] == b.source[0] && a.source[1] == b.source[1] &&
         a.immediate == b.immediate && a.width_bytes == b.width_bytes;
}

// Of the shared loads of one stretch, ops[begin, end).
void find_leaders(std::vector<MicroOp>& ops, size_t begin, size_t end) {
  std::vector<size_t> leaders;
  for (size_t i = begin; i < end; ++i) {
    MicroOp& op = ops[i];
    if (op.action == Action::load_shared) {
      const auto leader = std::find_if(leaders.begin(), leaders.end(),
                                       [&](size_t known) { return lies_alike(ops[known], op); });
      if (leader == leaders.end())
        leaders.push_back(i);
      else if (i - *leader <= kMost)
        op.leader = static_cast<uint16_t>(i - *leader);
    }
    std::erase_if(leaders, [&](size_t known) {
      return changes(op, ops[known].source[0]) || changes(op, ops[known].source[1]);
    });
  }
}

}  // namespace

void find_instruction_runs(std::vector<MicroOp>& ops) {
  int stretch = 0;
  size_t end = ops.size();  // of the stretch
  for (size_t i = ops.size(); i-- > 0;) {
    MicroOp& op = ops[i];
    const bool in_stretch = (op.action == Action::lanes || is_access(op.action)) && has_no_guard(op);
    stretch = in_stretch ? std::min(stretch + 1, kMost) : 0;
    op.stretch = static_cast<uint16_t>(stretch);
    if (in_stretch) continue;
    find_leaders(ops, i + 1, end);
    end = i;
  }
  find_leaders(ops, 0, end);
}

}  // namespace gemmscope::machine
