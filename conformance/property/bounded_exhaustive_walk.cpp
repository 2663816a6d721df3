// The only place besides the adapters that calls a plug-in's table.
#include "conformance/property/bounded_exhaustive_walk.h"

#include <algorithm>
#include <utility>

#include "conformance/adapter/contract/dl_request.h"
#include "conformance/adapter/contract/thrown.h"
#include "reference/resolve.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance {
namespace {

constexpr std::uint64_t kChunk = 2048;  // requests that a job takes at a time
constexpr int kCapacity = 16;           // more than any answer within the bound needs

std::uint64_t chunks(const BoundedRequests& bounded) {
  return (bounded.size() + kChunk - 1) / kChunk;
}

class Walker {
 public:
  Walker(const reshape_plugin& table, const std::vector<Group>& groups, Shared& shared, Slot& slot)
      : table_(table), groups_(groups), shared_(shared), slot_(slot) {}

  void walk() {
    if (slot_.number < slot_.end) finish_chunk();  // the chunk in which the previous job died
    while (next_chunk()) finish_chunk();
  }

 private:
  bool next_chunk() {
    std::uint64_t chunk = shared_.next++;
    for (std::uint32_t at = 0; at < groups_.size(); ++at) {
      const BoundedRequests& bounded = *groups_[at].bounded;
      if (chunk >= chunks(bounded)) {
        chunk -= chunks(bounded);
        continue;
      }
      slot_.group = at;
      slot_.dialect = 0;
      slot_.number = chunk * kChunk;
      slot_.end = std::min(bounded.size(), (chunk + 1) * kChunk);
      return true;
    }
    return false;
  }

  void finish_chunk() {
    const Group& group = groups_[slot_.group];
    take(group);
    for (; slot_.number < slot_.end; ++slot_.number) {
      const std::uint64_t number = slot_.number;
      set(*group.bounded, number);
      const Ruling ruling = reference::resolve(*group.rules, question_);
      for (; slot_.dialect < group.names.size(); ++slot_.dialect) {
        const std::uint32_t dialect = slot_.dialect;
        ++slot_.beats;
        if (!answered_rightly(group.names[dialect], ruling)) {
          shared_.note({slot_.group, dialect, number});
        }
      }
      slot_.dialect = 0;
    }
  }

  void take(const Group& group) {
    const BoundedRequests& bounded = *group.bounded;
    data_ = dl_tensor(bounded.data_type(), 0);
    pattern_ = dl_tensor(bounded.pattern_type(), 1);
    pattern_.shape = &length_;
    question_.data_type = bounded.data_type();
    question_.pattern.type = bounded.pattern_type();
    shape_at_ = pattern_at_ = ~std::size_t{0};
  }

  void set(const BoundedRequests& bounded, std::uint64_t number) {
    if (const std::size_t at = bounded.shape_of(number); at != shape_at_) {
      shape_at_ = at;
      sizes_ = bounded.shapes()[at];
      question_.data = Shape(sizes_);
      data_.ndim = static_cast<int>(sizes_.size());
      data_.shape = sizes_.data();
    }
    if (const std::size_t at = bounded.pattern_of(number); at != pattern_at_) {
      pattern_at_ = at;
      const std::vector<std::int64_t>& values = bounded.patterns()[at];
      question_.pattern.values.assign(values.begin(), values.end());
      length_ = static_cast<std::int64_t>(values.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        store_element(bounded.pattern_type(), bytes_, static_cast<std::int64_t>(i),
                      static_cast<std::uint64_t>(values[i]));
      }
      pattern_.data = bytes_;
    }
    question_.special_zero.reset();
    flag_ = RESHAPE_FLAG_MISSING;
    if (const bool* flag = bounded.flag_of(number)) {
      question_.special_zero = *flag;
      flag_ = *flag ? RESHAPE_FLAG_TRUE : RESHAPE_FLAG_FALSE;
    }
  }

  bool answered_rightly(const std::string& dialect, const Ruling& ruling) {
    reshape_request request{};
    request.struct_size = sizeof request;
    request.special_zero = flag_;
    request.dialect = dialect.c_str();
    request.data = &data_;
    request.pattern = &pattern_;
    std::fill(std::begin(answer_), std::end(answer_), kPoison);
    reshape_shape shape{kCapacity, -1, answer_};
    int status = RESHAPE_FAILED;
    slot_.calling = true;
    const auto thrown =
        thrown_by([&] { status = static_cast<int>(table_.infer_shape(&request, &shape, &why_)); });
    slot_.calling = false;
    if (thrown) return false;
    if (status == RESHAPE_REJECTED) return ruling.permits_rejecting();
    if (status != RESHAPE_OK || shape.rank < 0 || shape.rank > kCapacity) return false;
    std::vector<std::int64_t> sizes(answer_, answer_ + shape.rank);
    if (std::any_of(sizes.begin(), sizes.end(), [](auto size) { return size < 0; })) return false;
    return ruling.permits(Shape(std::move(sizes)));
  }

  static constexpr std::int64_t kPoison = -0x5a5a5a5a5a5a5a5b;

  const reshape_plugin& table_;
  const std::vector<Group>& groups_;
  Shared& shared_;
  Slot& slot_;
  reference::Question question_;
  std::vector<std::int64_t> sizes_;
  std::size_t shape_at_ = 0;
  std::size_t pattern_at_ = 0;
  DLTensor data_{};
  DLTensor pattern_{};
  std::int64_t length_ = 0;
  alignas(16) std::byte bytes_[128] = {};
  std::int64_t answer_[kCapacity] = {};
  std::int32_t flag_ = 0;
  reshape_message why_{};
};

}  // namespace

void walk(const reshape_plugin& table, const std::vector<Group>& groups, Shared& shared,
          Slot& slot) {
  Walker(table, groups, shared, slot).walk();
}

}  // namespace reshape::conformance
