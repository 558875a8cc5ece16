// A recording is read back as it was written, a malformed one is reported with its place, and the published
// tables are consistent.
#include "experiment/recording.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include "metrics/peak.h"

namespace gemmscope::experiment {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

const std::string& golden() {
  static const std::string text = text_of(GEMMSCOPE_TEST_DATA "/experiment/recording.json");
  return text;
}

TEST(Recording, IsReadMemberByMember) {
  const Result<Recording> recording = parse_recording(golden(), "golden");
  ASSERT_TRUE(recording) << recording.error().message;
  ASSERT_EQ(recording->size(), 2u);
  const Timings& run = recording->front();
  EXPECT_EQ(run.provenance, Provenance::recorded);
  EXPECT_EQ(run.date, "2026-01-31");
  EXPECT_EQ(run.command, "gemmscope record --size 64x48x32 --samples 2");
  EXPECT_EQ(run.source, "made up for a test");
  EXPECT_EQ(run.notice, "something happened");
  EXPECT_EQ(run.device.name, "Testing GPU");
  EXPECT_EQ(run.device.compute_capability, 90);
  EXPECT_EQ(run.device.sm_count, 132);
  EXPECT_EQ(run.device.memory_gb_per_second, 4800);
  EXPECT_EQ(run.device.driver_version, "580.1");
  EXPECT_EQ(run.device.cuda_version, "13.0");
  EXPECT_EQ(run.device.library, "cuBLAS 13.1.0");
  EXPECT_EQ(run.device.peak_bf16, 1070530560000000.0);
  EXPECT_EQ(run.problem.n, 48);
  EXPECT_EQ(run.problem.beta, 0.5f);
  EXPECT_TRUE(run.l2_flushed);
  ASSERT_EQ(run.variants.size(), 3u);
  EXPECT_EQ(run.variants[0].samples[1].at_seconds, 0.75);
  EXPECT_EQ(run.variants[0].samples[1].ms, 0.125);
  EXPECT_EQ(run.variants[0].samples[1].sm_clock_mhz, 1965.5);
  EXPECT_EQ(run.variants[0].error_ratio, 0.25);
  EXPECT_EQ(run.variants[1].grade, Grade::tf32);
  EXPECT_EQ(run.variants[1].toggles, (std::map<std::string, int64_t>{{"PAD", 1}, {"STAGES", -2}}));
  EXPECT_EQ(run.variants[1].trouble, "C is wrong");
  EXPECT_EQ(run.variants[1].note, "noted");
  EXPECT_LT(run.variants[1].largest_error, 0);
  EXPECT_TRUE(run.variants[2].is_library);
  EXPECT_FALSE((*recording)[1].variants[0].is_product);
  EXPECT_EQ((*recording)[1].title, "Something else");
  EXPECT_EQ((*recording)[1].trouble, "the GPU was lost");
}

TEST(Recording, KeepsTheMeasuredRatesOfItsMemories) {
  Timings run;
  run.device.name = "Testing GPU";
  EXPECT_EQ(recording_text({run}).find("l2_gb_per_second"), std::string::npos)
      << "what is not known is left out";
  run.device.l2_gb_per_second = 5500.5;
  run.device.l1_gb_per_second = 31000;
  const Result<Recording> read = parse_recording(recording_text({run}), "rates");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->front().device.l2_gb_per_second, 5500.5);
  EXPECT_EQ(read->front().device.l1_gb_per_second, 31000);
  EXPECT_FALSE(parse_recording(
      R"({"gemmscope_recording":1,"device":{"name":"x","l1_gb_per_second":-1},"runs":[]})", "negative"));
}

TEST(Recording, IsWrittenAsItWasRead) {
  EXPECT_EQ(recording_text(*parse_recording(golden(), "golden")), golden());
}

TEST(Recording, TimesAreRoundedToANanosecondAndTextsToUtf8) {
  Timings run;
  run.device.name = "bytes \xff that are no text";
  run.variants.resize(1);
  run.variants[0].id = "x";
  run.variants[0].samples = {{0.12345678912, 1.23456789123, 1979.97}};
  const Result<Recording> back = parse_recording(recording_text({run}), "back");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->front().variants[0].samples[0].ms, 1.234568);
  EXPECT_EQ(back->front().variants[0].samples[0].sm_clock_mhz, 1980.0);
}

// A change of the golden file, and what the error must name.
struct Malformed {
  const char *from, *to, *place;
};
TEST(Recording, TheErrorNamesFileAndPlace) {
  const Malformed cases[] = {
      {"\"gemmscope_recording\":1", "\"gemmscope_recording\":2", "version 2"},
      {"\"gemmscope_recording\":1,", "", "gemmscope_recording"},
      {"\"date\":\"2026-01-31\"", "\"date\":7", "date"},
      {"\"name\":\"Testing GPU\"", "\"name\":null", "device.name"},
      {"\"name\":\"Testing GPU\",", "", "device.name"},
      {"\"sm_count\":132", "\"sm_count\":-1", "device.sm_count"},
      {"\"sm_count\":132", "\"sm_count\":1.5", "device.sm_count"},
      {"\"max_clock_mhz\":1980.0", "\"max_clock_mhz\":\"fast\"", "device.max_clock_mhz"},
      {"\"runs\":[", "\"walks\":[", "runs"},
      {"\"m\":64", "\"m\":0", "runs[0]"},
      {"\"m\":64", "\"m\":99999999999", "runs[0].m"},
      {"\"m\":64,", "", "runs[0].m"},
      {"\"l2_flushed\":true", "\"l2_flushed\":1", "runs[0].l2_flushed"},
      {"\"id\":\"one\",", "", "runs[0].variants[0].id"},
      {"\"grade\":\"TF32\"", "\"grade\":\"FP8\"", "runs[0].variants[1].grade"},
      {"\"PAD\":1", "\"PAD\":true", "runs[0].variants[1].toggles.PAD"},
      {"\"PAD\":1", "\"PAD\":18446744073709551615", "runs[0].variants[1].toggles.PAD"},
      {"[0.75,0.125,1965.5]", "[0.75,0,1965.5]", "runs[0].variants[0].samples[1]"},
      {"[0.75,0.125,1965.5]", "[0.75,0.125]", "runs[0].variants[0].samples[1]"},
      {"[0.75,0.125,1965.5]", "[0.75,\"x\",1965.5]", "runs[0].variants[0].samples[1]"},
      {"[0.75,0.125,1965.5]", "[0.75,-0.125,1965.5]", "runs[0].variants[0].samples[1]"},
      {"\"library\":true", "\"library\":\"yes\"", "runs[0].variants[2].library"},
      {"\"product\":false", "\"product\":0", "runs[1].variants[0].product"},
      {"\"samples\":[]", "\"samples\":{}", "runs[0].variants[1].samples"},
      {"{\"title\":\"Something else\"", "{\"title\":\"Something else", "line 8"},
      {"[0.0,3.5,0.0]", "[0.0,1e999,0.0]", "out of range"}};
  for (const Malformed& c : cases) {
    SCOPED_TRACE(std::string(c.from) + " -> " + c.to);
    std::string text = golden();
    ASSERT_NE(text.find(c.from), std::string::npos);
    text.replace(text.find(c.from), std::string(c.from).size(), c.to);
    const Result<Recording> recording = parse_recording(text, "some.json");
    ASSERT_FALSE(recording);
    EXPECT_EQ(recording.error().message.rfind("some.json: ", 0), 0u) << recording.error().message;
    EXPECT_NE(recording.error().message.find(c.place), std::string::npos) << recording.error().message;
  }
}

TEST(Recording, AFileThatIsNoRecordingIsRefused) {
  for (const char* text : {"", "[]", "7", "null", "\"x\"", "{}", "{\"gemmscope_recording\":\"1\"}",
                           "\xff\xfe", "{\"gemmscope_recording\":1}"})
    EXPECT_FALSE(parse_recording(text, "x")) << text;
}

// Any bytes give a recording or an error message.
TEST(Recording, DamagedFilesAreReadOrRefused) {
  std::mt19937_64 random(3);
  int refused = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text = golden();
    for (uint64_t changes = 1 + random() % 3; changes > 0 && !text.empty(); --changes) {
      const size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, 1 + random() % 40);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), random() % 60));
          break;
        default:
          text.resize(at + 1);
      }
    }
    const Result<Recording> recording = parse_recording(text, "damaged.json");
    if (!recording) {
      ++refused;
      EXPECT_EQ(recording.error().message.rfind("damaged.json: ", 0), 0u);
      continue;
    }
    // A file that is accepted can be written and read again.
    const std::string once = recording_text(*recording);
    const Result<Recording> again = parse_recording(once, "again");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(recording_text(*again), once);
  }
  EXPECT_GT(refused, 1000);
  EXPECT_LT(refused, 4000);
}

TEST(Recording, DeepNestingIsNoRecording) {
  EXPECT_FALSE(parse_recording(std::string(1'000'000, '['), "deep"));
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  EXPECT_TRUE(parse_recording(
      "{\"gemmscope_recording\":1,\"device\":{\"name\":\"x\"},\"runs\":[],\"more\":" + deep + "}", "deep"));
}

TEST(Recording, AMissingFileIsNamed) {
  const Result<Recording> recording = read_recording("/nonexistent/r.json");
  ASSERT_FALSE(recording);
  EXPECT_NE(recording.error().message.find("/nonexistent/r.json"), std::string::npos);
  EXPECT_FALSE(write_recording("/nonexistent/r.json", {}));
  EXPECT_EQ(read_recordings("/nonexistent").errors.size(), 1u);
}

// ---- those that ship with the program

class Shipped : public testing::Test {
 protected:
  const Recordings shipped_ = read_recordings(GEMMSCOPE_SOURCE_DIR "/assets/recordings");
  const Recording& named(const std::string& name) {
    for (const RecordingFile& file : shipped_.files)
      if (file.path.filename() == name) return file.recording;
    ADD_FAILURE() << "no " << name;
    return shipped_.files.front().recording;
  }
};

TEST_F(Shipped, AllAreReadAndWrittenTheSame) {
  for (const Error& error : shipped_.errors) ADD_FAILURE() << error.message;
  EXPECT_GE(shipped_.files.size(), 3u);
  for (const RecordingFile& file : shipped_.files) {
    SCOPED_TRACE(file.path);
    EXPECT_EQ(recording_text(file.recording), text_of(file.path)) << "it was edited by hand in another form";
    for (const Timings& run : file.recording) {
      EXPECT_FALSE(run.device.name.empty());
      EXPECT_TRUE(!run.source.empty() || !run.command.empty()) << "where is it from?";
      std::set<std::string> seen;
      for (const TimedVariant& variant : run.variants) {
        std::string name = variant.id;
        for (const auto& [toggle, value] : variant.toggles) name += fmt::format(" {}={}", toggle, value);
        EXPECT_TRUE(seen.insert(name).second) << name << " is there twice";
      }
    }
  }
}

// The rates that the source prints beside its times, in the same order. It rounds times to a microsecond.
TEST_F(Shipped, TheCoursesTimesAgreeWithItsRates) {
  const Timings& run = named("published_openmlsys.json").at(0);
  const double published_gflops[] = {185.313,   1378.317,  2694.440,  13925.168,
                                     14083.116, 14686.179, 15838.302, 14002.600};
  ASSERT_EQ(run.variants.size(), std::size(published_gflops));
  for (size_t i = 0; i < run.variants.size(); ++i) {
    const TimedVariant& variant = run.variants[i];
    SCOPED_TRACE(variant.title);
    const double ms = variant.samples.at(0).ms;
    const double least = flops(run.problem) / (ms + 0.0005) * 1e-6,
                 most = flops(run.problem) / (ms - 0.0005) * 1e-6;
    const bool agrees = least <= published_gflops[i] && published_gflops[i] <= most;
    EXPECT_EQ(agrees, variant.note.empty())
        << least << " … " << most << ", published " << published_gflops[i];
    if (agrees) continue;
    EXPECT_NE(variant.note.find(fmt::format("{:.3f} GFLOP/s", published_gflops[i])), std::string::npos);
    EXPECT_NE(variant.note.find(fmt::format("{:.3f} ms", flops(run.problem) / published_gflops[i] * 1e-6)),
              std::string::npos);
  }
  EXPECT_NEAR(run.device.peak_fp32, metrics::peak_fp32_flops({"NVIDIA GeForce RTX 3080", 86, 68, 1710}), 1e3);
}

TEST_F(Shipped, TheArticlesTimesGiveItsSpeedUps) {
  // "speeding up by 2.35x", "1.1x slower", "9x faster", "10x", "1.34x", "only a 1% improvement".
  const auto ms = [&](const char* file, size_t run, size_t variant) {
    return named(file).at(run).variants.at(variant).samples.at(0).ms;
  };
  const char *mx330 = "published_inside_cuda_mx330.json", *a4000 = "published_inside_cuda_a4000.json";
  EXPECT_NEAR(ms(mx330, 0, 0) / ms(mx330, 0, 1), 2.35, 0.005);
  EXPECT_NEAR(ms(a4000, 0, 1) / ms(a4000, 0, 0), 1.1, 0.05);
  EXPECT_NEAR(ms(a4000, 0, 0) / ms(a4000, 0, 2), 9, 0.5);
  EXPECT_NEAR(ms(a4000, 0, 1) / ms(a4000, 0, 2), 10, 0.5);
  EXPECT_NEAR(ms(mx330, 1, 0) / ms(mx330, 1, 1), 1.34, 0.006);
  EXPECT_NEAR(ms(a4000, 1, 0) / ms(a4000, 1, 1), 1.01, 0.005);
  for (const char* file : {mx330, a4000})
    for (const Timings& run : named(file)) EXPECT_EQ(flops(run.problem), 0) << "the source gives no sizes";
}

}  // namespace
}  // namespace gemmscope::experiment
