#include "sm/write_ports.h"

#include <algorithm>

#include "sm/simulator.h"

namespace gemmscope::sm {
namespace {

// From the write to the instruction that waits for it.
constexpr uint64_t kWriteToUse = 5;
constexpr uint64_t kSlotsKept = 64;

bool is_free(const WritePorts& ports, uint64_t slot, uint8_t banks) {
  if (slot > ports.last_slot) return true;
  const uint64_t back = ports.last_slot - slot;
  if (back >= kSlotsKept) return true;
  for (size_t bank = 0; bank < ports.busy.size(); ++bank)
    if ((banks >> bank & 1) != 0 && (ports.busy[bank] >> back & 1) != 0) return false;
  return true;
}

void set_head(WritePorts& ports) {
  if (ports.first == ports.waiting.size()) {
    ports.waiting.clear();
    ports.first = 0;
    return;
  }
  ports.head_since = std::max(ports.waiting[ports.first].ready, ports.written + 1);
}

}  // namespace

bool is_fixed(const TimedInstruction& instruction) {
  switch (instruction.unit) {
    case Unit::fma:
    case Unit::fma_heavy:
    case Unit::alu:
      return true;
    default:
      return false;
  }
}

bool loads_registers(const TimedInstruction& instruction) {
  return instruction.written_banks != 0 && instruction.control.write_scoreboard < kScoreboards &&
         (instruction.memory == MemoryOp::load_shared || instruction.memory == MemoryOp::load_global ||
          instruction.memory == MemoryOp::load_local);
}

bool in_pairs(const TimedInstruction& instruction, const AccessShape& shape) {
  return instruction.memory == MemoryOp::load_shared && instruction.words > 1 &&
         shape.shared_wavefronts < instruction.words;
}

void note_writes(WritePorts& ports, uint64_t now, uint8_t banks) {
  const uint64_t by = now - ports.last_slot;
  ports.last_slot = now;
  for (size_t bank = 0; bank < ports.busy.size(); ++bank)
    ports.busy[bank] = (by >= kSlotsKept ? 0 : ports.busy[bank] << by) | (banks >> bank & 1);
}

// The words of a load, the last of which is of use at `time` if it need not wait.
void Simulator::write_result(uint32_t warp, const TimedInstruction& instruction, double time, bool is_long,
                             bool in_pairs) {
  raise_scoreboard(warp, instruction.control.write_scoreboard, is_long);
  const int times = in_pairs ? (instruction.words + 1) / 2 : instruction.words;
  const uint64_t back = kWriteToUse + static_cast<uint64_t>(times) - 1;
  Event event{.cycle = std::max(static_cast<uint64_t>(time + 0.5), state_.now + back) - back,
              .warp = warp,
              .kind = Event::Kind::write,
              .scoreboard = instruction.control.write_scoreboard};
  event.words = instruction.words;
  event.in_pairs = in_pairs;
  event.first_register = instruction.first_written;
  // A word can be written as soon as a slot so far back is known to be free.
  event.cycle -= std::min(event.cycle, kSlotToWrite - 1);
  push(event);
}

void Simulator::begin_to_write(const Event& event) {
  SubCoreState& sub_core = state_.sub_cores[state_.warps[event.warp].sub_core];
  WritePorts& ports = sub_core.writes;
  const bool was_empty = ports.waiting.empty();
  const uint64_t ready = state_.now + kSlotToWrite - 1;
  const int times = event.in_pairs ? (event.words + 1) / 2 : event.words;
  for (int k = 0; k < times; ++k) {
    const bool pair = event.in_pairs && 2 * k + 1 < event.words;
    const auto bank =
        static_cast<uint8_t>(1 << metrics::bank_of(static_cast<uint8_t>(event.first_register + k)));
    ports.waiting.push_back({ready + static_cast<uint64_t>(k), event.warp, pair ? uint8_t{3} : bank,
                             k + 1 == times ? event.scoreboard : static_cast<uint8_t>(kScoreboards)});
  }
  if (was_empty) set_head(ports);
  write_waiting(sub_core, sub_core.next_try);
}

// Writes what can be, as far as slots before `known_until` say; later ones are still to be issued.
void Simulator::write_waiting(SubCoreState& sub_core, uint64_t known_until) {
  WritePorts& ports = sub_core.writes;
  while (!ports.waiting.empty()) {
    const WritePorts::Word& word = ports.waiting[ports.first];
    uint64_t slot = ports.head_since - kSlotToWrite;
    while (slot < known_until && !is_free(ports, slot, word.banks)) ++slot;
    if (slot >= known_until) return;
    ports.written = slot + kSlotToWrite;
    if (word.scoreboard < kScoreboards)
      push({ports.written + kWriteToUse, word.warp, Event::Kind::result, word.scoreboard});
    ++ports.first;
    set_head(ports);
  }
}

bool Simulator::stops_for_write(const SubCoreState& sub_core) const {
  const WritePorts& ports = sub_core.writes;
  return !ports.waiting.empty() &&
         state_.now + 1 >= ports.head_since + static_cast<uint64_t>(config_.write_wait_cycles);
}

}  // namespace gemmscope::sm
