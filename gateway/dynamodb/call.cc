#include "gateway/dynamodb/call.h"

#include <atomic>
#include <chrono>

#include "gateway/dynamodb/answer.h"
#include "gateway/dynamodb/attribute_json.h"
#include "protocol/base/log.h"
#include "storage/guarded_reader.h"

namespace parley::gateway {
namespace {

// Limits log lines per second, so that a failed store does not fill the disk.
bool MayLog() {
  constexpr int kLinesPerSecond = 20;
  static std::atomic<int64_t> second{-1};
  static std::atomic<int> lines{0};
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  const int64_t now_s = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  if (second.exchange(now_s) != now_s) lines = 0;
  return ++lines <= kLinesPerSecond;
}

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
  // A read that memory cannot answer is retried (cold_reads.h), so this error is neither logged nor sent.
  if (fault.kind == storage::FaultKind::kNotInMemory) return error;
  if (error.type == DynamoErrorType::kInternalServerError ||
      error.type == DynamoErrorType::kServiceUnavailable) {
    if (MayLog())
      protocol::Log(protocol::LogLevel::kError, "gateway", "a table request failed",
                    {{"why", error.message}});
    error.message = error.type == DynamoErrorType::kServiceUnavailable
                        ? "The store does not accept requests now."
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

namespace {

constexpr size_t kBodyBytesOnLoop = size_t{16} << 10;

DynamoResult<DynamoBody> Make(Node& node, const storage::ItemReads& reads, const ItemRead& read) {
  CountedAnswer answer(node.readers());
  if (auto error = read(reads, answer)) return std::move(*error);
  return std::move(answer).Take();
}

// Completes an answer off the loop: computes its checksum, and the body of a large error.
DynamoResult<DynamoBody> Sealed(Node& node, DynamoResult<DynamoBody> answer) {
  if (!answer.ok()) {
    const DynamoError& error = answer.error();
    if (error.item.empty() && error.reasons.empty()) return answer;
    CountedAnswer counted(node.readers());
    counted.text() = ErrorBody(error);
    DynamoBody body = std::move(counted).Take();
    body.status = Describe(error.type).http_status;
    answer = std::move(body);
  }
  answer->crc = Crc32(answer->text);
  return answer;
}

// Runs `make` on a reader's thread and releases its data there.
using MakeAnswer = std::function<DynamoResult<DynamoBody>(const storage::Reader&)>;
ReadJob JobOf(const DynamoCall& call, MakeAnswer make) {
  auto made = std::make_shared<DynamoResult<DynamoBody>>(Busy());
  ReadJob job;
  job.read = [made, &node = call.node(),
              make = std::make_shared<MakeAnswer>(std::move(make))](const storage::Reader& reader) {
    *made = Sealed(node, (*make)(reader));
    *make = nullptr;
  };
  job.finish = [made, respond = call.respond] { respond(std::move(*made)); };
  job.loop = &call.io.loop();
  job.owner = call.tenant().ToText();
  return job;
}

}  // namespace

DynamoError NoRoomForAnswer() {
  return {DynamoErrorType::kThrottling, "The answers to other readers use too much memory. Try again."};
}

void Read(const DynamoCall& call, ItemRead read) {
  MakeAnswer make = [read = std::move(read), &node = call.node(), tenant = call.tenant(),
                     now = call.node().clock().Now()](const storage::Reader& reader) {
    return Make(node, {reader, tenant, now}, read);
  };
  if (call.off_loop) return call.respond(Sealed(call.node(), make(*call.off_loop)));
  ReadJob job = JobOf(call, std::move(make));
  if (!call.node().read_pool().Submit(job)) call.respond(Busy());
}

void ReadLittle(const DynamoCall& call, ItemRead read) {
  if (!call.off_loop) {
    const auto view = call.io.View();
    const storage::MemoryAttempt attempt(*view, kBodyBytesOnLoop);
    auto answer = Make(call.node(), {attempt, call.tenant(), call.node().clock().Now()}, read);
    if (!attempt.missed()) {
      call.node().read_pool().CountFromMemory();
      return call.respond(std::move(answer));
    }
  }
  Read(call, std::move(read));
}

void Write(const DynamoCall& call, ItemDecision decide, std::function<std::string()> reply) {
  const auto fault = std::make_shared<storage::MaybeFault>();
  DynamoCall back = call;
  back.off_loop = nullptr;
  back.body.reset();
  storage::ItemJob job;
  job.decide = [fault, decide = std::move(decide)](storage::ItemTransaction& tx) { *fault = decide(tx); };
  job.done = [fault, back, reply = std::move(reply)](const storage::Status& status) mutable {
    if (!status.ok()) return back.respond(FromFault(storage::FromStatus(status)));
    if (!*fault && !reply) return back.respond("{}");
    if (*fault && !(*fault)->item && (*fault)->reasons.empty())
      return back.respond(FromFault(std::move(**fault)));
    // The decision is on disk, so its answer must not be rejected for load.
    ReadJob reply_job = JobOf(back,
                              [fault, &node = back.node(),
                               reply = std::move(reply)](const storage::Reader&) -> DynamoResult<DynamoBody> {
                                if (*fault) return FromFault(std::move(**fault));
                                CountedAnswer answer(node.readers());
                                answer.text() = reply();
                                return std::move(answer).Take();
                              });
    if (!back.node().read_pool().SubmitDue(reply_job)) back.respond(Busy());
  };
  job.origin = call.io.index();
  if (!call.node().item_writer().Submit(job)) call.respond(Busy());
}

}  // namespace parley::gateway
