#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/model/capabilities.h"
#include "conformance/model/clause.h"
#include "conformance/property/exhaustive_result.h"

namespace reshape::conformance {

// All data shapes of rank 0..most_rank with sizes 0..most_size, with all patterns of length
// 0..most_length and values least_value..most_value, with both values of the flag where there is
// one.
struct ExhaustiveBound {
  int most_rank = 4;
  int most_size = 4;
  int most_length = 4;
  int least_value = -3;
  int most_value = 5;

  static ExhaustiveBound full() { return {}; }
  // The same ranks over fewer sizes and values, in a sixth of the time.
  static ExhaustiveBound quick() { return {4, 3, 4, -2, 4}; }
};
std::string text(const ExhaustiveBound& bound);

// The requests within a bound by number, for one dialect. Request n is the same in every run.
class BoundedRequests {
 public:
  BoundedRequests(const ExhaustiveBound& bound, const Dialect& dialect,
                  const Capabilities& capabilities);

  std::uint64_t size() const { return shapes_.size() * patterns_.size() * flags_; }
  Request request(std::uint64_t number) const;

  // The parts of request n, which many requests share: for a fast walk.
  std::size_t shape_of(std::uint64_t number) const { return number / flags_ / patterns_.size(); }
  std::size_t pattern_of(std::uint64_t number) const { return number / flags_ % patterns_.size(); }
  // Null: the dialect has no flag.
  const bool* flag_of(std::uint64_t number) const;
  const std::vector<std::vector<std::int64_t>>& shapes() const { return shapes_; }
  const std::vector<std::vector<std::int64_t>>& patterns() const { return patterns_; }
  ElementType data_type() const { return data_type_; }
  ElementType pattern_type() const { return pattern_type_; }

 private:
  std::string dialect_;
  ElementType data_type_;
  ElementType pattern_type_;
  std::vector<std::vector<std::int64_t>> shapes_;
  std::vector<std::vector<std::int64_t>> patterns_;
  std::uint64_t flags_;
};

struct ExhaustiveRun {
  ExhaustiveResult counts;
  std::vector<Case> wrong;  // the first requests that were answered wrongly, "exhaustive/..."
};

struct ExhaustiveOptions {
  std::string library;
  ExhaustiveBound bound = ExhaustiveBound::quick();
  int jobs = 2;
  double deadline_seconds = 10;  // for one answer
  std::size_t most_wrong = 20;   // kept to be looked at
  int most_deaths = 20;          // of a job, before it gives up
  // Polled during the run: the reason to stop, or nothing. Empty: never stops.
  std::function<std::optional<std::string>()> stop = {};
};

// Checks the shape plane of all requests within the bound. infer_shape is called directly, in
// forked processes that record which request they are at, so that a crash or a hang costs only that
// request.
ExhaustiveRun ask_exhaustively(const Suite& suite, const std::vector<std::string>& dialects,
                               const Capabilities& capabilities, const ExhaustiveOptions& options);

// The byte plane, bounded: every order of the axes in memory with every choice of gaps 0..1, for
// all data shapes of rank 0..3 with sizes 1..most_size, reshaped in turn to one axis, to the
// reversed sizes and to the same sizes; dense data only where strides are not promised. Empty where
// only shapes are.
std::vector<Case> bounded_layouts(const Suite& suite, const std::vector<std::string>& dialects,
                                  const Capabilities& capabilities, int most_size = 3);

}  // namespace reshape::conformance
