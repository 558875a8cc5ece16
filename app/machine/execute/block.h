// Executes one thread block of a translated kernel.
//
// Models: registers, predicates, uniform registers, constant banks, shared, local and global memory with
// bounds and alignment, atomic operations, divergence and reconvergence, CTA barriers and their reductions,
// barrier objects and bulk copies.
// Inaccuracies: it does not model time (clocks only count up), clusters, caches, or the order of memory
// accesses between threads. Asynchronous copies are done when they are issued. Warps take turns, so a warp
// may wait in a loop for another one of its block. The blocks of a grid run one after another on each worker
// thread, so a loop that waits for another block may never end.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "machine/checks/block_checks.h"
#include "machine/checks/global_stores.h"
#include "machine/execute/block_limits.h"
#include "machine/execute/instruction_counts.h"
#include "machine/state/barrier_object.h"
#include "machine/state/fault.h"
#include "machine/state/global_memory.h"
#include "machine/state/lane_memory.h"
#include "machine/state/observer.h"
#include "machine/state/program.h"
#include "machine/state/tensor_map.h"
#include "machine/state/warp.h"

namespace gemmscope::machine {

// After so many branches a warp lets the others run, since it may be waiting for one of them.
inline constexpr uint32_t kBranchesPerTurn = 4096;

enum class Schedule : uint8_t {
  run_until_blocked,  // fastest
  round_robin,        // one instruction of each warp in turn
};

class Block {
 public:
  // All references must outlive the block, and the buffers of `memory` must not move. Other blocks, on other
  // threads, may use the same memory. After a fault the counts are meaningless.
  Block(const Program& program, GlobalMemory& memory, InstructionCounts& counts, BlockLimits limits,
        CheckMode mode = CheckMode::suspect);
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  // Runs block (x, y, z) from start to end. A fault stops it.
  std::optional<Fault> run(std::array<uint32_t, 3> block_index, Schedule schedule, Observer* observer);

  // Tells `stores` from the next run on; null: nobody.
  void record_stores(GlobalStores* stores) { stores_ = stores; }

  const BlockChecks& checks() const { return checks_; }
  // The findings of all runs since the last call.
  std::vector<Finding> take_findings() { return checks_.take_findings(); }
  uint64_t branches() const { return limits_.branch_budget - branches_left_; }  // of the last run

 private:
  struct CtaBarrier {
    uint32_t arrived = 0, expected = 0;  // threads; expected 0: all live ones
    uint32_t warps = 0;                  // mask of the warps that have arrived
    uint32_t missing = 0;                // threads that these warps lack to be whole
    uint32_t truths = 0;                 // arrived threads whose predicate is true
    uint8_t operation = 0;               // BarrierReduction
    using Waiter = BlockChecks::BarrierWaiter;
    std::vector<Waiter> waiters;
    std::vector<Waiter> arrivals;  // those that do not wait

    // Keeps the memory of the vectors for reuse.
    void clear() {
      arrived = expected = warps = missing = truths = operation = 0;
      waiters.clear();
      arrivals.clear();
    }
  };

  // The piece of memory that an instruction accessed last, a buffer or the shared window, and the places in
  // it.
  struct AccessPlace {
    uint64_t address = 0;              // of a buffer
    const std::byte* bytes = nullptr;  // null: not known
    LaneBounds bounds;
    LanePlaces places;
  };

  // How often a run of instructions was executed.
  struct Entered {
    uint64_t warps = 0, threads = 0;
  };

  void start(std::array<uint32_t, 3> block_index);
  void start_warp(Warp& warp);
  void run_warps(Schedule schedule);
  // These return false if the warp can only wait for barrier objects.
  bool run_warp(Warp& warp);   // until it waits or has ended
  bool step_warp(Warp& warp);  // one instruction
  void report_issues(const Warp& warp, const Split& split, uint32_t active, uint32_t count);
  bool issue(Warp& warp, const MicroOp& op, Split& split, uint32_t active);
  void run_past_end(const Warp& warp, const Split& split);
  bool run_instructions(Warp& warp, Split& split);
  void count_runs();
  // Executes a micro-op that is not a lane function. True: `split` goes on; false: it has ended or waits, or
  // there is a fault.
  bool execute(Warp& warp, const MicroOp& op, Split& split, uint32_t active);

  // Executes an access (is_access) for the lanes of `active`, at least one. False: a fault.
  bool access(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active);
  bool load(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active);
  // The fast ways, for common accesses of all lanes. False, and nothing done, for any other access.
  bool load_shared_words(Warp& warp, const MicroOp& op, uint32_t pc);
  bool load_after_leader(Warp& warp, const MicroOp& op, uint32_t pc);
  bool load_moved(Warp& warp, const MicroOp& op, uint32_t pc, AccessPlace& at);
  static uint32_t shared_place(const Warp& warp, const MicroOp& op);
  bool keeps_shared_distances(const Warp& warp, const MicroOp& op, const AccessPlace& last) const;
  bool find_new_shared_places(const Warp& warp, const MicroOp& op, AccessPlace& last);
  bool load_global_words(Warp& warp, const MicroOp& op, uint32_t pc);
  bool store_shared_words(Warp& warp, const MicroOp& op, uint32_t pc);
  bool find_shared_places(const Warp& warp, const MicroOp& op, AccessPlace& last);
  bool find_buffer(uint64_t address, uint32_t width, AccessPlace& place);
  void count_move(LanePlaces& places, uint32_t width) const;
  bool store(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active);
  void count_copy_groups(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active);
  bool async_copy(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active);
  bool load_matrix(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active);
  bool store_matrix(Warp& warp, const MicroOp& op, uint32_t pc);
  bool atomic(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active);
  void query_space(Warp& warp, const MicroOp& op, uint32_t active);
  void load_constant(Warp& warp, const MicroOp& op, uint32_t active);
  using Addresses = std::array<uint64_t, kWarpLanes>;
  void access_addresses(const Warp& warp, const MicroOp& op, Space space, Addresses& addresses) const;
  void global_addresses(const Warp& warp, const MicroOp& op, int base, int64_t offset,
                        Addresses& addresses) const;
  void shared_addresses(const Warp& warp, const MicroOp& op, Addresses& addresses) const;
  // Finds pointers to the bytes that the active lanes access; false after a fault. The functions below serve
  // accesses that the fast way does not.
  bool resolve(Warp& warp, uint32_t pc, Space space, Addresses& addresses, uint32_t active, uint32_t width,
               Direction direction, LanePointers& pointers);
  bool locate(Warp& warp, uint32_t pc, Space space, Addresses& addresses, uint32_t active, uint32_t width,
              Direction direction, LanePointers& pointers);
  void check_generic(const Warp& warp, uint32_t pc, const Addresses& addresses, uint32_t active,
                     uint32_t width, Direction direction);
  bool resolve_global(Warp& warp, uint32_t pc, const Addresses& addresses, uint32_t active, uint32_t width,
                      Direction direction, LanePointers& pointers);
  bool refuse_shared(Warp& warp, uint32_t pc, const Addresses& addresses, uint32_t active, uint32_t width,
                     Direction direction);
  bool resolve_local(Warp& warp, uint32_t pc, const Addresses& addresses, uint32_t active, uint32_t width,
                     Direction direction, LanePointers& pointers);
  std::optional<uintptr_t> common_origin(Warp& warp, uint32_t pc, Space space, const Addresses& addresses,
                                         uint32_t active, uint32_t width, Direction direction);
  void reach_local(Warp& warp, const Addresses& addresses, uint32_t active);
  std::byte* generic_pointer(Warp& warp, uint32_t lane, uint64_t address, uint32_t width);
  void observe_object(uint32_t pc, uint32_t address, ObjectUse::Kind kind, bool completes = false);
  void observe(uint32_t pc, Space space, Direction direction, uint32_t width, uint32_t active,
               const Addresses& addresses, Path path = Path::lanes);
  void observe(uint32_t pc, Space space, Direction direction, uint32_t width, const LanePlaces& places,
               uint64_t start);

  bool execute_control(Warp& warp, const MicroOp& op, Split& split, uint32_t active);
  bool branch(Warp& warp, const MicroOp& op, Split& split, uint32_t taken);
  bool call(Warp& warp, const MicroOp& op, Split& split, uint32_t active);
  bool spend_branch(const Warp& warp, const Split& split);
  bool end_turn(Warp& warp, const Split& split);
  bool jump_register(Warp& warp, const MicroOp& op, Split& split, uint32_t active);
  bool refuse_jump(const Warp& warp, uint32_t pc, int lane, uint64_t address);
  void code_address(Warp& warp, const MicroOp& op, uint32_t active);
  void read_clock(Warp& warp, const MicroOp& op, uint32_t active);
  bool exit(Warp& warp, Split& split, uint32_t leaving);
  bool converge(Warp& warp, const MicroOp& op, Split& split, uint32_t active, uint32_t chosen);
  bool warp_sync(Warp& warp, const MicroOp& op, Split& split, uint32_t active);
  static bool yield(Warp& warp, Split& split);
  bool stop(const Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active);
  bool block_barrier(Warp& warp, const MicroOp& op, Split& split, uint32_t active);
  bool execute_async(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active);
  bool object_address(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t lane, uint32_t& address);
  bool find_object(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t lane, uint32_t& address);
  bool check_object(Warp& warp, uint32_t pc, uint32_t lane, uint32_t address);
  uint64_t object_word(uint32_t address) const;
  void set_object(uint32_t address, const BarrierObject& object, bool completes);
  bool object_exchange(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active);
  bool object_arrive(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active);
  bool arrive_lane(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t lane);
  bool object_test(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active);
  bool waits_for_phase(Warp& warp, const Split& split);
  // 16 bytes of a bulk copy: `bytes` of global memory, then zeroes.
  struct CopyPiece {
    uint64_t from = 0;
    uint32_t to = 0, bytes = 0;
  };
  struct BulkCopy {
    uint32_t pc = 0, lane = 0;  // of the issuing warp
    uint32_t object = 0;
    std::array<CopyPiece, kWarpLanes> pieces;
    uint32_t count = 0;  // of pieces that are not copied yet
  };
  bool begin_copy(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active, BulkCopy& copy);
  bool add_piece(Warp& warp, BulkCopy& copy, const CopyPiece& piece);
  bool copy_pieces(Warp& warp, BulkCopy& copy);
  bool end_copy(Warp& warp, BulkCopy& copy, uint32_t bytes);
  bool bulk_copy(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active);
  bool tensor_copy(Warp& warp, const MicroOp& op, uint32_t pc, uint32_t active);
  bool copy_box_row(Warp& warp, BulkCopy& copy, const TensorMap& map, uint32_t row,
                    const std::array<int64_t, TensorMap::kMostDimensions>& corner, uint32_t to);
  std::optional<TensorMap> tensor_map(Warp& warp, uint32_t pc, uint32_t lane, uint64_t address);
  static void count_arrival(CtaBarrier& barrier, const Warp& warp, uint32_t active);
  void release_barriers();
  void release_barrier(uint32_t id);
  void read_barrier_result(Warp& warp, const MicroOp& op, uint32_t active);
  void raise(FaultKind kind, const Warp* warp, uint32_t pc, int lane, uint64_t address, std::string what);
  void raise_deadlock();
  static std::string barrier_places(const CtaBarrier& barrier);
  std::string phase_text(const Warp& warp, const Split& split) const;
  std::string deadlock_text() const;

  const Program& program_;
  GlobalMemory& memory_;
  const LaneMemory& lane_memory_;
  InstructionCounts& counts_;
  BlockLimits limits_;
  Observer* observer_ = nullptr;
  Observer* issues_ = nullptr;  // the observer if it takes issues, else null
  std::array<uint32_t, 3> index_{};
  std::vector<uint32_t> row_storage_;
  uint32_t* rows_ = nullptr;
  std::vector<Warp> warps_;
  std::vector<Entered> entered_;            // by the first operation of a run of instructions
  std::vector<AccessPlace> access_places_;  // by instruction
  std::vector<std::byte> shared_storage_;
  std::span<std::byte> shared_;  // part of shared_storage_, from the start of a cache line on
  std::array<CtaBarrier, 16> barriers_;
  uint32_t live_threads_ = 0;
  uint64_t branches_left_ = 0, issued_ = 0, clock_reads_ = 0;
  std::optional<Fault> fault_;
  BlockChecks checks_;
  GlobalStores* stores_ = nullptr;
};

}  // namespace gemmscope::machine
