#include "scenes/fragment_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using drawing::Point;
using drawing::Rect;
using metrics::FragmentPlace;
using metrics::MmaMatrix;
using metrics::MmaShape;

bool is_shown(const isa::Instruction& instruction) {
  return metrics::mma_shape(instruction).has_value() || instruction.opcode == isa::Opcode::ldsm;
}

std::optional<size_t> shown_record(const experiment::BlockResult& block, size_t record) {
  const int warp = block.trace.records[record].warp;
  for (size_t at = position_of(block, warp, record) + 1; at-- > 0;) {
    const size_t r = record_at(block, warp, at);
    if (r <= record && is_shown(block.compiled->instructions[block.trace.records[r].instruction])) return r;
  }
  return std::nullopt;
}

// The first register of the n-th register operand: 0 is the destination. RZ where the operand is RZ.
int register_of(const isa::Instruction& instruction, int n) {
  for (int i = 0; i < instruction.operand_count; ++i) {
    const isa::Operand& operand = instruction.operands[static_cast<size_t>(i)];
    if (operand.is(isa::OperandKind::reg) && n-- == 0) return operand.index;
  }
  return isa::kRegisterZero;
}

std::string registers_text(int first, int words) {
  if (first == isa::kRegisterZero) return "RZ";
  return words == 1 ? fmt::format("R{}", first) : fmt::format("R{}\u2013R{}", first, first + words - 1);
}

class Layout {
 public:
  Layout(const Selection& selection, const SceneMetrics& metrics, FragmentScene& scene)
      : selection_(selection), metrics_(metrics), scene_(scene) {}

  void place_lanes(Rect& area) {
    const float unit = metrics_.scale;
    Rect row = area.cut_top(std::floor(std::min(20 * unit, area.height() * 0.15f)));
    area.cut_top(std::round(6 * unit));
    scene_.lanes_label = row.cut_left(std::round(std::min(54 * unit, area.width() * 0.16f)));
    const float width = row.width() / machine::kWarpLanes;
    for (int lane = 0; lane < machine::kWarpLanes; ++lane) {
      const float left = std::round(row.left + width * static_cast<float>(lane));
      const float right = std::round(row.left + width * static_cast<float>(lane + 1));
      scene_.lanes.push_back(lane_chip(lane, {left, row.top, right, row.bottom}, width, unit, 0xffffffff,
                                       0xffffffff, selection_));
    }
    scene_.chip_labels = width >= 2.5f * metrics_.digit_width;  // two digits, and some room between two
  }

  // In a wide panel A, B and D stand side by side, else A left of D and B above it, as in the map; whichever
  // makes the cells larger.
  void place_product(const isa::Instruction& instruction, const MmaShape& shape, Rect area) {
    scene_.sentence =
        fmt::format("m{}n{}k{}: A is {} \u00d7 {}, B {} \u00d7 {}, C and D {} \u00d7 {}.", shape.m, shape.n,
                    shape.k, shape.m, shape.k, shape.k, shape.n, shape.m, shape.n);
    const char* factor = shape.factor_bits == 32                ? "tf32"
                         : instruction.has(isa::Modifier::bf16) ? "bf16"
                                                                : "f16";
    const char* sum = shape.accumulator_bits == 32 ? "f32" : "f16";
    const int words_of_b = shape.k * shape.factor_bits / 128;  // A has twice as many rows
    pane("A", factor, shape.m, shape.k, shape.factor_bits, register_of(instruction, 1), 2 * words_of_b);
    pane("B", factor, shape.k, shape.n, shape.factor_bits, register_of(instruction, 2), words_of_b);
    pane("D", sum, shape.m, shape.n, shape.accumulator_bits, register_of(instruction, 0),
         shape.accumulator_bits / 8);
    const float line = metrics_.small_height, gap = std::round(14 * metrics_.scale);
    const auto m = static_cast<float>(shape.m), n = static_cast<float>(shape.n),
               k = static_cast<float>(shape.k);
    const drawing::Size beside = cell_size(k + 2 * n, std::max(m, k),
                                           {area.width() - 2 * gap, area.height() - line}),
                        crossed =
                            cell_size(k + n, k + m, {area.width() - gap, area.height() - 2 * line - gap});
    const bool wide = beside.width * beside.height >= crossed.width * crossed.height;
    const drawing::Size cell = wide ? beside : crossed;
    if (wide) {
      float left = area.left;
      for (FragmentPane& p : scene_.panes)
        left = place_pane(p, {left, area.top + line}, cell, area.right) + gap;
    } else {
      const Point corner{area.left + std::floor(k * cell.width) + gap,
                         area.top + line + std::floor(k * cell.height) + gap};
      place_pane(scene_.panes[0], {area.left, corner.y}, cell, corner.x - gap / 2);
      place_pane(scene_.panes[1], {corner.x, area.top + line}, cell, area.right);
      place_pane(scene_.panes[2], corner, cell, area.right);
      for (const size_t below : {size_t{0}, size_t{2}}) {
        FragmentPane& p = scene_.panes[below];
        p.title_rect = {p.title_rect.left, p.rect.bottom, p.title_rect.right, p.rect.bottom + line};
      }
    }
    for (const FragmentPane& p : scene_.panes)
      cells_of(p, [&](int row, int column) {
        return metrics::fragment_place(shape, static_cast<MmaMatrix>(&p - scene_.panes.data()), row, column);
      });
    label(cell);
  }

  void place_load(const isa::Instruction& instruction, Rect area) {
    const int matrices = instruction.has(isa::Modifier::x4) ? 4 : instruction.has(isa::Modifier::x2) ? 2 : 1;
    const bool transposed = instruction.has(isa::Modifier::mt88);
    scene_.sentence = fmt::format("Each row of 16 bytes lies where one lane's address says; {}.",
                                  transposed ? "transposed: a lane gets two elements of a column"
                                             : "a lane gets two elements of a row");
    const float line = metrics_.small_height, gap = std::round(14 * metrics_.scale);
    const auto n = static_cast<float>(matrices);
    const drawing::Size cell = cell_size(8 * n, 8, {area.width() - gap * (n - 1), area.height() - line});
    float left = area.left;
    for (int i = 0; i < matrices; ++i) {
      const int reg = register_of(instruction, 0);
      pane("matrix", "", 8, 8, 16, reg, 1);
      FragmentPane& p = scene_.panes.back();
      p.name = matrices == 1 ? "matrix" : fmt::format("matrix {}", i + 1);
      p.short_title = registers_text(reg == isa::kRegisterZero ? reg : reg + i, 1);
      p.title = fmt::format("{}, lanes {}\u2013{} give rows", p.short_title, 8 * i, 8 * i + 7);
    }
    for (FragmentPane& p : scene_.panes)
      left = place_pane(p, {left, area.top + line}, cell, area.right) + gap;
    for (const FragmentPane& p : scene_.panes)
      cells_of(p, [&](int row, int column) {
        FragmentPlace place = metrics::ldsm_place(transposed, row, column);
        place.word += static_cast<int>(&p - scene_.panes.data());
        return place;
      });
    label(cell);
  }

 private:
  drawing::Size cell_size(float columns, float rows, drawing::Size room) const {
    constexpr float kMost = 44, kMostStretch = 2.6f;
    drawing::Size cell{std::clamp(room.width / columns, 1.0f, kMost * metrics_.scale),
                       std::clamp(room.height / rows, 1.0f, kMost * metrics_.scale)};
    cell.width = std::min(cell.width, kMostStretch * cell.height);
    cell.height = std::min(cell.height, kMostStretch * cell.width);
    return cell;
  }

  void pane(const char* name, const char* type, int rows, int columns, int bits, int first, int words) {
    FragmentPane p;
    p.name = name;
    p.title = fmt::format("{}  {} \u00d7 {} {}: {}", name, rows, columns, type, registers_text(first, words));
    p.short_title = fmt::format("{}: {}", name, registers_text(first, words));
    p.rows = rows;
    p.columns = columns;
    p.bits = bits;
    p.first_register = first;
    scene_.panes.push_back(std::move(p));
  }

  // Places a pane with its title above it, which may go on to `most_right`. Returns its right edge.
  float place_pane(FragmentPane& p, Point corner, drawing::Size cell, float most_right) {
    p.rect = Rect::at({std::round(corner.x), std::round(corner.y)},
                      {std::floor(cell.width * static_cast<float>(p.columns)),
                       std::floor(cell.height * static_cast<float>(p.rows))});
    const bool last = p.rect.right + 4 * metrics_.digit_width > most_right || &p == &scene_.panes.back();
    p.title_rect = {p.rect.left, p.rect.top - metrics_.small_height, last ? most_right : p.rect.right,
                    p.rect.top};
    return p.rect.right;
  }

  template <typename PlaceOf>
  void cells_of(const FragmentPane& p, const PlaceOf& place_of) {
    const auto x = [&](int column) {
      return std::round(p.rect.left +
                        p.rect.width() * static_cast<float>(column) / static_cast<float>(p.columns));
    };
    const auto y = [&](int row) {
      return std::round(p.rect.top + p.rect.height() * static_cast<float>(row) / static_cast<float>(p.rows));
    };
    for (int row = 0; row < p.rows; ++row)
      for (int column = 0; column < p.columns; ++column) {
        FragmentCell cell;
        cell.rect = {x(column), y(row), x(column + 1), y(row + 1)};
        cell.pane = static_cast<int>(&p - scene_.panes.data());
        cell.row = row;
        cell.column = column;
        cell.place = place_of(row, column);
        cell.reg =
            p.first_register == isa::kRegisterZero ? isa::kRegisterZero : p.first_register + cell.place.word;
        cell.two_in_word = p.bits == 16;
        cell.highlighted = lane_highlighted(selection_, 1u << cell.place.lane);
        scene_.cells.push_back(cell);
      }
  }

  void label(drawing::Size cell) {
    scene_.lane_labels =
        cell.width >= 2.1f * metrics_.digit_width && cell.height >= metrics_.small_height - 2;
    scene_.register_labels =
        cell.width >= 4.2f * metrics_.digit_width && cell.height >= 2 * metrics_.small_height - 2;
    scene_.registers_beside =
        !scene_.register_labels && scene_.lane_labels && cell.width >= 7 * metrics_.digit_width;
  }

  const Selection& selection_;
  const SceneMetrics& metrics_;
  FragmentScene& scene_;
};

}  // namespace

bool has_fragments(const experiment::CompiledKernel& compiled) {
  return std::any_of(compiled.instructions.begin(), compiled.instructions.end(), is_shown);
}

FragmentScene layout_fragments(const experiment::BlockResult& block, Cursor cursor,
                               const Selection& selection, Rect area, const SceneMetrics& metrics) {
  FragmentScene scene;
  const std::optional<size_t> record = shown_record(block, cursor.record);
  if (!record) {
    scene.empty_text = has_fragments(*block.compiled)
                           ? "No matrix instruction yet. Step forward to the first one."
                           : "This kernel has no matrix instruction (HMMA, LDSM).";
    return scene;
  }
  scene.empty = false;
  scene.record = *record;
  scene.heading = heading_of(block, {*record, nullptr, *record == cursor.record}, cursor.record);
  const machine::TraceRecord& r = block.trace.records[*record];
  if (!scene.heading.remark.empty())
    scene.heading.remark = fmt::format("warp {}'s last matrix instruction", r.warp);
  // Below this a cell of the largest product would be under three pixels.
  if (area.height() < 76 * metrics.scale + metrics.small_height || area.width() < 140 * metrics.scale) {
    scene.empty = scene.too_small = true;
    scene.empty_text = "The panel is too small for the fragments of a warp.";
    return scene;
  }
  Layout layout(selection, metrics, scene);
  layout.place_lanes(area);
  const isa::Instruction& instruction = block.compiled->instructions[r.instruction];
  if (const std::optional<MmaShape> shape = metrics::mma_shape(instruction))
    layout.place_product(instruction, *shape, area);
  else
    layout.place_load(instruction, area);
  return scene;
}

const FragmentCell* fragment_cell_at(const FragmentScene& scene, drawing::Point point) {
  for (const FragmentCell& cell : scene.cells)
    if (cell.rect.contains(point)) return &cell;
  return nullptr;
}

std::string describe(const FragmentCell& cell, const FragmentScene& scene) {
  const std::string reg = cell.reg == isa::kRegisterZero ? "RZ" : fmt::format("R{}", cell.reg);
  return fmt::format("{}({}, {}): lane {}, {}{}", scene.panes[static_cast<size_t>(cell.pane)].name, cell.row,
                     cell.column, cell.place.lane, reg,
                     !cell.two_in_word      ? ""
                     : cell.place.half == 0 ? ", lower half"
                                            : ", upper half");
}

}  // namespace gemmscope::scenes
