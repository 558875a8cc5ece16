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

TEST_F(SettingsTest, SettingsOfOtherVersionsAreKept) {
  write(R"({"of_a_later_version": [1, 2], "gpu_runner": "old"})");
  ASSERT_TRUE(save_settings({"new"}));
  EXPECT_NE(read().find("of_a_later_version"), std::string::npos) << read();
  EXPECT_EQ(load_settings()->gpu_runner, "new");
}

TEST_F(SettingsTest, AnUnreadableFileIsReported) {
  for (const char* text : {"{", "", "[]", "\xff\xfe", R"({"gpu_runner": 3})", R"({"gpu_runner": null})"}) {
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
