// format_file_fuzz: for any bytes of a format file, a reader that knows no kernel gives tensors of
// the lengths that the header says, computed arrays and values, or one line of reason. Most
// mutations are of the metadata.
#include <string_view>

#include "base/result.h"
#include "runtime/formats/stored_format.h"
#include "templates/host/format_reader.h"
#include "tests/fuzz/format_fuzz.h"

namespace alphasparse {

const int metadata_mutations_of_ten = 8;

}  // namespace alphasparse

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace alphasparse;
  if (size < 2) return 0;
  const std::string path = file_of(data, size);
  try {
    host::FormatReader(path).read_data(true);
    ++format_fuzz_counts().whole;
    const StoredFormat format(path);
    for (const host::Tensor& tensor : format.header().tensors) {
      CHECK(tensor.bytes.size() == tensor.count * host::element_bytes(tensor.type));
    }
    for (const std::string& name : format.computed_names()) format.computed<Number>(name);
    CHECK(format.values<Number>().size() == static_cast<std::size_t>(format.facts().nnz));
    ++format_fuzz_counts().taken;
  } catch (const host::BadFile& error) {
    const std::string_view reason = error.what();
    CHECK(reason.find('\n') == reason.npos && reason.size() < 600);
  }
  return 0;
}
