#include "fuzz/targets/to_copy.h"

#include <utility>

#include "conformance/oracle/ruling_of.h"
#include "fuzz/engine/clause_counters.h"
#include "fuzz/input/decode.h"
#include "reference/reshape.h"
#include "reference/tensor/declared_dialects.h"
#include "reference/tensor/layout.h"

namespace reshape::fuzz {

std::optional<ToCopy> to_copy(Bytes bytes, std::int64_t most_elements) {
  static conformance::Request request;
  decode(bytes, request);
  Ruling ruling =
      reference::decide(conformance::ruling_of(*declared_dialect(request.dialect), request));
  count_clause(request, ruling);
  if (ruling.kind != Ruling::Kind::produces || request.shape_only) return std::nullopt;
  const std::optional<std::int64_t> count = element_count(request.data);
  if (!count || *count > most_elements || !row_major_strides(ruling.shape)) return std::nullopt;
  return ToCopy{request, std::move(ruling), *count};
}

}  // namespace reshape::fuzz
