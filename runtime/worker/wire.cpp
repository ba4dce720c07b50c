#include "runtime/worker/wire.h"

namespace alphasparse {

void Packer::put_bytes(const void* first, std::size_t count) {
  if (count == 0) return;
  const auto* const from = static_cast<const std::byte*>(first);
  bytes_.insert(bytes_.end(), from, from + count);
}

namespace {

constexpr std::size_t none = SIZE_MAX;

/// The first case that has the values of this one; none where it has none.
std::size_t owner_of_values(std::span<const SpmvCase> cases, std::size_t index) {
  if (cases[index].values.empty()) return none;
  std::size_t owner = 0;
  while (!cases[owner].values.is(cases[index].values)) ++owner;
  return owner;
}

}  // namespace

void pack_cases(Packer& message, std::span<const SpmvCase> cases) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    bytes += cases[i].x.size() + cases[i].y.size() + 256;
    if (owner_of_values(cases, i) != i) continue;
    for (const auto& array : cases[i].values) bytes += array.size();
  }
  message.reserve(bytes);
  message(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    pack(message, cases[i]);
    const std::size_t owner = owner_of_values(cases, i);
    message(owner);
    if (owner != i) continue;
    message(cases[i].values.size());
    for (const auto& array : cases[i].values) message(array);
  }
}

std::vector<SpmvCase> unpack_cases(Unpacker& message) {
  std::vector<SpmvCase> cases;
  message.list(cases, [&](SpmvCase& one) {
    each_field(message, one);
    const auto owner = message.get<std::size_t>();
    if (owner == none) return;
    if (owner + 1 < cases.size()) {
      one.values = cases[owner].values;
      return;
    }
    std::vector<std::vector<std::byte>> arrays;
    message.list(arrays, [&](std::vector<std::byte>& array) { message(array); });
    one.values = CaseValues(std::move(arrays));
  });
  return cases;
}

}  // namespace alphasparse
