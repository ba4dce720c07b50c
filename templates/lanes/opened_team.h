// opened_team: the functions that a shared object of a kernel offers to the program that loads it:
// teams of threads, and SpMVs by them.
#include "multiply_rows.h"

extern "C" {

/// A team for these arrays: the pointers of Format, in its order. Null: no memory.
void* alphasparse_open_team(const void* pointers, int threads) {
  Team* const team = new (std::nothrow) Team{};
  if (team == nullptr) return nullptr;
  std::memcpy(&team->f, pointers, sizeof team->f);
  if (set_threads(*team, threads)) return team;
  delete team;
  return nullptr;
}

/// y = alpha * A * x + beta * y, in memory whose neighbouring rows lie ldx and ldy apart.
void alphasparse_run_team(const void* team, const void* alpha, const void* x, std::int64_t ldx,
                          const void* beta, void* y, std::int64_t ldy) {
  using Scale = decltype(Output::alpha);
  multiply_rows(*static_cast<const Team*>(team), *static_cast<const Scale*>(alpha), x, ldx,
                *static_cast<const Scale*>(beta), y, ldy);
}

void alphasparse_close_team(void* opened) {
  Team* const team = static_cast<Team*>(opened);
  close_team(*team);
  delete team;
}
}
