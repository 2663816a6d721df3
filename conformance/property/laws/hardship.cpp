// Laws about what may happen to the calling process: forks, ending threads, long copies.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conformance/property/laws/answers.h"
#include "conformance/property/laws/laws.h"

namespace reshape::conformance::laws {
namespace {

// Large enough that implementations use their thread pools and buffers.
constexpr std::int64_t kLarge = 1024;
// Small enough for calls by many short-lived threads.
constexpr std::int64_t kSmall = 32;

Trial asked_under(const Request& request, PropertyCheck& property, Hardship hardship) {
  if (!property.promised(request)) return Trial::discarded("so many elements are not promised");
  const std::optional<Outcome> outcome = property.ask_under(request, hardship);
  if (!outcome) return Trial::discarded("this way of reaching it cannot bring it into this");
  if (outcome->kind == Outcome::Kind::unsupported) {
    return Trial::discarded("such a request is not executed, or takes too long");
  }
  if (outcome->kind == Outcome::Kind::produced) return Trial::held();
  Trial trial = Trial::broken(told_by(*outcome));
  if (!outcome->observations.empty()) trial.duty = outcome->observations.front().duty;
  return trial;
}

// What is dense goes through one copy of all, and what is not through another that may have more of
// its own: plans, buffers on the way, and what each thread has of them.
Trial check(const Request& input, PropertyCheck& property, Hardship hardship,
            std::int64_t side = kLarge, std::int64_t across = 8) {
  Request request = property.plain(input, Shape{side, side}, Shape{side * side});
  request.shape_only = false;
  const Trial dense = asked_under(request, property, hardship);
  if (dense.kind != Trial::Kind::held || !property.capabilities().strided_input) return dense;
  constexpr std::int64_t kBeside = 4;  // no two axes lie as one
  request = property.plain(request, Shape{kBeside, across, kBeside, across},
                           Shape{kBeside * kBeside * across * across});
  request.strides = Strides{1, kBeside, kBeside * across, kBeside * kBeside * across};
  const Trial turned = asked_under(request, property, hardship);
  return turned.kind == Trial::Kind::broken ? turned : dense;
}

// So many bytes that 32 bits hold what is left of them, or a negative number; or so many that their
// number times 2, 4 or 8 (the bits, or a part of so many threads) does not fit.
constexpr std::int64_t kRest = std::int64_t{1} << 16;
constexpr int kLongCopies[] = {32, 31, 30, 29};  // 2 to this many bytes, and kRest

// Promised types to ask long copies of. Of bytes that is also the number of elements. If an
// implementation copies one by one, that takes too long, so fewer and wider elements follow. Not
// booleans, which may be given as other bytes.
std::vector<ElementType> types_of_long_copies(const PropertyCheck& property) {
  const ElementTypes promised = property.promised_types() - ElementTypes{ElementType::boolean};
  std::vector<ElementType> types;
  for (const int width : {8, 64, 32, 16}) {
    const auto of_width = [=](ElementType type) { return bits(type) == width; };
    if (width == 8 && promised.contains(ElementType::u8)) {
      types.push_back(ElementType::u8);
    } else if (const auto found = std::ranges::find_if(promised, of_width);
               found != promised.end()) {
      types.push_back(*found);
    }
  }
  return types;
}

std::string power_of_two(int power) {
  return power < 30 ? std::to_string(1 << (power - 20)) + " MiB"
                    : std::to_string(1 << (power - 30)) + " GiB";
}

// Two axes of so many bytes, the first as long as it takes. A row of the data is two of the output.
Request of_bytes(std::int64_t bytes, ElementType type, const Request& input,
                 PropertyCheck& property) {
  constexpr std::int64_t kRow = std::int64_t{1} << 13;
  Request like = PropertyCheck::dense(input);
  like.data_type = type;
  like.shape_only = false;
  const std::int64_t rows = bytes * 8 / bits(type) / kRow;
  return property.plain(like, Shape{rows, kRow}, Shape{2 * rows, kRow / 2});
}

// What is wrong with a long copy, or why it was not asked to its end. Nothing where it is right, or
// was not asked; `what` was copied begins the sentence.
std::optional<Trial> told_of(const Outcome& outcome, const std::string& what = "") {
  // On a busy machine the copy may not finish in time.
  if (outcome.kind == Outcome::Kind::timed_out) return Trial::unfinished(text(outcome));
  if (outcome.kind == Outcome::Kind::produced || outcome.kind == Outcome::Kind::unsupported) {
    return std::nullopt;
  }
  return Trial::broken(what + told_by(outcome));
}

// So many elements of 4 bits that their number does not fit 32 bits, though that of their bytes
// does. Not told where it takes too long.
Trial check_many_halves(const Request& input, PropertyCheck& property) {
  constexpr std::int64_t kBytes = (std::int64_t{1} << 31) + kRest;
  for (const ElementType type : property.promised_types()) {
    if (bits(type) != 4) continue;
    const Request request = of_bytes(kBytes, type, input, property);
    if (!property.promised(request)) continue;
    const std::optional<Outcome> outcome = property.ask_under(request, Hardship::long_copy);
    if (!outcome) break;
    return told_of(*outcome, "of " + std::string(name(type)) + ": ").value_or(Trial::held());
  }
  return Trial::held();
}

// More elements than 31 bits count along one axis of the data that is not dense: one element again
// and again, and every second one. In rows apart no axis is so long, nor are axes merged to one.
Trial check_long_axis(const Request& input, PropertyCheck& property) {
  struct Axis {
    std::int64_t elements, step;
  };
  // Kept in 32 bits both are negative. Only the first divides the number of elements even so: what
  // does not may be copied another way, which is right.
  constexpr Axis kAxes[] = {{std::int64_t{1} << 31, 0}, {(std::int64_t{1} << 31) + kRest, 2}};
  Request like = PropertyCheck::dense(input);
  like.shape_only = false;
  // Not booleans, which may be given as other bytes, nor elements that share a byte.
  const ElementTypes types = property.promised_types() -
                             ElementTypes{ElementType::boolean, ElementType::i4, ElementType::u4};
  if (types.empty()) return Trial::held();
  like.data_type = std::ranges::min(types, {}, [](ElementType type) { return bits(type); });
  if (types.contains(ElementType::u8)) like.data_type = ElementType::u8;
  for (const auto& [elements, step] : kAxes) {
    Request request = property.plain(like, Shape{elements}, Shape{elements});
    request.strides = Strides{step};
    if (!property.promised(request)) continue;
    const std::string what = "copies of one axis of 2^31 elements, " + std::to_string(step) +
                             " apart, take too long or too much memory here";
    if (property.out_of_time()) return Trial::unfinished(what);
    const std::optional<Outcome> outcome = property.ask_under(request, Hardship::long_copy);
    if (!outcome) return Trial::held();
    if (outcome->kind != Outcome::Kind::timed_out) {
      if (auto told = told_of(*outcome)) return *std::move(told);
      if (outcome->kind == Outcome::Kind::produced) continue;
    }
    return Trial::unfinished(what);
  }
  return Trial::held();
}

// More elements than 31 bits count in rows apart, so that 32 bits do not reach the last row: of the
// data, and of the output. Rows go through another copy than what is dense, with another arithmetic.
Trial check_long_rows(const Request& input, PropertyCheck& property) {
  constexpr std::int64_t kBytes = (std::int64_t{1} << 31) + kRest;
  constexpr std::int64_t kApart = 2;  // rows
  const Capabilities& able = property.capabilities();
  const auto check_rows = [&](bool of_data) {
    bool promised = false;
    for (const ElementType type : types_of_long_copies(property)) {
      Request request = of_bytes(kBytes, type, input, property);
      if (of_data) {
        request.strides = Strides{kApart * request.data[1], 1};
      } else {
        request.out_strides =
            Strides{kApart * static_cast<std::int64_t>(request.pattern.values[1]), 1};
      }
      if (!property.promised(request)) continue;
      promised = true;
      const std::optional<Outcome> outcome = property.ask_under(request, Hardship::long_copy);
      if (!outcome) return Trial::held();
      if (auto told = told_of(*outcome)) return *std::move(told);
      if (outcome->kind == Outcome::Kind::produced) return Trial::held();
    }
    if (!promised) return Trial::held();
    return Trial::unfinished("copies of 2 GiB " + std::string(of_data ? "from" : "into") +
                             " rows apart take too long or too much memory here");
  };
  Trial rows = able.strided_input ? check_rows(true) : Trial::held();
  if (rows.kind != Trial::Kind::broken && able.strided_output) {
    Trial into = check_rows(false);
    if (into.kind != Trial::Kind::held) rows = std::move(into);
  }
  // What has hung once would cost another deadline.
  if (rows.kind != Trial::Kind::broken && able.strided_input && !property.hung()) {
    Trial axis = check_long_axis(input, property);
    if (axis.kind != Trial::Kind::held) rows = std::move(axis);
  }
  return rows;
}

}  // namespace

Trial long_copy(const Request& input, PropertyCheck& property) {
  Trial rows = check_long_rows(input, property);
  if (rows.kind == Trial::Kind::broken) return rows;
  std::vector<int> reached, held;  // one type of either length is enough
  // So many elements that 31 bits do not count them: bytes are promised, and were copied.
  constexpr int kManyElements = 31;
  bool many = false, many_held = false;
  for (const int power : kLongCopies) {
    const std::int64_t bytes = (std::int64_t{1} << power) + kRest;
    for (const ElementType type : types_of_long_copies(property)) {
      const Request request = of_bytes(bytes, type, input, property);
      if (!property.promised(request)) continue;
      const std::optional<Outcome> outcome = property.ask_under(request, Hardship::long_copy);
      if (!outcome) return Trial::discarded("this way of reaching it cannot bring it into this");
      if (reached.empty() || reached.back() != power) reached.push_back(power);
      const bool of_many = bits(type) == 8 && power >= kManyElements;
      many |= of_many;
      many_held |= of_many && outcome->kind == Outcome::Kind::produced;
      if (auto told = told_of(*outcome)) return *std::move(told);
      if (outcome->kind == Outcome::Kind::unsupported) continue;
      held.push_back(power);
      break;
    }
  }
  if (reached.empty()) return Trial::discarded("so many elements are not promised");
  const Trial halves = check_many_halves(input, property);
  if (halves.kind != Trial::Kind::held) return halves;
  if (held == reached) {
    if (!many || many_held) return rows;
    return Trial::unfinished("copies of 2^31 elements take too long or too much memory here");
  }
  // What is right for fewer bytes says nothing about more.
  const std::string most = "copies of " + power_of_two(reached.front());
  return Trial::unfinished(most + " take too long or too much memory here" +
                           (held.empty() ? "" : "; " + power_of_two(held.front()) + " are right"));
}

namespace {

// Sides of the turned copy. It is as large as the dense one: some share only large ones between
// threads, and what is copied over its data needs more bytes than lie unused in a process.
constexpr std::int64_t kAcross = kLarge / 4;

}  // namespace

Trial asked_by_a_fork(const Request& input, PropertyCheck& property) {
  return check(input, property, Hardship::forked, kLarge, kAcross);
}

// Besides copies, which need buffers, asks for so many axes that what is kept of each does not fit
// into what lies unused in a process.
Trial without_memory(const Request& input, PropertyCheck& property) {
  constexpr std::size_t kManyAxes = 20000;
  const Trial copies = check(input, property, Hardship::no_memory, kLarge, kAcross);
  const auto most = static_cast<std::size_t>(property.capabilities().max_rank);
  if (copies.kind == Trial::Kind::broken || (most != 0 && most < kManyAxes)) return copies;
  std::vector<std::int64_t> sizes(kManyAxes, 1);
  sizes.back() = kSmall;
  Request request = property.plain(input, Shape{kSmall}, Shape(sizes));
  request.shape_only = false;
  const Trial axes = asked_under(request, property, Hardship::no_memory);
  return axes.kind == Trial::Kind::broken ? axes : copies;
}

Trial threads_that_end(const Request& input, PropertyCheck& property) {
  return check(input, property, Hardship::ended_threads, kSmall);
}

// Lengths that fill no line of 16 bytes and more, dense and not.
Trial neighbour(const Request& input, PropertyCheck& property) {
  constexpr std::int64_t kRows = 7, kColumns = 13, kLong = 1021, kPages = 4101;
  // A few elements may be written as one word, and be part of it.
  constexpr std::int64_t kFew[] = {3, 7};
  const Shape table{kRows, kColumns}, row{kRows * kColumns}, longer{kLong};
  std::vector<Request> requests;
  const auto add = [&](ElementType type) {
    Request like = input;
    like.data_type = type;
    requests.push_back(property.plain(like, table, row));
    requests.push_back(property.plain(like, longer, longer));
    if (bits(type) == 8) requests.push_back(property.plain(like, Shape{kPages}, Shape{kPages}));
    for (const std::int64_t few : kFew) {
      requests.push_back(property.plain(like, Shape{few}, Shape{few}));
    }
    const Capabilities& can = property.capabilities();
    if (can.strided_input) {
      requests.push_back(property.plain(like, table, row));
      requests.back().strides = Strides{1, kRows};
    }
    if (can.strided_output && bits(type) == 8) {  // rows that fill no word, with a gap between
      constexpr std::int64_t kFewRows = 4, kUnevenRow = 19, kPitch = 32;
      requests.push_back(
          property.plain(like, Shape{kFewRows * kUnevenRow}, Shape{kFewRows, kUnevenRow}));
      requests.back().out_strides = Strides{kPitch, 1};
    }
    if (can.strided_output) {  // every second element, with a gap between
      requests.push_back(property.plain(like, longer, longer));
      requests.back().out_strides = Strides{2};
    }
  };
  // Of bytes, which leave a part of every word; and of the input's type, which may go another way.
  const ElementTypes promised = property.promised_types();
  const auto byte =
      std::ranges::find_if(promised, [](ElementType type) { return bits(type) == 8; });
  if (byte != promised.end()) add(*byte);
  if (byte == promised.end() || *byte != input.data_type) add(input.data_type);
  Trial all = Trial::discarded("so many elements are not promised");
  for (Request& request : requests) {
    request.shape_only = false;
    const Trial one = asked_under(request, property, Hardship::neighbour);
    if (one.kind == Trial::Kind::broken) return one;
    if (one.kind == Trial::Kind::held) all = one;
  }
  return all;
}

namespace {

// Two rows of nine made nine of two: dense, turned, every second of more elements, or into gaps.
// Layouts that are not declared are left out.
Request first_request(const Request& like, PropertyCheck& property) {
  enum Form : std::uint64_t { turned, steps, gaps, dense, forms };
  const std::uint64_t form = property.choices().below(forms);
  const bool takes_strides = property.capabilities().strided_input;
  if (form == steps && takes_strides) {
    Request request = property.plain(like, Shape{18}, Shape{9, 2});
    request.strides = Strides{2};
    return request;
  }
  Request request = property.plain(like, Shape{2, 9}, Shape{9, 2});
  if (form == turned && takes_strides) request.strides = Strides{1, 2};
  if (form == gaps && property.capabilities().strided_output) request.out_strides = Strides{3, 1};
  return request;
}

}  // namespace

// Asks each type, the input's first: what a first call sets up may be per process, per type or per
// way of copying.
Trial first_calls(const Request& input, PropertyCheck& property) {
  bool reached = false;
  // What executes may have been inferred elsewhere: in another process, or on another thread.
  const bool executes_first = property.choices().below(2) != 0;
  const Hardship how = executes_first ? Hardship::executed_first : Hardship::first_calls;
  std::vector<ElementType> types = {input.data_type};
  for (const ElementType type : property.promised_types()) {
    if (type != input.data_type) types.push_back(type);
  }
  for (const ElementType type : types) {
    Request like = input;
    like.data_type = type;
    like.shape_only = false;
    const Request request = first_request(like, property);
    if (!property.promised(request)) continue;
    const std::optional<Outcome> outcome = property.ask_under(request, how);
    if (!outcome) return Trial::discarded("this way of reaching it always asks twice");
    if (outcome->kind == Outcome::Kind::unsupported) {
      return Trial::unfinished("another shape is inferred than is to be executed first");
    }
    reached = true;
    if (outcome->kind != Outcome::Kind::produced) return Trial::broken(told_by(*outcome));
  }
  return reached ? Trial::held() : Trial::discarded("rank 2 is not promised");
}

}  // namespace reshape::conformance::laws
