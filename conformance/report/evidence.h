#pragma once

#include <string>
#include <vector>

#include "conformance/report/report.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// Evidence for a customer: the JSON report of a run with the SHA-256 digests of the suite, the
// program and each library, the machine, and a digest over all of this, so that accidental changes
// show. The digest is not a signature: whoever changes the file can compute a new one. Only a new
// run proves the content.
std::string evidence_report(Runs runs);

// An SVG for a README: "reshape-conformance | 18992 pass".
std::string badge_report(Runs runs);

// SHA-256 of every case of the suite: its id, request, answer and clauses.
std::string suite_digest(const Suite& suite);

// Whether what -i names is a file, and no command and nothing that is built in.
bool names_file(const std::string& library);

// The SHA-256 of the file that -i named; empty where it names none, or it cannot be read.
std::string library_digest(const std::string& library);

// Whether the run does not tell of one library: its file is another one now than `run` says, or
// was not there.
bool is_changed(const Report& run);

struct Evidence {
  std::string program_version;
  std::string program_digest;
  std::string suite_digest;
  std::vector<std::string> library_digests;  // one for each run; empty: it is no file
  std::string machine;
  // A sentence if the file was changed; then nothing else in it can be trusted.
  std::string changed;
  std::string report;  // for read_report
};

// Errors: not JSON, or not evidence.
Result<Evidence> read_evidence(const std::string& text);

// A sentence where the evidence draws another conclusion than follows from its cases; else empty.
// `runs`: what read_report read of it.
std::string contradiction(const Evidence& evidence, Runs runs);

}  // namespace reshape::conformance
