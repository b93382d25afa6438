// The definition of a table, as data: its keys, indexes, rules and writers. The tables that every tenant has
// are declared in *.json beside this file; a tenant's own come from CreateTable.
//
// Thread-safe once built.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/time.h"
#include "storage/items/attribute.h"

namespace parley::storage {

struct KeyAttribute {
  std::string name;
  AttributeType type = AttributeType::kString;  // S, N or B
  friend bool operator==(const KeyAttribute&, const KeyAttribute&) = default;
};
// Each key of a global index may have several attributes.
inline constexpr size_t kKeyAttributesMax = 4;
struct KeySchema {
  KeyAttribute hash;                                          // the partition key, or its first attribute
  std::optional<KeyAttribute> range;                          // the sort key, or its first attribute
  std::vector<KeyAttribute> more_hash = {}, more_range = {};  // the attributes that follow, in order

  size_t size() const { return 1 + more_hash.size() + (range ? 1 : 0) + more_range.size(); }
  // Visits the attributes in order, those of the partition key first, until `visit(attribute, is_hash)`
  // returns false. Returns whether all were visited.
  template <class Visit>
  bool Each(Visit visit) const {
    if (!visit(hash, true)) return false;
    for (const KeyAttribute& one : more_hash) {
      if (!visit(one, true)) return false;
    }
    if (!range) return true;
    if (!visit(*range, false)) return false;
    for (const KeyAttribute& one : more_range) {
      if (!visit(one, false)) return false;
    }
    return true;
  }
  bool Names(std::string_view attribute) const {
    return !Each([&](const KeyAttribute& one, bool) { return one.name != attribute; });
  }
  friend bool operator==(const KeySchema&, const KeySchema&) = default;
};

struct IndexProjection {
  enum class Kind : uint8_t { kAll, kKeysOnly, kInclude };
  Kind kind = Kind::kAll;
  std::vector<std::string> include;  // kInclude: in addition to the keys
};
// DynamoDB's billing, stored and reported back, without effect.
enum class BillingMode : uint8_t { kPayPerRequest, kProvisioned };
struct Throughput {
  int64_t read = 0, write = 0;  // capacity units
  friend bool operator==(const Throughput&, const Throughput&) = default;
};
enum class IndexKind : uint8_t { kGlobal, kLocal };
enum class IndexStatus : uint8_t { kActive, kCreating, kDeleting };
struct IndexDef {
  uint16_t number = 0;  // in keys on disk: unique in its table, never reused
  std::string name;
  IndexKind kind = IndexKind::kGlobal;
  KeySchema keys;
  IndexProjection projection;
  IndexStatus status = IndexStatus::kActive;
  Throughput throughput;
};

// True if the attribute is one of these texts.
struct AttributeIs {
  std::string attribute;
  std::vector<std::string> one_of;
};
// Without a rule, a service may write any attribute.
struct AttributeRule {
  enum class Format : uint8_t { kAny, kTime, kDate, kEmail, kUrl, kUuid };
  std::string name;
  AttributeType type = AttributeType::kString;
  bool required = false;
  std::optional<AttributeIs> required_when;
  bool immutable = false;                  // may not change once it is set
  bool secret = false;                     // sealed in the store; for a table key it does not exist
  bool lower_case = false;                 // folded when it is written
  std::optional<AttributeValue> fallback;  // used if none is given; Null only if not required
  std::vector<std::string> one_of;         // S: the allowed values; empty: any
  std::optional<Number> min, max;          // N: both included
  size_t bytes_max = 0;                    // S: 0 for no bound of its own
  Format format = Format::kAny;
  std::string about;
};
// An attribute that every write of the item derives from others: "{status}#{timestamp}" (template.h). If a
// name has several patterns, the first with a result is used; without a result the attribute is left out.
struct DerivedAttribute {
  std::string name;
  std::string pattern;
  std::optional<AttributeIs> when;
  std::vector<std::string> unless;  // not derived if the item has one of these attributes
};
// A kind of item in a table, recognised by the templates of its keys.
struct ItemKind {
  std::string name;
  std::string hash, range;         // templates: "TENANT#{tenant_id}"; range may be empty
  std::vector<std::string> parts;  // names in templates that exist only in the keys, not as attributes
  std::vector<AttributeRule> attributes;
  std::vector<DerivedAttribute> derived;
  std::string about;
};
// At most one item of the table has these values; items without one of the attributes do not count.
struct UniqueRule {
  uint16_t number = 0;  // in keys on disk
  std::vector<std::string> attributes;
  bool global = false;  // across all tenants
};
struct AccessPattern {
  std::string id, what, how;
};

struct TableDef {
  enum class Owner : uint8_t {
    kTenant,      // made by CreateTable
    kPeripheral,  // declared; the tenant's back end keeps it
    kServices,    // declared; only Parley's services write it
    kView,        // derived from other rows; never written directly
  };
  std::string name;
  std::string system;  // which file declares it; empty for a tenant's own
  std::string about;
  std::vector<std::string> notes;  // notes for the tenant's programs
  Owner owner = Owner::kTenant;
  KeySchema keys;
  std::vector<IndexDef> indexes;
  std::string ttl_attribute;      // N, epoch seconds; empty: items never expire
  std::string version_attribute;  // incremented by services' writes; empty: none
  std::string created_attribute;  // times of services' first and last write; empty: not kept
  std::string updated_attribute;
  bool stream_images = false;  // change-log entries carry the item before and after
  bool deletion_protection = false;
  std::vector<ItemKind> kinds;
  std::vector<UniqueRule> unique;
  std::vector<AccessPattern> patterns;
  uint16_t index_numbers = 0;  // a tenant's own: the highest number of any index so far
  uint64_t generation = 0;     // a tenant's own: distinguishes it from an earlier table of the same name
  std::string id;              // a UUID; for a declared table, derived from its name
  protocol::Time created_at;
  BillingMode billing = BillingMode::kPayPerRequest;
  Throughput throughput;
  protocol::Time on_demand_at;  // since when it is kPayPerRequest

  const IndexDef* FindIndex(std::string_view index) const;  // nullptr if unknown
  bool IsSecret(std::string_view attribute) const;
  // Returns the attribute if it is a key of the table or of one of its indexes, otherwise nullptr.
  const KeyAttribute* FindKeyAttribute(std::string_view attribute) const;
};
using TableDefPtr = std::shared_ptr<const TableDef>;

// The content of one file: the tables of one system.
struct SystemDef {
  std::string name, about;
  std::vector<std::string> notes;
  std::vector<AttributeRule> common;    // shared by every kind of item
  std::vector<AccessPattern> patterns;  // across all of its tables
  std::vector<TableDefPtr> tables;
};

}  // namespace parley::storage
