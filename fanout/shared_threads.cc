#include "fanout/shared_threads.h"

#include <algorithm>

#include "fanout/cell_merge.h"
#include "protocol/base/unreadable.h"
#include "threads/model/requests.h"

namespace parley::fanout {
namespace {

using protocol::Result;
using threads::ReadContext;

constexpr size_t kThreadsPerRound = 50;

// Returns the keys of the heads of up to kThreadsPerRound threads after `after` in the caller's inbox, newest
// messages first, and moves `after` past them.
Result<std::vector<storage::RowKey>> NextHeads(const ReadContext& context, const std::vector<Cell>& cells,
                                               std::string* after) {
  const auto& tenant = context.caller.tenant;
  const auto inbox = InboxPartition(tenant, *context.caller.user);
  const std::string prefix(CellPrefix(std::nullopt, {}).bytes());
  const std::string from = *after;
  std::vector<storage::RowKey> heads;
  bool sound = true;
  PARLEY_CHECK_OK(MergeCells(
      context.snapshot, inbox, cells, std::nullopt, from, kThreadsPerRound,
      [&](std::string_view place, std::string_view) {
        InboxKeyParts key;
        *after = place;
        sound = ParseInboxKey(prefix + *after, &key);
        heads.push_back({threads::ThreadPartition(tenant, key.place.thread), threads::ThreadKey()});
        return sound;
      }));
  if (!sound) return protocol::UnreadableStored();
  return heads;
}

// Returns the non-empty cells of the caller's inbox.
Result<std::vector<Cell>> CellsOf(const ReadContext& context) {
  std::optional<storage::Row> row;
  const auto status = context.snapshot.Get(InboxPartition(context.caller.tenant, *context.caller.user),
                                           InboxCountsKey(), &row);
  if (!status.ok()) return threads::FromStorage(status);
  CellCounts counts;
  if (row && !DecodeCounts(row->payload, &counts)) return protocol::UnreadableStored();
  std::vector<Cell> cells;
  for (const auto& [cell, count] : counts) cells.push_back(cell);
  return cells;
}

// The users not found yet, those found, and the number of rows that may still be read.
struct Search {
  std::set<UserId> missing;
  std::set<UserId> found;
  bool bookings_only = false;
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

// A head lists only the first members; each later member has a row.
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

Result<std::set<UserId>> FindAll(const ReadContext& context, Search search) {
  search.Find(*context.caller.user);
  if (search.over()) return std::move(search.found);
  PARLEY_TRY(cells, CellsOf(context));
  std::string after;
  while (!search.over()) {
    PARLEY_TRY(heads, NextHeads(context, cells, &after));
    std::vector<std::optional<storage::Row>> rows;
    if (const auto status = context.snapshot.MultiGet(heads, &rows); !status.ok())
      return threads::FromStorage(status);
    for (const auto& stored : rows) {
      if (search.over() || !search.Pay(2)) break;  // the rows of the entry and of the head
      threads::ThreadRow head;
      if (!stored || !threads::DecodeItem(stored->payload, &head)) return protocol::UnreadableStored();
      if (search.bookings_only && !head.is_booking()) continue;
      // Users of a request that was not accepted do not share the thread.
      const auto gated = threads::GatedIn(head);
      if (threads::IsGated(head, *context.caller.user)) continue;
      for (const UserId& member : head.item.participants.items) {
        if (gated != member) search.Find(member);
      }
      PARLEY_CHECK_OK(SearchUnlisted(context, head.item, &search));
    }
    if (heads.size() < kThreadsPerRound) break;
  }
  return std::move(search.found);
}

}  // namespace

Result<std::set<UserId>> WhoShareAThread(const ReadContext& context, std::set<UserId> users) {
  return FindAll(context, {std::move(users), {}, false});
}

Result<std::set<UserId>> WhoShareAProject(const ReadContext& context, std::set<UserId> users) {
  return FindAll(context, {std::move(users), {}, true});
}

Result<bool> AreStrangers(const ReadContext& context, const UserId& other) {
  const auto& [lower, higher] = std::minmax(*context.caller.user, other);
  PARLEY_TRY(direct, context.rows().Reservation(threads::UserPartition(context.caller.tenant, lower),
                                                threads::DirectKey(higher)));
  if (direct) return false;
  PARLEY_TRY(found, WhoShareAProject(context, {other}));
  return !found.contains(other);
}

Result<std::set<UserId>> WhoseToSee(const ReadContext& context, std::set<UserId> users) {
  if (context.caller.sees_all()) return users;
  return WhoShareAThread(context, std::move(users));
}

Result<std::vector<protocol::ThreadId>> ThreadsBetween(const ReadContext& context, const UserId& other) {
  std::vector<protocol::ThreadId> out;
  PARLEY_TRY(cells, CellsOf(context));
  std::string after;
  for (size_t read = 0; read < kSharedRowsMax; read += kThreadsPerRound) {
    PARLEY_TRY(heads, NextHeads(context, cells, &after));
    std::vector<std::optional<storage::Row>> rows;
    if (const auto status = context.snapshot.MultiGet(heads, &rows); !status.ok())
      return threads::FromStorage(status);
    for (const auto& stored : rows) {
      threads::ThreadRow head;
      if (!stored || !threads::DecodeItem(stored->payload, &head)) return protocol::UnreadableStored();
      if (threads::IsParty(head, context.caller.user) && threads::IsParty(head, other))
        out.push_back(head.item.thread_id);
    }
    if (heads.size() < kThreadsPerRound) break;
  }
  return out;
}

}  // namespace parley::fanout
