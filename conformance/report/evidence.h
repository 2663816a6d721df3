#pragma once

#include <string>
#include <vector>

#include "conformance/report/report.h"
#include "reference/tensor/result.h"

namespace reshape::conformance {

// What a vendor hands to a customer: the JSON report of a run with the SHA-256 digests of the suite, of the
// program and of each library, the machine, and a digest over all of this, so that a change of any of it shows.
// The digest is no signature: who changes a file can make a new one. What holds it is asking again.
std::string evidence_report(Runs runs);

// An SVG for a README: "reshape-conformance | 18992 pass".
std::string badge_report(Runs runs);

// SHA-256 of every case of the suite: its id, request, answer and clauses.
std::string suite_digest(const Suite& suite);

// The digest of what -i named; empty where it is no file, such as a command.
std::string library_digest(const std::string& library);

struct Evidence {
  std::string program_version;
  std::string program_digest;
  std::string suite_digest;
  std::vector<std::string> library_digests;  // one for each run; empty: it was no file
  std::string machine;
  std::string
      changed;  // a sentence, where the file is not what was written; nothing else is to be believed then
  std::string report;  // for read_report
};

// The error: no JSON, or no evidence.
Result<Evidence> read_evidence(const std::string& text);

}  // namespace reshape::conformance
