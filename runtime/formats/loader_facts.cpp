#include "runtime/formats/loader_facts.h"

#include "generator/text/computed_checks.h"
#include "generator/text/kernel_digest.h"
#include "templates/host/loader.h"

namespace alphasparse {

namespace {

ComputedNumbers numbers_of(const Kernel& kernel) {
  ComputedNumbers numbers{{}, kernel.steps, rules_to_check(kernel)};
  for (const ComputedArray* const array : arrays_to_check(kernel)) numbers.arrays.push_back(*array);
  return numbers;
}

}  // namespace

LoaderFacts::LoaderFacts(const Kernel& kernel, const host::Header& header)
    : header_(header), numbers_(numbers_of(kernel)), digest_(kernel_digest(kernel)) {
  for (const Array& array : kernel.arrays) {
    arrays_.push_back({array.name.c_str(), element_safetensors_name(array.type), array.count,
                       array.least, array.most, array.ascending, array.is_dictionary(),
                       array.rounded});
  }
  facts_ = {kernel.design.c_str(),
            dtype_name(kernel.dtype),
            kernel.rows,
            kernel.cols,
            kernel.nnz,
            kernel.mirrored,
            header_.text("pattern").c_str(),
            header_.text("values").c_str(),
            header_.text("generator").c_str(),
            header_.text("prefix").c_str(),
            digest_.c_str(),
            arrays_.data(),
            arrays_.size()};
}

host::LoadedFormat LoaderFacts::load(const std::string& path, bool with_pattern) const {
  host::LoadedFormat format = host::load_format(path, facts_, with_pattern);
  check_computed(numbers_, facts_, format);
  return format;
}

}  // namespace alphasparse
