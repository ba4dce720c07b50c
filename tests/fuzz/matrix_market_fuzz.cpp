// matrix_market_fuzz: for any bytes, the reader gives a canonical matrix or one line of reason.
//
// The input is a file's bytes, gzip or text. Built twice: with libFuzzer, and with the driver of
// mutation_driver.cpp; its short run is a test.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "runtime/matrices/containers/text_source.h"
#include "runtime/matrices/text/matrix_market.h"

namespace alphasparse {
namespace {

/// Small, so that a size line which asks for much costs nothing.
constexpr std::int64_t memory_bytes = 1 << 20;
const std::string name = "fuzz.mtx";

void check_matrix(std::string_view text) {
  Entries entries = parse_matrix_market(text, name, {index_limit, memory_bytes});
  const std::int64_t count = entries.count();
  const std::int64_t images = entries.mirror == Mirror::none ? 1 : 2;
  CHECK(count <= static_cast<std::int64_t>(text.size()));
  const Matrix matrix = canonical(std::move(entries));
  CHECK(check_canonical(matrix).empty());
  CHECK(matrix.nnz() <= images * count);
}

}  // namespace
}  // namespace alphasparse

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace alphasparse;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    check_matrix(is_gzip(bytes) ? gunzip(bytes, name, memory_bytes) : std::string(bytes));
  } catch (const Error& error) {
    const std::string_view message = error.what();
    CHECK(error.code() == ExitCode::bad_input);
    CHECK(message.starts_with(name + ":"));
    CHECK(message.find('\n') == std::string_view::npos);
    CHECK(message.size() < 300);
  }
  return 0;
}
