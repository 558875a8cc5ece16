// The real window in both languages and themes at three sizes, worked by real keys and a real mouse: whatever
// is opened, no text is cut, small or over another; and every command can be reached by mouse and by keys.
// The window tells its texts through a file (shell/text_box_file.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "session/app_commands.h"
#include "text_faults.h"
#include "window_fixture.h"

namespace gemmscope::window {
namespace {

using drawing::TextBox;

class WindowTexts : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (IsSkipped()) return;
    file_ = config_ / "texts";
    setenv("GEMMSCOPE_TEXT_BOXES", file_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("GEMMSCOPE_TEXT_BOXES");
    WindowTest::TearDown();
  }

  std::vector<TextBox> texts() const {
    std::vector<TextBox> boxes;
    std::ifstream file(file_);
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      TextBox box;
      words >> box.em_pixels >> box.layer >> box.ink.left >> box.ink.top >> box.ink.right >> box.ink.bottom >>
          box.clip.left >> box.clip.top >> box.clip.right >> box.clip.bottom;
      words.get();
      std::getline(words, box.text);
      boxes.push_back(std::move(box));
    }
    return boxes;
  }
  std::vector<std::string> words() const {
    std::vector<std::string> all;
    for (TextBox& box : texts()) all.push_back(std::move(box.text));
    return all;
  }
  std::optional<TextBox> find(const std::string& text) const {
    for (const TextBox& box : texts())
      if (box.text == text) return box;
    return std::nullopt;
  }
  bool shows(const std::string& text) {
    return eventually([&] { return find(text).has_value(); });
  }
  void settle() {
    ASSERT_TRUE(eventually([&] { return !moves(); }));
  }
  void click(const TextBox& box) {
    xdotool({"mousemove", std::to_string(static_cast<int>((box.ink.left + box.ink.right) / 2)),
             std::to_string(static_cast<int>((box.ink.top + box.ink.bottom) / 2)), "click", "1"});
  }
  // Any command that changes what is shown, by its id and real keys.
  void run(const std::string& id) {
    const std::vector<std::string> before = words();
    press("ctrl+p");
    sleep_ms(300);
    xdotool({"type", "--delay", "8", id});
    sleep_ms(300);
    press("Return");
    sleep_ms(300);
    EXPECT_TRUE(eventually([&] { return words() != before; })) << id << " changes nothing";
  }
  // Nothing covers the panels any more, and the mouse names nothing.
  void clear() {
    press("Escape");
    xdotool({"mousemove", "0", "0"});
    sleep_ms(200);
  }
  void check(const std::string& where) {
    settle();
    const std::vector<TextBox> boxes = texts();
    EXPECT_GT(boxes.size(), 20u) << where;
    for (const std::string& fault : faults_of(boxes)) ADD_FAILURE() << where << ": " << fault;
  }

  std::filesystem::path file_;
};

struct Look {
  const char* language;
  bool light;
  int width, height;
};
void PrintTo(const Look& look, std::ostream* to) {
  *to << look.language << (look.light ? "Light" : "Dark") << look.width;
}

std::vector<Look> looks() {
  std::vector<Look> all;
  for (const char* language : {"en", "zh"})
    for (const bool light : {false, true})
      for (const auto& [width, height] : {std::pair(800, 600), {1280, 720}, {1920, 1080}})
        all.push_back({language, light, width, height});
  return all;
}

class WindowMatrix : public WindowTexts, public testing::WithParamInterface<Look> {
 protected:
  void open_window() {
    const Look& look = GetParam();
    std::filesystem::create_directories(config_ / "gemmscope");
    std::ofstream(config_ / "gemmscope" / "settings.json")
        << "{\"light_theme\": " << (look.light ? "true" : "false") << "}";
    start({"--m", "128", "--n", "128", "--k", "128", "--language", look.language});
    xdotool({"windowsize", id(), std::to_string(look.width), std::to_string(look.height)});
    ASSERT_TRUE(eventually([&] {
      const Screenshot shot = WindowTest::look();
      return shot.width == look.width && shot.color_count() > 100;
    }));
  }
};

TEST_P(WindowMatrix, NoTextIsCutOrCoversAnother) {
  ASSERT_NO_FATAL_FAILURE(open_window());
  check("the cards of the start");
  clear();
  check("all panels");
  EXPECT_EQ(WindowTest::look().brightness() > 128, GetParam().light);
  press("F10");
  for (int menu = 0; menu < 14; ++menu) {
    check("menu " + std::to_string(menu + 1));
    press("Right");
  }
  clear();
  for (const char* id :
       {"view.help", "view.palette", "export.open", "experiment.open", "timing.gpu_runner", "start.cards"}) {
    run(id);
    check(id);
    clear();
  }
  // The same command brings back what it covers.
  for (const char* id :
       {"pipeline.show", "timing.show", "occupancy.calculator", "explorer.show", "board.show"}) {
    run(id);
    check(id);
    run(id);
  }
  run("compare.pin");
  press("Next");
  check("two kernels side by side");
  run("compare.pin");
  run("lesson.open");
  check("the lessons");
  press("ctrl+Next");
  check("a question");
  press("ctrl+shift+1");
  press("ctrl+Return");
  check("its answer");
  run("lesson.open");
  press("shift+F5");
  sleep_ms(2500);  // the corner shows the key for two seconds
  check("presenter mode");
  for (const char* key : {"1", "2", "3", "4", "5"}) {
    press(key);
    sleep_ms(2500);
    check(std::string("presenter mode, ") + key);
    press(key);
  }
  press("Escape");
  close_by_its_cross();
}

INSTANTIATE_TEST_SUITE_P(Looks, WindowMatrix, testing::ValuesIn(looks()),
                         [](const auto& one) { return testing::PrintToString(one.param); });

// Each picture of a film is what the screen shows at that place, with the zoom that was chosen here.
TEST_F(WindowTexts, FilmsAreWhatTheScreenShows) {
  start_and_pause();
  const auto named = [&](const char* end) {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(documents()))
      if (entry.path().extension() == end) found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
  };
  press_and_see("ctrl+equal", look());
  ASSERT_TRUE(eventually([&] { return !moves(); }));
  const Screenshot shown = look();
  press("ctrl+shift+s");
  ASSERT_TRUE(eventually([&] { return named(".png").size() == 1; }));
  ASSERT_TRUE(eventually([&] { return !moves(); }));
  const std::string picture = contents_of(named(".png").front());
  std::filesystem::remove(named(".png").front());
  press("ctrl+shift+e");
  ASSERT_TRUE(shows("Pictures"));
  click(*find("Pictures"));
  ASSERT_TRUE(shows("A PNG for each place of the cursor, in a new folder."));
  settle();
  std::optional<TextBox> button;  // the title of the dialog says "Export", too, above it
  for (const TextBox& box : texts())
    if (box.text == "Export" && (!button || box.ink.top > button->ink.top)) button = box;
  click(*button);
  EXPECT_TRUE(eventually([&] { return !find("Pictures"); })) << "the dialog stays";
  xdotool({"mousemove", "0", "0"});
  const auto all_are_there = [&] { return named(".png").size() == 60; };
  for (int patience = 0; patience < 5 && !eventually(all_are_there);) ++patience;  // a slow computer
  ASSERT_EQ(named(".png").size(), 60u);
  EXPECT_TRUE(eventually([&] { return !moves(); }));
  const auto pictures = named(".png");
  EXPECT_TRUE(contents_of(pictures.front()) == picture) << "the first picture is not what was shown";
  EXPECT_FALSE(contents_of(pictures.back()) == picture) << "the cursor stands still";
  // The code on the right scrolls by a line on its way; the last lines say that the pictures are saved.
  const auto upper_left = [](const Screenshot& shot) {
    std::vector<uint32_t> pixels;
    for (int y = 0; y < shot.height * 3 / 5; ++y) {
      const auto row = shot.pixels.begin() + y * shot.width;
      pixels.insert(pixels.end(), row, row + shot.width / 2);
    }
    return pixels;
  };
  EXPECT_TRUE(eventually([&] { return upper_left(look()) == upper_left(shown); }))
      << "the cursor does not come back";
  close_by_its_cross();
}

// A size that no matrix can have is refused by what was typed, not by its low half as an int.
TEST_F(WindowTexts, ASizeThatIsFarTooLargeIsRefusedAsTyped) {
  start_and_pause();
  press("ctrl+m");
  xdotool({"type", "--delay", "8", "99999999999"});
  press("Return");
  EXPECT_TRUE(shows("99999999999")) << "the field shows another number";
  EXPECT_TRUE(eventually([&] {
    for (const TextBox& box : texts())
      if (box.text.find("99999999999x64") != std::string::npos) return true;
    return false;
  })) << "no sentence names it";
  close_by_its_cross();
}

// A refused value keeps the keys: what is typed next mends it and runs no command. After a value that is
// taken, letters are commands again.
TEST_F(WindowTexts, ARefusedValueIsMendedAtOnce) {
  start_and_pause({"--kernel", "bank_conflicts", "--m", "64", "--n", "64"});
  ASSERT_TRUE(eventually([&] { return find("column").has_value(); }));
  const auto step = [&] {
    for (const TextBox& box : texts())
      if (box.text.starts_with("step ")) return box.text.substr(0, box.text.find(" of"));
    return std::string();
  };
  const std::string before = step();
  ASSERT_FALSE(before.empty());
  click(*find("column"));
  sleep_ms(300);
  xdotool({"key", "ctrl+a", "type", "--delay", "2", "column ^^ row("});
  xdotool({"key", "Return", "type", "--delay", "2", "column ^ 1 v"});  // at once
  EXPECT_TRUE(shows("column ^ 1 v"));
  EXPECT_EQ(step(), before) << "a letter was a command";
  xdotool({"key", "ctrl+a", "type", "--delay", "2", "column ^ row"});
  press("Return");
  EXPECT_TRUE(shows("wavefront")) << "one is left of 32";
  const std::string mended = step();
  press("End");
  EXPECT_TRUE(eventually([&] { return step() != mended; })) << "the field still has the keys";
  close_by_its_cross();
}

// Where frames take long, the mouse has gone on before the click is seen.
TEST_F(WindowTexts, AClickMeansWhereItWas) {
  start_and_pause({"--kernel", "bank_conflicts", "--m", "64", "--n", "64"});
  ASSERT_TRUE(eventually([&] { return find("33").has_value(); }));
  const TextBox value = *find("33");
  xdotool({"mousemove", std::to_string(static_cast<int>(value.ink.left) + 2),
           std::to_string(static_cast<int>(value.ink.top) + 2), "mousedown", "1", "mouseup", "1", "mousemove",
           "0", "0"});
  EXPECT_TRUE(shows("wavefront")) << "the click went elsewhere";
  close_by_its_cross();
}

// A notch is a step from block to warp to thread. At the ends the wheel does nothing and says nothing.
TEST_F(WindowTexts, TheWheelZoomsTheMap) {
  start_and_pause({"--m", "256", "--n", "256", "--k", "256"});
  const auto part = [&](const char* text) { return find(text).has_value(); };
  ASSERT_TRUE(eventually([&] { return part("C  128 \u00d7 128"); }));
  const TextBox c = *find("C  128 \u00d7 128");
  const std::string x = std::to_string(static_cast<int>(c.ink.left) + 30),
                    y = std::to_string(static_cast<int>(c.ink.top) - 60);
  const auto turn = [&](const char* button, int notches) {
    xdotool({"mousemove", x, y, "click", "--repeat", std::to_string(notches), "--delay", "150", button});
  };
  turn("4", 6);
  EXPECT_TRUE(eventually([&] { return part("C  8 \u00d7 8"); })) << "it does not show a thread";
  turn("5", 6);
  EXPECT_TRUE(eventually([&] { return part("C  128 \u00d7 128"); })) << "it does not show the block";
  settle();
  for (const TextBox& box : texts()) EXPECT_EQ(box.text.find("not possible"), std::string::npos) << box.text;
  close_by_its_cross();
}

class EveryCommand : public WindowTexts {
 protected:
  EveryCommand() : workspace_([] {}, {}, nullptr), commands_(session::make_commands(workspace_, flags_)) {}

  session::Workspace workspace_;
  session::AppFlags flags_;
  session::CommandTable commands_;
};

// Each menu is opened by a click on its title, and scrolled to its end by the wheel.
TEST_F(EveryCommand, StandsInItsMenu) {
  start_and_pause();
  for (const std::string& category : commands_.categories()) {
    const std::optional<TextBox> title = find(category);
    ASSERT_TRUE(title) << category;
    click(*title);
    const std::string& first = commands_.in_category(category).front()->title;
    EXPECT_TRUE(shows(first)) << category << " does not open";
    std::set<std::string> seen;
    for (int quiet = 0; quiet < 4;) {
      sleep_ms(250);
      const size_t before = seen.size();
      for (const TextBox& box : texts())
        if (!box.cut_above_below()) seen.insert(box.text);
      quiet = seen.size() == before ? quiet + 1 : 0;
      xdotool({"mousemove", std::to_string(static_cast<int>(title->ink.left) + 20), "200", "click", "5"});
    }
    for (const session::Command* command : commands_.in_category(category))
      EXPECT_TRUE(seen.contains(command->title)) << category << ": " << command->title;
    clear();
    EXPECT_TRUE(first == category || eventually([&] { return !find(first); }))
        << category << " does not close";
  }
  close_by_its_cross();
}

// The palette runs what stands in its first row, so a keyboard without a mouse reaches it.
TEST_F(EveryCommand, IsFoundByTypingItsId) {
  start_and_pause();
  for (const session::Command& command : commands_.all()) {
    if (!command.in_palette) {
      EXPECT_FALSE(command.key.empty()) << command.id << " has no key and is not found";
      continue;
    }
    press("ctrl+p");
    sleep_ms(60);
    xdotool({"type", "--delay", "2", command.id});
    EXPECT_TRUE(shows(command.title)) << command.id;
    press("Escape");
    sleep_ms(60);
  }
  close_by_its_cross();
}

// The window names the command of a key in presenter mode.
TEST_F(EveryCommand, IsNamedWhenItsKeyIsPressed) {
  start_and_pause();
  press("shift+F5");
  for (const auto& [key, id] : {std::pair("w", "time.next_warp"),
                                {"F3", "view.frame_time"},
                                {"ctrl+equal", "view.larger"},
                                {"ctrl+minus", "view.smaller"},
                                {"F2", "view.theme"},
                                {"F9", "present.spotlight"}}) {
    const session::Command* command = commands_.find(id);
    ASSERT_NE(command, nullptr) << id;
    xdotool({"key", "--delay", "200", key});
    EXPECT_TRUE(shows(command->title)) << key;
  }
  close_by_its_cross();
}

// The sentence belongs to the key that was refused, not to what comes after.
TEST_F(WindowTexts, ARefusalEndsWithTheNextCommand) {
  start_and_pause();
  const auto refused = [&] {
    for (const std::string& text : words())
      if (text.find("is not possible now") != std::string::npos) return true;
    return false;
  };
  press("8");  // a pass of the pipeline, which is not shown
  ASSERT_TRUE(eventually(refused));
  press("F2");
  EXPECT_TRUE(eventually([&] { return !refused(); }));
}

}  // namespace
}  // namespace gemmscope::window
