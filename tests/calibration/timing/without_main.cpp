// gemmscope_without [--code] FOLDER KERNEL[:TOGGLES[:SIZE]]…
//
// What a kernel's time is made of: the modelled time with some of its instructions replaced by NOPs (the
// loads from shared memory, the barriers, the FFMAs …). Writes the machine code and the places of these
// instructions to FOLDER, so that tests/calibration/microbench/run_without.py can time the same on a GPU.
// Results are wrong then; times are not, as long as addresses and loops stay. --code writes the machine code
// as it is and models nothing, for time_spills.py.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>

#include "experiment/devices.h"
#include "experiment/problem_data.h"
#include "timed_points.h"

namespace {

using namespace gemmscope;
using experiment::TimedPoint;

// The instructions that may be left out, by what they do.
const std::vector<std::string>& groups() {
  static const std::vector<std::string> all = {"lds", "sts", "copies", "bar", "stg", "math", "ldl", "stl"};
  return all;
}
std::string group_of(const sm::TimedInstruction& i) {
  switch (i.memory) {
    case sm::MemoryOp::load_shared:
      return "lds";
    case sm::MemoryOp::store_shared:
      return "sts";
    case sm::MemoryOp::async_copy:
    case sm::MemoryOp::load_global:
      return "copies";
    case sm::MemoryOp::store_global:
      return "stg";
    case sm::MemoryOp::load_local:
      return "ldl";
    case sm::MemoryOp::store_local:
      return "stl";
    default:
      break;
  }
  if (i.special == sm::Special::barrier) return "bar";
  return i.unit == sm::Unit::fma || i.unit == sm::Unit::tensor ? "math" : "";
}

const std::vector<std::string>& variants() {
  static const std::vector<std::string> all = {"none",
                                               "lds",
                                               "copies",
                                               "sts",
                                               "bar",
                                               "stg",
                                               "math",
                                               "lds bar",
                                               "lds copies sts",
                                               "copies sts bar",
                                               "math bar",
                                               "math copies sts",
                                               "math lds",
                                               "lds copies sts bar stg",
                                               "uniform"};
  return all;
}

sm::TimedInstruction as_nop(sm::TimedInstruction i) {
  sm::TimedInstruction nop;
  nop.control = i.control;
  nop.control.write_scoreboard = nop.control.read_scoreboard = 7;
  return nop;
}

// "uniform": all lanes of a load from shared memory read the same words, through RZ.
void change(sm::LaunchTrace& launch, const std::string& variant) {
  if (variant == "uniform") {
    for (sm::BlockTrace& block : launch.blocks)
      for (auto& warp : block.warps)
        for (sm::IssuedInstruction& issued : warp) {
          const sm::TimedInstruction& i = launch.code[issued.instruction];
          if (i.memory != sm::MemoryOp::load_shared || issued.shape == 0) continue;
          sm::AccessShape shape = launch.shapes[issued.shape];
          shape.shared_wavefronts = static_cast<uint16_t>(std::max(1, i.words / 2));
          launch.shapes[issued.shape] = shape;
        }
    for (sm::TimedInstruction& i : launch.code)
      if (i.memory == sm::MemoryOp::load_shared) i.reads = 0;
    return;
  }
  for (sm::TimedInstruction& i : launch.code)
    if (const std::string group = group_of(i);
        !group.empty() && (" " + variant + " ").find(" " + group + " ") != std::string::npos)
      i = as_nop(i);
}

void write_case(std::ostream& json, const std::string& folder, const std::string& name,
                const experiment::CompiledKernel& compiled, const experiment::TimingSample* sample,
                const TimedPoint& point) {
  std::ofstream(folder + "/" + name + ".cubin", std::ios::binary)
      .write(reinterpret_cast<const char*>(compiled.binary.data()),
             static_cast<std::streamsize>(compiled.binary.size()));
  const auto data = experiment::make_problem_data(compiled.kernel, point.experiment.problem,
                                                  point.experiment.toggles, experiment::Contents::zeros);
  if (!data) return;
  json << fmt::format("{{\"name\": \"{}\", \"title\": \"{} {} {}\", \"launches\": [", name, point.kernel,
                      point.toggles, point.size);
  std::vector<std::string> parts;
  for (size_t p = 0; p < compiled.parts.size(); ++p) {
    const auto& part = compiled.parts[p];
    std::map<std::string, std::vector<size_t>> places;
    for (size_t k = 0; sample != nullptr && k < sample->launches[p].deep.code.size(); ++k)
      places[group_of(sample->launches[p].deep.code[k])].push_back(k);
    std::vector<std::string> lists;
    for (const std::string& group : groups())
      lists.push_back(fmt::format("\"{}\": [{}]", group, fmt::join(places[group], ", ")));
    parts.push_back(fmt::format(
        "{{\"entry\": \"{}\", \"grid\": [{}], \"block\": [{}], \"shared\": {}, \"places\": {{{}}}}}",
        compiled.cubin.kernels[part.code_index].name, fmt::join(part.launch.grid, ", "),
        fmt::join(part.launch.block, ", "), part.launch.dynamic_shared_bytes, fmt::join(lists, ", ")));
  }
  json << fmt::format("{}], \"arguments\": [", fmt::join(parts, ", "));
  std::vector<std::string> arguments;
  for (const auto& argument : data->arguments) {
    uint64_t value = 0;
    std::memcpy(&value, argument.data(), std::min<size_t>(8, argument.size()));
    size_t bytes = 0;
    for (const auto& buffer : data->memory.buffers())
      if (argument.size() == 8 && buffer.address == value) bytes = buffer.bytes.size();
    arguments.push_back(fmt::format("[{}, {}, {}]", argument.size(), value, bytes));
  }
  json << fmt::format("{}]}}\n", fmt::join(arguments, ", "));
}

TimedPoint point_of(const std::string& text) {
  TimedPoint point;
  std::istringstream fields(text);
  std::getline(fields, point.kernel, ':');
  std::getline(fields, point.toggles, ':');
  if (!std::getline(fields, point.size, ':')) point.size = "2048x2048x1024";
  point.experiment.kernel = point.kernel;
  point.experiment.arch = isa::Arch::sm_90;
  char x = 0;
  std::istringstream size(point.size);
  auto& problem = point.experiment.problem;
  size >> problem.m >> x >> problem.n >> x >> problem.k;
  std::istringstream toggles(point.toggles);
  for (std::string toggle; std::getline(toggles, toggle, ';');)
    if (const size_t equals = toggle.find('='); equals != std::string::npos)
      point.experiment.toggles[toggle.substr(0, equals)] = std::stoll(toggle.substr(equals + 1));
  return point;
}

// A point, or after @ the name of a file with one a line.
std::vector<std::string> read_points(char** begin, char** end) {
  std::vector<std::string> points;
  for (; begin != end; ++begin) {
    if (**begin != '@') {
      points.emplace_back(*begin);
      continue;
    }
    std::ifstream list(*begin + 1);
    for (std::string line; std::getline(list, line);)
      if (!line.empty()) points.push_back(line);
  }
  return points;
}

void print_variants(const experiment::TimingSample& sample, const sm::SmConfig& device,
                    const std::string& title) {
  for (const std::string& variant : variants()) {
    experiment::TimingSample changed = sample;
    for (auto& launch : changed.launches) {
      change(launch.deep, variant);
      change(launch.shallow, variant);
    }
    const auto time = model_time(changed, device);
    fmt::print("{}\t{}\t{:.6f}\n", title, variant, time ? (*time)->milliseconds : 0.0);
  }
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  const auto device = experiment::find_device("h200");
  const bool only_code = count > 1 && std::string_view(arguments[1]) == "--code";
  char** const first = arguments + (only_code ? 2 : 1);
  if (!device || arguments + count < first + 2)
    return fmt::print(stderr, "gemmscope_without [--code] FOLDER KERNEL…\n"), 1;
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  const std::string folder = *first;
  std::filesystem::create_directories(folder);
  std::ofstream json(folder + "/cases.txt");
  const std::vector<std::string> points = read_points(first + 1, arguments + count);
  for (size_t c = 0; c < points.size(); ++c) {
    const TimedPoint point = point_of(points[c]);
    const catalog::Kernel* kernel = catalog.find(point.kernel);
    if (kernel == nullptr) return fmt::print(stderr, "no kernel {}\n", point.kernel), 1;
    const auto compiled = compile_kernel(*kernel, point.experiment);
    if (!compiled) return fmt::print(stderr, "{}\n", compiled.error().message), 1;
    const std::string name = fmt::format("case_{:02}", c);
    if (only_code) {
      write_case(json, folder, name, **compiled, nullptr, point);
      continue;
    }
    const auto sample = sample_timing(**compiled, point.experiment, *device);
    if (!sample) return fmt::print(stderr, "{}\n", sample.error().message), 1;
    write_case(json, folder, name, **compiled, &**sample, point);
    print_variants(**sample, *device, name + "\t" + points[c]);
  }
}
