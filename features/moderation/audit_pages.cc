// moderation.audit: pages of the tenant's audit chain. Staff's access is recorded before anything is shown,
// and the chain includes every acknowledged act of staff in threads by then.
#include "accounts/audit/audit_chain.h"
#include "accounts/audit/audit_reads.h"
#include "features/host/access.h"
#include "features/host/records.h"
#include "features/moderation/cases.h"
#include "features/moderation/operations.h"
#include "features/moderation/ops.h"
#include "protocol/base/reason.h"
#include "protocol/base/varint.h"
#include "protocol/json_size.h"
#include "threads/model/read_context.h"

namespace parley::features {

using accounts::AuditPlace;
using protocol::Error;
using protocol::Reason;
using threads::Caller;
using threads::ReadAnswer;
using threads::ReadContext;

namespace {

constexpr int64_t kDefaultEntries = 50;

template <class T>
std::optional<std::string> TextOf(const std::optional<T>& id) {
  return id ? std::optional(id->ToText()) : std::nullopt;
}

accounts::AuditAsk AskOf(const ModerationAudit::Args& args) {
  accounts::AuditAsk ask{TextOf(args.thread_id), TextOf(args.actor), TextOf(args.user_id)};
  if (args.case_id) ask.case_id = args.case_id->value;
  ask.from = args.from;
  ask.to = args.to;
  return ask;
}

std::string QueryOf(const accounts::AuditAsk& ask) {
  std::string out(ModerationAudit::kName);
  for (const auto* text : {&ask.thread_id, &ask.actor, &ask.user_id, &ask.case_id})
    out += ' ' + std::to_string(*text ? (*text)->size() : 0) + ' ' + text->value_or("");
  for (const auto* time : {&ask.from, &ask.to}) out += ' ' + (*time ? std::to_string((*time)->ms) : "");
  return out;
}

std::string BytesOf(const AuditPlace& place) {
  std::string out;
  protocol::AppendVarint(&out, static_cast<uint64_t>(place.at.ms));
  protocol::AppendVarint(&out, place.seq);
  return out;
}

bool Parse(std::string_view bytes, AuditPlace* out) {
  uint64_t ms = 0;
  if (!protocol::TakeVarint(&bytes, &ms) || !protocol::TakeVarint(&bytes, &out->seq)) return false;
  out->at.ms = static_cast<int64_t>(ms);
  return bytes.empty();
}

protocol::Status MayRead(const Caller& caller) {
  if (caller.is_staff() || caller.sees_all()) return protocol::Ok();
  return ErrorFor(Reason::kOnlyStaff, "only staff may read the audit");
}

ReadAnswer ReadAudit(const ReadContext& context, const accounts::RecordReads& records,
                     const ModerationAudit::Args& args) {
  if (args.thread_id) PARLEY_CHECK_OK(threads::StandingOf(context, *args.thread_id));
  PARLEY_CHECK_OK(MayRead(context.caller));
  accounts::AuditAsk ask = AskOf(args);
  const std::string query = QueryOf(ask);
  if (args.cursor) {
    const auto position = context.cursors.Open(context.caller, query, *args.cursor);
    if (!position || !Parse(*position, &ask.below.emplace()))
      return Error::BadField("cursor", "is not a cursor of this query");
  }
  const size_t limit = static_cast<size_t>(args.limit ? args.limit->value : kDefaultEntries);
  ModerationAudit::Reply reply;
  protocol::PageBytes bytes(context.page_bytes);
  const auto taken = [&reply] { return protocol::JsonSize(reply.entries.msgpack); };
  HiddenCases hidden(records, context.caller.is_staff() ? context.caller.user : std::nullopt);
  protocol::Status sound = protocol::Ok();
  const auto take = [&](const protocol::ChainEntry& facts, const std::string& entry) {
    if (facts.case_id) {
      const auto withheld = hidden.Contain(*facts.case_id);
      if (!withheld.ok()) sound = withheld.error();
      if (!withheld.ok() || *withheld) return sound.ok();
    }
    if (reply.entries.count == limit || !bytes.Take(entry, taken)) return false;
    reply.entries.msgpack += entry;
    ++reply.entries.count;
    return true;
  };
  PARLEY_TRY(next, ListAudit(context.snapshot, context.caller.tenant, ask, take));
  PARLEY_CHECK_OK(sound);
  if (next) reply.cursor = context.cursors.Seal(context.caller, query, BytesOf(*next));
  return protocol::Encode(reply);
}

// Only the first page is recorded: those that continue it are the same access.
void RecordAuditAccess(Host& host, const Caller& caller, const ModerationAudit::Args& args, Done done) {
  accounts::AuditAct act;
  act.actor = caller.user;
  act.actor_role = std::string(protocol::NameOf(caller.role));
  act.action = "look." + std::string(ModerationAudit::kName);
  act.user_id = args.user_id;
  if (args.case_id) act.case_id = args.case_id->value;
  if (args.actor) act.after = protocol::StatesOf({{"actor", args.actor->ToText()}});
  DecideRecords<protocol::Unit>(
      host, caller.tenant,
      [act = std::move(act)](accounts::RecordTransaction& tx) -> protocol::Status {
        PARLEY_CHECK_OK(RecordAct(tx, act));
        return tx.Commit();
      },
      [done = std::move(done)](protocol::Status recorded) {
        if (!recorded.ok()) return done(std::move(recorded.error()));
        done(std::string());
      });
}

void AnswerAudit(Host& host, const OpCall& call, Done done) {
  ReadIndexed(
      host, threads::Waits::kAudit, call.road,
      [&host = std::as_const(host), call](const storage::Reader& reader) {
        const ReadContext context = host.ContextOf(reader, call.caller);
        return ReadAudit(context, RecordsOf(context), call.As<ModerationAudit>());
      },
      std::move(done));
}

protocol::Status CheckAsk(const Caller& caller, const ModerationAudit::Args& args) {
  if (args.from && args.to && *args.to < *args.from) return Error::BadField("to", "is before from");
  if (args.thread_id) return protocol::Ok();  // first of all, whether they may know of it
  PARLEY_CHECK_OK(MayRead(caller));
  if (caller.by_case)
    return ErrorFor(Reason::kNameAThread, "staff bound to cases read the audit of a thread that they name");
  return protocol::Ok();
}

void Audit(Host& host, const OpCall& call, Done done) {
  const auto& args = call.As<ModerationAudit>();
  if (auto checked = CheckAsk(call.caller, args); !checked.ok()) return done(std::move(checked.error()));
  if (!call.caller.is_staff() || args.cursor) return AnswerAudit(host, call, std::move(done));
  auto then = [&host, call, done = std::move(done)](Answer recorded) {
    if (!recorded.ok()) return done(std::move(recorded));
    AnswerAudit(host, call, done);
  };
  if (args.thread_id)
    return RecordAccess(host, call.caller, *args.thread_id, ModerationAudit::kName, std::move(then));
  RecordAuditAccess(host, call.caller, args, std::move(then));
}

}  // namespace

Operation AuditOp() {
  return HandledOp<ModerationAudit>(&Audit, threads::Waits::kAudit);
}

}  // namespace parley::features
