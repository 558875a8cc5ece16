// Renders pictures without a window: each view, at any size, with the same result each time.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "../cli/command.h"
#include "catalog/catalog.h"
#include "shell/run.h"

namespace gemmscope::shell {
namespace {

namespace fs = std::filesystem;

constexpr std::pair<const char*, FrameContent> kViews[] = {{"all", FrameContent::all},
                                                           {"map", FrameContent::map},
                                                           {"banks", FrameContent::banks},
                                                           {"code", FrameContent::code},
                                                           {"transport", FrameContent::transport},
                                                           {"experiment", FrameContent::experiment},
                                                           {"timings", FrameContent::timings},
                                                           {"occupancy", FrameContent::occupancy},

                                                           {"pipeline", FrameContent::pipeline},
                                                           {"board", FrameContent::board}};

Start start_of(const std::string& kernel) {
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder() / "ladder");
  Start start;
  start.experiment.kernel = kernel;
  start.experiment.problem = {64, 64, 64};
  const catalog::Kernel* found = catalog.find(kernel);
  EXPECT_NE(found, nullptr) << kernel;
  if (found != nullptr) start.kernel = *found;
  return start;
}

Image draw(const Start& start, const PictureRequest& request) {
  const Result<PictureResult> picture = render_picture(start, request);
  EXPECT_TRUE(picture) << picture.error().message;
  return picture ? picture->image : Image{};
}

size_t colors_of(const Image& image) {
  std::set<unsigned> colors;
  for (size_t i = 0; i + 2 < image.pixels.size(); i += 3)
    colors.insert(image.pixels[i] | image.pixels[i + 1] << 8u | image.pixels[i + 2] << 16u);
  return colors.size();
}

class Render : public testing::Test {
 protected:
  // The first run fills the cache, so that each picture says "cached" and not how long the compiler took.
  static void SetUpTestSuite() { draw(start_of("07_register_tile"), {.size = {200, 100}}); }
};

TEST_F(Render, EveryViewAtEverySizeAndTheSameAgain) {
  const Start start = start_of("07_register_tile");
  for (const PixelSize size : {PixelSize{200, 100}, {1280, 720}, {1920, 1080}})
    for (const auto& [name, content] : kViews) {
      SCOPED_TRACE(std::string(name) + " " + std::to_string(size.width) + "x" + std::to_string(size.height));
      const PictureRequest request{.size = size, .content = content};
      const Image first = draw(start, request);
      EXPECT_EQ(first.size, size);
      ASSERT_EQ(first.pixels.size(), static_cast<size_t>(size.width) * static_cast<size_t>(size.height) * 3);
      EXPECT_GT(colors_of(first), size.width < 500 ? 20u : 60u);
      EXPECT_TRUE(draw(start, request).pixels == first.pixels) << "two runs, two pictures";
    }
}

TEST_F(Render, FourTimesFullHd) {
  const Start start = start_of("07_register_tile");
  for (const FrameContent content : {FrameContent::all, FrameContent::map}) {
    const Image image = draw(start, {.size = {3840, 2160}, .content = content});
    EXPECT_EQ(image.size, (PixelSize{3840, 2160}));
    EXPECT_GT(colors_of(image), 60u);
  }
}

TEST_F(Render, StepsWavefrontsKernelsAndThemesDiffer) {
  const Start start = start_of("07_register_tile");
  for (const auto& [name, content] : kViews) {
    if (content == FrameContent::experiment || content == FrameContent::timings ||
        content == FrameContent::occupancy || content == FrameContent::board)
      continue;  // they show no time
    const auto at = [&](size_t step) {
      return draw(start, {.size = {900, 500}, .content = content, .step = step}).pixels;
    };
    EXPECT_TRUE(at(200) != at(2000)) << name;
  }
  PictureRequest banks{.size = {900, 500}, .content = FrameContent::banks, .jump = "time.next_shared"};
  const Image whole = draw(start, banks);
  banks.wavefront = 0;
  EXPECT_TRUE(draw(start, banks).pixels != whole.pixels);
  PictureRequest all{.size = {900, 500}};
  const Image dark = draw(start, all);
  EXPECT_TRUE(draw(start_of("01_naive_rows"), all).pixels != dark.pixels);
  all.light = true;
  EXPECT_TRUE(draw(start, all).pixels != dark.pixels);
}

TEST_F(Render, PointingNamesWhatIsThere) {
  const Start start = start_of("07_register_tile");
  PictureRequest request{.size = {900, 500}, .content = FrameContent::map};
  const Image plain = draw(start, request);
  request.mouse = drawing::Point{450, 300};
  EXPECT_TRUE(draw(start, request).pixels != plain.pixels);
}

TEST_F(Render, MistakesGiveMessages) {
  Start start = start_of("07_register_tile");
  const auto error_of = [&](const PictureRequest& request) {
    const Result<PictureResult> picture = render_picture(start, request);
    return picture ? std::string() : picture.error().message;
  };
  EXPECT_NE(error_of({.size = {200, 100}, .step = size_t{1} << 40}).find("steps"), std::string::npos);
  EXPECT_NE(error_of({.size = {200, 100}, .warp = 99}).find("99"), std::string::npos);
  EXPECT_NE(error_of({.size = {200, 100}, .jump = "time.no_such"}).find("time.no_such"), std::string::npos);
  EXPECT_NE(error_of({.size = {0, 0}}).find("0"), std::string::npos);
  start.experiment.problem.k = 0;
  EXPECT_NE(error_of({.size = {200, 100}}).find("K"), std::string::npos);
}

// ---- the command itself

struct PngFile {
  int width = 0, height = 0;
};
// PNG (W3C): signature, then IHDR with big-endian width and height.
std::optional<PngFile> read_png(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (bytes.size() < 57 || bytes.substr(0, 8) != "\x89PNG\r\n\x1a\n" || bytes.substr(12, 4) != "IHDR" ||
      bytes.substr(bytes.size() - 8, 4) != "IEND")
    return std::nullopt;
  const auto number = [&](size_t at) {
    int value = 0;
    for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
  };
  return PngFile{number(16), number(20)};
}

cli::CommandResult render(const std::string& output, std::vector<std::string> more) {
  std::vector<std::string> words = {"render", "07_register_tile", "--m", "64", "--n", "64", "--k", "64", "-o",
                                    output};
  words.insert(words.end(), more.begin(), more.end());
  return cli::run_command(words);
}

TEST_F(Render, TheCommandWritesAPngOfExactlyTheSize) {
  const cli::TemporaryFile file("picture.png", "");
  for (const auto& [name, content] : kViews) {
    const cli::CommandResult result = render(file.path(), {"--view", name, "--size", "201x103"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const std::optional<PngFile> png = read_png(file.path());
    ASSERT_TRUE(png) << name;
    EXPECT_EQ(png->width, 201) << name;
    EXPECT_EQ(png->height, 103) << name;
  }
}

TEST_F(Render, TheCommandSpeaksJson) {
  const cli::TemporaryFile file("picture.png", "");
  const nlohmann::json said = cli::json_of(render(file.path(), {"--size", "320x240", "--json"}));
  EXPECT_EQ(said["output"], file.path());
  EXPECT_EQ(said["width"], 320);
  EXPECT_EQ(said["height"], 240);
  EXPECT_FALSE(said["renderer"].get<std::string>().empty());
}

TEST_F(Render, BadUseOfTheCommandWritesNoPicture) {
  struct Case {
    std::vector<std::string> words;
    int exit_code;
    const char* named;
  };
  const Case cases[] = {{{"--view", "nonsense"}, 2, "nonsense"},
                        {{"--size", "0x0"}, 2, "0x0"},
                        {{"--size", "12"}, 2, "12"},
                        {{"--size", "10x10x"}, 2, "10x10x"},
                        {{"--mouse", "left"}, 2, "left"},
                        {{"--step", "-1"}, 2, "step"},
                        {{"--wavefront", "-1"}, 2, "wavefront"},
                        {{"--step", "99999999"}, 1, "99999999"},
                        {{"--warp", "8"}, 1, "8"},
                        {{"--jump", "time.no_such"}, 1, "time.no_such"}};
  const cli::TemporaryFile folder("nothing", "");
  const std::string output = (fs::path(folder.path()).parent_path() / "picture.png").string();
  for (const Case& c : cases) {
    const cli::CommandResult result = render(output, c.words);
    EXPECT_EQ(result.exit_code, c.exit_code) << c.words[0] << " " << c.words[1];
    EXPECT_NE(result.err.find(c.named), std::string::npos) << result.err;
    EXPECT_FALSE(fs::exists(output)) << c.words[0] << " " << c.words[1];
  }
  EXPECT_EQ(render("/no/such/folder/picture.png", {"--size", "64x64"}).exit_code, 1);
}

}  // namespace
}  // namespace gemmscope::shell
