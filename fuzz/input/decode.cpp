#include "fuzz/input/decode.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "conformance/property/choices.h"
#include "conformance/property/generator.h"
#include "fuzz/input/askable.h"
#include "reference/tensor/declared_dialects.h"

namespace reshape::fuzz {
namespace {

using conformance::Payload;
using conformance::Request;

static_assert(kAllElementTypes.size() == 17 && kAllElementTypes.back() == ElementType::boolean,
              "types are numbered in the bytes: a new one needs a new form");

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

// Bits of the second byte behind the dialect.
enum Flag : std::uint8_t {
  kFlagGiven = 1,
  kFlagTrue = 2,
  kStrides = 4,
  kOutStrides = 8,
  kShapeOnly = 16,
  kInPlace = 32,
  kPatternShape = 64,
  kElements = 128,
};
// Bits of the third byte, whose lowest two are the payload.
enum Offset : std::uint8_t { kOffset = 4, kOutOffset = 8 };

// The dialect whose hash is the first at or after `number`, wrapping around. A new dialect in
// specs/ therefore changes the meaning only of numbers that no encoded request contains.
const Dialect& dialect_of(std::uint16_t number) {
  const Dialect* best = nullptr;
  std::uint16_t least = 0;
  for (const Dialect& dialect : declared_dialects()) {
    const auto distance = static_cast<std::uint16_t>(short_hash(dialect.name) - number);
    if (best != nullptr && distance >= least) continue;
    best = &dialect;
    least = distance;
  }
  return *best;
}

std::size_t length(std::uint8_t byte) { return byte <= kMostAxes ? byte : byte % 9u; }

std::int64_t size_of(PatternValue number) {
  if (number < 0) number = -1 - number;
  return static_cast<std::int64_t>(number & kLargest);
}

std::int64_t narrow(PatternValue number) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(number));
}

void read_sizes(FieldReader& reader, Shape& shape) {
  std::vector<std::int64_t> sizes(length(reader.byte()));
  for (std::int64_t& size : sizes) size = size_of(reader.number());
  shape = Shape(std::move(sizes));
}

void write_sizes(FieldWriter& writer, const Shape& shape) {
  writer.byte(static_cast<std::uint8_t>(shape.rank()));
  for (const std::int64_t size : shape) writer.number(size);
}

void read_steps(FieldReader& reader, std::size_t count, std::optional<Strides>& strides) {
  strides.emplace(count);
  for (std::int64_t& stride : *strides) stride = narrow(reader.number());
}

int element_bytes(ElementType type) { return (bits(type) + 7) / 8; }

void read_elements(FieldReader& reader, Request& request) {
  const std::optional<std::int64_t> count = element_count(request.data);
  if (!count || *count > static_cast<std::int64_t>(kMostElements)) return;
  request.elements.emplace(static_cast<std::size_t>(*count));
  for (std::uint64_t& element : *request.elements) {
    element = reader.plain(element_bytes(request.data_type));
  }
}

void read_packed(FieldReader reader, Request& request) {
  const auto high = static_cast<unsigned>(reader.byte());
  request.dialect = dialect_of(static_cast<std::uint16_t>(high << 8 | reader.byte())).name;
  const std::uint8_t flags = reader.byte();
  const std::uint8_t more = reader.byte();
  request.data_type = kAllElementTypes[reader.byte() % kAllElementTypes.size()];
  request.pattern.type = kAllElementTypes[reader.byte() % kAllElementTypes.size()];
  read_sizes(reader, request.data);
  request.pattern.values.resize(length(reader.byte()));
  for (PatternValue& value : request.pattern.values) value = reader.number();

  request.special_zero.reset();
  if ((flags & kFlagGiven) != 0) request.special_zero = (flags & kFlagTrue) != 0;
  request.pattern.tensor_shape.reset();
  if ((flags & kPatternShape) != 0) read_sizes(reader, request.pattern.tensor_shape.emplace());
  request.offset = (more & kOffset) != 0 ? narrow(reader.number()) : 0;
  request.strides.reset();
  if ((flags & kStrides) != 0) read_steps(reader, request.data.rank(), request.strides);
  request.out_offset = (more & kOutOffset) != 0 ? narrow(reader.number()) : 0;
  request.out_strides.reset();
  if ((flags & kOutStrides) != 0) {
    read_steps(reader, request.pattern.values.size(), request.out_strides);
  }
  request.payload.reset();
  if ((more & 3) != 0) request.payload = static_cast<Payload>((more & 3) - 1);
  request.elements.reset();
  if ((flags & kElements) != 0) read_elements(reader, request);
  request.shape_only = (flags & kShapeOnly) != 0;
  request.in_place = (flags & kInPlace) != 0;
}

void draw(Bytes bytes, Request& request) {
  conformance::ByteChoices choices(bytes);
  const auto number = static_cast<std::uint16_t>(choices.below(std::uint64_t{1} << 16));
  request = conformance::generate(dialect_of(number), {}, choices).request;
}

std::uint8_t number_of(ElementType type) { return static_cast<std::uint8_t>(type); }

void write_packed(const Request& request, FieldWriter& writer) {
  const std::uint16_t dialect = short_hash(request.dialect);
  writer.byte(kPacked);
  writer.byte(static_cast<std::uint8_t>(dialect >> 8));
  writer.byte(static_cast<std::uint8_t>(dialect));
  unsigned flags = 0;
  if (request.special_zero) flags |= kFlagGiven;
  if (request.special_zero == true) flags |= kFlagTrue;
  if (request.strides) flags |= kStrides;
  if (request.out_strides) flags |= kOutStrides;
  if (request.shape_only) flags |= kShapeOnly;
  if (request.in_place) flags |= kInPlace;
  if (request.pattern.tensor_shape) flags |= kPatternShape;
  if (request.elements) flags |= kElements;
  writer.byte(static_cast<std::uint8_t>(flags));
  unsigned more = request.payload ? static_cast<unsigned>(*request.payload) + 1 : 0;
  if (request.offset != 0) more |= kOffset;
  if (request.out_offset != 0) more |= kOutOffset;
  writer.byte(static_cast<std::uint8_t>(more));
  writer.byte(number_of(request.data_type));
  writer.byte(number_of(request.pattern.type));
  write_sizes(writer, request.data);
  writer.byte(static_cast<std::uint8_t>(request.pattern.values.size()));
  for (const PatternValue value : request.pattern.values) writer.number(value);
  if (request.pattern.tensor_shape) write_sizes(writer, *request.pattern.tensor_shape);
  if (request.offset != 0) writer.number(request.offset);
  if (request.strides) {
    for (const std::int64_t stride : *request.strides) writer.number(stride);
  }
  if (request.out_offset != 0) writer.number(request.out_offset);
  if (request.out_strides) {
    for (const std::int64_t stride : *request.out_strides) writer.number(stride);
  }
  if (request.elements) {
    for (const std::uint64_t element : *request.elements) {
      writer.plain(element, element_bytes(request.data_type));
    }
  }
}

bool lengths_fit(const Request& request) {
  return request.data.rank() <= kMostAxes && request.pattern.values.size() <= kMostAxes &&
         (!request.pattern.tensor_shape || request.pattern.tensor_shape->rank() <= kMostAxes);
}

}  // namespace

std::uint16_t short_hash(std::string_view name) {
  std::uint32_t hash = 2166136261u;  // FNV-1a, of which both halves are used
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return static_cast<std::uint16_t>(hash ^ hash >> 16);
}

void decode(Bytes bytes, Request& request) {
  if (bytes.empty() || bytes.front() != kPacked) {
    draw(bytes.empty() ? bytes : bytes.subspan(1), request);
  } else {
    read_packed(FieldReader(bytes.subspan(1)), request);
  }
  make_askable(request);
}

Request decode(Bytes bytes) {
  Request request;
  decode(bytes, request);
  return request;
}

std::size_t encode_into(const Request& request, std::span<std::uint8_t> room) {
  FieldWriter writer(room);
  write_packed(request, writer);
  return writer.size();
}

std::optional<std::vector<std::uint8_t>> encode(const Request& request) {
  if (!lengths_fit(request)) return std::nullopt;
  // Room for all fields with the longest lists: a number takes at most 9 bytes.
  std::vector<std::uint8_t> bytes(64 + 9 * 6 * (kMostAxes + 1));
  bytes.resize(encode_into(request, bytes));
  if (decode(bytes) != request) return std::nullopt;
  return bytes;
}

}  // namespace reshape::fuzz
