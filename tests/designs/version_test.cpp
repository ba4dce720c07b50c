// version: the generator's number (base/version.h) against its meaning. That is the file and the
// arrays of every golden design, and the cases that a kernel must pass before it counts as right.
//
// tests/golden/versions.txt has a line for each number with the hash of all that, in the order of
// the numbers. UPDATE_GOLDEN=1 adds the line of a new one. It changes no line of a
// released one.
#include "base/version.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "generator/text/runtime_header.h"
#include "generator/text/standalone.h"
#include "runtime/device/verify.h"
#include "runtime/system/files/content_key.h"
#include "tests/support/battery.h"
#include "tests/support/files.h"
#include "tests/support/goldens.h"

namespace alphasparse {
namespace {

std::string_view text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<float> floats(const std::vector<std::byte>& bytes) {
  std::vector<float> numbers(bytes.size() / sizeof(float));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

/// Adds up the rows of a float kernel with one canonical value array, and keeps the cases that it
/// was asked.
class Listener : public LoadedKernel {
 public:
  Listener(const Kernel& kernel, const Matrix& matrix) : kernel_(kernel), matrix_(matrix) {}

  Result<std::vector<SpmvOutcome>> run(std::span<const SpmvCase> cases) override {
    std::vector<SpmvOutcome> outcomes;
    for (const SpmvCase& input : cases) {
      note(input);
      outcomes.push_back({answer(input)});
    }
    return outcomes;
  }

  Result<Timing> time(const SpmvCase&, const TimingRequest&) override { return Timing(); }

  std::string request() const { return asked_.text(); }

 private:
  void note(const SpmvCase& input) {
    asked_.add(input.name);
    if (!input.integers.empty()) asked_.add(text_of(values(input)));
    asked_.add(text_of(input.x));
    asked_.add(text_of(input.y));
    asked_.add(std::to_string(input.scaling.alpha.re) + " " +
               std::to_string(input.scaling.beta.re));
  }

  std::vector<std::byte> answer(const SpmvCase& input) const {
    const std::vector<float> numbers = floats(values(input));
    const std::vector<float> x = floats(input.x);
    std::vector<float> y = floats(input.y);
    for (std::int32_t row = 0; row < matrix_.rows; ++row) {
      double sum = 0;
      for (std::int32_t nz = matrix_.row_first[row]; nz < matrix_.row_first[row + 1]; ++nz)
        sum += static_cast<double>(numbers[nz]) * x[matrix_.col[nz]];
      y[row] = static_cast<float>(input.scaling.scaled(sum, y[row]));
    }
    std::vector<std::byte> bytes(y.size() * sizeof(float));
    std::memcpy(bytes.data(), y.data(), bytes.size());
    return bytes;
  }

  std::vector<std::byte> values(const SpmvCase& input) const {
    const auto array = std::find_if(kernel_.arrays.begin(), kernel_.arrays.end(),
                                    [](const Array& one) { return one.is_value(); });
    return input.integers.empty() ? array->bytes : make_values(*array, input.integers);
  }

  const Kernel& kernel_;
  const Matrix& matrix_;
  ContentKey asked_;
};

std::string hash_of_what_is_asked() {
  const Golden golden = goldens().front();
  EXPECT_TRUE(golden.file.starts_with("csr-scalar-")) << "whose values are in canonical order";
  const Matrix matrix = battery_matrix(golden.matrix);
  const Kernel kernel = kernel_of({golden.file, golden.matrix, golden.design, Dtype::f32}).value();
  Listener listener(kernel, matrix);
  const Result<VerifyReport> report = verify(kernel, listener, matrix);
  EXPECT_TRUE(report.ok()) << report.reason();
  return listener.request();
}

/// NAME.cu, or NAME.cpu.cpp, as it would be of any version and release.
std::string file_of(const Kernel& kernel) {
  StandaloneInfo info;
  info.name = info.matrix = "m";
  info.generator_version = info.release = "";
  return standalone_source(kernel, info) + shared_source(kernel, info);
}

std::string hash_of_all() {
  ContentKey key;
  for (const Golden& golden : goldens()) {
    const Kernel kernel = kernel_of(golden).value();
    key.add(file_of(kernel));
    for (const Array& array : kernel.arrays) {
      key.add(array.name);
      key.add(text_of(array.bytes));
    }
  }
  for (const Golden& golden : cpu_goldens()) {
    const Kernel kernel = kernel_of(golden).value();
    key.add(file_of(kernel));
    for (const Array& array : kernel.arrays) {
      key.add(array.name);
      key.add(text_of(array.bytes));
    }
  }
  key.add(runtime_header(""));
  key.add(hash_of_what_is_asked());
  return key.text();
}

/// Number -> hash.
std::map<std::string, std::string> known_versions(const std::string& path) {
  std::map<std::string, std::string> known;
  std::istringstream lines(contents(path));
  for (std::string number, hash; lines >> number >> hash;) known[number] = hash;
  return known;
}

TEST(Version, StandsForWhatIsEmittedLaidOutAndVerified) {
  const std::string path = ALPHASPARSE_SOURCE_DIR "/tests/golden/versions.txt";
  const std::string hash = hash_of_all();
  if (std::getenv("UPDATE_GOLDEN") && !known_versions(path).contains(generator_version)) {
    std::ofstream(path, std::ios::app) << generator_version << " " << hash << "\n";
  }
  const std::map<std::string, std::string> known = known_versions(path);
  ASSERT_TRUE(known.contains(generator_version))
      << path << " has no line for it; UPDATE_GOLDEN=1 adds it";
  EXPECT_EQ(known.at(generator_version), hash)
      << "emitted text, a layout or what is verified has changed: raise generator_version in "
         "base/version.h, then UPDATE_GOLDEN=1";
}

TEST(Version, HearsWhatVerificationAsks) {
  EXPECT_EQ(hash_of_what_is_asked(), hash_of_what_is_asked());
}

}  // namespace
}  // namespace alphasparse
