#include "experiment/bank_question.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

#include "catalog/expression.h"
#include "cuda_text/integer_expression.h"

namespace gemmscope::experiment {
namespace {

using metrics::SharedOp;
using metrics::TileAccess;
using metrics::TileLayout;
using Field = BankMistake::Field;

constexpr int64_t kMostBytes = 1 << 20;  // of a tile; no SM has as much shared memory
constexpr size_t kMostText = 1000;
constexpr int64_t kMostSwizzled = 1 << 16;  // elements whose places are computed one by one
constexpr int64_t kOtherValues = 32;        // of a loop variable, for which a fix must hold, too

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Takes the first word, up to a blank, off the text.
std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const std::string_view word = text.substr(0, std::min(text.find_first_of(" \t"), text.size()));
  text = trimmed(text.substr(word.size()));
  return word;
}

// The texts between the brackets "[a][b]" that `text` begins with, and what follows them.
struct Indices {
  std::vector<std::string> texts;
  std::string rest;
  bool open = false;  // a bracket is not closed
};
Indices read_indices(std::string_view text) {
  Indices read;
  while (!(text = trimmed(text)).empty() && text.front() == '[') {
    int depth = 0;
    size_t end = 0;
    for (; end < text.size(); ++end) {
      depth += text[end] == '[' ? 1 : text[end] == ']' ? -1 : 0;
      if (depth == 0) break;
    }
    read.open = end == text.size();
    if (read.open) return read;
    read.texts.emplace_back(trimmed(text.substr(1, end - 1)));
    text.remove_prefix(end + 1);
  }
  read.rest = text;
  return read;
}

// ---- the declaration

Result<BankTile> read_tile(const std::string& declaration) {
  const auto wrong = [&](const std::string& what) {
    return fail("The declaration \"{}\": {}. Type it as in CUDA C++, such as float As[16][132].", declaration,
                what);
  };
  if (declaration.size() > kMostText) return fail("The declaration is longer than {} characters.", kMostText);
  std::string_view text = trimmed(declaration);
  if (text.ends_with(';')) text = trimmed(text.substr(0, text.size() - 1));
  if (text.starts_with("__shared__")) text = trimmed(text.substr(10));
  // The dimensions are the brackets at the end; the name may have an index of its own, as in stages[1].a.
  size_t first = text.size();
  while (first > 0 && text[first - 1] == ']') {
    const size_t open = text.rfind('[', first - 1);
    if (open == std::string_view::npos) return wrong("a ] has no [");
    first = open;
    while (first > 0 && text[first - 1] == ' ') --first;
  }
  if (first == text.size()) return wrong("it has no dimensions in brackets");
  const std::string_view head = trimmed(text.substr(0, first));
  const size_t blank = head.find_last_of(" \t");
  if (head.empty() || blank == std::string_view::npos) return wrong("it needs an element type and a name");
  BankTile tile;
  tile.name = head.substr(blank + 1);
  tile.type = trimmed(head.substr(0, blank));
  tile.layout.element_bytes = cuda_text::bytes_of_type(tile.type);
  if (tile.layout.element_bytes == 0 || tile.layout.element_bytes > 16)
    return wrong(fmt::format("\"{}\" is no element type that is known here", tile.type));
  std::vector<int64_t> sizes;
  for (const std::string& index : read_indices(text.substr(first)).texts) {
    const Result<int64_t> size = catalog::evaluate(index, {});
    if (!size) return wrong(size.error().message);
    if (*size < 1 || *size > kMostBytes)
      return wrong(fmt::format("a dimension of {} is not possible", *size));
    sizes.push_back(*size);
  }
  if (sizes.size() > 3) return wrong("it has more than three dimensions");
  tile.dimensions = static_cast<int>(sizes.size());
  sizes.insert(sizes.begin(), 3 - sizes.size(), 1);
  tile.layout.planes = sizes[0];
  tile.layout.rows = sizes[1];
  tile.layout.columns = sizes[2];
  const int64_t lines = sizes[0] * sizes[1];
  if (lines > kMostBytes || lines * sizes[2] > kMostBytes / tile.layout.element_bytes)
    return wrong("it is larger than 1 MiB, more than any SM has");
  return tile;
}

// ---- the swizzle

// Fills `swizzle` where the text is as expression_of writes it, else `places`.
Result<void> read_swizzle(const std::string& text, TileLayout& layout) {
  const std::string example = "Type an expression of row and column, such as column ^ (row & 7) << 2.";
  if (trimmed(text) == "column") return {};
  if (text.size() > kMostText)
    return fail("The swizzle is longer than {} characters. {}", kMostText, example);
  for (const metrics::XorSwizzle& known : metrics::xor_swizzles(layout))
    if (trimmed(text) == metrics::expression_of(known, layout)) return layout.swizzle = known, Result<void>{};
  if (layout.rows * layout.columns > kMostSwizzled)
    return fail(
        "The swizzle \"{}\" is of no form that the slider offers, and such a one is computed for tiles of up "
        "to {} elements. {}",
        text, kMostSwizzled, example);
  layout.places.resize(static_cast<size_t>(layout.rows * layout.columns));
  catalog::Values values = {{"row", 0}, {"column", 0}};
  std::vector<int64_t> holder(static_cast<size_t>(layout.columns));
  for (int64_t row = 0; row < layout.rows; ++row) {
    std::fill(holder.begin(), holder.end(), -1);
    values["row"] = row;
    for (int64_t column = 0; column < layout.columns; ++column) {
      values["column"] = column;
      const Result<int64_t> place = catalog::evaluate(text, values);
      if (!place) return fail("The swizzle: {}. {}", place.error().message, example);
      if (*place < 0 || *place >= layout.columns)
        return fail("The swizzle \"{}\" puts column {} of row {} at {}, and a row has places 0 to {}. {}",
                    text, column, row, *place, layout.columns - 1, example);
      int64_t& held = holder[static_cast<size_t>(*place)];
      if (held >= 0)
        return fail("The swizzle \"{}\" puts columns {} and {} of row {} at the same place, {}. {}", text,
                    held, column, row, *place, example);
      held = column;
      layout.places[static_cast<size_t>(row * layout.columns + column)] = static_cast<int32_t>(*place);
    }
  }
  return {};
}

// ---- an access

bool is_matrix_count(std::string_view type) { return type == "x1" || type == "x2" || type == "x4"; }

class AccessReader {
 public:
  AccessReader(const BankQuestion& question, const BankTile& tile, const std::string& text)
      : question_(question), tile_(tile), text_(text) {}

  Result<BankAccess> read() {
    if (text_.size() > kMostText) return fail("{} It is longer than {} characters.", begin(), kMostText);
    access_.text = text_;
    const AccessText parts = split_access(text_);
    if (auto widths = read_width(parts); !widths) return tl::unexpected(widths.error());
    auto target = parts.target.starts_with("bytes") ? read_table(parts.target) : read_target(parts.target);
    if (!target) return tl::unexpected(target.error());
    return std::move(access_);
  }

 private:
  std::string begin() const { return fmt::format("The access \"{}\":", text_.substr(0, 80)); }
  std::string example() const {
    return fmt::format("Type it such as load {}{}.", tile_.name,
                       tile_.dimensions == 1   ? "[lane * 2]"
                       : tile_.dimensions == 2 ? "[lane][k]"
                                               : "[0][lane][k]");
  }
  template <typename... Args>
  tl::unexpected<Error> wrong(fmt::format_string<Args...> format, Args&&... args) const {
    return fail("{} {} {}", begin(), fmt::format(format, std::forward<Args>(args)...), example());
  }

  Result<void> read_width(const AccessText& parts) {
    TileAccess& now = access_.now;
    now.op = parts.op;
    if (parts.op == SharedOp::matrix_load) {
      now.words = parts.type == "x1" ? 1 : parts.type == "x2" ? 2 : 4;
      now.bytes = 16;
      if (!parts.type.empty() && !is_matrix_count(parts.type))
        return wrong("ldmatrix loads x1, x2 or x4 matrices, not {}.", parts.type);
      return {};
    }
    const uint32_t bytes =
        parts.type.empty() ? tile_.layout.element_bytes : cuda_text::bytes_of_type(parts.type);
    if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16)
      return wrong("\"{}\" is no type that one instruction accesses.", parts.type);
    if (bytes < tile_.layout.element_bytes)
      return wrong("{} is narrower than the tile's {}.", parts.type, tile_.type);
    now.bytes = static_cast<int>(bytes);
    now.words = std::max(1, now.bytes / 4);
    return {};
  }

  // The values of the names for a lane.
  void set_names(const std::array<int64_t, 3>& loop, int64_t lane) {
    const int64_t x = question_.block_dim[0], y = question_.block_dim[1];
    const int64_t tid = question_.warp * machine::kWarpLanes + lane;
    values_["lane"] = lane;
    values_["warp"] = question_.warp;
    values_["tid"] = tid;
    values_["threadIdx.x"] = tid % x;
    values_["threadIdx.y"] = tid / x % y;
    values_["threadIdx.z"] = tid / x / y;
    values_["blockDim.x"] = x;
    values_["blockDim.y"] = y;
    for (size_t v = 0; v < loop.size(); ++v) values_[kLoopVariables[v]] = loop[v];
  }

  Result<void> read_target(std::string_view target) {
    if (!target.starts_with(tile_.name)) {
      const std::string_view name = target.substr(0, target.find('['));
      return wrong("it names \"{}\", and the tile is {}.", trimmed(name), tile_.name);
    }
    target.remove_prefix(tile_.name.size());
    const Indices indices = read_indices(target);
    if (indices.open) return wrong("a ] is missing.");
    if (static_cast<int>(indices.texts.size()) != tile_.dimensions)
      return wrong("it has {} of the {} indices of {}.", indices.texts.size(), tile_.dimensions, tile_.name);
    std::string_view rest = trimmed(indices.rest);
    if (rest.ends_with(';')) rest = trimmed(rest.substr(0, rest.size() - 1));
    if (!rest.empty() && take_word(rest) != "if") return wrong("after the indices only \"if\" may follow.");
    indices_ = indices.texts;
    condition_ = rest;
    find_uses();
    if (auto read = read_lanes(question_.loop, access_.now); !read) return read;
    vary_loops();
    return {};
  }

  void find_uses() {
    std::set<std::string> used;
    std::vector<std::string> texts = indices_;
    texts.push_back(condition_);
    const auto part = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
             c == '.';
    };
    for (const std::string& text : texts)
      for (size_t i = 0; i < text.size();) {
        size_t end = i;
        while (end < text.size() && part(text[end])) ++end;
        if (end > i) used.insert(text.substr(i, end - i));
        i = std::max(end, i + 1);
      }
    access_.uses.assign(used.begin(), used.end());
  }

  Result<void> read_lanes(const std::array<int64_t, 3>& loop, TileAccess& into) {
    into.mask = 0;
    for (int64_t lane = 0; lane < machine::kWarpLanes; ++lane) {
      set_names(loop, lane);
      if (!condition_.empty()) {
        const Result<int64_t> active = catalog::evaluate(condition_, values_);
        if (!active) return wrong("{}.", active.error().message);
        if (*active == 0) continue;
      }
      into.mask |= 1u << lane;
      if (auto element = read_element(into, static_cast<size_t>(lane)); !element) return element;
    }
    if (into.mask == 0) return wrong("its condition holds for no lane.");
    return {};
  }

  Result<void> read_element(TileAccess& into, size_t lane) {
    const TileLayout& layout = tile_.layout;
    const std::array<int64_t, 3> sizes{layout.planes, layout.rows, layout.columns};
    std::array<int64_t, 3> at{};
    const size_t first = 3 - indices_.size();
    for (size_t i = 0; i < indices_.size(); ++i) {
      const Result<int64_t> index = catalog::evaluate(indices_[i], values_);
      if (!index) return wrong("{}.", index.error().message);
      at[first + i] = *index;
      if (*index < 0 || *index >= sizes[first + i])
        return wrong("lane {} has index {} in [{}], and that dimension of {} ends at {}.", lane, *index,
                     indices_[i], tile_.name, sizes[first + i] - 1);
    }
    into.line[lane] = at[0] * layout.rows + at[1];
    into.column[lane] = at[2];
    return check_end(into, lane);
  }

  // A wide access may reach into the next row, not over the end of the tile.
  Result<void> check_end(const TileAccess& into, size_t lane) const {
    const TileLayout& layout = tile_.layout;
    const int64_t bytes = layout.planes * layout.rows * layout.columns * layout.element_bytes;
    const int64_t at = (into.line[lane] * layout.columns + into.column[lane]) * layout.element_bytes;
    if (at + into.bytes > bytes)
      return wrong("lane {} accesses {} bytes from byte {}, and {} ends at byte {}.", lane, into.bytes, at,
                   tile_.name, bytes);
    return {};
  }

  void vary_loops() {
    for (size_t v = 0; v < question_.loop.size(); ++v) {
      if (std::find(access_.uses.begin(), access_.uses.end(), kLoopVariables[v]) == access_.uses.end())
        continue;
      std::array<int64_t, 3> loop = question_.loop;
      for (loop[v] = 0; loop[v] < kOtherValues; ++loop[v]) {
        TileAccess other = access_.now;
        if (loop[v] != question_.loop[v] && read_lanes(loop, other)) access_.others.push_back(other);
      }
    }
  }

  Result<void> read_table(std::string_view target) {
    access_.table = true;
    target.remove_prefix(5);
    target = trimmed(target);
    if (!target.starts_with('{') || !target.ends_with('}')) return wrong("a table is bytes {{0, 4, …}}.");
    target = target.substr(1, target.size() - 2);
    size_t lane = 0;
    access_.now.mask = 0;
    while (!target.empty() || lane < machine::kWarpLanes) {
      if (lane >= machine::kWarpLanes)
        return wrong("a table has 32 offsets, one for each lane, and this one has more.");
      if (target.empty())
        return wrong("a table has 32 offsets, one for each lane, and this one has {}.", lane);
      const size_t end = std::min(target.find(','), target.size());
      if (auto read = read_offset(trimmed(target.substr(0, end)), lane++); !read) return read;
      target.remove_prefix(std::min(end + 1, target.size()));
    }
    if (access_.now.mask == 0) return wrong("every lane is idle.");
    return {};
  }

  Result<void> read_offset(std::string_view text, size_t lane) {
    if (text == "-") return {};
    const TileLayout& layout = tile_.layout;
    int64_t byte = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), byte);
    if (error != std::errc{} || end != text.data() + text.size() || byte < 0)
      return wrong("\"{}\" of lane {} is no byte offset.", text, lane);
    if (byte % layout.element_bytes != 0)
      return wrong("byte {} of lane {} is no begin of a {} of {} bytes.", byte, lane, tile_.type,
                   layout.element_bytes);
    access_.now.mask |= 1u << lane;
    access_.now.line[lane] = byte / (layout.columns * layout.element_bytes);
    access_.now.column[lane] = byte / layout.element_bytes % layout.columns;
    return check_end(access_.now, lane);
  }

  const BankQuestion& question_;
  const BankTile& tile_;
  const std::string& text_;
  BankAccess access_;
  std::vector<std::string> indices_;
  std::string condition_;
  catalog::Values values_;
};

Result<void> check_block(const BankQuestion& question) {
  const int64_t x = question.block_dim[0], y = question.block_dim[1];
  if (x < 1 || y < 1 || x > 1024 || y > 1024)
    return fail("A block of {} × {} threads is not possible: each side is 1 to 1024.", x, y);
  if (question.warp < 0 || question.warp > 31)
    return fail("There is no warp {}: a block has warps 0 to 31.", question.warp);
  return {};
}

}  // namespace

AccessText split_access(const std::string& text) {
  AccessText parts;
  std::string_view rest = trimmed(text);
  std::string_view after = rest;
  const std::string_view word = take_word(after);
  constexpr std::string_view kMatrix = "ldmatrix";
  if (word == "load" || word == "store") {
    parts.op = word == "load" ? SharedOp::load : SharedOp::store;
    rest = after;
  } else if (word.starts_with(kMatrix) && (word.size() == kMatrix.size() || word[kMatrix.size()] == '.')) {
    parts.op = SharedOp::matrix_load;
    parts.type = word.size() > kMatrix.size() ? word.substr(kMatrix.size() + 1) : "";
    rest = after;
  }
  // A type stands before a blank that is in front of the name.
  after = rest;
  const std::string_view type = take_word(after);
  if (parts.op != SharedOp::matrix_load && !after.empty() && after.front() != '[' && after.front() != '{' &&
      type != "bytes" && type.find('[') == std::string_view::npos) {
    parts.type = type;
    rest = after;
  }
  parts.target = rest;
  return parts;
}

std::string join_access(const AccessText& parts) {
  if (parts.op == SharedOp::matrix_load)
    return fmt::format("ldmatrix{}{} {}", parts.type.empty() ? "" : ".", parts.type, parts.target);
  return fmt::format("{} {}{}{}", parts.op == SharedOp::load ? "load" : "store", parts.type,
                     parts.type.empty() ? "" : " ", parts.target);
}

namespace {

// The bank that most words of one group fall into, and the lanes that want them.
struct WorstBank {
  size_t bank = 0;
  int words = 0;
  uint32_t lanes = 0;
};
WorstBank worst_bank(const metrics::SharedAccess& access) {
  WorstBank worst;
  std::array<WorstBank, metrics::kBanks> banks;
  int group = -1;
  for (const metrics::Wavefront& wavefront : metrics::wavefronts(access)) {
    if (wavefront.group != group) banks = {};
    group = wavefront.group;
    for (size_t b = 0; b < metrics::kBanks; ++b) {
      if (wavefront.word[b] < 0) continue;
      banks[b].bank = b;
      ++banks[b].words;
      banks[b].lanes |= wavefront.served[b];
      if (banks[b].words > worst.words) worst = banks[b];
    }
  }
  return worst;
}

std::string lanes_text(uint32_t lanes) {
  std::string text;
  for (int first = 0; first < machine::kWarpLanes; ++first) {
    if ((lanes >> first & 1u) == 0) continue;
    int last = first;
    while (last + 1 < machine::kWarpLanes && (lanes >> (last + 1) & 1u) != 0) ++last;
    text += (text.empty() ? "" : ", ") +
            (last > first ? fmt::format("{}\u2013{}", first, last) : std::to_string(first));
    first = last;
  }
  return text;
}

}  // namespace

std::string sentence_of(const BankAccess& access) {
  const metrics::PlacedAccess& where = access.where;
  if (where.misfit == metrics::Misfit::misaligned)
    return fmt::format(
        "Lane {} accesses {} bytes at byte {}, which is no multiple of {}: a GPU faults. Pad by another "
        "number.",
        where.lane, access.now.bytes, where.address, access.now.bytes);
  if (where.misfit == metrics::Misfit::torn)
    return fmt::format(
        "The swizzle moves the elements of lane {}'s {} bytes apart: one instruction cannot access them.",
        where.lane, access.now.bytes);
  if (access.count.excess() == 0)
    return access.count.minimum == 1
               ? "One wavefront serves all lanes."
               : fmt::format("{} wavefronts, and so many bytes cannot go through 32 banks in fewer.",
                             access.count.minimum);
  const WorstBank worst = worst_bank(where.access);
  return fmt::format("Lanes {} want {} different words of bank {}, one after the other.",
                     lanes_text(worst.lanes), worst.words, worst.bank);
}

bool BankAnswer::uses(const std::string& name) const {
  return std::any_of(accesses.begin(), accesses.end(), [&](const BankAccess& access) {
    return std::find(access.uses.begin(), access.uses.end(), name) != access.uses.end();
  });
}

bool BankAnswer::uses_block() const {
  return uses("tid") || uses("threadIdx.x") || uses("threadIdx.y") || uses("threadIdx.z") ||
         uses("blockDim.x") || uses("blockDim.y");
}

tl::expected<BankAnswer, BankMistake> answer(const BankQuestion& question) {
  const auto mistake = [](Field field, const Error& error, size_t access = 0) {
    return tl::unexpected(BankMistake{field, access, error.message});
  };
  BankAnswer result;
  Result<BankTile> tile = read_tile(question.declaration);
  if (!tile) return mistake(Field::declaration, tile.error());
  if (const auto block = check_block(question); !block) return mistake(Field::block, block.error());
  result.tile = std::move(*tile);
  TileLayout& layout = result.tile.layout;
  layout.padding = std::clamp(question.padding, 0, metrics::kMostPadding);
  if (const auto swizzle = read_swizzle(question.swizzle, layout); !swizzle)
    return mistake(Field::swizzle, swizzle.error());
  if (question.accesses.empty())
    return mistake(Field::access,
                   {"There is no access. Add one, such as load " + result.tile.name + "[lane][k]."});
  for (size_t i = 0; i < question.accesses.size(); ++i) {
    Result<BankAccess> access = AccessReader(question, result.tile, question.accesses[i]).read();
    if (!access) return mistake(Field::access, access.error(), i);
    access->where = metrics::placed(layout, access->now);
    access->count = metrics::count_wavefronts(access->where.access);
    access->degree = metrics::conflict_degree(access->where.access);
    result.accesses.push_back(std::move(*access));
  }
  return result;
}

std::vector<TileAccess> all_instances(const BankAnswer& answer) {
  std::vector<TileAccess> all;
  for (const BankAccess& access : answer.accesses) all.push_back(access.now);
  for (const BankAccess& access : answer.accesses)
    all.insert(all.end(), access.others.begin(), access.others.end());
  return all;
}

}  // namespace gemmscope::experiment
