#include "experiment/bank_question_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

#include "metrics/counters.h"

namespace gemmscope::experiment {
namespace {

using Lanes = std::array<int64_t, machine::kWarpLanes>;
using metrics::SharedOp;

constexpr int kLaneBits = 5;

bool is_active(uint32_t mask, int lane) { return (mask >> lane & 1u) != 0; }

// "lane", "lane % 8", "lane / 4", "lane / 4 % 2": bits [first, last] of the lane; bits from `end` on are 0.
std::string bits_of_lane(int first, int last, int end) {
  std::string text = "lane";
  if (first > 0) text += fmt::format(" / {}", 1 << first);
  if (last < end - 1) text += fmt::format(" % {}", 1 << (last - first + 1));
  return text;
}

// f(lane) = f(0) + the sum of a coefficient for each bit of the lane.
std::optional<std::string> affine_text(const Lanes& values, int lanes) {
  std::array<int64_t, kLaneBits> factor{};
  const int bits = std::bit_width(static_cast<unsigned>(lanes - 1));
  for (int b = 0; b < bits; ++b) factor[static_cast<size_t>(b)] = values[size_t{1} << b] - values[0];
  for (int lane = 0; lane < lanes; ++lane) {
    int64_t sum = values[0];
    for (int b = 0; b < bits; ++b) sum += (lane >> b & 1) * factor[static_cast<size_t>(b)];
    if (sum != values[static_cast<size_t>(lane)]) return std::nullopt;
  }
  std::string text;
  const auto join = [&](const std::string& term, bool negative) {
    text += (text.empty() ? (negative ? "-" : "") : negative ? " - " : " + ") + term;
  };
  // Bits whose factors double are one number.
  for (int first = bits - 1, last = bits - 1; last >= 0; last = --first) {
    while (first > 0 && factor[static_cast<size_t>(first - 1)] * 2 == factor[static_cast<size_t>(first)])
      --first;
    const int64_t f = factor[static_cast<size_t>(first)];
    if (f == 0) continue;
    const std::string term = bits_of_lane(first, last, bits);
    join(std::abs(f) == 1 ? term : fmt::format("{} * {}", term, std::abs(f)), f < 0);
  }
  // "31 - lane" begins with its constant: a sign in front would bind to the first factor alone.
  if (text.starts_with('-')) return fmt::format("{} - {}", values[0], text.substr(1));
  if (values[0] != 0 || text.empty()) join(std::to_string(std::abs(values[0])), values[0] < 0);
  return text;
}

// f(lane) = f(0) ^ the exclusive or of a word for each bit of the lane.
std::optional<std::string> xor_text(const Lanes& values, int lanes) {
  std::array<int64_t, kLaneBits> word{};
  const int bits = std::bit_width(static_cast<unsigned>(lanes - 1));
  int64_t all = 0;
  for (int b = 0; b < bits; ++b) all |= word[static_cast<size_t>(b)] = values[size_t{1} << b] ^ values[0];
  for (int lane = 0; lane < lanes; ++lane) {
    int64_t value = values[0];
    for (int b = 0; b < bits; ++b)
      if ((lane >> b & 1) != 0) value ^= word[static_cast<size_t>(b)];
    if (value != values[static_cast<size_t>(lane)]) return std::nullopt;
  }
  std::string text;
  const auto join = [&](const std::string& term) { text += (text.empty() ? "" : " ^ ") + term; };
  // Neighbouring bits of the lane that move by the same distance are one term.
  const int width = std::bit_width(static_cast<uint64_t>(all));
  for (int distance = width - 1; distance > -kLaneBits; --distance)
    for (int first = 0; first < bits; ++first) {
      const auto set = [&](int b) {
        return b < bits && b + distance >= 0 && (word[static_cast<size_t>(b)] >> (b + distance) & 1) != 0;
      };
      if (!set(first)) continue;
      int last = first;
      while (set(last + 1)) ++last;
      const int to = first + distance;
      std::string term = bits_of_lane(first, last, bits);
      if (to > 0) term += fmt::format(" * {}", 1 << to);
      join(term);
      first = last;
    }
  if (values[0] != 0 || text.empty()) join(std::to_string(values[0]));
  return text;
}

// ---- from a block

struct Target {
  std::string name, element;
  uint32_t element_bytes = 4;
  int64_t rows = 0, columns = 0;
  uint64_t address = 0;
};

// A tile that no source names has a name in words (shared_contents.cpp): "tile of A".
std::string identifier(std::string name) {
  std::ranges::replace(name, ' ', '_');
  return name;
}

// The array as the question declares it: in smaller elements where the access is narrower than its own.
Target target_in(const SharedArray& array, const metrics::SharedAccess& access, uint32_t width_bytes) {
  Target target{identifier(array.name), array.element, array.element_bytes, array.rows,
                array.columns,          array.address};
  const auto fits = [&] {
    bool all = target.element_bytes <= width_bytes && target.element_bytes <= 16;
    for (int lane = 0; lane < machine::kWarpLanes; ++lane)
      if (is_active(access.mask, lane))
        all &= (access.addresses[static_cast<size_t>(lane)] - array.address) % target.element_bytes == 0;
    return all;
  };
  constexpr std::pair<uint32_t, const char*> kSmaller[] = {{4, "float"}, {2, "short"}, {1, "char"}};
  for (const auto& [bytes, name] : kSmaller) {
    if (fits()) break;
    if (bytes >= target.element_bytes) continue;
    target.columns = target.columns * target.element_bytes / bytes;
    target.element = name;
    target.element_bytes = bytes;
  }
  return target;
}

// Without an array: rows of 32 banks around what the lanes access.
Target rows_of_banks(uint64_t first, uint64_t end) {
  constexpr uint64_t kRowBytes = metrics::kBanks * metrics::kBankBytes;
  Target target{"shared", "float", 4, 0, metrics::kBanks, first / kRowBytes * kRowBytes};
  target.rows =
      static_cast<int64_t>(std::max<uint64_t>(2, (end - target.address + kRowBytes - 1) / kRowBytes));
  return target;
}

std::string wide_type(const Target& target, int bytes) {
  if (static_cast<uint32_t>(bytes) == target.element_bytes) return "";
  return bytes == 16 ? "float4" : bytes == 8 ? "float2" : bytes == 4 ? "float" : "short";
}

// Where the lanes access, in elements of the target.
struct Lines {
  Lanes rows{}, columns{};
};
Lines lines_of(const Target& target, const metrics::SharedAccess& access) {
  Lines lines;
  for (int lane = 0; lane < machine::kWarpLanes; ++lane) {
    if (!is_active(access.mask, lane)) continue;
    const auto l = static_cast<size_t>(lane);
    const auto byte = static_cast<int64_t>(access.addresses[l] - target.address);
    lines.rows[l] = byte / (target.columns * target.element_bytes);
    lines.columns[l] = byte / target.element_bytes % target.columns;
  }
  return lines;
}

// Of LDSM's lanes only those that give a row's address take part.
metrics::SharedAccess taking_part(metrics::SharedAccess access) {
  if (access.op == SharedOp::matrix_load && access.words < 4) access.mask &= (1u << (8 * access.words)) - 1;
  return access;
}

// The executions of one or more instructions that differ only by whole rows and columns.
struct Family {
  metrics::SharedAccess access;  // the one that is shown
  int bytes = 0;
  Lines lines;
  std::set<int64_t> rows = {0}, columns = {0};  // distances from it
};

bool differs_by(const Lanes& a, const Lanes& b, uint32_t mask, int64_t distance) {
  for (int lane = 0; lane < machine::kWarpLanes; ++lane)
    if (is_active(mask, lane) && b[static_cast<size_t>(lane)] - a[static_cast<size_t>(lane)] != distance)
      return false;
  return true;
}

// Adds the access to the family if it is one of it.
bool join_family(Family& family, const metrics::SharedAccess& access, const Lines& lines) {
  if (family.access.op != access.op || family.access.words != access.words ||
      family.access.mask != access.mask)
    return false;
  const auto first = static_cast<size_t>(std::countr_zero(access.mask));
  const int64_t row = lines.rows[first] - family.lines.rows[first];
  const int64_t column = lines.columns[first] - family.lines.columns[first];
  if (!differs_by(family.lines.rows, lines.rows, access.mask, row) ||
      !differs_by(family.lines.columns, lines.columns, access.mask, column))
    return false;
  family.rows.insert(row);
  family.columns.insert(column);
  return true;
}

// Loop variables that are still free, the last first: k, j, i.
class LoopVariables {
 public:
  explicit LoopVariables(BankQuestion& question) : question_(question) {}

  // The expression with the distances as a variable, whose value is the one for the distance 0. Without a
  // free variable the expression stays as it is.
  std::optional<std::string> index(Lanes values, uint32_t mask, const std::set<int64_t>& distances) {
    if (distances.size() < 2 || free_ == 0) return lane_expression(values, mask);
    int64_t step = 0;
    for (const int64_t distance : distances) step = std::gcd(step, distance - *distances.begin());
    for (int64_t& value : values) value += *distances.begin();
    std::optional<std::string> text = lane_expression(values, mask);
    if (!text) return text;
    --free_;
    question_.loop[free_] = -*distances.begin() / step;
    std::string variable = kLoopVariables[free_];
    if (step != 1) variable += fmt::format(" * {}", step);
    if (*text == "0") return variable;
    const bool exclusive = text->find('^') != std::string::npos;
    return fmt::format("{} + {}", exclusive ? "(" + *text + ")" : *text, variable);
  }

 private:
  BankQuestion& question_;
  size_t free_ = std::size(kLoopVariables);
};

std::string table_of(const Target& target, const metrics::SharedAccess& access) {
  std::string table;
  for (int lane = 0; lane < machine::kWarpLanes; ++lane) {
    table += lane == 0 ? "" : ", ";
    table += is_active(access.mask, lane)
                 ? std::to_string(access.addresses[static_cast<size_t>(lane)] - target.address)
                 : "-";
  }
  return fmt::format("bytes {{{}}}", table);
}

std::string text_of(const Target& target, const Family& family, LoopVariables& loops) {
  const uint32_t mask = family.access.mask;
  AccessText text;
  text.op = family.access.op;
  text.type = text.op == SharedOp::matrix_load ? fmt::format("x{}", family.access.words)
                                               : wide_type(target, family.bytes);
  if (!lane_expression(family.lines.rows, mask) || !lane_expression(family.lines.columns, mask)) {
    text.target = table_of(target, family.access);
    return join_access(text);
  }
  const auto row = loops.index(family.lines.rows, mask, family.rows);
  const auto column = loops.index(family.lines.columns, mask, family.columns);
  text.target = fmt::format("{}[{}][{}]", target.name, row.value_or(""), column.value_or(""));
  if (mask != 0xffffffffu) text.target += fmt::format(" if lane < {}", std::popcount(mask));
  return join_access(text);
}

const machine::TraceAccess* plain_shared_access(const BlockResult& block, size_t record) {
  for (const machine::TraceAccess& access : block.trace.accesses_of(block.trace.records[record])) {
    const bool atomic =
        access.direction == machine::Direction::atomic || access.direction == machine::Direction::reduce;
    if (access.space == machine::Space::shared && !atomic && access.mask != 0) return &access;
  }
  return nullptr;
}

struct Bytes {
  uint64_t first = UINT64_MAX, end = 0;
};
Bytes bytes_of(const metrics::SharedAccess& access, int width) {
  Bytes bytes;
  for (int lane = 0; lane < machine::kWarpLanes; ++lane) {
    if (!is_active(access.mask, lane)) continue;
    bytes.first = std::min(bytes.first, access.addresses[static_cast<size_t>(lane)]);
    bytes.end =
        std::max(bytes.end, access.addresses[static_cast<size_t>(lane)] + static_cast<uint64_t>(width));
  }
  return bytes;
}

// How many bytes each lane's address stands for.
int lane_bytes(const metrics::SharedAccess& access, const machine::TraceAccess& traced) {
  return access.op == SharedOp::matrix_load ? 16 : traced.width_bytes;
}

// What the warp of a record does within the target: the family of the record's own access first.
std::vector<Family> families_of(const BlockResult& block, size_t record, const Target& target) {
  std::vector<Family> families;
  const auto size = static_cast<uint64_t>(target.rows * target.columns) * target.element_bytes;
  const auto add = [&](size_t at) {
    const machine::TraceAccess* traced = plain_shared_access(block, at);
    if (traced == nullptr) return;
    const metrics::SharedAccess access = taking_part(metrics::shared_access(*traced));
    const int width = lane_bytes(access, *traced);
    const Bytes bytes = bytes_of(access, width);
    if (bytes.first < target.address || bytes.end > target.address + size) return;
    if (static_cast<uint32_t>(width) < target.element_bytes) return;
    const Lines lines = lines_of(target, access);
    if (std::any_of(families.begin(), families.end(),
                    [&](Family& f) { return join_family(f, access, lines); }))
      return;
    if (families.size() < kMostBankAccesses) families.push_back({access, width, lines});
  };
  add(record);
  for (const uint32_t at : block.warp_records[block.trace.records[record].warp]) add(at);
  return families;
}

std::string place_text(const CompiledKernel& compiled, uint32_t instruction) {
  if (instruction >= compiled.places.size()) return "";
  const CompiledKernel::Place& place = compiled.places[instruction];
  if (place.file < 0 || place.line < 1) return "";
  return fmt::format("{}:{}", compiled.files[static_cast<size_t>(place.file)].name, place.line);
}

// ---- toggles

// "stages[1].a" and "stages[0].a" are the same member.
std::string without_indices(const std::string& name) {
  std::string text;
  int depth = 0;
  for (const char c : name) {
    depth += c == '[' ? 1 : 0;
    if (depth == 0) text += c;
    depth -= c == ']' ? 1 : 0;
  }
  return text;
}

bool has_shape(const std::vector<DeclaredShape>& shapes, const BankSource& source, int64_t columns) {
  return std::any_of(shapes.begin(), shapes.end(), [&](const DeclaredShape& shape) {
    return without_indices(shape.name) == without_indices(source.array) && shape.rows == source.rows &&
           shape.columns == columns;
  });
}

bool is_called(const std::string& text, const char* word) {
  std::string lower = text;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return lower.find(word) != std::string::npos;
}

std::string value_text(const ToggleRow& row, size_t value) {
  return row.on_off ? (value == 1 ? "on" : "off") : row.labels[value];
}

// What a value of a toggle does with the array, as far as the source tells.
enum class Effect : uint8_t { none, declares, pads, swizzles };
Effect effect_of(const catalog::Kernel& kernel, const std::string& symbol, const BankSource& source,
                 const WantedLayout& wanted, const ToggleRow& row, size_t value, const Experiment& next) {
  const bool named =
      is_called(row.labels[value], "swizzle") || (row.on_off && value == 1 && is_called(row.name, "swizzle"));
  if (wanted.swizzle != "column") return named && wanted.padding == 0 ? Effect::swizzles : Effect::none;
  if (named) return Effect::none;
  if (source.array.empty())
    return is_called(row.name, "pad") && row.values[value] == wanted.padding ? Effect::pads : Effect::none;
  const bool shaped =
      has_shape(declared_shapes(kernel, symbol, next.toggles), source, source.columns + wanted.padding);
  return shaped ? Effect::declares : Effect::none;
}

const char* note_of(Effect effect) {
  if (effect == Effect::swizzles) return "The kernel's own swizzle, which may be another one.";
  if (effect == Effect::pads)
    return "The source declares no such array: the picture tells whether this is its padding.";
  return "";
}

void add_inputs(const catalog::Kernel& kernel, const Experiment& now, const std::string& swizzle,
                const CodeOffer* offer, std::vector<LayoutChoice>& choices) {
  for (const catalog::Input& input : kernel.inputs) {
    const auto has = [&](const char* name) {
      return std::find(input.names.begin(), input.names.end(), name) != input.names.end();
    };
    const auto typed = now.inputs.find(input.name);
    const std::string& before = typed == now.inputs.end() ? input.default_value : typed->second;
    if (!has("row") || !has("column") || before == swizzle) continue;
    LayoutChoice choice{fmt::format("{} = {}", input.name, swizzle), "", "", now};
    choice.next.inputs[input.name] = swizzle;
    if (swizzle == input.default_value) choice.next.inputs.erase(input.name);
    if (offer != nullptr && !choice.next.inputs.empty())
      choice.why_not = "An expression of yours must be compiled, and NVRTC is not installed.";
    choices.push_back(std::move(choice));
  }
}

}  // namespace

std::optional<std::string> lane_expression(const Lanes& values, uint32_t mask) {
  const int lanes = std::popcount(mask);
  if (lanes == 0 || (lanes < machine::kWarpLanes && mask != (1u << lanes) - 1)) return std::nullopt;
  if (lanes == 1) return std::to_string(values[0]);
  std::optional<std::string> affine = affine_text(values, lanes), exclusive = xor_text(values, lanes);
  if (!affine || (exclusive && exclusive->size() < affine->size())) return exclusive;
  return affine;
}

bool has_question(const BlockResult& block, size_t record) {
  return record < block.trace.records.size() && plain_shared_access(block, record) != nullptr;
}

std::optional<FoundQuestion> question_of(const BlockResult& block, size_t record) {
  if (record >= block.trace.records.size()) return std::nullopt;
  const machine::TraceAccess* traced = plain_shared_access(block, record);
  if (traced == nullptr) return std::nullopt;
  const metrics::SharedAccess access = taking_part(metrics::shared_access(*traced));
  const int width = lane_bytes(access, *traced);
  const Bytes bytes = bytes_of(access, width);
  const SharedArray* array = block.shared_arrays.at(bytes.first);
  if (array != nullptr && !array->holds(bytes.end - 1)) array = nullptr;
  const Target target = array != nullptr ? target_in(*array, access, static_cast<uint32_t>(width))
                                         : rows_of_banks(bytes.first, bytes.end);
  const uint32_t instruction = block.trace.records[record].instruction;
  FoundQuestion found;
  found.question.declaration =
      fmt::format("{} {}[{}][{}]", target.element, target.name, target.rows, target.columns);
  found.question.warp = block.trace.records[record].warp;
  const auto& block_dim = block.compiled->launch.block;
  found.question.block_dim = {block_dim[0], block_dim[1]};
  found.question.accesses.clear();
  LoopVariables loops(found.question);
  for (const Family& family : families_of(block, record, target))
    found.question.accesses.push_back(text_of(target, family, loops));
  found.source = {block.compiled->kernel.id,
                  array != nullptr ? array->name : "",
                  array != nullptr ? array->rows : 0,
                  array != nullptr ? array->columns : 0,
                  place_text(*block.compiled, instruction),
                  instruction < block.compiled->text.size() ? block.compiled->text[instruction] : ""};
  return found;
}

std::vector<LayoutChoice> layout_choices(const catalog::Kernel& kernel, const Experiment& now,
                                         const std::string& symbol, const BankSource& source,
                                         const WantedLayout& wanted, const CodeOffer* offer) {
  std::vector<LayoutChoice> choices;
  if (now.kernel != source.kernel) return choices;
  const bool plain = wanted.swizzle == "column";
  const bool has_it =
      plain && !source.array.empty() &&
      has_shape(declared_shapes(kernel, symbol, now.toggles), source, source.columns + wanted.padding);
  if (!has_it)
    for (const ToggleGroup& group : toggle_list(kernel, now, offer))
      for (const ToggleRow& row : group.rows)
        for (size_t value = 0; value < row.values.size(); ++value) {
          Experiment next = with_toggle(kernel, now, row, value);
          const Effect effect = effect_of(kernel, symbol, source, wanted, row, value, next);
          if (effect == Effect::none) continue;
          const std::string why_not =
              value == row.chosen ? fmt::format("{} has this value now.", row.name) : row.why_not[value];
          choices.push_back({fmt::format("{} = {}", row.name, value_text(row, value)), why_not,
                             note_of(effect), std::move(next)});
        }
  if (wanted.padding == 0) add_inputs(kernel, now, wanted.swizzle, offer, choices);
  return choices;
}

}  // namespace gemmscope::experiment
