// Checks how the members of a CreateTable or UpdateTable fit together, in the order of DynamoDB's checks.
#include <algorithm>
#include <set>

#include "gateway/dynamodb/table_wish.h"
#include "storage/engine/table_admin.h"

namespace parley::gateway {
namespace {

using storage::IndexProjection;
using storage::KeyAttribute;
using Attributes = std::vector<KeyAttribute>;
using MaybeError = std::optional<DynamoError>;

constexpr int64_t kUnitsMax = 1'000'000'000'000;
constexpr size_t kNonKeysOfTableMax = 100;

DynamoError InvalidValue(const std::string& what) {
  return ValidationError("One or more parameter values were invalid: " + what);
}

template <class List, class NameOf>
std::string Listed(const List& list, NameOf name_of) {
  std::string out = "[";
  for (const auto& one : list) out += (out.size() > 1 ? ", " : "") + name_of(one);
  return out + "]";
}
std::string Listed(const Attributes& attributes) {
  return Listed(attributes, [](const KeyAttribute& one) { return one.name; });
}

const KeyAttribute* Find(const Attributes& attributes, const std::string& name) {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const KeyAttribute& one) { return one.name == name; });
  return found == attributes.end() ? nullptr : &*found;
}

MaybeError CheckNames(const std::vector<KeyWish>& keys) {
  std::set<std::string> names;
  for (const KeyWish& key : keys) {
    if (names.insert(key.name).second) continue;
    if (keys.size() == 2)
      return ValidationError(
          "Both the Hash Key and the Range Key element in the KeySchema have the same name");
    return ValidationError("Invalid KeySchema: More than one KeySchemaElement names the attribute " +
                           key.name);
  }
  return std::nullopt;
}

// REQUIRES: the first element is a HASH.
MaybeError CheckSeveralRoles(const std::vector<KeyWish>& keys) {
  const auto is_hash = [](const KeyWish& key) { return key.role == "HASH"; };
  const auto first_range = std::find_if_not(keys.begin(), keys.end(), is_hash);
  if (std::any_of(first_range, keys.end(), is_hash))
    return ValidationError("Invalid KeySchema: A HASH key type comes after a RANGE key type");
  const auto most = static_cast<std::ptrdiff_t>(storage::kKeyAttributesMax);
  if (first_range - keys.begin() > most)
    return ValidationError("Invalid KeySchema: More than 4 KeySchemaElements are a HASH key type");
  if (keys.end() - first_range > most)
    return ValidationError("Invalid KeySchema: More than 4 KeySchemaElements are a RANGE key type");
  return std::nullopt;
}

MaybeError CheckRoles(const std::vector<KeyWish>& keys, IndexKeys allowed) {
  if (keys[0].role != "HASH")
    return ValidationError("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  if (allowed == IndexKeys::kSeveral) return CheckSeveralRoles(keys);
  if (keys.size() == 2 && keys[1].role != "RANGE")
    return ValidationError("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
  return std::nullopt;
}

DynamoResult<storage::KeySchema> SchemaOf(const std::vector<KeyWish>& keys, const Attributes& attributes,
                                          IndexKeys allowed) {
  for (const KeyWish& key : keys) {
    if (!Find(attributes, key.name))
      return InvalidValue("Some index key attributes are not defined in AttributeDefinitions. Keys: " +
                          Listed(keys, [](const KeyWish& one) { return one.name; }) +
                          ", AttributeDefinitions: " + Listed(attributes));
  }
  if (auto error = CheckNames(keys)) return std::move(*error);
  if (auto error = CheckRoles(keys, allowed)) return std::move(*error);
  storage::KeySchema out;
  out.hash = *Find(attributes, keys[0].name);
  for (size_t i = 1; i < keys.size(); ++i) {
    const KeyAttribute& attribute = *Find(attributes, keys[i].name);
    if (keys[i].role == "HASH")
      out.more_hash.push_back(attribute);
    else if (!out.range)
      out.range = attribute;
    else
      out.more_range.push_back(attribute);
  }
  return out;
}

DynamoResult<IndexProjection> ProjectionOf(const IndexWish& wish) {
  if (wish.projection.empty()) return InvalidValue("Unknown ProjectionType: null");
  IndexProjection out;
  const bool includes = wish.projection == "INCLUDE";
  if (wish.non_keys && !includes)
    return InvalidValue("ProjectionType is " + wish.projection + ", but NonKeyAttributes is specified");
  if (includes && !wish.non_keys)
    return InvalidValue("ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
  if (wish.projection == "KEYS_ONLY") out.kind = IndexProjection::Kind::kKeysOnly;
  if (!includes) return out;
  out.kind = IndexProjection::Kind::kInclude;
  const std::set<std::string> names(wish.non_keys->begin(), wish.non_keys->end());
  if (names.size() != wish.non_keys->size()) return InvalidValue("Duplicate value in NonKeyAttributes");
  out.include.assign(names.begin(), names.end());
  return out;
}

MaybeError CheckBilling(const TableWish& wish) {
  if (wish.billing == storage::BillingMode::kPayPerRequest) {
    if (!wish.throughput) return std::nullopt;
    return InvalidValue(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
        "PAY_PER_REQUEST");
  }
  if (!wish.throughput)
    return InvalidValue(
        "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED");
  return CheckThroughput(*wish.throughput);
}

MaybeError CheckAttributes(const TableWish& wish) {
  if (wish.keys.size() > wish.attributes.size())
    return ValidationError("Invalid KeySchema: Some index key attribute have no definition");
  std::set<std::string> names;
  for (const KeyAttribute& one : wish.attributes) {
    if (!names.insert(one.name).second) return ValidationError("Attribute Name is duplicated: " + one.name);
  }
  return std::nullopt;
}

// Every defined attribute must be part of a key.
MaybeError CheckAllUsed(const TableWish& wish, const storage::TableDef& def) {
  std::set<std::string> used;
  const auto use = [&](const KeyAttribute& key, bool) { return used.insert(key.name), true; };
  def.keys.Each(use);
  for (const storage::IndexDef& index : def.indexes) index.keys.Each(use);
  if (used.size() == wish.attributes.size()) return std::nullopt;
  if (!wish.locals && !wish.globals)
    return InvalidValue(
        "Number of attributes in KeySchema does not exactly match number of attributes defined in "
        "AttributeDefinitions");
  return InvalidValue(
      "Some AttributeDefinitions are not used. AttributeDefinitions: " + Listed(wish.attributes) +
      ", keys used: " + Listed(used, [](const std::string& name) { return name; }));
}

MaybeError CheckLocal(const IndexWish& wish, const storage::IndexDef& index,
                      const storage::KeySchema& table) {
  if (!index.keys.range)
    return InvalidValue("Index KeySchema does not have a range key for index: " + wish.name);
  if (index.keys.hash.name != table.hash.name)
    return InvalidValue(
        "Index KeySchema does not have the same leading hash key as table KeySchema for index: " + wish.name +
        ". index hash key: " + index.keys.hash.name + ", table hash key: " + table.hash.name);
  return std::nullopt;
}

MaybeError AddIndex(const IndexWish& wish, const TableWish& table, storage::IndexKind kind,
                    storage::TableDef* def) {
  auto index = ShapeOf(wish, table.attributes,
                       kind == storage::IndexKind::kGlobal ? IndexKeys::kSeveral : IndexKeys::kTwo);
  if (!index.ok()) return std::move(index.error());
  index->kind = kind;
  if (kind == storage::IndexKind::kLocal) {
    if (auto error = CheckLocal(wish, *index, def->keys)) return error;
  }
  if (wish.throughput && table.billing == storage::BillingMode::kPayPerRequest)
    return InvalidValue("ProvisionedThroughput should not be specified for index: " + wish.name +
                        " when BillingMode is PAY_PER_REQUEST");
  if (def->FindIndex(wish.name)) return InvalidValue("Duplicate index name: " + wish.name);
  def->indexes.push_back(std::move(*index));
  return std::nullopt;
}

MaybeError AddLocals(const TableWish& wish, storage::TableDef* def) {
  if (!wish.locals) return std::nullopt;
  if (wish.locals->empty()) return InvalidValue("List of LocalSecondaryIndexes is empty");
  if (!def->keys.range)
    return InvalidValue(
        "Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex");
  for (const IndexWish& index : *wish.locals) {
    if (auto error = AddIndex(index, wish, storage::IndexKind::kLocal, def)) return error;
  }
  if (wish.locals->size() > storage::kLocalIndexesMax)
    return InvalidValue("Number of LocalSecondaryIndexes exceeds per-table limit of 5");
  return std::nullopt;
}

MaybeError AddGlobals(const TableWish& wish, storage::TableDef* def) {
  if (!wish.globals) return std::nullopt;
  if (wish.globals->empty()) return InvalidValue("List of GlobalSecondaryIndexes is empty");
  for (const IndexWish& index : *wish.globals) {
    if (auto error = AddIndex(index, wish, storage::IndexKind::kGlobal, def)) return error;
  }
  if (wish.globals->size() > storage::kGlobalIndexesMax)
    return InvalidValue("GlobalSecondaryIndex count exceeds the per-table limit of 20");
  return std::nullopt;
}

MaybeError CheckProjected(const storage::TableDef& def) {
  size_t count = 0;
  for (const storage::IndexDef& index : def.indexes) count += index.projection.include.size();
  if (count <= kNonKeysOfTableMax) return std::nullopt;
  return InvalidValue("Number of NonKeyAttributes of all indexes exceeds per-table limit of 100");
}

}  // namespace

std::optional<DynamoError> CheckThroughput(const storage::Throughput& units) {
  const auto beyond = [](int64_t value, const char* name) {
    return ValidationError("Given value " + std::to_string(value) + " for " + name + " is out of bounds");
  };
  if (units.read > kUnitsMax) return beyond(units.read, "ReadCapacityUnits");
  if (units.write > kUnitsMax) return beyond(units.write, "WriteCapacityUnits");
  return std::nullopt;
}

DynamoResult<storage::IndexDef> ShapeOf(const IndexWish& wish, const Attributes& attributes,
                                        IndexKeys allowed) {
  storage::IndexDef out;
  out.name = wish.name;
  auto keys = SchemaOf(wish.keys, attributes, allowed);
  if (!keys.ok()) return std::move(keys.error());
  out.keys = std::move(*keys);
  auto projection = ProjectionOf(wish);
  if (!projection.ok()) return std::move(projection.error());
  out.projection = std::move(*projection);
  if (wish.throughput) {
    if (auto error = CheckThroughput(*wish.throughput)) return std::move(*error);
    out.throughput = *wish.throughput;
  }
  return out;
}

DynamoResult<storage::TableDef> ShapeOf(const TableWish& wish) {
  if (auto error = CheckBilling(wish)) return std::move(*error);
  if (auto error = CheckAttributes(wish)) return std::move(*error);
  storage::TableDef out;
  out.name = wish.name;
  auto keys = SchemaOf(wish.keys, wish.attributes, IndexKeys::kTwo);
  if (!keys.ok()) return std::move(keys.error());
  out.keys = std::move(*keys);
  if (auto error = AddLocals(wish, &out)) return std::move(*error);
  if (auto error = AddGlobals(wish, &out)) return std::move(*error);
  if (auto error = CheckAllUsed(wish, out)) return std::move(*error);
  if (auto error = CheckProjected(out)) return std::move(*error);
  out.billing = wish.billing.value_or(storage::BillingMode::kProvisioned);
  out.throughput = wish.throughput.value_or(storage::Throughput());
  out.deletion_protection = wish.deletion_protection;
  return out;
}

}  // namespace parley::gateway
