// Decisions about a tenant's own tables: creating, dropping and changing them.
//
// Thread contract: the writer's thread (item_writer.h).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "storage/declarations/checks.h"
#include "storage/engine/item_transaction.h"

namespace parley::storage {

struct TableLimits {
  size_t tables = 100;  // per tenant
};

// `wanted`: name, keys and indexes; the rest is filled in. REQUIRES: a valid name, valid keys and indexes.
MaybeFault DecideCreateTable(ItemTransaction& tx, const TenantId& tenant, TableDef wanted,
                             const TableLimits& limits, TableDefPtr* made);
MaybeFault DecideDeleteTable(ItemTransaction& tx, const TenantId& tenant, const std::string& name,
                             TableDefPtr* dropped);

struct TableUpdate {
  std::string name;
  std::optional<IndexDef> add_index = {};  // a global one; its number is filled in
  std::optional<std::string> drop_index = {};
  std::optional<bool> deletion_protection = {};
  std::optional<std::string> ttl_attribute = {};  // empty: items no longer expire
  std::optional<BillingMode> billing = {};
  std::optional<Throughput> throughput = {};
  std::vector<std::pair<std::string, Throughput>> index_throughputs = {};  // by name
};
MaybeFault DecideUpdateTable(ItemTransaction& tx, const TenantId& tenant, const TableUpdate& update,
                             TableDefPtr* changed);

// Sets the attribute by which items expire, or removes it.
struct TimeToLive {
  std::string table, attribute;
  bool enabled = false;
};
MaybeFault DecideTimeToLive(ItemTransaction& tx, const TenantId& tenant, const TimeToLive& wanted,
                            TableDefPtr* changed);

}  // namespace parley::storage
