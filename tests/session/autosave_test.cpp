// What a window showed comes back after a crash, and only then.
#include "session/autosave.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>

#include "session/scene_store.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

namespace fs = std::filesystem;

class AutosaveTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("gemmscope-autosave-{}", getpid());
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  size_t files(std::string_view end) const {
    size_t count = 0;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_, error))
      count += entry.path().string().ends_with(end);
    return count;
  }
  // A window that shows a kernel, moves on and is killed.
  void run_and_be_killed(const std::function<void(WorkspaceDriver&)>& use) const {
    const pid_t child = fork();
    if (child == 0) {
      WorkspaceDriver driver(small_experiment("08_transposed_tile"));
      (void)driver.settle();
      Autosave autosave(folder_, {}, 0);
      autosave.update(driver.state());
      use(driver);
      autosave.update(driver.state());
      autosave.flush();
      kill(getpid(), SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child ended with " << WEXITSTATUS(status);
  }

  fs::path folder_;
};

TEST_F(AutosaveTest, AKilledWindowLeavesItsScene) {
  run_and_be_killed([](WorkspaceDriver& driver) { driver.workspace().step(50); });
  Autosave next(folder_);
  const auto left = next.find_left();
  ASSERT_TRUE(left);
  EXPECT_EQ(left->scene.experiment, small_experiment("08_transposed_tile"));
  ASSERT_TRUE(left->scene.place);
  EXPECT_NE(left->scene.place->occurrence + static_cast<size_t>(left->scene.place->line), 0u);
  EXPECT_EQ(left->saved_at.size(), 16u) << left->saved_at;
  next.answer_left(*left, false);
  EXPECT_FALSE(next.find_left()) << "what was discarded comes back";
  EXPECT_TRUE(next.take_notices().empty());
}

// A crash right after the start still finds it.
TEST_F(AutosaveTest, WhatWasRestoredIsKeptOn) {
  run_and_be_killed([](WorkspaceDriver& driver) { driver.workspace().step(5); });
  {
    Autosave second(folder_);
    const auto left = second.find_left();
    ASSERT_TRUE(left);
    second.answer_left(*left, true);
  }  // without finish(): it crashed, too
  Autosave third(folder_);
  EXPECT_TRUE(third.find_left());
}

TEST_F(AutosaveTest, AClosedWindowLeavesNothing) {
  WorkspaceDriver driver(small_experiment());
  ASSERT_TRUE(driver.settle());
  Autosave autosave(folder_, {}, 0);
  autosave.update(driver.state());
  driver.workspace().step(3);
  autosave.update(driver.state());
  autosave.flush();
  EXPECT_EQ(files(".gemmscope"), 1u);
  autosave.finish();
  EXPECT_EQ(files(""), 0u);
}

TEST_F(AutosaveTest, AWindowThatStillRunsIsLeftAlone) {
  WorkspaceDriver driver(small_experiment());
  ASSERT_TRUE(driver.settle());
  Autosave first(folder_, {}, 0);
  first.update(driver.state());
  driver.workspace().step(3);
  first.update(driver.state());
  first.flush();
  Autosave second(folder_);
  EXPECT_FALSE(second.find_left());
}

TEST_F(AutosaveTest, WritesOnlyChangesAndNotTooOften) {
  WorkspaceDriver driver(small_experiment());
  ASSERT_TRUE(driver.settle());
  std::atomic<int> woken = 0;
  Autosave autosave(
      folder_, [&] { ++woken; }, 0.4);
  autosave.update(driver.state());
  autosave.flush();
  EXPECT_EQ(files(".gemmscope"), 0u) << "nothing has changed since the start";
  driver.workspace().step(1);
  autosave.update(driver.state());
  autosave.flush();
  ASSERT_EQ(files(".gemmscope"), 1u);
  const auto text = [&] { return read_scene(autosave.file().string()); };
  const auto first = text();
  ASSERT_TRUE(first);
  driver.workspace().step(1);
  autosave.update(driver.state());
  autosave.flush();
  EXPECT_EQ(scene_text(*text()), scene_text(*first)) << "it was written again at once";
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (woken == 0 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(woken, 1) << "a window that sleeps is not woken";
  autosave.update(driver.state());
  autosave.flush();
  EXPECT_NE(scene_text(*text()), scene_text(*first));
}

TEST_F(AutosaveTest, WhatCannotBeReadIsSetAside) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "window-1-2.gemmscope") << "{\"gemmscope_scene\": 1, \"m\": ";
  run_and_be_killed([](WorkspaceDriver& driver) { driver.workspace().step(5); });
  fs::last_write_time(folder_ / "window-1-2.gemmscope",
                      fs::file_time_type::clock::now() + std::chrono::hours(1));
  Autosave next(folder_);
  EXPECT_TRUE(next.find_left()) << "a damaged file hides a whole one";
  EXPECT_TRUE(fs::exists(folder_ / "window-1-2.gemmscope.unreadable"));
  const std::vector<std::string> notices = next.take_notices();
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_NE(notices[0].find("set aside as"), std::string::npos) << notices[0];
}

TEST_F(AutosaveTest, AFolderThatCannotBeWrittenIsSaidOnce) {
  std::ofstream(folder_) << "a file where the folder should be";
  WorkspaceDriver driver(small_experiment());
  ASSERT_TRUE(driver.settle());
  Autosave autosave(folder_ / "state", {}, 0);
  for (int i = 0; i < 3; ++i) {
    driver.workspace().step(1);
    autosave.update(driver.state());
  }
  EXPECT_EQ(autosave.take_notices().size(), 1u);
  autosave.finish();
}

}  // namespace
}  // namespace gemmscope::session
