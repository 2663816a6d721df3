#include "conformance/adapter/process/channel.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

namespace reshape::conformance {
namespace {

constexpr std::uint32_t kMark = 0x52736850;
struct Head {
  std::uint32_t mark;
  std::uint32_t number;
  std::uint32_t size;
};

bool send_all(int channel, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(channel, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool receive_all(int channel, void* into, std::size_t size) {
  auto* at = static_cast<char*>(into);
  while (size > 0) {
    const ssize_t got = recv(channel, at, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

std::string frame_head(std::uint32_t number, std::size_t size) {
  const Head head = {kMark, number, static_cast<std::uint32_t>(size)};
  std::string bytes(sizeof head, '\0');
  std::memcpy(bytes.data(), &head, sizeof head);
  return bytes;
}

void FrameReader::expect(std::uint32_t number, std::size_t longest) {
  number_ = number;
  longest_ = std::min(longest, kLargestFrame);
}

bool FrameReader::is_expected(std::uint32_t number, std::size_t size) const {
  return size <= longest_ && (!number_ || number == *number_);
}

std::optional<Frame> FrameReader::next() {
  if (garbled_ || !whole()) return std::nullopt;
  Head head = {};
  std::memcpy(&head, waiting_.data(), std::min(waiting_.size(), sizeof head));
  garbled_ =
      waiting_.size() < sizeof head || head.mark != kMark || !is_expected(head.number, head.size);
  if (garbled_) return std::nullopt;
  std::string rest = waiting_.substr(sizeof head + head.size);
  waiting_.resize(sizeof head + head.size);
  waiting_.erase(0, sizeof head);
  return Frame{head.number, std::exchange(waiting_, std::move(rest))};
}

bool FrameReader::whole() const {
  // A wrong mark shows in its first bytes, before a whole head has arrived.
  const std::size_t seen = std::min(waiting_.size(), sizeof kMark);
  if (garbled_ || std::memcmp(waiting_.data(), &kMark, seen) != 0) return true;
  Head head = {};
  if (waiting_.size() < sizeof head) return false;
  std::memcpy(&head, waiting_.data(), sizeof head);
  return !is_expected(head.number, head.size) || waiting_.size() - sizeof head >= head.size;
}

bool send_frame(int channel, std::uint32_t number, std::string_view bytes) {
  if (bytes.size() > kLargestFrame) return false;
  // Head and bytes in one call, so that the other side wakes up only once.
  std::string head = frame_head(number, bytes.size());
  iovec pieces[] = {{head.data(), head.size()}, {const_cast<char*>(bytes.data()), bytes.size()}};
  msghdr message = {};
  message.msg_iov = pieces;
  message.msg_iovlen = std::size(pieces);
  ssize_t sent = 0;
  do {
    sent = sendmsg(channel, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent < 0) return false;
  const auto done = static_cast<std::size_t>(sent);
  const std::string_view rest_of_head = std::string_view(head).substr(std::min(done, head.size()));
  return send_all(channel, rest_of_head) &&
         send_all(channel, bytes.substr(done - std::min(done, head.size())));
}

std::optional<Frame> receive_frame(int channel) {
  Head head = {};
  if (!receive_all(channel, &head, sizeof head)) return std::nullopt;
  if (head.mark != kMark || head.size > kLargestFrame) return std::nullopt;
  Frame frame{head.number, std::string(head.size, '\0')};
  if (!receive_all(channel, frame.bytes.data(), head.size)) return std::nullopt;
  return frame;
}

}  // namespace reshape::conformance
