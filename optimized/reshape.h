#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "optimized/execute.h"
#include "optimized/plan.h"
#include "optimized/resolve.h"
#include "optimized/sentence.h"
#include "optimized/thread_pool.h"
#include "reference/tensor/element_type.h"

namespace reshape::optimized {

// Appends why an answer gives no shape: the clause, the data's sizes and the pattern.
template <typename Value>
void append_refusal(Sentence& why, const Resolved& answer, std::span<const std::int64_t> data,
                    ElementType pattern_type, std::span<const Value> pattern) {
  const bool open = answer.kind == Resolved::Kind::open;
  why.append(std::string_view(id(answer.clause)));
  why.append(std::string_view(open ? ": the document leaves it open what data " : ": data "));
  append_list(why, data);
  why.append(std::string_view(open ? " becomes by " : " cannot become "));
  why.append(name(pattern_type));
  append_list(why, pattern);
}

// How a run of a plan ended.
enum class Ran : std::uint8_t {
  copied,
  in_place,  // every element already lay where it belongs: nothing was done
  overlap,   // the two sides overlap, and elements would have to move within them: nothing was done
  no_buffer,  // a tensor with elements has a null base: nothing was done
};

// Runs a plan on buffers; a plan may be run any number of times, on other buffers each time, and by
// several threads at once. The bases are the addresses that the plan's layouts count from; they may
// be null when the tensors are empty. `pool` may be null: then the caller's thread does it all.
// Nothing outside the elements of the output is written.
//
// Where the bytes of the two sides overlap, nothing is written, and the run ends as `overlap`, or
// as `in_place` where every element already lies where it belongs. Sides whose ranges of bytes
// overlap count as overlapping, even where they take different elements of them. A view is never
// run: there is nothing to do.
Ran run(const CopyPlan& plan, const std::byte* read_base, std::byte* write_base, ThreadPool* pool);

// The same on the caller's thread, with `copy`, prepared from plan.nest. Precondition: the plan has
// no seams.
Ran run(const CopyPlan& plan, const PreparedCopy& copy, const std::byte* read_base,
        std::byte* write_base);

// Copies one contiguous side to the other with memcpy, without a plan. False, with nothing done,
// where the sides overlap, differ in volume, have no buffer, hold more than 32 KiB, or are of a
// 4-bit type. Precondition: look_at() was called on both sides, and both are one stretch.
bool run_stretch(ElementType type, const Side& data, const Side& output, const std::byte* read_base,
                 std::byte* write_base);

}  // namespace reshape::optimized
