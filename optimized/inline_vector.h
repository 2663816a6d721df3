#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <type_traits>

namespace reshape::optimized {

// A vector of plain values that holds up to `kInPlace` of them without asking for memory: a call on
// a small tensor must not wait for the allocator. Beyond that it grows as a vector does. Boost's
// small_vector is not used because spans cannot be made of it before version 1.77.
template <typename T, std::size_t kInPlace>
class InlineVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  InlineVector() : values_(in_place()) {}
  InlineVector(std::initializer_list<T> values) : InlineVector() {
    assign(values.begin(), values.end());
  }
  template <typename Iterator>
  InlineVector(Iterator first, Iterator last) : InlineVector() {
    assign(first, last);
  }
  InlineVector(const InlineVector& other) : InlineVector() { assign(other.begin(), other.end()); }
  InlineVector(InlineVector&& other) noexcept : InlineVector() { take(other); }
  InlineVector& operator=(const InlineVector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  InlineVector& operator=(InlineVector&& other) noexcept {
    if (this != &other) take(other);
    return *this;
  }
  ~InlineVector() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return values_; }
  const T* data() const { return values_; }
  T* begin() { return values_; }
  T* end() { return values_ + size_; }
  const T* begin() const { return values_; }
  const T* end() const { return values_ + size_; }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }
  T& front() { return values_[0]; }
  const T& front() const { return values_[0]; }
  T& back() { return values_[size_ - 1]; }
  const T& back() const { return values_[size_ - 1]; }

  void clear() { size_ = 0; }
  void push_back(const T& value) {
    const T copied = value;  // it may lie in here
    if (size_ == capacity_) [[unlikely]]
      grow(2 * size_);
    values_[size_++] = copied;
  }
  void pop_back() { --size_; }
  // New values are as T{} makes them.
  void resize(std::size_t size) {
    if (size > capacity_) grow(size);
    for (; size_ < size; ++size_) values_[size_] = T{};
    size_ = size;
  }
  // Precondition: the values are none of this vector's own.
  template <typename Iterator>
  void assign(Iterator first, Iterator last) {
    const auto size = static_cast<std::size_t>(last - first);
    size_ = 0;
    if (size > capacity_) grow(size);
    for (; first != last; ++first) values_[size_++] = *first;
  }
  void erase(T* first, T* last) {
    std::copy(last, end(), first);
    size_ -= static_cast<std::size_t>(last - first);
  }
  void erase(T* at) { erase(at, at + 1); }

  friend bool operator==(const InlineVector& left, const InlineVector& right) {
    return std::equal(left.begin(), left.end(), right.begin(), right.end());
  }

 private:
  T* in_place() { return reinterpret_cast<T*>(in_place_); }

  void grow(std::size_t capacity) {
    auto more = std::make_unique<T[]>(capacity);
    std::copy(begin(), end(), more.get());
    heap_ = std::move(more);
    values_ = heap_.get();
    capacity_ = capacity;
  }
  void take(InlineVector& other) {
    if (other.heap_ == nullptr) return assign(other.begin(), other.end());
    heap_ = std::move(other.heap_);
    values_ = heap_.get();
    size_ = other.size_;
    capacity_ = other.capacity_;
    other.values_ = other.in_place();
    other.size_ = 0;
    other.capacity_ = kInPlace;
  }

  T* values_;
  std::size_t size_ = 0;
  std::size_t capacity_ = kInPlace;
  std::unique_ptr<T[]> heap_;
  alignas(T) std::byte in_place_[kInPlace * sizeof(T)];
};

// Sorts a few values, equal ones in their order, without the memory that std::stable_sort asks for.
template <typename T, std::size_t kInPlace, typename Before>
void sort_few(InlineVector<T, kInPlace>& values, Before before) {
  for (std::size_t i = 1; i < values.size(); ++i) {
    const T value = values[i];
    std::size_t at = i;
    for (; at > 0 && before(value, values[at - 1]); --at) values[at] = values[at - 1];
    values[at] = value;
  }
}

}  // namespace reshape::optimized
