// Starts the real program on a display in memory, and works it with keys and a mouse.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "display.h"
#include "display_server.h"
#include "program.h"

namespace gemmscope::window {

inline std::string contents_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

inline constexpr double kPatience = 60;  // seconds; for computers that do other things as well

inline void sleep_ms(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

class WindowTest : public testing::Test {
 protected:
  void SetUp() override {
    if (server_.name().empty()) GTEST_SKIP() << "Xvfb is not installed, or does not start";
    setenv("DISPLAY", server_.name().c_str(), 1);
    config_ = std::filesystem::temp_directory_path() / ("gemmscope-window-" + std::to_string(getpid()));
    std::filesystem::remove_all(config_);
    std::filesystem::create_directories(config_);
    setenv("XDG_CONFIG_HOME", config_.c_str(), 1);  // a user's settings are neither read nor written
    setenv("XDG_STATE_HOME", config_.c_str(), 1);
    std::filesystem::create_directories(documents());  // what the window saves
    std::ofstream(config_ / "user-dirs.dirs") << "XDG_DOCUMENTS_DIR=\"" << documents().string() << "\"\n";
    display_ = std::make_unique<Display>();
    ASSERT_TRUE(display_->is_open()) << "the display " << server_.name() << " does not answer";
  }

  void TearDown() override {
    std::error_code error;
    if (!config_.empty()) std::filesystem::remove_all(config_, error);
  }

  // Starts the program with its window open, focused and in the corner of the screen.
  void start(std::vector<std::string> arguments = {"--m", "64", "--n", "64", "--k", "64"}) {
    arguments.insert(arguments.begin(), GEMMSCOPE_PROGRAM);
    program_ = std::make_unique<Program>(std::move(arguments));
    ASSERT_TRUE(eventually([&] { return (window_ = display_->window_of(program_->pid())).has_value(); }))
        << "no window appeared";
    xdotool({"windowmove", id(), "0", "0"});
    xdotool({"mousemove", "0", "0"});
    xdotool({"windowfocus", id()});
  }
  void start_and_pause(std::vector<std::string> arguments = {"--m", "64", "--n", "64", "--k", "64"}) {
    start(std::move(arguments));
    ASSERT_TRUE(eventually([&] { return look().color_count() > 100; })) << "the window stays blank";
    // Nothing plays by itself; the cards of the start lie over the picture.
    ASSERT_TRUE(eventually([&] { return !moves(); })) << "the picture plays by itself";
    const Screenshot cards = look();
    press("Escape");
    ASSERT_TRUE(eventually([&] { return look() != cards && !moves(); })) << "Escape does not close the cards";
  }

  std::filesystem::path documents() const { return config_ / "documents"; }
  std::string id() const { return std::to_string(window_.value_or(0)); }
  void xdotool(std::vector<std::string> words) {
    words.insert(words.begin(), "xdotool");
    ASSERT_EQ(run_program(words), 0) << words[1];
  }
  void press(const std::string& key) { xdotool({"key", key}); }
  Screenshot look() { return display_->look_at(*window_).value_or(Screenshot{}); }
  bool moves() {
    const Screenshot before = look();
    sleep_ms(400);
    return look() != before;
  }
  // Nothing moves, and nothing is computed that would still change the picture: on a busy computer the worker
  // waits for a core for longer than the picture has to stay the same.
  // `shot` is then what is shown; a picture from before that was looked at may be older.
  bool settled(Screenshot& shot) {
    if (program_->busy_threads() > 0) return false;
    shot = look();
    sleep_ms(400);
    return look() == shot && program_->busy_threads() == 0;
  }
  bool eventually(const std::function<bool()>& condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(kPatience);
    while (program_->running()) {
      if (condition()) return true;
      if (std::chrono::steady_clock::now() > deadline) return false;
      sleep_ms(20);
    }
    ADD_FAILURE() << "the program ended with " << *program_->exit_code();
    return false;
  }
  // Returns the picture after the key; fails if the key changes nothing.
  void press_and_see(const std::string& key, const Screenshot& before) {
    press(key);
    EXPECT_TRUE(eventually([&] { return look() != before; })) << key << " changes nothing";
  }
  void press_and_see_again(const std::string& key, const Screenshot& wanted) {
    press(key);
    EXPECT_TRUE(eventually([&] { return look() == wanted; })) << key << " does not bring the picture back";
  }
  void close_by_its_cross() {
    display_->ask_to_close(*window_);
    EXPECT_EQ(program_->wait(kPatience), 0);
  }

  std::filesystem::path config_;
  DisplayServer server_;
  std::unique_ptr<Display> display_;
  std::unique_ptr<Program> program_;
  std::optional<WindowId> window_;
};

}  // namespace gemmscope::window
