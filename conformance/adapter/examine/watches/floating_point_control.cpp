#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <cfenv>
#include <cstdint>
#include <optional>

#include "conformance/adapter/examine/watches/bytes_changed.h"
#include "conformance/adapter/examine/watches/watch.h"

namespace reshape::conformance {
namespace {

// The control state of the floating-point units. Sticky exception flags are left out: they change
// with every computation and control nothing.
struct Control {
  std::uint32_t vector_unit = 0;  // mxcsr: rounding, exception masks, flush to zero, denormals
  std::uint32_t stack_unit = 0;   // x87 control word: rounding, precision, exception masks
  int rounding = 0;
  bool stack_in_use = false;  // x87: set by MMX instructions until emms
};

constexpr std::uint32_t kVectorControl = 0xffc0;  // without the six sticky flags

Control control_now() {
  Control now;
  now.rounding = std::fegetround();
#if defined(__x86_64__)
  now.vector_unit = _mm_getcsr() & kVectorControl;
  std::uint16_t word = 0;
  asm volatile("fnstcw %0" : "=m"(word));
  now.stack_unit = word;
  struct {
    std::uint32_t control, status, tags, rest[4];
  } environment = {};
  asm volatile("fnstenv %0\n\tfldenv %0" : "+m"(environment));
  now.stack_in_use = (environment.tags & 0xffff) != 0xffff;
#elif defined(__aarch64__)
  std::uint64_t fpcr = 0;
  asm volatile("mrs %0, fpcr" : "=r"(fpcr));
  now.vector_unit = static_cast<std::uint32_t>(fpcr);
#endif
  return now;
}

void restore(const Control& control) {
  std::fesetround(control.rounding);
#if defined(__x86_64__)
  asm volatile("emms");
  _mm_setcsr(control.vector_unit);
  const auto word = static_cast<std::uint16_t>(control.stack_unit);
  asm volatile("fldcw %0" : : "m"(word));
#elif defined(__aarch64__)
  const std::uint64_t fpcr = control.vector_unit;
  asm volatile("msr fpcr, %0" : : "r"(fpcr));
#endif
}

// Denormals that come of an arithmetic instruction become 0; loads and stores keep them.
void flush_to_zero() {
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 1u << 15);
#elif defined(__aarch64__)
  std::uint64_t fpcr = 0;
  asm volatile("mrs %0, fpcr" : "=r"(fpcr));
  asm volatile("msr fpcr, %0" : : "r"(fpcr | std::uint64_t{1} << 24));
#endif
}

const char* rounding_name(int rounding) {
  switch (rounding) {
    case FE_TONEAREST: return "to nearest";
    case FE_TOWARDZERO: return "toward zero";
    case FE_UPWARD: return "upward";
    case FE_DOWNWARD: return "downward";
    default: return "unknown";
  }
}

std::string hexadecimal(std::uint32_t value) {
  return "0x" + hex(static_cast<std::uint8_t>(value >> 8)) + hex(static_cast<std::uint8_t>(value));
}

// Duty C14.
class FloatingPointControl : public Watch {
 public:
  ~FloatingPointControl() override { end(); }

  void before(const CallSite& site) override {
    end();  // a call that threw has no end of its own
    if (site.flushes_to_zero) {
      usual_ = control_now();
      flush_to_zero();
    }
    before_ = control_now();
  }

  void after(const CallSite& site, Status, std::vector<Observation>& seen) override {
    const Control now = control_now();
    end();
    std::string what;
    if (now.rounding != before_.rounding) {
      what = std::string("rounding changed from ") + rounding_name(before_.rounding) + " to " +
             rounding_name(now.rounding);
    } else if (now.vector_unit != before_.vector_unit) {
      what = "the control bits of the vector unit changed from " +
             hexadecimal(before_.vector_unit) + " to " + hexadecimal(now.vector_unit);
    } else if (now.stack_unit != before_.stack_unit) {
      what = "the control word of the x87 unit changed from " + hexadecimal(before_.stack_unit) +
             " to " + hexadecimal(now.stack_unit);
    } else if (now.stack_in_use && !before_.stack_in_use) {
      what =
          "the registers of the x87 unit were left in use, as MMX instructions without emms leave "
          "them: what the caller computes in long double is no number";
    } else {
      return;
    }
    if (site.flushes_to_zero) {
      what += ", where the caller flushes denormals to zero";
    } else {
      restore(before_);
    }
    seen.push_back({CaughtBy::floating_point_control, Plane::memory, Duty::C14, what});
  }

 private:
  void end() {
    if (usual_) restore(*usual_);
    usual_.reset();
  }

  Control before_;
  std::optional<Control> usual_;  // what it is behind a call for which it is set otherwise
};

}  // namespace

WatchPtr watch_floating_point_control() { return std::make_unique<FloatingPointControl>(); }

}  // namespace reshape::conformance
