#include <algorithm>
#include <optional>
#include <utility>

#include "conformance/adapter/contract/plugin_library.h"
#include "conformance/text/printable.h"

namespace reshape::conformance {
namespace {

constexpr std::pair<std::uint32_t, bool Capabilities::*> kFlags[] = {
    {RESHAPE_STRIDED_INPUT, &Capabilities::strided_input},
    {RESHAPE_STRIDED_OUTPUT, &Capabilities::strided_output},
    {RESHAPE_NEGATIVE_STRIDES, &Capabilities::negative_strides},
    {RESHAPE_IN_PLACE, &Capabilities::in_place},
    {RESHAPE_VIEWS, &Capabilities::views},
    {RESHAPE_STARTS_THREADS, &Capabilities::starts_threads},
    {RESHAPE_SHAPE_ONLY, &Capabilities::shape_only},
    {RESHAPE_NO_OVERLAPPING_STRIDES, &Capabilities::no_overlapping_strides},
    {RESHAPE_PATTERN_IS_LIST, &Capabilities::pattern_is_list},
    {RESHAPE_SOME_VIEWS, &Capabilities::some_views},
    {RESHAPE_OVERLAP, &Capabilities::overlap}};

constexpr std::uint32_t kLargestAlignment = 4096;  // pages of every platform hold this

std::vector<std::string> words_of(std::string_view list) {
  constexpr std::string_view kBlanks = " \t\n";
  std::vector<std::string> words;
  while (true) {
    list.remove_prefix(std::min(list.find_first_not_of(kBlanks), list.size()));
    if (list.empty()) return words;
    words.emplace_back(list.substr(0, list.find_first_of(kBlanks)));
    list.remove_prefix(words.back().size());
  }
}

// Checks the table of one library, member by member; stops at the first mistake.
class TableCheck {
 public:
  TableCheck(const reshape_plugin& table, const std::string& file)
      : table_(table), said_(table.description), file_(file) {}

  Result<Capabilities> check() {
    if (!head() || !starts() || !functions() || !names() || !types() || !numbers()) return *error_;
    return std::move(found_);
  }

 private:
  bool fail(const std::string& what) {
    error_ = Error{what, file_};
    return false;
  }

  bool head() {
    if (table_.abi_version != RESHAPE_ABI_VERSION) {
      return fail("its table has version " + std::to_string(table_.abi_version) +
                  ", this program speaks version " + std::to_string(RESHAPE_ABI_VERSION));
    }
    if (table_.struct_size < RESHAPE_PLUGIN_SIZE_1_0) {
      return fail("its table says struct_size " + std::to_string(table_.struct_size) +
                  ", less than the " + std::to_string(RESHAPE_PLUGIN_SIZE_1_0) + " of version " +
                  std::to_string(RESHAPE_ABI_VERSION));
    }
    found_.checks_output = table_.struct_size >= sizeof(reshape_plugin);
    return true;
  }

  // Members since 1.1 exist only if struct_size includes them.
  bool starts() {
    if (!found_.checks_output) return true;
    if (table_.cannot_start != nullptr) {
      const std::string why = printable(table_.cannot_start, kBriefly);
      return fail("it says that it cannot start" +
                  (is_blank(table_.cannot_start) ? ", and not why" : ": " + why));
    }
    if (table_.max_elements < 0) {
      return fail("its max_elements is " + std::to_string(table_.max_elements));
    }
    if (table_.max_size < 0) return fail("its max_size is " + std::to_string(table_.max_size));
    found_.max_elements = table_.max_elements;
    found_.max_size = table_.max_size;
    return true;
  }

  bool functions() {
    std::uint32_t unknown = said_.capabilities;
    for (const auto& [bit, member] : kFlags) {
      found_.*member = (said_.capabilities & bit) != 0;
      unknown &= ~bit;
    }
    if (unknown != 0) {
      return fail("its description sets capability bits that this version does not have");
    }
    if (table_.infer_shape == nullptr) return fail("its table has no infer_shape");
    const bool executes = table_.execute != nullptr, views = table_.view != nullptr;
    const std::pair<bool, const char*> mistakes[] = {
        {!executes && !found_.shape_only,
         "its table has no execute and does not declare RESHAPE_SHAPE_ONLY"},
        {executes && found_.shape_only,
         "it declares RESHAPE_SHAPE_ONLY, and its table has an execute"},
        {!views && found_.views, "it declares RESHAPE_VIEWS, and its table has no view"},
        {views && !found_.views, "its table has a view, and it does not declare RESHAPE_VIEWS"},
        {found_.negative_strides && !found_.strided_input && !found_.strided_output,
         "it declares RESHAPE_NEGATIVE_STRIDES without strided input or output"},
        {found_.some_views && !found_.views,
         "it declares RESHAPE_SOME_VIEWS without RESHAPE_VIEWS"},
        {found_.shape_only && (found_.in_place || found_.views || found_.overlap),
         "it declares RESHAPE_SHAPE_ONLY together with in place, overlap or views"}};
    for (const auto& [is_made, what] : mistakes) {
      if (is_made) return fail(what);
    }
    return true;
  }

  bool names() {
    if (said_.name == nullptr || is_blank(said_.name)) return fail("its description has no name");
    if (said_.version == nullptr) return fail("its description has no version");
    if (said_.dialects == nullptr) return fail("its description has no dialects");
    // The name is used in tables and sentences of reports.
    constexpr std::size_t kLongestName = 100;
    found_.name = printable(said_.name, kLongestName);
    found_.version = printable(said_.version, kLongestName);
    // Unknown names are fine: an implementation may serve more documents than this program knows.
    found_.dialects = words_of(said_.dialects);
    if (found_.dialects.empty()) return fail("its description names no dialect");
    // The most that a message between processes can hold.
    constexpr std::size_t kMostDialects = 4096;
    if (found_.dialects.size() > kMostDialects) {
      return fail("its description names " + std::to_string(found_.dialects.size()) +
                  " dialects, more than " + std::to_string(kMostDialects));
    }
    return true;
  }

  bool types() {
    if (said_.element_types == nullptr) return fail("its description has no element_types");
    const char* patterns = said_.pattern_types != nullptr ? said_.pattern_types : "i64";
    for (const std::string& word : words_of(said_.element_types)) {
      const std::optional<ElementType> type = element_type_named(word);
      if (!type) return fail("its element_types hold the unknown word '" + word + "'");
      found_.element_types.insert(*type);
    }
    for (const std::string& word : words_of(patterns)) {
      const std::optional<ElementType> type = element_type_named(word);
      if (!type) return fail("its pattern_types hold the unknown word '" + word + "'");
      if (!is_integer(*type)) {
        return fail("its pattern_types hold '" + word + "', which is no integer type");
      }
      found_.pattern_types.insert(*type);
    }
    if (found_.element_types.empty()) return fail("its description names no element type");
    if (found_.pattern_types.empty()) return fail("its description names no pattern type");
    return true;
  }

  bool numbers() {
    if (said_.max_rank < 0) {
      return fail("its max_rank is " + std::to_string(said_.max_rank));
    }
    const std::uint32_t alignment = said_.alignment;
    if ((alignment & (alignment - 1)) != 0 || alignment > kLargestAlignment) {
      return fail("its alignment is " + std::to_string(alignment) + ", not a power of two up to " +
                  std::to_string(kLargestAlignment));
    }
    found_.max_rank = said_.max_rank;
    found_.alignment = alignment;
    return true;
  }

  const reshape_plugin& table_;
  const reshape_description& said_;
  const std::string& file_;
  Capabilities found_;
  std::optional<Error> error_;
};

}  // namespace

Result<Capabilities> check_table(const reshape_plugin* table, const std::string& file) {
  if (table == nullptr) return Error{RESHAPE_PLUGIN_ENTRY_NAME " returned no table", file};
  return TableCheck(*table, file).check();
}

}  // namespace reshape::conformance
