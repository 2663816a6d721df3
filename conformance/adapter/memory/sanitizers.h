#pragma once

// Whether this program was built with a sanitizer that has its own allocator, as GCC and Clang say
// it.
#if defined(__SANITIZE_ADDRESS__)
#define RESHAPE_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RESHAPE_ADDRESS_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define RESHAPE_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RESHAPE_THREAD_SANITIZER 1
#endif
#endif

namespace reshape::conformance {

#if defined(RESHAPE_ADDRESS_SANITIZER) || defined(RESHAPE_THREAD_SANITIZER)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

// ThreadSanitizer has a thread of its own in each process.
#if defined(RESHAPE_THREAD_SANITIZER)
inline constexpr bool kThreadSanitized = true;
#else
inline constexpr bool kThreadSanitized = false;
#endif

}  // namespace reshape::conformance
