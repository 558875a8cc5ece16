#include "gpu_runner/device_product.h"

#include <algorithm>
#include <memory>

#include "gpu_runner/cublas_library.h"
#include "gpu_runner/cuda_launch.h"
#include "gpu_runner/cuda_memory.h"
#include "gpu_runner/matrices.h"

namespace gemmscope::gpu {
namespace {

constexpr int64_t kBandElements = int64_t{1} << 23;  // in a band of A or of C, whichever has the longer rows
constexpr uint32_t kBandLimitMs = 60'000;

class Multiplication {
 public:
  Multiplication(const CudaDriver& cuda, const CublasLibrary& cublas, const Gemm& gemm, FactorTypes types)
      : cuda_(cuda), cublas_(cublas), gemm_(gemm), types_(types) {
    band_ = std::clamp<int64_t>(kBandElements / std::max(gemm.k, gemm.n), 1, gemm.m);
  }

  Outcome<void> allocate() {
    for (const auto& [buffer, elements] :
         {std::pair{&a_, band_ * gemm_.k}, {&b_, gemm_.k * gemm_.n}, {&c_, band_ * gemm_.n}}) {
      Outcome<DeviceBuffer> made =
          DeviceBuffer::create(cuda_, static_cast<size_t>(elements) * sizeof(double));
      if (!made) return tl::unexpected(made.error());
      *buffer = std::move(*made);
    }
    return {};
  }

  // Computes |A| |B| if `absolute`, else A B.
  Outcome<void> multiply(bool absolute, std::span<double> product, const std::function<void()>& a_moment) {
    if (Outcome<void> b = upload(b_, 'B', types_.b_bfloat16, absolute, 0, gemm_.k * gemm_.n); !b) return b;
    for (int64_t row = 0; row < gemm_.m; row += band_) {
      const int64_t rows = std::min(band_, gemm_.m - row);
      Outcome<void> step = upload(a_, 'A', types_.a_bfloat16, absolute, row * gemm_.k, rows * gemm_.k);
      if (step)
        step = cublas_.multiply_float64(rows, gemm_.n, gemm_.k, a_.address(), b_.address(), c_.address());
      if (step)
        step = wait_until(cuda_, [&] { return cuda_.query_stream(nullptr); },
                          {"the float64 product of cuBLAS", kBandLimitMs, a_moment});
      const auto first = static_cast<size_t>(row * gemm_.n), count = static_cast<size_t>(rows * gemm_.n);
      if (step) step = c_.read(0, std::as_writable_bytes(product.subspan(first, count)));
      if (!step) return step;
    }
    return {};
  }

 private:
  // Uploads in pieces, so that the host needs no float64 copy of the whole factor.
  Outcome<void> upload(const DeviceBuffer& to, char role, bool bfloat16, bool absolute, int64_t first,
                       int64_t count) {
    for (int64_t done = 0; done < count;) {
      piece_.resize(static_cast<size_t>(std::min(count - done, kBandElements)));
      fill_float64(role, bfloat16, absolute, static_cast<uint64_t>(first + done), piece_);
      const auto offset = static_cast<size_t>(done) * sizeof(double);
      if (Outcome<void> written = to.write(offset, std::as_bytes(std::span(piece_))); !written)
        return written;
      done += static_cast<int64_t>(piece_.size());
    }
    return {};
  }

  const CudaDriver& cuda_;
  const CublasLibrary& cublas_;
  Gemm gemm_;
  FactorTypes types_;
  int64_t band_ = 1;
  DeviceBuffer a_, b_, c_;
  std::vector<double> piece_;
};

}  // namespace

Outcome<ProductReference> device_reference(const CudaDriver& cuda, const Gemm& gemm, FactorTypes types,
                                           const std::function<void()>& wait_a_moment) {
  const Outcome<const CublasLibrary*> cublas = cublas_library();
  if (!cublas) return tl::unexpected(cublas.error());
  auto multiplication = std::make_unique<Multiplication>(cuda, **cublas, gemm, types);
  if (Outcome<void> allocated = multiplication->allocate(); !allocated)
    return tl::unexpected(allocated.error());
  ProductReference reference{gemm.m, gemm.n, gemm.k, gemm.m, {}, {}, "cuBLAS float64"};
  const auto elements = static_cast<size_t>(gemm.m * gemm.n);
  reference.product.resize(elements);
  reference.magnitude.resize(elements);
  Outcome<void> done = multiplication->multiply(false, reference.product, wait_a_moment);
  if (done) done = multiplication->multiply(true, reference.magnitude, wait_a_moment);
  if (!done) {
    // Freeing the memory would wait for work that may never end.
    if (ends_runner(done.error().kind)) std::ignore = multiplication.release();
    return tl::unexpected(done.error());
  }
  return reference;
}

}  // namespace gemmscope::gpu
