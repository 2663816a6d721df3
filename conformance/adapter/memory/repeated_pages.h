#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace reshape::conformance {

// Address space of any size in little memory: one window of pages over and over, and behind it pages of its
// own, then a page that faults. What is written to a place of one window is read in all of them.
class RepeatedPages {
 public:
  static constexpr std::size_t kWindow = std::size_t{4} << 20;

  // `windows` times the window, and `rest` bytes of pages of their own. Nothing where the system does not give
  // that. Precondition: `rest` is a multiple of the page size, and not 0.
  static std::optional<RepeatedPages> map(std::size_t windows, std::size_t rest);
  RepeatedPages(RepeatedPages&& other) noexcept;
  RepeatedPages& operator=(RepeatedPages&& other) noexcept;
  ~RepeatedPages();

  std::span<std::byte> window() const { return {begin_, kWindow}; }
  std::span<std::byte> rest() const { return {begin_ + windows_ * kWindow, rest_}; }
  std::byte* data() const { return begin_; }
  std::size_t size() const { return windows_ * kWindow + rest_; }

  // False where the system refuses.
  bool make_read_only();

 private:
  RepeatedPages(std::byte* begin, std::size_t windows, std::size_t rest)
      : begin_(begin), windows_(windows), rest_(rest) {}

  std::byte* begin_;
  std::size_t windows_;
  std::size_t rest_;
};

}  // namespace reshape::conformance
