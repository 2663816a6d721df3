#pragma once

#include "conformance/self/misread.h"

// Rules that are right everywhere but on some way through the code: what a request becomes where one of
// them is not asked. Each gives a mistaken reading of what is rightly refused, or none.
namespace reshape::conformance::self {

using Reading = Misreading(const Asked& asked, const RightAnswer& right);

Reading remainder_overlooked;         // the -1 is the quotient, rounded down
Reading second_minus_one_overlooked;  // a further -1 is 1
Reading negative_overlooked;          // a value below -1 is 1
Reading past_rank_overlooked;         // a copying 0 past the rank is 1
Reading volume_overlooked;            // sizes are taken as they stand
Reading large_size_overlooked;        // a size above 2^63-1 is 2^63-1
Reading form_overlooked;              // a pattern of any form is read as a list
Reading missing_flag_overlooked;      // what is not given is false
// And of what is rightly answered.
Reading flag_overlooked;       // special_zero is the other one
Reading emptiness_overlooked;  // data without elements is refused where the output has none either
Reading plain_refusal;         // refused

// Overlooks a rule where(asked), and keeps it elsewhere.
template <Reading& Overlooked, typename Where>
void overlooks_where(reshape_plugin& table, Where) {
  misreads(table, [](const Asked& asked, const RightAnswer& right) {
    return Where{}(asked) ? Overlooked(asked, right) : Misreading::none();
  });
}

}  // namespace reshape::conformance::self
