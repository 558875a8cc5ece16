// When results are written to the registers. A bank takes one a cycle. An instruction of a fixed latency
// writes its own at its time; a word that a load from shared memory returns waits for a cycle in which its
// bank is free. Where lanes share what they read, two words arrive together and wait for both banks. A word
// that has waited for write_wait_cycles, or more than write_buffer registers that wait, stop issue until the
// free slots reach the ports. Measured on an H200 (tests/calibration/microbench, free_slots.txt and
// hole.txt).
#pragma once

#include "sm/state.h"
#include "sm/timed_code.h"

namespace gemmscope::sm {

// From a slot without a result to the cycle in which a word can be written in its place (hole.txt: issue
// stops for 3 cycles).
inline constexpr uint64_t kSlotToWrite = 3;
inline constexpr uint64_t kSlotsKept = 64;

// Writes at a fixed time after issue.
bool is_fixed(const TimedInstruction& instruction);
// A load whose words wait for the ports. Those from global and local memory are left out: how theirs come is
// not measured.
bool loads_registers(const TimedInstruction& instruction);
// Whether the words of two registers come back at once: fewer wavefronts than words.
bool in_pairs(const TimedInstruction& instruction, const AccessShape& shape);
// Notes what the instruction of issue slot `now` writes.
inline void note_writes(WritePorts& ports, uint64_t now, uint8_t banks) {
  const uint64_t by = now - ports.last_slot;
  ports.last_slot = now;
  for (size_t bank = 0; bank < ports.busy.size(); ++bank)
    ports.busy[bank] = (by >= kSlotsKept ? 0 : ports.busy[bank] << by) | (banks >> bank & 1);
}

}  // namespace gemmscope::sm
