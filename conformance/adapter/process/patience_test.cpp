#include "conformance/adapter/process/patience.h"

#include <gtest/gtest.h>

namespace reshape::conformance {
namespace {

TEST(LacksMemoryFor, TellsWhatIsNeededAndWhatIsLeft) {
  Request request;
  request.data_type = ElementType::f32;
  request.data = {1 << 24};
  constexpr std::uint64_t kOfNoMachine = std::uint64_t{1} << 24;
  EXPECT_FALSE(lacks_memory_for(request, 1));
  const std::optional<std::string> why = lacks_memory_for(request, kOfNoMachine);
  ASSERT_TRUE(why);
  EXPECT_TRUE(why->starts_with("the machine refused 1073741888 MiB of memory, of which ")) << *why;
  // A request that is not executed needs no memory.
  request.shape_only = true;
  EXPECT_FALSE(lacks_memory_for(request, kOfNoMachine));
  request.shape_only = false;
  request.data = {1000};
  EXPECT_FALSE(lacks_memory_for(request, kOfNoMachine));
}

}  // namespace
}  // namespace reshape::conformance
