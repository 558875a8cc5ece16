#include "metrics/counters.h"

#include <bit>

#include "isa/disassemble.h"

namespace gemmscope::metrics {
namespace {

template <typename AccessType>
int words_of(const AccessType& access) {
  return access.width_bytes >= 4 ? access.width_bytes / 4 : 1;
}

// LDSM and STSM move matrices, eight row addresses each.
template <typename AccessType>
SharedAccess to_shared(const AccessType& access, const std::array<uint64_t, kLanes>& addresses) {
  const bool matrix = access.path == machine::Path::matrix;
  const SharedOp op = matrix                                         ? SharedOp::matrix_load
                      : access.direction == machine::Direction::load ? SharedOp::load
                                                                     : SharedOp::store;
  return {op, matrix ? std::popcount(access.mask) / 8 : words_of(access), access.mask, addresses};
}

Traffic& counter_for(InstructionTraffic& traffic, machine::Space space, machine::Direction direction) {
  const bool load = direction == machine::Direction::load;
  if (space == machine::Space::shared) return load ? traffic.shared_load : traffic.shared_store;
  return load ? traffic.global_load : traffic.global_store;
}

}  // namespace

void Traffic::add(const Traffic& other) {
  requests += other.requests;
  sectors += other.sectors;
  minimum_sectors += other.minimum_sectors;
  wavefronts += other.wavefronts;
  minimum_wavefronts += other.minimum_wavefronts;
}

Traffic InstructionTraffic::total() const {
  Traffic sum;
  for (const Traffic* part : {&global_load, &global_store, &shared_load, &shared_store}) sum.add(*part);
  return sum;
}

void Counters::add(const Counters& other) {
  executed.add(other.executed);
  for (size_t i = 0; i < traffic.size(); ++i) {
    traffic[i].global_load.add(other.traffic[i].global_load);
    traffic[i].global_store.add(other.traffic[i].global_store);
    traffic[i].shared_load.add(other.traffic[i].shared_load);
    traffic[i].shared_store.add(other.traffic[i].shared_store);
  }
}

CounterSummary summarize(const Counters& counters, const std::vector<isa::Instruction>& instructions) {
  CounterSummary summary;
  for (size_t i = 0; i < instructions.size(); ++i) {
    const uint64_t warps = counters.executed.warps[i], threads = counters.executed.threads[i];
    summary.warp_instructions += warps;
    summary.thread_instructions += threads;
    if (warps > 0) {
      const std::string mnemonic = isa::mnemonic_text(instructions[i]);
      summary.by_opcode[mnemonic.substr(0, mnemonic.find('.'))] += warps;
    }
    if (instructions[i].opcode == isa::Opcode::ffma) summary.ffma += threads;
    if (instructions[i].opcode == isa::Opcode::fadd) summary.fadd += threads;
    if (instructions[i].opcode == isa::Opcode::fmul) summary.fmul += threads;
    summary.traffic.global_load.add(counters.traffic[i].global_load);
    summary.traffic.global_store.add(counters.traffic[i].global_store);
    summary.traffic.shared_load.add(counters.traffic[i].shared_load);
    summary.traffic.shared_store.add(counters.traffic[i].shared_store);
  }
  return summary;
}

TrafficCollector::TrafficCollector(size_t instructions) : traffic_(instructions), remembered_(instructions) {}

bool TrafficCollector::Remembered::is_pattern_of(const machine::Access& access,
                                                 uint64_t first_address) const {
  if (mask != access.mask || width_bytes != access.width_bytes) return false;
  uint64_t difference = 0;
  if (mask == machine::kAllLanes) {
    for (size_t l = 0; l < 32; ++l) difference |= ((*access.addresses)[l] - first_address) ^ relative[l];
  } else {
    for (uint32_t left = mask; left != 0; left &= left - 1) {
      const auto l = static_cast<size_t>(std::countr_zero(left));
      difference |= ((*access.addresses)[l] - first_address) ^ relative[l];
    }
  }
  return difference == 0;
}

void TrafficCollector::Remembered::become(const machine::Access& access, uint64_t first_address) {
  mask = access.mask;
  width_bytes = access.width_bytes;
  for (size_t l = 0; l < 32; ++l) relative[l] = (*access.addresses)[l] - first_address;
  by_start.fill({});
}

void TrafficCollector::on_access(const machine::Access& access) {
  if (access.space == machine::Space::local) return;
  const bool shared = access.space == machine::Space::shared;
  std::unique_ptr<Remembered>& last = remembered_[access.instruction][shared ? 1 : 0];
  if (last == nullptr) last = std::make_unique<Remembered>();
  const uint64_t first_address = (*access.addresses)[static_cast<size_t>(std::countr_zero(access.mask))];
  if (!last->is_pattern_of(access, first_address)) last->become(access, first_address);
  Remembered::Count& count = last->by_start[first_address % (shared ? kBankBytes : kSectorBytes)];
  if (count.total == 0 && shared) {
    const BankCount banks = count_wavefronts(to_shared(access, *access.addresses));
    count = {static_cast<uint8_t>(banks.wavefronts), static_cast<uint8_t>(banks.minimum)};
  } else if (count.total == 0) {
    const SectorCount sectors = count_sectors({access.width_bytes, access.mask, *access.addresses});
    count = {static_cast<uint8_t>(sectors.sectors), static_cast<uint8_t>(sectors.minimum)};
  }
  Traffic& traffic = counter_for(traffic_[access.instruction], access.space, access.direction);
  ++traffic.requests;
  (shared ? traffic.wavefronts : traffic.sectors) += count.total;
  (shared ? traffic.minimum_wavefronts : traffic.minimum_sectors) += count.minimum;
}

SharedAccess shared_access(const machine::TraceAccess& access) { return to_shared(access, access.addresses); }
GlobalAccess global_access(const machine::TraceAccess& access) {
  return {access.width_bytes, access.mask, access.addresses};
}

Counters count_trace(const machine::Trace& trace, size_t instructions) {
  Counters counters(instructions);
  TrafficCollector collector(instructions);
  for (const machine::TraceRecord& record : trace.records) {
    ++counters.executed.warps[record.instruction];
    counters.executed.threads[record.instruction] += static_cast<uint64_t>(std::popcount(record.executed));
    for (const machine::TraceAccess& access : trace.accesses_of(record))
      collector.on_access({record.instruction, access.space, access.direction, access.width_bytes,
                           access.mask, &access.addresses, access.path});
  }
  counters.traffic = collector.traffic();
  return counters;
}

}  // namespace gemmscope::metrics
