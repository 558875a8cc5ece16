// explore: wavefronts and bank conflicts of accesses that are typed, and layouts without them.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/plural.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "experiment/bank_question.h"

namespace gemmscope::cli {
namespace {

using experiment::BankAccess;
using experiment::BankAnswer;
using experiment::BankQuestion;
using nlohmann::json;

Result<BankQuestion> read_question(const ExploreOptions& options) {
  BankQuestion question;
  question.declaration = options.declaration;
  question.accesses = options.accesses;
  question.swizzle = options.swizzle;
  question.padding = options.padding;
  question.warp = options.warp;
  char rest = 0;
  long long x = 0, y = 1;
  const int read = std::sscanf(options.block_dim.c_str(), "%lldx%lld%c", &x, &y, &rest);
  if (read != 1 && read != 2)
    return fail("--block-dim {}: expected X or XxY threads, such as 32x8", options.block_dim);
  question.block_dim = {x, y};
  for (const std::string& text : options.let) {
    char name = 0;
    long long value = 0;
    if (std::sscanf(text.c_str(), "%c=%lld%c", &name, &value, &rest) != 2 || name < 'i' || name > 'k')
      return fail("--let {}: expected i, j or k and its value, such as k=3", text);
    question.loop[static_cast<size_t>(name - 'i')] = value;
  }
  if (question.accesses.size() > experiment::kMostBankAccesses)
    return fail("--access was given {} times, and at most {} are explored at once", question.accesses.size(),
                experiment::kMostBankAccesses);
  return question;
}

json access_json(const BankAccess& access) {
  json result = {{"access", access.text},
                 {"wavefronts", access.count.wavefronts},
                 {"minimum", access.count.minimum},
                 {"conflicts", access.count.excess()},
                 {"degree", access.degree},
                 {"sentence", experiment::sentence_of(access)},
                 {"fits", access.where.misfit == metrics::Misfit::none}};
  json addresses = json::array();
  for (size_t lane = 0; lane < machine::kWarpLanes; ++lane)
    addresses.push_back((access.where.access.mask >> lane & 1u) != 0
                            ? json(access.where.access.addresses[lane])
                            : json(nullptr));
  result["bytes"] = std::move(addresses);
  return result;
}

json fixes_json(const BankAnswer& answer, const metrics::LayoutFixes& fixes) {
  const metrics::TileLayout& layout = answer.tile.layout;
  json swizzles = json::array();
  for (const metrics::XorSwizzle& swizzle : fixes.swizzles)
    swizzles.push_back({{"expression", metrics::expression_of(swizzle, layout)},
                        {"operations", metrics::operation_count(swizzle, layout)},
                        {"bytes", 0}});
  json padding = nullptr;
  if (fixes.padding)
    padding = {{"elements", *fixes.padding}, {"bytes", fixes.padding_bytes}, {"operations", 0}};
  return {{"most_padding", metrics::kMostPadding}, {"padding", padding}, {"swizzles", swizzles}};
}

json answer_json(const BankAnswer& answer) {
  const metrics::TileLayout& layout = answer.tile.layout;
  json accesses = json::array();
  for (const BankAccess& access : answer.accesses) accesses.push_back(access_json(access));
  return {{"tile",
           {{"name", answer.tile.name},
            {"type", answer.tile.type},
            {"rows", layout.planes * layout.rows},
            {"columns", layout.columns},
            {"padding", layout.padding},
            {"bytes", layout.bytes()}}},
          {"accesses", accesses}};
}

void print_answer(const BankAnswer& answer) {
  const metrics::TileLayout& layout = answer.tile.layout;
  fmt::print("{} {}: {} rows of {} + {} elements, {} bytes\n\n", answer.tile.type, answer.tile.name,
             layout.planes * layout.rows, layout.columns, layout.padding, layout.bytes());
  fmt::print("{:>10} {:>8} {:>9}  access\n", "wavefronts", "minimum", "conflicts");
  for (const BankAccess& access : answer.accesses)
    fmt::print("{:>10} {:>8} {:>9}  {}\n{:>31}{}\n", access.count.wavefronts, access.count.minimum,
               access.count.excess(), access.text, "", experiment::sentence_of(access));
}

void print_fixes(const BankAnswer& answer, const metrics::LayoutFixes& fixes) {
  const metrics::TileLayout& layout = answer.tile.layout;
  fmt::print("\nwithout a conflict in any of them\n");
  if (fixes.padding)
    fmt::print("  padding {}: {} bytes more, no operation\n", *fixes.padding, fixes.padding_bytes);
  else
    fmt::print("  no padding up to {} elements\n", metrics::kMostPadding);
  for (const metrics::XorSwizzle& swizzle : fixes.swizzles)
    fmt::print("  {}: no byte more, {} integer operation{} an address (counted in the expression)\n",
               metrics::expression_of(swizzle, layout), metrics::operation_count(swizzle, layout),
               plural(metrics::operation_count(swizzle, layout)));
  if (fixes.swizzles.empty()) fmt::print("  no XOR swizzle of the form column ^ ((row >> a) & mask) << b\n");
}

}  // namespace

int explore_banks(const ExploreOptions& options) {
  const Result<BankQuestion> question = read_question(options);
  if (!question) return print_error(question.error().message), kBadUse;
  const auto answer = experiment::answer(*question);
  if (!answer) return print_error(answer.error().sentence), kBadUse;
  json result = options.json ? answer_json(*answer) : json();
  if (!options.json) print_answer(*answer);
  if (options.find_fix) {
    const metrics::LayoutFixes fixes =
        metrics::find_fixes(answer->tile.layout, experiment::all_instances(*answer));
    if (options.json)
      result["fixes"] = fixes_json(*answer, fixes);
    else
      print_fixes(*answer, fixes);
  }
  if (options.json) print_json(result);
  return 0;
}

}  // namespace gemmscope::cli
