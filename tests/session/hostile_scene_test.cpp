// Scenes, lessons and kernels from elsewhere run no program and write no file, and each that is refused is
// refused with a sentence. Every one is opened in a jail of the kernel's (jail.h).
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "experiment/devices.h"
#include "jail.h"
#include "lessons/read_lesson.h"
#include "lessons/rubric.h"
#include "own_kernel/foreign_text.h"
#include "own_kernel/open_kernel.h"
#include "session/app_commands.h"
#include "session/foreign_commands.h"
#include "session/scene_store.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kText =
    R"(__global__ void k(const float* A, const float* B, float* C, float alpha, float beta, int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && column < N) C[row * N + column] = alpha * A[row * K] * B[column];
}
)";

json scene_json(const std::string& source = kText) {
  return {{"gemmscope_scene", 1},
          {"kernel", "typed"},
          {"m", 64},
          {"n", 64},
          {"k", 64},
          {"source", source},
          {"launch", {{"block", {"16", "16"}}, {"grid", {"N / 16", "M / 16"}}}}};
}

// What the user reads after the scene was opened; "" where it is shown.
std::string sentence_of(const std::string& text) {
  const auto scene = is_scene_link(text) ? parse_scene_link(text) : parse_scene(text, "handed.gemmscope");
  if (!scene) return scene.error().message;
  WorkspaceDriver driver(small_experiment("01_naive_rows"));
  AppFlags flags;
  const CommandTable commands = make_commands(driver.workspace(), flags);
  driver.state().commands = &commands;
  if (!driver.settle()) return "it hangs";
  if (const Result<void> opened = driver.workspace().open_scene(*scene); !opened)
    return opened.error().message;
  const ViewState& state = driver.state();
  const auto shown = [&] {
    return state.has_trace() && state.block->experiment == state.experiment && !driver.workspace().waiting();
  };
  // A grid may be so large that counting it takes days: in the background, and until the user cancels it.
  if (!driver.until([&] { return state.failure || state.progress || shown(); })) return "it hangs";
  (void)driver.until(
      [&] { return state.failure || !state.progress || state.progress->stage == experiment::Stage::grid; });
  const bool cancelled = state.progress.has_value();
  if (cancelled) driver.workspace().cancel();
  if (!driver.settle()) return "it hangs";
  if (driver.state().failure) return driver.state().failure->failure.message;
  return cancelled ? "" : driver.state().note;
}

struct Hostile {
  std::string name, text, says;  // says: a part of the sentence; empty: the scene is harmless and shown
};
void PrintTo(const Hostile& hostile, std::ostream* to) { *to << hostile.name; }

Hostile with(const char* name, const std::function<void(json&)>& change, const char* says) {
  json scene = scene_json();
  change(scene);
  return {name, scene.dump(), says};
}
Hostile source(const char* name, const std::string& before, const char* says) {
  return {name, scene_json(before + kText).dump(), says};
}

std::vector<Hostile> hostile_scenes() {
  const char* const header = "may include headers by name only";
  return {
      with(
          "Harmless", [](json&) {}, ""),
      with(
          "PathUpwards", [](json& s) { s["kernel"] = "../../tmp/x"; }, "plain name"),
      with(
          "AbsolutePath", [](json& s) { s["kernel"] = "/etc/cron.d/x"; }, "plain name"),
      with(
          "NulInTheName", [](json& s) { s["kernel"] = std::string("a\0b", 3); }, "plain name"),
      with(
          "LongName", [](json& s) { s["kernel"] = std::string(100'000, 'x'); }, "plain name"),
      with(
          "NoSuchKernel", [](json& s) { s.erase("source"), s["kernel"] = "$(touch /tmp/x)"; }, "no kernel"),
      source("IncludesPasswd", "#include \"/etc/passwd\"\n", header),
      source("IncludesUpwards", "#include <../../../../etc/passwd>\n", header),
      source("IncludesAMacro", "#define F \"/etc/passwd\"\n#include F\n", header),
      source("IncludesByDigraph", "%:include </dev/zero>\n", header),
      source("IncludesByTrigraph", "?\?=include </dev/zero>\n", header),
      source("IncludesOverLines", "#inc\\\nlude \"/dev/zero\"\n", header),
      source("IncludesBehindAComment", "/* a\n*/ # /* b */ include /**/ \"/etc/hosts\"\n", header),
      source("IncludesNext", "#include_next </etc/passwd>\n", header),
      source("IncludesWithReturns", "#include\t\"/etc/passwd\"\r\n", header),
      source("Embeds", "#embed \"/etc/passwd\"\n", "embed"),
      source("NamesAFileByLine", "# line 1 \"/etc/shadow\"\n", "may not name files"),
      source("NamesAFileByMacro", "#define F 1 \"/dev/tty\"\n#line F\n", "may not name files"),
      source("NamesAFileByMarker", "%: 1 \"/etc/shadow\" 2\n", "may not name files"),
      source("AsksForAHeader", "#if __has_include( <cuda_fp16.h> )\n#line 7\n#endif\n", ""),
      source("AsksForAFile", "#if __has_inc\\\nlude(\"/etc/shadow\")\n#endif\n", "may not name files"),
      source("IncludesWhatIsNotThere", "#include \"not_there.h\"\n", "not_there.h"),
      source("NulInTheText", std::string("// \0\n", 5), "NUL"),
      with(
          "Assembler",
          [](json& s) {
            std::string text = kText;
            text.insert(text.find("  const int row"), "  asm volatile(\".include \\\"/etc/passwd\\\"\");\n");
            s["source"] = text;
          },
          "Parsing error near '.include'"),
      with(
          "GiantSize", [](json& s) { s["m"] = 9'000'000'000'000'000'000; }, "\"m\""),
      with(
          "NotANumber", [](json& s) { s["n"] = "9e999"; }, "\"n\""),
      with(
          "GiantBlock",
          [](json& s) {
            s["launch"]["block"] = {"1000000000000", "16"};
          },
          "block"),
      with(
          "GiantGrid",
          [](json& s) {
            s["launch"]["grid"] = {"2147483647", "65535", "65535"};
          },
          "grid"),
      with(
          "GiantShared", [](json& s) { s["launch"]["shared"] = "4611686018427387904"; }, "shared"),
      with(
          "DeepExpression", [](json& s) { s["launch"]["grid"] = {std::string(200'000, '(')}; }, "grid"),
      with(
          "GiantToggle",
          [](json& s) {
            s.erase("source"), s["kernel"] = "bank_conflicts",
                               s["toggles"] = {{"PITCH", 9'000'000'000'000'000'000}};
          },
          "PITCH"),
      with(
          "CodeAsInput",
          [](json& s) {
            s.erase("source"), s["kernel"] = "bank_conflicts",
                               s["inputs"] = {{"SWIZZLE", "0); asm(\"exit;\"); system(\"touch /tmp/x\""}};
          },
          "SWIZZLE"),
      with(
          "OptionAsInput",
          [](json& s) {
            s.erase("source"), s["kernel"] = "bank_conflicts",
                               s["inputs"] = {{"SWIZZLE", "column --output-file=/tmp/x"}};
          },
          "SWIZZLE"),
      with(
          "OptionAsMacro",
          [](json& s) {
            s["launch"]["defines"] = {{"X --relocatable-device-code=true", 1}};
          },
          ""),
      with(
          "LessonUpwards", [](json& s) { s["lesson"] = "../../../etc/passwd/x"; }, "no lesson"),
      with(
          "PinnedPath", [](json& s) { s["pinned"] = scene_json(), s["pinned"]["kernel"] = "/etc/x"; },
          "plain name"),
      with(
          "PinnedTwice", [](json& s) { s["pinned"] = s, s["pinned"]["pinned"] = s; }, ""),
      {"DeepNesting", std::string(2'000'000, '['), "not a scene"},
      {"DeepObjects",
       "{\"gemmscope_scene\":1,\"pinned\":" +
           [] {
             std::string t;
             for (int i = 0; i < 100'000; ++i) t += "{\"pinned\":";
             return t;
           }(),
       "not a scene"},
      {"NotUtf8", "{\"gemmscope_scene\":1,\"kernel\":\"\xff\xfe\"}", "not a scene"},
      {"OnlyNul", std::string(1000, '\0'), "not a scene"},
      {"Link", "gemmscope:" + std::string(10'000, 'A'), "link"},
  };
}

class HostileScene : public testing::TestWithParam<Hostile> {};
TEST_P(HostileScene, RunsNothingWritesNothingAndIsSaid) {
  const Jailed jailed = run_in_jail([] { return sentence_of(GetParam().text); });
  EXPECT_FALSE(jailed.escaped) << "it tried to run a program, to write a file or to connect";
  ASSERT_EQ(jailed.exit_code, 0) << "it crashed, or took too long";
  EXPECT_NE(jailed.said.find(GetParam().says), std::string::npos) << jailed.said.substr(0, 500);
  if (GetParam().says.empty() && GetParam().name == "Harmless") {
    EXPECT_EQ(jailed.said, "");
  }
}
INSTANTIATE_TEST_SUITE_P(All, HostileScene, testing::ValuesIn(hostile_scenes()),
                         [](const auto& one) { return one.param.name; });

// The jail itself holds.
TEST(Jail, CatchesWritingAndRunning) {
  EXPECT_TRUE(run_in_jail([] { return std::ofstream("/tmp/gemmscope-jail") << "x", std::string(); }).escaped);
  EXPECT_TRUE(run_in_jail([] { return std::to_string(execl("/bin/true", "true", nullptr)); }).escaped);
  EXPECT_FALSE(run_in_jail([] {
                 return std::string(1, static_cast<char>(std::ifstream("/etc/hosts").get()));
               }).escaped);
}

// A kernel that never ends is ended.
TEST(HostileKernel, AnEndlessLoopIsEnded) {
  std::string text = kText;
  text.insert(text.find("  const int row"), "  for (volatile int i = 0;; i = i + 1) {}\n");
  const Jailed jailed = run_in_jail([&] { return sentence_of(scene_json(text).dump()); }, 300);
  EXPECT_FALSE(jailed.escaped);
  ASSERT_EQ(jailed.exit_code, 0);
  EXPECT_NE(jailed.said, "");
  EXPECT_NE(jailed.said, "it hangs");
}

TEST(HostileKernel, ASharedArrayTooLargeIsSaid) {
  const Jailed jailed = run_in_jail([] {
    return sentence_of(scene_json(std::string("__shared__ float big[1 << 28];\n") + kText + "").dump());
  });
  EXPECT_FALSE(jailed.escaped);
  EXPECT_EQ(jailed.exit_code, 0);
}

// Its "Show me" and a page's "show" may move the picture, and no more.
TEST(HostileKernel, ShowMeRunsNoCommandThatWrites) {
  for (const char* id : {"scene.save", "scene.copy_link", "export.png", "export.csv", "app.quit",
                         "experiment.open", "timing.gpu_runner"}) {
    EXPECT_TRUE(only_by_the_user(id)) << id;
    std::vector<std::string> commands = {"time.to_end", id};
    EXPECT_NE(take_out_foreign(commands, "x.cu").find(id), std::string::npos);
    EXPECT_EQ(commands, std::vector<std::string>{"time.to_end"});
  }
  WorkspaceDriver driver(small_experiment());
  AppFlags flags;
  const CommandTable commands = make_commands(driver.workspace(), flags);
  for (const char* id : {"scene.save", "export.png", "app.quit", "experiment.open", "timing.gpu_runner"})
    EXPECT_NE(commands.find(id), nullptr) << id << " has another name now";
  driver.state().commands = &commands;
  catalog::Kernel kernel = driver.workspace().catalog().kernels.front();
  kernel.show_me = {"export.png", "time.to_end", "app.quit"};
  start_show_me(driver.state(), kernel);
  EXPECT_EQ(driver.state().show_me.commands, std::vector<std::string>{"time.to_end"});
  EXPECT_NE(show_me_trouble(kernel, commands).find("export.png"), std::string::npos);
  driver.state().lesson.commands = {"export.png"};
  ASSERT_TRUE(driver.settle());
  EXPECT_TRUE(driver.state().lesson.commands.empty());
  EXPECT_FALSE(flags.exports.wish);
}

class HostileFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("gemmscope-hostile-{}", getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

// Symlinks to devices, pipes, folders, and files that are too large are refused before a byte is read.
TEST_F(HostileFile, WhatIsNoFileIsNotRead) {
  fs::create_symlink("/dev/zero", folder_ / "zero.gemmscope");
  fs::create_symlink(folder_ / "loop.gemmscope", folder_ / "loop.gemmscope");
  fs::create_directory(folder_ / "folder.gemmscope");
  ASSERT_EQ(mkfifo((folder_ / "pipe.gemmscope").c_str(), 0600), 0);
  std::ofstream(folder_ / "large.gemmscope") << "{}";
  fs::resize_file(folder_ / "large.gemmscope", uintmax_t{50} << 30);  // sparse
  for (const char* name : {"zero", "loop", "folder", "pipe", "large"}) {
    const std::string path = (folder_ / name).string() + ".gemmscope";
    const Jailed scene = run_in_jail(
        [&] {
          const auto read = read_scene(path);
          return read ? "" : read.error().message;
        },
        10);
    EXPECT_EQ(scene.exit_code, 0) << name;
    EXPECT_NE(scene.said.find(path), std::string::npos) << name << ": " << scene.said;
    const Jailed others = run_in_jail(
        [&] {
          const auto lesson = lessons::read_lesson(path);
          const auto rubric = lessons::read_rubric(path);
          const auto device = experiment::find_device(path);
          return lesson || rubric || device
                     ? std::string()
                     : lesson.error().message + rubric.error().message + device.error().message;
        },
        10);
    EXPECT_EQ(others.exit_code, 0) << name;
    EXPECT_NE(others.said.find(path), std::string::npos) << name << ": " << others.said;
  }
}

TEST(HostileLesson, IsRefusedWithASentence) {
  const std::string page =
      "title = \"t\"\nsummary = \"s\"\n[[page]]\nid = \"p\"\ntitle = \"t\"\ntext = \"x\"\n";
  const std::pair<std::string, const char*> lessons[] = {
      {"title = \"\0\"", "x.toml"},
      {page + "m = 99999999999999999999", "x.toml"},
      {page + "m = 4611686018427387904", "1048576"},
      {page + "toggles = " + std::string(100'000, '['), "x.toml"},
      {page + "claims = [\"" + std::string(20'000, '(') + "1\"]", "x.toml"},
      {page + "claims = [\"system(1)\"]", "x.toml"},
      {page + "kernel = 7", "kernel"},
      {page + "[page.figures]\na = { counter = \"flops\", run = \"rm -rf /\" }", "run"}};
  for (const auto& [text, says] : lessons) {
    const Jailed jailed = run_in_jail([&text = text] {
      const auto lesson = lessons::parse_lesson(text, "x.toml");
      return lesson ? std::string() : lesson.error().message;
    });
    EXPECT_FALSE(jailed.escaped);
    EXPECT_EQ(jailed.exit_code, 0) << text.substr(0, 200);
    EXPECT_NE(jailed.said.find(says), std::string::npos) << text.substr(0, 300) << "\n"
                                                         << jailed.said.substr(0, 300);
  }
}

// The files beside the program are not those of the scene's kernel.
TEST_F(HostileFile, ATypedKernelReadsNoFileBesideTheProgram) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  std::ofstream(folder_ / "typed.cu") << "#error this file belongs to somebody else\n";
  std::ofstream(folder_ / "beside.h") << "#error this one, too\n";
  const auto kernel = own_kernel::open_kernel_text("typed.cu", kText, {});
  EXPECT_FALSE(kernel && fs::exists(kernel->path)) << kernel->path;
  const Jailed jailed = run_in_jail([] { return sentence_of(scene_json().dump()); });
  EXPECT_EQ(jailed.said, "");
  const Jailed included = run_in_jail(
      [] { return sentence_of(scene_json(std::string("#include \"beside.h\"\n") + kText).dump()); });
  EXPECT_EQ(included.said.find("this one, too"), std::string::npos) << included.said;
  fs::current_path(before);
}

}  // namespace
}  // namespace gemmscope::session
