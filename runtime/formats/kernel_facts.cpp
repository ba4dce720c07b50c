#include "runtime/formats/kernel_facts.h"

namespace alphasparse {

KernelFacts::KernelFacts(const Kernel& kernel, const host::Header& header)
    : header_(header), computed_(header_) {
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
            arrays_.data(),
            arrays_.size(),
            nullptr,
            0,
            computed_.computed.data(),
            computed_.computed.size(),
            computed_.steps.data(),
            computed_.steps.size()};
}

}  // namespace alphasparse
