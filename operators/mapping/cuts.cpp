#include "operators/mapping/cuts.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "generator/layouts/layout_kind.h"
#include "operators/reasons.h"

namespace alphasparse {

std::optional<std::string> cannot_open(const Store& store, Level level, Cut cut) {
  if (!store.compressed && !store.listed)
    return "the matrix is not compressed yet; put compress before it";
  if (store.is_reducing() || !store.sink.empty()) return reduction_has_begun;
  if (auto why = refusal(store, asked::CutLevel{cut})) return why;
  if (store.mirrored() && cut == Cut::merge) {
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
  if (inner->cut == Cut::cols && cut == Cut::rows) {
    return fmt::format(
        "its {} is a part of one row, so no whole rows can be cut inside it; use {}_cols",
        level_name(inner->level), level_name(level));
  }
  if (inner->cut == Cut::merge && cut != Cut::merge) {
    return fmt::format(
        "its {} is a piece of a merge path, which only a merge path can cut; use {}_merge_path",
        level_name(inner->level), level_name(level));
  }
  if (inner->cut == Cut::nnz && cut != Cut::nnz) {
    return fmt::format(
        "its {} is cut by non-zeros, so only non-zeros can be cut inside it; use {}_nnz",
        level_name(inner->level), level_name(level));
  }
  return std::nullopt;
}

namespace {

/// Whether first_row has an entry for the end of the last unit.
bool ends_meet(Cut cut) { return cut == Cut::rows || cut == Cut::merge; }

std::vector<Span> spans_of(const Store& store) {
  const auto& row_first = store.ints({Level::matrix, Name::row_first_nz});
  const LevelFacts* parent = store.innermost();
  std::vector<Span> spans;
  if (!parent) {
    spans.push_back({0, store.rows(), 0, static_cast<std::int32_t>(store.nnz())});
    return spans;
  }
  const auto& first_row = store.ints({parent->level, Name::first_row});
  const auto& first_nz = store.ints({parent->level, Name::first_nz});
  spans.reserve(parent->units);
  for (std::int64_t unit = 0; unit < parent->units; ++unit) {
    const std::int32_t row = first_row[unit];
    std::int32_t end_row = row;
    if (ends_meet(parent->cut)) end_row = first_row[unit + 1];
    spans.push_back({row, end_row, first_nz[unit], first_nz[unit + 1]});
  }
  if (!ends_meet(
          parent->cut)) {  // the rows of a cut by non-zeros end where its last non-zero's row ends
    for (Span& span : spans) {
      span.end_row = span.row;
      while (row_first[span.end_row] < span.end_nz) ++span.end_row;
    }
  }
  return spans;
}

void measure_units(LevelFacts& facts, const std::vector<Unit>& units, std::int64_t nnz,
                   std::int32_t rows) {
  facts.units = static_cast<std::int64_t>(units.size());
  facts.nz_min = units.empty() ? 0 : static_cast<std::int32_t>(index_limit);
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    const bool last = unit + 1 == units.size();
    const std::int32_t nz =
        (last ? static_cast<std::int32_t>(nnz) : units[unit + 1].nz) - units[unit].nz;
    facts.nz_max = std::max(facts.nz_max, nz);
    facts.nz_min = std::min(facts.nz_min, nz);
    if (facts.cut != Cut::rows) continue;
    facts.rows_max =
        std::max(facts.rows_max, (last ? rows : units[unit + 1].row) - units[unit].row);
    facts.row_multiple = std::gcd(facts.row_multiple, units[unit].row);
  }
  if (facts.cut == Cut::cols) facts.rows_max = 1;
}

Ints first_nz_of(const std::vector<Unit>& units, std::int64_t nnz) {
  std::vector<std::int32_t> first_nz;
  first_nz.reserve(units.size() + 1);
  for (const Unit& unit : units) first_nz.push_back(unit.nz);
  first_nz.push_back(static_cast<std::int32_t>(nnz));
  return std::make_shared<const std::vector<std::int32_t>>(std::move(first_nz));
}

/// Whether no unit has more non-zeros than the one before it under the same parent.
bool never_longer(const std::vector<std::int32_t>& first_nz,
                  const std::vector<std::int32_t>& first_child) {
  for (std::size_t parent = 0; parent + 1 < first_child.size(); ++parent) {
    for (std::int32_t unit = first_child[parent] + 1; unit < first_child[parent + 1]; ++unit) {
      const std::int32_t before = first_nz[unit] - first_nz[unit - 1];
      if (first_nz[unit + 1] - first_nz[unit] > before) return false;
    }
  }
  return true;
}

}  // namespace

void open_level(Store& store, Level level, Cut cut,
                const std::function<void(const Span&, std::vector<Unit>&)>& cut_span) {
  LevelFacts facts;
  facts.level = level;
  facts.cut = cut;
  facts.parent = store.innermost() ? store.innermost()->level : Level::matrix;
  std::vector<Unit> units;
  std::vector<std::int32_t> first_child{0};
  for (const Span& span : spans_of(store)) {
    cut_span(span, units);
    const auto end = static_cast<std::int32_t>(units.size());
    facts.children_max = std::max(facts.children_max, end - first_child.back());
    first_child.push_back(end);
  }
  measure_units(facts, units, store.nnz(), store.rows());
  std::vector<std::int32_t> first_row;
  first_row.reserve(units.size() + 1);
  for (const Unit& unit : units) first_row.push_back(unit.row);
  if (ends_meet(cut)) first_row.push_back(store.rows());
  // One row a unit: the offsets are the matrix's own, shared.
  const bool is_each_row = cut == Cut::rows && facts.units == store.rows() && facts.rows_max == 1;
  const Ints first_nz = is_each_row ? store.array({Level::matrix, Name::row_first_nz})
                                    : first_nz_of(units, store.nnz());
  std::vector<Unit>().swap(units);
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
