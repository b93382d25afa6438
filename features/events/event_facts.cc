#include "features/events/event_facts.h"

#include <algorithm>
#include <map>
#include <set>

#include "protocol/base/crypto.h"
#include "protocol/base/varint.h"
#include "storage/declarations/load.h"
#include "storage/engine/item_change.h"
#include "storage/items/item_codec.h"
#include "threads/model/change.h"

namespace parley::features::facts {
namespace {

using Differs = std::function<void(const std::string&)>;
using storage::Item;
using storage::Position;
using storage::Status;

const storage::TableDef& EventsTable() {
  const auto& all = storage::SeedTables();
  return **std::find_if(all.begin(), all.end(), [](const auto& def) { return def->name == "Events"; });
}

Status ReadPlaceRow(const storage::Reader& reader, Position* out) {
  std::optional<storage::Row> row;
  Status status = reader.Get(storage::EventRelayRecords(), storage::RecordKey("place"), &row);
  if (!status.ok() || !row) return status;
  std::string_view rest = row->payload;
  if (!protocol::TakeVarint(&rest, out))
    return {storage::StatusCode::kCorrupt, "the place of the event relay cannot be read"};
  return {};
}

std::string Text(const Item& item, std::string_view name) {
  const auto* value = item.Find(name);
  return value && value->text() ? *value->text() : "";
}
std::string Digits(const Item& item, std::string_view name) {
  const auto* value = item.Find(name);
  return value && value->number() ? value->number()->ToText() : "";
}

// A UUID of version 8: 48 bits of the seq, filled up from a digest of all arguments.
std::string IdOf(const std::string& tenant, const std::string& thread, int64_t seq, const std::string& type,
                 const std::string& act) {
  const std::string digest = protocol::Sha256(tenant + "/" + thread + "/" + std::to_string(seq) + "/" + type +
                                              (act.empty() ? "" : "/" + act))
                                 .substr(0, 10);
  std::string hex;
  const auto add = [&hex](unsigned value, int digits) {
    for (int i = digits - 1; i >= 0; --i) hex += "0123456789abcdef"[value >> (4 * i) & 15];
  };
  add(static_cast<unsigned>(seq >> 24), 6);
  add(static_cast<unsigned>(seq & 0xffffff), 6);
  for (const char byte : digest) add(static_cast<unsigned char>(byte), 2);
  hex[12] = '8';
  hex[16] = "89ab"[std::string("0123456789abcdef").find(hex[16]) % 4];
  return hex.substr(0, 8) + "-" + hex.substr(8, 4) + "-" + hex.substr(12, 4) + "-" + hex.substr(16, 4) + "-" +
         hex.substr(20);
}

// One event, from the log.
struct LoggedEvent {
  protocol::TenantId tenant;
  protocol::ThreadId thread;
  Position position = 0;
  std::string type, seq, at, only_for;  // `only_for` is empty if all members may see it
  std::string act;                      // set instead of `seq` if the event reports an act or an upload
  std::string file;                     // the upload
};
// How often the log says that a row was created and removed.
struct Row {
  size_t made = 0, removed = 0;
};

class EventCheck {
 public:
  EventCheck(const storage::Reader& snapshot, Position place, const Differs& differs)
      : snapshot_(snapshot), place_(place), differs_(differs), def_(EventsTable()) {}

  void Read(std::string_view bytes, Position position) {
    threads::ChangeEntry entry;
    storage::ItemEntry items;
    if (storage::IsItemEntry(bytes)) {
      if (storage::DecodeItemEntry(bytes, &items)) ReadItems(items);
    } else if (threads::DecodeChangeEntry(bytes, &entry) && entry.subscribed.value) {
      ReadLogged(entry, position);
    }
  }

  Status Judge(std::set<std::pair<protocol::TenantId, protocol::ThreadId>>* pending) {
    Position shown = 0;
    if (Status status = ReadPlaceRow(snapshot_, &shown); !status.ok()) return status;
    for (const auto& [name, logged] : logged_) {
      if (logged.position > place_) pending->emplace(logged.tenant, logged.thread);
      if (Status status = JudgeOne(name, logged, shown); !status.ok()) return status;
    }
    for (const auto& tenant : tenants_) {
      if (Status status = JudgeIds(tenant); !status.ok()) return status;
    }
    return {};
  }

 private:
  using Name = std::pair<std::string, std::string>;  // bytes of the table's partition, event id

  void ReadLogged(const threads::ChangeEntry& entry, Position position) {
    const std::string partition = storage::TablePartition(entry.tenant, def_).bytes();
    const std::string at = protocol::FormatTime(entry.at.value.value_or(protocol::Time{}));
    tenants_.insert(entry.tenant);
    for (const threads::SubscribedEvent& event : entry.subscribed.value->items) {
      const std::string type(protocol::NameOf(event.kind));
      const std::string act = event.act.value ? event.act.value->ToText() : "";
      const std::string id = IdOf(entry.tenant.ToText(), entry.thread.ToText(), event.seq, type, act);
      const std::string only_for = event.only_for.value ? event.only_for.value->ToText() : "";
      const std::string seq = act.empty() ? std::to_string(event.seq) : "";
      const std::string file = event.file.value ? event.file.value->ToText() : "";
      logged_[{partition, id}] = {entry.tenant, entry.thread, position, type, seq, at, only_for, act, file};
    }
  }

  void ReadItems(const storage::ItemEntry& items) {
    for (const storage::ItemEntry::Change& change : items.changes) {
      storage::KeyValues key;
      const auto partition = storage::PartitionKey::FromBytes(change.table);
      if (!partition || storage::TablePartition(TenantIn(*partition), def_) != *partition) continue;
      if (!storage::ParseItemKey(def_, change.item, &key) || !key.range || !key.range->text()) continue;
      tenants_.insert(TenantIn(*partition));
      Row& row = rows_[{change.table, *key.range->text()}];
      row.made += !change.existed && change.exists ? 1 : 0;
      row.removed += change.existed && !change.exists ? 1 : 0;
    }
  }
  static protocol::TenantId TenantIn(const storage::PartitionKey& partition) {
    return protocol::TenantId{protocol::KeyText::UpToNul(partition.tenant())};
  }

  Status JudgeOne(const Name& name, const LoggedEvent& logged, Position shown) {
    const auto report = [&](const std::string& what) {
      differs_(logged.tenant.ToText() + " " + logged.thread.ToText() + ": the event " + logged.type +
               " of seq " + logged.seq + logged.act + " " + what);
    };
    const Row row = rows_[name];
    std::optional<Item> item;
    if (Status status = ReadRow(logged.tenant, name.second, &item); !status.ok()) return status;
    if (row.made > 1) report("became a row more than once");
    if (item && logged.position > shown) report("became a row before the relay reached it");
    if (logged.position > place_) return {};
    if (row.made == 0) report("never became a row");
    if (row.made > 0 && !item && row.removed == 0) report("has lost its row");
    if (item && !SaysTheSame(logged, *item)) report("has a row that differs from the log");
    return {};
  }

  static bool SaysTheSame(const LoggedEvent& logged, const Item& item) {
    const auto* value = item.Find("payload");
    const Item* payload = value ? value->As<Item>() : nullptr;
    return payload && Text(item, "event_type") == logged.type && Text(*payload, "type") == logged.type &&
           Text(*payload, "threadId") == logged.thread.ToText() && Text(*payload, "at") == logged.at &&
           Text(*payload, "tenant") == logged.tenant.ToText() && Digits(*payload, "seq") == logged.seq &&
           Text(*payload, "onlyFor") == logged.only_for && Text(*payload, "attachmentId") == logged.file &&
           Text(*payload, logged.file.empty() ? "auditId" : "changeId") == logged.act;
  }

  Status ReadRow(const protocol::TenantId& tenant, const std::string& id, std::optional<Item>* out) {
    const storage::KeyValues key{tenant.ToText(), storage::AttributeValue(id)};
    std::optional<storage::Row> row;
    Status status = snapshot_.Get(storage::TablePartition(tenant, def_), storage::ItemKey(def_, key), &row);
    if (status.ok() && row && !storage::DecodeItem(row->payload, &out->emplace()))
      differs_(tenant.ToText() + ": the event " + id + " cannot be read");
    return status;
  }

  // A row's id is the one that its change gives, so no two rows report the same change.
  Status JudgeIds(const protocol::TenantId& tenant) {
    return snapshot_.Scan(storage::TablePartition(tenant, def_), storage::SegmentRange(nullptr, 0, 1),
                          storage::Direction::kForward, SIZE_MAX,
                          [&](std::string_view, storage::RowView row) {
                            Item item;
                            if (storage::DecodeItem(row.payload, &item)) JudgeId(tenant, item);
                            return true;
                          });
  }
  void JudgeId(const protocol::TenantId& tenant, const Item& item) {
    const std::string id = Text(item, "sk");
    const auto* value = item.Find("payload");
    const Item* payload = value ? value->As<Item>() : nullptr;
    if (id.size() != 36 || id[14] != '8' || !payload) return;
    const auto* seq = payload->Find("seq");
    const auto number = seq && seq->number() ? seq->number()->ToInt64() : std::nullopt;
    const std::string thread = Text(*payload, "threadId");
    const std::string act = Text(*payload, payload->Has("attachmentId") ? "changeId" : "auditId");
    const std::string in = thread.empty() ? protocol::ThreadId{}.ToText() : thread;
    if ((!number && act.empty()) ||
        IdOf(tenant.ToText(), in, number.value_or(0), Text(*payload, "type"), act) != id)
      differs_(tenant.ToText() + ": the event " + id + " has another id than its change gives");
  }

  const storage::Reader& snapshot_;
  const Position place_;
  const Differs& differs_;
  const storage::TableDef& def_;
  std::map<Name, LoggedEvent> logged_;
  std::map<Name, Row> rows_;
  std::set<protocol::TenantId> tenants_;
};

class EventFacts final : public fanout::Facts {
 public:
  Status ReadPlace(const storage::Table& table) override {
    Position cursor = 0;
    if (Status status = ReadPlaceRow(table, &place_); !status.ok()) return status;
    Status status = table.ReadCursor("events", &cursor);
    place_ = std::max(place_, cursor);
    return status;
  }
  Status FindPending(const fanout::VerifyInput& input, std::set<fanout::ThreadName>* pending) override {
    EventCheck check(input.snapshot, place_, input.differs);
    Status status = input.table.ReadLog(0, SIZE_MAX, [&](Position position, std::string_view bytes) {
      check.Read(bytes, position);
      return true;
    });
    return status.ok() ? check.Judge(pending) : status;
  }

 private:
  Position place_ = 0;
};

}  // namespace

std::unique_ptr<fanout::Facts> MakeEventFacts() {
  return std::make_unique<EventFacts>();
}

}  // namespace parley::features::facts
