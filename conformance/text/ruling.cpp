#include <limits>
#include <utility>

#include "conformance/text/line.h"
#include "conformance/text/reader.h"

namespace reshape::conformance {
namespace {

class RulingParser : private Reader {
 public:
  explicit RulingParser(std::string_view text) : Reader(text) {}

  Result<Ruling> parse() {
    if (ruling() && ended()) return std::move(ruling_);
    return error();
  }

 private:
  bool ruling() {
    cursor_.skip_blanks();
    const std::size_t begin = cursor_.at();
    const std::string_view answer = cursor_.name();
    if (answer == "produces") {
      ruling_.kind = Ruling::Kind::produces;
      return separated("a shape") && sizes(ruling_.shape);
    }
    if (answer == "rejects") {
      ruling_.kind = Ruling::Kind::rejects;
      return clause();
    }
    if (answer == "unspecified") {
      ruling_.kind = Ruling::Kind::unspecified;
      return clause() && permits();
    }
    return fail(begin, "expected produces, rejects or unspecified, not " + found(answer));
  }

  bool clause() {
    if (!separated("a clause")) return false;
    const std::size_t begin = cursor_.at();
    ruling_.clause = cursor_.name();
    return !ruling_.clause.empty() || fail(begin, "expected a clause, not " + cursor_.here());
  }

  // "permits rejects | produces [0,*] | ..."
  bool permits() {
    if (!separated("permits")) return false;
    const std::size_t begin = cursor_.at();
    const std::string_view word = cursor_.name();
    if (word != "permits") return fail(begin, "expected permits, not " + found(word));
    do {
      if (!separated("rejects or produces") || !permitted()) return false;
      cursor_.skip_blanks();
    } while (cursor_.take('|'));
    return true;
  }

  bool permitted() {
    const std::size_t begin = cursor_.at();
    const std::string_view outcome = cursor_.name();
    if (outcome == "rejects") {
      if (ruling_.may_reject) return fail(begin, "rejects is permitted twice");
      ruling_.may_reject = true;
      return true;
    }
    if (outcome != "produces") {
      return fail(begin, "expected rejects or produces, not " + found(outcome));
    }
    if (!separated("a shape")) return false;
    PermittedShape& shape = ruling_.permitted.emplace_back();
    return items("a size or *", [&] {
      if (cursor_.take('*')) {
        shape.sizes.emplace_back(std::nullopt);
        return true;
      }
      std::int64_t size = 0;
      if (!integer("a size", 0, std::numeric_limits<std::int64_t>::max(), size)) return false;
      shape.sizes.emplace_back(size);
      return true;
    });
  }

  bool ended() {
    cursor_.skip_blanks();
    return cursor_.at_end() || fail(cursor_.at(), "expected nothing more, not " + cursor_.here());
  }

  Ruling ruling_;
};

}  // namespace

Result<Ruling> parse_ruling(std::string_view text) { return RulingParser(text).parse(); }

}  // namespace reshape::conformance
