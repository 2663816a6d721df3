// The one file that writes XML in this folder.
#include <fmt/format.h>

#include <map>
#include <pugixml.hpp>
#include <sstream>

#include "conformance/report/report.h"
#include "conformance/report/sections.h"

namespace reshape::conformance {
namespace {

struct Counts {
  int tests = 0;
  int failures = 0;
  int skipped = 0;
  double seconds = 0;

  void add(const Counts& more) {
    tests += more.tests;
    failures += more.failures;
    skipped += more.skipped;
  }
};

void set(pugi::xml_node node, const char* key, const std::string& value) {
  node.append_attribute(key).set_value(printable(value).c_str());
}

void set(pugi::xml_node node, const Counts& counts) {
  node.append_attribute("tests").set_value(counts.tests);
  node.append_attribute("failures").set_value(counts.failures);
  node.append_attribute("errors").set_value(0);
  node.append_attribute("skipped").set_value(counts.skipped);
  set(node, "time", fmt::format("{:.3f}", counts.seconds));
}

void property(pugi::xml_node properties, const char* name, const std::string& value) {
  pugi::xml_node node = properties.append_child("property");
  set(node, "name", name);
  set(node, "value", value);
}

void fail(pugi::xml_node test, Counts& counts, const std::string& type, const std::string& message,
          const std::string& body) {
  ++counts.failures;
  pugi::xml_node failure = test.append_child("failure");
  set(failure, "type", type);
  set(failure, "message", message);
  failure.text().set(printable_lines(body).c_str());
}

void skip(pugi::xml_node test, Counts& counts, const std::string& message) {
  ++counts.skipped;
  set(test.append_child("skipped"), "message", message);
}

// Marks a test as failed exactly where the run does, for CI systems that read only this file.
void add_verdict(pugi::xml_node test, const Report& run, const CaseResult& result, Counts& counts) {
  switch (result.known) {
    case Known::passes:
    case Known::skipped:
      return fail(test, counts, "baseline", name(result.known), result.known_reason);
    case Known::failure: return skip(test, counts, "known failure: " + result.known_reason);
    case Known::differs:
    case Known::expired:
    case Known::none: break;
  }
  switch (result.verdict.kind) {
    case Verdict::Kind::fail: {
      const Fault& fault = result.verdict.faults.front();
      return fail(test, counts, std::string(name(fault.plane)) + " plane",
                  "expected " + fault.expected + ", answered " + fault.answered,
                  failure_text(run, result));
    }
    case Verdict::Kind::unsupported: return skip(test, counts, result.verdict.reason);
    case Verdict::Kind::mistrusted: {
      const std::string note = "mistrusted: " + printable(result.verdict.reason);
      test.append_child("system-out").text().set(note.c_str());
      return;
    }
    case Verdict::Kind::pass: return;
  }
}

// Tests for the run as a whole: whether all was asked, unasked clauses, faults of the baseline.
void add_run_tests(pugi::xml_node parent, const Report& run, const std::string& who, Counts& all) {
  pugi::xml_node suite = parent.append_child("testsuite");
  set(suite, "name", who + "/run");
  Counts counts;
  const auto add = [&](const std::string& name) {
    ++counts.tests;
    pugi::xml_node test = suite.append_child("testcase");
    set(test, "name", name);
    set(test, "classname", "run");
    test.append_attribute("time").set_value("0");
    return test;
  };
  pugi::xml_node executed = add("some case was executed");
  if (!run.executed()) {
    fail(executed, counts, "run", "nothing was executed", conclusion(run));
  }
  if (run.library_changed) {
    fail(add("the library stayed the same"), counts, "run", "its file changed", conclusion(run));
  }
  if (!run.cut_short.empty()) {
    fail(add("everything was asked"), counts, "run", run.cut_short, conclusion(run));
  }
  for (const UnaskedClause& one : run.unasked) {
    pugi::xml_node test = add("clause " + one.dialect + "/" + one.clause + " was asked");
    const std::string why = fmt::format("all {} cases skipped: {}", one.cases, one.reason);
    if (one.red()) {
      fail(test, counts, "coverage", why, why);
    } else {
      skip(test, counts, why);
    }
  }
  for (const ProcessFault& one : run.at_first_use) {
    pugi::xml_node test = add(std::string("each process: ") + name(one.seen.watch));
    if (one.waived) {
      skip(test, counts, one.seen.saw);
    } else {
      fail(test, counts, "each process", one.seen.saw, one.seen.saw);
    }
  }
  for (const LawResult& law : run.laws) {
    pugi::xml_node test = add("law " + law.name + " (" + law.rests_on + ")");
    if (run.is_red(law)) {
      fail(test, counts, "law", law.says, law_text(run, law));
    } else if (law.fails()) {
      skip(test, counts, "undecided: " + law.broken);
    } else if (!law.holds() || law.tried == 0) {
      skip(test, counts, law.holds() ? law.not_asked : "known: " + law.known);
    }
  }
  if (run.exhaustive) {
    pugi::xml_node test = add("exhaustive: " + run.exhaustive->bound);
    if (run.exhaustive->faults > 0 || !run.exhaustive->stopped.empty()) {
      fail(test, counts, "exhaustive", conclusion(run), sections_text(run, false));
    }
  }
  for (const std::string& fault : run.baseline_faults) {
    fail(add("baseline: " + fault), counts, "baseline", fault, fault);
  }
  set(suite, counts);
  all.add(counts);
}

void add_run(pugi::xml_node root, const Report& run, Counts& all) {
  const std::string who = run.capabilities.name + " " + run.capabilities.version;
  std::map<std::string, std::pair<pugi::xml_node, Counts>> suites;
  for (const CaseResult& result : run.cases) {
    const std::string& dialect = result.asked->request.dialect;
    auto [entry, fresh] = suites.try_emplace(dialect);
    auto& [suite, counts] = entry->second;
    if (fresh) {
      suite = root.append_child("testsuite");
      set(suite, "name", who + "/" + dialect);
      pugi::xml_node properties = suite.append_child("properties");
      property(properties, "program", run.program_version);
      property(properties, "suite", run.suite_version);
      property(properties, "contract", run.contract_version);
      property(properties, "library", run.options.library);
    }
    ++counts.tests;
    counts.seconds += result.seconds;
    pugi::xml_node test = suite.append_child("testcase");
    set(test, "name", result.asked->id);
    set(test, "classname", dialect);
    set(test, "time", fmt::format("{:.6f}", result.seconds));
    add_verdict(test, run, result, counts);
  }
  for (auto& [dialect, entry] : suites) {
    set(entry.first, entry.second);
    all.add(entry.second);
  }
  add_run_tests(root, run, who, all);
  all.seconds += run.seconds;
}

}  // namespace

std::string junit_report(Runs runs) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version").set_value("1.0");
  declaration.append_attribute("encoding").set_value("UTF-8");
  pugi::xml_node root = document.append_child("testsuites");
  set(root, "name", "reshape-conformance");
  Counts all;
  for (const Report& run : runs) add_run(root, run, all);
  set(root, all);
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

ReportForm junit_form() { return {"junit", "JUnit XML, as CI systems read it", junit_report}; }

}  // namespace reshape::conformance
