// arrays: the description of an array on any device by DLPack.
//
// Source: dlpack.h of DLPack 0.6 to 1.0, the struct of capsules named "dltensor".
#include <cstdint>

#include "native.h"

namespace py = pybind11;

namespace alphasparse {
namespace {

struct DlTensor {
  void* data;
  std::int32_t device_type, device_id;
  std::int32_t ndim;
  std::uint8_t code, bits;
  std::uint16_t lanes;
  std::int64_t* shape;
  std::int64_t* strides;  // of elements; null: contiguous
  std::uint64_t byte_offset;
};

struct DlManagedTensor {
  DlTensor tensor;
  void* manager;
  void (*deleter)(DlManagedTensor*);
};

/// (address, shape, strides or None, kind of element, its bits, kind of device, its number). The
/// capsule is used up, and its maker keeps the memory; with `keep` the capsule keeps it.
py::tuple read_dlpack(const py::capsule& capsule, bool keep) {
  auto* const managed =
      static_cast<DlManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
  if (!managed) throw py::error_already_set();
  const DlTensor& tensor = managed->tensor;
  py::list shape, strides;
  for (int i = 0; i < tensor.ndim; ++i) {
    shape.append(tensor.shape[i]);
    if (tensor.strides) strides.append(tensor.strides[i]);
  }
  const py::object steps = tensor.strides ? py::object(py::tuple(strides)) : py::object(py::none());
  const py::tuple facts = py::make_tuple(
      reinterpret_cast<std::uintptr_t>(tensor.data) + tensor.byte_offset, py::tuple(shape), steps,
      tensor.lanes == 1 ? tensor.code : 255, tensor.bits, tensor.device_type, tensor.device_id);
  if (keep) return facts;
  PyCapsule_SetName(capsule.ptr(), "used_dltensor");
  if (managed->deleter) managed->deleter(managed);
  return facts;
}

}  // namespace

void define_arrays(py::module_& module) {
  module.def("read_dlpack", read_dlpack, py::arg("capsule"), py::arg("keep") = false);
}

}  // namespace alphasparse
