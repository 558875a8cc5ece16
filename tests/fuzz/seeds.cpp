#include "seeds.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "compile/entry.h"
#include "compile/file_io.h"
#include "compile/pack_file.h"
#include "cubin/cubin.h"

namespace gemmscope::fuzz {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = GEMMSCOPE_SOURCE_DIR, kData = GEMMSCOPE_TEST_DATA;
constexpr size_t kVectorsEach = 40;  // of thousands; every 100th row

std::vector<Input> files_in(const fs::path& folder, std::string_view extension = {}) {
  std::vector<Input> inputs;
  if (!fs::exists(folder)) return inputs;
  for (const auto& place : fs::recursive_directory_iterator(folder)) {
    if (!place.is_regular_file() || (!extension.empty() && place.path().extension() != extension)) continue;
    const auto bytes = compile::read_file(place.path());
    if (!bytes) throw std::runtime_error(place.path().string() + " cannot be read");
    inputs.push_back({place.path().filename().string(), *bytes});
  }
  std::ranges::sort(inputs, {}, &Input::name);
  return inputs;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The default variant of each file of the pack, as an entry of the cache.
std::vector<Input> entries() {
  std::vector<Input> inputs;
  for (const auto& place : fs::directory_iterator(kSource / "assets/pack")) {
    const auto file = compile::PackFile::open(place.path());
    const auto entry = file ? (*file)->find({}) : tl::unexpected(file.error());
    if (!entry) throw std::runtime_error(entry.error().message);
    const auto bytes = compile::encode_entry(*entry);
    inputs.push_back({place.path().stem().string() + ".gsc",
                      std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())});
  }
  std::ranges::sort(inputs, {}, &Input::name);
  return inputs;
}

std::vector<Input> cubins() {
  std::vector<Input> inputs = files_in(kData / "cubin", ".cubin");
  for (const Input& file : entries()) {
    const auto entry = compile::decode_entry(compile::as_bytes(file.bytes), file.name);
    if (!entry) throw std::runtime_error(entry.error().message);
    const auto* text = reinterpret_cast<const char*>(entry->cubin.data());
    inputs.push_back({file.name + ".cubin", std::string(text, entry->cubin.size())});
  }
  return inputs;
}

// Returns rows of the recorded vectors of all architectures, spread over each file.
std::vector<std::string> vector_rows() {
  std::vector<std::string> rows;
  for (const Input& file : files_in(kData / "isa", ".csv")) {
    const auto lines = lines_of(file.bytes);
    const size_t step = std::max<size_t>(1, lines.size() / kVectorsEach);
    for (size_t i = 1; i < lines.size(); i += step) rows.push_back(lines[i]);
  }
  return rows;
}

std::string word_of(const std::string& row) {
  std::istringstream fields(row);
  std::string arch, address, lo, hi;
  std::getline(fields, arch, ','), std::getline(fields, address, ',');
  std::getline(fields, lo, ','), std::getline(fields, hi, ',');
  std::string bytes;
  for (const std::string& half : {lo, hi}) {
    uint64_t value = 0;
    std::from_chars(half.data(), half.data() + half.size(), value, 16);
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(value >> 8 * i & 0xff);
  }
  return bytes;
}

std::vector<Input> instructions() {
  std::vector<Input> inputs;
  for (const std::string& row : vector_rows())
    inputs.push_back({std::to_string(inputs.size()), word_of(row)});
  return inputs;
}

std::vector<Input> vectors() {
  std::vector<Input> inputs;
  for (const std::string& row : vector_rows()) inputs.push_back({std::to_string(inputs.size()), row + "\n"});
  std::string pattern = "lds,1,ffffffff,_,_";
  for (int lane = 0; lane < 32; ++lane) pattern += "," + std::to_string(lane * 33);
  inputs.push_back({"pattern", "op,width,mask\n" + pattern + "\n# a comment\n"});
  return inputs;
}

// Returns the code of real kernels, split into pieces that the target accepts, and each recorded instruction
// before an exit.
std::vector<Input> machine_code() {
  constexpr size_t kPieceWords = 128;
  std::vector<Input> inputs;
  for (const Input& file : cubins()) {
    const auto cubin = cubin::read_cubin(compile::as_bytes(file.bytes), file.name);
    if (!cubin) throw std::runtime_error(cubin.error().message);
    const auto arch =
        static_cast<char>(std::ranges::find(isa::kAllArchs, cubin->arch) - isa::kAllArchs.begin());
    for (const cubin::KernelCode& kernel : cubin->kernels) {
      const std::string header = {arch, 31, 40, 8, 5, 64, 64, 0};
      for (size_t first = 0; first < std::min<size_t>(kernel.words.size(), 8 * kPieceWords);
           first += kPieceWords) {
        const size_t words = std::min(kPieceWords, kernel.words.size() - first);
        const auto* code = reinterpret_cast<const char*>(kernel.words.data() + first);
        inputs.push_back({file.name + std::to_string(inputs.size()), header + std::string(code, words * 8)});
      }
    }
  }
  const std::string exit = word_of("86,0,000000000000794d,000fea0003800000");
  for (const std::string& row : vector_rows()) {
    const std::string header = {
        static_cast<char>(inputs.size() % isa::kAllArchs.size()), 63, 40, 8, 5, 64, 64, 0};
    inputs.push_back({std::to_string(inputs.size()), header + word_of(row) + exit});
  }
  return inputs;
}

std::vector<Input> descriptions() {
  std::vector<Input> inputs = files_in(kSource / "kernels", ".cu");
  for (Input& input : files_in(kData / "catalog", ".cu")) inputs.push_back(std::move(input));
  return inputs;
}

// Returns files as users bring them: kernels with their host code.
std::vector<Input> programs() {
  std::vector<Input> inputs = descriptions();
  for (Input& input : files_in(kData / "kernels")) inputs.push_back(std::move(input));
  return inputs;
}

std::vector<Input> expressions() {
  return {{"call", "ceil_div(M, 128)"},
          {"sum", "4 * 128 * (K + Z) - N % 7"},
          {"nested", "-(-(min(M, max(N, 3))))"},
          {"condition", "!(M < N) || K != 3 && (Z == 0 || 5 / Z >= W)"},
          {"overflow", "9223372036854775807 + M / W"}};
}

std::vector<Input> parameters() {
  return {{"matrix", "name=A,matrix=A,type=float16,order=column,leading_dimension=max(M, 16)"},
          {"buffer", "name=x,buffer=M * N,type=int32,fill=below,below=ceil_div(K, 3)"},
          {"scalar", "name=alpha,scalar=alpha,type=float32"},
          {"number", "scalar=-1.5e3,type=double"}};
}

std::vector<Input> protocol_lines() {
  std::vector<Input> inputs;
  for (const Input& file : files_in(kData / "gpu", ".transcript"))
    for (const std::string& line : lines_of(file.bytes))
      if (line.size() > 1 && line.size() < 4096)
        inputs.push_back({file.name + std::to_string(inputs.size()), line.substr(1)});
  return inputs;
}

}  // namespace

std::vector<Input> seeds_of(std::string_view target) {
  if (target == "cubin" || target == "launch") return cubins();
  if (target == "machine") return machine_code();
  if (target == "instruction") return instructions();
  if (target == "vectors") return vectors();
  if (target == "description") return descriptions();
  if (target == "outline") return programs();
  if (target == "parameter") return parameters();
  if (target == "expression") return expressions();
  if (target == "entry") return entries();
  if (target == "protocol") return protocol_lines();
  throw std::runtime_error("there are no seeds for " + std::string(target));
}

std::vector<Input> stored_inputs(std::string_view target) { return files_in(kData / "fuzz" / target); }

}  // namespace gemmscope::fuzz
