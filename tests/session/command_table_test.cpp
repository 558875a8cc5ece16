#include "session/command_table.h"

#include <gtest/gtest.h>

namespace gemmscope::session {
namespace {

Command command(
    std::string id, std::string key, std::function<void()> run = [] {}) {
  return {.id = std::move(id),
          .title = "Title",
          .category = "Time",
          .key = std::move(key),
          .run = std::move(run)};
}

KeyEvent pressed(const char* key, bool repeat = false) { return {*parse_chord(key), repeat}; }

TEST(Commands, IdsAreUnique) {
  CommandTable table;
  ASSERT_TRUE(table.add(command("time.step", "Right")));
  const auto twice = table.add(command("time.step", "Left"));
  ASSERT_FALSE(twice);
  EXPECT_NE(twice.error().message.find("time.step"), std::string::npos);
  EXPECT_EQ(table.all().size(), 1u);
  EXPECT_EQ(table.find(*parse_chord("Left")), nullptr);  // a refused command leaves no key behind
}

TEST(Commands, KeysAreUniqueHoweverTheyAreWritten) {
  CommandTable table;
  ASSERT_TRUE(table.add(command("view.palette", "Ctrl+Shift+P")));
  const auto twice = table.add(command("view.other", "shift+ctrl+p"));
  ASSERT_FALSE(twice);
  EXPECT_NE(twice.error().message.find("view.palette"), std::string::npos);
  EXPECT_NE(twice.error().message.find("Ctrl+Shift+P"), std::string::npos);
  EXPECT_TRUE(table.add(command("view.third", "")));
  EXPECT_TRUE(table.add(command("view.fourth", "")));
}

TEST(Commands, UnreadableCommandsAreRefused) {
  CommandTable table;
  EXPECT_FALSE(table.add(command("a", "Ctrl+Banana")));
  EXPECT_FALSE(table.add(command("", "")));
  EXPECT_FALSE(table.add(command("b", "", nullptr)));
  EXPECT_TRUE(table.all().empty());
}

TEST(Commands, RunByIdSaysWhyItFails) {
  CommandTable table;
  int runs = 0;
  bool enabled = true;
  Command step = command("time.step", "", [&] { ++runs; });
  step.enabled = [&] { return enabled; };
  ASSERT_TRUE(table.add(step));
  EXPECT_TRUE(table.run("time.step"));
  enabled = false;
  EXPECT_FALSE(table.run("time.step"));
  EXPECT_EQ(runs, 1);
  const auto unknown = table.run("time.jump");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("time.jump"), std::string::npos);
}

TEST(Commands, AGreyedCommandSaysWhatItNeeds) {
  CommandTable table;
  Command step = command("time.step", "Right");
  bool enabled = false;
  step.enabled = [&] { return enabled; };
  step.needs = "there is no trace.";
  ASSERT_TRUE(table.add(step));
  EXPECT_FALSE(table.handle(pressed("Right"), false));
  EXPECT_EQ(table.refusal(pressed("Right"), false), "\"Title\" is not possible now: there is no trace.");
  EXPECT_EQ(table.run("time.step").error().message, table.refusal(pressed("Right"), false));
  EXPECT_EQ(table.refusal(pressed("Right"), true), "") << "the field has the key";
  EXPECT_EQ(table.refusal(pressed("Left"), false), "") << "no command has this key";
  enabled = true;
  EXPECT_EQ(table.refusal(pressed("Right"), false), "");
}

TEST(Commands, KeysRunThem) {
  CommandTable table;
  int steps = 0, toggles = 0;
  Command step = command("time.step", "Right", [&] { ++steps; });
  step.repeats = true;
  ASSERT_TRUE(table.add(step));
  ASSERT_TRUE(table.add(command("view.theme", "T", [&] { ++toggles; })));
  EXPECT_TRUE(table.handle(pressed("Right"), false));
  EXPECT_TRUE(table.handle(pressed("Right", true), false));
  EXPECT_TRUE(table.handle(pressed("T"), false));
  EXPECT_FALSE(table.handle(pressed("T", true), false));  // held down: not again
  EXPECT_FALSE(table.handle(pressed("Left"), false));
  EXPECT_EQ(steps, 2);
  EXPECT_EQ(toggles, 1);
}

TEST(Commands, TextFieldsKeepTheirKeys) {
  CommandTable table;
  int runs = 0;
  const auto count = [&] { ++runs; };
  ASSERT_TRUE(table.add(command("a", "T", count)));
  ASSERT_TRUE(table.add(command("b", "Ctrl+P", count)));
  ASSERT_TRUE(table.add(command("c", "F1", count)));
  Command escape = command("d", "Escape", count);
  escape.while_typing = true;
  ASSERT_TRUE(table.add(escape));
  EXPECT_FALSE(table.handle(pressed("T"), true));
  EXPECT_TRUE(table.handle(pressed("Ctrl+P"), true));
  EXPECT_TRUE(table.handle(pressed("F1"), true));
  EXPECT_TRUE(table.handle(pressed("Escape"), true));
  EXPECT_EQ(runs, 3);
}

// While presenting, some keys have another command; all others keep theirs.
TEST(Commands, EachModeHasItsKeys) {
  CommandTable table;
  std::string ran;
  const auto runs = [&ran](const char* what) { return [&ran, what] { ran = what; }; };
  ASSERT_TRUE(table.add(command("time.barrier", "B", runs("barrier"))));
  ASSERT_TRUE(table.add(command("time.play", "Space", runs("play"))));
  Command black = command("present.black", "", runs("black"));
  black.presenting_keys = "B .";
  ASSERT_TRUE(table.add(black));
  EXPECT_TRUE(table.handle(pressed("B"), false));
  EXPECT_EQ(ran, "barrier");
  EXPECT_FALSE(table.handle(pressed("."), false));
  EXPECT_EQ(table.key_text("present.black"), "");
  table.set_mode(KeyMode::presenting);
  EXPECT_TRUE(table.handle(pressed("B"), false));
  EXPECT_EQ(ran, "black");
  ran.clear();
  EXPECT_TRUE(table.handle(pressed("."), false));
  EXPECT_EQ(ran, "black");
  EXPECT_TRUE(table.handle(pressed("Space"), false));
  EXPECT_EQ(ran, "play");
  EXPECT_EQ(table.key_text("present.black"), "B");
  EXPECT_EQ(table.key_text("time.barrier"), "") << "another command has its key now";
  EXPECT_EQ(table.key_text("time.play"), "Space");
}

TEST(Commands, KeysAreUniqueInTheirMode) {
  CommandTable table;
  Command black = command("present.black", "");
  black.presenting_keys = "B .";
  ASSERT_TRUE(table.add(black));
  Command other = command("present.other", "B");
  other.presenting_keys = "X .";
  const auto twice = table.add(other);
  ASSERT_FALSE(twice);
  EXPECT_NE(twice.error().message.find("present.black"), std::string::npos);
  table.set_mode(KeyMode::presenting);
  EXPECT_EQ(table.find(*parse_chord("X")), nullptr) << "a refused command leaves no key behind";
  other.presenting_keys = "X";
  EXPECT_TRUE(table.add(other)) << "B is free while nobody presents";
}

TEST(Commands, CategoriesInOrder) {
  CommandTable table;
  Command file = command("file.open", "ctrl+o");
  file.category = "File";
  ASSERT_TRUE(table.add(command("time.a", "")));
  ASSERT_TRUE(table.add(file));
  ASSERT_TRUE(table.add(command("time.b", "")));
  EXPECT_EQ(table.categories(), (std::vector<std::string>{"Time", "File"}));
  Command help = command("help.keys", ""), open = command("experiment.open", "");
  help.category = "Help", open.category = "Experiment";
  ASSERT_TRUE(table.add(help));
  ASSERT_TRUE(table.add(open));
  EXPECT_EQ(table.categories(), (std::vector<std::string>{"Experiment", "Time", "File", "Help"}));
  EXPECT_EQ(table.in_category("Time").size(), 2u);
  EXPECT_EQ(table.key_text("file.open"), "Ctrl+O");
  EXPECT_EQ(table.key_text("time.a"), "");
}

}  // namespace
}  // namespace gemmscope::session
