// The figures of a page, computed: by executing machine code, from recordings, and by the model.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>

#include "base/error.h"
#include "catalog/catalog.h"
#include "lessons/lesson.h"

namespace gemmscope::lessons {

// Ordered by how little they say of a GPU: a formula has the last origin among its figures.
enum class Origin : uint8_t { stated, exact, recorded, modelled };

struct FigureValue {
  double value = 0;
  Origin origin = Origin::stated;
  std::string source;  // "NVIDIA H200, 2026-11-21", "model of NVIDIA H200"; empty: the machine code
};

using FigureValues = std::map<std::string, Result<FigureValue>>;  // by the figure's name

// The value of a formula. Errors: those of the formula and of the figures that it uses.
Result<FigureValue> value_of(const std::string& formula, const FigureValues& values);

// Keeps what it has executed, so that the pages of a lesson share it. For one thread.
class FigureEvaluator {
 public:
  // What was used longest ago is executed anew when it is needed again, beyond this many bytes.
  static constexpr size_t kMostBytes = size_t{32} << 20;
  explicit FigureEvaluator(catalog::Catalog catalog, size_t most_bytes = kMostBytes);
  ~FigureEvaluator();

  // All figures of the page. A figure that cannot be had holds an error: an unknown name, no machine code, no
  // such recording. Cancelled: the rest is errors.
  FigureValues evaluate(const Page& page, const std::atomic<bool>* cancelled = nullptr);
  size_t bytes() const;  // of what is kept

 private:
  class Results;
  std::unique_ptr<Results> results_;
};

}  // namespace gemmscope::lessons
