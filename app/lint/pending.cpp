#include "lint/pending.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace gemmscope::lint {

namespace {

constexpr int kNever = std::numeric_limits<int>::min() / 2;
constexpr int kMostYounger = 64;  // the scoreboards count to 63

auto key(const Pending& entry) { return std::tie(entry.place, entry.reads, entry.instruction, entry.word); }

// Keeps the worse of two states of one entry.
bool worsen(Pending& entry, const Pending& other) {
  const Pending before = entry;
  entry.cycles = std::min(entry.cycles, other.cycles);
  entry.younger = std::min(entry.younger, other.younger);
  if (entry.guard != other.guard) entry.guard = 0;
  entry.covered_by &= other.covered_by;
  return entry.cycles != before.cycles || entry.covered_by != before.covered_by ||
         entry.younger != before.younger || entry.guard != before.guard;
}

bool matters(const Pending& entry, const isa::Instruction& instruction) {
  return is_variable(instruction) || entry.cycles < kLongestFixedLatency;
}

}  // namespace

uint8_t guard_code(const isa::Guard& guard) {
  const std::optional<Place> place = guard_place(guard);
  return place ? static_cast<uint8_t>(2 * (*place - kPredicates + 1) + (guard.negate ? 1 : 0)) : uint8_t{0};
}

bool before(const Pending& a, const Pending& b) { return key(a) < key(b); }

bool join(PendingList& into, const PendingList& from) {
  bool changed = false;
  PendingList joined;
  joined.reserve(into.size() + from.size());
  auto a = into.begin();
  for (const Pending& entry : from) {
    while (a != into.end() && key(*a) < key(entry)) joined.push_back(*a++);
    if (a != into.end() && key(*a) == key(entry)) {
      joined.push_back(*a++);
      changed |= worsen(joined.back(), entry);
    } else {
      joined.push_back(entry);
      changed = true;
    }
  }
  if (!changed) return false;
  joined.insert(joined.end(), a, into.end());
  into = std::move(joined);
  return true;
}

void PendingTable::load(const PendingList& list) {
  for (std::vector<Pending>& entries : by_place_) entries.clear();
  clock_ = 0;
  waited_.fill(kNever);
  settings_.fill(0);
  for (auto* set : {&set_, &set_for_sources_})
    for (auto& of_unit : *set) of_unit.fill(kNever);
  done_.fill(kNever);
  read_.fill(kNever);
  for (Pending entry : list) {
    entry.cycles = -entry.cycles;
    entry.younger = -entry.younger;
    by_place_[entry.place].push_back(entry);
  }
}

PendingList PendingTable::take(const std::vector<isa::Instruction>& instructions) const {
  PendingList list;
  for (Place place = 0; place < kPlaces; ++place)
    for_pending(place, instructions, [&](Pending entry, bool covered) {
      const isa::Instruction& instruction = instructions[entry.instruction];
      if (covered || !matters(entry, instruction)) return;
      const uint8_t scoreboard = scoreboard_of(entry, instruction);
      entry.younger =
          scoreboard < kScoreboards ? std::min(settings_[scoreboard] - entry.younger, kMostYounger) : 0;
      entry.covered_by = covering(entry, instruction);
      entry.cycles = std::min(entry.cycles, kLongestFixedLatency);
      list.push_back(entry);
    });
  std::sort(list.begin(), list.end(), before);
  PendingList unique;
  for (const Pending& entry : list) {
    if (!unique.empty() && key(unique.back()) == key(entry)) {
      worsen(unique.back(), entry);
    } else {
      unique.push_back(entry);
    }
  }
  return unique;
}

void PendingTable::wait_for_all_but(uint8_t scoreboard, int most,
                                    const std::vector<isa::Instruction>& instructions) {
  if (scoreboard >= kScoreboards) return;
  for (std::vector<Pending>& entries : by_place_)
    std::erase_if(entries, [&](const Pending& entry) {
      return scoreboard_of(entry, instructions[entry.instruction]) == scoreboard &&
             settings_[scoreboard] - entry.younger >= most;
    });
}

void PendingTable::add(const Pending& entry, const isa::Instruction& instruction) {
  Pending added = entry;
  added.cycles = clock_;
  const uint8_t scoreboard = scoreboard_of(entry, instruction);
  added.younger = scoreboard < kScoreboards ? settings_[scoreboard] : 0;
  added.covered_by = 0;
  const isa::Control& control = instruction.control;
  if (control.write_scoreboard < kScoreboards)
    added.covered_by |= static_cast<uint8_t>(1u << control.write_scoreboard);
  if ((entry.reads || is_told_by_read_scoreboard(instruction, entry.place)) &&
      control.read_scoreboard < kScoreboards)
    added.covered_by |= static_cast<uint8_t>(1u << control.read_scoreboard);
  by_place_[entry.place].push_back(added);
}

void PendingTable::predicate_changed(Place predicate) {
  const int code = 2 * (predicate - kPredicates + 1);
  for (std::vector<Pending>& entries : by_place_)
    for (Pending& entry : entries)
      if ((entry.guard & ~1) == code) entry.guard = 0;
}

void PendingTable::set_scoreboards(const isa::Instruction& instruction) {
  const isa::Control& control = instruction.control;
  const auto results = static_cast<size_t>(result_order_of(instruction));
  const auto sources = static_cast<size_t>(source_order_of(instruction));
  if (control.write_scoreboard < kScoreboards) {
    ++settings_[control.write_scoreboard];
    set_[results][control.write_scoreboard] = clock_;
    set_for_sources_[sources][control.write_scoreboard] = clock_;
  }
  if (control.read_scoreboard < kScoreboards) {
    ++settings_[control.read_scoreboard];
    set_for_sources_[sources][control.read_scoreboard] = clock_;
  }
}

void PendingTable::wait(uint8_t scoreboard_mask, int delay) {
  const int now = clock_ + delay;
  const auto covers = [&](int set, int& done) {
    if (now - set >= kScoreboardVisibleCycles) done = std::max(done, set);
  };
  for (size_t k = 0; k < kScoreboards; ++k) {
    if ((scoreboard_mask >> k & 1) == 0) continue;
    waited_[k] = now;
    for (size_t unit = 1; unit < kOrderedUnits; ++unit) {
      covers(set_[unit][k], done_[unit]);
      covers(set_for_sources_[unit][k], read_[unit]);
    }
  }
}

bool PendingTable::is_covered(const Pending& entry, const isa::Instruction& instruction) const {
  for (size_t k = 0; k < kScoreboards; ++k)
    if ((entry.covered_by >> k & 1) != 0 && waited_[k] - entry.cycles >= kScoreboardVisibleCycles)
      return true;
  const auto unit =
      static_cast<size_t>(entry.reads ? source_order_of(instruction) : result_order_of(instruction));
  return unit != 0 && (entry.reads ? read_ : done_)[unit] >= entry.cycles;
}

// `entry.cycles` here: since the issue.
uint8_t PendingTable::covering(const Pending& entry, const isa::Instruction& instruction) const {
  uint8_t mask = entry.covered_by;
  const auto unit =
      static_cast<size_t>(entry.reads ? source_order_of(instruction) : result_order_of(instruction));
  for (size_t k = 0; k < kScoreboards && unit != 0; ++k)
    if ((entry.reads ? set_for_sources_ : set_)[unit][k] >= clock_ - entry.cycles)
      mask |= static_cast<uint8_t>(1u << k);
  return mask;
}

uint8_t scoreboard_of(const Pending& entry, const isa::Instruction& instruction) {
  const isa::Control& control = instruction.control;
  return entry.reads && control.read_scoreboard < kScoreboards ? control.read_scoreboard
                                                               : control.write_scoreboard;
}

}  // namespace gemmscope::lint
