// schema: the tables of the tuning database.
//
// Keys are content hashes (measurement and run: with their time), rows are never changed. A change
// of the tables or of the spelling of keys raises schema_version. `tools/renew_database` reads this
// file, and makes files of older schemas new.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/system/sqlite.h"

namespace alphasparse {

inline constexpr std::int64_t schema_application_id = 0x416C5370;  // "AlSp"
inline constexpr std::int64_t schema_version = 9;

/// The tables that travel to other databases and into documents, parents first. The name of this
/// machine does not travel.
inline constexpr std::array<const char*, 9> schema_tables = {
    "device",  "matrix",      "design",        "problem",        "run",
    "run_end", "measurement", "feature_names", "matrix_features"};

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
CREATE INDEX matrix_of_name ON matrix (name);

CREATE TABLE design (
  key TEXT PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;

CREATE TABLE problem (
  key TEXT PRIMARY KEY,
  matrix TEXT NOT NULL REFERENCES matrix (key),
  device TEXT NOT NULL REFERENCES device (key),
  dtype TEXT NOT NULL CHECK (dtype IN ('f32', 'f64', 'c64', 'c128')),
  regime TEXT NOT NULL CHECK (regime IN ('warm', 'cold')),
  options TEXT NOT NULL,
  generator TEXT NOT NULL,             -- its version
  sample_nnz INTEGER                   -- of a sample of the matrix; NULL: the whole
) STRICT, WITHOUT ROWID;
CREATE INDEX problem_of_matrix ON problem (matrix);
CREATE INDEX problem_of_conditions ON problem (device, dtype, regime, options);

CREATE TABLE run (
  key TEXT PRIMARY KEY,
  problem TEXT NOT NULL REFERENCES problem (key),
  seconds_asked REAL NOT NULL,
  trials_asked INTEGER NOT NULL,       -- 0: as many as the time allows
  seed INTEGER NOT NULL,
  created_at TEXT NOT NULL,            -- UTC
  machine TEXT NOT NULL                -- that has begun it
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
  original TEXT,                       -- of a duplicate: the design that has its kernel
  verified INTEGER NOT NULL CHECK (verified IN (0, 1)),
  counted INTEGER NOT NULL CHECK (counted IN (0, 1)),  -- on a sample, for the whole matrix
  format_bytes INTEGER,                -- NULL: not built
  time_us REAL,                        -- NULL where it was not timed, and so to time_us_p80
  time_us_min REAL,                    -- NULL: modelled, or not known
  time_us_p20 REAL,
  time_us_p80 REAL,
  samples INTEGER,                     -- from here to note: NULL where it was not timed
  rounds INTEGER,
  noisy INTEGER,
  slowed TEXT,
  note TEXT,
  registers INTEGER,                   -- from here on: NULL where it is not known
  spill_bytes INTEGER,
  sectors INTEGER,
  dram_bytes INTEGER,
  sm_mhz INTEGER,
  convert_us REAL,
  load_us REAL,
  trial_us REAL,
  bound_us REAL,
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX measurement_of_run ON measurement (run);

CREATE TABLE feature_names (              -- of a list of numbers
  key TEXT PRIMARY KEY,
  names TEXT NOT NULL                     -- a JSON array
) STRICT, WITHOUT ROWID;

CREATE TABLE matrix_features (
  key TEXT PRIMARY KEY,
  matrix TEXT NOT NULL REFERENCES matrix (key),
  version INTEGER NOT NULL,               -- of the features' meaning
  names TEXT NOT NULL REFERENCES feature_names (key),
  numbers BLOB NOT NULL,                  -- doubles, little-endian, one a name
  nnz REAL,                               -- these are some of the numbers: their indices find
  row_length_mean REAL,                   -- matrices that are alike; NULL where there is no such
  row_length_variance REAL,
  bandwidth REAL,
  similarity REAL
) STRICT;
CREATE INDEX matrix_features_of_matrix ON matrix_features (matrix, version);
CREATE INDEX matrix_features_by_nnz ON matrix_features (version, nnz);
CREATE INDEX matrix_features_by_mean ON matrix_features (version, row_length_mean);
CREATE INDEX matrix_features_by_variance ON matrix_features (version, row_length_variance);
CREATE INDEX matrix_features_by_bandwidth ON matrix_features (version, bandwidth);
CREATE INDEX matrix_features_by_similarity ON matrix_features (version, similarity);

CREATE TABLE machine (                    -- that use this file, one row each; never merged
  key TEXT PRIMARY KEY,                   -- at random
  host TEXT NOT NULL                      -- hash of the key and of what the machine calls itself
) STRICT, WITHOUT ROWID;

CREATE TABLE roofline (                   -- the newest of a device on a machine; never merged
  machine TEXT NOT NULL REFERENCES machine (key),
  device TEXT NOT NULL,                   -- as of the device table
  copy_gb_per_s REAL NOT NULL,
  read_gb_per_s REAL NOT NULL,
  gather_l2_per_ns REAL NOT NULL,
  gather_dram_per_ns REAL NOT NULL,
  empty_warm_us REAL NOT NULL,
  empty_cold_us REAL NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (machine, device)
) STRICT, WITHOUT ROWID;

CREATE TABLE claim (                      -- of work that one process has taken on; never merged
  key TEXT PRIMARY KEY,                   -- hash of the matrix file and of what is asked of it
  holder TEXT NOT NULL,                   -- at random
  until TEXT NOT NULL                     -- then it counts no more; UTC
) STRICT, WITHOUT ROWID;
)sql";

/// The features with indices that find similar matrices: columns of matrix_features.
inline constexpr std::array<const char*, 5> likeness_columns = {
    "nnz", "row_length_mean", "row_length_variance", "bandwidth", "similarity"};

/// The most bytes of a text in a column of this name, from any writer.
std::size_t text_limit(std::string_view column);

/// As much of a text as such a column may have.
std::string shorten(const std::string& text, std::string_view column);

/// Makes the tables in an empty file.
void make_schema(Sqlite& sqlite);

/// The statement that adds a row of so many columns, whose values are bound.
std::string insert_row_text(std::string_view table, std::size_t columns);

/// How the schema of a file differs from ours; empty: not at all. SQLite's own tables and indices
/// do not count.
std::string schema_difference(Sqlite& sqlite);

/// Whether two tables or indices begin at the same page of the file, or one of them outside it;
/// empty: neither. It looks at no page but those of the schema.
std::string root_damage(Sqlite& sqlite);

}  // namespace alphasparse
