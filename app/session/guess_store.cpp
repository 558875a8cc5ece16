#include "session/guess_store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "session/settings.h"

namespace gemmscope::session {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kVersion = 1;

json json_of(const GivenGuess& given) {
  json object = {{"count", given.count}, {"right", given.right}};
  const lessons::Guess& guess = given.guess;
  if (guess.number != 0) object["number"] = guess.number;
  if (guess.percent) object["percent"] = true;
  if (guess.choice != 0) object["choice"] = guess.choice;
  if (!guess.order.empty()) object["order"] = guess.order;
  if (guess.on_point) object["on_point"] = true;
  return object;
}

// Throws json::exception where a member has the wrong type.
GivenGuess guess_of(const json& object) {
  GivenGuess given;
  given.count = object.at("count").get<int>();
  given.right = object.at("right").get<bool>();
  given.guess.number = object.value("number", 0.0);
  given.guess.percent = object.value("percent", false);
  given.guess.choice = object.value("choice", size_t{0});
  given.guess.order = object.value("order", std::vector<size_t>{});
  given.guess.on_point = object.value("on_point", false);
  return given;
}

PageAnswer answer_of(const json& object) {
  PageAnswer answer;
  answer.asked = object.at("asked").get<std::string>();
  answer.revealed = object.at("revealed").get<bool>();
  for (const json& guess : object.at("guesses")) answer.guesses.push_back(guess_of(guess));
  return answer;
}

bool is_sound(const PageAnswer& answer) {
  for (const GivenGuess& given : answer.guesses)
    if (given.count < 1 || given.count > kMostHands || !std::isfinite(given.guess.number)) return false;
  return true;
}

// "10_memory_and_banks/column"
PageAnswers answers_of(const json& file) {
  PageAnswers answers;
  if (file.at("version").get<int>() != kVersion) throw std::invalid_argument("version");
  for (const auto& [name, object] : file.at("pages").items()) {
    const size_t slash = std::min(name.find('/'), name.size());
    PageAnswer answer = answer_of(object);
    if (slash + 1 >= name.size() || !is_sound(answer)) throw std::invalid_argument(name);
    answers[{name.substr(0, slash), name.substr(slash + 1)}] = std::move(answer);
  }
  return answers;
}

}  // namespace

fs::path guesses_path() {
  const fs::path settings = settings_path();
  return settings.empty() ? fs::path() : settings.parent_path() / "guesses.json";
}

Result<PageAnswers> load_guesses() {
  const fs::path path = guesses_path();
  std::error_code error;
  if (path.empty() || !fs::exists(path, error)) return PageAnswers{};
  std::ifstream in(path);
  try {
    return answers_of(json::parse(in));
  } catch (const std::exception&) {
    return fail("The guesses in {} cannot be read.", path.string());
  }
}

Result<void> save_guesses(const PageAnswers& answers) {
  const fs::path path = guesses_path();
  if (path.empty()) return fail("The guesses were not saved: HOME and XDG_CONFIG_HOME are not set.");
  json pages = json::object();
  for (const auto& [ids, answer] : answers) {
    json guesses = json::array();
    for (const GivenGuess& given : answer.guesses) guesses.push_back(json_of(given));
    pages[ids.first + "/" + ids.second] = {
        {"asked", answer.asked}, {"revealed", answer.revealed}, {"guesses", std::move(guesses)}};
  }
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  // A full disk does not cost the guesses that were there, and two windows do not write into one file.
  const fs::path fresh = fmt::format("{}.{}.new", path.string(), getpid());
  std::ofstream out(fresh);
  out << json{{"version", kVersion}, {"pages", std::move(pages)}}.dump(1, ' ', false,
                                                                       json::error_handler_t::replace)
      << "\n";
  out.close();
  if (out) fs::rename(fresh, path, error);
  if (out && !error) return {};
  std::error_code ignored;
  fs::remove(fresh, ignored);
  return fail("The guesses were not saved: {} cannot be written.", path.string());
}

PageAnswers load_guesses_or_set_aside(std::string& notice) {
  Result<PageAnswers> answers = load_guesses();
  if (answers) return *std::move(answers);
  const fs::path path = guesses_path(), aside = path.string() + ".unreadable";
  std::error_code error;
  fs::rename(path, aside, error);
  notice =
      error ? fmt::format("The guesses in {} cannot be read, nor can the file be renamed ({}).",
                          path.string(), error.message())
            : fmt::format(
                  "The guesses in {} cannot be read. The file was set aside as {}; the lessons start anew.",
                  path.string(), aside.string());
  return {};
}

}  // namespace gemmscope::session
