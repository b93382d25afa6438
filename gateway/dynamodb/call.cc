#include "gateway/dynamodb/call.h"

#include "gateway/cold_reads.h"
#include "gateway/dynamodb/attribute_json.h"
#include "protocol/base/log.h"

namespace parley::gateway {
namespace {

using storage::FaultKind;

DynamoErrorType TypeOf(FaultKind kind) {
  switch (kind) {
    case FaultKind::kValidation:
      return DynamoErrorType::kValidation;
    case FaultKind::kConditionFailed:
      return DynamoErrorType::kConditionalCheckFailed;
    case FaultKind::kTransactionCanceled:
      return DynamoErrorType::kTransactionCanceled;
    case FaultKind::kIdempotencyMismatch:
      return DynamoErrorType::kIdempotentParameterMismatch;
    case FaultKind::kTableNotFound:
      return DynamoErrorType::kResourceNotFound;
    case FaultKind::kTableInUse:
      return DynamoErrorType::kResourceInUse;
    case FaultKind::kLimitExceeded:
      return DynamoErrorType::kLimitExceeded;
    case FaultKind::kCollectionTooLarge:
      return DynamoErrorType::kItemCollectionSizeLimitExceeded;
    case FaultKind::kNotUnique:
      return DynamoErrorType::kValidation;
    case FaultKind::kUnavailable:
      return DynamoErrorType::kServiceUnavailable;
    case FaultKind::kNotInMemory:
    case FaultKind::kInternal:
      break;
  }
  return DynamoErrorType::kInternalServerError;
}

DynamoError Busy() {
  return {DynamoErrorType::kThrottling, "Too many requests are waiting. Try again."};
}

}  // namespace

DynamoError FromFault(storage::EngineFault fault) {
  DynamoError error{TypeOf(fault.kind), std::move(fault.message)};
  // A read that memory cannot answer is made again (cold_reads.h), and this outcome is never told.
  if (fault.kind == storage::FaultKind::kNotInMemory) return error;
  if (error.type == DynamoErrorType::kInternalServerError ||
      error.type == DynamoErrorType::kServiceUnavailable) {
    protocol::Log(protocol::LogLevel::kError, "gateway", "a table request failed", {{"why", error.message}});
    error.message = error.type == DynamoErrorType::kServiceUnavailable
                        ? "The store takes no requests now."
                        : "The request could not be processed.";
  }
  if (fault.item) error.item = ItemJson(*fault.item);
  for (const auto& reason : fault.reasons) {
    CancellationReason& out = error.reasons.emplace_back();
    if (!reason) continue;
    out.code = reason->code;
    out.message = reason->message;
    if (reason->item) out.item = ItemJson(*reason->item);
  }
  return error;
}

DynamoResult<storage::TableDefPtr> FindTable(const DynamoCall& call, const std::string& name, bool write) {
  if (auto refused = call.who.Refuse(call.operation, name, write)) return std::move(*refused);
  storage::TableDefPtr def = call.node().catalog().Find(call.tenant(), name);
  if (!def) return DynamoError{DynamoErrorType::kResourceNotFound, "Requested resource not found"};
  using Owner = storage::TableDef::Owner;
  if (write && (def->owner == Owner::kServices || def->owner == Owner::kView))
    return DynamoError{DynamoErrorType::kAccessDenied,
                       "The rows of " + name + " are written by the server's own services only"};
  return def;
}

DynamoResult<storage::TableDefPtr> FindTableToTell(const DynamoCall& call, const std::string& name) {
  auto def = FindTable(call, name, /*write=*/false);
  if (!def.ok() && def.error().type == DynamoErrorType::kResourceNotFound)
    def.error().message += ": Table: " + name + " not found";
  return def;
}

bool HidesSecrets(const storage::TableDef& def) {
  return def.owner == storage::TableDef::Owner::kServices;
}

void Read(const DynamoCall& call, ItemRead read) {
  if (call.off_loop) {
    DynamoCall back = call;
    back.off_loop = false;
    return call.lane.loop().Post([back, read = std::move(read)]() mutable { Read(back, std::move(read)); });
  }
  using Outcome = std::shared_ptr<DynamoResult<std::string>>;
  ReadAnywhere<Outcome>(
      call.lane, call.lane.road(call.tenant()),
      [read = std::move(read), tenant = call.tenant(),
       now = call.node().clock().Now()](const storage::Reader& reader) {
        return protocol::Result<Outcome>(
            std::make_shared<DynamoResult<std::string>>(read(storage::ItemReads{reader, tenant, now})));
      },
      [respond = call.respond](protocol::Result<Outcome> outcome) {
        if (!outcome.ok()) return respond(Busy());
        respond(std::move(**outcome));
      });
}

void Write(const DynamoCall& call, ItemDecision decide, std::function<std::string()> reply) {
  const auto fault = std::make_shared<storage::MaybeFault>();
  storage::ItemJob job;
  job.decide = [fault, decide = std::move(decide)](storage::ItemStage& stage) { *fault = decide(stage); };
  job.done = [fault, respond = call.respond, reply = std::move(reply)](const storage::Status& status) {
    if (!status.ok()) return respond(FromFault(storage::FromStatus(status)));
    if (*fault) return respond(FromFault(std::move(**fault)));
    respond(reply());
  };
  job.origin = call.lane.index();
  if (!call.node().item_writer().Submit(job)) call.respond(Busy());
}

}  // namespace parley::gateway
