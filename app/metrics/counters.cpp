#include "metrics/counters.h"

#include <bit>

#include "metrics/copied_lanes.h"

namespace gemmscope::metrics {
namespace {

template <typename AccessType>
int words_of(const AccessType& access) {
  return access.width_bytes >= 4 ? access.width_bytes / 4 : 1;
}

Traffic& counter_for(InstructionTraffic& t, const machine::Access& access) {
  using machine::Direction, machine::Path, machine::Space;
  const bool load = access.direction == Direction::load;
  if (access.space == Space::local) return load ? t.local_load : t.local_store;
  const bool shared = access.space == Space::shared;
  if (access.direction == Direction::reduce) return shared ? t.shared_atomic : t.global_reduce;
  if (access.direction == Direction::atomic) return shared ? t.shared_atomic : t.global_atomic;
  if (access.path == Path::async_copy || access.path == Path::bypass_copy)
    return shared ? t.async_shared : t.async_global;
  if (access.path == Path::matrix) return load ? t.matrix_load : t.matrix_store;
  if (shared) return load ? t.shared_load : t.shared_store;
  return load ? t.global_load : t.global_store;
}

// LDSM and STSM: lanes 0–7 give the rows of the first matrix, 8–15 of the second …
int matrices_of(uint32_t mask) { return mask >> 16 != 0 ? 4 : mask >> 8 != 0 ? 2 : 1; }

template <typename AccessType>
SharedAccess shared_pattern(const AccessType& access,
                            const std::array<uint64_t, machine::kWarpLanes>& addresses) {
  if (access.path == machine::Path::matrix)
    return {SharedOp::matrix_load, matrices_of(access.mask), access.mask, addresses};
  return {access.direction == machine::Direction::load ? SharedOp::load : SharedOp::store, words_of(access),
          access.mask, addresses};
}

bool is_copy(const machine::Access& access) {
  return access.path == machine::Path::async_copy || access.path == machine::Path::bypass_copy;
}

bool is_atomic(machine::Direction direction) {
  return direction == machine::Direction::atomic || direction == machine::Direction::reduce;
}

template <typename AccessType>
SectorCount sectors_of_pattern(const AccessType& access,
                               const std::array<uint64_t, machine::kWarpLanes>& addresses) {
  const GlobalAccess pattern{access.width_bytes, access.mask, addresses};
  if (access.space == machine::Space::local) return count_local_sectors(pattern);
  return is_atomic(access.direction) ? count_atomic_sectors(pattern) : count_sectors(pattern);
}

// Of plain loads and of copies, which fetch nothing for lanes that are filled with zeros.
uint64_t loaded_bytes(const machine::Access& access) {
  if (access.space != machine::Space::global || access.direction != machine::Direction::load) return 0;
  return static_cast<uint64_t>(std::popcount(access.mask)) * access.width_bytes;
}

}  // namespace

void Traffic::add(const Traffic& other, uint64_t times) {
  requests += times * other.requests;
  sectors += times * other.sectors;
  minimum_sectors += times * other.minimum_sectors;
  wavefronts += times * other.wavefronts;
  minimum_wavefronts += times * other.minimum_wavefronts;
}

void InstructionTraffic::add(const InstructionTraffic& other, uint64_t times) {
  for (const TrafficKind& kind : kTrafficKinds) (this->*kind.member).add(other.*kind.member, times);
  global_loaded_bytes += times * other.global_loaded_bytes;
}

Traffic InstructionTraffic::total() const {
  Traffic sum;
  for (const TrafficKind& kind : kTrafficKinds) sum.add(this->*kind.member);
  return sum;
}

void Counters::add(const Counters& other, uint64_t times) {
  for (size_t i = 0; i < traffic.size(); ++i) {
    executed.warps[i] += times * other.executed.warps[i];
    executed.threads[i] += times * other.executed.threads[i];
    traffic[i].add(other.traffic[i], times);
  }
}

std::vector<uint64_t> flatten(const machine::InstructionCounts& executed,
                              const std::vector<InstructionTraffic>& traffic) {
  std::vector<uint64_t> row(executed.warps);
  row.insert(row.end(), executed.threads.begin(), executed.threads.end());
  for (size_t i = 0; i < traffic.size(); ++i)
    for (size_t k = 0; executed.warps[i] > 0 && k < kTrafficKinds.size(); ++k) {
      const Traffic& t = traffic[i].*kTrafficKinds[k].member;
      if (t.requests == 0) continue;
      row.insert(row.end(),
                 {i, k, t.requests, t.sectors, t.minimum_sectors, t.wavefronts, t.minimum_wavefronts});
    }
  for (size_t i = 0; i < traffic.size(); ++i)
    if (executed.warps[i] > 0 && traffic[i].global_loaded_bytes > 0)
      row.insert(row.end(), {i, traffic[i].global_loaded_bytes});
  return row;
}

TrafficCollector::TrafficCollector(size_t instructions) : traffic_(instructions), remembered_(instructions) {}

bool TrafficCollector::Remembered::is_pattern_of(const machine::Access& access,
                                                 uint64_t first_address) const {
  if (mask != access.mask || width_bytes != access.width_bytes) return false;
  if (access.distances != nullptr) return relative == *access.distances;
  uint64_t difference = 0;
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    const auto l = static_cast<size_t>(std::countr_zero(left));
    const auto remembered = static_cast<uint64_t>(static_cast<int64_t>(relative[l]));
    difference |= ((*access.addresses)[l] - first_address) ^ remembered;
  }
  return difference == 0;
}

void TrafficCollector::Remembered::become(const machine::Access& access,
                                          const std::array<uint64_t, machine::kWarpLanes>& addresses,
                                          uint64_t first_address) {
  mask = access.mask;
  width_bytes = access.width_bytes;
  bool narrow = true;
  for (size_t l = 0; l < machine::kWarpLanes; ++l) {
    const uint64_t distance = addresses[l] - first_address;
    relative[l] = static_cast<int32_t>(distance);
    narrow &= (mask >> l & 1u) == 0 || static_cast<int64_t>(distance) == relative[l];
  }
  if (!narrow) mask = 0;
  by_start.fill({});
  if (is_copy(access) && access.space == machine::Space::global)
    own = lanes_with_own_bytes(access.mask, addresses);
}

namespace {
std::array<uint64_t, machine::kWarpLanes> addresses_of(const machine::Access& access) {
  if (access.distances == nullptr) return *access.addresses;
  std::array<uint64_t, machine::kWarpLanes> addresses;
  for (size_t l = 0; l < machine::kWarpLanes; ++l)
    addresses[l] = access.first + static_cast<uint64_t>(static_cast<int64_t>((*access.distances)[l]));
  return addresses;
}
}  // namespace

void TrafficCollector::count(const machine::Access& access, Remembered::Count& count) {
  const std::array<uint64_t, machine::kWarpLanes> addresses = addresses_of(access);
  if (access.space != machine::Space::shared) {
    const SectorCount sectors = sectors_of_pattern(access, addresses);
    count = {static_cast<uint8_t>(sectors.sectors), static_cast<uint8_t>(sectors.minimum)};
  } else if (!is_atomic(access.direction)) {
    const BankCount banks = count_wavefronts(shared_pattern(access, addresses));
    count = {static_cast<uint8_t>(banks.wavefronts), static_cast<uint8_t>(banks.minimum)};
  }
}

// The sectors are known only after both halves; the request is counted with the global half.
void TrafficCollector::count_bypass(const machine::Access& access) {
  InstructionTraffic& row = traffic_[access.instruction];
  if (access.space == machine::Space::global) {
    if (row.async_global.requests++ == 0) touched_.push_back(access.instruction);
    return bypass_.load(access);
  }
  const SectorCount count = bypass_.store(access);
  row.async_global.sectors += static_cast<uint64_t>(count.sectors);
  row.async_global.minimum_sectors += static_cast<uint64_t>(count.minimum);
}

TrafficCollector::Remembered& TrafficCollector::remembered(const machine::Access& access,
                                                           uint64_t first_address) {
  const bool shared = access.space == machine::Space::shared;
  std::unique_ptr<Remembered>& last = remembered_[access.instruction][shared ? 1 : 0];
  if (last == nullptr) last = std::make_unique<Remembered>();
  if (!last->is_pattern_of(access, first_address)) last->become(access, addresses_of(access), first_address);
  return *last;
}

// Of the shared half of a copy, the lanes that take wavefronts for certain; all other accesses as they are.
machine::Access TrafficCollector::sure_half(const machine::Access& access) {
  machine::Access sure = access;
  if (is_copy(access) && access.space == machine::Space::shared) {
    sure.mask &= own_lanes_;
    own_lanes_ = 0;  // the next copy has no global half if it only fills with zeros
  }
  return sure;
}

void TrafficCollector::on_access(const machine::Access& whole) {
  uint64_t& loaded = traffic_[whole.instruction].global_loaded_bytes;
  if (whole.path == machine::Path::bulk_copy && loaded == 0) touched_.push_back(whole.instruction);
  loaded += loaded_bytes(whole);
  // An H200 counts neither requests nor sectors in L1, nor wavefronts of shared memory.
  if (whole.path == machine::Path::bulk_copy) return;
  if (whole.path == machine::Path::bypass_copy) count_bypass(whole);
  const machine::Access access = sure_half(whole);
  const bool shared = access.space == machine::Space::shared;
  InstructionTraffic& row = traffic_[access.instruction];
  Traffic& traffic = counter_for(row, access);
  const bool past_l1 = access.path == machine::Path::bypass_copy && !shared;
  if (!past_l1) {
    if (traffic.requests == 0) touched_.push_back(access.instruction);
    // Neighbouring words of a lane are in different lines of local memory, which interleaves the lanes.
    traffic.requests += access.space == machine::Space::local ? static_cast<uint64_t>(words_of(access)) : 1;
  }
  if (access.mask == 0) return;
  const uint64_t first_address =
      access.distances != nullptr ? access.first
                                  : (*access.addresses)[static_cast<size_t>(std::countr_zero(access.mask))];
  Remembered& last = remembered(access, first_address);
  if (is_copy(access) && !shared) own_lanes_ = last.own;
  if (past_l1) return;
  const bool global = access.space == machine::Space::global;
  Remembered::Count& known = last.by_start[first_address % (global ? kSectorBytes : kBankBytes)];
  if (known.total == 0) count(access, known);
  (shared ? traffic.wavefronts : traffic.sectors) += known.total;
  (shared ? traffic.minimum_wavefronts : traffic.minimum_sectors) += known.minimum;
}

void TrafficCollector::clear() {
  for (uint32_t instruction : touched_) traffic_[instruction] = {};
  touched_.clear();
}

SectorCount sectors_of(const machine::TraceAccess& access) {
  return sectors_of_pattern(access, access.addresses.all());
}
SharedAccess shared_access(const machine::TraceAccess& access) {
  return shared_pattern(access, access.addresses.all());
}
GlobalAccess global_access(const machine::TraceAccess& access) {
  return {access.width_bytes, access.mask, access.addresses.all()};
}

namespace {
// DEPBAR on the scoreboard of asynchronous copies, as the machine reads it.
bool awaits_copies(const isa::Instruction& instruction) {
  return instruction.opcode == isa::Opcode::depbar && instruction.bits(44, 3) == 0;
}
}  // namespace

Counters count_trace(const machine::Trace& trace, const std::vector<isa::Instruction>& instructions) {
  Counters counters(instructions.size());
  TrafficCollector collector(instructions.size());
  for (const machine::TraceRecord& record : trace.records) {
    ++counters.executed.warps[record.instruction];
    counters.executed.threads[record.instruction] += static_cast<uint64_t>(std::popcount(record.executed));
    if (record.executed != 0 && awaits_copies(instructions[record.instruction]))
      collector.on_copies_awaited();
    for (const machine::TraceAccess& access : trace.accesses_of(record)) {
      const std::array<uint64_t, machine::kWarpLanes> addresses = access.addresses.all();
      collector.on_access({record.instruction, access.space, access.direction, access.width_bytes,
                           access.mask, &addresses, access.path});
    }
  }
  counters.traffic = collector.traffic();
  return counters;
}

}  // namespace gemmscope::metrics
