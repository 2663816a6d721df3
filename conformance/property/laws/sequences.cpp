// Laws about sequences: an answer does not depend on the requests before it.
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "conformance/property/laws/answers.h"
#include "conformance/property/laws/laws.h"
#include "conformance/property/patterns.h"

namespace reshape::conformance::laws {
namespace {

Request of_type(ElementType type, const Request& input) {
  Request request = with_one_payload(input);
  request.data_type = type;
  // Offsets of packed types must be whole bytes.
  request.offset += request.offset % 2;
  request.out_offset += request.out_offset % 2;
  return request;
}

// Asks each request alone in a freshly loaded library, where reloading is possible; then each after
// itself and each after the other. No answer may differ from the first.
Trial alternate(const Request& input, const Request& between, PropertyCheck& property) {
  const auto fresh = [&](const Request& request) {
    static_cast<void>(property.reload());
    return property.ask(request);
  };
  const Outcome other = fresh(between);
  const Outcome first = fresh(input);
  for (const bool of_input : {true, false, true, false, false}) {
    const Outcome again = property.ask(of_input ? input : between);
    if (const auto differing = difference(of_input ? first : other, again)) {
      return Trial::broken("asked again after another request: " + *differing);
    }
  }
  return Trial::held();
}

}  // namespace

Trial same_again(const Request& input, PropertyCheck& property) {
  return alternate(with_one_payload(input), with_one_payload(property.another()), property);
}

Trial empty_between(const Request& input, PropertyCheck& property) {
  const Request empty = property.plain(input, Shape{0, 3}, Shape{3, 0});
  if (!property.promised(empty)) return Trial::discarded("rank 2 is not promised");
  return alternate(with_one_payload(input), empty, property);
}

Trial rejected_between(const Request& input, PropertyCheck& property) {
  std::vector<Aim> aims = aims_of(property.dialect());
  std::erase_if(aims, [](const Aim& aim) { return aim.kind != Ruling::Kind::rejects; });
  const Request refused = property.another(property.choices().one_of(aims));
  return alternate(with_one_payload(input), refused, property);
}

Trial other_buffers_between(const Request& asked, PropertyCheck& property) {
  if (asked.shape_only) return Trial::discarded("no bytes are read");
  Request input = with_one_payload(asked);
  Request other = input;
  other.elements.reset();
  other.payload = property.choices().chance(50) ? Payload::hard : Payload::zeros;
  if (!input.strides && property.capabilities().strided_input) other.offset += 8;
  return alternate(input, other, property);
}

Trial other_type_between(const Request& input, PropertyCheck& property) {
  if (input.elements) return Trial::discarded("its elements are written out");
  const std::optional<ElementType> type =
      draw_type(property.promised_types() - ElementTypes{input.data_type}, property.choices());
  if (!type) return Trial::discarded("no other type is promised");
  return alternate(with_one_payload(input), of_type(*type, input), property);
}

Trial other_stride_between(const Request& input, PropertyCheck& property) {
  const Request dense = with_one_payload(property.dense(input));
  if (dense.shape_only || is_empty(dense.data)) return Trial::discarded("no bytes are read");
  const Outcome outcome = property.ask(dense);
  if (!produced(outcome)) return Trial::discarded("no shape is produced");
  Request other = dense;
  for (int attempt = 0; attempt < 16 && !other.strides; ++attempt) {
    draw_layout(other, outcome.shape, property.abilities().layouts, property.choices());
  }
  if (!other.strides) return Trial::discarded("too large, or of too few axes, for a layout");
  return alternate(dense, other, property);
}

Trial other_flag_between(const Request& input, PropertyCheck& property) {
  if (property.dialect().zero != ZeroRule::by_flag) {
    return Trial::discarded("the document has no flag");
  }
  Request request = with_one_payload(input);
  request.make_output_dense();
  std::vector<std::optional<bool>> flags = {true, false, std::nullopt};
  std::erase(flags, request.special_zero);
  Request other = request;
  other.special_zero = flags[property.choices().below(flags.size())];
  return alternate(request, other, property);
}

Trial many_calls(const Request& input, PropertyCheck& property) {
  constexpr int kCalls = 300;
  std::vector<Request> requests = {with_one_payload(input), with_one_payload(property.another()),
                                   with_one_payload(property.another())};
  std::erase_if(requests, [](const Request& request) {
    const auto count = element_count(request.data);
    return !request.shape_only && (!count || *count > 512);
  });
  if (requests.empty()) return Trial::discarded("too large to be asked many times");
  std::vector<Outcome> first;
  for (int call = 0; call < kCalls; ++call) {
    const std::size_t at = static_cast<std::size_t>(call) % requests.size();
    Outcome outcome = property.ask(requests[at]);
    if (first.size() <= at) {
      first.push_back(std::move(outcome));
    } else if (const auto differing = difference(first[at], outcome)) {
      return Trial::broken("at call " + std::to_string(call + 1) + ": " + *differing);
    }
  }
  return Trial::held();
}

namespace {

// Data and a pattern of more axes than are declared, for which an array of so many has no place.
std::vector<Request> beyond_declared_rank(const Request& like, PropertyCheck& property) {
  constexpr std::size_t kMostMore = 30, kMostRank = 64;
  const auto declared = static_cast<std::size_t>(property.capabilities().max_rank);
  if (declared == 0 || declared >= kMostRank) return {};
  const std::size_t most = std::min(kMostRank, declared + kMostMore);
  const std::size_t rank = declared + 1 + property.choices().below(most - declared);
  const Shape one{1}, ones(std::vector<std::int64_t>(rank, 1));
  return {with_one_payload(property.plain(like, one, ones)),
          with_one_payload(property.plain(like, ones, one))};
}

}  // namespace

// Asks for what was not promised before asking for what was; and by another document, since one
// that was looked up for the call before may be kept by no more than where its name lies.
Trial undeclared_between(const Request& input, PropertyCheck& property) {
  std::vector<Request> others = {with_one_payload(input)};
  others[0].dialect = "no-such-document";
  std::vector<std::string> documents = property.capabilities().dialects;
  std::erase(documents, input.dialect);
  if (!documents.empty()) {
    others.push_back(with_one_payload(input));
    others.back().dialect = property.choices().one_of(documents);
  }
  const std::optional<ElementType> type =
      draw_type(ElementTypes::all() - property.capabilities().element_types, property.choices());
  if (type && !input.elements) others.push_back(of_type(*type, input));
  std::ranges::move(beyond_declared_rank(input, property), std::back_inserter(others));
  const Outcome first = property.ask(with_one_payload(input));
  for (const Request& other : others) {
    static_cast<void>(property.ask(other));
    if (property.breakdown()) return Trial::held();  // which is told as such
    if (const auto differing = difference(first, property.ask(with_one_payload(input)))) {
      return Trial::broken("asked again after what another document or type, or more axes, ask: " +
                           *differing);
    }
  }
  return Trial::held();
}

namespace {

// Two lists of two numbers that a hash or a short key takes for each other.
struct Lookalikes {
  std::int64_t one[2], other[2];
};

// By h = h * factor + x, from the front or from the back; of `first` above and `second` of 1 and
// more. A square is the factor where another number stands between the two.
std::vector<Lookalikes> hashed_alike(std::int64_t first, std::int64_t second) {
  std::vector<Lookalikes> pairs;
  for (const std::int64_t factor : {31, 33, 37, 131, 257, 31 * 31, 33 * 33}) {
    pairs.push_back({{first, second + factor}, {first + 1, second}});
    pairs.push_back({{first + factor, second}, {first, second + 1}});
  }
  return pairs;
}

Strides strides_of(const std::int64_t (&two)[2]) { return {two[0], two[1]}; }

// A promised type of which 2^32 elements have room in the address space.
std::optional<ElementType> narrow_type(PropertyCheck& property) {
  ElementTypes narrow;
  for (const ElementType type : property.promised_types()) {
    if (bits(type) <= 16) narrow.insert(type);
  }
  return draw_type(narrow, property.choices());
}

// Asks the dense request with each of these strides of the data or of the output, one after the other.
Trial check_strides_in_turn(const Request& dense, std::optional<Strides> Request::* side,
                            const std::vector<Strides>& turns, PropertyCheck& property) {
  const Outcome right = property.ask(dense);
  if (!produced(right)) return Trial::discarded("the dense request is not answered");
  const Strides* before = nullptr;
  for (const Strides& strides : turns) {
    Request asked = dense;
    asked.*side = strides;
    const Outcome outcome = property.ask(asked);
    std::string told = "with strides " + text_of_sizes(strides);
    if (before != nullptr) told += " after " + text_of_sizes(*before);
    before = &strides;
    // What is too far apart for the address space is not executed.
    if (produced(outcome) && outcome.executions.empty()) continue;
    if (!produced(outcome) || outcome.shape != right.shape) {
      return Trial::broken(told + ": " + text(outcome) + "; dense " + text(right));
    }
    if (elements_of(outcome, dense.data_type) != elements_of(right, dense.data_type)) {
      return Trial::broken(told + ": other elements than dense");
    }
  }
  return Trial::held();
}

// Strides of rows of six elements, each followed by its lookalike.
std::vector<Strides> lookalike_strides() {
  constexpr std::int64_t kRow = 6, kFar = std::int64_t{1} << 32;
  std::vector<Lookalikes> pairs = hashed_alike(10'000, 1);
  pairs.push_back({{kRow, 1}, {kRow + kFar, 1}});
  pairs.push_back({{kRow + 1, 1}, {kRow + 1 + kFar, 1}});  // rows that do not follow each other
  std::vector<Strides> turns;
  for (const Lookalikes& pair : pairs) {
    turns.push_back(strides_of(pair.one));
    turns.push_back(strides_of(pair.other));
  }
  return turns;
}

// Ranks beyond what keys of a fixed size often have room for. Requests of them differ at the end.
constexpr std::array<std::size_t, 4> kLongRanks = {7, 8, 9, 10};

// All sizes are 2 but the last.
Shape twos_and(std::size_t rank, std::int64_t last) {
  std::vector<std::int64_t> sizes(rank, 2);
  sizes.back() = last;
  return Shape(std::move(sizes));
}

// Strides of such a shape whose last size is 3, which differ in one of the last two axes from those
// before.
std::vector<Strides> strides_that_end_otherwise(std::size_t rank) {
  constexpr std::int64_t kEnds[][2] = {{8, 1}, {8, 2}, {6, 2}, {6, 1}, {8, 1}};
  std::int64_t stride = 16;
  Strides strides(rank);
  for (std::size_t axis = rank - 2; axis-- > 0; stride *= 2) strides[axis] = stride;
  std::vector<Strides> turns;
  for (const auto& [before, last] : kEnds) {
    strides[rank - 2] = before;
    strides[rank - 1] = last;
    turns.push_back(strides);
  }
  return turns;
}

// Tables of the same strides and as many elements, whose sizes stand in another order.
Trial check_sizes_of_equal_strides(const Request& like, std::optional<Strides> Request::* side,
                                   PropertyCheck& property) {
  const bool of_data = side == &Request::strides;
  Trial trial = Trial::discarded("such strides are not promised");
  std::optional<std::vector<std::uint64_t>> first;
  for (const Shape& sizes : {Shape{2, 2, 3}, Shape{2, 3, 2}, Shape{3, 2, 2}, Shape{2, 2, 3}}) {
    const Shape row{*element_count(sizes)};
    Request asked =
        with_one_payload(property.plain(like, of_data ? sizes : row, of_data ? row : sizes));
    asked.*side = Strides{100, 10, 1};
    if (asked.shape_only || !property.promised(asked)) continue;
    const Outcome outcome = property.ask(asked);
    if (produced(outcome) && outcome.executions.empty()) continue;
    const std::string told =
        "sizes " + text(sizes) + " of strides " + text_of_sizes(*(asked.*side));
    if (!produced(outcome)) return Trial::broken(told + ": " + text(outcome));
    const auto elements = elements_of(outcome, like.data_type);
    if (first && elements != first) return Trial::broken(told + ": other elements than before");
    first = elements;
    trial = Trial::held();
  }
  return trial;
}

// Data of such sizes, made one axis by a -1.
Trial check_lookalike_sizes(const Request& input, PropertyCheck& property) {
  Trial trial = Trial::discarded("a -1 for all of such data is not promised");
  for (const Lookalikes& pair : hashed_alike(2, 9)) {
    for (const auto& sizes : {pair.one, pair.other}) {
      const Shape row{sizes[0] * sizes[1]};
      Request asked = with_one_payload(property.plain(input, Shape{sizes[0], sizes[1]}, row));
      asked.pattern.values = {-1};
      property.fit_pattern_type(asked);
      if (!property.promised(asked, row)) continue;
      const Outcome outcome = property.ask(asked);
      if (!produced(outcome) || outcome.shape != row) {
        return Trial::broken("after other requests, " + text(asked.data) +
                             " by [-1]: " + text(outcome));
      }
      trial = Trial::held();
    }
  }
  return trial;
}

// Of each two that follow each other one begins like the other, or they differ at the end alone. The
// next one is asked directly after it, where a note of the last request would be taken for it. Some
// have so many axes.
Trial check_lookalike_beginnings(const Request& input, std::size_t rank, PropertyCheck& property) {
  struct Asked {
    Shape data;
    std::vector<PatternValue> pattern;
    Shape output;
  };
  std::vector<Asked> requests = {{{2, 3, 4}, {-1}, {24}}, {{2, 3}, {-1}, {6}},
                                 {{2, 3, 5}, {-1}, {30}}, {{2, 3, 4}, {-1}, {24}},
                                 {{2}, {-1}, {2}},        {{2, 7}, {-1}, {14}},
                                 {{6}, {-1}, {6}},        {{6}, {-1, 1}, {6, 1}},
                                 {{6}, {-1, 6}, {1, 6}},  {{6}, {-1}, {6}},
                                 {{6}, {1, -1}, {1, 6}},  {{6}, {-1}, {6}},
                                 {{6}, {6, -1}, {6, 1}},  {{6}, {6}, {6}},
                                 {{6}, {6, 1}, {6, 1}},   {{6, 1}, {6}, {6}},
                                 {{6}, {3, 2}, {3, 2}},   {{6}, {3, -1, 1}, {3, 2, 1}},
                                 {{6}, {3, 2}, {3, 2}},   {{6}, {3, 1, 2}, {3, 1, 2}}};
  for (const std::int64_t last : {3, 5}) {
    requests.push_back({twos_and(rank, last), {-1}, Shape{last << (rank - 1)}});
  }
  for (const std::int64_t last : {6, 3, 2}) {
    std::vector<std::int64_t> sizes(rank, 1);
    sizes[rank - 2] = 6 / last;
    sizes[rank - 1] = last;
    requests.push_back({{6}, {sizes.begin(), sizes.end()}, Shape(sizes)});
  }
  Trial trial = Trial::discarded("a -1 for all of such data is not promised");
  ElementTypes types;  // that hold a -1
  for (const ElementType type :
       property.dialect().pattern_types & property.capabilities().pattern_types) {
    if (is_signed_integer(type)) types.insert(type);
  }
  const std::optional<ElementType> pattern_type = draw_type(types, property.choices());
  if (!pattern_type) return trial;
  std::string before;
  for (const Asked& one : requests) {
    Request request = with_one_payload(property.plain(input, one.data, one.output));
    request.pattern = {*pattern_type, one.pattern};
    if (!property.promised(request, one.output)) continue;
    const Outcome outcome = property.ask(request);
    const std::string now = text(one.data) + " by " + text_of_pattern(request);
    if (!produced(outcome) || outcome.shape != one.output) {
      return Trial::broken(now + " after " + before + ": " + text(outcome));
    }
    before = now;
    trial = Trial::held();
  }
  return trial;
}

// A shape of very many sizes by its end.
std::string in_few_words(const Outcome& outcome) {
  constexpr std::size_t kFew = 64;
  const std::size_t rank = outcome.shape.rank();
  if (!produced(outcome) || rank <= kFew) return text(outcome);
  return "produced " + std::to_string(rank) + " sizes, the last two " +
         std::to_string(outcome.shape[rank - 2]) + " and " +
         std::to_string(outcome.shape[rank - 1]);
}

// Long lists that differ by two values that change places behind those that a key has room for: in
// the pattern, and in the sizes of data that it copies. Their numbers are also those that 8, 15 and 16
// bits do not count. Of very many only the shape is asked.
Trial check_lookalike_long_lists(const Request& input, PropertyCheck& property) {
  constexpr std::array<std::size_t, 10> kRoom = {8,   12,   16,   32,     64,
                                                 256, 1024, 4096, 32'768, kMostSizes - 2};
  constexpr std::size_t kMostExecuted = 64;
  const ElementTypes types =
      property.dialect().pattern_types & property.capabilities().pattern_types;
  const std::optional<ElementType> drawn = draw_type(types, property.choices());
  Trial trial = Trial::discarded("such ranks are not promised");
  if (!drawn) return trial;
  // The type that most ask with, and another one.
  for (const ElementType type : ElementTypes{ElementType::i64, *drawn} & types) {
    for (const std::size_t room : kRoom) {
      for (const bool copied : {false, true}) {
        for (const auto& [before, last] : {std::pair(2, 3), std::pair(3, 2)}) {
          std::vector<std::int64_t> sizes(room, 1);
          sizes.insert(sizes.end(), {before, last});
          const Shape shape(sizes), row{before * last};
          Request request = with_one_payload(property.plain(input, copied ? shape : row, shape));
          request.shape_only |= room > kMostExecuted;
          request.pattern.type = type;
          if (copied) {
            std::ranges::fill(request.pattern.values, 0);
            if (request.special_zero) request.special_zero = true;
          }
          if (!property.promised(request, shape)) continue;
          const Outcome outcome = property.ask(request);
          if (!produced(outcome) || outcome.shape != shape) {
            return Trial::broken((copied ? "data of " : "a pattern of ") + std::to_string(room) +
                                 " ones, " + std::to_string(before) + " and " +
                                 std::to_string(last) + (copied ? ", all copied," : "") +
                                 " after one that ends otherwise: " + in_few_words(outcome));
          }
          trial = Trial::held();
        }
      }
    }
  }
  return trial;
}

// Strides that are not given, and strides of 0: into rows with a gap, whose copies are planned.
Trial check_lookalike_no_strides(const Request& dense, PropertyCheck& property) {
  const Outcome right = property.ask(dense);
  if (!produced(right)) return Trial::discarded("the dense request is not answered");
  for (const bool given : {false, true, false, true}) {
    Request asked = dense;
    asked.out_strides = Strides{7, 1};
    if (given) asked.strides = Strides{0, 0};
    const Outcome outcome = property.ask(asked);
    if (produced(outcome) && outcome.executions.empty()) continue;
    const std::string told = given ? "with strides [0,0] after none" : "without strides";
    if (!produced(outcome) || outcome.shape != right.shape) {
      return Trial::broken(told + ": " + text(outcome));
    }
    const auto elements = elements_of(outcome, dense.data_type);
    const bool repeated = !elements || std::ranges::count(*elements, elements->front()) ==
                                           static_cast<std::ptrdiff_t>(elements->size());
    if (given ? !repeated : elements != elements_of(right, dense.data_type)) {
      return Trial::broken(told + ": other elements");
    }
  }
  return Trial::held();
}

// The same request of another document.
Trial check_lookalike_document(const Request& input, PropertyCheck& property) {
  std::vector<std::string> dialects = property.capabilities().dialects;
  std::erase(dialects, input.dialect);
  if (dialects.empty()) return Trial::discarded("no other document is declared");
  Request other = with_one_payload(input);
  other.dialect = dialects[property.choices().below(dialects.size())];
  return alternate(with_one_payload(input), other, property);
}

// Requests with the same key where the pattern's type is forgotten beside its bytes, or all of it but
// its width, or where the sizes of the data end.
Trial check_lookalike_patterns(const Request& input, PropertyCheck& property) {
  std::vector<std::pair<Request, Request>> pairs;
  const ElementTypes types =
      property.dialect().pattern_types & property.capabilities().pattern_types;
  for (const auto& [wide, narrow] : {std::pair(ElementType::i64, ElementType::i32),
                                     std::pair(ElementType::i32, ElementType::i16),
                                     std::pair(ElementType::i16, ElementType::i8)}) {
    if (!types.contains(wide) || !types.contains(narrow)) continue;
    Request one = with_one_payload(property.plain(input, Shape{6, 1}, Shape{6})), other = one;
    one.pattern.type = wide;
    other.pattern.type = narrow;
    other.pattern.values = {6, 0};
    pairs.emplace_back(std::move(one), std::move(other));
  }
  for (const auto& [of_sign, of_none] : {std::pair(ElementType::i64, ElementType::u64),
                                         std::pair(ElementType::i32, ElementType::u32),
                                         std::pair(ElementType::i16, ElementType::u16),
                                         std::pair(ElementType::i8, ElementType::u8)}) {
    if (!types.contains(of_sign) || !types.contains(of_none)) continue;
    Request one = with_one_payload(property.plain(input, Shape{6}, Shape{6})), other = one;
    one.pattern = {of_sign, {-1}};
    other.pattern = {of_none, {highest(of_none)}};
    pairs.emplace_back(std::move(one), std::move(other));
  }
  pairs.emplace_back(with_one_payload(property.plain(input, Shape{1, 1}, Shape{1})),
                     with_one_payload(property.plain(input, Shape{1}, Shape{1, 1})));
  const auto& [one, other] = pairs[property.choices().below(pairs.size())];
  return alternate(one, other, property);
}

// The same values as a list and as a table, which many documents refuse.
Trial check_lookalike_forms(const Request& input, PropertyCheck& property) {
  if (property.dialect().pattern_given_as != PatternSource::tensor) {
    return Trial::discarded("the pattern is an attribute");
  }
  const Request list = with_one_payload(property.plain(input, Shape{6}, Shape{2, 3}));
  if (!property.promised(list)) return Trial::discarded("rank 2 is not promised");
  for (const Shape& form : {Shape{1, 2}, Shape{2, 1}}) {
    Request table = list;
    table.pattern.tensor_shape = form;
    const Trial trial = alternate(list, table, property);
    if (trial.kind != Trial::Kind::held) return trial;
  }
  return Trial::held();
}

}  // namespace

Trial lookalikes(const Request& input, PropertyCheck& property) {
  Trial all = Trial::discarded("such requests are not promised");
  const std::size_t rank = property.choices().one_of(kLongRanks);
  const auto ask = [&](const auto& check) {
    if (all.kind == Trial::Kind::broken) return;
    Trial next = check();
    if (next.kind != Trial::Kind::discarded) all = std::move(next);
  };
  ask([&] { return check_lookalike_sizes(input, property); });
  ask([&] { return check_lookalike_beginnings(input, rank, property); });
  ask([&] { return check_lookalike_long_lists(input, property); });
  ask([&] { return check_lookalike_document(input, property); });
  ask([&] { return check_lookalike_patterns(input, property); });
  ask([&] { return check_lookalike_forms(input, property); });
  Request like = input;
  like.data_type = narrow_type(property).value_or(input.data_type);
  const Capabilities& can = property.capabilities();
  const auto ask_strides = [&](const Shape& split, const std::vector<Strides>& turns) {
    const Shape row{*element_count(split)};
    for (const auto side : {&Request::strides, &Request::out_strides}) {
      const bool of_data = side == &Request::strides;
      const Request dense =
          with_one_payload(property.plain(like, of_data ? split : row, of_data ? row : split));
      const bool declared = of_data ? can.strided_input : can.strided_output;
      if (!declared || dense.shape_only || !property.promised(dense)) continue;
      ask([&] { return check_strides_in_turn(dense, side, turns, property); });
    }
  };
  if (can.strided_input) {
    ask([&] { return check_sizes_of_equal_strides(like, &Request::strides, property); });
  }
  if (can.strided_output) {
    ask([&] { return check_sizes_of_equal_strides(like, &Request::out_strides, property); });
  }
  ask_strides(Shape{2, 6}, lookalike_strides());
  ask_strides(twos_and(rank, 3), strides_that_end_otherwise(rank));
  const Request table = with_one_payload(property.plain(like, Shape{4, 5}, Shape{4, 5}));
  if (can.strided_input && can.strided_output && !table.shape_only && property.promised(table)) {
    ask([&] { return check_lookalike_no_strides(table, property); });
  }
  return all;
}

// A plan that is kept by where the pattern or the data lies, or what a refused execution leaves,
// shows only where no inference in between makes it right. Of bytes, and of the input's type, which
// may go another way.
Trial executions_in_turn(const Request& input, PropertyCheck& property) {
  const ElementTypes promised = property.promised_types();
  const auto byte =
      std::ranges::find_if(promised, [](ElementType type) { return bits(type) == 8; });
  ElementTypes types{input.data_type};
  if (byte != promised.end()) types.insert(*byte);
  const Shape most{4, 3}, most_out{6, 2}, data{2, 3}, output{3, 2};
  Trial trial = Trial::discarded("rank 2 is not promised");
  for (const ElementType type : types) {
    Request like = input;
    like.data_type = type;
    like.shape_only = false;
    const Request largest = property.plain(like, most, most_out);
    Request request = largest;  // its pattern's type holds all of their sizes
    request.data = data;
    request.pattern.values.assign(output.begin(), output.end());
    if (!property.promised(largest, most_out) || !property.promised(request, output)) continue;
    const std::optional<Outcome> outcome = property.ask_under(request, Hardship::executed_in_turn);
    if (!outcome) return Trial::discarded("this way of reaching it infers before each execution");
    if (outcome->kind == Outcome::Kind::unsupported) {
      return Trial::unfinished("it executes such requests wrongly alone, or takes too long");
    }
    if (outcome->kind != Outcome::Kind::produced) return Trial::broken(told_by(*outcome));
    trial = Trial::held();
  }
  return trial;
}

}  // namespace reshape::conformance::laws
