// What DescribeTable, and whatever changes a table, tells of it. A table is ACTIVE from the moment that its
// creation is answered, and gone from the moment that its deletion is; only an index takes its time.
//
// Pure functions, but for ReadFigures, which reads.
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
  std::map<std::string, int64_t> filled;  // of indexes that are being filled: items looked at so far
};
storage::MaybeFault ReadFigures(const storage::Reader& reader, const protocol::TenantId& tenant,
                                const storage::TableDef& def, TableFigures* out);

// {"TableName":…}; `status`: "ACTIVE", "DELETING".
std::string TableDescription(const protocol::TenantId& tenant, const storage::TableDef& def,
                             const TableFigures& figures, std::string_view status);
// {"<member>":{…}}, as every answer about a table has it.
std::string TableAnswer(std::string_view member, const protocol::TenantId& tenant,
                        const storage::TableDef& def, const TableFigures& figures,
                        std::string_view status = "ACTIVE");

}  // namespace parley::gateway
