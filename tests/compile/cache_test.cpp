// Tests the disk cache and its file format.
#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>

#include "compile_fixture.h"

namespace gemmscope::compile {
namespace {

Entry sample_entry(const std::string& key = "0123") {
  Entry entry{key, "sm_86",  "NVRTC 13.0", {{"TILE", "16"}, {"STEPS", "2"}}, {"--maxrregcount=32"},
              {},  "a log\n"};
  for (int i = 0; i < 300; ++i) entry.cubin.push_back(static_cast<std::byte>(i));
  return entry;
}

std::string file_bytes(const std::filesystem::path& path) { return read_file(path).value_or(""); }

TEST(EntryFormat, SurvivesARoundTrip) {
  const Entry entry = sample_entry();
  const auto read = decode_entry(encode_entry(entry), "sample");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->key, entry.key);
  EXPECT_EQ(read->arch, entry.arch);
  EXPECT_EQ(read->compiler, entry.compiler);
  EXPECT_EQ(read->macros, entry.macros);
  EXPECT_EQ(read->options, entry.options);
  EXPECT_EQ(read->cubin, entry.cubin);
  EXPECT_EQ(read->log, entry.log);
}

TEST(EntryFormat, EveryTruncationAndFlipIsRefused) {
  const auto whole = encode_entry(sample_entry());
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(decode_entry(std::span(whole).first(length), "truncated").has_value()) << length;
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    auto damaged = whole;
    damaged[bit / 8] ^= std::byte{1} << bit % 8;
    EXPECT_FALSE(decode_entry(damaged, "flipped").has_value()) << bit;
  }
  auto longer = whole;
  longer.push_back(std::byte{0});
  EXPECT_FALSE(decode_entry(longer, "longer").has_value());
}

TEST(DiskCache, KeepsWhatIsStored) {
  const TemporaryFolder folder;
  const DiskCache cache(folder.path() / "new" / "folder");
  EXPECT_FALSE(cache.find("0123").has_value());
  cache.store(sample_entry());
  const auto found = cache.find("0123");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->cubin, sample_entry().cubin);
  for (const auto& place : std::filesystem::directory_iterator(folder.path() / "new" / "folder"))
    EXPECT_EQ(place.path().extension(), ".gsc") << "a temporary file is left";
}

TEST(DiskCache, DamagedEntriesAreRemoved) {
  const TemporaryFolder folder;
  const DiskCache cache(folder.path());
  cache.store(sample_entry());
  const std::string whole = file_bytes(cache.path_of("0123"));
  for (const std::string& damaged : {std::string(), whole.substr(0, 40), whole.substr(0, whole.size() - 1),
                                     whole + "x", "rubbish" + whole.substr(7)}) {
    write_text(cache.path_of("0123"), damaged);
    EXPECT_FALSE(cache.find("0123").has_value());
    EXPECT_FALSE(std::filesystem::exists(cache.path_of("0123")));
  }
  write_text(cache.path_of("4567"), whole);  // a valid entry, but of another key
  EXPECT_FALSE(cache.find("4567").has_value());
}

TEST(DiskCache, FoldersThatCannotBeWritten) {
  const TemporaryFolder folder;
  write_text(folder.path() / "file", "");
  // One folder would be below a file, the other is in a file system where nobody may create files.
  for (const std::filesystem::path& bad :
       {folder.path() / "file" / "cache", std::filesystem::path("/proc/gemmscope"),
        std::filesystem::path()}) {
    const DiskCache cache(bad);
    cache.store(sample_entry());
    EXPECT_FALSE(cache.find("0123").has_value());
    cache.trim(0);
  }
  const auto read_only = folder.path() / "read_only";
  std::filesystem::create_directory(read_only);
  std::filesystem::permissions(read_only,
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const DiskCache cache(read_only);
  cache.store(sample_entry());
  EXPECT_EQ(cache.find("0123").has_value(), geteuid() == 0);  // root may write everywhere
}

TEST(DiskCache, TrimRemovesTheOldest) {
  const TemporaryFolder folder;
  const DiskCache cache(folder.path());
  const auto now = std::filesystem::file_time_type::clock::now();
  for (int age = 0; age < 5; ++age) {
    const std::string key = "age" + std::to_string(age);
    cache.store(sample_entry(key));
    std::filesystem::last_write_time(cache.path_of(key), now - std::chrono::hours(age));
  }
  const auto entry_bytes = std::filesystem::file_size(cache.path_of("age0"));
  cache.trim(entry_bytes * 2);
  for (int age = 0; age < 5; ++age)
    EXPECT_EQ(cache.find("age" + std::to_string(age)).has_value(), age < 2) << age;
}

// Sets an environment variable, or removes it for null, until the end of the test.
class Variable {
 public:
  explicit Variable(const char* name) : name_(name) {
    if (const char* value = getenv(name); value != nullptr) before_ = value;
  }
  ~Variable() { set(before_ ? before_->c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

  void set(const char* value) const { value == nullptr ? unsetenv(name_) : setenv(name_, value, 1); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(CacheFolder, FollowsTheEnvironment) {
  const Variable cache("XDG_CACHE_HOME"), home("HOME");
  cache.set("/some/cache");
  EXPECT_EQ(cache_folder(), "/some/cache/gemmscope");
  cache.set("relative");  // not valid by the specification
  home.set("/home/someone");
  EXPECT_EQ(cache_folder(), "/home/someone/.cache/gemmscope");
  cache.set(nullptr);
  EXPECT_EQ(cache_folder(), "/home/someone/.cache/gemmscope");
  home.set(nullptr);
  EXPECT_EQ(cache_folder(), "");
}

// Tests, with NVRTC, what is a hit and what must be a miss.
class CachedCompile : public testing::Test {
 protected:
  CompileResult compile(const CompileRequest& request) {
    return compile_with(request, nvrtc_library(), cache_);
  }
  CubinSource source_of(const CompileRequest& request) {
    const auto output = compile(request);
    EXPECT_TRUE(output.has_value()) << output.error().message;
    return output ? output->source : CubinSource::prebuilt_pack;
  }
  std::filesystem::path only_file() const {
    std::filesystem::path found;
    for (const auto& place : std::filesystem::directory_iterator(folder_.path() / "cache"))
      found = place.path();
    return found;
  }

  TemporaryFolder folder_;
  DiskCache cache_{folder_.path() / "cache"};
};

TEST_F(CachedCompile, SecondTimeIsAHitAndEqual) {
  NEED_NVRTC();
  const CompileRequest request = kernel_request("static_shared");
  const auto first = compile(request), second = compile(request);
  ASSERT_TRUE(first.has_value() && second.has_value());
  EXPECT_EQ(first->source, CubinSource::compiled);
  EXPECT_EQ(second->source, CubinSource::disk_cache);
  EXPECT_EQ(first->bytes, second->bytes);
  EXPECT_EQ(first->compiler, second->compiler);
  ASSERT_EQ(second->ptxas.size(), 1u);
  EXPECT_EQ(first->ptxas[0].registers, second->ptxas[0].registers);
  EXPECT_LT(second->compile_ms, first->compile_ms);
}

TEST_F(CachedCompile, CorruptAndTruncatedEntriesAreCompiledAgain) {
  NEED_NVRTC();
  const CompileRequest request = kernel_request("static_shared");
  const auto first = compile(request);
  ASSERT_TRUE(first.has_value());
  const std::string whole = file_bytes(only_file());
  std::string flipped = whole;
  flipped[whole.size() / 2] = static_cast<char>(flipped[whole.size() / 2] ^ 4);
  for (const std::string& damaged : {flipped, whole.substr(0, whole.size() / 2), std::string()}) {
    write_text(only_file(), damaged);
    const auto again = compile(request);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->source, CubinSource::compiled);
    EXPECT_EQ(again->bytes, first->bytes);
    EXPECT_EQ(file_bytes(only_file()), whole);
  }
}

TEST_F(CachedCompile, AnythingThatChangesTheCodeIsAMiss) {
  NEED_NVRTC();
  std::filesystem::copy(data_folder() / "include", folder_.path() / "include");
  CompileRequest request = kernel_request("with_include");
  request.include_folders = {folder_.path() / "include"};
  EXPECT_EQ(source_of(request), CubinSource::compiled);
  EXPECT_EQ(source_of(request), CubinSource::disk_cache);
  request.macros["FACTOR"] = "2";
  EXPECT_EQ(source_of(request), CubinSource::compiled);
  request.arch = isa::Arch::sm_80;
  EXPECT_EQ(source_of(request), CubinSource::compiled);
  request.options = {"--maxrregcount=64"};
  EXPECT_EQ(source_of(request), CubinSource::compiled);
  request.source += "\n";
  EXPECT_EQ(source_of(request), CubinSource::compiled);
  request.source_path = folder_.path() / "elsewhere.cu";  // the path is in the line table
  EXPECT_EQ(source_of(request), CubinSource::compiled);
  // The file is included indirectly: the source includes helper.cuh, which includes it.
  write_text(folder_.path() / "include" / "constants.cuh", "constexpr float kFactor = 6.0f;\n");
  EXPECT_EQ(source_of(request), CubinSource::compiled);
  EXPECT_EQ(source_of(request), CubinSource::disk_cache);
}

TEST_F(CachedCompile, IncludesNamedByAMacroAreNotCached) {
  NEED_NVRTC();
  CompileRequest request = kernel_request("with_include");
  request.source =
      "#define HEADER \"helper.cuh\"\n#include HEADER\n__global__ void k(float* p) { *p = helped(*p); }\n";
  EXPECT_EQ(source_of(request), CubinSource::compiled);
  EXPECT_EQ(source_of(request), CubinSource::compiled);
}

TEST_F(CachedCompile, AFolderThatCannotBeWrittenIsNoError) {
  NEED_NVRTC();
  const auto output =
      compile_with(kernel_request("static_shared"), nvrtc_library(), DiskCache("/proc/gemmscope"));
  ASSERT_TRUE(output.has_value()) << output.error().message;
  EXPECT_EQ(output->source, CubinSource::compiled);
}

}  // namespace
}  // namespace gemmscope::compile
