#include "gpu_runner/prepared_kernel.h"

#include "gpu_runner/matrices.h"

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
  for (size_t i = 0; i < request.launches.size() && step; ++i)
    step = kernel->add_launch(request, request.launches[i]);
  if (!step) return tl::unexpected(step.error());
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
      Outcome<DeviceBuffer> c = make_c(*cuda_, checked_->gemm, matrix.bfloat16);
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
  for (const TimedParameter& parameter : request.parameters) {
    CUdeviceptr& address = addresses_.emplace_back(0);
    if (const auto* matrix = std::get_if<MatrixParameter>(&parameter))
      if (Outcome<void> noted = note_matrix(*matrix, address); !noted) return noted;
    const auto* const given = std::get_if<BufferParameter>(&parameter);
    if (given == nullptr) continue;
    Outcome<DeviceBuffer> buffer = DeviceBuffer::create(*cuda_, given->initial.size());
    if (!buffer) return tl::unexpected(buffer.error());
    if (Outcome<void> written = buffer->write(0, given->initial); !written) return written;
    address = buffer->address();
    buffers_.push_back(std::move(*buffer));
  }
  return {};
}

Outcome<void> PreparedKernel::add_launch(const PrepareRequest& request, const TimedLaunch& what) {
  const Outcome<CUfunction> function = module_.function(what.kernel);
  if (!function) return tl::unexpected(function.error());
  KernelLaunch& launch = launches_.emplace_back(*cuda_, *function, what.kernel, what.grid, what.block,
                                                what.dynamic_shared_bytes);
  for (const uint32_t index : what.parameters) {
    if (const auto* value = std::get_if<ValueParameter>(&request.parameters[index])) {
      launch.add_argument(value->bytes);
    } else {
      launch.add_address(addresses_[index]);
    }
  }
  if (Outcome<void> checked = launch.check_arguments(); !checked) return checked;
  return launch.allow_shared_memory();
}

Enqueue PreparedKernel::enqueue() {
  if (multiply_) return multiply_;
  return [this]() -> Outcome<void> {
    for (KernelLaunch& launch : launches_)
      if (Outcome<void> launched = launch.launch(); !launched) return launched;
    return {};
  };
}

Outcome<GpuVerification> PreparedKernel::verify(const std::function<void()>& wait_a_moment) const {
  GpuVerification unchecked;
  unchecked.against = "nothing was compared: the launch has no product of A and B in C";
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
