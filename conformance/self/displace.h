#pragma once

#include <cstdint>
#include <vector>

#include "conformance/self/spoil.h"

// The words of mutants that get the bytes wrong: which element went where.
namespace reshape::conformance::self {

// A tensor as a walk sees it: where its elements lie, and by what number and index they are counted.
class Walk {
 public:
  explicit Walk(const DLTensor& tensor);

  ElementType type() const { return type_; }
  std::int64_t width() const { return bits(type_); }  // of an element, in bits
  std::int64_t count() const { return count_; }
  std::int64_t bytes() const { return count_ * width() / 8; }  // of the elements alone
  std::size_t rank() const { return layout_.shape.rank(); }
  std::int64_t size(std::size_t axis) const { return layout_.shape[axis]; }
  std::int64_t stride(std::size_t axis) const { return layout_.strides[axis]; }
  const Layout& layout() const { return layout_; }

  // The size and the stride from the end: last(0) is the innermost axis. 1 and 0 where there is none.
  std::int64_t last_size(std::size_t from_end) const;
  std::int64_t last_stride(std::size_t from_end) const;

  std::vector<std::int64_t> index(std::int64_t number) const;
  // Of an index that may have run over its sizes: such entries begin again.
  std::int64_t number(std::vector<std::int64_t> index) const;
  std::int64_t position(std::int64_t number) const;

  bool dense() const { return is_row_major_dense(layout_); }
  bool any_stride(bool (*is)(std::int64_t)) const;  // of axes larger than 1
  bool backwards() const;
  bool repeats() const;   // some stride is 0
  bool permuted() const;  // an axis has a smaller stride than one behind it
  bool gaps() const;      // more positions than elements

 private:
  ElementType type_;
  Layout layout_;
  std::int64_t count_;
};

// The start of the first element.
std::uintptr_t address_of(const DLTensor& tensor);
bool in_place(const reshape_request& request, const DLTensor& output);

// The elements of a tensor in row-major order, and back.
std::vector<std::uint64_t> collect(const DLTensor& tensor);
void put(DLTensor& tensor, const std::vector<std::uint64_t>& elements);

// Executes rightly; then the n-th element of the output becomes the one of the data at
// source(data, output, n). Only asked where wrong(data, output) says so; a negative source leaves it.
template <typename Wrong, typename Source>
void takes_another(reshape_plugin& table, Wrong, Source) {
  table.execute = after_execute([](const reshape_request& request, DLTensor& out) {
    const Walk data(*request.data), output(out);
    if (output.count() == 0 || !Wrong{}(data, output)) return;
    const std::vector<std::uint64_t> from = collect(*request.data);
    std::vector<std::uint64_t> to = from;
    for (std::int64_t at = 0; at < output.count(); ++at) {
      const std::int64_t source = Source{}(data, output, at);
      if (source < 0 || source >= data.count()) continue;
      to[static_cast<std::size_t>(at)] = from[static_cast<std::size_t>(source)];
    }
    put(out, to);
  });
}

// The index that another way of counting comes to, over which the data is read.
template <typename Wrong, typename Change>
void reads_at_another_index(reshape_plugin& table, Wrong, Change) {
  takes_another(
      table, [](const Walk& data, const Walk&) { return Wrong{}(data); },
      [](const Walk& data, const Walk&, std::int64_t at) {
        std::vector<std::int64_t> index = data.index(at);
        Change{}(data, index);
        return data.number(index);
      });
}

// Leaves the elements of the output as they were for which keeps(data, output, n) is true; asked only
// where wrong(data, output) says so.
template <typename Wrong, typename Keeps>
void leaves(reshape_plugin& table, Wrong, Keeps) {
  table.execute = [](const reshape_request* request, DLTensor* out, reshape_message* why) {
    const Walk data(*request->data), output(*out);
    const bool wrong = out->data != nullptr && output.count() > 0 && Wrong{}(data, output);
    const std::vector<std::uint64_t> before = wrong ? collect(*out) : std::vector<std::uint64_t>{};
    const reshape_status status = right().execute(request, out, why);
    if (status != RESHAPE_OK || !wrong) return status;
    Elements now(*out);
    for (std::int64_t at = 0; at < now.count(); ++at) {
      if (Keeps{}(data, output, at)) now.set(at, before[static_cast<std::size_t>(at)]);
    }
    return status;
  };
}

// Executes rightly; then spoil(elements) where wrong(request, data, output) says so.
template <typename Wrong, typename Spoil>
void spoils_where(reshape_plugin& table, Wrong, Spoil) {
  table.execute = after_execute([](const reshape_request& request, DLTensor& out) {
    const Walk data(*request.data), output(out);
    if (output.count() == 0 || !Wrong{}(request, out, data, output)) return;
    Elements elements(out);
    Spoil{}(elements);
  });
}

}  // namespace reshape::conformance::self
