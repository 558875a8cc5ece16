// Files go to the folder that xdg-user-dirs names, and never to where the program happens to be started.
#include "session/documents_folder.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <map>
#include <optional>

#include "session/scene_store.h"

namespace gemmscope::session {
namespace {

namespace fs = std::filesystem;

class DocumentsFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string made = (fs::temp_directory_path() / "gemmscope-documents-XXXXXX").string();
    ASSERT_NE(mkdtemp(made.data()), nullptr);
    home_ = made;
    fs::create_directories(home_ / ".config");
    fs::create_directories(home_ / "Papers \"2\"");
    set("HOME", home_.string());
    set("XDG_CONFIG_HOME", "");
    set("XDG_DOCUMENTS_DIR", "");
  }
  void TearDown() override {
    for (const auto& [name, value] : before_)
      value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
    std::error_code ignored;
    fs::remove_all(home_, ignored);
  }
  void set(const std::string& name, const std::string& value) {
    const char* const now = std::getenv(name.c_str());
    before_.try_emplace(name, now == nullptr ? std::nullopt : std::optional<std::string>(now));
    ASSERT_EQ(::setenv(name.c_str(), value.c_str(), 1), 0);
  }
  static void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

  fs::path home_;
  std::map<std::string, std::optional<std::string>> before_;
};

TEST_F(DocumentsFolder, IsTheOneOfXdgUserDirs) {
  const fs::path list = home_ / ".config" / "user-dirs.dirs", papers = home_ / "Papers \"2\"";
  write(list, "# a comment\nXDG_MUSIC_DIR=\"$HOME\"\n  XDG_DOCUMENTS_DIR=\"$HOME/Papers \\\"2\\\"\"\r\n");
  EXPECT_EQ(documents_folder(), papers);
  fs::create_directories(home_ / "other");
  write(home_ / "other" / "user-dirs.dirs", "XDG_DOCUMENTS_DIR=\"" + (home_ / "other").string() + "\"\n");
  set("XDG_CONFIG_HOME", (home_ / "other").string());
  EXPECT_EQ(documents_folder(), home_ / "other");
  set("XDG_CONFIG_HOME", (home_ / "none").string());
  set("XDG_DOCUMENTS_DIR", papers.string());
  EXPECT_EQ(documents_folder(), papers) << "the environment's, where no file names one";
}

TEST_F(DocumentsFolder, IsTheHomeFolderWhereNoneIsNamed) {
  const fs::path list = home_ / ".config" / "user-dirs.dirs";
  EXPECT_EQ(documents_folder(), home_);
  for (const char* text :
       {"XDG_DOCUMENTS_DIR=\"$HOME/\"\n", "XDG_DOCUMENTS_DIR=\"$HOME/not there\"\n", "XDG_DOCUMENTS_DIR=\n",
        "XDG_DOCUMENTS_DIR=\"relative\"\n", "XDG_DOCUMENTS_DIR=\"$HOMELESS\"\n", "XDG_DOCUMENTS_DIR=\"\n",
        "XDG_DOCUMENTS_DIRS=\"/\"\n", "\xff\n"}) {
    write(list, text);
    EXPECT_TRUE(fs::equivalent(documents_folder(), home_)) << text;
  }
}

TEST_F(DocumentsFolder, IsTheCurrentOneWithoutAHome) {
  set("HOME", "");
  EXPECT_EQ(documents_folder(), fs::current_path());
}

// A second scene never replaces the first.
TEST_F(DocumentsFolder, TakesScenes) {
  SavedScene scene;
  scene.experiment.kernel = "01_naive_rows";
  const auto first = save_scene(scene, documents_folder()), second = save_scene(scene, documents_folder());
  ASSERT_TRUE(first && second);
  EXPECT_EQ(*first, home_ / "01_naive_rows.gemmscope");
  EXPECT_EQ(*second, home_ / "01_naive_rows 2.gemmscope");
}

}  // namespace
}  // namespace gemmscope::session
