#include "conformance/self/spoil.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "conformance/abi/dlpack_types.h"
#include "reference/tensor/declared_dialects.h"
#include "reference/tensor/tensor_view.h"
#include "reference/tensor/zero_copies.h"

// The entry of the reference, compiled under this name.
extern "C" const reshape_plugin* reshape_right_entry(void);

namespace reshape::conformance::self {
namespace {

PatternValue value_of(ElementType type, std::uint64_t element) {
  if (!is_signed_integer(type)) return element;
  const int unused = 64 - bits(type);
  return static_cast<std::int64_t>(element << unused) >> unused;
}

}  // namespace

const reshape_plugin& right() { return *reshape_right_entry(); }

Shape shape_of(const DLTensor& tensor) {
  return Shape(std::vector<std::int64_t>(tensor.shape, tensor.shape + tensor.ndim));
}

Layout layout_of(const DLTensor& tensor) {
  const Shape shape = shape_of(tensor);
  if (tensor.strides != nullptr) {
    return {shape, Strides(tensor.strides, tensor.strides + tensor.ndim), 0};
  }
  return {shape, row_major_strides(shape).value_or(Strides(shape.rank(), 1)), 0};
}

bool empty(const DLTensor& tensor) { return is_empty(shape_of(tensor)); }

bool walks_backwards(const DLTensor& tensor) {
  for (std::int32_t axis = 0; tensor.strides != nullptr && axis < tensor.ndim; ++axis) {
    if (tensor.strides[axis] < 0) return true;
  }
  return false;
}

std::byte* start_of(const DLTensor& tensor) {
  return static_cast<std::byte*>(tensor.data) + tensor.byte_offset;
}

std::int64_t bytes_of(const DLTensor& tensor) {
  return bytes_for(*element_type_of(tensor.dtype), touched(layout_of(tensor)).last + 1);
}

Elements::Elements(const DLTensor& tensor)
    : type_(element_type_of(tensor.dtype).value_or(ElementType::u8)), base_(start_of(tensor)) {
  const Shape shape = shape_of(tensor);
  if (is_empty(shape)) return;
  const Layout layout = layout_of(tensor);
  std::vector<std::int64_t> index(shape.rank(), 0);
  do {
    positions_.push_back(position_of(layout, index));
  } while (next_index(shape, index));
}

std::uint64_t Elements::get(std::int64_t at) const {
  return load_element(type_, base_, positions_[static_cast<std::size_t>(at)]);
}

void Elements::set(std::int64_t at, std::uint64_t bits) {
  store_element(type_, base_, positions_[static_cast<std::size_t>(at)], bits);
}

void Elements::swap(std::int64_t a, std::int64_t b) {
  const std::uint64_t kept = get(a);
  set(a, get(b));
  set(b, kept);
}

Asked::Asked(const reshape_request& request)
    : special_zero(request.special_zero),
      dialect(request.dialect),
      data_type(element_type_of(request.data->dtype).value_or(ElementType::u8)),
      pattern_type(element_type_of(request.pattern->dtype).value_or(ElementType::f32)),
      data(shape_of(*request.data)),
      pattern_shape(shape_of(*request.pattern)),
      original_(request),
      changed_(request),
      pattern_tensor_(*request.pattern) {
  read_pattern_as(pattern_type);
}

void Asked::read_pattern_as(ElementType type) {
  pattern_type = type;
  pattern.clear();
  if (!is_integer(type)) return;
  const Elements values(*original_.pattern);
  for (std::int64_t at = 0; at < values.count(); ++at) {
    pattern.push_back(value_of(type, values.get(at)));
  }
}

bool Asked::zero_copies() const {
  if (special_zero != RESHAPE_FLAG_MISSING) return special_zero == RESHAPE_FLAG_TRUE;
  const Dialect* read = declared_dialect(dialect);
  return read != nullptr && reshape::zero_copies(*read, std::nullopt);
}

std::size_t Asked::minus_ones() const {
  return static_cast<std::size_t>(std::count(pattern.begin(), pattern.end(), -1));
}

std::vector<PatternValue> Asked::with_zeros_copied() const {
  std::vector<PatternValue> values = pattern;
  if (!zero_copies()) return values;
  for (std::size_t at = 0; at < values.size(); ++at) {
    if (values[at] == 0) values[at] = at < data.rank() ? data[at] : 1;
  }
  return values;
}

const reshape_request* Asked::request() {
  changed_.special_zero = special_zero;
  changed_.dialect = dialect.c_str();
  if (!is_integer(pattern_type)) return &changed_;
  const std::int64_t count = static_cast<std::int64_t>(pattern.size());
  pattern_bytes_.assign(static_cast<std::size_t>(bytes_for(pattern_type, count)) + 1, std::byte{0});
  for (std::int64_t at = 0; at < count; ++at) {
    store_element(pattern_type, pattern_bytes_.data(), at,
                  static_cast<std::uint64_t>(pattern[static_cast<std::size_t>(at)]));
  }
  // A pattern keeps its shape if the number of values is the same; else it becomes one-dimensional.
  pattern_sizes_.assign(pattern_shape.begin(), pattern_shape.end());
  if (element_count(pattern_shape) != count) pattern_sizes_ = {count};
  pattern_tensor_.ndim = static_cast<std::int32_t>(pattern_sizes_.size());
  pattern_tensor_.shape = pattern_sizes_.data();
  pattern_tensor_.dtype = dl_type_of(pattern_type);
  pattern_tensor_.strides = nullptr;
  pattern_tensor_.data = pattern_bytes_.data();
  pattern_tensor_.byte_offset = 0;
  changed_.pattern = &pattern_tensor_;
  return &changed_;
}

reshape_status Call::answer(reshape_status status, const char* sentence) const {
  std::snprintf(why.text, sizeof why.text, "%s", sentence);
  return status;
}

reshape_status Inference::right(const reshape_request& instead) const {
  return self::right().infer_shape(&instead, &shape, &why);
}

reshape_status Execution::right(const reshape_request& instead, DLTensor& into) const {
  return self::right().execute(&instead, &into, &why);
}

reshape_status Execution::right_view() const { return self::right().view(&request, &output, &why); }

reshape_status write_shape(const Sizes& sizes, const Inference& call) {
  reshape_shape& shape = call.shape;
  if (std::ssize(sizes) > shape.capacity) {
    return call.answer(RESHAPE_FAILED, "the shape does not fit");
  }
  std::copy(sizes.begin(), sizes.end(), shape.sizes);
  shape.rank = static_cast<std::int32_t>(sizes.size());
  return RESHAPE_OK;
}

reshape_status copy_what_fits(const DLTensor& data, DLTensor& output) {
  const Elements from(data);
  Elements to(output);
  const std::int64_t count = std::min(from.count(), to.count());
  for (std::int64_t at = 0; at < count; ++at) to.set(at, from.get(at));
  return RESHAPE_OK;
}

void lose(std::size_t size) {
  // Volatile, so that the compiler does not remove the allocation.
  static volatile std::uintptr_t lost;
  lost = lost + reinterpret_cast<std::uintptr_t>(std::malloc(size));
}

Steps infers_then(std::function<reshape_status(reshape_status, const Inference&)> change) {
  return inferring([=](const Inference& call) { return change(call.right(), call); });
}

Steps after_infer(std::function<void(const reshape_request&, reshape_shape&)> change) {
  return infers_then([=](reshape_status status, const Inference& call) {
    if (status == RESHAPE_OK) change(call.request, call.shape);
    return status;
  });
}

Steps after_execute(std::function<void(const reshape_request&, DLTensor&)> change) {
  return executing([=](const Execution& call) {
    const reshape_status status = call.right();
    if (status == RESHAPE_OK) change(call.request, call.output);
    return status;
  });
}

Steps before_each_call(std::function<void()> task) {
  return answering([=](const auto& call) {
    task();
    return call.right();
  });
}

Steps misunderstand(std::function<void(Asked&)> change) {
  return answering([=](const auto& call) {
    Asked asked(call.request);
    change(asked);
    return call.right(*asked.request());
  });
}

}  // namespace reshape::conformance::self
