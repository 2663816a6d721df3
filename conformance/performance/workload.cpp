#include "conformance/performance/workload.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "conformance/files/yaml_tree.h"
#include "conformance/oracle/ruling_of.h"
#include "conformance/property/generator.h"
#include "conformance/spec/load.h"
#include "conformance/text/line.h"

namespace reshape::conformance::performance {

extern const std::string_view kBuiltInYaml;  // of workloads.yaml; see built_in_yaml.cpp.in

namespace {

// Reads a map of the file; keys that are never read are errors.
class Fields {
 public:
  Fields(const YamlNode& node, const std::string& where) : node_(node), where_(where) {}

  Error wrong(const std::string& sentence) const {
    return {sentence, where_ + ":" + std::to_string(node_.line)};
  }
  // Empty where there is no such key.
  std::string text(const std::string& key) {
    asked_.insert(key);
    for (const YamlNode::Entry& entry : node_.entries) {
      if (entry.key == key) return entry.value.scalar;
    }
    return {};
  }
  std::optional<Error> unknown() const {
    if (node_.kind != YamlNode::Kind::map) return wrong("an entry is a map");
    for (const YamlNode::Entry& entry : node_.entries) {
      if (!asked_.contains(entry.key)) return wrong("there is no key '" + entry.key + "' here");
    }
    return std::nullopt;
  }

 private:
  const YamlNode& node_;
  const std::string& where_;
  std::set<std::string> asked_;
};

std::optional<std::uint64_t> number(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Why a request is not timed: its document does not answer with a shape.
std::optional<std::string> why_not_timed(const Request& request) {
  const Document* document = built_in_suite().document(request.dialect);
  if (document == nullptr) return "there is no dialect '" + request.dialect + "'";
  const Ruling ruling = ruling_of(document->dialect, request);
  if (ruling.kind != Ruling::Kind::produces) return "the document answers " + reshape::text(ruling);
  return std::nullopt;
}

Result<Workload> read_workload(const YamlNode& node, const std::string& where) {
  Fields fields(node, where);
  Workload workload;
  workload.name = fields.text("name");
  const std::string call = fields.text("call"), gate = fields.text("gate");
  const std::string ask = fields.text("ask"), grows = fields.text("grows");
  const std::string threads = fields.text("threads"), callers = fields.text("callers");
  if (auto unknown = fields.unknown()) return *unknown;
  if (workload.name.empty()) return fields.wrong("a workload needs a name");
  // Names stand in lines of tables, and results are matched by them.
  if (std::ranges::any_of(workload.name,
                          [](unsigned char letter) { return letter < ' ' || letter == 0x7f; })) {
    return fields.wrong("a workload's name holds a control character");
  }
  if (!call_named(call)) return fields.wrong("call is execute, infer or view, not '" + call + "'");
  workload.call = *call_named(call);
  if (!gate.empty() && gate != "true" && gate != "false") {
    return fields.wrong("gate is true or false, not '" + gate + "'");
  }
  workload.gate = gate == "true";
  constexpr std::uint64_t kMostThreads = 1024;
  for (const auto& [text, to] :
       {std::pair(&threads, &workload.threads), {&callers, &workload.callers}}) {
    if (text->empty()) continue;
    const auto count = number(*text);
    if (!count || *count < 1 || *count > kMostThreads) {
      return fields.wrong("threads and callers are numbers from 1 to 1024, not '" + *text + "'");
    }
    *to = static_cast<int>(*count);
  }
  using Grows = Workload::Grows;
  for (const Grows one : {Grows::bytes, Grows::rank, Grows::threads, Grows::callers}) {
    if (grows == name(one)) workload.grows = one;
  }
  if (!grows.empty() && workload.grows == Grows::nothing) {
    return fields.wrong("grows is bytes, rank, threads or callers, not '" + grows + "'");
  }
  Result<Request> request = parse_line(ask);
  if (!request) return fields.wrong(request.error().text());
  workload.request = *std::move(request);
  if (auto why = why_not_timed(workload.request)) return fields.wrong(*why);
  return workload;
}

Result<std::vector<Workload>> draw_workloads(const YamlNode& node, const std::string& where) {
  Fields fields(node, where);
  const auto seed = number(fields.text("seed")), count = number(fields.text("count"));
  const auto call = call_named(fields.text("call"));
  const bool gate = fields.text("gate") == "true";
  const std::string dialect = fields.text("dialect");
  if (auto unknown = fields.unknown()) return *unknown;
  constexpr std::uint64_t kMost = 1000;
  if (!seed || !count || *count > kMost || !call) {
    return fields.wrong("drawn workloads need a seed, a count up to 1000 and a call");
  }
  const Document* document = built_in_suite().document(dialect);
  if (document == nullptr) return fields.wrong("there is no dialect '" + dialect + "'");
  Abilities abilities;
  abilities.layouts.negative_strides = false;
  SeededChoices choices(*seed);
  std::vector<Workload> drawn;
  constexpr int kTries = 10'000;  // all draws are valid, but most have few elements
  for (int tries = 0; drawn.size() < *count && tries < kTries; ++tries) {
    const Generated made =
        generate_in_class(document->dialect, {Ruling::Kind::produces, ""}, abilities, choices);
    if (made.ruling.kind != Ruling::Kind::produces || made.request.elements) continue;
    Workload workload;
    workload.name =
        "drawn/" + std::to_string(*seed) + "." + std::to_string(drawn.size()) + " " + name(*call);
    workload.call = *call;
    workload.request = made.request;
    workload.request.in_place = false;
    workload.request.shape_only = false;
    workload.request.payload.reset();
    workload.gate = gate;
    const std::int64_t bytes = output_bytes(workload);
    constexpr std::int64_t kLargest = 1 << 20;
    if (bytes == 0 || bytes > kLargest) continue;
    drawn.push_back(std::move(workload));
  }
  if (drawn.size() < *count) return fields.wrong("so many could not be drawn");
  return drawn;
}

}  // namespace

const char* name(Call call) {
  switch (call) {
    case Call::execute: return "execute";
    case Call::infer: return "infer";
    case Call::view: break;
  }
  return "view";
}

std::optional<Call> call_named(const std::string& text) {
  for (const Call call : {Call::execute, Call::infer, Call::view}) {
    if (text == name(call)) return call;
  }
  return std::nullopt;
}

std::string question(const Workload& workload) {
  std::string text = std::string(name(workload.call)) + " " + print_line(workload.request);
  if (workload.threads > 0) text += " threads=" + std::to_string(workload.threads);
  if (workload.callers > 1) text += " callers=" + std::to_string(workload.callers);
  return text;
}

std::string kind_of(const Workload& workload) {
  if (workload.call != Call::execute) return name(workload.call);
  const bool dense = is_row_major_dense(data_layout(workload.request));
  return dense && !workload.request.out_strides ? "dense copy" : "strided copy";
}

const char* name(Workload::Grows grows) {
  constexpr const char* kNames[] = {"", "bytes", "rank", "threads", "callers"};
  return kNames[static_cast<std::size_t>(grows)];
}

double size_of(const Workload& workload) {
  switch (workload.grows) {
    case Workload::Grows::rank: return static_cast<double>(workload.request.data.rank());
    case Workload::Grows::threads: return workload.threads;
    case Workload::Grows::callers: return workload.callers;
    case Workload::Grows::bytes:
    case Workload::Grows::nothing: break;
  }
  return static_cast<double>(output_bytes(workload));
}

std::vector<std::string> thread_environment(int threads) {
  if (threads < 1) return {};
  const std::string count = std::to_string(threads);
  // OpenMP threads that spin while waiting would disturb later measurements.
  return {"RESHAPE_THREADS=" + count, "OMP_NUM_THREADS=" + count, "OMP_WAIT_POLICY=passive"};
}

std::vector<Workload> with_threads(const std::vector<Workload>& workloads,
                                   const std::vector<int>& threads) {
  std::vector<Workload> made;
  for (const Workload& workload : workloads) {
    if (workload.threads > 0 || threads.empty()) made.push_back(workload);
    if (workload.threads > 0) continue;
    for (const int count : threads) {
      made.push_back(workload);
      made.back().threads = count;
      made.back().name += "/threads:" + std::to_string(count);
    }
  }
  return made;
}

std::int64_t output_bytes(const Workload& workload) {
  const auto count = element_count(workload.request.data);
  return count ? bytes_for(workload.request.data_type, *count) : 0;
}

Result<std::vector<Workload>> read_workloads(std::string_view yaml, const std::string& where) {
  const Result<YamlNode> root = parse_yaml(yaml);
  if (!root) return Error{root.error().message, where + ":" + root.error().where};
  if (root->kind != YamlNode::Kind::map) {
    return Error{"workloads are a map with 'workloads' and 'drawn'", where + ":1"};
  }
  std::vector<Workload> workloads;
  std::set<std::string> names;
  for (const YamlNode::Entry& entry : root->entries) {
    const std::string place = where + ":" + std::to_string(entry.line);
    if (entry.key != "workloads" && entry.key != "drawn") {
      return Error{"there is no key '" + entry.key + "' here", place};
    }
    if (entry.value.kind != YamlNode::Kind::list)
      return Error{"'" + entry.key + "' is a list, and this is none", place};
    for (const YamlNode& item : entry.value.items) {
      std::vector<Workload> more;
      if (entry.key == "workloads") {
        Result<Workload> one = read_workload(item, where);
        if (!one) return one.error();
        more.push_back(*std::move(one));
      } else {
        Result<std::vector<Workload>> drawn = draw_workloads(item, where);
        if (!drawn) return drawn.error();
        more = *std::move(drawn);
      }
      for (Workload& one : more) {
        if (!names.insert(one.name).second) {
          return Error{"'" + one.name + "' is there twice",
                       where + ":" + std::to_string(item.line)};
        }
        workloads.push_back(std::move(one));
      }
    }
  }
  if (workloads.empty()) return Error{"there are no workloads", where};
  return workloads;
}

Result<std::vector<Workload>> built_in_workloads() {
  return read_workloads(kBuiltInYaml, "workloads.yaml");
}

}  // namespace reshape::conformance::performance
