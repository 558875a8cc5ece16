// A cubin written again: without a change the same bytes, with one only that change.
#include "cubin/write_cubin.h"

#include <algorithm>

#include "cubin/cubin.h"
#include "small_cubin.h"

namespace gemmscope::cubin {
namespace {

class WriteCubin : public testing::TestWithParam<const char*> {
 protected:
  std::vector<std::byte> bytes_ = small_cubin_bytes(GetParam());
  Cubin cubin_ = read_cubin(bytes_, "small").value();
};
INSTANTIATE_TEST_SUITE_P(Archs, WriteCubin, testing::Values("sm_86", "sm_90"));

TEST_P(WriteCubin, WithoutAChangeTheBytesAreTheSame) {
  for (const KernelCode& kernel : cubin_.kernels) {
    const auto written = write_cubin(bytes_, {kernel.name, kernel.words, kernel.registers}, "small");
    ASSERT_TRUE(written) << written.error().message;
    EXPECT_TRUE(*written == bytes_) << kernel.name;
  }
}

TEST_P(WriteCubin, ChangesOneInstructionAndTheRegisterCount) {
  const KernelCode& kernel = cubin_.kernels.front();
  CodeChange change{kernel.name, kernel.words, kernel.registers + 8};
  change.words[3] ^= uint64_t{1} << 41;  // a stall count
  const auto written = write_cubin(bytes_, change, "small");
  ASSERT_TRUE(written) << written.error().message;
  const Cubin again = read_cubin(*written, "small").value();
  const KernelCode* const changed = again.find(kernel.name);
  ASSERT_NE(changed, nullptr);
  EXPECT_EQ(changed->words, change.words);
  EXPECT_EQ(changed->registers, kernel.registers + 8);
  for (size_t i = 1; i < cubin_.kernels.size(); ++i) {
    EXPECT_EQ(again.kernels[i].words, cubin_.kernels[i].words);
    EXPECT_EQ(again.kernels[i].registers, cubin_.kernels[i].registers);
  }
  // Bits 41 of a word, the count in .nv.info and, up to sm_89, its copy in the section header.
  int different = 0;
  for (size_t i = 0; i < bytes_.size(); ++i) different += (*written)[i] != bytes_[i] ? 1 : 0;
  EXPECT_EQ(different, std::string(GetParam()) == "sm_90" ? 2 : 3);
}

TEST_P(WriteCubin, RefusesWhatItCannotWrite) {
  const KernelCode& kernel = cubin_.kernels.front();
  EXPECT_FALSE(write_cubin(bytes_, {"nobody", kernel.words, 0}, "small"));
  std::vector<uint64_t> longer = kernel.words;
  longer.resize(longer.size() + 2);
  EXPECT_FALSE(write_cubin(bytes_, {kernel.name, longer, 0}, "small"));
  EXPECT_FALSE(write_cubin(bytes_, {kernel.name, kernel.words, 256}, "small"));
}

TEST_P(WriteCubin, RefusesToMoveAnExit) {
  const KernelCode& kernel = cubin_.kernels.front();
  const auto named = named_addresses(bytes_, kernel.name, "small");
  ASSERT_TRUE(named);
  ASSERT_FALSE(named->empty());
  CodeChange change{kernel.name, kernel.words, 0};
  const size_t exit = named->front() / 8, first = 0;
  EXPECT_EQ(change.words[exit] & 0xfff, 0x94du);
  std::swap(change.words[exit], change.words[first]);
  std::swap(change.words[exit + 1], change.words[first + 1]);
  const auto written = write_cubin(bytes_, change, "small");
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("cannot be moved"), std::string::npos) << written.error().message;
}

}  // namespace
}  // namespace gemmscope::cubin
