#include "conformance/self/displace.h"

#include <algorithm>

#include "conformance/abi/dlpack_types.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance::self {
namespace {

Layout layout_of(const DLTensor& tensor) {
  const Shape shape = shape_of(tensor);
  if (tensor.strides != nullptr) {
    return {shape, Strides(tensor.strides, tensor.strides + tensor.ndim), 0};
  }
  return {shape, row_major_strides(shape).value_or(Strides(shape.rank(), 1)), 0};
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

bool in_place(const reshape_request& request, const DLTensor& output) {
  return address_of(*request.data) == address_of(output);
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

Steps takes_another(Where wrong, std::function<std::int64_t(const Copy&, std::int64_t)> source) {
  return after_execute([=](const reshape_request& request, DLTensor& output) {
    const Copy copy(request, output);
    if (copy.out.count() == 0 || !wrong(copy)) return;
    const std::vector<std::uint64_t> from = collect(*request.data);
    std::vector<std::uint64_t> to = from;
    for (std::int64_t at = 0; at < copy.out.count(); ++at) {
      const std::int64_t read = source(copy, at);
      if (read < 0 || read >= copy.data.count()) continue;
      to[static_cast<std::size_t>(at)] = from[static_cast<std::size_t>(read)];
    }
    put(output, to);
  });
}

Steps reads_at_another_index(WhereData wrong,
                             std::function<void(const Walk&, std::vector<std::int64_t>&)> change) {
  return takes_another([=](const Copy& c) { return wrong(c.data); },
                       [=](const Copy& c, std::int64_t at) {
                         std::vector<std::int64_t> index = c.data.index(at);
                         change(c.data, index);
                         return c.data.number(index);
                       });
}

Steps leaves(Where wrong, Which keeps) {
  return executing([=](const reshape_request* request, DLTensor* output, reshape_message* why) {
    const Copy copy(*request, *output);
    const bool is_wrong = output->data != nullptr && copy.out.count() > 0 && wrong(copy);
    const std::vector<std::uint64_t> before =
        is_wrong ? collect(*output) : std::vector<std::uint64_t>{};
    const reshape_status status = right().execute(request, output, why);
    if (status != RESHAPE_OK || !is_wrong) return status;
    Elements now(*output);
    for (std::int64_t at = 0; at < now.count(); ++at) {
      if (keeps(copy, at)) now.set(at, before[static_cast<std::size_t>(at)]);
    }
    return status;
  });
}

Steps spoils_where(Where wrong, std::function<void(Elements&)> change) {
  return after_execute([=](const reshape_request& request, DLTensor& output) {
    const Copy copy(request, output);
    if (copy.out.count() == 0 || !wrong(copy)) return;
    Elements elements(output);
    change(elements);
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

Steps loses(Where wrong, std::function<Numbers(const Copy&)> lost) {
  return executing([=](const reshape_request* request, DLTensor* output, reshape_message* why) {
    const Copy copy(*request, *output);
    std::vector<std::pair<std::int64_t, std::uint64_t>> before;
    if (output->data != nullptr && copy.out.count() > 0 && wrong(copy)) {
      for (std::int64_t at : lost(copy)) before.emplace_back(at, element_at(copy.out, *output, at));
    }
    const reshape_status status = right().execute(request, output, why);
    if (status != RESHAPE_OK) return status;
    for (const auto& [at, bits] : before) set_element(copy.out, *output, at, bits);
    return status;
  });
}

Steps loses_the_first(Where wrong) {
  return loses(std::move(wrong), [](const Copy&) { return Numbers{0}; });
}

Steps loses_the_last(Where wrong) {
  return loses(std::move(wrong), [](const Copy& c) { return Numbers{c.out.count() - 1}; });
}

Steps moves(Where wrong, std::function<Moves(const Copy&)> moved) {
  return after_execute([=](const reshape_request& request, DLTensor& output) {
    const Copy copy(request, output);
    if (copy.out.count() == 0 || !wrong(copy)) return;
    std::vector<std::pair<std::int64_t, std::uint64_t>> after;
    for (const auto& [to, from] : moved(copy)) {
      after.emplace_back(to, element_at(copy.data, *request.data, from));
    }
    for (const auto& [at, bits] : after) set_element(copy.out, output, at, bits);
  });
}

Steps repeats_before_the_last(Where wrong) {
  return moves(std::move(wrong),
               [](const Copy& c) { return Moves{{c.data.count() - 1, c.data.count() - 2}}; });
}

Moves shifted(std::int64_t begin, std::int64_t count, std::int64_t back) {
  Moves wrong;
  for (std::int64_t at : from_to_end(begin, count)) wrong.emplace_back(at, at - back);
  return wrong;
}

Moves ends_of_rows(std::int64_t row, std::int64_t count) {
  Moves wrong;
  for (std::int64_t at = row - 1; at < count; at += row) {
    if (row > 1) wrong.emplace_back(at, at - 1);
  }
  return wrong;
}

bool rows_with_gaps(const Walk& walk) {
  return walk.rank() == 2 && walk.stride(1) == 1 && walk.stride(0) > walk.size(1);
}

bool lies_turned(const Walk& walk) {
  return walk.rank() == 2 && walk.stride(0) == 1 && walk.stride(1) > 1;
}

bool turned(const Walk& walk) {
  return walk.rank() >= 2 && walk.last_size(0) > 1 && walk.last_size(1) > 1 &&
         walk.last_stride(1) == 1 && walk.last_stride(0) > 1;
}

}  // namespace reshape::conformance::self
