#include "compile/pack_file.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "compile/file_io.h"
#include "compile/packed_cubin.h"
#include "compile/raw_lzma.h"
#include "compile/sha256.h"

namespace gemmscope::compile {
namespace {

using Bytes = std::vector<std::byte>;
using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "the header is written as it is in memory");

constexpr std::array<char, 8> kMagic = {'G', 'S', 'C', 'P', 'A', 'C', 'K', '\n'};
constexpr uint32_t kFormatVersion = 1;
// More per block: a smaller file, and a longer wait for the first variant of a block.
constexpr size_t kCubinsPerBlock = 64;
// What a damaged or hostile file may ask for.
constexpr uint64_t kMostIndexBytes = 16u << 20, kMostBlockBytes = 64u << 20;

struct Header {
  std::array<char, 8> magic = kMagic;
  uint32_t format_version = kFormatVersion, index_bytes = 0;
  uint64_t index_text_bytes = 0;
  Digest checksum{};
};
static_assert(sizeof(Header) == 56);

std::string digest_of(std::span<const std::byte> bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hex(hash.finish());
}

void append(Bytes& bytes, std::span<const std::byte> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

struct PackedBlock {
  Bytes packed;
  size_t unpacked_bytes = 0, first_cubin = 0;
};

std::vector<PackedBlock> pack_blocks(const std::vector<Bytes>& cubins) {
  std::vector<PackedBlock> blocks;
  for (size_t first = 0, last = 0; first < cubins.size(); first = last) {
    last = first == 0 ? 1 : std::min(cubins.size(), first + kCubinsPerBlock);
    Bytes block;
    for (size_t i = first; i < last; ++i) append(block, cubins[i]);
    blocks.push_back({first == 0 ? pack_bytes(block) : pack_bytes(block, cubins[0]), block.size(), first});
  }
  return blocks;
}

}  // namespace

void PackWriter::add(MacroValues changes, std::vector<std::byte> cubin, std::string log) {
  Bytes stored = store_cubin(cubin, log);
  const auto [place, is_new] = known_.try_emplace(stored, cubins_.size());
  if (is_new) cubins_.push_back(std::move(stored));
  variants_.emplace_back(std::move(changes), place->second);
}

std::vector<std::byte> PackWriter::finish() const {
  const std::vector<PackedBlock> blocks = pack_blocks(cubins_);
  json block_list = json::array(), variants = json::array();
  for (const PackedBlock& block : blocks)
    block_list.push_back(
        {block.packed.size(), block.unpacked_bytes, block.first_cubin, digest_of(block.packed)});
  for (const auto& [changes, cubin] : variants_) variants.push_back({changes, cubin});
  const json index = {{"key", head_.key},         {"arch", head_.arch},     {"compiler", head_.compiler},
                      {"options", head_.options}, {"macros", head_.macros}, {"variants", variants},
                      {"blocks", block_list}};
  const std::string text = index.dump();
  const Bytes packed_index = pack_bytes(as_bytes(text));
  Header header;
  header.index_bytes = static_cast<uint32_t>(packed_index.size());
  header.index_text_bytes = text.size();
  Sha256 hash;
  hash.add(packed_index);
  header.checksum = hash.finish();
  Bytes file(sizeof header);
  std::memcpy(file.data(), &header, sizeof header);
  append(file, packed_index);
  for (const PackedBlock& block : blocks) append(file, block.packed);
  return file;
}

struct PackFile::Block {
  uint64_t offset = 0;
  size_t packed_bytes = 0, unpacked_bytes = 0, first_cubin = 0;
  std::string digest;
  std::mutex mutex;  // guards the next
  std::optional<Bytes> unpacked;

  Block() = default;
  Block(Block&& other) noexcept
      : offset(other.offset),
        packed_bytes(other.packed_bytes),
        unpacked_bytes(other.unpacked_bytes),
        first_cubin(other.first_cubin),
        digest(std::move(other.digest)) {}
};

PackFile::PackFile() = default;
PackFile::~PackFile() = default;

Result<std::shared_ptr<const PackFile>> PackFile::open(const std::filesystem::path& path) {
  const std::shared_ptr<PackFile> file(new PackFile);
  file->path_ = path;
  const auto start = file->read_at(0, sizeof(Header));
  if (!start) return tl::unexpected(start.error());
  Header header;
  std::memcpy(&header, start->data(), sizeof header);
  file->header_ = *start;
  if (header.magic != kMagic)
    return fail("{} is not a file of GEMMscope's prebuilt machine code", path.string());
  if (header.format_version != kFormatVersion)
    return fail("{} has format version {}; this program reads {}", path.string(), header.format_version,
                kFormatVersion);
  if (header.index_bytes > kMostIndexBytes || header.index_text_bytes > kMostIndexBytes)
    return fail("{} is damaged: its index is too large", path.string());
  const auto packed = file->read_at(sizeof header, header.index_bytes);
  if (!packed) return tl::unexpected(packed.error());
  Sha256 hash;
  hash.add(*packed);
  if (hash.finish() != header.checksum)
    return fail("{} is damaged: its index does not match its checksum", path.string());
  const auto text = unpack_bytes(*packed, header.index_text_bytes);
  if (!text) return fail("{} is damaged: its index cannot be unpacked", path.string());
  if (const auto read = file->read_index(*text); !read) return tl::unexpected(read.error());
  uint64_t offset = sizeof header + header.index_bytes;
  for (Block& block : *file->blocks_) {
    block.offset = offset;
    offset += block.packed_bytes;
  }
  return file;
}

Result<void> PackFile::read_index(const std::vector<std::byte>& text) {
  const auto* characters = reinterpret_cast<const char*>(text.data());
  try {
    const json index = json::parse(characters, characters + text.size());
    head_ = {index.at("key"), index.at("arch"), index.at("compiler"), index.at("options"),
             index.at("macros")};
    for (const json& variant : index.at("variants"))
      cubin_numbers_.emplace(variant.at(0).get<MacroValues>(), variant.at(1).get<size_t>());
    blocks_ = std::make_unique<std::vector<Block>>();
    for (const json& entry : index.at("blocks")) {
      Block block;
      block.packed_bytes = entry.at(0);
      block.unpacked_bytes = entry.at(1);
      block.first_cubin = entry.at(2);
      block.digest = entry.at(3);
      if (block.packed_bytes > kMostBlockBytes || block.unpacked_bytes > kMostBlockBytes)
        return fail("{} is damaged: a block is too large", path_.string());
      blocks_->push_back(std::move(block));
    }
  } catch (const json::exception& error) {
    return fail("{} is damaged: its index cannot be read: {}", path_.string(), error.what());
  }
  return {};
}

bool PackFile::is_current() const {
  const auto header = read_at(0, sizeof(Header));
  return header && *header == header_;
}

std::vector<MacroValues> PackFile::variants() const {
  std::vector<MacroValues> variants;
  for (const auto& [changes, cubin] : cubin_numbers_) variants.push_back(changes);
  return variants;
}

Result<std::vector<std::byte>> PackFile::read_at(uint64_t offset, size_t size) const {
  std::error_code error;
  const uint64_t whole = std::filesystem::file_size(path_, error);
  if (error) return fail("{} cannot be read: {}", path_.string(), error.message());
  if (offset > whole || size > whole - offset)
    return fail("{} is truncated: {} bytes", path_.string(), whole);
  Bytes bytes(size);
  std::ifstream file(path_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!file) return fail("{} cannot be read", path_.string());
  return bytes;
}

// The result lives as long as this object.
Result<const std::vector<std::byte>*> PackFile::unpacked(size_t number) const {
  Block& block = (*blocks_)[number];
  std::span<const std::byte> dictionary;
  if (number != 0) {
    const auto first = unpacked(0);
    if (!first) return tl::unexpected(first.error());
    dictionary = **first;
  }
  const std::lock_guard lock(block.mutex);
  if (block.unpacked) return &*block.unpacked;
  const auto packed = read_at(block.offset, block.packed_bytes);
  if (!packed) return tl::unexpected(packed.error());
  if (digest_of(*packed) != block.digest)
    return fail("{} is damaged: block {} does not match its checksum", path_.string(), number);
  block.unpacked = unpack_bytes(*packed, block.unpacked_bytes, dictionary);
  if (!block.unpacked) return fail("{} is damaged: block {} cannot be unpacked", path_.string(), number);
  return &*block.unpacked;
}

Result<Entry> PackFile::find(const MacroValues& changes) const {
  const auto found = cubin_numbers_.find(changes);
  if (found == cubin_numbers_.end()) return fail("{} has no such variant", path_.string());
  const size_t number = found->second;
  size_t block = blocks_->size();
  while (block > 0 && (*blocks_)[block - 1].first_cubin > number) --block;
  if (block == 0) return fail("{} is damaged: no block has cubin {}", path_.string(), number);
  --block;
  const auto bytes = unpacked(block);
  if (!bytes) return tl::unexpected(bytes.error());
  auto stored = take_cubin(**bytes, number - (*blocks_)[block].first_cubin);
  if (!stored) return fail("{} is damaged: cubin {} cannot be read", path_.string(), number);
  Entry entry{head_.key,
              head_.arch,
              head_.compiler,
              head_.macros,
              head_.options,
              std::move(stored->cubin),
              std::move(stored->log),
              {}};
  for (const auto& [name, value] : changes) entry.macros[name] = value;
  return entry;
}

}  // namespace gemmscope::compile
