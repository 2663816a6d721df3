#include "conformance/property/bounded_exhaustive.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "conformance/model/judge.h"
#include "conformance/oracle/ruling_of.h"
#include "conformance/property/patterns.h"

namespace reshape::conformance {
namespace {

using Sizes = std::vector<std::int64_t>;

// All lists of length 0..most with entries low..high, the short ones first.
std::vector<Sizes> lists(int most, int low, int high) {
  std::vector<Sizes> all = {{}};
  std::size_t begin = 0;
  for (int length = 1; length <= most; ++length) {
    const std::size_t end = all.size();
    for (std::size_t at = begin; at < end; ++at) {
      for (std::int64_t value = low; value <= high; ++value) {
        Sizes longer = all[at];
        longer.push_back(value);
        all.push_back(std::move(longer));
      }
    }
    begin = end;
  }
  return all;
}

std::string range(int low, int high) { return std::to_string(low) + ".." + std::to_string(high); }

Strides laid(const Sizes& shape, const std::vector<std::size_t>& order, unsigned gaps) {
  Strides strides(shape.size());
  std::int64_t step = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = step;
    step *= shape[order[i]] + ((gaps >> order[i]) & 1);
  }
  return strides;
}

}  // namespace

std::string text(const ExhaustiveBound& bound) {
  return "data of rank " + range(0, bound.most_rank) + " with sizes " + range(0, bound.most_size) +
         ", patterns of length " + range(0, bound.most_length) + " with values " +
         range(bound.least_value, bound.most_value);
}

BoundedRequests::BoundedRequests(const ExhaustiveBound& bound, const Dialect& dialect,
                                 const Capabilities& capabilities)
    : dialect_(dialect.name),
      data_type_(preferred_type(capabilities.element_types & dialect.data_types,
                                {ElementType::f32, ElementType::u8}, ElementType::f32)),
      pattern_type_(preferred_type(capabilities.pattern_types & dialect.pattern_types,
                                   {ElementType::i64, ElementType::i32}, ElementType::i64)),
      shapes_(lists(bound.most_rank, 0, bound.most_size)),
      patterns_(lists(bound.most_length, bound.least_value, bound.most_value)),
      flags_(dialect.zero == ZeroRule::by_flag ? 2 : 1) {
  if (is_integer(pattern_type_) && !is_signed_integer(pattern_type_)) {
    std::erase_if(patterns_, [](const Sizes& values) {
      return std::any_of(values.begin(), values.end(), [](auto value) { return value < 0; });
    });
  }
  std::erase_if(shapes_, [&](const Sizes& sizes) {
    Request request;
    request.data = Shape(sizes);
    return why_too_large(request, capabilities).has_value();
  });
  std::erase_if(patterns_, [&](const Sizes& values) {
    Request request;
    request.pattern.values.assign(values.begin(), values.end());
    return why_too_large(request, capabilities).has_value();
  });
}

const bool* BoundedRequests::flag_of(std::uint64_t number) const {
  static constexpr bool kFlags[] = {false, true};
  return flags_ == 2 ? &kFlags[number % 2] : nullptr;
}

Request BoundedRequests::request(std::uint64_t number) const {
  Request request;
  request.dialect = dialect_;
  request.data_type = data_type_;
  request.data = Shape(shapes_[shape_of(number)]);
  request.pattern.type = pattern_type_;
  const Sizes& values = patterns_[pattern_of(number)];
  request.pattern.values.assign(values.begin(), values.end());
  if (const bool* flag = flag_of(number)) request.special_zero = *flag;
  request.shape_only = true;
  return request;
}

std::vector<Case> bounded_layouts(const Suite& suite, const std::vector<std::string>& dialects,
                                  const Capabilities& capabilities, int most_size) {
  std::vector<Case> cases;
  if (capabilities.shape_only) return cases;
  for (const std::string& name : dialects) {
    const Dialect& dialect = suite.document(name)->dialect;
    const BoundedRequests types({}, dialect, capabilities);
    for (const Sizes& shape : lists(3, 1, most_size)) {
      if (capabilities.max_rank > 0 &&
          static_cast<std::int64_t>(shape.size()) > capabilities.max_rank) {
        continue;
      }
      const Sizes reversed(shape.rbegin(), shape.rend());
      std::vector<std::size_t> order(shape.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      int turn = 0;
      do {
        if (!capabilities.strided_input && !std::ranges::is_sorted(order)) continue;
        for (unsigned gaps = 0; gaps < 1u << shape.size(); ++gaps) {
          if (!capabilities.strided_input && gaps != 0) continue;
          // Three output shapes in turn; the gaps of the output vary with those of the data.
          const Sizes flat = {
              std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>())};
          const Sizes& output = turn % 3 == 0 ? flat : turn % 3 == 1 ? reversed : shape;
          ++turn;
          Case one;
          Request& request = one.request;
          request.dialect = name;
          request.data_type = types.data_type();
          request.data = Shape(shape);
          if (capabilities.strided_input) request.strides = laid(shape, order, gaps);
          request.pattern.type = types.pattern_type();
          request.pattern.values.assign(output.begin(), output.end());
          if (dialect.zero == ZeroRule::by_flag) request.special_zero = false;
          if (capabilities.strided_output && turn % 2 == 0 && !output.empty()) {
            std::vector<std::size_t> out_order(output.size());
            std::iota(out_order.begin(), out_order.end(), std::size_t{0});
            if (turn % 4 == 0) std::reverse(out_order.begin(), out_order.end());
            request.out_strides = laid(output, out_order, gaps);
          }
          one.expect = ruling_of(dialect, request);
          one.clauses = {one.expect.kind == Ruling::Kind::produces ? "content.kept"
                                                                   : one.expect.clause};
          one.source = {"derived", "every small layout", ""};
          one.id = "exhaustive/" + name + "/layout-" + std::to_string(cases.size());
          cases.push_back(std::move(one));
        }
      } while (std::next_permutation(order.begin(), order.end()));
    }
  }
  return cases;
}

}  // namespace reshape::conformance
