#include "isa/special_register.h"

#include <array>

#include "isa/arch_set.h"

namespace gemmscope::isa {

namespace {

struct Name {
  const char* text;
  uint8_t number;
  ArchSet archs = kAllSm;
};

// clang-format off
constexpr Name kNames[] = {
  {"SR_LANEID", 0x00}, {"SR_CLOCK", 0x01}, {"SR_VIRTCFG", 0x02}, {"SR_VIRTID", 0x03},
  {"SR_ORDERING_TICKET", 0x0f}, {"SR_PRIM_TYPE", 0x10}, {"SR_INVOCATION_ID", 0x11}, {"SR_Y_DIRECTION", 0x12},
  {"SR_THREAD_KILL", 0x13}, {"SM_SHADER_TYPE", 0x14}, {"SR_DIRECTCBEWRITEADDRESSLOW", 0x15},
  {"SR_DIRECTCBEWRITEADDRESSHIGH", 0x16}, {"SR_DIRECTCBEWRITEENABLED", 0x17},
  {"SR_MACHINE_ID_0", 0x18, kSm75}, {"SR_SW_SCRATCH", 0x18, kFromSm80},
  {"SR_MACHINE_ID_1", 0x19}, {"SR_MACHINE_ID_2", 0x1a}, {"SR_MACHINE_ID_3", 0x1b}, {"SR_AFFINITY", 0x1c},
  {"SR_INVOCATION_INFO", 0x1d}, {"SR_WSCALEFACTOR_XY", 0x1e}, {"SR_WSCALEFACTOR_Z", 0x1f},
  {"SR_TID", 0x20}, {"SR_TID.X", 0x21}, {"SR_TID.Y", 0x22}, {"SR_TID.Z", 0x23},
  {"SR_CTAID.X", 0x25}, {"SR_CTAID.Y", 0x26}, {"SR_CTAID.Z", 0x27}, {"SR_NTID", 0x28},
  {"SR_CirQueueIncrMinusOne", 0x29}, {"SR_NLATC", 0x2a}, {"SR_SM_SPA_VERSION", 0x2c},
  {"SR_MULTIPASSSHADERINFO", 0x2d}, {"SR_LWINHI", 0x2e}, {"SR_SWINHI", 0x2f}, {"SR_SWINLO", 0x30},
  {"SR_SWINSZ", 0x31}, {"SR_SMEMSZ", 0x32}, {"SR_SMEMBANKS", 0x33}, {"SR_LWINLO", 0x34}, {"SR_LWINSZ", 0x35},
  {"SR_LMEMLOSZ", 0x36}, {"SR_LMEMHIOFF", 0x37}, {"SR_EQMASK", 0x38}, {"SR_LTMASK", 0x39}, {"SR_LEMASK", 0x3a},
  {"SR_GTMASK", 0x3b}, {"SR_GEMASK", 0x3c}, {"SR_REGALLOC", 0x3d}, {"SR_BARRIERALLOC", 0x3e},
  {"SR_GLOBALERRORSTATUS", 0x40}, {"SR_CGAERRORSTATUS", 0x41, kSm90}, {"SR_WARPERRORSTATUS", 0x42},
  {"SR_VIRTUALSMID", 0x43}, {"SR_VIRTUALENGINEID", 0x44},
  {"SR_CLOCKLO", 0x50}, {"SR_CLOCKHI", 0x51}, {"SR_GLOBALTIMERLO", 0x52}, {"SR_GLOBALTIMERHI", 0x53},
  {"SR_ESR_PC", 0x54}, {"SR_ESR_PC_HI", 0x55}, {"SR_HWTASKID", 0x60}, {"SR_CIRCULARQUEUEENTRYINDEX", 0x61},
  {"SR_CIRCULARQUEUEENTRYADDRESSLOW", 0x62}, {"SR_CIRCULARQUEUEENTRYADDRESSHIGH", 0x63},
  {"SR_VARIABLE_RATE", 0x84}, {"__HIR0X000", 0x85},
  {"SR_WARPGROUP_INFO", 0x86, kSm90}, {"SR_WARPGROUPID", 0x87, kSm90}, {"SR_CgaCtaId", 0x88, kSm90},
  {"SR_GpcLocalCgaId", 0x89, kSm90}, {"SR_CTARegPoolSz", 0x8b, kSm90}, {"SRZ", 0xff},
};
// clang-format on

// Performance counters: eight pairs of low and high words, then the snapshots of these.
constexpr int kFirstCounter = 0x64, kFirstSnapshot = 0x74, kLastSnapshot = 0x83;

std::string counter_name(int number) {
  const bool snapshot = number >= kFirstSnapshot;
  const int place = number - (snapshot ? kFirstSnapshot : kFirstCounter);
  return std::string(snapshot ? "SR_SNAP_PM" : "SR_PM") + (place % 2 != 0 ? "_HI" : "") +
         std::to_string(place / 2);
}

}  // namespace

std::string special_register_name(uint8_t number, Arch arch) {
  if (number >= kFirstCounter && number <= kLastSnapshot) return counter_name(number);
  for (const Name& name : kNames)
    if (name.number == number && name.archs.has(arch)) return name.text;
  return "SR" + std::to_string(number);
}

}  // namespace gemmscope::isa
