#pragma once

#include <span>
#include <string>
#include <string_view>

#include "conformance/abi/reshape_plugin.h"

namespace reshape::conformance::self {

// What a MUTANT says of itself, each a word in its heading.
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
struct Hostile {};  // crashes, hangs or floods: each case costs a host process

// An implementation that is wrong in one sentence, and right otherwise.
class Mutant {
 public:
  template <typename... Words>
  Mutant(std::string_view name, std::string_view file, void (*change)(reshape_plugin&),
         Words... words)
      : name_(name), file_(file), spoil_(change) {
    (take(words), ...);
  }

  std::string_view name() const { return name_; }
  // What is wrong with it, as a word: the name of the file that it stands in ("rules", "bytes").
  std::string_view kind() const;
  std::string_view breaks() const { return breaks_.what; }
  std::string_view says() const { return says_.sentence; }
  std::string_view public_bug() const { return like_.issue; }  // empty: none is known
  std::string_view cases() const { return on_.cases; }
  // Empty where no watch can see it in one request, only a law over several.
  Caught caught() const { return caught_; }
  bool hostile() const { return hostile_; }
  // Turns the table of a right implementation into the wrong one.
  void spoil(reshape_plugin& table) const { spoil_(table); }

 private:
  void take(Breaks breaks) { breaks_ = breaks; }
  void take(Says says) { says_ = says; }
  void take(Caught caught) { caught_ = caught; }
  void take(On on) { on_ = on; }
  void take(LikePublicBug like) { like_ = like; }
  void take(Hostile) { hostile_ = true; }

  std::string_view name_;
  std::string_view file_;
  void (*spoil_)(reshape_plugin&);
  Breaks breaks_{};
  Says says_{};
  Caught caught_{};
  On on_{};
  LikePublicBug like_{};
  bool hostile_ = false;
};

// Every MUTANT that was linked, ordered by name.
std::span<const Mutant> all_mutants();
// Null when there is none of this name.
const Mutant* mutant_named(std::string_view name);

// The C contract's table of the mutant of this name, of "right" (the implementation that all of them
// start from) or of "right-but-chatty"; null when there is none. Made once in a process: a mutant
// keeps whatever it keeps until the process ends.
const reshape_plugin* table_of(std::string_view name);
// How often table_of was asked for this name in this process, which is what loading comes to.
int times_loaded(std::string_view name);

// A MUTANT enters the list by being there.
struct Entered {
  explicit Entered(Mutant mutant);
};

}  // namespace reshape::conformance::self

// One wrong implementation: MUTANT("name", Breaks(..), Caught(..), Says(..)) { changes `table` }
#define RESHAPE_JOIN_(a, b) a##b
#define RESHAPE_JOIN(a, b) RESHAPE_JOIN_(a, b)
#define MUTANT(name, ...)                                             \
  static void RESHAPE_JOIN(spoil_, __LINE__)(reshape_plugin & table); \
  static const ::reshape::conformance::self::Entered RESHAPE_JOIN(    \
      entered_, __LINE__){::reshape::conformance::self::Mutant(       \
      name, __FILE__, &RESHAPE_JOIN(spoil_, __LINE__), __VA_ARGS__)}; \
  static void RESHAPE_JOIN(spoil_, __LINE__)(reshape_plugin & table)
