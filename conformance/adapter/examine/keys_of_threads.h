#pragma once

#include <limits.h>
#include <pthread.h>

#include <cstdint>

namespace reshape::conformance {

// How many keys of threads (pthread_key_create) the process uses, where none is free below one that
// is not: the index of a key that is created is the lowest that is free.
inline std::int64_t keys_in_use() {
  pthread_key_t key = 0;
  if (pthread_key_create(&key, nullptr) != 0) return PTHREAD_KEYS_MAX;
  pthread_key_delete(key);
  return static_cast<std::int64_t>(key);
}

}  // namespace reshape::conformance
