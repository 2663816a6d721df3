#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <charconv>
#include <iterator>
#include <limits>
#include <sstream>

#include "conformance/text/line.h"

namespace reshape::conformance {
namespace {

template <typename T>
T any_of(const std::vector<T>& choices) {
  return *rc::gen::elementOf(choices);
}

bool now_and_then() { return *rc::gen::inRange(0, 4) == 0; }

std::int64_t any_size() {
  return *rc::gen::oneOf(
      rc::gen::inRange<std::int64_t>(0, 6),
      rc::gen::element<std::int64_t>(std::int64_t{1} << 31, std::int64_t{1} << 32,
                                     std::numeric_limits<std::int64_t>::max()));
}

std::int64_t small_size() { return *rc::gen::inRange<std::int64_t>(0, 5); }

// A value of the pattern type, the ends of its range often.
PatternValue any_pattern_value(ElementType type) {
  const bool integers = is_integer(type);
  const PatternValue low = integers ? lowest(type) : std::numeric_limits<std::int64_t>::min();
  const PatternValue high = integers ? highest(type) : std::numeric_limits<std::uint64_t>::max();
  const PatternValue value = any_of<PatternValue>({low, low + 1, -1, 0, 1, 2, 3, high - 1, high});
  return value < low || value > high ? high : value;
}

// Requests of every kind that the form can say.
Request any_request() {
  const std::vector<ElementType> types(kAllElementTypes.begin(), kAllElementTypes.end());
  Request request;
  request.dialect =
      any_of<std::string>({"openvino-reshape-1", "onednn-static-reshape", "d", "f32"});
  request.data_type = any_of(types);
  request.pattern.type = any_of(types);
  const bool huge = now_and_then();
  request.shape_only = huge;
  for (int rank = *rc::gen::inRange(0, 5); rank > 0; --rank) {
    request.data.append(huge ? any_size() : small_size());
  }
  for (int values = *rc::gen::inRange(0, 5); values > 0; --values) {
    request.pattern.values.push_back(any_pattern_value(request.pattern.type));
  }
  if (now_and_then()) {
    const auto count = static_cast<std::int64_t>(request.pattern.values.size());
    request.pattern.tensor_shape =
        count == 1 ? any_of<Shape>({{}, {1}, {1, 1}}) : any_of<Shape>({{count}, {1, count}});
  }
  if (*rc::gen::arbitrary<bool>()) request.special_zero = *rc::gen::arbitrary<bool>();
  if (now_and_then()) request.offset = 2 * *rc::gen::inRange<std::int64_t>(0, 20);
  if (now_and_then()) request.out_offset = 2 * *rc::gen::inRange<std::int64_t>(0, 20);
  if (!huge && now_and_then()) {
    request.strides.emplace();
    for (std::size_t axis = 0; axis < request.data.rank(); ++axis) {
      request.strides->push_back(*rc::gen::inRange<std::int64_t>(-9, 50));
    }
    if (!is_empty(request.data)) request.offset = 2 * 100;  // behind every negative reach
  }
  if (now_and_then()) {
    request.out_strides.emplace();
    for (std::size_t axis = 0; axis < request.pattern.values.size(); ++axis) {
      request.out_strides->push_back(
          any_of<std::int64_t>({std::numeric_limits<std::int64_t>::min(), -1, 0, 1, 24,
                                std::numeric_limits<std::int64_t>::max()}));
    }
  }
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      request.payload = any_of<Payload>({Payload::distinct, Payload::hard, Payload::zeros});
      break;
    case 1: {
      if (huge) break;
      const int width = request.data_type == ElementType::boolean ? 1 : bits(request.data_type);
      request.elements.emplace();
      for (std::int64_t left = *element_count(request.data); left > 0; --left) {
        request.elements->push_back(*rc::gen::arbitrary<std::uint64_t>() >> (64 - width));
      }
      break;
    }
    default: break;
  }
  request.in_place = !request.strides && !request.out_strides && now_and_then();
  return request;
}

RC_GTEST_PROP(Line, PrintingAndParsingAreInverse, ()) {
  const Request request = any_request();
  const std::string line = print_line(request);
  const Result<Request> again = parse_line(line);
  RC_LOG() << line << "\n" << (again ? "" : again.error().text()) << "\n";
  RC_ASSERT(again.ok());
  RC_ASSERT(*again == request);
}

// The same words in another order, with other blanks, print the same line.
RC_GTEST_PROP(Line, PrintingIsCanonical, ()) {
  const std::string line = print_line(any_request());
  std::istringstream stream(line);
  std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
  std::string shuffled = words[0] + "\t " + words[1] + "  " + words[2];
  words.erase(words.begin(), words.begin() + 3);
  while (!words.empty()) {
    const auto next = words.begin() + *rc::gen::inRange<std::ptrdiff_t>(0, std::ssize(words));
    shuffled += "  " + *next;
    words.erase(next);
  }
  const Result<Request> again = parse_line(shuffled + " ");
  RC_LOG() << shuffled << "\n" << (again ? "" : again.error().text()) << "\n";
  RC_ASSERT(again.ok());
  RC_ASSERT(print_line(*again) == line);
}

// An error says in which column, and the column lies in the line or just behind it.
void check_total(const std::string& line) {
  const Result<Request> request = parse_line(line);
  if (request) {
    const Result<Request> again = parse_line(print_line(*request));
    RC_ASSERT(again.ok());
    RC_ASSERT(*again == *request);
    return;
  }
  const std::string& where = request.error().where;
  RC_LOG() << where << ": " << request.error().message << "\n";
  RC_ASSERT(where.rfind("column ", 0) == 0);
  std::size_t column = 0;
  std::from_chars(where.data() + 7, where.data() + where.size(), column);
  RC_ASSERT(column >= 1u);
  RC_ASSERT(column <= line.size() + 1);
  RC_ASSERT(request.error().message.find('\n') == std::string::npos);
  RC_ASSERT(!request.error().message.empty());
}

RC_GTEST_PROP(Line, ArbitraryBytesAreReadOrRefused, ()) {
  check_total(*rc::gen::container<std::string>(rc::gen::arbitrary<char>()));
}

RC_GTEST_PROP(Line, DamagedLinesAreReadOrRefused, ()) {
  std::string line = print_line(any_request());
  for (int cuts = *rc::gen::inRange(1, 4); cuts > 0 && !line.empty(); --cuts) {
    const auto at = *rc::gen::inRange<std::size_t>(0, line.size());
    switch (*rc::gen::inRange(0, 4)) {
      case 0: line.erase(at, *rc::gen::inRange<std::size_t>(1, 6)); break;
      case 1:
        line.insert(at, any_of<std::string>({" ", "[", "]", ",", "=", "-", "0x", "9", "*", "x"}));
        break;
      case 2: line[at] = *rc::gen::arbitrary<char>(); break;
      default: line += line.substr(at); break;
    }
  }
  check_total(line);
}

}  // namespace
}  // namespace reshape::conformance
