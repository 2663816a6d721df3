#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/adapter/adapter.h"

namespace reshape::conformance {

// The requests that a process was asked, oldest first; of very many only the later ones.
class AskedLines {
 public:
  void new_process() { lines_ = std::make_shared<std::vector<std::string>>(); }
  AskedBefore now() const { return {lines_, lines_ ? lines_->size() : 0}; }
  // Adds `line`, and returns what had been asked before it.
  AskedBefore add(std::string line) {
    if (lines_->size() >= kMostKept) {
      // A new list, since earlier results share the old one.
      const auto later = lines_->end() - static_cast<std::ptrdiff_t>(kMostKept / 2);
      lines_ = std::make_shared<std::vector<std::string>>(later, lines_->end());
    }
    const AskedBefore before = now();
    lines_->push_back(std::move(line));
    return before;
  }

 private:
  static constexpr std::size_t kMostKept = 1 << 16;
  std::shared_ptr<std::vector<std::string>> lines_;
};

}  // namespace reshape::conformance
