// A question to the bank explorer, as it is typed: a tile in shared memory and the accesses to it. Nothing is
// compiled or run; the answer follows from the index expressions.
//
//   declaration  "float As[16][132]": one to three dimensions
//   access       [ "load" | "store" | "ldmatrix" ] [ type ] name [ index ] … [ "if" condition ]
//   indices      integer expressions (catalog/expression.h) of the names below; a wider type starts at the
//                element, as *(float4*)&As[k][lane * 4] does
//   table        in place of indices: bytes {0, 132, -, …}: where each of the 32 lanes accesses, "-" an idle
//   one swizzle      an expression of row and column: the column where an element lies
//
// Names: lane, warp, tid, threadIdx.x (.y, .z), blockDim.x (.y), and the loop variables i, j, k.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "metrics/tile_layout.h"

namespace gemmscope::experiment {

inline constexpr size_t kMostBankAccesses = 6;
inline constexpr const char* kLoopVariables[] = {"i", "j", "k"};

struct BankQuestion {
  std::string declaration = "float As[32][32]";
  int padding = 0;  // elements after each row, besides those declared
  std::string swizzle = "column";
  std::vector<std::string> accesses = {"store As[k][lane]", "load As[lane][k]"};
  std::array<int64_t, 3> loop{};  // of i, j and k
  std::array<int64_t, 2> block_dim{32, 8};
  int64_t warp = 0;
  friend bool operator==(const BankQuestion&, const BankQuestion&) = default;
};

struct BankTile {
  std::string type, name;  // "float", "As"
  int dimensions = 2;
  metrics::TileLayout layout;
};

// The parts of an access, as they are typed.
struct AccessText {
  metrics::SharedOp op = metrics::SharedOp::load;
  std::string type;    // empty: the tile's element; LDSM: "x1", "x2" or "x4"
  std::string target;  // "As[k][lane] if lane < 16", "bytes {0, 4, …}"
};
AccessText split_access(const std::string& text);
std::string join_access(const AccessText& parts);

struct BankAccess {
  std::string text;
  metrics::TileAccess now;                  // with the loop variables as they are
  std::vector<metrics::TileAccess> others;  // with other values of them, as far as these lie in the tile
  std::vector<std::string> uses;            // names
  bool table = false;
  metrics::PlacedAccess where;
  metrics::BankCount count;
  int degree = 0;  // metrics::conflict_degree
};

// The worst of it in words: "lanes 0-31 want 32 different words of bank 0, one after the other."
std::string sentence_of(const BankAccess& access);

struct BankAnswer {
  BankTile tile;
  std::vector<BankAccess> accesses;
  bool uses(const std::string& name) const;
  bool uses_block() const;  // threadIdx, tid or blockDim
};

// What is wrong with a question.
struct BankMistake {
  enum class Field : uint8_t { declaration, swizzle, access, block } field = Field::declaration;
  size_t access = 0;
  std::string sentence;  // names what and where, with an example
};

tl::expected<BankAnswer, BankMistake> answer(const BankQuestion& question);

// All accesses, with all values of the loop variables, for metrics::find_fixes.
std::vector<metrics::TileAccess> all_instances(const BankAnswer& answer);

}  // namespace gemmscope::experiment
