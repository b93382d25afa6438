#include "storage/memory_rows.h"

#include <algorithm>
#include <cassert>

namespace parley::storage {

void MemoryRows::Put(const std::string& key, Sequence at, const std::optional<Row>& row, Sequence horizon) {
  const auto [found, fresh] = rows_.try_emplace(key);
  if (fresh && !row) {
    rows_.erase(found);  // deleting a missing row leaves no trace
    return;
  }
  History& history = found->second;
  assert(history.empty() || history.back().at <= at);
  SharedRow shared = row ? std::make_shared<const Row>(*row) : nullptr;
  if (!history.empty() && history.back().at == at) {
    history.back().row = std::move(shared);  // one batch wrote it twice: the last wins
  } else {
    history.push_back({at, std::move(shared)});
  }
  DropUnseen(found, horizon);
}

SharedRow MemoryRows::AsOf(const History& history, Sequence at) {
  for (auto version = history.rbegin(); version != history.rend(); ++version) {
    if (version->at <= at) return version->row;
  }
  return nullptr;
}

SharedRow MemoryRows::Find(const std::string& key, Sequence at) const {
  const auto found = rows_.find(key);
  return found == rows_.end() ? nullptr : AsOf(found->second, at);
}

std::vector<KeyedRow> MemoryRows::Collect(const KeySpan& span, Direction direction, size_t limit,
                                          Sequence at) const {
  std::vector<KeyedRow> out;
  if (span.empty()) return out;
  const auto take = [&](const auto& entry) {
    SharedRow row = AsOf(entry.second, at);
    if (row) out.emplace_back(entry.first, std::move(row));
  };
  const auto first = rows_.lower_bound(span.begin);
  const auto last = span.end.empty() ? rows_.end() : rows_.lower_bound(span.end);
  if (direction == Direction::kForward) {
    for (auto it = first; it != last && out.size() < limit; ++it) take(*it);
  } else {
    for (auto it = last; it != first && out.size() < limit;) take(*--it);
  }
  return out;
}

void MemoryRows::DropUnseen(Map::iterator key, Sequence horizon) {
  History& history = key->second;
  const auto above =
      std::find_if(history.begin(), history.end(), [&](const Version& v) { return v.at > horizon; });
  if (above - history.begin() > 1) history.erase(history.begin(), above - 1);
  if (!history.front().row && history.front().at <= horizon) history.erase(history.begin());
  if (history.empty()) {
    with_history_.erase(key->first);
    rows_.erase(key);
  } else if (history.size() > 1 || !history.front().row) {
    with_history_.insert(key->first);
  } else {
    with_history_.erase(key->first);
  }
}

void MemoryRows::RollBack(Sequence at) {
  for (auto key = rows_.begin(); key != rows_.end();) {
    History& history = key->second;
    while (!history.empty() && history.back().at > at) history.pop_back();
    if (history.empty()) {
      with_history_.erase(key->first);
      key = rows_.erase(key);
    } else {
      ++key;
    }
  }
}

void MemoryRows::Prune(Sequence horizon) {
  const std::vector<std::string> keys(with_history_.begin(), with_history_.end());
  for (const std::string& key : keys) DropUnseen(rows_.find(key), horizon);
}

}  // namespace parley::storage
