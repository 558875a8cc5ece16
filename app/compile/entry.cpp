#include "compile/entry.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

#include "compile/file_io.h"
#include "compile/sha256.h"

namespace gemmscope::compile {
namespace {

static_assert(std::endian::native == std::endian::little, "the header is written as it is in memory");

constexpr std::array<char, 8> kMagic = {'G', 'S', 'C', 'U', 'B', 'I', 'N', '\n'};
constexpr uint32_t kFormatVersion = 1;

struct Header {
  std::array<char, 8> magic = kMagic;
  uint32_t format_version = kFormatVersion, description_bytes = 0;
  uint64_t cubin_bytes = 0, log_bytes = 0;
  Digest checksum{};
};
static_assert(sizeof(Header) == 64);

Digest digest_of(std::span<const std::byte> bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.finish();
}

std::string describe(const Entry& entry) {
  nlohmann::json description = {{"key", entry.key},
                                {"arch", entry.arch},
                                {"compiler", entry.compiler},
                                {"macros", entry.macros},
                                {"options", entry.options}};
  if (!entry.symbol.empty()) description["symbol"] = entry.symbol;
  // The user may type any options, and invalid UTF-8 must not throw.
  return description.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool all_strings(const nlohmann::json& values) {
  for (const auto& value : values)
    if (!value.is_string()) return false;
  return true;
}

bool read_description(std::string_view text, Entry& entry) {
  const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return false;
  for (const char* name : {"key", "arch", "compiler"})
    if (!json.contains(name) || !json[name].is_string()) return false;
  if (!json.contains("macros") || !json["macros"].is_object() || !all_strings(json["macros"])) return false;
  if (!json.contains("options") || !json["options"].is_array() || !all_strings(json["options"])) return false;
  if (json.contains("symbol") && !json["symbol"].is_string()) return false;
  entry.symbol = json.value("symbol", "");
  entry.key = json["key"];
  entry.arch = json["arch"];
  entry.compiler = json["compiler"];
  entry.macros = json["macros"].get<std::map<std::string, std::string>>();
  entry.options = json["options"].get<std::vector<std::string>>();
  return true;
}

}  // namespace

std::vector<std::byte> encode_entry(const Entry& entry) {
  const std::string description = describe(entry);
  std::vector<std::byte> bytes(sizeof(Header));
  for (const auto part :
       {as_bytes(description), std::span<const std::byte>(entry.cubin), as_bytes(entry.log)})
    bytes.insert(bytes.end(), part.begin(), part.end());
  Header header;
  header.description_bytes = static_cast<uint32_t>(description.size());
  header.cubin_bytes = entry.cubin.size();
  header.log_bytes = entry.log.size();
  header.checksum = digest_of(std::span(bytes).subspan(sizeof header));
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

Result<Entry> decode_entry(std::span<const std::byte> bytes, std::string_view origin) {
  Header header;
  if (bytes.size() < sizeof header) return fail("{} is truncated: {} bytes", origin, bytes.size());
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != kMagic) return fail("{} is not a file of compiled kernels of GEMMscope", origin);
  if (header.format_version != kFormatVersion)
    return fail("{} has format version {}; this program reads {}", origin, header.format_version,
                kFormatVersion);
  const auto payload = bytes.subspan(sizeof header);
  uint64_t left = payload.size();
  for (const uint64_t size : {uint64_t{header.description_bytes}, header.cubin_bytes, header.log_bytes}) {
    if (size > left) return fail("{} is truncated: {} bytes", origin, bytes.size());
    left -= size;
  }
  if (left != 0 || digest_of(payload) != header.checksum)
    return fail("{} is damaged: its checksum does not match its contents", origin);
  Entry entry;
  const auto text_at = [&](uint64_t offset, uint64_t size) {
    return std::string_view(reinterpret_cast<const char*>(payload.data()) + offset, size);
  };
  if (!read_description(text_at(0, header.description_bytes), entry))
    return fail("{} is damaged: its description cannot be read", origin);
  const auto cubin = payload.subspan(header.description_bytes, header.cubin_bytes);
  entry.cubin.assign(cubin.begin(), cubin.end());
  entry.log = text_at(header.description_bytes + header.cubin_bytes, header.log_bytes);
  return entry;
}

}  // namespace gemmscope::compile
