// Compiles the kernels of tests/data/compile with NVRTC and compares the cubin with the ptxas log.
#include <gtest/gtest.h>

#include <thread>

#include "compile_fixture.h"
#include "cubin/cubin.h"

namespace gemmscope::compile {
namespace {

struct Compiled {
  CompiledCubin output;
  cubin::Cubin cubin;
};

Compiled compile_kernel(const CompileRequest& request) {
  auto output = compile_with(request, nvrtc_library(), kNoCache);
  EXPECT_TRUE(output.has_value()) << output.error().message;
  if (!output) return {};
  auto cubin = cubin::read_cubin(output->bytes, request.source_path.string());
  EXPECT_TRUE(cubin.has_value()) << cubin.error().message;
  return {std::move(*output), cubin ? std::move(*cubin) : cubin::Cubin{}};
}

struct Known {
  const char* kernel;
  uint32_t parameter_bytes, shared_bytes;
  int barriers;
  bool spills;
};
void PrintTo(const Known& known, std::ostream* out) { *out << known.kernel; }
constexpr Known kKnown[] = {{"spills", 16, 0, 0, true},
                            {"static_shared", 20, 4224, 1, false},
                            {"two_barriers", 8, 0, 2, false},
                            {"with_include", 16, 0, 0, false},
                            {"local_array", 20, 0, 0, false}};

class NvrtcTest : public testing::TestWithParam<std::tuple<Known, isa::Arch>> {};
INSTANTIATE_TEST_SUITE_P(KernelsAndArchs, NvrtcTest,
                         testing::Combine(testing::ValuesIn(kKnown), testing::ValuesIn(isa::kAllArchs)),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param).kernel) + "_" +
                                  isa::arch_name(std::get<1>(test.param));
                         });

TEST_P(NvrtcTest, CubinAgreesWithPtxas) {
  NEED_NVRTC();
  const auto& [known, arch] = GetParam();
  const auto [output, cubin] = compile_kernel(kernel_request(known.kernel, arch));
  EXPECT_EQ(output.source, CubinSource::compiled);
  EXPECT_EQ(output.compiler, "NVRTC " + *nvrtc_version());
  EXPECT_EQ(cubin.arch, arch);
  const cubin::KernelCode* kernel = cubin.find(known.kernel);
  ASSERT_NE(kernel, nullptr);
  ASSERT_EQ(output.ptxas.size(), 1u);
  const PtxasInfo& ptxas = output.ptxas[0];
  EXPECT_EQ(ptxas.kernel, known.kernel);
  EXPECT_GT(ptxas.registers, 0);
  EXPECT_EQ(kernel->registers, ptxas.registers);
  EXPECT_EQ(static_cast<int>(kernel->static_shared_bytes), ptxas.shared_bytes);
  EXPECT_EQ(kernel->barriers, ptxas.barriers);
  EXPECT_EQ(static_cast<int>(kernel->stack_bytes), ptxas.stack_bytes);
  // Both agree with the source.
  EXPECT_EQ(kernel->static_shared_bytes, known.shared_bytes);
  EXPECT_EQ(kernel->barriers, known.barriers);
  EXPECT_EQ(kernel->parameter_bytes, known.parameter_bytes);
  EXPECT_EQ(ptxas.spill_store_bytes > 0, known.spills);
  EXPECT_EQ(ptxas.spill_load_bytes > 0, known.spills);
}

// The opcodes of STG without and with a uniform register: bits 0-11 of an instruction.
bool is_global_store(uint64_t word) { return (word & 0xfff) == 0x386 || (word & 0xfff) == 0x986; }

TEST(NvrtcLines, TheOnlyStoreComesFromItsLine) {
  NEED_NVRTC();
  for (const isa::Arch arch : isa::kAllArchs) {
    SCOPED_TRACE(isa::arch_name(arch));
    const CompileRequest request = kernel_request("with_include", arch);
    const auto [output, cubin] = compile_kernel(request);
    const cubin::KernelCode* kernel = cubin.find("with_include");
    ASSERT_NE(kernel, nullptr);
    int stores = 0;
    bool helper_seen = false;
    for (uint32_t i = 0; i < kernel->instruction_count(); ++i) {
      const cubin::LineEntry* entry = cubin::line_at(*kernel, i * 16);
      ASSERT_NE(entry, nullptr);
      const std::string& file = cubin.files[entry->file];
      helper_seen |= file == (data_folder() / "include" / "helper.cuh").string() && entry->line == 3;
      if (!is_global_store(kernel->words[i * 2])) continue;
      ++stores;
      EXPECT_EQ(file, request.source_path.string());
      EXPECT_EQ(entry->line, 8u);
    }
    EXPECT_EQ(stores, 1);
    EXPECT_TRUE(helper_seen);
  }
}

TEST(NvrtcMacros, ReachTheSource) {
  NEED_NVRTC();
  CompileRequest request = kernel_request("with_include");
  const auto plain = compile_kernel(request).cubin;
  request.macros["FACTOR"] = "3";
  const auto changed = compile_kernel(request).cubin;
  EXPECT_NE(plain.kernels.at(0).words, changed.kernels.at(0).words);
  request.macros["FACTOR"] = "1";
  EXPECT_EQ(plain.kernels.at(0).words, compile_kernel(request).cubin.kernels.at(0).words);
}

TEST(NvrtcOptions, AreFollowed) {
  NEED_NVRTC();
  CompileRequest request = kernel_request("static_shared");
  request.options = {"--std=c++20", "--maxrregcount=16"};
  const auto [output, cubin] = compile_kernel(request);
  ASSERT_EQ(output.ptxas.size(), 1u);
  EXPECT_LE(output.ptxas[0].registers, 16);
}

TEST(NvrtcDiagnostics, NameLineAndColumn) {
  NEED_NVRTC();
  const CompileRequest request = kernel_request("error");
  const auto output = compile_with(request, nvrtc_library(), kNoCache);
  ASSERT_FALSE(output.has_value());
  EXPECT_EQ(output.error().message,
            request.source_path.string() +
                " does not compile for sm_86: line 4: identifier \"absent\" is undefined");
  ASSERT_EQ(output.error().diagnostics.size(), 2u);
  const Diagnostic& error = output.error().diagnostics[0];
  EXPECT_EQ(error.severity, Severity::error);
  EXPECT_EQ(error.file, request.source_path.string());
  EXPECT_EQ(error.line, 4);
  EXPECT_EQ(error.column, 22);
  EXPECT_EQ(error.message, "identifier \"absent\" is undefined");
  const Diagnostic& warning = output.error().diagnostics[1];
  EXPECT_EQ(warning.severity, Severity::warning);
  EXPECT_EQ(warning.line, 2);
  EXPECT_EQ(warning.column, 7);
}

TEST(NvrtcDiagnostics, WarningsOfWhatCompiles) {
  NEED_NVRTC();
  CompileRequest request = kernel_request("error");
  request.macros["absent"] = "2.0f";
  const auto [output, cubin] = compile_kernel(request);
  ASSERT_EQ(output.warnings.size(), 1u);
  EXPECT_EQ(output.warnings[0].message, "variable \"unused\" was declared but never referenced");
}

TEST(NvrtcDiagnostics, ReasonsThatOnlyPtxasKnows) {
  NEED_NVRTC();
  const auto output = compile_with(kernel_request("too_much_shared"), nvrtc_library(), kNoCache);
  ASSERT_FALSE(output.has_value());
  EXPECT_NE(output.error().message.find("uses too much shared data (0x19000 bytes, 0xc000 max)"),
            std::string::npos)
      << output.error().message;
}

TEST(NvrtcTargets, InstructionsOfOneArchitectureAlone) {
  NEED_NVRTC();
  const auto [output, cubin] = compile_kernel(kernel_request("warpgroup", isa::Arch::sm_90));
  EXPECT_EQ(cubin.arch, isa::Arch::sm_90);
  EXPECT_NE(cubin.find("warpgroup"), nullptr);
  const auto older = compile_with(kernel_request("warpgroup", isa::Arch::sm_80), nvrtc_library(), kNoCache);
  ASSERT_FALSE(older.has_value());
  EXPECT_NE(older.error().message.find("wgmma.fence"), std::string::npos) << older.error().message;
}

TEST(NvrtcDiagnostics, WrongOptionsAndMissingIncludes) {
  NEED_NVRTC();
  CompileRequest request = kernel_request("with_include");
  request.options = {"--nonsense"};
  const auto with_option = compile_with(request, nvrtc_library(), kNoCache);
  ASSERT_FALSE(with_option.has_value());
  EXPECT_NE(with_option.error().message.find("--nonsense"), std::string::npos) << with_option.error().message;
  request.options.clear();
  request.include_folders.clear();
  const auto without_folder = compile_with(request, nvrtc_library(), kNoCache);
  ASSERT_FALSE(without_folder.has_value());
  EXPECT_NE(without_folder.error().message.find("line 2: cannot open source file \"helper.cuh\""),
            std::string::npos)
      << without_folder.error().message;
  EXPECT_NE(without_folder.error().message.find("put it beside the kernel's file"), std::string::npos)
      << without_folder.error().message;
}

TEST(NvrtcDiagnostics, ARegisterVariableIsExplained) {
  NEED_NVRTC();
  CompileRequest request = kernel_request("with_include");
  request.source += "__global__ void old(int* p) { register int x = 1; *p = x; }\n";
  const auto failed = compile_with(request, nvrtc_library(), kNoCache);
  ASSERT_FALSE(failed.has_value());
  EXPECT_NE(failed.error().message.find("delete the word"), std::string::npos) << failed.error().message;
}

TEST(NvrtcIncludes, FilesBesideTheSourceAreFound) {
  NEED_NVRTC();
  const TemporaryFolder folder;
  write_text(folder.path() / "beside.cuh", "#define VALUE 7\n");
  write_text(folder.path() / "kernel.cu",
             "#include \"beside.cuh\"\nextern \"C\" __global__ void k(int* out) { *out = VALUE; }\n");
  CompileRequest request = request_for(folder.path() / "kernel.cu");
  request.include_folders.clear();
  EXPECT_NE(compile_kernel(request).cubin.find("k"), nullptr);
}

TEST(NvrtcIncludes, HeadersOfTheToolkitAreFound) {
  NEED_NVRTC();
  if (nvrtc_library()->include_folders().empty()) GTEST_SKIP() << "the toolkit's headers are not installed";
  CompileRequest request = kernel_request("with_include");
  request.source = "#include <cuda_runtime.h>\n#include <cuda_fp16.h>\n" + request.source;
  EXPECT_NE(compile_kernel(request).cubin.find("with_include"), nullptr);
}

TEST(NvrtcIncludes, TheDriversHeaderHasTensorMaps) {
  NEED_NVRTC();
  CompileRequest request = kernel_request("with_include");
  request.source = "#include <cuda.h>\n#include <cudaTypedefs.h>\n" + request.source +
                   "\nstatic_assert(sizeof(CUtensorMap) == 128 && alignof(CUtensorMap) == 64);\n";
  EXPECT_NE(compile_kernel(request).cubin.find("with_include"), nullptr);
}

TEST(NvrtcThreads, CompileAtOnce) {
  NEED_NVRTC();
  const TemporaryFolder folder;
  const DiskCache cache(folder.path());
  std::vector<std::thread> threads;
  std::vector<CompileResult> results(8);
  for (size_t i = 0; i < results.size(); ++i)
    threads.emplace_back([&, i] {
      CompileRequest request = kernel_request("with_include");
      request.macros["FACTOR"] = std::to_string(2 + i % 4);
      results[i] = compile_with(request, nvrtc_library(), cache);
    });
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < 4; ++i) {
    ASSERT_TRUE(results[i].has_value() && results[i + 4].has_value());
    EXPECT_EQ(results[i]->bytes, results[i + 4]->bytes);
    EXPECT_NE(results[i]->bytes, results[(i + 1) % 4]->bytes);
  }
}

}  // namespace
}  // namespace gemmscope::compile
