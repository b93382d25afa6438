#include "storage/engine/item_demands.h"

#include "protocol/base/encoding.h"

namespace parley::storage {
namespace {

// Values of some attributes of a key, which share `bytes_max`; empty if the item lacks one or they are too
// large.
std::vector<AttributeValue> ValuesFor(const std::vector<KeyAttribute>& parts, const Item& item,
                                      size_t bytes_max) {
  std::vector<AttributeValue> values;
  size_t bytes = 0;
  for (const KeyAttribute& part : parts) {
    const AttributeValue* value = item.Find(part.name);
    const size_t size = value ? ValueSize(*value) : 0;
    bytes += size;
    if (!value || value->type() != part.type || size == 0 || bytes > bytes_max) return {};
    values.push_back(*value);
  }
  return values;
}

std::vector<KeyAttribute> Joined(const KeyAttribute& first, const std::vector<KeyAttribute>& more) {
  std::vector<KeyAttribute> all = {first};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

// The values of a key, each within its bounds; nullopt if the item has no such key.
std::optional<KeyValues> KeyWithin(const KeySchema& schema, const Item& item) {
  KeyValues key;
  const auto hash = ValuesFor(Joined(schema.hash, schema.more_hash), item, kHashKeyBytesMax);
  if (hash.empty()) return std::nullopt;
  key.hash = hash.front();
  key.more_hash.assign(hash.begin() + 1, hash.end());
  if (!schema.range) return key;
  const auto range = ValuesFor(Joined(*schema.range, schema.more_range), item, kRangeKeyBytesMax);
  if (range.empty()) return std::nullopt;
  key.range = range.front();
  key.more_range.assign(range.begin() + 1, range.end());
  return key;
}

std::string PartText(const AttributeValue& value) {
  if (const std::string* text = value.text()) return '"' + *text + '"';
  if (const Number* number = value.number()) return number->ToText();
  return "x'" + protocol::Hex(value.As<Binary>()->bytes) + "'";
}

}  // namespace

std::optional<SortKey> PlaceDemanded(const CheckedTable& table, const Item& item) {
  const auto key = KeyWithin(table.def->keys, item);
  return key ? std::optional(ItemKey(*table.def, *key)) : std::nullopt;
}

std::optional<SortKey> EntryDemanded(const CheckedTable& table, const IndexDef& index, const Item& item) {
  const auto entry = KeyWithin(index.keys, item);
  const auto own = KeyWithin(table.def->keys, item);
  return entry && own ? std::optional(EntryKey(*table.def, index, *entry, *own)) : std::nullopt;
}

std::optional<RowKey> GuardDemanded(const CheckedTable& table, const UniqueRule& rule, const Item& item) {
  std::string sort(1, static_cast<char>(ItemTag::kGuard));
  sort += static_cast<char>(rule.number >> 8);
  sort += static_cast<char>(rule.number & 0xff);
  for (const std::string& name : rule.attributes) {
    const AttributeValue* value = item.Find(name);
    if (!value || !IsKeyType(value->type())) return std::nullopt;
    AppendKeyPart(*value, &sort);
  }
  PartitionKey partition = rule.global ? TablePartition(EngineTenant(), *table.def) : table.partition;
  return RowKey{std::move(partition), SortKey(std::move(sort))};
}

std::string HolderDemanded(const CheckedTable& table, const SortKey& item) {
  return table.partition.bytes() + item.bytes();
}

std::optional<int64_t> ExpiryDemanded(const CheckedTable& table, const Item& item) {
  constexpr int64_t kNever = int64_t{1} << 40;
  const AttributeValue* value =
      table.def->ttl_attribute.empty() ? nullptr : item.Find(table.def->ttl_attribute);
  const Number* number = value ? value->number() : nullptr;
  if (!number || *number <= Number() || *number > Number::Of(kNever)) return std::nullopt;
  const std::string text = number->ToText();
  const size_t point = text.find('.');
  const int64_t whole = std::stoll(text.substr(0, point));
  return point == std::string::npos ? whole : whole + 1;
}

bool ReadsAsMissing(const CheckedTable& table, const Item& item, protocol::Time now) {
  constexpr int64_t kFiveYears = int64_t{5} * 365 * 86'400;
  const auto expiry = ExpiryDemanded(table, item);
  return expiry && now.ms >= *expiry * 1000 && now.ms / 1000 - *expiry < kFiveYears;
}

std::string KeyText(const TableDef& def, const KeyValues& key) {
  std::string out = def.keys.hash.name + " " + PartText(key.hash);
  if (def.keys.range && key.range) out += " " + def.keys.range->name + " " + PartText(*key.range);
  return out;
}

}  // namespace parley::storage
