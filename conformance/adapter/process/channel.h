#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace reshape::conformance {

// A message on a stream socket: a mark, a number that an answer repeats from its question, the
// size, and the bytes. A wrong mark shows at once that somebody else wrote into the stream.
struct Frame {
  std::uint32_t number = 0;
  std::string bytes;
};

inline constexpr std::size_t kLargestFrame = std::size_t{1} << 30;

// The bytes before a frame's message: mark, number and size.
std::string frame_head(std::uint32_t number, std::size_t size);

// Extracts frames from a stream that arrives in pieces.
class FrameReader {
 public:
  // From now on a frame of another number, or longer than that, is garbled. Its head shows it, so
  // that what somebody else announces is not kept.
  void expect(std::uint32_t number, std::size_t longest);
  void take(std::string_view piece) { waiting_ += piece; }
  // The next complete frame, if there is one. Once garbled() is true there are none.
  std::optional<Frame> next();
  bool garbled() const { return garbled_; }
  bool whole() const;  // there is a complete frame, or the stream is garbled

 private:
  bool is_expected(std::uint32_t number, std::size_t size) const;

  std::optional<std::uint32_t> number_;  // none: any
  std::size_t longest_ = kLargestFrame;
  std::string waiting_;
  bool garbled_ = false;
};

// Blocking, for the host. False when the other side is gone or the descriptor is unusable.
bool send_frame(int channel, std::uint32_t number, std::string_view bytes);
std::optional<Frame> receive_frame(int channel);

}  // namespace reshape::conformance
