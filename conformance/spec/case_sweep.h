#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/files/yaml_tree.h"
#include "conformance/model/clause.h"
#include "conformance/spec/fields.h"

namespace reshape::conformance {

// Lists that suite.yaml names, for variables: "every-type".
using NamedLists = std::map<std::string, std::vector<std::string>>;

// What a file of cases may name.
struct KnownNames {
  NamedLists lists;
  std::set<std::string> clauses;  // of any document, and of clauses.yaml
};

// One request of a file of cases, for every document that can express it. The reader has
// substituted the variables and computed nothing.
struct WrittenCase {
  std::string name;  // "dense-10.f32", the id without a dialect
  std::shared_ptr<const std::vector<std::string>> clauses;
  // The flag is in the sense of special_zero; the dialect is empty unless the case is for one
  // document.
  Request request;
  bool type_of_the_dialect = false;  // the pattern was written P[...]
  Ruling expect;
  // Other answers, for the documents that a dialect's name (with * as a wildcard) or a condition on
  // the rules ("scalar_data=unspecified") selects. The first that fits wins.
  std::shared_ptr<const std::vector<std::pair<std::string, Ruling>>> otherwise;
  std::string source;  // an address, or the document and section it is an example of, or empty
  bool once = false;
  std::string file;  // "cases/zero.yaml"
  int line = 0;
};

// The most that the ids, requests and answers of a suite's written cases may expand to, in bytes: a
// hundred lines can stand for more than memory holds. Those of specs/ take an eighth of it.
inline constexpr std::size_t kMostExpanded = std::size_t{16} << 20;

// The requests that one file of cases stands for, in the order of the text. Those that could not be
// read are left out. `room` is what is left of kMostExpanded; at 0, which is a problem, no further
// case is read.
std::vector<WrittenCase> read_cases(const YamlNode& root, const std::string& file,
                                    const KnownNames& known, std::span<const Dialect> dialects,
                                    std::size_t& room, Problems& problems);

}  // namespace reshape::conformance
