#include "sm/write_ports.h"

#include <algorithm>

#include "sm/simulator.h"

namespace gemmscope::sm {
namespace {

// From the write to the instruction that waits for it.
constexpr uint64_t kWriteToUse = 6;
constexpr uint8_t kBothBanks = 3;

bool is_free(const WritePorts& ports, uint64_t slot, uint8_t banks) {
  if (slot > ports.last_slot) return true;
  const uint64_t back = ports.last_slot - slot;
  if (back >= kSlotsKept) return true;
  for (size_t bank = 0; bank < ports.busy.size(); ++bank)
    if ((banks >> bank & 1) != 0 && (ports.busy[bank] >> back & 1) != 0) return false;
  return true;
}

// Registers that have come and are not written in cycle `now`. Forgets those that are.
int registers_waiting(WritePorts& ports, uint64_t now) {
  while (ports.first < ports.next && ports.words[ports.first].written <= now) ++ports.first;
  int registers = 0;
  for (size_t k = ports.first; k < ports.words.size() && ports.words[k].ready <= now; ++k)
    registers += ports.words[k].banks == kBothBanks ? 2 : 1;
  return registers;
}

void set_next(WritePorts& ports) {
  if (ports.next < ports.words.size())
    ports.next_since = std::max(ports.words[ports.next].ready, ports.written + 1);
}

// Makes room for the words of another load.
void forget_written(WritePorts& ports, uint64_t now) {
  registers_waiting(ports, now);
  if (ports.first < ports.words.size()) return;
  ports.words.clear();
  ports.first = ports.next = 0;
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
         instruction.memory == MemoryOp::load_shared;
}

bool in_pairs(const TimedInstruction& instruction, const AccessShape& shape) {
  return instruction.memory == MemoryOp::load_shared && instruction.words > 1 &&
         shape.shared_wavefronts < instruction.words;
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
  forget_written(ports, state_.now);
  const bool none_waits = ports.next == ports.words.size();
  const uint64_t ready = state_.now + kSlotToWrite - 1;
  const int times = event.in_pairs ? (event.words + 1) / 2 : event.words;
  for (int k = 0; k < times; ++k) {
    WritePorts::Word word;
    word.ready = ready + static_cast<uint64_t>(k);
    word.warp = event.warp;
    const int reg = event.first_register + (event.in_pairs ? 2 * k : k);
    word.banks = static_cast<uint8_t>(1 << metrics::bank_of(static_cast<uint8_t>(reg)));
    if (event.in_pairs && 2 * k + 1 < event.words) word.banks = kBothBanks;
    word.scoreboard = k + 1 == times ? event.scoreboard : static_cast<uint8_t>(kScoreboards);
    ports.words.push_back(word);
  }
  if (none_waits) set_next(ports);
  write_waiting(sub_core, std::max(sub_core.next_try, state_.now));
}

// Finds the cycles of waiting words, as far as slots before `known_until` say; later ones are still to be
// issued.
void Simulator::write_waiting(SubCoreState& sub_core, uint64_t known_until) {
  WritePorts& ports = sub_core.writes;
  const auto longest = static_cast<uint64_t>(config_.write_wait_cycles);
  while (ports.next < ports.words.size()) {
    WritePorts::Word& word = ports.words[ports.next];
    uint64_t slot = ports.next_since - kSlotToWrite;
    while (slot < known_until && !is_free(ports, slot, word.banks)) ++slot;
    if (slot >= known_until) return;
    word.written = ports.written = slot + kSlotToWrite;
    if (word.written >= ports.next_since + longest) {
      ports.stop_from = ports.next_since + longest - 1;
      ports.stop_until = word.written;
    }
    if (word.scoreboard < kScoreboards)
      push({word.written + kWriteToUse, word.warp, Event::Kind::result, word.scoreboard});
    ++ports.next;
    set_next(ports);
  }
}

// Until when issue stops for words that wait; 0: it need not.
uint64_t Simulator::stopped_for_write(WritePorts& ports) const {
  const uint64_t now = state_.now;
  if (ports.stop_from <= now && now < ports.stop_until) return ports.stop_until;
  if (ports.first == ports.words.size()) return 0;
  const auto longest = static_cast<uint64_t>(config_.write_wait_cycles);
  const bool too_long = ports.next < ports.words.size() && now + 1 >= ports.next_since + longest;
  return too_long || registers_waiting(ports, now) > config_.write_buffer ? now + kSlotToWrite : 0;
}

}  // namespace gemmscope::sm
