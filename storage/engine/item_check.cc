#include "storage/engine/item_check.h"

#include <map>
#include <utility>

#include "protocol/base/varint.h"
#include "storage/engine/checked_tables.h"
#include "storage/engine/declared_changes.h"
#include "storage/engine/item_transaction.h"
#include "storage/engine/tenant_of.h"
#include "storage/items/item_codec.h"

namespace parley::storage {
namespace {

using protocol::TenantId;
using TablePtr = std::shared_ptr<const CheckedTable>;

class ItemChecker {
 public:
  ItemChecker(const Reader& reader, const std::vector<TableDefPtr>& seeds, protocol::Time now,
              const CheckedTables::Differs& differs, ItemCheckReport* report)
      : reader_(reader), now_(now), differs_(differs), report_(*report), tables_(reader, seeds, differs) {}

  Status Run() {
    if (Status status = tables_.Load(); !status.ok()) return status;
    const auto walk = [&](TableTag tag, auto visit) {
      Status status =
          reader_.ScanAll(tag, [&](const PartitionKey& partition, const SortKey& sort, const RowView& row) {
            (this->*visit)(partition, sort, row.payload);
            return status_.ok();
          });
      Flush();
      return status.ok() ? status_ : status;
    };
    if (Status status = walk(TableTag::kItems, &ItemChecker::OnRow); !status.ok()) return status;
    FinishTable();
    Status status = walk(TableTag::kItemExpiry, &ItemChecker::OnPlace);
    for (const auto& [token, name] : placeless_) differs_(name + ": its expiry place is missing");
    return status;
  }

 private:
  using RowName = std::pair<std::string, std::string>;  // partition and sort
  using Judge = std::function<void(const std::optional<Row>&)>;

  // Runs the check when kLooksTogether lookups have been collected.
  void Look(RowKey at, Judge judge) {
    keys_.push_back(std::move(at));
    judges_.push_back(std::move(judge));
    if (keys_.size() == kLooksTogether) Flush();
  }
  void Flush() {
    std::vector<std::optional<Row>> rows;
    if (status_.ok()) status_ = reader_.MultiGet(keys_, &rows);
    for (size_t i = 0; status_.ok() && i < rows.size(); ++i) judges_[i](rows[i]);
    keys_.clear();
    judges_.clear();
  }

  void OnRow(const PartitionKey& partition, const SortKey& sort, std::string_view payload) {
    if (partition != current_) Begin(partition);
    switch (kind_) {
      case Kind::kTable:
        return OnTableRow(sort, payload);
      case Kind::kShared:
        return OnGuard(sort, payload);
      case Kind::kTokens:
        return OnToken(sort, payload);
      case Kind::kOther:
        return;
    }
  }

  void Begin(const PartitionKey& partition) {
    FinishTable();
    current_ = partition;
    table_ = nullptr;
    shared_ = nullptr;
    kind_ = Kind::kOther;
    const TenantId tenant = TenantOf(partition);
    if (const auto table = tables_.Find(partition)) {
      kind_ = Kind::kTable;
      table_ = std::make_shared<const CheckedTable>(*table);
      ++report_.tables;
    } else if (tenant == EngineTenant() && tables_.FindShared(partition)) {
      kind_ = Kind::kShared;
      shared_ = tables_.FindShared(partition);
    } else if (partition == TokenPartition(tenant)) {
      kind_ = Kind::kTokens;
    } else if (!tables_.IsErased(partition, "") && !tables_.IsJudged(partition)) {
      differs_(tenant.ToText() + ": rows of a table that is not defined: " + std::string(partition.id()));
    }
  }

  void FinishTable() {
    if (!table_) return;
    if (counted_.items != stored_.items || counted_.bytes != stored_.bytes)
      differs_(table_->name() + ": its statistics say " + std::to_string(stored_.items) + " items of " +
               std::to_string(stored_.bytes) + " bytes, and there are " + std::to_string(counted_.items) +
               " of " + std::to_string(counted_.bytes));
    table_ = nullptr;
    counted_ = stored_ = {};
  }

  void OnTableRow(const SortKey& sort, std::string_view payload) {
    switch (static_cast<ItemTag>(sort.bytes().empty() ? 0 : sort.bytes().front())) {
      case ItemTag::kItem:
        return OnItem(sort, payload);
      case ItemTag::kIndex:
        return OnEntry(sort, payload);
      case ItemTag::kGuard:
        return OnGuard(sort, payload);
      case ItemTag::kStats:
        if (sort != StatsKey() || !DecodeStats(payload, &stored_))
          differs_(table_->name() + ": its statistics cannot be read");
        return;
      default:
        differs_(table_->name() + ": a row of a kind that is not known");
    }
  }

  void OnItem(const SortKey& sort, std::string_view payload) {
    ++report_.items;
    ++counted_.items;
    Item item;
    KeyValues key;
    if (!DecodeItem(payload, &item) || !ParseItemKey(*table_->def, sort.bytes(), &key))
      return differs_(table_->name() + ": an item cannot be read");
    counted_.bytes += static_cast<int64_t>(ItemSize(item));
    const std::string name = ItemName(*table_, key);
    if (PlaceDemanded(*table_, item) != sort)
      return differs_(name + ": its row has another key than its attributes");
    for (const IndexDef& index : table_->def->indexes) DemandEntry(index, item, name);
    for (const UniqueRule& rule : table_->def->unique) DemandGuard(rule, item, sort, name);
    DemandPlace(item, sort, name);
  }

  void DemandEntry(const IndexDef& index, const Item& item, const std::string& name) {
    const auto demanded = EntryDemanded(*table_, index, item);
    if (!demanded || index.status == IndexStatus::kDeleting) return;
    const bool filling = index.status == IndexStatus::kCreating;
    Look({current_, *demanded}, [this, name, filling, of = index.name](const std::optional<Row>& row) {
      if (!row && filling) {
        ++report_.not_judged;
      } else if (!row) {
        differs_(name + ": its entry in " + of + " is missing");
      } else if (!row->payload.empty()) {
        differs_(name + ": its entry in " + of + " is wrong");
      }
    });
  }

  void DemandGuard(const UniqueRule& rule, const Item& item, const SortKey& sort, const std::string& name) {
    const auto demanded = GuardDemanded(*table_, rule, item);
    if (!demanded) return;
    const bool missing = ReadsAsMissing(*table_, item, now_);
    Look(*demanded, [this, name, missing, holder = HolderDemanded(*table_, sort),
                     of = rule.attributes.front()](const std::optional<Row>& row) {
      if ((row && row->payload == holder) || missing) return;
      differs_(name + ": its guard for " + of + (row ? " is another's" : " is missing"));
    });
  }

  void DemandPlace(const Item& item, const SortKey& sort, const std::string& name) {
    const auto expiry = ExpiryDemanded(*table_, item);
    if (!expiry) return;
    const bool retiming = table_->retiming || (!tables_.has_places_of_fractions() &&
                                               HasFraction(*item.Find(table_->def->ttl_attribute)->number()));
    Look({ExpiryPartition(), ExpiryKey(*expiry, current_, sort)},
         [this, name, retiming](const std::optional<Row>& row) {
           if (row) return;
           if (retiming) {
             ++report_.not_judged;
           } else {
             differs_(name + ": its expiry place is missing");
           }
         });
  }

  void OnEntry(const SortKey& sort, std::string_view payload) {
    ++report_.entries;
    const IndexDef* index = IndexOf(sort.bytes());
    if (index ? index->status == IndexStatus::kDeleting
              : tables_.IsErased(current_, sort.bytes().substr(0, 3)))
      return;
    if (!index) return differs_(table_->name() + ": an entry of an index that the table does not have");
    KeyValues entry, key;
    if (!payload.empty() || !ParseEntryKey(*table_->def, *index, sort.bytes(), &entry, &key))
      return differs_(table_->name() + ": an entry in " + index->name + " cannot be read");
    Look({current_, ItemKey(*table_->def, key)},
         [this, table = table_, index, key, sort](const std::optional<Row>& row) {
           Item item;
           if (row && !DecodeItem(row->payload, &item)) return;  // reported with the item
           if (!row || EntryDemanded(*table, *index, item) != sort)
             differs_(ItemName(*table, key) + ": an entry too many in " + index->name);
         });
  }

  const IndexDef* IndexOf(const std::string& sort) const {
    for (const IndexDef& index : table_->def->indexes) {
      if (sort.starts_with(IndexPrefix(index))) return &index;
    }
    return nullptr;
  }

  // Guards of the table's own partition, or of the partition of guards across all tenants.
  void OnGuard(const SortKey& sort, std::string_view payload) {
    ++report_.guards;
    const TableDef& def = table_ ? *table_->def : *shared_;
    const std::string name = table_ ? table_->name() : def.name;
    const UniqueRule* rule = RuleOf(def, sort.bytes());
    if (!rule || rule->global != !table_)
      return differs_(name + ": a guard of a rule that the table does not have");
    const auto holder = Split(payload);
    const auto table = holder ? tables_.Find(holder->partition) : std::nullopt;
    KeyValues key;
    if (!table || table->def->name != def.name || !ParseItemKey(def, holder->sort.bytes(), &key))
      return differs_(name + ": a guard for " + rule->attributes.front() + " cannot be read");
    Look({holder->partition, holder->sort},
         [this, table = *table, rule, key, partition = current_, sort](const std::optional<Row>& row) {
           Item item;
           if (row && !DecodeItem(row->payload, &item)) return;  // reported with the item
           const auto demanded = row ? GuardDemanded(table, *rule, item) : std::nullopt;
           if (!demanded || demanded->partition != partition || demanded->sort != sort)
             differs_(ItemName(table, key) + ": a guard too many for " + rule->attributes.front());
         });
  }

  static const UniqueRule* RuleOf(const TableDef& def, const std::string& sort) {
    if (sort.size() < 3 || sort[0] != static_cast<char>(ItemTag::kGuard)) return nullptr;
    const unsigned number = static_cast<uint8_t>(sort[1]) << 8 | static_cast<uint8_t>(sort[2]);
    for (const UniqueRule& rule : def.unique) {
      if (rule.number == number) return &rule;
    }
    return nullptr;
  }

  void OnToken(const SortKey& sort, std::string_view payload) {
    ++report_.tokens;
    const std::string tenant(current_.tenant());
    KeyReader key(sort.bytes());
    std::string token;
    uint64_t until_ms = 0;
    if (!key.Tag(ItemTag::kToken) || !key.Text(&token) || !key.AtEnd() ||
        !protocol::TakeVarint(&payload, &until_ms))
      return differs_(tenant + ": the token of a transaction cannot be read");
    const auto at_s = static_cast<int64_t>((until_ms + 999) / 1000);
    Look({ExpiryPartition(), ExpiryKey(at_s, current_, sort)},
         [this, at = RowName{current_.bytes(), sort.bytes()},
          name = tenant + ": token " + token](const std::optional<Row>& row) {
           if (!row) placeless_.emplace(at, name);
         });
  }

  void OnPlace(const PartitionKey& partition, const SortKey& sort, std::string_view payload) {
    ++report_.places;
    ExpiryEntry entry;
    const bool is_read = ParseExpiryKey(sort.bytes(), &entry) && payload.empty();
    const auto of = is_read ? PartitionKey::FromBytes(entry.partition) : std::nullopt;
    if (partition != ExpiryPartition() || !of || of->table() != TableTag::kItems)
      return differs_("an expiry place cannot be read");
    if (entry.sort.front() == static_cast<char>(ItemTag::kToken)) return OnPlaceOfToken(*of, entry);
    const auto table = tables_.Find(*of);
    KeyValues key;
    if (!table) {
      ++report_.stale_places;  // the table was dropped
    } else if (!ParseItemKey(*table->def, entry.sort, &key)) {
      differs_(table->name() + ": an expiry place cannot be read");
    } else {
      OnPlaceOfItem(*table, key, entry);
    }
  }

  // Unless the TTL attribute ever changed, which is rare in declared tables, places are removed with their
  // items.
  void OnPlaceOfItem(const CheckedTable& table, const KeyValues& key, const ExpiryEntry& entry) {
    Look({table.partition, SortKey(entry.sort)},
         [this, table, key, at_s = entry.at_s](const std::optional<Row>& row) {
           Item item;
           if (row && !DecodeItem(row->payload, &item)) return;  // reported with the item
           if (!row && table.def->owner != TableDef::Owner::kTenant && !IsChanged(*table.def))
             return differs_(ItemName(table, key) + ": an expiry place of a missing item");
           if (!row || ExpiryDemanded(table, item) != at_s) ++report_.stale_places;
         });
  }

  // The old place of a token that was used again remains until it is due.
  void OnPlaceOfToken(const PartitionKey& of, const ExpiryEntry& entry) {
    const RowKey token{of, SortKey(entry.sort)};
    Look(token, [this, token, at_ms = entry.at_s * 1000](const std::optional<Row>& row) {
      if (row) return OnLaterPlace(token, at_ms, row->payload);
      if (at_ms > now_.ms)
        return differs_(std::string(token.partition.tenant()) + ": an expiry place of a missing token");
      ++report_.stale_places;
    });
  }

  // A token whose time was extended because the clock was set ahead has a place at the later time only.
  void OnLaterPlace(const RowKey& token, int64_t at_ms, std::string_view payload) {
    uint64_t until_ms = 0;
    if (protocol::TakeVarint(&payload, &until_ms) && at_ms >= static_cast<int64_t>(until_ms))
      placeless_.erase({token.partition.bytes(), token.sort.bytes()});
  }

  static bool HasFraction(const Number& number) { return number.ToText().find('.') != std::string::npos; }

  static std::string ItemName(const CheckedTable& table, const KeyValues& key) {
    return table.name() + ": " + KeyText(*table.def, key);
  }

  enum class Kind : uint8_t { kTable, kShared, kTokens, kOther };

  const Reader& reader_;
  const protocol::Time now_;
  const CheckedTables::Differs differs_;
  ItemCheckReport& report_;
  CheckedTables tables_;
  Status status_;
  std::vector<RowKey> keys_;
  std::vector<Judge> judges_;
  std::map<RowName, std::string> placeless_;  // tokens without a place at their time, so far

  PartitionKey current_;
  Kind kind_ = Kind::kOther;
  TablePtr table_;      // kTable
  TableDefPtr shared_;  // kShared: the owner of the guards
  TableStats counted_, stored_;
};

}  // namespace

Status CheckItems(const Reader& snapshot, const std::vector<TableDefPtr>& seeds, protocol::Time now,
                  const std::function<void(const std::string&)>& differs, ItemCheckReport* report) {
  return ItemChecker(snapshot, seeds, now, differs, report).Run();
}

}  // namespace parley::storage
