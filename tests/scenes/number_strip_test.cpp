// The numbers to watch: compared with the counters, before and after a change, and laid out at any width.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

#include "layout_checks.h"
#include "scene_blocks.h"
#include "scenes/number_strip_scene.h"

namespace gemmscope::scenes {
namespace {

using experiment::Provenance;

constexpr NumberStripMetrics kMetrics{{1, 18, 15, 7.5f, 7, 15}, 8.5f, 18};
// What a window of 1280x720 has.
constexpr NumberStripMetrics kLowMetrics{{1, 17, 15, 8, 7, 15}, 8, 17};
constexpr float kLowWindow = 1256;

KeyNumbers numbers(uint64_t wavefronts, uint64_t excess) {
  KeyNumbers made;
  made.grid = KeyCounts{610'944, 33'816'576, 40'960, 0, wavefronts, excess};
  made.registers = 40;
  made.blocks_per_sm = 6;
  made.time = KeyTime{0.0123, Provenance::modelled, "NVIDIA H200", ""};
  return made;
}

// In the values' font of the low window.
float text_width(const std::string& text) {
  const auto letters =
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80; });
  return static_cast<float>(letters) * kLowMetrics.value_width;
}

const NumberCell& cell_of(const NumberStrip& strip, KeyNumber number) {
  return *std::ranges::find(strip.cells, number, &NumberCell::number);
}

TEST(KeyNumbers, SumWhatTheInstructionsMove) {
  for (const std::string& kernel : kKernels) {
    const BlockPointer block = small_block(kernel);
    ASSERT_NE(block, nullptr);
    const KeyCounts counts = key_counts(metrics::summarize(block->counters, block->compiled->instructions));
    EXPECT_EQ(counts.warp_instructions, block->trace.records.size());
    uint64_t wavefronts = 0, excess = 0, sectors = 0;
    for (const metrics::BankRow& row : block->banks) wavefronts += row.wavefronts, excess += row.excess();
    for (const machine::TraceRecord& record : block->trace.records)
      for (const machine::TraceAccess& access : block->trace.accesses_of(record))
        if (access.space == machine::Space::global)
          sectors += static_cast<uint64_t>(metrics::sectors_of(access).sectors);
    EXPECT_EQ(counts.wavefronts, wavefronts) << kernel;
    EXPECT_EQ(counts.excess_wavefronts, excess) << kernel;
    EXPECT_EQ(counts.global_sectors, sectors) << kernel;
  }
}

TEST(KeyNumbers, TheTopContributorHasTheLargestShare) {
  const BlockPointer block = small_block("08_transposed_tile");
  ASSERT_NE(block, nullptr);
  const experiment::CompiledKernel& compiled = *block->compiled;
  const CodeCounts counts = count_code(compiled, block->counters);
  const auto top = [&](KeyNumber number) {
    return top_contributor(number, compiled, block->counters, counts);
  };
  const auto opcode = [&](KeyNumber number) { return compiled.instructions[top(number).value()].opcode; };
  EXPECT_EQ(opcode(KeyNumber::flops), isa::Opcode::ffma);
  EXPECT_EQ(opcode(KeyNumber::excess_wavefronts), isa::Opcode::sts) << "its stores of A conflict";
  uint64_t most = 0;
  for (const metrics::BankRow& row : block->banks) most = std::max(most, row.excess());
  for (const metrics::BankRow& row : block->banks)
    if (row.instruction == *top(KeyNumber::excess_wavefronts)) {
      EXPECT_EQ(row.excess(), most);
    }
  const auto text = compiled.text[top(KeyNumber::registers).value()];
  EXPECT_NE(text.find("R"), std::string::npos);
  EXPECT_EQ(top(KeyNumber::spills), std::nullopt);
  EXPECT_EQ(no_contributor_text(KeyNumber::spills, compiled), "No instruction accesses local memory.");
  EXPECT_EQ(top(KeyNumber::time), std::nullopt) << "there is no model";
}

TEST(KeyNumbers, PortCyclesAreThoseOfTheMainLoop) {
  const BlockPointer block = small_block("07_register_tile");
  ASSERT_NE(block, nullptr);
  const experiment::CompiledKernel& compiled = *block->compiled;
  const KeyNumbers now = numbers_of_code(compiled);
  const double cycles = compiled.ports.main_loop()->port_cycles_per_ffma();
  EXPECT_EQ(now.port_cycles_per_ffma, cycles);
  KeyNumbers before = now;
  before.port_cycles_per_ffma = 2 * cycles;
  const NumberCell cell =
      cell_of(layout_number_strip(now, &before, {0, 0, 1268, 33}, kMetrics), KeyNumber::port_cycles);
  EXPECT_NE((cell.before + cell.value).find(fmt::format("{:.2f}", cycles)), std::string::npos);
  EXPECT_EQ(cell.factor, "\u00f72");
  EXPECT_EQ(cell.factor_role, drawing::Role::ok) << "fewer are better";
  const auto top = top_contributor(KeyNumber::port_cycles, compiled, block->counters, {});
  ASSERT_TRUE(top);
  EXPECT_GT(compiled.ports.instructions[*top].lost_cycles, 0);
}

TEST(KeyNumbers, FactorsAreShortAndTrue) {
  const auto factor = [](double before, double now) { return factor_text({now, before}); };
  EXPECT_EQ(factor(67'584, 4'096), "\u00f716.5");
  EXPECT_EQ(factor(32, 2), "\u00f716");
  EXPECT_EQ(factor(2, 32), "\u00d716");
  EXPECT_EQ(factor(100, 133), "\u00d71.33");
  EXPECT_EQ(factor(1000, 1004), "\u00d71.004");
  EXPECT_EQ(factor(1074, 1000), "\u00f71.07");
  EXPECT_EQ(factor(63'488, 4), "\u00f715.9k");
  EXPECT_EQ(factor(5, 5), "");
  EXPECT_EQ(factor(5, 0), "") << "nothing is left to divide by";
  EXPECT_EQ(factor(0, 5), "");
  EXPECT_EQ(factor_text({5, std::nullopt}), "");
}

TEST(KeyNumbers, OnlyTheSameKindIsCompared) {
  KeyNumbers before = numbers(67'584, 63'488), now = numbers(4'096, 0);
  EXPECT_EQ(change_of(KeyNumber::wavefronts, now, &before).before, 67'584);
  EXPECT_EQ(verdict_of(KeyNumber::wavefronts, change_of(KeyNumber::wavefronts, now, &before)), 1);
  EXPECT_EQ(verdict_of(KeyNumber::wavefronts, change_of(KeyNumber::wavefronts, before, &now)), -1);
  before.grid.reset();
  before.block = KeyCounts{.wavefronts = 1056};
  EXPECT_EQ(change_of(KeyNumber::wavefronts, now, &before).before, std::nullopt) << "a block and a grid";
  now.grid.reset();
  now.block = KeyCounts{.wavefronts = 64};
  EXPECT_EQ(change_of(KeyNumber::wavefronts, now, &before).before, 1056);
  now.time = KeyTime{0.01, Provenance::recorded, "NVIDIA H200", "2026-11-21"};
  EXPECT_EQ(change_of(KeyNumber::time, now, &before).before, std::nullopt) << "modelled and recorded";
  before.blocks_per_sm = 2;
  now.blocks_per_sm = 4;
  EXPECT_EQ(verdict_of(KeyNumber::blocks_per_sm, change_of(KeyNumber::blocks_per_sm, now, &before)), 1);
}

// A GPU may count more wavefronts of asynchronous copies: the strip says so, and gives no factor.
TEST(NumberStrip, WavefrontsOfCopiesAreTheLeastPossible) {
  metrics::CounterSummary copies;
  copies.traffic.async_shared = {.requests = 8, .wavefronts = 4'096, .minimum_wavefronts = 4'096};
  const KeyNumbers before = numbers(67'584, 63'488);
  KeyNumbers now = numbers(0, 0);
  now.grid = key_counts(copies);
  ASSERT_TRUE(now.grid->least_wavefronts);
  const KeyChange change = change_of(KeyNumber::wavefronts, now, &before);
  EXPECT_EQ(factor_text(change), "");
  EXPECT_EQ(verdict_of(KeyNumber::wavefronts, change), 0);
  const NumberStrip strip = layout_number_strip(now, &before, {0, 0, 2400, 33}, kMetrics);
  const NumberCell& wavefronts = cell_of(strip, KeyNumber::wavefronts);
  EXPECT_EQ(wavefronts.value, "\u22654,096");
  EXPECT_EQ(wavefronts.before, "67,584 \u2192 ");
  EXPECT_NE(wavefronts.hint.find("At least so many"), std::string::npos) << wavefronts.hint;
  EXPECT_EQ(cell_of(strip, KeyNumber::excess_wavefronts).value, "\u22650");
  EXPECT_EQ(cell_of(strip, KeyNumber::flops).value.find("\u2265"), std::string::npos);
}

TEST(NumberStrip, ShowsOldNewAndFactor) {
  const KeyNumbers before = numbers(67'584, 63'488), now = numbers(4'096, 0);
  const NumberStrip strip = layout_number_strip(now, &before, {0, 0, 2400, 33}, kMetrics);
  const NumberCell& wavefronts = cell_of(strip, KeyNumber::wavefronts);
  EXPECT_EQ(wavefronts.before + wavefronts.value, "67,584 \u2192 4,096");
  EXPECT_EQ(wavefronts.factor, "\u00f716.5");
  EXPECT_EQ(wavefronts.factor_role, drawing::Role::ok);
  const NumberCell& excess = cell_of(strip, KeyNumber::excess_wavefronts);
  EXPECT_EQ(excess.before + excess.value, "63,488 \u2192 0");
  EXPECT_EQ(excess.value_role, drawing::Role::ok);
  const NumberCell& registers = cell_of(strip, KeyNumber::registers);
  EXPECT_EQ(registers.before + registers.value, "40") << "it did not change";
  EXPECT_EQ(cell_of(strip, KeyNumber::time).label, "Time, modelled");
  EXPECT_EQ(strip.scope, "whole grid");
}

// Each cell shows its old value, the new one and the factor, whatever they are, also in a window of 1280x720.
TEST(NumberStrip, EachCellShowsOldNewAndFactorInALowWindow) {
  ASSERT_EQ(number_strip_height(kLowWindow, kLowMetrics), 32) << "more than one row";
  const std::vector<double> counts = {3,       24,      115,       4'096,     9'999,      67'584, 106'496,
                                      605'280, 606'500, 1'215'744, 1'221'888, 33'816'576, 7.3e9};
  for (const double old_count : counts)
    for (const double count : counts) {
      if (old_count == count) continue;
      const auto made = [](double n) {
        const auto whole = static_cast<uint64_t>(n);
        KeyNumbers numbers;
        numbers.grid = KeyCounts{whole, whole, whole, whole, whole, whole};
        numbers.spill_bytes = std::min<uint64_t>(whole, 17'000);
        numbers.registers = static_cast<int>(std::min<uint64_t>(whole, 255));
        numbers.blocks_per_sm = static_cast<int>(std::min<uint64_t>(whole, 32));
        numbers.port_cycles_per_ffma = 1 + 1 / n;
        numbers.time = KeyTime{n / 1e4, Provenance::recorded, "NVIDIA H200", "2026-11-21"};
        return numbers;
      };
      const KeyNumbers before = made(old_count), now = made(count);
      const NumberStrip strip = layout_number_strip(
          now, &before, {0, 0, kLowWindow, number_strip_height(kLowWindow, kLowMetrics)}, kLowMetrics);
      for (const NumberCell& cell : strip.cells) {
        const KeyChange change = change_of(cell.number, now, &before);
        ASSERT_EQ(change.changed(), change.now != change.before);
        if (!change.changed()) continue;
        if (cell.number == KeyNumber::port_cycles && std::abs(*change.now - *change.before) < 0.02) continue;
        const std::string shown = cell.before + cell.value;
        const size_t arrow = shown.find("\u2192");
        EXPECT_NE(arrow, std::string::npos) << cell.label << shown << " of " << *change.before;
        EXPECT_GT(arrow, 0u) << cell.label << " " << shown;
        EXPECT_EQ(cell.factor, factor_text(change)) << cell.label;
        EXPECT_LE(text_width(shown), cell.value_rect.width()) << shown;
      }
    }
}

TEST(NumberStrip, WritesAUnitOfBothValuesOnceOnlyInALowWindow) {
  KeyNumbers before = numbers(106'496, 12'288), now = numbers(67'584, 4'096);
  before.grid->flops = 33'816'576, now.grid->flops = 67'633'152;
  before.spill_bytes = 160, now.spill_bytes = 1'160;
  const NumberStrip strip = layout_number_strip(now, &before, {0, 0, kLowWindow, 33}, kLowMetrics);
  const auto shown = [&](KeyNumber number) {
    return cell_of(strip, number).before + cell_of(strip, number).value;
  };
  EXPECT_EQ(shown(KeyNumber::flops), "33.8M\u219267.6M") << "without its unit 33.8 reads like less than one";
  EXPECT_EQ(shown(KeyNumber::excess_wavefronts), "12.3k\u21924,096");
  EXPECT_EQ(shown(KeyNumber::spills), "160B\u21921.1KB");
  now.grid->warp_instructions = 1'215'744, before.grid->warp_instructions = 1'221'888;
  now.grid->flops = 33'816'576, before.grid->flops = 33'842'000;
  const NumberStrip near = layout_number_strip(now, &before, {0, 0, kLowWindow, 33}, kLowMetrics);
  EXPECT_EQ(cell_of(near, KeyNumber::warp_instructions).before, "1.222\u2192") << "three digits are equal";
  EXPECT_EQ(cell_of(near, KeyNumber::warp_instructions).value, "1.216M");
  EXPECT_EQ(cell_of(near, KeyNumber::flops).before + cell_of(near, KeyNumber::flops).value,
            "33.84\u219233.82M");
  now.grid->flops = 67'633'152;
  const NumberStrip wide = layout_number_strip(now, &before, {0, 0, 1500, 33}, kLowMetrics);
  EXPECT_EQ(cell_of(wide, KeyNumber::flops).before, "33.8 M \u2192 ");
}

TEST(NumberStrip, AChangeBelowItsDigitsIsNotShown) {
  KeyNumbers before = numbers(1, 0), now = numbers(1, 0);
  before.time->ms = 0.00225;
  now.time->ms = 0.002251;
  const NumberStrip strip = layout_number_strip(now, &before, {0, 0, 2400, 33}, kMetrics);
  EXPECT_EQ(cell_of(strip, KeyNumber::time).before, "");
  EXPECT_EQ(cell_of(strip, KeyNumber::time).value, "2.25 \u00b5s");
}

TEST(NumberStrip, SaysWhichTimeItIs) {
  KeyNumbers now = numbers(0, 0);
  now.time = KeyTime{1.5, Provenance::recorded, "NVIDIA H200", "2026-11-21"};
  const NumberStrip strip = layout_number_strip(now, nullptr, {0, 0, 1268, 33}, kMetrics);
  EXPECT_EQ(cell_of(strip, KeyNumber::time).label, "Time, recorded");
  EXPECT_EQ(cell_of(strip, KeyNumber::time).value, "1.50 ms");
  EXPECT_NE(cell_of(strip, KeyNumber::time).hint.find("NVIDIA H200"), std::string::npos);
  now.time.reset();
  EXPECT_EQ(cell_of(layout_number_strip(now, nullptr, {0, 0, 1268, 33}, kMetrics), KeyNumber::time).value,
            "\u2013");
}

// Beside a recorded time stands the model's of the same device, with its error.
TEST(NumberStrip, ShowsTheModelBesideATimeThatWasTaken) {
  KeyNumbers now = numbers(0, 0);
  now.time = KeyTime{0.2, Provenance::recorded, "NVIDIA H200", "2026-11-21"};
  now.other_times = {{0.3, Provenance::recorded, "another GPU", "2026-11-21"},
                     {0.206, Provenance::modelled, "NVIDIA H200", ""}};
  const auto beside = [&](float width) {
    return cell_of(layout_number_strip(now, nullptr, {0, 0, width, 33}, kLowMetrics), KeyNumber::time).beside;
  };
  EXPECT_EQ(beside(2400), "modelled 206 \u00b5s +3.0 %");
  EXPECT_EQ(beside(kLowWindow), "model +3.0 %");
  const std::string hint =
      cell_of(layout_number_strip(now, nullptr, {0, 0, 1268, 33}, kMetrics), KeyNumber::time).hint;
  EXPECT_NE(hint.find("300 \u00b5s, recorded on another GPU, 2026-11-21"), std::string::npos) << hint;
  EXPECT_NE(hint.find("206 \u00b5s, modelled on NVIDIA H200\n"), std::string::npos) << hint;
  now.other_times.back().device = "another GPU";
  EXPECT_EQ(beside(2400), "") << "times of two devices have no error";
}

// At every width the cells fill their rows without overlapping, and every value has room for its text.
TEST(NumberStrip, FitsAtAnyWidth) {
  const KeyNumbers before = numbers(67'584'000'000, 63'488'000'000), now = numbers(4'096'123'456, 12'345);
  for (float width = 380; width < 4000; width += 37) {
    const float height = number_strip_height(width, kMetrics);
    const NumberStrip strip = layout_number_strip(now, &before, {0, 0, width, height}, kMetrics);
    ASSERT_EQ(strip.cells.size(), static_cast<size_t>(kKeyNumbers)) << width;
    for (const NumberCell& cell : strip.cells) {
      EXPECT_GE(cell.rect.left, 0);
      EXPECT_LE(cell.rect.right, width + 1);
      EXPECT_LE(cell.value_rect.bottom, height + 0.5f);
      EXPECT_LE(cell.label_rect.right, cell.factor_rect.left + 0.5f);
      for (const NumberCell& other : strip.cells)
        if (&other != &cell) {
          EXPECT_TRUE(cell.rect.intersected(other.rect).empty()) << width;
        }
    }
    EXPECT_EQ(number_cell_at(strip, strip.cells[3].rect.center()), &strip.cells[3]);
  }
}

// Also in a window of 800x600, whose letters are as large as those of 1024x768.
TEST(NumberStrip, AFactorHasRoomBesideItsLabel) {
  const KeyNumbers before = numbers(67'584, 63'488), now = numbers(4'096, 992);
  const NumberStripMetrics low{{0.75f, 14, 14, 7.5f, 7, 14}, 7.5f, 16};
  for (float width = 700; width < 1300; width += 17) {
    const NumberStrip strip =
        layout_number_strip(now, &before, {0, 0, width, number_strip_height(width, low)}, low);
    EXPECT_EQ(cell_of(strip, KeyNumber::wavefronts).factor, "\u00f716.5") << width;
    EXPECT_EQ(cell_of(strip, KeyNumber::excess_wavefronts).factor, "\u00f764") << width;
    if (width > 720 && width < 1050) {  // two rows
      EXPECT_TRUE(cell_of(strip, KeyNumber::wavefronts).before.starts_with("67")) << width;
    }
  }
}

TEST(NumberStrip, TimesHaveThreeDigits) {
  EXPECT_EQ(time_text(0.00123), "1.23 \u00b5s");
  EXPECT_EQ(time_text(0.0123), "12.3 \u00b5s");
  EXPECT_EQ(time_text(0.4567), "457 \u00b5s");
  EXPECT_EQ(time_text(0.9996), "1.00 ms");
  EXPECT_EQ(time_text(12.34), "12.3 ms");
}

}  // namespace
}  // namespace gemmscope::scenes
