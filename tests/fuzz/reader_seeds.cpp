// reader_seeds: small files for the targets of matrix files.
#include "tests/fuzz/reader_seeds.h"

#include <cstring>
#include <utility>

#include "base/result.h"
#include "tests/support/archives.h"
#include "tests/support/matlab_files.h"

namespace alphasparse {

namespace {

using Parts = std::vector<std::string>;

const std::string market =
    "%%MatrixMarket matrix coordinate real general\n% a comment\n2 3 3\n1 1 1\n1 3 2.5e0\n2 2 "
    "-3D0\n";
const std::string symmetric =
    "%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 1\n2 1 2\n";
const std::string skew = "%%MatrixMarket matrix array real skew-symmetric\n3 3\n0\n1\n2\n0\n3\n0\n";
const std::string boeing =
    "title\n 5 1 1 2\nRUA 2 3 3 0\n(4I3) (3I3) (2E12.4)\n  1  2  3  4\n  1  2  1\n  1.0000E+00 "
    "-3.0000D+00\n 2.0\n";
const std::string boeing_pattern = "title\n 2 1 1 0\npsa 2 2 2 0\n(4I3) (3I3)\n  1  3  3\n  1  2\n";
const std::string boeing_groups =
    "title\n 4 1 1 2\nrua 2 3 3 0\n(T2,4(1X,I2)) (2X,I1,(TL1,TR4,I2)) (F7.1,/,1(-1P,E8.2E2))\n"
    "  1  2  3  4\n  1   2\n    1\n   4000\n 1.5E+00\n     25\n";
const std::string complex_market =
    "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 1 0\n2 1 2.5 -3D0\n";
const std::string complex_boeing =
    "title\n 5 1 1 2\nCHA 2 2 2 0\n(4I3) (3I3) (2E12.4)\n  1  3  3\n  1  2\n  1.0000E+00  "
    "0.0000E+00\n  2.5000E+00 -3.0000D+00\n";
const std::string smtx = "2, 3, 3\n0 2 3\n0 2 1\n";

std::string alone(const Parts& parts) { return parts.front(); }

ReaderSeed text(const std::string& content) { return {{content}, alone}; }

template <class T>
std::string little(const std::vector<T>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

template <class T>
std::string big(std::vector<T> numbers) {
  std::string bytes;
  for (const T number : numbers) {
    char raw[sizeof(T)];
    std::memcpy(raw, &number, sizeof(T));
    for (std::size_t i = sizeof(T); i > 0; --i) bytes += raw[i - 1];
  }
  return bytes;
}

std::string npy(const std::string& type, const std::string& shape, const std::string& elements) {
  std::string header =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }\n";
  const auto length = static_cast<std::uint16_t>(header.size());
  return std::string("\x93NUMPY\x01\x00", 8) + little(std::vector<std::uint16_t>{length}) + header +
         elements;
}

using Named = std::vector<std::pair<std::string, std::string>>;

/// A seed of files that are packed into a zip or a tar.
ReaderSeed archive_seed(const Named& files, const std::string& format,
                        const std::string& packing = "none") {
  ReaderSeed seed;
  std::vector<std::string> names;
  for (const auto& [name, content] : files) {
    names.push_back(name);
    seed.parts.push_back(content);
  }
  seed.pack = [names, format, packing](const Parts& parts) {
    ArchiveFiles packed;
    for (std::size_t i = 0; i < parts.size(); ++i) packed.emplace_back(names[i], parts[i]);
    return archived(packed, format, packing);
  };
  return seed;
}

std::vector<ReaderSeed> npz_seeds() {
  using I = std::vector<std::int32_t>;
  using L = std::vector<std::int64_t>;
  using D = std::vector<double>;
  const auto format = [](const char* name) { return npy("|S3", "", name); };
  const std::string shape = npy("<i8", "2,", little(L{2, 3}));
  const std::string data = npy("<f8", "3,", little(D{1, 2, -3}));
  const Named csr = {{"format.npy", format("csr")},
                     {"shape.npy", shape},
                     {"indptr.npy", npy("<i4", "3,", little(I{0, 2, 3}))},
                     {"indices.npy", npy("<i4", "3,", little(I{0, 2, 1}))},
                     {"data.npy", data}};
  const Named coo = {{"format.npy", format("coo")},
                     {"shape.npy", shape},
                     {"row.npy", npy("<i4", "3,", little(I{0, 0, 1}))},
                     {"col.npy", npy("<i8", "3,", little(L{0, 2, 1}))},
                     {"data.npy", data}};
  const Named dia = {{"format.npy", format("dia")},
                     {"shape.npy", shape},
                     {"offsets.npy", npy("<i4", "2,", little(I{0, 1}))},
                     {"data.npy", npy("<f8", "2, 3", little(D{1, 2, 3, 4, 5, 6}))}};
  const Named bsr = {{"format.npy", format("bsr")},
                     {"shape.npy", npy("<i8", "2,", little(L{2, 2}))},
                     {"indptr.npy", npy("<i4", "2,", little(I{0, 1}))},
                     {"indices.npy", npy("<i4", "1,", little(I{0}))},
                     {"data.npy", npy("<f8", "1, 2, 2", little(D{1, 2, 3, 4}))}};
  Named complex = csr;
  complex.back().second = npy("<c8", "3,", little(std::vector<float>{1, -1, 2, 0.5, -3, 4}));
  return {archive_seed(csr, "stored"), archive_seed(coo, "stored"), archive_seed(dia, "zip"),
          archive_seed(bsr, "zip"), archive_seed(complex, "stored")};
}

std::vector<ReaderSeed> matlab_seeds() {
  const std::string a = matlab_sparse("A", 2, 3, {0, 1, 0}, {0, 1, 2, 3}, {1, -3, 2});
  const std::string inner = matlab_sparse("", 2, 3, {0, 1, 0}, {0, 1, 2, 3}, {1, -3, 2});
  const std::string problem =
      matlab_struct("Problem", {{"name", matlab_dense("", 1, 1)}, {"A", inner}});
  const auto file = [](bool is_packed) {
    return [is_packed](const Parts& parts) { return matlab_file(parts, is_packed); };
  };
  return {{{a}, file(true)},
          {{a}, file(false)},
          {{matlab_sparse("C", 2, 3, {0, 1, 0}, {0, 1, 2, 3}, {1, -3, 2}, 0x805, {4, 5, 6})},
           file(false)},
          {{matlab_dense("d", 2, 2), problem}, file(true)},
          {{problem}, file(false)}};
}

std::vector<ReaderSeed> petsc_seeds() {
  using I = std::vector<std::int32_t>;
  using L = std::vector<std::int64_t>;
  const std::string values = big(std::vector<double>{1, 2, -3});
  return {text(big(I{1211216, 2, 3, 3, 2, 1, 0, 2, 1}) + values),
          text(big(L{1211216, 2, 3, 3, 2, 1, 0, 2, 1}) + values),
          text(big(I{1211216, 2, 3, 3, 2, 1, 0, 2, 1}) + values + values)};
}

std::vector<ReaderSeed> container_seeds() {
  std::vector<ReaderSeed> seeds;
  for (const char* const packing : {"gzip:1", "bzip2:1", "xz:1", "zstd:1"}) {
    seeds.push_back(
        {{market}, [packing](const Parts& parts) { return packed(parts[0], packing); }});
    seeds.push_back(archive_seed({{"a/a.mtx", market}, {"a/a_b.mtx", smtx}}, "tar", packing));
  }
  seeds.push_back(archive_seed({{"a.mtx", market}}, "zip"));
  seeds.push_back(archive_seed({{"a.rua", boeing}, {"notes", "text"}}, "stored"));
  seeds.push_back(archive_seed({{"a.mtx", market}}, "tar"));
  return seeds;
}

}  // namespace

std::vector<ReaderSeed> reader_seeds(const std::string& reader) {
  if (reader == "market") return {text(market), text(symmetric), text(skew), text(complex_market)};
  if (reader == "boeing")
    return {text(boeing), text(boeing_pattern), text(boeing_groups), text(complex_boeing)};
  if (reader == "smtx") return {text(smtx)};
  if (reader == "petsc") return petsc_seeds();
  if (reader == "npz") return npz_seeds();
  if (reader == "matlab") return matlab_seeds();
  CHECK(reader == "container");
  return container_seeds();
}

}  // namespace alphasparse
