#include "conformance/self/displace.h"

#include <algorithm>

#include "conformance/abi/dlpack_types.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance::self {
namespace {

template <typename Number>
Condition<Walk> is(Number number, const Length& length) {
  return [=](const Walk& walk) { return length(static_cast<std::int64_t>((walk.*number)())); };
}

std::int64_t place_in(std::int64_t line, const DLTensor& tensor) {
  return static_cast<std::int64_t>(address_of(tensor) % static_cast<std::uintptr_t>(line));
}

}  // namespace

Walk::Walk(const DLTensor& tensor)
    : type_(element_type_of(tensor.dtype).value_or(ElementType::u8)),
      layout_(layout_of(tensor)),
      count_(element_count(layout_.shape).value_or(0)) {}

std::int64_t Walk::last_size(std::size_t from_end) const {
  return from_end < rank() ? size(rank() - 1 - from_end) : 1;
}

std::int64_t Walk::last_stride(std::size_t from_end) const {
  return from_end < rank() ? stride(rank() - 1 - from_end) : 0;
}

std::vector<std::int64_t> Walk::index(std::int64_t number) const {
  std::vector<std::int64_t> index(rank());
  for (std::size_t axis = rank(); axis-- > 0; number /= size(axis)) {
    index[axis] = number % size(axis);
  }
  return index;
}

std::int64_t Walk::number(std::vector<std::int64_t> index) const {
  std::int64_t number = 0;
  for (std::size_t axis = 0; axis < rank(); ++axis) {
    number = number * size(axis) + index[axis] % size(axis);
  }
  return number;
}

std::int64_t Walk::position(std::int64_t number) const {
  return position_of(layout_, index(number));
}

bool Walk::any_stride(const std::function<bool(std::int64_t)>& is) const {
  for (std::size_t axis = 0; axis < rank(); ++axis) {
    if (size(axis) > 1 && is(stride(axis))) return true;
  }
  return false;
}

bool Walk::backwards() const {
  return any_stride([](std::int64_t stride) { return stride < 0; });
}

bool Walk::repeats() const {
  return any_stride([](std::int64_t stride) { return stride == 0; });
}

bool Walk::permuted() const {
  std::int64_t before = INT64_MAX;
  for (std::size_t axis = 0; axis < rank(); ++axis) {
    if (size(axis) == 1) continue;
    if (stride(axis) > before) return true;
    before = stride(axis);
  }
  return false;
}

bool Walk::gaps() const { return touched(layout_).count() > count_; }

std::uintptr_t address_of(const DLTensor& tensor) {
  return reinterpret_cast<std::uintptr_t>(tensor.data) + tensor.byte_offset;
}

bool in_place(const Copy& copy) {
  return address_of(*copy.request.data) == address_of(copy.output);
}

bool overlapping(const Copy& copy) {
  if (copy.data.count() == 0) return false;
  const auto bytes = [](const DLTensor& tensor, const Walk& walk) {
    const ElementRange places = touched(walk.layout());
    const auto start = static_cast<std::int64_t>(address_of(tensor));
    return std::pair(start + ((places.first * walk.width()) >> 3),
                     start + ((places.last * walk.width() + walk.width() - 1) >> 3));
  };
  const auto [first_read, last_read] = bytes(*copy.request.data, copy.data);
  const auto [first_written, last_written] = bytes(copy.output, copy.out);
  return first_read <= last_written && first_written <= last_read;
}

std::vector<std::uint64_t> collect(const DLTensor& tensor) {
  const Elements elements(tensor);
  std::vector<std::uint64_t> all;
  all.reserve(static_cast<std::size_t>(elements.count()));
  for (std::int64_t at = 0; at < elements.count(); ++at) all.push_back(elements.get(at));
  return all;
}

void put(DLTensor& tensor, const std::vector<std::uint64_t>& all) {
  Elements elements(tensor);
  for (std::int64_t at = 0; at < elements.count(); ++at) {
    elements.set(at, all[static_cast<std::size_t>(at)]);
  }
}

std::vector<std::uint64_t> collect_by(const Strides& strides, const DLTensor& tensor) {
  const Walk walk(tensor);
  const Layout layout{walk.layout().shape, strides, 0};
  const ElementRange range = touched(walk.layout());
  std::vector<std::uint64_t> all;
  for (std::int64_t at = 0; at < walk.count(); ++at) {
    const std::int64_t position = position_of(layout, walk.index(at));
    all.push_back(
        load_element(walk.type(), start_of(tensor), std::clamp(position, range.first, range.last)));
  }
  return all;
}

Length::Length(std::int64_t exactly)
    : Length([=](std::int64_t length) { return length == exactly; }, std::to_string(exactly)) {}

std::string Length::of(std::string_view unit) const {
  return said(words_, " ", unit, words_ == "1" ? "" : "s");
}

Length tail(std::int64_t block, std::int64_t rest, std::int64_t beyond) {
  const std::int64_t fewest = beyond < rest ? 0 : (beyond - rest) / block + 1;  // blocks
  const std::string bound = rest > 0 || fewest > 1 ? said(" (n > ", fewest - 1, ")") : "";
  return {[=](std::int64_t length) { return length > beyond && length % block == rest; },
          said(block, "n", rest == 0 ? "" : said(" + ", rest), fewest == 0 ? "" : bound)};
}

Length behind(std::int64_t block, std::int64_t rest) { return tail(block, rest, block); }

Length whole(std::int64_t block) { return tail(block, 0); }

Length tails(std::int64_t block, std::int64_t first, std::int64_t last) {
  return {[=](std::int64_t length) {
            return length > block && length % block >= first && length % block <= last;
          },
          said(block, "n + ", first, "..", last, " (n > 0)")};
}

Length at_least(std::int64_t least) {
  return {[=](std::int64_t length) { return length >= least; }, said(least, " or more")};
}

Length above(std::int64_t most) {
  return {[=](std::int64_t length) { return length > most; }, said("more than ", most)};
}

Length below(std::int64_t bound) {
  return {[=](std::int64_t length) { return length < bound; }, said("less than ", bound)};
}

When of_data(const Trait& trait) {
  return {said("data ", trait.words), [=](const Copy& c) { return trait(c.data); }};
}

When of_output(const Trait& trait) {
  return {said("an output ", trait.words), [=](const Copy& c) { return trait(c.out); }};
}

When of_both(const Trait& trait) {
  return {said("data and output ", trait.words),
          [=](const Copy& c) { return trait(c.data) && trait(c.out); }};
}

Trait rank_is(const Length& length) {
  return {said("of rank ", length.words()), is(&Walk::rank, length)};
}

Trait width_is(const Length& length) {
  return {said("of ", length.of("bit"), " an element"), is(&Walk::width, length)};
}

Trait count_is(const Length& length) {
  return {said("of ", length.of("element")), is(&Walk::count, length)};
}

Trait bytes_are(const Length& length) {
  return {said("of ", length.of("byte")), is(&Walk::bytes, length)};
}

Trait from_kib(std::int64_t kib) {
  return {said("of ", kib < kMiB ? kib : kib / kMiB, kib < kMiB ? " KiB" : " MiB", " or more"),
          is(&Walk::bytes, at_least(kib << 10))};
}

Trait type_is(ElementType type) {
  return [=](const Walk& walk) { return walk.type() == type; };
}

Trait size_is(std::size_t axis, const Length& length) {
  return {said("with ", length.of("element"), " on axis ", axis),
          [=](const Walk& walk) { return axis < walk.rank() && length(walk.size(axis)); }};
}

Trait stride_is(std::size_t axis, const Length& length) {
  return {said("with a stride of ", length.words(), " on axis ", axis),
          [=](const Walk& walk) { return axis < walk.rank() && length(walk.stride(axis)); }};
}

Trait last_size_is(const Length& length) {
  return {said("with ", length.of("element"), " on its last axis"),
          [=](const Walk& walk) { return length(walk.last_size(0)); }};
}

Trait last_stride_is(const Length& length) {
  return {said("with a stride of ", length.words(), " on its last axis"),
          [=](const Walk& walk) { return length(walk.last_stride(0)); }};
}

When data_begins(std::int64_t line, const Length& at) {
  return {said("data that begins at byte ", at.words(), " of a line of ", line),
          [=](const Copy& c) { return at(place_in(line, *c.request.data)); }};
}

When output_begins(std::int64_t line, const Length& at) {
  return {said("an output that begins at byte ", at.words(), " of a line of ", line),
          [=](const Copy& c) { return at(place_in(line, c.output)); }};
}

When aligned_differently(std::int64_t line) {
  return {said("data and output at other places in a line of ", line), [=](const Copy& c) {
            return place_in(line, *c.request.data) != place_in(line, c.output);
          }};
}

Effect spoils(std::function<void(const Copy&)> change) {
  return {"", [=](Where wrong) {
            return after_execute([=](const reshape_request& request, DLTensor& output) {
              const Copy copy(request, output);
              if (copy.out.count() > 0 && wrong(copy)) change(copy);
            });
          }};
}

Effect spoils_elements(std::function<void(Elements&)> change) {
  return spoils([=](const Copy& copy) {
    Elements elements(copy.output);
    change(elements);
  });
}

Effect takes_another(std::function<std::int64_t(const Copy&, std::int64_t)> source) {
  return spoils([=](const Copy& copy) {
    const std::vector<std::uint64_t> from = collect(*copy.request.data);
    std::vector<std::uint64_t> to = from;
    for (std::int64_t at = 0; at < copy.out.count(); ++at) {
      const std::int64_t read = source(copy, at);
      if (read < 0 || read >= copy.data.count()) continue;
      to[static_cast<std::size_t>(at)] = from[static_cast<std::size_t>(read)];
    }
    put(copy.output, to);
  });
}

Effect reads_at_another_index(std::function<void(const Walk&, Index&)> change) {
  return takes_another([=](const Copy& copy, std::int64_t at) {
    Index index = copy.data.index(at);
    change(copy.data, index);
    return copy.data.number(index);
  });
}

Effect mixes(std::function<std::uint64_t(const Copy&, const Element&)> mix) {
  return {"", [=](Where wrong) {
            return executing([=](const Execution& call) {
              const Copy copy(call.request, call.output);
              if (call.output.data == nullptr || copy.out.count() == 0 || !wrong(copy)) {
                return call.right();
              }
              const std::vector<std::uint64_t> before = collect(call.output);
              const reshape_status status = call.right();
              if (status != RESHAPE_OK) return status;
              Elements now(call.output);
              for (std::int64_t at = 0; at < now.count(); ++at) {
                now.set(at, mix(copy, {at, before[static_cast<std::size_t>(at)], now.get(at)}));
              }
              return status;
            });
          }};
}

Effect leaves(std::function<bool(const Copy&, std::int64_t)> keeps) {
  return mixes([=](const Copy& copy, const Element& one) {
    return keeps(copy, one.number) ? one.before : one.now;
  });
}

bool behind_blocks(std::int64_t at, std::int64_t size, std::int64_t block) {
  return size > block && at >= size / block * block;
}

Effect loses_tails_of_rows(std::int64_t block) {
  return leaves([=](const Copy& copy, std::int64_t at) {
    const std::int64_t row = copy.out.last_size(0);
    return behind_blocks(at % row, row, block);
  });
}

std::uint64_t element_at(const Walk& walk, const DLTensor& tensor, std::int64_t number) {
  return load_element(walk.type(), start_of(tensor), walk.position(number));
}

void set_element(const Walk& walk, const DLTensor& tensor, std::int64_t number,
                 std::uint64_t bits) {
  store_element(walk.type(), start_of(tensor), walk.position(number), bits);
}

Numbers from_to_end(std::int64_t begin, std::int64_t count) {
  Numbers numbers;
  for (std::int64_t at = begin; at < count && at < begin + 4096; ++at) numbers.push_back(at);
  return numbers;
}

Effect loses(std::function<Numbers(const Copy&)> lost) {
  return {"", [=](Where wrong) {
            return executing([=](const Execution& call) {
              const Copy copy(call.request, call.output);
              std::vector<std::pair<std::int64_t, std::uint64_t>> before;  // and their bits
              if (call.output.data != nullptr && copy.out.count() > 0 && wrong(copy)) {
                for (const std::int64_t at : lost(copy)) {
                  before.emplace_back(at, element_at(copy.out, call.output, at));
                }
              }
              const reshape_status status = call.right();
              if (status != RESHAPE_OK) return status;
              for (const auto& [at, bits] : before) set_element(copy.out, call.output, at, bits);
              return status;
            });
          }};
}

Effect loses_from(std::function<std::int64_t(const Copy&)> begin) {
  return loses([=](const Copy& c) { return from_to_end(begin(c), c.out.count()); });
}

Effect tail_lost(std::int64_t block) {
  return worded(said("what is behind full blocks of ", block, " is not written"),
                loses_from([=](const Copy& c) { return c.out.count() / block * block; }));
}

const Effect kFirstLost =
    worded("the first element is not written", loses([](const Copy&) { return Numbers{0}; }));
const Effect kMiddleLost = worded("the element in the middle is not written",
                                  loses([](const Copy& c) { return Numbers{c.out.count() / 2}; }));
const Effect kLastLost = worded("the last element is not written",
                                loses([](const Copy& c) { return Numbers{c.out.count() - 1}; }));
const Effect kLastRowLost =
    worded("the last row is not written",
           loses_from([](const Copy& c) { return c.out.count() - c.out.last_size(0); }));
const Effect kEndsOfRowsLost =
    worded("the last element of each row is not written", loses([](const Copy& c) {
             Numbers ends;
             const std::int64_t row = c.out.last_size(0);
             for (std::int64_t at = row - 1; at < c.out.count(); at += row) ends.push_back(at);
             return ends;
           }));

Effect moves(std::function<Moves(const Copy&)> moved) {
  return spoils([=](const Copy& copy) {
    std::vector<std::pair<std::int64_t, std::uint64_t>> after;
    for (const auto& [to, from] : moved(copy)) {
      after.emplace_back(to, element_at(copy.data, *copy.request.data, from));
    }
    for (const auto& [at, bits] : after) set_element(copy.out, copy.output, at, bits);
  });
}

Moves shifted(std::int64_t begin, std::int64_t count, std::int64_t back) {
  Moves wrong;
  for (const std::int64_t at : from_to_end(begin, count)) wrong.emplace_back(at, at - back);
  return wrong;
}

const Effect kLastRepeats =
    worded("the last element is read as the one before", moves([](const Copy& c) {
             const std::int64_t last = c.data.count() - 1;
             return last > 0 ? Moves{{last, last - 1}} : Moves{};
           }));
const Effect kEndsOfRowsRepeatOthers =
    worded("the last element of each row is read as the one before", moves([](const Copy& c) {
             const std::int64_t row = c.data.last_size(0);
             Moves wrong;
             for (std::int64_t at = row - 1; row > 1 && at < c.data.count(); at += row) {
               wrong.emplace_back(at, at - 1);
             }
             return wrong;
           }));

}  // namespace reshape::conformance::self
