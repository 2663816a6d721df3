// The messages between a host process and the runner, garbled: the implementation runs in the host
// and can overwrite any of it. The first byte of an input says what the rest is: a message of one
// kind, or a stream of frames that arrives in pieces.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "conformance/adapter/process/channel.h"
#include "conformance/adapter/process/message.h"
#include "fuzz/targets/text_finding.h"

namespace reshape::fuzz {
namespace {

using namespace conformance;  // NOLINT(google-build-using-namespace): nothing else is spoken here

std::string text_of(const Result<Capabilities>& greeting) { return encode_greeting(greeting); }

void check_greeting(std::string_view message) {
  const Result<Capabilities> read = decode_greeting(message);
  const std::string again = text_of(read);
  if (text_of(decode_greeting(again)) != again) {
    report_text("greeting", "round-trip", std::to_string(again.size()) + " bytes", "others");
  }
  if (!read && read.error().message.empty()) {
    report_text("greeting", "error", "a sentence", "nothing");
  }
}

void check_order(std::string_view message) {
  const Result<HostCommand> order = decode_command(message);
  if (!order) return;
  const Result<HostCommand> again = decode_command(encode_command(*order));
  if (!again || again->lines != order->lines || again->times != order->times ||
      again->reload != order->reload || again->lasting != order->lasting) {
    report_text("order", "round-trip", std::to_string(order->lines.size()) + " lines", "others");
  }
}

void check_answer(std::string_view message) {
  const Result<AnswerRead> read = decode_answer(message);
  if (!read) {
    if (read.error().message.empty()) report_text("answer", "error", "a sentence", "nothing");
    return;
  }
  const std::string again = encode_answer(read->outcome, read->answer);
  const Result<AnswerRead> twice = decode_answer(again);
  if (!twice) report_text("answer", "reads-back", "an answer", twice.error().text());
  if (encode_answer(twice->outcome, twice->answer) != again) {
    report_text("answer", "round-trip", text(read->outcome), text(twice->outcome));
  }
}

// The frames must be the same however the stream was cut into pieces.
void check_frames(std::string_view stream) {
  const std::size_t piece =
      stream.empty() ? 1 : static_cast<unsigned char>(stream.front()) % 7u + 1;
  FrameReader whole;
  FrameReader pieces;
  whole.take(stream);
  std::string all;
  while (const std::optional<Frame> frame = whole.next()) {
    all += std::to_string(frame->number) + ':' + frame->bytes + ';';
  }
  std::string some;
  for (std::string_view rest = stream; !rest.empty();
       rest.remove_prefix(std::min(piece, rest.size()))) {
    pieces.take(rest.substr(0, piece));
    while (const std::optional<Frame> frame = pieces.next()) {
      some += std::to_string(frame->number) + ':' + frame->bytes + ';';
    }
  }
  if (all != some || whole.garbled() != pieces.garbled()) {
    report_text("frames", "pieces", "the same frames", "others");
  }
}

}  // namespace

void test(std::span<const std::uint8_t> bytes) {
  about_to_read("host_message");
  const std::string_view input = as_text(bytes);
  if (input.empty()) return;
  const auto kind = static_cast<unsigned char>(input.front());
  const std::string_view message = input.substr(1);
  switch (kind % 4) {
    case 0: return check_answer(message);
    case 1: return check_greeting(message);
    case 2: return check_order(message);
    default: return check_frames(message);
  }
}

}  // namespace reshape::fuzz
