// Expands a source's macros without a compiler.
//
// Not supported: a macro whose name and "(" come from different expansions, and the text of "#x" (it is a
// literal, and literals are blanked here).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gemmscope::cuda_text {

struct Macro {
  bool function_like = false, variadic = false;
  std::vector<std::string> parameters;  // a variadic macro's last one takes all further arguments
  std::string text;
};

class Macros {
 public:
  // `definition` is the text after "#define": "NAME text" or "NAME(a, b) text", with comments and literals
  // blanked. Anything else, and anything far too long, is ignored.
  void define(std::string_view definition);
  void undefine(const std::string& name);
  const Macro* find(const std::string& name) const;
  const std::map<std::string, Macro>& all() const { return macros_; }

  // Replaces every macro.
  std::string expanded(std::string_view text) const;
  // Replaces only macros that hide how a kernel is launched or declared: statements, launches, lists, names.
  // A constant, a type and an expression of parameters keep their names, which tell a reader more. Line ends
  // stay.
  std::string structure_expanded(std::string_view text) const;

 private:
  struct Call;
  using Names = std::set<std::string>;
  std::string expand(std::string_view text, const Names& open, bool all) const;
  static std::optional<std::vector<std::string>> arranged(const Macro& macro, const Call& call);
  std::optional<std::string> replacement(const std::string& name, const Macro& macro, const Call& call,
                                         const Names& open, bool all) const;
  bool hides_structure(const std::string& name, int depth = 0) const;
  bool works(size_t characters) const;

  std::map<std::string, Macro> macros_;
  mutable std::map<std::string, bool> hides_;  // cached results of hides_structure
  mutable size_t work_ = 0;                    // characters read by all calls
};

}  // namespace gemmscope::cuda_text
