// status: a failure, as a status and a line of text.
#pragma once
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "templates/host/alphasparse_kernel.h"
#include "templates/host/safetensors.h"

namespace alphasparse::host {

/// The text of PREFIX_message. Its size is fixed: a failing spmv does not allocate either.
inline char (&message())[1024] {
  thread_local char text[1024] = "";
  return text;
}

inline int failed(alphasparse_status status, const char* what, const char* detail) {
  std::snprintf(message(), sizeof message(), "%s: %s", what, detail);
  return status;
}

/// A fault, with the status that tells it.
struct StatusError : std::runtime_error {
  StatusError(alphasparse_status of, const std::string& text)
      : std::runtime_error(text), status(of) {}
  alphasparse_status status;
};

/// Runs `body` and turns its exceptions into a status: nothing is thrown into C.
template <class Body>
int guarded(const char* what, Body body) {
  try {
    body();
    return alphasparse_ok;
  } catch (const BadFile& error) {
    return failed(alphasparse_bad_file, what, error.what());
  } catch (const StatusError& error) {
    return failed(error.status, what, error.what());
  } catch (const std::bad_alloc&) {
    return failed(alphasparse_no_memory, what, "out of host memory");
  } catch (const std::exception& error) {
    return failed(alphasparse_bad_file, what, error.what());
  }
}

}  // namespace alphasparse::host
