#include "catalog/folders.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "catalog/catalog.h"

namespace gemmscope::catalog {
namespace {

namespace fs = std::filesystem;

TEST(Folders, BesideTheSourcesUnlessChosen) {
  unsetenv("GEMMSCOPE_DATA");
  EXPECT_EQ(kernels_folder(), fs::path(GEMMSCOPE_SOURCE_DIR) / "kernels");
  EXPECT_EQ(assets_folder(), fs::path(GEMMSCOPE_SOURCE_DIR) / "assets");
  setenv("GEMMSCOPE_DATA", "/somewhere/else", 1);
  EXPECT_EQ(kernels_folder(), "/somewhere/else/kernels");
  EXPECT_EQ(assets_folder(), "/somewhere/else/assets");
  setenv("GEMMSCOPE_DATA", "", 1);
  EXPECT_EQ(kernels_folder(), fs::path(GEMMSCOPE_SOURCE_DIR) / "kernels");
  unsetenv("GEMMSCOPE_DATA");
}

// A program in PREFIX/bin, and one in the folder of a build.
class DataFolder : public testing::Test {
 protected:
  void TearDown() override { fs::remove_all(root_); }
  fs::path add(const fs::path& folder) {
    fs::create_directories(root_ / folder / "share" / "gemmscope" / "kernels");
    return root_ / folder / "share" / "gemmscope";
  }
  const fs::path root_ = fs::path(testing::TempDir()) / fmt::format("data_{}", getpid());
  const fs::path program_ = root_ / "bin" / "gemmscope";
};

TEST_F(DataFolder, OfAnInstallationIsBesideTheProgramsFolder) {
  EXPECT_EQ(find_data_folder("", program_), add(""));
}

TEST_F(DataFolder, OfABuildIsInTheProgramsFolderAndComesFirst) {
  add("");
  EXPECT_EQ(find_data_folder("", program_), add("bin"));
}

TEST_F(DataFolder, ThatIsChosenComesBeforeAllOthers) {
  add("");
  add("bin");
  EXPECT_EQ(find_data_folder("/somewhere/else", program_), "/somewhere/else");
}

TEST_F(DataFolder, IsNotSoughtFurtherUp) {
  add("");
  const fs::path deep = root_ / "opt" / "tool" / "bin" / "gemmscope";
  EXPECT_EQ(find_data_folder("", deep), root_ / "opt" / "tool" / "share" / "gemmscope");
}

TEST_F(DataFolder, WithoutKernelsIsNotTakenForABuilds) {
  fs::create_directories(root_ / "bin" / "share" / "gemmscope");
  EXPECT_EQ(find_data_folder("", program_), add(""));
}

class CatalogFolder : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "labs");
  }
  void TearDown() override { fs::remove_all(folder_); }
  void add(const fs::path& name, const fs::path& source) {
    fs::copy_file(fs::path(GEMMSCOPE_TEST_DATA) / "catalog" / source, folder_ / name);
  }
  const fs::path folder_ = fs::path(testing::TempDir()) / fmt::format("catalog_{}", getpid());
};

TEST_F(CatalogFolder, IsSortedByFileNameAndSkipsOtherFiles) {
  add("02_b.cu", "complete.cu");
  add("labs/01_a.cu", "complete.cu");
  add("03_c.cuh", "complete.cu");
  const Catalog catalog = read_catalog(folder_);
  EXPECT_TRUE(catalog.errors.empty());
  ASSERT_EQ(catalog.kernels.size(), 2u);
  EXPECT_EQ(catalog.kernels[0].id, "02_b");  // of the ladder; labs come last
  EXPECT_EQ(catalog.find("01_a"), &catalog.kernels[1]);
}

TEST_F(CatalogFolder, AMalformedFileDoesNotHideTheOthers) {
  add("01_a.cu", "malformed/block_has_two.cu");
  add("02_b.cu", "complete.cu");
  const Catalog catalog = read_catalog(folder_);
  ASSERT_EQ(catalog.kernels.size(), 1u);
  EXPECT_EQ(catalog.kernels[0].id, "02_b");
  ASSERT_EQ(catalog.errors.size(), 1u);
  EXPECT_NE(catalog.errors[0].message.find("01_a.cu:3:"), std::string::npos) << catalog.errors[0].message;
}

TEST_F(CatalogFolder, TheSameNameTwiceIsAnError) {
  add("01_a.cu", "complete.cu");
  add("labs/01_a.cu", "complete.cu");
  const Catalog catalog = read_catalog(folder_);
  EXPECT_EQ(catalog.kernels.size(), 1u);
  ASSERT_EQ(catalog.errors.size(), 1u);
  EXPECT_NE(catalog.errors[0].message.find("same file name"), std::string::npos);
}

TEST_F(CatalogFolder, AKernelWhoseNumberHasChangedIsFound) {
  add("03_tile.cu", "complete.cu");
  add("tile.cu", "complete.cu");
  add("07_twice.cu", "complete.cu");
  add("08_twice.cu", "complete.cu");
  const Catalog catalog = read_catalog(folder_);
  ASSERT_NE(catalog.find_renumbered("05_tile"), nullptr);
  EXPECT_EQ(catalog.find_renumbered("05_tile")->id, "03_tile");
  EXPECT_EQ(catalog.find_renumbered("03_tile"), nullptr) << "that is the kernel itself";
  EXPECT_EQ(catalog.find_renumbered("06_twice"), nullptr) << "which of the two is meant is not known";
  for (const char* other : {"05_tiles", "tile", "05_", "_tile", "05", ""})
    EXPECT_EQ(catalog.find_renumbered(other), nullptr) << other;
}

TEST_F(CatalogFolder, AFolderNamedLikeAKernelIsAnError) {
  fs::create_directory(folder_ / "01_a.cu");
  const Catalog catalog = read_catalog(folder_);
  EXPECT_TRUE(catalog.kernels.empty());
  EXPECT_EQ(catalog.errors.size(), 1u);
}

TEST_F(CatalogFolder, AMissingFolderIsAnError) {
  const Catalog catalog = read_catalog(folder_ / "absent");
  EXPECT_TRUE(catalog.kernels.empty());
  ASSERT_EQ(catalog.errors.size(), 1u);
  EXPECT_NE(catalog.errors[0].message.find("GEMMSCOPE_DATA"), std::string::npos);
}

}  // namespace
}  // namespace gemmscope::catalog
