// Bytes that depend on what was executed before.
#include <algorithm>
#include <map>
#include <mutex>
#include <string>

#include "conformance/self/displace.h"
#include "conformance/self/mutant.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance::self {
namespace {

std::string key_of(const Shape& shape) { return text(shape) + "/"; }

// What a plan holds on to.
struct Plan {
  Strides strides;  // of the data
  ElementType type = ElementType::f32;
};

// Reads the data as the plan says that was kept by key(request, output) when such a request came for
// the first time. Nothing outside of the data is read: what would lie there is the last element.
template <typename Key>
void keeps_plans(reshape_plugin& table, Key) {
  table.execute = after_execute([](const reshape_request& request, DLTensor& out) {
    const Walk data(*request.data);
    if (data.count() == 0) return;
    static std::mutex guard;
    static std::map<std::string, Plan> kept;
    Plan plan;
    {
      const std::lock_guard<std::mutex> lock(guard);
      plan = kept.try_emplace(Key{}(request, out), Plan{data.layout().strides, data.type()})
                 .first->second;
    }
    const ElementRange range = touched(data.layout());
    // Of wider elements than planned only the first bytes are copied; of narrower ones all are.
    const std::int64_t planned = data.count() * bits(plan.type) / data.width();
    const Layout layout{data.layout().shape, plan.strides, 0};
    std::vector<std::uint64_t> to;
    for (std::int64_t at = 0; at < data.count(); ++at) {
      const std::int64_t position = position_of(layout, data.index(at));
      const std::uint64_t element = load_element(data.type(), start_of(*request.data),
                                                 std::clamp(position, range.first, range.last));
      to.push_back(at < planned ? element : ~element);
    }
    put(out, to);
  });
}

// Spoils the last element where wrong(before, now) says so, given what state(data, output) said of the
// execution before.
template <typename State, typename Wrong>
void minds_the_one_before(reshape_plugin& table, State, Wrong) {
  table.execute = after_execute([](const reshape_request& request, DLTensor& out) {
    static std::mutex guard;
    static int before = -1;
    const Walk data(*request.data), output(out);
    bool wrong = false;
    {
      const std::lock_guard<std::mutex> lock(guard);
      const int now = State{}(data, output);
      wrong = before != -1 && Wrong{}(before, now);
      before = now;
    }
    if (!wrong || output.count() == 0) return;
    Elements elements(out);
    elements.set(elements.count() - 1, elements.get(elements.count() - 1) ^ 1);
  });
}

// Spoils the last element in the executions whose number, from 1 on, wrong(number) says.
template <typename Wrong>
void counts_executions(reshape_plugin& table, Wrong) {
  table.execute = after_execute([](const reshape_request&, DLTensor& out) {
    static std::mutex guard;
    static int executions = 0;
    int number = 0;
    {
      const std::lock_guard<std::mutex> lock(guard);
      number = ++executions;
    }
    if (!Wrong{}(number) || is_empty(shape_of(out))) return;
    Elements elements(out);
    elements.set(elements.count() - 1, elements.get(elements.count() - 1) ^ 1);
  });
}

}  // namespace

MUTANT("plan-without-strides", Breaks("C17"),
       Says("a plan is kept by sizes and type, and reads other strides as those it was made for")) {
  keeps_plans(table, [](const reshape_request& request, const DLTensor& out) {
    return key_of(shape_of(*request.data)) + key_of(shape_of(out)) +
           std::to_string(request.data->dtype.code) + "," +
           std::to_string(request.data->dtype.bits);
  });
}

MUTANT(
    "plan-without-type", Breaks("C17"),
    Says("a plan is kept by sizes and strides, and copies as many bytes as its first type had")) {
  keeps_plans(table, [](const reshape_request& request, const DLTensor& out) {
    return key_of(shape_of(*request.data)) + key_of(shape_of(out)) +
           text_of_sizes(Walk(*request.data).layout().strides);
  });
}

MUTANT("plan-without-the-sign-of-strides", Breaks("C17"),
       Says("a plan is kept by the sizes of strides without their sign")) {
  keeps_plans(table, [](const reshape_request& request, const DLTensor& out) {
    Strides strides = Walk(*request.data).layout().strides;
    for (std::int64_t& stride : strides) stride = stride < 0 ? -stride : stride;
    return key_of(shape_of(*request.data)) + key_of(shape_of(out)) + text_of_sizes(strides) +
           std::to_string(request.data->dtype.code) + "," +
           std::to_string(request.data->dtype.bits);
  });
}

MUTANT("same-buffers-taken-as-done", Breaks("C17"),
       Says("the same addresses and sizes as in the call before are taken for work already done")) {
  table.execute = [](const reshape_request* request, DLTensor* out, reshape_message* why) {
    static std::mutex guard;
    static std::string before;
    const std::string now = std::to_string(address_of(*request->data)) + "," +
                            std::to_string(address_of(*out)) + "," +
                            key_of(shape_of(*request->data)) + key_of(shape_of(*out));
    bool done = false;
    {
      const std::lock_guard<std::mutex> lock(guard);
      done = before == now && out->data != nullptr && !is_empty(shape_of(*out));
      before = now;
    }
    if (!done) return right().execute(request, out, why);
    const std::vector<std::uint64_t> kept = collect(*out);
    const reshape_status status = right().execute(request, out, why);
    if (status == RESHAPE_OK) put(*out, kept);
    return status;
  };
}

MUTANT("result-kept-by-sizes", Breaks("C17"),
       Says("the elements of the first result are given again for the same sizes and type")) {
  table.execute = after_execute([](const reshape_request& request, DLTensor& out) {
    if (is_empty(shape_of(out)) || in_place(request, out)) return;
    static std::mutex guard;
    static std::map<std::string, std::vector<std::uint64_t>> kept;
    const std::string key = key_of(shape_of(*request.data)) + key_of(shape_of(out)) +
                            std::to_string(out.dtype.code) + "," + std::to_string(out.dtype.bits);
    const std::lock_guard<std::mutex> lock(guard);
    const auto [entry, fresh] = kept.try_emplace(key);
    if (fresh) entry->second = collect(out);
    put(out, entry->second);
  });
}

MUTANT("buffer-of-the-first-call", Breaks("C17"),
       Says("elements go through a buffer as long as the first output, and no further")) {
  table.execute = [](const reshape_request* request, DLTensor* out, reshape_message* why) {
    static std::mutex guard;
    static std::int64_t room = 0;
    const Walk output(*out);
    std::int64_t most = 0;
    {
      const std::lock_guard<std::mutex> lock(guard);
      if (room == 0) room = output.bytes();
      most = room * 8 / output.width();
    }
    if (output.count() <= most || out->data == nullptr) return right().execute(request, out, why);
    const std::vector<std::uint64_t> before = collect(*out);
    const reshape_status status = right().execute(request, out, why);
    if (status != RESHAPE_OK) return status;
    Elements now(*out);
    for (std::int64_t at = most; at < now.count(); ++at) {
      now.set(at, before[static_cast<std::size_t>(at)]);
    }
    return status;
  };
}

MUTANT("wrong-after-an-empty-one", Breaks("C17"),
       Says("the loop that an empty tensor skipped is skipped for the last element of the next")) {
  minds_the_one_before(
      table, [](const Walk& data, const Walk&) { return data.count() == 0 ? 1 : 0; },
      [](int before, int now) { return before == 1 && now == 0; });
}

MUTANT("wrong-after-another-type", Breaks("C17"),
       Says("the first execution after one of another width ends with that width")) {
  minds_the_one_before(
      table, [](const Walk& data, const Walk&) { return static_cast<int>(data.width()); },
      [](int before, int now) { return before != now; });
}

MUTANT("wrong-after-strides", Breaks("C17"),
       Says("the first dense execution after one over strides ends with the stride")) {
  minds_the_one_before(
      table, [](const Walk& data, const Walk&) { return data.dense() ? 0 : 1; },
      [](int before, int now) { return before == 1 && now == 0; });
}

MUTANT("wrong-after-output-strides", Breaks("C17"),
       Says("the first execution into a dense output after one with gaps leaves a gap")) {
  minds_the_one_before(
      table, [](const Walk&, const Walk& out) { return out.dense() ? 0 : 1; },
      [](int before, int now) { return before == 1 && now == 0; });
}

MUTANT("wrong-after-a-larger-one", Breaks("C17"),
       Says("what a larger execution left in the staging buffer shows in the next smaller one")) {
  minds_the_one_before(
      table,
      [](const Walk&, const Walk& out) {
        return static_cast<int>(std::min<std::int64_t>(out.bytes(), 1 << 20));
      },
      [](int before, int now) { return before > now && now > 0 && before >= 64; });
}

MUTANT("first-execution-wrong", Breaks("C17"),
       Says("tables are filled in by the first execution, which reads them before that")) {
  counts_executions(table, [](int number) { return number == 1; });
}

MUTANT("second-execution-wrong", Breaks("C17"),
       Says("the second execution reads what the first one left behind")) {
  counts_executions(table, [](int number) { return number == 2; });
}

MUTANT("every-64th-execution-wrong", Breaks("C17"),
       Says("every 64th execution loses the bit in which the ring of buffers wraps")) {
  counts_executions(table, [](int number) { return number % 64 == 0; });
}

MUTANT("wrong-after-300-executions", Breaks("C17"),
       Says("from the 301st execution on the pool is used up and the last element is lost")) {
  counts_executions(table, [](int number) { return number > 300; });
}

}  // namespace reshape::conformance::self
