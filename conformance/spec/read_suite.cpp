#include "conformance/spec/read_suite.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "conformance/spec/check_case.h"
#include "conformance/spec/load.h"
#include "conformance/spec/read_cases.h"
#include "conformance/spec/read_document.h"
#include "conformance/spec/yaml_tree.h"

namespace reshape::conformance {
namespace {

constexpr const char* kRegressions = "regressions";

class SuiteReader {
 public:
  SuiteReader(std::span<const SpecFile> files, const std::string& folder)
      : files_(files), folder_(folder) {}

  SuiteReading read() {
    read_version();
    for (const SpecFile& file : files_) {
      if (file_name(file) == "document.yaml") read_one_document(file);
    }
    sort_documents();
    for (const SpecFile& file : files_) {
      if (file.path != "suite.yaml" && file_name(file) != "document.yaml") read_case_file(file);
    }
    check_ids();
    return std::move(reading_);
  }

 private:
  static std::string folder_of(const SpecFile& file) {
    const std::size_t slash = file.path.rfind('/');
    return slash == std::string::npos ? "" : file.path.substr(0, slash);
  }
  static std::string file_name(const SpecFile& file) {
    return file.path.substr(file.path.rfind('/') + 1);
  }

  std::string place(const std::string& path) const { return folder_ + '/' + path; }
  Problems problems(const SpecFile& file) { return {reading_.problems, place(file.path)}; }

  std::optional<YamlNode> tree(const SpecFile& file) {
    Result<YamlNode> root = parse_yaml(file.text);
    if (root) return *std::move(root);
    reading_.problems.push_back(
        {root.error().message, place(file.path) + ':' + root.error().where});
    return std::nullopt;
  }

  void read_version() {
    const auto file = std::find_if(files_.begin(), files_.end(),
                                   [](const SpecFile& one) { return one.path == "suite.yaml"; });
    if (file == files_.end()) {
      reading_.problems.push_back(
          {"the file that names the suite and its version is missing", place("suite.yaml")});
      return;
    }
    const std::optional<YamlNode> root = tree(*file);
    if (!root) return;
    Problems mine = problems(*file);
    Fields fields(*root, "suite.yaml", mine);
    if (fields.text("suite") != "reshape-conformance") {
      mine.add(fields.line_of("suite"), "suite is reshape-conformance");
    }
    reading_.suite.version = fields.text("version");
    fields.finish();
  }

  void read_one_document(const SpecFile& file) {
    const std::optional<YamlNode> root = tree(file);
    if (!root) return;
    Problems mine = problems(file);
    Document document = read_document(*root, mine);
    document.file = file.path;
    if (document.dialect.name != folder_of(file)) {
      mine.add(root->line, "the dialect is called as its folder, " + folder_of(file) + ", not \"" +
                               document.dialect.name + '"');
      document.dialect.name = folder_of(file);
    }
    reading_.suite.documents.push_back(std::move(document));
  }

  void sort_documents() {
    std::sort(reading_.suite.documents.begin(), reading_.suite.documents.end(),
              [](const Document& a, const Document& b) { return a.dialect.name < b.dialect.name; });
  }

  Document* document(const std::string& dialect) {
    for (Document& document : reading_.suite.documents) {
      if (document.dialect.name == dialect) return &document;
    }
    return nullptr;
  }

  void read_case_file(const SpecFile& file) {
    const std::string home = folder_of(file);
    const bool regressions = home == kRegressions;
    if (!regressions && document(home) == nullptr) {
      reading_.problems.push_back(
          {home.empty() ? "cases stand in the folder of their dialect"
                        : "the folder has no readable document.yaml, so its cases belong nowhere",
           place(file.path) + ":1"});
      return;
    }
    const std::optional<YamlNode> root = tree(file);
    if (!root) return;
    Problems mine = problems(file);
    for (Case& one : read_cases(*root, home + '/', regressions ? "" : home, mine)) {
      one.file = file.path;
      Document* owner = document(one.request.dialect);
      if (owner == nullptr) {
        mine.add(one.line, "unknown dialect " + one.request.dialect);
        continue;
      }
      for (std::string& problem : problems_of(one, *owner)) {
        mine.add(one.line, one.id + ": " + std::move(problem));
      }
      owner->cases.push_back(std::move(one));
    }
  }

  void check_ids() {
    std::map<std::string, const Case*> seen;
    for (const Document& document : reading_.suite.documents) {
      for (const Case& one : document.cases) {
        const auto [first, fresh] = seen.emplace(one.id, &one);
        if (fresh) continue;
        reading_.problems.push_back({"the id " + one.id +
                                         " is taken: " + place(first->second->file) + ':' +
                                         std::to_string(first->second->line),
                                     place(one.file) + ':' + std::to_string(one.line)});
      }
    }
  }

  std::span<const SpecFile> files_;
  const std::string& folder_;
  SuiteReading reading_;
};

}  // namespace

SuiteReading read_suite(std::span<const SpecFile> files, const std::string& folder) {
  return SuiteReader(files, folder).read();
}

Result<Suite> load_suite(const std::string& folder) {
  const Result<std::vector<SpecFile>> files = read_spec_files(folder);
  if (!files) return files.error();
  SuiteReading reading = read_suite(*files, folder);
  if (!reading.problems.empty()) return reading.problems.front();
  return std::move(reading.suite);
}

}  // namespace reshape::conformance
