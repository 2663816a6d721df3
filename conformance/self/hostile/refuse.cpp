// refuse threads|spawned|forked COMMAND...: runs the command while the kernel refuses it threads or
// processes. Exits with 77 where the kernel does not support that.
#include "conformance/adapter/process/refuse.h"

#include <unistd.h>

#include <string_view>

int main(int count, char** words) {
  using namespace reshape::conformance;
  if (count < 3) return 2;
  const std::string_view what = words[1];
  const Refusal refusal = what == "threads"   ? Refusal::threads
                          : what == "spawned" ? Refusal::spawned
                                              : Refusal::forked;
  if (!refuse(refusal)) return 77;
  execv(words[2], words + 2);
  return 2;
}
