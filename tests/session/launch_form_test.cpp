// A file that says too little opens a form; what is typed in it is kept, and the file opens with it.
#include <gtest/gtest.h>

#include <fstream>

#include "session/app_commands.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTiled =
    "template <int TILE>\n"
    "__global__ void tiled(int M, int N, int K, const float* A, const float* B, float* C) {\n"
    "  const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;\n"
    "  float sum = 0;\n"
    "  for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];\n"
    "  C[row * N + column] = sum;\n}\n";

class LaunchFormOfAFile : public testing::Test {
 protected:
  LaunchFormOfAFile() : path_(fs::path(testing::TempDir()) / fmt::format("tiled_{}.cuh", getpid())) {
    std::ofstream(path_) << kTiled;
  }
  ~LaunchFormOfAFile() override { fs::remove(path_); }
  void SetUp() override {
    ASSERT_EQ(::setenv("XDG_STATE_HOME", testing::TempDir().c_str(), 1), 0);
    ASSERT_TRUE(driver_.settle());
  }
  void TearDown() override { ::unsetenv("XDG_STATE_HOME"); }

  void act(FormRequest::Action action, const own_kernel::LaunchForm& form) {
    driver_.workspace().begin_frame(0);
    driver_.requests().form = FormRequest{action, form};
    driver_.workspace().end_frame();
  }
  ViewState& state() { return driver_.state(); }

  fs::path path_;
  WorkspaceDriver driver_{small_experiment()};
};

TEST_F(LaunchFormOfAFile, OpensFilledAndKeepsThePictureUntilItIsRight) {
  EXPECT_FALSE(driver_.workspace().can_open_form()) << "a kernel of the catalogue says all";
  driver_.workspace().open_file(path_);
  ASSERT_TRUE(state().form);
  EXPECT_EQ(state().experiment.kernel, "07_register_tile");
  EXPECT_EQ(state().form->entry, "tiled");
  EXPECT_FALSE(state().form->arguments.error.empty());

  act(FormRequest::Action::use, *state().form);
  ASSERT_TRUE(state().form) << "a form with a mistake stays open";

  own_kernel::LaunchForm form = *state().form;
  form.arguments.text = "16";
  form.block.text = "TILE, 2 * TILE, 64";
  act(FormRequest::Action::edit, form);
  EXPECT_TRUE(own_kernel::is_right(*state().form));
  act(FormRequest::Action::use, *state().form);
  ASSERT_TRUE(state().form);
  EXPECT_NE(state().form->error.find("1024"), std::string::npos) << state().form->error;

  form = *state().form;
  form.block.text = "TILE, TILE";
  act(FormRequest::Action::edit, form);
  act(FormRequest::Action::use, *state().form);
  ASSERT_FALSE(state().form) << state().form->error;
  EXPECT_EQ(state().experiment.kernel, path_.stem().string());
  ASSERT_TRUE(driver_.settle());
  if (state().failure && state().failure->failure.message.find("NVRTC") != std::string::npos)
    GTEST_SKIP() << state().failure->failure.message;
  ASSERT_FALSE(state().failure) << state().failure->failure.message;
  EXPECT_EQ(state().compiled->launch.grid, (std::array<uint32_t, 3>{4, 4, 1}));
  ASSERT_NE(state().grid, nullptr);
  EXPECT_TRUE(state().grid->verification.right());

  // The file opens with it again, and the form has it.
  driver_.workspace().open_file(path_);
  EXPECT_FALSE(state().form);
  driver_.workspace().open_form();
  ASSERT_TRUE(state().form);
  EXPECT_EQ(state().form->arguments.text, "16");
  EXPECT_EQ(state().form->block.text, "TILE, TILE");
}

TEST_F(LaunchFormOfAFile, ClosedUnfinishedItIsThereAgain) {
  driver_.workspace().open_file(path_);
  ASSERT_TRUE(state().form);
  own_kernel::LaunchForm form = *state().form;
  form.arguments.text = "8, ";
  act(FormRequest::Action::close, form);
  EXPECT_FALSE(state().form);
  ASSERT_TRUE(driver_.workspace().can_open_form());
  driver_.workspace().open_form();
  ASSERT_TRUE(state().form);
  EXPECT_EQ(state().form->arguments.text, "8, ");

  // Another text of the file needs another form.
  act(FormRequest::Action::close, *state().form);
  std::ofstream(path_) << "template <int BM, int BN>" << std::string(kTiled).substr(19);
  driver_.workspace().open_form();
  ASSERT_TRUE(state().form);
  EXPECT_EQ(state().form->arguments.text, "");
  EXPECT_EQ(state().form->template_parameters.size(), 2u);
}

}  // namespace
}  // namespace gemmscope::session
