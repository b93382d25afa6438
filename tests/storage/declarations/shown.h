// Items as text, for tests: 'pk="TENANT#a" ttl=12'.
#pragma once

#include <string>
#include <string_view>

#include "storage/declarations/kind_keys.h"
#include "storage/declarations/table_def.h"

namespace parley::storage {

std::string Shown(const AttributeValue& value);
std::string Shown(const Item& item);
// "email: must be S; name: is required"
std::string Shown(const std::vector<AttributeFault>& faults);

// Return a declared table and a kind of its items. Fail the test if it is missing.
const TableDef& SeedTable(std::string_view name);
const ItemKind& KindOf(const TableDef& table, std::string_view kind);

}  // namespace parley::storage
