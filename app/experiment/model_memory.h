// What was executed and modelled for the charts, kept from request to request within two limits of bytes.
#pragma once

#include "base/byte_cache.h"
#include "experiment/live_model.h"
#include "experiment/modelled_time.h"

namespace gemmscope::experiment {

inline constexpr size_t kMostExecutionBytes = size_t{64} << 20, kMostModelledBytes = size_t{8} << 20;

// For one thread at a time.
class ModelMemory {
 public:
  explicit ModelMemory(size_t most_execution_bytes = kMostExecutionBytes,
                       size_t most_modelled_bytes = kMostModelledBytes)
      : executions_(most_execution_bytes), results_(most_modelled_bytes) {}

  // A variant that cannot be executed or modelled says why. Cancelled: the result is incomplete and not kept.
  ModelledVariant model(const TimedKernel& choice, const ModelRequest& request,
                        const std::atomic<bool>& cancelled);
  size_t execution_bytes() const { return executions_.bytes(); }
  size_t modelled_bytes() const { return results_.bytes(); }

 private:
  struct Execution {
    Experiment experiment;
    std::shared_ptr<const CompiledKernel> compiled;
    std::shared_ptr<const TimingSample> sample;  // null: `trouble` says why
    std::string trouble;
  };
  using SharedExecution = std::shared_ptr<const Execution>;

  static Execution execute(const TimedKernel& choice, const ModelRequest& request,
                           const std::atomic<bool>& cancelled);
  SharedExecution find_or_execute(const std::string& key, const TimedKernel& choice,
                                  const ModelRequest& request, const std::atomic<bool>& cancelled);

  ByteCache<SharedExecution> executions_;
  ByteCache<ModelledVariant> results_;
};

}  // namespace gemmscope::experiment
