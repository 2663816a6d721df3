// Mistakes that depend on earlier or concurrent requests.
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
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

namespace reshape::conformance::self {
namespace {

// A lock for the mutants' state, so that only the intended mistake shows, and no race.
std::mutex& guard() {
  static std::mutex one;
  return one;
}
using Lock = std::lock_guard<std::mutex>;
// Runs the task under that lock.
template <typename Task>
auto in_turn(Task task) {
  return [=](auto&... asked) {
    const Lock lock(guard());
    return task(asked...);
  };
}

// A request in words, by which answers are kept. A mutant changes or forgets a part.
struct Key {
  std::string data, pattern, form, data_type, pattern_type, dialect, flag;

  std::string text() const {
    return said(data, '/', pattern, '/', form, '/', data_type, '/', pattern_type, '/', dialect, '/',
                flag);
  }
};
Key key_of(const Asked& asked) {
  std::string pattern;
  for (const PatternValue value : asked.pattern) pattern += text(value) + ",";
  return {text(asked.data),
          pattern,
          text(asked.pattern_shape),
          std::string(name(asked.data_type)),
          std::string(name(asked.pattern_type)),
          asked.dialect,
          std::to_string(asked.special_zero)};
}
std::string key_of_all(const Asked& asked) { return key_of(asked).text(); }
// But the data's rank in place of its sizes.
std::string key_of_all_but_sizes(const Asked& asked) {
  Key key = key_of(asked);
  key.data = std::to_string(asked.data.rank());
  return key.text();
}

Sizes pattern_of(const Asked& asked) {
  Sizes values;
  for (const PatternValue value : asked.pattern) values.push_back(static_cast<std::int64_t>(value));
  return values;
}

Sizes first_of(Sizes sizes, std::size_t most) {
  if (sizes.size() > most) sizes.resize(most);
  return sizes;
}

// Keeps the answers of inference by the key that forget(asked, key) leaves. One more than `most`
// answers, and the others are forgotten.
Steps keeps(std::function<void(const Asked&, Key&)> forget, std::size_t most = 1'000'000) {
  struct Kept {
    std::mutex guard;
    std::map<std::string, RightAnswer> answers;
  };
  return inferring([=, kept = std::make_shared<Kept>()](const Inference& call) {
    const Asked asked(call.request);
    Key key = key_of(asked);
    forget(asked, key);
    const Lock lock(kept->guard);
    if (kept->answers.size() >= most && !kept->answers.contains(key.text())) kept->answers.clear();
    const auto [entry, fresh] = kept->answers.try_emplace(key.text());
    if (fresh) entry->second = right_answer(call);
    const RightAnswer& answer = entry->second;
    return answer.produces() ? write_shape(answer.sizes, call)
                             : call.answer(answer.status, (answer.clause + ": as before").c_str());
  });
}
Steps keeps_without(std::vector<std::string Key::*> parts, std::size_t most = 1'000'000) {
  const auto forget = [=](const Asked&, Key& key) {
    for (const auto part : parts) (key.*part).clear();
  };
  return keeps(forget, most);
}
// By digest(sizes) of the data, or of the data and the pattern.
Steps keeps_by_data(std::function<std::string(const Sizes&)> digest) {
  return keeps([=](const Asked& asked, Key& key) { key.data = digest(sizes_of(asked.data)); });
}
Steps keeps_by(std::function<std::string(const Sizes&)> digest) {
  return keeps([=](const Asked& asked, Key& key) {
    key.data = digest(sizes_of(asked.data));
    key.pattern = digest(pattern_of(asked));
  });
}

// Data and pattern in one list, without where the one ends.
void joins_data_and_pattern(const Asked& asked, Key& key) {
  Sizes all = sizes_of(asked.data);
  std::ranges::copy(pattern_of(asked), std::back_inserter(all));
  key.data = text_of_sizes(all);
  key.pattern = key.form = "";
}

// The pattern as it lies in memory, without its type and its length.
void takes_bytes_of_the_pattern(const Asked& asked, Key& key) {
  key.pattern = key.form = key.pattern_type = "";
  for (const PatternValue value : asked.pattern) {
    for (int bit = 0; bit < bits(asked.pattern_type); bit += 8) {
      key.pattern += std::to_string(static_cast<int>(value >> bit & 0xff)) + ' ';
    }
  }
}

// Whether one list begins with the other.
bool begins_with(const Sizes& list, const Sizes& beginning) {
  return beginning.size() <= list.size() &&
         std::ranges::equal(beginning, std::span(list).first(beginning.size()));
}
bool is_continued_by(const Sizes& beginning, const Sizes& list) {
  return begins_with(list, beginning);
}

// Gives the last answer again where alike(last, now) is true of one of the lists, and the other and
// all else are the same.
Steps notes_the_last(bool of_data, bool (*alike)(const Sizes& last, const Sizes& now)) {
  struct Note {
    Sizes list;
    std::string others;
    RightAnswer answer;
  };
  return inferring([=, note = std::make_shared<std::optional<Note>>()](const Inference& call) {
    const Asked asked(call.request);
    const Sizes list = of_data ? sizes_of(asked.data) : pattern_of(asked);
    Key others = key_of(asked);
    if (of_data) others.data = "";
    if (!of_data) others.pattern = others.form = "";
    const Lock lock(guard());
    if (!*note || (*note)->others != others.text() || !alike((*note)->list, list)) {
      const RightAnswer right = right_answer(call);
      if (!right.produces()) return right.status;
      *note = Note{list, others.text(), right};
    }
    return write_shape((*note)->answer.sizes, call);
  });
}

// The hash of Java's lists: factor * hash + value.
std::uint64_t hash_of(const Sizes& sizes, std::uint64_t begin = 1, std::uint64_t factor = 31) {
  std::uint64_t hash = begin;
  for (const std::int64_t size : sizes) hash = factor * hash + static_cast<std::uint64_t>(size);
  return hash;
}

Mistake kept_by_hash(int bits) {
  return {said("a hash chooses one of ", 1 << bits, " places, and what lies there is not compared"),
          keeps_by([=](const Sizes& sizes) {
            return std::to_string(hash_of(sizes) * 0x9e3779b97f4a7c15 >> (64 - bits));
          })};
}

Mistake kept_in_bits(int bits) {
  return {said("answers are kept by the lower ", bits, " bits of each size"),
          keeps_by([=](Sizes sizes) {
            for (std::int64_t& size : sizes) size &= (std::int64_t{1} << bits) - 1;
            return text_of_sizes(sizes);
          })};
}

Steps kept_by_up_to(std::size_t most) {
  return keeps_by(
      [=](const Sizes& sizes) { return said(text_of_sizes(first_of(sizes, most)), sizes.size()); });
}

// Refuses a call if refuses(state of the call before, that of this one). The first call is always
// answered correctly.
using Refuses = bool (*)(int, int);
bool from_1_to_0(int before, int now) { return before == 1 && now == 0; }
bool changed(int before, int now) { return before != now; }
Steps minds_the_call_before(int (*state)(const Asked&, const RightAnswer&),
                            Refuses refuses = from_1_to_0) {
  return infers_by(
      [=, before = std::make_shared<int>(-1)](const Asked& asked, const RightAnswer& right) {
        const Lock lock(guard());
        const int now = state(asked, right);
        const int then = std::exchange(*before, now);
        return then != -1 && refuses(then, now) ? refusal() : none();
      });
}

// Refuses calls while the number of calls so far that `counts` selects meets the condition.
Steps refuses_calls(const Length& number, bool (*counts)(const Asked&, const RightAnswer&)) {
  return infers_by([=, calls = std::make_shared<std::atomic<int>>(0)](const Asked& asked,
                                                                      const RightAnswer& right) {
    if (counts(asked, right)) ++*calls;
    return number(*calls) ? refusal() : none();
  });
}
Mistake call_refused(const Length& number) {
  return {said("inferences are counted, and number ", number.words(), " is refused"),
          refuses_calls(number, [](const Asked&, const RightAnswer&) { return true; })};
}

Mistake room_for_requests(std::size_t most) {
  return {said(most, " different requests are planned, and a further one is refused"),
          infers_by([=, seen = std::make_shared<std::set<std::string>>()](const Asked& asked,
                                                                          const RightAnswer&) {
            const Lock lock(guard());
            const std::string key = key_of_all(asked);
            if (seen->size() >= most && !seen->contains(key)) return refusal();
            seen->insert(key);
            return none();
          })};
}

std::string key_of_shapes(const reshape_request& request, const DLTensor& out) {
  return text(shape_of(*request.data)) + "/" + text(shape_of(out)) + "/";
}
std::string key_of_type(const DLTensor& tensor) {
  return said(+tensor.dtype.code, ",", +tensor.dtype.bits);
}

// Keeps a plan, that is the data's strides and type, by both shapes and key(data, its strides), and
// reads by it what has the same key. Copies only the planned number of bytes if the elements are
// wider than planned.
Steps keeps_plans(std::function<std::string(const DLTensor&, Strides)> key) {
  struct Plan {
    Strides strides;
    std::int64_t width;
  };
  return after_execute([=, kept = std::make_shared<std::map<std::string, Plan>>()](
                           const reshape_request& request, DLTensor& out) {
    const Walk data(*request.data);
    if (data.count() == 0) return;
    const Strides& strides = data.layout().strides;
    Plan plan;
    {
      const Lock lock(guard());
      plan = kept->try_emplace(key_of_shapes(request, out) + key(*request.data, strides),
                               Plan{strides, data.width()})
                 .first->second;
    }
    std::vector<std::uint64_t> to = collect_by(plan.strides, *request.data);
    const auto planned = static_cast<std::size_t>(data.count() * plan.width / data.width());
    for (std::size_t at = planned; at < to.size(); ++at) to[at] = ~to[at];
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
Mistake execution_wrong(const Length& number, std::uint64_t change = 1) {
  return {
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
  return inferring([=](const Inference& call) {
    const Inside counted;
    if (inside > most) return call.answer(RESHAPE_REJECTED, "busy");
    return call.right();
  });
}

// Kept by an inference for the next execution.
std::atomic<std::int32_t> last_flag = RESHAPE_FLAG_MISSING;
std::string last_sizes;

// Sizes of `least` axes and more go through one array.
Steps shares_an_array_of_sizes(std::int32_t least) {
  return after_infer([=](const reshape_request&, reshape_shape& shape) {
    // Relaxed atomics avoid a data race on single words: the mistake is sharing the array.
    static std::atomic<std::int64_t> shared[128];
    if (shape.rank < least) return;
    notice_threads();
    const std::int32_t most = std::min(shape.rank, 128);
    std::copy_n(shape.sizes, most, shared);
    dawdle();
    std::copy_n(shared, most, shape.sizes);
  });
}

// The first elements go through one array, and come back after wait().
Effect shares_an_array_of_elements(void (*wait)()) {
  return spoils_elements(
      [=, shared =
              std::make_shared<std::array<std::atomic<std::uint64_t>, 64>>()](Elements& elements) {
        notice_threads();
        const std::int64_t most = std::min<std::int64_t>(elements.count(), 64);
        for (std::int64_t at = 0; at < most; ++at)
          (*shared)[static_cast<std::size_t>(at)] = elements.get(at);
        wait();
        for (std::int64_t at = 0; at < most; ++at)
          elements.set(at, (*shared)[static_cast<std::size_t>(at)]);
      });
}

}  // namespace

Mutants families::sequence() {
  Table table(Kind::sequence);
  table[Duty::C17] = {
      // Answers that are kept.
      {"last-answer-of-data-that-begins-alike", "",
       "the last answer is given again where the last data's sizes begin with these",
       notes_the_last(true, begins_with)},
      {"last-answer-of-a-pattern-that-begins-alike", "",
       "the last answer is given again where the last pattern begins with this one",
       notes_the_last(false, begins_with)},
      {"last-answer-of-the-beginning-of-a-pattern", "",
       "the last answer is given again where the last pattern is the beginning of this one",
       notes_the_last(false, is_continued_by)},
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
         return std::to_string(static_cast<std::uint32_t>(hash_of(sizes)));
       })},
      {"kept-by-8-bits-of-a-hash", "", kept_by_hash(8)},
      {"kept-by-16-bits-of-a-hash", "", kept_by_hash(16)},
      {"kept-by-exclusive-or", "",
       "answers are kept by the exclusive or of the sizes, which equal ones leave",
       keeps_by([](const Sizes& sizes) {
         std::int64_t bits = 0;
         for (const std::int64_t size : sizes) bits ^= size;
         return said(bits, ",", sizes.size());
       })},
      {"kept-by-sorted-sizes", "",
       "answers are kept by the data's sizes in order, whatever order they came in",
       keeps_by_data([](Sizes sizes) {
         std::ranges::sort(sizes);
         return text_of_sizes(sizes);
       })},
      {"kept-by-the-first-two-sizes", "",
       "answers are kept by the data's first two sizes and its number of elements",
       keeps([](const Asked& asked, Key& key) {
         key.data = said(text_of_sizes(first_of(sizes_of(asked.data), 2)),
                         element_count(asked.data).value_or(-1));
       })},
      {"kept-by-the-last-two-sizes", "",
       "answers are kept by the data's last two sizes and its rank", keeps_by_data([](Sizes sizes) {
         const std::size_t rank = sizes.size();
         if (rank > 2) sizes.erase(sizes.begin(), sizes.end() - 2);
         return said(text_of_sizes(sizes), rank);
       })},
      {"kept-without-a-seam", "",
       "answers are kept by data and pattern in a row, without where the one ends",
       keeps(joins_data_and_pattern)},
      {"kept-without-the-form-of-the-pattern", "",
       "answers are kept by the pattern's values, without the dimensions of its tensor",
       keeps_without({&Key::form})},
      {"last-kept-without-the-form-of-the-pattern", "",
       "the last answer is kept by the pattern's values, without the dimensions of its tensor",
       keeps_without({&Key::form}, 1)},
      {"kept-in-32-bits-a-size", "", kept_in_bits(32)},
      {"kept-in-16-bits-a-size", "", kept_in_bits(16)},
      {"kept-in-8-bits-a-size", "", kept_in_bits(8)},
      {"kept-by-up-to-four-sizes", "",
       "the key has room for four sizes of the data and four values of the pattern",
       kept_by_up_to(4)},
      {"kept-by-up-to-six-sizes", "",
       "the key has room for six sizes of the data and six values of the pattern",
       kept_by_up_to(6)},
      {"kept-by-up-to-64-sizes", "",
       "the key has room for 64 sizes of the data and 64 values of the pattern", kept_by_up_to(64)},
      {"kept-by-up-to-1024-sizes", "",
       "the key has room for 1024 sizes of the data and 1024 values of the pattern",
       kept_by_up_to(1024)},
      {"kept-without-signs", "",
       "answers are kept by the magnitude of the pattern's values, so that -1 is 1",
       keeps_by([](Sizes sizes) {
         std::ranges::replace(sizes, -1, 1);
         return text_of_sizes(sizes);
       })},
      {"kept-by-count-and-output-rank", "",
       "answers are kept by both numbers of elements and both ranks",
       keeps_by([](const Sizes& sizes) {
         return said(product_in<std::int64_t>(sizes), ",", sizes.size());
       })},
      {"kept-when-refused-by-the-pattern", "",
       "a pattern that was refused once is refused over all data of that rank and type",
       misreads(in_turn([](const Asked& asked, const RightAnswer& right) {
         static std::set<std::string> refused;
         const std::string key = key_of_all_but_sizes(asked);
         if (!right.produces()) refused.insert(key);
         return refused.contains(key) ? refusal() : none();
       }))},
      {"kept-when-produced-by-the-pattern", "",
       "a pattern of plain sizes that was right once is right for all data of that rank",
       misreads(in_turn([](const Asked& asked, const RightAnswer& right) {
         static std::set<std::string> produced;
         const std::string key = key_of_all_but_sizes(asked);
         const auto sizes = plain_sizes(asked);
         if (!sizes) return none();
         if (right.produces()) produced.insert(key);
         return right.refused_for("volume.kept") && produced.contains(key) ? answers(*sizes)
                                                                           : none();
       }))},
      {"kept-without-the-pattern", "",
       "answers are kept by the data's sizes alone, so that another pattern gets the first's",
       keeps_without({&Key::pattern, &Key::form})},
      {"kept-without-the-flag", "", "answers are kept without special_zero",
       keeps_without({&Key::flag}), like("microsoft/onnxruntime#28348")},
      {"produced-kept-with-no-flag-for-true", "",
       "what was produced is kept, and a request without a flag gets what was kept for a true one",
       infers_by(in_turn([](const Asked& asked, const RightAnswer& right) {
         static std::map<std::string, Sizes> kept;
         Key key = key_of(asked);
         if (asked.special_zero == RESHAPE_FLAG_MISSING)
           key.flag = std::to_string(RESHAPE_FLAG_TRUE);
         if (right.produces()) kept[key.text()] = right.sizes;
         const auto found = kept.find(key.text());
         return found == kept.end() ? none() : answers(found->second);
       }))},
      {"kept-without-the-dialect", "",
       "answers are kept without the dialect, and given to another one",
       keeps_without({&Key::dialect})},
      {"last-kept-without-the-dialect", "",
       "the last answer is kept, and given to the same request of another dialect",
       keeps_without({&Key::dialect}, 1)},
      {"last-kept-by-the-bytes-of-the-pattern", "",
       "the last answer is kept by the bytes of the pattern, whatever their type",
       keeps(takes_bytes_of_the_pattern, 1)},
      {"last-kept-by-joined-sizes", "",
       "the last answer is kept by the data's sizes and the pattern's values in one list",
       keeps(joins_data_and_pattern, 1)},
      {"kept-without-the-data-type", "",
       "answers are kept without the data's type, so that a refused one passes or the reverse",
       keeps_without({&Key::data_type})},
      {"kept-without-the-pattern-type", "", "answers are kept without the pattern's type",
       keeps_without({&Key::pattern_type})},
      {"kept-by-the-number-of-elements", "",
       "answers are kept by the data's number of elements instead of its sizes",
       keeps([](const Asked& asked, Key& key) {
         key.data = std::to_string(element_count(asked.data).value_or(-1));
       })},
      {"kept-by-rank-and-ends", "",
       "answers are kept by a hash of the data's rank, first and last size",
       keeps_by_data([](const Sizes& sizes) {
         return sizes.empty() ? "" : said(sizes.size(), ",", sizes.front(), ",", sizes.back());
       })},
      {"kept-by-a-hash-of-the-data", "",
       "answers are kept by a hash of the data's sizes that others have, too",
       keeps_by_data(
           [](const Sizes& sizes) { return std::to_string(hash_of(sizes, sizes.size(), 33)); })},
      {"kept-by-the-sum-of-the-pattern", "",
       "answers are kept by a hash of the pattern in which the places do not count",
       keeps([](const Asked& asked, Key& key) {
         PatternValue sum = 0;
         for (const PatternValue value : asked.pattern) sum += value;
         key.pattern = text(sum);
       })},

      // What an inference leaves for the next.
      {"refuses-after-a-refusal", "", "the error of a refused call is still set in the next one",
       minds_the_call_before([](const Asked&, const RightAnswer& right) {
         return right.status == RESHAPE_REJECTED ? 1 : 0;
       })},
      {"refuses-after-what-is-not-declared", "",
       "the error of a call for an unknown document is still set in the next one",
       minds_the_call_before([](const Asked&, const RightAnswer& right) {
         return right.status == RESHAPE_UNSUPPORTED ? 1 : 0;
       })},
      {"refuses-after-an-empty-one", "",
       "the count of 0 of an empty tensor is still there in the next call",
       minds_the_call_before(
           [](const Asked& asked, const RightAnswer&) { return is_empty(asked.data) ? 1 : 0; })},
      {"refuses-after-a-scalar", "", "the rank of 0 of a scalar is still there in the next call",
       minds_the_call_before(
           [](const Asked& asked, const RightAnswer&) { return asked.data.rank() == 0 ? 1 : 0; })},
      {"refuses-another-type", "",
       "prepared for one element type, it refuses the next one of another",
       minds_the_call_before(
           [](const Asked& asked, const RightAnswer&) { return static_cast<int>(asked.data_type); },
           changed)},
      {"refuses-another-flag", "",
       "prepared for one value of special_zero, it refuses the next one of another",
       minds_the_call_before(
           [](const Asked& asked, const RightAnswer&) { return asked.special_zero + 1; }, changed)},
      {"refuses-a-higher-rank-than-before", "",
       "the array of sizes is as long as the first shape that was inferred",
       infers_by(in_turn([](const Asked&, const RightAnswer& right) {
         static std::size_t room = 0;
         if (room == 0 && right.produces()) room = right.sizes.size();
         return right.produces() && right.sizes.size() > room ? refusal() : none();
       }))},
      {"first-flag-stays", "", "special_zero is read in the first call and kept",
       Steps{.infer = misunderstand(in_turn([](Asked& asked) {
                        static std::int32_t first = RESHAPE_FLAG_MISSING;
                        if (first == RESHAPE_FLAG_MISSING) first = asked.special_zero;
                        if (asked.special_zero != RESHAPE_FLAG_MISSING) asked.special_zero = first;
                      })).infer},
       like("openvinotoolkit/openvino#10189")},
      {"rank-only-grows", "", "the rank that is answered is the highest so far, with ones behind",
       after_infer(in_turn([](const reshape_request&, reshape_shape& shape) {
         static std::int32_t highest = 0;
         highest = std::min(std::max(highest, shape.rank), shape.capacity);
         for (; shape.rank < highest; ++shape.rank) shape.sizes[shape.rank] = 1;
       }))},
      {"worn-out-by-loading-again", "",
       "what the library sets up when it is loaded is not set up when it is loaded again",
       infers_by([](const Asked&, const RightAnswer&) {
         return times_loaded("worn-out-by-loading-again") > 1 ? refusal() : none();
       })},
      {"dialect-known-by-its-address", "",
       "the dialect is looked up once for each pointer to its name",
       misunderstand(in_turn([](Asked& asked) {
         static std::map<const void*, std::string> known;
         asked.dialect = known.try_emplace(asked.original().dialect, asked.dialect).first->second;
       }))},
      {"last-dialect-known-by-its-address", "",
       "the dialect of the call before is taken where the name lies at the same address",
       misunderstand(in_turn([](Asked& asked) {
         static const void* at = nullptr;
         static std::string last;
         if (at != asked.original().dialect) last = asked.dialect;
         at = asked.original().dialect;
         asked.dialect = last;
       }))},
      {"pattern-known-by-its-address", "",
       "a pattern of the same address and length is taken for a constant that was read before",
       misunderstand(in_turn([](Asked& asked) {
         static std::map<std::string, std::vector<PatternValue>> known;
         const std::string key = said(address_of(*asked.original().pattern), ",",
                                      asked.pattern.size(), ",", name(asked.pattern_type));
         asked.pattern = known.try_emplace(key, asked.pattern).first->second;
       }))},
      {"tail-of-a-longer-pattern", "",
       "the pattern is read into an array that still holds the end of a longer one",
       misreads(in_turn([](const Asked& asked, const RightAnswer& right) {
         static Sizes array;
         if (!right.produces()) return none();
         const bool longer = array.size() > right.sizes.size() + 1;
         if (array.size() < right.sizes.size()) array.resize(right.sizes.size());
         std::copy(right.sizes.begin(), right.sizes.end(), array.begin());
         return longer && array.back() != 1 && asked.minus_ones() == 0 ? refusal() : none();
       }))},
      {"minus-one-stays-where-it-was", "",
       "where the -1 stands is kept, and not looked for in a pattern of as many values",
       misreads(in_turn([](const Asked& asked, const RightAnswer& right) {
         static std::map<std::size_t, std::size_t> places;
         const auto plain = plain_pattern(asked);
         if (!right.produces() || !plain || !plain->minus_one) return none();
         const std::size_t place =
             places.try_emplace(plain->sizes.size(), *plain->minus_one).first->second;
         if (place == *plain->minus_one) return none();
         Sizes sizes = right.sizes;
         std::swap(sizes[place], sizes[*plain->minus_one]);
         return answers(std::move(sizes));
       }))},
      {"first-inference-of-a-type-wrong", "",
       "the first request of each element type finds its table not filled in, and is refused",
       infers_by(in_turn([](const Asked& asked, const RightAnswer&) {
         static std::set<ElementType> seen;
         return seen.insert(asked.data_type).second ? refusal() : none();
       }))},

      // What an execution leaves.
      {"plan-without-strides", "",
       "a plan is kept by sizes and type, and reads other strides as those it was made for",
       keeps_plans([](const DLTensor& data, const Strides&) { return key_of_type(data); })},
      {"plan-without-strides-as-strides-of-0", "",
       "the plan of data without strides is kept by strides of 0",
       keeps_plans([](const DLTensor& data, Strides strides) {
         if (data.strides == nullptr) std::ranges::fill(strides, 0);
         return text_of_sizes(strides) + key_of_type(data);
       })},
      {"plan-without-type", "",
       "a plan is kept by sizes and strides, and copies as many bytes as its first type had",
       keeps_plans([](const DLTensor&, const Strides& strides) { return text_of_sizes(strides); })},
      {"plan-without-the-sign-of-strides", "",
       "a plan is kept by the sizes of strides without their sign",
       keeps_plans([](const DLTensor& data, Strides strides) {
         for (std::int64_t& stride : strides) stride = static_cast<std::int64_t>(distance(stride));
         return text_of_sizes(strides) + key_of_type(data);
       })},
      {"plan-by-a-hash-of-strides", "",
       "a plan is kept by the sizes, the type and a hash that other strides have, too",
       keeps_plans([](const DLTensor& data, const Strides& strides) {
         return std::to_string(hash_of(strides, 0)) + key_of_type(data);
       })},
      {"plan-by-up-to-six-strides", "",
       "a plan is kept by the sizes, the type and the first six strides",
       keeps_plans([](const DLTensor& data, const Strides& strides) {
         return text_of_sizes(first_of(strides, 6)) + key_of_type(data);
       })},
      {"plan-by-strides-in-32-bits", "",
       "a plan is kept by the sizes, the type and the lower 32 bits of each stride",
       keeps_plans([](const DLTensor& data, Strides strides) {
         for (std::int64_t& stride : strides) stride = static_cast<std::int32_t>(stride);
         return text_of_sizes(strides) + key_of_type(data);
       })},
      {"same-buffers-taken-as-done", "",
       "the same addresses and sizes as in the call before are taken for work already done",
       leaves([](const Copy&, std::int64_t) { return true; }),
       [](const Copy& c) {
         static std::string before;
         const Lock lock(guard());
         const std::string now = said(address_of(*c.request.data), ",", address_of(c.output), ",",
                                      key_of_shapes(c.request, c.output));
         return std::exchange(before, now) == now;
       }},
      {"result-of-the-data-at-the-same-place", "",
       "data of three axes at the address and of the size of the copy before is not read again",
       spoils(in_turn([](const Copy& c) {
         static std::string before;
         static std::vector<std::uint64_t> elements;
         const std::string now =
             said(address_of(*c.request.data), ",", c.out.count(), ",", c.out.width());
         if (std::exchange(before, now) == now && c.request.data->ndim == 3) {
           put(c.output, elements);
         }
         elements = collect(c.output);
       })),
       kApart},
      {"result-kept-by-sizes", "",
       "the elements of the first result are given again for the same sizes and type",
       spoils(in_turn([](const Copy& c) {
         static std::map<std::string, std::vector<std::uint64_t>> kept;
         const std::string key = key_of_shapes(c.request, c.output) + key_of_type(c.output);
         const auto [entry, fresh] = kept.try_emplace(key);
         if (fresh) entry->second = collect(c.output);
         put(c.output, entry->second);
       })),
       kApart},
      {"buffer-of-the-first-call", "",
       "elements go through a buffer as long as the first output, and no further",
       leaves([](const Copy& c, std::int64_t at) {
         static const std::int64_t room = c.out.count() * c.out.width();
         return (at + 1) * c.out.width() > room;
       })},
      {"executes-by-the-flag-inferred-last", "",
       "execution reads special_zero where the last inference put it",
       answering(
           [](const Inference& call) {
             last_flag = call.request.special_zero;
             return call.right();
           },
           [](const Execution& call) {
             Asked asked(call.request);
             asked.special_zero = last_flag;
             return call.right(*asked.request());
           })},
      {"executes-only-what-was-inferred-last", "",
       "execution fails unless the last inference was about the same data's sizes",
       answering(in_turn([](const Inference& call) {
                   last_sizes = text(shape_of(call.data()));
                   return call.right();
                 }),
                 in_turn([](const Execution& call) {
                   return last_sizes == text(shape_of(call.data()))
                              ? call.right()
                              : call.answer(RESHAPE_FAILED, "not prepared");
                 }))},
      {"strides-of-a-refused-output",
       "",
       "an output without strides is written by those of the output that was refused before",
       executing([](const Execution& call) {
         static Strides kept;
         const Lock lock(guard());
         DLTensor given = call.output;
         const auto rank = static_cast<std::size_t>(call.output.ndim);
         if (given.strides == nullptr && kept.size() == rank && rank > 0) {
           given.strides = kept.data();
         }
         const reshape_status status = call.right(call.request, given);
         kept.clear();
         if (status == RESHAPE_REJECTED && call.output.strides != nullptr) {
           kept.assign(call.output.strides, call.output.strides + rank);
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

      // Counters.
      {"second-call-fails", "", call_refused(whole(2))},
      {"every-97th-call-fails", "", call_refused(whole(97))},
      {"used-up-after-127-calls", "", call_refused(at_least(128))},
      {"used-up-after-500-calls", "", call_refused(at_least(501))},
      {"first-execution-wrong", "", execution_wrong(1)},
      {"second-execution-wrong", "", execution_wrong(2)},
      {"every-64th-execution-wrong", "", execution_wrong(whole(64))},
      {"every-65536th-execution-wrong", "", execution_wrong(whole(65536))},
      {"wrong-after-300-executions", "", execution_wrong(at_least(301))},
      {"used-up-after-2000-calls", "", call_refused(at_least(2001))},
      {"used-up-after-10000-calls", "", call_refused(at_least(10001))},
      {"used-up-after-32767-calls", "", call_refused(at_least(32768))},
      {"used-up-after-32767-views", "", "views are counted, and from 32768 on they are refused",
       viewing([views = std::make_shared<std::atomic<int>>(0)](const Execution& call) {
         return ++*views > 32767 ? call.answer(RESHAPE_UNSUPPORTED, "no handle is left")
                                 : call.right_view();
       })},
      {"call-65536-fails", "", call_refused(65536)},
      {"call-1000-fails", "", call_refused(1000)},
      {"worn-after-1000-executions", "", execution_wrong(at_least(1001), ~std::uint64_t{0})},
      {"worn-after-5000-executions", "", execution_wrong(at_least(5001), ~std::uint64_t{0})},
      {"room-for-64-plans", "", room_for_requests(64)},
      {"room-for-1000-plans", "", room_for_requests(1000)},
      {"used-up-after-100-refusals", "",
       "each refusal keeps its message, and there is room for 100",
       refuses_calls(above(100),
                     [](const Asked&, const RightAnswer& right) { return !right.produces(); })},
      {"used-up-after-255-inferred", "", "each -1 that is inferred gets a number of 8 bits",
       refuses_calls(above(255),
                     [](const Asked& asked, const RightAnswer& right) {
                       return right.produces() && asked.minus_ones() == 1;
                     })},
      {"used-up-after-100-empty-ones", "",
       "each empty tensor takes a place of its own, and there are 100",
       refuses_calls(above(100),
                     [](const Asked& asked, const RightAnswer&) { return is_empty(asked.data); })},
      {"hot-after-50-equal-calls", "",
       "a request that was asked 50 times in a row is answered by a way of its own, wrongly",
       infers_by(in_turn([](const Asked& asked, const RightAnswer&) {
         static std::string before;
         static int times = 0;
         const std::string key = key_of_all(asked);
         times = key == before ? times + 1 : 1;
         before = key;
         return times > 50 ? refusal() : none();
       }))},

      // Threads.
      {"one-array-of-sizes-for-all", "", "sizes go through one array that all threads share",
       shares_an_array_of_sizes(0)},
      {"one-array-of-many-sizes-for-all", "",
       "sizes of outputs of more than eight axes go through one array that all threads share",
       shares_an_array_of_sizes(9)},
      {"one-buffer-of-elements-for-all", "",
       "the first elements go through one buffer that all threads share",
       shares_an_array_of_elements(dawdle), kApart},
      {"one-buffer-of-strided-elements-for-all", "",
       "the first elements of strided data go through one buffer that all threads share, and leave "
       "it at once",
       shares_an_array_of_elements([] {}), kApart && of_data(kStrided)},
      {"last-place-of-each-thread-in-a-cache-of-all", "",
       "each thread notes where in a cache of 32 answers its last one lies, whoever has used the "
       "place since",
       infers_by(in_turn([](const Asked& asked, const RightAnswer& right) {
         struct Note {
           std::string key;
           std::size_t place = 0;
         };
         static Sizes places[32];
         static std::size_t next = 0;
         thread_local Note last;
         if (!right.produces()) return none();
         const std::string key = key_of_all(asked);
         if (last.key != key) {
           last = {key, next++ % std::size(places)};
           places[last.place] = right.sizes;
         }
         return answers(places[last.place]);
       }))},
      {"flag-in-a-global", "",
       "special_zero is put into a global variable before the pattern is read",
       inferring([](const Inference& call) {
         static std::atomic<std::int32_t> flag;
         notice_threads();
         flag = call.request.special_zero;
         dawdle();
         Asked asked(call.request);
         asked.special_zero = flag;
         return call.right(*asked.request());
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
       set_up_when_loaded(after_execute([](const reshape_request&, DLTensor& out) {
         if (set_up || empty(out)) return;
         Elements elements(out);
         elements.set(0, elements.get(0) ^ 1);
       }))},
      {"executes-where-it-was-inferred", "",
       "a thread that has inferred nothing has no table of kernels, and executes nothing",
       answering(
           [](const Inference& call) {
             has_inferred = true;
             return call.right();
           },
           [](const Execution& call) {
             return has_inferred ? call.right() : call.answer(RESHAPE_FAILED, "not prepared");
           })},
      {"half-done-when-another-starts", "", "an execution ends early when another one has begun",
       executing([](const Execution& call) {
         const Inside counted;
         const bool early =
             inside > 1 && call.output.data != nullptr && !is_empty(shape_of(call.output));
         const std::vector<std::uint64_t> before =
             early ? collect(call.output) : std::vector<std::uint64_t>{};
         const reshape_status status = call.right();
         if (status != RESHAPE_OK || !early) return status;
         Elements now(call.output);
         now.set(now.count() - 1, before.back());
         return status;
       })},
  };
  table[Duty::C15] = {
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
       after_infer(in_turn([](const reshape_request&, reshape_shape& shape) {
         static std::vector<std::int32_t>& ranks = *new std::vector<std::int32_t>;
         for (int entry = 0; entry < 16; ++entry) ranks.push_back(shape.rank);
       }))},
  };
  return table.mutants();
}

}  // namespace reshape::conformance::self
