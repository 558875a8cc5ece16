// Writes the seeds of every fuzz target: fuzz_seeds FOLDER -> FOLDER/<target>/….
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "seeds.h"
#include "targets.h"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: fuzz_seeds FOLDER\n");
    return 2;
  }
  namespace fuzz = gemmscope::fuzz;
  for (const fuzz::Target& target : fuzz::kTargets) {
    const auto folder = std::filesystem::path(arguments[1]) / target.name;
    std::filesystem::create_directories(folder);
    for (const auto& inputs : {fuzz::seeds_of(target.name), fuzz::stored_inputs(target.name)})
      for (const fuzz::Input& input : inputs)
        if (input.bytes.size() <= target.longest)
          std::ofstream(folder / input.name, std::ios::binary) << input.bytes;
  }
}
