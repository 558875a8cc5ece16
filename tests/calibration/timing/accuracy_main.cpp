// gemmscope_accuracy: how far modelled times are from those that an H200 took.
//
//   gemmscope_accuracy [--ablation] [--size SIZE] [--half HALF] [--toggles REGEX] [--set N=V…] [KERNEL…]
//   gemmscope_accuracy --stalls [--set NAME=VALUE…]
//
// Prints a line a point of times_h200.csv and times_16_17_h200.csv, the mean error of each half and how well
// the order of the times agrees; with --ablation the mean error with each mechanism of the model off; with
// --stalls what the warps wait for, against ncu_h200_stalls.csv. Times of kernels with local memory are those
// of spills_h200.csv. SIZE (2048x2048x1024, 512 …), HALF (fit, check), REGEX (of the toggles) and KERNEL
// leave all other points out; --set changes a number of the device. Labs are left out here: `gemmscope time
// --recording h200_labs` prints their errors.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <mutex>
#include <regex>
#include <thread>

#include "cli/model_parameters.h"
#include "stall_agreement.h"
#include "timed_points.h"

namespace {

using namespace gemmscope;
using experiment::TimedPoint;

struct Switch {
  const char* mechanism;
  std::vector<std::pair<const char*, double>> values;
};
const std::vector<Switch>& switches() {
  static const std::vector<Switch> all = {
      {"control-code stall counts", {{"stall_counts", 0}}},
      {"yield", {{"yield", 0}}},
      {"greedy issue", {{"greedy", 0}}},
      {"oldest first", {{"oldest_first", 0}}},
      {"eligible before a warp is preferred", {{"eligible_cycles", 0}}},
      {"register ports", {{"register_ports", 0}}},
      {"reuse cache", {{"reuse_cache", 0}}},
      {"read window of 3 cycles", {{"read_window_cycles", 1}}},
      {"write ports", {{"write_wait_cycles", 0}}},
      {"latency of a load's words", {{"shared_word_latency", 0}}},
      {"slots of IMAD.WIDE", {{"imad_wide_interval", 2}, {"imad_wide_slots", 1}}},
      {"constants at their rate", {{"constant_interval", 0}}},
      {"two FMA units", {{"ffma_interval", 2}}},
      {"integer pipes at half rate", {{"alu_interval", 1}, {"imad_interval", 1}}},
      {"branches", {{"branch_cycles", 1}, {"near_branch_cycles", 1}}},
      {"instruction fetch", {{"instruction_fetch", 0}}},
      {"memory queues", {{"queue_depth", 100000}, {"mio_queue_depth", 100000}}},
      {"a queue of its own for MIO", {{"mio_queue_depth", 5}}},
      {"operands of memory instructions", {{"operand_cycles", 0}}},
      {"ports of memory instructions", {{"memory_ports", 0}}},
      {"ports of matrix instructions", {{"mma_ports", 0}}},
      {"matrix instructions that issue ahead", {{"mma_ahead_cycles", 0}}},
      {"tags", {{"tag_interval", 0}}},
      {"wavefronts", {{"wavefront_cycles", 0.5}}},
      {"L1", {{"l1", 0}}},
      {"any line leaves L1", {{"l1_lru", 1}}},
      {"sets of code caches", {{"code_ways", 1000}}},
      {"fills", {{"fill_cycles", 0}}},
      {"data stage of copies", {{"copy_cycles", 0}, {"copy_pass_cycles", 0}}},
      {"loads in any order (two streams)", {{"l2_streams", 2}}},
      {"window of loads", {{"l2_window_cycles", 0}}},
      {"L2 latency", {{"l2_near_latency", 100}, {"l2_far_latency", 100}}},
      {"requests on the way of stores", {{"store_request_cycles", 0}}},
      {"unequal shares of stores", {{"store_mean_share", 1}}},
      {"L2 bandwidth", {{"l2_sm_bytes", 1e6}, {"l2_chip_bytes", 1e9}}},
      {"waits for DRAM", {{"dram_latency", 0}, {"dram_spread", 0}}},
      {"store bandwidth",
       {{"store_sm_bytes", 1e6}, {"store_chip_bytes", 1e9}, {"store_chip_line_bytes", 1e9}}},
      {"window of stores", {{"store_window_cycles", 0}}},
      {"spills that L2 loses", {{"l2_spill_share", 1000}}},
      {"deferred barriers", {{"deferred_barriers", 0}}},
      {"barriers", {{"barrier_latency", 0}, {"barrier_interval", 0}}},
      {"launch", {{"launch_us", 0}}},
      {"clock of tensor kernels", {{"tensor_clock_share", 1}}},
      {"starts of blocks",
       {{"block_launch_cycles", 0}, {"block_turnover_cycles", 0}, {"warp_launch_cycles", 0}}},
      {"last wave", {{"sm_spread", 0}}},
  };
  return all;
}

// Calls `use` with each index, on all cores.
template <typename F>
void in_parallel(size_t count, F use) {
  std::atomic<size_t> next{0};
  std::vector<std::jthread> threads;
  for (unsigned t = 0; t < std::max(1u, std::thread::hardware_concurrency()); ++t)
    threads.emplace_back([&] {
      for (size_t i; (i = next++) < count;) use(i);
    });
}

struct Mean {
  double absolute = 0, signed_sum = 0, worst = 0;
  int count = 0;
  void add(double error) {
    absolute += std::abs(error);
    signed_sum += error;
    worst = std::max(worst, std::abs(error));
    ++count;
  }
};
void print(const char* what, const Mean& mean) {
  if (mean.count > 0)
    fmt::print("{:<28} {:3} points, mean error {:5.2f} %, bias {:+5.2f} %, largest {:4.1f} %\n", what,
               mean.count, 100 * mean.absolute / mean.count, 100 * mean.signed_sum / mean.count,
               100 * mean.worst);
}

struct Model {
  std::vector<TimedPoint> points;
  std::vector<std::shared_ptr<const experiment::TimingSample>> samples;

  std::vector<double> errors(const sm::SmConfig& device) const {
    std::vector<double> errors(points.size());
    in_parallel(points.size(), [&](size_t i) {
      const auto time = experiment::model_time(*samples[i], device);
      errors[i] = time ? points[i].error((*time)->milliseconds) : NAN;
    });
    return errors;
  }
};

// Kendall's tau of a size's times: of the pairs that differ by over 2 %, those in the right order less those
// in the wrong one, as a share.
void print_order(const Model& model, const std::vector<double>& errors) {
  constexpr double kDifference = 1.02;
  std::map<std::string, std::pair<int, int>> by_size;  // right, wrong
  for (size_t i = 0; i < errors.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const TimedPoint &a = model.points[i], &b = model.points[j];
      const double ratio = a.milliseconds / b.milliseconds;
      if (a.size != b.size || std::max(ratio, 1 / ratio) <= kDifference) continue;
      const double modelled = ratio * (1 + errors[i]) / (1 + errors[j]);
      auto& [right, wrong] = by_size[a.size];
      ++((ratio > 1) == (modelled > 1) ? right : wrong);
    }
  for (const auto& [size, pairs] : by_size)
    fmt::print("Kendall's tau, {:<14} {:.3f} over {} pairs\n", size,
               static_cast<double>(pairs.first - pairs.second) / (pairs.first + pairs.second),
               pairs.first + pairs.second);
}

void print_points(const Model& model, const sm::SmConfig& device) {
  const std::vector<double> errors = model.errors(device);
  std::map<std::string, Mean> by_half, by_group;
  for (size_t i = 0; i < errors.size(); ++i) {
    const TimedPoint& p = model.points[i];
    fmt::print("{:+6.1f} %  {:<5} {:<15} {:<24} {}\n", 100 * errors[i], p.half, p.size, p.kernel, p.toggles);
    by_half[p.half].add(errors[i]);
    const bool ladder = p.kernel != "workbench";
    by_group[fmt::format("{}, {}, {}", ladder ? "ladder" : "workbench", p.half, p.size)].add(errors[i]);
  }
  for (const auto& [group, mean] : by_group) print(group.c_str(), mean);
  for (const auto& [half, mean] : by_half) print(half.c_str(), mean);
  print_order(model, errors);
}

void print_ablation(const Model& model, sm::SmConfig device) {
  device.runs = 1;
  const auto mean_of = [&](const sm::SmConfig& changed) {
    Mean mean;
    for (const double error : model.errors(changed)) mean.add(error);
    return mean;
  };
  print("everything", mean_of(device));
  for (const Switch& off : switches()) {
    sm::SmConfig changed = device;
    for (const auto& [name, value] : off.values)
      if (auto set = sm::set_parameter(changed, name, value); !set) fmt::print("{}\n", set.error().message);
    print(off.mechanism, mean_of(changed));
  }
}

struct Arguments {
  bool ablation = false, stalls = false;
  std::string size, half, toggles;
  std::vector<std::string> kernels;

  bool wants(const TimedPoint& point) const {
    const bool is_lab = point.kernel != "workbench" && (point.kernel[0] < '0' || point.kernel[0] > '9');
    // With the ablation at one size only: it is repeated for every mechanism.
    return !is_lab && (kernels.empty() || std::ranges::find(kernels, point.kernel) != kernels.end()) &&
           (!ablation || point.size == "2048x2048x1024") && (size.empty() || point.size == size) &&
           (half.empty() || point.half == half) &&
           (toggles.empty() || std::regex_search(point.toggles, std::regex(toggles)));
  }
};

int report(const Arguments& arguments, const sm::SmConfig& device) {
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  const std::string folder = GEMMSCOPE_SOURCE_DIR "/tests/calibration/timing/";
  if (arguments.stalls)
    return experiment::print_stall_agreement(folder + "ncu_h200_stalls.csv", catalog, device);
  std::vector<TimedPoint> points = experiment::read_timed_points(folder + "times_h200.csv");
  std::ranges::move(experiment::read_timed_points(folder + "times_16_17_h200.csv"),
                    std::back_inserter(points));
  std::erase_if(points, [&](const TimedPoint& point) { return !arguments.wants(point); });
  experiment::use_own_contexts(points, folder + "spills_h200.csv");
  Model model;
  model.points = std::move(points);
  model.samples.resize(model.points.size());
  std::mutex output;
  in_parallel(model.points.size(), [&](size_t i) {
    auto sample = experiment::sample_point(model.points[i], catalog, device);
    const std::scoped_lock lock(output);
    if (sample)
      model.samples[i] = *sample;
    else
      fmt::print("{} {}: {}\n", model.points[i].kernel, model.points[i].toggles, sample.error().message);
  });
  for (size_t i = model.points.size(); i-- > 0;)
    if (model.samples[i] == nullptr) {
      model.points.erase(model.points.begin() + static_cast<std::ptrdiff_t>(i));
      model.samples.erase(model.samples.begin() + static_cast<std::ptrdiff_t>(i));
    }
  arguments.ablation ? print_ablation(model, device) : print_points(model, device);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  CLI::App app("How far modelled times are from those that an H200 took.");
  Arguments arguments;
  cli::ModelOptions model;
  app.add_flag("--ablation", arguments.ablation, "the mean error with each mechanism of the model off");
  app.add_flag("--stalls", arguments.stalls, "what the warps wait for, against ncu_h200_stalls.csv");
  app.add_option("--size", arguments.size, "only points of this size: 2048x2048x1024, 512 …");
  app.add_option("--half", arguments.half, "only points of this half: fit, check, unseen");
  app.add_option("--toggles", arguments.toggles, "only points whose toggles match this regular expression");
  app.add_option("--set", model.set, "NAME=VALUE, another number for the device")->allow_extra_args(false);
  app.add_option("KERNEL", arguments.kernels, "only points of these kernels");
  CLI11_PARSE(app, count, words);
  const auto device = cli::choose_device(model, "h200");
  if (!device) return fmt::print(stderr, "{}\n", device.error().message), device.error().exit_code;
  return report(arguments, *device);
}
