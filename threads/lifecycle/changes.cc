#include "threads/lifecycle/changes.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "threads/model/access.h"
#include "threads/model/staff_view.h"

namespace parley::threads {
namespace {

using protocol::ChangeKind;
using protocol::EventKind;
constexpr size_t kChunk = 256, kSmallestChunk = 16;  // LOG# rows read per round
constexpr size_t kChangeFrame = 200;  // maximum frame around an item, as a change of a reply or as an event

struct LogEntry {
  int64_t seq;
  LogRow row;
};

Result<std::vector<LogEntry>> ReadLog(const RowReader& reader, const ThreadId& thread, int64_t after,
                                      size_t chunk) {
  std::vector<LogEntry> out;
  bool sound = true;
  const storage::SortRange range{LogKey(after + 1), RangeOf(storage::ThreadTag::kLog).end};
  const auto status =
      reader.raw().Scan(ThreadPartition(reader.tenant(), thread), range, storage::Direction::kForward, chunk,
                        [&](std::string_view sort, storage::RowView row) {
                          LogEntry& entry = out.emplace_back();
                          sound = ParseLogKey(sort, &entry.seq) && DecodeLog(row.payload, &entry.row);
                          return sound;
                        });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return Error(ErrorCode::kInternal, "stored data cannot be read");
  return out;
}

// Sets *differs if other viewers may see a different item or none.
Result<bool> IsSeen(EventKind kind, const ItemView& item, const Caller& viewer, bool* differs) {
  const std::optional<ChangeKind> of = protocol::Describe(kind).item;
  *differs |= of && of != ChangeKind::kMessage && of != ChangeKind::kThread;
  if (of != ChangeKind::kMessage && of != ChangeKind::kCard) return true;
  const auto only_for = OnlyFor(item);
  if (!only_for) return Error(ErrorCode::kInternal, "stored data cannot be read");
  *differs |= only_for->value.has_value();
  return MaySee(viewer, *only_for);
}

// Reads the rows that LOG# rows name, except those known to have changed again later: if an item is named
// often, usually only its last LOG# row counts.
class Items {
 public:
  Items(const RowReader& reader, const ThreadId& thread) : reader_(reader), thread_(thread) {}

  protocol::Status Read(const std::vector<LogEntry>& entries) {
    std::vector<storage::RowKey> keys;
    std::unordered_map<std::string_view, int64_t> last;
    for (const LogEntry& entry : entries) last[entry.row.sort.bytes()] = entry.seq;
    places_.assign(entries.size(), kStale);
    const auto partition = ThreadPartition(reader_.tenant(), thread_);
    for (size_t i = 0; i < entries.size(); ++i) {
      const std::string& sort = entries[i].row.sort.bytes();
      const auto later = changed_later_.find(sort);
      if (last[sort] != entries[i].seq || (later != changed_later_.end() && later->second != entries[i].seq))
        continue;
      places_[i] = keys.size();
      keys.push_back({partition, entries[i].row.sort});
    }
    const auto status = reader_.raw().MultiGet(keys, &rows_);
    return status.ok() ? protocol::Ok() : FromStorage(status);
  }
  // Whether the item of entries[i] did not change again; sets *item if so.
  Result<bool> IsLatest(size_t i, const LogEntry& entry, ItemView* item) {
    if (places_[i] == kStale) return false;
    const auto& row = rows_[places_[i]];
    if (!row || !ParseItem(row->payload, item))
      return Error(ErrorCode::kInternal, "stored data cannot be read");
    if (item->seq != entry.seq) changed_later_[entry.row.sort.bytes()] = item->seq;
    return item->seq == entry.seq;
  }

 private:
  static constexpr size_t kStale = SIZE_MAX;

  const RowReader& reader_;
  const ThreadId& thread_;
  std::vector<size_t> places_;  // index into rows_, for each entry
  std::vector<std::optional<storage::Row>> rows_;
  std::unordered_map<std::string, int64_t> changed_later_;  // sort key to the seq of its last change
};

}  // namespace

bool IsSwept(const ThreadRow& head, int64_t after) {
  return after < head.hidden.log_swept.value.value_or(0);
}

bool IsBeyondLog(const ThreadRow& head, int64_t held) {
  const int64_t last = head.item.last_seq;
  return held > last || last - held > kMaxBehind || IsSwept(head, held);
}

Result<ChangePage> ReadChanges(const RowReader& reader, const Caller& viewer, const ThreadId& thread,
                               int64_t after, size_t limit, size_t page_bytes) {
  ChangePage page;
  protocol::PageBytes bytes(page_bytes, kChangeFrame);
  const auto taken = [&page] {
    size_t sum = 0;
    for (const Change& change : page.changes) sum += protocol::JsonSize(change.wire);
    return sum;
  };
  page.through = after;
  bool differs = viewer.is_staff() || viewer.masked;
  Items items(reader, thread);
  const size_t chunk = std::clamp(limit, kSmallestChunk, kChunk - 1) + 1;
  for (;;) {
    PARLEY_TRY(entries, ReadLog(reader, thread, page.through, chunk));
    if (entries.empty()) break;
    PARLEY_CHECK_OK(items.Read(entries));
    for (size_t i = 0; i < entries.size(); ++i) {
      ItemView item;
      PARLEY_TRY(latest, items.IsLatest(i, entries[i], &item));
      if (latest) {
        PARLEY_TRY(seen, IsSeen(entries[i].row.kind, item, viewer, &differs));
        latest = seen;
      }
      if (latest && (page.changes.size() == limit || !bytes.Take(item.wire, taken))) {
        page.more = true;
        return page;
      }
      page.through = entries[i].seq;
      if (!latest) continue;
      std::string made;
      const auto of = protocol::Describe(entries[i].row.kind).item;
      std::string_view wire = item.wire;
      if (of == ChangeKind::kMessage) {
        wire = MessageWireFor(viewer, item, &made);
      } else if (viewer.masked && of) {
        wire = made = MaskedWire(*of, item.wire);
      }
      page.changes.push_back(
          {item.seq, item.born_seq, entries[i].row.kind, entries[i].row.at, std::string(wire)});
    }
    if (entries.size() < chunk) break;
  }
  page.same_for_members = !differs;
  return page;
}

EventKind CatchUpKind(const Change& change, int64_t held) {
  const protocol::EventKindInfo& info = protocol::Describe(change.kind);
  return change.born_seq > held ? info.as_new : info.as_changed;
}

}  // namespace parley::threads
