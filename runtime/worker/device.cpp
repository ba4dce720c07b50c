#include "runtime/worker/device.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "runtime/system/processes/environment.h"
#include "runtime/system/processes/reaper.h"
#include "runtime/system/stopwatch.h"
#include "runtime/worker/fork_server.h"
#include "runtime/worker/server.h"
#include "runtime/worker/wire.h"

namespace alphasparse {

namespace {

/// The process, and how to speak with it.
class Worker {
 public:
  Worker(OpenDevice open, const WorkerLimits& limits)
      : open_(std::move(open)), limits_(limits), fork_server_(make_fork_server()) {}
  ~Worker() { end(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Starts it and returns the device's identity. Throws the Error of opening it.
  DeviceInfo start() {
    if (!fork_server_->is_there())
      fork_server_ = make_fork_server();  // which must not have the socket
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw worker_not_started();
    process_ = fork_server_->start(ends[1]);
    const int error = errno;
    close(ends[1]);
    socket_ = ends[0];
    if (process_ < 0) {
      errno = error;
      throw worker_not_started();
    }
    ++generation_;
    last_signal_ = 0;
    sent_.clear();
    const Result<std::vector<std::byte>> hello = wait_for_answer({}, limits_.load_seconds_max);
    if (!hello) throw environment_error(hello.reason());
    Unpacker message(*hello);
    if (message.get<bool>()) return unpack<DeviceInfo>(message);
    const auto code = message.get<ExitCode>();
    const auto text = message.get<std::string>();
    end();
    throw Error(code, text);
  }

  bool is_running() const { return process_ > 0; }

  /// Whether the last worker met an instruction that the processor does not have.
  bool ended_illegally() const { return last_signal_ == SIGILL; }

  /// The number of this worker since the first: kernels that another one has loaded are gone.
  int generation() const { return generation_; }

  /// The answer behind its first word, or why there is none; `answer_bytes` of it are copies too.
  /// After a crash the worker is gone.
  Result<std::vector<std::byte>> ask(const PackedMessage& message, const Deadline& deadline,
                                     std::size_t answer_bytes = 0) {
    if (!write_message(request_, message)) {
      const int error = errno;
      request_.clear();
      throw environment_error("the kernel cannot be handed to the device's worker", error);
    }
    if (!notify(socket_, message.size())) return how_it_ended();
    const bool loads = Unpacker(message.own).get<RequestType>() == RequestType::load;
    const double copy_seconds_max =
        static_cast<double>(message.size() + answer_bytes) / limits_.copied_bytes_per_second_min;
    Result<std::vector<std::byte>> answer = wait_for_answer(
        deadline, loads ? limits_.load_seconds_max : limits_.kernel_seconds_max, copy_seconds_max);
    request_.clear();  // the worker has read it
    if (!answer) return answer;
    Unpacker reply(*answer);
    std::string error_text;
    try {
      switch (reply.get<Answered>()) {
        case Answered::done:
          answer->erase(answer->begin(), answer->begin() + sizeof(Answered));
          return answer;
        case Answered::failed: {
          Failure failure = unpack<Failure>(reply);
          if (failure.status == Status::crash) end();
          return failure;
        }
        case Answered::error:
          error_text = reply.get<std::string>();
      }
    } catch (const std::exception&) {
      return how_it_ended();
    }
    throw environment_error(error_text);
  }

  /// Asks with cases behind `message`, and behind them the bytes that `rest` adds. Of the cases
  /// only parts that the worker lacks go over.
  Result<std::vector<std::byte>> ask_with(Packer message, std::span<const SpmvCase> cases,
                                          const Deadline& deadline, std::size_t copied_bytes,
                                          const std::function<void(Packer&)>& rest = {}) {
    sent_.pack_cases(message, cases);
    if (rest) rest(message);
    try {
      auto answer = ask(message.take(), deadline, copied_bytes);
      answer ? sent_.arrived() : sent_.lost();
      return answer;
    } catch (const std::exception&) {
      sent_.lost();
      throw;
    }
  }

 private:
  std::unique_ptr<ForkServer> make_fork_server() {
    return std::make_unique<ForkServer>([this](int socket) {
      const rlimit no_core{0, 0};
      setrlimit(RLIMIT_CORE, &no_core);
      serve_device(open_, socket, request_, answered_);
    });
  }

  Result<std::vector<std::byte>> wait_for_answer(const Deadline& deadline, double seconds_max,
                                                 double copy_seconds_max = 0) {
    std::size_t bytes = 0;
    switch (listen_for(socket_, bytes, deadline, seconds_max + copy_seconds_max)) {
      case Heard::message:
        return answered_.read(bytes);
      case Heard::end:
        return how_it_ended();
      case Heard::nothing:
        break;
    }
    const bool hangs = !deadline.over();
    end();
    if (!hangs) return Failure{Status::timeout, "was not done when the budget ended"};
    const std::string copies =
        copy_seconds_max < 0.05 ? "" : fmt::format(" and {:.1f} s for copies", copy_seconds_max);
    return Failure{Status::timeout,
                   fmt::format("no answer within {:g} s{}; {}", seconds_max, copies,
                               left_.empty() ? "the device's worker was ended" : left_)};
  }

  /// Takes leave of a worker that has ended by itself. Throws environment_error where the kernel
  /// did not end it: it does not call exit, and sends no signal.
  Failure how_it_ended() {
    const int status = end();
    const int code = WEXITSTATUS(status);
    if (WIFEXITED(status) && code > no_answer_status && fork_server_->is_there())
      throw environment_error("the device's worker cannot answer", code - no_answer_status);
    if (!left_.empty()) return Failure{Status::crash, left_};
    std::string how = fmt::format("exit status {}", code);
    bool by_kernel = false;
    if (!fork_server_->is_there()) {
      how = "the end of the process that had started it";
    } else if (WIFSIGNALED(status)) {
      last_signal_ = WTERMSIG(status);
      how = fmt::format("signal {} ({})", last_signal_, strsignal(last_signal_));
      by_kernel = is_own_signal(last_signal_);
    }
    const std::string text = fmt::format("the device's worker was ended by {}", how);
    if (by_kernel) return Failure{Status::crash, text};
    throw environment_error(text + "; give it memory, threads and time (ulimit -a)");
  }

  /// Ends the worker, if it has not ended, and waits for it: nothing is left of it. Returns how it
  /// ended, as wait does.
  int end() {
    const pid_t ended = process_;
    const int status = end_process();
    if (ended > 0) {
      end_groups(ended);  // compilers, and the processes that they have started
      forget_group(ended);
    }
    return status;
  }

  int end_process() {
    int status = 0;
    left_.clear();
    if (socket_ >= 0) {
      shutdown(socket_, SHUT_RDWR);  // other devices' fork servers may have it too
      close(socket_);
    }
    socket_ = -1;
    if (process_ <= 0) return status;
    // A worker that is ending by itself gets time to report its end; its end of the socket is
    // closed already then.
    if (!ends_within(0.05, status) && fork_server_->is_there()) {
      kill(-process_, SIGKILL);
      kill(process_, SIGKILL);  // it may not lead a group of its own yet
      if (!ends_within(limits_.end_seconds_max, status)) {
        left_ = fmt::format(
            "the device's worker, process {}, was left: it has not ended within {:g} s of SIGKILL",
            process_, limits_.end_seconds_max);
      }
    }
    process_ = -1;
    return status;
  }

  /// Also true where the fork server has gone: the worker has gone with it, and its number may be
  /// another's.
  bool ends_within(double seconds, int& status) {
    const Stopwatch clock;
    while (fork_server_->is_there() && fork_server_->wait(process_, &status, WNOHANG) == 0) {
      if (clock.seconds() >= seconds) return false;
      usleep(2000);
    }
    return true;
  }

  OpenDevice open_;
  WorkerLimits limits_;
  SharedMemory request_, answered_;
  std::unique_ptr<ForkServer> fork_server_;
  SentBytes sent_;
  pid_t process_ = -1;
  int socket_ = -1;
  int generation_ = 0;
  std::string left_;     ///< says that the last one does not end; empty: it has ended
  int last_signal_ = 0;  ///< that ended a worker; 0: it runs, or ended otherwise
};

/// A worker, the messages to it, and the listener that is told of kernels that are not for this
/// processor.
struct Owner {
  std::shared_ptr<Worker> worker;
  std::shared_ptr<Deadline> deadline = std::make_shared<Deadline>();
  IllegalInstruction illegal;

  Failure failed(const Failure& failure, const Kernel& kernel) const {
    if (illegal && worker->ended_illegally()) illegal(kernel);
    return failure;
  }
};

/// A kernel that the worker has loaded.
class RemoteKernel : public LoadedKernel {
 public:
  RemoteKernel(const Owner& owner, std::int64_t number, const Kernel& kernel)
      : owner_(owner), kernel_(kernel), number_(number), generation_(owner.worker->generation()) {
    for (const Array& array : kernel.arrays)
      replaced_bytes_ += array.value_source.size() * sizeof(std::int32_t);
  }

  ~RemoteKernel() override {
    if (!is_there()) return;
    try {
      (void)owner_.worker->ask(message(RequestType::unload).take(), {});
    } catch (const std::exception&) {  // the next question shows it
    }
  }

  Result<std::vector<SpmvOutcome>> run(std::span<const SpmvCase> cases) override {
    if (!is_there()) return gone();
    Packer packed = message(RequestType::run);
    std::size_t copied_bytes = 0;  // beside the message
    bool replaces = false;
    for (const SpmvCase& input : cases) {
      copied_bytes += input.y.size();
      replaces = replaces || !input.integers.empty();
    }
    if (replaces) copied_bytes += replaced_bytes_;
    const auto answer =
        owner_.worker->ask_with(std::move(packed), cases, *owner_.deadline, copied_bytes);
    if (!answer) return owner_.failed(answer.failure(), kernel_);
    Unpacker reply(*answer);
    std::vector<SpmvOutcome> outcomes;
    reply.list(outcomes, [&](SpmvOutcome& outcome) { reply(outcome.y, outcome.device_seconds); });
    return outcomes;
  }

  Result<Timing> time(const SpmvCase& input, const TimingRequest& request) override {
    if (!is_there()) return gone();
    Packer packed = message(RequestType::time);
    const auto rest = [&](Packer& message) {
      message(request.regime, request.incumbent_us, request.samples_max);
    };
    const auto answer =
        owner_.worker->ask_with(std::move(packed), {&input, 1}, *owner_.deadline, 0, rest);
    if (!answer) return owner_.failed(answer.failure(), kernel_);
    Unpacker reply(*answer);
    return unpack<Timing>(reply);
  }

  /// The worker has them.
  StillRead still_reads() const override { return StillRead::nothing; }

  Result<std::vector<double>> sample(int count) override {
    if (!is_there()) return gone();
    Packer packed = message(RequestType::sample);
    packed(count);
    const auto answer = owner_.worker->ask(packed.take(), *owner_.deadline);
    if (!answer) return owner_.failed(answer.failure(), kernel_);
    Unpacker reply(*answer);
    std::vector<double> samples;
    reply.list(samples, [&](double& us) { reply(us); });
    return samples;
  }

 private:
  Packer message(RequestType ask) const {
    Packer packer = Packer::referring();
    packer(ask);
    packer(number_);
    return packer;
  }

  bool is_there() const {
    return owner_.worker->is_running() && owner_.worker->generation() == generation_;
  }

  static Failure gone() {
    return {Status::crash, "the device's worker that had loaded the kernel has ended"};
  }

  Owner owner_;
  const Kernel& kernel_;
  std::int64_t number_;
  int generation_;
  std::size_t replaced_bytes_ = 0;  ///< that replacing its values takes to the device
};

class WorkerDevice : public Device {
 public:
  WorkerDevice(OpenDevice open, const WorkerLimits& limits, IllegalInstruction illegal)
      : owner_{std::make_shared<Worker>(std::move(open), limits), std::make_shared<Deadline>(),
               std::move(illegal)},
        info_(owner_.worker->start()) {}

  const DeviceInfo& info() const override { return info_; }

  Result<std::unique_ptr<LoadedKernel>> load(const Kernel& kernel) override {
    if (!owner_.worker->is_running()) owner_.worker->start();
    Packer packed = Packer::referring();
    packed(RequestType::load);
    pack(packed, kernel);
    const auto answer = owner_.worker->ask(packed.take(), *owner_.deadline);
    if (!answer) return owner_.failed(answer.failure(), kernel);
    Unpacker reply(*answer);
    const auto number = reply.get<std::int64_t>();
    return std::unique_ptr<LoadedKernel>(std::make_unique<RemoteKernel>(owner_, number, kernel));
  }

  void set_deadline(const Deadline& deadline) override { *owner_.deadline = deadline; }

 private:
  Owner owner_;
  DeviceInfo info_;
};

}  // namespace

WorkerLimits worker_limits() {
  WorkerLimits limits;
  const char* const named = std::getenv("ALPHASPARSE_KERNEL_SECONDS");
  if (named == nullptr || *named == '\0') return limits;
  const char* const end = named + std::strlen(named);
  const auto parsed = std::from_chars(named, end, limits.kernel_seconds_max);
  const bool is_number = parsed.ec == std::errc() && parsed.ptr == end;
  if (!is_number || !std::isfinite(limits.kernel_seconds_max) || limits.kernel_seconds_max <= 0) {
    throw Error(
        fmt::format("ALPHASPARSE_KERNEL_SECONDS wants a positive number, not \"{}\"", named));
  }
  return limits;
}

std::unique_ptr<Device> open_worker_device(OpenDevice open, const WorkerLimits& limits,
                                           IllegalInstruction illegal) {
  return std::make_unique<WorkerDevice>(std::move(open), limits, std::move(illegal));
}

}  // namespace alphasparse
