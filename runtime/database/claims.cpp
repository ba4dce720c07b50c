// claims: which process works on which matrix, so that no two of them do the same.
//
// A claim is a row with an end: a process that works on prolongs it, and the claim of a killed
// process ends soon. It keeps nobody from writing: without it two do the same work.
#include "runtime/database/rows.h"

namespace alphasparse {

bool Database::claim(const std::string& work, const std::string& holder, double seconds) {
  Sqlite& sqlite = state_->sqlite;
  Transaction transaction(sqlite);
  // The clock of a holder may have been ahead.
  sqlite.run(
      "DELETE FROM claim WHERE until NOT BETWEEN strftime('%Y-%m-%dT%H:%M:%fZ', 'now') AND "
      "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', format('%+f seconds', 2 * abs(?1)))",
      seconds);
  sqlite.run(
      "INSERT INTO claim VALUES (?1, ?2, "
      "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', format('%+f seconds', ?3))) "
      "ON CONFLICT (key) DO UPDATE SET until = excluded.until WHERE holder = excluded.holder",
      work, holder, seconds);
  const bool is_ours = sqlite.changes() > 0;
  transaction.commit();
  return is_ours;
}

void Database::release(const std::string& work, const std::string& holder) {
  state_->sqlite.run("DELETE FROM claim WHERE key = ?1 AND holder = ?2", work, holder);
}

bool Database::has_answer(const Problem& problem) {
  SqlStatement row(
      state_->sqlite,
      "SELECT 1 FROM matrix JOIN problem ON problem.matrix = matrix.key "
      "JOIN run ON run.problem = problem.key JOIN measurement ON run = run.key "
      "WHERE name = ?1 AND device = ?2 AND dtype = ?3 AND regime = ?4 AND options = ?5 "
      "AND sample_nnz IS NULL AND generator = ?6 AND machine = ?7 AND status = 'ok' AND "
      "verified LIMIT 1");
  return row
      .bind(problem.matrix_name, device_key(problem.device),
            std::string_view(dtype_name(problem.dtype)),
            std::string_view(regime_name(problem.regime)), problem.options,
            problem.generator_version, state_->machine)
      .step();
}

}  // namespace alphasparse
