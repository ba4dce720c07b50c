#include "runtime/formats/stored_format.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "generator/arrays/mirror.h"
#include "runtime/formats/expression_json.h"
#include "templates/host/format_reader.h"

namespace alphasparse {

namespace {

using host::refuse;
using Json = nlohmann::ordered_json;

constexpr std::int64_t entries_a_byte_most = 64;  // of computed arrays; packed fields have 8
constexpr int nested_arrays_most = 16;            // computed of computed ones; ours are at most 3

Json parsed(const host::Header& header, const char* name) { return Json::parse(header.text(name)); }

std::int64_t read_number(const host::Header& header, const char* name) {
  const std::int64_t number = parsed(header, name).get<std::int64_t>();
  if (number < 0 || number > INT32_MAX) refuse("%s is %jd", name, std::intmax_t{number});
  return number;
}

ElementType element_named(const std::string& name) {
  if (const auto type = element_of_tensor(name)) return *type;
  refuse("%.20s is no type of elements", name.c_str());
}

/// The type of an entry of "arrays" or "workspaces", as a tensor has it.
std::string read_tensor_type(const Json& entry) {
  return entry.at("dtype").get<std::string>() + (entry.at("shape").size() > 1 ? "x2" : "");
}

Mirror parse_mirror(const std::string& text) {
  for (const Mirror mirror : {Mirror::none, Mirror::same, Mirror::negated, Mirror::conjugate})
    if (text == mirror_kind(mirror).in_files) return mirror;
  refuse("mirrored is %.20s", text.c_str());
}

/// An element of any type, which `Wide` holds: a double, or a Number where it may be complex.
template <class Wide = double>
Wide read_at(const host::Tensor& tensor, std::int64_t i) {
  if (i < 0 || static_cast<std::uint64_t>(i) >= tensor.count)
    refuse("entry %jd of %s does not exist", std::intmax_t{i}, tensor.name.c_str());
  return with_element(element_named(tensor.type), [&](auto number) -> Wide {
    std::memcpy(&number, tensor.bytes.data() + static_cast<std::size_t>(i) * sizeof number,
                sizeof number);
    if constexpr (std::is_constructible_v<Wide, decltype(number)>)
      return static_cast<Wide>(number);
    else
      refuse("%s is complex", tensor.name.c_str());
  });
}

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

void check_range(const host::Tensor& tensor, std::int64_t least, std::int64_t end) {
  for (std::uint64_t i = 0; i < tensor.count; ++i) {
    const auto number = static_cast<std::int64_t>(read_at(tensor, static_cast<std::int64_t>(i)));
    if (number < least || number >= end)
      refuse("entry %ju of %s is %jd", std::uintmax_t{i}, tensor.name.c_str(),
             std::intmax_t{number});
  }
}

}  // namespace

StoredFormat::StoredFormat(std::string path) : path_(std::move(path)) {
  host::FormatReader reader(path_);
  header_ = reader.header();
  reader.read_data(true);
  for (host::Tensor& one : header_.tensors) one.bytes = reader.take(one.name);
  try {
    read_metadata();
  } catch (const Json::exception& error) {
    refuse("the metadata is not as documented: %s", error.what());
  }
  check();
}

const host::Tensor& StoredFormat::tensor(const std::string& name) const {
  const host::Tensor* const found = header_.find(name);
  if (!found) refuse("there is no %s", name.c_str());
  return *found;
}

std::span<const std::int32_t> StoredFormat::integers(const std::string& name) const {
  const host::Tensor& found = tensor(name);
  if (found.type != "I32") refuse("%s is of type %s", name.c_str(), found.type.c_str());
  return {reinterpret_cast<const std::int32_t*>(found.bytes.data()), found.count};
}

void StoredFormat::read_metadata() {
  const std::optional<Dtype> dtype = dtype_named(header_.text("dtype"));
  if (!dtype) refuse("dtype is %.20s", header_.text("dtype").c_str());
  dtype_ = *dtype;
  const Json arrays = parsed(header_, "arrays");
  for (const Json& one : arrays) names_.push_back(one.at("name"));
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const Json& one = arrays[i];
    arrays_.push_back({names_[i].c_str(), element_tensor_name(element_named(read_tensor_type(one))),
                       one.at("shape").at(0), one.value("dictionary", false),
                       one.value("rounded", false)});
  }
  for (const Json& one : parsed(header_, "workspaces"))
    workspaces_.push_back({one.at("name"), element_named(read_tensor_type(one)),
                           one.at("shape").at(0), one.at("layout"), one.at("pointer")});
  for (const Json& one : parsed(header_, "launches"))
    launches_.push_back(
        {one.at("kernel"), one.at("blocks"), one.at("threads"), one.value("first_column", 0)});
  for (const auto& [name, text] : header_.metadata)
    if (name == "vectors") vectors_ = static_cast<std::size_t>(read_number(header_, "vectors"));
  for (const Json& one : parsed(header_, "computed")) {
    order_.push_back(one.at("name"));
    computed_[order_.back()] = {order_.back(), read_expression(one.at("entry")), one.at("how"),
                                one.at("shape").at(0), one.at("layout")};
  }
  for (const Json& one : parsed(header_, "steps"))
    steps_.push_back({one.at("name"), read_expression(one.at("first")),
                      read_expression(one.at("step")), read_expression(one.at("first_thread")),
                      read_expression(one.at("first_position")), one.at("parents"),
                      one.at("stride"), one.at("pad")});
  const auto text = [&](const char* name) { return header_.text(name).c_str(); };
  facts_ = {text("design"),
            text("dtype"),
            read_number(header_, "rows"),
            read_number(header_, "cols"),
            read_number(header_, "nnz"),
            parse_mirror(header_.text("mirrored")),
            text("structure"),
            text("values"),
            text("prefix"),
            arrays_.data(),
            arrays_.size()};
  for (const char* const name : {"pattern", "generator"}) text(name);
}

/// Every index that others follow lies where it should.
void StoredFormat::check() const {
  const auto check_indices = [&](const std::string& name, std::int64_t count, std::int64_t end) {
    if (static_cast<std::int64_t>(integers(name).size()) != count)
      refuse("%s has not %jd entries", name.c_str(), std::intmax_t{count});
    check_range(tensor(name), -1, end);
  };
  for (const host::ArrayFacts& array : arrays_) {
    const host::Tensor& found = tensor(array.name);
    if (found.type != array.type || found.count != static_cast<std::uint64_t>(array.count))
      refuse("%s is of another type or length than its metadata say", array.name);
    if (!is_value(array)) continue;
    const std::string source = array.name + std::string(".source");
    check_indices(source, array.count, facts_.nnz);
    if (!array.dictionary) continue;
    const std::string code = array.name + std::string(".code");
    check_indices(code, facts_.nnz, array.count);
    for (const std::int32_t entry : integers(code))
      if (entry >= 0 && integers(source)[at(entry)] < 0)
        refuse("%s names entry %d, which is of no value", code.c_str(), entry);
  }
  for (const Workspace& scratch : workspaces_)
    if (scratch.count < 0 || scratch.pointer < 0 ||
        static_cast<std::size_t>(scratch.pointer) >= arrays_.size() + workspaces_.size())
      refuse("%s has no place", scratch.name.c_str());
  for (const auto& [name, array] : computed_)
    if (array.count < 0 || array.count > entries_most())
      refuse("%s has no such length", name.c_str());
  for (const StepWalk& walk : steps_)
    if (walk.parents < 0 || walk.parents > entries_most() || walk.stride < 1)
      refuse("%s has no steps", walk.name.c_str());
  check_pattern();
}

void StoredFormat::check_pattern() const {
  const auto first = integers("canonical_row_first"), col = integers("canonical_col");
  if (first.size() != static_cast<std::size_t>(facts_.rows) + 1 || first.front() != 0 ||
      first.back() != facts_.nnz || col.size() != static_cast<std::size_t>(facts_.nnz) ||
      !std::is_sorted(first.begin(), first.end()))
    refuse("canonical_row_first are no rows of a matrix of %jd non-zeros",
           std::intmax_t{facts_.nnz});
  check_range(tensor("canonical_col"), 0, facts_.cols);
  if (facts_.mirror == Mirror::none) return;
  const host::HeldValues values = held();
  if (facts_.rows != facts_.cols ||
      !host::for_each_mirror_image(values.row_first, values.col, [](auto, auto) { return true; }))
    refuse("one triangle is stored, but the pattern is not symmetric");
}

/// The entries that a computed array of a file of this size may have: no forged one takes for ever.
std::int64_t StoredFormat::entries_most() const {
  const std::uint64_t bytes = header_.tensors.empty() ? 0 : header_.tensors.back().end;
  return entries_a_byte_most * static_cast<std::int64_t>(bytes + 1);
}

std::vector<std::string> StoredFormat::computed_names() const {
  std::vector<std::string> names = order_;
  for (const StepWalk& walk : steps_)
    if (std::find(names.begin(), names.end(), walk.name) == names.end()) names.push_back(walk.name);
  return names;
}

/// An entry of an array of integers, stored or computed.
std::int64_t StoredFormat::entry(const std::string& name, std::int64_t i, int depth) const {
  if (const host::Tensor* const stored = header_.find(name))
    return static_cast<std::int64_t>(read_at(*stored, i));
  const auto made = computed_.find(name);
  if (made == computed_.end()) refuse("there is no %s", name.c_str());
  if (depth == nested_arrays_most) refuse("%s is computed from itself", name.c_str());
  return evaluated(made->second.entry, i, depth + 1);
}

std::int64_t StoredFormat::evaluated(const Expression& expression, std::int64_t i,
                                     int depth) const {
  const std::optional<std::int64_t> number =
      value(expression, i, [&](const std::string& name, std::int64_t at) {
        return std::optional(entry(name, at, depth));
      });
  if (!number) refuse("a formula has no value for index %jd", std::intmax_t{i});
  return *number;
}

template <class Wide>
std::vector<Wide> StoredFormat::computed(const std::string& name) const {
  for (const StepWalk& walk : steps_)
    if (walk.name == name) {
      const std::vector<double> columns = walked(walk);
      return {columns.begin(), columns.end()};
    }
  const ComputedArray& array = computed_.at(name);
  const host::Tensor* const among = find_dictionary(name);
  std::vector<Wide> entries;
  for (std::int64_t i = 0; i < array.count; ++i)
    entries.push_back(among ? read_at<Wide>(*among, evaluated(array.entry.parts[0], i))
                            : static_cast<Wide>(static_cast<double>(evaluated(array.entry, i))));
  return entries;
}
template std::vector<double> StoredFormat::computed(const std::string&) const;
template std::vector<Number> StoredFormat::computed(const std::string&) const;

/// The stored numbers that a computed array takes by its codes; null: it has integers.
const host::Tensor* StoredFormat::find_dictionary(const std::string& name) const {
  const auto made = computed_.find(name);
  const bool is_entry =
      made != computed_.end() && made->second.entry.kind == Expression::Kind::entry;
  const host::Tensor* const among = is_entry ? header_.find(made->second.entry.array) : nullptr;
  return among && among->type[0] == 'F' ? among : nullptr;
}

/// The columns of all positions: each thread adds its steps to its first one.
std::vector<double> StoredFormat::walked(const StepWalk& walk) const {
  std::vector<double> columns;
  for (std::int64_t parent = 0; parent < walk.parents; ++parent) {
    const std::int64_t first = evaluated(walk.first_position, parent),
                       thread = evaluated(walk.first_thread, parent),
                       threads = evaluated(walk.first_thread, parent + 1) - thread,
                       end = evaluated(walk.first_position, parent + 1);
    if (end - first > entries_most() - static_cast<std::int64_t>(columns.size()))
      refuse("the positions of %s have no end", walk.name.c_str());
    for (std::int64_t at = first; at < end; ++at) {
      const std::int64_t offset = at - first;
      double column = static_cast<double>(walk.pad);
      if (offset % walk.stride < threads)
        column = static_cast<double>(offset < walk.stride ? evaluated(walk.first, thread + offset)
                                                          : evaluated(walk.step, at));
      if (offset % walk.stride < threads && offset >= walk.stride)
        column += columns[columns.size() - static_cast<std::size_t>(walk.stride)];
      columns.push_back(column);
    }
  }
  return columns;
}

template <class Wide>
std::vector<Wide> StoredFormat::values() const {
  std::vector<Wide> values(static_cast<std::size_t>(facts_.nnz));
  std::vector<char> known(values.size());
  const auto know = [&](std::size_t nz, Wide number) {
    values[nz] = number;
    known[nz] = 1;
  };
  for (const host::ArrayFacts& array : arrays_) {
    if (!is_value(array)) continue;
    const host::Tensor& stored = tensor(array.name);
    const auto source = integers(array.name + std::string(".source"));
    for (std::size_t i = 0; i < source.size(); ++i)
      if (source[i] >= 0) know(at(source[i]), read_at<Wide>(stored, static_cast<std::int64_t>(i)));
    if (!array.dictionary) continue;
    const auto code = integers(array.name + std::string(".code"));
    for (std::size_t nz = 0; nz < code.size(); ++nz)
      if (code[nz] >= 0) know(nz, read_at<Wide>(stored, code[nz]));
  }
  if (facts_.mirror != Mirror::none) {
    const host::HeldValues pattern = held();
    host::for_each_mirror_image(pattern.row_first, pattern.col, [&](auto nz, auto image) {
      const std::size_t from = at(known[at(nz)] ? nz : image), to = at(nz) + at(image) - from;
      if (known[from] && !known[to]) know(to, host::image_of(facts_.mirror, values[from]));
      return true;
    });
  }
  if (std::find(known.begin(), known.end(), 0) != known.end())
    refuse("the values are part of the kernel");
  return values;
}
template std::vector<double> StoredFormat::values() const;
template std::vector<Number> StoredFormat::values() const;

/// A copy of the places of its values, and of the pattern where that counts.
host::HeldValues StoredFormat::held() const {
  host::LoadedFormat loaded;
  const auto copy = [&](const std::string& name) {
    const auto all = integers(name);
    return std::vector<std::int32_t>(all.begin(), all.end());
  };
  for (const host::ArrayFacts& array : arrays_) {
    host::LoadedArray& one = loaded.arrays.emplace_back();
    if (is_value(array)) one.source = copy(array.name + std::string(".source"));
    if (is_value(array) && array.dictionary) one.code = copy(array.name + std::string(".code"));
  }
  if (facts_.mirror != Mirror::none) {
    loaded.row_first = copy("canonical_row_first");
    loaded.col = copy("canonical_col");
  }
  return {facts_, loaded};
}

void StoredFormat::replace_values(
    const void* canonical,
    const std::function<void(std::size_t, const std::vector<unsigned char>&)>& store) const {
  const host::HeldValues stored = held();
  host::with_number(
      facts_, [&](auto zero) { host::replace_values<decltype(zero)>(stored, canonical, store); });
}

std::string StoredFormat::with_values(const void* canonical, const std::string& fingerprint) const {
  std::ifstream file(path_, std::ios::binary);
  std::string whole{std::istreambuf_iterator<char>(file), {}};
  const std::size_t data_bytes = header_.tensors.empty() ? 0 : header_.tensors.back().end;
  if (whole.size() < data_bytes + 8) refuse("it was written over while it was read");
  const std::size_t end = whole.size() - data_bytes;
  replace_values(canonical, [&](std::size_t i, const std::vector<unsigned char>& bytes) {
    std::memcpy(whole.data() + end + tensor(arrays_[i].name).begin, bytes.data(), bytes.size());
  });
  const auto replace = [&](const std::string& name, const std::string& text) {
    const std::size_t at = whole.find('"' + name + "\":\"" + header_.text(name.c_str()) + '"');
    if (at >= end) refuse("the header is not as the program writes it");
    whole.replace(at + name.size() + 4, text.size(), text);
    return at + name.size() + 4;
  };
  replace("values", fingerprint);
  const std::size_t digits_at = replace("checksum", std::string(host::checksum_digits, '0'));
  host::Digest checksum;
  checksum.add(whole.data(), end);
  for (const host::Tensor& one : header_.tensors)
    if (one.type[0] == 'F') checksum.add(whole.data() + end + one.begin, one.end - one.begin);
  return whole.replace(digits_at, host::checksum_digits, checksum.digits());
}

void StoredFormat::check_kernel(const std::string& text, const std::string& source) const {
  std::map<std::string, std::pair<std::string, std::string>>
      stated;  // in the text, and in the file
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t blank = line.find(' ', 4);
    if (line.starts_with("//= ") && blank != line.npos)
      stated[line.substr(4, blank - 4)] = {line.substr(blank + 1), "missing"};
  }
  if (stated.count("structure") == 0)
    refuse("%s does not state the metadata of its format file; write both again", source.c_str());
  for (const auto& [name, theirs] : header_.metadata) {
    auto& [ours, found] = stated.emplace(name, std::pair("missing", "")).first->second;
    found = theirs;
    if (name == "checksum") ours = theirs;
  }
  for (const auto& [name, texts] : stated)
    if (texts.first != texts.second)
      refuse("kernel and format differ: %s is %.80s in %s and %.80s in the file; write both again",
             name.c_str(), texts.first.c_str(), source.c_str(), texts.second.c_str());
}

}  // namespace alphasparse
