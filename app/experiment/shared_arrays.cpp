#include "experiment/shared_arrays.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "cuda_text/shared_declarations.h"
#include "cuda_text/source_text.h"
#include "experiment/results.h"
#include "experiment/shared_contents.h"
#include "metrics/shared_origins.h"

namespace gemmscope::experiment {
namespace {

using cuda_text::DeclaredArray;
using cuda_text::SharedVariable;
using Offsets = std::vector<uint64_t>;  // by variable, from the start of the kernel's own shared memory

constexpr size_t kMostVariables = 5;          // whose orders are tried: 120
constexpr size_t kMostRecordsRead = 200'000;  // for the origins of words

cuda_text::IntegerNames macro_values(const catalog::Kernel& kernel,
                                     const std::map<std::string, int64_t>& toggles) {
  cuda_text::IntegerNames values;
  for (const auto& [name, value] : kernel.defines) values[name] = value;
  for (const catalog::Toggle& toggle : kernel.toggles) {
    const auto chosen = toggles.find(toggle.name);
    values[toggle.name] = chosen == toggles.end() ? toggle.default_value : chosen->second;
  }
  return values;
}

// The shared accesses of lines of the kernel's file that name exactly one of the variables: by variable the
// range of bytes.
struct Range {
  uint64_t first = UINT64_MAX, end = 0;
};
std::vector<Range> ranges_of_named_lines(const BlockResult& block,
                                         const std::vector<SharedVariable>& variables) {
  const CompiledKernel& compiled = *block.compiled;
  const auto named_at = [&](const CompiledKernel::Place& place, std::set<size_t>& named) {
    if (place.file != 0 || place.line < 1) return;
    const std::vector<std::string>& lines = compiled.files[0].lines;
    if (static_cast<size_t>(place.line) > lines.size()) return;
    for (size_t v = 0; v < variables.size(); ++v)
      if (cuda_text::has_word(lines[static_cast<size_t>(place.line) - 1], variables[v].name)) named.insert(v);
  };
  std::vector<std::optional<size_t>> variable_of(compiled.instructions.size());
  for (size_t i = 0; i < compiled.places.size() && i < variable_of.size(); ++i) {
    std::set<size_t> named;
    named_at(compiled.places[i], named);
    for (const CompiledKernel::Place& call : compiled.calls[i]) named_at(call, named);
    if (named.size() == 1) variable_of[i] = *named.begin();
  }
  std::vector<Range> ranges(variables.size());
  for (const machine::TraceRecord& record : block.trace.records) {
    if (record.instruction >= variable_of.size() || !variable_of[record.instruction]) continue;
    Range& range = ranges[*variable_of[record.instruction]];
    for (const machine::TraceAccess& access : block.trace.accesses_of(record)) {
      if (access.space != machine::Space::shared) continue;
      for (size_t lane = 0; lane < machine::kWarpLanes; ++lane) {
        if ((access.mask >> lane & 1u) == 0) continue;
        range.first = std::min(range.first, access.addresses[lane]);
        range.end = std::max(range.end, access.addresses[lane] + access.width_bytes);
      }
    }
  }
  return ranges;
}

Offsets offsets_in_order(const std::vector<SharedVariable>& variables, const std::vector<size_t>& order) {
  Offsets offsets(variables.size());
  uint64_t at = 0;
  for (const size_t v : order) {
    at = (at + variables[v].alignment - 1) / variables[v].alignment * variables[v].alignment;
    offsets[v] = at;
    at += variables[v].bytes;
  }
  return offsets;
}

// Where the variables of static size lie, if only one order of them agrees with the accesses.
std::optional<Offsets> static_offsets(const BlockResult& block,
                                      const std::vector<SharedVariable>& variables) {
  const Resources& resources = block.compiled->resources;
  if (variables.size() > kMostVariables) return std::nullopt;
  std::vector<Range> ranges = ranges_of_named_lines(block, variables);
  std::vector<size_t> order(variables.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::set<Offsets> possible;
  do {
    const Offsets offsets = offsets_in_order(variables, order);
    bool agrees = true;
    for (size_t v = 0; v < variables.size(); ++v) {
      const uint64_t begin = resources.reserved_shared_bytes + offsets[v];
      agrees &= offsets[v] + variables[v].bytes <= resources.static_shared_bytes;
      if (ranges[v].end > 0)
        agrees &= ranges[v].first >= begin && ranges[v].end <= begin + variables[v].bytes;
    }
    if (agrees) possible.insert(offsets);
  } while (std::next_permutation(order.begin(), order.end()));
  if (possible.size() != 1) return std::nullopt;
  return *possible.begin();
}

// The place of each word's content within its row: `position` says where an element lies along the row.
// Nothing unless every row's elements fit the row.
template <typename Position>
std::vector<int32_t> columns_by(const SharedArray& array, const std::vector<metrics::Tag>& origins,
                                const Position& position) {
  const int64_t words = array.row_words();
  std::vector<int32_t> columns(static_cast<size_t>(array.rows * words), -1);
  for (int64_t row = 0; row < array.rows; ++row) {
    const size_t first = static_cast<size_t>(row * words);
    int64_t least = INT64_MAX;
    for (int64_t w = 0; w < words; ++w) {
      const size_t word = array.address / 4 + first + static_cast<size_t>(w);
      if (word < origins.size() && origins[word] != metrics::kNoTag)
        least = std::min(least, position(origins[word]));
    }
    std::vector<char> taken(static_cast<size_t>(words), 0);
    for (int64_t w = 0; w < words; ++w) {
      const size_t word = array.address / 4 + first + static_cast<size_t>(w);
      if (word >= origins.size() || origins[word] == metrics::kNoTag) continue;
      const int64_t column = position(origins[word]) - least;
      if (column >= words || taken[static_cast<size_t>(column)] != 0) return {};
      taken[static_cast<size_t>(column)] = 1;
      columns[first + static_cast<size_t>(w)] = static_cast<int32_t>(column);
    }
    // Words without content, such as padding, take the free columns in their order.
    int32_t free = 0;
    for (int64_t w = 0; w < words; ++w) {
      int32_t& column = columns[first + static_cast<size_t>(w)];
      if (column >= 0) continue;
      while (taken[static_cast<size_t>(free)] != 0) ++free;
      column = free++;
    }
  }
  return columns;
}

// Whether all words of a row are moved by the same distance: such a row is not swizzled.
bool only_shifted(const SharedArray& array, const std::vector<int32_t>& columns) {
  const int64_t words = array.row_words();
  for (int64_t row = 0; row < array.rows; ++row)
    for (int64_t w = 1; w < words; ++w) {
      const size_t at = static_cast<size_t>(row * words + w);
      if ((columns[at] - columns[at - 1] + words) % words != 1 % words) return false;
    }
  return true;
}

void find_contents(SharedArray& array, const std::vector<metrics::Tag>& origins,
                   const metrics::MatrixLayout& layout) {
  const auto words_along = [&](int64_t elements) { return elements * array.element_bytes / 4; };
  const auto by_column = [&](metrics::Tag tag) { return words_along(element_of(layout, tag).column); };
  const auto by_row = [&](metrics::Tag tag) { return words_along(element_of(layout, tag).row); };
  std::vector<int32_t> columns = columns_by(array, origins, by_column);
  if (columns.empty()) columns = columns_by(array, origins, by_row);
  const bool swizzled = !columns.empty() && !only_shifted(array, columns);
  if (swizzled) array.content_columns = std::move(columns);
}

// A kernel that is no product has no matrices; then each of its buffers is one long row.
metrics::MatrixLayout buffers_as_rows(const machine::GlobalMemory& memory) {
  constexpr size_t kMostBuffers = 14;  // a tag names no more
  constexpr int64_t kMostElements = 1 << 29;
  metrics::MatrixLayout layout;
  for (const machine::GlobalMemory::Buffer& buffer : memory.buffers()) {
    if (layout.buffers.size() == kMostBuffers) break;
    metrics::MatrixBuffer row;
    row.name = buffer.name;
    row.address = buffer.address;
    row.rows = 1;
    row.columns = std::min<int64_t>(static_cast<int64_t>(buffer.bytes.size() / 4), kMostElements);
    layout.buffers.push_back(row);
  }
  return layout;
}

std::vector<SharedVariable> declared(const catalog::Kernel& kernel, const std::string& symbol,
                                     const std::map<std::string, int64_t>& toggles, bool& complete) {
  const cuda_text::IntegerNames macros = macro_values(kernel, toggles);
  const cuda_text::SourceOutline outline = cuda_text::program_outline(
      kernel.source, cuda_text::included_sources(kernel.source, kernel.path), {macros.begin(), macros.end()});
  return cuda_text::shared_variables(outline, symbol, macros, complete);
}

void add(std::vector<SharedArray>& arrays, const std::vector<DeclaredArray>& declared, uint64_t begin) {
  for (const DeclaredArray& d : declared) {
    if (d.columns * d.element_bytes % 4 != 0 || d.rows < 2) continue;
    arrays.push_back({d.name, d.element, d.element_bytes, d.rows, d.columns, begin + d.offset, {}});
  }
}

constexpr const char* kNoArray =
    "The source declares no two-dimensional array in shared memory, so its words are shown in rows of 32 "
    "banks.";
constexpr const char* kNotToldApart =
    "The source declares several arrays in shared memory, and which lies where cannot be told, so the words "
    "are "
    "shown in rows of 32 banks.";

}  // namespace

const SharedArray* SharedArrays::at(uint64_t byte) const {
  const auto found =
      std::find_if(arrays.begin(), arrays.end(), [&](const SharedArray& array) { return array.holds(byte); });
  return found == arrays.end() ? nullptr : &*found;
}

std::vector<DeclaredShape> declared_shapes(const catalog::Kernel& kernel, const std::string& symbol,
                                           const std::map<std::string, int64_t>& toggles) {
  bool complete = true;
  std::vector<DeclaredShape> shapes;
  for (const SharedVariable& variable : declared(kernel, symbol, toggles, complete))
    for (const DeclaredArray& array : variable.arrays)
      shapes.push_back({array.name, array.rows, array.columns});
  return shapes;
}

SharedArrays shared_arrays_of(const BlockResult& block, const machine::GlobalMemory& memory) {
  SharedArrays result;
  if (block.banks.empty()) return result;
  bool complete = true;
  std::vector<SharedVariable> fixed = declared(block.compiled->kernel, block.compiled->code().name,
                                               block.experiment.toggles, complete),
                              dynamic;
  const auto external =
      std::stable_partition(fixed.begin(), fixed.end(), [](const SharedVariable& v) { return !v.external; });
  dynamic.assign(external, fixed.end());
  fixed.erase(external, fixed.end());
  const Resources& resources = block.compiled->resources;
  const bool any_array =
      std::any_of(fixed.begin(), fixed.end(), [](const auto& v) { return !v.arrays.empty(); });
  // With an unread variable of unknown size beside them, the others lie nowhere for certain.
  if (any_array) {
    const std::optional<Offsets> offsets = complete ? static_offsets(block, fixed) : std::nullopt;
    if (!offsets) result.why_none = kNotToldApart;
    for (size_t v = 0; offsets && v < fixed.size(); ++v)
      add(result.arrays, fixed[v].arrays, resources.reserved_shared_bytes + (*offsets)[v]);
  }
  // All dynamic variables begin at the same place; only a single one names what lies there.
  if (dynamic.size() == 1 && result.why_none.empty())
    add(result.arrays, cuda_text::arrays_in(dynamic[0], resources.dynamic_shared_bytes),
        resources.reserved_shared_bytes + resources.static_shared_bytes);
  const metrics::MatrixLayout rows = block.layout.is_gemm() ? block.layout : buffers_as_rows(memory);
  const std::vector<metrics::Tag> origins =
      metrics::shared_origins(block.trace, block.compiled->instructions, rows, kMostRecordsRead);
  if (result.arrays.empty() && block.layout.is_gemm()) result.arrays = arrays_by_contents(origins, rows);
  if (!result.arrays.empty())
    result.why_none.clear();
  else if (result.why_none.empty())
    result.why_none = kNoArray;
  for (SharedArray& array : result.arrays) find_contents(array, origins, rows);
  return result;
}

}  // namespace gemmscope::experiment
