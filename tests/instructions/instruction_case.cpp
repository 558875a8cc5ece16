#include "instruction_case.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <fstream>
#include <sstream>

namespace gemmscope::instructions {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

template <typename T>
bool read_number(const std::string& text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

// Reads "NAME=VALUE …"; a NAME alone is 1.
void define(InstructionCase& c, const std::string& definitions) {
  for (const std::string& word : words_of(definitions)) {
    const size_t equals = word.find('=');
    c.macros[word.substr(0, equals)] = equals == std::string::npos ? "1" : word.substr(equals + 1);
  }
}

// Reads one "// key: value" line; false if it is not understood.
bool apply(InstructionCase& c, const std::string& key, const std::string& value) {
  if (key == "define") return define(c, value), true;
  if (key == "uses") return c.uses = words_of(value), !c.uses.empty();
  if (key == "input") return c.input = value, !make_input(value).empty();
  if (key == "threads") return read_number(value, c.threads) && c.threads > 0 && c.threads <= 1024;
  if (key == "blocks") return read_number(value, c.blocks) && c.blocks > 0;
  if (key == "out") return read_number(value, c.output_words) && c.output_words > 0;
  if (key != "archs") return false;
  c.archs.clear();
  for (const std::string& word : words_of(value)) {
    int number = 0;
    const auto arch = read_number(word, number) ? isa::arch_from_number(number) : std::nullopt;
    if (!arch) return false;
    c.archs.push_back(*arch);
  }
  return !c.archs.empty();
}

// Reads "NAME DEFINITION …": a case, with the values of the lines above it.
InstructionCase named_case(InstructionCase c, const std::string& name_and_definitions) {
  const size_t space = std::min(name_and_definitions.find(' '), name_and_definitions.size());
  c.id = (fs::path(c.id).parent_path() / name_and_definitions.substr(0, space)).generic_string();
  define(c, name_and_definitions.substr(space));
  return c;
}

// Returns the cases of a file: one for each "// case:" line, else one with the file's name.
Result<std::vector<InstructionCase>> read_file(const fs::path& folder, const fs::path& file) {
  InstructionCase c;
  c.id = fs::relative(file, folder).replace_extension().generic_string();
  c.source = text_of(file);
  c.archs = {isa::Arch::sm_75, isa::Arch::sm_80, isa::Arch::sm_86, isa::Arch::sm_89, isa::Arch::sm_90};
  std::vector<InstructionCase> cases;
  std::istringstream lines(c.source);
  std::string line;
  for (int number = 1; std::getline(lines, line) && line.starts_with("//"); ++number) {
    const size_t colon = line.find(": ");
    const std::string key = colon == std::string::npos ? "" : line.substr(3, colon - 3);
    if (key.empty() || key.find(' ') != std::string::npos) continue;  // prose
    const std::string value = line.substr(colon + 2);
    if (key == "case") {
      cases.push_back(named_case(c, value));
    } else if (!apply(c, key, value)) {
      return fail("{}:{}: \"{}\" is not understood", file.string(), number, line);
    }
  }
  if (cases.empty()) cases.push_back(c);
  for (const InstructionCase& each : cases)
    if (each.uses.empty())
      return fail("{}: {} lacks a line \"// uses: OPCODE …\" above it", file.string(), each.id);
  return cases;
}

// SplitMix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  uint32_t below(size_t n) { return static_cast<uint32_t>(next() >> 32) % static_cast<uint32_t>(n); }
  double between(double low, double high) {
    return low + (high - low) * (static_cast<double>(next() >> 11) * 0x1p-53);
  }

 private:
  uint64_t state_;
};

constexpr std::array<uint32_t, 8> kIntegers{0, 1, 2, 31, 0x7fffffff, 0x80000000, 0xffffffff, 0xffff0000};
// Zeroes, ones, infinities, NaNs, the smallest denormal and normal, and the largest, in both signs.
constexpr std::array<uint32_t, 8> kFloats{0,          0x3f800000, 0x7f800000, 0x7fc00001,
                                          0x00000001, 0x00800000, 0x7f7fffff, 0x007fffff};
constexpr std::array<uint32_t, 8> kHalves{0, 0x3c00, 0x7c00, 0x7e01, 0x0001, 0x0400, 0x7bff, 0x03ff};
constexpr std::array<uint32_t, 8> kBrainFloats{0, 0x3f80, 0x7f80, 0x7fc1, 0x0001, 0x0080, 0x7f7f, 0x007f};
constexpr std::array<uint64_t, 8> kDoubles{0, 0x3ff0000000000000, 0x7ff0000000000000, 0x7ff8000000000001,
                                           1, 0x0010000000000000, 0x7fefffffffffffff, 0x000fffffffffffff};

uint32_t float_bits(double value) { return std::bit_cast<uint32_t>(static_cast<float>(value)); }
// Truncates, since any value of the format will do.
uint32_t brain_bits(double value) { return float_bits(value) >> 16; }
uint32_t half_bits(double value) {
  const uint32_t f = float_bits(value), exponent = f >> 23 & 255;
  if (exponent < 113) return f >> 16 & 0x8000;
  return (f >> 16 & 0x8000) | (exponent - 112) << 10 | (f >> 13 & 0x3ff);
}

// Draws a value of `bits` bits: a quarter are special, a half of ordinary size, a quarter any bits.
template <typename Word, size_t kCount, typename Ordinary>
Word mixed(Random& random, const std::array<Word, kCount>& special, int bits, Ordinary ordinary) {
  const uint32_t kind = random.below(4);
  const Word sign = static_cast<Word>(random.below(2)) << (bits - 1);
  if (kind == 0) return special[random.below(kCount)] ^ sign;
  if (kind == 1) return static_cast<Word>(random.next() >> (64 - bits));
  return ordinary(random.between(-8, 8));
}

uint32_t integer_word(Random& random) {
  const uint32_t kind = random.below(4);
  if (kind == 0) return kIntegers[random.below(kIntegers.size())];
  if (kind == 1) return random.below(64);
  return static_cast<uint32_t>(random.next());
}

uint32_t input_word(const std::string& kind, Random& random) {
  if (kind == "integer") return integer_word(random);
  if (kind == "float32") return mixed(random, kFloats, 32, float_bits);
  if (kind == "small32") return float_bits(random.between(-4, 4));
  const auto pair = [&](auto half) {
    const uint32_t low = half();
    return low | half() << 16;
  };
  if (kind == "float16") return pair([&] { return mixed(random, kHalves, 16, half_bits) & 0xffff; });
  if (kind == "bfloat16") return pair([&] { return mixed(random, kBrainFloats, 16, brain_bits) & 0xffff; });
  if (kind == "small16") return pair([&] { return half_bits(random.between(-4, 4)); });
  return pair([&] { return brain_bits(random.between(-4, 4)); });
}

}  // namespace

Result<std::vector<InstructionCase>> read_cases(const fs::path& folder) {
  std::vector<InstructionCase> cases;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, error)) {
    if (entry.path().extension() != ".cu") continue;
    Result<std::vector<InstructionCase>> of_file = read_file(folder, entry.path());
    if (!of_file) return tl::unexpected(of_file.error());
    std::move(of_file->begin(), of_file->end(), std::back_inserter(cases));
  }
  if (error) return fail("{} cannot be read: {}", folder.string(), error.message());
  std::sort(cases.begin(), cases.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  const auto twin = std::adjacent_find(cases.begin(), cases.end(),
                                       [](const auto& a, const auto& b) { return a.id == b.id; });
  if (twin != cases.end()) return fail("{}: two cases are called {}", folder.string(), twin->id);
  return cases;
}

std::vector<uint32_t> make_input(const std::string& kind) {
  constexpr std::array kinds{"integer",  "float32", "float64", "float16",
                             "bfloat16", "small32", "small16", "smallb16"};
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) return {};
  Random random(2026);
  std::vector<uint32_t> words;
  while (words.size() < kInputWords) {
    if (kind == "float64") {
      const auto bits = mixed(random, kDoubles, 64, [](double v) { return std::bit_cast<uint64_t>(v); });
      words.push_back(static_cast<uint32_t>(bits));
      words.push_back(static_cast<uint32_t>(bits >> 32));
    } else {
      words.push_back(input_word(kind, random));
    }
  }
  return words;
}

fs::path expected_file(const fs::path& folder, const std::string& id) {
  return folder / "expected" / (id + ".txt");
}

Result<Expected> read_expected(const fs::path& file) {
  std::ifstream in(file);
  if (!in) return fail("{} is not there: the output was not recorded on a GPU yet", file.string());
  Expected expected;
  std::getline(in, expected.origin);
  for (std::string word; in >> word;) {
    uint32_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, 16);
    if (error != std::errc{} || end != word.data() + word.size())
      return fail("{}: \"{}\" is no word in hexadecimal", file.string(), word);
    expected.words.push_back(value);
  }
  return expected;
}

void write_expected(const fs::path& file, const Expected& expected) {
  fs::create_directories(file.parent_path());
  std::ofstream out(file);
  out << expected.origin << '\n';
  for (size_t i = 0; i < expected.words.size(); ++i)
    out << fmt::format("{:08x}{}", expected.words[i],
                       i % 8 == 7 || i + 1 == expected.words.size() ? '\n' : ' ');
}

std::string compare_words(const std::vector<uint32_t>& got, const std::vector<uint32_t>& expected) {
  if (got.size() != expected.size())
    return fmt::format("{} words instead of {}", got.size(), expected.size());
  std::string text;
  size_t different = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    if (got[i] == expected[i]) continue;
    if (++different <= 8)
      text += fmt::format("  out[{}] = {:08x} instead of {:08x}\n", i, got[i], expected[i]);
  }
  return different == 0 ? "" : fmt::format("{} of {} words differ\n{}", different, got.size(), text);
}

}  // namespace gemmscope::instructions
