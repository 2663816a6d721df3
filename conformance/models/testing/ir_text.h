#pragma once

#include <stdlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "conformance/models/model.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// A Reshape in a test's model: a Parameter and a Const feed it.
struct IrReshape {
  std::vector<int> data;
  std::vector<std::int64_t> pattern;
  std::string flag = "true";  // special_zero
  std::vector<int> output = {};
  std::string precision = "FP32";
  std::string pattern_type = "i64";  // or i32
};

// The text of an IR with these Reshapes; the layers of the first have the ids 0, 1 and 2. Version
// 10 has no types at input ports. Tests change the text or the constants, and write them to a
// folder.
struct IrText {
  std::string xml;
  std::string bin;

  explicit IrText(const std::vector<IrReshape>& reshapes, int version = 11) {
    std::string layers;
    std::string edges;
    int id = 0;
    for (const IrReshape& one : reshapes) {
      const bool narrow = one.pattern_type == "i32";
      const std::string count = std::to_string(one.pattern.size());
      const std::size_t offset = bin.size();
      for (const std::int64_t value : one.pattern) {
        for (int byte = 0; byte < (narrow ? 4 : 8); ++byte) {
          bin += static_cast<char>(static_cast<std::uint64_t>(value) >> 8 * byte & 255);
        }
      }
      const std::string parameter = std::to_string(id);
      const std::string constant = std::to_string(id + 1);
      const std::string reshape = std::to_string(id + 2);
      const std::string constant_precision = narrow ? "I32" : "I64";
      const auto typed = [&](const std::string& precision) {
        return version == 10 ? std::string() : " precision=\"" + precision + '"';
      };
      layers +=
          "    <layer id=\"" + parameter + "\" name=\"in" + parameter +
          "\" type=\"Parameter\" version=\"opset1\">\n      <output><port id=\"0\" precision=\"" +
          one.precision + "\">" + dims(one.data) + "</port></output>\n    </layer>\n";
      layers += "    <layer id=\"" + constant + "\" name=\"to" + constant +
                "\" type=\"Const\" version=\"opset1\">\n      <data element_type=\"" +
                one.pattern_type + "\" shape=\"" + count + "\" offset=\"" + std::to_string(offset) +
                "\" size=\"" + std::to_string(bin.size() - offset) +
                "\"/>\n      <output><port id=\"0\" precision=\"" + constant_precision +
                "\"><dim>" + count + "</dim></port></output>\n    </layer>\n";
      layers += "    <layer id=\"" + reshape + "\" name=\"fold" + reshape +
                "\" type=\"Reshape\" version=\"opset1\">\n      <data special_zero=\"" + one.flag +
                "\"/>\n      <input>\n        <port id=\"0\"" + typed(one.precision) + ">" +
                dims(one.data) + "</port>\n        <port id=\"1\"" + typed(constant_precision) +
                "><dim>" + count +
                "</dim></port>\n      </input>\n      <output><port id=\"2\" precision=\"" +
                one.precision + "\">" + dims(one.output) + "</port></output>\n    </layer>\n";
      edges += edge(parameter, "0", reshape, "0") + edge(constant, "0", reshape, "1");
      id += 3;
    }
    xml = "<?xml version=\"1.0\"?>\n<net name=\"made\" version=\"" + std::to_string(version) +
          "\">\n  <layers>\n" + layers + "  </layers>\n  <edges>\n" + edges +
          "  </edges>\n</net>\n";
  }

  // Replaces the first `from` by `to`. Aborts where there is none.
  IrText& spoil(const std::string& from, const std::string& to) {
    const std::size_t at = xml.find(from);
    if (at == std::string::npos) abort();
    xml.replace(at, from.size(), to);
    return *this;
  }

 private:
  static std::string dims(const std::vector<int>& sizes) {
    std::string text;
    for (const int size : sizes) text += "<dim>" + std::to_string(size) + "</dim>";
    return text;
  }
  static std::string edge(const std::string& from, const std::string& from_port,
                          const std::string& to, const std::string& to_port) {
    return "    <edge from-layer=\"" + from + "\" from-port=\"" + from_port + "\" to-layer=\"" +
           to + "\" to-port=\"" + to_port + "\"/>\n";
  }
};

// The examples that OpenVINO publishes, in their order.
inline std::vector<IrReshape> published_examples() {
  return {{{2, 5, 5, 0}, {0, 4}, "false", {0, 4}},
          {{2, 5, 5, 24}, {0, -1, 4}, "true", {2, 150, 4}},
          {{2, 2, 3}, {0, 0, 1, -1}, "true", {2, 2, 1, 3}},
          {{3, 1, 1}, {-1, 0}, "true", {3, 1}},
          {{3, 1, 1}, {0, -1}, "true", {3, 1}}};
}

// A folder of its own, gone at the end of the test.
class ModelFolder {
 public:
  ModelFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "model-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ModelFolder(const ModelFolder&) = delete;
  ModelFolder& operator=(const ModelFolder&) = delete;
  ~ModelFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string path(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path(name);
  }
  // The error, with paths relative to this folder; "none" where a model was read.
  std::string error_of(const Result<Model>& model) const {
    if (model) return "none";
    std::string text = model.error().text();
    const std::string folder = path("");
    for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder)) {
      text.erase(at, folder.size());
    }
    return text;
  }
  // Writes model.xml and model.bin, and returns the path of model.xml.
  std::string write(const IrText& model) const {
    write("model.bin", model.bin);
    return write("model.xml", model.xml);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace reshape::conformance
