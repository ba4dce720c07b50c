#include "tests/support/sanitized_cpu.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <type_traits>

#include "runtime/compilers/host_compiler.h"
#include "runtime/compilers/shared_objects.h"
#include "runtime/cpu/device.h"
#include "runtime/system/processes/child_process.h"
#include "tests/support/files.h"

namespace alphasparse {

namespace {

constexpr double seconds_max = 120;

/// The input of tests/kernels/cpu_driver.cpp.
class Cases {
 public:
  template <class T>
  void add(T number) {
    static_assert(std::is_arithmetic_v<T>);
    text_.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  void add_bytes(const std::byte* bytes, std::size_t count) {
    add(count);
    if (count > 0) text_.append(reinterpret_cast<const char*>(bytes), count);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class SanitizedKernel : public LoadedKernel {
 public:
  SanitizedKernel(const Kernel& kernel, const SanitizedCpu& how) : kernel_(kernel), how_(how) {}

  std::optional<Failure> compile() {
    std::string program = cpu_program(kernel_);
    if (const auto& [from, to] = how_.planted; !from.empty()) {
      const std::size_t at = program.find(from);
      CHECK(at != std::string::npos && program.find(from, at + 1) == std::string::npos);
      program.replace(at, from.size(), to);
    }
    set_contents(folder_ / "kernel.cpp", program + source_text("tests/kernels/cpu_driver.cpp"));
    std::vector<std::string> command = find_host_compiler(CompilerUse::cpu).command;
    const auto add = [&](const std::vector<std::string>& flags) {
      command.insert(command.end(), flags.begin(), flags.end());
    };
    add(shared_object_flags());
    if (how_.sanitizers == Sanitizers::thread) {
      add({"-O1", "-g1", "-fsanitize=thread"});
    } else {  // twice as fast to compile, and nothing that is not defined is optimised away
      add({"-O0", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"});
    }
    add(how_.flags);
    add({"-o", (folder_ / "kernel").string(), (folder_ / "kernel.cpp").string()});
    const ChildResult answer = run_child(command, options());
    if (answer.succeeded()) return std::nullopt;
    return Failure{Status::compile_error, answer.how_it_ended() + "\n" + answer.errors};
  }

  Result<std::vector<SpmvOutcome>> run(std::span<const SpmvCase> cases) override {
    set_contents(folder_ / "cases", text_of(cases));
    const ChildResult answer = run_child(
        {(folder_ / "kernel").string(), (folder_ / "cases").string(), (folder_ / "y").string()},
        options());
    if (!answer.succeeded()) {
      return Failure{Status::launch_error, answer.how_it_ended() + "\n" + answer.errors};
    }
    const std::string results = contents(folder_ / "y");
    std::vector<SpmvOutcome> outcomes;
    std::size_t at = 0;
    for (const SpmvCase& one : cases) {
      SpmvOutcome& outcome = outcomes.emplace_back();
      outcome.y.resize(one.y.size());
      CHECK(at + one.y.size() <= results.size());
      if (one.y.size() > 0) std::memcpy(outcome.y.data(), results.data() + at, one.y.size());
      at += one.y.size();
    }
    CHECK(at == results.size());
    return outcomes;
  }

  Result<Timing> time(const SpmvCase&, const TimingRequest&) override {
    return Failure{Status::launch_error, "sanitizers take time of their own"};
  }

 private:
  static ChildOptions options() {
    ChildOptions options;
    options.seconds_max = seconds_max;
    return options;
  }

  std::string text_of(std::span<const SpmvCase> cases) const {
    Cases text;
    text.add(how_.threads);
    const std::vector<FormatPointer> pointers = kernel_.pointers();
    text.add(pointers.size());
    for (const FormatPointer& pointer : pointers) {
      const std::byte nan{0xff}, zero{0};
      const bool is_value = !pointer.array || pointer.array->is_value();
      std::vector<std::byte> bytes;
      if (pointer.array) bytes = pointer.array->bytes;
      const auto own =
          pointer.array ? bytes.size() : static_cast<std::size_t>(pointer.workspace->bytes());
      bytes.resize(own + how_.slack, is_value ? nan : zero);
      text.add_bytes(bytes.data(), bytes.size());
    }
    text.add(static_cast<int>(cases.size()));
    for (const SpmvCase& one : cases) add_case(text, one, pointers);
    return text.text();
  }

  /// Adds a case with the values of every array, which are those of the case before or others.
  static void add_case(Cases& text, const SpmvCase& one,
                       const std::vector<FormatPointer>& pointers) {
    const auto is_value = [](const FormatPointer& pointer) {
      return pointer.array && pointer.array->is_value();
    };
    text.add(static_cast<std::size_t>(std::count_if(pointers.begin(), pointers.end(), is_value)));
    for (std::size_t i = 0; i < pointers.size(); ++i) {
      if (!is_value(pointers[i])) continue;
      const Array& array = *pointers[i].array;
      const auto bytes = one.integers.empty() ? array.bytes : make_values(array, one.integers);
      text.add(i);
      text.add_bytes(bytes.data(), bytes.size());
    }
    for (const Number& factor : {one.scaling.alpha, one.scaling.beta}) {
      text.add(factor.re);
      text.add(factor.im);
    }
    text.add_bytes(one.x.data(), one.x.size());
    text.add_bytes(one.y.data(), one.y.size());
  }

  const Kernel& kernel_;
  const SanitizedCpu how_;
  const TestFolder folder_;
};

class SanitizedDevice : public Device {
 public:
  explicit SanitizedDevice(const SanitizedCpu& how) : how_(how), info_(cpu_device_info(1)) {
    info_.threads = how.threads;
    info_.name = "cpu:" + std::to_string(how.threads);
  }

  const DeviceInfo& info() const override { return info_; }

  Result<std::unique_ptr<LoadedKernel>> load(const Kernel& kernel) override {
    auto loaded = std::make_unique<SanitizedKernel>(kernel, how_);
    if (auto fault = loaded->compile()) return *fault;
    return std::unique_ptr<LoadedKernel>(std::move(loaded));
  }

 private:
  const SanitizedCpu how_;
  DeviceInfo info_;
};

}  // namespace

std::unique_ptr<Device> open_sanitized_cpu(const SanitizedCpu& how) {
  return std::make_unique<SanitizedDevice>(how);
}

}  // namespace alphasparse
