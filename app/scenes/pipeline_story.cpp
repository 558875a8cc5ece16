#include "scenes/pipeline_story.h"

#include <algorithm>

#include "base/plural.h"
#include "scenes/pipeline_rows.h"
#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using experiment::ModelResult;
using experiment::StageBar;
using experiment::TileStage;
using sm::Stall;

const sm::TimelineStep& step_of(const ModelResult& model, StepId id) {
  return model.timeline.warps[id.warp].steps[id.step];
}

std::string place_of(const ModelResult& model, uint32_t instruction) {
  const experiment::CompiledKernel::Place& place = model.compiled->places[instruction];
  if (place.file < 0) return "";
  return fmt::format(" (line {})", place.line);
}

std::string cycles_text(uint64_t cycles) {
  return fmt::format("{} cycle{}", grouped(cycles), plural(cycles));
}

std::string name_of(const ModelResult& model, StepId id) {
  const sm::WarpTimeline& warp = model.timeline.warps[id.warp];
  const uint32_t instruction = step_of(model, id).instruction;
  return fmt::format("warp {}: {}{}", warp.warp, instruction_text(*model.compiled, instruction),
                     place_of(model, instruction));
}

}  // namespace

double microseconds(const ModelResult& model, double cycles) {
  return model.microseconds(cycles) /
         (model.launch().uses_tensor_cores() ? model.device.tensor_clock_share : 1);
}

double hidden_loads(const ModelResult& model, uint32_t block) {
  if (block >= model.stages.size()) return -1;
  int last = 0;
  for (const StageBar& bar : model.stages[block].bars)
    if (bar.stage == TileStage::math) last = std::max(last, bar.tile);
  double hidden = 0, all = 0;
  for (const StageBar& bar : model.stages[block].bars) {
    if (bar.stage != TileStage::global_load || bar.tile == 0 || bar.tile >= last) continue;
    hidden += hidden_share(model, bar.begin, bar.end) * (bar.end - bar.begin);
    all += bar.end - bar.begin;
  }
  return all > 0 ? hidden / all : -1;
}

std::string pipeline_headline(const ModelResult& model, uint32_t block) {
  const size_t blocks = model.timeline.blocks.size();
  std::string text = fmt::format("Modelled: one SM of {}, {} {} at once, {} cycles ({:.1f} \u00b5s)",
                                 model.device.name, blocks, blocks == 1 ? "block" : "blocks",
                                 grouped(model.timeline.cycles), microseconds(model, model.timeline.cycles));
  if (const double hidden = hidden_loads(model, block); hidden >= 0)
    text += fmt::format("; {:.0f} % of the global loads' time lies under math", 100 * hidden);
  return text + ".";
}

std::string pipeline_caveat(const ModelResult& model) {
  std::string text;
  if (model.reduced_depth())
    text = fmt::format("Drawn at K = {}, not {}: passes are alike.", model.depth, model.experiment.problem.k);
  if (model.device.compute_capability != isa::sm_number(model.experiment.arch))
    text += fmt::format("{}The machine code is that of {}.", text.empty() ? "" : " ",
                        isa::arch_name(model.experiment.arch));
  return text;
}

std::string why_no_arrow(const ModelResult& model, StepId id) {
  const sm::TimelineStep& step = step_of(model, id);
  if (step.cause != sm::kNoStep) return "";
  const sm::StallCycles cycles = sm::stall_cycles(model.timeline.warps[id.warp], id.step);
  Stall most = Stall::wait;
  double longest = 0;
  for (int r = 1; r < sm::kStalls; ++r)
    if (cycles[static_cast<size_t>(r)] > longest) {
      longest = cycles[static_cast<size_t>(r)];
      most = static_cast<Stall>(r);
    }
  if (longest == 0) return "It did not wait.";
  switch (most) {
    case Stall::wait:
      return "No arrow: it waited for the stall count that the compiler put into the step before.";
    case Stall::not_selected:
      return "No arrow: it was ready, and another warp of its sub-core issued.";
    case Stall::math_pipe_throttle:
      return "No arrow: the pipe was busy with several instructions.";
    case Stall::lg_throttle:
    case Stall::mio_throttle:
      return "No arrow: the queue to the load-store unit was full of many accesses.";
    case Stall::branch_resolving:
      return "No arrow: the branch before it had to be resolved.";
    case Stall::no_instruction:
      return "No arrow: the instruction had to be fetched.";
    case Stall::dispatch_stall:
      return "No arrow: the register banks were busy.";
    default:
      return "No arrow: several results came in the same cycle.";
  }
}

std::vector<std::string> describe_step(const ModelResult& model, StepId id) {
  const sm::WarpTimeline& warp = model.timeline.warps[id.warp];
  const sm::TimelineStep& step = step_of(model, id);
  std::vector<std::string> lines{name_of(model, id)};
  lines.push_back(fmt::format("issues in cycle {} (modelled), sub-core {}, pass {}", grouped(step.issued),
                              warp.sub_core, step.pass + 1));
  const sm::StallCycles cycles = sm::stall_cycles(warp, id.step);
  std::string waits;
  double waited = 0;
  for (int r = 1; r < sm::kStalls; ++r)
    if (const double n = cycles[static_cast<size_t>(r)]; n > 0) {
      waits +=
          fmt::format("{}{} {:.0f}", waits.empty() ? "" : ", ", sm::kStallNames[static_cast<size_t>(r)], n);
      waited += n;
    }
  if (!waits.empty()) lines.push_back(fmt::format("waited: {} cycle{}", waits, plural(waited)));
  if (step.cause != sm::kNoStep) {
    const StepId cause{step.cause_warp, step.cause};
    lines.push_back(fmt::format("for {}, issued {} before", name_of(model, cause),
                                cycles_text(step.issued - step_of(model, cause).issued)));
  } else if (!waits.empty()) {
    lines.push_back(why_no_arrow(model, id));
  }
  if (step.done > step.issued) {
    lines.push_back(fmt::format("its result takes {}", cycles_text(step.done - step.issued)));
    if (const auto delayed = first_delayed(model, id))
      lines.push_back(fmt::format("{} waits for it", name_of(model, *delayed)));
    else
      lines.push_back("no warp had to wait for it");
  }
  const sm::ExposedLatency& exposed = model.index.exposed()[step.instruction];
  if (exposed.executions > 0 && exposed.latency > 0) {
    const auto n = static_cast<double>(exposed.executions);
    lines.push_back(fmt::format(
        "on average {:.0f} cycles of latency: {:.0f} exposed to the warp, {:.0f} to the whole sub-core",
        exposed.latency / n, exposed.warp / n, exposed.sub_core / n));
  }
  return lines;
}

namespace {

std::string describe_copies(const TileRect& tile) {
  const bool in_flight = tile.stage == TileStage::global_load;
  if (tile.bulk)
    return fmt::format("TMA copies of tile {}: {}", tile.tile + 1,
                       in_flight ? "in flight, from the first copy's start until all bytes are there"
                                 : "landed; the mark is where the last warp sees that its barrier object's "
                                   "phase is over, red if one stalled there");
  return fmt::format("cp.async group {}, copies of tile {}: {}", tile.group, tile.tile + 1,
                     in_flight ? "in flight, from its first copy until its last one is complete"
                               : "landed; the mark is where the last warp passes the DEPBAR that waits for "
                                 "it, red if one stalled there");
}

}  // namespace

std::string describe_tile(const TileRect& tile) {
  const char* name = experiment::kTileStageNames[static_cast<size_t>(tile.stage)];
  std::string text;
  if (tile.group >= 0)
    text = describe_copies(tile);
  else if (tile.slot)
    text = fmt::format("tile {} in this buffer, {}", tile.tile + 1,
                       tile.stage == TileStage::store_shared ? "being filled" : "being read");
  else if (tile.stage == TileStage::epilogue)
    text = "epilogue: C is written";
  else if (tile.stage == TileStage::barrier)
    text = fmt::format("barrier in pass {}: from the first arrival to the release", tile.tile + 1);
  else if (tile.stage == TileStage::object_wait)
    text = fmt::format(
        "wait at a barrier object in pass {}, such as until a buffer is free: from the first check of its "
        "phase to the last one's result",
        tile.tile + 1);
  else
    text = fmt::format("{} of tile {}", name, tile.tile + 1);
  text += fmt::format("\ncycles {} to {}: {} (modelled)", grouped(tile.begin), grouped(tile.end),
                      cycles_text(tile.end - tile.begin));
  if (tile.hidden >= 0)
    text += fmt::format("\n{:.0f} % of it under math; red: the math pipes of the SM stand idle",
                        100 * tile.hidden);
  return text + (tile.pinned ? "\nof the pinned kernel" : "");
}

CycleRange framing(const ModelResult& model, CycleRange range, CycleRange span) {
  constexpr double kLeastShare = 1.0 / 40, kGoodShare = 1.0 / 5, kMargin = 1.0 / 20;
  const double middle = (span.from + span.to) / 2;
  const auto around = [&](double length) {
    return moved(model, {middle - length / 2, middle + length / 2}, 0);
  };
  if (span.length() < range.length() * kLeastShare) return around(span.length() / kGoodShare);
  if (span.length() > range.length() * (1 - 2 * kMargin)) return around(span.length() / (1 - 2 * kMargin));
  const double margin = range.length() * kMargin;
  if (span.from < range.from + margin) return moved(model, range, span.from - range.from - margin);
  if (span.to > range.to - margin) return moved(model, range, span.to - range.to + margin);
  return range;
}

CycleRange span_of(const ModelResult& model, StepId id) {
  const sm::TimelineStep& step = step_of(model, id);
  double from = model.timeline.warps[id.warp].begin_of(id.step);
  if (step.cause != sm::kNoStep)
    from = std::min<double>(from, step_of(model, {step.cause_warp, step.cause}).issued);
  return {from, step.issued + 1.0};
}

CycleRange framing(const ModelResult& model, CycleRange range, StepId step) {
  return framing(model, range, span_of(model, step));
}

std::optional<StepId> longest_wait(const ModelResult& model, uint32_t block, uint32_t instruction,
                                   CycleRange range) {
  std::optional<StepId> longest;
  uint32_t most = 0;
  for (uint32_t w = 0; w < model.timeline.warps.size(); ++w) {
    const sm::WarpTimeline& warp = model.timeline.warps[w];
    if (warp.block != block) continue;
    const auto first = static_cast<uint32_t>(std::max(0.0, range.from));
    for (size_t k = sm::TimelineIndex::first_step_at(warp, first); k < warp.steps.size(); ++k) {
      const sm::TimelineStep& step = warp.steps[k];
      if (step.issued >= range.to) break;
      const uint32_t waited = step.issued - warp.begin_of(k);
      if (step.instruction != instruction || (longest && waited <= most)) continue;
      longest = StepId{w, static_cast<uint32_t>(k)};
      most = waited;
    }
  }
  return longest;
}

std::vector<PassRow> compare_pass(const ModelResult& model, uint32_t block, uint32_t pass) {
  std::vector<PassRow> rows;
  if (block >= model.stages.size()) return rows;
  const experiment::BlockStages& stages = model.stages[block];
  if (stages.pass_begins.size() < 4 || pass + 1 >= stages.pass_begins.size()) return rows;
  const size_t passes = stages.pass_begins.size() - 1;
  PassRow whole{"the pass"};
  whole.pass = static_cast<double>(stages.pass_begins[pass + 1]) - stages.pass_begins[pass];
  whole.mean = (static_cast<double>(stages.pass_begins[passes - 1]) - stages.pass_begins[1]) /
               static_cast<double>(passes - 2);
  rows.push_back(whole);
  for (int s = 0; s < experiment::kTileStages; ++s) {
    const auto stage = static_cast<TileStage>(s);
    if (stage == TileStage::epilogue) continue;
    PassRow row{experiment::kTileStageNames[static_cast<size_t>(s)]};
    double sum = 0;
    bool any = false;
    for (const StageBar& bar : stages.bars) {
      if (bar.stage != stage) continue;
      const double length = bar.end - bar.begin;
      if (bar.tile == static_cast<int>(pass)) row.pass += length;
      if (bar.tile > 0 && bar.tile + 1 < static_cast<int>(passes)) sum += length;
      any = true;
    }
    row.mean = sum / static_cast<double>(passes - 2);
    if (any) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace gemmscope::scenes
