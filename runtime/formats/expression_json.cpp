#include "runtime/formats/expression_json.h"

#include "base/result.h"

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

}  // namespace

nlohmann::ordered_json expression_json(const Expression& expression) {
  if (expression.kind == Expression::Kind::number) return expression.number;
  if (expression.kind == Expression::Kind::index) return "i";
  nlohmann::ordered_json json = {name_of(expression.kind)};
  if (!expression.array.empty()) json.push_back(expression.array);
  for (const Expression& part : expression.parts) json.push_back(expression_json(part));
  return json;
}

}  // namespace alphasparse
