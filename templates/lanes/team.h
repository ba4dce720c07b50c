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

/// Cuts the work for so many threads; false: no memory, and all stays as it was.
bool set_threads(Team& team, int threads) {
  Task* const tasks = new (std::nothrow) Task[static_cast<std::size_t>(part_count) * threads];
  if (tasks == nullptr) return false;
  delete[] team.tasks;
  team.tasks = tasks;
  team.threads = threads;
  cut_tasks(team);
  return true;
}

void close_team(Team& team) { delete[] team.tasks; }

}  // namespace
