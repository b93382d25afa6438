// Reads the facts about a user who writes to a stranger: shared projects by the inbox index, the other's
// filter and the author's credits by the records of accounts/.
//
// Thread contract: any thread.
#pragma once

#include <functional>
#include <memory>

#include "accounts/records/records.h"
#include "accounts/users/personal.h"
#include "features/requests/credits.h"
#include "protocol/ops/inbox.h"
#include "storage/sealing/sealer.h"
#include "threads/contacts/questions.h"
#include "threads/engine/checks.h"
#include "threads/model/cursor.h"

namespace parley::features {

class StoredContacts final {
 public:
  using Asker = threads::CheckInput;
  // The settings in force.
  using RequestsOf = std::function<MessageRequests(const protocol::TenantId&)>;
  StoredContacts(storage::Sealer sealer, const threads::CursorCodec& cursors, RequestsOf requests_of)
      : sealer_(std::move(sealer)), cursors_(cursors), requests_of_(std::move(requests_of)) {}

  MessageRequests Of(const protocol::TenantId& tenant) const { return requests_of_(tenant); }

  // The users in `others` who share a project with the caller.
  protocol::Result<std::set<protocol::UserId>> ShareProject(const Asker& asker, const threads::Caller& caller,
                                                            const std::set<protocol::UserId>& others) const;
  // The other's contact filter applied to the caller, who gives the named proofs.
  protocol::Result<threads::Reception> ReceptionOf(const Asker& asker, const threads::Caller& caller,
                                                   const protocol::UserId& other,
                                                   const std::set<std::string>& said) const;
  // The caller's credits; nullopt if nothing costs credits.
  protocol::Result<std::optional<int64_t>> CreditsOf(const Asker& asker, const threads::Caller& caller) const;

  // The ledger's row after the caller has spent `cost`, or CREDITS_EXHAUSTED.
  protocol::Result<storage::CommitRequest> Spend(const Asker& asker, const threads::Caller& caller,
                                                 int64_t cost) const;
  // CREDITS_EXHAUSTED while the caller's credits are frozen.
  protocol::Status RequireNotFrozen(const Asker& asker, const threads::Caller& caller) const;
  // The count that inbox.counts reports; nullopt if strangers need not ask.
  protocol::Result<std::optional<protocol::CreditCount>> CountOf(const Asker& asker,
                                                                 const threads::Caller& caller) const;

 private:
  // The caller's attributes by their token and by their record, because the tenant's back end may have
  // updated the record since.
  protocol::Result<accounts::Personal> KnownOf(const Asker& asker, const threads::Caller& caller) const;
  accounts::RecordReads Records(const Asker& asker, const protocol::TenantId& tenant) const {
    return {asker.reader, tenant, asker.now, sealer_};
  }
  protocol::Result<CreditStanding> StandingOf(const Asker& asker, const threads::Caller& caller) const;

  const storage::Sealer sealer_;
  const threads::CursorCodec& cursors_;
  const RequestsOf requests_of_;
};

}  // namespace parley::features
