#include "runtime/wire.h"

namespace alphasparse {

void Packer::put_bytes(const void* first, std::size_t count) {
  if (count == 0) return;
  const std::size_t at = bytes_.size();
  bytes_.resize(at + count);
  std::memcpy(bytes_.data() + at, first, count);
}

void put(Packer& message, const Kernel& kernel) {
  message.put(kernel.design);
  message.put(kernel.dtype);
  message.put(kernel.rows);
  message.put(kernel.cols);
  message.put(kernel.nnz);
  message.put(kernel.source);
  message.put(kernel.vendor);
  message.put_list(kernel.arrays, [&](const Array& array) {
    message.put(array.name);
    message.put(array.type);
    message.put(array.count);
    message.put(array.bytes);
  });
  message.put_list(kernel.workspaces, [&](const Workspace& scratch) {
    message.put(scratch.name);
    message.put(scratch.type);
    message.put(scratch.count);
    message.put(scratch.pointer);
  });
  message.put_list(kernel.launches, [&](const Launch& launch) {
    message.put(launch.kernel);
    message.put(launch.blocks);
    message.put(launch.threads);
  });
}

Kernel get_kernel(Unpacker& message) {
  Kernel kernel;
  message.get(kernel.design);
  message.get(kernel.dtype);
  message.get(kernel.rows);
  message.get(kernel.cols);
  message.get(kernel.nnz);
  message.get(kernel.source);
  message.get(kernel.vendor);
  message.get_list(kernel.arrays, [&] {
    Array array;
    message.get(array.name);
    message.get(array.type);
    message.get(array.count);
    message.get(array.bytes);
    return array;
  });
  message.get_list(kernel.workspaces, [&] {
    Workspace scratch;
    message.get(scratch.name);
    message.get(scratch.type);
    message.get(scratch.count);
    message.get(scratch.pointer);
    return scratch;
  });
  message.get_list(kernel.launches, [&] {
    Launch launch;
    message.get(launch.kernel);
    message.get(launch.blocks);
    message.get(launch.threads);
    return launch;
  });
  return kernel;
}

void put(Packer& message, const SpmvCase& input) {
  message.put(input.name);
  message.put_list(input.values, [&](const auto& values) { message.put(values); });
  message.put(input.x);
  message.put(input.y);
  message.put(input.alpha);
  message.put(input.beta);
  message.put(input.lanes_reversed);
}

SpmvCase get_case(Unpacker& message) {
  SpmvCase input;
  message.get(input.name);
  message.get_list(input.values, [&] { return message.get<std::vector<std::byte>>(); });
  message.get(input.x);
  message.get(input.y);
  message.get(input.alpha);
  message.get(input.beta);
  message.get(input.lanes_reversed);
  return input;
}

void put(Packer& message, const Timing& timing) {
  message.put(timing.time_us);
  message.put(timing.time_us_p20);
  message.put(timing.time_us_p80);
  message.put(timing.samples);
  message.put(timing.registers);
  message.put(timing.spill_bytes);
  message.put(timing.sectors);
  message.put(timing.dram_bytes);
  message.put(timing.note);
}

Timing get_timing(Unpacker& message) {
  Timing timing;
  message.get(timing.time_us);
  message.get(timing.time_us_p20);
  message.get(timing.time_us_p80);
  message.get(timing.samples);
  message.get(timing.registers);
  message.get(timing.spill_bytes);
  message.get(timing.sectors);
  message.get(timing.dram_bytes);
  message.get(timing.note);
  return timing;
}

void put(Packer& message, const DeviceInfo& info) {
  message.put(info.name);
  message.put(info.gpu);
  message.put(info.kind);
  message.put(info.version);
  message.put(info.arch);
}

DeviceInfo get_info(Unpacker& message) {
  DeviceInfo info;
  message.get(info.name);
  message.get(info.gpu);
  message.get(info.kind);
  message.get(info.version);
  message.get(info.arch);
  return info;
}

void put(Packer& message, const Failure& failure) {
  message.put(failure.status);
  message.put(failure.reason);
}

Failure get_failure(Unpacker& message) {
  const auto status = message.get<Status>();
  return {status, message.get<std::string>()};
}

}  // namespace alphasparse
