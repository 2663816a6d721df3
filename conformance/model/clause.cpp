#include "conformance/model/clause.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace reshape::conformance {

const char* name(Level level) {
  switch (level) {
    case Level::must: return "must";
    case Level::should: return "should";
    case Level::may: return "may";
    case Level::derived: return "derived";
    case Level::silent: return "silent";
  }
  return "?";
}

std::string_view stem(std::string_view name) {
  name = written_part(name);
  const std::size_t dot = name.rfind('.');
  const bool typed =
      dot != std::string_view::npos && element_type_named(name.substr(dot + 1)).has_value();
  return typed ? name.substr(0, dot) : name;
}

struct CaseList::Made {
  std::once_flag once;
  std::function<std::vector<Case>()> make;
  std::vector<Case> cases;
};

CaseList::CaseList(std::vector<Case> cases) : made_(std::make_shared<Made>()) {
  made_->cases = std::move(cases);
}

CaseList::CaseList(std::function<std::vector<Case>()> make) : made_(std::make_shared<Made>()) {
  made_->make = std::move(make);
}

const std::vector<Case>& CaseList::list() const {
  static const std::vector<Case> kNone;
  if (made_ == nullptr) return kNone;
  std::call_once(made_->once, [this] {
    if (made_->make) made_->cases = std::exchange(made_->make, nullptr)();
  });
  return made_->cases;
}

std::vector<Case>& CaseList::edit() {
  *this = CaseList(std::vector<Case>(list()));
  return made_->cases;
}

const Clause* Document::clause(std::string_view id) const {
  const auto found = std::ranges::find(clauses, id, &Clause::id);
  return found == clauses.end() ? nullptr : &*found;
}

const Document* Suite::document(const std::string& dialect) const {
  for (const Document& document : documents) {
    if (document.dialect.name == dialect) return &document;
  }
  return nullptr;
}

}  // namespace reshape::conformance
