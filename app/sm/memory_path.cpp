// The way of a memory instruction: sub-core queue, address generation, the load-store unit that the SM
// shares, the data stage of L1 and shared memory, L2 behind it.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "sm/cache.h"
#include "sm/simulator.h"
#include "sm/write_ports.h"

namespace gemmscope::sm {
namespace {

// The data stage follows the load-store unit.
constexpr double kLsuToData = 2;
// A wide store reads its data in several cycles (Huerta et al., MICRO 2025: WAR of STG and STS by width).
constexpr double kWideStoreReadCycles = 2;
// The most data cycles that fills may be owed.
constexpr double kMostFillDebt = 200;
constexpr double kSectorBytes = 32, kBytesPerWord = 128;  // a word of 32 lanes

// From 0 to 1, by a hash.
double share_of(uint32_t value) { return (mixed(value) & 1023) / 1023.0; }

}  // namespace

// Accesses to local and global memory have a queue of their own (queues.txt).
void Simulator::enqueue(SubCoreState& sub_core, const TimedInstruction& instruction, double leaves) {
  MemoryQueue& queue = instruction.global() ? sub_core.global_queue : sub_core.shared_queue;
  const auto depth =
      static_cast<size_t>(instruction.global() ? config_.queue_depth : config_.mio_queue_depth);
  if (queue.leaves.size() < depth) {
    queue.leaves.push_back(leaves);
  } else {
    queue.leaves[queue.oldest] = leaves;
    queue.oldest = (queue.oldest + 1) % static_cast<uint32_t>(depth);
  }
  if (queue.leaves.size() == depth)
    queue.full_until = static_cast<uint64_t>(std::ceil(queue.leaves[queue.oldest]));
}

// Returns when the load-store unit takes the instruction.
double Simulator::pass_lsu(SubCoreState& sub_core, const TimedInstruction& instruction,
                           const AccessShape& shape) {
  MemoryState& memory = state_.memory;
  const double generated =
      std::max(static_cast<double>(state_.now) + config_.queue_latency, sub_core.address_free);
  sub_core.address_free =
      generated + std::max(config_.address_interval, config_.operand_cycles * instruction.reads);
  double busy = config_.lsu_interval;
  if (instruction.global()) busy = std::max(config_.global_interval, shape.lines * config_.tag_interval);
  const double begin =
      std::max({generated + 1, memory.lsu_free, memory.data_free - config_.lsu_buffer_cycles});
  memory.lsu_free = begin + busy;
  state_.counters.lsu_busy += busy;
  sub_core.address_free = std::max(sub_core.address_free, begin - config_.address_ahead);
  enqueue(sub_core, instruction, begin);
  return begin;
}

// The data stage: returns when an access begins. Sectors that arrived take its cycles in between.
double Simulator::data_stage(double at, double wavefronts) {
  MemoryState& memory = state_.memory;
  const double begin = std::max(at, memory.data_free);
  const double fills = std::min(memory.fill_debt, config_.fill_share * wavefronts);
  memory.fill_debt -= fills;
  memory.data_free = begin + wavefronts + fills;
  state_.counters.data_busy += wavefronts + fills;
  return begin;
}

// Where the line's slice of L2 lies, from nearest (0) to farthest (1).
double Simulator::place_in_l2(uint32_t line) const { return share_of(line ^ (share_.run * 0x9e37'79b9u)); }

// Slices at one distance send on one way, in order.
size_t Simulator::stream_of(uint32_t line) const {
  const double streams = std::min<double>(config_.l2_streams, MemoryState::kMostL2Streams);
  return static_cast<size_t>(std::min(place_in_l2(line) * streams, streams - 1));
}

// Under load each access also waits for others.
double Simulator::l2_latency(uint32_t line) {
  const double queue = share_of(++state_.memory.l2_accesses ^ (share_.run * 0x85eb'ca6bu));
  const double spread = config_.l2_load_spread;
  return config_.l2_near_latency + place_in_l2(line) * (config_.l2_far_latency - config_.l2_near_latency) +
         share_.load_latency * (1 - spread + 2 * spread * queue);
}

// This SM's share of DRAM: returns when the bytes are there.
double Simulator::use_dram(double at, double bytes) {
  double& free = state_.memory.dram_free;
  return free = std::max(free, at) + bytes / share_.dram_bytes;
}

// The share of a buffer's first accesses that wait for DRAM.
double Simulator::missing_share(uint32_t line) const {
  for (size_t b = 0; b < share_.missing.size(); ++b)
    if (launch_.buffers[b].holds(line)) return share_.missing[b];
  return 0;
}

// When L2 has the sectors of a line. The SMs walk through the buffers side by side: where L2 has lost a
// piece, all of them wait for the first access to it. L2 fetches 64 bytes (granularity.txt).
double Simulator::arrival_in_l2(uint32_t line, uint8_t sectors, double share, double request) {
  constexpr std::array<uint8_t, 2> kPieces = {0b0011, 0b1100};
  double arrival = request;
  for (uint32_t half = 0; half < kPieces.size(); ++half) {
    if ((sectors & kPieces[half]) == 0) continue;
    const uint32_t piece = line * 2 + half;
    MemoryState::FetchedPiece& fetched = state_.memory.fetched[mixed(piece) % state_.memory.fetched.size()];
    if (fetched.piece != piece) {
      const uint32_t draw = mixed(piece ^ (share_.run * 0x27d4'eb2fu));
      const double chance = (draw & 0xffff) / 65536.0, place = (draw >> 16) / 65536.0;
      fetched = {piece, chance < share ? request + config_.dram_latency + place * config_.dram_spread : 0};
    }
    arrival = std::max(arrival, fetched.arrival);
  }
  return arrival;
}

// Of local memory L2 has lost a share. A warp waits for the slowest of its loads, so that each one draws.
double Simulator::spilled_latency(double in_l2, double request, int sectors) {
  const uint32_t draw = mixed(state_.memory.l2_accesses ^ (share_.run * 0x27d4'eb2fu) ^ 0x5bd1'e995u);
  if ((draw & 0xffff) / 65536.0 >= share_.local_miss) return in_l2;
  const double place = (draw >> 16) / 65536.0;
  return std::max(in_l2 + config_.dram_latency + place * config_.dram_spread,
                  use_dram(request, sectors * kSectorBytes) - request);
}

// Returns when the sectors arrive.
double Simulator::load_from_l2(uint32_t line, uint8_t touched, double at, double missing) {
  MemoryState& memory = state_.memory;
  const double request = std::max(at, memory.l2_request_free);
  memory.l2_request_free = request + config_.l2_request_interval;
  // Stores leave the SM on the same way, and wait for the request.
  memory.store_free = std::max(memory.store_free, request) + config_.store_request_cycles;
  const int sectors = std::popcount(touched);
  const bool ahead = config_.l2_window_cycles != 0;
  const double bytes = sectors * kSectorBytes;
  const double share_busy = std::max(bytes, config_.l2_least_bytes) / share_.l2_bytes;
  const double busy = ahead ? bytes / config_.l2_sm_bytes : share_busy;
  double latency = l2_latency(line);
  if (missing > 0) latency += arrival_in_l2(line, touched, missing, request) - request;
  if (line >= kLocalLine && share_.local_miss > 0) latency = spilled_latency(latency, request, sectors);
  state_.counters.l2_load_sectors += static_cast<uint64_t>(sectors);
  const double first = request + config_.l2_near_latency;
  memory.l2_return_free = std::max(memory.l2_return_free, first) + busy;
  memory.l2_share_free = std::max(memory.l2_share_free, first) + share_busy;
  double arrived = std::max(request + latency, memory.l2_return_free);
  if (ahead) arrived = std::max(arrived, memory.l2_share_free - config_.l2_window_cycles);
  if (config_.l2_streams < 1) return arrived;
  double& in_order = memory.l2_in_order[stream_of(line)];
  return in_order = std::max(arrived, in_order + busy);
}

// Returns when the last sector is there.
double Simulator::load_line(uint32_t tag, uint8_t sectors, double at, const LoadPath& path) {
  const int wanted = std::popcount(sectors);
  state_.counters.l1_sectors += static_cast<uint64_t>(wanted);
  double done = at;
  uint8_t missing = sectors;
  CacheLine* line = nullptr;
  if (path.through_l1) {
    const FoundLine found = find_line(state_.l1, tag);
    if (found.evicted_dirty) spill_to_l2(at);
    line = &found.line;
    missing = sectors & static_cast<uint8_t>(~line->valid);
    for (size_t k = 0; k < 4; ++k)
      if (((sectors & line->valid) >> k & 1) != 0) done = std::max(done, line->filled[k]);
    state_.counters.l1_hits += static_cast<uint64_t>(wanted - std::popcount(missing));
  }
  if (missing == 0) return done;
  const int count = std::popcount(missing);
  const double arrived = load_from_l2(tag, missing, at, path.missing);
  state_.memory.fill_debt = std::min(state_.memory.fill_debt + count * path.fill_cycles, kMostFillDebt);
  if (line != nullptr) {
    for (size_t k = 0; k < 4; ++k)
      if ((missing >> k & 1) != 0) line->filled[k] = arrived;
    line->valid |= missing;
  }
  return std::max(done, arrived);
}

// The lines of an access, one tag after the other; returns when the last sector is there.
double Simulator::load_lines(const AccessShape& shape, uint32_t first, double at, const LoadPath& path) {
  double done = at, tag = at;
  for (uint32_t k = 0; k < shape.lines; ++k, tag += config_.tag_interval) {
    const LineTouch& touch = launch_.lines[shape.first_line + k];
    done = std::max(done, load_line(first + static_cast<uint32_t>(touch.line), touch.sectors,
                                    tag + config_.l1_miss_latency, path));
  }
  return done;
}

// Of the sectors of a line that is stored in part, those that no store before has sent to L2 yet: an SM adds
// a store to what is there of its line (stores.txt).
uint8_t Simulator::sectors_to_send(const LineTouch& touch, uint32_t line) {
  MemoryState& memory = state_.memory;
  if (!touch.in_part || memory.part_lines.empty()) return touch.sectors;
  const auto found = std::ranges::find(memory.part_lines, line, &MemoryState::PartLine::line);
  if (found == memory.part_lines.end()) {
    memory.part_lines[memory.oldest_part] = {line, touch.sectors};
    memory.oldest_part = (memory.oldest_part + 1) % static_cast<uint32_t>(memory.part_lines.size());
    return touch.sectors;
  }
  const auto others = static_cast<uint8_t>(touch.sectors & ~found->sectors);
  found->sectors |= touch.sectors;
  return others;
}

void Simulator::store_lines(const AccessShape& shape, uint32_t first, double at, bool added_up) {
  int sectors = 0, in_part = 0;
  for (uint32_t k = 0; k < shape.lines; ++k) {
    const LineTouch& touch = launch_.lines[shape.first_line + k];
    const uint32_t line = first + static_cast<uint32_t>(touch.line);
    const uint8_t sent = added_up ? sectors_to_send(touch, line) : touch.sectors;
    sectors += std::popcount(sent);
    in_part += sent != 0 && touch.in_part ? 1 : 0;
  }
  if (sectors > 0) store_to_l2(sectors, at, share_.store_bytes, in_part * config_.store_part_cycles);
}

// SMs store at different times: one alone may use more than its share of the chip for a while.
void Simulator::store_to_l2(int sectors, double at, double share_bytes, double more_cycles) {
  MemoryState& memory = state_.memory;
  const double bytes = sectors * kSectorBytes;
  const bool ahead = config_.store_window_cycles != 0;
  memory.store_free =
      std::max(memory.store_free, at) + bytes / (ahead ? config_.store_sm_bytes : share_bytes) + more_cycles;
  memory.share_free = std::max(memory.share_free, at) + bytes / share_bytes;
  memory.data_free = std::max(memory.data_free, memory.store_free - config_.store_buffer_cycles);
  if (ahead) memory.data_free = std::max(memory.data_free, memory.share_free - config_.store_window_cycles);
  memory.store_done =
      std::max(memory.store_done, std::max(memory.store_free, memory.share_free) + config_.store_latency);
  state_.counters.store_sectors += static_cast<uint64_t>(sectors);
}

void Simulator::spill_to_l2(double at) { store_to_l2(4, at, share_.line_store_bytes, 0); }

// Stores to local memory write whole lines.
void Simulator::store_local(const AccessShape& shape, uint32_t first, double at) {
  for (uint32_t k = 0; k < shape.lines; ++k) {
    const FoundLine found = find_line(state_.l1, first + k);
    if (found.evicted_dirty) spill_to_l2(at);
    found.line.valid = 15;
    for (double& filled : found.line.filled) filled = std::min(filled, at);
    if (config_.local_write_back != 0)
      found.line.dirty = true;
    else
      spill_to_l2(at);
    if (share_.local_miss > 0) {
      const double written = use_dram(at, share_.local_miss * 4 * kSectorBytes);
      state_.memory.store_free = std::max(state_.memory.store_free, written - config_.store_buffer_cycles);
    }
  }
}

void Simulator::access_memory(SubCoreState& sub_core, uint32_t id, const TimedInstruction& instruction,
                              const IssuedInstruction& issued) {
  const AccessShape& shape = launch_.shapes[issued.shape];
  const uint32_t line = issued.line + state_.warps[id].line_salt;
  const double accepted = pass_lsu(sub_core, instruction, shape);
  const double at_data = accepted + kLsuToData;
  const LoadPath path{config_.l1 != 0, config_.fill_cycles, missing_share(issued.line)};
  const auto wavefronts = [&](int count) { return std::max(1, count) * config_.wavefront_cycles; };
  double done = accepted, data = 0, data_cycles = 0, data_end = 0;
  double sources_read = accepted + config_.source_read_latency;
  bool is_long = instruction.global();
  int words = 0;
  // Loaded words go back to the sub-core one after the other.
  const auto returned = [&](double ready) {
    const double cycles = words * kBytesPerWord / config_.return_bytes;
    const double end = std::max(ready, sub_core.return_free + cycles);
    sub_core.return_free = std::max(sub_core.return_free, ready - cycles) + cycles;
    return end;
  };
  const auto take_data_stage = [&](double cycles) {
    data_cycles = cycles;
    data = data_stage(at_data, cycles);
    data_end = state_.memory.data_free;  // a store that waits behind the stage is none of its cycles
  };
  const auto use_data = [&](int count) {
    take_data_stage(wavefronts(count));
    return data + data_cycles;
  };
  switch (instruction.memory) {
    case MemoryOp::load_shared: {
      words = std::min<int>(instruction.words, shape.shared_wavefronts);
      done = returned(use_data(shape.shared_wavefronts) + config_.shared_latency) +
             std::max(0, words - 1) * config_.shared_word_latency;
      break;
    }
    case MemoryOp::store_shared:
      done = use_data(shape.shared_wavefronts) + config_.shared_latency;
      break;
    case MemoryOp::atomic_shared:
      words = instruction.words;
      take_data_stage(std::max<int>(1, issued.lanes) * config_.shared_atomic_cycles);
      done = data + data_cycles + config_.shared_latency;
      break;
    case MemoryOp::load_global:
    case MemoryOp::load_local:
    case MemoryOp::atomic_global: {
      words = instruction.words;
      LoadPath own_path = path;
      if (instruction.memory == MemoryOp::atomic_global) own_path.through_l1 = false;
      const double loaded = load_lines(shape, line, accepted, own_path);
      const double after_data =
          use_data(shape.data_wavefronts) + config_.l1_hit_latency - kLsuToData - kLsuToData;
      // What comes from L2 does not keep later results waiting.
      const double hit = std::max(accepted + config_.l1_hit_latency, after_data);
      done = loaded > accepted ? std::max(hit, loaded + config_.fill_latency) : returned(hit);
      if (config_.l1_in_order != 0 && instruction.memory == MemoryOp::load_global)
        done = state_.memory.load_in_order = std::max(done, state_.memory.load_in_order + data_cycles);
      break;
    }
    case MemoryOp::async_copy: {
      // Both kinds take the data stage in order, like stores: what lies behind waits (shared.txt, burst).
      const bool past_l1 = shape.past_l1;
      const double loaded =
          load_lines(shape, line, accepted,
                     {path.through_l1 && !past_l1, past_l1 ? 0 : config_.copy_fill_cycles, path.missing});
      take_data_stage(past_l1 ? shape.lines * config_.copy_pass_cycles
                              : wavefronts(shape.shared_wavefronts) + config_.copy_cycles);
      done = std::max({accepted + config_.l1_hit_latency, loaded + config_.fill_latency,
                       state_.memory.data_free}) +
             config_.copy_latency;
      WarpState& warp = state_.warps[id];
      warp.copies_done = std::max(warp.copies_done, static_cast<uint64_t>(done + 0.5));
      break;
    }
    case MemoryOp::store_local:
      done = use_data(shape.data_wavefronts) + config_.l1_hit_latency;
      store_local(shape, line, data);
      break;
    case MemoryOp::store_global:
    case MemoryOp::reduce_global: {
      use_data(shape.data_wavefronts);
      store_lines(shape, line, data, instruction.memory == MemoryOp::store_global);
      done = state_.memory.store_free + config_.l2_near_latency;
      break;
    }
    case MemoryOp::register_only:
      done = accepted + config_.shared_latency;
      break;
    case MemoryOp::none:  // MUFU, conversions
      done = accepted + config_.xu_latency;
      break;
  }
  if (instruction.words > 1 &&
      (instruction.memory == MemoryOp::store_shared || instruction.memory == MemoryOp::store_global))
    sources_read += instruction.words * kWideStoreReadCycles;
  if (TimelineStep* step = step_of(state_.warps[id])) {
    step->done = static_cast<uint32_t>(done + 0.5);
    step->data_begin = static_cast<uint32_t>(data);
    // With the sectors that arrive in between. Both ends are rounded down, so that the sum has no bias.
    if (data_cycles > 0) {
      const uint32_t cycles = static_cast<uint32_t>(data_end) - step->data_begin;
      step->data_cycles = static_cast<uint16_t>(std::min(cycles, 0xffffu));
    }
  }
  if (config_.write_wait_cycles != 0 && loads_registers(instruction))
    write_result(id, instruction, done, is_long, in_pairs(instruction, shape));
  else
    set_scoreboard(id, instruction.control.write_scoreboard, done, is_long);
  set_scoreboard(id, instruction.control.read_scoreboard, sources_read, is_long);
}

}  // namespace gemmscope::sm
