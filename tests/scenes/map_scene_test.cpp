#include "scenes/map_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "layout_checks.h"
#include "scene_blocks.h"
#include "scenes/map_story.h"

namespace gemmscope::scenes {
namespace {

using drawing::Point;
using drawing::Rect;
using metrics::Element;
using metrics::kMatrixA;
using metrics::kMatrixB;
using metrics::kMatrixC;
using metrics::Touch;
using metrics::TouchKind;

constexpr Rect kArea{0, 0, 1280, 720};
constexpr SceneMetrics kMetrics{1, 16, 13, 7};
const char* const kPaneNames[] = {"A", "B", "C"};

// Every kernel runs at sizes that fill tiles, at sizes far below a tile and at ragged sizes, for the first
// and the last block.
std::vector<BlockPointer> many_blocks() {
  std::vector<BlockPointer> blocks;
  for (const std::string& kernel : kKernels)
    for (const catalog::Problem& problem : {catalog::Problem{64, 64, 64}, catalog::Problem{1, 1, 1},
                                            catalog::Problem{17, 33, 5}, catalog::Problem{130, 66, 34}}) {
      blocks.push_back(traced(kernel, problem));
      if (const BlockPointer last = last_block(kernel, problem); last != blocks.back())
        blocks.push_back(last);
    }
  return blocks;
}

std::string name_of(const BlockResult& block) {
  const catalog::Problem& p = block.experiment.problem;
  return fmt::format("{} {}x{}x{} block ({}, {})", block.compiled->kernel.id, p.m, p.n, p.k,
                     block.experiment.block[0], block.experiment.block[1]);
}

// The cursor is at the beginning, a load, a multiply-add, a store to shared memory, the middle and the end.
std::vector<size_t> telling_records(const BlockResult& block) {
  const size_t count = block.trace.records.size();
  std::set<size_t> records = {0, count / 2, count - 1};
  std::set<isa::Opcode> seen;
  for (size_t i = 0; i < count; ++i) {
    const isa::Opcode opcode = block.compiled->instructions[block.trace.records[i].instruction].opcode;
    if (block.trace.records[i].executed != 0 && seen.insert(opcode).second) records.insert(i);
  }
  return {records.begin(), records.end()};
}

size_t first_multiply_add(const BlockResult& block) {
  for (size_t i = 0; i < block.trace.records.size(); ++i)
    if (block.compiled->instructions[block.trace.records[i].instruction].opcode == isa::Opcode::ffma &&
        block.trace.records[i].executed != 0)
      return i;
  return 0;
}

Rect cell_of(const MatrixPane& pane, int64_t row, int64_t column) {
  return drawing::cell_rect(
      pane.rect, pane.view,
      {static_cast<int>(column - pane.region.first_column), static_cast<int>(row - pane.region.first_row)});
}

void expect_tidy(const MapScene& scene, Rect area) {
  std::vector<NamedRect> parts = {{"headline", scene.headline_rect},
                                  {"instruction", scene.instruction_rect},
                                  {"story", scene.story_rect},
                                  {"overview's label", scene.overview_label}};
  for (const MatrixPane& pane : scene.panes) {
    const std::string name = kPaneNames[pane.matrix];
    ASSERT_FALSE(pane.rect.empty()) << "pane " << name << " " << text_of(pane.rect);
    parts.push_back({"pane " + name, pane.rect});
    parts.push_back({"title of " + name, pane.title_rect});
    if (!pane.k_rect.empty()) parts.push_back({"k range at " + name, pane.k_rect});
  }
  for (size_t i = 0; i < 3; ++i) {
    const OverviewPart& part = scene.overview[i];
    const NamedRect whole{std::string("overview of ") + kPaneNames[i], part.matrix};
    parts.push_back(whole);
    ASSERT_TRUE(lies_in({whole.name + ", block", part.block},
                        {part.matrix.left, part.matrix.top, part.matrix.right + 1, part.matrix.bottom + 1}));
  }
  for (const NamedRect& part : parts) ASSERT_TRUE(lies_in(part, area));
  for (size_t i = 0; i < parts.size(); ++i)
    for (size_t k = i + 1; k < parts.size(); ++k) ASSERT_TRUE(apart(parts[i], parts[k]));
}

TEST(MapScene, PanesAndWordsLieInTheAreaWithoutOverlap) {
  for (const BlockPointer& block : many_blocks()) {
    ASSERT_NE(block, nullptr);
    Playhead playhead(block);
    for (const size_t record : {size_t{0}, first_multiply_add(*block), block->trace.records.size() - 1}) {
      playhead.seek(record);
      for (const Rect& area : kAreas)
        for (const SceneMetrics& metrics : metrics_for(area)) {
          SCOPED_TRACE(name_of(*block) + ", " + text_of(area, metrics));
          const MapScene scene = layout_map(playhead, {}, area, metrics);
          ASSERT_FALSE(scene.empty);
          expect_tidy(scene, area);
          if (testing::Test::HasFatalFailure()) return;
        }
    }
  }
}

TEST(MapScene, ANarrowMapHasTheInstructionBelowTheHeadline) {
  const BlockPointer block = small_block("07_register_tile");
  ASSERT_NE(block, nullptr);
  Playhead playhead(block);
  playhead.seek(first_multiply_add(*block));
  const MapScene narrow = layout_map(playhead, {}, {0, 0, 260, 400}, kMetrics);
  EXPECT_GE(narrow.instruction_rect.top, narrow.headline_rect.bottom);
  EXPECT_EQ(narrow.headline_rect.width(), 260);
  const MapScene wide = layout_map(playhead, {}, {0, 0, 600, 590}, kMetrics);
  EXPECT_EQ(wide.instruction_rect.top, wide.headline_rect.top);
}

TEST(MapScene, PanesFillTheAvailableRoom) {
  const BlockPointer block = small_block("07_register_tile");
  ASSERT_NE(block, nullptr);
  const MapScene scene = layout_map(Playhead(block), {}, kArea, kMetrics);
  const Rect c = scene.panes[kMatrixC].rect;
  EXPECT_GT(c.height(), 400) << text_of(c);
  EXPECT_EQ(scene.panes[kMatrixA].rect.top, c.top);
  EXPECT_EQ(scene.panes[kMatrixA].rect.bottom, c.bottom);
  EXPECT_EQ(scene.panes[kMatrixB].rect.left, c.left);
  EXPECT_EQ(scene.panes[kMatrixB].rect.right, c.right);
}

// The pane of C shows what the block stores; along k, the panes show what the cursor's instruction works on.
TEST(MapScene, PanesShowTheBlocksPart) {
  for (const BlockPointer& block : many_blocks()) {
    ASSERT_NE(block, nullptr);
    SCOPED_TRACE(name_of(*block));
    Playhead playhead(block);
    for (const size_t record : telling_records(*block)) {
      playhead.seek(record);
      const MapScene scene = layout_map(playhead, {}, kArea, kMetrics);
      const Region &a = scene.panes[kMatrixA].region, &b = scene.panes[kMatrixB].region,
                   &c = scene.panes[kMatrixC].region;
      int64_t stored = 0;
      for (const auto& [tag, thread] : block->owners) {
        const Element e = metrics::element_of(block->layout, tag);
        ASSERT_TRUE(c.contains(e.row, e.column));
        ++stored;
      }
      ASSERT_EQ(int64_t{c.rows} * c.columns, stored);
      ASSERT_EQ(a.first_row, c.first_row);
      ASSERT_EQ(a.rows, c.rows);
      ASSERT_EQ(b.first_column, c.first_column);
      ASSERT_EQ(b.columns, c.columns);
      ASSERT_EQ(a.first_column, b.first_row);
      ASSERT_EQ(a.columns, b.rows);
      ASSERT_GE(a.first_column, 0);
      ASSERT_LE(a.first_column + a.columns, block->experiment.problem.k);
      const int depth = block->depths[record];
      if (depth >= 0) {
        ASSERT_TRUE(depth >= a.first_column && depth < a.first_column + a.columns) << "k " << depth;
      }
    }
  }
}

// Against a replay of each warp's own record: what it adds to and what it accesses in global memory.
TEST(MapScene, TheOtherWarpsAreMarkedAtTheirOwnInstructions) {
  int marks = 0, loads = 0;
  std::vector<BlockPointer> blocks;
  for (const char* kernel : {"01_naive_rows", "07_register_tile", "13_async_copy", "14_tensor_tf32"}) {
    blocks.push_back(traced(kernel, {256, 256, 64}));
    blocks.push_back(last_block(kernel, {130, 68, 36}));  // some lanes have nothing to access
  }
  for (const BlockPointer& block : blocks) {
    ASSERT_NE(block, nullptr);
    SCOPED_TRACE(name_of(*block));
    Playhead playhead(block);
    playhead.seek(block->warp_records[0][block->warp_records[0].size() / 2]);
    for (size_t share = 1; share < 40; ++share) {
      std::vector<WarpPlace> places;
      for (uint16_t w = 0; w < block->trace.warp_count; ++w) {
        const std::vector<uint32_t>& own = block->warp_records[w];
        const size_t record = own[(own.size() * share / 40 + w) % own.size()];
        places.push_back({w, block->trace.records[record].instruction, record, false});
      }
      const MapScene scene = layout_map(playhead, {}, kArea, kMetrics, places);
      for (const WarpCells& cells : scene.warp_marks) {
        EXPECT_NE(cells.warp, 0);
        EXPECT_LT(cells.warp, static_cast<int>(block->trace.warp_count));
      }
      for (const uint16_t w : {uint16_t{1}, static_cast<uint16_t>(block->trace.warp_count - 1)}) {
        if (w == 0 || w >= block->trace.warp_count) continue;
        Playhead own(block);
        own.seek(places[w].record);
        std::set<std::tuple<int, int64_t, int64_t>> expected, found;
        for (const Touch& touch : own.touches()) {
          const bool global = touch.kind == TouchKind::read_global || touch.kind == TouchKind::write_global;
          if (!global && touch.kind != TouchKind::accumulate) continue;
          const Element& e = touch.element;
          if (!scene.panes[e.matrix].region.contains(e.row, e.column)) continue;
          expected.emplace(e.matrix, e.row, e.column);
          loads += global;
        }
        for (const WarpCells& cells : scene.warp_marks)
          if (cells.warp == w) {
            const std::optional<Element> e = element_at(scene, cells.rect.center());
            ASSERT_TRUE(e);
            found.emplace(e->matrix, e->row, e->column);
          }
        EXPECT_EQ(found, expected) << "warp " << w << ", record " << places[w].record;
        marks += static_cast<int>(expected.size());
      }
    }
  }
  EXPECT_GT(marks, 500);
  EXPECT_GT(loads, 50);
}

TEST(MapScene, WithoutCyclesOnlyTheFollowedWarpIsMarked) {
  const BlockPointer block = traced("07_register_tile", {256, 256, 64});
  ASSERT_NE(block, nullptr);
  const MapScene scene = layout_map(Playhead(block), {}, kArea, kMetrics);
  EXPECT_TRUE(scene.warp_marks.empty());
  EXPECT_TRUE(scene.warp_owned.empty());
}

TEST(MapScene, MarksAreTheTouchedElements) {
  for (const BlockPointer& block : many_blocks()) {
    ASSERT_NE(block, nullptr);
    SCOPED_TRACE(name_of(*block));
    Playhead playhead(block);
    for (const size_t record : telling_records(*block)) {
      playhead.seek(record);
      std::map<std::tuple<int, int64_t, int64_t>, uint32_t> touched;  // the lanes that share it
      for (const Touch& touch : playhead.touches())
        touched[{touch.element.matrix, touch.element.row, touch.element.column}] |= 1u << touch.lane;
      const MapScene scene = layout_map(playhead, {}, kArea, kMetrics);
      for (const CellMark& mark : scene.marks) {
        const MatrixPane& pane = scene.panes[mark.element.matrix];
        const auto it = touched.find({mark.element.matrix, mark.element.row, mark.element.column});
        ASSERT_NE(it, touched.end()) << "record " << record << ": a mark on an element that nothing touches";
        ASSERT_EQ(mark.lanes, it->second);
        ASSERT_EQ(mark.first_lane, std::countr_zero(mark.lanes));
        ASSERT_TRUE(lies_in({"mark", mark.rect}, pane.rect.inset(-4)));
        ASSERT_FALSE(
            mark.rect.intersected(cell_of(pane, mark.element.row, mark.element.column).inset(-1)).empty());
        touched.erase(it);
      }
      for (const auto& [key, lanes] : touched)
        ASSERT_FALSE(scene.panes[static_cast<size_t>(std::get<0>(key))].region.contains(std::get<1>(key),
                                                                                        std::get<2>(key)))
            << "record " << record << ": an element of the picture is touched and has no mark";
    }
  }
}

TEST(MapScene, MarksOfAMultiplyAddAreItsFactorsAndSums) {
  for (const std::string& kernel : kKernels) {
    const BlockPointer block = traced(kernel, {128, 128, 16});
    ASSERT_NE(block, nullptr);
    Playhead playhead(block);
    playhead.seek(first_multiply_add(*block));
    const MapScene scene = layout_map(playhead, {}, kArea, kMetrics);
    std::array<size_t, 3> marks{};
    for (const CellMark& mark : scene.marks) {
      ++marks[mark.element.matrix];
      EXPECT_EQ(mark.written, mark.element.matrix == kMatrixC);
    }
    EXPECT_GT(marks[kMatrixA], 0u) << kernel;
    EXPECT_GT(marks[kMatrixB], 0u) << kernel;
    EXPECT_EQ(marks[kMatrixC], 32u) << kernel;
  }
}

TEST(MapScene, ElementAtIsTheInverseOfTheCells) {
  for (const BlockPointer& block : many_blocks()) {
    ASSERT_NE(block, nullptr);
    for (const Rect& area : {kArea, Rect{0, 0, 200, 100}, Rect{3, 5, 803, 605}}) {
      SCOPED_TRACE(name_of(*block) + ", " + text_of(area, kMetrics));
      const MapScene scene = layout_map(Playhead(block), {}, area, kMetrics);
      for (const MatrixPane& pane : scene.panes) {
        for (int row = 0; row < pane.region.rows; ++row)
          for (int column = 0; column < pane.region.columns; ++column) {
            const Element element{pane.matrix, pane.region.first_row + row,
                                  pane.region.first_column + column};
            const Rect cell = cell_of(pane, element.row, element.column);
            if (cell.empty()) continue;  // smaller than a pixel
            // The mouse points at the centres of pixels.
            for (const Point p :
                 {Point{cell.left + 0.5f, cell.top + 0.5f}, Point{cell.right - 0.5f, cell.bottom - 0.5f}})
              ASSERT_EQ(element_at(scene, p), element) << p.x << ", " << p.y;
          }
        for (const Point p :
             {Point{pane.rect.left - 1, pane.rect.top}, Point{pane.rect.left, pane.rect.top - 1},
              Point{pane.rect.right, pane.rect.bottom}})
          ASSERT_FALSE(element_at(scene, p)) << p.x << ", " << p.y;
      }
    }
  }
  EXPECT_FALSE(element_at(MapScene{}, {10, 10}));
}

TEST(MapScene, OwnedRectanglesCoverTheThreadsElementsAndNoOther) {
  for (const BlockPointer& block : many_blocks()) {
    ASSERT_NE(block, nullptr);
    SCOPED_TRACE(name_of(*block));
    Playhead playhead(block);
    playhead.seek(first_multiply_add(*block));
    for (const int lane : {0, 1, 13, 31}) {
      Selection selection;
      selection.lane = lane;
      const MapScene scene = layout_map(playhead, selection, kArea, kMetrics);
      ASSERT_EQ(scene.focus_lane, lane);
      ASSERT_EQ(scene.focus_thread, block->trace.records[playhead.record()].warp * 32 + lane);
      const std::vector<metrics::Tag>& mine = block->owned[static_cast<size_t>(scene.focus_thread)];
      const MatrixPane& c = scene.panes[kMatrixC];
      for (int row = 0; row < c.region.rows; ++row)
        for (int column = 0; column < c.region.columns; ++column) {
          const Element element{kMatrixC, c.region.first_row + row, c.region.first_column + column};
          const Rect cell = cell_of(c, element.row, element.column);
          const bool owned =
              std::find(mine.begin(), mine.end(),
                        metrics::tag_at(block->layout, block->layout.address_of(element))) != mine.end();
          const auto covers = std::count_if(scene.owned.begin(), scene.owned.end(),
                                            [&](const Rect& r) { return !r.intersected(cell).empty(); });
          ASSERT_EQ(covers, owned ? 1 : 0)
              << "lane " << lane << ", C(" << element.row << ", " << element.column << ")";
        }
      for (const Rect& r : scene.owned) ASSERT_TRUE(lies_in({"owned", r}, c.rect));
    }
  }
}

TEST(MapScene, ASelectedElementOfCShowsItsOwner) {
  const BlockPointer block = small_block("07_register_tile");
  ASSERT_NE(block, nullptr);
  Playhead playhead(block);
  playhead.seek(first_multiply_add(*block));
  for (const Element& element :
       {Element{kMatrixC, 0, 0}, Element{kMatrixC, 63, 63}, Element{kMatrixC, 17, 5}}) {
    Selection selection;
    selection.element = element;
    const MapScene scene = layout_map(playhead, selection, kArea, kMetrics);
    EXPECT_EQ(static_cast<uint32_t>(scene.focus_thread),
              block->owners.at(metrics::tag_at(block->layout, block->layout.address_of(element))));
    const Rect cell = cell_of(scene.panes[kMatrixC], element.row, element.column);
    EXPECT_TRUE(std::any_of(scene.owned.begin(), scene.owned.end(),
                            [&](const Rect& r) { return r.contains(cell.center()); }));
  }
}

// This is the idea of the picture: an element of C is where its row of A meets its column of B.
TEST(MapScene, GuidesMeetAtTheElementOfC) {
  for (const std::string& kernel : kKernels) {
    const BlockPointer block = small_block(kernel);
    ASSERT_NE(block, nullptr);
    Playhead playhead(block);
    size_t met = 0;
    for (size_t record = first_multiply_add(*block), tried = 0;
         tried < 4000 && record < block->trace.records.size(); ++record, ++tried) {
      const machine::TraceRecord& r = block->trace.records[record];
      if (block->compiled->instructions[r.instruction].opcode != isa::Opcode::ffma || r.executed == 0)
        continue;
      playhead.seek(record);
      Selection selection;
      selection.lane = static_cast<int>(record % 32);
      const MapScene scene = layout_map(playhead, selection, kArea, kMetrics);
      if (scene.guides.size() != 2) continue;
      const Rect meeting = scene.guides[0].intersected(scene.guides[1]);
      ASSERT_FALSE(meeting.empty()) << kernel << ", record " << record;
      std::optional<Element> sum;
      for (const Touch& touch : playhead.touches())
        if (touch.kind == TouchKind::accumulate && touch.lane == *selection.lane) sum = touch.element;
      ASSERT_TRUE(sum) << kernel << ", record " << record;
      ASSERT_TRUE(cell_of(scene.panes[kMatrixC], sum->row, sum->column).contains(meeting.center()))
          << kernel << ", record " << record << ": C(" << sum->row << ", " << sum->column << ")";
      ++met;
    }
    EXPECT_GT(met, 500u) << kernel;
  }
}

TEST(MapScene, SelectionHighlightsItsMarks) {
  const BlockPointer block = small_block("01_naive_rows");
  ASSERT_NE(block, nullptr);
  Playhead playhead(block);
  playhead.seek(first_multiply_add(*block));
  Selection selection;
  selection.lane = 9;
  for (const CellMark& mark : layout_map(playhead, selection, kArea, kMetrics).marks)
    EXPECT_EQ(mark.highlighted, (mark.lanes >> 9 & 1u) != 0);
  selection = {};
  selection.element = layout_map(playhead, {}, kArea, kMetrics).marks.front().element;
  for (const CellMark& mark : layout_map(playhead, selection, kArea, kMetrics).marks)
    EXPECT_EQ(mark.highlighted, mark.element == *selection.element);
}

TEST(MapScene, EachCellHasOneColour) {
  for (const BlockPointer& block : many_blocks()) {
    ASSERT_NE(block, nullptr);
    const Playhead playhead(block);
    const MapScene scene = layout_map(playhead, {}, kArea, kMetrics);
    for (const MatrixPane& pane : scene.panes) {
      const auto cells = static_cast<size_t>(pane.region.rows) * static_cast<size_t>(pane.region.columns);
      if (pane.matrix != kMatrixC) {
        EXPECT_EQ(read_colors(playhead, pane.matrix, pane.region).size(), cells);
      }
      EXPECT_EQ(owner_colors(playhead, pane.region).size(), cells);
    }
  }
}

TEST(MapScene, TitlesSayWhatIsShown) {
  const BlockPointer block = traced("07_register_tile", {256, 256, 256});
  ASSERT_NE(block, nullptr);
  const MapScene scene = layout_map(Playhead(block), {}, kArea, kMetrics);
  EXPECT_EQ(scene.panes[kMatrixA].title, "A  128 \u00d7 32");
  EXPECT_EQ(scene.panes[kMatrixB].title, "B  32 \u00d7 128");
  EXPECT_EQ(scene.panes[kMatrixC].title, "C  128 \u00d7 128");
  EXPECT_EQ(scene.panes[kMatrixA].k_range, "k 0\u201331");
}

// Each zoom lies within the one before it; a warp's part holds all that its threads own.
TEST(MapScene, ZoomsFromBlockToWarpToThread) {
  for (const BlockPointer& block : many_blocks()) {
    ASSERT_NE(block, nullptr);
    SCOPED_TRACE(name_of(*block));
    Playhead playhead(block);
    playhead.seek(first_multiply_add(*block));
    const auto region = [&](MapZoom zoom) {
      return layout_map(playhead, {}, kArea, kMetrics, {}, zoom).panes[kMatrixC].region;
    };
    const Region whole = region(MapZoom::block), warp = region(MapZoom::warp),
                 thread = region(MapZoom::thread);
    const auto holds = [](const Region& outer, const Region& inner) {
      return outer.contains(inner.first_row, inner.first_column) &&
             outer.contains(inner.first_row + inner.rows - 1, inner.first_column + inner.columns - 1);
    };
    EXPECT_TRUE(holds(whole, warp));
    EXPECT_TRUE(holds(whole, thread));
    EXPECT_LE(thread.rows * thread.columns, std::max(whole.rows * whole.columns, 64));
    const int of = block->trace.records[playhead.record()].warp;
    for (size_t lane = 0; lane < 32; ++lane)
      for (const metrics::Tag tag : block->owned[static_cast<size_t>(of) * 32 + lane]) {
        const Element e = metrics::element_of(block->layout, tag);
        EXPECT_TRUE(warp.contains(e.row, e.column));
      }
  }
}

TEST(MapScene, LanesAreNumberedWhereTheyFit) {
  const BlockPointer block = traced("07_register_tile", {256, 256, 256});
  ASSERT_NE(block, nullptr);
  Playhead playhead(block);
  playhead.seek(first_multiply_add(*block));
  EXPECT_TRUE(layout_map(playhead, {}, kArea, kMetrics).lane_labels.empty());
  const MapScene scene = layout_map(playhead, {}, kArea, kMetrics, {}, MapZoom::thread);
  const Region c = scene.panes[kMatrixC].region;
  EXPECT_EQ(scene.lane_labels.size(), static_cast<size_t>(c.rows * c.columns));
  playhead.seek(block->trace.records.size() - 1);
  for (const LaneLabel& label : layout_map(playhead, {}, kArea, kMetrics, {}, MapZoom::thread).lane_labels) {
    EXPECT_GE(label.rect.width(), 14);
    // Also on a stored element, which is solid.
    EXPECT_GE(drawing::contrast_ratio(drawing::readable_on(label.cell), label.cell), 4.0f);
  }
}

// Two digits fill a cell of 16 pixels, and the next cell's would follow without a gap.
TEST(MapScene, EverySecondColumnIsNumberedWhereDigitsWouldTouch) {
  const BlockPointer block = traced("02_naive_coalesced", {64, 64, 64});
  ASSERT_NE(block, nullptr);
  Playhead playhead(block);
  playhead.seek(first_multiply_add(*block));
  const auto labels_in = [&](SceneMetrics metrics) {
    const MapScene scene = layout_map(playhead, {}, kArea, metrics, {}, MapZoom::block);
    for (size_t i = 1; i < scene.lane_labels.size(); ++i) {
      const Rect left = scene.lane_labels[i - 1].rect, right = scene.lane_labels[i].rect;
      if (left.top != right.top) continue;
      EXPECT_GE(right.center().x - left.center().x, 2.5f * metrics.digit_width) << i;
    }
    return scene.lane_labels.size();
  };
  SceneMetrics wide = kMetrics;
  wide.digit_width = 4;
  const size_t all = labels_in(wide);
  ASSERT_GT(all, 0u);
  SceneMetrics narrow = kMetrics;
  const MapScene scene = layout_map(playhead, {}, kArea, wide, {}, MapZoom::block);
  narrow.digit_width = scene.lane_labels.front().rect.width() / 2;
  EXPECT_EQ(labels_in(narrow), all / 2);
}

// C starts faint, grows with the passes of its warps, and is solid once stored.
TEST(MapScene, CFillsWithThePassesAndIsSolidWhenStored) {
  const BlockPointer block = traced("07_register_tile", {128, 128, 64});
  ASSERT_NE(block, nullptr);
  Playhead playhead(block);
  const Region region{0, 0, 8, 8};
  const auto distance = [&] {
    const std::vector<drawing::Color> colors = owner_colors(playhead, region);
    return drawing::color_distance(colors[0], drawing::heat_color(0.0f));
  };
  const metrics::Tag first = metrics::tag_at(block->layout, block->layout.address_of({kMatrixC, 0, 0}));
  EXPECT_FALSE(playhead.is_stored(first));
  const float at_start = distance();
  const std::vector<uint32_t>& own = block->warp_records[0];
  playhead.seek(own[own.size() / 2]);
  const float half_way = distance();
  playhead.seek(block->trace.records.size() - 1);
  EXPECT_TRUE(playhead.is_stored(first));
  EXPECT_EQ(playhead.progress(0), 1);
  EXPECT_GT(half_way, at_start + 0.01f);
  EXPECT_GT(distance(), half_way + 0.05f);
}

TEST(MapScene, DescribesElements) {
  const BlockPointer block = small_block("01_naive_rows");
  ASSERT_NE(block, nullptr);
  Playhead playhead(block);
  playhead.seek(first_multiply_add(*block));
  EXPECT_NE(describe(playhead, {kMatrixC, 0, 0}).find("computed by thread 0 (warp 0, lane 0)"),
            std::string::npos)
      << describe(playhead, {kMatrixC, 0, 0});
  EXPECT_NE(describe(playhead, {kMatrixA, 63, 63}).find("A(63, 63): read from global memory 0 times"),
            std::string::npos)
      << describe(playhead, {kMatrixA, 63, 63});
  EXPECT_NE(describe(playhead, {kMatrixA, 0, 0}).find("used now by"), std::string::npos);
}

TEST(MapScene, DescribesAMatrixInstruction) {
  // Here mma's first matrix is 16 columns of B and its second 8 rows of A; bfloat16 has them the usual way
  // round.
  for (const auto& [id, text] :
       {std::pair("14_tensor_tf32",
                  "8 \u00d7 8 elements of A by 8 \u00d7 16 of B and adds the product to 8 \u00d7 16 of C"),
        std::pair(
            "15_tensor_bf16",
            "16 \u00d7 16 elements of A by 16 \u00d7 8 of B and adds the product to 16 \u00d7 8 of C")}) {
    const BlockPointer tensor = traced(id, {256, 128, 64});
    ASSERT_NE(tensor, nullptr);
    const auto is_matrix_product = [&](const machine::TraceRecord& r) {
      return tensor->compiled->instructions[r.instruction].opcode == isa::Opcode::hmma;
    };
    const auto& records = tensor->trace.records;
    const auto first = std::find_if(records.begin(), records.end(), is_matrix_product);
    ASSERT_NE(first, records.end());
    Playhead playhead(tensor);
    playhead.seek(static_cast<size_t>(first - records.begin()));
    const std::string story = layout_map(playhead, {}, kArea, kMetrics).story;
    EXPECT_NE(story.find(text), std::string::npos) << story;
    // 14's source says 16x8 times 8x8; its story says how the two agree.
    EXPECT_EQ(story.find("Transposed, 16\u00d78 by 8\u00d78.") != std::string::npos,
              std::string_view(id) == "14_tensor_tf32")
        << story;
  }
}

TEST(MapScene, DescribesTheInstruction) {
  const BlockPointer whole = traced("07_register_tile", {128, 128, 16}),
                     ragged = small_block("07_register_tile");
  ASSERT_TRUE(whole && ragged);
  const auto story_at = [](const BlockPointer& block, size_t record) {
    Playhead playhead(block);
    playhead.seek(record);
    return layout_map(playhead, {}, kArea, kMetrics).story;
  };
  EXPECT_NE(story_at(whole, first_multiply_add(*whole)).find("multiplies an element of A"),
            std::string::npos);
  // The tile has 128 columns and C has 64, so half of the multiply-adds are wasted.
  Playhead playhead(ragged);
  size_t beyond = 0;
  for (size_t record = 0; record < ragged->warp_records[0].back() && beyond == 0; ++record) {
    if (ragged->compiled->instructions[ragged->trace.records[record].instruction].opcode != isa::Opcode::ffma)
      continue;
    playhead.seek(record);
    const auto sums = std::count_if(playhead.touches().begin(), playhead.touches().end(),
                                    [](const Touch& touch) { return touch.kind == TouchKind::accumulate; });
    if (sums == 0) beyond = record;
  }
  ASSERT_NE(beyond, 0u);
  EXPECT_NE(story_at(ragged, beyond).find("beyond the edge of C"), std::string::npos)
      << story_at(ragged, beyond);
  for (const std::string& kernel : kKernels) {
    const BlockPointer block = small_block(kernel);
    ASSERT_NE(block, nullptr);
    for (const size_t record : telling_records(*block)) EXPECT_TRUE(story_at(block, record).ends_with("."));
  }
}

// 06 needs more registers than it may have.
TEST(MapScene, SaysWhatHadNoRoomInRegisters) {
  const BlockPointer block = traced("06_thread_tile", {128, 128, 16});
  ASSERT_NE(block, nullptr);
  Playhead playhead(block);
  for (const auto& [opcode, verb] :
       {std::pair(isa::Opcode::ldl, "load from"), std::pair(isa::Opcode::stl, "store to")}) {
    const auto& records = block->trace.records;
    const auto first = std::ranges::find_if(records, [&](const machine::TraceRecord& r) {
      return r.executed != 0 && block->compiled->instructions[r.instruction].opcode == opcode;
    });
    ASSERT_NE(first, records.end());
    playhead.seek(static_cast<size_t>(first - records.begin()));
    const std::string story = layout_map(playhead, {}, kArea, kMetrics).story;
    EXPECT_NE(story.find(verb + std::string(" local memory")), std::string::npos) << story;
  }
}

// With split K a block stores sums of its part of K, not elements of C.
TEST(MapScene, SaysWhatABlockWithoutCStores) {
  experiment::Experiment e = experiment::experiment_on("17_split_k", isa::Arch::sm_86, {160, 256, 64});
  e.toggles["SPLITS"] = 2;
  const auto compiled = experiment::compile_ladder(e);
  ASSERT_NE(compiled, nullptr);
  const auto text_of = [&](uint32_t row) {
    e.block = {0, row, 1};
    const experiment::Outcome<BlockResult> block = experiment::run_block(compiled, e, nullptr);
    EXPECT_TRUE(block.has_value());
    const MapScene scene = layout_map(Playhead(*block), {}, kArea, kMetrics);
    EXPECT_FALSE(scene.empty);
    EXPECT_EQ(scene.c_note, "nothing stored in C");
    const std::string sentence = without_c(**block);
    const auto is_ffma = [&](const machine::TraceRecord& r) {
      return compiled->instructions[r.instruction].opcode == isa::Opcode::ffma;
    };
    const auto& records = (*block)->trace.records;
    const auto ffma = std::ranges::find_if(records, is_ffma);
    Playhead playhead(*block);
    playhead.seek(static_cast<size_t>(ffma - records.begin()));
    EXPECT_EQ(story_of(playhead), sentence);
    return sentence;
  };
  EXPECT_EQ(text_of(0),
            "This block writes no element of C: it stores 16,384 partial sums in partials, for the launch "
            "\"add the splits\".");
  EXPECT_NE(text_of(1).find("4,096 partial sums"), std::string::npos);  // 32 rows are left
}

// Without its stores, the part of C is the one that the rows of A and the columns of B are for.
TEST(MapScene, ShowsWhatIsReadWhereTheTraceEndsTooEarly) {
  const experiment::Experiment e =
      experiment::experiment_on("07_register_tile", isa::Arch::sm_86, {64, 64, 64});
  const auto compiled = experiment::compile_ladder(e);
  ASSERT_NE(compiled, nullptr);
  const experiment::Outcome<BlockResult> all = experiment::run_block(compiled, e, nullptr);
  ASSERT_TRUE(all.has_value());
  const size_t half = (*all)->trace.records.size() / 2;
  const experiment::Outcome<BlockResult> block = experiment::run_block(compiled, e, nullptr, half);
  ASSERT_TRUE(block.has_value());
  ASSERT_FALSE((*block)->trace.complete);
  const MapScene scene = layout_map(Playhead(*block), {}, kArea, kMetrics);
  EXPECT_FALSE(scene.empty);
  EXPECT_EQ(scene.c_note, "nothing stored in C so far");
  EXPECT_EQ(without_c(**block), "The trace ends before this block stores its results.");
  const MapScene whole = layout_map(Playhead(*all), {}, kArea, kMetrics);
  EXPECT_TRUE(whole.c_note.empty());
  for (size_t matrix = 0; matrix < scene.panes.size(); ++matrix) {
    EXPECT_EQ(scene.panes[matrix].region.first_row, whole.panes[matrix].region.first_row);
    EXPECT_EQ(scene.panes[matrix].region.first_column, whole.panes[matrix].region.first_column);
    EXPECT_EQ(scene.panes[matrix].region.rows, whole.panes[matrix].region.rows);
    EXPECT_EQ(scene.panes[matrix].region.columns, whole.panes[matrix].region.columns);
  }
}

TEST(MapScene, SaysThatATraceEndsBeforeAnyMatrixIsRead) {
  const experiment::Experiment e =
      experiment::experiment_on("07_register_tile", isa::Arch::sm_86, {64, 64, 64});
  const auto compiled = experiment::compile_ladder(e);
  ASSERT_NE(compiled, nullptr);
  const experiment::Outcome<BlockResult> block = experiment::run_block(compiled, e, nullptr, 8);
  ASSERT_TRUE(block.has_value());
  EXPECT_EQ(layout_map(Playhead(*block), {}, kArea, kMetrics).empty_text,
            "The trace ends before this block stores its results.");
}

TEST(MapScene, SaysWhenThereIsNothing) {
  auto block = std::make_shared<BlockResult>();
  block->compiled = std::make_shared<experiment::CompiledKernel>();
  block->layout.buffers.resize(3);
  block->footprints.resize(3);
  const MapScene scene = layout_map(Playhead(block), {}, kArea, kMetrics);
  EXPECT_TRUE(scene.empty);
  EXPECT_FALSE(scene.empty_text.empty());
}

}  // namespace
}  // namespace gemmscope::scenes
