#include "conformance/self/hostile/hostile.h"

#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <utility>

extern "C" const reshape_plugin* example_entry(void);

namespace hostile {
namespace {

// Never freed: what the library does when it is unloaded comes after destructors.
const Kinds& all_kinds() {
  static const Kinds& kinds = *new Kinds([] {
    Kinds all;
    for (const Kinds& some :
         {loading_kinds(), ending_kinds(), process_kinds(), answering_kinds()}) {
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }());
  return kinds;
}

const Kind& chosen() {
  static const Kind harmless = {"", ""};
  static const Kind& kind = []() -> const Kind& {
    const char* name = std::getenv("RESHAPE_HOSTILE");
    for (const Kind& one : all_kinds()) {
      if (name != nullptr && one.name == name) return one;
    }
    return harmless;
  }();
  return kind;
}

reshape_status infer(const reshape_request* request, reshape_shape* shape, reshape_message* why) {
  const Kind& kind = chosen();
  if (kind.before_inference != nullptr) kind.before_inference(*request);
  reshape_status status = example_entry()->infer_shape(request, shape, why);
  if (kind.after_inference != nullptr) kind.after_inference(*request, *shape, *why, status);
  return status;
}

reshape_status execute(const reshape_request* request, DLTensor* output, reshape_message* why) {
  const Kind& kind = chosen();
  if (kind.before_execution != nullptr) kind.before_execution(*request, *output);
  reshape_status status = example_entry()->execute(request, output, why);
  if (kind.after_execution != nullptr) kind.after_execution(*request, *output, status);
  return status;
}

__attribute__((constructor)) void loaded() {
  if (chosen().when_loaded != nullptr) chosen().when_loaded();
}
__attribute__((destructor)) void unloaded() {
  if (chosen().when_unloaded != nullptr) chosen().when_unloaded();
}

}  // namespace

Kind infers(std::string_view name, std::string_view says, void (*task)(const reshape_request&)) {
  Kind kind{name, says};
  kind.before_inference = task;
  return kind;
}

bool first_time() {
  static bool done = false;
  return !std::exchange(done, true);
}

void sleep_forever() {
  for (;;) pause();
}

void fork_without_end() {
  constexpr unsigned kSeconds = 60;  // after which a process that was not killed ends by itself
  const int most = 256 + 4 * get_nprocs_conf() + 150;
  void* page = mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) std::abort();
  std::atomic<int>& started = *new (page) std::atomic<int>(0);
  while (started.fetch_add(1) < most) {
    const pid_t child = fork();
    if (child < 0) break;
    alarm(kSeconds);
    if (child == 0 && started % 2 == 0) setsid();
  }
  sleep_forever();
}

void start_daemon() {
  const pid_t child = fork();
  if (child == 0) {
    setsid();
    if (fork() == 0) sleep_forever();
    _exit(0);
  }
  waitpid(child, nullptr, 0);
}

}  // namespace hostile

// The name at index `place`, or null behind the last; for the test that checks that all are tested.
extern "C" RESHAPE_EXPORT const char* hostile_kind(std::size_t place) {
  return place < hostile::all_kinds().size() ? hostile::all_kinds()[place].name.data() : nullptr;
}

extern "C" RESHAPE_EXPORT const reshape_plugin* reshape_plugin_entry(void) {
  if (hostile::chosen().entry != nullptr) return hostile::chosen().entry();
  static reshape_plugin table = *example_entry();
  table.infer_shape = hostile::infer;
  table.execute = hostile::execute;
  if (hostile::chosen().describes != nullptr) hostile::chosen().describes(table);
  return &table;
}
