#include "generator/arrays/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/result.h"
#include "generator/arrays/model_kinds.h"

namespace alphasparse {

namespace {

/// Every kind of model, simpler ones first.
constexpr ModelKind kinds[] = {linear_models, periodic_models, piecewise_models};

/// Fewer entries than this are not worth more than a line.
constexpr std::size_t entries_least = 16;

/// Indices that the expression does not give back, or nothing where they are more than `most`.
std::optional<std::vector<std::int64_t>> misses(const Expression& entry, const Integers& entries,
                                                std::size_t most) {
  std::vector<std::int64_t> missed;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    if (value(entry, at) == entries[i]) continue;
    missed.push_back(at);
    if (missed.size() > most) return std::nullopt;
  }
  return missed;
}

Expression with_exceptions(Expression entry, const std::vector<std::int64_t>& exceptions,
                           const Integers& entries) {
  for (auto at = exceptions.rbegin(); at != exceptions.rend(); ++at) {
    entry = if_equal(the_index(), constant(*at), constant(entries[*at]), entry);
  }
  return entry;
}

}  // namespace

std::optional<Fit> fit_linear(const Integers& entries) {
  if (entries.empty()) return Fit{"constant", constant(0)};
  const std::int64_t first = entries[0];
  const std::int64_t step = entries.size() > 1 ? entries[1] - first : 0;
  const Expression line = constant(step) * the_index() + constant(first);
  if (misses(line, entries, 0)) return Fit{step == 0 ? "constant" : "linear", line};
  const Expression clamped = least(line, constant(entries.back()));
  if (step > 0 && misses(clamped, entries, 0)) return Fit{"linear with a short end", clamped};
  return std::nullopt;
}

std::optional<Fit> fit_model(const Integers& entries, int exceptions) {
  if (auto fit = fit_linear(entries)) return fit;
  if (entries.size() < entries_least) return std::nullopt;
  std::size_t most = std::min<std::size_t>(exceptions, entries.size() / 8);
  std::optional<Fit> best;
  const auto consider = [&](const Expression& entry, std::string how) {
    const auto missed = misses(entry, entries, most);
    if (!missed || (best && missed->size() == most)) return;
    most = missed->size();
    if (most > 0) how += fmt::format(", {} exception{}", most, most > 1 ? "s" : "");
    best = Fit{how, with_exceptions(entry, *missed, entries)};
  };
  for (const ModelKind propose : kinds) {
    for (const Proposal& proposal : propose(entries)) {
      consider(proposal.entry, std::string(proposal.name));
      consider(least(proposal.entry, constant(entries.back())),
               fmt::format("{} with a short end", proposal.name));
      if (best && most == 0) return best;
    }
  }
  CHECK(!best || misses(best->entry, entries, 0));
  return best;
}

}  // namespace alphasparse
