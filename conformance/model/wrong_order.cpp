// Describes what wrong elements hold by the positions where those values belong.
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "conformance/model/compared_elements.h"
#include "conformance/model/poison_bits.h"
#include "reference/tensor/layout.h"

namespace reshape::conformance {
namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 16;  // more take long to look at
constexpr double kConvincing = 20;                             // bits that agree: no coincidence

// A hypothesis: the position whose value the element at `at` holds; nothing where it says nothing.
using Source = std::function<std::optional<std::int64_t>(std::int64_t at)>;

class Order {
 public:
  explicit Order(const ComparedElements& elements)
      : elements_(elements),
        count_(elements.count),
        before_(poison_bits(elements.probe.poison, elements.request.data_type)),
        telling_(bits_that_tell(elements)) {}

  std::vector<ElementFact> all() && {
    if (telling_ == 0 || count_ < 2 || count_ > kMostElements) return {};
    look_for_distance();
    look_at_ends();
    look_at_axes(elements_.shape, "");
    if (elements_.request.data != elements_.shape) {
      look_at_axes(elements_.request.data, " of the data");
    }
    look_at_data_layouts();
    look_at_output_layouts();
    look_elsewhere();
    return std::move(facts_);
  }

 private:
  // How many bits of evidence one agreeing element is: how well its value identifies a position.
  static double bits_that_tell(const ComparedElements& elements) {
    const ElementType type = elements.request.data_type;
    if (elements.request.elements) return 1;
    if (elements.probe.payload == Payload::zeros) return 0;
    if (type == ElementType::boolean) return 1;
    constexpr double kBitsOfHard = 3;  // a dozen values that repeat
    return elements.probe.payload == Payload::hard ? kBitsOfHard : bits(type);
  }

  bool convinces(std::int64_t agreeing, std::int64_t tried = 1) const {
    return static_cast<double>(agreeing) * telling_ >=
           kConvincing + std::log2(static_cast<double>(tried));
  }

  bool holds(std::int64_t at, std::int64_t source) const {
    return elements_.came_at(at) == elements_.right_at(source);
  }

  // Refuted where an element of which it says nothing was not written, unless it `leaves_some` so.
  void add_where(std::string says, double share, const Source& source, bool leaves_some = false) {
    std::int64_t known = 0;
    for (const std::int64_t at : elements_.wrong) {
      const std::optional<std::int64_t> from = source(at);
      if (!from && !leaves_some && elements_.came_at(at) == before_) return;
      if (!from) continue;
      if (!holds(at, *from)) return;
      ++known;
    }
    if (known > 0 && known * 4 >= std::ssize(elements_.wrong)) {
      facts_.push_back({std::move(says), share, convinces(known)});
    }
  }

  // Looks for the smallest distance that explains all wrong elements. With few elements some
  // distance fits by coincidence, the more so the more are tried.
  void look_for_distance() {
    constexpr int kMostByChance = 4;
    const std::int64_t first = elements_.wrong.front();
    const bool of_overlap = is_of_overlap();
    int found = 0;
    for (std::int64_t distance = 1; distance < count_ && found < kMostByChance; ++distance) {
      for (const std::int64_t by : {distance, -distance}) {
        if (!holds(first, around(first + by))) continue;
        const bool all = std::ranges::all_of(
            elements_.wrong, [&](std::int64_t at) { return holds(at, around(at + by)); });
        if (!all) continue;
        const bool by_itself = convinces(std::ssize(elements_.wrong), 2 * distance);
        if (!of_overlap || !is_beyond(by)) add_distance(by, by_itself);
        found += by_itself ? kMostByChance : 1;
      }
    }
  }

  // Whether the distance between data and output explains all wrong elements, and tells it. Then it
  // is chance if another one does so around an end.
  bool is_of_overlap() {
    const Probe& probe = elements_.probe;
    if (probe.ask != Probe::Ask::overlap || probe.shift == 0 || probe.shift_bytes != 0)
      return false;
    const std::int64_t by = -probe.shift;
    if (is_beyond(by) || !std::ranges::all_of(elements_.wrong, [&](std::int64_t at) {
          return holds(at, at + by);
        })) {
      return false;
    }
    facts_.push_back({by > 0 ? "holds what belongs as many places behind it as the output lies "
                               "before the data"
                             : "holds what belongs as many places before it as the output lies "
                               "behind the data's start",
                      0.015, convinces(std::ssize(elements_.wrong))});
    return true;
  }

  // Whether what lies so far from some wrong element lies before the first or behind the last.
  bool is_beyond(std::int64_t by) const {
    return std::ranges::any_of(elements_.wrong,
                               [&](std::int64_t at) { return at + by < 0 || at + by >= count_; });
  }

  std::int64_t around(std::int64_t at) const { return (at + count_) % count_; }

  void add_distance(std::int64_t by, bool by_itself) {
    const std::uint64_t places = distance(by);
    const std::string says = "holds what belongs " + std::to_string(places) +
                             (places == 1 ? " place" : " places") +
                             (by > 0 ? " behind" : " before") + " it";
    if (!is_beyond(by)) facts_.push_back({says, 0.02, by_itself});
    // Also true if none lies beyond an end; other failures with the same distance may have one that
    // does.
    facts_.push_back({says + ", the last one being before the first", 0.03, by_itself});
  }

  void look_at_ends() {
    add_where("holds what belongs as far from the other end", 0.03,
              [&](std::int64_t at) { return std::optional(count_ - 1 - at); });
    add_where("has changed places with its neighbour", 0.03, [&](std::int64_t at) {
      return (at ^ 1) < count_ ? std::optional(at ^ 1) : std::nullopt;
    });
  }

  // --- axes

  void look_at_axes(const Shape& shape, const std::string& of) {
    const auto wide = std::ranges::count_if(shape, [](std::int64_t size) { return size > 1; });
    if (wide < 2) return;
    const std::size_t rank = shape.rank();
    Strides rows(rank), columns(rank);
    std::int64_t step = 1;
    for (std::size_t axis = rank; axis-- > 0; step *= shape[axis]) rows[axis] = step;
    step = 1;
    for (std::size_t axis = 0; axis < rank; step *= shape[axis], ++axis) columns[axis] = step;
    const auto from_to = [&](const Strides& from, const Strides& to) {
      return [&](std::int64_t at) {
        std::int64_t source = 0;
        for (std::size_t axis = 0; axis < rank; ++axis) {
          source += at / from[axis] % shape[axis] * to[axis];
        }
        return std::optional(source);
      };
    };
    add_where("is that of the column-major order" + of, 0.04, from_to(rows, columns));
    add_where("is that of the column-major order" + of, 0.04, from_to(columns, rows));
    for (std::size_t axis = 0; axis < rank; ++axis) {
      const std::int64_t size = shape[axis], stride = rows[axis];
      if (size < 2) continue;
      add_where("holds what belongs at index 0 of axis " + std::to_string(axis) + of, 0.05,
                [=](std::int64_t at) {
                  const std::int64_t index = at / stride % size;
                  return index == 0 ? std::nullopt : std::optional(at - index * stride);
                });
      add_where("holds what belongs at the other end of axis " + std::to_string(axis) + of, 0.05,
                [=](std::int64_t at) {
                  const std::int64_t index = at / stride % size;
                  return std::optional(at + (size - 1 - 2 * index) * stride);
                });
    }
  }

  // --- layouts

  struct Otherwise {
    const char* says;  // ", as if ..."
    Layout layout;
  };

  // The usual ways to misread a layout.
  static std::vector<Otherwise> misread(const Layout& layout) {
    Layout dense = layout, forwards = layout, at_the_start = layout;
    if (const std::optional<Strides> strides = row_major_strides(layout.shape)) {
      dense.strides = *strides;
    }
    for (std::int64_t& stride : forwards.strides) {
      stride = static_cast<std::int64_t>(distance(stride));
    }
    at_the_start.offset = 0;
    const std::int64_t lowest = touched(layout).first;
    Layout dense_from_lowest = dense, forwards_from_lowest = forwards;
    dense_from_lowest.offset = forwards_from_lowest.offset = lowest;
    std::vector<Otherwise> ways = {
        {" were dense", dense},
        {" were dense, from its lowest address on", dense_from_lowest},
        {" had no negative stride", forwards},
        {" had no negative stride, from its lowest address on", forwards_from_lowest},
        {" had no offset", at_the_start}};
    std::erase_if(ways, [&](const Otherwise& way) { return way.layout == layout; });
    return ways;
  }

  static std::vector<std::int64_t> places_of(const Layout& layout, std::int64_t count) {
    std::vector<std::int64_t> places;
    places.reserve(static_cast<std::size_t>(count));
    RowMajorWalk walk(layout);
    for (std::int64_t at = 0; at < count; ++at, walk.next()) places.push_back(walk.position());
    return places;
  }

  using Positions = std::unordered_map<std::int64_t, std::int64_t>;  // by place
  static Positions positions_of(const std::vector<std::int64_t>& places) {
    Positions positions;
    for (std::size_t at = 0; at < places.size(); ++at) {
      positions.emplace(places[at], static_cast<std::int64_t>(at));
    }
    return positions;
  }

  static std::optional<std::int64_t> found(const Positions& positions, std::int64_t place) {
    const auto one = positions.find(place);
    return one == positions.end() ? std::nullopt : std::optional(one->second);
  }

  // Whether the elements were read from wrong places of the data. What its gaps hold is not known.
  void look_at_data_layouts() {
    const Request& request = elements_.request;
    if (!request.strides && request.offset == 0) return;
    if (request.strides && request.strides->size() != request.data.rank()) return;
    const Layout layout = data_layout(request);
    const Positions positions = positions_of(places_of(layout, count_));
    for (const auto& [says, other] : misread(layout)) {
      const std::vector<std::int64_t> read = places_of(other, count_);
      add_where(std::string("is as if the data") + says, 0.02, [&](std::int64_t at) {
        return found(positions, read[static_cast<std::size_t>(at)]);
      });
    }
  }

  // Whether the elements were written to wrong places of the output. Places not written to keep the
  // poison.
  void look_at_output_layouts() {
    const Request& request = elements_.request;
    if (!request.out_strides || request.out_strides->size() != elements_.shape.rank()) return;
    const Layout layout{elements_.shape, *request.out_strides, request.out_offset};
    const std::vector<std::int64_t> places = places_of(layout, count_);
    for (const auto& [says, other] : misread(layout)) {
      const Positions written = positions_of(places_of(other, count_));
      const bool rest_untouched = std::ranges::all_of(elements_.wrong, [&](std::int64_t at) {
        return found(written, places[static_cast<std::size_t>(at)]) ||
               elements_.came_at(at) == before_;
      });
      if (!rest_untouched) continue;
      add_where(
          std::string("is as if the output") + says, 0.02,
          [&](std::int64_t at) { return found(written, places[static_cast<std::size_t>(at)]); },
          true);
    }
  }

  // Whether every wrong element holds a value that belongs somewhere else, in any order.
  void look_elsewhere() {
    constexpr double kWide = 16;
    if (telling_ < kWide) return;
    std::vector<std::uint64_t> right;
    for (std::int64_t at = 0; at < count_; ++at) right.push_back(elements_.right_at(at));
    std::ranges::sort(right);
    const bool all = std::ranges::all_of(elements_.wrong, [&](std::int64_t at) {
      return std::ranges::binary_search(right, elements_.came_at(at));
    });
    if (all && convinces(std::ssize(elements_.wrong), count_)) {
      facts_.push_back({"holds what belongs at another place", 0.6});
    }
  }

  const ComparedElements& elements_;
  const std::int64_t count_;
  const std::uint64_t before_;  // what the output held
  const double telling_;        // see bits_that_tell
  std::vector<ElementFact> facts_;
};

}  // namespace

std::vector<ElementFact> facts_about_order(const ComparedElements& elements) {
  return Order(elements).all();
}

}  // namespace reshape::conformance
