#pragma once

#include <string>

#include "conformance/model/request.h"
#include "fuzz/campaign/files.h"
#include "reference/tensor/ruling.h"

namespace reshape::fuzz {

// The files that are kept of a finding, as texts.
struct FindingTexts {
  std::string name;    // fit for a case id and a folder: "mine-volume.kept-shape-answer-3f2a"
  std::string yaml;    // a file of specs/regressions/; empty where no document is asked
  std::string replay;  // command lines that show it again
  std::string test;    // a GoogleTest
};

// `token`: of the finding. `library`: the one that was tested, empty for our own.
FindingTexts texts_of_request(const std::string& token, const std::string& target,
                              const conformance::Request& request, const Ruling& expect,
                              const std::string& library);
FindingTexts texts_of_bytes(const std::string& token, const std::string& target,
                            const Input& bytes);

}  // namespace reshape::fuzz
