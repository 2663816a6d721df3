#pragma once

#include <string>
#include <utility>
#include <variant>

namespace reshape {

// Why something could not be done, in one sentence for a person. `where` is the place the sentence
// is about ("specs/x.yaml:12", "column 7"), or empty.
struct Error {
  std::string message;
  std::string where = {};

  std::string text() const { return where.empty() ? message : where + ": " + message; }
};

// A value, or the reason why there is none. Nothing in the project throws across a public function.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }

  // Precondition: ok().
  const T& value() const& { return std::get<T>(state_); }
  T& value() & { return std::get<T>(state_); }
  T&& value() && { return std::get<T>(std::move(state_)); }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  // Precondition: !ok().
  const Error& error() const { return std::get<Error>(state_); }

 private:
  std::variant<T, Error> state_;
};

}  // namespace reshape
