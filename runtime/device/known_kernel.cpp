#include "runtime/device/known_kernel.h"

#include <fmt/format.h>

#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <span>
#include <vector>

#include "generator/text/fragment_text.h"
#include "runtime/system/processes/environment.h"
#include "templates/templates.h"

namespace alphasparse {

namespace {

constexpr const char* known_design = "known kernel";
constexpr int known_rows = 70;  // more than two warps
constexpr int known_block = 32;

struct KnownCsr {
  std::vector<std::int32_t> row_first = {0}, column;
  std::vector<float> value;
};

/// Rows of 0 to 3 entries.
KnownCsr known_matrix() {
  KnownCsr csr;
  for (int row = 0; row < known_rows; ++row) {
    for (int k = 0; k < row % 4; ++k) {
      csr.column.push_back((row + 5 * k) % known_rows);
      csr.value.push_back(static_cast<float>(1 + (row + k) % 7));
    }
    csr.row_first.push_back(static_cast<std::int32_t>(csr.column.size()));
  }
  return csr;
}

template <class T>
std::vector<std::byte> copy_bytes(const std::vector<T>& entries) {
  const auto bytes = std::as_bytes(std::span(entries));
  return {bytes.begin(), bytes.end()};
}

template <class T>
Array known_array(const char* name, ElementType type, const std::vector<T>& entries) {
  Array array;
  array.name = name;
  array.type = type;
  array.count = static_cast<std::int64_t>(entries.size());
  array.bytes = copy_bytes(entries);
  return array;
}

SpmvCase known_case() {
  std::vector<float> x(known_rows), y(known_rows);
  for (int row = 0; row < known_rows; ++row) {
    x[row] = static_cast<float>(row % 9 - 4);
    y[row] = static_cast<float>(row % 5);
  }
  SpmvCase input;
  input.name = known_design;
  input.x = copy_bytes(x);
  input.y = copy_bytes(y);
  input.scaling = {2, -1};
  return input;
}

/// In integers, so exact.
std::vector<float> known_result() {
  const KnownCsr csr = known_matrix();
  std::vector<float> y(known_rows);
  for (int row = 0; row < known_rows; ++row) {
    float sum = 0;
    for (int nz = csr.row_first[row]; nz < csr.row_first[row + 1]; ++nz)
      sum += csr.value[nz] * static_cast<float>(csr.column[nz] % 9 - 4);
    y[row] = 2 * sum - static_cast<float>(row % 5);
  }
  return y;
}

/// The fault, if there is one.
std::optional<std::string> find_trouble(Device& device) {
  const Kernel kernel = known_kernel(device.info().target);
  const auto loaded = device.load(kernel);
  if (!loaded) return loaded.reason();
  const SpmvCase input = known_case();
  const auto outcomes = (*loaded)->run({&input, 1});
  if (!outcomes) return outcomes.reason();
  const std::vector<float> expected = known_result();
  const std::vector<std::byte>& y = outcomes->front().y;
  if (y.size() != known_rows * sizeof(float) ||
      std::memcmp(y.data(), expected.data(), y.size()) != 0)
    return "its result is wrong";
  constexpr int few = 1;
  const auto timing = (*loaded)->time(input, {CacheRegime::warm, 0, few});
  return timing ? std::nullopt : std::optional(timing.reason());
}

}  // namespace

Kernel known_kernel(Target target) {
  KnownCsr csr = known_matrix();
  Kernel kernel;
  kernel.design = known_design;
  kernel.target = target;
  kernel.rows = kernel.cols = known_rows;
  kernel.nnz = static_cast<std::int64_t>(csr.column.size());
  kernel.arrays = {known_array("row_first", ElementType::i32, csr.row_first),
                   known_array("column", ElementType::i32, csr.column),
                   known_array("value", ElementType::f32, csr.value)};
  for (std::int32_t nz = 0; nz < kernel.nnz; ++nz) kernel.arrays.back().value_source.push_back(nz);
  if (target == Target::cpu) {
    kernel.launches = {{"known", known_rows, 0}};
    kernel.source = fragment_text({"prelude", "part"}, default_dtype, Target::cpu) +
                    fmt::format("constexpr int ROWS = {};\n", known_rows) +
                    std::string(template_text("session/known.h"));
  } else {
    kernel.launches = {{"known", (known_rows + known_block - 1) / known_block, known_block}};
    kernel.source =
        fmt::format("constexpr int ROWS = {}, THREADS = {};\n", known_rows, known_block) +
        std::string(template_text("fragments/prelude.cuh")) +
        std::string(template_text("session/known.cuh"));
  }
  return kernel;
}

bool is_known_kernel(const Kernel& kernel) { return kernel.design == known_design; }

void check_device(Device& device) {
  device.set_deadline({});
  const auto make_error = [&](const std::string& reason) {
    return environment_error(fmt::format("{} does not work: {}", device.info().name, reason));
  };
  std::optional<std::string> trouble;
  try {
    trouble = find_trouble(device);
  } catch (const std::bad_alloc&) {
    trouble = host_memory_error("a known kernel does not fit").what();
  } catch (const std::exception& error) {
    throw make_error(error.what());
  }
  if (trouble)
    throw make_error(fmt::format("a kernel that is known to be right fails: {}", *trouble));
}

}  // namespace alphasparse
