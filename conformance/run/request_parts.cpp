#include "conformance/run/request_parts.h"

#include "conformance/text/line.h"
#include "conformance/text/listed.h"

namespace reshape::conformance {
namespace {

struct Part {
  const char* name;
  void (*copy)(const Request& from, Request& to);

  bool same(const Request& one, const Request& other) const {
    Request copied = other;
    copy(one, copied);
    return copied == other;
  }
};

const Part kParts[] = {
    {"the dialect", [](const Request& from, Request& to) { to.dialect = from.dialect; }},
    {"the elements' type", [](const Request& from, Request& to) { to.data_type = from.data_type; }},
    {"the data's shape", [](const Request& from, Request& to) { to.data = from.data; }},
    {"the pattern's values",
     [](const Request& from, Request& to) {
       to.pattern.values = from.pattern.values;
       to.pattern.tensor_shape = from.pattern.tensor_shape;
     }},
    {"the pattern's type",
     [](const Request& from, Request& to) { to.pattern.type = from.pattern.type; }},
    {"the flag", [](const Request& from, Request& to) { to.special_zero = from.special_zero; }},
    {"the data's strides", [](const Request& from, Request& to) { to.strides = from.strides; }},
    {"the data's offset", [](const Request& from, Request& to) { to.offset = from.offset; }},
    {"the output's strides",
     [](const Request& from, Request& to) { to.out_strides = from.out_strides; }},
    {"the output's offset",
     [](const Request& from, Request& to) { to.out_offset = from.out_offset; }},
    {"the elements",
     [](const Request& from, Request& to) {
       to.payload = from.payload;
       to.elements = from.elements;
     }},
    {"whether it is executed, and where",
     [](const Request& from, Request& to) {
       to.shape_only = from.shape_only;
       to.in_place = from.in_place;
     }},
};

bool can_be_asked(const Request& request) { return parse_line(print_line(request)).ok(); }

}  // namespace

std::vector<std::string> differing_parts(const Request& one, const Request& other) {
  std::vector<std::string> parts;
  for (const Part& part : kParts) {
    if (!part.same(one, other)) parts.push_back(part.name);
  }
  return parts;
}

Request made_alike(const Request& other, const Request& request,
                   const std::function<bool(const Request&)>& holds,
                   const std::function<bool()>& enough) {
  const auto does = [&](const Request& tried) { return can_be_asked(tried) && holds(tried); };
  if (other == request || enough()) return other;
  if (does(request)) return request;
  // Usually one part is enough.
  for (const Part& part : kParts) {
    if (part.same(other, request)) continue;
    Request tried = request;
    part.copy(other, tried);
    if (enough()) return other;
    if (does(tried)) return tried;
  }
  Request alike = other;
  for (bool more = true; more;) {
    more = false;
    for (const Part& part : kParts) {
      if (part.same(alike, request)) continue;
      Request tried = alike;
      part.copy(request, tried);
      if (enough()) return alike;
      if (!does(tried)) continue;
      alike = std::move(tried);
      more = true;  // other parts may now be possible to copy
    }
  }
  return alike;
}

std::string how_alike(const Request& one, const Request& other) {
  constexpr std::size_t kMostParts = 3;
  const std::vector<std::string> parts = differing_parts(one, other);
  if (parts.empty()) return "that is the same";
  if (parts.size() > kMostParts) return "";
  return "that differs from it only in " + listed(parts);
}

}  // namespace reshape::conformance
