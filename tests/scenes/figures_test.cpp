// Every figure that the screen counts, for every kernel of the catalogue, against a second count: plain loops
// over the traces of all blocks, the names in the disassembly, sets of bytes, and the slow model of the
// banks.
#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <map>
#include <set>

#include "../experiment/ladder_run.h"
#include "../metrics/bank_model.h"
#include "scenes/key_numbers.h"

namespace gemmscope::scenes {
namespace {

using experiment::BlockResult, experiment::CompiledKernel, experiment::Experiment;
using machine::Direction, machine::Path, machine::Space, machine::TraceAccess;
using metrics::InstructionTraffic, metrics::Traffic;

const catalog::Catalog& all_kernels() {
  static const catalog::Catalog catalog =
      catalog::read_catalog(std::filesystem::path(GEMMSCOPE_SOURCE_DIR) / "kernels");
  return catalog;
}

struct PlainFigures {
  uint64_t warp_instructions = 0, thread_instructions = 0, flops = 0, tensor_flops = 0;
  uint64_t ffma = 0, fadd = 0, fmul = 0;
  std::map<std::string, uint64_t> by_opcode;
  InstructionTraffic traffic;
  bool bypasses =
      false;  // copies past L1, whose sectors depend on each other: tests/metrics/bypass_sectors_test
};

// "@!P0 FFMA.FTZ R1, …" is FFMA and "FTZ".
std::pair<std::string, std::string> name_of(const std::string& disassembly) {
  std::string text = disassembly;
  if (text.starts_with('@')) text.erase(0, text.find(' ') + 1);
  text = text.substr(0, text.find_first_of(" ;"));
  const size_t point = text.find('.');
  return {text.substr(0, point), point == std::string::npos ? "" : text.substr(point + 1)};
}

// 2 m n k of the shape in "HMMA.16816.F32.BF16" or "HMMA.1688.F32.TF32": m is 16, n is 8, the rest is k.
uint64_t flops_of_shape(const std::string& modifiers) {
  uint64_t depth = 0;
  std::from_chars(modifiers.data() + 3, modifiers.data() + modifiers.find('.'), depth);
  EXPECT_TRUE(modifiers.starts_with("168")) << modifiers;
  return 2 * 16 * 8 * depth;
}

// Sectors are sets of bytes; lanes at one address of an atomic are served one after the other.
void count_sectors(const TraceAccess& access, Traffic& traffic) {
  std::set<uint64_t> sectors, bytes;
  std::map<uint64_t, std::map<uint64_t, uint64_t>> lanes_at;  // sector -> address -> lanes
  const std::array<uint64_t, 32> addresses = access.addresses.all();
  for (uint64_t lane = 0; lane < 32; ++lane) {
    if ((access.mask >> lane & 1u) == 0) continue;
    for (uint64_t i = 0; i < access.width_bytes; ++i) {
      uint64_t at = addresses[lane] + i;
      if (access.space == Space::local) at = (at / 4 * 32 + lane) * 4 + at % 4;
      sectors.insert(at / 32);
      bytes.insert(at);
    }
    ++lanes_at[addresses[lane] / 32][addresses[lane]];
  }
  traffic.requests += access.space == Space::local ? std::max(1, access.width_bytes / 4) : 1;
  traffic.minimum_sectors += (bytes.size() + 31) / 32;
  if (access.direction == Direction::load || access.direction == Direction::store) {
    traffic.sectors += sectors.size();
    return;
  }
  for (const auto& [sector, lanes] : lanes_at) {
    uint64_t most = 0;
    for (const auto& [address, count] : lanes) most = std::max(most, count);
    traffic.sectors += most;
  }
}

// Of a copy the lanes that surely take wavefronts: each address that is read counts once, for its first lane.
uint32_t sure_lanes(std::span<const TraceAccess> halves, const TraceAccess& access) {
  if (access.path != Path::async_copy && access.path != Path::bypass_copy) return access.mask;
  std::map<uint64_t, uint32_t> first_lanes;
  for (const TraceAccess& half : halves)
    for (size_t l = 32; half.space == Space::global && l-- > 0;)
      if ((half.mask >> l & 1u) != 0) first_lanes[half.addresses[l]] = 1u << l;
  uint32_t lanes = 0;
  for (const auto& [address, lane] : first_lanes) lanes |= lane;
  return lanes;
}

void count_wavefronts(const TraceAccess& access, uint32_t lanes, Traffic& traffic) {
  ++traffic.requests;
  if (access.direction != Direction::load && access.direction != Direction::store) return;
  const bool matrix = access.path == Path::matrix;
  metrics::SharedAccess pattern;
  pattern.op = matrix                                ? metrics::SharedOp::matrix_load
               : access.direction == Direction::load ? metrics::SharedOp::load
                                                     : metrics::SharedOp::store;
  pattern.words = matrix ? (32 - std::countl_zero(access.mask) + 7) / 8 : std::max(1, access.width_bytes / 4);
  pattern.mask = lanes;
  pattern.addresses = access.addresses.all();
  const metrics::BankModel model = metrics::model_banks(pattern);
  traffic.wavefronts += static_cast<uint64_t>(model.wavefronts);
  traffic.minimum_wavefronts += static_cast<uint64_t>(model.groups);
}

void count_access(std::span<const TraceAccess> all, const TraceAccess& access, const std::string& opcode,
                  PlainFigures& plain) {
  static const std::map<std::string, Traffic InstructionTraffic::*> kShared = {
      {"LDS", &InstructionTraffic::shared_load},     {"STS", &InstructionTraffic::shared_store},
      {"LDGSTS", &InstructionTraffic::async_shared}, {"LDSM", &InstructionTraffic::matrix_load},
      {"STSM", &InstructionTraffic::matrix_store},   {"ATOMS", &InstructionTraffic::shared_atomic}};
  static const std::map<std::string, Traffic InstructionTraffic::*> kOther = {
      {"LDG", &InstructionTraffic::global_load},     {"STG", &InstructionTraffic::global_store},
      {"LDGSTS", &InstructionTraffic::async_global}, {"ATOMG", &InstructionTraffic::global_atomic},
      {"RED", &InstructionTraffic::global_reduce},   {"LDL", &InstructionTraffic::local_load},
      {"STL", &InstructionTraffic::local_store}};
  if (access.path == Path::bulk_copy) return;  // an H200 counts nothing of them
  const auto& kinds = access.space == Space::shared ? kShared : kOther;
  const auto kind = kinds.find(opcode);
  ASSERT_NE(kind, kinds.end()) << opcode;
  plain.bypasses |= access.path == Path::bypass_copy;
  Traffic& traffic = plain.traffic.*kind->second;
  access.space == Space::shared ? count_wavefronts(access, sure_lanes(all, access), traffic)
                                : count_sectors(access, traffic);
}

void count_block(const BlockResult& block, PlainFigures& plain) {
  for (const machine::TraceRecord& record : block.trace.records) {
    const auto [opcode, modifiers] = name_of(block.compiled->text[record.instruction]);
    const auto threads = static_cast<uint64_t>(std::popcount(record.executed));
    ++plain.warp_instructions;
    plain.thread_instructions += threads;
    ++plain.by_opcode[opcode];
    if (opcode == "FFMA") plain.ffma += threads;
    if (opcode == "FADD") plain.fadd += threads;
    if (opcode == "FMUL") plain.fmul += threads;
    if (opcode == "HMMA") plain.tensor_flops += flops_of_shape(modifiers);
    const std::span<const TraceAccess> accesses = block.trace.accesses_of(record);
    for (const TraceAccess& access : accesses) count_access(accesses, access, opcode, plain);
  }
  plain.flops = 2 * plain.ffma + plain.fadd + plain.fmul + plain.tensor_flops;
}

void expect_equal(const metrics::CounterSummary& counted, const PlainFigures& plain) {
  EXPECT_EQ(counted.warp_instructions, plain.warp_instructions);
  EXPECT_EQ(counted.thread_instructions, plain.thread_instructions);
  EXPECT_EQ(counted.by_opcode, plain.by_opcode);
  EXPECT_EQ(counted.ffma, plain.ffma);
  EXPECT_EQ(counted.fadd, plain.fadd);
  EXPECT_EQ(counted.fmul, plain.fmul);
  EXPECT_EQ(counted.tensor_flops, plain.tensor_flops);
  EXPECT_EQ(counted.flops(), plain.flops);
  InstructionTraffic expected = plain.traffic;
  if (plain.bypasses) {
    expected.async_global.sectors = counted.traffic.async_global.sectors;
    expected.async_global.minimum_sectors = counted.traffic.async_global.minimum_sectors;
  }
  uint64_t sectors = 0, least_sectors = 0, wavefronts = 0, least_wavefronts = 0;
  for (const metrics::TrafficKind& kind : metrics::kTrafficKinds) {
    const Traffic &is = counted.traffic.*kind.member, &should = expected.*kind.member;
    EXPECT_EQ(is.requests, should.requests) << kind.name;
    EXPECT_EQ(is.sectors, should.sectors) << kind.name;
    EXPECT_EQ(is.minimum_sectors, should.minimum_sectors) << kind.name;
    EXPECT_EQ(is.wavefronts, should.wavefronts) << kind.name;
    EXPECT_EQ(is.minimum_wavefronts, should.minimum_wavefronts) << kind.name;
    if (std::string(kind.name).starts_with("local")) continue;
    sectors += should.sectors, least_sectors += should.minimum_sectors;
    wavefronts += should.wavefronts, least_wavefronts += should.minimum_wavefronts;
  }
  const KeyCounts strip = key_counts(counted);
  EXPECT_EQ(strip,
            (KeyCounts{plain.warp_instructions, plain.flops, sectors, sectors - least_sectors, wavefronts,
                       wavefronts - least_wavefronts, plain.traffic.async_shared.requests > 0}));
}

class Figures : public testing::TestWithParam<std::string> {};
std::vector<std::string> ids() {
  std::vector<std::string> all;
  for (const catalog::Kernel& kernel : all_kernels().kernels) all.push_back(kernel.id);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Catalogue, Figures, testing::ValuesIn(ids()),
                         [](const auto& test) { return "k" + test.param; });

// All blocks of all launches, one after the other, each traced from its own start.
TEST_P(Figures, EqualThePlainCountOverAllBlocks) {
  const catalog::Kernel* const kernel = all_kernels().find(GetParam());
  ASSERT_NE(kernel, nullptr);
  const isa::Arch arch = kernel->architecture > 86 ? isa::Arch::sm_90 : isa::Arch::sm_86;
  const auto problem = experiment::fitted_for(*kernel, arch, {70, 140, 36, 1.25f, 0.5f});
  ASSERT_TRUE(problem);
  Experiment e = experiment::experiment_on(kernel->id, arch, *problem);
  const auto compiled = experiment::compile_kernel(*kernel, e);
  ASSERT_TRUE(compiled) << compiled.error().message;
  const auto grid = experiment::run_whole_grid(*compiled, e, {});
  ASSERT_TRUE(grid) << grid.error().message;
  PlainFigures plain;
  for (e.launch = 0; e.launch < (*compiled)->parts.size(); ++e.launch) {
    const auto part = experiment::compile_kernel(*kernel, e);
    ASSERT_TRUE(part) << part.error().message;
    const std::array<uint32_t, 3> blocks = (*part)->launch.grid;
    for (e.block[2] = 0; e.block[2] < blocks[2]; ++e.block[2])
      for (e.block[1] = 0; e.block[1] < blocks[1]; ++e.block[1])
        for (e.block[0] = 0; e.block[0] < blocks[0]; ++e.block[0]) {
          const auto block = experiment::run_block(*part, e, nullptr);
          ASSERT_TRUE(block) << block.error().message;
          PlainFigures one;
          count_block(**block, one);
          if (e.block == std::array<uint32_t, 3>{0, 0, 0})
            expect_equal(metrics::summarize((*block)->counters, (*part)->instructions), one);
          count_block(**block, plain);
        }
    e.block = {0, 0, 0};
  }
  expect_equal((*grid)->summary, plain);
}

}  // namespace
}  // namespace gemmscope::scenes
