// One request to the DynamoDB API on its way, and the two ways it may go: to a snapshot, or to the writer.
//
// Thread contract: the lane's loop, or a reader's thread where the body is so large that reading it would
// hold up everybody else (off_loop); but for what is said to run elsewhere.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "gateway/dynamodb/credentials.h"
#include "gateway/dynamodb/request_body.h"
#include "gateway/lane.h"
#include "gateway/node.h"
#include "storage/engine/fault.h"
#include "storage/engine/item_reads.h"
#include "storage/engine/item_stage.h"

namespace parley::gateway {

struct DynamoCall {
  using Respond = std::function<void(DynamoResult<std::string>)>;  // the answer's body; once

  Lane& lane;
  std::string_view operation;
  TableCaller who;
  std::shared_ptr<const protocol::Document> body;
  Respond respond;
  bool off_loop = false;  // it runs on a reader's thread: its body is large. `respond` posts by itself

  Node& node() const { return lane.node(); }
  const protocol::TenantId& tenant() const { return who.tenant; }
};

DynamoError FromFault(storage::EngineFault fault);

// The table, if this key may do this to it.
DynamoResult<storage::TableDefPtr> FindTable(const DynamoCall& call, const std::string& name, bool write);
// The same, for what tells of a table itself: its name is in the message where there is none.
DynamoResult<storage::TableDefPtr> FindTableToTell(const DynamoCall& call, const std::string& name);
// What a table key sees of it: never a service's secrets.
bool HidesSecrets(const storage::TableDef& def);

// `read` runs on the loop or on a reader's thread, perhaps twice: it owns what it needs and changes nothing.
using ItemRead = std::function<DynamoResult<std::string>(const storage::ItemReads& reads)>;
void Read(const DynamoCall& call, ItemRead read);

// `decide` runs on the writer's thread; `reply` on the loop, once everything decided is on disk.
using ItemDecision = std::function<storage::MaybeFault(storage::ItemStage& stage)>;
void Write(const DynamoCall& call, ItemDecision decide, std::function<std::string()> reply);

}  // namespace parley::gateway
