#include "cli/manual_page.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <set>

#include "cli/experiment_options.h"
#include "cli/option_text.h"
#include "cli/version.h"

namespace gemmscope::cli {
namespace {

struct Entry {
  const char *name, *meaning;
};

constexpr Entry kEnvironment[] = {
    {"GEMMSCOPE_DATA", "The folder that holds kernels, assets and shaders, in place of the installed one."},
    {"GEMMSCOPE_GPU_RUNNER", "The command line of the GPU runner, like --gpu-runner."},
    {"GEMMSCOPE_NVRTC", "The NVRTC library to compile with, or \"none\" to use prebuilt machine code only."},
    {"GEMMSCOPE_CUBLAS", "The cuBLAS library to compare with, or \"none\"."},
    {"GEMMSCOPE_BASELINE",
     "Which form of the CPU code executes lanes: \"avx2\", or anything else for plain x86-64; unset: the "
     "fastest that the CPU has."},
    {"GEMMSCOPE_TEXT_BOXES", "A file to which the window writes the texts that it shows, for tests."},
    {"CUDA_HOME", "A folder of the CUDA Toolkit in which NVRTC and cuBLAS are looked for."},
    {"PATH", "Where the GPU runner is looked for, after the program's own folder."},
    {"XDG_CACHE_HOME", "Where compiled kernels are kept, in gemmscope/."},
    {"XDG_CONFIG_HOME", "Where settings are kept, in gemmscope/."},
    {"XDG_STATE_HOME", "Where the list of recent files is kept, in gemmscope/."},
    {"XDG_DOCUMENTS_DIR",
     "Where the window saves scenes, pictures and tables, unless user-dirs.dirs names a folder."},
    {"HOME", "Holds .cache, .config and .local/state, where those variables are not set."}};

constexpr Entry kExitStatus[] = {
    {"0", "Success."},
    {"1", "Something failed; the reason is on standard error."},
    {"2", "The command line is wrong."},
    {"3", "\"run\" found mistakes though the result is right, or \"lint\" has findings."}};

// Takes troff's own characters out of a text.
std::string plain(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (escaped.empty() || escaped.back() == '\n')) escaped += "\\&";
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else
      escaped += c;
  }
  return escaped;
}

std::string sentence(std::string text) {
  if (!text.empty() && text.back() != '.') text += '.';
  return plain(text);
}

std::string bold(std::string_view text) { return fmt::format("\\fB{}\\fR", plain(text)); }
std::string italic(std::string_view text) { return fmt::format("\\fI{}\\fR", plain(text)); }

std::string option_paragraph(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option_names(option)) names += (names.empty() ? "" : ", ") + bold(name);
  if (names.empty())
    names = italic(option.get_name());
  else if (takes_value(option))
    names += " " + italic(value_word(option));
  const std::string preset = option.get_default_str();
  return fmt::format(".TP\n{}\n{}{}\n", names, sentence(option.get_description()),
                     preset.empty() || !takes_value(option) ? "" : " Default: " + sentence(preset));
}

// An option as it stands in the table: the same in two commands if the user need not be told twice.
std::string fingerprint(const CLI::Option& option) {
  std::string text = option.get_description();
  for (const std::string& name : option_names(option)) text += "\n" + name;
  return text;
}

// The options that choose an experiment, which most commands take; told once.
class ExperimentTable {
 public:
  ExperimentTable() : app_("") {
    add_experiment_options(app_, options_, "kernel");
    for (const CLI::Option* option : shown_options(app_))
      if (option != app_.get_help_ptr()) known_.insert(fingerprint(*option));
  }
  bool has(const CLI::Option& option) const { return known_.contains(fingerprint(option)); }
  std::string paragraphs() const {
    std::string text;
    for (const CLI::Option* option : shown_options(app_))
      if (option != app_.get_help_ptr()) text += option_paragraph(*option);
    return text;
  }

 private:
  CLI::App app_;
  ExperimentOptions options_;
  std::set<std::string> known_;
};

// The command's own options; `shared` becomes true if it also takes the experiment's.
std::string own_options(const CLI::App& command, const ExperimentTable& experiment, bool& shared) {
  std::string text;
  for (const CLI::Option* option : shown_options(command)) {
    if (option == command.get_help_ptr()) continue;
    // --json alone does not make an experiment.
    const bool told = experiment.has(*option);
    if (told && option->check_name("--arch")) shared = true;
    if (!told) text += option_paragraph(*option);
  }
  if (!shared)
    if (const CLI::Option* json = command.get_option_no_throw("--json")) text += option_paragraph(*json);
  return text;
}

std::string command_section(const CLI::App& command, const ExperimentTable& experiment) {
  std::string text =
      fmt::format(".SS {}\n{}", plain(command.get_name()), bold("gemmscope " + command.get_name()));
  for (const CLI::Option* option : shown_positionals(command))
    text += fmt::format(" {}{}{}", option->get_required() ? "" : "[", italic(option->get_name()),
                        option->get_required() ? "" : "]");
  text += fmt::format(" [options]\n.PP\n{}\n", sentence(command.get_description()));
  for (const CLI::Option* option : shown_positionals(command)) text += option_paragraph(*option);
  bool shared = false;
  text += own_options(command, experiment, shared);
  if (shared) text += ".PP\nIt also takes the options of an experiment.\n";
  if (!command.get_footer().empty()) text += ".PP\n" + sentence(command.get_footer()) + "\n";
  return text;
}

template <size_t N>
std::string section(const char* title, const Entry (&entries)[N]) {
  std::string text = fmt::format(".SH {}\n", title);
  for (const Entry& entry : entries)
    text += fmt::format(".TP\n{}\n{}\n", bold(entry.name), plain(entry.meaning));
  return text;
}

}  // namespace

std::string manual_page(const CLI::App& app) {
  const ExperimentTable experiment;
  bool shared = false;
  std::string text = fmt::format(
      ".TH GEMMSCOPE 1 \"\" \"GEMMscope {}\" \"User Commands\"\n"
      ".SH NAME\ngemmscope \\- shows why one GPU matrix multiply is faster than another\n"
      ".SH SYNOPSIS\n{} [options]\n.br\n{} {} [options]\n"
      ".SH DESCRIPTION\n{}\n",
      version(), bold("gemmscope"), bold("gemmscope"), italic("command"),
      plain("A CUDA kernel is compiled to machine code, and that machine code is executed on the CPU, "
            "instruction by instruction and lane by lane. The window shows which thread owns which element, "
            "which "
            "shared-memory banks collide and which sectors are fetched. No GPU is needed. " +
            app.get_footer()));
  text += ".SH OPTIONS\n" + own_options(app, experiment, shared);
  text += ".SH OPTIONS OF AN EXPERIMENT\nThe window and the commands on a kernel take these.\n" +
          experiment.paragraphs();
  text += ".SH COMMANDS\n";
  for (const CLI::App* command : shown_commands(app)) text += command_section(*command, experiment);
  text += section("EXIT STATUS", kExitStatus) + section("ENVIRONMENT", kEnvironment);
  text += ".SH SEE ALSO\n.BR gemmscope\\-gpu\\-runner (1)\n";
  return text;
}

}  // namespace gemmscope::cli
