#include "gateway/ops/router.h"

#include <cstdlib>
#include <unordered_map>

#include "fanout/operations.h"
#include "features/all.h"
#include "features/host/access.h"
#include "features/host/cold_reads.h"
#include "features/ops.h"
#include "features/text_policy/asks.h"
#include "gateway/ops/reply_shapes.h"
#include "protocol/base/log.h"
#include "protocol/base/sure.h"
#include "threads/operations.h"
#include "threads/run/run_judged.h"

namespace parley::gateway {
namespace {

using features::Followup;
using features::Guard;
using features::OpCall;
using protocol::OpKind;
using protocol::Result;
using threads::Decision;
using threads::Operation;
using threads::Waits;

struct Entry {
  OpInfo info;
  const Operation* op = nullptr;  // nullptr: an op of the session itself
  features::Handler handle = nullptr;
  const Guard* guard = nullptr;
  const Followup* followup = nullptr;
};

// --- reads

void AnswerRead(IoThread& io, const Operation& op, const OpCall& call, Done done) {
  features::ReadIndexed(
      io, op.waits, call.road,
      [&io = std::as_const(io), &op, call](const storage::Reader& reader) {
        return op.read(io.ContextOf(reader, call.caller), call.args.get());
      },
      std::move(done));
}

bool IsRecordedForTenant(threads::Recorded recorded, const threads::Caller& caller) {
  return recorded == threads::Recorded::kStaff ||
         (recorded == threads::Recorded::kStaffWhoSeesAll && caller.sees_all());
}

void RunRead(IoThread& io, const Operation& op, const OpCall& call, Done done) {
  const threads::Caller& caller = call.caller;
  if (caller.is_staff() && op.recorded == threads::Recorded::kStaffInThread) {
    return RecordAccess(io, caller, protocol::Sure(op.thread(call.args.get())), op.name,
                        [&io, &op, call, done = std::move(done)](Answer recorded) {
                          if (!recorded.ok()) return done(std::move(recorded));
                          AnswerRead(io, op, call, done);
                        });
  }
  if (caller.is_staff() && IsRecordedForTenant(op.recorded, caller)) {
    return RecordStaffAccess(io, caller, op.name, op.about(call.args.get()),
                             [&io, &op, call, done = std::move(done)](const protocol::Status& recorded) {
                               if (!recorded.ok()) return done(recorded.error());
                               AnswerRead(io, op, call, done);
                             });
  }
  AnswerRead(io, op, call, std::move(done));
}

// --- writes

Result<Decision> DecideGuarded(threads::Transaction& tx, const IoThread& io, const Entry& entry,
                               const OpCall& call, const threads::Judged* judged) {
  const void* args = call.args.get();
  Result<Decision> decided = entry.op->decide(tx, call.caller, args, judged);
  if (!decided.ok() || !entry.guard) return decided;
  return entry.guard->check(tx, io, call.caller, args, *std::move(decided));
}

// The texts are examined here, where only the caller's own session waits for it.
threads::ExaminedPtr Examine(const IoThread& io, const Operation& op, const OpCall& call) {
  if (!op.texts || !features::HasTextPolicy(io, call.caller)) return nullptr;
  return features::ExamineTexts(io, call.caller, op.texts(call.args.get()));
}

void RunWrite(IoThread& io, const Entry& entry, const OpCall& call, Done done) {
  threads::Job job;
  job.tenant = call.caller.tenant;
  job.thread = entry.op->thread(call.args.get());
  job.refusal = call.refusal;
  job.trace = call.trace;
  features::JudgedWrite write{std::move(job), call.caller, Examine(io, *entry.op, call), {}};
  write.decide = [&io = std::as_const(io), &entry, call](threads::Transaction& tx,
                                                         const threads::Judged* judged) {
    return DecideGuarded(tx, io, entry, call, judged);
  };
  features::SubmitJudged(io, std::move(write), std::move(done));
}

void AwaitAndWrite(IoThread& io, const Entry& entry, const OpCall& call, Done done) {
  // Strangers are found through the inbox index. If it is late, the op goes on without it.
  const bool waits =
      Includes(entry.op->waits, Waits::kStrangers) && io.RulesOf(call.caller.tenant).requests.enabled;
  if (!waits) return RunWrite(io, entry, call, std::move(done));
  io.Await(Waits::kInbox,
           [&io, &entry, call, done = std::move(done)](bool) { RunWrite(io, entry, call, done); });
}

// --- the table

using EntryTable = std::unordered_map<std::string_view, Entry>;

void Add(const Operation& op, features::Handler handle, EntryTable* table) {
  const auto found = table->find(op.name);
  if (found == table->end() || found->second.op) {
    protocol::Log(protocol::LogLevel::kError, "gateway", "two rows of one op, or a row of none",
                  {{"op", std::string(op.name)}});
    std::abort();
  }
  found->second.op = &op;
  found->second.handle = handle;
  found->second.info.takes_client_id = op.takes_client_id;
  found->second.info.awaits_projection = op.kind == OpKind::kRead && op.waits != Waits::kNothing;
}

EntryTable MakeTable() {
  EntryTable table;
  protocol::ForEachOp(features::AllOps{}, [&]<class Op>() {
    const size_t index = table.size();
    table.emplace(Op::kName, Entry{{Op::kKind, false, false, ReplyShape(Op::kName), index}});
  });
  for (const threads::Operations& list : threads::CoreOperations())
    for (const Operation& op : list) Add(op, nullptr, &table);
  for (const Operation& op : fanout::IndexOperations()) Add(op, nullptr, &table);
  for (const features::Feature* feature : features::AllFeatures()) {
    for (const features::Operation& op : feature->operations) Add(op.row, op.handle, &table);
    for (const Guard& guard : feature->guards) table.at(guard.name).guard = &guard;
    for (const Followup& followup : feature->followups) table.at(followup.name).followup = &followup;
  }
  for (const auto& [name, entry] : table) {
    if (entry.op || entry.info.kind == OpKind::kSession) continue;
    protocol::Log(protocol::LogLevel::kError, "gateway", "an op without a row", {{"op", std::string(name)}});
    std::abort();
  }
  return table;
}

const EntryTable& Table() {
  static const EntryTable table = MakeTable();
  return table;
}

void Run(IoThread& io, const Entry& entry, const OpCall& call, Done done) {
  if (entry.handle) return entry.handle(io, call, std::move(done));
  if (entry.op->kind == OpKind::kRead) return RunRead(io, *entry.op, call, std::move(done));
  AwaitAndWrite(io, entry, call, std::move(done));
}

// `call`: without its args, which are bound here.
void BindAndRun(IoThread& io, std::string_view op, const protocol::Value& value, OpCall call, Done done) {
  const Entry& entry = Table().find(op)->second;
  auto args = entry.op->bind(value);
  if (!args.ok()) return done(std::move(args.error()));
  call.args = *std::move(args);
  if (!entry.followup) return Run(io, entry, call, std::move(done));
  Run(io, entry, call, [&io, &entry, call, done = std::move(done)](Answer answer) {
    if (!answer.ok()) return done(std::move(answer));
    entry.followup->follow(io, call, *std::move(answer), done);
  });
}

}  // namespace

const OpInfo* FindOp(std::string_view op) {
  const auto found = Table().find(op);
  return found == Table().end() ? nullptr : &found->second.info;
}

protocol::Status CheckArgs(std::string_view op, const protocol::Value& args) {
  auto bound = Table().find(op)->second.op->bind(args);
  return bound.ok() ? protocol::Ok() : protocol::Status(std::move(bound.error()));
}

void Route(IoThread& io, std::string_view op, const threads::Caller& caller, const protocol::Value& args,
           const ReadRoad& road, Done done, threads::TracePtr trace) {
  BindAndRun(io, op, args, {caller, {}, road, {}, std::move(trace)}, std::move(done));
}

void RouteRepeat(IoThread& io, std::string_view op, const threads::Caller& caller,
                 const protocol::Value& args, protocol::Error refusal, Done done, threads::TracePtr trace) {
  BindAndRun(io, op, args, {caller, {}, io.road(caller.tenant), std::move(refusal), std::move(trace)},
             std::move(done));
}

void Route(IoThread& io, std::string_view op, const threads::Caller& caller, const protocol::Value& args,
           Done done, threads::TracePtr trace) {
  BindAndRun(io, op, args, {caller, {}, io.road(caller.tenant), {}, std::move(trace)}, std::move(done));
}

}  // namespace parley::gateway
