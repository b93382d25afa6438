#include "features/requests/checks.h"

#include "features/requests/settings.h"
#include "features/requests/stored_contacts.h"
#include "threads/contacts/questions.h"
#include "threads/engine/charge.h"

namespace parley::features {
namespace {

// Credits are taken by the row that is written, and by nothing before.
class Spent final : public threads::Taken {
 public:
  explicit Spent(storage::CommitRequest row) : row_(std::move(row)) {}
  std::vector<storage::CommitRequest> Stand() override {
    std::vector<storage::CommitRequest> rows;
    rows.push_back(std::move(row_));
    return rows;
  }

 private:
  storage::CommitRequest row_;
};

protocol::Status Spend(const StoredContacts& contacts, const threads::CheckInput& input,
                       const threads::Charge& charge, threads::Charge::Answer* taken) {
  if (charge.kind != threads::Charge::Kind::kReach) return protocol::Ok();
  if (charge.cost == 0) return contacts.RequireNotFrozen(input, charge.author);
  PARLEY_TRY(row, contacts.Spend(input, charge.author, charge.cost));
  taken->push_back(std::make_unique<Spent>(std::move(row)));
  return protocol::Ok();
}

}  // namespace

void AddRequestChecks(const CheckParts& parts, threads::Checks* checks) {
  const auto requests_of = [&tenants = parts.tenants,
                            rules_of = parts.rules_of](const protocol::TenantId& id) {
    return RequestsInForce(tenants.Find(id.value), rules_of(id));
  };
  const auto contacts = std::make_shared<const StoredContacts>(parts.sealer, parts.cursors, requests_of);
  checks->Add<threads::SharedProjects>([contacts](const threads::CheckInput& input,
                                                  const threads::SharedProjects& question,
                                                  std::set<protocol::UserId>* shared) -> protocol::Status {
    PARLEY_TRY(found, contacts->ShareProject(input, question.caller, question.others));
    *shared = std::move(found);
    return protocol::Ok();
  });
  checks->Add<threads::ReceptionBy>([contacts](const threads::CheckInput& input,
                                               const threads::ReceptionBy& question,
                                               threads::Reception* reception) -> protocol::Status {
    PARLEY_TRY(found, contacts->ReceptionOf(input, question.caller, question.user, question.said));
    *reception = std::move(found);
    return protocol::Ok();
  });
  checks->Add<threads::OwnCredits>([contacts](const threads::CheckInput& input,
                                              const threads::OwnCredits& question,
                                              std::optional<int64_t>* credits) -> protocol::Status {
    PARLEY_TRY(found, contacts->CreditsOf(input, question.caller));
    *credits = found;
    return protocol::Ok();
  });
  checks->Add<threads::Charge>(
      [contacts](const threads::CheckInput& input, const threads::Charge& charge,
                 threads::Charge::Answer* taken) { return Spend(*contacts, input, charge, taken); });
}

}  // namespace parley::features
