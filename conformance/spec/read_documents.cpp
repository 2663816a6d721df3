#include <algorithm>
#include <utility>

#include "conformance/spec/read_document.h"
#include "conformance/spec/read_suite.h"

namespace reshape::conformance {
namespace {

// `lists` of suite.yaml.
NamedLists read_named_lists(const YamlNode& node, Problems& problems) {
  NamedLists lists;
  for (const YamlNode::Entry& entry : node.entries) {
    std::vector<std::string>& values = lists[entry.key];
    for (const YamlNode& item : entry.value.items) values.push_back(item.scalar);
    if (values.empty()) problems.add(entry.line, "the list " + entry.key + " has no values");
  }
  if (node.kind != YamlNode::Kind::map) problems.add(node.line, "lists maps names to lists");
  return lists;
}

class DocumentsReader {
 public:
  DocumentsReader(std::span<const SpecFile> files, const std::string& folder)
      : files_(files), folder_(folder) {}

  DocumentsReading read() {
    read_suite_file();
    read_shared();
    for (const SpecFile& file : files_) {
      if (is_in(file, "dialects")) {
        read_dialect(file);
      } else if (file.path != "suite.yaml" && file.path != "clauses.yaml" &&
                 !is_in(file, "cases") && !is_in(file, "regressions")) {
        reading_.problems.push_back(
            {"not read: a document lies in dialects/, cases in cases/ or regressions/",
             place(file.path)});
      }
    }
    std::vector<Document>& documents = reading_.suite.documents;
    std::ranges::sort(documents, [](const Document& a, const Document& b) {
      return a.dialect.name < b.dialect.name;
    });
    if (documents.empty()) {
      reading_.problems.push_back({"no document: dialects/ has none", folder_});
    }
    return std::move(reading_);
  }

 private:
  std::string place(const std::string& path) const { return folder_ + '/' + path; }

  const SpecFile* file(std::string_view path) const {
    const auto found =
        std::ranges::find_if(files_, [&](const SpecFile& one) { return one.path == path; });
    return found == files_.end() ? nullptr : &*found;
  }

  void read_suite_file() {
    const SpecFile* suite = file("suite.yaml");
    if (suite == nullptr) {
      reading_.problems.push_back(
          {"the file that names the suite and its version is missing", place("suite.yaml")});
      return;
    }
    const std::optional<YamlNode> root = tree_of(*suite, folder_, reading_.problems);
    if (!root) return;
    Problems mine(reading_.problems, place(suite->path));
    Fields fields(*root, "suite.yaml", mine);
    if (fields.text("suite") != "reshape-conformance") {
      mine.add(fields.line_of("suite"), "suite is reshape-conformance");
    }
    reading_.suite.version = fields.text("version");
    if (const YamlNode* lists = fields.optional_node("lists")) {
      reading_.known.lists = read_named_lists(*lists, mine);
    }
    fields.finish();
  }

  void read_shared() {
    const SpecFile* clauses = file("clauses.yaml");
    if (clauses == nullptr) return;
    const std::optional<YamlNode> root = tree_of(*clauses, folder_, reading_.problems);
    if (!root) return;
    Problems mine(reading_.problems, place(clauses->path));
    shared_ = read_shared_clauses(*root, mine);
    for (const auto& [clause, text] : shared_.texts) reading_.known.clauses.insert(clause.first);
  }

  void read_dialect(const SpecFile& file) {
    const std::optional<YamlNode> root = tree_of(file, folder_, reading_.problems);
    if (!root) return;
    Problems mine(reading_.problems, place(file.path));
    Document document = read_document(*root, shared_, mine);
    document.file = file.path;
    const std::string name = file.path.substr(9, file.path.size() - 9 - 5);
    if (document.dialect.name != name) {
      mine.add(root->line, "the dialect is called as its file, " + name + ", not \"" +
                               document.dialect.name + '"');
      document.dialect.name = name;
    }
    for (const Clause& clause : document.clauses) reading_.known.clauses.insert(clause.id);
    reading_.suite.documents.push_back(std::move(document));
  }

  std::span<const SpecFile> files_;
  const std::string& folder_;
  SharedClauses shared_;
  DocumentsReading reading_;
};

}  // namespace

std::optional<YamlNode> tree_of(const SpecFile& file, const std::string& folder,
                                std::vector<Error>& problems) {
  Result<YamlNode> root = parse_yaml(file.text);
  if (root) return *std::move(root);
  problems.push_back({root.error().message, folder + '/' + file.path + ':' + root.error().where});
  return std::nullopt;
}

bool is_in(const SpecFile& file, std::string_view folder) {
  return file.path.size() > folder.size() && file.path.starts_with(folder) &&
         file.path[folder.size()] == '/';
}

DocumentsReading read_documents(std::span<const SpecFile> files, const std::string& folder) {
  return DocumentsReader(files, folder).read();
}

}  // namespace reshape::conformance
