// format_file_fuzz: for any bytes of a format file, read_format_file gives a consistent format, or
// one line of reason. Above all this is about its metadata, which describe the computed arrays.
#include "base/result.h"
#include "runtime/formats/format_file.h"
#include "templates/host/format_reader.h"
#include "tests/fuzz/format_fuzz.h"

namespace alphasparse {

const int metadata_mutations_of_ten = 8;

namespace {

void check_reason(const Error& error, const std::string& path) {
  const std::string_view reason = error.what();
  CHECK(error.code() == ExitCode::bad_input);
  CHECK(reason.find('\n') == reason.npos);
  CHECK(reason.size() < 600);
  CHECK(path.empty() || reason.starts_with(path + ": "));
}

void check_file(const FormatFile& file) {
  CHECK(file.rows >= 1 && file.cols >= 1 && !file.launches.empty());
  CHECK(static_cast<std::int64_t>(file.col.size()) == file.nnz);
  for (const Array& array : file.arrays) {
    CHECK(static_cast<std::int64_t>(array.bytes.size()) == array.count * element_bytes(array.type));
  }
  try {
    CHECK(check_canonical(matrix_of(file)).empty());
  } catch (const Error& error) {
    check_reason(error, "");
  }
}

bool is_whole(const std::string& path) {
  try {
    host::FormatReader(path).read_data({});
    return true;
  } catch (const host::BadFile&) {
    return false;
  }
}

}  // namespace
}  // namespace alphasparse

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace alphasparse;
  if (size < 2) return 0;
  const std::string path = file_of(data, size);
  format_fuzz_counts().whole += is_whole(path);
  try {
    check_file(read_format_file(path));
    ++format_fuzz_counts().taken;
  } catch (const Error& error) {
    check_reason(error, path);
  }
  return 0;
}
