#include "runtime/formats/expression_json.h"

#include "base/result.h"
#include "templates/host/safetensors.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;
using Kind = Expression::Kind;

constexpr int nested_most = 64;  // ours are at most a dozen deep

/// The lists: each begins with its name, then has an array's where it reads one, then its parts.
struct ListKind {
  Kind kind;
  std::string_view name;
  std::size_t parts;
  bool reads_array = false;
};

constexpr ListKind lists[] = {{Kind::sum, "+", 2},
                              {Kind::product, "*", 2},
                              {Kind::quotient, "/", 2},
                              {Kind::remainder, "%", 2},
                              {Kind::least, "min", 2},
                              {Kind::below, "<", 4},
                              {Kind::equal, "==", 4},
                              {Kind::entry, "[]", 1, true},
                              {Kind::bits, "bits", 2, true},
                              {Kind::fields, "fields", 2, true},
                              {Kind::bytes, "bytes", 2, true},
                              {Kind::run, "run", 3}};

Expression expression_at(const Json& json, int depth) {
  if (json.is_number_integer()) return constant(json.get<std::int64_t>());
  if (json == "i") return the_index();
  if (depth == nested_most) host::refuse("a formula has too many parts inside each other");
  for (const ListKind& list : lists) {
    const std::size_t first = list.reads_array ? 2 : 1;
    if (json.at(0) != list.name || json.size() != first + list.parts) continue;
    Expression expression{list.kind};
    if (list.reads_array) expression.array = json.at(1);
    for (std::size_t i = first; i < json.size(); ++i)
      expression.parts.push_back(expression_at(json[i], depth + 1));
    if (list.kind == Kind::run && expression.parts[0].kind != Kind::entry) break;
    return expression;
  }
  host::refuse("a formula is of an unknown kind, %.40s", json.dump().c_str());
}

}  // namespace

Json expression_json(const Expression& expression) {
  if (expression.kind == Kind::number) return expression.number;
  if (expression.kind == Kind::index) return "i";
  for (const ListKind& list : lists) {
    if (list.kind != expression.kind) continue;
    Json json = {list.name};
    if (list.reads_array) json.push_back(expression.array);
    for (const Expression& part : expression.parts) json.push_back(expression_json(part));
    return json;
  }
  CHECK(!"an expression without a name");
  return {};
}

Expression read_expression(const Json& json) { return expression_at(json, 0); }

}  // namespace alphasparse
