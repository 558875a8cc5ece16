// Tests the pictures of sectors, occupancy, atomics, bytes and loads in flight.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>

#include "layout_checks.h"
#include "scene_blocks.h"
#include "scenes/atomic_scene.h"
#include "scenes/load_scene.h"
#include "scenes/occupancy_scene.h"
#include "scenes/sector_scene.h"
#include "scenes/traffic_scene.h"

namespace gemmscope::scenes {
namespace {

using drawing::Rect;

constexpr Rect kArea{0, 0, 800, 400};
constexpr SceneMetrics kMetrics{1, 16, 13, 7};

// Makes accesses at random addresses, side by side, with strides, all at one address, and to 32 lines.
std::vector<machine::TraceAccess> global_accesses() {
  std::mt19937 random(11);
  std::vector<machine::TraceAccess> accesses;
  for (const uint64_t stride : {0u, 4u, 8u, 12u, 36u, 128u}) {
    machine::TraceAccess access;
    access.mask = 0xffffffff;
    machine::LaneDistances addresses;
    for (uint64_t lane = 0; lane < 32; ++lane) addresses[lane] = 0x1000 + 4 + lane * stride;
    access.addresses = kept(addresses);
    accesses.push_back(access);
  }
  for (const uint64_t words : {8u, 64u, 4096u})
    for (int i = 0; i < 12; ++i) {
      accesses.push_back(random_access(random, words));
      accesses.back().space = machine::Space::global;
    }
  return accesses;
}

TEST(SectorScene, EveryByteThatIsWantedStandsInItsWord) {
  const BlockResult block = made_up_block(global_accesses());
  for (size_t record = 0; record < block.trace.records.size(); ++record) {
    const machine::TraceAccess& access = block.trace.accesses[record];
    std::map<uint64_t, uint32_t> wanted;  // word of memory -> lanes
    std::set<uint64_t> lines, sectors, bytes;
    for (size_t lane = 0; lane < 32; ++lane)
      for (uint64_t b = 0; (access.mask >> lane & 1u) != 0 && b < access.width_bytes; ++b) {
        const uint64_t address = access.addresses[lane] + b;
        wanted[address / 4] |= 1u << lane;
        lines.insert(address / 128);
        sectors.insert(address / 32);
        bytes.insert(address);
      }
    const SectorScene scene = layout_sectors(block, {record, 0}, {}, kArea, kMetrics);
    ASSERT_FALSE(scene.empty);
    EXPECT_EQ(scene.sectors.size(), sectors.size());
    EXPECT_EQ(static_cast<size_t>(scene.count.sectors), sectors.size());
    EXPECT_EQ(static_cast<size_t>(scene.used_bytes), bytes.size());
    EXPECT_EQ(static_cast<size_t>(scene.fetched_bytes), 32 * sectors.size());
    ASSERT_EQ(scene.words.size(), 32 * lines.size());
    const std::vector<uint64_t> line_at(lines.begin(), lines.end());
    for (const SectorWord& word : scene.words) {
      const uint64_t address =
          line_at[static_cast<size_t>(word.line)] * 32 + static_cast<uint64_t>(word.word);
      EXPECT_EQ(word.lanes, wanted.contains(address) ? wanted[address] : 0u) << "record " << record;
      EXPECT_EQ(word.fetched, sectors.contains(address / 8));
      EXPECT_EQ(sector_word_at(scene, word.rect.center()), &word);
    }
  }
}

TEST(SectorScene, EverythingLiesInTheAreaAndWordsDoNotOverlap) {
  const BlockResult block = made_up_block(global_accesses());
  for (const Rect& area : kAreas)
    for (const SceneMetrics& metrics : metrics_for(area))
      for (size_t record = 0; record < block.trace.records.size(); record += 4) {
        SCOPED_TRACE(text_of(area, metrics) + ", record " + std::to_string(record));
        const SectorScene scene = layout_sectors(block, {record, 0}, {}, area, metrics);
        std::vector<NamedRect> parts;
        for (const SectorWord& word : scene.words) {
          ASSERT_TRUE(lies_in({"word", word.rect}, area));
          parts.push_back({fmt::format("word {} of line {}", word.word, word.line), word.rect});
        }
        for (const LaneChip& chip : scene.lanes) parts.push_back({"lane", chip.rect});
        for (const RowLabel& row : scene.rows) parts.push_back({row.text, row.rect});
        for (const RowLabel& offset : scene.offsets) parts.push_back({offset.text, offset.rect});
        for (const NamedRect& part : parts) ASSERT_TRUE(lies_in(part, area));
        for (size_t i = 0; i < std::min<size_t>(parts.size(), 80); ++i)
          for (size_t k = i + 1; k < parts.size(); ++k) ASSERT_TRUE(apart(parts[i], parts[k]));
      }
}

TEST(SectorScene, SaysWhenThereIsNothing) {
  std::mt19937 random(2);
  const BlockResult block = made_up_block({random_access(random, 32)});  // shared memory alone
  const SectorScene scene = layout_sectors(block, {0, 0}, {}, kArea, kMetrics);
  EXPECT_TRUE(scene.empty);
  EXPECT_FALSE(scene.empty_text.empty());
}

metrics::OccupancyPoint needing(isa::Arch arch, uint32_t threads, int registers, uint32_t shared_bytes) {
  experiment::CompiledKernel compiled;
  compiled.cubin.arch = arch;
  compiled.launch.block = {threads, 1, 1};
  compiled.resources.registers = registers;
  compiled.resources.barriers = 1;
  compiled.resources.dynamic_shared_bytes = shared_bytes;
  return occupancy_point_of(compiled);
}

TEST(OccupancyScene, ShowsAsManyWarpsAsThereAre) {
  for (const isa::Arch arch : isa::kAllArchs)
    for (const uint32_t threads : {32u, 96u, 256u, 1024u})
      for (const int registers : {16, 41, 128, 255})
        for (const uint32_t shared : {0u, 13000u, 60000u}) {
          const OccupancyScene scene =
              layout_occupancy(needing(arch, threads, registers, shared), kArea, kMetrics);
          ASSERT_FALSE(scene.empty);
          const auto filled = std::count_if(scene.slots.begin(), scene.slots.end(),
                                            [](const WarpSlot& slot) { return slot.block >= 0; });
          EXPECT_EQ(filled, scene.exact.warps);
          EXPECT_EQ(static_cast<int>(scene.slots.size()), scene.warp_slots);
          int deciding = 0;
          for (const Gauge& gauge : scene.gauges) {
            EXPECT_EQ(gauge.blocks.size(), static_cast<size_t>(scene.exact.blocks));
            for (const Rect& block : gauge.blocks) {
              EXPECT_TRUE(lies_in({gauge.name, block}, gauge.bar));
            }
            deciding += gauge.decides ? 1 : 0;
            if (gauge.decides) {
              EXPECT_NE(scene.verdict.find(gauge.name), std::string::npos);
            }
          }
          EXPECT_GT(deciding, 0);
          EXPECT_FALSE(scene.textbook.empty());
        }
}

TEST(OccupancyScene, TheTextbooksRuleAndWhyItDiffers) {
  // 41 registers are allocated as 48 per thread (1,536 per warp): 5 blocks of 8 warps fit, and 6 by plain
  // division.
  const OccupancyScene scene = layout_occupancy(needing(isa::Arch::sm_90, 256, 41, 0), kArea, kMetrics);
  EXPECT_EQ(scene.exact.blocks, 5);
  EXPECT_EQ(scene.simple.blocks, 6);
  EXPECT_NE(scene.textbook.find("gives 6 blocks: registers are allocated in units of 256 per warp"),
            std::string::npos)
      << scene.textbook;
  EXPECT_NE(scene.next_cliff.find("at most 40 registers"), std::string::npos) << scene.next_cliff;
}

TEST(OccupancyScene, BlocksFallOnTheSmsInTurn) {
  for (const int sms : {1, 48, 132})
    for (uint64_t blocks = 1; blocks < 600; ++blocks) {
      std::vector<uint64_t> of_sm(static_cast<size_t>(sms));
      for (uint64_t b = 0; b < blocks; ++b) ++of_sm[b % of_sm.size()];
      const BlocksOnSms shared{blocks, sms, "a GPU"};
      const uint64_t most = *std::ranges::max_element(of_sm);
      EXPECT_EQ(shared.most(), most);
      EXPECT_EQ(shared.sms_with_most(), static_cast<uint64_t>(std::ranges::count(of_sm, most)));
      EXPECT_EQ(shared.idle_sms(), static_cast<uint64_t>(std::ranges::count(of_sm, 0u)));
    }
  EXPECT_EQ((BlocksOnSms{66, 132, "a GPU"}.text()),
            "66 blocks on the 132 SMs of a GPU: 66 SMs have nothing to do.");
  EXPECT_EQ((BlocksOnSms{264, 132, "a GPU"}.text()),
            "264 blocks on the 132 SMs of a GPU: as many for each, 2.");
  EXPECT_EQ((BlocksOnSms{133, 132, "a GPU"}.text()),
            "133 blocks on the 132 SMs of a GPU: 1 of them gets 2, the others 1, and wait at the end.");
  EXPECT_EQ((BlocksOnSms{133, 132, ""}.text()),
            "133 blocks on the 132 SMs: 1 of them gets 2, the others 1, and wait at the end.");
  EXPECT_EQ((BlocksOnSms{1, 68, "a GPU"}.text()),
            "1 block on the 68 SMs of a GPU: 67 SMs have nothing to do.");
  EXPECT_EQ((BlocksOnSms{1, 2, ""}.text()), "1 block on the 2 SMs: 1 SM has nothing to do.");
  EXPECT_EQ((BlocksOnSms{3, 1, "a GPU"}.text()), "3 blocks on the only SM of a GPU.");
  EXPECT_EQ((BlocksOnSms{133, 0, "a GPU"}.text()), "");
}

TEST(OccupancyScene, InALowPictureTheNotesHaveTheWholeWidth) {
  const SceneMetrics metrics{2.08f, 40, 34, 17};
  const OccupancyScene scene =
      layout_occupancy(needing(isa::Arch::sm_90, 1024, 13, 0), {0, 0, 1080, 250}, metrics);
  EXPECT_TRUE(scene.low);
  EXPECT_EQ(scene.notes.width(), 1080);
  EXPECT_GE(scene.notes.height(), metrics.small_height);
}

TEST(OccupancyScene, EverythingLiesInTheAreaWithoutOverlap) {
  for (const Rect& area : kAreas)
    for (const SceneMetrics& metrics : metrics_for(area))
      for (const isa::Arch arch : {isa::Arch::sm_75, isa::Arch::sm_90}) {
        SCOPED_TRACE(text_of(area, metrics));
        const OccupancyScene scene = layout_occupancy(needing(arch, 96, 41, 9000), area, metrics);
        std::vector<NamedRect> parts = {{"label", scene.slots_label}, {"notes", scene.notes}};
        for (const WarpSlot& slot : scene.slots) parts.push_back({"slot", slot.rect});
        for (const Gauge& gauge : scene.gauges) {
          parts.push_back({gauge.name, gauge.name_rect});
          parts.push_back({gauge.text, gauge.text_rect});
          parts.push_back({"bar of " + gauge.name, gauge.bar});
        }
        for (size_t i = 0; i < parts.size(); ++i) {
          ASSERT_TRUE(lies_in(parts[i], area));
          for (size_t k = i + 1; k < parts.size(); ++k) ASSERT_TRUE(apart(parts[i], parts[k]));
        }
      }
}

TEST(AtomicScene, LanesOfAnAddressStandInARow) {
  std::vector<machine::TraceAccess> accesses = global_accesses();
  for (machine::TraceAccess& access : accesses) access.direction = machine::Direction::reduce;
  const BlockResult block = made_up_block(accesses);
  uint64_t all = 0;
  for (const machine::TraceAccess& access : accesses)
    all += static_cast<uint64_t>(std::popcount(access.mask));
  for (size_t record = 0; record < accesses.size(); ++record) {
    const machine::TraceAccess& access = accesses[record];
    std::map<uint64_t, int> at;
    int most = 0;
    for (size_t lane = 0; lane < 32; ++lane)
      if ((access.mask >> lane & 1u) != 0) most = std::max(most, ++at[access.addresses[lane]]);
    for (const Rect& area : kAreas) {
      const AtomicScene scene = layout_atomics(block, {record, 0}, {}, area, kMetrics);
      ASSERT_FALSE(scene.empty);
      EXPECT_EQ(scene.serialized_passes, most);
      EXPECT_EQ(scene.operations, std::popcount(access.mask));
      EXPECT_EQ(scene.block_operations, all);
      EXPECT_EQ(scene.addresses.size(), at.size());
      std::set<int> lanes;
      std::set<std::pair<float, float>> corners;
      for (const AtomicLane& lane : scene.lanes) {
        EXPECT_TRUE(lanes.insert(lane.lane).second);
        EXPECT_TRUE(corners.insert({lane.rect.left, lane.rect.top}).second);
        ASSERT_TRUE(lies_in({"lane", lane.rect}, area)) << text_of(area);
      }
      EXPECT_EQ(static_cast<int>(lanes.size()), scene.operations);
    }
  }
}

TEST(TrafficScene, BarsAreAsLongAsTheirBytes) {
  auto compiled = std::make_shared<experiment::CompiledKernel>();
  compiled->parts.resize(2);
  compiled->parts[0].title = "one", compiled->parts[1].title = "two";
  experiment::GridResult grid;
  grid.compiled = compiled;
  grid.summaries.resize(2);
  grid.summaries[0].traffic.global_load.sectors = 128;
  grid.summaries[0].traffic.global_store.sectors = 128;
  grid.summaries[1].traffic.global_load.sectors = 256;
  for (const metrics::CounterSummary& s : grid.summaries) grid.summary.add(s);
  const catalog::Problem problem{32, 32, 1};  // 1,024 elements: 128 sectors are 4 bytes each
  for (const Rect& area : kAreas) {
    const TrafficScene scene = layout_traffic(&grid, problem, area, kMetrics);
    ASSERT_EQ(scene.bars.size(), 3u);
    EXPECT_TRUE(scene.bars[2].total);
    EXPECT_EQ(scene.bars[2].read_bytes, 384 * 32);
    EXPECT_NE(scene.bars[0].text.find("8 B"), std::string::npos) << scene.bars[0].text;
    const float unit = scene.bars[0].read.width();
    EXPECT_NEAR(scene.bars[0].written.width(), unit, 0.01f);
    EXPECT_NEAR(scene.bars[1].read.width(), 2 * unit, 0.01f);
    EXPECT_NEAR(scene.bars[2].read.width(), 3 * unit, 0.01f);
    for (const TrafficBar& bar : scene.bars)
      for (const Rect& rect : {bar.name_rect, bar.read, bar.written, bar.text_rect})
        ASSERT_TRUE(lies_in({bar.name, rect}, area)) << text_of(area);
  }
  EXPECT_TRUE(layout_traffic(nullptr, problem, kArea, kMetrics).empty);
}

// The instructions are loads on scoreboards, work, and the instructions that wait for them.
TEST(LoadScene, ArcsGoFromALoadToTheInstructionThatWaitsForIt) {
  auto compiled = std::make_shared<experiment::CompiledKernel>();
  BlockResult block;
  block.trace.warp_count = 1;
  block.warp_records.resize(1);
  const auto step = [&](isa::Opcode opcode, int scoreboard, int waits) {
    isa::Instruction instruction;
    instruction.opcode = opcode;
    instruction.control.write_scoreboard = static_cast<uint8_t>(scoreboard);
    instruction.control.wait_mask = static_cast<uint8_t>(waits);
    machine::TraceRecord record;
    record.instruction = static_cast<uint32_t>(compiled->instructions.size());
    record.mask = record.executed = 1;
    compiled->instructions.push_back(instruction);
    block.warp_records[0].push_back(record.instruction);
    block.trace.records.push_back(record);
  };
  step(isa::Opcode::ldg, 2, 0);  // 0: waited for by 3
  step(isa::Opcode::ldg, 3, 0);  // 1: by 5
  step(isa::Opcode::iadd3, 7, 0);
  step(isa::Opcode::ffma, 7, 0b000100);
  step(isa::Opcode::ldg, 2, 0);  // 4: by 6
  step(isa::Opcode::ffma, 7, 0b001000);
  step(isa::Opcode::ffma, 7, 0b001100);
  step(isa::Opcode::ldg, 0, 0);  // 7: no instruction waits
  block.compiled = compiled;
  const LoadScene scene = layout_loads(block, {2, 0}, kArea, kMetrics);
  ASSERT_FALSE(scene.empty);
  EXPECT_EQ(scene.loads, 3u);
  EXPECT_EQ(scene.least, 2);
  EXPECT_EQ(scene.most, 4);
  EXPECT_DOUBLE_EQ(scene.mean, (3 + 4 + 2) / 3.0);
  EXPECT_EQ(scene.in_flight, 2);
  ASSERT_EQ(scene.arcs.size(), 3u);
  EXPECT_TRUE(scene.arcs[0].current && scene.arcs[1].current && !scene.arcs[2].current);
  ASSERT_EQ(scene.cells.size(), 8u);
  EXPECT_EQ(scene.arcs[1].from.x, scene.cells[1].rect.center().x);
  EXPECT_EQ(scene.arcs[1].to.x, scene.cells[5].rect.center().x);
  for (const Rect& area : kAreas) {
    const LoadScene small = layout_loads(block, {2, 0}, area, kMetrics);
    for (const StepCell& cell : small.cells) ASSERT_TRUE(lies_in({"step", cell.rect}, area)) << text_of(area);
    for (const LoadArc& arc : small.arcs) {
      ASSERT_GE(arc.from.x, area.left);
      ASSERT_LE(arc.to.x, area.right);
      ASSERT_GE(arc.from.y - arc.height, area.top - 0.01f);
    }
  }
}

}  // namespace
}  // namespace gemmscope::scenes
