#include "tools/synthetic/row_walk.h"

#include <algorithm>
#include <iterator>

#include "base/result.h"

namespace alphasparse::synthetic {

namespace {

constexpr int random_attempts = 3;  // before free columns are taken in order
constexpr int alike_tries = 6;
constexpr int keep_tries = 3;

}  // namespace

RowWalk::RowWalk(const SyntheticOptions& options, std::int64_t rows, std::int64_t cols,
                 std::int64_t stretch, std::int64_t giant, Random& random)
    : archetype_(find_archetype(options.kind)),
      rows_(rows),
      cols_(cols),
      stretch_(stretch),
      giant_(giant),
      random_(random),
      steering_(options, archetype_.side),
      placement_(options, cols, random) {}

const Columns& RowWalk::next(std::int64_t length) {
  CHECK(length <= cols_);
  ++row_number_;
  row_.clear();
  fresh_.clear();
  if (length == 0) {
    steering_.account_empty();
    return row_;
  }
  const std::int64_t middle = row_number_ / stretch_ * stretch_ + stretch_ / 2;
  spot_.row = row_number_;
  spot_.diagonal = row_number_ * cols_ / rows_;
  spot_.clump = std::min(middle, rows_ - 1) * cols_ / rows_;
  spot_.length = length;
  keep();
  add_new_runs();
  for (int attempt = 0; !merge(); ++attempt) fill_up(attempt);
  steering_.account(before_, row_);
  before_ = row_;
  if (length < giant_) model_ = row_;
  return row_;
}

/// Takes over columns of the row before that are not too far from the diagonal, and the diagonal.
void RowWalk::keep() {
  const std::int64_t reach = std::max(steering_.span(), spot_.length);
  const auto first = std::lower_bound(model_.begin(), model_.end(), spot_.diagonal - reach);
  const auto end = std::upper_bound(first, model_.end(), spot_.diagonal + reach);
  // A diagonal is close to the diagonal of the row before, unless rows are rows of blocks.
  const bool diagonal = archetype_.diagonal;
  const double close = diagonal && archetype_.side == 1 ? 1 : 0;
  const double wanted = steering_.likeness() * static_cast<double>(before_.size()) - close;
  const std::int64_t count =
      std::min({random_.round(wanted), spot_.length - (diagonal ? 1 : 0), end - first});
  if (count > 0)
    keep_pattern(static_cast<std::size_t>(first - model_.begin()),
                 static_cast<std::size_t>(end - first), static_cast<std::size_t>(count));
  const auto at = std::lower_bound(row_.begin(), row_.end(), spot_.diagonal);
  if (diagonal && (at == row_.end() || *at != spot_.diagonal))
    row_.insert(at, static_cast<std::int32_t>(spot_.diagonal));
}

/// `count` columns on end, from a random one on and round, so that runs stay whole; where pairs are
/// or width are owed, those of some choices that lose the least.
void RowWalk::keep_pattern(std::size_t first, std::size_t available, std::size_t count) {
  const auto begin = model_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto column = [&](std::size_t index) { return begin[static_cast<std::ptrdiff_t>(index)]; };
  const bool pairs_owed = steering_.pairs(0) > 0, width_owed = steering_.too_narrow();
  const auto loss = [&](std::size_t start) {  // pairs with a column that is not kept; ends
    std::size_t lost = 0;
    for (std::size_t i = count; i <= available; ++i) {
      const std::size_t right = (start + i) % available;
      lost += pairs_owed && right > 0 && column(right) == column(right - 1) + 1;
      lost += width_owed && i < available && (right == 0 || right + 1 == available) ? 2 : 0;
    }
    return lost;
  };
  const auto any = [&] {
    return static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(available)));
  };
  std::size_t start = any();
  if ((pairs_owed || width_owed) && count < available) {
    std::size_t least = loss(start);
    for (int i = 0; i < keep_tries && least > 0; ++i) {
      const std::size_t other = any(), lost = loss(other);
      if (lost < least) least = lost, start = other;
    }
  }
  const std::size_t straight = std::min(count, available - start);
  row_.assign(begin, begin + static_cast<std::ptrdiff_t>(count - straight));
  const auto from = begin + static_cast<std::ptrdiff_t>(start);
  row_.insert(row_.end(), from, from + static_cast<std::ptrdiff_t>(straight));
}

/// `columns` cut into `runs` parts of random length, each at least 1.
std::vector<std::int64_t> RowWalk::draw_runs(std::int64_t columns, std::int64_t runs) {
  std::vector<std::int64_t> lengths;
  lengths.reserve(static_cast<std::size_t>(runs));
  for (; runs > 0; --runs) {
    const std::int64_t unused = columns - runs;
    const std::int64_t extra =
        runs == 1 ? unused : random_.below(std::min(unused, 2 * unused / runs + 1) + 1);
    lengths.push_back(1 + extra);
    columns -= 1 + extra;
  }
  return lengths;
}

void RowWalk::add_new_runs() {
  const std::int64_t columns = spot_.length - static_cast<std::int64_t>(row_.size());
  if (columns == 0) return;
  const double owed = steering_.pairs(spot_.length) - static_cast<double>(pair_count(row_));
  std::int64_t pairs = std::clamp<std::int64_t>(random_.round(std::clamp(owed, -1e9, 1e9)), 0,
                                                columns - (row_.empty() ? 1 : 0));
  spot_.low = 0;
  spot_.high = cols_ - 1;
  if (pairs == columns) {
    const bool narrow =
        steering_.too_narrow() && std::int64_t{row_.back()} - row_.front() + 1 < steering_.span();
    if (!narrow || random_.below(2) == 0) return attach(columns);
    --pairs;
  }
  std::vector<std::int64_t> runs = draw_runs(columns, columns - pairs);
  add_end_runs(runs);
  for (const std::int64_t run : runs) add_run(new_column(run), run);
}

/// Where the archetype has it, but not close to the row before where rows are too alike.
std::int64_t RowWalk::new_column(std::int64_t run) {
  std::int64_t col = placement_.propose(spot_, run, random_);
  if (!steering_.too_alike()) return col;
  for (int i = 0; i < alike_tries; ++i) {
    const auto close = std::lower_bound(before_.begin(), before_.end(), col - 1);
    if (close == before_.end() || *close > col + run) break;
    col = i + 1 < alike_tries ? placement_.propose(spot_, run, random_)
                              : spot_.low + random_.below(spot_.high - spot_.low - run + 2);
  }
  return col;
}

void RowWalk::add_run(std::int64_t col, std::int64_t run) {
  col = std::clamp<std::int64_t>(col, 0, cols_ - run);
  for (std::int64_t i = 0; i < run; ++i) fresh_.push_back(static_cast<std::int32_t>(col + i));
}

/// Lengthens one of the runs that were kept.
void RowWalk::attach(std::int64_t count) {
  auto last = static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(row_.size())));
  while (last + 1 < row_.size() && row_[last + 1] == row_[last] + 1) ++last;
  add_run(std::int64_t{row_[last]} + 1, count);
  spot_.low = row_.front();
  spot_.high = row_.back();
}

/// Sets the window, and puts runs at those of its ends that no column reaches yet.
void RowWalk::add_end_runs(std::vector<std::int64_t>& runs) {
  const std::int64_t span = std::max(steering_.span(), spot_.length) - 1;
  const bool held = !row_.empty();
  const std::int64_t first = held ? row_.front() : spot_.diagonal;
  const std::int64_t last = held ? row_.back() : spot_.diagonal;
  spot_.low = first;
  spot_.high = last;
  if (last - first >= span) return;

  const std::int64_t low_least = std::max<std::int64_t>(0, last - span);
  const std::int64_t low_most = std::min(first, cols_ - 1 - span);
  spot_.low = low_least + random_.below(low_most - low_least + 1);
  const bool from_first = low_most == first, to_last = low_least == last - span;
  if (held && (runs.size() == 1 || random_.below(2) == 0)) {  // one run will do
    if (from_first && (!to_last || random_.below(2) == 0)) {
      spot_.low = first;
    } else if (to_last) {
      spot_.low = low_least;
    }
  }
  spot_.high = spot_.low + span;
  if (!held && runs.size() < 2) return;
  if (spot_.low < first || !held) add_end_run(runs, spot_.low);
  if (spot_.high > last || !held) add_end_run(runs, spot_.high);
}

/// Puts a run, if there is one, at an end of the window.
void RowWalk::add_end_run(std::vector<std::int64_t>& runs, std::int64_t end) {
  if (runs.empty()) return;
  const std::int64_t run = runs.back();
  runs.pop_back();
  const std::int64_t col = placement_.end_column(spot_, end, random_);
  add_run(end == spot_.low ? col : col - run + 1, run);
}

/// Moves the new columns into the row; whether it has its length then.
bool RowWalk::merge() {
  std::sort(fresh_.begin(), fresh_.end());
  merged_.clear();
  std::set_union(row_.begin(), row_.end(), fresh_.begin(), fresh_.end(),
                 std::back_inserter(merged_));
  merged_.erase(std::unique(merged_.begin(), merged_.end()), merged_.end());
  row_.swap(merged_);
  fresh_.clear();
  return static_cast<std::int64_t>(row_.size()) == spot_.length;
}

/// New columns in the place of those that fell on others.
void RowWalk::fill_up(int attempt) {
  const std::int64_t missing = spot_.length - static_cast<std::int64_t>(row_.size());
  if (attempt < random_attempts && spot_.high - spot_.low >= spot_.length) {
    for (std::int64_t i = 0; i < missing; ++i) {
      add_run(attempt == 0 ? new_column(1) : spot_.low + random_.below(spot_.high - spot_.low + 1),
              1);
    }
    return;
  }
  take_free(missing);
  spot_.low = std::max<std::int64_t>(0, spot_.low - missing);
  spot_.high = std::min(cols_ - 1, spot_.high + missing);
}

/// The next free columns of the window, from a random one on and round.
void RowWalk::take_free(std::int64_t count) {
  const std::int64_t width = spot_.high - spot_.low + 1;
  const std::int64_t start = random_.below(width);
  auto taken = std::lower_bound(row_.begin(), row_.end(), spot_.low + start);
  for (std::int64_t i = 0; i < width && count > 0; ++i) {
    const std::int64_t col = spot_.low + (start + i) % width;
    if (col == spot_.low) taken = std::lower_bound(row_.begin(), row_.end(), col);
    while (taken != row_.end() && *taken < col) ++taken;
    if (taken != row_.end() && *taken == col) continue;
    fresh_.push_back(static_cast<std::int32_t>(col));
    --count;
  }
}

}  // namespace alphasparse::synthetic
