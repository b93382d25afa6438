#include "fanout/view/index_rows.h"

#include <algorithm>

#include "fanout/cell_merge.h"
#include "fanout/view/view_items.h"

namespace parley::fanout {
namespace {

using protocol::Result;
using storage::Item;
using storage::SortKey;

constexpr size_t kPortionMax = 64;  // entries whose rows are read together

struct Entry {
  std::string sort;  // its place
  protocol::Time at;
  ThreadId thread;
};

// One index partition: reads its entries and finds the row of each.
class Index {
 public:
  virtual ~Index() = default;
  virtual protocol::Status Read(const IndexPart& part, size_t limit, std::vector<Entry>* out) const = 0;
  virtual SortKey RowOf() const = 0;                  // within the thread that an entry leads to
  virtual Item KeysOf(const Entry& entry) const = 0;  // the table's and the index's
  // Returns nullopt if the row is hidden. Sets *sound to false if it cannot be read.
  virtual std::optional<Item> ItemOf(const Entry& entry, std::string_view payload, bool* sound) const = 0;
};

class Inbox final : public Index {
 public:
  static Result<Inbox> Open(const ViewReader& reader, const UserId& user) {
    Inbox inbox(reader, user);
    std::optional<storage::Row> row;
    const auto status = reader.raw().Get(inbox.partition_, InboxCountsKey(), &row);
    if (!status.ok()) return threads::FromStorage(status);
    CellCounts counts;
    if (row && !DecodeCounts(row->payload, &counts)) return UnreadableRow();
    for (const auto& [cell, count] : counts) inbox.cells_.push_back(cell);
    return inbox;
  }

  protocol::Status Read(const IndexPart& part, size_t limit, std::vector<Entry>* out) const override {
    const std::string prefix = CellPrefix(std::nullopt, {}).bytes();
    const auto direction = part.forward ? storage::Direction::kForward : storage::Direction::kReverse;
    bool sound = true;
    PARLEY_CHECK_OK(MergeCells(reader_.raw(), partition_, cells_, std::nullopt,
                               MergedPart{part.rows, direction}, limit,
                               [&](std::string_view place, std::string_view) {
                                 InboxKeyParts key;
                                 sound = ParseInboxKey(prefix + std::string(place), &key);
                                 out->push_back({std::string(place), key.place.at, key.place.thread});
                                 return sound;
                               }));
    return sound ? protocol::Ok() : protocol::Status(UnreadableRow());
  }
  SortKey RowOf() const override { return threads::ParticipantKey(user_); }
  Item KeysOf(const Entry& entry) const override {
    Item keys = KeyItem(entry.thread, ParticipantText(user_));
    keys.Set("GSI1PK", InboxText(user_));
    keys.Set("GSI1SK", PlaceText(entry.at));
    return keys;
  }
  std::optional<Item> ItemOf(const Entry& entry, std::string_view payload, bool* sound) const override {
    threads::ParticipantRow row;
    *sound = threads::DecodeItem(payload, &row);
    if (!*sound || !row.active()) return std::nullopt;
    return ParticipantItem(entry.thread, row, entry.at, reader_.now());
  }

 private:
  Inbox(const ViewReader& reader, const UserId& user)
      : reader_(reader), user_(user), partition_(InboxPartition(reader.tenant(), user)) {}

  const ViewReader& reader_;
  const UserId user_;
  const storage::PartitionKey partition_;
  std::vector<Cell> cells_;
};

class Project final : public Index {
 public:
  Project(const ViewReader& reader, const std::string& hash, storage::PartitionKey partition)
      : reader_(reader), hash_(hash), partition_(std::move(partition)) {}

  protocol::Status Read(const IndexPart& part, size_t limit, std::vector<Entry>* out) const override {
    const auto direction = part.forward ? storage::Direction::kForward : storage::Direction::kReverse;
    bool sound = true;
    const auto status = reader_.raw().Scan(partition_, part.rows, direction, limit,
                                           [&](std::string_view sort, storage::RowView) {
                                             Entry& entry = out->emplace_back();
                                             entry.sort = sort;
                                             return sound = ParseProjectKey(sort, &entry.at, &entry.thread);
                                           });
    if (!status.ok()) return threads::FromStorage(status);
    return sound ? protocol::Ok() : protocol::Status(UnreadableRow());
  }
  SortKey RowOf() const override { return threads::ThreadKey(); }
  Item KeysOf(const Entry& entry) const override {
    Item keys = KeyItem(entry.thread, kThreadSort);
    keys.Set("GSI2PK", hash_);
    keys.Set("GSI2SK", protocol::FormatTime(entry.at));
    return keys;
  }
  std::optional<Item> ItemOf(const Entry& entry, std::string_view payload, bool* sound) const override {
    threads::ThreadRow row;
    *sound = threads::DecodeItem(payload, &row);
    if (!*sound) return std::nullopt;
    const auto head = reader_.IfSeen(std::move(row));
    if (!head) return std::nullopt;
    Item item = ThreadItem(head->item);
    for (auto& [name, value] : KeysOf(entry)) item.Set(name, std::move(value));
    return item;
  }

 private:
  const ViewReader& reader_;
  const std::string hash_;
  const storage::PartitionKey partition_;
};

// Visits the rows of the entries. Returns false if the visitor stops.
Result<bool> VisitEntries(const ViewReader& reader, const Index& index, const std::vector<Entry>& entries,
                          const ItemVisitor& visit) {
  std::vector<storage::RowKey> keys;
  for (const Entry& entry : entries)
    keys.push_back({threads::ThreadPartition(reader.tenant(), entry.thread), index.RowOf()});
  std::vector<std::optional<storage::Row>> rows;
  if (const auto status = reader.raw().MultiGet(keys, &rows); !status.ok())
    return threads::FromStorage(status);
  for (size_t i = 0; i < entries.size(); ++i) {
    bool sound = true;
    auto item = rows[i] ? index.ItemOf(entries[i], rows[i]->payload, &sound) : std::nullopt;
    if (!sound) return UnreadableRow();
    if (!(item ? visit.take(std::move(*item)) : visit.pass_over(index.KeysOf(entries[i])))) return false;
  }
  return true;
}

protocol::Status VisitIndex(const ViewReader& reader, const Index& index, IndexPart part,
                            const ItemVisitor& visit) {
  size_t portion = part.portion == 0 ? kPortionMax : std::min(part.portion, kPortionMax);
  for (;;) {
    std::vector<Entry> entries;
    PARLEY_CHECK_OK(index.Read(part, portion, &entries));
    PARLEY_TRY(goes_on, VisitEntries(reader, index, entries, visit));
    if (!goes_on || entries.size() < portion) return protocol::Ok();
    portion = kPortionMax;
    if (part.forward)
      part.rows.begin = SortKey(entries.back().sort + '\0');
    else
      part.rows.end = SortKey(entries.back().sort);
  }
}

}  // namespace

protocol::Status VisitInboxItems(const ViewReader& reader, const UserId& user, const IndexPart& part,
                                 const ItemVisitor& visit) {
  PARLEY_TRY(inbox, Inbox::Open(reader, user));
  return VisitIndex(reader, inbox, part, visit);
}

protocol::Status VisitProjectItems(const ViewReader& reader, const std::string& hash, const IndexPart& part,
                                   const ItemVisitor& visit) {
  auto partition = ProjectOfText(reader.tenant(), hash);
  if (!partition) return protocol::Ok();
  return VisitIndex(reader, Project(reader, hash, std::move(*partition)), part, visit);
}

}  // namespace parley::fanout
