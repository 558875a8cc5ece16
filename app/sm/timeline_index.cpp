#include "sm/timeline_index.h"

#include <algorithm>
#include <bit>

#include "sm/state.h"

namespace gemmscope::sm {
namespace {

constexpr uint32_t kFinestBucket = 16, kMostBuckets = 4096;
constexpr uint32_t kSlices = 64;
constexpr int kSelected = static_cast<int>(Stall::selected);

}  // namespace

IssueKind issue_kind(const TimedInstruction& instruction) {
  if (instruction.global()) return IssueKind::global;
  switch (instruction.memory) {
    case MemoryOp::load_shared:
    case MemoryOp::store_shared:
    case MemoryOp::atomic_shared:
      return IssueKind::shared;
    default:
      break;
  }
  const bool math =
      instruction.unit == Unit::fma || instruction.unit == Unit::fp64 || instruction.unit == Unit::tensor;
  return math ? IssueKind::math : IssueKind::other;
}

std::optional<Pipe> pipe_of(Unit unit) {
  switch (unit) {
    case Unit::fma:
    case Unit::fma_heavy:
      return Pipe::fma;
    case Unit::alu:
      return Pipe::alu;
    case Unit::fp64:
      return Pipe::fp64;
    case Unit::xu:
      return Pipe::xu;
    case Unit::tensor:
      return Pipe::tensor;
    case Unit::uniform:
      return Pipe::uniform;
    default:
      return std::nullopt;
  }
}

double InstructionStalls::stalled() const {
  double sum = 0;
  for (int reason = 0; reason < kStalls; ++reason)
    if (reason != kSelected) sum += cycles[static_cast<size_t>(reason)];
  return sum;
}

TimelineIndex::TimelineIndex(const Timeline& timeline, const LaunchTrace& launch, double fma_halves)
    : timeline_(&timeline), launch_(&launch), instructions_(launch.code.size()) {
  const uint32_t cycles = timeline.cycles + 1;
  bucket_ = std::max(kFinestBucket, std::bit_ceil((cycles + kMostBuckets - 1) / kMostBuckets));
  buckets_ = (cycles + bucket_ - 1) / bucket_;
  slice_ = std::max(1u, (cycles + kSlices - 1) / kSlices);
  activities_.assign(timeline.warps.size() * (buckets_ + 1), {});
  for (auto& pipe : pipes_) pipe.assign(buckets_ + 1, 0);
  issued_.assign(kSubCores, std::vector<uint32_t>(cycles + 1, 0));
  slices_.assign(size_t{kSlices} * instructions_, {});
  exposed_.resize(instructions_);
  for (const WarpTimeline& warp : timeline.warps)
    for (const TimelineStep& step : warp.steps)
      ++issued_[warp.sub_core][std::min(step.issued, cycles - 1) + 1];
  for (auto& sub_core : issued_)
    for (size_t c = 1; c < sub_core.size(); ++c) sub_core[c] += sub_core[c - 1];
  for (size_t w = 0; w < timeline.warps.size(); ++w)
    for (size_t k = 0; k < timeline.warps[w].steps.size(); ++k) {
      add_step(w, k, fma_halves);
      add_exposure(w, k);
    }
  sum_up();
}

// Entries are shifted by one: entry b + 1 holds bucket b, until sum_up.
void TimelineIndex::add_step(size_t w, size_t k, double fma_halves) {
  const WarpTimeline& warp = timeline_->warps[w];
  const TimelineStep& step = warp.steps[k];
  ActivityCycles* const row = &activities_[w * (buckets_ + 1)];
  const auto add = [&](uint32_t begin, uint32_t end, int activity, Stall reason) {
    for (uint32_t at = begin; at < end;) {
      const uint32_t b = std::min(at / bucket_, static_cast<uint32_t>(buckets_) - 1);
      const uint32_t until = b + 1 == buckets_ ? end : std::min(end, (b + 1) * bucket_);
      row[b + 1][static_cast<size_t>(activity)] += until - at;
      at = until;
    }
    for (uint32_t at = begin; at < end;) {
      const uint32_t s = std::min(at / slice_, kSlices - 1);
      const uint32_t until = s + 1 == kSlices ? end : std::min(end, (s + 1) * slice_);
      (*slice(s, step.instruction))[static_cast<size_t>(reason)] += until - at;
      at = until;
    }
  };
  for_each_wait(warp, k, [&](uint32_t begin, uint32_t end, Stall reason) {
    add(begin, end, activity_of(reason), reason);
  });
  const TimedInstruction& instruction = launch_->code[step.instruction];
  add(step.issued, step.issued + 1, activity_of(issue_kind(instruction)), Stall::selected);
  const size_t bucket = std::min<size_t>(step.issued / bucket_, buckets_ - 1) + 1;
  pipes_[static_cast<size_t>(Pipe::issue)][bucket] += 1;
  if (const std::optional<Pipe> pipe = pipe_of(instruction.unit)) {
    double busy = timeline_->intervals.empty() ? 1 : timeline_->intervals[step.instruction];
    if (instruction.unit == Unit::fma_heavy) busy /= std::max(1.0, fma_halves);
    pipes_[static_cast<size_t>(*pipe)][bucket] += busy;
  }
  if (step.data_cycles > 0)
    pipes_[static_cast<size_t>(Pipe::data)][std::min<size_t>(step.data_begin / bucket_, buckets_ - 1) + 1] +=
        step.data_cycles;
}

// The wait of a step for a result belongs to the instruction that produces it.
void TimelineIndex::add_exposure(size_t w, size_t k) {
  const WarpTimeline& warp = timeline_->warps[w];
  const TimelineStep& step = warp.steps[k];
  if (launch_->code[step.instruction].memory != MemoryOp::none && step.done > step.issued) {
    ExposedLatency& own = exposed_[step.instruction];
    ++own.executions;
    own.latency += step.done - step.issued;
  }
  if (step.cause == kNoStep || step.cause_warp != w || step.cause >= warp.steps.size()) return;
  const uint32_t begin = std::max({warp.begin_of(k), step.ready, step.released});
  const uint32_t end = std::min(step.results, step.issued);
  if (end <= begin) return;
  ExposedLatency& exposed = exposed_[warp.steps[step.cause].instruction];
  exposed.warp += end - begin;
  const uint32_t issued_then = issued(warp.sub_core, begin, end);
  exposed.sub_core += end - begin - std::min(issued_then, end - begin);
}

void TimelineIndex::sum_up() {
  for (size_t w = 0; w < timeline_->warps.size(); ++w)
    for (size_t b = 0; b < buckets_; ++b) {
      ActivityCycles* const row = &activities_[w * (buckets_ + 1) + b];
      for (size_t a = 0; a < kActivities; ++a) row[1][a] += row[0][a];
    }
  for (auto& pipe : pipes_)
    for (size_t b = 0; b < buckets_; ++b) pipe[b + 1] += pipe[b];
  stalls_.assign(instructions_, {});
  for (uint32_t s = 0; s < kSlices; ++s)
    for (uint32_t i = 0; i < instructions_; ++i)
      for (size_t r = 0; r < kStalls; ++r) stalls_[i][r] += (*slice(s, i))[r];
}

ActivityCycles TimelineIndex::activities(size_t warp, size_t first, size_t last) const {
  last = std::min(last, buckets_);
  ActivityCycles cycles{};
  if (first >= last) return cycles;
  const ActivityCycles& from = activities_[warp * (buckets_ + 1) + first];
  const ActivityCycles& to = activities_[warp * (buckets_ + 1) + last];
  for (size_t a = 0; a < kActivities; ++a) cycles[a] = to[a] - from[a];
  return cycles;
}

double TimelineIndex::pipe_share(Pipe pipe, size_t first, size_t last) const {
  last = std::min(last, buckets_);
  if (first >= last) return 0;
  const auto& sums = pipes_[static_cast<size_t>(pipe)];
  // The last bucket ends with the timeline.
  const size_t end = std::min<size_t>(last * bucket_, timeline_->cycles);
  const double capacity =
      std::max(1.0, static_cast<double>(end - first * bucket_)) * (pipe == Pipe::data ? 1 : kSubCores);
  return std::clamp((sums[last] - sums[first]) / capacity, 0.0, 1.0);
}

bool TimelineIndex::pipe_used(Pipe pipe) const {
  return !pipes_[0].empty() && pipes_[static_cast<size_t>(pipe)].back() > 0;
}

uint32_t TimelineIndex::issued(size_t sub_core, uint32_t from, uint32_t to) const {
  const std::vector<uint32_t>& sums = issued_[sub_core];
  const auto last = static_cast<uint32_t>(sums.size() - 1);
  return sums[std::min(to, last)] - sums[std::min(from, last)];
}

size_t TimelineIndex::first_step_at(const WarpTimeline& warp, uint32_t cycle) {
  return static_cast<size_t>(std::ranges::lower_bound(warp.steps, cycle, {}, &TimelineStep::issued) -
                             warp.steps.begin());
}

StallCycles TimelineIndex::stalls(uint32_t from, uint32_t to) const {
  StallCycles total{};
  for (const InstructionStalls& hotspot : hotspots(from, to))
    for (size_t i = 0; i < kStalls; ++i) total[i] += hotspot.cycles[i];
  return total;
}

std::vector<InstructionStalls> TimelineIndex::hotspots(uint32_t from, uint32_t to) const {
  std::vector<InstructionStalls> all(instructions_);
  for (size_t i = 0; i < instructions_; ++i) all[i].instruction = static_cast<uint32_t>(i);
  to = std::min(to, timeline_->cycles + 1);
  const auto walk = [&](uint32_t begin, uint32_t end) {
    if (begin >= end) return;
    for (const WarpTimeline& warp : timeline_->warps)
      for (size_t k = first_step_at(warp, begin); k < warp.steps.size() && warp.begin_of(k) < end; ++k) {
        const StallCycles cycles = stall_cycles(warp, k, begin, end);
        for (size_t i = 0; i < kStalls; ++i) all[warp.steps[k].instruction].cycles[i] += cycles[i];
      }
  };
  // Whole slices from their sums, the two ends step by step.
  const uint32_t first = (from + slice_ - 1) / slice_, last = std::min(to / slice_, kSlices);
  if (first < last) {
    walk(from, first * slice_);
    for (size_t s = first; s < last; ++s)
      for (size_t i = 0; i < instructions_; ++i)
        for (size_t r = 0; r < kStalls; ++r) all[i].cycles[r] += slices_[s * instructions_ + i][r];
    walk(last * slice_, to);
  } else {
    walk(from, to);
  }
  std::erase_if(all, [](const InstructionStalls& i) {
    return i.stalled() == 0 && i.cycles[static_cast<size_t>(kSelected)] == 0;
  });
  std::ranges::stable_sort(all, std::ranges::greater{}, &InstructionStalls::stalled);
  return all;
}

}  // namespace gemmscope::sm
