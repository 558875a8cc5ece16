// The figures of the strip and of the panel are those that `gemmscope counters --json` prints, for every
// kernel of the catalogue: the workspace that the window draws is run beside the program. The pipeline's are
// those of `gemmscope time --trace-event`, and the start cards' those of `gemmscope banks --json`.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "../session/workspace_driver.h"
#include "command.h"
#include "isa/arch.h"
#include "metrics/roofline.h"
#include "scenes/key_numbers.h"
#include "scenes/pipeline_story.h"
#include "scenes/text.h"
#include "session/app_commands.h"

namespace gemmscope::cli {
namespace {

using nlohmann::json;

std::vector<std::string> ids() {
  std::vector<std::string> all;
  for (const catalog::Kernel& kernel :
       catalog::read_catalog(std::filesystem::path(GEMMSCOPE_SOURCE_DIR) / "kernels").kernels)
    all.push_back(kernel.id);
  return all;
}

class ScreenFigures : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Catalogue, ScreenFigures, testing::ValuesIn(ids()),
                         [](const auto& test) { return "k" + test.param; });

// By name of the JSON: the panel's rows.
using T = metrics::InstructionTraffic;
const std::map<std::string, metrics::Traffic T::*>& kinds_of_json() {
  static const std::map<std::string, metrics::Traffic T::*> kinds = {
      {"global_load", &T::global_load},     {"global_store", &T::global_store},
      {"async_global", &T::async_global},   {"global_atomic", &T::global_atomic},
      {"global_reduce", &T::global_reduce}, {"local_load", &T::local_load},
      {"local_store", &T::local_store},     {"shared_load", &T::shared_load},
      {"shared_store", &T::shared_store},   {"async_shared", &T::async_shared},
      {"matrix_load", &T::matrix_load},     {"matrix_store", &T::matrix_store},
      {"shared_atomic", &T::shared_atomic}};
  return kinds;
}

void expect_panel(const metrics::CounterSummary& shown, const json& counters) {
  ASSERT_EQ(kinds_of_json().size(), metrics::kTrafficKinds.size()) << "a kind is missing here";
  for (const auto& [name, member] : kinds_of_json()) {
    const metrics::Traffic& traffic = shown.traffic.*member;
    const json& kind = counters.at(name);
    const bool shared = kind.contains("wavefronts");
    EXPECT_EQ(kind.at("requests"), traffic.requests) << name;
    EXPECT_EQ(kind.at(shared ? "wavefronts" : "sectors"), shared ? traffic.wavefronts : traffic.sectors)
        << name;
    EXPECT_EQ(kind.at(shared ? "minimum_wavefronts" : "minimum_sectors"),
              shared ? traffic.minimum_wavefronts : traffic.minimum_sectors)
        << name;
  }
}

void expect_instructions(const metrics::CounterSummary& shown, const json& counters) {
  for (size_t i = 0; i < shown.mix.size(); ++i)
    EXPECT_EQ(counters.at("mix").at(metrics::kInstructionKindNames[i].key), shown.mix[i]);
  EXPECT_EQ(counters.at("mix").size(), shown.mix.size());
  EXPECT_EQ(counters.at("global_loaded_bytes"), shown.traffic.global_loaded_bytes);
  EXPECT_EQ(counters.at("flop_per_float"), shown.flop_per_float());
}

void expect_distances(const metrics::DistanceSummary& shown, const json& distances) {
  EXPECT_EQ(distances.at("count"), shown.count);
  EXPECT_EQ(distances.at("least"), shown.least);
  EXPECT_EQ(distances.at("median"), shown.median);
  EXPECT_EQ(distances.at("mean"), shown.mean);
}

void expect_strip(const scenes::KeyCounts& strip, const json& counters) {
  const auto global = {"global_load", "global_store", "async_global", "global_atomic", "global_reduce"};
  const auto shared = {"shared_load", "shared_store", "async_shared",
                       "matrix_load", "matrix_store", "shared_atomic"};
  EXPECT_EQ(strip.warp_instructions, counters.at("warp_instructions"));
  EXPECT_EQ(strip.flops, counters.at("flops"));
  EXPECT_EQ(strip.global_sectors, sum_of(counters, global, "sectors"));
  EXPECT_EQ(strip.global_sectors - strip.excess_sectors, sum_of(counters, global, "minimum_sectors"));
  EXPECT_EQ(strip.wavefronts, sum_of(counters, shared, "wavefronts"));
  EXPECT_EQ(strip.excess_wavefronts, sum_of(counters, shared, "conflicts"));
  EXPECT_EQ(strip.least_wavefronts, counters.at("async_shared").value("at_least", false));
}

// The roofline's bytes of L1 and shared memory.
void expect_intensity(const metrics::CounterSummary& shown, const json& counters) {
  const uint64_t sectors = sum_of(counters,
                                  {"global_load", "global_store", "async_global", "global_atomic",
                                   "global_reduce", "local_load", "local_store"},
                                  "sectors"),
                 wavefronts = sum_of(counters, {"shared_load", "shared_store", "matrix_load", "matrix_store"},
                                     "wavefronts");
  EXPECT_EQ(metrics::l1_bytes(shown), 32 * sectors + 128 * wavefronts);
}

// The modelled time of the strip.
void expect_modelled(const session::ViewState& state, std::vector<std::string> arguments) {
  if (state.modelled_time == nullptr) {
    EXPECT_NE(state.no_model, "");
    return;
  }
  ASSERT_NE(state.model, nullptr);
  arguments[0] = "time";
  arguments.insert(arguments.end(), {"--device", state.model->device.id});
  const json time = json_of(run_command(arguments));
  EXPECT_EQ(time.at("modelled").at("milliseconds"), state.modelled_time->milliseconds);
  ASSERT_TRUE(state.numbers.now->time);
  EXPECT_EQ(time.at("modelled").at("milliseconds"), state.numbers.now->time->ms);
}

TEST_P(ScreenFigures, EqualTheJsonOfTheCommandLine) {
  experiment::Experiment e = session::small_experiment(GetParam(), 128);
  const catalog::Catalog catalog =
      catalog::read_catalog(std::filesystem::path(GEMMSCOPE_SOURCE_DIR) / "kernels");
  const catalog::Kernel* const kernel = catalog.find(GetParam());
  ASSERT_NE(kernel, nullptr);
  if (kernel->architecture > isa::sm_number(e.arch)) e.arch = isa::Arch::sm_90;
  session::WorkspaceDriver driver(e);
  ASSERT_TRUE(driver.settle());
  const session::ViewState& state = driver.state();
  ASSERT_FALSE(state.failure) << state.failure->failure.message;
  ASSERT_NE(state.block, nullptr);
  ASSERT_NE(state.grid, nullptr);
  const scenes::KeyNumbers numbers = state.numbers.now.value_or(scenes::KeyNumbers{});
  ASSERT_TRUE(numbers.grid);
  const std::vector<std::string> arguments = {
      "counters", GetParam(), "--m", "128",    "--n",
      "128",      "--k",      "128", "--arch", fmt::format("sm_{}", isa::sm_number(e.arch)),
      "--json"};
  const json whole = json_of(run_command(arguments));
  expect_panel(state.grid->summary, whole.at("counters"));
  expect_instructions(state.grid->summary, whole.at("counters"));
  expect_distances(state.block->ffma_distances, whole.at("distances").at("ffma"));
  expect_distances(state.block->load_distances, whole.at("distances").at("load_to_wait"));
  expect_strip(*numbers.grid, whole.at("counters"));
  std::vector<std::string> of_block = arguments;
  of_block.push_back("--block-only");
  const json block = json_of(run_command(of_block));
  const metrics::CounterSummary shown =
      metrics::summarize(state.block->counters, state.block->compiled->instructions);
  expect_panel(shown, block.at("counters"));
  expect_instructions(shown, block.at("counters"));
  expect_strip(scenes::key_counts(shown), block.at("counters"));

  const json resources = json_of(run_command({"run", GetParam(), "--m", "128", "--n", "128", "--k", "128",
                                              "--arch", arguments[9], "--json"}))
                             .at("resources");
  EXPECT_EQ(resources.at("registers"), numbers.registers);
  EXPECT_EQ(
      resources.at("spill_store_bytes").get<uint64_t>() + resources.at("spill_load_bytes").get<uint64_t>(),
      numbers.spill_bytes);
  ASSERT_TRUE(numbers.blocks_per_sm);
  EXPECT_EQ(json_of(run_command({"occupancy", GetParam(), "--m", "128", "--n", "128", "--k", "128", "--arch",
                                 arguments[9], "--json"}))
                .at("blocks"),
            *numbers.blocks_per_sm);
  const experiment::Resources& panel = state.compiled->resources;
  EXPECT_EQ(resources.at("barriers"), panel.barriers);
  EXPECT_EQ(resources.at("static_shared_bytes"), panel.static_shared_bytes);
  EXPECT_EQ(resources.at("dynamic_shared_bytes"), panel.dynamic_shared_bytes);
  expect_intensity(state.grid->summary, whole.at("counters"));
  expect_modelled(state, arguments);
}

// ---- the pipeline

// The slices of a category in what --trace-event wrote.
std::vector<json> slices_of(const json& events, const std::string& category) {
  std::vector<json> slices;
  for (const json& event : events.at("traceEvents"))
    if (event.value("cat", "") == category) slices.push_back(event);
  return slices;
}

// Warp cycles by reason; an instruction is selected in its last cycle.
sm::StallCycles cycles_of(const std::vector<json>& instructions) {
  sm::StallCycles sum{};
  for (const json& slice : instructions) {
    sum[static_cast<size_t>(sm::Stall::selected)] += 1;
    for (size_t reason = 1; reason < sm::kStalls; ++reason)
      sum[reason] += slice.at("args").value(sm::kStallNames[reason], 0.0);
  }
  return sum;
}

class PipelineFigures : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Ladder, PipelineFigures,
                         testing::Values("03_shared_tile", "09_conflict_free", "13_async_copy"),
                         [](const auto& test) { return "k" + test.param; });

TEST_P(PipelineFigures, EqualTheTraceOfTheCommandLine) {
  const experiment::Experiment e = session::small_experiment(GetParam(), 128);
  session::WorkspaceDriver driver(e);
  ASSERT_TRUE(driver.settle());
  const std::shared_ptr<const experiment::ModelResult> model = driver.state().model;
  ASSERT_NE(model, nullptr) << driver.state().no_model;
  const TemporaryFile file("trace.json", "");
  const CommandResult run = run_command({"time", GetParam(), "--m", "128", "--n", "128", "--k", "128",
                                         "--arch", fmt::format("sm_{}", isa::sm_number(e.arch)), "--device",
                                         model->device.id, "--trace-event", file.path()});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::ifstream text(file.path());
  const json events = json::parse(text);

  const std::vector<json> sm = slices_of(events, "sm");
  ASSERT_FALSE(sm.empty());
  EXPECT_EQ(sm[0].at("dur"), model->timeline.cycles);
  const std::string headline = scenes::pipeline_headline(*model, 0);
  EXPECT_NE(headline.find(scenes::grouped(sm[0].at("dur").get<uint64_t>()) + " cycles"), std::string::npos)
      << headline;
  std::set<std::string> blocks;
  for (const json& slice : slices_of(events, "block")) blocks.insert(slice.at("name"));
  EXPECT_NE(headline.find(fmt::format(" {} block", blocks.size())), std::string::npos) << headline;

  const std::vector<json> instructions = slices_of(events, "instruction");
  size_t issued = 0;
  for (const sm::WarpTimeline& warp : model->timeline.warps) issued += warp.steps.size();
  EXPECT_EQ(instructions.size(), issued);
  sm::StallCycles shown{};
  for (const sm::InstructionStalls& hotspot : model->index.hotspots(0, model->timeline.cycles + 1))
    for (size_t reason = 0; reason < sm::kStalls; ++reason) shown[reason] += hotspot.cycles[reason];
  const sm::StallCycles told = cycles_of(instructions);
  for (size_t reason = 0; reason < sm::kStalls; ++reason)
    EXPECT_NEAR(shown[reason], told[reason], 1e-9 * told[reason] + 1e-6) << sm::kStallNames[reason];
  EXPECT_GT(told[static_cast<size_t>(sm::Stall::long_scoreboard)], 0);
}

// ---- the cards of the start

uint64_t conflicts_of(const json& banks, const char* direction, uint64_t& worst_degree) {
  uint64_t conflicts = 0;
  for (const json& instruction : banks.at("instructions")) {
    if (instruction.at("direction") != direction) continue;
    conflicts += instruction.at("conflicts").get<uint64_t>();
    worst_degree = std::max(worst_degree, instruction.at("worst_degree").get<uint64_t>());
  }
  return conflicts;
}

// "32 lanes in one bank; one float more in a row ends it."
TEST(StartCards, PromiseWhatTheLabShows) {
  session::WorkspaceDriver driver(session::small_experiment());
  session::AppFlags flags;
  const session::CommandTable table = session::make_commands(driver.workspace(), flags);
  const session::Command* card = table.find("start.bank_conflict");
  ASSERT_NE(card, nullptr);
  ASSERT_TRUE(card->description.find("lanes in one bank; one float more in a row ends it") !=
              std::string::npos)
      << card->description;
  uint64_t worst = 0, worst_padded = 0;
  const std::vector<std::string> lab = {"banks", "bank_conflicts", "--m", "64", "--n", "64", "--json"};
  EXPECT_GT(conflicts_of(json_of(run_command(lab)), "load", worst), 0u);
  EXPECT_EQ(worst, std::stoull(card->description));
  std::vector<std::string> padded = lab;
  padded.insert(padded.end(), {"--toggle", "PITCH=33"});
  EXPECT_EQ(conflicts_of(json_of(run_command(padded)), "load", worst_padded), 0u);
  EXPECT_EQ(worst_padded, 1u);
}

}  // namespace
}  // namespace gemmscope::cli
