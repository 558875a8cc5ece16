// Settings are saved and loaded. A mistake in the file is reported, and the rest of the file still counts.
#include "session/settings.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "temporary_config.h"

namespace gemmscope::session {
namespace {

namespace fs = std::filesystem;

class SettingsTest : public testing::Test {
 protected:
  void write(const std::string& text) {
    fs::create_directories(settings_path().parent_path());
    std::ofstream(settings_path()) << text;
  }
  static std::string read() {
    std::ostringstream text;
    text << std::ifstream(settings_path()).rdbuf();
    return text.str();
  }
  TemporaryConfig config_;
};

TEST_F(SettingsTest, WithoutAFileTheDefaultsHold) {
  EXPECT_EQ(settings_path(), config_.folder() / "gemmscope" / "settings.json");
  const Result<Settings> settings = load_settings();
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(*settings, Settings{});
  EXPECT_FALSE(fs::exists(settings_path())) << "reading writes nothing";
}

TEST_F(SettingsTest, SavedSettingsAreLoaded) {
  for (const char* command :
       {"ssh lab-gpu gemmscope-gpu-runner", "", "sh -c \"echo 'a b' \\\\ \u00e4\"", "\xff\n"}) {
    ASSERT_TRUE(save_settings({command}));
    const Result<Settings> settings = load_settings();
    ASSERT_TRUE(settings) << settings.error().message;
    if (std::string_view(command) != "\xff\n") {  // no UTF-8: readable, if not the same
      EXPECT_EQ(settings->gpu_runner, command);
    }
  }
}

TEST_F(SettingsTest, AllSettingsAreLoadedAgain) {
  Settings s;
  s.gpu_runner = "ssh lab";
  s.light = true;
  s.language = "zh";
  s.zoom = 1.5f;
  s.presenting_zoom = 2;
  s.window_width = 1234;
  s.window_height = 567;
  s.panels = {300, 0.25f, 0.5f, 0.75f, 0.4f, 0.3f, 0.35f, 0.55f};
  s.kernel = "workbench";
  s.file = "/a/b.cu";
  s.sizes = {64, 128, 512};
  s.alpha = 0.5f;
  s.beta = -2;
  s.toggles = {{"BLOCK_M", 64}};
  s.inputs = {{"INDEX", "column ^ row"}};
  s.arch = 90;
  s.steps_per_second = 32;
  s.cycles_per_second = 400;
  ASSERT_TRUE(save_settings(s));
  const Result<Settings> loaded = load_settings();
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(*loaded, s);
  const auto folder = fs::directory_iterator(settings_path().parent_path());
  EXPECT_EQ(std::distance(begin(folder), end(folder)), 1) << "the new file took the place of the old one";
}

TEST_F(SettingsTest, NumbersStayWithinTheirLimits) {
  write(R"({"zoom": 1e9, "panels": {"code_share": -3, "experiment_points": 5}, "problem": {"m": -4, "n": 9},
            "window": {"width": 99999999}, "steps_per_second": 0})");
  const Result<Settings> s = load_settings();
  ASSERT_TRUE(s) << s.error().message;
  EXPECT_EQ(s->zoom, 3);
  EXPECT_EQ(s->panels.code, kLeastShare);
  EXPECT_EQ(s->panels.experiment, kLeastPanelWidth);
  EXPECT_EQ(s->sizes[0], 1);
  EXPECT_EQ(s->sizes[1], 9);
  EXPECT_LE(s->window_width, 16384);
  EXPECT_EQ(s->steps_per_second, 1);
}

TEST_F(SettingsTest, AnUnreadableFileIsSetAside) {
  write("{ broken");
  const Result<fs::path> aside = set_settings_aside();
  ASSERT_TRUE(aside) << aside.error().message;
  std::ostringstream text;
  text << std::ifstream(*aside).rdbuf();
  EXPECT_EQ(text.str(), "{ broken");
  EXPECT_TRUE(load_settings());
  EXPECT_FALSE(set_settings_aside()) << "there is none any more";
}

TEST_F(SettingsTest, SettingsOfOtherVersionsAreKept) {
  write(R"({"of_a_later_version": [1, 2], "gpu_runner": "old"})");
  ASSERT_TRUE(save_settings({"new"}));
  EXPECT_NE(read().find("of_a_later_version"), std::string::npos) << read();
  EXPECT_EQ(load_settings()->gpu_runner, "new");
}

TEST_F(SettingsTest, AnUnreadableFileIsReported) {
  for (const char* text :
       {"{", "", "[]", "\xff\xfe", R"({"gpu_runner": 3})", R"({"gpu_runner": null})", R"({"zoom": "big"})",
        R"({"panels": 3})", R"({"toggles": {"A": 1.5}})", R"({"inputs": {"A": 1}})", R"({"inputs": []})",
        R"({"architecture": "sm_90"})", R"({"problem": {"m": "x"}})", R"({"light_theme": 1})"}) {
    write(text);
    const Result<Settings> settings = load_settings();
    ASSERT_FALSE(settings) << text;
    EXPECT_NE(settings.error().message.find(settings_path().string()), std::string::npos);
    ASSERT_TRUE(save_settings({"x"})) << text;
    EXPECT_EQ(load_settings()->gpu_runner, "x") << text;
  }
}

TEST_F(SettingsTest, AFailedWriteIsReported) {
  std::ofstream(config_.folder() / "gemmscope") << "a file where the folder should be";
  const Result<void> saved = save_settings({"x"});
  ASSERT_FALSE(saved);
  EXPECT_NE(saved.error().message.find(settings_path().string()), std::string::npos) << saved.error().message;
  unsetenv("XDG_CONFIG_HOME");
  const char* const home = std::getenv("HOME");
  const std::string before = home == nullptr ? "" : home;
  unsetenv("HOME");
  EXPECT_FALSE(save_settings({"x"}));
  EXPECT_TRUE(load_settings());
  if (home != nullptr) setenv("HOME", before.c_str(), 1);
}

}  // namespace
}  // namespace gemmscope::session
