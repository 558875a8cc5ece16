#include "cubin/line_table.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <unordered_map>

#include "cubin/byte_reader.h"

namespace gemmscope::cubin {
namespace {

enum StandardOpcode : uint8_t {
  kExtended = 0,
  kCopy = 1,
  kAdvancePc = 2,
  kAdvanceLine = 3,
  kSetFile = 4,
  kConstAddPc = 8,
  kFixedAdvancePc = 9,
};
enum ExtendedOpcode : uint8_t { kEndSequence = 1, kSetAddress = 2, kInlinedCall = 0x90 };

// Without this limit a damaged file could demand far more text than it holds.
constexpr size_t kMostFileNameBytes = 16u << 20;

struct UnitHeader {
  uint8_t min_instruction_length = 1, line_range = 1, opcode_base = 1;
  int8_t line_base = 0;
  std::vector<uint8_t> operand_counts;  // entry i is for standard opcode i + 1
  std::vector<std::string_view> directories;
  struct File {
    std::string_view name;
    uint64_t directory = 0;
  };
  std::vector<File> files;  // numbered from 1
};

// The line machine's registers (DWARF 2.0, chapter 6.2.2) and the section to which `address` belongs.
struct LineState {
  uint32_t section = 0;
  uint64_t address = 0, file = 1;
  int64_t line = 1;
  // The row of the sequence, from 1, at whose place the function was inlined; 0: not inlined.
  uint64_t caller = 0;
};

// The calls inlined into one section, each listed once.
class CallList {
 public:
  // Returns the index of the call. A call beyond the limit of its chain is left out, and the chain keeps its
  // outer calls.
  uint32_t add(const InlinedCall& call) {
    const int depth = call.outer == kNoCall ? 1 : depths_[call.outer] + 1;
    if (depth > kMostInlinedCalls) return call.outer;
    const auto [place, added] =
        indexes_.try_emplace({call.file, call.line, call.outer}, static_cast<uint32_t>(calls_.size()));
    if (added) {
      calls_.push_back(call);
      depths_.push_back(depth);
    }
    return place->second;
  }
  std::vector<InlinedCall> take() { return std::move(calls_); }

 private:
  std::vector<InlinedCall> calls_;
  std::vector<int> depths_;  // for each call, the length of its chain outward
  std::map<std::array<uint32_t, 3>, uint32_t> indexes_;
};

UnitHeader read_unit_header(ByteReader& reader) {
  UnitHeader header;
  header.min_instruction_length = reader.read<uint8_t>();
  reader.read<uint8_t>();  // default_is_stmt
  header.line_base = reader.read<int8_t>();
  header.line_range = reader.read<uint8_t>();
  header.opcode_base = reader.read<uint8_t>();
  for (int i = 1; i < header.opcode_base; ++i) header.operand_counts.push_back(reader.read<uint8_t>());
  for (auto name = reader.c_string(); !name.empty(); name = reader.c_string())
    header.directories.push_back(name);
  for (auto name = reader.c_string(); !name.empty(); name = reader.c_string()) {
    header.files.push_back({name, reader.uleb128()});
    reader.uleb128();  // time of the last change
    reader.uleb128();  // length
  }
  return header;
}

class LineTableReader {
 public:
  LineTableReader(const ElfFile& elf, std::string_view origin) : elf_(elf), origin_(origin) {}

  Result<LineTable> read() {
    const uint32_t index = elf_.find(".debug_line");
    if (index == 0) return LineTable{};
    const auto relocations = read_relocations(elf_, index, origin_);
    if (!relocations) return tl::unexpected(relocations.error());
    for (const Relocation& relocation : *relocations) relocations_[relocation.offset] = relocation;
    ByteReader reader(elf_.sections[index].bytes);
    while (!reader.at_end())
      if (const auto unit = read_unit(reader); !unit) return tl::unexpected(unit.error());
    for (auto& [section, rows] : table_.rows_by_section) sort_rows(rows);
    for (auto& [section, calls] : calls_) table_.calls_by_section[section] = calls.take();
    return std::move(table_);
  }

 private:
  tl::unexpected<Error> damaged(std::string_view how) const {
    return fail("{}: the line table (.debug_line) is damaged: {}", origin_, how);
  }

  Result<void> read_unit(ByteReader& section_reader) {
    const auto length = section_reader.read<uint32_t>();
    const size_t start = section_reader.position();
    const auto bytes = section_reader.take(length);
    if (section_reader.failed()) return damaged("a unit is truncated");
    ByteReader reader(bytes);
    const auto version = reader.read<uint16_t>();
    if (version != 2 && version != 3)
      return fail("{}: the line table has DWARF version {}; only 2 and 3 can be read", origin_, version);
    const auto header_length = reader.read<uint32_t>();
    const size_t program = reader.position() + header_length;
    header_ = read_unit_header(reader);
    file_indexes_.clear();
    if (reader.failed() || header_.line_range == 0 || header_.opcode_base == 0)
      return damaged("a header is truncated");
    return run(ByteReader(bytes, program), start);
  }

  // `unit_start` is the unit's offset in .debug_line, which relocations need.
  Result<void> run(ByteReader reader, size_t unit_start) {
    end_sequence();
    while (!reader.at_end()) {
      const auto opcode = reader.read<uint8_t>();
      if (opcode >= header_.opcode_base) {
        step_special(opcode);
        if (auto row = add_row(); !row) return row;
      } else if (opcode == kExtended) {
        if (auto done = run_extended(reader, unit_start); !done) return done;
      } else if (opcode == kCopy) {
        if (auto row = add_row(); !row) return row;
      } else {
        run_standard(opcode, reader);
      }
    }
    if (reader.failed()) return damaged("a line program is truncated");
    return {};
  }

  void end_sequence() {
    state_ = {};
    sequence_.clear();
  }

  void advance(uint64_t operation_advance) {
    state_.address += operation_advance * header_.min_instruction_length;
  }

  void step_special(uint8_t opcode) {
    const int adjusted = opcode - header_.opcode_base;
    advance(static_cast<uint64_t>(adjusted / header_.line_range));
    add_lines(header_.line_base + adjusted % header_.line_range);
  }

  // Wraps instead of overflowing. The sum of damaged operands is checked when a row is added.
  void add_lines(int64_t lines) {
    state_.line = static_cast<int64_t>(static_cast<uint64_t>(state_.line) + static_cast<uint64_t>(lines));
  }

  void run_standard(uint8_t opcode, ByteReader& reader) {
    switch (opcode) {
      case kAdvancePc:
        advance(reader.uleb128());
        break;
      case kAdvanceLine:
        add_lines(reader.sleb128());
        break;
      case kSetFile:
        state_.file = reader.uleb128();
        break;
      case kConstAddPc:
        advance(static_cast<uint64_t>((255 - header_.opcode_base) / header_.line_range));
        break;
      case kFixedAdvancePc:
        state_.address += reader.read<uint16_t>();
        break;
      default:  // skips columns, flags, and opcodes that only the header describes
        for (int i = 0; i < header_.operand_counts[opcode - 1u]; ++i) reader.uleb128();
    }
  }

  Result<void> run_extended(ByteReader& reader, size_t unit_start) {
    const auto length = reader.uleb128();
    const size_t operand_position = unit_start + reader.position() + 1;
    const auto operation = reader.take(length);
    if (reader.failed() || length == 0) return damaged("an extended operation is truncated");
    ByteReader operands(operation);
    const auto opcode = operands.read<uint8_t>();
    if (opcode == kEndSequence) end_sequence();
    if (opcode == kSetAddress) set_address(operand_position);
    if (opcode == kInlinedCall) state_.caller = operands.uleb128();
    if (operands.failed()) return damaged("an inlined call is truncated");
    return {};
  }

  // The operand is not the address itself: the relocation names the section and the offset in it.
  void set_address(size_t operand_position) {
    const auto found = relocations_.find(operand_position);
    if (found == relocations_.end()) {
      state_.section = 0;
      return;
    }
    const Symbol& symbol = elf_.symbols[found->second.symbol];
    state_.section = symbol.section;
    state_.address = symbol.value + static_cast<uint64_t>(found->second.addend);
  }

  Result<void> add_row() {
    if (state_.section == 0) return {};
    if (state_.address >= elf_.sections[state_.section].bytes.size())
      return damaged("a row lies past the end of the kernel's code");
    if (state_.line < 0 || state_.line > INT32_MAX) return damaged("a row's line number is out of range");
    const auto file = file_index(state_.file);
    if (!file) return tl::unexpected(file.error());
    const LineEntry row{static_cast<uint32_t>(state_.address), *file, static_cast<uint32_t>(state_.line),
                        inlined_call()};
    sequence_.push_back({row, state_.section});
    // Line 0: code of no line (DWARF 5, 6.2.2), which stays with the line before it.
    if (state_.line != 0) table_.rows_by_section[state_.section].push_back(row);
    return {};
  }

  // Returns the call that the state's caller names. Only earlier rows can be named, so no chain has a cycle.
  uint32_t inlined_call() {
    if (state_.caller == 0 || state_.caller > sequence_.size()) return kNoCall;
    const SequenceRow& caller = sequence_[state_.caller - 1];
    if (caller.section != state_.section) return kNoCall;
    return calls_[state_.section].add({caller.row.file, caller.row.line, caller.row.call});
  }

  // Returns the index into table_.files of the unit's file `number`.
  Result<uint32_t> file_index(uint64_t number) {
    if (const auto known = file_indexes_.find(number); known != file_indexes_.end()) return known->second;
    if (number == 0 || number > header_.files.size()) return damaged("a row names a file that is not listed");
    const UnitHeader::File& file = header_.files[number - 1];
    std::filesystem::path path = file.name;
    if (file.directory > header_.directories.size())
      return damaged("a file names a folder that is not listed");
    if (file.directory != 0) path = std::filesystem::path(header_.directories[file.directory - 1]) / path;
    const std::string text = path.lexically_normal().string();
    const auto [place, added] = all_files_.try_emplace(text, static_cast<uint32_t>(table_.files.size()));
    if (added) {
      file_name_bytes_ += text.size();
      if (file_name_bytes_ > kMostFileNameBytes) return damaged("its file names are too long");
      table_.files.push_back(text);
    }
    file_indexes_[number] = place->second;
    return place->second;
  }

  // If an address has several rows, the last one counts.
  static void sort_rows(std::vector<LineEntry>& rows) {
    std::stable_sort(rows.begin(), rows.end(),
                     [](const LineEntry& a, const LineEntry& b) { return a.address < b.address; });
    std::vector<LineEntry> kept;
    for (const LineEntry& row : rows) {
      if (!kept.empty() && kept.back().address == row.address) kept.pop_back();
      kept.push_back(row);
    }
    rows = std::move(kept);
  }

  struct SequenceRow {
    LineEntry row;
    uint32_t section = 0;
  };

  const ElfFile& elf_;
  std::string_view origin_;
  std::unordered_map<uint64_t, Relocation> relocations_;  // by offset in .debug_line
  LineTable table_;
  std::unordered_map<std::string, uint32_t> all_files_;
  size_t file_name_bytes_ = 0;
  UnitHeader header_;                                    // the header of the current unit
  std::unordered_map<uint64_t, uint32_t> file_indexes_;  // the files of the current unit
  LineState state_;
  std::vector<SequenceRow> sequence_;   // rows of the current sequence
  std::map<uint32_t, CallList> calls_;  // by section
};

}  // namespace

Result<LineTable> read_line_table(const ElfFile& elf, std::string_view origin) {
  return LineTableReader(elf, origin).read();
}

}  // namespace gemmscope::cubin
