// format_struct: the code behind a member, and that only arrays that kernels read have a function
// and a pointer.
#include "generator/arrays/format_struct.h"

#include <gtest/gtest.h>

namespace alphasparse {
namespace {

const Integers line = {3, 5, 7, 9};
const Integers wild = {4, 0, 9, 1, 7, 2};

std::vector<std::string> names_of(FormatStruct& format) {
  std::vector<std::string> names;
  for (const Array& array : format.take_arrays()) names.push_back(array.name);
  return names;
}

TEST(FormatStruct, HasWhatIsReadAlone) {
  FormatStruct format(Dtype::f64);
  const std::vector<double> values = {1.0};
  format.add_values(values, {0});
  format.add("wild", wild, "entries");
  format.add("other", {8, 1, 0, 5}, "entries");
  EXPECT_EQ(format.text("Format").find("wild"), std::string::npos);
  EXPECT_EQ(format.read("wild", "k"), "f.wild(k)");
  const std::string text = format.text("Format");
  EXPECT_NE(text.find("const int* wild_;"), std::string::npos) << text;
  EXPECT_EQ(text.find("other"), std::string::npos) << text;
  EXPECT_EQ(names_of(format), (std::vector<std::string>{"value", "wild"}));
}

TEST(FormatStruct, ValuesSpeakOfPadsWhereThereAreSome) {
  const std::vector<double> values = {1.0, 2.0};
  for (const auto& [source, doc] :
       {std::pair<Integers, const char*>{{0, 1}, "// [2] value of each stored entry\n"},
        {{0, 1, -1}, "// [3] value of each stored entry; 0 for a pad\n"}}) {
    FormatStruct format(Dtype::f32);
    format.add_values(values, source);
    format.read("value", "k");
    const std::string text = format.text("Format");
    EXPECT_NE(text.find(doc), std::string::npos) << text;
  }
}

TEST(FormatStruct, TextSetsNothing) {
  FormatStruct format(Dtype::f32);
  format.compact({.structure = CodingChoice::packed});
  Integers many(1000);
  for (int i = 0; i < 1000; ++i) many[i] = i * 7919 % (i < 900 ? 10 : 1000);
  format.add("many", many, "entries");
  format.read("many", "k");
  const FormatStruct copy = format;
  const std::string text = format.text("Format");
  EXPECT_NE(text.find("    const int2 pair = many_chunk2(2 * (i / "), std::string::npos) << text;
  EXPECT_NE(text.find("pair.x + packed_bits(many_bits_, pair.y, i);"), std::string::npos) << text;
  EXPECT_EQ(format.text("Format"), text);
  EXPECT_EQ(copy.text("Format"), text);
}

TEST(FormatStruct, AnArrayOfTheSameEntriesIsReadInItsPlace) {
  FormatStruct format(Dtype::f32);
  format.add("wild", wild, "entries");
  format.add("twin", wild, "entries");
  EXPECT_EQ(format.read("twin", "k"), "f.wild(k)");
  const std::vector<ComputedArray> computed = format.computed_arrays();
  ASSERT_EQ(computed.size(), 1U);
  EXPECT_EQ(computed[0].name, "twin");
  EXPECT_EQ(computed[0].how, same_entries);
  EXPECT_EQ(names_of(format), std::vector<std::string>{"wild"});
}

/// Entries that no model gives, of 9 bits.
Integers scattered(int count) {
  Integers entries;
  for (int i = 0; i < count; ++i) entries.push_back(i * 7919 % 509);
  return entries;
}

// A key stands for the integers of coded arrays, which are not kept.
TEST(FormatStruct, CodedArraysOfTheSameEntriesAreOne) {
  for (const CodingChoice coding : {CodingChoice::narrow, CodingChoice::packed}) {
    FormatStruct format(Dtype::f32);
    format.compact({.structure = coding});
    Integers other = scattered(1000);
    std::swap(other[400], other[401]);
    format.add("first", scattered(1000), "entries");
    format.add("twin", scattered(1000), "entries");
    format.add("other", std::move(other), "entries");
    format.add("shorter", scattered(999), "entries");
    EXPECT_EQ(format.read("twin", "k"), "f.first(k)");
    EXPECT_EQ(format.read("other", "k"), "f.other(k)");
    EXPECT_EQ(format.read("shorter", "k"), "f.shorter(k)");
  }
}

TEST(FormatStruct, WhatIsComputedHasNoPointerAndTheTrivialNoFunction) {
  FormatStruct format(Dtype::f32);
  format.add("line", line, "entries");
  format.add("self", {0, 1, 2, 3}, "entries");
  format.add("same", {5, 5, 5}, "entries");
  EXPECT_EQ(format.read("line", "k"), "f.line(k)");
  EXPECT_EQ(format.read("self", "k"), "k");
  EXPECT_EQ(format.read("same", "k"), "5");
  EXPECT_TRUE(format.is_identity("self"));
  const std::string text = format.text("Format");
  EXPECT_NE(text.find("int line(int i) const { return 2 * i + 3; }"), std::string::npos) << text;
  EXPECT_EQ(text.find("self"), std::string::npos) << text;
  EXPECT_EQ(text.find("same"), std::string::npos) << text;
  EXPECT_TRUE(names_of(format).empty());
}

TEST(FormatStruct, LanesAndNeighboursAreReadByFunctionsOfTheirOwn) {
  FormatStruct format(Dtype::f32, Target::cpu);
  format.add("wild", wild, "entries");
  EXPECT_EQ(format.read_lanes("wild", "run", true), "f.wild(run)");
  const std::string lanes = format.text("Format");
  EXPECT_NE(lanes.find("Near<int, G> wild(Run<G> i)"), std::string::npos) << lanes;
  EXPECT_EQ(lanes.find("wild(int i)"), std::string::npos) << lanes;

  FormatStruct wide(Dtype::f32);
  const std::vector<double> four = {1, 2, 3, 4};
  wide.add_values(four, {0, 1, 2, 3});
  wide.stream({"value"});
  EXPECT_EQ(wide.read_vector("value", 4, "k").expression, "f.value4(k)");
  const std::string text = wide.text("Format");
  EXPECT_NE(text.find("return __ldcs(reinterpret_cast<const float4*>(value_ + i));"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("value(int i)"), std::string::npos) << text;
}

TEST(FormatStruct, FieldsOfOneWidthHaveNoHeads) {
  FormatStruct format(Dtype::f32);
  format.compact({.structure = CodingChoice::packed});
  Integers many(1000);
  for (int i = 0; i < 1000; ++i) many[i] = i * 7919 % 1000;
  format.add("many", many, "entries");
  format.read("many", "k");
  const std::string text = format.text("Format");
  EXPECT_NE(text.find("return packed_fields(many_bits_, 10, i);"), std::string::npos) << text;
  EXPECT_EQ(names_of(format), std::vector<std::string>{"many_bits"});
}

/// CPUs have arrays that are read together in one array as well, and read them one by one.
TEST(FormatStruct, ChunksOfCpusAreReadEntryByEntry) {
  FormatStruct format(Dtype::f64, Target::cpu);
  format.compact({.columns = CodingChoice::runs});
  Integers columns(1000);
  for (int i = 0, column = 0; i < 1000; ++i) {
    if (i * i % 11 == 4) column += 3 + i % 5;
    columns[i] = column++;
  }
  format.add("column", columns, "columns", true);
  format.read("column", "k");
  const std::string text = format.text("Format");
  EXPECT_NE(text.find("run_number(column_runs(2 * (i / 32)), column_runs(2 * (i / 32) + 1),"),
            std::string::npos)
      << text;
}

/// Columns of so many lanes that lie near each other.
Integers columns_of(int count, int lanes) {
  Integers columns(count);
  for (int i = 0; i < count; ++i) columns[i] = 1000 * (i / lanes) + i * 7919 % 211;
  return columns;
}

FormatStruct of_gangs(int gang, CodingChoice columns) {
  FormatStruct format(Dtype::f64, Target::cpu);
  format.compact({.columns = columns, .values = ValueChoice::coded});
  format.set_gang(gang);
  format.add("column", columns_of(1024, 64), "columns", true);
  return format;
}

TEST(FormatStruct, LanesOfOneChunkAreToldAtOnce) {
  FormatStruct format = of_gangs(16, CodingChoice::narrow);
  format.read_lanes("column", "entry", true);
  const std::string text = format.text("Format");
  EXPECT_NE(text.find("INLINE auto column(Run<16> i) const { return column_base(i / "),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("INLINE int column(int i)"), std::string::npos) << text;
}

TEST(FormatStruct, LanesOfTwoChunksAreToldOneByOne) {
  for (const auto& [gang, whole] : {std::pair{16, false}, std::pair{48, true}}) {
    FormatStruct format = of_gangs(gang, CodingChoice::narrow);
    format.read_lanes("column", "entry", whole);
    const std::string text = format.text("Format");
    EXPECT_NE(text.find("each(i, [&](int entry) { return column(entry); })"), std::string::npos)
        << text;
    EXPECT_NE(text.find("INLINE int column(int i)"), std::string::npos) << text;
  }
}

TEST(FormatStruct, FewCodesAreComparedAndMoreAreLookedUp) {
  for (const int distinct : {2, 4, 5, 9}) {
    FormatStruct format = of_gangs(8, CodingChoice::full);
    std::vector<double> values(512);
    std::vector<std::int32_t> source(512);
    for (int i = 0; i < 512; ++i) {
      values[i] = 0.1 * (i * 31 % distinct);
      source[i] = i;
    }
    format.add_values(values, source);
    format.read_lanes("value", "entry", true);
    const std::string text = format.text("Format");
    const std::string how = distinct <= 4 ? "chosen<" + std::to_string(distinct) + ">(" : "gather(";
    EXPECT_NE(text.find("return " + how + "value_dictionary_, i)"), std::string::npos) << text;
    EXPECT_EQ(text.find("value(int i)"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace alphasparse
