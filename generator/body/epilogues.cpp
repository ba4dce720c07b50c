#include "generator/body/epilogues.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "base/time_limit.h"
#include "generator/arrays/fragment.h"
#include "generator/arrays/spelling.h"

namespace alphasparse {

namespace {

/// The epilogue of a port, by [some row has several writers in the launch][some row is written
/// already].
constexpr Epilogue epilogue_table[2][2] = {
    {Epilogue::store, Epilogue::add},
    {Epilogue::atomic, Epilogue::atomic},
};

/// The most that a port may need of each epilogue that a design asks for.
constexpr struct {
  std::string_view requested;
  Epilogue most;
} epilogue_limits[] = {
    {"global_store", Epilogue::store},
    {"global_add", Epilogue::add},
    {"global_carry", Epilogue::add},
    {"global_atomic", Epilogue::atomic},
};

/// Why a port that needs `epilogue` cannot have it where the design asks for another, or nothing.
/// On a CPU global_atomic says all that is more than a store.
std::optional<std::string> rejection(std::string_view requested, Epilogue epilogue, Target target) {
  const auto* const line = std::find_if(std::begin(epilogue_limits), std::end(epilogue_limits),
                                        [&](const auto& of) { return of.requested == requested; });
  CHECK(line != std::end(epilogue_limits));
  if (epilogue <= line->most) return std::nullopt;
  if (epilogue == Epilogue::atomic)
    return fmt::format("{}: a row has several writers at a time", requested);
  return fmt::format("{}: an earlier launch has written to its rows; use {}", requested,
                     find_spelling(target).epilogue_to_add);
}

/// Goes through the launches in their order and remembers the state of every row.
class EpilogueChooser {
 public:
  explicit EpilogueChooser(std::int32_t rows)
      : writers_(rows, 0), stored_(rows, false), written_(rows, false) {}

  /// A reason why not, or nothing.
  std::optional<std::string> choose(const std::vector<BranchPlan*>& launch) {
    std::vector<Writer> writers;
    for (BranchPlan* branch : launch) {
      target_ = branch->store->target();
      const bool mirrored = branch->store->mirrored();
      std::optional<Epilogue> own;
      if (mirrored && target_ == Target::cpu) own = Epilogue::add;
      writers.push_back({branch->store->epilogue, &branch->whole, own});
      writers.push_back({branch->store->epilogue, &branch->edge, own});
      if (mirrored) {
        writers.push_back(
            {branch->store->epilogue, &branch->mirrored, own.value_or(Epilogue::atomic)});
      }
    }
    std::optional<std::string> reason = choose(writers);
    for (BranchPlan* branch : launch) {
      if (!branch->carries) continue;
      if (auto reject = choose({Writer{branch->store->epilogue, &branch->carried}}))
        reason = reject;
    }
    return reason;
  }

  /// The rows that no launch stores before it adds to them.
  std::vector<std::int32_t> initialised() const {
    std::vector<std::int32_t> rows;
    rows.reserve(std::count(stored_.begin(), stored_.end(), false));
    for (std::size_t row = 0; row < stored_.size(); ++row) {
      if (!stored_[row]) rows.push_back(static_cast<std::int32_t>(row));
    }
    return rows;
  }

 private:
  /// A port of a launch, and the epilogue that its design asks for.
  struct Writer {
    std::string_view requested;
    RowPort* port;
    std::optional<Epilogue> own = {};  ///< its epilogue, whoever else adds to its rows
  };

  std::optional<std::string> choose(const std::vector<Writer>& launch) {
    for (const Writer& writer : launch) {
      const int times = writer.port->times;
      for_rows(*writer.port, [&](std::int32_t row) {
        writers_[row] = static_cast<std::uint8_t>(std::min(2, writers_[row] + times));
      });
    }
    std::optional<std::string> reason;
    for (const Writer& writer : launch) {
      writer.port->epilogue = writer.own ? *writer.own : choose_epilogue(*writer.port);
      if (auto reject = rejection(writer.requested, writer.port->epilogue, target_))
        reason = reject;
    }
    for (const Writer& writer : launch) {
      for_rows(*writer.port, [&](std::int32_t row) {
        if (writer.port->epilogue == Epilogue::store) stored_[row] = true;
        written_[row] = true;
        writers_[row] = 0;
      });
    }
    return reason;
  }

  static void for_rows(const RowPort& port, const TakeRow& take) {
    end_if_over();
    if (port.rows) port.rows(take);
  }

  Epilogue choose_epilogue(const RowPort& port) const {
    bool shared = false, written = false;
    for_rows(port, [&](std::int32_t row) {
      shared = shared || writers_[row] != 1;
      written = written || written_[row];
    });
    return epilogue_table[shared][written];
  }

  std::vector<std::uint8_t> writers_;  ///< of the launch in hand; 2: several
  std::vector<bool> stored_, written_;
  Target target_ = Target::gpu;
};

}  // namespace

Result<std::vector<std::int32_t>> choose_epilogues(
    const std::vector<std::vector<BranchPlan*>>& launches, std::int32_t rows) {
  EpilogueChooser chooser(rows);
  for (const std::vector<BranchPlan*>& launch : launches) {
    if (auto reason = chooser.choose(launch)) return Failure{Status::pruned, *reason};
  }
  return chooser.initialised();
}

}  // namespace alphasparse
