#include "threads/changes.h"

#include "threads/access.h"

namespace parley::threads {
namespace {

using protocol::ChangeKind;
using protocol::EventKind;
constexpr size_t kChunk = 256;  // LOG# rows looked at per round

struct LogEntry {
  int64_t seq;
  LogRow row;
};

Result<std::vector<LogEntry>> ReadLog(const RowReader& reader, const ThreadId& thread, int64_t after) {
  std::vector<LogEntry> out;
  bool sound = true;
  const storage::SortRange range{LogKey(after + 1), RangeOf(storage::ThreadTag::kLog).end};
  const auto status =
      reader.raw().Scan(ThreadPartition(reader.tenant(), thread), range, storage::Direction::kForward, kChunk,
                        [&](std::string_view sort, storage::RowView row) {
                          LogEntry& entry = out.emplace_back();
                          sound = ParseLogKey(sort, &entry.seq) && DecodeLog(row.payload, &entry.row);
                          return sound;
                        });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return Error(ErrorCode::kInternal, "stored data can not be read");
  return out;
}

Result<bool> IsSeen(EventKind kind, const ItemView& item, const Caller& viewer) {
  const ChangeKind of = ChangeKindOf(kind);
  if (of != ChangeKind::kMessage && of != ChangeKind::kCard) return true;
  const auto only_for = OnlyFor(item);
  if (!only_for) return Error(ErrorCode::kInternal, "stored data can not be read");
  return MaySee(viewer, *only_for);
}

}  // namespace

Result<ChangePage> ReadChanges(const RowReader& reader, const Caller& viewer, const ThreadId& thread,
                               int64_t after, size_t limit) {
  ChangePage page;
  page.through = after;
  for (;;) {
    PARLEY_TRY(entries, ReadLog(reader, thread, page.through));
    if (entries.empty()) return page;
    std::vector<storage::RowKey> keys;
    keys.reserve(entries.size());
    const auto partition = ThreadPartition(reader.tenant(), thread);
    for (const LogEntry& entry : entries) keys.push_back({partition, entry.row.sort});
    std::vector<std::optional<storage::Row>> rows;
    if (const auto status = reader.raw().MultiGet(keys, &rows); !status.ok()) return FromStorage(status);
    for (size_t i = 0; i < entries.size(); ++i) {
      ItemView item;
      if (!rows[i] || !ParseItem(rows[i]->payload, &item))
        return Error(ErrorCode::kInternal, "stored data can not be read");
      bool latest = item.seq == entries[i].seq;  // otherwise a later change of the item tells it all
      if (latest) {
        PARLEY_TRY(seen, IsSeen(entries[i].row.kind, item, viewer));
        latest = seen;
      }
      if (latest && page.changes.size() == limit) {
        page.more = true;
        return page;
      }
      page.through = entries[i].seq;
      if (!latest) continue;
      page.changes.push_back(
          {item.seq, item.born_seq, entries[i].row.kind, entries[i].row.at, std::string(item.wire)});
    }
    if (entries.size() < kChunk) return page;
  }
}

EventKind CatchUpKind(const Change& change, int64_t held) {
  const bool fresh = change.born_seq > held;
  switch (change.kind) {
    case EventKind::kThreadCreated:
    case EventKind::kThreadUpdated:
      return fresh ? EventKind::kThreadCreated : EventKind::kThreadUpdated;
    case EventKind::kParticipantAdded:
    case EventKind::kParticipantUpdated:
      return fresh ? EventKind::kParticipantAdded : EventKind::kParticipantUpdated;
    case EventKind::kMessageCreated:
    case EventKind::kMessageUpdated:
      return fresh ? EventKind::kMessageCreated : EventKind::kMessageUpdated;
    default:
      return change.kind;
  }
}

protocol::ChangeKind ChangeKindOf(EventKind kind) {
  switch (kind) {
    case EventKind::kParticipantAdded:
    case EventKind::kParticipantUpdated:
    case EventKind::kParticipantRemoved:
      return protocol::ChangeKind::kParticipant;
    case EventKind::kMessageCreated:
    case EventKind::kMessageUpdated:
      return protocol::ChangeKind::kMessage;
    case EventKind::kCardUpdated:
      return protocol::ChangeKind::kCard;
    case EventKind::kTabUpdated:
      return protocol::ChangeKind::kTab;
    default:
      return protocol::ChangeKind::kThread;
  }
}

}  // namespace parley::threads
