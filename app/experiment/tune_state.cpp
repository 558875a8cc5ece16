#include "experiment/tune_state.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "base/random_element.h"
#include "compile/includes.h"

namespace gemmscope::experiment {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kVersion = 1;

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string fingerprint(std::string_view text) {
  uint64_t value = text.size();
  for (const char c : text) value = mix_bits(value ^ static_cast<unsigned char>(c));
  return fmt::format("{:016x}", value);
}

// Of its text and that of all headers that it includes.
std::string kernel_fingerprint(const catalog::Kernel& kernel) {
  const std::vector<fs::path> folders = {kernel.path.parent_path().parent_path() / "include",
                                         catalog::kernels_folder() / "include"};
  return compile::source_hash(kernel.source, compile::find_includes(kernel.source, kernel.path, folders));
}

std::string device_text(const sm::SmConfig& device) {
  std::string numbers;
  for (const sm::Parameter& parameter : sm::parameters())
    numbers += fmt::format(" {}={}", parameter.name, device.*parameter.value);
  return fmt::format("{} {}", device.id, fingerprint(numbers));
}

json size_json(int64_t m, int64_t n, int64_t k) { return json::array({m, n, k}); }

TuneKey key_of_line(const json& line) {
  const json& size = line.at("size");
  return {line.at("kernel").get<std::string>(), size.at(0).get<int64_t>(), size.at(1).get<int64_t>(),
          size.at(2).get<int64_t>(), line.at("toggles").get<std::map<std::string, int64_t>>()};
}

std::string compact(const json& object) {
  return object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace

// Lines that cannot be read are passed over: the last one may have been cut off.
bool TuneState::read_line(const std::string& text) {
  const json line = json::parse(text, nullptr, false);
  if (!line.is_object()) return false;
  try {
    if (line.contains("recording")) {
      auto recording = parse_recording(line.at("recording").get<std::string>(), path_.filename().string());
      if (!recording || recording->size() != 1) return false;
      const json& size = line.at("size");
      measured_[{line.at("process").get<int>(),
                 {size.at(0).get<int64_t>(), size.at(1).get<int64_t>(), size.at(2).get<int64_t>()}}] =
          std::move(recording->front());
    } else if (line.contains("text")) {
      texts_[line.at("kernel").get<std::string>()] = line.at("text").get<std::string>();
    } else {
      TunePrice price;
      price.refused = line.value("refused", "");
      price.milliseconds = line.value("ms", 0.0);
      price.registers = line.value("registers", 0);
      price.blocks_per_sm = line.value("blocks_per_sm", 0);
      price.bound = line.value("bound", "");
      if (price.refused.empty() == !(price.milliseconds > 0)) return false;
      prices_[key_of_line(line)] = std::move(price);
    }
  } catch (const json::exception&) {
    return false;
  }
  return true;
}

Result<void> TuneState::read(const sm::SmConfig& device) {
  std::istringstream lines(text_of(path_));
  std::string line;
  std::getline(lines, line);
  const json head = json::parse(line, nullptr, false);
  if (!head.is_object() || !head.contains("gemmscope_tune"))
    return fail("{} is not the state of a search: its first line is another", path_.string());
  if (head["gemmscope_tune"] != kVersion)
    return fail("{} was written by another version of gemmscope; delete it to begin anew", path_.string());
  if (head.value("device", json()) != device_text(device))
    return fail("{} has times of another device, or of other numbers of {}; delete it to begin anew",
                path_.string(), device.name);
  while (std::getline(lines, line)) read_line(line);
  return {};
}

Result<TuneState> TuneState::open(const fs::path& path, bool resume, const sm::SmConfig& device) {
  TuneState state;
  state.path_ = path;
  const bool exists = fs::exists(path);
  if (resume && !exists) return fail("--resume: there is no {}, so no search to go on with", path.string());
  if (!resume && exists)
    return fail("{} holds a search that was begun: --resume goes on with it; delete it to begin anew",
                path.string());
  if (exists)
    if (auto read = state.read(device); !read) return tl::unexpected(read.error());
  const std::string before = exists ? text_of(path) : "";
  state.file_.open(path, std::ios::binary | std::ios::app);
  if (!exists)
    if (auto done = state.write(compact({{"gemmscope_tune", kVersion}, {"device", device_text(device)}}));
        !done)
      return tl::unexpected(done.error());
  // A line that was cut off must not swallow the next.
  if (!before.empty() && before.back() != '\n')
    if (auto done = state.write("\n"); !done) return tl::unexpected(done.error());
  return state;
}

Result<void> TuneState::write(const std::string& line) {
  file_ << line << std::flush;
  if (!file_) return fail("{} cannot be written; choose another place with -o", path_.string());
  return {};
}

Result<void> TuneState::add_kernel(const catalog::Kernel& kernel) {
  const std::string text = kernel_fingerprint(kernel);
  const auto [known, added] = texts_.try_emplace(kernel.id, text);
  if (!added && known->second == text) return {};
  if (!added)
    return fail("{} has times of another text of {}; delete it to begin anew", path_.string(), kernel.id);
  return write(compact({{"kernel", kernel.id}, {"text", text}}));
}

std::optional<TunePrice> TuneState::find(const TuneKey& key) const {
  const auto found = prices_.find(key);
  return found == prices_.end() ? std::nullopt : std::optional(found->second);
}

std::map<std::map<std::string, int64_t>, TunePrice> TuneState::prices_of(const std::string& kernel,
                                                                         const catalog::Problem& size) const {
  std::map<std::map<std::string, int64_t>, TunePrice> found;
  for (const auto& [key, price] : prices_)
    if (key.kernel == kernel && key.m == size.m && key.n == size.n && key.k == size.k)
      found.emplace(key.toggles, price);
  return found;
}

Result<void> TuneState::add(const TuneKey& key, const TunePrice& price) {
  prices_[key] = price;
  json line = {{"kernel", key.kernel}, {"size", size_json(key.m, key.n, key.k)}, {"toggles", key.toggles}};
  if (price.refused.empty()) {
    line["ms"] = price.milliseconds;
    line["registers"] = price.registers;
    line["blocks_per_sm"] = price.blocks_per_sm;
    line["bound"] = price.bound;
  } else {
    line["refused"] = price.refused;
  }
  return write(compact(line));
}

const Timings* TuneState::measured(int process, const catalog::Problem& size) const {
  const auto found = measured_.find({process, {size.m, size.n, size.k}});
  return found == measured_.end() ? nullptr : &found->second;
}

Result<void> TuneState::add_measured(int process, const Timings& timings) {
  const catalog::Problem& p = timings.problem;
  measured_[{process, {p.m, p.n, p.k}}] = timings;
  return write(compact(
      {{"process", process}, {"size", size_json(p.m, p.n, p.k)}, {"recording", recording_text({timings})}}));
}

}  // namespace gemmscope::experiment
