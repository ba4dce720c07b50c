// schema: the tables of the tuning database.
//
// Keys are content hashes (measurement and run: with their time), rows are never changed. A change
// of the tables raises schema_version; columns are added at the end of a table, as an older file
// gets them.
#pragma once
#include <array>
#include <cstdint>

namespace alphasparse {

inline constexpr std::int64_t schema_application_id = 0x416C5370;  // "AlSp"
inline constexpr std::int64_t schema_version = 4;

/// Those that travel to other databases and into documents, parents first. Models do not: they
/// follow from the measurements, and what reads them is not made for bytes that anybody may have
/// written.
inline constexpr std::array<const char*, 8> schema_tables = {
    "device", "matrix", "design", "problem", "run", "run_end", "measurement", "matrix_features"};

inline constexpr const char* schema_script = R"sql(
CREATE TABLE device (
  key TEXT PRIMARY KEY,
  gpu TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('measured', 'modelled')),
  version TEXT NOT NULL,               -- of the driver, or of the GPU model
  arch TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE matrix (
  key TEXT PRIMARY KEY,
  pattern TEXT NOT NULL,               -- fingerprints
  value_bits TEXT NOT NULL,
  rows INTEGER NOT NULL,
  cols INTEGER NOT NULL,
  nnz INTEGER NOT NULL,
  name TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX matrix_of_pattern ON matrix (pattern);

CREATE TABLE design (
  key TEXT PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;

CREATE TABLE problem (
  key TEXT PRIMARY KEY,
  matrix TEXT NOT NULL REFERENCES matrix (key),
  device TEXT NOT NULL REFERENCES device (key),
  dtype TEXT NOT NULL CHECK (dtype IN ('f32', 'f64')),
  regime TEXT NOT NULL CHECK (regime IN ('warm', 'cold')),
  options TEXT NOT NULL,
  generator TEXT NOT NULL              -- its version
) STRICT, WITHOUT ROWID;
CREATE INDEX problem_of_matrix ON problem (matrix);

CREATE TABLE run (
  key TEXT PRIMARY KEY,
  problem TEXT NOT NULL REFERENCES problem (key),
  seconds_asked REAL NOT NULL,
  trials_asked INTEGER NOT NULL,       -- 0: as many as the time allows
  seed INTEGER NOT NULL,
  created_at TEXT NOT NULL             -- UTC
) STRICT, WITHOUT ROWID;
CREATE INDEX run_of_problem ON run (problem);

CREATE TABLE run_end (                 -- none: killed, or still going on
  run TEXT PRIMARY KEY REFERENCES run (key),
  state TEXT NOT NULL CHECK (state IN ('complete', 'interrupted')),
  seconds REAL NOT NULL,
  trials INTEGER NOT NULL,
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE measurement (
  key TEXT PRIMARY KEY,
  run TEXT NOT NULL REFERENCES run (key),
  design TEXT NOT NULL REFERENCES design (key),
  status TEXT NOT NULL CHECK (status IN ('ok', 'compile_error', 'launch_error', 'timeout',
    'wrong_result', 'crash', 'out_of_memory', 'pruned', 'duplicate')),
  reason TEXT NOT NULL,
  verified INTEGER NOT NULL CHECK (verified IN (0, 1)),
  format_bytes INTEGER NOT NULL,       -- -1: not built
  time_us REAL,                        -- from here to note: NULL where it was not timed
  time_us_p20 REAL,
  time_us_p80 REAL,
  samples INTEGER,
  registers INTEGER,                   -- -1: not known, and so for the three below
  spill_bytes INTEGER,
  sectors INTEGER,
  dram_bytes INTEGER,
  note TEXT,
  created_at TEXT NOT NULL,
  sm_mhz INTEGER,                      -- from here on NULL where not known, or older than schema 2
  slowed TEXT,
  noisy INTEGER,
  rounds INTEGER,
  convert_us REAL,
  load_us REAL,
  trial_us REAL,                       -- from here on NULL where not known, or older than schema 3
  bound_us REAL,
  time_us_min REAL                     -- NULL where not known, or older than schema 4
) STRICT, WITHOUT ROWID;
CREATE INDEX measurement_of_run ON measurement (run);

-- Of a problem's measurements of a design, the newest.
CREATE VIEW outcome AS
SELECT * FROM (
  SELECT run.problem, design.text, measurement.*, row_number() OVER (
    PARTITION BY run.problem, measurement.design
    ORDER BY measurement.created_at DESC, measurement.key DESC) AS age
  FROM run JOIN measurement ON measurement.run = run.key
  JOIN design ON design.key = measurement.design)
WHERE age = 1;
)sql";

/// What schema 3 has added: what later searches learn from.
inline constexpr const char* schema_script_of_learning = R"sql(
CREATE TABLE matrix_features (
  key TEXT PRIMARY KEY,
  matrix TEXT NOT NULL REFERENCES matrix (key),
  version INTEGER NOT NULL,            -- of the features' meaning
  numbers TEXT NOT NULL                -- JSON, name to number
) STRICT, WITHOUT ROWID;
CREATE INDEX matrix_features_of_matrix ON matrix_features (matrix);

CREATE TABLE model (                   -- of a problem's times; only the newest is kept
  key TEXT NOT NULL PRIMARY KEY,
  problem TEXT NOT NULL REFERENCES problem (key),
  features_version INTEGER NOT NULL,
  feature_names TEXT NOT NULL,         -- a JSON array
  rows INTEGER NOT NULL,               -- that it was trained on
  regression BLOB NOT NULL,            -- XGBoost's UBJSON
  classifier BLOB NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX model_of_problem ON model (problem);
)sql";

/// From schema 1 to 2.
inline constexpr const char* schema_script_from_1 = R"sql(
ALTER TABLE measurement ADD COLUMN sm_mhz INTEGER;
ALTER TABLE measurement ADD COLUMN slowed TEXT;
ALTER TABLE measurement ADD COLUMN noisy INTEGER;
ALTER TABLE measurement ADD COLUMN rounds INTEGER;
ALTER TABLE measurement ADD COLUMN convert_us REAL;
ALTER TABLE measurement ADD COLUMN load_us REAL;
)sql";

/// From schema 2; the script of learning follows.
inline constexpr const char* schema_script_from_2 = R"sql(
ALTER TABLE measurement ADD COLUMN trial_us REAL;
ALTER TABLE measurement ADD COLUMN bound_us REAL;
)sql";

/// From schema 3.
inline constexpr const char* schema_script_from_3 = R"sql(
ALTER TABLE measurement ADD COLUMN time_us_min REAL;
)sql";

}  // namespace alphasparse
