// Order and scope of memory accesses. sm_75 has two fields, 77–78 (scope) and 79–80 (order). Later
// architectures have one field of four bits, whose meaning depends on the kind of access. If nothing is
// printed, the access is weak.
#pragma once

#include "isa/opcode_vocabulary.h"

namespace gemmscope::isa::rows {

inline constexpr M kScope[4] = {M::cta, M::sm, M::gpu, M::sys};
inline constexpr M kOrder[4] = {M::constant, M::none, M::strong, M::mmio};
inline constexpr M kWriteOrder[4] = {M::invalid0, M::none, M::strong, M::mmio};
inline constexpr M kUpdateOrder[4] = {M::invalid0, M::none, M::strong, M::invalid3};

inline constexpr M kLoadOrder[16] = {
    M::none,     M::constant_private, M::constant_cta,        M::constant_cta_private,
    M::constant, M::strong_sm,        M::strong_gpu_private,  M::strong_gpu,
    M::mmio_gpu, M::constant_sm,      M::strong_sys,          M::constant_sm_private,
    M::mmio_sys, M::constant_vc,      M::constant_vc_private, M::constant_gpu};
inline constexpr M kStoreOrder[16] = {M::none,
                                      M::constant_private,
                                      M::constant_cta,
                                      M::constant_cta_private,
                                      M::strong_sm_private,
                                      M::strong_sm,
                                      M::strong_gpu_private,
                                      M::strong_gpu,
                                      M::mmio_gpu,
                                      M::constant_sm,
                                      M::strong_sys,
                                      M::constant_sm_private,
                                      M::mmio_sys,
                                      M::constant_vc,
                                      M::constant_vc_private,
                                      M::constant_gpu};
inline constexpr M kCopyOrder[16] = {M::none,
                                     M::constant_private,
                                     M::constant_cta,
                                     M::constant_cta_private,
                                     M::constant,
                                     M::mmio_cta,
                                     M::gpu_private,
                                     M::mmio_cta_private,
                                     M::mmio_sm,
                                     M::constant_sm,
                                     M::mmio_vc,
                                     M::constant_sm_private,
                                     M::mmio_gpu,
                                     M::constant_vc,
                                     M::constant_vc_private,
                                     M::constant_gpu};

inline constexpr ModifierField kOrder75 = field(79, 2, kOrder).on(kSm75);
inline constexpr ModifierField kWriteOrder75 = field(79, 2, kWriteOrder).on(kSm75);
inline constexpr ModifierField kUpdateOrder75 = field(79, 2, kUpdateOrder).on(kSm75);
inline constexpr ModifierField kScope75 = field(77, 2, kScope).on(kSm75);
inline constexpr ModifierField kPrivate75 = flag(76, M::private_).on(kSm75);

}  // namespace gemmscope::isa::rows
