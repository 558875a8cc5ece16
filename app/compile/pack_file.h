// One file of the prebuilt pack: the machine code of many variants of one kernel for one architecture.
//   8 bytes "GSCPACK\n"; u32 format version; u32 bytes of the index; u64 bytes of the index unpacked;
//   SHA-256 of the packed index; the index; the blocks, one behind the other. Integers are little-endian.
// The index is JSON, packed; it says which variant is which cubin, and of each block its sizes and SHA-256.
// A block holds cubins and their logs, packed together because they are alike. The first holds the default
// variant alone and is the dictionary of the others, so that a kernel opens fast and the file is small.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "compile/entry.h"

namespace gemmscope::compile {

using MacroValues = std::map<std::string, std::string>;

// What all variants of a file have in common.
struct PackHead {
  std::string key;       // source_hash
  std::string arch;      // "sm_86"
  std::string compiler;  // "NVRTC 13.0"
  std::vector<std::string> options;
  MacroValues macros;  // of the default variant
};

// Puts a file together.
class PackWriter {
 public:
  explicit PackWriter(PackHead head) : head_(std::move(head)) {}

  // `changes`: the macros that differ from the head's. The default variant must be the first. Equal cubins
  // with equal logs are stored once.
  void add(MacroValues changes, std::vector<std::byte> cubin, std::string log);
  std::vector<std::byte> finish() const;

 private:
  PackHead head_;
  std::vector<std::pair<MacroValues, size_t>> variants_;
  std::vector<std::vector<std::byte>> cubins_;  // as in a block
  std::map<std::vector<std::byte>, size_t> known_;
};

// Reads a file, each block when it is first asked for. Thread-safe.
class PackFile {
 public:
  // Reads the index. Errors: the file is absent, foreign, truncated or damaged, or has another format
  // version.
  static Result<std::shared_ptr<const PackFile>> open(const std::filesystem::path& path);
  ~PackFile();
  PackFile(const PackFile&) = delete;
  PackFile& operator=(const PackFile&) = delete;

  // False if the file at the path is another one by now. The header's checksum covers all of it.
  bool is_current() const;
  const PackHead& head() const { return head_; }
  // The macros that differ from the head's, of each variant.
  std::vector<MacroValues> variants() const;
  bool has(const MacroValues& changes) const { return cubin_numbers_.contains(changes); }
  // Errors: there is no such variant, or its block is damaged.
  Result<Entry> find(const MacroValues& changes) const;

 private:
  struct Block;

  PackFile();
  Result<void> read_index(const std::vector<std::byte>& text);
  Result<const std::vector<std::byte>*> unpacked(size_t block) const;
  Result<std::vector<std::byte>> read_at(uint64_t offset, size_t size) const;

  std::filesystem::path path_;
  std::vector<std::byte> header_;
  PackHead head_;
  std::map<MacroValues, size_t> cubin_numbers_;
  std::unique_ptr<std::vector<Block>> blocks_;
};

}  // namespace gemmscope::compile
