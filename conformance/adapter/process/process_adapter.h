#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/adapter/adapter.h"
#include "conformance/adapter/process/first_description.h"
#include "conformance/adapter/process/patience.h"
#include "conformance/adapter/process/time_to_answer.h"

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

// What the adapters to processes have in common.
class ProcessAdapter : public Adapter {
 public:
  std::optional<Error> start() {
    return start_patiently([this] { return start_once(); }, refused_);
  }

  const Capabilities& capabilities() const override { return description_.first(); }
  void hold_to(const Capabilities& first) override { description_.hold_to(first); }
  std::string declares_otherwise() const override { return description_.otherwise(); }
  AskedBefore asked_before() const override { return before_; }

 protected:
  explicit ProcessAdapter(AdapterOptions options) : options_(std::move(options)) {}
  virtual std::optional<Error> start_once() = 0;

  AdapterOptions options_;
  FirstDescription description_;
  Leniency leniency_;
  bool refused_ = false;    // the machine refused the last start
  AskedLines asked_lines_;  // by ask(), of the current process
  AskedBefore before_;
};

}  // namespace reshape::conformance
