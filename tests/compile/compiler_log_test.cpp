// Tests the reading of compiler logs. The texts are what NVRTC 13.0 printed for small sources.
#include "compile/compiler_log.h"

#include <gtest/gtest.h>

namespace gemmscope::compile {
namespace {

TEST(Diagnostics, PathWithParentheses) {
  const auto found = parse_diagnostics(
      "/a b (x)/k(1).cu(12): error: identifier \"zz\" is undefined\n"
      "    a[0]=zz;\n"
      "         ^\n"
      "\n"
      "1 error detected in the compilation of \"/a b (x)/k(1).cu\".\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].file, "/a b (x)/k(1).cu");
  EXPECT_EQ(found[0].line, 12);
  EXPECT_EQ(found[0].column, 8);  // the caret stands two columns further right than in the source
  EXPECT_EQ(found[0].message, "identifier \"zz\" is undefined");
}

TEST(Diagnostics, LinesAfterTheCaretBelongToTheMessage) {
  const auto found = parse_diagnostics(
      "k.cu(3): error: too few arguments in function call\n"
      "  template<class T> __device__ void g(T x){ f(x); }\n"
      "                                               ^\n"
      "          detected during instantiation of \"void g(T) [with T=int]\" at line 4\n"
      "\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].column, 46);
  EXPECT_EQ(found[0].message,
            "too few arguments in function call detected during instantiation of \"void g(T) [with T=int]\" "
            "at line 4");
}

TEST(Diagnostics, EverySeverity) {
  const auto found = parse_diagnostics(
      "k.cu(2): catastrophic error: cannot open source file \"no.cuh\"\n"
      "k.cu(5): warning #177-D: variable \"unused\" was declared but never referenced\n"
      "\tint unused; \n"
      "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
      "k.cu(6): remark #7-D: something\n"
      "nvrtc: error: invalid value for --gpu-architecture (-arch)\n"
      "ptxas error   : Entry function 'k' uses too much shared data (0x19000 bytes, 0xc000 max)\n"
      "ptxas application ptx input, line 29; error   : Unknown modifier '.bar'\n"
      "ptxas fatal   : Ptx assembly aborted due to errors\n"
      "ptxas warning : Something odd\n"
      "ptxas info    : 0 bytes gmem\n");
  ASSERT_EQ(found.size(), 8u);
  const Severity expected[] = {Severity::error, Severity::warning, Severity::note,  Severity::error,
                               Severity::error, Severity::error,   Severity::error, Severity::warning};
  for (size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i].severity, expected[i]) << found[i].message;
  EXPECT_EQ(found[1].message, "variable \"unused\" was declared but never referenced");
  EXPECT_EQ(found[1].column, 0);
  EXPECT_EQ(found[3].message, "invalid value for --gpu-architecture (-arch)");
  EXPECT_EQ(found[5].message, "application ptx input, line 29: Unknown modifier '.bar'");
}

TEST(Diagnostics, NoneInOtherText) {
  EXPECT_TRUE(parse_diagnostics("").empty());
  EXPECT_TRUE(parse_diagnostics("): \n(): error\nk.cu(x): error: no number\n(\n^\n   ^\n").empty());
}

TEST(PtxasInfo, KernelsAndTheirNumbers) {
  const auto found = parse_ptxas_info(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'k' for 'sm_86'\n"
      "ptxas info    : Function properties for k\n"
      "ptxas         .     16 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads\n"
      "ptxas info    : Used 24 registers, used 1 barriers, 8 bytes cumulative stack size, 1024 bytes smem, "
      "364 bytes "
      "cmem[0]\n"
      "ptxas info    : Function properties for _Z3reci\n"
      "ptxas         .     24 bytes stack frame, 20 bytes spill stores, 20 bytes spill loads\n"
      "ptxas info    : Compiling entry function 'k0' for 'sm_86'\n"
      "ptxas info    : Function properties for k0\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"  // as releases before CUDA 13
                                                                              // print it
      "ptxas info    : Used 8 registers, 352 bytes cmem[0]\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kernel, "k");
  EXPECT_EQ(found[0].registers, 24);
  EXPECT_EQ(found[0].barriers, 1);
  EXPECT_EQ(found[0].shared_bytes, 1024);
  EXPECT_EQ(found[0].stack_bytes, 16);  // not those of the function that it calls
  EXPECT_EQ(found[0].spill_store_bytes, 4);
  EXPECT_EQ(found[0].spill_load_bytes, 8);
  EXPECT_EQ(found[1].kernel, "k0");
  EXPECT_EQ(found[1].registers, 8);
  EXPECT_EQ(found[1].barriers, 0);
  EXPECT_EQ(found[1].shared_bytes, 0);
}

}  // namespace
}  // namespace gemmscope::compile
