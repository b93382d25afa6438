// One request to the DynamoDB API on its way, and the two ways it may go: to a snapshot, or to the writer.
//
// Thread contract: the I/O thread's loop, or a reader's thread where the body is so large that reading it
// would hold up everybody else (off_loop); but for what is said to run elsewhere.
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
  using Respond = std::function<void(DynamoResult<DynamoBody>)>;  // the answer's body; once

  IoThread& io;
  std::string_view operation;
  TableCaller who;
  std::shared_ptr<const protocol::Document> body;
  Respond respond;
  // It runs on a reader's thread, since its body is large, and reads from this: `respond` posts by itself.
  const storage::Reader* off_loop = nullptr;
  std::string host = {};  // as the request names it

  Node& node() const { return io.node(); }
  const protocol::TenantId& tenant() const { return who.tenant; }
};

DynamoError FromFault(storage::EngineFault fault);

// The table, if this key may do this to it.
DynamoResult<storage::TableDefPtr> FindTable(const DynamoCall& call, const std::string& name, bool write);
// The same, for what tells of a table itself: its name is in the message where there is none.
DynamoResult<storage::TableDefPtr> FindTableToTell(const DynamoCall& call, const std::string& name);
// What a table key sees of it: never a service's secrets.
bool HidesSecrets(const storage::TableDef& def);

// `read` runs on a reader's thread: it owns what it needs, changes nothing, and puts the answer together in
// `out`, counting as it goes.
using ItemRead =
    std::function<std::optional<DynamoError>(const storage::ItemReads& reads, CountedAnswer& out)>;
void Read(const DynamoCall& call, ItemRead read);
// The same of little that no program of the request works on: on the loop, where memory has it and it is
// small, and else as above.
void ReadLittle(const DynamoCall& call, ItemRead read);
// What an answer is refused for which all readers together hold too much.
DynamoError NoRoomForAnswer();

// `decide` runs on the writer's thread; `reply` on a reader's, once everything decided is on disk. Null: the
// answer is {}.
using ItemDecision = std::function<storage::MaybeFault(storage::ItemTransaction& tx)>;
void Write(const DynamoCall& call, ItemDecision decide, std::function<std::string()> reply);

}  // namespace parley::gateway
