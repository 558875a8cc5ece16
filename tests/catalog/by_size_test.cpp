// Tests the table that says which variant is fastest for given sizes.
#include "catalog/by_size.h"

#include <gtest/gtest.h>

#include <fstream>

namespace gemmscope::catalog {
namespace {

const std::filesystem::path kKernels = std::filesystem::path(GEMMSCOPE_SOURCE_DIR) / "kernels";

std::vector<SizedVariant> variants(int64_t m, int64_t n, int64_t k) {
  const auto table = read_size_table(kKernels / "by_size.toml");
  EXPECT_TRUE(table) << table.error().message;
  if (!table) return {};
  const auto found = variants_by_size(*table, {.m = m, .n = n, .k = k});
  EXPECT_TRUE(found) << found.error().message;
  return found.value_or(std::vector<SizedVariant>());
}

Result<SizeTable> table_of(const std::string& text) {
  const auto path = std::filesystem::path(testing::TempDir()) / "by_size_test.toml";
  std::ofstream(path) << text;
  return read_size_table(path);
}

constexpr const char* kSmall = R"(
kernel = "k"
device = "d"
toggles = ["T"]
possible = "T > 0 || N % 2 == 0"
cost = "twice * 1000000"
choices = [ [ { T = 0, E = 5 }, { T = 1, E = 7 } ] ]
names = [ { once = "M * E" }, { twice = "2 * once" } ]
)";

TEST(BySize, TakesTheCheapestThatIsPossible) {
  const auto table = table_of(kSmall);
  ASSERT_TRUE(table) << table.error().message;
  const auto even = variants_by_size(*table, {.m = 3, .n = 2, .k = 1});
  ASSERT_TRUE(even && even->size() == 2u);
  EXPECT_EQ(even->front().kernel, "k");
  EXPECT_EQ(even->front().toggles, (std::map<std::string, int64_t>{{"T", 0}}));
  EXPECT_DOUBLE_EQ(even->front().cost_us, 30.0);
  EXPECT_DOUBLE_EQ(even->back().cost_us, 42.0);
  const auto odd = variants_by_size(*table, {.m = 3, .n = 3, .k = 1});
  ASSERT_TRUE(odd && odd->size() == 1u);
  EXPECT_EQ(odd->front().toggles.at("T"), 1);
}

TEST(BySize, SaysWhatIsWrongInTheFile) {
  const auto wrong = [](std::string from, const std::string& to) {
    std::string text = kSmall;
    text.replace(text.find(from), from.size(), to);
    const auto table = table_of(text);
    if (!table) return table.error().message;
    const auto found = variants_by_size(*table, {.m = 3, .n = 2, .k = 1});
    return found ? std::string() : found.error().message;
  };
  EXPECT_NE(wrong("device", "devise").find("key \"devise\" is unknown"), std::string::npos);
  EXPECT_NE(wrong("E = 7", "E = 0.5").find("key \"E\" must be a whole number"), std::string::npos);
  EXPECT_NE(wrong("[ { once", "[ { a = \"1\", once").find("one name and its expression"), std::string::npos);
  EXPECT_NE(wrong("2 * once", "2 * none").find("none"), std::string::npos);
  EXPECT_NE(wrong("[\"T\"]", "[\"U\"]").find("no choice gives toggle U a value"), std::string::npos);
  EXPECT_NE(wrong("T > 0 ||", "0 &&").find("choose a kernel by its name"), std::string::npos);
  EXPECT_NE(wrong("kernel =", "kernel").find("by_size_test.toml:2:"), std::string::npos);
  EXPECT_FALSE(read_size_table(kKernels / "absent.toml"));
}

// Every candidate can be launched: so no size is refused for what the table says.
TEST(BySize, EveryCandidateCanBeLaunched) {
  const Catalog catalog = read_catalog(kKernels / "ladder");
  for (const auto& [m, n, k] :
       {std::array<int64_t, 3>{1, 1, 1}, {256, 256, 256}, {777, 555, 333}, {70, 257, 33}}) {
    const std::vector<SizedVariant> found = variants(m, n, k);
    EXPECT_GE(found.size(), 12u);  // each tile, with two ways to copy B
    for (const SizedVariant& variant : found) {
      const Kernel* const kernel = catalog.find(variant.kernel);
      ASSERT_NE(kernel, nullptr) << variant.kernel;
      const auto launches = launches_for(*kernel, {.m = m, .n = n, .k = k}, variant.toggles);
      EXPECT_TRUE(launches) << launches.error().message;
    }
  }
}

// What the measurements say of sizes of each kind.
TEST(BySize, ChoosesAsMeasured) {
  using Toggles = std::map<std::string, int64_t>;
  const auto best = [](int64_t m, int64_t n, int64_t k) { return variants(m, n, k).front().toggles; };
  EXPECT_EQ(best(4096, 4096, 4096), (Toggles{{"TILE", 0}, {"SPLITS", 1}, {"COPY_B", 0}, {"REST", 0}}));
  EXPECT_EQ(best(2048, 2048, 1024), (Toggles{{"TILE", 0}, {"SPLITS", 1}, {"COPY_B", 0}, {"REST", 0}}));
  EXPECT_EQ(best(256, 256, 256), (Toggles{{"TILE", 5}, {"SPLITS", 1}, {"COPY_B", 0}, {"REST", 0}}));
  EXPECT_EQ(best(256, 256, 16384), (Toggles{{"TILE", 1}, {"SPLITS", 32}, {"COPY_B", 0}, {"REST", 0}}));
  EXPECT_EQ(best(4095, 4097, 4093).at("COPY_B"), 2);
  // One column too many is dot products; three are not where K is short, and five never are.
  const Toggles rest{{"TILE", 2}, {"SPLITS", 1}, {"COPY_B", 2}, {"REST", 1}};
  EXPECT_EQ(best(2047, 2049, 1023), rest);
  EXPECT_EQ(best(1023, 1025, 511), rest);
  EXPECT_EQ(best(8191, 8193, 4097), rest);
  EXPECT_EQ(best(1023, 1027, 511).at("REST"), 0);
  EXPECT_EQ(best(2047, 2053, 1023).at("REST"), 0);
}

// The costs do not overflow at the largest matrices.
TEST(BySize, HasACostForLargeSizes) {
  EXPECT_GT(variants(46340, 46340, 46340).front().cost_us, 1e6);
  EXPECT_GT(variants(1, 4, 536870911).front().cost_us, 1.0);
}

}  // namespace
}  // namespace gemmscope::catalog
