#include "cli/completion.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "catalog/catalog.h"
#include "cli/commands.h"
#include "cli/option_text.h"
#include "experiment/devices.h"
#include "experiment/experiment.h"
#include "experiment/recording.h"
#include "isa/arch.h"
#include "lessons/read_lesson.h"

namespace gemmscope::cli {
namespace {

using Words = std::vector<std::string>;
using Candidates = std::vector<Candidate>;

Candidates archs(const Words&) {
  Candidates found;
  for (const isa::Arch arch : isa::kAllArchs) found.push_back({isa::arch_name(arch), ""});
  return found;
}

Candidates kernels(const Words&) {
  Candidates found;
  for (const catalog::Kernel& kernel : catalog::read_catalog(catalog::kernels_folder()).kernels)
    found.push_back({kernel.id, kernel.title});
  return found;
}

Candidates views(const Words&) {
  Candidates found;
  for (const std::string& name : view_names()) found.push_back({name, ""});
  return found;
}

Candidates stems(const std::filesystem::path& folder, const char* extension) {
  Candidates found;
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(folder, error))
    if (file.path().extension() == extension) found.push_back({file.path().stem().string(), ""});
  return found;
}
Candidates devices(const Words&) { return stems(experiment::devices_folder(), ".toml"); }
Candidates lesson_ids(const Words&) { return stems(lessons::lessons_folder(), ".toml"); }
Candidates recordings(const Words&) { return stems(experiment::recordings_folder(), ".json"); }

// The kernel that the line names, else the one that the program starts with.
const catalog::Kernel* kernel_on(const Words& words, const catalog::Catalog& catalog) {
  for (const std::string& word : words)
    if (const catalog::Kernel* kernel = catalog.find(word)) return kernel;
  return catalog.find(experiment::Experiment{}.kernel);
}

Candidates toggles(const Words& words) {
  const catalog::Catalog catalog = catalog::read_catalog(catalog::kernels_folder());
  const catalog::Kernel* const kernel = kernel_on(words, catalog);
  Candidates found;
  if (kernel == nullptr) return found;
  for (const catalog::Toggle& toggle : kernel->toggles)
    for (const int64_t value : toggle.values)
      found.push_back({fmt::format("{}={}", toggle.name, value),
                       fmt::format("{}: {}", toggle.title, toggle.label_of(value))});
  return found;
}

// Options and positionals whose values the program knows. The shell completes file names for the others.
struct KnownValues {
  const char* name;
  Candidates (*values)(const Words&);
};
constexpr KnownValues kKnownValues[] = {
    {"--arch", archs},      {"--kernel", kernels}, {"kernel", kernels},         {"what", kernels},
    {"lesson", lesson_ids}, {"--only", kernels},   {"--also", kernels},         {"--versus", kernels},
    {"--view", views},      {"--device", devices}, {"--recording", recordings}, {"--toggle", toggles}};

Candidates values_of(const CLI::Option& option, const Words& words) {
  for (const KnownValues& known : kKnownValues)
    if (option.check_name(known.name)) return known.values(words);
  return {};
}

const CLI::App* command_named(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : shown_commands(app))
    if (command->get_name() == name) return command;
  return nullptr;
}

const CLI::Option* option_named(const CLI::App& command, const std::string& name) {
  if (!name.starts_with("-")) return nullptr;
  for (const CLI::Option* option : shown_options(command))
    if (option->check_name(name)) return option;
  return nullptr;
}

Candidates option_candidates(const CLI::App& command) {
  Candidates found;
  for (const CLI::Option* option : shown_options(command))
    for (const std::string& name : option_names(*option)) found.push_back({name, option->get_description()});
  return found;
}

Candidates word_candidates(const CLI::App& app, const CLI::App& command, const Words& words) {
  Candidates found;
  if (&app == &command)
    for (const CLI::App* each : shown_commands(app))
      found.push_back({each->get_name(), each->get_description()});
  for (const CLI::Option* option : shown_positionals(command))
    for (Candidate& value : values_of(*option, words)) found.push_back(std::move(value));
  return found;
}

}  // namespace

std::vector<Candidate> completions(const CLI::App& app, const std::vector<std::string>& words) {
  const std::string last = words.empty() ? "" : words.back();
  const std::string before = words.size() < 2 ? "" : words[words.size() - 2];
  const CLI::App* command = &app;
  for (size_t i = 0; i + 1 < words.size() && command == &app; ++i)
    if (const CLI::App* named = command_named(app, words[i])) command = named;
  Candidates candidates;
  if (const CLI::Option* option = option_named(*command, before); option != nullptr && takes_value(*option))
    candidates = values_of(*option, words);
  else if (last.starts_with("-"))
    candidates = option_candidates(*command);
  else
    candidates = word_candidates(app, *command, words);
  std::erase_if(candidates, [&](const Candidate& candidate) { return !candidate.word.starts_with(last); });
  return candidates;
}

int print_completions(const CLI::App& app, const std::vector<std::string>& words) {
  for (const Candidate& candidate : completions(app, words))
    fmt::print("{}\t{}\n", candidate.word, candidate.help);
  return 0;
}

Result<std::string> completion_script(const std::string& shell) {
  // Bash ends words at "=", so what stands before it is taken off the candidates.
  if (shell == "bash")
    return R"(# Completion of gemmscope for bash: the program itself says what is possible.
_gemmscope() {
  local line=${COMP_LINE:0:COMP_POINT} words last candidate
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  last=${words[-1]}
  local typed=${last%"${last##*=}"}
  COMPREPLY=()
  while IFS=$'\t' read -r candidate _; do
    COMPREPLY+=("${candidate#"$typed"}")
  done < <("${words[0]/#\~/$HOME}" complete -- "${words[@]:1}" 2>/dev/null)
}
complete -o bashdefault -o default -F _gemmscope gemmscope
)";
  if (shell == "zsh")
    return R"(#compdef gemmscope
# Completion of gemmscope for zsh: the program itself says what is possible.
_gemmscope() {
  local -a candidates
  local line
  for line in "${(@f)$(${(Q)words[1]/#\~/$HOME} complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done
  if (( $#candidates )); then _describe gemmscope candidates; else _files; fi
}
if [[ $funcstack[1] == _gemmscope ]]; then _gemmscope "$@"; else compdef _gemmscope gemmscope; fi
)";
  if (shell == "fish")
    return R"(# Completion of gemmscope for fish: the program itself says what is possible.
function __gemmscope_complete
  set -l words (commandline -opc)
  $words[1] complete -- $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c gemmscope -a '(__gemmscope_complete)'
)";
  return fail("completion {}: there are scripts for bash, zsh and fish", shell);
}

}  // namespace gemmscope::cli
