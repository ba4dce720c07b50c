// show_text: the text half of show.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>

#include "base/result.h"
#include "generator/arrays/fragment.h"
#include "generator/facts/contract.h"
#include "generator/layouts/layout_kind.h"
#include "runtime/system/machine/memory.h"
#include "tools/reports/report.h"
#include "tools/reports/show.h"

namespace alphasparse {

namespace {

std::string joined(const std::vector<std::string>& texts, std::string_view none) {
  return texts.empty() ? std::string(none) : fmt::format("{}", fmt::join(texts, ", "));
}

std::string chain_text(const Store& store) {
  std::string text;
  for (const FragmentStep& step : store.chain()) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", step.fragment->name);
    if (step.lanes > 0) text += fmt::format(" over {} lanes", step.lanes);
  }
  return text.empty() ? "none" : text;
}

Number number_at(const Array& array, std::size_t index) {
  return with_element(array.type, [&](auto value) {
    std::memcpy(&value, array.bytes.data() + index * sizeof value, sizeof value);
    return Number(value);
  });
}

/// Unsigned words hold bit fields, so they are read best in hexadecimal.
std::string entry_text(const Number& entry, ElementType type) {
  if (type == ElementType::u32)
    return fmt::format("0x{:08x}", static_cast<std::uint32_t>(entry.re));
  return is_complex(type) ? fmt::format("{:.10g}{:+.10g}i", entry.re, entry.im)
                          : fmt::format("{:.10g}", entry.re);
}

std::string entries_text(const std::vector<std::string>& first, std::int64_t count) {
  return fmt::format("    {}{}\n", fmt::join(first, " "),
                     static_cast<std::int64_t>(first.size()) < count ? " ..." : "");
}

std::string branch_text(const Store& store) {
  std::string text;
  if (!store.description.empty()) text += fmt::format("holds    {}\n", store.description);
  text += fmt::format("facts    {}\n", joined(store_facts(store), "none"));
  text += fmt::format("chain    {}; then {}\n", chain_text(store),
                      store.epilogue.empty() ? "no sink" : store.epilogue);
  text += fmt::format("launch   {} threads a block{}{}\n", store.launch.threads,
                      store.launch.grid > 0 ? fmt::format(", {} blocks", store.launch.grid) : "",
                      store.launch.fused ? ", fused" : "");
  return text + store_text(store, shown_entries_max);
}

}  // namespace

const char* tiling_name(Tiling tiling) {
  switch (tiling) {
    case Tiling::rows:
      return "rows";
    case Tiling::cols:
      return "cols";
    case Tiling::lanes:
      return "lanes";
    case Tiling::nnz:
      return "nnz";
    case Tiling::merge:
      return "merge";
  }
  CHECK(!"a cut without a name");
  return "";
}

const char* shape_name(Shape shape) {
  switch (shape) {
    case Shape::none:
      return "none";
    case Shape::one:
      return "one";
    case Shape::head_tail:
      return "head_tail";
    case Shape::done:
      return "done";
  }
  CHECK(!"a shape without a name");
  return "";
}

std::vector<std::string> store_facts(const Store& store) {
  std::vector<std::string> facts;
  for (const auto& [holds, name] : {std::pair{store.compressed, "compressed"},
                                    std::pair{!store.rows_in_callers_order(), "rows_permuted"},
                                    std::pair{store.gathers_x(), "x_gathered"},
                                    std::pair{store.blocks.rows > 0, "bands_of_blocks"},
                                    std::pair{store.staged != StagedX::none, "x_staged"}}) {
    if (holds) facts.emplace_back(name);
  }
  for (const char* const label : layout_kind(store).labels(store)) facts.emplace_back(label);
  return facts;
}

std::vector<Number> first_entries(const Array& array) {
  std::vector<Number> entries;
  for (std::size_t i = 0; i < std::min<std::size_t>(array.count, shown_entries_max); ++i)
    entries.push_back(number_at(array, i));
  return entries;
}

std::int64_t full_bytes(const Kernel& kernel, const ComputedArray& computed) {
  const bool values = computed.name == "value" || computed.name.ends_with(".value");
  return computed.count * (values ? kernel.value_type().bytes : 4);
}

std::int64_t stored_bytes(const Kernel& kernel, const ComputedArray& computed) {
  if (computed.how == same_entries) return 0;
  std::int64_t bytes = 0;
  std::set<std::string> names;
  for_each(computed.entry, [&](const Expression& part) { names.insert(part.array); });
  for (const std::string& name : names) {
    for (const Array& array : kernel.arrays) {
      if (array.name == name) bytes += static_cast<std::int64_t>(array.bytes.size());
    }
    for (const ComputedArray& part : kernel.computed) {
      if (part.name == name) bytes += stored_bytes(kernel, part);
    }
  }
  return bytes;
}

std::int64_t full_format_bytes(const Kernel& kernel) {
  std::set<std::string> parts;
  for (const ComputedArray& array : kernel.computed) {
    if (array.how == same_entries) continue;
    for_each(array.entry, [&](const Expression& part) { parts.insert(part.array); });
  }
  std::int64_t bytes = 0;
  for (const Array& array : kernel.arrays) {
    if (parts.contains(array.name)) continue;
    bytes += array.count * (array.is_value() ? kernel.value_type().bytes : 4);
  }
  for (const ComputedArray& array : kernel.computed) {
    if (!parts.contains(array.name)) bytes += full_bytes(kernel, array);
  }
  return bytes;
}

std::string stores_text(const std::vector<Store>& branches, const std::string& design) {
  std::string text = fmt::format("design   {}\n", design);
  for (std::size_t i = 0; i < branches.size(); ++i) {
    if (branches.size() > 1) text += fmt::format("\nbranch   {} of {}\n", i + 1, branches.size());
    text += branch_text(branches[i]);
  }
  return text;
}

std::string format_text(const Kernel& kernel, std::int64_t csr_bytes) {
  std::string text = fmt::format("design   {}\n", kernel.design);
  text += fmt::format("format   {}, {:.2f} of CSR, {} arrays; {} with every array in full\n",
                      byte_count_text(kernel.format_bytes()),
                      static_cast<double>(kernel.format_bytes()) / static_cast<double>(csr_bytes),
                      kernel.arrays.size(), byte_count_text(full_format_bytes(kernel)));
  text += rounding_text(kernel.value_error);
  text += fmt::format("inf, nan {}: {}\n", nonfinite_name(kernel.nonfinite()),
                      nonfinite_doc(kernel.nonfinite()));
  for (const Launch& launch : kernel.launches)
    text += fmt::format("launch   {}: {} blocks of {} threads\n", launch.kernel, launch.blocks,
                        launch.threads);
  for (const Array& array : kernel.arrays) {
    text +=
        fmt::format("\n{}: {} [{}], {}: {}\n", array.name, element_name(array.type), array.count,
                    byte_count_text(static_cast<std::int64_t>(array.bytes.size())), array.doc);
    std::vector<std::string> first;
    for (const Number& entry : first_entries(array)) first.push_back(entry_text(entry, array.type));
    text += entries_text(first, array.count);
  }
  for (const ComputedArray& array : kernel.computed)
    text += fmt::format("\n{} [{}], {} instead of {}: {}\n    {}: {}\n", array.name, array.count,
                        byte_count_text(stored_bytes(kernel, array)),
                        byte_count_text(full_bytes(kernel, array)), array.doc, array.how,
                        write_code(array.entry).text());
  return text;
}

}  // namespace alphasparse
