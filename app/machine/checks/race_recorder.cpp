#include "machine/checks/race_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace gemmscope::machine {
namespace {

void join(std::vector<uint32_t>& into, const std::vector<uint32_t>& from) {
  for (size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], from[i]);
}

bool stores_bytes(const Program& program) {
  return std::any_of(program.ops.begin(), program.ops.end(), [](const MicroOp& op) {
    const bool shared_or_generic = op.action == Action::store_shared || op.action == Action::store_global;
    return shared_or_generic && op.width_bytes < 4;
  });
}

const char* verb(Direction direction) {
  return direction == Direction::load    ? "reads"
         : direction == Direction::store ? "writes"
                                         : "atomically updates";
}

}  // namespace

RaceRecorder::RaceRecorder(const Program& program, Findings& findings)
    : warps_((program.launch.threads_per_block() + kWarpLanes - 1) / kWarpLanes),
      granule_(stores_bytes(program) ? 1 : 4),
      cells_((program.shared_bytes + granule_ - 1) / granule_),
      findings_(findings) {}

void RaceRecorder::start(const std::array<uint32_t, 3>& block) {
  block_ = block;
  writes_.assign(cells_, {});
  reads_.assign(cells_ * warps_, {});
  epoch_ = 1;
  written_.assign(cells_, kNotKnown);
  read_.assign(cells_, 0);
  known_.assign(warps_, epoch_);
  clocks_.assign(warps_, Clock(warps_ + 1, 0));
  for (uint32_t w = 0; w < warps_; ++w) clocks_[w][w] = 1;
  for (Clock& barrier : barriers_) barrier.assign(warps_ + 1, 0);
  exited_.assign(warps_ + 1, 0);
  atomics_.clear();
  objects_.clear();
  bulk_copies_ = 0;
  copies_.assign(warps_, {});
  copy_number_ = 0;
}

void RaceRecorder::report(FindingKind kind, const Thread& by, size_t cell, const Write* write,
                          std::string what) {
  Finding finding;
  finding.kind = kind;
  finding.instruction = by.pc;
  finding.block = block_;
  finding.warp = static_cast<int>(by.warp);
  finding.lane = static_cast<int>(by.lane);
  finding.address = cell * granule_;
  if (write != nullptr) {
    finding.other_instruction = static_cast<int>(write->pc);
    finding.other_warp = write->warp;
    finding.other_lane = write->lane;
  }
  finding.what = std::move(what);
  findings_.add(std::move(finding));
}

// Returns true if it reports a finding.
bool RaceRecorder::check_write_before(const Thread& by, size_t cell, Direction direction) {
  if (written_[cell] <= known_[by.warp]) return false;
  const Write& write = writes_[cell];
  const bool atomics = write.atomic && direction != Direction::load && direction != Direction::store;
  const uint64_t address = cell * granule_;
  if (write.copy != 0) {
    report(FindingKind::shared_race, by, cell, &write,
           fmt::format("{} the shared address {:#x} while an asynchronous copy to it is in flight, which no "
                       "thread has waited for",
                       verb(direction), address));
    return true;
  }
  if (write.bulk) {
    if (write.clock <= clocks_[by.warp][warps_]) return false;
    report(FindingKind::shared_race, by, cell, &write,
           fmt::format(
               "{} the shared address {:#x}, to which a bulk copy writes, without having seen the end of "
               "the phase of the barrier object at which that copy arrives",
               verb(direction), address));
    return true;
  }
  if (write.clock == 0 || atomics || write.warp == by.warp || write.clock <= clocks_[by.warp][write.warp])
    return false;
  report(
      FindingKind::shared_race, by, cell, &write,
      fmt::format("{} the shared address {:#x}, which {} of another warp wrote, with no barrier between {}",
                  verb(direction), address, write.was_copy ? "an asynchronous copy" : "a thread",
                  write.was_copy ? "that warp's wait for the copy and this" : "them"));
  return true;
}

bool RaceRecorder::check_reads_before(const Thread& by, size_t cell) {
  if (read_[cell] <= known_[by.warp]) return false;
  for (uint32_t v = 0; v < warps_; ++v) {
    const Read& read = reads_[v * cells_ + cell];
    if (v == by.warp || read.clock <= clocks_[by.warp][v]) continue;
    Write reader;
    reader.pc = read.pc_and_lane >> 5;
    reader.lane = static_cast<uint8_t>(read.pc_and_lane & 31);
    reader.warp = static_cast<uint8_t>(v);
    report(
        FindingKind::shared_race, by, cell, &reader,
        fmt::format("writes the shared address {:#x}, which a thread of another warp read, with no barrier "
                    "between them",
                    cell * granule_));
    return true;
  }
  return false;
}

void RaceRecorder::note_write(const Thread& by, size_t cell, bool atomic) {
  writes_[cell] = {clocks_[by.warp][by.warp],     by.pc,  0,     static_cast<uint8_t>(by.warp),
                   static_cast<uint8_t>(by.lane), atomic, false, false};
  written_[cell] = epoch_ + 1;
}
void RaceRecorder::note_read(const Thread& by, size_t cell, uint32_t clock) {
  reads_[by.warp * cells_ + cell] = {clock, by.pc << 5 | by.lane};
  read_[cell] = epoch_ + 1;
}

bool RaceRecorder::read_cell(const Thread& by, size_t cell) {
  note_read(by, cell, clocks_[by.warp][by.warp]);
  const Write& write = writes_[cell];
  if (write.clock == 0) {
    report(FindingKind::uninitialised_shared, by, cell, nullptr,
           fmt::format("reads the shared address {:#x}, to which no thread of the block has written",
                       cell * granule_));
    return true;
  }
  return check_write_before(by, cell, Direction::load);
}

bool RaceRecorder::write_cell(const Thread& by, size_t cell, Direction direction) {
  const bool found = check_write_before(by, cell, direction) || check_reads_before(by, cell);
  note_write(by, cell, direction != Direction::store);
  return found;
}

// An atomic is ordered after the earlier atomics on the same word.
void RaceRecorder::synchronise(uint32_t warp, size_t cell) {
  Clock& clock = atomics_.try_emplace(cell, warps_ + 1, 0u).first->second;
  join(clocks_[warp], clock);
  join(clock, clocks_[warp]);
}

// Reports at most one finding per warp instruction: its lanes make the same mistake.
void RaceRecorder::access(uint32_t warp, uint32_t pc, const Addresses& addresses, uint32_t active,
                          uint32_t width, Direction direction) {
  const bool atomic = direction == Direction::atomic || direction == Direction::reduce;
  bool found = false;
  for (; active != 0; active &= active - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(active));
    const Thread by{warp, pc, lane};
    const size_t first = addresses[lane] / granule_,
                 end = (addresses[lane] + width + granule_ - 1) / granule_;
    for (size_t cell = first; cell < end; ++cell) {
      if (atomic) synchronise(warp, cell);
      if (atomic && writes_[cell].clock == 0 && !found) {
        found = true;
        report(FindingKind::uninitialised_shared, by, cell, nullptr,
               fmt::format("{} the shared address {:#x}, to which no thread of the block has written",
                           verb(direction), cell * granule_));
      }
      if (found) {
        // A mistake of this instruction was reported already: only note the access.
        const Read before = reads_[warp * cells_ + cell];
        if (direction == Direction::load)
          note_read(by, cell, std::max(before.clock, clocks_[warp][warp]));
        else
          note_write(by, cell, atomic);
      } else {
        found = direction == Direction::load ? read_cell(by, cell) : write_cell(by, cell, direction);
      }
    }
  }
  if (atomic) ++clocks_[warp][warp];
}

void RaceRecorder::copy(uint32_t warp, uint32_t pc, const Addresses& addresses, uint32_t active,
                        uint32_t width) {
  access(warp, pc, addresses, active, width, Direction::store);
  Copies& copies = copies_[warp];
  for (; active != 0; active &= active - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(active));
    const auto first = static_cast<uint32_t>(addresses[lane] / granule_);
    ++copy_number_;
    copies.pending.push_back({copy_number_, copies.groups[lane], first, width / granule_, lane});
    for (uint32_t cell = first; cell < first + width / granule_; ++cell) {
      writes_[cell].copy = copy_number_;
      writes_[cell].was_copy = true;
      written_[cell] = kNotKnown;
    }
  }
}

void RaceRecorder::commit(uint32_t warp, uint32_t lanes) {
  for (; lanes != 0; lanes &= lanes - 1) ++copies_[warp].groups[static_cast<size_t>(std::countr_zero(lanes))];
}

// A copy counts as written once its thread has waited for it.
void RaceRecorder::wait(uint32_t warp, uint32_t lanes, uint32_t left) {
  Copies& copies = copies_[warp];
  std::erase_if(copies.pending, [&](const Copy& copy) {
    const bool done = (lanes >> copy.lane & 1u) != 0 && copy.group + left < copies.groups[copy.lane];
    for (uint32_t cell = copy.first_cell; done && cell < copy.first_cell + copy.cells; ++cell) {
      Write& write = writes_[cell];
      if (write.copy != copy.number) continue;
      write.copy = 0;
      write.clock = clocks_[warp][warp];
      written_[cell] = epoch_ + 1;
    }
    return done;
  });
}

void RaceRecorder::arrive(uint32_t barrier, uint32_t warp) {
  join(barriers_[barrier], clocks_[warp]);
  ++clocks_[warp][warp];
}

void RaceRecorder::resume(uint32_t barrier, uint32_t warp, bool whole_block) {
  join(clocks_[warp], barriers_[barrier]);
  if (!whole_block) return;
  join(clocks_[warp], exited_);
  known_[warp] = epoch_ + 1;
}

void RaceRecorder::object_initialised(uint32_t warp, uint32_t object) {
  objects_[object] = {clocks_[warp], clocks_[warp]};
  ++clocks_[warp][warp];
}

void RaceRecorder::object_arrived(uint32_t warp, uint32_t object) {
  join(objects_[object].phase, clocks_[warp]);
  ++clocks_[warp][warp];
}

void RaceRecorder::phase_completed(uint32_t object) { objects_[object].over = objects_[object].phase; }

void RaceRecorder::phase_seen(uint32_t warp, uint32_t object) { join(clocks_[warp], objects_[object].over); }

// Reports at most one finding per copy.
void RaceRecorder::bulk_copied(const Thread& by, const Addresses& pieces, uint32_t count, uint32_t object) {
  constexpr uint32_t kPieceBytes = 16;
  Clock& phase = objects_[object].phase;
  bool found = false;
  ++bulk_copies_;
  for (uint32_t i = 0; i < count; ++i)
    for (size_t cell = pieces[i] / granule_; cell < (pieces[i] + kPieceBytes) / granule_; ++cell) {
      found = found || check_write_before(by, cell, Direction::store) || check_reads_before(by, cell);
      writes_[cell] = {bulk_copies_, by.pc, 0,   static_cast<uint8_t>(by.warp), static_cast<uint8_t>(by.lane),
                       false,        true,  true};
      written_[cell] = kNotKnown;
    }
  phase[warps_] = std::max(phase[warps_], bulk_copies_);
}

void RaceRecorder::exited(uint32_t warp) { join(exited_, clocks_[warp]); }

}  // namespace gemmscope::machine
