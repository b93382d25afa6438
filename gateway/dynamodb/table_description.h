// Describes a table in the answers of DescribeTable and of all operations that change tables. A table is
// ACTIVE once its creation is answered, and unknown once its deletion is; only indexes take time.
//
// Pure functions, except for ReadFigures.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "storage/engine/item_transaction.h"
#include "storage/engine/table_facts.h"

namespace parley::gateway {

struct TableFigures {
  storage::TableFacts facts;
  storage::TableStats stats;
  std::map<std::string, int64_t> filled;  // for each index being filled: the items scanned so far
};
storage::MaybeFault ReadFigures(const storage::Reader& reader, const protocol::TenantId& tenant,
                                const storage::TableDef& def, TableFigures* out);

// {"TableName":…}; `status`: "ACTIVE", "DELETING".
std::string TableDescription(const protocol::TenantId& tenant, const storage::TableDef& def,
                             const TableFigures& figures, std::string_view status);
// Returns {"<member>":{…}}, the answer of every operation on a table.
std::string TableAnswer(std::string_view member, const protocol::TenantId& tenant,
                        const storage::TableDef& def, const TableFigures& figures,
                        std::string_view status = "ACTIVE");

}  // namespace parley::gateway
