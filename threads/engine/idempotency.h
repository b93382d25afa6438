// Answers repeats of a command with a clientId: they get the first answer, which an IDEM# row of the thread
// stores.
#pragma once

#include <string>

#include "threads/engine/args_digest.h"
#include "threads/engine/transaction.h"
#include "threads/model/caller.h"
#include "threads/model/decision.h"
#include "threads/model/retention.h"

namespace parley::threads {

// The namespace of the caller's clientIds. Services that do not act as a user share one name, which no user
// can have.
inline UserId IdempotencyOwner(const Caller& caller) {
  return caller.user ? *caller.user : UserId{" service"};
}

// The first answer, unless it has expired.
inline Result<std::optional<IdempotencyRow>> FindEarlierOf(Transaction& tx, const TenantId& tenant,
                                                           const ThreadId& thread, const UserId& owner,
                                                           const ClientId& client) {
  PARLEY_TRY(earlier, tx.Earlier(tenant, thread, owner, client));
  if (earlier && earlier->expires_at <= tx.Kept()) earlier.reset();
  return std::move(earlier);
}
inline Result<std::optional<IdempotencyRow>> FindEarlier(Transaction& tx, const ThreadId& thread,
                                                         const Caller& caller, const ClientId& client) {
  return FindEarlierOf(tx, caller.tenant, thread, IdempotencyOwner(caller), client);
}

// The first answer with `duplicate` set; IDEMPOTENCY_CONFLICT if it was another request. Reply has a member
// `duplicate`.
template <class Reply, class Args>
Result<Decision> AnswerRepeat(const IdempotencyRow& earlier, const Args& args, std::string_view within = {}) {
  if (!SaidBefore(earlier.digest, args, within))
    return Error(ErrorCode::kIdempotencyConflict, "this clientId was sent with other content");
  Reply reply;
  if (!DecodeStored(earlier.reply, &reply)) return Error(ErrorCode::kInternal, "stored data cannot be read");
  reply.duplicate = true;
  return AnswerOnly(protocol::Encode(reply));
}

inline void RememberFor(Draft* draft, const UserId& owner, const ClientId& client, const std::string& digest,
                        const std::string& reply) {
  draft->Write(IdempotencyKey(owner, client),
               EncodeIdempotency({protocol::Time{draft->now().ms + kIdempotencyTtlMs}, digest, reply}));
  draft->WillAge(kAnswerRound);
}
inline void Remember(Draft* draft, const Caller& caller, const ClientId& client, const std::string& digest,
                     const std::string& reply) {
  RememberFor(draft, IdempotencyOwner(caller), client, digest, reply);
}

}  // namespace parley::threads
