#include "scenes/bank_scene.h"

#include <gtest/gtest.h>

#include <bit>

#include "layout_checks.h"
#include "scene_blocks.h"

namespace gemmscope::scenes {
namespace {

using drawing::Point;
using drawing::Rect;

constexpr Rect kArea{0, 0, 800, 400};
constexpr SceneMetrics kMetrics{1, 16, 13, 7};

std::vector<machine::TraceAccess> some_accesses() {
  std::mt19937 random(4);
  std::vector<machine::TraceAccess> accesses;
  machine::TraceAccess worst = random_access(random, 1);  // all lanes in one bank: 32 wavefronts
  worst.width_bytes = 4;
  worst.mask = 0xffffffff;
  machine::LaneDistances far_apart;
  for (size_t lane = 0; lane < 32; ++lane) far_apart[lane] = lane * 128;
  worst.addresses = kept(far_apart);
  accesses.push_back(worst);
  worst.width_bytes = 16;
  accesses.push_back(worst);
  worst.mask = 1u << 31;
  accesses.push_back(worst);
  for (const uint64_t words : {32u, 64u, 256u, 12288u})
    for (int i = 0; i < 12; ++i) accesses.push_back(random_access(random, words));
  return accesses;
}

BankScene scene_of(const BlockResult& block, size_t record, int wavefront = kAllWavefronts,
                   const Selection& selection = {}) {
  return layout_banks(block, {record, wavefront}, selection, kArea, kMetrics);
}

// Finds the lane and word that a cell serves, from the addresses alone.
TEST(BankScene, EveryWordOfEveryLaneIsServedOnce) {
  const BlockResult block = made_up_block(some_accesses());
  for (size_t record = 0; record < block.trace.records.size(); ++record) {
    const machine::TraceAccess& access = block.trace.accesses[record];
    std::set<std::pair<int, int64_t>> wanted;  // lane, word
    for (int lane = 0; lane < 32; ++lane)
      for (int64_t w = 0; (access.mask >> lane & 1u) != 0 && w < access.width_bytes / 4; ++w)
        wanted.insert({lane, static_cast<int64_t>(access.addresses[static_cast<size_t>(lane)] / 4) + w});
    const BankScene scene = scene_of(block, record);
    ASSERT_FALSE(scene.empty);
    for (const BankCell& cell : scene.cells) {
      ASSERT_EQ(cell.lanes == 0, cell.word < 0);
      ASSERT_EQ(cell.broadcast, std::popcount(cell.lanes) > 1);
      if (cell.lanes == 0) continue;
      EXPECT_EQ(cell.word % 32, cell.bank);
      EXPECT_EQ(cell.first_lane, std::countr_zero(cell.lanes));
      for (int lane = 0; lane < 32; ++lane)
        if ((cell.lanes >> lane & 1u) != 0) {
          ASSERT_EQ(wanted.erase({lane, cell.word}), 1u)
              << "record " << record << ": lane " << lane << " gets word " << cell.word
              << " served twice or not wanted";
        }
    }
    EXPECT_TRUE(wanted.empty()) << "record " << record << ": " << wanted.size() << " words are not served";
  }
}

TEST(BankScene, HasOneRowPerWavefrontAndFlagsTheExcess) {
  const BlockResult block = made_up_block(some_accesses());
  for (size_t record = 0; record < block.trace.records.size(); ++record) {
    const BankScene scene = scene_of(block, record);
    const metrics::BankCount count =
        metrics::count_wavefronts(metrics::shared_access(block.trace.accesses[record]));
    ASSERT_EQ(scene.rows.size(), static_cast<size_t>(count.wavefronts));
    ASSERT_EQ(scene.cells.size(), scene.rows.size() * 32);
    const auto excess = std::count_if(scene.rows.begin(), scene.rows.end(),
                                      [](const WavefrontRow& row) { return row.excess; });
    EXPECT_EQ(excess, count.excess()) << "record " << record;
    // Each excess row says the how manieth it is, so that colour is not needed.
    int marked = 0;
    for (const WavefrontRow& row : scene.rows) {
      ASSERT_EQ(row.mark.empty(), !row.excess);
      if (row.excess) {
        EXPECT_EQ(row.mark, "+" + std::to_string(++marked));
      }
    }
    for (const BankCell& cell : scene.cells)
      ASSERT_EQ(cell.excess, scene.rows[static_cast<size_t>(cell.wavefront)].excess);
  }
}

TEST(BankScene, EverythingLiesInTheAreaAndCellsDoNotOverlap) {
  const BlockResult block = made_up_block(some_accesses());
  for (const Rect& area : kAreas)
    for (const SceneMetrics& metrics : metrics_for(area))
      for (size_t record = 0; record < block.trace.records.size(); record += 5) {
        SCOPED_TRACE(text_of(area, metrics) + ", record " + std::to_string(record));
        const BankScene scene = layout_banks(block, {record, kAllWavefronts}, {}, area, metrics);
        std::vector<NamedRect> cells,
            others = {{"lanes_label", scene.lanes_label}, {"banks_label", scene.banks_label}};
        for (const BankCell& cell : scene.cells)
          cells.push_back({"cell of bank " + std::to_string(cell.bank), cell.rect});
        for (const LaneChip& chip : scene.lanes)
          others.push_back({"lane " + std::to_string(chip.lane), chip.rect});
        for (const WavefrontRow& row : scene.rows) others.push_back({row.text, row.number});
        for (const RowLabel& number : scene.bank_numbers)
          others.push_back({"bank " + number.text, number.rect});
        for (const NamedRect& part : cells) {
          ASSERT_TRUE(lies_in(part, area));
          ASSERT_TRUE(lies_in(part, scene.grid));
        }
        for (const NamedRect& part : others) ASSERT_TRUE(lies_in(part, area));
        ASSERT_TRUE(lies_in({"grid", scene.grid}, area));
        for (const LaneWire& wire : scene.wires)
          for (const Point p : {wire.from, wire.to})
            ASSERT_TRUE(p.x >= area.left && p.x <= area.right && p.y >= area.top && p.y <= area.bottom);
        for (size_t i = 0; i < cells.size(); ++i)
          for (size_t k = i + 1; k < cells.size(); ++k) ASSERT_TRUE(apart(cells[i], cells[k]));
        for (size_t i = 0; i < others.size(); ++i) {
          for (size_t k = i + 1; k < others.size(); ++k) ASSERT_TRUE(apart(others[i], others[k]));
          ASSERT_TRUE(apart(others[i], {"grid", scene.grid}));
        }
      }
}

// A teacher must be able to point at every wavefront.
TEST(BankScene, NoWavefrontVanishesInAPanelOfUsefulSize) {
  const BlockResult block = made_up_block(some_accesses());
  for (const Rect& area : {Rect{0, 0, 500, 300}, Rect{0, 0, 500, 150}, Rect{0, 0, 1280, 720}})
    for (size_t record = 0; record < block.trace.records.size(); ++record)
      for (const BankCell& cell : layout_banks(block, {record, kAllWavefronts}, {}, area, kMetrics).cells)
        ASSERT_FALSE(cell.rect.empty()) << text_of(area, kMetrics) << ", wavefront " << cell.wavefront;
}

// Also where 32 rows are lower than a line of text; the last number says how many there are.
TEST(BankScene, WavefrontsAreNumberedAtEverySize) {
  const BlockResult block = made_up_block(some_accesses());
  for (const Rect& area : {Rect{0, 0, 500, 145}, Rect{0, 0, 300, 120}, Rect{0, 0, 1280, 720}})
    for (size_t record = 0; record < block.trace.records.size(); ++record) {
      const BankScene scene = layout_banks(block, {record, kAllWavefronts}, {}, area, kMetrics);
      EXPECT_FALSE(scene.rows.back().number.empty()) << text_of(area) << ", record " << record;
      for (const WavefrontRow& row : scene.rows)
        if (!row.number.empty()) {
          EXPECT_GE(row.number.height(), kMetrics.small_height - 2);
          EXPECT_NE(row.text.find(std::to_string(&row - scene.rows.data() + 1)), std::string::npos);
        }
    }
}

machine::TraceAccess load_of(uint64_t words_apart, uint64_t lanes_a_word) {
  machine::TraceAccess access;
  access.space = machine::Space::shared;
  access.mask = 0xffffffff;
  machine::LaneDistances addresses;
  for (uint64_t lane = 0; lane < 32; ++lane) addresses[lane] = lane / lanes_a_word * words_apart * 4;
  access.addresses = kept(addresses);
  return access;
}

TEST(BankScene, CallsABroadcastOne) {
  const BlockResult block = made_up_block({load_of(1, 1), load_of(1, 16), load_of(1, 32), load_of(32, 1)});
  EXPECT_FALSE(scene_of(block, 0).broadcast.is_one());
  EXPECT_TRUE(scene_of(block, 1).broadcast.is_one());
  EXPECT_EQ(broadcast_text(scene_of(block, 1).broadcast), "16 lanes a word");
  EXPECT_EQ(scene_of(block, 2).broadcast.words, 1);
  EXPECT_FALSE(scene_of(block, 3).broadcast.is_one());
}

TEST(BankScene, WiresLeadFromTheServedLanesOfTheCursorsWavefront) {
  const BlockResult block = made_up_block(some_accesses());
  for (size_t record = 0; record < block.trace.records.size(); record += 3) {
    const int passes = scene_of(block, record).count.wavefronts;
    for (int wavefront = kAllWavefronts; wavefront <= passes; ++wavefront) {
      const BankScene scene = scene_of(block, record, wavefront);
      ASSERT_EQ(scene.wavefront, std::clamp(wavefront, 0, passes - 1));
      std::set<std::pair<int, int>> wanted, drawn;  // lane, bank
      uint32_t served = 0;
      for (const BankCell& cell : scene.cells) {
        if (cell.wavefront != scene.wavefront) continue;
        served |= cell.lanes;
        for (int lane = 0; lane < 32; ++lane)
          if ((cell.lanes >> lane & 1u) != 0) wanted.insert({lane, cell.bank});
      }
      for (const LaneWire& wire : scene.wires) {
        if (!wire.current) continue;
        EXPECT_TRUE(drawn.insert({wire.lane, wire.bank}).second);
        const Rect lane = scene.lanes[static_cast<size_t>(wire.lane)].rect;
        EXPECT_TRUE(wire.from.x > lane.left && wire.from.x < lane.right);
        EXPECT_EQ(wire.from.y, lane.bottom);
      }
      EXPECT_EQ(drawn, wanted);
      for (const LaneChip& chip : scene.lanes) {
        EXPECT_EQ(chip.served, (served >> chip.lane & 1u) != 0);
        EXPECT_EQ(chip.active, (block.trace.accesses[record].mask >> chip.lane & 1u) != 0);
      }
      for (const BankCell& cell : scene.cells)
        EXPECT_EQ(cell.shown, wavefront == kAllWavefronts || cell.wavefront <= scene.wavefront);
    }
  }
}

TEST(BankScene, HoverFindsWhatIsDrawnThere) {
  const BlockResult block = made_up_block(some_accesses());
  const BankScene scene = scene_of(block, 0);
  for (const BankCell& cell : scene.cells) {
    EXPECT_EQ(bank_cell_at(scene, cell.rect.center()), &cell);
    EXPECT_EQ(bank_cell_at(scene, cell.rect.top_left()), &cell);
    EXPECT_EQ(lane_chip_at(scene.lanes, cell.rect.center()), nullptr);
  }
  for (const LaneChip& chip : scene.lanes) {
    EXPECT_EQ(lane_chip_at(scene.lanes, chip.rect.center()), &chip);
    EXPECT_EQ(bank_cell_at(scene, chip.rect.center()), nullptr);
  }
  for (const Point nowhere : {Point{-1, -1}, Point{0, 399}, Point{799, 399}, Point{1e9f, 1e9f}}) {
    EXPECT_EQ(bank_cell_at(scene, nowhere), nullptr);
    EXPECT_EQ(lane_chip_at(scene.lanes, nowhere), nullptr);
  }
}

TEST(BankScene, SelectionHighlightsTheLaneAndItsWords) {
  const BlockResult block = made_up_block(some_accesses());
  Selection lane_7;
  lane_7.lane = 7;
  for (size_t record = 0; record < block.trace.records.size(); ++record) {
    const BankScene scene = scene_of(block, record, 0, lane_7);
    for (const LaneChip& chip : scene.lanes) EXPECT_EQ(chip.highlighted, chip.lane == 7);
    for (const BankCell& cell : scene.cells) EXPECT_EQ(cell.highlighted, (cell.lanes >> 7 & 1u) != 0);
    for (const LaneWire& wire : scene.wires) EXPECT_EQ(wire.highlighted, wire.lane == 7);
  }
  Selection bank_3;
  bank_3.bank = 3;
  for (const RowLabel& number : scene_of(block, 0, 0, bank_3).bank_numbers)
    EXPECT_EQ(number.current, number.text == "3");
}

TEST(BankScene, DescribesCells) {
  BankCell cell;
  cell.bank = 5;
  cell.wavefront = 1;
  EXPECT_EQ(describe(cell), "bank 5: idle in wavefront 2");
  cell.word = 0x105;
  cell.lanes = 1u << 3;
  EXPECT_EQ(describe(cell), "bank 5, word 0x105 of shared memory: lane 3");
  cell.lanes = 1u << 3 | 1u << 7;
  EXPECT_NE(describe(cell).find("lanes 3, 7"), std::string::npos);
}

TEST(BankScene, SaysWhyThereIsNothing) {
  const BlockPointer naive = small_block("01_naive_rows"), tile = small_block("07_register_tile");
  ASSERT_TRUE(naive && tile);
  const BankScene never = scene_of(*naive, naive->trace.records.size() - 1);
  EXPECT_TRUE(never.empty);
  EXPECT_NE(never.empty_text.find("No shared memory"), std::string::npos);
  const BankScene not_yet = scene_of(*tile, 0);
  EXPECT_TRUE(not_yet.empty);
  EXPECT_NE(not_yet.empty_text.find("yet"), std::string::npos);
}

// Between two accesses the picture keeps the last one and says how many steps ago it was.
TEST(BankScene, RemembersTheWarpsLastAccess) {
  const BlockPointer block = small_block("07_register_tile");
  ASSERT_NE(block, nullptr);
  const std::optional<size_t> access = next_event(*block, 2, 0, Event::shared_access);
  ASSERT_TRUE(access);
  const BankScene now = scene_of(*block, *access);
  EXPECT_EQ(now.heading.remark, "");
  EXPECT_EQ(now.record, *access);
  size_t later = *access;
  int steps = 0;
  do {
    later = record_at(*block, 2, position_of(*block, 2, later) + 1);
    ASSERT_LT(++steps, 1000);
  } while (is_event(*block, later, Event::shared_access));
  const std::optional<ShownAccess> last = shown_shared_access(*block, later);
  ASSERT_TRUE(last);
  const BankScene after = scene_of(*block, later);
  EXPECT_EQ(after.record, last->record);
  EXPECT_EQ(after.heading.remark, "warp 2's last access, 1 step ago");
}

}  // namespace
}  // namespace gemmscope::scenes
