#include "base/time_limit.h"

namespace alphasparse {

namespace {

thread_local const TimeLimit::IsOver* limit_set = nullptr;

}  // namespace

TimeLimit::TimeLimit(const IsOver* is_over) : before_(limit_set) { limit_set = is_over; }
TimeLimit::~TimeLimit() { limit_set = before_; }

const TimeLimit::IsOver* TimeLimit::thread_limit() { return limit_set; }

void end_if_over() {
  if (limit_set && (*limit_set)()) throw TimeOver();
}

}  // namespace alphasparse
