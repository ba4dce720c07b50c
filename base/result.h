// result: the three kinds of failure - a reason to try the next candidate, an error for a person, a
// bug of ours.
//
//   Result<T>   a value, or the reason why there is none; the search goes on with the next
//   candidate. Error       thrown where a person must act; caught once, in the command line's main.
//   CHECK       aborts with the expression: we are wrong.
#pragma once
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace alphasparse {

/// Why a candidate ended where it did; stored with every measurement.
enum class Status {
  ok,
  compile_error,
  launch_error,
  timeout,
  wrong_result,
  crash,
  out_of_memory,
  pruned,
  duplicate,
};

const char* status_name(Status status);

/// Why there is no value.
struct Failure {
  Status status = Status::pruned;
  std::string reason;  ///< one line, without a full stop
};

/// A value or a Failure.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Failure failure) : state_(std::in_place_index<1>, std::move(failure)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  /// The value. Asking a failed result for it aborts (std::bad_variant_access).
  T& value() { return std::get<0>(state_); }
  const T& value() const { return std::get<0>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Failure& failure() const { return std::get<1>(state_); }
  const std::string& reason() const { return failure().reason; }

 private:
  std::variant<T, Failure> state_;
};

/// The command line's exit codes.
enum class ExitCode {
  ok = 0,
  bad_input = 2,         ///< usage, bad input or an illegal design
  nothing_verified = 3,  ///< no candidate gave verified results
  no_device = 4,         ///< a device or a toolchain is missing
  database = 5,
};

/// A fault that a person must mend. It names the problem, the place and the remedy, in one line.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& text) : std::runtime_error(text), code_(code) {}
  explicit Error(const std::string& text) : Error(ExitCode::bad_input, text) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

[[noreturn]] void check_failed(const char* expression, const char* file, int line);

#define CHECK(expression) \
  ((expression) ? void(0) : ::alphasparse::check_failed(#expression, __FILE__, __LINE__))

}  // namespace alphasparse
