// The requests of the load on tables: documents of workspaces, in the form of the table workspace-document.
//
// Documents come in pairs: 2p is replaced by PutItem and 2p + 1 changed by UpdateItem, so that every
// acknowledged update can be found in its document's version afterwards. Pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace parley::bench {

enum class TableOp : uint8_t { kPut, kUpdate, kGet, kQuery, kTransact };
inline constexpr std::array kTableOps = {TableOp::kPut, TableOp::kUpdate, TableOp::kGet, TableOp::kQuery,
                                         TableOp::kTransact};
inline constexpr std::string_view kDocumentTable = "workspace-document";
inline constexpr size_t kQueryItems = 25;
inline constexpr size_t kWorkspaceItems = 50;

struct TableOpInfo {
  TableOp op;
  std::string_view name;  // "PutItem"
  std::string_view what;  // for the report
  bool writes;
  std::string_view expected;  // a part of every correct response
  int updates;                // the increase of versions
};
const TableOpInfo& Describe(TableOp op);

// The attributes of one document; `draw` varies its contents.
struct Document {
  std::string pk, workspace, name, filename, folder, key;
  size_t size;
};
Document DocumentOf(size_t number, uint32_t draw);

struct TablePlan {
  size_t items = 10'000;
  size_t clients = 64;
};
// The documents of a client's `turn`-th request, which no other client writes at the same time.
struct Picks {
  size_t put, update, second_update, get, workspace;
  uint32_t draw;
};
Picks PicksOf(const TablePlan& plan, size_t client, size_t turn);
std::string RequestBody(const TablePlan& plan, TableOp op, size_t client, size_t turn);

std::string CreateTableBody();
std::string FillBody(size_t first, size_t count);  // BatchWriteItem
std::string ScanBody(std::string_view start);      // `start`: LastEvaluatedKey as received, or empty

}  // namespace parley::bench
