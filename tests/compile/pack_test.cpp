// Tests the prebuilt pack. The lookups use made-up entries, so they run on computers without NVRTC, where the
// pack matters.
#include "compile/pack.h"

#include <gtest/gtest.h>

#include "compile_fixture.h"
#include "cubin/cubin.h"

namespace gemmscope::compile {
namespace {

class PackTest : public testing::Test {
 protected:
  PackTest() {
    std::filesystem::copy(data_folder() / "include", folder_.path() / "include");
    request_.include_folders = {folder_.path() / "include"};
    request_.pack_folder = folder_.path() / "pack";
    request_.macros = {{"FACTOR", "1"}};
    entry_ = {source_hash(request_.source,
                          find_includes(request_.source, request_.source_path, request_.include_folders)),
              "sm_86",
              "NVRTC 13.0",
              {{"FACTOR", "1"}, {"OTHER", "2"}},
              {},
              {std::byte{1}, std::byte{2}},
              "ptxas info    : Compiling entry function 'with_include' for 'sm_86'\n"
              "ptxas info    : Used 24 registers, used 1 barriers\n"};
    store(entry_);
  }

  // As the default variant of a file, which also has one with OTHER=3.
  void store(const Entry& entry) {
    PackWriter writer({entry.key, entry.arch, entry.compiler, entry.options, entry.macros});
    writer.add({}, entry.cubin, entry.log);
    writer.add({{"OTHER", "3"}}, {std::byte{3}}, entry.log);
    const auto bytes = writer.finish();
    write_text(pack_file(), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  std::filesystem::path pack_file() const {
    return pack_path(request_.pack_folder, request_.source_path, request_.arch);
  }
  std::string message() const {
    const auto output = compile_with(request_, no_nvrtc(), kNoCache);
    return output ? "found" : output.error().message;
  }

  TemporaryFolder folder_;
  CompileRequest request_ = kernel_request("with_include");
  Entry entry_;
};

TEST_F(PackTest, StandsInForTheCompiler) {
  const auto output = compile_with(request_, no_nvrtc(), kNoCache);
  ASSERT_TRUE(output.has_value()) << output.error().message;
  EXPECT_EQ(output->source, CubinSource::prebuilt_pack);
  EXPECT_EQ(output->bytes, entry_.cubin);
  EXPECT_EQ(output->compiler, "NVRTC 13.0");
  ASSERT_EQ(output->ptxas.size(), 1u);
  EXPECT_EQ(output->ptxas[0].registers, 24);
  request_.macros.clear();  // the source's defaults are the entry's
  EXPECT_EQ(message(), "found");
}

TEST_F(PackTest, HasSeveralVariants) {
  request_.macros["OTHER"] = "3";
  const auto output = compile_with(request_, no_nvrtc(), kNoCache);
  ASSERT_TRUE(output.has_value()) << output.error().message;
  EXPECT_EQ(output->bytes, std::vector{std::byte{3}});
  const auto offer = PackOffer::find(request_, request_.include_folders);
  ASSERT_TRUE(offer.has_value()) << offer.error().message;
  EXPECT_EQ(offer->compiler(), "NVRTC 13.0");
  EXPECT_TRUE(offer->serves(request_.macros).has_value());
  request_.macros["FACTOR"] = "4";
  EXPECT_EQ(
      offer->serves(request_.macros).error().message,
      "the prebuilt machine code of with_include for sm_86 does not have FACTOR=4 with OTHER=3; install "
      "the CUDA Toolkit's NVRTC to compile this one");
}

// With NVRTC the pack stands in only where it is asked for, and only for the same version.
TEST_F(PackTest, StandsInForNvrtcWhereItIsPreferred) {
  NEED_NVRTC();
  const auto source_of = [&] {
    const auto output = compile_with(request_, nvrtc_library(), kNoCache);
    EXPECT_TRUE(output.has_value()) << output.error().message;
    return output ? output->source : CubinSource::disk_cache;
  };
  entry_.compiler = "NVRTC " + nvrtc_library()->version();
  store(entry_);
  EXPECT_EQ(source_of(), CubinSource::compiled);
  request_.prefer_pack = true;
  EXPECT_EQ(source_of(), CubinSource::prebuilt_pack);
  request_.macros["FACTOR"] = "4";  // not there
  EXPECT_EQ(source_of(), CubinSource::compiled);
  request_.macros["FACTOR"] = "1";
  entry_.compiler = "NVRTC 1.0 of another time";
  store(entry_);
  EXPECT_EQ(source_of(), CubinSource::compiled);
}

TEST_F(PackTest, AnotherVersionOfTheSourceIsRefused) {
  request_.source += "\n";
  EXPECT_EQ(message(),
            "the prebuilt machine code of with_include for sm_86 was made from another version of the "
            "source; install "
            "the CUDA Toolkit's NVRTC to compile this one");
}

TEST_F(PackTest, AnotherVersionOfAnIncludeIsRefused) {
  write_text(folder_.path() / "include" / "constants.cuh", "constexpr float kFactor = 6.0f;\n");
  EXPECT_NE(message().find("was made from another version of the source"), std::string::npos) << message();
}

TEST_F(PackTest, OtherMacrosAndOptionsAreRefused) {
  request_.macros["FACTOR"] = "4";
  EXPECT_EQ(message(),
            "the prebuilt machine code of with_include for sm_86 does not have FACTOR=4; install the "
            "CUDA Toolkit's NVRTC to compile this one");
  request_.macros = {{"NEW", "1"}};
  EXPECT_NE(message().find("was made without NEW=1"), std::string::npos) << message();
  request_.macros.clear();
  request_.options = {"--maxrregcount=32"};
  EXPECT_NE(message().find("was made with no options, not with --maxrregcount=32"), std::string::npos)
      << message();
}

TEST_F(PackTest, AnotherArchitectureOrKernelIsRefused) {
  request_.arch = isa::Arch::sm_80;
  EXPECT_EQ(message(),
            "there is no prebuilt machine code of with_include for sm_80 (there is code for sm_86); install "
            "the CUDA "
            "Toolkit's NVRTC to compile this one");
  request_.source_path = "mine.cu";
  EXPECT_EQ(message(),
            "there is no prebuilt machine code of mine for sm_80; install the CUDA Toolkit's NVRTC to "
            "compile this one");
  request_.pack_folder.clear();
  EXPECT_EQ(message(), "NVRTC is not installed");
}

TEST_F(PackTest, MalformedEntriesAreRefused) {
  const std::string whole = *read_file(pack_file());
  const std::string path = pack_file().string();
  write_text(pack_file(), whole.substr(0, 30));
  EXPECT_EQ(message(),
            path +
                " is truncated: 30 bytes; get the file again or install the CUDA Toolkit's NVRTC to "
                "compile this one");
  write_text(pack_file(), "something else that is long enough to hold a whole header of the format");
  EXPECT_NE(message().find("is not a file of GEMMscope"), std::string::npos) << message();
  std::string flipped = whole;
  flipped.back() = '!';
  write_text(pack_file(), flipped);
  EXPECT_EQ(message(), "found") << "the other variant is damaged";
  request_.macros["OTHER"] = "3";
  EXPECT_NE(message().find("is damaged: block 1 does not match"), std::string::npos) << message();
  entry_.arch = "sm_90";
  store(entry_);
  EXPECT_NE(message().find("holds code for sm_90 instead"), std::string::npos) << message();
}

TEST_F(PackTest, MadeEntriesAreFoundAgain) {
  NEED_NVRTC();
  const auto made = make_pack_entry(request_, *nvrtc_library());
  ASSERT_TRUE(made.has_value()) << made.error().message;
  store(*made);
  const auto output = compile_with(request_, no_nvrtc(), kNoCache);
  ASSERT_TRUE(output.has_value()) << output.error().message;
  const auto cubin = cubin::read_cubin(output->bytes, "pack");
  ASSERT_TRUE(cubin.has_value()) << cubin.error().message;
  ASSERT_NE(cubin->find("with_include"), nullptr);
  EXPECT_EQ(cubin->files.at(0), "/compile/with_include.cu");
  // The instructions equal those of a compilation from files.
  const auto compiled = compile_with(request_, nvrtc_library(), kNoCache);
  ASSERT_TRUE(compiled.has_value());
  const auto from_files = cubin::read_cubin(compiled->bytes, "compiled");
  ASSERT_TRUE(from_files.has_value());
  EXPECT_EQ(cubin->kernels.at(0).words, from_files->kernels.at(0).words);
}

TEST(Includes, AreFollowedAndHashedByContent) {
  const TemporaryFolder folder;
  write_text(folder.path() / "a" / "one.cuh", "  #  include <two.cuh>\n#include \"one.cuh\"\n");
  write_text(folder.path() / "b" / "two.cuh", "#include \"missing.cuh\"\n// #include \"one.cuh\"\n");
  const std::string source = "#include <cuda_fp16.h>\n#include \"one.cuh\"";
  const auto found = find_includes(source, folder.path() / "a" / "kernel.cu", {folder.path() / "b"});
  ASSERT_EQ(found.files.size(), 2u);
  EXPECT_EQ(found.files[0].path, folder.path() / "a" / "one.cuh");
  EXPECT_EQ(found.files[1].path, folder.path() / "b" / "two.cuh");
  EXPECT_TRUE(found.complete);
  EXPECT_FALSE(find_includes("#include NAME\n", "kernel.cu", {}).complete);
  const std::string hash = source_hash(source, found);
  std::filesystem::rename(folder.path() / "a", folder.path() / "c");
  EXPECT_EQ(
      source_hash(source, find_includes(source, folder.path() / "c" / "kernel.cu", {folder.path() / "b"})),
      hash);
  write_text(folder.path() / "b" / "two.cuh", "\n");
  EXPECT_NE(
      source_hash(source, find_includes(source, folder.path() / "c" / "kernel.cu", {folder.path() / "b"})),
      hash);
}

TEST(SourceHash, IsSha256) {
  // The hashed bytes are 8 bytes of length, then "abc". coreutils' sha256sum gave the hash.
  EXPECT_EQ(source_hash("abc", {}), "ce91dc5eec0139adf091900d225971d6ad246a845bad791b5693a9d0d55dd391");
}

}  // namespace
}  // namespace gemmscope::compile
