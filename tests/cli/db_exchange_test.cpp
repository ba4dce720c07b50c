// cli_db_exchange: databases as documents and into one another - export, import, merge.
#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <thread>

#include "runtime/system/sqlite.h"
#include "tests/support/db_folder.h"

namespace alphasparse {
namespace {

struct CliDbExchange : CliDb {};

/// Everything that is hard to write down.
void fill_oddly(Database& database) {
  Problem problem = problem_of("gr\xfc\xdf\n\x1b[31m \xe2\x82\xac");
  problem.matrix.pattern = "odd";
  const std::string run =
      database.begin_run(problem, {0.1, 0, std::numeric_limits<std::uint64_t>::max()});
  double time_us = 1e-310;
  for (std::size_t i = 0; i < 12; ++i) {
    Measurement measurement = timed(design(i % 5), time_us);
    measurement.timing->note = i % 2 ? "\xff\xfe \"quoted\" \\ \t" : "";
    measurement.load_us = time_us / 3;
    database.record(run, measurement);
    time_us *= 1.234567891e25;
  }
  database.record(run, failed(design(3), Status::crash, std::string("a\0b", 3)));
}

TEST_F(CliDbExchange, ADocumentComesBackBitByBit) {
  fill();
  {
    Database database = Database::open(place());
    fill_oddly(database);
  }
  ASSERT_EQ(db("export one.json").status, 0);
  const std::string document = contents(folder / "one.json");
  const json parsed = json::parse(document);
  EXPECT_EQ(parsed["format"], "alphasparse tuning database");
  EXPECT_EQ(parsed["schema"], 9);
  EXPECT_EQ(parsed["tables"]["measurement"].size(), 23u);
  const json imported = db_json("import one.json --db u.db");
  EXPECT_EQ(imported["files"][0]["measurements"], 23);
  EXPECT_EQ(imported["files"][0]["problems"], 5);
  ASSERT_EQ(db("export two.json --db u.db").status, 0);
  EXPECT_EQ(contents(folder / "two.json"), document);
  EXPECT_EQ(db_json("import two.json")["files"][0]["measurements"], 0) << "a union";
  EXPECT_EQ(json::parse(db("list --json").out)["problems"],
            json::parse(db("list --json --db u.db").out)["problems"]);
  EXPECT_EQ(db("list").out.find('\x1b'), std::string::npos) << "nothing that a terminal obeys";
}

TEST_F(CliDbExchange, ExportNeverReplacesADatabase) {
  fill();
  fill("u.db");
  std::filesystem::create_symlink("u.db", folder / "link.json");
  const std::string before = contents(folder / "u.db");
  for (const std::string target : {"t.db", "u.db", "link.json"})
    expect_error("export " + target, 2, target + " is a database and is not overwritten; name");
  EXPECT_EQ(contents(folder / "u.db"), before);
  EXPECT_EQ(measurements(), 10);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.json"));
}

TEST_F(CliDbExchange, ExportFollowsLinksAndWritesIntoAFifo) {
  namespace fs = std::filesystem;
  fill();
  ASSERT_EQ(db("export plain.json").status, 0);
  const std::string document = contents(folder / "plain.json");
  fs::create_directory(folder / "far");
  set_contents(folder / "far/old.json", "old");
  fs::create_symlink("far/old.json", folder / "second.json");
  fs::create_symlink("second.json", folder / "first.json");
  fs::create_symlink("far/new.json", folder / "dangling.json");
  ASSERT_EQ(db("export first.json").status, 0);
  ASSERT_EQ(db("export dangling.json").status, 0);
  for (const char* const link : {"first.json", "second.json", "dangling.json"})
    EXPECT_TRUE(fs::is_symlink(folder / link)) << link;
  EXPECT_EQ(contents(folder / "far/old.json"), document);
  EXPECT_EQ(contents(folder / "far/new.json"), document);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "far"), {}), 2) << "nothing beside them";
  fs::create_symlink("round.json", folder / "round.json");
  expect_error("export round.json", 2, "cannot write round.json: ");
  expect_error("export far", 2, "cannot write far: Is a directory; name another file");

  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  // A file in the place of the pipe would leave the reader waiting.
  const CliOutcome piped =
      run_cli(folder, "db export pipe --db t.db", "{ timeout 20 cat pipe >got & } && timeout 20");
  EXPECT_EQ(piped.status, 0) << piped.err;
  EXPECT_EQ(fs::status(folder / "pipe").type(), fs::file_type::fifo);
  for (int i = 0; i < 200 && contents(folder / "got").size() < document.size(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(contents(folder / "got"), document);
}

TEST_F(CliDbExchange, BrokenDocumentsAreRefusedAndChangeNothing) {
  fill();
  fill("u.db");
  ASSERT_EQ(db("export good.json --db u.db").status, 0);
  const std::string good = contents(folder / "good.json");
  const auto refuse = [&](const std::string& document, const std::string& text) {
    set_contents(folder / "bad.json", document);
    expect_error("import bad.json", 2, "bad.json " + text);
    EXPECT_EQ(measurements(), 10);
  };
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, good.size() / 3, good.size() / 2, good.size() - 3})
    refuse(good.substr(0, size), "is no whole JSON document");
  refuse("{}", "is no tuning database");
  refuse("[1, 2]", "is no tuning database");
  refuse("{\"format\": \"another\", \"schema\": 8, \"tables\": {}}", "is no tuning database");
  refuse(std::string(100'000, '['), "is no whole JSON document");

  const auto changed = [&](const std::function<void(json&)>& change) {
    json document = json::parse(good);
    change(document);
    return document.dump();
  };
  const auto change_row = [&](const char* table, const std::function<void(json&)>& change) {
    return changed([&](json& document) { change(document["tables"][table][0]); });
  };
  for (const int other : {8, 10}) {
    refuse(changed([&](json& d) { d["schema"] = other; }),
           fmt::format("cannot be taken in: it has schema {}, this program knows 9", other));
  }
  refuse(changed([](json& d) { d["tables"].erase("run"); }), "has no table: run");
  refuse(changed([](json& d) { d["tables"]["more"] = json::array(); }), "has a table that");
  refuse(changed([](json& d) { d["tables"]["run"].erase(0); }), "cannot be taken in: row ");
  refuse(changed([](json& d) { d["tables"]["device"][0] = 5; }), "cannot be taken in: row 1 of");
  refuse(change_row("measurement", [](json& row) { row["format_bytes"] = 1; }),
         "cannot be taken in: measurement ");
  refuse(change_row("measurement", [](json& row) { row["status"] = "fine"; }),
         "cannot be taken in: row 1 of measurement");
  refuse(change_row("measurement", [](json& row) { row["created_at"] = "yesterday"; }),
         "cannot be taken in: measurement ");
  refuse(change_row("measurement", [](json& row) { row.erase("design"); }),
         "cannot be taken in: row 1 of measurement");
  refuse(change_row("matrix", [](json& row) { row["nnz"] = "7"; }), "cannot be taken in: row 1 of");
  for (const auto& [column, wrong] : std::vector<std::pair<const char*, json>>{
           {"nnz", -7}, {"nnz", 21}, {"rows", 0}, {"cols", 2147483648}, {"rows", INT64_MAX}}) {
    refuse(change_row("matrix", [&](json& row) { row[column] = wrong; }),
           "cannot be taken in: matrix ");
  }
  json columns = json::parse(good)["tables"];
  for (const auto& [table, rows] : columns.items()) {
    if (rows.empty()) continue;
    for (const auto& [column, value] : rows[0].items()) {
      if (!value.is_string()) continue;
      refuse(change_row(table.c_str(), [&](json& row) { row[column] = std::string(70'000, 'x'); }),
             "cannot be taken in: ");
    }
  }
  refuse(change_row("matrix",
                    [](json& row) {
                      row["name"] = {{"hex", "f"}};
                    }),
         "cannot be taken in: row 1 of matrix");
  refuse(change_row("run", [](json& row) { row["seed"] = 18446744073709551615u; }),
         "cannot be taken in: row 1 of run");
  refuse(change_row("design", [](json& row) { row["text"] = "another"; }),
         "cannot be taken in: design ");
  expect_error("import bad.json --db new.db", 2, "bad.json ");
  EXPECT_FALSE(std::filesystem::exists(folder / "new.db"));
  expect_error("import no-such.json", 2, "cannot read no-such.json");
  expect_error("import .", 2, "cannot read .");
}

/// Searches and baselines of each number of vectors stay apart, also where databases meet.
TEST_F(CliDbExchange, EachNumberOfVectorsKeepsItsBaseline) {
  const auto fill_with = [&](const std::string& file, int vectors) {
    Database database = Database::open((folder / file).string());
    Problem problem = problem_of("a");
    problem.options += vectors_option(vectors);
    database.record(database.begin_run(problem, {60, 0, 0}), timed(design(0), 10));
    problem.options = std::string(vendor_options) + vectors_option(vectors);
    database.record(database.begin_run(problem, {60, 0, 0}),
                    timed("cusparse-csr-2", 10.0 * vectors));
  };
  fill_with("t.db", 1);
  fill_with("u.db", 8);
  ASSERT_EQ(db_json("merge u.db")["files"][0]["measurements"], 2);
  EXPECT_EQ(db("verify").status, 0);
  const auto ratios = [&] {
    std::map<std::string, json> ratios;
    const json listed = db_json("list --matrix a");
    for (const json& problem : listed["problems"])
      if (!problem["vendor"].get<bool>()) ratios[problem["options"]] = problem["times_vendor"];
    return ratios;
  };
  const std::string options = problem_of("a").options;
  const std::map<std::string, json> own = {{options, 1.0}, {options + " vectors=8", 8.0}};
  EXPECT_EQ(ratios(), own);
  EXPECT_EQ(db("prune --failed").status, 0);
  EXPECT_EQ(ratios(), own);
}

TEST_F(CliDbExchange, EachTypeOfNumbersIsAProblemOfItsOwn) {
  const auto fill_with = [&](const std::string& file, const NumberType& type) {
    Database database = Database::open((folder / file).string());
    Problem problem = problem_of("a");
    problem.dtype = type.dtype;
    const std::string run = database.begin_run(problem, {60, 0, 0});
    database.record(run, timed(design(0), type.bytes));
    database.record(run, failed(design(1), Status::pruned, "too many pads"));
    problem.options = vendor_options;
    database.record(database.begin_run(problem, {60, 0, 0}),
                    timed("cusparse-csr-2", 10.0 * type.bytes * type.parts));
  };
  for (const NumberType& type : number_types) fill_with(type.is_complex() ? "t.db" : "u.db", type);
  ASSERT_EQ(db_json("merge u.db")["files"][0]["problems"], 4);
  const auto listed = [&](const std::string& database) {
    std::map<std::string, json> ratios;
    const json list = db_json("list --matrix a --db " + database);
    for (const json& problem : list["problems"])
      if (!problem["vendor"].get<bool>()) ratios[problem["dtype"]] = problem["times_vendor"];
    return ratios;
  };
  const std::map<std::string, json> own = {
      {"c128", 20.0}, {"c64", 20.0}, {"f32", 10.0}, {"f64", 10.0}};
  EXPECT_EQ(listed("t.db"), own);
  EXPECT_EQ(db("prune --failed").status, 0);
  EXPECT_EQ(listed("t.db"), own);
  ASSERT_EQ(db("export all.json").status, 0);
  ASSERT_EQ(db_json("import all.json --db v.db")["files"][0]["problems"], 8);
  EXPECT_EQ(listed("v.db"), own);
  EXPECT_EQ(db("verify --db v.db").status, 0);
  const json best = db_json("best a --dtype c128 --of search");
  EXPECT_EQ(best["problems"].size(), 1u) << best;
  EXPECT_EQ(best["problems"][0]["best"]["time_us"], 16);
}

TEST_F(CliDbExchange, MergeIsAUnionOfSound) {
  fill("a.db");
  fill("b.db");
  const json merged = db_json("merge a.db b.db");
  ASSERT_EQ(merged["files"].size(), 2u);
  EXPECT_EQ(merged["files"][0]["problems"], 4);
  EXPECT_EQ(merged["files"][1]["problems"], 0) << "the same problems";
  EXPECT_EQ(merged["files"][1]["runs"], 4);
  EXPECT_EQ(measurements(), 20);
  EXPECT_EQ(measurements("b.db"), 10);
  EXPECT_EQ(db_json("merge a.db")["files"][0]["measurements"], 0);

  expect_error("merge no-such.db", 5, "no-such.db does not exist; name another database");
  EXPECT_FALSE(std::filesystem::exists(folder / "no-such.db"));
  expect_error("merge t.db", 2, "is the very database");
  fill("c.db");
  Sqlite(place("c.db")).run("PRAGMA user_version=10");
  expect_error("merge c.db", 5, "has schema 10");
  fill("e.db");
  std::string bytes = contents(folder / "e.db");
  for (std::size_t i = 4096; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 37);
  set_contents(folder / "e.db", bytes);
  expect_error("merge a.db e.db", 5, "e.db ");
  EXPECT_EQ(measurements(), 20);
}

// Every row of another file is checked by itself: impossible rows are left out, and reported.
TEST_F(CliDbExchange, MergeLeavesOutWhatCannotBe) {
  Problem problem = problem_of("a");
  const auto forge = [&](const std::function<void(Database&, const std::string&)>& add) {
    std::filesystem::remove(folder / "f.db");
    Database made = Database::open(place("f.db"));
    add(made, made.begin_run(problem, {60, 0, 0}));
  };
  const auto skipped = [&](const std::string& command = "merge f.db") {
    const json file = db_json(command)["files"][0];
    std::string text;
    for (const json& one : file["skipped"])
      text += fmt::format("{} {}; ", one["rows"].get<int>(), one["reason"].get<std::string>());
    return text + std::to_string(file["measurements"].get<int>());
  };
  forge([](Database& made, const std::string& run) { made.record(run, timed("garbage", 1)); });
  EXPECT_EQ(skipped(), "1 a design that does not parse; 1 its design was left out; 0");
  db("export f.json --db f.db");
  EXPECT_EQ(skipped("import f.json"),
            "1 a design that does not parse; 1 its design was left out; 0");
  forge([](Database& made, const std::string& run) {
    made.record(run, timed(std::string(5'000'000, '{'), 1));
  });
  EXPECT_EQ(skipped(), "1 its design was left out; 1 its text has more than 65536 bytes; 0");
  for (const double time_us : {0., -1., std::numeric_limits<double>::infinity()}) {
    forge([&](Database& made, const std::string& run) {
      made.record(run, timed(design(0), time_us));
      made.record(run, timed(design(1), 2));
    });
    const std::string said = skipped();
    EXPECT_TRUE(said.starts_with("1 a time that is not ") && said.ends_with("; 1")) << said;
  }
  const auto dated = [&](const char* date) {
    forge([&](Database& made, const std::string& run) {
      Measurement measurement = timed(design(0), 1);
      measurement.created_at = date;
      made.record(run, measurement);
    });
    return skipped();
  };
  EXPECT_EQ(dated("2999-01-01T00:00:00.000Z"), "1 a date that is more than a day ahead; 0");
  EXPECT_EQ(dated("1999-01-01T00:00:00.000Z"), "1 a date before that of its run; 0");
  EXPECT_EQ(dated("yesterday"), "1 created_at is no time; 0");
  for (const char* const sql :
       {"UPDATE measurement SET format_bytes=1 WHERE time_us=5", "UPDATE matrix SET nnz=-1",
        "UPDATE matrix SET rows=0", "UPDATE matrix SET nnz=rows*cols+1",
        "UPDATE matrix SET name='x'||zeroblob(2000)", "UPDATE run SET machine=zeroblob(2000)||'x'",
        "UPDATE run SET seconds_asked=-1", "UPDATE run_end SET trials=-1"}) {
    std::filesystem::remove(folder / "f.db");
    fill("f.db");
    Sqlite(place("f.db")).run(sql);
    const std::string before = contents(folder / "f.db");
    const CliOutcome outcome = db("merge f.db --db g.db");
    EXPECT_EQ(outcome.status, 0) << sql << outcome.err;
    EXPECT_NE(outcome.out.find(" left out: "), std::string::npos) << sql << outcome.out;
    EXPECT_EQ(contents(folder / "f.db"), before) << sql;
    EXPECT_EQ(db("verify --db g.db").status, 0) << sql;
    std::filesystem::remove(folder / "g.db");
  }
}

// An owner of our rows may not add to our runs.
TEST_F(CliDbExchange, NobodyAddsToTheRunsOfThisMachine) {
  fill();
  std::filesystem::copy_file(folder / "t.db", folder / "f.db");
  {
    Sqlite sqlite(place("f.db"));
    SqlStatement run(sqlite,
                     "SELECT run.key FROM run JOIN problem ON problem.key = run.problem "
                     "WHERE options <> 'vendor' ORDER BY run.key LIMIT 1");
    ASSERT_TRUE(run.step());
    Database::open(place("f.db")).record(run.text(0), timed(design(3), 0.001));
  }
  const json file = db_json("merge f.db")["files"][0];
  EXPECT_EQ(file["measurements"], 0);
  ASSERT_EQ(file["skipped"].size(), 1u);
  EXPECT_EQ(file["skipped"][0]["reason"], "a row of a run that this machine has made");
  EXPECT_EQ(measurements(), 10);
}

TEST_F(CliDbExchange, ALimitOfAFilesSizeChangesNothing) {
  {
    Database database = Database::open(place("u.db"));
    const std::string run = database.begin_run(problem_of("a"), {60, 0, 0});
    for (int i = 0; i < 400; ++i)
      database.record(run, failed(design(i % 5), Status::pruned, fmt::format("{:2000}", i)));
  }
  ASSERT_EQ(db("export big.json --db u.db").status, 0);
  fill();
  const std::string limited = "ulimit -f 300;";  // of 512 or 1024 bytes
  for (const char* command : {"import big.json", "merge u.db"}) {
    const CliOutcome outcome = db(command, limited);
    EXPECT_EQ(outcome.status, 5) << command << outcome.err;
    EXPECT_NE(outcome.err.find("(ulimit -f)"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1);
    EXPECT_EQ(measurements(), 10);
    EXPECT_EQ(db("verify").status, 0);
  }
  EXPECT_EQ(db("export full.json --db u.db", limited).status, 4);
  EXPECT_FALSE(std::filesystem::exists(folder / "full.json"));
}

}  // namespace
}  // namespace alphasparse
