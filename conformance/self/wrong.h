#pragma once

#include <span>
#include <string_view>

#include "conformance/abi/reshape_plugin.h"

namespace reshape::conformance::self {

// What a WRONG says of itself, each a word in its heading.
struct Breaks {  // the clause of a document, or the duty of CONTRACT.md
  std::string_view what;
};
struct Says {  // the wrong sentence
  std::string_view sentence;
};
struct Caught {  // how a report has to name it: the plane, and the watch or comparison
  std::string_view plane;
  std::string_view watch;
};
struct On {  // ids of the cases that show it, as --filter reads them; absent: all of a document
  std::string_view cases;
};
// The published examples: few, and enough where each case costs a host process.
inline constexpr On kExamples{"openvino-reshape-1/example-?"};
struct LikePublicBug {  // an issue of a public library that was like this
  std::string_view issue;
};

// An implementation that is wrong in one sentence, and right otherwise.
class Wrong {
 public:
  template <typename... Words>
  Wrong(std::string_view name, void (*change)(reshape_plugin&), Words... words)
      : name_(name), spoil_(change) {
    (take(words), ...);
  }

  std::string_view name() const { return name_; }
  std::string_view breaks() const { return breaks_.what; }
  std::string_view says() const { return says_.sentence; }
  std::string_view public_bug() const { return like_.issue; }
  std::string_view cases() const { return on_.cases; }
  Caught caught() const { return caught_; }
  // Turns the table of a right implementation into the wrong one.
  void spoil(reshape_plugin& table) const { spoil_(table); }

 private:
  void take(Breaks breaks) { breaks_ = breaks; }
  void take(Says says) { says_ = says; }
  void take(Caught caught) { caught_ = caught; }
  void take(On on) { on_ = on; }
  void take(LikePublicBug like) { like_ = like; }

  std::string_view name_;
  void (*spoil_)(reshape_plugin&);
  Breaks breaks_{};
  Says says_{};
  Caught caught_{};
  On on_{};
  LikePublicBug like_{};
};

// Every WRONG that was linked, ordered by name.
std::span<const Wrong> all_wrong();
// Null when there is none of this name.
const Wrong* wrong_named(std::string_view name);

// A WRONG enters the list by being there.
struct Entered {
  explicit Entered(Wrong wrong);
};

}  // namespace reshape::conformance::self

// One wrong implementation: WRONG("name", Breaks(..), Caught(..), Says(..)) { changes `table` }
#define RESHAPE_JOIN_(a, b) a##b
#define RESHAPE_JOIN(a, b) RESHAPE_JOIN_(a, b)
#define WRONG(name, ...)                                                                        \
  static void RESHAPE_JOIN(spoil_, __LINE__)(reshape_plugin & table);                           \
  static const ::reshape::conformance::self::Entered RESHAPE_JOIN(entered_, __LINE__){          \
      ::reshape::conformance::self::Wrong(name, &RESHAPE_JOIN(spoil_, __LINE__), __VA_ARGS__)}; \
  static void RESHAPE_JOIN(spoil_, __LINE__)(reshape_plugin & table)
