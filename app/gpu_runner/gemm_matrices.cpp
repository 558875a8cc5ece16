#include "gpu_runner/gemm_matrices.h"

#include <algorithm>

#include "gpu_runner/device_product.h"
#include "gpu_runner/matrices.h"

namespace gemmscope::gpu {
namespace {

constexpr size_t kPieceBytes = size_t{64} << 20;  // of a matrix, uploaded at a time

Outcome<void> fill_on_device(const DeviceBuffer& buffer, char role, bool bfloat16) {
  std::vector<std::byte> piece(std::min(buffer.bytes(), kPieceBytes));
  for (size_t offset = 0; offset < buffer.bytes(); offset += piece.size()) {
    piece.resize(std::min(piece.size(), buffer.bytes() - offset));
    fill_matrix(role, bfloat16, offset / element_bytes(bfloat16), piece);
    if (Outcome<void> written = buffer.write(offset, piece); !written) return written;
  }
  return {};
}

}  // namespace

Outcome<CUdeviceptr> GemmMatrices::factor(char role, bool bfloat16) {
  const auto found = factors_.find({role, bfloat16});
  if (found != factors_.end()) return found->second.address();
  const auto elements = static_cast<size_t>(role == 'A' ? m_ * k_ : k_ * n_);
  Outcome<DeviceBuffer> buffer = DeviceBuffer::create(*cuda_, elements * element_bytes(bfloat16));
  if (!buffer) return tl::unexpected(buffer.error());
  if (Outcome<void> filled = fill_on_device(*buffer, role, bfloat16); !filled)
    return tl::unexpected(filled.error());
  return factors_.emplace(std::pair(role, bfloat16), std::move(*buffer)).first->second.address();
}

Outcome<const ProductReference*> GemmMatrices::reference(FactorTypes types,
                                                         const std::function<void()>& wait_a_moment) {
  const auto found = references_.find(types);
  if (found != references_.end()) return &found->second;
  const Gemm gemm{m_, n_, k_, 1, 0};
  Outcome<ProductReference> made = device_reference(*cuda_, gemm, types, wait_a_moment);
  if (!made) {
    if (ends_runner(made.error().kind)) return tl::unexpected(made.error());
    made = cpu_reference(gemm, types);
  }
  return &references_.emplace(types, std::move(*made)).first->second;
}

Outcome<DeviceBuffer> make_c(const CudaDriver& cuda, const Gemm& gemm, const MatrixParameter& matrix) {
  constexpr unsigned char kNan = 0xff;  // all bits one, in either type
  Outcome<DeviceBuffer> c =
      DeviceBuffer::create(cuda, static_cast<size_t>(gemm.m * gemm.n) * element_bytes(matrix.bfloat16));
  if (!c) return c;
  const bool nan = gemm.beta == 0 && !matrix.finite;
  const Outcome<void> filled = nan ? c->fill(kNan) : fill_on_device(*c, 'C', matrix.bfloat16);
  if (!filled) return tl::unexpected(filled.error());
  return c;
}

}  // namespace gemmscope::gpu
