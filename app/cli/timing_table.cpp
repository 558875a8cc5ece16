#include "cli/timing_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "metrics/roofline.h"
#include "metrics/sample_statistics.h"

namespace gemmscope::cli {
namespace {

using experiment::TimedVariant;
using experiment::Timings;
using metrics::SampleSummary;

// The columns of one variant; 0 or less means unknown.
struct Row {
  std::string label;
  SampleSummary ms;
  double tflops = 0, ratio = 0, of_peak = 0;
  bool overlaps = false;  // with the spread of the library
};

SampleSummary summary_of(const TimedVariant& variant) {
  return metrics::summarize_samples(experiment::milliseconds(variant));
}

Row row_of(const Timings& timings, const TimedVariant& variant) {
  Row row;
  row.label = experiment::variant_name(variant);
  row.ms = summary_of(variant);
  if (row.ms.count == 0) return row;
  row.tflops = metrics::tflops(experiment::flops(timings, variant), row.ms.median);
  const double peak = experiment::peak_flops(timings.device, variant.grade);
  if (peak > 0) row.of_peak = row.tflops * 1e12 / peak;
  const TimedVariant* const library =
      variant.is_product ? experiment::reference_of(timings, variant.grade) : nullptr;
  if (library == nullptr) return row;
  const SampleSummary bar = summary_of(*library);
  row.ratio = bar.median / row.ms.median;
  row.overlaps =
      library != &variant && metrics::compare_samples(row.ms, bar) == metrics::Comparison::indistinguishable;
  return row;
}

std::string tflops_text(double value) {
  if (!(value > 0)) return "";
  return fmt::format("{:.{}f}", value, value < 10 ? 3 : value < 100 ? 1 : 0);
}
std::string percent_text(double share) { return share > 0 ? fmt::format("{:.1f} %", 100 * share) : ""; }
std::string ms_text(double ms) { return fmt::format("{:.{}f}", ms, ms < 10 ? 4 : 3); }
std::string ratio_text(const Row& row) {
  if (!(row.ratio > 0)) return "";
  return fmt::format("{}{:.3f}", row.overlaps ? "~" : "", row.ratio);
}
// Half of the interquartile range, as a ± of the median.
std::string spread_text(const SampleSummary& ms) {
  if (ms.count < metrics::kFewestSamples) return "";
  return fmt::format("± {:.2f} %", 50 * ms.spread() / ms.median);
}
std::string error_text(const TimedVariant& variant) {
  return variant.largest_error >= 0 ? fmt::format("{:.2g}", variant.largest_error) : "";
}

std::string problem_text(const catalog::Problem& p) {
  return p.m > 0 ? fmt::format("{} x {} x {}", p.m, p.n, p.k) : "";
}
std::string run_text(const Timings& run) {
  const std::string problem = problem_text(run.problem);
  if (run.title.empty()) return problem;
  return problem.empty() ? run.title : run.title + ", " + problem;
}

std::string origin_text(const Timings& timings) {
  const experiment::TimedDevice& d = timings.device;
  const bool measured = timings.provenance == experiment::Provenance::measured;
  std::string text = (measured ? "Measured on " : "Recorded on ") + d.name;
  if (!timings.date.empty()) text += ", " + timings.date;
  if (!d.driver_version.empty()) text += ", driver " + d.driver_version;
  if (!d.cuda_version.empty()) text += ", CUDA " + d.cuda_version;
  if (!d.library.empty()) text += ", " + d.library;
  if (d.max_clock_mhz > 0) text += fmt::format(", up to {:.0f} MHz", d.max_clock_mhz);
  return text;
}

// Which bandwidths were measured. Empty where the timings are a published table, which has no device to ask.
std::string bandwidth_text(const Timings& timings) {
  const experiment::TimedDevice& d = timings.device;
  if (!timings.source.empty()) return "";
  const auto rate = [](const char* name, double gb_per_second) {
    return gb_per_second > 0 ? fmt::format("{} {:.0f} GB/s", name, gb_per_second)
                             : fmt::format("{} not measured", name);
  };
  return fmt::format("Bandwidth as measured: {}, {}\n", rate("L2", d.l2_gb_per_second),
                     rate("L1 and shared memory", d.l1_gb_per_second));
}

size_t most_samples(const experiment::Recording& recording) {
  size_t most = 0;
  for (const Timings& run : recording)
    for (const TimedVariant& variant : run.variants) most = std::max(most, variant.samples.size());
  return most;
}

}  // namespace

std::string timing_table(const Timings& timings) {
  std::string text = fmt::format("{}: {}{}\n", origin_text(timings), run_text(timings),
                                 timings.l2_flushed ? ", L2 flushed before each launch" : "");
  if (!timings.source.empty()) text += timings.source + "\n";
  text += bandwidth_text(timings);
  size_t width = 10;
  for (const TimedVariant& variant : timings.variants)
    width = std::max(width, experiment::variant_name(variant).size());
  text += fmt::format("{:<{}}  {:>10}  {:>10}  {:>9}  {:>10}  {:>8}  {:>8}\n", "", width, "median ms",
                      "spread", "TFLOP/s", "of cuBLAS", "of peak", "error");
  bool overlaps = false;
  for (const TimedVariant& variant : timings.variants) {
    const Row row = row_of(timings, variant);
    if (row.ms.count > 0)
      text += fmt::format("{:<{}}  {:>10}  {:>10}  {:>9}  {:>10}  {:>8}  {:>8}\n", row.label, width,
                          ms_text(row.ms.median), spread_text(row.ms), tflops_text(row.tflops),
                          ratio_text(row), percent_text(row.of_peak), error_text(variant));
    if (row.ms.count == 0 || !variant.trouble.empty())
      text += fmt::format("{:<{}}  {}\n", row.label, width,
                          variant.trouble.empty() ? "no samples" : variant.trouble);
    if (!variant.note.empty()) text += fmt::format("{:<{}}  ({})\n", "", width, variant.note);
    overlaps = overlaps || row.overlaps;
  }
  if (overlaps) text += "~ not distinguishable from cuBLAS: the middle halves of the samples overlap\n";
  if (!timings.trouble.empty()) text += timings.trouble + "\n";
  return text;
}

namespace {

// Finds the same kernel with the same toggles in another run.
const TimedVariant* same_in(const Timings& run, const TimedVariant& variant) {
  const auto found = std::find_if(run.variants.begin(), run.variants.end(), [&](const TimedVariant& v) {
    return v.id == variant.id && v.toggles == variant.toggles;
  });
  return found == run.variants.end() ? nullptr : &*found;
}

// A lab among products has no row in a table of TFLOP/s.
bool has_row(const Timings& run, const TimedVariant& variant) {
  return variant.is_product || std::none_of(run.variants.begin(), run.variants.end(),
                                            [](const TimedVariant& v) { return v.is_product; });
}

std::string markdown_label(const TimedVariant& variant) {
  return variant.is_library ? variant.title
                            : fmt::format("{} (`{}`)", variant.title, experiment::variant_name(variant));
}

std::string single_run_markdown(const Timings& run) {
  std::string text =
      fmt::format("| {} | ms | TFLOP/s | of cuBLAS | of the peak | largest error |\n", run_text(run));
  text += "|---|---:|---:|---:|---:|---:|\n";
  for (const TimedVariant& variant : run.variants) {
    const Row row = row_of(run, variant);
    if (row.ms.count == 0 || !has_row(run, variant)) continue;
    text +=
        fmt::format("| {} | {} | {} | {} | {} | {} |\n", markdown_label(variant), ms_text(row.ms.median),
                    tflops_text(row.tflops), ratio_text(row), percent_text(row.of_peak), error_text(variant));
  }
  return text;
}

std::string cell_text(const Timings& run, const TimedVariant* variant) {
  if (variant == nullptr) return "";
  const Row row = row_of(run, *variant);
  if (row.ms.count == 0) return "–";
  if (row.tflops <= 0) return ms_text(row.ms.median) + " ms";
  const std::string ratio = variant->is_library ? "" : ratio_text(row);
  return tflops_text(row.tflops) + (ratio.empty() ? "" : " (" + ratio + ")");
}

std::string all_runs_markdown(const experiment::Recording& recording) {
  std::string text = "| |", line = "|---|";
  std::vector<const TimedVariant*> rows;
  for (const Timings& run : recording) {
    text += fmt::format(" {} |", run_text(run));
    line += "---:|";
    for (const TimedVariant& variant : run.variants)
      if (has_row(run, variant) && std::none_of(rows.begin(), rows.end(), [&](const TimedVariant* known) {
            return known->id == variant.id && known->toggles == variant.toggles;
          }))
        rows.push_back(&variant);
  }
  std::stable_partition(rows.begin(), rows.end(), [](const TimedVariant* row) { return !row->is_library; });
  text += "\n" + line + "\n";
  for (const TimedVariant* row : rows) {
    text += fmt::format("| {} |", markdown_label(*row));
    for (const Timings& run : recording) text += fmt::format(" {} |", cell_text(run, same_in(run, *row)));
    text += "\n";
  }
  return text;
}

// Of more sizes than this, each gets a row in place of a column.
constexpr size_t kMostColumns = 8;

// The fastest FP32 product of the catalogue, or null.
const TimedVariant* fastest_of(const Timings& run) {
  const TimedVariant* fastest = nullptr;
  for (const TimedVariant& variant : run.variants) {
    if (variant.is_library || variant.grade != experiment::Grade::fp32 || variant.samples.empty()) continue;
    if (fastest == nullptr || summary_of(variant).median < summary_of(*fastest).median) fastest = &variant;
  }
  return fastest;
}

std::string row_a_size_markdown(const experiment::Recording& recording) {
  std::string text = "| size | fastest FP32 variant | TFLOP/s | cuBLAS | ratio |\n|---|---|---:|---:|---:|\n";
  double logarithms = 0, least = 0;
  int ratios = 0;
  for (const Timings& run : recording) {
    const TimedVariant* const fastest = fastest_of(run);
    const TimedVariant* const library = experiment::reference_of(run, experiment::Grade::fp32);
    if (fastest == nullptr || library == nullptr) continue;
    const Row row = row_of(run, *fastest);
    text += fmt::format("| {} | `{}` | {} | {} | {} |\n", run_text(run), row.label, tflops_text(row.tflops),
                        tflops_text(row_of(run, *library).tflops), ratio_text(row));
    logarithms += std::log(row.ratio);
    least = ratios++ == 0 ? row.ratio : std::min(least, row.ratio);
  }
  if (ratios > 0)
    text += fmt::format("\n{} sizes: the geometric mean of the ratios is {:.3f}, the least {:.3f}.\n", ratios,
                        std::exp(logarithms / ratios), least);
  return text;
}

}  // namespace

std::string timing_markdown(const experiment::Recording& recording) {
  if (recording.empty()) return "";
  const Timings& first = recording.front();
  const size_t samples = most_samples(recording);
  std::string text = origin_text(first) + ".";
  if (!first.source.empty()) text += " " + first.source;
  if (samples > 1) text += fmt::format(" Median of {} samples", samples);
  if (recording.size() > 1 && recording.size() <= kMostColumns && samples > 1)
    text += ", in TFLOP/s; in brackets the ratio to cuBLAS of the same grade";
  if (samples > 1) text += first.l2_flushed ? "; L2 flushed before each launch." : "; L2 warm.";
  text += "\n\n";
  if (recording.size() > kMostColumns) return text + row_a_size_markdown(recording);
  return text + (recording.size() == 1 ? single_run_markdown(first) : all_runs_markdown(recording));
}

}  // namespace gemmscope::cli
