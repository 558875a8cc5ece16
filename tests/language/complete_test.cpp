// Whatever the program draws or says has its Chinese in assets/languages/zh.toml. A failure lists what is
// missing as lines for the table.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "drawn_texts.h"
#include "experiment/bank_question.h"
#include "experiment/devices.h"
#include "experiment/recording.h"
#include "experiment/timing_choice.h"
#include "language/current_language.h"
#include "language/read_phrases.h"
#include "metrics/occupancy_presets.h"
#include "scenes/timeline_scene.h"
#include "session/app_commands.h"
#include "session/found_things.h"

namespace gemmscope::language {
namespace {

// Names are the same in every language: of devices, kernels' files and functions.
bool is_name(const std::string& text, const catalog::Catalog& catalog) {
  for (const sm::SmConfig& device : experiment::shipped_devices().devices)
    if (text == device.name) return true;
  for (const catalog::Kernel& kernel : catalog.kernels)
    if (text == kernel.id || text == kernel.entry || text == kernel.path.filename().string()) return true;
  return false;
}

// Code under the mouse: each line of the text is translated, or is one of the kernels' sources.
bool is_code(const std::string& text, const PhraseTable& table, const std::string& sources) {
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    if (!table.translate(line).complete && sources.find(line) == std::string::npos) return false;
    begin = end + 1;
  }
  return true;
}

std::string as_lines(const std::set<std::string>& missing) {
  std::string lines;
  for (const std::string& text : missing) {
    lines += '"';
    for (const char c : text) lines += c == '\n' ? "\\n" : c == '"' ? "\\\"" : std::string(1, c);
    lines += "\" = \"\"\n";
  }
  return lines;
}

class Completeness : public testing::Test {
 protected:
  Completeness() : catalog_(catalog::read_catalog(catalog::kernels_folder())) {
    Result<PhraseTable> table = read_phrases(catalog::assets_folder() / "languages" / "zh.toml");
    if (table)
      table_ = *std::move(table);
    else
      ADD_FAILURE() << table.error().message;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(catalog::kernels_folder())) {
      std::ifstream file(entry.path());
      if (entry.is_regular_file()) sources_.append(std::istreambuf_iterator<char>(file), {});
    }
  }
  void check(std::string_view text) {
    if (!text.empty() && !table_.translate(text).complete) missing_.emplace(text);
  }
  void draw(const std::string& kernel, const char* jump, bool everywhere = false,
            shell::PixelSize size = {1280, 720}, shell::FrameContent content = shell::FrameContent::all) {
    const DrawnTexts texts = draw_in_chinese(start_with(*catalog_.find(kernel)),
                                             {.size = size, .content = content, .jump = jump}, everywhere);
    std::set<std::string> fresh;  // said where it is seen first
    for (const std::string& text : texts.untranslated)
      if (!is_name(text, catalog_) && !is_code(text, table_, sources_) && drawn_.insert(text).second)
        fresh.insert(text);
    EXPECT_TRUE(fresh.empty()) << kernel << ", " << jump << ":\n" << as_lines(fresh);
  }
  void TearDown() override { EXPECT_TRUE(missing_.empty()) << as_lines(missing_); }

  catalog::Catalog catalog_;
  PhraseTable table_;
  std::string sources_;  // of the kernels and what they include
  std::set<std::string> missing_, drawn_;
};

TEST_F(Completeness, Kernels) {
  ASSERT_GT(catalog_.kernels.size(), 20u);
  for (const catalog::Kernel& kernel : catalog_.kernels) {
    for (const std::string* text : {&kernel.title, &kernel.changed, &kernel.why, &kernel.look_at})
      check(*text);
    for (const catalog::Toggle& toggle : kernel.toggles) {
      for (const std::string* text : {&toggle.title, &toggle.group, &toggle.help}) check(*text);
      for (const std::string& label : toggle.labels) check(label);
    }
    for (const catalog::Input& input : kernel.inputs) check(input.title);
    for (const catalog::IllegalRule& rule : kernel.illegal) check(rule.why);
    for (const catalog::LaunchStep& launch : kernel.launches) check(launch.title);
  }
}

// Also the names that published sources give to their variants.
TEST_F(Completeness, Recordings) {
  for (const experiment::RecordingFile& file :
       experiment::read_recordings(experiment::recordings_folder()).files)
    for (const experiment::Timings& timings : file.recording) {
      if (!timings.device.name.starts_with("NVIDIA")) check("on " + timings.device.name);
      for (const experiment::TimedVariant& variant : timings.variants)
        if (!variant.title.starts_with("cuBLAS")) check(variant.title);
    }
}

TEST_F(Completeness, SentencesOfPicturesKeepTheirParts) {
  for (const auto& [english, chinese] :
       {std::pair("32 lanes finish 32 elements of C.", "32 个通道算完 C 的 32 个元素。"),
        {"02 Naive: 1.861 ms; 11.1 % of cuBLAS.", "02 朴素：1.861 ms；cuBLAS 的 11.1 %。"},
        {"It is FFMA R1, R2, R3, R1 at a.cu:43.", "答案是 a.cu:43 处的 FFMA R1, R2, R3, R1。"},
        {"tiles.a  16 × 128 float, words 0–65", "tiles.a  16 × 128 float，字 0–65"},
        {"on a GPU of the RTX 3080's class", "与 RTX 3080 同级的 GPU"}})
    EXPECT_EQ(table_.translate(english).text, chinese);
}

TEST_F(Completeness, Commands) {
  session::Workspace workspace([] {}, {}, nullptr);
  session::AppFlags flags;
  const session::CommandTable commands = session::make_commands(workspace, flags);
  for (const session::Command& command : commands.all()) {
    for (const std::string* text : {&command.title, &command.category, &command.needs, &command.description})
      check(*text);
    check("\"" + command.title + "\" is not possible now" +
          (command.needs.empty() ? "." : ": " + command.needs));
  }
}

TEST_F(Completeness, KindsOfWhatThePaletteFinds) {
  for (const session::ThingKind kind :
       {session::ThingKind::command, session::ThingKind::kernel, session::ThingKind::toggle,
        session::ThingKind::figure, session::ThingKind::picture, session::ThingKind::recording,
        session::ThingKind::lesson, session::ThingKind::device})
    check(session::kind_name(kind));
}

// Single words stand in the kernels' sources, too, so that a drawn one is taken for code.
TEST_F(Completeness, WordsOfButtons) {
  for (const char* word : {"access", "pass", "cycle", "Tile", "Padding", "element", "Apply", "now"})
    check(word);
}

TEST_F(Completeness, OccupancyExamples) {
  for (const metrics::OccupancyPreset& preset : metrics::occupancy_presets())
    for (const std::string_view text : {preset.name, preset.group, preset.question}) check(text);
}

// Every kernel as it opens.
TEST_F(Completeness, EveryKernelsPictures) {
  for (const catalog::Kernel& kernel : catalog_.kernels) draw(kernel.id, "");
}

TEST_F(Completeness, PanelsUnderTheMouse) {
  for (const auto& [kernel, jump] : {std::pair("09_conflict_free", ""),
                                     {"bank_conflicts", ""},
                                     {"coalescing", ""},
                                     {"workbench", "toggles.next"},
                                     {"08_transposed_tile", "code.control_codes,code.worst_conflict"},
                                     {"15_tensor_bf16", "picture.fragments"},
                                     {"prefetch", ""},
                                     {"instruction_mix", "picture.show_mix"},
                                     {"bank_conflicts",
                                      "code.worst_conflict,explorer.from_access,"
                                      "explorer.find_fix,explorer.more_padding"},
                                     {"08_transposed_tile",
                                      "code.worst_conflict,explorer.from_access,"
                                      "explorer.find_fix"},
                                     {"16_serpentine", "picture.show_ports"},
                                     {"atomics", ""},
                                     {"fusion", ""},
                                     {"occupancy", ""}})
    draw(kernel, jump, true);
}

TEST_F(Completeness, ViewsUnderTheMouse) {
  for (const char* jump :
       {"occupancy.calculator", "occupancy.calculator,occupancy.next_preset", "board.show", "timing.show",
        "timing.wide", "timing.show,timing.next_chart", "timing.show,timing.next_chart,timing.next_chart",
        "pipeline.show", "pipeline.wide", "start.cards", "view.help", "view.palette", "view.menu",
        "timing.gpu_runner", "experiment.open", "explorer.show", "explorer.show,explorer.next_example"})
    draw("07_register_tile", jump, true);
}

// What is wrong with what somebody types into the bank explorer.
TEST_F(Completeness, MistakesInTheExplorer) {
  const auto check_question = [&](const experiment::BankQuestion& question) {
    const auto answer = experiment::answer(question);
    if (answer)
      for (const experiment::BankAccess& access : answer->accesses) check(experiment::sentence_of(access));
    else
      check(answer.error().sentence);
  };
  for (const char* declaration :
       {"float As", "float As]", "float As[4][4][4][4]", "[4]", "quux As[4]", "float As[0]", "float As[x]",
        "float As[4 +]", "float As[1024][1024]", "half As[8][3]", "float As[64]"})
    check_question({.declaration = declaration, .accesses = {"load As[lane % 4]"}});
  for (const char* swizzle : {"column + 1", "0", "column ^ y", "(column", "1 / 0", "column column", ""})
    check_question({.swizzle = swizzle});
  for (const char* access : {"load Bs[lane][k]",
                             "load As[lane]",
                             "load As[lane][k",
                             "load As[lane][k] or",
                             "load As[lane][k] if 0",
                             "load As[lane + 9][k]",
                             "load float4 As[31][lane]",
                             "load float4 As[lane][1]",
                             "load quux As[lane][k]",
                             "load char As[lane][k]",
                             "ldmatrix.x3 As[lane][0]",
                             "bytes 4",
                             "bytes {1}",
                             "bytes {a}",
                             "bytes {2}",
                             "load bytes {0, 4}",
                             "load As[lane][k]",
                             "load As[lane][lane]",
                             "load As[0][lane / 2]",
                             "load As[lane][9223372036854775807 + 1]",
                             "load As[1 < 2 < 3][k]",
                             "load As[0xg][k]"})
    check_question({.accesses = {access}});
  check_question({.swizzle = "column ^ (row & 3)", .accesses = {"load float4 As[lane][0]"}});
  check_question({.accesses = {"load As[threadIdx.x][k]"}, .block_dim = {0, 1}});
  check_question({.accesses = {"load As[threadIdx.x][k]"}, .warp = 40});
}

TEST_F(Completeness, Lattice) { draw("13_async_copy", "lattice.show", true); }

TEST_F(Completeness, Jumps) {
  for (const char* jump :
       {"time.next_conflict", "time.previous_conflict", "time.next_uncoalesced", "time.next_barrier",
        "time.to_end,time.next_k_tile", "time.all_warps,time.next_shared", "code.sort", "code.arrange",
        "numbers.spills", "numbers.blocks_per_sm", "map.zoom_in", "map.zoom_in,map.zoom_in",
        "pipeline.show,pipeline.next_stall,pipeline.to_cause",
        "pipeline.show,pipeline.next_stall,pipeline.to_effect", "pipeline.show,compare.pin",
        "pipeline.show,pipeline.one_pass", "compare.pin,kernel.09_conflict_free",
        "compare.pin,kernel.09_conflict_free,compare.diff",
        "compare.pin,kernel.09_conflict_free,pipeline.show"})
    draw("11_prefetch", jump);
}

}  // namespace
}  // namespace gemmscope::language
