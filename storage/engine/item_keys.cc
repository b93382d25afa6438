#include "storage/engine/item_keys.h"

namespace parley::storage {
namespace {

// FNV-1a, folded to 16 bits: spreads partition keys over the segments of a scan. On disk.
uint16_t ShortHash(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char byte : bytes) hash = (hash ^ static_cast<uint8_t>(byte)) * 0x100000001b3u;
  return static_cast<uint16_t>(hash ^ (hash >> 16) ^ (hash >> 32) ^ (hash >> 48));
}

void AppendShort(uint16_t value, std::string* out) {
  *out += static_cast<char>(value >> 8);
  *out += static_cast<char>(value & 0xff);
}

std::string Head(const IndexDef* index) {
  std::string out(1, static_cast<char>(index ? ItemTag::kIndex : ItemTag::kItem));
  if (index) AppendShort(index->number, &out);
  return out;
}

void AppendParts(const std::vector<AttributeValue>& values, std::string* out) {
  for (const AttributeValue& value : values) AppendKeyPart(value, out);
}

void AppendHash(const AttributeValue& hash, const std::vector<AttributeValue>& more, std::string* out) {
  std::string parts;
  AppendKeyPart(hash, &parts);
  AppendParts(more, &parts);
  AppendShort(ShortHash(parts), out);
  *out += parts;
}

bool TakeParts(const std::vector<KeyAttribute>& attributes, std::string_view* rest,
               std::vector<AttributeValue>* values) {
  values->clear();
  for (const KeyAttribute& one : attributes) {
    if (!TakeKeyPart(one.type, rest, &values->emplace_back())) return false;
  }
  return true;
}

bool TakeKey(const KeySchema& schema, std::string_view* rest, KeyValues* key) {
  if (!TakeKeyPart(schema.hash.type, rest, &key->hash)) return false;
  if (!TakeParts(schema.more_hash, rest, &key->more_hash)) return false;
  key->range.reset();
  if (schema.range && !TakeKeyPart(schema.range->type, rest, &key->range.emplace())) return false;
  return TakeParts(schema.more_range, rest, &key->more_range);
}

const AttributeValue* ValueOf(const KeyAttribute& part, const Item& item) {
  const AttributeValue* value = item.Find(part.name);
  return value && value->type() == part.type ? value : nullptr;
}

bool CopyValues(const std::vector<KeyAttribute>& parts, const Item& item, std::vector<AttributeValue>* out) {
  for (const KeyAttribute& part : parts) {
    const AttributeValue* value = ValueOf(part, item);
    if (!value) return false;
    out->push_back(*value);
  }
  return true;
}

void SetValues(const std::vector<KeyAttribute>& parts, const std::vector<AttributeValue>& values,
               Item* item) {
  for (size_t i = 0; i < parts.size() && i < values.size(); ++i) item->Set(parts[i].name, values[i]);
}

bool TakeHead(const IndexDef* index, std::string_view* rest) {
  const std::string head = Head(index);
  if (!rest->starts_with(head) || rest->size() < head.size() + 2) return false;
  rest->remove_prefix(head.size() + 2);
  return true;
}

PartitionKey OwnPartition(const protocol::TenantId& tenant, std::string_view name) {
  return PartitionKey::OfText(tenant, TableTag::kItems, protocol::KeyText::UpToNul(name));
}

}  // namespace

protocol::TenantId EngineTenant() {
  return protocol::TenantId{" engine"};
}

std::optional<KeyValues> KeyOf(const KeySchema& schema, const Item& item) {
  const AttributeValue* hash = ValueOf(schema.hash, item);
  if (!hash) return std::nullopt;
  const AttributeValue* range = schema.range ? ValueOf(*schema.range, item) : nullptr;
  if (schema.range && !range) return std::nullopt;
  KeyValues out{*hash, {}};
  if (range) out.range = *range;
  if (!CopyValues(schema.more_hash, item, &out.more_hash)) return std::nullopt;
  if (!CopyValues(schema.more_range, item, &out.more_range)) return std::nullopt;
  return out;
}

void SetKey(const KeySchema& schema, const KeyValues& key, Item* item) {
  item->Set(schema.hash.name, key.hash);
  if (schema.range && key.range) item->Set(schema.range->name, *key.range);
  SetValues(schema.more_hash, key.more_hash, item);
  SetValues(schema.more_range, key.more_range, item);
}

PartitionKey TablePartition(const protocol::TenantId& tenant, const TableDef& def) {
  return OwnPartition(tenant, def.name + "/" + std::to_string(def.generation));
}
PartitionKey DefinitionPartition() {
  return OwnPartition(EngineTenant(), "/tables");
}
SortKey DefinitionKey(const protocol::TenantId& tenant, std::string_view table) {
  return KeyWriter()
      .Tag(ItemTag::kDefinition)
      .Text(tenant.value)
      .Text(protocol::KeyText::UpToNul(table))
      .Sort();
}
PartitionKey TokenPartition(const protocol::TenantId& tenant) {
  return OwnPartition(tenant, "/tokens");
}
SortKey TokenKey(std::string_view token) {
  return KeyWriter().Tag(ItemTag::kToken).Text(protocol::KeyText::UpToNul(token)).Sort();
}
PartitionKey RecordPartition(std::string_view kind) {
  return OwnPartition(EngineTenant(), "/" + std::string(kind));
}
SortKey RecordKey(std::string_view id) {
  return KeyWriter().Tag(ItemTag::kRecord).Text(protocol::KeyText::UpToNul(id)).Sort();
}
PartitionKey TableKeyRecords() {
  return RecordPartition("keys");
}
SortKey TableKeyRecordKey(const protocol::TenantId& tenant, const protocol::KeyText& id) {
  return KeyWriter().Tag(ItemTag::kRecord).Text(tenant.value).Text(id).Sort();
}
bool ParseTableKeyRecordKey(std::string_view sort, protocol::TenantId* tenant, std::string* id) {
  KeyReader key(sort);
  return key.Tag(ItemTag::kRecord) && key.Text(&tenant->value) && key.Text(id) && key.AtEnd();
}
PartitionKey EventRelayRecords() {
  return RecordPartition("events");
}
PartitionKey AuditRelayRecords() {
  return RecordPartition("audit");
}
PartitionKey CaseRelayRecords() {
  return RecordPartition("cases");
}
SortKey StatsKey() {
  return KeyWriter().Tag(ItemTag::kStats).Sort();
}

namespace {

std::string WorkKey(const PartitionKey& table) {
  std::string out(1, static_cast<char>(ItemTag::kRecord));
  AppendKeyPart(Binary{table.bytes()}, &out);
  return out;
}

}  // namespace

PartitionKey Erasures() {
  return RecordPartition("erase");
}
SortKey ErasureKey(const PartitionKey& table, std::string_view prefix) {
  return SortKey(WorkKey(table) + std::string(prefix));
}
PartitionKey Backfills() {
  return RecordPartition("backfill");
}
SortKey BackfillKey(const PartitionKey& table, const IndexDef& index) {
  return SortKey(WorkKey(table) + std::to_string(index.number));
}
PartitionKey Retimings() {
  return RecordPartition("retime");
}
SortKey RetimingKey(const PartitionKey& table) {
  return SortKey(WorkKey(table));
}

bool ParseWorkKey(std::string_view sort, PartitionKey* table, std::string* rest) {
  AttributeValue bytes;
  if (sort.empty() || sort.front() != static_cast<char>(ItemTag::kRecord)) return false;
  sort.remove_prefix(1);
  if (!TakeKeyPart(AttributeType::kBinary, &sort, &bytes)) return false;
  const auto partition = PartitionKey::FromBytes(bytes.As<Binary>()->bytes);
  if (!partition) return false;
  *table = *partition;
  *rest = sort;
  return true;
}

std::string IndexPrefix(const IndexDef& index) {
  return Head(&index);
}

std::optional<GuardPlace> GuardOf(const protocol::TenantId& tenant, const TableDef& def,
                                  const UniqueRule& rule, const Item& item) {
  std::string sort(1, static_cast<char>(ItemTag::kGuard));
  AppendShort(rule.number, &sort);
  for (const std::string& name : rule.attributes) {
    const AttributeValue* value = item.Find(name);
    if (!value || !IsKeyType(value->type())) return std::nullopt;
    AppendKeyPart(*value, &sort);
  }
  return GuardPlace{TablePartition(rule.global ? EngineTenant() : tenant, def), SortKey(std::move(sort))};
}

SortKey ItemKey(const TableDef& def, const KeyValues& key) {
  std::string out = Head(nullptr);
  AppendHash(key.hash, {}, &out);
  if (def.keys.range) AppendKeyPart(*key.range, &out);
  return SortKey(std::move(out));
}

bool ParseItemKey(const TableDef& def, std::string_view sort, KeyValues* key) {
  return TakeHead(nullptr, &sort) && TakeKey(def.keys, &sort, key) && sort.empty();
}

SortKey EntryKey(const TableDef& def, const IndexDef& index, const KeyValues& entry, const KeyValues& item) {
  std::string out = Head(&index);
  AppendHash(entry.hash, entry.more_hash, &out);
  if (index.keys.range) AppendKeyPart(*entry.range, &out);
  AppendParts(entry.more_range, &out);
  AppendKeyPart(item.hash, &out);
  if (def.keys.range) AppendKeyPart(*item.range, &out);
  return SortKey(std::move(out));
}

bool ParseEntryKey(const TableDef& def, const IndexDef& index, std::string_view sort, KeyValues* entry,
                   KeyValues* item) {
  return TakeHead(&index, &sort) && TakeKey(index.keys, &sort, entry) && TakeKey(def.keys, &sort, item) &&
         sort.empty();
}

std::optional<SortKey> ItemKeyOfEntry(const TableDef& def, const IndexDef& index, std::string_view sort) {
  const auto skip = [&](const KeyAttribute& part, bool) { return SkipKeyPart(part.type, &sort); };
  if (!TakeHead(&index, &sort) || !index.keys.Each(skip)) return std::nullopt;
  std::string_view rest = sort;
  if (!SkipKeyPart(def.keys.hash.type, &rest)) return std::nullopt;
  const std::string_view hash = sort.substr(0, sort.size() - rest.size());
  if ((def.keys.range && !SkipKeyPart(def.keys.range->type, &rest)) || !rest.empty()) return std::nullopt;
  std::string out = Head(nullptr);
  AppendShort(ShortHash(hash), &out);
  return SortKey(out.append(sort));
}

SortKey HashPrefix(const IndexDef* index, const AttributeValue& hash,
                   const std::vector<AttributeValue>& more_hash) {
  std::string out = Head(index);
  AppendHash(hash, more_hash, &out);
  return SortKey(std::move(out));
}

SortRange SegmentRange(const IndexDef* index, uint32_t segment, uint32_t total) {
  constexpr uint64_t kHashes = 65'536;
  const auto at = [&](uint64_t n) {
    const uint64_t first = kHashes * n / total;
    std::string out = Head(index);
    if (first == kHashes) return SortKey(UpperBound(out));
    AppendShort(static_cast<uint16_t>(first), &out);
    return SortKey(std::move(out));
  };
  return {at(segment), at(uint64_t{segment} + 1)};
}

PartitionKey ExpiryPartition() {
  return PartitionKey::OfTenant(EngineTenant(), TableTag::kItemExpiry);
}

SortKey ExpiryKey(int64_t at_s, const PartitionKey& partition, const SortKey& item) {
  std::string out = KeyWriter().Number(static_cast<uint64_t>(at_s)).Bytes();
  AppendKeyPart(Binary{partition.bytes()}, &out);
  return SortKey(out + item.bytes());
}

bool ParseExpiryKey(std::string_view sort, ExpiryEntry* out) {
  KeyReader reader(sort);
  uint64_t at = 0;
  if (!reader.Number(&at)) return false;
  out->at_s = static_cast<int64_t>(at);
  sort.remove_prefix(8);
  AttributeValue partition;
  if (!TakeKeyPart(AttributeType::kBinary, &sort, &partition)) return false;
  out->partition = partition.As<Binary>()->bytes;
  out->sort = sort;
  return !sort.empty();
}

}  // namespace parley::storage
