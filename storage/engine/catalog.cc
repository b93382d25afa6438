#include "storage/engine/catalog.h"

#include <algorithm>

#include "storage/engine/declared_changes.h"
#include "storage/engine/item_keys.h"
#include "storage/items/item_codec.h"

namespace parley::storage {
namespace {

List AttributeList(const KeyAttribute& first, const std::vector<KeyAttribute>& more) {
  const auto item_of = [](const KeyAttribute& one) {
    return Item{{"name", one.name}, {"nameType", std::string(NameOf(one.type))}};
  };
  List out = {item_of(first)};
  for (const KeyAttribute& one : more) out.emplace_back(item_of(one));
  return out;
}

// A key of several attributes has a form of its own, so that earlier programs reject it instead of reading
// its first attribute as the whole key.
AttributeValue SchemaItem(const KeySchema& schema) {
  if (!schema.more_hash.empty() || !schema.more_range.empty()) {
    Item out{{"hashes", AttributeList(schema.hash, schema.more_hash)}};
    if (schema.range) out.Set("ranges", AttributeList(*schema.range, schema.more_range));
    return out;
  }
  Item out{{"hash", schema.hash.name}, {"hashType", std::string(NameOf(schema.hash.type))}};
  if (schema.range) {
    out.Set("range", schema.range->name);
    out.Set("rangeType", std::string(NameOf(schema.range->type)));
  }
  return out;
}

// Returns a definition's member, or a default value if it is missing or has another type.
template <class T>
T ValueOf(const Item& item, std::string_view name) {
  const AttributeValue* value = item.Find(name);
  const T* found = value ? value->As<T>() : nullptr;
  return found ? *found : T{};
}
int64_t IntOf(const Item& item, std::string_view name) {
  return ValueOf<Number>(item, name).ToInt64().value_or(0);
}

bool ReadKeyAttribute(const Item& item, const std::string& prefix, KeyAttribute* out) {
  out->name = ValueOf<std::string>(item, prefix);
  const auto type = AttributeTypeNamed(ValueOf<std::string>(item, prefix + "Type"));
  if (out->name.empty() || !type || !IsKeyType(*type)) return false;
  out->type = *type;
  return true;
}

bool ReadAttributeList(const List& list, KeyAttribute* first, std::vector<KeyAttribute>* more) {
  if (list.empty() || list.size() > kKeyAttributesMax) return false;
  for (size_t i = 0; i < list.size(); ++i) {
    const Item* item = list[i].As<Item>();
    if (!item || !ReadKeyAttribute(*item, "name", i == 0 ? first : &more->emplace_back())) return false;
  }
  return true;
}

bool ReadSchema(const Item& item, std::string_view name, KeySchema* out) {
  const Item schema = ValueOf<Item>(item, name);
  if (schema.Has("hashes")) {
    if (!ReadAttributeList(ValueOf<List>(schema, "hashes"), &out->hash, &out->more_hash)) return false;
    return !schema.Has("ranges") ||
           ReadAttributeList(ValueOf<List>(schema, "ranges"), &out->range.emplace(), &out->more_range);
  }
  if (!ReadKeyAttribute(schema, "hash", &out->hash)) return false;
  return !schema.Has("range") || ReadKeyAttribute(schema, "range", &out->range.emplace());
}

// Members of later versions are left out if they are empty, and a missing member reads as empty.
void SetUnits(const Throughput& throughput, Item* out) {
  if (throughput.read != 0) out->Set("readUnits", AttributeValue::OfInt(throughput.read));
  if (throughput.write != 0) out->Set("writeUnits", AttributeValue::OfInt(throughput.write));
}
Throughput UnitsOf(const Item& item) {
  return {IntOf(item, "readUnits"), IntOf(item, "writeUnits")};
}

AttributeValue IndexItem(const IndexDef& index) {
  List include;
  for (const std::string& name : index.projection.include) include.emplace_back(name);
  Item out{{"number", AttributeValue::OfInt(index.number)},
           {"name", index.name},
           {"kind", AttributeValue::OfInt(static_cast<int>(index.kind))},
           {"status", AttributeValue::OfInt(static_cast<int>(index.status))},
           {"projection", AttributeValue::OfInt(static_cast<int>(index.projection.kind))},
           {"include", include},
           {"keys", SchemaItem(index.keys)}};
  SetUnits(index.throughput, &out);
  return out;
}

bool ReadIndex(const AttributeValue& value, IndexDef* out) {
  const Item* item = value.As<Item>();
  if (!item || !ReadSchema(*item, "keys", &out->keys)) return false;
  out->number = static_cast<uint16_t>(IntOf(*item, "number"));
  out->name = ValueOf<std::string>(*item, "name");
  out->kind = static_cast<IndexKind>(IntOf(*item, "kind"));
  out->status = static_cast<IndexStatus>(IntOf(*item, "status"));
  out->projection.kind = static_cast<IndexProjection::Kind>(IntOf(*item, "projection"));
  for (const AttributeValue& name : ValueOf<List>(*item, "include")) {
    if (!name.text()) return false;
    out->projection.include.push_back(*name.text());
  }
  out->throughput = UnitsOf(*item);
  return !out->name.empty();
}

bool ReadIndexes(const Item& item, std::vector<IndexDef>* out) {
  for (const AttributeValue& index : ValueOf<List>(item, "indexes")) {
    if (!ReadIndex(index, &out->emplace_back())) return false;
  }
  return true;
}

// For a declared table: only this tenant's changes.
std::string EncodeChanges(const TableDef& def) {
  List indexes;
  for (const IndexDef& index : def.indexes) {
    if (index.number > kDeclaredIndexesMax) indexes.push_back(IndexItem(index));
  }
  return EncodeItem(Item{{"name", def.name},
                         {"declared", AttributeValue::OfBool(true)},
                         {"indexes", indexes},
                         {"ttl", def.ttl_attribute},
                         {"indexNumbers", AttributeValue::OfInt(def.index_numbers)}});
}

}  // namespace

TableDefPtr WithChanges(const TableDef& declared, const TableDef& changes) {
  auto out = std::make_shared<TableDef>(declared);
  out->ttl_attribute = changes.ttl_attribute;
  out->index_numbers = changes.index_numbers;
  out->indexes.insert(out->indexes.end(), changes.indexes.begin(), changes.indexes.end());
  return out;
}

std::string EncodeDefinition(const TableDef& def) {
  if (IsChanged(def)) return EncodeChanges(def);
  List indexes;
  for (const IndexDef& index : def.indexes) indexes.push_back(IndexItem(index));
  Item out{{"name", def.name},
           {"keys", SchemaItem(def.keys)},
           {"indexes", indexes},
           {"ttl", def.ttl_attribute},
           {"protected", AttributeValue::OfBool(def.deletion_protection)},
           {"images", AttributeValue::OfBool(def.stream_images)},
           {"generation", AttributeValue::OfInt(static_cast<int64_t>(def.generation))},
           {"indexNumbers", AttributeValue::OfInt(def.index_numbers)},
           {"id", def.id},
           {"createdAt", AttributeValue::OfInt(def.created_at.ms)}};
  if (def.billing == BillingMode::kProvisioned) out.Set("provisioned", AttributeValue::OfBool(true));
  if (def.on_demand_at.ms != 0) out.Set("onDemandAt", AttributeValue::OfInt(def.on_demand_at.ms));
  SetUnits(def.throughput, &out);
  return EncodeItem(out);
}

bool DecodeDefinition(std::string_view bytes, TableDef* out) {
  Item item;
  if (!DecodeItem(bytes, &item)) return false;
  const bool is_declared = ValueOf<bool>(item, "declared");
  out->owner = is_declared ? TableDef::Owner::kPeripheral : TableDef::Owner::kTenant;
  if (!is_declared && !ReadSchema(item, "keys", &out->keys)) return false;
  if (!ReadIndexes(item, &out->indexes)) return false;
  out->name = ValueOf<std::string>(item, "name");
  out->ttl_attribute = ValueOf<std::string>(item, "ttl");
  out->deletion_protection = ValueOf<bool>(item, "protected");
  out->stream_images = ValueOf<bool>(item, "images");
  out->generation = static_cast<uint64_t>(IntOf(item, "generation"));
  out->index_numbers = static_cast<uint16_t>(IntOf(item, "indexNumbers"));
  out->id = ValueOf<std::string>(item, "id");
  out->created_at = protocol::Time{IntOf(item, "createdAt")};
  out->billing = ValueOf<bool>(item, "provisioned") ? BillingMode::kProvisioned : BillingMode::kPayPerRequest;
  out->on_demand_at = protocol::Time{IntOf(item, "onDemandAt")};
  out->throughput = UnitsOf(item);
  return !out->name.empty();
}

Catalog::Catalog(std::vector<TableDefPtr> seeds) {
  for (TableDefPtr& seed : seeds) {
    const std::string name = seed->name;
    seeds_.emplace(name, std::move(seed));
  }
}

Status Catalog::Load(const Reader& reader) {
  std::map<Place, TableDefPtr> read;
  Status sound;
  Status status = reader.Scan(DefinitionPartition(), SortRange::All(), Direction::kForward, SIZE_MAX,
                              [&](std::string_view sort, RowView row) {
                                KeyReader key(sort);
                                std::string tenant, name;
                                auto def = std::make_shared<TableDef>();
                                if (!key.Tag(ItemTag::kDefinition) || !key.Text(&tenant) ||
                                    !key.Text(&name) || !DecodeDefinition(row.payload, def.get())) {
                                  sound = {StatusCode::kCorrupt, "the definition of a table cannot be read"};
                                  return false;
                                }
                                const auto seed = seeds_.find(name);
                                if (def->owner == TableDef::Owner::kTenant)
                                  read[{tenant, name}] = std::move(def);
                                else if (seed != seeds_.end())  // otherwise it is no longer declared
                                  read[{tenant, name}] = WithChanges(*seed->second, *def);
                                return true;
                              });
  protocol::MutexLock lock(&mutex_);
  own_ = std::move(read);
  return status.ok() ? sound : status;
}

TableDefPtr Catalog::Find(const TenantId& tenant, std::string_view name) const {
  const auto seed = seeds_.find(name);
  const bool is_declared = seed != seeds_.end();
  protocol::MutexLock lock(&mutex_);
  const auto found = own_.find({tenant.ToText(), std::string(name)});
  if (found != own_.end() && (!is_declared || IsChanged(*found->second))) return found->second;
  return is_declared ? seed->second : nullptr;
}

std::vector<TableDefPtr> Catalog::List(const TenantId& tenant) const {
  std::map<std::string_view, TableDefPtr> all;
  for (const auto& [name, def] : seeds_) all.emplace(name, def);
  protocol::MutexLock lock(&mutex_);
  for (auto at = own_.lower_bound({tenant.ToText(), ""});
       at != own_.end() && at->first.first == tenant.ToText(); ++at) {
    const auto [place, is_new] = all.emplace(at->second->name, at->second);
    if (!is_new && IsChanged(*at->second)) place->second = at->second;
  }
  std::vector<TableDefPtr> out;
  for (auto& [name, def] : all) out.push_back(std::move(def));
  return out;
}

std::vector<std::pair<TenantId, TableDefPtr>> Catalog::Own() const {
  protocol::MutexLock lock(&mutex_);
  std::vector<std::pair<TenantId, TableDefPtr>> out;
  for (const auto& [place, def] : own_)
    out.emplace_back(TenantId{protocol::KeyText::UpToNul(place.first)}, def);
  return out;
}

size_t Catalog::CountOwn(const TenantId& tenant) const {
  protocol::MutexLock lock(&mutex_);
  size_t count = 0;
  for (auto at = own_.lower_bound({tenant.ToText(), ""});
       at != own_.end() && at->first.first == tenant.ToText(); ++at)
    count += IsChanged(*at->second) ? 0 : 1;
  return count;
}

void Catalog::Publish(const TenantId& tenant, TableDefPtr def) {
  protocol::MutexLock lock(&mutex_);
  const std::string name = def->name;
  own_[{tenant.ToText(), name}] = std::move(def);
}

void Catalog::Withdraw(const TenantId& tenant, const std::string& name) {
  protocol::MutexLock lock(&mutex_);
  own_.erase({tenant.ToText(), name});
}

}  // namespace parley::storage
