#include "machine/trace.h"

#include <algorithm>
#include <unordered_map>

namespace gemmscope::machine {
namespace {

struct Loop {
  uint32_t head, back_edge;
  bool arithmetic;
};

bool multiplies_matrices(isa::Opcode opcode) {
  switch (opcode) {
    case isa::Opcode::ffma:
    case isa::Opcode::dfma:
    case isa::Opcode::hfma2:
    case isa::Opcode::hmma:
    case isa::Opcode::imma:
    case isa::Opcode::dmma:
      return true;
    default:
      return false;
  }
}

struct HashOfDistances {
  size_t operator()(const LaneDistances& distances) const {
    uint64_t hash = 0;
    for (const uint64_t distance : distances) hash = (hash ^ distance) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
  }
};

// Each pattern of distances once. What an instruction did last is looked at first.
class DistanceBook {
 public:
  explicit DistanceBook(size_t instructions) : last_(2 * instructions) {}

  TraceAddresses find(const Access& access) {
    Last& last = last_[2 * access.instruction + (access.space == Space::shared ? 1 : 0)];
    if (access.distances != nullptr) return {access.first, find_narrow(last, *access.distances)};
    LaneDistances distances = *access.addresses;
    for (uint64_t& distance : distances) distance -= (*access.addresses)[0];
    if (last.distances == nullptr || *last.distances != distances) {
      last.distances = &keep(distances);
      last.is_narrow = false;
    }
    return {(*access.addresses)[0], *last.distances};
  }
  std::shared_ptr<const std::deque<LaneDistances>> all() const { return all_; }

 private:
  using NarrowDistances = std::array<int32_t, kWarpLanes>;
  struct Last {
    const LaneDistances* distances = nullptr;
    bool is_narrow = false;  // `narrow` holds the same
    NarrowDistances narrow{};
  };

  const LaneDistances& find_narrow(Last& last, const NarrowDistances& distances) {
    if (last.is_narrow && last.narrow == distances) return *last.distances;
    LaneDistances wide;
    for (size_t l = 0; l < kWarpLanes; ++l)
      wide[l] = static_cast<uint64_t>(static_cast<int64_t>(distances[l]));
    last = {&keep(wide), true, distances};
    return *last.distances;
  }

  const LaneDistances& keep(const LaneDistances& distances) {
    const auto [known, added] = known_.try_emplace(distances, nullptr);
    if (added) known->second = &all_->emplace_back(distances);
    return *known->second;
  }

  std::vector<Last> last_;  // by instruction: elsewhere, in shared memory
  std::unordered_map<LaneDistances, const LaneDistances*, HashOfDistances> known_;
  std::shared_ptr<std::deque<LaneDistances>> all_ = std::make_shared<std::deque<LaneDistances>>();
};

class Recorder final : public Observer {
 public:
  Recorder(Trace& trace, std::vector<uint32_t> heads, size_t instructions, size_t limit)
      : trace_(trace), is_head_(instructions), passes_(trace.warp_count), limit_(limit), book_(instructions) {
    for (uint32_t head : heads) is_head_[head] = true;
    // Room for the blocks of most kernels: memory that is not used costs nothing, growing does.
    trace.records.reserve(std::min(limit, kUsualRecords));
    trace.accesses.reserve(std::min(limit, kUsualRecords / 4));
    trace.distances = book_.all();
  }

  bool takes_distances() const override { return true; }

  void on_issue(const Issue& issue) override {
    uint32_t& passes = passes_[issue.warp];
    if (is_head_[issue.instruction]) ++passes;
    recording_ = trace_.records.size() < limit_;
    if (!recording_) {
      trace_.complete = false;
      return;
    }
    write(trace_.records.emplace_back(), issue, 0);
  }

  void on_turns(std::span<const Issue> first, uint32_t turns) override {
    const size_t begin = trace_.records.size(), added = first.size() * turns;
    const bool passes_begin = std::any_of(first.begin(), first.end(), [&](const Issue& issue) {
      const auto head = is_head_.begin() + issue.instruction;
      return std::find(head, head + turns, true) != head + turns;
    });
    if (passes_begin || limit_ < begin + added) return Observer::on_turns(first, turns);
    trace_.records.resize(begin + added);
    TraceRecord* record = trace_.records.data() + begin;
    for (uint32_t turn = 0; turn < turns; ++turn)
      for (const Issue& issue : first) write(*record++, issue, turn);
  }

  void on_access(const Access& access) override {
    if (!recording_) return;
    trace_.accesses.push_back(
        {access.space, access.direction, access.width_bytes, access.path, access.mask, book_.find(access)});
    ++trace_.records.back().access_count;
  }

 private:
  static constexpr size_t kUsualRecords = 1 << 19;

  // The issue of a warp `turn` instructions after `issue`.
  void write(TraceRecord& record, const Issue& issue, uint32_t turn) {
    const uint32_t passes = passes_[issue.warp];
    record.instruction = issue.instruction + turn;
    record.mask = issue.mask;
    record.executed = issue.executed;
    record.first_access = static_cast<uint32_t>(trace_.accesses.size());
    record.warp = issue.warp;
    record.k_tile = static_cast<uint16_t>(std::min<uint32_t>(passes == 0 ? 0 : passes - 1, 0xffff));
  }

  Trace& trace_;
  std::vector<char> is_head_;
  std::vector<uint32_t> passes_;  // by warp: arrivals at a loop head
  size_t limit_;
  DistanceBook book_;
  bool recording_ = true;
};

}  // namespace

std::array<uint64_t, kWarpLanes> TraceAddresses::all() const {
  std::array<uint64_t, kWarpLanes> addresses;
  for (size_t l = 0; l < kWarpLanes; ++l) addresses[l] = (*this)[l];
  return addresses;
}

std::vector<uint32_t> main_loop_heads(const std::vector<isa::Instruction>& instructions) {
  std::vector<Loop> loops;
  for (uint32_t i = 0; i < instructions.size(); ++i) {
    if (instructions[i].opcode != isa::Opcode::bra) continue;
    for (int k = 0; k < instructions[i].operand_count; ++k) {
      const isa::Operand& operand = instructions[i].operands[static_cast<size_t>(k)];
      if (!operand.is(isa::OperandKind::target) && !operand.is(isa::OperandKind::integer)) continue;
      const auto head = static_cast<uint32_t>(operand.value / isa::kInstructionBytes);
      if (operand.value < 0 || head >= i) continue;  // forward, or the padding's branch to itself
      const bool arithmetic =
          std::any_of(instructions.begin() + head, instructions.begin() + i,
                      [](const isa::Instruction& ins) { return multiplies_matrices(ins.opcode); });
      loops.push_back({head, i, arithmetic});
    }
  }
  std::vector<uint32_t> heads;
  for (const Loop& loop : loops) {
    const bool inner = std::any_of(loops.begin(), loops.end(), [&](const Loop& other) {
      return (other.head < loop.head && other.back_edge >= loop.back_edge) ||
             (other.head <= loop.head && other.back_edge > loop.back_edge);
    });
    if (loop.arithmetic && !inner) heads.push_back(loop.head);
  }
  std::sort(heads.begin(), heads.end());
  heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
  return heads;
}

tl::expected<Trace, FaultedRun> trace_block(const Program& program, GlobalMemory& memory,
                                            std::array<uint32_t, 3> index, size_t record_limit,
                                            BlockLimits limits) {
  Trace trace;
  if (std::optional<Fault> fault = trace_until_fault(program, memory, index, record_limit, limits, trace))
    return tl::unexpected(FaultedRun{std::move(*fault), std::move(trace.findings)});
  return trace;
}

std::optional<Fault> trace_until_fault(const Program& program, GlobalMemory& memory,
                                       std::array<uint32_t, 3> index, size_t record_limit, BlockLimits limits,
                                       Trace& trace) {
  trace = {};
  trace.block = index;
  trace.block_shape = program.launch.block;
  trace.warp_count = (program.launch.threads_per_block() + kWarpLanes - 1) / kWarpLanes;
  InstructionCounts counts(program.ops.size());
  Recorder recorder(trace, main_loop_heads(program.instructions), program.ops.size(), record_limit);
  Block block(program, memory, counts, limits, CheckMode::judge);
  std::optional<Fault> fault = block.run(index, Schedule::round_robin, &recorder);
  trace.findings = block.take_findings();
  return fault;
}

}  // namespace gemmscope::machine
