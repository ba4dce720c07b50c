#include "base/result.h"

#include <cstdio>
#include <cstdlib>

namespace alphasparse {

const char* status_name(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::compile_error:
      return "compile_error";
    case Status::launch_error:
      return "launch_error";
    case Status::timeout:
      return "timeout";
    case Status::wrong_result:
      return "wrong_result";
    case Status::crash:
      return "crash";
    case Status::out_of_memory:
      return "out_of_memory";
    case Status::pruned:
      return "pruned";
    case Status::duplicate:
      return "duplicate";
  }
  CHECK(!"a status without a name");
}

void check_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "alphasparse: internal error at %s:%d: CHECK(%s)\n", file, line, expression);
  std::abort();
}

}  // namespace alphasparse
