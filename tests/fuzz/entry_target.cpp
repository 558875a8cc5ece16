#include <cstring>
#include <vector>

#include "compile/entry.h"
#include "compile/sha256.h"
#include "cubin/cubin.h"
#include "targets.h"

namespace gemmscope::fuzz {
namespace {

// The format of compile/entry.h: magic, version, three sizes, checksum.
constexpr size_t kHeaderBytes = 64, kChecksumOffset = 32;

void read(Bytes bytes) {
  const auto read = compile::decode_entry(bytes, "damaged.gsc");
  if (!read) return require(!read.error().message.empty(), "a refusal says why");
  const auto again = compile::decode_entry(compile::encode_entry(*read), "written.gsc");
  require(again && again->key == read->key && again->arch == read->arch && again->macros == read->macros &&
              again->options == read->options && again->cubin == read->cubin && again->log == read->log,
          "an entry survives encoding");
  (void)cubin::read_cubin(read->cubin, "damaged.gsc");
}

}  // namespace

// Reads the entry as it is, and with a correct checksum, which otherwise no mutation would pass.
void entry(Bytes bytes) {
  read(bytes);
  if (bytes.size() < kHeaderBytes) return;
  std::vector<std::byte> signed_bytes(bytes.begin(), bytes.end());
  compile::Sha256 hash;
  hash.add(bytes.subspan(kHeaderBytes));
  const compile::Digest digest = hash.finish();
  std::memcpy(&signed_bytes[kChecksumOffset], &digest, sizeof digest);
  read(signed_bytes);
}

}  // namespace gemmscope::fuzz
