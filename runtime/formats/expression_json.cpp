#include "runtime/formats/expression_json.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/result.h"
#include "templates/host/safetensors.h"

namespace alphasparse {

namespace {

const char* name_of(Expression::Kind kind) {
  using Kind = Expression::Kind;
  switch (kind) {
    case Kind::sum:
      return "+";
    case Kind::product:
      return "*";
    case Kind::quotient:
      return "/";
    case Kind::remainder:
      return "%";
    case Kind::least:
      return "min";
    case Kind::below:
      return "<";
    case Kind::equal:
      return "==";
    case Kind::entry:
      return "[]";
    case Kind::bits:
      return "bits";
    case Kind::fields:
      return "fields";
    case Kind::bytes:
      return "bytes";
    case Kind::run:
      return "run";
    case Kind::number:
    case Kind::index:
      break;
  }
  CHECK(!"an expression that is no list");
  return "";
}

/// Whether an expression of this kind names an array, and how many parts it has.
std::pair<bool, std::size_t> shape_of(Expression::Kind kind) {
  using Kind = Expression::Kind;
  if (kind == Kind::entry) return {true, 1};
  if (Expression{kind}.has_words()) return {true, 2};
  if (kind == Kind::run) return {false, 3};
  return {false, kind == Kind::below || kind == Kind::equal ? 4 : 2};
}

constexpr std::array list_kinds = {
    Expression::Kind::sum,       Expression::Kind::product, Expression::Kind::quotient,
    Expression::Kind::remainder, Expression::Kind::least,   Expression::Kind::below,
    Expression::Kind::equal,     Expression::Kind::entry,   Expression::Kind::bits,
    Expression::Kind::fields,    Expression::Kind::bytes,   Expression::Kind::run};

Expression expression_of(const nlohmann::ordered_json& json, int levels) {
  const host::BadFile bad("an entry is no expression");
  if (json == "i") return the_index();
  if (json.is_number_integer()) {
    const auto number = json.get<std::int64_t>();
    if (number < INT32_MIN || number > INT32_MAX) throw bad;
    return constant(number);
  }
  if (!json.is_array() || json.empty() || !json[0].is_string() || levels == 0) throw bad;
  const auto kind = std::find_if(list_kinds.begin(), list_kinds.end(),
                                 [&](Expression::Kind one) { return json[0] == name_of(one); });
  if (kind == list_kinds.end()) throw bad;
  const auto [names_array, parts] = shape_of(*kind);
  if (json.size() != 1 + names_array + parts) throw bad;
  Expression expression{*kind};
  if (names_array) expression.array = json[1].get<std::string>();
  for (std::size_t i = 1 + names_array; i < json.size(); ++i) {
    expression.parts.push_back(expression_of(json[i], levels - 1));
  }
  const bool has_word =
      *kind != Expression::Kind::run || expression.parts[0].kind == Expression::Kind::entry;
  if (!has_word) throw bad;
  return expression;
}

}  // namespace

Expression expression_of(const nlohmann::ordered_json& json) { return expression_of(json, 40); }

nlohmann::ordered_json expression_json(const Expression& expression) {
  if (expression.kind == Expression::Kind::number) return expression.number;
  if (expression.kind == Expression::Kind::index) return "i";
  nlohmann::ordered_json json = {name_of(expression.kind)};
  if (!expression.array.empty()) json.push_back(expression.array);
  for (const Expression& part : expression.parts) json.push_back(expression_json(part));
  return json;
}

}  // namespace alphasparse
