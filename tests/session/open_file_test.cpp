// Tests the Open panel's lists on a temporary folder.
#include "session/open_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

namespace gemmscope::session {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<std::string>;

class OpenFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = (fs::temp_directory_path() / "gemmscope-open-XXXXXX").string();
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
    fs::create_directories(fs::path(folder_) / "sgemm_old");
    for (const char* name : {"sgemm_1.cu", "sgemm_2.cu", "notes.txt", ".hidden.cu", "sgemm_old/a.cu"})
      std::ofstream(fs::path(folder_) / name) << "x";
    ASSERT_EQ(::setenv("XDG_STATE_HOME", folder_.c_str(), 1), 0);
  }
  void TearDown() override {
    ::unsetenv("XDG_STATE_HOME");
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  std::string in(const std::string& name) const { return folder_ + "/" + name; }

  std::string folder_;
};

TEST_F(OpenFile, CompletesFoldersAndCudaFiles) {
  EXPECT_EQ(complete_path(in(""), 9), (Paths{in("sgemm_1.cu"), in("sgemm_2.cu"), in("sgemm_old/")}));
  EXPECT_EQ(complete_path(in("sgemm_o"), 9), Paths{in("sgemm_old/")});
  EXPECT_EQ(complete_path(in("."), 9), Paths{in(".hidden.cu")});
  EXPECT_EQ(complete_path(in(""), 1), Paths{in("sgemm_1.cu")});
  EXPECT_TRUE(complete_path(in("no/such/folder/"), 9).empty());
  EXPECT_EQ(common_start(complete_path(in("s"), 9)), in("sgemm_"));
  EXPECT_EQ(common_start({}), "");
}

TEST_F(OpenFile, RemembersTheNewestFirstAndEachOnce) {
  EXPECT_TRUE(recent_files().empty());
  for (const char* name : {"sgemm_1.cu", "sgemm_2.cu", "sgemm_1.cu"}) remember_file(in(name));
  EXPECT_EQ(recent_files(), (Paths{in("sgemm_1.cu"), in("sgemm_2.cu")}));
  fs::remove(in("sgemm_1.cu"));
  EXPECT_EQ(recent_files(), Paths{in("sgemm_2.cu")}) << "a file that is gone is not offered";
}

}  // namespace
}  // namespace gemmscope::session
