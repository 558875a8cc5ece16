// The picture of the register ports on the ladder's machine code.
#include "scenes/port_scene.h"

#include <gtest/gtest.h>

#include <set>

#include "../experiment/ladder_run.h"
#include "layout_checks.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;

constexpr SceneMetrics kMetrics{1, 18, 14, 8, 8, 15};

std::shared_ptr<const experiment::CompiledKernel> compiled(const std::string& id) {
  const catalog::Kernel* kernel = experiment::ladder().find(id);
  EXPECT_NE(kernel, nullptr) << id;
  const auto result = experiment::take_or_compile_kernel(
      *kernel, experiment::experiment_on(id, isa::Arch::sm_90, {256, 256, 256, 1, 0}));
  EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
  return result.value_or(nullptr);
}

TEST(PortScene, FollowsTheCursorAndShowsWhatTheMetricSays) {
  const auto kernel = compiled("12_warp_tiling");
  ASSERT_NE(kernel, nullptr);
  const metrics::LoopPorts* loop = kernel->ports.main_loop();
  ASSERT_NE(loop, nullptr);
  for (uint32_t i = loop->first; i < loop->first + 200; i += 7) {
    const metrics::InstructionPorts& ports = kernel->ports.instructions[i];
    const PortScene scene = layout_ports(*kernel, i, {0, 0, 900, 400}, kMetrics);
    const auto current = std::ranges::find_if(scene.rows, [](const PortRow& row) { return row.current; });
    ASSERT_NE(current, scene.rows.end());
    EXPECT_EQ(current->instruction, i);
    EXPECT_TRUE((current - 1)->cache) << "the reuse cache stands above the cursor's instruction";
    EXPECT_EQ(current->waits, ports.lost_cycles > 0);
    // The cells of the cursor's row are the reads of the metric.
    int ports_shown = 0, extra = 0, cached = 0;
    for (const PortCell& cell : scene.cells) {
      if (cell.rect.top < current->rect.top || cell.rect.bottom > current->rect.bottom) continue;
      ports_shown += cell.kind == PortCellKind::port || cell.kind == PortCellKind::extra;
      extra += cell.kind == PortCellKind::extra;
      cached += cell.kind == PortCellKind::cached;
    }
    EXPECT_EQ(ports_shown, ports.banks.count[0] + ports.banks.count[1]);
    EXPECT_EQ(cached, std::popcount(ports.banks.hits) + std::popcount(ports.banks.doubles));
    if (ports.one_cycle) {
      EXPECT_EQ(extra > 0, ports.port_cycles > 1);
    }
  }
}

TEST(PortScene, TheCacheRowMarksTheEntriesThatServe) {
  const auto kernel = compiled("12_warp_tiling");
  ASSERT_NE(kernel, nullptr);
  const metrics::LoopPorts* loop = kernel->ports.main_loop();
  ASSERT_NE(loop, nullptr);
  int serving = 0;
  for (uint32_t i = loop->first; i < loop->first + 100; ++i) {
    const PortScene scene = layout_ports(*kernel, i, {0, 0, 900, 400}, kMetrics);
    const auto serves = std::ranges::count_if(scene.cells, [](const PortCell& cell) { return cell.serves; });
    EXPECT_EQ(serves, std::popcount(kernel->ports.instructions[i].banks.hits));
    serving += static_cast<int>(serves);
  }
  EXPECT_GT(serving, 0);
}

TEST(PortScene, StaysInItsAreaAtEverySize) {
  const auto kernel = compiled("13_async_copy");
  ASSERT_NE(kernel, nullptr);
  for (const Rect area :
       {Rect{0, 0, 20, 10}, Rect{0, 0, 300, 90}, Rect{0, 0, 520, 260}, Rect{0, 0, 1600, 900}})
    for (const uint32_t at : {0u, static_cast<uint32_t>(kernel->instructions.size()) - 1, 3000u}) {
      const PortScene scene = layout_ports(*kernel, at, area, kMetrics);
      for (const PortRow& row : scene.rows) EXPECT_TRUE(lies_in({"row", row.rect}, area));
      for (const PortCell& cell : scene.cells) EXPECT_TRUE(lies_in({cell.text, cell.rect}, area));
      for (size_t i = 1; i < scene.rows.size(); ++i)
        EXPECT_TRUE(apart({"row", scene.rows[i - 1].rect}, {"next row", scene.rows[i].rect}));
    }
  EXPECT_TRUE(layout_ports(*kernel, 1u << 30, {0, 0, 500, 300}, kMetrics).rows.empty());
}

// Two experiments side by side in a small window leave each little more than two lines.
TEST(PortScene, ALowPlaceShowsTheInstructionBeforeAllElse) {
  const auto kernel = compiled("13_async_copy");
  ASSERT_NE(kernel, nullptr);
  const float heads = kMetrics.small_height + std::round(3 * kMetrics.scale);
  const float row = std::round(kMetrics.code_height + kMetrics.scale);
  for (int lines = 1; lines <= 5; ++lines) {
    const Rect area{0, 0, 900, heads + static_cast<float>(lines) * row};
    const PortScene scene = layout_ports(*kernel, 3000, area, kMetrics);
    EXPECT_EQ(std::ssize(scene.rows), lines);
    EXPECT_EQ(std::ranges::count_if(scene.rows, &PortRow::current), 1) << lines;
    EXPECT_EQ(std::ranges::count_if(scene.rows, &PortRow::cache), lines > 1 ? 1 : 0) << lines;
    EXPECT_EQ(scene.sentence_rect.height(), 0);
  }
}

// The explanation takes two lines: rows stand closer together before it is cut.
TEST(PortScene, TheSentenceHasTwoLinesWhereRowsCanStandCloser) {
  const auto kernel = compiled("13_async_copy");
  ASSERT_NE(kernel, nullptr);
  const float heads = kMetrics.small_height + std::round(3 * kMetrics.scale);
  const float dense = std::round(kMetrics.code_height + kMetrics.scale);
  const float height = heads + 5 * dense + 4 * kMetrics.scale + 2.5f * kMetrics.line_height;
  const PortScene scene = layout_ports(*kernel, 3000, {0, 0, 560, height}, kMetrics);
  EXPECT_GE(scene.sentence_rect.height(), 2 * kMetrics.line_height);
  EXPECT_GE(std::ssize(scene.rows), 4);
}

TEST(PortScene, ALoopHasItsFigure) {
  const auto kernel = compiled("13_async_copy");
  ASSERT_NE(kernel, nullptr);
  const metrics::LoopPorts* loop = kernel->ports.main_loop();
  ASSERT_NE(loop, nullptr);
  const PortScene scene = layout_ports(*kernel, loop->first + 5, {0, 0, 900, 400}, kMetrics);
  ASSERT_FALSE(scene.figures.empty());
  EXPECT_NEAR(std::stod(scene.figures[0].value), loop->port_cycles_per_ffma(), 0.005);
  EXPECT_EQ(loop_around(kernel->ports, 0), nullptr);
  EXPECT_TRUE(layout_ports(*kernel, 0, {0, 0, 900, 400}, kMetrics).figures.empty());
}

// On a projector beside a lesson's page: "R104" and "R104.reuse" are what the picture is about.
TEST(PortScene, ANarrowRowStillNamesItsRegisters) {
  const auto kernel = compiled("16_serpentine");
  ASSERT_NE(kernel, nullptr);
  const metrics::LoopPorts* loop = kernel->ports.main_loop();
  ASSERT_NE(loop, nullptr);
  const PortScene scene = layout_ports(*kernel, loop->first + 9, {0, 0, 510, 300}, kMetrics);
  for (const PortCell& cell : scene.cells) {
    if (cell.kind == PortCellKind::kept || cell.kind == PortCellKind::empty) continue;
    const size_t letters = cell.text.size() + (cell.flagged ? std::string(".reuse").size() : 0);
    EXPECT_GE(cell.rect.width(), static_cast<float>(letters) * kMetrics.code_width - 1) << cell.text;
  }
}

}  // namespace
}  // namespace gemmscope::scenes
