#include "conformance/adapter/process/fault_handler.h"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <string_view>

#include "conformance/adapter/examine/watches/displaced_handlers.h"
#include "conformance/adapter/memory/guarded_ranges.h"

// Everything that runs inside the handler uses neither locks nor memory from malloc.
namespace reshape::conformance {
namespace {

constexpr std::size_t kHandlerStack = 64 * 1024;
HostNote* g_note = nullptr;
LoadedCode g_code;  // of the library that is asked

enum class Access { unknown, read, write };

// What the processor did when the signal came; 0 where that is not known.
struct Moment {
  Access access = Access::unknown;
  std::uintptr_t stack = 0;  // the stack pointer
  std::uintptr_t instruction = 0;
};

Moment moment_of([[maybe_unused]] const void* context) {
  Moment moment;
#if defined(__x86_64__)
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  moment.access = (registers[REG_ERR] & 2) != 0 ? Access::write : Access::read;
  moment.stack = static_cast<std::uintptr_t>(registers[REG_RSP]);
  moment.instruction = static_cast<std::uintptr_t>(registers[REG_RIP]);
#elif defined(__aarch64__)
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
  moment.stack = registers.sp;
  moment.instruction = registers.pc;
#endif
  return moment;
}

// Writes text into a fixed array, truncated.
class Pen {
 public:
  Pen(char* at, std::size_t room) : at_(at), left_(room - 1) {}
  Pen& operator<<(const char* words) {
    while (*words != '\0') put(*words++);
    return *this;
  }
  Pen& operator<<(std::uint64_t number) {
    char digits[20];
    int count = 0;
    do {
      digits[count++] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    while (count > 0) put(digits[--count]);
    return *this;
  }

 private:
  void put(char one) {
    if (left_ == 0) return;
    --left_;
    *at_++ = one;
    *at_ = '\0';
  }
  char* at_;
  std::size_t left_;
};

const char* verb(Access access) {
  switch (access) {
    case Access::read: return "read ";
    case Access::write: return "wrote ";
    case Access::unknown: break;
  }
  return "accessed ";
}

void observe(CaughtBy watch, Duty duty) {
  Pen(g_note->watch, sizeof g_note->watch) << name(watch);
  Pen(g_note->duty, sizeof g_note->duty) << name(duty);
}

void describe_outside(const FaultPlace& place, Access access, Pen& pen) {
  const bool behind = place.kind == FaultPlace::Kind::behind;
  pen << verb(access) << place.distance << (place.distance == 1 ? " byte " : " bytes ")
      << (behind ? "past the end of the " : "before the start of the ") << place.name;
  // Further away, the access may have been meant for something else.
  constexpr std::uint64_t kFar = 64 * 1024;
  if (place.distance > kFar) pen << ", the nearest that it was given";
  observe(CaughtBy::guard_page, access == Access::read ? Duty::C10 : Duty::C7);
}

void describe(std::uintptr_t address, const Moment& moment) {
  Pen pen(g_note->saw, sizeof g_note->saw);
  const Access access = moment.access;
  const FaultPlace place = place_of_fault(address);
  switch (place.kind) {
    case FaultPlace::Kind::before:
    case FaultPlace::Kind::behind: return describe_outside(place, access, pen);
    case FaultPlace::Kind::inside_read_only:
      // Reading read-only memory does not fault, except in the inaccessible parts of a sparse
      // buffer.
      if (access != Access::read) {
        pen << verb(access) << "byte " << place.distance << " of the " << place.name
            << ", read-only during the call";
        const bool of_data = std::string_view(place.name) == kNameOfData;
        return observe(CaughtBy::guard_page, of_data ? Duty::C6 : Duty::C11);
      }
      [[fallthrough]];
    case FaultPlace::Kind::unused:
      // Only a sparse buffer has inaccessible parts.
      pen << verb(access) << "byte " << place.distance << " of the " << place.name
          << ", far from every element";
      return observe(CaughtBy::guard_page, access == Access::write ? Duty::C8 : Duty::C10);
    case FaultPlace::Kind::left:
    case FaultPlace::Kind::unknown: break;
  }
  const std::uintptr_t stack = moment.stack;
  constexpr std::uintptr_t kNear = 64 * 1024;
  if (stack != 0 && address + kNear > stack && address < stack + kNear) {
    pen << "the stack overflowed";
  } else if (address < 4096) {
    pen << verb(access) << "through a null pointer";
  } else if (place.kind == FaultPlace::Kind::left) {
    // As a pointer that was kept from that call does.
    pen << verb(access) << "memory where the " << place.name << " of an earlier call lay";
  } else {
    pen << verb(access) << "memory that is nobody's";
  }
}

bool note_address(std::uintptr_t address) {
  if (!g_code.holds(address)) return false;
  g_note->crashed_at = address - g_code.base;
  return true;
}

_Unwind_Reason_Code visit_frame(_Unwind_Context* frame, void* visited) {
  constexpr int kMostFrames = 100;
  int before = 0;
  // A return address may belong to the next source line, so 1 is subtracted.
  const std::uintptr_t next = _Unwind_GetIPInfo(frame, &before);
  if (next == 0 || ++*static_cast<int*>(visited) > kMostFrames) return _URC_END_OF_STACK;
  return note_address(before != 0 ? next : next - 1) ? _URC_END_OF_STACK : _URC_NO_REASON;
}

// The crash may be in another library that this one called: in memcpy, in abort. The frames come
// from the unwinding tables, so that stray addresses on the stack are not mistaken for frames.
void note_frame(const Moment& moment) {
  if (g_code.begin == g_code.end || note_address(moment.instruction)) return;
  int visited = 0;
  _Unwind_Backtrace(visit_frame, &visited);
}

// Whether the signal came from this process: one from another says nothing about the code that was
// running.
bool of_this_process(const siginfo_t& about) {
  return about.si_code > 0 || about.si_pid == getpid();
}

// Whether the runner asks for the code that is running.
bool asks_where_it_hangs(const siginfo_t& about) {
  return about.si_code == SI_QUEUE && about.si_value.sival_int == kWhereItHangs;
}

// Whether the memory that was touched lies in or beside a buffer of a call.
bool concerns_a_buffer(int signal, const siginfo_t& about) {
  if ((signal != SIGSEGV && signal != SIGBUS) || about.si_code <= 0) return false;
  switch (place_of_fault(reinterpret_cast<std::uintptr_t>(about.si_addr)).kind) {
    case FaultPlace::Kind::left:
    case FaultPlace::Kind::unknown: return false;
    default: return true;
  }
}

// Whether the implementation's own handler has dealt with it.
bool is_expected(int signal, siginfo_t* about, void* context) {
  return !asks_where_it_hangs(*about) && !concerns_a_buffer(signal, *about) &&
         call_displaced(signal, about, context);
}

void note_fault(int signal, const siginfo_t& about, const void* context) {
  g_note->signal = signal;
  const bool fault = signal == SIGSEGV || signal == SIGBUS;
  // A signal that some process sent carries no address.
  if (fault && about.si_code == SI_KERNEL) {
    // The processor reports a general protection fault, and no address with it.
    Pen(g_note->saw, sizeof g_note->saw) << "accessed an address that cannot exist, or with an "
                                            "aligned vector instruction one that is not aligned";
  } else if (fault && about.si_code > 0) {
    describe(reinterpret_cast<std::uintptr_t>(about.si_addr), moment_of(context));
  }
}

void forget_fault() {
  g_note->signal = 0;
  g_note->saw[0] = g_note->watch[0] = g_note->duty[0] = '\0';
}

void on_fault(int signal, siginfo_t* about, void* context) {
  const bool first = g_note->signal == 0;
  if (first) note_fault(signal, *about, context);
  if (is_expected(signal, about, context)) {
    if (first) forget_fault();
    return;
  }
  if (first || is_passed_on(*about)) {
    // Last, since it may fault on an overwritten stack; everything else is noted by then.
    if (of_this_process(*about) || asks_where_it_hangs(*about)) note_frame(moment_of(context));
  } else {
    signal = g_note->signal;
  }
  // Entering the handler mostly reset it and blocked nothing, so that raising the signal again is
  // fatal. ThreadSanitizer does neither, so both are done here.
  ::signal(signal, SIG_DFL);
  sigset_t fatal;
  sigemptyset(&fatal);
  sigaddset(&fatal, signal);
  pthread_sigmask(SIG_UNBLOCK, &fatal, nullptr);
  raise(signal);
  _exit(128 + signal);
}

}  // namespace

void look_for_frames_of(const LoadedCode& code) { g_code = code; }

void install_fault_handler(HostNote* note) {
  g_note = note;
  void* memory =
      mmap(nullptr, kHandlerStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) {
    stack_t stack = {};
    stack.ss_sp = memory;
    stack.ss_size = kHandlerStack;
    sigaltstack(&stack, nullptr);
  }
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND) | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (const int signal : kFaultSignals) {
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace reshape::conformance
