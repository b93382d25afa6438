#include "storage/engine/item_change.h"

#include <algorithm>

#include "protocol/base/varint.h"
#include "storage/engine/tenant_of.h"
#include "storage/items/item_codec.h"

namespace parley::storage {
namespace {

constexpr int64_t kFarSeconds = int64_t{1} << 40;  // beyond: never
// MessagePack never begins with this byte, so no thread's entry does.
constexpr char kItemEntry = '\xc1';

std::string Quoted(std::string_view before, std::string_view name, std::string_view after) {
  return std::string(before) + std::string(name) + std::string(after);
}

bool IsEmptyKey(const AttributeValue& value) {
  if (const std::string* text = value.text()) return text->empty();
  const Binary* binary = value.As<Binary>();
  return binary && binary->bytes.empty();
}

EngineFault EmptyKey(const AttributeValue& value, const std::string& rest) {
  return Invalid(
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
      "empty " +
      std::string(value.text() ? "string" : "binary") + " value. " + rest);
}

MaybeFault CheckKeySizes(const KeyValues& key) {
  if (ValueSize(key.hash) > kHashKeyBytesMax)
    return Invalid(
        "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit "
        "of2048 "
        "bytes");
  if (key.range && ValueSize(*key.range) > kRangeKeyBytesMax)
    return Invalid(
        "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size "
        "limit "
        "of 1024 bytes");
  return {};
}

MaybeFault CheckKeyPart(const KeyAttribute& part, const Item& item) {
  const AttributeValue* value = item.Find(part.name);
  if (!value)
    return Invalid(
        Quoted("One or more parameter values were invalid: Missing the key ", part.name, " in the item"));
  if (value->type() != part.type)
    return Invalid(Quoted("One or more parameter values were invalid: Type mismatch for key ", part.name,
                          " expected: ") +
                   std::string(NameOf(part.type)) + " actual: " + std::string(NameOf(value->type())));
  if (IsEmptyKey(*value)) return EmptyKey(*value, "Key: " + part.name);
  return {};
}

// Adds the value's size to *bytes, which bounds all attributes of the key together.
MaybeFault CheckIndexPart(const IndexDef& index, const KeyAttribute& part, const Item& item, bool is_hash,
                          size_t* bytes) {
  const AttributeValue* value = item.Find(part.name);
  if (!value) return {};
  if (value->type() != part.type)
    return Invalid(Quoted("One or more parameter values were invalid: Type mismatch for Index Key ",
                          part.name, " Expected: ") +
                   std::string(NameOf(part.type)) + " Actual: " + std::string(NameOf(value->type())) +
                   " IndexName: " + index.name);
  if (IsEmptyKey(*value)) return EmptyKey(*value, "IndexName: " + index.name + ", IndexKey: " + part.name);
  *bytes += ValueSize(*value);
  if (*bytes > (is_hash ? kHashKeyBytesMax : kRangeKeyBytesMax))
    return Invalid(is_hash ? "One or more parameter values were invalid: Size of hashkey has exceeded the "
                             "maximum size limit of2048 bytes"
                           : "One or more parameter values were invalid: Aggregated size of all range keys "
                             "has exceeded the size limit of 1024 bytes");
  return {};
}

MaybeFault CheckIndexKey(const IndexDef& index, const Item& item) {
  MaybeFault fault;
  size_t hash_bytes = 0, range_bytes = 0;
  index.keys.Each([&](const KeyAttribute& part, bool is_hash) {
    fault = CheckIndexPart(index, part, item, is_hash, is_hash ? &hash_bytes : &range_bytes);
    return !fault;
  });
  return fault;
}

bool KeepsEntries(const IndexDef& index) {
  return index.status != IndexStatus::kDeleting;
}

Row RowOf(std::string payload) {
  return Row{1, std::move(payload)};
}

// The first whole second not before the number, or 0 if the number is no useful time. Expiry counts seconds,
// as Amazon's does.
int64_t SecondFrom(const Number& number) {
  if (const auto whole = number.ToInt64()) return *whole;
  if (number < Number() || number > Number::Of(kFarSeconds)) return 0;
  const std::string text = number.ToText();
  return Number::Must(std::string_view(text).substr(0, text.find('.'))).ToInt64().value_or(0) + 1;
}

}  // namespace

// The attribute may be any number, with a fraction, too.
int64_t ExpiryOf(const TableDef& def, const Item& item) {
  if (def.ttl_attribute.empty()) return 0;
  const AttributeValue* value = item.Find(def.ttl_attribute);
  const Number* number = value ? value->number() : nullptr;
  if (!number) return 0;
  const int64_t second = SecondFrom(*number);
  return second > 0 && second <= kFarSeconds ? second : 0;
}

bool IsExpired(int64_t expiry_s, protocol::Time now) {
  return expiry_s != 0 && expiry_s * 1000 <= now.ms && expiry_s > now.ms / 1000 - kMistakenSeconds;
}

MaybeFault ReadStored(const Reader& reader, const PartitionKey& table, const TableDef& def,
                      const KeyValues& key, protocol::Time now, StoredItem* out) {
  std::optional<Row> row;
  if (Status status = reader.Get(table, ItemKey(def, key), &row); !status.ok()) return FromStatus(status);
  if (!row) return {};
  if (!DecodeItem(row->payload, &out->stored.emplace()))
    return EngineFault{FaultKind::kInternal, "an item of " + def.name + " cannot be read"};
  out->expired = IsExpired(ExpiryOf(def, *out->stored), now);
  return {};
}

MaybeFault CheckKey(const TableDef& def, const Item& given, KeyValues* out) {
  const auto key = KeyOf(def.keys, given);
  if (!key || given.size() != (def.keys.range ? 2u : 1u))
    return Invalid("The provided key element does not match the schema");
  for (const auto& [name, value] : given) {
    if (IsEmptyKey(value)) return EmptyKey(value, "Key: " + name);
  }
  if (auto fault = CheckKeySizes(*key)) return fault;
  *out = *key;
  return {};
}

MaybeFault CheckItem(const TableDef& def, const Item& item, bool updated, KeyValues* out) {
  if (auto fault = CheckKeyPart(def.keys.hash, item)) return fault;
  if (def.keys.range) {
    if (auto fault = CheckKeyPart(*def.keys.range, item)) return fault;
  }
  for (const IndexDef& index : def.indexes) {
    if (!KeepsEntries(index)) continue;
    if (auto fault = CheckIndexKey(index, item)) return fault;
  }
  *out = *KeyOf(def.keys, item);
  if (auto fault = CheckKeySizes(*out)) return fault;
  if (ItemSize(item) > kItemBytesMax)
    return Invalid(updated ? "Item size to update has exceeded the maximum allowed size"
                           : "Item size has exceeded the maximum allowed size");
  return {};
}

std::optional<DerivedRow> EntryOf(const PartitionKey& table, const TableDef& def, const IndexDef& index,
                                  const KeyValues& key, const Item& item) {
  // Items older than the index may have values that no key can have: the index leaves them out.
  const auto entry = KeyOf(index.keys, item);
  if (!entry || CheckIndexKey(index, item)) return std::nullopt;
  return DerivedRow{table, EntryKey(def, index, *entry, key), {}};
}

std::vector<DerivedRow> DerivedRowsOf(const TenantId& tenant, const TableDef& def, const KeyValues& key,
                                      const Item& item) {
  const PartitionKey table = TablePartition(tenant, def);
  std::vector<DerivedRow> rows;
  for (const IndexDef& index : def.indexes) {
    if (!KeepsEntries(index)) continue;
    if (auto entry = EntryOf(table, def, index, key, item)) rows.push_back(std::move(*entry));
  }
  const SortKey own = ItemKey(def, key);
  for (const UniqueRule& rule : def.unique) {
    if (auto guard = GuardOf(tenant, def, rule, item))
      rows.push_back({std::move(guard->partition), std::move(guard->sort), table.bytes() + own.bytes()});
  }
  if (const int64_t expiry = ExpiryOf(def, item))
    rows.push_back({ExpiryPartition(), ExpiryKey(expiry, table, own), {}});
  return rows;
}

namespace {

// Whether a guard's holder is another, present item. An expired holder blocks nothing.
MaybeFault FindHolder(const ItemTransaction& tx, const TableDef& def, std::string_view holder, bool* held) {
  const auto place = Split(holder);
  KeyValues key;
  if (!place || !ParseItemKey(def, place->sort.bytes(), &key))
    return EngineFault{FaultKind::kInternal, "a guard of " + def.name + " cannot be read"};
  StoredItem other;
  if (auto fault = ReadStored(tx.reader(), place->partition, def, key, tx.now(), &other)) return fault;
  *held = other.live() != nullptr;
  return {};
}

bool IsGuard(const SortKey& sort) {
  return sort.bytes().front() == static_cast<char>(ItemTag::kGuard);
}

// The guard of an item that had expired may belong to another item by now.
bool BelongsTo(const ItemTransaction& tx, const DerivedRow& row) {
  if (!IsGuard(row.sort)) return true;
  std::optional<Row> current;
  return tx.reader().Get(row.partition, row.sort, &current).ok() && current &&
         current->payload == row.payload;
}

}  // namespace

MaybeFault CheckUnique(const ItemTransaction& tx, const ItemChange& change) {
  if (!change.after) return {};
  const PartitionKey table = TablePartition(change.tenant, *change.def);
  const SortKey own = ItemKey(*change.def, change.key);
  for (const UniqueRule& rule : change.def->unique) {
    const auto guard = GuardOf(change.tenant, *change.def, rule, *change.after);
    if (!guard) continue;
    std::optional<Row> row;
    if (Status status = tx.reader().Get(guard->partition, guard->sort, &row); !status.ok())
      return FromStatus(status);
    if (!row || row->payload == table.bytes() + own.bytes()) continue;
    bool held = false;
    if (auto fault = FindHolder(tx, *change.def, row->payload, &held)) return fault;
    if (held)
      return EngineFault{FaultKind::kNotUnique,
                         "another item of " + change.def->name + " has this " + rule.attributes.front()};
  }
  return {};
}

std::optional<GuardHolder> HolderOf(const TableDef& def, std::string_view guard) {
  const auto place = Split(guard);
  GuardHolder out;
  if (!place || !ParseItemKey(def, place->sort.bytes(), &out.key)) return std::nullopt;
  out.tenant = TenantOf(place->partition);
  return out;
}

void Write(ItemTransaction& tx, const ItemChange& change) {
  const TableDef& def = *change.def;
  const PartitionKey table = TablePartition(change.tenant, def);
  const auto rows_of = [&](const std::optional<Item>& item) {
    return item ? DerivedRowsOf(change.tenant, def, change.key, *item) : std::vector<DerivedRow>();
  };
  const std::vector<DerivedRow> had = rows_of(change.before.stored), has = rows_of(change.after);
  const auto is_among = [](const std::vector<DerivedRow>& rows, const DerivedRow& row, bool exactly) {
    return std::any_of(rows.begin(), rows.end(), [&](const DerivedRow& one) {
      return one.partition == row.partition && one.sort == row.sort &&
             (!exactly || one.payload == row.payload);
    });
  };
  for (const DerivedRow& row : had) {
    if (!is_among(has, row, false) && BelongsTo(tx, row)) tx.Write(row.partition, row.sort, std::nullopt);
  }
  for (const DerivedRow& row : has) {
    const bool kept = is_among(had, row, true) && (!change.before.expired || BelongsTo(tx, row));
    if (!kept) tx.Write(row.partition, row.sort, RowOf(row.payload));
  }
  const SortKey own = ItemKey(def, change.key);
  TableStats stats;
  if (change.before.stored) stats = {-1, -static_cast<int64_t>(ItemSize(*change.before.stored))};
  if (change.after) {
    stats = {stats.items + 1, stats.bytes + static_cast<int64_t>(ItemSize(*change.after))};
    tx.Write(table, own, RowOf(EncodeItem(*change.after)));
  } else if (change.before.stored) {
    tx.Write(table, own, std::nullopt);
  }
  if (stats.items != 0 || stats.bytes != 0) tx.Count(table, stats);
}

bool IsItemEntry(std::string_view entry) {
  return !entry.empty() && entry.front() == kItemEntry;
}

namespace {

void AppendSized(std::string_view bytes, std::string* out) {
  protocol::AppendVarint(out, bytes.size());
  out->append(bytes);
}

void AppendChange(const ItemChange& change, ChangeReason reason, const Item* before, const Item* after,
                  std::string* out) {
  const auto image = [&](const Item* item) {
    AppendSized(item && change.def->stream_images ? EncodeItem(*item) : std::string(), out);
  };
  AppendSized(TablePartition(change.tenant, *change.def).bytes(), out);
  AppendSized(ItemKey(*change.def, change.key).bytes(), out);
  *out += static_cast<char>(reason);
  *out += static_cast<char>((before ? 1 : 0) | (after ? 2 : 0));
  image(before);
  image(after);
}

}  // namespace

std::string EncodeItemEntry(const std::vector<ItemChange>& changes) {
  std::string reported;
  uint64_t count = 0;
  for (const ItemChange& change : changes) {
    const Item* before = change.before.stored ? &*change.before.stored : nullptr;
    const Item* after = change.after ? &*change.after : nullptr;
    // The log reports each expiry once: with the sweeper's deletion, or with the write that came first.
    if (change.before.expired) {
      AppendChange(change, ChangeReason::kExpired, before, nullptr, &reported);
      before = nullptr;
      ++count;
      if (!after) continue;
    }
    AppendChange(change, change.reason, before, after, &reported);
    ++count;
  }
  std::string out(1, kItemEntry);
  protocol::AppendVarint(&out, count);
  return out + reported;
}

bool DecodeItemEntry(std::string_view entry, ItemEntry* out) {
  if (!IsItemEntry(entry)) return false;
  entry.remove_prefix(1);
  const auto text = [&](std::string* to) {
    uint64_t size = 0;
    if (!protocol::TakeVarint(&entry, &size) || size > entry.size()) return false;
    to->assign(entry.substr(0, size));
    entry.remove_prefix(size);
    return true;
  };
  const auto image = [&](std::optional<Item>* to) {
    std::string bytes;
    return text(&bytes) && (bytes.empty() || DecodeItem(bytes, &to->emplace()));
  };
  uint64_t count = 0;
  if (!protocol::TakeVarint(&entry, &count) || count > entry.size()) return false;
  for (uint64_t i = 0; i < count; ++i) {
    ItemEntry::Change& change = out->changes.emplace_back();
    if (!text(&change.table) || !text(&change.item) || entry.size() < 2) return false;
    change.reason = static_cast<ChangeReason>(entry[0]);
    change.existed = (entry[1] & 1) != 0;
    change.exists = (entry[1] & 2) != 0;
    entry.remove_prefix(2);
    if (!image(&change.before) || !image(&change.after)) return false;
  }
  return entry.empty();
}

}  // namespace parley::storage
