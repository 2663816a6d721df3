#pragma once

#include <string>
#include <string_view>

#include "conformance/models/fold.h"
#include "conformance/models/model.h"
#include "conformance/text/line.h"
#include "fuzz/targets/memory_file.h"
#include "fuzz/targets/text_finding.h"
#include "reference/tensor/result.h"

namespace reshape::fuzz {

// Checks the promises of every reader of models: an error is a sentence with a place; each request
// has a line, is within the limits of models/model.h, and has a place.
inline void check_model(std::string_view reader, const Result<conformance::Model>& read) {
  if (!read) {
    const Error& error = read.error();
    if (error.message.empty() || error.where.find("/proc/self/fd/") != 0 ||
        error.message.find('\n') != std::string::npos) {
      report_text(reader, "error", "a sentence and a file", error.text());
    }
    return;
  }
  if (read->form.empty() || read->files.empty()) report_text(reader, "form", "its name", "none");
  for (const conformance::ModelReshape& one : read->reshapes) {
    const std::string line = conformance::print_line(one.request);
    const Result<conformance::Request> again = conformance::parse_line(line);
    if (!again || *again != one.request) report_text(reader, "request", "a line", line);
    if (one.request.pattern.values.size() > conformance::kMostPatternValues ||
        one.request.data.rank() > conformance::kMostDimensions || one.layer.where.empty()) {
      report_text(reader, "limits", "within them, and a place", line);
    }
  }
  std::size_t weight = 0;
  for (const conformance::FoldedReshape& folded : conformance::fold(read->reshapes)) {
    weight += folded.layers.size();
  }
  if (weight != read->reshapes.size()) {
    report_text(reader, "fold", std::to_string(read->reshapes.size()), std::to_string(weight));
  }
}

}  // namespace reshape::fuzz
