// What is remembered by where it lay, or by what was asked last.
#include <map>
#include <mutex>
#include <string>

#include "conformance/self/displace.h"
#include "conformance/self/misread.h"
#include "conformance/self/mutant.h"

namespace reshape::conformance::self {

MUTANT("dialect-known-by-its-address", Breaks("C17"),
       Says("the dialect is looked up once for each pointer to its name")) {
  misunderstand(table, [](Asked& asked) {
    static std::mutex guard;
    static std::map<const void*, std::string> known;
    const std::lock_guard<std::mutex> lock(guard);
    asked.dialect = known.try_emplace(asked.original().dialect, asked.dialect).first->second;
  });
}

MUTANT(
    "pattern-known-by-its-address", Breaks("C17"),
    Says("a pattern of the same address and length is taken for a constant that was read before")) {
  misunderstand(table, [](Asked& asked) {
    static std::mutex guard;
    static std::map<std::string, std::vector<PatternValue>> known;
    const std::lock_guard<std::mutex> lock(guard);
    const std::string key = std::to_string(address_of(*asked.original().pattern)) + "," +
                            std::to_string(asked.pattern.size()) + "," +
                            std::to_string(static_cast<int>(asked.pattern_type));
    asked.pattern = known.try_emplace(key, asked.pattern).first->second;
  });
}

MUTANT("executes-by-the-flag-inferred-last", Breaks("C17"),
       Says("execution reads special_zero where the last inference put it")) {
  static std::mutex guard;
  static std::int32_t last = RESHAPE_FLAG_MISSING;
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    {
      const std::lock_guard<std::mutex> lock(guard);
      last = request->special_zero;
    }
    return right().infer_shape(request, shape, why);
  };
  table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    Asked asked(*request);
    {
      const std::lock_guard<std::mutex> lock(guard);
      asked.special_zero = last;
    }
    return right().execute(asked.request(), output, why);
  };
}

MUTANT("executes-only-what-was-inferred-last", Breaks("C17"),
       Says("execution fails unless the last inference was about the same data's sizes")) {
  static std::mutex guard;
  static std::string last;
  table.infer_shape = [](const reshape_request* request, reshape_shape* shape,
                         reshape_message* why) {
    {
      const std::lock_guard<std::mutex> lock(guard);
      last = text(shape_of(*request->data));
    }
    return right().infer_shape(request, shape, why);
  };
  table.execute = [](const reshape_request* request, DLTensor* output, reshape_message* why) {
    {
      const std::lock_guard<std::mutex> lock(guard);
      if (last != text(shape_of(*request->data))) {
        return answer(RESHAPE_FAILED, "not prepared", why);
      }
    }
    return right().execute(request, output, why);
  };
}

}  // namespace reshape::conformance::self
