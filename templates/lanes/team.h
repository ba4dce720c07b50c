// team: threads that run the parts of an SpMV together, each its own task of every part.
//
// Tasks are cut once, when the arrays are there: units that lie side by side, of equal weight. A
// task's sum of the row that it begins with waits in its carry until all are done.
#include <omp.h>

#include <cstddef>
#include <new>

namespace {

constexpr int part_count = sizeof parts / sizeof parts[0];

struct alignas(64) Task {
  int first_unit, end_unit, carry_row;
  Value carry;
};

struct Team {
  Format f = {};
  int threads = 0;
  bool together = false;  // not all parts are for one thread
  Task* tasks = nullptr;  // [part_count * threads]
#ifdef ALPHASPARSE_KERNEL_MIRRORED
  CopiedRows* copies = nullptr;  // [threads]
  Value* copied = nullptr;       // their rows
#endif
};

/// The first unit that at least `share` of `shares` of the weight lies before.
int cut_at(const Format& f, const Part& part, int share, int shares) {
  if (part.weight == nullptr) return static_cast<int>(std::int64_t{part.units} * share / shares);
  const std::int64_t wanted = part.weight(f, part.units) / shares * share;
  int low = 0, high = part.units;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (part.weight(f, middle) < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

void cut_tasks(Team& team) {
  team.together = false;
  for (int p = 0; p < part_count; ++p) {
    const int shares = parts[p].alone ? 1 : team.threads;
    if (shares > 1) team.together = true;
    const auto cut = [&](int share) {
      if (share == 0) return 0;
      return share >= shares ? parts[p].units : cut_at(team.f, parts[p], share, shares);
    };
    for (int t = 0; t < team.threads; ++t) {
      Task& task = team.tasks[p * team.threads + t];
      task.first_unit = cut(t);
      task.end_unit = cut(t + 1);
      const bool may_share =
          parts[p].first_row != nullptr && t > 0 && task.first_unit < task.end_unit;
      task.carry_row = may_share ? parts[p].first_row(team.f, task.first_unit) : -1;
    }
  }
}

#ifdef ALPHASPARSE_KERNEL_MIRRORED
/// The rows that each thread's tasks add to; gives their number. Units are in the order of their
/// rows.
std::int64_t find_copied_rows(Team& team) {
  std::int64_t count = 0;
  for (int t = 0; t < team.threads; ++t) {
    CopiedRows& copy = team.copies[t] = {row_count, 0, nullptr};
    for (int p = 0; p < part_count; ++p) {
      const Task& task = team.tasks[p * team.threads + t];
      if (end_rows[p] == nullptr || task.first_unit >= task.end_unit) continue;
      const int first = parts[p].first_row(team.f, task.first_unit);
      if (first < copy.first_row) copy.first_row = first;
      for (int unit = task.first_unit; unit < task.end_unit; ++unit) {
        const int end = end_rows[p](team.f, unit);
        if (end > copy.end_row) copy.end_row = end < row_count ? end : row_count;
      }
    }
    if (copy.end_row == 0) copy.first_row = 0;
    count += copy.end_row - copy.first_row;
  }
  return count;
}

/// Copies for a team of several; false: no memory.
bool make_copies(Team& team) {
  team.copies = nullptr;
  team.copied = nullptr;
  if (team.threads == 1) return true;
  team.copies = new (std::nothrow) CopiedRows[team.threads];
  if (team.copies == nullptr) return false;
  team.copied = new (std::nothrow) Value[find_copied_rows(team)];
  Value* rows = team.copied;
  for (int t = 0; t < team.threads; ++t) {
    team.copies[t].rows = rows;
    if (rows != nullptr) rows += team.copies[t].end_row - team.copies[t].first_row;
  }
  return team.copied != nullptr;
}

#endif
void run_task(const Part& part, Task& task, const Format& f, Input x, Output out) {
  task.carry = 0;
  out.carry_row = task.carry_row;
  out.carry = &task.carry;
  part.run(f, x, out, task.first_unit, task.end_unit);
}

/// By one thread, when all tasks of the part are done.
void add_carries(const Team& team, int p, const Output& out) {
  for (int t = 1; t < team.threads; ++t) {
    const Task& task = team.tasks[p * team.threads + t];
    if (task.carry_row >= 0) out[task.carry_row] += task.carry;
  }
}

void run_alone(const Team& team, Input x, const Output& out) {
  for (int p = 0; p < part_count; ++p) {
    for (int t = 0; t < team.threads; ++t) {
      run_task(parts[p], team.tasks[p * team.threads + t], team.f, x, out);
    }
    add_carries(team, p, out);
  }
}

#ifdef ALPHASPARSE_KERNEL_MIRRORED
/// The work of one of `threads` threads on rows of their own, then its share of the sum of those;
/// meet() returns when all of them are there. There may be fewer threads than tasks.
template <class Meet>
void run_share(const Team& team, int thread, int threads, Input x, const Output& out, Meet meet) {
  for (int t = thread; t < team.threads; t += threads) {
    team.copies[t].clear();
    for (int p = 0; p < part_count; ++p) {
      const Task& task = team.tasks[p * team.threads + t];
      if (end_rows[p] == nullptr) continue;
      parts[p].run(team.f, x, team.copies[t].output(out), task.first_unit, task.end_unit);
    }
  }
  meet();
  const int first = static_cast<int>(std::int64_t{row_count} * thread / threads);
  const int end = static_cast<int>(std::int64_t{row_count} * (thread + 1) / threads);
  for (int row = first; row < end; ++row) out[row] = out.beta == 0 ? Value(0) : out.beta * out[row];
  for (int t = 0; t < team.threads; ++t) team.copies[t].add_to(out, first, end);
}

#else
/// The work of one of `threads` threads; meet() returns when all of them are there. There may be
/// fewer threads than tasks: some then run several.
template <class Meet>
void run_share(const Team& team, int thread, int threads, Input x, const Output& out, Meet meet) {
  for (int p = 0; p < part_count; ++p) {
    for (int t = thread; t < team.threads; t += threads) {
      run_task(parts[p], team.tasks[p * team.threads + t], team.f, x, out);
    }
    const bool carries = parts[p].first_row != nullptr && !parts[p].alone;
    if (p + 1 < part_count || carries) meet();
    if (!carries) continue;
    if (thread == 0) add_carries(team, p, out);
    if (p + 1 < part_count) meet();
  }
}

#endif
void run_together(const Team& team, Input x, const Output& out) {
#pragma omp parallel num_threads(team.threads)  // which may get fewer than it asks for
  run_share(team, omp_get_thread_num(), omp_get_num_threads(), x, out, [] {
#pragma omp barrier
  });
}

/// y = alpha * A * x + beta * y.
void multiply(const Team& team, Input x, const Output& out) {
  if (!team.together || omp_in_parallel()) {
    run_alone(team, x, out);
  } else {
    run_together(team, x, out);
  }
}

void close_team(Team& team) {
#ifdef ALPHASPARSE_KERNEL_MIRRORED
  delete[] team.copies;
  delete[] team.copied;
#endif
  delete[] team.tasks;
}

/// Cuts the work for so many threads; false: no memory, and all stays as it was.
bool set_threads(Team& team, int threads) {
  Team next = team;
  next.threads = threads;
  next.tasks = new (std::nothrow) Task[static_cast<std::size_t>(part_count) * threads];
  if (next.tasks == nullptr) return false;
  cut_tasks(next);
#ifdef ALPHASPARSE_KERNEL_MIRRORED
  if (!make_copies(next)) {
    close_team(next);
    return false;
  }
#endif
  close_team(team);
  team = next;
  return true;
}

}  // namespace
