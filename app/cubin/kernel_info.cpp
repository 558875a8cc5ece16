#include "cubin/kernel_info.h"

#include <algorithm>
#include <span>

#include "cubin/byte_reader.h"

namespace gemmscope::cubin {
namespace {

enum Attribute : uint8_t {
  kMaxThreads = 0x05,
  kParamCbank = 0x0a,
  kRequiredThreads = 0x10,
  kFrameSize = 0x11,
  kKparamInfo = 0x17,
  kCbankParamSize = 0x19,
  kRegcount = 0x2f,
  kKparamInfoV2 = 0x45,  // for a parameter whose size or offset is too large for kKparamInfo
  kNumBarriers = 0x4c,
};

struct Record {
  uint8_t format = 0, attribute = 0;
  uint16_t value = 0;                  // formats 2 (one byte) and 3
  std::span<const std::byte> payload;  // format 4
};

constexpr uint8_t kFormatByte = 2, kFormatSized = 4;

Record next_record(ByteReader& reader) {
  Record record;
  record.format = reader.read<uint8_t>();
  record.attribute = reader.read<uint8_t>();
  record.value = reader.read<uint16_t>();
  if (record.format == kFormatByte) record.value &= 0xff;
  if (record.format == kFormatSized) record.payload = reader.take(record.value);
  return record;
}

Parameter read_parameter(const Record& record) {
  ByteReader payload(record.payload);
  payload.read<uint32_t>();  // index, always 0
  Parameter parameter;
  parameter.ordinal = payload.read<uint16_t>();
  parameter.offset = payload.read<uint16_t>();
  const auto last = payload.read<uint32_t>();
  parameter.size = record.attribute == kKparamInfoV2 ? last : last >> 18;
  return parameter;
}

void apply(const Record& record, KernelCode& kernel) {
  ByteReader payload(record.payload);
  switch (record.attribute) {
    case kMaxThreads:
    case kRequiredThreads:
      for (uint32_t& extent : kernel.max_threads) extent = payload.read<uint32_t>();
      break;
    case kParamCbank:
      payload.read<uint32_t>();  // symbol of the constant bank
      kernel.parameter_base = payload.read<uint16_t>();
      kernel.parameter_bytes = payload.read<uint16_t>();
      break;
    case kCbankParamSize:
      kernel.parameter_bytes = record.value;
      break;
    case kKparamInfo:
    case kKparamInfoV2:
      kernel.parameters.push_back(read_parameter(record));
      break;
    case kNumBarriers:
      kernel.barriers = record.value;
      break;
    default:
      break;  // not needed to execute or to show
  }
}

}  // namespace

Result<std::map<uint32_t, FunctionInfo>> read_function_info(const ElfFile& elf, std::string_view origin) {
  std::map<uint32_t, FunctionInfo> functions;
  ByteReader reader(elf.sections[elf.find(".nv.info")].bytes);
  while (!reader.at_end()) {
    const Record record = next_record(reader);
    if (record.attribute != kRegcount && record.attribute != kFrameSize) continue;
    ByteReader payload(record.payload);
    const auto symbol = payload.read<uint32_t>();
    const auto value = payload.read<uint32_t>();
    if (payload.failed() || symbol >= elf.symbols.size())
      return fail("{}: a record of .nv.info is damaged", origin);
    if (record.attribute == kRegcount)
      functions[symbol].registers = static_cast<int>(value);
    else
      functions[symbol].frame_bytes = value;
  }
  if (reader.failed()) return fail("{}: .nv.info ends within a record", origin);
  return functions;
}

Result<void> read_kernel_info(const Section& section, std::string_view origin, KernelCode& kernel) {
  ByteReader reader(section.bytes);
  while (!reader.at_end()) apply(next_record(reader), kernel);
  if (reader.failed()) return fail("{}: {} ends within a record", origin, section.name);
  std::sort(kernel.parameters.begin(), kernel.parameters.end(),
            [](const Parameter& a, const Parameter& b) { return a.ordinal < b.ordinal; });
  for (size_t i = 0; i < kernel.parameters.size(); ++i)
    if (kernel.parameters[i].ordinal != i)
      return fail("{}: the parameters of {} are not numbered from 0: number {} is in the place of {}", origin,
                  kernel.name, kernel.parameters[i].ordinal, i);
  for (const Parameter& parameter : kernel.parameters)
    if (uint64_t{parameter.offset} + parameter.size > kernel.parameter_bytes)
      return fail("{}: parameter {} of {} lies outside the kernel's {} parameter bytes", origin,
                  parameter.ordinal, kernel.name, kernel.parameter_bytes);
  return {};
}

}  // namespace gemmscope::cubin
