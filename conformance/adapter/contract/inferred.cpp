#include "conformance/adapter/contract/inferred.h"

#include <cstring>
#include <utility>

#include "conformance/text/printable.h"

namespace reshape::conformance {

Status status_of(int answer) {
  switch (answer) {
    case RESHAPE_OK: return Status::ok;
    case RESHAPE_REJECTED: return Status::rejected;
    case RESHAPE_UNSUPPORTED: return Status::unsupported;
    case RESHAPE_FAILED: return Status::failed;
    default: return Status::unknown;
  }
}

std::string text_of(const reshape_message& message) {
  return printable({message.text, strnlen(message.text, sizeof message.text)}, kBriefly);
}

Inferred read_inference(int answer, const ShapeReceiver& receiver, const reshape_message& message) {
  Inferred inferred;
  inferred.status = status_of(answer);
  switch (inferred.status) {
    case Status::ok: {
      Result<Shape> shape = receiver.read();
      if (shape) {
        inferred.shape = std::move(shape).value();
      } else {
        inferred.malformed = shape.error().message;
      }
      return inferred;
    }
    case Status::rejected:
    case Status::unsupported: inferred.message = text_of(message); return inferred;
    case Status::failed:
      inferred.message = text_of(message);
      inferred.malformed = "failed" + (inferred.message.empty() ? "" : ": " + inferred.message);
      return inferred;
    case Status::unknown: break;
  }
  if (answer == RESHAPE_NO_SHAPE) {
    inferred.message = text_of(message);
    inferred.malformed =
        "what is no shape" + (inferred.message.empty() ? "" : ": " + inferred.message);
    return inferred;
  }
  inferred.malformed =
      "the status " + std::to_string(answer) + ", which the contract does not have";
  return inferred;
}

std::string text(const Inferred& inferred) {
  if (!inferred.malformed.empty()) return inferred.malformed;
  return inferred.status == Status::ok ? text(inferred.shape) : name(inferred.status);
}

}  // namespace reshape::conformance
