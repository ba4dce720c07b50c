// sax_reader: a JSON document of the tuning database as it goes by, so that a large one is read
// in the memory of a row.
#pragma once
#include <functional>
#include <istream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace alphasparse {

/// Where a document is wrong: an Error that names it.
struct DocumentErrors {
  std::string name;

  [[noreturn]] void fail(const std::string& what, const std::string& where) const;

  /// The beginning of a text, on one line.
  static std::string shown(std::string text);
};

/// Sees a document go by: its head, and one row at a time. Only a row is ever held.
class SaxReader : public nlohmann::json_sax<nlohmann::ordered_json> {
 public:
  using Json = nlohmann::ordered_json;

  /// Called with each row of a table that is an array.
  using TakeRow = std::function<void(const std::string& table, const Json& row)>;

  SaxReader(const DocumentErrors& errors, TakeRow take) : errors_(errors), take_(std::move(take)) {}

  /// From the beginning of the stream; throws where it is no JSON.
  void read(std::istream& stream);

  /// The members beside the tables.
  struct Head {
    Json format, schema;
    bool has_tables = false;
    std::vector<std::string> tables;   ///< in their order
    std::vector<std::string> no_rows;  ///< of them, those that are no arrays
  } head;

  bool null() override { return value(Json()); }
  bool boolean(bool each) override { return value(each); }
  bool number_integer(number_integer_t each) override { return value(each); }
  bool number_unsigned(number_unsigned_t each) override { return value(each); }
  bool number_float(number_float_t each, const string_t&) override { return value(each); }
  bool string(string_t& each) override { return value(each); }
  bool binary(binary_t&) override { return true; }  // JSON has none
  bool start_object(std::size_t) override { return begin(Json::object()); }
  bool start_array(std::size_t) override { return begin(Json::array()); }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }

  bool key(string_t& name) override;
  bool parse_error(std::size_t, const std::string&, const Json::exception& error) override;

 private:
  /// A value that is not whole yet, and the name under which its next part comes.
  struct Part {
    Json json;
    std::string key;
  };

  static constexpr std::size_t depth_max = 8;  // of nesting in a row; ours has 2

  bool is_table() const { return keys_.size() == 2 && keys_[0] == "tables"; }
  bool is_in_table() const { return keys_.size() == 3 && keys_[0] == "tables"; }

  /// The next is a part of a row, or a row.
  bool is_in_row() const { return !row_.empty() || is_in_table(); }

  bool begin(Json json);
  bool end();
  bool value(Json json);

  const DocumentErrors& errors_;
  const TakeRow take_;
  std::vector<std::string> keys_;  ///< names of the objects and arrays that have begun, but a row's
  std::vector<Part> row_;          ///< the row that has begun, and its open parts
  bool is_object_ = false;         ///< the document
};

}  // namespace alphasparse
