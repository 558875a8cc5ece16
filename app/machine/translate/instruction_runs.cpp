#include "machine/translate/instruction_runs.h"

#include <algorithm>
#include <limits>

#include "isa/instruction.h"
#include "machine/translate/result_rows.h"

namespace gemmscope::machine {
namespace {

constexpr int kMostLength = std::numeric_limits<uint16_t>::max();

bool has_no_guard(const MicroOp& op) {
  const bool always = op.guard == isa::kPredicateTrue || op.guard == kUniformPredicate + isa::kPredicateTrue;
  return always && !op.guard_negate;
}

bool changes(const MicroOp& op, Row row) {
  return row >= op.destination && row < op.destination + result_rows(op);
}

// Whether the lanes of two loads have the same distances, if nothing changes their registers between them.
bool same_distances(const MicroOp& a, const MicroOp& b) {
  return a.action == b.action && a.source[0] == b.source[0] && a.source[1] == b.source[1] &&
         a.immediate == b.immediate && a.width_bytes == b.width_bytes;
}

// Finds the leaders of the shared loads of one run, ops[begin, end).
void find_leaders(std::vector<MicroOp>& ops, size_t begin, size_t end) {
  std::vector<size_t> leaders;
  for (size_t i = begin; i < end; ++i) {
    MicroOp& op = ops[i];
    if (op.action == Action::load_shared) {
      const auto leader = std::find_if(leaders.begin(), leaders.end(),
                                       [&](size_t known) { return same_distances(ops[known], op); });
      if (leader == leaders.end())
        leaders.push_back(i);
      else if (i - *leader <= kMostLength)
        op.leader = static_cast<uint16_t>(i - *leader);
    }
    std::erase_if(leaders, [&](size_t known) {
      return changes(op, ops[known].source[0]) || changes(op, ops[known].source[1]);
    });
  }
}

}  // namespace

void find_instruction_runs(std::vector<MicroOp>& ops) {
  int length = 0;
  size_t end = ops.size();  // of the run
  for (size_t i = ops.size(); i-- > 0;) {
    MicroOp& op = ops[i];
    const bool in_run = (op.action == Action::lanes || is_access(op.action)) && has_no_guard(op);
    length = in_run ? std::min(length + 1, kMostLength) : 0;
    op.run_length = static_cast<uint16_t>(length);
    if (in_run) continue;
    find_leaders(ops, i + 1, end);
    end = i;
  }
  find_leaders(ops, 0, end);
}

}  // namespace gemmscope::machine
