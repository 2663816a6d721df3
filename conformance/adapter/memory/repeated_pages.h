#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace reshape::conformance {

// Much address space in little memory: one window of pages is mapped repeatedly, followed by pages
// of their own and a guard page. A write to one window shows in all of them.
class RepeatedPages {
 public:
  static constexpr std::size_t kWindow = std::size_t{4} << 20;

  // Maps the window `windows` times, and `rest` bytes of further pages. Nothing where the system
  // refuses. Precondition: `rest` is a multiple of the page size, and not 0. With 0 windows there
  // is no window().
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
