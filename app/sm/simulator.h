// Replays the instructions of an SM's blocks cycle by cycle: which warp issues when, and why the others wait.
//
// Modelled: four sub-cores that issue one instruction a cycle; the control field of the machine
// code (stall counts, yield, scoreboards, reuse flags); operand reads by bank, which delay matrix
// instructions; results of loads by bank; pipes by their interval; instruction fetch; the queues on the way
// to the load-store unit; wavefronts by the exact rule; L1 with sectors; L2, DRAM and stores as latency and
// bandwidth, an SM's share of the chip's; barriers; asynchronous copies; starts of blocks.
//
// Left out: what other SMs do at the moment (they are an average load; where L2 misses, they wait with this
// one), the order of an L2 slice's requests, in which half of L2 a line lies, TLB misses, the constant cache,
// bank conflicts between global and shared accesses beyond their wavefronts, clock changes, preemption. Of a
// branch both ways are issued as the execution recorded them.
//
// Time advances to the next cycle in which a sub-core may issue. The memory path is a chain of servers that
// work in order; an access gets its times when it issues.
#pragma once

#include <atomic>

#include "base/error.h"
#include "sm/config.h"
#include "sm/event_queue.h"
#include "sm/state.h"
#include "sm/timeline.h"

namespace gemmscope::sm {

// What the SM sees of the others: its share of L2 and DRAM.
struct ChipShare {
  double l2_bytes = 0;          // per cycle, to this SM
  double store_bytes = 0;       // per cycle
  double line_store_bytes = 0;  // per cycle
  double load_latency = 0;      // cycles, of the load on L2
  double dram_bytes = 0;        // per cycle
  double local_miss = 0;        // share of the accesses to local memory that L2 does not hold
  // By buffer of the launch: the share of its lines that wait for DRAM when a group of blocks comes to them.
  // Empty: none waits.
  std::vector<double> missing;
  uint32_t run = 0;  // chooses places of lines in L2 and the blocks' starts
};

struct SmRun {
  double cycles = 0;               // until the last store is done
  double cycles_per_block = 0;     // between the first and the third wave; 0 without a fourth
  std::vector<double> block_ends;  // in the order in which the blocks started
  SmCounters counters;
};

class Simulator {
 public:
  // The launch must have at least one block, and outlive this object.
  Simulator(const LaunchTrace& launch, const SmConfig& config, ChipShare share);

  // Runs `blocks` blocks of the launch, as many at once as are resident. With a timeline, writes each step to
  // it. Errors: cancelled; warps that wait for ever, which a trace with its end left out may contain.
  Result<SmRun> run(uint32_t blocks, Timeline* timeline = nullptr,
                    const std::atomic<bool>* cancelled = nullptr);

 private:
  // Blocks (simulator.cpp).
  void start_block();
  void handle(const Event& event);
  void push(Event event);
  void arrive(uint32_t warp);
  void release_if_all_arrived(BlockState& block);
  void finish_warp(uint32_t warp);
  void mark_waves();
  uint64_t next_cycle() const;
  static bool stops_at_barrier(const WarpState& warp, const TimedInstruction& instruction) {
    return !warp.deferred || !instruction.goes_past_barrier();
  }

  // Choosing a warp (scheduler.cpp).
  bool has_results(uint32_t warp);
  uint64_t busy_until(const SubCoreState& sub_core, uint32_t warp);
  uint32_t choose_warp(SubCoreState& sub_core, uint64_t& retry);
  void try_to_issue(SubCoreState& sub_core);

  // Issue (issue.cpp).
  void issue(SubCoreState& sub_core, uint32_t warp);
  void use_unit(SubCoreState& sub_core, const TimedInstruction& instruction, size_t index);
  void use_ports(SubCoreState& sub_core, const TimedInstruction& instruction, uint32_t warp);
  double load_constant(uint32_t warp);
  void finish_fixed(uint32_t warp, const TimedInstruction& instruction);
  void go_on(SubCoreState& sub_core, WarpState& warp, uint32_t issued_instruction);
  void account(const SubCoreState& sub_core, WarpState& warp, const TimedInstruction& instruction);
  void block_sub_core(SubCoreState& sub_core, uint64_t until);
  void set_scoreboard(uint32_t warp, int scoreboard, double time, bool is_long);
  void raise_scoreboard(uint32_t warp, int scoreboard, bool is_long);
  TimelineStep* step_of(const WarpState& warp);

  // Results of loads (write_ports.cpp).
  void write_result(uint32_t warp, const TimedInstruction& instruction, double time, bool is_long,
                    bool in_pairs);
  void begin_to_write(const Event& event);
  void write_waiting(SubCoreState& sub_core, uint64_t known_until);
  uint64_t stopped_for_write(WritePorts& ports) const;
  void stop_for_write(SubCoreState& sub_core);

  // Barrier objects and bulk copies (barrier_objects.cpp).
  void use_object(uint32_t warp, const TimedInstruction& instruction, const IssuedInstruction& issued);
  void arrive_in_phase(BlockState& block, uint32_t phase, double time);
  void wait_for_phase(uint32_t warp, const TimedInstruction& instruction, uint32_t phase);
  double copy_bulk(const AccessShape& shape, uint32_t line, double missing);

  // Instruction fetch (fetch.cpp).
  void fill_instruction_caches();
  uint64_t fetch_cycles(SubCoreState& sub_core, WarpState& warp, uint32_t instruction, bool jumped);

  // Memory (memory_path.cpp).
  void enqueue(SubCoreState& sub_core, const TimedInstruction& instruction, double leaves);
  double pass_lsu(SubCoreState& sub_core, const TimedInstruction& instruction, const AccessShape& shape);
  void access_memory(SubCoreState& sub_core, uint32_t warp, const TimedInstruction& instruction,
                     const IssuedInstruction& issued);
  double data_stage(double at, double wavefronts);
  struct LoadPath {
    bool through_l1 = true;
    double fill_cycles = 0;  // of the data stage, for a sector that arrives
    double missing = 0;      // share that L2 does not have
  };
  double missing_share(uint32_t line) const;
  double arrival_in_l2(uint32_t line, uint8_t sectors, double share, double request);
  double load_lines(const AccessShape& shape, uint32_t line, double at, const LoadPath& path);
  double load_line(uint32_t line, uint8_t sectors, double at, const LoadPath& path);
  double load_from_l2(uint32_t line, uint8_t sectors, double at, double missing);
  double use_dram(double at, double bytes);
  double place_in_l2(uint32_t line) const;
  size_t stream_of(uint32_t line) const;
  double l2_latency(uint32_t line);
  double spilled_latency(double in_l2, double request, int sectors);
  uint8_t sectors_to_send(const LineTouch& touch, uint32_t line);
  void store_lines(const AccessShape& shape, uint32_t first, double at, bool added_up);
  void store_to_l2(int sectors, double at, double share_bytes, double more_cycles);
  void spill_to_l2(double at);
  void store_local(const AccessShape& shape, uint32_t line, double at);

  const LaunchTrace& launch_;
  const SmConfig& config_;
  ChipShare share_;
  std::vector<double> intervals_;  // of its unit, by instruction of the code
  SmState state_;
  EventQueue events_;
  Timeline* timeline_ = nullptr;
  std::array<uint64_t, 2> wave_instructions_{}, wave_cycles_{};
};

}  // namespace gemmscope::sm
