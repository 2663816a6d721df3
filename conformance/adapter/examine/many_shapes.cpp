#include "conformance/adapter/examine/many_shapes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "conformance/adapter/contract/dl_request.h"
#include "conformance/adapter/contract/inferred.h"
#include "conformance/adapter/contract/kept_registers.h"
#include "conformance/adapter/contract/thrown.h"
#include "conformance/adapter/examine/further.h"
#include "conformance/text/line.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance {
namespace {

constexpr std::int64_t kAskedAgain = 8;     // rows
constexpr std::int64_t kMostExecuted = 16;  // elements
constexpr std::size_t kAlignment = 4096;    // a multiple of every alignment
constexpr std::size_t kMostBytes = 1024;    // of either side

// Its arguments lie in no guarded buffers, whose pages take longer than a call.
class ManyShapes {
 public:
  ManyShapes(const PluginLibrary& library, const Request& like)
      : table_(library.table()), request_(like), type_(like.data_type) {
    data_ = tensor(type_, 2, sizes_.data(), source_.data());
    output_ = tensor(type_, 2, asked_for_.data(), written_.data());
    pattern_ = tensor(like.pattern.type, 1, &values_, pattern_bytes_.data());
    for (std::size_t at = 0; at < source_.size(); ++at) {
      source_[at] = static_cast<std::byte>((at * 7 + at / 3) >> 1 & 1);  // valid in every type
    }
  }

  // What is wrong with it, in a sentence.
  std::optional<std::string> wrong(std::int64_t rows, std::int64_t columns) {
    sizes_ = {rows, columns};
    asked_for_ = {columns, rows};
    for (std::int64_t at = 0; at < values_; ++at) {
      store_element(request_.pattern.type, pattern_bytes_.data(), at,
                    static_cast<std::uint64_t>(asked_for_[static_cast<std::size_t>(at)]));
    }
    std::optional<std::string> told;
    const auto thrown = thrown_by([&] {
      told = inferred_wrongly();
      if (!told && rows * columns <= kMostExecuted) told = executed_wrongly(rows * columns);
    });
    return thrown ? "it " + *thrown : told;
  }

  std::string line() const {
    Request request = request_;
    request.data = Shape{sizes_[0], sizes_[1]};
    request.pattern.values = {asked_for_[0], asked_for_[1]};
    return print_line(request);
  }

 private:
  static DLTensor tensor(ElementType type, std::size_t rank, std::int64_t* sizes, void* bytes) {
    DLTensor made = dl_tensor(type, rank);
    made.shape = sizes;
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
    if (shape.rank == 2 && std::equal(asked_for_.begin(), asked_for_.end(), room.begin())) {
      return std::nullopt;
    }
    const std::int32_t rank = std::clamp(shape.rank, 0, static_cast<std::int32_t>(room.size()));
    return "inference answered " + text_of_sizes({room.begin(), room.begin() + rank});
  }

  std::optional<std::string> executed_wrongly(std::int64_t count) {
    if (table_.execute == nullptr || request_.shape_only) return std::nullopt;
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
  std::array<std::int64_t, 2> sizes_{}, asked_for_{};
  std::int64_t values_ = 2;
  std::array<std::byte, 2 * sizeof(std::int64_t)> pattern_bytes_{};
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
  const auto shapes = std::make_unique<ManyShapes>(library, request);
  int before = 0;
  for (const std::int64_t most_rows : {kMostSideOfShapes, kAskedAgain}) {
    for (std::int64_t rows = 1; rows <= most_rows; ++rows) {
      if (std::chrono::steady_clock::now() > end) return outcome;
      for (std::int64_t columns = 1; columns <= kMostSideOfShapes; ++columns, ++before) {
        const auto wrong = shapes->wrong(rows, columns);
        if (!wrong) continue;
        return malformed("inference or execution", "where " + std::to_string(before) +
                                                       " others of its kind were asked before: " +
                                                       shapes->line() + ": " + *wrong);
      }
    }
  }
  outcome.kind = Outcome::Kind::produced;
  return outcome;
}

}  // namespace reshape::conformance
