// Decisions of the table engine: one write, or several that are done together or not at all. Each is decided
// on the store as it will be once everything decided before it is on disk, so nothing is ever lost to a
// concurrent writer.
//
// Thread contract: the writer's thread (item_writer.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "storage/engine/item_change.h"
#include "storage/expressions/expressions.h"

namespace parley::storage {

struct WriteRequest {
  enum class Kind : uint8_t { kPut, kUpdate, kDelete, kCheck };
  Kind kind = Kind::kPut;
  std::string table;
  Item item;  // kPut: the item; else its key
  Update update;
  Condition condition;
  bool tells_item = false;  // a failed condition comes with the item
  // A service's own: the table's declaration is applied (service_rules.h), its conditions and updates see
  // secrets open, and a put's key is made from the templates of the kind that it names.
  bool by_service = false;
  std::string item_kind = {};
};
struct WriteReply {
  std::optional<Item> before, after;
  TableDefPtr table;
};
// `reply`: nullptr where nobody asks, as below.
MaybeFault DecideWrite(ItemStage& stage, const TenantId& tenant, const WriteRequest& request,
                       WriteReply* reply);

// Of work for a decision (expressions/effort.h), all its items together; what needs more is refused, before
// anything is written. A full BatchWriteItem that replaces items of the largest size stays below it.
inline constexpr uint64_t kDecisionStepsMax = 48'000'000;
inline constexpr size_t kTransactionWritesMax = 100;
inline constexpr size_t kTransactionBytesMax = 4 * 1024 * 1024;
inline constexpr int64_t kTokenMs = 600'000;  // for how long a transaction's token is remembered
struct Transaction {
  std::vector<WriteRequest> writes;
  std::string token;   // empty: none
  std::string digest;  // of everything else that was sent
};
struct TransactionReply {
  std::vector<WriteReply> replies;
  bool repeated = false;  // it was done before: nothing was written now
};
MaybeFault DecideTransaction(ItemStage& stage, const TenantId& tenant, const Transaction& transaction,
                             TransactionReply* reply);

// Writes that have nothing to do with each other (BatchWriteItem): no conditions, no updates. A fault in one
// means that none was written.
MaybeFault DecideBatch(ItemStage& stage, const TenantId& tenant, const std::vector<WriteRequest>& writes,
                       std::vector<WriteReply>* replies);

}  // namespace parley::storage
