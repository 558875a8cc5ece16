#include "cli/option_text.h"

#include <CLI/CLI.hpp>

namespace gemmscope::cli {
namespace {

std::vector<const CLI::Option*> shown(const CLI::App& command, bool positional) {
  return command.get_options([positional](const CLI::Option* option) {
    return !option->get_group().empty() && option->get_positional() == positional;
  });
}

}  // namespace

std::vector<std::string> option_names(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

// CLI11 adds a check's name to the type: "UINT:POSITIVE".
std::string value_word(const CLI::Option& option) {
  if (!takes_value(option)) return "";
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

std::vector<const CLI::App*> shown_commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::vector<const CLI::Option*> shown_options(const CLI::App& command) { return shown(command, false); }
std::vector<const CLI::Option*> shown_positionals(const CLI::App& command) { return shown(command, true); }

}  // namespace gemmscope::cli
