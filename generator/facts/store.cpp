#include "generator/facts/store.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/ranges.h"
#include "base/result.h"
#include "generator/arrays/fragment.h"

namespace alphasparse {

const char* level_name(Level level) {
  static constexpr const char* names[] = {"matrix", "block", "warp", "thread"};
  return names[static_cast<int>(level)];
}

const char* worker_name(Worker worker) {
  static constexpr const char* names[] = {"thread", "group", "warp", "block", "matrix"};
  return names[static_cast<int>(worker)];
}

const std::vector<KeyDoc>& key_docs() {
  static const std::vector<KeyDoc> docs = {
      {Name::nz_col, "nz_col",
       "[nnz] column of each non-zero, logical order; in [0, cols), -1 for fill of an empty row"},
      {Name::value_source, "value_source",
       "[nnz] canonical index of each non-zero's value, every index once; -1 for fill, value 0"},
      {Name::row_first_nz, "row_first_nz",
       "[rows + 1] first non-zero of each row; from 0 to nnz, never decreasing"},
      {Name::row_origin, "row_origin",
       "[rows] the caller's row of each row; every row at most once"},
      {Name::col_origin, "col_origin",
       "[cols] the caller's column of each column, where they were renumbered; every column once"},
      {Name::first_nz, "first_nz",
       "[units + 1] first non-zero of each unit; from 0 to nnz, never decreasing"},
      {Name::first_row, "first_row",
       "[units + 1] first row of each unit of whole rows, or rows ended on the merge path before "
       "it; "
       "ends meet; else [units] row of its first non-zero"},
      {Name::first_child, "first_child",
       "[units + 1] first unit of the next open level under each unit; ends meet"},
  };
  return docs;
}

std::string key_text(Key key) {
  for (const KeyDoc& doc : key_docs()) {
    if (doc.name == key.name) return std::string(level_name(key.level)) + "." + doc.text_name;
  }
  CHECK(!"a key without documentation");
  return {};
}

namespace {

/// An array of stores, which may be moved out of the last of them: it is made as no constant.
Ints shared(std::vector<std::int32_t> data) {
  return std::make_shared<std::vector<std::int32_t>>(std::move(data));
}

/// 0, 1, 2, ...: those that somebody has are shared, for a matrix has many stores and may have far
/// more rows than entries.
Ints identity(std::int64_t count) {
  static std::mutex mutex;
  static std::weak_ptr<const std::vector<std::int32_t>> last;
  const std::lock_guard lock(mutex);
  Ints known = last.lock();
  if (known && static_cast<std::int64_t>(known->size()) == count) return known;
  std::vector<std::int32_t> made(count);
  std::iota(made.begin(), made.end(), 0);
  known = shared(std::move(made));
  last = known;
  return known;
}

constexpr Key sources_key{Level::matrix, Name::value_source};

/// The array that stores in canonical order do without.
struct CanonicalSources {
  Ints all;
};

}  // namespace

Store::Store(const Matrix& matrix, Target target)
    : Store(matrix, target, shared(matrix.col), shared(matrix.row_first)) {}

Store Store::refer_to(const Matrix& matrix, Target target) {
  return Store(matrix, target, Ints(Ints(), &matrix.col), Ints(Ints(), &matrix.row_first));
}

Store::Store(const Matrix& matrix, Target target, Ints col, Ints row_first)
    : target_(target),
      callers_rows_(matrix.rows),
      callers_nnz_(matrix.nnz()),
      callers_mirror_(find_mirror(matrix)),
      rows_(matrix.rows),
      cols_(matrix.cols),
      nnz_(matrix.nnz()),
      row_facts_(alphasparse::row_facts(matrix.row_first)),
      chain_(std::make_shared<const std::vector<FragmentStep>>()) {
  set({Level::matrix, Name::nz_col}, std::move(col));
  set({Level::matrix, Name::row_first_nz}, std::move(row_first));
  set({Level::matrix, Name::row_origin}, identity(rows_));
}

Store Store::retarget(Target target) const {
  CHECK(levels_.empty());
  Store other = *this;
  other.target_ = target;
  return other;
}

bool Store::has(Key key) const { return key == sources_key || arrays_.contains(key); }

const Ints& Store::array(Key key) const {
  const auto found = arrays_.find(key);
  if (found != arrays_.end()) {
    CHECK(found->second);  // else the sources were given up
    return found->second;
  }
  CHECK(key == sources_key);
  return fact<CanonicalSources>([this] { return CanonicalSources{identity(nnz_)}; })->all;
}

void Store::forget_sources() {
  if (!filled) arrays_[sources_key] = nullptr;
}

std::map<Key, Ints> Store::arrays() const {
  std::map<Key, Ints> all = arrays_;
  all[sources_key] = array(sources_key);
  return all;
}

Sources Store::sources() const {
  const auto found = arrays_.find(sources_key);
  if (found == arrays_.end()) return Sources(nullptr);
  CHECK(found->second);  // else they were given up, and may have had another order
  return Sources(found->second.get());
}

void Store::set(Key key, Ints data) {
  arrays_[key] = std::move(data);
  derived_ = std::make_shared<DerivedFacts>();
}

void Store::set(Key key, std::vector<std::int32_t> data) { set(key, shared(std::move(data))); }

std::optional<std::vector<std::int32_t>> Store::take(Key key) {
  Ints& held = arrays_.at(key);
  CHECK(held);
  if (held.use_count() != 1) return std::nullopt;  // a matrix' own array has no owner here
  auto taken = std::move(const_cast<std::vector<std::int32_t>&>(*held));
  held = nullptr;
  return taken;
}

void Store::put_back(Key key, std::vector<std::int32_t> data) {
  CHECK(!arrays_.at(key));
  arrays_[key] = shared(std::move(data));
}

void Store::open(LevelFacts facts) {
  levels_.push_back(facts);
  derived_ = std::make_shared<DerivedFacts>();
  const bool parts_tiles = facts.level == Level::thread && facts.tiling == Tiling::nnz;
  if (parts_tiles && layout_as<InOrder>()) layout = Tiled{};
}

void Store::set_part_size(std::int32_t part_size) {
  levels_.back().part_size = part_size;
  derived_ = std::make_shared<DerivedFacts>();
}

const LevelFacts* Store::level(Level level) const {
  for (const LevelFacts& facts : levels_) {
    if (facts.level == level) return &facts;
  }
  return nullptr;
}

const LevelFacts* Store::part_of_row(Worker holder) const {
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    const bool inside =
        level->level == Level::thread || (holder == Worker::block && level->level == Level::warp);
    if (inside || level->tiling == Tiling::nnz) continue;
    return level->tiling == Tiling::cols ? &*level : nullptr;
  }
  return nullptr;
}

void Store::call(const FragmentStep& step) {
  std::vector<FragmentStep> longer = *chain_;
  longer.push_back(step);
  chain_ = std::make_shared<const std::vector<FragmentStep>>(std::move(longer));
}

bool Store::is_reducing() const { return !chain_->empty(); }

bool Store::warps_work_together() const {
  return std::any_of(chain_->begin(), chain_->end(),
                     [](const FragmentStep& step) { return step.fragment->scope >= Worker::warp; });
}

bool Store::tiles_are_full() const {
  return std::any_of(chain_->begin(), chain_->end(),
                     [](const FragmentStep& step) { return step.fragment->full_tiles; });
}

bool passes(const std::vector<FragmentStep>& chain, Role role) {
  return std::any_of(chain.begin(), chain.end(), [role](const FragmentStep& step) {
    const auto& roles = step.fragment->arguments;
    return std::find(roles.begin(), roles.end(), role) != roles.end();
  });
}

namespace {

/// Whether every row stays inside its part.
bool keeps_parts(const std::vector<std::int32_t>& order,
                 const std::vector<std::int32_t>& first_row) {
  for (std::size_t part = 0; part + 1 < first_row.size(); ++part) {
    for (std::int32_t row = first_row[part]; row < first_row[part + 1]; ++row) {
      if (order[row] < first_row[part] || order[row] >= first_row[part + 1]) return false;
    }
  }
  return true;
}

/// Whether the rows of every band are one again, in their order; a shorter last one stays the last.
bool keeps_bands(const std::vector<std::int32_t>& order, int rows) {
  for (std::size_t row = 0; row < order.size(); ++row) {
    const bool begins = row % rows == 0;
    if (begins ? order[row] % rows != 0 : order[row] != order[row - 1] + 1) return false;
  }
  return true;
}

}  // namespace

void Store::permute_rows(const std::vector<std::int32_t>& order) {
  for (const LevelFacts& level : levels_) {
    CHECK(level.tiling == Tiling::rows && keeps_parts(order, ints({level.level, Name::first_row})));
  }
  const auto& first = ints({Level::matrix, Name::row_first_nz});
  const auto& origin = ints({Level::matrix, Name::row_origin});
  const auto& col = ints({Level::matrix, Name::nz_col});
  const Sources source = sources();
  std::vector<std::int32_t> new_first{0}, new_origin;
  new_first.reserve(first.size());
  new_origin.reserve(origin.size());
  for (const std::int32_t row : order) {
    new_origin.push_back(origin[row]);
    new_first.push_back(new_first.back() + first[row + 1] - first[row]);
  }
  std::vector<std::int32_t> new_col(col.size()), new_source(col.size());
  const auto rows = static_cast<std::int64_t>(order.size());
  const auto move_rows = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t index = begin; index < end; ++index) {
      const std::int32_t from = first[order[index]], to = new_first[index];
      const std::int32_t length = new_first[index + 1] - to;
      std::copy_n(col.begin() + from, length, new_col.begin() + to);
      for (std::int32_t k = 0; k < length; ++k) new_source[to + k] = source[from + k];
    }
  };
  for_ranges(rows, move_rows, grain_size(rows, nnz_));
  permuted_ = permuted_ || !std::is_sorted(order.begin(), order.end());
  if (blocks.rows > 0 && !keeps_bands(order, blocks.rows)) blocks = {};
  set({Level::matrix, Name::row_first_nz}, std::move(new_first));
  set({Level::matrix, Name::row_origin}, std::move(new_origin));
  set({Level::matrix, Name::nz_col}, std::move(new_col));
  set(sources_key, std::move(new_source));
}

std::vector<std::int32_t> Store::columns_as_touched() const {
  std::vector<char> is_touched(cols_, 0);
  std::vector<std::int32_t> origin;
  origin.reserve(cols_);
  const auto touch = [&](std::int32_t column) {
    if (column >= 0 && !std::exchange(is_touched[column], 1)) origin.push_back(column);
  };
  for (const std::int32_t column : ints({Level::matrix, Name::nz_col})) touch(column);
  for (std::int32_t column = 0; column < cols_; ++column) touch(column);
  return origin;
}

/// Column c becomes that which was origin[c].
void Store::renumber_columns(const std::vector<std::int32_t>& origin) {
  CHECK(levels_.empty());
  const auto& first = ints({Level::matrix, Name::row_first_nz});
  std::vector<std::int32_t> col = ints({Level::matrix, Name::nz_col});
  std::vector<std::int32_t> source = ints(sources_key);
  std::vector<std::int32_t> number(cols_);
  for (std::int32_t column = 0; column < cols_; ++column) number[origin[column]] = column;
  std::vector<std::pair<std::int32_t, std::int32_t>> entries;
  for (std::int32_t row = 0; row < rows_; ++row) {
    entries.clear();
    for (std::int32_t nz = first[row]; nz < first[row + 1]; ++nz) {
      entries.emplace_back(col[nz] < 0 ? -1 : number[col[nz]], source[nz]);
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::int32_t nz = first[row]; nz < first[row + 1]; ++nz) {
      std::tie(col[nz], source[nz]) = entries[nz - first[row]];
    }
  }
  set({Level::matrix, Name::nz_col}, std::move(col));
  set(sources_key, std::move(source));
}

void Store::gather_columns() {
  std::vector<std::int32_t> origin = columns_as_touched();
  renumber_columns(origin);
  set({Level::matrix, Name::col_origin}, std::move(origin));
}

void Store::take_own_order() {
  CHECK(!own_order_ && rows_ == callers_rows_ && !gathers_x());
  VectorsOrder order{ints({Level::matrix, Name::row_origin}), {}};
  order.columns = rows_ == cols_ ? order.rows : columns_as_touched();
  renumber_columns(order.columns);
  set({Level::matrix, Name::row_origin}, identity(rows_));
  permuted_ = false;
  own_order_ = std::make_shared<const VectorsOrder>(std::move(order));
}

int Store::gang() const {
  constexpr int usual = 32;
  const LevelFacts* const threads = level(Level::thread);
  if (!on_cpu() || !threads) return 0;
  if (threads->tiling == Tiling::lanes) return threads->lanes;
  const LevelFacts* const parent = level(threads->parent);
  if (parent && parent->tiling == Tiling::nnz) {
    return side_by_side(layout) || threads->part_size == 1 ? parent->part_size / threads->part_size
                                                           : 0;
  }
  if (!side_by_side(layout)) return 0;
  if (!parent) return usual;
  const Mix* const mix = std::get_if<Mix>(&layout);
  int gang = mix ? mix->width(cols_) : 1;  // single entries of a gang end where a block may begin
  while (gang < threads->children_max) gang *= 2;
  return gang;
}

Store Store::branch(BranchEntries entries) const {
  CHECK(levels_.empty());
  Store child = *this;
  child.rows_ = static_cast<std::int32_t>(entries.rows.size());
  child.nnz_ = static_cast<std::int64_t>(entries.col.size());
  child.row_facts_ = alphasparse::row_facts(entries.first);
  child.description = std::move(entries.description);
  child.listed = entries.listed;
  child.blocks = {};
  child.filled =
      std::find(entries.source.begin(), entries.source.end(), -1) != entries.source.end();
  const auto& origin = ints({Level::matrix, Name::row_origin});
  for (std::int32_t& row : entries.rows) row = origin[row];
  child.permuted_ = child.rows_ != callers_rows_;
  for (std::int32_t row = 0; row < child.rows_ && !child.permuted_; ++row)
    child.permuted_ = entries.rows[row] != row;
  child.set({Level::matrix, Name::row_origin},
            child.permuted_ ? shared(std::move(entries.rows)) : identity(child.rows_));
  child.set({Level::matrix, Name::row_first_nz}, std::move(entries.first));
  child.set({Level::matrix, Name::nz_col}, std::move(entries.col));
  child.set(sources_key, std::move(entries.source));
  return child;
}

void Store::drop_fill() {
  const Sources source = sources();
  keep([&](std::int32_t, std::int32_t nz) { return source[nz] >= 0; });
}

void Store::keep_upper_triangle() {
  CHECK(callers_mirror_ != Mirror::none && description.empty() && !mirrored());
  const auto& col = ints({Level::matrix, Name::nz_col});
  const auto& origin = ints({Level::matrix, Name::row_origin});
  keep([&](std::int32_t row, std::int32_t nz) { return col[nz] >= origin[row]; });
  mirror = callers_mirror_;
}

/// Keeps every row, and those of its positions that stay.
void Store::keep(const std::function<bool(std::int32_t row, std::int32_t nz)>& stays) {
  const auto& first = ints({Level::matrix, Name::row_first_nz});
  const auto& col = ints({Level::matrix, Name::nz_col});
  const Sources source = sources();
  BranchEntries kept;
  kept.description = description;
  for (std::int32_t row = 0; row < rows_; ++row) {
    for (std::int32_t nz = first[row]; nz < first[row + 1]; ++nz) {
      if (!stays(row, nz)) continue;
      kept.col.push_back(col[nz]);
      kept.source.push_back(source[nz]);
    }
    kept.end_row(row);
  }
  *this = branch(std::move(kept));
}

RowFacts row_facts(const std::vector<std::int32_t>& row_first_nz) {
  const std::size_t rows = row_first_nz.size() - 1;
  const double count = static_cast<double>(rows);
  RowFacts facts;
  if (rows == 0) return facts;
  facts.length_min = row_first_nz[1];
  facts.length_mean = row_first_nz.back() / count;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::int32_t length = row_first_nz[row + 1] - row_first_nz[row];
    facts.length_min = std::min(facts.length_min, length);
    facts.length_max = std::max(facts.length_max, length);
    facts.empty_rows += length == 0;
    facts.length_variance += (length - facts.length_mean) * (length - facts.length_mean) / count;
  }
  return facts;
}

}  // namespace alphasparse
