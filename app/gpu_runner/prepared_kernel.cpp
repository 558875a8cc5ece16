#include "gpu_runner/prepared_kernel.h"

#include <algorithm>

#include "gpu_runner/matrices.h"
#include "gpu_runner/tensor_map.h"

namespace gemmscope::gpu {
namespace {

const char* precision_title(Precision precision) {
  switch (precision) {
    case Precision::tf32:
      return "TF32";
    case Precision::bf16:
      return "BF16";
    case Precision::fp32:
      break;
  }
  return "FP32";
}

}  // namespace

Outcome<std::unique_ptr<PreparedKernel>> PreparedKernel::create(const CudaDevice& device,
                                                                const PrepareRequest& request,
                                                                std::shared_ptr<GemmMatrices> matrices) {
  std::unique_ptr<PreparedKernel> kernel(new PreparedKernel(device));
  kernel->name_ = request.launches.front().kernel;
  kernel->matrices_ = std::move(matrices);
  if (request.gemm) kernel->checked_ = CheckedKernel{*request.gemm, {}, false, request.precision};
  Outcome<void> step = kernel->module_.load(request.cubin, kernel->name_);
  if (step) step = kernel->add_buffers(request);
  if (!step) return tl::unexpected(step.error());
  for (const TimedLaunch& what : request.launches) {
    Outcome<KernelLaunch> launch = make_launch(*kernel->cuda_, kernel->module_, what, kernel->arguments_);
    if (!launch) return tl::unexpected(launch.error());
    kernel->launches_.push_back(std::move(*launch));
  }
  if (request.check) {
    auto reference = ReferenceRun::create(*kernel->cuda_, kernel->module_, request);
    if (!reference) return tl::unexpected(reference.error());
    kernel->reference_ = std::move(*reference);
  }
  return kernel;
}

Outcome<std::unique_ptr<PreparedKernel>> PreparedKernel::create(const CudaDevice& device,
                                                                const PrepareLibraryRequest& request,
                                                                std::shared_ptr<GemmMatrices> matrices) {
  const Outcome<const CublasLibrary*> cublas = cublas_library();
  if (!cublas) return tl::unexpected(cublas.error());
  std::unique_ptr<PreparedKernel> kernel(new PreparedKernel(device));
  kernel->library_ = (*cublas)->title();
  kernel->name_ = fmt::format("the {} product of {}", precision_title(request.precision), kernel->library_);
  kernel->matrices_ = std::move(matrices);
  kernel->checked_ = CheckedKernel{request.gemm, {}, false, request.precision};
  const bool bfloat16 = request.precision == Precision::bf16;
  CUdeviceptr a = 0, b = 0, c = 0;
  Outcome<void> step = kernel->note_matrix({'A', bfloat16}, a);
  if (step) step = kernel->note_matrix({'B', bfloat16}, b);
  if (step) step = kernel->note_matrix({'C', false}, c);
  if (!step) return tl::unexpected(step.error());
  kernel->multiply_ = [library = *cublas, request, a, b, c] {
    return library->multiply(request.gemm, request.precision, a, b, c);
  };
  return kernel;
}

Outcome<void> PreparedKernel::note_matrix(const MatrixParameter& matrix, CUdeviceptr& address) {
  if (matrix.role == 'C') {
    if (!c_) {
      Outcome<DeviceBuffer> c = make_c(*cuda_, checked_->gemm, matrix);
      if (!c) return tl::unexpected(c.error());
      c_.emplace(std::move(*c));
      checked_->c_bfloat16 = matrix.bfloat16;
    }
    address = c_->address();
    return {};
  }
  const Outcome<CUdeviceptr> factor = matrices_->factor(matrix.role, matrix.bfloat16);
  if (!factor) return tl::unexpected(factor.error());
  address = *factor;
  (matrix.role == 'A' ? has_a_ : has_b_) = true;
  (matrix.role == 'A' ? checked_->types.a_bfloat16 : checked_->types.b_bfloat16) = matrix.bfloat16;
  return {};
}

Outcome<void> PreparedKernel::add_buffers(const PrepareRequest& request) {
  Outcome<RequestBuffers> buffers = RequestBuffers::create(*cuda_, request.parameters);
  if (!buffers) return tl::unexpected(buffers.error());
  buffers_ = std::move(*buffers);
  auto arguments = buffers_.arguments(*cuda_, request.parameters);
  if (!arguments) return tl::unexpected(arguments.error());
  arguments_ = *std::move(arguments);
  for (size_t i = 0; i < request.parameters.size(); ++i) {
    const auto* const matrix = std::get_if<MatrixParameter>(&request.parameters[i]);
    if (matrix == nullptr) continue;
    CUdeviceptr address = 0;
    if (Outcome<void> noted = note_matrix(*matrix, address); !noted) return noted;
    auto argument = memory_argument(*cuda_, address, tensor_map_of(*matrix, checked_->gemm));
    if (!argument) return tl::unexpected(argument.error());
    arguments_[i] = *std::move(argument);
  }
  return {};
}

size_t PreparedKernel::local_bytes() const {
  size_t most = 0;
  for (const KernelLaunch& launch : launches_) most = std::max(most, launch.local_bytes());
  return most;
}

Enqueue PreparedKernel::enqueue() {
  if (multiply_) return multiply_;
  return [this]() -> Outcome<void> {
    for (KernelLaunch& launch : launches_)
      if (Outcome<void> launched = launch.launch(); !launched) return launched;
    return {};
  };
}

Outcome<GpuVerification> PreparedKernel::verify(const std::function<void()>& wait_a_moment) {
  if (reference_ != nullptr) {
    Outcome<GpuVerification> verification = reference_->compare(buffers_, wait_a_moment);
    if (verification) reference_.reset();
    return verification;
  }
  GpuVerification unchecked;
  unchecked.against = "nothing was compared: the launch has no product of A and B in C, and no reference";
  if (!checked_ || !c_ || !has_a_ || !has_b_) return unchecked;
  const Outcome<const ProductReference*> reference = matrices_->reference(checked_->types, wait_a_moment);
  if (!reference) return tl::unexpected(reference.error());
  const Outcome<std::vector<std::byte>> c = read_c(**reference);
  if (!c) return tl::unexpected(c.error());
  return check_product(*checked_, **reference, *c);
}

Outcome<std::vector<std::byte>> PreparedKernel::read_c(const ProductReference& reference) const {
  const auto row_bytes = static_cast<size_t>(reference.n) * element_bytes(checked_->c_bfloat16);
  std::vector<std::byte> rows(static_cast<size_t>(reference.row_count) * row_bytes);
  const bool whole = reference.row_count == reference.m;
  const int64_t pieces = whole ? 1 : reference.row_count;
  const size_t piece_bytes = whole ? rows.size() : row_bytes;
  for (int64_t i = 0; i < pieces; ++i) {
    const size_t from = whole ? 0 : static_cast<size_t>(reference.row(i)) * row_bytes;
    const std::span<std::byte> to =
        std::span(rows).subspan(static_cast<size_t>(i) * piece_bytes, piece_bytes);
    if (Outcome<void> read = c_->read(from, to); !read) return tl::unexpected(read.error());
  }
  return rows;
}

}  // namespace gemmscope::gpu
