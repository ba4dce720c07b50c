#include "operators/mapping/open_level.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "generator/layouts/layout_kind.h"
#include "operators/reasons.h"

namespace alphasparse {

std::optional<std::string> cannot_open(const Store& store, Level level, Tiling tiling) {
  if (!store.compressed && !store.listed)
    return "the matrix is not compressed yet; put compress before it";
  if (store.is_reducing() || !store.epilogue.empty()) return reduction_has_begun;
  if (auto reason = rejection(store, request::OpenLevel{tiling})) return reason;
  if (store.mirrored() && store.on_cpu() && (level != Level::thread || tiling != Tiling::rows))
    return images_of_rows;
  if (store.mirrored() && tiling == Tiling::merge) {
    return "a thread of a merge path does not know the row of each non-zero, whose mirror image it "
           "adds; cut rows";
  }
  const LevelFacts* inner = store.innermost();
  if (!inner) return std::nullopt;
  if (inner->level == level) return fmt::format("a {} level is open already", level_name(level));
  if (inner->level > level) {
    return fmt::format(
        "a {} level cannot open inside the {} level; blocks come before warps, warps before "
        "threads",
        level_name(level), level_name(inner->level));
  }
  if (inner->tiling == Tiling::cols && tiling == Tiling::rows) {
    return fmt::format(
        "its {} is a part of one row, so no whole rows can be cut inside it; use {}_cols",
        level_name(inner->level), level_name(level));
  }
  if (inner->tiling == Tiling::merge && tiling != Tiling::merge) {
    return fmt::format(
        "its {} is a piece of a merge path, which only a merge path can cut; use {}_merge_path",
        level_name(inner->level), level_name(level));
  }
  if (inner->tiling == Tiling::nnz && tiling != Tiling::nnz) {
    return fmt::format(
        "its {} is cut by non-zeros, so only non-zeros can be cut inside it; use {}_nnz",
        level_name(inner->level), level_name(level));
  }
  return std::nullopt;
}

namespace {

/// Whether first_row has an entry for the end of the last part.
bool ends_meet(Tiling tiling) { return tiling == Tiling::rows || tiling == Tiling::merge; }

std::vector<Span> list_spans(const Store& store) {
  const auto& row_first = store.ints({Level::matrix, Name::row_first_nz});
  const LevelFacts* parent = store.innermost();
  std::vector<Span> spans;
  if (!parent) {
    spans.push_back({0, store.rows(), 0, static_cast<std::int32_t>(store.nnz())});
    return spans;
  }
  const auto& first_row = store.ints({parent->level, Name::first_row});
  const auto& first_nz = store.ints({parent->level, Name::first_nz});
  spans.reserve(parent->parts);
  for (std::int64_t part = 0; part < parent->parts; ++part) {
    const std::int32_t row = first_row[part];
    std::int32_t end_row = row;
    if (ends_meet(parent->tiling)) end_row = first_row[part + 1];
    spans.push_back({row, end_row, first_nz[part], first_nz[part + 1]});
  }
  if (!ends_meet(parent->tiling)) {  // the rows of a cut by non-zeros end where its last non-zero's
                                     // row ends
    for (Span& span : spans) {
      span.end_row = span.row;
      while (row_first[span.end_row] < span.end_nz) ++span.end_row;
    }
  }
  return spans;
}

void measure_parts(LevelFacts& facts, const std::vector<LevelPart>& parts, std::int64_t nnz,
                   std::int32_t rows) {
  facts.parts = static_cast<std::int64_t>(parts.size());
  facts.nz_min = parts.empty() ? 0 : static_cast<std::int32_t>(index_limit);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const bool last = part + 1 == parts.size();
    const std::int32_t nz =
        (last ? static_cast<std::int32_t>(nnz) : parts[part + 1].nz) - parts[part].nz;
    facts.nz_max = std::max(facts.nz_max, nz);
    facts.nz_min = std::min(facts.nz_min, nz);
    if (facts.tiling != Tiling::rows) continue;
    facts.rows_max =
        std::max(facts.rows_max, (last ? rows : parts[part + 1].row) - parts[part].row);
    facts.row_multiple = std::gcd(facts.row_multiple, parts[part].row);
  }
  if (facts.tiling == Tiling::cols) facts.rows_max = 1;
}

Ints find_first_nz(const std::vector<LevelPart>& parts, std::int64_t nnz) {
  std::vector<std::int32_t> first_nz;
  first_nz.reserve(parts.size() + 1);
  for (const LevelPart& part : parts) first_nz.push_back(part.nz);
  first_nz.push_back(static_cast<std::int32_t>(nnz));
  return std::make_shared<const std::vector<std::int32_t>>(std::move(first_nz));
}

/// Whether no part has more non-zeros than the one before it under the same parent.
bool never_longer(const std::vector<std::int32_t>& first_nz,
                  const std::vector<std::int32_t>& first_child) {
  for (std::size_t parent = 0; parent + 1 < first_child.size(); ++parent) {
    for (std::int32_t part = first_child[parent] + 1; part < first_child[parent + 1]; ++part) {
      const std::int32_t before = first_nz[part] - first_nz[part - 1];
      if (first_nz[part + 1] - first_nz[part] > before) return false;
    }
  }
  return true;
}

}  // namespace

void open_level(Store& store, Level level, Tiling tiling,
                const std::function<void(const Span&, std::vector<LevelPart>&)>& part_span) {
  LevelFacts facts;
  facts.level = level;
  facts.tiling = tiling;
  facts.parent = store.innermost() ? store.innermost()->level : Level::matrix;
  std::vector<LevelPart> parts;
  std::vector<std::int32_t> first_child{0};
  for (const Span& span : list_spans(store)) {
    part_span(span, parts);
    const auto end = static_cast<std::int32_t>(parts.size());
    facts.children_max = std::max(facts.children_max, end - first_child.back());
    first_child.push_back(end);
  }
  measure_parts(facts, parts, store.nnz(), store.rows());
  std::vector<std::int32_t> first_row;
  first_row.reserve(parts.size() + 1);
  for (const LevelPart& part : parts) first_row.push_back(part.row);
  if (ends_meet(tiling)) first_row.push_back(store.rows());
  // One row a part: the offsets are the matrix's own, shared.
  const bool is_each_row =
      tiling == Tiling::rows && facts.parts == store.rows() && facts.rows_max == 1;
  const Ints first_nz = is_each_row ? store.array({Level::matrix, Name::row_first_nz})
                                    : find_first_nz(parts, store.nnz());
  std::vector<LevelPart>().swap(parts);
  facts.descending = never_longer(*first_nz, first_child);
  store.set({facts.parent, Name::first_child}, std::move(first_child));
  store.set({level, Name::first_nz}, first_nz);
  store.set({level, Name::first_row}, std::move(first_row));
  store.open(facts);
}

std::vector<std::int64_t> powers_of_two(std::int64_t least, std::int64_t most) {
  std::vector<std::int64_t> values;
  for (std::int64_t value = least; value <= most; value *= 2) values.push_back(value);
  return values;
}

}  // namespace alphasparse
