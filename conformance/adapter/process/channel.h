#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace reshape::conformance {

// Messages on a stream socket: a mark, a number that an answer repeats from its question, the size,
// the bytes. The mark tells at once when somebody else wrote into the stream.
struct Frame {
  std::uint32_t number = 0;
  std::string bytes;
};

inline constexpr std::size_t kLargestFrame = std::size_t{1} << 30;

// The bytes of a frame as they go over the socket.
std::string frame_head(std::uint32_t number, std::size_t size);

// Takes frames out of a stream that arrives in pieces.
class FrameReader {
 public:
  void take(std::string_view piece) { waiting_ += piece; }
  // The next whole frame, if there is one. After garbled() became true there is none any more.
  std::optional<Frame> next();
  bool garbled() const { return garbled_; }
  bool whole() const;  // next() has something to tell: a frame, or that it is garbled

 private:
  std::string waiting_;
  bool garbled_ = false;
};

// Blocking, for the host's side. False when the other side is gone or the descriptor is not usable.
bool send_frame(int channel, std::uint32_t number, std::string_view bytes);
std::optional<Frame> receive_frame(int channel);

}  // namespace reshape::conformance
