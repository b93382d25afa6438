#include "features/requests/operations.h"

#include "fanout/index_reads.h"
#include "features/host/cold_reads.h"
#include "features/people/asks.h"
#include "features/requests/ops.h"
#include "features/requests/settings.h"
#include "features/requests/stored_contacts.h"
#include "protocol/ops/inbox.h"
#include "threads/model/rows.h"
#include "threads/requests/answer_request.h"
#include "threads/run/write_op.h"

namespace parley::features {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using protocol::UserId;
using threads::ReadAnswer;

ReadAnswer Counts(const Host& host, const threads::ReadContext& context) {
  PARLEY_TRY(reply, fanout::CountFolders(context, context.folders));
  const auto requests_of = [&host](const protocol::TenantId& tenant) {
    return RequestsInForce(host.FindTenant(tenant), host.RulesOf(tenant));
  };
  const StoredContacts contacts(host.sealer(), host.cursors(), requests_of);
  PARLEY_TRY(credits,
             contacts.CountOf({context.snapshot, context.caller.tenant, context.now}, context.caller));
  reply.credits.value = credits;
  PARLEY_TRY(starts, host.StartsOf(context));
  reply.rate_limit.value = starts;
  return protocol::Encode(reply);
}

void GetCounts(Host& host, const OpCall& call, Done done) {
  ReadIndexed(
      host, threads::Waits::kInbox, call.road,
      [&host = std::as_const(host), call](const storage::Reader& reader) {
        return Counts(host, host.ContextOf(reader, call.caller));
      },
      std::move(done));
}

// The author of the request in a reply's entry.
std::optional<UserId> WhoAsked(const std::string& reply) {
  protocol::Document document;
  if (!threads::DecodeStored(reply, &document)) return std::nullopt;
  const protocol::Value* entry = document.root.Find("entry");
  const protocol::Value* request = entry && entry->as_map() ? entry->Find("request") : nullptr;
  const protocol::Value* from = request && request->as_map() ? request->Find("fromUserId") : nullptr;
  return from && from->as_text() ? UserId::FromText(*from->as_text()) : std::nullopt;
}

// A crash before the block leaves a request that reads blocked; a repeat of the op completes it.
void BlockAuthor(Host& host, const OpCall& call, std::string answer, Done done) {
  const auto from = WhoAsked(answer);
  if (!from) return done(Error(ErrorCode::kInternal, "a request without its author"));
  BlockUser(host, call.caller, *from, [answer = std::move(answer), done = std::move(done)](Answer blocked) {
    done(blocked.ok() ? Answer(answer) : std::move(blocked));
  });
}

// The command of an op that answers a request.
template <class AnswerOp>
struct AnswerRequest {
  using Op = AnswerOp;
  using Loaded = threads::AnswerLoaded;
  static protocol::Result<Loaded> Load(threads::Transaction& tx, const threads::Caller& caller,
                                       const threads::RequestArgs& args) {
    return threads::LoadAnswer(tx, caller, args, Op::kState);
  }
  static protocol::Result<threads::Decision> Decide(Loaded loaded, const threads::Caller& caller,
                                                    const threads::RequestArgs& args,
                                                    const threads::SizeLimits&, threads::Moment moment) {
    return threads::DecideAnswer(std::move(loaded), caller, args, Op::kState, moment);
  }
};

}  // namespace

Operations RequestOperations() {
  static const Operation rows[] = {
      GetFilterOp(),
      SetFilterOp(),
      {threads::WriteOp<AnswerRequest<RequestAccept>>()},
      {threads::WriteOp<AnswerRequest<RequestDecline>>()},
      {threads::WriteOp<AnswerRequest<RequestBlock>>()},
      HandledOp<protocol::InboxCounts>(&GetCounts, threads::Waits::kInbox),
  };
  return rows;
}

std::span<const Followup> RequestFollowups() {
  static constexpr Followup followups[] = {{RequestBlock::kName, &BlockAuthor}};
  return followups;
}

}  // namespace parley::features
