#include "conformance/adapter/examine/many_shapes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/adapter/contract/dl_request.h"
#include "conformance/adapter/contract/inferred.h"
#include "conformance/adapter/contract/kept_registers.h"
#include "conformance/adapter/contract/thrown.h"
#include "conformance/adapter/examine/further.h"
#include "conformance/text/line.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance {
namespace {

constexpr std::int64_t kAskedAgain = 8;      // rows
constexpr std::int64_t kMostExecuted = 256;  // elements
constexpr std::size_t kMostRank = 4;
constexpr std::size_t kAlignment = 4096;  // a multiple of every alignment
constexpr std::size_t kMostBytes = 4096;  // of either side

using Sizes = std::vector<std::int64_t>;

// The shapes of a table with axes of one element before, between and behind its two, of all ranks
// up to `most_rank`, shortest first.
std::vector<Sizes> with_ones(std::int64_t rows, std::int64_t columns, std::size_t most_rank) {
  std::vector<Sizes> shapes;
  for (std::size_t rank = 2; rank <= most_rank; ++rank) {
    for (std::size_t second = 1; second < rank; ++second) {
      for (std::size_t first = 0; first < second; ++first) {
        shapes.emplace_back(rank, 1);
        shapes.back()[first] = rows;
        shapes.back()[second] = columns;
      }
    }
  }
  return shapes;
}

// Its arguments lie in no guarded buffers, whose pages take longer than a call.
class ManyShapes {
 public:
  ManyShapes(const PluginLibrary& library, const Request& like)
      : table_(library.table()), request_(like), type_(like.data_type) {
    pattern_ = dl_tensor(like.pattern.type, 1);
    pattern_.shape = &values_;
    pattern_.data = pattern_bytes_.data();
    for (std::size_t at = 0; at < source_.size(); ++at) {
      source_[at] = static_cast<std::byte>((at * 7 + at / 3) >> 1 & 1);  // valid in every type
    }
  }

  // Infers the shape of one, and executes it where it is small. What is wrong, in a sentence.
  std::optional<std::string> wrong(const Sizes& data, const Sizes& asked_for) {
    ++asked_;
    sizes_ = data;
    asked_for_ = asked_for;
    values_ = static_cast<std::int64_t>(asked_for_.size());
    data_ = tensor(type_, sizes_, source_.data());
    output_ = tensor(type_, asked_for_, written_.data());
    for (std::size_t at = 0; at < asked_for_.size(); ++at) {
      store_element(request_.pattern.type, pattern_bytes_.data(), static_cast<std::int64_t>(at),
                    static_cast<std::uint64_t>(asked_for_[at]));
    }
    std::int64_t count = 1;
    for (const std::int64_t size : sizes_) count *= size;
    std::optional<std::string> told;
    const auto thrown = thrown_by([&] {
      told = inferred_wrongly();
      if (!told && count <= kMostExecuted) told = executed_wrongly(count);
    });
    if (!thrown && !told) return std::nullopt;
    Request request = request_;
    request.data = Shape(sizes_);
    request.pattern.values.assign(asked_for_.begin(), asked_for_.end());
    return "where " + std::to_string(asked_ - 1) +
           " others of its kind were asked before: " + print_line(request) + ": " +
           (thrown ? "it " + *thrown : *told);
  }

  bool executes() const { return table_.execute != nullptr && !request_.shape_only; }

 private:
  static DLTensor tensor(ElementType type, Sizes& sizes, void* bytes) {
    DLTensor made = dl_tensor(type, sizes.size());
    made.shape = sizes.data();
    made.data = bytes;
    return made;
  }

  reshape_request request() {
    reshape_request made{};
    made.struct_size = sizeof made;
    made.dialect = request_.dialect.c_str();
    made.data = &data_;
    made.pattern = &pattern_;
    made.special_zero = flag_of(request_);
    return made;
  }

  std::string with_message(int status) const {
    return std::string("answered ") + name(status_of(status)) +
           (status == RESHAPE_OK ? "" : " (" + text_of(message_) + ")");
  }

  std::optional<std::string> inferred_wrongly() {
    std::array<std::int64_t, 8> room{};
    reshape_shape shape = {static_cast<std::int32_t>(room.size()), -1, room.data()};
    const reshape_request asked = request();
    message_.text[0] = '\0';
    const int status = call_and_restore(table_.infer_shape, &asked, &shape, &message_);
    if (status != RESHAPE_OK) return "inference " + with_message(status);
    const std::int32_t rank = std::clamp(shape.rank, 0, static_cast<std::int32_t>(room.size()));
    const Sizes answered{room.begin(), room.begin() + rank};
    if (answered == asked_for_) return std::nullopt;
    return "inference answered " + text_of_sizes(answered);
  }

  std::optional<std::string> executed_wrongly(std::int64_t count) {
    if (!executes()) return std::nullopt;
    constexpr std::byte kHeld{0xa5};
    written_.fill(kHeld);
    DLTensor output = output_;
    const reshape_request asked = request();
    message_.text[0] = '\0';
    const int status = call_and_restore(table_.execute, &asked, &output, &message_);
    if (status != RESHAPE_OK) return "execution " + with_message(status);
    // The half that is left of a last byte is looked at elsewhere.
    if (std::equal(source_.begin(), source_.begin() + count * bits(type_) / 8, written_.begin())) {
      return std::nullopt;
    }
    return "execution wrote other elements";
  }

  const reshape_plugin& table_;
  const Request& request_;
  const ElementType type_;
  int asked_ = 0;
  Sizes sizes_, asked_for_;
  std::int64_t values_ = 0;  // of the pattern
  std::array<std::byte, kMostRank * sizeof(std::int64_t)> pattern_bytes_{};
  alignas(kAlignment) std::array<std::byte, kMostBytes> source_{};
  alignas(kAlignment) std::array<std::byte, kMostBytes> written_{};
  DLTensor data_{}, output_{}, pattern_{};
  reshape_message message_{};
};

}  // namespace

Outcome examine_many_shapes(const PluginLibrary& library, const Request& request,
                            std::chrono::steady_clock::time_point end) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::unsupported;
  const auto late = [end] { return std::chrono::steady_clock::now() > end; };
  const auto wrong = [](std::string told) {
    return malformed("inference or execution", std::move(told));
  };
  const auto shapes = std::make_unique<ManyShapes>(library, request);
  for (const std::int64_t most_rows : {kMostSideOfShapes, kAskedAgain}) {
    for (std::int64_t rows = 1; rows <= most_rows; ++rows) {
      if (late()) return outcome;
      for (std::int64_t columns = 1; columns <= kMostSideOfShapes; ++columns) {
        auto told = shapes->wrong({rows, columns}, {columns, rows});
        if (told) return wrong(*std::move(told));
      }
    }
  }
  const std::int64_t max_rank = library.capabilities().max_rank;
  const std::size_t most_rank =
      max_rank == 0 ? kMostRank : std::min(kMostRank, static_cast<std::size_t>(max_rank));
  // More than 16 bits count have too many elements to be copied all, so what is executed differs
  // by axes of one element.
  for (std::int64_t rows = 2; shapes->executes() && rows <= kMostExecuted / 2; ++rows) {
    for (std::int64_t columns = 2; columns <= kMostExecuted / rows; ++columns) {
      if (late()) return outcome;
      for (const Sizes& data : with_ones(rows, columns, most_rank)) {
        for (const Sizes& asked_for : with_ones(columns, rows, most_rank)) {
          auto told = shapes->wrong(data, asked_for);
          if (told) return wrong(*std::move(told));
        }
      }
    }
  }
  outcome.kind = Outcome::Kind::produced;
  return outcome;
}

}  // namespace reshape::conformance
