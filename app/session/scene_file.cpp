#include "session/scene_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "catalog/description.h"
#include "session/device_choice.h"

namespace gemmscope::session {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;
constexpr size_t kMostSource = 4u << 20;
constexpr int64_t kMostSide = 1 << 20;

// Reads members of a JSON object; the first that is wrong is the error.
class Members {
 public:
  Members(const json& object, std::string name) : object_(object), name_(std::move(name)) {}

  void text(const char* key, std::string& to) {
    if (const json* value = member(key, &json::is_string, "must be a text")) to = value->get<std::string>();
  }
  void flag(const char* key, bool& to) {
    if (const json* value = member(key, &json::is_boolean, "must be true or false")) to = value->get<bool>();
  }
  template <typename Integer>
  void integer(const char* key, Integer& to, int64_t least, int64_t most) {
    const json* value = member(key, &json::is_number_integer, "must be a whole number");
    if (value == nullptr) return;
    const auto number = value->get<int64_t>();
    if (number < least || number > most) return wrong(key, fmt::format("must be from {} to {}", least, most));
    to = static_cast<Integer>(number);
  }
  void real(const char* key, double& to) {
    if (const json* value = member(key, &json::is_number, "must be a number")) to = value->get<double>();
  }
  void texts(const char* key, std::vector<std::string>& to) {
    const json* value = member(key, &json::is_array, "must be a list of texts");
    if (value == nullptr) return;
    for (const json& item : *value) {
      if (!item.is_string()) return wrong(key, "must be a list of texts");
      to.push_back(item.get<std::string>());
    }
  }
  template <typename Value>
  void map(const char* key, std::map<std::string, Value>& to) {
    const json* value = member(key, &json::is_object, "must be an object");
    if (value == nullptr) return;
    for (const auto& [name, item] : value->items()) {
      const bool fits = std::is_same_v<Value, std::string> ? item.is_string() : item.is_number_integer();
      if (!fits) return wrong(key, fmt::format("has a wrong value for {}", name));
      to[name] = item.template get<Value>();
    }
  }
  // Null where it is missing.
  const json* object(const char* key) { return member(key, &json::is_object, "must be an object"); }
  void wrong(const char* key, std::string_view sentence) {
    if (!error_) error_ = Error{fmt::format("{}: \"{}\" {}.", name_, key, sentence)};
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  const json* member(const char* key, bool (json::*is)() const noexcept, std::string_view sentence) {
    const auto found = object_.find(key);
    if (found == object_.end()) return nullptr;
    if (((*found).*is)()) return &*found;
    wrong(key, sentence);
    return nullptr;
  }

  const json& object_;
  std::string name_;
  std::optional<Error> error_;
};

json overrides_json(const catalog::Overrides& o) {
  return {{"entry", o.entry},
          {"block", o.block},
          {"grid", o.grid},
          {"shared", o.shared},
          {"defines", o.defines},
          {"parameters", o.parameters.empty() ? "" : catalog::describe_parameters(o.parameters)},
          {"column_major", o.column_major}};
}

void read_overrides(const json& object, Members& all, const std::string& name, catalog::Overrides& o) {
  Members members(object, name);
  members.text("entry", o.entry);
  members.texts("block", o.block);
  members.texts("grid", o.grid);
  members.text("shared", o.shared);
  members.map("defines", o.defines);
  members.flag("column_major", o.column_major);
  std::string parameters;
  members.text("parameters", parameters);
  if (members.error()) return all.wrong("launch", members.error()->message);
  if (parameters.empty()) return;
  catalog::Kernel kernel;
  kernel.path = name;
  kernel.source = parameters;  // lines "//! …"
  if (const auto read = catalog::read_description(kernel, false); !read)
    return all.wrong("launch", read.error().message);
  o.parameters = kernel.parameters;
}

json place_json(const SavedPlace& place) {
  return {{"warp", place.warp},          {"followed", place.followed},     {"line", place.line},
          {"opcode", place.opcode},      {"occurrence", place.occurrence}, {"fraction", place.fraction},
          {"wavefront", place.wavefront}};
}
SavedPlace read_place(const json& object, Members& all, const std::string& name) {
  SavedPlace place;
  Members members(object, name);
  members.integer("warp", place.warp, 0, 1023);
  members.integer("followed", place.followed, scenes::kAllWarps, 1023);
  members.integer("line", place.line, 0, 1'000'000);
  members.text("opcode", place.opcode);
  members.integer("occurrence", place.occurrence, 0, int64_t{1} << 40);
  members.real("fraction", place.fraction);
  members.integer("wavefront", place.wavefront, -1, 1023);
  if (members.error()) all.wrong("cursor", members.error()->message);
  place.fraction = std::isfinite(place.fraction) ? std::clamp(place.fraction, 0.0, 1.0) : 0;
  return place;
}

std::string opcode_of(const experiment::CompiledKernel& code, uint32_t instruction) {
  const std::string& text = code.text[instruction];
  const size_t start = text.starts_with("@") ? std::min(text.find(' '), text.size() - 1) + 1 : 0;
  return text.substr(start, text.find_first_of(" .;", start) - start);
}
int line_of(const experiment::CompiledKernel& code, uint32_t instruction) {
  const auto& place = code.places[instruction];
  return place.file == 0 ? place.line : 0;
}

}  // namespace

SavedPlace place_of(const experiment::BlockResult& block, scenes::Cursor cursor, int followed) {
  const experiment::CompiledKernel& code = *block.compiled;
  const machine::TraceRecord& here = block.trace.records[cursor.record];
  const std::vector<uint32_t>& records = block.warp_records[here.warp];
  SavedPlace place;
  place.warp = static_cast<int>(here.warp);
  place.followed = followed;
  place.line = line_of(code, here.instruction);
  place.opcode = opcode_of(code, here.instruction);
  place.wavefront = cursor.wavefront;
  const auto at = std::ranges::lower_bound(records, static_cast<uint32_t>(cursor.record));
  for (auto r = records.begin(); r != at; ++r) {
    const uint32_t instruction = block.trace.records[*r].instruction;
    if (line_of(code, instruction) == place.line && opcode_of(code, instruction) == place.opcode)
      ++place.occurrence;
  }
  place.fraction =
      static_cast<double>(at - records.begin()) / static_cast<double>(std::max<size_t>(1, records.size()));
  return place;
}

scenes::Cursor find_place(const SavedPlace& place, const experiment::BlockResult& block) {
  const experiment::CompiledKernel& code = *block.compiled;
  const auto warp = std::min(static_cast<size_t>(std::max(0, place.warp)), block.warp_records.size() - 1);
  const std::vector<uint32_t>& records = block.warp_records[warp];
  if (records.empty()) return {};
  std::vector<bool> matches(code.instructions.size());
  for (uint32_t i = 0; i < matches.size(); ++i)
    matches[i] = line_of(code, i) == place.line && opcode_of(code, i) == place.opcode;
  std::optional<uint32_t> last;
  size_t left = place.occurrence;
  for (const uint32_t record : records) {
    if (!matches[block.trace.records[record].instruction]) continue;
    last = record;
    if (left-- == 0) break;
  }
  const auto share = static_cast<size_t>(place.fraction * static_cast<double>(records.size()));
  return {last.value_or(records[std::min(share, records.size() - 1)]), place.wavefront};
}

namespace {

void take_source(SavedExperiment& saved, const catalog::Kernel& kernel) {
  if (!kernel.opened) return;
  saved.source = kernel.source;
  saved.overrides = kernel.overrides;
}

}  // namespace

SavedScene scene_of(const ViewState& state) {
  SavedScene scene;
  scene.experiment = state.experiment;
  scene.device = chosen_device(state);
  if (const catalog::Kernel* kernel = state.catalog->find(state.experiment.kernel))
    take_source(scene, *kernel);
  if (const ViewState* side = state.pinned.side.get()) {
    SavedPin pin;
    pin.experiment = side->experiment;
    pin.device = chosen_device(*side);
    take_source(pin, side->compiled->kernel);
    pin.choice = state.pinned.choice;
    scene.pinned = std::move(pin);
  }
  if (state.has_trace()) scene.place = place_of(*state.block, state.cursor, state.playback.warp);
  if (state.picture_of == state.experiment.kernel) scene.picture = state.picture;
  scene.pipeline = state.pipeline.open;
  scene.timings = state.timings.visible;
  scene.lattice = state.lattice.visible;
  if (const lessons::Page* page = state.lesson.open_page(); page != nullptr && state.lesson.visible)
    scene.lesson = state.lesson.open_lesson()->id + "/" + page->id;
  return scene;
}

namespace {

json changes_json(const experiment::CodeChanges& changes) {
  json object = {{"scheduled", changes.scheduled}};
  if (changes.edits.empty()) return object;
  object["edited"] = changes.edited;
  for (const schedule::Edit& edit : changes.edits) object["edits"].push_back(schedule::edit_text(edit));
  return object;
}

json experiment_json(const SavedExperiment& saved) {
  const experiment::Experiment& e = saved.experiment;
  json object = {{"kernel", e.kernel},
                 {"m", e.problem.m},
                 {"n", e.problem.n},
                 {"k", e.problem.k},
                 {"arch", isa::arch_name(e.arch)},
                 {"toggles", e.toggles},
                 {"inputs", e.inputs},
                 {"part", e.launch},
                 {"thread_block", e.block}};
  if (!saved.device.empty()) object["device"] = saved.device;
  if (e.changes.any()) object["machine_code"] = changes_json(e.changes);
  if (std::isfinite(e.problem.alpha)) object["alpha"] = e.problem.alpha;  // JSON knows no infinity
  if (std::isfinite(e.problem.beta)) object["beta"] = e.problem.beta;
  if (!saved.source.empty()) {
    object["source"] = saved.source;
    object["launch"] = overrides_json(saved.overrides);
  }
  return object;
}

constexpr const char* kPairingNames[] = {"access", "pass", "cycle"};
constexpr const char* kDiffNames[] = {"automatic", "source", "sass"};

json pin_json(const SavedPin& pin) {
  json object = experiment_json(pin);
  object["pairing"] = kPairingNames[static_cast<size_t>(pin.choice.pairing)];
  object["maps"] = pin.choice.map;
  object["diff"] = pin.choice.diff;
  object["diff_of"] = kDiffNames[static_cast<size_t>(pin.choice.side)];
  object["all_lines"] = pin.choice.all_lines;
  return object;
}

}  // namespace

std::string scene_text(const SavedScene& scene) {
  json object = experiment_json(scene);
  object["gemmscope_scene"] = kVersion;
  if (scene.pinned) object["pinned"] = pin_json(*scene.pinned);
  if (scene.place) object["cursor"] = place_json(*scene.place);
  if (scene.picture != catalog::Picture::none) object["picture"] = catalog::picture_name(scene.picture);
  for (const auto& [key, on] :
       {std::pair{"pipeline", scene.pipeline}, {"timings", scene.timings}, {"lattice", scene.lattice}})
    if (on) object[key] = true;
  if (!scene.lesson.empty()) object["lesson"] = scene.lesson;
  return object.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

namespace {

void read_block(const json& object, Members& members, std::array<uint32_t, 3>& block) {
  const auto given = object.find("thread_block");
  if (given == object.end()) return;
  if (!given->is_array() || given->size() != 3 || !std::ranges::all_of(*given, &json::is_number_unsigned))
    return members.wrong("thread_block", "must be a list of three whole numbers");
  for (size_t i = 0; i < 3; ++i)
    block[i] = static_cast<uint32_t>(std::min<uint64_t>((*given)[i].get<uint64_t>(), 0x7fffffff));
}

void read_changes(const json& object, Members& all, const std::string& name,
                  experiment::CodeChanges& changes) {
  Members members(object, name);
  members.flag("scheduled", changes.scheduled);
  members.text("edited", changes.edited);
  std::vector<std::string> edits;
  members.texts("edits", edits);
  if (edits.size() > experiment::kMostEdits)
    members.wrong("edits", fmt::format("has more than {} edits", experiment::kMostEdits));
  for (const std::string& text : edits) {
    const auto edit = schedule::read_edit(text);
    if (!edit) {
      members.wrong("edits", "has a text that is no edit of machine code");
      break;
    }
    changes.edits.push_back(*edit);
  }
  if (changes.edits.empty()) changes.edited.clear();
  if (members.error()) all.wrong("machine_code", members.error()->message);
}

void read_experiment(const json& object, Members& members, const std::string& name, SavedExperiment& saved) {
  experiment::Experiment& e = saved.experiment;
  members.text("kernel", e.kernel);
  members.integer("m", e.problem.m, 1, kMostSide);
  members.integer("n", e.problem.n, 1, kMostSide);
  members.integer("k", e.problem.k, 1, kMostSide);
  double alpha = 1, beta = 0;
  members.real("alpha", alpha);
  members.real("beta", beta);
  e.problem.alpha = static_cast<float>(alpha);
  e.problem.beta = static_cast<float>(beta);
  std::string arch = isa::arch_name(e.arch);
  members.text("arch", arch);
  if (const auto known = isa::arch_from_name(arch))
    e.arch = *known;
  else
    members.wrong("arch", "must be sm_75, sm_80, sm_86, sm_89 or sm_90");
  members.text("device", saved.device);
  members.map("toggles", e.toggles);
  members.map("inputs", e.inputs);
  members.integer("part", e.launch, 0, 1000);
  read_block(object, members, e.block);
  if (const json* changes = members.object("machine_code")) read_changes(*changes, members, name, e.changes);
  members.text("source", saved.source);
  if (saved.source.size() > kMostSource) members.wrong("source", "is larger than a kernel may be");
  if (const json* launch = members.object("launch")) read_overrides(*launch, members, name, saved.overrides);
}

// The place of the text among the names, as the enumerator that it names.
template <typename Choice, size_t N>
void read_choice(Members& members, const char* key, const char* const (&names)[N], Choice& to) {
  std::string text = names[static_cast<size_t>(to)];
  members.text(key, text);
  const auto found = std::ranges::find(names, text);
  if (found == std::end(names)) return members.wrong(key, "has a value that is not known");
  to = static_cast<Choice>(found - std::begin(names));
}

SavedPin read_pin(const json& object, Members& all, const std::string& name) {
  SavedPin pin;
  Members members(object, name);
  read_experiment(object, members, name, pin);
  read_choice(members, "pairing", kPairingNames, pin.choice.pairing);
  read_choice(members, "diff_of", kDiffNames, pin.choice.side);
  members.flag("maps", pin.choice.map);
  members.flag("diff", pin.choice.diff);
  members.flag("all_lines", pin.choice.all_lines);
  if (members.error()) all.wrong("pinned", members.error()->message);
  return pin;
}

}  // namespace

Result<SavedScene> parse_scene(std::string_view text, std::string_view name) {
  if (text.size() > kMostSceneBytes)
    return fail("{}: the scene is larger than {} MiB.", name, kMostSceneBytes >> 20);
  const json object = json::parse(text, nullptr, false);
  if (!object.is_object() || !object.contains("gemmscope_scene"))
    return fail("{} is not a scene of GEMMscope.", name);
  SavedScene scene;
  Members members(object, std::string(name));
  int version = 0;
  members.integer("gemmscope_scene", version, 1, kVersion);
  read_experiment(object, members, std::string(name), scene);
  if (const json* pinned = members.object("pinned"))
    scene.pinned = read_pin(*pinned, members, std::string(name));
  if (const json* cursor = members.object("cursor"))
    scene.place = read_place(*cursor, members, std::string(name));
  std::string picture;
  members.text("picture", picture);
  if (!picture.empty()) {
    const auto known = catalog::picture_from_name(picture);
    if (known)
      scene.picture = *known;
    else
      members.wrong("picture", "names no picture");
  }
  members.flag("pipeline", scene.pipeline);
  members.flag("timings", scene.timings);
  members.flag("lattice", scene.lattice);
  members.text("lesson", scene.lesson);
  if (members.error()) return tl::unexpected(*members.error());
  return scene;
}

}  // namespace gemmscope::session
