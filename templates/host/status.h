// status: a failure, as a status and a line of text.
#pragma once
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "templates/host/message.h"
#include "templates/host/safetensors.h"

namespace alphasparse::host {

/// A fault, with the status that tells it.
struct StatusError : std::runtime_error {
  StatusError(alphasparse_status of, const std::string& text)
      : std::runtime_error(text), status(of) {}
  alphasparse_status status;
};

/// Runs `body` and turns its exceptions into a status: nothing is thrown into C.
template <class Body>
int guarded(Message& message, const char* what, Body body) {
  try {
    body();
    return alphasparse_ok;
  } catch (const BadFile& error) {
    return failed(message, alphasparse_bad_file, what, error.what());
  } catch (const StatusError& error) {
    return failed(message, error.status, what, error.what());
  } catch (const std::bad_alloc&) {
    return failed(message, alphasparse_no_memory, what, "out of host memory");
  } catch (const std::exception& error) {
    return failed(message, alphasparse_bad_file, what, error.what());
  }
}

}  // namespace alphasparse::host
