#include "sm/device_file.h"

#define TOML_EXCEPTIONS 0
#define TOML_ASSERT(condition) static_assert(true)
#include <toml++/toml.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace gemmscope::sm {
namespace {

constexpr int kMostAncestors = 4;  // a file that is like a file that is like …

class DeviceReader {
 public:
  DeviceReader(const std::filesystem::path& file, int ancestors) : file_(file), ancestors_(ancestors) {}

  Result<SmConfig> read() {
    constexpr uintmax_t kMostBytes = 1 << 20;
    std::error_code error;
    if (std::filesystem::exists(file_, error) && (!std::filesystem::is_regular_file(file_, error) ||
                                                  std::filesystem::file_size(file_, error) > kMostBytes))
      return fail("{} is no device file.", file_.string());
    std::ifstream stream(file_, std::ios::binary);
    if (!stream) return fail("{} cannot be read.", file_.string());
    std::ostringstream text;
    text << stream.rdbuf();
    const toml::parse_result parsed = toml::parse(text.str(), file_.string());
    if (!parsed)
      return fail("{}:{}: {}.", file_.string(), parsed.error().source().begin.line,
                  parsed.error().description());
    return read_table(parsed.table());
  }

 private:
  tl::unexpected<Error> wrong(const toml::node& node, std::string_view key, std::string_view sentence) const {
    return fail("{}:{}: key \"{}\" {}.", file_.string(), std::max<uint32_t>(1, node.source().begin.line), key,
                sentence);
  }

  Result<SmConfig> read_table(const toml::table& root) {
    for (const auto& [key, node] : root)
      if (key != "name" && key != "compute_capability" && key != "like" && key != "parameters")
        return wrong(node, key.str(),
                     "is not known; a device has name, compute_capability, like and parameters");
    SmConfig config;
    if (const toml::node* like = root.get("like")) {
      auto base = read_base(*like);
      if (!base) return base;
      config = *std::move(base);
    }
    config.id = file_.stem().string();
    const auto name = root["name"].value<std::string>();
    if (!name) return wrong(root, "name", "must be the device's name in quotes");
    config.name = *name;
    const auto capability = root["compute_capability"].value<std::string>();
    int major = 0, minor = 0;
    if (!capability || std::sscanf(capability->c_str(), "%d.%d", &major, &minor) != 2)
      return wrong(root, "compute_capability", "must be text such as \"9.0\"");
    config.compute_capability = 10 * major + minor;
    const toml::table* table = root["parameters"].as_table();
    if (table == nullptr) return wrong(root, "parameters", "must be a table, [parameters]");
    for (const auto& [key, node] : *table)
      if (auto read = read_parameter(std::string(key.str()), node, config); !read)
        return tl::unexpected(std::move(read.error()));
    for (const Parameter& parameter : parameters())
      if (!config.sources.contains(parameter.name))
        return wrong(*table, parameter.name,
                     fmt::format("is missing ({}, {})", parameter.meaning, parameter.unit));
    return config;
  }

  Result<SmConfig> read_base(const toml::node& like) const {
    const auto id = like.value<std::string>();
    const std::filesystem::path base = file_.parent_path() / (id.value_or("") + ".toml");
    if (!id || !std::filesystem::is_regular_file(base))
      return wrong(like, "like", "must name a device file in the same folder, without .toml");
    if (ancestors_ >= kMostAncestors) return wrong(like, "like", "leads back to this file or too far");
    auto config = DeviceReader(base, ancestors_ + 1).read();
    if (!config) return config;
    for (auto& [name, source] : config->sources)
      if (!source.starts_with("as ")) source = fmt::format("as {}", config->name);
    return config;
  }

  Result<void> read_parameter(const std::string& key, const toml::node& node, SmConfig& config) const {
    const auto wrong_here = [&](std::string_view sentence) { return wrong(node, key, sentence); };
    if (find_parameter(key) == nullptr) return wrong_here("is not a parameter of the model");
    const toml::table* pair = node.as_table();
    const auto value = pair == nullptr ? std::nullopt : (*pair)["value"].value<double>();
    const auto source = pair == nullptr ? std::nullopt : (*pair)["source"].value<std::string>();
    if (!value || !source || source->empty() || pair->size() != 2)
      return wrong_here("must be { value = NUMBER, source = \"where it comes from\" }");
    if (auto set = set_parameter(config, key, *value); !set)
      return wrong_here("is wrong: " + set.error().message);
    config.sources[key] = *source;
    return {};
  }

  std::filesystem::path file_;
  int ancestors_;
};

}  // namespace

Result<SmConfig> read_device(const std::filesystem::path& file) { return DeviceReader(file, 0).read(); }

const SmConfig* DeviceList::find(std::string_view id) const {
  const auto found = std::ranges::find(devices, id, &SmConfig::id);
  return found == devices.end() ? nullptr : &*found;
}

DeviceList read_devices(const std::filesystem::path& folder) {
  DeviceList list;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".toml") continue;
    auto device = read_device(entry.path());
    if (device)
      list.devices.push_back(*std::move(device));
    else
      list.errors.push_back(std::move(device.error()));
  }
  std::ranges::sort(list.devices, {}, &SmConfig::name);
  std::ranges::sort(list.errors, {}, &Error::message);
  return list;
}

}  // namespace gemmscope::sm
