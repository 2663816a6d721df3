#pragma once

namespace reshape::conformance {

// From now on the first SIGINT (Ctrl-C), SIGTERM or SIGHUP asks the command of this name to end: it
// asks nothing more, and tells and writes what it knows. One that comes later does what it would have
// done without this call, and so does this one where the command has not ended after 15 seconds. A
// signal that is ignored stays ignored. `command` outlives the program.
void heed_requests_to_end(const char* command = "run");

// "SIGTERM"; null while nobody has asked. Any thread.
const char* request_to_end();

}  // namespace reshape::conformance
