// Mistakes that depend on earlier or concurrent requests.
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "conformance/self/displace.h"
#include "conformance/self/misread.h"
#include "reference/tensor/tensor_view.h"

namespace reshape::conformance::self {
namespace {

// A lock for the mutants' state, so that only the intended mistake shows, and no race.
std::mutex& guard() {
  static std::mutex one;
  return one;
}
using Lock = std::lock_guard<std::mutex>;

std::string text_of(const Sizes& sizes) {
  std::string text;
  for (const std::int64_t size : sizes) text += std::to_string(size) + ",";
  return text + "/";
}

Sizes pattern_of(const Asked& asked) {
  Sizes values;
  for (const PatternValue value : asked.pattern) values.push_back(static_cast<std::int64_t>(value));
  return values;
}

// The parts of a key by which answers are kept.
using Part = std::string (*)(const Asked&);
std::string data_sizes(const Asked& asked) { return key_of(asked.data); }
std::string data_values(const Asked& asked) {
  std::string values;
  for (const std::int64_t size : sizes_of(asked.data)) values += std::to_string(size) + ',';
  return values;
}
std::string data_rank(const Asked& asked) { return std::to_string(asked.data.rank()) + "/"; }
std::string elements(const Asked& asked) {
  return std::to_string(element_count(asked.data).value_or(-1)) + "/";
}
std::string pattern_values(const Asked& asked) { return text_of(pattern_of(asked)); }
std::string flag(const Asked& asked) { return std::to_string(asked.special_zero); }
std::string dialect(const Asked& asked) { return asked.dialect; }
std::string data_type(const Asked& asked) {
  return std::to_string(static_cast<int>(asked.data_type)) + ",";
}
std::string pattern_type(const Asked& asked) {
  return std::to_string(static_cast<int>(asked.pattern_type)) + ",";
}
// All but the data's sizes.
std::string others(const Asked& asked) {
  return key_of_pattern(asked) + key_of_types(asked) + key_of_rest(asked);
}

// The pattern as it lies in memory, without its type and its length.
std::string pattern_bytes(const Asked& asked) {
  std::string bytes;
  for (const PatternValue value : asked.pattern) {
    for (int bit = 0; bit < bits(asked.pattern_type); bit += 8) {
      bytes += std::to_string(static_cast<int>(value >> bit & 0xff)) + ' ';
    }
  }
  return bytes + '/';
}

Steps keeps(std::vector<Part> parts, std::size_t most = 1'000'000) {
  const auto key = [=](const Asked& asked) {
    std::string joined;
    for (const Part part : parts) joined += part(asked);
    return joined;
  };
  return keeps_answers(key, most);
}

// Caches answers by digest(sizes) of the data and the pattern, and everything else.
Steps keeps_by(std::function<std::string(const Sizes&)> digest) {
  return keeps_answers([=](const Asked& asked) {
    return digest(sizes_of(asked.data)) + "/" + digest(pattern_of(asked)) + "/" +
           key_of_all_but_sizes(asked);
  });
}

// Whether one list begins with the other.
bool begins_with(const Sizes& list, const Sizes& beginning) {
  return beginning.size() <= list.size() &&
         std::ranges::equal(beginning, std::span(list).first(beginning.size()));
}

// Gives the last answer again where alike(last, now) is true of one of the lists, and the other and
// all else are the same.
Steps notes_the_last(bool of_data, bool (*alike)(const Sizes& last, const Sizes& now)) {
  struct Note {
    Sizes list;
    std::string others;
    RightAnswer answer;
  };
  const auto note = std::make_shared<std::optional<Note>>();
  return inferring([=](const reshape_request* request, reshape_shape* shape, reshape_message* why) {
    const Asked asked(*request);
    const Sizes list = of_data ? sizes_of(asked.data) : pattern_of(asked);
    const std::string rest = (of_data ? key_of_pattern(asked) : key_of(asked.data)) +
                             key_of_types(asked) + key_of_rest(asked);
    const Lock lock(guard());
    if (!*note || (*note)->others != rest || !alike((*note)->list, list)) {
      const RightAnswer right = right_answer(*request, why);
      if (!right.produces()) return right.status;
      *note = Note{list, rest, right};
    }
    return write_shape((*note)->answer.sizes, shape, why);
  });
}

// The hash of Java's lists: 31 * hash + value.
std::uint64_t hash_31(const Sizes& sizes) {
  std::uint64_t hash = 1;
  for (const std::int64_t size : sizes) hash = 31 * hash + static_cast<std::uint64_t>(size);
  return hash;
}

Row kept_by_hash(const char* name, int bits) {
  return {name, "",
          said("a hash chooses one of ", 1 << bits, " places, and what lies there is not compared"),
          keeps_by([=](const Sizes& sizes) {
            return std::to_string(hash_31(sizes) * 0x9e3779b97f4a7c15 >> (64 - bits));
          })};
}

Row kept_in_bits(const char* name, int bits) {
  return {name, "", said("answers are kept by the lower ", bits, " bits of each size"),
          keeps_by([=](Sizes sizes) {
            for (std::int64_t& size : sizes) size &= (std::int64_t{1} << bits) - 1;
            return text_of(sizes);
          })};
}

// Caches answers by part(sizes of the data), and everything else.
Steps keeps_by_data(std::function<std::string(Sizes)> part) {
  return keeps_answers(
      [=](const Asked& asked) { return part(sizes_of(asked.data)) + others(asked); });
}

// A call, for mutants that refuse depending on the state of the call before; the first call is
// always answered correctly.
struct Call {
  const Asked& asked;
  const RightAnswer& right;
};
using Refuses = bool (*)(int, int);
bool from_1_to_0(int before, int now) { return before == 1 && now == 0; }
bool changed(int before, int now) { return before != now; }
Steps minds_the_call_before(int (*state)(const Call&), Refuses refuses = from_1_to_0) {
  return infers_by(
      [=, before = std::make_shared<int>(-1)](const Asked& asked, const RightAnswer& right) {
        const Lock lock(guard());
        const int now = state({asked, right});
        const int then = std::exchange(*before, now);
        return then != -1 && refuses(then, now) ? refusal() : none();
      });
}

// Refuses calls while the number of calls so far that `counts` selects meets the condition.
Steps refuses_calls(const Length& number, bool (*counts)(const Call&)) {
  return infers_by([=, calls = std::make_shared<std::atomic<int>>(0)](const Asked& asked,
                                                                      const RightAnswer& right) {
    if (counts({asked, right})) ++*calls;
    return number(*calls) ? refusal() : none();
  });
}
Row call_refused(const char* name, const Length& number) {
  return {name, "", said("inferences are counted, and number ", number.words(), " is refused"),
          refuses_calls(number, [](const Call&) { return true; })};
}

Row room_for_requests(const char* name, std::size_t most) {
  return {name, "", said(most, " different requests are planned, and a further one is refused"),
          infers_by([=, seen = std::make_shared<std::set<std::string>>()](const Asked& asked,
                                                                          const RightAnswer&) {
            const Lock lock(guard());
            const std::string key = data_sizes(asked) + others(asked);
            if (seen->size() >= most && !seen->contains(key)) return refusal();
            seen->insert(key);
            return none();
          })};
}

// A cached plan.
struct Plan {
  Strides strides;  // of the data
  ElementType type = ElementType::f32;
};

std::string key_of_shapes(const reshape_request& request, const DLTensor& out) {
  return text(shape_of(*request.data)) + "/" + text(shape_of(out)) + "/";
}
std::string key_of_type(const DLTensor& tensor) {
  return std::to_string(tensor.dtype.code) + "," + std::to_string(tensor.dtype.bits);
}

// Reads the data by the plan that was cached under key(request, output) at the first such request.
// Reads nothing outside of the data: the last element instead.
Steps keeps_plans(std::function<std::string(const reshape_request&, const DLTensor&)> key) {
  return after_execute([=, kept = std::make_shared<std::map<std::string, Plan>>()](
                           const reshape_request& request, DLTensor& out) {
    const Walk data(*request.data);
    if (data.count() == 0) return;
    Plan plan;
    {
      const Lock lock(guard());
      plan = kept->try_emplace(key(request, out), Plan{data.layout().strides, data.type()})
                 .first->second;
    }
    const ElementRange range = touched(data.layout());
    // Copies only the planned number of bytes if the elements are wider than planned.
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

void spoil_last(DLTensor& out, std::uint64_t change) {
  if (empty(out)) return;
  Elements elements(out);
  elements.set(elements.count() - 1, elements.get(elements.count() - 1) ^ change);
}

// Spoils the last element if wrong(state(copy) of the execution before, that of this one).
Steps minds_the_one_before(int (*state)(const Copy&), Refuses wrong = from_1_to_0) {
  return after_execute(
      [=, before = std::make_shared<int>(-1)](const reshape_request& request, DLTensor& out) {
        const int now = state(Copy(request, out));
        const Lock lock(guard());
        const int then = std::exchange(*before, now);
        if (then != -1 && wrong(then, now)) spoil_last(out, 1);
      });
}

// Spoils the last element of executions whose number, counted from 1, meets the condition.
Row execution_wrong(const char* name, const Length& number, std::uint64_t change = 1) {
  return {
      name, "",
      said("executions are counted, and in number ", number.words(), " the last element is lost"),
      after_execute([=, executions = std::make_shared<std::atomic<int>>(0)](const reshape_request&,
                                                                            DLTensor& out) {
        if (number(++*executions)) spoil_last(out, change);
      })};
}

// For mutants that depend on concurrent calls. They wait only after a second thread was seen, so
// that runs without threads stay fast.
std::atomic<bool> several_threads = false;
std::atomic<std::thread::id> first_thread;
std::atomic<int> inside = 0;

void notice_threads() {
  const std::thread::id here = std::this_thread::get_id();
  std::thread::id nobody;
  if (!first_thread.compare_exchange_strong(nobody, here) && first_thread != here) {
    several_threads = true;
  }
}

// Waits long enough for other threads to reach the same point.
void dawdle() {
  if (several_threads) usleep(200);
}

// Counts the calls in progress, including this one.
class Inside {
 public:
  Inside() {
    notice_threads();
    ++inside;
    dawdle();
  }
  ~Inside() { --inside; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
};

thread_local bool set_up = false;
// Set by the first inference of a thread.
thread_local bool has_inferred = false;
Steps set_up_when_loaded(Steps steps) {
  steps.on_load = [] { set_up = true; };
  return steps;
}

// Refuses a call if more than `most` are in progress.
Steps room_for_calls(int most) {
  return inferring([=](const reshape_request* request, reshape_shape* shape, reshape_message* why) {
    const Inside counted;
    if (inside > most) return answer(RESHAPE_REJECTED, "busy", why);
    return right().infer_shape(request, shape, why);
  });
}

// Kept by an inference for the next execution.
std::atomic<std::int32_t> last_flag = RESHAPE_FLAG_MISSING;
std::string last_sizes;

std::vector<Row> kept_answers() {
  return {
      {"last-answer-of-data-that-begins-alike", "",
       "the last answer is given again where the last data's sizes begin with these",
       notes_the_last(true, begins_with)},
      {"last-answer-of-a-pattern-that-begins-alike", "",
       "the last answer is given again where the last pattern begins with this one",
       notes_the_last(false, begins_with)},
      {"last-answer-of-the-beginning-of-a-pattern", "",
       "the last answer is given again where the last pattern is the beginning of this one",
       notes_the_last(false,
                      [](const Sizes& last, const Sizes& now) { return begins_with(now, last); })},
      {"kept-by-digits", "",
       "answers are kept by the sizes written one behind the other: [1,23] is [12,3]",
       keeps_by([](const Sizes& sizes) {
         std::string digits;
         for (const std::int64_t size : sizes) digits += std::to_string(size);
         return digits;
       })},
      {"kept-by-hash-31", "",
       "answers are kept by the hash of lists, 31 * h + size, and what it finds is not compared",
       keeps_by([](const Sizes& sizes) {
         return std::to_string(static_cast<std::uint32_t>(hash_31(sizes)));
       })},
      kept_by_hash("kept-by-8-bits-of-a-hash", 8),
      kept_by_hash("kept-by-16-bits-of-a-hash", 16),
      {"kept-by-exclusive-or", "",
       "answers are kept by the exclusive or of the sizes, which equal ones leave",
       keeps_by([](const Sizes& sizes) {
         std::int64_t bits = 0;
         for (const std::int64_t size : sizes) bits ^= size;
         return std::to_string(bits) + "," + std::to_string(sizes.size());
       })},
      {"kept-by-sorted-sizes", "",
       "answers are kept by the data's sizes in order, whatever order they came in",
       keeps_by_data([](Sizes sizes) {
         std::sort(sizes.begin(), sizes.end());
         return text_of(sizes);
       })},
      {"kept-by-the-first-two-sizes", "",
       "answers are kept by the data's first two sizes and its number of elements",
       keeps_by_data([](Sizes sizes) {
         const auto count = std::to_string(element_count(Shape(sizes)).value_or(-1)) + "/";
         if (sizes.size() > 2) sizes.resize(2);
         return text_of(sizes) + count;
       })},
      {"kept-by-the-last-two-sizes", "",
       "answers are kept by the data's last two sizes and its rank", keeps_by_data([](Sizes sizes) {
         const std::string rank = std::to_string(sizes.size()) + "/";
         if (sizes.size() > 2) sizes.erase(sizes.begin(), sizes.end() - 2);
         return text_of(sizes) + rank;
       })},
      {"kept-without-a-seam", "",
       "answers are kept by data and pattern in a row, without where the one ends",
       keeps_answers([](const Asked& asked) {
         Sizes all = sizes_of(asked.data);
         std::ranges::copy(pattern_of(asked), std::back_inserter(all));
         return text_of(all) + key_of_types(asked) + key_of_rest(asked);
       })},
      {"kept-without-the-form-of-the-pattern", "",
       "answers are kept by the pattern's values, without the dimensions of its tensor",
       keeps({data_sizes, pattern_values, key_of_types, key_of_rest})},
      {"last-kept-without-the-form-of-the-pattern", "",
       "the last answer is kept by the pattern's values, without the dimensions of its tensor",
       keeps({data_sizes, pattern_values, key_of_types, key_of_rest}, 1)},
      kept_in_bits("kept-in-32-bits-a-size", 32),
      kept_in_bits("kept-in-16-bits-a-size", 16),
      kept_in_bits("kept-in-8-bits-a-size", 8),
      {"kept-by-up-to-four-sizes", "",
       "the key has room for four sizes of the data and four values of the pattern",
       keeps_by([](Sizes sizes) {
         const std::string count = std::to_string(sizes.size());
         if (sizes.size() > 4) sizes.resize(4);
         return text_of(sizes) + count;
       })},
      {"kept-by-up-to-six-sizes", "",
       "the key has room for six sizes of the data and six values of the pattern",
       keeps_by([](Sizes sizes) {
         const std::string count = std::to_string(sizes.size());
         if (sizes.size() > 6) sizes.resize(6);
         return text_of(sizes) + count;
       })},
      {"kept-without-signs", "",
       "answers are kept by the magnitude of the pattern's values, so that -1 is 1",
       keeps_by([](Sizes sizes) {
         std::replace(sizes.begin(), sizes.end(), -1, 1);
         return text_of(sizes);
       })},
      {"kept-by-count-and-output-rank", "",
       "answers are kept by both numbers of elements and both ranks",
       keeps_by([](const Sizes& sizes) {
         return std::to_string(product_in<std::int64_t>(sizes)) + "," +
                std::to_string(sizes.size());
       })},
      {"kept-when-refused-by-the-pattern", "",
       "a pattern that was refused once is refused over all data of that rank and type",
       misreads([](const Asked& asked, const RightAnswer& right) {
         static std::map<std::string, bool> refused;
         const Lock lock(guard());
         const std::string key = data_rank(asked) + others(asked);
         if (!right.produces()) refused[key] = true;
         return refused[key] ? refusal() : none();
       })},
      {"kept-when-produced-by-the-pattern", "",
       "a pattern of plain sizes that was right once is right for all data of that rank",
       misreads([](const Asked& asked, const RightAnswer& right) {
         static std::map<std::string, bool> produced;
         const Lock lock(guard());
         const std::string key = data_rank(asked) + others(asked);
         const auto plain = plain_pattern(asked);
         if (!plain || plain->minus_one) return none();
         if (right.produces()) produced[key] = true;
         return right.refused_for("volume.kept") && produced[key] ? answers(plain->sizes) : none();
       })},
      {"kept-without-the-pattern", "",
       "answers are kept by the data's sizes alone, so that another pattern gets the first's",
       keeps({data_sizes, key_of_types, key_of_rest})},
      {"kept-without-the-flag", "", "answers are kept without special_zero",
       keeps({data_sizes, key_of_pattern, key_of_types, dialect}),
       like("microsoft/onnxruntime#28348")},
      {"produced-kept-with-no-flag-for-true", "",
       "what was produced is kept, and a request without a flag gets what was kept for a true one",
       infers_by([kept = std::make_shared<std::map<std::string, Sizes>>()](
                     const Asked& asked, const RightAnswer& right) {
         const Lock lock(guard());
         const std::string key = data_sizes(asked) + key_of_pattern(asked) + key_of_types(asked) +
                                 dialect(asked) +
                                 (asked.special_zero == RESHAPE_FLAG_FALSE ? "/0" : "/1");
         if (right.produces()) (*kept)[key] = right.sizes;
         const auto found = kept->find(key);
         return found == kept->end() ? none() : answers(found->second);
       })},
      {"kept-without-the-dialect", "",
       "answers are kept without the dialect, and given to another one",
       keeps({data_sizes, key_of_pattern, key_of_types, flag})},
      {"last-kept-without-the-dialect", "",
       "the last answer is kept, and given to the same request of another dialect",
       keeps({data_sizes, key_of_pattern, key_of_types, flag}, 1)},
      {"last-kept-by-the-bytes-of-the-pattern", "",
       "the last answer is kept by the bytes of the pattern, whatever their type",
       keeps({data_sizes, pattern_bytes, data_type, key_of_rest}, 1)},
      {"last-kept-by-joined-sizes", "",
       "the last answer is kept by the data's sizes and the pattern's values in one list",
       keeps({data_values, pattern_values, key_of_types, key_of_rest}, 1)},
      {"kept-without-the-data-type", "",
       "answers are kept without the data's type, so that a refused one passes or the reverse",
       keeps({data_sizes, key_of_pattern, key_of_rest, pattern_type})},
      {"kept-without-the-pattern-type", "", "answers are kept without the pattern's type",
       keeps({data_sizes, key_of_pattern, key_of_rest, data_type})},
      {"kept-by-the-number-of-elements", "",
       "answers are kept by the data's number of elements instead of its sizes",
       keeps({elements, others})},
      {"kept-by-rank-and-ends", "",
       "answers are kept by a hash of the data's rank, first and last size",
       keeps_by_data([](Sizes sizes) {
         return text_of(sizes.empty() ? Sizes{0}
                                      : Sizes{std::ssize(sizes), sizes.front(), sizes.back()});
       })},
      {"kept-by-a-hash-of-the-data", "",
       "answers are kept by a hash of the data's sizes that others have, too",
       keeps_by_data([](Sizes sizes) {
         std::int64_t hash = std::ssize(sizes);
         for (const std::int64_t size : sizes) hash = hash * 33 + size;
         return text_of(Sizes{hash});
       })},
      {"kept-by-the-sum-of-the-pattern", "",
       "answers are kept by a hash of the pattern in which the places do not count",
       keeps_answers([](const Asked& asked) {
         PatternValue sum = 0;
         for (const PatternValue value : asked.pattern) sum += value;
         return key_of(asked.data) + text(sum) + "," + std::to_string(asked.pattern.size()) + "/" +
                key_of(asked.pattern_shape) + key_of_types(asked) + key_of_rest(asked);
       })},
  };
}

std::vector<Row> inferences() {
  return {
      {"refuses-after-a-refusal", "", "the error of a refused call is still set in the next one",
       minds_the_call_before(
           [](const Call& call) { return call.right.status == RESHAPE_REJECTED ? 1 : 0; })},
      {"refuses-after-what-is-not-declared", "",
       "the error of a call for an unknown document is still set in the next one",
       minds_the_call_before(
           [](const Call& call) { return call.right.status == RESHAPE_UNSUPPORTED ? 1 : 0; })},
      {"refuses-after-an-empty-one", "",
       "the count of 0 of an empty tensor is still there in the next call",
       minds_the_call_before([](const Call& call) { return is_empty(call.asked.data) ? 1 : 0; })},
      {"refuses-after-a-scalar", "", "the rank of 0 of a scalar is still there in the next call",
       minds_the_call_before([](const Call& call) { return call.asked.data.rank() == 0 ? 1 : 0; })},
      {"refuses-another-type", "",
       "prepared for one element type, it refuses the next one of another",
       minds_the_call_before(
           [](const Call& call) { return static_cast<int>(call.asked.data_type); }, changed)},
      {"refuses-another-flag", "",
       "prepared for one value of special_zero, it refuses the next one of another",
       minds_the_call_before([](const Call& call) { return call.asked.special_zero + 1; },
                             changed)},
      {"refuses-a-higher-rank-than-before", "",
       "the array of sizes is as long as the first shape that was inferred",
       infers_by([](const Asked&, const RightAnswer& right) {
         static std::size_t room = 0;
         const Lock lock(guard());
         if (room == 0 && right.produces()) room = right.sizes.size();
         return right.produces() && right.sizes.size() > room ? refusal() : none();
       })},
      {"first-flag-stays", "", "special_zero is read in the first call and kept",
       inferring([](const reshape_request* request, reshape_shape* shape, reshape_message* why) {
         static std::int32_t first = RESHAPE_FLAG_MISSING;
         Asked asked(*request);
         {
           const Lock lock(guard());
           if (first == RESHAPE_FLAG_MISSING) first = asked.special_zero;
           if (asked.special_zero != RESHAPE_FLAG_MISSING) asked.special_zero = first;
         }
         return right().infer_shape(asked.request(), shape, why);
       }),
       like("openvinotoolkit/openvino#10189")},
      {"rank-only-grows", "", "the rank that is answered is the highest so far, with ones behind",
       after_infer([](const reshape_request&, reshape_shape& shape) {
         static std::int32_t highest = 0;
         const Lock lock(guard());
         highest = std::min(std::max(highest, shape.rank), shape.capacity);
         for (; shape.rank < highest; ++shape.rank) shape.sizes[shape.rank] = 1;
       })},
      {"worn-out-by-loading-again", "",
       "what the library sets up when it is loaded is not set up when it is loaded again",
       infers_by([](const Asked&, const RightAnswer&) {
         return times_loaded("worn-out-by-loading-again") > 1 ? refusal() : none();
       })},
      {"dialect-known-by-its-address", "",
       "the dialect is looked up once for each pointer to its name",
       misunderstand([](Asked& asked) {
         static std::map<const void*, std::string> known;
         const Lock lock(guard());
         asked.dialect = known.try_emplace(asked.original().dialect, asked.dialect).first->second;
       })},
      {"last-dialect-known-by-its-address", "",
       "the dialect of the call before is taken where the name lies at the same address",
       misunderstand([](Asked& asked) {
         static std::pair<const void*, std::string> last;
         const Lock lock(guard());
         if (last.first != asked.original().dialect)
           last = {asked.original().dialect, asked.dialect};
         asked.dialect = last.second;
       })},
      {"pattern-known-by-its-address", "",
       "a pattern of the same address and length is taken for a constant that was read before",
       misunderstand([](Asked& asked) {
         static std::map<std::string, std::vector<PatternValue>> known;
         const Lock lock(guard());
         const std::string key = std::to_string(address_of(*asked.original().pattern)) + "," +
                                 std::to_string(asked.pattern.size()) + "," +
                                 std::to_string(static_cast<int>(asked.pattern_type));
         asked.pattern = known.try_emplace(key, asked.pattern).first->second;
       })},
      {"tail-of-a-longer-pattern", "",
       "the pattern is read into an array that still holds the end of a longer one",
       misreads([](const Asked& asked, const RightAnswer& right) {
         static Sizes array;
         const Lock lock(guard());
         if (!right.produces()) return none();
         const bool longer = array.size() > right.sizes.size() + 1;
         if (array.size() < right.sizes.size()) array.resize(right.sizes.size());
         std::copy(right.sizes.begin(), right.sizes.end(), array.begin());
         return longer && array.back() != 1 && asked.minus_ones() == 0 ? refusal() : none();
       })},
      {"minus-one-stays-where-it-was", "",
       "where the -1 stands is kept, and not looked for in a pattern of as many values",
       misreads([](const Asked& asked, const RightAnswer& right) {
         static std::map<std::size_t, std::size_t> places;
         const Lock lock(guard());
         const auto plain = plain_pattern(asked);
         if (!right.produces() || !plain || !plain->minus_one) return none();
         const std::size_t place =
             places.try_emplace(plain->sizes.size(), *plain->minus_one).first->second;
         if (place == *plain->minus_one) return none();
         Sizes sizes = right.sizes;
         std::swap(sizes[place], sizes[*plain->minus_one]);
         return answers(std::move(sizes));
       })},
      {"first-inference-of-a-type-wrong", "",
       "the first request of each element type finds its table not filled in, and is refused",
       infers_by([](const Asked& asked, const RightAnswer&) {
         static std::set<ElementType> seen;
         const Lock lock(guard());
         return seen.insert(asked.data_type).second ? refusal() : none();
       })},
  };
}

std::vector<Row> executions() {
  return {
      {"plan-without-strides", "",
       "a plan is kept by sizes and type, and reads other strides as those it was made for",
       keeps_plans([](const reshape_request& request, const DLTensor& out) {
         return key_of_shapes(request, out) + key_of_type(*request.data);
       })},
      {"plan-without-strides-as-strides-of-0", "",
       "the plan of data without strides is kept by strides of 0",
       keeps_plans([](const reshape_request& request, const DLTensor& out) {
         const DLTensor& data = *request.data;
         const Strides none(static_cast<std::size_t>(data.ndim), 0);
         const Strides strides = data.strides ? Walk(data).layout().strides : none;
         return key_of_shapes(request, out) + text_of_sizes(strides) + key_of_type(data);
       })},
      {"plan-without-type", "",
       "a plan is kept by sizes and strides, and copies as many bytes as its first type had",
       keeps_plans([](const reshape_request& request, const DLTensor& out) {
         return key_of_shapes(request, out) + text_of_sizes(Walk(*request.data).layout().strides);
       })},
      {"plan-without-the-sign-of-strides", "",
       "a plan is kept by the sizes of strides without their sign",
       keeps_plans([](const reshape_request& request, const DLTensor& out) {
         Strides strides = Walk(*request.data).layout().strides;
         for (std::int64_t& stride : strides) stride = static_cast<std::int64_t>(distance(stride));
         return key_of_shapes(request, out) + text_of_sizes(strides) + key_of_type(*request.data);
       })},
      {"plan-by-a-hash-of-strides", "",
       "a plan is kept by the sizes, the type and a hash that other strides have, too",
       keeps_plans([](const reshape_request& request, const DLTensor& out) {
         const Strides strides = Walk(*request.data).layout().strides;
         std::int64_t hash = 0;
         for (const std::int64_t stride : strides) hash = hash * 31 + stride;
         return key_of_shapes(request, out) + std::to_string(hash) + key_of_type(*request.data);
       })},
      {"plan-by-up-to-six-strides", "",
       "a plan is kept by the sizes, the type and the first six strides",
       keeps_plans([](const reshape_request& request, const DLTensor& out) {
         Strides strides = Walk(*request.data).layout().strides;
         if (strides.size() > 6) strides.resize(6);
         return key_of_shapes(request, out) + text_of_sizes(strides) + key_of_type(*request.data);
       })},
      {"plan-by-strides-in-32-bits", "",
       "a plan is kept by the sizes, the type and the lower 32 bits of each stride",
       keeps_plans([](const reshape_request& request, const DLTensor& out) {
         Strides strides = Walk(*request.data).layout().strides;
         for (std::int64_t& stride : strides) stride = static_cast<std::int32_t>(stride);
         return key_of_shapes(request, out) + text_of_sizes(strides) + key_of_type(*request.data);
       })},
      {"same-buffers-taken-as-done", "",
       "the same addresses and sizes as in the call before are taken for work already done",
       leaves(
           [](const Copy& c) {
             static std::string before;
             const Lock lock(guard());
             const std::string now = said(address_of(*c.request.data), ",", address_of(c.output),
                                          ",", key_of_shapes(c.request, c.output));
             return std::exchange(before, now) == now;
           },
           [](const Copy&, std::int64_t) { return true; })},
      {"result-of-the-data-at-the-same-place", "",
       "data of three axes at the address and of the size of the copy before is not read again",
       spoils(kApart,
              [](const Copy& c) {
                static std::string before;
                static std::vector<std::uint64_t> elements;
                const std::string now =
                    said(address_of(*c.request.data), ",", c.out.count(), ",", c.out.width());
                const Lock lock(guard());
                if (std::exchange(before, now) == now && c.request.data->ndim == 3) {
                  put(c.output, elements);
                }
                elements = collect(c.output);
              })},
      {"result-kept-by-sizes", "",
       "the elements of the first result are given again for the same sizes and type",
       spoils(kApart,
              [](const Copy& c) {
                static std::map<std::string, std::vector<std::uint64_t>> kept;
                const std::string key = key_of_shapes(c.request, c.output) + key_of_type(c.output);
                const Lock lock(guard());
                const auto [entry, fresh] = kept.try_emplace(key);
                if (fresh) entry->second = collect(c.output);
                put(c.output, entry->second);
              })},
      {"buffer-of-the-first-call", "",
       "elements go through a buffer as long as the first output, and no further",
       leaves(kEveryCopy,
              [](const Copy& c, std::int64_t at) {
                static const std::int64_t room = c.out.count() * c.out.width();
                return (at + 1) * c.out.width() > room;
              })},
      {"executes-by-the-flag-inferred-last", "",
       "execution reads special_zero where the last inference put it",
       answering(
           [](const reshape_request* request, reshape_shape* shape, reshape_message* why) {
             last_flag = request->special_zero;
             return right().infer_shape(request, shape, why);
           },
           [](const reshape_request* request, DLTensor* output, reshape_message* why) {
             Asked asked(*request);
             asked.special_zero = last_flag;
             return right().execute(asked.request(), output, why);
           })},
      {"executes-only-what-was-inferred-last", "",
       "execution fails unless the last inference was about the same data's sizes",
       answering(
           [](const reshape_request* request, reshape_shape* shape, reshape_message* why) {
             {
               const Lock lock(guard());
               last_sizes = text(shape_of(*request->data));
             }
             return right().infer_shape(request, shape, why);
           },
           [](const reshape_request* request, DLTensor* output, reshape_message* why) {
             {
               const Lock lock(guard());
               if (last_sizes != text(shape_of(*request->data))) {
                 return answer(RESHAPE_FAILED, "not prepared", why);
               }
             }
             return right().execute(request, output, why);
           })},
      {"strides-of-a-refused-output",
       "",
       "an output without strides is written by those of the output that was refused before",
       executing([](const reshape_request* request, DLTensor* output, reshape_message* why) {
         static Strides kept;
         const Lock lock(guard());
         DLTensor given = *output;
         const auto rank = static_cast<std::size_t>(output->ndim);
         if (given.strides == nullptr && kept.size() == rank && rank > 0) {
           given.strides = kept.data();
         }
         const reshape_status status = right().execute(request, &given, why);
         kept.clear();
         if (status == RESHAPE_REJECTED && output->strides != nullptr) {
           kept.assign(output->strides, output->strides + rank);
         }
         return status;
       }),
       {.hostile = true}},
      {"wrong-after-an-empty-one", "",
       "the loop that an empty tensor skipped is skipped for the last element of the next",
       minds_the_one_before([](const Copy& c) { return c.data.count() == 0 ? 1 : 0; })},
      {"wrong-after-another-type", "",
       "the first execution after one of another width ends with that width",
       minds_the_one_before([](const Copy& c) { return static_cast<int>(c.data.width()); },
                            changed)},
      {"wrong-after-strides", "",
       "the first dense execution after one over strides ends with the stride",
       minds_the_one_before([](const Copy& c) { return c.data.dense() ? 0 : 1; })},
      {"wrong-after-output-strides", "",
       "the first execution into a dense output after one with gaps leaves a gap",
       minds_the_one_before([](const Copy& c) { return c.out.dense() ? 0 : 1; })},
      {"wrong-after-a-larger-one", "",
       "what a larger execution left in the staging buffer shows in the next smaller one",
       minds_the_one_before(
           [](const Copy& c) {
             return static_cast<int>(std::min<std::int64_t>(c.out.bytes(), 1 << 20));
           },
           [](int before, int now) { return before > now && now > 0 && before >= 64; })},
  };
}

std::vector<Row> counters() {
  return {
      call_refused("second-call-fails", whole(2)),
      call_refused("every-97th-call-fails", whole(97)),
      call_refused("used-up-after-127-calls", at_least(128)),
      call_refused("used-up-after-500-calls", at_least(501)),
      execution_wrong("first-execution-wrong", 1),
      execution_wrong("second-execution-wrong", 2),
      execution_wrong("every-64th-execution-wrong", whole(64)),
      execution_wrong("every-65536th-execution-wrong", whole(65536)),
      execution_wrong("wrong-after-300-executions", at_least(301)),
      call_refused("used-up-after-2000-calls", at_least(2001)),
      call_refused("used-up-after-10000-calls", at_least(10001)),
      call_refused("used-up-after-32767-calls", at_least(32768)),
      {"used-up-after-32767-views", "", "views are counted, and from 32768 on they are refused",
       viewing([views = std::make_shared<std::atomic<int>>(0)](
                   const reshape_request* request, DLTensor* output, reshape_message* why) {
         constexpr int kMost = 32767;
         if (++*views > kMost) return answer(RESHAPE_UNSUPPORTED, "no handle is left", why);
         return right().view(request, output, why);
       })},
      call_refused("call-65536-fails", 65536),
      call_refused("call-1000-fails", 1000),
      execution_wrong("worn-after-1000-executions", at_least(1001), ~std::uint64_t{0}),
      execution_wrong("worn-after-5000-executions", at_least(5001), ~std::uint64_t{0}),
      room_for_requests("room-for-64-plans", 64),
      room_for_requests("room-for-1000-plans", 1000),
      {"used-up-after-100-refusals", "",
       "each refusal keeps its message, and there is room for 100",
       refuses_calls(above(100), [](const Call& call) { return !call.right.produces(); })},
      {"used-up-after-255-inferred", "", "each -1 that is inferred gets a number of 8 bits",
       refuses_calls(
           above(255),
           [](const Call& call) { return call.right.produces() && call.asked.minus_ones() == 1; })},
      {"used-up-after-100-empty-ones", "",
       "each empty tensor takes a place of its own, and there are 100",
       refuses_calls(above(100), [](const Call& call) { return is_empty(call.asked.data); })},
      {"hot-after-50-equal-calls", "",
       "a request that was asked 50 times in a row is answered by a way of its own, wrongly",
       infers_by([](const Asked& asked, const RightAnswer&) {
         static std::string before;
         static int times = 0;
         const Lock lock(guard());
         const std::string key = data_sizes(asked) + others(asked);
         times = key == before ? times + 1 : 1;
         before = key;
         return times > 50 ? refusal() : none();
       })},
  };
}

// Sizes of `least` axes and more go through one array.
Steps shares_an_array_of_sizes(std::int32_t least) {
  return after_infer([=](const reshape_request&, reshape_shape& shape) {
    // Relaxed atomics avoid a data race on single words: the mistake is sharing the array.
    static std::atomic<std::int64_t> shared[128];
    if (shape.rank < least) return;
    notice_threads();
    for (std::int32_t at = 0; at < std::min(shape.rank, 128); ++at) shared[at] = shape.sizes[at];
    dawdle();
    for (std::int32_t at = 0; at < std::min(shape.rank, 128); ++at) shape.sizes[at] = shared[at];
  });
}

std::vector<Row> threads() {
  return {
      {"one-array-of-sizes-for-all", "", "sizes go through one array that all threads share",
       shares_an_array_of_sizes(0)},
      {"one-array-of-many-sizes-for-all", "",
       "sizes of outputs of more than eight axes go through one array that all threads share",
       shares_an_array_of_sizes(9)},
      {"one-buffer-of-elements-for-all", "",
       "the first elements go through one buffer that all threads share",
       spoils_elements(kApart,
                       [](Elements& elements) {
                         static std::atomic<std::uint64_t> shared[64];
                         notice_threads();
                         const std::int64_t most = std::min<std::int64_t>(elements.count(), 64);
                         for (std::int64_t at = 0; at < most; ++at) shared[at] = elements.get(at);
                         dawdle();
                         for (std::int64_t at = 0; at < most; ++at) elements.set(at, shared[at]);
                       })},
      {"one-buffer-of-strided-elements-for-all", "",
       "the first elements of strided data go through one buffer that all threads share, and leave "
       "it at once",
       spoils_elements(kApart && of_data(kStrided),
                       [](Elements& elements) {
                         static std::atomic<std::uint64_t> shared[64];
                         const std::int64_t most = std::min<std::int64_t>(elements.count(), 64);
                         for (std::int64_t at = 0; at < most; ++at) shared[at] = elements.get(at);
                         for (std::int64_t at = 0; at < most; ++at) elements.set(at, shared[at]);
                       })},
      {"last-place-of-each-thread-in-a-cache-of-all", "",
       "each thread notes where in a cache of 32 answers its last one lies, whoever has used the "
       "place since",
       infers_by([](const Asked& asked, const RightAnswer& right) {
         struct Note {
           std::string key;
           std::size_t place = 0;
         };
         static Sizes places[32];
         static std::size_t next = 0;
         thread_local Note last;
         if (!right.produces()) return none();
         const std::string key = data_sizes(asked) + others(asked);
         const Lock lock(guard());
         if (last.key != key) {
           last = {key, next++ % std::size(places)};
           places[last.place] = right.sizes;
         }
         return answers(places[last.place]);
       })},
      {"flag-in-a-global", "",
       "special_zero is put into a global variable before the pattern is read",
       inferring([](const reshape_request* request, reshape_shape* shape, reshape_message* why) {
         static std::atomic<std::int32_t> flag;
         notice_threads();
         flag = request->special_zero;
         dawdle();
         Asked asked(*request);
         asked.special_zero = flag;
         return right().infer_shape(asked.request(), shape, why);
       })},
      {"refuses-while-another-is-inside", "", "a call that finds another one going on is refused",
       room_for_calls(1)},
      {"two-slots-for-threads", "", "there is room for two threads at once, and a third is refused",
       room_for_calls(2)},
      {"set-up-in-the-loading-thread", "",
       "what is thread-local is set up in the thread that loads the library, and no other",
       set_up_when_loaded(infers_by(
           [](const Asked&, const RightAnswer&) { return set_up ? none() : refusal(); }))},
      {"call-50-of-another-thread-fails", "",
       "each thread counts its calls, and one that did not load the library is refused the 50th",
       set_up_when_loaded(infers_by([](const Asked&, const RightAnswer&) {
         thread_local int calls = 0;
         return !set_up && ++calls == 50 ? refusal() : none();
       }))},
      {"executes-in-the-loading-thread", "",
       "the kernel of a thread that did not load the library is the one for odd sizes, and wrong",
       set_up_when_loaded(
           spoils_elements([](const Copy&) { return !set_up; },
                           [](Elements& elements) { elements.set(0, elements.get(0) ^ 1); }))},
      {"executes-where-it-was-inferred", "",
       "a thread that has inferred nothing has no table of kernels, and executes nothing",
       answering(
           [](const reshape_request* request, reshape_shape* shape, reshape_message* why) {
             has_inferred = true;
             return right().infer_shape(request, shape, why);
           },
           [](const reshape_request* request, DLTensor* output, reshape_message* why) {
             return has_inferred ? right().execute(request, output, why)
                                 : answer(RESHAPE_FAILED, "not prepared", why);
           })},
      {"half-done-when-another-starts", "", "an execution ends early when another one has begun",
       executing([](const reshape_request* request, DLTensor* out, reshape_message* why) {
         const Inside counted;
         const bool early = inside > 1 && out->data != nullptr && !is_empty(shape_of(*out));
         const std::vector<std::uint64_t> before =
             early ? collect(*out) : std::vector<std::uint64_t>{};
         const reshape_status status = right().execute(request, out, why);
         if (status != RESHAPE_OK || !early) return status;
         Elements now(*out);
         now.set(now.count() - 1, before.back());
         return status;
       })},
  };
}

std::vector<Row> growth() {
  return {
      {"leaks-at-every-second-call", "",
       "of two sets of buffers that are used in turn one is allocated anew each time",
       before_each_call([] {
         static std::atomic<int> calls = 0;
         if (++calls % 2 == 0) lose(64);
       })},
      {"leaks-at-every-12th-execution", "",
       "every 12th execution starts a new block of its log, and forgets the old one",
       after_execute([](const reshape_request&, DLTensor&) {
         static std::atomic<int> calls = 0;
         if (++calls % 12 == 0) lose(512);
       })},
      {"keeps-every-answer", "",
       "each answer is appended to a list that is never emptied, and grows by doubling",
       after_infer([](const reshape_request&, reshape_shape& shape) {
         static std::vector<std::int32_t>& ranks = *new std::vector<std::int32_t>;
         const Lock lock(guard());
         for (int entry = 0; entry < 16; ++entry) ranks.push_back(shape.rank);
       })},
  };
}

}  // namespace

Mutants families::sequence() {
  return family(Kind::sequence, {},
                joined({breaking(Duty::C17, kept_answers()), breaking(Duty::C17, inferences()),
                        breaking(Duty::C17, executions()), breaking(Duty::C17, counters()),
                        breaking(Duty::C17, threads()), breaking(Duty::C15, growth())}));
}

}  // namespace reshape::conformance::self
