// Barrier objects in shared memory, and the bulk copies that arrive at them. Which arrival belongs to which
// phase is as the execution recorded it: legal code leaves no choice.
#include <algorithm>

#include "sm/simulator.h"

namespace gemmscope::sm {
namespace {

// Until the registers of an arrival or a bulk copy may change, as for other memory instructions.
constexpr double kSourcesReadCycles = 10;

}  // namespace

void Simulator::use_object(uint32_t id, const TimedInstruction& instruction,
                           const IssuedInstruction& issued) {
  const auto now = static_cast<double>(state_.now);
  const uint32_t block = state_.warps[id].block;
  double done = now + config_.variable_latency;
  set_scoreboard(id, instruction.control.read_scoreboard, now + kSourcesReadCycles, false);
  if (instruction.special == Special::object_wait && issued.lanes != 0)
    return wait_for_phase(id, instruction, issued.line);
  if (instruction.special == Special::object_arrive && issued.lanes != 0)
    arrive_in_phase(state_.blocks[block], issued.line, now + config_.object_arrive_cycles);
  if (instruction.special == Special::bulk_copy && issued.shape != 0) {
    const AccessShape& shape = launch_.shapes[issued.shape];
    done = copy_bulk(shape, issued.line + state_.warps[id].line_salt, missing_share(issued.line));
    arrive_in_phase(state_.blocks[block], shape.phase, done);
    if (TimelineStep* step = step_of(state_.warps[id])) step->done = static_cast<uint32_t>(done + 0.5);
  }
  set_scoreboard(id, instruction.control.write_scoreboard, now + config_.variable_latency, false);
}

// Returns when the bytes are there. The engine asks for one row after the other; what arrives takes the data
// stage.
double Simulator::copy_bulk(const AccessShape& shape, uint32_t line, double missing) {
  double& free = state_.memory.bulk_free;
  const double begin = std::max(static_cast<double>(state_.now) + config_.bulk_start_cycles, free);
  double done = begin, request = begin;
  for (uint32_t k = 0; k < shape.lines; ++k, request += config_.bulk_row_cycles) {
    const LineTouch& touch = launch_.lines[shape.first_line + k];
    done = std::max(done,
                    load_line(line + static_cast<uint32_t>(touch.line), touch.sectors, request,
                              {.through_l1 = false, .fill_cycles = config_.fill_cycles, .missing = missing}));
  }
  free = std::max(request, begin + config_.bulk_copy_cycles);
  return done;
}

// The last arrival ends the phase: now it is known when those that wait go on.
void Simulator::arrive_in_phase(BlockState& block, uint32_t phase, double time) {
  if (phase >= block.phases.size()) return;
  PhaseState& state = block.phases[phase];
  state.end = std::max(state.end, time);
  if (state.missing == 0 || --state.missing > 0) return;
  const double seen = state.end + config_.object_wait_cycles;
  for (const PhaseState::Waiter& waiter : state.waiters) {
    push({static_cast<uint64_t>(seen + 0.5), waiter.warp, Event::Kind::result, waiter.scoreboard});
    if (timeline_ != nullptr)
      timeline_->warps[waiter.warp].steps[waiter.step].done = static_cast<uint32_t>(seen + 0.5);
  }
  state.waiters.clear();
}

// The wait is done once the phase is over, without a turn of the loop around it; its scoreboard is one of
// L1TEX (Nsight Compute counts the time as long scoreboard).
void Simulator::wait_for_phase(uint32_t id, const TimedInstruction& instruction, uint32_t phase) {
  BlockState& block = state_.blocks[state_.warps[id].block];
  const auto now = static_cast<double>(state_.now);
  const uint8_t scoreboard = instruction.control.write_scoreboard;
  const bool known = phase < block.phases.size();
  if (scoreboard < kScoreboards && known && block.phases[phase].missing > 0) {
    const WarpState& warp = state_.warps[id];
    raise_scoreboard(id, scoreboard, true);
    block.phases[phase].waiters.push_back(
        {id, static_cast<uint32_t>(warp.next - warp.begin) - 1, scoreboard});
    return;
  }
  const double end = known ? block.phases[phase].end : 0;
  const double seen = std::max(now, end) + config_.object_wait_cycles;
  if (TimelineStep* step = step_of(state_.warps[id])) step->done = static_cast<uint32_t>(seen + 0.5);
  set_scoreboard(id, scoreboard, seen, true);
}

}  // namespace gemmscope::sm
