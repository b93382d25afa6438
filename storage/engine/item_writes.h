// Decisions of the table engine: one write, or several that are done together or not at all. Each is decided
// on the store as it will be once all earlier decisions are on disk, so no write is lost to a concurrent
// writer.
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
  Item item;  // kPut: the item; otherwise its key
  Update update;
  Condition condition;
  bool tells_item = false;  // return the item if the condition fails
  // A service's own write: the table's declaration is applied (service_rules.h), its conditions and updates
  // see secrets open, and the templates of the named kind make a put's key.
  bool by_service = false;
  std::string item_kind = {};
};
struct WriteReply {
  std::optional<Item> before, after;
  TableDefPtr table;
};
// `reply` may be nullptr, here and below.
MaybeFault DecideWrite(ItemTransaction& tx, const TenantId& tenant, const WriteRequest& request,
                       WriteReply* reply);

// The most work of a decision (expressions/effort.h), for all its items together; a request that needs more
// is rejected before anything is written. A full BatchWriteItem that replaces items of the largest size stays
// below it.
inline constexpr uint64_t kDecisionStepsMax = 48'000'000;
inline constexpr size_t kTransactionWritesMax = 100;
inline constexpr size_t kTransactionBytesMax = 4 * 1024 * 1024;
inline constexpr int64_t kTokenMs = 600'000;  // how long a transaction's token is remembered
struct TransactWrite {
  std::vector<WriteRequest> writes;
  std::string token;   // may be empty
  std::string digest;  // a hash of the rest of the request
};
struct TransactionReply {
  std::vector<WriteReply> replies;
  bool repeated = false;  // the token was known: nothing was written now
};
MaybeFault DecideTransaction(ItemTransaction& tx, const TenantId& tenant, const TransactWrite& transaction,
                             TransactionReply* reply);

// Independent writes (BatchWriteItem): no conditions, no updates. A fault in one means that none was
// written.
MaybeFault DecideBatch(ItemTransaction& tx, const TenantId& tenant, const std::vector<WriteRequest>& writes,
                       std::vector<WriteReply>* replies);

}  // namespace parley::storage
