// Tests the program as a user sees it: a window, keys, a mouse, the cross in the corner.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "window_fixture.h"

namespace gemmscope::window {
namespace {

TEST_F(WindowTest, PlaysPausesAndSleeps) {
  start_and_pause();
  const auto cpu_seconds = [&] {
    const double before = program_->cpu_seconds();
    sleep_ms(1500);
    return program_->cpu_seconds() - before;
  };
  const double sleeping = cpu_seconds();
  press("space");
  EXPECT_TRUE(eventually([&] { return moves(); }));
  EXPECT_LT(sleeping, cpu_seconds() / 2) << "seconds of a core while nothing moves";
  close_by_its_cross();
}

TEST_F(WindowTest, StartsWithCardsAndShowsWhatAKernelTeaches) {
  start();
  Screenshot before;
  ASSERT_TRUE(eventually([&] { return (before = look()).color_count() > 100 && !moves(); }));
  press_and_see("F5", before);  // the bank lab
  ASSERT_TRUE(eventually([&] { return settled(before); }));
  press_and_see("e", before);
  EXPECT_TRUE(eventually([&] { return moves(); })) << "nothing is shown after the first command";
  press("e");
  EXPECT_TRUE(eventually([&] { return !moves(); })) << "it goes on";
  close_by_its_cross();
}

// The middle card lies in the middle of the window, the numbers at its top.
TEST_F(WindowTest, CardsAndNumbersCanBeClicked) {
  start();
  Screenshot before;
  ASSERT_TRUE(eventually([&] { return (before = look()).color_count() > 100 && !moves(); }));
  const auto click = [&](double x, double y) {
    xdotool({"mousemove", std::to_string(static_cast<int>(x * before.width)),
             std::to_string(static_cast<int>(y * before.height)), "click", "1"});
  };
  click(0.5, 0.48);
  ASSERT_TRUE(eventually([&] { return look() != before; })) << "a click on a card changes nothing";
  xdotool({"mousemove", "0", "0"});
  ASSERT_TRUE(eventually([&] { return settled(before); }));
  // Escape takes the focus from what was clicked. That the cards are gone shows in the click on a number
  // below.
  press("Escape");
  ASSERT_TRUE(eventually([&] { return settled(before); }));
  press("End");
  ASSERT_TRUE(eventually([&] { return look() != before; }));
  ASSERT_TRUE(eventually([&] { return settled(before); }));
  xdotool({"mousemove", std::to_string(before.width / 4), "70", "click", "1", "mousemove", "0", "0"});
  EXPECT_TRUE(eventually([&] { return look() != before; })) << "a click on a number goes nowhere";
  close_by_its_cross();
}

TEST_F(WindowTest, KeysMoveTime) {
  start_and_pause();
  press("Home");
  Screenshot before;
  ASSERT_TRUE(eventually([&] { return settled(before); }));
  for (const char* key : {"Right", "Left", "End", "Home", "s", "Down", "w"}) {
    SCOPED_TRACE(key);
    press_and_see(key, before);
    ASSERT_TRUE(eventually([&] { return settled(before); }));
  }
  close_by_its_cross();
}

TEST_F(WindowTest, HelpThemeFrameTimesAndPalette) {
  start_and_pause();
  const Screenshot before = look();
  press_and_see("F1", before);
  press_and_see_again("Escape", before);
  press_and_see("F3", before);
  press_and_see_again("F3", before);

  press("F2");
  EXPECT_TRUE(eventually([&] { return look().brightness() > 150; })) << "the theme is not light";
  press_and_see_again("F2", before);

  press_and_see("ctrl+p", before);
  xdotool({"type", "--delay", "30", "zzzz"});
  press("Return");
  press_and_see_again("Escape", before);
  press_and_see("ctrl+p", before);
  xdotool({"type", "--delay", "30", "light and"});
  press("Return");
  EXPECT_TRUE(eventually([&] { return look().brightness() > 150; })) << "the palette did not run its command";
  press_and_see("ctrl+equal", look());

  press("ctrl+q");
  EXPECT_EQ(program_->wait(kPatience), 0);
}

TEST_F(WindowTest, AnySize) {
  start_and_pause();
  const std::pair<int, int> sizes[] = {{200, 100},  {1920, 1080}, {1, 1},
                                       {300, 1000}, {1900, 60},   {1280, 720}};
  for (const auto& [width, height] : sizes) {
    SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height));
    xdotool({"windowsize", id(), std::to_string(width), std::to_string(height)});
    ASSERT_TRUE(eventually([&] {
      const Screenshot shot = look();
      return shot.width == width && shot.height == height && (width == 1 || shot.color_count() > 20);
    }));
    xdotool({"key", "Right", "F1", "Escape", "ctrl+p", "Escape"});
  }
  close_by_its_cross();
}

// The pipeline opens, plays in cycles, zooms, pans, follows a stall and measures with the mouse.
TEST_F(WindowTest, ThePipelineIsShownZoomedAndMeasured) {
  start_and_pause({"--m", "256", "--n", "256", "--k", "256"});
  Screenshot before = look();
  press_and_see("shift+i", before);
  ASSERT_TRUE(eventually([&] { return settled(before); }));
  EXPECT_GT(before.color_count(), 100u);
  for (const char* key : {"0", "9", "equal", "alt+Right", "minus", "j", "f", "alt+k"}) {
    SCOPED_TRACE(key);
    press_and_see(key, before);
    ASSERT_TRUE(eventually([&] { return settled(before); }));
  }
  xdotool({"mousemove", "500", "300", "mousedown", "1"});
  sleep_ms(100);
  for (const char* x : {"520", "560", "600"}) xdotool({"mousemove", x, "300"});
  xdotool({"mouseup", "1"});
  EXPECT_TRUE(eventually([&] { return look() != before; })) << "dragging measures nothing";
  press("space");
  EXPECT_TRUE(eventually([&] { return moves(); })) << "time does not move in cycles";
  press("space");
  ASSERT_TRUE(eventually([&] { return settled(before); }));
  press_and_see("shift+i", before);
  close_by_its_cross();
}

// P pins, another kernel stands beside it, Shift+P swaps the two and back, P unpins.
TEST_F(WindowTest, PinsComparesAndSwaps) {
  start_and_pause({"--kernel", "08_transposed_tile", "--m", "128", "--n", "128", "--k", "128"});
  Screenshot before = look();
  const auto settle = [&] { ASSERT_TRUE(eventually([&] { return settled(before); })); };
  settle();
  press_and_see("p", before);
  settle();
  press_and_see("Next", before);
  settle();
  const Screenshot compared = before;
  press_and_see("shift+p", before);
  settle();
  EXPECT_TRUE(before != compared);
  press_and_see_again("shift+p", compared);
  press_and_see("p", compared);
  close_by_its_cross();
}

// Ctrl+A and what is typed after it come within one frame; nothing of it gets lost.
TEST_F(WindowTest, TypesOverWhatIsSelected) {
  start_and_pause();
  const auto list_of = [](const Screenshot& shot) {  // of the palette, below its field
    Screenshot list{shot.width, 300, {}};
    list.pixels.assign(shot.pixels.begin() + 170 * shot.width, shot.pixels.begin() + 470 * shot.width);
    return list;
  };
  const auto typed = [&](const std::string& text) {
    xdotool({"type", "--delay", "1", text});
    sleep_ms(700);
    EXPECT_TRUE(eventually([&] { return program_->busy_threads() == 0; }));
    return list_of(look());
  };
  press("ctrl+p");
  sleep_ms(1000);
  const Screenshot wanted = typed("swizzle");
  EXPECT_GT(wanted.color_count(), 10u);
  xdotool({"key", "--delay", "1", "ctrl+a", "type", "--delay", "1", "conflict"});
  sleep_ms(700);
  EXPECT_TRUE(list_of(look()) != wanted) << "another text has the same list";
  xdotool({"key", "--delay", "1", "ctrl+a", "type", "--delay", "1", "swizzle"});
  EXPECT_TRUE(eventually([&] { return list_of(look()) == wanted; }))
      << "the list is not that of the new text";
  press("Escape");
  close_by_its_cross();
}

TEST_F(WindowTest, SchedulesTheLoopAndEditsItByKeys) {
  start_and_pause({"--kernel", "07_register_tile", "--m", "128", "--n", "128", "--k", "128"});
  Screenshot before = look();
  const auto settle = [&] { ASSERT_TRUE(eventually([&] { return settled(before); })); };
  settle();
  press_and_see("alt+shift+o", before);
  settle();
  const Screenshot scheduled = before;
  press_and_see("alt+shift+Down", before);
  settle();
  const Screenshot edited = before;
  EXPECT_TRUE(edited != scheduled);
  press_and_see("alt+shift+1", before);
  settle();
  EXPECT_TRUE(before != edited);
  press_and_see("ctrl+z", before);  // the numbers say what they were before, so it is not the same picture
  settle();
  press_and_see("alt+shift+b", before);
  settle();
  press_and_see("alt+shift+t", before);
  close_by_its_cross();
}

// A class plays with the program: all kinds of keys, clicks and wheels anywhere, while kernels change.
TEST_F(WindowTest, SurvivesACuriousClass) {
  start_and_pause();
  std::mt19937 random(5);
  const std::vector<std::string> keys = {
      "space",  "Right",  "Left",   "Up",  "Down",   "Home",        "End",
      "c",      "u",      "s",      "b",   "k",      "w",           "W",
      "g",      "F1",     "F2",     "F3",  "ctrl+z", "ctrl+plus",   "ctrl+minus",
      "Prior",  "Next",   "Escape", "Tab", "5",      "bracketleft", "bracketright",
      "ctrl+p", "Return", "ctrl+0"};
  for (int round = 0; round < 6; ++round) {
    std::vector<std::string> words = {"key", "--delay", "2"};
    for (int i = 0; i < 12; ++i) words.push_back(keys[random() % keys.size()]);
    xdotool(words);
    words.clear();
    for (int i = 0; i < 8; ++i) {
      // The mouse avoids the menus, because "Quit" is one of their entries.
      words.insert(words.end(),
                   {"mousemove", std::to_string(random() % 1600), std::to_string(60 + random() % 840),
                    "click", std::to_string(random() % 2 == 0 ? 1 : 4 + random() % 2)});
    }
    xdotool(words);
    ASSERT_TRUE(program_->running()) << "ended with " << *program_->exit_code() << " in round " << round;
  }
  close_by_its_cross();
}

TEST_F(WindowTest, ClosesWhileALargeGridRuns) {
  start({"--m", "2048", "--n", "2048", "--k", "1024"});
  sleep_ms(700);
  ASSERT_TRUE(program_->running());
  display_->ask_to_close(*window_);
  EXPECT_EQ(program_->wait(10), 0);
}

// A typed command line of the GPU runner starts at once and is remembered at the next start.
TEST_F(WindowTest, RemembersTheGpuRunner) {
  start_and_pause();
  const std::string started = (config_ / "started").string();
  const Screenshot before = look();
  press("shift+m");
  ASSERT_TRUE(eventually([&] { return look() != before; })) << "Shift+M opens nothing";
  sleep_ms(1000);
  xdotool({"type", "--delay", "15",
           "python3 '" GEMMSCOPE_SOURCE_DIR "/tests/gpu/fake_runner.py' note_start '" + started + "'"});
  sleep_ms(1000);
  press("Return");
  sleep_ms(1000);  // the dialog has the keyboard until it is gone
  press("t");      // the runner is started once the timings are shown
  EXPECT_TRUE(eventually([&] { return std::filesystem::exists(started); }))
      << "the runner was not started; remembered: "
      << std::ifstream(config_ / "gemmscope" / "settings.json").rdbuf();
  close_by_its_cross();
  ASSERT_TRUE(std::filesystem::exists(config_ / "gemmscope" / "settings.json"));
  std::filesystem::remove(started);
  start_and_pause();
  press("t");
  EXPECT_TRUE(eventually([&] { return std::filesystem::exists(started); })) << "it was not remembered";
  close_by_its_cross();
}

// Theme, zoom and kernel of the last time are there again, without a word on the command line.
TEST_F(WindowTest, RemembersWhatItShowed) {
  start_and_pause({});
  const Screenshot before = look();
  press_and_see("F2", before);
  ASSERT_TRUE(eventually([&] { return look().brightness() > 150; }));
  press("Next");
  press("ctrl+plus");
  sleep_ms(1500);
  ASSERT_TRUE(eventually([&] { return !moves(); }));
  close_by_its_cross();
  const auto settings = [&] {
    std::ostringstream text;
    text << std::ifstream(config_ / "gemmscope" / "settings.json").rdbuf();
    return text.str();
  };
  const std::string stored = settings();
  EXPECT_NE(stored.find("\"light_theme\": true"), std::string::npos) << stored;
  EXPECT_NE(stored.find("\"zoom\": 1.1"), std::string::npos) << stored;
  start_and_pause({});
  EXPECT_GT(look().brightness(), 150) << "the theme was not remembered";
  close_by_its_cross();
  EXPECT_EQ(settings(), stored) << "a start alone changes what is remembered";
}

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

class SettingsTest : public WindowTest {
 protected:
  // All texts of the last frame in the order of their drawing, without spaces and breaks of lines.
  std::string letters_of_frame() const {
    std::istringstream lines(contents_of(config_ / "texts"));
    std::string letters;
    constexpr int kNumbers = 10;  // before each text
    for (std::string line; std::getline(lines, line);) {
      size_t at = 0;
      for (int i = 0; i < kNumbers && at != std::string::npos; ++i) at = line.find(' ', at + 1);
      if (at != std::string::npos) letters += without_spaces(line.substr(at));
    }
    return letters;
  }
};

TEST_F(SettingsTest, ABrokenFileIsSetAsideAndTheWindowSaysSo) {
  const std::filesystem::path file = config_ / "gemmscope" / "settings.json";
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << "{ \"zoom\": ";
  setenv("GEMMSCOPE_TEXT_BOXES", (config_ / "texts").c_str(), 1);
  start_and_pause({});
  unsetenv("GEMMSCOPE_TEXT_BOXES");
  EXPECT_TRUE(std::filesystem::exists(file.string() + ".unreadable"));
  // Whole, in a small window too: the name of the file is the end of it.
  const std::string sentence = without_spaces(
      "The settings start anew; the unreadable file was set aside as " + file.string() + ".unreadable.");
  const auto is_told = [&] { return letters_of_frame().find(sentence) != std::string::npos; };
  EXPECT_TRUE(eventually(is_told)) << "the window does not say so: " << letters_of_frame();
  xdotool({"windowsize", id(), "640", "480"});
  sleep_ms(500);
  EXPECT_TRUE(eventually(is_told)) << letters_of_frame();
  press("ctrl+w");
  EXPECT_TRUE(eventually([&] { return !is_told(); })) << "a key closes it";
  close_by_its_cross();
}

// Letters that follow a click on a field at once are its own, and so are those after Ctrl+M.
TEST_F(WindowTest, WhatIsTypedInAFieldRunsNoCommand) {
  start_and_pause();
  Screenshot before = look();
  press_and_see("ctrl+m", before);
  sleep_ms(600);
  before = look();
  // T shows the timings, F2 would switch the theme; a field takes neither letters nor spaces for commands.
  xdotool({"type", "--delay", "5", "tlpq "});
  press("Escape");
  sleep_ms(600);
  const double brightness = before.brightness();
  EXPECT_NEAR(look().brightness(), brightness, 1.0) << "a panel has changed";
  // At once: frames of a large window take long, and the field is there some frames later.
  xdotool({"key", "--delay", "0", "ctrl+m", "type", "--delay", "1", "128"});
  press("Return");
  EXPECT_TRUE(eventually([&] { return look() != before; }));
  EXPECT_TRUE(eventually([&] { return !moves(); }));
  close_by_its_cross();
  std::ifstream settings(config_ / "gemmscope" / "settings.json");
  const std::string remembered((std::istreambuf_iterator<char>(settings)), {});
  EXPECT_NE(remembered.find("\"m\": 128"), std::string::npos) << remembered;
}

TEST_F(WindowTest, TabAndTheMenusWorkByKeys) {
  start_and_pause();
  Screenshot before = look();
  press_and_see("Tab", before);
  ASSERT_TRUE(eventually([&] { return settled(before); }));
  press_and_see("Tab", before);
  press("Escape");
  sleep_ms(300);
  before = look();
  press_and_see("F10", before);
  ASSERT_TRUE(eventually([&] { return settled(before); }));
  press_and_see("Right", before);
  press("Escape");
  close_by_its_cross();
}

// F11 and the keys of a remote clicker, as they come from the keyboard.
TEST_F(WindowTest, PresenterModeAndAClickersKeys) {
  start_and_pause();
  Screenshot before = look();
  const Screenshot working = before;
  press_and_see("shift+F5", before);
  const auto settle = [&] { return eventually([&] { return settled(before); }); };
  sleep_ms(2200);  // the corner shows the key for two seconds
  ASSERT_TRUE(settle());
  const Screenshot presented = before;
  for (const char* key : {"1", "2", "3", "4", "5"}) {
    SCOPED_TRACE(key);
    press_and_see(key, presented);
    sleep_ms(2200);
    ASSERT_TRUE(settle());
    EXPECT_NE(before, presented) << "no panel fills the screen";
    press(key);
    EXPECT_TRUE(eventually([&] { return look() != before; }));
    sleep_ms(2200);
  }
  press("3"), press("3");  // the code in place of the timings again
  EXPECT_TRUE(eventually([&] { return look() == presented; })) << "not all panels are back";
  press("b");
  EXPECT_TRUE(eventually([&] { return look().brightness() < 0.5; })) << "B does not blacken the screen";
  press("period");
  EXPECT_TRUE(eventually([&] { return look() == presented; }));
  press("period");
  EXPECT_TRUE(eventually([&] { return look().brightness() < 0.5; }));
  xdotool({"click", "1"});
  EXPECT_TRUE(eventually([&] { return look() == presented; })) << "a click does not show the screen again";
  press("Next");
  EXPECT_TRUE(eventually([&] { return look() != presented; })) << "PageDown goes nowhere";
  ASSERT_TRUE(settle());
  press("Prior");
  EXPECT_TRUE(eventually([&] { return look() != before; })) << "PageUp goes nowhere";
  ASSERT_TRUE(settle());
  // The cursor keeps its access from kernel to kernel, so only the colour of the background is compared.
  EXPECT_EQ(look().pixels.front(), presented.pixels.front());
  EXPECT_NE(working.pixels.front(), presented.pixels.front());
  press("Escape");
  EXPECT_TRUE(eventually([&] { return look().pixels.front() == working.pixels.front(); }))
      << "Escape does not end presenter mode";
  close_by_its_cross();
}

TEST_F(WindowTest, TheSpotlightFollowsThePointer) {
  start_and_pause();
  Screenshot before = look();
  xdotool({"mousemove", "800", "450"});
  ASSERT_TRUE(eventually([&] { return settled(before); }));
  press("F9");
  ASSERT_TRUE(eventually([&] { return look().brightness() < 0.75 * before.brightness(); }));
  const Screenshot left = look();
  xdotool({"mousemove", "1200", "500"});
  EXPECT_TRUE(eventually([&] { return look() != left; }));
  EXPECT_LT(look().brightness(), 0.75 * before.brightness());
  press("F9");
  EXPECT_TRUE(eventually([&] { return look().brightness() > 0.9 * before.brightness(); }));
  close_by_its_cross();
}

// Each border moves when it is dragged, in presenter mode too, and is where it was at the next start.
TEST_F(WindowTest, BordersAreDraggedAndRemembered) {
  start_and_pause({});
  Screenshot before;
  const auto settle = [&] { return eventually([&] { return settled(before); }); };
  // Places are shares of a window of 1600 x 900.
  const auto drag = [&](int x, int y, int by_x, int by_y) {
    ASSERT_TRUE(settle());
    const Screenshot still = before;
    xdotool({"mousemove", std::to_string(x), std::to_string(y), "mousedown", "1"});
    sleep_ms(200);
    xdotool({"mousemove", std::to_string(x + by_x), std::to_string(y + by_y)});
    sleep_ms(200);
    xdotool({"mouseup", "1", "mousemove", "0", "0"});
    EXPECT_TRUE(eventually([&] { return look() != still; })) << x << "," << y << " is no border";
    ASSERT_TRUE(settle());
    EXPECT_NE(before, still) << x << "," << y << " is no border";
  };
  const auto panels = [&] {
    std::ostringstream text;
    text << std::ifstream(config_ / "gemmscope" / "settings.json").rdbuf();
    const std::string all = text.str();
    const size_t at = all.find("\"panels\"");
    return at == std::string::npos ? "" : all.substr(at, all.find('}', at) - at);
  };
  ASSERT_NO_FATAL_FAILURE(drag(303, 400, 40, 0));
  ASSERT_TRUE(settle());
  press_and_see("shift+F5", before);
  sleep_ms(2500);
  // The width of the column decides how high the map wants to be, so the border below the map comes first.
  ASSERT_NO_FATAL_FAILURE(drag(330, 459, 0, -60));
  ASSERT_NO_FATAL_FAILURE(drag(826, 300, -80, 0));
  sleep_ms(1500);
  const std::string dragged = panels();
  EXPECT_EQ(dragged.find("\"code_share\": 0.47"), std::string::npos) << dragged;
  EXPECT_EQ(dragged.find("\"experiment_points\": 0.0"), std::string::npos) << dragged;
  EXPECT_EQ(dragged.find("\"pictures_share\": 0.0"), std::string::npos) << dragged;
  close_by_its_cross();
  start_and_pause({});
  close_by_its_cross();
  EXPECT_EQ(panels(), dragged);
}

// The palette finds a figure by Nsight Compute's name and marks it; the tour plays, pauses and ends.
TEST_F(WindowTest, ThePaletteMarksAFigureAndTheTourPlays) {
  start_and_pause();
  Screenshot before = look();
  press_and_see("ctrl+p", before);
  xdotool({"type", "--delay", "30", "smsp__inst_executed"});
  sleep_ms(400);
  press("Return");
  EXPECT_TRUE(eventually([&] { return moves(); })) << "no mark fades";
  EXPECT_TRUE(eventually([&] { return look() == before; })) << "the mark stays";
  ASSERT_TRUE(eventually([&] { return settled(before); }));
  press_and_see("F12", before);
  EXPECT_TRUE(eventually([&] { return moves(); })) << "the tour stands still";
  press("shift+F12");
  EXPECT_TRUE(eventually([&] { return settled(before); })) << "the tour goes on although paused";
  press_and_see("ctrl+F12", before);
  press("Escape");
  sleep_ms(500);
  ASSERT_TRUE(eventually([&] { return settled(before); }));
  close_by_its_cross();
}

// A student answers by keys alone; then a lecturer walks the chapter with a clicker.
TEST_F(WindowTest, AChapterIsAnsweredByKeysAndWalkedWithAClicker) {
  const auto kept = [&] { return contents_of(config_ / "gemmscope" / "guesses.json"); };
  const auto pages_kept = [&] {
    const std::string text = kept();
    size_t count = 0;
    for (size_t at = 0; (at = text.find("\"asked\"", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  start_and_pause();
  Screenshot before = look();
  press_and_see("ctrl+p", before);
  xdotool({"type", "--delay", "30", "what a stride"});
  sleep_ms(400);
  press("Return");
  ASSERT_TRUE(eventually([&] { return settled(before); }));
  press_and_see("Tab", before);  // to the question
  xdotool({"type", "--delay", "30", "50 %"});
  press("Return");
  EXPECT_TRUE(eventually([&] { return kept().find("0.5") != std::string::npos; })) << "no answer is kept";
  ASSERT_TRUE(eventually([&] { return settled(before); }));
  press_and_see("shift+F5", before);
  // Each page asks, reveals, and goes on to the next.
  constexpr size_t kPages = 13;
  for (size_t presses = 0; pages_kept() < kPages && presses < 3 * kPages; ++presses) {
    ASSERT_TRUE(eventually([&] { return settled(before); }));
    press("Next");
  }
  EXPECT_EQ(pages_kept(), kPages);
  ASSERT_TRUE(eventually([&] { return settled(before); }));
  EXPECT_TRUE(program_->running());
  close_by_its_cross();
}

// A window that is killed leaves its scene, and the next one brings it back by a key.
TEST_F(WindowTest, IsRestoredAfterAKill) {
  const std::filesystem::path state = config_ / "gemmscope";
  const auto left = [&] {
    std::string text;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(state, error))
      if (entry.path().extension() == ".gemmscope") text = contents_of(entry.path());
    return text;
  };
  start_and_pause();
  press("End");
  ASSERT_TRUE(eventually([&] { return !left().empty(); })) << "nothing is kept";
  sleep_ms(500);
  const std::string kept = left();
  kill(program_->pid(), SIGKILL);
  program_->wait(kPatience);
  EXPECT_EQ(left(), kept);

  start();
  ASSERT_TRUE(eventually([&] { return look().color_count() > 100 && !moves(); }));
  press("Escape");  // the cards
  Screenshot offered;
  ASSERT_TRUE(eventually([&] { return offered = look(), !moves(); }));
  press_and_see("ctrl+shift+t", offered);
  ASSERT_TRUE(eventually([&] { return !moves(); }));
  EXPECT_EQ(left(), kept) << "it is not this window's own now";
  close_by_its_cross();
  EXPECT_EQ(left(), "") << "a window that was closed leaves something";

  start_and_pause();
  const Screenshot plain = look();
  press("ctrl+shift+t");
  sleep_ms(300);
  EXPECT_EQ(left(), "");
  close_by_its_cross();
}

TEST_F(WindowTest, ExportsWhatItShows) {
  start_and_pause();
  const auto files = [&](const char* end) {
    size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(documents()))
      count += entry.path().extension() == end && std::filesystem::file_size(entry.path()) > 0;
    return count;
  };
  press("ctrl+shift+s");
  EXPECT_TRUE(eventually([&] { return files(".png") == 1; }));
  press("ctrl+shift+v");
  EXPECT_TRUE(eventually([&] { return files(".svg") == 1; }));
  EXPECT_TRUE(eventually([&] { return !moves(); }));
  Screenshot shown = look();
  press_and_see("ctrl+shift+e", shown);  // the dialog, which begins with a PNG of the window
  press("Return");
  EXPECT_TRUE(eventually([&] { return files(".png") == 2; }))
      << "a second picture must not replace the first";
  press("ctrl+s");
  EXPECT_TRUE(eventually([&] { return files(".gemmscope") == 1; }));
  close_by_its_cross();
}

}  // namespace
}  // namespace gemmscope::window
