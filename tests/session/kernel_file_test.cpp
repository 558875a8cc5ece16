// Saving the kernel's file in any editor recompiles it. A mistake in the file leaves the picture unchanged.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "compile/compiler.h"
#include "scenes/access_role.h"
#include "scenes/source_lines.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

namespace fs = std::filesystem;

// The test has its own kernels, in a temporary folder.
class KernelFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = (fs::temp_directory_path() / "gemmscope-data-XXXXXX").string();
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
    const fs::path sources = GEMMSCOPE_SOURCE_DIR;
    fs::create_directories(fs::path(folder_) / "kernels/ladder");
    fs::copy(sources / "kernels/include", fs::path(folder_) / "kernels/include", fs::copy_options::recursive);
    path_ = fs::path(folder_) / "kernels/ladder/01_naive_rows.cu";
    fs::copy_file(sources / "kernels/ladder/01_naive_rows.cu", path_);
    fs::create_directory_symlink(sources / "assets", fs::path(folder_) / "assets");
    ASSERT_EQ(::setenv("GEMMSCOPE_DATA", folder_.c_str(), 1), 0);
    driver_ = std::make_unique<WorkspaceDriver>(small_experiment("01_naive_rows", 32));
    ASSERT_TRUE(driver_->settle());
    ASSERT_TRUE(state().has_trace()) << (state().failure ? state().failure->failure.message : "");
  }
  void TearDown() override {
    driver_.reset();
    ::unsetenv("GEMMSCOPE_DATA");
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  session::ViewState& state() { return driver_->state(); }
  std::string text() const {
    std::ostringstream all;
    all << std::ifstream(path_, std::ios::binary).rdbuf();
    return all.str();
  }
  void save(const std::string& new_text) {
    const auto before = fs::exists(path_) ? fs::last_write_time(path_) : fs::file_time_type::clock::now();
    std::ofstream(path_, std::ios::binary) << new_text;
    // A file system may store times in whole seconds only.
    fs::last_write_time(path_, before + std::chrono::seconds(2));
  }
  // Lets a second pass, and waits until everything that the change started has happened.
  void let_it_notice() {
    driver_->frame(1);
    ASSERT_TRUE(driver_->settle());
  }

  std::string folder_;
  fs::path path_;
  std::unique_ptr<WorkspaceDriver> driver_;
};

TEST_F(KernelFile, ASaveIsCompiledAndShown) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << "no NVRTC: the prebuilt pack knows no changed kernel";
  const auto before = state().block;
  const std::string line = "\n// saved in an editor\n";
  save(text() + line);
  let_it_notice();
  ASSERT_FALSE(state().failure) << state().failure->failure.message;
  EXPECT_NE(state().block, before);
  EXPECT_TRUE(state().compiled->kernel.source.ends_with(line));
  EXPECT_EQ(state().compiled->files[0].lines.back(), "// saved in an editor");
  EXPECT_TRUE(driver_->workspace().catalog().find("01_naive_rows")->source.ends_with(line));
}

// The line of the loads moves and the loop is unrolled otherwise; the cursor stays at the same load of B.
TEST_F(KernelFile, AnEditKeepsTheAccess) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << "no NVRTC: the prebuilt pack knows no changed kernel";
  const scenes::AccessRole load_of_b{scenes::OpcodeFamily::global_load, metrics::kMatrixB};
  const auto role = [&] { return scenes::role_of(*state().block, state().record().instruction); };
  const auto text_of_line = [&] {
    const experiment::CompiledKernel& compiled = *state().block->compiled;
    return compiled.files[0]
        .lines[static_cast<size_t>(scenes::own_line(compiled, state().record().instruction)) - 1];
  };
  const auto earlier = [&] {
    int count = 0;
    for (const uint32_t record : state().block->warp_records[0])
      if (record < state().cursor.record)
        count += static_cast<int>(
            scenes::role_of(*state().block, state().block->trace.records[record].instruction) == load_of_b);
    return count;
  };
  for (const uint32_t record : state().block->warp_records[0]) {
    driver_->workspace().seek({record, scenes::kAllWavefronts});
    if (role() == load_of_b && earlier() == 6) break;
  }
  ASSERT_EQ(role(), load_of_b);
  const std::string line = text_of_line();
  std::string edited = text();
  edited.insert(edited.find("  const int row"), "  // one\n  // two\n  // three\n");
  const std::string unroll = "#pragma unroll 4";
  ASSERT_NE(edited.find(unroll), std::string::npos);
  edited.replace(edited.find(unroll), unroll.size(), "#pragma unroll 1");
  save(edited);
  let_it_notice();
  ASSERT_FALSE(state().failure) << state().failure->failure.message;
  EXPECT_EQ(role(), load_of_b);
  EXPECT_EQ(text_of_line(), line);
  EXPECT_EQ(earlier(), 6);
  EXPECT_EQ(state().note, "");
}

TEST_F(KernelFile, ATouchWithoutAChangeIsHarmless) {
  save(text());
  let_it_notice();
  EXPECT_FALSE(state().failure);
  EXPECT_TRUE(state().has_trace());
}

TEST_F(KernelFile, AMalformedHeaderIsReportedAndThePictureStays) {
  const auto before = state().block;
  const std::string good = text();
  save("//! title = \"cut off\n" + good.substr(good.find('\n') + 1));
  let_it_notice();
  ASSERT_TRUE(state().failure);
  EXPECT_NE(state().failure->failure.message.find("01_naive_rows.cu"), std::string::npos)
      << state().failure->failure.message;
  EXPECT_EQ(state().block, before);
  driver_->workspace().step(1);

  save(good);
  let_it_notice();
  EXPECT_FALSE(state().failure);
}

TEST_F(KernelFile, ACompileErrorIsReportedWithItsLineAndThePictureStays) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << "no NVRTC to complain";
  const auto before = state().block;
  const std::string good = text();
  const auto lines = std::count(good.begin(), good.end(), '\n');
  save(good + "this is no CUDA C++;\n");
  let_it_notice();
  ASSERT_TRUE(state().failure);
  ASSERT_FALSE(state().failure->failure.diagnostics.empty());
  EXPECT_EQ(state().failure->failure.diagnostics[0].line, lines + 1);
  EXPECT_EQ(state().block, before);
  save(good);
  let_it_notice();
  EXPECT_FALSE(state().failure);
}

TEST_F(KernelFile, AnEmptyFileAndAMissingOne) {
  const auto before = state().block;
  const std::string good = text();
  save("");
  let_it_notice();
  EXPECT_TRUE(state().failure);
  EXPECT_EQ(state().block, before);
  fs::remove(path_);
  let_it_notice();
  EXPECT_EQ(state().block, before);
  save(good);
  let_it_notice();
  EXPECT_FALSE(state().failure);
  EXPECT_TRUE(state().has_trace());
}

}  // namespace
}  // namespace gemmscope::session
