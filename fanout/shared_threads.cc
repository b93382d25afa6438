#include "fanout/shared_threads.h"

#include <algorithm>

#include "fanout/keys.h"

namespace parley::fanout {
namespace {

using threads::ReadContext;
using threads::Result;

constexpr size_t kThreadsPerRound = 50;

threads::Error Unreadable() {
  return {threads::ErrorCode::kInternal, "stored data can not be read"};
}

// The rows of up to kThreadsPerRound threads of the caller's inbox, from `range` on, which is moved behind
// them.
Result<std::vector<storage::RowKey>> NextHeads(const ReadContext& context, storage::SortRange* range) {
  std::vector<storage::RowKey> heads;
  std::string last;
  bool sound = true;
  const auto& tenant = context.caller.tenant;
  const auto status = context.snapshot.Scan(
      InboxPartition(tenant, *context.caller.user), *range, storage::Direction::kForward, kThreadsPerRound,
      [&](std::string_view sort, storage::RowView) {
        Box box;
        protocol::Time place;
        ThreadId thread;
        sound = ParseInboxKey(sort, &box, &place, &thread);
        heads.push_back({threads::ThreadPartition(tenant, thread), threads::ThreadKey()});
        last = sort;
        return sound;
      });
  if (!status.ok()) return threads::FromStorage(status);
  if (!sound) return Unreadable();
  range->begin = storage::SortKey(last + '\0');
  return heads;
}

// What is still looked for, what was found, and how many rows may still be read for it.
struct Search {
  std::set<UserId> missing;
  std::set<UserId> found;
  size_t budget = kSharedRowsMax;

  bool over() const { return missing.empty() || budget == 0; }
  bool Pay(size_t rows) {
    const bool affordable = rows <= budget;
    budget -= std::min(rows, budget);
    return affordable;
  }
  void Find(const UserId& user) {
    if (missing.erase(user) > 0) found.insert(user);
  }
};

// A head lists the first members only; those who come after them have a row each.
protocol::Status SearchUnlisted(const ReadContext& context, const protocol::Thread& thread, Search* search) {
  const std::vector<UserId>& listed = thread.participants.items;
  if (thread.participant_count <= static_cast<int64_t>(listed.size()) || listed.empty())
    return protocol::Ok();
  const std::vector<UserId> candidates(search->missing.upper_bound(listed.back()), search->missing.end());
  for (const UserId& user : candidates) {
    if (!search->Pay(1)) break;
    PARLEY_TRY(row, context.rows().Participant(thread.thread_id, user));
    if (row && row->active()) search->Find(user);
  }
  return protocol::Ok();
}

}  // namespace

Result<std::set<UserId>> WhoShareAThread(const ReadContext& context, std::set<UserId> users) {
  Search search{std::move(users), {}};
  search.Find(*context.caller.user);
  storage::SortRange range;
  while (!search.over()) {
    PARLEY_TRY(heads, NextHeads(context, &range));
    std::vector<std::optional<storage::Row>> rows;
    if (const auto status = context.snapshot.MultiGet(heads, &rows); !status.ok())
      return threads::FromStorage(status);
    for (const auto& stored : rows) {
      if (search.over() || !search.Pay(2)) break;  // the entry's and the head's
      threads::ThreadRow head;
      if (!stored || !threads::DecodeItem(stored->payload, &head)) return Unreadable();
      for (const UserId& member : head.item.participants.items) search.Find(member);
      PARLEY_CHECK_OK(SearchUnlisted(context, head.item, &search));
    }
    if (heads.size() < kThreadsPerRound) break;
  }
  return std::move(search.found);
}

}  // namespace parley::fanout
