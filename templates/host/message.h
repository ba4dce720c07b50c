// message: the line of text by which a call tells why it failed.
#pragma once
#include <cstdio>

#include "templates/host/alphasparse_kernel.h"

namespace alphasparse::host {

/// Its size is fixed: a failing spmv does not allocate either.
struct Message {
  char text[1024];
};

/// Leaves "what: detail" in the message; gives the status.
inline int failed(Message& message, alphasparse_status status, const char* what,
                  const char* detail) {
  std::snprintf(message.text, sizeof message.text, "%s: %s", what, detail);
  return status;
}

}  // namespace alphasparse::host
