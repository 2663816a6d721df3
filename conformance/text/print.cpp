#include "conformance/model/payload.h"
#include "conformance/text/element.h"
#include "conformance/text/line.h"
#include "reference/tensor/declared_dialects.h"

namespace reshape::conformance {

namespace {

// In dialects that are not declared, and those without a flag.
const ZeroFlag kSpecialZero;

}  // namespace

std::string print_line(const Request& request) {
  std::string line = request.dialect;
  line += ' ';
  line += name(request.data_type);
  line += text(request.data);
  line += ' ';
  line += text(request.pattern);
  if (request.special_zero) {
    const Dialect* dialect = declared_dialect(request.dialect);
    const bool named = dialect != nullptr && dialect->zero == ZeroRule::by_flag;
    const ZeroFlag& flag = named ? dialect->flag : kSpecialZero;
    line += ' ' + flag.name + '=' + (*request.special_zero ? flag.copies : flag.literal);
  }
  if (request.pattern.tensor_shape) line += " pattern_shape=" + text(*request.pattern.tensor_shape);
  if (request.strides) line += " strides=" + text_of_sizes(*request.strides);
  if (request.offset != 0) line += " offset=" + std::to_string(request.offset);
  if (request.out_strides) line += " out_strides=" + text_of_sizes(*request.out_strides);
  if (request.out_offset != 0) line += " out_offset=" + std::to_string(request.out_offset);
  if (request.payload) {
    line += " payload=";
    line += name(*request.payload);
  }
  if (request.elements) {
    line += " elements=[";
    bool first = true;
    for (const std::uint64_t element : *request.elements) {
      if (!first) line += ',';
      first = false;
      line += print_element(request.data_type, element);
    }
    line += ']';
  }
  if (request.shape_only) line += " shape_only=true";
  if (request.in_place) line += " in_place=true";
  return line;
}

}  // namespace reshape::conformance
