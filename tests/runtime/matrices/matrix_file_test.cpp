// matrix_file_test: SciPy's .npz and PETSc's binary become the matrix that the same entries as text
// become. Every fault of a file is told in one line that names it.
#include "runtime/matrices/matrix_file.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/matrices/binary/npz.h"
#include "runtime/matrices/binary/petsc_binary.h"
#include "tests/support/archives.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

template <class T>
std::string bytes_of(const std::vector<T>& numbers, std::endian order = std::endian::little) {
  std::string bytes;
  for (const T number : numbers) {
    char raw[sizeof(T)];
    std::memcpy(raw, &number, sizeof(T));
    if (order != std::endian::native) std::reverse(raw, raw + sizeof(T));
    bytes.append(raw, sizeof(T));
  }
  return bytes;
}

std::string npy(const std::string& type, const std::string& shape, const std::string& elements,
                const std::string& fortran = "False") {
  std::string header =
      "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': (" + shape + "), }";
  while ((header.size() + 11) % 64 != 0) header += ' ';
  header += '\n';
  const auto length = static_cast<std::uint16_t>(header.size());
  return std::string("\x93NUMPY\x01\x00", 8) + bytes_of<std::uint16_t>({length}) + header +
         elements;
}

using Arrays = std::map<std::string, std::string>;

std::string zipped(const Arrays& arrays, bool deflated = true) {
  ArchiveFiles files;
  for (const auto& [name, bytes] : arrays) files.emplace_back(name + ".npy", bytes);
  return archived(files, deflated ? "zip" : "stored");
}

using I = std::vector<std::int32_t>;
using D = std::vector<double>;

// 2 x 3: (0, 0) 1, (0, 2) 2, (1, 1) -3.
Arrays csr() {
  return {{"format", npy("|S3", "", "csr")},
          {"shape", npy("<i8", "2,", bytes_of<std::int64_t>({2, 3}))},
          {"indptr", npy("<i4", "3,", bytes_of(I{0, 2, 3}))},
          {"indices", npy("<i4", "3,", bytes_of(I{0, 2, 1}))},
          {"data", npy("<f8", "3,", bytes_of(D{1, 2, -3}))}};
}

void expect_small(const Entries& entries) {
  const Matrix matrix = canonical(Entries(entries));
  EXPECT_EQ(check_canonical(matrix), "");
  EXPECT_EQ(matrix.cols, 3);
  EXPECT_EQ(matrix.row_first, (I{0, 2, 3}));
  EXPECT_EQ(matrix.col, (I{0, 2, 1}));
  EXPECT_EQ(matrix.value, (D{1, 2, -3}));
}

// The same places: 1 - i, 2 + i / 2, -3 + 4 i.
const D complex_data = {1, -1, 2, 0.5, -3, 4};

void expect_small_complex(const Entries& entries) {
  expect_small(entries);
  EXPECT_EQ(canonical(Entries(entries)).imag, (D{-1, 0.5, 4}));
}

template <class Act>
void expect_refused(const Act& act, const std::string& text) {
  try {
    act();
    ADD_FAILURE() << "not refused: " << text;
  } catch (const Error& error) {
    const std::string reason = error.what();
    EXPECT_NE(reason.find(text), std::string::npos) << reason;
    EXPECT_TRUE(reason.starts_with("m")) << "names the file: " << reason;
    EXPECT_EQ(reason.find('\n'), std::string::npos);
    EXPECT_EQ(error.code(), ExitCode::bad_input);
  }
}

/// `blocks` blocks of side 2^30, of which the file says that they have no elements.
std::string huge_blocks(std::int64_t blocks) {
  const std::vector<std::int32_t> indices(static_cast<std::size_t>(blocks), 0);
  return zipped({{"format", npy("|S3", "", "bsr")},
                 {"shape", npy("<i8", "2,", bytes_of<std::int64_t>({1 << 30, 1 << 30}))},
                 {"indptr", npy("<i8", "2,", bytes_of<std::int64_t>({0, blocks}))},
                 {"indices", npy("<i4", std::to_string(blocks) + ",", bytes_of(indices))},
                 {"data", npy("<f8", "0, 1073741824, 1073741824", "")}});
}

TEST(Npz, ProductsOfSizesThatNoNumberHoldsAreRefused) {
  ReadLimits limits;
  for (const std::int64_t blocks : {16, 8, 4}) {  // times 2^60: 2^64, 2^63, 2^62
    limits.memory_bytes = INT64_MAX;
    expect_refused([&] { parse_npz(huge_blocks(blocks), "m.npz", limits); },
                   "data has 0 elements, not ");
    limits.memory_bytes = 1'000'000'000;
    expect_refused([&] { parse_npz(huge_blocks(blocks), "m.npz", limits); }, " of memory, ");
  }
}

TEST(Npz, EveryFormatIsTheSameMatrix) {
  expect_small(parse_npz(zipped(csr()), "m.npz"));
  expect_small(parse_npz(zipped(csr(), false), "m.npz"));
  Arrays csc = csr();
  csc["format"] = npy("|S3", "", "csc");
  csc["indptr"] = npy("<i8", "4,", bytes_of<std::int64_t>({0, 1, 2, 3}));
  csc["indices"] = npy("<i8", "3,", bytes_of<std::int64_t>({0, 1, 0}));
  csc["data"] = npy("<f4", "3,", bytes_of<float>({1, -3, 2}));
  expect_small(parse_npz(zipped(csc), "m.npz"));
  const Arrays coo = {
      {"format", npy("<U3", "", std::string("c\0\0\0o\0\0\0o\0\0\0", 12))},
      {"shape", npy("<i8", "2,", bytes_of<std::int64_t>({2, 3}))},
      {"row", npy(">i4", "4,", bytes_of(I{1, 0, 0, 0}, std::endian::big))},
      {"col", npy(">i4", "4,", bytes_of(I{1, 2, 0, 2}, std::endian::big))},
      {"data", npy(">i2", "4,", bytes_of<std::int16_t>({-3, 1, 1, 1}, std::endian::big))}};
  expect_small(parse_npz(zipped(coo), "m.npz"));  // duplicates are summed
  Arrays dia = coo;
  dia["format"] = npy("|S3", "", "dia");
  dia["offsets"] = npy("<i4", "2,", bytes_of(I{0, 2}));
  dia["data"] = npy("<f8", "2, 3", bytes_of(D{1, -3, 9, 9, 9, 2}));
  expect_small(parse_npz(zipped(dia), "m.npz"));
  Arrays bsr = csr();
  bsr["format"] = npy("|S3", "", "bsr");
  bsr["indptr"] = npy("<i4", "2,", bytes_of(I{0, 2}));
  bsr["indices"] = npy("<i4", "2,", bytes_of(I{0, 1}));
  bsr["shape"] = npy("<i8", "2,", bytes_of<std::int64_t>({2, 4}));
  bsr["data"] = npy("<f8", "2, 2, 2", bytes_of(D{1, 0, 0, -3, 2, 0, 0, 0}));
  const Matrix blocks = canonical(parse_npz(zipped(bsr), "m.npz"));
  EXPECT_EQ(blocks.nnz(), 8) << "zeros of blocks are stored";
  EXPECT_EQ(blocks.value, (D{1, 0, 2, 0, 0, -3, 0, 0}));
}

TEST(Npz, ComplexValuesInEveryFormat) {
  Arrays arrays = csr();
  arrays["data"] = npy("<c16", "3,", bytes_of(complex_data));
  expect_small_complex(parse_npz(zipped(arrays), "m.npz"));
  arrays["format"] = npy("|S3", "", "csc");
  arrays["indptr"] = npy("<i4", "4,", bytes_of(I{0, 1, 2, 3}));
  arrays["indices"] = npy("<i4", "3,", bytes_of(I{0, 1, 0}));
  arrays["data"] = npy("<c8", "3,", bytes_of<float>({1, -1, -3, 4, 2, 0.5}));
  expect_small_complex(parse_npz(zipped(arrays), "m.npz"));
  arrays["format"] = npy("|S3", "", "coo");
  arrays["row"] = npy("<i4", "4,", bytes_of(I{1, 0, 0, 0}));
  arrays["col"] = npy("<i4", "4,", bytes_of(I{1, 2, 0, 2}));
  arrays["data"] = npy(">c16", "4,", bytes_of(D{-3, 4, 2, -3, 1, -1, 0, 3.5}, std::endian::big));
  expect_small_complex(parse_npz(zipped(arrays), "m.npz"));  // duplicates are summed
  arrays["format"] = npy("|S3", "", "dia");
  arrays["offsets"] = npy("<i4", "2,", bytes_of(I{0, 2}));
  const D diagonals = {1, -1, -3, 4, 9, 9, 9, 9, 9, 9, 2, 0.5};
  arrays["data"] = npy("<c16", "2, 3", bytes_of(diagonals));
  expect_small_complex(parse_npz(zipped(arrays), "m.npz"));
  arrays["data"] = npy("<c16", "2, 3", bytes_of(D{0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(canonical(parse_npz(zipped(arrays), "m.npz")).imag, D{7}) << "zeros are no entries";
  arrays["format"] = npy("|S3", "", "bsr");
  arrays["shape"] = npy("<i8", "2,", bytes_of<std::int64_t>({2, 2}));
  arrays["indptr"] = npy("<i4", "2,", bytes_of(I{0, 1}));
  arrays["indices"] = npy("<i4", "1,", bytes_of(I{0}));
  arrays["data"] = npy("<c16", "1, 2, 2", bytes_of(D{1, 5, 2, 6, 3, 7, 4, 0}));
  const Matrix blocks = canonical(parse_npz(zipped(arrays), "m.npz"));
  EXPECT_EQ(blocks.value, (D{1, 2, 3, 4}));
  EXPECT_EQ(blocks.imag, (D{5, 6, 7, 0}));
}

// SciPy's own files of one random matrix.
TEST(MatrixFile, SciPysComplexFilesAreOneMatrix) {
  const TestFolder folder;
  const CommandOutcome written = run_command(
      "cd '" + folder.path().string() +
      "' && python=$('" ALPHASPARSE_SOURCE_DIR
      "/python/find' numpy scipy) && $python -B -c \"\n"
      "import numpy, scipy.io, scipy.sparse as sp\n"
      "a = sp.random(40, 30, 0.2, random_state=1) + 1j * sp.random(40, 30, 0.2, random_state=2)\n"
      "scipy.io.mmwrite('m.mtx', a, precision=17)\n"
      "for kind in 'csr', 'csc', 'coo', 'bsr', 'dia':\n"
      "  sp.save_npz(kind, a.asformat(kind))\n"
      "for packs in False, True:\n"
      "  scipy.io.savemat(f'{packs}.mat', {'A': a.tocsc()}, do_compression=packs)\n"
      "sp.save_npz('single', a.astype('complex64'))\n\"");
  if (written.status == 77) GTEST_SKIP() << "no python3 has NumPy and SciPy";
  ASSERT_EQ(written.status, 0) << written.output;
  const auto read = [&](const char* file) { return read_matrix((folder / file).string()); };
  const Matrix matrix = read("m.mtx");
  ASSERT_TRUE(matrix.is_complex());
  for (const char* const file :
       {"csr.npz", "csc.npz", "coo.npz", "dia.npz", "True.mat", "False.mat"})
    EXPECT_EQ(fingerprints(read(file)).values, fingerprints(matrix).values) << file;
  EXPECT_GE(read("bsr.npz").nnz(), matrix.nnz()) << "zeros of blocks are stored";
  const Matrix single = read("single.npz");
  ASSERT_EQ(single.col, matrix.col);
  for (std::int64_t nz = 0; nz < matrix.nnz(); ++nz)
    EXPECT_EQ(single.imag[nz], static_cast<float>(matrix.imag[nz]));
}

TEST(Npz, WhatIsWrongIsTold) {
  const auto refused = [](const char* name, std::string array, const char* text) {
    Arrays arrays = csr();
    arrays[name] = std::move(array);
    expect_refused([&] { parse_npz(zipped(arrays), "m.npz"); }, text);
  };
  refused("format", npy("|S3", "", "lil"), "array format says 'lil'");
  refused("shape", npy("<i8", "2,", bytes_of<std::int64_t>({2, 3'000'000'000})),
          "array shape says");
  refused("shape", npy("<i8", "2,", bytes_of<std::int64_t>({0, 3})), "has 0 rows and 3 columns");
  refused("indptr", npy("<i4", "3,", bytes_of(I{0, 4, 3})), "never decreases");
  refused("indptr", npy("<i4", "2,", bytes_of(I{0, 3})), "has 2 elements, not 3");
  refused("indices", npy("<i4", "3,", bytes_of(I{0, 3, 1})), "row 1, column 4 of 2 x 3");
  refused("indices", npy("<i4", "3,", bytes_of(I{0, -1, 1})), "column 0");
  refused("indices", npy("<f8", "3,", bytes_of(D{0, 2, 1})), "holds no integers");
  refused("indices", npy("<c16", "3,", std::string(48, '\0')), "holds no integers");
  refused("data", npy("<c16", "3,", std::string(40, '\0')), "ends after 40 bytes of 3 elements");
  refused("data", npy("<c16", "3, 2", std::string(90, '\0')), "ends after 90 bytes of 6 elements");
  refused("data", npy("<c16", "2,", std::string(32, '\0')), "has 2 elements, not 3");
  refused("data", npy("<c8", "3,", bytes_of<float>({1, 2, 3, 4, 5, INFINITY})), "element 3 is inf");
  refused("data", npy("<c32", "3,", std::string(96, '\0')), "save A.astype('complex128') with");
  refused("data", npy("<c4", "3,", std::string(12, '\0')), "the type <c4, neither");
  refused("data", npy("<f2", "3,", std::string(6, '\0')),
          "type <f2, neither integers of 8 to 64 bits nor floats of 32 or 64, nor two such floats; "
          "save A.astype('float64')");
  refused("data", npy("<f8", "3,", bytes_of(D{1, 2})), "ends after 16 bytes of 3 elements");
  refused("data", npy("<f8", "3,", bytes_of(D{1, NAN, 2})), "element 2 is nan");
  refused("data", npy("<f8", "4000000000,", bytes_of(D{1})), "ends after 8 bytes");
  refused("data", "no array", "no array of NumPy's");
  Arrays without = csr();
  without.erase("indices");
  expect_refused([&] { parse_npz(zipped(without), "m.npz"); }, "has no array indices");
  std::string cut = zipped(csr());
  cut.resize(cut.size() / 2);
  expect_refused([&] { parse_npz(cut, "m.npz"); }, "cannot be unpacked");
  ReadLimits few;
  few.expanded_count = 2;
  expect_refused([&] { parse_npz(zipped(csr()), "m.npz", few); }, "3 entries are more than");
}

template <class Index = std::int32_t, class Value = double>
std::string petsc(std::vector<Index> integers, const std::vector<Value>& values) {
  integers.insert(integers.begin(), 1211216);
  return bytes_of(integers, std::endian::big) + bytes_of(values, std::endian::big);
}

TEST(PetscBinary, IsTheSameMatrix) {
  const I integers = {2, 3, 3, 2, 1, 0, 2, 1};
  const std::string bytes = petsc(integers, D{1, 2, -3});
  EXPECT_TRUE(is_petsc_binary(bytes));
  expect_small(parse_petsc_binary(bytes, "m.petsc"));
  expect_small(parse_petsc_binary(petsc(integers, std::vector<float>{1, 2, -3}), "m.petsc"));
  expect_small(parse_petsc_binary(
      petsc(std::vector<std::int64_t>(integers.begin(), integers.end()), D{1, 2, -3}), "m.petsc"));
  const std::string vector = bytes_of(I{1211214, 2}, std::endian::big) + std::string(16, '\0');
  expect_small(parse_petsc_binary(bytes + vector, "m.petsc"));
}

TEST(PetscBinary, ComplexValuesAreToldByTheLengthOrTheOptions) {
  const I integers = {2, 3, 3, 2, 1, 0, 2, 1};
  const std::vector<std::int64_t> wide(integers.begin(), integers.end());
  const std::vector<float> singles(complex_data.begin(), complex_data.end());
  const std::string zeros(16, '\0');
  const std::string vector = bytes_of(I{1211214, 1}, std::endian::big) + zeros;
  const std::string wide_vector = bytes_of<std::int64_t>({1211214, 1}, std::endian::big) + zeros;
  for (const std::string options :
       {"", "-mat_complex", "# m\n-matload_block_size 1\n-mat_complex 1\n"}) {
    expect_small_complex(parse_petsc_binary(petsc(integers, complex_data), "m", {}, options));
    expect_small_complex(
        parse_petsc_binary(petsc(integers, complex_data) + vector, "m", {}, options));
    expect_small_complex(
        parse_petsc_binary(petsc(wide, complex_data) + wide_vector, "m", {}, options));
    if (options.empty()) continue;
    expect_small_complex(parse_petsc_binary(petsc(integers, singles) + vector, "m", {}, options));
  }
  // A vector behind singles, together as long as doubles.
  const std::string long_vector = bytes_of(I{1211214, 1}, std::endian::big) + zeros.substr(0, 4);
  expect_small(
      parse_petsc_binary(petsc(integers, std::vector<float>{1, 2, -3}) + long_vector, "m"));
  // Two floats are as long as a double, which is meant where nobody says otherwise.
  const Matrix real = canonical(parse_petsc_binary(petsc(integers, D{1, 2, -3}), "m"));
  EXPECT_FALSE(real.is_complex());
  EXPECT_FALSE(canonical(parse_petsc_binary(petsc(integers, singles), "m")).is_complex());
  expect_small(parse_petsc_binary(petsc(integers, D{1, 2, -3}), "m", {}, "-mat_double"));
  const auto refused = [&](const std::string& bytes, const char* options, const char* text) {
    expect_refused([&] { parse_petsc_binary(bytes, "m", {}, options); }, text);
  };
  const std::string bytes = petsc(integers, complex_data);
  refused(bytes, "-mat_double",
          "m: PETSc binary: ends after 84 bytes, 48 behind its indices; values of 3 entries take "
          "24 or 12 bytes (-mat_double): write the file again, or correct its .info file");
  refused(petsc(integers, std::vector<float>{1, 2, -3}), "-mat_complex",
          "take 48 or 24 bytes (-mat_complex): write the file again, or correct");
  refused(bytes.substr(0, bytes.size() - 8), "",
          "40 behind its indices; values of 3 entries take "
          "24 or 12 bytes (-mat_double), 48 or 24 bytes (-mat_complex): write the file again");
  refused(bytes.substr(0, 30), "", "0 behind its indices");
  refused(petsc(integers, D{1, -1, 2, 0.5, -3, NAN}), "", "the value of entry 3 is nan");
}

TEST(PetscBinary, TheCompanionOfAFileTellsItsType) {
  const TestFolder folder;
  const I integers = {2, 3, 3, 2, 1, 0, 2, 1};
  const std::string bytes =
      petsc(integers, std::vector<float>(complex_data.begin(), complex_data.end()));
  set_contents(folder / "m.petsc", bytes);
  set_contents(folder / "m.petsc.gz", packed(bytes, "gzip"));
  const auto is_complex = [&](const char* file) {
    return read_matrix((folder / file).string()).is_complex();
  };
  EXPECT_FALSE(is_complex("m.petsc"));
  const std::string longest(255, 'm');
  set_contents(folder / longest, bytes);
  EXPECT_FALSE(is_complex(longest.c_str()));
  set_contents(folder / "m.petsc.info", "-mat_complex\n");
  EXPECT_TRUE(is_complex("m.petsc"));
  EXPECT_TRUE(is_complex("m.petsc.gz"));
  set_contents(folder / "m.petsc.info", "-mat_double\n");
  EXPECT_FALSE(is_complex("m.petsc"));
}

TEST(PetscBinary, WhatIsWrongIsTold) {
  const auto refused = [](const I& integers, const D& values, const char* text) {
    expect_refused([&] { parse_petsc_binary(petsc(integers, values), "m.petsc"); }, text);
  };
  refused({2, 3, -1}, {1, 2, 3, 4, 5, 6}, "dense");
  refused({2, 3, -5}, {}, "-5 non-zeros");
  refused({0, 3, 0}, {}, "0 rows");
  refused({2, 3, 3, 2, 1, 0, 2, 1}, {1, 2}, "ends after");
  refused({2, 3, 3, 2, 2, 0, 2, 1}, {1, 2, 3}, "row 2 has 2 entries");
  refused({2, 3, 3, 1, 1, 0, 2, 1}, {1, 2, 3}, "its rows have 2 entries");
  refused({2, 3, 3, 2, 1, 0, 3, 1}, {1, 2, 3}, "column 4 of 3");
  refused({2, 3, 3, 2, 1, 0, 2, 1}, {1, INFINITY, 3}, "the value of entry 2 is inf");
  refused({2, 3, 2'000'000'000, 2, 1}, {1}, "of memory");
}

/// Any damage is an Error or a matrix.
template <class Parse>
void expect_to_survive(std::string bytes, const Parse& parse) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = bytes;
    for (std::uint32_t count = 1 + random() % 3; count > 0; --count)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    if (random() % 4 == 0) damaged.resize(random() % damaged.size());
    try {
      EXPECT_EQ(check_canonical(canonical(parse(damaged))), "");
    } catch (const Error&) {  // told
    }
  }
}

TEST(MatrixFile, DamageIsToldOrHarmless) {
  expect_to_survive(petsc(I{2, 3, 3, 2, 1, 0, 2, 1}, D{1, 2, -3}),
                    [](const std::string& bytes) { return parse_petsc_binary(bytes, "m"); });
  expect_to_survive(petsc(I{2, 3, 3, 2, 1, 0, 2, 1}, complex_data),
                    [](const std::string& bytes) { return parse_petsc_binary(bytes, "m"); });
  Arrays complex = csr();
  complex["data"] = npy("<c16", "3,", bytes_of(complex_data));
  expect_to_survive(zipped(complex, false),
                    [](const std::string& bytes) { return parse_npz(bytes, "m"); });
  expect_to_survive(zipped(csr(), false),
                    [](const std::string& bytes) { return parse_npz(bytes, "m"); });
}

TEST(MatrixFile, IsReadByWhatItHoldsAndNotByItsName) {
  const TestFolder folder;
  const auto expect_read = [&](const std::string& bytes) {
    set_contents(folder / "m.any", bytes);
    const Matrix matrix = read_matrix((folder / "m.any").string());
    EXPECT_EQ(matrix.value, (D{1, 2, -3}));
  };
  expect_read(zipped(csr()));
  expect_read(petsc(I{2, 3, 3, 2, 1, 0, 2, 1}, D{1, 2, -3}));
  expect_read("%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 1\n1 3 2\n2 2 -3\n");
  EXPECT_EQ(matrix_stem("a/b.npz"), "b");
  EXPECT_EQ(matrix_stem("a/b.petsc"), "b");
  EXPECT_EQ(matrix_stem("a/b.mtx.gz"), "b");
  EXPECT_TRUE(has_matrix_ending("b.npz"));
  EXPECT_FALSE(has_matrix_ending("b.txt"));
}

TEST(MatrixFile, TooManyEntriesAreRefusedByTheSizeLine) {
  const TestFolder folder;
  const std::string path = (folder / "m.mtx").string();
  const auto refused = [&](const std::string& kind, const std::string& sizes, const char* text) {
    set_contents(path, "%%MatrixMarket matrix coordinate real " + kind + "\n" + sizes + "\n");
    try {
      read_matrix(path);
      ADD_FAILURE() << sizes;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find(path + ":2"), std::string::npos) << error.what();
    }
  };
  refused("general", "100000 100000 2147483648", "2147483648");
  refused("symmetric", "100000 100000 1100000000", "2199900000 entries, mirror images included");
}

}  // namespace
}  // namespace alphasparse
