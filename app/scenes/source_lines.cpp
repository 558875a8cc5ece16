#include "scenes/source_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "drawing/text_fit.h"
#include "scenes/text.h"

namespace gemmscope::scenes {
namespace {

using experiment::CompiledKernel;

constexpr int kOwnFile = 0;

std::string text_of(const CompiledKernel& compiled, const CompiledKernel::Place& place) {
  const std::vector<std::string>& lines = compiled.files[static_cast<size_t>(place.file)].lines;
  if (place.line < 1 || static_cast<size_t>(place.line) > lines.size()) return {};
  const std::string& line = lines[static_cast<size_t>(place.line) - 1];
  return line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
}

// The file of the kernel's function, taken from its first instruction. Mostly it is the kernel's own file,
// but a user's kernel may be in a header.
int file_of_kernel(const CompiledKernel& compiled) {
  if (compiled.places.empty()) return -1;
  return compiled.calls[0].empty() ? compiled.places[0].file : compiled.calls[0].back().file;
}

}  // namespace

std::vector<int> own_lines(const CompiledKernel& compiled, size_t instruction) {
  std::vector<int> lines;
  const auto add = [&](const CompiledKernel::Place& place) {
    if (place.file == kOwnFile && std::find(lines.begin(), lines.end(), place.line) == lines.end())
      lines.push_back(place.line);
  };
  add(compiled.places[instruction]);
  for (const CompiledKernel::Place& call : compiled.calls[instruction]) add(call);
  return lines;
}

int own_line(const CompiledKernel& compiled, size_t instruction) {
  const std::vector<int> lines = own_lines(compiled, instruction);
  return lines.empty() ? 0 : lines.front();
}

std::vector<CallFrame> frames_beside(const CompiledKernel& compiled, size_t instruction) {
  std::vector<CallFrame> frames;
  const CompiledKernel::Place& place = compiled.places[instruction];
  const std::vector<CompiledKernel::Place>& calls = compiled.calls[instruction];
  if (place.file > kOwnFile) frames.push_back({place_text(compiled, instruction), text_of(compiled, place)});
  if (calls.empty()) {
    if (place.file > kOwnFile && place.file != file_of_kernel(compiled))
      frames.push_back(
          {"call not known", "the compiler names no call, for instance if one instruction serves several"});
    return frames;
  }
  const CompiledKernel::Place& outermost = calls.back();
  const bool marked = outermost.file == kOwnFile && outermost.line == own_line(compiled, instruction);
  if (outermost.file >= 0 && !marked)
    frames.push_back({outermost.file == kOwnFile
                          ? fmt::format("called at line {}", outermost.line)
                          : fmt::format("called at {}", place_text(compiled, outermost)),
                      text_of(compiled, outermost)});
  return frames;
}

std::vector<std::string> wrapped_code(std::string_view line, size_t columns) {
  std::vector<std::string> pieces;
  while (!line.empty()) {
    const std::vector<size_t> ends = drawing::utf8_boundaries(line);
    size_t end = ends[std::min(ends.size() - 1, std::max<size_t>(columns, 1))];
    // Not in the first half, where too little of the line would stand in the piece.
    if (end < line.size())
      if (const size_t at = line.substr(0, end).find_last_of(" ,(["); at != line.npos && at + 1 > end / 2)
        end = at + 1;
    std::string piece(line.substr(0, end));
    piece.erase(piece.find_last_not_of(' ') + 1);
    if (!piece.empty()) pieces.push_back(std::move(piece));
    line.remove_prefix(std::min(line.find_first_not_of(' ', end), line.size()));
  }
  return pieces;
}

std::vector<std::string> call_texts(const CompiledKernel& compiled, size_t instruction) {
  std::vector<std::string> texts;
  for (const CompiledKernel::Place& call : compiled.calls[instruction])
    if (call.file >= 0) texts.push_back(place_text(compiled, call));
  return texts;
}

std::string place_and_call_text(const CompiledKernel& compiled, size_t instruction) {
  const std::string place = place_text(compiled, instruction);
  const std::vector<std::string> calls = call_texts(compiled, instruction);
  if (calls.empty()) return place;
  return place.empty() ? fmt::format("called from {}", calls.back())
                       : fmt::format("{} (called from {})", place, calls.back());
}

}  // namespace gemmscope::scenes
