#include "runtime/worker/server.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <optional>

#include "runtime/system/processes/environment.h"
#include "runtime/worker/wire.h"

namespace alphasparse {

namespace {

constexpr int gone = 0;    // the owner has closed its end
constexpr int broken = 2;  // the device is of no use any more

class Server {
 public:
  Server(Device& device, int socket, SharedMemory& request, SharedMemory& answered)
      : device_(device), socket_(socket), request_(request), answered_(answered) {}

  [[noreturn]] void serve() {
    for (;;) {
      std::size_t bytes = 0;
      if (listen_for(socket_, bytes) != Heard::message) _exit(gone);
      const std::optional<Failure> failure = answer_or_error(bytes);
      if (failure) {
        reply_ = {};
        reply_(Answered::failed);
        pack(reply_, *failure);
      }
      const PackedMessage reply = reply_.take();
      if (!write_message(answered_, reply) || !notify(socket_, reply.size()))
        _exit(no_answer_status + errno);
      outcomes_.clear();
      if (failure && failure->status == Status::crash) _exit(broken);
    }
  }

 private:
  /// Likewise; an exception is no kernel's fault.
  std::optional<Failure> answer_or_error(std::size_t bytes) {
    std::string error_text;
    try {
      return answer(bytes);
    } catch (const std::bad_alloc&) {
      error_text = host_memory_error("the worker has no memory left").what();
    } catch (const std::exception& error) {
      error_text = error.what();
    }
    reply_ = {};
    reply_(Answered::error);
    reply_(error_text);
    return std::nullopt;
  }

  /// Fills `reply_`, or says why not.
  std::optional<Failure> answer(std::size_t bytes) {
    reply_ = {};
    reply_(Answered::done);
    message_.emplace(request_, bytes);
    Unpacker request(message_->bytes());
    switch (request.get<RequestType>()) {
      case RequestType::load:
        return load(request);
      case RequestType::unload:
        loaded_.erase(request.get<std::int64_t>());
        return std::nullopt;
      case RequestType::run:
        return run(request);
      case RequestType::time:
        return time(request);
      case RequestType::sample:
        return sample(request);
    }
    throw environment_error("the worker got a request of an unknown type");
  }

  std::optional<Failure> load(Unpacker& request) {
    Entry entry{std::make_unique<Kernel>(unpack<Kernel>(request)), nullptr};
    give_up_message();
    auto kernel = device_.load(*entry.kernel);
    if (!kernel) return kernel.failure();
    entry.loaded = std::move(*kernel);
    give_up_entries(*entry.kernel, *entry.loaded);
    reply_(++last_);
    loaded_[last_] = std::move(entry);
    return std::nullopt;
  }

  std::optional<Failure> run(Unpacker& request) {
    LoadedKernel& kernel = *loaded_.at(request.get<std::int64_t>()).loaded;
    const std::vector<SpmvCase> cases = kept_.unpack_cases(request);
    give_up_message();
    Result<std::vector<SpmvOutcome>> outcomes = kernel.run(cases);
    if (!outcomes) return outcomes.failure();
    outcomes_ = std::move(*outcomes);
    reply_ = Packer::referring();
    reply_(Answered::done);
    reply_.list(outcomes_,
                [&](const SpmvOutcome& outcome) { reply_(outcome.y, outcome.device_seconds); });
    return std::nullopt;
  }

  std::optional<Failure> time(Unpacker& request) {
    LoadedKernel& kernel = *loaded_.at(request.get<std::int64_t>()).loaded;
    const std::vector<SpmvCase> inputs = kept_.unpack_cases(request);
    const auto regime = request.get<CacheRegime>();
    const auto incumbent_us = request.get<double>();
    const int samples = request.get<int>();
    give_up_message();
    const auto timing = kernel.time(inputs.at(0), {regime, incumbent_us, samples});
    if (!timing) return timing.failure();
    pack(reply_, *timing);
    return std::nullopt;
  }

  std::optional<Failure> sample(Unpacker& request) {
    LoadedKernel& kernel = *loaded_.at(request.get<std::int64_t>()).loaded;
    const auto samples = kernel.sample(request.get<int>());
    if (!samples) return samples.failure();
    reply_.list(*samples, [&](double us) { reply_(us); });
    return std::nullopt;
  }

  /// The device needs its room: vectors may take most of the memory.
  void give_up_message() {
    message_.reset();
    request_.clear();
  }

  /// The kernel must outlive its loaded form.
  struct Entry {
    std::unique_ptr<Kernel> kernel;
    std::unique_ptr<LoadedKernel> loaded;
  };

  Device& device_;
  int socket_;
  SharedMemory& request_;
  SharedMemory& answered_;
  std::optional<SharedView> message_;  ///< that is being answered
  std::vector<SpmvOutcome> outcomes_;  ///< to which the reply refers
  Packer reply_;
  KeptBytes kept_;
  std::map<std::int64_t, Entry> loaded_;
  std::int64_t last_ = 0;
};

/// The first message: the device's identity, or the error that opening it ended with.
std::unique_ptr<Device> introduce(const OpenDevice& open, int socket, SharedMemory& answered) {
  std::unique_ptr<Device> device;
  Packer hello;
  try {
    device = open();
    hello(true);
    pack(hello, device->info());
  } catch (const Error& error) {
    hello(false);
    hello(error.code());
    hello(std::string(error.what()));
  } catch (const std::exception& error) {  // no memory, no thread
    hello(false);
    hello(ExitCode::no_device);
    hello(
        fmt::format("the device's worker cannot begin: {}; end other programs, or raise the limits "
                    "(ulimit -a)",
                    error.what()));
  }
  const PackedMessage message = hello.take();
  if (!write_message(answered, message) || !notify(socket, message.size()))
    _exit(no_answer_status + errno);
  return device;
}

}  // namespace

void serve_device(const OpenDevice& open, int socket, SharedMemory& request,
                  SharedMemory& answered) {
  const std::unique_ptr<Device> device = introduce(open, socket, answered);
  if (!device) _exit(gone);
  Server(*device, socket, request, answered).serve();
}

}  // namespace alphasparse
