#include "machine/translate/unsupported_text.h"

#include <fmt/format.h>

namespace gemmscope::machine {
namespace {

using isa::Opcode;

struct Explanation {
  Opcode opcode;
  const char* what;    // "it …"
  const char* source;  // "it comes from …"
  const char* change;  // "To run the kernel here, …"
};

constexpr const char* kOtherCopies =
    "copy with cp.async (__pipeline_memcpy_async) or through registers, which the machine executes";
constexpr const char* kOlderArch = "write that part with mma.sync, or compile for sm_80, which cannot use it";
constexpr const char* kNoCluster = "launch without clusters and share data through global memory";

constexpr Explanation kExplanations[] = {
    {Opcode::hgmma, "multiplies matrices of a whole warpgroup, with operands in shared memory",
     "wgmma.mma_async, as CUTLASS and cuBLAS use it on sm_90a", kOlderArch},
    {Opcode::warpgroup, "orders the matrix products of a warpgroup",
     "wgmma.fence, commit_group or wait_group", kOlderArch},
    {Opcode::usetmaxreg, "moves registers from one warpgroup to another",
     "setmaxnreg in warp-specialized code", "leave setmaxnreg out"},
    {Opcode::arrives, "lets asynchronous copies arrive at a barrier object in shared memory",
     "cp.async.mbarrier.arrive (cuda::pipeline)",
     "wait with cp.async.wait_group and __syncthreads() instead"},
    {Opcode::utmastg, "copies a tile of a tensor from shared to global memory by its descriptor (TMA)",
     "cp.async.bulk.tensor", kOtherCopies},
    {Opcode::utmacmdflush, "closes a group of bulk copies", "cp.async.bulk.commit_group", kOtherCopies},
    {Opcode::stas, "stores into the shared memory of another block of the cluster",
     "st.async or a store through cluster.map_shared_rank()", kNoCluster},
    {Opcode::ucgabar_arv, "arrives at the barrier of a cluster of blocks",
     "barrier.cluster.arrive or cluster.sync()", kNoCluster},
    {Opcode::ucgabar_wait, "waits at the barrier of a cluster of blocks",
     "barrier.cluster.wait or cluster.sync()", kNoCluster},
};

}  // namespace

std::string unsupported_text(Opcode opcode) {
  for (const Explanation& e : kExplanations)
    if (e.opcode == opcode)
      return fmt::format(
          "the machine does not execute this instruction: it {}; it comes from {}. To run the kernel here, "
          "{}",
          e.what, e.source, e.change);
  return "the machine does not model this operation yet: try another architecture, whose code may do the "
         "same with other operations";
}

std::string unknown_opcode_text() {
  return "the opcode is not in the instruction table: the compiler may be newer than this program, or the "
         "bytes are not code. Try another architecture, or an older compiler";
}

}  // namespace gemmscope::machine
