#include "compile/packed_cubin.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "compile/file_io.h"

namespace gemmscope::compile {
namespace {

constexpr size_t kLeastRun = 256;              // a shorter one costs less as it is
constexpr uint32_t kMostCubinBytes = 1 << 28;  // what a damaged block may ask for

struct Run {
  uint32_t offset = 0, bytes = 0;
};

std::vector<Run> runs_of_zeros(std::span<const std::byte> bytes) {
  std::vector<Run> runs;
  for (size_t i = 0; i < bytes.size();) {
    size_t end = i;
    while (end < bytes.size() && bytes[end] == std::byte{0}) ++end;
    if (end - i >= kLeastRun) runs.push_back({static_cast<uint32_t>(i), static_cast<uint32_t>(end - i)});
    i = std::max(end, i + 1);
  }
  return runs;
}

void append_number(std::vector<std::byte>& bytes, size_t number) {
  const auto value = static_cast<uint32_t>(number);
  const auto* first = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof value);
}

// Takes from the front of a block. After a failure everything is empty or 0.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> rest) : rest_(rest) {}

  std::span<const std::byte> take(size_t bytes) {
    if (bytes > rest_.size()) failed_ = true;
    if (failed_) return {};
    const auto taken = rest_.first(bytes);
    rest_ = rest_.subspan(bytes);
    return taken;
  }
  uint32_t number() {
    uint32_t value = 0;
    if (const auto bytes = take(sizeof value); !bytes.empty())
      std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  bool failed() const { return failed_; }
  size_t left() const { return rest_.size(); }

 private:
  std::span<const std::byte> rest_;
  bool failed_ = false;
};

struct Record {
  uint32_t cubin_bytes = 0;
  std::vector<Run> runs;
  std::span<const std::byte> kept, log;
};

// Runs must lie inside the cubin, in order and apart.
std::optional<Record> read_record(Reader& reader) {
  Record record;
  record.cubin_bytes = reader.number();
  const uint32_t log_bytes = reader.number(), runs = reader.number();
  if (reader.failed() || record.cubin_bytes > kMostCubinBytes || runs > reader.left() / sizeof(Run))
    return {};
  uint64_t end = 0, left_out = 0;
  for (uint32_t i = 0; i < runs; ++i) {
    const uint32_t offset = reader.number(), bytes = reader.number();
    record.runs.push_back({offset, bytes});
    if (offset < end) return {};
    end = uint64_t{offset} + bytes;
    left_out += bytes;
  }
  if (end > record.cubin_bytes) return {};
  record.kept = reader.take(record.cubin_bytes - left_out);
  record.log = reader.take(log_bytes);
  if (reader.failed()) return {};
  return record;
}

}  // namespace

std::vector<std::byte> store_cubin(std::span<const std::byte> cubin, std::string_view log) {
  const std::vector<Run> runs = runs_of_zeros(cubin);
  std::vector<std::byte> stored;
  for (const size_t number : {cubin.size(), log.size(), runs.size()}) append_number(stored, number);
  for (const Run& run : runs) append_number(stored, run.offset), append_number(stored, run.bytes);
  size_t at = 0;
  for (const Run& run : runs) {
    stored.insert(stored.end(), cubin.begin() + at, cubin.begin() + run.offset);
    at = size_t{run.offset} + run.bytes;
  }
  stored.insert(stored.end(), cubin.begin() + at, cubin.end());
  const auto log_bytes = as_bytes(log);
  stored.insert(stored.end(), log_bytes.begin(), log_bytes.end());
  return stored;
}

std::optional<StoredCubin> take_cubin(std::span<const std::byte> block, size_t number) {
  Reader reader(block);
  for (size_t i = 0; i < number; ++i)
    if (!read_record(reader)) return {};
  const auto record = read_record(reader);
  if (!record) return {};
  StoredCubin result{std::vector<std::byte>(record->cubin_bytes), std::string(record->log.size(), '\0')};
  std::memcpy(result.log.data(), record->log.data(), record->log.size());
  size_t at = 0, taken = 0;
  const auto copy_until = [&](size_t end) {
    std::copy_n(record->kept.begin() + taken, end - at, result.cubin.begin() + at);
    taken += end - at;
  };
  for (const Run& run : record->runs) {
    copy_until(run.offset);
    at = size_t{run.offset} + run.bytes;
  }
  copy_until(record->cubin_bytes);
  return result;
}

}  // namespace gemmscope::compile
