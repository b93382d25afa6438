// What accounts/ and the index of inboxes know of two users, where one wants to write to the other who is a
// stranger (threads/engine/contacts.h): shared projects, the other's filter, and the author's credits.
//
// Thread contract: any thread.
#pragma once

#include <functional>
#include <memory>

#include "accounts/contacts/credits.h"
#include "accounts/jwt.h"
#include "accounts/records/records.h"
#include "protocol/ops/inbox.h"
#include "storage/sealing/sealer.h"
#include "threads/engine/contacts.h"
#include "threads/model/cursor.h"

namespace parley::features {

// What a user's attributes say of them, as far as strangers ask.
struct Personal {
  bool verified = false, trusted = false;
  int64_t age = 0;  // in years, at least
  bool credits_frozen = false;
  std::optional<int64_t> credits_cap;
};
Personal PersonalOf(const std::map<std::string, accounts::AttrValue>& attributes);

class StoredContacts final : public threads::Contacts {
 public:
  // As it holds: the settings of the tenant, or of the server where it is the demo's.
  using RequestsOf = std::function<accounts::MessageRequests(const protocol::TenantId&)>;
  StoredContacts(storage::Sealer sealer, const threads::CursorCodec& cursors, RequestsOf requests_of)
      : sealer_(std::move(sealer)), cursors_(cursors), requests_of_(std::move(requests_of)) {}

  accounts::MessageRequests Of(const protocol::TenantId& tenant) const { return requests_of_(tenant); }

  // threads::Contacts
  protocol::Result<std::set<protocol::UserId>> ShareProject(
      const Asker& asker, const threads::Caller& caller,
      const std::set<protocol::UserId>& others) const override;
  protocol::Result<threads::Reception> ReceptionOf(const Asker& asker, const threads::Caller& caller,
                                                   const protocol::UserId& other,
                                                   const std::set<std::string>& said) const override;
  protocol::Result<std::optional<int64_t>> CreditsOf(const Asker& asker,
                                                     const threads::Caller& caller) const override;

  // The ledger's row after the caller has spent so much; CREDITS_EXHAUSTED.
  protocol::Result<storage::CommitRequest> Spend(const Asker& asker, const threads::Caller& caller,
                                                 int64_t cost) const;
  // CREDITS_EXHAUSTED while the caller spends nothing, whatever they have.
  protocol::Status RequireNotFrozen(const Asker& asker, const threads::Caller& caller) const;
  // What is known of the caller: what the record says counts as well as what the token says, as the tenant's
  // back end may have learnt it since.
  protocol::Result<Personal> KnownOf(const Asker& asker, const threads::Caller& caller) const;
  // As inbox.counts shows it; nothing where strangers do not ask.
  protocol::Result<std::optional<protocol::CreditCount>> CountOf(const Asker& asker,
                                                                 const threads::Caller& caller) const;

 private:
  accounts::RecordReads Records(const Asker& asker, const protocol::TenantId& tenant) const {
    return {asker.reader, tenant, asker.now, sealer_};
  }
  protocol::Result<accounts::CreditStanding> StandingOf(const Asker& asker,
                                                        const threads::Caller& caller) const;

  const storage::Sealer sealer_;
  const threads::CursorCodec& cursors_;
  const RequestsOf requests_of_;
};

}  // namespace parley::features
