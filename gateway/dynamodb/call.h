// Carries one request to the DynamoDB API to a read of a snapshot, or to a decision of the writer.
//
// Thread contract: the I/O thread's loop, or a reader's thread if the body is so large that parsing it would
// block the loop (off_loop), unless a function states another thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "gateway/app/io_thread.h"
#include "gateway/app/node.h"
#include "gateway/dynamodb/counted_answer.h"
#include "gateway/dynamodb/credentials.h"
#include "gateway/dynamodb/request_body.h"
#include "storage/engine/fault.h"
#include "storage/engine/item_reads.h"
#include "storage/engine/item_transaction.h"

namespace parley::gateway {

struct DynamoCall {
  using Respond = std::function<void(DynamoResult<DynamoBody>)>;  // receives the answer's body; called once

  IoThread& io;
  std::string_view operation;
  TableCaller who;
  std::shared_ptr<const protocol::Document> body;
  Respond respond;
  // Set if the body is large: the call runs on a reader's thread and reads from this; `respond` posts to the
  // loop.
  const storage::Reader* off_loop = nullptr;
  std::string host = {};  // from the Host header

  Node& node() const { return io.node(); }
  const protocol::TenantId& tenant() const { return who.tenant; }
};

DynamoError FromFault(storage::EngineFault fault);

// Returns the table if the caller's key may use it so.
DynamoResult<storage::TableDefPtr> FindTable(const DynamoCall& call, const std::string& name, bool write);
// The same, for operations that describe the table: the message of a missing one contains its name.
DynamoResult<storage::TableDefPtr> FindTableToTell(const DynamoCall& call, const std::string& name);
// Returns true if a table key may not see the table's secrets: those of the server's services.
bool HidesSecrets(const storage::TableDef& def);

// Runs `read` on a reader's thread. It owns its data, changes nothing, and writes the answer to `out`, which
// counts the bytes as they grow.
using ItemRead =
    std::function<std::optional<DynamoError>(const storage::ItemReads& reads, CountedAnswer& out)>;
void Read(const DynamoCall& call, ItemRead read);
// The same for a small read without expressions: it runs on the loop if memory has all rows and they are
// small, else as above.
void ReadLittle(const DynamoCall& call, ItemRead read);
// The error if the answers of all readers exceed their common budget.
DynamoError NoRoomForAnswer();

// Runs `decide` on the writer's thread and, once the decision is on disk, `reply` on a reader's. Without
// `reply` the answer is {}.
using ItemDecision = std::function<storage::MaybeFault(storage::ItemTransaction& tx)>;
void Write(const DynamoCall& call, ItemDecision decide, std::function<std::string()> reply);

}  // namespace parley::gateway
